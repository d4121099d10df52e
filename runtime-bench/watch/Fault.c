//===- runtime-bench/watch/Fault.c - A protection fault as a sentence -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   a kernel read byte 80 of host array u of p7
//   a kernel wrote 8 bytes past the end of the device block of v of p7 (800 bytes)
//   the program read 0 bytes past the end of a block of 800 bytes
//
// A fault outside the arenas is not ours: the signal's default action follows.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "runtime-bench/watch/Arena.h"
#include "runtime-bench/watch/Watching.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

static bool isWrite(const void *context) {
#if defined(__x86_64__)
  return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
  (void)context;
  return false;
#endif
}

/// "8 bytes past the end of", "16 bytes before", "byte 80 of".
static void place(uintptr_t address, const struct BusfareBlock *block, char *text, size_t room) {
  if (address >= block->address + block->bytes)
    snprintf(text, room, "%zu bytes past the end of", (size_t)(address - block->address - block->bytes));
  else if (address < block->address)
    snprintf(text, room, "%zu bytes before", (size_t)(block->address - address));
  else
    snprintf(text, room, "byte %zu of", (size_t)(address - block->address));
}

static void onFault(int signal, siginfo_t *info, void *context) {
  uintptr_t address = (uintptr_t)info->si_addr;
  const char *who = busfareKernelRuns ? "a kernel" : "host code";
  const char *did = isWrite(context) ? "wrote" : "read";
  char text[600], name[300] = "", where[80];
  struct BusfareBlock block;
  if (busfareNearest(&busfareHostArena, address, &block)) {
    place(address, &block, where, sizeof where);
    busfareNameHost(address, name, sizeof name);
    bool inside = address >= block.address && address < block.address + block.bytes;
    if (!block.live)
      snprintf(text, sizeof text, "%s %s %s a block of %zu bytes that was freed", who, did, where, block.bytes);
    else if (*name)
      snprintf(text, sizeof text, "%s %s %s host array %s", who, did, where, name);
    else
      snprintf(text, sizeof text, "%s %s %s a host block of %zu bytes%s", who, did, where, block.bytes,
               inside && busfareKernelRuns ? " that is not mapped" : "");
    busfareStop(text);
  }
  if (busfareNearest(&busfareDeviceArena, address, &block)) {
    place(address, &block, where, sizeof where);
    busfareNameDevice(block.address, name, sizeof name);
    snprintf(text, sizeof text, "%s %s %s the device block of %s (%zu bytes)%s", who, did, where,
             *name ? name : "an array without a name", block.bytes, block.live ? "" : ", which was freed");
    busfareStop(text);
  }
  if (busfareKernelRuns && busfareIsShut(address)) {
    busfareNameHost(address, name, sizeof name);
    snprintf(text, sizeof text, *name ? "a kernel %s host array %s" : "a kernel %s memory of the program beside a host array%s", did,
             name);
    busfareStop(text);
  }
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, NULL); // the access is repeated and ends the program
}

void busfareCatchFaults(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
}
