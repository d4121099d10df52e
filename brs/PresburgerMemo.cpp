//===- brs/PresburgerMemo.cpp - Questions that were asked before ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"

namespace busfare::brs {

const form::Answered *form::Memo::find(const Question &question) {
  auto found = answers.find(question);
  if (found == answers.end() || effortIsSpent(1)) return nullptr;
  if (found->second.answered.gaveUp) noteGivenUpBefore();
  return &found->second.answered;
}

void form::Memo::keep(const Question &question, const PresburgerSet &a, const PresburgerSet &b,
                      const Answered &answered) {
  constexpr unsigned maxAnswers = 1 << 15;
  if (answers.size() >= maxAnswers) answers.clear();
  answers.insert({question, Kept{answered, a, b}});
}

void form::Memo::endAnalysis() {
  answers.remove_if([](const auto &one) { return one.second.answered.gaveUp; });
  boxed.clear();
}

form::Memo &form::memo() {
  thread_local Memo theMemo;
  return theMemo;
}

} // namespace busfare::brs
