//===- clang-plugin/units/Worker.h - One unit read in a process of its own -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Clang and the front end may crash, hang, or take all memory on a unit. So each is
// read by a process of its own, busfare itself, which hands back the skeleton as text
// and what the compiler said:
//
//   busfare read-unit FOLDER FILE TAG DEPTH INTERFACES FLAG...
//     the text of UnitText.h
//
// TAG names the unit among others; DEPTH is `whole` or `survey` (OtherUnits::surveys); INTERFACES is a file with what
// others say of the functions it calls and the variables it uses (Interface.h), or nothing.
//
// What comes back is a value that could as well come from a file or from another
// machine. Sections, verdicts and prices are made of it afterwards, by who asked.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_UNITS_WORKER_H
#define BUSFARE_CLANG_PLUGIN_UNITS_WORKER_H

#include "Sources.h"
#include "UnitText.h"
#include "skeleton/Deadline.h"
#include <optional>

namespace busfare::frontend {

/// Of UnitText::lost: a limit of the user's, and nobody's mistake.
inline constexpr const char *readingTimeIsUp = "the time for reading was up (--time-limit, or it was interrupted)";

/// What one process may take.
struct WorkerLimits {
#ifdef __SANITIZE_ADDRESS__
  double seconds = 1200;    ///< It takes several times as long,
  uint64_t memoryBytes = 0; ///< and its shadow alone is terabytes of address space.
#else
  double seconds = 120;                     ///< Of the clock on the wall.
  uint64_t memoryBytes = uint64_t(4) << 30; ///< Of address space; 0: any.
#endif
  std::optional<skeleton::Deadline> deadline = {}; ///< Of reading all units.
};

/// What to read, and what is known of the units around it.
struct UnitTask {
  const Source *source = nullptr;
  std::string tag;
  std::string interfaces; ///< A JSON list; empty: none.
  bool surveys = false; ///< OtherUnits::surveys.
};

/// The command that a worker runs; it is in no help. words: as above, without `read-unit`.
inline constexpr const char *workerCommand = "read-unit";
int runWorker(llvm::ArrayRef<std::string> words);

/// Reads each unit in a process, `jobs` at a time, in order. before(i) is called when the i-th is begun.
/// Errors: no process can be started, no room for files.
llvm::Expected<std::vector<UnitAnswer>> readInWorkers(llvm::ArrayRef<UnitTask> tasks, unsigned jobs,
                                                      const WorkerLimits &limits,
                                                      llvm::function_ref<void(size_t)> before);

} // namespace busfare::frontend

#endif
