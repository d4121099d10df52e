//===- clang-plugin/records/RecordSetters.cpp - Assignments that set a record's memory -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RecordSetters.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

//===--- Which fields -----------------------------------------------------===//

static bool counts(const clang::RecordDecl *record, const clang::ASTContext &context) {
  record = record ? record->getDefinition() : nullptr;
  if (!record || record->isUnion() || record->isDependentType() || record->isInvalidDecl() ||
      record->getParentFunctionOrMethod())
    return false;
  if (context.getSourceManager().isInSystemHeader(record->getLocation()) || isOfModelledLibrary(record)) return false;
  return record->getIdentifier() || record->getTypedefNameForAnonDecl();
}

std::string recordKeyOf(const clang::RecordDecl *record, const clang::ASTContext &context) {
  if (!counts(record, context)) return "";
  record = record->getDefinition();
  clang::QualType type = context.getRecordType(record);
  std::string key = type.getCanonicalType().getAsString(context.getPrintingPolicy()) + "{";
  for (const clang::FieldDecl *field : record->fields())
    key += field->getNameAsString() + ":" +
           field->getType().getCanonicalType().getAsString(context.getPrintingPolicy()) + ";";
  return key + "}";
}

static bool isPlain(const clang::FieldDecl *field) {
  return field->getIdentifier() && !field->isBitField() && !field->getType().isVolatileQualified();
}

bool isCountField(const clang::FieldDecl *field, const clang::ASTContext &context) {
  clang::QualType type = field->getType();
  return isPlain(field) && type->isIntegerType() && !type->isEnumeralType() && context.getTypeSize(type) >= 32;
}

bool isMemoryField(const clang::FieldDecl *field, const clang::ASTContext &context) {
  if (!isPlain(field) || !field->getType()->isPointerType()) return false;
  clang::QualType pointee = field->getType()->getPointeeType();
  return !pointee->isFunctionType() && !pointee->isArrayType() && bytesOf(pointee, context) > 0;
}

const clang::MemberExpr *countedField(const clang::Expr *expr, const clang::ASTContext &context) {
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr->IgnoreParens());
  const auto *field = member ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
  bool isEither = field && (isCountField(field, context) || isMemoryField(field, context));
  return isEither && counts(field->getParent(), context) ? member : nullptr;
}

bool isOfSystem(const clang::FunctionDecl *function, const clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  const clang::FunctionDecl *definition = nullptr;
  if (function->hasBody(definition) && !sources.isInSystemHeader(definition->getLocation()) &&
      !isOfModelledLibrary(definition))
    return false; // whatever its name
  return sources.isInSystemHeader(function->getLocation()) || isOfModelledLibrary(function) ||
         function->isReplaceableGlobalAllocationFunction() ||
         (function->getBuiltinID() &&
          (function->isImplicit() || (function->getIdentifier() && function->getName().starts_with("__"))));
}

static const clang::FieldDecl *fieldOf(const clang::MemberExpr *member) {
  return llvm::cast<clang::FieldDecl>(member->getMemberDecl());
}

//===--- What statements do -----------------------------------------------===//

