//===- runtime-bench/watch/Allocate.c - malloc for a watched program ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Linked into the program, these stand before glibc's for every library. Who called
// decides: the program's own code gets a block of the host arena, libomptarget a
// block of the device arena (it allocates device memory with malloc), all others
// glibc's memory, as if we were not here. `free` knows every block by its address, so
// blocks may pass between the program and its libraries.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "runtime-bench/watch/Arena.h"
#include "runtime-bench/watch/Watch.h"
#include "runtime-bench/watch/Watching.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
extern char __executable_start, etext; // given by the linker

enum { DefaultAlignment = 16 };

BUSFARE_STATE static bool started;                   ///< The rest is known: libraries are loaded, the environment is there.
BUSFARE_STATE static int fillByte = -1;              ///< -1: leave fresh memory as it is.
BUSFARE_STATE static uintptr_t targetBegin, targetEnd; ///< Where libomptarget's code lies.

static int findTarget(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  if (!info->dlpi_name || !strstr(info->dlpi_name, "libomptarget.so"))
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
      targetBegin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      targetEnd = targetBegin + info->dlpi_phdr[i].p_memsz;
    }
  return 1;
}

int busfareFreshByte(void) { return fillByte < 0 ? 0x7e : fillByte; }

void busfareStartAllocating(void) {
  const char *perturb = getenv("MALLOC_PERTURB_");
  if (perturb && atoi(perturb))
    fillByte = ~atoi(perturb) & 0xff; // fresh memory holds the complement, as in glibc
  dl_iterate_phdr(findTarget, NULL);
  started = true;
}

/// The arena of who called malloc, or null for glibc's memory.
static struct BusfareArena *arenaOf(const void *caller) {
  uintptr_t place = (uintptr_t)caller;
  if (!started)
    return NULL;
  if (place >= (uintptr_t)&__executable_start && place < (uintptr_t)&etext)
    return &busfareHostArena;
  return place >= targetBegin && place < targetEnd ? &busfareDeviceArena : NULL;
}

static void *fill(void *p, size_t bytes) {
  if (p && fillByte >= 0 && started)
    busfareFill(p, bytes, fillByte);
  return p;
}

/// Device blocks are placed to the byte: an array of 5 doubles ends at its guard. Kernels know no more of a pointer's
/// alignment than its type says; host code may rely on malloc's 16.
static size_t alignmentIn(const struct BusfareArena *arena, size_t bytes) {
  if (arena == &busfareHostArena || bytes == 0)
    return DefaultAlignment;
  size_t largest = bytes & -bytes;
  return largest < DefaultAlignment ? largest : DefaultAlignment;
}

static void *take(const void *caller, size_t bytes, size_t alignment) {
  struct BusfareArena *arena = arenaOf(caller);
  return arena ? busfareTake(arena, bytes, alignment ? alignment : alignmentIn(arena, bytes)) : NULL;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t bytes) {
  void *p = take(CALLER, bytes, 0);
  return fill(p ? p : __libc_malloc(bytes), bytes);
}

void free(void *p) {
  if (!busfareHolds(&busfareHostArena, (uintptr_t)p) && !busfareHolds(&busfareDeviceArena, (uintptr_t)p))
    __libc_free(p);
  else if (!busfareRelease(&busfareHostArena, p) && !busfareRelease(&busfareDeviceArena, p))
    busfareStop("free() of an address that is no allocated block");
}

static void *callocFor(const void *caller, size_t count, size_t each) {
  size_t bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  void *p = take(caller, bytes, 0); // fresh pages are zero
  return p ? p : __libc_calloc(count, each);
}

void *calloc(size_t count, size_t each) { return callocFor(CALLER, count, each); }

static void *reallocFor(const void *caller, void *old, size_t bytes) {
  struct BusfareBlock block;
  bool ours = busfareFind(&busfareHostArena, (uintptr_t)old, &block) || busfareFind(&busfareDeviceArena, (uintptr_t)old, &block);
  if (old && !ours)
    return __libc_realloc(old, bytes);
  void *p = take(caller, bytes, 0);
  if (!p)
    p = __libc_malloc(bytes);
  if (!p)
    return NULL;
  fill(p, bytes);
  if (old) {
    memcpy(p, old, block.bytes < bytes ? block.bytes : bytes);
    free(old);
  }
  return p;
}

void *realloc(void *old, size_t bytes) { return reallocFor(CALLER, old, bytes); }

void *reallocarray(void *old, size_t count, size_t each) {
  size_t bytes;
  if (__builtin_mul_overflow(count, each, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return reallocFor(CALLER, old, bytes);
}

static void *alignedFor(const void *caller, size_t alignment, size_t bytes) {
  void *p = take(caller, bytes, alignment < DefaultAlignment ? DefaultAlignment : alignment);
  return fill(p ? p : __libc_memalign(alignment, bytes), bytes);
}

void *memalign(size_t alignment, size_t bytes) { return alignedFor(CALLER, alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return alignedFor(CALLER, alignment, bytes); }
void *valloc(size_t bytes) { return alignedFor(CALLER, 4096, bytes); }

int posix_memalign(void **result, size_t alignment, size_t bytes) {
  if (alignment % sizeof(void *) || (alignment & (alignment - 1)) || !alignment)
    return EINVAL;
  void *p = alignedFor(CALLER, alignment, bytes);
  if (!p)
    return ENOMEM;
  *result = p;
  return 0;
}

size_t malloc_usable_size(void *p) {
  struct BusfareBlock block;
  if (busfareFind(&busfareHostArena, (uintptr_t)p, &block) || busfareFind(&busfareDeviceArena, (uintptr_t)p, &block))
    return block.bytes;
  size_t (*next)(void *) = (size_t(*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
  return next && p ? next(p) : 0;
}

void *busfare_pages(unsigned long bytes, const void *initial) {
  void *p = busfareTake(&busfareHostArena, bytes, DefaultAlignment);
  if (!p)
    p = __libc_malloc(bytes ? bytes : 1);
  if (!p)
    busfareStop("no memory left for an array");
  if (initial)
    memcpy(p, initial, bytes);
  else
    fill(p, bytes);
  return p;
}

//===--- C++: operator new, called from the program's own code -------------===//
// Weak, so that a program's own definitions stand. `delete` is libstdc++'s, which calls free.

static void *newFor(const void *caller, size_t bytes, size_t alignment) {
  void *p = take(caller, bytes, alignment);
  if (!p)
    p = alignment ? __libc_memalign(alignment, bytes) : __libc_malloc(bytes ? bytes : 1);
  return fill(p, bytes);
}

static void *newOrStop(const void *caller, size_t bytes, size_t alignment) {
  void *p = newFor(caller, bytes, alignment);
  if (!p)
    busfareStop("no memory left for operator new");
  return p;
}

#define WEAK __attribute__((weak))
WEAK void *_Znwm(size_t bytes) { return newOrStop(CALLER, bytes, 0); }
WEAK void *_Znam(size_t bytes) { return newOrStop(CALLER, bytes, 0); }
WEAK void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment) { return newOrStop(CALLER, bytes, alignment); }
WEAK void *_ZnamSt11align_val_t(size_t bytes, size_t alignment) { return newOrStop(CALLER, bytes, alignment); }
WEAK void *_ZnwmRKSt9nothrow_t(size_t bytes, const void *unused) { return (void)unused, newFor(CALLER, bytes, 0); }
WEAK void *_ZnamRKSt9nothrow_t(size_t bytes, const void *unused) { return (void)unused, newFor(CALLER, bytes, 0); }
