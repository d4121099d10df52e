//===- test/fuzz/FuzzSections.cpp - Boxes, point by point -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The bytes make up to three sections of one rank and a few operations on them. Each
// section is an outer and an inner side of one plain set of points per valuation of
// n, m and i; every operation is done on both sides and on the points:
//
//   outer:  unite      intersect      subtract(outer, inner)
//   inner:  uniteMust  intersectMust  subtractMust(inner, outer)
//
// The outer side must hold all points, the inner side only points, and a side called
// exact must be precisely the points, wherever the facts hold.
//
//===----------------------------------------------------------------------===//

#include "Points.h"
#include "brs/Presburger.h"
#include "brs/Section.h"

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace busfare::fuzz {

namespace {

constexpr const char *names[] = {"n", "m", "i"};
constexpr size_t maxPointsOfLeaf = 300, maxValuations = 16;

struct Entry {
  SectionSet outer, inner;
  std::vector<Points> points; ///< By valuation.
};

/// Appends the box's points; false if a bound has no value or there are more than `most`.
bool append(const Section &box, const Values &values, size_t most, Points &points) {
  std::vector<std::pair<int64_t, int64_t>> bounds;
  bool empty = false;
  for (const Range &range : box.ranges) {
    std::optional<int64_t> lower = range.lower.evaluate(values), upper = range.upper.evaluate(values);
    if (!lower || !upper)
      return false;
    bounds.emplace_back(*lower, *upper);
    empty = empty || *lower > *upper;
  }
  if (empty)
    return true;
  Points found = {Point{}};
  for (size_t d = 0; d < bounds.size(); ++d) {
    auto [lower, upper] = bounds[d];
    Points next;
    for (const Point &p : found)
      for (int64_t x = lower; x <= upper; x += box.ranges[d].step) {
        if (next.size() > most)
          return false;
        next.push_back(p);
        next.back()[d] = x;
      }
    found = std::move(next);
  }
  points.insert(points.end(), found.begin(), found.end());
  return true;
}

/// Nothing if there are too many.
std::optional<Points> pointsOf(const SectionSet &set, const Values &values, size_t most) {
  Points points;
  for (const Section &box : set.boxes)
    if (!append(box, values, most, points))
      return std::nullopt;
  normalise(points);
  return points;
}

bool holds(const SectionSet &set, const Point &point, const Values &values) {
  return set.whole || std::any_of(set.boxes.begin(), set.boxes.end(), [&](const Section &box) {
           for (size_t d = 0; d < box.ranges.size(); ++d) {
             std::optional<int64_t> lower = box.ranges[d].lower.evaluate(values), upper = box.ranges[d].upper.evaluate(values);
             if (!lower || !upper || point[d] < *lower || point[d] > *upper || (point[d] - *lower) % box.ranges[d].step != 0)
               return false;
           }
           return true;
         });
}

class Machine {
public:
  explicit Machine(llvm::StringRef input) : bytes(input) {}

  void run() {
    rank = bytes.oneIn(16) ? 0 : bytes.oneIn(8) ? 3 : 1 + bytes.below(2);
    makeFacts();
    std::vector<std::pair<Entry, unsigned>> leaves;
    for (unsigned count = 2 + bytes.below(2); count > 0; --count)
      leaves.push_back(leaf());
    chooseValuations(leaves);
    if (where.empty())
      return;
    for (auto &[entry, salt] : leaves) {
      fillPoints(entry, salt);
      stack.push_back(entry);
      check(stack.back());
    }
    EffortBudget budget(3);
    for (unsigned steps = 1 + bytes.below(3); steps > 0; --steps)
      step();
    if (bytes.oneIn(4))
      checkCounts(stack.back().outer);
  }

private:
  Bytes bytes;
  unsigned rank = 1;
  Context context;
  std::vector<Values> where;
  std::vector<Entry> stack;
  std::string story;

  void makeFacts() {
    for (const char *name : {"n", "m"})
      if (!bytes.oneIn(4))
        context.assume(Expr::symbol(name) - bytes.between(0, 3));
    for (unsigned more = bytes.below(3); more > 1; --more)
      if (Expr fact = Formula::decode(bytes, names, 2).expr(); !fact.isPoisoned())
        context.assume(fact);
    story = fuzz::shown(context);
  }

  Expr bound(bool upper) {
    Expr n = Expr::symbol("n"), m = Expr::symbol("m"), i = Expr::symbol("i");
    switch (bytes.below(8)) {
    case 0:
    case 1:
      return bytes.between(0, 6);
    case 2:
      return upper ? n - bytes.between(0, 3) : Expr(bytes.between(0, 2));
    case 3:
      return upper ? m - 1 : i + bytes.between(-1, 2);
    case 4:
      return upper ? n * m - 1 : n - bytes.between(0, 3);
    case 5:
      return i + bytes.between(-2, 2);
    case 6:
      return upper ? 2 * n + bytes.between(-2, 1) : max(i - 1, Expr(0));
    default:
      return Formula::decode(bytes, names, 2).expr();
    }
  }

  Section box() {
    Section result;
    for (unsigned d = 0; d < rank; ++d) {
      Range range;
      range.lower = bound(false);
      range.upper = bytes.oneIn(4) ? range.lower + bytes.between(0, 5) : bound(true);
      range.step = bytes.oneIn(3) ? bytes.between(1, 4) : 1;
      result.ranges.push_back(range);
    }
    return result;
  }

  SectionSet boxes(unsigned most) {
    SectionSet result;
    for (unsigned count = bytes.below(most + 1); count > 0; --count)
      result.boxes.push_back(box());
    return result;
  }

  /// The entry without its points, and the salt by which they are chosen between the two sides.
  std::pair<Entry, unsigned> leaf() {
    Entry entry;
    entry.inner = boxes(bytes.oneIn(4) ? 3 : 2);
    unsigned salt = bytes.next(), shape = bytes.below(8);
    if (shape < 5) {
      entry.outer = entry.inner;
    } else if (shape == 5) {
      entry.outer.whole = true;
      entry.inner.exact = entry.outer.exact = false;
    } else {
      entry.outer = boxes(2);
      entry.inner.boxes.resize(std::min<size_t>(entry.inner.boxes.size(), shape == 6 ? 0 : 2));
      entry.outer.boxes.insert(entry.outer.boxes.end(), entry.inner.boxes.begin(), entry.inner.boxes.end());
      entry.inner.exact = entry.outer.exact = false;
    }
    return {entry, salt};
  }

  void chooseValuations(const std::vector<std::pair<Entry, unsigned>> &leaves) {
    for (int64_t n = 0; n <= 5; ++n)
      for (int64_t m = 0; m <= 4; ++m)
        for (int64_t i = -1; i <= 4; ++i) {
          Values values{{"n", n}, {"m", m}, {"i", i}};
          bool usable = fuzz::holds(context, values);
          for (const auto &[entry, salt] : leaves)
            usable = usable && pointsOf(entry.outer, values, maxPointsOfLeaf) && pointsOf(entry.inner, values, maxPointsOfLeaf);
          if (usable)
            where.push_back(std::move(values));
        }
    if (where.size() <= maxValuations)
      return;
    std::vector<Values> some;
    size_t first = bytes.next();
    for (size_t k = 0; k < maxValuations; ++k)
      some.push_back(where[(first + k * 37) % where.size()]);
    where = std::move(some);
  }

  void fillPoints(Entry &entry, unsigned salt) {
    for (size_t k = 0; k < where.size(); ++k) {
      Points inner = *pointsOf(entry.inner, where[k], maxPointsOfLeaf);
      Points outer = entry.outer.whole ? window(rank, -1, 6) : *pointsOf(entry.outer, where[k], maxPointsOfLeaf);
      entry.points.push_back(entry.outer.exact ? outer : inner | someOf(outer, salt, k));
    }
    story += "\n" + std::string(1, char('A' + stack.size())) + ": at most " + shown(entry.outer) + ", at least " + shown(entry.inner);
  }

  static std::string shown(const SectionSet &set) { return toString(set) + (set.exact ? " exactly" : ""); }

  void check(const Entry &entry) {
    for (const SectionSet *set : {&entry.outer, &entry.inner}) {
      require(set->boxes.size() <= SectionSet::maxBoxes, [&] { return story + "\nholds more boxes than there may be"; });
      require(!set->whole || !set->exact, [&] { return story + "\nis said to be the whole array, exactly"; });
      for (const Section &box : set->boxes)
        require(box.ranges.size() == rank, [&] { return story + "\nhas another rank"; });
    }
    for (size_t k = 0; k < where.size(); ++k) {
      auto complain = [&](const char *what, const Points &wrong) {
        return [&story = story, what, wrong, rank = rank, &values = where[k]] {
          return story + "\n" + what + " " + fuzz::shown(wrong, rank) + " at " + fuzz::shown(values);
        };
      };
      Points missing;
      for (const Point &point : entry.points[k])
        if (!holds(entry.outer, point, where[k]))
          missing.push_back(point);
      require(missing.empty(), complain("the outer side lacks", missing));
      size_t most = entry.points[k].size() + 1;
      std::optional<Points> inner = entry.inner.whole ? Points() : pointsOf(entry.inner, where[k], 4 * most);
      require(inner.has_value(), complain("the inner side is far too large, points are", entry.points[k]));
      require(includes(entry.points[k], *inner), complain("the inner side wrongly holds", *inner - entry.points[k]));
      if (entry.inner.exact)
        require(*inner == entry.points[k], complain("the inner side is called exact and lacks", entry.points[k] - *inner));
      if (!entry.outer.exact)
        continue;
      std::optional<Points> outer = pointsOf(entry.outer, where[k], 4 * most);
      require(outer.has_value(), complain("the outer side is called exact and is far too large, points are", entry.points[k]));
      require(*outer == entry.points[k], complain("the outer side is called exact and wrongly holds", *outer - entry.points[k]));
    }
    checkHull(entry.outer);
  }

  /// count() does not clip: for an upper bound far below the lower one it says less than nothing.
  static bool isCountable(const Section &box, const Values &values) {
    return std::all_of(box.ranges.begin(), box.ranges.end(), [&](const Range &range) {
      return *range.upper.evaluate(values) + range.step >= *range.lower.evaluate(values);
    });
  }

  void checkCounts(const SectionSet &set) {
    std::optional<Expr> atMost = countAtMost(set, context);
    require(atMost || set.whole, [&] { return story + "\nhas no count"; });
    for (const Values &values : where) {
      std::optional<Points> points = pointsOf(set, values, 3000);
      bool countable = points && std::all_of(set.boxes.begin(), set.boxes.end(), [&](const Section &b) { return isCountable(b, values); });
      if (!countable || set.whole)
        continue;
      std::optional<int64_t> found = atMost->evaluate(values);
      require(!found || *found >= int64_t(points->size()), [&] {
        return story + "\nis counted as " + toString(*atMost) + ", which is less than " + std::to_string(points->size()) + " at " +
               fuzz::shown(values);
      });
      for (const Section &box : set.boxes) {
        Points alone;
        append(box, values, 3000, alone);
        std::optional<int64_t> count = brs::count(box).evaluate(values);
        require(!count || *count == int64_t(alone.size()), [&] {
          return story + "\na box is counted as " + toString(brs::count(box)) + ", which is not " + std::to_string(alone.size()) + " at " +
                 fuzz::shown(values);
        });
      }
    }
  }

  void checkHull(const SectionSet &set) {
    std::optional<Section> box = hull(set, context);
    require(box || set.boxes.empty(), [&] { return story + "\nhas no hull"; });
    bool empty = isProvablyEmpty(set, context);
    for (const Values &values : where) {
      std::optional<Points> points = pointsOf(set, values, 3000);
      if (!points)
        continue;
      require(!empty || points->empty(), [&] { return story + "\nis called empty, and is not at " + fuzz::shown(values); });
      for (const Point &point : *points)
        require(holds(SectionSet{{*box}}, point, values), [&] {
          return story + "\nhas the hull " + toString(SectionSet{{*box}}) + ", which lacks " + fuzz::shown(Points{point}, rank) + " at " +
                 fuzz::shown(values);
        });
    }
  }

  void checkContains(const Entry &a, const Entry &b) {
    Answer answer = contains(a.inner, b.outer, context);
    bool exact = a.inner.exact && b.outer.exact;
    for (size_t k = 0; k < where.size(); ++k) {
      bool held = includes(a.points[k], b.points[k]);
      bool wrong = answer == Answer::Yes ? !held : answer == Answer::No && exact && held;
      require(!wrong, [&] {
        return story + "\ncontains says " + (answer == Answer::Yes ? "yes" : "no") + ", which is wrong at " + fuzz::shown(where[k]);
      });
    }
  }

  void step() {
    unsigned x = bytes.below(unsigned(stack.size())), y = bytes.below(unsigned(stack.size())), operation = bytes.below(4);
    const Entry a = stack[x], b = stack[y];
    std::string line = std::string(1, char('A' + stack.size())) + " = " + char('A' + x) + "|&-?"[operation] + char('A' + y);
    Entry result;
    if (operation == 3) {
      story += "\n" + line;
      return checkContains(a, b);
    }
    if (operation == 0) {
      result.outer = unite(a.outer, b.outer, context);
      result.inner = uniteMust(a.inner, b.inner, context);
    } else if (operation == 1) {
      result.outer = intersect(a.outer, b.outer, context);
      result.inner = intersectMust(a.inner, b.inner, context);
    } else {
      result.outer = subtract(a.outer, b.inner, context);
      result.inner = subtractMust(a.inner, b.outer, context);
    }
    for (size_t k = 0; k < where.size(); ++k)
      result.points.push_back(operation == 0   ? a.points[k] | b.points[k]
                              : operation == 1 ? a.points[k] & b.points[k]
                                               : a.points[k] - b.points[k]);
    story += "\n" + line + ": at most " + shown(result.outer) + ", at least " + shown(result.inner);
    check(result);
    stack.push_back(std::move(result));
  }
};

} // namespace

void fuzzSections(llvm::StringRef input) {
  if (input.size() <= 160)
    Machine(input).run();
}

} // namespace busfare::fuzz
