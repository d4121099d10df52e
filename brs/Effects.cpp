//===- brs/Effects.cpp - What a piece of a program reads and writes -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Effects.h"
#include "brs/Domain.h"
#include "brs/Owner.h"
#include "brs/Presburger.h"
#include "skeleton/Rotation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

namespace busfare::brs {
using namespace skeleton;

namespace {

/// Processor time after which everything left is taken as touched.
constexpr double secondsPerQuestion = 5;

/// An over-approximation. Always known: at worst everything.
struct May {
  PresburgerSet set;
  bool exact = true;

  May(PresburgerSet candidate, bool exact, unsigned rank) : set(std::move(candidate)), exact(exact) {
    if (!set.isKnown()) {
      set = PresburgerSet::universe(rank);
      this->exact = false;
    }
  }
  explicit May(unsigned rank) : set(PresburgerSet::empty(rank)) {}
  bool isEmpty() const { return set.isEmpty() == Answer::Yes; }
};

/// An under-approximation: what is not known is nothing.
PresburgerSet must(PresburgerSet candidate, unsigned rank) {
  return candidate.isKnown() ? candidate : PresburgerSet::empty(rank);
}

May unite(const May &a, const May &b, unsigned rank) {
  return May(unite(a.set, b.set), a.exact && b.exact, rank);
}

void addLocations(std::vector<Location> &to, const std::vector<Location> &from) {
  // A report names the first few; the list must not grow with the program.
  for (const Location &location : from)
    if (to.size() < 8 && !llvm::is_contained(to, location))
      to.push_back(location);
}

/// The sets of one array, by a name on entry of the piece.
struct Sets {
  unsigned rank;
  May read, write, exposed;
  PresburgerSet mustWrite;
  PresburgerSet defined; ///< mustWrite, and what fresh memory left without an earlier value.
  bool mustExact = true; ///< mustWrite is all that is written.
  std::vector<Location> readAt, writtenAt, exposedAt;

  explicit Sets(unsigned rank)
      : rank(rank), read(rank), write(rank), exposed(rank), mustWrite(PresburgerSet::empty(rank)),
        defined(PresburgerSet::empty(rank)) {}
};

struct Piece {
  std::map<std::string, Sets> arrays;
  std::map<std::string, std::string> exitNames; ///< As Effects::exitNames.
};

class Walk {
public:
  Walk(const Program &program, const Function &function, const Block &block, const Nest &nest)
      : program(program), function(function), owners(ownerLoops(function)), facts(nest.contextInside()) {
    for (std::vector<std::string> &group : rotatedTogether(block))
      for (const std::string &name : group)
        groups[name] = group;
  }
  Piece ofBlock(const Block &block);

private:
  const Program &program;
  const Function &function;
  std::map<std::string, std::string> owners;
  std::map<std::string, std::vector<std::string>> groups;
  Context facts; ///< What holds where the walk stands.

