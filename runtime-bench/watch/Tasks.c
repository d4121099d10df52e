//===- runtime-bench/watch/Tasks.c - Tasks in every order they may have ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A region in chunks is tasks with dependences, and whatever order these allow must give
// the same. The watched program goes through the loop that makes the tasks again and
// again: once to collect them, then each time to run one of them.
//
//   while (busfare_tasks(1, 1))
//     for (k = 1 .. 2) {
//       busfare_depends(0, &in[k], 1);                                 // depend(out: in[k])
//       if (busfare_task()) copy(k);                                   // tasks 0 and 2
//       busfare_depends(1, &in[k], 0);                                 // depend(in: in[k])
//       if (busfare_task()) kernel(k);                                 // tasks 1 and 3
//     }
//     six orders: 0 1 2 3, 0 2 1 3, 0 2 3 1, 2 0 1 3, 2 0 3 1, 2 3 0 1
//
// What a dependence orders is OpenMP's rule (5.2, section 15.9.5): a task with `in` waits for
// the last one before it with `out` on the same address, a task with `out` also for those with
// `in` since. Between two orders all mapped memory is what it was before the first, on the host
// and on the device; behind each the host's must hold what it held behind the first, byte by
// byte. Orders are all linear extensions, if there are no more than BUSFARE_TASK_ORDERS: as the
// tasks are made, then from the one that takes the last ready task each time backwards. Otherwise
// so many: these two, and random ones. After BUSFARE_TASK_SECONDS no more begin, but never fewer than four.
//
// Only the first order counts for the record. Two tasks never run at a time here: what
// they would do to each other they do in one of the two orders.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "runtime-bench/watch/Watch.h"
#include "runtime-bench/watch/Watching.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MostTasks = 2048, MostTokens = 2048, MostPending = 64, MostRegions = 256, FewestOrders = 4 };
enum State { Idle, Collecting, Running };

/// A set of tasks.
struct Set {
  uint64_t words[MostTasks / 64];
};
struct Token {
  const void *address;
  int writer; ///< The last task with `out`; -1: none.
  struct Set readers; ///< Those with `in` since.
};
struct Pending {
  const void *address;
  int writes;
};
struct Region {
  long runs, tasks, orders;
  bool isIncomplete; ///< There are orders that were not tried.
};

BUSFARE_STATE static struct Set *waitsFor; ///< By task.
BUSFARE_STATE static struct Token *tokens;
BUSFARE_STATE static struct Pending pending[MostPending];
BUSFARE_STATE static unsigned tokenCount, pendingCount;
BUSFARE_STATE static struct Region regions[MostRegions];
BUSFARE_STATE static enum State state;
BUSFARE_STATE static int region, without = -1; ///< without: the dependence that is the mutant.
BUSFARE_STATE static bool isOnDevice, hasAll;
BUSFARE_STATE static int order[MostTasks], taskCount, position, seen;
BUSFARE_STATE static long orders, mostOrders;
BUSFARE_STATE static double mostSeconds;
BUSFARE_STATE static struct timespec begun;
BUSFARE_STATE static uint64_t random64;
BUSFARE_STATE bool busfareRepeats;

//===--- Sets ----------------------------------------------------------------===//

static void add(struct Set *set, int task) { set->words[task / 64] |= (uint64_t)1 << task % 64; }
static bool holds(const struct Set *set, int task) { return set->words[task / 64] >> task % 64 & 1; }
static bool isWithin(const struct Set *set, const struct Set *other) {
  for (int k = 0; k < (taskCount + 63) / 64; ++k)
    if (set->words[k] & ~other->words[k])
      return false;
  return true;
}

static void *table(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    busfareStop("no memory left for the orders of tasks");
  return p;
}

//===--- What waits for what -------------------------------------------------===//

void busfareUndepend(int dependence) { without = dependence; }

bool busfareTasksRun(void) { return state == Running; }

static struct Token *tokenAt(const void *address) {
  for (unsigned i = 0; i < tokenCount; ++i)
    if (tokens[i].address == address)
      return &tokens[i];
  if (tokenCount == MostTokens)
    busfareStop("too many addresses that tasks depend on");
  struct Token *fresh = &tokens[tokenCount++];
  memset(fresh, 0, sizeof *fresh);
  fresh->address = address;
  fresh->writer = -1;
  return fresh;
}

