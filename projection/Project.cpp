//===- projection/Project.cpp - From a program to a report ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Project.h"
#include "brs/Domain.h"
#include "brs/Kernels.h"
#include "brs/Presburger.h"
#include "projection/BoundSizes.h"
#include "projection/Coverage.h"
#include "projection/Describe.h"
#include "projection/FoundCalls.h"
#include "projection/JudgeTogether.h"
#include "projection/NestAnswers.h"
#include "projection/Prices.h"
#include "projection/Profile.h"
#include "projection/ProjectParts.h"
#include "projection/SuggestNext.h"
#include "projection/report/Figures.h"
#include "skeleton/Directive.h"
#include "skeleton/Hints.h"
#include "skeleton/Inline.h"
#include "skeleton/SourceFunctions.h"
#include "skeleton/UnseenBody.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Effort for what is judged alone, believed or supposed.
constexpr double secondsBeside = 15;
/// And to see which of a root's nests have exact sections, which the coverage says.
constexpr double secondsForCoverage = 0.1;

} // namespace

bool refutesAssumptions(const Program &program, const Root &root, const ProjectOptions &options) {
  if (root.assumed.empty()) return false;
  llvm::Expected<Sizes> sizes = bindSizes(program, root, options.parameters);
  if (!sizes) {
    llvm::consumeError(sizes.takeError()); // Whoever needs the sizes reports it.
    return false;
  }
  brs::Context stated;
  stated.facts = root.assumed;
  for (const auto &[symbol, parameter] : sizes->bySymbol)
    if (parameter.source != ParameterSource::Assumed) {
      stated.assume(Expr::symbol(symbol) - parameter.value);
      stated.assume(Expr(parameter.value) - Expr::symbol(symbol));
    }
  return brs::conditionOf(stated).isEmpty() == brs::Answer::Yes;
}

llvm::Expected<std::vector<std::string>> rootsOf(const Program &program, const ProjectOptions &options) {
  if (options.functions.empty()) return roots(program);
  for (const std::string &name : options.functions)
    if (!findFunction(program, name)) {
      std::vector<std::string> names;
      for (const Function &function : program.functions) names.push_back(function.name);
      return llvm::createStringError("no function '" + name + "' in the program; there are " +
                                     (names.empty() ? "none" : llvm::join(names, ", ")));
    }
  return options.functions;
}

llvm::Expected<std::unique_ptr<Root>> analyseFor(const Program &program, const std::string &name, Depth depth,
                                                 const ProjectOptions &options, const std::set<std::string> &judged) {
  llvm::Expected<std::unique_ptr<Root>> root = analyseRoot(program, name, depth, brs::ShapeProof::Assumed, judged);
  if (!root || !refutesAssumptions(program, **root, options)) return root;
  return analyseRoot(program, name, depth, brs::ShapeProof::Strict, judged);
}

llvm::Expected<Sizes> sizesFor(const Program &program, const Root &root, const ProjectOptions &options,
                               const MatchedProfile *profile) {
  llvm::Expected<Sizes> assumed =
      bindSizes(program, root, options.parameters, {options.callersSizes, ParameterSource::Caller});
  if (!assumed || !profile) return assumed;
  return bindSizes(program, root, options.parameters,
                   {profile->valuesIn(program, root, *assumed), ParameterSource::Profile});
}

