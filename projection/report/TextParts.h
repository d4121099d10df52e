//===- projection/report/TextParts.h - Sentences of the text report -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What Text.cpp says, for writers that say the same elsewhere: on a page so wide that
// nothing is wrapped, each paragraph is a line.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_TEXTPARTS_H
#define BUSFARE_PROJECTION_REPORT_TEXTPARTS_H

#include "projection/report/Page.h"
#include "projection/report/Report.h"

namespace busfare::projection {

/// Does it pay, from when on, by how much; why, and what would change that. isSaid: the first screen has its sentence.
void writeAnswerFirst(const RegionReport &region, llvm::StringRef machine, const MachineAnswer &answer, bool isSaid,
                      Page &page);
void writeCoverage(const CoverageReport &coverage, Page &page);
/// Why there is no region.
std::string emptyStatement(const Report &report);

} // namespace busfare::projection

#endif
