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
    : table(table), aliases(aliases), context(context), memo(memo) {
  for (size_t k = 0; k < table.sites.size(); ++k)
    if (const Access &access = *table.sites[k].access; access.kind != AccessKind::Write)
      readers[numberOf(access.array)].push_back(k);
}
Liveness::~Liveness() = default;

static bool holds(const llvm::BitVector &names, unsigned number) { return number < names.size() && names.test(number); }

static void insert(llvm::BitVector &names, unsigned number) {
  if (number >= names.size()) names.resize(number + 1);
  names.set(number);
}

unsigned Liveness::numberOf(llvm::StringRef name) {
  auto [found, isNew] = numbers.try_emplace(name, names.size());
  if (isNew) {
    names.push_back(name.str());
    readers.emplace_back();
    if (!aliases.isApartFromAll(names.back())) {
      together.push_back(found->second);
      insert(isTogether, found->second);
    }
  }
  return found->second;
}

Nest Liveness::nestOf(llvm::ArrayRef<NestStep> steps) const {
  Nest nest(context);
  for (const NestStep &step : steps) nest = step.loop ? nest.inside(*step.loop) : nest.inside(*step.branch, step.then);
  return nest;
}

void Liveness::ScalarFlow::addExposedBehind(const ScalarFlow &other) {
  Names behind = other.exposed;
  exposed |= behind.reset(must);
  anything |= other.anything;
}

Liveness::ScalarFlow Liveness::flowOf(llvm::ArrayRef<Node> nodes, const Nest &nest) {
  ScalarFlow flow;
  for (const Node &node : nodes) addNode(flow, node, nest);
  return flow;
}

/// A block stands at one place, so it is walked once, whatever it is asked about.
const Liveness::ScalarFlow &Liveness::flowOfBlock(const Block &block, const Nest &nest) {
  if (auto found = flows.find(&block); found != flows.end()) return found->second;
  return flows[&block] = flowOf(block, nest);
}

const Liveness::ScalarFlow &Liveness::flowOfRest(const Block &block, size_t position, const Nest &nest) {
  std::map<size_t, ScalarFlow> &known = rests[&block];
  auto later = known.lower_bound(position);
  if (later != known.end() && later->first == position) return later->second;
  const size_t end = later == known.end() ? block.size() : later->first;
  ScalarFlow flow = flowOf(llvm::ArrayRef(block).slice(position, end - position), nest);
  if (later != known.end()) {
    flow.addExposedBehind(later->second);
    flow.must |= later->second.must;
  }
  return known[position] = std::move(flow);
}

void Liveness::addNode(ScalarFlow &flow, const Node &node, const Nest &nest) {
  if (const auto *access = std::get_if<Access>(&node.kind)) {
    const Array *array = table.array(access->array);
    bool isScalar = array && array->isScalar();
    const unsigned name = numberOf(access->array);
    if (access->kind != AccessKind::Write && !(isScalar && holds(flow.must, name))) insert(flow.exposed, name);
    if (isScalar && overwrites(*access)) insert(flow.must, name);
  } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
    const ScalarFlow &then = flowOfBlock(branch->then, nest.inside(*branch, true)),
                     &otherwise = flowOfBlock(branch->otherwise, nest.inside(*branch, false));
    flow.addExposedBehind(then);
    flow.addExposedBehind(otherwise);
    // Who comes behind a side that ends the program took the other.
    bool thenEnds = surelyEnds(branch->then), otherwiseEnds = surelyEnds(branch->otherwise);
    Names must = thenEnds ? otherwise.must : then.must;
    if (!thenEnds && !otherwiseEnds) must &= otherwise.must;
    flow.must |= must;
  } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
    const ScalarFlow &body = flowOfBlock(loop->body, nest.inside(*loop));
    flow.addExposedBehind(body);
    if (loop->mayExitEarly || !body.must.test(flow.must)) // nothing that is not there
      return;
    if (isNonNegative(spanOf(*loop), nest.contextInside()) == Answer::Yes) flow.must |= body.must;
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
    result = std::make_unique<Effects>(effectsOf(*table.program, *table.function, loop.body, nest.inside(loop), &memo));
  return *result;
}

