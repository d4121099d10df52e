//===- test/support/Oracle.cpp - Running a skeleton, and recording it -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "brs/Owner.h"
#include <random>

namespace busfare::test {
using namespace skeleton;

namespace {

class Interpreter {
public:
  Interpreter(const Program &program, const Function &function, const OracleOptions &options)
      : program(program), function(function), options(options), values(options.values), random(options.seed),
        owners(brs::ownerLoops(function)) {
    for (const Constant &constant : program.constants) values.try_emplace(constant.symbol, constant.value);
  }

  llvm::Expected<Trace> run() {
    trace.all = open();
    runBlock(function.body);
    close(trace.all);
    trace.namesAtEnd = objects;
    if (!problem.empty()) return llvm::createStringError(problem);
    return std::move(trace);
  }

private:
  const Program &program;
  const Function &function;
  const OracleOptions &options;
  Values values;
  std::mt19937 random;
  std::map<std::string, std::string> owners;
  std::map<std::string, std::string> objects; ///< Name -> object, where it is not itself.
  std::map<std::string, unsigned> generations;
  std::vector<const Loop *> path;
  Trace trace;
  std::string problem;

  bool stopped() const { return !problem.empty(); }
  void stop(std::string message) {
    if (problem.empty()) problem = std::move(message);
  }
  int64_t draw(int64_t low, int64_t high) {
    if (high < low) {
      stop("a value that is said to lie in an empty range");
      return low;
    }
    return low + int64_t(random() % uint64_t(high - low + 1));
  }
  int64_t evaluate(const Expr &expr) {
    std::optional<int64_t> value = expr.evaluate(values);
    if (!value) stop("no value for " + toString(expr));
    return value.value_or(0);
  }
  Span open() { return {trace.events.size(), 0, values, objects}; }
  void close(Span &span) { span.end = trace.events.size(); }
  std::string objectOf(const std::string &name) {
    auto found = objects.find(name);
    return found == objects.end() ? name : found->second;
  }
  void renew(const std::string &name) {
    std::string base = objectOf(name);
    base = base.substr(0, base.find('#'));
    objects[name] = base + "#" + std::to_string(++generations[base] + 1);
  }

  void runBlock(const Block &block) {
    for (const Node &node : block) {
      if (stopped()) return;
      runNode(node);
    }
  }

  void runNode(const Node &node) {
    size_t before = trace.events.size();
    if (options.visit) options.visit({node, false, values, objects, path, nullptr});
    perform(node);
    if (!options.visit) return;
    bool happened = std::holds_alternative<Access>(node.kind) && trace.events.size() > before;
    options.visit({node, true, values, objects, path, happened ? &trace.events.back() : nullptr});
  }

  void perform(const Node &node) {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      runAccess(*access);
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      runLoop(*loop);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      // What is said of a program holds for the runs that go on.
      bool isChoice = !branch->condition.exact && surelyEnds(branch->then) != surelyEnds(branch->otherwise);
      bool isThen = isChoice ? surelyEnds(branch->otherwise) : holds(branch->condition);
      runBlock(isThen ? branch->then : branch->otherwise);
    } else if (std::holds_alternative<End>(node.kind)) {
      stop("the program ends");
    } else if (auto *define = std::get_if<Define>(&node.kind)) {
      int64_t low = define->atLeast ? evaluate(*define->atLeast) : options.definedLow;
      int64_t high = define->atMost ? evaluate(*define->atMost) : std::max<int64_t>(low, options.definedHigh);
      values[define->symbol] = define->value ? evaluate(*define->value) : draw(low, high);
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      runBlock(host->body);
    } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
      renew(allocate->array);
    } else if (auto *rotation = std::get_if<Rotate>(&node.kind)) {
      std::map<std::string, std::string> before;
      for (const auto &[first, second] : rotation->moves) before[second] = objectOf(second);
      for (const auto &[first, second] : rotation->moves) objects[first] = before[second];
    } else if (std::holds_alternative<Call>(node.kind)) {
      stop("a call is left");
    }
  }

  bool holds(const Condition &condition) {
    bool any = false;
    for (const std::vector<Expr> &conjunction : condition.anyOf) {
      bool all = true;
      for (const Expr &e : conjunction) all &= evaluate(e) >= 0;
      any |= all;
    }
    if (condition.exact) return any;
    return (condition.anyOf.empty() || any) && draw(0, 1);
  }

  size_t iterations = 0; ///< Of all loops.

  void runLoop(const Loop &loop) {
    int64_t lower = evaluate(loop.lower), upper = evaluate(loop.upper);
    LoopRun run;
    run.all = open();
    for (int64_t i = lower; loop.step > 0 ? i <= upper : i >= upper; i += loop.step) {
      // Empty iterations leave no events.
      constexpr size_t most = 2000000;
      if (++iterations > most) stop("too many iterations");
      if (stopped() || (loop.mayExitEarly && !loop.endsInside && draw(0, 5) == 0)) break;
      values[loop.index] = i;
      for (const auto &[array, owner] : owners)
        if (owner == loop.index) renew(array);
      Span iteration = open();
      path.push_back(&loop);
      runBlock(loop.body);
      path.pop_back();
      close(iteration);
      run.iterations.emplace_back(i, std::move(iteration));
      if (loop.mayExitEarly && draw(0, 3) == 0) break;
    }
    values.erase(loop.index);
    close(run.all);
    trace.loops[&loop].push_back(std::move(run));
  }

