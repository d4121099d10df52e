//===- projection/report/LongLists.h - Lists that nobody would read ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A large program has hundreds of host statements and open sizes. JSON has each of them; text
// says them together:
//
//   input.cpp:12:3: stream, input.cpp:14:9: stod, ...     input.cpp: stream (lines 12 to 90, 31 places), stod (line 14)
//   pack::value, pack::value.2, ..., pack::value.15       pack::value (15 of that name)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_LONGLISTS_H
#define BUSFARE_PROJECTION_REPORT_LONGLISTS_H

#include "projection/report/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace busfare::projection {

/// One line for each statement (`input.c:12:3: printf`); of many, one for each file.
std::vector<std::string> spokenStatements(llvm::ArrayRef<HostStatementReport> statements);

/// The names as one text; of many, the first, and how many more there are and where (`more`: what lists them).
std::string spokenNames(llvm::ArrayRef<std::string> names, llvm::StringRef more);

} // namespace busfare::projection

#endif
