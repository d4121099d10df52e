//===- runtime-bench/link.cu - What the bus, a launch and DRAM cost -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Times the copies whose prices the transfer models need, from 1 byte to 512 MiB:
//
//   copy,h2d,pinned,1,...      the latency (LogGP's L + o), about 5 us on PCIe 4
//   copy,h2d,pinned,536870912  the bandwidth (1 / G), about 25 GB/s
//   split,h2d,pinned,N,m,...   m copies of N/m bytes: time(m) - time(1) = (m - 1) gap
//
// The clock is the host's, from before the call until the stream is idle, since
// that is what a program waits for; empty_sync says what waiting alone costs.
// Buffers are written before the first timing, so no page is touched first in it.
// Does not measure: managed memory, several devices, NUMA placement of the host
// buffers (run it under numactl for that).
//
// Method: van Werkhoven, Maassen, Seinstra, Bal: Performance models for CPU-GPU
// data transfers, CCGrid 2014.
//
//===----------------------------------------------------------------------===//
#include "runtime-bench/Check.cuh"
#include "runtime-bench/Probe.h"
#include "runtime-bench/Timed.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

namespace {

__global__ void nothing() {}

__global__ void copyKernel(const double *in, double *out, size_t n) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    out[i] = in[i];
}

__global__ void triadKernel(const double *b, const double *c, double *a, double s, size_t n) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    a[i] = b[i] + s * c[i];
}

/// Reads all of in; the sum is stored only if it is a value that no buffer here adds up to, so the reads stay.
__global__ void readKernel(const double *in, double *out, size_t n) {
  double sum = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    sum += in[i];
  if (sum == -1.25) *out = sum;
}

/// Goes on where the last one stopped: from the same start each time the lines on the way would be in the cache.
__global__ void chaseKernel(const unsigned *next, int steps, unsigned *place) {
  unsigned at = *place;
  for (int k = 0; k < steps; k++) at = next[at];
  *place = at;
}

__global__ void writeKernel(double *out, double value, size_t n) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    out[i] = value;
}

/// Small copies are over in microseconds and noisy: more of them.
int repeatsFor(size_t bytes, const Options &options) {
  const int full = bytes <= (size_t(1) << 20) ? 100 : bytes <= (size_t(64) << 20) ? 30 : 10;
  return options.quick ? full / 5 : full;
}

std::vector<size_t> sizes(const Options &options, size_t smallest) {
  std::vector<size_t> all;
  for (size_t bytes = smallest; bytes <= options.maxBytes; bytes *= options.quick ? 16 : 2) all.push_back(bytes);
  if (all.empty() || all.back() != options.maxBytes) all.push_back(options.maxBytes);
  return all;
}

struct Buffers {
  size_t bytes;
  char *pinnedIn, *pinnedOut, *pageable, *deviceIn, *deviceOut;
  cudaStream_t up, down;

  explicit Buffers(size_t bytes) : bytes(bytes) {
    CHECK(cudaHostAlloc(&pinnedIn, bytes, cudaHostAllocMapped));
    CHECK(cudaHostAlloc(&pinnedOut, bytes, cudaHostAllocMapped));
    pageable = static_cast<char *>(std::malloc(bytes));
    if (!pageable) {
      std::fprintf(stderr, "busfare-bench: no host memory for %zu bytes; --max-bytes asks for less\n", bytes);
      std::exit(2);
    }
    CHECK(cudaMalloc(&deviceIn, bytes));
    CHECK(cudaMalloc(&deviceOut, bytes));
    CHECK(cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&down, cudaStreamNonBlocking));
    std::memset(pinnedIn, 1, bytes);
    std::memset(pinnedOut, 1, bytes);
    std::memset(pageable, 1, bytes);
    CHECK(cudaMemset(deviceIn, 1, bytes));
    CHECK(cudaMemset(deviceOut, 1, bytes));
    CHECK(cudaDeviceSynchronize());
  }
  ~Buffers() {
    cudaStreamDestroy(up);
    cudaStreamDestroy(down);
    cudaFree(deviceIn);
    cudaFree(deviceOut);
    cudaFreeHost(pinnedIn);
    cudaFreeHost(pinnedOut);
    std::free(pageable);
  }
};

