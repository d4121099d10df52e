//===- test/skeleton/InlineTest.cpp - Calls substituted -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Besides single cases, random programs with calls are run in two ways: by a small
// interpreter that makes the calls, with pointers passed by value, and by the
// interpreter of flat skeletons after substitution. Both must touch the same
// elements of the same objects in the same order; where a name stands for one of
// several objects, the one really touched must be among them.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Inline.h"
#include "Oracle.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "skeleton/Verify.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <array>
#include <memory>
#include <random>

using namespace busfare::skeleton;

namespace {

Program program(const std::string &text) {
  llvm::Expected<Program> parsed = parse("skeleton 1\n" + text, "t.skel");
  if (!parsed) {
    ADD_FAILURE() << llvm::toString(parsed.takeError());
    return {};
  }
  std::string complaint = llvm::toString(verify(*parsed));
  EXPECT_EQ(complaint, "") << text;
  return *parsed;
}

Inlined inlined(const Program &p, const char *root = "main") {
  Inlined result = llvm::cantFail(substituteCalls(p, root));
  EXPECT_EQ(llvm::toString(verify(p, result.function)), "");
  return result;
}

void withoutPlaces(Block &block) {
  for (Node &node : block) {
    std::visit(
        [](auto &kind) {
          using T = std::decay_t<decltype(kind)>;
          if constexpr (!std::is_same_v<T, Operations>) kind.location = Location();
          if constexpr (std::is_same_v<T, Loop>) withoutPlaces(kind.body);
          if constexpr (std::is_same_v<T, HostStatement>) withoutPlaces(kind.body.edit());
          if constexpr (std::is_same_v<T, Branch>) {
            withoutPlaces(kind.then);
            withoutPlaces(kind.otherwise);
          }
        },
        node.kind);
  }
}

/// The body's text, without places.
std::string body(Inlined result) {
  Program p;
  Function f;
  f.name = "f";
  withoutPlaces(result.function.body);
  f.body = result.function.body;
  p.functions.push_back(f);
  std::string text = print(p), out;
  text = text.substr(text.find("{\n") + 2);
  text.resize(text.rfind("}\n"));
  for (size_t k; (k = text.find(" at ?")) != std::string::npos;) text.erase(k, 5);
  return text;
}

const Array *arrayOf(const Inlined &result, const std::string &name) {
  auto found = llvm::find_if(result.function.arrays, [&](const Array &a) { return a.name == name; });
  return found == result.function.arrays.end() ? nullptr : &*found;
}

TEST(Inline, NobodyAsksAboutTheRunThatEnds) {
  Program p = program(
      "function stop() { end \"exit(1)\" at 9:1 }\n"
      "function main() { array x : f64[4] if ? { call stop() at 2:1 } else { write x[0] } if ? probability 0.25 { end \"exit(1)\" at 3:1 } if ? { write x[1] } }\n");
  Inlined flat = inlined(p);
  const Block &body = flat.function.body;
  auto share = [&](size_t k) { return std::get<Branch>(body.at(k).kind).condition.probability; };
  EXPECT_EQ(share(0), 0);
  EXPECT_EQ(share(1), 0.25);
  EXPECT_EQ(share(2), 0.5);
}

TEST(Inline, FormalsBecomeActuals) {
  Program p = program(
      "function axpy(param n, array x, array y) { array x : f64[n] array y : f64[n] array t : f64\n"
      "for i = 0 .. n - 1 { read x[i] write t read t update y[i] + } }\n"
      "function main() { array a : f64[100] array b : f64[200]\n call axpy(100, &a, &b + 8) at \"m.c\":20:3 }\n");
  Inlined result = inlined(p);
  EXPECT_EQ(body(result),
            "  for axpy@20:i = 0 .. 99 via(\"axpy (m.c:20)\") {\n    read a[axpy@20:i]\n    write axpy@20:t\n"
            "    read axpy@20:t\n    update b[axpy@20:i + 8] +\n  }\n");
  ASSERT_TRUE(arrayOf(result, "axpy@20:t"));
  EXPECT_EQ(arrayOf(result, "axpy@20:t")->storage, Storage::Local);
  EXPECT_TRUE(result.findings.empty());
}

TEST(Inline, PartsStayWhereElementsAreTheSame) {
  // As large, and begun where the callee's begin: else they are elements of a second name, whose parts tell nothing.
  Program p = program("function f(array x) { array x : struct<28>[?] read x[1] part 12 + 4 write x[2] part 0 + 4 }\n"
                      "function main() { array a : struct<28>[9] array b : struct<56>[9]\n"
                      "call f(&a + 2) at 2:1 call f(&b) at 3:1 call f(&a + ?) at 4:1 }\n");
  Inlined result = inlined(p);
  EXPECT_EQ(
      body(result),
      "  read a[3] part 12 + 4\n  write a[4] part 0 + 4\n  read f@3:x[1] part 12 + 4\n  write f@3:x[2] part 0 + 4\n"
      "  read f@4:x[1] part 12 + 4\n  write f@4:x[2] part 0 + 4\n");
  for (const char *name : {"f@3:x", "f@4:x"}) EXPECT_EQ(arrayOf(result, name)->storage, Storage::Alias);
}

TEST(Inline, ShapesThatAgreeKeepTheirSubscripts) {
  Program p = program("function f(param m, array x) { array x : f64[?][m] read x[1][2] }\n"
                      "function main(param n) { array a : f64[n][n]\n call f(n, &a + 3*n) at 2:1 read a[0][1] }\n");
  EXPECT_EQ(body(inlined(p)), "  read a[4][2]\n  read a[0][1]\n");
}

TEST(Inline, ShapesThatDisagreeAreLinearised) {
  Program p = program("function f(param m, array x) { array x : f64[?][m] read x[1][2] }\n"
                      "function main(param n) { array a : f64[n][n]\n call f(n + 1, &a + 5) at 2:1 read a[2][1] }\n");
  Inlined result = inlined(p);
  EXPECT_EQ(body(result), "  read a[n + 8]\n  read a[2*n + 1]\n");
  EXPECT_EQ(toString(*arrayOf(result, "a")->extents[0]), "n*n");
}

TEST(Inline, UnknownValuesAreDefined) {
  Program p = program(
      "function f(param m, array x) { array x : f64[m] read x[m - 1] }\n"
      "function main() { array a : f64[?]\n call f(?, &a) at 2:1 call f(?, &a + ?) at 3:1 call f(1, &?) at 4:1 }\n");
  Inlined result = inlined(p);
  EXPECT_EQ(body(result), "  define f@2:m because \"argument m of f\"\n  read a[f@2:m - 1]\n"
                          "  define f@3:m because \"argument m of f\"\n  read f@3:x[f@3:m - 1]\n  read f@4:x[0]\n");
  EXPECT_EQ(arrayOf(result, "f@3:x")->storage, Storage::Alias);
  EXPECT_EQ(arrayOf(result, "f@3:x")->mayBe, std::vector<std::string>{"a"});
  EXPECT_TRUE(arrayOf(result, "f@4:x")->mayBe.empty());
}

TEST(Inline, CallsOnOneLineGetTheirOwnNames) {
  Program p = program("function f() { array t : f64 for i = 0 .. 1 { write t } }\n"
                      "function main() { call f() at 2:1 call f() at 2:9 }\n");
  EXPECT_EQ(body(inlined(p)), "  for f@2:i = 0 .. 1 via(\"f (2)\") {\n    write f@2:t\n  }\n"
                              "  for f@2#2:i = 0 .. 1 via(\"f (2)\") {\n    write f@2#2:t\n  }\n");
}

TEST(Inline, RecursionAndUnseenBodiesStayOnTheHost) {
  Program p = program("global array g : f64[3] global array k : f64[3] const\n"
                      "function main(array a) { array a : f64[9]\n call main(&a) at 3:1 call other(&a, 4) at 4:1 }\n");
  Inlined result = inlined(p);
  std::string touches =
      " {\n    may read a[?]\n    may write a[?]\n    may read g[?]\n    may write g[?]\n    may read k[?]\n  }\n";
  EXPECT_EQ(body(result), "  host recursion \"main\"" + touches + "  host opaque \"other\"" + touches);
  ASSERT_EQ(result.findings.size(), 2u);
  EXPECT_EQ(result.findings[0].rule, Rule::Recursion);
  EXPECT_EQ(result.findings[1].rule, Rule::OpaqueCall);
}

TEST(Inline, ExtentsNameWhatTheCalleeDefinesLater) {
  Program p =
      program("function f(param n) { array t : f64[k][i] define k in 0 .. n for i = 0 .. 3 { write t[0][0] } }\n"
              "function main(param k) { call f(k) at 1:1 }\n");
  Inlined result = inlined(p);
  ASSERT_NE(arrayOf(result, "f@1:t"), nullptr);
  EXPECT_EQ(arrayOf(result, "f@1:t")->extents,
            (std::vector<std::optional<Expr>>{Expr::symbol("f@1:k"), Expr::symbol("f@1:i")}));
}

TEST(Inline, WhatIsDefinedByOtherSizesIsThem) {
  Program p = program(
      "function f(param n) { array t : f64[k] define k = n - 2 define half = floor(k / 2) for i = 0 .. half { write t[i + k] } }\n"
      "function main(param m) { array u : f64[k] define k = m + 1 call f(k) at 1:1 for j = 0 .. k { write u[j] } }\n");
  const Inlined result = inlined(p);
  EXPECT_EQ(
      body(result),
      "  for f@1:i = 0 .. floor((m + 1) / 2) - 1 via(\"f (1)\") {\n    write f@1:t[f@1:i + m - 1]\n  }\n  for j = 0 .. m + 1 {\n    write u[j]\n  }\n");
  EXPECT_EQ(arrayOf(result, "f@1:t")->extents, (std::vector<std::optional<Expr>>{Expr::symbol("m") - 1}));
  EXPECT_EQ(result.function.arrays.front().extents, (std::vector<std::optional<Expr>>{Expr::symbol("m") + 1}));
}

TEST(Inline, UnseenCodeInACalleeTouchesWhatItsCallersExposed) {
  Program p = program(
      "function f(array y) { array y : f64[9] array t : f64[4] host opaque \"unseen\" call g(&y) exposing (const t) }\n"
      "function g(array z) { array z : f64[9] write z[0] host io \"printf\" host unsupported \"goto\" }\n"
      "function main() { array a : f64[9] array b : f64[9] array c : f64[9] call f(&b) exposing (a, const c) at 1:1 }\n");
  std::string known = "may read a[?]\n    may write a[?]\n    may read c[?]\n";
  std::string inner = "    may read a[?]\n    may write a[?]\n    may read c[?]\n    may read f@1:t[?]\n";
  EXPECT_EQ(body(inlined(p)), "  host opaque \"unseen\" {\n    " + known + "  }\n  write b[0]\n  host io \"printf\"\n" +
                                  "  host unsupported \"goto\" {\n" + inner + "  }\n");
}

/// Sizes and operands in the root's terms; a wait may end what its callers know of.
TEST(Inline, MessagesAndLibraryCalls) {
  Program p = program(
      "function f(param m, array y) { array y : f64[9] host message \"s\" send bytes 8*m { may read y[? in 0 .. m - 1] }\n"
      "  host library \"b\" blas daxpy(n = m + 1) on (x = y) }\n"
      "function g() { host message \"w\" wait host message \"r\" host library \"b\" blas dscal(n = 2) }\n"
      "function main(param n) { array a : f64[9] call f(2*n, &a) at 1:1 call g() exposing (a) at 2:1 }\n");
  EXPECT_EQ(body(inlined(p)), "  host message \"s\" send bytes 16*n {\n    may read a[? in 0 .. 2*n - 1]\n  }\n"
                              "  host library \"b\" blas daxpy(n = 2*n + 1) on (x = a)\n"
                              "  host message \"w\" wait {\n    may read a[?]\n    may write a[?]\n  }\n"
                              "  host message \"r\"\n  host library \"b\" blas dscal(n = 2)\n");
}

TEST(Inline, WhatIsExposedKeepsItsNameWhileOthersChangeTheirs) {
  Program p = program("function f(array u by-reference, array v by-reference) { array u : f64[9] array v : f64[9]\n"
                      "for t = 0 .. 2 { rotate u <- v, v <- u } host opaque \"unseen\" }\n"
                      "function main() { array a : f64[9] array b : f64[9] call f(&a, &b) exposing (a) at 1:1 }\n");
  Inlined result = inlined(p);
  ASSERT_NE(arrayOf(result, "f@1:a.exposed"), nullptr);
  EXPECT_EQ(arrayOf(result, "f@1:a.exposed")->mayBe, (std::vector<std::string>{"a", "b"}));
}

const std::string simulate =
    "function simulate(array u, array v, param n, param steps) { array u : f64[n] array v : f64[n]\n"
    "for t = 0 .. steps - 1 { for i = 0 .. n - 1 { read u[i] write v[i] } rotate u <- v, v <- u } }\n";

TEST(Inline, SwapsOfFormalsAreUndone) {
  Program p = program(simulate + "function main() { array a : f64[9] array b : f64[9]\n"
                                 "call simulate(&a, &b, 9, 3) at 3:1 read a[0] }\n");
  Inlined result = inlined(p);
  EXPECT_NE(body(result).find("    rotate a <- b, b <- a\n  }\n  rotate a <- b, b <- a\n  read a[0]\n"),
            std::string::npos)
      << body(result);
  // An even number of swaps changes nothing.
  p = program(simulate + "function main() { array a : f64[9] array b : f64[9]\n"
                         "call simulate(&a, &b, 9, 4) at 3:1 read a[0] }\n");
  EXPECT_NE(body(inlined(p)).find("    rotate a <- b, b <- a\n  }\n  read a[0]\n"), std::string::npos);
}

TEST(Inline, NamesAreAsBeforeBehindAnOpenNumberOfSwaps) {
  Program p = program(simulate + "function main(param steps) { array a : f64[9] heap array b : f64[9] heap\n"
                                 "call simulate(&a, &b, 9, steps) at 3:1 read a[0] }\n");
  EXPECT_NE(
      body(inlined(p))
          .find(
              "    rotate a <- b, b <- a\n  }\n  if (max(0, steps)) mod 2 - 1 >= 0 {\n    rotate a <- b, b <- a\n  }\n  read a[0]\n"),
      std::string::npos)
      << body(inlined(p));
}

TEST(Inline, AfterAnUnknownNumberOfSwapsEitherNameMayBeMeant) {
  std::string early = simulate;
  early.replace(early.find(" {", early.find("for t")), 2, " early-exit {");
  Program p = program(early + "function main(param steps) { array a : f64[9] heap array b : f64[9] heap\n"
                              "call simulate(&a, &b, 9, steps) at 3:1 read a[0] call other(&b) at 4:1\n"
                              "call simulate(&a, &b, 9, 2) at 5:1 free a free b }\n");
  Inlined result = inlined(p);
  std::string text = body(result);
  EXPECT_NE(text.find("    read a[simulate@3:i]\n      write b[simulate@3:i]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  may read `a|b`[?]\n"), std::string::npos) << text;
  EXPECT_EQ(arrayOf(result, "a|b")->mayBe, (std::vector<std::string>{"a", "b"}));
  // The opaque call may get either; nothing surely frees the object that a name denotes here.
  EXPECT_NE(text.find("may write a[?]"), std::string::npos) << text;
  EXPECT_NE(text.find("may write b[?]"), std::string::npos) << text;
  EXPECT_EQ(text.find("free"), std::string::npos) << text;
}

TEST(Inline, ASwapOfGlobalsStays) {
  Program p = program("global array g : f64[4] global array h : f64[4]\n"
                      "function swap() { rotate g <- h, h <- g }\nfunction main() { call swap() at 2:1 read g[0] }\n");
  EXPECT_EQ(body(inlined(p)), "  rotate g <- h, h <- g\n  read g[0]\n");
}

TEST(Inline, ASwapByReferenceStays) {
  Program p = program(
      "function swap(array x by-reference, array y by-reference) { array x : f64[4] array y : f64[4]\n"
      "rotate x <- y, y <- x }\nfunction twice(array u, array v) { array u : f64[4] array v : f64[4]\n"
      "call swap(&u, &v) at 4:1 read u[0] }\n"
      "function main() { array a : f64[4] array b : f64[4] call swap(&a, &b) at 6:1 call twice(&a, &b) at 7:1 }\n");
  EXPECT_EQ(body(inlined(p)),
            "  rotate a <- b, b <- a\n  rotate a <- b, b <- a\n  read a[0]\n  rotate a <- b, b <- a\n");
}

TEST(Inline, NamesOfTheRootDoNotCatchThoseOfOthers) {
  Program p = program(
      "constant n = 5 global array g : f64[n]\n"
      "function f() { read g[n - 1] }\nfunction main(param n) { array g : f64[n] write g[n - 1]\n call f() at 2:1 }\n");
  Inlined result = inlined(p);
  EXPECT_EQ(body(result), "  write g[n - 1]\n  read `::g`[4]\n");
  EXPECT_EQ(arrayOf(result, "::g")->storage, Storage::Global);
}

TEST(Inline, APointerIsFixedInOneCallOutsideOfLoops) {
  const std::string
      f = "function f() { array p : f64[?] alias fixed likely(g) at 1:1 for i = 0 .. 9 { write p[i] } }\n",
      g = "global array g : f64[9]\n";
  Inlined once = inlined(program(g + f + "function main() { call f() at 2:1 }\n"));
  EXPECT_TRUE(arrayOf(once, "f@2:p")->isFixed);
  EXPECT_EQ(arrayOf(once, "f@2:p")->likely, std::vector<std::string>{"g"});
  Inlined turning = inlined(program(g + f + "function main() { for t = 0 .. 9 { call f() at 2:1 } }\n"));
  EXPECT_FALSE(arrayOf(turning, "f@2:p")->isFixed);
}

/// What a callee allocates, once and whenever the root runs, is as large as the callee says.
TEST(Inline, MemoryOfCalleesHasTheirSizes) {
  auto extentAfter = [](const std::string &body, const std::string &formal = "array l : f64[?] parameter at 2:1") {
    Program p = program(
        "global array s : i32[9] at 1:1\n"
        "function setup(param n, array l by-reference) at 2:1 { " +
        formal + " " + body +
        " }\n"
        "function main() at 9:1 { array list : f64[?] heap at 9:2 call setup(3, &list) at 9:5 read list[0] at 9:6 }");
    Inlined result = inlined(p);
    const std::optional<Expr> &extent = findArray(p, result.function, "list")->extents[0];
    return extent ? toString(*extent) : "?";
  };
  EXPECT_EQ(extentAfter("define m at 3:1 alloc l[m] at 3:2"), "setup@9:m");
  EXPECT_EQ(extentAfter("alloc l[2*n] at 3:2"), "6");
  EXPECT_EQ(extentAfter("define m at 3:1 read l[0] at 3:1 alloc l[m] at 3:2"), "?");
  EXPECT_EQ(extentAfter("define m at 3:1 alloc l[m] at 3:2 alloc l[2*m] at 3:3"), "?");
  EXPECT_EQ(extentAfter("define m at 3:1 if m - 1 >= 0 at 3:2 { alloc l[m] at 3:3 }"), "?");
  EXPECT_EQ(extentAfter("for i = 0 .. n at 3:1 { alloc l[i] at 3:2 }"), "?");
  EXPECT_EQ(extentAfter("alloc l[?] at 3:2"), "?");
  EXPECT_EQ(
      extentAfter("define m at 3:1 alloc l[m] at 3:2 host allocation \"push_back\" at 3:3 { may write l[?] at 3:3 }"),
      "?");
  EXPECT_EQ(
      extentAfter("define m at 3:1 alloc l[m] at 3:2 host allocation \"resize\" at 3:2 { may write l[?] at 3:2 }"),
      "setup@9:m");
  EXPECT_EQ(extentAfter("define m at 3:1 alloc l[m] at 3:2", "array l : u8[?] parameter at 2:1"), "?");
}

/// What a callee may put in the place of its caller's memory is an array of the call's own, if the callee only reads
/// it, by one name.
TEST(Inline, WhatACalleePutsInItsCallersPlace) {
  const std::string call = "call run(n, &u counts(n), &v)",
                    remade = "if 0 - n >= 0 at 3:1 { alloc p[1] at 3:2 } define m in 1 .. max(n, 1) at 3:3 ",
                    read = "read p[0] at 5:1 ";
  auto seen = [&](const std::string &body, const std::string &made, const std::string &more = "") {
    Program p = program(
        "global array s : f64[9] at 1:1\n"
        "function leaf(array q) at 1:2 { array q : f64[?] parameter at 1:2 read q[2] at 1:3 }\n"
        "function run(param n, array p, array o) at 2:1 { array p : f64[?] parameter remade(m if n) at 2:1 array o : f64[?] parameter at 2:2 " +
        more + body +
        " }\n"
        "function main(param n) at 9:1 { array u : f64[n] heap at 9:2 array v : f64[n] heap at 9:3 alloc u[n] at 9:4 alloc v[n] at 9:4 " +
        made + " at 9:5 }");
    Inlined result = inlined(p);
    std::string text;
    for (const Node &node : result.function.body)
      if (const auto *access = std::get_if<Access>(&node.kind); access && access->location.line == 5) {
        const Array &array = *findArray(p, result.function, access->array);
        text += access->array +
                (array.extents.empty() || !array.extents[0] ? "[?]" : "[" + toString(*array.extents[0]) + "]") +
                (array.storage == Storage::Alias ? " alias"
                 : array.insteadOf.empty()       ? ""
                                                 : " instead of " + array.insteadOf);
      }
    return text;
  };
  EXPECT_EQ(seen(remade + read, call), "run@9:p[run@9:m] instead of u");
  EXPECT_EQ(seen(remade + "call leaf(&p) at 4:1 " + read, call), "run@9:p[run@9:m] instead of u");
  EXPECT_EQ(seen(remade + "write o[0] at 4:1 " + read, call), "run@9:p[run@9:m] instead of u");
  EXPECT_EQ(seen(remade + read + "free p at 6:1", call), "run@9:p[run@9:m] instead of u");
  EXPECT_EQ(
      seen("if 0 - n >= 0 at 3:1 { alloc p[1] at 3:2 write p[0] at 3:2 } define m in 1 .. max(n, 1) at 3:3 " + read,
           call),
      "run@9:p[run@9:m] instead of u");

  const std::string any = "run@9:p[?] alias";
  EXPECT_EQ(seen(remade + read, "call run(n, &u counts(2*n), &v)"), "run@9:p[run@9:m] instead of u"); // u[n] says it
  EXPECT_EQ(seen(remade + read, "call run(2*n, &u counts(n), &v)"), any);
  EXPECT_EQ(seen(remade + read, "call run(2*n, &u counts(2*n), &v)"), "run@9:p[run@9:m] instead of u");
  EXPECT_EQ(seen(remade + read, "call run(n, &u + 1 counts(n), &v)"), any);
  EXPECT_EQ(seen(remade + read, "call run(n, &u counts(n), &u)"), any);
  EXPECT_EQ(seen(remade + read, "call run(9, &s, &v)"), any);
  EXPECT_EQ(seen(remade + read, "call run(n, &u counts(n), &v) exposing (u)"), any);
  EXPECT_EQ(seen(remade + "write p[0] at 4:1 " + read, call), any);
  EXPECT_EQ(seen("read p[0] at 2:9 " + remade + read, call), any);
  EXPECT_EQ(
      seen("if 0 - n >= 0 at 3:1 { write p[0] at 3:2 alloc p[1] at 3:2 } define m in 1 .. max(n, 1) at 3:3 " + read,
           call),
      any);
  EXPECT_EQ(seen(remade + "free p at 4:1 " + read, call), any);
  EXPECT_EQ(seen(remade + "host opaque \"f\" at 4:1 { may write p[?] at 4:1 } " + read, call), any);
  EXPECT_EQ(seen(remade + read, call, "array a : f64[?] alias may-be(p) at 2:3 "), any);
  EXPECT_EQ(seen(remade + "rotate p <- o, o <- p at 4:1 " + read, call), any);
}

TEST(Inline, HintsSpeakOfTheActuals) {
  Program p = program(
      "function f(param n, array x) { array x : f64[n]\n"
      "for i = 0 .. n - 1 omp(parallel for private(t) reduction(+: x)) hints(temporary(x) range(x: 0, n - 1)) { update x[0] + } }\n"
      "function main(param m) { array a : f64[m]\n call f(m, &a) at 2:1 }\n");
  std::string text = body(inlined(p));
  EXPECT_NE(text.find("hints(temporary(a) range(a: 0, m - 1))"), std::string::npos) << text;
  EXPECT_NE(text.find("reduction(+: a)"), std::string::npos) << text;
}

// Found for f alone: a loop from 0 to n - 1 that writes a, whose bound is m[0].
Program withSteady(const std::string &call) {
  return program(
      "global array g : i32[100] global array k : i32\n"
      "function f(array a, array m) { array a : i32[?] array m : i32[?] read m[0] define n because \"m[0]\"\n"
      "for i = 0 .. n - 1 steady(m[0]) { write a[i] } }\n"
      "function h(param k, array a) steady(k) { array a : i32[?] write a[0] for i = 0 .. k - 1 { read g[i] } }\n"
      "function main() { array x : i32[50]\n" +
      call + " }\n");
}

TEST(Inline, WhatIsTakenToBeFixedMustBeLeftAlone) {
  Inlined fine = inlined(withSteady("call f(&x, &g + 7) at 6:1 call h(9, &x) at 7:1 call f(&g + 8, &k) at 8:1"));
  EXPECT_TRUE(fine.findings.empty());
  EXPECT_NE(body(fine).find("write x[f@6:i]"), std::string::npos) << body(fine);
  EXPECT_NE(body(fine).find("for f@6:i = 0 .. f@6:n - 1 steady(g[7])"), std::string::npos) << body(fine);
  EXPECT_NE(body(fine).find("for h@7:i = 0 .. 8 "), std::string::npos) << body(fine);

  Inlined own = inlined(withSteady("call f(&g, &g + 7) at 6:1"));
  ASSERT_EQ(own.findings.size(), 1u);
  EXPECT_NE(body(own).find("for f@6:i = 0 .. f@6:i.trips - 1 early-exit"), std::string::npos) << body(own);
  EXPECT_NE(body(own).find("may write g[?]"), std::string::npos) << body(own);

  // Of a whole function: the write stands outside the loop.
  Inlined before = inlined(withSteady("call h(9, &k) at 6:1"));
  ASSERT_EQ(before.findings.size(), 1u);
  EXPECT_NE(body(before).find("write k"), std::string::npos) << body(before);
  EXPECT_NE(body(before).find("for h@6:i = 0 .. h@6:i.trips - 1 early-exit"), std::string::npos) << body(before);
  EXPECT_NE(body(before).find("may read g[?]"), std::string::npos) << body(before);
}

// What is written behind the caller's back is one integer: loops between numbers, and between what the caller passes by
// value, keep their turns, and what they touch.
TEST(Inline, OnlyWhatRestsOnAnUnsteadyIntegerIsLoosened) {
  Program p = program(
      "function f(param n, param `w->k`, array a, array `w->k` by-reference, array x) steady(`w->k`) {\n"
      "array a : i32[?] array `w->k` : i32 array x : f64[?]\n"
      "write a[0] at 2:1\n"
      "for i = 0 .. 2 at 3:1 { write x[i] at 3:2 }\n"
      "for j = 0 .. n - 1 at 4:1 { write x[j + 3] at 4:2 if n - j - 5 >= 0 at 4:3 { write x[0] at 4:4 } }\n"
      "for k = 0 .. `w->k` - 1 at 5:1 { write x[k] at 5:2 }\n"
      "for l = 0 .. n - 1 at 6:1 { write x[l + `w->k`] at 6:2 }\n"
      "if `w->k` - 3 >= 0 at 7:1 { write x[7] at 7:2 } else { write x[8] at 7:3 }\n"
      "}\n"
      "function main(param m) { array k : i32 array y : f64[100]\n write k at 8:1 call f(m, 9, &k, &k, &y) at 9:1 }\n");
  Inlined result = inlined(p);
  ASSERT_EQ(result.findings.size(), 1u);
  std::string text = body(result);
  EXPECT_NE(text.find("for f@9:i = 0 .. 2 via"), std::string::npos) << text;
  EXPECT_NE(text.find("write y[f@9:i]"), std::string::npos) << text;
  EXPECT_NE(text.find("for f@9:j = 0 .. m - 1 via"), std::string::npos) << text;
  EXPECT_NE(text.find("write y[f@9:j + 3]"), std::string::npos) << text;
  EXPECT_NE(text.find("if m - f@9:j - 5 >= 0"), std::string::npos) << text;
  EXPECT_NE(text.find("for f@9:k = 0 .. f@9:k.trips - 1 early-exit"), std::string::npos) << text;
  EXPECT_NE(text.find("for f@9:l = 0 .. m - 1 via"), std::string::npos) << text;
  EXPECT_EQ(text.find("write y[f@9:l"), std::string::npos) << text;
  // Both sides of what the value decides are there.
  EXPECT_NE(text.find("write y[7]"), std::string::npos) << text;
  EXPECT_NE(text.find("write y[8]"), std::string::npos) << text;
}

TEST(Inline, WhatIsTakenNotToBeNegativeIsAskedOfCalls) {
  Program p = program(
      "function f(param k, array a) nonnegative(k - 1) { array a : f64[?] for i = 0 .. floor((k - 1) / 2) { write a[i] } }\n"
      "function main(param n) { array x : f64[50]\n call f(7, &x) at 4:1 call f(n, &x) at 5:1 call f(0, &x) at 6:1 }\n");
  Inlined result = inlined(p);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].location.line, 6u);
  std::string text = body(result);
  EXPECT_NE(text.find("for f@4:i = 0 .. 3 "), std::string::npos) << text;
  EXPECT_NE(text.find("write x[f@5:i]"), std::string::npos) << text;
  EXPECT_NE(text.find("for f@6:i = 0 .. f@6:i.trips - 1 early-exit"), std::string::npos) << text;
}

