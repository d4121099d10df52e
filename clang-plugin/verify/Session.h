//===- clang-plugin/verify/Session.h - What one verification shares ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Verify.cpp and Mutants.cpp run programs in the same way and hold them against the
// same output.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_VERIFY_SESSION_H
#define BUSFARE_CLANG_PLUGIN_VERIFY_SESSION_H

#include "clang-plugin/verify/Builds.h"

namespace busfare::frontend::verify {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct Session {
  const Subject &subject;
  const Settings &settings;
  Tools tools;
  std::string folder;
  Reference out, err; ///< Of the original.
  int exitCode = 0;   ///< Likewise.
  double limit = 60;  ///< s
  unsigned atOnce = 2; ///< Runs of the program.
};

/// MALLOC_PERTURB_ and what fresh memory then holds. As numbers of the usual types: large and positive, large and
/// negative, so that sums, minima and maxima all notice. A second team divides the iterations otherwise.
struct Perturbation {
  unsigned value;
  const char *fresh;
  unsigned teams;
};
inline constexpr Perturbation perturbations[] = {{0x81, "0x7e", 1}, {0x01, "0xfe", 2}};

Invocation invocationOf(const Session &session, const Program &program, const Environment &extra,
                        llvm::StringRef record);
/// guards: whether all hold, "on", or none, "off".
Environment watchedEnvironment(const Perturbation &perturbation, llvm::StringRef guards = "on");
/// How the outcome differs from the original's; empty if it does not.
std::string differenceOf(const Session &session, const Finished &outcome);

/// The watched program once more for each planned copy left out, and one element short.
void runMutants(const Session &session, const Program &watched, const Record &record, VerifyReport &report);

/// The watched program once more for each dependence that its tasks do without; behind runMutants.
void runTaskMutants(const Session &session, const Program &watched, VerifyReport &report);

} // namespace busfare::frontend::verify

#endif
