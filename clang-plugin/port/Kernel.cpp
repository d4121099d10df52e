//===- clang-plugin/port/Kernel.cpp - A loop as a target region ----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Directive.h"
#include "clang-plugin/port/HostDirectives.h"
#include "clang-plugin/port/KernelWriter.h"
#include "clang-plugin/port/OwnTargets.h"
#include "clang-plugin/port/Refuse.h"
#include "clang-plugin/walk/HostOnly.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace clang;

/// `i += s`: which way that leads, and whether at all, no directive can be told.
static bool stepsByValue(const ForStmt *loop, const ASTContext &context) {
  const auto *step = loop ? llvm::dyn_cast_or_null<CompoundAssignOperator>(loop->getInc()) : nullptr;
  return step && (step->getOpcode() == BO_AddAssign || step->getOpcode() == BO_SubAssign) &&
         !step->getRHS()->isValueDependent() && !step->getRHS()->isIntegerConstantExpr(context);
}

void KernelWriter::findSpace() {
  const Stmt *at = loop;
  std::set<const ValueDecl *> indices;
  for (size_t k = 0; k < std::max<size_t>(1, q.kernel.parallelLoops.size()); ++k) {
    const auto *candidate = llvm::dyn_cast<ForStmt>(at);
    std::optional<CanonicalLoop> form = candidate ? canonicalForm(candidate, source.context) : std::nullopt;
    if (!form) {
      if (k == 0 && stepsByValue(candidate, source.context)) fail("its step is a value, not a number");
      else if (k == 0) fail("it is no loop of the form OpenMP asks for (`for (i = a; i < b; i += c)`)");
      return;
    }
    if (k == 0 && isLeftByJump(candidate)) {
      fail("a jump leads out of it, though none is ever taken");
      return;
    }
    // Only rectangles are collapsed, with bounds that need nothing computed.
    if (k > 0 && (isLeftByJump(candidate) || !form->isSimple || llvm::any_of(indices, [&](const ValueDecl *i) {
                    return mentions(form->from, i) || mentions(form->to, i);
                  })))
      return;
    indices.insert(form->variable);
    space.push_back(*form);
    for (auto [from, to] : source.loopHintsAbove(source.offsetOf(candidate->getForLoc()))) // they are for one core
      text.edits.push_back({from, to - from, ""});
    at = candidate->getBody();
    while (const auto *block = llvm::dyn_cast<CompoundStmt>(at)) {
      if (block->size() != 1) return;
      at = block->body_front();
    }
  }
}

/// The outermost loop runs from a chunk's first index to its last.
void KernelWriter::chunkHead() {
  const CanonicalLoop &outer = space.front();
  const auto *compare = llvm::cast<BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
  for (SourceLocation where : {loop->getLParenLoc(), loop->getRParenLoc(), loop->getInit()->getBeginLoc(),
                               compare->getOperatorLoc(), loop->getInc()->getBeginLoc(), loop->getInc()->getEndLoc()})
    if (where.isMacroID()) return fail("a macro writes a part of its head");
  const unsigned begin = source.offsetOf(loop->getLParenLoc()) + 1, end = source.offsetOf(loop->getRParenLoc());
  if (source.text.slice(begin, end).contains('#')) return fail("a preprocessor directive stands in its head");
  const std::string name = outer.variable->getNameAsString();
  const bool isUp = outer.step > 0;
  std::string head =
      outer.isDeclared ? source.textOf({loop->getInit()->getBeginLoc(), outer.variable->getLocation()}) : name;
  head += " = " + (isUp ? q.chunk->first : q.chunk->last) + "; " + name + (isUp ? " <= " : " >= ") +
          (isUp ? q.chunk->last : q.chunk->first) + "; " + source.textOf(loop->getInc()->getSourceRange());
  text.edits.push_back({begin, end - begin, head});
  firstprivates.push_back(q.chunk->first);
  firstprivates.push_back(q.chunk->last);
}

/// Several of its launches may run at a time, and in any order.
void KernelWriter::checkChunk() {
  if (!endings.empty()) return fail("it may end the program");
  if (!reductions.empty() || !scalarMaps.empty() || !lastprivates.empty())
    return fail("a number comes back from it, to which all of its chunks would add");
  for (const skeleton::Loop *each : q.kernel.parallelLoops)
    if (const brs::LoopVerdict *verdict = q.root.dependence.find(*each))
      for (const brs::Need &need : verdict->needs)
        if (need.kind == brs::Need::Kind::Reduction)
          return fail("it adds up " + need.name + ", to which all of its chunks would add");
  if (!untouched.empty()) fail("it names an array that it never comes to");
}

