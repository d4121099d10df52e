//===- clang-plugin/port/Measured.h - A program with timers and counters -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The sources of a program with what `busfare measure` adds, and what each counter,
// timer and size stands for; runtime-bench/measure/Measure.c keeps them.
//
//   while (r > eps) {            busfare_count(0);
//     step(u, n);           =>   while (r > eps) { busfare_count(1);
//   }                              step(u, n);
//                                }
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_MEASURED_H
#define BUSFARE_CLANG_PLUGIN_PORT_MEASURED_H

#include "skeleton/Location.h"
#include <string>
#include <vector>

namespace busfare::frontend::port {

/// A loop or a branch of a function, by its number there (projection/Profile.h), and its two counters: executions at
/// `first`, iterations or taken sides at first + 1.
struct MeasuredCounts {
  std::string function;
  unsigned number = 0, line = 0;
  bool isLoop = true;
  unsigned first = 0;
};

/// A timer around a region, or around a nest: a kernel's loop.
struct MeasuredTime {
  std::string function;                ///< Of a nest; of a region its root.
  unsigned number = 0, line = 0;       ///< Of a nest's loop.
  std::string region, fingerprint;     ///< Of a region.
  unsigned id = 0;
};

/// A size that nothing binds, told where a variable holds it.
struct MeasuredSize {
  std::string function, name;
  unsigned id = 0;
};

struct MeasuredProgram {
  std::vector<std::string> texts; ///< Of the units, in their order; empty: nothing is added.
  std::vector<MeasuredCounts> counts;
  std::vector<MeasuredTime> times;
  std::vector<MeasuredSize> sizes;
  std::vector<std::string> notes; ///< What is not measured, and why.
};

} // namespace busfare::frontend::port

#endif
