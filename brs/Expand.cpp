//===- brs/Expand.cpp - One access over a whole nest ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Expand.h"

using namespace busfare::skeleton;

namespace busfare::brs {

ElementSet expand(const Access &access, const Nest &nest, unsigned loops, llvm::ArrayRef<std::string> also) {
  unsigned rank = unsigned(access.subscripts.size());
  bool exact = access.kind == AccessKind::Read ? !access.may : overwrites(access);
  std::vector<DimensionRange> ranges;
  for (const Subscript &subscript : access.subscripts) {
    exact = exact && subscript.value;
    if (subscript.value) ranges.push_back({subscript.value, subscript.value, 1});
    else ranges.push_back({subscript.atLeast, subscript.atMost, 1});
  }
  PresburgerSet touched = boxOf(ranges);
  Iterations iterations = iterationsOf(nest);
  // Facts about products of indices give subscripts like i*n + j their one-dimensional bounds.
  touched = intersect(touched, conditionOn(touched.names(), nest.contextInside()));
  touched = intersect(touched, iterations.may);
  exact = exact && iterations.exact;
  std::vector<const Loop *> path = nest.loops();
  for (size_t k = path.size(); k-- > 0 && loops-- > 0;) touched = touched.projectOut(path[k]->index, &exact);
  for (const std::string &symbol : also) touched = touched.projectOut(symbol, &exact);
  touched = touched.coalesce();
  if (!touched.isKnown()) return ElementSet::whole(rank);
  return ElementSet(std::make_shared<const PresburgerSet>(std::move(touched)), exact);
}

SectionSet expandToSections(const Access &access, const Array &array, const Nest &nest) {
  return expand(access, nest).toSections(array.extents, nest.context());
}

} // namespace busfare::brs