/// The variables from outside that the loop's text names in the end, each of which its threads get as a value; nothing:
/// one that they would have to share.
std::optional<std::set<std::string>> KernelWriter::valuesFor(const TeamLoop &one) const {
  std::set<std::string> values;
  // What the kernel's own iterations add up each team has a copy of.
  auto isSummed = [&](llvm::StringRef name) {
    return llvm::any_of(reductions, [&](const auto &entry) {
      return llvm::any_of(
          entry.second, [&](llvm::StringRef item) { return item.take_while([](char c) { return c != '['; }) == name; });
    });
  };
  const unsigned begin = source.offsetOf(one.form.stmt->getForLoc()),
                 end = source.endOf(one.form.stmt->getSourceRange());
  for (const Edit &edit : text.edits)
    if (edit.offset >= begin && edit.offset < end && !edit.text.empty() && identifier(edit.text) == edit.text)
      values.insert(edit.text);
  for (const DeclRefExpr *ref : one.outside) {
    const unsigned at = source.offsetOf(ref->getBeginLoc());
    if (llvm::any_of(text.edits, [&](const Edit &edit) { return edit.offset <= at && at < edit.offset + edit.length; }))
      continue;
    const auto *variable = llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl());
    QualType type = variable->getType();
    if (isSummed(variable->getName())) return std::nullopt;
    if (type->isArrayType() && !inside.count(variable)) continue; // the device's own
    if (!type->isArithmeticType() && !type->isEnumeralType() && !type->isPointerType()) return std::nullopt;
    values.insert(variable->getNameAsString());
  }
  if (llvm::any_of(values, isSummed)) return std::nullopt;
  return values;
}

bool KernelWriter::isEdited(const Expr *expr) const {
  const unsigned begin = source.offsetOf(expr->getBeginLoc()), end = source.endOf(expr->getSourceRange());
  return llvm::any_of(text.edits, [&](const Edit &edit) {
    return edit.offset < end && edit.offset + std::max(1u, edit.length) > begin;
  });
}

/// The pointers that one thread of each team uses beside the shared loops are declared in the kernel, by other names
/// (rowsBeside).
void KernelWriter::ownRows(std::string &before) {
  for (const DeclRefExpr *ref : rowsBeside(space, shared)) {
    const auto *variable = llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl());
    const std::string name = variable->getNameAsString();
    auto [known, isNew] = rowNames.try_emplace(variable);
    if (isNew) {
      known->second = ownNameOf(name);
      before += "\n" + source.indentAt(source.offsetOf(space.back().stmt->getForLoc())) + "  __typeof__(" + name +
                ") " + known->second + " = " + name + ";";
    }
    if (!isEdited(ref))
      text.edits.push_back({source.offsetOf(ref->getBeginLoc()), unsigned(name.size()), known->second});
  }
}

/// Can the shared loops be written as they are found? No other edit is in what a sum's element is spelled by.
bool KernelWriter::canShare() const {
  for (const DeclRefExpr *ref : rowsBeside(space, shared))
    if (ref->getBeginLoc().isMacroID() || isEdited(ref) || !ref->getDecl()->getType()->isPointerType() ||
        inside.count(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())))
      return false;
  return llvm::all_of(shared, [&](const TeamLoop &one) {
    return llvm::all_of(one.sums, [&](const TeamSum &sum) {
      return sum.elements.empty() ||
             (!isEdited(one.form.from) && !isEdited(one.form.to) &&
              llvm::none_of(sum.elements, [&](const Expr *element) { return isEdited(element); }));
    });
  });
}

