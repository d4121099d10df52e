//===- brs/Claims.h - Directives against what was found -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An OpenMP directive claims that iterations may run in any order once its clauses
// are applied. Where the analysis disagrees, a Finding says so (BF014):
//
//   #pragma omp parallel for          warning: `parallel for` claims independent iterations,
//   for i { a[i] = a[i-1] }           but a[i] -> a[i - 1]: a[1] at i = 1, then i = 2
//
// A claim that is only not proved is a remark. Atomic and critical constructs are
// not in a skeleton: an update that one of them protects is reported as a missing
// reduction.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_CLAIMS_H
#define BUSFARE_BRS_CLAIMS_H

#include "brs/Dependence.h"
#include <set>

namespace busfare::brs {

/// The findings of one directive, held against the verdict of one of the loops it covers (more than one with
/// collapse). `refuted`: names whose dependences surely happen for some sizes, unless treated.
std::vector<skeleton::Finding> checkClaim(const skeleton::Loop &claiming, const LoopVerdict &verdict,
                                          const std::set<std::string> &refuted);

/// The loops that the directive covers, itself first: perfectly nested ones under collapse.
std::vector<const skeleton::Loop *> loopsCovered(const skeleton::Loop &loop);

} // namespace busfare::brs

#endif
