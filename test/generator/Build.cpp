//===- test/generator/Build.cpp - Random programs: the frame ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Build.h"
#include "test/generator/Builder.h"
#include "test/generator/Interpret.h"
#include "test/generator/Print.h"
#include <algorithm>

namespace busfare::generator {

Statement assign(Ex target, Ex value, AssignOp op) {
  Statement s;
  s.kind = Statement::Kind::Assign;
  s.target = std::move(target);
  s.value = std::move(value);
  s.op = op;
  return s;
}

Statement declareStatement(int variable, Ex value) {
  Statement s;
  s.kind = Statement::Kind::Declare;
  s.variable = variable;
  s.value = std::move(value);
  return s;
}

Statement branch(Ex condition, Statements body, Statements otherwise) {
  Statement s;
  s.kind = Statement::Kind::If;
  s.value = std::move(condition);
  s.body = std::move(body);
  s.otherwise = std::move(otherwise);
  return s;
}

int64_t View::size() const {
  int64_t all = 1;
  for (int64_t e : extents) all *= e;
  return all;
}

size_t Builder::weighted(const std::vector<int> &weights) {
  int64_t all = 0;
  for (int w : weights) all += w;
  int64_t ticket = pick(all);
  for (size_t i = 0; i < weights.size(); ++i) {
    ticket -= weights[i];
    if (ticket < 0) return i;
  }
  return 0;
}

int Builder::declare(Variable variable) {
  program.variables.push_back(std::move(variable));
  return int(program.variables.size()) - 1;
}

int Builder::newScalar(const std::string &name, Type type) {
  Variable v;
  v.kind = Variable::Kind::Scalar;
  v.name = name;
  v.type = type;
  return declare(v);
}

std::string Builder::fresh(const std::string &stem) { return stem + std::to_string(++names); }

/// How the source spells a number that has to do with the extent `about`: by that extent's size, or plainly. A loose
/// program also spells it by any size that happens to be near.
Ex Builder::sizeText(int64_t value, int64_t about) {
  bool anyNear = isLoose && chance(0.4);
  for (const Size &size : sizes)
    if (std::abs(value - size.value) <= 2 && (anyNear || (size.value == about && (size.isOpen || chance(0.85)))))
      return plus(size.text, value - size.value);
  return integer(value);
}

Ex Builder::at(const View &view, std::vector<Ex> subscripts) {
  if (!view.flat) return element(view.variable, std::move(subscripts));
  Ex index = subscripts[0];
  for (size_t d = 1; d < subscripts.size(); ++d) index = plus(times(index, view.texts[d]), subscripts[d]);
  return element(view.variable, {index});
}

void Builder::chooseSizes(Statements &out) {
  size_t rank = 1 + weighted({42, 42, 13, 3});
  static const int64_t low[] = {6, 4, 3, 3}, high[] = {22, 9, 5, 4};
  for (size_t d = 0; d < rank; ++d) {
    int64_t extent = between(low[rank - 1], high[rank - 1]);
    // Different dimensions have different extents, so that it is clear which one a size means.
    for (int attempt = 0; attempt < 8 && std::count(shape.begin(), shape.end(), extent); ++attempt)
      extent = between(low[rank - 1], high[rank - 1]);
    shape.push_back(d > 0 && chance(0.4) ? shape[0] : extent);
  }
  static const char *const letters[] = {"n", "m", "nz", "nw"};
  for (size_t d = 0; d < rank; ++d) {
    if (std::count(shape.begin(), shape.begin() + ptrdiff_t(d), shape[d])) continue;
    size_t how = weighted({35, 35, 30});
    Variable v;
    v.name = letters[d];
    v.initial = shape[d];
    if (how == 0) continue; // plain numbers
    if (how == 1) {
      v.kind = Variable::Kind::GlobalScalar;
      v.name = program.name + "_" + v.name;
      sizes.push_back({scalar(declare(v)), shape[d], true});
    } else {
      v.isConst = true;
      int n = declare(v);
      out.push_back(declareStatement(n, integer(shape[d])));
      sizes.push_back({scalar(n), shape[d], false});
    }
  }
}

void Builder::makeArray(Statements &out, std::vector<int64_t> extents, Type type, bool initialised) {
  static const char *const letters[] = {"a", "b", "c", "d", "u", "v", "w", "x", "y", "z"};
  Variable v;
  v.name = letters[views.size() % 10];
  if (views.size() >= 10) v.name = fresh(v.name);
  v.type = type;
  View view;
  view.extents = extents;
  size_t how = weighted({22, 22, 40, 16}); // automatic, global, malloc, pointer to a global
  if (how == 0 || how == 1) {
    v.kind = how == 0 ? Variable::Kind::Array : Variable::Kind::GlobalArray;
    if (how == 1) v.name = program.name + "_" + v.name;
    view.flat = extents.size() > 1 && chance(0.35);
    v.extents = view.flat ? std::vector<int64_t>{view.size()} : extents;
    for (int64_t e : v.extents) v.extentTexts.push_back(integer(e));
    view.defined = false;
    view.variable = declare(v);
    if (how == 0) out.push_back(declareStatement(view.variable));
  } else {
    view.flat = true;
    Statement s;
    s.kind = Statement::Kind::DeclarePointer;
    if (how == 3) {
      Variable under = v;
      under.kind = Variable::Kind::GlobalArray;
      under.name = program.name + "_" + v.name + "0";
      under.extents = {view.size()};
      under.extentTexts = {integer(view.size())};
      s.pointer.base = declare(under);
    }
    v.kind = Variable::Kind::Pointer;
    if (chance(0.25)) v.name = "own." + v.name;
    // Rows are spelled in the type: double (*u)[8].
    if (how == 2 && extents.size() > 1 && chance(0.15)) {
      view.flat = false;
      for (size_t d = 1; d < extents.size(); ++d) {
        v.extents.push_back(extents[d]);
        v.extentTexts.push_back(integer(extents[d]));
      }
    }
    s.variable = view.variable = declare(v);
    s.pointer.length = view.size();
  }
  for (int64_t e : extents) view.texts.push_back(sizeText(e, e));
  if (how >= 2) {
    Statement s;
    s.kind = Statement::Kind::DeclarePointer;
    s.variable = view.variable;
    if (how == 3) s.pointer.base = int(program.variables.size()) - 2;
    s.pointer.length = view.size();
    s.pointer.lengthText = view.texts[0];
    for (size_t d = 1; d < view.texts.size(); ++d) s.pointer.lengthText = times(s.pointer.lengthText, view.texts[d]);
    out.push_back(s);
  }
  if (initialised) initialise(out, view);
  views.push_back(view);
  // The array under the pointer, by its own name too.
  if (how == 3 && initialised && chance(0.12)) {
    view.variable -= 1;
    views.push_back(view);
  }
}

/// The elements get values: by a serial generator, or by a formula.
void Builder::initialise(Statements &out, View &view) {
  std::vector<Opened> loops;
  std::vector<Index> indices;
  std::vector<Ex> subscripts;
  for (int64_t extent : view.extents) {
    loops.push_back(openLoop(extent, indices, true));
    indices.push_back(loops.back().index);
    subscripts.push_back(scalar(indices.back().variable));
  }
  Type type = elementType(view);
  Statements body;
  int seed = -1;
  if (view.indexBelow > 0) {
    Ex sum = plus(times(subscripts[0], integer(oneOf<int64_t>({1, 2, 3, 5}))), pick(4));
    body.push_back(
        assign(at(view, subscripts), binary(Operator::Remainder, sum, sizeText(view.indexBelow, view.indexBelow))));
  } else if (chance(0.7)) {
    seed = newScalar(fresh("seed"), Type::Unsigned);
    body.push_back(
        assign(scalar(seed), plus(binary(Operator::Multiply, scalar(seed), integer(1103515245, Type::Unsigned)),
                                  integer(12345, Type::Unsigned))));
    Ex drawn = binary(Operator::Remainder, binary(Operator::ShiftRight, scalar(seed), integer(16)),
                      integer(64, Type::Unsigned));
    body.push_back(
        assign(at(view, subscripts), isFloating(type) ? binary(Operator::Multiply, real(0.25, type), drawn) : drawn));
  } else {
    Ex sum = integer(between(0, 3));
    for (const Ex &s : subscripts) sum = plus(times(s, integer(between(1, 5))), sum);
    Ex small = binary(Operator::Remainder, sum, integer(between(5, 13)));
    body.push_back(
        assign(at(view, subscripts), isFloating(type) ? binary(Operator::Multiply, real(0.5, type), small) : small));
  }
  if (seed >= 0) out.push_back(declareStatement(seed, integer(between(1, 90), Type::Unsigned)));
  for (Statement &s : close(std::move(loops), std::move(body))) out.push_back(std::move(s));
  view.defined = true;
}

void Builder::makeIndexArray(Statements &out) {
  int64_t length = shape[size_t(pick(int64_t(shape.size())))];
  makeArray(out, {length}, Type::Int, false);
  views.back().indexBelow = chance(0.5) ? length : oneOf(shape);
  initialise(out, views.back());
}

/// A second pointer into an array.
void Builder::alias(Statements &out) {
  const View of = oneOf(views);
  int64_t skipped = pick(3);
  if (!of.flat || of.indexBelow || of.size() < 6 || !of.defined) return;
  Variable v;
  v.kind = Variable::Kind::Pointer;
  v.type = elementType(of);
  v.name = fresh("q");
  Statement s;
  s.kind = Statement::Kind::DeclarePointer;
  s.variable = declare(v);
  s.pointer.base = of.variable;
  s.pointer.offset = skipped ? integer(skipped) : nullptr;
  out.push_back(s);
  View view;
  view.variable = s.variable;
  view.flat = true;
  view.defined = true;
  view.extents = {of.size() - skipped};
  view.texts = {sizeText(view.extents[0], view.extents[0] + skipped)};
  views.push_back(view);
}

void Builder::makeArrays(Statements &out) {
  static const std::vector<Type> types = {Type::Double, Type::Double, Type::Double,   Type::Float, Type::Float,
                                          Type::Int,    Type::Int,    Type::Unsigned, Type::Long};
  Type main = oneOf(types);
  int64_t count = between(2, 4);
  for (int64_t k = 0; k < count; ++k) {
    bool isMain = k < 2 || chance(0.6);
    makeArray(out, isMain ? shape : std::vector<int64_t>{oneOf(shape)}, chance(0.75) ? main : oneOf(types),
              k == 0 || chance(0.8));
  }
  if (chance(0.25)) makeIndexArray(out);
  if (chance(0.07)) alias(out);
}

/// Adds up in an order that nobody may change, so that it stays on the host; every element has a weight of its own.
void Builder::checksum(Statements &out, const View &view) {
  Type type = elementType(view);
  std::vector<Opened> loops;
  std::vector<Ex> subscripts;
  for (size_t d = 0; d < view.extents.size(); ++d) {
    Variable v;
    v.name = std::string(1, "ijkl"[d]);
    Statement loop;
    loop.kind = Statement::Kind::For;
    loop.variable = declare(v);
    loop.value = integer(0);
    loop.condition = binary(Operator::Less, scalar(loop.variable), view.texts[d]);
    loops.push_back({{}, loop, {loop.variable, 0, view.extents[d] - 1}, {}});
    subscripts.push_back(scalar(loop.variable));
  }
  Statements body;
  int sum = newScalar(fresh("sum"), isFloating(type) ? Type::Double : Type::Unsigned);
  int shown = sum;
  if (isFloating(type)) {
    shown = newScalar(fresh("sums"), Type::Double);
    out.push_back(declareStatement(sum, real(0)));
    out.push_back(declareStatement(shown, real(0)));
    body.push_back(assign(scalar(sum), at(view, subscripts), AssignOp::Add));
    body.push_back(assign(scalar(shown), scalar(sum), AssignOp::Add));
  } else {
    out.push_back(declareStatement(sum, integer(17, Type::Unsigned)));
    Ex value = at(view, subscripts);
    body.push_back(
        assign(scalar(sum), binary(Operator::Add, binary(Operator::Multiply, scalar(sum), integer(31, Type::Unsigned)),
                                   type == Type::Unsigned ? value : convert(Type::Unsigned, value))));
  }
  for (Statement &s : close(std::move(loops), std::move(body))) out.push_back(std::move(s));
  Statement print;
  print.kind = Statement::Kind::Print;
  print.label = program.variables[size_t(view.variable)].name;
  print.value = scalar(shown);
  out.push_back(print);
}

Program Builder::build() {
  Statements body;
  chooseSizes(body);
  makeArrays(body);
  for (int64_t phases = between(2, 5); phases > 0; --phases) phase(body, 0);
  for (const View &view : views)
    if (view.defined) checksum(body, view);
  for (int s : scalars) {
    Statement print;
    print.kind = Statement::Kind::Print;
    print.label = program.variables[size_t(s)].name;
    print.value = scalar(s);
    body.push_back(print);
  }
  Function root;
  root.name = program.name;
  root.body = std::move(body);
  program.functions.push_back(std::move(root));
  return std::move(program);
}

std::optional<std::vector<std::string>> outputOf(const Program &program) {
  std::vector<Program> unit = {program};
  printUnit(unit);
  InterpretOptions options;
  options.maxRecords = 120000;
  Run run = interpret(unit[0], options);
  return run.problem.empty() ? std::optional(std::move(run.output)) : std::nullopt;
}

Program buildProgram(uint64_t seed, unsigned number, const std::string &name, bool isCxx) {
  for (uint64_t attempt = 0;; ++attempt) {
    const uint64_t own = seed * 1000003 + number + attempt * 0x9e3779b97f4a7c15ULL;
    Program program = Builder(own, name).build();
    if (!outputOf(program)) continue;
    program.isCxx = isCxx;
    applyForms(program, own);
    return program;
  }
}

} // namespace busfare::generator
