//===- clang-plugin/verify/Guards.h - Both sides of each guard ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A guarded port is right at every size only if it is right where the guard holds and where
// it does not. Whichever of the two the sizes of a run are, the watched build is run both
// ways: its guards are told to hold (all other checks are made so), and told not to. Then
// nothing may be on the device, and the output is the original's.
//
// The guard is a clause of every construct of its region. Left off one of them while it does
// not hold, that one acts alone: a kernel finds its arrays absent, a copy too, and what begins
// device memory makes a block that should not be there.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VERIFY_GUARDS_H
#define BUSFARE_CLANG_PLUGIN_VERIFY_GUARDS_H

#include "clang-plugin/verify/Session.h"

namespace busfare::frontend::verify {

/// on: the record of a run with all guards holding, which has what they really were. Adds runs, guards and, if asked
/// for, their mutants.
llvm::Error runGuards(const Session &session, const Program &watched, const Record &on, VerifyReport &report);

} // namespace busfare::frontend::verify

#endif
