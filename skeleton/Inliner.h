//===- skeleton/Inliner.h - Substitution of calls: the state of the walk --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What Inline.cpp (nodes), InlineCalls.cpp (calls) and InlineArrays.cpp (what names
// stand for) share. A Frame is one call on the path from the root; its Bindings say what the
// function's names stand for in the result:
//
//   call f(n, &a + 3)     p of f: array a, offset 3, shape as f declares p
//
// Names of the root's own frame stand for themselves. Private to skeleton/.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_INLINER_H
#define BUSFARE_SKELETON_INLINER_H

#include "skeleton/Inline.h"
#include <map>
#include <set>
#include <unordered_map>

namespace busfare::skeleton {

using Names = std::vector<std::string>;
using Extents = std::vector<std::optional<Expr>>;

/// A name whose caller's array becomes one of the call's own behind some node of the function (InlineRemade.cpp).
struct Remaking {
  size_t begins; ///< Before this node of the function's body.
  std::optional<size_t> ends; ///< Before this one its memory is let go.
  Array own;
};

/// One function on the path from the root.
struct Frame {
  const Function *function = nullptr;
  Frame *caller = nullptr;
  unsigned depth = 0; ///< Of the root: 0.
  unsigned path = 0;  ///< Index into Inlined::paths.
  std::string prefix; ///< Of local names; empty for the root.
  std::map<std::string, Binding> arrays;
  Substitution symbols;
  Names context;
  /// The caller's names for formals that are by reference.
  std::map<std::string, std::string> references;
  std::map<std::string, Remaking> remade;
  /// What unseen code called from here may touch besides its arguments and globals: names of the result, -> read only.
  std::map<std::string, bool> exposed;
  bool isUnsteady = false; ///< A value that it takes to be fixed is written through another name.
  bool isWatched = false; ///< It, or a function that it is called by, takes a value to be fixed.
  std::set<std::string> doubtful; ///< Of those: the function's symbols, and arrays, that may rest on such a value.
};

/// What the block's definitions give a value: `define m = n - 2` makes it n - 2 wherever m is named.
void defineValues(const Block &block, Substitution &symbols);

class Inliner {
public:
  /// confused: name -> the group it was swapped in an unknown number of times, before the root begins.
  Inliner(const Program &program, const Function &root, std::map<std::string, Names> confused);
  Inlined run();
  /// What calls in loops confused: for the next iteration it is so from the start.
  const std::map<std::string, Names> &confusedByLoops() const { return confusedInLoops; }

private:
  const Program &program;
  const Function &root;
  Inlined result;
  std::set<std::string> prefixes;
  std::set<std::string> flattened; ///< Arrays of the result whose accesses become one-dimensional.
  Substitution hidden; ///< Values of constants whose symbols the root's parameters hide.
  /// Accesses to these arrays' names may reach any of the list (any array if it is empty): their objects were swapped
  /// an unknown number of times. No aliases are in it.
  std::map<std::string, Names> confused, confusedInLoops;
  /// Names rotated since the innermost call began, by the depth of the frame at whose end the rotation ceases to
  /// hold; 0 = it holds to the end.
  std::map<unsigned, std::set<std::string>> moved;
  size_t nodes = 0;
  unsigned loopDepth = 0;
  unsigned sharedDepth = 0; ///< Loops around whose work threads share: no write below is sure.

  // Inline.cpp
  Block inlineBlock(const Block &block, Frame &frame);
  void inlineNode(const Node &node, Frame &frame, Block &out);
  void inlineLoop(const Loop &loop, Frame &frame, Block &out);
  void inlineBranch(const Branch &branch, Frame &frame, Block &out);
  void inlineDefine(const Define &define, Frame &frame, Block &out);
  void inlineAllocate(const Allocate &allocate, Frame &frame, Block &out);
  void inlineFree(const Free &freed, Frame &frame, Block &out);
  HostStatement inlineHost(const HostStatement &host, Frame &frame);
  void inlineRotate(const Rotate &rotate, Frame &frame, Block &out);
  void inlineCall(const Call &call, Frame &frame, Block &out);
  void enterCallee(const Call &call, const Function &callee, Frame &frame, Block &out);
  void hostCall(const Call &call, HostReason reason, Frame &frame, Block &out);
  /// What a host statement may touch already, in any of its elements.
  using Touched = std::set<std::pair<std::string, AccessKind>>;
  void mayTouch(HostStatement &host, Touched &touched, const std::string &name, bool isConst, const Frame &frame);
  void mayTouchExposed(HostStatement &host, const Frame &frame);
  void expose(const Call &call, Frame &caller, Frame &frame);
  void bindParameters(const Call &call, const Function &callee, Frame &caller, Frame &frame, Block &out);
  bool mayBeExposed(const Array &given, const Frame &frame) const;
  void declareLocals(Frame &frame);
  void leaveGiven(const Frame &frame, const Location &location, Block &out);
  void restoreNames(Block &out, unsigned depth, const Call &call, llvm::ArrayRef<Expr> nonNegative);
  void mapHints(Hints &hints, Frame &frame, const Location &otherwise);
  void mapSizes(Hints &hints, const Frame &frame, const Location &otherwise);
  void mapLoaded(Rare<Loaded> &from, Frame &frame);
  void refuteAliases(const Hints &hints, Frame &frame, const Location &call);
  void mapDirective(Directive &directive, Frame &frame);
  void takeOverHints(Frame &frame);
  std::optional<Expr> mapExpr(const std::optional<Expr> &expr, const Frame &frame) const;
  Extents mapAll(const Extents &exprs, const Substitution &symbols) const;

