//===- projection/Explain.cpp - Why one loop nest costs what it costs ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Explain.h"
#include "brs/Effects.h"
#include "brs/Kernels.h"
#include "projection/Describe.h"
#include "projection/ExplainParts.h"
#include "projection/Judge.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// `src/a.c` is meant by itself, `a.c`, and `/home/me/src/a.c`.
bool isSameFile(llvm::StringRef file, llvm::StringRef asked) {
  if (file == asked) return true;
  while (asked.consume_front("./"));
  while (file.consume_front("./"));
  return file == asked || file.ends_with(("/" + asked).str()) || asked.ends_with(("/" + file).str());
}

/// Of one call path's statements in the file asked for.
struct Lines {
  unsigned first = 0, last = 0;
  void add(unsigned line) {
    first = first ? std::min(first, line) : line;
    last = std::max(last, line);
  }
  bool holds(unsigned line) const { return first && first <= line && line <= last; }
};

class Explainer {
public:
  Explainer(const Program &program, const ProjectOptions &options, const ExplainedPlace &place)
      : program(program), options(options), place(place) {}

  Explanation result;

  void look(const Root &root, const Sizes &sizes, llvm::ArrayRef<RegionReport> regions);

private:
  const Program &program;
  const ProjectOptions &options;
  const ExplainedPlace &place;
  std::set<std::pair<Location, std::vector<std::string>>> seen;
  std::set<std::string> regionsSeen;
  std::map<const Loop *, unsigned> paths; ///< Node::path of the root's loops.

  bool holds(const Loop &loop) const;
  const Loop *innermostAt(llvm::ArrayRef<Node> block, const brs::KernelLoops &kernels,
                          std::vector<const Loop *> &around) const;
  ExplainedNest describe(const Root &root, const Loop &loop, const RealValues &values) const;
  void addKernel(const Root &root, const Sizes &sizes, const brs::Region &region, const RegionReport &report,
                 size_t index);
  void addHostLoop(const Root &root, const Sizes &sizes, const Loop &loop, const std::vector<const Loop *> &around,
                   const brs::KernelLoops &kernels);
  std::string whyOnHost(const Root &root, const Loop &loop) const;
  void addNearest(const Root &root);
};

/// The line is the loop's own, or in code that it calls.
bool Explainer::holds(const Loop &loop) const {
  std::map<unsigned, Lines> byPath;
  auto add = [&](unsigned path, const Location &location) {
    if (location.isKnown() && isSameFile(location.file, place.file)) byPath[path].add(location.line);
  };
  auto own = paths.find(&loop);
  add(own == paths.end() ? 0 : own->second, loop.location);
  forEachNode(loop.body, [&](const Node &node) { add(node.path, locationOf(node)); });
  return llvm::any_of(byPath, [&](const auto &entry) { return entry.second.holds(place.line); });
}

/// The innermost loop that holds the line and is part of no kernel, and the loops around it.
const Loop *Explainer::innermostAt(llvm::ArrayRef<Node> block, const brs::KernelLoops &kernels,
                                   std::vector<const Loop *> &around) const {
  for (const Node &node : block) {
    if (auto *branch = std::get_if<Branch>(&node.kind)) {
      for (const Block *side : {&branch->then, &branch->otherwise})
        if (const Loop *found = innermostAt(*side, kernels, around)) return found;
      continue;
    }
    auto *loop = std::get_if<Loop>(&node.kind);
    if (!loop || kernels.count(loop) || !holds(*loop)) continue;
    around.push_back(loop);
    if (const Loop *inner = innermostAt(loop->body, kernels, around)) return inner;
    around.pop_back();
    return loop;
  }
  return nullptr;
}

/// What holds of any nest.
ExplainedNest Explainer::describe(const Root &root, const Loop &loop, const RealValues &values) const {
  ExplainedNest nest;
  nest.location = loop.location;
  nest.root = root.name;
  nest.context = loop.context;
  nest.function = loop.context.empty() ? root.name : llvm::StringRef(loop.context.back()).split(" (").first.str();
  Work work = workOf(loop, values);
  nest.loops = explainedLoops(root, loop, work);
  nest.sections = explainedSections(program, root, loop, values);
  nest.operations = explainedOperations(loop, work, values);
  nest.branches = explainedBranches(loop);
  return nest;
}

