//===- clang-plugin/walk/Handles.cpp - Containers and their kin ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// vector, valarray, span and unique_ptr are modelled, not read: a handle is a pointer
// variable, and an integer variable for its size.
//
//   std::vector<double> v(n);      double *v = new double[n](); v.size() = n
//   v[i] += 1;                     update v[i]
//   u.swap(v);                     the two pointers and the two sizes change places
//
// Copying an owner copies its elements; a view only the pointer. What else a container
// can do (insert, erase) may touch and change all of it.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "skeleton/Polynomial.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

Place Walker::sizeOf(const std::string &variable) {
  Place place;
  place.variable = place.at.object = variable + sizeSuffix.str();
  place.type = context.getSizeType();
  auto origin = st.fieldOrigins.find(variable);
  if (origin != st.fieldOrigins.end() && !st.fieldOrigins.count(place.variable)) {
    ExtraFormal size = origin->second;
    size.suffix = size.suffix.empty() ? "size()" : size.suffix + sizeSuffix.str();
    size.type = place.type;
    st.fieldOrigins[place.variable] = size;
  }
  return place;
}

/// The place of a container, iterator or smart pointer that a member function is called on.
Place Walker::placeOfHandle(const clang::Expr *object) {
  if (object->getType()->isPointerType())
    return dereference(pointer(object), object->getType()->getPointeeType(), object);
  return lvalue(object);
}

HandleValue Walker::readHandle(const Place &place, Location location, bool isSized) {
  HandleValue value;
  if (place.variable.empty()) {
    if (handleOf(place.type) == Handle::Owner)
      if (std::optional<Pointer> row = rowAt(place, location))
        return {*row, isSized ? std::optional(sizeOfRow(place, location)) : std::nullopt};
    read(place, location);
    find(Rule::UnknownPointer, location,
         "a container that is itself an element is not followed; its elements may be in any array");
    value.at = unknownPointer("", pointeeOf(place.type), location);
    if (hasSize(handleOf(place.type)))
      value.size = Value{freshSymbol("", "a container's size", location, true, false, Symbolic(0))};
    return value;
  }
  value.at = readPointer(place.variable, place.type, location);
  if (isSized && hasSize(handleOf(place.type)))
    value.size = readInteger(sizeOf(place.variable).variable, context.getSizeType(), location);
  return value;
}

/// The handle denotes this memory from now on.
void Walker::assignHandle(const Place &place, const HandleValue &value, Location location) {
  assignPointer(place, value.at, location);
  if (place.variable.empty() || !hasSize(handleOf(place.type))) return;
  storeInteger(sizeOf(place.variable), value.size
                                           ? *value.size
                                           : Value{freshSymbol(place.variable + sizeSuffix.str(), "a container's size",
                                                               location, true, false, Symbolic(0))});
}

/// Fresh memory of so many elements; `isSet`: each has a value.
HandleValue Walker::freshElements(const Symbolic &count, clang::QualType element, const std::string &hint, bool isSet,
                                  Location location) {
  bringToLife(element, location);
  HandleValue value;
  value.size = Value{count};
  Symbolic bytes = count * Symbolic(std::max<uint64_t>(bytesOf(element, context), 1));
  if (count.isPoisoned() || bytes.isPoisoned())
    bytes = freshSymbol("", "a container's size", location, false, false, Symbolic(0));
  value.at = allocate(bytes, element.getUnqualifiedType(), hint, location, false);
  if (isSet) wholeAccess(AccessKind::Write, value.at, std::nullopt, false, location);
  return value;
}

/// Copies all elements into memory of the copy's own. from: their type where they are, if it is another.
HandleValue Walker::copyElements(const HandleValue &source, clang::QualType element, const std::string &hint,
                                 Location location, clang::QualType from) {
  if (handleOf(element) == Handle::Owner) return copyTable(source, element, hint, location);
  Symbolic count =
      source.size ? source.size->expr : freshSymbol("", "a container's size", location, true, false, Symbolic(0));
  HandleValue copy = freshElements(count, element, hint, false, location);
  if (!source.at.object.empty())
    bringToLife(element, location, {Reach{source.at, false}}); // what they are copied from, too
  Symbolic bytes = count * Symbolic(std::max<uint64_t>(bytesOf(from.isNull() ? element : from, context), 1));
  copyWhole(source.at, bytes, copy.at, std::nullopt, location);
  return copy;
}