TEST(Inline, Roots) {
  EXPECT_EQ(roots(program("function f() { call g() } function g() {} function h() { call h() }")),
            (std::vector<std::string>{"f", "h"}));
  EXPECT_EQ(roots(program("function f() { call main() } function main() {}")), std::vector<std::string>{"main"});
  EXPECT_EQ(roots(program("function f() { call g() } function g() { call f() }")),
            (std::vector<std::string>{"f", "g"}));
  EXPECT_TRUE(roots(Program()).empty());
  // Copies that units have of a header's static function are one root; instances over other types, and what is linked,
  // are others.
  EXPECT_EQ(roots(program("function `f (a.c)`(array x) static at \"h.h\":3:1 { array x : f64[?] parameter } "
                          "function `f.2 (b.c)`(array x) static at \"h.h\":3:1 { array x : f64[?] parameter } "
                          "function `f.3 (b.c)`(array x) static at \"h.h\":3:1 { array x : f32[?] parameter } "
                          "function g.2() at \"h.h\":5:1 {} function g() at \"h.h\":5:1 {}")),
            (std::vector<std::string>{"f (a.c)", "f.3 (b.c)", "g.2", "g"}));
  EXPECT_FALSE(bool(llvm::expectedToOptional(substituteCalls(Program(), "f"))));
}

