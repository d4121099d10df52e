//===- clang-plugin/walk/CopiedMemory.cpp - Ranges of memory -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// memcpy, memmove and memset as loops over the elements they touch. What a copy
// reads stays in the loop that writes: whoever moves that loop to the device
// moves the whole copy.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// The number of an element in a box, row by row.
static Symbolic ordinal(const ElementBox &box, const std::vector<Symbolic> &at) {
  Symbolic sum(0);
  for (size_t d = 0; d < at.size(); ++d) sum = sum * (box.upper[d] - box.lower[d] + 1) + (at[d] - box.lower[d]);
  return sum;
}

/// The element of `box` that is copied from or to the one at `at` in `over`.
static std::optional<std::vector<Symbolic>> sameElement(const ElementBox &box, const ElementBox &over,
                                                        const std::vector<Symbolic> &at) {
  // Two pieces of one shape, whatever arrays they are cut from.
  auto wide = [](const ElementBox &one) {
    std::vector<size_t> dimensions;
    for (size_t d = 0; d < one.lower.size(); ++d)
      if (one.lower[d] != one.upper[d]) dimensions.push_back(d);
    return dimensions;
  };
  std::vector<size_t> here = wide(box), there = wide(over);
  bool isSameShape = here.size() == there.size();
  for (size_t k = 0; isSameShape && k < here.size(); ++k)
    isSameShape = box.upper[here[k]] - box.lower[here[k]] == over.upper[there[k]] - over.lower[there[k]];
  if (isSameShape) {
    std::vector<Symbolic> element = box.lower;
    for (size_t k = 0; k < here.size(); ++k) element[here[k]] = element[here[k]] + at[there[k]] - over.lower[there[k]];
    return element;
  }
  if (box.upper.size() == 1) return std::vector<Symbolic>{box.lower[0] + ordinal(over, at)};
  return std::nullopt;
}

/// How many rows of so many elements that is; nothing if it is not a whole number of them, or not plain.
static std::optional<Symbolic> rowsIn(const Symbolic &elements, const Symbolic &row) {
  if (std::optional<int64_t> size = row.constant()) {
    const bool isWhole = *size > 0 && llvm::all_of(elements.sum(), [&](const skeleton::Term &term) {
      return term.coefficient % *size == 0;
    });
    return isWhole ? std::optional(floorDiv(elements, *size)) : std::nullopt;
  }
  const std::set<std::string> symbols = row.symbols();
  if (symbols.size() != 1 || row != Symbolic::symbol(*symbols.begin())) return std::nullopt;
  std::optional<Symbolic> rows = elements.coefficientOf(*symbols.begin());
  return rows && *rows * row == elements ? rows : std::nullopt;
}

std::optional<ElementBox> Walker::boxBehind(const Pointer &pointer, const std::optional<Symbolic> &bytes) {
  const Object &target = object(pointer.object);
  size_t rank = target.array.extents.size();
  if (pointer.inside || target.array.storage == Storage::Alias) return std::nullopt;
  if (rank == 0) {
    if (!bytes) return ElementBox();
    bool isWhole =
        !target.element.isNull() && *bytes == Symbolic(context.getTypeSizeInChars(target.element).getQuantity());
    return isWhole ? std::optional<ElementBox>(ElementBox()) : std::nullopt;
  }
  if (!llvm::all_of(pointer.index, [](auto &i) { return i.has_value(); })) return std::nullopt;
  bool fromStart = llvm::all_of(pointer.index, [](auto &i) { return i->isZero(); });
  if (rank != 1 && !fromStart && !bytes) return std::nullopt;
  if (!bytes) {
    if (!llvm::all_of(target.array.extents, [](auto &extent) { return extent.has_value(); })) return std::nullopt;
    ElementBox box;
    for (size_t d = 0; d < rank; ++d) {
      box.lower.push_back(*pointer.index[d]);
      box.upper.push_back(*target.array.extents[d] - 1);
    }
    return box;
  }
  int64_t size = int64_t(target.array.type.bytes);
  if (!llvm::all_of(bytes->sum(), [&](const skeleton::Term &term) { return term.coefficient % size == 0; }))
    return std::nullopt;
  Symbolic elements = floorDiv(*bytes, size);
  if (rank == 1) return ElementBox{{*pointer.index[0]}, {*pointer.index[0] + elements - 1}};
  // A row of dimension d, whole, or some elements of the last dimension: a box. Other pieces of several rows are none.
  Symbolic inner(1);
  for (size_t d = rank; d-- > 0;) {
    bool isLast = d + 1 == rank;
    Symbolic count = isLast ? elements : Symbolic(1);
    bool staysInside =
        !isLast || !target.rowsOf.empty() || // leaving such a row is leaving its memory
        (target.array.extents[d] && st.ranges.isNonNegative(*target.array.extents[d] - *pointer.index[d] - elements));
    if (staysInside && inner * count == elements) {
      ElementBox box;
      for (size_t k = 0; k < rank; ++k) {
        box.lower.push_back(k <= d ? *pointer.index[k] : Symbolic(0));
        box.upper.push_back(k < d    ? *pointer.index[k]
                            : k == d ? *pointer.index[k] + count - 1
                                     : *target.array.extents[k] - 1);
      }
      return box;
    }
    if (d == 0 && target.rowsOf.empty()) // whole rows, from one of them on
      if (std::optional<Symbolic> rows = rowsIn(elements, inner)) {
        ElementBox box{{*pointer.index[0]}, {*pointer.index[0] + *rows - 1}};
        for (size_t k = 1; k < rank; ++k) {
          box.lower.emplace_back(0);
          box.upper.push_back(*target.array.extents[k] - 1);
        }
        return box;
      }
    if (!target.array.extents[d] || !pointer.index[d]->isZero()) return std::nullopt;
    inner = inner * *target.array.extents[d];
  }
  if (inner != elements) return std::nullopt;
  ElementBox box; // all of it
  for (const auto &extent : target.array.extents) {
    box.lower.emplace_back(0);
    box.upper.push_back(*extent - 1);
  }
  return box;
}

