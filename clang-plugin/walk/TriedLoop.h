//===- clang-plugin/walk/TriedLoop.h - What trials have shown of inner loops -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop is walked more than once: on trial, where what it changes may be
// anything, then for good. Would each walk try the loops inside again, a nest
// of d loops cost 2^d walks. But what an iteration of the inner loop does from
// *any* values, it does from those of the walk for good, too:
//
//   for (i = 0; i < n; i++)         on trial: i is any number
//     for (j = 0; j < m; j++)       tried there: an iteration adds 1 to k
//       b[k++] = a[i][j];           for good: it still does
//
// So what a loop's steps were is kept with the loop around it, until that one
// is tried anew; a nest costs d walks.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_TRIED_LOOP_H
#define BUSFARE_CLANG_PLUGIN_WALK_TRIED_LOOP_H

#include "Walk.h"
#include <memory>

namespace busfare::frontend {

/// A loop, or a function that is walked in place, with the loops inside.
struct Walker::TriedLoop {
  /// Which one: the statement or function, and where it is called.
  using Key = std::pair<const void *, Location>;

  std::optional<Steps> steps;    ///< Found where everything that changes around could be anything.
  std::set<std::string> changed; ///< What they are the steps of.
  bool isUnclear = false;        ///< One walk around it met it twice: whose steps are these?
  bool isMet = false;            ///< In the walk around it that goes on.
  std::map<Key, std::unique_ptr<TriedLoop>> inside;

  /// One of those inside, met now.
  TriedLoop &meet(const Key &key);
  /// A walk begins: none of those inside has been met.
  void beginWalk();
};

} // namespace busfare::frontend

#endif
