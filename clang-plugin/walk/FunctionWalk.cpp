//===- clang-plugin/walk/FunctionWalk.cpp - One function from its start to its end -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Binds the parameters, walks the body, and sums up for callers what the function
// leaves behind.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/library/BlasTable.h"
#include "clang-plugin/lower/Settings.h"

namespace busfare::frontend {

Walker::Walker(Unit &unit, const clang::FunctionDecl *function, Summary &summary)
    : unit(unit), context(unit.context), function(function), summary(summary) {
  isMain = function->isMain();
  if (unit.settings) // they are positive
    for (const auto &[name, number] : unit.settings->numbers())
      if (number.isSetting) st.ranges.assume(Symbolic::symbol(name) - 1), st.ranges.assumeSymbolNonNegative(name);
}

void Walker::bindParameters() {
  out = &prologue;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function); method && method->isInstance()) {
    clang::QualType type = method->getThisType()->getPointeeType();
    Object &self = declareObject("this", type, Storage::Parameter, locate(function->getLocation()));
    if (hasFieldNames(type)) self.prefix = "this->";
    self.origin = -1;
    Pointer at;
    at.object = "this";
    st.env.pointers["this"] = at;
  }
  summary.writesFormal.assign(function->getNumParams(), false);
  // Integer parameters first: extents of the others are made of them.
  for (const clang::ParmVarDecl *formal : function->parameters()) {
    std::string name = nameOf(formal);
    clang::QualType type = formal->getType();
    if (classOf(type) != TypeClass::Integer || type->isReferenceType()) continue;
    freshName(name);
    if (type->isUnsignedIntegerOrEnumerationType()) st.ranges.assumeSymbolNonNegative(name);
    st.env.integers[name] = Value{Symbolic::symbol(name)};
  }
  std::vector<skeleton::Parameter> &parameters = summary.function.parameters;
  for (unsigned k = 0; k < function->getNumParams(); ++k) {
    const clang::ParmVarDecl *formal = function->getParamDecl(k);
    std::string name = nameOf(formal);
    clang::QualType type = formal->getType(), written = formal->getOriginalType();
    Location location = locate(formal->getLocation());
    TypeClass kind = classOf(type);
    using Kind = skeleton::Parameter::Kind;
    if (kind == TypeClass::Integer && !type->isReferenceType()) {
      parameters.push_back({Kind::Value, name});
      continue;
    }
    if (kind == TypeClass::Record) {
      Object &made = declareObject(name, type, Storage::Parameter, location);
      if (hasFieldNames(type.getNonReferenceType())) made.prefix = name + ".";
      made.origin = k;
      made.array.isRestrict = !type->isReferenceType() && !unit.addressed.isAddressed(formal); // a copy of its own
      parameters.push_back({Kind::Other, name});
      continue;
    }
    if (handleOf(type) != Handle::None) {
      bindHandle(k, formal);
      continue;
    }
    bool isPointer = kind == TypeClass::Pointer && !type->isReferenceType();
    if (isPointer && classOf(type->getPointeeType()) == TypeClass::Record) {
      if (unit.arrayUses.isOneStruct(formal)) {
        Object &made = declareObject(name, type->getPointeeType(), Storage::Parameter, location);
        if (hasFieldNames(type->getPointeeType())) made.prefix = name + "->";
        made.origin = k;
        Pointer at;
        at.object = name;
        st.env.pointers[name] = at;
        parameters.push_back({Kind::Other, name});
        continue;
      }
    }
    if (isPointer) {
      clang::QualType pointee = type->getPointeeType();
      bool isVoid = pointee->isVoidType() || bytesOf(innermost(pointee, context), context) == 0;
      Object &made = declareObject(name, isVoid ? clang::QualType() : pointee, Storage::Parameter, location);
      if (isVoid) made.array.type = {skeleton::ElementType::Kind::Unsigned, 1};
      // `double a[4]` and `a[static 1]` as parameters say nothing of what there is at most: callers may give more.
      dimensionsOf(written); // evaluates them
      Object &again = object(name); // dimensionsOf may have added objects
      again.array.extents.insert(again.array.extents.begin(), std::nullopt);
      again.array.isRestrict = type.isRestrictQualified();
      again.isConstPointee = pointee.isConstQualified() || innermost(pointee, context).isConstQualified() ||
                             context.getBaseElementType(pointee).isConstQualified();
      Pointer at;
      at.object = name;
      at.index.assign(again.array.extents.size(), Symbolic(0));
      st.env.pointers[name] = at;
      parameters.push_back({Kind::Array, name});
      continue;
    }
    if (kind == TypeClass::Other || kind == TypeClass::Pointer) {
      parameters.push_back({Kind::Other, name});
      continue;
    }
    Object &made = declareObject(
        name, type.getNonReferenceType(),
        type->isReferenceType() || kind == TypeClass::Data ? Storage::Parameter : Storage::Local, location);
    made.isConstPointee = type.getNonReferenceType().isConstQualified();
    made.array.isRestrict = !type->isReferenceType() && !unit.addressed.isAddressed(formal); // a copy of its own
    parameters.push_back({Kind::Array, name});
    if (kind == TypeClass::Integer) // a reference: what it holds on entry
      st.env.integers[name] = Value{made.isConstPointee && !isMain ? extraFormal(name, k, 0, type.getNonReferenceType())
                                                                   : freshSymbol(name, name, location, true)};
  }
  bindResult();
  flush();
}

