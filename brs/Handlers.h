//===- brs/Handlers.h - Handlers that are assumed not to run --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Behind a handler of exceptions (HostReason::Handler) the program goes on although part
// of what stands before it has not run. What is said of the program holds if nothing is
// thrown there; that is said with it, as `unthrown(solve.cpp:12:3)`. So is a throw of what
// callers may catch who are not seen, for the plan of a function by itself.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_HANDLERS_H
#define BUSFARE_BRS_HANDLERS_H

#include "skeleton/Skeleton.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace busfare::brs {

/// All of the function's, in program order: of the plan for it. Calls are substituted.
std::vector<skeleton::Location> handlersIn(const skeleton::Function &function);

/// Where it throws, or what it calls does.
std::vector<skeleton::Location> throwsIn(const skeleton::Function &function);

/// Those that control may come from to the loop, which is one of the function's.
std::vector<skeleton::Location> handlersBefore(const skeleton::Function &function, const skeleton::Loop &loop);

/// The assumption, as verdicts and regions list it.
std::string unthrown(const skeleton::Location &handler);
bool isUnthrown(llvm::StringRef assumption);

} // namespace busfare::brs

#endif
