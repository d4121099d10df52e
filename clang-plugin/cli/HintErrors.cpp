//===- clang-plugin/cli/HintErrors.cpp - Hints that end in exit code 2 ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HintErrors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace busfare::frontend {

/// The line and a caret under the column; nothing if the file cannot be read any more.
static std::string shown(const skeleton::Location &location) {
  auto buffer = llvm::MemoryBuffer::getFile(location.file.str());
  if (!buffer || location.line == 0 || location.column == 0) return "";
  llvm::StringRef text = (*buffer)->getBuffer(), line;
  for (unsigned k = 0; k < location.line; ++k) std::tie(line, text) = text.split('\n');
  constexpr size_t widest = 160;
  if (line.size() > widest || location.column > line.size() + 1) return "";
  std::string safe;
  for (char c : line) safe += c == '\t' ? ' ' : llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80 ? c : '?';
  return "\n" + safe + "\n" + std::string(location.column - 1, ' ') + "^";
}

void refuseHints(const std::vector<skeleton::Finding> &findings, const Options &options, Outcome &outcome) {
  for (const skeleton::Finding &finding : findings) {
    bool isHint = finding.rule == skeleton::Rule::HintMalformed || finding.rule == skeleton::Rule::HintRefuted;
    if (!isHint || finding.level != skeleton::Level::Error) continue;
    outcome.messages.push_back(skeleton::toString(finding) + shown(finding.location));
    if (!options.runsBesideCompiler) outcome.exitCode = BadInput;
  }
}

} // namespace busfare::frontend
