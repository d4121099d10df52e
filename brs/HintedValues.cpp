//===- brs/HintedValues.cpp - What hints say of values and sizes ---------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "brs/HintedValues.h"
#include "brs/Domain.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

/// One hint where it holds, in the root's names.
struct Range {
  std::string array;
  Expr low, high;
  Location location;
  bool operator==(const Range &) const = default;
};

std::string text(const Range &range) {
  return "range(" + range.array + ": " + toString(range.low) + ", " + toString(range.high) + ")";
}

/// A write of a known value, or any other write, into an array of which a hint speaks.
struct WrittenAt {
  const Access *access = nullptr;
  size_t position = 0;
  Nest nest;
};

class Ranges {
public:
  Ranges(const Program &program, Inlined &root)
      : program(program), root(root), context(factsOf(program, root.function)) {}

  std::vector<Finding> run() {
    for (unsigned path = 0; path < root.paths.size(); ++path) ofPaths.push_back(rangesOfCall(path));
    walk(root.function.body, Nest(context));
    for (const auto &[range, lastLoad] : loads) checkWrites(range, lastLoad);
    return std::move(findings);
  }

private:
  const Program &program;
  Inlined &root;
  Context context;
  std::vector<std::vector<Range>> ofPaths; ///< Of the functions on the way, by Node::path.
  std::vector<Range> ofLoops;              ///< Of the loops around.
  std::vector<std::pair<Range, size_t>> loads; ///< Ranges that were used, and where last.
  std::map<std::string, std::vector<WrittenAt>> writes;
  std::vector<Finding> findings;
  size_t position = 0;

  std::vector<Range> rangesOfCall(unsigned path) const {
    const CallPath &call = root.paths[path];
    std::vector<Range> result;
    const Function *function = path == 0 ? &root.function : findFunction(program, call.function);
    if (function)
      for (const auto &[array, low, high] : function->hints.ranges) {
        auto bound = call.arrays.find(array);
        Range range{bound == call.arrays.end() ? array : bound->second.array, low.substitute(call.symbols),
                    high.substitute(call.symbols), function->hints.location};
        if (!range.low.isPoisoned() && !range.high.isPoisoned()) result.push_back(std::move(range));
      }
    if (path != 0) llvm::append_range(result, ofPaths[call.caller]); // A call's path comes after its caller's.
    return result;
  }

  void refute(const Range &range, const std::string &why) {
    findings.push_back({Rule::HintRefuted, Level::Error,
                        range.location.isKnown() ? range.location : root.function.location,
                        text(range) + " is contradicted: " + why});
  }

  /// The tightest that is said of values in the array here.
  std::vector<Range> rangesHere(const std::string &array, unsigned path) const {
    std::vector<Range> result;
    for (const std::vector<Range> *list : {&ofLoops, &ofPaths[path]})
      llvm::copy_if(*list, std::back_inserter(result), [&](const Range &range) { return range.array == array; });
    return result;
  }

  /// False: it would leave 0 .. extent - 1 for sure.
  void bound(const Rare<Loaded> &from, std::optional<Expr> &atLeast, std::optional<Expr> &atMost, unsigned path,
             const std::optional<Expr> &extent, const Access *access, const Nest &nest) {
    if (!from) return;
    for (const Range &range : rangesHere(from->array, path)) {
      note(range);
      Expr scale(from->scale);
      Expr low = scale * (from->scale > 0 ? range.low : range.high) + from->offset;
      Expr high = scale * (from->scale > 0 ? range.high : range.low) + from->offset;
      if (low.isPoisoned() || high.isPoisoned()) continue;
      Context inside = nest.contextInside();
      bool isBelow = access && isNonNegative(-low - 1, inside) == Answer::Yes;
      bool isBeyond = access && extent && isNonNegative(high - *extent, inside) == Answer::Yes;
      if (isBelow || isBeyond) {
        refute(range, "with it `" + access->array + "` at " + toString(access->location) + " would reach element " +
                          toString(isBelow ? low : high) + " of 0 .. " + (extent ? toString(*extent - 1) : "?") +
                          "; the whole array is taken");
        continue;
      }
      Expr newLow = atLeast ? largest(*atLeast, low, inside) : low,
           newHigh = atMost ? smallest(*atMost, high, inside) : high;
      if (!newLow.isPoisoned()) atLeast = newLow;
      if (!newHigh.isPoisoned()) atMost = newHigh;
    }
  }

  void note(const Range &range) {
    auto known = llvm::find_if(loads, [&](const auto &entry) { return entry.first == range; });
    if (known == loads.end()) loads.emplace_back(range, position);
    else known->second = position;
  }