/// A program of four functions, each calling those before it. Every position is in range.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string program() {
    std::string text = "constant N = 40\nglobal array g : f64[1600] at ?\nglobal array h : f64[1600] at ?\n";
    for (unsigned level = 0; level < 4; ++level) text += function(level);
    return text;
  }

private:
  std::mt19937 random;
  unsigned line = 0, loops = 0;
  std::vector<std::vector<std::string>> shapes; ///< Of the two formals of each function: "[1600]", "[40][40]", ...
  std::vector<std::array<bool, 2>> references;
  std::vector<std::string> indices;

  unsigned below(unsigned n) { return random() % n; }
  std::string at() { return " at " + std::to_string(++line) + ":1\n"; }

  std::string shape() {
    static const char *shapes[] = {"[1600]", "[?]", "[40][40]", "[?][N]", "[?][n]", "[80][20]"};
    return shapes[below(6)];
  }

  std::string function(unsigned level) {
    bool isRoot = level == 3;
    // The root's own arrays are alike, so that swaps among them are too.
    std::string both = isRoot ? (below(2) ? "[40][40]" : "[1600]") : shape();
    shapes.push_back({both, both, isRoot ? both : "[1600]"});
    references.push_back({!isRoot && below(3) == 0, !isRoot && below(3) == 0});
    auto reference = [&](int k) { return references.back()[k] ? " by-reference" : ""; };
    std::string text = "function f" + std::to_string(level) + "(param n, param m, array p" + reference(0) +
                       ", array q" + reference(1) + ") {\n";
    text += "array p : f64" + both + "\narray q : f64" + both + "\narray r : f64" + shapes.back()[2] + " local\n";
    return text + body(level, 3) + "}\n";
  }

  std::string name() {
    static const char *names[] = {"p", "q", "r", "g", "h"};
    return names[below(5)];
  }
  std::string shapeOf(unsigned level, const std::string &name) {
    return name == "p" ? shapes[level][0] : name == "q" ? shapes[level][1] : name == "r" ? shapes[level][2] : "[1600]";
  }
  std::string position() {
    std::string text = std::to_string(below(3));
    if (!indices.empty() && below(2)) text += " + " + indices[below(indices.size())];
    return text;
  }

  std::string body(unsigned level, unsigned depth) {
    std::string text;
    for (unsigned k = 1 + below(4); k > 0; --k) text += statement(level, depth);
    return text;
  }

  std::string statement(unsigned level, unsigned depth) {
    switch (below(7)) {
    case 0:
      if (depth > 0) {
        std::string index = "i." + std::to_string(++loops), bound[] = {"1", "2", "n - 38", "m"};
        std::string text = "for " + index + " = 0 .. " + bound[below(4)] + at() + "{\n";
        indices.push_back(index);
        text += body(level, depth - 1);
        indices.pop_back();
        return text + "}\n";
      }
      [[fallthrough]];
    case 1:
    case 2:
    case 3: {
      static const char *kinds[] = {"read ", "write ", "update "};
      unsigned kind = below(3);
      std::string array = name(), text = kinds[kind] + array + "[" + position() + "]";
      if (llvm::StringRef(shapeOf(level, array)).count('[') == 2) text += "[" + position() + "]";
      return text + (kind == 2 ? " *" : "") + at();
    }
    case 4:
    case 5:
      if (level > 0) {
        unsigned callee = below(level);
        auto array = [&](int k) {
          std::string text = "&" + name();
          if (references[callee][k]) return text;
          static const char *offsets[] = {"", "", " + 3", " + 40", " + 2*n"};
          return text + offsets[below(5)];
        };
        std::string m = indices.empty() || below(2) ? "m" : indices.back();
        return "call f" + std::to_string(callee) + "(n, " + m + ", " + array(0) + ", " + array(1) + ")" + at();
      }
      return "ops int 1\n";
    default:
      if (below(3) == 0) return "rotate g <- h, h <- g" + at();
      if (below(4) == 0)
        if (std::string array = below(2) ? "p" : "r"; llvm::StringRef(shapeOf(level, array)).count('[') == 1)
          return "rotate " + array + " <- g, g <- " + array + at();
      return "rotate p <- q, q <- p" + at();
    }
  }
};

