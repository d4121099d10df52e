//===- projection/Coverage.cpp - How much of a program is understood ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Coverage.h"
#include "brs/Domain.h"
#include "brs/Presburger.h"
#include "projection/report/Ranking.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

Rule ruleOf(const HostStatement &host) {
  switch (host.reason) {
  case HostReason::InputOutput: return Rule::InputOutput;
  case HostReason::OpaqueCall: return Rule::OpaqueCall;
  case HostReason::Recursion: return Rule::Recursion;
  case HostReason::Allocation: return Rule::AllocationInLoop;
  case HostReason::Timing: return Rule::ClockRead;
  case HostReason::NoReturn: return Rule::NoReturn;
  case HostReason::Unsupported: return Rule::UnsupportedCode;
  case HostReason::Message: return Rule::Message;
  case HostReason::Threads: return Rule::UnreadDirective;
  case HostReason::Handler: return Rule::AssumedUnthrown;
  case HostReason::Library: return host.library ? Rule::LibraryCall : Rule::OpaqueCall;
  }
  llvm_unreachable("every reason has its rule");
}

/// Code whose body is not seen. Of some functions of the C library it is known what they touch.
bool isOpaque(const HostStatement &host) {
  return host.reason == HostReason::OpaqueCall || host.reason == HostReason::Recursion ||
         (host.reason == HostReason::Library && !host.library);
}

/// Looks for all that can keep the sections of a nest from being exact.
class Search {
public:
  Search(const Program &program, const Root &root) : root(root) {
    for (const Finding &finding : program.findings)
      if (finding.rule == Rule::IndirectSubscript || finding.rule == Rule::NonAffineSubscript)
        subscripts.emplace(finding.location, finding.rule);
      else if (finding.rule >= Rule::Goto && finding.rule <= Rule::LongJump)
        hostOnly.emplace(finding.location, finding.rule);
    for (const Finding &finding : root.findings)
      if (finding.rule == Rule::SharedShape && finding.level == Level::Remark) // a note says which shape was found
        hasSharedShape = true;
  }

  void look(const Loop &loop) {
    bool changes = mentionsDefined(loop.lower) || mentionsDefined(loop.upper);
    const bool isNotAffine = hasProduct(loop.lower) || hasProduct(loop.upper);
    if (changes || isNotAffine) {
      if (!reasons.count(Rule::UnknownTripCount)) isTripCountKnown = !changes;
      add(Rule::UnknownTripCount, loop.location);
    }
    if (loop.mayExitEarly) add(Rule::EarlyExit, loop.location);
    indices.insert(loop.index);
    look(loop.body);
    indices.erase(loop.index);
  }

  bool isBounded = true, holdsHostCode = false;
  bool isTripCountKnown = false; ///< Of the reason UnknownTripCount: by a formula that is not affine.
  std::map<Rule, Location> reasons; ///< The first place of each.

private:
  const Root &root;
  std::map<Location, Rule> subscripts; ///< What the front end said of them.
  std::map<Location, Rule> hostOnly;   ///< Of code that stays on the host, and of parts of elements.
  bool hasSharedShape = false;
  std::set<std::string> defined, indices;
  std::set<std::string> computed; ///< Of those defined: from indices, without a look at memory.

  void add(Rule rule, const Location &location) { reasons.emplace(rule, location); }

  bool mentionsDefined(const Expr &expr) const {
    return llvm::any_of(defined, [&](const std::string &symbol) { return expr.mentions(symbol); });
  }

  /// `(unsigned char)i`, i % n: nothing is loaded for it.
  static bool isComputed(const Define &define) {
    return !define.from && llvm::StringRef(define.reason).find_first_of("[*>.") == llvm::StringRef::npos;
  }
  bool isOnlyComputed(const Expr &expr) const {
    return llvm::all_of(
        defined, [&](const std::string &symbol) { return !expr.mentions(symbol) || computed.count(symbol) != 0; });
  }

  /// An index times anything but a number: no Presburger set says it.
  bool hasProduct(const Expr &expr) const {
    for (const Term &term : expr.sum()) {
      if (term.factors.size() < 2) continue;
      for (const std::string &index : indices)
        if (llvm::any_of(term.factors, [&](const Atom &factor) { return exprOf(factor).mentions(index); })) return true;
    }
    return false;
  }

