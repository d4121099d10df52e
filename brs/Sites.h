//===- brs/Sites.h - Every access of a function, in its nest --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A flat view of a function for questions about pairs of accesses: all accesses
// in program order, each with the loops and branches around it, and all loops,
// each with the range of accesses inside it.
//
//   for i { read a[i]; for j { write b[i][j] } }
//     sites: 0 read a (under i), 1 write b (under i, j)
//     loops: 0 i [0, 2), 1 j [1, 2)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_SITES_H
#define BUSFARE_BRS_SITES_H

#include "brs/Domain.h"
#include "skeleton/Skeleton.h"
#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace busfare::brs {

struct Site {
  const skeleton::Access *access = nullptr;
  const skeleton::HostStatement *host = nullptr; ///< Whose access it is, if any's.
  const skeleton::Location &location() const { return locationOf(*access, host); }
  unsigned path = 0; ///< Index into SiteTable::paths; equal paths have equal loops and guards.
};

/// A loop with what stands inside it.
struct LoopSite {
  const skeleton::Loop *loop = nullptr;
  std::vector<NestStep> outer; ///< Loops and branches around it, outermost first.
  /// The blocks on the way and the position in each: entry k is where outer[k] stands, the last where the loop does.
  std::vector<std::pair<const skeleton::Block *, size_t>> trail;
  int parent = -1;                        ///< The next loop outwards, an index into SiteTable::loops; -1 = none.
  size_t firstSite = 0, endSite = 0;      ///< Its accesses: [firstSite, endSite) of SiteTable::sites.
  std::vector<const skeleton::Define *> defines; ///< Inside: their symbols differ from iteration to iteration.
  std::set<std::string> indices;                 ///< Its own index and those of the loops inside.
  bool usesIndex = false; ///< Some subscript, bound or condition inside mentions its index.
  /// The first node inside that forces it to stay serial whatever is accessed; null if there is none.
  const skeleton::HostStatement *host = nullptr;
  std::vector<const skeleton::End *> ends; ///< Where the program may end inside.
  const skeleton::Call *call = nullptr;
  const skeleton::Rotate *rotate = nullptr;
  const skeleton::Allocate *allocate = nullptr;
  const skeleton::Free *free = nullptr;
};

struct SiteTable {
  const skeleton::Program *program = nullptr;
  const skeleton::Function *function = nullptr;
  std::vector<Site> sites;                  ///< In program order.
  std::list<skeleton::Access> steady;       ///< Reads of what the loops take to be fixed; sites point to them.
  std::vector<std::vector<NestStep>> paths; ///< Loops and branches around a site, outermost first.
  std::vector<LoopSite> loops;              ///< In program order, outer before inner.
  std::map<std::string, const skeleton::Define *> defines; ///< By symbol.
  std::map<std::string, std::string> owners; ///< perIteration array -> index of the loop that makes it anew.

  skeleton::ArrayTable arrays; ///< That the function sees.
  const skeleton::Array *array(const std::string &name) const { return arrays.find(name); }
};

/// owners: ownerLoops of the function (Owner.h).
SiteTable collectSites(const skeleton::Program &program, const skeleton::Function &function,
                       const std::map<std::string, std::string> &owners);

/// The loop whose every iteration has its own copy of the array (Owner.h), an index into SiteTable::loops; -1 = none
/// known.
int ownerOf(const SiteTable &table, const std::string &array);

} // namespace busfare::brs

#endif
