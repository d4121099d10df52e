//===- clang-plugin/port/DevicePart.cpp - Where a pointer leads on the device -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/DevicePart.h"
#include "clang-plugin/port/MapItem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {

/// Is every element that the kernel touches through the pointer surely none before the one it points to? Then that one
/// is in the array, or nothing is touched: `&u[n]` of n elements leads nowhere.
static bool staysBehind(llvm::ArrayRef<skeleton::Node> block, const std::string &flat, const ArrayName &name,
                        const brs::Context &facts, const KernelQuestion &q) {
  using namespace skeleton;
  return llvm::all_of(block, [&](const Node &node) {
    if (auto *inner = std::get_if<skeleton::Loop>(&node.kind)) {
      brs::Context inside = facts;
      const skeleton::Expr index = skeleton::Expr::symbol(inner->index);
      inside.assume(inner->step > 0 ? index - inner->lower : inner->lower - index);
      inside.assume(inner->step > 0 ? inner->upper - index : index - inner->upper);
      return staysBehind(inner->body, flat, name, inside, q);
    }
    if (auto *branch = std::get_if<skeleton::Branch>(&node.kind))
      return staysBehind(branch->then, flat, name, facts, q) && staysBehind(branch->otherwise, flat, name, facts, q);
    auto *access = std::get_if<skeleton::Access>(&node.kind);
    if (!access || access->array != flat) return true;
    // Another variable's, by how it is spelled.
    if (std::optional<unsigned> at =
            node.path == q.place.path ? q.place.source->offsetAt(access->location) : std::nullopt) {
      llvm::StringRef word =
          q.place.source->text.substr(*at).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
      llvm::StringRef rest = q.place.source->text.substr(*at + word.size()).ltrim();
      if (name.variable && !word.empty() && word != name.variable->getName() && rest.starts_with("[")) return true;
    }
    const Array *array = q.root.arrays.find(flat);
    skeleton::Expr position = 0, pitch = 1;
    for (size_t d = access->subscripts.size(); d-- > 0;) {
      if (!array || !access->subscripts[d].value || (d > 0 && !array->extents[d])) return false;
      position = position + *access->subscripts[d].value * pitch;
      if (d > 0) pitch = pitch * *array->extents[d];
    }
    position = position - name.offset;
    return !position.isPoisoned() && brs::isNonNegative(position, facts) == brs::Answer::Yes;
  });
}

bool leadsToDevice(const brs::ArrayTransfers &array, const ArrayName &name, const KernelQuestion &q) {
  using skeleton::Expr;
  auto hull = linearHull(array, q.root, q.facts);
  if (!hull) return false;
  auto isSure = [&](const Expr &expr) {
    return !expr.isPoisoned() && brs::isNonNegative(expr, q.facts) == brs::Answer::Yes;
  };
  if (isSure(name.offset - hull->first) && isSure(hull->second - name.offset)) return true;
  Expr all = 1;
  for (const std::optional<Expr> &extent : array.extents) all = extent ? all * *extent : Expr::poisoned();
  if (all.isPoisoned() || !hull->first.isZero() || hull->second != all - 1) return false;
  skeleton::Block kernel;
  kernel.emplace_back(*q.kernel.loop);
  kernel.back().path = q.place.path;
  brs::Context facts = q.facts;
  for (const Expr &extent : name.row) // of a type that the program made
    facts.assume(extent - 1);
  return staysBehind(kernel, array.name, name, facts, q);
}

} // namespace busfare::frontend::port
