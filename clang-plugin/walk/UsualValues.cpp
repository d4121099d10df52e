//===- clang-plugin/walk/UsualValues.cpp - What the code takes a value to be unless told otherwise -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs state the sizes they run with by default, and let arguments or a file change
// them. What a condition that is not known leaves as it was is the usual value:
//
//   n = 30; if (argc > 1) n = atoi(argv[1]);       n is usually 30
//   dims[0] = 256; ... for (i < dims[0])           dims[0] is usually 256, if nothing else is set (UsualElements.h)
//   while (i < argc) if (is(argv[i], "-n")) o->n = atoi(argv[++i]);   o->n is usually what it was
//
// Where both ways give a known value, neither is usual, but for conditions on argc: a
// program is then taken to run without arguments. Nothing is proved with usual values;
// sizes that nothing else binds are taken from them.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// The value, if each of its symbols has a usual one or is none that the walk made up; nothing else.
std::optional<Symbolic> Walker::usualValueOf(const Symbolic &expr) const {
  if (expr.isPoisoned()) return std::nullopt;
  skeleton::Substitution usual;
  for (const std::string &symbol : expr.symbols()) {
    auto facts = st.symbols.find(symbol);
    if (facts == st.symbols.end() || !facts->second.isFresh) continue;
    if (!facts->second.usually) return std::nullopt;
    usual.insert({symbol, *facts->second.usually});
  }
  Symbolic value = expr.substitute(usual);
  return value.isPoisoned() ? std::nullopt : std::optional(value);
}

/// Of an element of a global that the unit sets to one number.
std::optional<Symbolic> Walker::usualElement(const Place &place) {
  auto global = unit.globalNames.find(place.at.object);
  if (global == unit.globalNames.end() || place.partial || place.at.inside) return std::nullopt;
  Pointer at = place.at;
  normalize(at);
  std::vector<int64_t> index;
  for (const std::optional<Symbolic> &one : at.index) {
    std::optional<int64_t> number = one ? one->constant() : std::nullopt;
    if (!number) return std::nullopt;
    index.push_back(*number);
  }
  std::optional<int64_t> number = unit.usualElements.find(global->second, index);
  return number ? std::optional(Symbolic(*number)) : std::nullopt;
}

bool Walker::isLeftAlone(const Symbolic &expr) const {
  std::optional<std::string> symbol = expr.asSymbol();
  auto facts = symbol ? st.symbols.find(*symbol) : st.symbols.end();
  return facts != st.symbols.end() && facts->second.isLeftAlone;
}

/// fresh: what freshSymbol has just made.
Symbolic Walker::usually(const Symbolic &fresh, const std::optional<Symbolic> &value) {
  if (!value) return fresh;
  st.symbols[*fresh.asSymbol()].usually = value;
  // An index says nothing outside its loop, nor does what stands for a value in a trial.
  bool isWhole = llvm::none_of(value->symbols(), [&](const std::string &symbol) { return st.symbols.count(symbol); });
  if (auto *define = out->empty() ? nullptr : std::get_if<skeleton::Define>(&out->back().kind); define && isWhole)
    define->usually = value;
  return fresh;
}

Symbolic Walker::usuallyLeftAlone(const Symbolic &fresh, bool isIt) {
  st.symbols[*fresh.asSymbol()].isLeftAlone = isIt;
  return fresh;
}

/// Of a value that is one or the other.
std::optional<Symbolic> Walker::usualOfBoth(const Symbolic &then, const Symbolic &otherwise,
                                            const Condition *condition) const {
  std::optional<Symbolic> a = usualValueOf(then), b = usualValueOf(otherwise);
  // What a loop computes from data differs from time to time; what it leaves alone does not.
  bool isInLoop = llvm::any_of(st.frames, [](const Frame &frame) { return !frame.isSwitch; });
  if (a && isInLoop && !then.asSymbol()) a = std::nullopt;
  if (b && isInLoop && !otherwise.asSymbol()) b = std::nullopt;
  if (!a || !b || *a == *b) return a ? a : b;
  if (!isMain || !condition || !condition->exact) return std::nullopt;
  skeleton::Values withoutArguments{{"argc", 1}};
  bool holds = false;
  for (const std::vector<Symbolic> &facts : condition->anyOf) {
    bool all = true;
    for (const Symbolic &fact : facts) {
      std::optional<int64_t> value = fact.evaluate(withoutArguments);
      if (!value) return std::nullopt;
      all &= *value >= 0;
    }
    holds |= all;
  }
  return holds ? a : b;
}

/// Integers that one iteration, from these values on, changes only if something unknown says so.
void Walker::noteUsuallyKept(const std::map<std::string, Symbolic> &start, const std::set<std::string> &changed,
                             Steps &steps) const {
  for (const std::string &name : changed) {
    auto end = st.env.integers.find(name);
    if (end == st.env.integers.end()) continue;
    auto before = start.find(name);
    bool isKept = before == start.end()
                      ? isLeftAlone(end->second.expr)
                      : end->second.expr != before->second && usualValueOf(end->second.expr) == before->second;
    if (isKept) steps.usuallyKept.insert(name);
  }
}

/// Of a variable that the loop changes, while it runs and after it.
Symbolic Walker::usuallyAsBefore(const Symbolic &fresh, const std::string &name, const Value *before,
                                 const Steps &steps) {
  if (!steps.usuallyKept.count(name)) return fresh;
  return before ? usually(fresh, usualValueOf(before->expr)) : usuallyLeftAlone(fresh, true);
}

/// Of a field or global that the function may change: what callers find, as far as no one value is known.
void Walker::summarizeUsualExit(const std::string &name, const std::pair<int, std::string> &key) {
  std::optional<Symbolic> usual;
  bool any = false, leavesAlone = false, same = true;
  for (const Environment &env : returns) {
    auto end = env.integers.find(name);
    if (end == env.integers.end() || isLeftAlone(end->second.expr)) {
      leavesAlone = true;
      continue;
    }
    std::optional<Symbolic> value = usualValueOf(end->second.expr);
    same &= value && (!any || value == usual);
    usual = value;
    any = true;
  }
  if (same && any != leavesAlone) summary.usualExits[key] = usual;
}

/// Of the actual of such a one after a call.
std::optional<Symbolic>
Walker::usualAfterCall(const Summary &known, const std::pair<int, std::string> &key, const std::string &variable,
                       llvm::function_ref<std::optional<Symbolic>(const Symbolic &)> instantiate) const {
  auto usual = known.usualExits.find(key);
  if (usual == known.usualExits.end()) return std::nullopt;
  if (usual->second) {
    std::optional<Symbolic> value = instantiate(*usual->second);
    return value ? usualValueOf(*value) : std::nullopt;
  }
  auto before = st.env.integers.find(variable);
  return before == st.env.integers.end() ? std::nullopt : usualValueOf(before->second.expr);
}

} // namespace busfare::frontend
