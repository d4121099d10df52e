//===- clang-plugin/port/TeamLoops.cpp - Loops that the threads of a team share -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/TeamLoops.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/port/AtomicUpdates.h"
#include "clang-plugin/port/Ends.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace busfare::frontend::port {
using namespace clang;

namespace {

/// A loop of fewer iterations a thread does by itself.
constexpr int64_t fewIterations = 32;

/// What a loop's text declares, writes and mentions.
struct Variables {
  std::set<const ValueDecl *> declared, written;
  std::vector<const DeclRefExpr *> mentions;
  std::set<const ValueDecl *> indices; ///< Of loops inside.
  bool hasAddresses = false;           ///< Of a variable that is not declared in it.
};

class TeamLoopFinder {
public:
  TeamLoopFinder(const KernelQuestion &q, const std::vector<CanonicalLoop> &space)
      : q(q), source(*q.place.source), space(space) {
    skeleton::forEachNode(q.kernel.loop->body, [&](const skeleton::Node &node) {
      const auto *loop = std::get_if<skeleton::Loop>(&node.kind);
      if (!loop || node.path != q.place.path) return;
      const Spot *spot = source.spotAt(loop->location);
      const auto *stmt = spot ? llvm::dyn_cast<ForStmt>(withoutDirective(spot->stmt)) : nullptr;
      // Two loops of a skeleton for one of the source (a first iteration apart) are not looked through.
      if (stmt && !loops.try_emplace(stmt, loop).second) loops[stmt] = nullptr;
    });
  }

  std::vector<TeamLoop> find() {
    // What the last iteration leaves is for a thread an iteration.
    for (size_t k = 0; k < space.size(); ++k)
      if (const brs::LoopVerdict *verdict = q.root.dependence.find(*q.kernel.parallelLoops[k]))
        for (const brs::Need &need : verdict->needs) {
          if (need.kind == brs::Need::Kind::LastPrivate) return {};
          if (need.kind == brs::Need::Kind::Reduction) sumsOfAll.insert(need.name);
        }
    search(space.back().stmt->getBody());
    return isWhole && !found.empty() && pays() ? std::move(found) : std::vector<TeamLoop>();
  }

private:
  const KernelQuestion &q;
  const FunctionSource &source;
  const std::vector<CanonicalLoop> &space;
  std::map<const ForStmt *, const skeleton::Loop *> loops;
  std::vector<TeamLoop> found;
  std::vector<const skeleton::Loop *> chosen; ///< Of `found`.
  std::set<std::string> sumsOfAll; ///< What the kernel's own iterations add up.
  bool isWhole = true;
  bool isRepeated = false; ///< Some are in loops of the kernel.

  static const ValueDecl *declOf(const DeclRefExpr *ref) {
    return llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl());
  }

  const skeleton::Loop *skeletonOf(const ForStmt *stmt) const {
    auto at = loops.find(stmt);
    return at == loops.end() ? nullptr : at->second;
  }

  static bool hasFew(const skeleton::Loop &loop) {
    std::optional<int64_t> last = (loop.upper - loop.lower).constant();
    return last && *last / loop.step < fewIterations - 1;
  }

