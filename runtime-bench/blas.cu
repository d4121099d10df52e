//===- runtime-bench/blas.cu - libbusfare-blas beside what else there is ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Times BLAS calls whose operands lie on the host or on the device, three ways:
//
//   busfare    libbusfare-blas, with the tile that it selects; `projected_s` is what it said
//   tiles, panels, again: the same cut the other way, if the call has one
//   tile       the same with a given side (width): is the selected one the best?
//   threads    the same by the number of threads that pack pageable memory
//   cublasxt   NVIDIA's own library for operands on the host, by its block size
//   copies     operands in, cuBLAS, the result out, one behind the other
//
//   routine,m,n,k,places,way,tile,repeats,min_s,median_s,projected_s
//   dgemm,8192,8192,8192,ppp,busfare,1408,5,3.2e-02,3.3e-02,3.2e-02
//
// places has a letter for each operand: p pinned, g pageable, d on the device. Before it times
// what busfare selects it holds the result against that of `copies`. Matrices are random.
//
//===----------------------------------------------------------------------===//
#include "runtime-bench/Check.cuh"
#include "runtime-bench/Probe.h"
#include "runtime-bench/Timed.h"
#include "runtime-bench/blas/busfare-blas.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <cublasXt.h>
#include <cublas_v2.h>
#include <dlfcn.h>
#include <functional>
#include <map>
#include <random>

namespace {

struct Libraries {
  decltype(&cublasCreate) create;
  decltype(&cublasDgemm) dgemm;
  decltype(&cublasSgemm) sgemm;
  decltype(&cublasDsyrk) dsyrk;
  decltype(&cublasDtrsm) dtrsm;
  decltype(&cublasDgemv) dgemv;
  decltype(&cublasDaxpy) daxpy;
  decltype(&cublasXtCreate) xtCreate;
  decltype(&cublasXtDeviceSelect) xtSelect;
  decltype(&cublasXtSetBlockDim) xtBlock;
  decltype(&cublasXtDgemm) xtDgemm;
  decltype(&cublasXtSgemm) xtSgemm;
  decltype(&cublasXtDsyrk) xtDsyrk;
  decltype(&cublasXtDtrsm) xtDtrsm;
  decltype(&busfare_blas_create) ourCreate;
  decltype(&busfare_blas_destroy) ourDestroy;
  decltype(&busfare_blas_last) ourLast;
  decltype(&busfare_blas_why) ourWhy;
  decltype(&busfare_blas_dgemm) ourDgemm;
  decltype(&busfare_blas_sgemm) ourSgemm;
  decltype(&busfare_blas_dsyrk) ourDsyrk;
  decltype(&busfare_blas_dtrsm) ourDtrsm;
  decltype(&busfare_blas_dgemv) ourDgemv;
  decltype(&busfare_blas_daxpy) ourDaxpy;

