//===- clang-plugin/walk/NestedContainers.cpp - Containers of containers -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A vector of vectors is a table of pointers (Rows.cpp) whose rows never overlap, since each
// owns its memory. Where all of them are made with one length, that is their size():
//
//   std::vector<std::vector<double>> u(n, std::vector<double>(m));    `u[]` : f64[n][m] distinct-rows
//   for (i = 0; i < n; i++) v[i].resize(m);                           `v[]` likewise
//   u[i].size()                                                       m
//
// Rows of containers made here that get other lengths one by one (`v[i].push_back(x)`) keep
// their names; how long they are is not known then, and asking for it reads the container:
//
//   `adj[]` : i32[n][?] distinct-rows
//
// Not followed: rows of a caller's table that get another length, rows that are swapped or
// moved among themselves, containers in structs in containers.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

using Kind = RowState::Kind;

/// `vector<T>(m)`, `vector<T>(m, x)`: what is given for m and x; nothing if the expression is something else.
static const clang::CXXConstructExpr *sizedConstruction(const clang::Expr *expr) {
  const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(withoutWrappers(expr));
  bool isSized = made && handleOf(made->getType()) == Handle::Owner && made->getNumArgs() >= 1 &&
                 !made->getType()->getAsCXXRecordDecl()->getName().starts_with("valarray") &&
                 classOf(made->getArg(0)->getType().getNonReferenceType()) == TypeClass::Integer;
  return isSized ? made : nullptr;
}

/// How long the rows are that are copies of this one, and their rows; nothing if that is not known.
std::optional<std::vector<Symbolic>> Walker::lengthsLike(const clang::Expr *row) {
  Location location = locate(row);
  clang::QualType type = row->getType().getNonReferenceType();
  std::vector<Symbolic> lengths;
  if (const clang::CXXConstructExpr *made = sizedConstruction(row)) {
    lengths.push_back(integer(made->getArg(0)).expr);
    const clang::Expr *element =
        made->getNumArgs() > 1 && !llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(1)) ? made->getArg(1) : nullptr;
    if (!isTableOfContainers(type)) {
      if (element) storeAway(element);
    } else if (element && handleOf(element->getType().getNonReferenceType()) == Handle::Owner) {
      std::optional<std::vector<Symbolic>> deeper = lengthsLike(element);
      if (!deeper) return std::nullopt;
      llvm::append_range(lengths, *deeper);
    }
  } else {
    HandleValue like = handle(row);
    if (!like.size || like.at.object.empty()) return std::nullopt;
    lengths.push_back(like.size->expr);
    wholeAccess(AccessKind::Read, like.at, std::nullopt, false, location);
    if (isTableOfContainers(type)) {
      std::optional<std::vector<Symbolic>> deeper = lengthsIn(like.at);
      if (!deeper) return std::nullopt;
      llvm::append_range(lengths, *deeper);
    }
  }
  if (llvm::any_of(lengths, [](const Symbolic &one) { return one.isPoisoned(); })) return std::nullopt;
  return lengths;
}

/// The lengths of the rows in a whole table, level by level; none: its rows are empty. Nothing if they are not known.
std::optional<std::vector<Symbolic>> Walker::lengthsIn(const Pointer &table) {
  std::vector<Symbolic> lengths;
  std::string name = table.object;
  if (!st.objects.count(name) || !llvm::all_of(table.index, [](auto &i) { return i && i->isZero(); }))
    return std::nullopt;
  for (; handleOf(object(name).element) == Handle::Owner; name += "[]") {
    RowState state = rowsState(name, name + "[]");
    if (state.kind == Kind::Unset) return lengths;
    if (state.kind != Kind::Filled || !state.length) return std::nullopt;
    lengths.push_back(*state.length);
    if (!st.objects.count(name + "[]")) return std::nullopt;
  }
  return lengths;
}

/// The size of the container in this place, an element of a table.
Value Walker::sizeOfRow(const Place &place, Location location) {
  std::string name = rowsName(place);
  RowState state = name.empty() ? RowState() : rowsState(place.at.object, name);
  if (state.kind == Kind::Filled && state.length) return Value{*state.length};
  read(place, location);
  return Value{freshSymbol("", "the size of one of many containers", location, true, false, Symbolic(0))};
}

/// Stores of containers themselves into a table that keeps its rows known.
void Walker::setContainers(const Pointer &table, Location location) {
  bool before = std::exchange(fillsTable, true);
  wholeAccess(AccessKind::Write, table, std::nullopt, false, location);
  fillsTable = before;
}