  void collect(const Stmt *stmt, Variables &variables) const {
    if (!stmt) return;
    auto targetOf = [](const Expr *expr) -> const ValueDecl * {
      const auto *ref = llvm::dyn_cast<DeclRefExpr>(expr->IgnoreParenCasts());
      return ref ? llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl()) : nullptr;
    };
    if (const auto *declares = llvm::dyn_cast<DeclStmt>(stmt))
      for (const Decl *decl : declares->decls())
        if (const auto *variable = llvm::dyn_cast<VarDecl>(decl))
          variables.declared.insert(llvm::cast<ValueDecl>(variable->getCanonicalDecl()));
    if (const auto *inner = llvm::dyn_cast<ForStmt>(stmt))
      if (std::optional<CanonicalLoop> form = canonicalForm(inner, source.context))
        variables.indices.insert(form->variable);
    if (const auto *op = llvm::dyn_cast<BinaryOperator>(stmt); op && op->isAssignmentOp())
      if (const ValueDecl *target = targetOf(op->getLHS())) variables.written.insert(target);
    if (const auto *op = llvm::dyn_cast<UnaryOperator>(stmt)) {
      const ValueDecl *target = targetOf(op->getSubExpr());
      if (target && op->isIncrementDecrementOp()) variables.written.insert(target);
      variables.hasAddresses |= target && op->getOpcode() == UO_AddrOf && !variables.declared.count(target);
    }
    if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(stmt))
      if (llvm::isa<VarDecl>(ref->getDecl())) variables.mentions.push_back(ref);
    for (const Stmt *child : partsOf(stmt)) collect(child, variables);
  }

  /// Each loop met goes to the threads, has others in it that do, or runs a few times; else the kernel is left as it
  /// is.
  void search(const Stmt *stmt) {
    if (!stmt || !isWhole) return;
    if (const auto *loop = llvm::dyn_cast<ForStmt>(stmt)) {
      const skeleton::Loop *known = skeletonOf(loop);
      if (known && hasFew(*known)) return;
      if (std::optional<TeamLoop> shared = known ? shareOf(loop, *known) : std::nullopt) {
        found.push_back(std::move(*shared));
        chosen.push_back(known);
        return;
      }
      const size_t before = found.size();
      search(loop->getBody());
      isWhole &= found.size() > before;
      isRepeated = true;
      return;
    }
    if (llvm::isa<WhileStmt, DoStmt, CXXForRangeStmt, GotoStmt, LabelStmt>(stmt)) {
      isWhole = false;
      return;
    }
    for (const Stmt *child : partsOf(stmt)) search(child);
  }

  /// The loop for the threads of a team: its iterations may run in any order, and what each needs of its own has a
  /// clause.
  std::optional<TeamLoop> shareOf(const ForStmt *loop, const skeleton::Loop &known) const {
    std::optional<CanonicalLoop> form = canonicalForm(loop, source.context);
    const brs::LoopVerdict *verdict = q.root.dependence.find(known);
    if (!form || !verdict || !verdict->parallel || loop->getForLoc().isMacroID() || isLeftByJump(loop) ||
        !endingCallsIn(loop->getBody()).empty())
      return std::nullopt;
    // The kernel rests on what was assumed for its own loops, and on nothing more.
    std::set<std::string> assumed;
    for (const skeleton::Loop *own : q.kernel.parallelLoops)
      if (const brs::LoopVerdict *outer = q.root.dependence.find(*own))
        assumed.insert(outer->assuming.begin(), outer->assuming.end());
    if (!llvm::all_of(verdict->assuming, [&](const std::string &one) { return assumed.count(one) > 0; }))
      return std::nullopt;
    Variables variables;
    collect(loop, variables);
    if (variables.hasAddresses) return std::nullopt;
    auto isOwn = [&](const ValueDecl *variable) {
      return variables.declared.count(variable) || variable == form->variable;
    };
    auto isUsedBehind = [&](const ValueDecl *variable) {
      return isUsedElsewhere(llvm::cast<VarDecl>(variable), loop, source.function);
    };
    if (!variables.declared.count(form->variable) && isUsedBehind(form->variable)) return std::nullopt;
    std::map<std::string, const ValueDecl *> names;
    for (const DeclRefExpr *ref : variables.mentions) names[q.names.flatName(declOf(ref), q.place)] = declOf(ref);
    std::set<const ValueDecl *> privates, summed;
    TeamLoop result{*form, {}, {}, {}};
    for (const brs::Need &need : verdict->needs) {
      if (need.kind == brs::Need::Kind::Reduction) {
        std::optional<TeamSum> sum = sumsOfAll.count(need.name) ? std::nullopt : sumOf(need, *form, variables, names);
        if (!sum || !summed.insert(sum->variable).second) return std::nullopt;
        result.sums.push_back(std::move(*sum));
        continue;
      }
      auto named = names.find(need.name);
      if (need.kind != brs::Need::Kind::Private || !need.op.empty() || named == names.end()) return std::nullopt;
      if (!isOwn(named->second)) privates.insert(named->second);
    }
    for (const ValueDecl *variable : variables.written)
      if (!isOwn(variable) && !privates.count(variable) && !summed.count(variable)) {
        if (!variables.indices.count(variable) || isUsedBehind(variable)) return std::nullopt;
        privates.insert(variable);
      }
    for (const DeclRefExpr *ref : variables.mentions)
      if (!isOwn(declOf(ref)) && !privates.count(declOf(ref)) && !summed.count(declOf(ref)))
        result.outside.push_back(ref);
    for (const ValueDecl *variable : privates) {
      if (!variable->getType()->isArithmeticType() && !variable->getType()->isEnumeralType()) return std::nullopt;
      result.privates.push_back(variable->getNameAsString());
    }
    llvm::sort(result.privates);
    return result;
  }

  static bool isNumber(QualType type) {
    return type->isArithmeticType() && !type->isAnyComplexType() && !type->isBooleanType();
  }

  static bool runsAlways(const Stmt *body, const Stmt *wanted) {
    const auto *block = llvm::dyn_cast<CompoundStmt>(body);
    return body == wanted ||
           (block && llvm::any_of(block->body(), [&](const Stmt *each) { return runsAlways(each, wanted); }));
  }

  /// One element of an array that the text of the loop updates and does nothing else with; nothing: it does.
  std::optional<TeamSum> elementSum(const ValueDecl *array, const std::string &op, const CanonicalLoop &form,
                                    const Variables &variables) const {
    const ForStmt *loop = form.stmt;
    if (!form.isSimple || !form.beginsSimply) return std::nullopt;
    std::optional<std::vector<const Stmt *>> updates = atomicUpdates(array, loop->getBody());
    if (!updates || mentions(loop->getInit(), array) || mentions(loop->getCond(), array) ||
        mentions(loop->getInc(), array))
      return std::nullopt;
    TeamSum sum{op, array, {}};
    auto add = [&](const Expr *expr) {
      if (const auto *element = llvm::dyn_cast<ArraySubscriptExpr>(expr->IgnoreParens());
          element && mentions(element, array))
        sum.elements.push_back(element);
    };
    for (const Stmt *update : *updates) {
      if (const auto *step = llvm::dyn_cast<UnaryOperator>(update)) add(step->getSubExpr());
      const auto *assigns = llvm::dyn_cast<BinaryOperator>(update);
      if (!assigns) continue;
      add(assigns->getLHS());
      if (const auto *result = llvm::dyn_cast<BinaryOperator>(assigns->getRHS()->IgnoreParenImpCasts());
          result && !assigns->isCompoundAssignmentOp())
        for (const Expr *side : {result->getLHS(), result->getRHS()}) add(side->IgnoreParenImpCasts());
    }
    // Each iteration touches it: that it has memory is known where one runs.
    if (llvm::none_of(*updates, [&](const Stmt *update) { return runsAlways(loop->getBody(), update); }))
      return std::nullopt;
    // The same one in every iteration, known in front of the loop.
    for (const Expr *element : sum.elements) {
      Variables own;
      collect(element, own);
      for (const DeclRefExpr *ref : own.mentions)
        if (const ValueDecl *variable = declOf(ref);
            variable != array && (variables.declared.count(variable) || variables.written.count(variable) ||
                                  variables.indices.count(variable) || !variable->getType()->isIntegerType()))
          return std::nullopt;
      if (!isNumber(element->getType()) || element->getBeginLoc().isMacroID() || element->getEndLoc().isMacroID() ||
          !areSpelledAlike(element, sum.elements.front(), source.context))
        return std::nullopt;
    }
    return sum.elements.empty() ? std::nullopt : std::optional(std::move(sum));
  }

  std::optional<TeamSum> sumOf(const brs::Need &need, const CanonicalLoop &form, const Variables &variables,
                               const std::map<std::string, const ValueDecl *> &names) const {
    if (auto named = names.find(need.name); named != names.end() && isNumber(named->second->getType())) {
      const ValueDecl *variable = named->second;
      const bool isElsewhere =
          mentions(form.from, variable) || mentions(form.to, variable) || variable->getType().isVolatileQualified();
      return isElsewhere || variables.declared.count(variable) ? std::nullopt
                                                               : std::optional(TeamSum{need.op, variable, {}});
    }
    const ValueDecl *array = nullptr;
    for (const DeclRefExpr *ref : variables.mentions)
      if (const ValueDecl *variable = declOf(ref);
          variable != array && (variable->getType()->isPointerType() || variable->getType()->isArrayType()))
        if (auto known = q.names.arrayOf(variable, q.place); known && known->first == need.name) {
          if (array) return std::nullopt; // two names for one array
          array = variable;
        }
    return array ? elementSum(array, need.op, form, variables) : std::nullopt;
  }

  /// Memory lines that a warp asks for in one access, relative to neighbours that touch neighbours.
  static double linesOf(const skeleton::Access &access, llvm::StringRef index) {
    constexpr double shared = 0.1, eachItsOwn = 8;
    for (size_t k = 0; k < access.subscripts.size(); ++k) {
      const std::optional<skeleton::Expr> &value = access.subscripts[k].value;
      if (!value || !value->mentions(index)) continue;
      std::optional<skeleton::Expr> step = value->coefficientOf(index);
      std::optional<int64_t> constant = step ? step->constant() : std::nullopt;
      return k + 1 == access.subscripts.size() && constant && std::abs(*constant) == 1 ? 1 : eachItsOwn;
    }
    return shared;
  }

  /// A thread an iteration would leave the device idle.
  bool areIterationsFew() const {
    constexpr double threadsToFill = 1 << 13;
    double iterations = 1;
    for (size_t k = 0; k < space.size(); ++k) {
      const skeleton::Loop &loop = *q.kernel.parallelLoops[k];
      std::optional<int64_t> last = (loop.upper - loop.lower).constant();
      if (!last) return false;
      iterations *= double(*last / loop.step + 1);
    }
    return iterations < threadsToFill;
  }

  /// Where threads walk along their rows, and where a team has as many threads as wait together: then the lines between
  /// neighbours are less than what a few threads, each by itself, wait for.
  bool pays() const {
    if (!isRepeated && areIterationsFew()) return true;
    const skeleton::Loop *outer = q.kernel.parallelLoops[space.size() - 1];
    double perIteration = 0, perTeam = 0;
    for (const skeleton::Loop *inner : chosen)
      skeleton::forEachNode(inner->body, [&](const skeleton::Node &node) {
        const auto *access = std::get_if<skeleton::Access>(&node.kind);
        const skeleton::Array *array = access ? q.root.arrays.find(access->array) : nullptr;
        if (!array || array->isScalar()) return;
        perIteration += linesOf(*access, outer->index);
        perTeam += linesOf(*access, inner->index);
      });
    return perTeam < perIteration;
  }
};

} // namespace

