//===- clang-plugin/port/Ends.cpp - Loops that may end the program -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Ends.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/port/Refuse.h"
#include "clang-plugin/walk/HostOnly.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>

namespace busfare::frontend::port {
using namespace clang;

static llvm::StringRef nameOf(const CallExpr *call) {
  const FunctionDecl *callee = calleeOf(call);
  llvm::StringRef name = callee && callee->getIdentifier() ? callee->getName() : "";
  name.consume_front("__builtin_");
  return name;
}

/// The child stands there as a statement, not as a part of an expression.
static bool isStatementOf(const Stmt *child, const Stmt *parent) {
  if (const auto *choice = llvm::dyn_cast<IfStmt>(parent))
    return child == choice->getThen() || child == choice->getElse();
  return llvm::isa<CompoundStmt, LabelStmt>(parent) || child == loopBodyOf(parent);
}

/// The call that a statement is, if it is nothing else.
static const CallExpr *callOf(const Stmt *stmt) {
  const auto *expr = llvm::dyn_cast_or_null<clang::Expr>(stmt);
  return expr ? llvm::dyn_cast<CallExpr>(expr->IgnoreUnlessSpelledInSource()) : nullptr;
}

/// Calls of output functions that the statements right before the one at `place` are.
static std::vector<const CallExpr *> messagesBefore(llvm::ArrayRef<const Stmt *> block, size_t place) {
  size_t first = place;
  std::vector<const CallExpr *> messages;
  while (first > 0)
    if (const CallExpr *call = callOf(block[first - 1]); call && writesText(nameOf(call))) --first;
    else break;
  for (; first < place; ++first) messages.push_back(callOf(block[first]));
  return messages;
}

std::vector<EndingCall> endingCallsIn(const Stmt *stmt) {
  std::vector<EndingCall> found;
  std::function<void(const Stmt *, const Stmt *, bool)> walk = [&](const Stmt *at, const Stmt *loop, bool isStatement) {
    if (!at) return;
    if (const auto *call = llvm::dyn_cast<CallExpr>(at); call && endsProgram(nameOf(call)))
      found.push_back({call, loop, isStatement, {}});
    bool isLoop = llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(at);
    bool passes = isStatement && llvm::isa<ExprWithCleanups, ParenExpr, CastExpr>(at);
    const auto parts = partsOf(at);
    for (size_t k = 0; k < parts.size(); ++k) {
      walk(parts[k], isLoop ? at : loop, passes || isStatementOf(parts[k], at));
      if (llvm::isa<CompoundStmt>(at) && !found.empty() && found.back().call == callOf(parts[k]))
        found.back().messages = messagesBefore(parts, k);
    }
  };
  walk(stmt, nullptr, false);
  return found;
}

/// Another variable of this name, declared below the statement.
static bool hides(const Stmt *stmt, const ValueDecl *variable) {
  if (const auto *declares = llvm::dyn_cast_or_null<DeclStmt>(stmt))
    for (const Decl *decl : declares->decls())
      if (const auto *other = llvm::dyn_cast<VarDecl>(decl); other && other->getName() == variable->getName())
        return true;
  return stmt && llvm::any_of(partsOf(stmt), [&](const Stmt *child) { return hides(child, variable); });
}

namespace {

class EndsWriter {
public:
  EndsWriter(const CanonicalLoop &form, const FunctionSource &source, const std::string &flag, const std::string &label)
      : form(form), loop(form.stmt), source(source), flag(flag), label(label) {}

  llvm::Expected<EndsText> write(llvm::ArrayRef<EndingCall> calls);

private:
  const CanonicalLoop &form;
  const ForStmt *loop;
  const FunctionSource &source;
  const std::string &flag, &label;
  bool goes = false; ///< Some iteration leaves by goto.
  std::vector<std::string> ways; ///< Of ending, as endingOf tells them apart.
  unsigned places = 1;           ///< Of each iteration in the flag: a power of two, more than there are ways.
  EndsText text;

