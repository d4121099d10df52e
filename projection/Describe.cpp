//===- projection/Describe.cpp - Regions and loops as a report names them ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Describe.h"
#include "brs/Kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// `simulate@40:v` is v where only one array of the region is called so.
std::string plainName(const std::string &name) {
  llvm::StringRef last = llvm::StringRef(name).rsplit(':').second;
  return name.find('@') == std::string::npos || last.empty() ? name : last.str();
}

/// Where the calls of `step@12:inner@40#2:v` begin, the outermost first.
std::vector<size_t> callsIn(llvm::StringRef name) {
  std::vector<size_t> begins = {0};
  for (size_t at = name.find('@'); at != llvm::StringRef::npos; at = name.find('@', at + 1)) {
    size_t end = name.find_first_not_of("0123456789#", at + 1);
    if (end != llvm::StringRef::npos && end > at + 1 && name[end] == ':') begins.push_back(end + 1);
  }
  begins.pop_back(); // of the name itself
  return begins;
}

} // namespace

std::string shownName(const brs::Region &region, const std::string &name) {
  auto countOf = [&](auto shown) {
    return llvm::count_if(region.arrays, [&](const brs::ArrayTransfers &a) { return shown(a.name) == shown(name); });
  };
  auto spelled = [](const std::string &one) { return withoutNumbers(plainName(one)); };
  if (countOf(spelled) == 1) return spelled(name);
  if (countOf(plainName) == 1) return plainName(name);
  std::vector<size_t> begins = callsIn(name);
  for (size_t begin : llvm::reverse(begins)) {
    llvm::StringRef end = llvm::StringRef(name).drop_front(begin);
    if (llvm::count_if(region.arrays, [&](const brs::ArrayTransfers &a) {
          return a.name == end || llvm::StringRef(a.name).ends_with((":" + end).str());
        }) == 1)
      return end.str();
  }
  return name;
}

