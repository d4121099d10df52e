//===- brs/Transfers.cpp - What must cross the bus, where, and how often ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Transfers.h"
#include "brs/Effects.h"
#include "brs/Handlers.h"
#include "brs/Kernels.h"
#include "brs/Presburger.h"
#include "brs/Replan.h"
#include "brs/Residency.h"
#include "skeleton/Rotation.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace busfare::brs {
using namespace skeleton;

namespace {

/// Of the effort that is left, for the plans of all arrays; the rest is for what is said of them.
constexpr double shareOfPlans = 0.75;

using Parts = std::vector<llvm::ArrayRef<Node>>;

Parts heads(const std::vector<std::pair<const Block *, size_t>> &blocks) {
  Parts parts;
  for (const auto &[block, n] : blocks) parts.push_back(llvm::ArrayRef(*block).take_front(n));
  return parts;
}
Parts tails(const std::vector<std::pair<const Block *, size_t>> &blocks) {
  Parts parts;
  for (const auto &[block, n] : blocks) parts.push_back(llvm::ArrayRef(*block).drop_front(n));
  return parts;
}

std::set<std::string> namesIn(const Block &block) {
  std::set<std::string> names;
  forEachNode(block, [&](const Node &node) {
    if (auto *access = std::get_if<Access>(&node.kind)) names.insert(access->array);
  });
  return names;
}

/// The names by the rotations they are in.
std::vector<std::vector<std::string>> groupsOf(const Rotations &rotations, const std::set<std::string> &names) {
  std::vector<std::vector<std::string>> groups;
  std::set<std::string> done;
  for (const std::string &name : names) {
    if (done.count(name)) continue;
    groups.push_back(rotations.of(name));
    done.insert(groups.back().begin(), groups.back().end());
  }
  return groups;
}

/// What the copy moves in all the iterations around it.
ElementSet everMoved(const Crossing &crossing, unsigned rank) {
  if (crossing.section.whole) return ElementSet::whole(rank);
  ElementSet moved = elementsOf(crossing.section, rank);
  for (const Loop *loop : llvm::reverse(crossing.loops)) {
    Expr index = Expr::symbol(loop->index);
    Context bounds;
    bounds.assume(loop->step > 0 ? index - loop->lower : loop->lower - index);
    bounds.assume(loop->step > 0 ? loop->upper - index : index - loop->upper);
    moved = projectOut(restrictTo(moved, bounds), loop->index);
  }
  moved.exact = crossing.section.exact;
  return moved;
}

bool hasNeed(const LoopVerdict *verdict, Need::Kind kind, const std::string &name) {
  return verdict && llvm::any_of(verdict->needs, [&](const Need &n) { return n.kind == kind && n.name == name; });
}

class Analysis {
public:
  Analysis(const Program &program, const Function &function, const DependenceAnalysis &dependence,
           const Context &context, bool isProgram, const PlanLimits &limits, EffectsMemo &memo, const KnownPlan *known)
      : program(program), function(function), dependence(dependence), context(context), isProgram(isProgram),
        limits(limits), memo(memo), known(known), changed(known ? known->changed : std::set<std::string>()) {}

  TransferAnalysis run();

private:
  const Program &program;
  const Function &function;
  const DependenceAnalysis &dependence;
  const Context &context;
  bool isProgram;
  PlanLimits limits; ///< What no plan was found for joins onHost.
  const ArrayTable arrays{program, function};
  std::optional<TouchIndex> touches; ///< Made for the first region.
  EffectsMemo &memo;
  const KnownPlan *known; ///< Of arrays that need not be asked about again; null: none.
  std::set<std::string> changed; ///< Arrays that it does not hold for.
  /// Calls of it, with its names, and accesses through unknown pointers, with none; made when it is asked for.
  std::optional<std::map<Location, std::string>> unseenCode;
  TransferAnalysis result;

