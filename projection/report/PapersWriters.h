//===- projection/report/PapersWriters.h - Published figures as text ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare papers` prints: a table a paper,
//
//   SRAD 4096: transfer, measured    49 ms    48 ms   -2 %   holds (30 %)
//
// and why a figure that is not claimed does not follow from the paper.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_PAPERSWRITERS_H
#define BUSFARE_PROJECTION_REPORT_PAPERSWRITERS_H

#include "projection/Papers.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

void writePapersText(llvm::ArrayRef<PaperRow> rows, llvm::raw_ostream &os, const TextStyle &style = {});
void writePapersJson(llvm::ArrayRef<PaperRow> rows, llvm::StringRef version, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
