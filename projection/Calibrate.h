//===- projection/Calibrate.h - A machine file from measurements ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Puts what busfare-bench measured (runtime-bench/README.md) in the place of a machine
// file's numbers. What its tables do not hold stays as the file has it, with kind and
// source: a host's tables leave link and GPU alone.
//
//   # fused: 1                                        host.fused_multiply_add 1
//   clock,,,100000000,1,15,2.5e-10,...                host.clock_hz 4e9 (1 / minimum)
//   triad,,dram,134217216,2,15,...,7.7e-3,...,17.4    host.dram_bandwidth_bytes_per_s 17.4e9
//   copy,h2d,pinned,1,1,10,...                        link.pinned_h2d_latency_s (GROPHECY++:
//   copy,h2d,pinned,536870912,1,10,...                alpha = t(1 byte), beta = t(512 MiB) / 512 MiB)
//
// Rates of arithmetic come from the shortest run, which is what the core can do; memory and
// transfers from the median, latencies from the mean of the runs, as the papers have it.
// Copies of all sizes become a sweep, link.measured. Does not handle: NUMA, slowdowns of both
// directions by each other (the probe times them together), AMD's devices.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_CALIBRATE_H
#define BUSFARE_PROJECTION_CALIBRATE_H

#include "projection/Machine.h"
#include <map>

namespace busfare::projection {

/// One line of a table of busfare-bench.
struct ProbeRow {
  std::string test, direction, memory;
  double bytes = 0, pieces = 0, repeats = 0;
  double least = 0, mean = 0, median = 0, deviation = 0; ///< s
};

struct ProbeTable {
  std::string probe; ///< host|link
  std::map<std::string, std::string> facts; ///< "cores" -> "2", from its comment lines.
  std::vector<ProbeRow> rows;
};

/// Errors: `host.csv:7: expected 11 columns, found 3`, a table of something else.
llvm::Expected<ProbeTable> readProbe(llvm::StringRef text, llvm::StringRef file);

struct Calibration {
  Machine machine;
  std::vector<std::string> measured; ///< Keys that the tables gave: "host.clock_hz".
  /// The median of the tables' standard deviations over their means, and the largest with its row: how far a number may
  /// be off because runs differ.
  double noise = 0, worstNoise = 0;
  std::string noisiest;
};

/// like: the machine whose other numbers are kept. command: what measured, for the sources. Error: a table that holds
/// nothing that a machine file has.
llvm::Expected<Calibration> calibrate(const Machine &like, llvm::ArrayRef<ProbeTable> tables, llvm::StringRef name,
                                      llvm::StringRef command);

} // namespace busfare::projection

#endif
