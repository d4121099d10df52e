//===- test/generator/CompareTransfers.cpp - Planned copies, carried out ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs through the records with two memories: kernels read and write the device's,
// everything else the host's, and only the planned copies go between. Every read must
// see the last value written, wherever that was; at the end the host must hold the last
// value of everything that outlives the function. The device starts with nothing and
// has only what the plan places there.
//
//===----------------------------------------------------------------------===//

#include "skeleton/Visit.h"
#include "test/generator/Compare.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::generator {
using namespace brs;
using namespace skeleton;

namespace {

struct Versions {
  std::vector<int> truth, host, device;
  std::vector<bool> placed; ///< On the device.
  bool isShared = false;    ///< The plan places it there.
};

/// The offsets of a section in an object.
std::optional<std::set<int64_t>> offsetsOf(const SectionSet &section, const std::vector<std::optional<Expr>> &shape,
                                           int64_t size, const Values &values, bool &outside) {
  std::optional<std::vector<int64_t>> extents = extentsOf(shape, size, values);
  std::set<int64_t> result;
  if (section.whole && section.boxes.empty()) {
    for (int64_t k = 0; k < size; ++k) result.insert(k);
    return result;
  }
  if (!extents) return std::nullopt;
  for (const Section &box : section.boxes) {
    std::vector<std::array<int64_t, 3>> ranges;
    bool isEmpty = false;
    for (const Range &range : box.ranges) {
      std::optional<int64_t> low = range.lower.evaluate(values), high = range.upper.evaluate(values);
      if (!low || !high) return std::nullopt;
      ranges.push_back({*low, *high, range.step});
      isEmpty |= *high < *low;
    }
    if (isEmpty) continue;
    std::vector<int64_t> element;
    for (auto &range : ranges) element.push_back(range[0]);
    while (true) {
      int64_t offset = 0;
      bool inside = true;
      for (size_t d = 0; d < element.size(); ++d) {
        inside &= element[d] >= 0 && element[d] < (*extents)[d];
        offset = offset * (*extents)[d] + element[d];
      }
      if (inside && offset < size) result.insert(offset);
      else outside = true;
      size_t d = element.size();
      while (d > 0 && (element[d - 1] += ranges[d - 1][2]) > ranges[d - 1][1]) {
        element[d - 1] = ranges[d - 1][0];
        --d;
      }
      if (d == 0) break;
    }
  }
  return result;
}

struct Planned {
  const ArrayTransfers *array = nullptr;
  const Crossing *crossing = nullptr;
  bool toDevice = false;
};

class TwoMemories {
public:
  TwoMemories(const Relation &relation, const Region &region) : r(relation), region(region) {
    for (const Kernel &kernel : region.kernels)
      if (auto key = r.keys.find(kernel.loop); key != r.keys.end()) kernels[key->second] = kernel.loop;
    for (size_t n = region.first; n <= region.last; ++n)
      if (std::optional<Key> key = r.keyOf((*region.block)[n])) within.insert(*key);
    for (bool toDevice : {false, true})
      for (const ArrayTransfers &array : region.arrays)
        for (const Crossing &crossing : toDevice ? array.h2d : array.d2h)
          if (std::optional<Key> key = crossing.node ? r.keyOf(*crossing.node) : std::nullopt) {
            if (crossing.after && !endsWithStatement(*crossing.node)) ++unknown;
            else (crossing.after ? after : before)[*key].push_back({&array, &crossing, toDevice});
          }
    for (auto *plan : {&before, &after})
      for (auto &[key, list] : *plan)
        llvm::stable_sort(list,
                          [](const Planned &a, const Planned &b) { return a.crossing->order < b.crossing->order; });
  }

  const Crossing *omitted = nullptr;
  bool omitsLastOnly = false;
  const Methods *methods = nullptr; ///< Null: every copy moves its section and nothing else.
  std::vector<Disagreement> found;
  unsigned unknown = 0;
  uint64_t moved = 0, needless = 0;
  std::map<size_t, std::optional<size_t>> older; ///< As in OlderValues: reads of old values.
  bool seesGarbage = false;                      ///< Or of what nothing wrote on the device.

