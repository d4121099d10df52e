//===- test/generator/BuildPointers.cpp - Pointers that move in loops -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Builder.h"
#include <algorithm>

namespace busfare::generator {

/// `q = base + offset`, or its declaration.
static Statement point(Statement::Kind kind, int variable, int base, Ex offset) {
  Statement s;
  s.kind = kind;
  s.variable = variable;
  s.pointer.base = base;
  s.pointer.offset = offset;
  return s;
}

/// A pointer walks through one array while a loop runs over another: by a known step, only where data says so, set
/// anew in each iteration, or set for the next one.
void Builder::walkPointer(Statements &out) {
  View *to = target(true);
  if (!to || inHelper || to->extents.size() != 1) return;
  std::vector<const View *> ways;
  for (const View &view : views)
    if (view.defined && view.flat && !view.indexBelow && view.size() >= 4 &&
        program.variables[size_t(view.variable)].extents.size() < 2)
      ways.push_back(&view);
  if (ways.empty()) return;
  const View from = *oneOf(ways);
  Variable variable;
  variable.kind = Variable::Kind::Pointer;
  variable.type = elementType(from);
  variable.name = fresh("way");
  int way = declare(variable);
  View here;
  here.variable = way;
  here.flat = here.defined = true;
  here.extents = {1};
  here.texts = {integer(1)};

  enum How { Steps, Chance, Anew, Next };
  How how = How(weighted({5, 4, 3, 2}));
  int64_t trips = std::min(to->extents[0], from.size() - 1);
  Opened o = openLoop(trips, {}, false);
  Type type = elementType(*to);
  Ex i = scalar(o.index.variable), there = at(here, {integer(0)});
  bool isWritten = how == Steps && chance(0.4);
  Ex value = binary(Operator::Add, valueOf(type, {o.index}, 1),
                    isFloating(elementType(from)) && !isFloating(type) ? integer(1) : there);
  if (type == Type::Int || type == Type::Long) value = binary(Operator::And, value, integer(1023));
  Statements body = {isWritten ? assign(there, valueOf(elementType(from), {o.index}, 1)) : assign(at(*to, {i}), value)};
  Statement on = point(Statement::Kind::PointerAssign, way, way, integer(1));
  if (how == Steps) body.push_back(on);
  else if (how == Chance) body.insert(chance(0.5) ? body.begin() : body.end(), branch(dataCondition({o.index}), {on}));
  else
    body.insert(how == Anew ? body.begin() : body.end(), point(Statement::Kind::PointerAssign, way, from.variable, i));
  out.push_back(point(Statement::Kind::DeclarePointer, way, from.variable, nullptr));
  std::vector<Opened> loops;
  loops.push_back(std::move(o));
  for (Statement &s : close(std::move(loops), std::move(body))) out.push_back(std::move(s));
  if (outer.empty() && chance(0.4)) {
    Statement print;
    print.kind = Statement::Kind::Print;
    print.label = variable.name;
    print.value = there;
    out.push_back(print);
  }
}

} // namespace busfare::generator