void measureCopies(const Options &options, Table &table, Buffers &b) {
  for (size_t bytes : sizes(options, 1)) {
    const int repeats = repeatsFor(bytes, options);
    const auto up = [&](const void *host) {
      return timed(repeats, [&] {
        CHECK(cudaMemcpyAsync(b.deviceIn, host, bytes, cudaMemcpyHostToDevice, b.up));
        CHECK(cudaStreamSynchronize(b.up));
      });
    };
    const auto down = [&](void *host) {
      return timed(repeats, [&] {
        CHECK(cudaMemcpyAsync(host, b.deviceOut, bytes, cudaMemcpyDeviceToHost, b.down));
        CHECK(cudaStreamSynchronize(b.down));
      });
    };
    table.row("copy", "h2d", "pinned", bytes, 1, up(b.pinnedIn), double(bytes));
    table.row("copy", "d2h", "pinned", bytes, 1, down(b.pinnedOut), double(bytes));
    table.row("copy", "h2d", "pageable", bytes, 1, up(b.pageable), double(bytes));
    table.row("copy", "d2h", "pageable", bytes, 1, down(b.pageable), double(bytes));
    const auto both = timed(repeats, [&] {
      CHECK(cudaMemcpyAsync(b.deviceIn, b.pinnedIn, bytes, cudaMemcpyHostToDevice, b.up));
      CHECK(cudaMemcpyAsync(b.pinnedOut, b.deviceOut, bytes, cudaMemcpyDeviceToHost, b.down));
      CHECK(cudaStreamSynchronize(b.up));
      CHECK(cudaStreamSynchronize(b.down));
    });
    table.row("copy", "both", "pinned", bytes, 1, both, 2.0 * bytes);
  }
}

/// One direction while the other is busy all the time: CoCoPeLia's slowdown is this over the copy alone. The GPU's
/// clock brackets the copy, since the host would wait for the busy stream's end as well.
void measureBusy(const Options &options, Table &table, Buffers &b) {
  cudaEvent_t start, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  const size_t bytes = b.bytes;
  const int repeats = repeatsFor(bytes, options);
  for (const bool isUp : {true, false}) {
    const cudaStream_t timed = isUp ? b.up : b.down, other = isUp ? b.down : b.up;
    for (const bool isBusy : {false, true}) {
      std::vector<double> seconds;
      for (int r = 0; r <= repeats; r++) {
        // Four copies outlast one, whichever of the two starts first.
        for (int k = 0; isBusy && k < 4; k++)
          CHECK(isUp ? cudaMemcpyAsync(b.pinnedOut, b.deviceOut, bytes, cudaMemcpyDeviceToHost, other)
                     : cudaMemcpyAsync(b.deviceIn, b.pinnedIn, bytes, cudaMemcpyHostToDevice, other));
        CHECK(cudaEventRecord(start, timed));
        CHECK(isUp ? cudaMemcpyAsync(b.deviceIn, b.pinnedIn, bytes, cudaMemcpyHostToDevice, timed)
                   : cudaMemcpyAsync(b.pinnedOut, b.deviceOut, bytes, cudaMemcpyDeviceToHost, timed));
        CHECK(cudaEventRecord(end, timed));
        CHECK(cudaDeviceSynchronize());
        float milliseconds = 0;
        CHECK(cudaEventElapsedTime(&milliseconds, start, end));
        if (r > 0) seconds.push_back(1e-3 * milliseconds);
      }
      table.row(isBusy ? "copy_busy" : "copy_alone", isUp ? "h2d" : "d2h", "pinned", bytes, 1, seconds, double(bytes));
    }
  }
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(end));
}

/// m copies that follow each other in one stream: the gap between messages is the slope over m.
void measureSplits(const Options &options, Table &table, Buffers &b) {
  for (size_t bytes : {size_t(64) << 10, size_t(1) << 20, size_t(16) << 20}) {
    if (bytes > b.bytes) continue;
    for (int pieces = 1; pieces <= 256; pieces *= options.quick ? 4 : 2) {
      const size_t piece = bytes / pieces;
      const auto up = timed(repeatsFor(bytes, options), [&] {
        for (int p = 0; p < pieces; p++)
          CHECK(cudaMemcpyAsync(b.deviceIn + p * piece, b.pinnedIn + p * piece, piece, cudaMemcpyHostToDevice, b.up));
        CHECK(cudaStreamSynchronize(b.up));
      });
      const auto down = timed(repeatsFor(bytes, options), [&] {
        for (int p = 0; p < pieces; p++)
          CHECK(
              cudaMemcpyAsync(b.pinnedOut + p * piece, b.deviceOut + p * piece, piece, cudaMemcpyDeviceToHost, b.down));
        CHECK(cudaStreamSynchronize(b.down));
      });
      table.row("split", "h2d", "pinned", bytes, pieces, up, double(bytes));
      table.row("split", "d2h", "pinned", bytes, pieces, down, double(bytes));
    }
  }
}