/// A name for the object; the same for each mention of it. What is no plain path gets a name of its own.
std::string RecordSetters::baseKey(const clang::Expr *expr, Change &change) const {
  auto unlike = [&] { return "?" + std::to_string(reinterpret_cast<uintptr_t>(expr)); };
  if (!expr) return "this";
  expr = expr->IgnoreParenImpCasts();
  if (llvm::isa<clang::CXXThisExpr>(expr)) return "this";
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    if (!variable) return unlike();
    change.bases.insert(variable->getCanonicalDecl());
    bool mayMove = !variable->hasLocalStorage() || !(variable->getType()->isReferenceType() || isSetOnce(variable));
    change.loadsBase |= mayMove && variable->getType()->isPointerType();
    return "v" + std::to_string(reinterpret_cast<uintptr_t>(variable->getCanonicalDecl()));
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!field) return unlike();
    change.bases.insert(field->getCanonicalDecl());
    change.loadsBase |= field->getType()->isPointerType() || field->getType()->isReferenceType();
    std::string of = baseKey(member->getBase(), change);
    return (member->isArrow() ? "*" + of : of) + "." +
           std::to_string(reinterpret_cast<uintptr_t>(field->getCanonicalDecl()));
  }
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr); op && op->getOpcode() == clang::UO_Deref)
    return "*" + baseKey(op->getSubExpr(), change);
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    const clang::Expr *index = element->getIdx()->IgnoreParenImpCasts();
    const clang::VarDecl *variable = variableOf(index);
    clang::Expr::EvalResult fixed;
    std::string at;
    if (variable && variable->hasLocalStorage() && !variable->getType()->isReferenceType()) {
      change.bases.insert(variable->getCanonicalDecl());
      change.loadsBase |= !isSetOnce(variable);
      at = std::to_string(reinterpret_cast<uintptr_t>(variable->getCanonicalDecl()));
    } else if (index->EvaluateAsInt(fixed, context)) at = "#" + llvm::toString(fixed.Val.getInt(), 10);
    else return unlike();
    return baseKey(element->getBase(), change) + "[" + at + "]";
  }
  return unlike();
}

/// A local variable, or a parameter, that keeps its first value.
bool RecordSetters::isSetOnce(const clang::VarDecl *variable) const {
  const auto *owner = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
  if (!owner || !variable->hasLocalStorage() || variable->getType()->isReferenceType() ||
      variable->getType().isVolatileQualified())
    return false;
  auto [known, isNew] = setOnce.try_emplace(variable, false);
  if (isNew) known->second = owner->getBody() && isOnlyRead(variable, owner->getBody());
  return known->second;
}

/// Can it not look at the program's objects?
bool RecordSetters::isQuiet(const clang::FunctionDecl *callee, unsigned depth) const {
  if (!callee) return false;
  if (isOfSystem(callee, context)) return true;
  const clang::Expr *result = depth < 2 ? singleReturn(callee) : nullptr;
  if (!result || callee->isVirtualAsWritten()) return false;
  Effects inside;
  addEffects(result, inside, depth + 1);
  return !inside.calls && !inside.storesElsewhere && inside.stores.empty() && inside.fields.empty();
}

void RecordSetters::addEffects(const clang::Stmt *stmt, Effects &effects, unsigned depth) const {
  if (!stmt) return;
  auto stores = [&](const clang::Expr *target) {
    target = target->IgnoreParenImpCasts();
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(target);
        ref && !ref->getDecl()->getType()->isReferenceType())
      effects.stores.insert(ref->getDecl()->getCanonicalDecl());
    else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(target)) {
      effects.stores.insert(member->getMemberDecl()->getCanonicalDecl());
      if (countedField(member, context)) effects.fields.push_back(member);
    } else effects.storesElsewhere = true;
  };
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) stores(op->getLHS());
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt);
      op && (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf))
    stores(op->getSubExpr());
  if (llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::IndirectGotoStmt, clang::BreakStmt, clang::ContinueStmt,
                clang::CXXThrowExpr, clang::LabelStmt, clang::SwitchCase, clang::CoroutineBodyStmt, clang::CXXTryStmt>(
          stmt))
    effects.jumps = true;
  if (llvm::isa<clang::LambdaExpr, clang::AsmStmt, clang::CXXDynamicCastExpr, clang::OMPExecutableDirective,
                clang::StmtExpr>(stmt))
    effects.calls = true;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    const clang::FunctionDecl *callee = calleeOf(call);
    effects.calls |=
        !isQuiet(callee, depth) || llvm::any_of(call->arguments(), [](const clang::Expr *argument) { // whom it may call
          clang::QualType type = argument->getType();
          return type->isFunctionPointerType() || type->isFunctionType() || callableClassOf(type);
        });
    for (unsigned k = 0; callee && k < call->getNumArgs() && k < callee->getNumParams(); ++k) { // what it may write
      clang::QualType type = callee->getParamDecl(k)->getType();
      effects.storesElsewhere |=
          (type->isPointerType() || type->isReferenceType()) && !type->getPointeeType().isConstQualified();
    }
  }
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt))
    effects.calls |= !made->getConstructor()->isTrivial() && !isOfSystem(made->getConstructor(), context);
  if (const auto *gone = llvm::dyn_cast<clang::CXXDeleteExpr>(stmt)) {
    const auto *record = gone->getDestroyedType().isNull() ? nullptr : gone->getDestroyedType()->getAsCXXRecordDecl();
    effects.calls |= record && !record->hasTrivialDestructor();
  }
  for (const clang::Stmt *part : partsOf(stmt)) addEffects(part, effects, depth);
}

