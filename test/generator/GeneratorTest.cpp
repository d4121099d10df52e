//===- test/generator/GeneratorTest.cpp - Is the yardstick straight? -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Build.h"
#include "test/generator/Check.h"
#include "test/generator/Print.h"
#include "test/generator/Shrink.h"
#include "test/generator/Tree.h"
#include "gtest/gtest.h"

using namespace busfare::generator;

namespace {

int declare(Program &program, Variable::Kind kind, const std::string &name, Type type,
            std::vector<int64_t> extents = {}) {
  Variable v;
  v.kind = kind;
  v.name = name;
  v.type = type;
  v.extents = extents;
  for (int64_t e : extents) v.extentTexts.push_back(integer(e));
  program.variables.push_back(v);
  return int(program.variables.size()) - 1;
}

Statement assignment(Ex target, Ex value, AssignOp op = AssignOp::Set) {
  Statement s;
  s.target = target;
  s.value = value;
  s.op = op;
  return s;
}

Statement loop(int index, int64_t from, int64_t below, std::vector<Statement> body) {
  Statement s;
  s.kind = Statement::Kind::For;
  s.variable = index;
  s.value = integer(from);
  s.condition = binary(Operator::Less, scalar(index), integer(below));
  s.body = std::move(body);
  return s;
}

/// for (i = 0; i < below; i++) a[i + shift] = i;   with double a[4]
Program counting(int64_t below, int64_t shift) {
  Program p;
  p.name = "p0";
  int a = declare(p, Variable::Kind::GlobalArray, "p0_a", Type::Double, {4});
  int i = declare(p, Variable::Kind::Scalar, "i", Type::Int);
  Function f;
  f.name = "p0";
  f.body.push_back(loop(i, 0, below, {assignment(element(a, {plus(scalar(i), shift)}), scalar(i))}));
  p.functions.push_back(f);
  return p;
}

::busfare::generator::Run runOf(Program program) {
  std::vector<Program> unit = {program};
  printUnit(unit);
  return interpret(unit[0]);
}

TEST(Generator, TheInterpreterRecordsWhatIsTouched) {
  ::busfare::generator::Run run = runOf(counting(3, 1));
  EXPECT_EQ(run.problem, "");
  std::vector<int64_t> written;
  for (const Record &record : run.records)
    if (record.kind == Record::Kind::Write) written.push_back(record.offset);
  EXPECT_EQ(written, (std::vector<int64_t>{1, 2, 3}));
}

TEST(Generator, TheInterpreterRefusesWhatIsUndefined) {
  EXPECT_NE(runOf(counting(4, 1)).problem.find("outside"), std::string::npos);
  EXPECT_NE(runOf(counting(2, -1)).problem.find("outside"), std::string::npos);
  Program p = counting(2, 0);
  int x = declare(p, Variable::Kind::Scalar, "x", Type::Int), y = declare(p, Variable::Kind::Scalar, "y", Type::Int);
  for (int v : {x, y}) {
    Statement s;
    s.kind = Statement::Kind::Declare;
    s.variable = v;
    p.functions[0].body.push_back(s);
  }
  Program unwritten = p;
  unwritten.functions[0].body.push_back(assignment(scalar(x), scalar(y)));
  EXPECT_NE(runOf(unwritten).problem.find("nothing wrote"), std::string::npos);
  Program large = p;
  large.functions[0].body.push_back(
      assignment(scalar(x), binary(Operator::Multiply, integer(1 << 20), integer(1 << 20))));
  EXPECT_NE(runOf(large).problem, "");
}

TEST(Generator, UpdatesAreKnownInEverySpelling) {
  Ex x = scalar(0), y = scalar(1);
  EXPECT_EQ(updateOf(assignment(x, y, AssignOp::Add)).op, '+');
  EXPECT_EQ(updateOf(assignment(x, binary(Operator::Add, y, x))).op, '+');
  EXPECT_EQ(updateOf(assignment(x, binary(Operator::Subtract, x, y))).op, '+');
  EXPECT_EQ(updateOf(assignment(x, binary(Operator::Subtract, y, x))).op, 0);
  EXPECT_EQ(updateOf(assignment(x, binary(Operator::Multiply, x, y))).op, '*');
  EXPECT_EQ(updateOf(assignment(x, binary(Operator::Multiply, x, x))).op, 0);
  EXPECT_EQ(updateOf(assignment(x, x, AssignOp::Add)).op, 0);
  EXPECT_EQ(updateOf(assignment(x, call("fmin", {x, y}))).op, '<');
  EXPECT_EQ(updateOf(assignment(x, select(binary(Operator::Greater, y, x), y, x))).op, '>');
  EXPECT_EQ(updateOf(assignment(x, select(binary(Operator::Greater, y, x), x, y))).op, '<');
  EXPECT_EQ(updateOf(assignment(x, select(binary(Operator::Less, x, y), y, x))).op, '>');
}

TEST(Generator, TheSameSeedGivesTheSameProgram) {
  for (unsigned number : {0u, 7u}) {
    std::vector<Program> a = {buildProgram(3, number, "p0")}, b = {buildProgram(3, number, "p0")},
                         c = {buildProgram(4, number, "p0")};
    EXPECT_EQ(printUnit(a), printUnit(b));
    EXPECT_NE(printUnit(a), printUnit(c));
    EXPECT_EQ(interpret(a[0]).problem, "");
  }
}

TEST(Generator, TreesAreReadBack) {
  for (unsigned number = 0; number < 20; ++number) {
    std::vector<Program> unit = {buildProgram(5, number, "p0")};
    std::optional<Program> read = readTree(treeOf(unit[0]));
    ASSERT_TRUE(read);
    std::vector<Program> again = {*read};
    EXPECT_EQ(printUnit(unit), printUnit(again));
  }
  EXPECT_FALSE(readTree("p0 3 1"));
}

TEST(Generator, ShrinkingKeepsTheFailure) {
  // "Fails": writes element 3 of p0_a somewhere.
  Program p = counting(3, 1);
  for (int k = 0; k < 5; ++k)
    p.functions[0].body.push_back(loop(1, 0, 2, {assignment(element(0, {scalar(1)}), real(2))}));
  unsigned asked = 0;
  auto fails = [&](const Program &candidate) {
    ++asked;
    ::busfare::generator::Run run = runOf(candidate);
    bool writes = false;
    for (const Record &record : run.records) writes |= record.kind == Record::Kind::Write && record.offset == 3;
    return run.problem.empty() && writes;
  };
  Program small = shrink(p, fails, 500);
  EXPECT_TRUE(fails(small));
  EXPECT_EQ(small.functions[0].body.size(), 1u);
  EXPECT_LE(asked, 501u);
}

} // namespace
