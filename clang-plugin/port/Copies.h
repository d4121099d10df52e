//===- clang-plugin/port/Copies.h - Planned copies as statements ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A section as contiguous runs, and the statements that copy it:
//
//   u[0:n-1:1][0:m-1:1] of n x m    one run        #pragma omp target update to(u[0:n*m])
//   u[1:n-2:1][1:m-2:1]             n-2 rows       omp_target_memcpy_rect
//   u[0:n-1:1][0:m-1:2]             single elements, each an update in a loop
//
// clang 19's own sections with strides or several dimensions move the wrong elements,
// so none are written. Boxes that overlap and are to cross once are cut apart first.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_COPIES_H
#define BUSFARE_CLANG_PLUGIN_PORT_COPIES_H

#include "brs/Section.h"
#include "brs/Transfers.h"
#include "clang-plugin/port/CText.h"
#include "projection/Copies.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace busfare::frontend::port {

/// Boxes that are copied one after the other, in the array's elements.
struct Pieces {
  std::vector<brs::Section> boxes; ///< Element by element.
  struct Range {
    skeleton::Expr first, last;          ///< Row-major, all between included,
    std::vector<skeleton::Expr> notLess; ///< if each of these is 0 or more: dimensions of the box that are not empty.
  };
  std::vector<Range> ranges;
  bool isCut = false; ///< Some of the section may lie behind the array's end.
};

/// elements: of the whole array, if its extents do not tell. Error: the extents are not known, the boxes cannot be told
/// apart, or what lies behind the array's end cannot be cut off.
llvm::Expected<Pieces> piecesOf(const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                                const projection::CopyMethod &method, const brs::Context &context,
                                std::optional<skeleton::Expr> elements);

/// All of them, where that is one range of whole rows, which may be cut between any two; elements of a row.
struct WholeRows {
  Pieces::Range range;
  skeleton::Expr row;
};
std::optional<WholeRows> wholeRows(const Pieces &pieces, const brs::ArrayTransfers &array);

struct CopyQuestion {
  const brs::ArrayTransfers &array;
  bool toDevice = false;
  std::string pointer; ///< C text of a pointer to an element of the array,
  skeleton::Expr offset; ///< which is this one, row-major.
  std::string elementBytes; ///< As C: `sizeof *u`.
  /// Text of a formula; fills `missing` if a symbol has none.
  llvm::function_ref<std::string(const skeleton::Expr &)> text;
  std::string runs; ///< Condition for all of it; empty: none.
  const brs::Context
      &context; ///< What holds where the copy stands; a count that may be 0 or less there is tested first.
  int watched = -1; ///< The number of the copy if the watch library is asked.
};

/// Statements, one a string, that copy the pieces. They declare nothing outside their own blocks.
std::vector<std::string> copyStatements(const Pieces &pieces, const CopyQuestion &question);

} // namespace busfare::frontend::port

#endif