/// Assignments of fields that are all that the expression does, in their order. Those inside of values are left to
/// takeAlone.
void RecordSetters::collectWrites(const clang::Expr *expr, std::vector<Write> &writes) const {
  expr = expr->IgnoreParens();
  if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expr))
    return collectWrites(cleanups->getSubExpr(), writes);
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr); op && op->isIncrementDecrementOp()) {
    if (const clang::MemberExpr *target = countedField(op->getSubExpr(), context))
      writes.push_back({fieldOf(target), target, nullptr, op->isIncrementOp() ? 1 : -1});
    return;
  }
  const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr);
  if (!op) return;
  if (op->getOpcode() == clang::BO_Comma) {
    collectWrites(op->getLHS(), writes);
    return collectWrites(op->getRHS(), writes);
  }
  if (!op->isAssignmentOp()) return;
  const clang::Expr *value = op->getRHS();
  while (const auto *inner = llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts())) { // a = b = 0
    if (inner->getOpcode() != clang::BO_Assign) break;
    value = inner->getRHS();
  }
  if (value != op->getRHS()) collectWrites(op->getRHS()->IgnoreParenImpCasts(), writes);
  const clang::MemberExpr *target = countedField(op->getLHS(), context);
  if (!target) return;
  Write write{fieldOf(target), target, nullptr, std::nullopt};
  if (op->getOpcode() == clang::BO_Assign) write.value = value;
  clang::Expr::EvalResult by;
  bool isStep = op->getOpcode() == clang::BO_AddAssign || op->getOpcode() == clang::BO_SubAssign;
  if (isStep && value->EvaluateAsInt(by, context) && by.Val.getInt().isRepresentableByInt64())
    write.by = op->getOpcode() == clang::BO_AddAssign ? by.Val.getInt().getExtValue() : -by.Val.getInt().getExtValue();
  writes.push_back(write);
}

/// `free(v->p)`, `delete[] v->p`, `if (v->p) ...` of that: the field. Null if it is anything else.
const clang::MemberExpr *RecordSetters::freedField(const clang::Stmt *stmt) const {
  if (!stmt) return nullptr;
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(stmt))
    return block->size() == 1 ? freedField(block->body_front()) : nullptr;
  if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(stmt)) {
    if (branch->isConsteval()) return nullptr; // it has no condition
    const clang::MemberExpr *freed = branch->getElse() ? nullptr : freedField(branch->getThen());
    const clang::Expr *asked = branch->getCond()->IgnoreParenImpCasts();
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(asked); op && op->getOpcode() == clang::BO_NE) {
      bool isNull = op->getRHS()->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNotNull) !=
                    clang::Expr::NPCK_NotNull;
      asked = isNull ? op->getLHS()->IgnoreParenImpCasts() : asked;
    }
    const clang::MemberExpr *test = freed ? countedField(asked, context) : nullptr;
    if (!test) return nullptr;
    Change a, b;
    return fieldOf(test) == fieldOf(freed) && baseKey(test->getBase(), a) == baseKey(freed->getBase(), b) ? freed
                                                                                                          : nullptr;
  }
  const clang::Expr *given = nullptr;
  if (const auto *gone = llvm::dyn_cast<clang::CXXDeleteExpr>(stmt)) given = gone->getArgument();
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    const clang::FunctionDecl *callee = calleeOf(call);
    bool frees = callee && callee->getIdentifier() && callee->getName() == "free" && isOfSystem(callee, context) &&
                 call->getNumArgs() == 1;
    given = frees ? call->getArg(0) : nullptr;
  }
  return given ? countedField(given->IgnoreParenCasts(), context) : nullptr;
}

