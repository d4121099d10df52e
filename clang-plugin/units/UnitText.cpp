//===- clang-plugin/units/UnitText.cpp - What reading a unit gave, as text -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "UnitText.h"
#include "skeleton/Print.h"
#include "skeleton/Verify.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace busfare::frontend {

//===--- Written ----------------------------------------------------------===//

/// A skeleton that breaks a rule is our mistake; without it the rest still stands, as calls of it are opaque.
static llvm::json::Array dropMalformed(skeleton::Program &program) {
  llvm::json::Array leftOut;
  std::vector<skeleton::Function> kept;
  for (skeleton::Function &function : program.functions)
    if (llvm::Error error = skeleton::verify(program, function))
      leftOut.push_back(llvm::json::Array{llvm::json::fixUTF8(function.name),
                                          llvm::json::fixUTF8("its skeleton is not well formed, which is busfare's "
                                                              "mistake: " +
                                                              llvm::toString(std::move(error)))});
    else kept.push_back(function);
  if (!leftOut.empty()) program.functions = std::move(kept);
  return leftOut;
}

static llvm::json::Array errorsOf(const ExtractResult &extracted) {
  constexpr size_t most = 50; // More than anybody reads.
  llvm::json::Array errors;
  for (const Diagnostic &diagnostic : extracted.diagnostics)
    if (diagnostic.level == skeleton::Level::Error && errors.size() < most)
      errors.push_back(llvm::json::Object{{"file", llvm::json::fixUTF8(diagnostic.location.file.str())},
                                          {"line", diagnostic.location.line},
                                          {"column", diagnostic.location.column},
                                          {"message", llvm::json::fixUTF8(diagnostic.message)}});
  return errors;
}

static llvm::json::Object toJson(const skeleton::UnitSymbols &symbols) {
  llvm::json::Array functions;
  for (const skeleton::UnitSymbols::Function &function : symbols.functions)
    functions.push_back(llvm::json::Array{function.symbol, int(function.linkage), llvm::json::Array(function.calls)});
  return llvm::json::Object{{"main", symbols.hasMain},
                            {"functions", std::move(functions)},
                            {"variables", llvm::json::Array(symbols.variables)},
                            {"undefined", llvm::json::Array(symbols.undefinedVariables)}};
}

std::string textOf(ExtractResult unit, llvm::ArrayRef<skeleton::Location> loops, const FileAnswers &asked) {
  llvm::json::Array leftOut = dropMalformed(unit.program);
  llvm::json::Array interfaces; // of those that are still there
  for (llvm::json::Value &one : unit.interfaces)
    if (skeleton::findFunction(unit.program, one.getAsObject()->getString("name").value_or("")))
      interfaces.push_back(std::move(one));
  llvm::json::Array places;
  for (const skeleton::Location &loop : loops)
    places.push_back(llvm::json::Array{llvm::json::fixUTF8(loop.file.str()), loop.line, loop.column});
  llvm::json::Value head = llvm::json::Object{{"busfare_unit", 1},
                                              {"parsed", unit.parsed},
                                              {"survey", unit.isSurvey},
                                              {"asks_for_openmp", unit.asksForOpenMP},
                                              {"left_out", std::move(leftOut)},
                                              {"errors", errorsOf(unit)},
                                              {"symbols", toJson(unit.symbols)},
                                              {"interfaces", std::move(interfaces)},
                                              {"variables", std::move(unit.variables)},
                                              {"loops", std::move(places)}};
  llvm::json::Object files;
  for (const auto &[question, answer] : asked)
    if (!answer.empty()) // else it was opened, and not read
      files[llvm::json::fixUTF8(question)] = answer;
  std::string text = llvm::formatv("{0}\n{1}\n", llvm::json::Value(std::move(files)), head).str();
  if (unit.parsed && !unit.isSurvey) text += skeleton::print(unit.program);
  return text;
}

//===--- Read back --------------------------------------------------------===//

