//===- clang-plugin/Subscripts.cpp - Lvalues, pointers, accesses ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pointer is (object, index of the element). Adding k to a pointer to T moves
// the dimension whose stride is sizeof(T): `A[i][j]` of `double A[n][m]` steps
// dimension 0 by i, then dimension 1 by j; `(double (*)[m]) flat` steps the one
// dimension of flat by m for each row. A declared array may be assumed to keep
// its subscripts in range; a pointer made by `&` or a cast may not, and is split
// into rows only if that is proved.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

static bool isZero(const std::optional<Symbolic> &index) { return index && index->isZero(); }

void Walker::normalize(Pointer &pointer) {
  if (pointer.object.empty()) return;
  size_t rank = object(pointer.object).array.extents.size();
  if (pointer.index.size() == rank) return;
  bool atStart = llvm::all_of(pointer.index, isZero);
  pointer.index.assign(rank, atStart ? std::optional<Symbolic>(0) : std::nullopt);
}

std::vector<std::optional<Symbolic>> Walker::dimensionsOf(clang::QualType type) {
  std::vector<std::optional<Symbolic>> dimensions;
  type = type.getNonReferenceType();
  while (const clang::ArrayType *array = context.getAsArrayType(type)) {
    if (const auto *fixed = llvm::dyn_cast<clang::ConstantArrayType>(array))
      dimensions.push_back(Symbolic(fixed->getSize().getLimitedValue(INT64_MAX)));
    else if (const auto *variable = llvm::dyn_cast<clang::VariableArrayType>(array))
      dimensions.push_back(variable->getSizeExpr() ? std::optional(extentOf(variable->getSizeExpr())) : std::nullopt);
    else
      dimensions.push_back(std::nullopt);
    type = array->getElementType();
  }
  return dimensions;
}

/// A variable array's size is what its expression held when the type was first met.
Symbolic Walker::extentOf(const clang::Expr *size) {
  auto known = st.vlaSizes.find(size);
  if (known != st.vlaSizes.end()) return known->second;
  Symbolic extent = integer(size).expr;
  return st.vlaSizes[size] = extent;
}

std::optional<Symbolic> Walker::elementsIn(clang::QualType type, uint64_t elementBytes) {
  Symbolic count(1);
  for (const auto &extent : dimensionsOf(type)) {
    if (!extent) return std::nullopt;
    count = count * *extent;
  }
  uint64_t bytes = bytesOf(innermost(type, context), context);
  if (bytes == 0 || elementBytes == 0) return std::nullopt;
  if (bytes % elementBytes == 0) return count * Symbolic(bytes / elementBytes);
  if (auto whole = count.constant(); whole && (*whole * bytes) % elementBytes == 0)
    return Symbolic(*whole * bytes / elementBytes);
  return std::nullopt;
}

/// dividend / divisor for a product of symbols as divisor, if every term is divisible; the rest otherwise.
static std::pair<Symbolic, Symbolic> divideBy(const Symbolic &dividend, const Symbolic &divisor) {
  Symbolic quotient, rest;
  if (divisor.sum().size() != 1) return {Symbolic(0), dividend};
  const skeleton::Term &by = divisor.sum()[0];
  for (const skeleton::Term &term : dividend.sum()) {
    Symbolic piece(term.coefficient), whole(term.coefficient);
    std::vector<skeleton::Atom> left = term.factors;
    bool divides = term.coefficient % by.coefficient == 0;
    for (const skeleton::Atom &atom : by.factors) {
      auto found = llvm::find(left, atom);
      if (found == left.end()) {
        divides = false;
        break;
      }
      left.erase(found);
    }
    auto product = [](Symbolic start, llvm::ArrayRef<skeleton::Atom> factors) {
      for (const skeleton::Atom &atom : factors) {
        if (atom.kind != skeleton::Atom::Kind::Symbol) return Symbolic::poisoned();
        start = start * Symbolic::symbol(atom.name);
      }
      return start;
    };
    if (divides)
      quotient = quotient + product(Symbolic(term.coefficient / by.coefficient), left);
    else
      rest = rest + product(whole, term.factors);
  }
  return {quotient, rest};
}

