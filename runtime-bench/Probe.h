//===- runtime-bench/Probe.h - What every probe is given and leaves -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A probe is a function that measures and writes rows:
//
//   test,direction,memory,bytes,pieces,repeats,min_s,mean_s,median_s,stddev_s,bandwidth_GBps
//   copy,h2d,pinned,1048576,1,50,4.31e-05,4.36e-05,4.34e-05,4.1e-07,24.16
//
// To add one: a file NAME.cu with `void measureName(const Options &, Table &)`,
// declared here and listed in Main.cpp, and its rows in README.md.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BENCH_PROBE_H
#define BUSFARE_BENCH_PROBE_H

#include "runtime-bench/Statistics.h"
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

struct Options {
  bool quick = false;                     ///< Every fourth size, few repeats: a minute becomes seconds.
  size_t maxBytes = size_t(512) << 20;    ///< The largest transfer.
  int device = 0;
  const char *csv = nullptr;              ///< Where the table goes; standard output if null.
};

/// The table under way. Rows appear as they are measured, so an interrupted run leaves what it had.
class Table {
public:
  explicit Table(std::FILE *file) : file(file) {
    std::fprintf(file, "test,direction,memory,bytes,pieces,repeats,min_s,mean_s,median_s,stddev_s,bandwidth_GBps\n");
  }
  /// moved is what the bandwidth counts (both ways together for a concurrent copy); 0 leaves the column empty.
  void row(const char *test, const char *direction, const char *memory, size_t bytes, int pieces,
           const std::vector<double> &seconds, double moved) {
    const Statistics s = summarise(seconds);
    std::fprintf(file, "%s,%s,%s,%zu,%d,%zu,%.4e,%.4e,%.4e,%.2e,", test, direction, memory, bytes, pieces,
                 seconds.size(), s.min, s.mean, s.median, s.stddev);
    if (moved > 0 && s.median > 0) std::fprintf(file, "%.4g", moved / s.median * 1e-9);
    std::fputc('\n', file);
    std::fflush(file);
  }

private:
  std::FILE *file;
};

/// Arithmetic, caches and memory of the host.
void measureHost(const Options &options, Table &table);
/// What the numbers belong to, as comment lines above the table.
void writeHostHeader(std::FILE *file, const char *probe, const Options &options);

/// Why no GPU can be measured here; empty if one can, which is then chosen.
std::string chooseDevice(const Options &options);
/// probe: its name, for the first line.
void writeDeviceHeader(std::FILE *file, const char *probe, const Options &options);
/// Transfers between host and device, launches, and the device's own memory.
void measureLink(const Options &options, Table &table);
/// Copies, a kernel and copies: one behind the other, in streams, over the bus by the kernel itself.
void measureOverlap(const Options &options, Table &table);
/// chooseDevice, timed: what measureStart reports of the driver and the context.
std::string chooseDeviceTimed(const Options &options);
/// chooseDevice, and cuBLAS.
std::string chooseDeviceWithBlas(const Options &options);
/// cuBLAS on one tile, by size.
void measureTiles(const Options &options, Table &table);
/// chooseDevice, cuBLAS, and libbusfare-blas.
std::string chooseDeviceWithLibraries(const Options &options);
/// The library beside others, with a table of its own (blas.cu). maxBytes is of a matrix.
void measureBlas(const Options &options, std::FILE *file);
/// Start of driver and context; memory of the device and page-locked memory, by size.
void measureStart(const Options &options, Table &table);

#endif
