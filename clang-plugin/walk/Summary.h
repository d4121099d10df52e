//===- clang-plugin/walk/Summary.h - What callers need to know of a function -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a call of a function does beyond its skeleton: the fields and globals that it takes without being given them,
// what it leaves in them, which memory is fresh, what it gives away. Positions count the source's parameters.
//
//   void fill(struct grid *g) { g->n = 7; g->p = malloc(56); }
//   exitValues[(0, "n")] = 7, freshExtents["g->p"] = [7]
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_SUMMARY_H
#define BUSFARE_CLANG_PLUGIN_WALK_SUMMARY_H

#include "Environment.h"
#include "clang-plugin/lower/Types.h"

namespace busfare::frontend {
/// A formal that the source passes implicitly: a field behind a pointer parameter, or a global integer.
struct ExtraFormal {
  skeleton::Parameter parameter;
  /// Of the struct pointer among the source's parameters; behind the last: the struct that it returns; -1: `this`; -2:
  /// a global.
  int position = -1;
  std::string suffix; ///< Field path after the prefix, or the global's name.
  clang::QualType type;
};

/// What callers need to know of a function.
struct Summary {
  enum class State { Untouched, InProgress, Done } state = State::Untouched;
  std::string name;
  std::vector<ExtraFormal> extras;
  std::set<std::string> writtenGlobals; ///< Integer and pointer globals it (or a callee) may change.
  std::set<std::string>
      namedPointers; ///< Global pointers behind which it (or a callee) touches what their names stand for.
  std::set<std::pair<int, std::string>> writtenFields; ///< (position, suffix) of extras it may change.
  std::vector<bool> writesFormal; ///< By source position: may write what it points to.
  bool isRecursive = false;
  bool doesOpaqueThings = false; ///< Holds an opaque call: may change any global that unseen code can reach.
  bool storesAnywhere = false; ///< Sets a number or a pointer through a pointer that may lead anywhere.
  bool forgetsStatics = false; ///< Runs code of this unit that was not followed: may change any other.
  bool writesMemory = false; ///< Writes anything that outlives it.
  bool readsMemory = false;
  bool waits = false; ///< Ends nonblocking messages, which it or others began.
  bool neverReturns = false;
  std::set<std::string> believed; ///< Functions whose bodies it runs unless others are put in their place
                                  ///< (skeleton::LoopHead::believing).
  bool fillsResult = false; ///< Makes the struct that it returns in a place that the caller gives it.
  bool returnsSome = false; ///< A pointer that is not plainly null, so far as it has been walked.
  /// Every return gives the start of fresh heap memory of so many bytes (over the formals' names).
  std::optional<Symbolic> freshBytes;
  std::map<std::string, unsigned>
      leftBehind; ///< Symbols of freshBytes that are no formals -> that to whose integer it is equal at the end.
  std::map<std::pair<int, std::string>, Symbolic> exitValues; ///< Of integer fields it writes: their final values.
  /// Of those whose final value is not known: what it usually is, as of skeleton::Define; nothing: what it was before.
  std::map<std::pair<int, std::string>, std::optional<Symbolic>> usualExits;
  std::set<std::pair<int, std::string>> rotated; ///< Objects (as ExtraFormal) whose names change places in it.
  /// Objects (as ExtraFormal; a formal itself has no suffix) that it gives to unseen code -> for reading only.
  std::map<std::pair<int, std::string>, bool> exposed;
  /// Structs (likewise) that it copies, of which it says nothing more.
  std::set<std::pair<int, std::string>> copied;
  /// Of pointer fields it writes: the formal (by position) whose memory they name at its end, and so many elements on.
  std::map<std::pair<int, std::string>, std::pair<unsigned, Symbolic>> exitPointers;
  /// Of pointer fields it writes: another pointer (as ExtraFormal) that leads to the same place at its end.
  std::map<std::pair<int, std::string>, std::pair<int, std::string>> sharedPointers;
  std::set<std::pair<int, std::string>> writtenMemory; ///< Pointers (as ExtraFormal) through which it may write.
  std::map<std::pair<int, std::string>, unsigned>
      boundFields; ///< Fields that are references -> the formal they are bound to.
  std::set<std::pair<int, std::string>>
      nullPointers; ///< Pointer fields (or globals) that it leaves null: of containers, empty.
  std::set<std::pair<int, std::string>>
      shrunk; ///< Sizes of containers (as ExtraFormal) that may have been larger in it than at its end.
  std::set<std::pair<int, std::string>>
      lostPointers; ///< Pointer fields (or globals) that name something else at its end.
  /// Of these: what its callers know of the memory that they may lead to (as ExtraFormal; a formal itself has no
  /// suffix), and lostAnywhere, if that is not all but for memory that it has made.
  std::map<std::pair<int, std::string>, std::set<std::pair<int, std::string>>> lostTo;
  std::map<std::string, std::vector<std::optional<Symbolic>>> freshExtents; ///< Of extras it allocates, by formal.
  /// Of extras that it allocates, by formal: the integers (as ExtraFormal) that hold the extent whenever it returns.
  std::map<std::string, std::set<std::pair<int, std::string>>> freshCounts;
  /// Of containers among its extras to which it gives so many elements, if they held none before, by formal: those that
  /// they hold it keeps, so that the name has no one size here.
  std::map<std::string, Symbolic> elementsIfEmpty;
  std::set<std::pair<int, std::string>> lostTables; ///< Objects (as ExtraFormal) in which it changes pointers.
  /// Rows (as ExtraFormal) that it allocates each by itself -> what is known of them (over the formals' names).
  std::map<std::pair<int, std::string>, RowState> filledRows;
  bool forgetsTables = false; ///< It may change any pointer anywhere.
  std::optional<RowState> freshRows = {}; ///< What freshBytes holds: rows of their own (over the formals' names).
  /// Every return gives the start of fresh heap memory, and fields that it is given lead there, too.
  bool laysOut = false;
  bool freshIsWritten = false; ///< The function has put something into that memory.
  skeleton::Function function;
};

/// Among what a pointer may lead to: memory that has no name in the interface.
inline const std::pair<int, std::string> lostAnywhere{-9, "?"};

/// Does a call of this function, whose result is memory that it has made, do anything else that matters (HandedOn.cpp)?
bool doesMore(const Summary &known);

/// A function that another unit defines, as that unit describes it (Interface.h).
struct Foreign {
  std::string symbol;
  Summary summary;
  std::vector<TypeClass> formals; ///< Of its parameters there, and of its result.
  bool isNamed = false; ///< The summary's name is the one that calls here use.
};

} // namespace busfare::frontend

#endif
