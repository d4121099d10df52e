//===- clang-plugin/cli/Commands.cpp - The commands that read programs ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Fixes.h"
#include "HintErrors.h"
#include "HtmlOutput.h"
#include "MarkdownOutput.h"
#include "NextCommands.h"
#include "RemarkOutput.h"
#include "Reporting.h"
#include "Values.h"
#include "projection/Profile.h"
#include "projection/Sizes.h"
#include "projection/report/Csv.h"
#include "projection/report/DiffWriters.h"
#include "projection/report/Join.h"
#include "projection/report/MeasureWriters.h"
#include "projection/report/Printable.h"
#include "projection/report/Writers.h"
#include "skeleton/Hints.h"
#include "skeleton/Json.h"
#include "skeleton/Print.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <set>

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

Outcome badInput(const Options &options, llvm::Error error) {
  // Beside a compiler, what is wrong with the source is the compiler's to say; the caller keeps usage errors apart.
  return {BadInput, "", {"busfare: " + llvm::toString(std::move(error))}};
}

static TextStyle textStyle(const Options &options) {
  const char *off = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
  TextStyle style;
  style.details = options.details;
  style.top = options.top.value_or(0);
  style.colour = options.output.empty() && llvm::sys::Process::StandardOutIsDisplayed() && !(off && *off) &&
                 !(terminal && StringRef(terminal) == "dumb");
  return style;
}

template <class Write> static std::string written(Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  return text;
}

static llvm::Expected<Judged> judged(const Options &options, const Report &report,
                                     const std::optional<ReportSummary> &baseline) {
  Judged result;
  result.summary = summarize(report);
  if (baseline) result.since = compare(*baseline, result.summary);
  llvm::Expected<std::vector<Judgement>> judgements =
      judge(options.failOn, result.summary, result.since ? &*result.since : nullptr);
  if (!judgements) return judgements.takeError();
  result.judgements = std::move(*judgements);
  return result;
}

/// With --args what the program takes a size to be is what it is told.
static void takeAsGiven(const Options &options, ParameterSource &source) {
  if (options.hasProgramArguments && source == ParameterSource::Declared) source = ParameterSource::CommandLine;
}

/// --args: how many words there are, if a main asks.
static void bindArgumentCount(const Options &options, const ReadResult &units, ProjectOptions &projectOptions) {
  for (const ReadUnit &unit : units.units)
    if (const skeleton::Function *main = skeleton::findFunction(unit.program, "main");
        main && options.hasProgramArguments && !main->parameters.empty() &&
        main->parameters.front().kind == skeleton::Parameter::Kind::Value)
      projectOptions.parameters.emplace(projectOptions.parameters.begin(), "main::" + main->parameters.front().name,
                                        int64_t(options.programArguments.size()) + 1);
}

llvm::Error noSuchRegion(StringRef asked, const Report &report) {
  std::vector<std::string> known;
  for (const RegionReport &region : report.regions) known.push_back(region.id);
  return llvm::createStringError(
      asked + ": no such region; " +
      (known.empty() ? "there is none" : "there " + std::string(known.size() > 1 ? "are " : "is ") + someOf(known)));
}

static llvm::Error refuseUnknownRegions(const Options &options, const Report &report) {
  for (const auto &[name, seconds] : options.cpuTimes)
    if (llvm::none_of(report.regions,
                      [&, &wanted = name](const RegionReport &region) { return isRegion(wanted, region.id); }))
      return noSuchRegion("--cpu-time " + name, report);
  return llvm::Error::success();
}

/// Does what is written show other settings than those of the command line? A report from the cache has no prices
/// there.
static bool showsOtherSettings(const Options &options) {
  return options.format == Format::Html || options.command == "plot" || hasDrawingsBeside(options);
}

