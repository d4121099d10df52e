//===- clang-plugin/walk/FreshSizes.cpp - Sizes that a callee leaves behind -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How much memory a function allocates its callers cannot always compute; but where a field
// of theirs holds the number when it returns, it is what they find there.
//
//   void load(struct grid *g, FILE *f) {
//     fread(&g->n, sizeof g->n, 1, f);
//     g->u = malloc(g->n * 8);              freshCounts["g->u"] = (0, "n")
//   }
//   load(&h, f);                            h.u : f64[h.n], h.n as load has left it
//
// So it is with what it finds behind a pointer that it was given, if nothing can have written that later.
//
//   int *made(int *most) { .. return malloc(*most * 4); }    leftBehind["most"] = 0
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "skeleton/Visit.h"

namespace busfare::frontend {

/// What a caller's field, or a global, leads to on entry goes by the same name.
bool Walker::hasMemoryOnEntry(const std::string &memory) const {
  return st.fieldOrigins.count(memory) && !isResultField(memory);
}

/// Sizes made of symbols that an inner block defines are what these are called outside of it. All places that allocate
/// the memory may have been met by now.
void Walker::exportSizes(llvm::function_ref<bool(const Symbolic &)> isInner,
                         const std::map<Symbolic, Symbolic> &outside) {
  auto isExported = [&](Symbolic &one) {
    auto named = outside.find(one);
    if (named != outside.end()) one = named->second;
    return named != outside.end() || !isInner(one);
  };
  for (auto &[memory, size] : st.env.sizes) {
    llvm::erase_if(size.equals, [&](Symbolic &one) { return !isExported(one); });
    llvm::erase_if(size.ifOnEntry, [&](skeleton::Remade &one) { return !isExported(one.then); });
    auto known = st.objects.find(memory);
    if (known == st.objects.end() || size.equals.empty() || hasMemoryOnEntry(memory) ||
        size.allocations.size() != known->second.allocations)
      continue;
    auto &extents = known->second.array.extents;
    if (extents.size() == 1 && !extents[0]) extents[0] = size.equals.front();
  }
}

/// On this side of a branch: memory that was made only where other facts hold is not there.
void Walker::dropExcludedSizes() {
  for (auto size = st.env.sizes.begin(); size != st.env.sizes.end();) {
    const bool isExcluded =
        llvm::any_of(size->second.when, [&](const Symbolic &fact) { return st.ranges.isNonNegative(-fact - 1); });
    size = isExcluded ? st.env.sizes.erase(size) : std::next(size);
  }
}

/// Behind a loop: what it has allocated there is, if it ran, and what was there before if not.
void Walker::mergeSizesOfLoop(const Environment &before) {
  for (auto &[memory, size] : st.env.sizes) {
    auto old = before.sizes.find(memory);
    const bool isKept = old != before.sizes.end() ? old->second == size : !hasMemoryOnEntry(memory);
    if (!isKept) size.equals.clear(), size.ifOnEntry.clear();
  }
}

/// At each return the field holds the size of the memory, if that was allocated on the way.
bool Walker::holdsSizeAtEnd(const std::string &field, const std::string &memory) const {
  bool isAllocated = false;
  for (const Environment &env : returns) {
    auto size = env.sizes.find(memory);
    if (size == env.sizes.end() && isResultField(memory)) continue;
    auto value = env.integers.find(field);
    if (size == env.sizes.end() || value == env.integers.end() ||
        !llvm::is_contained(size->second.equals, value->second.expr))
      return false;
    isAllocated = true;
  }
  return isAllocated;
}

void Walker::summarizeFreshCounts() {
  for (const std::string &memory : st.objectOrder) {
    const Object &made = st.objects[memory];
    auto pointer = st.fieldOrigins.find(memory);
    const bool isPlain = pointer != st.fieldOrigins.end() &&
                         handleOf(pointer->second.type) == Handle::None; // containers say it themselves
    if (made.allocations == 0 || made.originPath.empty() || !isPlain) continue;
    for (const auto &[field, origin] : st.fieldOrigins)
      if (classOf(origin.type) == TypeClass::Integer && holdsSizeAtEnd(field, memory))
        summary.freshCounts[memory].insert({origin.position, origin.suffix});
  }
}

/// What a callee has allocated under this name is as large as the variable says behind the call.
void Walker::takeOverCount(const std::string &memory, const std::string &variable) {
  auto value = st.env.integers.find(variable);
  Object &made = object(memory);
  if (value == st.env.integers.end() || value->second.expr.isPoisoned() || made.array.extents.size() != 1) return;
  st.env.sizes[memory].equals.push_back(value->second.expr);
  if (made.array.extents[0] || made.allocations > 1 || isInLoop()) return; // more is said where the ways meet
  made.array.extents[0] = value->second.expr;
  const Symbolic bytes = value->second.expr * Symbolic(int64_t(std::max<uint64_t>(made.array.type.bytes, 1)));
  if (!bytes.isPoisoned()) made.bytes = bytes;
}

/// Pointers in a struct that was passed by value are the function's own: callers' names stay with what it has replaced.
void Walker::noteRemade() {
  for (auto &[memory, made] : st.objects) {
    if (made.allocations == 0 || made.array.extents.size() != 1 || made.originPath.empty() ||
        !isCopyAt(function, made.origin))
      continue;
    std::optional<std::vector<skeleton::Remade>> all;
    for (const Environment &env : returns) {
      auto size = env.sizes.find(memory);
      const bool isWhole = size != env.sizes.end() && size->second.allocations.size() == made.allocations;
      const std::vector<skeleton::Remade> here = isWhole ? size->second.ifOnEntry : std::vector<skeleton::Remade>();
      if (!all) all = here;
      else llvm::erase_if(*all, [&](const skeleton::Remade &one) { return !llvm::is_contained(here, one); });
    }
    if (all && !all->empty()) made.array.remade = all->front();
  }
}

/// What a callee gets in a struct by value it may replace: then it matters how large it is, by the numbers that it is
/// given.
void Walker::countCopies(skeleton::Call &made, const Summary &known, const clang::FunctionDecl *definition) {
  for (size_t k = 0; k < known.extras.size(); ++k) {
    const ExtraFormal &extra = known.extras[k];
    auto *given =
        std::get_if<skeleton::ArrayArgument>(&made.arguments[made.arguments.size() - known.extras.size() + k]);
    const bool isReplaced =
        isCopyAt(definition, extra.position) && known.writtenFields.count({extra.position, extra.suffix});
    auto size = given && isReplaced ? st.env.sizes.find(given->array) : st.env.sizes.end();
    if (size == st.env.sizes.end()) continue;
    for (const Symbolic &one : size->second.equals)
      if (llvm::any_of(made.arguments, [&](const auto &argument) {
            const auto *value = std::get_if<skeleton::ValueArgument>(&argument);
            return value && value->value == one;
          }))
        given->counts.push_back(one);
  }
}

/// Surely writes nothing that callers have a pointer to.
bool Walker::leaves(const Node &node, const std::string &memory) const {
  bool isWritten = false;
  skeleton::forEachNode({node}, [&](const Node &one) {
    if (const auto *access = std::get_if<Access>(&one.kind); access && access->kind != AccessKind::Read) {
      auto known = st.objects.find(access->array);
      const bool isOwn = known != st.objects.end() && (known->second.array.storage == Storage::Heap ||
                                                       known->second.array.storage == Storage::Local);
      isWritten |= access->array == memory || !isOwn;
    }
    const auto *host = std::get_if<skeleton::HostStatement>(&one.kind);
    isWritten |= std::holds_alternative<skeleton::Call>(one.kind) ||
                 std::holds_alternative<skeleton::Rotate>(one.kind) || (host && skeleton::touchesExposed(*host));
  });
  return !isWritten;
}

/// The formal whose integer this was when it was loaded, and is at the end.
std::optional<unsigned> Walker::leftBehindFormal(const Block &body, const std::string &symbol) {
  auto load = llvm::find_if(body, [&](const Node &node) {
    auto *define = std::get_if<skeleton::Define>(&node.kind);
    return define && define->symbol == symbol;
  });
  if (load == body.end()) return std::nullopt;
  const auto &from = std::get<skeleton::Define>(load->kind).from;
  auto memory = from ? st.objects.find(from->array) : st.objects.end();
  if (memory == st.objects.end() || from->element.size() != memory->second.array.extents.size()) return std::nullopt;
  const bool isFirst = from->scale == 1 && from->offset == Symbolic(0) &&
                       llvm::all_of(from->element, [](const auto &index) { return index == Symbolic(0); });
  const bool isLeft =
      std::all_of(std::next(load), body.end(), [&](const Node &node) { return leaves(node, memory->first); });
  if (!isFirst || !isLeft) return std::nullopt;
  return formalNaming(memory->first);
}

void Walker::summarizeLeftBehind(const Block &body) {
  if (!summary.freshBytes) return;
  for (const std::string &symbol : summary.freshBytes->symbols()) {
    const bool isFormal = llvm::any_of(summary.function.parameters,
                                       [&](const skeleton::Parameter &formal) { return formal.name == symbol; });
    if (std::optional<unsigned> formal = isFormal ? std::nullopt : leftBehindFormal(body, symbol))
      summary.leftBehind[symbol] = *formal;
  }
}

/// What the variable holds behind the call whose address, or which by reference, the argument is.
std::optional<Symbolic> Walker::leftInArgument(const clang::Expr *argument, clang::QualType formal) {
  if (formal->isReferenceType()) argument = boundPlace(argument);
  else {
    const auto *address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenImpCasts());
    argument = address && address->getOpcode() == clang::UO_AddrOf ? address->getSubExpr()->IgnoreParens() : nullptr;
  }
  if (!argument) return std::nullopt;
  const bool isSameType = context.hasSameUnqualifiedType(argument->getType(), formal->getPointeeType());
  if (!isSameType || classOf(argument->getType()) != TypeClass::Integer || argument->HasSideEffects(context))
    return std::nullopt;
  const Place place = lvalue(argument);
  const Symbolic value = place.variable.empty()
                             ? Symbolic::poisoned()
                             : readInteger(place.variable, argument->getType(), locate(argument)).expr;
  return value.isPoisoned() ? std::nullopt : std::optional(value);
}

} // namespace busfare::frontend
