//===- brs/EndingFacts.cpp - What holds where the program has not ended ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/EndingFacts.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace busfare::brs {
using namespace skeleton;

/// A loop with no host statement in it, which the device could run.
static bool mayBeKernel(const Node &node) {
  const auto *loop = std::get_if<Loop>(&node.kind);
  if (!loop) return false;
  bool hasHost = false;
  forEachNode(loop->body, [&](const Node &inner) {
    hasHost |= std::holds_alternative<HostStatement>(inner.kind) || std::holds_alternative<End>(inner.kind);
  });
  return !hasHost;
}

/// From here on arrays may live on the device.
static bool begins(const Node &node) {
  bool does = false;
  forEachNode(llvm::ArrayRef(node), [&](const Node &inner) {
    does |=
        mayBeKernel(inner) || std::holds_alternative<Allocate>(inner.kind) || std::holds_alternative<Call>(inner.kind);
  });
  return does;
}

static void addUsed(const Node &node, std::set<std::string> &used) {
  auto add = [&](const Expr &expr) { used.merge(expr.symbols()); };
  forEachNode(llvm::ArrayRef(node), [&](const Node &inner) {
    if (const auto *access = std::get_if<Access>(&inner.kind)) {
      forEachSubscriptExpr(*access, add);
    } else if (const auto *loop = std::get_if<Loop>(&inner.kind)) {
      add(loop->lower);
      add(loop->upper);
    } else if (const auto *branch = std::get_if<Branch>(&inner.kind)) {
      for (const std::vector<Expr> &facts : branch->condition.anyOf) llvm::for_each(facts, add);
    } else if (const auto *define = std::get_if<Define>(&inner.kind)) {
      for (const std::optional<Expr> &expr : {define->value, define->atLeast, define->atMost, define->usually})
        if (expr) add(*expr);
      if (define->quotient) add(define->quotient->dividend), add(define->quotient->divisor);
    }
  });
}

/// Does control surely come to an End, or stay away? Not what only throws, which somebody may catch.
static bool endsProgram(const Block &block) {
  return llvm::any_of(block, [](const Node &node) {
    const auto *branch = std::get_if<Branch>(&node.kind);
    return std::holds_alternative<End>(node.kind) ||
           (branch && endsProgram(branch->then) && endsProgram(branch->otherwise));
  });
}

/// Of a branch that one side of leaves the program: what holds on the other.
static std::vector<Expr> factsBehind(const Branch &branch) {
  const Condition &condition = branch.condition;
  if (endsProgram(branch.otherwise)) return condition.anyOf.size() == 1 ? condition.anyOf.front() : std::vector<Expr>();
  std::vector<Expr> facts;
  if (!condition.exact || !endsProgram(branch.then)) return facts;
  for (const std::vector<Expr> &all : condition.anyOf)
    if (all.size() == 1) facts.push_back(-all.front() - 1);
  return facts;
}

std::vector<Expr> endingFacts(const Function &function) {
  std::vector<Expr> facts;
  std::set<std::string> used;
  for (const Node &node : function.body) {
    if (begins(node)) break;
    const auto *branch = std::get_if<Branch>(&node.kind);
    const bool ends = branch && !branch->isRest && endsProgram(branch->then) != endsProgram(branch->otherwise);
    if (ends)
      for (Expr &fact : factsBehind(*branch))
        if (llvm::none_of(fact.symbols(), [&](const std::string &symbol) { return used.count(symbol) != 0; }))
          facts.push_back(std::move(fact));
    if (!ends) addUsed(node, used);
  }
  return facts;
}

} // namespace busfare::brs
