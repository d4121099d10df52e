//===- clang-plugin/walk/RotatedStructs.cpp - Pointers to structs that change places ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The fields of a single struct go by names of their own. Where an iteration ends with the
// pointers to two of them exchanged, it is the same as if what they hold had been:
//
//   struct grid *a = made(n), *b = made(n);
//   for (t = 0; t < steps; t++) { step(a, b); tmp = a; a = b; b = tmp; }
//                                        as if a->u and b->u were swapped, a->n and b->n, ...
//
// Pointers among the fields then change places as any others do (Rotations.cpp); numbers in
// memory change their names here. Only of structs from the heap, which no declaration names,
// and whose fields are numbers, arrays of them, and pointers to them.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

static bool isNumber(clang::QualType type) { return classOf(type) == TypeClass::Integer || type->isRealFloatingType(); }

/// Nothing: it has a field of another kind.
static std::optional<std::vector<const clang::FieldDecl *>> plainFields(clang::QualType type) {
  const auto *record = type.isNull() ? nullptr : type->getAsRecordDecl();
  if (!record || !record->isCompleteDefinition() || record->isUnion()) return std::nullopt;
  if (const auto *cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record); cxx && (cxx->getNumBases() || !cxx->isPOD()))
    return std::nullopt;
  std::vector<const clang::FieldDecl *> fields;
  for (const clang::FieldDecl *field : record->fields()) {
    const clang::QualType own = field->getType();
    clang::QualType element = own;
    while (const auto *array = element->getAsArrayTypeUnsafe()) element = array->getElementType();
    const bool isPlainPointer = own->isPointerType() && isNumber(own->getPointeeType());
    if (field->isBitField() || field->getName().empty() || own.isVolatileQualified() ||
        !(isPlainPointer || isNumber(element)))
      return std::nullopt;
    fields.push_back(field);
  }
  return fields;
}

/// Swapped in turn, all of them or none: what is called by each of the keys afterwards is what its value was.
template <class Map> static bool exchangeNames(const std::map<std::string, std::string> &comes, Map &map) {
  Map moved;
  for (const auto &[to, from] : comes)
    if (auto found = map.find(from); found != map.end()) moved[to] = found->second;
  if (!moved.empty() && moved.size() != comes.size()) return false;
  for (auto &[name, value] : moved) map[name] = value;
  return true;
}

/// `entry`: where the pointers that an iteration changes led at its start.
void Walker::exchangeStructs(const std::map<std::string, Pointer> &entry, Location location) {
  // Of one that was copied, or whose copy is elsewhere, what is behind it is looked for by its name.
  auto isCopied = [&](const std::string &name) {
    return st.givenByValue.count(name) || st.copiedFrom.count(name) ||
           llvm::any_of(st.copiedFrom, [&](const auto &copy) { return copy.second.count(name) != 0; });
  };
  // There is one: whatever its index, a pointer to it leads to its beginning.
  auto isStruct = [&](const Pointer &at) {
    auto known = st.objects.find(at.object);
    return known != st.objects.end() && !known->second.prefix.empty() && !at.inside && !at.null &&
           at.variable.empty() && known->second.array.storage == Storage::Heap && known->second.origin == -3 &&
           !st.escaped.count(at.object) && !st.lent.count(at.object) && !isCopied(at.object);
  };
  std::map<std::string, std::string> comes; // by struct: the one that goes by its name from here on
  std::vector<std::string> following;       // variables
  for (const auto &[name, start] : entry) {
    auto end = st.env.pointers.find(name);
    if (end == st.env.pointers.end() || !isStruct(start) || !isStruct(end->second) ||
        start.object == end->second.object)
      continue;
    auto [known, isNew] = comes.try_emplace(start.object, end->second.object);
    if (known->second != end->second.object) return;
    following.push_back(name);
  }
  std::set<std::string> come;
  for (const auto &[to, from] : comes) come.insert(from);
  if (comes.empty() || come.size() != comes.size() ||
      llvm::any_of(come, [&](const std::string &one) { return !comes.count(one); }))
    return;
  const Object &first = object(comes.begin()->first);
  const auto fields = plainFields(first.element);
  if (!fields || llvm::any_of(comes, [&](const auto &move) {
        return object(move.first).element.isNull() ||
               !context.hasSameUnqualifiedType(object(move.first).element, first.element);
      }))
    return;
  if (llvm::any_of(st.references, [&](const auto &named) { return comes.count(named.second.at.object) != 0; })) return;

  const Environment before = st.env;
  skeleton::Rotate moves;
  moves.location = location;
  std::set<std::string> memory;
  for (const clang::FieldDecl *field : *fields) {
    std::map<std::string, std::string> names;
    for (const auto &[to, from] : comes)
      names[object(to).prefix + field->getNameAsString()] = object(from).prefix + field->getNameAsString();
    if (!exchangeNames(names, st.env.pointers) || !exchangeNames(names, st.env.integers)) {
      st.env = before;
      return;
    }
    if (field->getType()->isPointerType()) continue;
    if (llvm::none_of(names, [&](const auto &move) { return st.isDeclared(move.first); })) continue;
    for (const auto &[to, from] : names) {
      if (!st.isDeclared(to)) declareObject(to, field->getType(), Storage::Heap, locate(field->getLocation()));
      moves.moves.push_back({to, from});
      memory.insert(to);
      st.env.elements.erase(to);
    }
  }
  for (auto &[name, pointer] : st.env.pointers)
    for (const auto &[to, from] : comes)
      if (pointer.object == from) {
        pointer.object = to;
        break;
      }
  for (const std::string &name : following) st.env.pointers[name] = entry.at(name);
  if (moves.moves.empty()) return;
  for (const std::string &name : memory) object(name).isUsed = true;
  llvm::sort(moves.moves);
  emit(std::move(moves));
  noteRotated(memory, {});
}

} // namespace busfare::frontend
