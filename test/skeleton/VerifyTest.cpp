//===- test/skeleton/VerifyTest.cpp ---------------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "skeleton/Verify.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"

using namespace busfare::skeleton;

namespace {

std::string complaint(const std::string &text) {
  llvm::Expected<Program> program = parse("skeleton 1\n" + text, "t.skel");
  if (!program) return "parse: " + llvm::toString(program.takeError());
  return llvm::toString(verify(*program));
}

/// Of a function with a param n, an array a[n][4], a scalar s and this body.
std::string inBody(const std::string &body) {
  return complaint(
      "constant N = 8\nfunction f(param n, array a) {\n array a : f64[n][4]\n array s : f64\n array c : f64[N] const\n" +
      body + "\n}\n");
}

TEST(Verify, AcceptsWhatIsWellFormed) {
  EXPECT_EQ(
      inBody(
          "for i = 0 .. n - 1 { read a[i][?] write s update s + if i >= N or ? { define k in 0 .. i read a[k][0] } }"),
      "");
  EXPECT_EQ(
      inBody("define m array b : f64[m] for i = 0 .. m - 1 { read b[i] } call f(n, &a + 4) call unknown(1, &?, ?)"),
      "");
  EXPECT_EQ(inBody("host io \"printf\" { read a[0][0] may write s } free a alloc a[n][4]"), "");
  EXPECT_EQ(
      inBody(
          "host message \"MPI_Send\" send bytes 8*n { may read a[? in 0 .. n - 1][0] } host message \"MPI_Wait\" wait"),
      "");
  EXPECT_EQ(inBody("host library \"dgemm_\" blas dgemm(m = n, n = N, k = ?) on (A = a)"), "");
  EXPECT_EQ(inBody("array t : f64[?][4] array u : f64[n][4] rotate a <- t, t <- u, u <- a"), "");
  EXPECT_EQ(
      complaint("global array g : f64[3] function f(other g, other g) { read g[0] } function h() { call f(&g, 1) }"),
      "");
  // A parameter hides a constant, a loop index may be used in a declaration.
  EXPECT_EQ(complaint("constant n = 3 function f(param n) { array a : f64[i] for i = 0 .. n { read a[0] } }"), "");
}

TEST(Verify, RefusesWhatIsNot) {
  EXPECT_EQ(inBody("read b[0]"), "t.skel:7:1: function 'f': array 'b' is not declared");
  EXPECT_EQ(inBody("read a[0]"), "t.skel:7:1: function 'f': array 'a' has 2 dimensions, but 1 subscripts are given");
  EXPECT_EQ(inBody("for i = 0 .. n step 0 {}"), "t.skel:7:1: function 'f': the step of loop 'i' is 0");
  EXPECT_EQ(inBody("for i = 0 .. n {}\nfor i = 0 .. n {}"),
            "t.skel:8:1: function 'f': symbol 'i' already has a meaning");
  EXPECT_EQ(inBody("for n = 0 .. 3 {}"), "t.skel:7:1: function 'f': symbol 'n' already has a meaning");
  EXPECT_EQ(inBody("define k define k"), "t.skel:7:10: function 'f': symbol 'k' already has a meaning");
  const std::string notKnown =
      " is not known here: it is no param, constant, enclosing loop's index or symbol defined before";
  EXPECT_EQ(inBody("read a[j][0]"), "t.skel:7:1: function 'f': symbol 'j'" + notKnown);
  EXPECT_EQ(inBody("for i = 0 .. n {}\nread a[i][0]"), "t.skel:8:1: function 'f': symbol 'i'" + notKnown);
  EXPECT_EQ(inBody("for i = 0 .. i {}"), "t.skel:7:1: function 'f': symbol 'i'" + notKnown);
  EXPECT_EQ(inBody("read a[k][0] define k"), "t.skel:7:1: function 'f': symbol 'k'" + notKnown);
  EXPECT_EQ(inBody("if n >= 1 { define k } read a[k][0]"), "t.skel:7:24: function 'f': symbol 'k'" + notKnown);
  EXPECT_EQ(inBody("read a[?][? in 0 .. j]"), "t.skel:7:1: function 'f': symbol 'j'" + notKnown);
  EXPECT_EQ(inBody("array a : f64"), "t.skel:7:1: function 'f': array 'a' is declared twice");
  EXPECT_EQ(inBody("array b : f64 may-be(a)"), "t.skel:7:1: function 'f': array 'b' is no alias but may be others");
  EXPECT_EQ(inBody("array b : f64 alias may-be(q)"), "t.skel:7:1: function 'f': array 'q' is not declared");
  EXPECT_EQ(inBody("array b : f64 fixed"),
            "t.skel:7:1: function 'f': array 'b' is no alias but is said to lead somewhere");
  EXPECT_EQ(inBody("array b : f64 alias likely(q)"), "t.skel:7:1: function 'f': array 'q' is not declared");
  EXPECT_EQ(inBody("array b : f64 alias may-be(a) likely(c)"),
            "t.skel:7:1: function 'f': array 'b' may be others or anything, not both");
  EXPECT_EQ(inBody("array b : f64[n] remade(1 if n)"),
            "t.skel:7:1: function 'f': array 'b' is no list that is passed in but remade");
  EXPECT_EQ(inBody("array b : f64[n] instead-of(q)"), "t.skel:7:1: function 'f': array 'q' is not declared");
  EXPECT_EQ(inBody("array b : struct<0>"), "t.skel:7:1: function 'f': an element of array 'b' has no bytes");
  EXPECT_EQ(inBody("write c[0]"), "t.skel:7:1: function 'f': array 'c' is const, but written");
  EXPECT_EQ(inBody("update s"), "t.skel:7:1: function 'f': an update of 's' lacks its operator");
  EXPECT_EQ(inBody("read a[0][0] part 0 + 4"),
            "t.skel:7:1: function 'f': a part lies inside an element that is a struct");
  EXPECT_EQ(inBody("array b : struct<8>[n]\nread b[0] part 6 + 4"),
            "t.skel:8:1: function 'f': a part lies inside an element that is a struct");
  EXPECT_EQ(inBody("ops int 1 int 2"), "t.skel:3:1: function 'f': operation int is counted twice in one place");
  EXPECT_EQ(inBody("rotate a <- s, s <- a"),
            "t.skel:7:1: function 'f': a rotation exchanges 'a' and 's', which are not alike");
  EXPECT_EQ(inBody("array b : f64[n][4]\nrotate a <- b"),
            "t.skel:8:1: function 'f': a rotation loses what 'a' denoted");
  EXPECT_EQ(inBody("array b : f64[n][4]\nrotate a <- b, b <- b"),
            "t.skel:8:1: function 'f': a name stands twice on one side of a rotation");
  EXPECT_EQ(inBody("call f(1)"), "t.skel:7:1: function 'f': 'f' takes 2 arguments, but 1 are given");
  EXPECT_EQ(inBody("call f(&a, &a)"), "t.skel:7:1: function 'f': argument 1 of 'f' must be a value for 'n'");
  EXPECT_EQ(inBody("call f(1, 2)"), "t.skel:7:1: function 'f': argument 2 of 'f' must be an array for 'a'");
  EXPECT_EQ(inBody("alloc a[n]"),
            "t.skel:7:1: function 'f': array 'a' is allocated with another number of dimensions than declared");
  EXPECT_EQ(inBody("host io { if ? {} }"), "t.skel:7:1: function 'f': a host statement holds accesses only");
  EXPECT_EQ(inBody("host message \"x\" wait bytes 8"), "t.skel:7:1: function 'f': a wait has no bytes of its own");
  EXPECT_NE(inBody("host message \"x\" send bytes 8*q").find("symbol 'q' is not known here"), std::string::npos);
  EXPECT_EQ(inBody("host library \"x\" blas dgemm(m = 1, m = 2)"),
            "t.skel:7:1: function 'f': dimension 'm' is there twice");
  EXPECT_EQ(inBody("host library \"x\" blas dgemm(m = 1) on (A = q)"),
            "t.skel:7:1: function 'f': array 'q' is not declared");
  EXPECT_EQ(inBody("if ? rest { read x[i] } else { write x[i] }"),
            "t.skel:7:1: function 'f': what follows a jump has no other side");
  EXPECT_EQ(inBody("end \"\""), "t.skel:7:1: function 'f': an end says how the program ends");
  EXPECT_EQ(complaint("function f(array a) {}"),
            "t.skel:2:1: function 'f': array parameter 'a' is not declared in the body");
  EXPECT_EQ(complaint("function f() {} function f() {}"), "t.skel:2:17: function 'f' is there twice");
  EXPECT_EQ(complaint("constant a = 1 constant a = 2"), "t.skel:2:16: constant 'a' is stated twice");
  EXPECT_EQ(complaint("constant a = 0 or set"), "t.skel:2:1: constant 'a' is one that builds set, and not positive");
  EXPECT_EQ(inBody("define k quotient n by m"), "t.skel:7:1: function 'f': symbol 'm'" + notKnown);
  EXPECT_EQ(complaint("global array g : f64[n]"), "t.skel:2:8: symbol 'n'" + notKnown);
}

TEST(Verify, RefusesWhatTextCannotSay) {
  Program p;
  p.functions.emplace_back();
  p.functions[0].name = "f";
  auto with = [&](Node node) {
    p.functions[0].body = {std::move(node)};
    return llvm::toString(verify(p));
  };
  Loop loop;
  loop.index = "i";
  loop.upper = Expr::poisoned();
  EXPECT_EQ(with(loop), "function 'f': a formula overflows 64 bits or is too long");
  Branch branch;
  branch.condition.exact = true;
  EXPECT_EQ(with(branch), "function 'f': an exact condition says nothing");
  branch.condition = {{}, false, 1.5};
  EXPECT_EQ(with(branch), "function 'f': a probability lies between 0 and 1");
  EXPECT_EQ(with(Operations{{{Operation::Integer, -1}}}), "function 'f': the count of int is no number of operations");
}

} // namespace
