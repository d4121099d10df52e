//===- test/brs/SectionTest.cpp - Section algebra against its definition -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Section.h"
#include "brs/ElementSet.h"
#include "brs/Presburger.h"
#include "gtest/gtest.h"
#include <set>

using namespace busfare::brs;
using busfare::skeleton::Expr;
using busfare::skeleton::Values;

namespace {

using Point = std::vector<int64_t>;
using Points = std::set<Point>;

void addPoints(const Section &box, const Values &values, Point prefix, Points &points) {
  if (prefix.size() == box.ranges.size()) {
    points.insert(prefix);
    return;
  }
  const Range &range = box.ranges[prefix.size()];
  int64_t lower = *range.lower.evaluate(values), upper = *range.upper.evaluate(values);
  prefix.push_back(0);
  for (int64_t x = lower; x <= upper; x += range.step) {
    prefix.back() = x;
    addPoints(box, values, prefix, points);
  }
}

Points pointsOf(const SectionSet &set, const Values &values = {}) {
  Points points;
  for (const Section &box : set.boxes) addPoints(box, values, {}, points);
  return points;
}

bool includes(const Points &a, const Points &b) { return std::includes(a.begin(), a.end(), b.begin(), b.end()); }

Points operator|(const Points &a, const Points &b) {
  Points c = a;
  c.insert(b.begin(), b.end());
  return c;
}
Points operator&(const Points &a, const Points &b) {
  Points c;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(c, c.end()));
  return c;
}
Points operator-(const Points &a, const Points &b) {
  Points c;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(c, c.end()));
  return c;
}

/// Every operation on the pair, at these values.
void checkPair(const SectionSet &a, const SectionSet &b, const Context &context, const std::vector<Values> &where) {
  SectionSet joined = unite(a, b, context), common = intersect(a, b, context), rest = subtract(a, b, context);
  SectionSet joinedMust = uniteMust(a, b, context), commonMust = intersectMust(a, b, context);
  SectionSet restMust = subtractMust(a, b, context);
  Answer held = contains(a, b, context);
  std::optional<Expr> joinedCount = countAtMost(joined, context);
  for (const SectionSet *set : {&joined, &common, &rest, &joinedMust, &commonMust, &restMust})
    EXPECT_LE(set->boxes.size(), SectionSet::maxBoxes);
  for (const Values &values : where) {
    Points x = pointsOf(a, values), y = pointsOf(b, values);
    std::string pair = toString(a) + " and " + toString(b);
    auto may = [&](const SectionSet &set, const Points &truth, const char *what) {
      Points points = pointsOf(set, values);
      EXPECT_TRUE(includes(points, truth)) << what << ": " << pair << " gave " << toString(set);
      if (set.exact) {
        EXPECT_EQ(points, truth) << what << ": " << pair << " gave " << toString(set);
      }
    };
    auto must = [&](const SectionSet &set, const Points &truth, const char *what) {
      Points points = pointsOf(set, values);
      EXPECT_TRUE(includes(truth, points)) << what << ": " << pair << " gave " << toString(set);
      if (set.exact) {
        EXPECT_EQ(points, truth) << what << ": " << pair << " gave " << toString(set);
      }
    };
    may(joined, x | y, "unite");
    may(common, x & y, "intersect");
    may(rest, x - y, "subtract");
    must(joinedMust, x | y, "uniteMust");
    must(commonMust, x & y, "intersectMust");
    must(restMust, x - y, "subtractMust");
    if (held != Answer::Unknown) {
      EXPECT_EQ(includes(x, y), held == Answer::Yes) << "contains: " << pair;
    }
    ASSERT_TRUE(joinedCount);
    EXPECT_GE(*joinedCount->evaluate(values), int64_t((x | y).size())) << "count: " << pair;
  }
}

SectionSet one(std::vector<Range> ranges) { return SectionSet{{Section{std::move(ranges)}}}; }

