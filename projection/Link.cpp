//===- projection/Link.cpp - The time of one transfer ---------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Link.h"
#include "projection/Peer.h"
#include <algorithm>
#include <cassert>
#include <cmath>

namespace busfare::projection {

llvm::StringRef toString(TransferModel model) {
  switch (model) {
  case TransferModel::Linear: return "linear";
  case TransferModel::LogGP: return "loggp";
  case TransferModel::Packets: return "packets";
  case TransferModel::Staged: return "staged";
  case TransferModel::Peak: return "peak";
  case TransferModel::Envelope: return "envelope";
  }
  return "";
}

//===--- What was measured ------------------------------------------------===//

const TransferCurve *findCurve(const Link &link, Direction direction, HostMemory memory, bool whileReverseBusy) {
  for (const TransferCurve &curve : link.measured)
    if (curve.direction == direction && curve.whileReverseBusy == whileReverseBusy &&
        (!touchesHost(direction) || curve.memory == memory))
      return &curve;
  return nullptr;
}

static double latencyOf(const Link &link, Direction direction, HostMemory memory) {
  bool in = direction == Direction::ToDevice, pinned = memory == HostMemory::Pinned;
  return in ? (pinned ? link.pinnedH2dLatency : link.pageableH2dLatency)
            : (pinned ? link.pinnedD2hLatency : link.pageableD2hLatency);
}

static double bandwidthOf(const Link &link, Direction direction, HostMemory memory) {
  bool in = direction == Direction::ToDevice, pinned = memory == HostMemory::Pinned;
  return in ? (pinned ? link.pinnedH2dBandwidth : link.pageableH2dBandwidth)
            : (pinned ? link.pinnedD2hBandwidth : link.pageableD2hBandwidth);
}

double transferTime(const Link &link, Direction direction, HostMemory memory, double bytes, double copies) {
  assert(touchesHost(direction) && "copies within a device and between two do not use the link");
  if (copies <= 0) return 0;
  double latency = latencyOf(link, direction, memory);
  if (const TransferCurve *curve = findCurve(link, direction, memory))
    return copies * timeOnCurve(curve->rising, bytes / copies, latency);
  return copies * latency + bytes / bandwidthOf(link, direction, memory);
}

double busyTransferTime(const Link &link, Direction direction, HostMemory memory, double bytes) {
  if (const TransferCurve *curve = findCurve(link, direction, memory, true))
    return timeOnCurve(curve->rising, bytes, latencyOf(link, direction, memory));
  const MaybeQuantity &slowdown = direction == Direction::ToDevice ? link.slowdownH2d : link.slowdownD2h;
  return transferTime(link, direction, memory, bytes) * slowdown.value().value_or(1);
}

LogGP logGP(const Link &link, Direction direction, HostMemory memory) {
  LogGP result;
  result.latency = latencyOf(link, direction, memory);
  result.gapPerByte = 1 / bandwidthOf(link, direction, memory);
  result.gap = (direction == Direction::ToDevice ? link.gapH2d : link.gapD2h).value().value_or(result.latency);
  const TransferCurve *curve = findCurve(link, direction, memory);
  if (!curve) return result;
  double time = 0, bytes = 0;
  for (const TransferPoint &point : curve->points) {
    time += point.time - result.latency;
    bytes += point.bytes;
  }
  if (time > 0 && bytes > 0) result.gapPerByte = time / bytes;
  return result;
}

//===--- What a datasheet says --------------------------------------------===//

namespace {

struct PcieGeneration {
  double rate;          ///< bit/s of a lane.
  double bandwidthShare; ///< Of it left by the encoding (or the framing and error correction of flits).
  double packetShare;   ///< Of it left for packets.
  bool flits;           ///< Packets need no framing, number and check of their own.
};

/// 8b/10b; 128b/130b; FLIT mode: 256 bytes hold 236 of packets, 6 of the link layer, 14 of checks.
constexpr PcieGeneration generations[] = {{2.5e9, 0.8, 0.8, false},
                                          {5e9, 0.8, 0.8, false},
                                          {8e9, 128.0 / 130, 128.0 / 130, false},
                                          {16e9, 128.0 / 130, 128.0 / 130, false},
                                          {32e9, 128.0 / 130, 128.0 / 130, false},
                                          {64e9, 242.0 / 256, 236.0 / 256, true}};

/// Framing 2 or 4, sequence number 2 and LCRC 4 of the default overheads: in FLIT mode the flit has them.
constexpr double framingBytes = 8;

const PcieGeneration *generationOf(const Link &link) {
  if (link.kind != LinkKind::Pcie || !link.pcieGeneration) return nullptr;
  double number = *link.pcieGeneration;
  return number == std::floor(number) && number >= 1 && number <= std::size(generations)
             ? &generations[size_t(number) - 1]
             : nullptr;
}

double overheadOf(const Quantity &overhead, const PcieGeneration &generation) {
  return generation.flits && overhead.isDefault ? std::max(0.0, overhead - framingBytes) : overhead.value;
}

} // namespace

std::optional<double> linkBandwidth(const Link &link) {
  if (link.peakBandwidth) return *link.peakBandwidth;
  if (const PcieGeneration *generation = generationOf(link); generation && link.lanes)
    return *link.lanes * generation->rate * generation->bandwidthShare / 8;
  if (link.kind == LinkKind::NvLink && link.links && link.lanes && link.laneRate)
    return *link.links * *link.lanes * *link.laneRate / 8;
  return std::nullopt;
}

std::optional<double> wireBytes(const Link &link, Direction direction, double bytes) {
  bool in = direction == Direction::ToDevice;
  if (!touchesHost(direction)) return std::nullopt;
  if (link.kind == LinkKind::NvLink || link.kind == LinkKind::C2c) {
    double flits = std::ceil(bytes / link.flitPayload) + (in ? 1 : 0);
    return bytes + flits * link.flitBytes;
  }
  const PcieGeneration *generation = generationOf(link);
  if (!generation) return std::nullopt;
  double write = overheadOf(link.writeOverhead, *generation);
  if (!in) return bytes + std::ceil(bytes / link.maxPayload) * write;
  // The request carries no payload; the paper counts one of full size all the same.
  return write + link.maxReadRequest + bytes +
         std::ceil(bytes / link.readCompletionBoundary) * overheadOf(link.completionOverhead, *generation);
}

static std::optional<double> packetTime(const Machine &machine, Direction direction, HostMemory memory, double bytes) {
  std::optional<double> wire = wireBytes(machine.link, direction, bytes), bandwidth = linkBandwidth(machine.link);
  if (!wire || !bandwidth) return std::nullopt;
  if (const PcieGeneration *generation = generationOf(machine.link); generation && !machine.link.peakBandwidth)
    *bandwidth *= generation->packetShare / generation->bandwidthShare;
  double time = latencyOf(machine.link, direction, memory) + *wire / *bandwidth;
  // Pageable memory is copied into, or out of, a pinned buffer: a read and a write in the host's memory.
  if (memory == HostMemory::Pageable)
    time += 2 * bytes / machine.host.peakDramBandwidth.value().value_or(machine.host.dramBandwidth);
  return time;
}

/// One core copies between pageable memory and pinned buffers while the link empties, or fills, the one before.
static std::optional<double> stagedTime(const Machine &machine, Direction direction, HostMemory memory, double bytes) {
  if (memory != HostMemory::Pageable) return std::nullopt;
  const Link &link = machine.link;
  double pinned = bandwidthOf(link, direction, HostMemory::Pinned), pageable = bandwidthOf(link, direction, memory);
  // Where the host's copies do not hold the link up, their rate shows only in the first piece: a read and a write.
  double host =
      pageable < pinned ? pageable : machine.host.peakDramBandwidth.value().value_or(machine.host.dramBandwidth) / 2;
  return latencyOf(link, direction, memory) + bytes / std::min(host, pinned) +
         std::min<double>(bytes, link.stagingPiece) / std::max(host, pinned);
}

/// A copy within the device reads and writes its memory.
static std::optional<double> timeOnDevice(const Gpu &gpu, TransferModel model, double bytes) {
  double latency = gpu.copyLatency.value().value_or(gpu.launchLatency);
  std::optional<double> peak = gpu.peakDramBandwidth.value();
  switch (model) {
  case TransferModel::Linear: return latency + 2 * bytes / gpu.dramBandwidth;
  case TransferModel::Peak: return peak ? std::optional(latency + 2 * bytes / *peak) : std::nullopt;
  case TransferModel::Envelope: return peak ? std::optional(2 * bytes / *peak) : std::nullopt;
  case TransferModel::LogGP:
  case TransferModel::Packets:
  case TransferModel::Staged: return std::nullopt;
  }
  return std::nullopt;
}

std::optional<double> modelledTime(const Machine &machine, TransferModel model, Direction direction, HostMemory memory,
                                   double bytes) {
  if (direction == Direction::OnDevice) return timeOnDevice(machine.gpu, model, bytes);
  if (direction == Direction::Peer) return modelledPeerTime(machine, model, bytes);
  const Link &link = machine.link;
  std::optional<double> peak = linkBandwidth(link);
  switch (model) {
  case TransferModel::Linear: return latencyOf(link, direction, memory) + bytes / bandwidthOf(link, direction, memory);
  case TransferModel::LogGP: {
    LogGP form = logGP(link, direction, memory);
    return form.latency + bytes * form.gapPerByte;
  }
  case TransferModel::Packets: return packetTime(machine, direction, memory, bytes);
  case TransferModel::Staged: return stagedTime(machine, direction, memory, bytes);
  case TransferModel::Peak:
    return peak ? std::optional(latencyOf(link, direction, memory) + bytes / *peak) : std::nullopt;
  case TransferModel::Envelope: return peak ? std::optional(bytes / *peak) : std::nullopt;
  }
  return std::nullopt;
}

std::string whyNot(const Machine &machine, TransferModel model, Direction direction) {
  if (direction == Direction::Peer) return whyNoPeerTime(machine, model);
  HostMemory memory = model == TransferModel::Staged ? HostMemory::Pageable : HostMemory::Pinned;
  if (modelledTime(machine, model, direction, memory, 1)) return "";
  if (direction == Direction::OnDevice)
    return model == TransferModel::LogGP || model == TransferModel::Packets || model == TransferModel::Staged
               ? "a copy within the device does not use the link"
               : "gpu.peak_dram_bandwidth_bytes_per_s is not known";
  const Link &link = machine.link;
  if (!link.kind) return "link.kind is not given";
  if (link.kind == LinkKind::Pcie && link.pcieGeneration && !generationOf(link))
    return "link.pcie_generation is none of 1 to 6";
  if (!linkBandwidth(link))
    return link.kind == LinkKind::Pcie     ? "link.pcie_generation or link.lanes is not known"
           : link.kind == LinkKind::NvLink ? "link.links, link.lanes or link.lane_rate_bits_per_s is not known"
                                           : "link.peak_bandwidth_bytes_per_s is not known";
  return ("no packets are published for links of kind " + toString(*link.kind)).str();
}

//===--- Pinned or pageable -----------------------------------------------===//

Pinning pinningPays(const Machine &machine, Direction direction, double bytes) {
  Pinning result;
  result.pinningTime = machine.gpu.allocation + machine.gpu.pinning * bytes;
  result.savedPerCopy = transferTime(machine.link, direction, HostMemory::Pageable, bytes) -
                        transferTime(machine.link, direction, HostMemory::Pinned, bytes);
  if (result.savedPerCopy > 0) result.repetitions = std::max(1.0, std::ceil(result.pinningTime / result.savedPerCopy));
  return result;
}

} // namespace busfare::projection
