//===- clang-plugin/port/MarkedLoops.cpp - Loops the program itself offloads -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/MarkedLoops.h"
#include "brs/Kernels.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/Located.h"
#include "projection/Describe.h"
#include "skeleton/Visit.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

namespace {

/// Of a function: where a target construct begins and ends.
struct Span {
  std::string function;
  std::pair<unsigned, unsigned> first, last; ///< Line and column.
};

std::pair<unsigned, unsigned> placeOf(clang::SourceLocation location, const clang::SourceManager &sources) {
  const skeleton::Location at = locationOf(location, sources);
  return {at.line, at.column};
}

void findTargets(const clang::Stmt *stmt, const std::string &function, const clang::SourceManager &sources,
                 std::vector<Span> &found) {
  if (!stmt) return;
  const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt);
  if (directive && directive->hasAssociatedStmt() &&
      clang::isOpenMPTargetExecutionDirective(directive->getDirectiveKind())) {
    const clang::Stmt *held = directive->getRawStmt();
    while (true) // a directive ends where its line does
      if (const auto *inner = llvm::dyn_cast<clang::OMPExecutableDirective>(held); inner && inner->hasAssociatedStmt())
        held = inner->getRawStmt();
      else if (const auto *captured = llvm::dyn_cast<clang::CapturedStmt>(held)) held = captured->getCapturedStmt();
      else break;
    found.push_back({function, placeOf(held->getBeginLoc(), sources), placeOf(held->getEndLoc(), sources)});
    return;
  }
  for (const clang::Stmt *part : partsOf(stmt)) findTargets(part, function, sources, found);
}

} // namespace

brs::KernelLoops unmarkedLoops(const projection::Root &root, llvm::ArrayRef<ProgramUnit> units) {
  std::vector<Span> targets;
  for (const ProgramUnit &unit : units)
    for (const auto &[name, facts] : unit.points)
      if (facts.function) findTargets(facts.function->getBody(), name, unit.context->getSourceManager(), targets);
  auto isHeld = [&](const std::string &function, const Location &location) {
    const std::pair<unsigned, unsigned> at{location.line, location.column};
    return llvm::any_of(
        targets, [&](const Span &span) { return span.function == function && span.first <= at && at <= span.last; });
  };
  brs::KernelLoops unmarked;
  forEachNode(root.function.body, [&](const Node &node) {
    const auto *loop = std::get_if<Loop>(&node.kind);
    if (!loop) return;
    Location location = loop->location;
    unsigned path = node.path;
    bool isMarked = isHeld(root.paths[path].function, location);
    for (; path && !isMarked; path = root.paths[path].caller)
      isMarked = isHeld(root.paths[root.paths[path].caller].function, root.paths[path].call);
    if (!isMarked) unmarked.insert(loop);
  });
  return unmarked;
}

std::vector<Finding> whyNoKernels(const Program &program, const projection::Root &root,
                                  const brs::KernelLoops &unmarked) {
  std::set<const Loop *> kernels;
  for (const brs::Region &region : root.transfers.regions)
    for (const brs::Kernel &kernel : region.kernels) kernels.insert(kernel.loop);
  std::vector<Finding> findings;
  std::function<void(const Block &)> walk = [&](const Block &block) {
    for (const Node &node : block) {
      if (const auto *branch = std::get_if<Branch>(&node.kind)) walk(branch->then), walk(branch->otherwise);
      const auto *loop = std::get_if<Loop>(&node.kind);
      if (!loop) continue;
      if (unmarked.count(loop)) {
        walk(loop->body);
        continue;
      }
      if (kernels.count(loop) ||
          llvm::any_of(findings, [&](const Finding &one) { return one.location == loop->location; }))
        continue;
      const brs::LoopVerdict *verdict = root.dependence.find(*loop);
      const std::string host = brs::whyHostOnly(program, root.function, *loop);
      const std::string why = !host.empty() ? "only the host can run " + projection::withoutPaths(host)
                              : verdict && !verdict->parallel ? "not parallel: " + verdict->reason
                                                              : "";
      if (!why.empty())
        findings.push_back({Rule::NotPorted, Level::Warning, loop->location, "this loop stays on the host: " + why});
    }
  };
  walk(root.function.body);
  return findings;
}

} // namespace busfare::frontend::port