namespace {

uint64_t whole(double value) { return value <= 0 ? 0 : uint64_t(std::llround(value)); }

std::string formulaOf(const brs::ArrayTransfers &array, const std::optional<Expr> &count) {
  if (!count) return std::to_string(array.type.bytes) + "*(elements of " + array.name + ")";
  return compact(toString(Expr(int64_t(array.type.bytes)) * *count));
}

/// The formula's value; 0 if it has none.
double counts(const std::optional<Expr> &count, const RealValues &values) {
  return count ? count->evaluateReal(values).value_or(0) : 0;
}

std::optional<DirectionReport> describe(const brs::ArrayTransfers &array, Direction way, const Root &root,
                                        const RealValues &values, const TripOverrides &overrides,
                                        const Machine &machine) {
  const std::vector<brs::Crossing> &crossings = way == Direction::ToDevice ? array.h2d : array.d2h;
  if (crossings.empty()) return std::nullopt;
  DirectionReport direction;
  direction.exact = true;
  for (const brs::Crossing &crossing : crossings) {
    const CrossingForm &form = root.crossings.at(&crossing);
    CrossingCost cost = costOf(array, crossing, way, form, values, overrides, machine);
    CrossingReport report;
    report.section = compact(brs::toString(crossing.section));
    report.boxes = boxesOf(crossing.section);
    report.formula = formulaOf(array, form.count);
    report.formulaIsBound = counts(form.count, values) * double(array.type.bytes) > cost.bytes + 0.5;
    report.bytes = whole(cost.bytes);
    report.movedBytes = whole(cost.movedBytes);
    report.count = whole(cost.count);
    report.copies = whole(cost.copies);
    if (cost.varies) { // of different sizes: all of them together
      report.bytes = whole(cost.bytes * cost.count);
      report.movedBytes = whole(cost.movedBytes * cost.count);
      report.copies = whole(cost.copies * cost.count);
      report.summed = whole(cost.count);
      report.count = 1;
    }
    report.exact = crossing.section.exact;
    report.at = crossing.at;
    report.because = crossing.because.at;
    report.cause = crossing.because.cause;
    report.unseen = crossing.because.who;
    direction.exact &= report.exact;
    direction.formulaIsBound |= report.formulaIsBound;
    direction.copies = std::max(direction.copies, report.copies);
    direction.section += (direction.section.empty() ? "" : " u ") + report.section;
    if (direction.crossings.empty()) direction.because = report.because;
    direction.crossings.push_back(std::move(report));
  }
  if (direction.crossings.size() == 1) {
    const CrossingReport &only = direction.crossings[0];
    direction.bytes = only.bytes;
    direction.movedBytes = only.movedBytes;
    direction.count = only.count;
    direction.formula = only.formula;
    return direction;
  }
  direction.copies = 0;
  for (const CrossingReport &crossing : direction.crossings) {
    direction.bytes += crossing.bytes * crossing.count;
    direction.movedBytes += crossing.movedBytes * crossing.count;
    direction.copies += crossing.copies * crossing.count;
    std::string part =
        crossing.count == 1 ? crossing.formula : std::to_string(crossing.count) + "*(" + crossing.formula + ")";
    direction.formula += (direction.formula.empty() ? "" : " + ") + part;
  }
  return direction;
}

/// The structure of a block without places, names by first appearance: survives moved lines and renamed variables.
void sign(llvm::ArrayRef<Node> block, std::map<std::string, unsigned> &names, std::string &text) {
  auto number = [&](const std::string &name) {
    return std::to_string(names.try_emplace(name, names.size()).first->second);
  };
  auto signExpr = [&](const Expr &expr) {
    Substitution numbered;
    for (const std::string &symbol : expr.symbols()) numbered.emplace(symbol, Expr::symbol("s" + number(symbol)));
    text += toString(expr.substitute(numbered));
  };
  for (const Node &node : block) {
    text += std::to_string(node.kind.index());
    if (auto *access = std::get_if<Access>(&node.kind)) {
      text += "a" + std::to_string(int(access->kind)) + number(access->array);
      for (const Subscript &s : access->subscripts) {
        text += "[";
        if (s.value) signExpr(*s.value);
      }
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      text += "l" + number(loop->index) + "=";
      signExpr(loop->lower);
      text += "..";
      signExpr(loop->upper);
      text += "," + std::to_string(loop->step) + "{";
      sign(loop->body, names, text);
      text += "}";
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      for (const auto &conjunction : branch->condition.anyOf)
        for (const Expr &e : conjunction) signExpr(e);
      text += "{";
      sign(branch->then, names, text);
      text += "}{";
      sign(branch->otherwise, names, text);
      text += "}";
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      // What it touches in any element has no order but that of the names.
      std::multiset<std::string> unordered;
      text += "{";
      for (const Node &inner : host->body) {
        const auto *access = std::get_if<Access>(&inner.kind);
        if (!access || !isOfAnyElement(*access)) {
          sign(llvm::ArrayRef(inner), names, text);
          continue;
        }
        auto known = names.find(access->array);
        unordered.insert(std::to_string(int(access->kind)) +
                         (known == names.end() ? "?" : std::to_string(known->second)));
      }
      for (const std::string &one : unordered) text += "a" + one;
      text += "}";
    } else if (auto *call = std::get_if<Call>(&node.kind)) {
      text += call->callee;
    }
  }
}

void collectHostStatements(llvm::ArrayRef<Node> block, const brs::Region &region,
                           std::vector<HostStatementReport> &found) {
  for (const Node &node : block) {
    if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      HostStatementReport one{host->location, host->what};
      if (!llvm::is_contained(found, one)) found.push_back(std::move(one));
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      if (llvm::none_of(region.kernels, [&](const brs::Kernel &k) { return k.loop == loop; }))
        collectHostStatements(loop->body, region, found);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      collectHostStatements(branch->then, region, found);
      collectHostStatements(branch->otherwise, region, found);
    }
  }
}

} // namespace

std::string functionOf(const Root &root, const Loop &loop) {
  return loop.context.empty() ? root.name : llvm::StringRef(loop.context.back()).split(" (").first.str();
}