/// All rows of a new table get memory of their own, of these lengths; their elements get values.
void Walker::fillRows(const Pointer &table, llvm::ArrayRef<Symbolic> lengths, Location location, const Pointer &like) {
  Pointer at = table;
  for (size_t level = 0; level < lengths.size(); ++level) {
    Place first{at, object(at.object).element};
    std::string name = rowsName(first);
    if (name.empty()) return loseTable(at.object);
    RowState made{Kind::Filled};
    made.isWhole = true;
    made.length = lengths[level];
    bool isKnown = st.isDeclared(name);
    size_t rank = at.index.size();
    Object &rows = declareRows(first, made, location);
    if (isKnown && rows.array.extents[rank] != made.length) rows.array.extents[rank] = std::nullopt;
    st.env.tables.rows[name] = made;
    noteFreshTable(name);
    host(HostReason::Allocation, "memory for each row", {}, location);
    at = Pointer{name, {}};
    at.index.assign(object(name).array.extents.size(), Symbolic(0));
    bool isLast = level + 1 == lengths.size();
    if (isLast && !like.object.empty())
      copyWhole(lastRows(like, lengths.size()), std::nullopt, at, std::nullopt, location);
    else setContainers(at, location);
  }
}

/// The start of what lies so many levels below the table.
Pointer Walker::lastRows(const Pointer &table, size_t levels) {
  Pointer at{table.object, {}};
  while (levels-- > 0) at.object += "[]";
  at.index.assign(object(at.object).array.extents.size(), Symbolic(0));
  return at;
}

/// All rows of one table into those of another, where both are known to be alike.
bool Walker::copyRows(const Pointer &from, const Pointer &to, Location location) {
  std::optional<std::vector<Symbolic>> lengths = lengthsIn(from);
  if (!lengths || lengths->empty() || lengths != lengthsIn(to)) return false;
  copyWhole(lastRows(from, lengths->size()), std::nullopt, lastRows(to, lengths->size()), std::nullopt, location);
  return true;
}

/// A new table of so many containers, copies of `like` if that is given; else they are empty.
HandleValue Walker::freshTable(const Symbolic &count, clang::QualType element, const std::string &hint,
                               const clang::Expr *like, Location location) {
  std::optional<std::vector<Symbolic>> lengths = std::vector<Symbolic>();
  if (like && handleOf(like->getType().getNonReferenceType()) == Handle::Owner) lengths = lengthsLike(like);
  HandleValue table = freshElements(count, element, hint, false, location);
  setContainers(table.at, location);
  if (lengths) fillRows(table.at, *lengths, location);
  else loseTable(table.at.object);
  return table;
}

/// A copy of all rows of a table.
HandleValue Walker::copyTable(const HandleValue &source, clang::QualType element, const std::string &hint,
                              Location location) {
  std::optional<std::vector<Symbolic>> lengths = lengthsIn(source.at);
  HandleValue copy = freshElements(
      source.size ? source.size->expr : freshSymbol("", "a container's size", location, true, false, Symbolic(0)),
      element, hint, false, location);
  setContainers(copy.at, location);
  if (lengths) {
    fillRows(copy.at, *lengths, location, source.at);
    return copy;
  }
  loseTable(copy.at.object);
  if (!source.at.object.empty()) wholeAccess(AccessKind::Read, source.at, std::nullopt, false, location);
  if (!source.at.object.empty()) { // which rows are read, and what those of the copy hold, nobody knows
    Place any{source.at, element};
    for (auto &index : any.at.index) index = std::nullopt;
    Place row{readHandle(any, location).at, pointeeOf(element)};
    if (row.at.object.empty()) row.at = unknownPointer(hint, row.type, location);
    wholeAccess(AccessKind::Read, row.at, std::nullopt, true, location);
  }
  return copy;
}

/// Is the statement one that every iteration of the loop runs?
static bool runsInEach(const clang::Stmt *loop, const clang::Stmt *statement) {
  const clang::Stmt *body = nullptr;
  if (const auto *of = llvm::dyn_cast_or_null<clang::ForStmt>(loop)) body = of->getBody();
  if (const auto *of = llvm::dyn_cast_or_null<clang::CXXForRangeStmt>(loop)) body = of->getBody();
  if (!body || mayJump(body)) return false;
  auto isIt = [&](const clang::Stmt *one) {
    if (one == statement) return true;
    const auto *value = llvm::dyn_cast_or_null<clang::Expr>(one);
    return value && value->IgnoreImplicit() == statement;
  };
  const auto *block = llvm::dyn_cast<clang::CompoundStmt>(body);
  return block ? llvm::any_of(block->body(), isIt) : isIt(body);
}

/// Does the statement, in the loops around it, set each element of the object once?
bool Walker::coversAll(const Place &place, const clang::Stmt *by) const {
  std::vector<const Frame *> loops;
  for (const Frame &frame : st.frames) {
    if (frame.isSwitch) return false;
    loops.push_back(&frame);
  }
  Pointer at = place.at;
  const Array &array = st.objects.at(at.object).array;
  if (loops.empty() || loops.size() != at.index.size() || loops.size() != array.extents.size()) return false;
  for (size_t d = 0; d < loops.size(); ++d) {
    if (!runsInEach(loops[d]->stmt, d + 1 < loops.size() ? loops[d + 1]->stmt : by)) return false;
    if (loops[d]->symbol.empty()) continue; // on trial; for good it is asked again
    bool isWhole = at.index[d] && array.extents[d] && *at.index[d] == Symbolic::symbol(loops[d]->symbol) &&
                   loops[d]->lower && loops[d]->lower->isZero() && loops[d]->upper == *array.extents[d] - 1;
    if (!isWhole) return false;
  }
  return true;
}

