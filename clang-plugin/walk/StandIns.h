//===- clang-plugin/walk/StandIns.h - Names for what only the end tells --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What unseen code reaches at a call depends on what the rest of the function gives away. Until the
// function has been walked a host statement holds one of these names; Reach.cpp then replaces it.
//
//   log();  keep(a);   log: reads ?escaped   at the end, in a loop: reads a
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_STAND_INS_H
#define BUSFARE_CLANG_PLUGIN_WALK_STAND_INS_H

namespace busfare::frontend {

/// Stand-ins in a host statement for what it reaches, replaced when the function is known to its end.
inline const char *const everyGlobal = "?global"; ///< That unseen code can reach.
inline const char *const everyStatic = "?static"; ///< And those that only this unit's code can.
inline const char *const everyEscaped = "?escaped"; ///< By the end of the function: of a call in a loop.
inline const char *const behind = "?behind ";

} // namespace busfare::frontend

#endif
