//===- runtime-bench/watch/Guard.c - Conditions under which regions run on the device -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A guard is asked once where its region begins, its flag at each construct of it. Whatever the sizes of the run are,
// both answers can be had from one program, and one construct can do without its guard:
//
//   BUSFARE_GUARD=off BUSFARE_MUTANT=3:unguard     construct 3 acts, all others do not
//
//===----------------------------------------------------------------------===//

#include "runtime-bench/watch/Arena.h"
#include "runtime-bench/watch/Watch.h"
#include "runtime-bench/watch/Watching.h"
#include <stdlib.h>
#include <string.h>

enum { MostGuards = 4096, MostGuarded = 16384 };
enum Side { AsComputed, On, Off };

BUSFARE_STATE static enum Side side;
BUSFARE_STATE static long asked[MostGuards], held[MostGuards]; ///< By region.
BUSFARE_STATE static long calls[MostGuarded];                  ///< By construct.
BUSFARE_STATE static int unguarded = -1;

void busfareReadGuards(void) {
  const char *text = getenv("BUSFARE_GUARD");
  if (!text || !*text)
    return;
  if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0)
    busfareStop("BUSFARE_GUARD wants on or off");
  side = strcmp(text, "on") == 0 ? On : Off;
}

void busfareUnguard(int construct) { unguarded = construct; }

int busfare_guard(int region, int pays) {
  if (region < 0 || region >= MostGuards)
    busfareStop("too many guards to watch");
  busfareLock();
  ++asked[region];
  held[region] += pays != 0;
  busfareUnlock();
  return side == AsComputed ? pays : side == On;
}

int busfare_guarded(int construct, int runs) {
  if (construct < 0 || construct >= MostGuarded)
    busfareStop("too many guarded constructs to watch");
  busfareLock();
  ++calls[construct];
  busfareUnlock();
  return runs || construct == unguarded;
}

void busfareWriteGuards(void (*line)(const char *format, ...)) {
  for (int i = 0; i < MostGuards; ++i)
    if (asked[i])
      line("{\"kind\": \"guard\", \"region\": %d, \"asked\": %ld, \"held\": %ld}\n", i, asked[i], held[i]);
  for (int i = 0; i < MostGuarded; ++i)
    if (calls[i])
      line("{\"kind\": \"guarded\", \"id\": %d, \"calls\": %ld}\n", i, calls[i]);
}
