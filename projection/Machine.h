//===- projection/Machine.h - A host, a link and a GPU, with sources ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The numbers that the models take, each with where it comes from. A machine file
// is JSON; machines/*.json are built in:
//
//   { "name": "fx5600-pcie1", "description": "...",
//     "link": { "pinned_h2d_latency_s": { "value": 1e-5, "kind": "measured", "source": "..." }, ... }, ... }
//
// Units are in the key: _s seconds, _bytes, _hz, _bytes_per_s, _cycles; a key without
// one is a count or a ratio. Of the tables in MachineTable.h some numbers must be there,
// some have a default that is said, and some may be absent: then what rests on them is
// left out. A number that was looked for and not found is { "kind": "unknown", "source":
// "where it was looked for" }, which is as good as absent. gapsOf names all of these.
//
// To add a number, touch: Machine.h, the table in MachineTable.h, machines/*.json.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_MACHINE_H
#define BUSFARE_PROJECTION_MACHINE_H

#include "projection/Curve.h"
#include "projection/Quantity.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace busfare::projection {

struct Host {
  std::string name;
  Quantity cores;             ///< Physical cores that share the memory.
  Quantity threads;           ///< OpenMP threads of a run on all cores.
  Quantity clock;             ///< Hz, sustained.
  Quantity simdBytes;         ///< Width of a vector register.
  Quantity vectorPipes;       ///< Vector floating-point instructions per cycle.
  Quantity fusedMultiplyAdd;  ///< 1 if a multiply and an add are one instruction, else 0.
  Quantity scalarOperations;  ///< Scalar instructions per cycle that real loops sustain.
  Quantity loadsPerCycle;     ///< Loads and stores per cycle.
  Quantity divideCycles;      ///< Per scalar floating-point division.
  Quantity specialCycles;     ///< Per call of exp, sin, pow, ...
  Quantity l1Bytes, l2Bytes;  ///< Per core.
  Quantity lastLevelBytes;    ///< All of it together.
  Quantity l2Bandwidth;       ///< B/s and core, from L2 to L1.
  Quantity lastLevelBandwidth;///< B/s and core, from the last level.
  Quantity dramBandwidth;     ///< B/s, all cores (STREAM).
  Quantity dramBandwidthCore; ///< B/s that one core can draw.
  Quantity forkJoin;          ///< s of a parallel region on all threads.
  MaybeQuantity peakDramBandwidth; ///< B/s: bus width * frequency * transfers per cycle.
};

enum class Direction {
  ToDevice,
  ToHost,
  OnDevice, ///< Within one device's memory.
  Peer,     ///< From one device of a node to another.
};
enum class HostMemory { Pinned, Pageable };
llvm::StringRef toString(Direction direction); ///< h2d, d2h, d2d, peer
/// One end of the copy is memory of the host, which is pinned or pageable.
inline bool touchesHost(Direction direction) {
  return direction == Direction::ToDevice || direction == Direction::ToHost;
}
llvm::StringRef toString(HostMemory memory);   ///< pinned, pageable

enum class LinkKind {
  Pcie,
  NvLink,
  C2c,            ///< Coherent, between the chips of one module: NVLink-C2C.
  InfinityFabric, ///< AMD's, between CPU and GPU.
  Unified,        ///< CPU and GPU share one memory: a copy stays in it.
};
llvm::StringRef toString(LinkKind kind);

/// Copies of several sizes that somebody timed, alone or while the other direction was busy.
struct TransferCurve {
  Direction direction = Direction::ToDevice;
  HostMemory memory = HostMemory::Pinned; ///< Of no meaning where the host has no part.
  bool whileReverseBusy = false;
  SourceKind kind = SourceKind::Measured;
  std::string source;
  std::vector<TransferPoint> points; ///< As measured.
  std::vector<TransferPoint> rising; ///< risingPoints(points).
};

