//===- test/generator/PrintForms.h - Conversions, spelled ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An integer made narrower, as C and C++ say it; mostly where nobody wrote a cast:
//
//   as, 8    as_u8(i * 64)    with   static int as_u8(unsigned char k) { return k; }   above
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_PRINTFORMS_H
#define BUSFARE_TEST_GENERATOR_PRINTFORMS_H

#include "test/generator/Program.h"
#include <set>

namespace busfare::generator {

struct Spelled {
  std::string text;
  std::set<std::string> prelude; ///< Lines that the unit must begin with for it.
};

/// Of a Narrow; inner: its operand, tight: that as the operand of a cast.
Spelled spellNarrow(const Expression &narrow, const std::string &inner, const std::string &tight, bool isCxx);
/// The declaration of a variable of that name (Statement::Form::Bound).
Spelled spellBound(const Expression &narrow, const std::string &name, const std::string &inner, bool isCxx);
/// The names of Expression::name.
const std::vector<std::string> &spellingsOfNarrow(bool isCxx);

} // namespace busfare::generator

#endif
