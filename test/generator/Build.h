//===- test/generator/Build.h - Random programs ----------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Makes up programs that look like numerical codes: a few arrays of one or two shapes,
// initialised by host loops, then kernels, time loops, host statements and calls over
// them, at the end a checksum of everything. The same seed gives the same program.
// Every program is run once (Interpret.h); one without a meaning is replaced by the
// next that the seed leads to.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_BUILD_H
#define BUSFARE_TEST_GENERATOR_BUILD_H

#include "test/generator/Program.h"

namespace busfare::generator {

/// Program `number` of the campaign with this seed, named p<number % unit>. The same in C and in C++ but for some
/// spellings.
Program buildProgram(uint64_t seed, unsigned number, const std::string &name, bool isCxx = false);

} // namespace busfare::generator

#endif
