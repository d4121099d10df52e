//===- clang-plugin/walk/StridedRows.cpp - Rows of one object ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rows that lie in one object, as far from each other as from the next:
//
//   a[0] = malloc(n * m * sizeof(double));               a[i][j] is
//   for (i = 1; i < n; i++) a[i] = a[i - 1] + m;         `a[]`[i*m + j]
//
//   for (i = 0; i < n; i++) row[i] = &A[i][0];           row[i][j] is A[i][j]
//
// Nothing is assumed: the table holds no pointers before, and a later store loses it.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

using Kind = RowState::Kind;

/// Where the table's element points to.
std::optional<Pointer> Walker::stridedRow(const Pointer &at, const RowState &state) const {
  if (at.index.size() != 1) return std::nullopt;
  if (state.first && at.index[0] && *at.index[0] == state.row) return state.first;
  if (state.kind != Kind::Strided || !state.origin) return std::nullopt;
  Pointer result = *state.origin;
  for (size_t d = 0; d < result.index.size(); ++d) {
    if (state.stride[d].isZero()) continue;
    if (at.index[0]) result.index[d] = *result.index[d] + state.stride[d] * *at.index[0];
    else result.index[d] = std::nullopt;
  }
  return result;
}

/// The only loop around, if there is exactly one.
static const Frame *onlyLoop(const State &st) {
  const Frame *found = nullptr;
  for (const Frame &frame : st.frames) {
    if (frame.isSwitch) continue;
    if (found) return nullptr;
    found = &frame;
  }
  return found;
}

/// Made of what was known before the loop, its index not among it.
static bool isFixedIn(const State &st, const Frame &loop, const Symbolic &number) {
  return !number.isPoisoned() && llvm::all_of(number.symbols(), [&](const std::string &symbol) {
    auto facts = st.symbols.find(symbol);
    return facts == st.symbols.end() || facts->second.serial <= loop.mark;
  });
}

/// `a[i] = a[i - 1] + m` in a loop that begins behind the row that is known.
std::optional<Pointer> Walker::stepRow(const Place &place, const clang::BinaryOperator *assign) {
  std::string name = rowsName(place);
  const Frame *loop = onlyLoop(st);
  const auto *sum = llvm::dyn_cast<clang::BinaryOperator>(assign->getRHS()->IgnoreParenImpCasts());
  if (name.empty() || !loop || !sum || sum->getOpcode() != clang::BO_Add || sum->HasSideEffects(context) ||
      place.at.index.size() != 1 || !place.at.index[0])
    return std::nullopt;
  const auto *before = llvm::dyn_cast<clang::ImplicitCastExpr>(sum->getLHS()->IgnoreParens());
  if (!before || before->getCastKind() != clang::CK_LValueToRValue || !before->getType()->isPointerType() ||
      !llvm::isa<clang::ArraySubscriptExpr>(before->getSubExpr()->IgnoreParens()))
    return std::nullopt;
  RowState state = rowsState(place.at.object, name);
  if (state.kind != Kind::First) return std::nullopt;
  flush();
  Block scratch, *target = out;
  out = &scratch; // its subscript again, if it turns out to be another pointer
  Place previous = lvalue(before->getSubExpr());
  out = target;
  bool isPrevious = rowsName(previous) == name && previous.at.index.size() == 1 && previous.at.index[0] &&
                    *previous.at.index[0] == *place.at.index[0] - 1;
  Symbolic step = integer(sum->getRHS()).expr;
  if (!isPrevious || !isFixedIn(st, *loop, step)) return std::nullopt;
  std::optional<Symbolic> elements = elementsIn(
      place.type->getPointeeType(), std::max<uint64_t>(bytesOf(object(state.first->object).element, context), 1));
  if (!elements || state.first->index.size() != 1 || !state.first->index[0]) return std::nullopt;
  RowState made = state;
  made.kind = Kind::Strided;
  made.by = assign;
  if (!loop->symbol.empty()) {
    if (!loop->lower || *place.at.index[0] != Symbolic::symbol(loop->symbol) + (state.row + 1 - *loop->lower))
      return std::nullopt;
    made.stride = {step * *elements};
    made.origin = *state.first;
    made.origin->index[0] = *state.first->index[0] - made.stride[0] * state.row;
    if (made.stride[0].isPoisoned() || made.origin->index[0]->isPoisoned()) return std::nullopt;
  }
  st.env.tables.rows[name] = made;
  read(previous, locate(before)); // its value has a closed form, but the loop goes by what is in memory
  fillsTable = true;
  write(place, locate(assign));
  fillsTable = false;
  Pointer at = place.at;
  return stridedRow(at, made).value_or(Pointer());
}

/// The pointer is stored in a table that holds none: its first row, or one after the other of a loop. False if that is
/// not so plain.
bool Walker::placeRow(const Place &place, const clang::BinaryOperator *assign, const Pointer &value) {
  std::string name = rowsName(place);
  bool isRowStart = !value.index.empty() && value.index.back() && value.index.back()->isZero();
  if (name.empty() || value.object.empty() || value.inside || (value.flat && !isRowStart) ||
      place.at.index.size() != 1 || !place.at.index[0])
    return false;
  if (!st.isDeclared(value.object) || object(value.object).array.storage == Storage::Alias ||
      !object(value.object).prefix.empty() || !object(value.object).rowsOf.empty())
    return false;
  if (!llvm::all_of(value.index, [](auto &i) { return i.has_value(); }) || value.index.empty()) return false;
  RowState state = rowsState(place.at.object, name);
  if (state.kind != Kind::Unset && state.kind != Kind::First) return false;
  const Symbolic &row = *place.at.index[0];
  const Frame *loop = onlyLoop(st);
  if (!loop) {
    if (isInLoop() || state.kind != Kind::Unset || !row.constant()) return false;
    RowState made{Kind::First};
    made.row = row;
    made.first = value;
    st.env.tables.rows[name] = made;
    return true;
  }
  RowState made = state;
  made.kind = Kind::Strided;
  made.by = assign;
  if (!loop->symbol.empty()) {
    Symbolic index = Symbolic::symbol(loop->symbol), ahead = row - index; // the row is index + ahead
    if (!isFixedIn(st, *loop, ahead)) return false;
    made.origin = value;
    for (auto &position : made.origin->index) {
      std::optional<Symbolic> step = position->coefficientOf(loop->symbol);
      if (!step || !isFixedIn(st, *loop, *step) || !isFixedIn(st, *loop, *position - *step * index)) return false;
      made.stride.push_back(*step);
      position = *position - *step * index - *step * ahead;
      if (position->isPoisoned()) return false;
    }
    // Row by row from the one that was known.
    if (state.kind == Kind::First &&
        (!(stridedRow(Pointer{"", {state.row + 1}}, made)) || made.origin->object != state.first->object))
      return false;
    if (state.kind == Kind::First)
      for (size_t d = 0; d < made.stride.size(); ++d)
        if (*made.origin->index[d] + made.stride[d] * state.row != *state.first->index[d]) return false;
  }
  st.env.tables.rows[name] = made;
  return true;
}

} // namespace busfare::frontend
