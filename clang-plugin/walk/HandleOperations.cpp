//===- clang-plugin/walk/HandleOperations.cpp - What containers can do ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations on containers that give a number or nothing: size, resize, swap, assignment,
// push_back. New memory is an allocation, which only the host can do.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

/// The host itself touches what the pointer, to a first element, can reach, or some of so many elements, one way.
void Walker::hostTouches(AccessKind kind, const Pointer &at, llvm::StringRef name, Location location,
                         const std::optional<Symbolic> &count) {
  if (at.object.empty()) return;
  Block accesses = accessesOf([&] { wholeAccess(kind, at, std::nullopt, true, location); });
  for (Node &node : accesses)
    if (auto *access = std::get_if<Access>(&node.kind);
        access && count && !count->isPoisoned() && access->subscripts.size() == 1 && !access->subscripts[0].value)
      access->subscripts[0].atLeast = Symbolic(0), access->subscripts[0].atMost = *count - 1;
  host(HostReason::Allocation, name, std::move(accesses), location);
}

/// Other memory for so many elements, in place of what is there.
HandleValue Walker::otherElements(const Place &place, const Pointer &old, const Symbolic &count, bool isSet,
                                  Location location) {
  bool isUsed = !old.object.empty() && object(old.object).isUsed;
  std::optional<Symbolic> extent;
  if (isUsed && object(old.object).array.extents.size() == 1) extent = object(old.object).array.extents[0];
  HandleValue fresh = freshElements(count, pointeeOf(place.type), place.variable, isSet, location);
  if (!old.object.empty() && old.object == fresh.at.object && isUsed) {
    // One name for the memory before and after: it has no one size.
    auto &extents = object(fresh.at.object).array.extents;
    if (extents.size() == 1 && extents[0] != extent) extents[0] = std::nullopt;
  }
  return fresh;
}

/// Other memory with room for so many elements, of which the old ones keep their values.
void Walker::resize(const Place &place, const Symbolic &count, llvm::StringRef name, Location location) {
  HandleValue old = readHandle(place, location);
  if (name == "assign" || !(old.size && old.size->expr == count)) layToRest(pointeeOf(place.type), location);
  if (old.size && old.size->expr == count) return;
  bool holdsNothing = old.at.object.empty() || name == "assign";
  if (!holdsNothing) hostTouches(AccessKind::Read, old.at, name, location); // before its memory is gone
  HandleValue fresh = otherElements(place, old.at, count, holdsNothing, location);
  if (!holdsNothing) hostTouches(AccessKind::Write, fresh.at, name, location, count);
  if (!followStorage(place, old.at, fresh.at)) keepStorage(place, old.at, fresh, location);
  assignHandle(place, fresh, location);
}

/// Pointers into a container that gets another length may be used only if it keeps its memory; so they lead where it
/// does. False if not all of them are known.
bool Walker::followStorage(const Place &place, const Pointer &old, const Pointer &fresh) {
  if (isInLoop() || old.object.empty() || old.object == fresh.object) return false;
  const Array &before = object(old.object).array;
  if (before.storage == Storage::Alias || before.extents.size() != object(fresh.object).array.extents.size())
    return false;
  std::vector<Pointer *> inside;
  for (auto &[name, pointer] : st.env.pointers)
    if (name != place.variable && pointer.object == old.object) inside.push_back(&pointer);
  for (auto &[decl, bound] : st.references)
    if (bound.variable.empty() && bound.at.object == old.object) inside.push_back(&bound.at);
  std::vector<Pointer> kept;
  for (Pointer *pointer : inside) kept.push_back(std::exchange(*pointer, Pointer()));
  const bool isHeldElsewhere = isHeldBesides(place, old);
  for (size_t k = 0; k < inside.size(); ++k) {
    *inside[k] = kept[k];
    if (!isHeldElsewhere) inside[k]->object = fresh.object;
  }
  if (isHeldElsewhere) return false;
  if (st.escaped.count(old.object)) st.escaped.insert(fresh.object); // whoever knows of the one knows of the other
  if (st.lent.count(old.object)) st.lent.insert(fresh.object);
  for (auto &[name, one] : st.objects)
    if (one.likely.contains(old.object) && !one.likely.contains(fresh.object)) one.likely.added.push_back(fresh.object);
  return true;
}

