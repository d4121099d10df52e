//===- brs/Shape.cpp - The dimensions of flattened arrays -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Shape.h"
#include "brs/Domain.h"
#include "brs/Expand.h"
#include "brs/Presburger.h"
#include "brs/RowAssumptions.h"
#include "skeleton/Polynomial.h"
#include "skeleton/Rotation.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace busfare::brs {
using namespace skeleton;

namespace {

/// A flat access and where it stands.
struct FlatAccess {
  Access *access;
  Nest nest;
  std::set<std::string>
      varying; ///< Symbols that change from one execution to the next: indices, values defined in loops.
  std::vector<const Define *> defines; ///< Those before it, in order.
  bool isHosts; ///< The innermost loop around it, if any, stays on the host.
  const HostStatement *in; ///< Whose access it is, if any's.
  const Location &location() const { return locationOf(*access, in); }
};

/// A loop that calls what only the host can run, or that data end: hardly a kernel, nor in one.
bool staysOnHost(const Loop &loop) {
  bool stays = loop.mayExitEarly || loop.form == LoopForm::While || loop.form == LoopForm::Do;
  forEachNode(loop.body, [&](const Node &node) {
    stays |= std::holds_alternative<HostStatement>(node.kind) || std::holds_alternative<Call>(node.kind);
  });
  return stays;
}

/// What the defines of the symbols say of their values: `define donor in j - 1 .. j` gives donor - j + 1 >= 0 and j -
/// donor >= 0.
PresburgerSet rangesOf(llvm::ArrayRef<const Define *> defines, std::set<std::string> symbols) {
  PresburgerSet known = PresburgerSet::universe(0);
  auto narrow = [&](const Expr &fact) {
    if (PresburgerSet both = intersect(known, nonNegative(fact)); both.isKnown()) known = both;
    symbols.merge(fact.symbols());
  };
  for (const Define *define : llvm::reverse(defines)) {
    if (!symbols.count(define->symbol)) continue;
    Expr symbol = Expr::symbol(define->symbol);
    if (const std::optional<Expr> &least = define->value ? define->value : define->atLeast) narrow(symbol - *least);
    if (const std::optional<Expr> &most = define->value ? define->value : define->atMost) narrow(*most - symbol);
  }
  return known;
}

struct Collector {
  std::map<std::string, std::vector<FlatAccess>> flat;
  std::set<std::string> wanted;
  const HostStatement *in = nullptr; ///< Whose accesses the walk is at.

  /// What a host statement touches in any element says nothing of shapes. It follows them (Refitting below), so that
  /// statements may keep it in common.
  bool mayChange(const HostStatement &host) const {
    return llvm::any_of(host.body, [&](const Node &node) {
      auto *access = std::get_if<Access>(&node.kind);
      return access && !isOfAnyElement(*access) &&
             (wanted.count(access->array) || llvm::any_of(access->subscripts, [](const Subscript &subscript) {
                return subscript.value && hasChoiceInProduct(*subscript.value);
              }));
    });
  }

  void walk(Block &block, const Nest &nest, const std::set<std::string> &varying, bool isHosts = true,
            std::vector<const Define *> defines = {}) {
    std::set<std::string> here = varying;
    for (Node &node : block) {
      if (auto *access = std::get_if<Access>(&node.kind)) {
        for (Subscript &subscript : access->subscripts)
          if (subscript.value && hasChoiceInProduct(*subscript.value))
            subscript.value = decideProducts(*subscript.value, nest.contextInside());
        if (in && isOfAnyElement(*access)) continue;
        if (wanted.count(access->array)) flat[access->array].push_back({access, nest, here, defines, isHosts, in});
      } else if (auto *define = std::get_if<Define>(&node.kind)) {
        defines.push_back(define);
        if (!nest.loops().empty()) here.insert(define->symbol);
      } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
        std::set<std::string> inside = here;
        inside.insert(loop->index);
        walk(loop->body, nest.inside(*loop), inside, staysOnHost(*loop), defines);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        walk(branch->then, nest.inside(*branch, true), here, isHosts, defines);
        walk(branch->otherwise, nest.inside(*branch, false), here, isHosts, defines);
      } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
        if (!mayChange(*host)) continue;
        in = host;
        walk(host->body.edit(), nest, here, isHosts, defines);
        in = nullptr;
      }
    }
  }
};

