//===- projection/Reference.cpp - References of a nest and their footprints ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Reference.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Far enough that no two steps come near each other.
constexpr double elsewhere = 1e15;

/// Elements of a dimension whose extent is not known; only the order of magnitude of a stride depends on it.
constexpr double someExtent = 1024;

/// Bytes that one instruction of a GPU's thread loads at most; larger elements come in several.
constexpr double widestLoad = 16;

/// The row-major position of the access; nothing if it is not known.
std::optional<double> positionOf(const Access &access, const Array &array, const RealValues &values) {
  if (access.flat) return access.flat->evaluateReal(values);
  double position = 0;
  for (size_t d = 0; d < access.subscripts.size(); ++d) {
    std::optional<double> extent = array.extents[d] ? array.extents[d]->evaluateReal(values) : std::nullopt;
    if (!access.subscripts[d].value) return std::nullopt;
    std::optional<double> index = access.subscripts[d].value->evaluateReal(values);
    if (!index) return std::nullopt;
    position = position * (d == 0 ? 1 : extent.value_or(someExtent)) + *index;
  }
  return position;
}

double bytesOf(const Array &array, const RealValues &values) {
  double bytes = double(array.type.bytes);
  for (const std::optional<Expr> &extent : array.extents) {
    std::optional<double> elements = extent ? extent->evaluateReal(values) : std::nullopt;
    if (!elements) return 0;
    bytes *= std::max(1.0, *elements);
  }
  return bytes;
}

/// Symbols that get a new value, from memory, in each iteration of the loop's own body.
void addDefinedIn(const Block &block, std::set<std::string> &names) {
  for (const Node &node : block) {
    if (auto *define = std::get_if<Define>(&node.kind)) {
      names.insert(define->symbol);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      addDefinedIn(branch->then, names);
      addDefinedIn(branch->otherwise, names);
    }
  }
}

/// Does a subscript use one of the symbols?
bool uses(const Access &access, const std::set<std::string> &names) {
  bool uses = false;
  if (!names.empty())
    forEachSubscriptExpr(access, [&](const Expr &expr) {
      uses |= llvm::any_of(expr.symbols(), [&](const std::string &symbol) { return names.count(symbol); });
    });
  return uses;
}

/// Where and how an access moves.
struct Movement {
  std::optional<double> position;
  double column = 0;
  std::vector<double> strides;
};

/// Finds movements. Accesses in one body after the other have the loops around them in common.
class Movements {
public:
  explicit Movements(const RealValues &values) : middle(values) {}

  Movement of(const Access &access, const Array &array, const std::vector<const Loop *> &loops) {
    if (loops != around) goTo(loops);
    Movement movement;
    movement.position = positionOf(access, array, middle);
    if (access.subscripts.back().value)
      movement.column = access.subscripts.back().value->evaluateReal(middle).value_or(0);
    for (const Loop *loop : loops) {
      double &index = middle[loop->index];
      double before = std::exchange(index, index + double(loop->step));
      std::optional<double> there = positionOf(access, array, middle);
      index = before;
      double stride = movement.position && there ? *there - *movement.position : 0;
      movement.strides.push_back(uses(access, definedIn(*loop)) ? elsewhere : stride);
    }
    return movement;
  }

private:
  std::vector<const Loop *> around;
  RealValues middle; ///< The values with the indices of the loops around.
  std::map<const Loop *, std::set<std::string>> defined;

  void goTo(const std::vector<const Loop *> &loops) {
    for (const Loop *loop : around) middle.erase(loop->index);
    around = loops;
    for (const Loop *loop : loops) {
      double lower = loop->lower.evaluateReal(middle).value_or(0), half = std::floor(tripsOf(*loop, middle) / 2);
      middle[loop->index] = std::round(lower + double(loop->step) * half);
    }
  }
  const std::set<std::string> &definedIn(const Loop &loop) {
    auto [entry, isNew] = defined.try_emplace(&loop);
    if (isNew) addDefinedIn(loop.body, entry->second);
    return entry->second;
  }
};

