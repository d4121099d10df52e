//===- projection/report/DiffWriters.h - What changed, as text and JSON ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A ReportDiff for people, for a merge request (Markdown), and for programs. As text:
//
//   1 region changed; 1 verdict flipped; 1 loop no longer parallel
//   old.json -> new.json
//
//   Regions
//     step.c:19:main (was step.c:12:main)
//       port -> keep on a100-pcie4: 3.2x (2.1x to 4.5x) -> 0.80x (0.50x to 1.1x)
//       moved over the bus: 8,388,608 -> 16,777,216 bytes (+100 %)
//
// or one line, "nothing changed". Of a change within the intervals no more is said than
// that there is one; JSON has all figures.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_DIFFWRITERS_H
#define BUSFARE_PROJECTION_REPORT_DIFFWRITERS_H

#include "projection/report/Diff.h"
#include "projection/report/JsonParts.h"
#include "projection/report/Writers.h"

namespace busfare::projection {

void writeDiffText(const ReportDiff &diff, llvm::raw_ostream &os, const TextStyle &style = {});
void writeDiffMarkdown(const ReportDiff &diff, llvm::raw_ostream &os);
void writeDiffJson(const ReportDiff &diff, llvm::raw_ostream &os);

/// The last part of a report that has a baseline: the first few of each kind.
void writeSinceBaseline(const ReportDiff &diff, llvm::raw_ostream &os, const TextStyle &style = {});

/// "1 region changed; 1 verdict flipped; 2 findings new", or "nothing changed".
std::string diffStatement(const ReportDiff &diff);

/// The keys of the JSON output but its header: also those of the key `baseline` of a report.
void writeDiffKeys(const ReportDiff &diff, Stream &json);

} // namespace busfare::projection

#endif
