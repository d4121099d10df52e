//===- test/generator/Interpret.h - Running the tree -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs a program with real values as C would and writes down, in order, every
// statement begun and ended, every iteration, and every element read and written:
//
//   for (i = 0; i < 2; i++) b[i] = a[i];
//   ->  Enter For, Iterate, Enter Assign, Read a 0, Write b 0, Leave, EndIteration, Iterate, ...
//
// A statement is known by its line and by the call through which it was reached.
// Anything undefined (an element outside its array, signed overflow, a read of what
// nothing wrote) ends the run with a sentence: the builder then throws the program
// away, so every program kept has one meaning.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_TEST_GENERATOR_INTERPRET_H
#define BUSFARE_TEST_GENERATOR_INTERPRET_H

#include "test/generator/Program.h"
#include <map>
#include <optional>

namespace busfare::generator {

struct Record {
  enum class Kind : uint8_t {
    Enter,
    Leave,          ///< Of a statement.
    Iterate,
    EndIteration, ///< Of a loop; offset = how many came before. One that is left by a break has no end.
    Create,                ///< The variable (or what it points to) is a new object.
    Read,
    Write,
    Bind, ///< A parameter of the call: which element it points to, or (no object) the integer that it is.
  };
  Kind kind = Kind::Enter;
  char op = 0; ///< Of a Read or Write that is part of `x = x op e`: one of + * < > (min, max).
  int call = 0, line = 0;
  int variable = -1, object = -1; ///< As spelled; what it denotes.
  int64_t offset = 0; ///< In elements; of a Bind without an object: the integer.
};

/// One way to reach a function: 0 is the root.
struct CallPath {
  int parent = -1;
  int line = 0; ///< Of the call, in the parent.
  int callee = -1;
};

struct Object {
  Type type = Type::Int;
  int64_t size = 1;
  int variable = -1; ///< The one that it was created for,
  int call = 0; ///< and in which call.
  bool isScalar = true;
};

struct Run {
  std::vector<Record> records;
  std::vector<CallPath> calls;
  std::vector<Object> objects;
  std::vector<std::string> output; ///< What printf writes, without line ends.
  std::map<int, bool> isDefinedAtEnd; ///< By object: every element was written.
  std::string problem; ///< Why the program has no meaning; empty if it has one.
  bool tookAnotherWay = false; ///< Than OlderValues::first: from there on every read saw the last value.
};

/// A second run of a program, in which some reads see an older value.
struct OlderValues {
  const Run *first = nullptr; ///< The run whose records `seen` speaks of.
  std::map<size_t, std::optional<size_t>>
      seen; ///< By the record of the read: that of the write it sees. Nothing: what was there first.
};

struct InterpretOptions {
  size_t maxRecords = 400000;
  const OlderValues *older = nullptr;
};

/// The program must have been printed: lines name its statements.
Run interpret(const Program &program, const InterpretOptions &options = {});

/// If the statement is `x = x op e` for + * min max, in any of its spellings: op and x's variable. In e other elements
/// of an array x is of may stand.
struct Update {
  char op = 0;
  int variable = -1;
};
Update updateOf(const Statement &statement);

bool isSame(const Ex &a, const Ex &b);
bool mentions(const Ex &e, int variable);

} // namespace busfare::generator

#endif
