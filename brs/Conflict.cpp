//===- brs/Conflict.cpp - Do two iterations touch one element? ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Symbols that vary get one name for each side; i becomes `i earlier` in the earlier
// iteration and `i later` in the later one, n stays n:
//
//   1 <= i earlier < n, 1 <= i later < n, i earlier < i later, i earlier = i later - 1
//
// A guard, bound or subscript that is not known only widens the question, and turns
// a Yes into Unknown. So does a product of symbols: Presburger sets take it for a
// value of its own.
//
//===----------------------------------------------------------------------===//
#include "brs/Conflict.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <numeric>

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

/// Does the Presburger form say all that the Expr says?
bool isPrecise(const Expr &expr) {
  if (expr.isPoisoned()) return false;
  for (const Term &term : expr.sum()) {
    if (term.factors.size() > 1) return false;
    for (const Atom &atom : term.factors)
      for (const Expr &arg : atom.args)
        if (!isPrecise(arg)) return false;
  }
  return true;
}

/// Is the Expr never 0, whatever integers its symbols are? c + g*(...) with c no multiple of g. (The GCD test, Banerjee
/// 1976.)
bool isNeverZero(const Expr &expr) {
  int64_t divisor = 0, rest = 0;
  if (expr.isPoisoned()) return false;
  for (const Term &term : expr.sum()) {
    if (term.factors.empty()) rest = term.coefficient;
    else if (term.coefficient == std::numeric_limits<int64_t>::min()) return false; // has no absolute value
    else divisor = std::gcd(divisor, term.coefficient);
  }
  return rest != 0 && (divisor == 0 || rest % divisor != 0);
}

/// The condition under which one side of a branch runs; exact is cleared if it is only necessary.
PresburgerSet guardOf(const Branch &branch, bool then, bool &exact, llvm::function_ref<Expr(const Expr &)> on) {
  const Condition &condition = branch.condition;
  exact = exact && condition.exact;
  if (condition.anyOf.empty() || (!then && !condition.exact)) {
    exact = false;
    return PresburgerSet::universe(0);
  }
  PresburgerSet any = PresburgerSet::empty(0);
  for (const std::vector<Expr> &conjunction : condition.anyOf) {
    PresburgerSet all = PresburgerSet::universe(0);
    for (const Expr &expr : conjunction) {
      exact = exact && isPrecise(expr);
      all = intersect(all, nonNegative(on(expr)));
    }
    any = unite(any, all);
  }
  return then ? any : any.complement();
}

std::string valueText(const std::optional<int64_t> &value) { return value ? std::to_string(*value) : "?"; }

} // namespace

std::string busfare::brs::textOf(const Access &access) {
  std::string text = access.array;
  for (const Subscript &subscript : access.subscripts)
    text += "[" + (subscript.value ? toString(*subscript.value) : std::string("?")) + "]";
  return text;
}

void ConflictFinder::enter(size_t loop) {
  if (loop == current) return;
  current = loop;
  places.clear();
  seen.clear();
  const LoopSite &site = table.loops[loop];
  varying = site.indices;
  for (const Define *define : site.defines) varying.insert(define->symbol);
  around = Place();
  for (const NestStep &step : site.outer) add(around, Side::Source, step);
}

bool ConflictFinder::isShared(const Expr &expr) const {
  for (const std::string &symbol : expr.symbols())
    if (varying.count(symbol)) return false;
  return true;
}

Expr ConflictFinder::on(Side side, const Expr &expr) const {
  Substitution renaming;
  for (const std::string &symbol : expr.symbols())
    if (varying.count(symbol)) renaming[symbol] = Expr::symbol(symbol + (side == Side::Source ? " earlier" : " later"));
  return renaming.empty() ? expr : expr.substitute(renaming);
}

