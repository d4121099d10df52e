//===- clang-plugin/port/OrderLoop.cpp - One loop in another order -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/OrderLoop.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/port/LoopForm.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace busfare::frontend::port {
using namespace clang;
using skeleton::Expr;
using Kind = brs::Need::Kind;

namespace {

/// What of a statement's body the text around it must know.
struct BodyScan {
  std::set<const VarDecl *> movedPointers; ///< Pointer variables that are assigned.
  const char *whyNot = nullptr;

  void walk(const Stmt *stmt, bool inLoop, bool inSwitch);

private:
  void assigned(const clang::Expr *target);
};

class LoopOrderer {
public:
  explicit LoopOrderer(const OrderQuestion &question)
      : q(question), source(question.source), context(question.source.context),
        loop(llvm::dyn_cast<ForStmt>(withoutDirective(question.spot.stmt))) {}

  llvm::Expected<std::vector<Edit>> run();

private:
  const OrderQuestion &q;
  const FunctionSource &source;
  ASTContext &context;
  const ForStmt *loop;
  CanonicalLoop form;
  std::string reason; ///< Why not; the first one.
  /// C text: before the loop, at the start of an iteration, at its end, behind the loop.
  std::string before, start, finish, behind;
  std::set<const VarDecl *> treated;

  void fail(const llvm::Twine &why) {
    if (reason.empty()) reason = why.str();
  }
  std::string numbered(llvm::StringRef name) const { return ("busfare_" + name + llvm::Twine(q.number)).str(); }
  std::string numbered(llvm::StringRef name, const VarDecl *variable) const {
    return numbered(name) + "_" + variable->getNameAsString();
  }
  std::string textOf(const clang::Expr *expr) const;
  std::string indexType() const;
  std::string trips() const;
  bool isVisible(const VarDecl *variable) const;
  const Spot *firstInside() const;
  Place placeAt(const Spot &spot, bool after) const;

  void checkText();
  void treatVariables();
  void treat(const std::string &key, const VarDecl *variable);
  void treatUnnamed();
  void keepFirst(const VarDecl *variable);
  void keepLast(const VarDecl *variable);
  void poison(const VarDecl *variable, bool isKept);
  void stepAlong(const std::string &key, const VarDecl *variable);
  std::optional<Expr> valueAt(const std::string &key, const Place &place, std::string &object) const;
  std::optional<std::string> distance(const std::string &key, const Place &from, const Place &to) const;
  bool isSetFirst(const VarDecl *variable) const;
  std::string head() const;
  std::string tail() const;
};

} // namespace

static const VarDecl *variableOf(const clang::Expr *expr) {
  const auto *ref = llvm::dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
  const auto *variable = ref ? llvm::dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return variable ? variable->getCanonicalDecl() : nullptr;
}

//===--- The body ---------------------------------------------------------===//

void BodyScan::assigned(const clang::Expr *target) {
  if (!target->getType()->isPointerType()) return;
  if (const VarDecl *variable = variableOf(target)) movedPointers.insert(variable);
  else if (llvm::isa<MemberExpr>(target->IgnoreParenImpCasts())) whyNot = "a pointer in a structure moves in it";
}

void BodyScan::walk(const Stmt *stmt, bool inLoop, bool inSwitch) {
  if (!stmt || llvm::isa<LambdaExpr>(stmt)) return;
  if (llvm::isa<ReturnStmt, GotoStmt, IndirectGotoStmt, LabelStmt>(stmt) ||
      (llvm::isa<BreakStmt>(stmt) && !inLoop && !inSwitch))
    whyNot = "a jump leaves it, or goes to a label in it";
  if (llvm::isa<SwitchCase>(stmt) && !inSwitch) whyNot = "a switch around it jumps into it";
  if (const auto *op = llvm::dyn_cast<BinaryOperator>(stmt); op && op->isAssignmentOp()) assigned(op->getLHS());
  if (const auto *op = llvm::dyn_cast<UnaryOperator>(stmt);
      op && (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf))
    assigned(op->getSubExpr());
  bool isLoop = llvm::isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt);
  for (const Stmt *child : partsOf(stmt)) walk(child, inLoop || isLoop, inSwitch || llvm::isa<SwitchStmt>(stmt));
}

