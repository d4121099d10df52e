//===- projection/OneThread.h - Statements that one thread of the device runs ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A host statement that runs on the device is a kernel of one thread: in the root's
// function it stands in a loop of its own that runs once, and everything that is asked
// about kernels can be asked about it.
//
//   for t { kernel: u -> v;  v[0] = g(v[1]);  kernel: v -> u }
//   =>  for t { kernel: u -> v;  for once { v[0] = g(v[1]) };  kernel: v -> u }
//
// A run that is one call of BLAS becomes such a loop as well, of what the call touches; the
// device's library runs it, on as many threads as it likes.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_ONETHREAD_H
#define BUSFARE_PROJECTION_ONETHREAD_H

#include "projection/Root.h"
#include <functional>
#include <map>

namespace busfare::projection {

/// Statements of one block behind each other: by the first of each run, how many.
using Runs = std::map<const skeleton::Node *, size_t>;
/// What of the nodes [first, end) of a block can be moved, as far as whoever writes it can tell.
using PartsOfRun = std::function<Runs(const skeleton::Block &block, size_t first, size_t end)>;

/// A copy of a root's function with runs of its statements in loops of their own.
struct OneThreadCopy {
  /// The function's own loops in the copy.
  std::map<const skeleton::Loop *, const skeleton::Loop *> loops;
  /// The loops of the copy that stand for runs, by the first statement of each in the original.
  std::map<const skeleton::Loop *, const skeleton::Node *> once;
};

/// Gives `root` the function of `described` with the runs in loops of their own, its arrays and its verdicts; they are
/// parallel, since they run once. root.libraryCalls gets the calls of BLAS among them.
OneThreadCopy copyWithRuns(const skeleton::Program &program, const Root &described, const Runs &runs, Root &root);

/// The call of BLAS that the node is, if it is one.
const skeleton::LibraryCall *libraryCallOf(const skeleton::Node &node);

/// The calls of a path that come before all of these nodes', in common: where a run of them stands.
unsigned commonPath(const Root &root, llvm::ArrayRef<skeleton::Node> nodes);

} // namespace busfare::projection

#endif