void ConflictFinder::add(Place &place, Side side, const NestStep &step) const {
  std::set<std::string> symbols;
  if (step.loop) {
    const Loop &loop = *step.loop;
    Expr i = Expr::symbol(loop.index);
    Expr fromLower = loop.step > 0 ? i - loop.lower : loop.lower - i;
    Expr toUpper = loop.step > 0 ? loop.upper - i : i - loop.upper;
    int64_t stride = loop.step > 0 ? loop.step : -loop.step;
    place.exact &= isPrecise(fromLower) && isPrecise(toUpper) && !loop.mayExitEarly;
    if (!fromLower.isPoisoned()) place.condition = intersect(place.condition, nonNegative(on(side, fromLower)));
    if (!toUpper.isPoisoned()) place.condition = intersect(place.condition, nonNegative(on(side, toUpper)));
    if (stride > 1 && !fromLower.isPoisoned())
      place.condition = intersect(place.condition, congruent(on(side, fromLower), stride, 0));
    symbols = fromLower.symbols();
    symbols.merge(toUpper.symbols());
  } else {
    auto renamed = [&](const Expr &expr) { return on(side, expr); };
    place.condition = intersect(place.condition, guardOf(*step.branch, step.then, place.exact, renamed));
    for (const std::vector<Expr> &conjunction : step.branch->condition.anyOf)
      for (const Expr &expr : conjunction) symbols.merge(expr.symbols());
  }
  addKnown(place, side, std::move(symbols));
}

/// What the definitions of the symbols say.
void ConflictFinder::addKnown(Place &place, Side side, std::set<std::string> symbols) const {
  std::set<std::string> seen;
  while (!symbols.empty()) {
    std::string symbol = *symbols.begin();
    symbols.erase(symbols.begin());
    auto found = table.defines.find(symbol);
    if (!seen.insert(symbol).second || found == table.defines.end()) continue;
    const Define &define = *found->second;
    Expr value = Expr::symbol(symbol);
    if (varying.count(symbol) && !define.value) place.exact = false; // Whatever the program computes in each iteration.
    auto bound = [&](const Expr &nonNegativeExpr) {
      if (nonNegativeExpr.isPoisoned()) return;
      place.condition = intersect(place.condition, nonNegative(on(side, nonNegativeExpr)));
      symbols.merge(nonNegativeExpr.symbols());
    };
    if (define.atLeast) bound(value - *define.atLeast);
    if (define.atMost) bound(*define.atMost - value);
    if (define.value) {
      bound(value - *define.value);
      bound(*define.value - value);
    }
  }
}

const ConflictFinder::Place &ConflictFinder::placeOf(unsigned path, Side side) {
  auto [found, isNew] = places.try_emplace({path, side});
  if (isNew) {
    const std::vector<NestStep> &steps = table.paths[path];
    for (size_t k = table.loops[current].outer.size(); k < steps.size(); ++k) add(found->second, side, steps[k]);
  }
  return found->second;
}

/// The cheap tests: does the dimension keep different iterations apart, or the accesses apart?
bool ConflictFinder::surelyDiffer(const Seen &source, const Seen &sink) const {
  if (!source.value || !sink.value) return false;
  if (source.isShared && sink.isShared) {
    std::optional<int64_t> apart = distance(*source.value, *sink.value);
    return apart && *apart != 0;
  }
  // c*i + rest on both sides, rest the same in all iterations, c never zero.
  if (!(*source.value == *sink.value)) return areKeptApart(source, sink);
  const std::string &index = table.loops[current].loop->index;
  std::optional<Expr> coefficient = source.value->coefficientOf(index);
  if (coefficient && isShared(*coefficient) && isShared(source.value->without(index)))
    if (std::optional<int64_t> constant = coefficient->constant();
        constant ? *constant != 0 : isNonNegative(*coefficient - 1, context) == Answer::Yes)
      return true;
  return areKeptApart(source, sink);
}

/// Exprs that a bound is never below (of a lower one) or above: itself, or what stands in its maximum or minimum.
static std::vector<Expr> limitsIn(const Expr &bound, Atom::Kind kind) {
  llvm::ArrayRef<Term> sum = bound.sum();
  bool isExtreme = !sum.empty() && sum.size() <= 2 && sum[0].coefficient == 1 && sum[0].factors.size() == 1 &&
                   sum[0].factors[0].kind == kind && (sum.size() == 1 || sum[1].factors.empty());
  if (!isExtreme) return {bound};
  std::vector<Expr> limits;
  for (const Expr &operand : sum[0].factors[0].args)
    limits.push_back(operand + Expr(sum.size() == 2 ? sum[1].coefficient : 0));
  return limits;
}

