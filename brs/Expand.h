//===- brs/Expand.h - One access over a whole nest -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The elements one access touches while loops of its nest run, for reports and for
// footprints (a tile is a nest whose outer loops stay fixed).
//
//   for i = 1 .. n - 2 { for j = 0 .. m - 1 { read a[i - 1][j] } }
//     over both loops:  [0:n-3:1][0:m-1:1]      over j alone:  [i-1:i-1:1][0:m-1:1]
//
// Over-approximates: an unknown subscript is the whole dimension, a guard that is not
// exact is taken to hold where it may. Symbols that a Define gives a value per
// iteration stay in the result by name; list them in `also` to project them out.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_BRS_EXPAND_H
#define BUSFARE_BRS_EXPAND_H

#include "brs/Domain.h"
#include "brs/ElementSet.h"

namespace busfare::brs {

/// The union over all iterations of the innermost `loops` loops of the nest (all of them if more than there are); the
/// indices of the others stay symbols.
ElementSet expand(const skeleton::Access &access, const Nest &nest, unsigned loops = ~0u,
                  llvm::ArrayRef<std::string> also = {});

/// The same as boxes, clipped to the array's extents where a subscript is not known.
SectionSet expandToSections(const skeleton::Access &access, const skeleton::Array &array, const Nest &nest);

} // namespace busfare::brs

#endif
