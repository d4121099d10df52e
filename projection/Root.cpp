//===- projection/Root.cpp - One root, analysed --------------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Root.h"
#include "brs/CallVerdicts.h"
#include "brs/Domain.h"
#include "brs/HintedValues.h"
#include "brs/Presburger.h"
#include "brs/RowAssumptions.h"
#include "brs/Temporaries.h"
#include "projection/BoundSizes.h"
#include "projection/Registers.h"
#include "projection/RootParts.h"
#include "projection/Shares.h"
#include "skeleton/Inline.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::projection {
using namespace skeleton;

namespace {

std::vector<Footprint> footprintOf(const Program &program, const Root &root, const Loop &kernel) {
  std::vector<Footprint> parts;
  brs::Nest nest(root.context);
  brs::Effects effects = brs::effectsOf(program, root.function, kernel, nest, &root.effects);
  for (const auto &[name, sets] : effects.arrays) {
    const Array *array = root.arrays.find(name);
    if (!array || array->isScalar() || array->perIteration) continue;
    Footprint part;
    part.array = name;
    part.elementBytes = array->type.bytes;
    auto elements = [&](const brs::ElementSet &set) -> Expr {
      if (set.isProvablyEmpty()) return 0;
      std::optional<Expr> count = brs::countAtMost(set.toSections(array->extents, root.context), root.context);
      part.known &= count.has_value();
      return count.value_or(0);
    };
    part.readElements = elements(sets.mayRead);
    part.writtenElements = elements(sets.mayWrite);
    parts.push_back(std::move(part));
  }
  return parts;
}

void addSymbols(const std::optional<Expr> &expr, std::set<std::string> &symbols) {
  if (expr) symbols.merge(expr->symbols());
}

/// Of all that stands in the loop, its accesses' extents included.
void addSymbolsIn(const Loop &kernel, const ArrayTable &arrays, std::set<std::string> &symbols) {
  addSymbols(kernel.lower, symbols);
  addSymbols(kernel.upper, symbols);
  forEachNode(kernel.body, [&](const Node &node) {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      forEachSubscriptExpr(*access, [&](const Expr &expr) { addSymbols(expr, symbols); });
      if (const Array *array = arrays.find(access->array))
        for (const std::optional<Expr> &extent : array->extents) addSymbols(extent, symbols);
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      addSymbols(loop->lower, symbols);
      addSymbols(loop->upper, symbols);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      for (const std::vector<Expr> &conjunction : branch->condition.anyOf)
        for (const Expr &expr : conjunction) addSymbols(expr, symbols);
    }
  });
}

/// Both functions are the same program, so a loop is parallel if either says so: of an array whose shape lost something
/// the flat one may know more. They have the same loops in the same order.
void addVerdictsOf(const Program &program, const Function &unshaped, const std::set<std::string> &lossy,
                   const std::vector<bool> &skipped, const std::vector<Expr> &bound, brs::DependenceAnalysis &shaped) {
  std::vector<bool> isKnown;
  for (const brs::LoopVerdict &verdict : shaped.loops) {
    if (isKnown.size() < skipped.size() && skipped[isKnown.size()]) {
      isKnown.push_back(true);
      continue;
    }
    bool lost = false;
    forEachNode(verdict.loop->body, [&](const Node &node) {
      auto *access = std::get_if<Access>(&node.kind);
      lost |= access && lossy.count(access->array);
    });
    isKnown.push_back(verdict.parallel || !lost);
  }
  brs::Context context = brs::factsOf(program, unshaped);
  llvm::for_each(bound, [&](const Expr &fact) { context.assume(fact); });
  brs::DependenceAnalysis flat = brs::analyseDependence(program, unshaped, context, nullptr, isKnown);
  if (flat.loops.size() != shaped.loops.size()) return;
  for (size_t i = 0; i < flat.loops.size(); ++i) {
    brs::LoopVerdict &verdict = shaped.loops[i];
    // What the shaped one did not leave open, a hint does not decide for the flat one.
    if (verdict.parallel || !flat.loops[i].parallel ||
        llvm::is_contained(flat.loops[i].assuming, brs::assumedIndependent))
      continue;
    const Loop *loop = verdict.loop;
    verdict = std::move(flat.loops[i]);
    verdict.loop = loop;
    std::erase_if(shaped.findings, [&](const Finding &finding) {
      return finding.location == loop->location &&
             (finding.rule == Rule::NotParallel || finding.rule == Rule::DirectiveRefuted);
    });
  }
}

/// Do the call's arrays stand for objects of their own, as the function takes them to?
bool isPlainCall(const Program &program, const Root &root, const CallPath &path) {
  std::set<std::string> objects;
  for (const auto &[name, binding] : path.arrays) {
    const Array *array = root.arrays.find(binding.array);
    bool isGlobal = llvm::any_of(program.globals, [&](const Array &global) { return global.name == binding.array; });
    if (!array || array->storage == Storage::Alias || isGlobal || !objects.insert(binding.array).second) return false;
  }
  return true;
}