namespace {

size_t loopsIn(const Function &function) {
  size_t loops = 0;
  forEachNode(function.body, [&](const Node &node) { loops += std::holds_alternative<Loop>(node.kind); });
  return loops;
}

/// Functions of which there is something to say: they have loops, messages or calls of a library, by themselves or in
/// what they call.
std::set<std::string> functionsToReport(const Program &program) {
  std::map<std::string, std::set<std::string>> callers;
  std::vector<std::string> open;
  for (const Function &function : program.functions)
    forEachNode(function.body, [&](const Node &node) {
      const auto *host = std::get_if<HostStatement>(&node.kind);
      if (std::holds_alternative<Loop>(node.kind) || (host && (host->message || host->library)))
        open.push_back(function.name);
      if (const auto *call = std::get_if<Call>(&node.kind)) callers[call->callee].insert(function.name);
    });
  std::set<std::string> found(open.begin(), open.end());
  while (!open.empty()) {
    const std::string callee = std::move(open.back());
    open.pop_back();
    for (const std::string &caller : callers[callee])
      if (found.insert(caller).second) open.push_back(caller);
  }
  return found;
}

constexpr const char *timeIsUp = "the time of the run was up (--time-limit, or it was interrupted)";

std::set<Location> kernelsOf(llvm::ArrayRef<RegionReport> regions, llvm::StringRef function) {
  std::set<Location> kernels;
  for (const RegionReport &region : regions)
    if (region.function == function && !region.on.empty())
      for (const KernelReport &kernel : region.on.front().second.kernels) kernels.insert(kernel.location);
  return kernels;
}

/// With all its calls more than a few loops: not to be read wherever it is called.
bool isLarge(const Program &program, const Function &function) {
  constexpr size_t few = 3;
  bool isIt = loopsIn(function) > few;
  forEachNode(function.body, [&](const Node &node) {
    auto *call = std::get_if<Call>(&node.kind);
    const Function *callee = call ? findFunction(program, call->callee) : nullptr;
    isIt |= callee && loopsIn(*callee) > 0;
  });
  return isIt;
}

class Projection {
public:
  Projection(const Program &program, const ProjectOptions &options, const MatchedProfile *profile = nullptr)
      : program(program), options(options), profile(profile), callers(callersSizes(program)) {
    report.version = BUSFARE_VERSION;
    for (const Machine &machine : options.machines)
      report.machines.push_back({machine.name, machine.description, machine.file});
    report.findings = program.findings;
    takeBackAsking(report.findings, program);
    llvm::append_range(report.findings, checkHintNames(program));
    report.coverage.files = program.units.size();
    report.coverage.functions = program.functions.size();
  }

  llvm::Error addLoopsOf(const std::vector<std::string> &names) {
    for (const std::string &name : names) {
      llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, name, Depth::Dependence, options);
      if (!root) return root.takeError();
      addLoops(**root);
    }
    return llvm::Error::success();
  }

  void expectRoots(size_t count) { rootsAsked = count; }

  /// Is no time left? What is then not looked at is counted, and said.
  bool isOver(const std::string &function) {
    if (!options.deadline || !options.deadline->isUp()) return false;
    notReached.insert(function);
    return true;
  }