/// A callee has left the vector with memory to which it is not followed. But what a vector of numbers holds is its own:
/// it is memory by the vector's name, as if the host had put there what the callee did. Pointers that lead there as
/// well are known (isHeldBesides), or are unknown: set by the callee, from before, or loaded from where somebody has
/// stored them.
void Walker::adoptStorage(const Place &place, const Pointer &old, llvm::StringRef callee, Location location) {
  const Pointer lost = st.env.pointers.at(place.variable);
  clang::QualType element = pointeeOf(place.type);
  if (isInLoop() || handleOf(place.type) != Handle::Owner || !element->isArithmeticType()) return;
  if (!old.object.empty() && isHeldBesides(place, old)) return;
  Value size = readInteger(sizeOf(place.variable).variable, context.getSizeType(), location);
  if (size.expr.isPoisoned()) return;
  hostTouches(AccessKind::Read, lost, callee, location);
  // Under the name of memory in use, which a caller's keeps, it would have no one size.
  const bool isUsed = !old.object.empty() && object(old.object).isUsed;
  const std::string own =
      isUsed ? freshElements(size.expr, element, freshObjectName(place.variable), false, location).at.object
             : otherElements(place, old, size.expr, false, location).at.object;
  Pointer at;
  at.object = own;
  at.index.assign(object(own).array.extents.size(), Symbolic(0));
  hostTouches(AccessKind::Write, at, callee, location);
  assignPointer(place, at, location);
  st.escaped.insert(own);
  for (auto &[name, one] : st.objects) {
    const Array &array = one.array;
    const bool isUnknown = array.storage == Storage::Alias && array.mayBe.empty();
    const bool mayLeadThere = array.location == location || one.likely.contains(old.object);
    if (isUnknown && mayLeadThere && !one.likely.contains(own)) one.likely.added.push_back(own);
  }
}

/// A callee has given an empty container its memory, and how much of it only the container can say.
void Walker::sizeByItself(const Place &place, Location location) {
  auto now = st.env.pointers.find(place.variable);
  auto memory = now == st.env.pointers.end() ? st.objects.end() : st.objects.find(now->second.object);
  if (isInLoop() || memory == st.objects.end() || memory->second.array.storage == Storage::Alias) return;
  const auto &extents = memory->second.array.extents;
  if (extents.size() != 1 || extents[0]) return;
  Value size = readInteger(sizeOf(place.variable).variable, context.getSizeType(), location);
  Object &held = object(now->second.object);
  if (!size.expr.isPoisoned()) held.array.extents[0] = size.expr;
}

/// Does anything but the container lead to its memory?
bool Walker::isHeldBesides(const Place &place, const Pointer &memory) const {
  const Array &array = st.objects.at(memory.object).array;
  if (array.storage == Storage::Alias && array.mayBe.empty()) return true;
  std::set<std::string> names(array.mayBe.begin(), array.mayBe.end());
  names.insert(memory.object);
  auto leadsThere = [&](const Pointer &pointer) {
    auto target = st.objects.find(pointer.object);
    return names.count(pointer.object) ||
           (target != st.objects.end() &&
            llvm::any_of(target->second.array.mayBe, [&](const std::string &one) { return names.count(one); }));
  };
  auto isThere = [&](const auto &named) { return named.first != place.variable && leadsThere(named.second); };
  auto holds = [&](const auto &rows) {
    return (rows.second.first && leadsThere(*rows.second.first)) ||
           (rows.second.origin && leadsThere(*rows.second.origin));
  };
  return llvm::any_of(st.env.pointers, isThere) || llvm::any_of(st.entryPointers, isThere) ||
         llvm::any_of(st.env.tables.rows, holds) ||
         llvm::any_of(st.references, [&](const auto &bound) { return leadsThere(bound.second.at); }) ||
         llvm::any_of(st.boundFields, [&](const auto &bound) { return leadsThere(bound.second.at); });
}