void Explainer::addKernel(const Root &root, const Sizes &sizes, const brs::Region &region, const RegionReport &report,
                          size_t index) {
  const brs::Kernel &kernel = region.kernels[index];
  RealValues values = sizes.realValues();
  TripOverrides overrides =
      iterationsOf(region, options.iterations ? std::optional<double>(double(*options.iterations)) : std::nullopt);
  if (!region.timeLoops.empty() && !report.on.empty() && report.on.front().second.iterations.assumed)
    overrides = iterationsOf(region, 1);
  // One launch in the middle of the loops around it.
  RealValues inside = values;
  std::vector<ExplainedLoop> around;
  for (const Loop *loop : kernel.serialLoops) {
    double trips = tripsOf(*loop, inside, overrides);
    around.push_back(explainedLoop(root, *loop));
    around.back().iterations = trips;
    around.back().isAround = true;
    inside[loop->index] =
        loop->lower.evaluateReal(inside).value_or(0) + double(loop->step) * std::max(0.0, trips - 1) / 2;
  }
  ExplainedNest nest = describe(root, *kernel.loop, inside);
  nest.loops.insert(nest.loops.begin(), around.begin(), around.end());
  nest.isKernel = true;
  nest.region = report.id;
  for (size_t m = 0; m < options.machines.size(); ++m) {
    const auto &[name, answer] = report.on[m];
    nest.on.push_back({name, answer.kernels[index], answer.kernelTerms[index], {}});
    nest.on.back().copies =
        explainedCopies(root, region, report, *kernel.loop, values, overrides, options.machines[m], answer.plan.memory);
  }
  result.nests.push_back(std::move(nest));
  if (regionsSeen.insert(report.id).second) result.regions.push_back(report);
}

std::string Explainer::whyOnHost(const Root &root, const Loop &loop) const {
  const brs::LoopVerdict *verdict = root.dependence.find(loop);
  if (!verdict) return "no verdict: the analysis ran out of its effort";
  if (!verdict->parallel) return spokenReason(verdict->reason.empty() ? "not parallel" : verdict->reason);
  if (std::string why = brs::whyHostOnly(program, root.function, loop); !why.empty())
    return "parallel, but only the host can run " + withoutPaths(why);
  for (const Finding &finding : root.transfers.findings)
    if (finding.rule == Rule::EffortExceeded && finding.level == Level::Warning && finding.location == loop.location)
      return "parallel, but " + withoutNumbers(withoutPaths(finding.message));
  return "parallel, but it makes no kernel: it runs once, or only copies or initialises memory while no kernel is near";
}

void Explainer::addHostLoop(const Root &root, const Sizes &sizes, const Loop &loop,
                            const std::vector<const Loop *> &around, const brs::KernelLoops &kernels) {
  RealValues values = sizes.realValues();
  for (const Loop *outer : around) values[outer->index] = outer->lower.evaluateReal(values).value_or(0);
  ExplainedNest nest = describe(root, loop, values);
  nest.whyOnHost = whyOnHost(root, loop);
  std::vector<ExplainedLoop> outer;
  for (const Loop *one : around) {
    if (one == &loop) break;
    outer.push_back(explainedLoop(root, *one));
    outer.back().isAround = true;
    outer.back().iterations = tripsOf(*one, values);
  }
  nest.loops.insert(nest.loops.begin(), outer.begin(), outer.end());
  forEachNode(loop.body, [&](const Node &node) {
    auto *inner = std::get_if<Loop>(&node.kind);
    if (!inner || !kernels.count(inner)) return;
    std::string id = toString(Location{inner->location.file, inner->location.line, 0});
    if (!llvm::is_contained(nest.kernelsInside, id)) nest.kernelsInside.push_back(id);
  });
  result.nests.push_back(std::move(nest));
}

void Explainer::addNearest(const Root &root) {
  for (const brs::LoopVerdict &verdict : root.dependence.loops) {
    const Location &location = verdict.loop->location;
    if (!location.isKnown() || !isSameFile(location.file, place.file)) continue;
    std::string function = verdict.loop->context.empty()
                               ? root.name
                               : llvm::StringRef(verdict.loop->context.back()).split(" (").first.str();
    if (llvm::none_of(result.nearest, [&](const auto &known) { return known.first == location; }))
      result.nearest.emplace_back(location, function);
  }
}