/// A kernel that reads or writes pinned host memory through the bus.
void measureMapped(const Options &options, Table &table, Buffers &b, int blocks) {
  double *in, *out;
  CHECK(cudaHostGetDevicePointer(&in, b.pinnedIn, 0));
  CHECK(cudaHostGetDevicePointer(&out, b.pinnedOut, 0));
  for (size_t bytes : sizes(options, 1024)) {
    const size_t n = bytes / sizeof(double);
    const int repeats = repeatsFor(bytes, options);
    const auto reads = timed(repeats, [&] {
      readKernel<<<blocks, 256, 0, b.up>>>(in, reinterpret_cast<double *>(b.deviceOut), n);
      CHECK_LAUNCH();
      CHECK(cudaStreamSynchronize(b.up));
    });
    const auto writes = timed(repeats, [&] {
      writeKernel<<<blocks, 256, 0, b.up>>>(out, 1.0, n);
      CHECK_LAUNCH();
      CHECK(cudaStreamSynchronize(b.up));
    });
    const auto both = timed(repeats, [&] {
      copyKernel<<<blocks, 256, 0, b.up>>>(in, out, n);
      CHECK_LAUNCH();
      CHECK(cudaStreamSynchronize(b.up));
    });
    table.row("kernel", "h2d", "mapped", n * sizeof(double), 1, reads, double(n) * sizeof(double));
    table.row("kernel", "d2h", "mapped", n * sizeof(double), 1, writes, double(n) * sizeof(double));
    table.row("kernel", "both", "mapped", n * sizeof(double), 1, both, 2.0 * n * sizeof(double));
  }
}

void measureLaunches(const Options &options, Table &table, Buffers &b) {
  const int repeats = options.quick ? 50 : 500;
  CHECK(cudaStreamSynchronize(b.up));
  const auto waiting = timed(repeats, [&] { CHECK(cudaStreamSynchronize(b.up)); });
  table.row("empty_sync", "", "", 0, 1, waiting, 0);
  const auto waited = timed(repeats, [&] {
    nothing<<<1, 32, 0, b.up>>>();
    CHECK_LAUNCH();
    CHECK(cudaStreamSynchronize(b.up));
  });
  table.row("launch_sync", "", "", 0, 1, waited, 0);
  // What the host pays to hand one over, and how fast they follow each other on the device.
  std::vector<double> handed, followed;
  const int chain = 100;
  for (int r = 0; r < repeats / 10; r++) {
    CHECK(cudaStreamSynchronize(b.up));
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < chain; k++) nothing<<<1, 32, 0, b.up>>>();
    const auto issued = std::chrono::steady_clock::now();
    CHECK_LAUNCH();
    CHECK(cudaStreamSynchronize(b.up));
    const auto done = std::chrono::steady_clock::now();
    handed.push_back(std::chrono::duration<double>(issued - start).count() / chain);
    followed.push_back(std::chrono::duration<double>(done - start).count() / chain);
  }
  table.row("launch_async", "", "", 0, chain, handed, 0);
  table.row("launch_chain", "", "", 0, chain, followed, 0);
}

