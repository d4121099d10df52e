//===- runtime-bench/watch/Order.c - Iterations in another order ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A random order is a permutation computed point by point, so that loops may nest and
// nothing is stored: a Feistel network (Luby and Rackoff 1988) permutes 0 .. 4^h - 1,
// and is applied again while the result is no iteration (cycle walking; fewer than
// four times on average, as 4^h < 4 * trips).
//
//   trips 5, random:1  ->  e.g. 3 0 4 2 1
//
//===----------------------------------------------------------------------===//

#include "runtime-bench/watch/Watch.h"
#include "runtime-bench/watch/Watching.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum Order { Unread, Forward, Reverse, Random };
BUSFARE_STATE static enum Order order;
BUSFARE_STATE static uint64_t seed;

static void readOrder(void) {
  const char *text = getenv("BUSFARE_ORDER");
  if (!text || !*text || strcmp(text, "forward") == 0)
    order = Forward;
  else if (strcmp(text, "reverse") == 0)
    order = Reverse;
  else if (strncmp(text, "random:", 7) == 0) {
    seed = strtoull(text + 7, NULL, 10);
    order = Random;
  } else
    busfareStop("BUSFARE_ORDER wants forward, reverse or random:SEED");
}

static uint64_t mix(uint64_t x) { // splitmix64's finaliser
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static uint64_t permuted(uint64_t k, uint64_t trips) {
  unsigned half = 1;
  while (half < 31 && ((uint64_t)1 << 2 * half) < trips)
    ++half;
  const uint64_t mask = ((uint64_t)1 << half) - 1;
  do {
    uint64_t left = k >> half, right = k & mask;
    for (uint64_t round = 1; round <= 4; ++round) {
      uint64_t next = left ^ (mix(right + (seed << 8) + (round << 40) + trips * 0x9e3779b97f4a7c15u) & mask);
      left = right;
      right = next;
    }
    k = left << half | right;
  } while (k >= trips);
  return k;
}

long busfare_order(long k, long trips) {
  if (order == Unread)
    readOrder();
  if (trips <= 1 || k < 0 || k >= trips || order == Forward)
    return k;
  return order == Reverse ? trips - 1 - k : (long)permuted((uint64_t)k, (uint64_t)trips);
}

static void fillFrom(uint32_t number, void *p, size_t bytes, int byte) {
  // Another byte, other low bits: all of them, if only its last bit differs, so that one of two runs has the other parity.
  uint32_t state = (number + ((uint32_t)byte >> 1 << 16)) * 2654435761u, flipped = byte & 1 ? 0xffff : 0;
  for (size_t at = 0; at < bytes; at += 4) {
    state = state * 1664525u + 1013904223u;
    uint32_t word = (uint32_t)byte << 24 | (uint32_t)byte << 16 | (state >> 16 ^ flipped);
    memcpy((char *)p + at, &word, bytes - at < 4 ? bytes - at : 4);
  }
}

void busfareFill(void *p, size_t bytes, int byte) {
  BUSFARE_STATE static _Atomic uint32_t fills;
  fillFrom(++fills, p, bytes, byte);
}

void busfareFillSame(void *p, size_t bytes, int byte) {
  fillFrom((uint32_t)((uintptr_t)p % 4096 / 4), p, bytes, byte); // the same in all runs, wherever the page lies
}

void busfare_poison(void *p, unsigned long bytes) {
  BUSFARE_STATE static int fill = -1;
  if (fill < 0) {
    const char *text = getenv("BUSFARE_POISON");
    fill = text && *text ? (int)strtol(text, NULL, 0) & 0xff : 0x7e;
  }
  busfareFill(p, bytes, fill);
}
