//===- clang-plugin/port/DevicePart.h - Where a pointer leads on the device -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A part of an array that begins where nothing in its function says (&u[at[k]]) has no
// section of known length. One without elements is enough where the device has the
// array already: `map(alloc: part[0:0])` makes the pointer lead to the device's copy of
// what it points to, if it points into that, and to nothing otherwise.
// (OpenMP 5.1, 2.21.7.2: zero-length array sections.)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_DEVICEPART_H
#define BUSFARE_CLANG_PLUGIN_PORT_DEVICEPART_H

#include "clang-plugin/port/Kernel.h"

namespace busfare::frontend::port {

/// Does the pointer surely point into what the device has of the array, or else the kernel touch nothing through it?
bool leadsToDevice(const brs::ArrayTransfers &array, const ArrayName &name, const KernelQuestion &question);

} // namespace busfare::frontend::port

#endif
