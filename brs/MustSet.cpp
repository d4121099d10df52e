//===- brs/MustSet.cpp - Set operations that round in ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/ElementSet.h"
#include "brs/Presburger.h"

namespace busfare::brs {

namespace {

ElementSet wrap(PresburgerSet set, bool exact) {
  return ElementSet(std::make_shared<const PresburgerSet>(std::move(set)), exact);
}

/// The representation, if there is a known one.
const PresburgerSet *known(const ElementSet &set) {
  const PresburgerSet *representation = set.representation();
  return representation && representation->isKnown() ? representation : nullptr;
}

} // namespace

ElementSet uniteMust(const ElementSet &a, const ElementSet &b) {
  if (!known(a))
    return b;
  if (!known(b))
    return a;
  PresburgerSet both = unite(*known(a), *known(b)).coalesce();
  return both.isKnown() ? wrap(std::move(both), a.exact && b.exact) : a;
}

ElementSet intersectMust(const ElementSet &a, const ElementSet &b) {
  if (!known(a) || !known(b))
    return ElementSet();
  PresburgerSet both = intersect(*known(a), *known(b));
  return both.isKnown() ? wrap(std::move(both), a.exact && b.exact) : ElementSet::empty(known(a)->rank());
}

ElementSet subtractMust(const ElementSet &must, const ElementSet &may) {
  if (!known(must) || !may.representation())
    return must; // nothing to take from, or nothing (the neutral empty set) to take away
  PresburgerSet left = known(may) ? subtract(*known(must), *known(may)) : PresburgerSet();
  return left.isKnown() ? wrap(std::move(left), must.exact && may.exact) : ElementSet::empty(known(must)->rank());
}

ElementSet restrictTo(const ElementSet &a, const Context &context) {
  if (!known(a))
    return a;
  PresburgerSet narrowed = intersect(*known(a), conditionOf(context, known(a)->names()));
  return narrowed.isKnown() ? wrap(std::move(narrowed), a.exact) : a;
}

} // namespace busfare::brs
