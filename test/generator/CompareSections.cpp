//===- test/generator/CompareSections.cpp - Sections against a run ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/Domain.h"
#include "brs/Effects.h"
#include "brs/Presburger.h"
#include "test/generator/Compare.h"
#include "llvm/ADT/STLExtras.h"
#include <isl/set.h>

namespace busfare::generator {
using namespace brs;
using namespace skeleton;

namespace {

/// An element set with its symbols replaced by their values.
class SetAt {
public:
  SetAt(const ElementSet &set, const Values &values) {
    if (!set.representation()) {
      isEmpty = true;
      return;
    }
    here = *set.representation();
    std::set<Expr> names = here.names();
    // A product with a quotient in it is no name that can be given a value.
    if (here.isKnown() && isl_set_dim(here.raw(), isl_dim_param) != int(names.size())) settled = false;
    for (const Expr &name : names) {
      if (std::optional<int64_t> value = name.evaluate(values)) here = intersect(here, equalZero(name - Expr(*value)));
      else settled = false;
    }
    here = here.coalesce();
  }
  bool settled = true; ///< Every symbol had a value.

  /// Unknown counts as yes for what may be in the set, as no for what must be.
  bool mayHold(const std::vector<int64_t> &element) const { return !isEmpty && without(element) != Answer::Yes; }
  bool surelyHolds(const std::vector<int64_t> &element) const { return !isEmpty && without(element) == Answer::No; }

private:
  PresburgerSet here;
  bool isEmpty = false;

  Answer without(const std::vector<int64_t> &element) const {
    std::vector<std::optional<Expr>> point;
    for (int64_t coordinate : element) point.push_back(Expr(coordinate));
    return intersect(here, brs::elementAt(point)).isEmpty();
  }
};

/// What one execution touched of one object.
struct Touched {
  std::set<int64_t> read, written, exposed;
  bool isExtreme = false; ///< `if (e < m) m = e` counts as a write, although it may not happen.
};

struct Execution {
  size_t begin = 0, end = 0;
  Point at;
  std::map<int, int64_t> starts; ///< By object: the element that its name here begins with, if not the first.
};

class Sections {
public:
  Sections(const Relation &relation, Outcome &outcome) : r(relation), outcome(outcome) {}

  void run() {
    collect(r.root.function.body, Nest(r.root.context), true);
    findExecutions();
    Execution whole;
    whole.end = r.run.records.size();
    Follow follow(r);
    for (const Record &record : r.run.records) { // globals are there from the start
      if (record.kind != Record::Kind::Create) break;
      follow.step(record);
      ++whole.begin;
    }
    whole.at = follow.now;
    check(effectsOf(r.unit, r.root.function, r.root.function.body, Nest(r.root.context)), whole,
          "the whole of " + r.root.name);
    for (auto &[loop, runs] : executions) {
      Effects effects = effectsOf(r.unit, r.root.function, *nodes.at(loop), nests.at(loop));
      for (const Execution &execution : runs)
        check(effects, execution, "the loop at line " + std::to_string(loop->location.line));
    }
  }

  /// The first execution of the call that gives the root nothing twice.
  void runCall(int call) {
    const CallPath &path = r.run.calls[size_t(call)];
    Follow follow(r);
    for (size_t i = 0; i < r.run.records.size(); ++i) {
      const Record &record = r.run.records[i];
      follow.step(record);
      if (record.kind != Record::Kind::Bind || record.call != call) continue;
      Execution execution;
      execution.begin = i;
      execution.at = follow.now;
      const bool isFit = bind(execution, call);
      for (execution.end = execution.begin; execution.end < r.run.records.size(); ++execution.end) {
        const Record &last = r.run.records[execution.end];
        if (last.kind == Record::Kind::Leave && last.call == path.parent && last.line == path.line) break;
      }
      if (isFit)
        return check(effectsOf(r.unit, r.root.function, r.root.function.body, Nest(r.root.context)), execution,
                     "the whole of " + r.root.name);
      for (; i + 1 < execution.end; ++i) follow.step(r.run.records[i + 1]);
    }
  }

private:
  const Relation &r;
  Outcome &outcome;
  std::map<const Loop *, const Node *> nodes;
  std::map<const Loop *, Nest> nests;
  std::map<const Loop *, std::vector<Execution>> executions;

