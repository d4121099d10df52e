//===- clang-plugin/verify/Write.cpp - A verification as text and JSON ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
//   verify: passed
//   ==============
//   Runs
//     build        run                                  result              time
//     original                                          3 words printed   0.01 s
//     watched      fresh memory 0x7e                    same output       0.11 s
//
//   Bytes
//     array  of      direction   planned  measured  host pages
//     u      main    h2d         524,288   524,288  its own
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/verify/Verify.h"
#include "projection/Sizes.h"
#include "projection/report/Figures.h"
#include "projection/report/Page.h"
#include "skeleton/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;
using namespace busfare::projection;
namespace json = llvm::json;

namespace busfare::frontend::verify {

static StringRef directionOf(bool toDevice) { return toDevice ? "h2d" : "d2h"; }

/// An array of a called function by its last call alone: `smooth::row`.
static std::string shown(const std::string &array, const std::string &root) {
  return StringRef(array).contains('@') ? scopedName(root, array) : array;
}

static StringRef wordOf(Fate fate) {
  switch (fate) {
  case Fate::Caught: return "caught";
  case Fate::Excused: return "excused";
  case Fate::Survived: return "survived";
  }
  return "";
}

static StringRef wordOf(Mutant mutant) {
  return mutant == Mutant::Drop ? "drop" : mutant == Mutant::Short ? "short" : "shift";
}

static StringRef saidOf(const MutantLine &line) {
  switch (line.mutant) {
  case Mutant::Drop: return "left out";
  case Mutant::Short: return "one short";
  case Mutant::Shift: return line.copy.toDevice ? "a level late" : "a level early";
  }
  return "";
}

static void runsTable(const VerifyReport &report, Page &page) {
  if (report.runs.empty()) return;
  page.heading("Runs");
  Table table({{"build"}, {"run"}, {""}, {"result"}, {"time", Align::Right}});
  for (const RunLine &line : report.runs)
    table.row(
        {line.build, line.run, line.passed ? "ok" : "FAILED", line.detail, llvm::formatv("{0:f2} s", line.seconds)});
  page.table(table);
  page.line();
}

static StringRef pagesWord(StringRef protection) {
  if (protection == "pages") return "its own";
  return protection == "none" ? "shared" : protection == "inner pages" ? "inner ones" : "";
}

static void bytesTable(const VerifyReport &report, Page &page) {
  if (report.bytes.empty()) return;
  page.heading("Bytes that crossed");
  Table table(
      {{"array"}, {"region"}, {"way"}, {"planned", Align::Right}, {"measured", Align::Right}, {""}, {"host pages"}});
  for (const BytesLine &line : report.bytes) {
    table.row({shown(line.planned.array, line.planned.root), line.planned.root,
               directionOf(line.planned.toDevice).str(), line.planned.bytes ? formatExact(*line.planned.bytes) : "?",
               formatExact(line.measured),
               !line.planned.bytes ? "?"
               : line.equal()      ? "equal"
                                   : "DIFFER",
               pagesWord(line.protection).str()});
    if (!line.planned.note.empty()) table.note(line.planned.note);
  }
  page.table(table);
  page.paragraph(
      llvm::formatv("{0} kernel{1}; {2} bytes in and {3} out beside the arrays (reduction results, structs by value).",
                    formatExact(report.kernels), report.kernels == 1 ? "" : "s", formatExact(report.otherBytes[0]),
                    formatExact(report.otherBytes[1]))
          .str(),
      2, 2);
  page.line();
}

static void mutantsTable(const VerifyReport &report, Page &page) {
  if (report.mutants.empty()) return;
  auto count = [&](Fate fate) {
    return llvm::count_if(report.mutants, [&](const MutantLine &line) { return line.fate == fate; });
  };
  page.heading(llvm::formatv("Mutants: {0} caught, {1} excused, {2} survived", count(Fate::Caught),
                             count(Fate::Excused), count(Fate::Survived))
                   .str());
  Table table({{"copy", Align::Right}, {"array"}, {"region"}, {"way"}, {"mutant"}, {""}, {"because"}});
  for (const MutantLine &line : report.mutants)
    table.row({std::to_string(line.copy.id), shown(line.copy.array, line.copy.root), line.copy.root,
               directionOf(line.copy.toDevice).str(), saidOf(line).str(),
               line.fate == Fate::Survived ? "SURVIVED" : wordOf(line.fate).str(), line.detail});
  page.table(table);
  page.line();
}

static void streamsTable(const VerifyReport &report, Page &page) {
  if (report.streams.empty()) return;
  page.heading("Chunks, their tasks in any order");
  Table table(
      {{"region"}, {"root"}, {"chunks", Align::Right}, {"tasks", Align::Right}, {"orders", Align::Right}, {""}});
  for (const StreamsLine &line : report.streams)
    table.row({toString(line.streams.at), line.streams.root, std::to_string(line.streams.chunks),
               formatExact(line.tasks), formatExact(line.orders),
               line.orders == 0  ? "not reached"
               : line.isComplete ? "all there are"
                                 : "of more"});
  page.table(table);
  page.line();
  if (report.taskMutants.empty()) return;
  auto count = [&](Fate fate) {
    return llvm::count_if(report.taskMutants, [&](const TaskMutantLine &line) { return line.fate == fate; });
  };
  page.heading(llvm::formatv("Dependences left out: {0} caught, {1} excused, {2} survived", count(Fate::Caught),
                             count(Fate::Excused), count(Fate::Survived))
                   .str());
  Table mutants({{"dependence"}, {"region"}, {""}, {"because"}});
  for (const TaskMutantLine &line : report.taskMutants)
    mutants.row({line.dependence.what, line.dependence.root,
                 line.fate == Fate::Survived ? "SURVIVED" : wordOf(line.fate).str(), line.detail});
  page.table(mutants);
  page.line();
}

static StringRef heldWord(const GuardLine &line) {
  if (line.asked == 0) return "not reached";
  return line.held == 0 ? "does not hold" : line.held == line.asked ? "holds" : "holds at times";
}

static void guardsTable(const VerifyReport &report, Page &page) {
  if (report.guards.empty()) return;
  page.heading("Guards, each run both ways");
  Table table({{"region"}, {"root"}, {"runs on the device where"}, {"in this run"}});
  for (const GuardLine &line : report.guards)
    table.row({toString(line.guard.at), line.guard.root, line.guard.condition, heldWord(line).str()});
  page.table(table);
  page.line();
  if (report.guardMutants.empty()) return;
  auto count = [&](Fate fate) {
    return llvm::count_if(report.guardMutants, [&](const GuardMutantLine &line) { return line.fate == fate; });
  };
  page.heading(llvm::formatv("Constructs without their guards: {0} caught, {1} excused, {2} survived",
                             count(Fate::Caught), count(Fate::Excused), count(Fate::Survived))
                   .str());
  Table mutants({{"construct"}, {"region"}, {"at"}, {""}, {"because"}});
  for (const GuardMutantLine &line : report.guardMutants)
    mutants.row({line.construct.what, line.construct.root, toString(line.construct.at),
                 line.fate == Fate::Survived ? "SURVIVED" : wordOf(line.fate).str(), line.detail});
  page.table(mutants);
  page.line();
}

void writeText(const VerifyReport &report, llvm::raw_ostream &os, bool colour) {
  Page page(os, 80, colour);
  page.title(report.runs.empty() ? "verify: nothing to run" : report.passed() ? "verify: passed" : "verify: FAILED");
  page.paragraph(
      llvm::formatv("Text and whole numbers must be equal, floating-point numbers within {0} of each other or one unit "
                    "of the last place printed.",
                    llvm::formatv("{0:e0}", report.tolerance).str())
          .str());
  page.line();
  runsTable(report, page);
  bytesTable(report, page);
  mutantsTable(report, page);
  streamsTable(report, page);
  guardsTable(report, page);
  for (const std::string &note : report.notes) page.paragraph(note + ".", 0, 6, "note:", Colour::Unsure);
  for (const skeleton::Finding &finding : report.findings)
    page.paragraph(
        toString(finding.location) + ": " + finding.message + " [" + skeleton::ruleId(finding.rule).str() + "]", 0, 2);
}

//===--- JSON --------------------------------------------------------------------===//

static json::Array runsJson(const VerifyReport &report) {
  json::Array all;
  for (const RunLine &line : report.runs)
    all.push_back(json::Object{{"build", line.build},
                               {"run", line.run},
                               {"passed", line.passed},
                               {"detail", line.detail},
                               {"time_s", line.seconds}});
  return all;
}

static json::Array bytesJson(const VerifyReport &report) {
  json::Array all;
  for (const BytesLine &line : report.bytes) {
    json::Value planned = line.planned.bytes ? json::Value(int64_t(*line.planned.bytes)) : json::Value(nullptr);
    all.push_back(json::Object{{"region", line.planned.root},
                               {"array", line.planned.array},
                               {"direction", directionOf(line.planned.toDevice)},
                               {"planned_bytes", std::move(planned)},
                               {"measured_bytes", int64_t(line.measured)},
                               {"equal", line.equal()},
                               {"protection", line.protection},
                               {"note", line.planned.note}});
  }
  return all;
}

static json::Array mutantsJson(const VerifyReport &report) {
  json::Array all;
  for (const MutantLine &line : report.mutants)
    all.push_back(json::Object{{"copy", line.copy.id},
                               {"region", line.copy.root},
                               {"array", line.copy.array},
                               {"direction", directionOf(line.copy.toDevice)},
                               {"exact", line.copy.exact},
                               {"at", toJson(line.copy.at)},
                               {"kind", wordOf(line.mutant)},
                               {"fate", wordOf(line.fate)},
                               {"detail", line.detail}});
  return all;
}

static json::Array guardsJson(const VerifyReport &report) {
  json::Array all;
  for (const GuardLine &line : report.guards)
    all.push_back(json::Object{{"root", line.guard.root},
                               {"at", toJson(line.guard.at)},
                               {"condition", line.guard.condition},
                               {"asked", int64_t(line.asked)},
                               {"held", int64_t(line.held)}});
  return all;
}

static json::Array guardMutantsJson(const VerifyReport &report) {
  json::Array all;
  for (const GuardMutantLine &line : report.guardMutants)
    all.push_back(json::Object{{"construct", line.construct.what},
                               {"root", line.construct.root},
                               {"at", toJson(line.construct.at)},
                               {"fate", wordOf(line.fate)},
                               {"detail", line.detail}});
  return all;
}

static json::Array streamsJson(const VerifyReport &report) {
  json::Array all;
  for (const StreamsLine &line : report.streams)
    all.push_back(json::Object{{"root", line.streams.root},
                               {"at", toJson(line.streams.at)},
                               {"chunks", int64_t(line.streams.chunks)},
                               {"tasks", int64_t(line.tasks)},
                               {"orders", int64_t(line.orders)},
                               {"all_orders", line.isComplete}});
  return all;
}

static json::Array taskMutantsJson(const VerifyReport &report) {
  json::Array all;
  for (const TaskMutantLine &line : report.taskMutants)
    all.push_back(json::Object{{"dependence", line.dependence.what},
                               {"root", line.dependence.root},
                               {"at", toJson(line.dependence.at)},
                               {"fate", wordOf(line.fate)},
                               {"detail", line.detail}});
  return all;
}

static json::Array findingsJson(const VerifyReport &report) {
  json::Array all;
  for (const skeleton::Finding &finding : report.findings)
    all.push_back(json::Object{{"rule", skeleton::ruleId(finding.rule)},
                               {"level", skeleton::toString(finding.level)},
                               {"location", toJson(finding.location)},
                               {"message", finding.message}});
  return all;
}

void writeJson(const VerifyReport &report, llvm::raw_ostream &os) {
  json::Array notes;
  for (const std::string &note : report.notes) notes.push_back(note);
  json::Object all{
      {"schema_version", 1},
      {"output", "verify"},
      {"tool", json::Object{{"name", "busfare"}, {"version", BUSFARE_VERSION}}},
      {"passed", report.passed()},
      {"tolerance", report.tolerance},
      {"runs", runsJson(report)},
      {"bytes", bytesJson(report)},
      {"kernels", int64_t(report.kernels)},
      {"other_bytes", json::Object{{"h2d", int64_t(report.otherBytes[0])}, {"d2h", int64_t(report.otherBytes[1])}}},
      {"mutants_run", report.mutantsAsked},
      {"mutants", mutantsJson(report)},
      {"guards", guardsJson(report)},
      {"guard_mutants", guardMutantsJson(report)},
      {"streams", streamsJson(report)},
      {"task_mutants", taskMutantsJson(report)},
      {"notes", std::move(notes)},
      {"findings", findingsJson(report)}};
  os << llvm::formatv("{0:2}\n", json::Value(std::move(all)));
}

} // namespace busfare::frontend::verify