struct Touch {
  unsigned line;
  AccessKind kind;
  std::string object;
  int64_t element;
  auto operator<=>(const Touch &) const = default;
};

/// Makes the calls.
class CallingInterpreter {
public:
  explicit CallingInterpreter(const Program &program) : program(program) {}
  std::vector<Touch> touches;
  bool isTooLong = false;

  void run(const std::string &root, Values values) {
    Frame frame;
    frame.function = findFunction(program, root);
    frame.values = std::move(values);
    for (const Array &array : frame.function->arrays) frame.pointers[array.name] = make(array.name, 0);
    for (const Array &global : program.globals) globals[global.name] = make(global.name, 0);
    block(frame.function->body, frame);
  }

private:
  struct Pointer {
    std::string object;
    int64_t offset;
  };
  struct Frame {
    const Function *function = nullptr;
    std::string prefix;
    Values values;
    std::map<std::string, std::shared_ptr<Pointer>> pointers; ///< Shared with the caller if by reference.
  };
  const Program &program;
  std::map<std::string, std::shared_ptr<Pointer>> globals;

  std::shared_ptr<Pointer> variable(Frame &frame, const std::string &name) {
    auto found = frame.pointers.find(name);
    return found != frame.pointers.end() ? found->second : globals.at(name);
  }
  Pointer &pointer(Frame &frame, const std::string &name) { return *variable(frame, name); }
  static std::shared_ptr<Pointer> make(const std::string &object, int64_t offset) {
    return std::make_shared<Pointer>(Pointer{object, offset});
  }
  int64_t value(const Expr &expr, Frame &frame) { return *expr.evaluate(frame.values); }

