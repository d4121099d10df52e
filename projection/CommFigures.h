//===- projection/CommFigures.h - Figures 8 and 9 of Groves et al. --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The series behind the two figures that say when a port pays in spite of its messages
// (section VI), for any machine with a network:
//
//   8  speedup over message size and share of communication, of the problem as it is and
//      of one that grows with the computing; single messages, started by the host
//   9  speedup over message size at 25 % communication: single messages, and pipelined
//      ones, by both readings of Table II (PipelinedUnit)
//
//   figure 9 on summit-v100-nvlink2, get, 100 B: single 0.79x, pipelined per byte 1.2x,
//   per message 2.4x (the ceiling is 2.5x; the paper has 2.5x from there on)
//
// Computing becomes 5 times as fast and a launch takes 5 us unless an axis says
// otherwise, and O and G of large messages add up, as in the paper's figures. The paper
// prints neither the values nor the grid of figure 8; the means of ours are noted.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_COMMFIGURES_H
#define BUSFARE_PROJECTION_COMMFIGURES_H

#include "projection/Messages.h"
#include "projection/Sweep.h"

namespace busfare::projection {

/// Axes bytes, comm-share, launch, compute-speedup; where bytes (and in figure 8 comm-share) are not given, 8 B to
/// 16 MiB by powers of two (and 10 % to 90 % by 10 %). Columns: problem, machine, the axes, message_s, speedup.
llvm::Expected<SweepTable> sweepFigure8(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                        PutOrGet operation);
/// Likewise. Columns: messages, machine, the axes, message_s, speedup. A machine without laws of pipelined messages has
/// no speedups in their rows.
llvm::Expected<SweepTable> sweepFigure9(llvm::ArrayRef<Machine> machines, llvm::ArrayRef<SweepAxis> axes,
                                        PutOrGet operation);

} // namespace busfare::projection

#endif