  void look(const Block &block) {
    for (const Node &node : block)
      if (auto *loop = std::get_if<Loop>(&node.kind)) look(*loop);
      else if (auto *branch = std::get_if<Branch>(&node.kind)) look(*branch);
      else if (auto *access = std::get_if<Access>(&node.kind)) look(*access, nullptr);
      else if (auto *host = std::get_if<HostStatement>(&node.kind)) look(*host);
      else if (auto *define = std::get_if<Define>(&node.kind); define && !define->value) {
        defined.insert(define->symbol);
        if (isComputed(*define)) computed.insert(define->symbol);
      } else if (auto *rotate = std::get_if<Rotate>(&node.kind)) add(Rule::UnknownPointer, rotate->location);
  }

  void look(const Branch &branch) {
    bool isKnown = branch.condition.exact;
    for (const std::vector<Expr> &conjunction : branch.condition.anyOf)
      isKnown &=
          llvm::none_of(conjunction, [&](const Expr &fact) { return mentionsDefined(fact) || hasProduct(fact); });
    // A side that only ends the program touches nothing.
    auto touches = [](const Block &side) {
      return llvm::any_of(side, [](const Node &node) { return !std::holds_alternative<End>(node.kind); });
    };
    if (!isKnown && (touches(branch.then) || touches(branch.otherwise)))
      add(Rule::DataDependentAccess, branch.location);
    look(branch.then);
    look(branch.otherwise);
  }

  void look(const HostStatement &host) {
    auto said = hostOnly.find(host.location);
    Rule rule = said == hostOnly.end() ? ruleOf(host) : said->second;
    add(rule, host.location);
    holdsHostCode |= isOpaque(host) || host.reason == HostReason::InputOutput;
    isBounded &= !holdsHostCode;
    for (const Node &node : host.body)
      if (auto *access = std::get_if<Access>(&node.kind)) look(*access, &rule, &host);
  }

  /// of: the rule of the host statement around it.
  void look(const Access &access, const Rule *of, const HostStatement *in = nullptr) {
    const Location &location = locationOf(access, in);
    const Array *array = root.arrays.find(access.array);
    if (!array || (array->storage == Storage::Alias && array->mayBe.empty())) {
      add(Rule::UnknownPointer, location);
      isBounded = false;
      return;
    }
    if (array->storage == Storage::Alias) add(Rule::UnknownPointer, location);
    else if (access.may && !of) // a bit field, a union: more than is named
      add(hostOnly.count(location) ? hostOnly.at(location) : Rule::UnsupportedCode, location);
    // Of an array with rows, an element that is counted from its beginning.
    if (access.flat && !mentionsDefined(*access.flat) && !hasProduct(*access.flat)) return;
    for (const Subscript &subscript : access.subscripts) {
      auto said = subscripts.find(location);
      if (!subscript.value && !of) add(said == subscripts.end() ? Rule::NonAffineSubscript : said->second, location);
      else if (subscript.value && mentionsDefined(*subscript.value))
        add(said != subscripts.end()           ? said->second
            : isOnlyComputed(*subscript.value) ? Rule::NonAffineSubscript
                                               : Rule::IndirectSubscript,
            location);
      else if (subscript.value && hasProduct(*subscript.value))
        add(hasSharedShape ? Rule::SharedShape : Rule::NonAffineSubscript, location);
    }
  }
};

/// Known bounds, or at worst an array of known size.
bool isKnownPart(const brs::ElementSet &set, const Array &array, const brs::Context &context, bool isSized) {
  isSized |= llvm::all_of(array.extents, [](const std::optional<Expr> &extent) { return extent.has_value(); });
  if (set.exact || isSized || set.isProvablyEmpty()) return true;
  brs::SectionSet sections = set.toSections(array.extents, context);
  return !sections.whole || !sections.boxes.empty();
}

bool isExact(const brs::Effects &effects) {
  return llvm::all_of(effects.arrays,
                      [](const auto &entry) { return entry.second.mayRead.exact && entry.second.mayWrite.exact; });
}
bool isTight(const brs::Effects &effects) {
  return llvm::all_of(effects.arrays,
                      [](const auto &entry) { return entry.second.mayRead.tight && entry.second.mayWrite.tight; });
}

