//===- clang-plugin/records/RecordScan.cpp - Who may change the fields of records -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "RecordScan.h"
#include "RecordSetters.h"
#include "Targets.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/Symbols.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

namespace {

class Scan {
public:
  explicit Scan(clang::ASTContext &context) : context(context), setters(context, uses) {}

  void take(const clang::Decl *decl) {
    if (!decl || decl->isInvalidDecl() || context.getSourceManager().isInSystemHeader(decl->getLocation()) ||
        isOfModelledLibrary(decl))
      return;
    if (const auto *shared = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) {
      for (const clang::FunctionDecl *instance : shared->specializations()) take(instance);
    } else if (const auto *shared = llvm::dyn_cast<clang::ClassTemplateDecl>(decl)) {
      for (const clang::ClassTemplateSpecializationDecl *instance : shared->specializations()) takeRecord(instance);
    } else if (const auto *shared = llvm::dyn_cast<clang::VarTemplateDecl>(decl)) {
      for (const clang::VarTemplateSpecializationDecl *instance : shared->specializations()) take(instance);
    } else if (const auto *made = llvm::dyn_cast<clang::FriendDecl>(decl)) take(made->getFriendDecl());
    else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl)) takeFunction(function);
    else if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      if (variable->getInit() && !variable->getType()->isDependentType() && !variable->getInit()->isValueDependent())
        visit(variable->getInit());
    } else if (llvm::isa<clang::FileScopeAsmDecl>(decl)) uses.isClosed = false;
    else if (const auto *record = llvm::dyn_cast<clang::RecordDecl>(decl)) takeRecord(record);
    else if (const auto *around = llvm::dyn_cast<clang::DeclContext>(decl);
             around &&
             llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExternCContextDecl, clang::ExportDecl>(
                 decl))
      for (const clang::Decl *inner : around->decls()) take(inner);
  }

  RecordUses finish() {
    for (const clang::MemberExpr *member : mentioned) {
      if (fine.count(member) || setters.hasTaken(member)) continue;
      const auto *field = llvm::cast<clang::FieldDecl>(member->getMemberDecl());
      RecordUse &use = uses.records[recordKeyOf(field->getParent(), context)];
      if (isMemoryField(field, context)) use.pointers[field->getNameAsString()].isLost = true;
      else use.loose.insert(field->getNameAsString());
    }
    return std::move(uses);
  }