/// c*i + shared, where i is the loop's own index and c a number.
std::optional<ConflictFinder::Reach> ConflictFinder::followerOf(const Expr &expr) const {
  const std::string &index = table.loops[current].loop->index;
  std::optional<Expr> own = expr.coefficientOf(index);
  std::optional<int64_t> coefficient = own ? own->constant() : std::nullopt;
  if (!coefficient) return std::nullopt;
  Reach reach{*coefficient, expr.without(index), 0, 0};
  return isShared(reach.shared) ? std::optional(std::move(reach)) : std::nullopt;
}

/// Where an inner loop's index runs, if its bounds follow the loop's own index at a fixed width: a tile from 16*i to
/// min(16*i + 15, n).
std::optional<ConflictFinder::Reach> ConflictFinder::reachOf(const Loop &inner) const {
  bool up = inner.step > 0;
  std::optional<Reach> best;
  for (const Expr &low : limitsIn(up ? inner.lower : inner.upper, Atom::Kind::Max)) {
    std::optional<Reach> from = followerOf(low);
    if (!from) continue;
    for (const Expr &high : limitsIn(up ? inner.upper : inner.lower, Atom::Kind::Min)) {
      std::optional<Reach> to = followerOf(high);
      std::optional<int64_t> width =
          to && to->coefficient == from->coefficient ? distance(to->shared, from->shared) : std::nullopt;
      if (width && (!best || *width < best->most)) best = Reach{from->coefficient, from->shared, 0, *width};
    }
  }
  return best;
}

/// The subscript, if inner loops of which that is known are all that varies in it besides the loop's own index.
std::optional<ConflictFinder::Reach> ConflictFinder::reachOf(const Expr &subscript,
                                                             const std::vector<NestStep> &path) const {
  // Numbers that fit into 32 bits do not overflow when a few of their products are added.
  auto isSmall = [](int64_t value) { return value == int64_t(int32_t(value)); };
  Reach reach;
  Expr rest = subscript;
  for (const std::string &symbol : subscript.symbols()) {
    auto step = llvm::find_if(path, [&](const NestStep &s) { return s.loop && s.loop->index == symbol; });
    if (!varying.count(symbol) || symbol == table.loops[current].loop->index) continue;
    std::optional<Expr> factor = rest.coefficientOf(symbol);
    std::optional<int64_t> times = factor ? factor->constant() : std::nullopt;
    std::optional<Reach> inner = step != path.end() && times && isSmall(*times) ? reachOf(*step->loop) : std::nullopt;
    if (!inner || !isSmall(inner->coefficient) || !isSmall(inner->most)) return std::nullopt;
    reach.coefficient += *times * inner->coefficient;
    reach.shared = reach.shared + Expr(*times) * inner->shared;
    (*times > 0 ? reach.most : reach.least) += *times * inner->most;
    rest = rest.without(symbol);
    if (!isSmall(reach.coefficient) || !isSmall(reach.least) || !isSmall(reach.most)) return std::nullopt;
  }
  std::optional<Reach> own = followerOf(rest);
  if (!own || !isSmall(own->coefficient)) return std::nullopt;
  reach.coefficient += own->coefficient;
  reach.shared = reach.shared + own->shared;
  return reach.shared.isPoisoned() ? std::nullopt : std::optional(std::move(reach));
}

const std::vector<ConflictFinder::Seen> &ConflictFinder::seenIn(const Site &site) {
  auto [entry, isNew] = seen.try_emplace(&site);
  if (isNew)
    for (const Subscript &subscript : site.access->subscripts) {
      Seen &made = entry->second.emplace_back();
      if (!subscript.value || subscript.value->isPoisoned()) continue;
      made = {subscript.value, isShared(*subscript.value), reachOf(*subscript.value, table.paths[site.path])};
    }
  return entry->second;
}

