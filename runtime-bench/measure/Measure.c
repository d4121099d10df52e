//===- runtime-bench/measure/Measure.c - Counters and timers of a run ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare measure` puts into a program calls this. Counters are a block of its own
// for each thread, so that counting is one addition; timers and sizes are rare, and locked.
//
// At the end of the program one line each goes to the file BUSFARE_MEASURE names:
//
//   count 3 417              counter 3, of all threads
//   time 0 100 1.25          timer 0: 100 times from begin to end, 1.25 s in all
//   value 2 1 512 512 512    size 2: told once; least, greatest, sum
//   end                      nothing is missing
//
// A timer that begins again before it has ended (control left what it measures) forgets the
// first begin. Of nested runs of one timer the innermost counts. A program that is ended by
// a signal or _exit leaves no file.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MostTimers = 4096, MostValues = 4096 };

struct Block {
  struct Block *next;
  long counts[];
};
struct Timer {
  double begin, seconds;
  unsigned long times;
  int isRunning;
};
struct Value {
  unsigned long times;
  long least, most;
  double sum;
};

static struct Block *blocks;
static struct Timer timers[MostTimers];
static struct Value values[MostValues];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long counters;

__thread long *busfare_counts;

static unsigned long countersWanted(void) {
  const char *text = getenv("BUSFARE_MEASURE_COUNTERS");
  unsigned long wanted = text ? strtoul(text, NULL, 10) : 0;
  return wanted ? wanted : 65536;
}

/// This thread's counters, made when it counts first. They live until the program ends.
long *busfare_block(void) {
  pthread_mutex_lock(&lock);
  if (!counters)
    counters = countersWanted();
  struct Block *block = calloc(1, sizeof *block + counters * sizeof block->counts[0]);
  if (!block)
    abort();
  block->next = blocks;
  blocks = block;
  pthread_mutex_unlock(&lock);
  return busfare_counts = block->counts;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void busfare_begin(unsigned id) {
  if (id >= MostTimers)
    return;
  timers[id].isRunning = 1;
  timers[id].begin = now();
}

void busfare_end(unsigned id) {
  if (id >= MostTimers || !timers[id].isRunning)
    return;
  timers[id].seconds += now() - timers[id].begin;
  timers[id].isRunning = 0;
  ++timers[id].times;
}

void busfare_size(unsigned id, long value) {
  if (id >= MostValues)
    return;
  pthread_mutex_lock(&lock);
  struct Value *size = &values[id];
  if (!size->times || value < size->least)
    size->least = value;
  if (!size->times || value > size->most)
    size->most = value;
  size->sum += (double)value;
  ++size->times;
  pthread_mutex_unlock(&lock);
}

static void writeCounts(FILE *file) {
  for (unsigned long id = 0; id < counters; ++id) {
    long sum = 0;
    for (const struct Block *block = blocks; block; block = block->next)
      sum += block->counts[id];
    if (sum)
      fprintf(file, "count %lu %ld\n", id, sum);
  }
}

__attribute__((destructor)) static void writeAll(void) {
  const char *name = getenv("BUSFARE_MEASURE");
  FILE *file = name && *name ? fopen(name, "w") : NULL;
  if (!file)
    return;
  writeCounts(file);
  for (unsigned id = 0; id < MostTimers; ++id)
    if (timers[id].times)
      fprintf(file, "time %u %lu %.9g\n", id, timers[id].times, timers[id].seconds);
  for (unsigned id = 0; id < MostValues; ++id)
    if (values[id].times)
      fprintf(file, "value %u %lu %ld %ld %.17g\n", id, values[id].times, values[id].least, values[id].most, values[id].sum);
  fprintf(file, "end\n");
  fclose(file);
}