bool Liveness::mayBeSame(const std::string &other, const std::string &name, Where where) const {
  if (aliases.rotatesWith(name).count(other)) return true;
  return aliases.between(name, other) >= (where == Where::Inside ? Overlap::Maybe : Overlap::IfCalled);
}

Liveness::Same &Liveness::sameOf(const std::string &name, Where where) {
  const unsigned number = numberOf(name);
  auto [found, isNew] = same[where == Where::Outside].try_emplace(number);
  Same &known = found->second;
  if (isNew) {
    insert(known.names, number);
    insert(known.asked, number);
    known.isAlone = !holds(isTogether, number);
  }
  return known;
}

bool Liveness::isSame(unsigned other, const std::string &name, Where where) {
  Same &known = sameOf(name, where);
  if (!holds(known.asked, other)) {
    if (known.isAlone || !holds(isTogether, other)) return false;
    insert(known.asked, other);
    if (mayBeSame(names[other], name, where)) insert(known.names, other);
  }
  return holds(known.names, other);
}

const Liveness::Names &Liveness::sameAs(const std::string &name, Where where) {
  Same &known = sameOf(name, where);
  for (; !known.isAlone && known.compared < together.size(); ++known.compared)
    isSame(together[known.compared], name, where);
  return known.names;
}

bool Liveness::exposes(const ScalarFlow &flow, const std::string &name, Where where) {
  return flow.anything ||
         llvm::any_of(flow.exposed.set_bits(), [&](unsigned other) { return isSame(other, name, where); });
}

bool Liveness::exposes(const Effects &effects, const std::string &name, Where where) {
  for (const auto &[other, arrayEffects] : effects.arrays) {
    const unsigned number = numberOf(other);
    if (isSame(number, name, where) && !arrayEffects.exposedRead.isProvablyEmpty()) return true;
  }
  return false;
}

bool Liveness::mayReadOlder(size_t loop, const std::string &name) {
  const ScalarFlow &flow = flowOfBody(loop);
  if (!exposes(flow, name, Where::Inside)) return false;
  if (flow.anything) return true;
  const LoopSite &site = table.loops[loop];
  return exposes(effectsOfBody(*site.loop, nestOf(site.outer)), name, Where::Inside);
}

bool Liveness::isSurelyWritten(size_t loop, const std::string &name) {
  const Array *array = table.array(name);
  if (array && array->isScalar() && holds(flowOfBody(loop).must, numberOf(name))) return true;
  const LoopSite &site = table.loops[loop];
  const Effects &body = effectsOfBody(*site.loop, nestOf(site.outer));
  auto found = body.arrays.find(name);
  if (found == body.arrays.end()) return false;
  // Every iteration must write all that any iteration may write. Names defined inside differ between the two.
  const Loop &turning = *site.loop;
  ElementSet may = projectOut(found->second.mayWrite, turning.index);
  for (const Define *define : site.defines) may = projectOut(may, define->symbol);
  if (!may.representation()) return false;
  Expr i = Expr::symbol(turning.index);
  PresburgerSet iterations = turning.step > 0
                                 ? intersect(nonNegative(i - turning.lower), nonNegative(turning.upper - i))
                                 : intersect(nonNegative(turning.lower - i), nonNegative(i - turning.upper));
  PresburgerSet inside = intersect(intersect(*may.representation(), iterations), conditionOf(context));
  return isSurelySubset(ElementSet(std::make_shared<PresburgerSet>(inside), false), found->second.mustWrite);
}

