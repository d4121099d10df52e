//===- runtime-bench/blas/HostBlas.h - The BLAS of the host ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The Fortran symbols of a BLAS library that is loaded at run time: what the program would
// have called (the next one behind this library), else what $BUSFARE_BLAS_HOST names, else
// OpenBLAS or whatever the system's libblas.so.3 is. Calls that are not worth the bus go there.
//
// Complex dot products are called as gfortran compiles them, returned in registers; libraries
// made for f2c's convention are not handled.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_HOSTBLAS_H
#define BUSFARE_RUNTIMEBENCH_BLAS_HOSTBLAS_H

#include "runtime-bench/blas/Call.h"

namespace busfare::blas {

class HostBlas {
public:
  /// behindThis: look first for what would be called were this library not there.
  explicit HostBlas(bool behindThis = false);
  bool isThere() const { return isComplete; }
  /// Its interface has 32-bit integers: are the call's lengths and strides such?
  static bool takes(const Call &call);
  /// The whole call at once; its operands in host memory.
  Status run(const Call &call) const;
  /// A kernel on tiles in host memory.
  Status run(const TileKernel &kernel) const;

private:
  void *symbols[4][7] = {}; ///< By element and BlasKind; the seventh is the conjugated dot product.
  bool isComplete = false;
};

} // namespace busfare::blas

#endif
