//===- clang-plugin/walk/Calls.cpp - Calls of functions ------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function of this unit becomes a Call of its own skeleton; one that is a
// single return is followed in place (`idx(i, j, n)`, `g.at(i, j)`). Integer
// globals and fields behind pointers that the callee uses are passed as extra
// arguments. A function nobody has seen may touch whatever it can reach.
//
//===----------------------------------------------------------------------===//
#include "HostOnly.h"
#include "MadeBefore.h"
#include "Walk.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend {

Value Walker::unknownResult(const clang::Expr *expr, bool memory) {
  std::optional<Symbolic> least;
  if (expr->getType()->isUnsignedIntegerOrEnumerationType()) least = Symbolic(0);
  return Value{freshSymbol(nameHint, textOf(expr), locate(expr), memory, false, least)};
}

/// What a call through a pointer, a table of methods or a std::function is said to be of.
static std::string nameOfTarget(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = calleeOf(call);
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  return method && method->getParent()->isLambda() ? "a lambda" : callee->getQualifiedNameAsString();
}

/// Any of the calls may be what runs.
void Walker::runOneOf(const clang::CallExpr *expr, llvm::ArrayRef<const clang::CallExpr *> calls,
                      llvm::function_ref<void(const clang::CallExpr *)> run) {
  const bool isMethod = llvm::isa<clang::CXXMemberCallExpr>(expr), isHeld = llvm::isa<clang::CXXOperatorCallExpr>(expr);
  std::vector<std::string> names;
  for (const clang::CallExpr *one : calls) names.push_back(nameOfTarget(one));
  const std::string which =
      calls.size() == 1 ? "this call is always one of " + names.front() + ", the only function that it can be of"
                        : "this call is of one of " + llvm::join(names, ", ");
  find(isMethod ? Rule::VirtualCall : Rule::FunctionPointer, locate(expr),
       which + "; the call itself stays on the host");
  host(HostReason::Unsupported,
       isMethod ? "a virtual call"
       : isHeld ? "a call of a std::function"
                : "a call through a pointer",
       {}, locate(expr));
  auto from = [&](auto &self, llvm::ArrayRef<const clang::CallExpr *> rest) -> Flow {
    nameHint.clear();
    if (rest.size() == 1) {
      run(rest.front());
      return Flow();
    }
    Condition any;
    any.probability = 1.0 / double(rest.size());
    return branch(
        any, locate(expr), [&] { return run(rest.front()), Flow(); }, [&] { return self(self, rest.drop_front()); });
  };
  from(from, calls);
}

/// The pointer that one of them returns: any of theirs.
Pointer Walker::pointerOfOne(const clang::CallExpr *expr, llvm::ArrayRef<const clang::CallExpr *> calls) {
  const std::string hint = nameHint;
  const unsigned mark = st.counter;
  std::vector<Pointer> results;
  runOneOf(expr, calls, [&](const clang::CallExpr *one) {
    Pointer result = pointer(one);
    for (auto &index : result.index) // of what only this call has named
      if (calls.size() > 1 && index && !isMadeBefore(st, *index, mark)) index = std::nullopt;
    if (!result.null) results.push_back(std::move(result));
  });
  if (results.empty()) {
    Pointer nowhere;
    nowhere.null = true;
    return nowhere;
  }
  if (llvm::all_of(results, [&](const Pointer &one) { return one == results.front(); })) return results.front();
  std::vector<std::string> targets;
  for (const Pointer &one : results) {
    if (!one.variable.empty()) st.addressTaken.insert(one.variable);
    if (!one.object.empty()) targets.push_back(one.object);
  }
  return unknownPointer(hint.empty() ? textOf(expr) : hint, pointeeOf(expr->getType()), locate(expr), targets,
                        targets.size() < results.size());
}

std::optional<Value> Walker::callOneOf(const clang::CallExpr *expr, llvm::ArrayRef<const clang::CallExpr *> calls,
                                       bool data) {
  runOneOf(expr, calls, [&](const clang::CallExpr *one) { call(one, data); });
  if (classOf(expr->getType()) != TypeClass::Integer || expr->getType()->isVoidType()) return std::nullopt;
  return unknownResult(expr, true);
}