  bool analyseRegion(RegionSpan span, const KernelLoops &kernels);
  std::vector<Expr> factsInside(const std::vector<Kernel> &kernels, const RegionSpan &span) const;
  /// Declared in the kernel's body, or in a function called there: each iteration has its own.
  bool isMadeInside(const Array &array, const Loop &kernel) const;
  ElementSet touchedByKernels(const std::string &name, const std::vector<Kernel> &kernels, const Nest &nest) const;
  /// Arrays in device memory: touched by a kernel and not private to its iterations.
  std::set<std::string> sharedArrays(const std::vector<Kernel> &kernels) const;
  bool areSized(const std::vector<std::string> &names) const;
  /// Then there is a plan (WholeArrays.h), but for the rarest control flow.
  bool canBeCopiedWhole(const std::vector<std::string> &names) const;
  bool isLiveAtEnd(const std::string &name) const;
  std::vector<std::string> denotedBehind(const RegionSpan &span, const std::string &name,
                                         llvm::ArrayRef<std::vector<std::string>> groups) const;
  /// Who may look at it once the function has ended.
  Reason liveAtEndBecause(const Array &array) const;
  /// A read at the place of a call of code that is not seen is that code's.
  void nameUnseenCode(std::vector<Crossing> &crossings);
  void fillLiveness(ResidencyQuestion &question, const std::set<std::string> &names) const;
  std::vector<ScalarTransfer> scalarsOf(const std::vector<Kernel> &kernels, const RegionSpan &span) const;
  /// The known copies of all of these, if nothing changes for them.
  std::optional<std::map<std::string, ArrayTransfers>> knownOf(const std::vector<std::string> &names) const;
  void keepOnHost(const std::set<std::string> &names, const std::vector<Kernel> &kernels);
};

/// In a region its loops run: a region whose kernels do not run moves nothing, and ported code tests that first. So
/// only what can be told at its entry is taken for granted.
std::vector<Expr> Analysis::factsInside(const std::vector<Kernel> &kernels, const RegionSpan &span) const {
  std::set<std::string> later;
  forEachNode(llvm::ArrayRef(*span.block).slice(span.first, span.last - span.first + 1), [&](const Node &node) {
    if (auto *define = std::get_if<Define>(&node.kind)) later.insert(define->symbol);
    else if (auto *loop = std::get_if<Loop>(&node.kind)) later.insert(loop->index);
  });
  std::vector<Expr> facts;
  Context inside = context;
  auto assume = [&](const Expr &fact) {
    if (fact.isPoisoned() || llvm::any_of(fact.symbols(), [&](const std::string &s) { return later.count(s) != 0; }))
      return;
    if (llvm::is_contained(facts, fact) || limits.doubted.count(fact) || isNonNegative(fact, context) == Answer::Yes)
      return;
    // One loop that never runs, or not together with the others, must not take the whole region with it.
    if (isNonNegative(-1 - fact, inside) == Answer::Yes) return;
    facts.push_back(fact);
    inside.assume(fact);
  };
  auto assumeTurns = [&](const Loop &loop) { assume(spanOf(loop)); };
  // What all kernels stand under.
  auto isEverybodys = [&](const Guard &guard) {
    return llvm::all_of(kernels, [&](const Kernel &kernel) {
      return llvm::any_of(kernel.guards,
                          [&](const Guard &own) { return own.then == guard.then && own.condition == guard.condition; });
    });
  };
  for (const Guard &guard : kernels.empty() ? std::vector<Guard>() : kernels.front().guards) {
    if (guard.condition.anyOf.size() != 1 || !isEverybodys(guard)) continue;
    const std::vector<Expr> &all = guard.condition.anyOf.front();
    if (guard.then) llvm::for_each(all, assume);
    else if (guard.condition.exact && all.size() == 1) assume(-all.front() - 1);
  }
  for (const Kernel &kernel : kernels) {
    for (const Loop *loop : kernel.serialLoops) assumeTurns(*loop);
    if (llvm::all_of(kernel.guards, isEverybodys)) assumeTurns(*kernel.loop);
  }
  return facts;
}

bool Analysis::isMadeInside(const Array &array, const Loop &kernel) const {
  if (!array.perIteration) return false;
  const std::map<std::string, std::string> &owners = ownersOf(program, function, memo);
  auto owner = owners.find(array.name);
  if (owner == owners.end())
    // Inline puts `callee@LINE:` before a callee's names, once for each call.
    return size_t(llvm::count(array.name, '@')) > kernel.context.size();
  bool isInside = owner->second == kernel.index;
  forEachNode(kernel.body, [&](const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) isInside |= loop->index == owner->second;
  });
  return isInside;
}