std::string compact(std::string text) {
  for (const char *sign : {" + ", " - "})
    for (size_t at = 0; (at = text.find(sign, at)) != std::string::npos;) text.replace(at, 3, std::string(1, sign[1]));
  return text;
}

/// How long a function's name is that begins here: `solve`, `mesh::fill.2`, `Vector<double, int>::operator()`.
static size_t functionNameIn(llvm::StringRef text) {
  size_t end = 0;
  for (int open = 0; end < text.size(); ++end) {
    if (text.take_front(end).ends_with("operator")) {
      llvm::StringRef sign = text.drop_front(end);
      end += sign.starts_with("()") || sign.starts_with("[]")
                 ? 2
                 : sign.take_while([](char c) { return llvm::StringRef("+-*/%^&|~!=<>,").contains(c); }).size();
      if (end == text.size()) break;
    }
    char c = text[end];
    if (c == '<' && end > 0) {
      ++open;
    } else if (c == '>' && open > 0) {
      --open;
    } else if (c == ':' && text.substr(end).starts_with("::")) {
      ++end;
    } else if (!llvm::isAlnum(c) && c != '_' && c != '.' && c != '~' &&
               !(open > 0 && (c == ',' || c == ' ' || c == '*' || c == '&'))) {
      break;
    }
  }
  return end;
}

/// How long ` (file.c)` is, which tells functions of one name apart, in front of the `@` of a call.
static size_t fileIn(llvm::StringRef text) {
  const size_t end = text.find(")@");
  const bool isFile = text.starts_with(" (") && end != llvm::StringRef::npos &&
                      text.take_front(end).find_first_of(" ()", 2) == llvm::StringRef::npos;
  return isFile ? end + 1 : 0;
}

std::string withoutPaths(llvm::StringRef text) {
  std::string result;
  while (!text.empty()) {
    // A word `callee@12:`, or `callee@12#2:`, or `callee (file.c)@12:`, before a name.
    size_t word = 0;
    while (word < text.size() && (llvm::isAlnum(text[word]) || text[word] == '_' || text[word] == '.')) ++word;
    const size_t name = functionNameIn(text);
    llvm::StringRef rest = text.drop_front(name > 0 ? name + fileIn(text.drop_front(name)) : 0);
    if (rest.size() < text.size() && rest.consume_front("@")) {
      llvm::StringRef line = rest.take_while([](char c) { return llvm::isDigit(c) || c == '#'; });
      if (!line.empty() && rest.drop_front(line.size()).starts_with(":")) {
        text = rest.drop_front(line.size() + 1);
        continue;
      }
    }
    size_t taken = std::max<size_t>(word, 1);
    result += text.take_front(taken);
    text = text.drop_front(taken);
  }
  return result;
}

std::string indexOf(const Loop &loop) { return loop.form == LoopForm::Algorithm ? "elements" : plainName(loop.index); }

std::string withoutNumbers(llvm::StringRef text) {
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::string result;
  while (!text.empty()) {
    llvm::StringRef word = text.take_while(isWord);
    result += word.empty() ? text.take_front(1) : word;
    text = text.drop_front(std::max<size_t>(1, word.size()));
    llvm::StringRef rest = text;
    if (word.empty() || llvm::isDigit(word.front()) || !rest.consume_front(".")) continue;
    llvm::StringRef number = rest.take_while(isWord);
    if (!number.empty() && number.find_first_not_of("0123456789") == llvm::StringRef::npos &&
        !rest.drop_front(number.size()).starts_with("."))
      text = rest.drop_front(number.size());
  }
  return result;
}

/// The last of the functions whose calls lead to the name: solve of `step@3:solve (a.c)@12:p`.
static std::string ownerIn(llvm::StringRef name) {
  const size_t size = withoutPaths(name).size();
  if (size >= name.size()) return "";
  llvm::StringRef path = name.drop_back(size);
  const std::string last = withoutPaths(path.take_front(path.rfind('@')));
  return llvm::StringRef(last).split(" (").first.str();
}