static bool isExchange(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = calleeOf(call);
  return callee && callee->isInStdNamespace() && callee->getIdentifier() && callee->getName() == "exchange" &&
         call->getNumArgs() == 2;
}

/// `std::exchange(that.p, nullptr)`: the field. Null if it is anything else.
const clang::MemberExpr *RecordSetters::emptiedField(const clang::Expr *expr) const {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(expr->IgnoreParenCasts());
  if (!call || !isExchange(call)) return nullptr;
  const clang::MemberExpr *field = countedField(call->getArg(0), context);
  bool isNull = call->getArg(1)->IgnoreParenCasts()->isNullPointerConstant(
                    context, clang::Expr::NPC_ValueDependentIsNotNull) != clang::Expr::NPCK_NotNull ||
                (llvm::isa<clang::MaterializeTemporaryExpr>(call->getArg(1)) &&
                 llvm::isa<clang::CXXNullPtrLiteralExpr>(
                     llvm::cast<clang::MaterializeTemporaryExpr>(call->getArg(1))->getSubExpr()->IgnoreParenCasts()));
  return field && isMemoryField(fieldOf(field), context) && isNull ? field : nullptr;
}

//===--- Values -----------------------------------------------------------===//

/// isHere: it is computed where the assignment stands; otherwise earlier, when only locals that are set once held what
/// they hold now.
std::optional<Symbolic> RecordSetters::value(const clang::Expr *expr, const Change &change, const Bound &bound,
                                             bool isHere) const {
  expr = expr->IgnoreParens();
  clang::Expr::EvalResult fixed;
  if (!expr->isValueDependent() && expr->getType()->isIntegerType() && expr->EvaluateAsInt(fixed, context))
    return fixed.Val.getInt().isRepresentableByInt64() ? std::optional<Symbolic>(fixed.Val.getInt().getExtValue())
                                                       : std::nullopt;
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    bool isKept = cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_NoOp ||
                  (cast->getCastKind() == clang::CK_IntegralCast && context.getTypeSize(cast->getType()) >= 32);
    return isKept ? value(cast->getSubExpr(), change, bound, isHere) : std::nullopt;
  }
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (op->getOpcode() != clang::BO_Add && op->getOpcode() != clang::BO_Sub && op->getOpcode() != clang::BO_Mul)
      return std::nullopt;
    if (!op->getType()->isIntegerType()) return std::nullopt;
    std::optional<Symbolic> a = value(op->getLHS(), change, bound, isHere),
                            b = value(op->getRHS(), change, bound, isHere);
    if (!a || !b) return std::nullopt;
    Symbolic made = op->getOpcode() == clang::BO_Add ? *a + *b : op->getOpcode() == clang::BO_Sub ? *a - *b : *a * *b;
    return made.isPoisoned() ? std::nullopt : std::optional(made);
  }
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    if (!variable || !variable->getType()->isIntegerType() || context.getTypeSize(variable->getType()) < 32)
      return std::nullopt;
    if (const auto *formal = llvm::dyn_cast<clang::ParmVarDecl>(variable))
      if (auto argument = bound.find(formal); argument != bound.end())
        return value(argument->second, change, {}, isHere);
    if (!isSetOnce(variable)) return std::nullopt;
    std::string name = "v" + std::to_string(reinterpret_cast<uintptr_t>(variable->getCanonicalDecl()));
    if (variable->getInit() && !llvm::isa<clang::ParmVarDecl>(variable)) firstValues[name] = variable->getInit();
    return Symbolic::symbol(name);
  }
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (!isHere || !field || !isCountField(field, context)) return std::nullopt;
    Change of;
    std::string base = baseKey(member->getBase(), of);
    if (member->isArrow()) base = "*" + base;
    if (field->getParent() == change.record && base == change.base) {
      auto known = change.integers.find(field->getNameAsString());
      return known != change.integers.end() ? known->second : Symbolic::symbol("." + field->getNameAsString());
    }
    // Another object, as it was before: it may be this one by another name.
    bool isSame = field->getParent() != change.record || !change.integers.count(field->getNameAsString());
    if (base.find('?') != std::string::npos || change.hasOtherStores || !isSame) return std::nullopt;
    return Symbolic::symbol(base + "." + field->getNameAsString());
  }
  return std::nullopt;
}

