//===- test/brs/EffectsOracleTest.cpp - Effects of random nests -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random functions are analysed as a whole, and the body of each loop by itself, then
// run with small sizes. What is touched must lie in the may sets, the must sets in
// what is touched, and sets called exact must be precisely it.
//
//===----------------------------------------------------------------------===//

#include "Member.h"
#include "Oracle.h"
#include "brs/Domain.h"
#include "brs/Effects.h"
#include "brs/Presburger.h"
#include "brs/Shape.h"
#include "skeleton/Parse.h"
#include "gtest/gtest.h"
#include <random>

using namespace busfare;
using namespace busfare::brs;
using namespace busfare::test;
using skeleton::Function;
using skeleton::Program;
using skeleton::Values;

namespace {

/// Skeleton text of a random function over n. Subscripts stay inside the extents for n <= 4.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string program() {
    std::string text = "skeleton 1\nunit \"t.c\"\nfunction f(param n, array a, array b, array m) {\n"
                       "array a : f64[20] parameter\narray b : f64[20] parameter\narray m : f64[10][10] parameter\n"
                       "array h : f64[20] local\narray p : f64[20] alias may-be(a, h)\narray s : f64\n";
    for (size_t k = 1 + pick(3); k > 0; --k) text += pick(4) == 0 ? access() : loop();
    return text + "}\n";
  }

private:
  std::mt19937 random;
  std::vector<std::string> indices;
  unsigned loops = 0, defines = 0;

  size_t pick(size_t count) { return random() % count; }
  bool oneIn(size_t count) { return pick(count) == 0; }

  /// Between 0 and 9 (`most` = 1 index) or 19.
  std::string affine(bool small) {
    std::string text = std::to_string(small ? 4 : 6 + pick(3));
    size_t used = 0;
    for (const std::string &index : indices) {
      if (used == (small ? 1 : 2)) break;
      switch (pick(5)) {
      case 0:
      case 1:
        text += " + " + index;
        ++used;
        break;
      case 2:
        text += " - " + index;
        ++used;
        break;
      case 3:
        if (!small && used == 0) {
          text += " + 2*" + index;
          ++used;
        }
        break;
      default: break;
      }
    }
    return text;
  }
  std::string subscript(bool small) {
    switch (pick(14)) {
    case 0: return "[?]";
    case 1: return "[? in 2 .. 5]";
    case 2: return "[floor((" + affine(small) + ") / 2)]";
    case 3: return "[(" + affine(small) + ") mod 3]";
    case 4: return "[max(" + affine(small) + ", 5)]";
    default: return "[" + affine(small) + "]";
    }
  }
  std::string place() {
    static const char *const names[] = {"a", "b", "a", "b", "m", "h", "s", "p"};
    std::string name = names[pick(8)];
    if (name == "s") return name;
    return name + (name == "m" ? subscript(true) + subscript(true) : subscript(false));
  }
  std::string access() {
    std::string may = oneIn(12) ? "may " : "";
    switch (pick(5)) {
    case 0:
    case 1: return may + "read " + place() + "\n";
    case 2: return may + "update " + place() + " +\n";
    default: return may + "write " + place() + "\n";
    }
  }
  std::string condition() {
    if (indices.empty() || oneIn(5)) return "?";
    std::string index = indices[pick(indices.size())];
    switch (pick(5)) {
    case 0: return index + " >= " + std::to_string(pick(4));
    case 1: return "1 <= " + index + " <= 2";
    case 2: return index + " >= 2 or n >= 4";
    case 3: return index + " mod 2 >= 1";
    default: return index + " >= 1 and ?";
    }
  }
  std::string statement() {
    switch (pick(11)) {
    case 0:
    case 1:
      return "if " + condition() + " {\n" + body(1 + pick(2)) + "}" + (oneIn(2) ? " else {\n" + body(1) + "}\n" : "\n");
    case 2:
    case 3: return indices.size() < 3 ? loop() : access();
    case 4: {
      std::string name = "d." + std::to_string(++defines);
      return "define " + name + " because \"memory\" in 0 .. 3\n" + (oneIn(2) ? "write" : "read") + " a[" + name +
             " + 3]\n";
    }
    case 5: return oneIn(2) ? "rotate a <- b, b <- a\n" : "rotate a <- b, b <- h, h <- a\n";
    case 6: return oneIn(4) ? "host io \"print\" {\n" + access() + "}\n" : access();
    default: return access();
    }
  }
  std::string body(size_t statements) {
    std::string text;
    for (; statements > 0; --statements) text += statement();
    return text;
  }
  std::string loop() {
    std::string index = "i." + std::to_string(++loops);
    std::string outer = indices.empty() ? "1" : indices[pick(indices.size())];
    static const char *const tails[] = {"", "", "", " step 2", " early-exit", " early-exit inside"};
    std::string header;
    switch (pick(7)) {
    case 0: header = "n - 1 .. 0 step -1"; break;
    case 1: header = "n - 1 .. 0 step -2"; break;
    case 2: header = outer + " .. n - 1" + tails[pick(6)]; break;
    case 3: header = "0 .. " + outer + tails[pick(6)]; break;
    case 4: header = "max(" + outer + " - 1, 0) .. min(" + outer + " + 1, n - 1)"; break;
    default: header = "0 .. n - 1" + std::string(tails[pick(6)]); break;
    }
    indices.push_back(index);
    std::string text = "for " + index + " = " + header + " {\n" + body(1 + pick(4)) + "}\n";
    indices.pop_back();
    return text;
  }
};

