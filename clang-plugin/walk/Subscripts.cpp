//===- clang-plugin/walk/Subscripts.cpp - Lvalues, pointers, accesses ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An lvalue is an element of an object: a variable, a[i], *p, s.field, g->a[i][j]. Reads
// and writes of one become accesses with a subscript for each dimension.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang/AST/Attr.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {

Place Walker::placeOfVariable(const clang::ValueDecl *decl, clang::SourceLocation where) {
  decl = llvm::cast<clang::ValueDecl>(decl->getCanonicalDecl());
  if (const auto *second = decl->getAttr<clang::AliasAttr>()) // one more name for another global
    if (auto first = unit.globalNames.find(second->getAliasee().str()); first != unit.globalNames.end())
      decl = first->second;
  auto reference = st.references.find(decl);
  if (reference != st.references.end()) return reference->second;
  if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(decl); binding && binding->getBinding())
    return lvalue(binding->getBinding());
  Place place;
  place.type = decl->getType().getNonReferenceType();
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
  if (!variable) return place;
  if (variable->hasGlobalStorage() && variable->getType()->isReferenceType()) return placeOfGlobalReference(variable);
  std::string name = nameOf(decl);
  place.at.object = name;
  bool isGlobal = variable->hasGlobalStorage();
  if (isGlobal && (!variable->isStaticLocal() || unit.globalNames.count(name)) && !st.fieldOrigins.count(name)) {
    ExtraFormal origin;
    origin.position = -2;
    origin.suffix = name;
    origin.type = place.type;
    st.fieldOrigins[name] = origin;
  }
  TypeClass kind = classOf(place.type);
  if (isTrackedType(place.type)) place.variable = name;
  bool declared = st.isDeclared(name);
  if (!declared && kind != TypeClass::Pointer) {
    Storage storage = isGlobal ? Storage::Global : Storage::Local;
    Object &made = declareObject(name, place.type, storage, locate(decl->getLocation()));
    made.isGlobal = isGlobal;
    if (isGlobal) {
      made.origin = -2;
      made.originPath = name;
    }
    if (kind == TypeClass::Record && hasFieldNames(place.type)) made.prefix = name + ".";
    made.array.isRestrict = !isGlobal && !unit.addressed.isAddressed(variable);
    made.isConstPointee = place.type.isConstQualified();
  } else if (!declared && place.variable.empty()) {
    declareObject(name, place.type, Storage::Local, locate(decl->getLocation())); // volatile pointer
  }
  if (st.isDeclared(name)) place.at.index.assign(object(name).array.extents.size(), Symbolic(0));
  return place;
}

/// A literal is memory that nobody writes and no other name is for.
Place Walker::placeOfText(const clang::Expr *literal) {
  auto [known, isNew] = st.texts.try_emplace(literal);
  if (isNew) {
    known->second = freshName("text literal");
    Object &made = declareObject(known->second, literal->getType(), Storage::Local, locate(literal));
    made.isConstPointee = true;
  }
  Place place;
  place.type = literal->getType();
  place.at.object = known->second;
  place.at.index.assign(object(known->second).array.extents.size(), Symbolic(0));
  return place;
}

/// What a reference is bound to before the program starts: known only if nothing that may change says where it lies.
Place Walker::placeOfGlobalReference(const clang::VarDecl *variable) {
  const clang::Expr *init = variable->getAnyInitializer();
  Place place;
  if (init && !isBindingGlobal) {
    llvm::SaveAndRestore binding(isBindingGlobal, true);
    place = lvalue(init);
  }
  bool isFixed = !place.at.object.empty() &&
                 llvm::all_of(place.at.index, [](const auto &index) { return index && index->constant(); });
  if (isFixed) return st.references[llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl())] = place;
  place = Place();
  place.type = variable->getType().getNonReferenceType();
  place.at = unknownPointer(variable->getNameAsString(), place.type, locate(variable->getLocation()));
  return place;
}

/// What callers call the field: its path from the parameter or global.
static std::string pathOf(const Object &parent, const std::string &field) {
  if (parent.originPath.empty()) return field;
  return parent.originPath + (llvm::StringRef(parent.prefix).ends_with("->") ? "->" : ".") + field;
}