  // InlineSteady.cpp
  /// Writes of integers through pointers, in the order in which they were substituted; kept where something is steady.
  std::vector<SteadyElement> writtenBehind;
  std::set<std::string> unknownArguments; ///< Names of what calls are given of which nothing is known.
  bool watchesSteady = false;
  void noteWritten(const Access &access, const Access &mapped, const Frame &frame);
  std::vector<SteadyElement> mapSteady(llvm::ArrayRef<SteadyElement> steady, Frame &frame);
  bool isWrittenBehind(llvm::ArrayRef<SteadyElement> steady, size_t mark) const;
  const Expr *negativeHere(const Function &callee, const Frame &frame) const;
  /// Statements of the result, by the call and the place in the source, that rest on no doubtful symbol.
  std::set<std::pair<unsigned, Location>> sound, unsound;
  void findDoubtful(const Call &call, const Function &callee, const Frame &caller, Frame &frame) const;
  bool isDoubtful(const Frame &frame, llvm::ArrayRef<Expr> exprs) const;
  bool isDoubtful(const Frame &frame, const Condition &condition) const;
  bool isDoubtful(const Frame &frame, const Access &access) const;
  void noteDoubt(const Frame &frame, const Location &location, bool isDoubtful);
  bool isSound(unsigned path, const Location &location) const;
  void loosen(Block &block, bool wholly) const;
  void distrust(Block &block, const Call &call, const std::string &why, bool wholly);

  // InlineOutput.cpp
  void foldOutput(const Call &call, const Frame &frame, Block &body);

  // InlineRemade.cpp
  void findRemade(const Call &call, Frame &frame);
  std::optional<Remaking> remakingOf(const Array &formal, const Call &call, size_t position, Frame &frame);
  bool isOnlyThrough(const std::string &name, const std::string &array, Frame &frame) const;
  void takeOverRemade(size_t at, Frame &frame, Block &out);

  // InlineSizes.cpp
  std::set<std::string> allocatedAsOther; ///< Arrays for which a callee with elements of another type counted them.
  void takeAllocatedExtents(const Block &body);

  // InlineArrays.cpp
  void declareGlobals();
  Binding bindingOf(const std::string &name, Frame &frame);
  std::string globalName(const std::string &name);
  /// An array of the result, or a global.
  const Array *declared(const std::string &name) const;
  /// Its place among the result's own arrays. Calls add to them by the hundred, and every access looks its own up.
  std::optional<size_t> placeOf(const std::string &name) const;
  mutable std::unordered_map<std::string, size_t> places;
  mutable size_t placed = 0; ///< So many of the arrays are in `places`.
  bool isAlias(const std::string &name) const;
  Names objectsOf(const Names &names) const;
  Names knownObjectsOf(const Names &names, bool &isAny) const;
  Binding aliasFor(const std::string &name, const Array &like, Names mayBe);
  Binding resolve(const ArrayArgument &argument, const Array &formal, Frame &caller, const std::string &aliasName);
  bool rotatesAnything(const Function &function) const;
  void uniteRotated(Frame &frame);
  void uniteGroup(const Names &group, Frame &frame);
  bool canRotateByName(const Names &group, Frame &frame);
  void bindToAny(const std::string &name, Frame &frame, const Names &arrays);
  void confuseGlobals(const Function &callee);
  Access mapAccess(const Access &access, Frame &frame);
  std::vector<Subscript> mapSubscripts(const Access &access, const Binding &binding, Frame &frame);
  void confuse(const Names &names);
  unsigned endOfRotation(const std::string &name, const Frame &frame) const;
  void flatten(Block &block);
  void flattenArrays(Block &body);
  void closeAliases(const Block &body);
};

} // namespace busfare::skeleton

#endif
