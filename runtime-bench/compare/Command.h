//===- runtime-bench/compare/Command.h - busfare-bench compare ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIME_BENCH_COMPARE_COMMAND_H
#define BUSFARE_RUNTIME_BENCH_COMPARE_COMMAND_H

namespace busfare::bench {

/// `busfare-bench compare ARGS...`; argv[0] is "compare". The exit code: 0 done, 2 bad usage or input.
int runCompare(int argc, char **argv);

} // namespace busfare::bench

#endif