  llvm::Error addRoot(const std::string &name) {
    if (isOver(name)) {
      nests.unjudged.push_back({findFunction(program, name)->location, name, timeIsUp});
      return llvm::Error::success();
    }
    roots.insert(name);
    llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, name, Depth::Transfers, options);
    if (!root) return root.takeError();
    llvm::erase_if((*root)->transfers.regions, brs::isOfShortLoops);
    addLoops(**root);
    if (llvm::any_of((*root)->dependence.loops, isOpenClaim)) openClaims.push_back(name);
    llvm::Expected<Sizes> sizes = sizesFor(program, **root, options, profile);
    if (!sizes) return sizes.takeError();
    takeGiven(**root, sizes->given());
    for (const std::string &unknown : unknownParameters(program, (*root)->function, *sizes, options.parameters))
      ++unknownIn[unknown];
    for (const auto &entry : sizes->bySymbol) knownNames.insert(scopedName(name, entry.first));
    ++rootCount;
    size_t first = report.regions.size();
    if (llvm::Error error = addRegions(**root, *sizes)) return error;
    const llvm::ArrayRef<RegionReport> regions = llvm::ArrayRef(report.regions).drop_front(first);
    if (options.pricesFor && !regions.empty())
      report.prices.push_back(pricesOf(
          {program, **root, *sizes, options, profile, regions, cpuTimesOf(regions), options.pricesFor * rootsAsked}));
    if (options.afterRoot) options.afterRoot(**root, *sizes, regions);
    return llvm::Error::success();
  }

  /// Functions that no root's calls led into: their loops are reported too.
  llvm::Error addLeftOver() {
    std::set<std::string> judged;
    const std::set<std::string> toReport = functionsToReport(program);
    skeleton::SourceFunctions seen;
    for (const Function &function : program.functions) {
      if (entered.count(function.name) || !toReport.count(function.name) || !seen.isNew(function) ||
          isOver(function.name))
        continue;
      llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, function.name, Depth::LeftOver, options, judged);
      if (!root) return root.takeError();
      addLoops(**root);
      addUnreachedCalls(**root);
      judged.insert(function.name);
    }
    return addUntaken();
  }

  /// Loops on a side of a branch that no call takes have a verdict all the same: their function's, whatever it is
  /// given.
  llvm::Error addUntaken() {
    std::set<Location> known;
    for (const LoopReport &loop : report.loops) known.insert(loop.location);
    for (const Function &function : program.functions) {
      bool isWhole = true;
      forEachNode(function.body, [&](const Node &node) {
        auto *loop = std::get_if<Loop>(&node.kind);
        isWhole &= !loop || known.count(loop->location);
      });
      if (isWhole || isOver(function.name)) continue;
      llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, function.name, Depth::LeftOver, options);
      if (!root) return root.takeError();
      for (LoopReport &loop : describeLoops(**root))
        if (known.insert(loop.location).second) report.loops.push_back(std::move(loop));
    }
    return addStarved();
  }

  /// Loops that were not analysed because what calls their functions, or what these call, is too large: each function
  /// gets a share of its own, in which calls of functions with more than a few loops are opaque. Loops that make such
  /// calls stay without.
  llvm::Error addStarved() {
    std::set<Location> starved;
    for (const LoopReport &loop : report.loops)
      if (!loop.isAnalysed) starved.insert(loop.location);
    if (starved.empty()) return llvm::Error::success();
    Program alone = program;
    std::erase_if(alone.functions, [&](const Function &function) { return isLarge(program, function); });
    std::map<Location, LoopReport> own;
    for (const Function &function : program.functions) {
      std::set<Location> asked = loopsWithoutLargeCalls(function);
      std::erase_if(asked, [&](const Location &location) { return !starved.count(location); });
      if (asked.empty() || isOver(function.name)) continue;
      const bool isAdded = isLarge(program, function);
      if (isAdded) alone.functions.push_back(function);
      llvm::Expected<std::unique_ptr<Root>> root = analyseFor(alone, function.name, Depth::Dependence, options);
      if (!root) return root.takeError();
      for (LoopReport &loop : describeLoops(**root))
        if (asked.count(loop.location) && loop.isAnalysed) own.try_emplace(loop.location, std::move(loop));
      if (isAdded) alone.functions.pop_back();
    }
    // Whatever a function is given its own verdict holds; an instance that was analysed and found serial still counts.
    for (LoopReport &loop : report.loops)
      if (auto found = own.find(loop.location); found != own.end() && !loop.isAnalysed) loop = found->second;
    return llvm::Error::success();
  }

  /// Behind the roots, and before what nobody calls is looked at.
  void noteRootsAreDone() { enteredByRoots = entered; }

  /// What is parallel in its own function, and no kernel of a root's plan, is judged from there: most work first, and
  /// behind it what no root is seen to call.
  void judgeAlone() {
    std::map<std::string, double> open; // functions, with the work of their nests that no plan has
    for (const auto &[location, nest] : nests.ofRoots)
      if (nest.has(NestStanding::Open)) open[nest.function] += nest.of(NestStanding::Open);
    std::vector<std::pair<std::string, double>> functions(open.begin(), open.end());
    llvm::stable_sort(functions, [](const auto &a, const auto &b) { return a.second > b.second; });
    for (const auto &[name, work] : functions)
      if (!roots.count(name)) // which was judged so already
        judgeAlone(name);
    const UnseenCalls unseen(program, enteredByRoots);
    for (const Function &function : program.functions) {
      if (!options.functions.empty() || !unseen.isOutermost(function.name)) continue;
      const std::unique_ptr<Projection> alone = judgeAlone(function.name);
      const bool mayRun = unseen.mayRun(function.name);
      if (alone)
        for (const auto &[location, nest] : alone->nests.ofRoots)
          nests.unseen.try_emplace(location, UnseenNest{nest, mayRun, unseen.why(function.name)});
      else if (mayRun && (loopsIn(function) > 0 || isLarge(program, function)))
        nests.unjudged.push_back({function.location, function.name, unseen.why(function.name)});
    }
    answerNestsInPlace(nests, report);
  }

  /// Null if it cannot be: a library's function, or no effort or time is left.
  std::unique_ptr<Projection> judgeAlone(const std::string &name) {
    if (brs::effortIsSpent() || !findFunction(program, name) || isOver(name)) return nullptr;
    ProjectOptions own = optionsBeside();
    own.cpuTimes.clear();
    own.commonHost.reset();
    own.iterations.reset();
    own.afterRoot = [&](const Root &root, const Sizes &, llvm::ArrayRef<RegionReport>) { addAlone(root, nests); };
    own.callersSizes = given[name];
    own.wantsThresholds = false; // a verdict and a speedup are all that is said
    std::unique_ptr<Projection> alone = ask(program, own, name);
    if (alone) judgeInPlace(alone->report.regions, name, nests);
    return alone;
  }

  /// Of a question beside the report: for the first machine, and nobody else is told of its roots.
  ProjectOptions optionsBeside() const {
    ProjectOptions own = options;
    own.machines.resize(1);
    own.wantsTerms = own.strict = false;
    own.pricesFor = 0;
    own.afterRoot = nullptr;
    return own;
  }

  /// One root of a program that may be another one. Null: this is not known; the report stands without it.
  std::unique_ptr<Projection> ask(const Program &of, const ProjectOptions &own, const std::string &name) const {
    auto asked = std::make_unique<Projection>(of, own, profile);
    if (llvm::Error error = asked->addRoot(name)) {
      llvm::consumeError(std::move(error));
      return nullptr;
    }
    return asked;
  }

  /// The nests of functions that were looked at only as parts of others.
  llvm::Error addNestsOfOthers() {
    skeleton::SourceFunctions seen;
    for (const Function &function : program.functions) {
      if (described.count(function.name) || loopsIn(function) == 0 || !seen.isNew(function) || isOver(function.name))
        continue;
      llvm::Expected<std::unique_ptr<Root>> root = analyseFor(program, function.name, Depth::Shapes, options);
      if (!root) return root.takeError();
      addNests(**root);
    }
    return llvm::Error::success();
  }

  /// A name that no root knows.
  llvm::Error checkParameters() {
    for (const auto &[name, roots] : unknownIn)
      if (roots == rootCount && options.allowUnknownParameters) report.unknownParameters.push_back(name);
      else if (roots == rootCount)
        return llvm::createStringError("--param " + name + ": no size of this name" +
                                       (knownNames.empty()
                                            ? std::string("; none is open")
                                            : "; there are " + llvm::join(knownNames.begin(), knownNames.end(), ", ")));
    return llvm::Error::success();
  }

  /// What directives, where they are neither proved nor refuted, would make of the roots. Behind everything else: it
  /// takes what effort is left.
  void believeDirectives() {
    if (openClaims.empty()) return;
    Program believing = program;
    trustDirectives(believing);
    ProjectOptions own = optionsBeside();
    std::vector<Location> *directives = nullptr;
    own.afterRoot = [&](const Root &root, const Sizes &, llvm::ArrayRef<RegionReport>) {
      for (const brs::LoopVerdict &verdict : root.dependence.loops)
        if (verdict.parallel && verdict.loop->isTrusted &&
            llvm::is_contained(verdict.assuming, brs::assumedIndependent))
          directives->push_back(verdict.loop->location);
    };
    for (const std::string &name : openClaims) {
      if (brs::effortIsSpent() || isOver(name)) return;
      BelievedReport one{name, {}, {}};
      directives = &one.directives;
      const std::unique_ptr<Projection> then = ask(believing, own, name);
      if (!then) continue;
      llvm::sort(one.directives);
      one.directives.erase(std::unique(one.directives.begin(), one.directives.end()), one.directives.end());
      one.regions = std::move(then->report.regions);
      if (!one.directives.empty()) report.believed.push_back(std::move(one));
    }
  }

  /// What would come of it if each pointer of which it is not known where it leads led to memory of its own. Of roots
  /// where that is what keeps work from being priced.
  void takeApart(const std::vector<std::string> &names) {
    const bool isAsked =
        llvm::any_of(report.unpriced, [](const UnpricedReport &nest) { return isOfUnknownPointer(nest.reason); });
    if (!isAsked) return;
    Program apart = program;
    std::set<std::string> pointers;
    for (Function &function : apart.functions)
      for (Array &array : function.arrays)
        if (array.isFixed) {
          pointers.insert(withoutNumbers(array.name));
          giveOwnMemory(array);
        }
    const ProjectOptions own = optionsBeside();
    for (const std::string &name : names) {
      if (pointers.empty() || brs::effortIsSpent() || isOver(name)) return;
      const std::unique_ptr<Projection> then = ask(apart, own, name);
      if (!then) continue;
      // It says something if a loop is a kernel then that was none.
      const std::set<Location> before = kernelsOf(report.regions, name), after = kernelsOf(then->report.regions, name);
      if (!llvm::all_of(after, [&](const Location &kernel) { return before.count(kernel) != 0; }))
        report.distinct.push_back({name, {pointers.begin(), pointers.end()}, std::move(then->report.regions)});
    }
  }

  Report finish() {
    if (!notReached.empty())
      report.coverage.notAnalysed.emplace_back(
          formatPlural(notReached.size(), "function") + ", " + *notReached.begin() + " among them", timeIsUp);
    report.loops = mergeLoops(std::move(report.loops));
    llvm::sort(report.findings, [](const Finding &a, const Finding &b) {
      return std::tie(a.location, a.rule, a.message) < std::tie(b.location, b.rule, b.message);
    });
    report.findings.erase(std::unique(report.findings.begin(), report.findings.end()), report.findings.end());
    summariseCoverageInPlace(report);
    report.suppressed = takeIgnored(program, report.findings);
    addProfileRows();
    if (totalCpu > 0 && totalProjected > 0) {
      double value = totalCpu / totalProjected;
      report.program.speedup = {value, totalCpu / totalHigh, totalCpu / totalLow};
      report.program.offloadedShare = totalAsWritten > 0 ? offloaded / totalAsWritten : 0;
    } else {
      report.program.speedup = {1, 1, 1};
    }
    report.program.cpu = totalCpu;
    report.program.cpuAsWritten = totalAsWritten;
    const double runs = options.manyRuns ? 1 : double(options.runs.value_or(1));
    for (const LibraryCallReport &call : report.libraryCalls)
      report.program.libraries +=
          call.isReached && !call.prices.empty() ? runs * call.count * call.prices.front().host : 0;
    return std::move(report);
  }