/// What the class of the element, or of the field of it at that path, calls the field; empty if it has none such.
static std::string nameInElement(const Object &object, llvm::StringRef path, const clang::FieldDecl *field) {
  const clang::RecordDecl *record = object.element.isNull() ? nullptr : object.element->getAsRecordDecl();
  while (record && path.consume_front(".")) {
    auto [first, rest] = path.split('.');
    const clang::FieldDecl *step = fieldNamed(record, first);
    record = step ? step->getType()->getAsRecordDecl() : nullptr;
    path = path.substr(first.size());
  }
  return record ? fieldNameIn(record, field) : "";
}

/// A last field that is an array without a size (or of 0 or 1 elements, as it was written before C99): it goes on
/// behind the struct, over whatever elements follow.
static bool endsOpen(const clang::FieldDecl *field, const clang::ASTContext &context) {
  if (!field->getType()->isArrayType()) return false;
  if (field->getType()->isIncompleteArrayType()) return true;
  const auto *array = context.getAsConstantArrayType(field->getType());
  const clang::RecordDecl *record = field->getParent();
  bool isLast = !record->isUnion() &&
                field->getFieldIndex() + 1 == unsigned(std::distance(record->field_begin(), record->field_end()));
  return isLast && array && array->getSize().ule(1);
}

/// Which bytes of the element the field takes, where the base is a record as it was declared.
static skeleton::Part partOf(const Place &base, const Object &object, const clang::FieldDecl *field,
                             const clang::ASTContext &context) {
  if (base.partial ? !base.part.bytes : base.at.inside) return {};
  clang::QualType whole = base.partial ? base.type : object.element;
  const clang::RecordDecl *record = whole.isNull() ? nullptr : whole->getAsRecordDecl();
  const clang::RecordDecl *own = field->getParent();
  if (!record || record->getCanonicalDecl() != own->getCanonicalDecl() || !own->isCompleteDefinition() ||
      own->isInvalidDecl())
    return {};
  clang::QualType type = field->getType();
  if (field->isBitField() || type->isReferenceType() || type->isIncompleteType() || endsOpen(field, context)) return {};
  if (base.part.bytes && !base.part.isExact) return base.part; // of one of several structs
  uint64_t offset = context.getFieldOffset(field) / 8 + base.part.offset,
           bytes = uint64_t(context.getTypeSizeInChars(type).getQuantity());
  constexpr uint64_t most = UINT32_MAX;
  return offset > most || bytes > most ? skeleton::Part() : skeleton::Part{uint32_t(offset), uint32_t(bytes)};
}

/// Of one element of a field that is an array: all of the field, if the index stays in it.
static skeleton::Part partOfRow(const Place &row, const Symbolic &index, const Ranges &ranges,
                                const clang::ASTContext &context) {
  const auto *array = context.getAsConstantArrayType(row.type);
  if (!array || index.isPoisoned()) return {};
  uint64_t count = array->getSize().getZExtValue();
  if (count == 0 || count > UINT32_MAX || !ranges.isNonNegative(index) ||
      !ranges.isNonNegative(Symbolic(int64_t(count) - 1) - index))
    return {};
  uint32_t bytes = uint32_t(row.part.bytes / count);
  if (std::optional<int64_t> constant = index.constant())
    return {row.part.offset + uint32_t(*constant) * bytes, bytes, row.part.isExact};
  return {row.part.offset, row.part.bytes, false};
}