void Walker::giveShape(Object &object, clang::QualType pointee) {
  object.element = innermost(pointee, context);
  object.array.type = elementTypeOf(pointee, context);
  std::vector<std::optional<Symbolic>> inner = dimensionsOf(pointee);
  uint64_t bytes = bytesOf(object.element, context);
  object.array.extents = {std::nullopt};
  if (!object.bytes || bytes == 0) {
    object.array.extents.insert(object.array.extents.end(), inner.begin(), inner.end());
    return;
  }
  Symbolic row(bytes);
  bool shaped = !inner.empty();
  for (const auto &extent : inner) {
    if (!extent) shaped = false;
    else row = row * *extent;
  }
  if (shaped) {
    auto [rows, rest] = divideBy(*object.bytes, row);
    if (rest.isZero() && !rows.isPoisoned()) {
      object.array.extents = inner;
      if (rows.constant() != 1) object.array.extents.insert(object.array.extents.begin(), rows);
      return;
    }
  }
  object.array.extents = {floorDiv(*object.bytes, bytes)};
}

Pointer Walker::unknownPointer(llvm::StringRef text, clang::QualType pointee, Location location,
                               std::vector<std::string> mayBe) {
  std::string base = text.str();
  if (base.empty() || base.size() > 32 || llvm::StringRef(base).contains('`') || llvm::StringRef(base).contains('\n'))
    base = "unknown";
  bool anything = mayBe.empty();
  std::set<std::string> targets;
  for (const std::string &target : mayBe) {
    const Array &array = object(target).array;
    if (!object(target).prefix.empty()) anything = true; // its fields have names of their own
    if (array.storage != Storage::Alias) targets.insert(target);
    else if (array.mayBe.empty()) anything = true;
    targets.insert(array.mayBe.begin(), array.mayBe.end());
  }
  if (anything) targets.clear();
  std::vector<std::string> list(targets.begin(), targets.end());
  if (pointee.isNull() || bytesOf(innermost(pointee, context), context) == 0) pointee = context.CharTy;
  std::string name = base;
  for (unsigned k = 2;; ++k) {
    bool isDeclared = llvm::is_contained(st.objectOrder, name) || unit.globalNames.count(name);
    if (!isDeclared) break;
    auto same = st.objects.find(name); // another function's global may be unknown here
    if (same != st.objects.end() && same->second.array.storage == Storage::Alias && same->second.array.mayBe == list &&
        same->second.array.type == elementTypeOf(pointee, context))
      break;
    name = base + "." + std::to_string(k);
  }
  Object &made = declareObject(name, innermost(pointee, context), Storage::Alias, location);
  made.array.extents = {std::nullopt};
  made.array.mayBe = list;
  Pointer result;
  result.object = name;
  result.index = {std::nullopt};
  return result;
}

Pointer Walker::readPointer(const std::string &variable, clang::QualType type, Location location) {
  if (st.env.leftByLoop.count(variable)) read(memoryOfPointer(variable), location);
  auto known = st.env.pointers.find(variable);
  if (known != st.env.pointers.end()) return known->second;
  auto entry = st.entryPointers.find(variable);
  bool isCarried = isChangedAround(variable);
  if (entry != st.entryPointers.end() && !st.env.opaque && !isCarried) return entry->second;
  clang::QualType pointee = type->getPointeeType();
  auto origin = st.fieldOrigins.find(variable);
  if (origin == st.fieldOrigins.end() || isCarried) return unknownPointer(variable, pointee, location);
  // What a caller's field or a global points to on entry: named as the variable.
  Storage storage = origin->second.position == -2 ? Storage::Global : Storage::Parameter;
  Object &made = declareObject(variable, pointee, storage, location);
  made.origin = origin->second.position;
  made.originPath = origin->second.suffix;
  made.isGlobal = storage == Storage::Global;
  made.isLoaded = true;
  made.isConstPointee = pointee.isConstQualified();
  if (classOf(pointee) == TypeClass::Record && !made.isGlobal)
    made.prefix = variable + "->";
  else {
    if (pointee->isVoidType()) made.element = clang::QualType();
    made.array.extents.insert(made.array.extents.begin(), std::nullopt);
  }
  Pointer result;
  result.object = variable;
  result.index.assign(made.array.extents.size(), Symbolic(0));
  st.entryPointers[variable] = result;
  if (st.env.opaque) {
    result.index.assign(result.index.size(), std::nullopt);
    return st.env.pointers[variable] = unknownPointer(variable, pointee, location);
  }
  return result;
}

