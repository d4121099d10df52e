//===- clang-plugin/walk/Turns.cpp - What every other iteration does -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Two arrays that are read and written in turns without a pointer being swapped:
//
//   for (t = 0; t < steps; t++) {
//     double *from = t % 2 ? v : u, *to = t % 2 ? u : v;     from: u, to: v
//     ...
//   }                                       rotate u <- v, v <- u  at its end, and
//                                           behind it, if steps is odd
//
// In such a loop the names change places, and u and v themselves, which stay where they
// are, are either (an Alias each, of which is known what it was before the loop). An integer
// that goes back and forth (`now = 1 - now`) has a closed form: so much of it as t is odd.
//
//===----------------------------------------------------------------------===//
#include "OpenLoop.h"
#include "skeleton/Rotation.h"

namespace busfare::frontend {

/// With these values; nothing if they do not decide it.
static std::optional<bool> holds(const Condition &when, const skeleton::Substitution &values) {
  if (!when.exact) return std::nullopt;
  bool isOpen = false;
  for (const std::vector<Symbolic> &facts : when.anyOf) {
    bool mayHold = true, isSure = true;
    for (const Symbolic &fact : facts) {
      std::optional<int64_t> value = fact.substitute(values).constant();
      mayHold &= !value || *value >= 0;
      isSure &= value.has_value();
    }
    if (mayHold && isSure) return true;
    isOpen |= mayHold;
  }
  return isOpen ? std::nullopt : std::optional(false);
}

/// An even number of an iteration, or an odd one: which of all does not matter.
Symbolic Walker::numberInTurn(bool isOdd) { return Symbolic(2) * Symbolic::symbol("?turn") + Symbolic(isOdd); }

/// On trial: whoever makes the loop asks whether the condition goes with the iteration's number.
void Walker::noteChoice(const Condition *when, const Pointer &a, const Pointer &b) {
  constexpr size_t most = 16;
  if (trialDepth == 0 || !when || !when->exact || a.object.empty() || b.object.empty() || a.object == b.object) return;
  for (Frame &frame : st.frames)
    if (frame.choices.size() < most) frame.choices.push_back({*when, a.object, b.object});
}

/// The pairs of objects of which one is chosen in even iterations and the other in odd ones. Pointers that only lead to
/// them can be told apart; an array with a declaration keeps its name.
std::vector<std::pair<std::string, std::string>>
Walker::alternating(llvm::ArrayRef<Choice> choices, llvm::function_ref<skeleton::Substitution(bool isOdd)> values,
                    const State &before) {
  std::set<std::pair<std::string, std::string>> pairs;
  std::map<std::string, unsigned> partners;
  auto isKnown = [&](const std::string &name) { return before.isDeclared(name) && isOnlyPointedTo(name); };
  for (const Choice &choice : choices) {
    std::optional<bool> even = holds(choice.when, values(false)), odd = holds(choice.when, values(true));
    if (!even || !odd || *even == *odd || !isKnown(choice.then) || !isKnown(choice.otherwise)) continue;
    const Array &one = object(choice.then).array, &other = object(choice.otherwise).array;
    if (one.type != other.type || one.extents.size() != other.extents.size()) continue;
    pairs.insert(std::minmax(choice.then, choice.otherwise));
  }
  for (const auto &[one, other] : pairs) ++partners[one], ++partners[other];
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto &pair : pairs)
    if (partners[pair.first] == 1 && partners[pair.second] == 1) result.push_back(pair);
  return result;
}

/// c, if an iteration makes c - x of x. isFlag: it is 0 or 1, of which `!x` and `(x + 1) % 2` make the other.
void Walker::noteToggle(const std::string &name, const Symbolic &start, const Symbolic &end,
                        llvm::function_ref<bool(const Symbolic &)> isOfBefore, bool isFlag, Steps &steps) const {
  if (isOfBefore(end + start)) {
    steps.toggles[name] = end + start;
    return;
  }
  const std::optional<std::string> symbol = start.asSymbol();
  if (!isFlag || !symbol) return;
  auto of = [&](int64_t value) { return end.substitute({{*symbol, Symbolic(value)}}).constant(); };
  if (of(0) == 1 && of(1) == 0) steps.toggles[name] = Symbolic(1);
}

