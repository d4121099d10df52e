//===- projection/report/LoopText.cpp - A loop's verdict in words ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/LoopText.h"
#include "projection/report/FormulaText.h"
#include "projection/report/PlanText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::projection {

std::string treatment(const LoopReport &loop) {
  std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
  for (const NeedReport &need : loop.needs) {
    std::string kind = (need.op == "induction" ? "induction " : "") + need.kind + "(" +
                       (need.kind == "reduction" ? need.op + ": " : "");
    auto known = llvm::find_if(kinds, [&](const auto &one) { return one.first == kind; });
    if (known == kinds.end()) known = kinds.insert(kinds.end(), {kind, {}});
    std::string name = spelled(need.name).str();
    if (!llvm::is_contained(known->second, name)) known->second.push_back(name);
  }
  std::vector<std::string> parts;
  for (const auto &[kind, names] : kinds) parts.push_back(kind + llvm::join(names, ", ") + ")");
  for (const std::string &assumed : withPairsTogether(loop.assuming)) parts.push_back("if " + assumed);
  return llvm::join(parts, ", ");
}

} // namespace busfare::projection
