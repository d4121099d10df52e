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
// one is a count or a ratio. Every key of the table in Machine.cpp must be there.
//
// To add a number, touch: Machine.h, the table in Machine.cpp, machines/*.json.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_MACHINE_H
#define BUSFARE_PROJECTION_MACHINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace busfare::projection {

/// Where a number comes from.
enum class SourceKind { Measured, Datasheet, Derived, Assumed };
llvm::StringRef toString(SourceKind kind);

struct Quantity {
  double value = 0;
  SourceKind kind = SourceKind::Assumed;
  std::string source; ///< Who published it, or why it is assumed.
  operator double() const { return value; }
};

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
};

struct Link {
  std::string name;
  // T(d) = latency + d / bandwidth, per direction and memory kind (GROPHECY++).
  Quantity pinnedH2dLatency, pinnedH2dBandwidth, pinnedD2hLatency, pinnedD2hBandwidth;
  Quantity pageableH2dLatency, pageableH2dBandwidth, pageableD2hLatency, pageableD2hBandwidth;
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
  Quantity copyEngines;
  Quantity contextStart;        ///< s until the first call returns.
  Quantity allocation;          ///< s per allocation.
  Quantity pinning;             ///< s per pinned byte.
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
  ModelErrors errors;
};

/// The name of the machine taken when the user names none.
inline constexpr llvm::StringLiteral defaultMachine = "a100-pcie4";

/// Sorted.
std::vector<std::string> builtinMachineNames();

/// A built-in machine, or the one in a file. Errors: unknown name (with the names there are), unreadable file,
/// `FILE: gpu.dram_bandwidth_bytes_per_s: expected a positive number, found -3`.
llvm::Expected<Machine> loadMachine(llvm::StringRef nameOrFile);

/// From the text of a machine file; `file` is used in messages.
llvm::Expected<Machine> parseMachine(llvm::StringRef text, llvm::StringRef file);

/// As in a machine file.
llvm::json::Value toJson(const Machine &machine);

} // namespace busfare::projection

#endif
