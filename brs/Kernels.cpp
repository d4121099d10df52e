//===- brs/Kernels.cpp - Which loops become kernels, and the regions around ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Kernels.h"
#include "skeleton/SharedWork.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs {
using namespace skeleton;

namespace {

bool doesWork(const Loop &loop) {
  bool works = false;
  forEachNode(loop.body, [&](const Node &node) {
    if (auto *access = std::get_if<Access>(&node.kind)) works |= !access->induction;
    else if (auto *operations = std::get_if<Operations>(&node.kind)) works |= !operations->counts.empty();
  });
  return works;
}

bool holdsKernel(const Node &node, const KernelLoops &kernels) {
  if (auto *loop = std::get_if<Loop>(&node.kind))
    return kernels.count(loop) || llvm::any_of(loop->body, [&](const Node &n) { return holdsKernel(n, kernels); });
  if (auto *branch = std::get_if<Branch>(&node.kind))
    return llvm::any_of(branch->then, [&](const Node &n) { return holdsKernel(n, kernels); }) ||
           llvm::any_of(branch->otherwise, [&](const Node &n) { return holdsKernel(n, kernels); });
  return false;
}

/// At most one iteration: there is nothing to run in parallel.
bool runsOnce(const Loop &loop) {
  std::optional<int64_t> span = spanOf(loop).constant();
  return span && *span < std::abs(loop.step);
}

/// Whatever the sizes are: `for (t = 0; t < WARM_UP; t++)` with a WARM_UP of 0.
bool neverRuns(const Loop &loop) {
  std::optional<int64_t> span = spanOf(loop).constant();
  return span && *span < 0;
}

/// What `calloc` and `= {0}` do: part of the array's creation, on the host.
bool initialisesAtCreation(const Program &program, const Function &function, const Loop &loop) {
  return loop.form == LoopForm::Algorithm && llvm::all_of(loop.body, [&](const Node &node) {
           if (auto *inner = std::get_if<Loop>(&node.kind)) return initialisesAtCreation(program, function, *inner);
           auto *access = std::get_if<Access>(&node.kind);
           const Array *array =
               access && access->kind == AccessKind::Write ? findArray(program, function, access->array) : nullptr;
           return array && array->location.isKnown() && array->location.line == loop.location.line &&
                  array->location.file == loop.location.file;
         });
}

/// memcpy, memset: a copy that computes nothing.
bool onlyMoves(const Loop &loop) {
  bool computes = loop.form != LoopForm::Algorithm;
  forEachNode(loop.body, [&](const Node &node) {
    auto *operations = std::get_if<Operations>(&node.kind);
    computes |= operations && !operations->counts.empty();
  });
  return !computes;
}

void collectKernels(const Program &program, const Function &function, const Block &block,
                    const DependenceAnalysis &dependence, const PlanLimits &limits, KernelLoops &kernels) {
  for (const Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      if (isSharedByThreads(loop->body)) continue; // nor what is called there: each thread would launch it
      if (!limits.onHost.count(loop) && whyNoKernel(program, function, *loop, dependence, limits).empty())
        kernels.insert(loop);
      else collectKernels(program, function, loop->body, dependence, limits, kernels);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      collectKernels(program, function, branch->then, dependence, limits, kernels);
      collectKernels(program, function, branch->otherwise, dependence, limits, kernels);
    }
  }
}

/// Turns of all loops of the nest together, if numbers decide them.
std::optional<double> turnsOf(const Loop &loop) {
  std::optional<int64_t> span = spanOf(loop).constant();
  if (!span) return std::nullopt;
  double inner = 0;
  for (const Node &node : loop.body) {
    auto *one = std::get_if<Loop>(&node.kind);
    std::optional<double> turns = one ? turnsOf(*one) : std::optional(0.0);
    if (!turns || std::holds_alternative<Branch>(node.kind)) return std::nullopt;
    inner += *turns;
  }
  return std::max(0.0, double(*span / std::abs(loop.step) + 1)) * std::max(1.0, inner);
}

