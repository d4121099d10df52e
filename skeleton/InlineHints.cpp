//===- skeleton/InlineHints.cpp - Hints of called functions in the root ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A callee's hints speak of its formals; here they come to speak of the actuals:
//
//   function f(param n, array x, array y) hints(noalias(x, y) size(n = 100))
//   call f(m, &a, &b)         noalias(a, b) size(m = 100)
//   call f(2*m, &a, &b)       size(m = 50)
//   call f(99, &a, &a)        both are contradicted
//
// What a callee says of the values in its arrays, and of those that are dead outside
// it, holds while it runs: projection/RootHints asks the functions themselves.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Hints.h"
#include "skeleton/Inliner.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

static Finding hintFinding(Rule rule, Level level, const Hints &hints, const Location &otherwise, std::string message) {
  return {rule, level, hints.location.isKnown() ? hints.location : otherwise, std::move(message)};
}

/// A size becomes one of the caller's symbol if it is a multiple of one symbol, plus a constant.
void Inliner::mapSizes(Hints &hints, const Frame &frame, const Location &otherwise) {
  std::vector<std::pair<std::string, int64_t>> mapped;
  for (const auto &[name, value] : hints.sizes) {
    auto found = frame.symbols.find(name);
    if (found == frame.symbols.end()) {
      mapped.emplace_back(name, value);
      continue;
    }
    const Expr &actual = found->second;
    std::string said = "size(" + name + " = " + std::to_string(value) + ") of " + frame.function->name;
    auto refute = [&] {
      result.findings.push_back(hintFinding(Rule::HintRefuted, Level::Error, hints, otherwise,
                                            said + " is contradicted by a call, where it is " + toString(actual) +
                                                "; the hint is not taken"));
    };
    std::set<std::string> symbols = actual.symbols();
    std::optional<Expr> slope = symbols.size() == 1 ? actual.coefficientOf(*symbols.begin()) : std::nullopt;
    std::optional<int64_t> factor = slope ? slope->constant() : std::nullopt;
    std::optional<int64_t> rest = factor ? actual.without(*symbols.begin()).constant() : std::nullopt;
    std::optional<int64_t> difference = rest ? (Expr(value) - Expr(*rest)).constant() : std::nullopt;
    if (std::optional<int64_t> known = actual.constant()) {
      if (*known != value) refute();
    } else if (difference && *factor != 0 && *difference % *factor == 0) {
      mapped.emplace_back(*symbols.begin(), *difference / *factor);
    } else if (difference) {
      refute();
    } else {
      result.findings.push_back(hintFinding(Rule::HintUnused, Level::Warning, hints, otherwise,
                                            said + " binds no single size of the caller, where it is " +
                                                toString(actual) + "; the sizes there keep their defaults"));
    }
  }
  hints.sizes = std::move(mapped);
}

void Inliner::mapHints(Hints &hints, Frame &frame, const Location &otherwise) {
  auto rename = [&](std::string &name) {
    if (frame.arrays.count(name)) name = bindingOf(name, frame).array;
  };
  llvm::for_each(hints.temporaries, rename);
  for (Names &group : hints.noalias) llvm::for_each(group, rename);
  for (auto &[array, low, high] : hints.ranges) {
    rename(array);
    low = low.substitute(frame.symbols);
    high = high.substitute(frame.symbols);
  }
  llvm::erase_if(hints.ranges,
                 [](const auto &range) { return std::get<1>(range).isPoisoned() || std::get<2>(range).isPoisoned(); });
  mapSizes(hints, frame, otherwise);
}

void Inliner::mapLoaded(Rare<Loaded> &from, Frame &frame) {
  if (!from) return;
  const Binding binding = bindingOf(from->array, frame);
  from->array = binding.array;
  from->offset = from->offset.substitute(frame.symbols);
  for (Expr &subscript : from->element) subscript = subscript.substitute(frame.symbols);
  // Of a table that is given as a part of the actual, or in another shape, only entries of a list are followed.
  const Array *actual = from->element.empty() ? nullptr : declared(from->array);
  const size_t rank = from->element.size();
  bool isList = rank == 1 && binding.offset && binding.row.empty();
  if (isList) from->element.front() = from->element.front() + *binding.offset;
  bool isSame =
      isList || (binding.offset == Expr(0) && binding.row.empty() && actual && binding.extents == actual->extents);
  if (!isSame || !actual || actual->extents.size() != rank ||
      llvm::any_of(from->element, [](const Expr &e) { return e.isPoisoned(); }))
    from->element.clear();
  if (from->offset.isPoisoned()) from = Rare<Loaded>();
}

/// Two names of a group that begin at one element of one array.
void Inliner::refuteAliases(const Hints &hints, Frame &frame, const Location &call) {
  for (const Names &group : hints.noalias)
    for (size_t k = 0; k < group.size(); ++k)
      for (size_t j = 0; j < k; ++j) {
        Binding a = bindingOf(group[j], frame), b = bindingOf(group[k], frame);
        if (a.array != b.array || isAlias(a.array) || !a.offset || a.offset != b.offset || a.row != b.row) continue;
        result.findings.push_back(hintFinding(Rule::HintRefuted, Level::Error, hints, call,
                                              "noalias(" + group[j] + ", " + group[k] + ") of " + frame.function->name +
                                                  " is contradicted by the call at " + toString(call) +
                                                  ", where both are " + a.array + "; the hint is not taken"));
      }
}

/// What the user says of the callee's arrays as a whole. Parts of arrays need not be what the callee's names begin at.
void Inliner::takeOverHints(Frame &frame) {
  Hints hints;
  hints.location = frame.function->hints.location;
  hints.sizes = frame.function->hints.sizes;
  for (const Names &group : frame.function->hints.noalias) {
    std::set<std::string> arrays;
    bool areWhole = llvm::all_of(group, [&](const std::string &name) {
      Binding binding = bindingOf(name, frame);
      return binding.offset && binding.offset->isZero() && binding.row.empty() && arrays.insert(binding.array).second;
    });
    if (areWhole) hints.noalias.push_back(group);
  }
  mapHints(hints, frame, frame.function->location);
  add(result.function.hints, hints);
}