/// Of an array that a serial loop makes anew: outside that loop nothing is touched, but the device holds it there.
ElementSet Analysis::touchedByKernels(const std::string &name, const std::vector<Kernel> &kernels,
                                      const Nest &nest) const {
  ElementSet touched = ElementSet::empty(arrays.find(name)->extents.size());
  for (const Kernel &kernel : kernels) {
    Nest around = nest;
    for (const Loop *loop : kernel.serialLoops) around = around.inside(*loop);
    Effects effects = effectsOf(program, function, *kernel.loop, around, &memo);
    auto found = effects.arrays.find(name);
    if (found == effects.arrays.end()) continue;
    ElementSet here = restrictTo(unite(found->second.mayRead, found->second.mayWrite), around.contextInside());
    for (const Loop *loop : llvm::reverse(kernel.serialLoops)) here = projectOut(here, loop->index);
    touched = unite(touched, here);
  }
  return touched;
}

std::set<std::string> Analysis::sharedArrays(const std::vector<Kernel> &kernels) const {
  std::set<std::string> shared;
  for (const Kernel &kernel : kernels) {
    std::set<std::string> names = namesIn(kernel.loop->body);
    const LoopVerdict *verdict = dependence.find(*kernel.loop);
    for (const std::string &name : names) {
      const Array *array = arrays.find(name);
      if (array && !array->isScalar() && !isMadeInside(*array, *kernel.loop) &&
          !hasNeed(verdict, Need::Kind::ArrayPrivate, name))
        shared.insert(name);
    }
  }
  return shared;
}

bool Analysis::areSized(const std::vector<std::string> &names) const {
  return llvm::all_of(names, [&](const std::string &name) {
    return llvm::all_of(arrays.find(name)->extents, [](const auto &extent) { return extent.has_value(); });
  });
}

bool Analysis::canBeCopiedWhole(const std::vector<std::string> &names) const {
  return areSized(names) &&
         llvm::none_of(names, [&](const std::string &name) { return arrays.find(name)->perIteration; });
}

bool Analysis::isLiveAtEnd(const std::string &name) const {
  const Array *array = arrays.find(name);
  if (!array || array->isConst || llvm::is_contained(function.hints.temporaries, name)) return false;
  return array->storage == Storage::Parameter || array->storage == Storage::Given ||
         (array->storage == Storage::Global && !isProgram);
}

Reason Analysis::liveAtEndBecause(const Array &array) const {
  if (array.storage == Storage::Global) return {Cause::Others, function.location, ""};
  llvm::StringRef name(array.name), owner = name.take_front(name.find_first_of(".-[*("));
  bool isHanded =
      name.starts_with("this") || name.starts_with("*") ||
      llvm::any_of(function.parameters, [&](const Parameter &p) { return p.name == name || p.name == owner; });
  // Memory that a call of something unseen gave.
  if (!isHanded && array.location.isKnown()) return {Cause::Unseen, array.location, ""};
  return {Cause::Caller, function.location, ""};
}

