//===- brs/Claims.cpp - Directives against what was found -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each need of the verdict must be met by a clause:
//
//   private      private, or a stronger one     lastprivate   lastprivate
//   reduction    reduction with the operator    array-private private
//
//===----------------------------------------------------------------------===//
#include "brs/Claims.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

bool contains(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Does `clause(...)` in the directive's text list the name? For clauses that Directive does not hold.
bool isListed(llvm::StringRef text, llvm::StringRef clause, llvm::StringRef name) {
  for (size_t at = text.find(clause); at != llvm::StringRef::npos; at = text.find(clause, at + 1)) {
    llvm::StringRef rest = text.substr(at + clause.size()).ltrim();
    if (!rest.consume_front("(")) continue;
    llvm::SmallVector<llvm::StringRef, 4> names;
    rest.take_until([](char c) { return c == ')' || c == ':'; }).split(names, ',');
    for (llvm::StringRef listed : names)
      if (listed.trim() == name) return true;
  }
  return false;
}

ReductionOp operatorOf(llvm::StringRef text) {
  static const std::pair<llvm::StringRef, ReductionOp> table[] = {
      {"+", ReductionOp::Add},    {"*", ReductionOp::Multiply}, {"min", ReductionOp::Min},
      {"max", ReductionOp::Max},  {"&", ReductionOp::BitAnd},   {"|", ReductionOp::BitOr},
      {"^", ReductionOp::BitXor}, {"&&", ReductionOp::And},     {"||", ReductionOp::Or}};
  for (const auto &[name, op] : table)
    if (name == text) return op;
  return ReductionOp::None;
}

/// What is missing for this need; empty if a clause meets it.
std::string missingClause(const Directive &directive, const Need &need) {
  const std::string name = "`" + need.name + "`";
  auto isReduced = [&](const auto &entry) { return entry.second == need.name; };
  auto reduced = std::find_if(directive.reductions.begin(), directive.reductions.end(), isReduced);
  bool isReductionListed = reduced != directive.reductions.end();
  // linear(j, k:2): a private copy with a closed form, and its last value.
  if (isListed(directive.text, "linear", need.name)) return "";
  if (need.op == "induction")
    return isReductionListed ? "" : name + " grows by the same in every iteration and needs linear(" + need.name + ")";
  switch (need.kind) {
  case Need::Kind::Reduction:
    if (!isReductionListed)
      return name + " is updated by every iteration and needs reduction(" + need.op + ":" + need.name +
             "), unless each update is atomic";
    return reduced->first == operatorOf(need.op)
               ? ""
               : name + " is reduced with another operator than the loop's, " + need.op;
  case Need::Kind::LastPrivate:
    if (contains(directive.lastprivates, need.name) || isReductionListed) return "";
    return name + " is used after the loop and needs lastprivate(" + need.name + ")";
  case Need::Kind::Private:
  case Need::Kind::ArrayPrivate:
  case Need::Kind::FirstPrivate:
    if (contains(directive.privates, need.name) || contains(directive.firstprivates, need.name) ||
        contains(directive.lastprivates, need.name) || isReductionListed)
      return "";
    return name + " is written by every iteration and needs private(" + need.name + ")";
  }
  return "";
}

} // namespace

std::vector<const Loop *> busfare::brs::loopsCovered(const Loop &loop) {
  std::vector<const Loop *> result = {&loop};
  unsigned depth = loop.directive ? loop.directive->collapse : 1;
  while (result.size() < depth) {
    const Loop *inner = nullptr;
    for (const Node &node : result.back()->body)
      if (const auto *found = std::get_if<Loop>(&node.kind)) inner = inner ? inner : found;
    if (!inner) break;
    result.push_back(inner);
  }
  return result;
}

/// Loops inside that have directives of their own.
static void addClaimingLoops(const Block &block, std::vector<const Loop *> &loops) {
  for (const Node &node : block) {
    if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      if (loop->directive) loops.push_back(loop);
      addClaimingLoops(loop->body, loops);
    } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      addClaimingLoops(branch->then, loops);
      addClaimingLoops(branch->otherwise, loops);
    }
  }
}

std::vector<Finding> busfare::brs::checkClaim(const Loop &claiming, const LoopVerdict &verdict,
                                              const std::set<std::string> &refuted) {
  const Directive &directive = *claiming.directive;
  std::vector<Finding> findings;
  // What is done in turns may depend on itself, and which accesses those are is not in the skeleton.
  if (directive.takesTurns) return findings;
  auto add = [&](Level level, const std::string &message) {
    findings.push_back({Rule::DirectiveRefuted, level, claiming.location,
                        "`" + directive.text + "` claims independent iterations, but " + message});
  };
  if (!verdict.parallel) {
    bool isSure = !verdict.dependences.empty() && refuted.count(verdict.dependences.front().array) &&
                  verdict.dependences.front().kind != CarriedDependence::Kind::Unknown;
    add(isSure ? Level::Warning : Level::Remark,
        verdict.reason + (isSure ? "" : " (not proved either way; --trust-directives believes it)"));
    return findings;
  }
  // The indices of the loops it covers are private without a clause. A loop's index is its variable, numbered if
  // another loop took the name first.
  std::vector<const Loop *> covered = loopsCovered(claiming);
  addClaimingLoops(claiming.body, covered);
  auto isCovered = [&](const Need &need) {
    return need.kind == Need::Kind::Private && std::any_of(covered.begin(), covered.end(), [&](const Loop *loop) {
             llvm::StringRef index = loop->index;
             return index.consume_front(need.name) && (index.empty() || index.starts_with("."));
           });
  };
  // No clause of the program's can speak of the flag.
  auto isFlag = [](const Need &need) { return need.name == endFlag; };
  for (const Need &need : verdict.needs)
    if (std::string missing = missingClause(directive, need); !missing.empty() && !isCovered(need) && !isFlag(need))
      add(refuted.count(need.name) ? Level::Warning : Level::Remark, missing);
  return findings;
}