Place Walker::placeOfVariable(const clang::ValueDecl *decl, clang::SourceLocation where) {
  decl = llvm::cast<clang::ValueDecl>(decl->getCanonicalDecl());
  auto reference = st.references.find(decl);
  if (reference != st.references.end()) return reference->second;
  Place place;
  place.type = decl->getType().getNonReferenceType();
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
  if (!variable) return place;
  std::string name = nameOf(decl);
  place.at.object = name;
  bool isGlobal = variable->hasGlobalStorage();
  if (isGlobal && !variable->isStaticLocal() && !st.fieldOrigins.count(name)) {
    ExtraFormal origin;
    origin.position = -2;
    origin.suffix = name;
    origin.type = place.type;
    st.fieldOrigins[name] = origin;
  }
  TypeClass kind = classOf(place.type);
  if (isTrackedType(place.type)) place.variable = name;
  bool declared = llvm::is_contained(st.objectOrder, name);
  if (!declared && kind != TypeClass::Pointer) {
    Storage storage = isGlobal ? Storage::Global : Storage::Local;
    Object &made = declareObject(name, place.type, storage, locate(decl->getLocation()));
    made.isGlobal = isGlobal;
    if (isGlobal) {
      made.origin = -2;
      made.originPath = name;
    }
    if (kind == TypeClass::Record) made.prefix = name + ".";
    made.isConstPointee = place.type.isConstQualified();
  } else if (!declared && place.variable.empty()) {
    declareObject(name, place.type, Storage::Local, locate(decl->getLocation())); // volatile pointer
  }
  if (llvm::is_contained(st.objectOrder, name)) place.at.index.assign(object(name).array.extents.size(), Symbolic(0));
  return place;
}

Place Walker::member(const Place &base, const clang::FieldDecl *field) {
  Place place;
  place.type = field->getType();
  if (base.type.isVolatileQualified()) place.type.addVolatile();
  if (base.at.object.empty()) return place;
  Object &parent = object(base.at.object);
  bool isUnion = field->getParent()->isUnion();
  if (parent.prefix.empty() || base.at.inside || base.partial || isUnion || field->isBitField() || !field->getIdentifier()) {
    place.at = base.at;
    place.at.inside = true;
    place.partial = true;
    return place;
  }
  std::string key = parent.prefix + field->getNameAsString();
  if (place.type->isReferenceType()) {
    place.at = unknownPointer(key, place.type->getPointeeType(), parent.array.location);
    place.type = place.type->getPointeeType();
    return place;
  }
  TypeClass kind = classOf(place.type);
  if (parent.origin != -3 && !st.fieldOrigins.count(key)) {
    ExtraFormal origin;
    origin.position = parent.origin;
    origin.suffix = parent.originPath.empty() ? field->getNameAsString()
                                              : parent.originPath + (llvm::StringRef(parent.prefix).ends_with("->") ? "->" : ".") +
                                                    field->getNameAsString();
    origin.type = place.type;
    st.fieldOrigins[key] = origin;
  }
  place.at.object = key;
  if (isTrackedType(place.type)) place.variable = key;
  if (kind == TypeClass::Pointer) return place;
  if (!llvm::is_contained(st.objectOrder, key)) {
    Object copy = parent; // declareObject may move it
    Object &made = declareObject(key, place.type, copy.array.storage, locate(field->getLocation()));
    made.isGlobal = copy.isGlobal;
    made.origin = copy.origin;
    made.array.perIteration = copy.array.perIteration;
    if (made.origin != -3) made.originPath = st.fieldOrigins[key].suffix;
    if (kind == TypeClass::Record) made.prefix = key + ".";
  }
  place.at.index.assign(object(key).array.extents.size(), Symbolic(0));
  return place;
}

Pointer Walker::decay(const Place &place) {
  Pointer result = place.at;
  if (place.partial) result.inside = true;
  return result;
}

