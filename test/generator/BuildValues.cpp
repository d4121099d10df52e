//===- test/generator/BuildValues.cpp - Random subscripts and values -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Subscripts stay inside their dimension because the range of every index is known.
// Values stay small: floating sums are weighted means, integers are masked.
//
//===----------------------------------------------------------------------===//

#include "test/generator/Builder.h"
#include <algorithm>

namespace busfare::generator {

/// index + c
std::optional<Builder::Bounded> Builder::plainSubscript(int64_t extent, const Index &index) {
  int64_t least = std::max<int64_t>(-index.low, -2), most = std::min<int64_t>(extent - 1 - index.high, 2);
  if (least > most || index.low < 0) return std::nullopt;
  int64_t c = least <= 0 && most >= 0 && chance(0.6) ? 0 : between(least, most);
  return Bounded{plus(scalar(index.variable), c), index.low + c, index.high + c};
}

std::optional<Builder::Bounded> Builder::fancySubscript(int64_t extent, const std::vector<Index> &indices) {
  const Index &i = oneOf(indices), &j = oneOf(indices);
  Ex si = scalar(i.variable), sj = scalar(j.variable);
  auto fits = [&](Bounded b) -> std::optional<Bounded> {
    if (b.low < 0 || b.high >= extent) return std::nullopt;
    return b;
  };
  switch (weighted({4, 4, 3, 3, 3, 2, 2, 2, 3, 4, 3})) {
  case 0: // from the other end
    return fits(
        {binary(Operator::Subtract, sizeText(extent - 1, extent), si), extent - 1 - i.high, extent - 1 - i.low});
  case 1: {
    int64_t c = pick(3);
    return fits({plus(times(integer(2), si), c), 2 * i.low + c, 2 * i.high + c});
  }
  case 2: return fits({binary(Operator::Divide, si, integer(2)), i.low / 2, i.high / 2});
  case 3: {
    int64_t m = between(2, std::max<int64_t>(2, extent));
    return fits({binary(Operator::Remainder, si, integer(m)), 0, m - 1});
  }
  case 4: return fits({plus(si, sj), i.low + j.low, i.high + j.high});
  case 5: {
    int64_t c = between(0, extent - 1);
    return fits({plus(binary(Operator::Subtract, si, sj), c), i.low - j.high + c, i.high - j.low + c});
  }
  case 6: return fits({binary(Operator::Multiply, si, si), i.low * i.low, i.high * i.high});
  case 7:
    return fits({binary(Operator::Remainder, binary(Operator::Multiply, si, integer(oneOf<int64_t>({3, 5, 7}))),
                        sizeText(extent, extent)),
                 0, extent - 1});
  case 8: // clamped
    if (chance(0.5) && i.low >= 0 && i.high < extent)
      return Bounded{select(binary(Operator::Greater, si, integer(0)), plus(si, -1), integer(0)), 0, extent - 1};
    if (i.low >= 0 && i.high < extent)
      return Bounded{
          select(binary(Operator::Less, si, sizeText(extent - 1, extent)), plus(si, 1), sizeText(extent - 1, extent)),
          0, extent - 1};
    return std::nullopt;
  case 9: // through an array of indices
    for (const View &view : views)
      if (view.indexBelow > 0 && view.indexBelow <= extent && view.extents.size() == 1)
        if (auto inner = plainSubscript(view.extents[0], i))
          return Bounded{at(view, {inner->text}), 0, view.indexBelow - 1};
    return std::nullopt;
  default: return fits({integer(between(0, extent - 1)), 0, extent - 1});
  }
}

Ex Builder::readSubscript(int64_t extent, const std::vector<Index> &indices, size_t preferred) {
  for (int attempt = 0; attempt < 6 && !indices.empty(); ++attempt) {
    std::optional<Bounded> found;
    if (attempt < 3 && chance(0.84))
      found = plainSubscript(extent, preferred < indices.size() && chance(0.85) ? indices[preferred] : oneOf(indices));
    else found = fancySubscript(extent, indices);
    if (found) return found->text;
  }
  return chance(0.5) ? integer(between(0, extent - 1)) : sizeText(extent - 1, extent);
}

/// A condition on the value's type and size: what may be added up without growing.
Ex Builder::bounded(Type type, Ex value) {
  Type own = typeOf(program, value);
  if (isFloating(type))
    return own == Type::Unsigned ? binary(Operator::And, value, integer(255, Type::Unsigned)) : value;
  if (type == Type::Unsigned) return isFloating(own) ? convert(Type::Int, value) : value;
  if (isFloating(own)) return convert(type, value);
  if (own != type || own == Type::Unsigned)
    return own == Type::Unsigned ? convert(type, binary(Operator::And, value, integer(255, Type::Unsigned)))
           : type == Type::Int   ? convert(Type::Int, value)
                                 : value;
  return value;
}

Ex Builder::readOf(const View &view, const std::vector<Index> &indices, Type wanted) {
  std::vector<Ex> subscripts;
  // The innermost indices go with the last dimensions.
  size_t shift = indices.size() > view.extents.size() ? (chance(0.7) ? 0 : indices.size() - view.extents.size()) : 0;
  for (size_t d = 0; d < view.extents.size(); ++d)
    subscripts.push_back(readSubscript(view.extents[d], indices, d + shift));
  return bounded(wanted, at(view, std::move(subscripts)));
}

Ex Builder::read(const std::vector<Index> &indices, Type wanted) {
  std::vector<View *> candidates = sources();
  if (candidates.empty()) return isFloating(wanted) ? real(0.5, wanted) : integer(between(1, 7));
  if (!scalars.empty() && chance(0.1)) return bounded(wanted, scalar(oneOf(scalars)));
  return readOf(*oneOf(candidates), indices, wanted);
}

Ex Builder::valueOf(Type type, const std::vector<Index> &indices, int reads) {
  Ex sum;
  auto add = [&](Ex part) {
    sum = !sum ? part : chance(0.8) ? binary(Operator::Add, sum, part) : binary(Operator::Subtract, sum, part);
  };
  if (isFloating(type)) {
    double weight = reads <= 1 ? 0.75 : reads == 2 ? 0.5 : 0.25;
    if (reads >= 2 && chance(0.4)) { // weight * (a + b + c)
      for (int r = 0; r < reads; ++r) add(read(indices, type));
      sum = binary(Operator::Multiply, real(weight, type), sum);
    } else {
      for (int r = 0; r < reads; ++r) add(binary(Operator::Multiply, real(weight, type), read(indices, type)));
    }
    if (reads == 0 || chance(0.35)) {
      Ex extra = !indices.empty() && chance(0.6)
                     ? binary(Operator::Multiply, real(0.125, type), scalar(oneOf(indices).variable))
                     : real(double(between(1, 8)), type);
      add(extra);
    }
    if (chance(0.06)) sum = call("fabs", {sum});
    return sum;
  }
  for (int r = 0; r < reads; ++r) {
    Ex part = read(indices, type);
    int64_t factor = between(1, 3);
    add(factor == 1 ? part : binary(Operator::Multiply, integer(factor), part));
  }
  if (reads == 0 || chance(0.4)) {
    if (!indices.empty() && chance(0.7)) add(scalar(oneOf(indices).variable));
    else add(integer(between(1, 9)));
  }
  if (type == Type::Unsigned) return sum;
  return binary(Operator::And, sum, integer(1023));
}

Ex Builder::dataCondition(const std::vector<Index> &indices) {
  std::vector<View *> candidates = sources();
  if (candidates.empty()) return binary(Operator::Greater, integer(1), integer(0));
  const View &view = *oneOf(candidates);
  Type type = elementType(view);
  Ex value = readOf(view, indices, type);
  if (isFloating(type))
    return binary(chance(0.5) ? Operator::Greater : Operator::LessEqual, value, real(double(between(2, 8)), type));
  if (chance(0.5))
    return binary(Operator::Equal,
                  binary(Operator::Remainder, value, integer(2, type == Type::Unsigned ? type : Type::Int)),
                  integer(0));
  return binary(Operator::Greater, value, integer(between(3, 30), type == Type::Unsigned ? type : Type::Int));
}

/// Mostly each dimension by an index of its own, so that iterations write elements of their own.
std::optional<std::vector<Ex>> Builder::writeSubscripts(const View &view, const std::vector<Index> &indices) {
  std::vector<Ex> subscripts;
  std::vector<Index> free = indices;
  if (chance(0.06) && free.size() > 1) std::swap(free[0], free[1]);
  for (size_t d = 0; d < view.extents.size(); ++d) {
    std::optional<Bounded> found;
    for (int attempt = 0; attempt < 5 && !found; ++attempt) {
      if (chance(0.93) && d < free.size()) found = plainSubscript(view.extents[d], free[d]);
      else found = fancySubscript(view.extents[d], indices);
    }
    if (!found) return std::nullopt;
    subscripts.push_back(found->text);
  }
  return subscripts;
}

} // namespace busfare::generator
