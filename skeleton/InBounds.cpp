//===- skeleton/InBounds.cpp - Subscripts that leave their arrays ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/InBounds.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::skeleton {

namespace {

/// The loops around an access, the outermost first; each surely turns.
using Loops = std::vector<const Loop *>;

/// The least or the greatest value of an expression while the loops turn; nothing: not known.
std::optional<Expr> extreme(Expr value, const Loops &loops, bool wantsGreatest) {
  for (const Loop *loop : llvm::reverse(loops)) {
    if (!value.mentions(loop->index)) continue;
    const std::optional<Expr> slope = value.coefficientOf(loop->index);
    const std::optional<int64_t> number = slope ? slope->constant() : std::nullopt;
    if (!number) return std::nullopt;
    const Expr &low = loop->step > 0 ? loop->lower : loop->upper, &high = loop->step > 0 ? loop->upper : loop->lower;
    // Where steps are wide, the end that is named may not be reached.
    const bool isFar = (*number > 0) == wantsGreatest;
    if (isFar == (loop->step > 0) && (loop->step > 1 || loop->step < -1)) return std::nullopt;
    Substitution end;
    end.insert({loop->index, isFar ? high : low});
    value = value.substitute(end);
  }
  return value;
}

llvm::Error outside(const Function &function, const Access &access, const std::string &end,
                    const std::optional<Expr> &extent) {
  const std::string place = toString(access.location.isKnown() ? access.location : function.location);
  return llvm::createStringError(
      (place.empty() ? "" : place + ": ") + "function '" + function.name + "': a subscript of '" + access.array +
      "' reaches " + end +
      (extent ? ", and its elements end at " + toString(*extent - 1) : ", and its elements begin at 0"));
}

llvm::Error check(const Function &function, const Access &access, const Loops &loops) {
  const auto array = llvm::find_if(function.arrays, [&](const Array &one) { return one.name == access.array; });
  if (array == function.arrays.end() || access.may || array->extents.size() != access.subscripts.size())
    return llvm::Error::success();
  for (size_t k = 0; k < access.subscripts.size(); ++k) {
    const std::optional<Expr> &subscript = access.subscripts[k].value, &extent = array->extents[k];
    if (!subscript) continue;
    const std::optional<Expr> least = extreme(*subscript, loops, false), most = extreme(*subscript, loops, true);
    if (const std::optional<int64_t> number = least ? least->constant() : std::nullopt; number && *number < 0)
      return outside(function, access, std::to_string(*number), std::nullopt);
    const std::optional<int64_t> beyond = most && extent ? (*most - *extent).constant() : std::nullopt;
    if (beyond && *beyond >= 0) return outside(function, access, toString(*most), extent);
  }
  return llvm::Error::success();
}

llvm::Error check(const Function &function, const Block &block, Loops &loops) {
  for (const Node &node : block) {
    if (const auto *access = std::get_if<Access>(&node.kind)) {
      if (llvm::Error error = check(function, *access, loops)) return error;
    } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      const std::optional<int64_t> span = spanOf(*loop).constant();
      if ((span && *span < 0) || loop->mayExitEarly) continue;
      loops.push_back(loop);
      llvm::Error error = check(function, loop->body, loops);
      loops.pop_back();
      if (error) return error;
    }
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error refuseOutOfBounds(const Program &program) {
  for (const Function &function : program.functions) {
    Loops loops;
    if (llvm::Error error = check(function, function.body, loops)) return error;
  }
  return llvm::Error::success();
}

} // namespace busfare::skeleton
