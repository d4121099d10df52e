//===- clang-plugin/walk/Environment.h - What the walk knows at one point -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What variables and tables of pointers hold at one point of the function, and the loops around it.
// Environments are merged where branches meet, and copied for an iteration on trial.
//
//   int k = 0;             integers["k"] = 0
//   if (n > 4) k = n;      merged: a fresh symbol with a Define
//   T *p = a;  p = next(p);   pointers["p"]: no object
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_ENVIRONMENT_H
#define BUSFARE_CLANG_PLUGIN_WALK_ENVIRONMENT_H

#include "Places.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/iterator_range.h"
#include <set>

namespace busfare::frontend {
/// Of a map by names: those that begin so. Names that begin alike stand together.
template <typename Map> auto beginningWith(Map &map, llvm::StringRef prefix) {
  auto first = map.lower_bound(prefix.str()), last = first;
  while (last != map.end() && llvm::StringRef(last->first).starts_with(prefix)) ++last;
  return llvm::make_range(first, last);
}

/// What is known of the pointers in a table.
struct RowState {
  enum class Kind {
    Entry,   ///< As they were on entry: of the caller's, and never set since.
    Unset,   ///< None is set yet.
    Filling, ///< A loop is setting one after the other to memory of its own.
    Filled,  ///< It has.
    First,   ///< The pointer of one row is known, no other is set.
    Strided, ///< They lead into one object, a fixed distance from row to row.
    Lost,    ///< Anything.
  };
  Kind kind = Kind::Lost;
  bool isWhole = false;              ///< Of those that are set: the table had held nothing.
  const clang::Stmt *by = nullptr;   ///< Of those that are set: the assignment.
  std::set<std::vector<int64_t>> single =
      {}; ///< Those set one by one, outside of loops, by their subscripts; empty: by a loop.
  std::optional<Symbolic> length = {}; ///< Of all rows, if it is one.
  Symbolic row = {};                   ///< Of First, and what is Strided from there: which one.
  std::optional<Pointer> first = {};   ///< Where it is.
  std::optional<Pointer> origin = {};  ///< Of Strided: where row 0 is, or would be; nothing on trial.
  std::vector<Symbolic> stride = {};   ///< Of Strided, by dimension of the object.
  bool operator==(const RowState &) const = default;
};

/// Tables of pointers (Rows.cpp).
struct Tables {
  std::map<std::string, RowState> rows; ///< By the name of the flattened rows.
  std::set<std::string> lost;           ///< Objects in which any pointer may have been changed.
  std::set<std::string> fresh;          ///< Objects that held no pointers at first.
  bool forgotten = false;               ///< Any pointer in any object that is not fresh may have been changed.
  bool operator==(const Tables &) const = default;
};

/// How large memory is that was allocated on the way here.
struct MemorySize {
  std::vector<Symbolic> equals; ///< Each of these is its extent, where it was allocated; nothing if that is not known.
  std::set<unsigned> allocations; ///< By which it was: places of Object::allocations.
  /// Of a caller's, if it may be new: so many elements here -> if it had so many on entry.
  std::vector<skeleton::Remade> ifOnEntry = {};
  std::vector<Symbolic> when = {}; ///< Not below 0, all of them, on every way on which it was.
  bool operator==(const MemorySize &) const = default;
};

/// What an array holds, by subscripts.
using KnownElements = std::map<std::vector<int64_t>, Value>;

struct Environment {
  Tables tables;
  std::map<std::string, Value> integers;
  std::map<std::string, Pointer> pointers;
  std::map<std::string, MemorySize> sizes; ///< Of memory of one dimension.
  /// Integer and pointer variables whose known value a loop left behind. To use it is to read what the last iteration
  /// wrote.
  std::set<std::string> leftByLoop;
  std::set<unsigned> inFlight; ///< Nonblocking receives that no wait is known to have ended: places in State::receives.
  bool opaque = false; ///< Opaque code ran: globals and fields that are not in the maps have unknown values.
  bool forgetsStatics = false; ///< It was this unit's own code, not followed: private globals have unknown values, too.
  /// What texts stand for that nobody can have changed since: by call and text, `atoi argv[][1][0]`.
  std::map<std::string, Symbolic> parsed;
  std::map<std::string, KnownElements> elements; ///< Of local arrays (KnownElements.cpp).
  bool forgetsPointers = false; ///< Something was stored through a pointer that may lead to globals and fields.
  bool operator==(const Environment &) const = default;
};

/// The values of one index: from lower to upper, both included; one value if they are the same.
struct IndexRange {
  Symbolic lower, upper;
};

/// A symbol that the walk made up.
struct SymbolFacts {
  std::string reason;
  bool memory = false; ///< Its value comes from memory or depends on data.
  bool nonAffine = false; ///< It stands for a formula that Expr cannot hold.
  unsigned loop = 0; ///< Identity of the innermost loop whose body defines it; 0 = none.
  unsigned serial = 0; ///< Position among all symbols; those of an inner block have larger ones.
  std::optional<Symbolic> atLeast, atMost;
  std::string from = {}; ///< The array whose element it is, if it was loaded from one.
  std::vector<Symbolic> element = {}; ///< And which; empty if that is not known.
  bool isFresh = false; ///< Nothing computes it: freshSymbol made it.
  /// As of skeleton::Define. Of a field of the caller's that some path leaves alone: `isLeftAlone` instead.
  std::optional<Symbolic> usually = {};
  bool isLeftAlone = false;
};

/// How control leaves a statement, a mask.
enum Jump : unsigned {
  NoJump = 0,
  Continues = 1,
  Breaks = 2,
  Returns = 4,
  Leaves = 8,
  Skips = 16 /* to a label ahead */
};
struct Flow {
  unsigned may = NoJump; ///< Ways in which it may leave other than at its end.
  bool always = false; ///< It never reaches its end.
};

/// Of a pointer that may lead to two objects: when to the first.
struct Choice {
  Condition when;
  std::string then, otherwise;
};

/// A loop (or switch) being walked.
struct Frame {
  unsigned id = 0;
  bool isSwitch = false;
  bool isOnce = false; ///< `do ... while (0)`: `continue` ends it, too.
  std::set<std::string> changed; ///< Variables the body changes that live longer than an iteration.
  std::set<std::string> inductive; ///< Of those, the ones with a closed form.
  std::string indexVariable; ///< Its steps are the loop's own: no access.
  std::string symbol; ///< The loop's index; empty on trial.
  std::optional<Symbolic> lower; ///< Where it begins, if it rises by 1,
  std::optional<Symbolic> upper; ///< and where it surely ends, if nothing leaves it early.
  const clang::Stmt *stmt = nullptr; ///< Null: an iteration on trial.
  Block *around = nullptr; ///< Where it will stand.
  unsigned mark = 0; ///< Symbols with larger serials are made after it was entered.
  size_t objects = 0; ///< So many were known then.
  std::set<std::string> rotated; ///< Objects whose names change places in it, inner loops and calls included.
  std::set<std::string> following; ///< Pointer variables that change places with them.
  std::vector<std::pair<std::string, std::string>> alternation; ///< Of those objects the ones that are chosen in turns.
  std::vector<Choice> choices; ///< On trial: what is chosen in it.
  size_t scopes = 0; ///< So many were open around it.
  std::vector<Environment> continues, breaks;
  bool exitsEarly = false;
  bool exitsUnguarded = false; ///< What follows the jump in the body is not told from what stands before it.
  std::set<std::string> held; ///< Integers of callers whose value before the loop is used in it.
  std::set<std::string> believed; ///< As of a loop in the skeleton.
  bool sharesIndex = false; ///< What it calls reads the index variable itself.
};

} // namespace busfare::frontend

#endif