Place Walker::member(const Place &base, const clang::FieldDecl *field) {
  Place place;
  place.type = field->getType();
  if (base.type.isVolatileQualified()) place.type.addVolatile();
  if (base.at.object.empty()) return place;
  Object &parent = object(base.at.object);
  bool isUnion = field->getParent()->isUnion();
  // Bit fields of one struct share their memory, and so do the members of an unnamed union: one piece, named as the
  // first.
  const clang::FieldDecl *shared = sharedFieldOf(field);
  bool isUnnamed = field->getDeclName().isEmpty() && !shared; // what a lambda holds
  bool isPart = parent.prefix.empty() || isUnnamed || base.at.inside || base.partial || isUnion;
  if (isPart || (shared && shared->getName().empty())) {
    bool isPlain = parent.prefix.empty() && !isUnion && !field->isBitField() && field->getIdentifier() &&
                   !place.type->isReferenceType() && (base.partial ? !base.path.empty() : !base.at.inside);
    std::string name = isPlain ? nameInElement(parent, base.path, field) : "";
    if (!name.empty()) place.path = base.path + "." + name;
    if (parent.prefix.empty()) place.part = partOf(base, parent, field, context);
    place.at = base.at;
    place.at.inside = true;
    place.at.path = place.path;
    place.partial = true;
    if (endsOpen(field, context)) place.at.index.assign(place.at.index.size(), std::nullopt);
    return place;
  }
  const auto *record = parent.element.isNull() ? nullptr : parent.element->getAsRecordDecl();
  const std::string name =
      record ? fieldNameIn(record, shared && field->isBitField() ? shared : field) : field->getNameAsString();
  if (name.empty()) return somePart(base, place.type, parent.prefix + field->getNameAsString(), parent.array.location);
  if (shared) {
    std::string piece = parent.prefix + name;
    Object copy = parent; // declareObject may move it
    if (!st.isDeclared(piece)) {
      Object &made = declareObject(piece, context.getRecordType(field->getParent()), copy.array.storage,
                                   locate(field->getLocation()));
      made.isGlobal = copy.isGlobal;
      made.origin = copy.origin;
      made.array.perIteration = copy.array.perIteration;
      if (made.origin != -3) made.originPath = pathOf(copy, name);
    }
    place.at.object = piece;
    place.at.inside = true;
    place.partial = true;
    return place;
  }
  std::string key = parent.prefix + name;
  if (place.type->isReferenceType() && handleOf(place.type) != Handle::None) {
    if (parent.origin == -3 || st.boundFields.count(key)) return boundMember(base, key, field);
    place.type = place.type.getNonReferenceType(); // one more name for a caller's container: a handle like any other
  }
  if (auto bound = st.boundFields.find(key); bound != st.boundFields.end()) return bound->second;
  if (place.type->isReferenceType()) {
    place.at = unknownPointer(key, place.type->getPointeeType(), parent.array.location);
    place.type = place.type->getPointeeType();
    return place;
  }
  TypeClass kind = classOf(place.type);
  if (parent.origin != -3 && !st.fieldOrigins.count(key)) {
    ExtraFormal origin;
    origin.position = parent.origin;
    origin.suffix = pathOf(parent, name);
    origin.type = place.type;
    st.fieldOrigins[key] = origin;
  }
  place.at.object = key;
  if (isTrackedType(place.type)) place.variable = key;
  if (kind == TypeClass::Pointer && !place.variable.empty()) return place; // a volatile one is memory like any other
  if (!st.isDeclared(key)) {
    Object copy = parent; // declareObject may move it
    Object &made = declareObject(key, place.type, copy.array.storage,
                                 copy.array.perIteration ? copy.array.location : locate(field->getLocation()));
    made.isGlobal = copy.isGlobal;
    made.origin = copy.origin;
    made.array.perIteration = copy.array.perIteration;
    made.array.isRestrict = copy.array.isRestrict;
    // Behind a pointer or a reference there may be more of it than its declaration says; a variable ends where it does.
    const bool isVariable = copy.array.storage == Storage::Local ||
                            (copy.array.storage == Storage::Global && copy.isGlobal) ||
                            (copy.array.storage == Storage::Parameter && copy.array.isRestrict &&
                             llvm::StringRef(copy.prefix).ends_with("."));
    if (!isVariable && endsOpen(field, context) && !made.array.extents.empty()) made.array.extents[0] = std::nullopt;
    if (made.origin != -3) made.originPath = st.fieldOrigins[key].suffix;
    if (kind == TypeClass::Record && hasFieldNames(place.type)) made.prefix = key + ".";
  }
  place.at.index.assign(object(key).array.extents.size(), Symbolic(0));
  return place;
}

