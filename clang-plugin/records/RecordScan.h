//===- clang-plugin/records/RecordScan.h - Who may change the fields of records -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// All code of a unit, for what it does to the fields of records other than reading them:
// assignments go to RecordSetters; whatever else may change a field makes it unknown.
//
//   scanf("%d", &v.n);               n is loose: somebody has its address
//   std::swap(v.values, w.values);   values may be anything
//   memcpy(&v, &w, sizeof v);        a copy of all fields, which keeps what holds
//   (char *)&v                       all fields of Vector may be anything
//   take(v), take undeclared here    other units must define it
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_RECORDS_RECORD_SCAN_H
#define BUSFARE_CLANG_PLUGIN_RECORDS_RECORD_SCAN_H

#include "RecordUses.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/ArrayRef.h"

namespace busfare::frontend {

/// decls: the unit's, as the parser gives them.
RecordUses findRecordUses(clang::ASTContext &context, llvm::ArrayRef<const clang::Decl *> decls);

} // namespace busfare::frontend

#endif
