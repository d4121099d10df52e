//===- clang-plugin/walk/State.h - All that a walk changes ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The walk over one function keeps everything that it changes in one value, so that an iteration on trial can be
// undone by putting back a copy.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_STATE_H
#define BUSFARE_CLANG_PLUGIN_WALK_STATE_H

#include "Environment.h"
#include "Summary.h"
#include "clang-plugin/values/JournaledMap.h"
#include "clang-plugin/values/Ranges.h"
#include "llvm/ADT/StringMap.h"

namespace busfare::frontend {
/// Of the names and symbols of a function, of which only some are a trial's own.
struct Names {
  JournaledMap<std::string, std::string>
      taken; ///< -> what it is the name of: without the number that made it one of its own.
  JournaledMap<std::string, SymbolFacts> symbols;
  JournaledMap<std::string, bool> ended; ///< Of counters whose loop has ended: no other variable is called so.
};

/// All that a walk changes, so that a trial walk can be undone.
struct State : Names {
  Environment env;
  std::map<std::string, Object> objects;
  std::vector<std::string> objectOrder;
  bool isDeclared(const std::string &name) const { // in objectOrder; others are reserved names
    auto known = objects.find(name);
    return known != objects.end() && known->second.isDeclared;
  }
  llvm::StringMap<unsigned>
      nextNumbers; ///< By what a name begins with: the least number that may be free; 0: none was asked for.
  llvm::StringMap<unsigned> nextVariables; ///< Likewise, of variables.
  llvm::StringMap<unsigned> freeAliases;   ///< Likewise, of places that unknown pointers lead to.
  unsigned fixedAliases = 0;               ///< So many of those are told apart from all others.
  std::map<const clang::ValueDecl *, std::string> names;
  std::set<std::string> escaped;      ///< Objects whose address was stored where others may find it.
  std::set<std::string> lent;         ///< Likewise, but given away for reading only.
  bool usesGlobals = false; ///< Those that unseen code can reach are used;
  bool usesStatics = false; ///< and those that only this unit's code can.
  std::set<std::string> givenByValue; ///< Structs of which unseen code was given copies.
  /// Structs of this function -> those that were copied into them, but for fields that the unit never names.
  std::map<std::string, std::set<std::string>> copiedFrom;
  std::set<std::string> addressTaken; ///< Variables that opaque code may change.
  std::vector<Pending> receives;      ///< Of nonblocking calls so far, in their order.
  std::map<unsigned, std::set<unsigned>>
      carriedPending; ///< Of outermost loops: what is in flight at an iteration's end.
  std::set<std::string> doubted;      ///< Pointer variables that unseen code could have set since they were.
  std::set<std::string> doubtedTables; ///< Likewise: tables of pointers.
  std::set<std::string> madeByUnseen; ///< Structs whose fields unseen code has set.
  std::map<std::string, Value> entryIntegers;    ///< Of parameters, globals and fields: the value on entry.
  std::map<std::string, Pointer> entryPointers;
  std::map<std::string, ExtraFormal> fieldOrigins; ///< What a field's or global's variable is, for callers.
  bool mayHaveWrittenBehind = false; ///< Some integer was written by now that may be another one, too.
  std::set<std::string> held; ///< Of those, integers whose value on entry is used behind that.
  std::vector<skeleton::Finding> findings;
  std::vector<ExtraFormal> extras;
  std::set<std::string> rotated; ///< As of a Frame, of the function so far.
  std::map<std::string, std::pair<unsigned, Pointer>>
      originals; ///< Aliases in a loop that chooses in turns: that loop, and what they were before it.
  std::map<const clang::Expr *, Symbolic> vlaSizes;
  /// Integers in memory that a loop around does not write: (object, subscripts) -> their value, and that loop.
  std::map<std::pair<std::string, std::vector<Symbolic>>, std::pair<unsigned, Symbolic>> fixedElements;
  /// Likewise pointers: (object and field, subscripts) -> where they lead.
  std::map<std::pair<std::string, std::vector<Symbolic>>, std::pair<unsigned, Pointer>> fixedPointers;
  /// Integers behind pointers that the function is given, as they were on entry: (formal, which element) -> an extra
  /// formal.
  std::map<std::pair<std::string, int64_t>, Symbolic> entryElements;
  std::map<const clang::LabelDecl *, size_t> labels; ///< Those ahead, and how many frames are around them.
  std::set<const clang::LabelDecl *> passed;           ///< Those whose gotos have all been seen.
  std::map<const clang::LabelDecl *, std::vector<Environment>> gotos; ///< On their way there.
  std::map<const clang::ValueDecl *, Place> references; ///< What a C++ reference stands for.
  std::map<const clang::Expr *, Place>
      evaluated; ///< Lvalues that were walked already, and stand in a call that follows.
  std::map<const clang::Expr *, std::string> texts;     ///< Objects of string literals.
  std::map<std::string, Closure> closures;              ///< Of objects that are lambdas.
  std::map<const clang::VarDecl *, HeldFunction> functions; ///< Variables that are std::functions of lambdas in sight.
  std::map<std::string, Place> boundFields; ///< Fields that are references -> what they are bound to.
  std::map<const clang::ValueDecl *, std::vector<IndexRange>>
      indexObjects; ///< What a `blocked_range` or an `id` stands for.
  std::map<Operation, double> pending; ///< Operations not yet put into the block.
  std::vector<Frame> frames;
  std::vector<unsigned> arms; ///< The sides of branches around, from outside in.
  unsigned lastArm = 0;
  std::vector<std::vector<Living>> scopes; ///< Open blocks, innermost last, each in order of declaration.
  std::vector<Living> temporaries; ///< Of the statement being walked.
  std::set<const clang::Expr *> accounted; ///< What makes those of them that were, and objects that live on elsewhere.
  Ranges ranges;
  unsigned counter = 0;
  unsigned loops = 0;
};

} // namespace busfare::frontend

#endif
