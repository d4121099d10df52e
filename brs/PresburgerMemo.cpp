//===- brs/PresburgerMemo.cpp - Questions that were asked before ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"
#include <isl/set.h>

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

PresburgerSet form::Memo::shared(PresburgerSet set) {
  constexpr unsigned maxForms = 1 << 13;
  if (!set.isKnown() || set.isPlainlyEmpty() || set.isPlainlyEverything()) return set;
  if (byForm.size() >= maxForms) byForm.clear();
  std::vector<PresburgerSet> &alike = byForm[isl_set_get_hash(set.raw()) & 0x7fffffff];
  for (const PresburgerSet &other : alike)
    if (isl_set_plain_is_equal(set.raw(), other.raw()) == isl_bool_true) return other;
  alike.push_back(set);
  return set;
}

void form::Memo::clear() {
  byForm.clear();
  answers.clear();
  nonNegatives.clear();
  zeros.clear();
  boxes.clear();
  boxed.clear();
  symbols.clear();
}

form::Memo &form::memo() {
  thread_local Memo theMemo;
  return theMemo;
}

} // namespace busfare::brs