void addPlace(Reference &reference, const Access &access, double offset, double column, double count) {
  bool writes = access.kind != AccessKind::Read, reads = access.kind != AccessKind::Write;
  reference.reads |= reads;
  reference.writes |= writes;
  auto same = llvm::find_if(reference.places, [&](const Place &p) { return p.offset == offset; });
  if (reference.indirect || same == reference.places.end()) {
    reference.places.push_back({offset, column, count, reads, writes});
    return;
  }
  same->writes |= writes;
  same->count = std::max(same->count, count);
}

/// Extents of the box that a place's iterations cover, by stride, largest stride first.
using Box = std::map<double, double, std::greater<>>;

/// Distinct elements of all the places when the box slides over them. Neighbours' boxes unite if what lies between
/// them fits into `capacity` bytes: else the first one's elements are gone when the second comes by.
double distinctElements(const Reference &reference, const Box &box, double capacity) {
  double each = 1;
  for (const auto &entry : box) each *= entry.second;
  // Shifts of the places along the strides.
  std::vector<std::vector<double>> shifts;
  for (const Place &place : reference.places) {
    double rest = place.offset - reference.places.front().offset;
    std::vector<double> shift;
    for (const auto &entry : box) {
      double steps = entry.first >= elsewhere ? 0 : std::round(rest / entry.first);
      rest -= steps * entry.first;
      shift.push_back(steps);
    }
    shift.push_back(rest); // what no stride reaches
    shifts.push_back(std::move(shift));
  }
  std::vector<double> extents;
  for (const auto &entry : box) extents.push_back(entry.second);
  extents.push_back(1);
  std::vector<bool> done(shifts.size(), false);
  double total = 0;
  for (size_t first = 0; first < shifts.size(); ++first) {
    if (done[first]) continue;
    std::vector<double> low = shifts[first], high = shifts[first];
    double share = reference.shareOf(reference.places[first]);
    unsigned members = 0;
    for (size_t other = first; other < shifts.size(); ++other) {
      bool near = !done[other];
      double inner = reference.elementBytes;
      for (size_t d = extents.size(); near && d-- > 0;) {
        double apart = std::abs(shifts[other][d] - shifts[first][d]);
        near = apart < extents[d] && (apart == 0 || inner * (apart + 1) <= capacity);
        inner *= extents[d];
      }
      if (!near) continue;
      done[other] = true;
      ++members;
      share = std::max(share, reference.shareOf(reference.places[other]));
      for (size_t d = 0; d < extents.size(); ++d) {
        low[d] = std::min(low[d], shifts[other][d]);
        high[d] = std::max(high[d], shifts[other][d]);
      }
    }
    double hull = 1;
    for (size_t d = 0; d < extents.size(); ++d) hull *= extents[d] + high[d] - low[d];
    total += share * std::min(hull, members * each);
  }
  return total;
}

} // namespace

double Reference::strideOf(const Loop &loop) const {
  for (size_t i = 0; i < loops.size(); ++i)
    if (loops[i] == &loop) return strides[i];
  return 0;
}

double Reference::iterations() const {
  double product = 1;
  for (double trip : trips) product *= trip;
  return product;
}

double Reference::shareOf(const Place &place) const {
  double all = iterations();
  return all > 0 ? std::min(1.0, place.count / all) : 0;
}

double Reference::keptInRegisters(const std::vector<const Loop *> &apart) const {
  double kept = 1;
  if (indirect) return kept;
  for (size_t i = loops.size(); i-- > 0;) {
    if (llvm::is_contained(apart, loops[i])) continue;
    if (strides[i] != 0) break;
    kept /= std::max(1.0, trips[i]);
  }
  return kept;
}

