//===- clang-plugin/cli/Values.cpp - What the calculators' options hold --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "projection/Sweep.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>
#include <cstdio>

using llvm::StringRef;

namespace busfare::frontend {

StringRef textOf(const Options &options, const char *name) {
  StringRef last;
  for (const auto &[option, text] : options.figures)
    if (option == name) last = text;
  return last;
}

static llvm::Error wrongNumber(const char *name, StringRef text, Bounds bounds, bool several) {
  char limits[80] = "";
  if (bounds.most < 1e300) std::snprintf(limits, sizeof limits, " from %g to %g", bounds.least, bounds.most);
  else std::snprintf(limits, sizeof limits, " of at least %g", bounds.least);
  const char *kind = bounds.whole ? (several ? "whole numbers" : "a whole number") : several ? "numbers" : "a number";
  return llvm::createStringError(llvm::Twine(name) + " wants " + kind + limits + ", not '" + text + "'");
}

static std::optional<double> within(StringRef text, Bounds bounds) {
  std::optional<double> value = projection::numberIn(text);
  if (!value || *value < bounds.least || *value > bounds.most || (bounds.whole && *value != std::floor(*value)))
    return std::nullopt;
  return value;
}

llvm::Expected<std::optional<double>> numberOf(const Options &options, const char *name, Bounds bounds) {
  StringRef text = textOf(options, name);
  if (text.empty()) return std::optional<double>();
  std::optional<double> value = within(text, bounds);
  if (!value) return wrongNumber(name, text, bounds, false);
  return value;
}

std::vector<std::string> wordsOf(const Options &options, const char *name) {
  llvm::SmallVector<StringRef, 8> parts;
  std::vector<std::string> words;
  StringRef text = textOf(options, name);
  if (text.empty()) return words;
  text.split(parts, ',');
  for (StringRef part : parts) words.push_back(part.trim().str());
  return words;
}

llvm::Expected<std::vector<double>> numbersOf(const Options &options, const char *name, Bounds bounds) {
  std::vector<double> numbers;
  for (const std::string &word : wordsOf(options, name)) {
    std::optional<double> value = within(word, bounds);
    if (!value) return wrongNumber(name, word, bounds, true);
    numbers.push_back(*value);
  }
  return numbers;
}

llvm::Expected<std::vector<projection::Machine>> machinesOf(const Options &options) {
  std::vector<projection::Machine> machines;
  std::vector<std::string> names = options.machines;
  if (names.empty()) names.push_back(projection::defaultMachine.str());
  for (const std::string &name : names) {
    llvm::Expected<projection::Machine> machine = projection::loadMachine(name);
    if (!machine) return machine.takeError();
    machines.push_back(std::move(*machine));
  }
  return machines;
}

llvm::Expected<projection::Machine> machineOf(const Options &options) {
  if (options.machines.size() > 1) return llvm::createStringError(options.command + " takes one --machine");
  llvm::Expected<std::vector<projection::Machine>> machines = machinesOf(options);
  if (!machines) return machines.takeError();
  return std::move(machines->front());
}

} // namespace busfare::frontend