  std::string load();
};
Libraries libraries;

std::string Libraries::load() {
  const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
  void *cublas = dlopen(name.c_str(), RTLD_NOW), *ours = dlopen("libbusfare-blas.so", RTLD_NOW);
  if (!cublas || !ours)
    return std::string(cublas ? "libbusfare-blas.so" : name) +
           " cannot be loaded: set LD_LIBRARY_PATH to where it lies";
  std::string missing;
  auto find = [&](void *library, const char *symbol, auto &function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    if (!function) missing = std::string(symbol) + " is not there";
  };
  find(cublas, "cublasCreate_v2", create);
  find(cublas, "cublasDgemm_v2", dgemm);
  find(cublas, "cublasSgemm_v2", sgemm);
  find(cublas, "cublasDsyrk_v2", dsyrk);
  find(cublas, "cublasDtrsm_v2", dtrsm);
  find(cublas, "cublasDgemv_v2", dgemv);
  find(cublas, "cublasDaxpy_v2", daxpy);
  find(cublas, "cublasXtCreate", xtCreate);
  find(cublas, "cublasXtDeviceSelect", xtSelect);
  find(cublas, "cublasXtSetBlockDim", xtBlock);
  find(cublas, "cublasXtDgemm", xtDgemm);
  find(cublas, "cublasXtSgemm", xtSgemm);
  find(cublas, "cublasXtDsyrk", xtDsyrk);
  find(cublas, "cublasXtDtrsm", xtDtrsm);
  find(ours, "busfare_blas_create", ourCreate);
  find(ours, "busfare_blas_destroy", ourDestroy);
  find(ours, "busfare_blas_last", ourLast);
  find(ours, "busfare_blas_why", ourWhy);
  find(ours, "busfare_blas_dgemm", ourDgemm);
  find(ours, "busfare_blas_sgemm", ourSgemm);
  find(ours, "busfare_blas_dsyrk", ourDsyrk);
  find(ours, "busfare_blas_dtrsm", ourDtrsm);
  find(ours, "busfare_blas_dgemv", ourDgemv);
  find(ours, "busfare_blas_daxpy", ourDaxpy);
  return missing;
}

void check(cublasStatus_t status, const char *call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "busfare-bench: blas.cu: %s: status %d\n", call, int(status));
  std::exit(4);
}

void check(busfare_blas_status status) {
  if (status == BUSFARE_BLAS_OK) return;
  std::fprintf(stderr, "busfare-bench: blas.cu: libbusfare-blas: status %d, %s\n", int(status), libraries.ourWhy());
  std::exit(4);
}

enum class Routine { Dgemm, Sgemm, Dsyrk, Dtrsm, Dgemv, Daxpy };
const char *const names[] = {"dgemm", "sgemm", "dsyrk", "dtrsm", "dgemv", "daxpy"};

struct Problem {
  Routine routine;
  int64_t m, n, k;
  size_t elementBytes() const { return routine == Routine::Sgemm ? 4 : 8; }
  /// Elements of each operand.
  std::vector<size_t> operands() const {
    switch (routine) {
    case Routine::Dgemm:
    case Routine::Sgemm: return {size_t(m * k), size_t(k * n), size_t(m * n)};
    case Routine::Dsyrk: return {size_t(n * k), size_t(n * n)};
    case Routine::Dtrsm: return {size_t(m * m), size_t(m * n)};
    case Routine::Dgemv: return {size_t(m * n), size_t(n), size_t(m)};
    case Routine::Daxpy: return {size_t(n), size_t(n)};
    }
    return {};
  }
};

constexpr double alpha = 1e-3, beta = 1;

struct Memory {
  char *device = nullptr, *pinned = nullptr, *pageable = nullptr, *original = nullptr;
};

/// Room for three operands of every kind of memory, and what they hold at first.
class Operands {
public:
  explicit Operands(size_t bytesEach) : bytesEach(bytesEach) {
    std::minstd_rand generator(1);
    for (Memory &memory : all) {
      CHECK(cudaMalloc(&memory.device, bytesEach));
      CHECK(cudaHostAlloc(&memory.pinned, bytesEach, cudaHostAllocPortable));
      memory.pageable = static_cast<char *>(std::malloc(bytesEach));
      memory.original = static_cast<char *>(std::malloc(bytesEach));
      if (!memory.pageable || !memory.original) {
        std::fprintf(stderr, "busfare-bench: no host memory for %zu bytes; --max-bytes asks for less\n", bytesEach);
        std::exit(2);
      }
    }
  }
  /// Numbers of either precision in (0, 1], of a solve's matrix small ones beside a diagonal of 2.
  void fill(const Problem &problem) {
    std::minstd_rand generator(7);
    const std::vector<size_t> counts = problem.operands();
    for (size_t i = 0; i < counts.size(); ++i) {
      const bool isSolved = problem.routine == Routine::Dtrsm && i == 0;
      std::vector<double> some(1 << 16);
      for (double &value : some) value = double(1 + generator() % 1000) / 1000 / (isSolved ? double(problem.m) : 1);
      for (size_t at = 0; at < counts[i]; ++at)
        if (problem.elementBytes() == 4)
          reinterpret_cast<float *>(all[i].original)[at] = float(some[(at * 7) & 0xffff]);
        else reinterpret_cast<double *>(all[i].original)[at] = some[(at * 7) & 0xffff];
      for (int64_t d = 0; isSolved && d < problem.m; ++d)
        reinterpret_cast<double *>(all[i].original)[d * problem.m + d] = 2;
    }
  }
  void restore(const Problem &problem, const std::string &places) {
    const std::vector<size_t> counts = problem.operands();
    for (size_t i = 0; i < counts.size(); ++i)
      CHECK(cudaMemcpy(at(i, places[i]), all[i].original, counts[i] * problem.elementBytes(), cudaMemcpyDefault));
  }
  char *at(size_t operand, char place) const {
    const Memory &memory = all[operand];
    return place == 'd' ? memory.device : place == 'p' ? memory.pinned : memory.pageable;
  }

private:
  size_t bytesEach;
  Memory all[3];
};

