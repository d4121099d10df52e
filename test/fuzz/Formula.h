//===- test/fuzz/Formula.h - Formulas from bytes --------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A formula as a tree, which knows nothing of normal forms: it is evaluated in 128
// bits, node by node, and built into an Expr by Expr's own operations. What the two
// say must agree.
//
//   Formula f = Formula::decode(bytes, names, 3);   // max(n - 1, 2*m)
//   f.expr()                                        // the same as an Expr
//   f.value({{"n", 4}, {"m", 1}})                   // 3
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_FUZZ_FORMULA_H
#define BUSFARE_TEST_FUZZ_FORMULA_H

#include "Fuzz.h"
#include "skeleton/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace busfare::fuzz {

class Formula {
public:
  enum class Kind { Constant, Symbol, Add, Subtract, Multiply, Min, Max, FloorDiv, Mod };

  /// At most `depth` operations deep. With `large`, some constants are near the ends of 64 bits.
  static Formula decode(Bytes &bytes, llvm::ArrayRef<const char *> names, unsigned depth, bool large = false);

  skeleton::Expr expr() const;
  /// Nothing if a step leaves 120 bits.
  std::optional<__int128> value(const skeleton::Values &values) const;

private:
  Kind kind = Kind::Constant;
  int64_t number = 0; ///< Of Constant; the divisor of FloorDiv and Mod.
  const char *name = nullptr;
  std::vector<Formula> parts;
};

/// The value as the program has it, 64 bits; nothing if it does not fit.
std::optional<int64_t> smallValue(const Formula &formula, const skeleton::Values &values);

} // namespace busfare::fuzz

#endif