NestReport describeNest(const Program &program, const Root &root, const Node &node, const brs::Nest &around,
                        const CallersSizes &callers) {
  const Loop &loop = std::get<Loop>(node.kind);
  NestReport nest;
  nest.location = loop.location;
  nest.function = root.name;
  Search search(program, root);
  search.look(loop);
  nest.bounded = search.isBounded;
  nest.holdsHostCode = search.holdsHostCode;
  brs::EffortBudget budget(brs::effortLeft());
  brs::Effects effects = brs::touchedIn(program, root.function, node, around, &root.effects);
  // What both sides of a branch on data write is exact all the same; only the full effects show it.
  if (isTight(effects) && !isExact(effects))
    effects = brs::effectsOf(program, root.function, node, around, &root.effects);
  nest.exact = isExact(effects);
  nest.tight = isTight(effects);
  for (const auto &[name, sets] : effects.arrays) {
    const Array *array = root.arrays.find(name);
    if (!nest.bounded || !array) continue;
    bool isSized = array->isSized || callers.count({root.name, name}) ||
                   root.elements.count(name); // rows whose number is not known, of a known whole
    if (!isKnownPart(sets.mayRead, *array, root.context, isSized) ||
        !isKnownPart(sets.mayWrite, *array, root.context, isSized)) {
      search.reasons.emplace(Rule::UnknownExtent, array->location);
      nest.bounded = false;
    }
  }
  if (!nest.exact && (budget.wasExceeded() || brs::effortIsSpent()))
    search.reasons.emplace(Rule::EffortExceeded, loop.location);
  if (!nest.exact || !nest.bounded || nest.holdsHostCode)
    for (const auto &[rule, location] : search.reasons)
      nest.reasons.push_back({rule, location, rule == Rule::UnknownTripCount && search.isTripCountKnown});
  return nest;
}

} // namespace

bool hasFixed(const Root &root) {
  return llvm::any_of(root.function.arrays, [](const Array &array) { return array.isFixed; });
}

void giveOwnMemory(Array &pointer) {
  pointer.storage = Storage::Given;
  pointer.isFixed = false;
  pointer.mayBe.clear();
  pointer.likely.clear();
}

void followFixed(const Program &program, const Root &root, Root &result) {
  result.name = root.name;
  result.function = root.function;
  for (Array &array : result.function.arrays)
    if (array.isFixed) giveOwnMemory(array);
  result.arrays = ArrayTable(program, result.function);
  result.context = root.context;
  result.elements = root.elements;
  result.findings = root.findings;
}

Nests describeNests(const Program &program, const Root &root, const CallersSizes &callers) {
  if (hasFixed(root)) {
    Root followed;
    followFixed(program, root, followed);
    return describeNests(program, followed, callers);
  }
  struct Looked {
    const Node &node;
    brs::Nest around;
    bool isInside;
  };
  std::vector<Looked> all;
  auto look = [&](const auto &self, const Block &block, const brs::Nest &around, bool isInside) -> void {
    for (const Node &node : block) {
      if (auto *branch = std::get_if<Branch>(&node.kind)) {
        self(self, branch->then, around.inside(*branch, true), isInside);
        self(self, branch->otherwise, around.inside(*branch, false), isInside);
        continue;
      }
      auto *loop = std::get_if<Loop>(&node.kind);
      if (!loop || node.path != 0) continue;
      Search search(program, root);
      search.look(*loop);
      if (!isInside || !search.holdsHostCode) all.push_back({node, around, isInside});
      if (search.holdsHostCode) self(self, loop->body, around.inside(*loop), true);
    }
  };
  look(look, root.function.body, brs::Nest(root.context), false);
  // The small ones first: one of thousands of accesses must not be all that the effort is spent on.
  auto sizeOf = [](const Looked &one) {
    size_t nodes = 0;
    forEachNode(llvm::ArrayRef(one.node), [&](const Node &) { ++nodes; });
    return nodes;
  };
  std::vector<std::pair<size_t, size_t>> bySize;
  for (size_t k = 0; k < all.size(); ++k) bySize.emplace_back(sizeOf(all[k]), k);
  llvm::sort(bySize);
  std::vector<NestReport> described(all.size());
  for (const auto &[size, k] : bySize) described[k] = describeNest(program, root, all[k].node, all[k].around, callers);
  Nests nests;
  for (size_t k = 0; k < all.size(); ++k)
    (all[k].isInside ? nests.inner : nests.outermost).push_back(std::move(described[k]));
  return nests;
}

