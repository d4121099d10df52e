//===- clang-plugin/port/DeviceCalls.h - Functions that kernels call -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function that the device calls may use nothing but its parameters and its own
// variables, and its body must be seen:
//
//   double mix(double a, double b) { return (a + b) / 2; }     can be called
//   double next(void) { return seed *= 3; }                    cannot: seed lies on the host
//
// What the C library and the compiler bring along the device has too.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_DEVICECALLS_H
#define BUSFARE_CLANG_PLUGIN_PORT_DEVICECALLS_H

#include "clang/AST/Decl.h"
#include <set>
#include <string>

namespace busfare::frontend::port {

/// Empty if it can be called, with all that it calls itself. `seen`: functions that were asked about before.
std::string whyNotOnDevice(const clang::FunctionDecl *function, std::set<const clang::FunctionDecl *> &seen);

} // namespace busfare::frontend::port

#endif
