//===- clang-plugin/walk/SomeFields.cpp - Lvalues of which not all is known -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The fields of a struct that is followed have names of their own, so an lvalue must say
// which of them it is:
//
//   double S::*f = c ? &S::x : &S::y;
//   s.*f = 1;                          may write s.x or s.y, each field of that type
//   ((struct other *)&s)->k = 1;       may write any field of s; none is known after it
//
// A field that is a reference is what it is bound to. An lvalue of a kind that nobody knows
// here may be anything.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// A field of the object; which one is not known, but its type, if there is one. Pointers among those it may be are
/// lost: they have no memory that a store could be seen to change.
Place Walker::someField(const Place &base, clang::QualType type, llvm::StringRef text, Location location) {
  Place place;
  place.type = type;
  place.partial = true;
  place.at = base.at;
  place.at.inside = true;
  if (!isNamedRecord(base)) return place; // a part of the element
  const Object &whole = object(base.at.object);
  const std::string prefix = whole.prefix;
  bool isCallers = whole.origin != -3; // perhaps of a class made from this one
  std::vector<Place> fields;
  collectFields(prefix, whole.element, fields);
  auto isIt = [&](const Place &one) {
    return context.hasSameUnqualifiedType(one.type.getNonReferenceType(), type.getNonReferenceType());
  };
  llvm::erase_if(fields, [&](const Place &one) { return !isIt(one); });
  bool isPlain = !isCallers && classOf(type) != TypeClass::Record && classOf(type) != TypeClass::Pointer;
  if (isPlain && fields.size() == 1) return fields.front();
  std::vector<std::string> targets;
  for (const Place &field : fields) targets.push_back(field.at.object);
  if (!isPlain || targets.empty()) {
    loseFields(prefix, location);
    targets.clear();
  }
  place.at = unknownPointer(text, type, location, targets);
  return place;
}

/// The objects that the fields of a struct are, for a pointer that may lead to any of them; none if it holds pointers,
/// too.
std::vector<std::string> Walker::partsOfRecord(const std::string &record) {
  std::vector<Place> fields;
  std::vector<std::string> parts;
  if (std::string prefix = object(record).prefix; !prefix.empty())
    collectFields(prefix, object(record).element, fields);
  for (const Place &field : fields) {
    if (!st.isDeclared(field.at.object)) return {};
    parts.push_back(field.at.object);
  }
  return parts;
}

/// What another type sees in a struct that is followed: no field that has a name. From now on pointers that are not
/// followed may lead to any of them.
Place Walker::somePart(const Place &base, clang::QualType type, llvm::StringRef text, Location location) {
  loseFields(object(base.at.object).prefix, location);
  std::vector<Place> fields;
  collectFields(object(base.at.object).prefix, object(base.at.object).element, fields);
  for (const Place &field : fields)
    if (!field.variable.empty()) st.addressTaken.insert(field.variable);
  Place place;
  place.type = type;
  place.partial = true;
  place.at = unknownPointer(text, type, location, partsOfRecord(base.at.object));
  return place;
}

/// The paths of all numbers and pointers in a struct; false if it holds something else: arrays, unions, bit fields.
static bool collectPaths(clang::QualType type, const std::string &prefix, std::set<std::string> &paths) {
  const clang::RecordDecl *record = type->getAsRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  const auto *derived = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(record);
  if (!record || record->isUnion() || (derived && derived->getNumBases() > 0)) return false;
  return llvm::all_of(record->fields(), [&](const clang::FieldDecl *field) {
    if (field->isBitField() || !field->getIdentifier() || field->getType()->isReferenceType()) return false;
    std::string path = prefix + "." + field->getNameAsString();
    TypeClass kind = classOf(field->getType());
    if (kind == TypeClass::Record) return collectPaths(field->getType(), path, paths);
    paths.insert(path);
    return kind == TypeClass::Integer || kind == TypeClass::Data || kind == TypeClass::Pointer;
  });
}