Place Walker::dereference(const Pointer &given, clang::QualType type, const clang::Expr *text) {
  Pointer pointer = given;
  if (!pointer.variable.empty() && classOf(type) == TypeClass::Pointer) {
    Place place;
    place.variable = place.at.object = pointer.variable;
    place.type = type;
    return place;
  }
  if (pointer.object.empty()) {
    pointer = unknownPointer(textOf(text), type, locate(text));
    find(Rule::UnknownPointer, locate(text),
         "it is not known what `" + textOf(text) + "` points to; it may be any array");
  }
  Place place;
  Object &target = object(pointer.object);
  if (target.element.isNull() && !type->isVoidType()) giveShape(target, type);
  normalize(pointer);
  place.at = pointer;
  place.type = type;
  place.partial = pointer.inside;
  place.path = pointer.path;
  if (!target.prefix.empty() && !type->isRecordType()) return somePart(place, type, textOf(text), locate(text));
  // Another size than the element's: some part, or several elements.
  uint64_t bytes = bytesOf(innermost(type, context), context);
  uint64_t elementBytes = bytesOf(target.element, context);
  if (!pointer.inside && target.prefix.empty() && bytes != elementBytes && bytes != 0) {
    place.partial = true;
    place.at.index.assign(place.at.index.size(), std::nullopt);
  }
  // A pointer to a followed variable names that variable.
  if (target.array.extents.empty() && target.prefix.empty() && !place.partial && isTrackedType(type) &&
      classOf(target.element) == TypeClass::Integer)
    place.variable = pointer.object;
  return place;
}

