//===- projection/Registers.h - Registers a kernel's thread needs --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An estimate: the scalars that are live at once, one 32-bit register for each four
// bytes, the address of each array, and a few for indices.
//
//   t = a[i]; u = b[i]; c[i] = t*u        t and u at once, three addresses
//
// A compiler reorders and spills; within a factor of two this says how many threads are
// resident.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REGISTERS_H
#define BUSFARE_PROJECTION_REGISTERS_H

#include "skeleton/Skeleton.h"

namespace busfare::projection {

unsigned registersOf(const skeleton::ArrayTable &arrays, const skeleton::Loop &kernel);

} // namespace busfare::projection

#endif