/// Loops that nobody asks about, in program order.
std::vector<bool> loopsJudgedElsewhere(const Program &program, const Root &root, const std::set<std::string> &judged) {
  std::vector<bool> isPlain, result;
  if (judged.empty()) return result;
  for (const CallPath &path : root.paths) {
    bool isInside = &path != &root.paths.front();
    const bool isBelow = isInside && isPlain[path.caller]; // it was an instance there as it is here
    isPlain.push_back(isBelow || (isInside && judged.count(path.function) && isPlainCall(program, root, path)));
  }
  forEachNode(root.function.body, [&](const Node &node) {
    if (std::holds_alternative<Loop>(node.kind)) result.push_back(isPlain[node.path]);
  });
  return result;
}

/// Verdicts about arrays whose shapes are assumed say what was assumed.
void listAssumptions(Root &root, const std::set<std::string> &assumedShapes) {
  if (assumedShapes.empty()) return;
  for (brs::LoopVerdict &verdict : root.dependence.loops) {
    bool touches = false;
    forEachNode(verdict.loop->body, [&](const Node &node) {
      auto *access = std::get_if<Access>(&node.kind);
      touches |= access && assumedShapes.count(access->array);
    });
    if (!touches || !verdict.parallel) continue;
    for (const Expr &condition : root.assumed) verdict.assuming.push_back(brs::conditionText(condition));
    llvm::sort(verdict.assuming);
  }
}

} // namespace

KernelFacts factsOf(const Program &program, const Root &root, const brs::Kernel &kernel) {
  KernelFacts facts{footprintOf(program, root, *kernel.loop), registersOf(root.arrays, *kernel.loop), {}};
  std::set<std::string> symbols;
  addSymbolsIn(*kernel.loop, root.arrays, symbols);
  if (auto library = root.libraryCalls.find(kernel.loop); library != root.libraryCalls.end())
    for (const auto &[name, size] : library->second.dimensions) addSymbols(size, symbols);
  for (const Loop *loop : kernel.serialLoops)
    for (const Expr &bound : {loop->lower, loop->upper}) addSymbols(bound, symbols);
  for (const Footprint &part : facts.footprint)
    for (const Expr &elements : {part.readElements, part.writtenElements}) addSymbols(elements, symbols);
  facts.symbols.assign(symbols.begin(), symbols.end());
  return facts;
}

double effortFor(const Function &function, Depth depth) {
  constexpr double least = 0.16, perLoop = 0.02, most = 6;
  size_t loops = 0;
  forEachNode(function.body, [&](const Node &node) { loops += std::holds_alternative<Loop>(node.kind); });
  double whole = std::min(least + perLoop * double(loops), most);
  return depth == Depth::Shapes ? std::max(least, whole / 4) : depth == Depth::LeftOver ? least : whole;
}

RegionChunks chunksOf(const Program &program, const Root &root, const brs::Region &region) {
  RegionChunks chunks{brs::splitKernel(program, root.function, region, root.dependence, root.context, &root.effects),
                      {}};
  for (const brs::ChunkedArray &array : chunks.kernel.arrays) {
    auto elements = [&](bool isSplit, const brs::SectionSet &section) {
      return isSplit ? brs::countAtMost(section, root.context) : std::nullopt;
    };
    chunks.ends.push_back(
        {elements(array.isSplitIn, array.firstNeeds), elements(array.isSplitOut, array.lastCopiesOut)});
  }
  return chunks;
}

void planTransfers(const Program &program, Root &root, const brs::PlanLimits &limits) {
  root.transfers = brs::analyseTransfers(program, root.function, root.dependence, root.context, root.name == "main",
                                         limits, &root.effects);
  for (brs::Region &region : root.transfers.regions)
    for (const Expr &condition : root.assumed)
      if (std::string text = brs::conditionText(condition); !llvm::is_contained(region.assumptions, text))
        region.assumptions.push_back(text);
  preparePrices(program, root);
}

static std::optional<Expr> elementsIn(const Root &root, const std::string &array) {
  auto known = root.elements.find(array);
  return known == root.elements.end() || known->second.isPoisoned() ? std::nullopt : std::optional(known->second);
}

CrossingForm formIn(const Root &root, const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                    Direction direction, llvm::ArrayRef<Expr> runs) {
  return formOf(array, crossing, direction, root.context, runs, elementsIn(root, array.name));
}

std::optional<Expr> heldIn(const Root &root, const brs::ArrayTransfers &array) {
  std::optional<Expr> count = countOnce(array.onDevice, root.context);
  return !count && array.onDevice.boxes.empty() ? elementsIn(root, array.name) : count;
}

