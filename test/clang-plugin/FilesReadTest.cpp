//===- test/clang-plugin/FilesReadTest.cpp --------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/units/FilesRead.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace busfare::frontend;
namespace fs = llvm::sys::fs;

namespace {

class FilesReadTest : public testing::Test {
protected:
  llvm::SmallString<128> folder;
  std::shared_ptr<FileAnswers> asked = std::make_shared<FileAnswers>();
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = loggedFiles(llvm::vfs::createPhysicalFileSystem(), asked);

  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("busfare-files-test", folder));
    (void)files->setCurrentWorkingDirectory(folder);
    write("a.h", "one");
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string at(const char *name) const { return (folder + "/" + name).str(); }
  void write(const char *name, const char *text) const {
    std::error_code code;
    llvm::raw_fd_ostream(at(name), code) << text;
  }
  /// By somebody who comes later.
  bool areStill() const { return FilesNow().areStill(*asked); }
};

} // namespace

TEST_F(FilesReadTest, NotesContentsByTheirDigest) {
  EXPECT_EQ(files->getBufferForFile("a.h").get()->getBuffer(), "one");
  EXPECT_EQ((*asked)["c" + at("a.h")], "c" + digestOf("one"));
  EXPECT_TRUE(areStill());
  write("a.h", "two");
  EXPECT_FALSE(areStill());
  write("a.h", "one"); // whenever it was written
  EXPECT_TRUE(areStill());
  fs::remove(at("a.h"));
  EXPECT_FALSE(areStill());
}

TEST_F(FilesReadTest, NotesWhatIsNotThere) {
  EXPECT_FALSE(files->getBufferForFile("b.h"));
  EXPECT_FALSE(files->exists("c.h"));
  EXPECT_TRUE(areStill());
  write("b.h", "");
  EXPECT_FALSE(areStill());
  fs::remove(at("b.h"));
  write("c.h", "");
  EXPECT_FALSE(areStill());
}

TEST_F(FilesReadTest, NotesWhatKindOfThingIsThere) {
  EXPECT_TRUE(files->exists("a.h"));
  EXPECT_TRUE(files->status(".")->isDirectory());
  write("a.h", "two"); // nobody has read it
  EXPECT_TRUE(areStill());
  fs::remove(at("a.h"));
  fs::create_directory(at("a.h"));
  EXPECT_FALSE(areStill());
}

TEST_F(FilesReadTest, NotesTheNamesInAFolder) {
  std::error_code code;
  files->dir_begin(folder, code);
  EXPECT_TRUE(areStill());
  write("a.h", "two"); // the names are the same
  EXPECT_TRUE(areStill());
  write("b.h", "");
  EXPECT_FALSE(areStill());
}

TEST_F(FilesReadTest, AsksOnceInARun) {
  (void)files->getBufferForFile("a.h");
  FilesNow now;
  EXPECT_TRUE(now.areStill(*asked));
  write("a.h", "two");
  EXPECT_TRUE(now.areStill(*asked)); // as it was when this run looked
  EXPECT_FALSE(FilesNow().areStill(*asked));
}
