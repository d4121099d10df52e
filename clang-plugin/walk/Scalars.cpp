//===- clang-plugin/walk/Scalars.cpp - Symbolic values of scalars --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The Environment: what each integer and pointer variable holds, how it changes,
// and how two versions of it become one after a branch.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/values/AnySymbol.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {

std::string Walker::freshName(llvm::StringRef base) {
  unsigned &next = st.nextNumbers[base];
  std::string name = next == 0 ? base.str() : (base + "." + llvm::Twine(next)).str();
  next = std::max(next, 1u);
  while (st.taken.count(name)) name = (base + "." + llvm::Twine(++next)).str();
  ++next;
  st.taken[name] = base.str();
  return name;
}

std::string Walker::freshObjectName(llvm::StringRef base) const {
  std::string name = base.str();
  for (unsigned k = 2; st.isDeclared(name) || unit.globalNames.count(name); ++k)
    name = base.str() + "." + llvm::utostr(k);
  return name;
}

std::string Walker::nameOf(const clang::ValueDecl *decl) {
  decl = llvm::cast<clang::ValueDecl>(decl->getCanonicalDecl());
  auto found = st.names.find(decl);
  if (found != st.names.end()) return found->second;
  std::string base = decl->getNameAsString();
  if (base.empty()) base = "unnamed";
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
  bool isGlobal = variable && variable->hasGlobalStorage() && !variable->isStaticLocal();
  if (isGlobal) return st.names[decl] = globalNameOf(variable);
  if (variable && variable->isStaticLocal()) {
    std::string name = unit.nameOfStaticLocal(variable);
    st.objects[name]; // reserves it
    return st.names[decl] = name;
  }
  unsigned &next = st.nextVariables[base];
  std::string name = next == 0 ? base : base + "." + llvm::utostr(next);
  next = std::max(next, 1u);
  while (st.objects.count(name) || st.ended.count(name) || unit.globalNames.count(name))
    name = base + "." + llvm::utostr(++next);
  ++next;
  st.objects[name]; // reserves it
  return st.names[decl] = name;
}

/// A short piece of source makes a readable symbol (`rowptr[i + 1]`).
static std::string symbolBase(llvm::StringRef hint, llvm::StringRef reason) {
  if (!hint.empty()) return hint.str();
  if (reason.size() <= 28 && !reason.contains('`') && !reason.contains('\n') && !reason.contains('"'))
    return reason.str();
  return "value";
}

Symbolic Walker::freshSymbol(llvm::StringRef base, llvm::StringRef reason, Location location, bool memory,
                             bool nonAffine, std::optional<Symbolic> atLeast, std::optional<Symbolic> atMost) {
  std::string name = freshName(symbolBase(base, reason));
  SymbolFacts facts{reason.str(), memory, nonAffine, 0, ++st.counter, atLeast, atMost};
  facts.isFresh = true;
  for (const Frame &frame : st.frames)
    if (!frame.isSwitch) facts.loop = frame.id;
  if (atLeast && st.ranges.isNonNegative(*atLeast)) st.ranges.assumeSymbolNonNegative(name);
  if (atMost) st.ranges.assume(*atMost - Symbolic::symbol(name));
  st.symbols[name] = facts;
  put(skeleton::Define{name, atLeast, atMost, std::nullopt, reason.str(), location}); // splits no operations
  return Symbolic::symbol(name);
}

Object &Walker::object(const std::string &name) {
  auto found = st.objects.find(name);
  assert(found != st.objects.end() && "a pointer names an object that is not there");
  return found->second;
}

Object &Walker::declareObject(const std::string &name, clang::QualType type, Storage storage, Location location) {
  Object &made = st.objects[name];
  if (!std::exchange(made.isDeclared, true)) st.objectOrder.push_back(name);
  made.array.name = name;
  made.array.storage = storage;
  // Which loops are around it is told by its place, in the text that has the loops.
  made.array.location =
      storage == Storage::Local && !inlining.empty() && statementAt.isKnown() ? statementAt : location;
  if (!type.isNull()) {
    made.array.type = elementTypeOf(type, context);
    made.element = innermost(type, context);
    made.array.extents = dimensionsOf(type);
  }
  return made;
}

