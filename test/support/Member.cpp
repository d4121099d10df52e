//===- test/support/Member.cpp - Is this element in that symbolic set? ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Member.h"
#include "brs/Presburger.h"

namespace busfare::test {
using namespace brs;
using namespace skeleton;

bool holds(const ElementSet &set, const Element &element, const Values &values) {
  const PresburgerSet *representation = set.representation();
  if (!representation) return false;
  std::vector<std::optional<Expr>> point;
  for (int64_t coordinate : element) point.push_back(Expr(coordinate));
  PresburgerSet here = intersect(*representation, elementAt(point));
  for (const Expr &name : representation->names())
    if (std::optional<int64_t> value = name.evaluate(values)) here = intersect(here, equalZero(name - Expr(*value)));
  return here.isEmpty() != Answer::Yes;
}

Elements outside(const ElementSet &set, const Elements &elements, const Values &values) {
  Elements result;
  for (const Element &element : elements)
    if (!holds(set, element, values)) result.insert(element);
  return result;
}

Elements allOf(const ElementSet &set, const Element &extents, const Values &values) {
  Elements result;
  Element element(extents.size(), 0);
  while (true) {
    if (holds(set, element, values)) result.insert(element);
    size_t d = 0;
    while (d < extents.size() && ++element[d] == extents[d]) element[d++] = 0;
    if (d == extents.size()) return result;
  }
}

bool holds(const SectionSet &set, const Element &element, const Values &values) {
  if (set.whole) return true;
  for (const Section &box : set.boxes) {
    bool inside = box.ranges.size() == element.size();
    for (size_t d = 0; inside && d < element.size(); ++d) {
      std::optional<int64_t> lower = box.ranges[d].lower.evaluate(values), upper = box.ranges[d].upper.evaluate(values);
      inside = lower && upper && element[d] >= *lower && element[d] <= *upper &&
               (element[d] - *lower) % box.ranges[d].step == 0;
    }
    if (inside) return true;
  }
  return false;
}

std::string toString(const Elements &elements) {
  std::string text = "{";
  for (const Element &element : elements) {
    text += " (";
    for (size_t d = 0; d < element.size(); ++d) text += (d ? "," : "") + std::to_string(element[d]);
    text += ")";
  }
  return text + " }";
}

} // namespace busfare::test
