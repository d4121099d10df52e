//===- clang-plugin/SetByCallees.cpp - What called functions set pointers to ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A called function of the program may set pointers in ways that its summary does not
// follow. Then they are unknown behind the call, but not free of what it was given: code
// in sight may have made them lead there, and no assumption keeps the two apart.
//
//   void point(struct field *f) { f->u = f->v; }      f->u is f->v
//   void next(struct field *f) { f->u = f->v + 1; }   f->u is likely f->v
//   renew(v);            `p = v->data` from before    p may be anything: v->data is another
//   copy(&t[0], &t[1], 8);      as bytes              the rows of t are lost
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// A callee may have given the pointer new memory, which has the name of the old: others that lead to the old one are lost.
void Walker::loseReplaced(const std::string &memory, const std::string &pointer, Location location) {
  std::vector<std::string> strays;
  for (const auto &[name, at] : st.env.pointers)
    if (name != pointer && at.object == memory) strays.push_back(name);
  auto unknown = [&](const std::string &name) { return unknownPointer(name, object(memory).element, location, {memory}, true); };
  for (const std::string &name : strays) st.env.pointers[name] = unknown(name);
  for (auto &[decl, place] : st.references)
    if (place.at.object == memory) place.at = unknown(nameOf(decl));
}

/// Pointers that the callee leaves where another one leads. One that it sets by two names may be what it is by either.
void Walker::setShared(llvm::ArrayRef<SharedPointer> shared, const PointersSet &pointersSet, Location location) {
  auto lose = [&](const std::string &variable, clang::QualType pointee) { st.env.pointers[variable] = unknownPointer(variable, pointee, location); };
  for (const SharedPointer &one : shared) {
    const auto other = pointersSet.find(one.other.variable);
    const bool isSetOtherwise = other != pointersSet.end() && other->second != std::set{one.key};
    const Pointer at = readPointer(one.other.variable, one.other.type, location);
    assignPointer(one.pointer, at, location);
    if (isSetOtherwise) lose(one.pointer.variable, pointeeOf(one.pointer.type));
  }
  for (const auto &[variable, keys] : pointersSet)
    if (auto known = st.env.pointers.find(variable); keys.size() > 1 && known != st.env.pointers.end()) {
      auto target = st.objects.find(known->second.object);
      lose(variable, target == st.objects.end() ? context.CharTy : target->second.element);
    }
}

/// Tables of pointers, or structs, that the callee writes and takes for something else: for bytes, say.
void Walker::loseBytesGiven(const clang::FunctionDecl *callee, const Summary &known, llvm::ArrayRef<Pointer> arguments) {
  for (unsigned k = 0; k < callee->getNumParams() && k < arguments.size(); ++k) {
    const clang::QualType pointee = pointeeOf(callee->getParamDecl(k)->getType());
    const bool isWritten = k >= known.writesFormal.size() || known.writesFormal[k];
    if (pointee.isNull() || !isWritten || !holdsPointers(arguments[k].object)) continue;
    const clang::QualType element = innermost(pointee, context);
    if (classOf(element) == TypeClass::Pointer || context.hasSameUnqualifiedType(element, object(arguments[k].object).element)) continue;
    noteTableStore(Place{arguments[k], context.CharTy});
    for (const Pointer &one : arguments) // any of which it may have put there
      if (!one.object.empty()) st.escaped.insert(one.object);
  }
}

/// By pointers (as ExtraFormal) that the callee sets to something unknown: what of the caller's they may lead to, as it is on entry.
std::map<std::pair<int, std::string>, std::vector<std::string>> Walker::lostTargets(const Summary &known, llvm::ArrayRef<Pointer> arguments,
                                                                                    const NameOfExtra &nameOfExtra, Location location) {
  std::map<std::pair<int, std::string>, std::vector<std::string>> found;
  for (const auto &[key, all] : known.lostTo)
    for (const auto &[position, suffix] : all) {
      if (!known.lostPointers.count(key) || std::pair(position, suffix) == lostAnywhere) continue;
      std::string target;
      if (suffix.empty() && position >= 0 && position < int(arguments.size())) target = arguments[position].object;
      else if (std::optional<Place> at = suffix.empty() ? std::nullopt : nameOfExtra(position, suffix); at && !at->variable.empty() && classOf(at->type) == TypeClass::Pointer)
        target = readPointer(at->variable, at->type, location).object;
      if (!target.empty() && st.objects.count(target)) found[key].push_back(target);
    }
  return found;
}

/// The callee had the variable's address: if nobody knows what it is set to, that may be any of the arguments.
void Walker::mayLeadTo(const std::string &variable, llvm::ArrayRef<Pointer> arguments) {
  auto pointer = st.env.pointers.find(variable);
  auto alias = pointer == st.env.pointers.end() ? st.objects.end() : st.objects.find(pointer->second.object);
  if (alias == st.objects.end() || alias->second.array.storage != Storage::Alias || !alias->second.array.mayBe.empty()) return;
  for (const Pointer &one : arguments) {
    auto target = st.objects.find(one.object);
    bool isNew = target != st.objects.end() && target->second.array.storage != Storage::Alias && !target->second.array.isScalar() &&
                 llvm::is_contained(st.objectOrder, one.object) && !llvm::is_contained(alias->second.array.likely, one.object);
    if (isNew) alias->second.array.likely.push_back(one.object);
  }
}

} // namespace busfare::frontend
