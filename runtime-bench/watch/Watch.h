//===- runtime-bench/watch/Watch.h - What a watched program calls ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `busfare verify` runs a ported program on libomptarget's x86_64 device, whose
// kernels could read host memory unnoticed. This library, linked into the program,
// makes them unable to, and counts what crosses. C, no other library needed.
//
// Memory. malloc and its kin, called by the program itself, answer with pages that
// no other block shares, the block's end at a page that nobody may touch; device
// blocks, which libomptarget allocates, likewise. While a kernel runs, every such
// host block is PROT_NONE. A kernel that touches one, or runs over its device block,
// ends the program with exit code 112 and a sentence that names the array. New
// memory is filled with garbage by the byte that MALLOC_PERTURB_ asks for (glibc itself
// leaves in small recycled blocks what was there).
//
// Bytes. An OMPT tool adds up every transfer by the named array whose device block
// it reads or writes. What belongs to no array (reduction results, structs passed by
// value) is added up apart.
//
// Environment:
//   BUSFARE_WATCH_REPORT=FILE       where the record goes: one JSON object a line
//   BUSFARE_MUTANT=17:drop|short    copy 17 is left out, or one element short
//   BUSFARE_MUTANT=17:spoil|spoil-last   what copy 17 brought and was not there already, or the
//                                   last element of each transfer, is overwritten where it
//                                   arrived: does anything there depend on the value at all?
//   BUSFARE_MUTANT=17:shift         copy 17, which goes in chunks, is cut one level earlier on its way to
//                                   the device, one later on its way back: all of it crosses, a part too
//                                   late or too early
//   BUSFARE_MUTANT=3:undepend       tasks do not wait for what dependence 3 names
//   BUSFARE_TASK_ORDERS=300, BUSFARE_TASK_SECONDS=3   bounds of the orders that tasks are run in
//   BUSFARE_GUARD=on|off            every guard holds, or none, whatever it says itself
//   BUSFARE_MUTANT=5:unguard        construct 5 acts though its guard does not hold
//   BUSFARE_ORDER=forward|reverse|random:SEED
//   BUSFARE_POISON=BYTE             what privates are filled with (default 0x7e)
//
// Not handled: arrays inside shared libraries that the program brings along, programs
// that define malloc, kernels that run beside host code (nowait: tasks run here one after the
// other, in all orders), 32-bit machines.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIME_BENCH_WATCH_WATCH_H
#define BUSFARE_RUNTIME_BENCH_WATCH_WATCH_H

#ifdef __cplusplus
extern "C" {
#endif

/// The exit code of a run that a protection ended.
enum { BusfareFault = 112 };

/// Names the host range [address, address + bytes), which is mapped in region root as array.
void busfare_object(const char *root, const char *array, const void *address, unsigned long bytes);

/// A host range that the kernel which comes next is not to touch, though its text names it: it is mapped to nothing.
void busfare_bystander(const char *root, const char *array, const void *address, unsigned long bytes);

/// Called before each run of planned copy number `copy`: how many of `elements` to copy. All of them, unless this copy
/// is the mutant: then all but one, or -1: it is left out. Of a copy in several pieces the elements are those of each
/// piece, and one less is one less of the last.
long busfare_copy(int copy, long elements);

/// Memory on pages of its own, for arrays that were automatic or static. Holds a copy of `initial`, or fresh memory if
/// that is null; asked twice with the same `initial`, it answers twice with new memory. Never given back.
void *busfare_pages(unsigned long bytes, const void *initial);

/// What an open size of region root is in this run.
void busfare_value(const char *root, const char *symbol, long value);

/// The guard of a region says that it pays on the device at the sizes of this run: what is to be done.
int busfare_guard(int region, int pays);

/// Before a construct whose clause is a guard's flag: does it act? As the flag says, unless this one is the mutant.
int busfare_guarded(int construct, int runs);

/// Copy `copy` goes in chunks: where the piece that begins at `from` and ends in front of `end` is to end, elements
/// counted. There, unless this copy is the mutant: then `by` elements further on, but in [from, most].
long busfare_cut(int copy, long from, long end, long most, long by);

/// Is the loop that makes the tasks of a region in chunks to be gone through once more? runs: it is on the device.
int busfare_tasks(int region, int runs);

/// Before busfare_task: `depend(in: *token)` of that task, or `depend(out: *token)`; `dependence` is the clause's
/// number.
void busfare_depends(int dependence, const void *token, int writes);

/// Does the next task run now?
int busfare_task(void);

/// Which of `trips` iterations runs as the k-th. A permutation of 0 .. trips - 1 for each order.
long busfare_order(long k, long trips);

/// Overwrites a private variable, so that nothing flows from one iteration to another through it.
void busfare_poison(void *p, unsigned long bytes);

#ifdef __cplusplus
}
#endif

#endif