void Walker::overBox(const ElementBox &box, bool downward, Location location,
                     llvm::function_ref<void(const std::vector<Symbolic> &)> inside) {
  flush();
  Block body, *before = out;
  std::vector<skeleton::Loop> loops;
  std::vector<Symbolic> at;
  for (size_t d = 0; d < box.lower.size(); ++d) {
    at.push_back(box.lower[d]);
    bool isOneOfSeveral = box.lower.size() > 1 && box.lower[d] == box.upper[d];
    if (isOneOfSeveral) continue;
    skeleton::Loop loop;
    loop.index = freshName("it");
    loop.lower = Symbolic(0);
    loop.upper = box.upper[d] - box.lower[d];
    if (downward) {
      std::swap(loop.lower, loop.upper);
      loop.step = -1;
    }
    loop.form = skeleton::LoopForm::Algorithm;
    loop.location = location;
    st.symbols[loop.index] = {loop.index, false, false, 0, ++st.counter, {}, {}};
    at.back() = box.lower[d] + Symbolic::symbol(loop.index);
    loops.push_back(std::move(loop));
  }
  out = &body;
  inside(at);
  out = before;
  for (size_t d = loops.size(); d-- > 0;) {
    loops[d].body = std::move(body);
    body.clear();
    body.push_back(std::move(loops[d]));
  }
  for (Node &node : body) put(std::move(node));
}

void Walker::touchElement(AccessKind kind, const Pointer &pointer, std::optional<std::vector<Symbolic>> at,
                          Location location) {
  const Object &target = object(pointer.object);
  size_t rank = target.array.extents.size();
  Place place;
  place.at = pointer;
  place.type = target.element.isNull() ? context.CharTy : target.element;
  place.bytewise = true;
  if (at) place.at.index.assign(at->begin(), at->end());
  else if (rank != 0) place.at.index.assign(rank, std::nullopt);
  // That the whole array may be touched is no defect of the source's subscripts.
  const size_t findings = st.findings.size();
  access(kind, place, ReductionOp::None, location, !at, false);
  if (!at) st.findings.erase(st.findings.begin() + findings, st.findings.end());
}

void Walker::wholeAccess(AccessKind kind, const Pointer &given, const std::optional<Symbolic> &bytes, bool may,
                         Location location) {
  if (given.object.empty() || !st.isDeclared(given.object)) return;
  Pointer pointer = given;
  normalize(pointer);
  bool fromStart = llvm::all_of(pointer.index, [](auto &i) { return i && i->isZero(); });
  // How far a range goes that begins inside is not known: its end may be untouched.
  if (!bytes && !fromStart && kind != AccessKind::Read) may = true;
  std::optional<ElementBox> box;
  // What has no type yet is measured in bytes here, and in elements when it gets one.
  if (!may && !object(pointer.object).element.isNull()) box = boxBehind(pointer, bytes);
  if (box)
    overBox(*box, false, location, [&](const std::vector<Symbolic> &at) { touchElement(kind, pointer, at, location); });
  else touchElement(kind, pointer, std::nullopt, location);
}

