//===- clang-plugin/walk/FixedPointers.cpp - Pointers in memory that stay what they are -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pointer that is read from memory anew in each iteration leads to one place as long as no
// loop around writes it there:
//
//   n = find(root, key);
//   for (i = 0; i < n->count; i++)     n->keys is read before the loop: fixed
//     n->keys[i] = 2 * n->keys[i];     an int: not the pointer `keys`
//
// What the loops may write is read off their source, as for integers (FixedElements.cpp). In a loop
// that does write it, it begins somewhere else each time: at a symbol that the iteration defines.
//
//===----------------------------------------------------------------------===//
#include "MadeBefore.h"
#include "Walk.h"

namespace busfare::frontend {

/// Where the pointer in this place leads to; nothing if a loop around it may write that, or nothing is around it.
std::optional<Pointer> Walker::pointerLeftAlone(const Place &place, llvm::StringRef text, Location location) {
  const bool isField = place.partial && place.part.bytes != 0 && place.part.isExact;
  if (((place.partial || place.at.inside) && !isField) || place.type.isNull() || place.type.isVolatileQualified() ||
      !place.type->isPointerType() || !st.isDeclared(place.at.object))
    return std::nullopt;
  Pointer at = place.at;
  normalize(at);
  const Array array = object(at.object).array;
  if (array.perIteration || (array.storage == Storage::Alias && !array.isFixed)) return std::nullopt;
  std::vector<Symbolic> subscripts;
  for (const auto &index : at.index) {
    if (!index || index->isPoisoned()) return std::nullopt;
    subscripts.push_back(*index);
  }
  std::pair key{at.object + (isField ? "+" + std::to_string(place.part.offset) : ""), subscripts};
  if (auto known = st.fixedPointers.find(key); known != st.fixedPointers.end()) return known->second.second;
  const clang::QualType own = pointeeOf(place.type).getCanonicalType().getUnqualifiedType();
  auto isLike = [&](clang::QualType type) {
    type = innermost(type.getCanonicalType(), context);
    if (!unit.typesTell || type->isRecordType() || type->isVoidType() || type->isDependentType() ||
        bytesOf(type, context) == 1)
      return true;
    return type->isPointerType() && type->getPointeeType().getCanonicalType().getUnqualifiedType() == own;
  };
  // It was there before the loop, or led to by a pointer that was.
  auto leader = llvm::find_if(st.fixedPointers, [&](const auto &one) { return one.second.second.object == at.object; });
  const size_t position = llvm::find(st.objectOrder, at.object) - st.objectOrder.begin();
  auto isThere = [&](const Frame &frame) {
    return position < frame.objects || (leader != st.fixedPointers.end() && frame.id >= leader->second.first);
  };
  auto [outermost, around] = outermostLeavingAlone([&](const Frame &frame) {
    bool isThereBefore =
        llvm::all_of(subscripts, [&](const Symbolic &one) { return isMadeBefore(st, one, frame.mark); });
    std::set<const clang::FunctionDecl *> seen;
    return isThereBefore && isThere(frame) && !mayExchange(frame.stmt) && !mayWrite(frame.stmt, "", isLike, seen, {});
  });
  if (!outermost) return std::nullopt;
  Pointer result = unknownPointer(text, pointeeOf(place.type), location, {}, false, true);
  if (!object(result.object).array.isFixed) return std::nullopt;
  if (around != 0) {
    std::string name = freshName(result.object);
    st.symbols[name] = {text.str(), false, false, around, outermost->mark, std::nullopt, std::nullopt};
    outermost->around->push_back(
        skeleton::Define{name, std::nullopt, std::nullopt, std::nullopt, text.str(), location});
    result.index = {Symbolic::symbol(name)};
  }
  st.fixedPointers.insert({key, {outermost->id, result}});
  find(Rule::UnknownPointer, location,
       "the pointer `" + text.str() + "` is loaded from memory; it may point into any array");
  return result;
}

/// Whatever the function does, do all pointers in memory stay what they are?
bool Walker::leavesPointers(const clang::FunctionDecl *callee) {
  auto mayHoldOne = [&](clang::QualType type) {
    type = innermost(type.getNonReferenceType().getCanonicalType(), context);
    return !unit.typesTell || !type->isArithmeticType() || bytesOf(type, context) == 1;
  };
  auto leavesAlone = [](const Summary &known) {
    return known.state == Summary::State::Done && !known.doesOpaqueThings && !known.storesAnywhere &&
           !known.forgetsTables && known.writtenFields.empty() && known.writtenGlobals.empty() &&
           known.lostTables.empty() && known.filledRows.empty() && known.rotated.empty();
  };
  const clang::FunctionDecl *definition = bodyThatRuns(callee);
  if (!definition || llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(callee)) return false;
  std::set<const clang::FunctionDecl *> seen = {definition->getCanonicalDecl()};
  return !mayWrite(definition->getBody(), "", mayHoldOne, seen, {leavesAlone});
}

/// What was known of pointers holds on.
void Walker::keepPointersOf(const Environment &before) {
  st.env.pointers = before.pointers;
  st.env.tables = before.tables;
  st.env.forgetsPointers = before.forgetsPointers;
}

} // namespace busfare::frontend
