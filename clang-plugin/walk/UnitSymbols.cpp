//===- clang-plugin/walk/UnitSymbols.cpp - What a linker would see of a unit -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Interface.h"

namespace busfare::frontend {

namespace {

class Searcher {
public:
  Searcher(const Unit &unit, skeleton::UnitSymbols &all)
      : unit(unit), sources(unit.context.getSourceManager()), all(all) {}

  void search(const clang::Stmt *stmt, skeleton::UnitSymbols::Function &in) {
    if (!stmt) return;
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt)) {
      addCall(calleeOf(made), in);
      if (auto several = unit.targetCalls.several.find(made); several != unit.targetCalls.several.end())
        for (const clang::CallExpr *one : several->second) addCall(calleeOf(one), in);
    }
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt)) addCall(made->getConstructor(), in);
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt))
      addVariable(llvm::dyn_cast<clang::VarDecl>(ref->getDecl()));
    for (const clang::Stmt *child : partsOf(stmt)) search(child, in);
  }

private:
  const Unit &unit;
  const clang::SourceManager &sources;
  skeleton::UnitSymbols &all;

  void addCall(const clang::FunctionDecl *callee, skeleton::UnitSymbols::Function &in) {
    if (!callee || callee->getBuiltinID() || callee->isDependentContext() || callee->isConsteval()) return;
    if (sources.isInSystemHeader(callee->getLocation())) return;
    in.calls.insert(symbolOf(callee));
  }

  void addVariable(const clang::VarDecl *variable) {
    if (!variable || !variable->hasGlobalStorage() || !variable->isExternallyVisible() || variable->isStaticLocal())
      return;
    if (variable->isTemplated() || variable->hasDefinition() != clang::VarDecl::DeclarationOnly ||
        sources.isInSystemHeader(variable->getLocation()))
      return;
    all.undefinedVariables.insert(globalNameOf(variable));
  }
};

} // namespace

skeleton::UnitSymbols symbolsOf(const Unit &unit) {
  skeleton::UnitSymbols result;
  Searcher searcher(unit, result);
  for (const clang::FunctionDecl *function : unit.order) {
    skeleton::UnitSymbols::Function one{symbolOf(function), linkageOf(function), {}};
    result.hasMain |= function->isMain();
    searcher.search(function->getBody(), one);
    if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
      for (const clang::CXXCtorInitializer *init : constructor->inits()) searcher.search(init->getInit(), one);
    result.functions.push_back(std::move(one));
  }
  for (const auto &[name, variable] : unit.globalNames)
    if (variable->isExternallyVisible() && variable->hasDefinition() != clang::VarDecl::DeclarationOnly)
      result.variables.insert(name);
  return result;
}

} // namespace busfare::frontend
