//===- skeleton/Resolve.h - Which units make one program ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A folder or a compile_commands.json holds the units of several programs, and does not
// say which. Symbols do: a call of a function that its unit does not define goes to the
// unit that does. If several do, to the nearest in the tree of folders:
//
//   heat/main.c calls solve    heat/solve.c and wave/solve.c define it  ->  heat/solve.c
//
// and if two are as near, to none. From each main on, what can be reached is a program;
// what no main reaches is a program (a library) as far as it hangs together.
//
// Where the build says what it links, that comes first: a unit of a linked program takes
// what this program has, as a linker would, or nothing.
//
//   heat: main.c a/solve.c    wave: test.c b/solve.c    ->  each its own, wherever the mains lie
//
// A unit of several programs is read once. Where one of them has another definition than
// the others, or none, a call is opaque.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_RESOLVE_H
#define BUSFARE_SKELETON_RESOLVE_H

#include "skeleton/Skeleton.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <optional>
#include <set>

namespace busfare::skeleton {

/// What a linker would see of a unit.
struct UnitSymbols {
  struct Function {
    std::string symbol;
    Linkage linkage = Linkage::External;
    std::set<std::string> calls; ///< Symbols, wherever they are defined.
  };
  std::string file;
  bool hasMain = false;
  std::vector<Function> functions;           ///< Defined here.
  std::set<std::string> variables;           ///< External ones defined here.
  std::set<std::string> undefinedVariables;  ///< Those used here that another unit defines.
};
/// Of a skeleton: calls of what has no skeleton are in it, arrays are not told apart.
UnitSymbols symbolsOf(const Program &unit);

/// A symbol that several units define, none of them nearer than another to the unit that uses it.
struct Ambiguity {
  std::string symbol;
  size_t user = 0;
  std::vector<size_t> definers;
};

/// What a linker is given for one program. Units by their places among those of resolve.
struct LinkedProgram {
  std::vector<size_t> objects;               ///< All in it.
  std::vector<std::vector<size_t>> archives; ///< In order. Members are in it if something uses them.
  std::vector<size_t> shared; ///< Of shared libraries: all there, though others' definitions may stand in for theirs.
};

/// What is known of how units are linked; empty: nothing.
struct LinkedBuild {
  std::vector<LinkedProgram> programs;
  std::vector<std::vector<size_t>>
      libraries; ///< Units that are in one archive or shared library: each other's nearest.
};

struct Resolved {
  /// By unit: symbols it uses and does not define -> the unit that does.
  std::vector<std::map<std::string, size_t>> definers;
  /// By unit: those of its callees (a part of the above) that do not come back to the function which calls them.
  std::vector<std::set<std::string>> followed;
  std::vector<std::vector<size_t>>
      programs; ///< Units, ascending; a unit may be in several. Those that the build links first, then mains.
  std::vector<Ambiguity> ambiguities;
};
Resolved resolve(llvm::ArrayRef<UnitSymbols> units, const LinkedBuild &build = {});

/// The same of other units: places[old] is where that unit is now; nothing: it is gone.
LinkedBuild moved(const LinkedBuild &build, llvm::ArrayRef<std::optional<size_t>> places);

} // namespace busfare::skeleton

#endif