bool varies(const Atom &atom, const std::set<std::string> &varying) {
  if (atom.kind == Atom::Kind::Symbol) return varying.count(atom.name) != 0;
  return llvm::any_of(atom.args, [&](const Expr &e) {
    return llvm::any_of(e.symbols(), [&](const std::string &s) { return varying.count(s); });
  });
}

/// What each varying part of the subscript is multiplied with.
std::vector<Expr> stridesOf(const Expr &subscript, const std::set<std::string> &varying) {
  std::map<std::vector<Atom>, Expr> strides;
  for (const Term &term : subscript.sum()) {
    std::vector<Atom> part;
    Term stride{term.coefficient, {}};
    for (const Atom &factor : term.factors) (varies(factor, varying) ? part : stride.factors).push_back(factor);
    if (!part.empty()) strides[part] = strides[part] + exprOf(stride);
  }
  std::vector<Expr> result;
  for (auto &entry : strides) result.push_back(entry.second);
  return result;
}

Expr magnitude(const Expr &stride) {
  return !stride.sum().empty() && stride.sum().front().coefficient < 0 ? -stride : stride;
}

/// Strides that may be extents of inner dimensions.
std::vector<Expr> candidatesOf(const std::vector<FlatAccess> &accesses) {
  std::vector<Expr> candidates;
  for (const FlatAccess &flat : accesses) {
    const std::optional<Expr> &subscript = flat.access->subscripts[0].value;
    if (!subscript) continue;
    std::vector<Expr> strides;
    for (const Expr &stride : stridesOf(*subscript, flat.varying)) strides.push_back(magnitude(stride));
    for (const Expr &stride : strides) {
      std::optional<int64_t> c = stride.constant();
      if (stride.isPoisoned() || stride.isZero() || (c && *c == 1) || llvm::is_contained(candidates, stride)) continue;
      // A constant is an extent only if something smaller varies beside it: a[2*i + 1] has one dimension.
      if (c && llvm::none_of(strides, [&](const Expr &other) {
            std::optional<int64_t> d = other.constant();
            return d && *d < *c;
          }))
        continue;
      candidates.push_back(stride);
    }
  }
  // Larger products first; a plain order among equals keeps the result deterministic.
  llvm::sort(candidates, [](const Expr &a, const Expr &b) {
    auto degree = [](const Expr &e) {
      size_t most = 0;
      for (const Term &t : e.sum()) most = std::max(most, t.factors.size());
      return most;
    };
    if (degree(a) != degree(b)) return degree(a) > degree(b);
    std::optional<int64_t> c = a.constant(), d = b.constant();
    return c && d ? *c > *d : a < b;
  });
  if (candidates.size() > 6) candidates.resize(6);
  return candidates;
}

/// Sequences of strides, each dividing the one before, the longest first.
void chainsFrom(const std::vector<Expr> &candidates, size_t next, std::vector<Expr> &chain,
                std::vector<std::vector<Expr>> &chains) {
  if (!chain.empty()) chains.push_back(chain);
  for (size_t i = next; i < candidates.size(); ++i) {
    if (!chain.empty() && !divideExactly(chain.back(), candidates[i])) continue;
    chain.push_back(candidates[i]);
    chainsFrom(candidates, i + 1, chain, chains);
    chain.pop_back();
  }
}

/// The extents of the inner dimensions: chain[d] / chain[d + 1], and the last stride itself.
std::vector<Expr> innerExtents(const std::vector<Expr> &chain) {
  std::vector<Expr> extents;
  for (size_t d = 0; d + 1 < chain.size(); ++d) extents.push_back(*divideExactly(chain[d], chain[d + 1]));
  extents.push_back(chain.back());
  return extents;
}

/// Is 0 <= subscript < extent in every iteration of `runs`?
bool staysInside(const Expr &subscript, const Expr &extent, const PresburgerSet &runs) {
  PresburgerSet below = nonNegative(Expr(-1) - subscript), above = nonNegative(subscript - extent);
  return intersect(runs, below).isEmpty() == Answer::Yes && intersect(runs, above).isEmpty() == Answer::Yes;
}

