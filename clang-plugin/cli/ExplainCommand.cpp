//===- clang-plugin/cli/ExplainCommand.cpp - busfare explain -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The first word is a place, FILE:LINE; the others are sources as analyze takes them. If
// there are none, and no -p, the file of the place is the source.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include "projection/Explain.h"
#include "projection/report/ExplainWriters.h"
#include "projection/report/MeasureWriters.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using llvm::StringRef;
using namespace busfare::projection;

namespace busfare::frontend {

static llvm::Expected<ExplainedPlace> placeOf(const Options &options) {
  if (options.inputs.empty())
    return llvm::createStringError("explain wants a place, FILE:LINE; see `busfare help explain`");
  auto [file, number] = StringRef(options.inputs.front()).rsplit(':');
  unsigned line = 0;
  if (file.empty() || number.getAsInteger(10, line) || line == 0)
    return llvm::createStringError("explain wants FILE:LINE first, as in jacobi.c:30, not '" + options.inputs.front() +
                                   "'");
  return ExplainedPlace{file.str(), line};
}

Outcome runExplain(const Options &options) {
  llvm::Expected<ExplainedPlace> place = placeOf(options);
  if (!place) return badInput(options, place.takeError());
  llvm::Expected<ProjectOptions> projectOptions = projectOptionsOf(options);
  if (!projectOptions) return badInput(options, projectOptions.takeError());
  Options sources = options;
  sources.inputs.erase(sources.inputs.begin());
  if (sources.inputs.empty() && sources.buildPath.empty()) sources.inputs.push_back(place->file);
  Outcome outcome;
  std::optional<std::vector<skeleton::Program>> programs = readPrograms(sources, outcome);
  if (!programs) return outcome;
  std::vector<Explanation> all;
  projectOptions->allowUnknownParameters = programs->size() > 1;
  for (const skeleton::Program &program : *programs) {
    llvm::Expected<Explanation> one = explain(program, *projectOptions, *place);
    if (!one) return badInput(options, one.takeError());
    all.push_back(std::move(*one));
  }
  Explanation explanation = joinExplanations(std::move(all));
  if (explanation.nests.empty()) {
    outcome.exitCode = BadInput;
    outcome.messages.push_back("busfare: " + nearestStatement(explanation));
    return outcome;
  }
  for (const std::string &note : profileNotes(options.profile, explanation.profileRows))
    outcome.messages.push_back("busfare: --profile " + note);
  llvm::raw_string_ostream os(outcome.output);
  if (options.format == Format::Json) {
    writeExplanationJson(explanation, os);
    return outcome;
  }
  const char *off = std::getenv("NO_COLOR");
  TextStyle style;
  style.colour = options.output.empty() && llvm::sys::Process::StandardOutIsDisplayed() && !(off && *off);
  writeExplanationText(explanation, os, style);
  return outcome;
}

} // namespace busfare::frontend
