//===- projection/Reference.h - References of a kernel, grouped and strided ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Accesses to one array whose subscripts differ only by constants walk together: a
// stencil's neighbours, for example. Such a reference group is the unit of traffic: what
// one of them brought near, the others find there.
//
//   read t[i][j]  read t[i][j - 1]  read t[i][j + 1]     one group of three
//   read b[k][j]                                         another
//
// For each group: how often it happens, and the distance in elements that its position
// moves when an index grows by one (0: the same element again; 1: the next one).
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_PROJECTION_REFERENCE_H
#define BUSFARE_PROJECTION_REFERENCE_H

#include "projection/Work.h"

namespace busfare::projection {

struct Reference {
  std::string array;
  double elementBytes = 0;
  double count = 0;   ///< Of the member that happens most: the others find what it brought.
  double accesses = 0; ///< Of all members.
  unsigned members = 0;
  bool reads = false, writes = false;
  bool indirect = false; ///< Some subscript is not known.
  std::vector<const skeleton::Loop *> loops; ///< Around it.
  std::map<const skeleton::Loop *, double> strides; ///< Elements per step of each loop's index; absent = indirect.

  /// 0 if the loop is not around it.
  double strideOf(const skeleton::Loop &loop) const;
  bool dependsOn(const skeleton::Loop &loop) const { return indirect || strideOf(loop) != 0; }
};

/// The references of arrays (not of scalars, not of perIteration arrays) in the work.
std::vector<Reference> referencesOf(const skeleton::Program &program, const skeleton::Function &function, const Work &work,
                                    const skeleton::RealValues &values);

} // namespace busfare::projection

#endif
