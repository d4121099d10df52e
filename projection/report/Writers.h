//===- projection/report/Writers.h - A report as text or JSON -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writers format a Report; they compute no figure of their own. Same value in,
// same bytes out. The text report of one region begins
//
//   Region jacobi.c:12:simulate
//   ===========================================================================
//   Pays off from 7 time steps on; at today's 100: 3.2x.
//
// The JSON report is a contract: keys are added, never changed. `jsonSchema`
// gives its JSON Schema (draft 2020-12).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_WRITERS_H
#define BUSFARE_PROJECTION_REPORT_WRITERS_H

#include "projection/report/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace busfare::projection {

struct TextStyle {
  unsigned width = 80;
  bool colour = false; ///< ANSI colours.
  bool details = false; ///< All that is known, behind the first screen.
  size_t top = 0;       ///< Regions on the first screen and in detail; 0: as many as fit, and the only one.
};

struct ReportDiff; // Diff.h

/// The sections of all roots, with what the front end has to say.
struct SectionsReport {
  std::string version;
  std::vector<SectionLine> sections;
  std::vector<skeleton::Finding> findings, suppressed;
};

/// The sizes of all roots.
struct SizesReport {
  std::string version;
  std::vector<SizeLine> sizes;
};

void writeText(const Report &report, llvm::raw_ostream &os, const TextStyle &style = {});
/// One line a region and machine, and nothing else: what a build wants to see.
void writeBrief(const Report &report, llvm::raw_ostream &os);
void writeLoopsText(const Report &report, llvm::raw_ostream &os, const TextStyle &style = {});
void writeSectionsText(const SectionsReport &report, llvm::raw_ostream &os, const TextStyle &style = {});

void writeSizesText(const SizesReport &report, llvm::raw_ostream &os, const TextStyle &style = {});

/// What changed since a baseline, if there is one, is the key `baseline`.
void writeJson(const Report &report, llvm::raw_ostream &os, const ReportDiff *baseline = nullptr);
void writeLoopsJson(const Report &report, llvm::raw_ostream &os);
void writeSectionsJson(const SectionsReport &report, llvm::raw_ostream &os);
void writeSizesJson(const SizesReport &report, llvm::raw_ostream &os);

/// "Pays off from 7 time steps on; at today's 1: 0.41x." What a reader wants to know first.
std::string breakEvenStatement(const RegionReport &region, const MachineAnswer &answer);

/// The outputs that have a schema: "report", "loops", "sections", "sizes", "machines", "skeletons", "port", "verify",
/// "transfers", "overlap".
llvm::ArrayRef<llvm::StringRef> schemaNames();
/// Definitions of the outputs of trace, blas, comm, papers and sweep, for jsonSchema.
extern const char *const calculatorDefinitions;
/// Likewise of explain and measure.
extern const char *const explainDefinitions;
/// Likewise of diff.
extern const char *const diffDefinitions;
extern const char *const comparisonDefinitions;
/// The JSON Schema of one output, or of all of them if name is empty; empty if there is none of that name.
std::string jsonSchema(llvm::StringRef name);

} // namespace busfare::projection

#endif
