//===- clang-plugin/walk/Pointers.cpp - Pointers: which element of which object -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pointer is (object, index of the element). Adding k to a pointer to T moves the
// dimension whose stride is sizeof(T): `A[i][j]` of `double A[n][m]` steps dimension 0
// by i, then dimension 1 by j; `(double (*)[m]) flat` steps the one dimension of flat
// by m for each row. A declared array may be assumed to keep its subscripts in range;
// a pointer made by `&` or a cast may not, and is split into rows only if that is proved.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/lower/Settings.h"
#include "llvm/Support/SaveAndRestore.h"

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
  while (std::optional<ArrayLayer> layer = arrayLayerOf(type, context)) {
    const std::optional<Symbolic> named =
        layer->extent && unit.settings ? unit.settings->extentOf(type, function) : std::nullopt;
    if (named) unit.stateSettings(*named);
    if (layer->extent) dimensions.push_back(named ? *named : Symbolic(*layer->extent));
    else if (layer->variableExtent) dimensions.push_back(extentOf(layer->variableExtent));
    else dimensions.push_back(std::nullopt);
    type = layer->element;
  }
  return dimensions;
}

/// A variable array's size is what its expression held when the type was first met.
Symbolic Walker::extentOf(const clang::Expr *size) {
  auto known = st.vlaSizes.find(size);
  if (known != st.vlaSizes.end()) return known->second;
  const std::string hint = std::exchange(nameHint, ""); // what the array will be called, not this number
  Symbolic extent = integer(size).expr;
  nameHint = hint;
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
    if (divides) quotient = quotient + product(Symbolic(term.coefficient / by.coefficient), left);
    else rest = rest + product(whole, term.factors);
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
                               std::vector<std::string> mayBe, bool isOpen, bool isHoisted) {
  std::string base = text.str();
  if (base.empty() || base.size() > 32 || llvm::StringRef(base).contains('`') || llvm::StringRef(base).contains('\n'))
    base = "unknown";
  bool anything = mayBe.empty() || isOpen;
  std::vector<std::string> targets;
  NameList likely = nullptr;
  auto likelyOf = [&](const Object &one) {
    return one.likely.added.empty() ? one.likely.shared : nameLists.of(one.likely.all());
  };
  for (const std::string &target : mayBe) {
    const Object &one = object(target);
    if (!one.prefix.empty()) { // its fields have names of their own
      anything = true;
      st.escaped.insert(target);
      continue;
    }
    if (one.array.storage != Storage::Alias) targets.push_back(target);
    else if (one.array.mayBe.empty()) anything = true;
    targets.insert(targets.end(), one.array.mayBe.begin(), one.array.mayBe.end());
    likely = nameLists.unite(likely, likelyOf(one));
  }
  if (pointee.isNull() || bytesOf(innermost(pointee, context), context) == 0) pointee = context.CharTy;
  // Before it has an object itself, which nobody has stored.
  if (anything)
    likely = nameLists.unite(nameLists.unite(likely, nameLists.of(std::exchange(targets, {}))), storedOfType(pointee));
  llvm::sort(targets);
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  // In a loop it is another one in each iteration, if it is not the one from before it (isHoisted); bytes may be walked
  // in steps that are none of an element's.
  constexpr unsigned mostFixed = 200; // what can be told apart costs names
  const bool isFixed = (isHoisted || !isInLoop()) && !pointee->isArrayType() && bytesOf(pointee, context) != 1 &&
                       st.fixedAliases < mostFixed;
  std::string name = base;
  unsigned &free = st.freeAliases[base]; // none below is, for one that is told apart from all others
  if (isFixed && free != 0) name = base + "." + std::to_string(free);
  for (unsigned k = isFixed && free != 0 ? free + 1 : 2;; ++k) {
    // What a field names on entry may still be met.
    bool isDeclared = st.isDeclared(name) || unit.globalNames.count(name) || st.fieldOrigins.count(name);
    if (!isDeclared) break;
    auto same = st.objects.find(name); // another function's global may be unknown here
    bool isAlike = same != st.objects.end() && same->second.array.storage == Storage::Alias &&
                   same->second.array.mayBe == targets && same->second.array.type == elementTypeOf(pointee, context);
    if (isAlike && !isFixed && !same->second.array.isFixed) {
      likely = nameLists.unite(likely, likelyOf(same->second));
      break;
    }
    name = base + "." + std::to_string(k);
    if (isFixed) free = k;
  }
  Object &made = declareObject(name, innermost(pointee, context), Storage::Alias, location);
  made.array.extents = {std::nullopt};
  made.array.mayBe = std::move(targets);
  made.likely = {likely, {}};
  Pointer result;
  result.object = name;
  made.array.isFixed = isFixed;
  st.fixedAliases += isFixed;
  result.index = {isFixed ? std::optional(Symbolic(0)) : std::nullopt};
  return result;
}

