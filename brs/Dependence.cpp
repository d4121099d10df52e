//===- brs/Dependence.cpp - Which loops may run in any order --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For each loop: does its body hold something that must keep its order (I/O, a
// pointer swap, an early exit)? If not, every name written in it is treated by
// itself (Treatment.h), then every two names that may overlap.
//
//   for i { y[i] = a*x[i] }     y: no conflict;  x and y parameters: assuming noalias(x,y)
//
//===----------------------------------------------------------------------===//
#include "brs/Dependence.h"
#include "brs/Claims.h"
#include "brs/Handlers.h"
#include "brs/Treatment.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

/// Effort for one function's questions, of what its root has left, or if nothing limits that; past it everything else
/// may depend.
constexpr double shareOfVerdicts = 0.5;
constexpr double secondsAlone = 0.08;
/// One loop's of what is left: a body of thousands of accesses must not be all that is looked at.
constexpr double shareOfLoop = 0.4;
/// And of that for looking behind the library calls in one.
constexpr double shareBehindCalls = 0.05;

using Groups = std::map<std::string, std::vector<const Site *>>;

bool contains(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Do the hints of the loop, or of a loop around it, say so?
template <class Holds> bool isHinted(const LoopSite &site, const Holds &holds) {
  bool found = site.loop->hints && holds(*site.loop->hints);
  for (const NestStep &step : site.outer) found |= step.loop && step.loop->hints && holds(*step.loop->hints);
  return found;
}

bool isHintedDead(const SiteTable &table, const LoopSite &site, const std::string &name) {
  auto holds = [&](const Hints &hints) { return contains(hints.temporaries, name); };
  return holds(table.function->hints) || isHinted(site, holds);
}

bool isHintedApart(const LoopSite &site, const std::string &a, const std::string &b) {
  return isHinted(site, [&](const Hints &hints) {
    return std::any_of(hints.noalias.begin(), hints.noalias.end(),
                       [&](const std::vector<std::string> &group) { return contains(group, a) && contains(group, b); });
  });
}

std::string reasonOf(const HostStatement &host, const Program &program) {
  switch (host.reason) {
  case HostReason::InputOutput: return host.what + " does I/O";
  case HostReason::OpaqueCall: // a finding at the call says why one that is seen is not followed
    return findFunction(program, host.what) ? "the call of " + host.what + " is not followed"
                                            : "the body of " + host.what + " is not seen";
  case HostReason::Recursion: return host.what + " is recursive";
  case HostReason::Allocation: return host.what + " allocates or frees memory";
  case HostReason::Timing: return host.what + " reads a clock";
  case HostReason::Unsupported: return host.what + " is not analysed";
  case HostReason::NoReturn: return host.what + " does not return";
  case HostReason::Message: return host.what + " is a message";
  case HostReason::Library: return host.what + " is a call of a library";
  case HostReason::Handler: return "exceptions are handled there (" + host.what + ")";
  case HostReason::Threads: return "threads of the host share its work (" + host.what + ")";
  }
  return host.what;
}

/// Is the number of iterations found out only while they run? A `while` whose trip count has a symbol of its own,
/// defined just before it.
bool isDecidedOnTheWay(const LoopSite &site) {
  const Loop &loop = *site.loop;
  std::set<std::string> symbols = loop.upper.symbols();
  symbols.merge(loop.lower.symbols());
  const auto &[block, position] = site.trail.back();
  for (size_t k = position; k-- > 0;) {
    const auto *define = std::get_if<Define>(&(*block)[k].kind);
    if (!define) break;
    bool isTripCount = loop.form == LoopForm::While || loop.form == LoopForm::Do ||
                       llvm::StringRef(define->symbol).starts_with("trips");
    if (isTripCount && !define->value && symbols.count(define->symbol)) return true;
  }
  return false;
}

/// Then it does not matter which iteration comes to one.
bool areAlike(const std::vector<const End *> &ends) {
  return std::all_of(ends.begin(), ends.end(),
                     [&](const End *end) { return end->what == ends.front()->what && !end->saysWhere; });
}

/// Has each thread, or each iteration, one of its own, by the loop's directive?
bool hasCopies(const Loop &loop, const std::string &array) {
  if (!loop.directive) return false;
  const Directive &said = *loop.directive;
  return llvm::is_contained(said.privates, array) || llvm::is_contained(said.firstprivates, array) ||
         llvm::is_contained(said.lastprivates, array) ||
         llvm::any_of(said.reductions, [&](const auto &one) { return one.second == array; });
}

class Analysis {
public:
  Analysis(const SiteTable &table, const Context &context, EffectsMemo &memo)
      : table(table), aliases(*table.program, *table.function), treatments(table, aliases, context, memo),
        hasHandlers(!handlersIn(*table.function).empty()) {}

  DependenceAnalysis run(const std::vector<bool> &skipped);

private:
  const SiteTable &table;
  Aliases aliases;
  Treatments treatments;
  const bool hasHandlers; ///< Of exceptions, that are assumed not to run.
  DependenceAnalysis result;
  std::set<std::pair<std::string, std::string>> assumed; ///< Pairs already reported.
  std::set<const End *> saidEnds;                        ///< Reported, for the outermost parallel loop around.
  std::vector<std::set<std::string>> refuted; ///< By loop: names that surely conflict for some sizes, unless treated.

  void report(Rule rule, Level level, const Location &location, std::string message);
  void settleIndependence(const LoopSite &site, LoopVerdict &verdict);
  bool mustStaySerial(const LoopSite &site, LoopVerdict &verdict);
  void reportEnds(const LoopSite &site);
  void judge(size_t index, LoopVerdict &verdict);
  void lookBehindLibraryCalls();
  Groups groupsOf(const LoopSite &site) const;
  void judgeNames(const Groups &groups, size_t index, LoopVerdict &verdict);
  void assumeSteady(const std::string &name, LoopVerdict &verdict) const;
  void judgePairs(const Groups &groups, const LoopSite &site, LoopVerdict &verdict);
  void conclude(const LoopSite &site, LoopVerdict &verdict);
  void reportAssumptions(const Groups &groups, const LoopSite &site, const LoopVerdict &verdict);
  void checkDirectives(const std::vector<bool> &skipped);
};

} // namespace

