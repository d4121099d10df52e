//===- brs/Temporaries.cpp - Arrays said to be dead outside --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Temporaries.h"
#include "brs/Domain.h"
#include "brs/Presburger.h"
#include "skeleton/Rotation.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

/// One array in one place of which a hint says that it is temporary there.
struct Claim {
  std::string array;
  llvm::ArrayRef<Node> nodes;
  Nest nest;
  std::vector<llvm::ArrayRef<Node>> after; ///< The rest of the blocks around, innermost first.
  Location said;
  Loop *loop = nullptr; ///< Whose hint it is; null: a function's.
  unsigned path = 0;    ///< Of the call, if it is a function's.
  bool isRefuted = false;
};

/// Surely not empty, for some sizes: an example there is no guess.
bool surelyHolds(const ElementSet &set, const Nest &nest) {
  if (!set.exact || !set.representation() || set.isProvablyEmpty()) return false;
  ElementSet inside = restrictTo(set, nest.contextInside());
  return inside.representation() && inside.representation()->isEmpty() == Answer::No;
}

class Settling {
public:
  Settling(const Program &program, Function &root, llvm::ArrayRef<CallPath> paths, const Context &context,
           EffectsMemo &memo)
      : program(program), root(root), paths(paths), context(context), memo(memo) {}

  std::vector<Finding> run() {
    for (unsigned path = 0; path < paths.size(); ++path) ofPaths.push_back(temporariesOfCall(path));
    for (const std::string &name : root.hints.temporaries)
      claims.push_back({name, root.body, Nest(context), {}, saidAt(root.hints, root.location), nullptr, 0, false});
    collect(root.body, Nest(context), {}, 0);
    if (claims.empty()) return {};
    for (Claim &claim : claims) check(claim);
    withdraw();
    lift();
    return std::move(findings);
  }

private:
  const Program &program;
  Function &root;
  llvm::ArrayRef<CallPath> paths;
  const Context &context;
  EffectsMemo &memo;
  std::vector<std::vector<std::string>> ofPaths; ///< What each call's function says, in the root's names.
  std::vector<Claim> claims;
  std::vector<Finding> findings;

  static Location saidAt(const Hints &hints, const Location &otherwise) {
    return hints.location.isKnown() ? hints.location : otherwise;
  }

  std::vector<std::string> temporariesOfCall(unsigned path) const {
    std::vector<std::string> result;
    const Function *function = path == 0 ? nullptr : findFunction(program, paths[path].function);
    if (!function) return result;
    for (const std::string &name : function->hints.temporaries) {
      auto bound = paths[path].arrays.find(name);
      bool isWhole = bound == paths[path].arrays.end() || (bound->second.offset && bound->second.offset->isZero());
      if (isWhole) result.push_back(bound == paths[path].arrays.end() ? name : bound->second.array);
    }
    return result;
  }

  /// The call of `outer` that node belongs to, if it came through one made there.
  unsigned calledFrom(unsigned outer, const Node &node) const {
    unsigned path = node.path;
    while (path != outer && path != 0 && paths[path].caller != outer) path = paths[path].caller;
    return path;
  }

  /// inside: the call whose body the block is in.
  void collect(Block &block, const Nest &nest, const std::vector<llvm::ArrayRef<Node>> &outer, unsigned inside) {
    for (size_t k = 0; k < block.size(); ++k) {
      // The body of a call stands here as a run of nodes.
      if (unsigned call = calledFrom(inside, block[k]); call != inside && call != 0) {
        size_t end = k;
        while (end < block.size() && calledFrom(inside, block[end]) == call) ++end;
        collectCall(block, k, end, call, nest, outer);
        k = end - 1;
        continue;
      }
      collectNode(block, k, nest, outer, inside);
    }
  }

  static std::vector<llvm::ArrayRef<Node>> behind(const Block &block, size_t end,
                                                  const std::vector<llvm::ArrayRef<Node>> &outer) {
    std::vector<llvm::ArrayRef<Node>> after{llvm::ArrayRef(block).drop_front(end)};
    llvm::append_range(after, outer);
    return after;
  }

  void collectCall(Block &block, size_t begin, size_t end, unsigned call, const Nest &nest,
                   const std::vector<llvm::ArrayRef<Node>> &outer) {
    const Function *function = findFunction(program, paths[call].function);
    for (const std::string &name : ofPaths[call])
      claims.push_back({name, llvm::ArrayRef(block).slice(begin, end - begin), nest, behind(block, end, outer),
                        saidAt(function->hints, function->location), nullptr, call, false});
    for (size_t k = begin; k < end; ++k) {
      unsigned deeper = calledFrom(call, block[k]);
      if (deeper == call) {
        collectNode(block, k, nest, outer, call);
        continue;
      }
      size_t last = k;
      while (last < end && calledFrom(call, block[last]) == deeper) ++last;
      collectCall(block, k, last, deeper, nest, outer);
      k = last - 1;
    }
  }

