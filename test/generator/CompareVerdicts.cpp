//===- test/generator/CompareVerdicts.cpp - Verdicts against a run ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A loop called parallel: no element may be written in one iteration and touched in
// another, except in what the verdict's needs treat, and those must be what they say:
//
//   private       nothing from before the iteration is read, nothing is read afterwards
//   firstprivate  what is read before it is written was there before the loop
//   lastprivate   as private, but the last iteration leaves the final value
//   reduction     every access of an element in which iterations meet is part of `x = x op e`
//
//===----------------------------------------------------------------------===//

#include "test/generator/Compare.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::generator {
using namespace brs;
using namespace skeleton;

namespace {

struct Cell {
  int64_t writer = -1, reader = -1; ///< The last iterations that did.
  bool conflict = false;
  bool exposed = false;      ///< Read in some iteration before that iteration wrote it.
  bool older = false;        ///< Such a read saw what another iteration had written.
  char op = 0;               ///< '!' = accesses that are no update, or not the same one.
};

char letterOf(const std::string &op) {
  return op == "min" ? '<' : op == "max" ? '>' : op == "+" ? '+' : op == "*" ? '*' : op == "&" ? '&' : '?';
}

class Verdicts {
public:
  Verdicts(const Relation &relation, Outcome &outcome) : r(relation), outcome(outcome) {}

  void run() {
    for (const LoopVerdict &verdict : r.root.dependence.loops) {
      ++outcome.loops;
      if (!verdict.parallel) continue;
      ++outcome.parallel;
      if (auto key = r.keys.find(verdict.loop); key != r.keys.end()) wanted[key->second].push_back(&verdict);
    }
    Follow follow(r);
    std::map<Key, std::pair<size_t, Point>> open;
    for (size_t i = 0; i < r.run.records.size(); ++i) {
      const Record &record = r.run.records[i];
      follow.step(record);
      if (record.kind == Record::Kind::Enter && wanted.count(keyOf(record))) open[keyOf(record)] = {i, follow.now};
      if (record.kind == Record::Kind::Leave && open.count(keyOf(record))) {
        auto [begin, at] = open[keyOf(record)];
        for (const LoopVerdict *verdict : wanted.at(keyOf(record))) check(*verdict, begin, i, at);
        open.erase(keyOf(record));
      }
    }
  }

private:
  const Relation &r;
  Outcome &outcome;
  std::map<Key, std::vector<const LoopVerdict *>> wanted;

  void complain(const LoopVerdict &verdict, const std::string &text) {
    std::string all =
        "the loop at line " + std::to_string(verdict.loop->location.line) + " is called parallel, but " + text;
    if (outcome.found.size() < 20 && llvm::none_of(outcome.found, [&](const Disagreement &d) { return d.text == all; }))
      outcome.found.push_back({Fault::WronglyParallel, all});
  }

  void check(const LoopVerdict &verdict, size_t begin, size_t end, const Point &at) {
    const Statement *statement = r.statementAt(r.run.records[begin].line);
    std::map<int, std::map<int64_t, Cell>> cells;
    int64_t iteration = -1;
    Key key = keyOf(r.run.records[begin]);
    std::map<int, int> spelled;
    for (size_t i = begin; i < end; ++i) {
      const Record &record = r.run.records[i];
      if (keyOf(record) == key && record.kind == Record::Kind::Iterate) iteration = record.offset;
      if (record.kind != Record::Kind::Read && record.kind != Record::Kind::Write) continue;
      if (iteration < 0 || (statement && record.variable == statement->variable)) continue; // the loop's own counter
      spelled[record.object] = record.variable;
      Cell &cell = cells[record.object][record.offset];
      cell.op = cell.op == 0 ? (record.op ? record.op : '!') : cell.op == record.op ? cell.op : '!';
      if (record.kind == Record::Kind::Read) {
        if (cell.writer != iteration) {
          cell.exposed = true;
          cell.older |= cell.writer >= 0;
        }
        cell.conflict |= cell.writer >= 0 && cell.writer != iteration;
        cell.reader = iteration;
      } else {
        cell.conflict |=
            (cell.writer >= 0 && cell.writer != iteration) || (cell.reader >= 0 && cell.reader != iteration);
        cell.writer = iteration;
      }
    }
    for (const auto &[object, byOffset] : cells)
      checkObject(verdict, at, object, byOffset, spelled[object], end, iteration);
  }

  void checkObject(const LoopVerdict &verdict, const Point &at, int object, const std::map<int64_t, Cell> &cells,
                   int variable, size_t end, int64_t last) {
    const Cell *meeting = nullptr;
    int64_t where = 0;
    bool isWritten = false;
    for (const auto &[offset, cell] : cells) {
      isWritten |= cell.writer >= 0;
      if (cell.conflict && !meeting) {
        meeting = &cell;
        where = offset;
      }
    }
    const std::string &spelling = r.program.variables[size_t(variable)].name;
    std::string name = at.nameOf(object);
    // A local of a function called inside may have been there before, from another call.
    const Need *need = nullptr;
    for (const Need &n : verdict.needs)
      if (n.name == name || (name.empty() && n.name == r.nameOf(r.run.objects[size_t(object)].call, variable)))
        need = &n;
    std::string element = spelling + (r.run.objects[size_t(object)].isScalar ? "" : "[" + std::to_string(where) + "]");
    if (!need) {
      if (meeting) complain(verdict, "iterations meet in " + element);
      return;
    }
    if (!isWritten || need->op == "induction") return;
    std::string treated = " (" + toString(need->kind).str() + " " + need->name + ")";
    for (const auto &[offset, cell] : cells) {
      if (need->kind == Need::Kind::Reduction) {
        if (cell.conflict && cell.op != letterOf(need->op))
          return complain(verdict, "not every access of " + spelling + "[" + std::to_string(offset) +
                                       "], in which iterations meet, is an update by " + need->op + treated);
        continue;
      }
      if (need->kind == Need::Kind::FirstPrivate ? cell.older : cell.exposed)
        return complain(verdict, spelling + " is read before the iteration writes it" + treated);
      if (cell.writer < 0) continue;
      bool live = isReadAfter(object, offset, end);
      if (live && need->kind != Need::Kind::LastPrivate)
        return complain(verdict, spelling + " is read afterwards" + treated);
      if (live && cell.writer != last)
        return complain(verdict, "the last iteration does not leave the last value of " + spelling + treated);
    }
  }

  bool isReadAfter(int object, int64_t offset, size_t end) const {
    for (size_t i = end; i < r.run.records.size(); ++i) {
      const Record &record = r.run.records[i];
      if (record.object != object || record.offset != offset) continue;
      if (record.kind == Record::Kind::Read) return true;
      if (record.kind == Record::Kind::Write) return false;
    }
    return r.program.variables[size_t(r.run.objects[size_t(object)].variable)].isGlobal();
  }
};

} // namespace

void compareVerdicts(const Relation &relation, Outcome &outcome) { Verdicts(relation, outcome).run(); }

} // namespace busfare::generator