/// A container that shrinks, or has room enough, keeps its memory. That matters if something else points there, too.
void Walker::keepStorage(const Place &place, const Pointer &old, HandleValue &fresh, Location location) {
  if (old.object.empty() || fresh.at.object.empty() || old.object == fresh.at.object) return;
  const Array &before = object(old.object).array;
  const bool isKnownToOthers = st.escaped.count(old.object) || llvm::any_of(before.mayBe, [&](const std::string &one) {
                                 return st.escaped.count(one);
                               });
  if (isKnownToOthers || isHeldBesides(place, old))
    fresh.at = unknownPointer(place.variable, pointeeOf(place.type), location, {old.object, fresh.at.object});
}

/// Objects that a container or a unique_ptr held go; which ones is not followed.
void Walker::layToRest(clang::QualType type, Location location, llvm::ArrayRef<Reach> reachable) {
  if (type.isNull() || !endMatters(type)) return;
  std::string name = context.getBaseElementType(type.getNonReferenceType()).getUnqualifiedType().getAsString();
  find(Rule::OpaqueCall, location,
       "what the destructors of " + name + " do here is not followed; it stays on the host");
  touchReachable(reachable, HostReason::OpaqueCall, "~" + name, location, true);
}

/// Memory of a container that holds nothing yet, before elements are appended: how large it gets is not known.
Pointer Walker::roomToAppend(const Place &place, Location location) {
  Symbolic room = freshSymbol(place.variable + sizeSuffix.str(), "how many elements are appended", location, true,
                              false, Symbolic(0));
  Pointer at = freshElements(room, pointeeOf(place.type), place.variable, false, location).at;
  loseSize(at.object);
  return at;
}

/// Empty containers to which a loop appends get their memory before it: it is the same in all iterations, by name.
void Walker::makeRoomAhead(const clang::Stmt *body) {
  std::function<void(const clang::Stmt *)> search = [&](const clang::Stmt *at) {
    if (!at || llvm::isa<clang::LambdaExpr>(at)) return;
    for (const clang::Stmt *child : partsOf(at)) search(child);
    const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(at);
    const clang::FunctionDecl *callee = call ? calleeOf(call) : nullptr;
    if (!callee || !callee->getIdentifier() ||
        (callee->getName() != "push_back" && callee->getName() != "emplace_back"))
      return;
    const clang::Expr *object = call->getImplicitObjectArgument()->IgnoreParenImpCasts();
    const clang::VarDecl *variable = variableOf(object);
    if (!variable || handleOf(variable->getType()) != Handle::Owner) return;
    if (!st.names.count(llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl()))) return; // of the body's own
    Place place = placeOfHandle(object);
    if (place.variable.empty()) return;
    auto known = st.env.pointers.find(place.variable);
    if (known == st.env.pointers.end() || !known->second.null || !known->second.object.empty()) return;
    Location location = locate(call);
    assignPointer(place, roomToAppend(place, location), location);
  };
  search(body);
}

/// One element more. All of them may move to other memory, which the host does with what it holds.
void Walker::append(const Place &place, llvm::StringRef name, Location location) {
  HandleValue value = readHandle(place, location);
  clang::QualType element = pointeeOf(place.type);
  if (value.at.object.empty()) value.at = roomToAppend(place, location);
  else if (object(value.at.object).array.extents.size() == 1) loseSize(value.at.object);
  bringToLife(element, location);
  layToRest(element, location);
  hostTouches(AccessKind::Read, value.at, name, location);
  hostTouches(AccessKind::Write, value.at, name, location);
  assignPointer(place, value.at, location);
  Symbolic size = value.size ? value.size->expr : Symbolic::poisoned();
  storeInteger(sizeOf(place.variable),
               size.isPoisoned() ? Value{freshSymbol("", "a container's size", location, true, false, Symbolic(1))}
                                 : Value{size + 1});
}

