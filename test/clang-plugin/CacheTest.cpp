//===- test/clang-plugin/CacheTest.cpp ------------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/units/Cache.h"
#include "clang-plugin/units/Identity.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <thread>

using namespace busfare::frontend;
namespace fs = llvm::sys::fs;

namespace {

class CacheTest : public testing::Test {
protected:
  llvm::SmallString<128> folder;
  void SetUp() override { ASSERT_FALSE(fs::createUniqueDirectory("busfare-cache-test", folder)); }
  void TearDown() override { fs::remove_directories(folder); }

  std::vector<std::string> files() const {
    std::vector<std::string> found;
    std::error_code code;
    for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code))
      found.push_back(at->path());
    return found;
  }
  static std::string read(const std::string &file) {
    return llvm::MemoryBuffer::getFile(file).get()->getBuffer().str();
  }
  static void write(const std::string &file, llvm::StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(file, code) << text;
  }
};

} // namespace

TEST_F(CacheTest, FindsWhatWasKept) {
  Cache cache(folder.str().str());
  const std::string key = keyOf({"a", "b"}),
                    text("some text\0with a zero, and more of the text, and more of the text", 65);
  EXPECT_FALSE(cache.load(key));
  cache.store(key, text);
  EXPECT_EQ(cache.load(key), text);
  cache.store(key, "another");
  EXPECT_EQ(cache.load(key), "another");
  cache.store(keyOf({"empty"}), "");
  EXPECT_EQ(cache.load(keyOf({"empty"})), "");
  EXPECT_EQ(cache.contents(true).entries, 2u);
  EXPECT_TRUE(cache.clear());
  EXPECT_FALSE(cache.load(key));
}

TEST_F(CacheTest, KeysTellTextsApart) {
  EXPECT_NE(keyOf({"ab", "c"}), keyOf({"a", "bc"}));
  EXPECT_NE(keyOf({"a"}), keyOf({"a", ""}));
  EXPECT_NE(keyOf({"1:a"}), keyOf({"a"}));
  EXPECT_EQ(keyOf({"a", "b"}), keyOf({"a", "b"}));
}

TEST_F(CacheTest, BelievesNoEntryThatIsDamaged) {
  Cache cache(folder.str().str());
  const std::string key = keyOf({"x"}), text = "what was computed\nin two lines\n";
  cache.store(key, text);
  ASSERT_EQ(files().size(), 1u);
  const std::string file = files().front(), whole = read(file);
  for (size_t at = 0; at < whole.size(); ++at) { // each byte changed, and all behind it missing
    std::string damaged = whole;
    damaged[at] = char(damaged[at] ^ 0x10);
    write(file, damaged);
    EXPECT_FALSE(cache.load(key)) << at;
    write(file, llvm::StringRef(whole).take_front(at));
    EXPECT_FALSE(cache.load(key)) << at;
  }
  EXPECT_EQ(cache.contents(true).damaged, 1u);
  EXPECT_TRUE(files().empty()); // and it is gone
  cache.store(key, text);
  EXPECT_EQ(cache.load(key), text);
}

TEST_F(CacheTest, StaysBelowItsSize) {
  Cache cache(folder.str().str());
  std::string noise; // that does not become smaller
  for (unsigned k = 0, state = 1; k < 20000; ++k) noise += char((state = state * 1103515245 + 12345) >> 16);
  for (int k = 0; k < 20; ++k) cache.store(keyOf({"entry", std::to_string(k)}), noise);
  EXPECT_GT(cache.contents(false).bytes, 300000u);
  cache.prune(100000);
  EXPECT_LE(cache.contents(false).bytes, 100000u);
  EXPECT_GT(cache.contents(false).entries, 0u);
}

TEST_F(CacheTest, HoldsWhenManyWriteAtOnce) {
  const std::string key = keyOf({"shared"});
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int k = 0; k < 8; ++k)
    threads.emplace_back([&, k] {
      Cache cache(folder.str().str());
      for (int turn = 0; turn < 100; ++turn) {
        cache.store(key, std::string(size_t(1000 + k), char('a' + k)));
        std::optional<std::string> text = cache.load(key);
        wrong += !text || text->size() != size_t(1000 + text->front() - 'a') ||
                 text->find_first_not_of(text->front()) != std::string::npos;
      }
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(files().size(), 1u); // nothing unfinished is left
}

TEST(NoCache, KeepsNothing) {
  Cache cache;
  cache.store(keyOf({"x"}), "text");
  EXPECT_FALSE(cache.load(keyOf({"x"})));
}

TEST(Identity, IsTheProgramsOwn) {
  EXPECT_EQ(programIdentity().size(), 40u);
  EXPECT_EQ(buildIdAt(reinterpret_cast<const void *>(&buildIdAt)).size(), 40u); // SHA-1, as linkers make it
  EXPECT_EQ(buildIdAt(nullptr), "");
}
