//===- test/runtime-bench/RecurringTest.cpp - Operands that come again ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A matrix stays on the host as a device while this process changes it in every way there
// is; that a watch which sees nothing makes wrong results; when it is worth watching.
//
//===----------------------------------------------------------------------===//

#include "BlasDisturbances.h"
#include "runtime-bench/blas/Context.h"
#include "runtime-bench/blas/HostDevice.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>
#include <random>

using namespace busfare::blas;

namespace {

/// Another watch, with a fault or with prices of its own.
class Changed : public MemoryWatch {
public:
  explicit Changed(std::unique_ptr<MemoryWatch> real) : real(std::move(real)) {}
  bool watch(const Range &range) override {
    ++watched;
    return real->watch(range);
  }
  std::optional<std::vector<Range>> writtenIn(const Range &range) override {
    std::optional<std::vector<Range>> written = real->writtenIn(range);
    if (seesNothing) return std::vector<Range>{};
    return written;
  }
  void relax(const Range &range) override { real->relax(range); }
  void release(const Range &range) override { real->release(range); }
  bool isPinned() override { return asksForPinned && real->isPinned(); }
  WatchCosts costs() const override { return prices ? *prices : real->costs(); }
  size_t pageBytes() const override { return real->pageBytes(); }

  std::unique_ptr<MemoryWatch> real;
  bool seesNothing = false, asksForPinned = true;
  std::optional<WatchCosts> prices;
  size_t watched = 0;
};

class RecurringOperands : public ::testing::Test {
protected:
  void SetUp() override {
    std::string why;
    std::unique_ptr<MemoryWatch> real = kernelWatch(why);
    if (!real) GTEST_SKIP() << why;
    auto made = std::make_unique<Changed>(std::move(real));
    watch = made.get();
    watch->prices = WatchCosts{1e-6, 0, 0}; // vectors are not worth it
    busfare_blas_options options{};
    options.backend = "host";
    options.where = BUSFARE_BLAS_DEVICE;
    std::string whyNot;
    ASSERT_EQ(context.start(options, whyNot), Status::Ok) << whyNot;
    context.keepWhatComesAgain(std::move(made));
  }

  /// y = A x of a block of so many rows and columns; is it what memory says?
  bool isRight(const double *a, int64_t rows, int64_t columns, int64_t leading) {
    std::vector<double> x(size_t(columns), 0), y(size_t(rows), 0);
    for (double &each : x) each = double(1 + random() % 7);
    std::string why;
    EXPECT_EQ(context.run(gemv(Element::D, 'N', rows, columns, 1, a, leading, x.data(), 1, 0, y.data(), 1), why),
              Status::Ok)
        << why;
    matrixCame = context.last().bytes_in >= size_t(rows * columns) * sizeof(double);
    for (int64_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < columns; ++j) sum += a[j * leading + i] * x[size_t(j)];
      if (!(std::abs(y[size_t(i)] - sum) <= 1e-9 * std::abs(sum) + 1e-9)) return false;
    }
    return true;
  }
  bool isRight(const Block &block) { return isRight(block.at, side, side, side); }
  /// Calls until nothing of it crosses; false: it does not come to that.
  bool stays(const double *a, int64_t rows, int64_t columns, int64_t leading) {
    for (int call = 0; call < 8; ++call) {
      EXPECT_TRUE(isRight(a, rows, columns, leading));
      if (!matrixCame) return true;
    }
    return false;
  }
  bool stays(const Block &block) { return stays(block.at, side, side, side); }

  static constexpr int64_t side = 256;
  Context context{/*behindThis=*/false};
  Changed *watch = nullptr;
  bool matrixCame = true;
  std::minstd_rand random{5};
};