std::vector<NestReport> mergeNests(std::vector<NestReport> nests) {
  std::vector<NestReport> merged;
  std::map<Location, size_t> byPlace;
  for (NestReport &nest : nests) {
    auto [entry, isNew] = byPlace.try_emplace(nest.location, merged.size());
    if (isNew || !nest.location.isKnown()) {
      merged.push_back(std::move(nest));
      continue;
    }
    NestReport &one = merged[entry->second];
    one.exact &= nest.exact;
    one.tight &= nest.tight;
    one.bounded &= nest.bounded;
    one.holdsHostCode |= nest.holdsHostCode;
    for (const NestReason &reason : nest.reasons)
      if (llvm::none_of(one.reasons, [&](const NestReason &known) { return known.rule == reason.rule; }))
        one.reasons.push_back(reason);
    llvm::sort(one.reasons);
  }
  llvm::stable_sort(merged, [](const NestReport &a, const NestReport &b) {
    return std::tie(a.location, a.function) < std::tie(b.location, b.function);
  });
  return merged;
}

Finding findingOn(const NestReport &nest, const NestReason &reason) {
  auto message = [&]() -> std::string {
    switch (reason.rule) {
    case Rule::IndirectSubscript: return "a subscript depends on memory; any element may be meant";
    case Rule::NonAffineSubscript: return "a subscript is no affine form of indices; any element may be meant";
    case Rule::OpaqueCall: return "code that is not seen is called";
    case Rule::InputOutput: return "input or output stays on the host";
    case Rule::UnknownTripCount:
      return reason.isNotAffine
                 ? "a bound of this loop has an index times something that is no number in it, which is no affine form"
                 : "the loop's bounds are computed inside the nest";
    case Rule::EarlyExit: return "the loop may end before its bound";
    case Rule::Recursion: return "a recursive call stays on the host";
    case Rule::UnsupportedCode: return "code that a GPU cannot run, or more memory than the source names";
    case Rule::UnknownPointer: return "which object is meant is not known";
    case Rule::UnknownExtent: return "the size of this array is not known, where any of its elements may be meant";
    case Rule::SharedShape:
      return "the array's shape is not known, and in one dimension the subscript is no affine form of indices";
    case Rule::DataDependentAccess:
      return "whether this branch is taken depends on data; what it touches is taken as possible, not as certain";
    case Rule::EffortExceeded:
      return "whether the sections of this nest are exact was too hard to tell within the effort allowed";
    default: return ruleTitle(reason.rule).str();
    }
  }();
  if (reason.location != nest.location) message += " (in the nest at " + toString(nest.location) + ")";
  return {reason.rule, Level::Note, reason.location, message};
}

static std::vector<SpoiledNests> spoiledBy(const std::vector<NestReport> &nests) {
  std::map<Rule, SpoiledNests> byRule;
  for (const NestReport &nest : nests)
    for (const NestReason &reason : nest.reasons) {
      SpoiledNests &one = byRule[reason.rule];
      one.rule = reason.rule;
      ++one.nests;
      one.alone += nest.reasons.size() == 1;
    }
  std::vector<SpoiledNests> result;
  for (const auto &[rule, one] : byRule) result.push_back(one);
  llvm::stable_sort(result, [](const SpoiledNests &a, const SpoiledNests &b) { return a.nests > b.nests; });
  return result;
}

/// "BF012 (which object a pointer points to is not known) keeps 14 of 20 nests from being exact, 3 of them alone; ..."
static std::string adviceOn(const SpoiledNests &one, size_t all) {
  std::string id = ruleId(one.rule).str();
  return id + " (" + ruleTitle(one.rule).str() + ") keeps " + std::to_string(one.nests) + " of " + std::to_string(all) +
         " nests from being exact or bounded, " + std::to_string(one.alone) + " of them alone; `busfare help " + id +
         "` says what helps";
}

