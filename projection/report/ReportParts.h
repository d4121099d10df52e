//===- projection/report/ReportParts.h - Parts of a report in other outputs --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What Json.cpp writes of a report, for outputs that hold some of it: a region as one
// object, findings as the key `findings`.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_REPORTPARTS_H
#define BUSFARE_PROJECTION_REPORT_REPORTPARTS_H

#include "projection/report/JsonParts.h"
#include "projection/report/Report.h"

namespace busfare::projection {

void writeRegion(const RegionReport &region, Stream &json);
void writeFindings(const std::vector<skeleton::Finding> &findings, Stream &json);

} // namespace busfare::projection

#endif