struct Link {
  std::string name;
  std::optional<LinkKind> kind;
  // T(d) = latency + d / bandwidth, per direction and memory kind (GROPHECY++).
  Quantity pinnedH2dLatency, pinnedH2dBandwidth, pinnedD2hLatency, pinnedD2hBandwidth;
  Quantity pageableH2dLatency, pageableH2dBandwidth, pageableD2hLatency, pageableD2hBandwidth;
  Quantity stagingPiece;              ///< Bytes of pageable memory that go through one pinned buffer at a time.
  // What a datasheet says (AHEAD).
  MaybeQuantity pcieGeneration;       ///< 1 to 6.
  MaybeQuantity lanes;                ///< Of all PCIe, or of each NVLink.
  MaybeQuantity links;                ///< NVLinks side by side between host and device.
  MaybeQuantity laneRate;             ///< bit/s of a lane of an NVLink, one direction.
  MaybeQuantity peakBandwidth;        ///< B/s, one direction, where it does not follow from the above.
  Quantity maxPayload;                ///< MPS: bytes of a packet of a write (d2h).
  Quantity maxReadRequest;            ///< MRRS: bytes that one read asks for (h2d).
  Quantity readCompletionBoundary;    ///< RCB: bytes of a packet that answers a read.
  Quantity completionOverhead;        ///< Bytes on the wire beside the payload of a completion.
  Quantity writeOverhead;             ///< Bytes on the wire beside the payload of a write, or of a read request.
  Quantity flitBytes;                 ///< Of NVLink, C2C: the header of each packet, and a request.
  Quantity flitPayload;               ///< Bytes of data that follow one header.
  // Several streams and both directions at a time.
  MaybeQuantity gapH2d, gapD2h;       ///< g: s for each further stream (van Werkhoven).
  MaybeQuantity slowdownH2d, slowdownD2h; ///< Time while the other direction is busy over time alone (CoCoPeLia).
  MaybeQuantity explicitH2dBusy, explicitD2hBusy; ///< s/B of copies in both directions at a time.
  MaybeQuantity mappedH2dBusy,
      mappedD2hBusy; ///< s/B of copies in while kernels write host memory directly, and of those writes.
  std::vector<TransferCurve> measured;
};

struct Gpu {
  std::string name;
  Quantity multiprocessors;
  Quantity clock;               ///< Hz of the arithmetic units.
  Quantity fp32PerCycle;        ///< FP32 instructions (one fma is one) per multiprocessor and cycle.
  Quantity fp64PerCycle;        ///< 0 = no double precision: computed as if in software, 1/32 of FP32.
  Quantity specialPerCycle;     ///< Special functions.
  Quantity integerPerCycle;
  Quantity loadStorePerCycle;   ///< Loads and stores (threads) issued.
  Quantity issuePerCycle;       ///< Instructions (threads) of all kinds together.
  Quantity warpSize;
  Quantity coalescedThreads;    ///< Threads whose accesses are merged: 16 (half-warp) or 32.
  Quantity sectorBytes;         ///< Smallest piece of DRAM that is moved.
  Quantity cachesGlobal;        ///< 1 if L1/L2 keep global data, 0 on the first generation.
  Quantity maxThreadsPerMultiprocessor, maxBlocksPerMultiprocessor;
  Quantity registersPerMultiprocessor, sharedBytesPerMultiprocessor;
  Quantity l2Bytes, l2Bandwidth;
  Quantity dramBytes, dramBandwidth; ///< Bandwidth: what a streaming kernel reaches.
  Quantity dramLatency;         ///< s of one load that misses.
  Quantity launchLatency;       ///< s of one kernel launch.
  Quantity copyEngines;         ///< 0: copies and kernels take turns.
  Quantity contextStart;        ///< s until the first call returns.
  Quantity allocation;          ///< s per allocation.
  Quantity pinning;             ///< s per pinned byte.
  MaybeQuantity implicitSynchronisation; ///< 1 if copies wait for kernels of other streams (Fermi, GTX 680), else 0.
  MaybeQuantity copyLatency;    ///< s of a copy within the device, without its bytes.
  MaybeQuantity peakDramBandwidth; ///< B/s of the datasheet.
};