/// Does the function copy pointers other than by assigning them? memcpy, std::swap and the like, asm.
bool Walker::copiesPointers() {
  if (bool isAnswered = copiesPointersIn.first == function; isAnswered) return copiesPointersIn.second;
  auto isOfPointers = [&](const clang::Expr *argument) {
    const clang::Expr *plain = argument->IgnoreParenCasts();
    if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(plain))
      plain = temporary->getSubExpr()->IgnoreParenCasts();
    if (llvm::isa<clang::LambdaExpr>(plain)) return true;
    clang::QualType type = plain->getType();
    bool isNamed = plain->isGLValue() && argument->isGLValue();
    if (type->isPointerType() || type->isArrayType())
      type = isNamed ? type : innermost(pointeeOf(type).isNull() ? type : pointeeOf(type), context);
    else if (!isNamed) return false;
    const auto *record = type->getAsRecordDecl();
    return type->isPointerType() ||
           (record && !context.getSourceManager().isInSystemHeader(record->getLocation())); // FILE
  };
  std::function<bool(const clang::Stmt *)> search = [&](const clang::Stmt *at) {
    if (!at) return false;
    if (llvm::isa<clang::GCCAsmStmt, clang::MSAsmStmt, clang::AtomicExpr>(at)) return true;
    const auto *made = llvm::dyn_cast<clang::CallExpr>(at);
    const clang::FunctionDecl *callee = made ? calleeOf(made) : nullptr;
    bool isLibrary =
        callee && (callee->getBuiltinID() || context.getSourceManager().isInSystemHeader(callee->getLocation()));
    const bool isQuiet = isLibrary && (llvm::isa<clang::CXXMethodDecl>(callee) || callee->isVariadic() ||
                                       (callee->getIdentifier() && callee->getName() == "free"));
    if (isLibrary && !isQuiet && llvm::any_of(made->arguments(), isOfPointers)) return true;
    return llvm::any_of(partsOf(at), search);
  };
  copiesPointersIn = {function, search(function->getBody())};
  return copiesPointersIn.second;
}

/// Objects of which a pointer was stored, here or by others: one that is loaded may be that.
std::set<std::string> Walker::storedObjects() {
  std::set<std::string> names;
  auto add = [&](const std::string &name) {
    auto found = st.objects.find(name);
    const bool isObject = found != st.objects.end() && found->second.isDeclared &&
                          found->second.array.storage != Storage::Alias && found->second.prefix.empty() &&
                          !found->second.array.isScalar();
    if (isObject) names.insert(name);
  };
  llvm::for_each(st.escaped, add);
  const bool isAny = copiesPointers();
  for (const auto &[name, one] : st.objects)
    if (isAny || !one.rowsOf.empty()) add(name);
  for (const auto &[variable, pointer] : st.env.pointers)
    if (llvm::StringRef(variable).contains('.') || llvm::StringRef(variable).contains("->")) add(pointer.object);
  return names;
}