  void walk(Block &block, const Nest &nest) {
    for (Node &node : block) {
      ++position;
      if (auto *access = std::get_if<Access>(&node.kind)) {
        const Array *array = nullptr;
        for (size_t d = 0; d < access->subscripts.size(); ++d) {
          Subscript &subscript = access->subscripts[d];
          if (!subscript.from) continue;
          array = array ? array : findArray(program, root.function, access->array);
          std::optional<Expr> extent = array && d < array->extents.size() ? array->extents[d] : std::nullopt;
          bound(subscript.from, subscript.atLeast, subscript.atMost, node.path, extent, access, nest);
        }
        noteWrite(*access, position, nest);
      } else if (auto *define = std::get_if<Define>(&node.kind)) {
        bound(define->from, define->atLeast, define->atMost, node.path, std::nullopt, nullptr, nest);
      } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
        walkLoop(*loop, nest);
      } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
        walk(branch->then, nest.inside(*branch, true));
        walk(branch->otherwise, nest.inside(*branch, false));
      } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
        if (isBounded(*host)) walk(host->body.edit(), nest);
        else
          for (const Node &inner : host->body) noteWrite(std::get<Access>(inner.kind), ++position, nest);
      }
    }
  }

  void noteWrite(const Access &access, size_t at, const Nest &nest) {
    if (access.kind != AccessKind::Read) writes[access.array].push_back({&access, at, nest});
  }

  /// Has an access in it a subscript that values bound? Others may have what is in its body, too.
  static bool isBounded(const HostStatement &host) {
    return llvm::any_of(host.body, [](const Node &node) {
      return llvm::any_of(std::get<Access>(node.kind).subscripts,
                          [](const Subscript &subscript) { return static_cast<bool>(subscript.from); });
    });
  }

  void walkLoop(Loop &loop, const Nest &nest) {
    size_t before = ofLoops.size();
    if (loop.hints)
      for (const auto &[array, low, high] : loop.hints->ranges)
        ofLoops.push_back({array, low, high, loop.hints->location.isKnown() ? loop.hints->location : loop.location});
    walk(loop.body, nest.inside(loop));
    ofLoops.resize(before);
  }

  /// The value at the first and last iterations of the loops around, if they surely run and nothing is conditional.
  static std::vector<Expr> extremes(const WrittenAt &written) {
    std::vector<Expr> values{*written.access->value};
    constexpr size_t manyLoops = 4;
    const std::vector<NestStep> &steps = written.nest.steps();
    if (steps.size() > manyLoops || !overwrites(*written.access)) return {};
    for (const NestStep &step : llvm::reverse(steps)) {
      if (!step.loop || step.loop->mayExitEarly) return {};
      if (isNonNegative(spanOf(*step.loop), written.nest.context()) != Answer::Yes) return {};
      std::vector<Expr> next;
      for (const Expr &value : values)
        for (const Expr &end : {step.loop->lower, step.loop->upper}) {
          bool isReached = end == step.loop->lower || step.loop->step == 1 || step.loop->step == -1;
          if (isReached) next.push_back(value.substitute({{step.loop->index, end}}));
        }
      values = std::move(next);
    }
    return values;
  }

  void checkWrites(const Range &range, size_t lastLoad) {
    const std::vector<WrittenAt> &all = writes[range.array];
    if (all.empty() || !all.back().access->value || all.back().position > lastLoad) return;
    for (const Expr &value : extremes(all.back()))
      if (!value.isPoisoned() && (isNonNegative(range.low - value - 1, context) == Answer::Yes ||
                                  isNonNegative(value - range.high - 1, context) == Answer::Yes))
        return refute(range, "at " + toString(all.back().access->location) + " " + toString(value) +
                                 " is written into " + range.array + "; what it bounds is not to be believed");
  }
};

template <class Visit> void forEachSize(const Function &root, const Visit &visit) {
  for (const auto &[symbol, value] : root.hints.sizes)
    visit(symbol, value, root.hints.location.isKnown() ? root.hints.location : root.location);
  forEachNode(root.body, [&](const Node &node) {
    if (auto *loop = std::get_if<Loop>(&node.kind); loop && loop->hints)
      for (const auto &[symbol, value] : loop->hints->sizes)
        visit(symbol, value, loop->hints->location.isKnown() ? loop->hints->location : loop->location);
  });
}

} // namespace

std::vector<Finding> applyRanges(const Program &program, Inlined &root) {
  bool isSaid = !root.function.hints.ranges.empty() || llvm::any_of(root.paths, [&](const CallPath &path) {
    const Function *function = findFunction(program, path.function);
    return function && !function->hints.ranges.empty();
  });
  forEachNode(root.function.body, [&](const Node &node) {
    auto *loop = std::get_if<Loop>(&node.kind);
    isSaid |= loop && loop->hints && !loop->hints->ranges.empty();
  });
  return isSaid ? Ranges(program, root).run() : std::vector<Finding>();
}

std::vector<std::pair<std::string, int64_t>> hintedSizes(const Function &root) {
  std::vector<std::pair<std::string, int64_t>> result;
  forEachSize(root, [&](const std::string &symbol, int64_t value, const Location &) {
    if (llvm::none_of(result, [&](const auto &known) { return known.first == symbol; }))
      result.emplace_back(symbol, value);
  });
  return result;
}

std::vector<Finding> checkSizes(const Program &program, const Function &root) {
  std::vector<Finding> findings;
  std::map<std::string, int64_t> known;
  std::set<std::string> constants;
  for (const Constant &constant : program.constants)
    if (known.emplace(constant.symbol, constant.value).second) constants.insert(constant.symbol);
  forEachSize(root, [&](const std::string &symbol, int64_t value, const Location &location) {
    auto [first, isNew] = known.try_emplace(symbol, value);
    if (!isNew && first->second != value)
      findings.push_back({Rule::HintRefuted, Level::Error, location,
                          "size(" + symbol + " = " + std::to_string(value) + ") is contradicted by " +
                              (constants.count(symbol) ? "the program" : "another hint") + ", which says " +
                              std::to_string(first->second) + "; the hint is not taken"});
  });
  return findings;
}

} // namespace busfare::brs
