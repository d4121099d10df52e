//===- projection/CopyModels.cpp - A machine as models of its copies ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/CopyModels.h"
#include "projection/Peer.h"
#include <memory>

namespace busfare::projection {

static bool wasMeasured(const Quantity &quantity) {
  return quantity.kind == SourceKind::Measured || quantity.kind == SourceKind::Derived;
}

static std::optional<Direction> directionOf(TraceKind kind) {
  switch (kind) {
  case TraceKind::ToDevice: return Direction::ToDevice;
  case TraceKind::ToHost: return Direction::ToHost;
  case TraceKind::OnDevice: return Direction::OnDevice;
  case TraceKind::Peer: return Direction::Peer;
  default: return std::nullopt;
  }
}

static const Quantity &bandwidthOf(const Link &link, Direction direction, HostMemory memory) {
  bool pinned = memory == HostMemory::Pinned;
  return direction == Direction::ToDevice ? (pinned ? link.pinnedH2dBandwidth : link.pageableH2dBandwidth)
                                          : (pinned ? link.pinnedD2hBandwidth : link.pageableD2hBandwidth);
}

/// Nothing: the sweep.
static std::optional<TransferModel> bestModel(const Machine &machine, Direction direction, HostMemory memory) {
  if (direction == Direction::OnDevice) return TransferModel::Linear;
  bool ofPeers = direction == Direction::Peer;
  if (ofPeers ? !machine.peer->measured.empty() : findCurve(machine.link, direction, memory) != nullptr)
    return std::nullopt;
  bool packets = modelledTime(machine, TransferModel::Packets, direction, memory, 1).has_value();
  bool measured = wasMeasured(ofPeers ? machine.peer->bandwidth : bandwidthOf(machine.link, direction, memory));
  return packets && !measured ? TransferModel::Packets : TransferModel::Linear;
}

/// A copy model of the machine; without a model the best there is.
static CopyModel modelOf(std::shared_ptr<const Machine> machine, std::optional<TransferModel> asked) {
  return [machine, asked](TraceKind kind, TraceMemory memory, double bytes) {
    std::optional<Direction> direction = directionOf(kind);
    if (!direction || (direction == Direction::Peer && !machine->peer)) return -1.0;
    // Managed pages and those that the profiler does not tell move like pinned memory.
    HostMemory host = memory == TraceMemory::Pageable ? HostMemory::Pageable : HostMemory::Pinned;
    std::optional<TransferModel> model = asked ? asked : bestModel(*machine, *direction, host);
    if (!model)
      return direction == Direction::Peer ? peerTime(*machine->peer, bytes)
                                          : transferTime(machine->link, *direction, host, bytes);
    // Where the host has no part only some models speak; the linear one always does.
    std::optional<double> time = modelledTime(*machine, *model, *direction, host, bytes);
    if (!time && !touchesHost(*direction))
      time = modelledTime(*machine, TransferModel::Linear, *direction, host, bytes);
    return time.value_or(-1);
  };
}

/// Takes over the latencies that target assumes and source measured; was there one?
static bool borrowLatencies(const Machine &source, Machine &target) {
  bool any = false;
  auto borrow = [&](const Quantity &from, Quantity &to) {
    if (wasMeasured(to) || !wasMeasured(from)) return;
    to = from;
    any = true;
  };
  for (Quantity Link::*latency :
       {&Link::pinnedH2dLatency, &Link::pinnedD2hLatency, &Link::pageableH2dLatency, &Link::pageableD2hLatency})
    borrow(source.link.*latency, target.link.*latency);
  if (source.peer && target.peer) borrow(source.peer->latency, target.peer->latency);
  return any;
}

llvm::Expected<CopyModels> copyModelsOf(const Machine &target, const Machine *source,
                                        std::optional<TransferModel> model) {
  if (model)
    for (Direction direction : {Direction::ToDevice, Direction::ToHost})
      if (std::string why = whyNot(target, *model, direction); !why.empty())
        return llvm::createStringError("the " + toString(*model) + " model cannot be computed for " + target.name +
                                       ": " + why);
  CopyModels result;
  auto there = std::make_shared<Machine>(target);
  if (source) result.latencyFromSource = borrowLatencies(*source, *there);
  std::optional<TransferModel> used = model ? model : bestModel(*there, Direction::ToDevice, HostMemory::Pinned);
  result.used = used ? toString(*used).str() : "sweep";
  result.models.target = modelOf(there, model);
  if (linkBandwidth(there->link)) {
    result.models.peak = modelOf(there, TransferModel::Peak);
    result.models.envelope = modelOf(there, TransferModel::Envelope);
  }
  if (source) result.models.source = modelOf(std::make_shared<Machine>(*source), std::nullopt);
  return result;
}

} // namespace busfare::projection