/// Is the way from one iteration to the next longer than what inner loops reach? a[16*i + j] with j below 16.
/// (Banerjee's bounds for a dependence that the loop carries, 1976.)
bool ConflictFinder::areKeptApart(const Seen &source, const Seen &sink) const {
  const std::optional<Reach> &earlier = source.reach, &later = sink.reach;
  if (!earlier || !later || earlier->coefficient != later->coefficient) return false;
  std::optional<int64_t> between = distance(later->shared, earlier->shared);
  if (!between) return false;
  // later - earlier, in the next iteration; `way` more in each that follows, of the same sign.
  __int128 way = __int128(earlier->coefficient) * table.loops[current].loop->step;
  return way > 0 ? way + *between + later->least - earlier->most > 0
                 : way < 0 && way + *between + later->most - earlier->least < 0;
}

/// Does an inner subscript surely pass the end of its dimension in some iteration, as b[i][j - 1] for j = 0 .. n - 1?
/// Seen only for an index plus a constant that no guard protects.
bool ConflictFinder::leavesRow(const Site &site) const {
  const Access &access = *site.access;
  const Array *array = access.subscripts.size() < 2 ? nullptr : table.array(access.array);
  if (!array || array->extents.size() != access.subscripts.size()) return false;
  const std::vector<NestStep> &path = table.paths[site.path];
  for (size_t d = 1; d < access.subscripts.size(); ++d) {
    const std::optional<Expr> &subscript = access.subscripts[d].value;
    for (size_t k = path.size(); subscript && k-- > 0 && path[k].loop;) {
      const Loop &loop = *path[k].loop;
      Expr offset = *subscript - Expr::symbol(loop.index);
      if (!offset.constant() || loop.mayExitEarly) continue;
      std::optional<int64_t> first = ((loop.step > 0 ? loop.lower : loop.upper) + offset).constant();
      std::optional<int64_t> beyond;
      if (array->extents[d] && (loop.step == 1 || loop.step == -1))
        beyond = ((loop.step > 0 ? loop.upper : loop.lower) + offset - *array->extents[d]).constant();
      bool isFirstReached = loop.step > 0 || loop.step == -1;
      if ((first && *first < 0 && isFirstReached) || (beyond && *beyond >= 0)) return true;
    }
  }
  return false;
}

/// c*i + rest on both sides, c a symbol or a product of some: is the way from one iteration to the next longer than the
/// rests are apart, wherever the condition holds? a[n*i + j], j in 0 .. n - 1. (Maslov's delinearization, 1992, of two
/// accesses.)
bool ConflictFinder::areInOtherRows(const Subscript &source, const Subscript &sink,
                                    const PresburgerSet &condition) const {
  const Loop &turning = *table.loops[current].loop;
  auto factorIn = [&](const Subscript &subscript) {
    return subscript.value ? subscript.value->coefficientOf(turning.index) : std::nullopt;
  };
  const std::optional<Expr> row = factorIn(source), other = factorIn(sink);
  if (!row || !other || !(*row == *other) || row->constant() || !isShared(*row)) return false;
  const Expr apart =
      on(Side::Sink, sink.value->without(turning.index)) - on(Side::Source, source.value->without(turning.index));
  if (row->isPoisoned() || apart.isPoisoned()) return false;
  auto isNever = [&](const Expr &expr) {
    PresburgerSet wrong = intersect(condition, nonNegative(expr));
    return wrong.isKnown() && intersect(wrong, conditionOn(wrong.names(), context)).isEmpty() == Answer::Yes;
  };
  // Equal elements: row*step*t + apart = 0 for some t >= 1.
  for (int64_t sign : {1, -1}) {
    const Expr way = Expr(sign * turning.step) * *row;
    if (isNever(-way) && isNever(Expr(-sign) * apart - way)) return true;
  }
  return false;
}

