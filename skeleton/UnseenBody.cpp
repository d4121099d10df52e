//===- skeleton/UnseenBody.cpp - What is said of calls whose callee is not there -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/UnseenBody.h"
#include "skeleton/SourceFunctions.h"
#include "llvm/ADT/StringSet.h"

using namespace busfare::skeleton;

static constexpr llvm::StringLiteral begins = "the body of ", stays = " is not seen; the call stays on the host",
                                     asks = ": give the source that defines it";

std::string busfare::skeleton::bodyNotSeen(llvm::StringRef callee, bool isOwn) {
  return (begins + callee + stays + (isOwn ? llvm::StringRef(asks) : "")).str();
}

std::optional<llvm::StringRef> busfare::skeleton::ownCalleeNotSeen(const Finding &finding) {
  llvm::StringRef callee = finding.message;
  const bool isOne = finding.rule == Rule::OpaqueCall && callee.consume_front(begins) && callee.consume_back(asks) &&
                     callee.consume_back(stays);
  return isOne ? std::optional(callee) : std::nullopt;
}

void busfare::skeleton::takeBackAsking(std::vector<Finding> &findings, const Program &program) {
  llvm::StringSet<> defined;
  for (const Function &function : program.functions) defined.insert(unqualified(function.name));
  for (Finding &finding : findings)
    if (std::optional<llvm::StringRef> callee = ownCalleeNotSeen(finding);
        callee && defined.contains(unqualified(*callee)))
      finding.message = bodyNotSeen(*callee, false);
}
