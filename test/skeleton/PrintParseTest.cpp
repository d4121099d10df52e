//===- test/skeleton/PrintParseTest.cpp -----------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "skeleton/Directive.h"
#include "skeleton/Parse.h"
#include "skeleton/Print.h"
#include "gtest/gtest.h"
#include <random>

using namespace busfare::skeleton;

namespace {

Program parsed(llvm::StringRef text) {
  llvm::Expected<Program> program = parse(text, "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError()) << "\nin:\n" << text.str();
    return {};
  }
  return *program;
}

std::string complaint(llvm::StringRef text) {
  llvm::Expected<Program> program = parse(text, "t.skel");
  if (program) return "";
  return llvm::toString(program.takeError());
}

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

/// The statements of one function, printed.
std::string canonical(const std::string &statements) {
  Program program = parsed("skeleton 1 function f() at ? { " + statements + " }");
  std::string text = print(program), open = "function f() at ? {\n  ";
  size_t begin = text.find(open) + open.size();
  return text.substr(begin, text.rfind("\n}\n") - begin);
}

TEST(PrintParse, TheExampleOfTheFileComment) {
  const char *text = R"(skeleton 1
unit "jacobi.c"
function jacobi(param n, param steps, array u, array v) at 3:6 {
  array u : f64[n][n] parameter at ?
  array v : f64[n][n] parameter at ?
  for t = 0 .. steps - 1 at 5:3 {
    for i = 1 .. n - 2 at 6:5 omp(parallel for) {
      for j = 1 .. n - 2 at 7:7 {
        read u[i - 1][j] at 8:20
        read u[i + 1][j] at 8:34
        ops fp64.add 1 fp64.mul 1
        write v[i][j] at 8:9
      }
    }
    rotate u <- v, v <- u at 10:5
  }
}
)";
  EXPECT_EQ(print(parsed(text)), text);
}

TEST(PrintParse, StatementsHaveOneForm) {
  for (
      const char *line : {
          "read a[i][?] at 1:2",
          "read x[? in 0 .. m - 1] at 1:2",
          "read x[? in ? .. m - 1][3] at 1",
          "read x[? in 0 .. m - 1 from col times -2 plus i + 1][? from `g->row`] at 1:2",
          "define `ir[k]` because \"ir[k]\" from ir[k][j + 1] at 1:2",
          "may write col[i] value 2*i - 1 at 1:2",
          "define n.2 because \"col[i]\" in 1 .. ? from col at 2:3",
          "read a[i] part 4 + 8 at 1:2",
          "may write a[i] part 0 + 4 value n at 1:2",
          "read a[i] inside 8 + 24 at 1:2",
          "update s + at 1:2",
          "update a[i] && at 1:2",
          "update a[i] min at 1:2",
          "may write a[?] at 1:2",
          "write k induction at ?",
          "ops fp64.add 1.5 int 2 compare 3 convert 1e+30",
          "ops",
          "define n.2 because \"atoi(argv[1])\" in 1 .. ? at 2:3",
          "define n.2 = n - 1 at 2:3",
          "call f(&A + 4*n, ?, n - 1, &B, &? + ?, &`v.data()` + -4) at 4:3",
          "call Grid::step() at ?",
          "call f(&A) exposing (B, const `v.data()`) at 4:3",
          "alloc a[n][m] at 1:1",
          "alloc a[?] at 1:1",
          "free a at 1:1",
          "host io \"printf\" at 1:1 {\n    read a[0] at 1:1\n  }",
          "host unsupported \"a \\\"quoted\\\" thing\\x0a\" at \"other file.h\":3:4",
          "host message \"MPI_Isend\" send bytes 8*n - 8 type \"MPI_DOUBLE\" nonblocking at 1:1 {\n    may read a[? in 0 .. n - 1] at 1:1\n  }",
          "host message \"MPI_Wait\" wait at 1:1",
          "host message \"MPI_Comm_rank\" at 1:1",
          "host message \"MPI_Reduce_scatter\" reduce_scatter bytes ? at ?",
          "host library \"dgemm_\" blas dgemm(m = n, n = ?, k = 3) on (A = a, C = `v.data()`) overwrites at 2:3",
          "host library \"cblas_dscal\" blas dscal() at 2:3",
          "rotate u <- v, v <- u at \"x.c\"",
          "end \"exit(1)\" at 4:7",
          "end \"exit(1) after the message of line 3\" where at 4:7",
          "for i = n - 1 .. 0 step -2 while early-exit time at 6:5 {\n  }",
          "for `i j` = 0 .. min(7, n) algorithm at ? hints(independent temporary(a, b) noalias(a, b) noalias(c, d) "
          "size(n = 4096) range(col: 0, m - 1) ignore(BF012) at 3:4 to 17) via(\"step (jacobi.c:40)\", \"x\") {\n  }",
          "for i = 0 .. 9 at 1:1 omp(parallel for collapse(2) private(x, y) reduction(+: s)) {\n  }",
          "for i = 0 .. 9 at 1:1 omp(\"odd ( text\" parallel collapse 3 private(`a b`) reduction(&&: s)) {\n  }",
          "for i = 0 .. 9 at 1:1 steady(m[0], `w->k`, x[?][n - 1]) via(\"f (a.c:3)\") {\n  }",
          "if i - 1 >= 0 and n - i >= 0 or k >= 0 at 1:1 {\n    read a at ?\n  } else {\n    free a at ?\n  }",
          "if ? probability 0.3 at 1:1 {\n  }",
          "if ? probability 0.5 measured at 1:1 {\n  }",
          "if ? rest at 1:1 {\n  }",
          "if i - 1 >= 0 and ? at 1:1 {\n  }",
          "if true at 1:1 {\n  }",
          "if true and ? at 1:1 {\n  }",
      })
    EXPECT_EQ(canonical(line), line);
}

