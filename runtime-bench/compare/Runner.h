//===- runtime-bench/compare/Runner.h - Programs run, and built from sources ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A port runs with the library runtime-bench/timing preloaded, `runs` times each way: with
// every launch waited for (CUDA_LAUNCH_BLOCKING), which gives kernels and copies, and freely,
// which gives the span. Of each the run with the median span is taken. A source is analysed,
// ported, compiled for a device and measured on the host by the programs that do that.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIME_BENCH_COMPARE_RUNNER_H
#define BUSFARE_RUNTIME_BENCH_COMPARE_RUNNER_H

#include "runtime-bench/compare/Measured.h"
#include "llvm/ADT/ArrayRef.h"

namespace busfare::bench {

struct RunOptions {
  std::string timing;  ///< libbusfare-timing.so
  std::string folder;  ///< For what runs leave; exists.
  std::vector<std::string> arguments;
  unsigned runs = 3;
  std::string virtualClock; ///< BUSFARE_VIRTUAL_CLOCK; empty: the real one.
};

/// Errors: it cannot be run, it fails, it leaves no times.
llvm::Expected<TimedRun> runPort(const std::string &program, const RunOptions &options);

/// A command with variables of the environment of its own. Error: it cannot be run or fails; with what it said.
llvm::Error runCommand(llvm::ArrayRef<std::string> words, llvm::ArrayRef<std::string> variables,
                       const std::string &folder);

/// What is made of one source.
struct BuiltSource {
  std::string report, port;                   ///< Files.
  std::string host, oneThread, oneThreadReport; ///< Profiles, and the report for one thread.
};
struct SourceOptions {
  std::string busfare; ///< The program.
  std::string source, machine, target, folder;
  std::vector<std::string> flags;     ///< Of the compiler.
  std::vector<std::string> arguments; ///< Of the program.
};
llvm::Expected<BuiltSource> buildSource(const SourceOptions &options);

} // namespace busfare::bench

#endif
