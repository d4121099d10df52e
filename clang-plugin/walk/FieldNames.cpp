//===- clang-plugin/walk/FieldNames.cpp - What the fields of a class are called -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A class may hide a field of its base, and have several bases with a field of one name.
// Each is a variable of its own, so each has a name of its own:
//
//   struct A { int n; };  struct B : A { int n; };  B q;
//   q.n                  B's own
//   q.A::n               the one it hides, however it was reached
//
// A class that has one base twice (not as a virtual one) has no such names.
//
//===----------------------------------------------------------------------===//
#include "clang-plugin/library/PlainContainers.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace busfare::frontend {

using Fields = std::vector<const clang::FieldDecl *>;

/// Without the class it is of; an unnamed struct or union goes by the first name in it.
static llvm::StringRef bareName(const clang::FieldDecl *field) {
  if (!field->isAnonymousStructOrUnion()) return field->getName();
  return sharedFieldOf(field)->getName();
}

/// Calls `look` with the class and each of its bases, the class first; a virtual base once. True if one call was.
static bool anyClass(const clang::RecordDecl *record, llvm::function_ref<bool(const clang::RecordDecl *)> look,
                     std::set<const clang::Decl *> &shared) {
  record = record ? record->getDefinition() : nullptr;
  if (!record) return false;
  if (look(record)) return true;
  const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  return derived && llvm::any_of(derived->bases(), [&](const clang::CXXBaseSpecifier &base) {
           const clang::RecordDecl *from = base.getType()->getAsRecordDecl();
           if (base.isVirtual() && from && !shared.insert(from->getCanonicalDecl()).second) return false;
           return anyClass(from, look, shared);
         });
}

static Fields fieldsCalled(const clang::RecordDecl *record, llvm::StringRef name) {
  Fields found;
  std::set<const clang::Decl *> shared;
  anyClass(
      record,
      [&](const clang::RecordDecl *one) {
        for (const clang::FieldDecl *field : one->fields())
          if (!bareName(field).empty() && bareName(field) == name) found.push_back(field);
        return false;
      },
      shared);
  return found;
}

/// Of the k-th of these. Two classes of one name (instances of a template) are told apart by their order.
static std::string nameOfOne(const Fields &all, size_t k) {
  std::string name = bareName(all[k]).str();
  if (k == 0) return name;
  std::string owner = all[k]->getParent()->getNameAsString();
  unsigned before = 0;
  for (size_t j = 0; j < k; ++j) before += all[j]->getParent()->getNameAsString() == owner;
  return owner + (before > 0 ? "(" + std::to_string(before + 1) + ")" : "") + "::" + name;
}

std::string fieldNameIn(const clang::RecordDecl *record, const clang::FieldDecl *field) {
  record = record->getDefinition();
  if (!record) return "";
  if (field->getParent()->getCanonicalDecl() == record->getCanonicalDecl()) return bareName(field).str();
  const Fields all = fieldsCalled(record, bareName(field));
  for (size_t k = 0; k < all.size(); ++k)
    if (all[k]->getCanonicalDecl() == field->getCanonicalDecl()) return nameOfOne(all, k);
  std::set<const clang::Decl *> shared;
  bool isDerived = anyClass(field->getParent(), [&](const clang::RecordDecl *one) { return one == record; }, shared);
  return isDerived ? field->getParent()->getNameAsString() + "::" + bareName(field).str() : "";
}

const clang::FieldDecl *fieldNamed(const clang::RecordDecl *record, llvm::StringRef name) {
  size_t end = name.rfind("::");
  const Fields all = fieldsCalled(record, end == llvm::StringRef::npos ? name : name.substr(end + 2));
  for (size_t k = 0; k < all.size(); ++k)
    if (nameOfOne(all, k) == name) return all[k];
  return nullptr;
}

const clang::FieldDecl *fieldAt(const clang::RecordDecl *record, llvm::StringRef path) {
  while (true) {
    const size_t end = path.find_first_of(".-");
    const clang::FieldDecl *field =
        record && record->getDefinition() ? fieldNamed(record->getDefinition(), path.take_front(end)) : nullptr;
    if (!field || end == llvm::StringRef::npos) return field;
    path = path.drop_front(end);
    if (!path.consume_front("->")) path = path.drop_front();
    const clang::QualType type = field->getType().getNonReferenceType();
    record = (type->isPointerType() ? type->getPointeeType() : type)->getAsRecordDecl();
  }
}

bool isFieldCalled(llvm::StringRef variable, llvm::StringRef field) {
  if (!variable.consume_back(field)) return false;
  return variable.ends_with("->") || variable.ends_with(".") || variable.ends_with("::");
}

bool hasFieldNames(clang::QualType type) {
  const auto *record = type->getAsRecordDecl();
  if (!record || record->isUnion() || isPlainContainer(type)) return false;
  std::set<const clang::Decl *> shared, seen;
  return !anyClass(
      record,
      [&](const clang::RecordDecl *one) { return !one->field_empty() && !seen.insert(one->getCanonicalDecl()).second; },
      shared);
}

} // namespace busfare::frontend
