//===- clang-plugin/port/KernelWriter.h - What the parts of a kernel share -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A kernel is written in this order; each part is a file of its own:
//
//   its form (Kernel.cpp)               the loops that are collapsed, or the statements
//   what it mentions (KernelMentions.cpp)
//   clauses (KernelClauses.cpp)         each mention in one, or as a variable before the directive
//   the directive (Kernel.cpp)
//
//===----------------------------------------------------------------------===//
#ifndef BUSFARE_CLANG_PLUGIN_PORT_KERNELWRITER_H
#define BUSFARE_CLANG_PLUGIN_PORT_KERNELWRITER_H

#include "clang-plugin/port/CText.h"
#include "clang-plugin/port/Containers.h"
#include "clang-plugin/port/Ends.h"
#include "clang-plugin/port/Kernel.h"
#include "clang-plugin/port/LoopForm.h"
#include "clang-plugin/port/MapItem.h"
#include "clang-plugin/port/TeamLoops.h"
#include "clang/AST/StmtOpenMP.h"
#include <map>
#include <set>

namespace busfare::frontend::port {

/// Sorts what the loop's text mentions into clauses.
class KernelWriter {
public:
  explicit KernelWriter(const KernelQuestion &q) : q(q), source(*q.place.source) {}
  llvm::Expected<KernelText> write();

private:
  using Stmt = clang::Stmt;
  using Expr = clang::Expr;
  using ForStmt = clang::ForStmt;
  using MemberExpr = clang::MemberExpr;
  using DeclRefExpr = clang::DeclRefExpr;
  using OMPExecutableDirective = clang::OMPExecutableDirective;
  using ValueDecl = clang::ValueDecl;
  using FunctionDecl = clang::FunctionDecl;
  const KernelQuestion &q;
  const FunctionSource &source;
  KernelText text;
  std::vector<const Stmt *> body; ///< What becomes the target region: the loop, or statements that one thread runs.
  const ForStmt *loop = nullptr;  ///< Null: one thread.
  std::vector<CanonicalLoop> space; ///< The loops that are collapsed, outermost first.
  std::vector<TeamLoop> shared;     ///< Loops inside for the threads of a team; none: a thread an iteration.
  std::map<const ValueDecl *, std::string> rowNames; ///< Pointers that are declared in the kernel again.
  std::set<const ValueDecl *> mentioned, inside, written, innerIndices;
  std::map<const ValueDecl *, int> otherUses; ///< Mentions, less those that only read the value.
  std::vector<const MemberExpr *> fields;
  std::vector<ContainerUse> containers;
  std::set<const FunctionDecl *> called;
  std::vector<EndingCall> endings; ///< Calls in the loop that end the program.
  std::vector<std::string> maps, untouched, privates, lastprivates, firstprivates, scalarMaps;
  std::map<std::string, std::vector<std::string>> reductions; ///< By operator.
  std::map<std::string, std::string> hoisted;                 ///< Field text -> variable.
  std::string why;

  void fail(const llvm::Twine &reason) {
    if (why.empty()) why = reason.str();
  }
  void findSpace();
  void chunkHead();
  void checkChunk();
  std::optional<std::set<std::string>> valuesFor(const TeamLoop &one) const;
  bool isEdited(const Expr *expr) const;
  bool canShare() const;
  void ownRows(std::string &before);
  std::map<std::string, std::vector<std::string>> placeTeamSums(const TeamLoop &one, std::string &before);
  void shareLoops();
  void collect(const Stmt *stmt);
  bool isComputedBefore(const Stmt *stmt) const;
  void noteWrite(const Expr *target);
  bool noteField(const MemberExpr *member);
  bool noteContainer(const Stmt *stmt);
  void removeDirective(const OMPExecutableDirective *directive);
  void removeDirectives(const Stmt *stmt);
  const brs::Need *needOf(const std::string &flat) const;
  void place(const ValueDecl *variable);
  void placeScalar(const ValueDecl *variable);
  void placeArray(const ValueDecl *variable);
  std::string withOwnBounds(const MapItem &item);
  std::string ownName(const std::string &word) { return unique("busfare_" + word); }
  std::string ownNameOf(const std::string &name) { return unique(portName(name)); }
  std::string unique(const std::string &base);
  void replaceGlobal(const ValueDecl *array, ArrayName &name);
  bool updatesOneByOne(const std::string &flat, const ArrayName &name, const MapItem &item);
  bool mapArray(const std::string &flat, const ArrayName &name, const brs::Need *need);
  void placeSum(const ValueDecl *variable, const std::string &combine);
  void placeStructSums();
  void placeFields();
  void placeContainers();
  std::string keyOf(const Expr *path) const;
  void finalIndices();
  void placeEnds();
  void computeBefore(const Expr *bound, const std::string &name);
  llvm::Error sortClauses();
  llvm::Expected<KernelText> writeLoop(const ForStmt *stmt);
  llvm::Expected<KernelText> writeStatements();
  bool isParallelOnHost() const;
  std::string ifClause() const;
  std::string pragma() const;
};

} // namespace busfare::frontend::port

#endif