/// Those that such a pointer may lead to.
NameList Walker::storedOfType(clang::QualType pointee) {
  const skeleton::ElementType wanted = elementTypeOf(pointee, context);
  if (!stored) {
    llvm::SaveAndRestore at(stored, std::optional(Stored()));
    return storedOfType(pointee);
  }
  auto [known, isNew] = stored->ofType.try_emplace({wanted.kind, wanted.bytes});
  if (!isNew) return known->second;
  std::vector<std::string> names;
  using Kind = skeleton::ElementType::Kind;
  auto isNumber = [](Kind kind) { return kind == Kind::Signed || kind == Kind::Unsigned || kind == Kind::Bool; };
  auto isPlain = [&](Kind kind) { return isNumber(kind) || kind == Kind::Float || kind == Kind::Pointer; };
  if (!stored->objects) stored->objects = storedObjects();
  for (const std::string &name : *stored->objects) {
    // Of plain types that are not alike the same memory is not both; bytes, structs and what is not known may be
    // anything.
    const skeleton::ElementType &own = object(name).array.type;
    const bool isAlike = own.kind == wanted.kind || (isNumber(own.kind) && isNumber(wanted.kind));
    const bool isApart = unit.typesTell && isPlain(own.kind) && isPlain(wanted.kind) && own.bytes > 1 &&
                         wanted.bytes > 1 && (!isAlike || own.bytes != wanted.bytes);
    if (!isApart) names.push_back(name);
  }
  return known->second = nameLists.of(std::move(names));
}

Pointer Walker::readPointer(const std::string &variable, clang::QualType type, Location location) {
  if (st.env.leftByLoop.count(variable)) read(memoryOfPointer(variable), location);
  auto known = st.env.pointers.find(variable);
  if (known != st.env.pointers.end()) {
    if (st.doubted.count(variable)) assumeSteady(known->second);
    return known->second;
  }
  auto entry = st.entryPointers.find(variable);
  bool isCarried = isChangedAround(variable);
  if (entry != st.entryPointers.end() && !isPointerForgotten(st.env, variable) && !isCarried) {
    const bool isReached = isForgotten(st.env, variable) && st.fieldOrigins.count(variable);
    if (isReached && !mayBeSteady(variable))
      return st.env.pointers[variable] =
                 unknownPointer(variable, object(entry->second.object).element, location, {}, false, true);
    if (isReached || st.doubted.count(variable)) assumeSteady(entry->second);
    return entry->second;
  }
  clang::QualType pointee = pointeeOf(type);
  auto origin = st.fieldOrigins.find(variable);
  if (origin == st.fieldOrigins.end() && !isCarried && !isPointerForgotten(st.env, variable) &&
      handleOf(type) == Handle::None)
    if (auto given = givenField(variable, pointee, location)) return st.entryPointers[variable] = *given;
  if (origin == st.fieldOrigins.end() || isCarried) return unknownPointer(variable, pointee, location);
  if (origin->second.position == -2 && unit.mayPointElsewhere(origin->second.suffix)) {
    if (std::optional<Pointer> fixed = fixedPointer(origin->second.suffix)) return st.entryPointers[variable] = *fixed;
    find(Rule::UnknownPointer, location,
         "`" + variable + "` is set where it is declared; what it points to now is not known");
    return st.entryPointers[variable] = unknownPointer(variable, pointee, location);
  }
  // Memory that the function being walked in place makes for it, and has not returned yet, has its name already.
  const bool isNameTaken = inPlace && inPlace->resultName == variable && st.isDeclared(variable);
  if (isNameTaken) return st.entryPointers[variable] = unknownPointer(variable, pointee, location, {}, false, true);
  // What a caller's field or a global points to on entry: named as the variable.
  Storage storage = origin->second.position == -2 ? Storage::Global : Storage::Parameter;
  Object &made = declareObject(variable, pointee, storage, location);
  made.origin = origin->second.position;
  made.originPath = origin->second.suffix;
  made.isGlobal = storage == Storage::Global;
  made.isLoaded = true;
  made.isConstPointee = pointee.isConstQualified();
  Handle kind = handleOf(type);
  llvm::StringRef field = llvm::StringRef(origin->second.suffix);
  bool isArray = unit.arrayFields.count(
      {field.substr(field.find_last_of(".>") + 1).str(), pointee->getCanonicalTypeUnqualified().getTypePtr()});
  if (classOf(pointee) == TypeClass::Record && !made.isGlobal && !hasSize(kind) && !isArray)
    made.prefix = hasFieldNames(pointee) ? variable + "->" : "";
  else {
    if (pointee->isVoidType()) made.element = clang::QualType();
    made.array.extents.insert(made.array.extents.begin(), std::nullopt);
    if (made.isGlobal)
      if (std::optional<uint64_t> bytes = unit.freshBytesOf(origin->second.suffix)) {
        uint64_t row = bytesOf(pointee, context);
        if (row > 0 && *bytes >= row) {
          made.array.extents.front() = Symbolic(int64_t(*bytes / row));
          made.isLoaded = false; // memory of its own
        }
      }
    if (std::optional<Symbolic> count = countOnEntry(variable)) object(variable).array.extents.front() = *count;
    else object(variable).array.isSized = isCounted(variable);
    if (hasSize(kind)) { // on entry, which may be another by now
      const std::string counter = sizeOf(variable).variable;
      const Symbolic size = readInteger(counter, context.getSizeType(), location).expr;
      auto atStart = st.entryIntegers.find(counter);
      if (atStart != st.entryIntegers.end() && atStart->second.expr == size) object(variable).array.extents[0] = size;
    }
  }
  Pointer result;
  result.object = variable;
  result.index.assign(object(variable).array.extents.size(), Symbolic(0));
  st.entryPointers[variable] = result;
  if (isForgotten(st.env, variable)) {
    if (hasSize(kind) || isPointerForgotten(st.env, variable) || unit.calledBack.maySet(variable))
      return st.env.pointers[variable] = unknownPointer(variable, pointee, location, {}, false, !isCarried);
    assumeSteady(result);
  }
  return result;
}