class Compared {
public:
  Compared(std::FILE *file, Operands &operands, const Options &options)
      : file(file), operands(operands), options(options) {
    check(libraries.create(&cublas), "cublasCreate");
    check(libraries.xtCreate(&xt), "cublasXtCreate");
    int device = options.device;
    check(libraries.xtSelect(xt, 1, &device), "cublasXtDeviceSelect");
    ours = made(0);
    std::fprintf(file, "routine,m,n,k,places,way,tile,repeats,min_s,median_s,projected_s\n");
  }
  ~Compared() { libraries.ourDestroy(ours); }

  void all(const Problem &problem, const std::vector<std::string> &wherever, bool withTiles);
  /// Pageable operands, by the threads that pack them; the column tile is their number.
  void threads(const Problem &problem, const std::string &places);

private:
  busfare_blas *made(int64_t tile, int threads = 0, busfare_blas_cut cut = BUSFARE_BLAS_BEST) {
    busfare_blas_options wanted{};
    wanted.device = options.device;
    wanted.where = BUSFARE_BLAS_DEVICE;
    wanted.tile = tile;
    wanted.copy_threads = threads;
    wanted.cut = cut;
    busfare_blas *blas;
    check(libraries.ourCreate(&blas, &wanted));
    return blas;
  }
  void runOurs(busfare_blas *blas, const Problem &problem, const std::string &places);
  void runXt(const Problem &problem, const std::string &places);
  void runCopies(const Problem &problem, const std::string &places);
  void row(const Problem &problem, const std::string &places, const char *way, int64_t tile, double projected,
           const std::function<void()> &work);
  void compareResults(const Problem &problem, const std::string &places);

  std::FILE *file;
  Operands &operands;
  const Options &options;
  cublasHandle_t cublas;
  cublasXtHandle_t xt;
  busfare_blas *ours;
};

void Compared::runOurs(busfare_blas *blas, const Problem &problem, const std::string &places) {
  auto d = [&](size_t i) { return reinterpret_cast<double *>(operands.at(i, places[i])); };
  auto s = [&](size_t i) { return reinterpret_cast<float *>(operands.at(i, places[i])); };
  const auto [routine, m, n, k] = problem;
  switch (routine) {
  case Routine::Dgemm:
    return check(libraries.ourDgemm(blas, 'N', 'N', m, n, k, alpha, d(0), m, d(1), k, beta, d(2), m));
  case Routine::Sgemm:
    return check(libraries.ourSgemm(blas, 'N', 'N', m, n, k, float(alpha), s(0), m, s(1), k, float(beta), s(2), m));
  case Routine::Dsyrk: return check(libraries.ourDsyrk(blas, 'L', 'N', n, k, alpha, d(0), n, beta, d(1), n));
  case Routine::Dtrsm: return check(libraries.ourDtrsm(blas, 'L', 'L', 'N', 'N', m, n, 1, d(0), m, d(1), m));
  case Routine::Dgemv: return check(libraries.ourDgemv(blas, 'N', m, n, alpha, d(0), m, d(1), 1, beta, d(2), 1));
  case Routine::Daxpy: return check(libraries.ourDaxpy(blas, n, alpha, d(0), 1, d(1), 1));
  }
}

