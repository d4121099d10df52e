//===- projection/Transfer.h - The time of one transfer ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The linear model of GROPHECY++ (Meng et al., section III): a transfer of d bytes
// takes T(d) = alpha + beta*d, alpha the latency and beta one over the bandwidth, per
// direction and memory kind. Every array is a transfer of its own.
//
//   fx5600-pcie1, pinned, 1 MiB to the device:  10 us + 1048576 / 2.8e9 = 384.5 us
//
// Does not model: staging of pageable memory in pieces, packets, overlap.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_TRANSFER_H
#define BUSFARE_PROJECTION_TRANSFER_H

#include "projection/Machine.h"

namespace busfare::projection {

/// Seconds that `copies` transfers of `bytes` in all take. 0 for no copies; monotone in both.
double transferTime(const Link &link, Direction direction, HostMemory memory, double bytes, double copies = 1);

} // namespace busfare::projection

#endif
