//===- clang-plugin/hints/HintTable.cpp - Hints of a unit, and what they stand at -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "HintTable.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace busfare::frontend {

using skeleton::Finding;
using skeleton::Level;
using skeleton::Rule;

/// What the preprocessor saw, read when the unit is parsed.
class HintTable::Listener : public clang::CommentHandler {
public:
  struct Seen {
    clang::SourceRange range; ///< [begin, end) of the comment, or the pragma's name and its last token's end.
    bool isPragma = false;
    std::string spelled; ///< Of a _Pragma, whose words stand in a string.
  };
  std::vector<Seen> seen;

  bool HandleComment(clang::Preprocessor &preprocessor, clang::SourceRange comment) override {
    const clang::SourceManager &sources = preprocessor.getSourceManager();
    bool invalid = false;
    const char *text = sources.getCharacterData(comment.getBegin(), &invalid);
    if (invalid) return false;
    unsigned length = sources.getFileOffset(comment.getEnd()) - sources.getFileOffset(comment.getBegin());
    if (wordsIn(StringRef(text, length)) != StringRef::npos && !sources.isInSystemHeader(comment.getBegin()))
      seen.push_back({comment, false, ""});
    return false;
  }

  /// Where the words of a comment begin; npos: it is no hint.
  static size_t wordsIn(StringRef comment) {
    StringRef rest = comment.ltrim("/*!<").ltrim();
    if (!rest.consume_front("busfare")) return StringRef::npos;
    rest = rest.ltrim(" \t");
    return rest.consume_front(":") ? comment.size() - rest.size() : StringRef::npos;
  }
};

namespace {

/// `#pragma busfare WORDS`. Registered, so no compiler run by us warns of it.
template <class Seen> class PragmaListener : public clang::PragmaHandler {
public:
  explicit PragmaListener(std::vector<Seen> &seen) : PragmaHandler("busfare"), seen(seen) {}

  void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token &name) override {
    Seen one{{name.getLocation(), name.getEndLoc()}, true, ""};
    clang::Token token;
    for (preprocessor.LexUnexpandedToken(token); token.isNot(clang::tok::eod); preprocessor.LexUnexpandedToken(token)) {
      one.spelled += (token.hasLeadingSpace() ? " " : "") + preprocessor.getSpelling(token);
      one.range.setEnd(token.getEndLoc());
    }
    if (introducer.Kind == clang::PIK_HashPragma) one.spelled.clear();
    else if (one.spelled.empty()) one.spelled = " ";
    if (!preprocessor.getSourceManager().isInSystemHeader(name.getLocation())) seen.push_back(std::move(one));
  }

private:
  std::vector<Seen> &seen;
};

} // namespace

HintTable::HintTable() : listener(std::make_unique<Listener>()) {}
HintTable::~HintTable() = default;

void HintTable::listen(clang::Preprocessor &preprocessor) {
  preprocessor.addCommentHandler(listener.get());
  preprocessor.AddPragmaHandler(new PragmaListener<Listener::Seen>(listener->seen)); // the preprocessor owns it
}

void HintTable::readFile(StringRef mainFile, llvm::vfs::FileSystem &files) {
  auto [name, text] = findHintFile(mainFile, files);
  if (name.empty()) return;
  for (HintLine &line : parseHintFile(text, name)) {
    SourceHint hint;
    hint.place = std::move(line.place);
    add(std::move(line.read), std::move(hint));
  }
}

void HintTable::add(skeleton::HintsRead read, SourceHint hint) {
  if (read.complaint.isKnown()) {
    malformed.push_back({Rule::HintMalformed, Level::Error, read.complaint,
                         "this hint cannot be read, so it is not taken: " + read.why});
    return;
  }
  hint.words = std::move(read.hints);
  hasRanges |= !hint.words.ranges.empty();
  hints.push_back(std::move(hint));
}

unsigned HintTable::lineOf(clang::FileID file, unsigned offset) const { return sources->getLineNumber(file, offset); }

