//===- test/generator/Check.cpp - Programs through the whole analysis ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Check.h"
#include "clang-plugin/units/CrossUnit.h"
#include "skeleton/Link.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "skeleton/Verify.h"
#include "test/generator/Print.h"
#include "llvm/Support/raw_ostream.h"
#include <fstream>
#include <unistd.h>

namespace busfare::generator {

/// As a worker process would, but in this one, so that a crash is the generator's to see.
static frontend::UnitText readUnit(const frontend::UnitTask &task) {
  frontend::OtherUnits others{task.tag, {}, task.surveys};
  if (!task.interfaces.empty()) others.interfaces = *llvm::cantFail(llvm::json::parse(task.interfaces)).getAsArray();
  frontend::ExtractResult extracted = frontend::extractUnit(task.source->file, task.source->arguments, "", {}, others);
  frontend::UnitText text;
  text.parsed = extracted.parsed;
  text.isSurvey = extracted.isSurvey;
  text.errors = extracted.diagnostics;
  text.skeleton = skeleton::print(extracted.program);
  text.symbols = extracted.symbols;
  for (const llvm::json::Value &one : extracted.interfaces) {
    llvm::raw_string_ostream os(text.interfaces[one.getAsObject()->getString("symbol")->str()]);
    os << one;
  }
  return text;
}

/// The files' skeletons, linked; what is not parsed has a diagnostic.
static frontend::ExtractResult readLinked(const std::vector<std::string> &files,
                                          const std::vector<std::string> &arguments) {
  std::vector<frontend::Source> sources;
  for (const std::string &file : files) {
    sources.emplace_back().file = file;
    sources.back().arguments = arguments;
  }
  std::vector<std::string> tags = frontend::tagsOf(sources);
  std::vector<frontend::UnitText> texts;
  std::vector<skeleton::UnitSymbols> symbols;
  for (size_t k = 0; k < files.size(); ++k) {
    texts.push_back(readUnit(frontend::firstReading(sources[k], tags[k], files.size())));
    symbols.push_back(texts.back().symbols);
  }
  llvm::cantFail(frontend::followAcrossUnits(sources, tags, skeleton::resolve(symbols), texts,
                                             {[](llvm::ArrayRef<frontend::UnitTask> tasks) {
                                               std::vector<frontend::UnitText> again;
                                               for (const frontend::UnitTask &task : tasks)
                                                 again.push_back(readUnit(task));
                                               return llvm::Expected<std::vector<frontend::UnitText>>(std::move(again));
                                             }}));
  frontend::ExtractResult result;
  std::vector<skeleton::Program> programs;
  auto complain = [&](llvm::Error error) {
    result.diagnostics.push_back({skeleton::Level::Error, {}, llvm::toString(std::move(error))});
    return std::move(result);
  };
  for (const frontend::UnitText &text : texts) {
    if (!text.parsed) {
      result.diagnostics = text.errors;
      return result;
    }
    llvm::Expected<skeleton::Program> program = skeleton::parse(text.skeleton, "unit");
    if (!program) return complain(program.takeError());
    programs.push_back(std::move(*program));
  }
  std::vector<const skeleton::Program *> units;
  for (const skeleton::Program &program : programs) units.push_back(&program);
  result.program = skeleton::link(units);
  if (llvm::Error error = skeleton::verify(result.program)) return complain(std::move(error));
  result.parsed = true;
  return result;
}

static frontend::ExtractResult read(std::vector<Program> &programs, const std::string &file, unsigned count) {
  const std::vector<std::string> arguments = argumentsFor(programs);
  if (count <= 1) {
    std::ofstream(file) << printUnit(programs);
    return frontend::extractUnit(file, arguments);
  }
  std::vector<std::string> files;
  for (const std::string &text : printUnits(programs, count)) {
    files.push_back(files.empty() ? file : file + "." + std::to_string(files.size()) + suffixOf(programs));
    std::ofstream(files.back()) << text;
  }
  frontend::ExtractResult result = readLinked(files, arguments);
  for (size_t k = 1; k < files.size(); ++k) unlink(files[k].c_str());
  return result;
}

std::vector<Outcome> checkUnit(std::vector<Program> &programs, const std::string &file, const CompareOptions &options,
                               unsigned units) {
  frontend::ExtractResult unit = read(programs, file, units);
  std::vector<Outcome> outcomes(programs.size());
  for (size_t p = 0; p < programs.size(); ++p) {
    Outcome &outcome = outcomes[p];
    if (!unit.parsed) {
      outcome.found.push_back(
          {Fault::NotRead, unit.diagnostics.empty() ? "no message" : unit.diagnostics.front().message});
      continue;
    }
    auto root = projection::analyseRoot(unit.program, programs[p].name, projection::Depth::Transfers);
    if (!root) {
      outcome.found.push_back({Fault::NotRead, llvm::toString(root.takeError())});
      continue;
    }
    outcome = compare(programs[p], interpret(programs[p]), unit.program, **root, options);
  }
  return outcomes;
}

std::string explain(std::vector<Program> &programs, size_t which, const std::string &file, unsigned units) {
  frontend::ExtractResult unit = read(programs, file, units);
  auto root = projection::analyseRoot(unit.program, programs[which].name, projection::Depth::Transfers);
  if (!root) return llvm::toString(root.takeError());
  std::string text;
  for (const brs::LoopVerdict &verdict : (*root)->dependence.loops) {
    text += std::to_string(verdict.loop->location.line) + " " + verdict.loop->index + ": " +
            (verdict.parallel ? "parallel" : "serial") + ", " + verdict.reason;
    for (const brs::Need &need : verdict.needs)
      text += " [" + brs::toString(need.kind).str() + " " + need.name + " " + need.op + "]";
    text += "\n";
  }
  for (const brs::Region &region : (*root)->transfers.regions) {
    text += "region at " + std::to_string(region.location.line) + "\n";
    for (const brs::Kernel &kernel : region.kernels)
      text += "kernel at " + std::to_string(kernel.loop->location.line) + "\n";
    for (const brs::ArrayTransfers &array : region.arrays) {
      text += array.name + " on the device: " + brs::toString(array.onDevice) + "\n";
      for (bool toDevice : {true, false})
        for (const brs::Crossing &c : toDevice ? array.h2d : array.d2h) {
          text += std::string("  ") + (toDevice ? "h2d " : "d2h ") + brs::toString(c.section) +
                  (c.after ? " after " : " before ") + "line " + std::to_string(c.at.line) + " because of " +
                  std::to_string(c.because.at.line) + (c.section.exact ? " exact" : "") + " in";
          for (const skeleton::Loop *loop : c.loops) text += " " + std::to_string(loop->location.line);
          text += "\n";
        }
    }
  }
  return text;
}

} // namespace busfare::generator