enum class PeerKind {
  Pcie,           ///< Over the bus, through a switch or the root complex.
  NvLink,         ///< Links between the two devices.
  NvSwitch,       ///< All links of a device, to a switch.
  InfinityFabric, ///< AMD's, between packages or dies.
};
llvm::StringRef toString(PeerKind kind); ///< pcie, nvlink, nvswitch, infinity-fabric

/// Copies from a device to a neighbour in its node.
struct Peer {
  std::string name;
  PeerKind kind = PeerKind::Pcie;
  Quantity latency, bandwidth;      ///< s; B/s in one direction.
  MaybeQuantity peakBandwidth;      ///< B/s of the datasheet, in one direction.
  MaybeQuantity slowdown;           ///< Time while the other direction is busy over time alone.
  std::vector<TransferCurve> measured;
};

/// Messages between devices of different nodes (Groves). Overheads o per operation; O per byte, of the host's.
struct Network {
  std::string name;
  Quantity latency;                           ///< l: s through wire, switch and device memory.
  Quantity hostMemoryLatency;                 ///< l of messages between hosts: without the devices' memory.
  Quantity bandwidth;                         ///< B/s; G is one over it.
  Quantity gap;                               ///< g: s between messages.
  Quantity hostPutOverhead, hostGetOverhead;  ///< o, host-initiated.
  Quantity hostPutPerByte, hostGetPerByte;    ///< O in s/B, host-initiated.
  Quantity devicePutOverhead, deviceGetOverhead; ///< o, device-initiated.
  Quantity devicePutStart, deviceGetStart;    ///< S: s that a device-initiated operation takes to start.
  Quantity launch;                            ///< s of the kernel launch that a host-initiated message waits for.
  // Pipelined messages cost factor * bytes^-exponent s per byte.
  MaybeQuantity hostPipelinedFactor, hostPipelinedExponent;
  MaybeQuantity devicePipelinedFactor, devicePipelinedExponent;
  MaybeQuantity verbsPipelinedFactor, verbsPipelinedExponent;
};

/// Kernel time of the device's BLAS on one tile.
struct TilePoint {
  double tile = 0, time = 0;
};
/// What is known of one routine, by tile.
struct TileTable {
  std::string routine; ///< dgemm
  SourceKind kind = SourceKind::Measured;
  std::string source;
  std::vector<TilePoint> points;
};

/// Relative errors of the models: one standard deviation, with where it was found.
struct ModelErrors {
  Quantity transfer, kernel, cpu;
};

struct Machine {
  std::string name, description;
  std::string file; ///< Empty for a built-in one.
  Host host;
  Link link;
  Gpu gpu;
  std::optional<Peer> peer; ///< None: a device's neighbours are not known.
  std::optional<Network> network;
  ModelErrors errors;
  std::vector<TileTable> tiles; ///< May be empty: kernel times of tiles are a roofline's then.
};

/// A number that a machine file does not give.
struct Gap {
  std::string key;         ///< "link.lanes"
  std::string consequence; ///< What is taken instead, or what is not computed.
  std::string searched;    ///< Where the file says that it was looked for; may be empty.
};
/// In the order of the tables.
std::vector<Gap> gapsOf(const Machine &machine);

/// The name of the machine taken when the user names none.
inline constexpr llvm::StringLiteral defaultMachine = "a100-pcie4";
/// Likewise where messages between nodes are priced: that of Groves et al.
inline constexpr llvm::StringLiteral defaultNetworkMachine = "summit-v100-nvlink2";

/// Sorted.
std::vector<std::string> builtinMachineNames();

/// A built-in machine, or the one in a file. Errors: unknown name (with the names there are), unreadable file,
/// `FILE: gpu.dram_bandwidth_bytes_per_s: expected a positive number, found -3`.
llvm::Expected<Machine> loadMachine(llvm::StringRef nameOrFile);

/// From the text of a machine file; `file` is used in messages. The error has a line for each number that is wrong.
llvm::Expected<Machine> parseMachine(llvm::StringRef text, llvm::StringRef file);

/// As in a machine file.
llvm::json::Value toJson(const Machine &machine);

} // namespace busfare::projection

#endif
