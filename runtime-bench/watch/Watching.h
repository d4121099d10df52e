//===- runtime-bench/watch/Watching.h - The watch library's own parts -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What its files tell each other; programs see Watch.h alone.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIME_BENCH_WATCH_WATCHING_H
#define BUSFARE_RUNTIME_BENCH_WATCH_WATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Of every variable of this library: together in one section, on pages that are never shut with those of the program.
#define BUSFARE_STATE __attribute__((section("busfare_state")))

/// Allocate.c: from now on callers are told apart.
void busfareStartAllocating(void);

/// Allocate.c: what MALLOC_PERTURB_ makes of fresh memory.
int busfareFreshByte(void);

/// Order.c: garbage whose words begin with the byte twice: large numbers of every type, of one sign, no two alike, so
/// that differences of them are not zero.
void busfareFill(void *p, size_t bytes, int byte);

/// The same garbage each time at the same place, as memory has that a missing copy never reaches.
void busfareFillSame(void *p, size_t bytes, int byte);

/// Record.c. A device block of `bytes` was made for, or is given back by, a host range.
void busfareMapped(uintptr_t host, uintptr_t device, size_t bytes);
void busfareUnmapped(uintptr_t device);
/// A transfer between the two addresses is about to happen, or has happened; host is 0 if the other end is a device
/// too.
void busfareMoving(bool toDevice, uintptr_t host, uintptr_t device, size_t bytes);
void busfareMoved(bool toDevice, uintptr_t host, uintptr_t device, size_t bytes);
/// A kernel begins or has ended: host memory becomes untouchable, or comes back.
void busfareKernel(bool begins);
/// "u of p7", or empty: the array whose host range, or whose device block, holds the address.
void busfareNameHost(uintptr_t address, char *text, size_t room);
void busfareNameDevice(uintptr_t address, char *text, size_t room);
/// Is the address on a page of a mapped host range outside the arena that a kernel must not touch?
bool busfareIsShut(uintptr_t address);
extern volatile bool busfareKernelRuns;

/// Guard.c: what the environment says of guards; which construct does without; what the record has of them.
void busfareReadGuards(void);
void busfareUnguard(int construct);
void busfareWriteGuards(void (*line)(const char *format, ...));

/// Record.c. The k-th of the mapped ranges; false: there are fewer.
bool busfareMappingAt(unsigned k, uintptr_t *host, uintptr_t *device, size_t *bytes);
/// What crosses from here on is no copy's that was announced.
void busfareCopyEnds(void);

/// Tasks.c: what happens was counted already, in another order.
extern bool busfareRepeats;
/// A task runs, or could.
bool busfareTasksRun(void);
/// Which dependence is left out; what the record has of tasks.
void busfareUndepend(int dependence);
void busfareWriteTasks(void (*line)(const char *format, ...));

/// Ends the program with exit code BusfareFault; why goes to the record and to stderr.
_Noreturn void busfareStop(const char *why);

/// Fault.c: SIGSEGV becomes a sentence.
void busfareCatchFaults(void);

#endif
