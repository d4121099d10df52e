//===- clang-plugin/verify/Mutants.cpp - Would a missing copy be noticed? -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A mutant that passes means one of three things: the copy was not needed, the program
// does not print what it brought, or the check is blind. Some cannot be noticed by any
// check, which the watched run itself has recorded: copies that never ran, and those
// that found the values (for a short one: the last value) already in place. A section
// that is not exact may hold elements that nobody reads. For the rest, the values are
// overwritten on both sides: if the program still prints the same, it does not depend on
// them (the corner of a grid that only another buffer's corner is made of).
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Session.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace busfare::frontend::verify {

/// Why no run could notice; empty if one should.
static std::string excuseOf(const PlannedCopy &copy, bool isShort, const CopyRecord &record) {
  if (isShort && !record.lastChanged) return "the last value was there already";
  if (!isShort && !record.changed) return "the values were there already";
  if (!copy.exact) return "the section is not exact";
  return "";
}

static std::vector<MutantLine> mutantsOf(const Subject &subject) {
  std::vector<MutantLine> lines;
  for (const PlannedCopy &copy : subject.copies)
    for (bool isShort : {false, true}) lines.push_back({copy, isShort, Fate::Survived, ""});
  return lines;
}

/// How the runs with these mutants ("3:drop") differ from the original, each under both perturbations; empty if in
/// neither.
static std::vector<std::string> differencesOf(const Session &session, const Program &watched,
                                              llvm::ArrayRef<std::string> mutants) {
  std::vector<std::string> differences(mutants.size());
  for (const Perturbation &perturbation : perturbations) {
    std::vector<Invocation> invocations;
    std::vector<size_t> open;
    for (size_t i = 0; i < mutants.size(); ++i) {
      if (!differences[i].empty()) continue;
      Environment environment = watchedEnvironment(perturbation);
      environment.emplace_back("BUSFARE_MUTANT", mutants[i]);
      invocations.push_back(invocationOf(session, watched, environment, ""));
      open.push_back(i);
    }
    std::vector<Finished> outcomes = runAll(invocations, session.folder, session.atOnce);
    for (size_t k = 0; k < open.size(); ++k) differences[open[k]] = differenceOf(session, outcomes[k]);
  }
  return differences;
}

static std::string mutantOf(const MutantLine &line, bool spoils) {
  return std::to_string(line.copy.id) + (spoils         ? line.isShort ? ":spoil-last" : ":spoil"
                                         : line.isShort ? ":short"
                                                        : ":drop");
}

void runMutants(const Session &session, const Program &watched, const Record &record, VerifyReport &report) {
  std::vector<MutantLine> lines = mutantsOf(session.subject);
  auto recordOf = [&](const MutantLine &line) {
    auto found = record.copies.find(line.copy.id);
    return found == record.copies.end() ? CopyRecord() : found->second;
  };
  std::vector<MutantLine *> asked;
  std::vector<std::string> mutants;
  for (MutantLine &line : lines) {
    line.detail = "did not run";
    line.fate = Fate::Excused;
    if (recordOf(line).calls == 0) continue;
    asked.push_back(&line);
    mutants.push_back(mutantOf(line, false));
  }
  std::vector<std::string> differences = differencesOf(session, watched, mutants);
  std::vector<MutantLine *> doubtful;
  std::vector<std::string> spoiled;
  for (size_t i = 0; i < asked.size(); ++i) {
    MutantLine &line = *asked[i];
    line.detail = differences[i].empty() ? excuseOf(line.copy, line.isShort, recordOf(line)) : differences[i];
    line.fate = differences[i].empty() ? Fate::Excused : Fate::Caught;
    if (!line.detail.empty()) continue;
    doubtful.push_back(&line);
    spoiled.push_back(mutantOf(line, true));
  }
  differences = differencesOf(session, watched, spoiled);
  for (size_t i = 0; i < doubtful.size(); ++i) {
    bool dead = differences[i].empty();
    doubtful[i]->fate = dead ? Fate::Excused : Fate::Survived;
    doubtful[i]->detail =
        dead ? "nothing printed depends on these values where they arrive: garbage in their place changes nothing"
             : "an older value, or what fresh memory holds, does as well";
  }
  report.mutants = std::move(lines);
}

} // namespace busfare::frontend::verify
