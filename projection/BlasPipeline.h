//===- projection/BlasPipeline.h - A tiled call, subkernel by subkernel ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What CoCoPeLia's equations (Blas.h) sum up, played through: three queues, of copies
// in, kernels and copies out. A subkernel waits for its tiles, each of which comes in
// once, when it is first needed; its result goes back when it is complete. While both
// directions are busy each takes its slowdown times as long. A rest of a tile is a
// subkernel of its own, whose kernel takes its share of the work.
//
//   dgemm 4096^3, T = 2048, all on the host, V100 on PCIe 3, t_G = 2.8 ms: 8 subkernels
//   whose 12 tiles come in for 33 ms; (5) says 33 ms, this 41, measured were 42
//
// A product runs over the rows of the result, then the summed dimension, then the
// columns: a row of tiles of C stays until it is complete. Of the six orders this is the
// nearest to CoCoPeLia's own measured calls. Where the link says what handing over takes
// (TileLink::issue), nothing starts before the host has come to it. Not modelled: tiles that
// are evicted, kernels that run at the same time.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_BLASPIPELINE_H
#define BUSFARE_PROJECTION_BLASPIPELINE_H

#include "projection/Blas.h"
#include "projection/BlasPanels.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace busfare::projection {

/// More subkernels are not played through: that takes too long, and (4) and (5) are good then.
inline constexpr double mostSubkernels = 30000;

/// s; nothing for more than mostSubkernels.
std::optional<double> pipelineTime(const BlasCall &call, const TileLink &link, TileTime tile);

/// The same of panels, whose kernels have many shapes; s.
double panelTime(const PanelSchedule &schedule, double elementBytes, const TileLink &link,
                 llvm::function_ref<double(const PanelStep &)> kernelTime);

} // namespace busfare::projection

#endif
