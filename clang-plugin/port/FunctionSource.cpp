//===- clang-plugin/port/FunctionSource.cpp - Where code can be put ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/FunctionSource.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace clang;

const Stmt *withoutDirective(const Stmt *stmt) {
  while (stmt) {
    if (const auto *directive = llvm::dyn_cast<OMPExecutableDirective>(stmt)) {
      if (!directive->hasAssociatedStmt()) return stmt;
      stmt = directive->getRawStmt();
    } else if (const auto *captured = llvm::dyn_cast<CapturedStmt>(stmt)) {
      stmt = captured->getCapturedStmt();
    } else if (const auto *canonical = llvm::dyn_cast<OMPCanonicalLoop>(stmt)) {
      stmt = canonical->getLoopStmt();
    } else if (const auto *attributed = llvm::dyn_cast<AttributedStmt>(stmt)) {
      stmt = attributed->getSubStmt();
    } else {
      return stmt;
    }
  }
  return stmt;
}

static bool isLoop(const Stmt *stmt) { return llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt); }

const Stmt *loopBodyOf(const Stmt *stmt) {
  if (const auto *loop = llvm::dyn_cast<ForStmt>(stmt)) return loop->getBody();
  if (const auto *loop = llvm::dyn_cast<WhileStmt>(stmt)) return loop->getBody();
  if (const auto *loop = llvm::dyn_cast<DoStmt>(stmt)) return loop->getBody();
  if (const auto *loop = llvm::dyn_cast<CXXForRangeStmt>(stmt)) return loop->getBody();
  return nullptr;
}

FunctionSource::FunctionSource(const FunctionDecl *function, ASTContext &context)
    : function(function), context(context) {
  const SourceManager &sources = context.getSourceManager();
  SourceLocation where = function->getBeginLoc();
  file = sources.getFileID(sources.getExpansionLoc(where));
  text = sources.getBufferData(file);
  begin = offsetOf(function->getOuterLocStart());
  end = endOf(function->getSourceRange());
  beginOutsideClasses = beginOutsideNamespaces = begin;
  for (const DeclContext *around = function->getLexicalDeclContext(); around && !around->isTranslationUnit();
       around = around->getLexicalParent()) {
    const auto *outer = llvm::dyn_cast<FunctionDecl>(around); // of a local class
    const auto *tag = llvm::dyn_cast<TagDecl>(around);
    beginOutsideNamespaces = offsetOf(outer ? outer->getOuterLocStart()
                                      : tag ? tag->getOuterLocStart()
                                            : llvm::cast<Decl>(around)->getBeginLoc());
    if (outer || tag) beginOutsideClasses = beginOutsideNamespaces;
  }
  if (file != sources.getMainFileID()) whyFixed = "it is defined in a header";
  else if (where.isMacroID() || function->getEndLoc().isMacroID()) whyFixed = "a macro defines it";
  else if (function->isTemplated() || function->isTemplateInstantiation()) whyFixed = "it is a template";
  if (const auto *body = llvm::dyn_cast_or_null<CompoundStmt>(function->getBody())) {
    Scope scope;
    scope.visible.assign(function->param_begin(), function->param_end());
    walkBlock(body, scope);
  }
}

unsigned FunctionSource::offsetOf(SourceLocation where) const {
  return context.getSourceManager().getFileOffset(context.getSourceManager().getExpansionLoc(where));
}

unsigned FunctionSource::endOf(SourceRange range) const {
  const SourceManager &sources = context.getSourceManager();
  CharSourceRange whole = sources.getExpansionRange(range);
  unsigned offset = sources.getFileOffset(whole.getEnd());
  return whole.isTokenRange() ? offset + Lexer::MeasureTokenLength(whole.getEnd(), sources, context.getLangOpts())
                              : offset;
}

