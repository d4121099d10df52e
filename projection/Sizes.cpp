//===- projection/Sizes.cpp - What every size is bound to ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Sizes.h"
#include "brs/HintedValues.h"
#include "projection/FitSizes.h"
#include "projection/Root.h"
#include "projection/RowLengths.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace busfare::projection {
using namespace skeleton;

namespace {

/// What an extent, and any other value, is taken to be if nothing binds it.
constexpr int64_t assumedExtent = 1024, assumedTrips = 100;

struct Symbols {
  std::set<std::string> used, bound; ///< bound: loop indices.
  std::set<std::string> inConditions, inSubscripts;
  std::set<std::string> foundInLoops; ///< Defined in one.
  std::set<std::string> lowers;      ///< In the first index of a loop, which may be below 0.
  std::set<std::string> extents;     ///< Used as an extent, or as the bound of a loop over elements.
  std::map<std::string, Define> defined;

  void add(const Expr &expr) { addTo(used, expr); }
  static void addTo(std::set<std::string> &all, const Expr &expr) { all.merge(expr.symbols()); }
  void addExtent(const Expr &expr) {
    add(expr);
    addTo(extents, expr);
  }
};

bool subscripts(const Block &block, const std::string &index) {
  return llvm::any_of(block, [&](const Node &node) {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      bool mentions = false;
      forEachSubscriptExpr(*access, [&](const Expr &expr) { mentions |= expr.mentions(index); });
      return mentions;
    }
    if (auto *loop = std::get_if<Loop>(&node.kind)) return subscripts(loop->body, index);
    if (auto *branch = std::get_if<Branch>(&node.kind))
      return subscripts(branch->then, index) || subscripts(branch->otherwise, index);
    if (auto *host = std::get_if<HostStatement>(&node.kind)) return subscripts(host->body, index);
    return false;
  });
}

void collect(llvm::ArrayRef<Node> block, Symbols &symbols, bool isInLoop = false) {
  for (const Node &node : block) {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      forEachSubscriptExpr(*access, [&](const Expr &expr) { Symbols::addTo(symbols.inSubscripts, expr); });
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      symbols.bound.insert(loop->index);
      Symbols::addTo(symbols.lowers, loop->lower);
      if (subscripts(loop->body, loop->index)) {
        symbols.addExtent(loop->lower);
        symbols.addExtent(loop->upper);
      } else {
        symbols.add(loop->lower);
        symbols.add(loop->upper);
      }
      collect(loop->body, symbols, true);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      for (const auto &conjunction : branch->condition.anyOf)
        for (const Expr &e : conjunction) Symbols::addTo(symbols.inConditions, e);
      collect(branch->then, symbols, isInLoop);
      collect(branch->otherwise, symbols, isInLoop);
    } else if (auto *define = std::get_if<Define>(&node.kind)) {
      symbols.defined.emplace(define->symbol, *define);
      if (isInLoop) symbols.foundInLoops.insert(define->symbol);
      if (define->value) symbols.add(*define->value);
      if (define->quotient) {
        Symbols::addTo(symbols.inConditions, define->quotient->dividend);
        Symbols::addTo(symbols.inConditions, define->quotient->divisor);
      }
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      collect(host->body, symbols, isInLoop);
      if (host->message && host->message->bytes) symbols.addExtent(*host->message->bytes);
      if (host->library)
        for (const auto &[name, value] : host->library->dimensions)
          if (value) symbols.addExtent(*value);
    } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
      for (const std::optional<Expr> &extent : allocate->extents)
        if (extent) symbols.addExtent(*extent);
    }
  }
}

/// What the code takes a size to be unless input says otherwise. A size of nothing is none: it stands for "not set".
void takeUsual(const Program &program, const Symbols &symbols, Sizes &sizes) {
  Values known;
  for (const Constant &constant : program.constants) known[constant.symbol] = constant.value;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto &[symbol, parameter] : sizes.bySymbol)
      if (parameter.source != ParameterSource::Assumed) known[symbol] = parameter.value;
    for (const auto &[symbol, define] : symbols.defined) {
      auto found = sizes.bySymbol.find(symbol);
      if (!define.usually || found == sizes.bySymbol.end() || found->second.source != ParameterSource::Assumed)
        continue;
      std::optional<int64_t> value = define.usually->evaluate(known);
      if (!value || (*value < 1 && !sizes.choicesOnly.count(symbol))) continue;
      found->second = {*value, ParameterSource::Declared};
      grows = true;
    }
  }
}