static void suggestSizes(const std::vector<RegionReport> &regions, std::vector<std::string> &suggestions) {
  struct Asked {
    unsigned regions = 0;
    double effect = 0;
    auto operator<=>(const Asked &) const = default;
  };
  std::map<std::string, Asked> assumed;
  for (const RegionReport &region : regions)
    for (const auto &[name, parameter] : sizesThatCount(region, ParameterSource::Assumed)) {
      Asked &asked = assumed[name];
      ++asked.regions;
      asked.effect = std::max(asked.effect, parameter.effect.value_or(0));
    }
  auto most = std::max_element(assumed.begin(), assumed.end(),
                               [](const auto &a, const auto &b) { return a.second < b.second; });
  if (most != assumed.end())
    suggestions.push_back("nothing binds the size " + most->first + ", on which " +
                          (most->second.regions == 1 ? std::string("a region depends")
                                                     : std::to_string(most->second.regions) + " regions depend") +
                          "; --param " + most->first + "=N");
}

static std::vector<std::string> suggestionsOf(const Report &report) {
  const CoverageReport &coverage = report.coverage;
  std::vector<std::string> suggestions;
  if (coverage.filesWithoutHeaders)
    suggestions.push_back(std::to_string(coverage.filesWithoutHeaders) +
                          (coverage.filesWithoutHeaders == 1 ? " file lacks" : " files lack") +
                          " a header; `-p BUILD` with a compile_commands.json, or `-- -I FOLDER`, says where it is");
  if (!coverage.guessedFolders.empty())
    suggestions.push_back("where headers are was guessed (" + std::to_string(coverage.guessedFolders.size()) +
                          (coverage.guessedFolders.size() == 1 ? " folder" : " folders") +
                          "), and which macros are set is not known; `-p BUILD` says both");
  const std::vector<SpoiledNests> &spoiled = coverage.spoiledBy;
  if (!spoiled.empty()) {
    suggestions.push_back(adviceOn(spoiled.front(), coverage.nests.size()));
    auto alone = std::max_element(spoiled.begin(), spoiled.end(),
                                  [](const SpoiledNests &a, const SpoiledNests &b) { return a.alone < b.alone; });
    if (alone->alone > spoiled.front().alone) suggestions.push_back(adviceOn(*alone, coverage.nests.size()));
  }
  suggestSizes(report.regions, suggestions);
  return suggestions;
}

void summariseCoverageInPlace(Report &report) {
  CoverageReport &coverage = report.coverage;
  std::map<Location, const LoopReport *> byPlace;
  for (const LoopReport &loop : report.loops) byPlace.emplace(loop.location, &loop);
  coverage.nests = mergeNests(std::move(coverage.nests));
  coverage.innerNests = mergeNests(std::move(coverage.innerNests));
  auto judge = [&](NestReport &nest) {
    auto loop = byPlace.find(nest.location);
    nest.hasVerdict = loop != byPlace.end() && loop->second->isAnalysed;
    if (nest.hasVerdict)
      nest.verdict = loop->second->parallel ? "parallel" : loop->second->holdsParallel ? "inner" : "serial";
  };
  llvm::for_each(coverage.innerNests, judge);
  coverage.outermostNests = coverage.nests.size();
  coverage.nestsExact = coverage.nestsTight = coverage.nestsBounded = coverage.nestsWithHostCode =
      coverage.nestsWithVerdict = 0;
  for (NestReport &nest : coverage.nests) {
    judge(nest);
    coverage.nestsExact += nest.exact;
    coverage.nestsTight += nest.tight;
    coverage.nestsBounded += nest.bounded;
    coverage.nestsWithHostCode += nest.holdsHostCode;
    coverage.nestsWithVerdict += nest.hasVerdict;
  }
  coverage.loopsWithVerdict = llvm::count_if(report.loops, [](const LoopReport &loop) { return loop.isAnalysed; });
  coverage.loops = report.loops.size() + coverage.loopsNotRead;
  for (const LoopReport &loop : report.loops)
    if (std::pair<std::string, std::string> entry{toString(loop.location) + ", a loop in " + loop.function,
                                                  loop.reason};
        !loop.isAnalysed && !llvm::is_contained(coverage.notAnalysed, entry))
      coverage.notAnalysed.push_back(std::move(entry));
  coverage.spoiledBy = spoiledBy(coverage.nests);
  coverage.suggestions = suggestionsOf(report);
}

} // namespace busfare::projection