  /// By its number, counted from the array's first. The array has rows of known lengths.
  Element elementAt(int64_t number, const Array &array) {
    Element element(array.extents.size());
    for (size_t d = element.size(); d-- > 1;) {
      const int64_t extent = evaluate(*array.extents[d]);
      if (extent <= 0) {
        stop("an element of " + array.name + ", whose rows have none");
        return element;
      }
      element[d] = (number % extent + extent) % extent;
      number = (number - element[d]) / extent;
    }
    element[0] = number;
    return element;
  }

  void runAccess(const Access &access) {
    if (access.may && draw(0, 1)) return;
    const Array *array = findArray(program, function, access.array);
    if (!array) return stop("no array " + access.array);
    std::string name = access.array;
    bool isAlias = array->storage == Storage::Alias;
    if (isAlias) {
      if (array->mayBe.empty()) return;
      name = array->mayBe[draw(0, array->mayBe.size() - 1)];
      array = findArray(program, function, name);
    }
    Event event;
    event.access = &access;
    event.name = name;
    event.object = objectOf(name);
    event.reads = access.kind != AccessKind::Write;
    event.writes = access.kind != AccessKind::Read;
    if (array->type.kind == ElementType::Kind::Struct) event.endByte = array->type.bytes;
    if (access.part.bytes && !isAlias) {
      event.firstByte = access.part.offset;
      event.endByte = event.firstByte + access.part.bytes;
    }
    const Element walked = access.flat && !isAlias ? elementAt(evaluate(*access.flat), *array) : Element();
    for (size_t d = 0; d < array->extents.size(); ++d) {
      std::optional<int64_t> extent;
      if (array->extents[d]) extent = evaluate(*array->extents[d]);
      const Subscript *s = isAlias || d >= access.subscripts.size() ? nullptr : &access.subscripts[d];
      int64_t value = 0;
      if (!walked.empty()) value = walked[d];
      else if (s && s->value) value = evaluate(*s->value);
      else
        value = draw(s && s->atLeast ? evaluate(*s->atLeast) : 0,
                     s && s->atMost ? evaluate(*s->atMost) : extent.value_or(4) - 1);
      if (extent && (value < 0 || value >= *extent))
        stop("element " + std::to_string(value) + " outside dimension " + std::to_string(d) + " of " + name);
      event.element.push_back(value);
    }
    trace.events.push_back(std::move(event));
    if (trace.events.size() > options.maxEvents) stop("too many events");
  }
};

/// The name that denoted the object when the span began.
std::string nameOnEntry(const Span &span, const std::string &object) {
  for (const auto &[name, denoted] : span.objects)
    if (denoted == object) return name;
  return object;
}

template <class Filter>
std::map<std::string, Elements> collect(const Trace &trace, const Span &span, const Filter &filter) {
  std::map<std::string, Elements> result;
  for (size_t i = span.begin; i < span.end; ++i)
    if (filter(trace.events[i])) result[nameOnEntry(span, trace.events[i].object)].insert(trace.events[i].element);
  return result;
}

} // namespace

llvm::Expected<Trace> runSkeleton(const Program &program, const Function &function, const OracleOptions &options) {
  return Interpreter(program, function, options).run();
}

std::map<std::string, Elements> readsIn(const Trace &trace, const Span &span) {
  return collect(trace, span, [](const Event &event) { return event.reads; });
}

std::map<std::string, Elements> writesIn(const Trace &trace, const Span &span) {
  return collect(trace, span, [](const Event &event) { return event.writes; });
}

std::map<std::string, Elements> exposedIn(const Trace &trace, const Span &span) {
  std::set<std::pair<std::string, Element>> written;
  return collect(trace, span, [&](const Event &event) {
    std::pair<std::string, Element> key(event.object, event.element);
    bool exposed = event.reads && !written.count(key);
    if (event.writes) written.insert(key);
    return exposed;
  });
}

std::set<std::string> conflictsOf(const Trace &trace, const Loop &loop) {
  std::set<std::string> result;
  auto runs = trace.loops.find(&loop);
  if (runs == trace.loops.end()) return result;
  for (const LoopRun &run : runs->second) {
    struct Seen {
      std::set<int64_t> readers, writers;
    };
    std::map<std::tuple<std::string, Element, uint64_t>, Seen> seen;
    for (const auto &[index, span] : run.iterations)
      for (size_t i = span.begin; i < span.end; ++i) {
        const Event &event = trace.events[i];
        for (uint64_t byte = event.firstByte; byte < event.endByte; ++byte) {
          Seen &s = seen[{event.object, event.element, byte}];
          if (event.reads) s.readers.insert(index);
          if (event.writes) s.writers.insert(index);
          bool apart = s.writers.size() > 1 ||
                       (s.writers.size() == 1 &&
                        (s.readers.size() > 1 || (s.readers.size() == 1 && *s.readers.begin() != *s.writers.begin())));
          if (apart) result.insert(event.name);
        }
      }
  }
  return result;
}

} // namespace busfare::test
