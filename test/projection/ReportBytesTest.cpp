//===- test/projection/ReportBytesTest.cpp --------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/ReportBytes.h"
#include "ReportSample.h"
#include "projection/report/Writers.h"
#include "gtest/gtest.h"

using namespace busfare::projection;

static std::string jsonOf(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeJson(report, os);
  writeText(report, os);
  return text;
}

TEST(ReportBytes, ComeBackAsTheReport) {
  const Report report = test::reportSample();
  const std::string bytes = bytesOf(report);
  std::optional<Report> back = reportFrom(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(jsonOf(*back), jsonOf(report));
  EXPECT_EQ(bytesOf(*back), bytes);
  EXPECT_TRUE(reportFrom(bytesOf(Report())));
}

TEST(ReportBytes, AreAllOrNothing) {
  const std::string bytes = bytesOf(test::reportSample());
  for (size_t length = 0; length < bytes.size(); length += 1 + length / 64)
    EXPECT_FALSE(reportFrom(llvm::StringRef(bytes).take_front(length))) << length;
  EXPECT_FALSE(reportFrom(bytes + "x"));
  EXPECT_FALSE(reportFrom(std::string(bytes.size(), '\xff'))); // lengths beyond all
}