/// How many elements a sum or product of valarrays has: as many as each of them. Nothing if that is not plain.
std::optional<Symbolic> Walker::sizeOfSum(const clang::Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
    return sizeOfSum(temporary->getSubExpr());
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr); ref && handleOf(ref->getType()) == Handle::Owner) {
    Place place = lvalue(ref);
    if (place.variable.empty()) return std::nullopt;
    return readInteger(sizeOf(place.variable).variable, context.getSizeType(), locate(expr)).expr;
  }
  const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
  if (!op || op->getOperator() == clang::OO_Subscript || op->getOperator() == clang::OO_Call) return std::nullopt;
  for (const clang::Expr *argument : op->arguments())
    if (auto size = sizeOfSum(argument)) return size;
  return std::nullopt;
}

/// `a = b` of two handles of one type.
void Walker::assignFrom(const Place &place, const clang::Expr *source, Location location) {
  Handle kind = handleOf(place.type);
  clang::QualType element = pointeeOf(place.type), from = source->getType().getNonReferenceType();
  bool isMove = !source->isLValue() && handleOf(from) != Handle::None;
  if (kind == Handle::Owner) layToRest(element, location);
  if (kind == Handle::Unique && endMatters(place.type))
    layToRest(place.type, location, {Reach{readHandle(place, location).at, false}});
  if (kind == Handle::Owner && classOf(from) != TypeClass::Pointer) { // valarray: every element
    storeAway(source);
    HandleValue value = readHandle(place, location);
    std::optional<Symbolic> count = sizeOfSum(source);
    bool isNumber = classOf(from) == TypeClass::Data || classOf(from) == TypeClass::Integer;
    if (!isNumber && !(count && value.size && value.size->expr == *count)) { // it gets as many as there are
      if (!count)
        count =
            freshSymbol(place.variable + sizeSuffix.str(), "a container's size", location, true, false, Symbolic(0));
      HandleValue fresh = freshElements(*count, element, place.variable, true, location);
      keepStorage(place, value.at, fresh, location);
      assignHandle(place, fresh, location);
      return;
    }
    if (!value.at.object.empty()) wholeAccess(AccessKind::Write, value.at, std::nullopt, false, location);
    return;
  }
  if (kind == Handle::Owner && !isMove) {
    HandleValue value = handle(source), old = readHandle(place, location);
    bool fits = value.size && old.size && value.size->expr == old.size->expr && !old.at.object.empty();
    if (fits && handleOf(element) == Handle::Owner && copyRows(value.at, old.at, location)) return;
    if (!fits || handleOf(element) == Handle::Owner) {
      HandleValue copy = copyElements(value, element, place.variable, location);
      keepStorage(place, old.at, copy, location);
      assignHandle(place, copy, location);
      return;
    }
    Symbolic bytes = value.size->expr * Symbolic(std::max<uint64_t>(bytesOf(element, context), 1));
    copyWhole(value.at, bytes, old.at, bytes, location);
    assignUnseen(element, location, {Reach{old.at, false}, Reach{value.at, false}});
    return;
  }
  nameHint = place.variable;
  HandleValue value = handle(source);
  nameHint.clear();
  if (isMove && kind != Handle::View && kind != Handle::Iterator) takeAway(source, location);
  assignHandle(place, value, location);
}

void Walker::swapHandles(const Place &a, const Place &b, Location location) {
  HandleValue first = readHandle(a, location), second = readHandle(b, location);
  assignHandle(a, second, location);
  assignHandle(b, first, location);
}

