//===- projection/report/CommandLines.cpp - The next commands, to be copied ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/CommandLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::projection {

std::vector<std::string> commandLines(llvm::ArrayRef<std::string> commands, llvm::ArrayRef<std::string> sources) {
  constexpr size_t most = 3, width = 78; // sources that stand in each command; characters, of which " \" takes two
  const std::string all = " " + llvm::join(sources, " ");
  const bool areSaidOnce =
      sources.size() > most && llvm::all_of(commands, [&](llvm::StringRef command) { return command.contains(all); });
  if (!areSaidOnce) return commands.vec();
  std::vector<std::string> lines{"set --"};
  for (const std::string &source : sources) {
    if (lines.back().size() + 1 + source.size() > width - 2) {
      lines.back() += " \\";
      lines.push_back(" ");
    }
    lines.back() += " " + source;
  }
  for (const std::string &command : commands) {
    const size_t at = command.find(all);
    lines.push_back(command.substr(0, at) + " \"$@\"" + command.substr(at + all.size()));
  }
  return lines;
}

} // namespace busfare::projection
