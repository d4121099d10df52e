//===- clang-plugin/walk/Callables.cpp - Lambdas and functors, walked in place -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A lambda's body names the variables around it, so it is walked where it is called, and
// so is a function that takes a lambda:
//
//   auto at = [&](int i) -> double & { return a[i * n]; };
//   for (...) at(i) = 0;                                     write a[i*n]
//
// What the names in its body stand for was decided when the lambda was made: Closures.cpp.
//
//===----------------------------------------------------------------------===//
#include "TriedLoop.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {

static bool isCallOperator(const clang::FunctionDecl *callee) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  return method && method->getParent()->isLambda() && method->getOverloadedOperator() == clang::OO_Call;
}

bool keepsState(const clang::CXXRecordDecl *lambda) {
  const clang::CXXMethodDecl *call = lambda->getLambdaCallOperator();
  return call && !call->isConst() && !call->isStatic() &&
         llvm::any_of(lambda->captures(), [](const clang::LambdaCapture &capture) {
           return capture.capturesVariable() && capture.getCaptureKind() == clang::LCK_ByCopy;
         });
}

bool mustWalkInPlace(const clang::FunctionDecl *callee) {
  if (isOfModelledLibrary(callee)) return false;
  const clang::FunctionDecl *definition = bodyThatRuns(callee);
  if (!definition) return false;
  if (callee->getASTContext().getSourceManager().isInSystemHeader(definition->getLocation())) return false;
  if (isCallOperator(definition)) return true;
  return llvm::any_of(definition->parameters(), [](const clang::ParmVarDecl *formal) {
    const clang::CXXRecordDecl *record = callableClassOf(formal->getType());
    return record && record->isLambda();
  });
}

/// What a call runs, if it can be walked where it is called. Deep chains of such calls are not followed.
const clang::FunctionDecl *Walker::walkableCallee(const clang::CallExpr *expr) const {
  const clang::FunctionDecl *callee = calleeOf(expr), *definition = bodyThatRuns(callee);
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  if (!definition || definition->isVariadic() || (method && method->isVirtual())) return nullptr;
  if (isOfModelledLibrary(callee) || context.getSourceManager().isInSystemHeader(definition->getLocation()))
    return nullptr;
  if (inlining.size() > 4 || inlining.count(callee->getCanonicalDecl()) ||
      callee->getCanonicalDecl() == function->getCanonicalDecl())
    return nullptr;
  return argumentsOf(expr).size() == definition->getNumParams() ? definition : nullptr;
}

/// `p[i]`, `v[i].part`, `&p[i]`, `p + i`, and what a reference or pointer to such was made from.
static bool isElement(const clang::Expr *expr, unsigned depth = 0) {
  expr = expr->IgnoreParenImpCasts();
  if (depth > 4) return false;
  auto of = [&](const clang::Expr *part) { return isElement(part, depth + 1); };
  if (llvm::isa<clang::ArraySubscriptExpr>(expr)) return true;
  if (const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr))
    return (op->getOperator() == clang::OO_Subscript || op->getOperator() == clang::OO_Star) && op->getNumArgs() > 0 &&
           handleOf(op->getArg(0)->getType().getNonReferenceType()) != Handle::None;
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return op->isAdditiveOp() && op->getType()->isPointerType();
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (op->getOpcode() == clang::UO_AddrOf) return of(op->getSubExpr());
    if (op->getOpcode() != clang::UO_Deref) return false;
    const clang::VarDecl *iterator = variableOf(op->getSubExpr()->IgnoreParenImpCasts());
    return (iterator && iterator->isImplicit()) || of(op->getSubExpr()); // `for (auto &p : array)`
  }
  if (const auto *field = llvm::dyn_cast<clang::MemberExpr>(expr)) return !field->isArrow() && of(field->getBase());
  if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) // for a parameter by value
    return copy->getNumArgs() == 1 && copy->getConstructor()->isTrivial() && of(copy->getArg(0));
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  const auto *variable = ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  bool isName = variable && (variable->getType()->isReferenceType() || variable->getType()->isPointerType()) &&
                !llvm::isa<clang::ParmVarDecl>(variable);
  return isName && variable->isLocalVarDecl() && variable->getInit() && of(variable->getInit());
}

