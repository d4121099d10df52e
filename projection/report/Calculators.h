//===- projection/report/Calculators.h - Answers of the calculators -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What `busfare transfer` and `busfare overlap` print, as text of 80 columns and as JSON
// (a contract: keys are added, never changed). Writers format; they compute nothing.
//
//   {"transfers": [{"bytes": 1048576, "direction": "h2d", "memory": "pinned", "model": "linear", "time_s": 8.86e-05},
//   ...]}
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REPORT_CALCULATORS_H
#define BUSFARE_PROJECTION_REPORT_CALCULATORS_H

#include "projection/Overlap.h"
#include "projection/TransferAnswer.h"
#include "llvm/Support/raw_ostream.h"

namespace busfare::projection {

/// Which program wrote it.
struct Tool {
  std::string version;
};

void writeTransfersText(const TransferAnswer &answer, llvm::raw_ostream &os);
void writeTransfersJson(const TransferAnswer &answer, const Tool &tool, llvm::raw_ostream &os);

/// question: what the answer is to.
void writeOverlapText(const Machine &machine, const OverlapQuestion &question, const OverlapAnswer &answer,
                      llvm::raw_ostream &os);
void writeOverlapJson(const Machine &machine, const OverlapQuestion &question, const OverlapAnswer &answer,
                      const Tool &tool, llvm::raw_ostream &os);

} // namespace busfare::projection

#endif