std::optional<std::optional<Value>> Walker::handleOperation(const clang::CallExpr *expr, bool data) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee) return std::nullopt;
  Location location = locate(expr);
  const std::optional<Value> nothing;
  const clang::Expr *object = objectOf(expr);
  const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr);
  if (!object && op && expr->getNumArgs() > 0) object = expr->getArg(0);
  clang::QualType type = object ? object->getType().getNonReferenceType() : clang::QualType();
  if (!type.isNull() && type->isPointerType()) type = type->getPointeeType();
  if (!object && callee->isInStdNamespace() && callee->getIdentifier()) return handleFunction(expr, callee->getName());
  if (!object) return std::nullopt;
  if (handleOf(type) == Handle::None) {
    // std::array: its size is a constant, which the compiler has folded; fill is a loop over it.
    if (op && op->getOperator() == clang::OO_Equal && expr->getNumArgs() == 2 && arrayLayerOf(type, context) &&
        !copiedRecord(expr)) {
      Place to = lvalue(object), from = lvalue(expr->getArg(1));
      read(from, location);
      write(to, location);
      assignUnseen(innermost(type, context), location, {Reach{to.at, false}, Reach{from.at, false}});
      return nothing;
    }
    if (!arrayLayerOf(type, context) || op || !callee->getIdentifier() || object->getType()->isPointerType())
      return std::nullopt;
    if (callee->getName() != "fill") return std::nullopt;
    storeAway(expr->getArg(0));
    wholeAccess(AccessKind::Write, decay(lvalue(object)), std::nullopt, false, location);
    return nothing;
  }
  if (op) {
    if (op->isComparisonOp() && op->getOperator() != clang::OO_Spaceship && expr->getNumArgs() == 2 &&
        handleOf(type) == Handle::Iterator) {
      pointer(expr->getArg(0));
      pointer(expr->getArg(1));
      return std::optional<Value>(
          Value{freshSymbol("", textOf(expr), location, false, true, Symbolic(0), Symbolic(1))});
    }
    if (op->getOperator() == clang::OO_Equal && expr->getNumArgs() == 2) {
      Place target = lvalue(object);
      if (handleOf(target.type) == Handle::Owner && target.variable.empty() && assignRow(target, op, location))
        return nothing;
      assignFrom(target, expr->getArg(1), location);
      return nothing;
    }
    if (op->getOperator() == clang::OO_Minus && expr->getNumArgs() == 2 &&
        isPointerLike(expr->getArg(1)->getType().getNonReferenceType())) {
      Pointer end = pointer(object), begin = pointer(expr->getArg(1));
      return distance(begin, end, expr->getArg(1)->getType().getNonReferenceType(), location);
    }
    return std::nullopt;
  }
  std::string name = callee->getNameAsString();
  if (name == "size" || name == "empty") {
    HandleValue value = readHandle(placeOfHandle(object), location);
    if (!value.size) return std::optional<Value>(unknownResult(expr, true));
    if (name == "size") return std::optional<Value>(*value.size);
    if (auto known = value.size->expr.constant()) return std::optional<Value>(Value{Symbolic(*known == 0)});
    return std::optional<Value>(Value{freshSymbol("", textOf(expr), location, false, true, Symbolic(0), Symbolic(1))});
  }
  if (name == "reserve" || name == "shrink_to_fit" || name == "capacity") {
    for (const clang::Expr *argument : expr->arguments()) rvalue(argument, false);
    if (name != "capacity") {
      Pointer at = readHandle(placeOfHandle(object), location).at;
      hostTouches(AccessKind::Read, at, name, location);
      hostTouches(AccessKind::Write, at, name, location);
    }
    return name == "capacity" ? std::optional<Value>(unknownResult(expr, true)) : nothing;
  }
  if (name == "resize" ||
      (name == "assign" && expr->getNumArgs() == 2 && classOf(expr->getArg(0)->getType()) == TypeClass::Integer)) {
    Place place = placeOfHandle(object);
    Symbolic count = integer(expr->getArg(0)).expr;
    const clang::Expr *like =
        expr->getNumArgs() > 1 && !llvm::isa<clang::CXXDefaultArgExpr>(expr->getArg(1)) ? expr->getArg(1) : nullptr;
    if (isTableOfContainers(place.type) && !place.variable.empty() &&
        (name == "assign" || readHandle(place, location).at.null)) {
      HandleValue old = readHandle(place, location),
                  fresh = freshTable(count, pointeeOf(place.type), place.variable, like, location);
      keepStorage(place, old.at, fresh, location);
      assignHandle(place, fresh, location);
      return nothing;
    }
    if (like) storeAway(like);
    if (place.variable.empty() && !isTableOfContainers(place.type) &&
        setRow(place, count, name == "assign", Pointer(), expr, location))
      return nothing;
    if (place.variable.empty()) return std::nullopt;
    resize(place, count, name, location);
    Pointer now = readHandle(place, location).at;
    if (name == "assign" && !now.object.empty()) wholeAccess(AccessKind::Write, now, std::nullopt, false, location);
    return nothing;
  }
  if (name == "push_back" || name == "emplace_back") {
    Place place = placeOfHandle(object);
    for (const clang::Expr *argument : expr->arguments()) storeAway(argument);
    if (place.variable.empty() && !isTableOfContainers(place.type) && changeRow(place, name, location)) return nothing;
    if (place.variable.empty()) return std::nullopt;
    append(place, name, location);
    return nothing;
  }
  if (name == "pop_back" || name == "clear") {
    Place place = placeOfHandle(object);
    if (place.variable.empty() && !isTableOfContainers(place.type) && changeRow(place, name, location)) return nothing;
    if (place.variable.empty()) return std::nullopt;
    layToRest(pointeeOf(place.type), location);
    Symbolic size = readHandle(place, location).size->expr;
    if (isInLoop()) host(HostReason::Allocation, name, {}, location); // each iteration finds what those before it left
    storeInteger(sizeOf(place.variable), Value{name == "clear" ? Symbolic(0) : size - 1});
    return nothing;
  }
  if (name == "swap" && expr->getNumArgs() == 1) {
    Place a = placeOfHandle(object), b = lvalue(expr->getArg(0));
    loseRow(a);
    loseRow(b);
    if (a.variable.empty() || b.variable.empty()) return std::nullopt;
    swapHandles(a, b, location);
    return nothing;
  }
  if (name == "reset" && handleOf(type) == Handle::Unique) {
    Place place = placeOfHandle(object);
    HandleValue value;
    value.at.null = true;
    nameHint = place.variable;
    if (expr->getNumArgs() >= 1 && !llvm::isa<clang::CXXDefaultArgExpr>(expr->getArg(0)))
      value.at = pointer(expr->getArg(0));
    nameHint.clear();
    if (endMatters(place.type)) layToRest(place.type, location, {Reach{readHandle(place, location).at, false}});
    for (unsigned k = 1; k < expr->getNumArgs(); ++k) storeAway(expr->getArg(k)); // a deleter
    assignHandle(place, value, location);
    return nothing;
  }
  if (name == "operator bool") {
    pointer(object);
    return std::optional<Value>(Value{freshSymbol("", textOf(expr), location, false, true, Symbolic(0), Symbolic(1))});
  }
  if (handleOf(type) == Handle::Owner && changesHandle(expr)) loseRow(placeOfHandle(object)); // insert, erase, ...
  return std::nullopt;
}

