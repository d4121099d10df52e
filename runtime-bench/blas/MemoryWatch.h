//===- runtime-bench/blas/MemoryWatch.h - Has anybody written there? ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Of memory of this process, by whole pages: what was written since it was last asked.
//
//   watch(a)                 every page of a is protected by the kernel
//   a[7] = 1; read(0, a + 9000, 10)
//   writtenIn(a)             [page 0] [page 17], which are protected again
//
// The kernel does it (Linux 6.7): userfaultfd write-protects pages in its asynchronous mode,
// in which whoever writes is not stopped, nor told; the kernel lifts the protection of that
// page and goes on, and PAGEMAP_SCAN lists the pages that are not protected any more and
// protects them in the same step. Chosen because a program cannot tell that it is watched:
//
// - mprotect and a handler of SIGSEGV would make read(), recv() and every other system call
//   that writes into protected memory fail with EFAULT, and share a signal with the program.
// - Soft-dirty bits have one reader for a process (a debugger, a checkpoint), and are not in
//   every kernel.
// - A write by the kernel for the program (read, recv, process_vm_writev, ptrace) is a fault
//   like any other here, and so are those of other threads.
//
// Watched is memory that is private to the process and backed by no file, so that nobody
// can write it under another address. What is mapped anew where watched memory was, is not
// watched, and asking about it says so. A page that is not in memory (given back by
// madvise, swapped out, moved to a device) counts as written.
//
// What no page table sees is not seen: a device that writes by DMA into pages that were
// pinned before they were protected (a network adapter's registered memory, a read past the
// page cache that is still under way). Where the kernel counts pinned memory of this process,
// there is such a device, and isPinned() says so; what is pinned by drivers that do not have
// it counted (xpmem, knem), it cannot. This is why no program is watched that did not ask.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_RUNTIMEBENCH_BLAS_MEMORYWATCH_H
#define BUSFARE_RUNTIMEBENCH_BLAS_MEMORYWATCH_H

#include "runtime-bench/blas/Range.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace busfare::blas {

/// s, measured when the watch began.
struct WatchCosts {
  double ask = 0;       ///< To ask about any range, and whether memory is pinned.
  double askPage = 0;   ///< For each page of it.
  double writePage = 0; ///< What the first write into a protected page takes longer.
};

class MemoryWatch {
public:
  virtual ~MemoryWatch() = default;
  /// Every page that the range touches is watched; false where that cannot be, and nothing has changed. What has been
  /// written there before is for writtenIn to say, of pages that were watched already.
  virtual bool watch(const Range &range) = 0;
  /// The pages of the range that were written since it was asked last, in order; they count as not written from now
  /// on. Nothing: some of it is not watched (any more), and what was written is not known, nor of other ranges on these
  /// pages.
  virtual std::optional<std::vector<Range>> writtenIn(const Range &range) = 0;
  /// Writes into these whole pages cost nothing any more; they count as written.
  virtual void relax(const Range &range) = 0;
  /// No page that the range touches is watched any more.
  virtual void release(const Range &range) = 0;
  /// Devices may write into memory of this process unseen.
  virtual bool isPinned() = 0;
  virtual WatchCosts costs() const = 0;
  virtual size_t pageBytes() const = 0;

  Range pagesOf(const Range &range) const;
  /// Those that lie in the range to the last byte; empty if none does.
  Range wholePagesOf(const Range &range) const;
};

/// Null where this kernel cannot.
std::unique_ptr<MemoryWatch> kernelWatch(std::string &why);

} // namespace busfare::blas

#endif