bool Walker::isTrackedType(clang::QualType type) const {
  TypeClass kind = classOf(type);
  return (kind == TypeClass::Integer || kind == TypeClass::Pointer) &&
         !type.getNonReferenceType().isVolatileQualified();
}

bool Walker::isChangedAround(const std::string &variable) const {
  auto origin = st.fieldOrigins.find(variable);
  bool isField = origin != st.fieldOrigins.end() && origin->second.position != -2;
  std::string field = isField ? fieldNamedLike(variable) : "";
  return llvm::any_of(st.frames, [&](const Frame &frame) {
    return !frame.isSwitch && (frame.changed.count(variable) || (isField && frame.changed.count(field)));
  });
}

Value Walker::readInteger(const std::string &variable, clang::QualType type, Location location) {
  auto known = st.env.integers.find(variable);
  if (known != st.env.integers.end()) {
    hold(variable);
    return known->second;
  }
  // Not what it was on entry, if a loop around changes it: an earlier iteration may have.
  bool isCarried = isChangedAround(variable);
  auto entry = st.entryIntegers.find(variable);
  if (entry != st.entryIntegers.end() && !isForgotten(st.env, variable) && !isCarried) {
    hold(variable);
    return entry->second;
  }
  auto origin = st.fieldOrigins.find(variable);
  bool fromCaller = origin != st.fieldOrigins.end();
  bool isUnsigned = type->isUnsignedIntegerOrEnumerationType();
  if (fromCaller && !isForgotten(st.env, variable) && !isCarried) {
    if (isMain && origin->second.position == -2)
      if (std::optional<int64_t> initial = unit.initialValueOf(origin->second.suffix))
        return st.entryIntegers[variable] = Value{Symbolic(*initial)};
    // Its value on entry is a formal that the caller passes.
    std::string symbol = freshName(variable);
    if (isUnsigned) st.ranges.assumeSymbolNonNegative(symbol);
    ExtraFormal extra = origin->second;
    extra.parameter = {skeleton::Parameter::Kind::Value, symbol};
    st.extras.push_back(extra);
    hold(variable);
    return st.entryIntegers[variable] = Value{Symbolic::symbol(symbol)};
  }
  if (!isCarried)
    if (auto fixed = fixedGlobal(variable, type, location)) return *fixed;
  std::optional<Symbolic> least;
  if (isUnsigned) least = Symbolic(0);
  Symbolic symbol = freshSymbol(variable, variable, location, !fromCaller || isCarried, false, least);
  return st.env.integers[variable] = Value{symbol};
}

/// Notes the use of a variable whose value is known, if it is a loop that left it.
void Walker::readLeftByLoop(const std::string &variable, Location location) {
  if (!st.env.leftByLoop.count(variable)) return;
  Place place;
  place.at.object = place.variable = variable;
  place.type = context.IntTy;
  read(place, location);
}

/// The value of an integer variable, and the access that takes: a closed form or a parameter is no memory; what comes
/// from data is, and what a loop left in a variable.
Value Walker::loadInteger(const Place &place, Location location) {
  Value value = readInteger(place.variable, place.type, location);
  if (dependsOnMemory(value.expr) || st.env.leftByLoop.count(place.variable)) {
    Place memory = place;
    if (memory.at.object.empty()) memory.at.object = place.variable;
    read(memory, location);
  }
  return value;
}

/// What a called function finds in a global or a field. Its value may have a closed form here, but there it is read.
Value Walker::shareInteger(const Place &place, Location location) {
  Value value = loadInteger(place, location);
  bool isChanged = false;
  for (Frame &frame : st.frames) {
    if (frame.isSwitch || !frame.changed.count(place.variable)) continue;
    isChanged = true;
    frame.sharesIndex |= frame.indexVariable == place.variable;
  }
  if (!isChanged) return value;
  Place memory = place;
  if (memory.at.object.empty()) memory.at.object = place.variable;
  read(memory, location);
  return value;
}