/// index + count elements of a row-major array, as one index each; nothing where that is not proved.
static std::vector<std::optional<Symbolic>> splitIntoRows(const Ranges &ranges, const Array &array,
                                                          llvm::ArrayRef<std::optional<Symbolic>> index,
                                                          const Symbolic &count) {
  size_t rank = array.extents.size();
  std::vector<std::optional<Symbolic>> result(rank);
  std::vector<Symbolic> stride(rank, Symbolic(1));
  Symbolic total = count;
  for (size_t d = rank; d-- > 0;) {
    if (d + 1 < rank) {
      if (!array.extents[d + 1]) return result;
      stride[d] = stride[d + 1] * *array.extents[d + 1];
    }
    if (!index[d]) return result;
    total = total + *index[d] * stride[d];
  }
  for (size_t d = 0; d < rank; ++d) {
    if (d + 1 == rank) {
      result[d] = total;
      break;
    }
    Symbolic quotient, rest;
    if (auto fixed = stride[d].constant(); fixed && *fixed > 0) {
      quotient = floorDiv(total, *fixed);
      rest = total - quotient * Symbolic(*fixed);
    } else {
      std::tie(quotient, rest) = divideBy(total, stride[d]);
      if (!ranges.isNonNegative(rest) || !ranges.isNonNegative(stride[d] - 1 - rest))
        return std::vector<std::optional<Symbolic>>(rank);
    }
    result[d] = quotient;
    total = rest;
  }
  return result;
}

Pointer Walker::step(Pointer pointer, const Symbolic &count, clang::QualType pointee) {
  if (count.isZero()) return pointer;
  if (pointer.object.empty() || pointer.inside) return pointer;
  Object &target = object(pointer.object);
  if (target.element.isNull() && !pointee->isVoidType()) giveShape(target, pointee);
  normalize(pointer);
  const Array &array = target.array;
  size_t rank = array.extents.size();
  uint64_t elementBytes = target.element.isNull() ? 1 : array.type.bytes;
  if (!target.element.isNull()) elementBytes = std::max<uint64_t>(bytesOf(target.element, context), 1);
  std::optional<Symbolic> elements = elementsIn(pointee, elementBytes);
  if (rank == 0 || !target.prefix.empty()) {
    // Beyond a single variable: whatever is there.
    return unknownPointer(pointer.object, pointee, array.location);
  }
  auto loseIndex = [&] {
    pointer.index.assign(rank, std::nullopt);
    return pointer;
  };
  if (!elements || count.isPoisoned()) return loseIndex();
  if (rank == 1) {
    if (pointer.index[0]) pointer.index[0] = *pointer.index[0] + count * *elements;
    return pointer;
  }
  if (pointer.flat) {
    pointer.index = splitIntoRows(st.ranges, array, pointer.index, count * *elements);
    return pointer;
  }
  Symbolic stride(1);
  for (size_t d = rank; d-- > 0;) {
    if (stride == *elements) {
      if (pointer.index[d]) pointer.index[d] = *pointer.index[d] + count;
      return pointer;
    }
    if (!array.extents[d]) break;
    stride = stride * *array.extents[d];
  }
  return loseIndex();
}

Pointer Walker::castPointer(Pointer pointer, clang::QualType from, clang::QualType to) {
  if (pointer.object.empty() || to.isNull() || to->isVoidType() || to->isFunctionType()) return pointer;
  Object &target = object(pointer.object);
  bool isBytes = bytesOf(innermost(to, context), context) == 1;
  if (target.element.isNull() && !isBytes) giveShape(target, to);
  normalize(pointer);
  if (target.array.extents.size() > 1 && !context.hasSameUnqualifiedType(from, to) && !from->isVoidType())
    pointer.flat = true;
  if (target.array.extents.size() > 1 && from->isVoidType() && !to->isArrayType()) pointer.flat = true;
  return pointer;
}

