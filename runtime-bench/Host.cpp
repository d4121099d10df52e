//===- runtime-bench/Host.cpp - What the host's cores, caches and memory do ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Times what the CPU model needs, each on one core and, where cores share, on all:
//
//   clock   a chain of additions, one a cycle: 1e8 in 38 ms are 2.6 GHz
//   fma     twelve independent chains of vector a*b + c: the arithmetic peak
//   divide  independent scalar divisions; special: exp
//   read    a vector loop that adds up a working set that fits into one cache level
//   triad   a = b + s c (STREAM), three arrays four times as large as the last level
//   copy    memcpy between two such arrays
//   fork    an empty OpenMP parallel region
//
// A core that raises its clock does so here, too: the clock is what these loops ran at.
// Buffers are first touched by the threads that use them. Does not measure: latency, NUMA,
// integer units. What the kernel says of cores and caches stands in comment lines.
//
// Method: McCalpin, STREAM: Sustainable Memory Bandwidth in High Performance Computers.
//
//===----------------------------------------------------------------------===//
#include "runtime-bench/Probe.h"
#include "runtime-bench/Timed.h"
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

#if defined(__x86_64__) && defined(__GNUC__)
#define BUSFARE_X86 1
#endif
#define BUSFARE_INLINE inline __attribute__((always_inline))

typedef double Vector16 __attribute__((vector_size(16)));
typedef double Vector32 __attribute__((vector_size(32)));
typedef double Vector64 __attribute__((vector_size(64)));

volatile double sink; ///< Results go here, so that no loop is left out.

int mostThreads() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

std::vector<double> divided(std::vector<double> seconds, double by) {
  for (double &s : seconds) s /= by;
  return seconds;
}

//===--- Arithmetic -------------------------------------------------------===//

/// n rounds of twelve independent a*b + c.
template <class V> BUSFARE_INLINE double chains(long n) {
  V x[12], sum = V{};
  for (int j = 0; j < 12; j++) x[j] = V{} + 1.0 + j;
  const V m = V{} + 0.999999, c = V{} + 1e-9;
  for (long i = 0; i < n; i++)
#pragma GCC unroll 12
    for (int j = 0; j < 12; j++) x[j] = x[j] * m + c;
  for (int j = 0; j < 12; j++) sum += x[j];
  return sum[0];
}

/// The sum of n vectors, n a multiple of eight.
template <class V> BUSFARE_INLINE double sumOf(const double *values, long n) {
  const V *in = reinterpret_cast<const V *>(values);
  V s[8] = {};
  for (long i = 0; i < n; i += 8)
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) s[j] += in[i + j];
  V all = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  return all[0];
}

double chains16(long n) { return chains<Vector16>(n); }
double sum16(const double *values, long n) { return sumOf<Vector16>(values, n); }
#ifdef BUSFARE_X86
__attribute__((target("avx2,fma"))) double chains32(long n) { return chains<Vector32>(n); }
__attribute__((target("avx2,fma"))) double sum32(const double *values, long n) { return sumOf<Vector32>(values, n); }
__attribute__((target("avx512f,fma"))) double chains64(long n) { return chains<Vector64>(n); }
__attribute__((target("avx512f,fma"))) double sum64(const double *values, long n) { return sumOf<Vector64>(values, n); }
#endif

/// The widest vectors that this core has.
struct Vectors {
  size_t bytes = 16;
  bool fused = false;
  double (*chains)(long) = chains16;
  double (*sum)(const double *, long) = sum16;
};

Vectors widest() {
#ifdef BUSFARE_X86
  if (__builtin_cpu_supports("avx512f")) return {64, true, chains64, sum64};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {32, true, chains32, sum32};
  return {};
#else
  return {16, true, chains16, sum16};
#endif
}

/// n dependent additions, which the compiler can neither see through nor shorten. What is added comes from a register:
/// cores since Golden Cove add constants while they rename registers, several a cycle.
double additions(long n) {
  long x = 1, step = 3;
  __asm__ volatile("" : "+r"(step));
  for (long i = 0; i < n; i += 8) {
#pragma GCC unroll 8
    for (int j = 0; j < 8; j++) {
      x += step;
      __asm__ volatile("" : "+r"(x));
    }
  }
  return double(x);
}