/// Tiles of a size that is a symbol: of f*i and f*i', where i' is a step or more behind i, the second is f or more
/// larger, if f is not negative. (To isl they are two names.)
static PresburgerSet withOrderOfProducts(PresburgerSet system, const std::set<Expr> &names, const Expr &earlier,
                                         const Expr &later, int64_t step) {
  for (const Expr &name : names) {
    std::optional<Expr> factor = name.coefficientOf(*earlier.asSymbol());
    if (!factor || factor->isZero() || factor->constant() || !names.count(*factor * later)) continue;
    if (intersect(system, nonNegative(-*factor - 1)).isEmpty() != Answer::Yes) continue;
    const Expr distance = step > 0 ? later - earlier : earlier - later;
    system = intersect(system, nonNegative(*factor * distance - *factor * std::abs(step)));
  }
  return system;
}

Conflict ConflictFinder::between(size_t loop, const Site &source, const Site &sink) {
  enter(loop);
  const Access &a = *source.access, &b = *sink.access;
  if (a.subscripts.size() != b.subscripts.size()) return {};
  // What a name without an object of its own points to may begin anywhere.
  if (const Array *array = table.arrays.find(a.array);
      array && array->storage != Storage::Alias && areApart(a.part, b.part))
    return {Answer::No, ""};
  // A subscript that leaves its row reaches elements that have other subscripts.
  bool isRowKept = !leavesRow(source) && !leavesRow(sink);
  if (isRowKept) {
    const std::vector<Seen> &from = seenIn(source), &to = seenIn(sink);
    for (size_t d = 0; d < from.size(); ++d)
      if (surelyDiffer(from[d], to[d])) return {Answer::No, ""};
  }
  for (size_t d = 0; isRowKept && d < a.subscripts.size(); ++d)
    if (a.subscripts[d].value && b.subscripts[d].value &&
        isNeverZero(on(Side::Source, *a.subscripts[d].value) - on(Side::Sink, *b.subscripts[d].value)))
      return {Answer::No, ""};

  const Place &left = placeOf(source.path, Side::Source), &right = placeOf(sink.path, Side::Sink);
  Place both;
  both.condition = intersect(around.condition, intersect(left.condition, right.condition));
  both.exact = around.exact && left.exact && right.exact && !a.may && !b.may && a.part.isExact && b.part.isExact;

  const Loop &turning = *table.loops[loop].loop;
  Expr first = on(Side::Source, Expr::symbol(turning.index)), second = on(Side::Sink, Expr::symbol(turning.index));
  Expr distance = turning.step > 0 ? second - first : first - second;
  int64_t stride = turning.step > 0 ? turning.step : -turning.step;
  both.condition = intersect(both.condition, nonNegative(distance - 1));
  if (stride > 1) both.condition = intersect(both.condition, congruent(distance, stride, 0));
  for (size_t d = 0; isRowKept && d < a.subscripts.size(); ++d)
    if (areInOtherRows(a.subscripts[d], b.subscripts[d], both.condition)) return {Answer::No, ""};

  // What the subscripts say comes last: all before it is the same for every two accesses that stand as these do.
  Place equal;
  equal.exact = isRowKept;
  for (size_t d = 0; isRowKept && d < a.subscripts.size(); ++d)
    addEqual(equal, a.subscripts[d], b.subscripts[d], unsigned(d));
  both.exact &= equal.exact;
  std::set<Expr> names = both.condition.names(), more = equal.condition.names();
  names.insert(more.begin(), more.end());
  PresburgerSet system = intersect(intersect(both.condition, conditionOn(names, context)), equal.condition);
  Answer empty = system.isEmpty();
  if (empty != Answer::Yes) {
    PresburgerSet ordered = withOrderOfProducts(system, names, first, second, turning.step);
    if (ordered.isKnown()) empty = ordered.isEmpty();
  }
  if (empty == Answer::Yes) return {Answer::No, ""};
  if (empty == Answer::Unknown || !both.exact) return {};
  PresburgerSet next = intersect(system, equalZero(distance - stride));
  const bool isOpen = turning.hints && turning.hints->independent &&
                      isKeptAwayBySizes(intersect(both.condition, conditionOn(names, context)), system);
  return {Answer::Yes, exampleOf(next.isEmpty() == Answer::No ? next : system, a, b), isOpen};
}