void HintTable::settle(const clang::SourceManager &from, const clang::LangOptions &options) {
  sources = &from;
  language = &options;
  for (const Listener::Seen &one : listener->seen) {
    clang::SourceLocation begin = sources->getExpansionLoc(one.range.getBegin());
    clang::FileID file = sources->getFileID(begin);
    unsigned offset = sources->getFileOffset(begin);
    if (!one.spelled.empty()) { // its words stand in a string, or in a macro
      SourceHint hint;
      hint.file = file;
      hint.begin = hint.next = offset;
      skeleton::HintsRead read = skeleton::parseHints(one.spelled, "", 0, one.spelled.size());
      skeleton::Location place{sources->getFilename(begin).str(), lineOf(file, offset),
                               sources->getColumnNumber(file, offset)};
      if (read.complaint.isKnown()) read.complaint = place;
      read.hints.location = place;
      add(std::move(read), std::move(hint));
      continue;
    }
    unsigned end = sources->getFileOffset(sources->getExpansionLoc(one.range.getEnd()));
    StringRef text = sources->getBufferData(file);
    unsigned words = offset + 7, wordsEnd = end; // behind `busfare`
    if (!one.isPragma) {
      words = offset + unsigned(Listener::wordsIn(text.slice(offset, end)));
      if (text.substr(offset).starts_with("/*")) wordsEnd = end - 2;
    }
    add(file, offset, words, wordsEnd, end, one.isPragma);
  }
}

/// The next code behind offset: neither comments nor preprocessor lines.
static unsigned nextCode(StringRef text, unsigned offset, clang::SourceLocation start,
                         const clang::LangOptions &language) {
  clang::Lexer lexer(start, language, text.begin(), text.begin() + offset, text.end());
  clang::Token token;
  bool isEnd = lexer.LexFromRawLexer(token);
  while (!isEnd && token.is(clang::tok::hash) && token.isAtStartOfLine()) do
      isEnd = lexer.LexFromRawLexer(token);
    while (!isEnd && !token.isAtStartOfLine());
  return token.getLocation().getRawEncoding() - start.getRawEncoding();
}

void HintTable::add(clang::FileID file, unsigned begin, unsigned wordsBegin, unsigned wordsEnd, unsigned end,
                    bool isPragma) {
  StringRef text = sources->getBufferData(file);
  std::string name = sources->getFilename(sources->getLocForStartOfFile(file)).str();
  skeleton::HintsRead read = skeleton::parseHints(text, name, wordsBegin, wordsEnd);
  read.hints.location = {name, lineOf(file, begin), sources->getColumnNumber(file, begin)};
  SourceHint hint;
  hint.file = file;
  hint.begin = begin;
  // The line up to here, lines that continue in it included.
  size_t line = begin;
  while (line > 0) {
    line = text.rfind('\n', line); // before that
    if (line == StringRef::npos) line = 0;
    if (line == 0 || text[line - 1] != '\\') break;
  }
  StringRef before = text.slice(line, begin).trim();
  if (!isPragma && before.consume_front("#") && before.ltrim().starts_with("define")) {
    malformed.push_back({Rule::HintUnused, Level::Warning, read.hints.location,
                         "this hint stands in a macro, where it belongs to no loop; it is not taken"});
    return;
  }
  bool isDirective = isPragma || StringRef(text.slice(line, begin)).trim().starts_with("#");
  unsigned from = isPragma ? unsigned(std::min(text.find('\n', end), text.size())) : end;
  unsigned next = nextCode(text, from, sources->getLocForStartOfFile(file), *language);
  bool isCodeBehind = next < text.size() && lineOf(file, next) == lineOf(file, end);
  hint.isTrailing = !isDirective && !before.empty() && !isCodeBehind;
  hint.next = hint.isTrailing ? begin : next;
  add(std::move(read), std::move(hint));
}