  void block(const Block &body, Frame &frame) {
    for (const Node &node : body) {
      isTooLong |= touches.size() > 3000;
      if (isTooLong) return;
      if (const auto *access = std::get_if<Access>(&node.kind)) {
        const Array &array = *findArray(program, *frame.function, access->array);
        int64_t position = 0;
        for (size_t d = 0; d < access->subscripts.size(); ++d)
          position = position * (d ? value(*array.extents[d], frame) : 1) + value(*access->subscripts[d].value, frame);
        Pointer &p = pointer(frame, access->array);
        touches.push_back({access->location.line, access->kind, p.object, p.offset + position});
      } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
        for (int64_t i = value(loop->lower, frame), end = value(loop->upper, frame); i <= end; ++i) {
          frame.values[loop->index] = i;
          block(loop->body, frame);
        }
      } else if (const auto *rotate = std::get_if<Rotate>(&node.kind)) {
        std::vector<Pointer> old;
        for (const auto &move : rotate->moves) old.push_back(pointer(frame, move.second));
        for (size_t k = 0; k < old.size(); ++k) pointer(frame, rotate->moves[k].first) = old[k];
      } else if (const auto *call = std::get_if<Call>(&node.kind)) {
        makeCall(*call, frame);
      }
    }
  }

  void makeCall(const Call &call, Frame &caller) {
    Frame frame;
    frame.function = findFunction(program, call.callee);
    frame.prefix = caller.prefix + call.callee + "@" + std::to_string(call.location.line) + ":";
    for (const Constant &constant : program.constants) frame.values[constant.symbol] = constant.value;
    for (const Array &array : frame.function->arrays) frame.pointers[array.name] = make(frame.prefix + array.name, 0);
    for (size_t k = 0; k < call.arguments.size(); ++k) {
      const std::string &formal = frame.function->parameters[k].name;
      if (const auto *array = std::get_if<ArrayArgument>(&call.arguments[k])) {
        Pointer p = pointer(caller, array->array);
        bool isReference = frame.function->parameters[k].byReference;
        frame.pointers[formal] =
            isReference ? variable(caller, array->array) : make(p.object, p.offset + value(*array->offset, caller));
      } else {
        frame.values[formal] = value(*std::get<ValueArgument>(call.arguments[k]).value, caller);
      }
    }
    block(frame.function->body, frame);
  }
};

