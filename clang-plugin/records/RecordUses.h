//===- clang-plugin/records/RecordUses.h - How much memory a record's pointers lead to -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pointer in a struct leads to as many elements as another field says, if all code that
// sets the two keeps it so. Each unit tells what it does to its records' fields, and what
// all units of a program agree on holds wherever such a record is met:
//
//   struct Vector { int n; double *values; };
//   v->n = n;  v->values = malloc(n * sizeof(double));     values: n elements
//   free(v->values);  v->n = 0;                            nobody can use it now
//   w->n = n / 2;                                          values: not known any more
//
// Likewise which functions a field points to, if anything but functions is never stored there, and which
// bodies a virtual function has (Targets.h).
//
// It is claimed only if the program is all there: a main, and every function that is used
// and that no system header declares is defined in a unit that was read. What nothing calls
// from there is taken to be a part of it, if there is but one main. Does not handle:
// fields of fields, pointers into memory that others own.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_RECORDS_RECORD_USES_H
#define BUSFARE_CLANG_PLUGIN_RECORDS_RECORD_USES_H

#include "skeleton/Resolve.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <tuple>

namespace busfare::frontend {

/// What a unit does to one field that is a pointer.
struct PointerUse {
  bool isUsed = false; ///< Its value is read somewhere.
  bool isLost = false; ///< It may be set to anything.
  /// Formulas over the record's integer fields, each of which tells how many elements there are behind every
  /// assignment; nothing if it is set to null at most.
  std::optional<std::set<std::string>> counts;
  std::set<std::string> changesAlone; ///< Integer fields that get other values while it keeps its memory.
};

/// What a unit stores into one field that points to a function.
struct TargetUse {
  std::set<std::string> symbols; ///< Of the functions; null besides.
  bool isLost = false;           ///< It may be set to anything.
};

/// What a unit does to one kind of record.
struct RecordUse {
  std::map<std::string, TargetUse> targets; ///< By the field's name.
  /// Fields of this and of other records (name, record, other name) that a cast makes one: what one holds may be in the
  /// other.
  std::set<std::tuple<std::string, std::string, std::string>> sharedTargets;
  std::map<std::string, PointerUse> pointers; ///< By the field's name.
  std::set<std::string> loose; ///< Integer fields that something else than an assignment may change.
};

/// What a unit does to all its records, by their names and fields.
struct RecordUses {
  std::map<std::string, RecordUse> records;
  std::map<std::string, std::set<std::string>>
      overriders; ///< Of virtual functions, by symbol: those that a call of it may run.
  std::set<std::string> undefined; ///< Symbols of functions that it uses and other units must define.
  bool isClosed = true; ///< It holds nothing that may change what it cannot name, as assembly does.
};

/// Among a unit's variables: what it does to records. Among the interfaces it is given: what all units agree on.
inline constexpr const char *recordUsesSymbol = "?records";
inline constexpr const char *recordFactsSymbol = "?record facts";

llvm::json::Value toJson(const RecordUses &uses);

/// (record, pointer field) -> the formula for the elements behind it.
using RecordCounts = std::map<std::pair<std::string, std::string>, std::string>;

/// Calls that can only be of the functions whose symbols stand here.
struct KnownTargets {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> fields; ///< By record and field.
  std::map<std::string, std::set<std::string>> methods; ///< By the virtual function's symbol.
};
inline constexpr size_t maxKnownTargets = 4; ///< More, and what a call may do is no better than anything.

/// What holds of a unit's records and calls in all programs that it is part of.
struct RecordFacts {
  RecordCounts counts;
  KnownTargets targets;
  bool isEmpty() const { return counts.empty() && targets.fields.empty() && targets.methods.empty(); }
};
llvm::json::Value toJson(const RecordFacts &facts);
RecordFacts recordFactsFrom(const llvm::json::Object &object);

/// Symbols of the functions that calls can only be of, of facts as JSON.
std::set<std::string> targetsIn(const std::string &facts);

/// By unit, as JSON: what holds in all programs that it is part of, of fields that it uses; empty where that is
/// nothing. units: what each of them said (null: it was not read); those of `resolved` beyond these are skeletons.
/// withTargets: of calls through pointers and of virtual functions, too.
std::vector<std::string> agreeOnRecords(llvm::ArrayRef<const std::string *> units,
                                        llvm::ArrayRef<skeleton::UnitSymbols> symbols,
                                        const skeleton::Resolved &resolved, const std::vector<bool> &runsOutsideMain,
                                        bool withTargets);

} // namespace busfare::frontend

#endif
