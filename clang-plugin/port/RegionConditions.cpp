//===- clang-plugin/port/RegionConditions.cpp - What a region takes for granted, tested -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Handlers.h"
#include "brs/RowAssumptions.h"
#include "clang-plugin/port/RegionWriter.h"
#include "projection/Describe.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

/// "noalias(a,b)" as a comparison of addresses at the entry; nothing if it cannot be said there.
std::optional<std::string> RegionWriter::noOverlap(llvm::StringRef assumption) {
  if (!assumption.consume_front("noalias(") || !assumption.consume_back(")")) return std::nullopt;
  auto [first, second] = assumption.split(',');
  std::string bounds[2][2];
  for (int k = 0; k < 2; ++k) {
    std::string array = (k ? second : first).trim().str();
    auto found = llvm::find_if(q.region.arrays, [&](const brs::ArrayTransfers &a) { return a.name == array; });
    if (found == q.region.arrays.end()) return std::nullopt;
    std::vector<ArrayName> known = names.namesOf(array, entry);
    auto hull = linearHull(*found, q.root, inside);
    if (known.empty() || !hull || !known.front().row.empty() || !haveSizes(hull->first, entry) ||
        !haveSizes(hull->second, entry) || !haveSizes(known.front().offset, entry))
      return std::nullopt;
    bounds[k][0] = known.front().text + " + (" + text(hull->first - known.front().offset, entry) + ")";
    bounds[k][1] = known.front().text + " + (" + text(hull->second - known.front().offset + 1, entry) + ")";
  }
  auto address = [](const std::string &pointer) { return "(const char *)(" + pointer + ")"; };
  return "(" + address(bounds[0][1]) + " <= " + address(bounds[1][0]) + " || " + address(bounds[1][1]) +
         " <= " + address(bounds[0][0]) + ")";
}

/// Where its conditions can be tested; of what cannot be, the plan has to be made again.
bool RegionWriter::chooseFacts() {
  auto isKnownAt = [&](const Expr &fact) {
    return llvm::any_of(entries, [&](const Place &place) { return names.sizes(fact, place).has_value(); });
  };
  inside = q.root.context;
  std::vector<Expr> doubted;
  auto isSetting = [&](const std::string &symbol) {
    return llvm::any_of(q.program.constants, [&](const Constant &c) { return c.symbol == symbol && c.isSetting; });
  };
  for (const Expr &fact : q.region.runs)
    if (llvm::all_of(fact.symbols(), isSetting) && instances.mayName(fact.symbols())) {
      unit.holdsWhere.insert(fact); // the compiler tests that
      inside.assume(fact);
    } else if (llvm::all_of(fact.symbols(),
                            [&](const std::string &symbol) { return isKnownAt(Expr::symbol(symbol)); })) {
      tested.push_back(fact);
      inside.assume(fact);
    } else {
      doubted.push_back(fact);
    }
  if (!doubted.empty()) return doubt(std::move(doubted));
  // All of it must be known at one place, or at those before it.
  for (firstEntry = 0; firstEntry + 1 < entries.size(); ++firstEntry)
    if (areKnown(tested, entries[firstEntry]) && areKnown(guardSizes(), entries[firstEntry])) break;
  entry = entries[firstEntry];
  return true;
}

bool RegionWriter::areKnown(llvm::ArrayRef<Expr> sizes, const Place &place) const {
  return llvm::all_of(sizes, [&](const Expr &size) { return names.sizes(size, place).has_value(); });
}

/// What the guard compares, and no more of it.
std::vector<Expr> RegionWriter::guardSizes() const {
  std::vector<Expr> sizes;
  if (q.guard)
    for (const std::vector<projection::GuardTerm> &row : q.guard->anyOf)
      for (const projection::GuardTerm &term : row)
        if (term.from || term.to) sizes.push_back(term.value);
  return sizes;
}

/// The guard as C at the entry; nothing: a size has no name there, and the refusal says which.
std::optional<std::string> RegionWriter::guardCondition() {
  for (const Expr &size : guardSizes())
    if (!haveSizes(size, entry)) {
      fail("a size of its break-even has no name where the region begins" + names.lacking(size, entry),
           q.region.location);
      refusal->isOfGuard = true;
      return std::nullopt;
    }
  return projection::toString(*q.guard, [&](const projection::GuardTerm &term) {
    return toOperand(term.value, *names.sizes(term.value, entry));
  });
}