Place Walker::lvalue(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  if (auto known = st.evaluated.find(expr); known != st.evaluated.end()) return known->second;
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    if (cast->isGLValue()) {
      Place place = lvalue(cast->getSubExpr());
      // Another class's view of the object, of which it may be a part.
      if (classOf(cast->getType()) == TypeClass::Record && classOf(place.type) == TypeClass::Record &&
          cast->getCastKind() != clang::CK_LValueBitCast)
        place.type = cast->getType();
      if (cast->getCastKind() != clang::CK_NoOp) place.part = {};
      if (cast->getCastKind() == clang::CK_LValueBitCast) {
        place.partial = true;
        place.variable.clear();
        place.path.clear();
        place.at.index.assign(place.at.index.size(), std::nullopt);
        place.type = cast->getType();
        bool isStruct = !place.at.object.empty() && !object(place.at.object).prefix.empty();
        if (isStruct) place = somePart(place, place.type, textOf(cast), locate(cast));
      }
      return place;
    }
    if (llvm::isa<clang::CXXFunctionalCastExpr>(cast) && classOf(cast->getType()) == TypeClass::Record)
      return lvalue(cast->getSubExpr());
    // A temporary struct or array: nothing that has a name.
    if (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp)
      return lvalue(cast->getSubExpr());
  }
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    return placeOfVariable(ref->getDecl(), ref->getLocation());
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    // A row that is subscripted where it stands is not left; what a pointer to its elements walks over is not said.
    const auto *decayed = llvm::dyn_cast<clang::ImplicitCastExpr>(subscript->getBase()->IgnoreParens());
    bool isRow = decayed && decayed->getCastKind() == clang::CK_ArrayToPointerDecay;
    Place row = isRow ? lvalue(decayed->getSubExpr()) : Place();
    Pointer base = isRow ? decay(row) : pointer(subscript->getBase());
    Symbolic index = integer(subscript->getIdx()).expr;
    Place place = dereference(step(base, index, subscript->getType()), subscript->getType(), subscript);
    if (place.partial && row.part.bytes) place.part = partOfRow(row, index, st.ranges, context);
    return place;
  }
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (op->getOpcode() == clang::UO_Deref) return dereference(pointer(op->getSubExpr()), op->getType(), op);
    if (op->isIncrementDecrementOp()) { // C++: an lvalue
      Place place = lvalue(op->getSubExpr());
      rvalue(op, false);
      return place;
    }
    if (op->getOpcode() == clang::UO_Extension) return lvalue(op->getSubExpr());
    if (op->getOpcode() == clang::UO_Real || op->getOpcode() == clang::UO_Imag) {
      Place place = lvalue(op->getSubExpr());
      place.partial = true;
      place.path.clear();
      place.type = op->getType();
      return place;
    }
  }
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl());
    if (!field) {
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(access->getMemberDecl()))
        return placeOfVariable(variable, access->getMemberLoc());
      return Place{{}, access->getType()};
    }
    Place base;
    if (access->isArrow()) {
      clang::QualType pointee = access->getBase()->getType()->getPointeeType();
      base = dereference(pointer(access->getBase()), pointee, access->getBase());
    } else base = lvalue(access->getBase());
    if (field->getParent()->isUnion() || field->isBitField())
      find(Rule::PartOfElement, locate(access),
           std::string(field->isBitField() ? "bit field " : "union member ") + field->getNameAsString() +
               " is a part of an element; the whole element is taken, and writes of it are never certain");
    return member(base, field);
  }
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (op->getOpcode() == clang::BO_Comma) {
      rvalue(op->getLHS(), true);
      return lvalue(op->getRHS());
    }
    if (op->isAssignmentOp()) {
      rvalue(op, true);
      return lvalue(op->getLHS());
    }
    if (op->isPtrMemOp()) return memberThroughPointer(op);
  }
  if (const clang::Expr *value = scalarTemporary(expr)) { // a number of its own, whatever it was made from
    rvalue(value, true);
    return Place{{}, expr->getType()};
  }
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
    return lvalue(temporary->getSubExpr());
  if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expr)) return lvalue(cleanups->getSubExpr());
  if (const auto *bind = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr)) return lvalue(bind->getSubExpr());
  if (const auto *constant = llvm::dyn_cast<clang::ConstantExpr>(expr)) return lvalue(constant->getSubExpr());
  if (const auto *standard = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr)) return lvalue(standard->getExpr());
  if (const auto *standard = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expr)) return lvalue(standard->getExpr());
  if (const auto *given = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr))
    return lvalue(given->getReplacement());
  if (const auto *choice = llvm::dyn_cast<clang::GenericSelectionExpr>(expr)) return lvalue(choice->getResultExpr());
  if (const auto *choice = llvm::dyn_cast<clang::ChooseExpr>(expr)) return lvalue(choice->getChosenSubExpr());
  if (const auto *callee = llvm::dyn_cast<clang::CallExpr>(expr)) {
    if (const clang::Expr *same = passedOn(callee)) return lvalue(same);
    if (auto element = elementOf(callee)) return *element;
    if (copiedRecord(callee)) { // `a = b` as an lvalue is a
      call(callee, true);
      return lvalue(objectOf(callee));
    }
    if (auto place = placeInPlace(callee)) return *place;
    if (auto place = placeInPair(callee)) return *place;
    if (handleOf(callee->getType()) != Handle::None && callee->isGLValue()) { // `++it`, `a = b`, std::move(a)
      const clang::Expr *object = objectOf(callee);
      if (object && handleOf(object->getType()) != Handle::None && changesHandle(callee)) {
        if (!handleFrom(callee) && !handleOperation(callee, true)) call(callee, true);
        return lvalue(object);
      }
    }
    std::optional<Pointer> self;
    if (auto known = st.env.pointers.find("this"); known != st.env.pointers.end()) self = known->second;
    if (const clang::Expr *result = bindInlined(callee) ? singleReturn(calleeOf(callee)) : nullptr) {
      inlining.insert(calleeOf(callee)->getCanonicalDecl());
      Place place = lvalue(result);
      inlining.erase(calleeOf(callee)->getCanonicalDecl());
      if (self) st.env.pointers["this"] = *self;
      return place;
    }
    if (auto place = placeReturned(callee)) return *place;
    rvalue(callee, true);
    if (callee->isGLValue()) return dereference(Pointer(), callee->getType(), callee);
    return Place{{}, callee->getType()};
  }
  if (llvm::isa<clang::StringLiteral, clang::PredefinedExpr>(expr)) return placeOfText(expr);
  if (const auto *condition = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr);
      condition && expr->isGLValue()) {
    Place a, b;
    choose(
        condition, [&](const clang::Expr *side) { a = lvalue(side); },
        [&](const clang::Expr *side) { b = lvalue(side); });
    std::vector<std::string> targets;
    if (classOf(expr->getType()) == TypeClass::Pointer) { // it has no memory that a store could be seen to change
      for (const Place &one : {a, b})
        if (!one.variable.empty()) st.addressTaken.insert(one.variable);
    } else if (!a.at.object.empty() && !b.at.object.empty()) targets = {a.at.object, b.at.object};
    for (const Place &one : {a, b}) // nor has a struct whose fields have names
      if (auto found = st.objects.find(one.at.object); found != st.objects.end() && !found->second.prefix.empty())
        st.escaped.insert(one.at.object), targets.clear();
    return Place{unknownPointer(textOf(expr), expr->getType(), locate(expr), targets), expr->getType()};
  }
  if (const auto *literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(expr)) return lvalue(literal->getInitializer());
  if (llvm::isa<clang::LambdaExpr>(expr)) return Place{*closureAt(expr), expr->getType()};
  bool isMade = llvm::isa<clang::InitListExpr, clang::CXXConstructExpr>(expr) &&
                classOf(expr->getType()) == TypeClass::Record && !isStdComplex(expr->getType()) && expr->isPRValue();
  if (isMade) return materialize(expr);
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expr);
      list && expr->isGLValue() && list->getNumInits() == 1)
    return lvalue(list->getInit(0)); // `T &r{x}`
  if (llvm::isa<clang::InitListExpr>(expr)) {
    for (const clang::Stmt *child : partsOf(expr))
      if (const auto *value = llvm::dyn_cast_or_null<clang::Expr>(child)) storeAway(value);
    return Place{{}, expr->getType()};
  }
  if (expr->isGLValue()) return unknownPlace(expr);
  rvalue(expr, true); // a temporary that has no name
  return Place{{}, expr->getType()};
}

