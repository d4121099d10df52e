//===- runtime-bench/blas/Select.h - Where a call runs, and its tile ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Plays a call through with every tile size that comes into question (projection/
// BlasPipeline.h) and takes the fastest; where the host is projected to be faster the call
// stays there.
//
//   dgemm 8192^3, pinned, h200-sxm5: panels of 384 columns, 32 ms; the host 720 ms; so the device
//
// Kernel times of tiles are the machine file's (`blas_tiles`), between two of them by the
// rate; of routines that it does not have, those of the product in the same precision, else
// a roofline. A solve also takes time for each row, which waits for the one before. Operands
// on the device cost no copies, pageable ones what the host's threads take to pack them.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_SELECT_H
#define BUSFARE_RUNTIMEBENCH_BLAS_SELECT_H

#include "projection/Blas.h"
#include "projection/BlasPanels.h"
#include "runtime-bench/blas/Device.h"

namespace busfare::blas {

/// What may be chosen from.
enum class Cut { Best, Tiles, Panels };

struct Choice {
  bool isOnDevice = true;   ///< It is faster there.
  bool byPanels = false;    ///< Of whole columns (projection/BlasPanels.h), else by square tiles.
  int64_t tile = 0;         ///< Side of a tile, width of a panel.
  int64_t firstWidth = 0;   ///< Of panels.
  double deviceSeconds = 0; ///< 0: not played through, there are too many steps; then the host is taken if it can.
  double hostSeconds = 0;
};

/// What the model is asked about a call.
projection::BlasCall modelled(const Call &call, const std::vector<Where> &places);

/// Nothing: it has none, or the device's memory does not hold the operands.
std::optional<projection::PanelSchedule> panelsOf(const Call &call, const std::vector<Where> &places, int64_t width,
                                                  int64_t firstWidth, size_t memoryBytes);

/// memoryBytes: of the device, for the call. copyThreads: that pack pageable memory.
Choice choose(const Call &call, const std::vector<Where> &places, const projection::Machine &machine,
              size_t memoryBytes, unsigned copyThreads, Cut cut = Cut::Best);

/// s until so many bytes of pageable memory have crossed, with nothing beside them.
double secondsToBring(size_t bytes, const projection::Machine &machine, unsigned copyThreads);

/// A machine that is built in and whose GPU has the device's name, else the default.
std::string machineNameFor(const std::string &deviceName);

} // namespace busfare::blas

#endif