HandleValue Walker::constructHandle(const clang::CXXConstructExpr *expr) {
  std::string hint = nameHint;
  nameHint.clear();
  clang::QualType type = expr->getType(), element = pointeeOf(type);
  Handle kind = handleOf(type);
  Location location = locate(expr);
  std::vector<const clang::Expr *> arguments;
  for (const clang::Expr *argument : expr->arguments())
    if (!llvm::isa<clang::CXXDefaultArgExpr>(argument)) arguments.push_back(argument);
  HandleValue null;
  null.at.null = true;
  if (hasSize(kind)) null.size = Value{Symbolic(0)};
  if (arguments.empty()) return null;
  const clang::Expr *first = arguments[0];
  clang::QualType firstType = first->getType().getNonReferenceType();
  Handle from = handleOf(firstType);
  bool isListed = llvm::isa<clang::CXXStdInitializerListExpr>(first->IgnoreImplicit());
  bool isSame = from != Handle::None && from == kind;
  if (kind == Handle::Owner && (isSame || isListed)) {
    bool isMove = isSame && !first->isLValue();
    if (isMove) nameHint = hint;
    HandleValue source = handle(first);
    nameHint.clear();
    if (isListed) {
      source.at = freshElements(source.size->expr, element, hint, true, location).at;
      return source;
    }
    if (!isMove) return copyElements(source, element, hint, location);
    takeAway(first, location);
    return source;
  }
  bool isValarray = type->getAsCXXRecordDecl()->getName() == "valarray";
  if (isValarray && arguments.size() == 2 && classOf(firstType) != TypeClass::Pointer &&
      classOf(arguments[1]->getType()) == TypeClass::Integer) {
    storeAway(first); // the value comes first
    return freshElements(integer(arguments[1]).expr, element, hint, true, location);
  }
  if (kind == Handle::Owner && classOf(firstType) == TypeClass::Integer) {
    Symbolic count = integer(first).expr;
    if (handleOf(element) == Handle::Owner)
      return freshTable(count, element, hint, arguments.size() > 1 ? arguments[1] : nullptr, location);
    for (size_t k = 1; k < arguments.size(); ++k) storeAway(arguments[k]);
    return freshElements(count, element, hint, true, location);
  }
  if (kind == Handle::Owner && classOf(firstType) == TypeClass::Pointer && arguments.size() >= 2) { // a range
    Pointer begin = pointer(first), end = pointer(arguments[1]);
    HandleValue source{begin, distance(begin, end, first->getType(), location)};
    if (classOf(arguments[1]->getType()) == TypeClass::Integer) source.size = integer(arguments[1]); // valarray(p, n)
    return copyElements(source, element, hint, location, pointeeOf(first->getType()));
  }
  if (kind == Handle::Unique)
    for (size_t k = 1; k < arguments.size(); ++k) storeAway(arguments[k]); // who gives the memory back
  if (kind == Handle::View || kind == Handle::Unique || kind == Handle::Iterator) {
    if (classOf(firstType) == TypeClass::Array) {
      HandleValue view{decay(lvalue(first)), {}};
      if (auto elements = elementsIn(firstType, bytesOf(element, context))) view.size = Value{*elements};
      return view;
    }
    if (classOf(firstType) == TypeClass::Pointer) {
      nameHint = hint;
      HandleValue view = from == Handle::None ? HandleValue{pointer(first), {}} : handle(first);
      nameHint.clear();
      if (arguments.size() >= 2 && kind == Handle::View) {
        if (classOf(arguments[1]->getType()) == TypeClass::Integer) view.size = integer(arguments[1]);
        else view.size = distance(view.at, pointer(arguments[1]), first->getType(), location);
      }
      if (kind == Handle::Unique && from == Handle::Unique && !first->isLValue()) takeAway(first, location);
      return view;
    }
  }
  for (const clang::Expr *argument : arguments) storeAway(argument);
  find(Rule::UnknownPointer, location,
       "this way to make a container is not followed; its elements may be in any array");
  HandleValue unknown{unknownPointer(hint, element, location), {}};
  return unknown;
}

