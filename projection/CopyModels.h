//===- projection/CopyModels.h - A machine as models of its copies --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What AHEAD's estimator (Estimate.h) is given for a machine file: the transfer
// models of its link, and for a copy within the GPU's memory the bandwidth of that
// memory, which every byte crosses twice.
//
//   gtx-titan-pcie3, h2d, pinned, 1 MiB: the link's model of this machine
//   d2d, 1 MiB: launch + 2 * 1048576 / 288e9 s
//
// Copies from GPU to GPU and within the host are not known: no machine file has them.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_COPYMODELS_H
#define BUSFARE_PROJECTION_COPYMODELS_H

#include "projection/Estimate.h"
#include "projection/Machine.h"

namespace busfare::projection {

/// The models keep a copy of what they need of the machines; source may be null.
EstimateModels copyModelsOf(const Machine &target, const Machine *source);

} // namespace busfare::projection

#endif
