//===- clang-plugin/verify/Mutants.cpp - Would a missing copy be noticed? -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A mutant that passes means one of three things: the copy was not needed, the program
// does not print what it brought, or the check is blind. Some cannot be noticed by any
// check, which the watched run itself has recorded: copies that never ran, and those
// that found the values (for a short one: the last value) already in place. A section
// that is not exact may hold elements that nobody reads.
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Session.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace busfare::frontend::verify {

/// Why no run could notice; empty if one should.
static std::string excuseOf(const PlannedCopy &copy, bool isShort, const CopyRecord &record) {
  if (record.calls == 0)
    return "did not run";
  if (isShort && !record.lastChanged)
    return "the last value was there already";
  if (!isShort && !record.changed)
    return "the values were there already";
  if (!copy.exact)
    return "the section is not exact";
  return "";
}

static std::vector<MutantLine> mutantsOf(const Subject &subject) {
  std::vector<MutantLine> lines;
  for (const PlannedCopy &copy : subject.copies)
    for (bool isShort : {false, true})
      lines.push_back({copy, isShort, Fate::Survived, ""});
  return lines;
}

/// Runs the mutants of `indices` under one perturbation; those that are noticed are marked as caught.
static void attempt(const Session &session, const Program &watched, const Perturbation &perturbation,
                    llvm::ArrayRef<size_t> indices, std::vector<MutantLine> &lines) {
  std::vector<Invocation> invocations;
  for (size_t i : indices) {
    Environment environment = watchedEnvironment(perturbation);
    environment.emplace_back("BUSFARE_MUTANT", std::to_string(lines[i].copy.id) + (lines[i].isShort ? ":short" : ":drop"));
    invocations.push_back(invocationOf(session, watched, environment, ""));
  }
  std::vector<Finished> outcomes = runAll(invocations, session.folder);
  for (size_t k = 0; k < indices.size(); ++k) {
    std::string difference = differenceOf(session, outcomes[k]);
    if (difference.empty())
      continue;
    lines[indices[k]].fate = Fate::Caught;
    lines[indices[k]].detail = difference;
  }
}

void runMutants(const Session &session, const Program &watched, const Record &record, VerifyReport &report) {
  std::vector<MutantLine> lines = mutantsOf(session.subject);
  auto recordOf = [&](const MutantLine &line) {
    auto found = record.copies.find(line.copy.id);
    return found == record.copies.end() ? CopyRecord() : found->second;
  };
  for (const Perturbation &perturbation : perturbations) {
    std::vector<size_t> open;
    for (size_t i = 0; i < lines.size(); ++i)
      if (lines[i].fate != Fate::Caught && recordOf(lines[i]).calls)
        open.push_back(i);
    attempt(session, watched, perturbation, open, lines);
  }
  for (MutantLine &line : lines) {
    if (line.fate == Fate::Caught)
      continue;
    line.detail = excuseOf(line.copy, line.isShort, recordOf(line));
    line.fate = line.detail.empty() ? Fate::Survived : Fate::Excused;
    if (line.detail.empty())
      line.detail = "nothing that the program prints depends on it";
  }
  report.mutants = std::move(lines);
}

} // namespace busfare::frontend::verify
