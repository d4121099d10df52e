//===- projection/report/Junit.cpp - Conditions as tests ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/Junit.h"
#include "projection/report/Figures.h"
#include "projection/report/Printable.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::projection {

static void lines(llvm::ArrayRef<std::string> texts, llvm::raw_ostream &os) {
  for (size_t i = 0; i < texts.size(); ++i) os << (i ? "\n" : "") << xmlText(texts[i]);
}

void writeJunit(llvm::StringRef suite, llvm::ArrayRef<JunitTest> tests, llvm::ArrayRef<std::string> notes,
                llvm::raw_ostream &os) {
  const size_t failed = llvm::count_if(tests, [](const JunitTest &test) { return !test.failures.empty(); });
  const std::string counts =
      " tests=\"" + std::to_string(tests.size()) + "\" failures=\"" + std::to_string(failed) + "\" errors=\"0\"";
  os << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"busfare\"" << counts << ">\n";
  os << "  <testsuite name=\"" << xmlText(suite) << '"' << counts << " skipped=\"0\">\n";
  for (const JunitTest &test : tests) {
    os << "    <testcase classname=\"" << xmlText(suite) << "\" name=\"" << xmlText(test.name) << '"';
    if (test.failures.empty()) {
      os << "/>\n";
      continue;
    }
    const std::string message =
        test.failures.size() == 1 ? test.failures.front() : formatPlural(test.failures.size(), "reason");
    os << ">\n      <failure message=\"" << xmlText(message) << "\" type=\"" << xmlText(test.name) << "\">";
    lines(test.failures, os);
    os << "</failure>\n    </testcase>\n";
  }
  if (!notes.empty()) {
    os << "    <system-out>";
    lines(notes, os);
    os << "</system-out>\n";
  }
  os << "  </testsuite>\n</testsuites>\n";
}

} // namespace busfare::projection