/// A quotient is known as well as what it is made of. Of what is assumed nothing follows: a step of 100, say, is no
/// better a guess than a number of turns.
void takeQuotients(const Symbols &symbols, Sizes &sizes) {
  for (bool grows = true; grows;) {
    grows = false;
    Values known;
    for (const auto &[symbol, parameter] : sizes.bySymbol)
      if (parameter.source != ParameterSource::Assumed) known[symbol] = parameter.value;
    for (const auto &[symbol, define] : symbols.defined) {
      auto found = sizes.bySymbol.find(symbol);
      if (!define.quotient || found == sizes.bySymbol.end() || found->second.source != ParameterSource::Assumed)
        continue;
      const std::optional<int64_t> dividend = define.quotient->dividend.evaluate(known),
                                   divisor = define.quotient->divisor.evaluate(known);
      if (!dividend || !divisor || *divisor < 1) continue;
      const std::optional<int64_t> quotient = floorDiv(Expr(*dividend), *divisor).constant(),
                                   least = define.atLeast ? define.atLeast->evaluate(known) : quotient;
      if (!quotient || !least) continue;
      ParameterSource source = ParameterSource::CommandLine;
      for (const Expr *part : {&define.quotient->dividend, &define.quotient->divisor})
        for (const std::string &name : part->symbols()) source = std::max(source, sizes.bySymbol.at(name).source);
      found->second = {std::max(*quotient, *least), source};
      grows = true;
    }
  }
}

/// A loop from one assumed value to another (a row of a sparse matrix: start[i] .. start[i + 1] - 1) would run zero
/// times, or any number of times, by chance. It gets the trips that nothing binds: its end follows from its start.
void assumeTrips(const Block &block, const Symbols &symbols, Sizes &sizes, Values &values) {
  auto isAssumed = [&](const std::string &symbol) {
    auto found = sizes.bySymbol.find(symbol);
    return symbols.defined.count(symbol) && found != sizes.bySymbol.end() &&
           found->second.source == ParameterSource::Assumed;
  };
  for (const Node &node : block) {
    if (auto *branch = std::get_if<Branch>(&node.kind)) {
      assumeTrips(branch->then, symbols, sizes, values);
      assumeTrips(branch->otherwise, symbols, sizes, values);
    }
    auto *loop = std::get_if<Loop>(&node.kind);
    if (!loop) continue;
    if (loop->step > 0 && llvm::any_of(loop->lower.symbols(), isAssumed))
      for (const std::string &symbol : loop->upper.symbols()) {
        std::optional<Expr> slope = loop->upper.coefficientOf(symbol);
        if (!isAssumed(symbol) || loop->lower.mentions(symbol) || !slope || slope->constant() != 1) continue;
        std::optional<int64_t> lower = loop->lower.evaluate(values),
                               rest = loop->upper.without(symbol).evaluate(values);
        if (lower && rest)
          values[symbol] = sizes.bySymbol[symbol].value = *lower + loop->step * (assumedTrips - 1) - *rest;
        break;
      }
    assumeTrips(loop->body, symbols, sizes, values);
  }
}

} // namespace

bool Sizes::isAssumed(const std::string &symbol) const {
  auto found = bySymbol.find(symbol);
  return found != bySymbol.end() && found->second.source == ParameterSource::Assumed && !choicesOnly.count(symbol);
}

std::set<std::string> Sizes::given() const {
  std::set<std::string> given;
  for (const auto &[symbol, parameter] : bySymbol)
    if (parameter.source != ParameterSource::Assumed) given.insert(symbol);
  return given;
}