void Compared::runXt(const Problem &problem, const std::string &places) {
  auto d = [&](size_t i) { return reinterpret_cast<double *>(operands.at(i, places[i])); };
  auto s = [&](size_t i) { return reinterpret_cast<float *>(operands.at(i, places[i])); };
  const auto [routine, m, n, k] = problem;
  const float a = float(alpha), b = float(beta);
  const double one = 1;
  const auto none = CUBLAS_OP_N;
  if (routine == Routine::Dgemm)
    check(libraries.xtDgemm(xt, none, none, m, n, k, &alpha, d(0), m, d(1), k, &beta, d(2), m), "cublasXtDgemm");
  if (routine == Routine::Sgemm)
    check(libraries.xtSgemm(xt, none, none, m, n, k, &a, s(0), m, s(1), k, &b, s(2), m), "cublasXtSgemm");
  if (routine == Routine::Dsyrk)
    check(libraries.xtDsyrk(xt, CUBLAS_FILL_MODE_LOWER, none, n, k, &alpha, d(0), n, &beta, d(1), n), "cublasXtDsyrk");
  if (routine == Routine::Dtrsm)
    check(libraries.xtDtrsm(xt, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, none, CUBLAS_DIAG_NON_UNIT, m, n, &one, d(0),
                            m, d(1), m),
          "cublasXtDtrsm");
  CHECK(cudaDeviceSynchronize());
}

void Compared::runCopies(const Problem &problem, const std::string &places) {
  const std::vector<size_t> counts = problem.operands();
  for (size_t i = 0; i < counts.size(); ++i)
    if (places[i] != 'd')
      CHECK(cudaMemcpyAsync(operands.at(i, 'd'), operands.at(i, places[i]), counts[i] * problem.elementBytes(),
                            cudaMemcpyHostToDevice));
  auto d = [&](size_t i) { return reinterpret_cast<double *>(operands.at(i, 'd')); };
  auto s = [&](size_t i) { return reinterpret_cast<float *>(operands.at(i, 'd')); };
  const int m = int(problem.m), n = int(problem.n), k = int(problem.k);
  const float a = float(alpha), b = float(beta);
  const double one = 1;
  const auto none = CUBLAS_OP_N;
  switch (problem.routine) {
  case Routine::Dgemm:
    check(libraries.dgemm(cublas, none, none, m, n, k, &alpha, d(0), m, d(1), k, &beta, d(2), m), "cublasDgemm");
    break;
  case Routine::Sgemm:
    check(libraries.sgemm(cublas, none, none, m, n, k, &a, s(0), m, s(1), k, &b, s(2), m), "cublasSgemm");
    break;
  case Routine::Dsyrk:
    check(libraries.dsyrk(cublas, CUBLAS_FILL_MODE_LOWER, none, n, k, &alpha, d(0), n, &beta, d(1), n), "cublasDsyrk");
    break;
  case Routine::Dtrsm:
    check(libraries.dtrsm(cublas, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, none, CUBLAS_DIAG_NON_UNIT, m, n, &one,
                          d(0), m, d(1), m),
          "cublasDtrsm");
    break;
  case Routine::Dgemv:
    check(libraries.dgemv(cublas, none, m, n, &alpha, d(0), m, d(1), 1, &beta, d(2), 1), "cublasDgemv");
    break;
  case Routine::Daxpy: check(libraries.daxpy(cublas, n, &alpha, d(0), 1, d(1), 1), "cublasDaxpy"); break;
  }
  const size_t last = counts.size() - 1;
  if (places[last] != 'd')
    CHECK(cudaMemcpyAsync(operands.at(last, places[last]), operands.at(last, 'd'),
                          counts[last] * problem.elementBytes(), cudaMemcpyDeviceToHost));
  CHECK(cudaDeviceSynchronize());
}

