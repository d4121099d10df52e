//===- clang-plugin/port/Kernel.h - A loop as a target region ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What has to stand around a parallel loop so that it runs on the device:
//
//   for (int i = 0; i < g->n; i++) { t = u[i]; s += t * t; }
//   =>  const int busfare_g_n = g->n;
//       #pragma omp target teams distribute parallel for map(alloc: u[0:busfare_g_n]) private(t)
//           reduction(+: s) map(tofrom: s)
//       for (int i = 0; i < busfare_g_n; i++) { t = u[i]; s += t * t; }
//
// The loop's text stays the user's. Fields are read into variables before it (their
// owner is not on the device); OpenMP directives in it go. What cannot be said this
// way is an Error whose text is the reason; the loop then stays on the host.
//
// Where rows are better shared by threads (TeamLoops.h), `teams distribute` takes the outer loop and `parallel for`
// those inside.
//
// Statements that one thread runs are a target region without teams:
//
//   u[0] = t; t = u[1];   =>   #pragma omp target map(alloc: u[0:n]) map(tofrom: t)
//                              { u[0] = t; t = u[1]; }
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_KERNEL_H
#define BUSFARE_CLANG_PLUGIN_PORT_KERNEL_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/Names.h"
#include "clang-plugin/port/Port.h"
#include "clang-plugin/port/WholeStatements.h"
#include <set>

namespace busfare::frontend::port {

/// A kernel that runs chunk by chunk (RegionChunks.cpp).
struct ChunkNames {
  std::string first,
      last; ///< Variables that hold a chunk's first and last index of the outermost loop, the lesser first.
  std::vector<std::string> clauses; ///< Of the directive.
};

struct KernelQuestion {
  const skeleton::Program &program;
  const projection::Root &root;
  const brs::Region &region;
  const brs::Context &facts; ///< What holds in the region where it runs.
  const brs::Kernel &kernel;
  const Names &names;
  Place place; ///< The loop.
  Variant variant = Variant::Plain;
  std::set<std::string>
      &ownNames; ///< Of variables that ports of other loops in the function declared; those of this one are added.
  std::string runs; ///< What says whether the region runs on the device; empty: it always does.
  const std::set<const clang::ValueDecl *> *deviceScalars =
      nullptr; ///< Variables that live on the device there; null: none.
  const StatementRun *oneThread =
      nullptr; ///< These statements are the kernel, and one thread runs them; null: the loop at `place` is.
  const ChunkNames *chunk = nullptr; ///< Null: it runs once.
  std::string guard = {}; ///< The flag, if the loop also runs on the host, at sizes where that is faster.
};

struct KernelText {
  std::vector<std::string> before, after; ///< Lines around the loop; the directive is the last of `before`.
  std::vector<Edit> edits;                ///< Inside the loop.
  std::vector<ArrayName> untouched;       ///< Arrays that it names and never comes to.
  unsigned collapse = 1;                  ///< Loops that share their iterations among the threads.
};

llvm::Expected<KernelText> kernelText(const KernelQuestion &question);

} // namespace busfare::frontend::port

#endif