/// A pointer that is an element of a table, or a field of one: `a[i]` of `double **a`, `p[i].coord`.
static bool isRow(const clang::Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (!expr->getType()->isPointerType() || classOf(expr->getType()->getPointeeType()) == TypeClass::Record)
    return false;
  if (const auto *field = llvm::dyn_cast<clang::MemberExpr>(expr))
    return !field->isArrow() && isElement(field->getBase());
  return llvm::isa<clang::ArraySubscriptExpr>(expr);
}

/// A body that costs little to walk once more at each call: few statements, two loops deep at most, which nothing
/// leaves early, and no calls of functions with loops.
static bool isSmall(const clang::Stmt *stmt) {
  constexpr unsigned mostStatements = 150;
  unsigned count = 0;
  std::function<bool(const clang::Stmt *, unsigned)> look = [&](const clang::Stmt *at, unsigned depth) {
    if (!at) return true;
    if (++count > mostStatements) return false;
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(at) && ++depth > 2)
      return false;
    if (llvm::isa<clang::GotoStmt, clang::OMPExecutableDirective>(at) ||
        (depth > 0 && llvm::isa<clang::ReturnStmt>(at)))
      return false;
    const auto *call = llvm::dyn_cast<clang::CallExpr>(at);
    const clang::FunctionDecl *callee = call ? calleeOf(call) : nullptr, *definition = bodyThatRuns(callee);
    if (call && (!callee || (definition && holdsLoop(definition->getBody())))) return false;
    return llvm::all_of(partsOf(at), [&](const clang::Stmt *part) { return look(part, depth); });
  };
  return look(stmt, 0);
}

/// A function that is given one element of an array of structs, as its object or for a parameter that is one struct, or
/// a row of a table, is walked where it is called: its own skeleton speaks of the fields of a struct that has a name,
/// and of an array that begins where the row does. One with loops keeps to that unless it is small.
bool Walker::takesElement(const clang::CallExpr *expr) const {
  const clang::FunctionDecl *definition = walkableCallee(expr);
  bool isLooping = definition && holdsLoop(definition->getBody());
  if (!definition || (isLooping && !isSmall(definition->getBody()))) return false;
  auto isStruct = [&](clang::QualType type) {
    return classOf(type) == TypeClass::Record && !type->isUnionType() && handleOf(type) == Handle::None &&
           !callableClassOf(type) && !isStdComplex(type);
  };
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
      method && method->isInstance() && !isCallOperator(method))
    if (const clang::Expr *object = objectOf(expr);
        object && isStruct(context.getRecordType(method->getParent())) && isElement(object))
      return true;
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  for (unsigned k = 0; k < arguments.size(); ++k) {
    const clang::ParmVarDecl *formal = definition->getParamDecl(k);
    clang::QualType type = formal->getType();
    bool isOne = type->isReferenceType()
                     ? isStruct(type->getPointeeType())
                     : type->isPointerType() && isStruct(type->getPointeeType()) && unit.arrayUses.isOneStruct(formal);
    isOne |= isLooping && isStruct(type);
    if (isOne && isElement(arguments[k])) return true;
    if (isLooping && type->isPointerType() && isRow(arguments[k])) return true;
  }
  return false;
}

/// A function that is given a pointer or container of ours to change (`swap(&a, &b)`) is walked where it is called: its
/// own skeleton could not say what they are afterwards.
bool Walker::passesPointerVariable(const clang::CallExpr *expr) const {
  const clang::FunctionDecl *definition = walkableCallee(expr);
  if (!definition) return false;
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  for (unsigned k = 0; k < arguments.size(); ++k) {
    clang::QualType formal = definition->getParamDecl(k)->getType();
    const clang::Expr *plain = arguments[k]->IgnoreParenCasts();
    if (formal->isReferenceType()) {
      clang::QualType referred = formal->getPointeeType();
      if (referred->isPointerType() && !referred.isConstQualified() && plain->isLValue()) return true;
      continue;
    }
    const auto *address = llvm::dyn_cast<clang::UnaryOperator>(plain);
    if (address && address->getOpcode() == clang::UO_AddrOf && isTrackedType(address->getSubExpr()->getType()) &&
        classOf(address->getSubExpr()->getType()) == TypeClass::Pointer)
      return true;
    if (const clang::VarDecl *variable = variableOf(plain); variable && formal->isPointerType()) {
      auto named = st.names.find(llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl()));
      auto known = named != st.names.end() ? st.env.pointers.find(named->second) : st.env.pointers.end();
      if (known != st.env.pointers.end() && !known->second.variable.empty()) return true;
    }
  }
  return false;
}