/// The part moves to where it stays inside its extent, and the one before it with it: a multiple of an extent may stand
/// on either side of the split, i*n + n - 1 is row i, column n - 1.
template <class Stays> bool settle(Expr &part, Expr &before, const Expr &extent, Stays stays) {
  for (int turn : {0, 1, -1}) {
    Expr moved = part + Expr(turn) * extent;
    if (!stays(moved)) continue;
    part = moved;
    before = before - turn;
    return true;
  }
  return false;
}

/// The subscripts in the shape, if they are proved to be valid ones, or are so under what `rows` (if given) may assume.
std::optional<std::vector<Subscript>> split(const FlatAccess &flat, const std::vector<Expr> &chain,
                                            const std::vector<Expr> &extents, const Context &facts,
                                            RowAssumptions *rows) {
  const Expr &subscript = *flat.access->subscripts[0].value;
  std::vector<Expr> parts;
  Expr rest = subscript;
  for (const Expr &stride : chain) {
    Division division = divide(rest, stride);
    parts.push_back(division.quotient);
    rest = division.remainder;
  }
  parts.push_back(rest);
  PresburgerSet runs = iterationsOf(flat.nest).may;
  if (PresburgerSet narrow = intersect(runs, rangesOf(flat.defines, subscript.symbols())); narrow.isKnown())
    runs = narrow;
  Context context = rows ? rows->with(facts) : facts;
  std::set<Expr> names = runs.names();
  for (const std::vector<Expr> *values : std::initializer_list<const std::vector<Expr> *>{&parts, &extents})
    for (const Expr &value : *values)
      for (const std::string &symbol : value.symbols()) names.insert(Expr::symbol(symbol));
  if (PresburgerSet known = intersect(runs, conditionOn(names, context)); known.isKnown()) runs = known;
  for (size_t d = parts.size() - 1; d > 0; --d) {
    const Expr &extent = extents[d - 1];
    auto surely = [&](const Expr &part) { return staysInside(part, extent, runs); };
    auto ifAssumed = [&](const Expr &part) { return rows->assumeInside(part, extent, runs, flat.varying, facts); };
    if (settle(parts[d], parts[d - 1], extent, surely)) continue;
    // A row of a number of elements is not the caller's affair.
    if (!rows || extent.constant() || !settle(parts[d], parts[d - 1], extent, ifAssumed)) return std::nullopt;
  }
  std::vector<Subscript> subscripts;
  for (Expr &part : parts) subscripts.push_back({std::move(part), std::nullopt, std::nullopt});
  return subscripts;
}

bool runsOnlyIfPositive(const FlatAccess &flat, const Expr &extent, const Context &context) {
  PresburgerSet none = nonNegative(-extent);
  PresburgerSet runs = iterationsOf(flat.nest).may;
  std::set<Expr> names = runs.names(), more = none.names();
  names.insert(more.begin(), more.end());
  runs = intersect(runs, conditionOn(names, context));
  return intersect(runs, none).isEmpty() == Answer::Yes;
}

/// A subscript in which one thing varies walks the array flat, as loops that fill, copy or sum it do.
bool walksFlat(const FlatAccess &flat) {
  return stridesOf(*flat.access->subscripts[0].value, flat.varying).size() <= 1;
}

/// In one dimension nothing is known either of which elements it touches, or only by what changes as loops run: a walk
/// back through a table (`while (i > 0 && j > 0) { .. t[i*n + j] .. }`) does not veto the shape that all else has.
bool hasNoBounds(const FlatAccess &flat, const Array &array) {
  SectionSet touched = expandToSections(*flat.access, array, flat.nest);
  return touched.whole || llvm::any_of(touched.boxes, [&](const Section &box) {
           return llvm::any_of(box.ranges.front().lower.symbols(),
                               [&](const std::string &s) { return flat.varying.count(s) != 0; });
         });
}

