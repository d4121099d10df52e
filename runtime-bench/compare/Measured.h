//===- runtime-bench/compare/Measured.h - What runs of a program took ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two kinds of runs. Of a port, what the library runtime-bench/timing wrote: every kernel,
// every copy, and the span of them all. Of the program as it is, what `busfare measure` wrote:
// seconds of its regions on the host.
//
//   copy h2d 262144 0 15230          0.26 MB to the device in 15.2 us
//   kernel 40 NAME 15400 41200       the construct in line 40 of the port, 25.8 us
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIME_BENCH_COMPARE_MEASURED_H
#define BUSFARE_RUNTIME_BENCH_COMPARE_MEASURED_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace busfare::bench {

/// Launches of one construct.
struct TimedKernel {
  std::string file; ///< What its name on the device says of its file: two numbers, "fd00_5a1"; empty: not known.
  long line = 0;    ///< Of the port's text; 0: not known.
  std::vector<double> seconds;
};

/// Copies of one size in one direction.
struct TimedCopies {
  bool toDevice = false;
  uint64_t bytes = 0;
  std::vector<double> seconds;
};

struct TimedRun {
  bool isVirtual = false;
  std::string device; ///< As libomptarget calls it: "sm_90"; empty: it did not say.
  std::vector<TimedKernel> kernels; ///< By file and line.
  std::vector<TimedCopies> copies;  ///< By direction and size.
  std::optional<double> span;       ///< s from the first of them to the end of the last.
};

/// It ran on the host's own cores, which libomptarget has as a device, too: its times say nothing of a GPU.
bool isHostDevice(const TimedRun &run);

/// Errors: `run.txt:3: expected copy h2d|d2h BYTES BEGIN END, found '...'`; a record that was cut, or of nothing.
llvm::Expected<TimedRun> readTimedRun(llvm::StringRef text, llvm::StringRef file);

struct HostRun {
  std::map<std::string, double> regions; ///< s of one entry, by the region's id.
};
/// Of a file that `busfare measure --format json` wrote.
llvm::Expected<HostRun> readHostRun(llvm::StringRef text, llvm::StringRef file);

double medianOf(std::vector<double> values); ///< Of one value or more.

} // namespace busfare::bench

#endif
