//===- projection/Copies.cpp - What the copies of a section move ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Copies.h"
#include "projection/Shares.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// A box in memory.
struct Layout {
  double elements = 1; ///< Of the box.
  double runs = 1;     ///< Contiguous pieces.
  double span = 1;     ///< Elements from the first to the last.
};

Layout layoutOf(const brs::Section &box, const brs::ArrayTransfers &array, const RealValues &values) {
  const std::vector<std::optional<Expr>> &extents = array.extents;
  Layout layout;
  double pitch = 1;
  bool contiguous = true;
  layout.span = 0;
  for (size_t d = box.ranges.size(); d-- > 0;) {
    const brs::Range &range = box.ranges[d];
    double lower = range.lower.evaluateReal(values).value_or(0), upper = range.upper.evaluateReal(values).value_or(-1);
    // At samples between iterations (i + 1) - i is a little less than 1.
    constexpr double rounding = 1e-6;
    double count = std::max(0.0, std::floor((upper - lower) / double(range.step) + rounding) + 1);
    layout.elements *= count;
    if (count == 0) return {0, 0, 0};
    layout.span += (count - 1) * double(range.step) * pitch;
    bool dense = range.step == 1 || count == 1;
    if (!contiguous || !dense) layout.runs *= count;
    std::optional<double> extent = d < extents.size() && extents[d] ? extents[d]->evaluateReal(values) : std::nullopt;
    // Outside an incomplete dimension every step begins a new run.
    contiguous &= dense && extent && count >= *extent && !array.hasRows;
    pitch *= extent.value_or(assumedElements);
  }
  layout.span += 1;
  return layout;
}

/// May everything between the first and the last element be moved as well?
bool mayTakeHull(const brs::ArrayTransfers &array, const brs::Crossing &crossing, Direction direction,
                 const brs::Context &context) {
  if (!crossing.loops.empty() || array.hasRows) return false;
  if (crossing.mayExceed) return true;
  return direction == Direction::ToDevice &&
         brs::contains(crossing.section, array.onDevice, context) == brs::Answer::Yes;
}

struct Choice {
  double movedBytes = 0, copies = 1, time = 0;
  bool takesHull = false;
};

/// A pitched copy starts later than a contiguous one: 11 to 28 us against 2 to 3 in the sweeps of CoCoPeLia's authors,
/// at the same bandwidth.
constexpr double pitchedLatency = 1e-5;
/// Each of its rows is a number of bus packets: whole pieces of the line, and a header.
constexpr double packetBytes = 64, headerBytes = 24;

double pitchedTime(const Layout &layout, double elementBytes, Direction direction, const Machine &machine) {
  double row = layout.elements / layout.runs * elementBytes;
  double onBus = layout.runs * (row >= 4096 ? row : std::ceil(row / packetBytes) * packetBytes + headerBytes);
  return pitchedLatency + transferTime(machine.link, direction, HostMemory::Pinned, onBus);
}

/// The host reads and writes every byte once more; the device packs at its own memory's speed.
double packedTime(double bytes, Direction direction, const Machine &machine) {
  return transferTime(machine.link, direction, HostMemory::Pinned, bytes) + 2 * bytes / machine.host.dramBandwidthCore +
         machine.gpu.launchLatency;
}

Choice cheapest(const Layout &layout, const brs::ArrayTransfers &array, Direction direction, bool mayHull,
                const Machine &machine) {
  double elementBytes = double(array.type.bytes);
  auto price = [&](double bytes, double copies) {
    return transferTime(machine.link, direction, HostMemory::Pinned, bytes, copies);
  };
  double bytes = layout.elements * elementBytes;
  Choice best{bytes, layout.runs, price(bytes, layout.runs)};
  if (layout.runs <= 1) return best;
  // Rows lie anywhere: no copy steps from one to the next, and nothing lies between them.
  if (array.hasRows) return best;
  if (double time = pitchedTime(layout, elementBytes, direction, machine); time < best.time) best = {bytes, 1, time};
  if (double time = packedTime(bytes, direction, machine); time < best.time) best = {bytes, 1, time};
  double hull = layout.span * elementBytes;
  if (double time = price(hull, 1); mayHull && time < best.time) best = {hull, 1, time, true};
  return best;
}

bool variesWith(const brs::Crossing &crossing) {
  return llvm::any_of(crossing.loops, [&](const Loop *loop) {
    return llvm::any_of(crossing.section.boxes, [&](const brs::Section &box) {
      return llvm::any_of(box.ranges,
                          [&](const brs::Range &range) { return (range.upper - range.lower).mentions(loop->index); });
    });
  });
}