TEST(Section, EveryPairOfSmallRanges) {
  std::vector<SectionSet> all;
  for (int64_t lower = 0; lower < 6; ++lower)
    for (int64_t upper = lower; upper < 6; ++upper)
      for (int64_t step = 1; step <= 3; ++step) all.push_back(one({{lower, upper, step}}));
  all.push_back(SectionSet());
  for (const SectionSet &a : all)
    for (const SectionSet &b : all) checkPair(a, b, {}, {{}});
}

TEST(Section, SmallBoxesInTwoDimensions) {
  std::vector<Range> ranges;
  for (int64_t lower = 0; lower < 3; ++lower)
    for (int64_t upper = lower; upper < 3; ++upper) ranges.push_back({lower, upper, 1});
  ranges.push_back({0, 2, 2});
  std::vector<SectionSet> all;
  for (const Range &x : ranges)
    for (const Range &y : ranges) all.push_back(one({x, y}));
  for (size_t a = 0; a < all.size(); ++a)
    for (size_t b = 0; b < all.size(); b += 1 + a % 2) checkPair(all[a], all[b], {}, {{}});
}

TEST(Section, SymbolicPairs) {
  Expr n = Expr::symbol("n"), m = Expr::symbol("m");
  Context context;
  context.assume(n - 1);
  context.assume(m - 1);
  std::vector<Values> where;
  context.assume(n - 2); // count() is not clipped: below 2, 1 .. n - 2 counts less than none.
  for (int64_t a = 2; a <= 6; ++a)
    for (int64_t b = 1; b <= 5; b += 2) where.push_back({{"n", a}, {"m", b}});
  std::vector<Range> ranges = {
      {0, n - 1, 1}, {1, n - 2, 1}, {0, 0, 1},         {n - 1, n - 1, 1}, {0, n - 1, 2},
      {1, n - 1, 2}, {0, m - 1, 1}, {0, n * m - 1, 1}, {n, n * m - 1, 1}, {max(n - 3, 0), n - 1, 1}};
  for (const Range &a : ranges)
    for (const Range &b : ranges) checkPair(one({a}), one({b}), context, where);
}

TEST(Section, ManyBoxesAreJoinedOutwardOrLeftOut) {
  SectionSet may, must;
  for (int64_t k = 0; k < 9; ++k) {
    SectionSet next = one({{k * k, k * k, 1}, {k, 2 * k, 1}});
    may = unite(may, next, {});
    must = uniteMust(must, next, {});
    EXPECT_LE(may.boxes.size(), 4u);
    EXPECT_LE(must.boxes.size(), 4u);
  }
  EXPECT_FALSE(may.exact);
  for (int64_t k = 0; k < 9; ++k)
    for (int64_t y = k; y <= 2 * k; ++y) EXPECT_TRUE(pointsOf(may).count({k * k, y}));
}

TEST(Section, Whole) {
  SectionSet whole;
  whole.whole = true;
  whole.exact = false;
  SectionSet some = one({{0, 3, 1}});
  EXPECT_TRUE(unite(whole, some, {}).whole);
  EXPECT_EQ(intersect(whole, some, {}).boxes, some.boxes);
  EXPECT_TRUE(subtract(whole, some, {}).whole);
  EXPECT_EQ(subtract(some, whole, {}).boxes, some.boxes) << "a must set of unknown elements takes nothing away";
  EXPECT_TRUE(uniteMust(whole, some, {}).boxes == some.boxes);
  EXPECT_TRUE(intersectMust(whole, some, {}).boxes.empty());
  EXPECT_TRUE(subtractMust(some, whole, {}).boxes.empty());
  EXPECT_EQ(contains(some, whole, {}), Answer::Unknown);
  EXPECT_FALSE(countAtMost(whole, {}));
  EXPECT_EQ(toString(whole), "(whole)");
}

