//===- runtime-bench/blas/RunPanels.h - A call by panels on a device ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs a schedule of panels (projection/BlasPanels.h): each operand that is on the host has
// room for all of it on the device, and columns lie there as closely as they can, so that a
// kernel sees one matrix however it came.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_RUNPANELS_H
#define BUSFARE_RUNTIMEBENCH_BLAS_RUNPANELS_H

#include "projection/BlasPanels.h"
#include "runtime-bench/blas/Staging.h"
#include "runtime-bench/blas/TileMemory.h"

namespace busfare::blas {

/// Of the device's memory that the operands on the host take.
size_t panelBytes(const Call &call, const std::vector<Where> &places);

/// tile in the answer is the width of the panels.
Ran executePanels(const Call &call, const projection::PanelSchedule &schedule, Device &device, TileMemory &memory,
                  Staging &staging);

} // namespace busfare::blas

#endif