Outcome projectAndWrite(const Options &options, Projector projector,
                        llvm::function_ref<llvm::Expected<std::string>(const Report &, const Judged &)> write) {
  Outcome outcome;
  llvm::Expected<ProjectOptions> projectOptions = projectOptionsOf(options);
  if (!projectOptions) return badInput(options, projectOptions.takeError());
  const bool isPriced = showsOtherSettings(options);
  if (options.format == Format::Html)
    if (llvm::Error error = checkHtml()) return badInput(options, std::move(error));
  std::optional<ReportSummary> baseline;
  if (StringRef file = textOf(options, "--baseline"); !file.empty()) {
    llvm::Expected<ReportSummary> loaded = loadReportSummary(file);
    if (!loaded) return badInput(options, loaded.takeError());
    baseline = std::move(*loaded);
  }
  ReadResult units;
  if (!readInputs(options, units, outcome)) return outcome;
  bindArgumentCount(options, units, *projectOptions);
  projectOptions->pricesFor = isPriced ? units.programs.size() : 0;
  llvm::Expected<Report> report = projectUnits(units, *projectOptions, jobsOf(options), projector,
                                               ReportCache(isPriced ? nullptr : units.cache, options));
  if (!report) return badInput(options, report.takeError());
  for (RegionReport &region : report->regions)
    for (auto &[name, value] : region.parameters) takeAsGiven(options, value.source);
  if (llvm::Error unknown = refuseUnknownRegions(options, *report)) return badInput(options, std::move(unknown));
  settle(options, units, outcome);
  if (!options.runsBesideCompiler)
    for (const std::string &note : profileNotes(options.profile, report->profileRows))
      outcome.messages.push_back("busfare: --profile " + note);
  for (std::string &command : report->nextCommands) command = completed(command, options);
  llvm::erase_if(report->nextCommands, [](const std::string &command) { return command.empty(); });
  for (const std::string &input : options.inputs) report->sources.push_back(quoted(input));
  llvm::Expected<Judged> answers = judged(options, *report, baseline);
  if (!answers) return badInput(options, answers.takeError());
  llvm::Expected<std::string> output = write(*report, *answers);
  if (!output) return badInput(options, output.takeError());
  outcome.output = std::move(*output);
  refuseHints(report->findings, options, outcome);
  tell(answers->judgements, outcome);
  return outcome;
}

Outcome runAnalyze(const Options &options) {
  std::vector<std::string> notes;
  Outcome outcome = projectAndWrite(
      options, project, [&](const Report &report, const Judged &answers) -> llvm::Expected<std::string> {
        llvm::Expected<std::vector<ProposedFix>> fixes = fixesOf(options, report, notes);
        if (!fixes) return fixes.takeError();
        if (options.format == Format::Markdown) return markdownOf(report, options);
        if (options.format == Format::JUnit) return junitOf(answers.judgements, answers.summary, options.command);
        const ReportDiff *since = answers.since ? &*answers.since : nullptr;
        return written([&](llvm::raw_ostream &os) {
          if (options.format == Format::Json) writeJson(report, os, since);
          else if (options.format == Format::Html) writePage(report, options, os);
          else if (options.format == Format::Csv) writeCsv(report, os);
          else if (isOfRemarks(options.format)) writeRemarks(report, false, options.format, os, *fixes);
          else if (options.quiet) writeBrief(report, os);
          else writeText(report, os, textStyle(options));
          if (options.format != Format::Text) return;
          if (since && options.quiet)
            os << "busfare: since " << printable(since->oldFile) << ": " << diffStatement(*since) << '\n';
          else if (since) writeSinceBaseline(*since, os, textStyle(options));
        });
      });
  llvm::append_range(outcome.messages, notes);
  return outcome;
}

Outcome runLoops(const Options &options) {
  return projectAndWrite(options, projectLoops,
                         [&](const Report &report, const Judged &) -> llvm::Expected<std::string> {
                           return written([&](llvm::raw_ostream &os) {
                             if (options.format == Format::Json) writeLoopsJson(report, os);
                             else if (isOfRemarks(options.format)) writeRemarks(report, true, options.format, os);
                             else writeLoopsText(report, os, textStyle(options));
                           });
                         });
}

/// What a stage says of each program that the inputs make; nothing if the outcome says why.
template <class Line, class Stage>
static std::optional<std::vector<std::optional<std::vector<Line>>>> linesOf(const Options &options, Stage stage,
                                                                            ReadResult &units, Outcome &outcome) {
  llvm::Expected<ProjectOptions> projectOptions = projectOptionsOf(options);
  if (!projectOptions) {
    outcome = badInput(options, projectOptions.takeError());
    return std::nullopt;
  }
  if (!readInputs(options, units, outcome)) return std::nullopt;
  bindArgumentCount(options, units, *projectOptions);
  auto lines = projectEach<std::vector<Line>>(units, *projectOptions, jobsOf(options), stage);
  if (!lines) {
    outcome = badInput(options, lines.takeError());
    return std::nullopt;
  }
  settle(options, units, outcome);
  return std::move(*lines);
}

