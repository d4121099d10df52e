//===- brs/PresburgerForm.h - What the Presburger sources share -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The thread's isl context with its limits, and Exprs to and from isl's affine
// forms. Private to the Presburger*.cpp files.
//
//   if (!beginQuestion()) return unknown;      // out of time, or limits reset
//   isl_pw_aff *f = affineForm(max(i, 0) + n); // two pieces over i, n
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_PRESBURGERFORM_H
#define BUSFARE_BRS_PRESBURGERFORM_H

#include "brs/Presburger.h"
#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

namespace busfare::brs::form {

/// This thread's context: errors do not stop the program, operations are limited.
isl_ctx *context();
/// What was asked since it was called before is paid for; that it failed, if it did, is forgotten: nothing is lost
/// where the answer would only have been simpler.
void settle();
/// Settles, and begins anew; false if the thread's budget is spent.
bool beginQuestion();
/// Notes that a question was given up, for EffortBudget::wasExceeded; returns its argument.
void noteIfGivenUp(bool failed);
/// What isl did since the last question is nobody's: it counts neither as effort nor for the next question.
void passOver();
/// The set, taken over from isl, or one that is the same; notes a null, of which nothing is known.
PresburgerSet taken(isl_set *set);
/// Of so many coordinates.
inline isl_space *spaceOf(unsigned rank) { return isl_space_set_alloc(context(), 0, rank); }

/// What was too hard for this analysis is forgotten, and so are facts; the next one keeps the rest.
void endAnalysis();

/// A value of the named values, on a parameter domain; null if poisoned or failed. Caller frees.
isl_pw_aff *affineForm(const skeleton::Expr &expr, unsigned depth = 0);
/// One plain linear constraint: constant + sum of coefficient*name.
struct Linear {
  int64_t constant = 0;
  std::vector<std::pair<std::string, int64_t>> terms; ///< By parameter name, in the order of the Expr.
};
/// Nothing if the Expr has a minimum, maximum, division or remainder in it, or is poisoned.
std::optional<Linear> linearForm(const skeleton::Expr &expr);
/// All tuples with coordinate*x[dimension] + value >= 0 (or = 0) for each constraint. Much cheaper than building each
/// from an affineForm and intersecting them. Null on failure; caller frees.
struct LinearConstraint {
  Linear value;
  int coordinate = 0;     ///< 0: a condition, no matter which dimension.
  unsigned dimension = 0;
  bool isEquality = false;
};
isl_set *conjunctionOf(unsigned rank, llvm::ArrayRef<LinearConstraint> constraints);
/// Back again. Nothing if a name is not readable as a product of symbols or a coefficient is too large.
std::optional<skeleton::Expr> exprOf(isl_aff *borrowed);

/// A parameter's name as an Expr: a symbol or a product of symbols; nothing for other products.
std::optional<skeleton::Expr> exprOfName(llvm::StringRef name);
/// The symbols that a parameter's name mentions.
std::set<std::string> symbolsOfName(llvm::StringRef name);
/// The name with one symbol called otherwise.
std::string renameInName(llvm::StringRef name, llvm::StringRef from, llvm::StringRef to);

} // namespace busfare::brs::form

#endif
