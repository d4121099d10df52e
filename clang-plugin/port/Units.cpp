//===- clang-plugin/port/Units.cpp - The units of a program, open --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Units.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"

namespace busfare::frontend::port {
using namespace skeleton;

namespace {

/// One function's names.
class Renamer {
public:
  Renamer(const Function &function, const LinkedNames &names) : names(names) {
    for (const Array &array : function.arrays) own.insert(array.name);
    for (const Parameter &parameter : function.parameters) own.insert(parameter.name);
  }

  FunctionPoints rename(const FunctionPoints &points) const {
    FunctionPoints result;
    result.function = points.function;
    for (const auto &[name, decl] : points.variables) result.variables.emplace(renamed(name), decl);
    for (const auto &[stmt, facts] : points.before) result.before.emplace(stmt, rename(facts));
    for (const auto &[stmt, facts] : points.after) result.after.emplace(stmt, rename(facts));
    return result;
  }

private:
  const LinkedNames &names;
  std::set<std::string> own; ///< Names that hide globals.

  std::string renamed(const std::string &name) const {
    auto found = own.count(name) ? names.globals.end() : names.globals.find(name);
    return found == names.globals.end() ? name : found->second;
  }

  PointFacts rename(const PointFacts &facts) const {
    PointFacts result;
    for (const auto &[name, value] : facts.integers)
      result.integers.emplace(renamed(name), value.substitute(names.constants));
    for (const auto &[name, at] : facts.pointers) {
      PointedAt pointed{renamed(at.object), at.index};
      if (!own.count(at.object) && names.otherwise.count(pointed.object)) continue;
      for (std::optional<Expr> &index : pointed.index)
        if (index) index = index->substitute(names.constants);
      result.pointers.emplace(renamed(name), std::move(pointed));
    }
    return result;
  }
};

} // namespace

UnitPoints inProgramNames(const Program &unit, const UnitPoints &points, const LinkedNames &names) {
  UnitPoints result;
  for (const auto &[name, facts] : points) {
    const Function *function = findFunction(unit, name);
    if (!function || names.dropped.count(name)) continue;
    auto renamed = names.functions.find(name);
    result.emplace(renamed == names.functions.end() ? name : renamed->second, Renamer(*function, names).rename(facts));
  }
  return result;
}

llvm::StringRef textOf(const ProgramUnit &unit) {
  const clang::SourceManager &sources = unit.context->getSourceManager();
  return sources.getBufferData(sources.getMainFileID());
}

} // namespace busfare::frontend::port
