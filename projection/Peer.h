//===- projection/Peer.h - The time of one copy between devices -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What d bytes take from one device to another of the same node, over PCIe, NVLink, an
// NVSwitch or Infinity Fabric, under the models of Link.h that speak of it:
//
//   linear    latency + d / bandwidth
//   loggp     latency + d*G, G over the whole sweep where one was measured
//   packets   latency + wire bytes / peak, the copy written by the device that has the
//             data: flits of NVLink, write packets of PCIe (AHEAD)
//   peak      latency + d / peak
//   envelope  d / peak
//
//   ac922-v100-nvlink2, 1 GiB over three bricks: 14.77 ms measured; envelope 14.32 ms
//
// AHEAD's own formula for copies from device to device, Lo + n/DeviceMemBW, is that of
// copies within one (Direction::OnDevice).
//
// Does not model: pairs of devices that are further apart than neighbours, links that
// several copies share, copies that the driver stages through the host.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PEER_H
#define BUSFARE_PROJECTION_PEER_H

#include "projection/Link.h"

namespace busfare::projection {

/// B/s in one direction, by the datasheet: the part peer's, or that of the machine's link where both are PCIe, as a
/// device has the same lanes to a neighbour. Nothing without a part peer.
std::optional<double> peerPeakBandwidth(const Machine &machine);

/// Under one model; nothing where the machine does not say what it needs.
std::optional<double> modelledPeerTime(const Machine &machine, TransferModel model, double bytes);
/// What it lacks; empty if it can be computed.
std::string whyNoPeerTime(const Machine &machine, TransferModel model);

/// s of a copy, as projections take it: between the measured ones, else linear.
double peerTime(const Peer &peer, double bytes);
/// The same while copies in the other direction keep it busy.
double busyPeerTime(const Peer &peer, double bytes);

/// Names of the built-in machines that have a part peer, for messages.
std::vector<std::string> machinesWithPeers();

/// No success: the machine has no part peer, and which have one.
llvm::Error needPeer(const Machine &machine);

} // namespace busfare::projection

#endif
