//===- skeleton/SharedBodies.h - One body for host statements that touch the same -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A call that is not seen may touch all that got out before it: in code with many such calls the
// same hundreds of arrays at each. Kept once, such a list costs its room, its text and its
// analysis once:
//
//   reach 1 { may read a[?]  may write a[?]  may read b[?] ... }
//   host opaque "log" reaching 1 at 7:3
//   host opaque "flush" reaching 1 at 9:3
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_SHAREDBODIES_H
#define BUSFARE_SKELETON_SHAREDBODIES_H

#include "skeleton/Skeleton.h"

namespace busfare::skeleton {

/// Host statements of the function that touch the same have one body in common afterwards, if it is long. In it an
/// access at the statement's own place has no place, and those of any element stand in their order, behind the others.
void shareBodies(Function &function);

/// The order of accesses to any element of an array, of which none is before another by what they mean.
bool isOrderedBefore(const Access &a, const Access &b);
/// Is the body a list of such accesses alone, in their order?
bool isOfAnyElements(const Block &body);
/// Both in one; they are such lists.
Block merged(const Block &a, const Block &b);
/// What of the whole is not in the part; nothing if the part has something else. They are such lists.
std::optional<Block> lacking(const Block &part, const Block &whole);

} // namespace busfare::skeleton

#endif
