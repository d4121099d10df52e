//===- projection/Describe.h - Regions and loops as a report names them ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Names, sections and formulas of an analysed root, in the report's words: the arrays
// of a region with their crossings in numbers, its loops with their verdicts.
//
//   [0:rows - 1:1][0:cols - 1:1]  of f32  ->  section "[0:rows-1:1][0:cols-1:1]", formula "4*rows*cols"
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_DESCRIBE_H
#define BUSFARE_PROJECTION_DESCRIBE_H

#include "projection/Price.h"
#include "projection/Sizes.h"
#include "projection/report/Report.h"

namespace busfare::projection {

/// Expr and section text without blanks around signs: `n-1`.
std::string compact(std::string text);

/// An array's name, as short as tells it from the region's other arrays: with as few of the calls that lead to it as it
/// takes.
std::string shownName(const brs::Region &region, const std::string &name);

/// The text without the call paths of substituted names: `step@12:sum` is sum.
std::string withoutPaths(llvm::StringRef text);

/// The text without the numbers that tell a function's variables of one name apart: `i.2` is i.
std::string withoutNumbers(llvm::StringRef text);

/// Why a loop is not parallel, or stays on the host, in the words of the source: `solve@12:*p: which memory it denotes
/// is not known` is "it is not known where the pointer p of solve leads".
std::string spokenReason(llvm::StringRef reason);

/// Does a spoken reason say that nobody knows where a pointer leads?
bool isOfUnknownPointer(llvm::StringRef reason);

/// The function in whose source the loop stands.
std::string functionOf(const Root &root, const skeleton::Loop &loop);

/// The index as its function spells it; "elements" of what has none in the source (an algorithm, calloc).
std::string indexOf(const skeleton::Loop &loop);

std::vector<std::vector<std::array<std::string, 3>>> boxesOf(const brs::SectionSet &set);

/// Ends an assumption that a hint makes, which --strict lets pass.
inline constexpr llvm::StringLiteral fromHint = " (taken from a hint)";

/// Of the structure of the statements: survives moved lines and renamed variables.
std::string fingerprintOf(llvm::ArrayRef<skeleton::Node> statements);

/// The region's place, arrays, scalars and assumptions. Sizes give the numbers; the machine only says which
/// way of copying a section is the cheapest (movedBytes, copies).
RegionReport describeRegion(const Root &root, const brs::Region &region, const Sizes &sizes,
                            const TripOverrides &overrides, const Machine &machine);

/// One entry for each loop of the root, in program order; or that of one loop.
std::vector<LoopReport> describeLoops(const Root &root, const skeleton::Loop *only = nullptr);

/// The same loop seen in several places (template instances, call paths) becomes one: parallel only if all are.
std::vector<LoopReport> mergeLoops(std::vector<LoopReport> loops);

} // namespace busfare::projection

#endif
