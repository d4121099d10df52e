//===- projection/SizeUses.h - Every size of a root, and what it sizes ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Lists what Sizes.h binds, with who uses it, for people who want to know why a figure
// is what it is and what to bind next:
//
//   main::n   500  declared  "argc > 1 ? atoi(argv[1]) : 500"  main.c:16   extent of a, b; 3 loops
//   step::m   500  caller    n                                  main.c:20
//
// A value parameter of a function that is followed has what its callers pass: no size
// of its own, but people look for it under that name. Those are listed with the source
// `caller`, once for each different value.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_SIZEUSES_H
#define BUSFARE_PROJECTION_SIZEUSES_H

#include "projection/Root.h"
#include "projection/Sizes.h"

namespace busfare::projection {

/// The sizes of one root, those that size something first; callers' values last.
std::vector<SizeLine> sizesOf(const skeleton::Program &program, const Root &root, const Sizes &sizes);

} // namespace busfare::projection

#endif