std::string spokenReason(llvm::StringRef reason) {
  const auto [name, rest] = reason.split(": ");
  if (rest != brs::unknownMemory) return withoutNumbers(withoutPaths(reason));
  const std::string plain = withoutNumbers(withoutPaths(name)), owner = ownerIn(name);
  llvm::StringRef pointer = plain;
  pointer.consume_front("*");
  const bool isPath =
      llvm::all_of(pointer, [](char c) { return llvm::isAlnum(c) || llvm::StringRef("_.->:").contains(c); });
  const std::string of = owner.empty() ? "" : " of " + owner;
  if (pointer.starts_with("the pointer ")) return "it is not known where " + plain + of + " leads";
  return isPath ? "it is not known where the pointer " + pointer.str() + of + " leads"
                : "it is not known which memory " + plain + of + " denotes";
}

bool isOfUnknownPointer(llvm::StringRef reason) {
  return reason.contains("it is not known where ") || reason.contains("it is not known which memory ") ||
         reason.contains(brs::unknownObject);
}

std::vector<std::vector<std::array<std::string, 3>>> boxesOf(const brs::SectionSet &set) {
  std::vector<std::vector<std::array<std::string, 3>>> boxes;
  for (const brs::Section &box : set.boxes) {
    boxes.emplace_back();
    for (const brs::Range &range : box.ranges)
      boxes.back().push_back(
          {compact(toString(range.lower)), compact(toString(range.upper)), std::to_string(range.step)});
  }
  return boxes;
}

std::string fingerprintOf(llvm::ArrayRef<Node> statements) {
  std::map<std::string, unsigned> names;
  std::string structure;
  sign(statements, names, structure);
  return llvm::utohexstr(llvm::xxh3_64bits(structure), true, 16);
}

/// Nobody but the user says these; that pointers do not overlap is assumed where nothing is said.
static bool isFromHint(llvm::StringRef assumption) {
  return assumption.starts_with("temporary(") || assumption.starts_with("independent");
}

static ChunksReport describeChunks(const Root &root, const brs::Region &region) {
  const brs::ChunkedKernel &kernel = root.chunks.at(&region).kernel;
  auto say = [](const brs::SectionSet &section) {
    return section.isSurelyEmpty() ? std::string() : withoutPaths(compact(brs::toString(section)));
  };
  ChunksReport report;
  report.whyNot = withoutPaths(kernel.whyNot);
  if (!kernel.loop) return report;
  report.index = plainName(kernel.loop->index);
  report.location = kernel.loop->location;
  for (const Loop *loop : llvm::ArrayRef(kernel.loops).drop_front()) report.behind.push_back(loop->location.line);
  report.needs = say(kernel.needs);
  report.backWaits = say(kernel.backWaits);
  for (const brs::ChunkedArray &array : kernel.arrays) {
    auto way = [](const std::vector<brs::Crossing> &crossings, bool isSplit) {
      return crossings.empty() ? "none" : isSplit ? "chunks" : "whole";
    };
    report.arrays.push_back({shownName(region, array.array->name), way(array.array->h2d, array.isSplitIn),
                             way(array.array->d2h, array.isSplitOut), say(array.needs), say(array.byAll),
                             say(array.shared), say(array.copiesIn), say(array.copiesOut), array.whyWhole});
  }
  return report;
}

/// What decides branches around its kernels and copies (KernelFacts::decided).
static std::set<std::string> decidingIn(const Root &root, const brs::Region &region) {
  std::set<std::string> symbols;
  auto add = [&](llvm::ArrayRef<brs::Guard> guards) {
    for (const brs::Guard &guard : guards)
      for (const std::vector<Expr> &facts : guard.condition.anyOf)
        for (const Expr &fact : facts) symbols.merge(fact.symbols());
  };
  for (const brs::Kernel &kernel : region.kernels) add(root.kernels.at(kernel.loop).decided);
  for (const brs::ArrayTransfers &array : region.arrays)
    for (const std::vector<brs::Crossing> *crossings : {&array.h2d, &array.d2h})
      for (const brs::Crossing &crossing : *crossings) add(root.crossings.at(&crossing).decided);
  return symbols;
}