/// One thread walks through lines in random order, each holding where the next is: nothing overlaps. `pieces` steps a
/// repeat. Small sets are all in the cache after the first repeats, of the largest each line is met once.
void measureChase(const Options &options, Table &table, Buffers &b) {
  const int steps = 1 << 15;
  const size_t line = 128 / sizeof(unsigned);
  for (size_t bytes : {size_t(1) << 20, size_t(16) << 20, size_t(512) << 20}) {
    if (bytes > b.bytes) continue;
    const size_t lines = bytes / 128;
    std::vector<unsigned> order(lines), next(lines * line, 0);
    for (size_t k = 0; k < lines; k++) order[k] = unsigned(k);
    std::shuffle(order.begin(), order.end(), std::mt19937(1));
    for (size_t k = 0; k < lines; k++) next[order[k] * line] = unsigned(order[(k + 1) % lines] * line);
    CHECK(cudaMemcpy(b.deviceIn, next.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(b.deviceOut, 0, sizeof(unsigned)));
    auto seconds = timed(options.quick ? 3 : 10, [&] {
      chaseKernel<<<1, 1, 0, b.up>>>(reinterpret_cast<unsigned *>(b.deviceIn), steps,
                                     reinterpret_cast<unsigned *>(b.deviceOut));
      CHECK_LAUNCH();
      CHECK(cudaStreamSynchronize(b.up));
    });
    for (double &each : seconds) each /= steps;
    table.row("device_chase", "", "device", bytes, steps, seconds, 0);
  }
}

/// Blocks of a matrix, whose rows (in C; columns in Fortran) do not lie side by side: 16 MiB in pieces that are `pitch`
/// apart.
void measureBlocks(const Options &options, Table &table, Buffers &b) {
  const size_t bytes = size_t(16) << 20;
  for (size_t pitch :
       {size_t(16) << 10, size_t(32) << 10, size_t(48) << 10, size_t(64) << 10, size_t(96) << 10, size_t(128) << 10})
    for (size_t width = size_t(1) << 10; width <= pitch; width *= 2) {
      const size_t rows = bytes / width;
      if (rows * pitch > b.bytes) continue;
      const std::string name = "copy_pitch_" + std::to_string(pitch);
      const auto up = timed(repeatsFor(bytes, options), [&] {
        CHECK(cudaMemcpy2DAsync(b.deviceIn, width, b.pinnedIn, pitch, width, rows, cudaMemcpyHostToDevice, b.up));
        CHECK(cudaStreamSynchronize(b.up));
      });
      const auto down = timed(repeatsFor(bytes, options), [&] {
        CHECK(cudaMemcpy2DAsync(b.pinnedOut, pitch, b.deviceOut, width, width, rows, cudaMemcpyDeviceToHost, b.down));
        CHECK(cudaStreamSynchronize(b.down));
      });
      table.row(name.c_str(), "h2d", "pinned", bytes, int(rows), up, double(bytes));
      table.row(name.c_str(), "d2h", "pinned", bytes, int(rows), down, double(bytes));
    }
}

void measureDeviceMemory(const Options &options, Table &table, Buffers &b, int blocks) {
  double *a;
  CHECK(cudaMalloc(&a, b.bytes));
  CHECK(cudaMemset(a, 0, b.bytes));
  double *in = reinterpret_cast<double *>(b.deviceIn), *out = reinterpret_cast<double *>(b.deviceOut);
  for (size_t bytes : sizes(options, size_t(1) << 20)) {
    const size_t n = bytes / sizeof(double);
    const int repeats = repeatsFor(bytes, options);
    const auto copies = timed(repeats, [&] {
      copyKernel<<<blocks, 256, 0, b.up>>>(in, out, n);
      CHECK_LAUNCH();
      CHECK(cudaStreamSynchronize(b.up));
    });
    const auto triads = timed(repeats, [&] {
      triadKernel<<<blocks, 256, 0, b.up>>>(in, out, a, 3.0, n);
      CHECK_LAUNCH();
      CHECK(cudaStreamSynchronize(b.up));
    });
    table.row("device_copy", "", "device", bytes, 1, copies, 2.0 * bytes);
    table.row("device_triad", "", "device", bytes, 1, triads, 3.0 * bytes);
  }
  CHECK(cudaFree(a));
}

} // namespace

void measureLink(const Options &options, Table &table) {
  int processors;
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, options.device));
  Buffers buffers(options.maxBytes);
  measureLaunches(options, table, buffers);
  measureCopies(options, table, buffers);
  measureBusy(options, table, buffers);
  measureSplits(options, table, buffers);
  measureBlocks(options, table, buffers);
  measureMapped(options, table, buffers, 8 * processors);
  measureDeviceMemory(options, table, buffers, 8 * processors);
  measureChase(options, table, buffers);
}
