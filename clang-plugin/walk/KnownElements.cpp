//===- clang-plugin/walk/KnownElements.cpp - What local arrays hold ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Programs choose what a function does by flags in a small array:
//
//   int fields[15] = {0};
//   fields[PRESSURE] = fields[DENSITY] = 1;
//   update_halo(fields, 2);                 if (fields[ENERGY] == 1) ... does nothing in this call
//
// Each element of a local array of integers is known from where it is set, by a subscript that is a number,
// up to where anything may write it: whatever is made passes by forgetElements.
//
//===----------------------------------------------------------------------===//
#include "MadeBefore.h"
#include "OpenLoop.h"
#include "StandIns.h"

namespace busfare::frontend {

/// Arrays up to this size are followed: flags and dimensions.
static constexpr uint64_t mostElements = 64;

/// The element's subscripts, if it is one of a local array of integers, and they are numbers.
std::optional<std::vector<int64_t>> Walker::elementOfLocal(const Place &place) const {
  auto found = st.objects.find(place.at.object);
  if (found == st.objects.end() || hasLabels || place.partial || place.at.inside || !place.variable.empty() ||
      place.type.isNull())
    return std::nullopt;
  const Object &object = found->second;
  const bool isPlain = object.array.storage == Storage::Local && !object.array.extents.empty() &&
                       object.array.extents.size() == place.at.index.size() && object.rowsOf.empty();
  if (!isPlain || place.type.isVolatileQualified() || classOf(place.type) != TypeClass::Integer) return std::nullopt;
  if (object.element.isNull() || !context.hasSameUnqualifiedType(object.element, place.type)) return std::nullopt;
  std::vector<int64_t> index;
  for (const auto &one : place.at.index)
    if (auto number = one ? one->constant() : std::nullopt) index.push_back(*number);
    else return std::nullopt;
  return index;
}

/// An element has just been set to a value.
void Walker::noteElement(const Place &place, const Value &value) {
  if (value.expr.isPoisoned()) return;
  auto index = elementOfLocal(place);
  if (!index) return;
  auto &known = st.env.elements[place.at.object];
  if (known.size() < mostElements || known.count(*index)) known.insert_or_assign(std::move(*index), value);
}

std::optional<Value> Walker::knownElement(const Place &place) const {
  auto array = st.env.elements.find(place.at.object);
  if (array == st.env.elements.end()) return std::nullopt;
  auto index = elementOfLocal(place);
  auto element = index ? array->second.find(*index) : array->second.end();
  return element == array->second.end() ? std::nullopt : std::optional(element->second);
}

/// What an expression gives that has just been walked, and changes nothing; nothing if that has no name yet.
std::optional<Value> Walker::valueAgain(const clang::Expr *expr) {
  if (expr->isValueDependent() || expr->HasSideEffects(context) || classOf(expr->getType()) != TypeClass::Integer)
    return std::nullopt;
  const unsigned mark = st.counter;
  std::optional<Value> value;
  accessesOf([&] { value = integer(expr); });
  return isMadeBefore(st, value->expr, mark) ? value : std::nullopt;
}

/// `int fields[15] = {1, 0, 3};` has just been written whole; `list` is as Clang has completed it.
void Walker::noteElements(const Place &array, const clang::InitListExpr *list) {
  const auto *type = context.getAsConstantArrayType(array.type);
  if (!type || type->getElementType()->isArrayType() || type->getSize().ugt(mostElements)) return;
  for (uint64_t k = 0; k < type->getSize().getZExtValue(); ++k) {
    const clang::Expr *init = k < list->getNumInits() ? list->getInit(k) : list->getArrayFiller();
    const bool isZero = !init || llvm::isa<clang::ImplicitValueInitExpr>(init);
    const std::optional<Value> value = isZero ? std::optional(Value{Symbolic(0)}) : valueAgain(init);
    if (!value) continue;
    Place element = array;
    element.type = type->getElementType();
    element.at.index = {Symbolic(int64_t(k))};
    noteElement(element, *value);
  }
}

/// Of arrays that running it may write.
void Walker::forgetElements(const Node &node) {
  auto forget = [&](const std::string &array) {
    auto written = st.objects.find(array);
    if (written == st.objects.end()) return st.env.elements.clear();
    const Object &object = written->second;
    if (object.array.storage == Storage::Alias && object.array.mayBe.empty()) return st.env.elements.clear();
    for (const std::string &one : object.array.mayBe) st.env.elements.erase(one);
    st.env.elements.erase(array);
    if (object.isLoaded) // from where an address was stored
      for (const auto *known : {&st.escaped, &st.lent})
        for (const std::string &one : *known) st.env.elements.erase(one);
  };
  auto inAll = [&](const Block &block) {
    for (const Node &inner : block) forgetElements(inner);
  };
  if (const auto *access = std::get_if<Access>(&node.kind)) {
    if (std::optional<size_t> given = placeOfGiven(access->array))
      for (const auto &[name, elements] : std::map(st.env.elements))
        if (isPartOfAny(name, givenAway[*given].written)) forget(name);
    if (access->kind == AccessKind::Read) return;
    auto known = st.env.elements.find(access->array);
    std::vector<int64_t> index;
    for (const skeleton::Subscript &subscript : access->subscripts)
      if (auto number = subscript.value ? subscript.value->constant() : std::nullopt) index.push_back(*number);
    if (known == st.env.elements.end() || index.empty() || index.size() != access->subscripts.size() ||
        access->bytewise)
      forget(access->array);
    else known->second.erase(index);
  } else if (const auto *host = std::get_if<skeleton::HostStatement>(&node.kind)) {
    if (host->message) st.env.elements.clear();
    inAll(host->body);
  } else if (const auto *loop = std::get_if<skeleton::Loop>(&node.kind)) {
    inAll(loop->body);
  } else if (const auto *branch = std::get_if<skeleton::Branch>(&node.kind)) {
    inAll(branch->then), inAll(branch->otherwise);
  } else if (const auto *call = std::get_if<skeleton::Call>(&node.kind)) {
    for (const auto &argument : call->arguments)
      if (const auto *array = std::get_if<skeleton::ArrayArgument>(&argument)) forget(array->array);
  } else if (!std::holds_alternative<skeleton::Operations>(node.kind) &&
             !std::holds_alternative<skeleton::Define>(node.kind) &&
             !std::holds_alternative<skeleton::Allocate>(node.kind) &&
             !std::holds_alternative<skeleton::Free>(node.kind) && !std::holds_alternative<skeleton::End>(node.kind))
    st.env.elements.clear();
}

/// After a call: `before` is what was known in front of it. Arrays that it is given, and leaves alone, are what they
/// were.
void Walker::keepElements(std::map<std::string, KnownElements> before, const Summary &known,
                          llvm::ArrayRef<Pointer> arguments, const skeleton::Call &made) {
  for (const auto *reached : {&st.escaped, &st.lent})
    for (const std::string &one : *reached) st.env.elements.erase(one);
  if (known.doesOpaqueThings || known.storesAnywhere || known.waits || known.isRecursive) return;
  auto isWritten = [&](const std::string &array) {
    for (unsigned k = 0; k < arguments.size(); ++k)
      if (arguments[k].object == array && (k >= known.writesFormal.size() || known.writesFormal[k])) return true;
    // By another way than an argument of the source.
    for (size_t k = known.writesFormal.size(); k < made.arguments.size(); ++k)
      if (const auto *given = std::get_if<skeleton::ArrayArgument>(&made.arguments[k]); given && given->array == array)
        return true;
    return st.escaped.count(array) || st.lent.count(array);
  };
  for (auto &[array, elements] : before)
    if (!isWritten(array)) st.env.elements[array] = std::move(elements);
}

/// In front of a loop: an iteration before may have written what the next one reads.
void Walker::forgetElementsOf(const clang::Stmt *loop) {
  for (auto array = st.env.elements.begin(); array != st.env.elements.end();) {
    std::set<const clang::FunctionDecl *> seen;
    auto found = st.objects.find(array->first);
    const bool stays = loop && found != st.objects.end() && !mayExchange(loop) &&
                       !mayWriteInteger(loop, array->first, bytesOf(found->second.element, context), seen);
    array = stays ? std::next(array) : st.env.elements.erase(array);
  }
}

/// What a loop sets that does nothing but set each element to the same number: `for (int &f : fields) f = 0;`
std::optional<Walker::Filled> Walker::filledBy(const OpenLoop &open) {
  const skeleton::Loop &loop = open.loop;
  const clang::Stmt *body = open.parts.body;
  if (const auto *block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body); block && block->size() == 1)
    body = block->body_front();
  const auto *set = llvm::dyn_cast_or_null<clang::BinaryOperator>(body);
  clang::Expr::EvalResult number;
  const bool isSet = set && set->getOpcode() == clang::BO_Assign && !set->getRHS()->isValueDependent() &&
                     set->getRHS()->EvaluateAsInt(number, context);
  if (!isSet || !number.Val.getInt().isRepresentableByInt64() || loop.mayExitEarly || loop.step != 1 ||
      loop.body.size() != 1)
    return std::nullopt;
  const auto *write = std::get_if<Access>(&loop.body.front().kind);
  const std::optional<int64_t> first = loop.lower.constant(), last = loop.upper.constant();
  if (!write || write->kind != AccessKind::Write || write->may || write->subscripts.size() != 1 || !first || !last ||
      *last - *first >= int64_t(mostElements))
    return std::nullopt;
  if (!st.objects.count(write->array) || write->subscripts[0].value != Symbolic::symbol(loop.index))
    return std::nullopt;
  return Filled{write->array, *first, *last, number.Val.getInt().getExtValue()};
}

void Walker::noteFilled(const Filled &filled) {
  for (int64_t k = filled.first; k <= filled.last; ++k) {
    Place element;
    element.at.object = filled.array;
    element.at.index = {Symbolic(k)};
    element.type = object(filled.array).element;
    noteElement(element, Value{Symbolic(filled.number)});
  }
}

/// Behind a loop: what was known in front of it, and no iteration has changed.
void Walker::keepElementsOf(const Environment &before) {
  std::map<std::string, KnownElements> kept;
  for (const auto &[array, elements] : before.elements)
    if (auto now = st.env.elements.find(array); now != st.env.elements.end() && now->second == elements)
      kept.insert({array, elements});
  st.env.elements = std::move(kept);
}

std::map<std::string, KnownElements> Walker::mergeElements(const Environment &one, const Environment &other) const {
  std::map<std::string, KnownElements> merged;
  for (const auto &[array, elements] : one.elements)
    if (auto same = other.elements.find(array); same != other.elements.end())
      for (const auto &[index, number] : elements)
        if (auto element = same->second.find(index); element != same->second.end() && element->second == number)
          merged[array][index] = number;
  return merged;
}

} // namespace busfare::frontend
