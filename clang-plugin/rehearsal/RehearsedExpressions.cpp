//===- clang-plugin/rehearsal/RehearsedExpressions.cpp - Expressions of a rehearsal -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RehearsalParts.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

namespace busfare::frontend {

using Kind = Rehearsed::Kind;

RehearsedRun::RehearsedRun(clang::ASTContext &context, const std::vector<std::string> &arguments)
    : context(context), sources(context.getSourceManager()) {
  words.push_back("program");
  words.insert(words.end(), arguments.begin(), arguments.end());
}

void RehearsedRun::runMain(const clang::FunctionDecl *function) {
  frames.push_back({});
  // Globals begin as they are initialised, with getopt's own among them.
  for (const clang::Decl *decl : context.getTranslationUnitDecl()->decls()) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable) continue;
    const std::string key = keyOf(variable);
    if (variable->getName() == "optind") store(key, rehearsedInteger(1));
    else if (variable->hasInit() && !variable->getInit()->isValueDependent()) initialise(key, variable->getInit());
    else if (variable->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly &&
             variable->getType()->isIntegerType() && !values.count(key))
      store(key, rehearsedInteger(0));
  }
  if (function->getNumParams() > 0) store(keyOf(function->getParamDecl(0)), rehearsedInteger(int64_t(words.size())));
  if (function->getNumParams() > 1) {
    Rehearsed all;
    all.kind = Kind::Arguments;
    store(keyOf(function->getParamDecl(1)), all);
  }
  run(function->getBody());
}

/// What a statement is made of; a directive's body is no child of it.
static void addParts(const clang::Stmt *statement, std::vector<const clang::Stmt *> &open) {
  for (const clang::Stmt *child : statement->children()) open.push_back(child);
  if (const auto *captured = llvm::dyn_cast<clang::CapturedStmt>(statement))
    open.push_back(captured->getCapturedStmt());
}

/// The expressions that a statement assigns to, or gives the address or a reference of.
const std::vector<const clang::Expr *> &RehearsedRun::targetsIn(const clang::Stmt *statement) {
  if (auto known = targets.find(statement); known != targets.end()) return known->second;
  std::vector<const clang::Expr *> found;
  std::vector<const clang::Stmt *> open{statement};
  while (!open.empty()) {
    const clang::Stmt *one = open.back();
    open.pop_back();
    if (!one) continue;
    if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(one); binary && binary->isAssignmentOp())
      found.push_back(binary->getLHS());
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(one);
        unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf))
      found.push_back(unary->getSubExpr());
    if (const auto *assign = llvm::dyn_cast<clang::CXXOperatorCallExpr>(one); assign && assign->isAssignmentOp())
      found.push_back(assign->getArg(0));
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(one))
      if (const clang::FunctionDecl *callee = call->getDirectCallee())
        for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); ++i)
          if (const clang::QualType type = callee->getParamDecl(i)->getType();
              type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified())
            found.push_back(call->getArg(i));
    addParts(one, open);
  }
  return targets[statement] = std::move(found);
}

/// argv, optarg, a text, or a call that is given some.
bool RehearsedRun::mentionsArguments(const clang::Stmt *statement) {
  if (auto known = mentioning.find(statement); known != mentioning.end()) return known->second;
  bool found = false;
  std::vector<const clang::Stmt *> open{statement};
  while (!open.empty() && !found) {
    const clang::Stmt *one = open.back();
    open.pop_back();
    if (!one) continue;
    if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(one))
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
        const clang::QualType type = variable->getType();
        const clang::QualType pointee = type->isPointerType() ? type->getPointeeType() : clang::QualType();
        found = variable->getName() == "optarg" ||
                (!pointee.isNull() && pointee->isPointerType() && pointee->getPointeeType()->isCharType());
      }
    addParts(one, open);
  }
  return mentioning[statement] = found;
}

