//===- clang-plugin/port/HostDirectives.h - OpenMP of the host around kernels -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The plan has loops that are not provably parallel as serial ones, and kernels and copies may stand in them. What the
// program's own directives say of such a loop its threads would do all at once:
//
//   #pragma omp parallel for schedule(static)       =>   #pragma omp parallel for schedule(static) num_threads(1)
//   for (k ...) { kernel }                               for (k ...) { kernel }
//
// A `parallel for` goes if its loop does the same without: it sums nothing up, and nobody else sees the variables that
// its threads have of their own.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_HOSTDIRECTIVES_H
#define BUSFARE_CLANG_PLUGIN_PORT_HOSTDIRECTIVES_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/FunctionSource.h"
#include "clang/AST/StmtOpenMP.h"

namespace busfare::frontend::port {

/// Below the statement it matters which thread, or team, runs it.
bool asksWhoRunsIt(const clang::Stmt *stmt);

/// A variable that the directive's threads have copies of, with its value to begin with, and change; empty: there is
/// none.
std::string ownCopyThatChanges(const clang::OMPExecutableDirective *directive);

/// An array or object that the directive's threads have copies of; empty: there is none.
std::string ownArrayOf(const clang::OMPExecutableDirective *directive);

/// `parallel for` or `parallel` around a kernel or a copy. The plan has such a loop as a serial one, since it is not
/// provably parallel, and what several threads would share as done once: one thread then does it. Nothing if it is
/// another construct, one that a macro writes, or one whose threads ask which they are.
std::optional<Edit> onOneThread(const clang::Stmt *stmt, const FunctionSource &source);

} // namespace busfare::frontend::port

#endif