/// Nothing: it allocates nothing.
std::optional<Symbolic> RecordSetters::bytesAllocated(const clang::CallExpr *call, const Change &change,
                                                      const Bound &bound, bool isHere) const {
  const clang::FunctionDecl *callee = calleeOf(call);
  if (!callee || !callee->getIdentifier() || !isOfSystem(callee, context)) return std::nullopt;
  int first = llvm::StringSwitch<int>(callee->getName())
                  .Cases("malloc", "calloc", 0)
                  .Cases("aligned_alloc", "realloc", "memalign", 1)
                  .Default(-1);
  if (first < 0 || unsigned(first) >= call->getNumArgs()) return std::nullopt;
  std::optional<Symbolic> bytes = value(call->getArg(unsigned(first)), change, bound, isHere);
  if (callee->getName() != "calloc" || !bytes || call->getNumArgs() != 2) return bytes;
  std::optional<Symbolic> each = value(call->getArg(1), change, bound, isHere);
  return each ? std::optional(*bytes * *each) : std::nullopt;
}

RecordSetters::Memory RecordSetters::memory(const clang::Expr *expr, const clang::FieldDecl *field,
                                            const Change &change, const Bound &bound, bool isHere) const {
  using Kind = Memory::Kind;
  expr = expr->IgnoreParenCasts();
  if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expr))
    expr = cleanups->getSubExpr()->IgnoreParenCasts();
  if (const auto *standard = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expr))
    expr = standard->getExpr()->IgnoreParenCasts();
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr, clang::CXXNullPtrLiteralExpr,
                clang::GNUNullExpr>(expr) ||
      expr->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNotNull) != clang::Expr::NPCK_NotNull)
    return {Kind::Null, {}, ""};
  uint64_t row = bytesOf(field->getType()->getPointeeType(), context);
  auto fresh = [&](std::optional<Symbolic> bytes) -> Memory {
    if (!bytes || bytes->isPoisoned()) return {};
    Symbolic count = floorDiv(*bytes, int64_t(row));
    return count * Symbolic(int64_t(row)) == *bytes ? Memory{Kind::Fresh, count, ""} : Memory{};
  };
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    Memory a = memory(choice->getTrueExpr(), field, change, bound, isHere),
           b = memory(choice->getFalseExpr(), field, change, bound, isHere);
    return a.kind == Kind::Null ? b : b.kind == Kind::Null ? a : Memory{};
  }
  if (const auto *made = llvm::dyn_cast<clang::CXXNewExpr>(expr)) {
    if (made->getNumPlacementArgs() > 0 || !made->isArray() || !made->getArraySize() || !*made->getArraySize())
      return {};
    std::optional<Symbolic> count = value(*made->getArraySize(), change, bound, isHere);
    return fresh(count ? std::optional(*count * Symbolic(int64_t(bytesOf(made->getAllocatedType(), context))))
                       : std::nullopt);
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr)) {
    if (std::optional<Symbolic> bytes = bytesAllocated(call, change, bound, isHere)) return fresh(bytes);
    const clang::FunctionDecl *callee = calleeOf(call);
    if (isExchange(call))
      return taken.count(call->getArg(0)->IgnoreParens()) ? memory(call->getArg(0), field, change, bound, isHere)
                                                          : Memory{};
    const clang::Expr *result = bound.empty() && callee && !isOfSystem(callee, context) && !callee->isVirtualAsWritten()
                                    ? singleReturn(callee)
                                    : nullptr;
    const clang::FunctionDecl *definition = nullptr;
    if (!result || !callee->hasBody(definition) || llvm::isa<clang::CXXOperatorCallExpr>(call)) return {};
    Bound formals;
    for (unsigned k = 0; k < definition->getNumParams() && k < call->getNumArgs(); ++k)
      if (!definition->getParamDecl(k)->getType()->isReferenceType())
        formals[definition->getParamDecl(k)] = call->getArg(k);
    return formals.empty() ? Memory{} : memory(result, field, change, formals, isHere);
  }
  if (const clang::VarDecl *variable = variableOf(expr)) {
    if (llvm::isa<clang::ParmVarDecl>(variable) || !variable->getInit() || !isSetOnce(variable)) return {};
    Memory first = memory(variable->getInit(), field, change, bound, false);
    return first.kind == Kind::Fresh || first.kind == Kind::Null ? first : Memory{};
  }
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr);
  if (!isHere || !member || member->getMemberDecl() != field || change.hasOtherStores ||
      change.pointers.count(field->getNameAsString()))
    return {};
  Change of;
  std::string base = baseKey(member->getBase(), of);
  if (member->isArrow()) base = "*" + base;
  return base.find('?') == std::string::npos && base != change.base ? Memory{Kind::Copied, {}, base} : Memory{};
}

