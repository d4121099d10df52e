//===- skeleton/Verify.h - Whether a skeleton means anything --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the stages after it rely on, checked once:
//
//   - every array named is declared, with as many subscripts as extents;
//   - every symbol in a formula is a `param`, a `constant`, the index of a loop
//     around it, or was defined before it in a block around it. Extents may use
//     any symbol of their function (an array can be declared before its size is
//     known), those of globals only constants;
//   - functions, arrays, symbols and loop indices have one meaning each;
//   - steps are not 0, probabilities lie in [0, 1], counts are finite;
//   - a Rotate is a permutation of alike arrays; a const array is not written;
//   - a call of a function in the program passes what its parameters take;
//   - host statements hold accesses only; no formula overflowed.
//
//   axpy.skel:4:3: function 'axpy': array 'z' is not declared
//
// A call of a function that is not in the program is no error: it stays opaque.
// Names in hints are not checked: they are the user's words about the source.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_SKELETON_VERIFY_H
#define BUSFARE_SKELETON_VERIFY_H

#include "skeleton/Skeleton.h"
#include "llvm/Support/Error.h"

namespace busfare::skeleton {

/// The first thing that is wrong, with its place.
llvm::Error verify(const Program &program);
/// The same for one function that need not be among the program's, such as what Inline makes.
llvm::Error verify(const Program &program, const Function &function);

} // namespace busfare::skeleton

#endif
