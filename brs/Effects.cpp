//===- brs/Effects.cpp - What a piece of a program reads and writes -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/EffectsWalk.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

namespace busfare::brs {

namespace effects {

/// In a kept piece of a host statement's body: where the statement does.
static const Location whereBodyStands;

void addLocations(Places &to, const Places &from) {
  // A report names the first few; the list must not grow with the program.
  constexpr size_t few = 8;
  if (to.size() >= few) return;
  for (const Location *location : from)
    if (to.size() < few &&
        llvm::none_of(to, [&](const Location *other) { return other == location || *other == *location; }))
      to.push_back(location);
}

Declarations::Declarations(const Program &program, const Function &function, const std::set<std::string> *only)
    : typesMix(program.typesMix) {
  for (const std::vector<Array> *declared : {&function.arrays, &program.globals})
    for (const Array &array : *declared) {
      if (!numbers.try_emplace(array.name, arrays.size()).second) continue;
      asked.push_back(!only || only->count(array.name));
      if (array.storage != Storage::Alias && asked.back()) objects.push_back(arrays.size());
      arrays.push_back(&array);
    }
  owners = ownerLoops(function);
  for (const auto &[array, loop] : owners) madeInLoop[loop].push_back(numbers.lookup(array));
}

Walk::Walk(const Program &program, const Function &function, Parts parts, const Nest &nest, EffectsMemo::State &memo,
           const SideOnly &side, bool touchedOnly)
    : function(function), memo(memo), declared(memo.declared(program, function)), side(side), touchedOnly(touchedOnly),
      facts(nest.contextInside()) {
  for (std::vector<std::string> &group : rotatedTogether(parts))
    for (const std::string &name : group) groups[name] = group;
}

std::optional<Number> Walk::numberOf(llvm::StringRef name) const {
  auto found = declared.numbers.find(name);
  return found == declared.numbers.end() ? std::nullopt : std::optional(found->second);
}

Sets &Walk::setsOf(Piece &piece, Number number) const {
  return piece.arrays.try_emplace(number, unsigned(declared.arrays[number]->extents.size())).first->second;
}
Sets &Walk::setsOf(Piece &piece, Number number, std::map<Number, Sets>::iterator &from) const {
  constexpr unsigned near = 4;
  for (unsigned k = 0; k < near && from != piece.arrays.end() && from->first < number; ++k) ++from;
  if (from != piece.arrays.end() && from->first < number) from = piece.arrays.lower_bound(number);
  from = piece.arrays.try_emplace(from, number, unsigned(declared.arrays[number]->extents.size()));
  return from->second;
}
Sets &Walk::setsOf(Piece &piece, const std::string &name) const { return setsOf(piece, *numberOf(name)); }

Seen Walk::seenHere() const {
  if (!side.kernels || inKernel == side.device) return Seen::All;
  return side.withOthersWrites ? Seen::WritesOnly : Seen::Nothing;
}

void Walk::addWhole(Piece &piece, Number number, bool read, bool write, const Location &location) const {
  Sets &sets = setsOf(piece, number);
  unsigned rank = sets.rank;
  May everything(PresburgerSet::universe(rank), false, rank);
  if (read) {
    sets.read = everything;
    addLocations(sets.readAt, {&location});
    if (!touchedOnly) {
      sets.exposed = everything;
      addLocations(sets.exposedAt, {&location});
    }
  }
  if (write) {
    sets.write = everything;
    sets.mustExact = false;
    addLocations(sets.writtenAt, {&location});
  }
}

Piece Walk::touchingEverything(const Location &location) {
  Piece piece;
  for (Number object : declared.objects)
    addWhole(piece, object, true, true, location); // const here says nothing of what an unseen callee may do.
  return piece;
}

Piece Walk::ofAccess(const Access &access) {
  bool reads = access.kind != AccessKind::Write, writes = access.kind != AccessKind::Read;
  if (Seen seen = seenHere(); seen != Seen::All) {
    reads = false;
    if (seen == Seen::Nothing || !writes) return {};
  }
  std::optional<Number> number = numberOf(access.array);
  // A body that several statements have in common does not stand anywhere itself.
  const Location &location = in && !access.location.isKnown() ? whereBodyStands : access.location;
  if (!number) return touchingEverything(location);
  const Array &array = *declared.arrays[*number];
  Piece piece;
  if (array.storage == Storage::Alias) {
    bool isValue = isValueRead(access);
    auto add = [&](Number object) {
      const Array &meant = *declared.arrays[object];
      if (declared.asked[object] && !isOnlyNamed(meant) && (!isValue || mayBeOfType(array.type, meant.type)))
        addWhole(piece, object, reads, writes, location);
    };
    if (array.mayBe.empty()) llvm::for_each(declared.objects, add);
    for (const std::string &target : array.mayBe) {
      std::optional<Number> object = numberOf(target);
      if (!object) return touchingEverything(location);
      add(*object);
    }
    return piece;
  }
  if (!declared.asked[*number]) return {};
  unsigned rank = array.extents.size();
  std::vector<std::optional<Expr>> subscripts;
  bool precise = !access.may && access.subscripts.size() == rank;
  std::vector<DimensionRange> ranges(rank);
  for (size_t i = 0; i < access.subscripts.size(); ++i) {
    const Subscript &s = access.subscripts[i];
    subscripts.push_back(s.value);
    precise &= s.value.has_value();
    if (!s.value && i < rank) ranges[i] = {s.atLeast, s.atMost, 1};
  }
  PresburgerSet elements;
  if (access.subscripts.size() == rank) {
    elements = elementAt(subscripts);
    PresburgerSet bounded = intersect(elements, boxOf(ranges));
    if (bounded.isKnown()) elements = bounded;
  }
  Sets &sets = setsOf(piece, *number);
  May touched(elements, precise, rank);
  if (reads) {
    sets.read = touched;
    sets.readAt = {&location};
    if (!touchedOnly) {
      sets.exposed = touched;
      sets.exposedAt = sets.readAt;
    }
  }
  if (writes) {
    // Where an element is written in part, the rest of it matters; only that it is touched is precise.
    bool isWhole = overwrites(access);
    sets.write = isWhole || touchedOnly ? touched : May(elements, false, rank);
    sets.writtenAt = {&location};
    sets.mustExact = isWhole && precise && touched.exact && !touchedOnly;
    if (sets.mustExact) sets.mustWrite = sets.defined = touched.set;
  }
  return piece;
}

/// The next piece's sets, when the name may but need not denote this object: nothing of it is sure.
void Walk::addMaybe(Sets &sets, const Sets &next) const {
  auto inexact = [&](May may) {
    may.exact = may.tight = false;
    return may;
  };
  May exposed(subtract(next.exposed.set, sets.defined), false, sets.rank);
  sets.exposed = unite(sets.exposed, exposed, sets.rank);
  sets.read = unite(sets.read, inexact(next.read), sets.rank);
  sets.write = unite(sets.write, inexact(next.write), sets.rank);
  sets.mustExact = false;
  addPlaces(sets.readAt, next.readAt);
  addPlaces(sets.writtenAt, next.writtenAt);
  addPlaces(sets.exposedAt, next.exposedAt);
}

void Walk::addAfter(Sets &sets, const Sets &next) const {
  May exposed = next.exposed;
  if (!exposed.isEmpty()) {
    PresburgerSet left = subtract(exposed.set, sets.defined);
    if (left.isKnown()) // else all of it stays, and that may be too much
      exposed = May(left, exposed.exact && sets.mustExact, sets.rank);
    else exposed.exact = false;
    if (!exposed.isEmpty()) {
      add(sets.exposed, exposed, sets.rank);
      addPlaces(sets.exposedAt, next.exposedAt);
    }
  }
  add(sets.read, next.read, sets.rank);
  add(sets.write, next.write, sets.rank);
  bool isAll = addSurely(sets.mustWrite, next.mustWrite);
  sets.mustExact &= next.mustExact && isAll;
  addSurely(sets.defined, next.defined);
  addPlaces(sets.readAt, next.readAt);
  addPlaces(sets.writtenAt, next.writtenAt);
}

void Walk::addPlaces(Places &to, const Places &from) const {
  if (!here) return addLocations(to, from);
  Places places = from;
  for (const Location *&place : places)
    if (place == &whereBodyStands) place = here;
  addLocations(to, places);
}

void Walk::append(Piece &total, const Piece &next) const {
  // Through an unknown pointer a statement touches all there is.
  effortIsSpent(unsigned(next.arrays.size()));
  auto entryName = [&](const std::string &name) {
    auto found = total.exitNames.find(name);
    return found == total.exitNames.end() ? name : found->second;
  };
  auto at = total.arrays.begin();
  for (const auto &[number, sets] : next.arrays) {
    auto renamed = total.exitNames.empty() ? total.exitNames.end() : total.exitNames.find(declared.nameOf(number));
    if (renamed == total.exitNames.end()) addAfter(setsOf(total, number, at), sets);
    else if (!renamed->second.empty()) addAfter(setsOf(total, renamed->second), sets);
    else
      for (const std::string &possible : groups.at(renamed->first)) addMaybe(setsOf(total, possible), sets);
  }
  if (next.exitNames.empty()) return;
  std::map<std::string, std::string> names = total.exitNames;
  for (const auto &[name, source] : next.exitNames) names[name] = source.empty() ? "" : entryName(source);
  for (auto it = names.begin(); it != names.end();) it = it->first == it->second ? names.erase(it) : std::next(it);
  total.exitNames = std::move(names);
}

/// Whether the same access stood in the block before, with nothing in between that could make a difference. Then its
/// sets are in the total already. (Scalars, fields and what an unknown pointer reaches are touched again and again.)
bool Walk::isRepeated(const Access &access, Done &done) const {
  constexpr size_t fewEntries = 16;
  bool reads = access.kind != AccessKind::Write, writes = access.kind != AccessKind::Read;
  std::optional<Number> number = numberOf(access.array);
  if (!number) return false;
  const Array &array = *declared.arrays[*number];
  bool isAlias = array.storage == Storage::Alias;
  // All pointers of which nothing is known reach the same.
  constexpr Number anyPointer = std::numeric_limits<Number>::max();
  const bool isValue = isAlias && isValueRead(access);
  std::vector<Done::Entry> &entries = done.byArray[isAlias && array.mayBe.empty() && !isValue ? anyPointer : *number];
  Done::Entry *same = nullptr;
  for (Done::Entry &entry : entries)
    if (isAlias ? isValue || !entry.isValue
                : entry.access->subscripts == access.subscripts && entry.access->may == access.may &&
                      !entry.access->part.bytes == !access.part.bytes)
      same = &entry;
  if (same && (!reads || same->reads) && (!writes || same->writes)) return true;
  // A read behind a write is another question: is it still of values from before? Through an alias all of it stays so.
  auto isObject = [&](Number other) {
    return other != anyPointer && declared.arrays[other]->storage != Storage::Alias;
  };
  if (writes)
    for (auto &[other, others] : done.byArray)
      if (isAlias ? isObject(other) : other == *number)
        for (Done::Entry &entry : others) entry.reads = false;
  if (same) {
    same->reads |= reads;
    same->writes |= writes;
  } else if (entries.size() < fewEntries) {
    entries.push_back({&access, reads, writes, isValue});
  }
  return false;
}

void Walk::addNodes(Piece &total, llvm::ArrayRef<Node> block, Done &done) {
  for (size_t k = 0; k < block.size(); ++k) {
    if (effortIsSpent(stepsPerNode)) {
      // What is known already is known without effort, too.
      size_t end = k;
      while (end < block.size() && !isKept(block[end])) ++end;
      if (end > k) {
        append(total, anythingIn(block.slice(k, end - k)));
        done.byArray.clear();
        k = end - 1;
        continue;
      }
    }
    const Node &node = block[k];
    if (auto *access = std::get_if<Access>(&node.kind)) {
      if (seenHere() == Seen::All && isRepeated(*access, done)) continue;
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      addHost(total, *host, done);
      continue;
    } else if (!std::holds_alternative<Operations>(node.kind) && !std::holds_alternative<Define>(node.kind)) {
      // What stands in a loop or branch may write anything; names may denote other objects behind it.
      done.byArray.clear();
    }
    if (std::shared_ptr<const Piece> piece = ofNode(node)) append(total, *piece);
  }
}

Piece Walk::ofSequence(Parts parts) {
  Piece total;
  Done done;
  for (llvm::ArrayRef<Node> part : parts) addNodes(total, part, done);
  return total;
}

/// Of the accesses alone, wherever they are made.
std::shared_ptr<const Piece> Walk::ofBody(const HostStatement &host) {
  std::shared_ptr<const Piece> &known = memo.bodies[{&function, host.body.identity(), aspect({})}];
  if (known) return known;
  Piece total;
  Done done;
  addNodes(total, host.body, done);
  auto piece = std::make_shared<const Piece>(std::move(total));
  if (!effortIsSpent()) known = piece;
  return piece;
}

void Walk::addHost(Piece &total, const HostStatement &host, Done &done) {
  if (host.body.empty()) return;
  // What is touched again is touched already, and was exposed then if it is now; unless names denote other objects.
  const bool isFirst = done.bodies.insert(host.body.identity()).second;
  if (!isFirst && total.exitNames.empty()) return;
  done.byArray.clear();
  in = &host;
  const std::shared_ptr<const Piece> piece = ofBody(host);
  here = &host.location;
  append(total, *piece);
  here = nullptr;
  in = nullptr;
}

/// Null: nothing happens there.
std::shared_ptr<const Piece> Walk::ofNode(const Node &node) {
  if (auto *loop = std::get_if<Loop>(&node.kind)) return ofLoop(*loop);
  if (auto *branch = std::get_if<Branch>(&node.kind)) return ofBranch(*branch);
  auto made = [](Piece piece) { return std::make_shared<const Piece>(std::move(piece)); };
  if (auto *access = std::get_if<Access>(&node.kind)) return made(ofAccess(*access));
  if (auto *host = std::get_if<HostStatement>(&node.kind)) {
    Piece piece;
    Done done;
    addHost(piece, *host, done);
    return made(std::move(piece));
  }
  if (auto *call = std::get_if<Call>(&node.kind)) return made(touchingEverything(call->location));
  Piece piece;
  if (auto *rotation = std::get_if<Rotate>(&node.kind)) {
    for (const auto &[first, second] : rotation->moves)
      if (first != second) piece.exitNames[first] = second;
    return made(std::move(piece));
  }
  if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
    std::optional<Number> number = numberOf(allocate->array);
    if (!number || !declared.asked[*number]) return nullptr;
    Sets &sets = setsOf(piece, *number);
    if (!touchedOnly) sets.defined = PresburgerSet::universe(sets.rank);
    return made(std::move(piece));
  }
  return nullptr;
}

std::shared_ptr<const Piece> Walk::findKept(const void *node, const KernelsInside &kernels) const {
  auto found = memo.nodes.find({node, aspect(kernels)});
  if (found != memo.nodes.end())
    for (const EffectsMemo::State::Kept &known : found->second)
      if (known.kernels == kernels && known.facts == facts.facts) return known.piece;
  return nullptr;
}

std::shared_ptr<const Piece> Walk::kept(const void *node, KernelsInside kernels, llvm::function_ref<Piece()> make) {
  if (std::shared_ptr<const Piece> known = findKept(node, kernels)) return known;
  auto piece = std::make_shared<const Piece>(make());
  // Names that change places do so in groups, which depend on what is around. What was found in a hurry is not kept.
  if (piece->exitNames.empty() && !effortIsSpent()) {
    const unsigned seen = aspect(kernels);
    memo.nodes[{node, seen}].push_back({facts.facts, std::move(kernels), piece});
  }
  return piece;
}

bool Walk::isKept(const Node &node) const {
  if (auto *loop = std::get_if<Loop>(&node.kind)) return findKept(loop, kernelsInside(loop, {loop->body})) != nullptr;
  auto *branch = std::get_if<Branch>(&node.kind);
  return branch && findKept(branch, kernelsInside(branch, {branch->then, branch->otherwise})) != nullptr;
}

Walk::KernelsInside Walk::kernelsInside(const void *node, llvm::ArrayRef<llvm::ArrayRef<Node>> blocks) const {
  if (!side.kernels || inKernel) return {};
  auto [loops, isNew] = memo.loopsInside.try_emplace(node);
  if (isNew)
    for (llvm::ArrayRef<Node> block : blocks)
      forEachNode(block, [&](const Node &inner) {
        if (auto *loop = std::get_if<Loop>(&inner.kind)) loops->second.push_back(loop);
      });
  KernelsInside kernels;
  llvm::copy_if(loops->second, std::back_inserter(kernels),
                [&](const Loop *loop) { return side.kernels->count(loop) != 0; });
  return kernels;
}

} // namespace effects