//===--- Changes ----------------------------------------------------------===//

RecordSetters::Change RecordSetters::begin(const Write &write) const {
  Change change;
  change.record = write.field->getParent();
  if (!write.target) {
    change.base = "*this";
    return change;
  }
  change.base = baseKey(write.target->getBase(), change);
  if (write.target->isArrow()) change.base = "*" + change.base;
  return change;
}

void RecordSetters::apply(const Write &write, Change &change) {
  std::string name = write.field->getNameAsString();
  if (!isCountField(write.field, context)) {
    change.freed.erase(name);
    change.pointers[name] = write.isNulled ? Memory{Memory::Kind::Null, {}, ""}
                            : write.value  ? memory(write.value, write.field, change, {}, true)
                                           : Memory{};
    return;
  }
  std::optional<Symbolic> now;
  if (write.value) now = value(write.value, change, {}, true);
  else if (write.by) {
    auto known = change.integers.find(name);
    if (known == change.integers.end()) now = Symbolic::symbol("." + name) + Symbolic(*write.by);
    else if (known->second) now = *known->second + Symbolic(*write.by);
  }
  change.integers[name] = now;
}

/// Formulas over the fields that give the count at the change's end.
std::set<std::string> RecordSetters::countsOf(const Change &change, const Symbolic &count) const {
  constexpr size_t most = 16;
  std::map<std::string, Symbolic> now; ///< Of each integer field.
  for (const clang::FieldDecl *field : change.record->fields()) {
    if (!isCountField(field, context)) continue;
    std::string name = field->getNameAsString();
    auto set = change.integers.find(name);
    if (set == change.integers.end()) now[name] = Symbolic::symbol("." + name);
    else if (set->second) now[name] = *set->second;
  }
  std::set<std::string> found;
  skeleton::Substitution values;
  for (const auto &[name, value] : now) values[name] = value;
  std::vector<Symbolic> begun = {count};
  for (size_t k = 0; k < begun.size() && begun.size() < most * 4; ++k) {
    const Symbolic formula = begun[k];
    std::optional<std::string> open; ///< A symbol that is no field.
    for (const std::string &symbol : formula.symbols())
      if (!now.count(symbol) && !open) open = symbol;
    if (!open) {
      if (formula.substitute(values) == count && found.size() < most) found.insert(toString(formula));
      continue;
    }
    skeleton::Substitution step;
    for (const auto &[name, value] : now)
      if (std::optional<int64_t> more = (value - Symbolic::symbol(*open)).constant()) {
        step[*open] = Symbolic::symbol(name) - Symbolic(*more);
        begun.push_back(formula.substitute(step));
      }
    if (!step.empty()) continue;
    if (auto first = firstValues.find(*open); first != firstValues.end())
      if (std::optional<Symbolic> made = value(first->second, change, {}, false)) {
        step[*open] = *made;
        Symbolic opened = formula.substitute(step);
        // Its first value in all of them.
        skeleton::Substitution same = {{*open, *made}};
        std::set<std::string> more;
        Change reopened = change;
        for (auto &[name, value] : reopened.integers)
          if (value) value = value->substitute(same);
        if (!opened.mentions(*open))
          for (const std::string &text : countsOf(reopened, count.substitute(same))) found.insert(text);
      }
  }
  return found;
}