void Analysis::report(Rule rule, Level level, const Location &location, std::string message) {
  result.findings.push_back({rule, level, location, std::move(message)});
}

/// What the user says against what was found: taken if that leaves it open, refused if there is an example.
void Analysis::settleIndependence(const LoopSite &site, LoopVerdict &verdict) {
  auto isSure = [](const CarriedDependence &d) { return d.kind != CarriedDependence::Kind::Unknown; };
  const bool isHinted = site.loop->hints && site.loop->hints->independent;
  // What a thread's own copy holds passes from one of its iterations to the next: a directive does not speak of that.
  auto isCopied = [&](const CarriedDependence &d) { return hasCopies(*site.loop, d.array); };
  if (verdict.dependences.empty() ||
      (!isHinted && (!site.loop->isTrusted || llvm::any_of(verdict.dependences, isCopied))))
    return;
  auto example = std::find_if(verdict.dependences.begin(), verdict.dependences.end(), isSure);
  if (!isHinted && example != verdict.dependences.end()) return; // checkClaim says so
  if (example == verdict.dependences.end()) {
    verdict.assuming.push_back(assumedIndependent);
    verdict.dependences.clear();
    return;
  }
  const Location &said = site.loop->hints->location;
  report(Rule::HintRefuted, Level::Error, said.isKnown() ? said : site.loop->location,
         "independent is contradicted: " + example->example + "; the loop stays serial");
}

/// The device goes on where the original stops.
void Analysis::reportEnds(const LoopSite &site) {
  for (const End *end : site.ends)
    if (saidEnds.insert(end).second)
      report(Rule::NoReturn, Level::Note, end->location,
             end->what + " may end the program from inside the loop at line " +
                 std::to_string(site.loop->location.line) +
                 ": a device finishes the loop and sets a flag, and the host ends the program behind it");
}