void Analysis::nameUnseenCode(std::vector<Crossing> &crossings) {
  if (!unseenCode) {
    unseenCode.emplace();
    forEachNode(function.body, [&](const Node &node) {
      auto *host = std::get_if<HostStatement>(&node.kind);
      if (host && touchesExposed(*host)) unseenCode->try_emplace(host->location, host->what);
      else if (auto *call = std::get_if<Call>(&node.kind)) unseenCode->try_emplace(call->location, call->callee);
    });
    forEachAccess(function.body, [&](const Access &access, const HostStatement *in) {
      const Array *array = arrays.find(access.array);
      if (array && array->storage == Storage::Alias && array->mayBe.empty())
        unseenCode->try_emplace(locationOf(access, in), "");
    });
  }
  for (Crossing &crossing : crossings)
    if (auto found = unseenCode->find(crossing.because.at); found != unseenCode->end() &&
                                                            crossing.because.cause != Cause::Kept &&
                                                            crossing.because.cause != Cause::Seldom) {
      crossing.because.cause = found->second.empty() ? Cause::Pointer : Cause::Unseen;
      crossing.because.who = found->second;
    }
}

/// Whose object the name may denote behind the region, by the names before the function: where two have changed places,
/// the one or the other, if it is known how often. groups: all that do in the function.
std::vector<std::string> Analysis::denotedBehind(const RegionSpan &span, const std::string &name,
                                                 llvm::ArrayRef<std::vector<std::string>> groups) const {
  auto found = llvm::find_if(groups, [&](const auto &one) { return llvm::is_contained(one, name); });
  if (found == groups.end()) return {name};
  const std::vector<std::string> &group = *found;
  if (group.size() != 2) return group;
  const Exchanges exchanges(group.front(), group.back(), function.body, function.nonNegative);
  std::vector<llvm::ArrayRef<Node>> parts = heads(span.before);
  parts.push_back(llvm::ArrayRef(*span.block).slice(span.first, span.last - span.first + 1));
  std::optional<Expr> isOdd = parityOf(parts, exchanges);
  if (!isOdd) return group;
  // The region runs, and so do the branches around it.
  Context inside = span.nest.contextInside();
  Substitution flags;
  for (const std::string &symbol : isOdd->symbols())
    if (Expr flag = Expr::symbol(symbol);
        exchanges.flags.count(symbol) && isNonNegative(flag - 1, inside) == Answer::Yes)
      flags[symbol] = 1;
  std::optional<int64_t> times = isOdd->substitute(flags).constant();
  if (!times) return group;
  return {*times == 0 ? name : name == group.front() ? group.back() : group.front()};
}

void Analysis::fillLiveness(ResidencyQuestion &question, const std::set<std::string> &names) const {
  const RegionSpan &span = question.region;
  // With the facts of the whole function, not of the region: others have asked the same, and the next attempt will.
  Effects after = effectsOfSequence(program, function, tails(span.after), Nest(context), question.memo);
  Effects before = effectsOfSequence(program, function, heads(span.before), Nest(context), question.memo);
  const std::vector<std::vector<std::string>> groups = rotatedTogether(function.body);
  for (const std::string &name : names) {
    const Array *array = arrays.find(name);
    unsigned rank = array->extents.size();
    ElementSet live = ElementSet::empty(rank);
    const std::vector<std::string> denoted = denotedBehind(span, name, groups);
    if (auto seen = llvm::find_if(denoted, [&](const std::string &n) { return isLiveAtEnd(n); });
        seen != denoted.end()) {
      live = ElementSet::whole(rank);
      question.liveBecause[name] = liveAtEndBecause(*arrays.find(*seen));
    }
    if (auto found = after.arrays.find(name); found != after.arrays.end()) {
      live = unite(subtract(live, found->second.mustWrite), found->second.exposedRead);
      if (!found->second.exposedAt.empty())
        question.liveBecause[name] = {Cause::Read, found->second.exposedAt.front(), ""};
    }
    if (!live.isProvablyEmpty()) question.liveAfter[name] = live;
    bool isFresh = array->storage == Storage::Local || array->storage == Storage::Heap ||
                   llvm::is_contained(function.hints.temporaries, name); // what the caller left there does not matter
    if (isFresh && before.exitNames.empty()) {
      ElementSet undefined = ElementSet::whole(rank);
      if (auto found = before.arrays.find(name); found != before.arrays.end())
        undefined = subtractMust(undefined, found->second.mayWrite);
      question.undefinedBefore[name] = undefined;
    }
  }
}