/// What is moved from holds nothing any more.
void Walker::takeAway(const clang::Expr *expr, Location location) {
  const clang::Expr *plain = expr->IgnoreParens();
  if (!plain->isXValue()) return; // of what a call returns by value nobody has the name
  const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(plain);
  if (temporary) return;
  Place place = lvalue(plain);
  HandleValue null;
  null.at.null = true;
  null.size = Value{Symbolic(0)};
  if (!place.variable.empty()) assignHandle(place, null, location);
  else if (!rowsName(place).empty()) loseTable(place.at.object);
}

/// Elements from begin to end.
std::optional<Value> Walker::distance(Pointer begin, Pointer end, clang::QualType iterator, Location location) {
  if (!begin.object.empty()) normalize(begin);
  if (!end.object.empty()) normalize(end);
  bool isPart = begin.inside || end.inside;
  if (!begin.object.empty() && begin.object == end.object && begin.index.size() == end.index.size() && !isPart) {
    const Object &target = object(begin.object);
    // Elements between them, in the steps of the type: rows, if it points to rows.
    Symbolic elements(0), stride(1);
    bool isKnown = true;
    for (size_t d = begin.index.size(); isKnown && d-- > 0;) {
      isKnown = begin.index[d] && end.index[d];
      if (!isKnown || *begin.index[d] == *end.index[d]) {
      } else if (stride.isPoisoned()) isKnown = false;
      else elements = elements + (*end.index[d] - *begin.index[d]) * stride;
      if (d > 0) stride = target.array.extents[d] ? stride * *target.array.extents[d] : Symbolic::poisoned();
    }
    std::optional<Symbolic> step(Symbolic(1));
    if (begin.index.size() > 1 && isPointerLike(iterator)) {
      uint64_t bytes = target.element.isNull() ? 1 : std::max<uint64_t>(bytesOf(target.element, context), 1);
      step = elementsIn(pointeeOf(iterator), bytes);
    }
    if (isKnown && step)
      if (auto count = *step == Symbolic(1) ? std::optional(elements) : skeleton::divideExactly(elements, *step);
          count && !count->isPoisoned())
        return Value{*count};
  }
  return Value{freshSymbol("", "the length of a range", location, true, false, Symbolic(0))};
}