/// Is nothing between the hint and this that ends or begins a statement?
bool HintTable::isBefore(const SourceHint &hint, clang::FileID file, unsigned offset) const {
  if (hint.isTrailing || hint.file != file || hint.next > offset) return false;
  StringRef text = sources->getBufferData(file);
  return hint.next == offset || text.slice(hint.next, offset).find_first_of(";{}") == StringRef::npos;
}

std::vector<SourceHint *> HintTable::claim(unsigned owner, llvm::function_ref<bool(const SourceHint &)> isMeant) {
  std::vector<SourceHint *> found;
  for (SourceHint &hint : hints)
    if ((!hint.owner || *hint.owner == owner) && isMeant(hint)) {
      hint.owner = owner;
      found.push_back(&hint);
    }
  return found;
}

bool HintTable::isIn(StringRef wanted, clang::FileID file) const {
  return wanted.empty() || isEndOfPath(wanted, sources->getFilename(sources->getLocForStartOfFile(file)));
}

static bool isNamed(const clang::FunctionDecl *function, StringRef name) {
  return function->getQualifiedNameAsString() == name || function->getNameAsString() == name;
}

static const clang::VarDecl *indexOf(const clang::Stmt *stmt) {
  if (const auto *range = llvm::dyn_cast<clang::CXXForRangeStmt>(stmt)) return range->getLoopVariable();
  const auto *counted = llvm::dyn_cast<clang::ForStmt>(stmt);
  const clang::Stmt *init = counted ? counted->getInit() : nullptr;
  if (const auto *declared = llvm::dyn_cast_or_null<clang::DeclStmt>(init))
    return declared->decls().empty() ? nullptr : llvm::dyn_cast<clang::VarDecl>(*declared->decl_begin());
  const auto *set = llvm::dyn_cast_or_null<clang::BinaryOperator>(init);
  const auto *ref = set ? llvm::dyn_cast<clang::DeclRefExpr>(set->getLHS()->IgnoreParens()) : nullptr;
  return ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
}

/// The place of `loop` among the function's loops, outer before inner: among all, and among those whose head sets the
/// same variable. 0: it is not among them.
static std::pair<unsigned, unsigned> ordinalOf(const clang::Stmt *loop, const clang::FunctionDecl *function) {
  const clang::VarDecl *own = indexOf(loop);
  unsigned all = 0, same = 0;
  bool isFound = false;
  std::function<void(const clang::Stmt *)> count = [&](const clang::Stmt *stmt) {
    if (!stmt || isFound) return;
    // A directive's body comes once, without what the compiler adds to it.
    if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt)) return count(bodyOf(*directive));
    if (const auto *captured = llvm::dyn_cast<clang::CapturedStmt>(stmt)) return count(captured->getCapturedStmt());
    if (const auto *canonical = llvm::dyn_cast<clang::OMPCanonicalLoop>(stmt)) return count(canonical->getLoopStmt());
    // A directive's body comes once, without what the compiler adds to it.
    if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt)) return count(bodyOf(*directive));
    if (const auto *captured = llvm::dyn_cast<clang::CapturedStmt>(stmt)) return count(captured->getCapturedStmt());
    if (const auto *canonical = llvm::dyn_cast<clang::OMPCanonicalLoop>(stmt)) return count(canonical->getLoopStmt());
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt)) {
      const clang::VarDecl *index = indexOf(stmt);
      ++all;
      same += index && own && index->getName() == own->getName();
      isFound = stmt == loop;
    }
    for (const clang::Stmt *child : partsOf(stmt)) count(child);
  };
  count(function->getBody());
  return isFound ? std::pair(all, same) : std::pair(0u, 0u);
}