namespace {

/// Effort after which everything left is taken as touched.
constexpr double secondsPerQuestion = 0.2;

ElementSet toElementSet(const effects::May &may) {
  return ElementSet(std::make_shared<const PresburgerSet>(may.set), may.exact, may.tight);
}

} // namespace

EffectsMemo::EffectsMemo() : state(std::make_unique<State>()) {}
EffectsMemo::~EffectsMemo() = default;

const std::map<std::string, std::string> &ownersOf(const Program &program, const Function &function,
                                                   EffectsMemo &memo) {
  return memo.state->declared(program, function).owners;
}

EffectsMemo &EffectsMemo::about(const Program &program, const Function &function, const std::set<std::string> &names) {
  constexpr size_t timesAsMany = 8;
  if (names.size() * timesAsMany > state->declared(program, function).arrays.size()) return *this;
  for (std::unique_ptr<EffectsMemo> &memo : state->narrowed)
    if (llvm::all_of(names, [&](const std::string &name) { return memo->state->only->count(name); })) return *memo;
  state->narrowed.push_back(std::make_unique<EffectsMemo>());
  state->narrowed.back()->state->only = names;
  return *state->narrowed.back();
}

static std::vector<Location> locationsAt(const effects::Places &places) {
  std::vector<Location> locations;
  for (const Location *place : places) locations.push_back(*place);
  return locations;
}