void makeCertain(Block &block) {
  for (Node &node : block) {
    if (auto *access = std::get_if<Access>(&node.kind)) access->may = false;
    else if (auto *loop = std::get_if<Loop>(&node.kind)) makeCertain(loop->body);
  }
}

class CallsAndSubstitution : public testing::TestWithParam<unsigned> {
protected:
  unsigned compared = 0, exact = 0;

  void compare(unsigned seed) {
    std::string text = Generator(seed).program();
    Program p = program(text);
    for (int64_t m : {0, 1, 3}) {
      Values values{{"n", 40}, {"m", m}, {"N", 40}};
      CallingInterpreter calling(p);
      calling.run("f3", values);
      if (calling.isTooLong) return;
      Inlined result = inlined(p, "f3");
      makeCertain(result.function.body);
      busfare::test::OracleOptions options;
      options.values = values;
      options.maxEvents = 4000;
      llvm::Expected<busfare::test::Trace> trace = busfare::test::runSkeleton(p, result.function, options);
      ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError()) << text;
      auto show = [&] {
        return "m = " + std::to_string(m) + "\n" + text + print(Program{{}, false, {}, {}, {result.function}, {}});
      };
      ASSERT_EQ(trace->events.size(), calling.touches.size()) << show();
      for (size_t k = 0; k < calling.touches.size(); ++k)
        ASSERT_TRUE(agree(p, result, trace->events[k], calling.touches[k], values)) << "touch " << k << " " << show();
      ++compared;
    }
  }

  bool agree(const Program &p, const Inlined &result, const busfare::test::Event &event, const Touch &touch,
             const Values &values) {
    const Access &access = *event.access;
    if (access.location.line != touch.line || access.kind != touch.kind) return false;
    const Array &array = *findArray(p, result.function, access.array);
    if (array.storage == Storage::Alias) return array.mayBe.empty() || llvm::is_contained(array.mayBe, touch.object);
    int64_t position = 0;
    bool isKnown = true;
    for (size_t d = 0; d < event.element.size(); ++d) {
      position = position * (d ? *array.extents[d]->evaluate(values) : 1) + event.element[d];
      isKnown &= access.subscripts[d].value.has_value();
    }
    exact += isKnown;
    return event.object.substr(0, event.object.find('#')) == touch.object && (!isKnown || position == touch.element);
  }
};