HandleValue Walker::handle(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  Location location = locate(expr);
  if (const auto *wrapped = llvm::dyn_cast<clang::ExprWithCleanups>(expr)) return handle(wrapped->getSubExpr());
  if (const auto *wrapped = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr)) return handle(wrapped->getSubExpr());
  if (const auto *wrapped = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr)) return handle(wrapped->getSubExpr());
  if (const auto *wrapped = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr)) return handle(wrapped->getExpr());
  if (const auto *wrapped = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expr)) return handle(wrapped->getExpr());
  if (const auto *wrapped = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(expr))
    return handle(wrapped->getSubExpr());
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    clang::QualType inner = cast->getSubExpr()->getType().getNonReferenceType();
    if (handleOf(inner) != Handle::None ||
        llvm::isa<clang::CXXConstructExpr, clang::CallExpr>(cast->getSubExpr()->IgnoreImplicit()))
      return handle(cast->getSubExpr());
    return {pointer(cast->getSubExpr()), {}};
  }
  if (llvm::isa<clang::UnaryOperator, clang::BinaryOperator>(expr) && !expr->isGLValue() &&
      expr->getType()->isPointerType()) // `&v[i]`, `v + i`
    return {pointer(expr), {}};
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) return constructHandle(made);
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
    for (const clang::Expr *init : list->inits()) storeAway(init);
    HandleValue value{{}, Value{Symbolic(list->getNumInits())}};
    if (list->getNumInits() == 0) value.at.null = true;
    return value;
  }
  if (const auto *made = llvm::dyn_cast<clang::CallExpr>(expr)) {
    if (auto known = handleFrom(made)) return *known;
    if (auto done = handleOperation(made, true)) { // `a = b`, `it += 2`: the left side
      const clang::Expr *object = objectOf(made);
      return object ? readHandle(placeOfHandle(object), location) : HandleValue();
    }
    if (!made->isGLValue()) {
      if (auto fresh = pointerCall(made)) {
        uint64_t bytes = std::max<uint64_t>(bytesOf(pointeeOf(expr->getType()), context), 1);
        const std::string &name = fresh->at.object;
        if (!fresh->size && !name.empty() && st.objects.count(name) && object(name).bytes)
          fresh->size = Value{floorDiv(*object(name).bytes, bytes)};
        return *fresh;
      }
      call(made, true);
      return HandleValue{
          unknownPointer(nameHint.empty() ? textOf(expr) : nameHint, pointeeOf(expr->getType()), location), {}};
    }
  }
  if (const auto *choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr)) {
    runCommon(choice);
    integer(choice->getCond());
    HandleValue a = handle(choice->getTrueExpr()), b = handle(choice->getFalseExpr());
    if (a.at == b.at && a.size == b.size) return a;
    std::vector<std::string> targets;
    if (!a.at.object.empty() && !b.at.object.empty()) targets = {a.at.object, b.at.object};
    return {unknownPointer(nameHint.empty() ? textOf(expr) : nameHint, pointeeOf(expr->getType()), location, targets),
            {}};
  }
  return readHandle(lvalue(expr), location);
}

/// A member or operator of one of the library's handles.
static const clang::Expr *handleObject(const clang::CallExpr *expr, std::string &name) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee) return nullptr;
  const clang::Expr *object = objectOf(expr);
  if (!object && llvm::isa<clang::CXXOperatorCallExpr>(expr) && expr->getNumArgs() > 0)
    object = expr->getArg(0); // a free operator
  if (!object) return nullptr;
  // The operators of a shared_ptr are those of its base.
  if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(object);
      cast && handleOf(cast->getSubExpr()->getType()) != Handle::None)
    object = cast->getSubExpr();
  clang::QualType type = object->getType().getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  if (handleOf(type) == Handle::None) return nullptr;
  if (const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr))
    name = std::string("operator") + clang::getOperatorSpelling(op->getOperator());
  else name = callee->getNameAsString();
  return object;
}

bool changesHandle(const clang::CallExpr *expr) {
  std::string name;
  if (!handleObject(expr, name)) return false;
  return !llvm::StringSwitch<bool>(name)
              .Cases("operator[]", "operator*", "operator->", "operator+", "operator-", true)
              .Cases("operator==", "operator!=", "operator<", "operator<=", "operator>", "operator>=", "operator<=>",
                     true)
              .Cases("size", "empty", "data", "begin", "end", "cbegin", "cend", "get", true)
              .Cases("at", "front", "back", "capacity", "max_size", "subspan", "first", "last", "sum", "min", true)
              .Cases("max", "base", "rbegin", "rend", true)
              .Default(false);
}