unsigned FunctionSource::endOfStmt(const Stmt *stmt) const {
  stmt = withoutDirective(stmt);
  if (const auto *choice = llvm::dyn_cast<IfStmt>(stmt))
    return endOfStmt(choice->getElse() ? choice->getElse() : choice->getThen());
  if (const auto *choice = llvm::dyn_cast<SwitchStmt>(stmt)) return endOfStmt(choice->getBody());
  if (const auto *label = llvm::dyn_cast<SwitchCase>(stmt)) return endOfStmt(label->getSubStmt());
  if (const auto *label = llvm::dyn_cast<LabelStmt>(stmt)) return endOfStmt(label->getSubStmt());
  if (isLoop(stmt) && !llvm::isa<DoStmt>(stmt)) return endOfStmt(loopBodyOf(stmt));
  unsigned offset = endOf(stmt->getSourceRange());
  if (llvm::isa<CompoundStmt, CXXTryStmt>(stmt) || (offset > 0 && text[offset - 1] == ';')) return offset;
  // The semicolon is not the statement's own; only blanks and comments stand before it.
  for (unsigned at = offset; at < text.size();) {
    if (text[at] == ';') return at + 1;
    if (text.substr(at).starts_with("/*")) at = std::min<size_t>(text.find("*/", at), text.size() - 2) + 2;
    else if (text.substr(at).starts_with("//")) at = std::min<size_t>(text.find('\n', at), text.size());
    else if (isspace(static_cast<unsigned char>(text[at]))) ++at;
    else break;
  }
  return offset;
}

Spot &FunctionSource::add(const Stmt *stmt, const Scope &scope, bool inBlock, unsigned blockEnd) {
  Spot &spot = spots.emplace_back();
  spot.stmt = stmt;
  spot.inBlock = inBlock;
  spot.begin = offsetOf(stmt->getBeginLoc());
  if (llvm::isa<OMPExecutableDirective>(stmt)) // its location is that of the name behind `#pragma`
    spot.begin = text.rfind('#', spot.begin + 1);
  if (const Stmt *under = withoutDirective(stmt); isLoop(under))
    for (auto [from, to] : loopHintsAbove(offsetOf(under->getBeginLoc())))
      spot.begin = std::min(spot.begin, unsigned(text.find('#', from)));
  spot.end = endOfStmt(stmt);
  spot.loops = scope.loops;
  spot.visible = scope.visible;
  spot.parent = scope.parent;
  spot.blockEnd = blockEnd;
  byStmt[stmt] = &spot;
  byStmt[withoutDirective(stmt)] = &spot;
  return spot;
}

void FunctionSource::walkBlock(const CompoundStmt *block, Scope scope) {
  Spot *before = nullptr;
  unsigned blockEnd = offsetOf(block->getRBracLoc());
  for (const Stmt *child : block->body()) {
    size_t at = spots.size();
    walk(child, scope, true, blockEnd);
    if (spots.size() > at) {
      if (before) before->next = &spots[at];
      before = &spots[at];
    }
    if (const auto *declares = llvm::dyn_cast<DeclStmt>(child))
      for (const Decl *decl : declares->decls())
        if (const auto *variable = llvm::dyn_cast<VarDecl>(decl)) scope.visible.push_back(variable);
  }
}

bool FunctionSource::isElsewhere(SourceLocation where) const {
  const SourceManager &sources = context.getSourceManager();
  return where.isValid() && sources.getFileID(sources.getExpansionLoc(where)) != file;
}

bool FunctionSource::isPartlyElsewhere(const Stmt *stmt) const {
  return stmt && (isElsewhere(stmt->getBeginLoc()) || isElsewhere(stmt->getEndLoc()) ||
                  llvm::any_of(partsOf(stmt), [&](const Stmt *part) { return isPartlyElsewhere(part); }));
}

