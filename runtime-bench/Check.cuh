//===- runtime-bench/Check.cuh - Every CUDA call, checked -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CHECK(cudaMalloc(&p, n)) goes on if the call succeeds; else the program ends
// with exit code 4 and one line:
//
//   busfare-bench: link.cu:40: cudaMalloc(&p, n): out of memory
//
// A kernel launch returns nothing: CHECK_LAUNCH() after it asks for its error.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BENCH_CHECK_CUH
#define BUSFARE_BENCH_CHECK_CUH

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

inline void check(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "busfare-bench: %s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  std::exit(4);
}

#define CHECK(call) check((call), #call, __FILE__, __LINE__)
#define CHECK_LAUNCH() check(cudaGetLastError(), "kernel launch", __FILE__, __LINE__)

#endif
