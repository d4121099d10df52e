//===- clang-plugin/walk/Memory.cpp - Allocation and library calls -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the C library and the language's own allocation do to memory: malloc and
// its kin make an object named after the variable they are stored in, mathematics
// is counted, printing stays on the host. Ranges are in CopiedMemory.cpp.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

void Walker::host(HostReason reason, llvm::StringRef what, Block body, Location location) {
  skeleton::HostStatement made;
  made.reason = reason;
  made.what = what.str();
  made.body = std::move(body);
  made.location = location;
  hostStatement(std::move(made));
}

void Walker::hostStatement(skeleton::HostStatement made) {
  // That the host reads its own literals is no news.
  llvm::erase_if(made.body.edit(), [&](const Node &node) {
    auto *access = std::get_if<Access>(&node.kind);
    return access && llvm::any_of(st.texts, [&](const auto &text) { return text.second == access->array; });
  });
  emit(std::move(made));
}

/// What the walk emits: its accesses are given back, the rest stands here.
Block Walker::accessesOf(llvm::function_ref<void()> walk) {
  flush();
  Block body, accesses, *before = out;
  out = &body;
  walk();
  flush();
  out = before;
  for (Node &node : body)
    if (std::holds_alternative<Access>(node.kind)) accesses.push_back(std::move(node));
    else put(std::move(node));
  return accesses;
}

/// Does a pointer other than this one, or a reference, lead into the memory, so that it goes on when the pointer gets
/// new memory?
bool Walker::isNamedBy(const std::string &memory, const std::string &besides) const {
  auto leadsThere = [&](const auto &one) { return one.first != besides && one.second.object == memory; };
  return llvm::any_of(st.env.pointers, leadsThere) ||
         llvm::any_of(st.references, [&](const auto &bound) { return bound.second.at.object == memory; });
}

/// Does what a variable gets on one side of a branch take the name of what it got on the other, or before it? Behind
/// the branch it leads to the one or the other, and to nothing else. So it is if nobody else leads to the old memory,
/// and both are alike.
bool Walker::takesPlaceOf(const std::string &memory, clang::QualType pointee) {
  auto known = st.objects.find(memory);
  const bool isPlain = !pointee.isNull() && !pointee->isVoidType() && !pointee->isArrayType() &&
                       !pointee->isPointerType() && !pointee->isRecordType();
  if (isInLoop() || !isPlain || known == st.objects.end() || !st.isDeclared(memory)) return false;
  const Object &old = known->second;
  const bool isAlike = old.array.storage == Storage::Heap && old.prefix.empty() && old.rowsOf.empty() &&
                       old.array.extents.size() == 1 && old.array.type == elementTypeOf(pointee, context);
  const bool isOtherSide = llvm::any_of(st.arms, [&](unsigned arm) { return !llvm::is_contained(old.arms, arm); });
  return isAlike && isOtherSide && !st.escaped.count(memory) && !st.lent.count(memory) && !isNamedBy(memory, memory);
}

/// Memory of this size was made here, by a name that memory from elsewhere may have had before.
void Walker::noteAllocation(Object &made, const std::optional<Object> &before) {
  Array &array = made.array;
  const bool hadMemory = before && (before->isAccessed || before->allocations > 0);
  made.arms = st.arms;
  made.allocations = hadMemory ? std::max(before->allocations, 1u) + 1 : 1;
  if (array.extents.size() == 1) {
    MemorySize &size = st.env.sizes[array.name] = {{}, {made.allocations}};
    if (array.extents[0]) size.equals = {*array.extents[0]};
    if (!isInLoop()) size.when = st.ranges.assumed();
  }
  if (!hadMemory || before->array.extents == array.extents) return;
  for (auto &extent : array.extents) extent = std::nullopt;
  made.bytes = std::nullopt;
}

/// The memory may be of any size from here on.
void Walker::loseSize(const std::string &memory) {
  for (auto &extent : object(memory).array.extents) extent = std::nullopt;
  object(memory).bytes = std::nullopt;
  st.env.sizes[memory].equals.clear(); // not as if it had none on this way
  st.env.sizes[memory].ifOnEntry.clear();
}

