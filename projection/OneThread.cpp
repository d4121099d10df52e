//===- projection/OneThread.cpp - Statements that one thread of the device runs ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/OneThread.h"
#include "skeleton/Visit.h"

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Copies a block, each run in a loop that runs once.
class Rewriter {
public:
  Rewriter(const Root &root, const Runs &runs) : root(root), runs(runs) {}

  Block copyOf(const Block &block) {
    Block copy;
    copy.reserve(block.size());
    for (size_t i = 0; i < block.size();) {
      auto run = runs.find(&block[i]);
      if (run == runs.end()) {
        copy.push_back(copyOf(block[i++]));
        continue;
      }
      copy.push_back(once(llvm::ArrayRef(block).slice(i, run->second)));
      i += run->second;
    }
    return copy;
  }
  std::map<std::string, const Node *> made; ///< By the index of the loop: the first statement of the run.

private:
  const Root &root;
  const Runs &runs;

  Node once(llvm::ArrayRef<Node> run) {
    Loop loop;
    loop.index = "one thread " + std::to_string(made.size() + 1); // no name of a source has a blank
    loop.lower = loop.upper = 0;
    const unsigned path = commonPath(root, run);
    loop.context = callsOf(path);
    // What stands in a host statement is what it touches.
    if (run.size() == 1 && libraryCallOf(run.front())) {
      loop.body = std::get<HostStatement>(run.front().kind).body;
      loop.location = std::get<HostStatement>(run.front().kind).location;
      for (Node &node : loop.body) node.path = path;
    } else {
      loop.body.assign(run.begin(), run.end());
    }
    for (const Node &node : loop.body)
      if (Location place = locationOf(node); node.path == path && place.isKnown() && !loop.location.isKnown())
        loop.location = place;
    if (!loop.location.isKnown()) // it begins with a call
      loop.location = placeIn(path, run);
    made[loop.index] = &run.front();
    Node node(std::move(loop));
    node.path = path;
    return node;
  }

  Location placeIn(unsigned path, llvm::ArrayRef<Node> run) const {
    for (const Node &node : run) {
      if (!locationOf(node).isKnown()) continue;
      Location place = locationOf(node);
      for (unsigned at = node.path; at != path; at = root.paths[at].caller) place = root.paths[at].call;
      return place;
    }
    return {};
  }

  Node copyOf(const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      Loop copy{LoopHead(*loop), copyOf(loop->body)};
      Node result(std::move(copy));
      result.path = node.path;
      return result;
    }
    auto *branch = std::get_if<Branch>(&node.kind);
    if (!branch) return node;
    Branch copy{branch->condition, copyOf(branch->then), copyOf(branch->otherwise), branch->isRest, branch->location};
    Node result(std::move(copy));
    result.path = node.path;
    return result;
  }

  std::vector<std::string> callsOf(unsigned path) const {
    std::vector<std::string> calls;
    for (; path; path = root.paths[path].caller)
      calls.insert(calls.begin(), root.paths[path].function + " (" + toString(root.paths[path].call) + ")");
    return calls;
  }
};

std::vector<const Loop *> loopsIn(llvm::ArrayRef<Node> block) {
  std::vector<const Loop *> loops;
  forEachNode(block, [&](const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) loops.push_back(loop);
  });
  return loops;
}

} // namespace

const LibraryCall *libraryCallOf(const Node &node) {
  auto *host = std::get_if<HostStatement>(&node.kind);
  return host && host->library ? &*host->library : nullptr;
}

unsigned commonPath(const Root &root, llvm::ArrayRef<Node> nodes) {
  auto callers = [&](unsigned path) {
    std::vector<unsigned> all{path};
    for (; path; path = root.paths[path].caller) all.push_back(root.paths[path].caller);
    return all;
  };
  unsigned common = nodes.front().path;
  for (const Node &node : nodes)
    if (node.path != common) {
      const std::vector<unsigned> ours = callers(common);
      for (common = node.path; !llvm::is_contained(ours, common);) common = root.paths[common].caller;
    }
  return common;
}

OneThreadCopy copyWithRuns(const Program &program, const Root &described, const Runs &runs, Root &root) {
  OneThreadCopy copy;
  Rewriter rewriter(described, runs);
  root.function = described.function;
  root.function.body = rewriter.copyOf(described.function.body);
  root.arrays = ArrayTable(program, root.function);
  root.dependence.loops = described.dependence.loops;
  const std::vector<const Loop *> before = loopsIn(described.function.body);
  size_t next = 0;
  std::vector<brs::LoopVerdict> added;
  for (const Loop *loop : loopsIn(root.function.body)) {
    auto made = rewriter.made.find(loop->index);
    if (made == rewriter.made.end()) {
      copy.loops[before[next++]] = loop;
      continue;
    }
    brs::LoopVerdict &verdict = added.emplace_back();
    verdict.loop = loop;
    verdict.parallel = true;
    verdict.reason = "runs once";
    copy.once[loop] = made->second;
    if (const LibraryCall *call = libraryCallOf(*made->second)) root.libraryCalls.emplace(loop, *call);
  }
  for (brs::LoopVerdict &verdict : root.dependence.loops) verdict.loop = copy.loops.at(verdict.loop);
  llvm::move(added, std::back_inserter(root.dependence.loops));
  return copy;
}

} // namespace busfare::projection
