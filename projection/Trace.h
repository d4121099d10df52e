//===- projection/Trace.h - What a profiler saw a GPU do ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The analyzer of AHEAD (Abdelhafez et al., section V): reads the SQLite file of a
// profiler row by row and shows each copy, fill and kernel to a visitor, in the
// order of the tables and with the GPU's own times (end - start; what the API call
// took on the host says nothing about the bus).
//
//   nsys export --type sqlite   tables CUPTI_ACTIVITY_KIND_{MEMCPY,MEMSET,KERNEL},
//                               StringIds, TARGET_INFO_GPU, ENUM_CUDA_MEM_KIND, ...
//   nvprof -o (until CUDA 12)   the same names, memory kinds numbered from 1,
//                               StringTable, CUPTI_ACTIVITY_KIND_DEVICE, user_version
//
//   start 1000 end 86420 bytes 1048576 copyKind 1 srcKind 1 streamId 13
//     -> h2d, pinned, 1048576 B, 85.42 us, stream 13
//
// Tables that a program gave no cause for are not there, which is fine. Not read:
// API times, unified-memory faults, NVTX ranges, events that stand for CUDA graphs.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_TRACE_H
#define BUSFARE_PROJECTION_TRACE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace busfare::projection {

enum class TraceKind : uint8_t {
  ToDevice,
  ToHost,
  OnDevice, ///< Within one GPU's memory: moves every byte twice.
  Peer,     ///< From GPU to GPU.
  OnHost,
  Unknown, ///< A copy whose direction the profiler did not say.
  Fill,    ///< cudaMemset.
  Kernel,
};
/// "h2d", "d2h", "d2d", "peer", "h2h", "unknown", "fill", "kernel".
llvm::StringRef toString(TraceKind kind);

/// Where the host's side of a copy lies.
enum class TraceMemory : uint8_t { Pinned, Pageable, Managed, Unknown };
llvm::StringRef toString(TraceMemory memory);

struct TraceOperation {
  TraceKind kind = TraceKind::Unknown;
  TraceMemory memory = TraceMemory::Unknown;
  bool symbol = false; ///< To or from a __constant__ or __device__ variable.
  uint32_t stream = 0; ///< Number of a process's, device's, context's stream, from 0 in order of appearance.
  uint32_t device = 0;
  uint64_t bytes = 0;
  int64_t start = 0, end = 0; ///< ns, of the GPU's clock; start <= end.
};

/// What the file says of itself.
struct TraceSource {
  std::string layout;                ///< "nsys" or "nvprof".
  std::string version;               ///< Of the exporter or the file's schema; empty if it does not say.
  std::vector<std::string> devices;  ///< Names of the GPUs; empty if the file does not say.
  uint64_t withoutTime = 0; ///< Operations left out: the profiler could not take their times (0, or end before start).
  bool hasMemoryKinds = false; ///< It says which copies were pinned.
  uint32_t streams = 0;
};

/// Shows every operation. Errors: no file, no SQLite database, a damaged one, no GPU activity in it, a column that is
/// missing or does not hold whole numbers: `t.sqlite: CUPTI_ACTIVITY_KIND_MEMCPY: row 3: bytes: expected a whole
/// number, found text 'x'`.
llvm::Expected<TraceSource> readTrace(const std::string &file, llvm::function_ref<void(const TraceOperation &)> visit);

} // namespace busfare::projection

#endif
