//===- test/brs/TransfersOracleTest.cpp - Planned copies, carried out ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs random programs with two memories: kernels read and write the device's,
// everything else the host's, and only the planned copies go between. Every read
// must see the last value written, wherever that was; at the end the host must hold
// the last value of everything that outlives the function.
//
//===----------------------------------------------------------------------===//

#include "Generate.h"
#include "Member.h"
#include "Oracle.h"
#include "brs/Domain.h"
#include "brs/Kernels.h"
#include "brs/Shape.h"
#include "brs/Transfers.h"
#include "skeleton/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace busfare;
using namespace busfare::brs;
using namespace busfare::test;
using namespace busfare::skeleton;

namespace {

using Cell = std::pair<std::string, Element>; ///< Object and element.

class TwoMemories {
public:
  TwoMemories(const Program &program, const Function &function, const Region &region)
      : program(program), function(function), region(region) {
    for (const Kernel &kernel : region.kernels) kernels.insert(kernel.loop);
  }

  std::vector<std::string> complaints;
  /// Leaves this copy out, to see that the check notices.
  const Crossing *omitted = nullptr;

  void operator()(const Visit &visit) {
    if (!visit.after) copyAt(visit, false);
    if (visit.event) follow(visit, *visit.event);
    if (visit.after) copyAt(visit, true);
    if (auto *allocate = std::get_if<Allocate>(&visit.node.kind); allocate && visit.after) return;
  }

  /// What the caller sees.
  void finish(const std::vector<std::string> &objects) {
    for (const auto &[cell, version] : truth)
      if (llvm::is_contained(objects, cell.first) && host[cell] != version)
        complain("the host ends with an old value of", cell);
  }

private:
  const Program &program;
  const Function &function;
  const Region &region;
  std::set<const Loop *> kernels;
  std::map<Cell, int> truth, host, device;
  int version = 0;

  void complain(const std::string &what, const Cell &cell) {
    if (complaints.size() < 3) complaints.push_back(what + " " + cell.first + test::toString(Elements{cell.second}));
  }

  std::string objectOf(const Visit &visit, const std::string &name) const {
    auto found = visit.objects.find(name);
    return found == visit.objects.end() ? name : found->second;
  }

  /// Where its kernels do not run, a region moves nothing.
  bool mayRun(const Visit &visit) const {
    return llvm::all_of(region.runs, [&](const Expr &fact) { return fact.evaluate(visit.values).value_or(0) >= 0; });
  }

  void copyAt(const Visit &visit, bool after) {
    Location here = locationOf(visit.node);
    if (!here.isKnown() || !mayRun(visit)) return;
    auto *branch = std::get_if<Branch>(&visit.node.kind);
    bool isPassed = branch && branch->isRest;
    for (const ArrayTransfers &array : region.arrays) {
      std::vector<std::pair<const Crossing *, bool>> inOrder;
      for (bool toDevice : {false, true})
        for (const Crossing &crossing : toDevice ? array.h2d : array.d2h)
          if (&crossing != omitted && crossing.after == after && crossing.at == here && crossing.loops == visit.loops)
            inOrder.emplace_back(&crossing, toDevice);
      llvm::sort(inOrder, [](const auto &a, const auto &b) { return a.first->order < b.first->order; });
      for (const auto &[crossing, toDevice] : inOrder) {
        if (isPassed && complaints.size() < 3)
          complaints.push_back("a copy of " + array.name + " stands where a jump may pass it");
        carryOut(visit, array, *crossing, toDevice);
      }
    }
  }

  void carryOut(const Visit &visit, const ArrayTransfers &array, const Crossing &crossing, bool toDevice) {
    Element extents;
    for (const std::optional<Expr> &extent : array.extents)
      extents.push_back(extent ? extent->evaluate(visit.values).value_or(0) : 0);
    std::string object = objectOf(visit, array.name);
    Element element(extents.size(), 0);
    for (bool more = llvm::none_of(extents, [](int64_t e) { return e <= 0; }); more;) {
      if (test::holds(crossing.section, element, visit.values)) {
        Cell cell(object, element);
        auto &from = toDevice ? host : device;
        (toDevice ? device : host)[cell] = from.count(cell) ? from[cell] : (toDevice ? 0 : -1);
      }
      size_t d = 0;
      while (d < extents.size() && ++element[d] == extents[d]) element[d++] = 0;
      more = d < extents.size();
    }
  }