private:
  //===--- Declarations ---------------------------------------------------===//

  void takeFunction(const clang::FunctionDecl *function) {
    if (function->isDependentContext() || !function->doesThisDeclarationHaveABody() || function->isImplicit() ||
        function->isDefaulted() || function->isDeleted() || !function->getBody() || !walked.insert(function).second)
      return;
    const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function);
    const auto *body = llvm::dyn_cast<clang::CompoundStmt>(function->getBody());
    if (constructor) {
      if (body && blocks.insert(body).second) setters.takeBlock(body, constructor);
      for (const clang::CXXCtorInitializer *init : constructor->inits())
        if (init->getInit()) visit(init->getInit());
      if (!body) // `try : n(n_) {} catch ...`
        for (const clang::CXXCtorInitializer *init : constructor->inits())
          if (const clang::FieldDecl *field = init->getMember()) loseRecord(field->getParent());
    }
    visit(function->getBody());
  }

  void takeRecord(const clang::RecordDecl *record) {
    if (!record->isThisDeclarationADefinition() || record->isDependentType() || !records.insert(record).second) return;
    for (const clang::FieldDecl *field : record->fields()) {
      if (record->isUnion()) loseType(field->getType()); // by way of its other members
      const clang::Expr *init = field->hasInClassInitializer() ? field->getInClassInitializer() : nullptr;
      if (!init) continue;
      bool isNull = init->IgnoreParenCasts()->isNullPointerConstant(
                        context, clang::Expr::NPC_ValueDependentIsNotNull) != clang::Expr::NPCK_NotNull;
      const auto *list = llvm::dyn_cast<clang::InitListExpr>(init);
      isNull |= list && list->getNumInits() == 0;
      std::string key = isMemoryField(field, context) ? recordKeyOf(record, context) : "";
      if (!key.empty() && !isNull) uses.records[key].pointers[field->getNameAsString()].isLost = true;
      visit(init);
    }
    for (const clang::Decl *inner : record->decls())
      if (!inner->isImplicit() && !llvm::isa<clang::FieldDecl>(inner)) take(inner);
  }

  //===--- All fields of a record -----------------------------------------===//

  /// keepsTargets: but for what its own fields call.
  void loseRecord(const clang::RecordDecl *record, bool keepsTargets = false) {
    record = record ? record->getDefinition() : nullptr;
    if (!record || record->isDependentType() || lost.count(record) ||
        !(keepsTargets ? lostButTargets : lost).insert(record).second)
      return;
    if (std::string key = recordKeyOf(record, context); !key.empty()) {
      RecordUse &use = uses.records[key];
      for (const clang::FieldDecl *field : record->fields())
        if (isMemoryField(field, context)) use.pointers[field->getNameAsString()].isLost = true;
        else if (isFunctionField(field)) use.targets[field->getNameAsString()].isLost |= !keepsTargets;
        else if (isCountField(field, context)) use.loose.insert(field->getNameAsString());
    }
    for (const clang::FieldDecl *field : record->fields()) loseType(field->getType());
    if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record))
      for (const clang::CXXBaseSpecifier &base : derived->bases()) loseType(base.getType());
  }
  /// Of what is part of an object of the type.
  void loseType(clang::QualType type) {
    type = innermost(type, context);
    if (!type.isNull()) loseRecord(type->getAsRecordDecl());
  }

  //===--- Casts and copies -----------------------------------------------===//

  static clang::QualType pointeeOrSelf(clang::QualType type) {
    return type->isPointerType() || type->isReferenceType() ? type->getPointeeType() : type;
  }

  /// `sizeof(T)`, `sizeof *p`, `n * sizeof(T)`: whole objects of the type.
  bool coversWhole(const clang::Expr *size, clang::QualType type) const {
    size = size->IgnoreParenCasts();
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(size))
      return op->getOpcode() == clang::BO_Mul && (coversWhole(op->getLHS(), type) || coversWhole(op->getRHS(), type));
    const auto *trait = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(size);
    return trait && trait->getKind() == clang::UETT_SizeOf &&
           context.hasSameUnqualifiedType(innermost(trait->getTypeOfArgument(), context), innermost(type, context));
  }

  static const clang::Expr *withoutCasts(const clang::Expr *expr) { return expr->IgnoreParenCasts(); }

  /// Arguments that system functions look at, or copy as a whole.
  void takeSystemCall(const clang::CallExpr *call, const clang::FunctionDecl *callee) {
    const std::vector<const clang::Expr *> arguments = argumentsOf(call);
    llvm::StringRef name = callee->getIdentifier() ? callee->getName() : "";
    auto typeOf = [&](unsigned k) { return pointeeOrSelf(withoutCasts(arguments[k])->getType()); };
    auto allow = [&](unsigned k) {
      for (const clang::Expr *at = arguments[k]; at;) {
        const auto *cast = llvm::dyn_cast<clang::CastExpr>(at->IgnoreParens());
        if (cast) fineCasts.insert(cast);
        at = cast ? cast->getSubExpr() : nullptr;
      }
    };
    unsigned count = unsigned(arguments.size());
    if (name == "dlsym" || name == "ptrace" || name == "process_vm_writev") uses.isClosed = false;
    for (unsigned k = 0; k < count; ++k) {
      bool isNamed = k < callee->getNumParams();
      clang::QualType type = isNamed ? callee->getParamDecl(k)->getType() : clang::QualType();
      bool isLookedAt =
          isNamed && (type->isPointerType() || type->isReferenceType()) && type->getPointeeType().isConstQualified();
      bool isPrinted = !isNamed && name.ends_with("printf");
      if (isLookedAt || isPrinted) allow(k);
      if (isNamed && type->isReferenceType() && type->getPointeeType().isConstQualified()) {
        const clang::Expr *given = arguments[k];
        if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(given)) given = cast->getSubExpr();
        if (const clang::MemberExpr *field = countedField(given, context)) fine.insert(field);
      }
    }
    if (count == 0) return;
    bool isWhole = llvm::StringSwitch<bool>(name)
                       .Cases("free", "realloc", true)
                       .Cases("memcpy", "memmove", "__builtin_memcpy", "__builtin_memmove",
                              count == 3 && coversWhole(arguments[2], typeOf(0)) &&
                                  context.hasSameUnqualifiedType(typeOf(0), typeOf(1)))
                       .Cases("memset", "__builtin_memset",
                              count == 3 && coversWhole(arguments[2], typeOf(0)) && isZero(arguments[1]))
                       .Case("qsort", count == 4 && coversWhole(arguments[2], typeOf(0)))
                       .Default(false);
    if (isWhole) allow(0);
  }

  bool isZero(const clang::Expr *expr) const {
    clang::Expr::EvalResult value;
    return expr->EvaluateAsInt(value, context) && value.Val.getInt() == 0;
  }

  /// Structs whose fields lie in one row; null for all others.
  static const clang::RecordDecl *plainRecord(clang::QualType type) {
    const clang::RecordDecl *record = type->getAsRecordDecl();
    record = record ? record->getDefinition() : nullptr;
    if (!record || record->isUnion() || record->isDependentType() || record->isInvalidDecl()) return nullptr;
    const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record);
    return derived && (derived->getNumBases() > 0 || derived->isPolymorphic()) ? nullptr : record;
  }

  /// `(struct Base *)derived`, as C writes classes: a field that holds a function may be seen as the one that lies at
  /// its place in the other. Whatever else is there takes the function away.
  bool shareTargets(const clang::RecordDecl *a, const clang::RecordDecl *b) {
    const std::string aKey = recordKeyOf(a, context), bKey = recordKeyOf(b, context);
    if (aKey.empty() || bKey.empty()) return false;
    loseRecord(a, true);
    loseRecord(b, true);
    shareTargets(a, aKey, b, bKey);
    shareTargets(b, bKey, a, aKey);
    return true;
  }
  void shareTargets(const clang::RecordDecl *own, const std::string &key, const clang::RecordDecl *other,
                    const std::string &otherKey) {
    const clang::ASTRecordLayout &layout = context.getASTRecordLayout(own),
                                 &otherLayout = context.getASTRecordLayout(other);
    for (const clang::FieldDecl *field : own->fields()) {
      if (!isFunctionField(field)) continue;
      const uint64_t begin = layout.getFieldOffset(field->getFieldIndex()),
                     end = begin + context.getTypeSize(field->getType());
      for (const clang::FieldDecl *there : other->fields()) {
        const uint64_t at = otherLayout.getFieldOffset(there->getFieldIndex());
        const uint64_t bits =
            there->isBitField() ? there->getBitWidthValue(context) : context.getTypeSize(there->getType());
        if (at >= end || at + bits <= begin) continue;
        RecordUse &use = uses.records[key];
        if (at == begin && isFunctionField(there) && context.hasSameUnqualifiedType(field->getType(), there->getType()))
          use.sharedTargets.insert({field->getNameAsString(), otherKey, there->getNameAsString()});
        else use.targets[field->getNameAsString()].isLost = true;
      }
    }
  }

  /// `static void release(void *p) { free(p); }`: the parameter goes nowhere else.
  bool onlyFrees(const clang::FunctionDecl *callee, unsigned k) {
    const clang::FunctionDecl *definition = nullptr;
    if (!callee->hasBody(definition) || k >= definition->getNumParams() ||
        !definition->getParamDecl(k)->getType()->isVoidPointerType())
      return false;
    unsigned named = 0, freed = 0;
    auto isIt = [&](const clang::Expr *expr) {
      const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(withoutCasts(expr));
      return ref && ref->getDecl() == definition->getParamDecl(k);
    };
    auto count = [&](auto &self, const clang::Stmt *stmt) -> void {
      if (!stmt) return;
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) named += isIt(ref);
      if (const auto *test = llvm::dyn_cast<clang::IfStmt>(stmt)) freed += isIt(test->getCond()); // looked at only
      const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt);
      const clang::FunctionDecl *inner = call ? calleeOf(call) : nullptr;
      if (inner && inner->getIdentifier() && inner->getName() == "free" && isOfSystem(inner, context) &&
          call->getNumArgs() == 1)
        freed += isIt(call->getArg(0));
      for (const clang::Stmt *part : partsOf(stmt)) self(self, part);
    };
    count(count, definition->getBody());
    return named > 0 && named == freed;
  }

  void takeCast(const clang::CastExpr *cast) {
    switch (cast->getCastKind()) {
    case clang::CK_BitCast:
    case clang::CK_LValueBitCast:
    case clang::CK_LValueToRValueBitCast:
    case clang::CK_AddressSpaceConversion:
    case clang::CK_ReinterpretMemberPointer:
    case clang::CK_CPointerToObjCPointerCast:
    case clang::CK_IntegralToPointer: break;
    default: return;
    }
    if (fineCasts.count(cast)) return;
    clang::QualType from = pointeeOrSelf(cast->getSubExpr()->getType()), to = pointeeOrSelf(cast->getType());
    if (context.hasSameUnqualifiedType(from, to)) return;
    if (const auto *a = plainRecord(from), *b = plainRecord(to); a && b && shareTargets(a, b)) return;
    loseType(from);
    if (!from->isVoidType()) loseType(to); // memory that was something else before
  }

  //===--- Statements -----------------------------------------------------===//

  void use(const clang::FunctionDecl *function) {
    if (!function || isOfSystem(function, context) || function->hasBody() || function->isImplicit() ||
        function->isDefaulted() || function->isDeleted())
      return;
    if (function->isPureVirtual() || function->isDependentContext()) return;
    uses.undefined.insert(symbolOf(function));
  }

  /// What is written where it is only looked at.
  void read(const clang::Expr *expr) {
    const clang::MemberExpr *field = countedField(expr, context);
    if (!field) return;
    fine.insert(field);
    const auto *decl = llvm::cast<clang::FieldDecl>(field->getMemberDecl());
    if (isMemoryField(decl, context))
      uses.records[recordKeyOf(decl->getParent(), context)].pointers[decl->getNameAsString()].isUsed = true;
  }

  void visit(const clang::Stmt *stmt) {
    if (!stmt) return;
    visitOne(stmt);
    for (const clang::Stmt *part : partsOf(stmt)) visit(part);
  }

  void visitOne(const clang::Stmt *stmt) {
    if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(stmt)) {
      if (blocks.insert(block).second) setters.takeBlock(block);
    } else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(stmt)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_ToVoid)
        read(cast->getSubExpr());
      takeCast(cast);
    } else if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt)) {
      if (op->isAssignmentOp()) setters.takeAlone(op);
    } else if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt)) {
      if (op->isIncrementDecrementOp()) setters.takeAlone(op);
    } else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(stmt)) {
      if (countedField(member, context)) mentioned.push_back(member);
      use(llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()));
    } else if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
      if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(ref->getDecl()))
        loseRecord(field->getParent()); // `&R::n`
      use(llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl()));
    } else if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(stmt)) {
      const clang::InitListExpr *semantic = list->isSemanticForm() ? list : list->getSemanticForm();
      if (semantic && lists.insert(semantic).second) setters.takeList(semantic);
    } else if (llvm::isa<clang::AsmStmt>(stmt)) uses.isClosed = false;
    else visitRare(stmt);
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt))
      if (const clang::FunctionDecl *callee = calleeOf(call)) {
        if (isOfSystem(callee, context)) takeSystemCall(call, callee);
        else if (!llvm::isa<clang::CXXMethodDecl>(callee))
          for (unsigned k = 0; k < call->getNumArgs(); ++k)
            if (const auto *given = llvm::dyn_cast<clang::CastExpr>(call->getArg(k)); given && onlyFrees(callee, k))
              fineCasts.insert(given);
      }
  }

  void visitRare(const clang::Stmt *stmt) {
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt)) use(made->getConstructor());
    if (const auto *trait = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(stmt); trait && !trait->isArgumentType()) {
      if (const clang::MemberExpr *field = countedField(trait->getArgumentExpr(), context)) fine.insert(field);
    }
    if (const auto *offset = llvm::dyn_cast<clang::OffsetOfExpr>(stmt))
      loseType(offset->getTypeSourceInfo()->getType());
    if (llvm::isa<clang::DesignatedInitUpdateExpr>(stmt)) loseType(llvm::cast<clang::Expr>(stmt)->getType());
    if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(stmt))
      if (const clang::FunctionTemplateDecl *shared = lambda->getCallOperator()->getDescribedFunctionTemplate())
        take(shared);
    if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(stmt))
      for (const clang::Decl *decl : declared->decls()) {
        if (llvm::isa<clang::RecordDecl>(decl)) take(decl);
        if (const auto *parts = llvm::dyn_cast<clang::DecompositionDecl>(decl))
          loseType(parts->getType().getNonReferenceType());
      }
    if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt))
      for (const clang::OMPClause *clause : directive->clauses())
        if (clause)
          for (const clang::Stmt *part : clause->children()) visit(part);
  }

  clang::ASTContext &context;
  RecordUses uses;
  RecordSetters setters;
  std::set<const clang::FunctionDecl *> walked;
  std::set<const clang::RecordDecl *> records, lost, lostButTargets;
  std::set<const clang::Stmt *> blocks, lists;
  std::vector<const clang::MemberExpr *> mentioned;
  std::set<const clang::MemberExpr *> fine;
  std::set<const clang::CastExpr *> fineCasts;
};

} // namespace

RecordUses findRecordUses(clang::ASTContext &context, llvm::ArrayRef<const clang::Decl *> decls) {
  Scan scan(context);
  for (const clang::Decl *decl : decls) scan.take(decl);
  RecordUses uses = scan.finish();
  addTargetUses(context, uses);
  return uses;
}

} // namespace busfare::frontend