Pointer Walker::allocate(const Symbolic &bytes, clang::QualType pointee, const std::string &hint, Location location,
                         bool zeroed) {
  std::string name = hint.empty() ? "heap" : hint;
  const unsigned activation = inPlace ? inPlace->activation : 0;
  if (inPlace && !inPlace->resultName.empty() && hint == inPlace->result && !st.isDeclared(inPlace->resultName))
    name = inPlace->resultName;
  bool known = st.fieldOrigins.count(name) && !isNamedBy(name, name);
  // A field that named one struct so far, or memory of another shape, keeps that name for it.
  std::optional<size_t> rankBefore;
  if (known && st.isDeclared(name)) {
    if (!object(name).prefix.empty()) known = false;
    else rankBefore = object(name).array.extents.size();
  }
  const bool takesPlace = !known && takesPlaceOf(name, pointee);
  for (unsigned k = 2; st.isDeclared(name) && !known && !takesPlace; ++k) {
    // The same variable allocated again names a second object, unless this is the same statement.
    if (object(name).array.location == location && object(name).array.storage == Storage::Heap &&
        object(name).activation == activation)
      break;
    name = (hint.empty() ? "heap" : hint) + "." + std::to_string(k);
  }
  const bool isNamed = takesPlace || (known && st.isDeclared(name));
  const std::optional<Object> before = isNamed ? std::optional(object(name)) : std::nullopt;
  Storage storage = Storage::Heap;
  int origin = -3;
  std::string path;
  if (known) {
    origin = st.fieldOrigins[name].position;
    path = st.fieldOrigins[name].suffix;
    storage = origin == -2 ? Storage::Global : Storage::Parameter;
  }
  Object &made = declareObject(name, {}, storage, location);
  made.activation = activation;
  made.origin = origin;
  made.originPath = path;
  made.isGlobal = storage == Storage::Global;
  made.isUsed = true;
  made.isWritten = false;
  made.bytes = bytes;
  made.element = clang::QualType();
  made.array.type = {skeleton::ElementType::Kind::Unsigned, 1};
  made.array.extents = {bytes};
  bool typed = !pointee.isNull() && !pointee->isVoidType() && bytesOf(innermost(pointee, context), context) != 0;
  bool isRecord =
      typed && classOf(pointee) == TypeClass::Record && bytes.constant() == int64_t(bytesOf(pointee, context));
  if (isRecord) {
    made.element = pointee;
    made.array.type = elementTypeOf(pointee, context);
    made.array.extents.clear();
    if (hasFieldNames(pointee)) made.prefix = name + "->";
  } else if (typed) giveShape(made, pointee);
  if (rankBefore && made.array.extents.size() != *rankBefore) made.array.extents.assign(*rankBefore, std::nullopt);
  Pointer result;
  result.object = name;
  result.index.assign(made.array.extents.size(), Symbolic(0));
  if (!isRecord) {
    for (const auto &extent : made.array.extents)
      if (extent) nameElements(*extent);
    emit(skeleton::Allocate{name, made.array.extents, location});
    if (zeroed) wholeAccess(AccessKind::Write, result, std::nullopt, false, location);
    noteAllocation(object(name), before);
  }
  noteFreshTable(name);
  return result;
}

/// `new (where) T`: objects in memory that is there. Another operator new may do anything.
std::optional<Pointer> Walker::placedNew(const clang::CXXNewExpr *made) {
  Location location = locate(made);
  clang::QualType element = made->getAllocatedType();
  Pointer at;
  if (made->getOperatorNew() && made->getOperatorNew()->isReservedGlobalPlacementOperator()) {
    at = pointer(made->getPlacementArg(0));
    if (!at.object.empty() && object(at.object).element.isNull()) giveShape(object(at.object), element);
    normalize(at);
  } else {
    for (unsigned k = 0; k < made->getNumPlacementArgs(); ++k) storeAway(made->getPlacementArg(k));
    find(Rule::OpaqueCall, location, "which memory this operator new gives is not known; it stays on the host");
    touchReachable({}, HostReason::OpaqueCall, "operator new", location, true);
    at = unknownPointer(textOf(made), element, location);
  }
  if (made->isArray() && made->getArraySize() && *made->getArraySize()) integer(*made->getArraySize());
  const clang::Expr *init = made->getInitializer();
  const auto *built = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init);
  if (!init || (built && built->getConstructor()->isTrivial() && !built->requiresZeroInitialization())) return at;
  Place place{at, element};
  bool isNamed = isNamedRecord(place);
  if (isNamed && !made->isArray() &&
      context.hasSameUnqualifiedType(object(at.object).element, element)) { // made anew where it lies
    initialize(place, init);
    keepMade(init);
    return at;
  }
  if (built && (made->isArray() || constructorMatters(element))) bringToLife(element, location);
  else if (built) construct(built, true);
  else rvalue(init, true);
  st.temporaries.clear();
  if (!at.object.empty()) wholeAccess(AccessKind::Write, at, std::nullopt, true, location);
  if (isNamed) loseFields(object(at.object).prefix, location);
  else if (isAnything(place)) clobberSomewhere(location);
  return at;
}