/// The subscripts of a flat walk: by division where the extents are numbers, else not known.
std::vector<Subscript> splitFlatWalk(const Expr &subscript, const std::vector<Expr> &extents, bool &lossy) {
  std::vector<Subscript> subscripts(extents.size() + 1);
  Expr rest = subscript;
  for (size_t d = extents.size(); d > 0; --d) {
    std::optional<int64_t> extent = extents[d - 1].constant();
    if (!extent || *extent < 1) {
      lossy = true;
      return std::vector<Subscript>(extents.size() + 1);
    }
    subscripts[d].value = mod(rest, *extent);
    rest = floorDiv(rest, *extent);
  }
  subscripts[0].value = rest;
  return subscripts;
}

struct Split {
  std::vector<std::vector<Subscript>> subscripts; ///< Of each access.
  bool lossy = false; ///< Some that were known are not known any more.
};

/// The subscripts of all accesses to `array` (or to what it is swapped with) in the shape of the chain; nothing if none
/// shows the shape, or one does not fit of which the flat array knows more than the shaped one would.
std::optional<Split> splitAll(const std::vector<FlatAccess> &accesses, const Array &array,
                              const std::vector<Expr> &chain, const Context &context, RowAssumptions *rows) {
  std::vector<Expr> extents = innerExtents(chain);
  // An extent of 0 or less has no accesses to split. That it is one, and not a stride that may be 0 (x[i*incx]), some
  // access must show: one that runs only if the extent is positive.
  auto areShown = [&](const Context &known) {
    return llvm::all_of(extents, [&](const Expr &extent) {
      return llvm::any_of(accesses, [&](const FlatAccess &flat) { return runsOnlyIfPositive(flat, extent, known); });
    });
  };
  if (!rows && !areShown(context)) return std::nullopt;
  Context facts = context;
  for (const Expr &extent : extents) facts.assume(extent - 1);
  Split all;
  bool anyFits = false;
  for (const FlatAccess &flat : accesses) {
    if (!flat.access->subscripts[0].value) {
      all.subscripts.emplace_back(chain.size() + 1);
      continue;
    }
    std::optional<std::vector<Subscript>> subscripts = split(flat, chain, extents, facts, rows);
    anyFits |= subscripts.has_value();
    if (!subscripts) {
      if (!walksFlat(flat) && !(flat.isHosts && hasNoBounds(flat, array))) return std::nullopt;
      subscripts = splitFlatWalk(*flat.access->subscripts[0].value, extents, all.lossy);
    }
    all.subscripts.push_back(std::move(*subscripts));
  }
  if (!anyFits || (rows && !areShown(rows->with(context)))) return std::nullopt;
  return all;
}

void setAllocatedExtents(Block &block, const std::string &name, const std::vector<std::optional<Expr>> &extents) {
  for (Node &node : block) {
    if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
      if (allocate->array == name) allocate->extents = extents;
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      setAllocatedExtents(loop->body, name, extents);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      setAllocatedExtents(branch->then, name, extents);
      setAllocatedExtents(branch->otherwise, name, extents);
    }
  }
}

/// Arrays that are swapped must keep one shape.
using Groups = std::vector<std::vector<std::string>>;

Groups groupsOf(const Function &function, const std::set<std::string> &names) {
  Groups groups = rotatedTogether(function.body);
  std::set<std::string> rotated;
  for (std::vector<std::string> &group : groups) {
    llvm::erase_if(group, [&](const std::string &name) { return !names.count(name); });
    rotated.insert(group.begin(), group.end());
  }
  llvm::erase_if(groups, [](const std::vector<std::string> &group) { return group.empty(); });
  for (const std::string &name : names)
    if (!rotated.count(name)) groups.push_back({name});
  return groups;
}

/// Gives what host statements touch in any element the ranks that the arrays have now.
struct Refitting {
  std::map<std::string, size_t> ranks; ///< Of arrays with another one than before.
  struct Known {
    SharedBlock before, after;
  };
  std::map<const Block *, Known> known;

  void refit(SharedBlock &body) {
    auto [made, isNew] = known.try_emplace(body.identity(), Known{body, body});
    if (isNew)
      for (size_t k = 0; k < body.size(); ++k) {
        const Access &access = std::get<Access>((body.begin() + k)->kind);
        auto rank = ranks.find(access.array);
        if (rank != ranks.end() && isOfAnyElement(access))
          std::get<Access>(made->second.after.edit()[k].kind).subscripts.assign(rank->second, Subscript());
      }
    body = made->second.after;
  }
};

