//===- brs/Liveness.cpp - Is a value wanted from before, or afterwards? ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What follows a loop is: the rest of its block, the next iteration of the loop
// around it (from the top of its body), the rest of that loop's block, and so on
// out to the end of the function, where parameters and globals are still wanted.
//
//   for t { s = 0; for i { s += a[i] } ; b[t] = s }     after loop i: b[t] reads s
//
//===----------------------------------------------------------------------===//
#include "brs/Liveness.h"
#include "brs/Presburger.h"

using namespace busfare::brs;
using namespace busfare::skeleton;

Liveness::Liveness(const SiteTable &table, const Aliases &aliases, const Context &context, EffectsMemo &memo)
    : table(table), aliases(aliases), context(context), memo(memo) {}
Liveness::~Liveness() = default;

Nest Liveness::nestOf(llvm::ArrayRef<NestStep> steps) const {
  Nest nest(context);
  for (const NestStep &step : steps)
    nest = step.loop ? nest.inside(*step.loop) : nest.inside(*step.branch, step.then);
  return nest;
}

void Liveness::ScalarFlow::addExposedBehind(const ScalarFlow &other) {
  for (const std::string &name : other.exposed)
    if (!must.count(name))
      exposed.insert(name);
  anything |= other.anything;
}

Liveness::ScalarFlow Liveness::flowOf(llvm::ArrayRef<Node> nodes, const Nest &nest) {
  ScalarFlow flow;
  for (const Node &node : nodes)
    addNode(flow, node, nest);
  return flow;
}

/// A block stands at one place, so it is walked once, whatever it is asked about.
const Liveness::ScalarFlow &Liveness::flowOfBlock(const Block &block, const Nest &nest) {
  if (auto found = flows.find(&block); found != flows.end())
    return found->second;
  return flows[&block] = flowOf(block, nest);
}

const Liveness::ScalarFlow &Liveness::flowOfRest(const Block &block, size_t position, const Nest &nest) {
  std::map<size_t, ScalarFlow> &known = rests[&block];
  auto later = known.lower_bound(position);
  if (later != known.end() && later->first == position)
    return later->second;
  const size_t end = later == known.end() ? block.size() : later->first;
  ScalarFlow flow = flowOf(llvm::ArrayRef(block).slice(position, end - position), nest);
  if (later != known.end()) {
    flow.addExposedBehind(later->second);
    flow.must.insert(later->second.must.begin(), later->second.must.end());
  }
  return known[position] = std::move(flow);
}

void Liveness::addNode(ScalarFlow &flow, const Node &node, const Nest &nest) {
  if (const auto *access = std::get_if<Access>(&node.kind)) {
    const Array *array = table.array(access->array);
    bool isScalar = array && array->isScalar();
    if (access->kind != AccessKind::Write && !(isScalar && flow.must.count(access->array)))
      flow.exposed.insert(access->array);
    if (isScalar && overwrites(*access))
      flow.must.insert(access->array);
  } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
    const ScalarFlow &then = flowOfBlock(branch->then, nest.inside(*branch, true)),
                     &otherwise = flowOfBlock(branch->otherwise, nest.inside(*branch, false));
    flow.addExposedBehind(then);
    flow.addExposedBehind(otherwise);
    // Who comes behind a side that ends the program took the other.
    bool thenEnds = surelyEnds(branch->then), otherwiseEnds = surelyEnds(branch->otherwise);
    for (const std::string &name : thenEnds ? otherwise.must : then.must)
      if (thenEnds || otherwiseEnds || otherwise.must.count(name))
        flow.must.insert(name);
  } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
    const ScalarFlow &body = flowOfBlock(loop->body, nest.inside(*loop));
    flow.addExposedBehind(body);
    bool isNew = false;
    for (const std::string &name : body.must)
      isNew |= !flow.must.count(name);
    if (!isNew || loop->mayExitEarly)
      return;
    if (isNonNegative(spanOf(*loop), nest.contextInside()) == Answer::Yes)
      flow.must.insert(body.must.begin(), body.must.end());
  } else if (const auto *host = std::get_if<HostStatement>(&node.kind)) {
    flow.addExposedBehind(flowOf(host->body, nest));
  } else if (std::holds_alternative<Call>(node.kind)) {
    flow.anything = true;
  }
}

