//===- clang-plugin/walk/HandedOn.cpp - Memory that outlives its function -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What a function allocates and returns, or leaves where others find it, is read by them: at
// the function's end the host has to see it.
//
//   double *ramp(int n) {
//     double *c = malloc(n * sizeof *c);
//     for (int i = 0; i < n; i++) c[i] = i;
//     return c;                                host allocation "c is handed on" { may read c[?] }
//   }
//
// So is what the fields of such a struct lead to. A local container that still holds its memory
// takes it with it. A function whose result is memory of its own, and that does more than make
// it or has put pointers into it, is walked where it is called: then the caller's name is another
// name of the same memory.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// A function returns this pointer, or a struct that holds pointers.
void Walker::noteReturned(const Pointer &pointer, Location location) {
  if (st.objects.count(pointer.object)) handedOn.insert({pointer.object, location});
}

void Walker::noteReturned(const clang::Expr *value, Location location) {
  const clang::Expr *bound = boundPlace(withoutWrappers(value));
  if (classOf(value->getType()) != TypeClass::Record || !bound || !llvm::isa<clang::DeclRefExpr>(bound)) return;
  Place place = lvalue(bound);
  if (!isNamedRecord(place)) return;
  const std::string prefix = object(place.at.object).prefix;
  for (const auto &[name, pointer] : beginningWith(st.env.pointers, prefix)) noteReturned(pointer, location);
}

/// Does a local vector (or unique_ptr) hold the memory whenever the function ends?
bool Walker::goesWithItsOwner(const std::string &name) const {
  return !returns.empty() && llvm::all_of(returns, [&](const Environment &end) {
    return llvm::any_of(st.names, [&](const auto &named) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(named.first);
      if (!variable || !variable->isLocalVarDecl() || variable->isStaticLocal() ||
          variable->getType()->isReferenceType())
        return false;
      Handle kind = handleOf(variable->getType());
      bool isOnly = kind == Handle::Owner ||
                    (kind == Handle::Unique && variable->getType()->getAsCXXRecordDecl()->getName() == "unique_ptr");
      auto held = end.pointers.find(named.second);
      return isOnly && held != end.pointers.end() && held->second.object == name;
    });
  });
}

/// These objects, and what the fields of structs among them lead to whenever the function ends; each with where it is
/// handed on.
static std::map<std::string, Location> withFields(std::map<std::string, Location> left, const State &st,
                                                  llvm::ArrayRef<Environment> ends) {
  std::vector<std::string> pending;
  for (const auto &[name, location] : left) pending.push_back(name);
  while (!pending.empty()) {
    const std::string name = pending.back();
    pending.pop_back();
    auto found = st.objects.find(name);
    if (found == st.objects.end() || found->second.isFreed) continue;
    const Location location = left.at(name);
    auto add = [&](const std::string &other) {
      if (left.insert({other, location}).second) pending.push_back(other);
    };
    for (const std::string &one : found->second.array.mayBe) add(one);
    const std::string &prefix = found->second.prefix;
    if (prefix.empty() || found->second.array.storage != Storage::Heap) continue;
    for (const Environment &env : ends)
      for (const auto &[name, held] : beginningWith(env.pointers, prefix)) add(held.object);
  }
  return left;
}

void Walker::handOn() {
  if (isMain) return;
  std::map<std::string, Location> left = handedOn;
  for (const std::string &name : st.escaped)
    if (!goesWithItsOwner(name)) left.insert({name, locate(function->getBody()->getEndLoc())});
  left = withFields(std::move(left), st, returns);
  for (const std::string &name : std::vector<std::string>(st.objectOrder)) {
    const Object &one = object(name);
    if (one.array.storage != Storage::Heap || one.isFreed || one.element.isNull()) continue;
    auto found = left.find(rootOf(name));
    if (found == left.end()) continue;
    Location location = found->second;
    Pointer start{name, {}};
    start.index.assign(one.array.extents.size(), Symbolic(0));
    Block accesses = accessesOf([&] { wholeAccess(AccessKind::Read, start, std::nullopt, true, location); });
    host(HostReason::Allocation, name + " is handed on", std::move(accesses), location);
  }
  flush();
}

bool doesMore(const Summary &known) {
  return known.readsMemory || known.writesMemory || known.doesOpaqueThings || known.storesAnywhere || known.waits ||
         known.forgetsTables || !known.writtenGlobals.empty() || !known.writtenFields.empty() ||
         !known.lostTables.empty();
}

/// `v`, `&v[i]`, `v + i`, `s->data + i` of what a function is given.
static bool leadsIntoArgument(const clang::Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) {
    if (op->getOpcode() != clang::UO_AddrOf) return false;
    const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(op->getSubExpr()->IgnoreParens());
    return element && leadsIntoArgument(element->getBase());
  }
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr))
    return op->isAdditiveOp() &&
           leadsIntoArgument(op->getLHS()->getType()->isPointerType() ? op->getLHS() : op->getRHS());
  if (const auto *field = llvm::dyn_cast<clang::MemberExpr>(expr))
    return llvm::isa<clang::CXXThisExpr>(field->getBase()->IgnoreParenCasts()) || leadsIntoArgument(field->getBase());
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  return ref && llvm::isa<clang::ParmVarDecl>(ref->getDecl());
}

/// A short function without loops that checks what it is given, and returns a place in it:
///
///   double *at(double *v, int n, int i, int j) { assert(i < n); return &v[j * n + i]; }
///
/// Its caller's pointer leads there. (What is nothing but a return is followed anyway: InlinedCalls.cpp.)
static bool returnsPlaceInArgument(const clang::FunctionDecl *definition) {
  constexpr unsigned mostParts = 1000; // an assert has some thirty
  unsigned parts = 0, returns = 0;
  std::function<bool(const clang::Stmt *)> isPlain = [&](const clang::Stmt *stmt) {
    if (!stmt) return true;
    if (++parts > mostParts) return false;
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt, clang::GotoStmt,
                  clang::LambdaExpr, clang::OMPExecutableDirective>(stmt))
      return false;
    if (const auto *leaves = llvm::dyn_cast<clang::ReturnStmt>(stmt)) {
      ++returns;
      const clang::Expr *value = leaves->getRetValue();
      if (!value || (llvm::isa<clang::MemberExpr>(value->IgnoreParenCasts()) && !resultBehindChecks(definition)) ||
          !leadsIntoArgument(value))
        return false;
    }
    return llvm::all_of(partsOf(stmt), isPlain);
  };
  return !singleReturn(definition) && isPlain(definition->getBody()) && returns > 0;
}

bool Walker::makesResult(const clang::CallExpr *expr) const {
  if (!isPointerLike(expr->getType()) || expr->isGLValue()) return false;
  const clang::FunctionDecl *definition = walkableCallee(expr);
  if (!definition) return false;
  if (isTableOfContainers(expr->getType()) || pointeeOf(expr->getType())->isPointerType())
    return true; // where its rows are
  if (returnsPlaceInArgument(definition)) return true;
  const Summary *known = unit.summaryOf(definition);
  if (!known || known->state != Summary::State::Done) return false;
  if (known->laysOut) return true;
  if (!known->freshBytes) return false;
  return doesMore(*known) ||
         hasPointerFields(pointeeOf(expr->getType())->getAsRecordDecl()); // what its fields point to
}

} // namespace busfare::frontend
