//===- clang-plugin/lower/UsualElements.h - Elements that hold one number -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs keep sizes in small arrays, too, and set each element once:
//
//   static int dims[3];
//   void setup(void) { dims[0] = 256; dims[1] = 256; dims[2] = 128; }
//
// dims[2] is usually 128: the unit sets it to nothing else, and names the array only to
// read or to set elements. Before setup runs it is 0, and another unit may set it, so
// nothing is proved with it (UsualValues.cpp says what it is good for).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_LOWER_USUAL_ELEMENTS_H
#define BUSFARE_CLANG_PLUGIN_LOWER_USUAL_ELEMENTS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace busfare::frontend {

class UsualElements {
public:
  /// Sees all the unit's code, each statement once.
  void scan(const clang::Stmt *body, const clang::ASTContext &context);
  /// The number that the element of the global is set to; nothing if it is set to several, or may be.
  std::optional<int64_t> find(const clang::VarDecl *variable, llvm::ArrayRef<int64_t> index) const;

private:
  using Element = std::pair<const clang::VarDecl *, std::vector<int64_t>>;
  std::map<Element, std::optional<int64_t>> elements; ///< Those that are set; nothing: to what, is not known.
  std::set<const clang::VarDecl *> loose;             ///< Of which any element may be set.

  void visit(const clang::Stmt *stmt, bool isRead, const clang::ASTContext &context);
  void noteWrite(const clang::Expr *target, std::optional<int64_t> value, const clang::ASTContext &context);
};

} // namespace busfare::frontend

#endif // BUSFARE_CLANG_PLUGIN_LOWER_USUAL_ELEMENTS_H
