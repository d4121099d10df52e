//===- runtime-bench/overlap.cu - What streams hide of a kernel's copies --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The same bytes in, through a kernel and out again: one behind the other, in n streams
// of a share each, and with a kernel that reaches over the bus itself (mapped memory).
// What the overlap models say can be held against it (projection/Overlap.h):
//
//   overlap_kernel,,device,67108864,1,...      tE: the kernel alone, on data that is there
//   overlap_streams,both,pinned,67108864,1,... explicit: copy, kernel, copy
//   overlap_streams,both,pinned,67108864,8,... 8 streams, each a copy, a kernel, a copy
//   overlap_mapped,both,mapped,67108864,1,...  the kernel reads and writes host memory
//   overlap_hybrid,both,mapped,67108864,8,...  streams in, written to host memory by the kernel
//
// Three kernels: one that moves its bytes and no more, and two that compute about as long as
// one copy takes, and four times as long. bytes is one direction's; the column pieces is
// the number of streams. A row overlap_kernel begins each kernel's rows.
//
// Method: van Werkhoven, Maassen, Seinstra, Bal: Performance models for CPU-GPU
// data transfers, CCGrid 2014, section IV.
//
//===----------------------------------------------------------------------===//
#include "runtime-bench/Check.cuh"
#include "runtime-bench/Probe.h"
#include "runtime-bench/Timed.h"
#include <algorithm>
#include <cstring>

namespace {

/// Each thread has one element; `rounds` dependent multiply-adds are what it computes.
__global__ void work(const double *in, double *out, size_t n, int rounds) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  double x = in[i];
  for (int r = 0; r < rounds; r++) x = x * 0.9999999 + 1e-9;
  out[i] = x;
}

void launch(const double *in, double *out, size_t n, int rounds, cudaStream_t stream) {
  work<<<unsigned((n + 255) / 256), 256, 0, stream>>>(in, out, n, rounds);
  CHECK_LAUNCH();
}

double medianOf(const std::vector<double> &seconds) { return summarise(seconds).median; }

} // namespace

void measureOverlap(const Options &options, Table &table) {
  const size_t bytes = std::min(options.maxBytes, size_t(64) << 20), n = bytes / sizeof(double);
  const int repeats = options.quick ? 5 : 20, mostStreams = 64;
  double *hostIn, *hostOut, *mappedIn, *mappedOut, *deviceIn, *deviceOut;
  CHECK(cudaHostAlloc(&hostIn, bytes, cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&hostOut, bytes, cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&mappedIn, hostIn, 0));
  CHECK(cudaHostGetDevicePointer(&mappedOut, hostOut, 0));
  CHECK(cudaMalloc(&deviceIn, bytes));
  CHECK(cudaMalloc(&deviceOut, bytes));
  std::memset(hostIn, 0, bytes);
  std::memset(hostOut, 0, bytes);
  std::vector<cudaStream_t> streams(mostStreams);
  for (cudaStream_t &stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  const auto kernelAlone = [&](int rounds) {
    return timed(repeats, [&] {
      launch(deviceIn, deviceOut, n, rounds, streams[0]);
      CHECK(cudaStreamSynchronize(streams[0]));
    });
  };
  const auto copyAlone = timed(repeats, [&] {
    CHECK(cudaMemcpyAsync(deviceIn, hostIn, bytes, cudaMemcpyHostToDevice, streams[0]));
    CHECK(cudaStreamSynchronize(streams[0]));
  });
  // A round costs what a thousand more of them add.
  const double round = std::max(1e-12, (medianOf(kernelAlone(2000)) - medianOf(kernelAlone(1000))) / 1000);
  const int asLong = std::max(1, int(medianOf(copyAlone) / round));
  for (const int rounds : {0, asLong, 4 * asLong}) {
    table.row("overlap_kernel", "", "device", bytes, 1, kernelAlone(rounds), 0);
    for (int count = 1; count <= mostStreams; count *= options.quick ? 4 : 2) {
      // Whole warps of elements; the last stream takes what is left.
      const size_t share = (n / count + 31) / 32 * 32;
      for (const bool isHybrid : {false, true}) {
        const auto seconds = timed(repeats, [&] {
          for (int k = 0; k < count; k++) {
            const size_t first = std::min(n, k * share), part = std::min(n - first, share);
            CHECK(cudaMemcpyAsync(deviceIn + first, hostIn + first, part * sizeof(double), cudaMemcpyHostToDevice,
                                  streams[k]));
            launch(deviceIn + first, (isHybrid ? mappedOut : deviceOut) + first, part, rounds, streams[k]);
            if (!isHybrid)
              CHECK(cudaMemcpyAsync(hostOut + first, deviceOut + first, part * sizeof(double), cudaMemcpyDeviceToHost,
                                    streams[k]));
          }
          CHECK(cudaDeviceSynchronize());
        });
        table.row(isHybrid ? "overlap_hybrid" : "overlap_streams", "both", isHybrid ? "mapped" : "pinned", bytes, count,
                  seconds, 2.0 * bytes);
      }
    }
    const auto mapped = timed(repeats, [&] {
      launch(mappedIn, mappedOut, n, rounds, streams[0]);
      CHECK(cudaStreamSynchronize(streams[0]));
    });
    table.row("overlap_mapped", "both", "mapped", bytes, 1, mapped, 2.0 * bytes);
  }

  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(deviceIn));
  CHECK(cudaFree(deviceOut));
  CHECK(cudaFreeHost(hostIn));
  CHECK(cudaFreeHost(hostOut));
}