/// std::swap, size, ssize, distance.
std::optional<std::optional<Value>> Walker::handleFunction(const clang::CallExpr *expr, llvm::StringRef name) {
  Location location = locate(expr);
  const std::optional<Value> nothing;
  auto isHandle = [&](unsigned k) {
    return expr->getNumArgs() > k && handleOf(expr->getArg(k)->getType().getNonReferenceType()) != Handle::None;
  };
  auto isPointer = [&](unsigned k) {
    return expr->getNumArgs() > k && classOf(expr->getArg(k)->getType().getNonReferenceType()) == TypeClass::Pointer;
  };
  if (name == "swap" && expr->getNumArgs() == 2 && isHandle(0)) {
    Place a = lvalue(expr->getArg(0)), b = lvalue(expr->getArg(1));
    loseRow(a);
    loseRow(b);
    if (a.variable.empty() || b.variable.empty()) return std::nullopt;
    swapHandles(a, b, location);
    return nothing;
  }
  if ((name == "size" || name == "ssize") && expr->getNumArgs() == 1 && isHandle(0)) {
    HandleValue value = handle(expr->getArg(0));
    return value.size ? std::optional<Value>(*value.size) : std::optional<Value>(unknownResult(expr, true));
  }
  if (name == "distance" && isPointer(0) && isPointer(1)) {
    Pointer begin = pointer(expr->getArg(0)), end = pointer(expr->getArg(1));
    return distance(begin, end, expr->getArg(0)->getType().getNonReferenceType(), location);
  }
  return std::nullopt;
}

} // namespace busfare::frontend
