//===- clang-plugin/port/RegionCopies.cpp - A region's copies ------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Copies.h"
#include "clang-plugin/port/RegionWriter.h"
#include "projection/Copies.h"
#include "projection/Shares.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

/// What holds in the loops around a copy of a region that runs.
brs::Context RegionWriter::factsAt(const brs::Crossing &crossing) const {
  brs::Context facts = inside;
  for (const Loop *loop : crossing.loops) {
    Expr index = Expr::symbol(loop->index);
    facts.assume(loop->step > 0 ? index - loop->lower : loop->lower - index);
    facts.assume(loop->step > 0 ? loop->upper - index : index - loop->upper);
  }
  return facts;
}

/// Can it be told from the sizes how often the loops turn? Of each what tells the watch library (writeValues) is
/// enough.
bool RegionWriter::areCounted(llvm::ArrayRef<const Loop *> loops) const {
  std::set<std::string> known;
  for (const Loop *loop : loops) {
    for (const std::string &symbol : (loop->upper - loop->lower).symbols())
      if (!known.count(symbol) && llvm::none_of(placesOfValues(), [&](const Place &place) {
            return names.sizes(Expr::symbol(symbol), place).has_value();
          }))
        return false;
    if (loop->mayExitEarly) return false;
    known.insert(loop->index);
  }
  return true;
}

static double bytesOf(llvm::ArrayRef<Pieces::Range> ranges, const brs::ArrayTransfers &array, const RealValues &sizes) {
  double bytes = 0;
  for (const Pieces::Range &range : ranges)
    if (llvm::all_of(range.notLess, [&](const Expr &fact) { return fact.evaluateReal(sizes).value_or(0) >= 0; }))
      bytes += std::max(0.0, (range.last - range.first + 1).evaluateReal(sizes).value_or(0)) * array.type.bytes;
  return bytes;
}

/// Where the function has no name for the array, the copy goes before (or behind) its call, if all it would pass leaves
/// the array alone and it is made as often there.
std::optional<ArrayName> RegionWriter::nameForCopy(const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                                                   Place &place) {
  std::optional<ArrayName> name = arrayAt(array.name, place);
  while (!name && place.path != 0 && !conditional.count(crossing.node)) {
    const unsigned below = place.path;
    if (llvm::any_of(crossing.loops, [&](const Loop *loop) { return isBelow(pathOfLoop.at(loop), below); })) break;
    llvm::Expected<Place> call =
        instances.place(q.root, q.root.paths[below].caller, q.root.paths[below].call, crossing.after);
    if (!call) {
      llvm::consumeError(call.takeError());
      break;
    }
    if (!leaveThreads(*call) || !staysTogether(*crossing.node, crossing.after, *call, array.name)) break;
    place = *call;
    name = arrayAt(array.name, place);
  }
  return name;
}

/// Tells the watch library what sizes of the section are that only the loops around the copy know.
std::vector<std::string> RegionWriter::valuesOf(const brs::Crossing &crossing, const Place &place) {
  std::set<std::string> symbols;
  for (const brs::Section &box : crossing.section.boxes)
    for (const brs::Range &range : box.ranges)
      for (const Expr *bound : {&range.lower, &range.upper}) symbols.merge(bound->symbols());
  for (const Loop *loop : crossing.loops) symbols.erase(loop->index);
  std::vector<std::string> lines;
  for (const std::string &symbol : symbols) {
    const Expr value = Expr::symbol(symbol);
    const bool isTold =
        llvm::any_of(placesOfValues(), [&](const Place &known) { return names.sizes(value, known).has_value(); });
    if (!isTold && haveSizes(value, place))
      lines.push_back("busfare_value(\"" + q.root.name + "\", \"" + symbol + "\", (long)(" + text(value, place) +
                      "));");
  }
  return lines;
}

