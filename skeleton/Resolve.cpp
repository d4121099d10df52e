//===- skeleton/Resolve.cpp - Which units make one program ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/Resolve.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <functional>

using namespace busfare::skeleton;

UnitSymbols busfare::skeleton::symbolsOf(const Program &unit) {
  UnitSymbols result;
  result.file = unit.units.empty() ? "" : unit.units.front();
  std::map<std::string, std::string> symbols;
  for (const Import &import : unit.imports)
    symbols[import.name] = import.symbol;
  for (const Function &function : unit.functions)
    symbols[function.name] = symbolOf(function);
  for (const Function &function : unit.functions) {
    result.hasMain |= function.name == "main";
    UnitSymbols::Function one{symbolOf(function), function.linkage, {}};
    forEachNode(function.body, [&](const Node &node) {
      if (const auto *call = std::get_if<Call>(&node.kind)) {
        auto known = symbols.find(call->callee);
        one.calls.insert(known == symbols.end() ? call->callee : known->second);
      }
    });
    result.functions.push_back(std::move(one));
  }
  return result;
}

/// How many folders lie between two files, up from one and down to the other.
static size_t foldersBetween(llvm::StringRef a, llvm::StringRef b) {
  llvm::StringRef first = llvm::sys::path::parent_path(a), second = llvm::sys::path::parent_path(b);
  auto i = llvm::sys::path::begin(first), j = llvm::sys::path::begin(second);
  while (i != llvm::sys::path::end(first) && j != llvm::sys::path::end(second) && *i == *j)
    ++i, ++j;
  return size_t(std::distance(i, llvm::sys::path::end(first)) + std::distance(j, llvm::sys::path::end(second)));
}

namespace {

class Resolver {
public:
  explicit Resolver(llvm::ArrayRef<UnitSymbols> units) : units(units) {
    result.definers.resize(units.size());
    result.followed.resize(units.size());
  }

  Resolved run() {
    findDefiners();
    findFollowed();
    findPrograms();
    return std::move(result);
  }

private:
  llvm::ArrayRef<UnitSymbols> units;
  Resolved result;

  void findDefiners() {
    std::map<std::string, std::vector<size_t>> definers;
    std::vector<std::set<std::string>> own(units.size()); ///< By unit, whoever sees them.
    for (size_t u = 0; u < units.size(); ++u) {
      for (const UnitSymbols::Function &function : units[u].functions) {
        own[u].insert(function.symbol);
        if (function.linkage != Linkage::Static && function.symbol != "main")
          definers[function.symbol].push_back(u);
      }
      for (const std::string &variable : units[u].variables)
        definers[variable].push_back(u);
    }
    for (size_t u = 0; u < units.size(); ++u) {
      std::set<std::string> used = units[u].undefinedVariables;
      for (const UnitSymbols::Function &function : units[u].functions)
        used.insert(function.calls.begin(), function.calls.end());
      for (const std::string &symbol : used)
        if (auto known = definers.find(symbol); known != definers.end() && !own[u].count(symbol))
          resolveOne(u, symbol, known->second);
    }
  }

  void resolveOne(size_t user, const std::string &symbol, const std::vector<size_t> &candidates) {
    size_t nearest = SIZE_MAX;
    std::vector<size_t> best;
    for (size_t one : candidates) {
      size_t distance = foldersBetween(units[user].file, units[one].file);
      if (distance < nearest)
        best.clear();
      nearest = std::min(nearest, distance);
      if (distance == nearest)
        best.push_back(one);
    }
    auto isInline = [&](size_t u) {
      return llvm::any_of(units[u].functions, [&](const UnitSymbols::Function &one) {
        return one.symbol == symbol && one.linkage == Linkage::Inline;
      });
    };
    // Copies of one inline function are all the same.
    if (best.size() == 1 || llvm::all_of(best, isInline))
      result.definers[user][symbol] = best.front();
    else
      result.ambiguities.push_back({symbol, user, best});
  }