void busfare_depends(int dependence, const void *token, int writes) {
  if (state != Collecting || (dependence >= 0 && dependence == without))
    return;
  if (pendingCount == MostPending)
    busfareStop("too many dependences of one task");
  pending[pendingCount++] = (struct Pending){token, writes};
}

static void collect(void) {
  if (taskCount == MostTasks)
    busfareStop("too many tasks to order");
  struct Set *own = &waitsFor[taskCount];
  memset(own, 0, sizeof *own);
  for (int writes = 0; writes < 2; ++writes)
    for (unsigned k = 0; k < pendingCount; ++k) {
      if (pending[k].writes != writes)
        continue;
      struct Token *token = tokenAt(pending[k].address);
      if (token->writer >= 0 && token->writer != taskCount)
        add(own, token->writer);
      if (!writes) {
        add(&token->readers, taskCount);
        continue;
      }
      for (int task = 0; task < taskCount; ++task)
        if (holds(&token->readers, task))
          add(own, task);
      memset(&token->readers, 0, sizeof token->readers);
      token->writer = taskCount;
    }
  pendingCount = 0;
  ++taskCount;
}

int busfare_task(void) {
  if (state == Collecting) {
    collect();
    return 0;
  }
  if (state != Running || seen >= taskCount)
    busfareStop("a task that was not there when the tasks were collected");
  return order[position] == seen++;
}

//===--- Orders --------------------------------------------------------------===//

/// Of the tasks that are ready behind order[0 .. at) and lie in (above, below): the least, or the greatest. -1: none is.
static int ready(int at, int above, int below, bool isGreatest) {
  struct Set done = {{0}};
  for (int i = 0; i < at; ++i)
    add(&done, order[i]);
  const int first = isGreatest ? below - 1 : above + 1, step = isGreatest ? -1 : 1;
  for (int task = first; task > above && task < below; task += step)
    if (!holds(&done, task) && isWithin(&waitsFor[task], &done))
      return task;
  return -1;
}

static void fillFrom(int at, bool isGreatest) {
  for (; at < taskCount; ++at)
    order[at] = ready(at, -1, taskCount, isGreatest);
}

/// The next one in lexicographic order, or the one before; false: there is none.
static bool advance(bool isBack) {
  for (int at = taskCount - 1; at >= 0; --at) {
    const int task = isBack ? ready(at, -1, order[at], true) : ready(at, order[at], taskCount, false);
    if (task < 0)
      continue;
    order[at] = task;
    fillFrom(at + 1, isBack);
    return true;
  }
  return false;
}

/// As the tasks were made.
static bool isFirst(void) {
  for (int at = 0; at < taskCount; ++at)
    if (order[at] != at)
      return false;
  return true;
}

static void anyReady(void) {
  for (int at = 0; at < taskCount; ++at) {
    random64 = random64 * 6364136223846793005u + 1442695040888963407u;
    const int from = (int)((random64 >> 33) % (uint64_t)taskCount), behind = ready(at, from - 1, taskCount, false);
    order[at] = behind >= 0 ? behind : ready(at, -1, from, false);
  }
}

static void planOrders(void) {
  const char *most = getenv("BUSFARE_TASK_ORDERS"), *seconds = getenv("BUSFARE_TASK_SECONDS");
  mostOrders = most && *most ? atol(most) : 300;
  mostSeconds = seconds && *seconds ? atof(seconds) : 3;
  fillFrom(0, false);
  hasAll = true;
  for (long count = 1; hasAll && advance(false); ++count)
    hasAll = count < mostOrders;
  fillFrom(0, false);
  orders = 0;
  random64 = 1;
  clock_gettime(CLOCK_MONOTONIC, &begun);
}

static double secondsSinceBegun(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - begun.tv_sec) + 1e-9 * (double)(now.tv_nsec - begun.tv_nsec);
}

/// Of the orders, the next one that is to be tried; false: none. The farthest from the first one come first.
static bool takeNext(void) {
  if (!isOnDevice)
    return false;
  if (orders >= FewestOrders && secondsSinceBegun() > mostSeconds) {
    regions[region].isIncomplete |= !hasAll || (advance(true) && !isFirst());
    return false;
  }
  if (orders == 1) {
    fillFrom(0, true);
    return !isFirst();
  }
  if (hasAll)
    return advance(true) && !isFirst();
  if (orders >= mostOrders) {
    regions[region].isIncomplete = true;
    return false;
  }
  anyReady();
  return true;
}

