//===- test/support/Text.h - Text in tests ---------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Text literals that follow the indentation of the code around them, and golden
// files: text kept beside the test, compared as a whole.
//
//   parse(unindent(R"(
//     skeleton 1
//       unit "a.c"
//   )"))                                  // "skeleton 1\n  unit \"a.c\"\n"
//   expectGolden("projection/golden/report.txt", text);
//
// Golden files change only through test/update_checks, which sets
// BUSFARE_UPDATE_GOLDENS: then expectGolden writes and compares nothing.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_SUPPORT_TEXT_H
#define BUSFARE_TEST_SUPPORT_TEXT_H

#include <string>

namespace busfare::test {

/// Without the first line break and the blanks that all lines begin with; blanks after the last line go.
/// Lines that are blank altogether count for nothing and come out empty.
std::string unindent(const std::string &text);

/// The first line in which the two differ, as `line 3: expected "...", found "..."`; empty if they are the same.
std::string firstDifference(const std::string &expected, const std::string &found);

/// Fails the running test unless the file `test/<path>` holds exactly this text; a missing file fails it too.
void expectGolden(const std::string &path, const std::string &text);

} // namespace busfare::test

#endif
