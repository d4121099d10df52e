//===- projection/report/Remarks.h - What a report says at places ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A report as a list of remarks, each at one place of the source: its findings, the
// verdict of each region, nests without a price, or (`loops`) the verdict of each loop.
// Formats that other programs read (RemarkWriters.h) are made from it:
//
//   jacobi.c:14:3  warning  verdict-port  Worth moving to a GPU: simulate, 3.9x ...
//   jacobi.c:12:19 warning  BF008         nothing binds n: 1024 is assumed ...
//
// The most important come first: errors, regions to port by the time they gain, regions
// to measure by their time, nests without a price by their work, warnings, and the rest.
//
// A fingerprint says that a remark is the one of an earlier run. No line is in it, so that it
// survives code that moves; of a region it is the structure of its loops (RegionReport), of
// others the rule, the file, and the words without line numbers. Of several that are alike
// in that, each has its own: they are counted from the top of the file.
//
// To add a rule that is no finding, touch: this file, Remarks.cpp, brs/rules/.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_REMARKS_H
#define BUSFARE_PROJECTION_REPORT_REMARKS_H

#include "projection/report/Report.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace busfare::projection {

/// What paths are relative to.
struct SourceRoot {
  std::string folder;        ///< Absolute: the top of the repository.
  std::string workingFolder; ///< Absolute: where the report's relative names begin.
};

struct RemarkPlace {
  std::string path;      ///< From the root; absolute if it lies elsewhere; empty: not known.
  bool isInRoot = false;
  unsigned line = 0, column = 0; ///< 0 = not known.
};

/// Text for what lies between two places of a file, the first of them in it and the second not. Lines and columns
/// from 1.
struct Replacement {
  unsigned line = 1, column = 1, endLine = 1, endColumn = 1;
  std::string text;
};
struct FileChange {
  RemarkPlace file;
  std::vector<Replacement> replacements; ///< In order, none within another.
};
/// A change of the sources that does what the remark proposes.
struct RemarkFix {
  std::string description;
  std::vector<FileChange> files;
};

struct Remark {
  std::string rule;     ///< One of brs/RulePages.h.
  skeleton::Level level = skeleton::Level::Remark;
  RemarkPlace place;
  std::string function; ///< Empty: not said.
  std::string message;  ///< Sentences in one line, all of it to be seen (Printable.h).
  std::string fingerprint;
  bool isSuppressed = false; ///< By a hint ignore(...).
  std::vector<std::pair<RemarkPlace, std::string>> related; ///< Other places, and what is there.
  llvm::json::Object figures; ///< Of a region or nest, by the keys of the JSON report.
  std::vector<RemarkFix> fixes;
};

struct Remarks {
  std::string version, command; ///< "0.1.0", "analyze".
  std::vector<Remark> list;     ///< The most important first.
  std::vector<std::string> notAnalysed;
  bool isPartial = false;       ///< Some units or functions could not be read or analysed: exit code 3.
};

/// The rules of remarks that are no findings.
llvm::ArrayRef<llvm::StringRef> ownRemarkRules();

/// A file's name in remarks.
RemarkPlace placeFrom(const SourceRoot &root, llvm::StringRef file);

Remarks remarksOf(const Report &report, const SourceRoot &root);
/// Loops in place of regions and nests.
Remarks loopRemarksOf(const Report &report, const SourceRoot &root);

} // namespace busfare::projection

#endif
