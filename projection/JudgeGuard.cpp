//===- projection/JudgeGuard.cpp - The break-evens of a region as one condition -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/JudgeParts.h"
#include "skeleton/Expr.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

/// What varies and a guard can test.
struct Judge::Impl::GuardSize {
  const OpenSize *size; ///< Null: the count of the time loop.
  std::vector<Expr> values;
  double today;
};

static Guard none(std::string why, bool isNever = false) { return {{}, false, std::move(why), isNever}; }

static bool isAll(const std::pair<std::optional<double>, std::optional<double>> &interval) {
  return !interval.first && !interval.second;
}

/// How often the time loop turns, in the root's symbols; nothing: that is not known before it does.
static std::optional<Expr> countOf(const Loop &loop) {
  const Expr span = loop.step > 0 ? loop.upper - loop.lower : loop.lower - loop.upper;
  const Expr trips = floorDiv(span, std::abs(loop.step)) + 1;
  if (loop.mayExitEarly || trips.isPoisoned() || trips.constant()) return std::nullopt;
  return trips;
}

/// The corners of the box, and what lies in the middle of its sides, pay where they fit the device. Ends that are
/// "about" there are not asked to the last element; sides that are open are looked along for a while.
std::string Judge::Impl::whatDoesNotPay(llvm::ArrayRef<GuardSize> sizes, llvm::ArrayRef<GuardTerm> box) const {
  constexpr double farEnough = 64, nearEnd = 1.05;
  std::vector<std::vector<double>> stops;
  for (const GuardSize &size : sizes) {
    const GuardTerm &term = *llvm::find_if(box, [&](const GuardTerm &one) { return one.value == size.values.front(); });
    const double low = std::ceil(term.from.value_or(1)), high = std::floor(term.to.value_or(size.today * farEnough));
    const double first = std::min(high, std::ceil(low * nearEnd)), last = std::max(first, std::floor(high / nearEnd));
    stops.push_back({first, std::round(std::sqrt(first * last)), last});
  }
  size_t points = 1;
  for (const std::vector<double> &each : stops) points *= each.size();
  for (size_t point = 0; point < points; ++point) {
    RealValues at = values;
    std::optional<double> count = q.iterations;
    std::string names;
    size_t rest = point;
    for (const auto &[size, each] : llvm::zip_equal(sizes, stops)) {
      const double value = each[rest % each.size()];
      rest /= each.size();
      if (size.size)
        for (const std::string &symbol : size.size->symbols) at[symbol] = value;
      else count = value;
      names += (names.empty() ? "" : ", ") + (size.size ? size.size->name : "iterations") + " = " +
               std::to_string(std::llround(value));
    }
    const RegionCost cost = planAt(at, count);
    if (fits(cost) && gainAt(cost).value <= 0) return names;
  }
  return {};
}

Guard Judge::Impl::guard(const MachineAnswer &answer) const {
  std::vector<GuardSize> sizes;
  for (const OpenSize &size : open) {
    sizes.push_back({&size, {}, size.today});
    for (const std::string &symbol : size.symbols) sizes.back().values.push_back(Expr::symbol(symbol));
  }
  const PaysOff *ofSizes = nullptr, *ofSteps = nullptr;
  for (const PaysOff &pays : answer.paysOff) {
    const bool isWanted = open.size() == 1 ? pays.size == open.front().name : pays.size.empty();
    if (isWanted && !open.empty()) ofSizes = &pays;
    if (pays.size == "iterations") ofSteps = &pays;
  }
  if (!open.empty() && !ofSizes) return none("it pays at no size that was looked at", true);
  // Where the sizes say how often the time loop turns they have said all.
  const bool isSetApart = q.iterations && !q.region.timeLoops.empty();
  if (isSetApart) {
    const std::optional<Expr> count = countOf(*q.region.timeLoops.front());
    if (!count) return none("how often its time loop turns is not known where it begins");
    sizes.push_back({nullptr, {*count}, *q.iterations});
  } else ofSteps = nullptr;
  if (sizes.empty())
    return none(std::string("no size varies on which its price rests: it ") +
                    (answer.gain.value > 0 ? "pays" : "does not pay"),
                answer.gain.value <= 0);
  constexpr size_t most = 5;
  if (sizes.size() > most) return none("its price rests on " + std::to_string(sizes.size()) + " sizes");

  // Of sizes and steps the one has the break-even, the other is as large as today at least.
  const bool isOfSteps = !ofSizes || (ofSizes->intervals.empty() && ofSteps);
  const PaysOff &pays = isOfSteps ? *ofSteps : *ofSizes;
  if (pays.intervals.empty()) return none("it pays at no size that was looked at", true);
  if (sizes.size() == 1 && llvm::any_of(pays.intervals, isAll)) return none("it pays at every size that was looked at");
  Guard guard;
  guard.isAbout = pays.isAbout;
  for (const auto &[from, to] : pays.intervals) {
    std::vector<GuardTerm> &row = guard.anyOf.emplace_back();
    for (const GuardSize &size : sizes) {
      const bool isTheOne = isOfSteps != (size.size != nullptr);
      // Of all sizes together it is a factor of today's.
      const double unit = isTheOne && pays.size.empty() ? size.today : 1;
      GuardTerm term{size.size ? size.size->name : "iterations", {}, from, to};
      if (!isTheOne) term.from = size.today, term.to = std::nullopt;
      else if (unit != 1) {
        if (from) term.from = std::ceil(*from * unit);
        if (to) term.to = std::floor(*to * unit);
      }
      for (const Expr &value : size.values) {
        term.value = value;
        row.push_back(term);
      }
    }
    if (sizes.size() == 1) continue;
    if (const std::string where = whatDoesNotPay(sizes, row); !where.empty())
      return none("no bounds of its sizes, each by itself, tell where it pays (not at " + where + ")");
  }
  return guard;
}

Guard Judge::guard(const MachineAnswer &answer) const { return impl->guard(answer); }
const Mix *Judge::plan() const { return impl->plan(); }

} // namespace busfare::projection