  void run() {
    Follow follow(r);
    for (const Record &record : r.run.records) {
      follow.step(record);
      step(record, follow.now);
      ++number;
    }
    for (size_t o = 0; o < r.run.objects.size(); ++o)
      if (r.program.variables[size_t(r.run.objects[o].variable)].isGlobal() && objects.count(int(o)))
        for (size_t k = 0; k < objects[int(o)].truth.size(); ++k)
          if (objects[int(o)].host[k] != objects[int(o)].truth[k])
            complain(Fault::MissingTransfer, "the host ends with an old value of " + textOf(int(o), int64_t(k)));
  }

private:
  const Relation &r;
  const Region &region;
  std::map<Key, const Loop *> kernels;
  std::set<Key> within;
  std::map<Key, std::vector<Planned>> before, after;
  std::map<int, Versions> objects;
  std::set<int> privates; ///< Of the kernel that runs.
  unsigned depth = 0;     ///< Of kernels around.
  int version = 0;
  size_t number = 0;             ///< Of the record.
  std::vector<size_t> writers{0}; ///< By version: the record of the write.
  bool isPlaced = false;
  bool isRunning = true; ///< The region does what its plan says; else all of it stays on the host.

  static bool holds(const Statement &statement, int line) {
    auto inside = [&](const Statement &inner) { return holds(inner, line); };
    return statement.line == line || llvm::any_of(statement.body, inside) || llvm::any_of(statement.otherwise, inside);
  }

  /// Below `if (a) continue;` lies in the skeleton what follows it in the source: behind the one is not behind the
  /// other.
  bool endsWithStatement(const Node &node) const {
    const Statement *statement = r.statementAt(int(locationOf(node).line));
    bool all = true;
    forEachNode(llvm::ArrayRef(&node, 1), [&](const Node &inner) {
      std::optional<Key> key = r.keyOf(inner);
      if (statement && key && key->first == r.keyOf(node)->first && r.statementAt(key->second))
        all &= holds(*statement, key->second);
    });
    return all;
  }

  void complain(Fault fault, const std::string &text) {
    if (found.size() < 6 && llvm::none_of(found, [&](const Disagreement &d) { return d.text == text; }))
      found.push_back({fault, text});
  }
  std::string textOf(int object, int64_t offset) const {
    return r.program.variables[size_t(r.run.objects[size_t(object)].variable)].name + ", element " +
           std::to_string(offset);
  }

  Versions &versionsOf(int object) {
    Versions &v = objects[object];
    if (v.truth.empty()) {
      size_t size = size_t(r.run.objects[size_t(object)].size);
      v.truth.assign(size, 0);
      v.host.assign(size, 0);
      v.device.assign(size, -1);
      v.placed.assign(size, false);
    }
    return v;
  }

  void step(const Record &record, const Point &now) {
    switch (record.kind) {
    case Record::Kind::Enter:
      if (within.count(keyOf(record)) && !isPlaced) {
        isRunning = runs(now.values);
        place(now);
      }
      copyAll(before, keyOf(record), now);
      if (auto kernel = kernels.find(keyOf(record)); kernel != kernels.end() && isRunning) {
        if (depth++ == 0) openKernel(*kernel->second, now);
      }
      break;
    case Record::Kind::Leave:
      if (kernels.count(keyOf(record)) && isRunning && --depth == 0) privates.clear();
      copyAll(after, keyOf(record), now);
      break;
    case Record::Kind::Create:
      if (depth > 0) privates.insert(record.object);
      else if (isPlaced) place(now, record.object);
      break;
    case Record::Kind::Read:
    case Record::Kind::Write: access(record); break;
    default: break;
    }
  }

  /// What the region takes for granted at its entry. Flags have no value here: without them no kernel would be reached.
  bool runs(const Values &values) const {
    bool isTold = true;
    for (const Expr &fact : region.runs) {
      const std::optional<int64_t> value = fact.evaluate(values);
      if (value && *value < 0) return false;
      isTold &= value.has_value();
    }
    return isTold || llvm::any_of(r.run.records, [&](const Record &record) {
             return record.kind == Record::Kind::Enter && kernels.count(keyOf(record));
           });
  }

