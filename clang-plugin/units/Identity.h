//===- clang-plugin/units/Identity.h - Which build of what is running ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What one build of busfare has computed another need not: they are told apart by what
// linkers say of the contents of programs and libraries (build ids).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_IDENTITY_H
#define BUSFARE_CLANG_PLUGIN_UNITS_IDENTITY_H

#include <string>

namespace busfare::frontend {

/// Of this program and all libraries it runs with.
const std::string &programIdentity();

/// The build id of the library or program that holds this address, in hexadecimal digits; empty if it has none.
std::string buildIdAt(const void *address);

} // namespace busfare::frontend

#endif
