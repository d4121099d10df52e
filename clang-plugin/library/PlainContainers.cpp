//===- clang-plugin/library/PlainContainers.cpp - Containers of numbers --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "PlainContainers.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/CallQueries.h"
#include "clang-plugin/lower/Types.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

static bool isContainerName(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("map", "multimap", "set", "multiset", true)
      .Cases("unordered_map", "unordered_multimap", "unordered_set", "unordered_multiset", true)
      .Cases("deque", "list", "forward_list", "stack", "queue", "priority_queue", true)
      .Cases("basic_string", "bitset", true)
      .Default(false);
}

/// Holds what it is made from, and no pointer (a vector is one): elements, and how they are ordered, hashed and
/// allocated.
static bool isValueName(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases("pair", "tuple", "complex", "optional", true)
      .Cases("less", "greater", "equal_to", "hash", "allocator", "char_traits", true)
      .Default(false);
}

/// leadsThere: an iterator's arguments are also references and pointers to its elements.
static bool hasPlainArguments(const clang::CXXRecordDecl *record, bool leadsThere = false) {
  const auto *made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (!made) return false;
  std::function<bool(const clang::TemplateArgument &)> isPlain = [&](const clang::TemplateArgument &argument) {
    if (argument.getKind() == clang::TemplateArgument::Pack) return llvm::all_of(argument.pack_elements(), isPlain);
    if (argument.getKind() == clang::TemplateArgument::Type) {
      clang::QualType type = argument.getAsType();
      if (leadsThere) type = type.getNonReferenceType();
      if (leadsThere && type->isPointerType()) type = type->getPointeeType();
      return type->isVoidType() || isPlainValue(type);
    }
    return argument.getKind() == clang::TemplateArgument::Integral;
  };
  return llvm::all_of(made->getTemplateArgs().asArray(), isPlain);
}

static const clang::CXXRecordDecl *libraryClass(clang::QualType type) {
  const auto *record = type.isNull() ? nullptr : type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getIdentifier() ? record : nullptr;
}

bool isPlainContainer(clang::QualType type) {
  const clang::CXXRecordDecl *record = libraryClass(type);
  return record && isContainerName(record->getName()) && hasPlainArguments(record);
}

bool isPlainValue(clang::QualType type) {
  if (type->isReferenceType()) return false;
  if (type->isArithmeticType()) return true; // of an enumeration the program may have its own operators
  const clang::CXXRecordDecl *record = libraryClass(type);
  return isPlainContainer(type) || (record && isValueName(record->getName()) && hasPlainArguments(record));
}

/// A place in a container; it is none of the container's elements.
static bool isPlainIterator(clang::QualType type) {
  if (handleOf(type) == Handle::Iterator) return isPlainValue(pointeeOf(type));
  const clang::CXXRecordDecl *record = libraryClass(type);
  return record && record->getName().ends_with("_iterator") && record->getName().starts_with("_") &&
         hasPlainArguments(record, true);
}

static bool takesPlainValues(const clang::FunctionDecl *callee) {
  return llvm::all_of(callee->parameters(), [](const clang::ParmVarDecl *formal) {
    clang::QualType type = formal->getType().getNonReferenceType();
    return type->isPointerType() ? isPlainValue(type->getPointeeType()) : isPlainValue(type) || isPlainIterator(type);
  });
}

bool isOfPlainContainer(const clang::FunctionDecl *callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (!method) return false;
  clang::QualType self = method->getASTContext().getRecordType(method->getParent());
  bool isMade =
      llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method) && isPlainValue(self); // an allocator, too
  return (isMade || isPlainContainer(self) || isPlainIterator(self)) && takesPlainValues(callee);
}