/// What no treatment can change.
bool Analysis::mustStaySerial(const LoopSite &site, LoopVerdict &verdict) {
  const Loop &loop = *site.loop;
  if (site.host) verdict.reason = reasonOf(*site.host, *table.program);
  else if (site.call) verdict.reason = "the call of " + site.call->callee + " was not substituted";
  else if (site.allocate || site.free)
    verdict.reason = (site.allocate ? site.allocate->array + " is allocated" : site.free->array + " is freed") +
                     std::string(" in every iteration, which only the host can do");
  else if (site.rotate)
    verdict.reason = "names change places in every iteration (" + site.rotate->moves.front().first + " <- " +
                     site.rotate->moves.front().second + ")";
  else if (loop.mayExitEarly)
    verdict.reason = loop.isLoosened ? "its bound may change in the loop" : "may stop before its last iteration";
  else if (isDecidedOnTheWay(site)) verdict.reason = "how often it runs is decided while it runs";
  else return false;
  if (loop.hints && loop.hints->independent)
    report(Rule::HintUnused, Level::Warning, loop.hints->location.isKnown() ? loop.hints->location : loop.location,
           "independent does not make this loop parallel: " + verdict.reason + "; the loop stays serial");
  if (!site.host && !site.call && (site.allocate || site.free))
    report(Rule::AllocationInLoop, Level::Remark, loop.location,
           verdict.reason + "; the loop stays on the host: allocate once before it");
  else if (!site.host && !site.call && site.rotate)
    report(Rule::ExchangedNames, Level::Note, site.rotate->location.isKnown() ? site.rotate->location : loop.location,
           verdict.reason + ", so the loop around stays serial; what is inside is judged by itself");
  // The front end has its own, at the statement that leaves.
  auto isSaid = [&](const Finding &finding) {
    return finding.rule == Rule::EarlyExit && finding.location == loop.location;
  };
  const std::vector<Finding> &said = table.program->findings;
  if (loop.mayExitEarly && std::none_of(said.begin(), said.end(), isSaid))
    report(Rule::EarlyExit, Level::Remark, loop.location,
           "the loop may be left early, so later iterations depend on earlier ones; it stays on the host");
  return true;
}

void Analysis::judgeNames(const Groups &groups, size_t index, LoopVerdict &verdict) {
  const LoopSite &site = table.loops[index];
  for (const auto &[name, sites] : groups) {
    Treatment treatment = treatments.of(index, name, sites);
    for (const Need &need : treatment.needs) {
      verdict.needs.push_back(need);
      if ((need.kind == Need::Kind::Private || need.kind == Need::Kind::ArrayPrivate) && need.op.empty() &&
          isHintedDead(table, site, name))
        verdict.assuming.push_back("temporary(" + name + ")");
    }
    if (treatment.refuted) refuted[index].insert(name);
    bool isWritten = std::any_of(sites.begin(), sites.end(),
                                 [](const Site *each) { return each->access->kind != AccessKind::Read; });
    const Array *array = table.array(name);
    if (isWritten && array && array->rows == Rows::Assumed) verdict.assuming.push_back("rows(" + name + ")");
    if (treatment.removesAll) continue;
    // Scratch memory by the user's word: what an iteration leaves in it no other one reads.
    if (array && aliases.isOneObject(name) && site.loop->hints && site.loop->hints->independent &&
        isHintedDead(table, site, name)) {
      verdict.needs.push_back({array->isScalar() ? Need::Kind::Private : Need::Kind::ArrayPrivate, name, ""});
      verdict.assuming.push_back("temporary(" + name + ")");
      verdict.assuming.push_back(assumedIndependent);
      continue;
    }
    for (CarriedDependence &dependence : treatment.dependences) {
      verdict.dependences.push_back(std::move(dependence));
    }
  }
}

/// If its name stands for other memory than it did, what is said of its object does not hold.
void Analysis::assumeSteady(const std::string &name, LoopVerdict &verdict) const {
  if (const Array *array = table.array(name); array && array->isSteady)
    verdict.assuming.push_back("steady(" + name + ")");
}

void Analysis::judgePairs(const Groups &groups, const LoopSite &site, LoopVerdict &verdict) {
  auto isWritten = [](const std::vector<const Site *> &sites) {
    return llvm::any_of(sites, [](const Site *site) { return site->access->kind != AccessKind::Read; });
  };
  if (llvm::none_of(groups, [&](const auto &group) { return isWritten(group.second); })) return;
  for (const auto &[name, sites] : groups) assumeSteady(name, verdict);
  struct Member {
    const std::string &name;
    const std::vector<const Site *> &sites;
    bool isWritten;
  };
  std::vector<Member> members; // that others may be the same as
  for (const auto &[name, sites] : groups)
    if (!aliases.isApartFromAll(name)) members.push_back({name, sites, isWritten(sites)});
  for (size_t k = 0; k < members.size(); ++k)
    for (const Member &b : llvm::ArrayRef(members).drop_front(k + 1)) {
      const Member &a = members[k];
      if (!a.isWritten && !b.isWritten) continue;
      const Overlap overlap = aliases.between(a.name, b.name);
      if (overlap == Overlap::Never || isHintedApart(site, a.name, b.name)) continue;
      if (overlap == Overlap::IfCalled) {
        verdict.assuming.push_back(noalias(a.name, b.name));
        continue;
      }
      verdict.dependences.push_back({CarriedDependence::Kind::Unknown, a.name, a.sites.front()->location(),
                                     b.sites.front()->location(),
                                     a.name + " -> " + b.name + ": they may be the same memory"});
    }
}