TEST(PrintParse, WhatPeopleWriteIsAccepted) {
  EXPECT_EQ(canonical("if 0 <= i < n at ? {}"), "if i >= 0 and n - i - 1 >= 0 at ? {\n  }");
  EXPECT_EQ(canonical("if i == 3 at ? {}"), "if i - 3 >= 0 and 3 - i >= 0 at ? {\n  }");
  EXPECT_EQ(canonical("if i != 3 and j > 0 at ? {}"),
            "if i - 4 >= 0 and j - 1 >= 0 or 2 - i >= 0 and j - 1 >= 0 at ? {\n  }");
  EXPECT_EQ(canonical("if ? or i > 0 at ? {}"), "if ? at ? {\n  }");
  EXPECT_EQ(canonical("read a[(i+1)*n - 2*-j] # comment [\n at ?"), "read a[i*n + 2*j + n] at ?");
  EXPECT_EQ(canonical("read a[floor((n+1)/2) + (i+33) mod 32] at ?"),
            "read a[floor((n + 1) / 2) + (i + 1) mod 32] at ?");
  EXPECT_EQ(canonical("read a[-9223372036854775808] at ?"), "read a[-9223372036854775808] at ?");
  EXPECT_EQ(canonical("call f(&a - 4 + n) at ?"), "call f(&a + n - 4) at ?");
  // Words of the language are names where a name must stand.
  EXPECT_EQ(canonical("read at at 1:2 write for[read] at ?"), "read at at 1:2\n  write for[read] at ?");
  EXPECT_EQ(canonical("for i=0..n-1{} free u"),
            "for i = 0 .. n - 1 at \"t.skel\":1:32 {\n  }\n  free u at \"t.skel\":1:47");
}

TEST(PrintParse, WhatIsRemade) {
  EXPECT_EQ(canonical("call f(&a + 4 counts(n, 2*n)) at ?"), "call f(&a + 4 counts(n, 2*n)) at ?");
  Program p = parsed(
      "skeleton 1\nfunction f(param n, array u) {\n  array u : f64[?] remade(max(n, 1) if n)\n  array `g@3:u` : f64[n] local instead-of(u)\n}\n");
  ASSERT_EQ(p.functions.size(), 1u);
  const Array &u = p.functions[0].arrays[0];
  ASSERT_TRUE(u.remade);
  EXPECT_EQ(toString(u.remade->then), "max(1, n)");
  EXPECT_EQ(toString(u.remade->entry), "n");
  EXPECT_EQ(p.functions[0].arrays[1].insteadOf, "u");
  EXPECT_EQ(parsed(print(p)), p);
}