void Compared::row(const Problem &problem, const std::string &places, const char *way, int64_t tile, double projected,
                   const std::function<void()> &work) {
  const int repeats = options.quick ? 2 : problem.m * problem.n >= (int64_t(1) << 27) ? 3 : 5;
  const Statistics s = summarise(timed(repeats, work));
  std::fprintf(file, "%s,%lld,%lld,%lld,%s,%s,%lld,%d,%.4e,%.4e,", names[int(problem.routine)],
               static_cast<long long>(problem.m), static_cast<long long>(problem.n), static_cast<long long>(problem.k),
               places.c_str(), way, static_cast<long long>(tile), repeats, s.min, s.median);
  if (projected > 0) std::fprintf(file, "%.4e", projected);
  std::fputc('\n', file);
  std::fflush(file);
}

/// Ends the program if the library's result is not that of copies and cuBLAS.
void Compared::compareResults(const Problem &problem, const std::string &places) {
  const std::vector<size_t> counts = problem.operands();
  const size_t last = counts.size() - 1, bytes = counts[last] * problem.elementBytes();
  std::vector<char> right(bytes), found(bytes);
  operands.restore(problem, places);
  runCopies(problem, places);
  CHECK(cudaMemcpy(right.data(), operands.at(last, places[last]), bytes, cudaMemcpyDefault));
  operands.restore(problem, places);
  runOurs(ours, problem, places);
  CHECK(cudaMemcpy(found.data(), operands.at(last, places[last]), bytes, cudaMemcpyDefault));
  auto valueOf = [&](const std::vector<char> &from, size_t i) {
    return problem.elementBytes() == 4 ? reinterpret_cast<const float *>(from.data())[i]
                                       : reinterpret_cast<const double *>(from.data())[i];
  };
  const double epsilon = problem.elementBytes() == 4 ? 0x1p-23 : 0x1p-52,
               bound = 8 * double(problem.k + problem.m + 2) * epsilon * 2;
  for (size_t i = 0; i < counts[last]; ++i)
    if (!(std::abs(valueOf(right, i) - valueOf(found, i)) <= bound)) {
      std::fprintf(stderr, "busfare-bench: blas.cu: %s %lld %lld %lld %s: element %zu is %g instead of %g\n",
                   names[int(problem.routine)], static_cast<long long>(problem.m), static_cast<long long>(problem.n),
                   static_cast<long long>(problem.k), places.c_str(), i, valueOf(found, i), valueOf(right, i));
      std::exit(4);
    }
}