  unsigned rankOf(const std::string &name) const;
  Piece ofNode(const Node &node);
  Piece ofAccess(const Access &access);
  Piece ofBranch(const Branch &branch);
  Piece ofLoop(const Loop &loop);
  Piece touchingEverything(const Location &location);
  void addWhole(Piece &piece, const std::string &name, bool read, bool write, const Location &location) const;
  void append(Piece &total, const Piece &next) const;
  void addMaybe(Sets &sets, const Sets &next) const;
  void addAfter(Sets &sets, const Sets &next) const;
  void eliminateDefines(Piece &body, const Loop &loop) const;
  Piece turned(const Piece &body, const Loop &loop) const;
  PresburgerSet factsOnProducts(const PresburgerSet &set, const std::string &index) const;
  void overIterations(Sets &sets, const Loop &loop, const Iterations &iterations) const;
};

unsigned Walk::rankOf(const std::string &name) const {
  const Array *array = findArray(program, function, name);
  return array ? array->extents.size() : 0;
}

void Walk::addWhole(Piece &piece, const std::string &name, bool read, bool write, const Location &location) const {
  unsigned rank = rankOf(name);
  Sets &sets = piece.arrays.try_emplace(name, rank).first->second;
  May everything(PresburgerSet::universe(rank), false, rank);
  if (read) {
    sets.read = everything;
    sets.exposed = everything;
    addLocations(sets.readAt, {location});
    addLocations(sets.exposedAt, {location});
  }
  if (write) {
    sets.write = everything;
    sets.mustExact = false;
    addLocations(sets.writtenAt, {location});
  }
}

Piece Walk::touchingEverything(const Location &location) {
  Piece piece;
  auto add = [&](const Array &array) {
    if (array.storage != Storage::Alias)
      addWhole(piece, array.name, true, true, location); // const here says nothing of what an unseen callee may do.
  };
  llvm::for_each(function.arrays, add);
  llvm::for_each(program.globals, add);
  return piece;
}

Piece Walk::ofAccess(const Access &access) {
  bool reads = access.kind != AccessKind::Write, writes = access.kind != AccessKind::Read;
  const Array *array = findArray(program, function, access.array);
  if (!array)
    return touchingEverything(access.location);
  Piece piece;
  if (array->storage == Storage::Alias) {
    if (array->mayBe.empty()) {
      Piece everything = touchingEverything(access.location);
      for (auto &entry : everything.arrays)
        addWhole(piece, entry.first, reads, writes, access.location);
    }
    for (const std::string &target : array->mayBe)
      addWhole(piece, target, reads, writes, access.location);
    return piece;
  }
  unsigned rank = array->extents.size();
  std::vector<std::optional<Expr>> subscripts;
  bool precise = !access.may && access.subscripts.size() == rank;
  std::vector<DimensionRange> ranges(rank);
  for (size_t i = 0; i < access.subscripts.size(); ++i) {
    const Subscript &s = access.subscripts[i];
    subscripts.push_back(s.value);
    precise &= s.value.has_value();
    if (!s.value && i < rank)
      ranges[i] = {s.atLeast, s.atMost, 1};
  }
  PresburgerSet elements;
  if (access.subscripts.size() == rank) {
    elements = elementAt(subscripts);
    PresburgerSet bounded = intersect(elements, boxOf(ranges));
    if (bounded.isKnown())
      elements = bounded;
  }
  Sets &sets = piece.arrays.try_emplace(access.array, rank).first->second;
  May touched(elements, precise, rank);
  if (reads) {
    sets.read = sets.exposed = touched;
    sets.readAt = sets.exposedAt = {access.location};
  }
  if (writes) {
    sets.write = touched;
    sets.writtenAt = {access.location};
    if (precise && touched.exact)
      sets.mustWrite = sets.defined = touched.set;
    sets.mustExact = precise && touched.exact;
  }
  return piece;
}

/// The next piece's sets, when the name may but need not denote this object: nothing of it is sure.
void Walk::addMaybe(Sets &sets, const Sets &next) const {
  auto inexact = [&](May may) {
    may.exact = false;
    return may;
  };
  May exposed(subtract(next.exposed.set, sets.defined), false, sets.rank);
  sets.exposed = unite(sets.exposed, exposed, sets.rank);
  sets.read = unite(sets.read, inexact(next.read), sets.rank);
  sets.write = unite(sets.write, inexact(next.write), sets.rank);
  sets.mustExact = false;
  addLocations(sets.readAt, next.readAt);
  addLocations(sets.writtenAt, next.writtenAt);
  addLocations(sets.exposedAt, next.exposedAt);
}

void Walk::addAfter(Sets &sets, const Sets &next) const {
  May exposed = next.exposed;
  if (!exposed.isEmpty()) {
    PresburgerSet left = subtract(exposed.set, sets.defined);
    if (left.isKnown()) // else all of it stays, and that may be too much
      exposed = May(left, exposed.exact && sets.mustExact, sets.rank);
    else
      exposed.exact = false;
    if (!exposed.isEmpty()) {
      sets.exposed = unite(sets.exposed, exposed, sets.rank);
      addLocations(sets.exposedAt, next.exposedAt);
    }
  }
  sets.read = unite(sets.read, next.read, sets.rank);
  sets.write = unite(sets.write, next.write, sets.rank);
  PresburgerSet written = unite(sets.mustWrite, next.mustWrite), defined = unite(sets.defined, next.defined);
  sets.mustExact &= next.mustExact && written.isKnown();
  if (written.isKnown())
    sets.mustWrite = written;
  if (defined.isKnown())
    sets.defined = defined;
  addLocations(sets.readAt, next.readAt);
  addLocations(sets.writtenAt, next.writtenAt);
}

void Walk::append(Piece &total, const Piece &next) const {
  auto entryName = [&](const std::string &name) {
    auto found = total.exitNames.find(name);
    return found == total.exitNames.end() ? name : found->second;
  };
  for (const auto &[name, sets] : next.arrays) {
    std::string entry = entryName(name);
    if (!entry.empty()) {
      addAfter(total.arrays.try_emplace(entry, sets.rank).first->second, sets);
      continue;
    }
    for (const std::string &possible : groups.at(name))
      addMaybe(total.arrays.try_emplace(possible, sets.rank).first->second, sets);
  }
  if (next.exitNames.empty())
    return;
  std::map<std::string, std::string> names = total.exitNames;
  for (const auto &[name, source] : next.exitNames)
    names[name] = source.empty() ? "" : entryName(source);
  for (auto it = names.begin(); it != names.end();)
    it = it->first == it->second ? names.erase(it) : std::next(it);
  total.exitNames = std::move(names);
}

Piece Walk::ofBlock(const Block &block) {
  Piece total;
  for (const Node &node : block)
    append(total, ofNode(node));
  return total;
}

Piece Walk::ofNode(const Node &node) {
  if (auto *access = std::get_if<Access>(&node.kind))
    return ofAccess(*access);
  if (auto *loop = std::get_if<Loop>(&node.kind))
    return ofLoop(*loop);
  if (auto *branch = std::get_if<Branch>(&node.kind))
    return ofBranch(*branch);
  if (auto *host = std::get_if<HostStatement>(&node.kind))
    return ofBlock(host->body);
  if (auto *call = std::get_if<Call>(&node.kind))
    return touchingEverything(call->location);
  Piece piece;
  if (auto *rotation = std::get_if<Rotate>(&node.kind)) {
    for (const auto &[first, second] : rotation->moves)
      if (first != second)
        piece.exitNames[first] = second;
  } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
    unsigned rank = rankOf(allocate->array);
    piece.arrays.try_emplace(allocate->array, rank).first->second.defined = PresburgerSet::universe(rank);
  }
  return piece;
}

Piece Walk::ofBranch(const Branch &branch) {
  Piece total;
  Piece sides[2] = {ofBlock(branch.then), ofBlock(branch.otherwise)};
  for (unsigned side = 0; side < 2; ++side) {
    Iterations when = iterationsOf(branch.condition, side == 0);
    for (auto &[name, sets] : sides[side].arrays) {
      Sets &sum = total.arrays.try_emplace(name, sets.rank).first->second;
      auto narrowed = [&](const May &may) {
        PresburgerSet narrow = intersect(may.set, when.may);
        return narrow.isKnown() ? May(narrow, may.exact && when.exact, sets.rank) : May(may.set, false, sets.rank);
      };
      auto surely = [&](const PresburgerSet &set) { return must(intersect(set, when.must), sets.rank); };
      sum.read = unite(sum.read, narrowed(sets.read), sets.rank);
      sum.write = unite(sum.write, narrowed(sets.write), sets.rank);
      sum.exposed = unite(sum.exposed, narrowed(sets.exposed), sets.rank);
      sum.mustWrite = must(unite(sum.mustWrite, surely(sets.mustWrite)), sets.rank);
      sum.defined = must(unite(sum.defined, surely(sets.defined)), sets.rank);
      sum.mustExact &= sets.mustExact && (when.exact || sets.writtenAt.empty());
      addLocations(sum.readAt, sets.readAt);
      addLocations(sum.writtenAt, sets.writtenAt);
      addLocations(sum.exposedAt, sets.exposedAt);
    }
  }
  for (auto &[name, sum] : total.arrays) {
    auto first = sides[0].arrays.find(name), second = sides[1].arrays.find(name);
    if (first == sides[0].arrays.end() || second == sides[1].arrays.end() || sum.writtenAt.empty())
      continue;
    // What both sides write is written, whatever the condition.
    auto onBoth = [&](PresburgerSet &surely, const PresburgerSet &a, const PresburgerSet &b) {
      if (PresburgerSet more = unite(surely, intersect(a, b)); more.isKnown())
        surely = more.coalesce();
    };
    if (sum.mustExact)
      continue;
    onBoth(sum.mustWrite, first->second.mustWrite, second->second.mustWrite);
    onBoth(sum.defined, first->second.defined, second->second.defined);
    if (sum.write.set.isSubsetOf(sum.mustWrite) == Answer::Yes)
      sum.write.exact = sum.mustExact = true;
  }
  if (sides[0].exitNames == sides[1].exitNames) {
    total.exitNames = sides[0].exitNames;
  } else {
    for (const Piece &side : sides)
      for (const auto &entry : side.exitNames)
        for (const std::string &name : groups.at(entry.first))
          total.exitNames[name] = "";
  }
  return total;
}

/// Defines of this loop's body, but not of loops in it: those were eliminated there.
void collectDefines(const Block &block, std::vector<const Define *> &defines) {
  for (const Node &node : block) {
    if (auto *define = std::get_if<Define>(&node.kind)) {
      defines.push_back(define);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      collectDefines(branch->then, defines);
      collectDefines(branch->otherwise, defines);
    }
  }
}

/// A symbol defined in the body has another value in each iteration: any that its range allows.
void Walk::eliminateDefines(Piece &body, const Loop &loop) const {
  std::vector<const Define *> defines;
  collectDefines(loop.body, defines);
  for (const Define *define : llvm::reverse(defines)) {
    Expr symbol = Expr::symbol(define->symbol);
    PresburgerSet range = PresburgerSet::universe(0);
    auto narrow = [&](const PresburgerSet &by) {
      if (PresburgerSet both = intersect(range, by); both.isKnown())
        range = both;
    };
    if (define->atLeast)
      narrow(nonNegative(symbol - *define->atLeast));
    if (define->atMost)
      narrow(nonNegative(*define->atMost - symbol));
    if (define->value)
      narrow(equalZero(symbol - *define->value));
    for (auto &[name, sets] : body.arrays) {
      unsigned rank = sets.rank;
      auto any = [&](const May &may) {
        if (!may.set.mentions(define->symbol))
          return may;
        return May(intersect(may.set, range).projectOut(define->symbol), may.exact && define->value, rank);
      };
      auto all = [&](const PresburgerSet &set) {
        return set.mentions(define->symbol) ? must(set.forAll(define->symbol, range), rank) : set;
      };
      if (!define->value && sets.mustWrite.mentions(define->symbol))
        sets.mustExact = false;
      sets.read = any(sets.read);
      sets.write = any(sets.write);
      sets.exposed = any(sets.exposed);
      sets.mustWrite = all(sets.mustWrite);
      sets.defined = all(sets.defined);
    }
  }
}

/// The body's sets by names on entry of the loop, given that each iteration permutes them: iteration number k sees them
/// permuted k times, so the sets are split by k modulo the order of the permutation.
Piece Walk::turned(const Piece &body, const Loop &loop) const {
  std::vector<Permutation> powers{{}}; // powers[k]: what each name denotes in iteration number k
  bool known = llvm::none_of(body.exitNames, [](const auto &entry) { return entry.second.empty(); });
  if (known) {
    std::map<std::string, std::string> now = body.exitNames;
    while (!now.empty() && powers.size() <= 8) {
      powers.emplace_back(now.begin(), now.end());
      std::map<std::string, std::string> next = now;
      for (const auto &[name, source] : body.exitNames) {
        auto found = now.find(source);
        next[name] = found == now.end() ? source : found->second;
      }
      for (auto it = next.begin(); it != next.end();)
        it = it->first == it->second ? next.erase(it) : std::next(it);
      now = std::move(next);
    }
    known = powers.size() <= 8;
  }
  Piece result;
  int64_t step = std::abs(loop.step), order = powers.size();
  Expr distance = loop.step > 0 ? Expr::symbol(loop.index) - loop.lower : loop.lower - Expr::symbol(loop.index);
  for (const auto &[name, sets] : body.arrays) {
    auto group = groups.find(name);
    if (!body.exitNames.count(name)) {
      result.arrays.emplace(name, sets);
      continue;
    }
    if (!known) {
      for (const std::string &possible : group->second)
        addMaybe(result.arrays.try_emplace(possible, sets.rank).first->second, sets);
      continue;
    }
    for (int64_t turn = 0; turn < order; ++turn) {
      std::string entry = name;
      for (const auto &[first, second] : powers[turn])
        if (first == name)
          entry = second;
      PresburgerSet when = congruent(distance, order * step, turn * step);
      Sets part = sets;
      auto narrowed = [&](const May &may) {
        PresburgerSet narrow = intersect(may.set, when);
        return narrow.isKnown() ? May(narrow, may.exact, sets.rank) : May(may.set, false, sets.rank);
      };
      part.read = narrowed(sets.read);
      part.write = narrowed(sets.write);
      part.exposed = narrowed(sets.exposed);
      part.mustWrite = must(intersect(sets.mustWrite, when), sets.rank);
      part.defined = must(intersect(sets.defined, when), sets.rank);
      // Different turns are different iterations, so they do not hide each other here.
      Sets &sum = result.arrays.try_emplace(entry, sets.rank).first->second;
      sum.read = unite(sum.read, part.read, sets.rank);
      sum.write = unite(sum.write, part.write, sets.rank);
      sum.exposed = unite(sum.exposed, part.exposed, sets.rank);
      sum.mustWrite = must(unite(sum.mustWrite, part.mustWrite), sets.rank);
      sum.defined = must(unite(sum.defined, part.defined), sets.rank);
      sum.mustExact &= sets.mustExact && when.isKnown();
      addLocations(sum.readAt, sets.readAt);
      addLocations(sum.writtenAt, sets.writtenAt);
      addLocations(sum.exposedAt, sets.exposedAt);
    }
  }
  return result;
}

/// The order of products with the index (`i*n` in a[i*n + j]), which go when the index goes.
PresburgerSet Walk::factsOnProducts(const PresburgerSet &set, const std::string &index) const {
  std::set<Expr> names = set.names();
  bool any = llvm::any_of(names, [&](const Expr &name) { return !name.asSymbol() && name.mentions(index); });
  if (!any)
    return PresburgerSet::universe(0);
  // Inner loops that ran say more of signs: 0 <= j < m leaves m >= 1.
  Context context = facts;
  std::set<std::string> symbols;
  for (const Expr &name : names)
    if (!name.asSymbol())
      symbols.merge(name.symbols());
  for (const std::string &symbol : symbols)
    if (intersect(set, nonNegative(-Expr::symbol(symbol) - 1)).isEmpty() == Answer::Yes)
      context.assume(Expr::symbol(symbol));
  PresburgerSet known = conditionOf(context, names);
  return known.isKnown() ? known : PresburgerSet::universe(0);
}

/// The union over all iterations; an iteration is not exposed to what earlier ones surely wrote.
void Walk::overIterations(Sets &sets, const Loop &loop, const Iterations &iterations) const {
  unsigned rank = sets.rank;
  const std::string &index = loop.index;
  auto any = [&](const May &may) {
    PresburgerSet inside = intersect(may.set, iterations.may);
    inside = intersect(inside, factsOnProducts(inside, index));
    bool precise = true;
    PresburgerSet over = inside.isKnown() ? inside.projectOut(index, &precise) : may.set.projectOut(index);
    return May(over.coalesce(), may.exact && iterations.exact && precise && inside.isKnown(), rank);
  };
  auto surely = [&](const PresburgerSet &set, const PresburgerSet &when, llvm::StringRef symbol) {
    bool precise = true;
    PresburgerSet over = intersect(set, when).projectOut(symbol, &precise);
    return precise ? must(over.coalesce(), rank) : PresburgerSet::empty(rank);
  };
  if (!sets.exposed.isEmpty() && sets.defined.isEmpty() != Answer::Yes) {
    // Earlier in execution order: on the step, from the first iteration on, before this one.
    std::string earlier = index + "'";
    Expr before = Expr::symbol(earlier), now = Expr::symbol(index);
    Expr fromStart = loop.step > 0 ? before - loop.lower : loop.lower - before;
    Expr toNow = (loop.step > 0 ? now - before : before - now) - Expr(std::abs(loop.step));
    PresburgerSet when = intersect(intersect(nonNegative(fromStart), nonNegative(toNow)),
                                   congruent(fromStart, std::abs(loop.step), 0));
    PresburgerSet hidden = surely(sets.defined.rename(index, earlier), when, earlier);
    PresburgerSet left = subtract(sets.exposed.set, hidden);
    if (left.isKnown())
      sets.exposed = May(left, sets.exposed.exact && sets.mustExact, rank);
    else
      sets.exposed.exact = false;
  }
  if (!sets.mustExact && !sets.write.isEmpty())
    sets.exposed.exact = false; // An earlier iteration's write that is not sure may have come first.
  sets.exposed = any(sets.exposed);
  if (sets.exposed.isEmpty())
    sets.exposedAt.clear();
  sets.read = any(sets.read);
  sets.write = any(sets.write);
  PresburgerSet written = surely(sets.mustWrite, iterations.must, index);
  bool nothingWritten = sets.writtenAt.empty() && sets.defined.isEmpty() == Answer::Yes;
  sets.mustExact &= nothingWritten || (iterations.exact && sets.write.exact);
  sets.mustWrite = std::move(written);
  sets.defined = surely(sets.defined, iterations.must, index);
}

Piece Walk::ofLoop(const Loop &loop) {
  Context outside = std::exchange(facts, Nest(facts).inside(loop).contextInside());
  auto leave = llvm::make_scope_exit([&] { facts = std::move(outside); });
  Piece body = ofBlock(loop.body);
  // What each iteration makes anew is gone outside.
  for (auto it = body.arrays.begin(); it != body.arrays.end();) {
    auto owner = owners.find(it->first);
    it = owner != owners.end() && owner->second == loop.index ? body.arrays.erase(it) : std::next(it);
  }
  eliminateDefines(body, loop);
  Piece result = body.exitNames.empty() ? body : turned(body, loop);
  Iterations iterations = iterationsOf(loop);
  for (auto &[name, sets] : result.arrays)
    overIterations(sets, loop, iterations);
  if (body.exitNames.empty())
    return result;
  if (std::optional<Permutation> total = permutationOf(Block{Node(loop)})) {
    result.exitNames.insert(total->begin(), total->end());
  } else {
    for (const auto &entry : body.exitNames)
      for (const std::string &name : groups.at(entry.first))
        result.exitNames[name] = "";
  }
  return result;
}

ElementSet toElementSet(const May &may) {
  return ElementSet(std::make_shared<const PresburgerSet>(may.set), may.exact);
}

} // namespace

Effects effectsOf(const Program &program, const Function &function, const Block &block, const Nest &nest) {
  EffortBudget budget(secondsPerQuestion);
  Piece piece = Walk(program, function, block, nest).ofBlock(block);
  Effects effects;
  for (auto &[name, sets] : piece.arrays) {
    ArrayEffects array;
    array.mayRead = toElementSet(sets.read);
    array.mayWrite = toElementSet(sets.write);
    array.mustWrite = ElementSet(std::make_shared<const PresburgerSet>(sets.mustWrite), sets.mustExact);
    array.exposedRead = toElementSet(sets.exposed);
    array.readAt = std::move(sets.readAt);
    array.writtenAt = std::move(sets.writtenAt);
    array.exposedAt = std::move(sets.exposedAt);
    effects.arrays.emplace(name, std::move(array));
  }
  effects.exitNames = std::move(piece.exitNames);
  return effects;
}

Effects effectsOf(const Program &program, const Function &function, const Node &node, const Nest &nest) {
  return effectsOf(program, function, Block{node}, nest);
}

} // namespace busfare::brs