TEST(PrintParse, SettingsAndQuotients) {
  Program p = parsed("skeleton 1\nunit \"a.c\"\nconstant N = 8 or set\nconstant M = 3\n"
                     "function f(param n, param s) {\n"
                     "  define k because \"i < n\" in 0 .. n quotient n + s - 1 by s at 2:1\n}\n");
  EXPECT_TRUE(p.constants[0].isSetting);
  EXPECT_FALSE(p.constants[1].isSetting);
  const Define &k = std::get<Define>(p.functions[0].body[0].kind);
  ASSERT_TRUE(bool(k.quotient));
  EXPECT_EQ(toString(k.quotient->dividend), "n + s - 1");
  EXPECT_EQ(toString(k.quotient->divisor), "s");
  EXPECT_EQ(parsed(print(p)), p);
}

TEST(PrintParse, DefaultsOfArraysAndPlaces) {
  Program p = parsed(
      "skeleton 1\nunit \"a.c\"\nconstant N = -3\nglobal array g : f32[N] const\nglobal array p : f64[?] pointee\n"
      "function f(param n, array u) {\n  array u : struct<24>[n][?]\n  array s:i32\n"
      "  array t : f64[4] heap per-iteration restrict may-be(u) at 9:1\n"
      "  array `t[]` : f64[4][?] rows\n  array `s[]` : f64[4][?] distinct-rows\n  read s\n}\n");
  ASSERT_EQ(p.functions.size(), 1u);
  const Function &f = p.functions[0];
  EXPECT_EQ(p.constants[0].value, -3);
  EXPECT_EQ(p.globals[0].storage, Storage::Global);
  EXPECT_TRUE(p.globals[0].isConst);
  EXPECT_FALSE(p.globals[0].isPointee);
  EXPECT_TRUE(p.globals[1].isPointee);
  EXPECT_EQ(f.arrays[0].storage, Storage::Parameter);
  EXPECT_EQ(f.arrays[0].type, (ElementType{ElementType::Kind::Struct, 24}));
  EXPECT_FALSE(f.arrays[0].extents[1]);
  EXPECT_EQ(f.arrays[1].storage, Storage::Local);
  EXPECT_EQ(f.arrays[1].type, (ElementType{ElementType::Kind::Signed, 4}));
  EXPECT_EQ(f.arrays[2].storage, Storage::Heap);
  EXPECT_TRUE(f.arrays[2].perIteration && f.arrays[2].isRestrict);
  EXPECT_EQ(f.arrays[2].rows, Rows::None);
  EXPECT_EQ(f.arrays[3].rows, Rows::Assumed);
  EXPECT_EQ(f.arrays[4].rows, Rows::Distinct);
  EXPECT_EQ(f.arrays[2].mayBe, std::vector<std::string>{"u"});
  EXPECT_EQ(f.arrays[2].location, (Location{"a.c", 9, 1}));
  // Without `at`, the place in the skeleton itself.
  EXPECT_EQ(f.location, (Location{"t.skel", 6, 1}));
  EXPECT_EQ(std::get<Access>(f.body[0].kind).location, (Location{"t.skel", 12, 3}));
  EXPECT_EQ(print(parsed(print(p))), print(p));
  EXPECT_EQ(parsed(print(p)), p);
}

