//===- clang-plugin/library/BlasTable.cpp - BLAS routines by name --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "BlasTable.h"
#include "clang/AST/DeclCXX.h"

namespace busfare::frontend {

namespace {

using Form = BlasOperandForm;
const Form oneRead[] = {{'x', 'n', 0, 0, Form::Read}};
const Form oneUpdated[] = {{'x', 'n', 0, 0, Form::Update}};
const Form axpy[] = {{'x', 'n', 0, 0, Form::Read}, {'y', 'n', 0, 0, Form::Update}};
const Form copied[] = {{'x', 'n', 0, 0, Form::Read}, {'y', 'n', 0, 0, Form::Write}};
const Form swapped[] = {{'x', 'n', 0, 0, Form::Update}, {'y', 'n', 0, 0, Form::Update}};
const Form twoRead[] = {{'x', 'n', 0, 0, Form::Read}, {'y', 'n', 0, 0, Form::Read}};
const Form gemv[] = {{'A', 'm', 'n', 0, Form::Read}, {'x', 'n', 0, 't', Form::Read}, {'y', 'm', 0, 't', Form::Update}};
const Form symv[] = {{'A', 'n', 'n', 0, Form::Read}, {'x', 'n', 0, 0, Form::Read}, {'y', 'n', 0, 0, Form::Update}};
const Form ger[] = {{'x', 'm', 0, 0, Form::Read}, {'y', 'n', 0, 0, Form::Read}, {'A', 'm', 'n', 0, Form::Update}};
const Form trsv[] = {{'A', 'n', 'n', 0, Form::Read}, {'x', 'n', 0, 0, Form::Update}};
const Form gemm[] = {
    {'A', 'm', 'k', 't', Form::Read}, {'B', 'k', 'n', 'u', Form::Read}, {'C', 'm', 'n', 0, Form::Update}};
const Form symm[] = {{'A', '?', '?', 0, Form::Read}, {'B', 'm', 'n', 0, Form::Read}, {'C', 'm', 'n', 0, Form::Update}};
const Form syrk[] = {{'A', 'n', 'k', 't', Form::Read}, {'C', 'n', 'n', 0, Form::Update}};
const Form syr2k[] = {
    {'A', 'n', 'k', 't', Form::Read}, {'B', 'n', 'k', 't', Form::Read}, {'C', 'n', 'n', 0, Form::Update}};
const Form trsm[] = {{'A', '?', '?', 0, Form::Read}, {'B', 'm', 'n', 0, Form::Update}};

const BlasRoutine routines[] = {
    {"axpy", 1, "naXiYi", axpy},         {"copy", 1, "nXiYi", copied},      {"swap", 1, "nXiYi", swapped},
    {"scal", 1, "naXi", oneUpdated},     {"dot", 1, "nXiYi", twoRead},      {"nrm2", 1, "nXi", oneRead},
    {"asum", 1, "nXi", oneRead},         {"gemv", 2, "tmnaAlXibYi", gemv},  {"symv", 2, "fnaAlXibYi", symv},
    {"ger", 2, "mnaXiYiAl", ger},        {"trsv", 2, "fffnAlXi", trsv},     {"trmv", 2, "fffnAlXi", trsv},
    {"gemm", 3, "tumnkaAlBlbCl", gemm},  {"symm", 3, "ffmnaAlBlbCl", symm}, {"syrk", 3, "ftnkaAlbCl", syrk},
    {"syr2k", 3, "ftnkaAlBlbCl", syr2k}, {"trsm", 3, "ffffmnaAlBl", trsm},  {"trmm", 3, "ffffmnaAlBl", trsm},
};

/// Do the parameters look like the routine's? Scalars by value in CBLAS, by address in Fortran; operands by address.
bool fits(const BlasForm &form, const clang::FunctionDecl *callee) {
  llvm::StringRef roles = form.routine->roles;
  if (callee->getNumParams() != roles.size() + form.first) return false;
  for (unsigned k = 0; k < roles.size(); ++k) {
    clang::QualType type = callee->getParamDecl(k + form.first)->getType();
    bool isAddress = type->isPointerType(),
         isComplexFactor = llvm::StringRef("ab").contains(roles[k]) && form.elementBytes > 8;
    bool wants = form.isFortran || llvm::StringRef("ABCXY").contains(roles[k]);
    if (isAddress != wants && !isComplexFactor && form.name[0] != 'c') return false;
  }
  return true;
}

} // namespace

std::optional<BlasForm> blasFormOf(const clang::FunctionDecl *callee) {
  if (!callee || !callee->getIdentifier() || callee->getDefinition() || llvm::isa<clang::CXXMethodDecl>(callee))
    return std::nullopt;
  if (!callee->getDeclContext()->getRedeclContext()->isTranslationUnit()) return std::nullopt;
  llvm::StringRef name = callee->getName();
  BlasForm form;
  form.isFortran = !name.consume_front("cblas_");
  if (form.isFortran) name.consume_back("_");
  if (name.size() < 4 || !llvm::StringRef("sdcz").contains(name.front())) return std::nullopt;
  form.elementBytes = name[0] == 's' ? 4 : name[0] == 'z' ? 16 : 8;
  form.name = name.str();
  bool isComplex = name[0] == 'c' || name[0] == 'z';
  for (const BlasRoutine &routine : routines) {
    if (name.drop_front() != routine.name || (isComplex && routine.name == "ger")) continue;
    form.routine = &routine;
    form.first = !form.isFortran && routine.level > 1 ? 1 : 0;
    if (fits(form, callee)) return form;
  }
  return std::nullopt;
}

} // namespace busfare::frontend
