//===- clang-plugin/port/Port.cpp - The plan as OpenMP target code --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Port.h"
#include "brs/Handlers.h"
#include "clang-plugin/port/Handlers.h"
#include "clang-plugin/port/MarkedLoops.h"
#include "clang-plugin/port/Measure.h"
#include "clang-plugin/port/Order.h"
#include "clang-plugin/port/OwnTargets.h"
#include "clang-plugin/port/Region.h"
#include "clang-plugin/port/Units.h"
#include "projection/Judge.h"
#include "projection/Mixes.h"
#include "projection/Project.h"
#include "projection/Root.h"
#include "projection/Sizes.h"
#include "skeleton/Visit.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

namespace {

/// A root, and the transfers of its plans: by what they do without.
struct Analysed {
  std::unique_ptr<projection::Root> root;
  brs::PlanLimits limits; ///< Of root->transfers.
  std::map<brs::PlanLimits, brs::TransferAnalysis> otherPlans;
};

class ProgramPorter : public OpenProgram {
public:
  ProgramPorter(Program skeletons, std::vector<ProgramUnit> units) : skeletons(std::move(skeletons)), units(std::move(units)) {}

  const Program &program() const override { return skeletons; }
  llvm::Expected<const projection::Root *> root(const std::string &name) override;
  llvm::Expected<PortedProgram> port(const PortOptions &options) override;
  llvm::Expected<MeasuredProgram> measure(const std::vector<std::string> &functions) override;

private:
  const Program skeletons;
  const std::vector<ProgramUnit> units;
  std::map<std::string, Analysed> roots;

  llvm::Expected<Analysed *> analysed(const std::string &name);
  void planAgain(Analysed &one, const brs::PlanLimits &limits);
  llvm::Error order(PortedProgram &result);
};

/// One port of it.
class Porting {
public:
  Porting(const Program &program, llvm::ArrayRef<ProgramUnit> units, const PortOptions &options, PortedProgram &result)
      : program(program), options(options), result(result), units(units), instances(units) {}

  llvm::Error portRoot(const projection::Root &root, llvm::function_ref<void(const brs::PlanLimits &)> planAgain);
  void finish();

private:
  const Program &program;
  const PortOptions &options;
  PortedProgram &result;
  llvm::ArrayRef<ProgramUnit> units;
  Instances instances;
  unsigned regions = 0;

  std::vector<Finding> staying; ///< Of one root: what its plan has to do without, or does better without.