Effects effects::Walk::publicForm(const Piece &piece) const {
  Effects effects;
  for (const auto &[number, sets] : piece.arrays) {
    ArrayEffects array;
    array.mayRead = toElementSet(sets.read);
    array.mayWrite = toElementSet(sets.write);
    array.mustWrite = ElementSet(std::make_shared<const PresburgerSet>(sets.mustWrite), sets.mustExact);
    array.exposedRead = toElementSet(touchedOnly ? sets.read : sets.exposed);
    array.readAt = locationsAt(sets.readAt);
    array.writtenAt = locationsAt(sets.writtenAt);
    array.exposedAt = locationsAt(sets.exposedAt);
    effects.arrays.emplace(declared.nameOf(number), std::move(array));
  }
  effects.exitNames = piece.exitNames;
  return effects;
}

/// The walk over the parts, with whatever memory there is.
template <class Ask>
static Effects ask(const Program &program, const Function &function, effects::Walk::Parts parts, const Nest &nest,
                   EffectsMemo *memo, const SideOnly &side, Ask ask, bool touchedOnly = false) {
  EffortBudget budget(secondsPerQuestion);
  EffectsMemo own;
  effects::Walk walk(program, function, parts, nest, memo ? *memo->state : *own.state, side, touchedOnly);
  return ask(walk);
}