TEST(Section, CountAndText) {
  Expr n = Expr::symbol("n"), m = Expr::symbol("m");
  Context context;
  context.assume(n - 3);
  context.assume(m - 3);
  SectionSet interior = one({{1, n - 2, 1}, {1, m - 2, 1}});
  EXPECT_EQ(toString(interior), "[1:n - 2:1][1:m - 2:1]");
  EXPECT_EQ(*countAtMost(interior, context), (n - 2) * (m - 2));
  EXPECT_EQ(count(Section{{{0, n - 1, 2}}}), floorDiv(n - 1, 2) + 1);
  SectionSet cross = unite(one({{0, n - 1, 1}, {1, m - 2, 1}}), one({{1, n - 2, 1}, {0, m - 1, 1}}), context);
  EXPECT_EQ(cross.boxes.size(), 2u);
  EXPECT_EQ(*countAtMost(cross, context), n * m - 4) << toString(*countAtMost(cross, context));
  EXPECT_EQ(toString(SectionSet{{Section()}}), "[]");
  EXPECT_EQ(*countAtMost(SectionSet{{Section()}}, {}), Expr(1));
}

TEST(Section, NeighboursOfAStencilAreNoMoreThanTheirArray) {
  // b[i][j] = a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]: whether two of the boxes overlap at n = 3 is not the same
  // as at n = 4.
  Expr n = Expr::symbol("n");
  Context context;
  context.assume(n - 3);
  SectionSet stencil{{{{{0, n - 3, 1}, {1, n - 2, 1}}},
                      {{{2, n - 1, 1}, {1, n - 2, 1}}},
                      {{{1, n - 2, 1}, {0, n - 3, 1}}},
                      {{{1, n - 2, 1}, {2, n - 1, 1}}}}};
  EXPECT_EQ(*countAtMost(stencil, context), n * n) << toString(*countAtMost(stencil, context));
  // Corners of an array that may meet: the box around them would be all of it.
  SectionSet corners{{{{{0, 9, 1}, {0, 9, 1}}}, {{{n - 10, n - 1, 1}, {n - 10, n - 1, 1}}}}};
  EXPECT_EQ(*countAtMost(corners, context), Expr(200)) << toString(*countAtMost(corners, context));
}

SectionSet boundOf(std::vector<Range> ranges) {
  SectionSet set;
  set.boxes.push_back({std::move(ranges)});
  set.exact = false;
  return set;
}

TEST(Section, BoundsAreKeptInsideTheArray) {
  Expr n = Expr::symbol("n");
  Context context;
  context.assume(n - 1);
  std::vector<std::optional<Expr>> extents{Expr(4), Expr(6)};
  auto kept = [&](SectionSet set) {
    keepInsideInPlace(set, extents, context);
    return toString(set);
  };
  EXPECT_EQ(kept(boundOf({{0, 3, 1}, {1, 5, 1}})), "[0:3:1][1:5:1]");
  // The bound of the loop may pass the end.
  EXPECT_EQ(kept(boundOf({{0, n, 1}, {0, 5, 1}})), "[0:min(3, n):1][0:5:1]");
  // Behind the end there is nothing.
  EXPECT_EQ(kept(boundOf({{4, n + 4, 1}, {0, 5, 1}})), "(empty)");
  // Nor in front of the start, however exact that is: what is left of a[k..n] behind a copy of all there is.
  SectionSet before = boundOf({{-n, min(Expr(-1), n - 9), 1}, {0, 5, 1}});
  EXPECT_EQ(kept(before), "(empty)");
  before.exact = true;
  EXPECT_EQ(kept(before), "(empty)");
  EXPECT_EQ(kept(boundOf({{-1, 0, 1}, {0, 5, 1}})), "[0:0:1][0:5:1]");
  // Whoever leaves a row is in the next one.
  EXPECT_EQ(kept(boundOf({{0, 2, 1}, {0, max(n, Expr(7)), 1}})), "[0:3:1][0:5:1]");
  // What is known exactly is not a bound.
  SectionSet exact = boundOf({{0, n, 1}, {0, 5, 1}});
  exact.exact = true;
  EXPECT_EQ(kept(exact), "[0:n:1][0:5:1]");
}

TEST(Section, ScalarsHaveOneElement) {
  SectionSet scalar{{Section()}};
  EXPECT_EQ(unite(scalar, scalar, {}), scalar);
  EXPECT_TRUE(subtract(scalar, scalar, {}).boxes.empty());
  EXPECT_EQ(intersectMust(scalar, scalar, {}).boxes.size(), 1u);
  EXPECT_EQ(contains(scalar, scalar, {}), Answer::Yes);
}

