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
  for (const Import &import : unit.imports) symbols[import.name] = import.symbol;
  for (const Function &function : unit.functions) symbols[function.name] = symbolOf(function);
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
  while (i != llvm::sys::path::end(first) && j != llvm::sys::path::end(second) && *i == *j) ++i, ++j;
  return size_t(std::distance(i, llvm::sys::path::end(first)) + std::distance(j, llvm::sys::path::end(second)));
}

namespace {

class Resolver {
public:
  Resolver(llvm::ArrayRef<UnitSymbols> units, const LinkedBuild &build)
      : units(units), build(build), own(units.size()), used(units.size()) {
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
  const LinkedBuild &build;
  Resolved result;
  std::map<std::string, std::vector<size_t>> defined; ///< By symbol, units that others may take it from.
  std::vector<std::set<std::string>> own,
      used;       ///< By unit: what it defines, whoever sees it; what it calls, and uses without.
  std::vector<std::vector<size_t>> linked;            ///< By program of the build, its units.
  std::vector<std::vector<size_t>> librariesOf;       ///< By unit, those of the build that it lies in.

  void findDefiners() {
    for (size_t u = 0; u < units.size(); ++u) {
      for (const UnitSymbols::Function &function : units[u].functions) {
        own[u].insert(function.symbol);
        if (function.linkage != Linkage::Static && function.symbol != "main") defined[function.symbol].push_back(u);
      }
      for (const std::string &variable : units[u].variables) defined[variable].push_back(u);
    }
    for (size_t u = 0; u < units.size(); ++u) {
      used[u] = units[u].undefinedVariables;
      for (const UnitSymbols::Function &function : units[u].functions)
        used[u].insert(function.calls.begin(), function.calls.end());
      for (const std::string &symbol : own[u]) used[u].erase(symbol);
    }
    librariesOf.resize(units.size());
    for (size_t k = 0; k < build.libraries.size(); ++k)
      for (size_t unit : build.libraries[k]) librariesOf[unit].push_back(k);
    std::vector<bool> isLinked = linkPrograms();
    for (size_t u = 0; u < units.size(); ++u)
      if (!isLinked[u])
        for (const std::string &symbol : used[u])
          if (auto known = defined.find(symbol); known != defined.end())
            resolveOne(u, symbol, ofItsLibrary(u, known->second));
  }

  //===--- As the build links -----------------------------------------------===//

  /// Those that lie in an archive with the user; if none does, all.
  std::vector<size_t> ofItsLibrary(size_t user, const std::vector<size_t> &candidates) const {
    std::vector<size_t> near;
    for (size_t one : candidates)
      if (llvm::any_of(librariesOf[user],
                       [&](size_t library) { return llvm::is_contained(librariesOf[one], library); }))
        near.push_back(one);
    return near.empty() ? candidates : near;
  }

  bool isInline(size_t unit, const std::string &symbol) const {
    return llvm::any_of(units[unit].functions, [&](const UnitSymbols::Function &one) {
      return one.symbol == symbol && one.linkage == Linkage::Inline;
    });
  }

  /// What the units are to a program.
  struct Roles {
    std::vector<bool> isObject, isShared, isIn;
    std::vector<std::vector<size_t>> archives; ///< By unit, those of the program that it lies in.
  };
  Roles rolesIn(const LinkedProgram &program) const {
    Roles roles;
    for (std::vector<bool> *flags : {&roles.isObject, &roles.isShared, &roles.isIn}) flags->resize(units.size());
    roles.archives.resize(units.size());
    for (size_t one : program.objects) roles.isObject[one] = roles.isIn[one] = true;
    for (size_t one : program.shared) roles.isShared[one] = roles.isIn[one] = true;
    for (size_t k = 0; k < program.archives.size(); ++k)
      for (size_t one : program.archives[k]) roles.archives[one].push_back(k);
    return roles;
  }

  /// Which unit of the program gives the user the symbol: none, one, or several of which it may be any.
  std::vector<size_t> definersIn(const Roles &roles, size_t user, const std::string &symbol) const {
    auto known = defined.find(symbol);
    if (known == defined.end()) return {};
    const bool isShared = roles.isShared[user], isObject = roles.isObject[user];
    std::vector<size_t> all;
    std::map<size_t, std::vector<size_t>> members; ///< By archive, in the linker's order.
    for (size_t one : known->second) {
      if (roles.isObject[one]) all.push_back(one);
      for (size_t archive : roles.archives[one]) members[archive].push_back(one);
    }
    if (all.size() == 1 && !isShared) // a linker opens no archive for what it has
      return all;
    for (const auto &[archive, some] : members) {
      if (all.empty() && some.size() == 1 && isObject) // what the objects want comes from the first that has it
        return some;
      for (size_t one : some)
        if (!llvm::is_contained(all, one)) all.push_back(one);
    }
    if (all.empty() || isShared)
      for (size_t one : known->second)
        if (roles.isShared[one] && !llvm::is_contained(all, one)) all.push_back(one);
    if (!all.empty() && llvm::all_of(all, [&](size_t one) { return isInline(one, symbol); })) all.resize(1);
    return all;
  }

  /// What the units of the build's programs take from each other. By unit: is it in one?
  std::vector<bool> linkPrograms() {
    /// By unit and symbol, what its programs answer. A number of units stands for "none".
    std::vector<std::map<std::string, std::set<size_t>>> answers(units.size());
    std::vector<bool> isLinked(units.size());
    for (const LinkedProgram &program : build.programs) {
      Roles roles = rolesIn(program);
      std::vector<size_t> members;
      for (size_t u = 0; u < units.size(); ++u)
        if (roles.isIn[u]) members.push_back(u);
      for (size_t k = 0; k < members.size(); ++k) {
        const size_t unit = members[k];
        isLinked[unit] = true;
        for (const std::string &symbol : used[unit]) {
          std::vector<size_t> definers = definersIn(roles, unit, symbol);
          if (definers.empty()) definers.push_back(units.size());
          answers[unit][symbol].insert(definers.begin(), definers.end());
          for (size_t one : definers)
            if (definers.size() == 1 && one < units.size() && !roles.isIn[one]) {
              roles.isIn[one] = true;
              members.push_back(one);
            }
        }
      }
      llvm::sort(members);
      if (!members.empty() && !llvm::is_contained(linked, members)) // one program under two names is one
        linked.push_back(std::move(members));
    }
    for (size_t u = 0; u < units.size(); ++u)
      for (auto &[symbol, definers] : answers[u])
        // Programs may see other copies of one inline function.
        if (*definers.begin() < units.size() &&
            (definers.size() == 1 || llvm::all_of(definers, [&, &name = symbol](size_t one) {
               return one < units.size() && isInline(one, name);
             })))
          result.definers[u][symbol] = *definers.begin();
        else if (definers.size() > 1) {
          definers.erase(units.size());
          result.ambiguities.push_back({symbol, u, {definers.begin(), definers.end()}});
        }
    return isLinked;
  }

  //===--- By symbols -------------------------------------------------------===//

  void resolveOne(size_t user, const std::string &symbol, const std::vector<size_t> &candidates) {
    size_t nearest = SIZE_MAX;
    std::vector<size_t> best;
    for (size_t one : candidates) {
      size_t distance = foldersBetween(units[user].file, units[one].file);
      if (distance < nearest) best.clear();
      nearest = std::min(nearest, distance);
      if (distance == nearest) best.push_back(one);
    }
    // Copies of one inline function are all the same.
    if (best.size() == 1 || llvm::all_of(best, [&](size_t one) { return isInline(one, symbol); }))
      result.definers[user][symbol] = best.front();
    else result.ambiguities.push_back({symbol, user, best});
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
          if (auto to = definerOf(u, callee); to != numbers.end()) edges[first[u] + f].push_back(to->second);
    std::vector<size_t> component = componentsOf(edges);
    for (size_t u = 0; u < units.size(); ++u) {
      std::set<std::string> back;
      for (size_t f = 0; f < units[u].functions.size(); ++f)
        for (const std::string &callee : units[u].functions[f].calls)
          if (result.definers[u].count(callee)) {
            auto to = definerOf(u, callee);
            result.followed[u].insert(callee);
            if (to != numbers.end() && component[to->second] == component[first[u] + f]) back.insert(callee);
          }
      for (const std::string &callee : back) result.followed[u].erase(callee);
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
      if (order[start] != none) continue;
      std::vector<Visit> path{{start, 0}}; // no recursion: a call chain may be long
      while (!path.empty()) {
        auto &[node, next] = path.back();
        if (next == 0) {
          order[node] = low[node] = visited++;
          open.push_back(node);
        }
        if (next < edges[node].size()) {
          size_t to = edges[node][next++];
          if (order[to] == none) path.push_back({to, 0});
          else if (component[to] == none) low[node] = std::min(low[node], order[to]);
          continue;
        }
        size_t done = node;
        path.pop_back();
        if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[done]);
        if (low[done] != order[done]) continue;
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
        if (!units[definer].hasMain && !llvm::is_contained(reached, definer)) reached.push_back(definer);
    llvm::sort(reached);
    return reached;
  }

  void findPrograms() {
    std::vector<bool> isDone(units.size());
    auto add = [&](std::vector<size_t> program) {
      for (size_t u : program) isDone[u] = true;
      result.programs.push_back(std::move(program));
    };
    for (std::vector<size_t> &program : linked) add(std::move(program));
    for (size_t u = 0; u < units.size(); ++u)
      if (units[u].hasMain && !isDone[u]) add(reachedFrom({u}));
    // The rest: what hangs together, whichever calls the other.
    std::vector<size_t> group(units.size());
    for (size_t u = 0; u < units.size(); ++u) group[u] = u;
    std::function<size_t(size_t)> groupOf = [&](size_t u) { return group[u] == u ? u : group[u] = groupOf(group[u]); };
    for (size_t u = 0; u < units.size(); ++u)
      if (!isDone[u])
        for (const auto &[symbol, definer] : result.definers[u])
          if (!isDone[definer]) group[std::max(groupOf(u), groupOf(definer))] = std::min(groupOf(u), groupOf(definer));
    std::map<size_t, std::vector<size_t>> rest;
    for (size_t u = 0; u < units.size(); ++u)
      if (!isDone[u]) rest[groupOf(u)].push_back(u);
    for (auto &[leader, members] : rest) add(reachedFrom(std::move(members)));
  }
};

} // namespace

Resolved busfare::skeleton::resolve(llvm::ArrayRef<UnitSymbols> units, const LinkedBuild &build) {
  return Resolver(units, build).run();
}

LinkedBuild busfare::skeleton::moved(const LinkedBuild &build, llvm::ArrayRef<std::optional<size_t>> places) {
  auto those = [&](llvm::ArrayRef<size_t> units) {
    std::vector<size_t> result;
    for (size_t one : units)
      if (places[one]) result.push_back(*places[one]);
    return result;
  };
  LinkedBuild result;
  for (const LinkedProgram &program : build.programs) {
    LinkedProgram one{those(program.objects), {}, those(program.shared)};
    for (const std::vector<size_t> &archive : program.archives) one.archives.push_back(those(archive));
    result.programs.push_back(std::move(one));
  }
  for (const std::vector<size_t> &library : build.libraries) result.libraries.push_back(those(library));
  return result;
}
