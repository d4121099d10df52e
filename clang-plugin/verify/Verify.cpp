//===- clang-plugin/verify/Verify.cpp - A port held against its original -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Verify.h"
#include "clang-plugin/verify/Builds.h"
#include "clang-plugin/verify/Guards.h"
#include "clang-plugin/verify/Session.h"
#include "clang-plugin/verify/SharedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstdlib>

using llvm::StringRef;

namespace busfare::frontend::verify {

static llvm::Error wrong(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", message.c_str());
}

bool VerifyReport::passed() const {
  return llvm::all_of(runs, [](const RunLine &line) { return line.passed; }) &&
         llvm::all_of(bytes, [](const BytesLine &line) { return line.equal(); }) &&
         llvm::none_of(mutants, [](const MutantLine &line) { return line.fate == Fate::Survived; }) &&
         llvm::none_of(taskMutants, [](const TaskMutantLine &line) { return line.fate == Fate::Survived; }) &&
         llvm::none_of(guardMutants, [](const GuardMutantLine &line) { return line.fate == Fate::Survived; });
}

//===--- Runs ------------------------------------------------------------------===//

static Environment baseEnvironment(const Session &session, Build build) {
  // Idle threads sleep: two programs share the processors.
  Environment all = {{"BUSFARE_DIGITS", "1"},
                     {"KMP_BLOCKTIME", "0"},
                     {"OMP_WAIT_POLICY", "passive"},
                     {"KMP_WARNINGS", "0"},
                     {"OMP_TARGET_OFFLOAD", build == Build::GccHost ? "DISABLED" : "MANDATORY"}};
  if (build == Build::GccHost) return all; // its libgomp is not LLVM's
  const char *path = std::getenv("LD_LIBRARY_PATH");
  all.emplace_back("LD_LIBRARY_PATH", session.tools.library + (path && *path ? ":" + std::string(path) : ""));
  return all;
}

Invocation invocationOf(const Session &session, const Program &program, const Environment &extra, StringRef record) {
  Invocation result;
  result.words.push_back(program.path);
  llvm::append_range(result.words, session.settings.arguments);
  result.environment = baseEnvironment(session, program.build);
  llvm::append_range(result.environment, extra);
  if (!record.empty()) result.environment.emplace_back("BUSFARE_WATCH_REPORT", record.str());
  result.limit = session.limit;
  return result;
}

Environment watchedEnvironment(const Perturbation &perturbation, StringRef guards) {
  return {{"LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD", "0"},
          {"BUSFARE_GUARD", guards.str()},
          {"MALLOC_PERTURB_", std::to_string(perturbation.value)},
          {"OMP_NUM_TEAMS", std::to_string(perturbation.teams)}};
}

std::string differenceOf(const Session &session, const Finished &outcome) {
  if (outcome.timedOut || !outcome.started || outcome.signal || outcome.exitCode != session.exitCode) {
    std::string how = failureOf(outcome);
    StringRef says = StringRef(outcome.err).rtrim();
    if (says.contains("busfare: ")) return says.drop_front(says.rfind("busfare: ") + 9).split('\n').first.str();
    if (size_t at = says.find("omptarget "); at != StringRef::npos) says = says.drop_front(at);
    says = says.split('\n').first;
    if (how.empty()) how = llvm::formatv("exit code 0, expected {0}", session.exitCode).str();
    return says.empty() ? how : how + ": " + says.str();
  }
  if (Comparison c = compare(session.out, outcome.out, session.settings.tolerance); !c.same)
    return "stdout differs: " + c.difference;
  if (Comparison c = compare(session.err, outcome.err, session.settings.tolerance); !c.same)
    return "stderr differs: " + c.difference;
  return "";
}

/// The original, some times: what must come out, and what of it varies by itself.
static llvm::Error runOriginal(Session &session, const Program &original, VerifyReport &report) {
  if (!original.failure.empty()) return wrong("the original does not compile: " + original.failure);
  session.limit = session.settings.timeLimit.value_or(60);
  session.atOnce = mayLeaveFiles(original.path) ? 1 : 2;
  // With as many kinds of fresh memory as the port: a program that prints what it never wrote is found out.
  std::vector<Invocation> invocations{invocationOf(session, original, {{"MALLOC_PERTURB_", "0"}}, "")};
  for (const Perturbation &p : perturbations)
    invocations.push_back(invocationOf(session, original, {{"MALLOC_PERTURB_", std::to_string(p.value)}}, ""));
  const std::vector<Finished> outcomes = runAll(invocations, session.folder, session.atOnce);
  const Finished &first = outcomes[0];
  if (first.timedOut)
    return wrong(
        llvm::formatv("the original has not ended after {0:f0} s; give it a smaller problem with --args or -D, or "
                      "more time with --time-limit",
                      session.limit));
  if (!first.started || first.signal) return wrong("the original: " + failureOf(first));
  session.exitCode = first.exitCode;
  double tolerance = session.settings.tolerance;
  session.out = {first.out, {}};
  session.err = {first.err, {}};
  const bool comparable = llvm::all_of(llvm::ArrayRef(outcomes).drop_front(), [&](const Finished &other) {
    return other.started && !other.timedOut && other.exitCode == first.exitCode && other.signal == 0 &&
           leaveOut(session.out, other.out, tolerance) && leaveOut(session.err, other.err, tolerance);
  });
  if (!comparable)
    return wrong(
        "the original prints something else when it is run again (it may read memory that it never wrote): there is "
        "nothing to compare with");
  size_t varying = session.out.leftOut() + session.err.leftOut();
  size_t tokens = tokensOf(first.out).size() + tokensOf(first.err).size();
  if (varying)
    report.notes.push_back(llvm::formatv(
        "{0} of {1} printed words vary from run to run of the original and are not compared", varying, tokens));
  if (varying == tokens)
    report.notes.push_back("the program prints nothing that could be compared: only its end and its bytes are checked");
  double seconds = 0;
  for (const Finished &outcome : outcomes) seconds = std::max(seconds, outcome.seconds);
  session.limit = session.settings.timeLimit.value_or(std::max(60.0, 30 * seconds));
  report.runs.push_back(
      {"original", "", true,
       llvm::formatv("{0} words printed{1}", tokens,
                     first.exitCode ? llvm::formatv(", exit code {0}", first.exitCode).str() : std::string()),
       first.seconds});
  return llvm::Error::success();
}

namespace {
struct PlannedRun {
  Build build;
  std::string name;
  Environment environment;
};
} // namespace

static std::vector<PlannedRun> plannedRuns() {
  std::vector<PlannedRun> runs = {{Build::GccHost, "-Wall -Wextra -Werror, on the host", {}},
                                  {Build::ClangDevice, "-Wall -Wextra -Werror, on the device", {}}};
  for (const Perturbation &p : perturbations)
    runs.push_back({Build::Watched,
                    llvm::formatv("fresh memory {0}, {1} team{2}", p.fresh, p.teams, p.teams == 1 ? "" : "s"),
                    watchedEnvironment(p)});
  const std::pair<const char *, const char *> orders[] = {
      {"forward", "0x7e"}, {"reverse", "0xfe"}, {"random:1", "0x7e"}, {"random:2", "0xfe"}};
  for (const auto &[order, poison] : orders)
    runs.push_back({Build::Ordered,
                    std::string(order) + ", privates " + poison,
                    {{"BUSFARE_ORDER", order}, {"BUSFARE_POISON", poison}}});
  return runs;
}

/// What the original itself prints otherwise when it rounds the other way, or adds in another order, is compared less
/// closely. (Where the errors of two sums cancel, all ways of rounding may give the same digits, and another order
/// others.)
static void allowForRounding(Session &session, const Program &original, VerifyReport &report) {
  size_t before = session.out.leftOut() + session.err.leftOut();
  std::vector<Invocation> runs;
  for (const char *way : {"up", "down", "zero"})
    runs.push_back(invocationOf(session, original, {{"BUSFARE_ROUNDING", way}}, ""));
  std::vector<Finished> outcomes = runAll(runs, session.folder, session.atOnce);
  for (const char *terms : {"2", "4", "8"}) { // that it adds side by side
    Subject regrouped = session.subject;
    for (Unit &unit : regrouped.units)
      for (const std::string &word : {std::string("-mllvm"), std::string("-force-vector-width=") + terms})
        unit.arguments.push_back(word);
    const std::vector<Program> programs = buildAll(regrouped, session.tools, session.folder, {Build::Regrouped});
    if (programs.front().failure.empty())
      outcomes.push_back(run(invocationOf(session, programs.front(), {}, ""), session.folder));
  }
  for (const Finished &run : outcomes) {
    bool ended = run.started && !run.timedOut && !run.signal && run.exitCode == session.exitCode;
    if (!ended || !loosen(session.out, run.out, session.settings.tolerance) ||
        !loosen(session.err, run.err, session.settings.tolerance))
      report.notes.push_back("the original ends otherwise when it rounds the other way");
  }
  evenOut(session.out);
  evenOut(session.err);
  size_t words = tokensOf(session.out.text).size() + tokensOf(session.err.text).size();
  if (size_t some = session.out.loosened() + session.err.loosened())
    report.notes.push_back(llvm::formatv(
        "{0} of {1} printed words are compared only as closely as the original agrees with itself when "
        "it rounds up, down or towards zero, or adds in another order: no order of its sums gives all their digits for sure",
        some, words));
  if (size_t more = session.out.leftOut() + session.err.leftOut() - before)
    report.notes.push_back(
        llvm::formatv("{0} of {1} printed words are not compared: the original itself prints others when it rounds "
                      "up, down or towards zero, or adds in another order",
                      more, words));
}

/// Every build but the original. The record of the first watched run is kept.
static llvm::Expected<Record> runPorts(Session &session, llvm::ArrayRef<Program> programs, VerifyReport &report) {
  std::vector<PlannedRun> runs = plannedRuns();
  std::vector<Invocation> invocations;
  std::string kept;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Program &program = programs[int(runs[i].build)];
    std::string record = runs[i].build == Build::Watched ? session.folder + "/record" + std::to_string(i) : "";
    if (!record.empty() && kept.empty()) kept = record;
    if (program.failure.empty()) invocations.push_back(invocationOf(session, program, runs[i].environment, record));
  }
  std::vector<Finished> outcomes = runAll(invocations, session.folder, session.atOnce);
  if (session.subject.reordersSums &&
      llvm::any_of(outcomes, [&](const Finished &outcome) { return !differenceOf(session, outcome).empty(); }))
    allowForRounding(session, programs[int(Build::Original)], report);
  size_t next = 0;
  for (const PlannedRun &run : runs) {
    const Program &program = programs[int(run.build)];
    RunLine line{nameOf(run.build).str(), run.name, false, "", 0};
    if (!program.failure.empty()) {
      line.detail = "does not compile: " + program.failure;
      if (report.runs.back().build == line.build) continue; // said already
    } else {
      const Finished &outcome = outcomes[next++];
      line.detail = differenceOf(session, outcome);
      line.seconds = outcome.seconds;
      line.passed = line.detail.empty();
      if (line.passed) line.detail = program.note.empty() ? "same output" : "same output, " + program.note;
    }
    report.runs.push_back(std::move(line));
  }
  return readRecord(kept);
}

