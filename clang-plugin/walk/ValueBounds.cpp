//===- clang-plugin/walk/ValueBounds.cpp - Bounds of a value whose symbols are not known -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A value that data decides may still have bounds: what is left of each symbol that may
// not be mentioned are its own.
//
//   if (flux > 0) donor = j - 1; else donor = j;     j - 1 <= donor <= j
//   a[donor + n*k]                                   from j - 1 + n*k to j + n*k, n >= 0
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/values/AnySymbol.h"

namespace busfare::frontend {

namespace {

using skeleton::Atom;
using skeleton::Term;

class BoundSearch {
public:
  BoundSearch(const JournaledMap<std::string, SymbolFacts> &symbols, const Ranges &ranges,
              llvm::function_ref<bool(const std::string &)> isInner)
      : symbols(symbols), ranges(ranges), isInner(isInner) {}

  /// The largest (or smallest) that the expression may be.
  std::optional<Symbolic> of(const Symbolic &expr, bool largest, unsigned depth = 8) const {
    if (expr.isPoisoned() || depth == 0) return std::nullopt;
    if (!mentionsInner(expr)) return expr;
    Symbolic total;
    for (const Term &term : expr.sum()) {
      std::optional<Symbolic> one = ofTerm(term, largest, depth);
      if (!one) return std::nullopt;
      total = total + *one;
    }
    if (total.isPoisoned()) return std::nullopt;
    return total;
  }

private:
  bool mentionsInner(const Symbolic &expr) const {
    return anySymbol(expr, [&](const std::string &name) { return isInner(name); });
  }
  bool mentionsInner(const Atom &atom) const {
    if (atom.kind == Atom::Kind::Symbol) return isInner(atom.name);
    return llvm::any_of(atom.args, [&](const Symbolic &arg) { return mentionsInner(arg); });
  }

  std::optional<Symbolic> ofTerm(const Term &term, bool largest, unsigned depth) const {
    Symbolic factor(1);
    const Atom *inner = nullptr;
    for (const Atom &atom : term.factors) {
      if (!mentionsInner(atom)) factor = factor * whole(atom);
      else if (inner) return std::nullopt; // a product of two unknowns
      else inner = &atom;
    }
    if (!inner) return Symbolic(term.coefficient) * factor;
    bool rises = term.coefficient > 0;
    if (!ranges.isNonNegative(factor)) {
      if (!ranges.isNonNegative(-factor)) return std::nullopt;
      rises = !rises;
    }
    std::optional<Symbolic> bound = ofAtom(*inner, largest == rises, depth);
    if (!bound) return std::nullopt;
    return Symbolic(term.coefficient) * factor * *bound;
  }

  std::optional<Symbolic> ofAtom(const Atom &atom, bool largest, unsigned depth) const {
    if (atom.kind == Atom::Kind::Symbol) {
      auto facts = symbols.find(atom.name);
      if (facts == symbols.end()) return std::nullopt;
      const std::optional<Symbolic> &bound = largest ? facts->second.atMost : facts->second.atLeast;
      return bound ? of(*bound, largest, depth - 1) : std::nullopt;
    }
    if (atom.kind == Atom::Kind::Mod) return Symbolic(largest ? atom.divisor - 1 : 0);
    std::optional<Symbolic> result;
    bool isMin = atom.kind == Atom::Kind::Min;
    for (const Symbolic &arg : atom.args) {
      std::optional<Symbolic> one = of(arg, largest, depth - 1);
      if (!one) {
        // One of them bounds a minimum from above, and a maximum from below.
        if (atom.kind != Atom::Kind::FloorDiv && largest == isMin) continue;
        return std::nullopt;
      }
      if (!result) result = one;
      else if (ranges.isNonNegative(*one - *result)) result = isMin ? result : one;
      else if (ranges.isNonNegative(*result - *one)) result = isMin ? one : result;
      else result = isMin ? min(*result, *one) : max(*result, *one);
    }
    if (result && atom.kind == Atom::Kind::FloorDiv) return floorDiv(*result, atom.divisor);
    return result;
  }

  static Symbolic whole(const Atom &atom) {
    switch (atom.kind) {
    case Atom::Kind::Symbol: return Symbolic::symbol(atom.name);
    case Atom::Kind::FloorDiv: return floorDiv(atom.args[0], atom.divisor);
    case Atom::Kind::Mod: return mod(atom.args[0], atom.divisor);
    default: break;
    }
    Symbolic result = atom.args[0];
    for (const Symbolic &arg : atom.args) result = atom.kind == Atom::Kind::Min ? min(result, arg) : max(result, arg);
    return result;
  }

  const JournaledMap<std::string, SymbolFacts> &symbols;
  const Ranges &ranges;
  llvm::function_ref<bool(const std::string &)> isInner;
};

} // namespace

std::pair<std::optional<Symbolic>, std::optional<Symbolic>>
Walker::boundsWithout(const Symbolic &expr, llvm::function_ref<bool(const std::string &)> isInner) const {
  BoundSearch bounds(st.symbols, st.ranges, isInner);
  return {bounds.of(expr, false), bounds.of(expr, true)};
}

/// Made afresh in each iteration, but only from values that a condition chose among known ones.
bool Walker::isBoundedHere(const Symbolic &expr) const {
  if (expr.isPoisoned()) return false;
  std::string reason;
  bool memory;
  return llvm::all_of(expr.symbols(), [&](const std::string &name) {
    if (isKnownHere(Symbolic::symbol(name), reason, memory)) return true;
    const SymbolFacts &facts = st.symbols.at(name);
    return facts.nonAffine && facts.atLeast && facts.atMost;
  });
}

} // namespace busfare::frontend
