//===- projection/Blas.h - A BLAS call by tiles over the bus -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CoCoPeLia (Anastasiadis et al., section III): a call on operands that lie on the
// host is cut into square tiles of side T; copies in, kernels and copies out of
// different tiles overlap. With k = D1/T * D2/T * D3/T subkernels of time t_G, and
// t_h, t_d the time of a tile in and out:
//
//   (1) baseline       every operand goes both ways with every subkernel
//   (2) location       only what has to come in, and what has to go back
//   (3) t_over         both directions at a time, each slowed down by the other
//   (4) bidirectional  max(t_G, t_over) * (k - 1) + t_in + t_G + t_out
//   (5) reuse          every tile comes in once: max(t_h, t_G) * k_in + t_G * (k - k_in) + t_in + t_out
//
//   dgemm 8192^3, T = 2048, t_G = 2.5 ms, V100 on PCIe 3: k = 64, k_in = 45
//     539.7 ms by (1), 583.4 ms by (4), 182.4 ms by (5)
//
// The paper's tile is the T with the least time: by (4) in levels 1 and 2, by (5) in level
// 3. Recommended is the one that is best when the call is played through (BlasPipeline.h),
// which on measured calls loses less. Beside them CSO, van Werkhoven's equation (5) with n = k, g = t_i, and the
// kernel's time taken as linear in the work.
//
// k is not rounded: a rest of a tile costs its share. Rounded up, as if every rest were
// a whole tile, the authors' own measurements are missed by 60 %. Not modelled: a tile that
// is evicted and comes in again, hence the call must fit into the device's memory.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_BLAS_H
#define BUSFARE_PROJECTION_BLAS_H

#include "projection/BlasTiles.h"
#include "projection/Machine.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace busfare::projection {

struct BlasOperand {
  std::string name;
  double rows = 0, columns = 0; ///< Elements; columns 0: a vector.
  bool comesIn = true;          ///< get: read, and on the host.
  bool goesBack = false;        ///< set: written, and on the host.
  bool isTriangle = false;      ///< Half of it is touched.
  double elements() const { return isTriangle ? rows * (columns + 1) / 2 : columns > 0 ? rows * columns : rows; }
};

struct BlasCall {
  std::string routine; ///< daxpy, sgemm, ...
  unsigned level = 3;
  double elementBytes = 8;
  std::vector<double> dimensions; ///< That tiles cut: 1, 2 or 3.
  std::vector<BlasOperand> operands;
  TiledCall tiled; ///< Nothing transposed, lower triangles, the triangle of a solve on the left.
  /// Of the box that the dimensions span, what is computed: a half of a rank-k update and of a solve.
  double part = 1;
  double deviceBytes() const;
};

/// With all operands on the host. routine: of call.kind, as dgemm.
BlasCall blasCall(llvm::StringRef routine, const TiledCall &call);

/// s, d, c or z before axpy, dot (n), gemv (m, n), gemm (m, n, k), syrk (n, k), trsm (m, n): y = y + a x, x . y,
/// y = A x + beta y, C = A B + beta C, C = A A' + beta C in a triangle, B = A^-1 B with a triangle A.
/// onDevice: names of operands. Errors: unknown routine or operand, a dimension that is missing or has no place in the
/// routine.
llvm::Expected<BlasCall> blasCall(llvm::StringRef routine, std::optional<double> m, std::optional<double> n,
                                  std::optional<double> k, llvm::ArrayRef<std::string> onDevice, double beta = 1);

/// Of pinned memory, per direction: t_i + bytes / bandwidth alone, sl times that while the other direction is busy.
struct TileLink {
  double latencyIn = 0, bandwidthIn = 0, slowdownIn = 1;
  double latencyOut = 0, bandwidthOut = 0, slowdownOut = 1;
  double issue =
      0; ///< s that the host takes to hand over a copy or a kernel, one after the other; CoCoPeLia leaves it out.
};
TileLink tileLinkOf(const Link &link);

/// The time of the kernel on one tile.
struct TileTime {
  double tile = 0, time = 0;
};

/// What most tiles of a call run, whose time is t_G: of a rank-k update and of a solve products, dgemm of dsyrk. That
/// the tiles on the diagonal of a solve take longer, since each row waits for those before, is left out.
std::string tileRoutine(llvm::StringRef routine);

/// Those of the machine file; none: no table of the routine is in it.
std::vector<TileTime> tilesOf(const Machine &machine, llvm::StringRef routine);

/// Of vectors, times in the pipeline that differ by less are equal: starting a tile's copies takes time that it does
/// not know, so that fewer tiles are then better.
inline constexpr double sameVectorTime = 0.01;

/// What the equations say of one tile size; s.
struct TileTimes {
  double tile = 0, tileTime = 0;
  double subkernels = 0; ///< k
  double fetches = 0;    ///< k_in, at most k.
  double in = 0, out = 0, over = 0; ///< t_in, t_out, t_over
  double baseline = 0, location = 0, bidirectional = 0, cso = 0;
  std::optional<double> reuse; ///< Level 1 has none.
  std::optional<double> pipeline; ///< Played through (BlasPipeline.h); selectTile fills it in.
};

/// largest: the largest tile that the kernel was timed on, from which CSO takes the time of the whole.
TileTimes tileTimes(const BlasCall &call, const TileLink &link, TileTime tile, TileTime largest);

/// The largest tile that is worth calling one: min(D) / 1.5.
double largestTile(const BlasCall &call);

/// Without a measurement: launch + the larger of arithmetic and DRAM at the machine's peaks, a product in waves of 64 x
/// 64 results, one a multiprocessor. cuBLAS takes longer: up to twice that on small tiles, 0 to 35 % on large ones
/// (K40, V100).
double modelledTileTime(const BlasCall &call, const Gpu &gpu, double tile);

struct BlasAnswer {
  BlasCall call;
  std::vector<TileTimes> tiles; ///< By size.
  /// Which of them is recommended; none if the call does not fit into the device's memory. The best in the pipeline; of
  /// a vector's tiles that are as good within what the pipeline knows, the largest.
  std::optional<size_t> selected;
  std::optional<size_t> bestByEquation; ///< The paper's: by (4), or (5).
  std::optional<size_t> bestInPipeline; ///< The tile with the least pipeline time.
  bool measured = true; ///< The kernel's times were given.
  bool slowdownsKnown = true; ///< The machine says how copies in both directions slow each other down.
  bool fits = true;
  double deviceBytes = 0;
  unsigned tooLarge = 0; ///< Given tiles that are larger than largestTile.
};

/// Without `given` the usual sizes are tried on modelledTileTime: 256 to 16384 by 256, of vectors 2^18 to 2^26 by 2^18.
/// Errors: no tile that is small enough.
llvm::Expected<BlasAnswer> selectTile(const BlasCall &call, const Machine &machine,
                                      llvm::ArrayRef<TileTime> given = {});

} // namespace busfare::projection

#endif
