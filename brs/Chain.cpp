//===- brs/Chain.cpp - Kernels that run chunk by chunk, one behind the other ===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Chain.h"
#include "brs/Alias.h"
#include "brs/Domain.h"
#include "brs/Presburger.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::brs {
using namespace skeleton;

namespace {

ElementSet asElements(PresburgerSet set) {
  return ElementSet(std::make_shared<const PresburgerSet>(std::move(set)), false);
}

std::string lineOf(const Loop &loop) { return "line " + std::to_string(loop.location.line); }

/// One iteration of one kernel.
struct Link {
  const Loop *loop = nullptr;
  Effects effects;
  std::set<std::string> own; ///< Names of which each iteration has a copy.

  bool touches(const std::string &name) const { return effects.arrays.count(name) && !own.count(name); }
};

/// The symbols that statements of the body introduce are other ones in each iteration.
void projectDefines(const Loop &loop, Effects &effects) {
  for (const Define *define : definesIn(loop.body))
    for (auto &[name, sets] : effects.arrays)
      for (ElementSet *may : {&sets.mayRead, &sets.mayWrite})
        if (may->representation() && may->representation()->mentions(define->symbol))
          *may = projectOut(*may, define->symbol);
}

class ChainBuilder {
public:
  ChainBuilder(const Program &program, const Function &function, const Region &region,
               const DependenceAnalysis &dependence, const Context &facts, EffectsMemo *memo)
      : program(program), function(function), region(region), dependence(dependence), facts(facts), memo(memo),
        aliases(program, function) {}
  Chain run();

private:
  const Program &program;
  const Function &function;
  const Region &region;
  const DependenceAnalysis &dependence;
  const Context &facts;
  EffectsMemo *memo;
  Aliases aliases;
  std::vector<Link> links;