std::optional<Value> Walker::call(const clang::CallExpr *expr, bool data) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  std::string name = callee ? callee->getNameAsString() : "";
  if (callee && callee->isConsteval()) return std::nullopt;
  if (auto several = unit.targetCalls.several.find(expr); several != unit.targetCalls.several.end())
    return callOneOf(expr, several->second, data);
  if (unit.targetCalls.direct.count(expr) &&
      unit.summaryOf(
          callee)) { // the callee's loops are kernels; a device has no pointer to call, and no table of methods
    const bool isMethod = llvm::isa<clang::CXXMemberCallExpr>(expr);
    find(isMethod ? Rule::VirtualCall : Rule::FunctionPointer, locate(expr),
         "this call is always one of " + callee->getQualifiedNameAsString() +
             ", the only function that it can be of; the call itself stays on the host");
    host(HostReason::Unsupported, isMethod ? "a virtual call" : "a call through a pointer", {}, locate(expr));
  }
  if (auto done = handleOperation(expr, data)) return *done;
  if (const clang::Expr *source = copiedRecord(expr)) {
    if (!tryRecordUpdate(expr, expr->getArg(0), source))
      assignRecord(lvalue(objectOf(expr)), source, locate(expr->getArg(0)));
    return std::nullopt;
  }
  if (isPointerLike(expr->getType()) && handleFrom(expr)) return std::nullopt;
  if (auto element = elementOf(expr)) {
    read(*element, locate(expr));
    return std::nullopt;
  }
  if (callee)
    if (auto done = streamCall(expr, callee)) return *done;
  if (callee && !name.empty())
    if (auto known = libraryCall(expr, name, data)) return *known;
  if (auto done = messageCall(expr)) return *done;
  if (auto done = blasCall(expr)) return *done;
  if (auto done = loopingCall(expr, data)) return *done;
  if (callee && walksInPlace(expr)) return callInPlace(expr, data);
  // In place.
  std::optional<Pointer> self;
  if (auto known = st.env.pointers.find("this"); known != st.env.pointers.end()) self = known->second;
  if (callee && bindInlined(expr)) {
    inlining.insert(callee->getCanonicalDecl());
    const clang::Expr *result = singleReturn(callee);
    std::optional<Value> value;
    if (isPointerLike(result->getType())) pointer(result);
    else if (callee->getReturnType()->isReferenceType()) value = load(result, data);
    else value = rvalue(result, data);
    if (!callee->getReturnType()->isReferenceType()) keepMade(result);
    inlining.erase(callee->getCanonicalDecl());
    if (self) st.env.pointers["this"] = *self;
    return value;
  }
  if (callee)
    if (Summary *known = unit.summaryOf(callee)) {
      const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
      if (known->state == Summary::State::InProgress) {
        known->isRecursive = true;
        find(Rule::Recursion, locate(expr), "recursive call of " + name + "; it stays on the host");
        std::vector<const clang::Expr *> arguments = argumentsOf(expr);
        const Environment before = st.env;
        std::optional<Value> result = opaqueCall(expr, arguments, callee, name, HostReason::Recursion);
        if (leavesPointers(callee)) keepPointersOf(before);
        return result;
      }
      if (!method || !method->isVirtual() || llvm::isa<clang::CXXOperatorCallExpr>(expr) == false)
        if (!method || !method->isVirtual() || unit.targetCalls.direct.count(expr) ||
            unit.targetCalls.alternatives.count(expr))
          return callDefined(expr, callee, *known);
    }
  if (name.empty()) {
    name = textOf(expr->getCallee());
    rvalue(expr->getCallee(), true);
  }
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  if (const clang::Expr *object = objectOf(expr)) arguments.push_back(object);
  WhyOnHost why = whyUnfollowed(callee, name);
  bool isBuiltin =
      callee && context.getSourceManager().isInSystemHeader(callee->getLocation()) && callee->getBuiltinID();
  bool isSilent = isBuiltin || (callee && isSelfContained(callee));
  if (!isSilent || why.rule != Rule::OpaqueCall) find(why.rule, locate(expr), why.message);
  return opaqueCall(expr, arguments, callee, name, HostReason::OpaqueCall);
}

/// Actual for what the callee knows by (position, suffix): the caller's name of the field, and its place.
std::optional<Value> Walker::callDefined(const clang::CallExpr *expr, const clang::FunctionDecl *callee, Summary &known,
                                         const std::optional<Place> &result) {
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  std::optional<Pointer> self;
  if (const clang::Expr *object = objectOf(expr))
    self = isPointerLike(object->getType()) ? pointer(object) : lvalue(object).at;
  return callDefined(expr, callee, known, arguments, self, result);
}

/// The definitions in this block of what is loaded say which element it is.
void Walker::nameElements(const Symbolic &expr) {
  for (const std::string &symbol : expr.symbols()) {
    auto facts = st.symbols.find(symbol);
    if (facts == st.symbols.end() || facts->second.element.empty()) continue;
    for (Node &node : llvm::reverse(*out))
      if (auto *define = std::get_if<skeleton::Define>(&node.kind); define && define->symbol == symbol) {
        if (define->from && define->from->array == facts->second.from) define->from->element = facts->second.element;
        break;
      }
  }
}

/// An argument that points there; uses the object.
skeleton::ArrayArgument Walker::given(Pointer at) {
  normalize(at);
  Object &target = object(at.object);
  target.isUsed = target.isAccessed = true;
  skeleton::ArrayArgument array;
  array.array = at.object;
  Symbolic offset, stride(1);
  bool fine = !at.inside;
  for (size_t d = at.index.size(); d-- > 0 && fine;) {
    if (!at.index[d]) fine = false;
    else offset = offset + *at.index[d] * stride;
    if (d > 0) {
      if (!target.array.extents[d])
        fine = offset.isZero() && llvm::all_of(at.index, [](auto &i) { return i && i->isZero(); });
      else stride = stride * *target.array.extents[d];
    }
  }
  std::string reason;
  bool memory;
  if (target.array.rows != skeleton::Rows::None && !at.inside && !at.flat && at.index.size() > 1 &&
      llvm::all_of(at.index, [&](const auto &one) { return one && isKnownHere(*one, reason, memory); })) {
    for (size_t d = 0; d + 1 < at.index.size(); ++d) array.row.push_back(*at.index[d]);
    array.offset = *at.index.back();
  } else if (fine && !offset.isPoisoned()) {
    array.offset = offset; // perhaps of values that this iteration alone has: &u[at[k]]
    nameElements(offset);
  } else array.offset = std::nullopt;
  return array;
}