/// Variables that the loop sets to what `!x`, `x ^ 1` or `(x + 1) % 2` makes of them, and that are 0 or 1 before it.
std::set<std::string> Walker::flagsOf(const LoopParts &parts, const std::set<std::string> &changed) {
  std::set<std::string> found;
  std::function<bool(const clang::Stmt *, const clang::VarDecl *)> mentions = [&](const clang::Stmt *at,
                                                                                  const clang::VarDecl *variable) {
    if (!at) return false;
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(at))
      return ref->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl();
    return llvm::any_of(partsOf(at), [&](const clang::Stmt *part) { return mentions(part, variable); });
  };
  std::function<void(const clang::Stmt *)> look = [&](const clang::Stmt *at) {
    if (!at) return;
    const auto *op = llvm::dyn_cast<clang::BinaryOperator>(at);
    const clang::VarDecl *variable = op && op->isAssignmentOp() ? variableOf(op->getLHS()) : nullptr;
    if (variable && st.names.count(llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl()))) {
      const clang::Expr *value = op->getRHS()->IgnoreParenImpCasts();
      const auto *inner = llvm::dyn_cast<clang::BinaryOperator>(value);
      const auto *negation = llvm::dyn_cast<clang::UnaryOperator>(value);
      const bool isRemainder = inner && (inner->getOpcode() == clang::BO_Rem || inner->getOpcode() == clang::BO_And ||
                                         inner->getOpcode() == clang::BO_Xor);
      const bool isFlip =
          op->getOpcode() == clang::BO_XorAssign ||
          ((isRemainder || (negation && negation->getOpcode() == clang::UO_LNot)) && mentions(value, variable));
      const std::string name = nameOf(variable);
      auto before = st.env.integers.find(name);
      const std::optional<int64_t> start =
          before == st.env.integers.end() ? std::nullopt : before->second.expr.constant();
      if (isFlip && changed.count(name) && start && (*start == 0 || *start == 1)) found.insert(name);
    }
    for (const clang::Stmt *part : partsOf(at)) look(part);
  };
  look(parts.body);
  look(parts.inc);
  return found;
}

/// An integer that goes from x to c - x and back, after so many turns.
Symbolic Walker::toggled(const Symbolic &first, const Symbolic &sum, const Symbolic &turns) {
  return first + (sum - first - first) * mod(turns, 2);
}

/// What the innermost loop that chooses between the two in turns has in the iteration at hand.
std::optional<Pointer> Walker::chosenInTurn(const Condition *when, const Pointer &a, const Pointer &b) {
  auto one = st.originals.find(a.object), other = st.originals.find(b.object);
  if (!when || one == st.originals.end() || other == st.originals.end() || one->second.first != other->second.first)
    return std::nullopt;
  auto isFirst = [](const Pointer &pointer) {
    return llvm::all_of(pointer.index, [](const auto &index) { return index && index->isZero(); });
  };
  auto frame = llvm::find_if(st.frames, [&, id = one->second.first](const Frame &around) { return around.id == id; });
  if (frame == st.frames.end() || frame->symbol.empty() || !frame->lower || !isFirst(a) || !isFirst(b))
    return std::nullopt;
  std::optional<bool> ways[2];
  for (bool isOdd : {false, true}) ways[isOdd] = holds(*when, {{frame->symbol, *frame->lower + numberInTurn(isOdd)}});
  const Pointer &then = one->second.second, &otherwise = other->second.second;
  const bool isPair = llvm::is_contained(
      frame->alternation, std::pair<std::string, std::string>(std::minmax(then.object, otherwise.object)));
  if (!ways[0] || !ways[1] || *ways[0] == *ways[1] || !isPair) return std::nullopt;
  return *ways[0] ? then : otherwise; // by the names that the objects have in even iterations
}

/// Behind a loop that has exchanged names in each of its turns they stand for what they stood for before it. What the
/// loop itself has set may be either.
void Walker::restoreTurns(const OpenLoop &open, const Symbolic &trips) {
  const Symbolic isOdd = mod(trips, 2);
  std::set<std::string> objects;
  for (const auto &[one, other] : open.steps.alternation) {
    objects.insert({one, other});
    if (!isOdd.isZero())
      emit(skeleton::exchangedIf(isOdd, skeleton::Rotate{{{one, other}, {other, one}}, open.location}));
  }
  for (const std::string &name : open.changed) {
    auto known = st.env.pointers.find(name);
    if (known == st.env.pointers.end() || !objects.count(known->second.object)) continue;
    std::vector<std::string> either;
    for (const auto &[one, other] : open.steps.alternation)
      if (known->second.object == one || known->second.object == other) either = {one, other};
    known->second = unknownPointer(name, object(known->second.object).element, open.location, either);
  }
}

} // namespace busfare::frontend
