//===- projection/papers/CoCoPeLia.cpp - CoCoPeLia's testbeds -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Anastasiadis et al., CoCoPeLia: its Table II, and its equations (1) to (5) on the two
// testbeds of that table, worked out for a daxpy and a dgemm. Its errors rest on
// measured kernels, which the product does not carry.
//
//===----------------------------------------------------------------------===//

#include "projection/Blas.h"
#include "projection/Papers.h"

namespace busfare::projection {

namespace {
struct Testbed {
  const char *name, *machine;    ///< Its file has Table II.
  double busyIn, busyOut;        ///< GB/s while the other direction is busy.
  double daxpy[3], dgemm[4];     ///< ms by (1), (2), (4), and of dgemm (5).
};
} // namespace

static const Testbed testbeds[] = {
    {"testbed I", "k40-pcie2x8", 2.94, 2.84, {362.3495, 352.1483, 363.7605}, {2078.787, 2058.384, 2107.155, 569.1219}},
    {"testbed II", "v100-pcie3", 9.59, 9.21, {94.4113, 91.8237, 103.4587}, {539.680, 534.504, 583.371, 182.442}}};

static TileLink linkOf(const Testbed &bed) {
  return tileLinkOf(llvm::cantFail(loadMachine(bed.machine), "built-in machine files are right").link);
}

/// A call that the check values are about; a wrong one would be our fault.
static BlasCall callOf(llvm::StringRef routine, std::optional<double> m, double n, std::optional<double> k,
                       std::vector<std::string> onDevice = {}) {
  return llvm::cantFail(blasCall(routine, m, n, k, onDevice));
}

PaperTable cocopeliaRows() {
  PaperTable table("CoCoPeLia");
  constexpr double mebi = 1 << 20, ms = 1e-3, sixDigits = 3e-6;
  BlasCall daxpy = callOf("daxpy", std::nullopt, 64 * mebi, std::nullopt), dgemm = callOf("dgemm", 8192, 8192, 8192);
  for (const Testbed &bed : testbeds) {
    std::string name = bed.name;
    TileLink link = linkOf(bed);
    table.claim(name + ": slowdown h2d, from its bandwidths", "", link.slowdownIn, link.bandwidthIn / 1e9 / bed.busyIn,
                printed(2));
    table.claim(name + ": slowdown d2h, from its bandwidths", "", link.slowdownOut,
                link.bandwidthOut / 1e9 / bed.busyOut, printed(2));
    TileTime vector{4 * mebi, 1 * ms}, square{2048, 2.5 * ms};
    TileTimes one = tileTimes(daxpy, link, vector, vector), three = tileTimes(dgemm, link, square, square);
    const double ofDaxpy[] = {one.baseline, one.location, one.bidirectional};
    const double ofDgemm[] = {three.baseline, three.location, three.bidirectional, three.reuse.value_or(0)};
    const char *const equations[] = {"equation (1)", "equation (2)", "equation (4)", "equation (5)"};
    for (size_t i = 0; i < std::size(ofDaxpy); ++i)
      table.claim(name + ": daxpy 64 Mi, T 4 Mi, 1 ms, " + equations[i], "ms", bed.daxpy[i], ofDaxpy[i] / ms,
                  {sixDigits, 0});
    for (size_t i = 0; i < std::size(ofDgemm); ++i)
      table.claim(name + ": dgemm 8192, T 2048, 2.5 ms, " + equations[i], "ms", bed.dgemm[i], ofDgemm[i] / ms,
                  {sixDigits, 0});
  }
  TileTime square{2048, 2.5 * ms};
  TileTimes resident = tileTimes(callOf("dgemm", 8192, 8192, 8192, {"A", "B"}), linkOf(testbeds[1]), square, square);
  table.claim("testbed II: dgemm with A and B on the GPU, equation (5)", "ms", 169.2057,
              resident.reuse.value_or(0) / ms, {sixDigits, 0});
  const char *why = "rests on measured kernels and runs; test/corpus/tiles scores the model on such";
  for (auto [item, value] :
       {std::pair("median error of equation (4), daxpy, at most", 2.0),
        std::pair("median error of equation (5), at most", 5.0), std::pair("median error of CSO, daxpy, at most", 7.0),
        std::pair("selected tiles over T = 2048, dgemm on testbed II", 12.0)})
    table.show(item, "%", value, std::nullopt, why);
  return table;
}

} // namespace busfare::projection
