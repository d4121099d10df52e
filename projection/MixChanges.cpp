//===- projection/MixChanges.cpp - What could change sides ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/MixChanges.h"
#include "brs/Residency.h"
#include "projection/BlasRate.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::projection {
using namespace skeleton;

brs::RegionSpan spanOf(const brs::Region &region) {
  brs::RegionSpan span;
  span.block = region.block;
  span.first = region.first;
  span.last = region.last;
  return span;
}

namespace {

/// Arrays, and loops, that are looked at one by one.
constexpr size_t mostArrays = 4;

using ArrayNames = std::set<std::string>;

bool touches(const Node &node, const ArrayNames &names) {
  bool any = false;
  forEachNode(llvm::ArrayRef(node), [&](const Node &inner) {
    auto *access = std::get_if<Access>(&inner.kind);
    any |= access && names.count(access->array);
  });
  return any;
}

/// Can one thread of the device do it, and does the host not need to know how it went? What leaves a loop early may
/// leave more than that; whoever looks at the source knows better (mayLeave).
class Movable {
public:
  Movable(const Program &program, const Root &root, const std::set<const Loop *> &kernels, bool mayLeave)
      : program(program), root(root), kernels(kernels), mayLeave(mayLeave) {}

  bool operator()(const Node &node) const { return canMove(node, false); }

private:
  const Program &program;
  const Root &root;
  const std::set<const Loop *> &kernels;
  bool mayLeave;

  /// inLoop: a loop around it moves as well, so that what it skips and what it defines is for that alone.
  bool canMove(const Node &node, bool inLoop) const {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      const Array *array = root.arrays.find(access->array);
      return array && array->storage != Storage::Alias && array->type.kind != ElementType::Kind::Pointer &&
             !(array->type.kind == ElementType::Kind::Float && array->type.bytes > 8);
    }
    if (std::holds_alternative<Operations>(node.kind)) return true;
    if (std::holds_alternative<Define>(node.kind)) return inLoop;
    auto all = [&](const Block &block, bool isBody) {
      return llvm::all_of(block, [&](const Node &n) { return canMove(n, isBody); });
    };
    if (auto *branch = std::get_if<Branch>(&node.kind))
      return (inLoop || !branch->isRest) && all(branch->then, inLoop) && all(branch->otherwise, inLoop);
    auto *loop = std::get_if<Loop>(&node.kind);
    return loop && !kernels.count(loop) && (mayLeave || !loop->mayExitEarly) && all(loop->body, true);
  }
};

/// Finds the runs of statements inside loops that touch the arrays.
class RunSearch {
public:
  RunSearch(const Program &program, const Root &root, const std::set<const Loop *> &kernels, const ArrayNames &names,
            const PartsOfRun &parts)
      : kernels(kernels), names(names), parts(parts), canMove(program, root, kernels, bool(parts)) {}

  void searchIn(const Loop &loop) { search(loop.body, loop.form != LoopForm::For || loop.mayExitEarly); }
  Runs found;

private:
  const std::set<const Loop *> &kernels;
  const ArrayNames &names;
  const PartsOfRun &parts;
  const Movable canMove;

  /// decides: what the block reads may say whether the loop around it goes on.
  void search(const Block &block, bool decides) {
    for (size_t i = 0; i < block.size();) {
      const Node &node = block[i];
      if (canMove(node)) {
        size_t end = i;
        while (end < block.size() && canMove(block[end])) ++end;
        addRun(block, i, end, decides);
        i = end;
        continue;
      }
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        if (!kernels.count(loop)) searchIn(*loop);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        search(branch->then, decides);
        search(branch->otherwise, decides);
      }
      ++i;
    }
  }

  void addRun(const Block &block, size_t first, size_t end, bool decides) {
    // What is read just before a statement of the host is for that: the numbers that printf is given.
    const bool isGiven = end < block.size() && std::holds_alternative<HostStatement>(block[end].kind);
    auto isRead = [](const Node &node) {
      auto *access = std::get_if<Access>(&node.kind);
      return std::holds_alternative<Operations>(node.kind) || (access && access->kind == AccessKind::Read);
    };
    while (isGiven && end > first && isRead(block[end - 1])) --end;
    // Of loops and branches at its ends, those that have nothing to do with the arrays stay where they are.
    auto isOther = [&](const Node &node) {
      return (std::holds_alternative<Loop>(node.kind) || std::holds_alternative<Branch>(node.kind)) &&
             !touches(node, names);
    };
    while (first < end && isOther(block[first])) ++first;
    size_t last = end;
    while (last > first && isOther(block[last - 1])) --last;
    auto touchAny = [&](llvm::ArrayRef<Node> run) {
      return llvm::any_of(run, [&](const Node &n) { return touches(n, names); });
    };
    if (!touchAny(llvm::ArrayRef(block).slice(first, last - first))) return;
    if (parts) {
      for (const auto &[node, length] : parts(block, first, last))
        if (touchAny(llvm::ArrayRef(node, length))) found[node] = length;
      return;
    }
    // A condition or a size that is read just before it is used.
    bool isAsked = last == end && end < block.size() &&
                   (std::holds_alternative<Define>(block[end].kind) || std::holds_alternative<Branch>(block[end].kind));
    if (!decides && !isAsked) found[&block[first]] = last - first;
  }
};

