//===- test/brs/DependenceOracleTest.cpp - Verdicts against executions -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random nests are judged, then run with small sizes and several seeds. A loop
// called parallel must be so in every run: iterations conflict only in variables
// that `needs` names, and each need must be enough for what happened:
//
//   private(t)      no iteration reads an older t, nobody reads t afterwards
//   lastprivate(t)  the last iteration writes all that any iteration wrote
//   reduction(+:s)  where iterations meet, nothing but updates by one operator
//
//===----------------------------------------------------------------------===//
#include "Oracle.h"
#include "brs/Owner.h"
#include "test/brs/DependenceText.h"
#include <random>

using namespace busfare;
using namespace busfare::brs;
using namespace busfare::skeleton;
using busfare::test::Elements;
using busfare::test::Event;
using busfare::test::LoopRun;
using busfare::test::Trace;

namespace {

/// Skeleton text of a random function. Subscripts stay within 0 .. 63 for n <= 5.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string function() {
    std::string text = "function f(param n) {\n";
    for (const char *name : {"a", "b", "w"})
      text += "array " + std::string(name) + " : f64[64] " + storage() + " at ?\n";
    text += "array m : f64[64][64] " + storage() + " at ?\n";
    text += "array p : struct<12>[64] " + storage() + " at ?\n";
    for (const char *name : {"s", "t"}) text += "array " + std::string(name) + " : f64 " + storage() + " at ?\n";
    size_t count = 1 + pick(3);
    for (size_t k = 0; k < count; ++k) text += pick(3) == 0 ? access() : loop();
    return text + "}\n";
  }

private:
  std::mt19937 random;
  std::vector<std::string> indices;
  unsigned loops = 0, defines = 0;

  size_t pick(size_t count) { return random() % count; }
  std::string storage() { return pick(2) ? "local" : "global"; }

  std::string affine() {
    std::string text = std::to_string(20 + pick(3));
    for (const std::string &index : indices) switch (pick(6)) {
      case 0:
      case 1: text += " + " + index; break;
      case 2: text += " - " + index; break;
      case 3: text += " + 2*" + index; break;
      default: break;
      }
    return pick(8) == 0 ? "n + " + text : text;
  }

  std::string subscript() {
    switch (pick(12)) {
    case 0: return "[?]";
    case 1: return "[? in " + affine() + " .. 63]";
    case 2: return "[floor((" + affine() + ") / 2)]";
    default: return "[" + affine() + "]";
    }
  }

  std::string access() {
    static const char *const names[] = {"a", "b", "w", "m", "p", "s", "t"};
    std::string name = names[pick(7)];
    std::string place = name;
    if (name == "m") place += subscript() + subscript();
    else if (name != "s" && name != "t") place += subscript();
    std::string may = pick(10) == 0 ? "may " : "";
    if (name == "p" && pick(8)) {
      static const char *const parts[] = {" part 0 + 4", " part 4 + 4", " part 8 + 4", " part 0 + 8", " part 2 + 4"};
      std::string part = parts[pick(5)];
      return (pick(2) ? "read " + place + part : "may write " + place + part) + "\n";
    }
    switch (pick(5)) {
    case 0:
    case 1: return may + "read " + place + "\n";
    case 2: return may + "update " + place + (pick(4) ? " +\n" : " *\n");
    default: return may + "write " + place + "\n";
    }
  }

  std::string condition() {
    if (indices.empty() || pick(4) == 0) return "?";
    std::string index = indices[pick(indices.size())];
    switch (pick(4)) {
    case 0: return index + " >= " + std::to_string(pick(4));
    case 1: return std::to_string(pick(3)) + " <= " + index + " <= 2";
    case 2: return index + " >= 2 or n >= 4";
    default: return index + " >= 1 and ?";
    }
  }

  std::string statement() {
    switch (pick(10)) {
    case 0:
      return "if " + condition() + " {\n" + body(1 + pick(2)) + "}" + (pick(2) ? " else {\n" + body(1) + "}\n" : "\n");
    case 1:
    case 2: return indices.size() < 3 ? loop() : access();
    case 3: {
      std::string name = "d." + std::to_string(++defines);
      return "define " + name + " because \"memory\" in 0 .. 5\nwrite a[" + name + " + 20]\n";
    }
    case 4: return "write t\nread t\n";
    default: return access();
    }
  }

  std::string body(size_t statements) {
    std::string text;
    for (size_t k = 0; k < statements; ++k) text += statement();
    return text;
  }

  std::string loop() {
    std::string index = "i." + std::to_string(++loops);
    std::string outer = indices.empty() ? "1" : indices[pick(indices.size())];
    static const char *const tails[] = {"", "", "", " step 2", " early-exit", " early-exit inside"};
    std::string header;
    switch (pick(6)) {
    case 0: header = "n - 1 .. 0 step -1"; break;
    case 1: header = outer + " .. n - 1" + tails[pick(6)]; break;
    case 2: header = "0 .. " + outer + tails[pick(6)]; break;
    case 3: header = "max(" + outer + " - 1, 0) .. min(" + outer + " + 1, n - 1)"; break;
    default: header = "0 .. n - 1" + std::string(tails[pick(6)]); break;
    }
    indices.push_back(index);
    std::string text = "for " + index + " = " + header + " {\n" + body(1 + pick(4)) + "}\n";
    indices.pop_back();
    return text;
  }
};