  void follow(const Visit &visit, const Event &event) {
    const Array *array = findArray(program, function, event.name);
    if (!array || array->isScalar() || array->perIteration) return;
    const bool onDevice = llvm::any_of(visit.loops, [&](const Loop *loop) { return kernels.count(loop); });
    if (onDevice && !mayRun(visit)) complaints.push_back("a kernel runs where its region is taken not to");
    bool shared = llvm::any_of(region.arrays, [&](const ArrayTransfers &a) { return a.name == event.name; });
    if (!shared) return; // private to a kernel, or never on the device
    Cell cell(event.object, event.element);
    auto &own = onDevice ? device : host;
    // Version 0 is what the host holds at the start; the device starts with nothing.
    if (!own.count(cell)) own[cell] = onDevice ? -1 : 0;
    truth.try_emplace(cell, 0);
    if (event.reads && own[cell] != truth[cell] && isDefined(cell))
      complain(std::string(onDevice ? "a kernel" : "the host") + " reads an old value of", cell);
    if (event.writes) own[cell] = truth[cell] = ++version;
  }

  /// Fresh memory holds nothing before its first write.
  bool isDefined(const Cell &cell) const {
    const Array *array = findArray(program, function, cell.first.substr(0, cell.first.find('#')));
    bool fresh = array && (array->storage == Storage::Local || array->storage == Storage::Heap);
    return !fresh || truth.at(cell) > 0;
  }
};

struct Planned {
  Program program;
  Function function;
  DependenceAnalysis dependence;
  TransferAnalysis transfers;
};

/// effort: in seconds, of the search for copies.
std::unique_ptr<Planned> plan(const std::string &text, double effort = 1000) {
  auto planned = std::make_unique<Planned>();
  auto program = parse(text, "t.skel");
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError()) << text;
    return nullptr;
  }
  planned->program = std::move(*program);
  const Function &f = planned->program.functions[0];
  planned->function = recoverShapes(planned->program, f, factsOf(planned->program, f)).function;
  Context facts = factsOf(planned->program, planned->function);
  planned->dependence = analyseDependence(planned->program, planned->function, facts);
  EffortBudget budget(effort);
  planned->transfers = analyseTransfers(planned->program, planned->function, planned->dependence, facts, false);
  return planned;
}

/// Complaints of one run; nothing if the run could not be made.
std::vector<std::string> run(const Planned &planned, Values values, unsigned seed, const Crossing *omitted = nullptr) {
  TwoMemories memories(planned.program, planned.function, planned.transfers.regions.front());
  memories.omitted = omitted;
  OracleOptions options;
  options.values = std::move(values);
  options.seed = seed;
  options.visit = std::ref(memories);
  auto trace = runSkeleton(planned.program, planned.function, options);
  if (!trace) {
    llvm::consumeError(trace.takeError());
    return {};
  }
  std::vector<std::string> live;
  for (const Array &array : planned.function.arrays)
    if (array.storage == Storage::Parameter) live.push_back(array.name);
  memories.finish(live);
  return memories.complaints;
}