/// An array's copies inside loops.
struct InLoops {
  const brs::ArrayTransfers *array = nullptr;
  double bytes = 0;
  std::set<const Loop *> loops;   ///< The outermost around each.
  std::set<Location> neededAt;    ///< By kernels.
};

std::vector<InLoops> inLoops(const Root &root, const brs::Region &region, const RealValues &values,
                             const Machine &machine) {
  std::vector<InLoops> found;
  for (const brs::ArrayTransfers &array : region.arrays) {
    InLoops one;
    one.array = &array;
    for (bool in : {true, false})
      for (const brs::Crossing &crossing : in ? array.h2d : array.d2h) {
        if (crossing.loops.empty()) continue;
        CrossingCost cost = costOf(array, crossing, in ? Direction::ToDevice : Direction::ToHost,
                                   root.crossings.at(&crossing), values, {}, machine);
        one.bytes += cost.movedBytes * cost.count;
        one.loops.insert(crossing.loops.front());
        if (in) one.neededAt.insert(crossing.because.at);
      }
    if (!one.loops.empty()) found.push_back(std::move(one));
  }
  llvm::stable_sort(found, [](const InLoops &a, const InLoops &b) { return a.bytes > b.bytes; });
  return found;
}

std::vector<Change> changesOf(const Program &program, const Root &root, const brs::Region &region,
                              const InLoops &crossing, const PartsOfRun &parts) {
  std::set<const Loop *> kernels;
  for (const brs::Kernel &kernel : region.kernels) kernels.insert(kernel.loop);
  ArrayNames names;
  for (const std::string &name : brs::Rotations(spanOf(region)).of(crossing.array->name)) names.insert(name);
  Change touching{Mix::Kind::KernelsOnHost, {}, {}, {crossing.array->name}}, needing = touching;
  Change moved{Mix::Kind::StatementsOnDevice, {}, {}, {crossing.array->name}};
  for (const brs::Kernel &kernel : region.kernels) {
    bool isInside = llvm::any_of(kernel.serialLoops, [&](const Loop *loop) { return crossing.loops.count(loop); }),
         needs = false, any = false;
    forEachAccess(kernel.loop->body, [&](const Access &access, const HostStatement *in) {
      any |= names.count(access.array) != 0;
      needs |= names.count(access.array) && crossing.neededAt.count(locationOf(access, in));
    });
    if (isInside && any) touching.kept.insert(kernel.loop);
    if (isInside && needs) needing.kept.insert(kernel.loop);
  }
  RunSearch search(program, root, kernels, names, parts);
  for (const Loop *loop : crossing.loops) search.searchIn(*loop);
  moved.moved = std::move(search.found);
  std::vector<Change> changes{std::move(moved), std::move(needing), std::move(touching)};
  llvm::erase_if(changes, [&](const Change &change) { return change.empty() || change.kept.size() == kernels.size(); });
  return changes;
}

/// Of each loop in which something crosses: its kernels, all of them, stay on the host. The loops in which most crosses
/// first.
std::vector<Change> changesByLoop(const Root &root, const brs::Region &region, const RealValues &values,
                                  const Machine &machine) {
  struct Scope {
    const Loop *loop = nullptr;
    double bytes = 0;
    ArrayNames arrays;
  };
  std::vector<Scope> scopes; // in the order of the copies, which is the same each time
  for (const brs::ArrayTransfers &array : region.arrays)
    for (bool in : {true, false})
      for (const brs::Crossing &crossing : in ? array.h2d : array.d2h) {
        CrossingCost cost = costOf(array, crossing, in ? Direction::ToDevice : Direction::ToHost,
                                   root.crossings.at(&crossing), values, {}, machine);
        for (const Loop *loop : crossing.loops) {
          auto scope = llvm::find_if(scopes, [&](const Scope &one) { return one.loop == loop; });
          if (scope == scopes.end()) scope = scopes.insert(scopes.end(), Scope{loop, 0, {}});
          scope->bytes += cost.movedBytes * cost.count;
          scope->arrays.insert(array.name);
        }
      }
  llvm::stable_sort(scopes, [](const Scope &a, const Scope &b) { return a.bytes > b.bytes; });
  std::vector<Change> changes;
  for (const Scope &scope : scopes) {
    Change change{Mix::Kind::KernelsOnHost, {}, {}, scope.arrays};
    for (const brs::Kernel &kernel : region.kernels)
      if (llvm::is_contained(kernel.serialLoops, scope.loop)) change.kept.insert(kernel.loop);
    if (!change.empty() && change.kept.size() < region.kernels.size()) changes.push_back(std::move(change));
  }
  if (changes.size() > mostArrays) changes.resize(mostArrays);
  return changes;
}

