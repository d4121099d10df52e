//===- brs/RulePages.cpp - The page of each rule, inside the program ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/RulePages.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace busfare::brs {

const RulePage *findRulePage(StringRef id) {
  const RulePage *page = llvm::find_if(rulePages(), [&](const RulePage &one) { return one.id == id; });
  return page == rulePages().end() ? nullptr : page;
}

StringRef rulesUrl() { return BUSFARE_RULES_URL; }

StringRef pageTitle(const RulePage &page) { return page.text.split('\n').first.split(": ").second.trim(); }

std::string pageSummary(const RulePage &page) {
  std::string summary;
  StringRef rest = page.text.split('\n').second.ltrim();
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.trim().empty()) break;
    summary += (summary.empty() ? "" : " ") + line.trim().str();
  }
  return summary;
}

} // namespace busfare::brs
