//===- skeleton/Inline.cpp - One root with all its calls substituted ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The walk: each node in the result's names and symbols. Calls are replaced by bodies in
// InlineCalls.cpp; what names stand for is in InlineArrays.cpp.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Inliner.h"
#include "skeleton/Rotation.h"
#include "skeleton/SharedBodies.h"
#include "skeleton/SharedWork.h"
#include "skeleton/SourceFunctions.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

std::optional<Expr> Inliner::mapExpr(const std::optional<Expr> &expr, const Frame &frame) const {
  return mapAll({expr}, frame.symbols).front();
}

Extents Inliner::mapAll(const Extents &exprs, const Substitution &symbols) const {
  Extents mapped;
  for (const std::optional<Expr> &expr : exprs) {
    mapped.push_back(expr ? std::optional<Expr>(expr->substitute(symbols)) : std::nullopt);
    if (mapped.back() && mapped.back()->isPoisoned()) mapped.back().reset();
  }
  return mapped;
}

Block Inliner::inlineBlock(const Block &block, Frame &frame) {
  Block out;
  out.reserve(block.size());
  for (const Node &node : block) inlineNode(node, frame, out);
  return out;
}

void Inliner::inlineNode(const Node &node, Frame &frame, Block &out) {
  ++nodes;
  size_t begin = out.size();
  if (const auto *access = std::get_if<Access>(&node.kind)) {
    noteDoubt(frame, access->location, isDoubtful(frame, *access));
    out.emplace_back(mapAccess(*access, frame));
  } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
    inlineLoop(*loop, frame, out);
  } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
    inlineBranch(*branch, frame, out);
  } else if (const auto *define = std::get_if<Define>(&node.kind)) {
    inlineDefine(*define, frame, out);
  } else if (const auto *call = std::get_if<Call>(&node.kind)) {
    inlineCall(*call, frame, out);
  } else if (const auto *allocate = std::get_if<Allocate>(&node.kind)) {
    inlineAllocate(*allocate, frame, out);
  } else if (const auto *freed = std::get_if<Free>(&node.kind)) {
    inlineFree(*freed, frame, out);
  } else if (const auto *host = std::get_if<HostStatement>(&node.kind)) {
    out.emplace_back(inlineHost(*host, frame));
  } else if (const auto *rotate = std::get_if<Rotate>(&node.kind)) {
    inlineRotate(*rotate, frame, out);
  } else {
    out.push_back(node);
  }
  // What came through a deeper call has its path already.
  for (size_t k = begin; k < out.size(); ++k)
    if (out[k].path == 0) out[k].path = frame.path;
}

void Inliner::inlineLoop(const Loop &loop, Frame &frame, Block &out) {
  Loop copy{loop, {}};
  copy.index = frame.prefix + loop.index;
  noteDoubt(frame, loop.location, isDoubtful(frame, {loop.lower, loop.upper}));
  auto bound = [&](const Expr &expr, const char *which) {
    if (std::optional<Expr> mapped = mapExpr(expr, frame)) return *mapped;
    std::string name = copy.index + "." + which;
    out.emplace_back(Define{name, {}, {}, {}, "a loop bound too large to compute with", loop.location});
    return Expr::symbol(name);
  };
  copy.lower = bound(loop.lower, "lower");
  copy.upper = bound(loop.upper, "upper");
  copy.context = frame.context;
  if (copy.directive) mapDirective(*copy.directive, frame);
  if (copy.hints) mapHints(*copy.hints, frame, loop.location);
  if (loop.steady) copy.steady = mapSteady(*loop.steady, frame);
  size_t mark = writtenBehind.size();
  const bool isShared = isSharedByThreads(loop.body);
  ++loopDepth;
  sharedDepth += isShared;
  copy.body = inlineBlock(loop.body, frame);
  sharedDepth -= isShared;
  --loopDepth;
  if (copy.steady) frame.isUnsteady |= isWrittenBehind(*copy.steady, mark);
  out.emplace_back(std::move(copy));
}

/// The side that is taken whenever control comes here, where numbers decide it: a flag that the caller passes.
static std::optional<bool> decided(const Condition &condition) {
  auto isNegative = [](const Expr &fact) { return fact.constant().value_or(0) < 0; };
  auto isSure = [](const Expr &fact) { return fact.constant().value_or(-1) >= 0; };
  bool isKnown = !condition.anyOf.empty();
  if (isKnown && llvm::all_of(condition.anyOf, [&](const auto &facts) { return llvm::any_of(facts, isNegative); }))
    return false;
  if (condition.exact && llvm::any_of(condition.anyOf, [&](const auto &facts) { return llvm::all_of(facts, isSure); }))
    return true;
  return std::nullopt;
}