bool Walker::dependsOnMemory(const Symbolic &expr) const {
  for (const std::string &name : expr.symbols()) {
    auto facts = st.symbols.find(name);
    if (facts != st.symbols.end() && facts->second.memory) return true;
  }
  return expr.isPoisoned();
}

/// False if the value is made afresh in each iteration of the innermost loop from what no Expr can say.
bool Walker::isKnownHere(const Symbolic &expr, std::string &reason, bool &memory) const {
  if (expr.isPoisoned()) {
    reason = "too large";
    memory = false;
    return false;
  }
  unsigned innermost = 0;
  for (const Frame &frame : st.frames)
    if (!frame.isSwitch) innermost = frame.id;
  for (const std::string &name : expr.symbols()) {
    auto facts = st.symbols.find(name);
    if (facts == st.symbols.end() || innermost == 0 || facts->second.loop != innermost) continue;
    if (!facts->second.memory && !facts->second.nonAffine) continue;
    reason = facts->second.reason;
    memory = facts->second.memory;
    return false;
  }
  return true;
}

/// Has it a closed form in the innermost loop that changes it? (A loop further out may set it anew.)
bool Walker::isInductiveNow(const std::string &variable) const {
  for (auto frame = st.frames.rbegin(); frame != st.frames.rend(); ++frame)
    if (!frame->isSwitch && frame->changed.count(variable)) return frame->inductive.count(variable) != 0;
  return false;
}

/// Callers take the size that a container has at the end for all the memory that it has had. What it held on entry is
/// theirs.
void Walker::noteShrinking(const std::string &size, const Symbolic &now) {
  auto origin = st.fieldOrigins.find(size);
  auto before = st.env.integers.find(size);
  if (origin == st.fieldOrigins.end() || before == st.env.integers.end() ||
      !llvm::StringRef(size).ends_with(sizeSuffix))
    return;
  auto entry = st.entryIntegers.find(size);
  const bool isFromEntry = entry != st.entryIntegers.end() && entry->second.expr == before->second.expr;
  if (!isFromEntry && !before->second.expr.isZero() && !st.ranges.isNonNegative(now - before->second.expr))
    summary.shrunk.insert({origin->second.position, origin->second.suffix});
}

void Walker::storeInteger(const Place &place, const Value &value) {
  noteShrinking(place.variable, value.expr);
  st.env.leftByLoop.erase(place.variable);
  st.env.integers[place.variable] = value;
  auto origin = st.fieldOrigins.find(place.variable);
  if (origin == st.fieldOrigins.end()) return;
  if (origin->second.position == -2) summary.writtenGlobals.insert(origin->second.suffix);
  else {
    summary.writtenFields.insert({origin->second.position, origin->second.suffix});
    // Another pointer may name the same field.
    if (isOwnField(place.variable)) return;
    for (auto &[name, other] : st.fieldOrigins)
      if (name != place.variable && other.position != -2 && other.suffix == origin->second.suffix && !isOwnField(name))
        clobber(name, {});
  }
}

/// A place that may be any field or variable whose address is out.
bool Walker::isAnything(const Place &place) const {
  auto found = st.objects.find(place.at.object);
  if (found == st.objects.end()) return true;
  return found->second.array.storage == Storage::Alias && found->second.array.mayBe.empty();
}

void Walker::assignInteger(const Place &place, Value value, Location location) {
  if (place.variable.empty()) {
    write(place, location);
    noteWritten(value.expr);
    noteElement(place, value);
    if (isAnything(place)) clobberSomewhere(location);
    return;
  }
  storeInteger(place, value);
  if (quiet.count(place.variable)) return;
  for (const Frame &frame : st.frames)
    if (frame.indexVariable == place.variable) return;
  write(place, location, false, isInductiveNow(place.variable));
}