  void openKernel(const Loop &loop, const Point &now) {
    const LoopVerdict *verdict = r.root.dependence.find(loop);
    for (const Need &need : verdict->needs)
      if (need.kind == Need::Kind::ArrayPrivate)
        if (auto object = now.objects.find(need.name); object != now.objects.end()) privates.insert(object->second);
  }

  /// At the region's entry each array's hull is made on the device; one that is created later, when it is.
  void place(const Point &now, int only = -1) {
    isPlaced = true;
    for (const ArrayTransfers &array : region.arrays) {
      auto object = now.objects.find(array.name);
      if (object == now.objects.end() || (only >= 0 && object->second != only)) continue;
      Versions &v = versionsOf(object->second);
      v.isShared = true;
      bool outside = false;
      auto offsets = offsetsOf(array.onDevice, array.extents, int64_t(v.truth.size()), now.values, outside);
      for (size_t k = 0; k < v.placed.size(); ++k)
        if (!offsets || offsets->count(int64_t(k))) v.placed[k] = true;
      if (outside && !r.root.elements.count(array.name)) // else the port ends the memory where the array ends
        complain(Fault::OutsideDevice, "what is placed on the device of " + array.name + " lies outside the array");
    }
  }

  void copyAll(const std::map<Key, std::vector<Planned>> &plan, Key key, const Point &now) {
    auto here = plan.find(key);
    if (here == plan.end() || !isRunning) return;
    for (const Planned &planned : here->second) {
      const std::optional<bool> runs = r.runsNow(*planned.crossing->node, now.values);
      unknown += !runs;
      if (runs.value_or(false) && (planned.crossing != omitted || omitsLastOnly)) carryOut(planned, now);
    }
  }

  void carryOut(const Planned &planned, const Point &now) {
    auto object = now.objects.find(planned.array->name);
    if (object == now.objects.end()) return;
    Versions &v = versionsOf(object->second);
    bool outside = false;
    auto offsets =
        offsetsOf(planned.crossing->section, planned.array->extents, int64_t(v.truth.size()), now.values, outside);
    if (!offsets) {
      ++unknown;
      return;
    }
    if (planned.crossing == omitted) dropLast(planned, now, int64_t(v.truth.size()), *offsets);
    else if (methods) addBetween(planned, now, int64_t(v.truth.size()), *offsets);
    if (outside) complain(Fault::OutsideDevice, "a copy of " + planned.array->name + " reaches outside the array");
    for (int64_t k : *offsets) {
      auto &to = planned.toDevice ? v.device : v.host, &from = planned.toDevice ? v.host : v.device;
      ++moved;
      needless += to[size_t(k)] == v.truth[size_t(k)];
      to[size_t(k)] = from[size_t(k)];
      if (!v.placed[size_t(k)])
        complain(Fault::OutsideDevice, "a copy at line " + std::to_string(planned.crossing->at.line) + " touches " +
                                           textOf(object->second, k) + ", which was not placed on the device");
    }
  }

  /// What the chosen method moves besides.
  void addBetween(const Planned &planned, const Point &now, int64_t size, std::set<int64_t> &offsets) const {
    auto found = methods->find(planned.crossing);
    if (found == methods->end() || offsets.empty()) return;
    auto fill = [&](int64_t first, int64_t last) {
      for (int64_t k = first; k <= last; ++k) offsets.insert(k);
    };
    if (found->second.boxes == projection::CopyMethod::Boxes::Hull) return fill(*offsets.begin(), *offsets.rbegin());
    const std::vector<Section> &boxes = planned.crossing->section.boxes;
    for (size_t b = 0; b < std::min(boxes.size(), found->second.takesHull.size()); ++b) {
      SectionSet one;
      one.boxes.push_back(boxes[b]);
      bool outside = false;
      auto own = offsetsOf(one, planned.array->extents, size, now.values, outside);
      if (found->second.takesHull[b] && own && !own->empty()) fill(*own->begin(), *own->rbegin());
    }
  }