/// Has it fields that are lambdas, or references to numbers or pointers, which its methods may set?
static bool holdsReferences(const clang::CXXRecordDecl *record) {
  if (!record->getDefinition()) return false;
  auto isIt = [](const clang::FieldDecl *field) {
    clang::QualType type = field->getType();
    if (const clang::CXXRecordDecl *callable = callableClassOf(type); callable && callable->isLambda()) return true;
    if (!type->isReferenceType() || type->getPointeeType().isConstQualified() || handleOf(type) != Handle::None)
      return false;
    TypeClass kind = classOf(type->getPointeeType());
    return kind == TypeClass::Integer || kind == TypeClass::Pointer || kind == TypeClass::Data;
  };
  return llvm::any_of(record->getDefinition()->fields(), isIt) ||
         llvm::any_of(record->getDefinition()->bases(), [](const clang::CXXBaseSpecifier &base) {
           const auto *of = base.getType()->getAsCXXRecordDecl();
           return of && holdsReferences(of);
         });
}

/// A method of such a class: what its fields are bound to is known where it is called.
bool Walker::isOfBinder(const clang::CallExpr *expr) const {
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(walkableCallee(expr));
  return method && method->isInstance() && !method->getParent()->isLambda() && holdsReferences(method->getParent());
}

/// A function that is given containers of containers, or a method of a class that has some: how long their rows are is
/// known where it is called.
bool Walker::takesTable(const clang::CallExpr *expr) const {
  const clang::FunctionDecl *definition = walkableCallee(expr);
  if (!definition) return false;
  auto isTable = [](const clang::ValueDecl *decl) {
    return isTableOfContainers(decl->getType().getNonReferenceType());
  };
  if (llvm::any_of(definition->parameters(), [&](const clang::ParmVarDecl *formal) {
        return formal->getType()->isReferenceType() && isTable(formal);
      }))
    return true;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  return method && method->isInstance() && !method->getParent()->isLambda() &&
         llvm::any_of(method->getParent()->fields(), isTable);
}

/// `int at(int i, int n) { assert(i < n); return 2 * i; }`: checks, and then nothing but an integer. It is one where it
/// is called.
static bool checksAndReturns(const clang::FunctionDecl *definition) {
  return definition && classOf(definition->getReturnType()) == TypeClass::Integer &&
         !definition->getReturnType()->isReferenceType() && resultBehindChecks(definition);
}

/// Is the body of what is called walked where the call stands?
bool Walker::walksInPlace(const clang::CallExpr *expr) const {
  const clang::FunctionDecl *callee = calleeOf(expr);
  return callee && (mustWalkInPlace(callee) || checksAndReturns(walkableCallee(expr)) || passesPointerVariable(expr) ||
                    takesElement(expr) || isOfBinder(expr) || takesTable(expr) || makesResult(expr) ||
                    makesObject(expr) || takesFunction(expr) || heldFunction(expr));
}

std::vector<const clang::CXXMethodDecl *> callOperatorsOf(const clang::CXXRecordDecl *record) {
  std::vector<const clang::CXXMethodDecl *> found;
  auto consider = [&](const clang::FunctionDecl *function) {
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
    const clang::FunctionDecl *body = bodyThatRuns(method);
    if (body && !method->isDependentContext()) found.push_back(llvm::cast<clang::CXXMethodDecl>(body));
  };
  clang::DeclarationName call = record->getASTContext().DeclarationNames.getCXXOperatorName(clang::OO_Call);
  for (const clang::NamedDecl *one : record->lookup(call)) {
    if (const auto *shared = llvm::dyn_cast<clang::FunctionTemplateDecl>(one))
      for (const clang::FunctionDecl *instance : shared->specializations()) consider(instance);
    else consider(llvm::dyn_cast<clang::FunctionDecl>(one));
  }
  return found;
}