/// Of a global that is never assigned: what its declaration makes it point to, if that is one place.
std::optional<Pointer> Walker::fixedPointer(const std::string &global) {
  auto known = unit.globalNames.find(global);
  if (known == unit.globalNames.end() || isBindingGlobal) return std::nullopt;
  const clang::VarDecl *variable = known->second;
  bool isConst = variable->getType().isConstQualified();
  if (!isConst && (variable->isExternallyVisible() || unit.writtenGlobals.count(variable))) return std::nullopt;
  const clang::Expr *init = variable->getAnyInitializer();
  if (!init || !variable->getType()->isPointerType()) return std::nullopt;
  llvm::SaveAndRestore binding(isBindingGlobal, true);
  Pointer at = pointer(init);
  bool isFixed = !at.object.empty() && at.variable.empty() &&
                 llvm::all_of(at.index, [](const auto &index) { return index && index->constant(); });
  return isFixed ? std::optional(at) : std::nullopt;
}

Pointer Walker::decay(const Place &place) {
  Pointer result = place.at;
  if (place.partial) result.inside = true;
  result.path.clear();
  return result;
}

/// index + count elements of a row-major array, as one index each; nothing where that is not proved.
static std::vector<std::optional<Symbolic>> splitIntoRows(const Ranges &ranges, const Array &array,
                                                          llvm::ArrayRef<std::optional<Symbolic>> index,
                                                          const Symbolic &count) {
  size_t rank = array.extents.size();
  std::vector<std::optional<Symbolic>> result(rank);
  if (index.back() && array.extents.back()) { // it stays in its row
    Symbolic last = *index.back() + count;
    if (ranges.isNonNegative(last) && ranges.isNonNegative(*array.extents.back() - 1 - last)) {
      llvm::copy(index, result.begin());
      result.back() = last;
      return result;
    }
  }
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
  pointer.variable.clear(); // beyond it lies nothing that is known
  pointer.path.clear();
  if (pointer.object.empty()) return pointer;
  if (pointer.inside) { // steps from a field that is no array lead to other elements
    if (pointer.flat) pointer.index.assign(pointer.index.size(), std::nullopt);
    return pointer;
  }
  Object &target = object(pointer.object);
  if (target.element.isNull() && !pointee->isVoidType()) giveShape(target, pointee);
  normalize(pointer);
  const Array &array = target.array;
  size_t rank = array.extents.size();
  uint64_t elementBytes = target.element.isNull() ? 1 : array.type.bytes;
  if (!target.element.isNull()) elementBytes = std::max<uint64_t>(bytesOf(target.element, context), 1);
  std::optional<Symbolic> elements = elementsIn(pointee, elementBytes);
  if (rank == 0 || !target.prefix.empty()) {
    // Beyond a single variable: whatever is there. Inside a struct it is another of its fields.
    if (!target.prefix.empty()) return somePart(Place{pointer, pointee}, pointee, pointer.object, array.location).at;
    bool isNumber = llvm::any_of(st.names, [&](const auto &named) {
      TypeClass kind = classOf(named.first->getType());
      return named.second == pointer.object && (kind == TypeClass::Integer || kind == TypeClass::Data);
    });
    if (isNumber && !elements) { // its bytes: beyond them lies nothing that may be touched
      pointer.inside = true;
      return pointer;
    }
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
  if (to.isNull() || !context.hasSameUnqualifiedType(from, to)) pointer.path.clear();
  if (pointer.object.empty() || to.isNull() || to->isVoidType() || to->isFunctionType()) return pointer;
  Object &target = object(pointer.object);
  bool isBytes = bytesOf(innermost(to, context), context) == 1;
  if (target.element.isNull() && !isBytes) giveShape(target, to);
  // A block that is used for several types (a pool): see mixTypes, which does not follow void *.
  bool isNumbers = !isBytes && bytesOf(innermost(to, context), context) != 0;
  if (isNumbers && !target.element.isNull() && !skeleton::mayBeOfType(elementTypeOf(to, context), target.array.type))
    unit.result.program.typesMix = true;
  normalize(pointer);
  if (target.array.extents.size() > 1 && !context.hasSameUnqualifiedType(from, to) && !from->isVoidType())
    pointer.flat = true;
  if (target.array.extents.size() > 1 && from->isVoidType() && !to->isArrayType()) pointer.flat = true;
  return pointer;
}

Pointer Walker::pointerCast(const clang::CastExpr *cast) {
  if (const auto *written = llvm::dyn_cast<clang::ExplicitCastExpr>(cast))
    for (clang::QualType type = written->getTypeAsWritten(); type->isVariablyModifiedType() && type->isPointerType();)
      dimensionsOf(type = type->getPointeeType());
  const clang::Expr *inner = cast->getSubExpr();
  switch (cast->getCastKind()) {
  case clang::CK_ArrayToPointerDecay: {
    Pointer start = decay(lvalue(inner));
    auto target = st.objects.find(start.object);
    bool isRow = target != st.objects.end() &&
                 target->second.rowsOf.empty(); // leaving one that is memory of its own is leaving it
    if (isRow && start.index.size() > 1 && !pointeeOf(cast->getType())->isArrayType()) start.flat = true;
    return start;
  }
  case clang::CK_NullToPointer: {
    Pointer null;
    null.null = true;
    return null;
  }
  case clang::CK_LValueToRValue: {
    if (llvm::isa<clang::AbstractConditionalOperator>(inner->IgnoreParens())) return pointer(inner);
    Place place = lvalue(inner);
    if (const clang::Expr *address = addressIn(inner, place)) {
      read(place, locate(cast));
      return pointer(address);
    }
    if (!place.variable.empty()) return readPointer(place.variable, cast->getType(), locate(cast));
    if (auto row = rowAt(place, locate(cast))) {
      bool mayChange =
          llvm::any_of(st.frames, [&](const Frame &frame) { return frame.stmt && mayChangeTables({frame.stmt}); });
      if (mayChange) read(place, locate(cast)); // an iteration before may have put it there
      return *row;
    }
    read(place, locate(cast));
    if (auto left = pointerLeftAlone(place, textOf(cast), locate(cast))) return *left;
    bool isArgument =
        isMain && st.objects.count(place.at.object) && object(place.at.object).array.storage == Storage::Parameter;
    if (!isArgument)
      find(Rule::UnknownPointer, locate(cast),
           "the pointer `" + textOf(cast) + "` is loaded from memory; it may point into any array");
    return unknownPointer(textOf(cast), pointeeOf(cast->getType()), locate(cast));
  }
  case clang::CK_BitCast:
  case clang::CK_NoOp:
  case clang::CK_AddressSpaceConversion:
  case clang::CK_DerivedToBase:
  case clang::CK_UncheckedDerivedToBase:
  case clang::CK_BaseToDerived: {
    if (!isPointerLike(inner->getType())) break;
    clang::QualType to = pointeeOf(cast->getType());
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(inner->IgnoreParenCasts()))
      if (auto fresh = allocation(made, to)) return castPointer(*fresh, pointeeOf(inner->getType()), to);
    return castPointer(pointer(inner), pointeeOf(inner->getType()), to);
  }
  case clang::CK_Dynamic: {
    if (!isPointerLike(inner->getType())) break;
    Pointer at = pointer(inner);
    const auto *to = pointeeOf(cast->getType())->getAsCXXRecordDecl();
    auto found = st.objects.find(at.object);
    if (found == st.objects.end() || at.inside) return Pointer();
    // Of an object that is declared here its class is known.
    const auto *of = found->second.element.isNull() ? nullptr : found->second.element->getAsCXXRecordDecl();
    bool isWhole = found->second.array.storage == Storage::Local || (found->second.isGlobal && !found->second.isLoaded);
    if (isWhole && to && of && !found->second.prefix.empty() &&
        (of->getCanonicalDecl() == to->getCanonicalDecl() || of->isDerivedFrom(to)))
      return castPointer(at, pointeeOf(inner->getType()), pointeeOf(cast->getType()));
    st.escaped.insert(at.object);
    return Pointer();
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
  clang::QualType pointee = pointeeOf(op->getType());
  switch (op->getOpcode()) {
  case clang::BO_Add: {
    bool left = isPointerLike(op->getLHS()->getType());
    Pointer base = pointer(left ? op->getLHS() : op->getRHS());
    return step(base, integer(left ? op->getRHS() : op->getLHS()).expr, pointee);
  }
  case clang::BO_Sub: {
    Pointer base = pointer(op->getLHS());
    return step(base, -integer(op->getRHS()).expr, pointee);
  }
  case clang::BO_Assign: {
    Place place = lvalue(op->getLHS());
    if (auto row = allocateRow(place, op)) return *row;
    if (auto row = stepRow(place, op)) return *row;
    nameHint = place.variable.empty() ? rowsName(place) : place.variable;
    Pointer value = pointer(op->getRHS());
    nameHint.clear();
    fillsTable = placeRow(place, op, value);
    assignPointer(place, value, locate(op->getLHS()));
    return value;
  }
  case clang::BO_AddAssign:
  case clang::BO_SubAssign: {
    Place place = lvalue(op->getLHS());
    Symbolic count = integer(op->getRHS()).expr;
    if (place.variable.empty()) {
      update(place, ReductionOp::Add, locate(op), op);
      return Pointer();
    }
    Pointer base = readPointer(place.variable, place.type, locate(op));
    Pointer value = step(base, op->getOpcode() == clang::BO_AddAssign ? count : -count, pointee);
    assignPointer(place, value, locate(op));
    return value;
  }
  case clang::BO_Comma: rvalue(op->getLHS(), true); return pointer(op->getRHS());
  default:
    rvalue(op->getLHS(), true);
    rvalue(op->getRHS(), true);
    return Pointer();
  }
}

Pointer Walker::pointer(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  if (handleOf(expr->getType()) != Handle::None) return handle(expr).at;
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) return pointerCast(cast);
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr)) return pointerOperator(op);
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (op->getOpcode() == clang::UO_AddrOf) {
      const clang::Expr *inner = op->getSubExpr()->IgnoreParens();
      Place place = lvalue(inner);
      Pointer result = place.at;
      result.inside |= place.partial;
      bool isWhole = !llvm::isa<clang::ArraySubscriptExpr>(inner) || inner->getType()->isArrayType();
      auto target = st.objects.find(result.object);
      bool isRow = target != st.objects.end() && !target->second.rowsOf.empty(); // leaving it is leaving its memory
      if (!result.object.empty() && result.index.size() > 1 && !isWhole && !isRow) result.flat = true;
      if (place.partial && llvm::isa<clang::MemberExpr>(inner) && !inner->getType()->isArrayType()) result.flat = true;
      if (classOf(place.type) == TypeClass::Pointer && !place.variable.empty()) {
        Pointer address;
        address.variable = place.variable;
        return address;
      }
      return result.object.empty() ? Pointer() : result;
    }
    if (op->isIncrementDecrementOp()) {
      Place place = lvalue(op->getSubExpr());
      if (place.variable.empty()) {
        update(place, ReductionOp::Add, locate(op), op);
        return Pointer();
      }
      Pointer before = readPointer(place.variable, place.type, locate(op));
      Pointer after = step(before, Symbolic(op->isIncrementOp() ? 1 : -1), pointeeOf(op->getType()));
      assignPointer(place, after, locate(op));
      return op->isPrefix() ? after : before;
    }
    if (op->getOpcode() == clang::UO_Extension) return pointer(op->getSubExpr());
  }
  if (llvm::isa<clang::CXXThisExpr>(expr)) {
    auto known = st.env.pointers.find("this");
    return known == st.env.pointers.end() ? Pointer() : known->second;
  }
  if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr, clang::ImplicitValueInitExpr,
                clang::CXXScalarValueInitExpr>(expr)) {
    Pointer null;
    null.null = true;
    return null;
  }
  if (const auto *condition = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr)) {
    std::string hint = std::exchange(nameHint, "");
    Pointer a, b;
    const Condition when = choose(
        condition, [&](const clang::Expr *side) { a = pointer(side); },
        [&](const clang::Expr *side) { b = pointer(side); });
    nameHint = hint;
    if (a == b || b.null) return a;
    if (a.null) return b;
    if (std::optional<Pointer> known = chosenInTurn(&when, a, b)) return *known;
    if (std::optional<Pointer> both =
            a.variable.empty() && b.variable.empty() ? inOneObject(&when, a, b) : std::nullopt)
      return *both;
    noteChoice(&when, a, b);
    std::vector<std::string> targets;
    for (const Pointer &one : {a, b})
      if (!one.object.empty()) targets.push_back(one.object);
    return unknownPointer(nameHint.empty() ? textOf(expr) : nameHint, pointeeOf(expr->getType()), locate(expr), targets,
                          targets.size() < 2);
  }
  if (llvm::isa<clang::CallExpr, clang::CXXNewExpr>(expr)) {
    const auto *call = llvm::dyn_cast<clang::CallExpr>(expr);
    if (auto several = unit.targetCalls.several.find(call); call && several != unit.targetCalls.several.end())
      return pointerOfOne(call, several->second);
    if (auto fresh = allocation(expr, pointeeOf(expr->getType()))) return *fresh;
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(expr)) {
      if (std::optional<Pointer> error = errorNumber(made)) return *error;
      if (std::optional<Pointer> before = exchangedPointer(made)) return *before;
      if (auto known = handleFrom(made)) return known->at;
      if (auto result = pointerCall(made)) return result->at;
    }
    rvalue(expr, true);
    return Pointer();
  }
  if (const auto *name = llvm::dyn_cast<clang::OpaqueValueExpr>(expr))
    if (auto known = commonPointers.find(name); known != commonPointers.end()) return known->second;
  if (const auto *block = llvm::dyn_cast<clang::StmtExpr>(expr)) {
    Pointer value;
    runBlock(block, [&](const clang::Expr *last) { value = pointer(last); });
    return value;
  }
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expr); list && list->getNumInits() == 1)
    return pointer(list->getInit(0)); // `T *p{q}`
  if (const auto *choice = llvm::dyn_cast<clang::GenericSelectionExpr>(expr)) return pointer(choice->getResultExpr());
  if (const auto *choice = llvm::dyn_cast<clang::ChooseExpr>(expr)) return pointer(choice->getChosenSubExpr());
  if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expr)) return pointer(cleanups->getSubExpr());
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
    return pointer(temporary->getSubExpr());
  if (const auto *substituted = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr))
    return pointer(substituted->getReplacement());
  if (const auto *standard = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr)) return pointer(standard->getExpr());
  if (expr->isGLValue() && expr->getType()->isArrayType()) return decay(lvalue(expr));
  if (expr->isGLValue() && expr->getType()->isPointerType()) { // what a reference is bound to
    Place place = lvalue(expr);
    if (!place.variable.empty()) return readPointer(place.variable, place.type, locate(expr));
    read(place, locate(expr));
    return unknownPointer(textOf(expr), pointeeOf(expr->getType()), locate(expr));
  }
  for (const clang::Stmt *child : partsOf(expr))
    if (const auto *inner = llvm::dyn_cast_or_null<clang::Expr>(child)) rvalue(inner, true);
  return Pointer();
}

} // namespace busfare::frontend
