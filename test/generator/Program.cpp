//===- test/generator/Program.cpp - Expressions, made and typed ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Print.h"

namespace busfare::generator {

Ex integer(int64_t value, Type type) {
  Expression e;
  e.kind = Expression::Kind::Integer;
  e.type = type;
  e.number = value;
  return std::make_shared<const Expression>(std::move(e));
}

Ex real(double value, Type type) {
  Expression e;
  e.kind = Expression::Kind::Real;
  e.type = type;
  e.real = value;
  return std::make_shared<const Expression>(std::move(e));
}

Ex scalar(int variable) {
  Expression e;
  e.kind = Expression::Kind::Scalar;
  e.variable = variable;
  return std::make_shared<const Expression>(std::move(e));
}

Ex element(int variable, std::vector<Ex> subscripts) {
  Expression e;
  e.kind = Expression::Kind::Element;
  e.variable = variable;
  e.operands = std::move(subscripts);
  return std::make_shared<const Expression>(std::move(e));
}

Ex binary(Operator op, Ex a, Ex b) {
  Expression e;
  e.kind = Expression::Kind::Binary;
  e.op = op;
  e.operands = {std::move(a), std::move(b)};
  return std::make_shared<const Expression>(std::move(e));
}

Ex convert(Type type, Ex a) {
  Expression e;
  e.kind = Expression::Kind::Convert;
  e.type = type;
  e.operands = {std::move(a)};
  return std::make_shared<const Expression>(std::move(e));
}

Ex select(Ex condition, Ex yes, Ex no) {
  Expression e;
  e.kind = Expression::Kind::Select;
  e.operands = {std::move(condition), std::move(yes), std::move(no)};
  return std::make_shared<const Expression>(std::move(e));
}

Ex call(std::string name, std::vector<Ex> operands) {
  Expression e;
  e.kind = Expression::Kind::Call;
  e.name = std::move(name);
  e.operands = std::move(operands);
  return std::make_shared<const Expression>(std::move(e));
}

Ex narrow(int64_t bits, std::string spelling, Ex a) {
  Expression e;
  e.kind = Expression::Kind::Narrow;
  e.number = bits;
  e.name = std::move(spelling);
  e.operands = {std::move(a)};
  return std::make_shared<const Expression>(std::move(e));
}

Ex weak(Ex a) {
  Expression e;
  e.kind = Expression::Kind::Weak;
  e.operands = {std::move(a)};
  return std::make_shared<const Expression>(std::move(e));
}

Ex plus(Ex a, int64_t value) {
  if (value == 0) return a;
  if (a->kind == Expression::Kind::Integer) return integer(a->number + value, a->type);
  if (a->kind == Expression::Kind::Binary && (a->op == Operator::Add || a->op == Operator::Subtract) &&
      a->operands[1]->kind == Expression::Kind::Integer) {
    int64_t old = a->op == Operator::Add ? a->operands[1]->number : -a->operands[1]->number;
    return plus(a->operands[0], old + value);
  }
  return value > 0 ? binary(Operator::Add, a, integer(value)) : binary(Operator::Subtract, a, integer(-value));
}

Ex plus(Ex a, Ex b) {
  if (b->kind == Expression::Kind::Integer) return plus(a, b->number);
  if (a->kind == Expression::Kind::Integer && a->number == 0) return b;
  return binary(Operator::Add, a, b);
}

Ex times(Ex a, Ex b) {
  if (a->kind == Expression::Kind::Integer && b->kind == Expression::Kind::Integer)
    return integer(a->number * b->number);
  if (b->kind == Expression::Kind::Integer && b->number == 1) return a;
  if (a->kind == Expression::Kind::Integer && a->number == 0) return a;
  return binary(Operator::Multiply, a, b);
}

Type typeOf(const Program &program, const Ex &e) {
  using K = Expression::Kind;
  auto common = [](Type a, Type b) {
    for (Type type : {Type::Double, Type::Float, Type::Long, Type::Unsigned})
      if (a == type || b == type) return type;
    return Type::Int;
  };
  switch (e->kind) {
  case K::Integer:
  case K::Real:
  case K::Convert: return e->type;
  case K::Scalar:
  case K::Element: return program.variables[size_t(e->variable)].type;
  case K::Negate: return typeOf(program, e->operands[0]);
  case K::Select: return common(typeOf(program, e->operands[1]), typeOf(program, e->operands[2]));
  case K::Call: return Type::Double;
  case K::Narrow:
  case K::Weak: return Type::Int;
  case K::Binary:
    if (e->op >= Operator::Less) return Type::Int;
    if (e->op == Operator::ShiftRight) return typeOf(program, e->operands[0]);
    return common(typeOf(program, e->operands[0]), typeOf(program, e->operands[1]));
  }
  return Type::Int;
}

const char *toString(Type type) {
  switch (type) {
  case Type::Int: return "int";
  case Type::Unsigned: return "unsigned";
  case Type::Long: return "long";
  case Type::Float: return "float";
  case Type::Double: return "double";
  }
  return "";
}

} // namespace busfare::generator
