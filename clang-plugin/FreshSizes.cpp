//===- clang-plugin/FreshSizes.cpp - Sizes that a callee leaves in fields ---===//
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
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// What a caller's field, or a global, leads to on entry goes by the same name.
bool Walker::hasMemoryOnEntry(const std::string &memory) const { return st.fieldOrigins.count(memory) && !isResultField(memory); }

/// Sizes made of symbols that an inner block defines are what these are called outside of it. All places that allocate the memory
/// may have been met by now.
void Walker::exportSizes(llvm::function_ref<bool(const Symbolic &)> isInner, const std::map<Symbolic, Symbolic> &outside) {
  for (auto &[memory, size] : st.env.sizes) {
    std::vector<Symbolic> equals;
    for (const Symbolic &one : size.equals) {
      auto named = outside.find(one);
      if (named != outside.end()) equals.push_back(named->second);
      else if (!isInner(one)) equals.push_back(one);
    }
    size.equals = std::move(equals);
    auto known = st.objects.find(memory);
    if (known == st.objects.end() || size.equals.empty() || hasMemoryOnEntry(memory) || size.allocations.size() != known->second.allocations) continue;
    auto &extents = known->second.array.extents;
    if (extents.size() == 1 && !extents[0]) extents[0] = size.equals.front();
  }
}

/// Behind a loop: what it has allocated there is, if it ran, and what was there before if not.
void Walker::mergeSizesOfLoop(const Environment &before) {
  for (auto &[memory, size] : st.env.sizes) {
    auto old = before.sizes.find(memory);
    const bool isKept = old != before.sizes.end() ? old->second == size : !hasMemoryOnEntry(memory);
    if (!isKept) size.equals.clear();
  }
}

/// At each return the field holds the size of the memory, if that was allocated on the way.
bool Walker::holdsSizeAtEnd(const std::string &field, const std::string &memory) const {
  bool isAllocated = false;
  for (const Environment &env : returns) {
    auto size = env.sizes.find(memory);
    if (size == env.sizes.end() && isResultField(memory)) continue;
    auto value = env.integers.find(field);
    if (size == env.sizes.end() || value == env.integers.end() || !llvm::is_contained(size->second.equals, value->second.expr)) return false;
    isAllocated = true;
  }
  return isAllocated;
}

void Walker::summarizeFreshCounts() {
  for (const std::string &memory : st.objectOrder) {
    const Object &made = st.objects[memory];
    auto pointer = st.fieldOrigins.find(memory);
    const bool isPlain = pointer != st.fieldOrigins.end() && handleOf(pointer->second.type) == Handle::None; // containers say it themselves
    if (made.allocations == 0 || made.originPath.empty() || !isPlain) continue;
    for (const auto &[field, origin] : st.fieldOrigins)
      if (classOf(origin.type) == TypeClass::Integer && holdsSizeAtEnd(field, memory)) summary.freshCounts[memory].insert({origin.position, origin.suffix});
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

} // namespace busfare::frontend