std::vector<std::string> symbolsOf(const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                                   const CrossingForm &form) {
  std::set<std::string> symbols;
  auto add = [&](const Expr &expr) { symbols.merge(expr.symbols()); };
  auto addBoxes = [&](llvm::ArrayRef<brs::Section> boxes) {
    for (const brs::Section &box : boxes)
      for (const brs::Range &range : box.ranges) add(range.lower), add(range.upper);
  };
  addBoxes(crossing.section.boxes);
  if (form.around) addBoxes(*form.around);
  if (form.apart) addBoxes(*form.apart);
  if (form.count) add(*form.count);
  for (const std::optional<Expr> &extent : array.extents)
    if (extent) add(*extent);
  for (const Loop *loop : crossing.loops) add(loop->lower), add(loop->upper);
  for (const brs::Guard &guard : crossing.guards)
    for (const std::vector<Expr> &all : guard.condition.anyOf) llvm::for_each(all, add);
  return {symbols.begin(), symbols.end()};
}

} // namespace

double elementsAssumed(const brs::ArrayTransfers &array, const RealValues &values) {
  double most = assumedElements;
  for (const std::vector<brs::Crossing> *way : {&array.h2d, &array.d2h})
    for (const brs::Crossing &crossing : *way) {
      double elements = 0;
      for (const brs::Section &box : crossing.section.boxes)
        elements = std::max(elements, layoutOf(box, array, values).elements);
      most = std::max(most, elements);
    }
  return most;
}

double elementsOf(const std::optional<Expr> &count, const brs::ArrayTransfers &array, const RealValues &values) {
  std::optional<double> elements = count ? count->evaluateReal(values) : std::nullopt;
  return elements ? std::max(0.0, *elements) : elementsAssumed(array, values);
}

std::optional<Expr> countOnce(const brs::SectionSet &section, const brs::Context &context) {
  std::optional<Expr> atMost = brs::countAtMost(section, context);
  if (!atMost || section.boxes.size() < 2) return atMost;
  std::optional<std::vector<brs::Section>> apart = brs::apart(section, context);
  if (!apart) return atMost;
  Expr boxes, parts;
  for (const brs::Section &box : section.boxes) boxes = boxes + brs::count(box);
  for (const brs::Section &part : *apart) parts = parts + brs::count(part);
  bool isReadable = toString(parts).size() <= 2 * toString(boxes).size();
  return *atMost == boxes && !parts.isPoisoned() && isReadable ? parts : atMost;
}

CrossingForm formOf(const brs::ArrayTransfers &array, const brs::Crossing &crossing, Direction direction,
                    const brs::Context &context, llvm::ArrayRef<Expr> runs, const std::optional<Expr> &elements) {
  brs::Context running = context;
  for (const Expr &fact : runs) running.assume(fact);
  std::optional<Expr> count = countOnce(crossing.section, running);
  CrossingForm form{!count && crossing.section.boxes.empty() ? elements : count,
                    brs::hull(crossing.section, context),
                    mayTakeHull(array, crossing, direction, context),
                    variesWith(crossing),
                    brs::apart(crossing.section, context),
                    {}};
  form.symbols = symbolsOf(array, crossing, form);
  return form;
}

