//===- clang-plugin/units/Threads.h - Work on threads that may fail ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each piece of work gets a thread of its own: a deep stack (skeletons are walked
// recursively) and an analysis state that nothing has used before, so that what comes
// out does not depend on how many run at a time, or on what ran before.
//
//   failures = forEachOnOwnThread(2, 8, work)   ->  {"", "signal 11 (Segmentation fault)"}
//
// A crash ends its piece alone; what the piece held is lost, a lock in it would stay
// locked. That is good enough to still report the others. (As libclang does it.)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_THREADS_H
#define BUSFARE_CLANG_PLUGIN_UNITS_THREADS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <string>
#include <vector>

namespace busfare::frontend {

/// Calls work(i) for each i < count, at most `jobs` at a time. For each, why it crashed, or nothing.
std::vector<std::string> forEachOnOwnThread(size_t count, unsigned jobs, llvm::function_ref<void(size_t)> work);

/// How work apart went. Crashed, Late: it stands where it stood, and may have changed half of what it was at.
enum class Ending { Done, Crashed, Late };

/// Does the work on a thread with a deep stack, and waits for it. If that crashes, takes longer than `seconds`, or
/// calls stopHere(), its thread stops for good: nothing on its stack is taken down, nothing that it points to may be.
/// So whatever becomes of the work, the process goes on; for where others' code must end well. One at a time: it has
/// the handlers of the signals that crashes raise.
Ending runApart(double seconds, llvm::function_ref<void()> work);

/// In such work: it is done, and its stack need not be taken down.
[[noreturn]] void stopHere();

/// For a signal handler: ends the piece of work that this thread is at. Returns if it is at none.
void escapeCrash(int signal);

/// As many as this process has cores.
unsigned coreCount();

} // namespace busfare::frontend

#endif