void Analysis::conclude(const LoopSite &site, LoopVerdict &verdict) {
  std::sort(verdict.needs.begin(), verdict.needs.end());
  // Flow first, what is only not excluded last.
  std::stable_sort(verdict.dependences.begin(), verdict.dependences.end(),
                   [](const CarriedDependence &a, const CarriedDependence &b) { return a.kind < b.kind; });
  settleIndependence(site, verdict);
  if (hasHandlers)
    for (const Location &handler : handlersBefore(*table.function, *site.loop))
      verdict.assuming.push_back(unthrown(handler));
  if (site.loop->believing && table.function->name != "main") // nothing can stand in the place of an executable's own
    for (const std::string &name : *site.loop->believing) verdict.assuming.push_back("uninterposed(" + name + ")");
  std::sort(verdict.assuming.begin(), verdict.assuming.end());
  verdict.assuming.erase(std::unique(verdict.assuming.begin(), verdict.assuming.end()), verdict.assuming.end());
  verdict.parallel = verdict.dependences.empty();
  if (!verdict.parallel) {
    constexpr size_t shown = 4;
    verdict.dependences.resize(std::min(shown, verdict.dependences.size()));
    verdict.reason = verdict.dependences.front().example;
    verdict.assuming.clear();
    verdict.needs.clear();
    return;
  }
  verdict.reason = "no two iterations touch the same element";
  bool reassociates = false;
  for (size_t k = 0; k < verdict.needs.size(); ++k) {
    const Need &need = verdict.needs[k];
    verdict.reason += (k == 0 ? " after " : ", ") + toString(need.kind).str() + "(" +
                      (need.kind == Need::Kind::Reduction ? need.op + ":" : "") + need.name + ")";
    const Array *array = table.array(need.name);
    reassociates |= need.kind == Need::Kind::Reduction && (need.op == "+" || need.op == "*") && array &&
                    (array->type.kind == ElementType::Kind::Float || array->type.kind == ElementType::Kind::Complex);
  }
  if (reassociates) verdict.reason += "; a floating-point reduction changes the order of rounding";
}

void Analysis::reportAssumptions(const Groups &groups, const LoopSite &site, const LoopVerdict &verdict) {
  auto isGiven = [&](const std::string &name) {
    const Array *array = table.array(name);
    return array && array->storage == Storage::Given;
  };
  for (const auto &[name, sites] : groups)
    if (std::binary_search(verdict.assuming.begin(), verdict.assuming.end(), "steady(" + name + ")") &&
        assumed.insert({name, ""}).second)
      report(Rule::AssumedSteady, Level::Note, table.array(name)->location,
             "`" + name + "` is assumed to lead where it led before code that is not seen was called");
  std::vector<Groups::const_iterator> others; // that others may be the same as
  if (llvm::any_of(verdict.assuming, [](llvm::StringRef one) { return one.starts_with("noalias("); }))
    for (auto group = groups.begin(); group != groups.end(); ++group)
      if (!aliases.isApartFromAll(group->first)) others.push_back(group);
  for (size_t k = 0; k < others.size(); ++k)
    for (size_t l = k + 1; l < others.size(); ++l) {
      const auto a = others[k], b = others[l];
      if (assumed.count({a->first, b->first})) continue;
      const std::string text = noalias(a->first, b->first);
      if (!std::binary_search(verdict.assuming.begin(), verdict.assuming.end(), text)) continue;
      assumed.insert({a->first, b->first});
      report(Rule::AssumedNoAlias, Level::Note, site.loop->location,
             "`" + a->first + "` and `" + b->first + "` are assumed not to overlap; if " +
                 (isGiven(a->first) || isGiven(b->first) ? "code that is not seen gives" : "a caller passes") +
                 " pointers into one object, iterations may depend");
    }
}

Groups Analysis::groupsOf(const LoopSite &site) const {
  Groups groups;
  for (size_t k = site.firstSite; k < site.endSite; ++k)
    groups[table.sites[k].access->array].push_back(&table.sites[k]);
  return groups;
}

/// A loop that calls a library stays on the host for that alone; the reader wants to know of what would keep it serial
/// without the call, too.
void Analysis::lookBehindLibraryCalls() {
  for (size_t k = 0; k < table.loops.size(); ++k) {
    const LoopSite &site = table.loops[k];
    if (!site.host || site.host->reason != HostReason::Library || site.call || site.rotate || site.loop->mayExitEarly ||
        effortIsSpent())
      continue;
    EffortBudget share(shareBehindCalls * effortLeft());
    LoopVerdict other;
    std::set<std::string> kept = refuted[k]; // a directive is held against what is judged, not against this
    judgeNames(groupsOf(site), k, other);
    refuted[k] = std::move(kept);
    llvm::erase_if(other.dependences,
                   [](const CarriedDependence &d) { return d.kind != CarriedDependence::Kind::Flow; });
    if (other.dependences.empty()) continue;
    result.loops[k].reason = other.dependences.front().example + "; and " + result.loops[k].reason;
    result.loops[k].dependences = {other.dependences.front()};
  }
}

