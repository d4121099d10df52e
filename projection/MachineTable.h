//===- projection/MachineTable.h - The numbers of a machine file ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One table a part: which numbers there are, which of them must be there, what is taken
// for those that are not, and what is left out. For MachineText.cpp and Terms.cpp alone.
//
//   {"max_payload_bytes", &Link::maxPayload, Allowed::Positive, 128, "most root ports ...", On::Pcie}
//     a file without link.max_payload_bytes is read, 128 is taken, and said for a PCIe link
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_MACHINETABLE_H
#define BUSFARE_PROJECTION_MACHINETABLE_H

#include "projection/Machine.h"
#include <initializer_list>

namespace busfare::projection {

enum class Allowed { Positive, NotNegative };

/// The links that a number says something about.
enum class On { Any, Pcie, NvLink, Flits };

/// A number that must be there, or has a default.
template <class Part> struct Field {
  const char *key;
  Quantity Part::*member;
  Allowed allowed = Allowed::Positive;
  double fallback = 0;             ///< Taken if the file does not give it; only with because.
  const char *because = nullptr;   ///< Why that is a fair default.
  On on = On::Any;
};

/// A number that may be absent.
template <class Part> struct MaybeField {
  const char *key;
  MaybeQuantity Part::*member;
  const char *without; ///< What follows if it is.
  Allowed allowed = Allowed::Positive;
  On on = On::Any;
};

inline const Field<Host> hostFields[] = {
    {"cores", &Host::cores},
    {"threads", &Host::threads},
    {"clock_hz", &Host::clock},
    {"simd_bytes", &Host::simdBytes},
    {"vector_pipes", &Host::vectorPipes},
    {"fused_multiply_add", &Host::fusedMultiplyAdd, Allowed::NotNegative},
    {"scalar_operations_per_cycle", &Host::scalarOperations},
    {"loads_per_cycle", &Host::loadsPerCycle},
    {"divide_cycles", &Host::divideCycles},
    {"special_cycles", &Host::specialCycles},
    {"l1_bytes", &Host::l1Bytes},
    {"l2_bytes", &Host::l2Bytes},
    {"last_level_bytes", &Host::lastLevelBytes},
    {"l2_bandwidth_bytes_per_s", &Host::l2Bandwidth},
    {"last_level_bandwidth_bytes_per_s", &Host::lastLevelBandwidth},
    {"dram_bandwidth_bytes_per_s", &Host::dramBandwidth},
    {"dram_bandwidth_core_bytes_per_s", &Host::dramBandwidthCore},
    {"fork_join_s", &Host::forkJoin, Allowed::NotNegative},
};

inline const MaybeField<Host> hostMaybe[] = {
    {"peak_dram_bandwidth_bytes_per_s", &Host::peakDramBandwidth,
     "dram_bandwidth_bytes_per_s stands for it where pageable memory is staged"},
};

inline const Field<Link> linkFields[] = {
    {"pinned_h2d_latency_s", &Link::pinnedH2dLatency, Allowed::NotNegative},
    {"pinned_h2d_bandwidth_bytes_per_s", &Link::pinnedH2dBandwidth},
    {"pinned_d2h_latency_s", &Link::pinnedD2hLatency, Allowed::NotNegative},
    {"pinned_d2h_bandwidth_bytes_per_s", &Link::pinnedD2hBandwidth},
    {"pageable_h2d_latency_s", &Link::pageableH2dLatency, Allowed::NotNegative},
    {"pageable_h2d_bandwidth_bytes_per_s", &Link::pageableH2dBandwidth},
    {"pageable_d2h_latency_s", &Link::pageableD2hLatency, Allowed::NotNegative},
    {"pageable_d2h_bandwidth_bytes_per_s", &Link::pageableD2hBandwidth},
    {"staging_piece_bytes", &Link::stagingPiece, Allowed::Positive, 524288,
     "the middle of 256 KiB and 1 MiB, between which AHEAD saw pageable copies bend on all nodes"},
    {"max_payload_bytes", &Link::maxPayload, Allowed::Positive, 128, "most root ports of servers allow no more",
     On::Pcie},
    {"max_read_request_bytes", &Link::maxReadRequest, Allowed::Positive, 512, "the default of most devices", On::Pcie},
    {"read_completion_boundary_bytes", &Link::readCompletionBoundary, Allowed::Positive, 64, "that of most root ports",
     On::Pcie},
    {"completion_overhead_bytes", &Link::completionOverhead, Allowed::NotNegative, 20,
     "header 12, framing, sequence number and LCRC 8 (Neugebauer et al., pcie-bench)", On::Pcie},
    {"write_overhead_bytes", &Link::writeOverhead, Allowed::NotNegative, 24,
     "header with a 64-bit address 16, framing, sequence number and LCRC 8 (Neugebauer et al., pcie-bench)", On::Pcie},
    {"flit_bytes", &Link::flitBytes, Allowed::NotNegative, 16, "NVLink's (AHEAD)", On::Flits},
    {"flit_payload_bytes", &Link::flitPayload, Allowed::Positive, 256, "NVLink's (AHEAD)", On::Flits},
};

inline const MaybeField<Link> linkMaybe[] = {
    {"pcie_generation", &Link::pcieGeneration, "no peak, packets or envelope", Allowed::Positive, On::Pcie},
    {"lanes", &Link::lanes, "no peak, packets or envelope", Allowed::Positive, On::Pcie},
    {"links", &Link::links, "no peak, packets or envelope unless peak_bandwidth_bytes_per_s is there",
     Allowed::Positive, On::NvLink},
    {"lane_rate_bits_per_s", &Link::laneRate, "no peak, packets or envelope unless peak_bandwidth_bytes_per_s is there",
     Allowed::Positive, On::NvLink},
    {"peak_bandwidth_bytes_per_s", &Link::peakBandwidth, "the peak is what kind, lanes and rate say"},
    {"gap_h2d_s", &Link::gapH2d, "a further stream costs what starting its copy does: pinned_h2d_latency_s",
     Allowed::NotNegative},
    {"gap_d2h_s", &Link::gapD2h, "a further stream costs what starting its copy does: pinned_d2h_latency_s",
     Allowed::NotNegative},
    {"slowdown_h2d", &Link::slowdownH2d, "copies in both directions are taken not to slow each other down"},
    {"slowdown_d2h", &Link::slowdownD2h, "copies in both directions are taken not to slow each other down"},
    {"explicit_h2d_busy_s_per_byte", &Link::explicitH2dBusy, "slowdown_h2d stands for it"},
    {"explicit_d2h_busy_s_per_byte", &Link::explicitD2hBusy, "slowdown_d2h stands for it"},
    {"mapped_h2d_busy_s_per_byte", &Link::mappedH2dBusy,
     "explicit_h2d_busy_s_per_byte, or slowdown_h2d, stands for it"},
    {"mapped_d2h_busy_s_per_byte", &Link::mappedD2hBusy,
     "explicit_d2h_busy_s_per_byte, or slowdown_d2h, stands for it"},
};

inline const Field<Gpu> gpuFields[] = {
    {"multiprocessors", &Gpu::multiprocessors},
    {"clock_hz", &Gpu::clock},
    {"fp32_per_cycle", &Gpu::fp32PerCycle},
    {"fp64_per_cycle", &Gpu::fp64PerCycle, Allowed::NotNegative},
    {"special_per_cycle", &Gpu::specialPerCycle},
    {"integer_per_cycle", &Gpu::integerPerCycle},
    {"load_store_per_cycle", &Gpu::loadStorePerCycle},
    {"issue_per_cycle", &Gpu::issuePerCycle},
    {"warp_size", &Gpu::warpSize},
    {"coalesced_threads", &Gpu::coalescedThreads},
    {"sector_bytes", &Gpu::sectorBytes},
    {"caches_global", &Gpu::cachesGlobal, Allowed::NotNegative},
    {"max_threads_per_multiprocessor", &Gpu::maxThreadsPerMultiprocessor},
    {"max_blocks_per_multiprocessor", &Gpu::maxBlocksPerMultiprocessor},
    {"registers_per_multiprocessor", &Gpu::registersPerMultiprocessor},
    {"shared_bytes_per_multiprocessor", &Gpu::sharedBytesPerMultiprocessor},
    {"l2_bytes", &Gpu::l2Bytes, Allowed::NotNegative},
    {"l2_bandwidth_bytes_per_s", &Gpu::l2Bandwidth},
    {"dram_bytes", &Gpu::dramBytes},
    {"dram_bandwidth_bytes_per_s", &Gpu::dramBandwidth},
    {"dram_latency_s", &Gpu::dramLatency},
    {"launch_latency_s", &Gpu::launchLatency},
    {"copy_engines", &Gpu::copyEngines, Allowed::NotNegative},
    {"context_start_s", &Gpu::contextStart, Allowed::NotNegative},
    {"allocation_s", &Gpu::allocation, Allowed::NotNegative},
    {"pinning_s_per_byte", &Gpu::pinning, Allowed::NotNegative},
};

inline const MaybeField<Gpu> gpuMaybe[] = {
    {"implicit_synchronisation", &Gpu::implicitSynchronisation,
     "copies are taken not to wait for kernels of other streams, as on every device since 2013", Allowed::NotNegative},
    {"copy_latency_s", &Gpu::copyLatency, "launch_latency_s stands for it", Allowed::NotNegative},
    {"peak_dram_bandwidth_bytes_per_s", &Gpu::peakDramBandwidth, "dram_bandwidth_bytes_per_s stands for it"},
};

inline const Field<Peer> peerFields[] = {
    {"latency_s", &Peer::latency, Allowed::NotNegative},
    {"bandwidth_bytes_per_s", &Peer::bandwidth},
};

inline const MaybeField<Peer> peerMaybe[] = {
    {"peak_bandwidth_bytes_per_s", &Peer::peakBandwidth,
     "no peak, packets or envelope of copies between devices, but those of link where both are PCIe"},
    {"slowdown", &Peer::slowdown, "copies between devices in both directions are taken not to slow each other down"},
};

inline const Field<Network> networkFields[] = {
    {"latency_s", &Network::latency},
    {"host_memory_latency_s", &Network::hostMemoryLatency},
    {"bandwidth_bytes_per_s", &Network::bandwidth},
    {"gap_s", &Network::gap, Allowed::NotNegative},
    {"host_put_overhead_s", &Network::hostPutOverhead, Allowed::NotNegative},
    {"host_get_overhead_s", &Network::hostGetOverhead, Allowed::NotNegative},
    {"host_put_s_per_byte", &Network::hostPutPerByte, Allowed::NotNegative},
    {"host_get_s_per_byte", &Network::hostGetPerByte, Allowed::NotNegative},
    {"device_put_overhead_s", &Network::devicePutOverhead, Allowed::NotNegative},
    {"device_get_overhead_s", &Network::deviceGetOverhead, Allowed::NotNegative},
    {"device_put_start_s", &Network::devicePutStart, Allowed::NotNegative},
    {"device_get_start_s", &Network::deviceGetStart, Allowed::NotNegative},
    {"launch_s", &Network::launch, Allowed::NotNegative},
};

inline const MaybeField<Network> networkMaybe[] = {
    {"host_pipelined_factor_s_per_byte", &Network::hostPipelinedFactor, "no time of pipelined host-initiated messages"},
    {"host_pipelined_exponent", &Network::hostPipelinedExponent, "no time of pipelined host-initiated messages"},
    {"device_pipelined_factor_s_per_byte", &Network::devicePipelinedFactor,
     "no time of pipelined device-initiated messages"},
    {"device_pipelined_exponent", &Network::devicePipelinedExponent, "no time of pipelined device-initiated messages"},
    {"verbs_pipelined_factor_s_per_byte", &Network::verbsPipelinedFactor,
     "no time of pipelined messages between hosts"},
    {"verbs_pipelined_exponent", &Network::verbsPipelinedExponent, "no time of pipelined messages between hosts"},
};

inline const Field<ModelErrors> errorFields[] = {
    {"transfer", &ModelErrors::transfer, Allowed::NotNegative},
    {"kernel", &ModelErrors::kernel, Allowed::NotNegative},
    {"cpu", &ModelErrors::cpu, Allowed::NotNegative},
};

inline const std::initializer_list<MaybeField<ModelErrors>> errorMaybe = {};

} // namespace busfare::projection

#endif