Place Walker::dereference(const Pointer &given, clang::QualType type, const clang::Expr *text) {
  Pointer pointer = given;
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
  if (!target.prefix.empty() && !type->isRecordType()) {
    place.at = unknownPointer(textOf(text), type, locate(text));
    return place;
  }
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
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    if (cast->isGLValue()) {
      Place place = lvalue(cast->getSubExpr());
      if (cast->getCastKind() == clang::CK_LValueBitCast) {
        place.partial = true;
        place.variable.clear();
        place.at.index.assign(place.at.index.size(), std::nullopt);
        place.type = cast->getType();
      }
      return place;
    }
    // A temporary struct or array: nothing that has a name.
    if (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp)
      return lvalue(cast->getSubExpr());
  }
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr)) return placeOfVariable(ref->getDecl(), ref->getLocation());
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    Pointer base = pointer(subscript->getBase());
    Symbolic index = integer(subscript->getIdx()).expr;
    return dereference(step(base, index, subscript->getType()), subscript->getType(), subscript);
  }
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (op->getOpcode() == clang::UO_Deref)
      return dereference(pointer(op->getSubExpr()), op->getType(), op);
    if (op->isIncrementDecrementOp()) { // C++: an lvalue
      Place place = lvalue(op->getSubExpr());
      rvalue(op, false);
      return place;
    }
    if (op->getOpcode() == clang::UO_Extension) return lvalue(op->getSubExpr());
    if (op->getOpcode() == clang::UO_Real || op->getOpcode() == clang::UO_Imag) {
      Place place = lvalue(op->getSubExpr());
      place.partial = true;
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
    } else
      base = lvalue(access->getBase());
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
  }
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr)) return lvalue(temporary->getSubExpr());
  if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expr)) return lvalue(cleanups->getSubExpr());
  if (const auto *bind = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr)) return lvalue(bind->getSubExpr());
  if (const auto *callee = llvm::dyn_cast<clang::CallExpr>(expr)) {
    if (const clang::Expr *result = bindInlined(callee) ? inlinedResult(callee) : nullptr) {
      inlining.insert(calleeOf(callee)->getCanonicalDecl());
      Place place = lvalue(result);
      inlining.erase(calleeOf(callee)->getCanonicalDecl());
      return place;
    }
    rvalue(callee, true);
    if (callee->isGLValue()) return dereference(Pointer(), callee->getType(), callee);
    return Place{{}, callee->getType()};
  }
  if (llvm::isa<clang::StringLiteral, clang::PredefinedExpr>(expr)) return Place{{}, expr->getType()};
  if (const auto *condition = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr); condition && expr->isGLValue()) {
    integer(condition->getCond());
    Pointer a = lvalue(condition->getTrueExpr()).at, b = lvalue(condition->getFalseExpr()).at;
    std::vector<std::string> targets;
    if (!a.object.empty() && !b.object.empty()) targets = {a.object, b.object};
    return Place{unknownPointer(textOf(expr), expr->getType(), locate(expr), targets), expr->getType()};
  }
  if (llvm::isa<clang::InitListExpr, clang::CompoundLiteralExpr>(expr)) {
    for (const clang::Stmt *child : expr->children())
      if (const auto *value = llvm::dyn_cast_or_null<clang::Expr>(child)) rvalue(value, true);
    return Place{{}, expr->getType()};
  }
  return Place{{}, expr->getType()};
}

Pointer Walker::pointerCast(const clang::CastExpr *cast) {
  const clang::Expr *inner = cast->getSubExpr();
  switch (cast->getCastKind()) {
  case clang::CK_ArrayToPointerDecay: return decay(lvalue(inner));
  case clang::CK_NullToPointer: {
    Pointer null;
    null.null = true;
    return null;
  }
  case clang::CK_LValueToRValue: {
    Place place = lvalue(inner);
    if (!place.variable.empty()) return readPointer(place.variable, cast->getType(), locate(cast));
    read(place, locate(cast));
    bool isArgument = isMain && st.objects.count(place.at.object) && object(place.at.object).array.storage == Storage::Parameter;
    if (!isArgument) find(Rule::UnknownPointer, locate(cast),
         "the pointer `" + textOf(cast) + "` is loaded from memory; it may point into any array");
    return unknownPointer(textOf(cast), cast->getType()->getPointeeType(), locate(cast));
  }
  case clang::CK_BitCast:
  case clang::CK_NoOp:
  case clang::CK_AddressSpaceConversion:
  case clang::CK_DerivedToBase:
  case clang::CK_UncheckedDerivedToBase:
  case clang::CK_BaseToDerived: {
    if (!inner->getType()->isPointerType()) break;
    clang::QualType to = cast->getType()->getPointeeType();
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(inner->IgnoreParenCasts()))
      if (auto fresh = allocation(made, to)) return castPointer(*fresh, inner->getType()->getPointeeType(), to);
    return castPointer(pointer(inner), inner->getType()->getPointeeType(), to);
  }
  case clang::CK_UserDefinedConversion:
  case clang::CK_ConstructorConversion: break;
  default: break;
  }
  if (auto value = inner->getIntegerConstantExpr(context); value && *value == 0) {
    Pointer null;
    null.null = true;
    return null;
  }
  rvalue(inner, true);
  return Pointer();
}

