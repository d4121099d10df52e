//===- clang-plugin/walk/Unit.h - One translation unit as it is extracted -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The functions and globals of a unit, the summaries made so far, and what other units and the user say of them.
// A function is extracted when the first call of it asks, so callees come before callers.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_UNIT_H
#define BUSFARE_CLANG_PLUGIN_WALK_UNIT_H

#include "Extract.h"
#include "Points.h"
#include "PrivateGlobals.h"
#include "Summary.h"
#include "clang-plugin/lower/Addressed.h"
#include "clang-plugin/lower/ArrayUses.h"
#include "clang-plugin/lower/CalledBack.h"
#include "clang-plugin/lower/StatementFacts.h"
#include "clang-plugin/lower/UsualElements.h"
#include "clang-plugin/records/Targets.h"
#include "clang/AST/ASTContext.h"
#include <deque>

namespace busfare::frontend {

class HintTable;
class Settings;

/// One translation unit.
struct Unit {
  clang::ASTContext &context;
  ExtractResult result;
  std::deque<const clang::FunctionDecl *> order;
  std::map<const clang::FunctionDecl *, Summary> summaries;
  std::set<const clang::ValueDecl *> writtenGlobals; ///< Assigned, stepped or address-taken anywhere in the unit.
  std::set<const clang::VarDecl *>
      looseGlobals; ///< Pointers that are set to something else than new memory, or passed on as variables.
  /// Fields that point to structs and are subscripted or stepped somewhere, by name and what they point to: those lead
  /// to arrays.
  std::set<std::pair<std::string, const clang::Type *>> arrayFields;
  std::set<std::string, std::less<>>
      namedFields; ///< By name: those that some code of the program names, as far as is known.
  CalledBack calledBack;
  std::map<std::string, unsigned> functionNames;
  std::map<const clang::VarDecl *, Object> globals;
  std::map<std::string, const clang::VarDecl *> globalNames;
  PrivateGlobals privateGlobals;
  Addressed addressed;
  ArrayUses arrayUses;
  StatementFacts statements;
  UsualElements usualElements;
  bool hasMain = false; ///< Nobody can put other functions in the place of an executable's.
  bool runsBeforeMain = false; ///< A function has the attribute constructor.
  bool hasDeleters = false; ///< A shared_ptr is made somewhere with a deleter that does more than give memory back.
  bool endsLocals = false; ///< Destructors of what functions declare, or of temporaries, do something.
  bool runsAfterMain =
      false; ///< Destructors of what lives as long as the program, or functions said to atexit, do something.
  bool typesTell =
      true; ///< Values of different types share no memory, as C and C++ have it (not with -fno-strict-aliasing).
  UnitPoints *points = nullptr; ///< Noted if somebody asks.
  HintTable *hints = nullptr; ///< What the user says, if anything is listened to.
  Settings *settings = nullptr; ///< Those that are symbols; null: they are numbers.
  std::string tag; ///< Tells its statics from those of other units.
  std::map<std::string, Foreign> foreign; ///< Functions of other units, by symbol.
  std::map<const clang::FunctionDecl *, Foreign *> foreignOf; ///< Of those asked for; null if there is none.
  std::map<std::string, clang::QualType> foreignIntegers; ///< Globals that only other units declare: `count@solve`.
  std::set<std::string> pendingGlobals; ///< Those that a nonblocking call may receive into.
  std::map<std::string, int64_t> foreignInitials; ///< What other units initialise their globals to, if main finds that.
  /// Globals that other units define -> the paths (as of pathsSet) of their pointers that are set there.
  std::map<std::string, std::set<std::string>> foreignPointers;

  std::map<std::string, std::set<const clang::VarDecl *>> staticLocals; ///< By what they are called.
  std::set<std::string> localNames; ///< Of other variables of functions.
  std::map<const clang::VarDecl *, std::string> staticNames;
  std::map<std::string, const clang::VarDecl *> staticsByName;

  KnownTargets knownTargets; ///< Likewise: of calls through fields and of virtual functions.
  TargetCalls targetCalls; ///< What became of those calls.
  RecordCounts recordCounts; ///< What all units of the program keep true of their records.
  std::map<const clang::FieldDecl *, std::optional<Symbolic>> countsBehind; ///< Of those asked for.

  explicit Unit(clang::ASTContext &context) : context(context) {}
  std::string nameOfStaticLocal(const clang::VarDecl *variable);
  bool isOwnFunction(const clang::FunctionDecl *callee);
  /// The canonical definition's summary, extracted now if need be, or what another unit says of it; null if nobody has
  /// seen it.
  Summary *summaryOf(const clang::FunctionDecl *function);
  Summary *foreignSummaryOf(const clang::FunctionDecl *function);
  /// Of a static pointer that is initialised to fresh memory of a known size, and never set again.
  std::optional<uint64_t> freshBytesOf(const std::string &global) const;
  bool mayPointElsewhere(const std::string &global) const;
  /// Paths, from the variable on, of its pointers that may name memory from the start which has another name, too;
  /// nothing if the variable holds no pointers. `.p` of `struct { double *p; int n; } v = {a + 1, 9}`; an array is one
  /// pointer.
  std::optional<std::set<std::string>> pathsSet(const clang::VarDecl *variable) const;
  /// How many elements the pointer field leads to, over its record's fields; nothing if that is not known.
  const std::optional<Symbolic> &countBehind(const clang::FieldDecl *field);
  bool isDefinedHere(const clang::VarDecl *variable) const;
  /// All names in a path (as ExtraFormal::suffix) are those of fields that other code names.
  void nameFields(llvm::StringRef path);
  /// The program states those of its settings that the formula names.
  void stateSettings(const Symbolic &formula);
  /// What main finds in a global integer. Nothing in C++, where constructors run before main.
  std::optional<int64_t> initialValueOf(const std::string &global) const;
  void extract(const clang::FunctionDecl *definition);
};

/// Adds to the waits of all functions what others of the unit receive into its globals.
void completeWaits(Unit &unit);

} // namespace busfare::frontend

#endif