/// What decides whether one construct of the region does anything. Watched, each guarded one asks by itself, so that
/// it can be tried without its guard.
std::string RegionWriter::conditionFor(llvm::StringRef construct, const Location &at) {
  if (!q.guard || !isWatched()) return runs;
  const unsigned id = unsigned(unit.guarded.size());
  unit.guarded.push_back({id, q.root.name, construct.str(), at});
  return "busfare_guarded(" + std::to_string(id) + ", " + runs + ")";
}

std::string RegionWriter::ifClause(llvm::StringRef construct, const Location &at) {
  return runs.empty() ? "" : " if(" + conditionFor(construct, at) + ")";
}

bool RegionWriter::doubt(std::vector<Expr> facts) {
  std::vector<std::string> texts;
  for (const Expr &fact : facts) texts.push_back(brs::conditionText(fact));
  fail("whether its loops run cannot be told where it begins (" + llvm::join(texts, ", ") +
           "); its copies are made so that they are right in either case, and may be more than the report's",
       q.region.location);
  refusal->doubted = std::move(facts);
  return false;
}

bool RegionWriter::setUpCondition() {
  std::vector<std::string> conditions, checkedAtHandlers;
  for (const Location &handler : brs::handlersIn(q.root.function)) // which end the program
    checkedAtHandlers.push_back(brs::unthrown(handler));
  if (!chooseFacts()) return false;
  for (const Expr &fact : tested) {
    if (!haveSizes(fact, entry)) return doubt({fact});
    const auto [left, right] = brs::sidesOf(fact);
    conditions.push_back(right.constant() ? text(left, entry) + " <= " + text(right, entry)
                                          : text(right, entry) + " >= " + text(left, entry));
  }
  for (const std::string &assumption : q.region.assumptions) {
    if (llvm::is_contained(checkedAtHandlers, assumption)) continue;
    if (std::optional<std::string> condition = noOverlap(assumption)) conditions.push_back(*condition);
    else
      unit.findings.push_back({llvm::StringRef(assumption).starts_with(brs::assumedBehindEnds) ? Rule::NoReturn
                               : brs::isUnthrown(assumption)                                   ? Rule::AssumedUnthrown
                                                                                               : Rule::AssumedNoAlias,
                               Level::Warning, q.region.location,
                               "the port relies on " + projection::withoutPaths(assumption) +
                                   " and cannot check it where the region begins"});
  }
  std::string pays;
  if (q.guard) {
    std::optional<std::string> condition = guardCondition();
    if (!condition) return false;
    pays = std::move(*condition);
    const bool isSum = q.guard->anyOf.size() > 1;
    conditions.push_back(isWatched() ? "busfare_guard(" + std::to_string(q.number) + ", " + pays + ")"
                         : isSum && !conditions.empty() ? "(" + pays + ")"
                                                        : pays);
  }
  if (conditions.empty()) return true;
  bool isLocal = entry.spot->inBlock;
  std::set<unsigned> paths{entry.path};
  std::set<const Node *> onDevice;
  for (const brs::Kernel &kernel : q.region.kernels)
    forEachNode(kernel.loop->body, [&](const Node &node) { onDevice.insert(&node); });
  for (const auto &[node, position] : positions)
    if (!onDevice.count(node)) paths.insert(node->path);
  isLocal &= paths.size() == 1;
  runs = std::string(q.guard ? "busfare_pays" : "busfare_runs") +
         (q.number > 1 ? std::to_string(q.number) : std::string());
  SpotText *before = textAt(entry);
  if (!before) return false;
  if (!isLocal) instances.declareBefore(q.root, "static int " + runs + ";");
  const std::string why =
      q.guard ? "/* Where this pays on " + q.options.machine.name + ", as busfare projects it. */\n" : "";
  before->setUp.push_back(why + (isLocal ? "const int " : "") + runs + " = " + llvm::join(conditions, " &&\n    ") +
                          ";");
  if (q.guard)
    unit.guards.push_back({q.number, q.root.name, q.region.location, runs, pays, *q.guard, q.isReportsGuard});
  return true;
}

} // namespace busfare::frontend::port
