//===- projection/MachineTiles.h - Kernel times of tiles in a machine file ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The part `blas_tiles` of a machine file, which may be absent: what somebody measured of
// the device's BLAS on one tile, for CoCoPeLia's choice of one (Blas.h).
//
//   "blas_tiles": [{"routine": "dgemm", "kind": "measured", "source": "...",
//                   "points": [[1024, 4.1e-4], [2048, 0.0025]]}]
//
// For MachineText.cpp alone.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_MACHINE_TILES_H
#define BUSFARE_PROJECTION_MACHINE_TILES_H

#include "projection/Machine.h"
#include "llvm/Support/JSON.h"

namespace busfare::projection {

inline constexpr llvm::StringLiteral tilesKey = "blas_tiles";

/// What is wrong goes to problems, a line each.
void readTiles(const llvm::json::Value &value, Machine &machine, std::vector<std::string> &problems);
llvm::json::Value writtenTiles(const Machine &machine);

} // namespace busfare::projection

#endif
