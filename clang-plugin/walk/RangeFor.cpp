//===- clang-plugin/walk/RangeFor.cpp - Range-for loops ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// `for (double &x : a)` counts the elements between begin and end, which are pointers or
// iterators into one object; x is the element, or a copy of it. Where iterators are objects
// of a class (of a std::map, of the program's own list), the loop is read as the standard
// writes it out:
//
//   auto &&range = m;
//   auto it = range.begin(), end = range.end();
//   for (; it != end; ++it) { T x = *it; ... }
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// What a variable that an iteration declares starts with: the element itself, or a copy.
void Walker::bindElement(const clang::VarDecl *item, const Place &element, const clang::Expr *text, Location location) {
  const bool isConverted = item->getInit() && scalarTemporary(item->getInit()); // `for (const uint8_t &k : integers)`
  if (item->getType()->isReferenceType() && !isConverted) {
    st.references[llvm::cast<clang::ValueDecl>(item->getCanonicalDecl())] = element;
    return;
  }
  Place copy = placeOfVariable(item, item->getLocation());
  if (!copy.at.object.empty() && st.isDeclared(copy.at.object)) object(copy.at.object).array.perIteration = true;
  if (classOf(copy.type) == TypeClass::Pointer && !copy.variable.empty()) {
    Pointer value = element.variable.empty() ? Pointer() : readPointer(element.variable, element.type, location);
    if (element.variable.empty()) {
      read(element, location);
      value = unknownPointer(copy.variable, pointeeOf(copy.type), location);
      find(Rule::UnknownPointer, location,
           "the pointer `" + textOf(text) + "` is loaded from memory; it may point into any array");
    }
    assignPointer(copy, value, location);
    return;
  }
  read(element, location);
  if (!copy.variable.empty() && classOf(copy.type) == TypeClass::Integer)
    assignInteger(copy, Value{freshSymbol(copy.variable, textOf(text), location, true)}, location);
  else write(copy, location);
}

Flow Walker::executeRangeFor(const clang::CXXForRangeStmt *stmt) {
  if (stmt->getInit()) execute(stmt->getInit());
  LoopParts parts;
  parts.form = skeleton::LoopForm::RangeFor;
  parts.stmt = stmt;
  const clang::VarDecl *item = stmt->getLoopVariable();
  auto iterator = [](const clang::DeclStmt *decl) -> const clang::VarDecl * {
    return decl && decl->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(decl->getSingleDecl()) : nullptr;
  };
  const clang::VarDecl *first = iterator(stmt->getBeginStmt()), *last = iterator(stmt->getEndStmt());
  if (!item || !first || !last || !stmt->getRangeStmt() || !stmt->getCond() || !stmt->getInc() || !stmt->getBody()) {
    unsupported(stmt, "range-for over this type");
    return Flow();
  }
  if (!isPointerLike(first->getType()) || !isPointerLike(last->getType())) {
    for (const clang::DeclStmt *one : {stmt->getRangeStmt(), stmt->getBeginStmt(), stmt->getEndStmt()}) declare(one);
    parts.cond = stmt->getCond(), parts.inc = stmt->getInc();
    clang::Stmt *inside[] = {const_cast<clang::DeclStmt *>(stmt->getLoopVarStmt()),
                             const_cast<clang::Stmt *>(stmt->getBody())};
    parts.body = clang::CompoundStmt::Create(context, inside, clang::FPOptionsOverride(),
                                             stmt->getBody()->getBeginLoc(), stmt->getEndLoc());
    return executeLoop(parts);
  }
  Location location = locate(stmt);
  declare(stmt->getRangeStmt());
  Pointer begin = pointer(first->getInit()), end = pointer(last->getInit());
  clang::QualType element = pointeeOf(first->getType());
  parts.body = stmt->getBody();
  GivenRange range;
  range.index = "it";
  range.upper = distance(begin, end, first->getType(), location)->expr - 1;
  range.bind = [this, begin, element, item, stmt, location](const Symbolic &index) {
    bindElement(item, dereference(step(begin, index, element), element, stmt->getRangeInit()), stmt->getRangeInit(),
                location);
    declareHeld(item);
  };
  parts.given = range;
  return executeLoop(parts);
}

} // namespace busfare::frontend
