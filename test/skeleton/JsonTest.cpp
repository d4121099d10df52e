//===- test/skeleton/JsonTest.cpp -----------------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "skeleton/Json.h"
#include "skeleton/Parse.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace busfare::skeleton;

namespace {

std::string written(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// The JSON of the one statement in a function.
std::string statement(const std::string &text) {
  Program p = llvm::cantFail(parse("skeleton 1 function f() at ? { " + text + " }", "t.skel"));
  llvm::json::Value value = toJson(p.functions[0]);
  return written((*value.getAsObject()->getArray("body"))[0]);
}

void expectJson(const std::string &text, const std::string &json) { EXPECT_EQ(statement(text), json) << text; }

TEST(Json, EveryNodeKind) {
  expectJson("for i = 0 .. n - 1 step 2 while early-exit time at \"a.c\":4:3 via(\"g (a.c:1)\") hints(independent) {}",
             R"~({"body":[],"context":["g (a.c:1)"],"early_exit":true,"form":"while","hints":{"independent":true},)~"
             R"~("index":"i","kind":"loop","location":{"column":3,"file":"a.c","line":4},"lower":"0","step":2,)~"
             R"~("time_loop":true,"upper":"n - 1"})~");
  expectJson("for i = 0 .. 9 at ? omp(parallel for reduction(+: s)) {}",
             R"~({"body":[],"form":"for","index":"i","kind":"loop","lower":"0","omp":{"collapse":1,"parallel":true,)~"
             R"~("reductions":[{"name":"s","op":"+"}],"text":"parallel for reduction(+: s)"},"step":1,"upper":"9"})~");
  expectJson("if i >= 1 and ? probability 0.25 at ? { free a at ? }",
             R"~({"any_of_all_at_least_0":[["i - 1"]],"else":[],"exact":false,"kind":"branch","probability":0.25,)~"
             R"~("then":[{"array":"a","kind":"free"}]})~");
  expectJson("may write a[i][? in 0 .. ?] at ?",
             R"~({"array":"a","kind":"write","may":true,"subscripts":[{"value":"i"},{"at_least":"0","value":null}]})~");
  expectJson("update s min induction at ?",
             R"~({"array":"s","induction":true,"kind":"update","op":"min","subscripts":[]})~");
  EXPECT_EQ(statement("ops fp64.fma 2 int 0.5"), R"~({"counts":{"fp64.fma":2,"int":0.5},"kind":"ops"})~");
  expectJson("define n = 4 because \"x\" in 1 .. ? at ?",
             R"~({"at_least":"1","because":"x","kind":"define","symbol":"n","value":"4"})~");
  expectJson("call f(&a + 4, &?, ?, n) at ?",
             R"~({"arguments":[{"array":"a","offset":"4"},{"array":null,"offset":"0"},{"value":null},{"value":"n"}],)~"
             R"~("callee":"f","kind":"call"})~");
  EXPECT_EQ(statement("alloc a[n][?] at ?"), R"~({"array":"a","extents":["n",null],"kind":"alloc"})~");
  expectJson("host io \"puts\" at ? { read a at ? }",
             R"~({"body":[{"array":"a","kind":"read","subscripts":[]}],"kind":"host","reason":"io","what":"puts"})~");
  expectJson(
      "host message \"MPI_Isend\" send bytes 8*n type \"MPI_DOUBLE\" nonblocking at ?",
      R"~({"body":[],"kind":"host","message":{"bytes":"8*n","kind":"send","nonblocking":true,"type":"MPI_DOUBLE"},"reason":"message",)~"
      R"~("what":"MPI_Isend"})~");
  expectJson(
      "host library \"dgemm_\" blas dgemm(m = n, k = ?) on (A = a) overwrites at ?",
      R"~({"body":[],"kind":"host","library":{"dimensions":{"k":null,"m":"n"},"operands":{"A":"a"},"overwrites":true,)~"
      R"~("routine":"dgemm"},"reason":"library","what":"dgemm_"})~");
  expectJson("end \"exit(1)\" at \"a.c\":7:3",
             R"~({"kind":"end","location":{"column":3,"file":"a.c","line":7},"what":"exit(1)"})~");
  expectJson("end \"exit(1)\" where at \"a.c\":7:3",
             R"~({"kind":"end","location":{"column":3,"file":"a.c","line":7},"says_where":true,"what":"exit(1)"})~");
  expectJson("rotate u <- v, v <- u at ?",
             R"~({"kind":"rotate","moves":[{"from":"v","to":"u"},{"from":"u","to":"v"}]})~");
}

TEST(Json, AWholeProgramCanBeReadBack) {
  Program p = llvm::cantFail(
      parse("skeleton 1 unit \"a.c\" constant N = 3 global array g : c128[N] const\n"
            "finding BF001 warning at 3:4 \"why\"\n"
            "function f(param n, array a) { array a : f32[n][?] alias restrict per-iteration may-be(g) }",
            "t.skel"));
  p.units.push_back("\xff.c"); // No UTF-8.
  llvm::Expected<llvm::json::Value> again = llvm::json::parse(written(toJson(p)));
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(*again, toJson(p));
  const llvm::json::Object &root = *again->getAsObject();
  for (const char *key : {"skeleton_version", "units", "constants", "globals", "functions", "findings"})
    EXPECT_TRUE(root.get(key)) << key;
  EXPECT_EQ(written((*root.getArray("findings"))[0]),
            R"~({"level":"warning","location":{"column":4,"file":"a.c","line":3},"message":"why","rule":"BF001"})~");
  EXPECT_EQ(written((*(*root.getArray("functions"))[0].getAsObject()->getArray("arrays"))[0]),
            R"~({"element_bytes":4,"extents":["n",null],"location":{"column":32,"file":"t.skel","line":3},)~"
            R"~("may_be":["g"],"name":"a","per_iteration":true,"restrict":true,"storage":"alias","type":"f32"})~");
}

} // namespace
