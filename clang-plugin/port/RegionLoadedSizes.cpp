//===- clang-plugin/port/RegionLoadedSizes.cpp - Sizes that memory holds -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// No variable ever holds some sizes: they were elements of an array where memory was
// allocated, which may hold something else by the time that the region begins. They
// are kept from there:
//
//   list = new int[start[n]];      =>   busfare_start_n = start[n];
//                                       list = new int[start[n]];
//
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/RegionWriter.h"
#include "clang/AST/StmtOpenMP.h"

namespace busfare::frontend::port {
using namespace skeleton;

/// The nodes that have run whenever the region does: those before it in its block, and before the loops and branches
/// that hold it. Visits the region's own, too.
static bool visitBefore(const Block &block, const brs::Region &region, llvm::function_ref<void(const Node &)> visit) {
  if (&block == region.block) {
    for (size_t k = 0; k <= region.last; ++k) visit(block[k]);
    return true;
  }
  for (size_t k = 0; k < block.size(); ++k) {
    bool holdsIt = false;
    if (const auto *loop = std::get_if<Loop>(&block[k].kind)) holdsIt = visitBefore(loop->body, region, visit);
    else if (const auto *branch = std::get_if<Branch>(&block[k].kind))
      holdsIt = visitBefore(branch->then, region, visit) || visitBefore(branch->otherwise, region, visit);
    if (!holdsIt) continue;
    for (size_t before = 0; before < k; ++before) visit(block[before]);
    return true;
  }
  return false;
}

/// Where the symbol's element is loaded, if the region's way passes there.
const Node *RegionWriter::loadOf(const std::string &symbol) const {
  const Node *found = nullptr;
  visitBefore(q.root.function.body, q.region, [&](const Node &node) {
    const auto *define = std::get_if<Define>(&node.kind);
    if (define && define->symbol == symbol && define->from && define->from->scale == 1 &&
        define->from->offset.isZero() && define->from->element.size() == 1)
      found = &node;
  });
  return found;
}

bool RegionWriter::keepLoaded(const std::string &symbol, const Place &place, KeptSize size) {
  const Node *node = loadOf(symbol);
  if (!node) return false;
  const Define &define = std::get<Define>(node->kind);
  std::vector<Place> way;
  Location location = define.location;
  for (unsigned path = node->path;; path = q.root.paths[path].caller) {
    llvm::Expected<Place> one = instances.place(q.root, path, location, false);
    if (!one) {
      llvm::consumeError(one.takeError());
      return false;
    }
    way.insert(way.begin(), *one);
    if (path == 0) break;
    location = q.root.paths[path].call;
  }
  const Place &source = way.back();
  for (const Spot *around = source.spot; around; around = around->parent)
    if (llvm::isa<clang::OMPExecutableDirective>(around->stmt)) // each thread would
      return false;
  if (!staysTogether(*node, false, source) || !holdsBehind(way, place, size)) return false;
  for (const ArrayName &array : names.namesOf(define.from->array, source)) {
    const Expr index = define.from->element.front() - array.offset;
    if (!array.row.empty() || index.isPoisoned()) continue;
    const std::optional<SymbolTexts> texts = names.sizes(index, source);
    const std::string subscript = texts ? toC(index, *texts) : names.holding(index, source);
    if (!subscript.empty()) return setAt(source, symbol, array.text + "[" + subscript + "]", size);
  }
  return false;
}

} // namespace busfare::frontend::port
