//===- clang-plugin/walk/SetByCallees.cpp - What called functions set pointers to -===//
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

/// A callee may have given the pointer new memory, which has the name of the old: others that lead to the old one are
/// lost.
void Walker::loseReplaced(const std::string &memory, const std::string &pointer, Location location) {
  std::vector<std::string> strays;
  for (const auto &[name, at] : st.env.pointers)
    if (name != pointer && at.object == memory) strays.push_back(name);
  auto unknown = [&](const std::string &name) {
    return unknownPointer(name, object(memory).element, location, {memory}, true);
  };
  for (const std::string &name : strays) st.env.pointers[name] = unknown(name);
  for (auto &[decl, place] : st.references)
    if (place.at.object == memory) place.at = unknown(nameOf(decl));
}

/// Pointers that the callee leaves where another one leads. One that it sets by two names may be what it is by either.
void Walker::setShared(llvm::ArrayRef<SharedPointer> shared, const PointersSet &pointersSet, Location location) {
  auto lose = [&](const std::string &variable, clang::QualType pointee) {
    st.env.pointers[variable] = unknownPointer(variable, pointee, location);
  };
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
void Walker::loseBytesGiven(const clang::FunctionDecl *callee, const Summary &known,
                            llvm::ArrayRef<Pointer> arguments) {
  for (unsigned k = 0; k < callee->getNumParams() && k < arguments.size(); ++k) {
    const clang::QualType pointee = pointeeOf(callee->getParamDecl(k)->getType());
    const bool isWritten = k >= known.writesFormal.size() || known.writesFormal[k];
    if (pointee.isNull() || !isWritten || !holdsPointers(arguments[k].object)) continue;
    const clang::QualType element = innermost(pointee, context);
    if (classOf(element) == TypeClass::Pointer ||
        context.hasSameUnqualifiedType(element, object(arguments[k].object).element))
      continue;
    noteTableStore(Place{arguments[k], context.CharTy});
    for (const Pointer &one : arguments) // any of which it may have put there
      if (!one.object.empty()) st.escaped.insert(one.object);
  }
}

/// By pointers (as ExtraFormal) that the callee sets to something unknown: what of the caller's they may lead to, as it
/// is on entry.
std::map<std::pair<int, std::string>, std::vector<std::string>> Walker::lostTargets(const Summary &known,
                                                                                    llvm::ArrayRef<Pointer> arguments,
                                                                                    const NameOfExtra &nameOfExtra,
                                                                                    Location location) {
  std::map<std::pair<int, std::string>, std::vector<std::string>> found;
  for (const auto &[key, all] : known.lostTo)
    for (const auto &[position, suffix] : all) {
      if (!known.lostPointers.count(key) || std::pair(position, suffix) == lostAnywhere) continue;
      std::string target;
      if (suffix.empty() && position >= 0 && position < int(arguments.size())) target = arguments[position].object;
      else if (std::optional<Place> at = suffix.empty() ? std::nullopt : nameOfExtra(position, suffix);
               at && !at->variable.empty() && classOf(at->type) == TypeClass::Pointer)
        target = readPointer(at->variable, at->type, location).object;
      if (!target.empty() && st.objects.count(target)) found[key].push_back(target);
    }
  return found;
}

/// Does the callee set pointers or integers behind a pointer that may lead to one of several things here? `set(c ? &a :
/// &b)`
bool Walker::isSetSomewhere(const clang::FunctionDecl *callee, const Summary &known, const std::optional<Pointer> &self,
                            llvm::ArrayRef<Pointer> arguments, llvm::ArrayRef<Place> places,
                            const NameOfExtra &nameOfExtra, Location location) {
  auto mayBeSeveral = [&](const Pointer &at) {
    return !(at.null && at.object.empty()) && isAnything({at, context.CharTy});
  };
  bool isSomewhere = false;
  for (unsigned k = 0; k < callee->getNumParams() && k < arguments.size(); ++k) {
    const clang::QualType formal = callee->getParamDecl(k)->getType();
    const clang::QualType pointee =
        formal->isReferenceType() || formal->isPointerType() ? formal->getPointeeType() : clang::QualType();
    const bool isWritten = k >= known.writesFormal.size() || known.writesFormal[k];
    if (pointee.isNull() || pointee.isConstQualified() || !isWritten || handleOf(pointee) != Handle::None) continue;
    if (classOf(pointee) != TypeClass::Integer && classOf(pointee) != TypeClass::Pointer) continue;
    if (!arguments[k].variable.empty() || !places[k].variable.empty()) continue; // it has a name
    if (mayBeSeveral(arguments[k])) isSomewhere = true;
    else clobberBehind(arguments[k].object, location);
  }
  auto isSet = [&](const std::pair<int, std::string> &key) {
    const auto &[position, suffix] = key;
    if (position == -2 || suffix.find("[]") != std::string::npos) return;
    const bool isParameter = position >= 0 && position < int(callee->getNumParams());
    if (isParameter && handleOf(callee->getParamDecl(position)->getType()) != Handle::None) {
      if (callee->getParamDecl(position)->getType()->isReferenceType() && places[position].variable.empty())
        isSomewhere |= mayBeSeveral(places[position].at);
      return;
    }
    const std::optional<Place> actual = nameOfExtra(position, suffix);
    if (actual && !actual->variable.empty()) return;
    isSomewhere |= mayBeSeveral(actual ? actual->at : isParameter ? arguments[position] : self.value_or(Pointer()));
  };
  llvm::for_each(known.writtenFields, isSet);
  llvm::for_each(known.rotated, isSet);
  for (const auto &[position, suffix] : known.writtenMemory) { // `*idx = 1`, of a field that leads to an integer
    const std::optional<Place> actual =
        suffix.find("[]") == std::string::npos ? nameOfExtra(position, suffix) : std::nullopt;
    if (!actual || actual->variable.empty() || classOf(actual->type) != TypeClass::Pointer ||
        classOf(pointeeOf(actual->type)) != TypeClass::Integer)
      continue;
    const auto leads = st.env.pointers.find(actual->variable);
    if (leads == st.env.pointers.end() || handleOf(actual->type) == Handle::Owner) continue;
    const Pointer at = leads->second;
    if (!at.variable.empty()) clobber(at.variable, location);
    else if (mayBeSeveral(at)) isSomewhere = true;
    else clobberBehind(at.object, location);
  }
  return isSomewhere;
}

/// What pointers of the caller lead to that the callee can read: those it is given, and those of fields of structs of
/// which it is not known which they are.
std::set<std::string> Walker::memoryGiven(const skeleton::Call &call, const Summary &known,
                                          const NameOfExtra &nameOfExtra) const {
  std::set<std::string> given;
  auto add = [&](const std::string &name) {
    if (auto target = st.objects.find(name); target != st.objects.end() && target->second.prefix.empty())
      given.insert(name);
  };
  for (const auto &argument : call.arguments)
    if (const auto *array = std::get_if<skeleton::ArrayArgument>(&argument)) add(array->array);
  for (const ExtraFormal &extra : known.extras) {
    if (extra.position == -2 || extra.parameter.kind != skeleton::Parameter::Kind::Array) continue;
    const std::optional<Place> actual = nameOfExtra(extra.position, extra.suffix);
    if (actual && !actual->variable.empty()) continue;
    auto isCalledSo = [&](llvm::StringRef name) {
      return name.consume_back(extra.suffix) && (name.ends_with(".") || name.ends_with("->"));
    };
    for (const auto *pointers : {&st.env.pointers, &st.entryPointers})
      for (const auto &[name, pointer] : *pointers)
        if (isCalledSo(name)) add(pointer.object);
  }
  return given;
}

/// As behind a store through a pointer that may lead anywhere; but what pointers are set to is likely what the callee
/// was given.
void Walker::loseSomewhere(const std::set<std::string> &given, Location location) {
  clobberSomewhere(location);
  for (auto &[name, one] : st.objects) {
    const Array &array = one.array;
    if (array.storage != Storage::Alias || !array.mayBe.empty() || array.location != location) continue;
    for (const std::string &target : given)
      if (object(target).array.storage != Storage::Alias && target != name && !one.likely.contains(target))
        one.likely.added.push_back(target);
  }
}

/// The callee had the variable's address: if nobody knows what it is set to, that may be any of the arguments.
void Walker::mayLeadTo(const std::string &variable, llvm::ArrayRef<Pointer> arguments) {
  auto pointer = st.env.pointers.find(variable);
  auto alias = pointer == st.env.pointers.end() ? st.objects.end() : st.objects.find(pointer->second.object);
  if (alias == st.objects.end() || alias->second.array.storage != Storage::Alias || !alias->second.array.mayBe.empty())
    return;
  for (const Pointer &one : arguments) {
    auto target = st.objects.find(one.object);
    bool isNew = target != st.objects.end() && target->second.array.storage != Storage::Alias &&
                 !target->second.array.isScalar() && st.isDeclared(one.object) &&
                 !alias->second.likely.contains(one.object);
    if (isNew) alias->second.likely.added.push_back(one.object);
  }
}

} // namespace busfare::frontend
