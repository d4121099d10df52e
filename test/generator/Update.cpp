//===- test/generator/Update.cpp - Statements that a reduction is made of --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Interpret.h"
#include <algorithm>

namespace busfare::generator {

bool isSame(const Ex &a, const Ex &b) {
  if (a->kind != b->kind || a->variable != b->variable || a->number != b->number || a->real != b->real ||
      a->op != b->op || a->name != b->name || a->operands.size() != b->operands.size())
    return false;
  return std::equal(a->operands.begin(), a->operands.end(), b->operands.begin(), isSame);
}

bool mentions(const Ex &e, int variable) {
  return e->variable == variable ||
         std::any_of(e->operands.begin(), e->operands.end(), [&](const Ex &o) { return mentions(o, variable); });
}

namespace {

using K = Expression::Kind;

/// Does it use the target's value? Other elements of the target's array may turn out to be the same one: the
/// interpreter sees to that.
bool uses(const Ex &e, const Ex &target) {
  if (target->kind != K::Element) return mentions(e, target->variable);
  if (isSame(e, target) || (e->variable == target->variable && e->kind != K::Element)) return true;
  return std::any_of(e->operands.begin(), e->operands.end(), [&](const Ex &o) { return uses(o, target); });
}

/// Is it target + other terms (or target * other factors), none of which uses the target?
bool isChain(const Ex &e, const Ex &target, bool product) {
  int found = 0;
  bool clean = true;
  std::vector<std::pair<Ex, bool>> rest = {{e, true}};
  while (!rest.empty()) {
    auto [part, positive] = rest.back();
    rest.pop_back();
    if (isSame(part, target)) {
      clean &= positive;
      ++found;
    } else if (part->kind == K::Binary && product && part->op == Operator::Multiply) {
      rest.push_back({part->operands[0], true});
      rest.push_back({part->operands[1], true});
    } else if (part->kind == K::Binary && !product && (part->op == Operator::Add || part->op == Operator::Subtract)) {
      rest.push_back({part->operands[0], positive});
      rest.push_back({part->operands[1], part->op == Operator::Add ? positive : !positive});
    } else {
      clean &= !uses(part, target);
    }
  }
  return clean && found == 1;
}

/// `e > x ? e : x` and its kin.
char extremeOf(const Ex &condition, const Ex &yes, const Ex &no, const Ex &target, bool isInIf) {
  if (condition->kind != K::Binary || condition->op < Operator::Less || condition->op > Operator::GreaterEqual)
    return 0;
  bool keepsOnNo = isSame(no, target);
  const Ex &other = keepsOnNo ? yes : no;
  if (!keepsOnNo && !isSame(yes, target)) return 0;
  if (isInIf ? mentions(other, target->variable) : uses(other, target)) return 0;
  bool less = condition->op == Operator::Less || condition->op == Operator::LessEqual;
  bool straight = isSame(condition->operands[0], other) && isSame(condition->operands[1], target);
  bool turned = isSame(condition->operands[1], other) && isSame(condition->operands[0], target);
  if (!straight && !turned) return 0;
  // other < target, and other is taken: a minimum.
  bool isMin = (less == straight) == keepsOnNo;
  return isMin ? '<' : '>';
}

} // namespace

Update updateOf(const Statement &s) {
  if (s.kind == Statement::Kind::If) {
    if (s.body.size() != 1 || !s.otherwise.empty() || s.body[0].kind != Statement::Kind::Assign ||
        s.body[0].op != AssignOp::Set)
      return {};
    const Statement &inner = s.body[0];
    char op = extremeOf(s.value, inner.value, inner.target, inner.target, true);
    return op ? Update{op, inner.target->variable} : Update{};
  }
  if (s.kind != Statement::Kind::Assign) return {};
  int x = s.target->variable;
  for (const Ex &subscript : s.target->operands)
    if (mentions(subscript, x)) return {};
  if (s.op != AssignOp::Set)
    return uses(s.value, s.target) ? Update{} : Update{s.op == AssignOp::Multiply ? '*' : '+', x};
  if (isChain(s.value, s.target, false) && !isSame(s.value, s.target)) return {'+', x};
  if (isChain(s.value, s.target, true) && !isSame(s.value, s.target)) return {'*', x};
  if (s.value->kind == K::Binary && s.value->op == Operator::And)
    for (int side : {0, 1})
      if (isSame(s.value->operands[side], s.target) && !uses(s.value->operands[1 - side], s.target)) return {'&', x};
  if (s.value->kind == K::Select)
    if (char op = extremeOf(s.value->operands[0], s.value->operands[1], s.value->operands[2], s.target, false))
      return {op, x};
  if (s.value->kind == K::Call && (s.value->name == "fmin" || s.value->name == "fmax")) {
    bool first = isSame(s.value->operands[0], s.target), second = isSame(s.value->operands[1], s.target);
    if (first != second && !uses(s.value->operands[first ? 1 : 0], s.target))
      return {s.value->name == "fmin" ? '<' : '>', x};
  }
  return {};
}

} // namespace busfare::generator
