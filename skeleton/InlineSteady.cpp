//===- skeleton/InlineSteady.cpp - Are integers taken as fixed left alone? -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A function that takes a value in memory as fixed while it writes integers through
// another pointer relies on its callers:
//
//   void f(int *a, int *m) { for (i = 0; i < *m; i++) a[i] = 1; }     steady(m[0])
//   f(x, &n)                    x is another array than n: fine
//   f(x, &x[7])                 the loop writes its own bound: nothing that was found for f holds here
//
// So does one that divides a parameter, which rounds otherwise if it is negative.
// In the second call nothing is known of how often loops run, what is touched and which way branches go where that may
// rest on the value; `for (k = 0; k < 3; k++)` runs three times whatever is written. Elements of one array are told
// apart by constants only.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Inliner.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

/// Of writes that a name in the function stands for, not of variables by their own names: those the front end follows
/// itself.
void Inliner::noteWritten(const Access &access, const Access &mapped, const Frame &frame) {
  using Kind = ElementType::Kind;
  if (!watchesSteady || access.kind == AccessKind::Read) return;
  const Array *array = findArray(program, *frame.function, access.array);
  bool isInteger = array && (array->type.kind == Kind::Signed || array->type.kind == Kind::Unsigned ||
                             array->type.kind == Kind::Bool);
  bool isBehind = array && ((array->storage == Storage::Parameter && !array->isScalar()) ||
                            array->storage == Storage::Alias || array->storage == Storage::Given || array->isPointee);
  if (!isInteger || !isBehind) return;
  SteadyElement &written = writtenBehind.emplace_back();
  written.array = mapped.array;
  for (const Subscript &subscript : mapped.subscripts) written.subscripts.push_back(subscript.value);
}

std::vector<SteadyElement> Inliner::mapSteady(llvm::ArrayRef<SteadyElement> steady, Frame &frame) {
  std::vector<SteadyElement> mapped;
  for (const SteadyElement &one : steady) {
    Access access;
    access.array = one.array;
    for (const std::optional<Expr> &subscript : one.subscripts) access.subscripts.push_back({subscript, {}, {}});
    access = mapAccess(access, frame);
    SteadyElement &to = mapped.emplace_back();
    to.array = access.array;
    for (const Subscript &subscript : access.subscripts) to.subscripts.push_back(subscript.value);
  }
  return mapped;
}

/// Does a write that was noted since then reach one of the elements, as far as is known?
bool Inliner::isWrittenBehind(llvm::ArrayRef<SteadyElement> steady, size_t mark) const {
  auto isApart = [](const SteadyElement &a, const SteadyElement &b) {
    if (a.subscripts.size() != b.subscripts.size()) return false;
    for (size_t d = 0; d < a.subscripts.size(); ++d)
      if (a.subscripts[d] && b.subscripts[d] && (*a.subscripts[d] - *b.subscripts[d]).constant().value_or(0) != 0)
        return true;
    return false;
  };
  for (const SteadyElement &one : steady) {
    Names objects = objectsOf({one.array});
    for (const SteadyElement &written : llvm::ArrayRef(writtenBehind).drop_front(mark)) {
      if (written.array == one.array && !isApart(written, one)) return true;
      if (unknownArguments.count(written.array) ||
          unknownArguments.count(one.array)) // `&s.m` of a struct that has a name for it
        return true;
      bool isSame = written.array != one.array && (isAlias(written.array) || isAlias(one.array)) &&
                    llvm::any_of(objectsOf({written.array}),
                                 [&](const std::string &name) { return llvm::is_contained(objects, name); });
      if (isSame) return true;
    }
  }
  return false;
}

/// The symbols of the callee that may hold another value than they are taken to have, if a value in memory does not
/// stay what it is taken to be: such values themselves (`w->k`, `*m`, a global), what is read from memory, and what
/// follows from either. Not so what the caller passes by value, constants, and the indices of loops between such.
void Inliner::findDoubtful(const Call &call, const Function &callee, const Frame &caller, Frame &frame) const {
  std::set<std::string> steady;
  for (const SteadyElement &one : callee.steady) steady.insert(one.array);
  forEachNode(callee.body, [&](const Node &node) {
    if (const auto *loop = std::get_if<Loop>(&node.kind); loop && loop->steady)
      for (const SteadyElement &one : *loop->steady) steady.insert(one.array);
  });
  frame.isWatched = caller.isWatched || !steady.empty();
  if (!frame.isWatched) return;
  auto isVariable = [](llvm::StringRef name) { return name.find_first_of("*-.[>(") == llvm::StringRef::npos; };
  for (size_t k = 0; k < callee.parameters.size(); ++k) {
    const Parameter &parameter = callee.parameters[k];
    if (parameter.kind != Parameter::Kind::Value) continue;
    const auto *given = k < call.arguments.size() ? std::get_if<ValueArgument>(&call.arguments[k]) : nullptr;
    const bool isOfCaller = !given || !given->value || isDoubtful(caller, *given->value);
    if (!isVariable(parameter.name) || steady.count(parameter.name) || isOfCaller)
      frame.doubtful.insert(parameter.name);
  }
  for (size_t k = 0; k < callee.parameters.size() && k < call.arguments.size(); ++k)
    if (const auto *given = std::get_if<ArrayArgument>(&call.arguments[k]))
      if (!given->offset || isDoubtful(caller, *given->offset) || isDoubtful(caller, given->row) ||
          caller.doubtful.count(given->array))
        frame.doubtful.insert(callee.parameters[k].name);
  forEachNode(callee.body, [&](const Node &node) {
    if (const auto *define = std::get_if<Define>(&node.kind);
        define && (!define->value || isDoubtful(frame, *define->value)))
      frame.doubtful.insert(define->symbol);
    if (const auto *loop = std::get_if<Loop>(&node.kind); loop && isDoubtful(frame, {loop->lower, loop->upper}))
      frame.doubtful.insert(loop->index);
  });
  for (const Array &array : callee.arrays) // its shape decides which element a subscript means
    if (llvm::any_of(array.extents,
                     [&](const std::optional<Expr> &extent) { return extent && isDoubtful(frame, *extent); }))
      frame.doubtful.insert(array.name);
}

