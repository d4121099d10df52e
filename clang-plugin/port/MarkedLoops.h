//===- clang-plugin/port/MarkedLoops.h - Loops the program itself offloads -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program may say by target constructs of its own what is to run on a device, and leave
// to busfare what has to cross for that. Then only loops are kernels that such a construct
// holds, here or around a call on the way:
//
//   #pragma omp target                      sweep's loops are marked on this path
//   for (int t = 0; t < steps; t++) sweep(u, v);
//   for (int i = 0; i < n; i++) sum += u[i];          not marked: stays on the host
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_MARKEDLOOPS_H
#define BUSFARE_CLANG_PLUGIN_PORT_MARKEDLOOPS_H

#include "brs/Transfers.h"
#include "clang-plugin/port/Units.h"

namespace busfare::frontend::port {

/// The root's loops that no target construct of the program holds.
brs::KernelLoops unmarkedLoops(const projection::Root &root, llvm::ArrayRef<ProgramUnit> units);
/// Why the outermost of the others are no kernels of the root's plan.
std::vector<skeleton::Finding> whyNoKernels(const skeleton::Program &program, const projection::Root &root,
                                            const brs::KernelLoops &unmarked);

} // namespace busfare::frontend::port

#endif