/// Recovers the shapes of one function, group by group.
class Recovery {
public:
  Recovery(const Program &program, const Function &function, const Context &context)
      : program(program), context(context), result{function, {}, {}, {}, {}, {}} {
    auto consider = [&](const Array &array) {
      if (array.extents.size() == 1 && array.storage != Storage::Alias) collector.wanted.insert(array.name);
    };
    llvm::for_each(function.arrays, consider);
    for (const Array &global : program.globals) // but those that the function's own arrays hide
      if (findArray(program, function, global.name) == &global) consider(global);
    collector.walk(result.function.body, Nest(context), {});
  }

  Shaped run(ShapeProof proof) {
    std::vector<Group> open;
    for (const std::vector<std::string> &names : groupsOf(result.function, collector.wanted)) {
      Group group = groupOf(names);
      if (!group.chains.empty() && !recover(group, nullptr)) open.push_back(std::move(group));
    }
    for (const Group &group : open)
      if (proof == ShapeProof::Strict ||
          !llvm::all_of(group.names, [&](const std::string &n) { return isCallers(n); }) || !recover(group, &rows))
        result.findings.push_back({Rule::SharedShape, Level::Remark, group.accesses.front().location(),
                                   "no shape of '" + group.names.front() + "' with rows of " +
                                       toString(group.chains.back().back()) +
                                       " fits all its accesses; its one-dimensional extent is used"});
    rows.simplifyInPlace(context);
    result.assumed = rows.conditions();
    if (!refitting.ranks.empty())
      forEachHostStatement(result.function.body, [&](HostStatement &host) { refitting.refit(host.body); });
    return std::move(result);
  }

private:
  /// Arrays that must keep one shape, and the shapes they may have, as chains of strides.
  struct Group {
    std::vector<std::string> names;
    std::vector<FlatAccess> accesses;
    std::vector<std::vector<Expr>> chains;
  };

  const Program &program;
  const Context &context;
  Shaped result;
  Collector collector;
  RowAssumptions rows;
  Refitting refitting;

  Group groupOf(const std::vector<std::string> &names) {
    Group group{names, {}, {}};
    for (const std::string &name : names)
      group.accesses.insert(group.accesses.end(), collector.flat[name].begin(), collector.flat[name].end());
    std::vector<Expr> chain;
    chainsFrom(candidatesOf(group.accesses), 0, chain, group.chains);
    llvm::stable_sort(group.chains, [](const auto &a, const auto &b) { return a.size() > b.size(); });
    if (group.chains.size() > 16) group.chains.resize(16);
    return group;
  }

  const Array &arrayOf(const std::string &name) const { return *findArray(program, result.function, name); }

  /// Only what a caller passes, and how large it is, can be the caller's to keep.
  bool isCallers(const std::string &name) const {
    const Array &array = arrayOf(name);
    return (array.storage == Storage::Parameter || array.storage == Storage::Given) && !array.extents[0];
  }

  /// Rows that do not fill the array are none of its own, and copies of whole rows would leave it.
  bool fills(const std::string &name, const std::vector<Expr> &chain) const {
    const Array &array = arrayOf(name);
    std::optional<int64_t> all = array.extents[0] ? array.extents[0]->constant() : std::nullopt,
                           row = chain.front().constant();
    return !all || !row || *row <= 0 || *all % *row == 0;
  }

  /// By the first chain that fits; under assumptions, if there is someone to make them.
  bool recover(const Group &group, RowAssumptions *assumptions) {
    for (const std::vector<Expr> &chain : group.chains) {
      if (!llvm::all_of(group.names, [&](const std::string &name) { return fills(name, chain); })) continue;
      RowAssumptions before = rows;
      std::optional<Split> split = splitAll(group.accesses, arrayOf(group.names.front()), chain, context, assumptions);
      const bool areKnown = split && haveRows(group, chain);
      const std::optional<Expr> rowsTouched = split && !areKnown ? rowsOf(group, *split, chain) : std::nullopt;
      if (areKnown || rowsTouched) {
        apply(group, chain, std::move(*split), rowsTouched);
        if (assumptions) noteAssumed(group, chain, before);
        return true;
      }
      rows = std::move(before);
    }
    return false;
  }