/// A container's memory is the caller's, and so is its size; what is passed by value has memory of its own.
void Walker::bindHandle(unsigned position, const clang::ParmVarDecl *formal) {
  std::string name = nameOf(formal);
  clang::QualType type = formal->getType(), pointee = pointeeOf(type);
  Location location = locate(formal->getLocation());
  Handle kind = handleOf(type);
  bool isCopy = kind == Handle::Owner && !type->isReferenceType();
  std::string object = isCopy ? freshName(name + " (argument)") : name;
  ExtraFormal origin;
  origin.position = position;
  origin.type = type.getNonReferenceType();
  if (!isCopy && type->isReferenceType()) st.fieldOrigins[name] = origin;
  std::optional<Symbolic> extent;
  if (hasSize(kind)) { // an extra formal, whether or not the container itself may change
    ExtraFormal size = origin;
    size.suffix = "size()";
    size.type = context.getSizeType();
    st.fieldOrigins[name + sizeSuffix.str()] = size;
    extent = readInteger(name + sizeSuffix.str(), size.type, location).expr;
  }
  Object &made = declareObject(object, pointee, Storage::Parameter, location);
  made.array.extents.insert(made.array.extents.begin(), extent);
  made.origin = position;
  made.isConstPointee = pointee.isConstQualified();
  made.array.isRestrict = isCopy;
  Pointer at;
  at.object = object;
  at.index.assign(made.array.extents.size(), Symbolic(0));
  summary.function.parameters.push_back({skeleton::Parameter::Kind::Array, object, type->isReferenceType()});
  if (isCopy) {
    st.fieldOrigins.erase(name + sizeSuffix.str());
    st.env.integers[name + sizeSuffix.str()] = Value{*extent};
    Place place;
    place.variable = place.at.object = name;
    place.type = type;
    assignHandle(place, copyElements({at, Value{*extent}}, pointee, name, location), location);
    return;
  }
  st.entryPointers[name] = at;
  st.env.pointers[name] = at;
}