private:
  const Program &program;
  const ProjectOptions &options;
  const MatchedProfile *profile;
  const CallersSizes callers;
  Report report;
  std::map<std::string, unsigned> unknownIn;
  std::set<std::string> knownNames;
  std::set<std::string> notReached; ///< Functions, before the time was up.
  std::vector<std::string> openClaims; ///< Roots with directives that are neither proved nor refuted.
  FoundNests nests;
  std::set<std::string> roots; ///< Analysed so far.
  std::set<std::string> enteredByRoots;
  std::map<std::string, Values> given; ///< Sizes of functions that a root calls.
  std::set<std::string> entered; ///< Functions whose bodies are parts of a root.
  std::set<std::string> described; ///< Functions whose nests are in the coverage.
  unsigned rootCount = 0;
  size_t rootsAsked = 1;
  double totalCpu = 0, totalProjected = 0, totalLow = 0, totalHigh = 0, totalAsWritten = 0, offloaded = 0;

  static bool isOpenClaim(const brs::LoopVerdict &verdict) {
    return verdict.loop->directive && !verdict.parallel && !verdict.loop->isTrusted && !verdict.dependences.empty() &&
           llvm::all_of(verdict.dependences, [](const brs::CarriedDependence &d) {
             return d.kind == brs::CarriedDependence::Kind::Unknown;
           });
  }

  /// Those that call no function with loops.
  std::set<Location> loopsWithoutLargeCalls(const Function &function) const {
    std::set<Location> found;
    forEachNode(function.body, [&](const Node &node) {
      auto *loop = std::get_if<Loop>(&node.kind);
      bool isFree = loop != nullptr;
      if (loop)
        forEachNode(loop->body, [&](const Node &inner) {
          auto *call = std::get_if<Call>(&inner.kind);
          const Function *callee = call ? findFunction(program, call->callee) : nullptr;
          isFree &= !callee || !isLarge(program, *callee);
        });
      if (isFree) found.insert(loop->location);
    });
    return found;
  }

  void addLoops(const Root &root) {
    for (const CallPath &path : root.paths)
      if (!path.isFolded) entered.insert(path.function);
    std::vector<LoopReport> loops = describeLoops(root);
    report.loops.insert(report.loops.end(), loops.begin(), loops.end());
    for (const Finding &finding : root.findings) addFinding(finding);
    addNests(root);
  }

  void addFinding(Finding finding) {
    finding.message = withoutPaths(finding.message);
    if (!llvm::StringRef(finding.message).contains("--param")) // which wants the name as it is known here
      finding.message = withoutNumbers(finding.message);
    report.findings.push_back(std::move(finding));
  }

  /// Messages and library calls of a function that no root leads to: how often it is called is not known.
  void addUnreachedCalls(const Root &root) {
    llvm::Expected<Sizes> sizes = bindSizes(program, root, options.parameters);
    if (!sizes) {
      llvm::consumeError(sizes.takeError()); // said where a root has that size
      return;
    }
    if (options.afterRoot) options.afterRoot(root, *sizes, {});
    FoundCalls calls = findCalls(root, *sizes, {}, {}, options.machines, options.processes);
    for (MessageReport &message : calls.messages) {
      message.isReached = message.counted = false;
      addUnlessSaid(std::move(message), report.messages);
    }
    for (LibraryCallReport &call : calls.libraryCalls) {
      call.isReached = false;
      addUnlessSaid(std::move(call), report.libraryCalls);
    }
  }

  template <class Call> static void addUnlessSaid(Call call, std::vector<Call> &calls) {
    if (llvm::none_of(calls,
                      [&](const Call &known) { return known.location == call.location && known.call == call.call; }))
      calls.push_back(std::move(call));
  }

  /// The root's own nests, and what keeps them from being exact, where nothing else says so.
  void addNests(const Root &root) {
    described.insert(root.name);
    brs::EffortBudget budget(secondsForCoverage + effortFor(root.function, Depth::Transfers) / 4);
    auto [nests, inner] = describeNests(program, root, callers);
    for (const NestReport &nest : nests)
      for (const NestReason &reason : nest.reasons)
        if (!isSaid(reason)) addFinding(findingOn(nest, reason));
    llvm::append_range(report.coverage.nests, std::move(nests));
    llvm::append_range(report.coverage.innerNests, std::move(inner));
  }

  /// Anywhere in that line: a subscript's place is not that of its access.
  bool isSaid(const NestReason &reason) const {
    return llvm::any_of(report.findings, [&](const Finding &finding) {
      return finding.rule == reason.rule && finding.location.line == reason.location.line &&
             finding.location.file == reason.location.file;
    });
  }

  /// Given, else of the profile.
  std::optional<double> cpuTimeOf(const RegionReport &described) const {
    for (const auto &[region, seconds] : llvm::reverse(options.cpuTimes))
      if (isRegion(region, described.id)) return seconds;
    return profile ? profile->timeOf(described.function, described.fingerprint) : std::nullopt;
  }

  std::vector<std::optional<double>> cpuTimesOf(llvm::ArrayRef<RegionReport> regions) const {
    std::vector<std::optional<double>> times;
    for (const RegionReport &region : regions) times.push_back(cpuTimeOf(region));
    return times;
  }

  void addProfileRows() {
    if (!profile) return;
    for (const auto &[function, match] : profile->functions) report.profileRows["function " + function] = int(match);
    for (const ProfiledRegion &row : options.profile->regions) {
      bool isThere = llvm::any_of(report.regions, [&](const RegionReport &region) {
        return region.function == row.root && region.fingerprint == row.fingerprint;
      });
      report.profileRows["region " + row.id] = int(isThere ? ProfileMatch::Used : ProfileMatch::Absent);
    }
  }

  llvm::Error addRegions(const Root &root, const Sizes &sizes) {
    const Machine &first = options.machines.front();
    const std::optional<double> runs = runsOf(root, options);
    const double outside = runs.value_or(1) * priceOutside(root, sizes.realValues(), first);
    totalCpu += outside;
    totalAsWritten += outside;
    totalProjected += outside;
    totalLow += outside;
    totalHigh += outside;
    TripOverrides overrides;
    std::vector<std::string> ids;
    std::vector<OpenRegion> open;
    for (const brs::Region &region : root.transfers.regions) {
      if (llvm::Error error = addRegion(root, region, sizes, overrides, open)) return error;
      ids.push_back(open.back().report.id);
    }
    settleRegions(runs, open);
    addToSource(root, placeNests(program, root, sizes, overrides, first.host), nests.ofRoots);
    given.merge(sizesGivenBy(root, sizes.values()));
    FoundCalls calls = findCalls(root, sizes, overrides, ids, options.machines, options.processes);
    llvm::move(calls.messages, std::back_inserter(report.messages));
    llvm::move(calls.libraryCalls, std::back_inserter(report.libraryCalls));
    return llvm::Error::success();
  }

  /// Priced, and not judged yet.
  struct OpenRegion {
    RegionReport report;
    PricedRegion priced;
  };

  /// What the regions of a process amount to together.
  void settleRegions(std::optional<double> runs, std::vector<OpenRegion> &open) {
    std::vector<PricedRegion *> priced;
    for (OpenRegion &region : open) priced.push_back(&region.priced);
    const double startUp = settleTogether(options.machines, runs, priced);
    for (OpenRegion &region : open) {
      for (size_t m = 0; m < options.machines.size(); ++m)
        region.report.on.emplace_back(options.machines[m].name, std::move(region.priced.answers[m]));
      addToProgram(region.report.on.front().second, runs.value_or(1));
      report.regions.push_back(std::move(region.report));
    }
    for (double *total : {&totalProjected, &totalLow, &totalHigh}) *total += startUp;
  }

  /// On which sizes the price rests, on any of the machines.
  static void noteEffects(const MachineAnswer &answer, RegionReport &region) {
    for (auto &[name, parameter] : region.parameters) {
      if (parameter.choosesWay) continue;
      double &effect = parameter.effect ? *parameter.effect : parameter.effect.emplace(0);
      for (const auto &[size, of] : answer.sizeEffects)
        if (size == name) effect = std::max(effect, of);
    }
  }

  /// overrides: gets the count of the time loop, if that is not what its bounds say.
  llvm::Error addRegion(const Root &root, const brs::Region &region, const Sizes &sizes, TripOverrides &overrides,
                        std::vector<OpenRegion> &open) {
    llvm::Expected<TimeSteps> steps = timeStepsOf(region, sizes, options.iterations);
    if (!steps) return steps.takeError();
    if (steps->isAssumed)
      addFinding({Rule::AssumedIterations, Level::Remark, region.timeLoops.front()->location,
                  steps->atMost
                      ? "the time loop runs at most " + std::to_string(*steps->atMost) +
                            " times and may stop earlier; it is taken to run " +
                            std::to_string(uint64_t(*steps->count)) + " times (--iterations sets it)"
                      : "nothing says how often the time loop runs; it is taken to run once (--iterations sets it)"});
    const TripOverrides own = iterationsOf(region, steps->count);
    overrides.insert(own.begin(), own.end());
    RegionReport described = describeRegion(root, region, sizes, own, options.machines.front());
    auto refused = llvm::find_if(described.assumptions, [](llvm::StringRef text) {
      return !text.ends_with(fromHint) && !text.starts_with(brs::assumedBehindEnds); // neither a size nor an alias
    });
    if (options.strict && refused != described.assumptions.end())
      return llvm::createStringError(toString(described.location) + ": --strict: " + *refused);
    for (const auto &[symbol, parameter] : sizes.bySymbol)
      if (sizes.isAssumed(symbol)) {
        auto place = sizes.places.find(symbol);
        std::string name = scopedName(root.name, symbol);
        addFinding({Rule::AssumedSize, Level::Remark,
                    place == sizes.places.end() ? root.function.location : place->second,
                    "nothing binds " + name + "; it is taken as " + std::to_string(parameter.value) + " (--param " +
                        name + "=N)"});
      }
    for (const brs::ArrayTransfers &array : region.arrays)
      if (auto known = root.onDevice.find(&array); known != root.onDevice.end() && !known->second) {
        const Array *declared = root.arrays.find(array.name);
        addFinding(
            {Rule::UnknownExtent, Level::Remark,
             declared && declared->location.isKnown() ? declared->location : root.function.location,
             "the size of " + array.name + " is not known; where the whole of it is meant, 1,024 elements are taken"});
      }
    const std::optional<double> runs = runsOf(root, options), cpuTime = cpuTimeOf(described);
    OpenRegion made{std::move(described), PricedRegion(region, options.machines, options.wantsTerms)};
    PricedRegion &priced = made.priced;
    priced.mixes = mixesOf({program,
                            root,
                            region,
                            options.machines.front(),
                            {options.threads, std::nullopt, runs},
                            sizes.realValues(),
                            own},
                           *priced.prices.front());
    for (const auto &[machine, prices] : llvm::zip_equal(options.machines, priced.prices)) {
      priced.judges.emplace_back(Judgement{program,
                                           root,
                                           region,
                                           sizes,
                                           machine,
                                           {options.threads, cpuTime, runs},
                                           steps->count,
                                           steps->isAssumed,
                                           priced.mixes,
                                           *prices,
                                           options.wantsThresholds});
      priced.answers.push_back(priced.judges.back().price());
      if (options.wantsThresholds) noteEffects(priced.answers.back(), made.report);
    }
    if (options.commonHost) {
      Machine there = options.machines.front();
      there.host = options.commonHost->host;
      KernelPrices prices(there, false);
      Judge judge(Judgement{program,
                            root,
                            region,
                            sizes,
                            there,
                            {options.threads, cpuTime, runs},
                            steps->count,
                            steps->isAssumed,
                            priced.mixes,
                            prices});
      const TimeReport time = judge.price().time;
      made.report.commonBaseline = time.cpuAllCores > 0 ? std::min(time.cpu, time.cpuAllCores) : time.cpu;
    }
    open.push_back(std::move(made));
    return llvm::Error::success();
  }

  /// Amdahl: regions that pay off go to the GPU, everything else stays. Of a process that runs each of them so often.
  void addToProgram(const MachineAnswer &answer, double runs) {
    const double cpu = runs * std::min(answer.time.cpu, answer.time.cpuAllCores);
    totalCpu += cpu;
    totalAsWritten += runs * answer.time.cpu;
    const bool ports = answer.verdict == Verdict::Port;
    const double low = ports ? cpu / answer.speedup.with.high : cpu, high = ports ? cpu / answer.speedup.with.low : cpu;
    totalProjected += ports ? runs * answer.time.total : cpu;
    totalLow += low;
    totalHigh += high;
    offloaded += ports ? runs * answer.time.cpu : 0;
  }
};

} // namespace

