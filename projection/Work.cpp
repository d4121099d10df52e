//===- projection/Work.cpp - How much a piece of a program does ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Work.h"
#include "projection/Shares.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Has it a quotient or a remainder? Between whole numbers these say nothing.
bool roundsAnything(const Condition &condition) {
  return llvm::any_of(condition.anyOf, [](const std::vector<Expr> &all) {
    return llvm::any_of(all, [](const Expr &e) {
      return llvm::any_of(e.sum(), [](const Term &term) {
        return llvm::any_of(term.factors, [](const Atom &atom) {
          return atom.kind == Atom::Kind::FloorDiv || atom.kind == Atom::Kind::Mod;
        });
      });
    });
  });
}

/// Does how often something below happens depend on the symbol?
bool decidesBelow(const Block &block, llvm::StringRef symbol) {
  return llvm::any_of(block, [&](const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind))
      return loop->lower.mentions(symbol) || loop->upper.mentions(symbol) || decidesBelow(loop->body, symbol);
    if (auto *branch = std::get_if<Branch>(&node.kind))
      return mentions(branch->condition, symbol) || decidesBelow(branch->then, symbol) ||
             decidesBelow(branch->otherwise, symbol);
    return false;
  });
}

struct Sample {
  double index, weight;
};

/// Points of the loop's index whose weights add up to its trips.
std::vector<Sample> samplesOf(const Loop &loop, double trips, const RealValues &values, bool decides) {
  double lower = loop.lower.evaluateReal(values).value_or(0), step = loop.step;
  if (!decides) return {{lower + step * (trips - 1) / 2, trips}};
  if (trips <= 4 && trips == std::floor(trips)) {
    std::vector<Sample> each;
    for (double i = 0; i < trips; ++i) each.push_back({lower + step * i, 1});
    return each;
  }
  double centre = lower + step * (trips - 1) / 2, half = step * trips / 2, at = std::sqrt(0.6);
  return {{centre - at * half, trips * 5 / 18}, {centre, trips * 8 / 18}, {centre + at * half, trips * 5 / 18}};
}

struct Walk {
  const TripOverrides &overrides;
  const LeftOut &leftOut;
  Work work{};
  /// A host statement may have its accesses in common with others.
  std::map<std::pair<const Access *, const HostStatement *>, size_t> positions{};
  const HostStatement *in = nullptr; ///< The host statement whose accesses are counted.
  std::map<const Loop *, bool> decides{}; ///< decidesBelow of the loop's own index.
  std::vector<const Loop *> path{};

  void walk(llvm::ArrayRef<Node> block, RealValues &values, double weight) {
    if (weight <= 0) return;
    for (const Node &node : block) {
      if (leftOut.count(&node)) continue;
      if (auto *access = std::get_if<Access>(&node.kind)) {
        auto [entry, isNew] = positions.try_emplace({access, in}, work.accesses.size());
        if (isNew) work.accesses.push_back({access, path, 0});
        work.accesses[entry->second].count += weight;
      } else if (auto *operations = std::get_if<Operations>(&node.kind)) {
        for (const auto &[operation, count] : operations->counts) work.operations[size_t(operation)] += count * weight;
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        double share = roundsAnything(branch->condition) ? shareOver(path, branch->condition, values, overrides)
                                                         : shareOf(branch->condition, values);
        walk(branch->then, values, weight * share);
        walk(branch->otherwise, values, weight * (1 - share));
      } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
        work.hostStatements += weight;
        LibraryWork library = host->library ? libraryWork(*host->library, values) : LibraryWork();
        if (library.flops && library.bytes) work.libraryCalls.push_back({&*host->library, library, weight});
        else {
          in = host;
          walk(host->body, values, weight);
          in = nullptr;
        }
      } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
        walk(*loop, values, weight);
      }
    }
  }

  void walk(const Loop &loop, RealValues &values, double weight) {
    double trips = tripsOf(loop, values, overrides);
    work.iterations[&loop] += weight * trips;
    if (trips <= 0) return;
    auto [known, isNew] = decides.try_emplace(&loop);
    if (isNew) known->second = decidesBelow(loop.body, loop.index);
    path.push_back(&loop);
    for (const Sample &sample : samplesOf(loop, trips, values, known->second)) {
      values[loop.index] = sample.index;
      walk(loop.body, values, weight * sample.weight);
    }
    values.erase(loop.index);
    path.pop_back();
  }
};