void Walker::run() {
  using State = Summary::State;
  summary.state = State::InProgress;
  summary.function.name = summary.name;
  summary.function.location = locate(function->getLocation());
  // Variables whose address leaves the function's sight.
  std::function<void(const clang::Stmt *)> search = [&](const clang::Stmt *stmt) {
    if (!stmt) return;
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->getOpcode() == clang::UO_AddrOf)
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(op->getSubExpr()->IgnoreParens()))
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
            variable && isTrackedType(variable->getType()))
          st.addressTaken.insert(nameOf(variable));
    // Fields of a local struct likewise: `int *p[] = {&s.n}`. And of one that is given: `this->p = &n`.
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->getOpcode() == clang::UO_AddrOf) {
      std::string path;
      const clang::Expr *base = op->getSubExpr()->IgnoreParens();
      bool isArrow = false;
      for (const auto *access = llvm::dyn_cast<clang::MemberExpr>(base); access && !isArrow;
           access = llvm::dyn_cast<clang::MemberExpr>(base)) {
        isArrow = access->isArrow();
        path = (isArrow ? "->" : ".") + access->getMemberDecl()->getNameAsString() + path;
        base = access->getBase()->IgnoreParenImpCasts();
      }
      const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(base);
      const auto *variable = ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
      const bool isGiven = llvm::isa<clang::CXXThisExpr>(base) || llvm::isa_and_nonnull<clang::ParmVarDecl>(variable);
      bool isField =
          !path.empty() &&
          (isGiven || (variable && !isArrow && variable->hasLocalStorage() && !variable->getType()->isReferenceType()));
      if (isField && isTrackedType(op->getSubExpr()->getType()))
        st.addressTaken.insert((variable ? nameOf(variable) : "this") + path);
    }
    // Nor is it seen where a reference goes that is handed on: `pick(m, n) = 1`, `pair<int &, int> p(m, 1)`.
    auto mayHandOn = [&](const clang::FunctionDecl *callee, llvm::ArrayRef<const clang::Expr *> arguments) {
      for (unsigned k = 0; callee && k < arguments.size() && k < callee->getNumParams(); ++k) {
        clang::QualType formal = callee->getParamDecl(k)->getType();
        const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(arguments[k]->IgnoreParens());
        const auto *variable = ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
        if (variable && formal->isReferenceType() && !formal->getPointeeType().isConstQualified() &&
            isTrackedType(variable->getType()))
          st.addressTaken.insert(nameOf(variable));
      }
    };
    if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(stmt)) // `struct T { int &n; }; T t{n};`
      for (const clang::Expr *init : list->inits()) {
        const clang::VarDecl *variable = init && init->isGLValue() ? variableOf(init) : nullptr;
        if (variable && isTrackedType(variable->getType())) st.addressTaken.insert(nameOf(variable));
      }
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt))
      mayHandOn(made->getConstructor(), llvm::ArrayRef(made->getArgs(), made->getNumArgs()));
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt);
        made && (made->isGLValue() || isPointerLike(made->getType())))
      mayHandOn(calleeOf(made), argumentsOf(made));
    // Code that is not seen may keep a reference.
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt)) {
      const clang::FunctionDecl *callee = calleeOf(made);
      bool isUnseen = callee && !bodyThatRuns(callee) && !unit.summaryOf(callee) && !callee->isInStdNamespace() &&
                      !isOfModelledLibrary(callee);
      if (isUnseen) mayHandOn(callee, argumentsOf(made));
    }
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt);
        made && calleeOf(made) && calleeOf(made)->getIdentifier()) {
      // These forget the address when they return.
      llvm::StringRef name = unit.isOwnFunction(calleeOf(made)) ? "" : calleeOf(made)->getName();
      bool forgets = name.ends_with("scanf") || name.starts_with("MPI_") || name == "gettimeofday" ||
                     name == "clock_gettime" || name == "posix_memalign" || blasFormOf(calleeOf(made));
      if (forgets) {
        for (const clang::Expr *argument : made->arguments())
          if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts());
              !op || op->getOpcode() != clang::UO_AddrOf)
            search(argument);
        return;
      }
    }
    // Who has a lambda's address may call it.
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->getOpcode() == clang::UO_AddrOf)
      if (const clang::CXXRecordDecl *record = callableClassOf(op->getSubExpr()->getType());
          record && record->isLambda())
        for (const clang::LambdaCapture &capture : record->captures())
          if (capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByRef)
            st.addressTaken.insert(nameOf(capture.getCapturedVar()));
    for (const clang::Stmt *child : partsOf(stmt)) search(child);
  };
  search(function->getBody());
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
    for (const clang::CXXCtorInitializer *init : constructor->inits()) search(init->getInit());
  st.objects.clear(); // the names reserved so far come again, in order of declaration
  st.names.clear();
  st.nextVariables.clear();
  std::set<std::string> taken = std::move(st.addressTaken);
  st.addressTaken = std::move(taken);
  bindParameters();
  out = &summary.function.body;
  takeFunctionHints();
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
    for (const clang::CXXCtorInitializer *init : constructor->inits()) {
      Place self;
      self.at = st.env.pointers["this"];
      self.type = constructor->getThisType()->getPointeeType();
      runInitializer(self, init);
    }
  noteGotos(function->getBody());
  if (const auto *body = llvm::dyn_cast<clang::CompoundStmt>(function->getBody()))
    for (const clang::Stmt *stmt : body->body()) positions.emplace(stmt, positions.size());
  if (isMain) beginProgram();
  std::function<bool(const clang::Stmt *)> isReturnedTo = [&](const clang::Stmt *stmt) {
    const auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(stmt);
    const clang::FunctionDecl *callee = call ? calleeOf(call) : nullptr;
    bool isMark = callee && callee->getIdentifier() &&
                  llvm::StringSwitch<bool>(callee->getName().ltrim('_'))
                      .Cases("setjmp", "sigsetjmp", "builtin_setjmp", "getcontext", "vfork", true)
                      .Default(false);
    return stmt && (isMark || llvm::any_of(partsOf(stmt), isReturnedTo));
  };
  Flow flow;
  if (isReturnedTo(function->getBody()))
    unsupported(function->getBody(), "this function, to which a jump may come back (setjmp),", Rule::LongJump);
  else flow = execute(function->getBody());
  if (isMain && !flow.always) endProgram(locate(function->getBody()->getEndLoc()));
  flush();
  if (!flow.always) returns.push_back(st.env);
  summarizeExit();
  summarizeTables();
  handOn();
  finish();
  summary.state = State::Done;
}

