//===- projection/report/BlasWriters.h - A BLAS call's tiles as text ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare blas` prints. The text begins
//
//   dgemm 8192 x 8192 x 8192 on v100-pcie3
//   ===========================================================================
//   T = 2048: 182 ms with every tile brought in once.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_BLASWRITERS_H
#define BUSFARE_PROJECTION_REPORT_BLASWRITERS_H

#include "projection/Blas.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

struct BlasReport {
  std::string version, machine;
  BlasAnswer answer;
};

void writeBlasText(const BlasReport &report, llvm::raw_ostream &os, const TextStyle &style = {});
void writeBlasJson(const BlasReport &report, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