const clang::CXXMethodDecl *callOperatorOf(const clang::CXXRecordDecl *record, size_t arguments) {
  std::vector<const clang::CXXMethodDecl *> all = callOperatorsOf(record);
  llvm::erase_if(all, [&](const clang::CXXMethodDecl *one) { return one->getNumParams() != arguments; });
  return all.size() == 1 ? all.front() : nullptr;
}

/// The lambda or object that the expression gives; nothing if its body cannot be walked.
std::optional<Callable> Walker::callableOf(const clang::Expr *expr, size_t arguments) {
  const clang::CXXRecordDecl *record = callableClassOf(expr->getType());
  if (!record) return std::nullopt;
  const clang::Expr *bound = boundPlace(withoutWrappers(expr));
  Callable found;
  found.method = callOperatorOf(record, arguments);
  if (!found.method) return std::nullopt;
  if (record->isLambda()) {
    if (keepsState(record)) return std::nullopt;
    found.self = closureAt(expr);
    return isClosureKnown(record, found.self) ? std::optional(found) : std::nullopt;
  }
  // One object serves all iterations: made here, or copied here, it would be another in each.
  bool isMade = !expr->IgnoreParens()->isGLValue();
  bool keeps =
      (!found.method->isConst() && !found.method->isStatic() && !record->isEmpty()) || record->hasMutableFields();
  if (isMade && (keeps || copyingMatters(expr->getType(), true))) return std::nullopt;
  found.self = bound ? lvalue(bound).at : materialize(withoutWrappers(expr)).at;
  return found;
}

/// Gives a formal what it is called with.
void Walker::bindFormal(const clang::ParmVarDecl *formal, const Actual &actual, Location location) {
  const auto *key = llvm::cast<clang::ValueDecl>(formal->getCanonicalDecl());
  clang::QualType type = formal->getType();
  st.references.erase(key);
  st.functions.erase(formal->getCanonicalDecl());
  if (actual.held) {
    st.functions[llvm::cast<clang::VarDecl>(formal->getCanonicalDecl())] = *actual.held;
    return;
  }
  bool isCallable = callableClassOf(type) != nullptr;
  // An element that an algorithm passes to a formal of another type: the formal is a converted copy, or refers to one.
  auto plainType = [](clang::QualType of) { return of.getNonReferenceType().getCanonicalType().getUnqualifiedType(); };
  bool isConverted = actual.place && !actual.place->type.isNull() && plainType(type)->isArithmeticType() &&
                     plainType(actual.place->type) != plainType(type);
  const auto *callee = llvm::dyn_cast<clang::FunctionDecl>(formal->getDeclContext());
  // A copy that nobody changes, in a body that changes nothing else before it is read, is what it was copied from.
  const clang::Expr *result = callee ? singleReturn(callee) : nullptr;
  bool isKept = result && isOnlyRead(formal, result) && !result->HasSideEffects(context);
  bool isAsGood = classOf(type) == TypeClass::Record && !endMatters(type) && (isCallable || isKept);
  if (actual.place && !isConverted && (type->isReferenceType() || isAsGood || actual.isMade)) {
    st.references[key] = *actual.place;
    return;
  }
  if (actual.place && classOf(type) == TypeClass::Record) {
    Place own = placeOfVariable(key, formal->getLocation());
    object(own.at.object).array.perIteration = isInLoop();
    bringToLife(type, location);
    if (!actual.text) layToRest(type, location);
    else if (endMatters(type)) st.temporaries.push_back({own, actual.text});
    if (isNamedRecord(own) && isNamedRecord(*actual.place)) return copyRecord(own, *actual.place, false, location);
    if (isNamedRecord(own)) return takeElement(own, *actual.place, location);
    read(*actual.place, location);
    write(own, location);
    return;
  }
  TypeClass kind = classOf(type);
  if (kind == TypeClass::Integer || (kind == TypeClass::Pointer && (!type->isReferenceType() || actual.handle))) {
    std::string name = nameOf(key);
    Place place = placeOfVariable(key, formal->getLocation());
    if (kind == TypeClass::Integer) {
      std::optional<Value> value = actual.value;
      if (!value && actual.place && !actual.place->variable.empty()) value = loadInteger(*actual.place, location);
      else if (!value && actual.place) {
        read(*actual.place, location);
        value = Value{freshSymbol(name, name, location, true)};
      }
      if (value && isConverted) value = convert(*value, actual.place->type, type, actual.text);
      storeInteger(place, value ? *value : Value{freshSymbol(name, name, location, true)});
    } else if (actual.handle) assignHandle(place, *actual.handle, location);
    else st.env.pointers[name] = unknownPointer(name, pointeeOf(type), location);
    return;
  }
  if (actual.place && !actual.place->at.object.empty()) read(*actual.place, location);
  st.references[key] = Place{{}, type.getNonReferenceType()}; // held in a register: no object, no access
}