//===--- The head ---------------------------------------------------------===//

/// Its own text, fit to stand in parentheses on a line.
std::string LoopOrderer::textOf(const clang::Expr *expr) const {
  std::string text = source.textOf(expr->getSourceRange());
  return llvm::StringRef(text).contains("//") ? text + "\n" : text;
}

std::string LoopOrderer::indexType() const {
  return form.variable->getType().getUnqualifiedType().getAsString(context.getPrintingPolicy());
}

/// How many iterations, given that busfare_fromN holds the first index.
std::string LoopOrderer::trips() const {
  std::string from = "(long)" + numbered("from"), to = "(long)(" + textOf(form.to) + ")";
  bool isUp = form.step > 0;
  int64_t size = std::abs(form.step);
  std::string distance = isUp ? to + " - " + from : from + " - " + to;
  bool isInclusive = form.order == BO_LE || form.order == BO_GE;
  std::string count = distance;
  if (isInclusive) count = "(" + distance + ")" + (size > 1 ? " / " + std::to_string(size) : "") + " + 1";
  else if (size > 1) count = "(" + distance + " + " + std::to_string(size - 1) + ") / " + std::to_string(size);
  return numbered("from") + " " + BinaryOperator::getOpcodeStr(form.order).str() + " (" + textOf(form.to) + ") ? " +
         count + " : 0";
}

/// Parts that a macro writes cannot be taken apart.
void LoopOrderer::checkText() {
  if (!source.whyFixed.empty()) return fail(source.whyFixed);
  if (!loop) return fail("it is no for loop");
  std::optional<CanonicalLoop> canonical = canonicalForm(loop, context);
  if (!canonical || !canonical->to->getType()->isIntegerType() || !canonical->variable->getType()->isBuiltinType() ||
      canonical->variable->getType()->isBooleanType())
    return fail("its head is not of the form `for (i = a; i < b; i += c)` with an integer index");
  form = *canonical;
  const auto *compare = llvm::cast<BinaryOperator>(loop->getCond()->IgnoreParenImpCasts());
  const SourceLocation places[] = {loop->getForLoc(),         loop->getLParenLoc(),
                                   loop->getRParenLoc(),      loop->getInit()->getBeginLoc(),
                                   compare->getOperatorLoc(), loop->getInc()->getBeginLoc()};
  const Stmt *body = withoutDirective(loop->getBody());
  if (llvm::any_of(places, [](SourceLocation where) { return where.isMacroID(); }) || !body ||
      body->getBeginLoc().isMacroID() || (llvm::isa<CompoundStmt>(body) && body->getEndLoc().isMacroID()))
    return fail("a macro writes a part of it");
  llvm::StringRef text = source.text.slice(source.offsetOf(loop->getForLoc()), source.offsetOf(loop->getRParenLoc()));
  for (size_t line = text.find('\n'); line != llvm::StringRef::npos; line = text.find('\n', line + 1))
    if (text.substr(line).ltrim().starts_with("#")) return fail("a preprocessor directive stands in its head");
  const auto *index = llvm::cast<VarDecl>(form.variable);
  if (!form.isDeclared && index->hasGlobalStorage())
    return fail("its index " + index->getName() + " is visible to other functions");
}

//===--- Variables --------------------------------------------------------===//

bool LoopOrderer::isVisible(const VarDecl *variable) const {
  auto isNamed = [&](const VarDecl *other) { return other->getName() == variable->getName(); };
  for (const VarDecl *other : llvm::reverse(q.spot.visible))
    if (isNamed(other)) return other->getCanonicalDecl() == variable->getCanonicalDecl();
  return variable->hasGlobalStorage() && !variable->isStaticLocal();
}

/// The first statement of the body.
const Spot *LoopOrderer::firstInside() const {
  for (const Spot &spot : source.spots)
    if (spot.parent == &q.spot) return &spot;
  return nullptr;
}

Place LoopOrderer::placeAt(const Spot &spot, bool after) const {
  return {q.occurrences.front().path, &source, &q.points, &spot, after};
}

static bool isPlain(QualType type, ASTContext &context) {
  return !type->isReferenceType() && !type->isPointerType() &&
         context.getBaseElementType(type).isTriviallyCopyableType(context);
}

