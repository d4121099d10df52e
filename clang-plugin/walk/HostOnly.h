//===- clang-plugin/walk/HostOnly.h - Why a call stays on the host -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Calls that are not followed, each reason with its own rule and its own sentence:
//
//   shape->area()                BF026: a virtual call ...
//   omp_get_thread_num()         BF031: asks which thread runs it ...
//   lookup(table, i)             BF003: the body of lookup is not seen ...
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_WALK_HOST_ONLY_H
#define BUSFARE_CLANG_PLUGIN_WALK_HOST_ONLY_H

#include "skeleton/Finding.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <optional>
#include <string>

namespace busfare::frontend {

struct WhyOnHost {
  skeleton::Rule rule;
  std::string message;
};

/// Of a call whose callee is not followed; callee is null if it is called through a pointer.
WhyOnHost whyUnfollowed(const clang::FunctionDecl *callee, const std::string &name);

/// Clocks, random numbers, strings, streams and containers of numbers of the C++ library: they get at what they are
/// given, keep nothing, and call nobody.
bool isSelfContained(const clang::FunctionDecl *callee);
/// std::chrono: clocks, and arithmetic with what they tell.
bool isOfChrono(const clang::Decl *decl);

/// A function of the C library after which the program has ended: exit, abort, what assert calls.
bool endsProgram(llvm::StringRef name);
/// The end that such a call brings about, as skeleton::End names it: "exit(3)"; nothing: not the same one each time.
std::optional<std::string> endingOf(const clang::CallExpr *call, llvm::StringRef name,
                                    const clang::ASTContext &context);
/// A function of the C library that writes text: printf, fputs, perror.
bool writesText(llvm::StringRef name);
/// Whatever iteration calls it: its arguments are numbers, texts, and where they go.
bool saysTheSame(const clang::CallExpr *output, const clang::ASTContext &context);
/// Why the loop around such a call stays on the host. runsMore: something is registered for the end that may read
/// memory.
WhyOnHost whyEndsOnHost(llvm::StringRef name, bool runsMore);

/// Of a function of the C library or OpenMP's that is known, but only to the host; nothing: it costs nothing where it
/// stands.
std::optional<WhyOnHost> whyKnownOnHost(llvm::StringRef name, bool isInLoop);

} // namespace busfare::frontend

#endif
