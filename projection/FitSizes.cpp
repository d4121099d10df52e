//===- projection/FitSizes.cpp - Assumed sizes that do not contradict arrays ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/FitSizes.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Elements of an assumed extent that grows, at most.
constexpr int64_t mostElements = int64_t(1) << 36;
/// Of an array, and turns of a nest of loops, that assumed sizes make: three extents of 1,024; a minute or so of one
/// core.
constexpr double usualElements = double(int64_t(1) << 30), usualTurns = double(int64_t(1) << 34);
constexpr int64_t leastScaled = 8;
/// What an assumed value may take away from a loop (a halo on either side): so little that the loop stays what it is.
constexpr double mostTaken = 1.0 / 64, leastLeft = 0.25;

class Fitting {
public:
  Fitting(const Program &program, const Function &root, Sizes &sizes)
      : root(root), sizes(sizes), arrays(program, root), values(sizes.values()) {
    for (const auto &[symbol, parameter] : sizes.bySymbol)
      if (sizes.isAssumed(symbol)) assumed.insert(symbol);
    for (const Array &array : root.arrays)
      for (const std::optional<Expr> &extent : array.extents)
        if (extent) addSymbols(*extent, inExtents);
    forEachNode(root.body, [&](const Node &node) {
      if (auto *define = std::get_if<Define>(&node.kind)) defined.insert(define->symbol);
    });
  }

  void run() {
    if (assumed.empty()) return;
    letRun(root.body);
    for (const Array &array : root.arrays) limitElements(array);
    limitTurns(root.body);
    walk(root.body);
  }

private:
  const Function &root;
  Sizes &sizes;
  const ArrayTable arrays;
  Values values;
  std::set<std::string> assumed, inExtents, defined;
  std::vector<const Loop *> loops;
  std::map<std::string, std::string> begins; ///< Of loops from one assumed value to another: the first to the last.

  static void addSymbols(const Expr &expr, std::set<std::string> &symbols) {
    for (const std::string &symbol : expr.symbols()) symbols.insert(symbol);
  }
  /// Of `n` and `n - 1`: n.
  static std::optional<std::string> symbolOf(const Expr &bound) {
    const std::set<std::string> symbols = bound.symbols();
    const bool isOffset = symbols.size() == 1 && bound.coefficientOf(*symbols.begin()) == std::optional(Expr(1)) &&
                          bound.without(*symbols.begin()).constant();
    return isOffset ? std::optional(*symbols.begin()) : std::nullopt;
  }
  void set(const std::string &symbol, int64_t value) { values[symbol] = sizes.bySymbol[symbol].value = value; }

  bool isOpen(const std::string &symbol) const { return assumed.count(symbol) != 0; }

  using Nest = llvm::ArrayRef<const Loop *>;

  /// Gives symbols other values until its life ends: roots have thousands of values, of which few change.
  class Changed {
  public:
    explicit Changed(Values &values) : values(values) {}
    Changed(const Changed &) = delete;
    ~Changed() {
      for (auto &[symbol, value] : llvm::reverse(before))
        if (value) values[symbol] = *value;
        else values.erase(symbol);
    }
    void set(const std::string &symbol, int64_t value) {
      auto known = values.find(symbol);
      before.emplace_back(symbol, known == values.end() ? std::nullopt : std::optional(known->second));
      values[symbol] = value;
    }

  private:
    Values &values;
    std::vector<std::pair<std::string, std::optional<int64_t>>> before;
  };

  /// Turns of the loop, with the indices of those around it at their first or at their last value; nothing: not known.
  std::optional<double> turnsOf(const Loop &loop, Nest around, bool atLast) {
    Changed indices(values);
    for (const Loop *outer : around) {
      std::optional<int64_t> first = outer->lower.evaluate(values), last = outer->upper.evaluate(values);
      if (!first || !last) return std::nullopt;
      indices.set(outer->index, atLast ? *last : *first);
    }
    std::optional<int64_t> lower = loop.lower.evaluate(values), upper = loop.upper.evaluate(values);
    if (!lower || !upper) return std::nullopt;
    return std::max(0.0, double(*upper - *lower) / double(loop.step) + 1);
  }
  std::optional<double> mostTurnsOf(const Loop &loop, Nest around) {
    std::optional<double> first = turnsOf(loop, around, false), last = turnsOf(loop, around, true);
    return first && last ? std::optional(std::max(*first, *last)) : std::nullopt;
  }