/// Writes of scalars that the kernel never reads: an outer index's, declared before its loop.
bool isWrittenOnly(const Loop &kernel, const Access &access) {
  if (access.kind != AccessKind::Write || !access.subscripts.empty()) return false;
  bool isRead = false;
  forEachNode(kernel.body, [&](const Node &node) {
    auto *other = std::get_if<Access>(&node.kind);
    isRead |= other && other->array == access.array && other->kind != AccessKind::Write;
  });
  return !isRead;
}

/// The loop and the parallel loops nested in it with nothing beside them that an outer iteration would have to do once.
std::vector<const Loop *> threadSpace(const Loop &kernel, const DependenceAnalysis &dependence) {
  std::vector<const Loop *> space{&kernel};
  while (true) {
    const Loop *inner = nullptr;
    for (const Node &node : space.back()->body) {
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        if (inner) return space;
        inner = loop;
      } else if (auto *access = std::get_if<Access>(&node.kind)) {
        if (!isWrittenOnly(kernel, *access)) return space;
      } else if (!std::holds_alternative<Operations>(node.kind)) {
        return space;
      }
    }
    const LoopVerdict *verdict = inner ? dependence.find(*inner) : nullptr;
    // What all iterations of the loops around it add up, too, they add up together. A flag that says which iteration
    // comes first counts those of one loop.
    auto staysOutside = [&](const Need &need) {
      if (need.kind != Need::Kind::Reduction || (need.name == endFlag && need.op == "max")) return false;
      return need.name == endFlag || !llvm::all_of(space, [&](const Loop *around) {
               const LoopVerdict *outer = dependence.find(*around);
               return outer && llvm::is_contained(outer->needs, need);
             });
    };
    if (!verdict || !verdict->parallel || llvm::any_of(verdict->needs, staysOutside)) return space;
    space.push_back(inner);
  }
}

struct KernelWalk {
  const KernelLoops &kernels;
  const DependenceAnalysis &dependence;
  std::vector<const Loop *> loops;
  std::vector<Guard> guards;
  std::vector<Kernel> found;

  void walk(const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      if (kernels.count(loop)) {
        found.push_back({loop, threadSpace(*loop, dependence), loops, guards});
        return;
      }
      loops.push_back(loop);
      llvm::for_each(loop->body, [&](const Node &n) { walk(n); });
      loops.pop_back();
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      for (bool then : {true, false}) {
        guards.push_back({branch->condition, then});
        llvm::for_each(then ? branch->then : branch->otherwise, [&](const Node &n) { walk(n); });
        guards.pop_back();
      }
    }
  }
};

bool isUsedBelow(const Loop &loop) {
  bool used = false;
  auto uses = [&](const Expr &e) { return e.mentions(loop.index); };
  forEachNode(loop.body, [&](const Node &node) {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      forEachSubscriptExpr(*access, [&](const Expr &expr) { used |= uses(expr); });
    } else if (auto *inner = std::get_if<Loop>(&node.kind)) {
      used |= uses(inner->lower) || uses(inner->upper);
    } else if (auto *define = std::get_if<Define>(&node.kind)) {
      used |= define->value && uses(*define->value);
    }
  });
  return used;
}

} // namespace

std::string whyHostOnly(const Program &program, const Function &function, const Loop &loop) {
  std::string why;
  forEachNode(loop.body, [&](const Node &node) {
    if (!why.empty()) return;
    if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      why = host->what.empty() ? "a statement only the host can run" : host->what;
    } else if (auto *call = std::get_if<Call>(&node.kind)) {
      why = "a call of " + call->callee;
    } else if (std::holds_alternative<Allocate>(node.kind) || std::holds_alternative<Free>(node.kind)) {
      why = "allocation";
    } else if (std::holds_alternative<Rotate>(node.kind)) {
      why = "a pointer swap";
    } else if (auto *access = std::get_if<Access>(&node.kind)) {
      const Array *array = findArray(program, function, access->array);
      if (!array || array->storage == Storage::Alias)
        why = isUnnamedPointer(access->array) && access->location.isKnown()
                  ? "an access at line " + std::to_string(access->location.line) + " through " + unknownObject
                  : "an access through " + access->array + ", " + unknownObject;
      else if (array->type.kind == ElementType::Kind::Float && array->type.bytes > 8)
        why = "long double (" + access->array + ")";
      else if (array->type.kind == ElementType::Kind::Pointer && !array->isScalar())
        why = "an array of pointers (" + access->array + ")";
    }
  });
  return why;
}