/// Those of an included file count as if they led anywhere, from where it is included.
void FunctionSource::noteJumpsElsewhere(const Stmt *stmt) {
  if (!stmt) return;
  if (llvm::isa<ReturnStmt, GotoStmt, IndirectGotoStmt, BreakStmt, ContinueStmt, CXXThrowExpr>(stmt)) {
    const SourceManager &sources = context.getSourceManager();
    FileID in = sources.getFileID(sources.getExpansionLoc(stmt->getBeginLoc()));
    std::pair<FileID, unsigned> from(in, 0);
    while (from.first != file && from.first.isValid()) from = sources.getDecomposedIncludedLoc(from.first);
    leaves.push_back({from.second, 0});
  }
  for (const Stmt *part : partsOf(stmt)) noteJumpsElsewhere(part);
}

void FunctionSource::walk(const Stmt *stmt, Scope scope, bool inBlock, unsigned blockEnd) {
  if (!stmt) return;
  if (isElsewhere(stmt->getBeginLoc()) || isElsewhere(stmt->getEndLoc())) return noteJumpsElsewhere(stmt);
  // A return from main ends the program: nobody misses anything then.
  bool endsProgram = llvm::isa<ReturnStmt>(stmt) && function->isMain();
  if (const auto *jump = llvm::dyn_cast<GotoStmt>(stmt))
    leaves.push_back({offsetOf(stmt->getBeginLoc()), offsetOf(jump->getLabel()->getLocation())});
  else if (llvm::isa<ReturnStmt, IndirectGotoStmt, CXXThrowExpr>(stmt) && !endsProgram)
    leaves.push_back({offsetOf(stmt->getBeginLoc()), 0});
  if (llvm::isa<BreakStmt, ContinueStmt>(stmt))
    leaves.push_back(
        {offsetOf(stmt->getBeginLoc()), llvm::isa<BreakStmt>(stmt) ? scope.breakHome : scope.continueHome});
  if (const auto *block = llvm::dyn_cast<CompoundStmt>(stmt); block && !inBlock) return walkBlock(block, scope);
  scope.parent = &add(stmt, scope, inBlock, blockEnd);
  walkInside(withoutDirective(stmt), scope);
}

void FunctionSource::walkInside(const Stmt *stmt, Scope scope) {
  if (const auto *block = llvm::dyn_cast<CompoundStmt>(stmt)) return walkBlock(block, scope);
  if (llvm::isa<Expr>(stmt)) return;
  auto declare = [&](const Stmt *init) {
    if (const auto *declares = llvm::dyn_cast_or_null<DeclStmt>(init))
      for (const Decl *decl : declares->decls())
        if (const auto *variable = llvm::dyn_cast<VarDecl>(decl)) scope.visible.push_back(variable);
  };
  if (isLoop(stmt)) {
    if (const auto *loop = llvm::dyn_cast<ForStmt>(stmt)) declare(loop->getInit());
    if (const auto *loop = llvm::dyn_cast<CXXForRangeStmt>(stmt)) declare(loop->getLoopVarStmt());
    scope.loops.push_back(stmt);
    scope.breakHome = scope.continueHome = offsetOf(stmt->getBeginLoc());
    return walk(loopBodyOf(stmt), scope, false, 0);
  }
  if (llvm::isa<SwitchStmt>(stmt)) scope.breakHome = offsetOf(stmt->getBeginLoc());
  // What stands before a label is jumped past: `case 2: printf(...)` is a place behind it.
  const Stmt *labelled = nullptr;
  if (const auto *label = llvm::dyn_cast<SwitchCase>(stmt)) labelled = label->getSubStmt();
  else if (const auto *label = llvm::dyn_cast<LabelStmt>(stmt)) labelled = label->getSubStmt();
  // So is what an `if` runs: `if (c) d[6] = 200;`.
  const auto *choice = llvm::dyn_cast<IfStmt>(stmt);
  auto isSide = [&](const Stmt *child) { return choice && (child == choice->getThen() || child == choice->getElse()); };
  for (const Stmt *child : partsOf(stmt))
    if (child && !llvm::isa<DeclStmt>(child) && (child == labelled || isSide(child) || !llvm::isa<Expr>(child)))
      walk(child, scope, false, 0);
}

