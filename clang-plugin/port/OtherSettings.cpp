//===- clang-plugin/port/OtherSettings.cpp - Does it hold for other sizes? -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/OtherSettings.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

std::vector<std::string> otherSettings(const Program &program) {
  std::map<std::string, int64_t> settings;
  for (const Constant &constant : program.constants)
    if (constant.isSetting) settings[constant.symbol] = constant.value;
  std::vector<std::string> words;
  int64_t factor = 2;
  for (const auto &[name, value] : settings) words.push_back("-D" + name + "=" + std::to_string(value * factor++));
  return words;
}

static void forgetWhatIsLikely(Block &block) {
  for (Node &node : block)
    if (auto *define = std::get_if<Define>(&node.kind)) {
      define->usually.reset();
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      forgetWhatIsLikely(loop->body);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      branch->condition.probability = Condition().probability;
      branch->condition.isMeasured = false;
      forgetWhatIsLikely(branch->then);
      forgetWhatIsLikely(branch->otherwise);
    }
}

/// What is to be the same.
static Program essence(Program program) {
  for (Function &function : program.functions) forgetWhatIsLikely(function.body);
  program.findings.clear();
  for (Constant &constant : program.constants)
    if (constant.isSetting) constant.value = 1, constant.location = {};
  llvm::sort(program.constants, [](const Constant &a, const Constant &b) { return a.symbol < b.symbol; });
  return program;
}

bool saySame(const Program &one, const Program &other) {
  for (const Constant &constant : one.constants)
    for (const Constant &again : other.constants)
      if (constant.isSetting && again.symbol == constant.symbol && again.value == constant.value) return false;
  return essence(one) == essence(other);
}

} // namespace busfare::frontend::port