/// n scalar divisions in four chains.
double divisions(long n) {
  double x[4] = {1.5, 1.6, 1.7, 1.8};
  for (long i = 0; i < n; i += 4)
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
      x[j] = 2.7 / x[j];
      __asm__ volatile("" : "+m"(x[j]));
    }
  return x[0] + x[1] + x[2] + x[3];
}

double exponentials(long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) sum += std::exp(1e-3 * double(i & 1023));
  return sum;
}

//===--- Memory -----------------------------------------------------------===//

struct Freed {
  void operator()(double *values) const { std::free(values); }
};
using Buffer = std::unique_ptr<double[], Freed>;

/// Elements rounded up to a multiple of 64, first touched as they will be used.
Buffer bufferOf(long elements, int threads) {
  elements = (elements + 63) / 64 * 64;
  Buffer buffer(
      static_cast<double *>(std::aligned_alloc(4096, (size_t(elements) * sizeof(double) + 4095) / 4096 * 4096)));
  if (!buffer) return buffer;
  double *values = buffer.get();
  (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (long i = 0; i < elements; i++) values[i] = 1;
  return buffer;
}

void triad(double *a, const double *b, const double *c, long n, int threads) {
  (void)threads;
#pragma omp parallel for num_threads(threads) schedule(static)
  for (long i = 0; i < n; i++) a[i] = b[i] + 3.0 * c[i];
}

/// The first line of a file of the kernel's; empty if there is none.
std::string lineOf(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// Of the first core's data or unified cache of that level; 0 if the kernel does not say.
size_t cacheBytes(int level, std::string *shared = nullptr) {
  for (int index = 0; index < 8; index++) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    if (lineOf(folder + "level") != std::to_string(level) || lineOf(folder + "type") == "Instruction") continue;
    const std::string size = lineOf(folder + "size");
    if (shared) *shared = lineOf(folder + "shared_cpu_list");
    return size.empty() ? 0
                        : size_t(std::atol(size.c_str())) * (size.back() == 'K'   ? 1024
                                                             : size.back() == 'M' ? 1024 * 1024
                                                                                  : 1);
  }
  return 0;
}

/// Cores of the machine, those of one package and number once; 0 if the kernel does not say.
size_t coreCount(size_t *lastLevels) {
  std::set<std::string> cores, caches;
  for (int cpu = 0; cpu < 4096; cpu++) {
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/";
    const std::string core = lineOf(folder + "topology/core_id");
    if (core.empty()) break;
    cores.insert(lineOf(folder + "topology/physical_package_id") + ":" + core);
    for (int level : {3, 2})
      if (const std::string shared = lineOf(folder + "cache/index" + std::to_string(level) + "/shared_cpu_list");
          !shared.empty()) {
        caches.insert(shared);
        break;
      }
  }
  *lastLevels = caches.empty() ? 1 : caches.size();
  return cores.size();
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0 && line.find(':') != std::string::npos) return line.substr(line.find(':') + 2);
  return "unknown";
}

} // namespace

void writeHostHeader(std::FILE *file, const char *probe, const Options &) {
  size_t lastLevels = 1;
  const size_t cores = coreCount(&lastLevels);
  const Vectors vectors = widest();
  std::fprintf(file, "# busfare-bench %s 1\n# processor: %s\n", probe, processor().c_str());
  std::fprintf(file, "# cores: %zu\n# threads: %d\n", cores ? cores : size_t(mostThreads()), mostThreads());
  std::fprintf(file, "# vector_bytes: %zu\n# fused: %d\n", vectors.bytes, int(vectors.fused));
  std::fprintf(file, "# l1_bytes: %zu\n# l2_bytes: %zu\n", cacheBytes(1), cacheBytes(2));
  const size_t last = cacheBytes(3) ? cacheBytes(3) : cacheBytes(2);
  std::fprintf(file, "# last_level_bytes: %zu\n", last * lastLevels);
}

