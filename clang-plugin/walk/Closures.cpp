//===- clang-plugin/walk/Closures.cpp - What lambdas hold ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A lambda's body names the variables around it. Which values they have there was decided
// when the object was made, not when it is called:
//
//   auto f = [n, &m](double *p) { for (int i = 0; i < n; i++) p[i] = m; };
//   n = 200, m = 7;
//   f(a);                                  a[0:9] if n was 10; the new m
//
// So each object that is a lambda has, by the name of the place it lies in, what the names
// stand for in its body: for a reference the variable, for a copy a place of its own. A
// floating-point number that is copied is read where it was: nothing is computed from its value.
// What an object holds that another function made, or that lies in memory, is not known.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// A copy that lives as long as what is declared here.
Place Walker::keptCopy(const clang::Expr *value) {
  Place copy = materialize(value);
  keepMade(value);
  live(copy, value);
  return copy;
}

/// Evaluates what is captured.
Closure Walker::close(const clang::LambdaExpr *lambda) {
  Closure made;
  Location location = locate(lambda);
  auto init = lambda->capture_init_begin();
  for (const clang::LambdaCapture &capture : lambda->captures()) {
    const clang::Expr *value = *init++;
    if (capture.capturesThis()) {
      if (capture.getCaptureKind() == clang::LCK_StarThis) made.self = keptCopy(value).at;
      else if (auto self = st.env.pointers.find("this"); self != st.env.pointers.end()) made.self = self->second;
      continue;
    }
    if (!capture.capturesVariable()) continue;
    const auto *captured = llvm::cast<clang::ValueDecl>(capture.getCapturedVar()->getCanonicalDecl());
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(captured); variable && variable->isInitCapture()) {
      // `[p = std::move(q)]`: a variable of the lambda's own, another one in each object
      bool isAgain =
          llvm::any_of(st.closures, [&](const auto &one) { return one.second.captured.count(captured) != 0; });
      if (isAgain) st.names.erase(captured);
      st.references.erase(captured);
      declareVariable(variable);
      made.captured[captured] = placeOfVariable(captured, captured->getLocation());
      continue;
    }
    Place place = placeOfVariable(captured, captured->getLocation());
    if (capture.getCaptureKind() == clang::LCK_ByCopy) place = copyOfCaptured(captured, place, value, location);
    made.captured[captured] = place;
  }
  return made;
}

/// The lambda's own.
Place Walker::copyOfCaptured(const clang::ValueDecl *captured, const Place &place, const clang::Expr *value,
                             Location location) {
  if (place.at.object.empty() && place.variable.empty()) return place;
  Place copy = place;
  copy.type = place.type.getUnqualifiedType();
  const std::string name = captured->getNameAsString() + " (captured)";
  if (const clang::CXXRecordDecl *record = callableClassOf(place.type); record && record->isLambda()) return place;
  if (!place.variable.empty()) {
    copy.variable = freshName(name); // what is read of it is read where it was
    if (classOf(place.type) == TypeClass::Integer) {
      st.env.integers[copy.variable] = loadInteger(place, location);
      return copy;
    }
    HandleValue held = readHandle(place, location);
    if (handleOf(place.type) == Handle::Owner)
      held = copyElements(held, pointeeOf(place.type), copy.variable, location);
    assignHandle(copy, held, location);
    return copy;
  }
  TypeClass kind = classOf(place.type);
  if (kind == TypeClass::Record) return value ? keptCopy(value) : place;
  if (kind != TypeClass::Array) {
    read(place, location);
    return copy;
  }
  copy = Place();
  copy.type = place.type.getUnqualifiedType();
  copy.at.object = freshName(name);
  declareObject(copy.at.object, copy.type, Storage::Local, location).array.perIteration = isInLoop();
  copy.at.index.assign(object(copy.at.object).array.extents.size(), Symbolic(0));
  wholeAccess(AccessKind::Read, decay(place), std::nullopt, false, location);
  wholeAccess(AccessKind::Write, copy.at, std::nullopt, false, location);
  return copy;
}

/// Where the object lies that the expression gives; nothing if that is not known. One that is made here gets a place.
std::optional<Pointer> Walker::closureAt(const clang::Expr *expr) {
  const clang::Expr *plain = withoutWrappers(expr);
  const auto *call = llvm::dyn_cast<clang::CallExpr>(plain);
  if (const clang::Expr *same = call ? passedOn(call) : nullptr) return closureAt(same);
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(plain)) {
    Closure made = close(lambda);
    Place place;
    place.at.object = freshName("lambda (temporary)");
    declareObject(place.at.object, plain->getType(), Storage::Local, locate(plain)).array.perIteration = isInLoop();
    st.closures[place.at.object] = std::move(made);
    return place.at;
  }
  const clang::Expr *bound = boundPlace(plain);
  if (!bound) {
    rvalue(objectMade(expr), true);
    return std::nullopt;
  }
  Place place = lvalue(bound);
  if (place.partial || place.at.object.empty() || !st.closures.count(place.at.object)) return std::nullopt;
  return place.at;
}

/// A lambda that captures nothing is the same everywhere.
bool Walker::isClosureKnown(const clang::CXXRecordDecl *lambda, const std::optional<Pointer> &self) const {
  return lambda->capture_size() == 0 || (self && st.closures.count(self->object));
}

/// A variable or field that is a lambda gets its value.
void Walker::initializeLambda(const Place &place, const clang::Expr *init) {
  const clang::CXXRecordDecl *record = callableClassOf(place.type);
  std::optional<Pointer> from = closureAt(init);
  bool isOwn = !place.at.object.empty() && !place.partial && !place.at.inside;
  bool isVariable = isOwn && place.at.object.find_first_of(".>") == std::string::npos;
  // Who gets at the object it is a part of may call it.
  if (!isVariable) storeAway(record, from, locate(init));
  if (!isOwn) return;
  auto known = from ? st.closures.find(from->object) : st.closures.end();
  if (known == st.closures.end()) st.closures.erase(place.at.object);
  else st.closures[place.at.object] = Closure(known->second);
}

/// A lambda of which it is not seen where it goes.
void Walker::noteLambda(const clang::LambdaExpr *lambda) {
  storeAway(lambda->getLambdaClass(), closureAt(lambda), locate(lambda));
}

/// Somebody else may call it, or find in memory what it holds.
void Walker::storeAway(const clang::CXXRecordDecl *lambda, const std::optional<Pointer> &closure, Location location) {
  Handover given;
  letGo(lambda, closure, given, location);
  noteKept(given);
}

/// The names in the body stand for what the object holds.
Walker::Outside Walker::enterLambda(const std::optional<Pointer> &closure) {
  Outside outside;
  auto known = closure ? st.closures.find(closure->object) : st.closures.end();
  if (known == st.closures.end()) return outside;
  for (const auto &[variable, place] : known->second.captured) {
    auto before = st.references.find(variable);
    outside.references.push_back(
        {variable, before == st.references.end() ? std::nullopt : std::optional(before->second)});
    st.references[variable] = place;
  }
  if (!known->second.self) return outside;
  if (auto self = st.env.pointers.find("this"); self != st.env.pointers.end()) outside.self = self->second;
  outside.setsSelf = true;
  st.env.pointers["this"] = *known->second.self;
  return outside;
}

void Walker::leaveLambda(const Outside &outside) {
  for (const auto &[variable, place] : outside.references) {
    if (place) st.references[variable] = *place;
    else st.references.erase(variable);
  }
  if (!outside.setsSelf) return;
  if (outside.self) st.env.pointers["this"] = *outside.self;
  else st.env.pointers.erase("this");
}

} // namespace busfare::frontend
