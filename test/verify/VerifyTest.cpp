//===- test/verify/VerifyTest.cpp - A port held against its original ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// smooth.c holds a program and its port written by hand, with mistakes that can be
// switched on. Each mistake must be found, by the check that is there for it.
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace busfare::frontend::verify;
using testing::HasSubstr;

static const std::string source = std::string(BUSFARE_SOURCE_DIR) + "/test/verify/smooth.c";

static Subject subjectWith(int fault) {
  std::string text = llvm::cantFail(llvm::errorOrToExpected(llvm::MemoryBuffer::getFile(source)))->getBuffer().str();
  auto variant = [&](int port) {
    return "#define PORT " + std::to_string(port) + "\n#define FAULT " + std::to_string(fault) + "\n" + text;
  };
  Subject subject;
  subject.units.push_back({source, "", {"-O2"}, variant(1), variant(2), variant(3)});
  subject.copies = {{0, "smooth", "a", true, true, {source, 40, 0}},
                    {1, "smooth", "weight", true, true, {source, 43, 0}},
                    {2, "smooth", "a", false, true, {source, 86, 0}}};
  subject.plan = [](const Record &record) -> llvm::Expected<std::vector<PlannedBytes>> {
    uint64_t n = 0;
    for (const ValueRecord &value : record.values) n = value.value;
    return std::vector<PlannedBytes>{
        {"smooth", "a", true, 8 * n, ""}, {"smooth", "weight", true, 24, ""}, {"smooth", "a", false, 8 * n, ""}};
  };
  return subject;
}

static Settings settings() {
  Settings result;
  result.llvmLibrary = "/usr/lib/llvm-19/lib";
  result.watch = BUSFARE_WATCH_LIBRARY;
  result.mutants = true;
  return result;
}

static VerifyReport verified(int fault) {
  llvm::Expected<VerifyReport> report = verify(subjectWith(fault), settings());
  if (report) return *report;
  ADD_FAILURE() << llvm::toString(report.takeError());
  return {};
}

/// The runs that failed, one a line: "watched, fresh memory 0x7e, 1 team: stdout differs...".
static std::string failures(const VerifyReport &report) {
  std::string text;
  for (const RunLine &line : report.runs)
    if (!line.passed) text += line.build + ", " + line.run + ": " + line.detail + "\n";
  return text;
}

TEST(Verify, RightPortPasses) {
  VerifyReport report = verified(0);
  EXPECT_EQ(failures(report), "");
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.runs.size(), 9u);
  EXPECT_EQ(report.kernels, 6u);
  ASSERT_EQ(report.bytes.size(), 3u);
  for (const BytesLine &line : report.bytes) EXPECT_TRUE(line.equal()) << line.planned.array << ' ' << line.measured;
  EXPECT_EQ(report.bytes[0].measured, 8008u);
  EXPECT_EQ(report.bytes[0].protection, "pages");
  EXPECT_TRUE(report.notes.empty()) << report.notes.front();
  ASSERT_EQ(report.mutants.size(), 6u);
  for (const MutantLine &line : report.mutants)
    EXPECT_EQ(line.fate, Fate::Caught) << line.copy.id << ' ' << int(line.mutant) << ' ' << line.detail;
}

TEST(Verify, ElementNeverBroughtIn) {
  VerifyReport report = verified(1);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(failures(report), HasSubstr("watched, fresh memory 0x7e, 1 team: stdout differs"));
  EXPECT_THAT(failures(report), HasSubstr("watched, fresh memory 0xfe, 2 teams: stdout differs"));
  EXPECT_FALSE(report.bytes[0].equal());
}

TEST(Verify, ArrayNeverBroughtIn) {
  VerifyReport report = verified(2);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(failures(report), HasSubstr("watched"));
  EXPECT_EQ(report.bytes[1].measured, 0u);
  EXPECT_FALSE(report.bytes[1].equal());
}

TEST(Verify, KernelReadsHostMemory) {
  VerifyReport report = verified(3);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(failures(report), HasSubstr("a kernel read byte 0 of host array weight of smooth"));
  EXPECT_THAT(failures(report), testing::Not(HasSubstr("ordered")));
}

TEST(Verify, LoopThatIsNotParallel) {
  VerifyReport report = verified(4);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(failures(report), HasSubstr("ordered, reverse"));
  EXPECT_THAT(failures(report), HasSubstr("ordered, random:1"));
}

TEST(Verify, PrivateThatCarriesAValue) {
  VerifyReport report = verified(5);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(failures(report), HasSubstr("ordered, forward"));
}

TEST(Verify, WarningOfThePort) {
  VerifyReport report = verified(6);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(failures(report), HasSubstr("port, gcc, -Wall -Wextra -Werror, on the host: does not compile"));
  EXPECT_THAT(failures(report), HasSubstr("port, clang"));
  EXPECT_THAT(failures(report), HasSubstr("unused"));
}

TEST(Verify, WarningsOfTheOriginalAreNotThePorts) {
  // With -DWARN the original has an unused variable too.
  Subject subject = subjectWith(6);
  subject.units[0].arguments.push_back("-DWARN");
  llvm::Expected<VerifyReport> report = verify(subject, settings());
  ASSERT_TRUE(bool(report));
  EXPECT_EQ(failures(*report), "");
  EXPECT_EQ(report->runs[1].detail, "same output, with warnings that the original has too");
}

TEST(Verify, ACopyTooMany) {
  Subject subject = subjectWith(0);
  subject.plan = [](const Record &) {
    return std::vector<PlannedBytes>{{"smooth", "a", true, 8008, ""}, {"smooth", "a", false, 8008, ""}};
  };
  llvm::Expected<VerifyReport> report = verify(subject, settings());
  ASSERT_TRUE(bool(report));
  EXPECT_FALSE(report->passed());
  ASSERT_EQ(report->bytes.size(), 3u);
  EXPECT_EQ(report->bytes[2].planned.note, "not in the plan");
  EXPECT_EQ(report->bytes[2].measured, 24u);
}

TEST(Verify, TextFitsThePage) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeText(verified(0), os, false);
  EXPECT_THAT(text, HasSubstr("verify: passed\n"));
  EXPECT_THAT(text, HasSubstr("Mutants: 6 caught, 0 excused, 0 survived"));
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) EXPECT_LE(line.size(), 80u) << line.str();
}
