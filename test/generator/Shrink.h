//===- test/generator/Shrink.h - The smallest program that still fails -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Delta debugging on the tree: statements are dropped (many at once, then one by one),
// loops and branches replaced by what is in them, expressions by their operands,
// extents made smaller, as long as the failure stays.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_SHRINK_H
#define BUSFARE_TEST_GENERATOR_SHRINK_H

#include "test/generator/Program.h"
#include <functional>

namespace busfare::generator {

/// Does the program fail in the way looked for? It must answer no for a program that has no meaning.
using Fails = std::function<bool(const Program &)>;

/// Asks at most `effort` times.
Program shrink(Program program, const Fails &fails, unsigned effort = 2000);

} // namespace busfare::generator

#endif
