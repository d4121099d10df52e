//===- brs/Temporaries.h - Arrays said to be dead outside ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// hints(temporary(a)) of a loop or function: what a holds before it does not matter
// to it, and what it leaves there nobody reads. An array all of whose accesses stand
// in such places needs no copy in either direction:
//
//   for i hints(temporary(t)) { write t[i] read t[i] write b[i] }     t: neither h2d nor d2h, whoever passed it
//
// The hint is contradicted, and not taken, if an element is surely read there that
// it did not write before, or surely read later in the root (in the same iteration
// of the loops around) after it wrote it.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_TEMPORARIES_H
#define BUSFARE_BRS_TEMPORARIES_H

#include "brs/Bounds.h"
#include "brs/Effects.h"
#include "skeleton/Inline.h"

namespace busfare::brs {

/// Takes contradicted hints out of the root (after Inline and Shape) and says so; then names in the root's own hints
/// the arrays that are touched only where they are temporary.
std::vector<skeleton::Finding> settleTemporaries(const skeleton::Program &program, skeleton::Function &root,
                                                 llvm::ArrayRef<skeleton::CallPath> paths, const Context &context,
                                                 EffectsMemo &memo);

} // namespace busfare::brs

#endif