  /// Outermost loops, and those inside serial ones.
  void collect(const Block &block, const Nest &nest, bool outside) {
    for (const Node &node : block) {
      if (auto *loop = std::get_if<Loop>(&node.kind)) {
        if (r.loops.count(r.keys.count(loop) ? r.keys.at(loop) : Key())) {
          nodes[loop] = &node;
          nests[loop] = nest;
        }
        const LoopVerdict *verdict = r.root.dependence.find(*loop);
        if (verdict && !verdict->parallel) collect(loop->body, nest.inside(*loop), false);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        collect(branch->then, nest.inside(*branch, true), outside);
        collect(branch->otherwise, nest.inside(*branch, false), outside);
      }
    }
  }

  /// Takes the parameters from where they are given to behind them. Are they what the answers are about?
  bool bind(Execution &execution, int call) {
    std::set<int> given;
    bool isFit = true;
    for (const Record *record = &r.run.records[execution.begin];
         record->call == call && record->kind != Record::Kind::Enter; record = &r.run.records[++execution.begin]) {
      if (record->kind != Record::Kind::Bind) continue;
      const std::string name = r.nameOf(call, record->variable);
      if (record->object < 0) {
        execution.at.values[r.program.variables[size_t(record->variable)].name] = record->offset;
        continue;
      }
      isFit &= !name.empty() && given.insert(record->object).second;
      std::erase_if(execution.at.objects,
                    [&](const auto &one) { return one.second == record->object; }); // a global, which is its caller's
      execution.at.objects[name] = record->object;
      execution.starts[record->object] = record->offset;
    }
    return isFit && llvm::all_of(r.root.assumed, [&](const Expr &fact) {
             return fact.evaluate(execution.at.values).value_or(-1) >= 0;
           });
  }

  /// The first and the last execution of each loop.
  void findExecutions() {
    std::map<Key, const Loop *> wanted;
    for (const auto &[loop, node] : nodes) wanted[r.keys.at(loop)] = loop;
    Follow follow(r);
    std::map<Key, Execution> open;
    for (size_t i = 0; i < r.run.records.size(); ++i) {
      const Record &record = r.run.records[i];
      follow.step(record);
      if (record.kind == Record::Kind::Enter && wanted.count(keyOf(record))) open[keyOf(record)] = {i, 0, follow.now};
      if (record.kind != Record::Kind::Leave || !open.count(keyOf(record))) continue;
      Execution done = open[keyOf(record)];
      done.end = i;
      open.erase(keyOf(record));
      auto &list = executions[wanted.at(keyOf(record))];
      if (list.size() == 2) list.pop_back();
      list.push_back(std::move(done));
    }
  }

  void complain(Fault fault, const std::string &text) {
    if (outcome.found.size() < 20) outcome.found.push_back({fault, text});
  }

  std::string textOf(const std::string &name, const std::vector<int64_t> &element) const {
    std::string all = name;
    for (int64_t e : element) all += "[" + std::to_string(e) + "]";
    return all;
  }

  void check(const Effects &effects, const Execution &execution, const std::string &where) {
    std::map<int, Touched> touched;
    std::set<int> born;
    for (size_t i = execution.begin; i < execution.end; ++i) {
      const Record &record = r.run.records[i];
      if (record.kind == Record::Kind::Create) born.insert(record.object);
      if (record.kind != Record::Kind::Read && record.kind != Record::Kind::Write) continue;
      Touched &t = touched[record.object];
      const auto start = execution.starts.find(record.object);
      const int64_t offset = record.offset - (start == execution.starts.end() ? 0 : start->second);
      t.isExtreme |= record.op == '<' || record.op == '>';
      if (record.kind == Record::Kind::Read) {
        t.read.insert(offset);
        if (!t.written.count(offset)) t.exposed.insert(offset);
      } else {
        t.written.insert(offset);
      }
    }
    std::set<std::string> renewed;
    for (int object : born)
      renewed.insert(r.nameOf(r.run.objects[size_t(object)].call, r.run.objects[size_t(object)].variable));
    for (const auto &[name, object] : execution.at.objects) {
      const Array *array = r.arrayOf(name);
      if (!array || array->perIteration || renewed.count(name)) continue;
      auto found = touched.find(object);
      static const Touched nothing;
      const Touched &t = found == touched.end() ? nothing : found->second;
      auto sets = effects.arrays.find(name);
      // A scalar integer may have become a formula.
      if (array->isScalar() && (sets == effects.arrays.end() || !isFloating(r.run.objects[size_t(object)].type)))
        continue;
      static const ArrayEffects noEffects;
      const ArrayEffects &e = sets == effects.arrays.end() ? noEffects : sets->second;
      compareSet(name, *array, object, "read", e.mayRead, t.read, execution.at.values, where);
      if (t.isExtreme) continue;
      compareSet(name, *array, object, "write", e.mayWrite, t.written, execution.at.values, where);
      compareSet(name, *array, object, "live-in", e.exposedRead, t.exposed, execution.at.values, where);
      compareMust(name, *array, object, e.mustWrite, t.written, execution.at.values, where);
    }
    for (const auto &[object, t] : touched) {
      const Object &o = r.run.objects[size_t(object)];
      if (!born.count(object) && !o.isScalar && execution.at.nameOf(object).empty())
        complain(Fault::SectionTooSmall,
                 where + ": no name denotes the memory of " + r.program.variables[size_t(o.variable)].name + " there");
    }
  }