/// The parameter (by position) that points to this object, or is a container whose memory it is.
std::optional<unsigned> Walker::formalNaming(const std::string &object) {
  for (unsigned k = 0; k < function->getNumParams(); ++k) {
    const clang::ParmVarDecl *formal = function->getParamDecl(k);
    if (classOf(formal->getType()) != TypeClass::Pointer || nameOf(formal) != object) continue;
    if (!formal->getType()->isReferenceType() || handleOf(formal->getType()) != Handle::None) return k;
  }
  return std::nullopt;
}

/// Has the variable perhaps another value at a return than on entry, however it came to that?
bool Walker::isAnotherAtEnd(const std::string &name) const {
  auto entry = st.entryIntegers.find(name);
  auto start = st.entryPointers.find(name);
  return llvm::any_of(returns, [&](const Environment &env) {
    auto value = env.integers.find(name);
    auto pointer = env.pointers.find(name);
    return (value != env.integers.end() && (entry == st.entryIntegers.end() || !(value->second == entry->second))) ||
           (pointer != env.pointers.end() && (start == st.entryPointers.end() || !(pointer->second == start->second)));
  });
}

/// Where one pointer of callers leads at the end, another of theirs does, too: one that still leads where it did, or
/// what a container holds. `g->p = &v[0];`
std::optional<std::pair<int, std::string>> Walker::sharedAtEnd(const std::string &name) const {
  auto atEnd = [&](const Environment &env, const std::string &pointer) -> const Pointer * {
    auto found = env.pointers.find(pointer);
    if (found != env.pointers.end()) return &found->second;
    auto entry = st.entryPointers.find(pointer);
    return entry == st.entryPointers.end() || isPointerForgotten(env, pointer) ? nullptr : &entry->second;
  };
  for (const auto &[other, origin] : st.fieldOrigins) {
    if (other == name || classOf(origin.type) != TypeClass::Pointer || origin.suffix.find("[]") != std::string::npos)
      continue;
    if (handleOf(origin.type) != Handle::Owner && isAnotherAtEnd(other)) continue;
    auto isShared = [&, other = other](const Environment &env) {
      const Pointer *one = atEnd(env, name), *two = atEnd(env, other);
      return one && two && !one->object.empty() && *one == *two;
    };
    if (!returns.empty() && llvm::all_of(returns, isShared)) return std::pair(origin.position, origin.suffix);
  }
  return std::nullopt;
}

/// Pointers of callers may lead into each other's memory at the end.
void Walker::noteWhereLost() {
  for (auto &[name, origin] : st.fieldOrigins) {
    if (classOf(origin.type) != TypeClass::Pointer) continue;
    std::set<std::string> objects;
    auto isUnknown = [&, name = name](const Environment &env) {
      auto found = env.pointers.find(name);
      return found != env.pointers.end() && !found->second.null && !st.objects.count(found->second.object);
    };
    if (llvm::any_of(returns, isUnknown)) summary.lostTo[{origin.position, origin.suffix}].insert(lostAnywhere);
    for (const Environment &env : returns)
      if (auto found = env.pointers.find(name); found != env.pointers.end() && st.objects.count(found->second.object)) {
        const Array &array = object(found->second.object).array;
        objects.insert(found->second.object);
        objects.insert(array.mayBe.begin(), array.mayBe.end());
        const std::vector<std::string> likely = object(found->second.object).likely.all();
        objects.insert(likely.begin(), likely.end());
      }
    for (const std::string &one : objects) {
      const Object &target = object(one);
      auto &targets = summary.lostTo[{origin.position, origin.suffix}];
      const bool isOwn = target.array.storage == Storage::Heap && target.rowsOf.empty();
      if (auto key = tableKey(one)) targets.insert(*key);
      else if (target.array.storage == Storage::Alias ? target.array.mayBe.empty() : !isOwn)
        targets.insert(lostAnywhere);
    }
  }
}