bool Inliner::isDoubtful(const Frame &frame, llvm::ArrayRef<Expr> exprs) const {
  return llvm::any_of(exprs, [&](const Expr &expr) {
    return llvm::any_of(expr.symbols(), [&](const std::string &symbol) { return frame.doubtful.count(symbol) != 0; });
  });
}

bool Inliner::isDoubtful(const Frame &frame, const Condition &condition) const {
  return llvm::any_of(condition.anyOf, [&](const std::vector<Expr> &facts) { return isDoubtful(frame, facts); });
}

bool Inliner::isDoubtful(const Frame &frame, const Access &access) const {
  bool is = frame.doubtful.count(access.array) ||
            llvm::any_of(access.subscripts, [](const Subscript &subscript) { return bool(subscript.from); });
  forEachSubscriptExpr(access, [&](const Expr &expr) { is |= isDoubtful(frame, expr); });
  return is;
}

/// Several statements in one place: one that is doubtful is enough.
void Inliner::noteDoubt(const Frame &frame, const Location &location, bool isDoubtful) {
  if (frame.isWatched) (isDoubtful ? unsound : sound).insert({frame.path, location});
}

bool Inliner::isSound(unsigned path, const Location &location) const {
  return location.isKnown() && sound.count({path, location}) && !unsound.count({path, location});
}

/// What may rest on a value that does not hold: any number of turns, any element, under any condition. wholly: all of
/// it.
void Inliner::loosen(Block &block, bool wholly) const {
  Block out;
  for (Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      if (wholly || !isSound(node.path, loop->location)) {
        std::string trips = loop->index + ".trips";
        out.emplace_back(Define{trips, Expr(0), {}, {}, "a value that the loop may write", loop->location});
        loop->upper = loop->lower + Expr(loop->step) * (Expr::symbol(trips) - 1);
        loop->mayExitEarly = loop->isLoosened = true;
        loop->endsInside = false;
      }
      loop->hints = {};
      loop->steady = {};
      loosen(loop->body, wholly);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      if (wholly || !isSound(node.path, branch->location)) {
        branch->condition.anyOf.clear();
        branch->condition.exact = false;
      }
      loosen(branch->then, wholly);
      loosen(branch->otherwise, wholly);
    } else if (auto *access = std::get_if<Access>(&node.kind)) {
      if (wholly || !isSound(node.path, access->location)) {
        access->subscripts.assign(access->subscripts.size(), Subscript());
        access->may = true;
      }
      access->induction = false;
      access->value = {};
    } else if (auto *define = std::get_if<Define>(&node.kind)) {
      *define = Define{define->symbol, {}, {}, {}, define->reason, define->location};
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      loosen(host->body.edit(), wholly);
    } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
      allocate->extents.assign(allocate->extents.size(), std::nullopt);
    }
    out.push_back(std::move(node));
  }
  block = std::move(out);
}

/// What the callee takes to be at least 0, and is less for these arguments; null if there is nothing.
const Expr *Inliner::negativeHere(const Function &callee, const Frame &frame) const {
  for (const Expr &value : callee.nonNegative) {
    std::optional<Expr> mapped = mapExpr(value, frame);
    if (mapped && mapped->constant().value_or(0) < 0) return &value;
  }
  return nullptr;
}

/// The body that the call stands for, with nothing in it that rests on what does not hold. wholly: not even what rests
/// on nothing but values that the caller passes.
void Inliner::distrust(Block &block, const Call &call, const std::string &why, bool wholly) {
  loosen(block, wholly);
  result.findings.push_back(
      {Rule::UnknownTripCount, Level::Remark, call.location, why + "; what rests on it stays on the host"});
}
