//===- projection/RootParts.h - What a root is put together from ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For roots that are not analysed from the beginning, but are another one with something
// changed (Mixes.h).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_ROOTPARTS_H
#define BUSFARE_PROJECTION_ROOTPARTS_H

#include "projection/Root.h"

namespace busfare::projection {

/// Of a kernel of the root's function.
KernelFacts factsOf(const skeleton::Program &program, const Root &root, const brs::Kernel &kernel);

} // namespace busfare::projection

#endif