/// Is it only changed by ++ in the loop, at one place?
bool RehearsedRun::countsUp(const std::string &place, const clang::Stmt *loop) {
  size_t changes = 0, ups = 0;
  for (const clang::Expr *target : targetsIn(loop)) changes += placeOf(target) == place;
  std::vector<const clang::Stmt *> open{loop};
  while (!open.empty()) {
    const clang::Stmt *one = open.back();
    open.pop_back();
    if (!one) continue;
    if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(one); unary && unary->isIncrementOp())
      ups += placeOf(unary->getSubExpr()) == place;
    if (const auto *plus = llvm::dyn_cast<clang::CompoundAssignOperator>(one);
        plus && plus->getOpcode() == clang::BO_AddAssign && placeOf(plus->getLHS()) == place)
      ups += evaluate(plus->getRHS()).kind == Kind::Integer && evaluate(plus->getRHS()).integer == 1;
    addParts(one, open);
  }
  const auto *counted = llvm::dyn_cast<clang::ForStmt>(loop);
  if (counted && counted->getInit())
    for (const clang::Expr *target : targetsIn(counted->getInit())) changes -= placeOf(target) == place;
  return changes == 1 && ups == 1;
}

Rehearsed RehearsedRun::combined(clang::BinaryOperatorKind kind, const Rehearsed &a, const Rehearsed &b) const {
  using Op = clang::BinaryOperatorKind;
  // A pointer into a text or argv, moved.
  const bool isPointer = a.kind == Kind::Text || a.kind == Kind::Arguments;
  if (isPointer && b.kind == Kind::Integer && (kind == Op::BO_Add || kind == Op::BO_Sub)) {
    Rehearsed moved = a;
    moved.integer += kind == Op::BO_Add ? b.integer : -b.integer;
    return moved;
  }
  // A pointer is not null.
  const bool isNullTest = (kind == Op::BO_EQ || kind == Op::BO_NE) &&
                          ((isPointer && b.kind == Kind::Integer && b.integer == 0) ||
                           (a.kind == Kind::Place && b.kind == Kind::Integer && b.integer == 0));
  if (isNullTest) return rehearsedInteger(kind == Op::BO_NE);
  if (!a.isNumber() || !b.isNumber()) return {};
  const bool areWhole = a.kind == Kind::Integer && b.kind == Kind::Integer;
  const double x = a.number(), y = b.number();
  const int64_t i = a.integer, k = b.integer;
  int64_t whole = 0;
  switch (kind) {
  case Op::BO_Add:
    return !areWhole ? rehearsedReal(x + y) : llvm::AddOverflow(i, k, whole) ? Rehearsed() : rehearsedInteger(whole);
  case Op::BO_Sub:
    return !areWhole ? rehearsedReal(x - y) : llvm::SubOverflow(i, k, whole) ? Rehearsed() : rehearsedInteger(whole);
  case Op::BO_Mul:
    return !areWhole ? rehearsedReal(x * y) : llvm::MulOverflow(i, k, whole) ? Rehearsed() : rehearsedInteger(whole);
  case Op::BO_Div:
    return areWhole ? (k == 0 || k == -1 ? Rehearsed() : rehearsedInteger(i / k))
           : y == 0 ? Rehearsed()
                    : rehearsedReal(x / y);
  case Op::BO_Rem: return areWhole && k != 0 && k != -1 ? rehearsedInteger(i % k) : Rehearsed();
  case Op::BO_Shl:
    return areWhole && i >= 0 && k >= 0 && k < 62 && i < (int64_t(1) << (62 - k)) ? rehearsedInteger(i << k)
                                                                                  : Rehearsed();
  case Op::BO_Shr: return areWhole && k >= 0 && k < 64 ? rehearsedInteger(i >> k) : Rehearsed();
  case Op::BO_And: return areWhole ? rehearsedInteger(i & k) : Rehearsed();
  case Op::BO_Or: return areWhole ? rehearsedInteger(i | k) : Rehearsed();
  case Op::BO_Xor: return areWhole ? rehearsedInteger(i ^ k) : Rehearsed();
  case Op::BO_LT: return rehearsedInteger(areWhole ? i < k : x < y);
  case Op::BO_LE: return rehearsedInteger(areWhole ? i <= k : x <= y);
  case Op::BO_GT: return rehearsedInteger(areWhole ? i > k : x > y);
  case Op::BO_GE: return rehearsedInteger(areWhole ? i >= k : x >= y);
  case Op::BO_EQ: return rehearsedInteger(areWhole ? i == k : x == y);
  case Op::BO_NE: return rehearsedInteger(areWhole ? i != k : x != y);
  default: return {};
  }
}

