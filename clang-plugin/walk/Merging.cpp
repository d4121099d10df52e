//===- clang-plugin/walk/Merging.cpp - Two environments become one -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Behind a branch a variable has the value of one side or the other. That is one formula if
//
//   i > 0 ? i - 1 : 0             the sides bound each other: max(i - 1, 0)
//   x == 0 ? c : c - 1            the odd one out is at an end of x's range, and meets its neighbour:
//                                 c - 1 with max(x, 1) for x
//
// and else a symbol between the two; a pointer may lead to both.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {

/// The symbols and the values that an exact condition `x == value` or `x != value` names, each in terms of the others:
/// x and n - 1, n and x + 1. `x > 0` is such, too, if x is not below 0.
static std::vector<std::pair<std::string, Symbolic>> equalities(const Ranges &ranges, const Condition &condition,
                                                                bool &isEqual) {
  if (!condition.exact) return {};
  Symbolic zero; // x - value, or its negative
  if (condition.anyOf.size() == 1 && condition.anyOf[0].size() == 1) {
    zero = condition.anyOf[0][0];
    isEqual = ranges.isNonNegative(-zero);
    if (!isEqual) zero = -zero - 1;
    if (!ranges.isNonNegative(-zero)) return {};
  } else if (condition.anyOf.size() == 1 && condition.anyOf[0].size() == 2 &&
             condition.anyOf[0][0] == -condition.anyOf[0][1]) {
    isEqual = true;
    zero = condition.anyOf[0][0];
  } else if (condition.anyOf.size() == 2 && condition.anyOf[0].size() == 1 && condition.anyOf[1].size() == 1 &&
             condition.anyOf[0][0] + 1 == -(condition.anyOf[1][0] + 1)) {
    isEqual = false;
    zero = condition.anyOf[0][0] + 1;
  } else return {};
  std::vector<std::pair<std::string, Symbolic>> named;
  for (const std::string &name : zero.symbols()) {
    std::optional<Symbolic> by = zero.coefficientOf(name);
    std::optional<int64_t> sign = by ? by->constant() : std::nullopt;
    if (!sign || std::abs(*sign) != 1) continue;
    Symbolic value = Symbolic::symbol(name) - (*sign > 0 ? zero : -zero);
    if (!value.isPoisoned()) named.emplace_back(name, value);
  }
  return named;
}

/// Where x is at one end of its range the value is another than elsewhere, but that which the neighbour has: as if x
/// stopped one before its end.
static std::optional<Symbolic> atEdgeOf(const Ranges &ranges, const std::string &name, const Symbolic &end,
                                        const Symbolic &there, const Symbolic &elsewhere) {
  Symbolic x = Symbolic::symbol(name);
  bool isFirst = ranges.isNonNegative(x - end), isLast = ranges.isNonNegative(end - x);
  if (isFirst == isLast) return std::nullopt;
  Symbolic neighbour = isFirst ? end + 1 : end - 1;
  if (there.substitute({{name, end}}) != elsewhere.substitute({{name, neighbour}})) return std::nullopt;
  std::optional<Symbolic> factor = elsewhere.coefficientOf(name);
  if (!factor) return std::nullopt;
  // factor*x + rest, of which the part that x moves is taken together: max(x - 1, 0).
  Symbolic by = isFirst ? neighbour - end : Symbolic(-1);
  Symbolic kept = isFirst ? max(x - by, end) : min(x - by, end);
  Symbolic result = elsewhere - *factor * x + *factor * (kept + by);
  return result.isPoisoned() ? std::nullopt : std::optional(result);
}

static std::optional<Symbolic> atEdge(const Ranges &ranges, const Condition *condition, const Symbolic &then,
                                      const Symbolic &otherwise) {
  bool isEqual = true;
  if (!condition) return std::nullopt;
  for (const auto &[name, end] : equalities(ranges, *condition, isEqual))
    if (auto value = atEdgeOf(ranges, name, end, isEqual ? then : otherwise, isEqual ? otherwise : then)) return value;
  return std::nullopt;
}

/// Where a condition is one of odd or even, one formula says which: `t % 2 ? n : 0` is n * (t mod 2).
static std::optional<Symbolic> byParity(const Ranges &ranges, const Condition *condition, const Symbolic &then,
                                        const Symbolic &otherwise) {
  if (!condition || !condition->exact || condition->anyOf.size() != 1) return std::nullopt;
  for (const Symbolic &fact : condition->anyOf.front()) {
    const Symbolic holds = fact + 1; // 0 or 1
    const bool isParity = llvm::any_of(holds.sum(), [](const skeleton::Term &term) {
      return term.factors.size() == 1 && term.factors.front().kind == skeleton::Atom::Kind::Mod &&
             term.factors.front().divisor == 2;
    });
    const bool isWhole = llvm::all_of(
        condition->anyOf.front(), [&](const Symbolic &other) { return other == fact || ranges.isNonNegative(other); });
    if (!isParity || !isWhole || !ranges.isNonNegative(holds) || !ranges.isNonNegative(-fact)) continue;
    Symbolic value = otherwise + (then - otherwise) * holds;
    if (!value.isPoisoned()) return value;
  }
  return std::nullopt;
}

