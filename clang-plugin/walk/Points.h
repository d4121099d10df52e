//===- clang-plugin/walk/Points.h - What variables hold at a place -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Skeletons speak of symbols and objects, source of variables. Whoever writes code
// into the source needs the way back: which variable holds this value here?
//
//   int m = n / 2;          before it:   n = `n`
//   double *p = u + m;      before it:   m = floor(n / 2)
//   for (...) p[i] ...      before it:   p = u[floor(n / 2)]
//
// The walk notes it before every statement and behind every statement that reaches
// its end, if somebody asks (port does; analyze does not). A variable that is not
// listed holds nothing known there.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_POINTS_H
#define BUSFARE_CLANG_PLUGIN_WALK_POINTS_H

#include "skeleton/Skeleton.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
class Stmt;
class ValueDecl;
} // namespace clang

namespace busfare::frontend {

/// An element of an object of the skeleton.
struct PointedAt {
  std::string object;
  std::vector<std::optional<skeleton::Expr>> index; ///< One for each dimension as the front end declares it.
};

/// Variables by the names the skeleton gives them (a shadowing one has a number; fields are `g->nx`).
struct PointFacts {
  std::map<std::string, skeleton::Expr> integers;
  std::map<std::string, PointedAt> pointers;
  /// Variables that are not mentioned above have their value on entry here, except these, which loops around the point
  /// change,
  std::set<std::string> changedAround;
  /// and those that what ran before forgets, as an Environment does.
  bool isOpaque = false, forgetsStatics = false, forgetsPointers = false;
};

struct FunctionPoints {
  const clang::FunctionDecl *function = nullptr;
  std::map<const clang::Stmt *, PointFacts> before, after;
  std::map<std::string, const clang::ValueDecl *> variables; ///< Their declarations; fields have none.
};

/// By the function's name in the skeleton.
using UnitPoints = std::map<std::string, FunctionPoints>;

} // namespace busfare::frontend

#endif