bool RegionWriter::writeCopy(const brs::ArrayTransfers &array, const brs::Crossing &crossing, bool toDevice) {
  std::vector<const Loop *> kernels = kernelsThatTouch(array.name);
  Place place;
  if (!placeAt(*crossing.node, crossing.after, place, crossing.at, kernels, array.name)) return false;
  auto wantsTheSame = [&](const Node &other) { // whoever comes there in another way
    return llvm::any_of(toDevice ? array.h2d : array.d2h, [&](const brs::Crossing &one) {
      return one.after == crossing.after && one.node->path == crossing.node->path &&
             locationOf(*one.node) == locationOf(*crossing.node) &&
             brs::toString(one.section) == brs::toString(crossing.section) && isBeside(other, *one.node);
    });
  };
  if (!isOneWay(*crossing.node, place, wantsTheSame))
    return fail(
        "the statement at " + toString(locationOf(*crossing.node)) +
            " is reached in several ways (a loop's condition, a switch that falls through), which want different copies",
        crossing.at, kernels);
  std::optional<ArrayName> name = nameForCopy(array, crossing, place);
  // The loops the plan thinks are around the copy are those that are.
  size_t around = llvm::count_if(crossing.loops, [&](const Loop *loop) { return pathOfLoop.at(loop) == place.path; });
  if (around != place.spot->loops.size())
    return fail("a copy stands in a loop that the plan does not know", crossing.at, kernels);
  projection::Direction direction = toDevice ? projection::Direction::ToDevice : projection::Direction::ToHost;
  projection::CrossingForm form = projection::formIn(q.root, array, crossing, direction);
  projection::CrossingCost cost =
      projection::costOf(array, crossing, direction, form, q.values, q.overrides, q.options.machine);
  auto elements = q.root.elements.find(array.name);
  llvm::Expected<Pieces> pieces =
      piecesOf(array, crossing, cost.method, q.root.context,
               elements == q.root.elements.end() ? std::nullopt : std::optional(elements->second));
  if (!pieces) return fail(llvm::toString(pieces.takeError()), crossing.at, kernels);
  if (!name) return fail(array.name + " has no name where it is to be copied", crossing.at, kernels);
  PlannedCopy planned{unsigned(unit.copies.size()),
                      q.root.name,
                      array.name,
                      toDevice,
                      crossing.section.exact && cost.movedBytes <= cost.bytes,
                      crossing.at,
                      brs::toString(crossing.section),
                      cost.movedBytes,
                      cost.count,
                      &q.region,
                      &crossing,
                      cost.method,
                      {},
                      {},
                      false,
                      false,
                      1,
                      ""};
  // With a guard --iterations says where it pays; how often the watched run turns is its own matter.
  const projection::TripOverrides overrides = q.guard && isWatched() ? projection::TripOverrides() : q.overrides;
  planned.timesAt = [&crossing, overrides](const RealValues &sizes) {
    double times = 0, share = projection::shareAtMost(crossing.guards, crossing.loops, sizes, overrides);
    projection::sampleIterations(crossing.loops, sizes, overrides,
                                 [&](const RealValues &, double weight) { times += weight * share; });
    return times;
  };
  const bool isCutElsewhere = pieces->isCut && (!pieces->boxes.empty() || !crossing.loops.empty());
  planned.isConditional = isCutElsewhere || conditional.count(crossing.node) != 0 || !areCounted(crossing.loops);
  planned.varies = form.varies;
  planned.pieces = pieces->boxes.size() + pieces->ranges.size();
  planned.entries = entriesName();
  planned.bytesAt = [&array, &crossing, conditions = tested, form, method = cost.method, overrides,
                     cut = pieces->isCut ? pieces->ranges : std::vector<Pieces::Range>()](const RealValues &sizes) {
    // The port tests these where the region begins.
    for (const Expr &fact : conditions)
      if (fact.evaluateReal(sizes).value_or(0) < 0) return 0.0;
    if (!cut.empty()) return bytesOf(cut, array, sizes);
    return projection::bytesMovedBy(method, array, crossing, form, sizes, overrides);
  };
  auto addBytes = [&] {
    const double bytes = planned.bytesAt(q.values);
    auto sum =
        llvm::find_if(unit.arrays, [&](const PortedArray &a) { return a.root == q.root.name && a.name == array.name; });
    (toDevice ? sum->h2dBytes : sum->d2hBytes) += bytes;
  };
  if (q.chunked)
    if (std::optional<ChunkedCopy> inPieces = chunkedCopy(array, crossing, toDevice, planned, *pieces, *name, place)) {
      planned.isChunked = true;
      planned.isCutTight = inPieces->cut.tight && planned.exact;
      addBytes();
      chunkedCopies.push_back(std::move(*inPieces));
      unit.copies.push_back(std::move(planned));
      return true;
    }
  auto [pointer, open] = inUpdate(*name);
  std::optional<std::string> lacking;
  auto toText = [&](const Expr &expr) {
    if (!haveSizes(expr, place)) {
      lacking = names.lacking(expr, place);
      return std::string("0");
    }
    return text(expr, place);
  };
  brs::Context facts = factsAt(crossing);
  CopyQuestion question{array,
                        toDevice,
                        pointer,
                        name->offset,
                        "sizeof *" + pointer,
                        toText,
                        isWatched() ? "" : runs,
                        facts,
                        isWatched() ? int(planned.id) : -1};
  std::vector<std::string> lines = copyStatements(*pieces, question);
  if (isWatched()) llvm::append_range(lines, valuesOf(crossing, place));
  if (lacking)
    return fail("a size of the copy of " + array.name + " has no name where it is to stand" + *lacking, crossing.at,
                kernels);
  if (!open.empty()) lines = {inBlock(open + "\n" + llvm::join(lines, "\n"))};
  if (isWatched() && !runs.empty())
    lines = {"if (" + conditionFor("target update", crossing.at) + ") {\n" + llvm::join(lines, "\n") + "\n}"};
  SpotText *spot = textAt(place, kernels);
  if (!spot) return false;
  std::vector<std::string> &side = place.after ? spot->copiesAfter : spot->copies;
  side.insert(side.end(), lines.begin(), lines.end());
  addBytes();
  unit.copies.push_back(std::move(planned));
  return true;
}

bool RegionWriter::writeCopies() {
  for (const brs::ArrayTransfers &array : q.region.arrays) {
    unit.arrays.push_back({q.root.function.location.file.str(), q.root.name, array.name, 0, 0});
    std::vector<std::pair<const brs::Crossing *, bool>> inOrder;
    for (bool toDevice : {true, false})
      for (const brs::Crossing &crossing : toDevice ? array.h2d : array.d2h) inOrder.emplace_back(&crossing, toDevice);
    llvm::stable_sort(inOrder, [](const auto &a, const auto &b) { return a.first->order < b.first->order; });
    for (const auto &[crossing, toDevice] : inOrder)
      if (!writeCopy(array, *crossing, toDevice)) return false;
  }
  return true;
}

} // namespace busfare::frontend::port