//===--- Bytes -----------------------------------------------------------------===//

static uint64_t measuredBytes(const std::vector<PlannedCopy> &copies, const Record &record,
                              const PlannedBytes &planned) {
  uint64_t sum = 0;
  for (const PlannedCopy &copy : copies)
    if (copy.root == planned.root && copy.array == planned.array && copy.toDevice == planned.toDevice)
      if (auto found = record.copies.find(copy.id); found != record.copies.end()) sum += found->second.bytes;
  for (const ArrayRecord &array : record.arrays)
    if (array.root == planned.root && array.array == planned.array) sum += array.unplanned[!planned.toDevice];
  return sum;
}

static std::string protectionOf(const Record &record, const PlannedBytes &planned) {
  for (const ArrayRecord &array : record.arrays)
    if (array.root == planned.root && array.array == planned.array) return array.protection;
  return "";
}

/// Rows for what was measured although no row of the plan speaks of it.
static void addUnplanned(const std::vector<PlannedCopy> &copies, const Record &record,
                         std::vector<PlannedBytes> &planned) {
  auto need = [&](const std::string &root, const std::string &array, bool toDevice) {
    bool known = llvm::any_of(
        planned, [&](const PlannedBytes &p) { return p.root == root && p.array == array && p.toDevice == toDevice; });
    if (!known) planned.push_back({root, array, toDevice, 0, "not in the plan"});
  };
  for (const PlannedCopy &copy : copies)
    if (auto found = record.copies.find(copy.id); found != record.copies.end() && found->second.bytes)
      need(copy.root, copy.array, copy.toDevice);
  for (const ArrayRecord &array : record.arrays)
    for (bool toDevice : {true, false})
      if (array.unplanned[!toDevice]) need(array.root, array.array, toDevice);
}

