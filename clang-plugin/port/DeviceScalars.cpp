//===- clang-plugin/port/DeviceScalars.cpp - Variables that only the device uses -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/DeviceScalars.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/port/HostDirectives.h"
#include "clang-plugin/port/OwnTargets.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace clang;

namespace {

class Mentions {
public:
  std::map<const ValueDecl *, std::vector<const DeclRefExpr *>> of;
  bool hasGotos = false; ///< One may lead past a declaration.

  void collect(const Stmt *stmt) {
    if (!stmt) return;
    hasGotos |= llvm::isa<GotoStmt, IndirectGotoStmt>(stmt);
    if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(stmt))
      of[llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())].push_back(ref);
    for (const Stmt *child : partsOf(stmt)) collect(child);
  }
};

/// A directive that stays makes others of variables from outside of it.
bool standsInDirective(const Spot &spot, const FunctionSource &source) {
  for (const Spot *around = &spot; around; around = around->parent)
    if (const auto *directive = llvm::dyn_cast<OMPExecutableDirective>(around->stmt);
        directive && !isTargetConstruct(directive)) {
      std::optional<Edit> serial = onOneThread(directive, source);
      if (!serial || !serial->text.empty()) return true;
    }
  return false;
}

} // namespace

std::map<const ValueDecl *, const Spot *> deviceScalars(const FunctionSource &source,
                                                        const std::set<const Spot *> &onDevice) {
  std::map<const ValueDecl *, const Spot *> found;
  if (llvm::any_of(onDevice, [&](const Spot *spot) { return standsInDirective(*spot, source); })) return found;
  Mentions mentions;
  mentions.collect(source.function->getBody());
  if (mentions.hasGotos) return found;
  auto isOnDevice = [&](const DeclRefExpr *ref) {
    const unsigned at = source.offsetOf(ref->getBeginLoc());
    return llvm::any_of(onDevice, [&](const Spot *spot) { return spot->begin <= at && at < spot->end; });
  };
  for (const Spot &spot : source.spots) {
    const auto *declares = llvm::dyn_cast<DeclStmt>(spot.stmt);
    if (!declares || !spot.inBlock || !spot.blockEnd || onDevice.count(&spot) || standsInDirective(spot, source) ||
        source.mayLeaveIn(spot.end, spot.blockEnd))
      continue;
    for (const Decl *decl : declares->decls()) {
      const auto *variable = llvm::dyn_cast<VarDecl>(decl);
      if (!variable || !variable->hasLocalStorage() || variable->hasInit() || !variable->getType()->isArithmeticType())
        continue;
      auto used = mentions.of.find(llvm::cast<ValueDecl>(variable->getCanonicalDecl()));
      if (used != mentions.of.end() && llvm::all_of(used->second, isOnDevice)) found[used->first] = &spot;
    }
  }
  return found;
}

} // namespace busfare::frontend::port