RegionReport describeRegion(const Root &root, const brs::Region &region, const Sizes &sizes,
                            const TripOverrides &overrides, const Machine &machine) {
  RegionReport report;
  report.location = region.location;
  report.function = root.name;
  report.id = llvm::sys::path::filename(region.location.file).str() + ":" + std::to_string(region.location.line) + ":" +
              root.name;
  report.fingerprint = fingerprintOf(llvm::ArrayRef(*region.block).slice(region.first, region.last - region.first + 1));
  RealValues values = sizes.realValues();
  for (const brs::ArrayTransfers &array : region.arrays) {
    ArrayReport entry;
    entry.name = shownName(region, array.name);
    entry.elementBytes = array.type.bytes;
    entry.temporary = array.temporary;
    entry.h2d = describe(array, Direction::ToDevice, root, values, overrides, machine);
    entry.d2h = describe(array, Direction::ToHost, root, values, overrides, machine);
    RealValues at = values;
    for (const brs::Kernel &kernel : region.kernels)
      for (const Loop *loop : kernel.serialLoops) at.try_emplace(loop->index, loop->lower.evaluateReal(at).value_or(0));
    const std::optional<Expr> &count = root.onDevice.at(&array);
    entry.deviceBytes = whole(array.type.bytes * elementsOf(count, array, at));
    if (entry.h2d) report.h2dBytes += entry.h2d->bytes * entry.h2d->count;
    if (entry.d2h) report.d2hBytes += entry.d2h->bytes * entry.d2h->count;
    report.deviceBytes += entry.deviceBytes;
    if (!count)
      report.assumptions.push_back("the size of " + entry.name + " is not known: " +
                                   std::to_string(whole(elementsOf(count, array, at))) + " elements");
    report.arrays.push_back(std::move(entry));
  }
  for (const brs::ScalarTransfer &scalar : region.scalars)
    report.scalars.push_back({scalar.name == brs::endFlag ? "whether it ends early" : plainName(scalar.name),
                              scalar.toDevice && scalar.toHost ? "both"
                              : scalar.toDevice                ? "h2d"
                                                               : "d2h",
                              scalar.bytes});
  report.chunks = describeChunks(root, region);
  auto statements = llvm::ArrayRef(*region.block).slice(region.first, region.last - region.first + 1);
  std::vector<std::vector<std::optional<Expr>>> extents;
  for (const brs::ArrayTransfers &array : region.arrays) extents.push_back(array.extents);
  const std::set<std::string> own = sizesIn(statements, extents), deciding = decidingIn(root, region);
  for (const auto &[symbol, parameter] : sizes.bySymbol) {
    const bool isDefault = deciding.count(symbol) && parameter.source == ParameterSource::Declared;
    if (!isDefault && (sizes.choicesOnly.count(symbol) || !own.count(symbol))) continue;
    ParameterValue &said = report.parameters[scopedName(root.name, symbol)] = parameter;
    said.choosesWay = sizes.choicesOnly.count(symbol) != 0;
    if (parameter.source == ParameterSource::Assumed)
      report.assumptions.push_back(scopedName(root.name, symbol) + " = " + std::to_string(parameter.value) +
                                   " assumed");
  }
  for (const std::string &assumption : region.assumptions)
    report.assumptions.push_back(withoutPaths(assumption) + (isFromHint(assumption) ? fromHint.str() : ""));
  collectHostStatements(statements, region, report.hostStatements);
  return report;
}

namespace {

/// How a loop stands among the others.
struct Standing {
  unsigned depth = 0;
  bool holdsParallel = false, insideParallel = false;
};
using Standings = std::map<const Loop *, Standing>;

/// Fills in the loops of the block; true if one of them is parallel.
bool findStandings(const Block &block, const Root &root, std::vector<const Loop *> &around, Standings &standings) {
  bool anyParallel = false;
  for (const Node &node : block) {
    if (auto *branch = std::get_if<Branch>(&node.kind)) {
      anyParallel |= findStandings(branch->then, root, around, standings);
      anyParallel |= findStandings(branch->otherwise, root, around, standings);
    }
    auto *loop = std::get_if<Loop>(&node.kind);
    if (!loop) continue;
    Standing standing;
    for (const Loop *outer : around) {
      const brs::LoopVerdict *verdict = root.dependence.find(*outer);
      standing.insideParallel |= verdict && verdict->parallel;
      standing.depth += outer->context == loop->context;
    }
    around.push_back(loop);
    standing.holdsParallel = findStandings(loop->body, root, around, standings);
    around.pop_back();
    const brs::LoopVerdict *verdict = root.dependence.find(*loop);
    anyParallel |= standing.holdsParallel || (verdict && verdict->parallel);
    standings[loop] = standing;
  }
  return anyParallel;
}

} // namespace