void Walker::assignPointer(const Place &place, Pointer value, Location location) {
  const clang::VarDecl *global = globalOf(place.variable);
  bool isKept = (global && unit.privateGlobals.behind.count(global)) || isOwnField(place.variable);
  if (!value.object.empty() && !isKept &&
      (place.variable.empty() || st.fieldOrigins.count(place.variable) || isFieldOfEscaped(place.variable))) {
    st.escaped.insert(value.object);
    escapeBehind(value.object);
  }
  if (place.variable.empty()) {
    bool isInStruct =
        !place.at.object.empty() && object(place.at.object).array.type.kind == skeleton::ElementType::Kind::Struct;
    if (isInStruct && !value.null && isInLoop()) {
      find(Rule::UnsupportedCode, location,
           "an address is stored in a struct; on a device it would be another one, so it stays on the host");
      host(HostReason::Unsupported, "an address", accessesOf([&] { write(place, location); }), location);
      return;
    }
    fillsTable |= value.null; // nobody looks behind it
    write(place, location);
    fillsTable = false;
    if (isAnything(place)) clobberSomewhere(location);
    return;
  }
  st.env.leftByLoop.erase(place.variable);
  st.env.pointers[place.variable] = std::move(value);
  auto origin = st.fieldOrigins.find(place.variable);
  if (origin == st.fieldOrigins.end()) return;
  if (origin->second.position == -2) summary.writtenGlobals.insert(origin->second.suffix);
  else summary.writtenFields.insert({origin->second.position, origin->second.suffix});
}

/// Opaque code may have changed it.
void Walker::clobber(const std::string &variable, Location location) {
  if (std::string size = variable + sizeSuffix.str(); st.env.integers.count(size) || st.entryIntegers.count(size))
    clobber(size, location);
  if (st.env.integers.count(variable) || st.entryIntegers.count(variable))
    st.env.integers[variable] = Value{freshSymbol(variable, variable, location, true)};
  auto pointer = st.env.pointers.find(variable);
  if (pointer == st.env.pointers.end()) return;
  std::string target = pointer->second.object;
  if (target.empty()) {
    st.env.pointers.erase(pointer);
    return;
  }
  clang::QualType element = object(target).element;
  st.env.pointers[variable] = unknownPointer(variable, element, location, {target}, true); // or what it was
}

/// The variable's own address was given away: what it holds is not what it held on entry either.
void Walker::clobberGiven(const std::string &variable, Location location) {
  clobber(variable, location);
  auto entry = st.entryPointers.find(variable);
  auto origin = st.fieldOrigins.find(variable);
  const bool isPointer = origin != st.fieldOrigins.end() && classOf(origin->second.type) == TypeClass::Pointer &&
                         handleOf(origin->second.type) == Handle::None;
  if (st.env.pointers.count(variable) || (entry == st.entryPointers.end() && !isPointer)) return;
  st.env.pointers[variable] = unknownPointer(
      variable, entry == st.entryPointers.end() ? pointeeOf(origin->second.type) : object(entry->second.object).element,
      location);
}

/// A store into memory changes the integers that lie there: the one it is, or those that a pointer may point to. (A
/// pointer variable goes by the name of what it points to, so it is none of these.) Whoever stores through a pointer
/// that may point to anything says so: clobberAddressTaken.
void Walker::clobberBehind(const std::string &name, Location location) {
  auto found = st.objects.find(name);
  if (found == st.objects.end()) return;
  std::vector<std::string> behind = found->second.array.mayBe;
  auto isCallers = [&](const std::string &one) { // or a global, not read so far
    auto origin = st.fieldOrigins.find(one);
    return origin != st.fieldOrigins.end() && classOf(origin->second.type) == TypeClass::Integer;
  };
  if (found->second.array.storage != Storage::Alias) behind = {name};
  for (const std::string &one : behind)
    if (st.env.integers.count(one) || st.entryIntegers.count(one) || isCallers(one))
      st.env.integers[one] = Value{freshSymbol(one, one, location, true)};
}

