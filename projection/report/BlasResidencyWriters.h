//===- projection/report/BlasResidencyWriters.h - BLAS calls of a program -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare blas --program` prints. The text begins
//
//   BLAS calls of main on h100-sxm5
//   ===========================================================================
//   call                routine  times    host  offloaded  inputs kept
//   power.c:9:5         dgemm       10  310 ms    45.1 ms      38.4 ms
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_BLASRESIDENCYWRITERS_H
#define BUSFARE_PROJECTION_REPORT_BLASRESIDENCYWRITERS_H

#include "projection/BlasResidency.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

void writeResidencyText(const Residency &residency, llvm::raw_ostream &os, const TextStyle &style = {});
void writeResidencyJson(const Residency &residency, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