/// The sums by operator, as reduction clauses; elements of arrays in variables of their own, which are set in front of
/// the loop and stored behind it.
std::map<std::string, std::vector<std::string>> KernelWriter::placeTeamSums(const TeamLoop &one, std::string &before) {
  std::map<std::string, std::vector<std::string>> clauses;
  const std::string newLine = "\n" + source.indentAt(source.offsetOf(one.form.stmt->getForLoc()));
  std::string behind;
  for (const TeamSum &sum : one.sums) {
    if (sum.elements.empty()) {
      clauses[sum.op].push_back(sum.variable->getNameAsString());
      continue;
    }
    const std::string name = sum.variable->getNameAsString(), own = ownNameOf("sum_" + name);
    std::string element = source.textOf(sum.elements.front()->getSourceRange());
    if (auto row = rowNames.find(sum.variable); row != rowNames.end()) // it stands first, in front of the subscripts
      element.replace(element.find(name), name.size(), row->second);
    // Where no iteration runs there may be no such element.
    const std::string runs = source.textOf(one.form.from->getSourceRange()) + " " +
                             BinaryOperator::getOpcodeStr(one.form.order).str() + " " +
                             source.textOf(one.form.to->getSourceRange());
    before += newLine + "__typeof__(" + element + ") " + own + " = " + runs + " ? " + element + " : 0;";
    behind += newLine + "if (" + runs + ")" + newLine + "  " + element + " = " + own + ";";
    clauses[sum.op].push_back(own);
    for (const Expr *mention : sum.elements) {
      const unsigned begin = source.offsetOf(mention->getBeginLoc());
      text.edits.push_back({begin, source.endOf(mention->getSourceRange()) - begin, own});
    }
  }
  if (!behind.empty()) {
    before = "{" + before + "\n";
    text.edits.push_back({source.endOfStmt(one.form.stmt), 0, behind + newLine + "}"});
  }
  return clauses;
}

/// Each gets a directive of its own, in a line of its own. Behind everything that gives variables other names.
void KernelWriter::shareLoops() {
  shared = teamLoops(q, space);
  std::vector<std::set<std::string>> values;
  for (const TeamLoop &one : shared)
    if (auto known = canShare() ? valuesFor(one) : std::nullopt) values.push_back(std::move(*known));
  if (values.size() < shared.size()) shared.clear();
  if (shared.empty()) return;
  if (q.chunk && llvm::any_of(shared, [](const TeamLoop &one) { return !one.sums.empty(); }))
    return fail("the threads of a team add up sums inside it, in another order each time");
  if (!q.guard.empty()) firstprivates.push_back(q.guard);
  const Stmt *kernel = space.back().stmt->getBody();
  std::string rows;
  ownRows(rows);
  if (!rows.empty()) {
    const bool isBlock = llvm::isa<CompoundStmt>(kernel);
    text.edits.push_back({source.offsetOf(kernel->getBeginLoc()) + isBlock, 0, isBlock ? rows : "{" + rows + "\n"});
  }
  for (auto [one, own] : llvm::zip(shared, values)) {
    const unsigned keyword = source.offsetOf(one.form.stmt->getForLoc());
    for (auto [from, to] : source.loopHintsAbove(keyword)) // they are for one core
      text.edits.push_back({from, to - from, ""});
    std::vector<std::string> clauses;
    std::string before;
    for (const auto &[op, items] : placeTeamSums(one, before))
      clauses.push_back("reduction(" + op + ": " + llvm::join(items, ", ") + ")");
    if (!q.guard.empty()) clauses.push_back("if(" + q.guard + ")"); // on the host one thread has it
    if (!one.privates.empty()) clauses.push_back("private(" + llvm::join(one.privates, ", ") + ")");
    if (!own.empty()) clauses.push_back("firstprivate(" + llvm::join(own, ", ") + ")");
    text.edits.push_back({keyword, 0,
                          (!before.empty()                 ? before
                           : source.isFirstOnLine(keyword) ? ""
                                                           : "\n") +
                              directive("#pragma omp parallel for", clauses) + "\n" + source.indentAt(keyword)});
  }
  if (!rows.empty() && !llvm::isa<CompoundStmt>(kernel)) text.edits.push_back({source.endOfStmt(kernel), 0, "\n}"});
}

void KernelWriter::removeDirective(const OMPExecutableDirective *directive) {
  const Stmt *under = withoutDirective(directive);
  // What threads would do one at a time the plan has as sums of their own, or else the loop is not parallel.
  bool isExclusive = llvm::isa<OMPAtomicDirective, OMPCriticalDirective>(directive);
  if ((!llvm::isa<OMPLoopDirective>(directive) && !isTargetConstruct(directive) && !isExclusive) || under == directive)
    return fail("an OpenMP directive stands in it that is no loop's");
  if (staysAsTeams(directive)) return fail("each of several teams runs it");
  if (std::string own = ownCopyThatChanges(directive); !own.empty())
    return fail("the threads of a directive in it change copies of " + own);
  auto [begin, end] = source.rangeOf(directive);
  text.edits.push_back({begin, end - begin, ""});
}

