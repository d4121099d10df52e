//===- projection/report/Csv.h - A report as rows -------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Regions, kernels and transfers in one table, for spreadsheets: `kind` says what a row is,
// and what a kind has no use for is empty. Units are in the names.
//
//   kind,region,machine,name,file,line,verdict,speedup,...
//   region,jacobi.c:12:main,a100-pcie4,main,jacobi.c,12,port,3.2,...
//   transfer,jacobi.c:12:main,,u,jacobi.c,17,,,...,h2d,8388608,...
//
// Quoted as RFC 4180 says. A name that a spreadsheet would compute (`=1+1`) has an apostrophe
// before it.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_CSV_H
#define BUSFARE_PROJECTION_REPORT_CSV_H

#include "projection/report/Report.h"
#include "llvm/Support/raw_ostream.h"

namespace busfare::projection {

/// Empty: not finite.
std::string csvNumber(double value);
/// A name, which may be anything.
std::string csvWord(llvm::StringRef name);

void writeCsv(const Report &report, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
