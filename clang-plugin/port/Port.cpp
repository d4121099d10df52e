//===- clang-plugin/port/Port.cpp - The plan as OpenMP target code -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Port.h"
#include "brs/Handlers.h"
#include "clang-plugin/port/Guards.h"
#include "clang-plugin/port/Handlers.h"
#include "clang-plugin/port/MarkedLoops.h"
#include "clang-plugin/port/Measure.h"
#include "clang-plugin/port/Order.h"
#include "clang-plugin/port/OwnTargets.h"
#include "clang-plugin/port/Plans.h"
#include "clang-plugin/port/Region.h"
#include "clang-plugin/port/SizeChecks.h"
#include "clang-plugin/port/Style.h"
#include "clang-plugin/port/Units.h"
#include "projection/Judge.h"
#include "projection/MixChanges.h"
#include "projection/Mixes.h"
#include "projection/Project.h"
#include "projection/Root.h"
#include "projection/Sizes.h"
#include "skeleton/Visit.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"
#include <deque>

namespace busfare::frontend::port {
using namespace skeleton;

namespace {

class ProgramPorter : public OpenProgram {
public:
  ProgramPorter(ProgramReading plain, std::vector<ProgramReading> overSettings,
                std::function<bool(size_t)> holdsForOthers)
      : plain(std::move(plain)), holdsForOthers(std::move(holdsForOthers)) {
    for (ProgramReading &one : overSettings) settings.emplace_back(std::move(one));
  }

  const Program &program() const override { return now->reading.skeletons; }
  const Program *overSettings(size_t which) const override {
    return which < settings.size() ? &settings[which].reading.skeletons : nullptr;
  }
  llvm::Expected<const projection::Root *> root(const std::string &name) override;
  llvm::Expected<PortedProgram> port(const PortOptions &options) override;
  llvm::Expected<MeasuredProgram> measure(const std::vector<std::string> &functions) override;

private:
  struct Reading {
    explicit Reading(ProgramReading reading) : reading(std::move(reading)) {}
    const ProgramReading reading;
    std::map<std::string, std::unique_ptr<Plans>> roots;
  };
  Reading plain;
  std::deque<Reading> settings; ///< With what a build may set as symbols.
  Reading *now = &plain; ///< That of the last port.
  std::function<bool(size_t)> holdsForOthers;
  std::map<size_t, bool> doesHold; ///< Its answers.
  /// By what ports differ in: the reading that says it best.
  std::map<std::tuple<std::vector<std::string>, WhichKernels, bool, bool>, Reading *> best;

  llvm::Expected<Plans *> plansOf(const std::string &name);
  llvm::Expected<PortedProgram> portAs(Reading &reading, const PortOptions &options);
  llvm::Error order(PortedProgram &result);
};

/// One port of it.
class Porting {
public:
  Porting(const Program &program, llvm::ArrayRef<ProgramUnit> units, const PortOptions &options, PortedProgram &result)
      : program(program), options(options), result(result), units(units), instances(units) {}

  llvm::Error portRoot(Plans &plans);
  void finish();

private:
  const Program &program;
  const PortOptions &options;
  PortedProgram &result;
  llvm::ArrayRef<ProgramUnit> units;
  Instances instances;
  unsigned regions = 0;
  std::set<std::string> functions; ///< That the ported roots run through.

  /// What the plan of one root is made with, attempt by attempt.
  struct Attempt {
    Plans &plans;
    const projection::Sizes &sizes;
    WholeStatements statements;
    brs::PlanLimits limits = {};
    projection::Runs moved = {};
    std::vector<Finding> staying = {}; ///< What the plan has to do without, or does better without.
    std::set<const Loop *> again = {}; ///< Loops it does without for reasons that may be gone with other loops.
    /// Of the regions of the current plan, once it is settled.
    std::vector<SettledGuard> guards = {};

    projection::PartsOfRun parts() {
      return [this](const Block &block, size_t first, size_t end) { return statements.in(block, first, end); };
    }
  };

