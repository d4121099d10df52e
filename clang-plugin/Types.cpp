//===- clang-plugin/Types.cpp - Clang's types, at the door ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Types.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"

namespace busfare::frontend {

using skeleton::ElementType;

TypeClass classOf(clang::QualType type) {
  if (type.isNull()) return TypeClass::Other;
  type = type.getCanonicalType().getNonReferenceType();
  if (const auto *atomic = type->getAs<clang::AtomicType>()) type = atomic->getValueType();
  if (type->isArrayType()) return TypeClass::Array;
  if (type->isIntegralOrEnumerationType()) return TypeClass::Integer;
  if (type->isPointerType() && !type->isFunctionPointerType()) return TypeClass::Pointer;
  if (isStdComplex(type) || type->isRealFloatingType() || type->isAnyComplexType() || type->isVectorType())
    return TypeClass::Data;
  if (type->isRecordType()) return TypeClass::Record;
  return TypeClass::Other;
}

clang::QualType innermost(clang::QualType type, const clang::ASTContext &context) {
  return context.getBaseElementType(type.getNonReferenceType()).getUnqualifiedType();
}

uint64_t bytesOf(clang::QualType type, const clang::ASTContext &context) {
  if (type.isNull() || type->isDependentType() || type->isIncompleteType() || type->isFunctionType() ||
      type->isVariableArrayType())
    return 0;
  if (type->isVoidType()) return 1;
  return context.getTypeSizeInChars(type).getQuantity();
}

bool isStdComplex(clang::QualType type) {
  const auto *record = type->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier() && record->getName() == "complex";
}

bool isLongDouble(clang::QualType type) {
  const auto *builtin = type.getCanonicalType()->getAs<clang::BuiltinType>();
  return builtin && (builtin->getKind() == clang::BuiltinType::LongDouble ||
                     builtin->getKind() == clang::BuiltinType::Float128);
}

ElementType elementTypeOf(clang::QualType type, const clang::ASTContext &context) {
  type = innermost(type, context).getCanonicalType();
  if (const auto *atomic = type->getAs<clang::AtomicType>()) type = atomic->getValueType();
  uint64_t bytes = bytesOf(type, context);
  if (bytes == 0) bytes = 1;
  if (type->isBooleanType()) return {ElementType::Kind::Bool, bytes};
  if (type->isPointerType() || type->isFunctionType()) return {ElementType::Kind::Pointer, bytes};
  if (type->isAnyComplexType() || isStdComplex(type)) return {ElementType::Kind::Complex, bytes};
  if (type->isRealFloatingType()) {
    if (isLongDouble(type)) return {ElementType::Kind::Float, 10};
    return {ElementType::Kind::Float, bytes};
  }
  if (type->isSignedIntegerOrEnumerationType()) return {ElementType::Kind::Signed, bytes};
  if (type->isIntegralOrEnumerationType()) return {ElementType::Kind::Unsigned, bytes};
  if (type->isVoidType()) return {ElementType::Kind::Unsigned, 1};
  return {ElementType::Kind::Struct, bytes};
}

} // namespace busfare::frontend
