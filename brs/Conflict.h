//===- brs/Conflict.h - Do two iterations touch one element? --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The one question of dependence analysis: are there two different iterations of a
// loop, in the same iterations of the loops around it, such that the earlier one
// performs `source`, the later one `sink`, and both on the same element?
//
//   for i = 1 .. n - 1 { read a[i - 1]; write a[i] }
//     between(write, read)   yes: a[1] at i = 1, then i = 2
//     between(read, write)   no
//
// Equal subscripts that move with the loop, different constants, and inner loops of
// fixed width that do not reach the next iteration (a tile: a[j], j from 16*i to
// min(16*i + 15, n)) are decided at sight, and rows whose length is a symbol (a[n*i + j],
// j from 0 to n - 1, be the array's shape known or not) without the products that no
// Presburger set says; the rest goes to Presburger.h: the two
// domains, the subscripts' equality and the order of the iterations, with what varies
// inside the loop (its index, inner indices, values defined inside) once for each side.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_CONFLICT_H
#define BUSFARE_BRS_CONFLICT_H

#include "brs/Presburger.h"
#include "brs/Sites.h"
#include <map>
#include <string>
#include <unordered_map>

namespace busfare::brs {

struct Conflict {
  /// No: never. Yes: there are sizes for which both iterations surely do so. Unknown: it cannot be excluded.
  Answer exists = Answer::Unknown;
  std::string example; ///< Of a Yes: "a[1] at i = 1, then i = 2".
  /// Of a Yes: sizes that nothing binds keep it from happening, however long the loop is: `m <= 520` of g[520*i + j]
  /// with j < m.
  bool isOpen = false;
};

class ConflictFinder {
public:
  ConflictFinder(const SiteTable &table, const Context &context) : table(table), context(context) {}

  /// Both sites are inside the loop and name the same array.
  Conflict between(size_t loop, const Site &source, const Site &sink);

private:
  enum class Side { Source, Sink };
  /// What holds when control is at a place, and whether that is all.
  struct Place {
    PresburgerSet condition = PresburgerSet::universe(0);
    bool exact = true;
  };

  /// coefficient * the loop's own index + shared + something in [least, most]
  struct Reach {
    int64_t coefficient = 0;
    skeleton::Expr shared;
    int64_t least = 0, most = 0;
  };
  /// A subscript, for the cheap tests: every site meets every other.
  struct Seen {
    std::optional<skeleton::Expr> value; ///< Nothing: not known.
    bool isShared = false;               ///< The same in all iterations.
    std::optional<Reach> reach;
  };

  const SiteTable &table;
  const Context &context;
  size_t current = size_t(-1);        ///< The loop that the caches below are about.
  std::set<std::string> varying;      ///< Symbols with another value in another iteration.
  Place around;                       ///< What holds around the loop.
  std::map<std::pair<unsigned, Side>, Place> places;
  std::unordered_map<const Site *, std::vector<Seen>> seen; ///< By dimension.

  void enter(size_t loop);
  skeleton::Expr on(Side side, const skeleton::Expr &expr) const;
  bool isShared(const skeleton::Expr &expr) const;
  void add(Place &place, Side side, const NestStep &step) const;
  void addKnown(Place &place, Side side, std::set<std::string> symbols) const;
  const Place &placeOf(unsigned path, Side side);
  void addEqual(Place &place, const skeleton::Subscript &a, const skeleton::Subscript &b, unsigned dimension) const;
  bool leavesRow(const Site &site) const;
  bool surelyDiffer(const Seen &source, const Seen &sink) const;
  std::optional<Reach> reachOf(const skeleton::Expr &subscript, const std::vector<NestStep> &path) const;
  std::optional<Reach> reachOf(const skeleton::Loop &inner) const;
  std::optional<Reach> followerOf(const skeleton::Expr &expr) const;
  const std::vector<Seen> &seenIn(const Site &site);
  bool areKeptApart(const Seen &source, const Seen &sink) const;
  bool areInOtherRows(const skeleton::Subscript &source, const skeleton::Subscript &sink,
                      const PresburgerSet &condition) const;
  bool isKeptAwayBySizes(const PresburgerSet &run, const PresburgerSet &system) const;
  std::string exampleOf(const PresburgerSet &system, const skeleton::Access &source,
                        const skeleton::Access &sink) const;
};

/// `a[i - 1][j]`; a subscript that is not known is `?`.
std::string textOf(const skeleton::Access &access);

} // namespace busfare::brs

#endif