std::vector<ScalarTransfer> Analysis::scalarsOf(const std::vector<Kernel> &kernels, const RegionSpan &span) const {
  std::map<std::string, ScalarTransfer> scalars;
  for (const Kernel &kernel : kernels) {
    const LoopVerdict *verdict = dependence.find(*kernel.loop);
    Effects effects = effectsOf(program, function, *kernel.loop, Nest(context), &memo);
    for (const auto &[name, sets] : effects.arrays) {
      const Array *array = arrays.find(name);
      if (!array || !array->isScalar() || isMadeInside(*array, *kernel.loop) ||
          hasNeed(verdict, Need::Kind::Private, name))
        continue;
      ScalarTransfer scalar{name, !sets.exposedRead.isProvablyEmpty(), !sets.mayWrite.isProvablyEmpty(),
                            array->type.bytes};
      if (!scalar.toDevice && !scalar.toHost) continue;
      ScalarTransfer &sum = scalars.try_emplace(name, scalar).first->second;
      sum.toDevice |= scalar.toDevice;
      sum.toHost |= scalar.toHost;
    }
  }
  for (const Kernel &kernel : kernels)
    if (const LoopVerdict *verdict = dependence.find(*kernel.loop))
      for (const Need &need : verdict->needs)
        if (need.name == endFlag)
          scalars[endFlag] = {endFlag, true, true, std::max(scalars[endFlag].bytes, endFlagBytes(need.op))};
  std::vector<ScalarTransfer> result;
  for (auto &entry : scalars) result.push_back(entry.second);
  return result;
}

void Analysis::keepOnHost(const std::set<std::string> &names, const std::vector<Kernel> &kernels) {
  for (const Kernel &kernel : kernels) {
    std::set<std::string> touched = namesIn(kernel.loop->body);
    auto bad = llvm::find_if(names, [&](const std::string &n) { return touched.count(n); });
    if (bad == names.end()) continue;
    limits.onHost.insert(kernel.loop);
    result.givenUp.insert(kernel.loop);
    changed.insert(touched.begin(), touched.end());
    bool isSized = areSized({*bad});
    result.findings.push_back(
        {Rule::EffortExceeded, Level::Warning, kernel.loop->location,
         "no sequence of copies of parts of '" + *bad +
             "' was found that keeps it right on both sides, and it cannot be copied as a whole: " +
             (isSized ? "which loop makes it anew is not known" : "its size is not known") +
             "; this loop stays on the host"});
  }
}

std::optional<std::map<std::string, ArrayTransfers>> Analysis::knownOf(const std::vector<std::string> &names) const {
  if (!known || llvm::any_of(names, [&](const std::string &name) { return changed.count(name) != 0; }))
    return std::nullopt;
  std::map<std::string, ArrayTransfers> found;
  for (const ArrayTransfers &array : known->region.arrays) {
    if (!llvm::is_contained(names, array.name)) continue;
    ArrayTransfers &copy = found[array.name] = array;
    for (std::vector<Crossing> *list : {&copy.h2d, &copy.d2h})
      for (Crossing &crossing : *list)
        for (const Loop *&loop : crossing.loops)
          if (auto here = known->loops.find(loop); here != known->loops.end()) loop = here->second;
  }
  if (found.size() != names.size()) return std::nullopt;
  return found;
}

/// What a loop's iterations are taken to be on somebody's word.
static std::string saidOf(const Loop &loop) {
  bool isHinted = loop.hints && loop.hints->independent;
  return (isHinted ? "independent iterations of the loop at " : "what its directive says of the loop at ") +
         toString(loop.location);
}