/// Kernels, host statements and time loops over a few arrays, with rotations, partial and conditional writes, and
/// branches and jumps (`if ? rest`) around them. partner: all rotations exchange `a` with this one, some of them before
/// and behind loops and if a number is odd or even or a flag is set, so that how often they do may be known.
std::string randomProgram(unsigned seed, const std::string &partner = "") {
  std::mt19937 random(seed);
  auto pick = [&](int n) { return int(random() % unsigned(n)); };
  const char *arrays[] = {"a", "b", "c", "h"};
  unsigned loops = 0;
  auto array = [&] { return std::string(arrays[pick(4)]); };
  auto indexed = [&](const std::string &i) {
    const char *offsets[] = {"", " + 1", " + 2"};
    return pick(8) == 0 ? std::string("[2]") : "[" + i + offsets[pick(3)] + "]";
  };
  std::string text;
  const bool isGuarded = !partner.empty() && pick(4) == 0; ///< Kernels by the same flag.
  auto kernel = [&] {
    std::string i = "i" + std::to_string(++loops), target = array();
    const bool isGuardedHere = isGuarded && pick(4);
    if (isGuardedHere) text += "if ok - 1 >= 0 {\n";
    const char *bounds[] = {"0 .. n - 1", "1 .. n - 2", "0 .. n - 1 step 2", "n - 1 .. 0 step -1", "0 .. 2"};
    text += "for " + i + " = " + bounds[pick(5)] + " {\n";
    for (int reads = pick(3); reads >= 0; --reads)
      if (std::string source = array(); source != target) text += "read " + source + indexed(i) + "\n";
    std::string write = (pick(4) == 0 ? "update " + target + "[" + i + "] +\n" : "write " + target + "[" + i + "]\n");
    int guard = pick(5);
    text += guard == 0   ? "if ? probability 0.5 {\n" + write + "}\n"
            : guard == 1 ? "if " + i + " - 2 >= 0 {\n" + write + "}\n"
                         : write;
    text += isGuardedHere ? "ops fp64.add 1\n}\n}\n" : "ops fp64.add 1\n}\n";
  };
  auto hostLoop = [&] {
    std::string i = "i" + std::to_string(++loops), name = array();
    const char *bounds[] = {"0 .. n - 1", "0 .. 0", "1 .. 3"};
    text += "for " + i + " = " + bounds[pick(3)] + " {\nhost io \"x\" {\n" +
            (pick(2)   ? "read "
             : pick(3) ? "write "
                       : "may write ") +
            name + "[" + i + "]\n}\n}\n";
  };
  auto statement = [&] { pick(3) ? kernel() : hostLoop(); };
  auto exchange = [&] { return "rotate a <- " + partner + ", " + partner + " <- a\n"; };
  auto rotation = [&] {
    if (!partner.empty()) {
      text += pick(5) ? exchange() : "";
      return;
    }
    int k = pick(5);
    text += k == 0   ? "rotate a <- b, b <- a\n"
            : k == 1 ? "rotate a <- b, b <- c, c <- a\n"
            : k == 2 ? "if n - 5 >= 0 {\nrotate a <- b, b <- a\n}\n"
            : k == 3 ? "if ? {\nrotate a <- c, c <- a\n}\n"
                     : "";
  };
  auto choice = [&] {
    text += "if ? {\n";
    statement();
    text += "} else {\n";
    if (pick(2)) statement();
    text += "}\n";
  };
  auto exchangeByCondition = [&] {
    const char *conditions[] = {"steps mod 2 - 1 >= 0", "-(steps mod 2) >= 0", "ok - 1 >= 0", "-ok >= 0", "n - 7 >= 0"};
    std::string inner = pick(3) ? exchange() : "if " + std::string(conditions[pick(2)]) + " {\n" + exchange() + "}\n";
    text += "if " + std::string(conditions[pick(5)]) + (pick(2) ? " {\n" : " {\n} else {\n") + inner + "}\n";
  };
  /// The first iteration does another thing.
  auto followers = [&](const std::string &t) {
    text += "if -" + t + " >= 0 {\n";
    kernel();
    text += "} else {\n";
    kernel();
    text += "}\n";
  };
  if (!partner.empty() && pick(3) == 0) exchangeByCondition();
  const bool isInBranch = !partner.empty() && pick(3) == 0;
  if (isInBranch) text += "if ok - 1 >= 0 {\n";
  for (int parts = 1 + pick(3); parts > 0; --parts) {
    if (partner.empty() || pick(2)) statement();
    if (!partner.empty() && pick(4) == 0) exchangeByCondition();
    if (pick(2) || (!partner.empty() && pick(2))) {
      bool jumps = pick(partner.empty() ? 3 : 8) == 0;
      text += "for t" + std::to_string(++loops) + " = 0 .. steps - 1 " +
              (jumps && pick(2) ? (pick(2) ? "early-exit {\n" : "early-exit inside {\n") : "{\n");
      const std::string t = "t" + std::to_string(loops);
      if (!partner.empty() && pick(3) == 0) followers(t);
      for (int inner = 1 + pick(3); inner > 0; --inner) pick(6) ? statement() : choice();
      if (jumps) {
        text += "if ? rest {\n";
        for (int inner = 1 + pick(2); inner > 0; --inner) statement();
        text += "}\n";
      } else {
        rotation();
      }
      text += "}\n";
    }
  }
  if (isInBranch) text += "}\n";
  return "skeleton 1\nunit \"t.c\"\nfunction f(param n, param steps, array a, array b, array c)" +
         std::string(partner.empty() ? "" : " nonnegative(steps)") +
         " {\n"
         "array a : f64[n + 4] parameter restrict\narray b : f64[n + 4] parameter restrict\n"
         "array c : f64[n + 4] parameter restrict\narray h : f64[n + 4] heap\nalloc h[n + 4]\n" +
         std::string(partner.empty() ? "" : "define ok in 0 .. 1\n") + text + "}\n";
}

