//===- brs/RulePages.h - The page of each rule, inside the program --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// brs/rules/*.md, built in: what a rule means, what it costs, what to do. Rules of
// findings (BF008) have a page, and so have the other things that are said at a place
// of the source (verdict-port, loop-serial).
//
//   # BF008: A size got the stated default      pageTitle: A size got the stated default
//
//   An extent or a trip count is bound by       pageSummary: An extent or a trip count
//   nothing: no constant, no caller.            is bound by nothing: no constant, no caller.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_RULEPAGES_H
#define BUSFARE_BRS_RULEPAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace busfare::brs {

struct RulePage {
  llvm::StringRef id, text; ///< text: Markdown.
};

/// By id.
llvm::ArrayRef<RulePage> rulePages();
/// Null if there is none of this id.
const RulePage *findRulePage(llvm::StringRef id);
/// Where the pages are on the web, with a slash at its end; empty: nowhere (BUSFARE_RULES_URL of the build).
llvm::StringRef rulesUrl();
/// The first line without the id.
llvm::StringRef pageTitle(const RulePage &page);
/// The first paragraph, as one line.
std::string pageSummary(const RulePage &page);

} // namespace busfare::brs

#endif
