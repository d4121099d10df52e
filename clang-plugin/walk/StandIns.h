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

#include "Places.h"

namespace busfare::frontend {

/// Stand-ins in a host statement for what it reaches, replaced when the function is known to its end.
inline const char *const everyGlobal = "?global"; ///< That unseen code can reach.
inline const char *const everyStatic = "?static"; ///< And those that only this unit's code can.
inline const char *const everyEscaped = "?escaped"; ///< By the end of the function: of a call in a loop.
inline const char *const givenBefore = "?given before "; ///< Walker::givenAway.
inline const char *const behind = "?behind "; ///< The fields of a struct, and what is behind its pointers.
inline const char *const readAndBehind = "?read and behind "; ///< Likewise; the fields themselves are read at most.
inline const char *const ownFields = "?fields "; ///< The fields of a struct that is copied; stands where a read may.

/// Which of Walker::givenAway the array's name stands for, if it does.
std::optional<size_t> placeOfGiven(llvm::StringRef array);

/// Memory that a field of the struct with this prefix points to: not const, although the struct may be.
bool isBehindPointer(const Object &object, llvm::StringRef prefix);

} // namespace busfare::frontend

#endif
