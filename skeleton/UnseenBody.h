//===- skeleton/UnseenBody.h - What is said of calls whose callee is not there -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The front end finds such calls unit by unit; whether another unit defines the callee is known only when they
// are one program. So the finding says whether the source that defines it is to be asked for, and can be asked itself:
//
//   the body of solve is not seen; the call stays on the host: give the source that defines it
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_UNSEENBODY_H
#define BUSFARE_SKELETON_UNSEENBODY_H

#include "skeleton/Skeleton.h"

namespace busfare::skeleton {

/// The message. isOwn: of the program, not of a library that is installed.
std::string bodyNotSeen(llvm::StringRef callee, bool isOwn);
/// Of such a finding on a function of the program: the callee.
std::optional<llvm::StringRef> ownCalleeNotSeen(const Finding &finding);
/// Takes back the asking where a function of this name is in the program: the call is not followed for another reason.
void takeBackAsking(std::vector<Finding> &findings, const Program &program);

} // namespace busfare::skeleton

#endif