void Inliner::inlineBranch(const Branch &branch, Frame &frame, Block &out) {
  Branch copy{branch.condition, {}, {}, branch.isRest, branch.location};
  bool isPoisoned = false;
  for (std::vector<Expr> &conjunction : copy.condition.anyOf)
    for (Expr &expr : conjunction) {
      expr = expr.substitute(frame.symbols);
      isPoisoned |= expr.isPoisoned();
    }
  if (isPoisoned) {
    copy.condition.anyOf.clear();
    copy.condition.exact = false;
  }
  const bool isInDoubt = isDoubtful(frame, branch.condition);
  noteDoubt(frame, branch.location, isInDoubt);
  // A root stays as it is written.
  if (std::optional<bool> side = frame.caller && !isInDoubt ? decided(copy.condition) : std::nullopt) {
    Block taken = inlineBlock(*side ? branch.then : branch.otherwise, frame);
    std::move(taken.begin(), taken.end(), std::back_inserter(out));
    return;
  }
  copy.then = inlineBlock(branch.then, frame);
  copy.otherwise = inlineBlock(branch.otherwise, frame);
  // Unless somebody says how often: what is asked about is the run that goes on.
  bool thenEnds = surelyEnds(copy.then), saysNothing = copy.condition.probability == Condition().probability;
  if (saysNothing && thenEnds != surelyEnds(copy.otherwise)) copy.condition.probability = thenEnds ? 0 : 1;
  out.emplace_back(std::move(copy));
}

void Inliner::inlineDefine(const Define &define, Frame &frame, Block &out) {
  Define copy = define;
  copy.symbol = frame.prefix + define.symbol;
  if (auto value = frame.symbols.find(define.symbol);
      define.value && value != frame.symbols.end() && value->second != Expr::symbol(copy.symbol))
    return; // its value stands wherever it is named
  copy.atLeast = mapExpr(define.atLeast, frame);
  copy.atMost = mapExpr(define.atMost, frame);
  copy.value = mapExpr(define.value, frame);
  copy.usually = mapExpr(define.usually, frame);
  if (define.quotient)
    copy.quotient = Quotient{define.quotient->dividend.substitute(frame.symbols),
                             define.quotient->divisor.substitute(frame.symbols)};
  mapLoaded(copy.from, frame);
  out.emplace_back(std::move(copy));
}

/// Where a name may stand for several objects, what it gets and gives up is not said: contents then live longer than
/// they do, which is safe.
void Inliner::inlineAllocate(const Allocate &allocate, Frame &frame, Block &out) {
  if (frame.remade.count(allocate.array)) return;
  Binding binding = bindingOf(allocate.array, frame);
  const Array *formal = findArray(program, *frame.function, allocate.array), *actual = declared(binding.array);
  if (formal && actual && formal->type != actual->type) allocatedAsOther.insert(binding.array);
  if (!isAlias(binding.array) && !confused.count(binding.array) && binding.row.empty() && binding.offset == Expr(0))
    out.emplace_back(Allocate{binding.array, mapAll(allocate.extents, frame.symbols), allocate.location});
}

void Inliner::inlineFree(const Free &freed, Frame &frame, Block &out) {
  if (frame.remade.count(freed.array)) return;
  Binding binding = bindingOf(freed.array, frame);
  if (!isAlias(binding.array) && !confused.count(binding.array) && binding.row.empty() && binding.offset == Expr(0))
    out.emplace_back(Free{binding.array, freed.location});
}

HostStatement Inliner::inlineHost(const HostStatement &host, Frame &frame) {
  HostStatement copy = host;
  copy.body = inlineBlock(host.body, frame);
  if (copy.message) copy.message->bytes = mapExpr(copy.message->bytes, frame);
  if (copy.library) {
    for (auto &[name, value] : copy.library->dimensions) value = mapExpr(value, frame);
    for (auto &[name, array] : copy.library->operands) array = bindingOf(array, frame).array;
  }
  if (touchesExposed(host)) mayTouchExposed(copy, frame);
  return copy;
}