/// std::get of a pair is one of its fields.
std::optional<Place> Walker::placeInPair(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier() || callee->getName() != "get" ||
      expr->getNumArgs() != 1)
    return std::nullopt;
  const auto *record = expr->getArg(0)->getType()->getAsCXXRecordDecl();
  const clang::TemplateArgumentList *given = callee->getTemplateSpecializationArgs();
  bool isPair = record && record->isInStdNamespace() && record->getIdentifier() && record->getName() == "pair";
  if (!isPair || !given || given->size() == 0 || given->get(0).getKind() != clang::TemplateArgument::Integral)
    return std::nullopt;
  const clang::FieldDecl *field = fieldNamed(record, given->get(0).getAsIntegral() == 0 ? "first" : "second");
  if (!field || !expr->getArg(0)->isGLValue()) return std::nullopt;
  return member(lvalue(expr->getArg(0)), field);
}

std::vector<Subscript> Walker::subscriptsOf(const Place &place, Location location) {
  std::vector<Subscript> subscripts;
  const Object &target = object(place.at.object);
  for (const auto &index : place.at.index) {
    Subscript subscript;
    std::string reason;
    bool memory = false;
    if (index && isKnownHere(*index, reason, memory)) {
      subscript.value = index;
      for (const std::string &name : index->symbols()) { // fixed here, but not where the loops around are left
        auto facts = st.symbols.find(name);
        if (facts != st.symbols.end() && facts->second.loop != 0 && facts->second.memory)
          find(Rule::IndirectSubscript, location,
               "subscript depends on memory (`" + facts->second.reason + "`); the whole array " + target.array.name +
                   " is taken");
      }
    } else if (index && isBoundedHere(*index)) {
      subscript.value = index;
    } else if (index) {
      subscript.from = loadedFrom(*index);
      if (subscript.from && isRanged(subscript.from->array))
        report(Rule::IndirectSubscript, skeleton::Level::Note, location,
               "subscript depends on memory (`" + reason + "`); of " + target.array.name +
                   " is taken what a hint says of " + subscript.from->array);
      else
        find(memory ? Rule::IndirectSubscript : Rule::NonAffineSubscript, location,
             memory
                 ? "subscript depends on memory (`" + reason + "`); the whole array " + target.array.name + " is taken"
                 : "subscript `" + reason + "` is no affine form; the whole array " + target.array.name + " is taken");
      std::tie(subscript.atLeast, subscript.atMost) = boundsWithout(
          *index, [&](const std::string &symbol) { return !isKnownHere(Symbolic::symbol(symbol), reason, memory); });
    } else if (target.array.storage != Storage::Alias)
      find(Rule::NonAffineSubscript, location,
           "the subscript of " + target.array.name + " is not known; the whole array is taken");
    subscripts.push_back(subscript);
  }
  return subscripts;
}