Rehearsed RehearsedRun::evaluateBinary(const clang::BinaryOperator *expr) {
  using Op = clang::BinaryOperatorKind;
  if (expr->getOpcode() == Op::BO_LAnd || expr->getOpcode() == Op::BO_LOr) {
    const bool decides = expr->getOpcode() == Op::BO_LOr;
    const std::optional<bool> a = evaluate(expr->getLHS()).truth();
    if (a == decides) return rehearsedInteger(decides);
    const std::optional<bool> b = evaluate(expr->getRHS()).truth();
    if (b == decides) return rehearsedInteger(decides);
    return a && b ? rehearsedInteger(!decides) : Rehearsed();
  }
  if (expr->getOpcode() == Op::BO_Comma) return evaluate(expr->getLHS()), evaluate(expr->getRHS());
  if (!expr->isAssignmentOp()) return combined(expr->getOpcode(), evaluate(expr->getLHS()), evaluate(expr->getRHS()));
  Rehearsed value = evaluate(expr->getRHS());
  const std::optional<std::string> place = placeOf(expr->getLHS());
  if (expr->isCompoundAssignmentOp())
    value = place ? combined(clang::BinaryOperator::getOpForCompoundAssignment(expr->getOpcode()), load(*place), value)
                  : Rehearsed();
  if (expr->getLHS()->getType()->isIntegerType() && value.kind == Kind::Real)
    value = rehearsedInteger(int64_t(value.real));
  if (place) store(*place, value);
  // A value may stand where it is assigned: `m = argc > 1 ? atoi(argv[1]) : 500`.
  const clang::SourceRange range = expr->getLHS()->getSourceRange();
  note(expr->getRHS(),
       clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range), sources, context.getLangOpts()).str(),
       value);
  return value;
}

/// argv[at]; how the program is called is not known.
Rehearsed RehearsedRun::argument(int64_t at) const {
  if (at == 0) return {};
  return at > 0 && size_t(at) < words.size() ? rehearsedText(words[size_t(at)]) : rehearsedInteger(0);
}

Rehearsed RehearsedRun::evaluateUnary(const clang::UnaryOperator *expr) {
  const clang::Expr *operand = expr->getSubExpr();
  switch (expr->getOpcode()) {
  case clang::UO_AddrOf: {
    Rehearsed pointer;
    if (std::optional<std::string> place = placeOf(operand)) {
      pointer.kind = Kind::Place;
      pointer.text = std::make_shared<const std::string>(*place);
    }
    return pointer;
  }
  case clang::UO_Deref: {
    const Rehearsed pointer = evaluate(operand);
    if (pointer.kind == Kind::Arguments) return argument(pointer.integer);
    if (std::optional<llvm::StringRef> characters = pointer.characters())
      return rehearsedInteger(characters->empty() ? 0 : characters->front());
    return pointer.kind == Kind::Place ? load(*pointer.text) : Rehearsed();
  }
  case clang::UO_PreInc:
  case clang::UO_PostInc:
  case clang::UO_PreDec:
  case clang::UO_PostDec: {
    const std::optional<std::string> place = placeOf(operand);
    const Rehearsed before = place ? load(*place) : Rehearsed();
    const Rehearsed after =
        combined(expr->isIncrementOp() ? clang::BO_Add : clang::BO_Sub, before, rehearsedInteger(1));
    if (place) store(*place, after);
    return expr->isPrefix() ? after : before;
  }
  case clang::UO_LNot: {
    const std::optional<bool> holds = evaluate(operand).truth();
    return holds ? rehearsedInteger(!*holds) : Rehearsed();
  }
  case clang::UO_Minus: return combined(clang::BO_Sub, rehearsedInteger(0), evaluate(operand));
  case clang::UO_Plus:
  case clang::UO_Extension: return evaluate(operand);
  default: return {};
  }
}

Rehearsed RehearsedRun::evaluateElement(const clang::ArraySubscriptExpr *expr) {
  const Rehearsed base = evaluate(expr->getBase()), index = evaluate(expr->getIdx());
  if (index.kind == Kind::Integer && base.kind == Kind::Arguments) {
    return argument(base.integer + index.integer);
  }
  if (std::optional<llvm::StringRef> characters = base.characters(); characters && index.kind == Kind::Integer) {
    const size_t at = size_t(index.integer);
    return at < characters->size()    ? rehearsedInteger((*characters)[at])
           : at == characters->size() ? rehearsedInteger(0)
                                      : Rehearsed();
  }
  const std::optional<std::string> place = placeOf(expr);
  return place ? load(*place) : Rehearsed();
}