void Walker::copyWhole(const Pointer &from, const std::optional<Symbolic> &readBytes, const Pointer &to,
                       const std::optional<Symbolic> &writtenBytes, Location location) {
  auto boxOf = [&](Pointer at, const std::optional<Symbolic> &bytes) -> std::optional<ElementBox> {
    if (!st.isDeclared(at.object) || object(at.object).element.isNull()) return std::nullopt;
    normalize(at);
    return boxBehind(at, bytes);
  };
  std::optional<ElementBox> source = boxOf(from, readBytes), target = boxOf(to, writtenBytes);
  bool isAlike = source && target && from.object != to.object &&
                 object(from.object).array.type.bytes == object(to.object).array.type.bytes &&
                 sameElement(*source, *target, target->lower);
  if (!isAlike) {
    if (!from.object.empty()) wholeAccess(AccessKind::Read, from, readBytes, false, location);
    return wholeAccess(AccessKind::Write, to, writtenBytes, false, location);
  }
  overBox(*target, false, location, [&](const std::vector<Symbolic> &at) {
    touchElement(AccessKind::Read, from, sameElement(*source, *target, at), location);
    touchElement(AccessKind::Write, to, at, location);
  });
}

void Walker::copyMemory(const clang::CallExpr *expr, bool reads, bool mayOverlap) {
  Location location = locate(expr);
  Pointer to = pointer(expr->getArg(0)), from;
  if (reads) from = pointer(expr->getArg(1));
  else rvalue(expr->getArg(1), false);
  Symbolic bytes = integer(expr->getArg(2)).expr;
  if (to.object.empty() && !to.variable.empty() &&
      st.env.pointers.count(to.variable) + st.fieldOrigins.count(to.variable) != 0) { // onto a pointer
    const Place target{{}, context.VoidPtrTy, false, to.variable};
    const auto known = st.env.pointers.find(to.variable);
    const clang::QualType element =
        known != st.env.pointers.end() && !known->second.object.empty() ? object(known->second.object).element
        : st.fieldOrigins.count(to.variable) ? pointeeOf(st.fieldOrigins.at(to.variable).type)
                                             : clang::QualType();
    assignPointer(target, unknownPointer(to.variable, element, location), location);
  }
  if (to.object.empty()) to = unknownPointer(textOf(expr->getArg(0)), context.CharTy, location);
  if (reads && from.object.empty()) from = unknownPointer(textOf(expr->getArg(1)), context.CharTy, location);
  bool known = st.isDeclared(to.object);
  if (known && reads && st.isDeclared(from.object)) { // one struct onto another
    Place target{to, object(to.object).element}, source{from, object(from.object).element};
    bool isWhole = isNamedRecord(target) && isNamedRecord(source) &&
                   context.hasSameUnqualifiedType(target.type, source.type) &&
                   bytes == Symbolic(int64_t(bytesOf(target.type, context)));
    if (isWhole) return copyRecord(target, source, false, location);
  }
  if (!reads || !known || !st.isDeclared(from.object)) {
    if (reads) wholeAccess(AccessKind::Read, from, bytes, false, location);
    wholeAccess(AccessKind::Write, to, bytes, false, location);
  } else {
    normalize(to);
    normalize(from);
    auto boxOf = [&](const Pointer &at) {
      return object(at.object).element.isNull() ? std::nullopt : boxBehind(at, bytes);
    };
    std::optional<ElementBox> target = boxOf(to), source = boxOf(from);
    bool alike = target && source && object(to.object).array.type.bytes == object(from.object).array.type.bytes;
    bool downward = false;
    if (alike && mayOverlap && to.object == from.object && !target->lower.empty()) {
      // memmove reads an element before anything overwrites it: the order of a loop has to be the right one.
      for (size_t d = 0; alike && d < target->lower.size(); ++d) {
        std::optional<int64_t> distance = (target->lower[d] - source->lower[d]).constant();
        alike = distance.has_value();
        downward = distance && *distance > 0;
        if (distance && *distance != 0) break;
      }
    }
    bool overSource = alike ? !sameElement(*source, *target, target->lower) : !target;
    const std::optional<ElementBox> &over = overSource ? source : target;
    auto touch = [&](const std::vector<Symbolic> &at) {
      std::optional<std::vector<Symbolic>> read, written;
      if (source && (alike || overSource)) read = overSource ? at : sameElement(*source, *over, at);
      if (target && (alike || !overSource)) written = overSource ? sameElement(*target, *over, at) : at;
      touchElement(AccessKind::Read, from, read, location);
      touchElement(AccessKind::Write, to, written, location);
    };
    if (over) overBox(*over, downward, location, touch);
    else touch({});
  }
  Place target{to, context.CharTy};
  if (st.isDeclared(to.object) && isNamedRecord(target)) loseFields(std::string(object(to.object).prefix), location);
  if (isAnything(target)) clobberSomewhere(location);
}

} // namespace busfare::frontend
