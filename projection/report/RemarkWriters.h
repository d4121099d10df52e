//===- projection/report/RemarkWriters.h - Remarks for other programs -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Remarks (Remarks.h) in the formats that code hosts and editors read:
//
//   writeSarif    SARIF 2.1.0, one run: rules with their pages, results, what was not analysed
//   writeGithub   ::warning file=src/a.c,line=12,col=19,title=BF008: A size ...::nothing binds n
//   writeGitlab   [{"check_name": "BF008", "severity": "minor", "location": {"path": ...}, ...}]
//
// Each takes as many as its readers show, the most important ones, and says how many are left
// out. What a hint suppresses is in SARIF, marked as such, and in none of the others.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_REMARKWRITERS_H
#define BUSFARE_PROJECTION_REPORT_REMARKWRITERS_H

#include "projection/report/Remarks.h"
#include "llvm/Support/raw_ostream.h"

namespace busfare::projection {

/// GitHub shows this many results of a run; GitLab's report is kept to it, too.
constexpr size_t mostRemarks = 5000;
/// GitHub shows this many annotations of each kind (error, warning, notice) of a step.
constexpr size_t mostAnnotations = 10;

/// rulesUrl: where the pages of rules are on the web, with a slash at its end; empty: nowhere.
void writeSarif(const Remarks &remarks, const SourceRoot &root, llvm::StringRef rulesUrl, llvm::raw_ostream &os);
void writeGithub(const Remarks &remarks, llvm::raw_ostream &os);
void writeGitlab(const Remarks &remarks, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
