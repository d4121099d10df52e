//===- projection/CopyModels.cpp - A machine as models of its copies ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/CopyModels.h"
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
  if (findCurve(machine.link, direction, memory)) return std::nullopt;
  bool packets = modelledTime(machine, TransferModel::Packets, direction, memory, 1).has_value();
  return packets && !wasMeasured(bandwidthOf(machine.link, direction, memory)) ? TransferModel::Packets
                                                                               : TransferModel::Linear;
}

/// A copy model of the machine; without a model the best there is.
static CopyModel modelOf(std::shared_ptr<const Machine> machine, std::optional<TransferModel> asked) {
  return [machine, asked](TraceKind kind, TraceMemory memory, double bytes) {
    std::optional<Direction> direction = directionOf(kind);
    if (!direction) return -1.0;
    // Managed pages and those that the profiler does not tell move like pinned memory.
    HostMemory host = memory == TraceMemory::Pageable ? HostMemory::Pageable : HostMemory::Pinned;
    std::optional<TransferModel> model = asked ? asked : bestModel(*machine, *direction, host);
    if (!model) return transferTime(machine->link, *direction, host, bytes);
    // Within the device only some models speak; the linear one always does.
    std::optional<double> time = modelledTime(*machine, *model, *direction, host, bytes);
    if (!time && *direction == Direction::OnDevice)
      time = modelledTime(*machine, TransferModel::Linear, *direction, host, bytes);
    return time.value_or(-1);
  };
}

/// Takes over the latencies that target assumes and source measured; was there one?
static bool borrowLatencies(const Link &source, Link &target) {
  bool any = false;
  for (Quantity Link::*latency :
       {&Link::pinnedH2dLatency, &Link::pinnedD2hLatency, &Link::pageableH2dLatency, &Link::pageableD2hLatency})
    if (!wasMeasured(target.*latency) && wasMeasured(source.*latency)) {
      target.*latency = source.*latency;
      any = true;
    }
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
  if (source) result.latencyFromSource = borrowLatencies(source->link, there->link);
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