  bool endAtHandlers(const projection::Root &root);
  bool portRegions(const projection::Root &root, const projection::Sizes &sizes, brs::PlanLimits &limits);
  bool keepCheaper(const projection::Root &root, const projection::Sizes &sizes, brs::PlanLimits &limits);
  void addIncludes(PortedFile &file, bool isCxx);
};

/// True if nothing more is to be tried; else the limits are narrower, and what was written is void.
bool Porting::portRegions(const projection::Root &root, const projection::Sizes &sizes, brs::PlanLimits &limits) {
  for (const brs::Region &region : root.transfers.regions) {
    RealValues values = sizes.realValues();
    projection::TripOverrides overrides = projection::iterationsOf(region, options.iterations);
    Instances::Mark mark = instances.mark();
    PortedProgram before = result;
    RegionQuestion question{program, root, region, options, values, overrides, regions + 1};
    std::optional<Refusal> refusal = portRegion(question, instances, result);
    if (!refusal) {
      ++regions;
      continue;
    }
    if (!refusal->doubted.empty()) {
      limits.doubted.insert(refusal->doubted.begin(), refusal->doubted.end());
      staying.push_back({Rule::UnknownTripCount, Level::Remark, refusal->at, refusal->reason});
      return false;
    }
    if (refusal->kernels.empty()) {
      instances.backTo(std::move(mark));
      result = std::move(before);
      result.findings.push_back({Rule::NotPorted, Level::Warning, refusal->at, "not ported: " + refusal->reason});
      continue;
    }
    for (const Loop *loop : refusal->kernels) {
      limits.onHost.insert(loop);
      auto own = refusal->reasons.find(loop);
      staying.push_back({Rule::NotPorted, Level::Warning, loop->location,
                         "this loop stays on the host: " + (own == refusal->reasons.end() ? refusal->reason : own->second)});
    }
    return false;
  }
  return true;
}

/// Looks for kernels that are better left on the host, with all others that can be ported on the device. True if there are
/// none; else the limits are narrower.
bool Porting::keepCheaper(const projection::Root &root, const projection::Sizes &sizes, brs::PlanLimits &limits) {
  bool isBest = true;
  const brs::PlanLimits before = limits;
  for (const brs::Region &region : root.transfers.regions) {
    const projection::TripOverrides overrides = projection::iterationsOf(region, options.iterations);
    const projection::MixQuestion question{program, root, region, options.machine, {}, sizes.realValues(), overrides, before};
    const std::vector<projection::Mix> mixes = projection::mixesOf(question);
    projection::PlanPricer pricer(root, region, options.machine, question.options, mixes);
    const projection::Mix *chosen = pricer.chosenAt(question.values, overrides);
    if (!chosen)
      continue;
    isBest = false;
    for (const auto &[kernel, here] : chosen->kept) {
      limits.onHost.insert(kernel);
      forEachNode(kernel->body, [&](const Node &node) {
        if (auto *inner = std::get_if<Loop>(&node.kind))
          limits.onHost.insert(inner);
      });
      staying.push_back({Rule::NotPorted, Level::Remark, kernel->location,
                         "this loop stays on the host: with its copies it costs more on " + options.machine.name +
                             " than it saves, at these sizes (--kernels all ports it)"});
    }
  }
  return isBest;
}

/// False if there is one at which the program cannot be made to end.
bool Porting::endAtHandlers(const projection::Root &root) {
  for (const Location &handler : brs::handlersIn(root.function)) {
    bool isDone = false;
    for (size_t k = 0; k < units.size() && !isDone; ++k)
      if (std::optional<Edit> edit = endAtHandler(*units[k].context, handler)) {
        instances.endAt(k, *edit);
        isDone = true;
      }
    if (isDone)
      continue;
    result.findings.push_back({Rule::NotPorted, Level::Warning, handler,
                               "nothing of " + root.name + " is ported: it goes on behind this handler, which is in a header or written by a macro"});
    return false;
  }
  return true;
}

llvm::Error Porting::portRoot(const projection::Root &root, llvm::function_ref<void(const brs::PlanLimits &)> planAgain) {
  llvm::Expected<projection::Sizes> sizes = projection::bindSizes(program, root.function, options.parameters);
  if (!sizes)
    return sizes.takeError();
  std::vector<std::string> unknown = projection::unknownParameters(program, root.function, *sizes, options.parameters);
  for (const auto &[parameter, value] : options.parameters)
    if (!llvm::is_contained(unknown, parameter))
      result.knownParameters.push_back(parameter);
  for (const auto &[symbol, value] : sizes->bySymbol)
    if (sizes->isAssumed(symbol) && !sizes->conditionsOnly.count(symbol))
      result.assumedSizes.push_back(projection::scopedName(root.name, symbol));
  // Every failed attempt leaves at least one more loop on the host or takes one thing less for granted, so this ends.
  brs::PlanLimits limits;
  if (options.kernels == WhichKernels::Marked)
    limits.onHost = unmarkedLoops(root, units);
  planAgain(limits);
  if (!root.transfers.regions.empty() && !endAtHandlers(root))
    return llvm::Error::success();
  staying.clear();
  const Instances::Mark mark = instances.mark();
  const PortedProgram before = result;
  const unsigned regionsBefore = regions;
  while (!portRegions(root, *sizes, limits) || (options.kernels == WhichKernels::Planned && !keepCheaper(root, *sizes, limits))) {
    instances.backTo(mark);
    result = before;
    regions = regionsBefore;
    planAgain(limits);
  }
  result.findings.insert(result.findings.end(), staying.begin(), staying.end());
  return llvm::Error::success();
}

/// omp.h if a copy needs it, prototypes of the watch library if it is asked; before the first declaration of the file
/// itself is too early for `size_t`, so behind the last #include of its head.
void Porting::addIncludes(PortedFile &file, bool isCxx) {
  bool needsOmp = false, needsWatch = options.variant == Variant::Watched, ends = false;
  for (const Edit &edit : file.edits) {
    needsOmp |= llvm::StringRef(edit.text).contains("omp_target_memcpy_rect");
    ends |= llvm::StringRef(edit.text).contains("std::abort()");
  }
  bool hasOmp = llvm::StringRef(file.original).contains("#include <omp.h>");
  std::string lines;
  if (needsOmp && !hasOmp)
    lines += "#include <omp.h>\n";
  if (ends)
    lines += "#include <cstdio>\n#include <cstdlib>\n";
  if (needsWatch) {
    lines += isCxx ? "extern \"C\" {\n" : "";
    lines += "void busfare_object(const char *, const char *, const void *, unsigned long);\n"
             "void busfare_bystander(const char *, const char *, const void *, unsigned long);\nlong busfare_copy(int, long);\n"
             "void *busfare_pages(unsigned long, const void *);\nvoid busfare_value(const char *, const char *, long);\n";
    lines += isCxx ? "}\n" : "";
  }
  if (lines.empty())
    return;
  llvm::StringRef text = file.original;
  size_t at = 0;
  int depth = 0;
  // Outside conditions: an include inside one may not be taken.
  for (size_t line = 0; line < text.size();) {
    size_t end = std::min(text.find('\n', line), text.size() - 1) + 1;
    llvm::StringRef words = text.slice(line, end).trim();
    if (words.consume_front("#")) {
      words = words.ltrim();
      depth += words.starts_with("if") ? 1 : words.starts_with("endif") ? -1 : 0;
      if (words.starts_with("include") && depth == 0)
        at = end;
    }
    line = end;
  }
  file.edits.insert(file.edits.begin(), {unsigned(at), 0, lines});
}

void Porting::finish() {
  std::vector<std::vector<Edit>> edits = instances.edits();
  for (size_t k = 0; k < units.size(); ++k) {
    PortedFile &file = result.files[k];
    file.edits = std::move(edits[k]);
    if (!file.edits.empty())
      addIncludes(file, units[k].context->getLangOpts().CPlusPlus);
    file.text = port::apply(file.original, file.edits);
  }
}

llvm::Expected<Analysed *> ProgramPorter::analysed(const std::string &name) {
  Analysed &one = roots[name];
  if (!one.root) {
    llvm::Expected<std::unique_ptr<projection::Root>> made = projection::analyseRoot(skeletons, name, projection::Depth::Transfers);
    if (!made)
      return made.takeError();
    one.root = std::move(*made);
  }
  return &one;
}

llvm::Expected<const projection::Root *> ProgramPorter::root(const std::string &name) {
  llvm::Expected<Analysed *> one = analysed(name);
  if (!one)
    return one.takeError();
  return (*one)->root.get();
}

/// Plans are moved in and out as a whole, so that what points to their regions and copies goes on doing so.
void ProgramPorter::planAgain(Analysed &one, const brs::PlanLimits &limits) {
  if (one.limits == limits)
    return;
  projection::Root &root = *one.root;
  one.otherPlans[one.limits] = std::move(root.transfers);
  if (auto known = one.otherPlans.find(limits); known != one.otherPlans.end())
    root.transfers = std::move(known->second);
  else {
    root.transfers = brs::analyseTransfers(skeletons, root.function, root.dependence, root.context, root.name == "main", limits, &root.effects);
    projection::preparePrices(skeletons, root);
    for (const brs::Region &region : root.transfers.regions)
      root.chunks[&region].kernel.whyNot = "port writes explicit copies";
  }
  one.limits = limits;
}

/// Serial, every parallel loop in an order asked for at run time.
llvm::Error ProgramPorter::order(PortedProgram &result) {
  std::vector<const projection::Root *> all;
  for (const std::string &name : result.roots) {
    llvm::Expected<Analysed *> one = analysed(name);
    if (!one)
      return one.takeError();
    all.push_back((*one)->root.get());
  }
  for (size_t k = 0; k < units.size(); ++k) {
    PortedFile &file = result.files[k];
    if (!units[k].isShared) {
      OrderedUnit ordered = orderUnit(skeletons, all, units[k].points, *units[k].context, result.findings);
      file.edits = std::move(ordered.edits);
      result.hasThreads |= ordered.hasThreads;
    }
    file.text = port::apply(file.original, file.edits);
  }
  return llvm::Error::success();
}

llvm::Expected<PortedProgram> ProgramPorter::port(const PortOptions &options) {
  PortedProgram result;
  for (const ProgramUnit &unit : units)
    result.files.push_back({unit.file, textOf(unit).str(), "", {}});
  for (const std::string &name : options.functions.empty() ? skeleton::roots(skeletons) : options.functions)
    if (findFunction(skeletons, name))
      result.roots.push_back(name);
  if (options.variant == Variant::Ordered) {
    if (llvm::Error error = order(result))
      return error;
    return result;
  }
  for (const ProgramUnit &unit : units)
    for (const auto &[name, facts] : unit.points)
      if (std::string why = facts.function ? targetThatStays(FunctionSource(facts.function, *unit.context)) : ""; !why.empty()) {
        const Function *function = findFunction(skeletons, name);
        result.findings.push_back({Rule::NotPorted, Level::Warning, function->location,
                                   "not ported: a target construct of " + name + "'s own " + why});
      }
  if (!result.findings.empty()) {
    for (PortedFile &file : result.files)
      file.text = file.original;
    return result;
  }
  Porting porting(skeletons, units, options, result);
  const std::vector<std::string> names = result.roots; // a failed attempt sets the result back
  for (const std::string &name : names) {
    llvm::Expected<Analysed *> one = analysed(name);
    if (!one)
      return one.takeError();
    if (llvm::Error error = porting.portRoot(*(*one)->root, [&](const brs::PlanLimits &limits) { planAgain(**one, limits); }))
      return error;
  }
  porting.finish();
  return result;
}

llvm::Expected<MeasuredProgram> ProgramPorter::measure(const std::vector<std::string> &functions) {
  projection::ProjectOptions options;
  options.functions = functions;
  llvm::Expected<std::vector<std::string>> names = projection::rootsOf(skeletons, options);
  if (!names)
    return names.takeError();
  // As analyze sees them, shapes assumed: the profile names its regions.
  std::vector<std::unique_ptr<projection::Root>> made;
  std::vector<const projection::Root *> all;
  for (const std::string &name : *names) {
    llvm::Expected<std::unique_ptr<projection::Root>> root = projection::analyseFor(skeletons, name, projection::Depth::Transfers, options);
    if (!root)
      return root.takeError();
    made.push_back(std::move(*root));
    all.push_back(made.back().get());
  }
  return measured(skeletons, units, all);
}

} // namespace

std::unique_ptr<OpenProgram> openProgram(Program skeletons, std::vector<ProgramUnit> units) {
  return std::make_unique<ProgramPorter>(std::move(skeletons), std::move(units));
}

} // namespace busfare::frontend::port