bool worksOnPlainRange(const clang::FunctionDecl *callee) {
  if (!callee->isInStdNamespace() || llvm::isa<clang::CXXMethodDecl>(callee)) return false;
  if (callee->isOverloadedOperator()) { // that compares two of them, or how far they are apart
    auto isOne = [](const clang::ParmVarDecl *formal) {
      return isPlainContainer(formal->getType()) || isPlainIterator(formal->getType());
    };
    return llvm::all_of(callee->parameters(), isOne);
  }
  if (!callee->getIdentifier()) return false;
  bool isKnown =
      llvm::StringSwitch<bool>(callee->getName())
          .Cases("sort", "stable_sort", "partial_sort", "nth_element", "is_sorted", true)
          .Cases("reverse", "rotate", "unique", "replace", "count", "equal", true)
          .Cases("binary_search", "merge", "inplace_merge", "partial_sum", "adjacent_difference", true)
          .Cases("make_heap", "push_heap", "pop_heap", "sort_heap", "next_permutation", "prev_permutation", true)
          .Default(false);
  return isKnown && takesPlainValues(callee);
}

/// A lambda that computes from what it is given, and from constants, and does nothing else.
static bool isPlainLambda(clang::QualType type) {
  const clang::CXXRecordDecl *record = callableClassOf(type);
  if (!record || !record->isLambda() || record->capture_size() > 0) return false;
  std::function<bool(const clang::Stmt *)> isPlain = [&](const clang::Stmt *at) {
    if (!at) return true;
    const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(at);
    const auto *variable = ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
    if (variable && variable->hasGlobalStorage() && !variable->getType().isConstQualified()) return false;
    if (llvm::isa<clang::CallExpr, clang::CXXConstructExpr, clang::CXXNewExpr, clang::CXXDeleteExpr,
                  clang::CXXThrowExpr, clang::AsmStmt>(at))
      return false;
    return llvm::all_of(at->children(), isPlain);
  };
  std::vector<const clang::CXXMethodDecl *> bodies = callOperatorsOf(record);
  auto takesValues = [](const clang::ParmVarDecl *formal) {
    return formal->getType().getNonReferenceType()->isArithmeticType();
  };
  return !bodies.empty() && llvm::all_of(bodies, [&](const clang::CXXMethodDecl *one) {
    return llvm::all_of(one->parameters(), takesValues) && isPlain(one->getBody());
  });
}

bool asksPlainRange(const clang::FunctionDecl *callee) {
  if (!callee->isInStdNamespace() || llvm::isa<clang::CXXMethodDecl>(callee) || !callee->getIdentifier() ||
      callee->getNumParams() != 3)
    return false;
  const bool isKnown =
      llvm::StringSwitch<bool>(callee->getName()).Cases("all_of", "any_of", "none_of", "count_if", true).Default(false);
  const clang::QualType asked = callee->getParamDecl(2)->getType();
  if (!isKnown || !isPlainLambda(asked)) return false;
  auto leavesAlone = [](const clang::ParmVarDecl *formal) {
    return !formal->getType()->isReferenceType() || formal->getType()->getPointeeType().isConstQualified();
  };
  auto isPlace = [](const clang::ParmVarDecl *formal) {
    const clang::QualType type = formal->getType();
    return isPlainIterator(type) || (type->isPointerType() && type->getPointeeType()->isArithmeticType());
  };
  return llvm::all_of(callee->parameters().take_front(2), isPlace) &&
         llvm::all_of(callOperatorsOf(callableClassOf(asked)),
                      [&](const clang::CXXMethodDecl *one) { return llvm::all_of(one->parameters(), leavesAlone); });
}

/// std::string and its like, and views of them.
static bool isString(clang::QualType type) {
  const clang::CXXRecordDecl *record = libraryClass(type);
  return record && (record->getName() == "basic_string" || record->getName() == "basic_string_view") &&
         hasPlainArguments(record);
}

bool worksOnTexts(const clang::FunctionDecl *callee) {
  if (!callee->isInStdNamespace() || llvm::isa<clang::CXXMethodDecl>(callee)) return false;
  auto isPlain = [](clang::QualType type) {
    type = type.getNonReferenceType();
    return isString(type) ||
           (type->isPointerType() ? type->getPointeeType()->isArithmeticType() : type->isArithmeticType());
  };
  auto typeOf = [](const clang::ParmVarDecl *formal) { return formal->getType(); };
  auto types = llvm::map_range(callee->parameters(), typeOf);
  return (isString(callee->getReturnType()) || llvm::any_of(types, isString)) && llvm::all_of(types, isPlain);
}

} // namespace busfare::frontend
