//===- clang-plugin/port/StructSums.cpp - Structs that a loop adds up ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/StructSums.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace clang;

static const ValueDecl *variableIn(const Expr *base) {
  const auto *ref = llvm::dyn_cast<DeclRefExpr>(base);
  return ref ? llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl()) : nullptr;
}

bool isFieldOf(const MemberExpr *member, const ValueDecl *owner) { return variableIn(baseOfPath(member)) == owner; }

/// `z` of `z.re`; null of `p->re` and of `s.z.re`.
static const ValueDecl *ownerOf(const MemberExpr *member) {
  return member->isArrow() ? nullptr : variableIn(member->getBase()->IgnoreParenImpCasts());
}

std::vector<StructSum> structSums(const std::set<const ValueDecl *> &mentioned,
                                  llvm::ArrayRef<const MemberExpr *> fields, const std::set<const ValueDecl *> &inside,
                                  llvm::function_ref<bool(const ValueDecl *, const FieldDecl *)> isSum,
                                  const ASTContext &context) {
  std::set<const ValueDecl *> known = mentioned;
  for (const MemberExpr *member : fields)
    if (const ValueDecl *owner = ownerOf(member)) known.insert(owner);
  // Not in the order of addresses: what is written is the same each time.
  std::vector<const ValueDecl *> owners(known.begin(), known.end());
  llvm::sort(owners, [](const ValueDecl *a, const ValueDecl *b) {
    return a->getLocation().getRawEncoding() < b->getLocation().getRawEncoding();
  });
  std::vector<StructSum> sums;
  for (const ValueDecl *owner : owners) {
    const auto *record = owner->getType()->getAsRecordDecl();         // null for a reference
    const auto *made =
        llvm::dyn_cast_or_null<CXXRecordDecl>(record); // `{}` is zero for those that nobody says how to make
    if (!record || inside.count(owner) || record->isUnion() || (made && !made->isAggregate()) ||
        !owner->getType().isTriviallyCopyableType(context))
      continue;
    // `z.a.x` is a field of a field.
    bool isAllSums = llvm::all_of(
        fields, [&](const MemberExpr *member) { return !isFieldOf(member, owner) || ownerOf(member) == owner; });
    std::string combine;
    for (const FieldDecl *field : record->getDefinition()->fields()) {
      auto names = [&](const MemberExpr *member) {
        return ownerOf(member) == owner && member->getMemberDecl() == field;
      };
      if (!mentioned.count(owner) && llvm::none_of(fields, names)) continue;
      isAllSums = isAllSums && field->getIdentifier() && field->getType()->isArithmeticType() && isSum(owner, field);
      combine += (combine.empty() ? "omp_out." : ", omp_out.") + field->getNameAsString() + " += omp_in." +
                 field->getNameAsString();
    }
    if (isAllSums && !combine.empty()) sums.push_back({owner, std::move(combine)});
  }
  return sums;
}

} // namespace busfare::frontend::port
