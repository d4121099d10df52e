//===- projection/TransferAnswer.h - Transfers of given sizes -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare transfer` shows: sizes, directions and memory kinds, each under every
// model that the machine has the numbers for, and what projections take.
//
//   fx5600-pcie1, 1 MiB h2d pinned:  projected and linear 384.5 us, packets 354.2 us,
//   peak 272.1 us, envelope 262.1 us
//
// Copies between two devices need a machine with a part peer.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_TRANSFERANSWER_H
#define BUSFARE_PROJECTION_TRANSFERANSWER_H

#include "projection/Link.h"

namespace busfare::projection {

struct TransferQuestion {
  std::vector<double> sizes;
  std::vector<Direction> directions;
  std::vector<HostMemory> memories; ///< Of no meaning where the host has no part: one row.
  bool whileReverseBusy = false;    ///< The models that know of that are linear, slowed down, and sweeps.
};

/// One transfer.
struct TransferRow {
  double bytes = 0;
  Direction direction = Direction::ToDevice;
  HostMemory memory = HostMemory::Pinned;
  std::vector<std::pair<TransferModel, double>> times; ///< s, of the models that can be computed.
  double projected = 0;                                ///< s, as analyze takes it.
  bool isPiecewise = false; ///< projected comes from a measured sweep, not the linear model.
};

/// "pinned", "pageable", or "device" where the host has no part.
llvm::StringRef memoryOf(const TransferRow &row);

struct PinningRow {
  double bytes = 0;
  Direction direction = Direction::ToDevice;
  Pinning pinning;
};

struct TransferAnswer {
  std::string machine, description;
  bool whileReverseBusy = false;
  std::vector<TransferRow> rows; ///< By size, direction, memory.
  std::vector<PinningRow> pinning; ///< Where both kinds of memory were asked for.
  /// Models that cannot be computed, and why, each once a direction.
  struct Unavailable {
    TransferModel model;
    Direction direction;
    std::string because;
  };
  std::vector<Unavailable> unavailable;
};
TransferAnswer answerTransfers(const Machine &machine, const TransferQuestion &question);

} // namespace busfare::projection

#endif