void Compared::all(const Problem &problem, const std::vector<std::string> &wherever, bool withTiles) {
  operands.fill(problem);
  const int64_t longest = std::max({problem.m, problem.n, problem.k});
  for (const std::string &places : wherever) {
    if (longest <= 8192 || problem.routine == Routine::Daxpy) compareResults(problem, places);
    operands.restore(problem, places);
    runOurs(ours, problem, places);
    busfare_blas_report report;
    libraries.ourLast(ours, &report);
    row(problem, places, "busfare", report.tile, report.projected_s, [&] { runOurs(ours, problem, places); });
    const bool isByPanels = report.cut == BUSFARE_BLAS_PANELS;
    busfare_blas *other = made(0, 0, isByPanels ? BUSFARE_BLAS_TILES : BUSFARE_BLAS_PANELS);
    runOurs(other, problem, places);
    libraries.ourLast(other, &report);
    row(problem, places,
        isByPanels                          ? "tiles"
        : report.cut == BUSFARE_BLAS_PANELS ? "panels"
                                            : "again",
        report.tile, report.projected_s, [&] { runOurs(other, problem, places); });
    libraries.ourDestroy(other);
    row(problem, places, "copies", 0, 0, [&] { runCopies(problem, places); });
    const bool hasXt = problem.routine != Routine::Dgemv && problem.routine != Routine::Daxpy;
    // The largest blocks of those that a matrix has were the fastest ones wherever all were tried.
    for (int block : {1024, 2048, 4096})
      if (hasXt && (block <= longest || block == 1024) && 4 * block >= std::min<int64_t>(8192, longest * 2) &&
          !(options.quick && block != 2048)) {
        check(libraries.xtBlock(xt, block), "cublasXtSetBlockDim");
        row(problem, places, "cublasxt", block, 0, [&] { runXt(problem, places); });
      }
  }
  if (!withTiles) return;
  std::vector<int64_t> tiles;
  const bool isVector = problem.routine == Routine::Daxpy;
  for (int64_t tile = isVector ? 1 << 18 : 512; tile <= longest; tile += isVector      ? tile
                                                                         : tile < 2048 ? 256
                                                                         : tile < 4096 ? 512
                                                                                       : 2048)
    tiles.push_back(tile);
  for (int64_t tile : tiles) {
    busfare_blas *with = made(tile);
    row(problem, wherever.front(), "tile", tile, 0, [&] { runOurs(with, problem, wherever.front()); });
    libraries.ourDestroy(with);
  }
}

void Compared::threads(const Problem &problem, const std::string &places) {
  operands.fill(problem);
  operands.restore(problem, places);
  for (int count : {1, 2, 4, 8, 12, 16}) {
    busfare_blas *with = made(0, count);
    row(problem, places, "threads", count, 0, [&] { runOurs(with, problem, places); });
    libraries.ourDestroy(with);
  }
}

} // namespace

std::string chooseDeviceWithLibraries(const Options &options) {
  if (std::string why = chooseDevice(options); !why.empty()) return why;
  return libraries.load();
}

void measureBlas(const Options &options, std::FILE *file) {
  Operands operands(options.maxBytes);
  Compared compared(file, operands, options);
  const std::vector<std::string> everywhere = {"ppp", "ggg", "dpp", "pdp", "ppd", "ddp", "dpd", "pdd"};
  const std::vector<std::string> some = {"ppp", "ggg", "ppd", "ddp"};
  const std::vector<std::string> two = {"pp", "gg", "dp", "pd"}, three = {"ppp", "ggg", "dpp"};
  const int64_t most = int64_t(std::sqrt(double(options.maxBytes) / 8));
  if (most >= 8192) compared.threads({Routine::Dgemm, 8192, 8192, 8192}, "ggg");
  for (int64_t side : {1024, 2048, 4096, 8192, 16384})
    if (side <= most && !(options.quick && side % 4096)) {
      for (Routine routine : {Routine::Dgemm, Routine::Sgemm})
        compared.all({routine, side, side, side}, side <= 8192 ? everywhere : some, side % 4096 == 0);
      if (side % 4096 == 0 && side <= 8192) {
        compared.all({Routine::Dsyrk, side, side, side}, two, side == 8192);
        compared.all({Routine::Dtrsm, side, side, side}, two, side == 8192);
        compared.all({Routine::Dgemv, side, side, 1}, three, side == 8192);
      }
    }
  if (const int64_t side = std::min<int64_t>(most, 16384); side >= 4096) {
    compared.all({Routine::Dgemm, side, side, 512}, {"ppp"}, true);
    compared.all({Routine::Dgemm, 512, side, side}, {"ppp"}, true);
    compared.all({Routine::Dgemm, side, 512, side}, {"ppp"}, true);
  }
  for (int64_t length : {int64_t(1) << 22, int64_t(1) << 25, int64_t(1) << 28})
    if (size_t(length) * 8 <= options.maxBytes) compared.all({Routine::Daxpy, 1, length, 1}, two, length > (1 << 22));
}