//===--- Memory --------------------------------------------------------------===//

BUSFARE_STATE static char *before, *behind; ///< Host and device before the first order; the host behind it.
BUSFARE_STATE static size_t mappedBytes;

static void keepBefore(void) {
  uintptr_t host, device;
  size_t bytes, at = 0;
  mappedBytes = 0;
  for (unsigned k = 0; busfareMappingAt(k, &host, &device, &bytes); ++k)
    mappedBytes += bytes;
  before = table(2 * mappedBytes + 1);
  behind = table(mappedBytes + 1);
  for (unsigned k = 0; busfareMappingAt(k, &host, &device, &bytes); ++k, at += bytes) {
    memcpy(before + at, (void *)host, bytes);
    memcpy(before + mappedBytes + at, (void *)device, bytes);
  }
}

static void setBack(void) {
  uintptr_t host, device;
  size_t bytes, at = 0;
  for (unsigned k = 0; busfareMappingAt(k, &host, &device, &bytes); ++k, at += bytes) {
    memcpy((void *)host, before + at, bytes);
    memcpy((void *)device, before + mappedBytes + at, bytes);
  }
}

static void differs(uintptr_t host, size_t byte) {
  char text[600], name[300];
  busfareNameHost(host, name, sizeof name);
  int length = snprintf(text, sizeof text, "byte %zu of %s depends on the order of the tasks; it is another one after", byte,
                        *name ? name : "an array without a name");
  for (int k = 0; k < taskCount && length < 500; ++k)
    length += snprintf(text + length, sizeof text - (size_t)length, k < 24 ? " %d" : " ..", order[k]);
  busfareStop(text);
}

static void keepOrCompare(void) {
  uintptr_t host, device;
  size_t bytes, at = 0;
  for (unsigned k = 0; busfareMappingAt(k, &host, &device, &bytes); ++k, at += bytes) {
    if (orders == 1)
      memcpy(behind + at, (void *)host, bytes);
    else if (memcmp(behind + at, (void *)host, bytes) != 0)
      for (size_t byte = 0; byte < bytes; ++byte)
        if (behind[at + byte] != ((char *)host)[byte])
          differs(host, byte);
  }
}

//===--- Sweeps --------------------------------------------------------------===//

static void startCollecting(int which, int runs) {
  if (which < 0 || which >= MostRegions)
    busfareStop("too many regions in chunks");
  if (!waitsFor) {
    waitsFor = table(MostTasks * sizeof *waitsFor);
    tokens = table(MostTokens * sizeof *tokens);
  }
  region = which;
  isOnDevice = runs;
  taskCount = 0;
  tokenCount = pendingCount = 0;
  state = Collecting;
}

static void finish(void) {
  struct Region *one = &regions[region];
  ++one->runs;
  one->tasks += taskCount;
  one->orders += orders;
  if (isOnDevice) {
    munmap(before, 2 * mappedBytes + 1);
    munmap(behind, mappedBytes + 1);
  }
  busfareRepeats = false;
  state = Idle;
}

int busfare_tasks(int which, int runs) {
  if (state == Idle) {
    startCollecting(which, runs);
    return 1;
  }
  if (which != region)
    busfareStop("regions in chunks inside each other");
  if (state == Collecting) {
    planOrders();
    if (isOnDevice)
      keepBefore();
    position = seen = 0;
    state = Running;
    return 1;
  }
  if (seen != taskCount)
    busfareStop("there are fewer tasks than were collected");
  seen = 0;
  if (++position < taskCount)
    return 1;
  busfareCopyEnds();
  ++orders;
  if (isOnDevice)
    keepOrCompare();
  if (!takeNext()) {
    finish();
    return 0;
  }
  busfareRepeats = true;
  setBack();
  position = 0;
  return 1;
}

void busfareWriteTasks(void (*line)(const char *format, ...)) {
  for (int k = 0; k < MostRegions; ++k)
    if (regions[k].runs)
      line("{\"kind\": \"tasks\", \"region\": %d, \"runs\": %ld, \"tasks\": %ld, \"orders\": %ld, \"all\": %s}\n", k,
           regions[k].runs, regions[k].tasks, regions[k].orders, regions[k].isIncomplete ? "false" : "true");
}