/// The global that the variable is, or is a field of; null if it is neither.
const clang::VarDecl *Walker::globalOf(const std::string &variable) const {
  auto origin = st.fieldOrigins.find(variable);
  if (origin == st.fieldOrigins.end() || origin->second.position != -2) return nullptr;
  const std::string &path = origin->second.suffix;
  if (auto whole = unit.globalNames.find(path); whole != unit.globalNames.end()) return whole->second;
  if (path.find("->") != std::string::npos) return nullptr;
  auto record = unit.globalNames.find(path.substr(0, path.find('.')));
  return record == unit.globalNames.end() ? nullptr : record->second;
}

/// Code that is not seen, and stores through pointers that nothing is known of, leave it alone.
bool Walker::survivesUnseen(const std::string &variable) const {
  const clang::VarDecl *global = globalOf(variable);
  return global && unit.privateGlobals.values.count(global);
}

/// What others may have changed: a variable whose address is out, a global or a field behind a pointer, unless it is
/// safe.
std::set<std::string> Walker::reachedByUnseen(llvm::function_ref<bool(const std::string &variable)> isSafe) const {
  std::set<std::string> victims = st.addressTaken;
  for (auto &[name, origin] : st.fieldOrigins)
    if (!isSafe(name) && !isOwnField(name)) victims.insert(name);
  for (const std::set<std::string> *names : {&st.escaped, &st.lent}) // structs whose address is out
    for (const std::string &name : *names) {
      auto found = st.objects.find(name);
      if (found == st.objects.end() || found->second.prefix.empty() ||
          (names == &st.lent && found->second.array.isConst))
        continue;
      auto add = [&, prefix = llvm::StringRef(found->second.prefix)](const auto &variables) {
        for (const auto &[variable, value] : beginningWith(variables, prefix))
          if (!isSafe(variable)) victims.insert(variable);
      };
      add(st.env.integers);
      add(st.env.pointers);
    }
  return victims;
}

/// Tables of pointers that others may reach.
bool Walker::isTableReached(const std::string &name, bool isOwnCode) const {
  const Object &one = st.objects.at(name);
  if (st.escaped.count(name)) return true;
  if (!one.rowsOf.empty() || (!one.isGlobal && one.originPath.empty())) return false;
  const clang::VarDecl *global = globalOf(name);
  return isOwnCode || !global || !isOutOfReach(global);
}

/// What a store through a pointer that may lead anywhere may have changed. Code of this unit that was not followed
/// (`isOwnCode`) may change any global.
void Walker::clobberAddressTaken(Location location, bool isOwnCode) {
  llvm::SaveAndRestore at(stored, std::optional(Stored()));
  for (const std::string &name :
       reachedByUnseen([&](const std::string &name) { return !isOwnCode && survivesUnseen(name); }))
    clobber(name, location);
  loseTables([&](const std::string &name) { return isTableReached(name, isOwnCode); });
  st.env.opaque = st.env.forgetsPointers = true;
  st.env.forgetsStatics |= isOwnCode;
  summary.forgetsStatics |= isOwnCode;
}

/// What unseen code may have changed: numbers. Where pointers lead is taken to stay (GivenMemory.cpp).
void Walker::clobberAddressTakenByUnseen(Location location) {
  llvm::SaveAndRestore at(stored, std::optional(Stored()));
  for (const std::string &name : reachedByUnseen([&](const std::string &name) { return survivesUnseen(name); }))
    clobberByUnseen(name, location);
  std::vector<std::string> onEntry;
  for (const auto &[name, pointer] : st.entryPointers)
    if (!st.env.pointers.count(name) && !survivesUnseen(name) && !isOwnField(name)) onEntry.push_back(name);
  for (const std::string &name : onEntry) clobberByUnseen(name, location);
  doubtTables([&](const std::string &name) { return isTableReached(name, false); });
  st.env.opaque = true;
}

