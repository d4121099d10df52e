//===- clang-plugin/walk/OpenLoop.h - A loop that is being made ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is known of a loop between its start and the state behind it. Of
// `for (k = n, p = a; k > 0; k -= 2) *p++ = 0;`
//
//   loop       for k = n .. 1 step -2
//   iteration  n - k: has k gone down by 2 so often, p is a + (n - k) / 2
//   last       the number of the last iteration, from 0
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_OPEN_LOOP_H
#define BUSFARE_CLANG_PLUGIN_WALK_OPEN_LOOP_H

#include "Walk.h"

namespace busfare::frontend {

struct Walker::OpenLoop {
  const LoopParts &parts;
  const std::set<std::string> &changed; ///< Variables that live longer than an iteration, which changes them.
  Steps &steps;
  const std::string &variable; ///< Whose steps count it; empty: none.
  Location location;

  bool isDo() const { return parts.form == skeleton::LoopForm::Do; }
  bool isOpaque() const { return changed.count("?opaque"); }
  bool rotates(const std::string &name) const {
    return llvm::any_of(steps.rotation, [&](const auto &move) { return move.first == name; });
  }
  /// The iteration that is this far from the first one: of a loop down, the distance is down.
  Symbolic distance(const Symbolic &from, const Symbolic &to) const {
    return hasIndex && step < 0 ? from - to : to - from;
  }

  bool hasIndex = false; ///< The variable is the loop's index.
  int64_t step = 0;      ///< Of the variable, if it is.
  Symbolic start = {};        ///< Likewise: its value before the loop,
  Symbolic shift = {};        ///< and what the condition adds before the body sees it.
  skeleton::Loop loop = {};
  Symbolic symbol = {};       ///< The loop's index.
  Symbolic iteration = {};    ///< The iteration's number, from 0; of steps other than 1, how far it has come.
  std::map<std::string, Value> entryIntegers = {}; ///< Of what is changed, the values before the loop.
  std::map<std::string, Pointer> entryPointers = {};
  Frame frame = {};
  std::map<const clang::LabelDecl *, size_t> skippedBefore = {}; ///< So many were on their way to a label ahead.
  Environment before = {};

  Bound bound = {};
  bool counted = false;   ///< Its upper bound is known before it.
  bool isPureTest = true; ///< Its condition changes nothing.
  bool isTestIdle() const { return isPureTest && counted && bound.decisive; }
  std::set<std::string> boundReads = {}; ///< Arrays that the bound is read from,
  std::vector<skeleton::SteadyElement> boundElements = {}; ///< and which elements.
  Symbolic last = {};

  Block *outer = nullptr;
  unsigned bodyMark = 0; ///< Symbols with larger serials are made in the body.
  bool mayExit = false;  ///< By break, return or goto.
  bool mayExitUnguarded = false; ///< As Frame::exitsUnguarded.
  bool restoresTurns = false; ///< Names that its iterations exchange are put back behind it.
  Tables tables = {};         ///< Behind it.
  std::map<std::string, std::vector<std::string>> leftOtherwise = {}; ///< As of changedOnTheWayOut.
  std::set<std::string> held = {}, believed = {};
  bool isTurnCountKnown = true;
  skeleton::LoopHead made = {}; ///< What has become of `loop`.
};

} // namespace busfare::frontend

#endif