std::vector<SourceHint *> HintTable::ofLoop(const clang::Stmt *loop, const clang::Stmt *body, StringRef index,
                                            const clang::FunctionDecl *function) {
  if (hints.empty()) return {};
  clang::SourceLocation begin = sources->getExpansionLoc(loop->getBeginLoc());
  clang::FileID file = sources->getFileID(begin);
  unsigned offset = sources->getFileOffset(begin), line = lineOf(file, offset);
  clang::SourceLocation bodyBegin = body ? sources->getExpansionLoc(body->getBeginLoc()) : begin;
  bool isBlock = llvm::isa_and_nonnull<clang::CompoundStmt>(body);
  unsigned head = sources->getFileID(bodyBegin) == file ? sources->getFileOffset(bodyBegin) : offset;
  unsigned lastLine = isBlock ? lineOf(file, head) : line;
  return claim(loop->getBeginLoc().getRawEncoding(), [&](const SourceHint &hint) {
    if (hint.file.isInvalid()) {
      const HintPlace &place = hint.place;
      if (!isIn(place.file, file) || (place.line != 0 && place.line != line)) return false;
      if (place.line != 0) return true;
      if (place.ordinal == 0 || !isNamed(function, place.function)) return false;
      auto [all, same] = ordinalOf(loop, function);
      const clang::VarDecl *own = indexOf(loop);
      if (place.index.empty()) return place.ordinal == all;
      return own ? own->getName() == place.index && place.ordinal == same : place.index == index && place.ordinal == 1;
    }
    if (!hint.isTrailing) return isBefore(hint, file, offset);
    if (hint.file != file || hint.begin < offset) return false;
    unsigned at = lineOf(file, hint.begin);
    return hint.begin < head || (line <= at && at <= lastLine);
  });
}

std::vector<SourceHint *> HintTable::ofFunction(const clang::FunctionDecl *function) {
  if (hints.empty()) return {};
  clang::SourceLocation name = sources->getExpansionLoc(function->getLocation());
  clang::FileID file = sources->getFileID(name);
  clang::SourceLocation begin = sources->getExpansionLoc(function->getBeginLoc());
  clang::SourceLocation body = sources->getExpansionLoc(function->getBody()->getBeginLoc());
  unsigned offset = sources->getFileOffset(name), first = offset, head = offset;
  if (sources->getFileID(begin) == file) first = std::min(offset, sources->getFileOffset(begin));
  if (sources->getFileID(body) == file) head = sources->getFileOffset(body);
  return claim(function->getLocation().getRawEncoding(), [&](const SourceHint &hint) {
    if (hint.file.isInvalid()) {
      const HintPlace &place = hint.place;
      if (!isIn(place.file, file)) return false;
      if (place.line != 0) return place.line == lineOf(file, first) || place.line == lineOf(file, offset);
      return place.ordinal == 0 && isNamed(function, place.function);
    }
    if (!hint.isTrailing) return isBefore(hint, file, offset);
    return hint.file == file && first <= hint.begin && lineOf(file, hint.begin) <= lineOf(file, head);
  });
}

std::vector<Finding> HintTable::complaints(const std::vector<const clang::FunctionDecl *> &defined) const {
  std::vector<Finding> result = malformed;
  std::set<skeleton::Location> used;
  for (const SourceHint &hint : hints)
    if (hint.isTaken) used.insert(hint.words.location);
  for (const SourceHint &hint : hints) {
    if (hint.owner || used.count(hint.words.location)) continue;
    const std::string words = "`" + toString(hint.words) + "`";
    if (hint.file.isValid()) {
      result.push_back({Rule::HintUnused, Level::Warning, hint.words.location,
                        "the hint " + words + " stands before no loop or function that is read; it changes nothing"});
      continue;
    }
    // Other units have the rest of the tree.
    bool isHere = llvm::any_of(defined, [&](const clang::FunctionDecl *one) {
      return !hint.place.function.empty() && isNamed(one, hint.place.function);
    });
    isHere |= !hint.place.file.empty() && isIn(hint.place.file, sources->getMainFileID());
    result.push_back({Rule::HintUnused, isHere ? Level::Warning : Level::Note, hint.words.location,
                      "the hint " + words + " finds no such " +
                          (hint.place.line      ? "line"
                           : hint.place.ordinal ? "loop"
                                                : "function") +
                          " in " + sources->getFilename(sources->getLocForStartOfFile(sources->getMainFileID())).str() +
                          "; it changes nothing there"});
  }
  return result;
}

} // namespace busfare::frontend