Pointer Walker::pointerOperator(const clang::BinaryOperator *op) {
  clang::QualType pointee = op->getType()->getPointeeType();
  switch (op->getOpcode()) {
  case clang::BO_Add: {
    bool left = op->getLHS()->getType()->isPointerType();
    Pointer base = pointer(left ? op->getLHS() : op->getRHS());
    return step(base, integer(left ? op->getRHS() : op->getLHS()).expr, pointee);
  }
  case clang::BO_Sub: {
    Pointer base = pointer(op->getLHS());
    return step(base, -integer(op->getRHS()).expr, pointee);
  }
  case clang::BO_Assign: {
    Place place = lvalue(op->getLHS());
    nameHint = place.variable;
    Pointer value = pointer(op->getRHS());
    nameHint.clear();
    assignPointer(place, value, locate(op->getLHS()));
    return value;
  }
  case clang::BO_AddAssign:
  case clang::BO_SubAssign: {
    Place place = lvalue(op->getLHS());
    Symbolic count = integer(op->getRHS()).expr;
    if (place.variable.empty()) {
      update(place, ReductionOp::Add, locate(op));
      return Pointer();
    }
    Pointer base = readPointer(place.variable, place.type, locate(op));
    Pointer value = step(base, op->getOpcode() == clang::BO_AddAssign ? count : -count, pointee);
    assignPointer(place, value, locate(op));
    return value;
  }
  case clang::BO_Comma:
    rvalue(op->getLHS(), true);
    return pointer(op->getRHS());
  default:
    rvalue(op->getLHS(), true);
    rvalue(op->getRHS(), true);
    return Pointer();
  }
}

Pointer Walker::pointer(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) return pointerCast(cast);
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr)) return pointerOperator(op);
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (op->getOpcode() == clang::UO_AddrOf) {
      const clang::Expr *inner = op->getSubExpr()->IgnoreParens();
      Place place = lvalue(inner);
      Pointer result = place.at;
      result.inside |= place.partial;
      bool isWhole = !llvm::isa<clang::ArraySubscriptExpr>(inner) || inner->getType()->isArrayType();
      if (!result.object.empty() && result.index.size() > 1 && !isWhole) result.flat = true;
      if (result.object.empty() || (classOf(place.type) == TypeClass::Pointer && !place.variable.empty()))
        return Pointer(); // the address of a pointer variable
      return result;
    }
    if (op->isIncrementDecrementOp()) {
      Place place = lvalue(op->getSubExpr());
      if (place.variable.empty()) {
        update(place, ReductionOp::Add, locate(op));
        return Pointer();
      }
      Pointer before = readPointer(place.variable, place.type, locate(op));
      Pointer after = step(before, Symbolic(op->isIncrementOp() ? 1 : -1), op->getType()->getPointeeType());
      assignPointer(place, after, locate(op));
      return op->isPrefix() ? after : before;
    }
    if (op->getOpcode() == clang::UO_Extension) return pointer(op->getSubExpr());
  }
  if (llvm::isa<clang::CXXThisExpr>(expr)) {
    auto known = st.env.pointers.find("this");
    return known == st.env.pointers.end() ? Pointer() : known->second;
  }
  if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(expr)) {
    Pointer null;
    null.null = true;
    return null;
  }
  if (const auto *condition = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr)) {
    integer(condition->getCond());
    Pointer a = pointer(condition->getTrueExpr()), b = pointer(condition->getFalseExpr());
    if (a == b || b.null) return a;
    if (a.null) return b;
    std::vector<std::string> targets;
    if (!a.object.empty() && !b.object.empty()) targets = {a.object, b.object};
    return unknownPointer(nameHint.empty() ? textOf(expr) : nameHint, expr->getType()->getPointeeType(), locate(expr),
                          targets);
  }
  if (llvm::isa<clang::CallExpr, clang::CXXNewExpr>(expr)) {
    if (auto fresh = allocation(expr, expr->getType()->getPointeeType())) return *fresh;
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(expr))
      if (auto result = pointerCall(made)) return *result;
    rvalue(expr, true);
    return Pointer();
  }
  if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expr)) return pointer(cleanups->getSubExpr());
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr)) return pointer(temporary->getSubExpr());
  if (const auto *substituted = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr))
    return pointer(substituted->getReplacement());
  if (const auto *standard = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr)) return pointer(standard->getExpr());
  if (expr->isGLValue() && expr->getType()->isArrayType()) return decay(lvalue(expr));
  for (const clang::Stmt *child : expr->children())
    if (const auto *inner = llvm::dyn_cast_or_null<clang::Expr>(child)) rvalue(inner, true);
  return Pointer();
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
               "subscript depends on memory (`" + facts->second.reason + "`); the whole array " + target.array.name + " is taken");
      }
    } else if (index) {
      find(memory ? Rule::IndirectSubscript : Rule::NonAffineSubscript, location,
           memory ? "subscript depends on memory (`" + reason + "`); the whole array " + target.array.name + " is taken"
                  : "subscript `" + reason + "` is no affine form; the whole array " + target.array.name + " is taken");
      if (auto name = index->asSymbol()) {
        auto facts = st.symbols.find(*name);
        if (facts != st.symbols.end()) {
          std::string ignored;
          if (facts->second.atLeast && isKnownHere(*facts->second.atLeast, ignored, memory))
            subscript.atLeast = facts->second.atLeast;
          if (facts->second.atMost && isKnownHere(*facts->second.atMost, ignored, memory))
            subscript.atMost = facts->second.atMost;
        }
      }
    } else if (target.array.storage != Storage::Alias)
      find(Rule::NonAffineSubscript, location,
           "the subscript of " + target.array.name + " is not known; the whole array is taken");
    subscripts.push_back(subscript);
  }
  return subscripts;
}

