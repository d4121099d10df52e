//===- clang-plugin/port/Order.cpp - Loops that run in another order -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Order.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/Located.h"
#include "clang-plugin/port/HostDirectives.h"
#include "clang-plugin/port/OrderLoop.h"
#include "clang-plugin/port/OwnTargets.h"
#include "skeleton/Visit.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace busfare::frontend::port {
using namespace clang;
using skeleton::Location;

namespace {

/// Loops of the source by the place of their keyword.
using Occurrences = std::map<Location, std::vector<Occurrence>>;

class UnitOrderer {
public:
  UnitOrderer(const skeleton::Program &program, const Occurrences &occurrences, ASTContext &context,
              std::vector<skeleton::Finding> &findings)
      : program(program), occurrences(occurrences), context(context), findings(findings) {}

  std::vector<Edit> edits;
  unsigned loops = 0;      ///< That were reordered.
  bool hasThreads = false;   ///< Some code is left to several threads.
  bool reordersSums = false;

  void order(const FunctionSource &source, const FunctionPoints &points);

private:
  const skeleton::Program &program;
  const Occurrences &occurrences;
  ASTContext &context;
  std::vector<skeleton::Finding> &findings;
  std::set<SourceLocation> seen;

  Location locate(SourceLocation where) const;
  void removeDirectives(const FunctionSource &source, const Stmt *stmt);
  void orderLoop(const FunctionSource &source, const FunctionPoints &points, const Spot &spot);
};

} // namespace

/// As the skeleton has it.
Location UnitOrderer::locate(SourceLocation where) const { return locationOf(where, context.getSourceManager()); }

/// The directives that begin the statement, to the end of their lines.
void UnitOrderer::removeDirectives(const FunctionSource &source, const Stmt *stmt) {
  while (const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt)) {
    if (!directive->getBeginLoc().isMacroID()) {
      size_t begin = source.text.rfind('#', source.offsetOf(directive->getBeginLoc()) + 1);
      size_t end = source.text.find('\n', begin);
      while (end != llvm::StringRef::npos && source.text.slice(begin, end).rtrim("\r").ends_with("\\"))
        end = source.text.find('\n', end + 1);
      edits.push_back({unsigned(begin), unsigned(std::min(end, source.text.size()) - begin), ""});
      for (const auto *clause :
           directive->getClausesOfKind<OMPReductionClause>()) // the original's threads add in another order
        reordersSums |= llvm::any_of(clause->varlists(),
                                     [](const Expr *sum) { return !sum->getType()->isIntegralOrEnumerationType(); });
    }
    stmt = directive->hasAssociatedStmt() ? directive->getRawStmt() : nullptr;
    while (stmt && !llvm::isa<OMPExecutableDirective>(stmt))
      if (const auto *captured = llvm::dyn_cast<CapturedStmt>(stmt)) stmt = captured->getCapturedStmt();
      else stmt = nullptr;
  }
}

static SourceLocation keywordOf(const Stmt *stmt) {
  if (const auto *loop = llvm::dyn_cast<ForStmt>(stmt)) return loop->getForLoc();
  if (const auto *loop = llvm::dyn_cast<WhileStmt>(stmt)) return loop->getWhileLoc();
  if (const auto *loop = llvm::dyn_cast<DoStmt>(stmt)) return loop->getDoLoc();
  if (const auto *loop = llvm::dyn_cast<CXXForRangeStmt>(stmt)) return loop->getForLoc();
  return {};
}

void UnitOrderer::orderLoop(const FunctionSource &source, const FunctionPoints &points, const Spot &spot) {
  SourceLocation keyword = keywordOf(withoutDirective(spot.stmt));
  if (keyword.isInvalid() || !seen.insert(keyword).second || source.isPartlyElsewhere(spot.stmt)) return;
  Location location = locate(keyword);
  auto found = occurrences.find(location);
  if (found == occurrences.end() ||
      llvm::any_of(found->second, [](const Occurrence &one) { return !one.verdict || !one.verdict->parallel; }))
    return;
  llvm::Expected<std::vector<Edit>> changes = reorder({program, source, points, spot, found->second, loops + 1});
  if (changes) {
    ++loops;
    for (const Occurrence &one : found->second)
      reordersSums |= llvm::any_of(one.verdict->needs, [&](const brs::Need &need) {
        const skeleton::Array *array =
            need.kind == brs::Need::Kind::Reduction ? one.root->arrays.find(need.name) : nullptr;
        return array && array->type.kind == skeleton::ElementType::Kind::Float;
      });
    llvm::append_range(edits, *changes);
    return;
  }
  findings.push_back(
      {skeleton::Rule::NotPorted, skeleton::Level::Remark, location,
       "this loop is called parallel, but is not tried in another order: " + llvm::toString(changes.takeError())});
}

static bool isForThreads(const Spot &spot) {
  const auto *directive = llvm::dyn_cast<OMPExecutableDirective>(spot.stmt);
  return directive && !llvm::isa<OMPLoopDirective>(directive) &&
         (isOpenMPParallelDirective(directive->getDirectiveKind()) ||
          isOpenMPTeamsDirective(directive->getDirectiveKind())) &&
         asksWhoRunsIt(withoutDirective(directive));
}

void UnitOrderer::order(const FunctionSource &source, const FunctionPoints &points) {
  // Inner loops first: what ends them stands before what ends the outer ones.
  for (const Spot &spot : llvm::reverse(source.spots)) {
    bool staysForThreads = false;
    for (const Spot *around = &spot; around; around = around->parent) staysForThreads |= isForThreads(*around);
    hasThreads |= staysForThreads;
    if (staysForThreads) continue;
    if (source.whyFixed.empty()) removeDirectives(source, spot.stmt);
    orderLoop(source, points, spot);
  }
}

static Occurrences occurrencesIn(llvm::ArrayRef<const projection::Root *> roots) {
  Occurrences result;
  for (const projection::Root *root : roots)
    skeleton::forEachNode(root->function.body, [&](const skeleton::Node &node) {
      if (const auto *loop = std::get_if<skeleton::Loop>(&node.kind))
        result[loop->location].push_back({root, node.path, root->dependence.find(*loop)});
    });
  return result;
}

static Edit prototypes(llvm::StringRef text, const LangOptions &language) {
  std::string lines = "long busfare_order(long, long);\nvoid busfare_poison(void *, unsigned long);\n";
  if (language.CPlusPlus) lines = "extern \"C\" {\n" + lines + "}\n";
  // What the program says of its own lines stays true.
  return {text.starts_with("\xef\xbb\xbf") ? 3u : 0u, 0, lines + "#line 1\n"};
}

OrderedUnit orderUnit(const skeleton::Program &program, llvm::ArrayRef<const projection::Root *> roots,
                      const UnitPoints &points, ASTContext &context, std::vector<skeleton::Finding> &findings) {
  Occurrences occurrences = occurrencesIn(roots);
  UnitOrderer orderer(program, occurrences, context, findings);
  for (const auto &[name, facts] : points)
    if (facts.function && facts.function->hasBody()) orderer.order(FunctionSource(facts.function, context), facts);
  const SourceManager &sources = context.getSourceManager();
  if (orderer.loops > 0)
    orderer.edits.push_back(prototypes(sources.getBufferData(sources.getMainFileID()), context.getLangOpts()));
  return {inOrder(std::move(orderer.edits)), orderer.hasThreads, orderer.reordersSums};
}

} // namespace busfare::frontend::port
