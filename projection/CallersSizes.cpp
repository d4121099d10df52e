//===- projection/CallersSizes.cpp - Sizes that every caller knows --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/CallersSizes.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <vector>

namespace busfare::projection {
using namespace skeleton;

namespace {

bool isSized(const Array &array) {
  return llvm::all_of(array.extents, [](const std::optional<Expr> &extent) { return extent.has_value(); });
}

/// A call, and the function it stands in.
struct CallSite {
  const Function *caller;
  const Call *call;
};

/// Is the size of what the call gives known there? Of a caller's own parameter it is if it is among the `known`.
bool isSizedAt(const Program &program, const CallSite &site, size_t position, const CallersSizes &known) {
  const auto *given =
      position < site.call->arguments.size() ? std::get_if<ArrayArgument>(&site.call->arguments[position]) : nullptr;
  if (!given || given->array.empty() || !given->row.empty()) // of a row nobody says it
    return false;
  auto isKnown = [&](const std::string &name) {
    const Array *array = findArray(program, *site.caller, name);
    return array && array->storage != Storage::Alias &&
           (array->isSized || isSized(*array) || known.count({site.caller->name, name}));
  };
  const Array *array = findArray(program, *site.caller, given->array);
  if (array && array->storage == Storage::Alias) return !array->mayBe.empty() && llvm::all_of(array->mayBe, isKnown);
  return isKnown(given->array);
}

/// Does the function put memory of unknown size behind the name?
bool isReplaced(const Function &function, const std::string &name) {
  bool found = false;
  forEachNode(function.body, [&](const Node &node) {
    if (auto *allocate = std::get_if<Allocate>(&node.kind))
      found |= allocate->array == name &&
               !llvm::all_of(allocate->extents, [](const auto &extent) { return extent.has_value(); });
  });
  return found;
}

using CallSites = std::map<std::string, std::vector<CallSite>>;

/// Functions that calls lead to from main, or else from those that others may call.
std::set<std::string> reachedIn(const Program &program, const CallSites &sites, bool hasMain) {
  std::set<std::string> reached;
  for (const Function &function : program.functions)
    if (hasMain ? function.name == "main" : function.linkage != Linkage::Static || !sites.count(function.name))
      reached.insert(function.name);
  for (size_t before = 0; before < reached.size();) {
    before = reached.size();
    for (const auto &[callee, from] : sites)
      if (llvm::any_of(from, [&](const CallSite &site) { return reached.count(site.caller->name) != 0; }))
        reached.insert(callee);
  }
  return reached;
}

} // namespace

CallersSizes callersSizes(const Program &program) {
  CallSites sites;
  bool hasMain = false;
  for (const Function &function : program.functions) {
    hasMain |= function.name == "main";
    forEachNode(function.body, [&](const Node &node) {
      if (auto *call = std::get_if<Call>(&node.kind)) sites[call->callee].push_back({&function, call});
    });
  }
  // All that may be, less what some call does not know, until nothing changes.
  CallersSizes known;
  std::map<std::pair<std::string, std::string>, size_t> positions;
  const std::set<std::string> reached = reachedIn(program, sites, hasMain);
  for (const Function &function : program.functions) {
    if (!sites.count(function.name) || !reached.count(function.name) ||
        (!hasMain && function.linkage != Linkage::Static))
      continue;
    for (size_t k = 0; k < function.parameters.size(); ++k) {
      const Parameter &parameter = function.parameters[k];
      const Array *array =
          parameter.kind == Parameter::Kind::Array ? findArray(program, function, parameter.name) : nullptr;
      if (array && !isSized(*array) && array->storage != Storage::Alias && !isReplaced(function, array->name)) {
        known.insert({function.name, array->name});
        positions[{function.name, array->name}] = k;
      }
    }
  }
  for (size_t before = known.size() + 1; known.size() < before;) {
    before = known.size();
    std::erase_if(known, [&](const std::pair<std::string, std::string> &one) {
      return !llvm::all_of(sites[one.first],
                           [&](const CallSite &site) { return isSizedAt(program, site, positions[one], known); });
    });
  }
  return known;
}

} // namespace busfare::projection