/// What a store through a pointer that may lead anywhere may have changed; callers hear of it.
void Walker::clobberSomewhere(Location location) {
  summary.storesAnywhere = true;
  clobberAddressTaken(location);
}

Value Walker::convert(Value value, clang::QualType from, clang::QualType to, const clang::Expr *text) {
  from = from.getCanonicalType().getNonReferenceType();
  to = to.getCanonicalType().getNonReferenceType();
  auto open = [&](std::optional<Symbolic> least = {}, std::optional<Symbolic> most = {}) {
    return Value{freshSymbol("", text ? textOf(text) : to.getAsString(), text ? locate(text) : statementAt,
                             dependsOnMemory(value.expr), least.has_value(), least, most)};
  };
  if (!from->isIntegralOrEnumerationType() || !to->isIntegralOrEnumerationType() || value.expr.isPoisoned())
    return value;
  if (to->isBooleanType()) {
    if (from->isBooleanType()) return value;
    if (auto known = value.expr.constant()) return Value{Symbolic(*known != 0)};
    return open(Symbolic(0), Symbolic(1));
  }
  unsigned bits = context.getIntWidth(to), fromBits = context.getIntWidth(from);
  bool toUnsigned = to->isUnsignedIntegerOrEnumerationType();
  bool fromUnsigned = from->isUnsignedIntegerOrEnumerationType();
  if (auto known = value.expr.constant(); known && (bits < 64 || fromBits < 64)) { // as the processor does it
    llvm::APSInt number(llvm::APInt(64, uint64_t(*known)), false);
    number = llvm::APSInt(number.trunc(std::min(fromBits, 64u)), fromUnsigned).extOrTrunc(bits);
    number.setIsSigned(!toUnsigned);
    if (!toUnsigned || number.getActiveBits() < 64) return Value{Symbolic(number.getExtValue())};
  }
  if (bits <= 16 && (bits < fromBits || toUnsigned != fromUnsigned)) {
    int64_t low = toUnsigned ? 0 : -(int64_t(1) << (bits - 1));
    int64_t high = toUnsigned ? (int64_t(1) << bits) - 1 : (int64_t(1) << (bits - 1)) - 1;
    if (st.ranges.isNonNegative(value.expr - Symbolic(low)) && st.ranges.isNonNegative(Symbolic(high) - value.expr))
      return value;
    // What is left in so few bits, whatever stands above them; of data only its range counts.
    Symbolic cut = mod(value.expr - Symbolic(low), int64_t(1) << bits) + Symbolic(low);
    const bool isWhole = !value.mayWrap || bits <= fromBits;
    if (isWhole && !cut.isPoisoned() && !dependsOnMemory(value.expr)) return Value{cut};
    return open(Symbolic(low), Symbolic(high));
  }
  if (bits < fromBits && bits <= 32) { // what is shifted out at the top is lost
    const int64_t most = (int64_t(1) << (toUnsigned ? bits : bits - 1)) - 1;
    if (!value.expr.constant() && (mayExceed(value.expr, most) || mayExceed(-value.expr, toUnsigned ? 0 : most + 1)))
      return open();
    bool isShifted = llvm::any_of(value.expr.sum(), [](const skeleton::Term &term) {
      return term.coefficient >= 1 << (term.factors.empty() ? 27 : 20);
    });
    if (isShifted && !value.expr.constant() &&
        !st.ranges.isNonNegative(Symbolic((int64_t(1) << (toUnsigned ? bits : bits - 1)) - 1) - value.expr))
      return open();
  }
  if (toUnsigned && !value.mayWrap && !st.ranges.isNonNegative(value.expr)) {
    // A negative int becomes huge. In 64 bits a subscript still comes out right.
    auto known = value.expr.constant();
    value.mayWrap = (known && *known < 0) || !fromUnsigned;
  }
  if (!toUnsigned && bits >= 32 && value.mayWrap && bits <= fromBits) value.mayWrap = false; // wraps back
  return value;
}

