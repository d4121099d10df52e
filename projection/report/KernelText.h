//===- projection/report/KernelText.h - The kernels, for people -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A table of kernels: how often each is launched, how long it takes, what limits it. A
// large program reaches one loop by dozens of call paths, and most of its kernels take no
// time to speak of. JSON has each; of many, text says those that matter, by their loops:
//
//   at                     launches     each   in all  limited by
//   update_halo.c:89          2*174  3.01 us  1.05 ms  launch overhead
//       reached by 7 call paths
//   The other 120 take 3.4 ms in all (1 %): viscosity.c: line 52; ...
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_KERNELTEXT_H
#define BUSFARE_PROJECTION_REPORT_KERNELTEXT_H

#include "projection/report/Page.h"
#include "projection/report/Report.h"

namespace busfare::projection {

void writeKernels(const RegionReport &region, const MachineAnswer &answer, Page &page);

/// "device memory bandwidth" for "dram".
llvm::StringRef spokenLimit(llvm::StringRef limit);

/// The file as it is said beside `beside`: without its folder, if that is the same.
std::string shortFile(llvm::StringRef file, llvm::StringRef beside);

} // namespace busfare::projection

#endif
