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
#include <algorithm>

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

bool contains(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

ReductionOp operatorOf(llvm::StringRef text) {
  static const std::pair<llvm::StringRef, ReductionOp> table[] = {
      {"+", ReductionOp::Add},    {"*", ReductionOp::Multiply}, {"min", ReductionOp::Min},
      {"max", ReductionOp::Max},  {"&", ReductionOp::BitAnd},   {"|", ReductionOp::BitOr},
      {"^", ReductionOp::BitXor}, {"&&", ReductionOp::And},     {"||", ReductionOp::Or}};
  for (const auto &[name, op] : table)
    if (name == text)
      return op;
  return ReductionOp::None;
}

/// What is missing for this need; empty if a clause meets it.
std::string missingClause(const Directive &directive, const Need &need) {
  const std::string name = "`" + need.name + "`";
  auto isReduced = [&](const auto &entry) { return entry.second == need.name; };
  auto reduced = std::find_if(directive.reductions.begin(), directive.reductions.end(), isReduced);
  bool isReductionListed = reduced != directive.reductions.end();
  switch (need.kind) {
  case Need::Kind::Reduction:
    if (!isReductionListed)
      return name + " is updated by every iteration and needs reduction(" + need.op + ":" + need.name +
             "), unless each update is atomic";
    return reduced->first == operatorOf(need.op) ? ""
                                                 : name + " is reduced with another operator than the loop's, " + need.op;
  case Need::Kind::LastPrivate:
    if (contains(directive.lastprivates, need.name))
      return "";
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
      if (const auto *found = std::get_if<Loop>(&node.kind))
        inner = inner ? inner : found;
    if (!inner)
      break;
    result.push_back(inner);
  }
  return result;
}

std::vector<Finding> busfare::brs::checkClaim(const Loop &claiming, const LoopVerdict &verdict, bool refuted) {
  const Directive &directive = *claiming.directive;
  std::vector<Finding> findings;
  auto add = [&](Level level, const std::string &message) {
    findings.push_back({Rule::DirectiveRefuted, level, claiming.location,
                        "`" + directive.text + "` claims independent iterations, but " + message});
  };
  if (!verdict.parallel) {
    add(refuted ? Level::Warning : Level::Remark, verdict.reason + (refuted ? "" : " (not proved either way)"));
    return findings;
  }
  for (const Need &need : verdict.needs)
    if (std::string missing = missingClause(directive, need); !missing.empty())
      add(Level::Warning, missing);
  return findings;
}
