//===- projection/RowLengths.cpp - How long the rows of a sparse matrix are -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/RowLengths.h"
#include "projection/Describe.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// Two ratios that differ by less are one: what an extent holds besides, `n + 1` for n, is no row.
constexpr double sameRatio = 0.02;

class RowLengths {
public:
  RowLengths(const Program &program, const Function &root, Sizes &sizes)
      : sizes(sizes), arrays(program, root), values(sizes.values()) {}

  void walk(const Block &block) {
    for (const Node &node : block) {
      if (auto *define = std::get_if<Define>(&node.kind)) {
        defined[define->symbol] = define;
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        walk(branch->then);
        walk(branch->otherwise);
      } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
        bind(*loop);
        walk(loop->body);
      }
    }
  }

private:
  Sizes &sizes;
  const ArrayTable arrays;
  Values values;
  std::map<std::string, const Define *> defined;

  struct Row {
    std::string begin, end; ///< Symbols.
    const Array *pointers;  ///< The array that both are read from.
  };

  /// symbol + a number
  std::optional<std::string> loadedIn(const Expr &bound) const {
    const std::set<std::string> symbols = bound.symbols();
    if (symbols.size() != 1 || bound.coefficientOf(*symbols.begin()) != std::optional(Expr(1)) ||
        !bound.without(*symbols.begin()).constant())
      return std::nullopt;
    auto found = defined.find(*symbols.begin());
    const bool isLoaded = found != defined.end() && found->second->from && !found->second->from->element.empty();
    return isLoaded ? std::optional(*symbols.begin()) : std::nullopt;
  }

  /// The row that the loop goes through, if its bounds are two values that follow on each other.
  std::optional<Row> rowOf(const Loop &loop) const {
    std::optional<std::string> begin = loadedIn(loop.lower), end = loadedIn(loop.upper);
    if (!begin || !end || *begin == *end || loop.step != 1) return std::nullopt;
    const Loaded &first = *defined.at(*begin)->from, &last = *defined.at(*end)->from;
    if (first.array != last.array || first.scale != last.scale || !(first.offset == last.offset) ||
        first.element.size() != last.element.size() ||
        distance(last.element.back(), first.element.back()) != std::optional<int64_t>(1) ||
        !std::equal(first.element.begin(), first.element.end() - 1, last.element.begin()))
      return std::nullopt;
    const Array *pointers = arrays.find(first.array);
    return pointers && pointers->extents.size() == 1 ? std::optional(Row{*begin, *end, pointers}) : std::nullopt;
  }

  bool isAssumed(const std::string &symbol) const {
    auto found = sizes.bySymbol.find(symbol);
    return found != sizes.bySymbol.end() && found->second.source == ParameterSource::Assumed;
  }
  bool isOpen(const Expr &expr) const {
    return llvm::any_of(expr.symbols(), [&](const std::string &symbol) { return isAssumed(symbol); });
  }

  /// What all rows fill together: the smallest of the arrays that the loop goes through element by element.
  std::optional<std::pair<Expr, std::string>> filledBy(const Loop &loop) const {
    std::optional<std::pair<Expr, std::string>> found;
    std::optional<int64_t> least;
    forEachNode(loop.body, [&](const Node &node) {
      const auto *access = std::get_if<Access>(&node.kind);
      const Array *array = access ? arrays.find(access->array) : nullptr;
      if (!array || array->extents.size() != 1 || !array->extents[0] || access->subscripts.size() != 1 ||
          access->subscripts[0].value != std::optional(Expr::symbol(loop.index)))
        return;
      std::optional<int64_t> count = array->extents[0]->evaluate(values);
      if (!count || (least && *least <= *count)) return;
      least = count;
      found = {*array->extents[0], array->name};
    });
    return found;
  }

  /// elements / rows, at these values.
  static std::optional<double> ratio(const Expr &elements, const Expr &rows, const Values &at) {
    std::optional<int64_t> all = elements.evaluate(at), of = rows.evaluate(at);
    return all && of && *all > 0 && *of > 0 ? std::optional(double(*all) / double(*of)) : std::nullopt;
  }

  /// Is it the same whatever the assumed values are?
  bool isFixed(const Expr &elements, const Expr &rows) const {
    Values other = values;
    int64_t factor = 2; // another one for each
    for (const auto &[symbol, parameter] : sizes.bySymbol)
      if (isAssumed(symbol)) other[symbol] = factor++ * parameter.value + 1;
    std::optional<double> now = ratio(elements, rows, values), then = ratio(elements, rows, other);
    return now && then && std::abs(*then - *now) <= sameRatio * *now;
  }

  void bind(const Loop &loop) {
    std::optional<Row> row = rowOf(loop);
    if (!row || !isAssumed(row->begin)) return;
    // Which element a row begins at changes no price. It has as many as before.
    ParameterValue &begin = sizes.bySymbol[row->begin], &end = sizes.bySymbol[row->end];
    if (isAssumed(row->end)) values[row->end] = end.value -= begin.value;
    values[row->begin] = begin.value = 0;
    sizes.choicesOnly.insert(row->begin);
    sizes.reasons[row->begin] = "rows are taken to begin at 0";
    if (!isAssumed(row->end)) return;
    sizes.reasons[row->end] = "elements of a row that begins at 0";
    std::optional<std::pair<Expr, std::string>> filled = filledBy(loop);
    if (!filled || !row->pointers->extents[0]) return;
    const Expr &elements = filled->first, rows = *row->pointers->extents[0] - 1;
    const bool isFixedRatio = isFixed(elements, rows);
    std::optional<double> length = ratio(elements, rows, values);
    if (!length || (isOpen(elements) && !isFixedRatio)) return;
    const int64_t turns = std::max<int64_t>(1, std::llround(*length));
    const Expr rest = loop.upper.without(row->end), first = loop.lower.without(row->begin);
    end.value = turns - 1 + first.constant().value_or(0) - rest.constant().value_or(0);
    if (isFixedRatio || !isOpen(rows)) end.source = ParameterSource::Declared;
    values[row->end] = end.value;
    sizes.reasons[row->end] =
        toString(elements) + " elements of " + withoutPaths(filled->second) + " in " + toString(rows) + " rows";
  }
};

} // namespace

void bindRowLengths(const Program &program, const Function &root, Sizes &sizes) {
  RowLengths(program, root, sizes).walk(root.body);
}

} // namespace busfare::projection