void preparePrices(const Program &program, Root &root) {
  for (const brs::Region &region : root.transfers.regions)
    for (const brs::Kernel &kernel : region.kernels)
      if (auto [entry, isNew] = root.kernels.try_emplace(kernel.loop); isNew)
        entry->second = factsOf(program, root, kernel);
  for (const brs::Region &region : root.transfers.regions)
    for (const brs::ArrayTransfers &array : region.arrays) {
      root.onDevice[&array] = heldIn(root, array);
      for (const brs::Crossing &crossing : array.h2d)
        root.crossings[&crossing] = formIn(root, array, crossing, Direction::ToDevice, region.runs);
      for (const brs::Crossing &crossing : array.d2h)
        root.crossings[&crossing] = formIn(root, array, crossing, Direction::ToHost, region.runs);
    }
}

void takeGiven(Root &root, std::set<std::string> given) {
  root.given = std::move(given);
  for (const brs::Region &region : root.transfers.regions) {
    for (const brs::Kernel &kernel : region.kernels)
      root.kernels.at(kernel.loop).decided = decidedBy(root.given, kernel.guards);
    for (const brs::ArrayTransfers &array : region.arrays)
      for (const std::vector<brs::Crossing> *crossings : {&array.h2d, &array.d2h})
        for (const brs::Crossing &crossing : *crossings)
          root.crossings.at(&crossing).decided = decidedBy(root.given, crossing.guards);
  }
}

void splitRegions(const Program &program, Root &root) {
  for (const brs::Region &region : root.transfers.regions) {
    // Chunks that are too hard to tell are none; nothing else rests on them.
    brs::EffortBudget forChunks(brs::effortLeft() / 2);
    root.chunks[&region] = chunksOf(program, root, region);
  }
}

llvm::Expected<std::unique_ptr<Root>> analyseRoot(const Program &program, const std::string &name, Depth depth,
                                                  brs::ShapeProof proof, const std::set<std::string> &judged) {
  llvm::Expected<Inlined> inlined = substituteCalls(program, name);
  if (!inlined) return inlined.takeError();
  const std::vector<Expr> bound = takePins(inlined->function);
  brs::EffortBudget budget(effortFor(inlined->function, depth));
  auto root = std::make_unique<Root>();
  root->name = name;
  root->findings = std::move(inlined->findings);
  for (std::vector<Finding> findings :
       {brs::applyRanges(program, *inlined), brs::checkSizes(program, inlined->function)})
    root->findings.insert(root->findings.end(), findings.begin(), findings.end());
  brs::Shaped shaped = brs::recoverShapes(program, inlined->function, brs::factsOf(program, inlined->function), proof);
  root->findings.insert(root->findings.end(), shaped.findings.begin(), shaped.findings.end());
  root->function = std::move(shaped.function);
  root->paths = std::move(inlined->paths);
  root->arrays = ArrayTable(program, root->function);
  root->elements = std::move(shaped.elements);
  root->context = brs::factsOf(program, root->function);
  std::vector<Finding> contradicted =
      brs::settleTemporaries(program, root->function, root->paths, root->context, root->effects);
  root->findings.insert(root->findings.end(), contradicted.begin(), contradicted.end());
  root->assumed = shaped.assumed;
  auto assumeRows = [&] {
    llvm::for_each(root->assumed, [&](const Expr &condition) { root->context.assume(condition); });
  };
  if (depth == Depth::Shapes) {
    assumeRows();
    return root;
  }
  std::vector<bool> skipped = loopsJudgedElsewhere(program, *root, judged);
  // What --param binds decides which loops are parallel; sections keep the names of sizes.
  brs::Context asked = root->context;
  llvm::for_each(bound, [&](const Expr &fact) { asked.assume(fact); });
  root->dependence =
      brs::analyseDependence(program, root->function, asked, bound.empty() ? &root->effects : nullptr, skipped);
  if (!shaped.lossy.empty() && contradicted.empty()) // the flat one still has the hints
    addVerdictsOf(program, inlined->function, shaped.lossy, skipped, bound, root->dependence);
  brs::judgeByFunction(program, root->function, root->paths, asked, proof, root->dependence);
  if (!skipped.empty()) {
    size_t k = 0;
    llvm::erase_if(root->dependence.loops, [&](const brs::LoopVerdict &) { return bool(skipped[k++]); });
  }
  // Verdicts were found without the conditions; only the shapes need them.
  listAssumptions(*root, shaped.assumedShapes);
  assumeRows();
  root->findings.insert(root->findings.end(), root->dependence.findings.begin(), root->dependence.findings.end());
  if (depth != Depth::Transfers) return root;
  planTransfers(program, *root, {});
  root->findings.insert(root->findings.end(), root->transfers.findings.begin(), root->transfers.findings.end());
  bool wasHard = budget.wasExceeded();
  splitRegions(program, *root);
  if (wasHard)
    root->findings.push_back({Rule::EffortExceeded, Level::Remark, root->function.location,
                              "some questions about " + name +
                                  " with all its calls were too hard within the effort "
                                  "allowed; whole arrays and serial loops are the answers to them"});
  return root;
}

} // namespace busfare::projection
