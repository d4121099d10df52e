//===- projection/BoundSizes.cpp - What --param says, for every stage -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/BoundSizes.h"
#include "projection/Sizes.h"
#include "skeleton/SharedBodies.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <set>

namespace busfare::projection {

using namespace skeleton;

static void addCallees(const Block &block, std::set<std::string> &called) {
  for (const Node &node : block) {
    if (const auto *call = std::get_if<Call>(&node.kind)) {
      called.insert(call->callee);
    } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      addCallees(loop->body, called);
    } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      addCallees(branch->then, called);
      addCallees(branch->otherwise, called);
    } else if (const auto *host = std::get_if<HostStatement>(&node.kind)) {
      addCallees(host->body, called);
    }
  }
}

/// The value that is given for a symbol of a function, the last one counts.
static std::optional<int64_t> givenFor(const Function &function, const std::string &symbol,
                                       const std::vector<std::pair<std::string, int64_t>> &parameters) {
  const std::string scoped = scopedName(function.name, symbol);
  for (const auto &[name, value] : llvm::reverse(parameters))
    if (name == scoped || name == symbol || isSpelled(name, scoped)) return value;
  return std::nullopt;
}

/// Of the definitions that pin a symbol; no source has it.
static const char pinned[] = "--param";

/// Two values between which nothing but the symbol fits: a definition has no other way to say what a parameter is.
static void pin(const std::string &symbol, int64_t value, Block &front) {
  Define above, below;
  above.symbol = symbol + " at most", below.symbol = symbol + " at least";
  above.reason = below.reason = pinned;
  above.atLeast = Expr::symbol(symbol), above.atMost = Expr(value);
  below.atLeast = Expr(value), below.atMost = Expr::symbol(symbol);
  front.push_back({above});
  front.push_back({below});
}

/// Those that a loop runs to, or an array has as an extent: reports speak of them by name.
static std::set<std::string> sizingSymbols(const Function &function) {
  std::set<std::string> found;
  auto add = [&](const std::optional<Expr> &expr) {
    if (expr) found.merge(expr->symbols());
  };
  for (const Array &array : function.arrays)
    for (const std::optional<Expr> &extent : array.extents) add(extent);
  forEachNode(function.body, [&](const Node &node) {
    if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      add(loop->lower);
      add(loop->upper);
    } else if (const auto *allocate = std::get_if<Allocate>(&node.kind)) {
      for (const std::optional<Expr> &extent : allocate->extents) add(extent);
    }
  });
  return found;
}

/// `x[i*incx]` is affine for the value alone: a product of two symbols has no place in a set.
static void putStrides(Block &block, const Substitution &strides) {
  auto put = [&](std::optional<Expr> &expr) {
    if (expr) expr = expr->substitute(strides);
  };
  for (Node &node : block)
    if (auto *access = std::get_if<Access>(&node.kind)) {
      for (Subscript &subscript : access->subscripts) {
        put(subscript.value);
        put(subscript.atLeast);
        put(subscript.atMost);
      }
      if (access->flat) access->flat = access->flat->substitute(strides);
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      putStrides(loop->body, strides);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      putStrides(branch->then, strides);
      putStrides(branch->otherwise, strides);
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      if (!isOfAnyElements(host->body)) putStrides(host->body.edit(), strides);
    }
}

Program withBoundSizes(const Program &program, const std::vector<std::string> &roots,
                       const std::vector<std::pair<std::string, int64_t>> &parameters) {
  Program bound = program;
  std::set<std::string> called;
  for (const Function &function : program.functions) addCallees(function.body, called);
  for (Function &function : bound.functions) {
    if (!llvm::is_contained(roots, function.name) || called.count(function.name)) continue;
    Block front;
    const std::set<std::string> sizing = sizingSymbols(function);
    Substitution strides;
    for (const Parameter &parameter : function.parameters)
      if (parameter.kind == Parameter::Kind::Value)
        if (std::optional<int64_t> value = givenFor(function, parameter.name, parameters)) {
          pin(parameter.name, *value, front);
          if (!sizing.count(parameter.name)) strides.insert({parameter.name, Expr(*value)});
        }
    if (!strides.empty()) putStrides(function.body, strides);
    for (const Node &node : function.body)
      if (const auto *define = std::get_if<Define>(&node.kind); define && !define->value)
        if (std::optional<int64_t> value = givenFor(function, define->symbol, parameters))
          pin(define->symbol, *value, front);
    function.body.insert(function.body.begin(), std::make_move_iterator(front.begin()),
                         std::make_move_iterator(front.end()));
  }
  return bound;
}

std::vector<Expr> takePins(Function &function) {
  std::vector<Expr> facts;
  llvm::erase_if(function.body, [&](const Node &node) {
    const auto *define = std::get_if<Define>(&node.kind);
    if (!define || define->reason != pinned) return false;
    facts.push_back(*define->atMost - *define->atLeast);
    return true;
  });
  return facts;
}

} // namespace busfare::projection
