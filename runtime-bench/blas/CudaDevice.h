//===- runtime-bench/blas/CudaDevice.h - An NVIDIA GPU, found at run time ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CUDA's runtime and cuBLAS are loaded when a device is asked for; nothing of them is needed
// to build this, nor to run it where there is no GPU. What is called of them is declared in
// the source file: a dozen functions whose C interface has been the same since CUDA 11.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_CUDADEVICE_H
#define BUSFARE_RUNTIMEBENCH_BLAS_CUDADEVICE_H

#include "runtime-bench/blas/Device.h"

namespace busfare::blas {

/// Null, and `why` says it: no library, no GPU, or no such number.
std::unique_ptr<Device> cudaDevice(int number, std::string &why);

} // namespace busfare::blas

#endif