/// run: two iterations are at the two places; system: and at one element. Are there sizes with which they can be there,
/// and never meet? How long the loop itself is does not count: a short enough one never meets itself.
bool ConflictFinder::isKeptAwayBySizes(const PresburgerSet &run, const PresburgerSet &system) const {
  const Loop &turning = *table.loops[current].loop;
  std::set<std::string> gone = turning.lower.symbols();
  gone.merge(turning.upper.symbols());
  PresburgerSet runs = run, meets = system;
  std::set<std::string> symbols;
  for (const PresburgerSet *set : {&run, &system})
    for (const Expr &name : set->names()) symbols.merge(name.symbols());
  for (const std::string &symbol : symbols) {
    const llvm::StringRef name = symbol;
    if (!gone.count(symbol) && !name.ends_with(" earlier") && !name.ends_with(" later")) continue;
    runs = runs.projectOut(symbol);
    meets = meets.projectOut(symbol);
  }
  return runs.isSubsetOf(meets) == Answer::No;
}

/// Adds: the two subscripts have one value. An unknown one has any value within its bounds.
void ConflictFinder::addEqual(Place &place, const Subscript &a, const Subscript &b, unsigned dimension) const {
  auto valueOn = [&](Side side, const Subscript &subscript) {
    if (subscript.value && !subscript.value->isPoisoned()) {
      place.exact &= isPrecise(*subscript.value);
      addKnown(place, side, subscript.value->symbols());
      return on(side, *subscript.value);
    }
    place.exact = false;
    Expr unknown = Expr::symbol("?" + std::to_string(dimension) + (side == Side::Source ? " earlier" : " later"));
    if (subscript.atLeast && !subscript.atLeast->isPoisoned()) {
      addKnown(place, side, subscript.atLeast->symbols());
      place.condition = intersect(place.condition, nonNegative(unknown - on(side, *subscript.atLeast)));
    }
    if (subscript.atMost && !subscript.atMost->isPoisoned()) {
      addKnown(place, side, subscript.atMost->symbols());
      place.condition = intersect(place.condition, nonNegative(on(side, *subscript.atMost) - unknown));
    }
    return unknown;
  };
  Expr left = valueOn(Side::Source, a), right = valueOn(Side::Sink, b);
  Expr difference = left - right;
  if (difference.isPoisoned()) place.exact = false;
  else place.condition = intersect(place.condition, equalZero(difference));
}

std::string ConflictFinder::exampleOf(const PresburgerSet &system, const Access &source, const Access &sink) const {
  std::optional<Values> point = system.sample();
  if (!point) return "";
  // Names that occur nowhere may have any value.
  auto valueOf = [&](Side side, const Expr &expr) {
    Expr renamed = on(side, expr);
    for (const std::string &symbol : renamed.symbols()) point->try_emplace(symbol, 0);
    return renamed.evaluate(*point);
  };
  std::string text = source.array;
  std::set<std::string> sizes;
  for (size_t d = 0; d < source.subscripts.size(); ++d) {
    const Expr &left = *source.subscripts[d].value, &right = *sink.subscripts[d].value;
    std::optional<int64_t> element = valueOf(Side::Source, left);
    if (element != valueOf(Side::Sink, right)) return "";
    text += "[" + valueText(element) + "]";
    for (const Expr &side : {left, right})
      for (const std::string &symbol : side.symbols())
        if (!varying.count(symbol)) sizes.insert(symbol);
  }
  Expr index = Expr::symbol(table.loops[current].loop->index);
  text += " at " + *index.asSymbol() + " = " + valueText(valueOf(Side::Source, index)) + ", then " + *index.asSymbol() +
          " = " + valueText(valueOf(Side::Sink, index));
  std::string separator = " (";
  for (const std::string &size : sizes) {
    text += separator + size + " = " + valueText(valueOf(Side::Source, Expr::symbol(size)));
    separator = ", ";
  }
  return text + (sizes.empty() ? "" : ")");
}