/// Does the store into a field of an element come last of those into all of its fields, one after the other in one
/// block? Then the whole element is written.
bool Walker::completesElement(const Place &place, const Access &made) {
  const Object &target = object(place.at.object);
  bool isPlain = !place.path.empty() && target.array.storage != Storage::Alias &&
                 llvm::all_of(made.subscripts, [](const Subscript &one) { return one.value.has_value(); });
  if (!isPlain || target.element.isNull()) return false;
  if (fieldStoresIn != out) fieldStores.clear();
  fieldStoresIn = out;
  llvm::erase_if(fieldStores, [&](const FieldStores &one) { // of another block that lay at this address
    const auto *last = one.node < out->size() ? std::get_if<Access>(&(*out)[one.node].kind) : nullptr;
    return !last || last->array != one.array || last->subscripts != one.subscripts || last->location != one.location;
  });
  auto known = llvm::find_if(fieldStores, [&](const FieldStores &one) {
    return one.array == made.array && one.subscripts == made.subscripts;
  });
  if (known == fieldStores.end())
    known = fieldStores.insert(fieldStores.end(), FieldStores{made.array, made.subscripts, {}, 0, {}});
  known->paths.insert(place.path);
  known->node = out->size();
  known->location = made.location;
  std::set<std::string> all;
  return collectPaths(target.element, "", all) &&
         llvm::all_of(all, [&](const std::string &path) { return known->paths.count(path) != 0; });
}

/// `s.*f` and `p->*f`.
Place Walker::memberThroughPointer(const clang::BinaryOperator *op) {
  Place base;
  const clang::Expr *object = op->getLHS();
  if (op->getOpcode() == clang::BO_PtrMemI) {
    clang::QualType pointee = pointeeOf(object->getType());
    base = dereference(pointer(object), pointee, object);
  } else base = lvalue(object);
  clang::Expr::EvalResult known;
  if (op->getRHS()->EvaluateAsRValue(known, context) && known.Val.isMemberPointer())
    if (const auto *field = llvm::dyn_cast_or_null<clang::FieldDecl>(known.Val.getMemberPointerDecl()))
      return member(base, field);
  rvalue(op->getRHS(), true);
  return someField(base, op->getType(), textOf(op), locate(op));
}

/// Of a field that is a reference to a container. Of an object of ours that nobody was seen to bind, it may be any.
Place Walker::boundMember(const Place &base, const std::string &key, const clang::FieldDecl *field) {
  if (auto bound = st.boundFields.find(key); bound != st.boundFields.end()) return bound->second;
  Place place;
  place.type = field->getType().getNonReferenceType();
  place.at = unknownPointer(key, pointeeOf(place.type), object(base.at.object).array.location);
  return place;
}

void Walker::bindMember(const Place &of, const clang::FieldDecl *field, const Place &to) {
  if (!isNamedRecord(of)) return;
  const Object &parent = object(of.at.object);
  const auto *record = parent.element->getAsRecordDecl();
  const std::string name = record ? fieldNameIn(record, field) : "";
  if (name.empty()) return;
  const std::string key = parent.prefix + name;
  bool isHandle = handleOf(field->getType()) != Handle::None;
  if (isHandle ? to.variable.empty() : to.at.object.empty()) st.boundFields.erase(key);
  else st.boundFields[key] = to;
  if (!isHandle) { // whoever has the object's address may set it
    if (!to.variable.empty()) st.addressTaken.insert(to.variable);
    if (!to.at.object.empty() && st.objects.count(to.at.object)) st.escaped.insert(to.at.object);
  }
  if (parent.origin != -1 || key != "this->" + name) return;
  // Whoever calls this constructor learns which argument it was.
  const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function);
  for (unsigned k = 0; constructor && k < constructor->getNumParams(); ++k) {
    const clang::ParmVarDecl *formal = constructor->getParamDecl(k);
    bool isIt = nameOf(formal) == (isHandle ? to.variable : to.at.object) &&
                llvm::all_of(to.at.index, [](const auto &at) { return at && at->isZero(); });
    if (isIt && formal->getType()->isReferenceType() && !to.partial &&
        isHandle == (handleOf(formal->getType()) != Handle::None))
      summary.boundFields[{-1, name}] = k;
  }
}

/// An lvalue of a kind that is not followed: any memory, any variable.
Place Walker::unknownPlace(const clang::Expr *expr) {
  Location location = locate(expr);
  for (const clang::Stmt *child : partsOf(expr))
    if (const auto *part = llvm::dyn_cast_or_null<clang::Expr>(child)) rvalue(part, true);
  find(Rule::UnknownPointer, location, "which memory `" + textOf(expr) + "` is is not followed; it may be any array");
  std::set<std::string> variables;
  for (const auto &[name, value] : st.env.integers) variables.insert(name);
  for (const auto &[name, value] : st.env.pointers)
    if (name != "this") variables.insert(name);
  for (const std::string &name : variables) clobber(name, location);
  clobberAddressTaken(location, true);
  Place place;
  place.type = expr->getType();
  place.partial = true;
  place.at = unknownPointer(textOf(expr), place.type, location);
  return place;
}

} // namespace busfare::frontend
