//===- runtime-bench/blas/Scalars.h - A scalar as a routine wants it ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Routines take alpha and beta by address, in their own type.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_SCALARS_H
#define BUSFARE_RUNTIMEBENCH_BLAS_SCALARS_H

#include "runtime-bench/blas/Call.h"
#include <algorithm>
#include <cstring>

namespace busfare::blas {

class StoredScalar {
public:
  StoredScalar(Scalar value, Element element) {
    const float single[] = {float(value.real()), float(value.imag())};
    const double twice[] = {value.real(), value.imag()};
    if (element == Element::S || element == Element::C) std::memcpy(memory, single, sizeof single);
    else std::memcpy(memory, twice, sizeof twice);
  }
  const void *at() const { return memory; }

private:
  alignas(16) char memory[16] = {};
};

inline Scalar scalarAt(const void *value, Element element) {
  double twice[2] = {0, 0};
  float single[2] = {0, 0};
  switch (element) {
  case Element::S: std::memcpy(single, value, 4); return single[0];
  case Element::D: std::memcpy(twice, value, 8); return twice[0];
  case Element::C: std::memcpy(single, value, 8); return {single[0], single[1]};
  case Element::Z: std::memcpy(twice, value, 16); return {twice[0], twice[1]};
  }
  return 0;
}

} // namespace busfare::blas

#endif