void RecordSetters::finish(const Change &change) {
  if (change.integers.empty() && change.pointers.empty()) return;
  RecordUse &use = uses.records[recordKeyOf(change.record, context)];
  std::set<std::string> all;
  for (const clang::FieldDecl *field : change.record->fields())
    if (isCountField(field, context)) all.insert(field->getNameAsString());
  for (const clang::FieldDecl *field : change.record->fields()) {
    if (!isMemoryField(field, context)) continue;
    std::string name = field->getNameAsString();
    PointerUse &pointer = use.pointers[name];
    auto set = change.pointers.find(name);
    if (set == change.pointers.end()) {
      if (!change.isBirth && !change.freed.count(name))
        for (const auto &[changed, value] : change.integers) pointer.changesAlone.insert(changed);
      continue;
    }
    switch (set->second.kind) {
    case Memory::Kind::Null: break;
    case Memory::Kind::Unknown: pointer.isLost = true; break;
    case Memory::Kind::Copied:
      for (const std::string &field : all) {
        auto now = change.integers.find(field);
        bool isCopied = now != change.integers.end() && now->second &&
                        *now->second == Symbolic::symbol(set->second.from + "." + field);
        if (!isCopied) pointer.changesAlone.insert(field);
      }
      break;
    case Memory::Kind::Fresh: {
      std::set<std::string> counts = countsOf(change, set->second.count);
      if (pointer.counts)
        for (auto it = pointer.counts->begin(); it != pointer.counts->end();)
          it = counts.count(*it) ? std::next(it) : pointer.counts->erase(it);
      else pointer.counts = counts;
      pointer.isLost |= pointer.counts->empty();
      break;
    }
    }
  }
}

void RecordSetters::close(Open &open, llvm::function_ref<bool(const Change &)> isOver) {
  for (const Change &change : open.changes) {
    if (!isOver(change)) continue;
    finish(change);
    open.isNew &= change.base != "*this";
  }
  llvm::erase_if(open.changes, isOver);
}

void RecordSetters::take(const Write &write, Open &open, bool isBirth) {
  Change begun = begin(write);
  auto isIt = [&](const Change &one) { return one.record == begun.record && one.base == begun.base; };
  close(open, [&](const Change &one) {
    return one.record == begun.record && !isIt(one);
  }); // it may be the same by another name
  auto at = llvm::find_if(open.changes, isIt);
  if (at == open.changes.end()) {
    begun.isBirth = isBirth;
    at = open.changes.insert(open.changes.end(), std::move(begun));
  }
  apply(write, *at);
}

void RecordSetters::takeInitializers(const clang::CXXConstructorDecl *constructor, Open &open) {
  std::vector<Write> emptied; ///< By exchange: `p(std::exchange(that.p, nullptr))`.
  open.isNew = !constructor->isDelegatingConstructor();
  for (const clang::CXXCtorInitializer *init : constructor->inits()) {
    const clang::MemberExpr *other = emptiedField(init->getInit());
    if (other) {
      taken.insert(other);
      emptied.push_back({fieldOf(other), other, nullptr, std::nullopt, true});
    }
    Effects effects;
    addEffects(init->getInit(), effects);
    for (Change &change : open.changes)
      change.hasOtherStores |= effects.calls || !effects.stores.empty() || (effects.storesElsewhere && !other);
    const clang::FieldDecl *field = init->getMember();
    bool isEither =
        field && (isCountField(field, context) || isMemoryField(field, context)) && counts(field->getParent(), context);
    if (isEither) take({field, nullptr, init->getInit(), std::nullopt}, open, open.isNew);
  }
  for (const Write &write : emptied) take(write, open, false);
}

