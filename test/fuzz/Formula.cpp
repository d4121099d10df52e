//===- test/fuzz/Formula.cpp - Formulas from bytes ------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Formula.h"

using namespace busfare::skeleton;

namespace busfare::fuzz {

Formula Formula::decode(Bytes &bytes, llvm::ArrayRef<const char *> names, unsigned depth, bool large) {
  Formula result;
  unsigned choice = bytes.below(16);
  if (depth == 0 || choice < 7) {
    if (choice % 2 && !names.empty()) {
      result.kind = Kind::Symbol;
      result.name = names[bytes.below(unsigned(names.size()))];
    } else if (large && choice == 6) {
      static constexpr int64_t far[] = {INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_MAX - 1, int64_t(1) << 62,
                                        int64_t(1) << 32, (int64_t(1) << 31) - 1, -(int64_t(1) << 32)};
      result.number = far[bytes.below(8)];
    } else {
      result.number = bytes.between(-4, 9);
    }
    return result;
  }
  static constexpr Kind kinds[] = {Kind::Add,      Kind::Subtract, Kind::Multiply, Kind::Min, Kind::Max,
                                   Kind::FloorDiv, Kind::Mod,      Kind::Add,      Kind::Subtract};
  result.kind = kinds[choice - 7];
  result.parts.push_back(decode(bytes, names, depth - 1, large));
  if (result.kind == Kind::FloorDiv || result.kind == Kind::Mod)
    result.number = large && bytes.oneIn(8) ? INT64_MAX - bytes.below(3) : bytes.between(1, 7);
  else
    result.parts.push_back(decode(bytes, names, depth - 1, large));
  return result;
}

Expr Formula::expr() const {
  switch (kind) {
  case Kind::Constant:
    return number;
  case Kind::Symbol:
    return Expr::symbol(name);
  case Kind::Add:
    return parts[0].expr() + parts[1].expr();
  case Kind::Subtract:
    return parts[0].expr() - parts[1].expr();
  case Kind::Multiply:
    return parts[0].expr() * parts[1].expr();
  case Kind::Min:
    return min(parts[0].expr(), parts[1].expr());
  case Kind::Max:
    return max(parts[0].expr(), parts[1].expr());
  case Kind::FloorDiv:
    return floorDiv(parts[0].expr(), number);
  case Kind::Mod:
    return mod(parts[0].expr(), number);
  }
  return 0;
}

std::optional<__int128> Formula::value(const Values &values) const {
  if (kind == Kind::Constant)
    return number;
  if (kind == Kind::Symbol)
    return values.find(llvm::StringRef(name))->second;
  std::optional<__int128> a = parts[0].value(values), b = parts.size() > 1 ? parts[1].value(values) : __int128(number);
  if (!a || !b)
    return std::nullopt;
  __int128 result = 0, rest = 0;
  switch (kind) {
  case Kind::Add:
    result = *a + *b;
    break;
  case Kind::Subtract:
    result = *a - *b;
    break;
  case Kind::Multiply:
    if (__builtin_mul_overflow(*a, *b, &result))
      return std::nullopt;
    break;
  case Kind::Min:
    result = *a < *b ? *a : *b;
    break;
  case Kind::Max:
    result = *a < *b ? *b : *a;
    break;
  default:
    rest = ((*a % *b) + *b) % *b;
    result = kind == Kind::Mod ? rest : (*a - rest) / *b;
  }
  constexpr __int128 limit = __int128(1) << 120;
  return result < limit && result > -limit ? std::optional(result) : std::nullopt;
}

std::optional<int64_t> smallValue(const Formula &formula, const Values &values) {
  std::optional<__int128> value = formula.value(values);
  return value && *value <= INT64_MAX && *value >= INT64_MIN ? std::optional(int64_t(*value)) : std::nullopt;
}

} // namespace busfare::fuzz