TEST_F(RecurringOperands, EveryChangeIsSeen) {
  std::vector<Block> blocks(disturbanceCount);
  int done = 0;
  for (int number = 0; number < disturbanceCount; ++number) {
    const Disturbance &each = disturbances[number];
    Block &block = blocks[size_t(number)];
    if (!makeBlock(&block, each.kind, size_t(side * side))) continue;
    const bool isPrivate = each.kind == MALLOCED || each.kind == MAPPED;
    EXPECT_EQ(stays(block), isPrivate) << each.name;
    if (each.change(&block)) {
      ++done;
      EXPECT_TRUE(isRight(block)) << each.name;
      EXPECT_TRUE(matrixCame) << each.name;
    }
    for (int call = 0; call < 5; ++call) EXPECT_TRUE(isRight(block)) << each.name;
    if (each.kind == PINNED) freeBlock(&block);
  }
  EXPECT_GE(done, 17);
  for (int number = 0; number < disturbanceCount; ++number)
    if (disturbances[number].kind != PINNED) freeBlock(&blocks[size_t(number)]);
}

/// A test of the test: what is not seen makes a wrong result.
TEST_F(RecurringOperands, AWatchThatSeesNothingMakesWrongResults) {
  watch->seesNothing = true;
  std::vector<Block> blocks(disturbanceCount);
  for (int number = 0; number < disturbanceCount; ++number) {
    const Disturbance &each = disturbances[number];
    Block &block = blocks[size_t(number)];
    // What realloc leaves behind would be another block's memory, known already.
    if (each.change == growAndShrink) continue;
    if ((each.kind != MALLOCED && each.kind != MAPPED) || !makeBlock(&block, each.kind, size_t(side * side))) continue;
    EXPECT_TRUE(stays(block)) << each.name;
    const double *before = block.at;
    // What was copied to another address is another operand.
    if (each.change(&block) && block.at == before) EXPECT_FALSE(isRight(block)) << each.name;
  }
  for (int number = 0; number < disturbanceCount; ++number)
    if (blocks[size_t(number)].at) freeBlock(&blocks[size_t(number)]);
}

TEST_F(RecurringOperands, PinnedMemoryThatNobodyAsksAboutMakesWrongResults) {
  Block block;
  if (!makeBlock(&block, PINNED, size_t(side * side))) GTEST_SKIP() << "there is no io_uring";
  watch->asksForPinned = false;
  EXPECT_TRUE(stays(block));
  EXPECT_TRUE(readIntoPinned(&block));
  EXPECT_FALSE(isRight(block));
  freeBlock(&block);
}

TEST_F(RecurringOperands, NeighboursOnAPageAreNoChange) {
  // Two matrices in one piece, neither of which begins or ends with a page.
  std::vector<double> both(size_t(2 * side * side) + 100, 1);
  double *a = both.data() + 37, *next = a + side * side;
  if (reinterpret_cast<uintptr_t>(next) % 4096 == 0) ++a, ++next;
  ASSERT_TRUE(stays(a, side, side, side));
  a[-1] = 5;
  next[0] = 7;
  EXPECT_TRUE(isRight(a, side, side, side));
  EXPECT_FALSE(matrixCame);
  next[-1] = 7;
  EXPECT_TRUE(isRight(a, side, side, side));
  EXPECT_TRUE(matrixCame);
  ASSERT_TRUE(stays(a, side, side, side));
  a[0] = 9;
  EXPECT_TRUE(isRight(a, side, side, side));
  EXPECT_TRUE(matrixCame);
}

TEST_F(RecurringOperands, AResultIsAChange) {
  std::vector<double> a(size_t(side * side), 1), b = a, c = a;
  ASSERT_TRUE(stays(a.data(), side, side, side));
  std::string why;
  ASSERT_EQ(
      context.run(gemm(Element::D, 'N', 'N', side, side, side, 1, b.data(), side, c.data(), side, 0, a.data(), side),
                  why),
      Status::Ok);
  EXPECT_TRUE(isRight(a.data(), side, side, side));
  EXPECT_TRUE(matrixCame);
  // As an operand that is read and one that is written at once.
  ASSERT_EQ(
      context.run(gemm(Element::D, 'N', 'N', side, side, side, 1, b.data(), side, c.data(), side, 1, b.data(), side),
                  why),
      Status::Ok);
}