Outcome runSections(const Options &options) {
  Outcome outcome;
  ReadResult units;
  auto lines = linesOf<SectionLine>(options, projectSections, units, outcome);
  if (!lines) return outcome;
  SectionsReport report;
  report.version = BUSFARE_VERSION;
  for (size_t i = 0; i < units.programs.size(); ++i)
    if ((*lines)[i]) {
      skeleton::Program program = programOf(units, units.programs[i]);
      llvm::append_range(report.sections, *(*lines)[i]);
      std::vector<skeleton::Finding> findings = program.findings;
      llvm::append_range(findings, skeleton::checkHintNames(program));
      llvm::append_range(report.suppressed, skeleton::takeIgnored(program, findings));
      llvm::append_range(report.findings, findings);
    }
  sortFindings(report.findings);
  sortFindings(report.suppressed);
  refuseHints(report.findings, options, outcome);
  outcome.output = written([&](llvm::raw_ostream &os) {
    if (options.format == Format::Json) writeSectionsJson(report, os);
    else writeSectionsText(report, os, textStyle(options));
  });
  return outcome;
}

/// Of --param: a name that is none of the sizes.
static llvm::Error refuseUnknownSizes(const std::vector<std::pair<std::string, int64_t>> &given,
                                      const std::vector<SizeLine> &sizes) {
  std::set<std::string> known;
  for (const SizeLine &size : sizes)
    if (size.source != ParameterSource::Caller) known.insert(size.name);
  for (const auto &[name, value] : given)
    if (!known.count(name) && llvm::none_of(known, [&, &bare = name](const std::string &one) {
          return StringRef(one).ends_with("::" + bare) || isSpelled(bare, one);
        }))
      return llvm::createStringError(
          "--param " + name + ": no size of this name" +
          (known.empty() ? std::string("; none is open") : "; there are " + llvm::join(known, ", ")));
  return llvm::Error::success();
}

Outcome runSizes(const Options &options) {
  Outcome outcome;
  ReadResult units;
  auto lines = linesOf<SizeLine>(options, projectSizes, units, outcome);
  if (!lines) return outcome;
  SizesReport report;
  report.version = BUSFARE_VERSION;
  for (size_t i = 0; i < units.programs.size(); ++i)
    if ((*lines)[i]) llvm::append_range(report.sizes, *(*lines)[i]);
  for (SizeLine &size : report.sizes) takeAsGiven(options, size.source);
  if (llvm::Error unknown = refuseUnknownSizes(options.parameters, report.sizes))
    return badInput(options, std::move(unknown));
  outcome.output = written([&](llvm::raw_ostream &os) {
    if (options.format == Format::Json) writeSizesJson(report, os);
    else writeSizesText(report, os, textStyle(options));
  });
  return outcome;
}

Outcome runExtract(const Options &options) {
  Outcome outcome;
  ReadResult units;
  if (!readInputs(options, units, outcome)) return outcome;
  settle(options, units, outcome);
  for (const ReadUnit &unit : units.units) refuseHints(unit.program.findings, options, outcome);
  if (options.format == Format::Text) {
    for (const ReadUnit &unit : units.units) outcome.output += skeleton::print(unit.program);
    return outcome;
  }
  llvm::json::Array skeletons;
  for (const ReadUnit &unit : units.units) skeletons.push_back(skeleton::toJson(unit.program));
  llvm::json::Value all =
      llvm::json::Object{{"schema_version", 1},
                         {"output", "skeletons"},
                         {"tool", llvm::json::Object{{"name", "busfare"}, {"version", BUSFARE_VERSION}}},
                         {"skeletons", std::move(skeletons)}};
  outcome.output = llvm::formatv("{0:2}\n", all).str();
  return outcome;
}

} // namespace busfare::frontend