Values Sizes::values() const {
  Values values;
  for (const auto &[symbol, parameter] : bySymbol) values[symbol] = parameter.value;
  return values;
}

RealValues Sizes::realValues() const {
  RealValues values;
  for (const auto &[symbol, parameter] : bySymbol) values[symbol] = double(parameter.value);
  return values;
}

std::string scopedName(llvm::StringRef root, llvm::StringRef symbol) {
  // caller@12:callee@40:n is n of callee.
  auto [path, name] = symbol.rsplit(':');
  size_t at = path.rfind('@');
  if (name.empty() || at == llvm::StringRef::npos) return (root + "::" + symbol).str();
  llvm::StringRef callee = path.take_front(at);
  callee = callee.substr(callee.rfind(':') == llvm::StringRef::npos ? 0 : callee.rfind(':') + 1);
  return (callee + "::" + name).str();
}

bool isSpelled(llvm::StringRef given, llvm::StringRef scoped) {
  auto [name, number] = scoped.rsplit('.');
  bool isNumbered = !number.empty() && number.find_first_not_of("0123456789") == llvm::StringRef::npos;
  return isNumbered && (given == name || given == name.rsplit("::").second);
}

static bool isNamed(llvm::StringRef given, llvm::StringRef scoped, llvm::StringRef symbol) {
  return given == scoped || given == scoped.rsplit("::").second || given == symbol;
}

static llvm::Expected<Sizes> bindAll(const Program &program, const Function &root, Symbols symbols,
                                     const std::vector<std::pair<std::string, int64_t>> &given,
                                     const KnownValues &known) {
  for (const Array &array : root.arrays)
    for (const std::optional<Expr> &extent : array.extents)
      if (extent) symbols.addExtent(*extent);
  collect(root.body, symbols);
  for (const Parameter &parameter : root.parameters)
    if (parameter.kind == Parameter::Kind::Value) symbols.inConditions.insert(parameter.name);

  auto wanted = [&](const std::string &symbol) -> std::optional<int64_t> {
    std::string scoped = scopedName(root.name, symbol);
    for (const auto &[name, value] : llvm::reverse(given))
      if (isNamed(name, scoped, symbol)) return value;
    for (const auto &[name, value] : llvm::reverse(given))
      if (isSpelled(name, scoped)) return value;
    return std::nullopt;
  };
  const std::vector<std::pair<std::string, int64_t>> hinted = brs::hintedSizes(root);
  Sizes sizes;
  for (const std::string &symbol : symbols.inSubscripts)
    if (symbols.used.insert(symbol).second && symbols.foundInLoops.count(symbol)) sizes.choicesOnly.insert(symbol);
  for (const std::string &symbol : symbols.inConditions)
    if (symbols.used.insert(symbol).second) sizes.choicesOnly.insert(symbol);
  for (const Constant &constant : program.constants) {
    if (std::optional<int64_t> value = wanted(constant.symbol); value && *value != constant.value)
      return llvm::createStringError(toString(constant.location) + ": " + constant.symbol + " is " +
                                     std::to_string(constant.value) + " in the program; it cannot be set to " +
                                     std::to_string(*value));
    if (symbols.used.count(constant.symbol))
      sizes.bySymbol[constant.symbol] = {constant.value, ParameterSource::Constant};
  }
  for (const std::string &symbol : symbols.used) {
    if (symbols.bound.count(symbol) || sizes.bySymbol.count(symbol)) continue;
    auto defined = symbols.defined.find(symbol);
    if (std::optional<int64_t> value = wanted(symbol)) {
      if (*value < 0 && symbols.extents.count(symbol) && !symbols.lowers.count(symbol))
        return llvm::createStringError("--param " + symbol + ": " + llvm::Twine(*value) + " is no size; " +
                                       scopedName(root.name, symbol) + " is an extent, or says how often a loop runs");
      sizes.bySymbol[symbol] = {*value, ParameterSource::CommandLine};
    } else if (auto hint = llvm::find_if(hinted, [&](const auto &size) { return size.first == symbol; });
               hint != hinted.end()) {
      sizes.bySymbol[symbol] = {hint->second, ParameterSource::Hint};
    } else if (auto value = known.values.find(symbol); value != known.values.end()) {
      sizes.bySymbol[symbol] = {value->second, known.source};
    } else {
      sizes.bySymbol[symbol] = {symbols.extents.count(symbol) ? assumedExtent : assumedTrips, ParameterSource::Assumed};
    }
    if (defined != symbols.defined.end()) sizes.places[symbol] = defined->second.location;
  }
  takeUsual(program, symbols, sizes);
  takeQuotients(symbols, sizes);
  // A defined symbol whose value follows from others has that value; its range narrows an assumed one.
  Values values = sizes.values();
  for (unsigned round = 0; round < 4; ++round)
    for (const auto &[symbol, define] : symbols.defined) {
      auto found = sizes.bySymbol.find(symbol);
      if (found == sizes.bySymbol.end() || found->second.source != ParameterSource::Assumed) continue;
      if (define.value) {
        // It is known as well as what it is made of.
        ParameterSource source = ParameterSource::CommandLine;
        for (const std::string &part : define.value->symbols())
          if (auto known = sizes.bySymbol.find(part); known != sizes.bySymbol.end())
            source = std::max(source, known->second.source);
          else source = ParameterSource::Assumed;
        if (define.value->symbols().empty()) source = ParameterSource::Constant;
        if (std::optional<int64_t> value = define.value->evaluate(values)) {
          values[symbol] = *value;
          found->second = {*value, source};
        }
        continue;
      }
      std::optional<int64_t> least, most;
      if (define.atLeast) least = define.atLeast->evaluate(values);
      if (define.atMost) most = define.atMost->evaluate(values);
      if (least && most && *least <= *most && (found->second.value < *least || found->second.value > *most)) {
        int64_t from = std::max(*least, std::min<int64_t>(0, *most)); // nothing is counted below zero
        found->second.value = from + (*most - from) / 2;
      } else if (least && found->second.value < *least) found->second.value = *least;
      else if (most && found->second.value > *most) found->second.value = *most;
      values[symbol] = found->second.value;
    }
  assumeTrips(root.body, symbols, sizes, values);
  bindRowLengths(program, root, sizes);
  fitAssumed(program, root, sizes);
  return sizes;
}