Effects effectsOfSequence(const Program &program, const Function &function, llvm::ArrayRef<llvm::ArrayRef<Node>> parts,
                          const Nest &nest, EffectsMemo *memo, const SideOnly &side) {
  return ask(program, function, parts, nest, memo, side,
             [&](effects::Walk &walk) { return walk.publicForm(walk.ofSequence(parts)); });
}

Effects effectsOf(const Program &program, const Function &function, llvm::ArrayRef<Node> block, const Nest &nest,
                  EffectsMemo *memo, const SideOnly &side) {
  return effectsOfSequence(program, function, block, nest, memo, side);
}

Effects effectsOf(const Program &program, const Function &function, const Node &node, const Nest &nest,
                  EffectsMemo *memo, const SideOnly &side) {
  return effectsOf(program, function, llvm::ArrayRef<Node>(node), nest, memo, side);
}

Effects effectsOf(const Program &program, const Function &function, const Loop &loop, const Nest &nest,
                  EffectsMemo *memo) {
  return ask(program, function, llvm::ArrayRef<Node>(loop.body), nest, memo, {},
             [&](effects::Walk &walk) { return walk.publicForm(*walk.ofLoop(loop)); });
}

Effects touchedIn(const Program &program, const Function &function, const Node &node, const Nest &nest,
                  EffectsMemo *memo) {
  return ask(
      program, function, llvm::ArrayRef<Node>(node), nest, memo, {},
      [&](effects::Walk &walk) { return walk.publicForm(walk.ofSequence(llvm::ArrayRef<Node>(node))); }, true);
}

} // namespace busfare::brs