/// All that stand directly above the statement.
void KernelWriter::removeDirectives(const Stmt *stmt) {
  while (const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt)) {
    removeDirective(directive);
    stmt = directive->hasAssociatedStmt() ? directive->getRawStmt() : nullptr;
    while (const auto *captured = llvm::dyn_cast_or_null<CapturedStmt>(stmt)) stmt = captured->getCapturedStmt();
  }
}

/// OpenMP leaves the value of an index that was declared outside open; the program may look at it.
void KernelWriter::finalIndices() {
  for (const CanonicalLoop &one : space) {
    const auto *variable = llvm::cast<VarDecl>(one.variable);
    if (inside.count(one.variable) || !isUsedElsewhere(variable, loop, source.function)) continue;
    if (space.size() > 1 && &one != &space.front())
      return fail(variable->getName() + ", the index of a loop in it, is used afterwards");
    text.after.push_back(variable->getNameAsString() + " = " + finalValue(one, source) + ";");
  }
}

/// The flag stands before everything else, which may have a block of its own.
void KernelWriter::placeEnds() {
  if (endings.empty()) return;
  // Directly in the body the walk meets no loop.
  for (EndingCall &ending : endings) ending.loop = ending.loop ? ending.loop : loop;
  std::string flag = ownName(llvm::StringRef(brs::endFlag).drop_front(llvm::StringRef("busfare_").size()).str());
  llvm::Expected<EndsText> ends = endBehind(endings, space.back(), source, flag, ownName("left"));
  if (!ends) return fail(llvm::toString(ends.takeError()));
  std::erase_if(called, [](const FunctionDecl *function) {
    return function->getIdentifier() && endsProgram(function->getName());
  });
  if (ends->isFirst && space.size() > 1)
    return fail("it may end the program in several ways, and its loops count as one");
  text.before.insert(text.before.begin(), ends->before);
  llvm::append_range(text.edits, ends->edits);
  if (q.variant == Variant::Watched) // then copies behind it are not missed
    text.after.push_back("if (" + ends->came + ") busfare_value(\"" + q.root.name + "\", \"" + brs::endFlag +
                         "\", 1);");
  llvm::append_range(text.after, ends->behind);
  reductions[ends->isFirst ? "min" : "max"].push_back(flag);
  scalarMaps.push_back(flag);
}

/// Do several threads of the host share its iterations as it is written?
bool KernelWriter::isParallelOnHost() const {
  for (const Spot *around = q.place.spot->parent; around; around = around->parent)
    if (onOneThread(around->stmt, source)) return true;
  for (const Stmt *stmt = q.place.spot->stmt;
       const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt);) {
    const OpenMPDirectiveKind kind = directive->getDirectiveKind();
    if (isOpenMPParallelDirective(kind) || isOpenMPWorksharingDirective(kind)) return true;
    stmt = directive->hasAssociatedStmt() ? directive->getRawStmt() : nullptr;
    while (const auto *captured = llvm::dyn_cast_or_null<CapturedStmt>(stmt)) stmt = captured->getCapturedStmt();
  }
  return false;
}

/// Without a directive's name it speaks of the threads as well: with a guard that does not hold, one thread runs the
/// loop, as the program has it. Its own threads stay.
std::string KernelWriter::ifClause() const {
  const bool isOfTarget = !q.guard.empty() && (isParallelOnHost() || q.variant == Variant::Watched);
  return std::string("if(") + (isOfTarget ? "target: " : "") + q.runs + ")";
}