  /// By name and set, for which the question was asked: the same sections come again in every execution.
  void compareSet(const std::string &name, const Array &array, int object, const char *what, const ElementSet &set,
                  const std::set<int64_t> &touched, const Values &values, const std::string &where) {
    ++outcome.sections;
    SetAt at(set, values);
    for (int64_t offset : touched) {
      std::optional<std::vector<int64_t>> element = elementAt(array, offset, values);
      if (element && !at.mayHold(*element))
        return complain(Fault::SectionTooSmall,
                        where + ": the " + what + " section of " + name + " lacks " + textOf(name, *element));
    }
    const SectionSet boxes = set.toSections(array.extents, r.root.context); // as they are reported
    if (!boxes.whole || !boxes.boxes.empty())
      for (int64_t offset : touched)
        if (std::optional<std::vector<int64_t>> element = elementAt(array, offset, values);
            element && llvm::none_of(boxes.boxes, [&](const Section &box) { return mayHold(box, *element, values); }))
          return complain(Fault::SectionTooSmall, where + ": the boxes of the " + what + " section of " + name +
                                                      " lack " + textOf(name, *element));
    if (!set.exact || !at.settled || !set.representation()) return;
    forAll(array, object, values, [&](const std::vector<int64_t> &element, int64_t offset) {
      if (touched.count(offset) || !at.surelyHolds(element)) return true;
      complain(Fault::NotExact, where + ": the " + what + " section of " + name + " is called exact and holds " +
                                    textOf(name, element) + ", which is not touched");
      return false;
    });
  }

  /// What has no value here may hold anything.
  static bool mayHold(const Section &box, const std::vector<int64_t> &element, const Values &values) {
    for (size_t d = 0; d < box.ranges.size() && d < element.size(); ++d) {
      const std::optional<int64_t> lower = box.ranges[d].lower.evaluate(values),
                                   upper = box.ranges[d].upper.evaluate(values);
      if ((lower && element[d] < *lower) || (upper && element[d] > *upper)) return false;
    }
    return true;
  }

  void compareMust(const std::string &name, const Array &array, int object, const ElementSet &set,
                   const std::set<int64_t> &written, const Values &values, const std::string &where) {
    if (set.isProvablyEmpty()) return;
    ++outcome.sections;
    SetAt at(set, values);
    if (!at.settled) return;
    forAll(array, object, values, [&](const std::vector<int64_t> &element, int64_t offset) {
      if (written.count(offset) || !at.surelyHolds(element)) return true;
      complain(Fault::MustTooLarge, where + ": the must-write section of " + name + " holds " + textOf(name, element) +
                                        ", which is not written");
      return false;
    });
  }

  template <class Visit> void forAll(const Array &array, int object, const Values &values, Visit visit) {
    int64_t size = r.run.objects[size_t(object)].size;
    for (int64_t offset = 0; offset < size; ++offset) {
      std::optional<std::vector<int64_t>> element = elementAt(array, offset, values);
      if (!element || !visit(*element, offset)) return;
    }
  }
};

} // namespace

void compareCall(const Relation &relation, int call, Outcome &outcome) { Sections(relation, outcome).runCall(call); }
void compareSections(const Relation &relation, Outcome &outcome) { Sections(relation, outcome).run(); }

} // namespace busfare::generator