void Inliner::inlineRotate(const Rotate &rotate, Frame &frame, Block &out) {
  Rotate copy = rotate;
  Names all;
  bool isConfused = false, isAmongAliases = true;
  for (auto &[first, second] : copy.moves) {
    moved[endOfRotation(first, frame)].insert(bindingOf(first, frame).array);
    first = bindingOf(first, frame).array;
    second = bindingOf(second, frame).array;
    all.push_back(first);
    isConfused |= confused.count(first) != 0;
    isAmongAliases &= isAlias(first);
  }
  // Aliases that are rotated stand for the same objects each (uniteRotated): nothing changes.
  if (frame.caller && isAmongAliases) return;
  if (isConfused) return confuse(all);
  out.emplace_back(std::move(copy));
}

void Inliner::mapDirective(Directive &directive, Frame &frame) {
  auto rename = [&](std::string &name) {
    if (frame.arrays.count(name)) name = bindingOf(name, frame).array;
  };
  for (Names *names : {&directive.privates, &directive.firstprivates, &directive.lastprivates})
    llvm::for_each(*names, rename);
  for (auto &reduction : directive.reductions) rename(reduction.second);
}

// Calls.

static bool saysSteady(const Function &function) {
  bool says = !function.steady.empty();
  forEachNode(function.body, [&](const Node &node) {
    const auto *loop = std::get_if<Loop>(&node.kind);
    says |= loop && loop->steady;
  });
  return says;
}

Inliner::Inliner(const Program &program, const Function &root, std::map<std::string, Names> confused)
    : program(program), root(root), confused(std::move(confused)) {
  watchesSteady = llvm::any_of(program.functions, [](const Function &function) { return saysSteady(function); });
}

Inlined Inliner::run() {
  result.function = root;
  result.function.body.clear();
  for (const Constant &constant : program.constants)
    for (const Parameter &parameter : root.parameters)
      if (parameter.kind == Parameter::Kind::Value && parameter.name == constant.symbol)
        hidden[constant.symbol] = constant.value;
  declareGlobals();
  Frame frame;
  frame.function = &root;
  defineValues(root.body, frame.symbols);
  for (Array &array : result.function.arrays) array.extents = mapAll(array.extents, frame.symbols);
  for (Expr &expr : result.function.nonNegative) expr = expr.substitute(frame.symbols);
  for (const Array &array : result.function.arrays) frame.arrays[array.name] = {array.name, Expr(0), array.extents};
  result.paths.push_back({root.name, 0, {}, frame.symbols, {}});
  Block body = inlineBlock(root.body, frame);
  result.paths.front().arrays = frame.arrays;
  takeAllocatedExtents(body);
  flattenArrays(body);
  closeAliases(body);
  result.function.body = std::move(body);
  shareBodies(result.function);
  return std::move(result);
}

llvm::Expected<Inlined> busfare::skeleton::substituteCalls(const Program &program, llvm::StringRef root) {
  const Function *function = findFunction(program, root);
  if (!function)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "no function '" + root + "' in the program");
  return substituteCalls(program, *function);
}

Inlined busfare::skeleton::substituteCalls(const Program &program, const Function &root) {
  // Again as long as a loop confuses more: what it does to names holds for its next iteration.
  std::map<std::string, Names> confused;
  while (true) {
    Inliner inliner(program, root, confused);
    Inlined result = inliner.run();
    bool isStable = true;
    for (const auto &[name, group] : inliner.confusedByLoops()) {
      auto [known, isNew] = confused.try_emplace(name, group);
      // An empty group is the largest.
      bool isLarger = !known->second.empty() && (group.empty() || group.size() > known->second.size());
      if (isLarger) known->second = group;
      isStable &= !isNew && !isLarger;
    }
    if (isStable) return result;
  }
}

static void collectCallees(const Block &block, const std::string &caller, std::set<std::string> &called) {
  for (const Node &node : block) {
    if (const auto *call = std::get_if<Call>(&node.kind)) {
      if (call->callee != caller) called.insert(call->callee);
    } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      collectCallees(loop->body, caller, called);
    } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      collectCallees(branch->then, caller, called);
      collectCallees(branch->otherwise, caller, called);
    }
  }
}

std::vector<std::string> busfare::skeleton::roots(const Program &program) {
  if (findFunction(program, "main")) return {"main"};
  std::set<std::string> called;
  for (const Function &function : program.functions) collectCallees(function.body, function.name, called);
  std::vector<std::string> result;
  SourceFunctions seen;
  for (const Function &function : program.functions)
    if (!called.count(function.name) && seen.isNew(function)) result.push_back(function.name);
  if (result.empty())
    for (const Function &function : program.functions) result.push_back(function.name);
  return result;
}
