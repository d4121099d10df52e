//===- skeleton/Print.h - Writing skeleton text ---------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Program to text, in one canonical form: equal Programs print alike, and parse
// reads back the same Program. The grammar is in Parse.h.
//
//   print(p)   // skeleton 1
//              // function axpy(param n, array x, array y) at "axpy.c":3:6 { ...
//
// What cannot be read back, because no correct stage makes it: a poisoned Expr
// (`<overflow>`), a location's parts when only the column is known, numbers that
// are not finite.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_PRINT_H
#define BUSFARE_SKELETON_PRINT_H

#include "skeleton/Skeleton.h"

namespace busfare::skeleton {

std::string print(const Program &program);

/// A host statement's message or library call: `send bytes 8*n type "MPI_DOUBLE"`, `blas dgemm(m = n, n = n, k = ?)`.
std::string toString(const Message &message);
std::string toString(const LibraryCall &call);
/// One access without its place: `read a[i][?]`, `may write s`.
std::string toString(const Access &access);
/// `i - 1 >= 0 and n - i >= 0 or ...`, `?`.
std::string toString(const Condition &condition);

} // namespace busfare::skeleton

#endif