bool Analysis::analyseRegion(RegionSpan span, const KernelLoops &kernelLoops) {
  Region region;
  region.block = span.block;
  region.first = span.first;
  region.last = span.last;
  region.kernels = kernelsOf(span, kernelLoops, dependence);
  // The nest of the region with the facts that hold inside it.
  region.runs = factsInside(region.kernels, span);
  Context inside = context;
  for (const Expr &fact : region.runs) inside.assume(fact);
  Nest nest(inside);
  for (const NestStep &step : span.nest.steps()) nest = nest.inside(*step.branch, step.then);
  span.nest = nest;

  std::set<std::string> shared = sharedArrays(region.kernels);
  std::set<std::string> names = shared;
  const Rotations rotations(span);
  for (const std::string &name : shared)
    for (const std::string &other : rotations.of(name)) names.insert(other);
  EffectsOfNodes effects;
  if (!touches) touches.emplace(program, function);
  EffectsMemo &ofNames = memo.about(program, function, names);
  ResidencyQuestion question{program, function, arrays, *touches, span, kernelLoops, {}, {}, {}, &ofNames, &effects};
  std::map<std::string, ArrayCrossings> crossings;
  std::set<std::string> unplaceable, copiedWhole;
  std::vector<std::vector<std::string>> groups = groupsOf(rotations, names);
  llvm::erase_if(groups, [&](const std::vector<std::string> &group) {
    std::optional<std::map<std::string, ArrayTransfers>> arrays = knownOf(group);
    for (auto &[name, array] : arrays.value_or(std::map<std::string, ArrayTransfers>())) {
      region.arrays.push_back(std::move(array));
      names.erase(name);
    }
    return arrays.has_value();
  });
  {
    EffortBudget budget(shareOfPlans * effortLeft());
    fillLiveness(question, names);
    // Of some there may be no plan; then their kernels stay on the host, and the others' plans would be made in vain.
    auto sure = std::stable_partition(groups.begin(), groups.end(),
                                      [&](const auto &group) { return !canBeCopiedWhole(group); });
    for (auto group = groups.begin(); group != groups.end() && (group < sure || unplaceable.empty()); ++group) {
      ResidencyPlan plan = planResidency(question, *group);
      crossings.merge(plan.arrays);
      unplaceable.insert(plan.unplaceable.begin(), plan.unplaceable.end());
      copiedWhole.insert(plan.copiedWhole.begin(), plan.copiedWhole.end());
    }
  }
  if (!unplaceable.empty()) {
    keepOnHost(unplaceable, region.kernels);
    return false;
  }

  Effects footprint;
  if (!names.empty())
    footprint = effectsOf(program, function, llvm::ArrayRef(*span.block).slice(span.first, span.last - span.first + 1),
                          nest, &ofNames, {&kernelLoops, true, false});
  for (const std::string &name : names) {
    const Array *array = arrays.find(name);
    ElementSet touched = ElementSet::empty(array->extents.size());
    for (const std::string &other : rotations.of(name))
      if (auto found = footprint.arrays.find(other); found != footprint.arrays.end())
        touched = unite(touched, unite(found->second.mayRead, found->second.mayWrite));
    if (array->perIteration) touched = unite(touched, touchedByKernels(name, region.kernels, nest));
    ArrayTransfers transfers;
    transfers.name = name;
    transfers.type = array->type;
    transfers.extents = array->extents;
    transfers.hasRows = array->rows != Rows::None;
    // A copy may take more than is touched.
    for (const std::string &other : rotations.of(name))
      for (const auto *list : {&crossings[other].h2d, &crossings[other].d2h})
        for (const Crossing &crossing : *list) touched = unite(touched, everMoved(crossing, array->extents.size()));
    transfers.onDevice = touched.toSections(array->extents, nest.context());
    // One block of memory holds it: everything between the outermost elements.
    if (std::optional<Section> around = hull(transfers.onDevice, nest.context())) {
      SectionSet held{
          {*around}, transfers.onDevice.exact && transfers.onDevice.boxes.size() == 1, transfers.onDevice.whole};
      keepInsideInPlace(held, array->extents, nest.context());
      transfers.onDevice.boxes = held.boxes;
    }
    transfers.h2d = crossings[name].h2d; // a rotation's other names look at them too
    transfers.d2h = crossings[name].d2h;
    nameUnseenCode(transfers.h2d);
    nameUnseenCode(transfers.d2h);
    transfers.temporary = transfers.h2d.empty() && transfers.d2h.empty();
    region.arrays.push_back(std::move(transfers));
  }
  llvm::sort(region.arrays, [](const ArrayTransfers &a, const ArrayTransfers &b) { return a.name < b.name; });
  region.scalars = scalarsOf(region.kernels, span);
  region.timeLoops = timeLoopsOf(region.kernels);
  const Kernel &first = region.kernels.front();
  region.location = first.serialLoops.empty() ? first.loop->location : first.serialLoops.front()->location;
  std::set<std::string> assumptions;
  for (const Kernel &kernel : region.kernels)
    if (const LoopVerdict *verdict = dependence.find(*kernel.loop))
      for (const std::string &assumption : verdict->assuming)
        assumptions.insert(assumption == assumedIndependent ? saidOf(*kernel.loop) : assumption);
  for (const Kernel &kernel : region.kernels)
    forEachNode(kernel.loop->body, [&](const Node &node) {
      if (auto *end = std::get_if<End>(&node.kind))
        assumptions.insert(assumedBehindEnds + std::string(" ") + end->what + " at " + toString(end->location) +
                           ", which a device runs, too");
    });
  for (const std::string &name : names)
    if (llvm::is_contained(function.hints.temporaries, name)) assumptions.insert("temporary(" + name + ")");
  for (const Location &handler : handlersIn(function)) assumptions.insert(unthrown(handler));
  if (!isProgram)
    for (const Location &thrown : throwsIn(function)) assumptions.insert(unthrown(thrown));
  for (const std::string &name : names)
    if (arrays.find(name)->isSteady) assumptions.insert("steady(" + name + ")");
  region.assumptions.assign(assumptions.begin(), assumptions.end());
  region.copiedWhole.assign(copiedWhole.begin(), copiedWhole.end());
  result.regions.push_back(std::move(region));
  return true;
}

