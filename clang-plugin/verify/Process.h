//===- clang-plugin/verify/Process.h - Programs run with a time limit ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Starts other programs, a few at once, and waits for them. What they print is kept;
// standard input is empty. A program that exceeds its limit is killed together with
// what it started. POSIX only.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VERIFY_PROCESS_H
#define BUSFARE_CLANG_PLUGIN_VERIFY_PROCESS_H

#include "skeleton/Deadline.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace busfare::frontend::verify {

struct Invocation {
  std::vector<std::string> words; ///< The program's path, then its arguments.
  std::string directory;          ///< Empty: the current one.
  std::vector<std::pair<std::string, std::string>> environment; ///< Set on top of our own.
  double limit = 60;              ///< s
  std::optional<skeleton::Deadline> deadline = {}; ///< It does not start behind that, or is ended then.
  uint64_t memoryLimit = 0;       ///< Of its address space; 0: as ours.
};

struct Finished {
  bool started = false;
  bool timedOut = false;
  int exitCode = 0;
  int signal = 0; ///< 0: it ended by itself.
  std::string out, err;
  double seconds = 0;

  bool succeeded() const { return started && !timedOut && !signal && exitCode == 0; }
};

/// Outcomes in the order of the invocations, at most `atOnce` of which run at a time. Files are made in `folder`.
/// before(i) is called when the i-th is started, which they are in order. They end with us, however we end.
std::vector<Finished> runAll(llvm::ArrayRef<Invocation> invocations, llvm::StringRef folder, unsigned atOnce = 2,
                             llvm::function_ref<void(size_t)> before = nullptr);
Finished run(const Invocation &invocation, llvm::StringRef folder);

/// "exit code 3", "ended by signal 11 (Segmentation fault)", "no end after 60 s"; empty if it succeeded.
std::string failureOf(const Finished &outcome);

} // namespace busfare::frontend::verify

#endif