void LoopOrderer::treatVariables() {
  for (const auto &[key, declared] : q.points.variables)
    if (const auto *variable = llvm::dyn_cast<VarDecl>(declared); variable && isVisible(variable))
      treat(key, variable->getCanonicalDecl());
  BodyScan scan;
  scan.walk(loop->getBody(), false, false);
  if (scan.whyNot) return fail(scan.whyNot);
  // Pointers are no memory in a skeleton: nothing is said of those that move.
  for (const VarDecl *pointer : scan.movedPointers) {
    if (!isVisible(pointer) || isSetFirst(pointer)) continue;
    auto entry =
        llvm::find_if(q.points.variables, [&](const auto &one) { return one.second->getCanonicalDecl() == pointer; });
    if (entry == q.points.variables.end()) return fail("the pointer " + pointer->getName() + " moves in it");
    stepAlong(entry->first, pointer);
  }
  treatUnnamed();
}

/// One variable, by what all the paths say it needs.
void LoopOrderer::treat(const std::string &key, const VarDecl *variable) {
  if (variable == form.variable || !isPlain(variable->getType(), context)) return;
  bool isPrivate = true, isLast = false, isStepped = false, isOther = false;
  for (const Occurrence &one : q.occurrences) {
    Names names(q.program, *one.root);
    std::string flat = names.flatName(variable, {one.path, &source, &q.points, &q.spot, false});
    auto need = llvm::find_if(one.verdict->needs, [&](const brs::Need &n) { return n.name == flat; });
    if (need == one.verdict->needs.end()) {
      isPrivate = false;
      continue;
    }
    isStepped |= need->op == "induction";
    isLast |= need->kind == Kind::LastPrivate;
    isOther |= need->kind == Kind::Reduction || need->kind == Kind::FirstPrivate;
    isPrivate &= need->kind != Kind::Reduction && need->kind != Kind::FirstPrivate && need->op != "induction";
  }
  if (isOther && (isLast || isStepped)) return fail(variable->getName() + " needs another treatment on each call path");
  if (isStepped) return stepAlong(key, variable);
  if (isLast && isPrivateByClause(q.spot.stmt, variable)) keepFirst(variable);
  else if (isLast) keepLast(variable);
  if (isPrivate) poison(variable, isLast);
}

/// Needs of names that no variable here has.
void LoopOrderer::treatUnnamed() {
  for (const Occurrence &one : q.occurrences) {
    Names names(q.program, *one.root);
    for (const brs::Need &need : one.verdict->needs) {
      if (need.kind != Kind::LastPrivate && need.kind != Kind::FirstPrivate && need.op != "induction") continue;
      if (need.op == "induction" && llvm::StringRef(need.name).ends_with(skeleton::pointerSuffix))
        continue; // stepped along above
      bool isNamed = llvm::any_of(q.points.variables, [&](const auto &entry) {
        const auto *variable = llvm::dyn_cast<VarDecl>(entry.second);
        return variable && isVisible(variable) && isPlain(variable->getType(), context) &&
               names.flatName(variable, {one.path, &source, &q.points, &q.spot, false}) == need.name;
      });
      if (!isNamed || need.kind == Kind::FirstPrivate) fail("the value of " + need.name + " cannot be carried over");
    }
  }
}

/// Behind the loop it is what it was before.
void LoopOrderer::keepFirst(const VarDecl *variable) {
  std::string name = variable->getNameAsString(), kept = numbered("was", variable);
  if (variable->getStorageClass() == SC_Register) return fail(name + " is a register variable");
  before +=
      "char " + kept + "[sizeof " + name + "]; __builtin_memcpy(" + kept + ", &" + name + ", sizeof " + name + "); ";
  behind += "__builtin_memcpy(&" + name + ", " + kept + ", sizeof " + name + "); ";
}

