//===- brs/Sites.cpp - Every access of a function, in its nest ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One walk over the tree. A new path is made for each block, so accesses of one
// block share theirs:
//
//   for i { read a[i]; write b[i] }      both sites have path 1 = (i)
//
//===----------------------------------------------------------------------===//
#include "brs/Sites.h"
#include "brs/Owner.h"

using namespace busfare::brs;
using namespace busfare::skeleton;

namespace {

class Collector {
public:
  explicit Collector(SiteTable &table) : table(table) {}

  void walk(const Block &block) {
    unsigned path = unsigned(table.paths.size());
    table.paths.push_back(steps);
    for (size_t k = 0; k < block.size(); ++k) {
      trail.push_back({&block, k});
      visit(block[k], path);
      trail.pop_back();
    }
  }

private:
  SiteTable &table;
  const HostStatement *in = nullptr; ///< Whose accesses the walk is at.
  std::vector<NestStep> steps;
  std::vector<std::pair<const Block *, size_t>> trail;
  std::vector<int> open; ///< Loops around, outermost first.

  template <class F> void eachOpen(F f) {
    for (int k : open) f(table.loops[size_t(k)]);
  }

  void noteUse(const Expr &expr) {
    for (const std::string &symbol : expr.symbols())
      eachOpen([&](LoopSite &l) { l.usesIndex |= l.loop->index == symbol; });
  }

  void noteUses(const Node &node) {
    if (const auto *access = std::get_if<Access>(&node.kind)) {
      forEachSubscriptExpr(*access, [&](const Expr &expr) { noteUse(expr); });
    } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      for (const std::vector<Expr> &conjunction : branch->condition.anyOf)
        for (const Expr &expr : conjunction) noteUse(expr);
    } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      noteUse(loop->lower);
      noteUse(loop->upper);
    } else if (const auto *define = std::get_if<Define>(&node.kind)) {
      for (const auto *expr : {&define->value, &define->atLeast, &define->atMost})
        if (*expr) noteUse(**expr);
    }
  }

  void visit(const Node &node, unsigned path) {
    const auto &kind = node.kind;
    noteUses(node);
    if (const auto *loop = std::get_if<Loop>(&kind)) {
      visitLoop(*loop);
    } else if (const auto *branch = std::get_if<Branch>(&kind)) {
      steps.push_back({nullptr, branch, true});
      walk(branch->then);
      steps.back().then = false;
      walk(branch->otherwise);
      steps.pop_back();
    } else if (const auto *access = std::get_if<Access>(&kind)) {
      table.sites.push_back({access, in, path});
    } else if (const auto *define = std::get_if<Define>(&kind)) {
      table.defines[define->symbol] = define;
      eachOpen([&](LoopSite &l) { l.defines.push_back(define); });
    } else if (const auto *host = std::get_if<HostStatement>(&kind)) {
      eachOpen([&](LoopSite &l) { l.host = l.host ? l.host : host; });
      in = host;
      walk(host->body);
      in = nullptr;
    } else if (const auto *end = std::get_if<End>(&kind)) {
      eachOpen([&](LoopSite &l) { l.ends.push_back(end); });
    } else if (const auto *call = std::get_if<Call>(&kind)) {
      eachOpen([&](LoopSite &l) { l.call = l.call ? l.call : call; });
    } else if (const auto *rotate = std::get_if<Rotate>(&kind)) {
      eachOpen([&](LoopSite &l) { l.rotate = l.rotate ? l.rotate : rotate; });
    } else if (const auto *allocate = std::get_if<Allocate>(&kind)) {
      eachOpen([&](LoopSite &l) { l.allocate = l.allocate ? l.allocate : allocate; });
    } else if (const auto *release = std::get_if<Free>(&kind)) {
      eachOpen([&](LoopSite &l) { l.free = l.free ? l.free : release; });
    }
  }

  /// What the loop takes to be fixed is as good as read in every iteration.
  void readSteady(const Loop &loop) {
    unsigned path = unsigned(table.paths.size());
    table.paths.push_back(steps);
    for (const SteadyElement &one : *loop.steady) {
      const Array *array = table.array(one.array);
      if (!array) continue;
      Access &read = table.steady.emplace_back();
      read.array = one.array;
      read.subscripts.resize(array->extents.size());
      read.location = loop.location;
      table.sites.push_back({&read, nullptr, path});
    }
  }

  void visitLoop(const Loop &loop) {
    int index = int(table.loops.size());
    LoopSite site;
    site.loop = &loop;
    site.outer = steps;
    site.trail = trail;
    site.parent = open.empty() ? -1 : open.back();
    site.firstSite = table.sites.size();
    table.loops.push_back(std::move(site));
    open.push_back(index);
    eachOpen([&](LoopSite &l) { l.indices.insert(loop.index); });
    steps.push_back({&loop, nullptr, true});
    if (loop.steady) readSteady(loop);
    walk(loop.body);
    steps.pop_back();
    open.pop_back();
    table.loops[size_t(index)].endSite = table.sites.size();
  }
};

} // namespace

SiteTable busfare::brs::collectSites(const Program &program, const Function &function,
                                     const std::map<std::string, std::string> &owners) {
  SiteTable table;
  table.program = &program;
  table.function = &function;
  table.owners = owners;
  table.arrays = ArrayTable(program, function);
  Collector(table).walk(function.body);
  return table;
}

int busfare::brs::ownerOf(const SiteTable &table, const std::string &array) {
  // A pointer declared inside the loop is fresh; what it points to need not be.
  auto found = table.owners.find(array);
  if (found == table.owners.end() || table.array(array)->storage != Storage::Local) return -1;
  for (size_t k = 0; k < table.loops.size(); ++k)
    if (table.loops[k].loop->index == found->second) return int(k);
  return -1;
}
