//===- test/support/Text.cpp - Text in tests --------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "test/support/Text.h"
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

namespace busfare::test {

static std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string unindent(const std::string &text) {
  std::vector<std::string> lines = linesOf(text);
  if (!lines.empty() && lines.front().empty()) lines.erase(lines.begin());
  const bool closesOnItsOwnLine = !lines.empty() && lines.back().find_first_not_of(' ') == std::string::npos;
  if (closesOnItsOwnLine) lines.pop_back();
  size_t common = std::string::npos;
  for (const std::string &line : lines)
    common = std::min(common, line.find_first_not_of(' ')); // npos, the largest, for a blank line
  std::string result;
  for (const std::string &line : lines) {
    const bool blank = line.find_first_not_of(' ') == std::string::npos;
    result += (blank ? "" : line.substr(common)) + "\n";
  }
  return result;
}

std::string firstDifference(const std::string &expected, const std::string &found) {
  if (expected == found) return "";
  const std::vector<std::string> want = linesOf(expected), got = linesOf(found);
  const auto shown = [](const std::vector<std::string> &lines, size_t at) {
    return at < lines.size() ? "\"" + lines[at] + "\"" : std::string("the end");
  };
  size_t at = 0;
  while (at < want.size() && at < got.size() && want[at] == got[at]) at++;
  if (at == want.size() && at == got.size()) return "one ends with a line break, the other does not";
  return "line " + std::to_string(at + 1) + ": expected " + shown(want, at) + ", found " + shown(got, at);
}

void expectGolden(const std::string &path, const std::string &text) {
  const std::string full = std::string(BUSFARE_SOURCE_DIR) + "/test/" + path;
  if (std::getenv("BUSFARE_UPDATE_GOLDENS")) {
    std::ofstream(full) << text;
    return;
  }
  std::ifstream file(full);
  if (!file) {
    ADD_FAILURE() << "test/" << path << " is missing: test/update_checks unit writes it";
    return;
  }
  std::ostringstream held;
  held << file.rdbuf();
  const std::string difference = firstDifference(held.str(), text);
  EXPECT_TRUE(difference.empty()) << "test/" << path << ", " << difference
                                  << "\nif the new text is right: test/update_checks unit, then read git diff";
}

} // namespace busfare::test
