//===- test/verify/ProcessTest.cpp - Programs run with a time limit -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Process.h"
#include "clang-plugin/verify/Record.h"
#include "clang-plugin/verify/Tools.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace busfare::frontend::verify;
using testing::HasSubstr;

static const std::string &folder() {
  struct Made {
    std::string path;
    Made() {
      llvm::SmallString<128> made;
      llvm::sys::fs::createUniqueDirectory("busfare-process", made);
      path = made.str().str();
    }
    ~Made() { llvm::sys::fs::remove_directories(path); }
  };
  static const Made made;
  return made.path;
}

static Invocation shell(std::string script, double limit = 20) {
  return {{"/bin/sh", "-c", std::move(script)}, "", {}, limit};
}

TEST(Process, KeepsWhatIsPrinted) {
  Finished done = run(shell("echo out; echo err >&2; exit 3"), folder());
  EXPECT_EQ(done.out, "out\n");
  EXPECT_EQ(done.err, "err\n");
  EXPECT_EQ(done.exitCode, 3);
  EXPECT_FALSE(done.succeeded());
  EXPECT_EQ(failureOf(done), "exit code 3");
}

TEST(Process, EnvironmentDirectoryAndEmptyInput) {
  Invocation invocation = shell("echo $BUSFARE_TEST; pwd; cat");
  invocation.environment = {{"BUSFARE_TEST", "a b"}};
  invocation.directory = "/";
  EXPECT_EQ(run(invocation, folder()).out, "a b\n/\n");
}

TEST(Process, EndsWhatTakesTooLong) {
  // The child of a child is ended too: sleep would hold the file open otherwise.
  Finished done = run(shell("sleep 30; echo late", 0.2), folder());
  EXPECT_TRUE(done.timedOut);
  EXPECT_LT(done.seconds, 10);
  EXPECT_THAT(failureOf(done), HasSubstr("no end after"));
}

TEST(Process, SignalsAndMissingPrograms) {
  Finished killed = run(shell("kill -SEGV $$"), folder());
  EXPECT_EQ(killed.signal, 11);
  EXPECT_THAT(failureOf(killed), HasSubstr("signal 11"));
  EXPECT_EQ(failureOf(run({{"/nowhere/program"}, "", {}, 5}, folder())), "could not be started");
}

TEST(Process, ManyInOrder) {
  std::vector<Invocation> all;
  for (int i = 0; i < 7; ++i) all.push_back(shell("sleep 0.0" + std::to_string(7 - i) + "; echo " + std::to_string(i)));
  std::vector<Finished> done = runAll(all, folder(), 3);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(done[i].out, std::to_string(i) + "\n");
}

TEST(Record, ReadsWhatTheWatchLibraryWrites) {
  std::string file = folder() + "/record";
  {
    std::error_code code;
    llvm::raw_fd_ostream os(file, code);
    os << R"({"kind": "array", "root": "r", "array": "u", "bytes": 80, "h2d": 80, "d2h": 16, "h2d_copies": 1, "d2h_copies": 1, "unplanned_h2d": 8, "unplanned_d2h": 0, "protection": "pages"}
{"kind": "copy", "id": 3, "calls": 2, "elements": 18, "bytes": 144, "changed": true, "last_changed": false}
{"kind": "value", "root": "r", "symbol": "n", "value": 9, "least": 7, "most": 9, "values": 2}
{"kind": "run", "kernels": 5, "other_h2d": 8, "other_d2h": 16, "protected": true}
{"kind": "fault", "why": "a kernel read byte 8 of host array u of r"}
)";
  }
  llvm::Expected<Record> record = readRecord(file);
  ASSERT_TRUE(bool(record));
  ASSERT_EQ(record->arrays.size(), 1u);
  EXPECT_EQ(record->arrays[0].moved[0], 80u);
  EXPECT_EQ(record->arrays[0].moved[1], 16u);
  EXPECT_EQ(record->arrays[0].unplanned[0], 8u);
  EXPECT_EQ(record->copies[3].bytes, 144u);
  EXPECT_TRUE(record->copies[3].changed);
  EXPECT_FALSE(record->copies[3].lastChanged);
  EXPECT_EQ(record->values[0].least, 7);
  EXPECT_EQ(record->kernels, 5u);
  EXPECT_EQ(record->otherBytes[1], 16u);
  EXPECT_TRUE(record->complete);
  EXPECT_EQ(record->fault, "a kernel read byte 8 of host array u of r");
  EXPECT_FALSE(llvm::cantFail(readRecord(file + "x")).complete);
}

TEST(Tools, MissingOnesAreNamedWithTheirPackages) {
  std::string path = std::getenv("PATH");
  setenv("PATH", folder().c_str(), 1);
  llvm::Expected<Tools> tools = findTools("/nowhere/lib", folder() + "/none.a");
  setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(bool(tools));
  std::string message = llvm::toString(tools.takeError());
  EXPECT_THAT(message, HasSubstr("gcc (package gcc)"));
}
