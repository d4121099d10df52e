//===- clang-plugin/rehearsal/RehearsalParts.h - The state of a rehearsal -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For Rehearsal.cpp (statements, calls) and RehearsedExpressions.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_REHEARSAL_REHEARSAL_PARTS_H
#define BUSFARE_CLANG_PLUGIN_REHEARSAL_REHEARSAL_PARTS_H

#include "Rehearsal.h"
#include "RehearsedLibrary.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Lex/Lexer.h"

namespace busfare::frontend {

enum class RehearsedFlow { Goes, Breaks, Continues, Returns, Ends };

/// A call that is gone through.
struct RehearsedFrame {
  size_t number = 0; ///< Of all calls.
  std::map<const clang::VarDecl *, std::string> aliases; ///< References: what they are bound to.
  std::optional<std::string> self;                       ///< Of a method: its object's key.
};

class RehearsedRun {
public:
  RehearsedRun(clang::ASTContext &context, const std::vector<std::string> &arguments);
  void runMain(const clang::FunctionDecl *function);

  RehearsedValues noted;

private:
  clang::ASTContext &context;
  const clang::SourceManager &sources;
  std::vector<std::string> words; ///< argv.
  std::map<std::string, Rehearsed> values;
  mutable std::map<const clang::VarDecl *, size_t> ids;
  std::map<const clang::Stmt *, std::vector<const clang::Expr *>> targets; ///< What a statement sets.
  std::map<const clang::Stmt *, bool> mentioning;
  std::vector<RehearsedFrame> frames;
  size_t frameCount = 0, steps = 0, expressions = 0;
  RehearsedFlow flow = RehearsedFlow::Goes;
  Rehearsed result; ///< Of the function that returns.
  OptionScan options;

  RehearsedFrame &frame() { return frames.back(); }
  const RehearsedFrame &frame() const { return frames.back(); }

  std::string keyOf(const clang::VarDecl *variable) const;
  Rehearsed load(const std::string &key) const;
  void store(const std::string &key, const Rehearsed &value);
  void forget(const std::string &key);
  std::optional<std::string> placeOf(const clang::Expr *expr);
  std::optional<std::string> pointedBy(const clang::Expr *pointer);

  Rehearsed evaluate(const clang::Expr *expr);
  Rehearsed evaluateUnary(const clang::UnaryOperator *expr);
  Rehearsed evaluateBinary(const clang::BinaryOperator *expr);
  Rehearsed evaluateElement(const clang::ArraySubscriptExpr *expr);
  Rehearsed evaluateCast(const clang::CastExpr *expr);
  Rehearsed combined(clang::BinaryOperatorKind kind, const Rehearsed &a, const Rehearsed &b) const;
  Rehearsed argument(int64_t at) const;
  Rehearsed call(const clang::CallExpr *expr);
  Rehearsed enter(const clang::FunctionDecl *function, const clang::CallExpr *expr, llvm::ArrayRef<Rehearsed> given);
  std::optional<Rehearsed> callOfOptions(llvm::StringRef name, const clang::CallExpr *call,
                                         llvm::ArrayRef<Rehearsed> given);

  void run(const clang::Stmt *statement);
  void declare(const clang::VarDecl *variable);
  void initialise(const std::string &key, const clang::Expr *init);
  void branch(const clang::IfStmt *statement);
  void choose(const clang::SwitchStmt *statement);
  void loop(const clang::Stmt *statement, const clang::Stmt *init, const clang::Expr *condition,
            const clang::Expr *step, const clang::Stmt *body, bool testsFirst);
  void loopOnce(const clang::Stmt *statement, const clang::Expr *condition, const clang::Expr *step,
                const clang::Stmt *body);
  std::optional<int64_t> turnsAtMost(const clang::Expr *condition, const clang::Stmt *loop);
  bool countsUp(const std::string &place, const clang::Stmt *loop);

  void note(const clang::Stmt *where, const std::string &spelled, const Rehearsed &value);
  void noteBehind(const clang::Stmt *statement);
  void forgetSetIn(const clang::Stmt *statement);
  const std::vector<const clang::Expr *> &targetsIn(const clang::Stmt *statement);
  bool mentionsArguments(const clang::Stmt *statement);
};

} // namespace busfare::frontend

#endif
