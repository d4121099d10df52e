//===- projection/report/MeasureWriters.h - A profile, for people -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tables of what one run did: times of regions and nests, trips, shares, sizes.
//
//   region           times    each  in all
//   solve.c:40:main      1  1.25 s  1.25 s
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_MEASUREWRITERS_H
#define BUSFARE_PROJECTION_REPORT_MEASUREWRITERS_H

#include "projection/Profile.h"
#include "llvm/Support/raw_ostream.h"

namespace busfare::projection {

void writeProfileText(const Profile &profile, llvm::raw_ostream &os);

/// "profile.json: solve has changed since ..., so its rows are skipped", for Report::profileRows.
std::vector<std::string> profileNotes(llvm::StringRef file, const std::map<std::string, int> &rows);

} // namespace busfare::projection

#endif