Actual Walker::actualOf(const clang::Expr *argument, const clang::ParmVarDecl *formal) {
  Actual actual;
  actual.text = argument;
  clang::QualType type = formal->getType();
  if (holdArgument(argument, formal, actual)) return actual;
  const clang::Expr *bound = boundPlace(argument);
  if (const clang::CXXRecordDecl *callable = callableClassOf(type)) {
    if (callable->isLambda()) {
      if (std::optional<Pointer> at = closureAt(argument)) actual.place = Place{*at, type.getNonReferenceType()};
      return actual;
    }
    if (bound) actual.place = lvalue(bound);
    else if (type->isReferenceType() || !copyingMatters(type, true)) actual.place = materialize(argument);
    else rvalue(argument, true);
    return actual;
  }
  const clang::Expr *copied = nullptr; // the formal is a copy of it
  if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(argument->IgnoreImplicit());
      copy && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyConstructor() &&
      copy->getConstructor()->isTrivial() && classOf(type) == TypeClass::Record)
    copied = boundPlace(copy->getArg(0));
  if (handleOf(type) != Handle::None && !(type->isReferenceType() && bound)) actual.handle = handle(argument);
  else if (type->isReferenceType() && bound) actual.place = lvalue(bound);
  else if (classOf(type) == TypeClass::Integer) actual.value = integer(argument);
  else if (classOf(type) == TypeClass::Pointer) actual.handle = HandleValue{pointer(argument), {}};
  else if (classOf(type) == TypeClass::Record && bound) actual.place = lvalue(bound);
  else if (copied) actual.place = lvalue(copied);
  else if (classOf(type) == TypeClass::Record && !type->isReferenceType() && !type->isUnionType() &&
           !isStdComplex(type)) {
    actual.place = materialize(argument);
    actual.isMade = true;
  } else rvalue(argument, true);
  return actual;
}

const clang::VarDecl *returnedVariable(const clang::FunctionDecl *definition) {
  const clang::VarDecl *only = nullptr;
  bool isOne = true;
  std::function<void(const clang::Stmt *)> look = [&](const clang::Stmt *at) {
    if (!at || llvm::isa<clang::LambdaExpr>(at)) return;
    if (const auto *leaves = llvm::dyn_cast<clang::ReturnStmt>(at); leaves && leaves->getRetValue()) {
      const clang::Expr *value = withoutWrappers(leaves->getRetValue());
      if (value->isNullPointerConstant(definition->getASTContext(), clang::Expr::NPC_ValueDependentIsNotNull)) return;
      const clang::VarDecl *variable = variableOf(value->IgnoreParenCasts());
      isOne &= variable && variable->isLocalVarDecl() && !variable->isStaticLocal() && (!only || only == variable);
      only = variable;
    }
    for (const clang::Stmt *part : partsOf(at)) look(part);
  };
  look(definition->getBody());
  return isOne ? only : nullptr;
}

