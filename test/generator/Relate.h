//===- test/generator/Relate.h - Which node is which statement -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A run speaks of lines, calls and objects; an analysed root of nodes, symbols and
// names. What they have in common is the source: a node's line and the calls it came
// through name a statement, a variable's name and call an array.
//
// Follow goes through a run's records and keeps what the analysis' names denote (pointer
// swaps move them, as the root's `rotate` nodes claim) and what its symbols are.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_RELATE_H
#define BUSFARE_TEST_GENERATOR_RELATE_H

#include "projection/Root.h"
#include "test/generator/Interpret.h"
#include <map>
#include <set>

namespace busfare::generator {

/// A statement: the call it was reached through, and its line.
using Key = std::pair<int, int>;
inline Key keyOf(const Record &record) { return {record.call, record.line}; }

class Relation {
public:
  /// call: the one that the root is analysed as if nothing called it; 0 is the program itself.
  Relation(const Program &program, const Run &run, const skeleton::Program &unit, const projection::Root &root,
           int call = 0);

  const Program &program;
  const Run &run;
  const skeleton::Program &unit;
  const projection::Root &root;

  /// Where the node stands; nothing if it has no place or its call never happened.
  std::optional<Key> keyOf(const skeleton::Node &node) const;
  /// Does the root hold statements of a helper that busfare has read where it is called? Which call they are of is not
  /// said, so there is no place for them.
  bool holdsInPlace = false;
  /// The array that stands for the variable in that call; empty if none does.
  std::string nameOf(int call, int variable) const;
  const Statement *statementAt(int line) const;
  const skeleton::Array *arrayOf(const std::string &name) const { return findArray(unit, root.function, name); }

  std::map<Key, std::vector<const skeleton::Loop *>> loops;
  std::map<const skeleton::Loop *, Key> keys;
  struct Exchange {
    const skeleton::Rotate *moves;
    const skeleton::Condition *when; ///< Null: always.
  };
  /// Rotations that happen at the end of an iteration of that loop, or before that statement.
  std::map<Key, std::vector<Exchange>> rotationsAtEnd, rotationsBefore;
  skeleton::Values sizes; ///< Of the symbols that are sizes of the program.
  /// A statement that is reached in several ways may have a node for each (behind a case that falls through). Does this
  /// one run, being reached now? Yes for a statement that has nodes of one place only.
  std::optional<bool> runsNow(const skeleton::Node &node, const skeleton::Values &values) const;

private:
  std::map<int, unsigned> pathOfCall;
  std::map<unsigned, int> callOfPath;
  std::map<int, const Statement *> statements;

  struct Arm {
    const skeleton::Branch *branch = nullptr;
    bool isThen = false;
  };
  using Arms = std::vector<Arm>; ///< Around a node, outermost first.
  std::map<const skeleton::Node *, Arms> arms;
  std::map<std::pair<unsigned, skeleton::Location>, std::vector<const skeleton::Node *>>
      nodesAt; ///< By call path and place.

  void visit(const skeleton::Block &block, std::optional<Key> loop, const Arms &around);
  void noteExchange(const skeleton::Block &block, size_t place, const Exchange &exchange, std::optional<Key> around);
  void number(const std::vector<Statement> &body);
};

/// The state of names and symbols at one point of the run.
struct Point {
  std::map<std::string, int> objects; ///< By name.
  skeleton::Values values;

  /// A name that denotes the object here; empty if none does.
  std::string nameOf(int object) const;
};

class Follow {
public:
  explicit Follow(const Relation &relation);
  Point now;
  /// Takes the record into account. Enter: call it before looking at `now`; everything else: after.
  void step(const Record &record);

private:
  const Relation &relation;
  void rotate(const Relation::Exchange &exchange);
};

/// The element at that offset in the array's shape; nothing if an extent has no value.
std::optional<std::vector<int64_t>> elementAt(const skeleton::Array &array, int64_t offset,
                                              const skeleton::Values &values);
/// The array's extents; a first one that is not known becomes what `size` elements leave for it.
std::optional<std::vector<int64_t>> extentsOf(const std::vector<std::optional<skeleton::Expr>> &extents, int64_t size,
                                              const skeleton::Values &values);

} // namespace busfare::generator

#endif
