//===- clang-plugin/port/OrderLoop.h - One loop in another order ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text around the body of one loop (Order.h shows it), from the verdicts that the
// loop has on all call paths.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_ORDERLOOP_H
#define BUSFARE_CLANG_PLUGIN_PORT_ORDERLOOP_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/Names.h"
#include "llvm/Support/Error.h"

namespace busfare::frontend::port {

/// A loop of the source, as one root reaches it on one path.
struct Occurrence {
  const projection::Root *root = nullptr;
  unsigned path = 0;
  const brs::LoopVerdict *verdict = nullptr; ///< Null: the analysis has none.
};

struct OrderQuestion {
  const skeleton::Program &program;
  const FunctionSource &source;
  const FunctionPoints &points;
  const Spot &spot; ///< The loop's.
  llvm::ArrayRef<Occurrence> occurrences; ///< All parallel.
  unsigned number = 1;                    ///< Part of names: no other loop of the unit has it.
};

/// What takes the place of the loop's head, and what comes behind its body. Error: why it cannot be said.
llvm::Expected<std::vector<Edit>> reorder(const OrderQuestion &question);

} // namespace busfare::frontend::port

#endif
