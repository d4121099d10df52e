//===- brs/Treatment.cpp - What removes a variable's dependences ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For an array the pairs are asked first: usually there is no conflict. For a
// scalar the treatments are tried first: there nearly always is one.
//
//===----------------------------------------------------------------------===//
#include "brs/Treatment.h"
#include "brs/Presburger.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

/// A loop is serial for one reason; more than so many unknown pairs say nothing new.
constexpr unsigned maxUnknownPairs = 4;

bool reads(const Access &access) { return access.kind != AccessKind::Write; }
bool writes(const Access &access) { return access.kind != AccessKind::Read; }

bool isReduction(llvm::ArrayRef<const Site *> sites) {
  for (const Site *site : sites)
    if (site->access->kind != AccessKind::Update || site->access->op == ReductionOp::None ||
        site->access->op != sites.front()->access->op)
      return false;
  return true;
}

/// Without accesses that say the same again.
llvm::SmallVector<const Site *, 16> distinct(llvm::ArrayRef<const Site *> sites) {
  llvm::SmallVector<const Site *, 16> result;
  for (const Site *site : sites) {
    bool isNew = true;
    for (const Site *other : result)
      isNew &= !(other->path == site->path && other->access->kind == site->access->kind &&
                 other->access->may == site->access->may && other->access->subscripts == site->access->subscripts &&
                 other->access->part == site->access->part);
    if (isNew) result.push_back(site);
  }
  return result;
}

llvm::StringRef clauseOperator(ReductionOp op) {
  switch (op) {
  case ReductionOp::None: return "";
  case ReductionOp::Add: return "+";
  case ReductionOp::Multiply: return "*";
  case ReductionOp::Min: return "min";
  case ReductionOp::Max: return "max";
  case ReductionOp::BitAnd: return "&";
  case ReductionOp::BitOr: return "|";
  case ReductionOp::BitXor: return "^";
  case ReductionOp::And: return "&&";
  case ReductionOp::Or: return "||";
  }
  return "";
}

std::string whyUnknown(const Access &source, const Access &sink) {
  for (const Access *access : {&source, &sink})
    for (const Subscript &subscript : access->subscripts)
      if (!subscript.value || subscript.value->isPoisoned()) return anyElement;
  return notExcluded;
}

} // namespace

/// A local of a function that is called inside the loop: new for each call. Inline names it `callee@LINE:name`, one
/// prefix for each call on the way; the loop itself was reached through `context`.
bool Treatments::isOfCallInside(size_t loop, const std::string &name) const {
  const Array *array = table.array(name);
  size_t calls = size_t(std::count(name.begin(), name.end(), '@'));
  return array && array->storage == Storage::Local && calls > table.loops[loop].loop->context.size();
}

bool Treatments::hasOwnCopy(size_t loop, const std::string &name) const {
  if (isOfCallInside(loop, name)) return true;
  // Each iteration of the loop has its own if the owner is this loop or one inside it.
  for (int k = ownerOf(table, name); k >= 0; k = table.loops[size_t(k)].parent)
    if (k == int(loop)) return true;
  return false;
}

bool Treatments::findConflicts(size_t loop, llvm::ArrayRef<const Site *> sites, Treatment &result) {
  llvm::SmallVector<const Site *, 16> all = distinct(sites);
  unsigned unknown = 0, asked = 0;
  auto ask = [&](const Site &source, const Site &sink, CarriedDependence::Kind kind) {
    Conflict conflict = conflicts.between(loop, source, sink);
    if (conflict.exists == Answer::No) return;
    CarriedDependence found;
    found.array = source.access->array;
    found.source = source.location();
    found.sink = sink.location();
    found.example = textOf(*source.access) + " -> " + textOf(*sink.access) + ": ";
    if (conflict.exists == Answer::Yes && conflict.isOpen) { // the hint's word is that these sizes are such
      found.kind = CarriedDependence::Kind::Unknown;
      found.example += conflict.example;
      result.dependences.push_back(std::move(found));
      ++unknown;
      return;
    }
    if (conflict.exists == Answer::Yes) {
      found.kind = kind;
      found.example += conflict.example;
      result.refuted = true;
      result.dependences.insert(result.dependences.begin(), std::move(found));
      return;
    }
    found.kind = CarriedDependence::Kind::Unknown;
    found.example += whyUnknown(*source.access, *sink.access);
    result.dependences.push_back(std::move(found));
    ++unknown;
  };
  // Flow first: it is the dependence that a reader recognises.
  for (int pass = 0; pass < 3; ++pass)
    for (const Site *source : all)
      for (const Site *sink : all) {
        if (result.refuted || unknown >= maxUnknownPairs) return true;
        const Access &a = *source->access, &b = *sink->access;
        // Looking at the clock costs as much as a cheap question.
        if (++asked % 64 == 0 && effortIsSpent()) {
          CarriedDependence found;
          found.kind = CarriedDependence::Kind::Unknown;
          found.array = a.array;
          found.source = a.location;
          found.sink = b.location;
          found.example = "too many accesses to compare within the effort allowed";
          result.dependences.push_back(std::move(found));
          return true;
        }
        bool flow = writes(a) && reads(b), output = writes(a) && writes(b), anti = reads(a) && writes(b);
        if (pass == 0 && flow) ask(*source, *sink, CarriedDependence::Kind::Flow);
        else if (pass == 1 && output && !flow) ask(*source, *sink, CarriedDependence::Kind::Output);
        else if (pass == 2 && anti && !flow && !output) ask(*source, *sink, CarriedDependence::Kind::Anti);
      }
  return !result.dependences.empty();
}

