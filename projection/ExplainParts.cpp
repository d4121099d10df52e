//===- projection/ExplainParts.cpp - Loops, sections, operations, copies ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/ExplainParts.h"
#include "brs/Domain.h"
#include "projection/Describe.h"
#include "projection/Link.h"
#include "projection/Shares.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

//===--- Loops ------------------------------------------------------------===//

static std::string spoken(const Expr &expr) { return withoutPaths(compact(toString(expr))); }

/// In parentheses unless it is one factor.
static std::string factor(const std::string &text) {
  return text.find_first_of("+-") == std::string::npos ? text : "(" + text + ")";
}

static std::string tripsFormula(const Loop &loop) {
  Expr distance = spanOf(loop);
  int64_t step = std::abs(loop.step);
  if (step == 1) return spoken(distance + Expr(1));
  return "floor(" + factor(spoken(distance)) + "/" + std::to_string(step) + ")+1";
}

ExplainedLoop explainedLoop(const Root &root, const Loop &loop) {
  ExplainedLoop result;
  for (LoopReport &report : describeLoops(root, &loop)) result.loop = std::move(report);
  result.lower = spoken(loop.lower);
  result.upper = spoken(loop.upper);
  result.step = loop.step;
  result.trips = tripsFormula(loop);
  return result;
}

std::vector<ExplainedLoop> explainedLoops(const Root &root, const Loop &loop, const Work &work) {
  std::vector<ExplainedLoop> result;
  auto add = [&](const Loop &one) {
    result.push_back(explainedLoop(root, one));
    auto counted = work.iterations.find(&one);
    result.back().iterations = counted == work.iterations.end() ? 0 : counted->second;
  };
  add(loop);
  forEachNode(loop.body, [&](const Node &node) {
    if (auto *inner = std::get_if<Loop>(&node.kind)) add(*inner);
  });
  return result;
}

//===--- Sections and operations --------------------------------------------===//

std::vector<ExplainedSection> explainedSections(const Program &program, const Root &root, const Loop &loop,
                                                const RealValues &values) {
  std::vector<ExplainedSection> result;
  brs::Nest nest(root.context);
  brs::Effects effects = brs::effectsOf(program, root.function, loop, nest, &root.effects);
  for (const auto &[name, sets] : effects.arrays) {
    const Array *array = root.arrays.find(name);
    if (!array || array->isScalar() || array->perIteration) continue;
    for (auto [access, set] : {std::pair("read", &sets.mayRead), std::pair("write", &sets.mayWrite)}) {
      if (set->isProvablyEmpty()) continue;
      brs::SectionSet section = set->toSections(array->extents, root.context);
      ExplainedSection one;
      one.array = withoutPaths(name);
      one.access = access;
      one.section = withoutPaths(compact(brs::toString(section)));
      one.exact = section.exact;
      if (std::optional<Expr> count = brs::countAtMost(section, root.context)) {
        one.formula = spoken(Expr(int64_t(array->type.bytes)) * *count);
        if (std::optional<double> elements = count->evaluateReal(values))
          one.bytes = double(array->type.bytes) * std::max(0.0, *elements);
      }
      result.push_back(std::move(one));
    }
  }
  return result;
}

namespace {

/// Operations of one kind under the same loops.
struct Part {
  double each = 0, count = 0;
  std::string iterations; ///< "(n-2)*m"; empty outside all loops.
};

/// Operations by where they stand. isWhole turns false where a branch or an inner bound leaves no product.
struct OperationWalk {
  const RealValues &values;
  std::map<Operation, std::vector<Part>> parts{};
  bool isWhole = true;

  void walk(const Block &block, const std::string &iterations, double times, const std::vector<std::string> &indices) {
    for (const Node &node : block) {
      if (auto *operations = std::get_if<Operations>(&node.kind)) {
        for (const auto &[operation, each] : operations->counts) add(parts[operation], each, times, iterations);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        double share = shareOf(branch->condition, values);
        std::string taken = llvm::formatv("{0:f2}", share).str(), other = llvm::formatv("{0:f2}", 1 - share).str();
        isWhole &= !branch->condition.exact;
        walk(branch->then, iterations + (iterations.empty() ? "" : "*") + taken, times * share, indices);
        walk(branch->otherwise, iterations + (iterations.empty() ? "" : "*") + other, times * (1 - share), indices);
      } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
        walkLoop(*loop, iterations, times, indices);
      }
    }
  }

  void walkLoop(const Loop &loop, const std::string &iterations, double times, std::vector<std::string> indices) {
    for (const std::string &index : indices) isWhole &= !loop.lower.mentions(index) && !loop.upper.mentions(index);
    indices.push_back(loop.index);
    std::string trips = factor(tripsFormula(loop));
    walk(loop.body, iterations + (iterations.empty() ? "" : "*") + trips, times * tripsOf(loop, values), indices);
  }

private:
  static void add(std::vector<Part> &all, double each, double times, const std::string &iterations) {
    for (Part &part : all)
      if (part.iterations == iterations) {
        part.each += each;
        part.count += each * times;
        return;
      }
    all.push_back({each, each * times, iterations});
  }
};

} // namespace