/// Functions of the library that give a handle or a pointer.
std::optional<HandleValue> Walker::handleFrom(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee) return std::nullopt;
  Location location = locate(expr);
  std::string name;
  if (const clang::Expr *object = handleObject(expr, name)) {
    clang::QualType type = object->getType().getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    Handle kind = handleOf(type);
    clang::QualType element = pointeeOf(type);
    if (name == "begin" || name == "cbegin" || name == "data" || name == "get" || name == "base" ||
        name == "operator->")
      return HandleValue{readHandle(placeOfHandle(object), location, false).at, {}};
    if (name == "end" || name == "cend") {
      HandleValue value = readHandle(placeOfHandle(object), location);
      return HandleValue{value.size ? step(value.at, value.size->expr, element) : Pointer(), {}};
    }
    if (name == "release" && kind == Handle::Unique) {
      Place place = placeOfHandle(object);
      HandleValue value = readHandle(place, location), null;
      null.at.null = true;
      assignHandle(place, null, location);
      return value;
    }
    if (kind == Handle::View && (name == "subspan" || name == "first" || name == "last") && expr->getNumArgs() >= 1) {
      HandleValue value = readHandle(placeOfHandle(object), location);
      Symbolic a = integer(expr->getArg(0)).expr, all = value.size ? value.size->expr : Symbolic::poisoned();
      Symbolic skipped = name == "subspan" ? a : name == "last" ? all - a : Symbolic(0);
      bool isCounted =
          name == "subspan" && expr->getNumArgs() == 2 && !llvm::isa<clang::CXXDefaultArgExpr>(expr->getArg(1));
      Symbolic count = name != "subspan" ? a : isCounted ? integer(expr->getArg(1)).expr : all - a;
      return HandleValue{step(value.at, skipped, element), Value{count}};
    }
    if (kind == Handle::Iterator) return iteratorArithmetic(expr, object, name);
    return std::nullopt;
  }
  if (!callee->isInStdNamespace() || !callee->getIdentifier()) {
    // `begin()` and `data()` of std::array give pointers.
    const clang::Expr *object = objectOf(expr);
    if (!object || llvm::isa<clang::CXXOperatorCallExpr>(expr) || !callee->getIdentifier()) return std::nullopt;
  }
  name = callee->getName().str();
  const clang::Expr *range = objectOf(expr) ? objectOf(expr) : expr->getNumArgs() >= 1 ? expr->getArg(0) : nullptr;
  if (!range) return std::nullopt;
  if (range->getType()->isPointerType() && objectOf(expr)) return std::nullopt;
  clang::QualType type = range->getType().getNonReferenceType();
  bool isStart = name == "begin" || name == "cbegin" || name == "data", isEnd = name == "end" || name == "cend";
  if ((isStart || isEnd) && arrayLayerOf(type, context)) {
    ArrayLayer layer = *arrayLayerOf(type, context);
    Pointer start = decay(lvalue(range));
    if (isStart) return HandleValue{start, {}};
    return HandleValue{layer.extent ? step(start, Symbolic(*layer.extent), layer.element) : Pointer(), {}};
  }
  if (!callee->isInStdNamespace()) return std::nullopt;
  if (auto found = foundElement(expr)) return HandleValue{*found, {}};
  if ((isStart || isEnd) && handleOf(type) != Handle::None) {
    HandleValue value = handle(range);
    if (isStart) return HandleValue{value.at, {}};
    return HandleValue{value.size ? step(value.at, value.size->expr, pointeeOf(type)) : Pointer(), {}};
  }
  if ((name == "move" || name == "forward" || name == "as_const") && expr->getNumArgs() == 1 &&
      handleOf(type) != Handle::None)
    return handle(range);
  if ((name == "next" || name == "prev") && isPointerLike(type)) {
    Symbolic count = expr->getNumArgs() > 1 && !llvm::isa<clang::CXXDefaultArgExpr>(expr->getArg(1))
                         ? integer(expr->getArg(1)).expr
                         : Symbolic(1);
    return HandleValue{step(pointer(range), name == "next" ? count : -count, pointeeOf(type)), {}};
  }
  if (name == "make_unique" || name == "make_shared" || name == "make_unique_for_overwrite") {
    std::string hint = nameHint;
    nameHint.clear();
    clang::QualType element = pointeeOf(callee->getReturnType());
    bool isArray = classOf(type) == TypeClass::Integer && expr->getNumArgs() == 1 &&
                   callee->getTemplateSpecializationArgs() &&
                   callee->getTemplateSpecializationArgs()->get(0).getAsType()->isArrayType();
    if (!isArray) return std::nullopt;
    Symbolic count = integer(range).expr;
    return freshElements(count, element, hint, name != "make_unique_for_overwrite", location);
  }
  return std::nullopt;
}