TEST(PrintParse, ErrorsHaveAPlaceAndACaret) {
  EXPECT_EQ(complaint("skeleton 1\nfunction f() {\n  read a[i + 1 i]\n}\n"),
            "t.skel:3:16: expected ']' after subscript, found 'i'\n  read a[i + 1 i]\n               ^");
  auto first = [](const char *text) { return firstLine(complaint(text)); };
  EXPECT_EQ(first(""), "t.skel:1:1: this is no skeleton: it must begin with 'skeleton 1'");
  EXPECT_EQ(first("\x7f"
                  "ELF\x02\x01"),
            "t.skel:1:1: this character has no meaning in a skeleton");
  EXPECT_EQ(first("skeleton 2"),
            "t.skel:1:10: version 2 of the skeleton language is not known; this program reads version 1");
  EXPECT_EQ(first("skeleton 1\nfunction f() {"),
            "t.skel:2:15: expected '}' after the function's body, found the end of the file");
  EXPECT_EQ(first("skeleton 1 function f(x) {}"), "t.skel:1:23: expected 'param', 'array' or 'other', found 'x'");
  EXPECT_EQ(first("skeleton 1 function f() { read a[n/2] }"), "t.skel:1:35: expected ']' after subscript, found '/'");
  EXPECT_EQ(first("skeleton 1 function f() { read a[floor(n + m/2)] }"),
            "t.skel:1:40: put the sum before '/' in parentheses");
  EXPECT_EQ(first("skeleton 1 function f() { read a[2n] }"),
            "t.skel:1:34: a letter follows a number; write a product with '*'");
  EXPECT_EQ(first("skeleton 1 function f() { read a[n mod 0] }"), "t.skel:1:40: a number above 0 must follow 'mod'");
  EXPECT_EQ(first("skeleton 1 function f() { read a[99999999999999999999] }"),
            "t.skel:1:34: the number does not fit 64 bits");
  EXPECT_EQ(first("skeleton 1 function f() { ops int 1e999 }"), "t.skel:1:35: the number is out of range");
  EXPECT_EQ(first("skeleton 1 function f() { read a[9223372036854775807*2] }"),
            "t.skel:1:34: this formula overflows 64 bits or is too long");
  // `i - 2^63 >= 0` could not be read back: its negation does not fit.
  EXPECT_EQ(first("skeleton 1 function f() { if i > 9223372036854775807 {} }"),
            "t.skel:1:34: this comparison overflows 64 bits");
  EXPECT_EQ(first("skeleton 1 function f() { host io \"abc\n }"), "t.skel:1:35: the closing quote is missing");
  EXPECT_EQ(
      first("skeleton 1 function f() { host post }"),
      "t.skel:1:32: expected io, opaque, recursion, allocation, timing, unsupported, noreturn, message, library, threads or handler, found 'post'");
  EXPECT_EQ(first("skeleton 1 function f() { host library \"x\" blas dgemm(m) }"),
            "t.skel:1:56: expected '=' after the dimension's name, found ')'");
  EXPECT_EQ(first("skeleton 1 function f() { host message \"x\" send type 8 }"),
            "t.skel:1:54: expected the type of the message's elements, found '8'");
  EXPECT_EQ(first("skeleton 1 function f() { end }"), "t.skel:1:31: expected a text: how the program ends, found '}'");
  EXPECT_EQ(first("skeleton 1 function f() { if i {} }"),
            "t.skel:1:32: expected a comparison (>=, <=, <, >, ==, !=), found '{'");
  EXPECT_EQ(first("skeleton 1 function f() { if ? probability 2 {} }"), "t.skel:1:44: a probability is at most 1");
}

TEST(PrintParse, DeepAndLongTextsEndInAnError) {
  std::string loops = "skeleton 1 function f() {";
  for (int k = 0; k < 100000; ++k) loops += "for i = 0 .. 1 {";
  EXPECT_NE(complaint(loops).find("nested more than 500 levels deep"), std::string::npos);
  for (const char *opening : {"(", "-", "min(", "floor("}) {
    std::string text = "skeleton 1 function f() { read a[";
    for (int k = 0; k < 100000; ++k) text += opening;
    EXPECT_NE(complaint(text).find("nested more than 500 levels deep"), std::string::npos) << opening;
  }
  std::string sum = "skeleton 1 function f() { read a[i";
  for (int k = 0; k < 20000; ++k) sum += "+s" + std::to_string(k);
  EXPECT_NE(complaint(sum + "]}").find("overflows 64 bits or is too long"), std::string::npos);
  std::string choices = "skeleton 1 function f() { if i != 0";
  for (int k = 0; k < 40; ++k) choices += " and i != " + std::to_string(k);
  EXPECT_NE(complaint(choices).find("at most 64 alternatives"), std::string::npos);
}

