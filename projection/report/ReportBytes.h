//===- projection/report/ReportBytes.h - A report kept for later ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A report as bytes and back, every field of it, for a cache of this very program:
// `reportFrom(bytesOf(report))` is the report. No format for others, who have JSON: its
// bytes mean something only to the build that wrote them.
//
// To add a field of Report.h, add it in ReportBytes.cpp, too: it does not compile without.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_REPORTBYTES_H
#define BUSFARE_PROJECTION_REPORT_REPORTBYTES_H

#include "projection/report/Report.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace busfare::projection {

std::string bytesOf(const Report &report);
/// Nothing: they are none of these.
std::optional<Report> reportFrom(llvm::StringRef bytes);

} // namespace busfare::projection

#endif