  bool endAtHandlers(const projection::Root &root);
  void plan(Attempt &attempt);
  bool portRegions(Attempt &attempt);
  std::optional<Refusal> portOrLeave(const RegionQuestion &question);
  void sayCallsStay(const projection::Root &root, const brs::Region &region, const RealValues &values);
  bool portGuarded(RegionQuestion question, const SettledGuard &guard);
  bool portInChunks(RegionQuestion question, Plans &plans);
  llvm::Error addGuards(Attempt &attempt, Guards &guards, const std::function<void()> &setBack);
  void portAsFarAsPossible(Attempt &attempt, const std::function<void()> &setBack);
  void doWithout(Attempt &attempt, const Refusal &refusal);
  bool keepCheaper(Attempt &attempt);
  void addIncludes(PortedFile &file, const ProgramUnit &unit);
};

/// The next attempt's plan.
void Porting::plan(Attempt &attempt) {
  attempt.plans.make(attempt.limits);
  if (options.oneThread) {
    attempt.moved.clear();
    const projection::Root &root = attempt.plans.current();
    for (const brs::Region &region : root.transfers.regions)
      attempt.moved.merge(projection::movableStatements(program, root, region, attempt.sizes.realValues(),
                                                        options.machine, attempt.parts()));
  }
  if (attempt.moved.empty()) return;
  MovedStatements moved{attempt.moved, {}};
  for (const auto &[first, length] : attempt.moved) moved.ownArrays[first] = attempt.statements.at(first).ownArrays;
  attempt.plans.make(attempt.limits, moved);
}

/// The limits, or what moves, become narrower.
void Porting::doWithout(Attempt &attempt, const Refusal &refusal) {
  if (!refusal.doubted.empty()) {
    attempt.limits.doubted.insert(refusal.doubted.begin(), refusal.doubted.end());
    attempt.staying.push_back({Rule::UnknownTripCount, Level::Remark, refusal.at, refusal.reason});
    return;
  }
  auto reasonOf = [&](const Loop *loop) {
    auto own = refusal.reasons.find(loop);
    return own == refusal.reasons.end() ? refusal.reason : own->second;
  };
  // Before a kernel does, statements stay where they were.
  bool anyMoved = false;
  for (const Loop *loop : refusal.kernels)
    if (const Node *first = attempt.plans.movedIn(loop)) {
      attempt.statements.refuse(first);
      attempt.moved.clear();
      anyMoved = true;
    }
  for (const Loop *loop : anyMoved ? llvm::ArrayRef<const Loop *>() : llvm::ArrayRef(refusal.kernels)) {
    attempt.limits.onHost.insert(attempt.plans.loopOf(loop));
    if (!refusal.isTheirOwn) attempt.again.insert(attempt.plans.loopOf(loop));
    attempt.staying.push_back(
        {Rule::NotPorted, Level::Warning, loop->location, "this loop stays on the host: " + reasonOf(loop)});
  }
}

/// What is refused leaves nothing behind.
std::optional<Refusal> Porting::portOrLeave(const RegionQuestion &question) {
  Instances::Mark mark = instances.mark();
  PortedProgram before = result;
  std::optional<Refusal> refusal = portRegion(question, instances, result);
  if (!refusal) return std::nullopt;
  instances.backTo(std::move(mark));
  result = std::move(before);
  return refusal;
}

/// Calls that the device's library could run.
void Porting::sayCallsStay(const projection::Root &root, const brs::Region &region, const RealValues &values) {
  for (const projection::Change &change : projection::callsOnDevice(root, region, values, options.machine))
    for (const auto &[node, length] : change.moved) {
      const auto &host = std::get<HostStatement>(node->kind);
      result.findings.push_back({Rule::NotPorted, Level::Remark, host.location,
                                 host.what + " stays on the host: ports have no calls of the device's library, which a "
                                             "report may price as an alternative"});
    }
}

/// With its guard, if that can be written; otherwise nothing is done but to say why.
bool Porting::portGuarded(RegionQuestion question, const SettledGuard &guard) {
  std::string why = guard.guard.why;
  if (!guard.guard.anyOf.empty()) {
    question.guard = &guard.guard;
    question.isReportsGuard = guard.isReports;
    const std::optional<Refusal> refusal = portOrLeave(question);
    if (!refusal) return true;
    why = refusal->isOfGuard ? refusal->reason : "with it, " + refusal->reason;
  }
  result.findings.push_back(
      {Rule::NotPorted, Level::Warning, question.region.location, "ported without a guard: " + why});
  return false;
}

/// In chunks, if that is what is wanted and it can be written; otherwise nothing is done but to say why.
bool Porting::portInChunks(RegionQuestion question, Plans &plans) {
  if (options.plan == WhichPlan::Explicit || options.variant == Variant::Ordered) return false;
  const projection::RegionChunks chunks = projection::chunksOf(program, question.root, question.region);
  std::string why = chunks.kernel.whyNot;
  unsigned number = options.chunks;
  if (options.plan == WhichPlan::Planned || number == 0) {
    projection::PriceOptions priced;
    if (options.runs) priced.runs = double(*options.runs);
    const projection::Plan plan =
        plans.planInChunks(question.region, chunks, options.machine, priced, question.values, question.overrides);
    if (options.plan == WhichPlan::Planned && plan.best.strategy != projection::Strategy::Streams) return false;
    constexpr unsigned usual = 4; // where the plan has none: chunks that do not fill the device
    auto streams = llvm::find_if(plan.priced, [](const projection::PricedStrategy &one) {
      return one.strategy == projection::Strategy::Streams;
    });
    number = streams == plan.priced.end() ? usual : unsigned(streams->streams);
  }
  // What the plan cannot price can be asked for.
  if (why.empty() || (options.plan == WhichPlan::Streams && chunks.kernel.isUneven)) {
    question.chunked = &chunks.kernel;
    question.chunks = number;
    const std::optional<Refusal> refusal = portOrLeave(question);
    if (!refusal) return true;
    why = refusal->reason;
  }
  result.findings.push_back({Rule::NotPorted, Level::Remark, question.region.location,
                             "its copies are explicit, not in chunks of the kernel: " + why});
  return false;
}

/// True if nothing more is to be tried; else the attempt is narrower, and what was written is void.
bool Porting::portRegions(Attempt &attempt) {
  const projection::Root &root = attempt.plans.current();
  for (const brs::Region &region : root.transfers.regions) {
    RealValues values = attempt.sizes.realValues();
    projection::TripOverrides overrides = projection::iterationsOf(region, options.iterations);
    Instances::Mark mark = instances.mark();
    PortedProgram before = result;
    RegionQuestion question{program, root, region, options, values, overrides, regions + 1};
    for (const brs::Kernel &kernel : region.kernels)
      if (const Node *first = attempt.plans.movedIn(kernel.loop))
        question.oneThread[kernel.loop] = &attempt.statements.at(first);
    const size_t k = size_t(&region - root.transfers.regions.data());
    const SettledGuard *guard = k < attempt.guards.size() ? &attempt.guards[k] : nullptr;
    if (guard && guard->guard.isNever && options.kernels == WhichKernels::Planned) {
      result.findings.push_back({Rule::NotPorted, Level::Warning, region.location,
                                 "not ported: " + guard->guard.why + " (--kernels all ports it, without a guard)"});
      continue;
    }
    if (guard && portGuarded(question, *guard)) {
      ++regions;
      continue;
    }
    if (portInChunks(question, attempt.plans)) {
      ++regions;
      continue;
    }
    std::optional<Refusal> refusal = portRegion(question, instances, result);
    if (!refusal) {
      ++regions;
      continue;
    }
    if (refusal->doubted.empty() && refusal->kernels.empty()) {
      // Maybe because of what has moved.
      for (const auto &[loop, run] : question.oneThread) refusal->kernels.push_back(loop);
    }
    if (refusal->doubted.empty() && refusal->kernels.empty()) {
      instances.backTo(std::move(mark));
      result = std::move(before);
      result.findings.push_back({Rule::NotPorted, Level::Warning, refusal->at, "not ported: " + refusal->reason});
      continue;
    }
    doWithout(attempt, *refusal);
    return false;
  }
  return true;
}

/// Looks for another division of the work that is cheaper, with all other kernels that can be ported on the device.
/// True if there is none; else the attempt is another one.
bool Porting::keepCheaper(Attempt &attempt) {
  if (!attempt.moved.empty()) return true; // it is what was found
  bool isBest = true;
  const brs::PlanLimits before = attempt.limits;
  const projection::Root &root = attempt.plans.current();
  for (const brs::Region &region : root.transfers.regions) {
    const projection::TripOverrides overrides = projection::iterationsOf(region, options.iterations);
    const projection::MixQuestion question{
        program, root, region, options.machine, {}, attempt.sizes.realValues(), overrides, before, attempt.parts()};
    projection::KernelPrices prices(options.machine, false);
    const std::vector<projection::Mix> mixes = projection::mixesOf(question, prices);
    projection::PlanPricer pricer(root, region, options.machine, question.options, mixes, prices);
    const projection::Mix *chosen = pricer.chosenAt(question.values, overrides);
    if (!chosen) continue;
    isBest = false;
    attempt.moved.insert(chosen->moved.begin(), chosen->moved.end());
    for (const auto &[kernel, here] : chosen->kept) {
      attempt.limits.onHost.insert(kernel);
      forEachNode(kernel->body, [&](const Node &node) {
        if (auto *inner = std::get_if<Loop>(&node.kind)) attempt.limits.onHost.insert(inner);
      });
      attempt.staying.push_back({Rule::NotPorted, Level::Remark, kernel->location,
                                 "this loop stays on the host: with its copies it costs more on " +
                                     options.machine.name + " than it saves, at these sizes (--kernels all ports it)"});
    }
  }
  return isBest;
}

/// Every failed attempt leaves at least one more loop on the host, one statement where it was, or takes one thing less
/// for granted, so this ends.
void Porting::portAsFarAsPossible(Attempt &attempt, const std::function<void()> &setBack) {
  for (plan(attempt); !portRegions(attempt) || (options.kernels == WhichKernels::Planned && !keepCheaper(attempt));
       plan(attempt))
    setBack();
}

/// Writes the plan once more, with the condition under which each of its regions pays.
llvm::Error Porting::addGuards(Attempt &attempt, Guards &guards, const std::function<void()> &setBack) {
  plan(attempt);
  llvm::Expected<std::vector<SettledGuard>> settled = guards.ofCurrent(attempt.limits, attempt.moved);
  if (!settled) return settled.takeError();
  attempt.guards = std::move(*settled);
  setBack();
  if (portRegions(attempt)) return llvm::Error::success();
  // Guards are no reason to try another plan.
  attempt.guards.clear();
  setBack();
  portAsFarAsPossible(attempt, setBack);
  return llvm::Error::success();
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
    if (isDone) continue;
    result.findings.push_back(
        {Rule::NotPorted, Level::Warning, handler,
         "nothing of " + root.name +
             " is ported: it goes on behind this handler, which is in a header or written by a macro"});
    return false;
  }
  return true;
}

llvm::Error Porting::portRoot(Plans &plans) {
  const projection::Root &root = plans.described();
  llvm::Expected<projection::Sizes> sizes = projection::bindSizes(program, root, options.parameters);
  if (!sizes) return sizes.takeError();
  std::vector<std::string> unknown = projection::unknownParameters(program, root.function, *sizes, options.parameters);
  for (const auto &[parameter, value] : options.parameters)
    if (!llvm::is_contained(unknown, parameter)) result.knownParameters.push_back(parameter);
  for (const auto &[symbol, value] : sizes->bySymbol)
    if (sizes->isAssumed(symbol) && !sizes->choicesOnly.count(symbol))
      result.assumedSizes.push_back(projection::scopedName(root.name, symbol));
  Guards guards(program, plans, *sizes, options);
  const bool hasGuards = options.guards && options.variant != Variant::Ordered;
  if (hasGuards)
    if (llvm::Error error = guards.readReported()) return error;
  Attempt attempt{plans, *sizes, WholeStatements(root, instances)};
  if (options.kernels == WhichKernels::Marked) attempt.limits.onHost = unmarkedLoops(root, units);
  plans.make(attempt.limits);
  if (options.kernels == WhichKernels::Marked)
    for (Finding &finding : whyNoKernels(program, root, attempt.limits.onHost))
      result.findings.push_back(std::move(finding));
  if (!root.transfers.regions.empty() && !endAtHandlers(root)) return llvm::Error::success();
  for (const brs::Region &region : root.transfers.regions) sayCallsStay(root, region, sizes->realValues());
  const Instances::Mark mark = instances.mark();
  const PortedProgram before = result;
  const unsigned regionsBefore = regions;
  auto setBack = [&] {
    instances.backTo(mark);
    result = before;
    regions = regionsBefore;
  };
  portAsFarAsPossible(attempt, setBack);
  // Without the loops that were in the way, regions begin and end elsewhere.
  Attempt *settled = &attempt;
  std::optional<Attempt> second;
  if (!attempt.again.empty()) {
    const Instances::Mark marked = instances.mark();
    const PortedProgram reached = result;
    const unsigned regionsReached = regions;
    second.emplace(attempt);
    for (const Loop *loop : std::exchange(second->again, {})) {
      second->limits.onHost.erase(loop);
      llvm::erase_if(second->staying,
                     [&](const Finding &one) { return one.rule == Rule::NotPorted && one.location == loop->location; });
    }
    setBack();
    portAsFarAsPossible(*second, setBack);
    if (second->limits.onHost.size() < attempt.limits.onHost.size()) {
      settled = &*second;
    } else {
      plan(attempt); // what was reached points into it
      instances.backTo(marked);
      result = reached;
      regions = regionsReached;
    }
  }
  if (hasGuards)
    if (llvm::Error error = addGuards(*settled, guards, setBack)) return error;
  result.findings.insert(result.findings.end(), settled->staying.begin(), settled->staying.end());
  if (regions > regionsBefore)
    for (const CallPath &path : root.paths) functions.insert(path.function);
  return llvm::Error::success();
}

/// omp.h if a copy needs it, prototypes of the watch library if it is asked; before the first declaration of the file
/// itself is too early for `size_t`, so behind the last #include in front of its functions.
void Porting::addIncludes(PortedFile &file, const ProgramUnit &unit) {
  const bool isCxx = unit.context->getLangOpts().CPlusPlus;
  bool needsOmp = false, needsWatch = options.variant == Variant::Watched, ends = false;
  for (const Edit &edit : file.edits) {
    needsOmp |= llvm::StringRef(edit.text).contains("omp_target_memcpy_rect");
    ends |= llvm::StringRef(edit.text).contains("std::abort()");
  }
  bool hasOmp = false;
  llvm::StringRef text = file.original;
  size_t at = 0;
  int depth = 0;
  const clang::SourceManager &sources = unit.context->getSourceManager();
  size_t functions = text.size();
  for (const auto &[name, facts] : unit.points)
    if (facts.function && facts.function->hasBody())
      if (auto [in, offset] = sources.getDecomposedExpansionLoc(facts.function->getOuterLocStart());
          in == sources.getMainFileID())
        functions = std::min<size_t>(functions, offset);
  // Outside conditions: an include inside one may not be taken.
  for (size_t line = 0; line < functions;) {
    size_t end = std::min(text.find('\n', line), text.size() - 1) + 1;
    llvm::StringRef words = text.slice(line, end).trim();
    if (words.consume_front("#")) {
      words = words.ltrim();
      depth += words.starts_with("if") ? 1 : words.starts_with("endif") ? -1 : 0;
      if (words.starts_with("include") && depth == 0) {
        at = end;
        hasOmp |= words.contains("<omp.h>");
      }
    }
    line = end;
  }
  std::string lines;
  if (needsOmp && !hasOmp) lines += "#include <omp.h>\n";
  if (ends) lines += "#include <cstdio>\n#include <cstdlib>\n";
  if (needsWatch) {
    lines += isCxx ? "extern \"C\" {\n" : "";
    lines +=
        "void busfare_object(const char *, const char *, const void *, unsigned long);\n"
        "void busfare_bystander(const char *, const char *, const void *, unsigned long);\nlong busfare_copy(int, long);\n"
        "void *busfare_pages(unsigned long, const void *);\nvoid busfare_value(const char *, const char *, long);\n"
        "int busfare_guard(int, int);\nint busfare_guarded(int, int);\n"
        "int busfare_tasks(int, int);\nvoid busfare_depends(int, const void *, int);\nint busfare_task(void);\n"
        "long busfare_cut(int, long, long, long, long);\n";
    lines += isCxx ? "}\n" : "";
  }
  if (lines.empty()) return;
  file.edits.insert(file.edits.begin(), {unsigned(at), 0, lines});
}

void Porting::finish() {
  std::vector<std::vector<Edit>> edits = instances.edits();
  for (size_t k = 0; k < units.size(); ++k) result.files[k].edits = std::move(edits[k]);
  SizeChecks checks = checksFor(units, functions);
  checks.facts.insert(result.holdsWhere.begin(), result.holdsWhere.end());
  for (const std::string &condition : addSizeChecks(checks, units, result.files))
    result.findings.push_back({Rule::NotPorted,
                               Level::Note,
                               {},
                               "the port holds where " + condition +
                                   ", which nothing tests: the unit that says so is also part of another program"});
  for (size_t k = 0; k < units.size(); ++k) {
    PortedFile &file = result.files[k];
    if (!file.edits.empty()) addIncludes(file, units[k]);
    endLinesAs(file.original, file.edits);
    const clang::SourceManager &sources = units[k].context->getSourceManager();
    const auto entry = sources.getFileEntryRefForID(sources.getMainFileID());
    const bool isRead = options.variant == Variant::Plain || options.variant == Variant::Present;
    if (isRead && entry && !file.edits.empty())
      file.edits = inStyleOf(entry->getFileEntry().tryGetRealPathName(), file.original, std::move(file.edits));
    file.text = port::apply(file.original, file.edits);
  }
  result.regions = regions;
}

llvm::Expected<Plans *> ProgramPorter::plansOf(const std::string &name) {
  std::unique_ptr<Plans> &plans = now->roots[name];
  if (!plans) {
    llvm::Expected<std::unique_ptr<projection::Root>> made =
        projection::analyseRoot(now->reading.skeletons, name, projection::Depth::Transfers);
    if (!made) return made.takeError();
    plans = std::make_unique<Plans>(now->reading.skeletons, std::move(*made));
  }
  return plans.get();
}

llvm::Expected<const projection::Root *> ProgramPorter::root(const std::string &name) {
  llvm::Expected<Plans *> plans = plansOf(name);
  if (!plans) return plans.takeError();
  return &(*plans)->current();
}

/// Serial, every parallel loop in an order asked for at run time.
llvm::Error ProgramPorter::order(PortedProgram &result) {
  const auto &[skeletons, units] = now->reading;
  std::vector<const projection::Root *> all;
  for (const std::string &name : result.roots) {
    llvm::Expected<Plans *> plans = plansOf(name);
    if (!plans) return plans.takeError();
    all.push_back(&(*plans)->described());
  }
  for (size_t k = 0; k < units.size(); ++k) {
    PortedFile &file = result.files[k];
    if (!units[k].isShared) {
      OrderedUnit ordered = orderUnit(skeletons, all, units[k].points, *units[k].context, result.findings);
      file.edits = std::move(ordered.edits);
      result.hasThreads |= ordered.hasThreads;
      result.reordersSums |= ordered.reordersSums;
    }
    endLinesAs(file.original, file.edits);
    file.text = port::apply(file.original, file.edits);
  }
  return llvm::Error::success();
}

/// Why the port over names is worse than the one over numbers; empty: the same kernels go, and hardly more bytes cross.
static std::string whyWorse(const PortedProgram &names, const PortedProgram &numbers) {
  auto kernelsOf = [](const PortedProgram &program) {
    std::multiset<std::pair<Location, bool>> kernels;
    for (const PortedKernel &kernel : program.kernels) kernels.emplace(kernel.location, kernel.oneThread);
    return kernels;
  };
  auto bytesOf = [](const PortedProgram &program) {
    double bytes = 0;
    for (const PlannedCopy &copy : program.copies) bytes += copy.movedBytes * copy.count;
    return bytes;
  };
  if (kernelsOf(names) != kernelsOf(numbers)) {
    for (const Finding &finding : names.findings)
      if (finding.rule == Rule::NotPorted && llvm::none_of(numbers.findings, [&](const Finding &one) {
            return one.rule == finding.rule && one.location == finding.location;
          }))
        return "with names for sizes, at " + toString(finding.location) + ": " + finding.message;
    std::vector<std::pair<Location, bool>> apart;
    const auto there = kernelsOf(names), here = kernelsOf(numbers);
    std::set_symmetric_difference(there.begin(), there.end(), here.begin(), here.end(), std::back_inserter(apart));
    return "with names for sizes other loops would be kernels, or as often; the first is at " +
           toString(apart.front().first);
  }
  if (names.regions != numbers.regions || names.guards.size() != numbers.guards.size())
    return "with names for sizes the regions would be others";
  const double more = bytesOf(names), bytes = bytesOf(numbers);
  return more <= bytes * 1.05 ? ""
                              : llvm::formatv("with names for sizes {0:N} bytes would cross in place of {1:N}",
                                              uint64_t(more), uint64_t(bytes))
                                    .str();
}

/// What the port cannot be built for, and why.
static void noteNumbers(const std::string &why, const Program &overSettings, PortedProgram &result) {
  for (const Constant &constant : overSettings.constants)
    if (constant.isSetting)
      result.findings.push_back({Rule::NotPorted, Level::Note, constant.location,
                                 "the port has the number " + std::to_string(constant.value) + " for " +
                                     constant.symbol + ", which the compiler tests: " + why});
}

/// In the source's own sizes where that says as much as with numbers, and for other sizes than these as well.
llvm::Expected<PortedProgram> ProgramPorter::port(const PortOptions &options) {
  if (options.variant == Variant::Ordered) { // of the source as it is: nothing of the plan is in it
    llvm::SaveAndRestore as(now, &plain);
    return portAs(plain, options);
  }
  const auto key = std::make_tuple(options.functions, options.kernels, options.oneThread, options.guards);
  if (auto known = best.find(key); known != best.end()) return portAs(*known->second, options);
  best[key] = &plain;
  llvm::Expected<PortedProgram> withNumbers = portAs(plain, options);
  if (!withNumbers || withNumbers->regions == 0) return withNumbers;
  std::string why;
  for (size_t which = 0; which < settings.size(); ++which) {
    Reading &reading = settings[which];
    if (llvm::none_of(reading.reading.skeletons.constants, [](const Constant &c) { return c.isSetting; })) continue;
    if (auto [answer, isNew] = doesHold.try_emplace(which, false); isNew) answer->second = holdsForOthers(which);
    if (!doesHold[which]) {
      why = "the program is another one where it is built for other sizes";
      continue;
    }
    llvm::Expected<PortedProgram> withNames = portAs(reading, options);
    why = withNames ? whyWorse(*withNames, *withNumbers)
                    : "with names for sizes, " + llvm::toString(withNames.takeError());
    if (!why.empty()) continue;
    best[key] = &reading;
    return withNames;
  }
  now = &plain;
  if (!why.empty()) noteNumbers(why, settings.front().reading.skeletons, *withNumbers);
  return withNumbers;
}

llvm::Expected<PortedProgram> ProgramPorter::portAs(Reading &reading, const PortOptions &options) {
  now = &reading;
  const auto &[skeletons, units] = reading.reading;
  PortedProgram result;
  for (const ProgramUnit &unit : units) result.files.push_back({unit.file, textOf(unit).str(), "", {}});
  for (const std::string &name : options.functions.empty() ? skeleton::roots(skeletons) : options.functions)
    if (findFunction(skeletons, name)) result.roots.push_back(name);
  if (options.variant == Variant::Ordered) {
    if (llvm::Error error = order(result)) return error;
    return result;
  }
  for (const ProgramUnit &unit : units)
    for (const auto &[name, facts] : unit.points)
      if (std::string why = facts.function ? targetThatStays(FunctionSource(facts.function, *unit.context)) : "";
          !why.empty()) {
        const Function *function = findFunction(skeletons, name);
        result.findings.push_back({Rule::NotPorted, Level::Warning, function->location,
                                   "not ported: a target construct of " + name + "'s own " + why});
      }
  if (!result.findings.empty()) {
    for (PortedFile &file : result.files) file.text = file.original;
    return result;
  }
  Porting porting(skeletons, units, options, result);
  const std::vector<std::string> names = result.roots; // a failed attempt sets the result back
  for (const std::string &name : names) {
    llvm::Expected<Plans *> plans = plansOf(name);
    if (!plans) return plans.takeError();
    if (llvm::Error error = porting.portRoot(**plans)) return error;
  }
  porting.finish();
  return result;
}

llvm::Expected<MeasuredProgram> ProgramPorter::measure(const std::vector<std::string> &functions) {
  now = &plain;
  const auto &[skeletons, units] = now->reading;
  projection::ProjectOptions options;
  options.functions = functions;
  llvm::Expected<std::vector<std::string>> names = projection::rootsOf(skeletons, options);
  if (!names) return names.takeError();
  // As analyze sees them, shapes assumed: the profile names its regions.
  std::vector<std::unique_ptr<projection::Root>> made;
  std::vector<const projection::Root *> all;
  for (const std::string &name : *names) {
    llvm::Expected<std::unique_ptr<projection::Root>> root =
        projection::analyseFor(skeletons, name, projection::Depth::Transfers, options);
    if (!root) return root.takeError();
    made.push_back(std::move(*root));
    all.push_back(made.back().get());
  }
  return measured(skeletons, units, all);
}

} // namespace

std::unique_ptr<OpenProgram> openProgram(ProgramReading plain, std::vector<ProgramReading> overSettings,
                                         std::function<bool(size_t)> holdsForOthers) {
  return std::make_unique<ProgramPorter>(std::move(plain), std::move(overSettings), std::move(holdsForOthers));
}

} // namespace busfare::frontend::port
