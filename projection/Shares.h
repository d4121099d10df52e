//===- projection/Shares.h - What a branch's share depends on ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_SHARES_H
#define BUSFARE_PROJECTION_SHARES_H

#include "skeleton/Skeleton.h"
#include "llvm/ADT/StringRef.h"

namespace busfare::projection {

/// Does the symbol stand in what decides the branch?
bool mentions(const skeleton::Condition &condition, llvm::StringRef symbol);

} // namespace busfare::projection

#endif