/// What the statement may do to changes that are not over yet. False: the assignments in it are looked at one by one.
bool RecordSetters::passStatement(const clang::Stmt *stmt, llvm::ArrayRef<Write> writes, Open &open) {
  Effects effects;
  addEffects(stmt, effects);
  bool isWhole = writes.size() == effects.fields.size() && !(effects.calls && writes.size() > 1);
  if (effects.jumps || effects.calls || !isWhole) close(open, [](const Change &) { return true; });
  open.isNew &= !effects.calls;
  close(open, [&](const Change &change) {
    bool moves = llvm::any_of(change.bases, [&](const clang::Decl *one) { return effects.stores.count(one) != 0; });
    return moves || (change.loadsBase && effects.storesElsewhere);
  });
  bool isOther = effects.storesElsewhere || llvm::any_of(effects.stores, [&](const clang::Decl *one) {
                   const auto *variable = llvm::dyn_cast<clang::VarDecl>(one);
                   return !(variable && variable->hasLocalStorage()) && llvm::none_of(writes, [&](const Write &write) {
                     return write.field->getCanonicalDecl() == one;
                   });
                 });
  for (Change &change : open.changes) change.hasOtherStores |= isOther;
  return isWhole;
}

void RecordSetters::takeBlock(const clang::CompoundStmt *block, const clang::CXXConstructorDecl *constructor) {
  Open open;
  if (constructor) takeInitializers(constructor, open);
  for (const clang::Stmt *stmt : block->body()) {
    std::vector<Write> writes;
    if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt)) collectWrites(expr, writes);
    if (!passStatement(stmt, writes, open)) continue;
    for (const Write &write : writes) {
      taken.insert(write.target);
      take(write, open, open.isNew && begin(write).base == "*this");
    }
    const clang::MemberExpr *freed = freedField(stmt);
    if (!freed) continue;
    Change begun = begin({fieldOf(freed), freed, nullptr, std::nullopt});
    auto at = llvm::find_if(open.changes,
                            [&](const Change &one) { return one.record == begun.record && one.base == begun.base; });
    if (at == open.changes.end()) at = open.changes.insert(open.changes.end(), std::move(begun));
    at->pointers.erase(fieldOf(freed)->getNameAsString());
    at->freed.insert(fieldOf(freed)->getNameAsString());
  }
  close(open, [](const Change &) { return true; });
}

void RecordSetters::takeList(const clang::InitListExpr *list) {
  const clang::RecordDecl *record = list->getType()->getAsRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  if (!record || !counts(record, context)) return;
  unsigned position = 0;
  if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record)) position = derived->getNumBases();
  Change change;
  change.record = record;
  change.base = "?";
  change.isBirth = true;
  for (const clang::FieldDecl *field : record->fields()) {
    if (field->isUnnamedBitField()) continue;
    bool isEither = isCountField(field, context) || isMemoryField(field, context);
    if (isEither && position < list->getNumInits() && list->getInit(position))
      apply({field, nullptr, list->getInit(position), std::nullopt}, change);
    ++position;
  }
  finish(change);
}

void RecordSetters::takeAlone(const clang::Expr *expr) {
  const clang::Expr *target = nullptr;
  Write write;
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) target = op->getSubExpr();
  else if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    target = op->getLHS();
    if (op->getOpcode() == clang::BO_Assign) write.value = op->getRHS();
  }
  const clang::MemberExpr *member = target ? countedField(target, context) : nullptr;
  if (!member || !taken.insert(member).second) return;
  write.field = fieldOf(member);
  write.target = member;
  Change change = begin(write);
  apply(write, change);
  finish(change);
}

} // namespace busfare::frontend