  /// Does every size that is known give a number of rows?
  bool haveRows(const Group &group, const std::vector<Expr> &chain) const {
    return llvm::all_of(group.names, [&](const std::string &name) {
      const std::optional<Expr> &all = arrayOf(name).extents[0];
      return !all || divideExactly(*all, chain.front());
    });
  }

  /// As many rows as the known accesses name, if the first and the last of them are sure: 48 elements in rows of n, of
  /// which a[0] to a[m - 1] are touched. Otherwise bounds of what is touched could go beyond the array, and nothing
  /// says where it ends.
  std::optional<Expr> rowsOf(const Group &group, const Split &split, const std::vector<Expr> &chain) const {
    Array shaped = arrayOf(group.names.front());
    shaped.extents.assign(1, std::nullopt);
    llvm::append_range(shaped.extents, innerExtents(chain));
    std::vector<Range> rows;
    for (size_t i = 0; i < group.accesses.size(); ++i) {
      Access access = *group.accesses[i].access;
      access.subscripts = split.subscripts[i];
      SectionSet touched = expandToSections(access, shaped, group.accesses[i].nest);
      if (touched.whole && access.subscripts[0].value) return std::nullopt;
      for (const Section &box : touched.boxes) rows.push_back(box.ranges[0]);
    }
    std::optional<Expr> last;
    for (const Range &range : rows) {
      if (isNonNegative(range.lower, context) != Answer::Yes) return std::nullopt;
      if (!last || isAtMost(*last, range.upper, context) == Answer::Yes) last = range.upper;
    }
    if (!last ||
        !llvm::all_of(rows, [&](const Range &range) { return isAtMost(range.upper, *last, context) == Answer::Yes; }))
      return std::nullopt;
    return *last + 1;
  }

  void apply(const Group &group, const std::vector<Expr> &chain, Split split, const std::optional<Expr> &rowsTouched) {
    for (size_t i = 0; i < group.accesses.size(); ++i) {
      Access &access = *group.accesses[i].access;
      if (access.subscripts[0].value && !split.subscripts[i].front().value) access.flat = *access.subscripts[0].value;
      access.subscripts = std::move(split.subscripts[i]);
    }
    if (split.lossy) result.lossy.insert(group.names.begin(), group.names.end());
    for (const std::string &name : group.names) {
      auto own = llvm::find_if(result.function.arrays, [&](const Array &a) { return a.name == name; });
      if (own == result.function.arrays.end()) {
        result.function.arrays.push_back(arrayOf(name));
        own = std::prev(result.function.arrays.end());
      }
      std::optional<Expr> outer = own->extents[0] ? divideExactly(*own->extents[0], chain.front()) : std::nullopt;
      if (own->extents[0] && !outer) {
        result.elements.emplace(name, *own->extents[0]);
        if (!split.lossy) // else some access may be of any row
          outer = rowsTouched;
      }
      std::vector<std::optional<Expr>> extents{outer};
      for (const Expr &extent : innerExtents(chain)) extents.push_back(extent);
      own->extents = extents;
      refitting.ranks[name] = extents.size();
      setAllocatedExtents(result.function.body, name, extents);
    }
  }

  void noteAssumed(const Group &group, const std::vector<Expr> &chain, const RowAssumptions &before) {
    result.assumedShapes.insert(group.names.begin(), group.names.end());
    std::vector<std::string> conditions;
    for (const Expr &condition : llvm::ArrayRef(rows.conditions()).drop_front(before.conditions().size()))
      conditions.push_back(conditionText(condition));
    if (!conditions.empty())
      result.findings.push_back({Rule::SharedShape, Level::Note, group.accesses.front().location(),
                                 "'" + group.names.front() + "' has rows of " + toString(chain.back()) + " if " +
                                     llvm::join(conditions, " and ") + ", which is assumed"});
  }
};

} // namespace

Shaped recoverShapes(const Program &program, const Function &function, const Context &context, ShapeProof proof) {
  return Recovery(program, function, context).run(proof);
}

} // namespace busfare::brs
