//===- brs/Alias.cpp - Which names may be the same memory -----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Each name is replaced by the objects it may be (an Alias by its `mayBe`, a
// rotated name by all of its rotation), then objects are compared by where their
// memory comes from:
//
//   Parameter/Parameter, Parameter/Global    IfCalled, unless one is restrict
//   Global/Global                            Never; but what a global pointer points to when
//                                            a function other than main begins: IfCalled
//   Given against any of these, or Given     IfCalled
//   Local or Heap against anything else      Never
//   two that a hint noalias(a, b) names      Never
//
//===----------------------------------------------------------------------===//
#include "brs/Alias.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

void collectRotations(const Block &block, std::map<std::string, std::set<std::string>> &out) {
  for (const Node &node : block) {
    if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      collectRotations(loop->body, out);
    } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      collectRotations(branch->then, out);
      collectRotations(branch->otherwise, out);
    } else if (const auto *rotate = std::get_if<Rotate>(&node.kind)) {
      std::set<std::string> joined;
      for (const auto &[first, second] : rotate->moves)
        for (const std::string &name : {first, second}) {
          joined.insert(name);
          joined.insert(out[name].begin(), out[name].end());
        }
      for (const std::string &name : joined) out[name] = joined;
    }
  }
}

} // namespace

std::string busfare::brs::noalias(const std::string &a, const std::string &b) {
  return a < b ? "noalias(" + a + "," + b + ")" : "noalias(" + b + "," + a + ")";
}

Aliases::Aliases(const Program &program, const Function &function)
    : program(program), function(function), arrays(program, function) {
  collectRotations(function.body, rotations);
  for (const std::vector<std::string> &group : function.hints.noalias)
    for (const std::string &a : group)
      for (const std::string &b : group)
        if (a != b) apart.emplace(a, b);
  for (const std::vector<Array> *declared : {&function.arrays, &program.globals})
    for (const Array &array : *declared)
      for (const std::vector<std::string> *others : {&array.mayBe, &array.likely})
        shared.insert(others->begin(), others->end());
}

std::set<std::string> Aliases::rotatesWith(const std::string &name) const {
  auto found = rotations.find(name);
  return found == rotations.end() ? std::set<std::string>{name} : found->second;
}

bool Aliases::isOneObject(const std::string &name) const {
  for (const std::string &member : rotatesWith(name)) {
    const Array *array = arrays.find(member);
    if (!array || array->storage == Storage::Alias) return false;
  }
  return true;
}

bool Aliases::isOneAddress(const std::string &name) const {
  const Array *array = arrays.find(name);
  return isOneObject(name) || (array && array->isFixed && rotatesWith(name).size() == 1);
}

unsigned Aliases::numberOf(const std::string &name) const {
  auto [found, isNew] = numbers.try_emplace(name, denoted.size());
  if (isNew) denoted.emplace_back();
  return found->second;
}

const Aliases::Denoted &Aliases::denotedBy(const std::string &name) const {
  const unsigned number = numberOf(name);
  if (!denoted[number]) denoted[number] = findDenoted(name);
  return *denoted[number];
}

Aliases::Denoted Aliases::findDenoted(const std::string &name) const {
  Denoted result;
  std::set<std::string> seen;
  std::vector<std::string> open = {name};
  while (!open.empty()) {
    std::string next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    for (const std::string &member : rotatesWith(next)) {
      const Array *array = arrays.find(member);
      if (!array || (array->storage == Storage::Alias && array->mayBe.empty())) {
        result.anything = true;
        if (array) open.insert(open.end(), array->likely.begin(), array->likely.end());
      } else if (array->storage == Storage::Alias) open.insert(open.end(), array->mayBe.begin(), array->mayBe.end());
      else result.objects.insert(member);
    }
  }
  result.onlyByName = !result.anything && llvm::all_of(result.objects, [&](const std::string &object) {
    const Array *array = arrays.find(object);
    return array && isOnlyNamed(*array);
  });
  return result;
}

bool Aliases::isApartFromAll(const std::string &name) const {
  return !shared.count(name) && denotedBy(name).onlyByName && !rotations.count(name);
}

Overlap Aliases::betweenObjects(const std::string &a, const std::string &b) const {
  const Array *x = arrays.find(a), *y = arrays.find(b);
  auto isOwn = [](const Array &array) { return array.storage == Storage::Local || array.storage == Storage::Heap; };
  if (apart.count({a, b})) return Overlap::Never;
  if (isOwn(*x) || isOwn(*y)) return Overlap::Never;
  if (x->storage == Storage::Global && y->storage == Storage::Global &&
      (function.name == "main" || !(x->isPointee || y->isPointee)))
    return Overlap::Never;
  if ((x->storage == Storage::Parameter && x->isRestrict) || (y->storage == Storage::Parameter && y->isRestrict))
    return Overlap::Never;
  return Overlap::IfCalled;
}

/// A pointer variable of the function, and elements that are no pointers, nor made of any.
bool Aliases::isPointerAndNumbers(llvm::StringRef variable, const std::string &name) const {
  using Kind = ElementType::Kind;
  const Array *array = arrays.find(name);
  return variable.ends_with(pointerSuffix) && !program.typesMix && array && array->type.bytes > 1 &&
         (array->type.kind == Kind::Float || array->type.kind == Kind::Complex || array->type.kind == Kind::Signed);
}

Overlap Aliases::between(const std::string &a, const std::string &b) const {
  const std::pair<unsigned, unsigned> key = std::minmax({numberOf(a), numberOf(b)});
  if (auto found = cache.find(key); found != cache.end()) return found->second;
  const Overlap found = answer(a, b);
  cache[key] = found;
  return found;
}

Overlap Aliases::answer(const std::string &a, const std::string &b) const {
  if (isPointerAndNumbers(a, b) || isPointerAndNumbers(b, a)) return Overlap::Never;
  const Denoted &left = denotedBy(a), &right = denotedBy(b);
  // Two names of one rotation are different names of different objects at any one time.
  bool exchanged = rotatesWith(a).count(b) != 0 && isOneObject(a);
  // Two pointers of which little is known may have been read from one place, if they are of one type.
  const Array *x = arrays.find(a), *y = arrays.find(b);
  const bool isOneType =
      program.typesMix || !x || !y || (x->type.bytes == y->type.bytes && x->type.kind == y->type.kind);
  Overlap result = left.onlyByName || right.onlyByName            ? Overlap::Never
                   : left.anything && right.anything && isOneType ? Overlap::Maybe
                   : left.anything || right.anything              ? Overlap::IfCalled
                                                                  : Overlap::Never;
  for (const std::string &x : left.objects)
    for (const std::string &y : right.objects) {
      if (x == y) result = exchanged ? result : Overlap::Maybe;
      else result = std::max(result, betweenObjects(x, y));
    }
  // A pointer of which little is known, by its own name.
  if (result != Overlap::Never && apart.count({a, b}) && rotatesWith(a).size() == 1 && rotatesWith(b).size() == 1)
    result = Overlap::Never;
  return result;
}
