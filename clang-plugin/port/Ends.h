//===- clang-plugin/port/Ends.h - Loops that may end the program ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A device cannot end the program. An iteration that would sets a flag instead and
// leaves; the host looks at the flag behind the loop:
//
//   for (i ...) {                       int busfare_ends = 0;
//     if (x[i] < 0)                =>   #pragma omp target ... reduction(max: busfare_ends)
//       exit(3);                        for (i ...) {
//     y[i] = sqrt(x[i]);                  if (x[i] < 0)
//   }                                       { busfare_ends = 1; continue; }
//                                         y[i] = sqrt(x[i]);
//                                       }
//                                       if (busfare_ends) exit(3);
//
// Out of an inner loop it leaves by `goto` to the end of the body. If the calls are not
// all alike the first one counts: the flag is the least of i * 2 + (which call), two
// being more than enough for two calls. Messages that stand right before such a call and
// say the same each time go with it (`fprintf(stderr, "negative\n"); exit(3);`). Not handled,
// with a reason: calls in functions that the loop calls, within larger expressions, or
// written by macros other than assert; messages that say what the iteration computed.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_ENDS_H
#define BUSFARE_CLANG_PLUGIN_PORT_ENDS_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/LoopForm.h"
#include "clang/AST/Expr.h"

namespace busfare::frontend::port {

/// A call of exit, abort or what assert calls.
struct EndingCall {
  const clang::CallExpr *call = nullptr;
  const clang::Stmt *loop = nullptr; ///< The innermost loop around it.
  bool isStatement = false;          ///< It is no part of a larger expression.
  std::vector<const clang::CallExpr *> messages; ///< Output by the statements right before it.
};

/// Those in the text below the statement.
std::vector<EndingCall> endingCallsIn(const clang::Stmt *stmt);

/// What becomes of them.
struct EndsText {
  std::string before;              ///< Declares the flag.
  std::vector<Edit> edits;         ///< Inside the loop.
  std::string came;                ///< Behind it: whether some iteration came to such a call, as C.
  std::vector<std::string> behind; ///< The lines behind it.
  bool isFirst = false; ///< The flag is reduced by min, over the iterations of this loop alone; else by max.
};

/// loop: the innermost whose iterations are shared out, with the calls in its body; flag and label: names nobody else
/// has. Error: why it cannot be said.
llvm::Expected<EndsText> endBehind(llvm::ArrayRef<EndingCall> calls, const CanonicalLoop &loop,
                                   const FunctionSource &source, const std::string &flag, const std::string &label);

} // namespace busfare::frontend::port

#endif