struct Check {
  const Effects &effects;
  bool hasFreeDefines; ///< The piece's own defines: their values are not in the span.
  std::string text;
  unsigned exact = 0, all = 0;

  Element extentsOf(const std::string &name) const {
    return name == "s" ? Element() : name == "m" ? Element{10, 10} : Element{20};
  }

  void may(const ElementSet &set, const Elements &touched, const Values &values, const std::string &what,
           const std::string &name) {
    Elements missing = outside(set, touched, values);
    EXPECT_TRUE(missing.empty()) << what << " " << name << " lacks " << toString(missing) << "\n" << text;
    ++all;
    if (!set.exact || hasFreeDefines) return;
    ++exact;
    EXPECT_EQ(toString(allOf(set, extentsOf(name), values)), toString(touched)) << what << " " << name << "\n" << text;
  }

  void span(const Trace &trace, Span span) {
    // A value defined inside is another one each time.
    std::erase_if(span.values, [&](const auto &value) { return hasFreeDefines && value.first.starts_with("d."); });
    auto reads = readsIn(trace, span), writes = writesIn(trace, span), exposed = exposedIn(trace, span);
    for (const char *name : {"a", "b", "m", "h", "s"}) {
      auto found = effects.arrays.find(name);
      ArrayEffects none;
      const ArrayEffects &array = found == effects.arrays.end() ? none : found->second;
      may(array.mayRead, reads[name], span.values, "may-read", name);
      may(array.mayWrite, writes[name], span.values, "may-write", name);
      may(array.exposedRead, exposed[name], span.values, "exposed", name);
      if (hasFreeDefines || !array.mustWrite.representation()) continue;
      Elements sure = allOf(array.mustWrite, extentsOf(name), span.values);
      EXPECT_TRUE(std::includes(writes[name].begin(), writes[name].end(), sure.begin(), sure.end()))
          << "must-write " << name << " " << toString(sure) << " of " << toString(writes[name]) << "\n"
          << text;
      if (array.mustWrite.exact) {
        EXPECT_EQ(toString(sure), toString(writes[name])) << "exact must-write " << name << "\n" << text;
      }
    }
  }
};

void collectLoops(const skeleton::Block &block, const Nest &nest,
                  std::vector<std::pair<const skeleton::Loop *, Nest>> &found) {
  for (const skeleton::Node &node : block) {
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) {
      found.push_back({loop, nest.inside(*loop)});
      collectLoops(loop->body, nest.inside(*loop), found);
    } else if (auto *branch = std::get_if<skeleton::Branch>(&node.kind)) {
      collectLoops(branch->then, nest.inside(*branch, true), found);
      collectLoops(branch->otherwise, nest.inside(*branch, false), found);
    }
  }
}

/// The function's effects when effort ends on the way, with nothing or some loops known from before.
Effects inAHurry(const Program &program, const Function &function, const Nest &root,
                 const std::vector<std::pair<const skeleton::Loop *, Nest>> &loops, unsigned seed) {
  EffectsMemo memo;
  if (seed % 2)
    for (size_t k = 0; k < loops.size(); k += 2) effectsOf(program, function, *loops[k].first, root, &memo);
  constexpr double efforts[] = {-1, 1e-5, 5e-5, 2e-4, 1e-3};
  EffortBudget budget(efforts[seed / 2 % std::size(efforts)]);
  return effectsOf(program, function, function.body, root, &memo);
}

class RandomEffects : public testing::TestWithParam<unsigned> {};

TEST_P(RandomEffects, SoundAndExactWhereSaid) {
  unsigned exact = 0, all = 0;
  for (unsigned seed = GetParam() * 10; seed < GetParam() * 10 + 10 && !HasFailure(); ++seed) {
    std::string text = Generator(seed).program();
    auto program = skeleton::parse(text, "t.skel");
    ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError()) << text;
    const Function &function = program->functions[0];
    Nest root(factsOf(*program, function));
    Effects whole = effectsOf(*program, function, function.body, root);
    std::vector<std::pair<const skeleton::Loop *, Nest>> loops;
    collectLoops(function.body, root, loops);
    Effects hurried = inAHurry(*program, function, root, loops, seed);
    std::vector<Effects> bodies;
    for (const auto &[loop, nest] : loops) bodies.push_back(effectsOf(*program, function, loop->body, nest));
    for (int64_t n : {0, 1, 3, 4}) {
      OracleOptions options;
      options.values = {{"n", n}};
      options.seed = seed + unsigned(n);
      auto trace = runSkeleton(*program, function, options);
      ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError()) << text;
      Check check{whole, false, text + "n = " + std::to_string(n)};
      check.span(*trace, trace->all);
      exact += check.exact;
      all += check.all;
      Check{hurried, false, "with little effort, seed " + std::to_string(seed) + "\n" + text}.span(*trace, trace->all);
      for (size_t k = 0; k < loops.size(); ++k) {
        Check body{bodies[k], !definesIn(loops[k].first->body).empty(),
                   "body of " + loops[k].first->index + "\n" + text};
        size_t budget = 6; // Iterations looked at; elements are asked for one by one.
        for (const LoopRun &run : trace->loops[loops[k].first])
          for (const auto &[value, span] : run.iterations)
            if (budget && budget--) body.span(*trace, span);
      }
    }
  }
  RecordProperty("exact", int(exact));
  RecordProperty("all", int(all));
  std::printf("%u of %u sets exact\n", exact, all);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomEffects, testing::Range(0u, 8u));

} // namespace