std::optional<Value> Walker::callDefined(const clang::Expr *expr, const clang::FunctionDecl *callee, Summary &known,
                                         llvm::ArrayRef<const clang::Expr *> arguments, std::optional<Pointer> self,
                                         const std::optional<Place> &result) {
  // Sizes that are read for the call are not what the result is stored in.
  std::string hint = std::exchange(nameHint, {});
  Location location = locate(expr);
  if (bodyThatRuns(callee)) believe(callee, &known);
  const clang::FunctionDecl *definition = callee->getDefinition() ? callee->getDefinition() : callee;
  const unsigned resultAt = definition->getNumParams(), positions = std::max<size_t>(arguments.size(), resultAt) + 1;
  std::vector<Pointer> pointers(positions);
  std::vector<HandleValue> handles(positions); // of arguments that are containers
  std::vector<Place> handlePlaces(positions);  // and what is passed by reference
  skeleton::Call made;
  made.callee = known.name;
  made.location = location;
  bool mismatch = false; // one struct here, an array of structs there
  std::set<std::string> written; // variables whose address is passed
  // f(&r[at[k]], &r[at[k]]): what is loaded twice is one number.
  const bool changesNothing = llvm::none_of(
      arguments, [&](const clang::Expr *argument) { return !argument || argument->HasSideEffects(context); });
  if (changesNothing) loadedByArguments.emplace(LoadedByArguments{out});
  else loadedByArguments.reset();
  for (unsigned k = 0; k < definition->getNumParams(); ++k) {
    clang::QualType formal = definition->getParamDecl(k)->getType();
    const clang::Expr *argument = k < arguments.size() ? arguments[k] : nullptr;
    TypeClass kind = classOf(formal);
    skeleton::ArrayArgument array;
    auto pass = [&](const Pointer &at) {
      pointers[k] = at;
      if (!at.variable.empty()) written.insert(at.variable);
      if (!at.object.empty()) {
        array = given(at);
        Object &target = object(at.object);
        if (k < known.writesFormal.size() && known.writesFormal[k]) target.isWritten = true;
        bool wantsArray = k < known.function.parameters.size() &&
                          known.function.parameters[k].kind == skeleton::Parameter::Kind::Array;
        mismatch |= wantsArray && !target.prefix.empty();
      }
    };
    // A number in a scalar of its own, which the callee has the copy or the temporary in.
    auto scalar = [&](clang::QualType type) {
      Place place;
      place.at.object = freshName(known.name + "." + definition->getParamDecl(k)->getNameAsString());
      place.type = type;
      rvalue(argument, true);
      declareObject(place.at.object, type, Storage::Local, location).array.perIteration = isInLoop();
      return place;
    };
    if (!argument) {
      if (kind == TypeClass::Integer) made.arguments.push_back(skeleton::ValueArgument());
      else made.arguments.push_back(array);
      continue;
    }
    if (handleOf(formal) != Handle::None) {
      const clang::Expr *bound = boundPlace(argument);
      if (formal->isReferenceType() && bound && handleOf(bound->getType()) != Handle::None) {
        handlePlaces[k] = lvalue(bound);
        handles[k] = readHandle(handlePlaces[k], location);
      } else {
        // A copy is made on the other side.
        const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(argument->IgnoreImplicit());
        bool isCopy = copy && !formal->isReferenceType() && copy->getConstructor()->isCopyConstructor();
        handles[k] = isCopy ? handle(copy->getArg(0)) : handle(argument);
      }
      pass(handles[k].at);
      made.arguments.push_back(array);
      continue;
    }
    if (formal->isReferenceType()) {
      const clang::Expr *bound = boundPlace(argument);
      const clang::Expr *temporary = argument->IgnoreImplicit();
      if (const clang::CXXRecordDecl *callable = callableClassOf(formal); callable && callable->isLambda())
        storeAway(callable, closureAt(argument), location);
      else if (bound) {
        Place place = handlePlaces[k] = lvalue(bound);
        const bool hasObject =
            place.at.object.empty() || st.objects.count(place.at.object); // a pointer variable has none
        pass(hasObject ? place.at : Pointer());
        if (!place.variable.empty() && !formal->getPointeeType().isConstQualified()) written.insert(place.variable);
      } else if (kind == TypeClass::Record && hasFieldNames(temporary->getType()) &&
                 !isStdComplex(temporary->getType()) && !callableClassOf(formal) && !endMatters(temporary->getType())) {
        handlePlaces[k] =
            materialize(temporary); // a struct that another call gives: the temporary has a name, as its fields do
        pass(handlePlaces[k].at);
      } else if (kind == TypeClass::Data) {
        const Place place = scalar(formal.getNonReferenceType().getUnqualifiedType());
        write(place, location);
        pass(place.at);
      } else if (kind == TypeClass::Integer) { // `f(const long &n)` given an int: a converted copy
        Place place;
        place.variable = place.at.object = freshName(known.name + "." + definition->getParamDecl(k)->getNameAsString());
        place.type = formal.getNonReferenceType().getUnqualifiedType();
        const Value value = integer(argument);
        declareObject(place.at.object, place.type, Storage::Local, location).array.perIteration = isInLoop();
        storeInteger(place, value);
        write(place, location);
        handlePlaces[k] = place;
        pass(place.at);
      } else rvalue(argument, true);
      if (kind == TypeClass::Record || kind == TypeClass::Other) made.arguments.push_back(skeleton::ValueArgument());
      else made.arguments.push_back(array);
      continue;
    }
    switch (kind) {
    case TypeClass::Integer: {
      std::optional<Value> computed = integerData(argument);
      Value value = computed ? *computed : unknownResult(argument, true);
      std::string reason;
      bool memory;
      skeleton::ValueArgument actual;
      if (!value.expr.isPoisoned()) actual.value = value.expr;
      (void)memory;
      made.arguments.push_back(actual);
      break;
    }
    case TypeClass::Pointer: {
      Pointer at = pointer(argument);
      pass(at);
      auto origin = st.fieldOrigins.find(at.object);
      bool isField = origin != st.fieldOrigins.end() && classOf(origin->second.type) == TypeClass::Integer;
      bool isWritten = k >= known.writesFormal.size() || known.writesFormal[k];
      if (!at.object.empty() && isWritten && (isField || st.env.integers.count(at.object))) written.insert(at.object);
      bool isRecord =
          classOf(pointeeOf(formal)) == TypeClass::Record && !at.object.empty() && !object(at.object).prefix.empty();
      if (isRecord) array = skeleton::ArrayArgument();
      made.arguments.push_back(array);
      break;
    }
    case TypeClass::Data: {
      const Place place = scalar(formal);
      object(place.at.object).array.isRestrict = !unit.addressed.isAddressed(definition->getParamDecl(k));
      write(place, location);
      array.array = place.at.object;
      made.arguments.push_back(array);
      break;
    }
    case TypeClass::Record:
      if (!formal->isUnionType() && !callableClassOf(formal)) { // by value: a struct of its own
        std::string name = freshName(known.name + "." + definition->getParamDecl(k)->getNameAsString());
        Object &copy = declareObject(name, formal, Storage::Local, location);
        if (hasFieldNames(formal)) copy.prefix = name + ".";
        copy.array.perIteration = isInLoop();
        Place place;
        place.at.object = name;
        place.at.index.assign(copy.array.extents.size(), Symbolic(0));
        place.type = formal.getUnqualifiedType();
        initialize(place, argument);
        keepMade(argument);
        if (endMatters(formal)) st.temporaries.push_back({place, argument}); // it goes at the end of the expression
        pointers[k] = place.at;
        made.arguments.push_back(skeleton::ValueArgument());
        break;
      }
      [[fallthrough]];
    default:
      if (const clang::CXXRecordDecl *callable = callableClassOf(formal); callable && callable->isLambda()) {
        storeAway(callable, closureAt(argument), location);
        made.arguments.push_back(skeleton::ValueArgument());
        break;
      }
      if (const clang::Expr *bound = boundPlace(argument)) {
        Place place = lvalue(bound);
        pointers[k] = place.at;
        if (kind == TypeClass::Record) read(place, location);
      } else rvalue(argument, true);
      made.arguments.push_back(skeleton::ValueArgument());
    }
  }
  loadedByArguments.reset();
  std::vector<Reach> reachable;
  for (const Pointer &one : pointers)
    if (!one.object.empty()) reachable.push_back({one, false});
  if (self) reachable.push_back({*self, false});
  // What comes back may lead into a struct that it was given.
  if (mayLeadToFields(callee->getReturnType()))
    for (const Reach &one : reachable)
      if (!one.pointer.object.empty() && !object(one.pointer.object).prefix.empty())
        st.escaped.insert(one.pointer.object);
  if (known.fillsResult) {
    pointers[resultAt] = (result ? *result : temporary(expr)).at;
    reachable.push_back({pointers[resultAt], false});
  }
  if (mismatch) {
    if (known.fillsResult) loseFields(object(pointers[resultAt].object).prefix, location);
    find(Rule::OpaqueCall, location,
         known.name + " takes as an array what is one struct here; the call stays on the host");
    touchReachable(reachable, HostReason::OpaqueCall, known.name, location, true);
    clobberSomewhere(location);
    if (classOf(expr->getType()) == TypeClass::Integer) return unknownResult(expr, true);
    return std::nullopt;
  }
  // The function's declared parameters decide what an argument is.
  for (unsigned k = 0; k < made.arguments.size() && k < known.function.parameters.size(); ++k) {
    bool wantsArray = known.function.parameters[k].kind == skeleton::Parameter::Kind::Array;
    bool isArray = std::holds_alternative<skeleton::ArrayArgument>(made.arguments[k]);
    if (wantsArray && !isArray) made.arguments[k] = skeleton::ArrayArgument{"", std::nullopt};
    if (!wantsArray && isArray) made.arguments[k] = skeleton::ValueArgument();
  }
  // A formula over the callee's integer parameters, in the caller's terms.
  auto instantiate = [&](const Symbolic &formula) -> std::optional<Symbolic> {
    skeleton::Substitution actuals;
    for (unsigned k = 0; k < known.function.parameters.size() && k < made.arguments.size(); ++k)
      if (const auto *value = std::get_if<skeleton::ValueArgument>(&made.arguments[k]); value && value->value)
        actuals.insert({known.function.parameters[k].name, *value->value});
    for (const std::string &symbol : formula.symbols())
      if (!actuals.count(symbol)) return std::nullopt;
    Symbolic result = formula.substitute(actuals);
    if (result.isPoisoned()) return std::nullopt;
    return result;
  };
  std::set<std::string> filled; // rows that the callee fills and uses
  std::function<std::optional<Place>(int, const std::string &)> nameOfExtra =
      [&](int position, const std::string &suffix) -> std::optional<Place> {
    Place place;
    if (size_t cut = suffix.rfind("[]"); cut != std::string::npos) {
      Place table = tableOfExtra(position, suffix.substr(0, cut), pointers, nameOfExtra, location);
      auto fills = known.filledRows.find({position, suffix});
      if (fills != known.filledRows.end() && !known.lostTables.count({position, suffix.substr(0, cut)})) {
        RowState state = fills->second;
        if (state.length) state.length = instantiate(*state.length);
        if (fillTable(table, suffix.substr(cut + 2), state)) filled.insert(table.at.object + suffix.substr(cut));
      }
      return rowsOfTable(table, suffix.substr(cut + 2), location);
    }
    if (position >= 0 && position < int(resultAt) && llvm::StringRef(suffix).starts_with("["))
      return elementGiven(pointers[position], handlePlaces[position], definition->getParamDecl(position)->getType(),
                          suffix, arguments[position]);
    if (position == -2) {
      if (auto global = placeOfGlobal(suffix, location)) return global;
      // Behind a global pointer to a struct.
      if (!st.fieldOrigins.count(suffix)) return std::nullopt;
      place.variable = suffix;
      return place;
    }
    if (position >= 0 && position < int(resultAt) &&
        handleOf(definition->getParamDecl(position)->getType()) != Handle::None) {
      if (handlePlaces[position].variable.empty()) return std::nullopt;
      return suffix == "size()" ? sizeOf(handlePlaces[position].variable) : handlePlaces[position];
    }
    Pointer base = position == -1                    ? self.value_or(Pointer())
                   : position < int(pointers.size()) ? pointers[position]
                                                     : Pointer();
    if (base.object.empty()) return std::nullopt;
    // Follow the path field by field.
    Place at;
    at.at = base;
    at.type = recordAt(definition, position);
    if (object(base.object).prefix.empty()) {
      std::optional<Place> element = recordGiven(base, at.type);
      if (!element) return std::nullopt;
      at = *element;
    }
    llvm::StringRef path(suffix);
    while (!path.empty()) {
      size_t end = path.find_first_of(".-");
      llvm::StringRef field = path.substr(0, end);
      path = end == llvm::StringRef::npos ? llvm::StringRef() : path.substr(end);
      bool arrow = path.consume_front("->");
      path.consume_front(".");
      if (field == "size()" && path.empty() && !at.variable.empty()) return sizeOf(at.variable);
      const auto *record = at.type->getAsRecordDecl();
      if (!record || !record->getDefinition()) return std::nullopt;
      const clang::FieldDecl *found = fieldNamed(record, field);
      if (!found) return std::nullopt;
      at = member(at, found);
      if (arrow && at.variable.empty()) return std::nullopt;
      if (arrow) {
        Pointer next = readPointer(at.variable, at.type, location);
        at.type = pointeeOf(at.type);
        at.at = next;
        at.variable.clear();
      }
    }
    return at;
  };
  auto textOfExtra = [&](const ExtraFormal &extra) {
    if (extra.position < 0 || extra.position >= int(arguments.size())) return "this->" + extra.suffix;
    const clang::Expr *argument = arguments[extra.position]->IgnoreParenImpCasts();
    const auto *address = llvm::dyn_cast<clang::UnaryOperator>(argument);
    if (extra.suffix == "[0]")
      return address && address->getOpcode() == clang::UO_AddrOf ? textOf(address->getSubExpr())
                                                                 : "*" + textOf(argument);
    if (extra.suffix.starts_with("[")) return textOf(argument) + extra.suffix;
    if (address && address->getOpcode() == clang::UO_AddrOf) return textOf(address->getSubExpr()) + "." + extra.suffix;
    return textOf(argument) + (argument->getType()->isPointerType() ? "->" : ".") + extra.suffix;
  };
  bool readsMemory = known.readsMemory;
  std::vector<std::pair<std::string, std::pair<int, std::string>>>
      counted; // memory that the callee allocates, and each that holds its size
  std::vector<std::pair<Place, std::pair<int, std::string>>>
      newlyFilled; // containers, by what the callee allocates for them; their sizes there
  auto mayReplace = [&](const std::pair<int, std::string> &key) { // what the pointer leads to, by memory that it makes
    return !known.lostPointers.count(key) && !known.exitPointers.count(key) && !known.sharedPointers.count(key) &&
           !known.rotated.count(key);
  };
  std::map<std::string, std::pair<std::string, size_t>>
      replaced; // memory -> the pointer that may lead to new one of that name, and its argument
  for (const ExtraFormal &extra : known.extras) {
    std::optional<Place> actual = nameOfExtra(extra.position, extra.suffix);
    if (extra.parameter.kind == skeleton::Parameter::Kind::Value) {
      skeleton::ValueArgument value;
      if (actual && !actual->variable.empty()) {
        if (actual->type.isNull()) actual->type = extra.type;
        value.value = shareInteger(*actual, location).expr;
      } else if (actual && classOf(actual->type) == TypeClass::Integer && !actual->at.object.empty()) {
        read(*actual, location);
        value.value = elementValue(*actual, textOfExtra(extra), location).expr;
      } else if (extra.suffix == "size()" && extra.position >= 0 && handles[extra.position].size)
        value.value = handles[extra.position].size->expr;
      if (value.value && value.value->isPoisoned()) value.value = std::nullopt;
      made.arguments.push_back(value);
      continue;
    }
    skeleton::ArrayArgument array;
    if (actual && classOf(actual->type) == TypeClass::Pointer && !actual->variable.empty()) {
      bool isUnset = !st.env.pointers.count(actual->variable) && !st.fieldOrigins.count(actual->variable);
      Pointer at;
      if (!isUnset) at = readPointer(actual->variable, actual->type, location);
      bool isSet = known.writtenFields.count({extra.position, extra.suffix}) != 0;
      auto extents = known.freshExtents.find(extra.parameter.name);
      auto takeExtents = [&](Object &fresh) { // of the memory that the callee allocates
        if (extents == known.freshExtents.end()) return;
        fresh.array.extents = extents->second;
        for (auto &extent : fresh.array.extents)
          if (extent) extent = instantiate(*extent);
        Symbolic bytes(std::max<uint64_t>(fresh.array.type.bytes, 1));
        for (const auto &extent : fresh.array.extents) bytes = extent ? bytes * *extent : Symbolic::poisoned();
        if (!bytes.isPoisoned()) fresh.bytes = bytes;
      };
      if (at.object.empty() && isSet) { // from here on the field names that memory
        auto named = st.objects.find(actual->variable); // perhaps what nobody knew before
        const bool isTaken = named != st.objects.end() && named->second.array.storage == Storage::Alias;
        const std::string memory = isTaken ? freshObjectName(actual->variable) : actual->variable;
        const std::optional<Object> before =
            named != st.objects.end() && !isTaken ? std::optional(named->second) : std::nullopt;
        Object &fresh = declareObject(memory, pointeeOf(actual->type), Storage::Heap, location);
        if (auto origin = st.fieldOrigins.find(actual->variable); origin != st.fieldOrigins.end() && !isTaken) {
          fresh.origin = origin->second.position;
          fresh.originPath = origin->second.suffix;
          fresh.isGlobal = fresh.origin == -2;
          fresh.array.storage = fresh.isGlobal ? Storage::Global : Storage::Parameter;
        }
        if (classOf(pointeeOf(actual->type)) != TypeClass::Record)
          fresh.array.extents.insert(fresh.array.extents.begin(), std::nullopt);
        takeExtents(fresh);
        if (auto count = known.elementsIfEmpty.find(extra.parameter.name);
            count != known.elementsIfEmpty.end() && fresh.array.extents.size() == 1) {
          fresh.array.extents[0] = instantiate(count->second);
          if (fresh.array.extents[0])
            fresh.bytes = *fresh.array.extents[0] * Symbolic(std::max<uint64_t>(fresh.array.type.bytes, 1));
        }
        noteAllocation(fresh, before);
        if (auto counts = known.freshCounts.find(extra.parameter.name); counts != known.freshCounts.end())
          for (const auto &count : counts->second) counted.emplace_back(memory, count);
        at.object = memory;
        at.null = false;
        if (handleOf(actual->type) == Handle::Owner)
          newlyFilled.push_back(
              {*actual, {extra.position, extra.suffix.empty() ? "size()" : extra.suffix + sizeSuffix.str()}});
        at.index.assign(fresh.array.extents.size(), Symbolic(0));
        st.env.pointers[actual->variable] = at;
      } else if (isSet && at.object == actual->variable && !object(at.object).isUsed &&
                 extents != known.freshExtents.end() &&
                 extents->second.size() == object(at.object).array.extents.size()) {
        takeExtents(object(at.object));
      } else if (isSet && !isCopyAt(definition, extra.position) && st.objects.count(at.object) &&
                 (mayReplace({extra.position, extra.suffix}) || extents != known.freshExtents.end())) {
        Object held = object(at.object); // the new memory goes by the name of the old, which is in use
        takeExtents(held);
        if (extents == known.freshExtents.end() || held.array.extents != object(at.object).array.extents) {
          loseSize(at.object);
        }
      }
      if (!at.object.empty() &&
          !object(at.object).prefix.empty()) // one struct here, an array of them in the callee's unit
        loseFields(object(at.object).prefix, location);
      else if (!at.object.empty()) {
        normalize(at);
        object(at.object).isUsed = object(at.object).isAccessed = true;
        object(at.object).isWritten |= known.writtenMemory.count({extra.position, extra.suffix}) != 0;
        array.array = at.object;
        if (known.writesMemory && st.env.integers.count(at.object))
          written.insert(at.object); // `int *count` in a struct
        if (at.index.size() == 1 && at.index[0]) array.offset = *at.index[0];
        else if (!llvm::all_of(at.index, [](auto &i) { return i && i->isZero(); })) array.offset = std::nullopt;
      }
    } else if (actual && actual->partial && !object(actual->at.object).array.isScalar()) { // of an element of a table
      std::optional<Pointer> row =
          classOf(actual->type) == TypeClass::Pointer ? rowAt(*actual, location) : std::nullopt;
      if (row) array = given(*row);
      else if (classOf(actual->type) != TypeClass::Pointer) array = {actual->at.object, std::nullopt};
      if (!array.array.empty()) object(array.array).isUsed = object(array.array).isWritten = true;
    } else if (actual && !actual->at.object.empty()) {
      object(actual->at.object).isUsed = true;
      object(actual->at.object).isWritten = true;
      array.array = actual->at.object;
    }
    made.arguments.push_back(array);
    const std::pair<int, std::string> key{extra.position, extra.suffix};
    const bool isSet =
        known.writtenFields.count(key) || (extra.position == -2 && known.writtenGlobals.count(extra.suffix));
    if (isSet && !isCopyAt(definition, extra.position) && !array.array.empty() && actual && !actual->variable.empty() &&
        mayReplace(key))
      replaced[array.array] = {actual->variable, made.arguments.size() - 1};
  }
  for (size_t k = 0; k < made.arguments.size();
       ++k) // the callee knows it by two names, of which one may soon be another memory's
    if (auto *given = std::get_if<skeleton::ArrayArgument>(&made.arguments[k]))
      if (auto memory = replaced.find(given->array); memory != replaced.end() && memory->second.second != k)
        *given = {"", std::nullopt};
  loseBytesGiven(definition, known, pointers);
  auto lostTo = lostTargets(known, pointers, nameOfExtra, location);
  const bool setsSomewhere = isSetSomewhere(definition, known, self, pointers, handlePlaces, nameOfExtra, location);
  const std::set<std::string> given =
      setsSomewhere || !known.sharedPointers.empty() ? memoryGiven(made, known, nameOfExtra) : std::set<std::string>();
  countCopies(made, known, definition);
  bool opaque = known.doesOpaqueThings;
  const std::map<std::string, Exposed> exposed = exposedBy(known, pointers, self, nameOfExtra);
  if (opaque || known.waits) made.exposed = exposedNow();
  takeOverExposed(exposed, &made);
  for (const auto &key : known.copied) readCopied(objectMeant(key, pointers, self, nameOfExtra), location);
  std::map<std::string, KnownElements> elements = st.env.elements;
  emitCall(made, known, reachable);
  keepElements(std::move(elements), known, pointers, made);
  for (const auto &[which, formal] : known.boundFields) { // a constructor's
    const clang::RecordDecl *record = llvm::cast<clang::CXXMethodDecl>(definition)->getParent();
    const clang::FieldDecl *field = fieldNamed(record, which.second);
    if (self && field && formal < handlePlaces.size())
      bindMember(Place{*self, context.getRecordType(record)}, field, handlePlaces[formal]);
  }
  for (unsigned k = 0; k < handlePlaces.size();
       ++k) { // containers in a table that it gives another length, or other memory
    auto isOfIt = [&](const auto &key) { return key.first == int(k); };
    if (llvm::any_of(known.writtenFields, isOfIt) || llvm::any_of(known.rotated, isOfIt) ||
        llvm::any_of(known.lostPointers, isOfIt))
      loseRow(handlePlaces[k]);
  }
  takeOverExposed(exposed, nullptr);
  for (const auto &[memory, by] : replaced) loseReplaced(memory, by.first, location);
  PointersSet pointersSet;
  std::set<std::string> rotated, following;
  for (auto &[position, suffix] : known.rotated) {
    std::optional<Place> actual = nameOfExtra(position, suffix);
    if (actual && actual->variable.empty()) noteTableStore(*actual);
    if (!actual || actual->variable.empty() || classOf(actual->type) != TypeClass::Pointer) continue;
    pointersSet[actual->variable].insert({position, suffix});
    following.insert(actual->variable);
    rotated.insert(readPointer(actual->variable, actual->type, location).object);
  }
  rotated.erase("");
  takeOverTables(
      known, filled,
      [&](int position, const std::string &suffix) {
        return tableOfExtra(position, suffix, pointers, nameOfExtra, location);
      },
      instantiate);
  noteRotated(rotated, following);
  loseTrack(rotated, following, location);
  summary.writesMemory |= known.writesMemory;
  summary.readsMemory |= known.readsMemory;
  summary.waits |= known.waits;
  summary.writtenGlobals.insert(known.writtenGlobals.begin(), known.writtenGlobals.end());
  summary.namedPointers.insert(known.namedPointers.begin(), known.namedPointers.end());
  Pointer nowhere;
  nowhere.null = true;
  for (const std::string &name : known.writtenGlobals) {
    std::optional<Place> place = placeOfGlobal(name, location);
    if (!place && known.lostPointers.count({-2, name})) { // of another unit, whose functions go by its name
      st.fieldOrigins.try_emplace(name, ExtraFormal{{}, -2, name, context.VoidPtrTy});
      st.env.pointers[name] = unknownPointer(name, context.CharTy, location);
    }
    if (!place || place->variable.empty()) continue;
    pointersSet[place->variable].insert({-2, name});
    if (classOf(place->type) == TypeClass::Integer) {
      auto end = known.exitValues.find({-2, name});
      std::optional<Symbolic> value = end == known.exitValues.end() ? std::nullopt : instantiate(end->second);
      std::optional<Symbolic> usual = usualAfterCall(known, {-2, name}, place->variable, instantiate);
      const Value after{value ? *value
                              : usually(freshSymbol(name, name + " after " + known.name, location, false), usual)};
      noteShrinking(place->variable, after.expr);
      st.env.integers[place->variable] = after;
    }
    if (classOf(place->type) == TypeClass::Pointer && known.nullPointers.count({-2, name}))
      assignPointer(*place, nowhere, location);
    else if (classOf(place->type) == TypeClass::Pointer && known.lostPointers.count({-2, name})) {
      if (!isFile(pointeeOf(place->type), context))
        find(Rule::UnknownPointer, location, "what `" + name + "` points to after " + known.name + " is not known");
      st.env.pointers[place->variable] =
          unknownPointer(name, pointeeOf(place->type), location, lostTo[{-2, name}], true);
    }
  }
  std::vector<std::pair<Place, Pointer>> lostVectors;
  std::vector<SharedPointer> shared; // set when it is known where the others lead
  for (auto &[position, suffix] : known.writtenFields) {
    std::optional<Place> actual = nameOfExtra(position, suffix);
    if (actual && actual->variable.empty()) noteTableStore(*actual);
    if (!actual || actual->variable.empty()) continue;
    if (classOf(actual->type) == TypeClass::Pointer) {
      std::string name = actual->variable;
      pointersSet[name].insert({position, suffix});
      if (auto end = known.exitPointers.find({position, suffix});
          end != known.exitPointers.end() && end->second.first < pointers.size()) {
        const auto &[formal, by] = end->second;
        clang::QualType pointee = pointeeOf(actual->type);
        if (auto steps = instantiate(by); steps && !pointers[formal].object.empty()) {
          assignPointer(*actual, step(pointers[formal], *steps, pointee), location);
          continue;
        }
      }
      if (auto end = known.sharedPointers.find({position, suffix}); end != known.sharedPointers.end()) {
        std::optional<Place> other = nameOfExtra(end->second.first, end->second.second);
        if (other && !other->variable.empty() && classOf(other->type) == TypeClass::Pointer) {
          shared.push_back({*actual, *other, end->second});
          continue;
        }
      }
      if (known.nullPointers.count({position, suffix})) {
        assignPointer(*actual, nowhere, location);
        continue;
      }
      if (known.lostPointers.count({position, suffix}) || known.sharedPointers.count({position, suffix})) {
        find(Rule::UnknownPointer, location, "what `" + name + "` points to after " + known.name + " is not known");
        const Pointer old = readPointer(name, actual->type, location);
        std::vector<std::string> targets = lostTo[{position, suffix}];
        if (known.sharedPointers.count({position, suffix})) targets.insert(targets.end(), given.begin(), given.end());
        if (handleOf(actual->type) == Handle::Owner && !old.object.empty())
          targets.push_back(old.object); // a container that shrinks keeps its memory
        st.env.pointers[name] = unknownPointer(name, pointeeOf(actual->type), location, targets, true);
        // Not if it may have got another vector's memory.
        const auto others = known.lostTo.find({position, suffix});
        auto isItself = [&, position = position, suffix = suffix](const auto &target) {
          return target == std::pair(position, suffix);
        };
        const bool isOwn = others == known.lostTo.end() || llvm::all_of(others->second, isItself);
        if (isOwn && handleOf(actual->type) == Handle::Owner) lostVectors.push_back({*actual, old});
      }
      if (auto origin = st.fieldOrigins.find(name); origin != st.fieldOrigins.end()) { // our callers hear of it, too
        if (origin->second.position == -2) summary.writtenGlobals.insert(origin->second.suffix);
        else summary.writtenFields.insert({origin->second.position, origin->second.suffix});
      }
      continue;
    }
    if (classOf(actual->type) != TypeClass::Integer) continue;
    if (auto end = known.exitValues.find({position, suffix}); end != known.exitValues.end())
      if (auto value = instantiate(end->second)) {
        storeInteger(*actual, Value{*value});
        continue;
      }
    std::optional<Symbolic> usual = usualAfterCall(known, {position, suffix}, actual->variable, instantiate);
    storeInteger(*actual, Value{usually(
                              freshSymbol(actual->variable, actual->variable + " after " + known.name, location, false),
                              usual)});
  }
  for (const std::string &name : written) {
    auto origin = st.fieldOrigins.find(name);
    bool isUnread = origin != st.fieldOrigins.end() && classOf(origin->second.type) == TypeClass::Integer &&
                    !st.env.integers.count(name);
    if (isUnread)
      st.env.integers[name] = Value{freshSymbol(name, name + " after " + known.name, location, true)}; // for callers
    else {
      clobberGiven(name, location);
      mayLeadTo(name, pointers);
    }
  }
  for (const auto &[memory, counter] : counted)
    if (std::optional<Place> place = nameOfExtra(counter.first, counter.second)) takeOverCount(memory, place->variable);
  for (const auto &[vector, old] : lostVectors) adoptStorage(vector, old, known.name, location);
  for (const auto &[container, size] : newlyFilled)
    if (!known.shrunk.count(size)) sizeByItself(container, location);
  for (const auto &[position, suffix] : known.shrunk)
    if (std::optional<Place> size = nameOfExtra(position, suffix); size && st.fieldOrigins.count(size->variable)) {
      const ExtraFormal &own = st.fieldOrigins.at(size->variable);
      summary.shrunk.insert({own.position, own.suffix});
    }
  setShared(shared, pointersSet, location);
  if (setsSomewhere) loseSomewhere(given, location);
  if (opaque) {
    summary.doesOpaqueThings = true;
    known.forgetsStatics ? clobberAddressTaken(location, true) : clobberAddressTakenByUnseen(location);
  }
  if (known.storesAnywhere) clobberSomewhere(location);
  nameHint = std::move(hint);
  if (classOf(expr->getType()) != TypeClass::Integer || expr->getType()->isReferenceType()) return std::nullopt;
  return unknownResult(expr, readsMemory);
}

