//===- clang-plugin/port/OwnTargets.h - Target constructs of the program -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A program may have target constructs of its own. Beside those of a port they would move
// data a second time, and what stays on the host would read the device's. So they go, all of
// them, wherever they stand; what they stand around remains:
//
//   #pragma omp target data map(a[0:n])       =>   {
//   {                                                #pragma omp parallel for
//   #pragma omp target                               for (...) a[i] = 1;
//   #pragma omp parallel for                       }
//     for (...) a[i] = 1;
//   }
//
// What `num_teams` asks for stays, as OpenMP has teams on the host too: that many of them run what the program says,
// and a loop's iterations are shared out among them where `distribute` says so.
//
//   #pragma omp target teams num_teams(4) map(a[0:n])   =>   #pragma omp teams num_teams(4)
//   a[omp_get_team_num()] = 1;                               a[omp_get_team_num()] = 1;
//
// Not handled: constructs that a macro or a header writes, and those that hand out device
// addresses; then the program is not ported.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_OWNTARGETS_H
#define BUSFARE_CLANG_PLUGIN_PORT_OWNTARGETS_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/FunctionSource.h"

namespace busfare::frontend::port {

/// It speaks of a device, or of teams on one.
bool isTargetConstruct(const clang::Stmt *stmt);

/// Teams of which the program counts on as many as it asks for: they stay.
bool staysAsTeams(const clang::Stmt *stmt);

/// Takes them out of a function.
std::vector<Edit> withoutTargets(const FunctionSource &source);

/// The first that cannot be taken out, as "... at file:line:column"; empty: all can.
std::string targetThatStays(const FunctionSource &source);

} // namespace busfare::frontend::port

#endif