/// The copies are carried out between two memories; no read may see an old value.
void runPrograms(double effort, unsigned &withRegion, unsigned &whole, const std::string &partner = "") {
  unsigned copies = 0;
  const char *wanted = getenv("BUSFARE_FUZZ_PROGRAMS");
  unsigned programs = wanted ? atoi(wanted) : partner.empty() ? 250 : 50;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    std::string text = randomProgram(seed, partner);
    auto planned = plan(text, effort);
    ASSERT_TRUE(planned);
    if (planned->transfers.regions.empty()) continue;
    ++withRegion;
    whole += !planned->transfers.regions[0].copiedWhole.empty();
    for (const ArrayTransfers &array : planned->transfers.regions[0].arrays)
      copies += array.h2d.size() + array.d2h.size();
    for (auto [n, steps] : {std::pair<int64_t, int64_t>{7, 1}, {6, 2}, {9, 5}})
      for (unsigned chance : {1, 2, 3}) {
        std::vector<std::string> complaints = run(*planned, {{"n", n}, {"steps", steps}}, chance);
        ASSERT_TRUE(complaints.empty()) << "seed " << seed << ", n = " << n << ", steps = " << steps << ": "
                                        << complaints.front() << "\n"
                                        << text;
      }
  }
  EXPECT_GT(withRegion, programs / 2);
  EXPECT_GT(copies, programs);
}

TEST(TransfersOracle, EveryReadSeesTheLastValue) {
  unsigned withRegion = 0, whole = 0;
  runPrograms(1000, withRegion, whole);
  EXPECT_LT(whole, withRegion / 4) << "most plans are made of sections";
}

TEST(TransfersOracle, TwoNamesThatChangePlacesEndWhereTheyAreSaidTo) {
  for (const char *partner : {"b", "h"}) {
    unsigned withRegion = 0, whole = 0;
    runPrograms(1000, withRegion, whole, partner);
    EXPECT_LT(whole, withRegion / 4);
  }
}

TEST(TransfersOracle, WithoutEffortWholeArraysAreCopiedAndEveryReadSeesTheLastValue) {
  unsigned withRegion = 0, whole = 0;
  runPrograms(0, withRegion, whole);
  EXPECT_EQ(whole, withRegion);
}

TEST(TransfersOracle, ALostCopyIsNoticed) {
  unsigned omitted = 0, noticed = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    auto planned = plan(randomProgram(seed));
    ASSERT_TRUE(planned);
    if (planned->transfers.regions.empty()) continue;
    for (const ArrayTransfers &array : planned->transfers.regions[0].arrays)
      for (const auto *list : {&array.h2d, &array.d2h})
        for (const Crossing &crossing : *list) {
          ++omitted;
          bool seen = false;
          for (auto [n, steps] : {std::pair<int64_t, int64_t>{7, 1}, {6, 2}, {9, 5}})
            for (unsigned chance : {1, 2, 3, 4})
              seen |= !run(*planned, {{"n", n}, {"steps", steps}}, chance, &crossing).empty();
          noticed += seen;
        }
  }
  // Some copies only matter in runs that chance did not make (a conditional write that always happened).
  EXPECT_GT(omitted, 100u);
  EXPECT_GT(noticed, omitted * 3 / 4) << noticed << " of " << omitted;
}

} // namespace