/// Something that is not followed is done to the container in the place: if it is an element of a table, its rows are
/// lost.
void Walker::loseRow(const Place &place) {
  if (place.variable.empty() && !rowsName(place).empty()) loseTable(place.at.object);
}

/// The container in the place, an element of a table, gets another length, which one is not said; the host touches its
/// elements. False if its table cannot say so: then its rows are lost.
bool Walker::changeRow(const Place &place, llvm::StringRef how, Location location) {
  std::string name = rowsName(place), table = place.at.object;
  if (name.empty()) return false;
  RowState state = rowsState(table, name);
  Storage storage = object(table).array.storage;
  bool isOwn = storage == Storage::Local || storage == Storage::Heap || st.env.tables.fresh.count(table);
  if (!isOwn || (state.kind != Kind::Unset && state.kind != Kind::Filled && state.kind != Kind::Filling)) {
    loseTable(table);
    return false;
  }
  RowState made{Kind::Filled};
  made.isWhole = true;
  Place normal = place;
  normalize(normal.at);
  size_t rank = normal.at.index.size();
  declareRows(normal, made, location).array.extents[rank] = std::nullopt;
  st.env.tables.rows[name] = made;
  if (state.kind == Kind::Unset) noteFreshTable(name);
  Pointer row{name, normal.at.index};
  row.index.resize(object(name).array.extents.size());
  Block accesses = accessesOf([&] {
    bool before = std::exchange(fillsTable, true);
    read(place, location);
    write(place, location, true);
    read(Place{row, object(name).element}, location, true);
    write(Place{row, object(name).element}, location, true);
    fillsTable = before;
  });
  host(HostReason::Allocation, how, std::move(accesses), location);
  return true;
}

/// The container in the place, an element of a table, gets so many elements; isSet: even those that it had get values,
/// those of `like` if that leads somewhere. False if its table cannot say so: then its rows are lost.
bool Walker::setRow(const Place &place, const Symbolic &count, bool isSet, const Pointer &like, const clang::Stmt *by,
                    Location location) {
  std::string name = rowsName(place), table = place.at.object;
  if (name.empty()) return false;
  RowState state = rowsState(table, name);
  Place normal = place;
  normalize(normal.at);
  bool isKnown = st.isDeclared(name);
  bool isSame = state.kind == Kind::Filled && state.length && *state.length == count;
  bool isFilling = (state.kind == Kind::Unset && !isKnown) || (state.kind == Kind::Filling && state.by == by);
  if (!isSame && !(isFilling && coversAll(normal, by))) return changeRow(place, isSet ? "assign" : "resize", location);
  if (!isSame) {
    unsigned mark = st.frames.front().mark;
    RowState made{Kind::Filling};
    made.isWhole = true;
    made.by = by;
    bool isFixed = !count.isPoisoned() && llvm::all_of(count.symbols(), [&](const std::string &symbol) {
      auto facts = st.symbols.find(symbol);
      return facts == st.symbols.end() || facts->second.serial <= mark;
    });
    if (isFixed) made.length = count;
    size_t rank = normal.at.index.size();
    Object &rows = declareRows(normal, made, location);
    if (isKnown && rows.array.extents[rank] != made.length) rows.array.extents[rank] = std::nullopt;
    st.env.tables.rows[name] = made;
    noteFreshTable(name);
    host(HostReason::Allocation, "memory for each row", {}, location);
    bool before = std::exchange(fillsTable, true);
    write(place, location);
    fillsTable = before;
  }
  if (isSame && !isSet) return true;
  Pointer row{name, normal.at.index};
  row.index.resize(object(name).array.extents.size(), Symbolic(0));
  bool before = std::exchange(fillsTable, true);
  Symbolic bytes = count * Symbolic(std::max<uint64_t>(bytesOf(pointeeOf(place.type), context), 1));
  copyWhole(like, bytes, row, bytes, location);
  fillsTable = before;
  return true;
}

/// `v[i] = vector<T>(m)`, `v[i] = w`. False if something else is assigned.
bool Walker::assignRow(const Place &place, const clang::CXXOperatorCallExpr *assign, Location location) {
  const clang::Expr *source = assign->getArg(1);
  if (rowsName(place).empty() || isTableOfContainers(place.type)) return false;
  if (sizedConstruction(source)) {
    std::optional<std::vector<Symbolic>> lengths = lengthsLike(source);
    return lengths && setRow(place, lengths->front(), true, Pointer(), assign, location);
  }
  if (!source->isLValue()) return false;
  HandleValue value = handle(source);
  return value.size && !value.size->expr.isPoisoned() &&
         setRow(place, value.size->expr, true, value.at, assign, location);
}

} // namespace busfare::frontend