  template <class F> void forEachLoop(const Block &block, F f) {
    for (const Node &node : block) {
      if (auto *branch = std::get_if<Branch>(&node.kind)) {
        forEachLoop(branch->then, f);
        forEachLoop(branch->otherwise, f);
      } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
        f(*loop);
        loops.push_back(loop);
        forEachLoop(loop->body, f);
        loops.pop_back();
      }
    }
  }

  /// `for j = halo .. y - halo - 1`: what takes turns away from a loop takes few.
  void letRun(const Block &block) {
    forEachLoop(block, [&](const Loop &loop) {
      const Expr span = loop.step > 0 ? loop.upper - loop.lower : loop.lower - loop.upper;
      std::set<std::string> taking;
      for (const std::string &symbol : span.symbols())
        if (std::optional<Expr> slope = span.coefficientOf(symbol);
            isOpen(symbol) && slope && slope->evaluate(values).value_or(0) < 0)
          taking.insert(symbol);
      // From one value that is read to another, `start[i] .. start[i + 1] - 1`: it has the turns that nothing binds
      // already.
      auto isRead = [&](const std::string &symbol) { return isOpen(symbol) && defined.count(symbol); };
      if (taking.empty() || (llvm::any_of(loop.lower.symbols(), isRead) && llvm::any_of(loop.upper.symbols(), isRead)))
        return;
      auto with = [&](int64_t most) {
        Changed less(values);
        for (const std::string &symbol : taking) less.set(symbol, std::min(values[symbol], most));
        return mostTurnsOf(loop, loops);
      };
      std::optional<double> now = mostTurnsOf(loop, loops), all = with(0);
      if (!now || !all || *now >= leastLeft * *all) return;
      int64_t low = 0, high = 0; // low leaves enough, high does not
      for (const std::string &symbol : taking) high = std::max(high, values[symbol]);
      while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        (with(middle).value_or(0) >= (1 - mostTaken) * *all ? low : high) = middle;
      }
      if (low == 0 && with(1).value_or(0) >= leastLeft * *all) low = 1;
      for (const std::string &symbol : taking) set(symbol, std::min(values[symbol], low));
    });
  }

  /// Makes the assumed ones among the symbols smaller, all by one factor.
  bool scale(const std::set<std::string> &symbols, double factor) {
    bool isChanged = false;
    for (const std::string &symbol : symbols)
      if (isOpen(symbol) && values[symbol] > leastScaled) {
        set(symbol, std::max(leastScaled, int64_t(double(values[symbol]) * factor)));
        isChanged = true;
      }
    return isChanged;
  }

  void limitElements(const Array &array) {
    constexpr unsigned mostRounds = 8;
    for (unsigned round = 0; round < mostRounds; ++round) {
      double elements = 1;
      std::set<std::string> symbols;
      for (const std::optional<Expr> &extent : array.extents) {
        elements *= extent ? std::max(1.0, double(extent->evaluate(values).value_or(1))) : 1;
        if (extent) addSymbols(*extent, symbols);
      }
      const double open = double(llvm::count_if(symbols, [&](const std::string &symbol) { return isOpen(symbol); }));
      if (elements <= usualElements || open == 0 || !scale(symbols, std::pow(usualElements / elements, 1 / open)))
        return;
    }
  }

  void limitTurns(const Block &block) {
    constexpr unsigned mostRounds = 4;
    forEachLoop(block, [&](const Loop &loop) {
      std::vector<const Loop *> nest = loops;
      nest.push_back(&loop);
      for (unsigned round = 0; round < mostRounds; ++round) {
        double turns = 1, open = 0;
        std::set<std::string> symbols;
        for (size_t k = 0; k < nest.size(); ++k) {
          turns *= std::max(1.0, mostTurnsOf(*nest[k], Nest(nest).take_front(k)).value_or(1));
          const Expr span = nest[k]->upper - nest[k]->lower;
          open += llvm::any_of(span.symbols(), [&](const std::string &symbol) { return isOpen(symbol); });
          addSymbols(span, symbols);
        }
        if (turns <= usualTurns || open == 0 || !scale(symbols, std::pow(usualTurns / turns, 1 / open))) return;
      }
    });
  }

  void walk(const Block &block) {
    for (const Node &node : block) {
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        loops.push_back(loop);
        walk(loop->body);
        loops.pop_back();
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        if (!asksAboutIndices(branch->condition)) {
          walk(branch->then);
          walk(branch->otherwise);
        }
      } else if (auto *access = std::get_if<Access>(&node.kind)) {
        fit(*access);
      }
    }
  }

  bool asksAboutIndices(const Condition &condition) const {
    for (const auto &conjunction : condition.anyOf)
      for (const Expr &fact : conjunction)
        if (llvm::any_of(loops, [&](const Loop *loop) { return fact.mentions(loop->index); })) return true;
    return false;
  }

  /// The largest value of the subscript over the loops around it; nothing if it has none, or the outermost never runs.
  std::optional<int64_t> greatest(const Expr &subscript) {
    Changed indices(values);
    for (const Loop *loop : loops) {
      std::optional<int64_t> lower = loop->lower.evaluate(values), upper = loop->upper.evaluate(values);
      if (!lower || !upper) return std::nullopt;
      int64_t turns = loop->step > 0 ? *upper - *lower : *lower - *upper;
      if (turns < 0 && loop == loops.front()) return std::nullopt;
      // A triangle's inner loop may not run at the end of the outer one.
      int64_t last = turns < 0 ? *upper : *lower + turns / std::abs(loop->step) * loop->step;
      std::optional<Expr> slope = subscript.coefficientOf(loop->index);
      std::optional<int64_t> steep = slope ? slope->evaluate(values) : std::nullopt;
      bool falls = steep && *steep < 0;
      indices.set(loop->index, falls ? std::min(*lower, last) : std::max(turns < 0 ? last : *lower, last));
    }
    return subscript.evaluate(values);
  }

  void fit(const Access &access) {
    const Array *array = arrays.find(access.array);
    if (!array || array->isScalar() || access.may || array->extents.size() != access.subscripts.size()) return;
    for (size_t d = 0; d < access.subscripts.size(); ++d)
      if (array->extents[d] && access.subscripts[d].value) fit(*access.subscripts[d].value, *array->extents[d]);
  }

  void fit(const Expr &subscript, const Expr &extent) {
    std::set<std::string> own, ofExtent;
    addSymbols(subscript, own);
    addSymbols(extent, ofExtent);
    for (const Loop *loop : loops)
      if (own.count(loop->index)) addSymbols(loop->lower, own), addSymbols(loop->upper, own);
    auto isOpen = [this](const std::string &symbol) { return assumed.count(symbol) != 0; };
    if (llvm::none_of(own, isOpen) && llvm::none_of(ofExtent, isOpen)) return;
    std::optional<int64_t> elements = extent.evaluate(values), last = greatest(subscript);
    if (!elements || !last || *last < *elements) return;
    begins.clear();
    for (const Loop *loop : loops)
      if (auto from = symbolOf(loop->lower), to = symbolOf(loop->upper); from && to && isOpen(*from) && isOpen(*to))
        begins[*from] = *to;
    std::set<std::string> free, others;
    for (const std::string &symbol : own)
      if (isOpen(symbol) && !ofExtent.count(symbol)) (inExtents.count(symbol) ? others : free).insert(symbol);
    if (lower(free, subscript, *elements)) return;
    if (llvm::any_of(ofExtent, isOpen)) raise(ofExtent, own, extent, *last);
    else lower(others, subscript, *elements);
  }

  /// Caps the symbols, all at one value, the largest that keeps the subscript below the extent.
  bool lower(const std::set<std::string> &symbols, const Expr &subscript, int64_t elements) {
    int64_t low = 0, high = 0; // low fits (or is none), high does not
    for (const std::string &symbol : symbols) high = std::max(high, values[symbol]);
    auto cappedAt = [&](int64_t cap) {
      Values capped;
      for (const std::string &symbol : symbols) capped[symbol] = std::min(values[symbol], cap);
      for (const auto &[from, to] : begins) // as many iterations as before
        if (symbols.count(from) && symbols.count(to))
          capped[from] = std::max<int64_t>(0, capped[to] - (values[to] - values[from]));
      return capped;
    };
    auto fits = [&](int64_t cap) {
      Changed capped(values);
      for (const auto &[symbol, value] : cappedAt(cap)) capped.set(symbol, value);
      std::optional<int64_t> last = greatest(subscript);
      return last && *last < elements;
    };
    // Too small a cap may stop a loop from running at all: look down from the top first.
    for (int64_t cap = high; cap >= 1; cap -= std::max<int64_t>(1, cap / 8))
      if (fits(cap)) {
        low = cap;
        break;
      } else {
        high = cap;
      }
    if (low == 0) return false;
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      (fits(middle) ? low : high) = middle;
    }
    for (const auto &[symbol, value] : cappedAt(low)) set(symbol, value);
    return true;
  }

  /// Lets an assumed value of the extent grow until the last element is inside.
  void raise(const std::set<std::string> &symbols, const std::set<std::string> &own, const Expr &extent, int64_t last) {
    for (const std::string &symbol : symbols) {
      if (!assumed.count(symbol) || own.count(symbol)) continue;
      Values at = values;
      auto fits = [&](int64_t value) {
        at[symbol] = value;
        std::optional<int64_t> elements = extent.evaluate(at);
        return elements && *elements > last;
      };
      int64_t high = std::max<int64_t>(1, values[symbol]), low = high;
      while (high < mostElements && !fits(high)) low = high, high *= 2;
      if (!fits(high)) continue;
      while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        (fits(middle) ? high : low) = middle;
      }
      set(symbol, high);
      return;
    }
  }
};

} // namespace

void fitAssumed(const Program &program, const Function &root, Sizes &sizes) { Fitting(program, root, sizes).run(); }

} // namespace busfare::projection