std::optional<Pointer> Walker::allocation(const clang::Expr *expr, clang::QualType pointee) {
  std::string hint = nameHint;
  Location location = locate(expr);
  if (const auto *made = llvm::dyn_cast<clang::CXXNewExpr>(expr)) {
    nameHint.clear();
    bool isNothrow = made->getNumPlacementArgs() == 1 &&
                     made->getPlacementArg(0)->getType().getUnqualifiedType().getAsString().ends_with("nothrow_t");
    const clang::FunctionDecl *by = made->getOperatorNew();
    bool isOwn = by && (llvm::isa<clang::CXXMethodDecl>(by) || by->hasBody()); // a pool of the program's own
    if ((made->getNumPlacementArgs() != 0 && !isNothrow) || isOwn) return placedNew(made);
    clang::QualType element = made->getAllocatedType();
    auto size = elementsIn(element, 1);
    if (!size) return std::nullopt;
    Symbolic bytes = *size;
    if (made->isArray() && made->getArraySize() && *made->getArraySize())
      bytes = bytes * integer(*made->getArraySize()).expr;
    Pointer result = allocate(bytes, element, hint, location, false);
    if (const clang::Expr *init = made->getInitializer()) {
      const auto *built = llvm::dyn_cast<clang::CXXConstructExpr>(init);
      if (built && built->getConstructor()->isTrivial() && !built->requiresZeroInitialization()) return result;
      if (!built) rvalue(init, true);
      Place place{result, element};
      if (built && !made->isArray() && constructInto(place, built)) return result;
      if (built && !built->getConstructor()->isTrivial()) {
        if (made->isArray()) bringToLife(element, location);
        else construct(built, true);
        st.temporaries.clear(); // it lives on
      }
      wholeAccess(AccessKind::Write, result, std::nullopt, false, location);
    }
    return result;
  }
  const auto *made = llvm::dyn_cast<clang::CallExpr>(expr);
  const clang::FunctionDecl *callee = made ? calleeOf(made) : nullptr;
  if (!callee || !callee->getIdentifier() || unit.isOwnFunction(callee)) return std::nullopt;
  llvm::StringRef name = callee->getName();
  auto argument = [&](unsigned k) {
    nameHint.clear();
    return integer(made->getArg(k)).expr;
  };
  unsigned count = made->getNumArgs();
  if ((name == "malloc" || name == "valloc" || name == "__builtin_alloca" || name == "alloca") && count == 1)
    return allocate(argument(0), pointee, hint, location, false);
  if (name == "calloc" && count == 2) {
    Symbolic elements = argument(0);
    return allocate(elements * argument(1), pointee, hint, location, true);
  }
  if ((name == "aligned_alloc" || name == "memalign" || name == "_mm_malloc" || name == "omp_alloc") && count == 2) {
    unsigned size = name == "_mm_malloc" || name == "omp_alloc" ? 0 : 1;
    return allocate(argument(size), pointee, hint, location, false);
  }
  if (name == "realloc" && count == 2) {
    Pointer old = pointer(made->getArg(0));
    Symbolic bytes = argument(1);
    hostTouches(AccessKind::Read, old, "realloc",
                location); // before its memory is gone; the new one keeps what it held
    Pointer fresh = allocate(bytes, pointee, hint, location, false);
    if (!old.object.empty()) hostTouches(AccessKind::Write, fresh, "realloc", location);
    return fresh;
  }
  return std::nullopt;
}

void Walker::releaseMemory(const Pointer &pointer, Location location) {
  if (pointer.null) return;
  // A row, or memory that has no name of its own: the host gives it back all the same.
  auto isNamed = [&] {
    if (pointer.object.empty()) return false;
    const Object &one = object(pointer.object);
    return one.rowsOf.empty() && one.array.storage != Storage::Alias && one.prefix.empty() &&
           llvm::all_of(pointer.index, [](auto &i) { return i && i->isZero(); });
  };
  if (!isNamed()) return host(HostReason::Allocation, "free", {}, location);
  Object &target = object(pointer.object);
  target.isFreed = true;
  target.isUsed = true;
  emit(skeleton::Free{pointer.object, location});
}

} // namespace busfare::frontend