TEST_F(RecurringOperands, BlocksOfOneMatrixAgainstPlainLoops) {
  // Blocks overlap and share pages; writes are of any length, by stores and by read().
  constexpr int64_t leading = 160, columns = 160;
  for (bool seesNothing : {false, true}) {
    watch->seesNothing = seesNothing;
    std::vector<double> all(size_t(leading * columns) + 50, 1);
    double *whole = all.data() + 3;
    struct Part {
      int64_t row, column, rows, columns;
    };
    const Part parts[] = {{0, 0, 160, 160}, {0, 0, 80, 160}, {80, 0, 80, 80}, {0, 80, 160, 80}, {30, 100, 100, 60}};
    int wrong = 0, there = 0;
    for (int round = 0; round < 1500; ++round) {
      const Part &part = parts[random() % std::size(parts)];
      wrong += !isRight(whole + part.column * leading + part.row, part.rows, part.columns, leading);
      there += !matrixCame;
      if (random() % 12 != 0) continue;
      const size_t at = random() % (all.size() - 70), count = 1 + random() % 64;
      std::vector<double> numbers(count);
      fillNumbers(numbers.data(), count);
      int ends[2];
      if (random() % 2 == 0) std::copy(numbers.begin(), numbers.end(), all.begin() + std::ptrdiff_t(at));
      else if (pipe(ends) == 0) {
        const size_t bytes = count * sizeof(double);
        EXPECT_EQ(write(ends[1], numbers.data(), bytes), ssize_t(bytes));
        EXPECT_EQ(read(ends[0], all.data() + at, bytes), ssize_t(bytes));
        close(ends[0]);
        close(ends[1]);
      }
    }
    EXPECT_GT(there, 100);
    if (seesNothing) EXPECT_GT(wrong, 100);
    else EXPECT_EQ(wrong, 0);
  }
}

/// Memory for one copy: what is not used any more makes room for what is.
TEST_F(RecurringOperands, RoomIsMadeForWhatComesAgain) {
  Context small{/*behindThis=*/false};
  busfare_blas_options options{};
  options.backend = "host";
  options.where = BUSFARE_BLAS_DEVICE;
  options.device_bytes = size_t(side * side) * sizeof(double) * 5 / 2;
  std::string why;
  ASSERT_EQ(small.start(options, why), Status::Ok) << why;
  auto cheap = std::make_unique<Changed>(kernelWatch(why));
  cheap->prices = WatchCosts{1e-6, 0, 0};
  small.keepWhatComesAgain(std::move(cheap));
  std::vector<double> a(size_t(side * side), 1), b = a, x(size_t(side), 1), y(size_t(side), 0);
  for (const std::vector<double> *matrix : {&a, &b, &a}) {
    bool hasStayed = false;
    for (int call = 0; call < 12 && !hasStayed; ++call) {
      const Asked asked = gemv(Element::D, 'N', side, side, 1, matrix->data(), side, x.data(), 1, 0, y.data(), 1);
      ASSERT_EQ(small.run(asked, why), Status::Ok) << why;
      hasStayed = small.last().bytes_in < size_t(side * side) * sizeof(double);
    }
    EXPECT_TRUE(hasStayed);
  }
}

TEST_F(RecurringOperands, WhatChangesEachTimeIsLeftAlone) {
  watch->prices = WatchCosts{1e-6, 0, 1e-6};
  std::vector<double> a(size_t(side * side), 1);
  for (int call = 0; call < 200; ++call) {
    a[size_t(call) * 7] = 2;
    EXPECT_TRUE(isRight(a.data(), side, side, side));
  }
  EXPECT_GE(watch->watched, 4u);
  EXPECT_LE(watch->watched, 10u) << "twice as many calls without a watch each time";
}

TEST_F(RecurringOperands, WhatCostsMoreToWatchThanToBringIsNotWatched) {
  watch->prices = WatchCosts{1, 0, 0};
  std::vector<double> a(size_t(side * side), 1);
  EXPECT_FALSE(stays(a.data(), side, side, side));
  EXPECT_EQ(watch->watched, 0u);
}