/// Walks the body of a function here, its parameters bound to these. The flow never leaves with a `return`.
Flow Walker::walkInPlace(const clang::FunctionDecl *callee, llvm::ArrayRef<Actual> actuals, std::optional<Pointer> self,
                         Location location, std::optional<Value> *result, Result *made) {
  const clang::FunctionDecl *definition = bodyThatRuns(callee);
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  bool isEndless = inlining.count(callee->getCanonicalDecl()) || inlining.size() > 16;
  if (!definition || isEndless || definition->getNumParams() > actuals.size()) {
    find(Rule::Recursion, location, "a function that calls itself is not followed; it stays on the host");
    Handover given;
    if (method && method->getParent()->isLambda()) letGo(method->getParent(), self, given, location);
    for (const Actual &actual : actuals) {
      if (actual.place) reachVariable(*actual.place, false, given, location);
      if (!actual.handle) continue;
      given.reachable.push_back({actual.handle->at});
      if (const std::string &variable = actual.handle->at.variable; !variable.empty()) {
        if (auto known = st.env.pointers.find(variable); known != st.env.pointers.end())
          given.reachable.push_back({known->second});
        given.changed.push_back(variable);
      }
    }
    if (self && !(method && method->getParent()->isLambda())) given.reachable.push_back({*self});
    touchReachable(given.reachable, HostReason::Recursion, callee->getNameAsString(), location, true);
    for (const std::string &variable : given.changed) clobber(variable, location);
    return Flow();
  }
  believe(callee);
  inlining.insert(callee->getCanonicalDecl());
  bool isLambda = method && method->getParent()->isLambda();
  Outside outside = enterLambda(isLambda ? self : std::nullopt);
  if (isLambda) self = std::nullopt;
  for (unsigned k = 0; k < definition->getNumParams(); ++k)
    bindFormal(definition->getParamDecl(k), actuals[k], location);
  std::optional<Pointer> before;
  if (auto known = st.env.pointers.find("this"); known != st.env.pointers.end()) before = known->second;
  if (self) st.env.pointers["this"] = *self;
  InPlace *around = inPlace;
  InPlace here;
  here.firstFrame = st.frames.size();
  here.firstScope = st.scopes.size();
  here.data = result != nullptr;
  here.activation = ++activations;
  if (const clang::VarDecl *returned = made && !made->name.empty() ? returnedVariable(definition) : nullptr) {
    here.result = nameOf(returned);
    here.resultName =
        around && !around->resultName.empty() && made->name == around->result ? around->resultName : made->name;
  }
  inPlace = &here;
  if (made && made->place) {
    here.returned = returnedVariable(definition);
    here.object = *made->place;
  }
  clang::SourceRange range = definition->getSourceRange(); // its variable arrays are of other sizes in each call
  std::erase_if(st.vlaSizes, [&](const auto &size) { return range.fullyContains(size.first->getSourceRange()); });
  noteGotos(definition->getBody());
  std::vector<Living> temporaries = std::exchange(st.temporaries, {}); // they outlive the call
  std::set<const clang::Expr *> accounted = std::exchange(st.accounted, {});
  const unsigned mark = st.counter;
  TriedLoop *tried = triedAround ? &triedAround->meet({definition, location}) : nullptr;
  if (tried) tried->beginWalk();
  llvm::SaveAndRestore in(triedAround, tried);
  Flow flow = execute(definition->getBody());
  st.temporaries = std::move(temporaries);
  st.accounted = std::move(accounted);
  inPlace = around;
  if (!flow.always) here.ends.push_back(st.env);
  bool comesBack = !here.ends.empty();
  exportEnds(here.ends, mark, location);
  if (here.ends.size() > 1) mergeAll(std::move(here.ends), location);
  else if (comesBack) st.env = std::move(here.ends.front());
  if (before) st.env.pointers["this"] = *before;
  else if (self) st.env.pointers.erase("this");
  leaveLambda(outside);
  inlining.erase(callee->getCanonicalDecl());
  if (result && here.returns == 1) *result = here.value;
  if (made && here.handles.size() == here.returns) made->value = returnedByAll(here.handles, callee, location);
  flow.may &= ~unsigned(Returns);
  flow.always = !comesBack;
  return flow;
}

