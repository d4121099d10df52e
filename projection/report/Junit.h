//===- projection/report/Junit.h - Conditions as tests, for a build server -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// JUnit's XML, which Jenkins, GitLab and others show as tests. A condition is a test,
// which fails if the condition holds:
//
//   <testcase classname="busfare.analyze" name="speedup&lt;2">
//     <failure message="2 reasons" type="speedup&lt;2">region a.c:4:f has 0.41x on a100-pcie4
//   region b.c:9:g has 1.2x on a100-pcie4</failure>
//
// There is no time and no host name in it: the same input gives the same bytes.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_JUNIT_H
#define BUSFARE_PROJECTION_REPORT_JUNIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace busfare::projection {

struct JunitTest {
  std::string name;
  std::vector<std::string> failures; ///< A sentence each; empty: it passed.
};

/// notes: what whoever reads the result should know besides, a line each.
void writeJunit(llvm::StringRef suite, llvm::ArrayRef<JunitTest> tests, llvm::ArrayRef<std::string> notes,
                llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