std::vector<BytesLine> bytesOf(const std::vector<PlannedCopy> &copies, const Record &record,
                               std::vector<PlannedBytes> planned) {
  addUnplanned(copies, record, planned);
  std::vector<BytesLine> lines;
  for (const PlannedBytes &each : planned)
    lines.push_back({each, measuredBytes(copies, record, each), protectionOf(record, each)});
  return lines;
}

static llvm::Error compareBytes(const Subject &subject, const Record &record, VerifyReport &report) {
  report.kernels = record.kernels;
  report.otherBytes[0] = record.otherBytes[0];
  report.otherBytes[1] = record.otherBytes[1];
  llvm::Expected<std::vector<PlannedBytes>> planned = subject.plan(record);
  if (!planned) return planned.takeError();
  report.bytes = bytesOf(subject.copies, record, std::move(*planned));
  if (record.kernels == 0)
    report.notes.push_back("no kernel ran on the device with these arguments: nothing is proven of the transfers");
  if (!record.isProtected) report.notes.push_back("the system refused to shut some host memory while kernels ran");
  for (const ArrayRecord &array : record.arrays)
    if (array.protection != "pages")
      report.notes.push_back(array.array + " of " + array.root +
                             (array.protection == "none"
                                  ? " shares its pages with other data: kernels could have read it on the host"
                                  : " shares its first and last page: kernels could have read it there"));
  return llvm::Error::success();
}