  /// Strongly connected functions (Tarjan 1972): a call inside one component may come back.
  void findFollowed() {
    std::vector<size_t> first; ///< Of a unit's functions, in one numbering of all.
    size_t count = 0;
    std::map<std::pair<size_t, std::string>, size_t> numbers;
    for (size_t u = 0; u < units.size(); ++u) {
      first.push_back(count);
      for (const UnitSymbols::Function &function : units[u].functions)
        numbers.try_emplace({u, function.symbol}, count++);
    }
    std::vector<std::vector<size_t>> edges(count);
    auto definerOf = [&](size_t u, const std::string &symbol) {
      auto known = result.definers[u].find(symbol);
      return numbers.find({known == result.definers[u].end() ? u : known->second, symbol});
    };
    for (size_t u = 0; u < units.size(); ++u)
      for (size_t f = 0; f < units[u].functions.size(); ++f)
        for (const std::string &callee : units[u].functions[f].calls)
          if (auto to = definerOf(u, callee); to != numbers.end())
            edges[first[u] + f].push_back(to->second);
    std::vector<size_t> component = componentsOf(edges);
    for (size_t u = 0; u < units.size(); ++u) {
      std::set<std::string> back;
      for (size_t f = 0; f < units[u].functions.size(); ++f)
        for (const std::string &callee : units[u].functions[f].calls)
          if (result.definers[u].count(callee)) {
            auto to = definerOf(u, callee);
            result.followed[u].insert(callee);
            if (to != numbers.end() && component[to->second] == component[first[u] + f])
              back.insert(callee);
          }
      for (const std::string &callee : back)
        result.followed[u].erase(callee);
    }
  }

  static std::vector<size_t> componentsOf(const std::vector<std::vector<size_t>> &edges) {
    constexpr size_t none = size_t(-1);
    std::vector<size_t> component(edges.size(), none), order(edges.size(), none), low(edges.size(), 0), open;
    size_t visited = 0, components = 0;
    struct Visit {
      size_t node, next;
    };
    for (size_t start = 0; start < edges.size(); ++start) {
      if (order[start] != none)
        continue;
      std::vector<Visit> path{{start, 0}}; // no recursion: a call chain may be long
      while (!path.empty()) {
        auto &[node, next] = path.back();
        if (next == 0) {
          order[node] = low[node] = visited++;
          open.push_back(node);
        }
        if (next < edges[node].size()) {
          size_t to = edges[node][next++];
          if (order[to] == none)
            path.push_back({to, 0});
          else if (component[to] == none)
            low[node] = std::min(low[node], order[to]);
          continue;
        }
        size_t done = node;
        path.pop_back();
        if (!path.empty())
          low[path.back().node] = std::min(low[path.back().node], low[done]);
        if (low[done] != order[done])
          continue;
        for (size_t one = none; one != done;) {
          one = open.back();
          open.pop_back();
          component[one] = components;
        }
        ++components;
      }
    }
    return component;
  }

  /// What the units reach, mains of others left alone.
  std::vector<size_t> reachedFrom(std::vector<size_t> reached) const {
    for (size_t k = 0; k < reached.size(); ++k)
      for (const auto &[symbol, definer] : result.definers[reached[k]])
        if (!units[definer].hasMain && !llvm::is_contained(reached, definer))
          reached.push_back(definer);
    llvm::sort(reached);
    return reached;
  }

  void findPrograms() {
    std::vector<bool> isDone(units.size());
    auto add = [&](std::vector<size_t> program) {
      for (size_t u : program)
        isDone[u] = true;
      result.programs.push_back(std::move(program));
    };
    for (size_t u = 0; u < units.size(); ++u)
      if (units[u].hasMain)
        add(reachedFrom({u}));
    // The rest: what hangs together, whichever calls the other.
    std::vector<size_t> group(units.size());
    for (size_t u = 0; u < units.size(); ++u)
      group[u] = u;
    std::function<size_t(size_t)> groupOf = [&](size_t u) { return group[u] == u ? u : group[u] = groupOf(group[u]); };
    for (size_t u = 0; u < units.size(); ++u)
      if (!isDone[u])
        for (const auto &[symbol, definer] : result.definers[u])
          if (!isDone[definer])
            group[std::max(groupOf(u), groupOf(definer))] = std::min(groupOf(u), groupOf(definer));
    std::map<size_t, std::vector<size_t>> rest;
    for (size_t u = 0; u < units.size(); ++u)
      if (!isDone[u])
        rest[groupOf(u)].push_back(u);
    for (auto &[leader, members] : rest)
      add(reachedFrom(std::move(members)));
  }
};

} // namespace

Resolved busfare::skeleton::resolve(llvm::ArrayRef<UnitSymbols> units) { return Resolver(units).run(); }
