//===- clang-plugin/walk/TablesOfCallers.cpp - Tables of pointers across calls -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function that uses the rows of a table it is given gets them as one more array:
//
//   void scale(double **a, ...)      function scale(array a, ..., array `a[]`)
//   scale(u, ...);                   call scale(&u, ..., &`u[]`)
//
// If the caller cannot tell them any more they are no known array. What the function
// stores into its callers' tables they lose when it returns; what it fills they have.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

using Kind = RowState::Kind;

/// The caller's table that the callee knows by (position, suffix), at its first element; no object if it is not known.
Place Walker::tableOfExtra(int position, const std::string &suffix, llvm::ArrayRef<Pointer> arguments,
                           const NameOfExtra &nameOfExtra, Location location) {
  Place table;
  if (suffix.empty()) {
    if (position >= 0 && position < int(arguments.size())) table.at = arguments[position];
  } else if (std::optional<Place> actual = nameOfExtra(position, suffix)) {
    table.at = actual->at;
    if (!actual->variable.empty()) {
      clang::QualType type = actual->type;
      if (auto origin = st.fieldOrigins.find(actual->variable); type.isNull() && origin != st.fieldOrigins.end())
        type = origin->second.type;
      bool isSet = st.env.pointers.count(actual->variable) || st.fieldOrigins.count(actual->variable);
      table.at =
          isSet && classOf(type) == TypeClass::Pointer ? readPointer(actual->variable, type, location) : Pointer();
    }
  }
  if (!st.objects.count(table.at.object)) return Place();
  normalize(table.at);
  return table;
}

/// The element of the table, or the field of it at the path; no type if there is none.
static Place fieldAlong(Place element, llvm::StringRef path,
                        llvm::function_ref<Place(const Place &, const clang::FieldDecl *)> member) {
  while (!path.empty()) {
    path.consume_front(".");
    size_t end = std::min(path.find('.'), path.size());
    const auto *record = element.type->getAsRecordDecl();
    const clang::FieldDecl *field =
        record && record->getDefinition() ? fieldNamed(record, path.take_front(end)) : nullptr;
    if (!field) return Place();
    element = member(element, field);
    path = path.drop_front(end);
  }
  return element;
}

/// What a callee is given that knows it as one struct of that type: an element of a table, or a part of one.
std::optional<Place> Walker::recordGiven(const Pointer &at, clang::QualType type) {
  const Object &table = object(at.object);
  if (table.element.isNull() || (at.inside && at.path.empty())) return std::nullopt;
  Place element;
  element.at = at;
  element.at.inside = false;
  element.at.path.clear();
  element.type = table.element;
  element = fieldAlong(element, at.path,
                       [&](const Place &base, const clang::FieldDecl *field) { return member(base, field); });
  return !element.type.isNull() && context.hasSameUnqualifiedType(element.type, type) ? std::optional(element)
                                                                                      : std::nullopt;
}

/// All rows of the table's elements (or a field of them), if they are known.
std::optional<Place> Walker::rowsOfTable(const Place &table, llvm::StringRef path, Location location) {
  if (table.at.object.empty() || !llvm::all_of(table.at.index, [](auto &i) { return i && i->isZero(); }))
    return std::nullopt;
  Place element = table;
  element.type = object(table.at.object).element;
  if (element.type.isNull() || table.at.inside) return std::nullopt;
  element =
      fieldAlong(element, path, [&](const Place &base, const clang::FieldDecl *field) { return member(base, field); });
  if (element.type.isNull()) return std::nullopt;
  std::optional<Pointer> rows = rowAt(element, location);
  if (!rows || rows->object != rowsName(element))
    return std::nullopt; // rows of another object have no shape of their own
  Place result;
  result.at = *rows;
  result.type = object(rows->object).element;
  return result;
}

/// A called function sets all of the table's pointers to memory of their own. False if that leaves rows nobody can
/// name.
bool Walker::fillTable(const Place &table, llvm::StringRef path, const RowState &filled) {
  const std::string &name = table.at.object, rows = name + "[]" + path.str();
  if (name.empty() || st.isDeclared(rows) || !llvm::all_of(table.at.index, [](auto &i) { return i && i->isZero(); }))
    return false;
  if (object(name).array.storage == Storage::Alias ||
      llvm::any_of(st.frames, [](const Frame &frame) { return !frame.isSwitch; }))
    return false;
  Kind before = rowsState(name, rows).kind;
  if (filled.isWhole) noteFreshTable(name); // a new table, too
  else if (before != Kind::Unset) return false;
  st.env.tables.rows[rows] = filled;
  return true;
}

void Walker::takeOverTables(const Summary &known, const std::set<std::string> &filledBefore,
                            llvm::function_ref<Place(int, const std::string &)> tableOf,
                            llvm::function_ref<std::optional<Symbolic>(const Symbolic &)> instantiate) {
  if (known.forgetsTables) forgetTables();
  auto lose = [&](const std::string &table) {
    if (!st.objects.count(table)) return forgetTables(); // it may be any
    const Array &array = object(table).array;
    if (array.storage == Storage::Alias && array.mayBe.empty()) return forgetTables();
    std::set<std::string> any(array.mayBe.begin(), array.mayBe.end());
    any.insert(table);
    loseTables([&](const std::string &name) { return any.count(name) != 0; });
  };
  for (const auto &[position, suffix] : known.lostTables) lose(tableOf(position, suffix).at.object);
  for (const auto &[which, state] : known.filledRows) {
    const auto &[position, suffix] = which;
    size_t cut = suffix.rfind("[]");
    Place table = tableOf(position, suffix.substr(0, cut));
    if (filledBefore.count(table.at.object + suffix.substr(cut))) continue;
    RowState filled = state;
    if (filled.length) filled.length = instantiate(*filled.length);
    if (!known.lostTables.count({position, suffix.substr(0, cut)}) &&
        fillTable(table, llvm::StringRef(suffix).substr(cut + 2), filled))
      continue;
    lose(table.at.object);
  }
}

/// Of memory that a function has returned: each of its rows is memory of its own, and may hold something by now.
void Walker::takeOverRows(const Pointer &table, const RowState &state, const skeleton::Substitution &actuals,
                          clang::QualType pointee, Location location) {
  Place element;
  element.at = table;
  element.type = pointee;
  std::string name = rowsName(element);
  if (name.empty() || st.isDeclared(name)) return;
  RowState made{Kind::Filled};
  if (state.length &&
      llvm::all_of(state.length->symbols(), [&](const std::string &symbol) { return actuals.count(symbol) != 0; })) {
    Symbolic length = state.length->substitute(actuals);
    if (!length.isPoisoned()) made.length = length;
  }
  if (llvm::any_of(st.frames, [](const Frame &frame) { return !frame.isSwitch; }))
    return; // other rows in each iteration
  st.env.tables.rows[name] = made;
  Pointer rows;
  rows.object = name;
  rows.index.resize(declareRows(element, made, location).array.extents.size());
  std::vector<skeleton::Finding> quiet = st.findings;
  write(Place{rows, object(name).element}, location, true);
  st.findings = std::move(quiet);
}

} // namespace busfare::frontend