/// What two sides of a branch leave in one variable.
static std::optional<Symbolic> minOrMax(Ranges &ranges, const Condition *condition, const Symbolic &then,
                                        const Symbolic &otherwise) {
  if (!condition || !condition->exact || condition->anyOf.size() > 2) return std::nullopt;
  auto holdsIn = [&](const std::vector<std::vector<Symbolic>> &cases, const Symbolic &claim) {
    for (const std::vector<Symbolic> &facts : cases) {
      const size_t mark = ranges.mark();
      for (const Symbolic &fact : facts) ranges.assume(fact);
      const bool holds = ranges.isNonNegative(claim);
      ranges.forget(mark);
      if (!holds) return false;
    }
    return true;
  };
  std::vector<std::vector<Symbolic>> negation;
  if (condition->anyOf.size() == 1 && condition->anyOf[0].size() == 1) negation = {{-condition->anyOf[0][0] - 1}};
  else if (condition->anyOf.size() == 1 && condition->anyOf[0].size() == 2) {
    // An equality, or a range: outside of it on either side.
    for (const Symbolic &fact : condition->anyOf[0]) {
      Symbolic outside = -fact - 1;
      if (!ranges.isNonNegative(fact)) negation.push_back({outside});
    }
  } else if (condition->anyOf.size() == 2 && condition->anyOf[0].size() == 1 && condition->anyOf[1].size() == 1)
    negation = {{-condition->anyOf[0][0] - 1, -condition->anyOf[1][0] - 1}};
  else return std::nullopt;
  Symbolic up = then - otherwise, down = otherwise - then;
  if (holdsIn(condition->anyOf, up) && holdsIn(negation, down)) return max(then, otherwise);
  if (holdsIn(condition->anyOf, down) && holdsIn(negation, up)) return min(then, otherwise);
  return std::nullopt;
}

/// Of two pointers into one object.
std::optional<Pointer> Walker::inOneObject(const Condition *condition, const Pointer &then,
                                           const Pointer &otherwise) const {
  if (then.object != otherwise.object || then.object.empty() || then.index.size() != otherwise.index.size())
    return std::nullopt;
  Pointer both = then;
  both.inside |= otherwise.inside;
  both.flat |= otherwise.flat;
  if (both.path != otherwise.path) both.path.clear();
  for (size_t d = 0; d < both.index.size(); ++d) {
    const std::optional<Symbolic> &a = then.index[d], &b = otherwise.index[d];
    if (a != b) both.index[d] = a && b ? byParity(st.ranges, condition, *a, *b) : std::nullopt;
  }
  return both;
}

/// Memory that has another size on either side is as large as a variable that holds the one on the one side and the
/// other on the other, if all places that allocate it lie on these ways.
void Walker::mergeSizes(const Environment &then, const Environment &otherwise, Environment &merged,
                        llvm::function_ref<std::optional<Value>(const Environment &, const std::string &)> lookUp) {
  // What of the merged values is the size on either way; on one without an allocation it is 0 (or not set, and nobody
  // may ask).
  auto mergedEquals = [&](const MemorySize *a, const MemorySize *b) {
    std::vector<Symbolic> equals;
    auto isOn = [](const MemorySize *side, const std::optional<Value> &value) {
      return side ? value && llvm::is_contained(side->equals, value->expr) : !value || value->expr == Symbolic(0);
    };
    if (a && b)
      for (const Symbolic &one : a->equals)
        if (llvm::is_contained(b->equals, one)) equals.push_back(one);
    for (const auto &[name, value] : merged.integers)
      if (isOn(a, lookUp(then, name)) && isOn(b, lookUp(otherwise, name)) && !llvm::is_contained(equals, value.expr))
        equals.push_back(value.expr);
    return equals;
  };
  // Memory of callers' is what it was where none was allocated: a variable that holds its size on either side has held
  // it on entry.
  auto ifOnEntry = [&](const MemorySize *a, const MemorySize *b) {
    std::vector<skeleton::Remade> all;
    auto isOn = [](const MemorySize *side, const skeleton::Remade &one) {
      return side ? llvm::is_contained(side->equals, one.then) || llvm::is_contained(side->ifOnEntry, one)
                  : one.then == one.entry;
    };
    for (const auto &[name, value] : merged.integers) {
      auto entry = st.entryIntegers.find(name);
      const std::optional<Value> x = lookUp(then, name), y = lookUp(otherwise, name);
      if (entry == st.entryIntegers.end() || !x || !y) continue;
      const Symbolic &before = entry->second.expr;
      if (isOn(a, {x->expr, before}) && isOn(b, {y->expr, before})) all.push_back({value.expr, before});
    }
    return all;
  };
  merged.sizes = then.sizes;
  merged.sizes.insert(otherwise.sizes.begin(), otherwise.sizes.end());
  for (auto &[memory, made] : merged.sizes) {
    auto a = then.sizes.find(memory), b = otherwise.sizes.find(memory);
    const bool isOnA = a != then.sizes.end(), isOnB = b != otherwise.sizes.end();
    if (isOnA && isOnB && a->second == b->second) continue;
    const MemorySize *onA = isOnA ? &a->second : nullptr, *onB = isOnB ? &b->second : nullptr;
    const bool isCallers = hasMemoryOnEntry(memory);
    made.ifOnEntry = isCallers && !isInLoop() ? ifOnEntry(onA, onB) : std::vector<skeleton::Remade>();
    // A way without an allocation has what was there before: callers' memory of that name, or an earlier iteration's.
    if (isInLoop() || (!(isOnA && isOnB) && isCallers)) made.equals.clear();
    else made.equals = mergedEquals(onA, onB);
    if (!isOnA || !isOnB) continue;
    made.allocations.insert(b->second.allocations.begin(), b->second.allocations.end());
    llvm::erase_if(made.when, [&](const Symbolic &fact) { return !llvm::is_contained(b->second.when, fact); });
  }
}

