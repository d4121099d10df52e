//===- runtime-bench/tiles.cu - The device's BLAS on one tile -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What CoCoPeLia's choice of a tile needs of a device (projection/Blas.h): cuBLAS on operands
// that are there, by edge of a square tile, of axpy by length. The column pieces is the edge.
//
//   dgemm,,device,8388608,1024,10,...   C = A B + C, T = 1024
//   daxpy,,device,8388608,1048576,10,.. y = a x + y, 1048576 elements
//
// cuBLAS is loaded when it is asked for, so that busfare-bench runs without. Operands are random:
// zeros draw less power, and run faster.
//
// Method: Anastasiadis et al.: CoCoPeLia: Communication-Computation Overlap Prediction for
// Efficient Linear Algebra on GPUs, ISPASS 2021, section IV.
//
//===----------------------------------------------------------------------===//
#include "runtime-bench/Check.cuh"
#include "runtime-bench/Probe.h"
#include "runtime-bench/Timed.h"
#include <algorithm>
#include <cublas_v2.h>
#include <dlfcn.h>
#include <random>

namespace {

/// The functions of cuBLAS that are timed.
struct Blas {
  void *library = nullptr;
  decltype(&cublasCreate) create = nullptr;
  decltype(&cublasDestroy) destroy = nullptr;
  decltype(&cublasDgemm) dgemm = nullptr;
  decltype(&cublasSgemm) sgemm = nullptr;
  decltype(&cublasDaxpy) daxpy = nullptr;
  decltype(&cublasDsyrk) dsyrk = nullptr;
  decltype(&cublasDtrsm) dtrsm = nullptr;
  decltype(&cublasDgemv) dgemv = nullptr;

  bool load() {
    const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
    library = dlopen(name.c_str(), RTLD_NOW);
    if (!library) return false;
    create = reinterpret_cast<decltype(create)>(dlsym(library, "cublasCreate_v2"));
    destroy = reinterpret_cast<decltype(destroy)>(dlsym(library, "cublasDestroy_v2"));
    dgemm = reinterpret_cast<decltype(dgemm)>(dlsym(library, "cublasDgemm_v2"));
    sgemm = reinterpret_cast<decltype(sgemm)>(dlsym(library, "cublasSgemm_v2"));
    daxpy = reinterpret_cast<decltype(daxpy)>(dlsym(library, "cublasDaxpy_v2"));
    dsyrk = reinterpret_cast<decltype(dsyrk)>(dlsym(library, "cublasDsyrk_v2"));
    dtrsm = reinterpret_cast<decltype(dtrsm)>(dlsym(library, "cublasDtrsm_v2"));
    dgemv = reinterpret_cast<decltype(dgemv)>(dlsym(library, "cublasDgemv_v2"));
    return create && destroy && dgemm && sgemm && daxpy && dsyrk && dtrsm && dgemv;
  }
};

Blas blas;

void check(cublasStatus_t status, const char *call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::fprintf(stderr, "busfare-bench: tiles.cu: %s: status %d\n", call, int(status));
  std::exit(4);
}

template <class Element> Element *random(size_t count) {
  std::vector<Element> values(count);
  std::minstd_rand generator(1);
  for (Element &value : values) value = Element(generator() % 1000) / 1000;
  Element *device;
  CHECK(cudaMalloc(&device, count * sizeof(Element)));
  CHECK(cudaMemcpy(device, values.data(), count * sizeof(Element), cudaMemcpyHostToDevice));
  return device;
}

/// Edges of the tiles that are timed.
std::vector<int> edges(const Options &options) {
  const int most = std::min(8192, int(std::sqrt(double(options.maxBytes) / sizeof(double))));
  std::vector<int> all;
  for (int edge = 256; edge <= most; edge += edge < 4096 ? 256 : 1024)
    if (!options.quick || !(edge & (edge - 1))) all.push_back(edge);
  return all;
}

template <class Element, class Gemm>
void measureGemm(const char *name, Gemm gemm, cublasHandle_t handle, const Options &options, Table &table) {
  const Element one = 1;
  for (int edge : edges(options)) {
    const size_t count = size_t(edge) * edge;
    Element *a = random<Element>(count), *b = random<Element>(count), *c = random<Element>(count);
    const auto seconds = timed(options.quick ? 3 : 10, [&] {
      check(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, edge, edge, edge, &one, a, edge, b, edge, &one, c, edge), name);
      CHECK(cudaDeviceSynchronize());
    });
    table.row(name, "", "device", count * sizeof(Element), edge, seconds, 0);
    for (Element *operand : {a, b, c}) CHECK(cudaFree(operand));
  }
}

/// call(edge, a, b, c) on square operands that are there.
template <class Call> void measureSquare(const char *name, const Options &options, Table &table, Call call) {
  for (int edge : edges(options)) {
    const size_t count = size_t(edge) * edge;
    double *a = random<double>(count), *b = random<double>(count), *c = random<double>(count);
    const auto seconds = timed(options.quick ? 3 : 10, [&] {
      check(call(edge, a, b, c), name);
      CHECK(cudaDeviceSynchronize());
    });
    table.row(name, "", "device", count * sizeof(double), edge, seconds, 0);
    for (double *operand : {a, b, c}) CHECK(cudaFree(operand));
  }
}

/// A rank-k update, a solve (whose numbers may grow beyond all bounds, which takes no longer), a matrix times a vector.
void measureOthers(cublasHandle_t handle, const Options &options, Table &table) {
  static const double one = 1;
  measureSquare("dsyrk", options, table, [&](int edge, double *a, double *, double *c) {
    return blas.dsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, edge, edge, &one, a, edge, &one, c, edge);
  });
  measureSquare("dtrsm", options, table, [&](int edge, double *a, double *b, double *) {
    return blas.dtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, edge, edge, &one,
                      a, edge, b, edge);
  });
  measureSquare("dgemv", options, table, [&](int edge, double *a, double *b, double *c) {
    return blas.dgemv(handle, CUBLAS_OP_N, edge, edge, &one, a, edge, b, 1, &one, c, 1);
  });
}

} // namespace

std::string chooseDeviceWithBlas(const Options &options) {
  if (std::string why = chooseDevice(options); !why.empty()) return why;
  return blas.load() ? ""
                     : "cuBLAS " + std::to_string(CUBLAS_VER_MAJOR) +
                           " cannot be loaded: set LD_LIBRARY_PATH to where libcublas.so lies";
}

void measureTiles(const Options &options, Table &table) {
  cublasHandle_t handle;
  check(blas.create(&handle), "cublasCreate");
  measureGemm<double>("dgemm", blas.dgemm, handle, options, table);
  measureGemm<float>("sgemm", blas.sgemm, handle, options, table);
  measureOthers(handle, options, table);
  for (size_t count = size_t(1) << 16; count * sizeof(double) <= options.maxBytes; count *= 4) {
    double *x = random<double>(count), *y = random<double>(count);
    const double factor = 0.5;
    const auto seconds = timed(options.quick ? 3 : 20, [&] {
      check(blas.daxpy(handle, int(count), &factor, x, 1, y, 1), "daxpy");
      CHECK(cudaDeviceSynchronize());
    });
    table.row("daxpy", "", "device", count * sizeof(double), int(count), seconds, 3.0 * count * sizeof(double));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
  }
  check(blas.destroy(handle), "cublasDestroy");
}
