//===- projection/Link.h - The time of one transfer -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What d bytes between host and device, or within the device, take under six models (between
// two devices: Peer.h):
//
//   linear    alpha + beta*d, from the machine's latency and bandwidth (GROPHECY++,
//             Meng et al., section III)
//   loggp     Lo + d*G + g*(m-1) for m streams that share d; G over a whole sweep where one
//             was measured (van Werkhoven et al., section V)
//   packets   Lo + wire bytes / link bandwidth, headers of PCIe packets or NVLink flits
//             included; pageable memory crosses the host's memory twice more (AHEAD)
//   staged    pageable memory, piece by piece through pinned buffers, one filled while the
//             other is emptied: Lo + d / (slower rate) + min(d, piece) / (faster rate)
//   peak      Lo + d / link bandwidth
//   envelope  d / link bandwidth
//
//   fx5600-pcie1, pinned, 1 MiB to the device:  linear 10 us + 1048576 / 2.8e9 = 384.5 us,
//   envelope 1048576 / 4e9 = 262.1 us, packets 10 us + 1376792 / 4e9 = 354.2 us
//
// `staged` is the middle that AHEAD's model lacks: a copy of one piece is filled and emptied one after the
// other, longer ones overlap. Its rates are those of pageable copies, as far as they are below those of pinned
// ones, and of pinned copies.
//
// transferTime is what projections use: the measured sweep where the machine has one, and
// the linear model elsewhere. Under every model more bytes are never faster.
//
// Does not model: contention for host memory, NUMA.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_LINK_H
#define BUSFARE_PROJECTION_LINK_H

#include "projection/Machine.h"

namespace busfare::projection {

enum class TransferModel { Linear, LogGP, Packets, Staged, Peak, Envelope };
inline constexpr TransferModel transferModels[] = {TransferModel::Linear,  TransferModel::LogGP,
                                                   TransferModel::Packets, TransferModel::Staged,
                                                   TransferModel::Peak,    TransferModel::Envelope};
llvm::StringRef toString(TransferModel model);

/// Seconds that `copies` transfers of `bytes` in all take, between host and device. 0 for no copies; monotone in bytes.
double transferTime(const Link &link, Direction direction, HostMemory memory, double bytes, double copies = 1);
/// The same while copies in the other direction keep it busy.
double busyTransferTime(const Link &link, Direction direction, HostMemory memory, double bytes);

/// Under one model; nothing where the machine does not say what it needs (whyNot says what that is) or the model does
/// not speak of that direction.
std::optional<double> modelledTime(const Machine &machine, TransferModel model, Direction direction, HostMemory memory,
                                   double bytes);
std::string whyNot(const Machine &machine, TransferModel model, Direction direction);

/// B/s of the link in one direction: lanes * rate * encoding of PCIe, links * lanes * rate of NVLink, else the given
/// peak.
std::optional<double> linkBandwidth(const Link &link);

/// Bytes on the wire, headers included: n^ of AHEAD. Nothing where no packets are known.
std::optional<double> wireBytes(const Link &link, Direction direction, double bytes);

/// The sweep of these copies, or null.
const TransferCurve *findCurve(const Link &link, Direction direction, HostMemory memory, bool whileReverseBusy = false);

/// Lo and G of van Werkhoven: of the linear parameters, G over the sweep where there is one.
struct LogGP {
  double latency = 0; ///< L + o: s of a copy of nothing.
  double gapPerByte = 0; ///< G: s/B.
  double gap = 0; ///< g: s of each further stream.
};
LogGP logGP(const Link &link, Direction direction, HostMemory memory);

/// Is memory worth pinning for copies of this size?
struct Pinning {
  double pinningTime = 0; ///< s to allocate and lock the memory, once.
  double savedPerCopy = 0; ///< s; negative where pageable memory is faster.
  std::optional<double> repetitions; ///< From so many copies on pinning pays; none: never.
};
Pinning pinningPays(const Machine &machine, Direction direction, double bytes);

} // namespace busfare::projection

#endif