/// Calls of BLAS in the region that the device's library can run, in program order.
class CallSearch {
public:
  CallSearch(const Root &root, const brs::Region &region, const RealValues &values, const Machine &machine)
      : root(root), machine(machine), values(values) {
    for (const brs::Kernel &kernel : region.kernels) kernels.insert(kernel.loop);
    for (const brs::ArrayTransfers &array : region.arrays)
      for (const auto *crossings : {&array.h2d, &array.d2h})
        for (const brs::Crossing &crossing : *crossings)
          if (!crossing.loops.empty()) inLoops.insert(array.name);
    const brs::RegionSpan span = spanOf(region);
    search(llvm::ArrayRef(*span.block).slice(span.first, span.last - span.first + 1));
  }
  std::vector<Change> found;

private:
  const Root &root;
  const Machine &machine;
  RealValues values;
  std::set<const Loop *> kernels;
  ArrayNames inLoops; ///< Arrays that cross there.

  void search(llvm::ArrayRef<Node> block) {
    for (const Node &node : block) {
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        if (kernels.count(loop)) continue;
        // Of sizes that change with the loop, those of its first iteration.
        const bool isNew = values.try_emplace(loop->index, loop->lower.evaluateReal(values).value_or(0)).second;
        search(loop->body);
        if (isNew) values.erase(loop->index);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        search(branch->then);
        search(branch->otherwise);
      } else if (const LibraryCall *call = libraryCallOf(node)) {
        add(node, *call);
      }
    }
  }

  void add(const Node &node, const LibraryCall &call) {
    const auto &host = std::get<HostStatement>(node.kind);
    auto isOnDevice = [&](const Node &inner) {
      auto *access = std::get_if<Access>(&inner.kind);
      const Array *array = access ? root.arrays.find(access->array) : nullptr;
      return array && array->storage != Storage::Alias && array->type.kind != ElementType::Kind::Pointer;
    };
    if (!llvm::all_of(host.body, isOnDevice) || !libraryTimeOnDevice(call, values, machine)) return;
    Change change{Mix::Kind::StatementsOnDevice, {}, {{&node, 1}}, {}};
    for (const auto &[operand, array] : call.operands)
      if (inLoops.count(array)) change.arrays.insert(array);
    found.push_back(std::move(change));
  }
};

/// All of them together; runs that overlap become one.
Change join(llvm::ArrayRef<Change> changes) {
  Change all{changes.front().kind, {}, {}, {}};
  Runs runs;
  for (const Change &one : changes) {
    all.kept.insert(one.kept.begin(), one.kept.end());
    all.arrays.insert(one.arrays.begin(), one.arrays.end());
    for (const auto &[node, length] : one.moved) runs[node] = std::max(runs[node], length);
  }
  const Node *first = nullptr;
  for (const auto &[node, length] : runs) {
    bool overlaps = first && std::less<>()(node, first + all.moved[first]);
    if (!overlaps) first = node;
    all.moved[first] = std::max(all.moved[first], size_t(node - first) + length);
  }
  return all;
}

} // namespace

std::vector<Change> callsOnDevice(const Root &root, const brs::Region &region, const RealValues &values,
                                  const Machine &machine) {
  return CallSearch(root, region, values, machine).found;
}

std::vector<Change> changesFor(const Program &program, const Root &root, const brs::Region &region,
                               const RealValues &values, const Machine &machine, const PartsOfRun &parts) {
  std::vector<InLoops> crossings = inLoops(root, region, values, machine);
  std::vector<Change> changes;
  auto add = [&](Change change) {
    if (!change.empty() && llvm::none_of(changes, [&](const Change &known) { return known.isSame(change); }))
      changes.push_back(std::move(change));
  };
  std::vector<Change> moves;
  for (size_t i = 0; i < crossings.size(); ++i)
    for (Change &change : changesOf(program, root, region, crossings[i], parts)) {
      if (change.kind == Mix::Kind::StatementsOnDevice) moves.push_back(change);
      if (i < mostArrays) add(std::move(change));
    }
  if (moves.size() > 1) add(join(moves));
  if (!parts) {
    const std::vector<Change> calls = callsOnDevice(root, region, values, machine);
    if (!calls.empty()) {
      llvm::append_range(moves, calls);
      add(join(calls));
      add(join(moves));
    }
    for (const Change &call : llvm::ArrayRef(calls).take_front(mostArrays)) add(call);
  }
  for (Change &change : changesByLoop(root, region, values, machine)) add(std::move(change));
  return changes;
}

Runs movableStatements(const Program &program, const Root &root, const brs::Region &region, const RealValues &values,
                       const Machine &machine, const PartsOfRun &parts) {
  std::vector<Change> moves;
  for (const InLoops &crossing : inLoops(root, region, values, machine))
    for (Change &change : changesOf(program, root, region, crossing, parts))
      if (change.kind == Mix::Kind::StatementsOnDevice) moves.push_back(std::move(change));
  return moves.empty() ? Runs() : join(moves).moved;
}

} // namespace busfare::projection
