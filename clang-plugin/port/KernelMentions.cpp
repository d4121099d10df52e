//===- clang-plugin/port/KernelMentions.cpp - What a kernel's text mentions -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/port/KernelWriter.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace clang;

void KernelWriter::noteWrite(const Expr *target) {
  if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(target->IgnoreParenCasts()))
    written.insert(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl()));
}

/// A field of a temporary: `((struct low){i}).k`, `std::pair<int, int>(i, 0).first`, `made(i).k`, `found(i)->k`.
static bool isOfUnnamed(const MemberExpr *member) {
  const Expr *base = baseOfPath(member);
  return llvm::isa<FieldDecl>(member->getMemberDecl()) &&
         (llvm::isa<CompoundLiteralExpr>(base) ||
          (base->isPRValue() && (base->getType()->isRecordType() || llvm::isa<CallExpr>(base))));
}

/// `g->nx`, `s.grid.n`, `nx` of this object: a path from a variable by fields alone.
bool KernelWriter::noteField(const MemberExpr *member) {
  const Expr *base = baseOfPath(member);
  const auto *ref = llvm::dyn_cast<DeclRefExpr>(base);
  const bool isOuter = ref && llvm::isa<VarDecl>(ref->getDecl()) &&
                       !inside.count(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl()));
  if (!isOuter && !llvm::isa<CXXThisExpr>(base)) return false;
  if (llvm::isa<CXXMethodDecl>(member->getMemberDecl()))
    fail("it calls " + member->getMemberDecl()->getNameAsString() + " of an object that the device does not have");
  fields.push_back(member);
  return true;
}

/// The ends of the outermost loop, where they take more than a sum: the host has what they are made of.
bool KernelWriter::isComputedBefore(const Stmt *stmt) const {
  if (!loop || space.empty()) return false;
  if (q.chunk && (stmt == space.front().to || stmt == space.front().from)) return true;
  if (space.front().isSimple) return false;
  return stmt == space.front().to || (stmt == space.front().from && !space.front().beginsSimply);
}

/// A container of its own does not end at the loop's bounds.
bool KernelWriter::noteContainer(const Stmt *stmt) {
  std::optional<ContainerUse> use = containerUse(stmt);
  if (!use) return false;
  if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(baseOfPath(use->container));
      ref && inside.count(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())))
    return false;
  containers.push_back(*use);
  collect(use->subscript);
  return true;
}

void KernelWriter::collect(const Stmt *stmt) {
  if (!stmt || isComputedBefore(stmt)) return;
  if (llvm::isa<OMPExecutableDirective>(stmt)) {
    removeDirectives(stmt);
    return collect(withoutDirective(stmt) == stmt ? nullptr : withoutDirective(stmt));
  }
  if (const auto *declares = llvm::dyn_cast<DeclStmt>(stmt))
    for (const Decl *decl : declares->decls())
      if (const auto *variable = llvm::dyn_cast<VarDecl>(decl))
        inside.insert(llvm::cast<ValueDecl>(variable->getCanonicalDecl()));
  if (const auto *inner = llvm::dyn_cast<ForStmt>(stmt))
    if (std::optional<CanonicalLoop> form = canonicalForm(inner, source.context)) innerIndices.insert(form->variable);
  if (const auto *op = llvm::dyn_cast<BinaryOperator>(stmt); op && op->isAssignmentOp()) noteWrite(op->getLHS());
  if (const auto *op = llvm::dyn_cast<UnaryOperator>(stmt)) {
    if (op->isIncrementDecrementOp()) noteWrite(op->getSubExpr());
    const auto *ref = llvm::dyn_cast<DeclRefExpr>(op->getSubExpr()->IgnoreParens());
    if (op->getOpcode() == UO_AddrOf && ref && !ref->getType()->isArrayType() &&
        !inside.count(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())))
      return fail("it takes the address of " + ref->getDecl()->getName());
  }
  // What is said before the program ends stands behind the loop then.
  for (const EndingCall &ending : endings)
    if (llvm::is_contained(ending.messages, stmt)) return;
  if (llvm::isa<CXXThisExpr, LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr>(stmt))
    return fail("it uses what cannot be moved to the device");
  if (const auto *member = llvm::dyn_cast<MemberExpr>(stmt); member && isOfUnnamed(member))
    return fail("it reads a field of a struct that has no name, which clang takes for something to map");
  if (const auto *member = llvm::dyn_cast<MemberExpr>(stmt); member && noteField(member)) return;
  if (noteContainer(stmt)) return;
  if (const auto *cast = llvm::dyn_cast<ImplicitCastExpr>(stmt); cast && cast->getCastKind() == CK_LValueToRValue)
    if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
      --otherUses[llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())];
  if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(stmt)) {
    ++otherUses[llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())];
    if (const auto *function = llvm::dyn_cast<FunctionDecl>(ref->getDecl())) called.insert(function);
    else if (const auto *variable = llvm::dyn_cast<VarDecl>(ref->getDecl()))
      mentioned.insert(llvm::cast<ValueDecl>(variable->getCanonicalDecl()));
    return;
  }
  for (const Stmt *child : partsOf(stmt)) collect(child);
}

} // namespace busfare::frontend::port