std::vector<TeamLoop> teamLoops(const KernelQuestion &question, const std::vector<CanonicalLoop> &space) {
  if (space.empty() || space.size() > question.kernel.parallelLoops.size()) return {};
  return TeamLoopFinder(question, space).find();
}

static void collectRows(const Stmt *stmt, llvm::ArrayRef<TeamLoop> loops, std::vector<const DeclRefExpr *> &found) {
  if (!stmt || llvm::any_of(loops, [&](const TeamLoop &one) { return one.form.stmt == stmt; })) return;
  if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(stmt)) {
    QualType type = ref->getDecl()->getType();
    if (type->isArrayType() ? type->isVariablyModifiedType()
                            : type->isPointerType() && type->getPointeeType()->isVariablyModifiedType())
      found.push_back(ref);
  }
  for (const Stmt *child : partsOf(stmt)) collectRows(child, loops, found);
}

std::vector<const DeclRefExpr *> rowsBeside(const std::vector<CanonicalLoop> &space, llvm::ArrayRef<TeamLoop> loops) {
  std::vector<const DeclRefExpr *> found;
  collectRows(space.back().stmt->getBody(), loops, found);
  for (const TeamLoop &one : loops)
    for (const TeamSum &sum : one.sums)
      for (const Expr *element : sum.elements) collectRows(element, {}, found);
  return found;
}

} // namespace busfare::frontend::port