  std::string whyNotBeside() const;
  Link linkOf(const Loop &loop) const;
  std::string whyNotBehind(const Link &earlier, const Link &later) const;
  bool mayMeet(const Link &earlier, const Link &later, const std::string &name) const;
  bool isAssumedApart(const std::string &a, const std::string &b) const;
};

/// What the loops themselves say.
std::string ChainBuilder::whyNotBeside() const {
  if (region.kernels.size() > mostInChain)
    return "more than " + std::to_string(mostInChain) + " kernels stand between the copies";
  const Loop &first = *region.kernels.front().loop;
  for (const Kernel &kernel : region.kernels)
    if (!(kernel.loop->lower == first.lower) || !(kernel.loop->upper == first.upper) || kernel.loop->step != first.step)
      return "the outer loops of the kernels at " + lineOf(first) + " and " + lineOf(*kernel.loop) +
             " have different bounds";
  for (size_t i = region.first; i <= region.last; ++i) {
    const Node &node = (*region.block)[i];
    auto *loop = std::get_if<Loop>(&node.kind);
    bool isKernel = loop && llvm::any_of(region.kernels, [&](const Kernel &kernel) { return kernel.loop == loop; });
    if (!isKernel && !std::holds_alternative<Operations>(node.kind) && !std::holds_alternative<Define>(node.kind))
      return "the host does something between the kernels";
  }
  return "";
}

Link ChainBuilder::linkOf(const Loop &loop) const {
  Link link{&loop, effectsOf(program, function, loop.body, Nest(facts).inside(loop), memo), {}};
  projectDefines(loop, link.effects);
  const LoopVerdict *verdict = dependence.find(loop);
  for (const Need &need : verdict ? verdict->needs : std::vector<Need>())
    if (need.kind == Need::Kind::Private || need.kind == Need::Kind::ArrayPrivate) link.own.insert(need.name);
    else if (auto found = link.effects.arrays.find(need.name);
             found != link.effects.arrays.end() && need.kind == Need::Kind::LastPrivate)
      // What only the last iteration leaves is that of no chunk before.
      found->second.mayWrite = ElementSet::whole(findArray(program, function, need.name)->extents.size());
  return link;
}

/// May iteration k of the later kernel and one behind k of the earlier touch one element of the array, one of them
/// writing?
bool ChainBuilder::mayMeet(const Link &earlier, const Link &later, const std::string &name) const {
  const std::string behind = earlier.loop->index + "'";
  const ArrayEffects &one = earlier.effects.arrays.at(name), &other = later.effects.arrays.at(name);
  PresburgerSet order =
      nonNegative(Expr::symbol(behind) - Expr::symbol(later.loop->index) - std::abs(earlier.loop->step));
  PresburgerSet runs =
      intersect(iterationsOf(*earlier.loop).may.rename(earlier.loop->index, behind), iterationsOf(*later.loop).may);
  auto meet = [&](const ElementSet &first, const ElementSet &second) {
    const PresburgerSet *a = first.representation(), *b = second.representation();
    if (!a || !b) return false;
    PresburgerSet both = intersect(intersect(intersect(a->rename(earlier.loop->index, behind), *b), order), runs);
    return intersect(both, conditionOf(facts, both.names())).isEmpty() != Answer::Yes;
  };
  return meet(one.mayWrite, other.mayWrite) || meet(one.mayWrite, other.mayRead) || meet(one.mayRead, other.mayWrite);
}

bool ChainBuilder::isAssumedApart(const std::string &a, const std::string &b) const {
  return llvm::is_contained(region.assumptions, "noalias(" + a + "," + b + ")") ||
         llvm::is_contained(region.assumptions, "noalias(" + b + "," + a + ")");
}

std::string ChainBuilder::whyNotBehind(const Link &earlier, const Link &later) const {
  std::string pair = "the kernel at " + lineOf(*later.loop) + " cannot follow the one at " + lineOf(*earlier.loop) +
                     " chunk by chunk: ";
  for (const auto &[name, sets] : earlier.effects.arrays) {
    if (!earlier.touches(name)) continue;
    if (later.touches(name) && mayMeet(earlier, later, name))
      return pair + name + " links its iterations to later ones of that kernel";
    for (const auto &[other, otherSets] : later.effects.arrays) {
      if (other == name || !later.touches(other) ||
          (sets.mayWrite.isProvablyEmpty() && otherSets.mayWrite.isProvablyEmpty()))
        continue;
      if (aliases.between(name, other) != Overlap::Never && !isAssumedApart(name, other))
        return pair + name + " and " + other + " may be the same memory";
    }
  }
  return "";
}

Chain ChainBuilder::run() {
  Chain chain;
  if (region.kernels.size() > 1) chain.whyNot = whyNotBeside();
  if (!chain.whyNot.empty()) return chain;
  for (const Kernel &kernel : region.kernels) {
    links.push_back(linkOf(*kernel.loop));
    chain.loops.push_back(kernel.loop);
  }
  for (size_t later = 1; later < links.size(); ++later)
    for (size_t earlier = 0; earlier < later; ++earlier)
      if (std::string why = whyNotBehind(links[earlier], links[later]); !why.empty()) {
        chain.whyNot = std::move(why);
        return chain;
      }
  const std::string &index = links.front().loop->index;
  for (Link &link : links)
    for (auto &[name, sets] : link.effects.arrays) {
      ArrayEffects &all = chain.effects.arrays[name];
      for (auto [mine, sum] : {std::pair(&sets.mayRead, &all.mayRead), {&sets.mayWrite, &all.mayWrite}}) {
        bool isOther = mine->representation() && link.loop->index != index;
        *sum = unite(*sum, isOther ? asElements(intersect(*mine->representation(), iterationsOf(*link.loop).may)
                                                    .rename(link.loop->index, index))
                                   : *mine);
      }
    }
  return chain;
}

} // namespace

Chain chainOf(const Program &program, const Function &function, const Region &region,
              const DependenceAnalysis &dependence, const Context &facts, EffectsMemo *memo) {
  return ChainBuilder(program, function, region, dependence, facts, memo).run();
}

} // namespace busfare::brs
