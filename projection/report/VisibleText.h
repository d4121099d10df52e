//===- projection/report/VisibleText.h - Names that may hold anything -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Names and texts come from source files, which may hold any byte. Where a reader sees
// them in somebody else's page or log, what would move the cursor, change the order of
// reading or colour the rest is written out:
//
//   a, U+202E (right to left), b     a\u202eb
//   escape, [31m                     \x1b[31m
//
// What is no UTF-8 becomes U+FFFD.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_VISIBLETEXT_H
#define BUSFARE_PROJECTION_REPORT_VISIBLETEXT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace busfare::projection {

std::string visible(llvm::StringRef text);

} // namespace busfare::projection

#endif