void Explainer::look(const Root &root, const Sizes &sizes, llvm::ArrayRef<RegionReport> regions) {
  paths.clear();
  forEachNode(root.function.body, [&](const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) paths[loop] = node.path;
  });
  brs::KernelLoops kernels;
  bool found = false;
  for (size_t r = 0; r < regions.size(); ++r) {
    const brs::Region &region = root.transfers.regions[r];
    for (size_t k = 0; k < region.kernels.size(); ++k) {
      const Loop &loop = *region.kernels[k].loop;
      kernels.insert(&loop);
      if (!holds(loop)) continue;
      found = true;
      if (seen.insert({loop.location, loop.context}).second) addKernel(root, sizes, region, regions[r], k);
    }
  }
  std::vector<const Loop *> around;
  const Loop *loop = found ? nullptr : innermostAt(root.function.body, kernels, around);
  if (loop && seen.insert({loop->location, loop->context}).second) addHostLoop(root, sizes, *loop, around, kernels);
  addNearest(root);
}

/// The lines of the nests, as far as their loops say.
void addFindings(const Report &report, Explanation &explanation) {
  for (const Finding &finding : report.findings)
    for (const ExplainedNest &nest : explanation.nests) {
      unsigned first = nest.location.line, last = first;
      for (const ExplainedLoop &loop : nest.loops)
        if (!loop.isAround && loop.loop.location.file == nest.location.file)
          last = std::max(last, loop.loop.location.line);
      last = std::max(last, explanation.line);
      bool isThere = finding.location.file == nest.location.file && first <= finding.location.line &&
                     finding.location.line <= last;
      if (isThere && !llvm::is_contained(explanation.findings, finding)) explanation.findings.push_back(finding);
    }
}

/// The nearest loops first, a few.
void trimNearest(Explanation &explanation) {
  constexpr size_t few = 5;
  if (!explanation.nests.empty()) explanation.nearest.clear();
  auto distance = [&](const auto &one) { return std::abs(int64_t(one.first.line) - int64_t(explanation.line)); };
  llvm::stable_sort(explanation.nearest, [&](const auto &a, const auto &b) {
    return std::pair(distance(a), a.first) < std::pair(distance(b), b.first);
  });
  explanation.nearest.erase(std::unique(explanation.nearest.begin(), explanation.nearest.end()),
                            explanation.nearest.end());
  if (explanation.nearest.size() > few) explanation.nearest.resize(few);
}

} // namespace

llvm::Expected<Explanation> explain(const Program &program, const ProjectOptions &options,
                                    const ExplainedPlace &place) {
  Explainer explainer(program, options, place);
  explainer.result.file = place.file;
  explainer.result.line = place.line;
  ProjectOptions own = options;
  own.wantsTerms = true;
  own.afterRoot = [&](const Root &root, const Sizes &sizes, llvm::ArrayRef<RegionReport> regions) {
    explainer.look(root, sizes, regions);
  };
  llvm::Expected<Report> report = project(program, own);
  if (!report) return report.takeError();
  Explanation result = std::move(explainer.result);
  result.version = report->version;
  result.machines = report->machines;
  result.profileRows = report->profileRows;
  addFindings(*report, result);
  trimNearest(result);
  return result;
}

Explanation joinExplanations(std::vector<Explanation> explanations) {
  Explanation all;
  for (Explanation &one : explanations) {
    if (all.file.empty()) {
      all = std::move(one);
      continue;
    }
    llvm::move(one.nests, std::back_inserter(all.nests));
    llvm::move(one.regions, std::back_inserter(all.regions));
    llvm::move(one.nearest, std::back_inserter(all.nearest));
    for (const auto &[name, match] : one.profileRows)
      if (auto [known, isNew] = all.profileRows.emplace(name, match); !isNew)
        known->second = std::min(known->second, match);
    for (Finding &finding : one.findings)
      if (!llvm::is_contained(all.findings, finding)) all.findings.push_back(std::move(finding));
  }
  trimNearest(all);
  return all;
}

} // namespace busfare::projection