const Liveness::ScalarFlow &Liveness::flowOfBody(size_t index) {
  const LoopSite &site = table.loops[index];
  return flowOfBlock(site.loop->body, nestOf(site.outer).inside(*site.loop));
}

const Effects &Liveness::effectsOfBody(const Loop &loop, const Nest &nest) {
  std::unique_ptr<Effects> &result = effects[&loop.body];
  if (!result)
    result = std::make_unique<Effects>(
        effectsOf(*table.program, *table.function, loop.body, nest.inside(loop), &memo));
  return *result;
}

bool Liveness::mayBeSame(const std::string &other, const std::string &name, Where where) const {
  if (aliases.rotatesWith(name).count(other))
    return true;
  return aliases.between(name, other) >= (where == Where::Inside ? Overlap::Maybe : Overlap::IfCalled);
}

bool Liveness::exposes(const ScalarFlow &flow, const std::string &name, Where where) const {
  if (flow.anything)
    return true;
  for (const std::string &other : flow.exposed)
    if (mayBeSame(other, name, where))
      return true;
  return false;
}

bool Liveness::exposes(const Effects &effects, const std::string &name, Where where) const {
  for (const auto &[other, arrayEffects] : effects.arrays)
    if (mayBeSame(other, name, where) && !arrayEffects.exposedRead.isProvablyEmpty())
      return true;
  return false;
}

bool Liveness::mayReadOlder(size_t loop, const std::string &name) {
  const ScalarFlow &flow = flowOfBody(loop);
  if (!exposes(flow, name, Where::Inside))
    return false;
  if (flow.anything)
    return true;
  const LoopSite &site = table.loops[loop];
  return exposes(effectsOfBody(*site.loop, nestOf(site.outer)), name, Where::Inside);
}

bool Liveness::isSurelyWritten(size_t loop, const std::string &name) {
  const Array *array = table.array(name);
  if (array && array->isScalar() && flowOfBody(loop).must.count(name))
    return true;
  const LoopSite &site = table.loops[loop];
  const Effects &body = effectsOfBody(*site.loop, nestOf(site.outer));
  auto found = body.arrays.find(name);
  if (found == body.arrays.end())
    return false;
  // Every iteration must write all that any iteration may write. Names defined inside differ between the two.
  const Loop &turning = *site.loop;
  ElementSet may = projectOut(found->second.mayWrite, turning.index);
  for (const Define *define : site.defines)
    may = projectOut(may, define->symbol);
  if (!may.representation())
    return false;
  Expr i = Expr::symbol(turning.index);
  PresburgerSet iterations = turning.step > 0 ? intersect(nonNegative(i - turning.lower), nonNegative(turning.upper - i))
                                              : intersect(nonNegative(turning.lower - i), nonNegative(i - turning.upper));
  PresburgerSet inside = intersect(intersect(*may.representation(), iterations), conditionOf(context));
  return isSurelySubset(ElementSet(std::make_shared<PresburgerSet>(inside), false), found->second.mustWrite);
}

bool Liveness::isReadOutside(size_t loop, size_t first, size_t end, const std::string &name) const {
  for (size_t k = first; k < end; ++k) {
    if (k >= table.loops[loop].firstSite && k < table.loops[loop].endSite)
      continue;
    const Access &access = *table.sites[k].access;
    if (access.kind != AccessKind::Write && mayBeSame(access.array, name, Where::Outside))
      return true;
  }
  return false;
}

