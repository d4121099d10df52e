//===- clang-plugin/verify/Guards.cpp - Both sides of each guard ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Guards.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace busfare::frontend::verify {

/// What happened on the device, as one figure each: runs of the same program that differ in none did the same there.
static std::vector<uint64_t> activityOf(const Record &record) {
  std::vector<uint64_t> all{record.kernels, record.blocks, record.otherBytes[0], record.otherBytes[1]};
  for (const ArrayRecord &array : record.arrays) all.insert(all.end(), {array.moved[0], array.moved[1]});
  return all;
}

/// Empty: nothing.
static std::string doneOnDevice(const Record &record) {
  if (record.kernels) return llvm::formatv("{0} kernels ran on the device", record.kernels);
  return record.blocks ? llvm::formatv("{0} blocks of device memory were made", record.blocks) : std::string();
}

static Environment withGuardsOff(const Perturbation &perturbation, const std::string &mutant) {
  Environment environment = watchedEnvironment(perturbation, "off");
  if (!mutant.empty()) environment.emplace_back("BUSFARE_MUTANT", mutant);
  return environment;
}

/// The first of the records.
static llvm::Expected<Record> runOff(const Session &session, const Program &watched, VerifyReport &report) {
  std::vector<Invocation> invocations;
  std::vector<std::string> files;
  for (const Perturbation &p : perturbations) {
    files.push_back(session.folder + "/guards-off" + std::to_string(files.size()));
    invocations.push_back(invocationOf(session, watched, withGuardsOff(p, ""), files.back()));
  }
  const std::vector<Finished> outcomes = runAll(invocations, session.folder, session.atOnce);
  std::vector<Record> records;
  for (size_t k = 0; k < outcomes.size(); ++k) {
    llvm::Expected<Record> record = readRecord(files[k]);
    if (!record) return record.takeError();
    const Perturbation &p = perturbations[k];
    RunLine line{nameOf(Build::Watched).str(), llvm::formatv("no guard holds, {0}", p.fresh), false,
                 differenceOf(session, outcomes[k]), outcomes[k].seconds};
    if (line.detail.empty() && session.subject.guardsAll)
      if (const std::string done = doneOnDevice(*record); !done.empty()) line.detail = done + ", though no guard holds";
    line.passed = line.detail.empty();
    if (line.passed) line.detail = session.subject.guardsAll ? "same output, host alone" : "same output";
    report.runs.push_back(std::move(line));
    records.push_back(std::move(*record));
  }
  return std::move(records.front());
}

/// Each construct that came to run, without its guard while none holds.
static llvm::Error runUnguarded(const Session &session, const Program &watched, const Record &off,
                                VerifyReport &report) {
  std::vector<GuardMutantLine> lines;
  std::vector<size_t> asked;
  std::vector<Invocation> invocations;
  std::vector<std::string> files;
  for (const GuardedConstruct &construct : session.subject.guarded) {
    lines.push_back({construct, Fate::Excused, "did not run"});
    auto calls = off.guarded.find(construct.id);
    if (calls == off.guarded.end() || calls->second == 0) continue;
    asked.push_back(lines.size() - 1);
    files.push_back(session.folder + "/unguarded" + std::to_string(construct.id));
    invocations.push_back(invocationOf(
        session, watched, withGuardsOff(perturbations[0], std::to_string(construct.id) + ":unguard"), files.back()));
  }
  const std::vector<Finished> outcomes = runAll(invocations, session.folder, session.atOnce);
  for (size_t k = 0; k < asked.size(); ++k) {
    GuardMutantLine &line = lines[asked[k]];
    line.detail = differenceOf(session, outcomes[k]);
    llvm::Expected<Record> record = readRecord(files[k]);
    if (!record) return record.takeError();
    if (line.detail.empty() && activityOf(*record) != activityOf(off)) {
      const std::string done = doneOnDevice(*record);
      line.detail = done.empty() ? "bytes crossed" : done;
    }
    line.fate = line.detail.empty() ? Fate::Survived : Fate::Caught;
    if (line.detail.empty()) line.detail = "the program does the same without it";
  }
  report.guardMutants = std::move(lines);
  return llvm::Error::success();
}

llvm::Error runGuards(const Session &session, const Program &watched, const Record &on, VerifyReport &report) {
  if (session.subject.guards.empty() || !watched.failure.empty()) return llvm::Error::success();
  for (const Guard &guard : session.subject.guards) {
    auto found = on.guards.find(guard.region);
    const GuardRecord record = found == on.guards.end() ? GuardRecord() : found->second;
    report.guards.push_back({guard, record.asked, record.held});
  }
  llvm::Expected<Record> off = runOff(session, watched, report);
  if (!off) return off.takeError();
  return session.settings.mutants ? runUnguarded(session, watched, *off, report) : llvm::Error::success();
}

} // namespace busfare::frontend::verify
