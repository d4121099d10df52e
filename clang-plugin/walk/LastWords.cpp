//===- clang-plugin/walk/LastWords.cpp - What is said before the program ends -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Output right before the program ends is part of the end: no iteration behind it runs,
// so there is no order to keep, and the host can say it when the loop is done.
//
//   fprintf(stderr, "row %d\n", i); exit(1);     end "exit(1) after the message of line 7" where
//
// What the message needs is read where it stands; `where`: it is not the same in each
// iteration. Output of text in memory (`%s` of an
// array) stays what it is, since the device would have to hold the text.
//
//===----------------------------------------------------------------------===//
#include "HostOnly.h"
#include "Walk.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend {

/// Takes back the output that stands right before the end, which then says it.
skeleton::End Walker::withLastWords(skeleton::End ending) {
  flush();
  Block kept;
  unsigned line = 0;
  while (!out->empty()) {
    const Node &last = out->back();
    const auto *host = std::get_if<skeleton::HostStatement>(&last.kind);
    const auto *access = std::get_if<Access>(&last.kind);
    const bool isMessage = host && host->reason == HostReason::InputOutput && host->body.empty() &&
                           !textMessages.count(host->location) && (host->what == "stream" || writesText(host->what));
    const bool isAsked = (access && access->kind == AccessKind::Read) ||
                         std::holds_alternative<skeleton::Operations>(last.kind) ||
                         std::holds_alternative<skeleton::Define>(last.kind);
    if (!isMessage && !isAsked) break;
    if (isMessage) {
      line = host->location.line;
      ending.saysWhere |= !plainMessages.count(host->location);
      llvm::erase_if(st.findings, [&](const skeleton::Finding &finding) {
        return finding.rule == Rule::InputOutput && finding.location == host->location;
      });
    } else kept.push_back(last);
    out->pop_back();
  }
  for (Node &node : llvm::reverse(kept)) out->push_back(std::move(node));
  if (line) ending.what += " after the message of line " + std::to_string(line);
  return ending;
}

} // namespace busfare::frontend
