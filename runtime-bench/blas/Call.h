//===- runtime-bench/blas/Call.h - One BLAS call --------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a caller asked for, in one form for all routines and types: the shape that decides
// the tiles (projection/BlasTiles.h), the flags that a kernel is told, and where the
// operands lie. A vector is a matrix of one column whose rows lie an increment apart;
// for a negative increment `at` is its first element, which has the highest address.
//
// Scalars are kept as complex doubles, which hold those of all four types exactly.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_CALL_H
#define BUSFARE_RUNTIMEBENCH_BLAS_CALL_H

#include "projection/BlasTiles.h"
#include <complex>
#include <cstddef>
#include <string>

namespace busfare::blas {

using projection::BlasKind;
using projection::nameOf;
using Scalar = std::complex<double>;

/// Of one routine in four types: s, d, c, z.
enum class Element : unsigned char { S, D, C, Z };
constexpr size_t bytesOf(Element element) { return element == Element::S ? 4 : element == Element::Z ? 16 : 8; }
constexpr char letterOf(Element element) { return "sdcz"[int(element)]; }
constexpr bool isComplex(Element element) { return element == Element::C || element == Element::Z; }

/// The same numbers that the C interface has (busfare-blas.h).
enum class Status {
  Ok = 0,
  InvalidArgument = 1,
  NoDevice = 2,
  OutOfMemory = 3,
  DeviceError = 4,
  NoHostBlas = 5,
};

/// Element (i, j) of a matrix lies (i * rowStride + j * columnStride) elements behind `at`.
struct View {
  char *at = nullptr;
  int64_t rowStride = 1, columnStride = 0;
};

struct Operand {
  View view;
  int64_t rows = 0, columns = 0;
  bool isRead = true, isWritten = false;
};

struct Call {
  projection::TiledCall shape;
  Element element = Element::D;
  char transA = 'N', transB = 'N', uplo = 'L', side = 'L', diag = 'N';
  bool conjugates = false; ///< dotc: of its first vector.
  Scalar alpha = 1, beta = 0;
  std::vector<Operand> operands; ///< As projection::operandsOf has them.
  void *result = nullptr;        ///< dot: where the sum goes, in host memory.

  size_t bytes() const { return bytesOf(element); }
  /// dgemm
  std::string name() const;
};

/// A kernel on tiles that are in the device's memory.
struct TileKernel {
  BlasKind work = BlasKind::Gemm;
  Element element = Element::D;
  char transA = 'N', transB = 'N', uplo = 'L', side = 'L', diag = 'N';
  bool conjugates = false;
  int64_t m = 0, n = 0, k = 0; ///< Of a gemv, of its matrix as it is stored.
  Scalar alpha = 1, beta = 1;
  View a, b, c;        ///< Those that the routine has: of axpy and dot a and c.
  void *sum = nullptr; ///< dot: where its sum goes, on the device.
};

/// What decides a kernel of a call, beside where its blocks lie.
struct KernelOf {
  BlasKind work;
  bool transposesA, transposesB;
  bool isFirst;   ///< On its result: applies beta (in a solve alpha).
  bool subtracts; ///< c = c - a b.
  int64_t m, n, k;
};
/// With the call's flags and scalars, as they are for one of its steps.
TileKernel kernelOf(const Call &call, const KernelOf &step);

} // namespace busfare::blas

#endif
