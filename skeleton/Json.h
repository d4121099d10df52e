//===- skeleton/Json.h - A skeleton as JSON -------------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Every field of a Program, for programs that read skeletons; the text form is for
// people, and the only one that is read back.
//
//   {"kind": "loop", "index": "i", "lower": "0", "upper": "n - 1", "step": 1, "form": "for",
//    "location": {"file": "axpy.c", "line": 4, "column": 3}, "body": [
//      {"kind": "read", "array": "x", "subscripts": [{"value": "i"}], ...}]}
//
// Formulas are strings in the text form (grammar in Parse.h). What is not known is
// null: an extent, a bound, an argument's value. Flags are left out when false,
// lists when empty (but for bodies, parameters, extents and subscripts), and a
// location when no place is known. Bytes that are no UTF-8 become U+FFFD.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_JSON_H
#define BUSFARE_SKELETON_JSON_H

#include "skeleton/Skeleton.h"
#include "llvm/Support/JSON.h"

namespace busfare::skeleton {

llvm::json::Value toJson(const Program &program);
llvm::json::Value toJson(const Function &function);
llvm::json::Value toJson(const Finding &finding);
llvm::json::Value toJson(const Location &location);

} // namespace busfare::skeleton

#endif