TransferAnalysis Analysis::run() {
  // Every failed attempt excludes at least one kernel, so this ends.
  while (true) {
    result.regions.clear();
    KernelLoops kernels = findKernels(program, function, dependence, limits);
    bool done = true;
    for (RegionSpan &span : findRegions(function, kernels, context))
      done = analyseRegion(std::move(span), kernels) && done;
    if (done) break;
  }
  for (const Region &region : result.regions)
    if (!region.copiedWhole.empty())
      result.findings.push_back(
          {Rule::EffortExceeded, Level::Remark, region.location,
           "which elements of " + llvm::join(region.copiedWhole, ", ") +
               " must cross could not be told; wherever they change sides they are copied as a whole"});
  return std::move(result);
}

} // namespace

TransferAnalysis analyseTransfers(const Program &program, const Function &function,
                                  const DependenceAnalysis &dependence, const Context &context, bool isProgram,
                                  const PlanLimits &limits, EffectsMemo *memo) {
  EffectsMemo own;
  return Analysis(program, function, dependence, context, isProgram, limits, memo ? *memo : own, nullptr).run();
}

TransferAnalysis replanTransfers(const Program &program, const Function &function, const DependenceAnalysis &dependence,
                                 const Context &context, bool isProgram, const PlanLimits &limits, EffectsMemo *memo,
                                 const KnownPlan &known) {
  EffectsMemo own;
  return Analysis(program, function, dependence, context, isProgram, limits, memo ? *memo : own, &known).run();
}

} // namespace busfare::brs