/// What callers find changed: integer fields, and pointers of fields and globals that were exchanged.
void Walker::summarizeExit() {
  for (const std::string &name : st.rotated)
    if (const Object &one = object(name); one.origin != -3 && !one.originPath.empty())
      summary.rotated.insert({one.origin, one.originPath});
  std::map<std::string, Pointer> changed;
  for (auto &[name, origin] : st.fieldOrigins) {
    std::pair<int, std::string> key{origin.position, origin.suffix};
    if (isAnotherAtEnd(name)) {
      if (origin.position == -2) summary.writtenGlobals.insert(origin.suffix);
      else summary.writtenFields.insert(key);
    }
    if (classOf(origin.type) == TypeClass::Integer) {
      std::optional<Symbolic> end;
      bool same = !returns.empty();
      for (const Environment &env : returns) {
        auto found = env.integers.find(name);
        if (found == env.integers.end() || (end && *end != found->second.expr)) same = false;
        else end = found->second.expr;
      }
      if (same && end) summary.exitValues.insert({key, *end});
      summarizeUsualExit(name, key);
      continue;
    }
    if (classOf(origin.type) != TypeClass::Pointer) continue;
    std::optional<Pointer> end;
    bool same = !returns.empty(), any = false;
    for (const Environment &env : returns) {
      auto found = env.pointers.find(name);
      any |= found != env.pointers.end();
      if (found == env.pointers.end() || (end && !(*end == found->second))) same = false;
      else end = found->second;
    }
    if (!any) continue;
    if (origin.position != -2 && handleOf(origin.type) != Handle::Owner)
      if (auto other = sharedAtEnd(name)) {
        summary.sharedPointers.insert({key, *other});
        continue;
      }
    if (!same) {
      if (returns.size() > 1 || !end) summary.lostPointers.insert(key);
      continue;
    }
    bool isStart = llvm::all_of(end->index, [](auto &i) { return i && i->isZero(); });
    if (end->object == name && isStart) continue; // its own memory, old or new
    if (end->null && end->object.empty()) {
      summary.nullPointers.insert(key);
      continue;
    }
    if (std::optional<unsigned> formal = formalNaming(end->object)) {
      if (isStart) summary.exitPointers[key] = {*formal, Symbolic(0)};
      else if (end->index.size() == 1 && end->index[0]) summary.exitPointers[key] = {*formal, *end->index[0]};
    }
    if (isStart && st.entryPointers.count(end->object)) changed[name] = *end;
    else summary.lostPointers.insert(key);
  }
  noteWhereLost();
  summarizeFreshCounts();
  // Exchanged among themselves?
  std::set<std::string> ends;
  for (auto &[name, end] : changed) ends.insert(end.object);
  bool isPermutation = ends.size() == changed.size() && !changed.empty();
  // The fields of a single struct go by names of their own, which would stay.
  for (auto &[name, end] : changed)
    isPermutation &= changed.count(end.object) != 0 && object(end.object).prefix.empty();
  if (!isPermutation) {
    for (auto &[name, end] : changed)
      summary.lostPointers.insert({st.fieldOrigins[name].position, st.fieldOrigins[name].suffix});
    return;
  }
  skeleton::Rotate moves;
  moves.location = locate(function->getBody()->getEndLoc());
  for (auto &[name, end] : changed) {
    moves.moves.push_back({name, end.object});
    object(name).isUsed = true;
    object(name).isWritten = true;
    summary.rotated.insert({st.fieldOrigins[name].position, st.fieldOrigins[name].suffix});
  }
  emit(moves);
}

} // namespace busfare::frontend