  std::string leave(const EndingCall &ending);
  unsigned wayOf(const EndingCall &ending) const;
  std::optional<unsigned> pastSemicolon(unsigned offset) const;
  llvm::Error replace(const EndingCall &ending);
  llvm::Error replaceAssert(const EndingCall &ending);
  llvm::Error addLabel();
  std::string callText(const CallExpr *call) const;
  std::string wayTo(const EndingCall &ending) const;
  std::string lastWords(const EndingCall &ending) const;
};

} // namespace

/// Tells ends apart: what is said and how it ends.
std::string EndsWriter::wayTo(const EndingCall &ending) const {
  std::string way;
  for (const CallExpr *message : ending.messages) way += source.textOf(message->getSourceRange()) + "\n";
  return way + *endingOf(ending.call, nameOf(ending.call), source.context);
}

unsigned EndsWriter::wayOf(const EndingCall &ending) const {
  return unsigned(llvm::find(ways, wayTo(ending)) - ways.begin());
}

/// As C, behind the loop.
std::string EndsWriter::lastWords(const EndingCall &ending) const {
  std::string call = callText(ending.call) + ";";
  if (ending.messages.empty()) return call;
  std::string text = "{ ";
  for (const CallExpr *message : ending.messages) text += source.textOf(message->getSourceRange()) + "; ";
  return text + call + " }";
}

std::string EndsWriter::leave(const EndingCall &ending) {
  bool isOwn = ending.loop == loop;
  goes |= !isOwn;
  std::string left = isOwn ? "continue" : "goto " + label;
  if (ways.size() == 1) return "{ " + flag + " = 1; " + left + "; }";
  // Iterations in their order, and in each the way it goes.
  std::string key = std::string(form.step > 0 ? "" : "-") + "(long)" + form.variable->getNameAsString() + " * " +
                    std::to_string(places) + " + " + std::to_string(wayOf(ending));
  return "{ if (" + key + " < " + flag + ") " + flag + " = " + key + "; " + left + "; }";
}

/// Only blanks may stand before it.
std::optional<unsigned> EndsWriter::pastSemicolon(unsigned offset) const {
  llvm::StringRef rest = source.text.substr(offset);
  llvm::StringRef trimmed = rest.ltrim();
  if (!trimmed.starts_with(";")) return std::nullopt;
  return unsigned(offset + (rest.size() - trimmed.size()) + 1);
}

llvm::Error EndsWriter::replace(const EndingCall &ending) {
  for (const CallExpr *message : ending.messages)
    if (message->getBeginLoc().isMacroID()) return refuse("a macro writes the message before the program ends");
  if (ending.call->getBeginLoc().isMacroID())
    return nameOf(ending.call) == "__assert_fail" ? replaceAssert(ending)
                                                  : refuse("a macro writes the call that ends the program");
  unsigned begin = source.offsetOf((ending.messages.empty() ? ending.call : ending.messages.front())->getBeginLoc());
  // `std::exit` begins with its qualifier.
  std::optional<unsigned> end = pastSemicolon(source.endOf(ending.call->getSourceRange()));
  if (!ending.isStatement || !end) return refuse("the call that ends the program is part of a larger expression");
  text.edits.push_back({begin, *end - begin, leave(ending)});
  return llvm::Error::success();
}

/// `assert(x > 0);` as a statement of its own. What it becomes may stand before an `else`.
llvm::Error EndsWriter::replaceAssert(const EndingCall &ending) {
  unsigned begin = source.offsetOf(ending.call->getBeginLoc()), past = source.endOf(ending.call->getSourceRange());
  llvm::StringRef spelled = source.text.slice(begin, past);
  std::optional<unsigned> end = pastSemicolon(past);
  bool isPlain = spelled.consume_front("assert");
  spelled = spelled.trim();
  isPlain &= spelled.consume_front("(") && spelled.consume_back(")");
  char before = begin > 0 ? source.text.take_front(begin).rtrim().back() : ';';
  // Behind `)` and `else` stands a branch, behind the others a statement.
  bool isAlone = llvm::StringRef(";{}):").contains(before) || source.text.take_front(begin).rtrim().ends_with("else");
  if (!isPlain || !isAlone || !end) return refuse("a macro writes the call that ends the program");
  text.edits.push_back({begin, *end - begin, "if (!(" + spelled.str() + ")) " + leave(ending) + " else (void)0;"});
  return llvm::Error::success();
}

/// Behind the body's own block, whose variables a jump to its end would come into.
llvm::Error EndsWriter::addLabel() {
  const Stmt *body = loop->getBody();
  const Spot *spot = source.spotOf(body);
  bool isBlock = llvm::isa<CompoundStmt>(body);
  if ((!isBlock && (!spot || spot->stmt != body)) || body->getBeginLoc().isMacroID() || body->getEndLoc().isMacroID())
    return refuse("what ends the program stands in an inner loop, and the end of its body is not seen");
  text.edits.push_back({source.offsetOf(body->getBeginLoc()), 0, "{ "});
  text.edits.push_back({isBlock ? source.endOf(body->getSourceRange()) : spot->end, 0, " " + label + ": ; }"});
  return llvm::Error::success();
}

std::string EndsWriter::callText(const CallExpr *call) const {
  if (nameOf(call) != "__assert_fail") return source.textOf(call->getSourceRange());
  // What the macro says of its place, since that place is another one now.
  std::vector<std::string> arguments;
  for (const clang::Expr *argument : call->arguments()) {
    const clang::Expr *plain = argument->IgnoreParenImpCasts();
    if (const auto *named = llvm::dyn_cast<PredefinedExpr>(plain)) plain = named->getFunctionName();
    clang::Expr::EvalResult number;
    if (const auto *words = llvm::dyn_cast<StringLiteral>(plain)) {
      std::string quoted;
      llvm::raw_string_ostream(quoted).write_escaped(words->getString());
      arguments.push_back("\"" + quoted + "\"");
    } else if (plain->EvaluateAsInt(number, source.context)) {
      arguments.push_back(llvm::toString(number.Val.getInt(), 10));
    }
  }
  return "__assert_fail(" + llvm::join(arguments, ", ") + ")";
}

llvm::Expected<EndsText> EndsWriter::write(llvm::ArrayRef<EndingCall> calls) {
  std::vector<const EndingCall *> first; // of each way
  for (const EndingCall &ending : calls) {
    if (!endingOf(ending.call, nameOf(ending.call), source.context))
      return refuse("how it ends the program is computed in it");
    for (const CallExpr *message : ending.messages)
      if (!saysTheSame(message, source.context))
        return refuse("what it says before the program ends is computed in it");
    std::string way = wayTo(ending);
    if (llvm::is_contained(ways, way)) continue;
    ways.push_back(std::move(way));
    first.push_back(&ending);
  }
  if (ways.size() > 1 && hides(loop->getBody(), form.variable))
    return refuse("which iteration ends the program is not seen where another " + form.variable->getName() +
                  " is declared");
  while (places < ways.size()) places *= 2;
  for (const EndingCall &ending : calls)
    if (llvm::Error error = replace(ending)) return error;
  if (goes)
    if (llvm::Error error = addLabel()) return error;
  text.isFirst = ways.size() > 1;
  text.before = text.isFirst ? "long " + flag + " = __LONG_MAX__;" : "int " + flag + " = 0;";
  text.came = text.isFirst ? flag + " != __LONG_MAX__" : flag;
  if (!text.isFirst) text.behind.push_back("if (" + flag + ") " + lastWords(*first.front()));
  for (size_t k = 0; text.isFirst && k < ways.size(); ++k)
    text.behind.push_back("if (" + text.came + " && (" + flag + " & " + std::to_string(places - 1) +
                          ") == " + std::to_string(k) + ") " + lastWords(*first[k]));
  return std::move(text);
}

llvm::Expected<EndsText> endBehind(llvm::ArrayRef<EndingCall> calls, const CanonicalLoop &loop,
                                   const FunctionSource &source, const std::string &flag, const std::string &label) {
  return EndsWriter(loop, source, flag, label).write(calls);
}

} // namespace busfare::frontend::port