static std::set<std::string> namesIn(const llvm::json::Array *list) {
  std::set<std::string> names;
  if (list)
    for (const llvm::json::Value &one : *list) names.insert(one.getAsString().value_or("").str());
  return names;
}

static skeleton::UnitSymbols symbolsFrom(const llvm::json::Object &object) {
  skeleton::UnitSymbols symbols;
  symbols.hasMain = object.getBoolean("main").value_or(false);
  if (const llvm::json::Array *functions = object.getArray("functions"))
    for (const llvm::json::Value &each : *functions) {
      const llvm::json::Array &parts = *each.getAsArray();
      symbols.functions.push_back(
          {parts[0].getAsString()->str(), skeleton::Linkage(*parts[1].getAsInteger()), namesIn(parts[2].getAsArray())});
    }
  symbols.variables = namesIn(object.getArray("variables"));
  symbols.undefinedVariables = namesIn(object.getArray("undefined"));
  return symbols;
}

std::optional<FileAnswers> takeFiles(UnitAnswer &answer) {
  auto [files, rest] = StringRef(answer.text).split('\n');
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(files);
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (!value) llvm::consumeError(value.takeError());
  if (!object) return std::nullopt;
  FileAnswers answers;
  for (const auto &[question, found] : *object) answers[question.str()] = found.getAsString().value_or("").str();
  answer.text = rest.str();
  return answers;
}

UnitText unitOf(const UnitAnswer &answer) {
  UnitText unit;
  unit.lost = answer.lost;
  if (!unit.lost.empty()) return unit;
  StringRef text = answer.text;
  auto [head, body] = text.split('\n');
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(head);
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  const llvm::json::Array *leftOut = object ? object->getArray("left_out") : nullptr;
  const llvm::json::Array *errors = object ? object->getArray("errors") : nullptr;
  if (!value) llvm::consumeError(value.takeError());
  const llvm::json::Array *loops = object ? object->getArray("loops") : nullptr;
  if (!leftOut || !errors || !loops) {
    unit.lost = "nothing that can be read came back";
    return unit;
  }
  unit.parsed = object->getBoolean("parsed").value_or(false);
  unit.isSurvey = object->getBoolean("survey").value_or(false);
  unit.asksForOpenMP = object->getBoolean("asks_for_openmp").value_or(true);
  unit.skeleton = body.str();
  if (const llvm::json::Object *symbols = object->getObject("symbols")) unit.symbols = symbolsFrom(*symbols);
  auto bySymbol = [&](const char *key, std::map<std::string, std::string> &all) {
    if (const llvm::json::Array *interfaces = object->getArray(key))
      for (const llvm::json::Value &each : *interfaces)
        if (auto symbol = each.getAsObject()->getString("symbol"))
          all[symbol->str()] = llvm::formatv("{0}", each).str();
  };
  bySymbol("interfaces", unit.interfaces);
  bySymbol("variables", unit.variables);
  for (const llvm::json::Value &each : *leftOut) {
    const llvm::json::Array &pair = *each.getAsArray();
    unit.leftOut.emplace_back(pair[0].getAsString()->str(), pair[1].getAsString()->str());
  }
  for (const llvm::json::Value &each : *errors) {
    const llvm::json::Object &one = *each.getAsObject();
    skeleton::Location location;
    location.file = one.getString("file")->str();
    location.line = unsigned(one.getInteger("line").value_or(0));
    location.column = unsigned(one.getInteger("column").value_or(0));
    unit.errors.push_back({skeleton::Level::Error, location, one.getString("message")->str()});
  }
  for (const llvm::json::Value &each : *loops) {
    const llvm::json::Array &place = *each.getAsArray();
    unit.loops.push_back(
        {place[0].getAsString()->str(), unsigned(*place[1].getAsInteger()), unsigned(*place[2].getAsInteger())});
  }
  return unit;
}

} // namespace busfare::frontend