std::vector<Reference> referencesOf(const ArrayTable &arrays, const Work &work, const RealValues &values) {
  std::vector<Reference> references;
  llvm::StringMap<llvm::SmallVector<size_t, 4>> byArray; // host code of a whole program has thousands
  Movements movements(values);
  for (const AccessCount &counted : work.accesses) {
    const Access &access = *counted.access;
    const Array *array = arrays.find(access.array);
    if (!array || array->isScalar() || array->perIteration || access.subscripts.size() != array->extents.size() ||
        counted.count <= 0)
      continue;
    Movement movement = movements.of(access, *array, counted.loops);
    bool indirect = !movement.position;
    llvm::SmallVector<size_t, 4> &alike = byArray[access.array];
    auto known = llvm::find_if(alike, [&](size_t k) {
      const Reference &r = references[k];
      return r.indirect == indirect && r.loops == counted.loops && r.strides == movement.strides;
    });
    if (known == alike.end()) {
      Reference made;
      made.array = access.array;
      made.type = array->type;
      made.elementBytes = double(array->type.bytes);
      made.arrayBytes = bytesOf(*array, values);
      made.indirect = indirect;
      made.loops = counted.loops;
      made.strides = movement.strides;
      double around = 1;
      for (const Loop *loop : counted.loops) {
        double all = work.iterations.at(loop);
        made.trips.push_back(around > 0 ? all / around : 0);
        around = all;
      }
      alike.push_back(references.size());
      references.push_back(std::move(made));
      known = std::prev(alike.end());
    }
    Reference *group = &references[*known];
    double wide = std::min(access.part.bytes ? double(access.part.bytes) : group->elementBytes, widestLoad);
    group->narrowestBytes = group->narrowestBytes > 0 ? std::min(group->narrowestBytes, wide) : wide;
    addPlace(*group, access, movement.position.value_or(0), movement.column, counted.count);
  }
  return references;
}

double footprint(const Reference &reference, const Tile &tile, double granule, double capacity) {
  Box box;
  double repeats = 1;
  double nearest = elsewhere, run = 1; // the smallest stride, and how far it runs
  auto bytesNow = [&] {
    double wide = std::max(granule, reference.elementBytes);
    double distinct = distinctElements(reference, box, capacity), bytes;
    if (nearest * reference.elementBytes < wide) {
      // Runs of neighbours, each rounded to whole pieces at its ends.
      double length = (nearest * (run - 1) + 1) * reference.elementBytes;
      bytes = distinct / run * (std::ceil(length / wide) * wide);
    } else {
      bytes = distinct * wide;
    }
    return reference.arrayBytes > 0 ? std::min(bytes, std::max(wide, reference.arrayBytes)) : bytes;
  };
  auto extend = [&](double stride, double count) {
    stride = std::abs(stride);
    if (count <= 1) return;
    auto [entry, isNew] = box.try_emplace(stride, count);
    if (!isNew) entry->second += count - 1;
    if (stride <= nearest) nearest = stride, run = entry->second;
  };
  if (reference.indirect) {
    double accesses = 0, inTile = 1;
    for (const Place &place : reference.places) accesses += reference.shareOf(place);
    for (size_t i = 0; i < reference.loops.size(); ++i) {
      auto found = tile.find(reference.loops[i]);
      inTile *= found == tile.end() ? reference.trips[i] : found->second;
    }
    double bytes = accesses * inTile * std::max(granule, reference.elementBytes);
    // What is small enough to stay comes once.
    return reference.arrayBytes > 0 && reference.arrayBytes <= capacity ? std::min(bytes, reference.arrayBytes) : bytes;
  }
  for (size_t i = 0; i < reference.loops.size(); ++i)
    if (auto found = tile.find(reference.loops[i]); found != tile.end() && reference.strides[i] != 0)
      extend(reference.strides[i], found->second);
  for (size_t i = reference.loops.size(); i-- > 0;) {
    if (tile.count(reference.loops[i])) continue;
    if (reference.strides[i] != 0) extend(reference.strides[i], reference.trips[i]);
    else if (bytesNow() > capacity) repeats *= reference.trips[i];
  }
  return repeats * bytesNow();
}

} // namespace busfare::projection