  void collectNode(Block &block, size_t k, const Nest &nest, const std::vector<llvm::ArrayRef<Node>> &outer,
                   unsigned inside) {
    if (auto *loop = std::get_if<Loop>(&block[k].kind)) {
      std::vector<llvm::ArrayRef<Node>> after = behind(block, k + 1, outer);
      if (loop->hints)
        for (const std::string &name : loop->hints->temporaries)
          claims.push_back({name, llvm::ArrayRef(block).slice(k, 1), nest, after, saidAt(*loop->hints, loop->location),
                            loop, 0, false});
      collect(loop->body, nest.inside(*loop), after, inside);
    } else if (auto *branch = std::get_if<Branch>(&block[k].kind)) {
      std::vector<llvm::ArrayRef<Node>> after = behind(block, k + 1, outer);
      collect(branch->then, nest.inside(*branch, true), after, inside);
      collect(branch->otherwise, nest.inside(*branch, false), after, inside);
    }
  }

  void check(Claim &claim) {
    Effects own = effectsOf(program, root, claim.nodes, claim.nest, &memo);
    auto found = own.arrays.find(claim.array);
    if (found == own.arrays.end()) return;
    const ArrayEffects &sets = found->second;
    auto refute = [&](const std::string &why, const std::vector<Location> &at) {
      claim.isRefuted = true;
      findings.push_back({Rule::HintRefuted, Level::Error, claim.said,
                          "temporary(" + claim.array + ") is contradicted: " + claim.array + " is read" +
                              (at.empty() ? "" : " at " + toString(at.front())) + " " + why +
                              "; the hint is not taken and its contents are copied"});
    };
    if (surelyHolds(sets.exposedRead, claim.nest)) return refute("before it is written there", sets.exposedAt);
    Effects later = effectsOfSequence(program, root, claim.after, claim.nest, &memo);
    auto next = later.arrays.find(claim.array);
    if (next == later.arrays.end() || !own.exitNames.empty()) return;
    ElementSet reached = intersect(next->second.exposedRead, sets.mustWrite);
    reached.exact = next->second.exposedRead.exact;
    if (surelyHolds(reached, claim.nest)) refute("after it was written there", next->second.exposedAt);
  }

  /// A hint that is contradicted anywhere is taken nowhere.
  void withdraw() {
    for (const Claim &claim : claims)
      if (claim.isRefuted) {
        Hints *hints = claim.loop ? &*claim.loop->hints : claim.path == 0 ? &root.hints : nullptr;
        if (hints) llvm::erase(hints->temporaries, claim.array);
      }
  }

  void lift() {
    // A host statement's accesses by the statement: others may have the same.
    std::map<std::string, std::set<const void *>> covered;
    auto keyOf = [](const Access &access, const HostStatement *in) {
      return in ? static_cast<const void *>(in) : &access;
    };
    for (const Claim &claim : claims)
      if (!claim.isRefuted)
        forEachAccess(claim.nodes, [&](const Access &access, const HostStatement *in) {
          if (access.array == claim.array) covered[claim.array].insert(keyOf(access, in));
        });
    // What changes places, or may be touched by another name, is not followed.
    for (const std::vector<std::string> &group : rotatedTogether(root.body))
      for (const std::string &name : group) covered.erase(name);
    forEachAccess(root.body, [&](const Access &access, const HostStatement *in) {
      if (auto known = covered.find(access.array); known != covered.end() && !known->second.count(keyOf(access, in)))
        covered.erase(known);
      const Array *array = findArray(program, root, access.array);
      if (!array) return covered.clear();
      if (array->storage != Storage::Alias) return;
      if (array->mayBe.empty())
        std::erase_if(covered, [&](const auto &one) {
          const Array *other = findArray(program, root, one.first);
          return !other || !isOnlyNamed(*other);
        });
      for (const std::string &other : array->mayBe) covered.erase(other);
    });
    for (const auto &[name, accesses] : covered)
      if (!llvm::is_contained(root.hints.temporaries, name)) root.hints.temporaries.push_back(name);
  }
};

bool saysAnything(const Program &program, const Function &root, llvm::ArrayRef<CallPath> paths) {
  bool any = !root.hints.temporaries.empty() || llvm::any_of(paths, [&](const CallPath &path) {
    const Function *function = findFunction(program, path.function);
    return function && !function->hints.temporaries.empty();
  });
  forEachNode(root.body, [&](const Node &node) {
    auto *loop = std::get_if<Loop>(&node.kind);
    any |= loop && loop->hints && !loop->hints->temporaries.empty();
  });
  return any;
}

} // namespace

std::vector<Finding> settleTemporaries(const Program &program, Function &root, llvm::ArrayRef<CallPath> paths,
                                       const Context &context, EffectsMemo &memo) {
  if (!saysAnything(program, root, paths)) return {};
  return Settling(program, root, paths, context, memo).run();
}

} // namespace busfare::brs
