//===- projection/report/FormulaText.h - Formulas as people read them -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// JSON has names and products as the analysis has them; text is shorter:
//
//   8*solve@12:nx*solve@12:nx*solve@12:nx     8*nx^3
//   noalias(a,b), noalias(a,c), noalias(b,c)  3 pairs of pointers do not overlap: a, b, c
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_FORMULATEXT_H
#define BUSFARE_PROJECTION_REPORT_FORMULATEXT_H

#include "projection/report/Report.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace busfare::projection {

/// Without call paths, equal factors as powers. Also of sections, which are formulas between brackets.
std::string spokenFormula(llvm::StringRef formula);

/// A crossing's bytes: the product of its sides where that is shorter, 8*(xmax-xmin+1)*(ymax-ymin+1).
std::string spokenSize(const CrossingReport &crossing, uint64_t elementBytes);

/// Pairs of pointers that are assumed not to overlap as one line, if they are many; the others as they are.
std::vector<std::string> withPairsTogether(llvm::ArrayRef<std::string> assumptions);
/// The same, and what is assumed steady, not to be thrown, or of rows, each as one line behind them.
std::vector<std::string> spokenAssumptions(llvm::ArrayRef<std::string> assumptions);

} // namespace busfare::projection

#endif
