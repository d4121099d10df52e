//===- projection/papers/Werkhoven.cpp - Van Werkhoven's overlap ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Papers.h"

namespace busfare::projection {

PaperTable werkhovenRows() { return PaperTable("van Werkhoven"); }

} // namespace busfare::projection
