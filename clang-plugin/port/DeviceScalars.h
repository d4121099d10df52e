//===- clang-plugin/port/DeviceScalars.h - Variables that only the device uses -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What one thread of the device computes in one statement and uses in the next need not go by way
// of the host, though the two are kernels of their own:
//
//   float delta;                     #pragma omp target enter data map(alloc: delta)
//   if (r == 0) delta = a[0] - b;    #pragma omp target map(alloc: delta)
//   u[0] = a[0] + delta;             #pragma omp target map(alloc: delta)
//
// Without, each would bring the value and take it back: 4 bytes each way, a launch at a time.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_DEVICESCALARS_H
#define BUSFARE_CLANG_PLUGIN_PORT_DEVICESCALARS_H

#include "clang-plugin/port/FunctionSource.h"
#include <set>

namespace busfare::frontend::port {

/// The function's local numbers that nothing but these statements mentions, each with the spot of its declaration:
/// device memory can begin behind that and end where its block does.
std::map<const clang::ValueDecl *, const Spot *> deviceScalars(const FunctionSource &source,
                                                               const std::set<const Spot *> &onDevice);

} // namespace busfare::frontend::port

#endif