std::vector<LoopReport> describeLoops(const Root &root, const Loop *only) {
  std::vector<LoopReport> loops;
  Standings standings;
  std::vector<const Loop *> around;
  findStandings(root.function.body, root, around, standings);
  for (const brs::LoopVerdict &verdict : root.dependence.loops) {
    if (only && verdict.loop != only) continue;
    LoopReport report;
    report.location = verdict.loop->location;
    report.function = functionOf(root, *verdict.loop);
    report.index = indexOf(*verdict.loop);
    const Standing &standing = standings[verdict.loop];
    report.depth = standing.depth;
    report.holdsParallel = standing.holdsParallel;
    report.insideParallel = standing.insideParallel;
    report.parallel = verdict.parallel;
    report.isAnalysed = verdict.isAnalysed;
    report.reason = spokenReason(verdict.reason);
    for (const std::string &assumption : verdict.assuming) report.assuming.push_back(withoutPaths(assumption));
    for (const brs::Need &need : verdict.needs)
      report.needs.push_back({brs::toString(need.kind).str(), plainName(need.name), need.op});
    for (const brs::CarriedDependence &dependence : verdict.dependences) {
      const char *kinds[] = {"flow", "anti", "output", "unknown"};
      report.dependences.push_back({kinds[int(dependence.kind)], plainName(dependence.array),
                                    spokenReason(dependence.example), dependence.source, dependence.sink});
    }
    loops.push_back(std::move(report));
  }
  return loops;
}

/// A private copy whose last value counts at one place does at all.
static void addNeed(NeedReport need, std::vector<NeedReport> &needs) {
  auto isSame = [&](const NeedReport &other, llvm::StringRef kind) {
    return other.kind == kind && other.op == need.op && withoutPaths(other.name) == withoutPaths(need.name);
  };
  for (NeedReport &other : needs) {
    if (isSame(other, need.kind) || (need.kind == "private" && isSame(other, "lastprivate"))) return;
    if (need.kind == "lastprivate" && isSame(other, "private")) {
      other = std::move(need);
      return;
    }
  }
  needs.push_back(std::move(need));
}

std::vector<LoopReport> mergeLoops(std::vector<LoopReport> loops) {
  std::vector<LoopReport> merged;
  std::map<Location, size_t> byPlace;
  for (LoopReport &loop : loops) {
    auto [entry, isNew] = byPlace.try_emplace(loop.location, merged.size());
    if (isNew || !loop.location.isKnown()) {
      entry->second = merged.size();
      merged.push_back(std::move(loop));
      continue;
    }
    LoopReport &one = merged[entry->second];
    loop.holdsParallel = one.holdsParallel |= loop.holdsParallel;
    loop.insideParallel = one.insideParallel |= loop.insideParallel;
    if ((one.parallel && !loop.parallel) || (!one.isAnalysed && loop.isAnalysed && !loop.parallel)) {
      one = std::move(loop);
      continue;
    }
    if (!loop.parallel) continue;
    if (!one.parallel) continue;
    for (NeedReport &need : loop.needs) addNeed(std::move(need), one.needs);
    for (std::string &assumption : loop.assuming)
      if (!llvm::is_contained(one.assuming, assumption)) one.assuming.push_back(std::move(assumption));
  }
  llvm::stable_sort(merged, [](const LoopReport &a, const LoopReport &b) { return a.location < b.location; });
  return merged;
}

} // namespace busfare::projection
