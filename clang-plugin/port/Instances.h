//===- clang-plugin/port/Instances.h - Functions on their call paths -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a plan changes belongs to a call path, not to a function: `init(u)` before
// the region stays as it is, `init(v)` inside it has a kernel. A function that is
// mentioned once is changed in place; one that others use as well is copied under a
// new name for the path, and the path's call names the copy:
//
//   main: scale(a); ...region: scale(b)      =>   scale, scale_device; scale(a); scale_device(b)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_INSTANCES_H
#define BUSFARE_CLANG_PLUGIN_PORT_INSTANCES_H

#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/Names.h"
#include "clang-plugin/port/Units.h"
#include "clang-plugin/walk/Points.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <set>

namespace busfare::frontend::port {

/// Lines to put around one spot, in order. A line that begins with `#` starts at the margin.
struct SpotText {
  using Lines = std::vector<std::string>;
  /// Before the statement, in this order: values kept, memory begins, copies, memory ends, the kernel's directive.
  Lines setUp, begins, copies, ends, kernel;
  /// Behind it: what belongs to the kernel, memory begins, copies, memory ends.
  Lines behindKernel, beginsAfter, copiesAfter, endsAfter;
  Lines atBlockEnd; ///< Before the brace that closes its block.

  Lines before() const { return join({&setUp, &begins, &copies, &ends, &kernel}); }
  Lines after() const { return join({&behindKernel, &beginsAfter, &copiesAfter, &endsAfter}); }

private:
  static Lines join(std::initializer_list<const Lines *> parts) {
    Lines all;
    for (const Lines *part : parts) all.insert(all.end(), part->begin(), part->end());
    return all;
  }
};

struct Instance {
  size_t unit = 0; ///< Where it is defined.
  const FunctionSource *source = nullptr;
  const FunctionPoints *points = nullptr;
  std::string copyName; ///< Empty: in place.
  std::map<const Spot *, SpotText> spots;
  std::vector<Edit> edits; ///< Others, inside the function.
  std::set<std::string> kernelNames; ///< Variables that stand before its kernels.
  bool isForOtherUnit = false; ///< A copy that another unit calls.
  std::vector<std::string> callees; ///< Copies it calls: declared before it.
  std::vector<const FunctionSource *> renamed; ///< What those calls named before.
};

class Instances {
public:
  explicit Instances(llvm::ArrayRef<ProgramUnit> units) : units(units) {}

  /// The function on this path of the root, to be changed. Error: its text is not ours to change.
  llvm::Expected<Instance *> at(const projection::Root &root, unsigned path);
  /// Where it is and what is known there, without changing anything.
  llvm::Expected<Place> place(const projection::Root &root, unsigned path, const skeleton::Location &location,
                              bool after);
  /// Is anything called in a parallel region? Then every thread may run what a function holds of which it is not known
  /// where it is called.
  bool callsInThreads();
  /// `static int name;` or `extern int name[3];` before the first function that the root's port changes, for all units
  /// that mention it then and have not done so before.
  void declareBefore(const projection::Root &root, const std::string &line);
  /// An array that any unit may declare `extern` as this one has it: of numbers, of known size. Null: there is none.
  const clang::VarDecl *globalOf(const std::string &name) const;
  /// A pointer of a file, by its name in the program. Null: there is none.
  const clang::VarDecl *pointerOf(const std::string &name) const;
  /// A global array goes to pages of its own (Pages.h), if it can.
  void moveGlobal(const clang::VarDecl *array);
  /// Ends the program there, in whatever copies of the function there are.
  void endAt(size_t unit, Edit edit);
  /// Has some unit macros of all these names?
  bool mayName(const std::set<std::string> &settings) const;
  /// The changes of the units' main files.
  std::vector<std::vector<Edit>> edits() const;

  /// Forgets what was changed since the mark (an attempt that failed).
  struct Mark {
    std::map<std::pair<std::string, unsigned>, Instance> instances;
    std::map<std::string, std::pair<std::string, unsigned>> owners;
    std::map<std::string, std::vector<std::string>> declarations;
    std::set<const clang::VarDecl *> movedGlobals;
  };
  Mark mark() const { return {instances, owners, declarations, movedGlobals}; }
  void backTo(Mark mark) {
    instances = std::move(mark.instances), owners = std::move(mark.owners), declarations = std::move(mark.declarations),
    movedGlobals = std::move(mark.movedGlobals);
  }

private:
  /// Functions that other units see, by name and type, others by their declaration.
  using FunctionKey = std::pair<const clang::FunctionDecl *, std::string>;
  llvm::ArrayRef<ProgramUnit> units;
  std::map<std::string, std::unique_ptr<FunctionSource>> sources; ///< By the function's name in the skeleton.
  std::map<std::pair<std::string, unsigned>, Instance> instances; ///< By root and path.
  std::map<std::string, std::pair<std::string, unsigned>> owners; ///< Who changes a function in place.
  std::map<std::string, std::vector<std::string>> declarations; ///< By function.
  std::map<FunctionKey, unsigned> uses, constructions; ///< Mentions of functions, and objects that constructors make.
  std::set<const clang::VarDecl *> movedGlobals;
  std::map<size_t, std::map<unsigned, Edit>> ends; ///< By unit and offset.
  std::optional<bool> threadsCall; ///< callsInThreads(), once it was asked.

  static FunctionKey keyOf(const clang::FunctionDecl *function);
  std::optional<size_t> unitOf(const std::string &function) const;
  const FunctionPoints &pointsOf(const std::string &function) const {
    return units[*unitOf(function)].points.at(function);
  }
  llvm::Expected<const FunctionSource *> sourceOf(const std::string &function);
  std::string prototypeOf(const Instance &caller, const Instance &copy) const;
  std::vector<std::vector<Edit>> declarationsFor(llvm::ArrayRef<std::vector<Edit>> changes) const;
  unsigned usesOf(const clang::FunctionDecl *function);
  unsigned constructionsBy(const clang::CXXConstructorDecl *constructor);
  const clang::Expr *callIn(const FunctionSource &caller, const clang::FunctionDecl *callee,
                            const skeleton::Location &where) const;
  std::string copyNameFor(const FunctionSource &source) const;
  static void addSpot(const FunctionSource &source, const Spot &spot, const SpotText &text, std::vector<Edit> &edits,
                      bool isEnd);

  // Clones.cpp
  /// Which of the copies are one, and which of them take the place of their originals.
  struct Clones {
    std::map<const Instance *, const Instance *> sameAs;
    std::set<const Instance *> inPlace;
    /// The one that stands for it in the text.
    const Instance &shown(const Instance &instance) const;
    /// What its callers call it.
    std::string nameOf(const Instance &instance) const;
  };
  const Instance &calleeOf(const std::string &key) const;
  std::vector<Edit> changesOf(const Instance &instance, const Clones &clones) const;
  bool mergeOne(Clones &clones) const;
  bool placeOne(Clones &clones) const;
  Clones fewestClones() const;
  std::vector<Edit> markUnused(size_t unit, const Clones &clones) const;
};

} // namespace busfare::frontend::port

#endif