bool Liveness::mayBeLiveAtEnd(const std::string &name) const {
  const auto &temporaries = table.function->hints.temporaries;
  if (std::find(temporaries.begin(), temporaries.end(), name) != temporaries.end())
    return false;
  for (const std::string &member : aliases.rotatesWith(name)) {
    const Array *array = table.array(member);
    if (!array || array->storage == Storage::Parameter || array->storage == Storage::Alias || array->storage == Storage::Given)
      return true;
    // After main nobody reads globals; static destructors and atexit handlers are not followed.
    if (array->storage == Storage::Global && table.function->name != "main")
      return true;
    // Memory that is not surely freed here may be handed to the caller.
    if (array->storage == Storage::Heap && table.function->name != "main")
      return true;
  }
  return false;
}

Liveness::Next Liveness::scalarNext(const LoopSite &loop, size_t level, const std::string &name) {
  const auto &[block, position] = loop.trail[level];
  Nest nest = nestOf(llvm::ArrayRef(loop.outer).take_front(level));
  const ScalarFlow &rest = flowOfRest(*block, position + 1, nest);
  if (exposes(rest, name, Where::Outside))
    return Next::Read;
  return rest.must.count(name) && aliases.isOneObject(name) ? Next::Overwritten : Next::Untouched;
}

Liveness::Next Liveness::arrayNext(const LoopSite &loop, size_t level, const std::string &name) {
  const auto &[block, position] = loop.trail[level];
  Nest nest = nestOf(llvm::ArrayRef(loop.outer).take_front(level));
  llvm::ArrayRef<Node> rest = llvm::ArrayRef(*block).drop_front(position + 1);
  const ScalarFlow &flow = flowOfRest(*block, position + 1, nest);
  if (flow.anything)
    return Next::Read;
  if (exposes(flow, name, Where::Outside)) {
    std::unique_ptr<Effects> &known = restEffects[{block, position + 1}];
    if (!known)
      known = std::make_unique<Effects>(effectsOf(*table.program, *table.function, rest, nest, &memo));
    if (exposes(*known, name, Where::Outside))
      return Next::Read;
  }
  // Freed, and rotated with nothing: the contents end here.
  if (aliases.isOneObject(name) && aliases.rotatesWith(name).size() == 1)
    for (const Node &node : rest)
      if (const auto *release = std::get_if<Free>(&node.kind); release && release->array == name)
        return Next::Overwritten;
  return Next::Untouched;
}

bool Liveness::mayReadAgain(size_t index, size_t around, const std::string &name) {
  const LoopSite &site = table.loops[around];
  if (site.call)
    return true;
  return isReadOutside(index, site.firstSite, site.endSite, name) && exposes(flowOfBody(around), name, Where::Outside) &&
         exposes(effectsOfBody(*site.loop, nestOf(site.outer)), name, Where::Outside);
}

bool Liveness::mayBeLiveAfter(size_t index, const std::string &name) {
  const LoopSite &loop = table.loops[index];
  const Array *array = table.array(name);
  if (!array)
    return true;
  auto isDeadOutside = [&](const Loop &around) {
    return around.hints && llvm::is_contained(around.hints->temporaries, name);
  };
  if (isDeadOutside(*loop.loop))
    return false;
  int owner = ownerOf(table, name);
  for (size_t level = loop.trail.size(); level-- > 0;) {
    Next next = array->isScalar() ? scalarNext(loop, level, name) : arrayNext(loop, level, name);
    if (next != Next::Untouched)
      return next == Next::Read;
    const Loop *around = level == 0 ? nullptr : loop.outer[level - 1].loop;
    if (!around)
      continue;
    size_t outer = 0;
    while (table.loops[outer].loop != around)
      ++outer;
    if (owner == int(outer))
      return false;
    if (mayReadAgain(index, outer, name))
      return true;
    if (isDeadOutside(*around))
      return false;
  }
  return mayBeLiveAtEnd(name);
}