void LoopOrderer::keepLast(const VarDecl *variable) {
  std::string name = variable->getNameAsString(), kept = numbered("last", variable);
  std::string isLastOne = "if (" + numbered("i") + " == " + numbered("n") + " - 1) ";
  if (variable->getType()->isArrayType()) {
    before += "void *" + kept + " = __builtin_malloc(sizeof " + name + "); ";
    finish += isLastOne + "__builtin_memcpy(" + kept + ", &" + name + ", sizeof " + name + "); ";
    behind += "if (" + numbered("n") + " > 0) __builtin_memcpy(&" + name + ", " + kept + ", sizeof " + name +
              "); __builtin_free(" + kept + "); ";
    return;
  }
  if (variable->getStorageClass() == SC_Register) return fail(name + " is a register variable");
  before += "__typeof__(" + name + ") " + kept + "; busfare_poison(&" + kept + ", sizeof " + kept + "); ";
  finish += isLastOne + kept + " = " + name + "; ";
  behind += "if (" + numbered("n") + " > 0) " + name + " = " + kept + "; ";
}

void LoopOrderer::poison(const VarDecl *variable, bool isKept) {
  std::string name = variable->getNameAsString();
  if (variable->getStorageClass() == SC_Register || variable->getType().isConstQualified()) return;
  if (variable->getType()->isArrayType()) {
    // What no iteration writes is still to be there behind the loop.
    if (isKept) return;
    std::string kept = numbered("was", variable);
    before += "void *" + kept + " = __builtin_malloc(sizeof " + name + "); __builtin_memcpy(" + kept + ", &" + name +
              ", sizeof " + name + "); ";
    behind += "__builtin_memcpy(&" + name + ", " + kept + ", sizeof " + name + "); __builtin_free(" + kept + "); ";
  }
  start += "busfare_poison(&" + name + ", sizeof " + name + "); ";
}

//===--- Variables that are stepped along ---------------------------------===//

static const PointFacts *factsOf(const std::map<const Stmt *, PointFacts> &facts, const Spot &spot) {
  for (const Stmt *stmt : {spot.stmt, withoutDirective(spot.stmt)})
    if (auto found = facts.find(stmt); found != facts.end()) return &found->second;
  return nullptr;
}

/// The integer, or which element of `object` the pointer points to, row-major; in the function's own symbols.
std::optional<Expr> LoopOrderer::valueAt(const std::string &key, const Place &place, std::string &object) const {
  const PointFacts *facts = factsOf(place.after ? q.points.after : q.points.before, *place.spot);
  if (!facts && place.after && place.spot->next) facts = factsOf(q.points.before, *place.spot->next);
  if (!facts) return std::nullopt;
  if (auto found = facts->integers.find(key); found != facts->integers.end()) return found->second;
  auto found = facts->pointers.find(key);
  if (found == facts->pointers.end()) return std::nullopt;
  const PointedAt &at = found->second;
  const skeleton::Function *function =
      skeleton::findFunction(q.program, q.occurrences.front().root->paths[place.path].function);
  const skeleton::Array *array = function ? skeleton::findArray(q.program, *function, at.object) : nullptr;
  if (!array || array->extents.size() != at.index.size()) return std::nullopt;
  object = at.object;
  Expr linear = 0, pitch = 1;
  for (size_t d = at.index.size(); d-- > 0;) {
    if (!at.index[d] || (d > 0 && !array->extents[d])) return std::nullopt;
    linear = linear + *at.index[d] * pitch;
    if (d > 0) pitch = pitch * *array->extents[d];
  }
  return linear.isPoisoned() ? std::nullopt : std::optional<Expr>(linear);
}

/// How far the variable goes from one place to the other, as C at the other.
std::optional<std::string> LoopOrderer::distance(const std::string &key, const Place &from, const Place &to) const {
  std::string fromObject, toObject;
  std::optional<Expr> old = valueAt(key, from, fromObject), now = valueAt(key, to, toObject);
  if (!old || !now || fromObject != toObject) return std::nullopt;
  const Occurrence &one = q.occurrences.front();
  Expr way = (*now - *old).substitute(one.root->paths[one.path].symbols);
  std::optional<SymbolTexts> texts = Names(q.program, *one.root).sizes(way, to);
  if (!texts) return std::nullopt;
  return toOperand(way, *texts);
}

