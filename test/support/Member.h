//===- test/support/Member.h - Is this element in that symbolic set? ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Symbolic sets and sections at given values of their symbols, as plain lists of
// elements, for comparison with what the interpreter recorded.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_SUPPORT_MEMBER_H
#define BUSFARE_TEST_SUPPORT_MEMBER_H

#include "Oracle.h"
#include "brs/ElementSet.h"
#include "brs/Section.h"

namespace busfare::test {

/// Does the set hold the element for these values? Unknown counts as yes.
bool holds(const brs::ElementSet &set, const Element &element, const skeleton::Values &values);
/// Of the elements, those the set does not hold.
Elements outside(const brs::ElementSet &set, const Elements &elements, const skeleton::Values &values);
/// All elements of the box [0, extents) that the set holds.
Elements allOf(const brs::ElementSet &set, const Element &extents, const skeleton::Values &values);

/// Is the element in one of the boxes for these values? A whole set holds everything.
bool holds(const brs::SectionSet &set, const Element &element, const skeleton::Values &values);

std::string toString(const Elements &elements);

} // namespace busfare::test

#endif