/// What two maps hold under each of their names, in order; null where one holds nothing.
template <typename Map, typename Function> static void forEachName(const Map &a, const Map &b, Function take) {
  auto here = a.begin(), there = b.begin();
  while (here != a.end() || there != b.end()) {
    const int order = here == a.end() ? 1 : there == b.end() ? -1 : here->first.compare(there->first);
    const auto *one = order <= 0 ? &*here++ : nullptr;
    const auto *other = order >= 0 ? &*there++ : nullptr;
    take(one ? one->first : other->first, one ? &one->second : nullptr, other ? &other->second : nullptr);
  }
}

void Walker::merge(const Environment &then, const Environment &otherwise, Location location,
                   const Condition *condition) {
  llvm::SaveAndRestore at(stored, std::optional(Stored()));
  Environment merged;
  merged.opaque = then.opaque || otherwise.opaque;
  merged.forgetsStatics = then.forgetsStatics || otherwise.forgetsStatics;
  merged.forgetsPointers = then.forgetsPointers || otherwise.forgetsPointers;
  merged.tables = mergeTables(then.tables, otherwise.tables, false);
  merged.elements = mergeElements(then, otherwise);
  merged.inFlight = then.inFlight;
  merged.inFlight.insert(otherwise.inFlight.begin(), otherwise.inFlight.end());
  merged.leftByLoop = then.leftByLoop;
  merged.leftByLoop.insert(otherwise.leftByLoop.begin(), otherwise.leftByLoop.end());
  bool dataDependent = !condition || !condition->exact;
  auto lookUp = [&](const Environment &env, const std::string &name) -> std::optional<Value> {
    auto found = env.integers.find(name);
    if (found != env.integers.end()) return found->second;
    auto entry = st.entryIntegers.find(name);
    if (entry != st.entryIntegers.end() && !isForgotten(env, name)) return entry->second;
    return std::nullopt;
  };
  auto mergeInteger = [&](const std::string &name, const Value *here, const Value *there) {
    if (here && there && here->expr == there->expr) {
      merged.integers.emplace_hint(merged.integers.end(), name, Value{here->expr, here->mayWrap || there->mayWrap});
      return;
    }
    std::optional<Value> a = here ? *here : lookUp(then, name), b = there ? *there : lookUp(otherwise, name);
    if (!a || !b) {
      if (!st.fieldOrigins.count(name)) return; // not initialised on one side, or out of scope
      if (isResultField(name) && (a || b)) { // nobody may ask for it where it is not set
        merged.integers[name] = a ? *a : *b;
        return;
      }
      const Symbolic &set = a ? a->expr : b->expr;
      bool isUnset = (a || b) && !usualValueOf(set);
      merged.integers[name] = Value{usuallyLeftAlone(freshSymbol(name, name, location, true), isUnset)};
      return;
    }
    if (a->expr == b->expr) {
      merged.integers[name] = Value{a->expr, a->mayWrap || b->mayWrap};
      return;
    }
    std::optional<Symbolic> known = minOrMax(st.ranges, condition, a->expr, b->expr);
    if (!known) known = atEdge(st.ranges, condition, a->expr, b->expr);
    if (!known) known = byParity(st.ranges, condition, a->expr, b->expr);
    if (known) {
      merged.integers[name] = Value{*known, a->mayWrap || b->mayWrap};
      return;
    }
    // A flag is one value behind it, whatever decided it.
    auto isFlag = [&](const Symbolic &value) {
      return st.ranges.isNonNegative(value) && st.ranges.isNonNegative(Symbolic(1) - value);
    };
    const bool areFlags = !isInLoop() && isFlag(a->expr) && isFlag(b->expr);
    bool memory = (dataDependent && !areFlags) || dependsOnMemory(a->expr) || dependsOnMemory(b->expr);
    std::optional<Symbolic> usual = usualOfBoth(a->expr, b->expr, condition);
    bool isLeft = isLeftAlone(a->expr) || isLeftAlone(b->expr);
    const Symbolic least = areFlags ? Symbolic(0) : min(a->expr, b->expr),
                   most = areFlags ? Symbolic(1) : max(a->expr, b->expr);
    Symbolic either = freshSymbol(name, name + " depends on a condition", location, memory, true, least, most);
    merged.integers[name] = Value{usuallyLeftAlone(usually(either, usual), isLeft && !usual)};
  };
  forEachName(then.integers, otherwise.integers, mergeInteger);
  mergeSizes(then, otherwise, merged, lookUp);
  auto mergePointer = [&](const std::string &name, const Pointer *here, const Pointer *there) {
    if (here && there && (*here == *there || there->null)) {
      merged.pointers.emplace_hint(merged.pointers.end(), name, *here);
      return;
    }
    auto find = [&](const Environment &env) -> std::optional<Pointer> {
      auto found = env.pointers.find(name);
      if (found != env.pointers.end()) return found->second;
      auto entry = st.entryPointers.find(name);
      if (entry == st.entryPointers.end() || isPointerForgotten(env, name)) return std::nullopt;
      if (isForgotten(env, name) && !mayBeSteady(name)) return std::nullopt;
      if (isForgotten(env, name)) assumeSteady(entry->second);
      return entry->second;
    };
    // A field or global that only one side has met: what it leads to on entry.
    auto onEntry = [&](const Environment &env) -> std::optional<Pointer> {
      auto origin = st.fieldOrigins.find(name);
      bool isThere = origin != st.fieldOrigins.end() && origin->second.type->isPointerType() &&
                     !st.entryPointers.count(name) && !isChangedAround(name) && !isForgotten(env, name) &&
                     !isResultField(name);
      if (!isThere) return std::nullopt;
      st.env = env;
      stored = Stored(); // of this side
      return readPointer(name, origin->second.type, location);
    };
    std::optional<Pointer> a = find(then), b = find(otherwise);
    if (a && !b) b = onEntry(otherwise);
    else if (b && !a) a = onEntry(then);
    if (!a || !b) {
      if (a || b) {
        // Not set on one side: what it may be used as is the other, but fields of callers stay unknown.
        const Pointer &known = a ? *a : *b;
        const bool isKept = llvm::any_of(st.names, [&, &own = name](const auto &named) { // from one call to the next
          const auto *variable = llvm::dyn_cast<clang::VarDecl>(named.first);
          return named.second == own && variable && variable->isStaticLocal();
        });
        if ((!st.fieldOrigins.count(name) || isResultField(name)) && !isKept) {
          merged.pointers[name] = known;
          return;
        }
        std::vector<std::string> targets;
        clang::QualType element = isKept ? clang::QualType() : pointeeOf(st.fieldOrigins.at(name).type);
        if (!known.object.empty()) {
          element = object(known.object).element;
          targets.push_back(known.object);
        }
        merged.pointers[name] = unknownPointer(name, element, location, targets, true);
      }
      return;
    }
    if (*a == *b || b->null) {
      merged.pointers[name] = *a;
      return;
    }
    if (a->null) {
      merged.pointers[name] = *b;
      return;
    }
    if (std::optional<Pointer> known = chosenInTurn(condition, *a, *b)) {
      merged.pointers[name] = *known;
      return;
    }
    noteChoice(condition, *a, *b);
    if (std::optional<Pointer> both = inOneObject(condition, *a, *b)) {
      merged.pointers[name] = *both;
      return;
    }
    std::vector<std::string> targets;
    clang::QualType element;
    for (const std::string &target : {a->object, b->object})
      if (!target.empty()) {
        element = object(target).element;
        targets.push_back(target);
      }
    merged.pointers[name] = unknownPointer(name, element, location, targets, targets.size() < 2);
  };
  forEachName(then.pointers, otherwise.pointers, mergePointer);
  st.env = std::move(merged);
}

Environment Walker::mergeAll(std::vector<Environment> environments, Location location) {
  if (environments.empty()) return st.env;
  st.env = environments.front();
  for (size_t k = 1; k < environments.size(); ++k) merge(Environment(st.env), environments[k], location, nullptr);
  return st.env;
}

} // namespace busfare::frontend