CrossingCost costOf(const brs::ArrayTransfers &array, const brs::Crossing &crossing, Direction direction,
                    const CrossingForm &form, const RealValues &values, const TripOverrides &overrides,
                    const Machine &machine, double most) {
  const auto &[count, around, mayHull, varies, parts, symbols, decided] = form;
  CrossingCost cost;
  double elementBytes = double(array.type.bytes), bytes = 0, moved = 0, copies = 0;
  cost.varies = varies;
  const double share =
      shareAtMost(crossing.guards, crossing.loops, values, overrides) * shareOfDecided(decided, values);
  forEachIteration(crossing.loops, values, overrides, cost.varies ? most : 0, [&](const RealValues &at, double weight) {
    weight *= share;
    double elements = elementsOf(count, array, at);
    Choice sum{0, 0, 0};
    cost.method = {};
    double inBoxes = 0;
    for (const brs::Section &box : crossing.section.boxes) {
      inBoxes += layoutOf(box, array, at).elements;
      Choice choice = cheapest(layoutOf(box, array, at), array, direction, mayHull, machine);
      cost.method.takesHull.push_back(choice.takesHull);
      sum = {sum.movedBytes + choice.movedBytes, sum.copies + choice.copies, sum.time + choice.time};
    }
    // A formula of a box that is empty in two dimensions at once counts a product of negatives.
    if (!crossing.section.boxes.empty()) elements = std::min(elements, inBoxes);
    if (parts && parts->size() > 1) {
      elements = 0;
      for (const brs::Section &part : *parts) elements += layoutOf(part, array, at).elements;
    }
    // Boxes that overlap cross once when they are cut apart, or packed together.
    if (parts && crossing.section.boxes.size() > 1) {
      Choice cut{0, 0, 0};
      for (const brs::Section &part : *parts) {
        Choice choice = cheapest(layoutOf(part, array, at), array, direction, false, machine);
        cut = {cut.movedBytes + choice.movedBytes, cut.copies + choice.copies, cut.time + choice.time};
      }
      if (cut.time < sum.time) sum = cut, cost.method.boxes = CopyMethod::Boxes::Apart;
    }
    if (double time = packedTime(elements * elementBytes, direction, machine);
        crossing.section.boxes.size() > 1 && !array.hasRows && time < sum.time)
      sum = {elements * elementBytes, 1, time}, cost.method.boxes = CopyMethod::Boxes::Packed;
    if (mayHull && around && crossing.section.boxes.size() > 1) {
      Layout all = layoutOf(*around, array, at);
      double bytes = all.span * elementBytes, time = transferTime(machine.link, direction, HostMemory::Pinned, bytes);
      if (time < sum.time) sum = {bytes, 1, time}, cost.method.boxes = CopyMethod::Boxes::Hull;
    }
    if (crossing.section.boxes.empty()) // the whole array, whatever it is
      sum = {elements * elementBytes, 1,
             transferTime(machine.link, direction, HostMemory::Pinned, elements * elementBytes)};
    cost.count += weight;
    bytes += weight * elements * elementBytes;
    moved += weight * std::max(sum.movedBytes, elements * elementBytes);
    copies += weight * sum.copies;
    cost.time += weight * sum.time;
    auto copying = [&](HostMemory memory) {
      return transferTime(machine.link, direction, memory, sum.movedBytes, sum.copies);
    };
    cost.pageableTime += weight * (sum.time + copying(HostMemory::Pageable) - copying(HostMemory::Pinned));
  });
  // A mean share of many times need not be whole.
  if (double times = std::ceil(cost.count - 1e-9 * cost.count); times > 0 && share < 1) {
    const double factor = times / cost.count;
    for (double *sum : {&bytes, &moved, &copies, &cost.time, &cost.pageableTime}) *sum *= factor;
    cost.count = times;
  }
  if (cost.count > 0) {
    cost.bytes = bytes / cost.count;
    cost.movedBytes = moved / cost.count;
    cost.copies = std::max(1.0, copies / cost.count);
  }
  return cost;
}

double bytesMovedBy(const CopyMethod &method, const brs::ArrayTransfers &array, const brs::Crossing &crossing,
                    const CrossingForm &form, const RealValues &values, const TripOverrides &overrides) {
  using Boxes = CopyMethod::Boxes;
  const std::vector<brs::Section> &boxes = crossing.section.boxes;
  double all = 0;
  const double share =
      shareAtMost(crossing.guards, crossing.loops, values, overrides) * shareOfDecided(form.decided, values);
  forEachIteration(crossing.loops, values, overrides, form.varies ? mostAddedUp : 0,
                   [&](const RealValues &at, double weight) {
                     double elements = 0;
                     if (boxes.empty()) {
                       elements = elementsOf(form.count, array, at);
                     } else if (method.boxes == Boxes::Hull && form.around) {
                       elements = layoutOf(*form.around, array, at).span;
                     } else if ((method.boxes == Boxes::Packed || method.boxes == Boxes::Apart) && form.apart) {
                       for (const brs::Section &part : *form.apart) elements += layoutOf(part, array, at).elements;
                     } else {
                       for (size_t k = 0; k < boxes.size(); ++k) {
                         Layout layout = layoutOf(boxes[k], array, at);
                         elements += k < method.takesHull.size() && method.takesHull[k] ? layout.span : layout.elements;
                       }
                     }
                     all += weight * share * elements * double(array.type.bytes);
                   });
  return all;
}

} // namespace busfare::projection