//===--- All of it ---------------------------------------------------------------===//

llvm::Expected<VerifyReport> verify(const Subject &subject, const Settings &settings) {
  llvm::Expected<Tools> tools = findTools(settings.llvmLibrary, settings.watch);
  if (!tools) return tools.takeError();
  llvm::SmallString<128> folder(settings.keepFolder);
  std::error_code code = folder.empty() ? llvm::sys::fs::createUniqueDirectory("busfare-verify", folder)
                                        : llvm::sys::fs::create_directories(folder);
  if (!code) code = llvm::sys::fs::make_absolute(folder);
  if (code) return wrong("cannot make a folder for the builds: " + code.message());
  auto remove = llvm::make_scope_exit([&] {
    if (settings.keepFolder.empty()) llvm::sys::fs::remove_directories(folder);
  });
  Session session{subject, settings, *tools, folder.str().str(), {}, {}};
  VerifyReport report;
  report.tolerance = settings.tolerance;
  report.findings = subject.findings;
  settings.progress("building the original and four variants of the port");
  std::vector<Program> programs = buildAll(subject, *tools, folder);
  settings.progress("running them");
  if (llvm::Error error = runOriginal(session, programs[int(Build::Original)], report)) return error;
  llvm::Expected<Record> record = runPorts(session, programs, report);
  if (!record) return record.takeError();
  if (record->complete)
    if (llvm::Error error = compareBytes(subject, *record, report)) return error;
  for (const Streams &one : subject.streams) {
    const TasksRecord tasks = record->tasks[one.region];
    report.streams.push_back({one, tasks.tasks, tasks.orders, tasks.isComplete});
  }
  report.mutantsAsked = settings.mutants;
  if (llvm::Error error = runGuards(session, programs[int(Build::Watched)], *record, report)) return error;
  bool watchedPassed =
      llvm::all_of(report.runs, [](const RunLine &line) { return line.build != "watched" || line.passed; });
  if (settings.mutants && watchedPassed) {
    const size_t chunked = llvm::count_if(subject.copies, [](const PlannedCopy &copy) { return copy.isChunked; });
    settings.progress("running " + std::to_string(2 * subject.copies.size() + chunked + subject.dependences.size()) +
                      " mutants");
    runMutants(session, programs[int(Build::Watched)], *record, report);
    runTaskMutants(session, programs[int(Build::Watched)], report);
  } else if (settings.mutants) {
    report.notes.push_back("mutants were not run: the watched build itself fails");
  }
  return report;
}

} // namespace busfare::frontend::verify
