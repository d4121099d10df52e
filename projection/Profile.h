//===- projection/Profile.h - What one run of a program was measured to do ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The file that `busfare measure` writes and `analyze --profile` reads: times of regions
// and nests, trip counts of loops that no size tells, shares of branches, values of sizes
// that the source leaves open.
//
//   measured: the loop `while (r > eps)` of solve ran 1 time, 417 turns
//   analyze:  solve::trips.1 = 417 (profile), where it was 100 (assumed)
//
// A profile prices; it proves nothing: sections and verdicts are found without it. Its rows
// name a loop or a branch by its number in its function, so that lines may move. The
// fingerprint of the function says whether it still is the one that ran; if not, its rows are
// skipped, which is said.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_PROFILE_H
#define BUSFARE_PROJECTION_PROFILE_H

#include "projection/Root.h"
#include "projection/Sizes.h"
#include "skeleton/Skeleton.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace busfare::projection {

/// number: of the function's loops in the order of its skeleton, from 0. line: where it stood, for people.
struct ProfiledLoop {
  uint64_t number = 0, line = 0;
  uint64_t executions = 0, iterations = 0;
};
struct ProfiledNest {
  uint64_t number = 0, line = 0;
  uint64_t executions = 0;
  double seconds = 0; ///< Of all executions.
};
/// number: of the function's branches.
struct ProfiledBranch {
  uint64_t number = 0, line = 0;
  uint64_t executions = 0, taken = 0;
};
struct ProfiledSize {
  std::string name; ///< As the function's skeleton calls it.
  int64_t value = 0; ///< The mean, rounded.
  int64_t least = 0, most = 0;
  uint64_t times = 0;
};

struct ProfiledFunction {
  std::string name, file;
  std::string fingerprint; ///< fingerprintOf its body.
  std::vector<ProfiledLoop> loops;
  std::vector<ProfiledNest> nests;
  std::vector<ProfiledBranch> branches;
  std::vector<ProfiledSize> sizes;
};

struct ProfiledRegion {
  std::string id, root, fingerprint; ///< As in a report.
  uint64_t entries = 0;
  double seconds = 0; ///< Of all entries.
};

struct Profile {
  std::string file; ///< It was read from.
  std::vector<std::string> sources, arguments;
  double seconds = 0, originalSeconds = 0; ///< Of the runs with and without timers and counters.
  int exitCode = 0;
  std::vector<ProfiledFunction> functions;
  std::vector<ProfiledRegion> regions;
  std::vector<std::string> notes; ///< What could not be measured.
};

/// Errors: `FILE: functions[2].loops: expected an array, found 3`, a file that cannot be read.
llvm::Expected<Profile> parseProfile(llvm::StringRef text, llvm::StringRef file);
llvm::Expected<Profile> loadProfile(llvm::StringRef file);
llvm::json::Value toJson(const Profile &profile);

/// How a part of the profile stands to the program.
enum class ProfileMatch { Used, Changed, Absent };

/// Its functions that are those of the program, and the rest by name.
class MatchedProfile {
public:
  MatchedProfile(const Profile &profile, const skeleton::Program &program);

  std::map<std::string, ProfileMatch> functions;

  /// The program with the measured shares of branches that nothing decides. Sections and verdicts do not depend on
  /// them.
  skeleton::Program withShares(skeleton::Program program) const;
  /// What symbols of the root that only defaults bind had in the run: their values, or what the trip counts say of
  /// them.
  skeleton::Values valuesIn(const skeleton::Program &program, const Root &root, const Sizes &assumed) const;
  /// Seconds of one entry of the region.
  std::optional<double> timeOf(const std::string &root, const std::string &fingerprint) const;

private:
  const Profile &profile;
  std::map<std::string, const ProfiledFunction *> used;

  const ProfiledFunction *find(const std::string &function) const;
};

/// Numbers of a function's loops, and of its branches that an `if` makes.
std::map<skeleton::Location, unsigned> loopNumbers(const skeleton::Function &function);
std::map<skeleton::Location, unsigned> branchNumbers(const skeleton::Function &function);

} // namespace busfare::projection

#endif