std::optional<Need> Treatments::privatize(size_t loop, const Array &array, bool isRead) {
  // A loop whose iterations all do the same, a time loop: a copy of the array for each gains nothing. An array that
  // no iteration reads is no scratch memory but a result, which copies would throw away.
  if (!array.isScalar() && (!table.loops[loop].usesIndex || !isRead)) return std::nullopt;
  if (!aliases.isOneObject(array.name) || liveness.mayReadOlder(loop, array.name)) return std::nullopt;
  if (!liveness.mayBeLiveAfter(loop, array.name))
    return Need{array.isScalar() ? Need::Kind::Private : Need::Kind::ArrayPrivate, array.name, ""};
  if (liveness.isSurelyWritten(loop, array.name)) return Need{Need::Kind::LastPrivate, array.name, ""};
  return std::nullopt;
}

/// An element that several iterations update may be touched otherwise by none of them: that would be a pair, too.
ReductionOp Treatments::reducedWhereTheyMeet(size_t loop, llvm::ArrayRef<const Site *> sites) {
  ReductionOp op = ReductionOp::None;
  for (const Site *site : sites) {
    if (site->access->kind != AccessKind::Update || site->access->op == ReductionOp::None) continue;
    if (op != ReductionOp::None && op != site->access->op) return ReductionOp::None;
    op = site->access->op;
  }
  if (op == ReductionOp::None) return op;
  auto reduces = [&](const Site &site) { return site.access->kind == AccessKind::Update && site.access->op == op; };
  llvm::SmallVector<const Site *, 16> all = distinct(sites);
  for (const Site *source : all)
    for (const Site *sink : all) {
      const bool isPair = writes(*source->access) || writes(*sink->access);
      if (!isPair || (reduces(*source) && reduces(*sink))) continue;
      if (effortIsSpent() || conflicts.between(loop, *source, *sink).exists != Answer::No) return ReductionOp::None;
    }
  return op;
}

/// An iteration that reads nothing of older ones only shares the memory with them: another variable's flow is the
/// better reason. What keeps a scalar from being private is its last value.
void Treatments::sayWhyKept(size_t loop, const Array &array, Treatment &result) {
  if (result.dependences.empty() || liveness.mayReadOlder(loop, array.name)) return;
  CarriedDependence &first = result.dependences.front();
  if (!array.isScalar()) {
    for (CarriedDependence &dependence : result.dependences)
      if (dependence.kind == CarriedDependence::Kind::Flow) {
        dependence.kind = CarriedDependence::Kind::Output;
        dependence.example += ", where each iteration writes before it reads";
      }
    return;
  }
  if (first.kind == CarriedDependence::Kind::Flow) first.kind = CarriedDependence::Kind::Output;
  first.example = array.name + ": its last value may be read afterwards, and not every iteration is sure to write it";
  result.dependences.resize(1);
}

/// A pointer whose expression is too long to be its name is called by its place.
static std::string spokenPointer(llvm::StringRef name, const Location &place) {
  if (!isUnnamedPointer(name) || !place.isKnown()) return name.str();
  return name.take_front(name.rfind(unnamedPointer)).str() + "the pointer used at line " + std::to_string(place.line);
}

Treatment Treatments::of(size_t loop, const std::string &name, llvm::ArrayRef<const Site *> sites) {
  Treatment result;
  const Array *array = table.array(name);
  bool isWritten = false, isInduction = true;
  for (const Site *site : sites) {
    isWritten |= writes(*site->access);
    isInduction &= site->access->induction;
  }
  if (!isWritten || hasOwnCopy(loop, name)) return result;
  if (!array || !aliases.isOneAddress(name)) {
    result.removesAll = false;
    const Location &place = sites.front()->location();
    result.dependences.push_back(
        {CarriedDependence::Kind::Unknown, name, place, place, spokenPointer(name, place) + ": " + unknownMemory});
    return result;
  }
  // Of one that an inner loop steps, and what follows it reads, the first step in an iteration uses the value that the
  // iteration begins with, though no access says so: its closed form stands for that.
  isInduction |= sites.front()->access->induction;
  if (array->isScalar() && isInduction) {
    bool isLive = liveness.mayBeLiveAfter(loop, name);
    result.needs.push_back({isLive ? Need::Kind::LastPrivate : Need::Kind::Private, name, "induction"});
    result.refuted = true;
    return result;
  }
  if (!array->isScalar() && !findConflicts(loop, sites, result)) return result;
  std::optional<Need> need;
  if (isReduction(sites) && aliases.isOneObject(name)) // a copy for each thread needs a name and a size
    need = Need{Need::Kind::Reduction, name, clauseOperator(sites.front()->access->op).str()};
  else need = privatize(loop, *array, llvm::any_of(sites, [](const Site *site) { return reads(*site->access); }));
  if (!need && !array->isScalar() && aliases.isOneObject(name))
    if (ReductionOp op = reducedWhereTheyMeet(loop, sites); op != ReductionOp::None)
      need = Need{Need::Kind::Reduction, name, clauseOperator(op).str()};
  if (need) {
    // Of an array: whether there is anything to treat.
    bool isRefuted = array->isScalar() || result.refuted;
    result = Treatment();
    result.refuted = isRefuted;
    result.needs.push_back(std::move(*need));
    return result;
  }
  if (array->isScalar() && !findConflicts(loop, sites, result)) return result;
  result.removesAll = false;
  sayWhyKept(loop, *array, result);
  return result;
}