bool Liveness::isReadOutside(size_t loop, size_t first, size_t end, const std::string &name) {
  const LoopSite &inner = table.loops[loop];
  for (unsigned other : sameAs(name, Where::Outside).set_bits()) {
    auto reader = llvm::lower_bound(readers[other], first);
    if (reader != readers[other].end() && *reader >= inner.firstSite)
      reader = llvm::lower_bound(readers[other], std::max(first, inner.endSite));
    if (reader != readers[other].end() && *reader < end) return true;
  }
  return false;
}

bool Liveness::mayBeLiveAtEnd(const std::string &name) const {
  const auto &temporaries = table.function->hints.temporaries;
  if (std::find(temporaries.begin(), temporaries.end(), name) != temporaries.end()) return false;
  for (const std::string &member : aliases.rotatesWith(name)) {
    const Array *array = table.array(member);
    if (!array || array->storage == Storage::Parameter || array->storage == Storage::Alias ||
        array->storage == Storage::Given)
      return true;
    // After main nobody reads globals; static destructors and atexit handlers are not followed.
    if (array->storage == Storage::Global && table.function->name != "main") return true;
    // Memory that is not surely freed here may be handed to the caller.
    if (array->storage == Storage::Heap && table.function->name != "main") return true;
  }
  return false;
}

Liveness::Next Liveness::scalarNext(const LoopSite &loop, size_t level, const std::string &name) {
  const auto &[block, position] = loop.trail[level];
  Nest nest = nestOf(llvm::ArrayRef(loop.outer).take_front(level));
  const ScalarFlow &rest = flowOfRest(*block, position + 1, nest);
  if (exposes(rest, name, Where::Outside)) return Next::Read;
  return holds(rest.must, numberOf(name)) && aliases.isOneObject(name) ? Next::Overwritten : Next::Untouched;
}

Liveness::Next Liveness::arrayNext(const LoopSite &loop, size_t level, const std::string &name) {
  const auto &[block, position] = loop.trail[level];
  Nest nest = nestOf(llvm::ArrayRef(loop.outer).take_front(level));
  llvm::ArrayRef<Node> rest = llvm::ArrayRef(*block).drop_front(position + 1);
  const ScalarFlow &flow = flowOfRest(*block, position + 1, nest);
  if (flow.anything) return Next::Read;
  if (exposes(flow, name, Where::Outside)) {
    std::unique_ptr<Effects> &known = restEffects[{block, position + 1}];
    if (!known) known = std::make_unique<Effects>(effectsOf(*table.program, *table.function, rest, nest, &memo));
    if (exposes(*known, name, Where::Outside)) return Next::Read;
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
  if (site.call) return true;
  return isReadOutside(index, site.firstSite, site.endSite, name) &&
         exposes(flowOfBody(around), name, Where::Outside) &&
         exposes(effectsOfBody(*site.loop, nestOf(site.outer)), name, Where::Outside);
}

bool Liveness::mayBeLiveAfter(size_t index, const std::string &name) {
  const LoopSite &loop = table.loops[index];
  const Array *array = table.array(name);
  if (!array) return true;
  auto isDeadOutside = [&](const Loop &around) {
    return around.hints && llvm::is_contained(around.hints->temporaries, name);
  };
  if (isDeadOutside(*loop.loop)) return false;
  int owner = ownerOf(table, name);
  for (size_t level = loop.trail.size(); level-- > 0;) {
    Next next = array->isScalar() ? scalarNext(loop, level, name) : arrayNext(loop, level, name);
    if (next != Next::Untouched) return next == Next::Read;
    const Loop *around = level == 0 ? nullptr : loop.outer[level - 1].loop;
    if (!around) continue;
    size_t outer = 0;
    while (table.loops[outer].loop != around) ++outer;
    if (owner == int(outer)) return false;
    if (mayReadAgain(index, outer, name)) return true;
    if (isDeadOutside(*around)) return false;
  }
  return mayBeLiveAtEnd(name);
}