void LoopOrderer::stepAlong(const std::string &key, const VarDecl *variable) {
  if (!treated.insert(variable).second) return;
  std::string name = variable->getNameAsString(), first = numbered("first", variable);
  const Spot *inside = firstInside();
  std::optional<std::string> way =
      inside ? distance(key, placeAt(q.spot, false), placeAt(*inside, false)) : std::nullopt;
  if (!way) return fail(name + " is stepped along with the index, how is not known");
  before += "__typeof__(" + name + ") " + first + " = " + name + "; ";
  start += name + " = " + first + " + " + *way + "; ";
  if (std::optional<std::string> all = distance(key, placeAt(q.spot, false), placeAt(q.spot, true)))
    behind += name + " = " + first + " + " + *all + "; ";
  else if (isUsedElsewhere(variable, loop, source.function))
    fail("the last value of " + name + ", which is stepped along with the index, is not known");
}

/// Each iteration gives it a value that has nothing to do with the old one before it looks at it.
bool LoopOrderer::isSetFirst(const VarDecl *variable) const {
  const Stmt *body = withoutDirective(loop->getBody());
  std::vector<const Stmt *> statements{body};
  if (const auto *block = llvm::dyn_cast<CompoundStmt>(body)) statements.assign(block->body_begin(), block->body_end());
  for (const Stmt *stmt : statements) {
    stmt = withoutDirective(stmt);
    if (!mentions(stmt, variable)) continue;
    if (const auto *inner = llvm::dyn_cast<ForStmt>(stmt)) stmt = inner->getInit();
    while (const auto *comma = llvm::dyn_cast_or_null<BinaryOperator>(stmt)) {
      if (comma->getOpcode() != BO_Comma) break;
      stmt = mentions(comma->getLHS(), variable) ? comma->getLHS() : comma->getRHS();
    }
    const auto *assign = llvm::dyn_cast_or_null<BinaryOperator>(stmt);
    return assign && assign->getOpcode() == BO_Assign && variableOf(assign->getLHS()) == variable &&
           !mentions(assign->getRHS(), variable);
  }
  return false;
}

//===--- The whole --------------------------------------------------------===//

std::string LoopOrderer::head() const {
  std::string index = form.variable->getNameAsString(), type = indexType();
  std::string step = form.step == 1 ? "" : std::to_string(form.step) + " * ";
  std::string text = "{ " + type + " " + numbered("from") + " = " + textOf(form.from) + "; ";
  text += "long " + numbered("k") + ", " + numbered("n") + " = " + trips() + "; " + before;
  text += "for (" + numbered("k") + " = 0; " + numbered("k") + " < " + numbered("n") + "; " + numbered("k") + "++) { ";
  text += "long " + numbered("i") + " = busfare_order(" + numbered("k") + ", " + numbered("n") + "); ";
  text += (form.isDeclared ? type + " " : "") + index + " = (" + type + ")(" + numbered("from") + " + " + step +
          numbered("i") + "); ";
  if (form.isDeclared) text += "(void)" + index + "; ";
  return text + start + "do {";
}

std::string LoopOrderer::tail() const {
  std::string text = " } while (0); " + finish + "} " + behind;
  if (!form.isDeclared) {
    std::string step = form.step == 1 ? "" : std::to_string(form.step) + " * ";
    text += form.variable->getNameAsString() + " = (" + indexType() + ")(" + numbered("from") + " + " + step +
            numbered("n") + "); ";
  }
  return text + "}";
}

llvm::Expected<std::vector<Edit>> LoopOrderer::run() {
  checkText();
  // In another order another iteration comes first.
  for (const Occurrence &one : q.occurrences)
    for (const brs::Need &need : one.verdict->needs)
      if (need.name == brs::endFlag && need.op != "max")
        fail("it may end the program in several ways, and the first one counts");
  if (reason.empty()) treatVariables();
  if (!reason.empty()) return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s", reason.c_str());
  unsigned begin = source.offsetOf(loop->getForLoc()), end = source.offsetOf(loop->getRParenLoc()) + 1;
  std::vector<Edit> edits;
  for (auto [from, to] : source.loopHintsAbove(begin)) // of a loop that is none any more
    edits.push_back({from, to - from, ""});
  edits.push_back({begin, end - begin, head()});
  edits.push_back({q.spot.end, 0, tail()});
  return edits;
}

llvm::Expected<std::vector<Edit>> reorder(const OrderQuestion &question) { return LoopOrderer(question).run(); }

} // namespace busfare::frontend::port
