//===- runtime-bench/watch/Arena.c - Blocks on pages of their own ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime-bench/watch/Arena.h"
#include "runtime-bench/watch/Watching.h"
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { PageBytes = 4096 };

/// Each block costs the kernel two memory areas of 65530 in all. Programs with many small blocks (lists, strings) get
/// ordinary ones from then on.
static const uint32_t liveLimit = 24000;
static const size_t smallLimit = 200000;
/// Pages of freed blocks are given back together, since each time costs far more than each page.
static const size_t deadLimit = (size_t)64 << 20;

BUSFARE_STATE struct BusfareArena busfareHostArena, busfareDeviceArena;
BUSFARE_STATE static atomic_flag lockFlag = ATOMIC_FLAG_INIT;

void busfareLock(void) {
  while (atomic_flag_test_and_set_explicit(&lockFlag, memory_order_acquire))
    sched_yield();
}

void busfareUnlock(void) { atomic_flag_clear_explicit(&lockFlag, memory_order_release); }

static size_t roundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

/// As many addresses as the system lets us have, 1 TiB at most.
static bool reserve(struct BusfareArena *arena) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  arena->reserved = true;
  arena->failed = true;
  for (size_t bytes = (size_t)1 << 40; bytes >= (size_t)1 << 30; bytes /= 2) {
    void *range = mmap(NULL, bytes, PROT_NONE, flags, -1, 0);
    if (range == MAP_FAILED)
      continue;
    arena->begin = arena->top = (uintptr_t)range;
    arena->end = arena->begin + bytes;
    arena->failed = false;
    break;
  }
  if (arena->failed)
    return false;
  arena->capacity = 1u << 24;
  void *blocks = mmap(NULL, arena->capacity * sizeof(struct BusfareBlock), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (blocks == MAP_FAILED)
    arena->failed = true;
  else
    arena->blocks = blocks;
  return !arena->failed;
}

static void *takeLocked(struct BusfareArena *arena, size_t bytes, size_t alignment) {
  if (!arena->reserved)
    reserve(arena);
  bool small = bytes < PageBytes;
  if (arena->failed || arena->count == arena->capacity || arena->liveCount >= liveLimit ||
      (small && arena->takenSmall >= smallLimit) || bytes > (size_t)1 << 40)
    return NULL;
  size_t pageBytes = roundUp(bytes ? bytes : 1, PageBytes) + (alignment > PageBytes ? alignment : 0);
  if (pageBytes + PageBytes > arena->end - arena->top)
    return NULL;
  uintptr_t pages = arena->top;
  if (mprotect((void *)pages, pageBytes, PROT_READ | PROT_WRITE))
    return NULL;
  arena->top += pageBytes + PageBytes;
  struct BusfareBlock *block = &arena->blocks[arena->count++];
  block->pages = pages;
  block->pageBytes = pageBytes;
  block->bytes = bytes;
  block->address = (pages + pageBytes - bytes) / alignment * alignment;
  block->live = block->hasPages = true;
  block->previous = 0;
  block->next = arena->firstLive;
  if (block->next)
    arena->blocks[block->next - 1].previous = arena->count;
  arena->firstLive = arena->count;
  ++arena->liveCount;
  arena->takenSmall += small;
  return (void *)block->address;
}

void *busfareTake(struct BusfareArena *arena, size_t bytes, size_t alignment) {
  busfareLock();
  void *p = takeLocked(arena, bytes, alignment);
  busfareUnlock();
  return p;
}

/// The last block that starts at or before the address.
static struct BusfareBlock *search(const struct BusfareArena *arena, uintptr_t address) {
  uint32_t low = 0, high = arena->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (arena->blocks[middle].pages <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &arena->blocks[low - 1] : NULL;
}

bool busfareFind(const struct BusfareArena *arena, uintptr_t address, struct BusfareBlock *found) {
  if (!busfareHolds(arena, address))
    return false;
  const struct BusfareBlock *block = search(arena, address);
  if (!block || address >= block->pages + block->pageBytes + PageBytes)
    return false;
  *found = *block;
  return true;
}

static uintptr_t distance(const struct BusfareBlock *block, uintptr_t address) {
  if (address < block->address)
    return block->address - address;
  uintptr_t end = block->address + block->bytes;
  return address < end ? 0 : address - end + 1;
}

bool busfareNearest(const struct BusfareArena *arena, uintptr_t address, struct BusfareBlock *found) {
  if (!busfareHolds(arena, address))
    return false;
  const struct BusfareBlock *block = search(arena, address), *best = block;
  if (!block)
    return false;
  const struct BusfareBlock *next = block + 1, *end = arena->blocks + arena->count;
  bool inside = distance(block, address) == 0;
  if (!inside && next < end && next->live && (!block->live || distance(next, address) < distance(block, address)))
    best = next;
  *found = *best;
  return true;
}

/// Freed blocks that follow one another go in one piece, with the guards between them.
static void giveBackLocked(struct BusfareArena *arena) {
  struct BusfareBlock *blocks = arena->blocks;
  for (uint32_t i = 0; i < arena->count; ++i) {
    const uint32_t first = i;
    for (; i < arena->count && !blocks[i].live && blocks[i].hasPages; ++i)
      blocks[i].hasPages = false;
    if (i > first)
      madvise((void *)blocks[first].pages, blocks[i - 1].pages + blocks[i - 1].pageBytes - blocks[first].pages,
              MADV_DONTNEED);
  }
  arena->deadBytes = 0;
}

bool busfareRelease(struct BusfareArena *arena, void *p) {
  busfareLock();
  struct BusfareBlock *block = search(arena, (uintptr_t)p);
  bool known = block && block->live && block->address == (uintptr_t)p;
  if (known) {
    block->live = false;
    if (block->previous)
      arena->blocks[block->previous - 1].next = block->next;
    else
      arena->firstLive = block->next;
    if (block->next)
      arena->blocks[block->next - 1].previous = block->previous;
    --arena->liveCount;
    mprotect((void *)block->pages, block->pageBytes, PROT_NONE);
    arena->deadBytes += block->pageBytes;
    if (arena->deadBytes >= deadLimit)
      giveBackLocked(arena);
  }
  busfareUnlock();
  return known;
}

bool busfareProtectAll(struct BusfareArena *arena, bool untouchable) {
  busfareLock();
  bool all = true;
  // What lies between live blocks is untouchable anyway: one call, and the processors flush their translations once.
  if (untouchable && arena->firstLive)
    all = mprotect((void *)arena->begin, arena->top - arena->begin, PROT_NONE) == 0;
  for (uint32_t i = untouchable ? 0 : arena->firstLive; i; i = arena->blocks[i - 1].next)
    all &= mprotect((void *)arena->blocks[i - 1].pages, arena->blocks[i - 1].pageBytes, PROT_READ | PROT_WRITE) == 0;
  busfareUnlock();
  return all;
}
