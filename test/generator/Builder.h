//===- test/generator/Builder.h - What the parts of the builder share ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Numeric ranges are known while building: every index carries the least and greatest
// value it takes, every array its extents, so subscripts are chosen to stay inside.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_BUILDER_H
#define BUSFARE_TEST_GENERATOR_BUILDER_H

#include "test/generator/Program.h"
#include <optional>
#include <random>

namespace busfare::generator {

using Statements = std::vector<Statement>;

/// An array as one function sees it.
struct View {
  int variable = -1;
  std::vector<int64_t> extents;
  std::vector<Ex> texts; ///< The extents, as subscripts spell them.
  bool flat = false;     ///< One subscript: row-major.
  bool defined = false;  ///< Every element has a value.
  int64_t indexBelow = 0; ///< > 0: holds integers in [0, indexBelow), and nothing writes it.
  bool readOnly = false;

  int64_t size() const;
};

/// A loop index in scope, with the least and greatest value it takes.
struct Index {
  int variable = -1;
  int64_t low = 0, high = 0;
};

/// A size in scope: `n` is 12.
struct Size {
  Ex text;
  int64_t value = 0;
  bool isOpen = false; ///< A variable that only the run knows.
};

struct Helper {
  int function = -1;
  std::vector<std::vector<int64_t>> shapes; ///< Of its pointers, in order.
  std::vector<Type> types;
  std::vector<bool> rows; ///< Takes rows (`double (*b)[8]`).
  std::vector<std::optional<int64_t>> values; ///< For each parameter: the integer it must be given; pointers have none.
  std::vector<bool> isPointer;
};

class Builder {
public:
  Builder(uint64_t seed, const std::string &name)
      : random(seed), isLoose(std::minstd_rand(std::minstd_rand::result_type(seed))() % 20 == 0) {
    program.name = name;
  }
  Program build();

private:
  Program program;
  std::mt19937_64 random;
  std::vector<View> views;
  std::vector<Size> sizes;
  std::vector<Index> outer; ///< Indices of time loops.
  std::vector<Helper> helpers;
  std::vector<int> scalars; ///< Function-level scalars with a value, printed at the end.
  std::vector<Statement> swapsAtEnd;
  std::vector<int64_t> shape; ///< The main one.
  unsigned names = 0;
  bool inHelper = false;
  bool isLoose; ///< A loop's bound and an array's extent may agree only because two sizes happen to be equal.

  // Chance.
  int64_t pick(int64_t n) { return n <= 1 ? 0 : int64_t(random() % uint64_t(n)); }
  int64_t between(int64_t low, int64_t high) { return low + pick(high - low + 1); }
  bool chance(double p) { return double(random() % 100000) < p * 100000; }
  template <class T> const T &oneOf(const std::vector<T> &list) { return list[size_t(pick(int64_t(list.size())))]; }
  size_t weighted(const std::vector<int> &weights);

  // Pieces (Build.cpp).
  int declare(Variable variable);
  int newScalar(const std::string &name, Type type);
  std::string fresh(const std::string &stem);
  Ex sizeText(int64_t value, int64_t about);
  View *target(bool wantDefined);
  std::vector<View *> sources();
  Type elementType(const View &view) const { return program.variables[size_t(view.variable)].type; }
  Ex at(const View &view, std::vector<Ex> subscripts);

  // Subscripts and values (BuildValues.cpp).
  struct Bounded {
    Ex text;
    int64_t low = 0, high = 0;
  };
  std::optional<Bounded> plainSubscript(int64_t extent, const Index &index);
  std::optional<Bounded> fancySubscript(int64_t extent, const std::vector<Index> &indices);
  Ex readSubscript(int64_t extent, const std::vector<Index> &indices, size_t preferred);
  Ex read(const std::vector<Index> &indices, Type wanted);
  Ex readOf(const View &view, const std::vector<Index> &indices, Type wanted);
  Ex valueOf(Type type, const std::vector<Index> &indices, int reads);
  Ex bounded(Type type, Ex value);
  Ex dataCondition(const std::vector<Index> &indices);
  std::optional<std::vector<Ex>> writeSubscripts(const View &view, const std::vector<Index> &indices);

  // Loops.
  struct Opened {
    Statements before; ///< What must stand before the loop: its counter.
    Statement loop;
    Index index;
    Statements last; ///< The end of the body: `k += 2;`.
  };
  Opened openLoop(int64_t extent, const std::vector<Index> &indices, bool whole, int64_t about = 0);
  Statements close(std::vector<Opened> loops, Statements body);

  // Phases (BuildPhases.cpp).
  void phase(Statements &out, int depth);
  void kernel(Statements &out);
  Statements kernelBody(View &view, std::vector<Index> indices, bool whole);
  void reduction(Statements &out);
  void rowReduction(Statements &out);
  void scatter(Statements &out);
  void hostPoint(Statements &out);
  void recurrence(Statements &out);
  void timeLoop(Statements &out, int depth);
  void takeTurns(Statements &out, int step);
  void callHelper(Statements &out);
  bool makeHelper();
  void privateArray(Statements &out);
  void moveMemory(Statements &out);
  void jump(Statements &out);
  Statement check(const std::vector<Index> &indices);
  std::pair<Statements, Statements> sides(int depth, bool hasOther);
  void conditional(Statements &out, int depth);
  void flagged(Statements &out, int depth);
  void lastValue(Statements &out);
  void carriedIndex(Statements &out);
  void earlyExit(Statements &out);
  void walkPointer(Statements &out); // BuildPointers.cpp
  void printElement(Statements &out);
  void swap(Statements &out);

  // The frame (Build.cpp).
  void chooseSizes(Statements &out);
  void makeArrays(Statements &out);
  void makeArray(Statements &out, std::vector<int64_t> extents, Type type, bool initialise);
  void makeIndexArray(Statements &out);
  void alias(Statements &out);
  void initialise(Statements &out, View &view);
  void checksum(Statements &out, const View &view);
};

/// What the program prints; nothing if it has no meaning.
std::optional<std::vector<std::string>> outputOf(const Program &program);
/// More of C in a program that has a meaning (BuildForms.cpp).
void applyForms(Program &program, uint64_t seed);

// Statements, spelled short.
Statement assign(Ex target, Ex value, AssignOp op = AssignOp::Set);
Statement declareStatement(int variable, Ex value = nullptr);
Statement branch(Ex condition, Statements body, Statements otherwise = {});

} // namespace busfare::generator

#endif