/// `it + n`, `++it`, `it -= n`: as of pointers.
std::optional<HandleValue> Walker::iteratorArithmetic(const clang::CallExpr *expr, const clang::Expr *object,
                                                      llvm::StringRef name) {
  clang::QualType element = pointeeOf(object->getType());
  Location location = locate(expr);
  auto by = [&] { return integer(expr->getArg(expr->getNumArgs() - 1)).expr; };
  if ((name == "operator+" || name == "operator-") && expr->getNumArgs() == 2 &&
      classOf(expr->getArg(1)->getType()) == TypeClass::Integer) {
    Pointer base = handle(object).at;
    Symbolic count = by();
    return HandleValue{step(base, name == "operator+" ? count : -count, element), {}};
  }
  bool isStep = name == "operator++" || name == "operator--";
  if (!isStep && name != "operator+=" && name != "operator-=") return std::nullopt;
  Place place = lvalue(object);
  Pointer before = readHandle(place, location).at;
  bool isUp = name == "operator++" || name == "operator+=";
  Symbolic count = isStep ? Symbolic(1) : by();
  Pointer after = step(before, isUp ? count : -count, element);
  assignPointer(place, after, location);
  bool isPostfix = isStep && expr->getNumArgs() == 2;
  return HandleValue{isPostfix ? before : after, {}};
}

/// `v[i]`, `*it`, `a.at(i)`: an element's place.
std::optional<Place> Walker::elementOf(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee || !expr->isGLValue()) return std::nullopt;
  Location location = locate(expr);
  std::string name;
  const clang::Expr *object = handleObject(expr, name);
  unsigned given = llvm::isa<clang::CXXOperatorCallExpr>(expr) ? 1 : 0; // where the arguments begin
  auto argument = [&] { return integer(expr->getArg(given)).expr; };
  bool hasIndex = expr->getNumArgs() == given + 1 && classOf(expr->getArg(given)->getType()) == TypeClass::Integer;
  if (object) {
    clang::QualType type = object->getType().getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    clang::QualType element = pointeeOf(type);
    if ((name == "operator[]" || name == "at") && hasIndex) {
      Pointer base = readHandle(placeOfHandle(object), location, false).at;
      return dereference(step(base, argument(), element), element, expr);
    }
    if ((name == "operator*" && expr->getNumArgs() == given) || name == "front") {
      HandleValue value = name == "front" ? readHandle(placeOfHandle(object), location, false) : handle(object);
      return dereference(value.at, element, expr);
    }
    if (name == "back") {
      HandleValue value = readHandle(placeOfHandle(object), location);
      return dereference(value.size ? step(value.at, value.size->expr - 1, element) : Pointer(), element, expr);
    }
    return std::nullopt;
  }
  object = objectOf(expr);
  if (!object || object->getType()->isPointerType()) return std::nullopt;
  clang::QualType type = object->getType().getNonReferenceType();
  std::optional<ArrayLayer> layer = arrayLayerOf(type, context);
  if (!layer) return std::nullopt;
  bool isSubscript =
      (callee->getOverloadedOperator() == clang::OO_Subscript || callee->getNameAsString() == "at") && hasIndex;
  bool isEnd = callee->getNameAsString() == "front" || callee->getNameAsString() == "back";
  if (!isSubscript && !isEnd) return std::nullopt;
  Pointer base = decay(lvalue(object));
  Symbolic index = isSubscript                            ? argument()
                   : callee->getNameAsString() == "front" ? Symbolic(0)
                                                          : Symbolic(int64_t(layer->extent.value_or(1)) - 1);
  return dereference(step(base, index, layer->element), layer->element, expr);
}

} // namespace busfare::frontend