TEST(PrintParse, GarbageNeverCrashes) {
  std::string good =
      "skeleton 1\nunit \"a.c\"\nfunction f(param n, array a) at 1:1 hints(size(n = 3)) {\n array a : f64[n][?]\n"
      "for i = 0 .. n - 1 omp(parallel for) { if i >= 1 and ? probability 0.1 { read a[i][? in 0 .. 3] at 3:4 "
      "update a[i][min(i, floor(n / 2))] + } else { call g(&a + 1, ?) rotate a <- a } } }\n";
  ASSERT_EQ(complaint(good), "");
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) {
      size_t place = random() % text.size();
      switch (random() % 3) {
      case 0: text[place] = char(random() % 256); break;
      case 1: text.erase(place, 1 + random() % 5); break;
      default: text.insert(place, text.substr(random() % text.size(), random() % 12));
      }
    }
    llvm::Expected<Program> program = parse(text, "t.skel");
    if (program) ASSERT_EQ(parsed(print(*program)), *program);
    else ASSERT_EQ(llvm::toString(program.takeError()).rfind("t.skel:", 0), 0u);
  }
}

TEST(PrintParse, OneExpr) {
  EXPECT_EQ(llvm::cantFail(parseExpr("2*(n - 1)")), 2 * Expr::symbol("n") - 2);
  llvm::Expected<Expr> bad = parseExpr("n - 1 1", "--param");
  ASSERT_FALSE(bool(bad));
  EXPECT_EQ(llvm::toString(bad.takeError()), "--param:1:7: expected the end, found '1'\nn - 1 1\n      ^");
}