void Analysis::judge(size_t index, LoopVerdict &verdict) {
  const LoopSite &site = table.loops[index];
  verdict.loop = site.loop;
  if (mustStaySerial(site, verdict)) return;
  Groups groups = groupsOf(site);
  judgeNames(groups, index, verdict);
  judgePairs(groups, site, verdict);
  if (!site.ends.empty())
    verdict.needs.push_back({Need::Kind::Reduction, endFlag, areAlike(site.ends) ? "max" : "min"});
  conclude(site, verdict);
  if (verdict.parallel) {
    reportAssumptions(groups, site, verdict);
    reportEnds(site);
  } else
    report(Rule::NotParallel, Level::Note, site.loop->location,
           "iterations depend on each other: " + verdict.reason + "; the loop itself stays serial");
}

void Analysis::checkDirectives(const std::vector<bool> &skipped) {
  for (size_t k = 0; k < table.loops.size(); ++k) {
    const Loop &loop = *table.loops[k].loop;
    if (!loop.directive || !loop.directive->isParallel) continue;
    for (const Loop *covered : loopsCovered(loop))
      for (size_t j = k; j < result.loops.size(); ++j)
        if (result.loops[j].loop == covered && !(j < skipped.size() && skipped[j]))
          for (Finding &finding : checkClaim(loop, result.loops[j], refuted[j]))
            report(finding.rule, finding.level, finding.location, std::move(finding.message));
  }
}

DependenceAnalysis Analysis::run(const std::vector<bool> &skipped) {
  double left = effortLeft();
  EffortBudget budget(std::isfinite(left) ? shareOfVerdicts * left : secondsAlone);
  refuted.assign(table.loops.size(), {});
  result.loops.resize(table.loops.size());
  for (size_t k = 0; k < table.loops.size(); ++k) {
    if (k < skipped.size() && skipped[k]) {
      result.loops[k].loop = table.loops[k].loop;
      continue;
    }
    if (!effortIsSpent()) {
      EffortBudget share(shareOfLoop * effortLeft());
      judge(k, result.loops[k]);
      continue;
    }
    result.loops[k].loop = table.loops[k].loop;
    result.loops[k].isAnalysed = false;
    result.loops[k].reason = "not analysed: the effort allowed for its function was spent";
  }
  lookBehindLibraryCalls();
  checkDirectives(skipped);
  if (budget.wasExceeded() && !table.loops.empty())
    report(Rule::EffortExceeded, Level::Remark, table.function->location,
           "some dependence questions in " + table.function->name +
               " were too hard within the effort allowed; the loops concerned are called serial");
  std::sort(result.findings.begin(), result.findings.end());
  result.findings.erase(std::unique(result.findings.begin(), result.findings.end()), result.findings.end());
  return std::move(result);
}

llvm::StringRef busfare::brs::toString(Need::Kind kind) {
  switch (kind) {
  case Need::Kind::Private: return "private";
  case Need::Kind::FirstPrivate: return "firstprivate";
  case Need::Kind::LastPrivate: return "lastprivate";
  case Need::Kind::Reduction: return "reduction";
  case Need::Kind::ArrayPrivate: return "array-private";
  }
  return "";
}

const LoopVerdict *DependenceAnalysis::find(const Loop &loop) const {
  for (const LoopVerdict &verdict : loops)
    if (verdict.loop == &loop) return &verdict;
  return nullptr;
}

DependenceAnalysis busfare::brs::analyseDependence(const Program &program, const Function &function,
                                                   const Context &context, EffectsMemo *memo,
                                                   const std::vector<bool> &skipped) {
  EffectsMemo own;
  if (!memo) memo = &own;
  SiteTable table = collectSites(program, function, ownersOf(program, function, *memo));
  return Analysis(table, context, *memo).run(skipped);
}

bool busfare::brs::isUnnamedPointer(llvm::StringRef name) {
  const auto [before, number] = name.rsplit('.');
  const bool isNumbered = !number.empty() && number.find_first_not_of("0123456789") == llvm::StringRef::npos;
  const llvm::StringRef last = isNumbered ? before : name;
  return last == unnamedPointer || last.ends_with((llvm::Twine(":") + unnamedPointer).str());
}