/// The part, if it is known where the element begins (bytes may be stepped over) and the part lies in it.
static skeleton::Part partWithin(const Place &place, const Object &object) {
  bool isElement = object.array.type.kind == skeleton::ElementType::Kind::Struct &&
                   llvm::all_of(place.at.index, [](const std::optional<Symbolic> &one) { return one.has_value(); });
  bool isInside = place.partial && uint64_t(place.part.offset) + place.part.bytes <= object.array.type.bytes;
  return isElement && isInside ? place.part : skeleton::Part();
}

/// Of a read: may it be of something else than a value of the element's type? Said of what another name may denote.
bool Walker::isBytewise(const Place &place, const Object &object) const {
  if (object.array.storage == Storage::Local || object.array.storage == Storage::Heap || object.array.isScalar())
    return false;
  if (object.array.type.kind == skeleton::ElementType::Kind::Struct || object.array.type.bytes == 1) return false;
  return place.bytewise || place.partial || place.type.isNull() ||
         !(elementTypeOf(place.type, context) == object.array.type);
}

void Walker::access(AccessKind kind, const Place &place, ReductionOp op, Location location, bool may, bool induction) {
  if (place.at.object.empty()) return;
  if (!place.variable.empty() && classOf(place.type) == TypeClass::Pointer) return; // its own memory is not modelled
  if (!st.isDeclared(place.at.object)) return; // a pointer variable
  Object &target = object(place.at.object);
  if (!target.prefix.empty() && target.array.extents.empty() && place.type->isRecordType() && !place.partial) {
    std::vector<Place> fields;
    collectFields(target.prefix, place.type, fields);
    for (const Place &field : fields) access(kind, field, op, location, may || fields.size() > 32, induction);
    return;
  }
  if (!target.prefix.empty() && target.array.extents.empty()) { // part of a struct whose fields have names of their own
    Place part = place;
    if (kind != AccessKind::Read) loseFields(std::string(target.prefix), location);
    part.at = unknownPointer(place.at.object, place.type, location, partsOfRecord(place.at.object));
    return access(kind, part, op, location, may, induction);
  }
  if (kind != AccessKind::Read) noteTableStore(place);
  Place normal = place;
  normalize(normal.at);
  if (!place.partial &&
      arrayLayerOf(place.type, context)) { // an array as a whole: `m[i] = z` of std::array, std::swap of rows
    size_t rank = target.array.extents.size(), own = 0;
    for (auto layer = arrayLayerOf(normal.type, context); layer; layer = arrayLayerOf(normal.type, context), ++own)
      normal.type = layer->element;
    ElementBox box;
    bool isKnown = own <= rank && normal.at.index.size() == rank;
    for (size_t d = 0; isKnown && d < rank; ++d) {
      bool isOwn = d + own >= rank;
      isKnown = isOwn ? target.array.extents[d] && normal.at.index[d] && normal.at.index[d]->isZero()
                      : normal.at.index[d].has_value();
      if (!isKnown) break;
      box.lower.push_back(*normal.at.index[d]);
      box.upper.push_back(isOwn ? *target.array.extents[d] - 1 : *normal.at.index[d]);
    }
    if (!isKnown) {
      normal.at.index.assign(normal.at.index.size(), std::nullopt);
      return access(kind, normal, op, location, may || kind != AccessKind::Read, induction);
    }
    return overBox(box, false, location, [&](const std::vector<Symbolic> &at) {
      normal.at.index.assign(at.begin(), at.end());
      access(kind, normal, op, location, may, induction);
    });
  }
  target.isUsed = target.isAccessed = true;
  const skeleton::Part part = partWithin(normal, target);
  const bool isSure = !may;
  if (kind != AccessKind::Read) {
    target.isWritten = true;
    const auto *record = place.type->getAsRecordDecl(),
               *whole = target.element.isNull() ? nullptr : target.element->getAsRecordDecl();
    bool isBase = record && whole && record->getCanonicalDecl() != whole->getCanonicalDecl(); // of the element
    may |= (place.partial || isBase) && !part.bytes;
  }
  bool outlives = target.array.storage != Storage::Local && target.array.storage != Storage::Heap;
  if (outlives) (kind == AccessKind::Read ? summary.readsMemory : summary.writesMemory) = true;
  Access made;
  made.kind = kind;
  made.array = place.at.object;
  made.subscripts = subscriptsOf(normal, location);
  made.part = part;
  made.op = op;
  made.may = may;
  made.bytewise = kind == AccessKind::Read && isBytewise(place, target);
  made.induction = induction;
  made.location = location;
  if (kind == AccessKind::Update && place.partial) {
    made.kind = AccessKind::Read;
    made.op = ReductionOp::None;
    made.may = false;
    put(made);
    made.kind = AccessKind::Write;
    made.may = may;
  }
  if (place.type.isVolatileQualified() || place.type->isAtomicType()) {
    bool isAtomic = place.type->isAtomicType();
    find(isAtomic ? Rule::AtomicOperation : Rule::VolatileAccess, location,
         std::string(isAtomic ? "atomic" : "volatile") + " access of " + target.array.name +
             ", whose order is kept; it stays on the host, and so do the loops around it");
    host(HostReason::Unsupported, isAtomic ? "an atomic access" : "volatile", {Node(made)}, location);
    return;
  }
  if (kind != AccessKind::Read && isSure && place.partial && completesElement(place, made)) {
    made.may = false;
    made.part = {};
  }
  put(std::move(made));
  if (kind != AccessKind::Read && place.variable.empty()) clobberBehind(place.at.object, location);
}

