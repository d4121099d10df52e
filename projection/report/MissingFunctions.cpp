//===- projection/report/MissingFunctions.cpp - What is called and not there ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/report/MissingFunctions.h"
#include "skeleton/UnseenBody.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace busfare::projection {

std::vector<MissingFunction> missingFunctions(const Report &report) {
  std::map<std::string, size_t> calls;
  for (const skeleton::Finding &finding : report.findings)
    if (std::optional<llvm::StringRef> callee = skeleton::ownCalleeNotSeen(finding)) ++calls[callee->str()];
  std::vector<MissingFunction> missing;
  for (const auto &[name, count] : calls) missing.push_back({name, count});
  llvm::stable_sort(missing, [](const MissingFunction &a, const MissingFunction &b) { return a.calls > b.calls; });
  return missing;
}

} // namespace busfare::projection
