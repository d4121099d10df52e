//===- runtime-bench/blas/Recurring.h - Operands that come again ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an unchanged program does to its memory is watched (MemoryWatch.h), and operands that
// calls only read stay on the device while nobody writes them:
//
//   call        1         2          3            4       5          6
//   a           crosses   crosses,   crosses; or  there   written:   crosses,
//                         watched    is brought           crosses    watched
//
// Watching has a price: each call asks about the operand's pages, and the program's first
// write to each page is a fault (about a microsecond, where an unwatched one is a few
// nanoseconds). So an operand is watched when it comes the second time; is brought to stay
// when the calls that found it unchanged would have gained, with it there, what bringing it
// costs; and one that is found changed before it has paid for its watching is left alone for
// a number of calls that doubles each time.
//
// A page at either end of an operand may belong to its neighbour too. Where only such pages
// were written, the operand's bytes in them are compared with those of when it was brought.
//
// Order is what makes a copy right: pages are protected, then read, so that who writes
// meanwhile is found the next time. Of the pages at the ends what was kept to compare is what
// the copy gets.
//
// Not handled: results that stay (they go back at the end of each call, and are a write of
// their memory), vectors with increments, blocks that are known as a part of a larger one.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_RECURRING_H
#define BUSFARE_RUNTIMEBENCH_BLAS_RECURRING_H

#include "runtime-bench/blas/MemoryWatch.h"
#include "runtime-bench/blas/Residents.h"
#include <cstdio>
#include <functional>

namespace busfare::blas {

/// Of an operand, before a call.
enum class Known : unsigned char {
  Nothing,   ///< It is new, or is not watched, or was written.
  Unchanged, ///< Since the last call with it; no copy is on the device.
  Here,      ///< Unchanged, and on the device.
};

class Recurring {
public:
  /// bringSeconds: for so many bytes, from pageable memory.
  Recurring(std::unique_ptr<MemoryWatch> watch, Residents &residents, std::function<double(size_t)> bringSeconds)
      : watch(std::move(watch)), residents(residents), bringSeconds(std::move(bringSeconds)) {}

  /// Asks what was written since, and voids its copies.
  std::vector<Known> look(const Call &call, const std::vector<Where> &places);
  /// The call takes so much less with all operands there that look() found unchanged. Those that are to be brought now,
  /// or are there; of all copies together no more than `mostBytes`.
  std::vector<bool> stays(const Call &call, const std::vector<Known> &known, double gain, size_t mostBytes);
  /// What the operand's copy must have at its ends.
  std::vector<Snapshot> edgesOf(const Operand &operand, size_t elementBytes);
  /// The operand was brought, or was not for lack of memory; `brought`: so many bytes crossed.
  void cameIn(const Operand &operand, size_t elementBytes, bool isThere, size_t brought);
  /// Of the device's memory.
  size_t heldBytes() const;
  /// What stayed and what it saved, in lines.
  void writeReport(std::FILE *file) const;

private:
  struct Entry {
    Operand operand;
    size_t elementBytes = 0;
    Range range;
    bool isRegistered = false; ///< It was watched once.
    bool isWatched = false;
    bool hasChanged = false; ///< Since it was protected.
    bool isCopied = false; ///< Residents were asked to bring it, and have not been told that it changed.
    size_t leaveAlone = 0; ///< Calls with it for which it is not watched.
    size_t nextLeaveAlone = 1;
    double credit = 0; ///< s that it would have saved, there, since it was brought or last changed.
    std::vector<Snapshot> edges; ///< Its bytes in pages that are not its own, when they were protected.
    size_t lastUse = 0, useBefore = 0; ///< looks
    size_t uses = 0, saved = 0, changes = 0;
    size_t bytes() const { return size_t(operand.rows * operand.columns) * elementBytes; }
  };
  struct Totals {
    size_t uses = 0, saved = 0, changes = 0, brought = 0;
  };
  Entry *find(const Operand &operand, size_t elementBytes);
  void add(const Operand &operand, size_t elementBytes);
  Known lookAt(Entry &entry);
  void beginToWatch(Entry &entry);
  /// False: some of it is not watched any more.
  bool ask(const Range &range);
  void tell(const Range &written);
  void isLost(const Range &range);
  void giveUp(Entry &entry);
  void forget(size_t index);
  void dropCopy(Entry &entry);
  /// Copies that were not used since the entry came the last time but one go, the oldest first; false: there is no room
  /// then either.
  bool makeRoom(const Entry &entry, size_t mostBytes);
  std::vector<Snapshot> snapshotsOf(const Range &range) const;
  double askSeconds(const Range &range) const;

  std::unique_ptr<MemoryWatch> watch;
  Residents &residents;
  std::function<double(size_t)> bringSeconds;
  std::vector<Entry> entries;
  size_t looks = 0;
  bool wasPinned = false;
  Totals totals; ///< Of all, also those that are forgotten.
};

} // namespace busfare::blas

#endif