/// Clock, peak, divisions, exp.
static void measureArithmetic(const Options &options, const Vectors &vectors, int repeats, int threads, Table &table) {
  const long work = options.quick ? 20000000 : 100000000;
  table.row("clock", "", "", size_t(work), 1, divided(timed(repeats, [&] { sink = additions(work); }), double(work)),
            0);
  // Twelve chains, two operations each.
  const double each = 24.0 * double(vectors.bytes / sizeof(double));
  const long rounds = work / 20;
  for (int used : {1, threads}) {
    const auto all = [&] {
#pragma omp parallel num_threads(used)
      {
        const double result = vectors.chains(rounds);
#pragma omp critical
        sink = result;
      }
    };
    table.row("fma", "", "", size_t(each * double(rounds)), used,
              divided(timed(repeats, all), each * double(rounds) * used), 0);
    if (threads == 1) break;
  }
  table.row("divide", "", "", size_t(work / 10), 1,
            divided(timed(repeats, [&] { sink = divisions(work / 10); }), double(work / 10)), 0);
  table.row("special", "", "", size_t(work / 20), 1,
            divided(timed(repeats, [&] { sink = exponentials(work / 20); }), double(work / 20)), 0);
}

/// A working set inside each level, read by one core.
static void measureCaches(const Options &options, const Vectors &vectors, int repeats, Table &table) {
  const size_t l1 = cacheBytes(1) ? cacheBytes(1) : 32 << 10, l2 = cacheBytes(2) ? cacheBytes(2) : 1 << 20,
               last = cacheBytes(3);
  const std::pair<const char *, size_t> levels[] = {
      {"l1", l1 / 2}, {"l2", l2 / 2}, {"last_level", last > 2 * l2 ? std::min(last / 2, 8 * l2) : 0}};
  for (const auto &[level, bytes] : levels) {
    const long n = long(bytes / (8 * vectors.bytes) * 8);
    Buffer buffer = n == 0 || bytes > options.maxBytes ? Buffer() : bufferOf(long(bytes / sizeof(double)), 1);
    if (!buffer) continue;
    const int times = int(std::max<size_t>(1, (options.quick ? size_t(64) << 20 : size_t(256) << 20) / bytes));
    const double moved = double(n) * double(vectors.bytes);
    const auto reads = [&] {
      double sum = 0;
      for (int t = 0; t < times; t++) {
        sum += vectors.sum(buffer.get(), n);
        __asm__ volatile("" : : : "memory");
      }
      sink = sum;
    };
    table.row("read", "", level, size_t(moved), 1, divided(timed(repeats, reads), times), moved);
  }
}

/// Three arrays, together four times the last level and no less than 64 MiB.
static void measureMemory(const Options &options, int repeats, int threads, Table &table) {
  const size_t last = std::max(cacheBytes(2), cacheBytes(3));
  const size_t bytes = std::min(options.maxBytes, std::max<size_t>(size_t(64) << 20, 4 * last));
  const long n = long(bytes / 3 / sizeof(double)) / 64 * 64;
  for (int used : {1, threads}) {
    Buffer a = bufferOf(n, used), b = bufferOf(n, used), c = bufferOf(n, used);
    if (!a || !b || !c) break;
    table.row("triad", "", "dram", size_t(n) * 24, used,
              timed(repeats, [&] { triad(a.get(), b.get(), c.get(), n, used); }), double(n) * 24);
    if (used == 1)
      table.row("copy", "", "dram", size_t(n) * 8, 1,
                timed(repeats, [&] { std::memcpy(a.get(), b.get(), size_t(n) * 8); }), double(n) * 8);
    if (threads == 1) break;
  }
}

void measureHost(const Options &options, Table &table) {
  const int repeats = options.quick ? 5 : 15, threads = mostThreads();
  const Vectors vectors = widest();
  measureArithmetic(options, vectors, repeats, threads, table);
  measureCaches(options, vectors, repeats, table);
  measureMemory(options, repeats, threads, table);
  const int regions = 1000;
  const auto forks = [&] {
    for (int r = 0; r < regions; r++) {
#pragma omp parallel num_threads(threads)
      {
        __asm__ volatile("" : : : "memory");
      }
    }
  };
  table.row("fork", "", "", 0, threads, divided(timed(repeats, forks), regions), 0);
}
