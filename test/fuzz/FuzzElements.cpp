//===- test/fuzz/FuzzElements.cpp - Sets of elements, point by point -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The bytes make up sets of elements (boxes and subscripts under guards) and operations
// on them. As for sections (FuzzSections.cpp) each has an outer and an inner side, and
// the points of a window for each valuation of n, m and i. Beside the operations of
// ElementSet.h: forAll, restrictTo, bounds and strides, boxes made of either side.
//
// Now and then an operation finds the effort spent: then the answer may say nothing,
// but not something wrong.
//
//===----------------------------------------------------------------------===//

#include "Points.h"
#include "brs/ElementSet.h"
#include "brs/PresburgerForm.h"
#include "skeleton/Parse.h"
#include <isl/point.h>

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace busfare::fuzz {

namespace {

constexpr const char *names[] = {"n", "m", "i"};
constexpr int64_t largestN = 3, largestM = 2, largestI = 2; ///< Valuations are 0 .. these.

struct Entry {
  ElementSet outer, inner;
  std::vector<Points> points; ///< By valuation.
};

/// One piece of a leaf, as it is said and as it is meant.
struct Piece {
  struct Dimension {
    std::optional<Formula> lower, upper; ///< Neither: anything.
    int64_t step = 1;
    bool point = false; ///< Only lower.
  };
  std::vector<Dimension> dimensions;
  std::vector<Formula> guards; ///< Each at least 0.
  std::optional<std::pair<Formula, std::pair<int64_t, int64_t>>> congruence;

  PresburgerSet set() const {
    std::vector<DimensionRange> ranges;
    for (const Dimension &d : dimensions) {
      DimensionRange range;
      if (d.lower)
        range.lower = d.lower->expr();
      if (d.upper)
        range.upper = d.upper->expr();
      if (d.point)
        range.upper = range.lower;
      range.step = d.step;
      ranges.push_back(range);
    }
    PresburgerSet result = boxOf(ranges);
    for (const Formula &guard : guards)
      result = intersect(result, nonNegative(guard.expr()));
    if (congruence)
      result = intersect(result, congruent(congruence->first.expr(), congruence->second.first, congruence->second.second));
    return result;
  }

  bool holds(const Point &point, const Values &values) const {
    for (size_t d = 0; d < dimensions.size(); ++d) {
      const Dimension &range = dimensions[d];
      std::optional<__int128> lower = range.lower ? range.lower->value(values) : std::nullopt;
      std::optional<__int128> upper = range.upper ? range.upper->value(values) : std::nullopt;
      if (range.point)
        upper = lower;
      if ((lower && (point[d] < *lower || (point[d] - *lower) % range.step != 0)) || (upper && point[d] > *upper))
        return false;
    }
    for (const Formula &guard : guards)
      if (*guard.value(values) < 0)
        return false;
    if (!congruence)
      return true;
    auto [divisor, remainder] = congruence->second;
    return (*congruence->first.value(values) - remainder) % divisor == 0;
  }
};

class Machine {
public:
  explicit Machine(llvm::StringRef input) : bytes(input) {
    for (int64_t n = 0; n <= largestN; ++n)
      for (int64_t m = 0; m <= largestM; ++m)
        for (int64_t i = 0; i <= largestI; ++i)
          where.push_back({{"n", n}, {"m", m}, {"i", i}});
  }

  void run() {
    rank = bytes.oneIn(16) ? 0 : bytes.oneIn(12) ? 3 : 1 + bytes.below(2);
    all = rank == 1 ? window(1, -4, 12) : rank == 2 ? window(2, -2, 6) : window(rank, -1, 3);
    EffortBudget budget(3);
    for (unsigned count = 1 + bytes.below(3); count > 0; --count)
      leaf();
    for (unsigned steps = 1 + bytes.below(4); steps > 0; --steps)
      step();
    makeFacts();
    checkBoxes(stack.back());
  }

private:
  Bytes bytes;
  unsigned rank = 1;
  Points all; ///< The window.
  Context context;
  std::vector<Values> where;
  std::vector<Entry> stack;
  std::string story;

  Formula formula(unsigned depth) { return Formula::decode(bytes, names, depth); }

  Piece piece() {
    Piece result;
    for (unsigned d = 0; d < rank; ++d) {
      Piece::Dimension range;
      unsigned shape = bytes.below(8);
      if (shape != 7)
        range.lower = formula(2);
      if (shape < 4)
        range.upper = formula(2);
      range.point = shape >= 4 && shape != 7;
      if (shape < 2 && bytes.oneIn(3))
        range.step = bytes.between(2, 4);
      result.dimensions.push_back(range);
    }
    for (unsigned count = bytes.below(4); count > 1; --count)
      result.guards.push_back(formula(2));
    if (bytes.oneIn(6)) {
      int64_t divisor = bytes.between(2, 4);
      result.congruence = {formula(2), {divisor, bytes.between(0, divisor - 1)}};
    }
    return result;
  }

  std::string name() const { return std::string(1, char('A' + stack.size())); }

  void leaf() {
    PresburgerSet set = PresburgerSet::empty(rank);
    Entry entry;
    entry.points.resize(where.size());
    for (unsigned count = bytes.below(3) + 1; count > 0; --count) {
      Piece one = piece();
      set = unite(set, one.set());
      for (size_t k = 0; k < where.size(); ++k)
        for (const Point &point : all)
          if (one.holds(point, where[k]))
            entry.points[k].push_back(point);
    }
    for (Points &points : entry.points)
      normalise(points);
    unsigned shape = bytes.below(8), salt = bytes.next();
    bool known = set.isKnown();
    entry.outer = known ? ElementSet(std::make_shared<PresburgerSet>(set), true) : ElementSet::whole(rank);
    entry.inner = known ? entry.outer : ElementSet::empty(rank);
    if (!known || shape > 5)
      entry.outer.exact = entry.inner.exact = false;
    if (shape > 5) {
      if (shape == 6)
        entry.inner = ElementSet::empty(rank);
      else
        entry.outer = ElementSet::whole(rank);
      entry.outer.exact = entry.inner.exact = false;
      for (size_t k = 0; k < where.size(); ++k) {
        Points some = someOf(shape == 6 ? entry.points[k] : all, salt, k);
        entry.points[k] = shape == 6 ? some : entry.points[k] | some;
      }
    }
    push(std::move(entry), "");
  }

  static std::string shown(const ElementSet &set) {
    if (!set.representation())
      return "nothing";
    if (!set.representation()->isKnown())
      return "unknown";
    char *text = isl_set_to_str(set.representation()->raw());
    std::string result = text ? text : "?";
    free(text);
    return result + (set.exact ? " exactly" : "");
  }

  void push(Entry entry, const std::string &how) {
    story += "\n" + name() + how + ": at most " + shown(entry.outer) + ", at least " + shown(entry.inner);
    check(entry);
    stack.push_back(std::move(entry));
  }

  /// False only if to list the points of a known set took too long: of a set that is not known none may be called exact.
  static bool isTold(const std::optional<Points> &points, const PresburgerSet *set) { return points || !set || !set->isKnown(); }

  /// The set's points of the window; nothing if the set is not known, or it takes too long.
  std::optional<Points> pointsOf(const PresburgerSet &set, const Values &values) const {
    if (!set.isKnown() || set.rank() != rank)
      return std::nullopt;
    form::beginQuestion();
    isl_set *here = isl_set_copy(set.raw());
    isl_size count = isl_set_dim(here, isl_dim_param);
    for (unsigned k = unsigned(count); k-- > 0;) {
      llvm::Expected<Expr> name = parseExpr(isl_set_get_dim_name(here, isl_dim_param, k));
      std::optional<int64_t> value = name ? name->evaluate(values) : std::nullopt;
      require(value.has_value(), [&] { return story + "\na name is not readable: " + isl_set_get_dim_name(here, isl_dim_param, k); });
      here = isl_set_fix_si(here, isl_dim_param, k, int(*value));
    }
    here = isl_set_project_out(here, isl_dim_param, 0, unsigned(count));
    for (unsigned d = 0; d < rank; ++d) {
      here = isl_set_lower_bound_si(here, isl_dim_set, d, int(all.front()[d]));
      here = isl_set_upper_bound_si(here, isl_dim_set, d, int(all.back()[d]));
    }
    Points points;
    auto add = [](isl_point *point, void *user) {
      Point plain{};
      isl_space *space = isl_point_get_space(point);
      isl_size dimensions = isl_space_dim(space, isl_dim_set);
      isl_space_free(space);
      for (int d = 0; d < dimensions; ++d) {
        isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, d);
        plain[size_t(d)] = isl_val_get_num_si(value);
        isl_val_free(value);
      }
      isl_point_free(point);
      static_cast<Points *>(user)->push_back(plain);
      return isl_stat_ok;
    };
    bool good = here && isl_set_foreach_point(here, add, &points) == isl_stat_ok;
    isl_set_free(here);
    form::noteIfGivenUp(false);
    if (!good)
      return std::nullopt;
    normalise(points);
    return points;
  }

  auto complain(const char *what, const Points &wrong, size_t k) const {
    return [this, what, wrong, k] { return story + "\n" + what + " " + fuzz::shown(wrong, rank) + " at " + fuzz::shown(where[k]); };
  }

  void check(const Entry &entry) {
    // A third of the valuations: finding a set's points is most of the work.
    for (size_t k = bytes.below(3); k < where.size(); k += 3) {
      const Points &truth = entry.points[k];
      const PresburgerSet *outerSet = entry.outer.representation(), *innerSet = entry.inner.representation();
      // Outside, what is not known holds everything; inside, nothing. The neutral empty set has no representation.
      std::optional<Points> toldOuter = outerSet ? pointsOf(*outerSet, where[k]) : Points();
      Points outer = toldOuter.value_or(all);
      // Most leaves are one set on both sides.
      bool same = innerSet == outerSet && innerSet && innerSet->isKnown();
      std::optional<Points> toldInner = same ? toldOuter : innerSet ? pointsOf(*innerSet, where[k]) : Points();
      Points inner = toldInner.value_or(Points());
      require(includes(outer, truth), complain("the outer side lacks", truth - outer, k));
      require(includes(truth, inner), complain("the inner side wrongly holds", inner - truth, k));
      if (entry.outer.exact && isTold(toldOuter, outerSet))
        require(outer == truth, complain("the outer side is called exact and wrongly holds", outer - truth, k));
      if (entry.inner.exact && isTold(toldInner, innerSet))
        require(inner == truth, complain("the inner side is called exact and lacks", truth - inner, k));
    }
    bool empty = entry.outer.isProvablyEmpty();
    for (size_t k = 0; empty && k < where.size(); ++k)
      require(entry.points[k].empty(), complain("is called empty and holds", entry.points[k], k));
  }

  void step() {
    unsigned x = bytes.below(unsigned(stack.size())), y = bytes.below(unsigned(stack.size())), operation = bytes.below(8);
    const Entry a = stack[x], b = stack[y];
    std::optional<EffortBudget> spent;
    if (bytes.oneIn(16))
      spent.emplace(-1);
    std::string pair = std::string(" = ") + char('A' + x) + "|&-|&-pf"[operation] + char('A' + y) + (spent ? " without effort" : "");
    Entry result;
    if (operation == 6)
      return project(a, pair);
    if (operation == 7)
      return forAll(a, pair);
    if (operation % 3 == 0) {
      result.outer = unite(a.outer, b.outer);
      result.inner = uniteMust(a.inner, b.inner);
    } else if (operation % 3 == 1) {
      result.outer = intersect(a.outer, b.outer);
      result.inner = intersectMust(a.inner, b.inner);
    } else {
      result.outer = subtract(a.outer, b.inner);
      result.inner = subtractMust(a.inner, b.outer);
    }
    bool subset = isSurelySubset(a.outer, b.inner);
    for (size_t k = 0; k < where.size(); ++k) {
      const Points &p = a.points[k], &q = b.points[k];
      result.points.push_back(operation % 3 == 0 ? p | q : operation % 3 == 1 ? p & q : p - q);
      require(!subset || includes(q, p), complain("is called a subset of the other and is not:", p, k));
    }
    spent.reset();
    push(std::move(result), pair);
  }

  PresburgerSet rangeOfI() const {
    return intersect(nonNegative(Expr::symbol("i")), nonNegative(Expr(largestI) - Expr::symbol("i")));
  }

  size_t withI(size_t k, int64_t i) const { return k - size_t(where[k].at("i")) + size_t(i); }

  /// Union over the values of i that there are.
  void project(const Entry &a, const std::string &how) {
    PresburgerSet guard = intersect(PresburgerSet::universe(rank), rangeOfI());
    ElementSet guarded = intersect(a.outer, ElementSet(std::make_shared<PresburgerSet>(guard), true));
    Entry result;
    result.outer = projectOut(guarded, "i");
    result.inner = ElementSet::empty(rank);
    result.inner.exact = false;
    for (size_t k = 0; k < where.size(); ++k) {
      Points together;
      for (int64_t i = 0; i <= largestI; ++i)
        together = together | a.points[withI(k, i)];
      result.points.push_back(together);
    }
    push(std::move(result), how);
  }

  /// Intersection over the values of i that there are.
  void forAll(const Entry &a, const std::string &how) {
    Entry result;
    result.outer = ElementSet::whole(rank);
    result.outer.exact = false;
    const PresburgerSet *set = a.inner.representation();
    PresburgerSet always = set ? set->forAll("i", rangeOfI()) : PresburgerSet::empty(rank);
    result.inner = ElementSet(std::make_shared<PresburgerSet>(always), false);
    for (size_t k = 0; k < where.size(); ++k) {
      Points common = a.points[k];
      for (int64_t i = 0; i <= largestI; ++i)
        common = common & a.points[withI(k, i)];
      result.points.push_back(common);
    }
    push(std::move(result), how);
  }

  void makeFacts() {
    for (const char *name : {"n", "m", "i"})
      if (bytes.oneIn(2))
        context.assume(Expr::symbol(name) - bytes.between(0, 2));
    if (bytes.oneIn(3))
      if (Expr fact = formula(2).expr(); !fact.isPoisoned())
        context.assume(fact);
    story += "\n" + fuzz::shown(context);
  }

  static std::vector<Point> pointsOf(const SectionSet &set, const Points &window, const Values &values) {
    Points points;
    for (const Point &point : window)
      for (const Section &box : set.boxes) {
        bool inside = true;
        for (size_t d = 0; d < box.ranges.size() && inside; ++d) {
          std::optional<int64_t> lower = box.ranges[d].lower.evaluate(values), upper = box.ranges[d].upper.evaluate(values);
          inside = lower && upper && point[d] >= *lower && point[d] <= *upper && (point[d] - *lower) % box.ranges[d].step == 0;
        }
        if (inside)
          points.push_back(point);
      }
    normalise(points);
    return points;
  }

  void checkBoxes(const Entry &entry) {
    std::vector<std::optional<Expr>> extents;
    bool clipped = bytes.oneIn(3);
    for (unsigned d = 0; clipped && d < rank; ++d)
      extents.push_back(bytes.oneIn(3) ? std::optional<Expr>() : formula(1).expr());
    std::optional<EffortBudget> spent;
    if (bytes.oneIn(16))
      spent.emplace(-1);
    SectionSet outer = entry.outer.toSections(extents, context), inner = entry.inner.toSectionsInside(context);
    ElementSet restricted = restrictTo(entry.outer, context);
    spent.reset();
    story += "\nas boxes: at most " + toString(outer) + (outer.exact ? " exactly" : "") + ", at least " + toString(inner) +
             (inner.exact ? " exactly" : "");
    require(!outer.whole || !outer.exact, [&] { return story + "\nis said to be the whole array, exactly"; });
    for (size_t k = 0; k < where.size(); ++k) {
      if (!holds(context, where[k]))
        continue;
      checkBoxesAt(entry, outer, inner, extents, k);
      const PresburgerSet *set = restricted.representation();
      std::optional<Points> told = set ? pointsOf(*set, where[k]) : Points();
      Points held = told.value_or(all);
      require(includes(held, entry.points[k]), complain("under the facts it lacks", entry.points[k] - held, k));
      require(!restricted.exact || !isTold(told, set) || held == entry.points[k], complain("under the facts it is called exact and holds", held, k));
    }
    checkBounds(entry.outer);
  }

  void checkBoxesAt(const Entry &entry, const SectionSet &outer, const SectionSet &inner,
                    const std::vector<std::optional<Expr>> &extents, size_t k) const {
    // No element lies outside the array.
    Points truth;
    for (const Point &point : entry.points[k]) {
      bool inArray = true;
      for (size_t d = 0; d < extents.size() && inArray; ++d)
        inArray = !extents[d] || (point[d] >= 0 && point[d] < extents[d]->evaluate(where[k]).value_or(0));
      if (inArray)
        truth.push_back(point);
    }
    Points held = outer.whole ? all : pointsOf(outer, all, where[k]);
    require(includes(held, truth), complain("the boxes around it lack", truth - held, k));
    if (outer.exact && extents.empty())
      require(held == truth, complain("the boxes around it are called exact and wrongly hold", held - truth, k));
    if (inner.whole)
      return;
    held = pointsOf(inner, all, where[k]);
    require(includes(entry.points[k], held), complain("the boxes inside it wrongly hold", held - entry.points[k], k));
    if (inner.exact)
      require(held == entry.points[k], complain("the boxes inside it are called exact and lack", entry.points[k] - held, k));
  }

  void checkBounds(const ElementSet &side) const {
    const PresburgerSet *set = side.representation();
    if (!set || !set->isKnown())
      return;
    PresburgerSet facts = conditionOf(context, set->names());
    for (unsigned d = 0; d < rank; ++d) {
      std::optional<PresburgerSet::Bound> lower = set->lowerBound(d, facts), upper = set->upperBound(d, facts);
      int64_t stride = set->stride(d);
      for (size_t k = 0; k < where.size(); ++k) {
        std::optional<Points> points = holds(context, where[k]) ? pointsOf(*set, where[k]) : std::nullopt;
        if (!points)
          continue;
        auto bad = [&](const char *what, const std::optional<PresburgerSet::Bound> &bound) {
          return [&, what] {
            return story + "\n" + what + " of dimension " + std::to_string(d) + (bound ? ", " + toString(bound->value) : "") +
                   ", is wrong for " + fuzz::shown(*points, rank) + " at " + fuzz::shown(where[k]);
          };
        };
        for (const Point &point : *points) {
          require(!lower || lower->value.evaluate(where[k]).value_or(point[d]) <= point[d], bad("the lower bound", lower));
          require(!upper || upper->value.evaluate(where[k]).value_or(point[d]) >= point[d], bad("the upper bound", upper));
          int64_t distance = point[d] - points->front()[d];
          require(stride == 0 ? distance == 0 : distance % stride == 0, bad("the stride", std::nullopt));
        }
      }
    }
  }
};

} // namespace

void fuzzElements(llvm::StringRef input) {
  if (input.size() <= 160)
    Machine(input).run();
}

} // namespace busfare::fuzz
