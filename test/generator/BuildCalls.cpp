//===- test/generator/BuildCalls.cpp - Random helpers and calls of them ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A helper is written for arrays of certain shapes and may be called with any that are
// long enough, at offsets, even with the same one twice.
//
//===----------------------------------------------------------------------===//

#include "test/generator/Builder.h"
#include <algorithm>

namespace busfare::generator {

bool Builder::makeHelper() {
  std::vector<View *> from = sources();
  std::vector<View> models;
  for (int64_t k = between(1, 2); k > 0 && !from.empty(); --k)
    if (View model = *oneOf(from); !model.indexBelow) models.push_back(model);
  if (models.empty()) return false;
  // The caller's context waits outside.
  std::vector<View> outerViews = std::move(views);
  std::vector<Size> outerSizes = std::move(sizes);
  std::vector<int> outerScalars = std::move(scalars);
  std::vector<Index> outerIndices = std::move(outer);
  views.clear(), sizes.clear(), scalars.clear(), outer.clear();
  inHelper = true;
  Helper helper;
  Function f;
  f.name = program.name + "_" + fresh("f");
  static const char *const names[] = {"out", "in"};
  const std::string holder = chance(0.6) ? "" : chance(0.5) ? "given->" : "cell->";
  for (size_t m = 0; m < models.size(); ++m) {
    Variable v;
    v.kind = Variable::Kind::Formal;
    v.name = holder + names[m];
    v.type = elementType(models[m]);
    v.isConst = m > 0 && chance(0.6);
    bool rows = !models[m].flat && models[m].extents.size() > 1;
    View view = models[m];
    view.texts.clear();
    view.readOnly = v.isConst;
    if (rows)
      for (size_t d = 1; d < models[m].extents.size(); ++d) {
        v.extents.push_back(models[m].extents[d]);
        v.extentTexts.push_back(integer(models[m].extents[d]));
      }
    view.flat = !rows;
    helper.rows.push_back(rows);
    helper.shapes.push_back(view.extents);
    helper.types.push_back(v.type);
    helper.values.push_back(std::nullopt);
    helper.isPointer.push_back(true);
    view.variable = declare(v);
    f.parameters.push_back(view.variable);
    views.push_back(view);
  }
  static const char *const letters[] = {"n", "m", "nz", "nw"};
  std::vector<int64_t> lengths;
  for (const View &view : views)
    for (int64_t e : view.extents)
      if (lengths.size() < 4 && std::find(lengths.begin(), lengths.end(), e) == lengths.end()) lengths.push_back(e);
  for (size_t d = 0; d < lengths.size(); ++d) {
    if (chance(0.25)) continue;
    Variable v;
    v.kind = Variable::Kind::Value;
    v.name = holder + letters[d];
    int n = declare(v);
    f.parameters.push_back(n);
    sizes.push_back({scalar(n), lengths[d], false});
    helper.values.push_back(lengths[d]);
    helper.isPointer.push_back(false);
  }
  for (View &view : views)
    for (int64_t e : view.extents) view.texts.push_back(sizeText(e, e));
  if (chance(0.3)) {
    Variable v;
    v.kind = Variable::Kind::Value;
    v.name = holder + "where";
    int64_t value = pick(*std::min_element(lengths.begin(), lengths.end()));
    int n = declare(v);
    f.parameters.push_back(n);
    outer.push_back({n, value, value});
    helper.values.push_back(value);
    helper.isPointer.push_back(false);
  }
  for (int64_t phases = between(1, 2); phases > 0; --phases) phase(f.body, 1);
  views = std::move(outerViews);
  sizes = std::move(outerSizes);
  scalars = std::move(outerScalars);
  outer = std::move(outerIndices);
  inHelper = false;
  if (f.body.empty()) return false;
  helper.function = int(program.functions.size());
  program.functions.push_back(std::move(f));
  helpers.push_back(std::move(helper));
  return true;
}

void Builder::callHelper(Statements &out) {
  if (helpers.empty() || chance(0.35))
    if (!makeHelper() && helpers.empty()) return;
  const Helper &helper = oneOf(helpers);
  Statement s;
  s.kind = Statement::Kind::Call;
  s.callee = helper.function;
  std::vector<int> taken;
  size_t pointer = 0;
  for (size_t p = 0; p < helper.isPointer.size(); ++p) {
    Argument argument;
    if (!helper.isPointer[p]) {
      argument.value = sizeText(*helper.values[p], *helper.values[p]);
      s.arguments.push_back(argument);
      continue;
    }
    const std::vector<int64_t> &extents = helper.shapes[pointer];
    int64_t needed = 1;
    for (int64_t e : extents) needed *= e;
    std::vector<View *> fitting;
    for (View &view : views) {
      const Variable &v = program.variables[size_t(view.variable)];
      bool isOther = std::find(taken.begin(), taken.end(), view.variable) == taken.end() || chance(0.12);
      bool sameRows = !view.flat && view.extents.size() == extents.size() &&
                      std::equal(extents.begin() + 1, extents.end(), view.extents.begin() + 1) &&
                      view.extents[0] >= extents[0];
      bool fits = helper.rows[pointer] ? sameRows : view.size() >= needed;
      if (view.defined && !view.indexBelow && !view.readOnly && v.type == helper.types[pointer] && isOther && fits)
        fitting.push_back(&view);
    }
    if (fitting.empty()) return;
    const View &view = *oneOf(fitting);
    taken.push_back(view.variable);
    argument.pointer.base = view.variable;
    if (!helper.rows[pointer]) {
      int64_t skipped = chance(0.35) ? between(0, view.size() - needed) : 0;
      const Variable &v = program.variables[size_t(view.variable)];
      size_t rank = v.extents.size() + (v.isPointer() ? 1 : 0);
      if (rank > 1) { // &b[1][0]
        int64_t row = view.size() / view.extents[0];
        std::vector<Ex> subscripts(rank, integer(0));
        subscripts[0] = integer(skipped / row);
        argument.pointer.subscripts = subscripts;
      } else if (skipped) {
        argument.pointer.offset = integer(skipped);
      }
    }
    s.arguments.push_back(argument);
    ++pointer;
  }
  out.push_back(std::move(s));
}

} // namespace busfare::generator