llvm::Expected<Sizes> bindSizes(const Program &program, const Function &root,
                                const std::vector<std::pair<std::string, int64_t>> &given) {
  return bindAll(program, root, {}, given, {});
}

llvm::Expected<Sizes> bindSizes(const Program &program, const Root &root,
                                const std::vector<std::pair<std::string, int64_t>> &given, const KnownValues &known) {
  Symbols symbols;
  for (const auto &[array, elements] : root.elements) symbols.addExtent(elements);
  return bindAll(program, root.function, std::move(symbols), given, known);
}

std::set<std::string> sizesIn(llvm::ArrayRef<Node> nodes, llvm::ArrayRef<std::vector<std::optional<Expr>>> extents) {
  Symbols symbols;
  for (const std::vector<std::optional<Expr>> &list : extents)
    for (const std::optional<Expr> &extent : list)
      if (extent) symbols.add(*extent);
  collect(nodes, symbols);
  symbols.used.merge(symbols.inSubscripts);
  for (const std::string &index : symbols.bound) symbols.used.erase(index);
  return std::move(symbols.used);
}

std::vector<std::string> unknownParameters(const Program &program, const Function &root, const Sizes &sizes,
                                           const std::vector<std::pair<std::string, int64_t>> &given) {
  std::vector<std::string> unknown;
  for (const auto &entry : given) {
    const std::string &name = entry.first;
    bool known = llvm::any_of(program.constants, [&](const Constant &c) { return c.symbol == name; });
    for (const auto &bound : sizes.bySymbol) {
      std::string scoped = scopedName(root.name, bound.first);
      known |= isNamed(name, scoped, bound.first) || isSpelled(name, scoped);
    }
    if (!known) unknown.push_back(name);
  }
  return unknown;
}

} // namespace busfare::projection
