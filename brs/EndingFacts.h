//===- brs/EndingFacts.h - What holds where the program has not ended -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   n = atoi(argv[1]);
//   if (n < 1) exit(1);
//   ...                     n - 1 >= 0
//
// Such facts hold behind the branch only. They are taken for the whole function from branches
// in front of all that could run on a device or be copied, and if nothing before uses their symbols.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_ENDINGFACTS_H
#define BUSFARE_BRS_ENDINGFACTS_H

#include "skeleton/Skeleton.h"
#include <vector>

namespace busfare::brs {

/// Each is >= 0 wherever the function touches an array in a loop, or has one made.
std::vector<skeleton::Expr> endingFacts(const skeleton::Function &function);

} // namespace busfare::brs

#endif
