//===- clang-plugin/port/Measure.h - Timers and counters into the source -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Finds what only a run can tell (loops whose trips no size says, branches that nothing
// decides, sizes that nothing binds, times of regions and their kernels), and the places
// in the text where it can be read. What has none is noted: code of macros and headers,
// loops under OpenMP directives (their bounds say how often they run), timers inside
// parallel code, regions that control may leave in the middle.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_MEASURE_H
#define BUSFARE_CLANG_PLUGIN_PORT_MEASURE_H

#include "clang-plugin/port/Measured.h"
#include "clang-plugin/port/Units.h"

namespace busfare::frontend::port {

/// The units are the program's. Roots as projection::analyseFor makes them.
MeasuredProgram measured(const skeleton::Program &program, llvm::ArrayRef<ProgramUnit> units,
                         llvm::ArrayRef<const projection::Root *> roots);

} // namespace busfare::frontend::port

#endif