TEST(Directive, ClausesAreTakenApart) {
  Directive d = directiveFromText("  parallel   for private(x,y) firstprivate( z ) lastprivate(conditional: q) "
                                  "reduction(inscan, +: s, a[0:n]) reduction(-:t) collapse(2) schedule(static, 4)");
  EXPECT_EQ(d.text.substr(0, 20), "parallel for private");
  EXPECT_TRUE(d.isParallel);
  EXPECT_EQ(d.privates, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(d.firstprivates, std::vector<std::string>{"z"});
  EXPECT_EQ(d.lastprivates, std::vector<std::string>{"q"});
  using Reduction = std::pair<ReductionOp, std::string>;
  EXPECT_EQ(d.reductions,
            (std::vector<Reduction>{{ReductionOp::Add, "s"}, {ReductionOp::Add, "a"}, {ReductionOp::Add, "t"}}));
  EXPECT_EQ(d.collapse, 2u);
  EXPECT_TRUE(directiveFromText("simd").isParallel);
  EXPECT_FALSE(directiveFromText("simd safelen(4)").isParallel);
  EXPECT_TRUE(directiveFromText("for simd safelen(4)").isParallel);
  EXPECT_FALSE(directiveFromText("for ordered").isParallel);
  EXPECT_FALSE(directiveFromText("parallel").isParallel);
  EXPECT_FALSE(directiveFromText("critical (private(").isParallel);
}

/// Makes any Program that text can express, whether it means anything or not.
class Anything {
public:
  explicit Anything(unsigned seed) : random(seed) {}

  Program program() {
    Program p;
    repeat(2, [&] { p.units.push_back(name()); });
    p.typesMix = chance();
    repeat(2, [&] { p.constants.push_back({name(), int64_t(random()) - 2000000000, place()}); });
    repeat(2, [&] { p.imports.push_back({name(), name()}); });
    repeat(2, [&] { p.globals.push_back(array()); });
    repeat(3, [&] {
      Function f;
      f.name = name();
      f.linkage = Linkage(below(3));
      f.symbol = chance() ? name() : "";
      repeat(3, [&] { f.parameters.push_back({Parameter::Kind(below(3)), name(), chance()}); });
      repeat(3, [&] { f.arrays.push_back(array()); });
      f.hints = hints();
      f.location = place();
      f.body = block(3);
      p.functions.push_back(std::move(f));
    });
    repeat(2, [&] {
      p.findings.push_back({allRules()[below(unsigned(allRules().size()))], Level(below(4)), place(), name()});
    });
    return p;
  }

private:
  std::mt19937 random;

  unsigned below(unsigned n) { return random() % n; }
  bool chance() { return below(2); }
  template <class Action> void repeat(unsigned most, Action action) {
    for (unsigned k = below(most + 1); k > 0; --k) action();
  }

  std::string name() {
    static const char *names[] = {"i",   "n.2",      "Grid::step", "v.size()", "min", "a b",      "q\"`\\\n\x01",
                                  "for", "x@12:y#2", "at",         "?",        "",    "\xc3\xa9", "true",
                                  "a..b"};
    return names[below(std::size(names))];
  }
  Location place() {
    static const char *files[] = {"", "a.c", "b \"x\".h"};
    Location l;
    l.file = files[below(3)];
    if (chance()) l.line = 1 + below(99), l.column = below(3);
    return l;
  }
  Expr expr(int depth = 3) {
    if (depth == 0 || below(4) == 0) return chance() ? Expr::symbol(name()) : Expr(int64_t(below(9)) - 4);
    Expr a = expr(depth - 1), b = expr(depth - 1);
    switch (below(7)) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return min(a, b);
    case 4: return max(a, b);
    case 5: return floorDiv(a, 1 + below(9));
    default: return mod(a, 1 + below(9));
    }
  }
  std::optional<Expr> maybe() { return chance() ? std::optional(expr()) : std::nullopt; }
  Rare<Loaded> loaded() {
    return chance() ? Rare<Loaded>() : Rare<Loaded>({name(), int64_t(below(9)) + 1, expr(), {}});
  }
  std::vector<std::optional<Expr>> extents() {
    std::vector<std::optional<Expr>> result;
    repeat(3, [&] { result.push_back(maybe()); });
    return result;
  }
  std::vector<std::string> names() {
    std::vector<std::string> result;
    repeat(2, [&] { result.push_back(name()); });
    return result;
  }
  Array array() {
    Array a;
    a.name = name();
    a.type = {ElementType::Kind(below(7)), below(20)};
    a.extents = extents();
    a.storage = Storage(below(5));
    a.isConst = chance();
    a.isRestrict = chance();
    a.perIteration = chance();
    a.isStatic = chance();
    a.rows = Rows(below(3));
    a.mayBe = names();
    a.location = place();
    return a;
  }
  Hints hints() {
    Hints h;
    if (chance()) return h;
    h.independent = chance();
    h.temporaries = names();
    repeat(2, [&] { h.noalias.push_back(names()); });
    repeat(2, [&] { h.sizes.emplace_back(name(), -int64_t(below(5))); });
    repeat(2, [&] { h.ranges.emplace_back(name(), expr(), expr()); });
    h.ignoredRules = names();
    h.lastLine = below(3);
    h.location = place();
    return h.empty() ? Hints() : h;
  }
  Directive directive() {
    if (chance()) return directiveFromText("parallel for private(x) reduction(max: `s`)");
    Directive d;
    d.text = name();
    d.privates = names();
    d.firstprivates = names();
    d.lastprivates = names();
    repeat(2, [&] { d.reductions.emplace_back(ReductionOp(below(10)), name()); });
    d.collapse = below(3);
    d.isParallel = chance();
    d.takesTurns = chance();
    return d;
  }
  Access access() {
    Access a;
    a.kind = AccessKind(below(3));
    a.array = name();
    repeat(3, [&] { a.subscripts.push_back({maybe(), maybe(), maybe(), loaded()}); });
    if (chance()) a.part = {uint32_t(below(100)), uint32_t(1 + below(100)), chance()};
    if (a.kind == AccessKind::Write && chance()) a.value = expr();
    if (a.kind == AccessKind::Update) a.op = ReductionOp(below(10));
    a.may = chance();
    a.bytewise = chance();
    a.induction = chance();
    a.location = place();
    return a;
  }
  Condition condition() {
    Condition c;
    repeat(2, [&] {
      std::vector<Expr> conjunction;
      repeat(2, [&] { conjunction.push_back(expr()); });
      c.anyOf.push_back(conjunction);
    });
    c.exact = !c.anyOf.empty() && chance();
    c.probability = chance() ? 0.5 : below(1000) / 999.0;
    c.isMeasured = chance();
    return c;
  }
  Block block(int depth) {
    Block result;
    repeat(4, [&] { result.push_back(node(depth)); });
    return result;
  }
  Loop loop(int depth) {
    Loop l;
    l.index = name();
    l.lower = expr();
    l.upper = expr();
    l.step = int64_t(below(7)) - 3;
    l.form = LoopForm(below(5));
    l.mayExitEarly = chance();
    l.endsInside = l.mayExitEarly && chance();
    l.isTimeLoop = chance();
    l.isTrusted = chance();
    if (chance()) l.directive = directive();
    if (Hints said = hints(); !said.empty()) l.hints = std::move(said);
    if (std::vector<std::string> believed = names(); !believed.empty()) l.believing = std::move(believed);
    l.context = names();
    l.location = place();
    l.body = block(depth - 1);
    return l;
  }
  Node node(int depth) {
    switch (below(depth > 0 ? 10 : 8)) {
    case 0: return access();
    case 1: {
      Operations o;
      repeat(3, [&] { o.counts.emplace_back(Operation(below(13)), random() / 7.0); });
      return o;
    }
    case 2: return Define{name(), maybe(), maybe(), maybe(), name(), place(), loaded()};
    case 3: {
      Call c;
      c.callee = name();
      repeat(3, [&] {
        if (!chance()) {
          c.arguments.push_back(ValueArgument{maybe()});
          return;
        }
        ArrayArgument given{name(), maybe()};
        repeat(2, [&] { given.row.push_back(expr()); });
        c.arguments.push_back(std::move(given));
      });
      repeat(2, [&] { c.exposed.push_back({name(), chance()}); });
      c.location = place();
      return c;
    }
    case 4: return Allocate{name(), extents(), place()};
    case 5: return Free{name(), place()};
    case 6: {
      HostStatement h;
      h.reason = HostReason(below(9));
      h.what = name();
      if (h.reason == HostReason::Message && chance())
        h.message = Message{MessageKind(below(16)), maybe(), chance() ? "MPI_" + name() : "", chance()};
      if (h.reason == HostReason::Library && chance()) {
        h.library = LibraryCall{name(), {}, {}, chance()};
        repeat(3, [&] { h.library->dimensions.emplace_back(name(), maybe()); });
        repeat(2, [&] { h.library->operands.emplace_back(name(), name()); });
      }
      repeat(2, [&] { h.body.edit().push_back(access()); });
      h.location = place();
      return h;
    }
    case 7: {
      Rotate r;
      r.moves.emplace_back(name(), name());
      repeat(2, [&] { r.moves.emplace_back(name(), name()); });
      r.location = place();
      return r;
    }
    case 8: return loop(depth);
    default: {
      Branch b;
      b.condition = condition();
      b.then = block(depth - 1);
      b.isRest = below(4) == 0;
      if (!b.isRest) b.otherwise = block(depth - 1);
      b.location = place();
      return b;
    }
    }
  }
};

class RoundTrip : public testing::TestWithParam<unsigned> {};

TEST_P(RoundTrip, ParseOfPrintIsTheSame) {
  for (unsigned k = 0; k < 150; ++k) {
    Program program = Anything(GetParam() * 1000 + k).program();
    std::string text = print(program);
    if (text.find("<overflow>") != std::string::npos) continue;
    llvm::Expected<Program> again = parse(text, "t.skel");
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError()) << "\n" << text;
    ASSERT_EQ(print(*again), text);
    ASSERT_TRUE(*again == program) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RoundTrip, testing::Range(0u, 8u));

} // namespace
