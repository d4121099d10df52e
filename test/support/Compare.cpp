//===- test/support/Compare.cpp - An analysis against runs of its program -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "Member.h"
#include "Oracle.h"
#include "brs/Domain.h"
#include "brs/Effects.h"
#include "brs/Presburger.h"
#include "projection/Sizes.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::test {
using namespace skeleton;

namespace {

struct Check {
  const Program &program;
  const projection::Root &root;
  const CompareOptions &options;
  Comparison result;

  void complain(const std::string &what) { result.found.push_back(what); }

  /// Symbols of the set that the run's values do not settle (defined on the way) leave its must side open.
  static bool isSettled(const brs::ElementSet &set, const Values &values) {
    return set.representation() && llvm::all_of(set.representation()->names(),
                                                [&](const Expr &name) { return name.evaluate(values).has_value(); });
  }

  void compare(const Trace &trace, const Span &span, const Block &block, const std::string &where) {
    brs::Effects effects = brs::effectsOf(program, root.function, block, brs::Nest(root.context));
    auto reads = readsIn(trace, span), writes = writesIn(trace, span), exposed = exposedIn(trace, span);
    auto inside = [&](const char *what, const std::map<std::string, Elements> &touched,
                      brs::ElementSet brs::ArrayEffects::*set) {
      for (const auto &[name, elements] : touched) {
        const Array *array = findArray(program, root.function, name.substr(0, name.find('#')));
        if (!array || array->perIteration || name.find('#') != std::string::npos)
          continue; // fresh memory is not the array that was there on entry
        auto found = effects.arrays.find(name);
        Elements missing =
            found == effects.arrays.end() ? elements : outside(found->second.*set, elements, span.values);
        if (!missing.empty())
          complain(where + ": " + what + " of " + name + " lacks " + toString(Elements{*missing.begin()}));
      }
    };
    inside("may-read", reads, &brs::ArrayEffects::mayRead);
    inside("may-write", writes, &brs::ArrayEffects::mayWrite);
    inside("exposed read", exposed, &brs::ArrayEffects::exposedRead);
    for (const auto &[name, sets] : effects.arrays) {
      const Array *array = findArray(program, root.function, name);
      if (!array || array->storage == Storage::Heap || sets.mustWrite.isProvablyEmpty() ||
          !isSettled(sets.mustWrite, span.values))
        continue;
      Element extents;
      int64_t all = 1;
      for (const std::optional<Expr> &extent : array->extents) {
        extents.push_back(extent ? extent->evaluate(span.values).value_or(0) : 0);
        all *= extents.back();
      }
      if (all <= 0 || all > options.maxElements) continue;
      for (const Element &element : allOf(sets.mustWrite, extents, span.values))
        if (!writes[name].count(element))
          complain(where + ": must-write of " + name + " holds " + toString(Elements{element}) +
                   ", which was not written");
    }
  }

  void compareNests(const Trace &trace, const Block &block) {
    for (const Node &node : block) {
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        auto runs = trace.loops.find(loop);
        if (runs != trace.loops.end() && !runs->second.empty())
          compare(trace, runs->second.front().all, Block{node}, "loop at line " + std::to_string(loop->location.line));
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        compareNests(trace, branch->then);
        compareNests(trace, branch->otherwise);
      }
    }
  }

  void compareVerdicts(const Trace &trace) {
    for (const brs::LoopVerdict &verdict : root.dependence.loops) {
      if (!verdict.parallel) continue;
      ++result.loopsChecked;
      // A function called in the loop has its own variables each time; their names say through how many calls.
      auto isOfCallInside = [&](const std::string &name) {
        const Array *array = findArray(program, root.function, name);
        return array && array->storage == Storage::Local &&
               size_t(llvm::count(name, '@')) > verdict.loop->context.size();
      };
      for (const std::string &name : conflictsOf(trace, *verdict.loop))
        if (!isOfCallInside(name) &&
            llvm::none_of(verdict.needs, [&](const brs::Need &need) { return need.name == name; }))
          complain("loop at line " + std::to_string(verdict.loop->location.line) +
                   " is called parallel, but iterations meet in " + name);
    }
  }

  void run() {
    llvm::Expected<projection::Sizes> sizes = projection::bindSizes(program, root, {});
    if (!sizes) {
      result.lastError = llvm::toString(sizes.takeError());
      return;
    }
    for (unsigned seed = 1; seed <= options.runs; ++seed) {
      OracleOptions choices;
      choices.seed = seed;
      choices.maxEvents = options.maxEvents;
      // Values loaded from memory index arrays here: they are taken from what the smallest ones hold.
      choices.definedLow = 0;
      choices.definedHigh = 4;
      for (const auto &[symbol, parameter] : sizes->bySymbol)
        choices.values[symbol] = parameter.source == projection::ParameterSource::Assumed ? 3 + seed : parameter.value;
      forEachNode(root.function.body,
                  [&](const Node &node) { // drawn where it is defined: nothing is known of it before
                    if (const auto *define = std::get_if<Define>(&node.kind)) choices.values.erase(define->symbol);
                  });
      llvm::Expected<Trace> trace = runSkeleton(program, root.function, choices);
      if (!trace) {
        result.lastError = llvm::toString(trace.takeError());
        continue;
      }
      ++result.runs;
      compare(*trace, trace->all, root.function.body, "whole");
      compareNests(*trace, root.function.body);
      compareVerdicts(*trace);
    }
  }
};

} // namespace

Comparison compareWithRuns(const Program &program, const projection::Root &root, const CompareOptions &options) {
  Check check{program, root, options, {}};
  check.run();
  return check.result;
}

} // namespace busfare::test