std::vector<ExplainedOperation> explainedOperations(const Loop &loop, const Work &work, const RealValues &values) {
  OperationWalk walk{values};
  walk.walkLoop(loop, "", 1, {});
  std::vector<ExplainedOperation> result;
  for (const auto &[operation, parts] : walk.parts) {
    ExplainedOperation one{toString(operation), work.of(operation), ""};
    double sum = 0;
    std::string formula;
    for (const Part &part : parts) {
      sum += part.count;
      formula += (formula.empty() ? "" : " + ") +
                 (part.each == 1 && !part.iterations.empty()
                      ? part.iterations
                      : formatCount(part.each) + (part.iterations.empty() ? "" : "*" + part.iterations));
    }
    if (walk.isWhole && std::abs(sum - one.count) <= 1e-9 * one.count) one.formula = formula;
    if (one.count > 0) result.push_back(std::move(one));
  }
  return result;
}

std::vector<ExplainedBranch> explainedBranches(const Loop &loop) {
  std::vector<ExplainedBranch> result;
  forEachNode(loop.body, [&](const Node &node) {
    auto *branch = std::get_if<Branch>(&node.kind);
    if (branch && !branch->condition.exact)
      result.push_back({branch->location, branch->condition.probability,
                        branch->condition.isMeasured           ? "profile"
                        : branch->condition.probability == 0.5 ? "assumed"
                                                               : "given"});
  });
  return result;
}

//===--- Copies -------------------------------------------------------------===//

/// The time of a crossing's copies, which is the cost's, by what the link's model is made of.
static TimeTerm copyTerm(const CrossingCost &cost, Direction direction, HostMemory memory, const Machine &machine) {
  const Link &link = machine.link;
  bool toDevice = direction == Direction::ToDevice, pinned = memory == HostMemory::Pinned;
  TimeTerm term;
  term.time = pinned ? cost.time : cost.pageableTime;
  term.name = "copies";
  double copies = cost.copies * cost.count, bytes = cost.movedBytes * cost.count;
  double plain = cost.count * transferTime(link, direction, memory, cost.movedBytes, cost.copies);
  TermInput moved =
      counted("bytes moved", bytes, "B", formatCount(cost.count) + " times " + formatCount(cost.movedBytes) + " B");
  if (const TransferCurve *curve = findCurve(link, direction, memory)) {
    term.formula = "sweep({0}, {1} copies)";
    term.inputs = {
        moved,
        counted("copies", copies, "", "copy operations"),
        {"link.measured", double(curve->points.size()), "points", toString(curve->kind).str(), curve->source}};
  } else {
    const Quantity &latency = toDevice ? (pinned ? link.pinnedH2dLatency : link.pageableH2dLatency)
                                       : (pinned ? link.pinnedD2hLatency : link.pageableD2hLatency);
    const Quantity &bandwidth = toDevice ? (pinned ? link.pinnedH2dBandwidth : link.pageableH2dBandwidth)
                                         : (pinned ? link.pinnedD2hBandwidth : link.pageableD2hBandwidth);
    term.formula = "{1} * {2} + {0} / {3}";
    term.inputs = {moved, counted("copies", copies, "", "copy operations"), inputOf(link, latency),
                   inputOf(link, bandwidth)};
  }
  if (std::abs(plain - term.time) > 1e-9 * term.time) {
    term.formula += " + {" + std::to_string(term.inputs.size()) + "}";
    term.inputs.push_back(
        counted("stepping", term.time - plain, "s",
                cost.varies ? "copies of different sizes, added up" : "from row to row of the section, or packing it"));
  }
  return term;
}

std::vector<ExplainedCopy> explainedCopies(const Root &root, const brs::Region &region, const RegionReport &report,
                                           const Loop &loop, const RealValues &values, const TripOverrides &overrides,
                                           const Machine &machine, const std::string &memory) {
  std::vector<ExplainedCopy> result;
  std::set<std::string> touched;
  for (const Footprint &part : root.kernels.at(&loop).footprint) touched.insert(part.array);
  for (size_t a = 0; a < region.arrays.size(); ++a) {
    const brs::ArrayTransfers &array = region.arrays[a];
    const ArrayReport &said = report.arrays[a];
    if (!touched.count(array.name)) continue;
    for (Direction way : {Direction::ToDevice, Direction::ToHost}) {
      const std::vector<brs::Crossing> &crossings = way == Direction::ToDevice ? array.h2d : array.d2h;
      const std::optional<DirectionReport> &direction = way == Direction::ToDevice ? said.h2d : said.d2h;
      for (size_t c = 0; c < crossings.size(); ++c) {
        CrossingCost cost =
            costOf(array, crossings[c], way, root.crossings.at(&crossings[c]), values, overrides, machine);
        result.push_back(
            {said.name, toString(way).str(), direction->crossings[c],
             copyTerm(cost, way, memory == "pageable" ? HostMemory::Pageable : HostMemory::Pinned, machine)});
      }
    }
  }
  return result;
}

} // namespace busfare::projection