/// What a function gives whose returns give these; null pointers aside.
HandleValue Walker::returnedByAll(llvm::ArrayRef<HandleValue> handles, const clang::FunctionDecl *callee,
                                  Location location) {
  std::vector<HandleValue> made;
  for (const HandleValue &one : handles)
    if (!one.at.null) made.push_back(one);
  bool isOne = !made.empty() && llvm::all_of(made, [&](const HandleValue &one) {
    return one.at == made.front().at && one.size == made.front().size;
  });
  if (isOne && (made.size() == handles.size() || !made.front().size)) return made.front();
  if (made.empty() && !handles.empty()) return handles.front();
  std::vector<std::string> targets;
  for (const HandleValue &one : made) targets.push_back(one.at.object);
  if (llvm::is_contained(targets, "")) targets.clear();
  return {unknownPointer(callee->getNameAsString(), pointeeOf(callee->getReturnType()), location, targets), {}};
}

std::optional<Value> Walker::callInPlace(const clang::CallExpr *expr, bool data, Result *made) {
  const clang::FunctionDecl *callee = calleeOf(expr), *definition = bodyThatRuns(callee);
  if (!definition) definition = callee;
  Location location = locate(expr);
  std::optional<Pointer> self;
  if (const std::optional<Callable> held = heldFunction(expr)) {
    callee = definition = held->method;
    self = held->self;
  } else if (isCallOperator(callee)) {
    const clang::CXXRecordDecl *lambda = llvm::cast<clang::CXXMethodDecl>(callee)->getParent();
    const clang::Expr *object = objectOf(expr)           ? objectOf(expr)
                                : expr->getNumArgs() > 0 ? expr->getArg(0)
                                                         : nullptr; // static: no object
    self = object ? closureAt(object) : std::nullopt;
    bool isKnown = isClosureKnown(lambda, self);
    if (!isKnown || keepsState(lambda)) {
      find(Rule::OpaqueCall, location,
           isKnown ? "a lambda that changes what it holds by value is not followed; the call stays on the host"
                   : "what the lambda holds that is called here is not known; the call stays on the host");
      std::vector<const clang::Expr *> arguments = argumentsOf(expr);
      arguments.push_back(object);
      return opaqueCall(expr, arguments, callee, "lambda", HostReason::OpaqueCall, true);
    }
  } else if (const clang::Expr *object = objectOf(expr))
    self = isPointerLike(object->getType()) ? pointer(object) : lvalue(object).at;
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  std::vector<Actual> actuals;
  for (unsigned k = 0; k < arguments.size() && k < definition->getNumParams(); ++k)
    actuals.push_back(actualOf(arguments[k], definition->getParamDecl(k)));
  std::optional<Value> result;
  const bool isAsked = !unusedValues.count(expr);
  walkInPlace(callee, actuals, self, location, isAsked ? &result : nullptr, made);
  if (!isAsked) return std::nullopt;
  if (result || classOf(expr->getType()) != TypeClass::Integer) return result;
  return unknownResult(expr, true);
}

/// The element that a call in place gives a reference to.
std::optional<Place> Walker::placeInPlace(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee || !isCallOperator(callee) || keepsState(llvm::cast<clang::CXXMethodDecl>(callee)->getParent()) ||
      !singleReturn(callee) || inlining.count(callee->getCanonicalDecl()))
    return std::nullopt;
  const clang::FunctionDecl *definition = bodyThatRuns(callee);
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  if (arguments.size() != definition->getNumParams()) return std::nullopt;
  const clang::Expr *object = objectOf(expr);
  std::optional<Pointer> closure = object ? closureAt(object) : std::nullopt;
  if (!isClosureKnown(llvm::cast<clang::CXXMethodDecl>(callee)->getParent(), closure)) return std::nullopt;
  std::vector<Actual> actuals;
  for (unsigned k = 0; k < arguments.size(); ++k)
    actuals.push_back(actualOf(arguments[k], definition->getParamDecl(k)));
  Outside outside = enterLambda(closure);
  for (unsigned k = 0; k < arguments.size(); ++k) bindFormal(definition->getParamDecl(k), actuals[k], locate(expr));
  inlining.insert(callee->getCanonicalDecl());
  Place place = lvalue(singleReturn(callee));
  for (const clang::Expr *one : temporariesLeft(singleReturn(callee)))
    st.temporaries.push_back({Place{{}, one->getType()}, one});
  inlining.erase(callee->getCanonicalDecl());
  leaveLambda(outside);
  return place;
}

} // namespace busfare::frontend
