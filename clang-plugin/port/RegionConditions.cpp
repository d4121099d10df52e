//===- clang-plugin/port/RegionConditions.cpp - What a region takes for granted, tested ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/RegionWriter.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

/// "noalias(a,b)" as a comparison of addresses at the entry; nothing if it cannot be said there.
std::optional<std::string> RegionWriter::noOverlap(llvm::StringRef assumption) {
  if (!assumption.consume_front("noalias(") || !assumption.consume_back(")"))
    return std::nullopt;
  auto [first, second] = assumption.split(',');
  std::string bounds[2][2];
  for (int k = 0; k < 2; ++k) {
    std::string array = (k ? second : first).trim().str();
    auto found = llvm::find_if(q.region.arrays, [&](const brs::ArrayTransfers &a) { return a.name == array; });
    if (found == q.region.arrays.end())
      return std::nullopt;
    std::vector<ArrayName> known = names.namesOf(array, entry);
    auto hull = linearHull(*found, q.root, inside);
    if (known.empty() || !hull || !known.front().row.empty() || !haveSizes(hull->first, entry) || !haveSizes(hull->second, entry) ||
        !haveSizes(known.front().offset, entry))
      return std::nullopt;
    bounds[k][0] = known.front().text + " + (" + text(hull->first - known.front().offset, entry) + ")";
    bounds[k][1] = known.front().text + " + (" + text(hull->second - known.front().offset + 1, entry) + ")";
  }
  auto address = [](const std::string &pointer) { return "(const char *)(" + pointer + ")"; };
  return "(" + address(bounds[0][1]) + " <= " + address(bounds[1][0]) + " || " + address(bounds[1][1]) + " <= " + address(bounds[0][0]) + ")";
}

/// All elements of an array, as it was made; nothing of memory that others made.
std::optional<Expr> RegionWriter::elementsOf(const std::string &name) const {
  if (auto known = q.root.elements.find(name); known != q.root.elements.end())
    return known->second;
  const Array *array = findArray(q.program, q.root.function, name);
  // The rows of what was allocated may be those that the accesses name.
  bool isMade = array && (array->storage == Storage::Local || array->storage == Storage::Global ||
                          (array->storage == Storage::Heap && array->extents.size() == 1));
  Expr all = 1;
  for (size_t d = 0; isMade && d < array->extents.size(); ++d)
    all = array->extents[d] ? all * *array->extents[d] : Expr::poisoned();
  return isMade && !all.isPoisoned() ? std::optional<Expr>(all) : std::nullopt;
}

/// Whatever the kernels touch is there before them and only they change it: then it does no harm if some of them never run.
bool RegionWriter::isSafeIdle() const {
  llvm::ArrayRef<Node> nodes = llvm::ArrayRef(*q.region.block).slice(q.region.first, q.region.last - q.region.first + 1);
  brs::KernelLoops loops;
  for (const brs::Kernel &kernel : q.region.kernels)
    loops.insert(kernel.loop);
  std::set<std::string> changedByHost;
  bool isSafe = true;
  std::function<void(llvm::ArrayRef<Node>)> walk = [&](llvm::ArrayRef<Node> block) {
    for (const Node &node : block) {
      if (const auto *access = std::get_if<Access>(&node.kind); access && access->kind != AccessKind::Read)
        changedByHost.insert(access->array);
      isSafe &= !std::holds_alternative<Rotate>(node.kind) && !std::holds_alternative<Allocate>(node.kind);
      if (const auto *loop = std::get_if<Loop>(&node.kind); loop && !loops.count(loop))
        walk(loop->body);
      if (const auto *branch = std::get_if<Branch>(&node.kind))
        walk(branch->then), walk(branch->otherwise);
      if (const auto *statement = std::get_if<HostStatement>(&node.kind))
        walk(statement->body);
    }
  };
  walk(nodes);
  return isSafe && llvm::all_of(q.region.arrays, [&](const brs::ArrayTransfers &array) {
    if (array.onDevice.isSurelyEmpty())
      return true;
    std::optional<Expr> all = elementsOf(array.name);
    auto hull = linearHull(array, q.root, inside);
    return array.h2d.size() == 1 && array.h2d[0].loops.empty() && !changedByHost.count(array.name) && hull &&
           brs::contains(array.h2d[0].section, array.onDevice, inside) == brs::Answer::Yes && all &&
           brs::isNonNegative(hull->first, inside) == brs::Answer::Yes &&
           brs::isNonNegative(*all - 1 - hull->second, inside) == brs::Answer::Yes;
  });
}

/// Where its conditions can be tested, and which of them.
bool RegionWriter::chooseFacts() {
  auto isKnownAt = [&](const Expr &fact) {
    return llvm::any_of(entries, [&](const Place &place) { return names.sizes(fact, place).has_value(); });
  };
  inside = q.root.context;
  const Expr *unknown = nullptr;
  for (const Expr &fact : q.region.runs)
    if (llvm::all_of(fact.symbols(), [&](const std::string &symbol) { return isKnownAt(Expr::symbol(symbol)); })) {
      tested.push_back(fact);
      inside.assume(fact);
    } else {
      unknown = &fact;
    }
  if (unknown && !isSafeIdle())
    return fail("whether its loops run cannot be told where it begins (" + toString(*unknown) + " >= 0)", q.region.location);
  // All of it must be known at one place, or at those before it.
  for (firstEntry = 0; firstEntry + 1 < entries.size(); ++firstEntry)
    if (llvm::all_of(tested, [&](const Expr &fact) { return names.sizes(fact, entries[firstEntry]).has_value(); }))
      break;
  entry = entries[firstEntry];
  return true;
}

bool RegionWriter::setUpCondition() {
  std::vector<std::string> conditions;
  if (!chooseFacts())
    return false;
  for (const Expr &fact : tested) {
    if (!haveSizes(fact, entry))
      return fail("whether its loops run cannot be told where it begins (" + toString(fact) + " >= 0)", q.region.location);
    conditions.push_back(text(fact, entry) + " >= 0");
  }
  for (const std::string &assumption : q.region.assumptions) {
    if (std::optional<std::string> condition = noOverlap(assumption))
      conditions.push_back(*condition);
    else
      unit.findings.push_back({Rule::AssumedNoAlias, Level::Warning, q.region.location,
                               "the port relies on " + assumption + " and cannot check it where the region begins"});
  }
  if (conditions.empty())
    return true;
  bool isLocal = entry.spot->inBlock;
  std::set<unsigned> paths{entry.path};
  for (const auto &[node, position] : positions)
    paths.insert(node->path);
  isLocal &= paths.size() == 1;
  runs = "busfare_runs" + (q.number > 1 ? std::to_string(q.number) : std::string());
  SpotText *before = textAt(entry);
  if (!before)
    return false;
  if (!isLocal)
    instances.declareBefore(q.root, "static int " + runs + ";");
  before->setUp.push_back((isLocal ? "const int " : "") + runs + " = " + llvm::join(conditions, " &&\n    ") + ";");
  return true;
}

} // namespace busfare::frontend::port
