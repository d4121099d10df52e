//===- clang-plugin/NextCommands.cpp - Commands to run next, complete ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/NextCommands.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace busfare::frontend {

std::string quoted(StringRef word) {
  if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+=:,@%-") == StringRef::npos)
    return word.str();
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string completed(StringRef command, const Options &options) {
  if (!command.consume_front("busfare "))
    return command.str();
  auto [verb, tail] = command.split(' ');
  size_t own = tail.find(" --");
  StringRef rest = own == StringRef::npos ? "" : tail.drop_front(own);
  std::string line = "busfare " + (verb == "analyze" ? options.command : verb.str());
  // The place that is explained; a file that is read alone is said by it.
  bool isPlace = verb == "explain";
  if (isPlace)
    line += " " + quoted(tail.take_front(own));
  bool saysFile = isPlace && options.inputs.size() == 1 && options.buildPath.empty() && tail.starts_with(options.inputs.front() + ":");
  for (const std::string &input : options.inputs)
    if (!saysFile)
      line += " " + quoted(input);
  if (!options.buildPath.empty())
    line += " -p " + quoted(options.buildPath);
  if (verb == "analyze" || isPlace) {
    for (const std::string &machine : options.machines)
      line += " --machine " + quoted(machine);
    if (!rest.contains("--function"))
      for (const std::string &function : options.functions)
        line += " --function " + quoted(function);
    for (const auto &[name, value] : options.parameters)
      line += " --param " + quoted(name + "=" + std::to_string(value));
    if (options.runs || options.manyRuns)
      line += " --runs " + (options.runs ? std::to_string(*options.runs) : "many");
    if (options.iterations && !rest.contains("--iterations"))
      line += " --iterations " + std::to_string(*options.iterations);
  }
  line += rest;
  if (!options.compilerArguments.empty()) {
    line += " --";
    for (const std::string &argument : options.compilerArguments)
      line += " " + quoted(argument);
  }
  return line;
}

} // namespace busfare::frontend
