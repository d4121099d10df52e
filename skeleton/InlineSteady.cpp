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
// In the second call nothing is known of how often the loops run and of what they touch.
// Elements of one array are told apart by constants only.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Inliner.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

/// Of writes that a name in the function stands for, not of variables by their own names: those the front end follows itself.
void Inliner::noteWritten(const Access &access, const Access &mapped, const Frame &frame) {
  using Kind = ElementType::Kind;
  if (!watchesSteady || access.kind == AccessKind::Read)
    return;
  const Array *array = findArray(program, *frame.function, access.array);
  bool isInteger = array && (array->type.kind == Kind::Signed || array->type.kind == Kind::Unsigned || array->type.kind == Kind::Bool);
  bool isBehind = array && ((array->storage == Storage::Parameter && !array->isScalar()) || array->storage == Storage::Alias ||
                            array->storage == Storage::Given || array->isPointee);
  if (!isInteger || !isBehind)
    return;
  SteadyElement &written = writtenBehind.emplace_back();
  written.array = mapped.array;
  for (const Subscript &subscript : mapped.subscripts)
    written.subscripts.push_back(subscript.value);
}

std::vector<SteadyElement> Inliner::mapSteady(llvm::ArrayRef<SteadyElement> steady, Frame &frame) {
  std::vector<SteadyElement> mapped;
  for (const SteadyElement &one : steady) {
    Access access;
    access.array = one.array;
    for (const std::optional<Expr> &subscript : one.subscripts)
      access.subscripts.push_back({subscript, {}, {}});
    access = mapAccess(access, frame);
    SteadyElement &to = mapped.emplace_back();
    to.array = access.array;
    for (const Subscript &subscript : access.subscripts)
      to.subscripts.push_back(subscript.value);
  }
  return mapped;
}

/// Does a write that was noted since then reach one of the elements, as far as is known?
bool Inliner::isWrittenBehind(llvm::ArrayRef<SteadyElement> steady, size_t mark) const {
  auto isApart = [](const SteadyElement &a, const SteadyElement &b) {
    if (a.subscripts.size() != b.subscripts.size())
      return false;
    for (size_t d = 0; d < a.subscripts.size(); ++d)
      if (a.subscripts[d] && b.subscripts[d] && (*a.subscripts[d] - *b.subscripts[d]).constant().value_or(0) != 0)
        return true;
    return false;
  };
  for (const SteadyElement &one : steady) {
    Names objects = objectsOf({one.array});
    for (const SteadyElement &written : llvm::ArrayRef(writtenBehind).drop_front(mark)) {
      if (written.array == one.array && !isApart(written, one))
        return true;
      if (unknownArguments.count(written.array) || unknownArguments.count(one.array)) // `&s.m` of a struct that has a name for it
        return true;
      bool isSame = written.array != one.array && (isAlias(written.array) || isAlias(one.array)) &&
                    llvm::any_of(objectsOf({written.array}), [&](const std::string &name) { return llvm::is_contained(objects, name); });
      if (isSame)
        return true;
    }
  }
  return false;
}

/// Any number of turns, any element, under any condition.
static void loosen(Block &block) {
  Block out;
  for (Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      std::string trips = loop->index + ".trips";
      out.emplace_back(Define{trips, Expr(0), {}, {}, "a value that the loop may write", loop->location});
      loop->upper = loop->lower + Expr(loop->step) * (Expr::symbol(trips) - 1);
      loop->mayExitEarly = true;
      loop->endsInside = false;
      loop->hints = {};
      loop->steady = {};
      loosen(loop->body);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      branch->condition.anyOf.clear();
      branch->condition.exact = false;
      loosen(branch->then);
      loosen(branch->otherwise);
    } else if (auto *access = std::get_if<Access>(&node.kind)) {
      access->subscripts.assign(access->subscripts.size(), Subscript());
      access->may = true;
      access->induction = false;
      access->value = {};
    } else if (auto *define = std::get_if<Define>(&node.kind)) {
      *define = Define{define->symbol, {}, {}, {}, define->reason, define->location};
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      loosen(host->body);
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
    if (mapped && mapped->constant().value_or(0) < 0)
      return &value;
  }
  return nullptr;
}

/// The body that the call stands for, with nothing in it that rests on what does not hold.
void Inliner::distrust(Block &block, const Call &call, const std::string &why) {
  loosen(block);
  result.findings.push_back({Rule::UnknownTripCount, Level::Remark, call.location, why + "; its loops stay on the host"});
}
