//===- clang-plugin/walk/LoopTurns.cpp - Where a loop stops --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop's condition is walked in the state of an iteration that is not known yet,
// and solved for that iteration; what it reads on the way is read once, before.
//
//   for (i = n - 1; i >= m[0]; i--)      read m[0], define m[0]
//                                        for i = n - 1 .. m[0] step -1
//
// It is no bound, and the number of turns a symbol, if the condition reads what the
// loop changes, calls something, or depends on the iteration in another way
// (`i * i < n`). What it read must not be written in the loop, either.
//
//===----------------------------------------------------------------------===//
#include "OpenLoop.h"
#include "StandIns.h"

namespace busfare::frontend {

/// Of `do`: back from what the condition leaves to what it finds.
void Walker::backBeforeCondition(const OpenLoop &open) {
  for (const auto &[name, change] : open.steps.afterBody) {
    Value &value = st.env.integers[name];
    value = change ? Value{value.expr - *change, value.mayWrap}
                   : Value{freshSymbol(name, name + " is carried by the loop", open.location, true)};
  }
  for (const auto &[name, change] : open.steps.pointersAfterBody) {
    Pointer &at = st.env.pointers[name];
    for (size_t d = 0; d < at.index.size(); ++d) {
      bool isKnown = d < change.size() && change[d] && at.index[d];
      at.index[d] = isKnown ? std::optional<Symbolic>(*at.index[d] - *change[d]) : std::nullopt;
    }
  }
}

/// A global or a field that the condition is the first to name: what the body calls may change it.
bool Walker::isReadAnew(const OpenLoop &open, const std::string &symbol, unsigned mark) {
  auto facts = st.symbols.find(symbol);
  auto base = st.taken.find(symbol);
  if (base == st.taken.end() || (facts != st.symbols.end() && facts->second.serial <= mark)) return false;
  auto origin = st.fieldOrigins.find(base->second);
  if (origin == st.fieldOrigins.end() || open.entryIntegers.count(base->second)) return false;
  if (open.changed.count(base->second) || open.changed.count(fieldNamedLike(base->second))) return true;
  if (!open.isOpaque()) return false;
  std::set<const clang::FunctionDecl *> seen;
  uint64_t bytes = bytesOf(origin->second.type, context);
  return !unit.globalNames.count(base->second) || mayWriteInteger(open.parts.stmt, base->second, bytes, seen);
}

/// Puts what the condition reads in front of the loop. False if it does more than that.
bool Walker::hoistBound(OpenLoop &open, const Block &condition, const std::string &standIn) {
  bool isFixed = true;
  for (const Node &node : condition) {
    if (std::get_if<skeleton::Define>(&node.kind)) put(node);
    else if (const auto *read = std::get_if<Access>(&node.kind)) {
      open.boundReads.insert(read->array);
      skeleton::SteadyElement &one = open.boundElements.emplace_back();
      one.array = read->array;
      bool varies = false;
      for (const Subscript &subscript : read->subscripts) {
        one.subscripts.push_back(subscript.value);
        varies |= subscript.value && subscript.value->mentions(standIn);
      }
      isFixed &= !varies;
      if (read->kind == AccessKind::Read && !varies) put(node);
    } else if (!std::holds_alternative<skeleton::Operations>(node.kind)) open.bound.decisive = isFixed = false;
  }
  return isFixed;
}

/// Where the loop stops: the bound is in terms of the index, or of how often it has turned if it has none. A loop down
/// is solved for a stand-in that rises, -index.
void Walker::solveCondition(OpenLoop &open) {
  const LoopParts &parts = open.parts;
  open.isPureTest = !parts.cond->HasSideEffects(context);
  bool isDown = open.hasIndex && open.step < 0;
  std::string standIn = isDown ? freshName(open.loop.index + ".down") : open.loop.index;
  Symbolic value = isDown ? -Symbolic::symbol(standIn) : open.symbol;
  Symbolic number = open.distance(open.loop.lower, value);
  std::optional<Symbolic> atTest;
  if (open.hasIndex) atTest = open.isDo() ? value + Symbolic(open.step) - open.shift : value - open.shift;

  st.frames.push_back(open.frame);
  Block scratch;
  Block *target = out;
  out = &scratch;
  unsigned mark = st.counter;
  enterIteration(open, open.isDo() ? number + 1 : number, atTest);
  backBeforeCondition(open);
  unsigned carriedMark = st.counter;
  st.frames.pop_back();
  Bound &bound = open.bound;
  bound = lastIteration(parts.cond, standIn);
  flush();
  out = target;
  size_t hoisted = out->size(); // what is fixed in loops around stands here already
  st.env = open.before;

  if (bound.indexWraps && st.ranges.isNonNegative(-open.loop.lower - 1))
    bound.known = false; // a negative int is a huge unsigned
  if (bound.known && bound.last.mentions(standIn)) bound.known = false;
  std::set<std::string> symbols = bound.last.symbols();
  if (bound.by) symbols.merge(bound.by->symbols());
  if (bound.known)
    for (const std::string &name : symbols) {
      auto facts = st.symbols.find(name);
      bool isCarried = facts != st.symbols.end() && facts->second.serial > mark && facts->second.serial <= carriedMark;
      if (isCarried || isReadAnew(open, name, carriedMark)) bound.known = false;
    }
  if (bound.known && bound.by && isNarrow(open.variable)) bound.known = false;
  if (bound.known) bound.known = hoistBound(open, scratch, standIn);
  if (bound.known && bound.by) divideBySteps(open);
  if (!bound.known && out->size() > hoisted) out->erase(out->begin() + hoisted, out->end());
  open.counted = bound.known;
  open.loop.upper = isDown ? -bound.last : bound.last;
}

/// How often a loop turns whose step is a value, `i += s`: known before it, though by no formula. If nothing but its
/// condition ends it, it turns only if its steps lead there; with a jump out of it there may be any number of turns,
/// of which it takes the first.
void Walker::divideBySteps(OpenLoop &open) {
  Bound &bound = open.bound;
  const std::optional<Symbolic> way = usualValueOf(bound.last), by = usualValueOf(*bound.by);
  const int64_t distance = way ? way->constant().value_or(-1) : -1, step = by ? by->constant().value_or(0) : 0;
  std::optional<Symbolic> usual, most;
  if (distance >= 0 && step > 0) usual = Symbolic(distance / step + 1);
  if (st.ranges.isNonNegative(*bound.by - 1)) most = max(bound.last + 1, Symbolic(0));
  const std::string reason = textOf(open.parts.cond) + " in steps of " + toString(*bound.by);
  Symbolic turns = freshSymbol(open.loop.index + ".turns", reason, open.location, false, true, Symbolic(0), most);
  usually(turns, usual);
  auto *define = out->empty() ? nullptr : std::get_if<skeleton::Define>(&out->back().kind);
  if (define && define->symbol == turns.asSymbol() && !bound.last.isPoisoned() &&
      !bound.by->isPoisoned()) // the last turn is number floor(last / by)
    define->quotient = skeleton::Quotient{bound.last + *bound.by, *bound.by};
  bound.last = turns - 1;
  bound.by.reset();
}

/// A char or short, which goes on at the other end of its values.
bool Walker::isNarrow(const std::string &variable) const {
  auto named = llvm::find_if(st.names, [&](const auto &one) { return one.second == variable; });
  const clang::QualType type =
      named == st.names.end() ? clang::QualType() : named->first->getType().getNonReferenceType();
  return !type.isNull() && type->isIntegralOrEnumerationType() &&
         context.getIntWidth(type) < context.getIntWidth(context.IntTy);
}

/// The number of the last iteration, and the loop's upper bound.
void Walker::countTurns(OpenLoop &open) {
  skeleton::Loop &loop = open.loop;
  if (open.counted && open.bound.untilEqual && open.distance(loop.lower, loop.upper).constant().value_or(0) < -1)
    open.counted = false; // it begins behind the end
  if (open.counted && open.bound.untilEqual && open.hasIndex && isNarrow(open.variable) &&
      !st.ranges.isNonNegative(open.distance(loop.lower, loop.upper) + 1)) {
    open.counted = false; // if it begins behind the end, it gets there all the same
    open.steps.integers.erase(open.variable);
    open.frame.inductive.erase(open.variable);
  }
  if (open.parts.given) {
    open.counted = open.bound.known = open.bound.decisive = true;
    loop.upper = open.parts.given->upper;
  }
  if (open.counted && open.isDo()) {
    // The body runs once before the condition is asked: iteration 0 always, k + 1 if it held after k.
    Symbolic next = open.hasIndex ? loop.upper + Symbolic(open.step) : loop.upper + 1;
    loop.upper = open.hasIndex && open.step < 0 ? min(next, loop.lower) : max(next, loop.lower);
  }
  if (!open.counted) countUnknown(open);
  Symbolic way = open.distance(loop.lower, loop.upper);
  open.last = open.hasIndex ? floorDiv(way, std::abs(open.step)) : way;
}

/// The number of turns is a symbol, and the index says how many there were.
void Walker::countUnknown(OpenLoop &open) {
  const clang::Expr *test = open.parts.cond;
  find(Rule::UnknownTripCount, open.location, "how often this loop runs is not known; its trip count is a symbol");
  if (open.hasIndex) {
    open.hasIndex = false;
    open.loop.step = 1;
    open.loop.lower = Symbolic(0);
    open.iteration = open.symbol;
  }
  open.frame.indexVariable.clear();
  std::string trips = freshName("trips");
  Symbolic least = Symbolic(open.isDo() ? 1 : 0);
  st.symbols[trips] = {"trip count", true, false, 0, ++st.counter, least, {}};
  for (const Frame &outer : st.frames)
    if (!outer.isSwitch) st.symbols[trips].loop = outer.id;
  st.ranges.assumeSymbolNonNegative(trips);
  emit(skeleton::Define{trips, least, std::nullopt, std::nullopt, test ? textOf(test) : "endless loop", open.location});
  open.loop.upper = Symbolic::symbol(trips) - 1;
}

/// Does the block write one of these arrays? Calls, too, if they may.
bool Walker::mayWriteOneOf(const Block &block, const std::set<std::string> &arrays, bool callsMayWrite) {
  auto isWritten = [&](const Access &one) {
    if (llvm::StringRef(one.array).starts_with("?") && callsMayWrite) return true; // whatever unseen code reaches
    if (std::optional<size_t> given = placeOfGiven(one.array))
      return llvm::any_of(arrays,
                          [&](const std::string &name) { return isPartOfAny(name, givenAway[*given].written); });
    if (one.kind == AccessKind::Read) return false;
    if (arrays.count(one.array)) return true;
    if (!st.objects.count(one.array) || object(one.array).array.storage != Storage::Alias) return false;
    const auto &list = object(one.array).array.mayBe;
    return list.empty() || llvm::any_of(list, [&](auto &name) { return arrays.count(name) != 0; });
  };
  return llvm::any_of(block, [&](const Node &node) {
    if (const auto *one = std::get_if<Access>(&node.kind)) return isWritten(*one);
    if (const auto *inner = std::get_if<skeleton::Loop>(&node.kind))
      return mayWriteOneOf(inner->body, arrays, callsMayWrite);
    if (const auto *inner = std::get_if<skeleton::HostStatement>(&node.kind))
      return mayWriteOneOf(inner->body, arrays, callsMayWrite);
    if (const auto *inner = std::get_if<skeleton::Branch>(&node.kind))
      return mayWriteOneOf(inner->then, arrays, callsMayWrite) ||
             mayWriteOneOf(inner->otherwise, arrays, callsMayWrite);
    return std::holds_alternative<skeleton::Call>(node.kind) && callsMayWrite;
  });
}

/// A bound that was read once must not change while the loop runs; if it may, the number of turns is a symbol after
/// all.
void Walker::keepBound(OpenLoop &open) {
  if (!open.counted || open.boundReads.empty()) return;
  const clang::Stmt *stmt = open.parts.stmt;
  // What is called may write only what its source lets it.
  bool callsMayWrite = !stmt || llvm::any_of(open.boundReads, [&](const std::string &name) {
    const Array &array = object(name).array;
    std::set<const clang::FunctionDecl *> seen;
    return array.storage == Storage::Alias || array.type.kind == skeleton::ElementType::Kind::Struct ||
           mayExchange(stmt) || mayWriteInteger(stmt, name, array.type.bytes, seen);
  });
  if (!mayWriteOneOf(open.loop.body, open.boundReads, callsMayWrite)) return;
  open.isTurnCountKnown = open.counted = false;
  std::string trips = freshName("trips");
  put(skeleton::Define{trips, Symbolic(0), std::nullopt, std::nullopt, textOf(open.parts.cond), open.location});
  st.symbols[trips] = {"trip count", true, false, 0, ++st.counter, Symbolic(0), {}};
  open.loop.upper = open.loop.lower + Symbolic(open.loop.step) * (Symbolic::symbol(trips) - 1);
  find(Rule::UnknownTripCount, open.location, "the loop's bound is read from memory that the loop may write");
}

} // namespace busfare::frontend