/// Values made of symbols that an inner block defines are not known outside of it.
void Walker::exportValues(unsigned mark, Location location) {
  exportPending(mark);
  exportValues([&](const std::string &symbol) { return isMadeBehind(symbol, mark); }, location);
}

bool Walker::isMadeBehind(const std::string &symbol, unsigned mark) const {
  auto facts = st.symbols.find(symbol);
  return facts != st.symbols.end() && facts->second.serial > mark;
}

/// Where a function that is walked in place returns, its values may be of symbols that an inner block of it defines.
void Walker::exportEnds(std::vector<Environment> &ends, unsigned mark, Location location) {
  flush();
  std::vector<std::string> here;
  for (const Node &node : *out)
    if (const auto *define = std::get_if<skeleton::Define>(&node.kind)) here.push_back(define->symbol);
  const std::set<std::string> visible(here.begin(), here.end());
  for (Environment &end : ends) {
    std::swap(st.env, end);
    exportValues([&](const std::string &symbol) { return isMadeBehind(symbol, mark) && !visible.count(symbol); },
                 location);
    std::swap(st.env, end);
  }
}

void Walker::exportValues(llvm::function_ref<bool(const std::string &)> isInnerSymbol, Location location) {
  auto isInner = [&](const Symbolic &expr) { return anySymbol(expr, isInnerSymbol); };
  std::vector<std::pair<std::string, Symbolic>> inner;
  for (auto &[name, value] : st.env.integers)
    if (isInner(value.expr)) inner.push_back({name, value.expr});
  std::map<Symbolic, Symbolic> outside; // equal values stay equal
  for (const auto &[name, expr] : inner) {
    auto same = outside.find(expr);
    if (same == outside.end()) {
      auto [least, most] = boundsWithout(expr, isInnerSymbol);
      Symbolic outer = freshSymbol(name, name, location, dependsOnMemory(expr), least && most, least, most);
      std::optional<Symbolic> usual = usualValueOf(expr);
      same = outside
                 .insert({expr, usuallyLeftAlone(usual && !isInner(*usual) ? usually(outer, usual) : outer,
                                                 isLeftAlone(expr))})
                 .first;
    }
    st.env.integers[name] = Value{same->second};
  }
  for (auto &[name, pointer] : st.env.pointers)
    for (auto &index : pointer.index)
      if (index && isInner(*index)) index = std::nullopt;
  auto hasInner = [&](const std::optional<Pointer> &pointer) {
    return pointer && llvm::any_of(pointer->index, [&](const auto &index) { return index && isInner(*index); });
  };
  for (auto &[array, elements] : st.env.elements)
    std::erase_if(elements, [&](const auto &element) { return isInner(element.second.expr); });
  exportSizes(isInner, outside);
  loseRows([&](const RowState &state) {
    return hasInner(state.first) || hasInner(state.origin) || isInner(state.row) || llvm::any_of(state.stride, isInner);
  });
}

void Walker::assumeCondition(const Condition &condition) {
  if (condition.anyOf.size() != 1) return;
  for (const Symbolic &fact : condition.anyOf[0]) st.ranges.assume(fact);
}

void Walker::assumeNegation(const Condition &condition) {
  if (!condition.exact) return;
  // Each disjunct of one fact is false: its negation holds.
  for (const std::vector<Symbolic> &facts : condition.anyOf)
    if (facts.size() == 1) st.ranges.assume(-facts[0] - 1);
    else if (facts.size() == 2 && facts[0] == -facts[1]) { // not equal: strict on the side known
      if (st.ranges.isNonNegative(facts[0])) st.ranges.assume(facts[0] - 1);
      else if (st.ranges.isNonNegative(facts[1])) st.ranges.assume(facts[1] - 1);
    }
}

} // namespace busfare::frontend
