//===- skeleton/Hints.cpp - What the user says of loops and functions -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which findings an ignore(...) speaks of is a matter of places: a finding belongs
// to the loop or function in whose lines it stands, whoever found it and through
// whichever calls.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Hints.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <tuple>

using namespace busfare::skeleton;

void busfare::skeleton::add(Hints &hints, const Hints &more) {
  auto addTo = [](auto &to, const auto &from) {
    for (const auto &each : from)
      if (!llvm::is_contained(to, each)) to.push_back(each);
  };
  hints.independent |= more.independent;
  addTo(hints.temporaries, more.temporaries);
  addTo(hints.noalias, more.noalias);
  addTo(hints.sizes, more.sizes);
  addTo(hints.ranges, more.ranges);
  addTo(hints.ignoredRules, more.ignoredRules);
}

namespace {

/// Where findings of these rules are not wanted.
struct Scope {
  Location first, last;
  const std::vector<std::string> *rules = nullptr;

  bool holds(const Finding &finding) const {
    const Location &at = finding.location;
    return at.file == first.file && std::tie(first.line, first.column) <= std::tie(at.line, at.column) &&
           std::tie(at.line, at.column) <= std::tie(last.line, last.column) &&
           llvm::is_contained(*rules, ruleId(finding.rule));
  }
};

Scope scopeOf(const Location &first, const Block &body, const Hints &hints) {
  Scope scope{first, first, &hints.ignoredRules};
  auto reach = [&](const Location &location) {
    if (location.file == first.file &&
        std::tie(location.line, location.column) > std::tie(scope.last.line, scope.last.column))
      scope.last = location;
  };
  forEachNode(body, [&](const Node &node) { reach(locationOf(node)); });
  if (hints.lastLine) scope.last = {first.file, hints.lastLine, UINT32_MAX};
  return scope;
}

std::vector<Scope> scopesOf(const Program &program) {
  std::vector<Scope> scopes;
  for (const Function &function : program.functions) {
    if (!function.hints.ignoredRules.empty())
      scopes.push_back(scopeOf(function.location, function.body, function.hints));
    forEachNode(function.body, [&](const Node &node) {
      auto *loop = std::get_if<Loop>(&node.kind);
      if (loop && loop->hints && !loop->hints->ignoredRules.empty())
        scopes.push_back(scopeOf(loop->location, loop->body, *loop->hints));
    });
  }
  return scopes;
}

bool isAboutHints(Rule rule) {
  return rule == Rule::HintMalformed || rule == Rule::HintUnused || rule == Rule::HintRefuted ||
         rule == Rule::HintTaken;
}

} // namespace

std::vector<Finding> busfare::skeleton::takeIgnored(const Program &program, std::vector<Finding> &findings) {
  std::vector<Scope> scopes = scopesOf(program);
  std::vector<Finding> taken;
  if (scopes.empty()) return taken;
  llvm::erase_if(findings, [&](const Finding &finding) {
    bool isIgnored =
        !isAboutHints(finding.rule) && llvm::any_of(scopes, [&](const Scope &scope) { return scope.holds(finding); });
    if (isIgnored) taken.push_back(finding);
    return isIgnored;
  });
  return taken;
}

namespace {

class NameChecker {
public:
  NameChecker(const Program &program, const Function &function) : program(program), function(function) {
    for (const Parameter &parameter : function.parameters)
      if (parameter.kind == Parameter::Kind::Value) symbols.insert(parameter.name);
    for (const Constant &constant : program.constants) symbols.insert(constant.symbol);
    forEachNode(function.body, [&](const Node &node) {
      if (auto *define = std::get_if<Define>(&node.kind)) symbols.insert(define->symbol);
    });
  }

  std::vector<Finding> run() {
    check(function.hints, function.location, "function");
    forEachNode(function.body, [&](const Node &node) {
      if (auto *loop = std::get_if<Loop>(&node.kind); loop && loop->hints) check(*loop->hints, loop->location, "loop");
    });
    return std::move(findings);
  }

private:
  const Program &program;
  const Function &function;
  std::set<std::string> symbols;
  std::vector<Finding> findings;

  void check(const Hints &hints, const Location &otherwise, const std::string &what) {
    auto complain = [&](const std::string &message) {
      findings.push_back({Rule::HintUnused, Level::Warning, hints.location.isKnown() ? hints.location : otherwise,
                          message + "; the hint changes nothing"});
    };
    auto array = [&](const std::string &name, const char *word) {
      if (!findArray(program, function, name))
        complain(std::string(word) + " names '" + name + "', which is no array that " + function.name + " touches");
    };
    for (const std::string &name : hints.temporaries) array(name, "temporary");
    for (const std::vector<std::string> &group : hints.noalias)
      for (const std::string &name : group) array(name, "noalias");
    for (const auto &[name, low, high] : hints.ranges) array(name, "range");
    for (const auto &[name, value] : hints.sizes)
      if (!symbols.count(name)) complain("size names '" + name + "', which is no open size of " + function.name);
    if (hints.independent && what == "function")
      complain("independent speaks of a loop, and stands on the function " + function.name);
  }
};

} // namespace

std::vector<Finding> busfare::skeleton::checkHintNames(const Program &program) {
  std::vector<Finding> findings;
  for (const Function &function : program.functions)
    for (Finding &finding : NameChecker(program, function).run()) findings.push_back(std::move(finding));
  return findings;
}