void sample(const std::vector<const Loop *> &loops, size_t depth, RealValues &values, const TripOverrides &overrides,
            double weight, const std::function<void(const RealValues &, double)> &visit) {
  if (depth == loops.size()) return visit(values, weight);
  const Loop &loop = *loops[depth];
  double trips = tripsOf(loop, values, overrides);
  if (trips <= 0) return;
  for (const Sample &s : samplesOf(loop, trips, values, decidesBelow(loop.body, loop.index))) {
    values[loop.index] = s.index;
    sample(loops, depth + 1, values, overrides, weight * s.weight, visit);
  }
  values.erase(loop.index);
}

void enumerate(const std::vector<const Loop *> &loops, size_t depth, RealValues &values, const TripOverrides &overrides,
               const std::function<void(const RealValues &, double)> &visit) {
  if (depth == loops.size()) return visit(values, 1);
  const Loop &loop = *loops[depth];
  double trips = tripsOf(loop, values, overrides), lower = loop.lower.evaluateReal(values).value_or(0);
  for (double i = 0; i < trips; ++i) {
    values[loop.index] = lower + double(loop.step) * i;
    enumerate(loops, depth + 1, values, overrides, visit);
  }
  values.erase(loop.index);
}

} // namespace

double Work::flops() const {
  return of(Operation::Fp32Add) + of(Operation::Fp32Multiply) + 2 * of(Operation::Fp32Fma) + of(Operation::Fp32Divide) +
         of(Operation::Fp32Special) + of(Operation::Fp64Add) + of(Operation::Fp64Multiply) +
         2 * of(Operation::Fp64Fma) + of(Operation::Fp64Divide) + of(Operation::Fp64Special);
}

double tripsOf(const Loop &loop, const RealValues &values, const TripOverrides &overrides) {
  if (auto found = overrides.find(&loop); found != overrides.end()) return found->second;
  std::optional<double> lower = loop.lower.evaluateReal(values), upper = loop.upper.evaluateReal(values);
  if (!lower || !upper) return 0;
  double distance = (*upper - *lower) / loop.step;
  // Between samples an inner bound is no integer: its mean trip count is then meant.
  bool whole = *lower == std::floor(*lower) && *upper == std::floor(*upper);
  return std::max(0.0, whole ? std::floor(distance) + 1 : distance + 1);
}

Work workOf(llvm::ArrayRef<Node> block, const RealValues &values, const TripOverrides &overrides,
            const LeftOut &leftOut) {
  Walk walk{overrides, leftOut};
  RealValues copy = values;
  walk.walk(block, copy, 1);
  return std::move(walk.work);
}

Work workOf(const Loop &loop, const RealValues &values, const TripOverrides &overrides, const LeftOut &leftOut) {
  Walk walk{overrides, leftOut};
  RealValues copy = values;
  walk.walk(loop, copy, 1);
  return std::move(walk.work);
}

void sampleIterations(const std::vector<const Loop *> &loops, const RealValues &values, const TripOverrides &overrides,
                      const std::function<void(const RealValues &, double)> &visit) {
  if (loops.empty()) return visit(values, 1);
  RealValues copy = values;
  sample(loops, 0, copy, overrides, 1, visit);
}

void forEachIteration(const std::vector<const Loop *> &loops, const RealValues &values, const TripOverrides &overrides,
                      double limit, const std::function<void(const RealValues &, double)> &visit) {
  // Where inner loops seldom run, the outer ones are what takes time.
  for (size_t depth = 1; depth <= loops.size(); ++depth) {
    double all = 0;
    sampleIterations({loops.begin(), loops.begin() + ptrdiff_t(depth)}, values, overrides,
                     [&](const RealValues &, double weight) { all += weight; });
    if (all > limit) return sampleIterations(loops, values, overrides, visit);
  }
  RealValues copy = values;
  enumerate(loops, 0, copy, overrides, visit);
}

} // namespace busfare::projection
