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
static std::string excuseOf(const PlannedCopy &copy, Mutant mutant, const CopyRecord &record) {
  if (mutant == Mutant::Short && !record.lastChanged) return "the last value was there already";
  if (!record.changed) return "the values were there already";
  if (mutant == Mutant::Shift && record.calls < 2) return "it went in one piece";
  if (mutant == Mutant::Shift && !copy.isCutTight)
    return copy.toDevice ? "it may be cut behind what is needed by then"
                         : "it may be cut before all that is complete by then";
  if (!copy.exact) return "the section is not exact";
  return "";
}

static std::vector<MutantLine> mutantsOf(const Subject &subject) {
  std::vector<MutantLine> lines;
  for (const PlannedCopy &copy : subject.copies)
    for (Mutant mutant : {Mutant::Drop, Mutant::Short, Mutant::Shift})
      if (copy.isChunked || mutant != Mutant::Shift) lines.push_back({copy, mutant, Fate::Survived, ""});
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
      environment.emplace_back("BUSFARE_TASK_ORDERS", "8"); // the first two are as far apart as any
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
  const std::string id = std::to_string(line.copy.id);
  switch (line.mutant) {
  case Mutant::Drop: return id + (spoils ? ":spoil" : ":drop");
  case Mutant::Short: return id + (spoils ? ":spoil-last" : ":short");
  case Mutant::Shift: return id + (spoils ? ":spoil" : ":shift");
  }
  return "";
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
    line.detail = differences[i].empty() ? excuseOf(line.copy, line.mutant, recordOf(line)) : differences[i];
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

/// Why dropping it could go unnoticed.
static std::string excuseOf(const TaskDependence &dependence, const VerifyReport &report) {
  for (const StreamsLine &line : report.streams)
    if (line.streams.root == dependence.root && line.streams.at == dependence.at && line.orders < 2)
      return line.orders == 0 ? "did not run" : "its tasks have one order";
  const bool anyMatters = llvm::any_of(report.mutants, [&](const MutantLine &line) {
    return line.copy.isChunked && line.copy.root == dependence.root && line.fate == Fate::Caught;
  });
  if (!anyMatters) return "nothing depends on what its copies bring";
  return dependence.surelyMatters ? "" : "it may ask for more than this run needs";
}

void runTaskMutants(const Session &session, const Program &watched, VerifyReport &report) {
  std::vector<std::string> mutants;
  for (const TaskDependence &dependence : session.subject.dependences)
    mutants.push_back(std::to_string(dependence.id) + ":undepend");
  const std::vector<std::string> differences = differencesOf(session, watched, mutants);
  for (size_t k = 0; k < mutants.size(); ++k) {
    TaskMutantLine line{session.subject.dependences[k], Fate::Caught, differences[k]};
    if (line.detail.empty()) {
      line.detail = excuseOf(line.dependence, report);
      line.fate = line.detail.empty() ? Fate::Survived : Fate::Excused;
      if (line.detail.empty()) line.detail = "no order of its tasks gives another result";
    }
    report.taskMutants.push_back(std::move(line));
  }
}

} // namespace busfare::frontend::verify
