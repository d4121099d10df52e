//===- projection/Peer.cpp - The time of one copy between devices ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Peer.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::projection {

static const TransferCurve *curveOf(const Peer &peer, bool whileReverseBusy) {
  for (const TransferCurve &curve : peer.measured)
    if (curve.whileReverseBusy == whileReverseBusy) return &curve;
  return nullptr;
}

static double linearTime(const Peer &peer, double bytes) { return peer.latency + bytes / peer.bandwidth; }

static double logGPTime(const Peer &peer, double bytes) {
  const TransferCurve *curve = curveOf(peer, false);
  double time = 0, moved = 0;
  if (curve)
    for (const TransferPoint &point : curve->points) {
      time += point.time - peer.latency;
      moved += point.bytes;
    }
  return time > 0 && moved > 0 ? peer.latency + bytes * time / moved : linearTime(peer, bytes);
}

/// The machine's link with the wires of its peers: what packets look like there.
static std::optional<Link> wiresOf(const Machine &machine) {
  Link wires = machine.link;
  switch (machine.peer->kind) {
  case PeerKind::NvLink:
  case PeerKind::NvSwitch: wires.kind = LinkKind::NvLink; return wires;
  case PeerKind::Pcie:
    if (wires.kind != LinkKind::Pcie) return std::nullopt;
    return wires;
  case PeerKind::InfinityFabric: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> peerPeakBandwidth(const Machine &machine) {
  if (!machine.peer) return std::nullopt;
  if (std::optional<double> peak = machine.peer->peakBandwidth.value()) return peak;
  if (machine.peer->kind == PeerKind::Pcie && machine.link.kind == LinkKind::Pcie) return linkBandwidth(machine.link);
  return std::nullopt;
}

std::optional<double> modelledPeerTime(const Machine &machine, TransferModel model, double bytes) {
  if (!machine.peer) return std::nullopt;
  const Peer &peer = *machine.peer;
  std::optional<double> peak = peerPeakBandwidth(machine);
  switch (model) {
  case TransferModel::Linear: return linearTime(peer, bytes);
  case TransferModel::LogGP: return logGPTime(peer, bytes);
  case TransferModel::Packets: {
    std::optional<Link> wires = wiresOf(machine);
    std::optional<double> wire = wires ? wireBytes(*wires, Direction::ToHost, bytes) : std::nullopt;
    return peak && wire ? std::optional(peer.latency + *wire / *peak) : std::nullopt;
  }
  case TransferModel::Peak: return peak ? std::optional(peer.latency + bytes / *peak) : std::nullopt;
  case TransferModel::Envelope: return peak ? std::optional(bytes / *peak) : std::nullopt;
  case TransferModel::Staged: return std::nullopt;
  }
  return std::nullopt;
}

std::string whyNoPeerTime(const Machine &machine, TransferModel model) {
  if (!machine.peer) return "the machine has no part peer";
  if (modelledPeerTime(machine, model, 1)) return "";
  if (model == TransferModel::Staged) return "a copy between devices is not staged in the host's memory";
  if (!peerPeakBandwidth(machine)) return "peer.peak_bandwidth_bytes_per_s is not known";
  return ("no packets are known of peers of kind " + toString(machine.peer->kind)).str();
}

double peerTime(const Peer &peer, double bytes) {
  const TransferCurve *curve = curveOf(peer, false);
  return curve ? timeOnCurve(curve->rising, bytes, peer.latency) : linearTime(peer, bytes);
}

double busyPeerTime(const Peer &peer, double bytes) {
  if (const TransferCurve *curve = curveOf(peer, true)) return timeOnCurve(curve->rising, bytes, peer.latency);
  return peerTime(peer, bytes) * peer.slowdown.value().value_or(1);
}

std::vector<std::string> machinesWithPeers() {
  std::vector<std::string> names;
  for (const std::string &name : builtinMachineNames()) {
    llvm::Expected<Machine> machine = loadMachine(name);
    if (!machine) llvm::consumeError(machine.takeError());
    else if (machine->peer) names.push_back(name);
  }
  return names;
}

llvm::Error needPeer(const Machine &machine) {
  if (machine.peer) return llvm::Error::success();
  return llvm::createStringError(
      machine.name + ": expected a part peer, which copies between devices need, found none; machines with one: " +
      llvm::join(machinesWithPeers(), ", "));
}

} // namespace busfare::projection