const Spot *FunctionSource::spotOf(const Stmt *stmt) const {
  auto found = byStmt.find(stmt);
  return found == byStmt.end() ? nullptr : found->second;
}

std::optional<unsigned> FunctionSource::offsetAt(const skeleton::Location &location) const {
  const SourceManager &sources = context.getSourceManager();
  if (!location.isKnown() || sources.getFilename(sources.getLocForStartOfFile(file)) != location.file.str())
    return std::nullopt;
  return sources.getFileOffset(sources.translateLineCol(file, location.line, location.column));
}

const Spot *FunctionSource::spotAt(const skeleton::Location &location) const {
  std::optional<unsigned> offset = offsetAt(location);
  if (!offset) return nullptr;
  const Spot *innermost = nullptr;
  for (const Spot &spot : spots)
    if (spot.begin <= *offset && *offset < spot.end) innermost = &spot;
  return innermost;
}

std::pair<unsigned, unsigned> FunctionSource::rangeOf(const OMPExecutableDirective *directive) const {
  unsigned begin = text.rfind('#', offsetOf(directive->getBeginLoc()) + 1), end = begin;
  // Its line, and those that a backslash adds to it.
  while (end < text.size() && (text[end] != '\n' || text.take_front(end).rtrim('\r').ends_with("\\"))) ++end;
  unsigned under = offsetOf(withoutDirective(directive)->getBeginLoc());
  if (under >= end && text.slice(end, under).trim().empty()) {
    // What the statement is indented by beyond the directive stays.
    const size_t own = indentAt(begin).size(), below = isFirstOnLine(under) ? indentAt(under).size() : 0;
    return {begin, unsigned(under - (below > own ? below - own : 0))};
  }
  return {begin, end < text.size() ? end + 1 : end};
}

static bool isLoopHint(llvm::StringRef line) {
  if (!line.consume_front("#") || !(line = line.ltrim()).consume_front("pragma")) return false;
  line = line.ltrim();
  if (line.consume_front("GCC ") || line.consume_front("clang ")) line = line.ltrim();
  llvm::StringRef word = line.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  return llvm::is_contained(
      {"unroll", "nounroll", "unroll_and_jam", "nounroll_and_jam", "ivdep", "vector", "novector", "simd", "loop"},
      word);
}

std::vector<std::pair<unsigned, unsigned>> FunctionSource::loopHintsAbove(unsigned keyword) const {
  std::vector<std::pair<unsigned, unsigned>> hints;
  if (!isFirstOnLine(keyword)) return hints;
  for (unsigned line = keyword - unsigned(indentAt(keyword).size()); line > begin;) {
    const unsigned above = unsigned(text.take_front(line - 1).rfind('\n') + 1); // npos + 1 is the file's first byte
    llvm::StringRef words = text.slice(above, line - 1).trim();
    if (isLoopHint(words)) hints.push_back({above, line});
    else if (!words.empty() && !words.starts_with("//") && !words.starts_with("#pragma omp")) break;
    line = above;
  }
  return hints;
}

std::string FunctionSource::indentAt(unsigned offset) const {
  size_t line = text.rfind('\n', offset); // looks before offset
  line = line == llvm::StringRef::npos ? 0 : line + 1;
  if (offset < line) line = offset;
  return text.substr(line).take_while([](char c) { return c == ' ' || c == '\t'; }).str();
}

bool FunctionSource::isFirstOnLine(unsigned offset) const {
  while (offset > 0 && (text[offset - 1] == ' ' || text[offset - 1] == '\t')) --offset;
  return offset == 0 || text[offset - 1] == '\n';
}

bool FunctionSource::mayLeaveIn(unsigned from, unsigned to) const {
  return llvm::any_of(leaves, [&](const Jump &jump) {
    return from <= jump.at && jump.at < to && (jump.home < from || jump.home >= to);
  });
}

} // namespace busfare::frontend::port