  void dropLast(const Planned &planned, const Point &now, int64_t size, std::set<int64_t> &offsets) const {
    const SectionSet &section = planned.crossing->section;
    bool outside = false;
    std::set<int64_t> all = offsets;
    if (section.boxes.empty() && !all.empty()) offsets.erase(*all.rbegin());
    for (const Section &box : section.boxes) {
      SectionSet one;
      one.boxes.push_back(box);
      if (auto own = offsetsOf(one, planned.array->extents, size, now.values, outside); own && !own->empty())
        offsets.erase(*own->rbegin());
    }
  }

  void access(const Record &record) {
    if (r.run.objects[size_t(record.object)].isScalar || privates.count(record.object)) return;
    Versions &v = versionsOf(record.object);
    size_t k = size_t(record.offset);
    bool onDevice = depth > 0;
    if (onDevice && !v.placed[k]) {
      complain(Fault::OutsideDevice, "a kernel touches " + textOf(record.object, record.offset) + " at line " +
                                         std::to_string(record.line) + ", which was not placed on the device");
      return;
    }
    auto &own = onDevice ? v.device : v.host;
    if (record.kind == Record::Kind::Read) {
      if (own[k] < 0) seesGarbage = true;
      else if (own[k] != v.truth[k])
        older[number] = own[k] ? std::optional<size_t>(writers[size_t(own[k])]) : std::nullopt;
      if (own[k] != v.truth[k])
        complain(Fault::MissingTransfer, std::string(onDevice ? "a kernel" : "the host") + " reads an old value of " +
                                             textOf(record.object, record.offset) + " at line " +
                                             std::to_string(record.line));
      return;
    }
    own[k] = v.truth[k] = ++version;
    writers.push_back(number);
  }
};

} // namespace

WithoutCopy runWithout(const Relation &relation, const Region &region, const Crossing &crossing, bool lastOnly,
                       const Methods &methods) {
  WithoutCopy result{false, std::nullopt};
  Run before = relation.run;
  // What is read decides what runs: each round is right one decision further.
  for (int round = 0; round < 8; ++round) {
    Relation now(relation.program, before, relation.unit, relation.root);
    TwoMemories mutant(now, region);
    mutant.omitted = &crossing;
    mutant.omitsLastOnly = lastOnly;
    mutant.methods = &methods;
    mutant.run();
    result.isNeeded |= mutant.unknown > 0 || !mutant.found.empty();
    if (mutant.unknown || mutant.seesGarbage) break;
    OlderValues older{&before, std::move(mutant.older)};
    InterpretOptions options;
    options.older = &older;
    Run run = interpret(relation.program, options);
    if (!run.problem.empty()) break;
    if (!run.tookAnotherWay && run.records.size() == before.records.size()) {
      result.output = run.output;
      break;
    }
    before = std::move(run);
  }
  return result;
}

void compareTransfers(const Relation &relation, Outcome &outcome, const CompareOptions &options) {
  for (const Region &region : relation.root.transfers.regions) {
    outcome.kernels += region.kernels.size();
    for (const ArrayTransfers &array : region.arrays) outcome.copies += array.h2d.size() + array.d2h.size();
    TwoMemories memories(relation, region);
    memories.run();
    outcome.copiesUnknown += memories.unknown;
    outcome.elementsMoved += memories.moved;
    outcome.elementsNeedless += memories.needless;
    // A copy that could not be carried out may be the one that is missed.
    for (Disagreement &d : memories.found)
      if (!memories.unknown) outcome.found.push_back(std::move(d));
    if (!options.mutants || memories.unknown || !memories.found.empty()) continue;
    for (const ArrayTransfers &array : region.arrays)
      for (const auto *list : {&array.h2d, &array.d2h})
        for (const Crossing &crossing : *list) {
          TwoMemories mutant(relation, region);
          mutant.omitted = &crossing;
          mutant.run();
          ++outcome.mutants;
          outcome.mutantsCaught += !mutant.found.empty();
        }
  }
}

} // namespace busfare::generator