Elements touched(const Trace &trace, const busfare::test::Span &span, const std::string &name, bool writes) {
  Elements result;
  for (size_t k = span.begin; k < span.end; ++k)
    if (trace.events[k].name == name && (writes ? trace.events[k].writes : trace.events[k].reads))
      result.insert(trace.events[k].element);
  return result;
}

/// Do iterations that meet in an element, one of them changing it, all update it, by one operator?
bool meetInUpdates(const Trace &trace, const LoopRun &run, const std::string &name) {
  struct Met {
    std::set<int64_t> iterations;
    std::set<ReductionOp> operators; ///< None: something else than an update.
    bool isChanged = false;
  };
  std::map<std::vector<int64_t>, Met> met;
  for (const auto &[index, span] : run.iterations)
    for (size_t k = span.begin; k < span.end; ++k) {
      const Event &event = trace.events[k];
      if (event.name != name) continue;
      Met &here = met[event.element];
      here.iterations.insert(index);
      here.operators.insert(event.access->kind == AccessKind::Update ? event.access->op : ReductionOp::None);
      here.isChanged |= event.writes;
    }
  return llvm::all_of(met, [](const auto &one) {
    const Met &here = one.second;
    return here.iterations.size() < 2 || !here.isChanged ||
           (here.operators.size() == 1 && *here.operators.begin() != ReductionOp::None);
  });
}

/// Are values that the run left in `name` read afterwards, or by the caller?
bool isRead(const Trace &trace, const LoopRun &run, const std::string &name, bool isGlobal) {
  Elements open = touched(trace, run.all, name, true);
  if (isGlobal && open.empty()) return false;
  for (size_t k = run.all.end; k < trace.events.size(); ++k) {
    const Event &event = trace.events[k];
    if (event.name != name || !open.count(event.element)) continue;
    if (event.reads) return true;
    open.erase(event.element);
  }
  return isGlobal && !open.empty();
}

/// What is wrong with the need in this run; empty if nothing.
std::string whyNotEnough(const Trace &trace, const LoopRun &run, const Need &need, bool isGlobal) {
  if (need.kind == Need::Kind::Reduction)
    return meetInUpdates(trace, run, need.name) ? "" : "iterations that meet do something else than one update";
  for (const auto &[index, span] : run.iterations) {
    auto exposed = exposedIn(trace, span);
    if (!exposed[need.name].empty()) return "iteration " + std::to_string(index) + " reads an older value";
  }
  if (need.kind == Need::Kind::LastPrivate) {
    Elements all = touched(trace, run.all, need.name, true);
    return run.iterations.empty() || touched(trace, run.iterations.back().second, need.name, true) == all
               ? ""
               : "the last iteration does not write all of it";
  }
  return isRead(trace, run, need.name, isGlobal) ? "it is read afterwards" : "";
}

} // namespace

TEST(DependenceOracle, noLoopIsWronglyCalledParallel) {
  const char *wanted = std::getenv("BUSFARE_FUZZ_PROGRAMS");
  const unsigned programs = wanted ? unsigned(std::atoi(wanted)) : 400;
  unsigned judged = 0, parallel = 0, conflictFree = 0;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    std::string text = Generator(seed).function();
    auto analysed = brs::test::analyse(text);
    const Function &function = analysed->program.functions.at(0);
    std::map<const LoopVerdict *, bool> conflicts;
    for (unsigned run = 0; run < 6; ++run) {
      busfare::test::OracleOptions options;
      options.values = {{"n", int64_t(run)}};
      if (run == 0) options.values = {{"n", 5}};
      options.seed = seed * 10 + run;
      llvm::Expected<Trace> trace = busfare::test::runSkeleton(analysed->program, function, options);
      ASSERT_TRUE(bool(trace)) << llvm::toString(trace.takeError()) << text;
      for (const LoopVerdict &verdict : analysed->result.loops) {
        std::set<std::string> found = busfare::test::conflictsOf(*trace, *verdict.loop);
        conflicts[&verdict] |= !found.empty();
        if (!verdict.parallel) continue;
        for (const Need &need : verdict.needs) {
          found.erase(need.name);
          bool isGlobal = findArray(analysed->program, function, need.name)->storage == Storage::Global;
          for (const LoopRun &one : trace->loops[verdict.loop])
            ASSERT_EQ(whyNotEnough(*trace, one, need, isGlobal), "")
                << "seed " << seed << " " << brs::test::describe(verdict) << " need " << need.name << "\n"
                << text;
        }
        ASSERT_TRUE(found.empty()) << "seed " << seed << " " << brs::test::describe(verdict) << " conflicts in "
                                   << *found.begin() << "\n"
                                   << text;
      }
    }
    for (const LoopVerdict &verdict : analysed->result.loops) {
      ++judged;
      parallel += verdict.parallel;
      conflictFree += !conflicts[&verdict] && !verdict.parallel;
    }
  }
  std::printf("%u loops, %u parallel, %u serial without a conflict in these runs\n", judged, parallel, conflictFree);
  EXPECT_GT(parallel, judged / 10);
}