bool isShort(const Loop &loop) {
  constexpr double fewTurns = 16;
  return turnsOf(loop).value_or(2 * fewTurns) <= fewTurns;
}

bool isOfShortLoops(const Region &region) {
  return llvm::all_of(region.kernels, [](const Kernel &kernel) {
    return !kernel.serialLoops.empty() && !kernel.loop->directive && isShort(*kernel.loop);
  });
}

std::string whyNoKernel(const Program &program, const Function &function, const Loop &loop,
                        const DependenceAnalysis &dependence, const PlanLimits &limits) {
  const LoopVerdict *verdict = dependence.find(loop);
  if (!verdict || !verdict->parallel) return verdict && !verdict->reason.empty() ? verdict->reason : "not parallel";
  if (!doesWork(loop)) return "nothing is done in it";
  if (runsOnce(loop) && !limits.onDevice.count(&loop)) return "it runs at most once";
  if (initialisesAtCreation(program, function, loop)) return "it fills memory where it is made";
  return whyHostOnly(program, function, loop);
}

KernelLoops findKernels(const Program &program, const Function &function, const DependenceAnalysis &dependence,
                        const PlanLimits &limits) {
  KernelLoops kernels;
  collectKernels(program, function, function.body, dependence, limits, kernels);
  // Between kernels a copy is better made where the data is; alone, the bus is slower than any memory.
  if (llvm::all_of(kernels, [](const Loop *loop) { return onlyMoves(*loop); })) kernels.clear();
  return kernels;
}

std::vector<RegionSpan> findRegions(const Function &function, const KernelLoops &kernels, const Context &context) {
  RegionSpan span;
  span.block = &function.body;
  span.nest = Nest(context);
  while (true) {
    const Block &block = *span.block;
    auto holds = [&](const Node &node) { return holdsKernel(node, kernels); };
    auto first = llvm::find_if(block, holds);
    if (first == block.end()) return {};
    span.first = first - block.begin();
    span.last = span.first;
    for (size_t i = span.first; i < block.size(); ++i)
      if (holds(block[i])) span.last = i;
    span.before.emplace_back(span.block, span.first);
    span.after.insert(span.after.begin(), {span.block, span.last + 1});
    auto *branch = std::get_if<Branch>(&first->kind);
    if (!branch || span.first != span.last) return {span};
    bool inThen = llvm::any_of(branch->then, holds), inOtherwise = llvm::any_of(branch->otherwise, holds);
    if (inThen && inOtherwise) return {span};
    span.nest = span.nest.inside(*branch, inThen);
    span.block = inThen ? &branch->then : &branch->otherwise;
  }
}

std::vector<Kernel> kernelsOf(const RegionSpan &region, const KernelLoops &kernels,
                              const DependenceAnalysis &dependence) {
  KernelWalk walk{kernels, dependence, {}, {}, {}};
  for (size_t i = region.first; i <= region.last; ++i) walk.walk((*region.block)[i]);
  return std::move(walk.found);
}

std::vector<const Loop *> timeLoopsOf(const std::vector<Kernel> &kernels) {
  std::vector<const Loop *> result;
  for (const Kernel &kernel : kernels)
    for (const Loop *loop : kernel.serialLoops)
      if (!llvm::is_contained(result, loop) && !neverRuns(*loop) && (loop->isTimeLoop || !isUsedBelow(*loop)))
        result.push_back(loop);
  return result;
}

} // namespace busfare::brs