Rehearsed RehearsedRun::evaluateCast(const clang::CastExpr *expr) {
  if (expr->getCastKind() == clang::CK_ArrayToPointerDecay) {
    if (const auto *text = llvm::dyn_cast<clang::StringLiteral>(expr->getSubExpr()->IgnoreParens()))
      return text->getCharByteWidth() == 1 ? rehearsedText(text->getString().str()) : Rehearsed();
    Rehearsed pointer;
    if (std::optional<std::string> place = placeOf(expr->getSubExpr())) {
      pointer.kind = Kind::Place;
      pointer.text = std::make_shared<const std::string>(*place);
    }
    return pointer;
  }
  const Rehearsed value = evaluate(expr->getSubExpr());
  const clang::QualType type = expr->getType();
  if (value.kind == Kind::Real && type->isIntegerType())
    return std::abs(value.real) < 9e18 ? rehearsedInteger(int64_t(value.real)) : Rehearsed();
  if (value.kind == Kind::Integer && type->isRealFloatingType()) return rehearsedReal(double(value.integer));
  if (value.kind == Kind::Integer && type->isIntegerType() && !type->isBooleanType()) {
    const unsigned bits = unsigned(context.getTypeSize(type));
    if (bits < 64 && type->isUnsignedIntegerType()) return rehearsedInteger(value.integer & ((int64_t(1) << bits) - 1));
    return bits < 64 ? rehearsedInteger(llvm::SignExtend64(uint64_t(value.integer), bits)) : value;
  }
  return value;
}

Rehearsed RehearsedRun::evaluate(const clang::Expr *expr) {
  constexpr size_t mostExpressions = 1000000; // of all, beside which statements have a limit of their own
  if (!expr || flow == RehearsedFlow::Ends || ++expressions > mostExpressions) return {};
  expr = expr->IgnoreParens();
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) return evaluateCast(cast);
  if (const auto *number = llvm::dyn_cast<clang::IntegerLiteral>(expr))
    return number->getValue().getActiveBits() < 64 ? rehearsedInteger(int64_t(number->getValue().getZExtValue()))
                                                   : Rehearsed();
  if (const auto *character = llvm::dyn_cast<clang::CharacterLiteral>(expr))
    return rehearsedInteger(character->getValue());
  if (const auto *real = llvm::dyn_cast<clang::FloatingLiteral>(expr))
    return rehearsedReal(real->getValueAsApproximateDouble());
  if (const auto *truth = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(expr)) return rehearsedInteger(truth->getValue());
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr)) return evaluateUnary(unary);
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expr)) return evaluateBinary(binary);
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) return evaluateElement(element);
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    const std::optional<bool> holds = evaluate(choice->getCond()).truth();
    return holds ? evaluate(*holds ? choice->getTrueExpr() : choice->getFalseExpr()) : Rehearsed();
  }
  if (const auto *called = llvm::dyn_cast<clang::CallExpr>(expr)) return call(called);
  // A std::string of a text, a temporary, a default argument: what is inside.
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    return made->getNumArgs() > 0 && (made->getNumArgs() == 1 || made->getArg(1)->isDefaultArgument())
               ? evaluate(made->getArg(0))
               : Rehearsed();
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
    return evaluate(temporary->getSubExpr());
  if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr)) return evaluate(bound->getSubExpr());
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(expr)) return evaluate(full->getSubExpr());
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expr);
      reference && llvm::isa<clang::EnumConstantDecl>(reference->getDecl()))
    return rehearsedInteger(llvm::cast<clang::EnumConstantDecl>(reference->getDecl())->getInitVal().getExtValue());
  if (const std::optional<std::string> place = placeOf(expr)) {
    Rehearsed value = load(*place);
    // A field is a symbol from where it is first read.
    if (llvm::isa<clang::MemberExpr>(expr))
      note(expr,
           clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(expr->getSourceRange()), sources,
                                       context.getLangOpts())
               .str(),
           value);
    return value;
  }
  clang::Expr::EvalResult constant;
  if (!expr->isValueDependent() && expr->getType()->isIntegerType() && expr->EvaluateAsInt(constant, context) &&
      constant.Val.getInt().isRepresentableByInt64())
    return rehearsedInteger(constant.Val.getInt().getExtValue());
  return {};
}

} // namespace busfare::frontend