std::string KernelWriter::pragma() const {
  bool isStrict = q.variant == Variant::Present || q.variant == Variant::Watched;
  std::vector<std::string> clauses;
  if (space.size() > 1) clauses.push_back("collapse(" + std::to_string(space.size()) + ")");
  if (isStrict) clauses.push_back("defaultmap(none)");
  auto list = [&](const std::string &head, const std::vector<std::string> &items) {
    if (!items.empty()) clauses.push_back(head + llvm::join(items, ", ") + ")");
  };
  list(isStrict ? "map(present, alloc: " : "map(alloc: ", maps);
  list("map(alloc: ", untouched);
  if (isStrict) list("firstprivate(", firstprivates);
  list("private(", privates);
  list("lastprivate(", lastprivates);
  for (const auto &[op, items] : reductions) list("reduction(" + op + ": ", items);
  list("map(tofrom: ", scalarMaps);
  if (!q.runs.empty()) clauses.push_back(ifClause());
  if (q.chunk) clauses.insert(clauses.end(), q.chunk->clauses.begin(), q.chunk->clauses.end());
  return directive(!loop            ? "#pragma omp target"
                   : shared.empty() ? "#pragma omp target teams distribute parallel for"
                                    : "#pragma omp target teams distribute",
                   clauses);
}

/// Once, on the host.
void KernelWriter::computeBefore(const Expr *bound, const std::string &name) {
  SourceRange range = bound->getSourceRange();
  if (range.getBegin().isMacroID() || range.getEnd().isMacroID())
    return fail("a macro stands for a bound that must be computed before it");
  const std::string own = ownName(name + "_" + identifier(space.front().variable->getName()));
  text.before.push_back("const " +
                        typeText(bound->getType().getUnqualifiedType(), source.context, source.textOf(range)) + " " +
                        own + " = " + source.textOf(range) + ";");
  unsigned begin = source.offsetOf(range.getBegin());
  text.edits.push_back({begin, source.endOf(range) - begin, own});
  firstprivates.push_back(own);
}

llvm::Expected<KernelText> KernelWriter::writeLoop(const ForStmt *stmt) {
  loop = stmt;
  if (!loop) return refuse("it is no `for` loop, or stands in a lambda");
  if (loop->getForLoc().isMacroID()) return refuse("a macro stands for it");
  if (source.isPartlyElsewhere(loop)) return refuse("a part of it is in a file of its own");
  body = {loop};
  findSpace();
  if (q.chunk && why.empty()) chunkHead();
  removeDirectives(q.place.spot->stmt);
  endings = endingCallsIn(loop->getBody());
  if (why.empty()) collect(loop);
  if (why.empty()) placeEnds();
  if (llvm::Error error = sortClauses()) return error;
  text.collapse = unsigned(space.size());
  return std::move(text);
}

llvm::Expected<KernelText> KernelWriter::writeStatements() {
  for (const Spot *spot : q.oneThread->statements) body.push_back(spot->stmt);
  for (const Stmt *stmt : body) {
    if (stmt->getBeginLoc().isMacroID() || stmt->getEndLoc().isMacroID())
      return refuse("a macro stands for a part of it");
    if (source.isPartlyElsewhere(stmt)) return refuse("a part of it is in a file of its own");
    if (why.empty() && !endingCallsIn(stmt).empty()) fail("it may end the program");
    if (why.empty()) collect(stmt);
  }
  // Arrays of its own the device makes when it comes there.
  for (const ValueDecl *variable : inside)
    if (!llvm::cast<VarDecl>(variable)->hasLocalStorage()) fail(variable->getName() + " is static");
  if (llvm::Error error = sortClauses()) return error;
  if (body.size() > 1 || llvm::isa<DeclStmt>(body.front())) {
    text.before.push_back("{");
    text.after.insert(text.after.begin(), "}");
  }
  return std::move(text);
}

llvm::Expected<KernelText> KernelWriter::write() {
  for (const Spot *around = q.place.spot->parent; around; around = around->parent)
    if (std::optional<Edit> serial = onOneThread(around->stmt, source)) {
      if (std::string own = serial->text.empty() ? "" : ownArrayOf(llvm::cast<OMPExecutableDirective>(around->stmt));
          !own.empty())
        return refuse("it stands inside an OpenMP construct whose threads have copies of " + own);
      text.edits.push_back(std::move(*serial));
    } else if (llvm::isa<OMPExecutableDirective>(around->stmt) &&
               (!isTargetConstruct(around->stmt) || staysAsTeams(around->stmt)))
      return refuse("it stands inside another OpenMP construct");
  return q.oneThread ? writeStatements() : writeLoop(llvm::dyn_cast<ForStmt>(withoutDirective(q.place.spot->stmt)));
}

llvm::Expected<KernelText> kernelText(const KernelQuestion &question) { return KernelWriter(question).write(); }

} // namespace busfare::frontend::port