void Walker::read(const Place &place, Location location, bool may) {
  access(AccessKind::Read, place, ReductionOp::None, location, may, false);
}

void Walker::write(const Place &place, Location location, bool may, bool induction) {
  access(AccessKind::Write, place, ReductionOp::None, location, may, induction);
}

/// by: the expression that does it; if its value is used, each iteration sees what the others have done so far, and it
/// is no part of a reduction.
void Walker::update(const Place &place, ReductionOp op, Location location, const clang::Expr *by) {
  if (by && !unusedValues.count(by)) {
    read(place, location);
    return write(place, location);
  }
  access(AccessKind::Update, place, op, location, false, false);
}

/// The struct whose fields' names begin so; the prefix itself if there is none.
static std::string objectOfPrefix(const std::string &prefix, const State &st) {
  for (llvm::StringRef end : {"->", "."}) { // which most are called by
    auto found = llvm::StringRef(prefix).ends_with(end) ? st.objects.find(prefix.substr(0, prefix.size() - end.size()))
                                                        : st.objects.end();
    if (found != st.objects.end() && found->second.prefix == prefix) return found->first;
  }
  std::string name = prefix;
  for (const auto &[other, found] : st.objects)
    if (found.prefix == prefix) name = other;
  return name;
}

/// The places of all fields of a single struct, arrays as wholes are left to the caller (unknown subscripts). Plain
/// fields of a variable of the function's own that no code names are left out.
void Walker::collectFields(const std::string &prefix, clang::QualType record, std::vector<Place> &fields) {
  const auto *decl = record->getAsRecordDecl();
  if (!decl || !decl->getDefinition()) return;
  if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(decl->getDefinition()))
    for (const clang::CXXBaseSpecifier &from : derived->bases()) collectFields(prefix, from.getType(), fields);
  Place base;
  base.at.object = objectOfPrefix(prefix, st);
  base.type = record;
  if (!st.objects.count(base.at.object)) return;
  for (const clang::FieldDecl *field : decl->getDefinition()->fields()) {
    if (field->isUnnamedBitField() || field->getType()->isReferenceType())
      continue; // what it is bound to is no part of it
    if (isUnnamedInOwn(base, field)) continue;
    Place place = member(base, field);
    if (place.at.object.empty() || place.at.object == base.at.object) continue;
    if (classOf(place.type) == TypeClass::Array) place.at.index.assign(place.at.index.size(), std::nullopt);
    if (classOf(place.type) == TypeClass::Record && !object(place.at.object).prefix.empty())
      collectFields(object(place.at.object).prefix, place.type, fields);
    else fields.push_back(place);
  }
}

} // namespace busfare::frontend
