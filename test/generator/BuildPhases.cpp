//===- test/generator/BuildPhases.cpp - Random pieces of work --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Builder.h"
#include <algorithm>

namespace busfare::generator {

View *Builder::target(bool wantDefined) {
  std::vector<View *> candidates;
  for (View &view : views)
    if (!view.indexBelow && !view.readOnly && (view.defined || !wantDefined)) candidates.push_back(&view);
  return candidates.empty() ? nullptr : oneOf(candidates);
}

std::vector<View *> Builder::sources() {
  std::vector<View *> found;
  for (View &view : views)
    if (view.defined) found.push_back(&view);
  return found;
}

void Builder::phase(Statements &out, int depth) {
  switch (weighted({46, 8, 6, 5, 11, 5, depth == 0 ? 16 : 0, depth < 2 && !inHelper ? 10 : 0, 5, 3, depth < 2 ? 5 : 0,
                    3, 3, 2, 4, 4, depth == 0 ? 6 : 0})) {
  case 0: return kernel(out);
  case 1: return reduction(out);
  case 2: return rowReduction(out);
  case 3: return scatter(out);
  case 4: return hostPoint(out);
  case 5: return recurrence(out);
  case 6: return timeLoop(out, depth);
  case 7: return callHelper(out);
  case 8: return privateArray(out);
  case 9: return moveMemory(out);
  case 10: return conditional(out, depth);
  case 11: return lastValue(out);
  case 12: return carriedIndex(out);
  case 13: return earlyExit(out);
  case 14: return walkPointer(out);
  case 15: return printElement(out);
  default: return flagged(out, depth);
  }
}

void Builder::kernel(Statements &out) {
  View *view = target(false);
  if (!view) return;
  bool whole = !view->defined;
  std::vector<Opened> loops;
  std::vector<Index> indices;
  for (int64_t extent : view->extents) {
    loops.push_back(openLoop(extent, indices, whole));
    indices.push_back(loops.back().index);
  }
  Statements body = kernelBody(*view, indices, whole);
  if (body.empty()) return;
  // The dimensions need not be walked in order; a triangle's must.
  bool independent = std::all_of(loops.begin(), loops.end(), [](const Opened &o) {
    return o.loop.kind == Statement::Kind::For && o.loop.value->kind != Expression::Kind::Scalar;
  });
  if (whole && independent && loops.size() > 1 && chance(0.15)) std::swap(loops.front(), loops.back());
  for (Statement &s : close(std::move(loops), std::move(body))) out.push_back(std::move(s));
  if (whole) view->defined = true;
}

/// One to three statements in the middle of a nest, the last of them writing the view.
Statements Builder::kernelBody(View &view, std::vector<Index> indices, bool whole) {
  Statements body;
  Type type = elementType(view);
  std::vector<Index> all = indices;
  if (!outer.empty() && chance(0.15)) all.push_back(outer.back());
  std::vector<Ex> own;
  for (const Index &i : indices) own.push_back(scalar(i.variable));
  std::optional<std::vector<Ex>> subscripts = whole ? own : writeSubscripts(view, indices);
  if (!subscripts) return {};
  Ex to = at(view, *subscripts);
  int reads = int(between(whole ? 0 : 1, 3));
  // A reduction inside: sum over one more loop.
  if (indices.size() < 4 && chance(0.1)) {
    int sum = newScalar(fresh("s"), type);
    std::vector<View *> from = sources();
    if (!from.empty()) {
      const View &source = *oneOf(from);
      Opened inner = openLoop(oneOf(source.extents), indices, false);
      std::vector<Index> inside = indices;
      inside.push_back(inner.index);
      body.push_back(declareStatement(sum, isFloating(type) ? real(0, type) : integer(0)));
      Ex term = readOf(source, inside, type);
      if (isFloating(type)) term = binary(Operator::Multiply, real(0.125, type), term);
      else if (type != Type::Unsigned) term = binary(Operator::And, term, integer(255));
      std::vector<Opened> loops;
      loops.push_back(std::move(inner));
      for (Statement &s : close(std::move(loops), {assign(scalar(sum), term, AssignOp::Add)}))
        body.push_back(std::move(s));
      body.push_back(assign(to, type == Type::Int || type == Type::Long
                                    ? binary(Operator::And, scalar(sum), integer(1023))
                                    : Ex(scalar(sum))));
      return body;
    }
  }
  if (chance(0.08)) body.push_back(check(all));
  Ex value = valueOf(type, all, reads);
  if (chance(0.2)) { // through a scalar of its own
    int t = newScalar(fresh("t"), type);
    body.push_back(declareStatement(t, value));
    value =
        isFloating(type) ? plus(binary(Operator::Multiply, scalar(t), real(0.5, type)), real(1, type)) : Ex(scalar(t));
    if (isFloating(type) && chance(0.3)) value = binary(Operator::Multiply, scalar(t), real(0.75, type));
  }
  AssignOp op = whole || chance(0.8) ? AssignOp::Set : chance(0.7) ? AssignOp::Add : AssignOp::Subtract;
  if (op == AssignOp::Set && !whole && isFloating(type) && chance(0.04)) {
    op = AssignOp::Multiply;
    value = real(0.5, type);
  }
  Statement write = assign(to, value, op);
  if (!whole && chance(0.22)) {
    Statements inside = {write}, otherwise;
    Ex condition;
    if (chance(0.5)) {
      condition = dataCondition(all);
    } else {
      const Index &i = oneOf(indices);
      int64_t c = between(i.low, i.high);
      static const std::vector<Operator> ops = {Operator::Less, Operator::Greater, Operator::NotEqual, Operator::Equal,
                                                Operator::GreaterEqual};
      condition = binary(oneOf(ops), scalar(i.variable), integer(c));
      if (chance(0.3))
        condition = binary(
            chance(0.6) ? Operator::LogicalAnd : Operator::LogicalOr, condition,
            binary(Operator::Less, scalar(oneOf(indices).variable), sizeText(view.extents[0] - 1, view.extents[0])));
    }
    if (chance(0.3)) otherwise.push_back(assign(to, valueOf(type, all, 1)));
    if (chance(0.15)) {
      Statement skip;
      skip.kind = Statement::Kind::Continue;
      body.push_back(branch(condition, {skip}));
      body.push_back(write);
    } else {
      body.push_back(branch(condition, inside, otherwise));
    }
  } else {
    body.push_back(write);
  }
  // A second array, of the same shape.
  if (chance(0.18))
    if (View *second = target(true); second && second->extents.size() <= indices.size())
      if (auto more = writeSubscripts(*second, indices))
        body.push_back(assign(at(*second, *more), valueOf(elementType(*second), all, int(between(1, 2)))));
  return body;
}

void Builder::reduction(Statements &out) {
  std::vector<View *> from = sources();
  if (from.empty()) return;
  const View &view = *oneOf(from);
  Type type = elementType(view);
  size_t how = weighted({5, 2, 2, 2, 2}); // + - * min max
  if (how == 2 && !isFloating(type)) type = Type::Unsigned;
  if (how >= 3 && type == Type::Unsigned) how = 0;
  int s = newScalar(fresh("r"), type);
  std::vector<Opened> loops;
  std::vector<Index> indices;
  for (int64_t extent : view.extents) {
    loops.push_back(openLoop(extent, indices, false));
    indices.push_back(loops.back().index);
  }
  Ex value = readOf(view, indices, type), r = scalar(s);
  if (!isFloating(type) && type != Type::Unsigned) value = binary(Operator::And, value, integer(1023));
  Statements body;
  if (how <= 1) {
    if (how == 1) body.push_back(assign(r, value, AssignOp::Subtract));
    else if (chance(0.6)) body.push_back(assign(r, value, AssignOp::Add));
    else body.push_back(assign(r, binary(Operator::Add, r, value)));
  } else if (how == 2) {
    Ex factor = isFloating(type)
                    ? plus(real(1, type), binary(Operator::Multiply, real(0.0009765625, type), value))
                    : binary(Operator::Add, binary(Operator::Multiply, integer(2), value), integer(1, Type::Unsigned));
    body.push_back(assign(r, factor, AssignOp::Multiply));
  } else {
    Operator compare = how == 3 ? Operator::Less : Operator::Greater;
    size_t spelling = weighted({5, 4, isFloating(type) ? 3 : 0});
    if (spelling == 0) body.push_back(branch(binary(compare, value, r), {assign(r, value)}));
    else if (spelling == 1) body.push_back(assign(r, select(binary(compare, value, r), value, r)));
    else body.push_back(assign(r, call(how == 3 ? "fmin" : "fmax", {r, value})));
  }
  // Two operators are no reduction.
  if (how <= 1 && chance(0.1))
    body.push_back(isFloating(type)         ? assign(r, real(0.5, type), AssignOp::Multiply)
                   : type == Type::Unsigned ? assign(r, integer(3, type), AssignOp::Multiply)
                                            : assign(r, binary(Operator::And, r, integer(255))));
  if (chance(0.15)) body = {branch(dataCondition(indices), body)};
  if (chance(0.08)) body.insert(chance(0.5) ? body.begin() : body.end(), check(indices));
  out.push_back(declareStatement(s, isFloating(type) ? real(how == 2 ? 1 : double(between(0, 40)), type)
                                                     : integer(how == 2 ? 1 : between(0, 40))));
  for (Statement &statement : close(std::move(loops), std::move(body))) out.push_back(std::move(statement));
  if (chance(0.7)) { // somebody uses it: the host, or a later kernel
    Statement print;
    print.kind = Statement::Kind::Print;
    print.label = program.variables[size_t(s)].name;
    print.value = r;
    out.push_back(print);
  }
  if (View *to = target(true); to && chance(0.5)) {
    std::vector<Ex> subscripts;
    for (int64_t extent : to->extents) subscripts.push_back(integer(pick(extent)));
    Type wanted = elementType(*to);
    Ex v = bounded(wanted, r);
    if (wanted == Type::Int || wanted == Type::Long) v = binary(Operator::And, v, integer(1023));
    out.push_back(assign(at(*to, subscripts), v));
  }
}

/// y[i] = sum of A[i][j] * x[j]
void Builder::rowReduction(Statements &out) {
  View *to = target(true);
  std::vector<View *> from = sources();
  if (!to || from.empty()) return;
  Type type = elementType(*to);
  const View &source = *oneOf(from);
  std::vector<Opened> loops;
  std::vector<Index> indices;
  loops.push_back(openLoop(to->extents[0], {}, false));
  indices.push_back(loops[0].index);
  std::vector<Ex> subscripts = {scalar(indices[0].variable)};
  for (size_t d = 1; d < to->extents.size(); ++d) subscripts.push_back(integer(pick(to->extents[d])));
  Opened inner = openLoop(oneOf(source.extents), indices, false);
  std::vector<Index> inside = {indices[0], inner.index};
  Ex term = readOf(source, inside, type);
  term = isFloating(type)         ? Ex(binary(Operator::Multiply, real(0.125, type), term))
         : type == Type::Unsigned ? term
                                  : Ex(binary(Operator::And, term, integer(63)));
  Ex y = at(*to, subscripts);
  Statements body;
  if (chance(0.5)) body.push_back(assign(y, isFloating(type) ? real(0, type) : integer(0)));
  std::vector<Opened> one;
  one.push_back(std::move(inner));
  for (Statement &s : close(std::move(one), {assign(y, term, AssignOp::Add)})) body.push_back(std::move(s));
  if (type == Type::Int || type == Type::Long) body.push_back(assign(y, binary(Operator::And, y, integer(1023))));
  for (Statement &s : close(std::move(loops), std::move(body))) out.push_back(std::move(s));
}

void Builder::scatter(Statements &out) {
  View *to = target(true);
  if (!to) return;
  Type type = elementType(*to);
  Opened o = openLoop(oneOf(shape), {}, false);
  std::vector<Index> indices = {o.index};
  std::vector<Ex> subscripts;
  for (int64_t extent : to->extents) {
    std::optional<Bounded> found;
    for (int attempt = 0; attempt < 6 && !found; ++attempt) found = fancySubscript(extent, indices);
    if (!found) return;
    subscripts.push_back(found->text);
  }
  bool adds = chance(0.5);
  Ex value = valueOf(type, indices, 1);
  if (adds && type != Type::Unsigned && !isFloating(type)) value = integer(between(1, 3));
  std::vector<Opened> loops;
  loops.push_back(std::move(o));
  for (Statement &s :
       close(std::move(loops), {assign(at(*to, subscripts), value, adds ? AssignOp::Add : AssignOp::Set)}))
    out.push_back(std::move(s));
}

/// One element, by the host.
void Builder::hostPoint(Statements &out) {
  View *to = target(true);
  if (!to) return;
  std::vector<Ex> subscripts;
  for (int64_t extent : to->extents)
    subscripts.push_back(outer.empty() || outer.back().high >= extent || chance(0.7) ? integer(pick(extent))
                                                                                     : scalar(outer.back().variable));
  Type type = elementType(*to);
  Ex value = valueOf(type, outer, int(between(0, 1)));
  Statement write = assign(at(*to, subscripts), value);
  if (chance(0.2)) write = branch(dataCondition(outer), {write});
  out.push_back(write);
}

/// Each element from the one before: serial, so the host's.
void Builder::recurrence(Statements &out) {
  View *to = target(true);
  if (!to || to->extents[0] < 3) return;
  Type type = elementType(*to);
  Opened o = openLoop(to->extents[0] - 1, {}, false, to->extents[0]);
  if (o.index.low < 0) return;
  std::vector<Ex> here = {plus(scalar(o.index.variable), 1)}, before = {scalar(o.index.variable)};
  for (size_t d = 1; d < to->extents.size(); ++d) {
    Ex c = integer(pick(to->extents[d]));
    here.push_back(c);
    before.push_back(c);
  }
  Ex old = at(*to, before), more = valueOf(type, {o.index}, 1);
  Ex value = isFloating(type)         ? binary(Operator::Add, binary(Operator::Multiply, real(0.5, type), old), more)
             : type == Type::Unsigned ? binary(Operator::Add, old, more)
                                      : binary(Operator::And, binary(Operator::Add, old, more), integer(1023));
  std::vector<Opened> loops;
  loops.push_back(std::move(o));
  for (Statement &s : close(std::move(loops), {assign(at(*to, here), value)})) out.push_back(std::move(s));
}

void Builder::swap(Statements &out) {
  for (View &a : views)
    for (View &b : views) {
      const Variable &va = program.variables[size_t(a.variable)], &vb = program.variables[size_t(b.variable)];
      if (&a >= &b || va.kind != vb.kind || va.kind != Variable::Kind::Pointer || va.type != vb.type ||
          a.extents != b.extents || va.extents != vb.extents || !a.defined || !b.defined || a.indexBelow ||
          b.indexBelow || chance(0.3))
        continue;
      Variable tmp;
      tmp.kind = Variable::Kind::Pointer;
      tmp.name = fresh("tmp");
      tmp.type = va.type;
      tmp.extents = va.extents;
      tmp.extentTexts = va.extentTexts;
      int t = declare(tmp);
      auto move = [](Statement::Kind kind, int to, int from) {
        Statement s;
        s.kind = kind;
        s.variable = to;
        s.pointer.base = from;
        return s;
      };
      out.push_back(move(Statement::Kind::DeclarePointer, t, a.variable));
      out.push_back(move(Statement::Kind::PointerAssign, a.variable, b.variable));
      out.push_back(move(Statement::Kind::PointerAssign, b.variable, t));
      return;
    }
}

/// Two pointers that lead to one array each, and in odd iterations to the other's. What is there by other names is
/// mostly left alone.
void Builder::takeTurns(Statements &out, int step) {
  for (const View &a : std::vector<View>(views))
    for (const View &b : std::vector<View>(views)) {
      const Variable &va = program.variables[size_t(a.variable)], &vb = program.variables[size_t(b.variable)];
      if (a.variable >= b.variable || va.type != vb.type || !va.isPointer() || !vb.isPointer() ||
          a.extents != b.extents || va.extents != vb.extents || a.flat != b.flat || !a.defined || !b.defined ||
          a.indexBelow || b.indexBelow || a.readOnly || b.readOnly || chance(0.3))
        continue;
      auto declareTo = [&](const char *stem, const View &view) {
        Variable turn;
        turn.kind = Variable::Kind::Pointer;
        turn.name = fresh(stem);
        turn.type = va.type;
        turn.extents = va.extents;
        turn.extentTexts = va.extentTexts;
        Statement s;
        s.kind = Statement::Kind::DeclarePointer;
        s.variable = declare(turn);
        s.pointer.base = view.variable;
        out.push_back(s);
        return s.variable;
      };
      auto set = [](int to, int from) {
        Statement s;
        s.kind = Statement::Kind::PointerAssign;
        s.variable = to;
        s.pointer.base = from;
        return s;
      };
      const View one = a, other = b;
      const int from = declareTo("from", one), to = declareTo("to", other);
      Ex odd = binary(Operator::Remainder, scalar(step), integer(2));
      out.push_back(branch(chance(0.5) ? odd : binary(Operator::Equal, odd, integer(0)),
                           {set(from, other.variable), set(to, one.variable)}));
      if (chance(0.7))
        std::erase_if(
            views, [&](const View &view) { return view.variable == one.variable || view.variable == other.variable; });
      View here = one, there = other;
      here.variable = from;
      there.variable = to;
      views.push_back(here);
      views.push_back(there);
      return;
    }
}

void Builder::timeLoop(Statements &out, int depth) {
  int64_t trips = between(1, 4);
  Variable v;
  v.name = fresh("step");
  Statement loop;
  loop.kind = Statement::Kind::For;
  loop.variable = declare(v);
  loop.value = integer(0);
  Ex bound = integer(trips);
  if (!inHelper && chance(0.3)) {
    Variable steps;
    steps.kind = Variable::Kind::GlobalScalar;
    steps.name = program.name + "_" + fresh("steps");
    steps.initial = trips;
    bound = scalar(declare(steps));
  }
  loop.condition = binary(Operator::Less, scalar(loop.variable), bound);
  outer.push_back({loop.variable, 0, trips - 1});
  bool jumps = chance(0.25);
  std::optional<std::pair<std::vector<View>, std::vector<int>>> atJump; // What is defined there.
  const std::vector<View> before = views;
  const bool inTurns = chance(0.25);
  if (inTurns) takeTurns(loop.body, loop.variable);
  for (int64_t phases = between(1, 3); phases > 0; --phases) {
    if (jumps && !atJump && !loop.body.empty()) {
      jump(loop.body);
      atJump.emplace(views, scalars);
    }
    phase(loop.body, depth + 1);
  }
  if (!inTurns && chance(0.45)) swap(loop.body);
  outer.pop_back();
  if (atJump) scalars = atJump->second;
  if (inTurns) { // without the pointers, which are the iteration's own, and with what only they were used for
    const std::vector<View> after = atJump ? atJump->first : views;
    views = before;
    for (View &view : views)
      for (const View &left : after)
        if (left.variable == view.variable) view.defined = left.defined;
  } else if (atJump) {
    for (size_t v = 0; v < atJump->first.size(); ++v) views[v].defined = atJump->first[v].defined;
    views.resize(atJump->first.size());
  }
  if (!loop.body.empty()) out.push_back(std::move(loop));
}

/// `if (a[i] > 100000.0) exit(3);`: what real programs do about values that cannot be.
Statement Builder::check(const std::vector<Index> &indices) {
  Statement leave;
  leave.kind = Statement::Kind::Exit;
  leave.length = chance(0.9) ? 3 : 4;
  std::vector<View *> candidates = sources();
  if (candidates.empty())
    return branch(binary(Operator::Greater, scalar(oneOf(indices).variable), integer(100000)), {leave});
  const View &view = *oneOf(candidates);
  Type type = elementType(view);
  Ex limit = isFloating(type) ? real(1e6, type) : integer(1000000, type == Type::Unsigned ? type : Type::Int);
  return branch(binary(Operator::Greater, readOf(view, indices, type), limit), {leave});
}

/// Leaves the loop around it, or ends its iteration; mostly inside of something else, so that what follows is jumped
/// past.
void Builder::jump(Statements &out) {
  auto when = [&] {
    return chance(0.5) ? dataCondition(outer)
                       : binary(Operator::Equal, scalar(outer.back().variable), integer(pick(outer.back().high + 1)));
  };
  Statement leave;
  leave.kind = chance(0.5) ? Statement::Kind::Break : Statement::Kind::Continue;
  Statement leaving = branch(when(), {leave});
  if (chance(0.3)) {
    out.push_back(leaving);
    return;
  }
  Statements body;
  if (chance(0.5)) hostPoint(body);
  body.push_back(leaving);
  if (chance(0.5)) hostPoint(body);
  out.push_back(branch(when(), body));
}

/// On one side of a branch. What only that defines is not defined behind.
std::pair<Statements, Statements> Builder::sides(int depth, bool hasOther) {
  std::vector<View> before = views;
  std::vector<int> scalarsBefore = scalars;
  std::pair<Statements, Statements> made;
  phase(made.first, depth + 1);
  if (hasOther) phase(made.second, depth + 1);
  for (size_t v = 0; v < before.size(); ++v) views[v].defined = before[v].defined;
  views.resize(before.size());
  scalars = scalarsBefore;
  return made;
}

void Builder::conditional(Statements &out, int depth) {
  auto [yes, no] = sides(depth, chance(0.5));
  if (yes.empty()) return;
  Ex condition = chance(0.5) || outer.empty()
                     ? dataCondition(outer)
                     : binary(Operator::Equal, binary(Operator::Remainder, scalar(outer.back().variable), integer(2)),
                              integer(pick(2)));
  out.push_back(branch(condition, yes, no));
}

/// A flag that data sets, and pieces of work that all ask for it.
void Builder::flagged(Statements &out, int depth) {
  const int flag = newScalar(fresh("ok"), Type::Int);
  const int64_t start = pick(2);
  out.push_back(declareStatement(flag, integer(start)));
  for (int64_t times = between(0, 2); times > 0; --times)
    out.push_back(branch(dataCondition(outer), {assign(scalar(flag), integer(chance(0.8) ? 1 - start : start))}));
  const bool asksForSet = chance(0.6);
  for (int64_t pieces = between(2, 4); pieces > 0; --pieces) {
    if (chance(0.2)) {
      phase(out, depth + 1);
      continue;
    }
    auto [yes, no] = sides(depth, chance(0.15));
    const bool isSet = chance(0.85) == asksForSet;
    Ex condition = isSet && chance(0.5)
                       ? Ex(scalar(flag))
                       : Ex(binary(isSet ? Operator::NotEqual : Operator::Equal, scalar(flag), integer(0)));
    if (!yes.empty()) out.push_back(branch(condition, yes, no));
  }
}

/// A small array that each iteration fills and uses.
void Builder::privateArray(Statements &out) {
  View *to = target(true);
  if (!to) return;
  Type type = elementType(*to);
  int64_t length = between(2, 6);
  Variable v;
  v.kind = Variable::Kind::Array;
  v.type = type;
  v.name = fresh("local");
  v.extents = {length};
  v.extentTexts = {integer(length)};
  View local;
  local.variable = declare(v);
  local.extents = {length};
  local.texts = {integer(length)};
  bool outside = chance(0.5);
  if (outside) out.push_back(declareStatement(local.variable));
  Opened o = openLoop(to->extents[0], {}, false);
  std::vector<Index> indices = {o.index};
  Statements body;
  if (!outside) body.push_back(declareStatement(local.variable));
  // Filled whole, mostly; else only the part that is used.
  Opened fill = openLoop(length, indices, true);
  Statements filling = {assign(at(local, {scalar(fill.index.variable)}), valueOf(type, {indices[0], fill.index}, 1))};
  std::vector<Opened> one;
  one.push_back(std::move(fill));
  for (Statement &s : close(std::move(one), std::move(filling))) body.push_back(std::move(s));
  std::vector<Ex> subscripts = {scalar(o.index.variable)};
  std::vector<Opened> rest;
  for (size_t d = 1; d < to->extents.size(); ++d) {
    rest.push_back(openLoop(to->extents[d], indices, false));
    indices.push_back(rest.back().index);
    subscripts.push_back(scalar(indices.back().variable));
  }
  Ex value = isFloating(type) ? binary(Operator::Multiply, real(0.5, type), readOf(local, indices, type))
                              : readOf(local, indices, type);
  Ex more = readOf(local, indices, type);
  value =
      binary(Operator::Add, value, isFloating(type) ? Ex(binary(Operator::Multiply, real(0.25, type), more)) : more);
  if (type == Type::Int || type == Type::Long) value = binary(Operator::And, value, integer(1023));
  for (Statement &s : close(std::move(rest), {assign(at(*to, subscripts), value)})) body.push_back(std::move(s));
  std::vector<Opened> loops;
  loops.push_back(std::move(o));
  for (Statement &s : close(std::move(loops), std::move(body))) out.push_back(std::move(s));
}

void Builder::moveMemory(Statements &out) {
  View *to = target(false);
  if (!to || !program.variables[size_t(to->variable)].extents.empty()) return;
  Statement s;
  s.variable = to->variable;
  s.length = to->size();
  s.kind = Statement::Kind::Clear;
  for (const View &from : views)
    if (&from != to && from.defined && from.size() == to->size() && elementType(from) == elementType(*to) &&
        from.variable != to->variable && program.variables[size_t(from.variable)].extents.empty() && chance(0.7)) {
      s.kind = Statement::Kind::Copy;
      s.pointer.base = from.variable;
    }
  out.push_back(s);
  to->defined = true;
}

/// A scalar that keeps what the last iteration gave it.
void Builder::lastValue(Statements &out) {
  View *to = target(true);
  if (!to || inHelper) return;
  Type type = elementType(*to);
  int last = newScalar(fresh("last"), type);
  out.push_back(declareStatement(last, isFloating(type) ? real(0, type) : integer(0)));
  Opened o = openLoop(to->extents[0], {}, false);
  std::vector<Ex> subscripts = {scalar(o.index.variable)};
  for (size_t d = 1; d < to->extents.size(); ++d) subscripts.push_back(integer(pick(to->extents[d])));
  Statements body = {assign(scalar(last), valueOf(type, {o.index}, 1))};
  if (chance(0.2)) body = {branch(dataCondition({o.index}), body)};
  body.push_back(assign(at(*to, subscripts), scalar(last)));
  std::vector<Opened> loops;
  loops.push_back(std::move(o));
  for (Statement &s : close(std::move(loops), std::move(body))) out.push_back(std::move(s));
  if (outer.empty() && chance(0.6)) {
    Statement print;
    print.kind = Statement::Kind::Print;
    print.label = program.variables[size_t(last)].name;
    print.value = scalar(last);
    out.push_back(print);
  }
}

/// A subscript that is counted beside the index.
void Builder::carriedIndex(Statements &out) {
  View *to = target(true);
  if (!to || to->extents.size() != 1 || to->extents[0] < 6) return;
  Type type = elementType(*to);
  int64_t step = between(1, 2), start = pick(2);
  int64_t trips = (to->extents[0] - start - 1) / step + 1;
  Opened o = openLoop(trips, {}, true);
  int k = newScalar(fresh("at"), Type::Int);
  out.push_back(declareStatement(k, integer(start)));
  Statements body = {assign(at(*to, {scalar(k)}), valueOf(type, {o.index}, 1)),
                     assign(scalar(k), integer(step), AssignOp::Add)};
  std::vector<Opened> loops;
  loops.push_back(std::move(o));
  for (Statement &s : close(std::move(loops), std::move(body))) out.push_back(std::move(s));
}

void Builder::earlyExit(Statements &out) {
  View *to = target(true);
  if (!to) return;
  Opened o = openLoop(to->extents[0], {}, false);
  if (o.loop.kind != Statement::Kind::For) return;
  std::vector<Ex> subscripts = {scalar(o.index.variable)};
  for (size_t d = 1; d < to->extents.size(); ++d) subscripts.push_back(integer(pick(to->extents[d])));
  Statement stop;
  stop.kind = Statement::Kind::Break;
  Statements body = {branch(dataCondition({o.index}), {stop}),
                     assign(at(*to, subscripts), valueOf(elementType(*to), {o.index}, 1))};
  if (chance(0.4)) std::swap(body[0], body[1]);
  std::vector<Opened> loops;
  loops.push_back(std::move(o));
  for (Statement &s : close(std::move(loops), std::move(body))) out.push_back(std::move(s));
}

void Builder::printElement(Statements &out) {
  std::vector<View *> from = sources();
  if (from.empty()) return;
  const View &view = *oneOf(from);
  std::vector<Ex> subscripts;
  for (int64_t extent : view.extents) subscripts.push_back(integer(pick(extent)));
  Statement print;
  print.kind = Statement::Kind::Print;
  print.label = fresh("now");
  print.value = at(view, subscripts);
  out.push_back(print);
}

} // namespace busfare::generator
