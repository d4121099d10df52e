//===- runtime-bench/watch/Arena.h - Blocks on pages of their own ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An arena is a range of addresses reserved once, untouchable but for the blocks
// taken from it. A block of 100 bytes gets one page, ends where the page ends (as far
// as its alignment lets it), and an untouchable page follows:
//
//   ..... | 3984 bytes free, block of 100 | guard | 3984 free, next block | guard
//
// Addresses are not used twice, so a pointer to freed memory faults as well. Lookup
// is a binary search: blocks lie in the order in which they were taken.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIME_BENCH_WATCH_ARENA_H
#define BUSFARE_RUNTIME_BENCH_WATCH_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct BusfareBlock {
  uintptr_t address;
  size_t bytes;
  uintptr_t pages; ///< First page.
  size_t pageBytes;
  uint32_t next, previous; ///< Among the live ones; index + 1, 0 = none.
  bool live;
  bool hasPages; ///< They were not given back since it was taken.
};

struct BusfareArena {
  uintptr_t begin, end, top; ///< top: the first address not given out yet.
  struct BusfareBlock *blocks;
  uint32_t count, capacity, firstLive, liveCount;
  size_t takenSmall; ///< Blocks below a page so far.
  size_t deadBytes;  ///< Of freed blocks whose pages were not given back yet.
  bool reserved, failed;
};

/// The program's own blocks and libomptarget's device blocks.
extern struct BusfareArena busfareHostArena, busfareDeviceArena;

/// Fresh zeroed memory, or null if the arena has no room left or small blocks have become too many.
void *busfareTake(struct BusfareArena *arena, size_t bytes, size_t alignment);
/// False if p is no live block's first byte.
bool busfareRelease(struct BusfareArena *arena, void *p);
/// The block that the address is in, or else a live one that it is close to, or else a dead one.
bool busfareNearest(const struct BusfareArena *arena, uintptr_t address, struct BusfareBlock *found);
/// The block whose pages or guard hold the address, dead ones too.
bool busfareFind(const struct BusfareArena *arena, uintptr_t address, struct BusfareBlock *found);
static inline bool busfareHolds(const struct BusfareArena *arena, uintptr_t address) {
  return address >= arena->begin && address < arena->end;
}
/// Makes all live blocks untouchable, or touchable again. False if the system refused for one of them.
bool busfareProtectAll(struct BusfareArena *arena, bool untouchable);

/// One lock for everything in this library.
void busfareLock(void);
void busfareUnlock(void);

#endif
