//===- clang-plugin/lower/Symbols.cpp - By what units call a function ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Symbols.h"
#include "AstQueries.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"

namespace busfare::frontend {

std::string symbolOf(const clang::FunctionDecl *function) {
  return clang::ASTNameGenerator(function->getASTContext()).getName(function);
}

bool isOfOneUnit(llvm::StringRef symbol) { return symbol.contains('@'); }

bool isCalledByOthers(const clang::FunctionDecl *function) {
  const auto *label = function->getAttr<clang::AsmLabelAttr>();
  return function->isExternallyVisible() || (label && isOfOneUnit(label->getLabel()));
}

skeleton::Linkage linkageOf(const clang::FunctionDecl *definition) {
  if (!definition->isExternallyVisible() && isCalledByOthers(definition)) return skeleton::Linkage::External;
  if (!definition->isExternallyVisible()) return skeleton::Linkage::Static;
  if (isReplaceable(definition))
    return skeleton::Linkage::Static; // who calls it gets another unit's, or does not know which
  switch (definition->getASTContext().GetGVALinkageForFunction(definition)) {
  case clang::GVA_Internal: return skeleton::Linkage::Static;
  case clang::GVA_StrongExternal: return skeleton::Linkage::External;
  default: return skeleton::Linkage::Inline;
  }
}

} // namespace busfare::frontend