std::optional<HandleValue> Walker::pointerCall(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee) return std::nullopt;
  if (makesResult(expr)) {
    Result made{{}, std::exchange(nameHint, {})};
    callInPlace(expr, false, &made);
    return made.value;
  }
  std::optional<Pointer> self;
  if (auto known = st.env.pointers.find("this"); known != st.env.pointers.end()) self = known->second;
  std::string hint = nameHint;
  if (bindInlined(expr)) {
    inlining.insert(callee->getCanonicalDecl());
    nameHint = hint;
    Pointer result = pointer(singleReturn(callee));
    inlining.erase(callee->getCanonicalDecl());
    if (self) st.env.pointers["this"] = *self;
    return HandleValue{result, {}};
  }
  std::string name = callee->getNameAsString();
  Summary *known = unit.summaryOf(callee);
  if (!known) {
    std::optional<Pointer> memory = memoryOfUnseen(expr, callee, hint);
    return memory ? std::optional(HandleValue{*memory, {}}) : std::nullopt;
  }
  if (known->state != Summary::State::Done || !known->freshBytes) return std::nullopt;
  // What it returns is fresh memory here. If it is more than a wrapper around malloc, and is not walked in place, what
  // it has put there comes by way of the host (HandedOn.cpp).
  std::string target = hint;
  nameHint.clear();
  skeleton::Substitution actuals;
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  bool isCalled = doesMore(*known);
  if (isCalled) call(expr, true);
  for (unsigned k = 0; k < arguments.size(); ++k) {
    if (isCalled && arguments[k]->HasSideEffects(context)) continue; // it has had them
    if (classOf(arguments[k]->getType()) != TypeClass::Integer) {
      if (!isCalled) rvalue(arguments[k], true);
      continue;
    }
    Value value = integer(arguments[k]);
    if (k < known->function.parameters.size()) actuals[known->function.parameters[k].name] = value.expr;
  }
  if (isCalled) // globals and fields that it was given besides
    for (const Node &node : llvm::reverse(*out)) {
      const auto *made = std::get_if<skeleton::Call>(&node.kind);
      if (!made || made->callee != known->name || made->location != locate(expr)) continue;
      for (unsigned k = 0; k < known->function.parameters.size() && k < made->arguments.size(); ++k)
        if (const auto *value = std::get_if<skeleton::ValueArgument>(&made->arguments[k]); value && value->value)
          actuals.insert({known->function.parameters[k].name, *value->value});
      break;
    }
  for (const auto &[symbol, formal] : known->leftBehind)
    if (isCalled && formal < arguments.size() && formal < callee->getNumParams())
      if (auto value = leftInArgument(arguments[formal], callee->getParamDecl(formal)->getType()))
        actuals.insert({symbol, *value});
  Symbolic bytes = *known->freshBytes;
  for (const std::string &symbol : bytes.symbols())
    if (!actuals.count(symbol)) bytes = Symbolic::poisoned();
  if (!bytes.isPoisoned()) bytes = bytes.substitute(actuals);
  if (bytes.isPoisoned()) bytes = freshSymbol("", name + "'s size", locate(expr), false, false, Symbolic(0));
  // Allocators that are older than `void *` give `char *`: what the memory holds is what the caller makes of it.
  clang::QualType pointee = pointeeOf(expr->getType());
  const bool isOfBytes = !known->freshRows && !pointee.isNull() && bytesOf(innermost(pointee, context), context) == 1;
  if (isOfBytes) pointee = context.VoidTy;
  Pointer result = allocate(bytes, pointee, target, locate(expr), false);
  if (known->freshIsWritten) wholeAccess(AccessKind::Write, result, std::nullopt, true, locate(expr));
  noteFreshTable(result.object);
  if (known->freshRows) takeOverRows(result, *known->freshRows, actuals, pointee, locate(expr));
  return HandleValue{result, {}};
}

} // namespace busfare::frontend