/// A matrix is gone; another one, that ends on the page where it began, is written there.
TEST_F(RecurringOperands, WhatIsGoneIsNotRead) {
  const size_t page = size_t(sysconf(_SC_PAGESIZE)), count = size_t(side * side),
               bytes = 2 * count * sizeof(double) + page;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  double *first = static_cast<double *>(memory) + 8, *second = first + count;
  fillNumbers(first, 2 * count);
  ASSERT_TRUE(stays(first, side, side, side));
  ASSERT_TRUE(stays(second, side, side, side));
  char *gone = reinterpret_cast<char *>(memory) + count * sizeof(double) + page;
  munmap(gone, bytes - count * sizeof(double) - page);
  first[count - 1] = nextNumber();
  EXPECT_TRUE(isRight(first, side, side, side));
  EXPECT_TRUE(matrixCame);
  munmap(memory, count * sizeof(double) + page);
}

TEST_F(RecurringOperands, MoreThanAreRememberedGoInTurn) {
  constexpr int64_t small = 64;
  std::vector<std::vector<double>> all;
  for (int i = 0; i < 300; ++i) all.emplace_back(size_t(small * small), double(i));
  for (int round = 0; round < 8; ++round)
    for (const std::vector<double> &each : all) ASSERT_TRUE(isRight(each.data(), small, small, small));
  EXPECT_TRUE(stays(all.front().data(), small, small, small));
  all.front()[5] = 3;
  EXPECT_TRUE(isRight(all.front().data(), small, small, small));
}

/// While an operand comes, another thread writes its first and its last element, and takes the writes back.
class Meddled : public HostDevice {
public:
  Meddled(const HostBlas &blas, double *first, double *last) : HostDevice(blas, {}), first(first), last(last) {}
  void *allocate(size_t bytes) override {
    if (!isOver) meddle(1);
    return HostDevice::allocate(bytes);
  }
  void copyIn(View device, View host, int64_t rows, int64_t columns, size_t elementBytes) override {
    if (!isOver) meddle(-1);
    isOver = true;
    HostDevice::copyIn(device, host, rows, columns, elementBytes);
  }

private:
  void meddle(double by) {
    *first += by;
    *last += by;
  }
  double *first, *last;
  bool isOver = false;
};

/// Nothing has changed in the end, but what crossed was not that.
TEST(RecurringEdges, AreWhatWasCompared) {
  const HostBlas blas;
  std::string why;
  if (!kernelWatch(why)) GTEST_SKIP() << why;
  for (int64_t leading : {40, 43}) {
    constexpr int64_t rows = 40, columns = 100;
    // It begins and ends within a page.
    std::vector<double> room(6000);
    const size_t page = size_t(sysconf(_SC_PAGESIZE)), count = size_t((columns - 1) * leading + rows);
    double *a = room.data() + (page - reinterpret_cast<uintptr_t>(room.data()) % page) / sizeof(double) + 24;
    ASSERT_NE(reinterpret_cast<uintptr_t>(a + count) % page, 0u);
    for (size_t i = 0; i < count; ++i) a[i] = double(i % 100);
    Meddled device(blas, a, a + count - 1);
    Staging staging(device);
    ASSERT_TRUE(staging.reserve());
    Residents residents(device);
    Recurring recurring(kernelWatch(why), residents, [](size_t) { return 1.0; });
    std::vector<double> x(size_t(columns), 1), y(size_t(rows), 0);
    const Call call = gemv(Element::D, 'N', rows, columns, 1, a, leading, x.data(), 1, 0, y.data(), 1).call;
    const std::vector<Where> places(3, Where::Pageable);
    for (int round = 0; round < 3; ++round) recurring.look(call, places);
    EXPECT_EQ(recurring.look(call, places)[0], Known::Unchanged);
    Operand operand = call.operands[0];
    ASSERT_GT(residents.bring(operand, 8, Where::Pageable, staging, recurring.edgesOf(operand, 8)), 0u);
    recurring.cameIn(call.operands[0], 8, true, 1);
    const auto *there = reinterpret_cast<const double *>(operand.view.at);
    for (int64_t j = 0; j < columns; ++j)
      for (int64_t i = 0; i < rows; ++i) ASSERT_EQ(there[j * rows + i], a[size_t(j * leading + i)]) << i << ' ' << j;
    EXPECT_EQ(recurring.look(call, places)[0], Known::Here);
  }
}

} // namespace
