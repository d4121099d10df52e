//===- clang-plugin/lower/Types.cpp - Clang's types, at the door ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Types.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

using skeleton::ElementType;

/// The specialisation that a type is, if it is one of the library's own.
static const clang::ClassTemplateSpecializationDecl *libraryTemplate(clang::QualType type) {
  if (type.isNull()) return nullptr;
  const auto *record = type.getCanonicalType().getNonReferenceType()->getAsCXXRecordDecl();
  const auto *made = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!made || !made->getIdentifier()) return nullptr;
  const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(made->getDeclContext()->getEnclosingNamespaceContext());
  bool isGnu = space && space->getIdentifier() && space->getName() == "__gnu_cxx";
  return made->isInStdNamespace() || isGnu ? made : nullptr;
}

static clang::QualType typeArgument(const clang::ClassTemplateSpecializationDecl *made, unsigned k) {
  const clang::TemplateArgumentList &list = made->getTemplateArgs();
  return k < list.size() && list[k].getKind() == clang::TemplateArgument::Type ? list[k].getAsType()
                                                                               : clang::QualType();
}

Handle handleOf(clang::QualType type) {
  const auto *made = libraryTemplate(type);
  if (!made) return Handle::None;
  Handle handle = llvm::StringSwitch<Handle>(made->getName())
                      .Cases("vector", "valarray", Handle::Owner)
                      .Cases("unique_ptr", "shared_ptr", Handle::Unique)
                      .Cases("span", "initializer_list", Handle::View)
                      .Cases("__normal_iterator", "__wrap_iter", Handle::Iterator)
                      .Default(Handle::None);
  clang::QualType element = typeArgument(made, 0);
  if (handle == Handle::None || element.isNull()) return Handle::None;
  if (handle == Handle::Iterator && !element->isPointerType()) return Handle::None;
  // vector<bool> holds bits; its elements have no addresses.
  if (handle == Handle::Owner && made->getName() == "vector" && element->isBooleanType()) return Handle::None;
  return handle;
}

clang::QualType pointeeOf(clang::QualType type) {
  if (type.isNull()) return {};
  type = type.getNonReferenceType();
  if (Handle handle = handleOf(type); handle != Handle::None) {
    clang::QualType element = typeArgument(libraryTemplate(type), 0);
    if (handle == Handle::Iterator) return element->getPointeeType();
    if (const clang::ArrayType *array = element->getAsArrayTypeUnsafe(); array && handle == Handle::Unique)
      element = array->getElementType(); // unique_ptr<T[]>
    // What a const vector holds may not be written; a const span says nothing of what it views.
    return handle == Handle::Owner && type.isConstQualified() ? element.withConst() : element;
  }
  return type->getPointeeType();
}

bool isTableOfContainers(clang::QualType type) {
  return handleOf(type) == Handle::Owner && handleOf(pointeeOf(type)) == Handle::Owner;
}

bool isPointerLike(clang::QualType type) {
  return !type.isNull() && !type->isReferenceType() && (type->isPointerType() || handleOf(type) != Handle::None);
}

std::optional<ArrayLayer> arrayLayerOf(clang::QualType type, const clang::ASTContext &context) {
  type = type.getNonReferenceType();
  if (const clang::ArrayType *array = context.getAsArrayType(type)) {
    ArrayLayer layer{array->getElementType(), {}, nullptr};
    if (const auto *fixed = llvm::dyn_cast<clang::ConstantArrayType>(array))
      layer.extent = fixed->getSize().getLimitedValue(INT64_MAX);
    else if (const auto *variable = llvm::dyn_cast<clang::VariableArrayType>(array))
      layer.variableExtent = variable->getSizeExpr();
    return layer;
  }
  const auto *made = libraryTemplate(type);
  if (!made || made->getName() != "array" || made->getTemplateArgs().size() != 2) return std::nullopt;
  const clang::TemplateArgument &count = made->getTemplateArgs()[1];
  clang::QualType element = typeArgument(made, 0);
  if (element.isNull() || count.getKind() != clang::TemplateArgument::Integral) return std::nullopt;
  if (type.isConstQualified()) element = element.withConst();
  return ArrayLayer{element, count.getAsIntegral().getLimitedValue(INT64_MAX), nullptr};
}

TypeClass classOf(clang::QualType type) {
  if (type.isNull()) return TypeClass::Other;
  type = type.getCanonicalType().getNonReferenceType();
  if (const auto *atomic = type->getAs<clang::AtomicType>()) type = atomic->getValueType();
  if (type->isArrayType()) return TypeClass::Array;
  if (const auto *made = libraryTemplate(type)) {
    if (handleOf(type) != Handle::None) return TypeClass::Pointer;
    if (made->getName() == "array") return TypeClass::Array;
  }
  if (type->isIntegralOrEnumerationType()) return TypeClass::Integer;
  if (type->isPointerType() && !type->isFunctionPointerType()) return TypeClass::Pointer;
  if (isStdComplex(type) || type->isRealFloatingType() || type->isAnyComplexType() || type->isVectorType())
    return TypeClass::Data;
  if (type->isRecordType()) return TypeClass::Record;
  return TypeClass::Other;
}

clang::QualType innermost(clang::QualType type, const clang::ASTContext &context) {
  type = type.getNonReferenceType();
  while (std::optional<ArrayLayer> layer = arrayLayerOf(type, context)) type = layer->element;
  return type.getUnqualifiedType();
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
  return builtin &&
         (builtin->getKind() == clang::BuiltinType::LongDouble || builtin->getKind() == clang::BuiltinType::Float128);
}

ElementType elementTypeOf(clang::QualType type, const clang::ASTContext &context) {
  type = innermost(type, context).getCanonicalType();
  if (const auto *atomic = type->getAs<clang::AtomicType>()) type = atomic->getValueType();
  uint64_t bytes = bytesOf(type, context);
  if (bytes == 0) bytes = 1;
  if (type->isBooleanType()) return {ElementType::Kind::Bool, bytes};
  if (type->isPointerType() || type->isFunctionType() || handleOf(type) != Handle::None)
    return {ElementType::Kind::Pointer, bytes};
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
