//===- clang-plugin/cli/NextCommands.cpp - Commands to run next, complete -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "NextCommands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

namespace busfare::frontend {

std::string quoted(StringRef word) {
  if (!word.empty() &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+=:,@%-") ==
          StringRef::npos)
    return word.str();
  std::string result = "'";
  for (char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// What a command is about is kept; how its answer is shown, and how long it may take, is not.
static bool isCarried(StringRef option) {
  static constexpr StringRef ofThisRun[] = {
      "--format",   "-o", "--quiet",      "--no-progress", "--details",  "--top",       "--fail-on",
      "--baseline", "-j", "--time-limit", "--cache",       "--no-cache", "--cache-size"};
  return !llvm::is_contained(ofThisRun, option);
}

/// Does the rest of the command say this itself? Of --param: of the same size.
static bool isSaid(StringRef rest, StringRef option, StringRef value) {
  return option == "--param" ? rest.contains("--param " + quoted(value.rsplit('=').first.str() + "=")) ||
                                   rest.contains(" " + value.rsplit('=').first.str() + "=")
                             : (option == "--iterations" || option == "--function") && rest.contains(option);
}

std::string completed(StringRef command, const Options &options) {
  if (!command.consume_front("busfare ")) return command.str();
  auto [verb, tail] = command.split(' ');
  // Skeletons have no source to be run or changed; a build that has left them does.
  const bool isOfBuild = !options.buildPath.empty() && options.inputs.empty();
  if (options.command == "project" && !isOfBuild && (verb == "port" || verb == "measure" || verb == "verify"))
    return "";
  if (verb == "analyze") verb = options.command;
  size_t own = tail.find(" --");
  StringRef rest = own == StringRef::npos ? "" : tail.drop_front(own);
  std::string line = "busfare " + verb.str();
  // The place that is explained; a file that is read alone is said by it.
  bool isPlace = verb == "explain";
  if (isPlace) line += " " + quoted(tail.take_front(own));
  bool saysFile = isPlace && options.inputs.size() == 1 && options.buildPath.empty() &&
                  tail.starts_with(options.inputs.front() + ":");
  for (const std::string &input : options.inputs)
    if (!saysFile) line += " " + quoted(input);
  bool hasMachine = false;
  for (const auto &[name, value] : options.given) {
    const OptionEntry *entry =
        llvm::find_if(optionTable(), [&, &name = name](const OptionEntry &one) { return one.name == name; });
    if (!isCarried(name) || !takes(*entry, verb) || isSaid(rest, name, value) ||
        (name == "--machine" && verb == "port" && hasMachine))
      continue;
    hasMachine |= name == "--machine";
    line += " " + name + (entry->value.empty() ? "" : " " + quoted(value));
  }
  line += rest;
  const bool isOneFile =
      options.buildPath.empty() && options.inputs.size() == 1 && !llvm::sys::fs::is_directory(options.inputs.front());
  if (verb == "port" && !isOneFile) line += " --format patch";
  if (!options.compilerArguments.empty()) {
    line += " --";
    for (const std::string &argument : options.compilerArguments) line += " " + quoted(argument);
  }
  return line;
}

} // namespace busfare::frontend