TEST(ElementSet, BoxesOfUnions) {
  Expr n = Expr::symbol("n");
  Context context;
  context.assume(n - 1);
  ElementSet ends = unite(elementsOf(one({{0, 0, 1}}), 1), elementsOf(one({{n - 1, n - 1, 1}}), 1));
  SectionSet boxes = ends.toSections({n}, context);
  EXPECT_TRUE(boxes.exact);
  EXPECT_EQ(toString(boxes), "[0:0:1] u [n - 1:n - 1:1]");
  // A star stencil needs two boxes, not five.
  ElementSet touched;
  for (auto [di, dj] : {std::pair<int, int>{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}})
    touched = unite(touched, elementsOf(one({{1 + di, n - 2 + di, 1}, {1 + dj, n - 2 + dj, 1}}), 2));
  boxes = touched.toSections({n, n}, context);
  EXPECT_TRUE(boxes.exact) << toString(boxes);
  EXPECT_EQ(boxes.boxes.size(), 2u) << toString(boxes);
  EXPECT_EQ(toString(ElementSet::whole(2).toSections({n, std::nullopt}, context)), "(whole)");
  EXPECT_EQ(toString(ElementSet::whole(1).toSections({n}, context)), "[0:n - 1:1]");
}

TEST(ElementSet, BoxesInside) {
  Expr n = Expr::symbol("n");
  Context context;
  context.assume(n - 1);
  EXPECT_EQ(toString(elementsOf(one({{1, n, 1}}), 1).toSectionsInside(context)), "[1:n:1]");
  SectionSet unbounded = ElementSet::whole(1).toSectionsInside(context);
  EXPECT_TRUE(unbounded.boxes.empty() && !unbounded.whole) << "no box is everything";
}

/// What was not computed is left out of a must set, and then the rest is not all there is.
TEST(ElementSet, MustSetsWithoutEffort) {
  ElementSet some = elementsOf(one({{0, 4, 1}}), 1), others = elementsOf(one({{3, 9, 1}}), 1);
  ElementSet unknown(std::make_shared<const PresburgerSet>(), false);
  EXPECT_FALSE(uniteMust(unknown, some).exact);
  EXPECT_FALSE(uniteMust(some, unknown).exact);
  EXPECT_FALSE(intersectMust(unknown, some).exact);
  EXPECT_TRUE(uniteMust(ElementSet(), some).exact);
  EXPECT_TRUE(intersectMust(ElementSet(), some).exact);
  SectionSet boxes = one({{0, 4, 1}});
  EXPECT_TRUE(elementsInside(boxes, 1).exact);
  EXPECT_TRUE(isSurelySubset(elementsInside(boxes, 1), some) && isSurelySubset(some, elementsInside(boxes, 1)));
  EffortBudget spent(-1);
  EXPECT_FALSE(uniteMust(some, others).exact);
  EXPECT_FALSE(intersectMust(some, others).exact);
  EXPECT_FALSE(subtractMust(some, others).exact);
  EXPECT_FALSE(elementsInside(boxes, 1).exact);
}

/// Of a hundred names a must set keeps the pieces that speak of few, and says that this is not all.
TEST(ElementSet, MustSetsOfManyNames) {
  ElementSet all;
  for (int64_t k = 0; k < 40; ++k)
    all = uniteMust(all,
                    elementsOf(one({{100 * k, 100 * k + min(Expr(50), Expr::symbol("s" + std::to_string(k))), 1}}), 1));
  const ElementSet first = elementsOf(one({{0, min(Expr(50), Expr::symbol("s0")), 1}}), 1);
  EXPECT_FALSE(all.exact);
  ASSERT_TRUE(all.representation());
  EXPECT_TRUE(isSurelySubset(first, all)) << "what was sure first stays so";
  EXPECT_LE(all.representation()->names().size(), 16u);
  EXPECT_GE(all.representation()->names().size(), 8u) << "each piece has a name of its own";
}

} // namespace