llvm::Expected<Report> project(const Program &program, const ProjectOptions &options) {
  llvm::Expected<std::vector<std::string>> names = rootsOf(program, options);
  if (!names) return names.takeError();
  std::optional<MatchedProfile> profile;
  Program shared;
  if (options.profile) {
    profile.emplace(*options.profile, program);
    shared = profile->withShares(program);
  }
  if (!options.parameters.empty())
    shared = withBoundSizes(options.profile ? shared : program, *names, options.parameters);
  Projection projection(profile || !options.parameters.empty() ? shared : program, options,
                        profile ? &*profile : nullptr);
  {
    brs::EffortBudget budget(secondsPerProgram);
    projection.expectRoots(names->size());
    for (const std::string &name : *names)
      if (llvm::Error error = projection.addRoot(name)) return error;
    if (llvm::Error error = projection.checkParameters()) return error;
    projection.noteRootsAreDone();
    if (options.functions.empty()) {
      if (llvm::Error error = projection.addLeftOver()) return error;
      if (llvm::Error error = projection.addNestsOfOthers()) return error;
    }
  }
  // Questions beside the plan take nothing from it, nor from the coverage.
  brs::EffortBudget budget(secondsBeside);
  projection.judgeAlone();
  projection.believeDirectives();
  projection.takeApart(*names);
  Report report = projection.finish();
  if (!names->empty())
    if (const Function *first = skeleton::findFunction(program, names->front()))
      report.program.name = first->location.file.str();
  report.program.hasMain = llvm::is_contained(*names, "main");
  report.programs = {report.program};
  report.commonHost = options.commonHost ? options.commonHost->name : "";
  suggestNext(report, options);
  return report;
}

bool isRegion(llvm::StringRef wanted, llvm::StringRef id) {
  const llvm::StringRef withoutFunction = id.rsplit(':').first;
  return wanted == id || wanted == withoutFunction || wanted == withoutFunction.rsplit(':').second;
}

llvm::Expected<Report> projectLoops(const Program &program, const ProjectOptions &options) {
  brs::EffortBudget budget(secondsPerProgram);
  llvm::Expected<std::vector<std::string>> names = rootsOf(program, options);
  if (!names) return names.takeError();
  const Program bound = options.parameters.empty() ? Program() : withBoundSizes(program, *names, options.parameters);
  Projection projection(options.parameters.empty() ? program : bound, options);
  if (llvm::Error error = projection.addLoopsOf(*names)) return error;
  if (options.functions.empty()) {
    if (llvm::Error error = projection.addLeftOver()) return error;
    if (llvm::Error error = projection.addNestsOfOthers()) return error;
  }
  return projection.finish();
}

} // namespace busfare::projection