TEST_P(CallsAndSubstitution, TouchTheSame) {
  for (unsigned k = 0; k < 100 && !HasFatalFailure(); ++k) compare(GetParam() * 1000 + k);
  EXPECT_GT(compared, 100u);
  EXPECT_GT(exact, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, CallsAndSubstitution, testing::Range(0u, 6u));

/// A program whose main has `dump` print two fields, many times over; `more` is what dump does besides.
std::string dumping(unsigned times, const std::string &more,
                    const std::string &printing = "host io \"printf\" at 5:5 { read f[i] at 5:5 }") {
  std::string text =
      "unit \"t.c\"\nfunction show(array f, param n) at 3:1 {\n  array f : f64[?] parameter at 3:1\n  array copy : f64[n] heap at 4:1\n"
      "  alloc copy[n] at 4:1\n  for i = 0 .. n - 1 at 5:1 { " +
      printing +
      " write copy[i] at 5:6 }\n  free copy at 6:1\n}\n"
      "function dump(array u, array v, param n) at 9:1 {\n  array u : f64[n] parameter at 9:1\n  array v : f64[n] parameter at 9:1\n";
  for (unsigned k = 0; k < times; ++k) text += "  call show(&u, n) at 10:1\n  call show(&v, n) at 11:1\n";
  return text + more +
         "}\nfunction main(param n) at 20:1 {\n  array a : f64[n] local at 20:1\n  array b : f64[n] local at 20:1\n  array c : f64[n] local at 20:1\n"
         "  for i = 0 .. n - 1 at 21:1 { write a[i] at 21:2 write b[i] at 21:3 write c[i] at 21:4 }\n  call dump(&a, &b, n) at 22:1\n}\n";
}

/// Loops in main with all calls substituted.
unsigned loopsIn(const std::string &text) {
  unsigned loops = 0;
  const Program p = program(text);
  const Inlined result = inlined(p);
  forEachNode(result.function.body, [&](const Node &node) { loops += std::holds_alternative<Loop>(node.kind); });
  return loops;
}

TEST(Inline, ALongFunctionThatOnlyPrintsIsOneStatement) {
  const Program p = program(dumping(40, ""));
  Inlined result = inlined(p);
  ASSERT_EQ(result.function.body.size(), 2u);
  const auto *host = std::get_if<HostStatement>(&result.function.body[1].kind);
  ASSERT_TRUE(host);
  EXPECT_EQ(host->what, "dump");
  EXPECT_EQ(host->reason, HostReason::InputOutput);
  ASSERT_EQ(host->body.size(), 2u); // c is not touched, and what show allocates is its own
  for (const Node &node : host->body) {
    const auto &access = std::get<Access>(node.kind);
    EXPECT_TRUE(access.may && access.kind == AccessKind::Read && (access.array == "a" || access.array == "b"));
  }
}

TEST(Inline, AFunctionThatDoesMoreThanPrintIsFollowed) {
  EXPECT_EQ(loopsIn(dumping(40, "")), 1u);
  EXPECT_EQ(loopsIn(dumping(4, "")), 9u) << "short";
  EXPECT_EQ(loopsIn(dumping(40, "  write u[0] at 12:1\n")), 81u) << "changes what it was given";
  EXPECT_EQ(loopsIn(dumping(40, "  host opaque \"f\" at 12:1\n")), 81u) << "calls what is not seen";
  EXPECT_EQ(loopsIn(dumping(40, "  end \"exit(1)\" at 12:1\n")), 81u) << "may end the program";
  EXPECT_EQ(loopsIn(dumping(40, "", "read f[i] at 5:5")), 81u) << "prints nothing";
}

} // namespace
