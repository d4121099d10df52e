//===- projection/Profile.cpp - What one run of a program was measured to do ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Profile.h"
#include "projection/Describe.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

std::map<Location, unsigned> loopNumbers(const Function &function) {
  std::map<Location, unsigned> numbers;
  unsigned next = 0;
  forEachNode(function.body, [&](const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) numbers.emplace(loop->location, next++);
  });
  return numbers;
}

std::map<Location, unsigned> branchNumbers(const Function &function) {
  std::map<Location, unsigned> numbers;
  unsigned next = 0;
  forEachNode(function.body, [&](const Node &node) {
    auto *branch = std::get_if<Branch>(&node.kind);
    if (!branch) return;
    if (!branch->isRest && !branch->condition.exact) numbers.emplace(branch->location, next);
    ++next;
  });
  return numbers;
}

MatchedProfile::MatchedProfile(const Profile &profile, const Program &program) : profile(profile) {
  for (const ProfiledFunction &row : profile.functions) {
    const Function *function = findFunction(program, row.name);
    bool isSame = function && fingerprintOf(function->body) == row.fingerprint;
    functions[row.name] = isSame ? ProfileMatch::Used : function ? ProfileMatch::Changed : ProfileMatch::Absent;
    if (isSame) used[row.name] = &row;
  }
}

const ProfiledFunction *MatchedProfile::find(const std::string &function) const {
  auto found = used.find(function);
  return found == used.end() ? nullptr : found->second;
}

static void setShares(Block &block, const std::map<unsigned, double> &shares, unsigned &next) {
  for (Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      setShares(loop->body, shares, next);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      if (auto found = shares.find(next++); found != shares.end() && !branch->condition.exact) {
        branch->condition.probability = found->second;
        branch->condition.isMeasured = true;
      }
      setShares(branch->then, shares, next);
      setShares(branch->otherwise, shares, next);
    }
  }
}

Program MatchedProfile::withShares(Program program) const {
  for (Function &function : program.functions) {
    const ProfiledFunction *row = find(function.name);
    if (!row) continue;
    std::map<unsigned, double> shares;
    for (const ProfiledBranch &branch : row->branches)
      if (branch.executions > 0) shares[branch.number] = double(branch.taken) / double(branch.executions);
    unsigned next = 0;
    setShares(function.body, shares, next);
  }
  return program;
}

/// The symbol at the end of the loop at which it runs so often, given what is known: a value that nothing else has
/// said.
static void bindTrips(const Loop &loop, double trips, const Sizes &sizes, const Values &known, Values &measured) {
  int64_t distance = std::abs(loop.step) * (std::max<int64_t>(1, std::llround(trips)) - 1);
  const Expr &from = loop.step > 0 ? loop.lower : loop.upper, &to = loop.step > 0 ? loop.upper : loop.lower;
  for (const std::string &symbol : to.symbols()) {
    std::optional<Expr> slope = to.coefficientOf(symbol);
    if (!sizes.isAssumed(symbol) || measured.count(symbol) || from.mentions(symbol) || !slope || slope->constant() != 1)
      continue;
    std::optional<int64_t> first = from.evaluate(known), rest = to.without(symbol).evaluate(known);
    if (first && rest) measured[symbol] = *first + distance - *rest;
    return;
  }
}

Values MatchedProfile::valuesIn(const Program &program, const Root &root, const Sizes &assumed) const {
  Values measured;
  for (const auto &[symbol, parameter] : assumed.bySymbol) {
    // A run knows better than the code's usual value, which holds unless arguments or input say otherwise.
    if (parameter.source != ParameterSource::Assumed && parameter.source != ParameterSource::Declared) continue;
    std::string scoped = scopedName(root.name, symbol);
    auto [function, name] = llvm::StringRef(scoped).rsplit("::");
    const ProfiledFunction *row = find(function.str());
    if (!row) continue;
    for (const ProfiledSize &size : row->sizes)
      if (size.name == name && size.times > 0) measured[symbol] = size.value;
  }
  Values known = assumed.values();
  for (const auto &[symbol, value] : measured) known[symbol] = value;
  std::map<std::string, std::map<Location, unsigned>> numbers;
  forEachNode(root.function.body, [&](const Node &node) {
    auto *loop = std::get_if<Loop>(&node.kind);
    const std::string &name = root.paths[node.path].function;
    const ProfiledFunction *row = loop ? find(name) : nullptr;
    if (!row) return;
    auto [own, isNew] = numbers.try_emplace(name);
    if (isNew) own->second = loopNumbers(*findFunction(program, name));
    auto number = own->second.find(loop->location);
    for (const ProfiledLoop &counted : row->loops)
      if (number != own->second.end() && counted.number == number->second && counted.executions > 0)
        bindTrips(*loop, double(counted.iterations) / double(counted.executions), assumed, known, measured);
  });
  return measured;
}

std::optional<double> MatchedProfile::timeOf(const std::string &root, const std::string &fingerprint) const {
  for (const ProfiledRegion &region : profile.regions)
    if (region.root == root && region.fingerprint == fingerprint && region.entries > 0)
      return region.seconds / double(region.entries);
  return std::nullopt;
}

} // namespace busfare::projection