void Walker::access(AccessKind kind, const Place &place, ReductionOp op, Location location, bool may, bool induction) {
  if (place.at.object.empty()) return;
  if (!place.variable.empty() && classOf(place.type) == TypeClass::Pointer) return; // its own memory is not modelled
  if (!llvm::is_contained(st.objectOrder, place.at.object)) return; // a pointer variable
  Object &target = object(place.at.object);
  if (!target.prefix.empty() && target.array.extents.empty() && place.type->isRecordType() && !place.partial) {
    std::vector<Place> fields;
    collectFields(target.prefix, place.type, fields);
    for (const Place &field : fields) access(kind, field, op, location, may || fields.size() > 32, induction);
    return;
  }
  Place normal = place;
  normalize(normal.at);
  target.isUsed = true;
  if (kind != AccessKind::Read) {
    target.isWritten = true;
    may |= place.partial;
  }
  bool outlives = target.array.storage != Storage::Local && target.array.storage != Storage::Heap;
  if (outlives) (kind == AccessKind::Read ? summary.readsMemory : summary.writesMemory) = true;
  Access made;
  made.kind = kind;
  made.array = place.at.object;
  made.subscripts = subscriptsOf(normal, location);
  made.op = op;
  made.may = may;
  made.induction = induction;
  made.location = location;
  if (kind == AccessKind::Update && place.partial) {
    made.kind = AccessKind::Read;
    made.op = ReductionOp::None;
    made.may = false;
    out->push_back(made);
    made.kind = AccessKind::Write;
    made.may = true;
  }
  if (place.type.isVolatileQualified()) {
    find(Rule::UnsupportedCode, location, "volatile access of " + target.array.name + "; it stays on the host");
    host(HostReason::Unsupported, "volatile", {Node(made)}, location);
    return;
  }
  out->push_back(std::move(made));
}

void Walker::read(const Place &place, Location location, bool may) {
  access(AccessKind::Read, place, ReductionOp::None, location, may, false);
}
void Walker::write(const Place &place, Location location, bool may, bool induction) {
  access(AccessKind::Write, place, ReductionOp::None, location, may, induction);
}
void Walker::update(const Place &place, ReductionOp op, Location location) {
  access(AccessKind::Update, place, op, location, false, false);
}

/// The places of all fields of a single struct, arrays as wholes are left to the caller (unknown subscripts).
void Walker::collectFields(const std::string &prefix, clang::QualType record, std::vector<Place> &fields) {
  const auto *decl = record->getAsRecordDecl();
  if (!decl || !decl->getDefinition()) return;
  Place base;
  base.at.object = prefix;
  for (const auto &[name, found] : st.objects)
    if (found.prefix == prefix) base.at.object = name;
  base.type = record;
  if (!st.objects.count(base.at.object)) return;
  for (const clang::FieldDecl *field : decl->getDefinition()->fields()) {
    Place place = member(base, field);
    if (place.at.object.empty() || place.at.object == base.at.object) continue;
    if (classOf(place.type) == TypeClass::Array) place.at.index.assign(place.at.index.size(), std::nullopt);
    if (classOf(place.type) == TypeClass::Record)
      collectFields(object(place.at.object).prefix, place.type, fields);
    else
      fields.push_back(place);
  }
}

} // namespace busfare::frontend
