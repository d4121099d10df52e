//===- clang-plugin/port/WholeStatements.h - Which nodes are whole statements -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What one thread of the device is to do (projection/OneThread.h) is chosen among the
// nodes of a skeleton; what can stand in a target region are statements of the source:
//
//   nodes      read u[1]; ops; write u[0]; read u[2]; if { kernel }
//   source     u[0] = u[1];   if (u[2] > 0) for ...
//   =>         the first three are `u[0] = u[1];`; the read of u[2] is a part of what cannot move
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_WHOLESTATEMENTS_H
#define BUSFARE_CLANG_PLUGIN_PORT_WHOLESTATEMENTS_H

#include "clang-plugin/port/Instances.h"
#include "projection/OneThread.h"
#include <set>

namespace busfare::frontend::port {

/// Statements of one block behind each other, alone in having the nodes of a run.
struct StatementRun {
  Place place;                        ///< Of the first.
  std::vector<const Spot *> statements;
  std::vector<std::string> ownArrays; ///< Declared in them, or in functions that they call: the root's names.
};

class WholeStatements {
public:
  WholeStatements(const projection::Root &root, Instances &instances);

  /// Of nodes [first, end) of a block of the root's function.
  projection::Runs in(const skeleton::Block &block, size_t first, size_t end);
  /// What `in` gave for this node last.
  const StatementRun &at(const skeleton::Node *first) const { return found.at(first); }
  /// These cannot be written as one target region: next time `in` tries each of them, then what is inside.
  void refuse(const skeleton::Node *first);

private:
  using Node = skeleton::Node;
  struct Located {
    const Node *node;
    const Spot *spot;
  };
  /// All nodes on a path, and in what is called there.
  struct PathNodes {
    std::optional<Place> place; ///< Of any of them.
    std::vector<Located> nodes;
  };
  using Nodes = std::set<const Node *>;
  using Statements = std::vector<const Spot *>;
  struct Position {
    const skeleton::Block *block = nullptr;
    size_t index = 0;
    const Node *parent = nullptr;
  };
  const projection::Root &root;
  Instances &instances;
  std::map<const Node *, Position> positions;
  std::map<const skeleton::Block *, unsigned> uses; ///< How many host statements have this body.
  std::map<unsigned, PathNodes> located; ///< By path.
  std::map<const Node *, StatementRun> found;
  std::set<std::pair<const Spot *, const Spot *>> refused; ///< First and last.

  void index(const skeleton::Block &block, const Node *parent);
  const PathNodes &locatedIn(unsigned path);
  void findIn(unsigned path, const Nodes &given, Nodes &taken, projection::Runs &runs);
  using HasNodes = llvm::function_ref<bool(const Spot *)>;
  void cut(Statements statements, const FunctionSource &source, HasNodes hasNodes,
           std::vector<Statements> &parts) const;
  bool take(const Statements &statements, unsigned path, const Nodes &given, Nodes &taken, projection::Runs &runs);
  std::vector<std::string> arraysOf(const StatementRun &run) const;
};

} // namespace busfare::frontend::port

#endif
