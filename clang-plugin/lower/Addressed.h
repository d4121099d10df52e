//===- clang-plugin/lower/Addressed.h - Variables that pointers may lead to -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pointer of which nothing is known may lead to every object, but not to a local
// variable that is only ever read and set by its name:
//
//   double t = x[i];  t *= 2;  s[3] = t;     neither t nor s is addressed
//   f(&t);  double &r = t;  sort(s, 3);      t and s are
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_ADDRESSED_H
#define BUSFARE_CLANG_PLUGIN_LOWER_ADDRESSED_H

#include "clang/AST/Decl.h"
#include <map>
#include <set>

namespace busfare::frontend {

class Addressed {
public:
  /// True unless the variable is automatic, and its function never takes its address, binds a reference to it, or hands
  /// it on.
  bool isAddressed(const clang::VarDecl *variable);

private:
  std::map<const clang::FunctionDecl *, std::set<const clang::VarDecl *>> known;
};

} // namespace busfare::frontend

#endif
