//===- clang-plugin/records/Targets.cpp - Calls of which it is known what they may run -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "RecordSetters.h"
#include "StdFunctions.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/Patterns.h"
#include "clang-plugin/lower/Symbols.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

namespace busfare::frontend {

bool isFunctionField(const clang::FieldDecl *field) {
  const clang::QualType type = field->getType();
  return (type->isFunctionPointerType() || signatureOf(type)) && !type->isReferenceType() &&
         !type.isVolatileQualified();
}

namespace {

/// What units call a function among each other: two of them may have static ones of one name, which are two functions,
/// and two of one file name stand in two folders.
std::string nameAmongUnits(const clang::FunctionDecl *function, const clang::ASTContext &context) {
  const std::string symbol = symbolOf(function);
  if (function->isExternallyVisible()) return symbol;
  const clang::SourceManager &sources = context.getSourceManager();
  const auto file = sources.getFileEntryRefForID(sources.getMainFileID());
  if (!file) return symbol + "@";
  return symbol + "@" +
         (file->getFileEntry().tryGetRealPathName().empty() ? file->getName()
                                                            : file->getFileEntry().tryGetRealPathName())
             .str();
}

/// The functions that the value may be, besides null; nothing: it may be any.
class StoredFunctions {
public:
  StoredFunctions(const clang::ASTContext &context, const clang::FieldDecl *field) : context(context), field(field) {}
  bool add(const clang::Expr *value) {
    if (llvm::isa<clang::ImplicitValueInitExpr>(value)) return true;
    value = value->IgnoreParenImpCasts();
    if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(value))
      return list->getNumInits() == 0 || (list->getNumInits() == 1 && add(list->getInit(0)));
    if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(value);
        address && address->getOpcode() == clang::UO_AddrOf)
      value = address->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(value))
      return add(choice->getTrueExpr()) && add(choice->getFalseExpr());
    if (const auto *assigned = llvm::dyn_cast<clang::BinaryOperator>(value);
        assigned && assigned->getOpcode() == clang::BO_Assign)
      return add(assigned->getRHS());
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
      const auto *function = llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl());
      if (function) symbols.insert(nameAmongUnits(function, context));
      return function != nullptr;
    }
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(value))
      return member->getMemberDecl() == field; // of another such record
    return value->IgnoreParenCasts()->isNullPointerConstant(const_cast<clang::ASTContext &>(context),
                                                            clang::Expr::NPC_ValueDependentIsNotNull) !=
           clang::Expr::NPCK_NotNull;
  }
  std::set<std::string> symbols;

private:
  const clang::ASTContext &context;
  const clang::FieldDecl *field;
};

const clang::MemberExpr *functionMember(const clang::Expr *expr) {
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr->IgnoreParens());
  const auto *field = member ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
  return field && isFunctionField(field) && field->getType()->isFunctionPointerType() ? member : nullptr;
}

/// The call operator of an object that holds nothing; it is called where that object can be made again.
std::string nameOfOperator(const clang::FunctionDecl *method, const clang::ASTContext &context) {
  return "object " + nameAmongUnits(method, context);
}

/// Where a std::function lies: a field, or a variable of its own.
const clang::ValueDecl *holderOf(const clang::Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    const auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field) return isFunctionField(field) && signatureOf(field->getType()) ? field : nullptr;
  }
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr); // a static one
  const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(ref      ? ref->getDecl()
                                                                : member ? member->getMemberDecl()
                                                                         : nullptr);
  const bool isIt = variable && !llvm::isa<clang::ParmVarDecl>(variable) && !variable->getType()->isReferenceType() &&
                    !variable->getType().isVolatileQualified();
  return isIt && signatureOf(variable->getType()) ? variable->getCanonicalDecl() : nullptr;
}

/// What units call a field or variable that holds functions among each other: of what, and its name there.
std::pair<std::string, std::string> keyOf(const clang::ValueDecl *holder, const clang::ASTContext &context) {
  if (const auto *field = llvm::dyn_cast<clang::FieldDecl>(holder))
    return {field->getParent()->isDependentContext() ? "" : recordKeyOf(field->getParent(), context),
            field->getNameAsString()};
  const auto *variable = llvm::cast<clang::VarDecl>(holder);
  if (variable->getDeclContext()->isDependentContext() || variable->isTemplated()) return {};
  if (variable->hasGlobalStorage() && variable->isExternallyVisible() && !variable->isStaticLocal())
    return {"?variables", globalNameOf(variable)};
  const clang::SourceManager &sources = context.getSourceManager();
  const clang::PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(variable->getLocation()));
  const auto *function = llvm::dyn_cast_or_null<clang::FunctionDecl>(variable->getParentFunctionOrMethod());
  const auto main = sources.getFileEntryRefForID(sources.getMainFileID());
  if (at.isInvalid() || !main) return {};
  return {"?variables", variable->getNameAsString() + " " + (function ? symbolOf(function) : "") + ":" +
                            std::to_string(at.getLine()) + ":" + std::to_string(at.getColumn()) + " " +
                            at.getFilename() + "@" + main->getName().str()};
}

class Scan : public clang::RecursiveASTVisitor<Scan> {
public:
  Scan(clang::ASTContext &context, RecordUses &uses) : context(context), uses(uses) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseDecl(clang::Decl *decl) { return isPattern(decl) || RecursiveASTVisitor::TraverseDecl(decl); }

  bool VisitBinaryOperator(clang::BinaryOperator *op) {
    const clang::MemberExpr *member = op->isAssignmentOp() ? functionMember(op->getLHS()) : nullptr;
    if (member) {
      fine.insert(member);
      store(llvm::cast<clang::FieldDecl>(member->getMemberDecl()), op->getRHS());
    }
    return true;
  }
  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) {
    if (const clang::MemberExpr *member =
            cast->getCastKind() == clang::CK_LValueToRValue ? functionMember(cast->getSubExpr()) : nullptr)
      fine.insert(member);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *member) {
    if (functionMember(member)) mentioned.push_back(member);
    else if (holderOf(member)) held.push_back(member);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *ref) {
    if (holderOf(ref)) held.push_back(ref);
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *call) {
    const clang::ValueDecl *holder =
        call->isTypeDependent() || call->getNumArgs() == 0 ? nullptr : holderOf(call->getArg(0));
    const clang::OverloadedOperatorKind op = call->getOperator();
    if (!holder || (op != clang::OO_Call && op != clang::OO_Equal && op != clang::OO_EqualEqual)) return true;
    fine.insert(call->getArg(0)->IgnoreParenImpCasts());
    if (op == clang::OO_Equal && call->getNumArgs() == 2) put(holder, call->getArg(1));
    return true;
  }
  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr *call) { // is it empty?
    const auto *asked = llvm::dyn_cast_or_null<clang::CXXConversionDecl>(call->getMethodDecl());
    if (asked && asked->getConversionType()->isBooleanType() && holderOf(call->getImplicitObjectArgument()))
      fine.insert(call->getImplicitObjectArgument()->IgnoreParenImpCasts());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *variable) {
    const bool isHolder = !llvm::isa<clang::ParmVarDecl>(variable) && !variable->getType()->isReferenceType() &&
                          signatureOf(variable->getType());
    if (isHolder && variable->getInit() && !variable->isTemplated())
      put(variable->getCanonicalDecl(), variable->getInit());
    return true;
  }
  bool VisitInitListExpr(clang::InitListExpr *list) {
    const clang::InitListExpr *made = list->isSemanticForm() ? list : list->getSemanticForm();
    const clang::RecordDecl *record = made && !made->isTypeDependent() ? made->getType()->getAsRecordDecl() : nullptr;
    if (!record || record->isUnion()) return true;
    unsigned k = 0;
    if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record)) k = derived->getNumBases();
    for (const clang::FieldDecl *field : record->fields()) {
      if (field->isUnnamedBitField()) continue;
      if (k >= made->getNumInits()) break;
      if (isFunctionField(field)) store(field, made->getInit(k));
      ++k;
    }
    return true;
  }
  bool VisitCXXConstructorDecl(clang::CXXConstructorDecl *constructor) {
    if (constructor->isDependentContext()) return true;
    for (const clang::CXXCtorInitializer *init : constructor->inits())
      if (const clang::FieldDecl *field = init->getAnyMember(); field && init->getInit() && isFunctionField(field)) {
        if (const auto *member = functionMember(init->getInit()->IgnoreParenImpCasts())) fine.insert(member);
        store(field, init->getInit());
      }
    return true;
  }
  bool VisitFieldDecl(clang::FieldDecl *field) {
    if (isFunctionField(field) && field->hasInClassInitializer() && field->getInClassInitializer() &&
        !field->getDeclContext()->isDependentContext())
      store(field, field->getInClassInitializer());
    return true;
  }
  bool VisitCXXRecordDecl(clang::CXXRecordDecl *record) {
    if (!record->isThisDeclarationADefinition() || record->isDependentContext() || !record->isPolymorphic())
      return true;
    if (context.getSourceManager().isInSystemHeader(record->getLocation())) return true;
    for (const clang::CXXMethodDecl *method : record->methods())
      if (method->isVirtual() && !llvm::isa<clang::CXXDestructorDecl>(method) && !method->isPureVirtual())
        overrides(method, method);
    return true;
  }

  void finish() {
    for (const clang::MemberExpr *member : mentioned) {
      const auto *field = llvm::cast<clang::FieldDecl>(member->getMemberDecl());
      if (fine.count(member)) useOf(field); // who calls it has to hear what it is
      else lose(field);
    }
    for (const clang::Expr *one : held)
      if (fine.count(one)) useOf(holderOf(one));
      else lose(holderOf(one));
  }

private:
  clang::ASTContext &context;
  RecordUses &uses;
  std::set<const clang::Expr *> fine;
  std::vector<const clang::MemberExpr *> mentioned; ///< Pointers.
  std::vector<const clang::Expr *> held;            ///< Each a std::function.

  TargetUse *useOf(const clang::ValueDecl *holder) {
    const auto [key, name] = keyOf(holder, context);
    return key.empty() ? nullptr : &uses.records[key].targets[name];
  }
  void lose(const clang::ValueDecl *holder) {
    if (TargetUse *use = useOf(holder)) use->isLost = true;
  }
  /// A std::function is given a value.
  void put(const clang::ValueDecl *holder, const clang::Expr *value) {
    const std::optional<PutIn> given = putInto(holder->getType(), value, context);
    const bool isOwn = given && given->copied && holderOf(given->copied) == holder;
    if (given && given->copied && holderOf(given->copied)) fine.insert(given->copied); // it stays what it is
    TargetUse *use = useOf(holder);
    if (!use) return;
    use->isLost |= !given || (given->copied && !isOwn);
    if (given && given->function)
      use->symbols.insert(given->object ? nameOfOperator(given->function, context)
                                        : nameAmongUnits(given->function, context));
  }
  void store(const clang::FieldDecl *field, const clang::Expr *value) {
    if (signatureOf(field->getType())) return put(field, value);
    StoredFunctions values(context, field);
    const bool isSeen = value && !value->isValueDependent() && values.add(value);
    TargetUse *use = useOf(field);
    if (!use) return;
    use->isLost |= !isSeen;
    use->symbols.insert(values.symbols.begin(), values.symbols.end());
  }
  void overrides(const clang::CXXMethodDecl *method, const clang::CXXMethodDecl *base) {
    uses.overriders[nameAmongUnits(base, context)].insert(nameAmongUnits(method, context));
    for (const clang::CXXMethodDecl *overridden : base->overridden_methods()) overrides(method, overridden);
  }
};

/// The functions that a unit declares, by symbol, and the objects that hold nothing by their call operator's.
class Declared : public clang::RecursiveASTVisitor<Declared> {
public:
  explicit Declared(const clang::ASTContext &context) : context(context) {}
  std::map<std::string, clang::FunctionDecl *> functions;
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (function->isDependentContext() || function->isTemplated()) return true;
    clang::FunctionDecl *&known = functions[nameAmongUnits(function, context)];
    if (!known || function->isThisDeclarationADefinition()) known = function;
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) { // of a std::function
    if (!made->isTypeDependent() && signatureOf(made->getType())) addObject(made->getType(), made);
    return true;
  }
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *call) {
    const bool isIt = call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2 && !call->isTypeDependent();
    if (isIt && signatureOf(call->getArg(0)->getType())) addObject(call->getArg(0)->getType(), call->getArg(1));
    return true;
  }
  std::map<std::string, PutIn> objects;

private:
  const clang::ASTContext &context;
  void addObject(clang::QualType type, const clang::Expr *value) {
    if (const std::optional<PutIn> given = putInto(type, value, context); given && given->object)
      objects.insert({nameOfOperator(given->function, context), *given});
  }
};

class Rewriting : public clang::RecursiveASTVisitor<Rewriting> {
public:
  Rewriting(clang::ASTContext &context, const KnownTargets &targets)
      : context(context), targets(targets), declared(context) {
    declared.TraverseDecl(context.getTranslationUnitDecl());
  }
  bool shouldVisitTemplateInstantiations() const { return true; }
  TargetCalls made;

  /// Static functions that a field of some unit holds are called from there: they get a symbol that all units know them
  /// by.
  void shareStatics() {
    for (const auto &[field, symbols] : targets.fields)
      for (const std::string &symbol : symbols)
        if (clang::FunctionDecl *function = isOfOneUnit(symbol) ? find(symbol) : nullptr;
            function && function->isDefined())
          for (clang::FunctionDecl *each : function->redecls())
            if (!each->hasAttr<clang::AsmLabelAttr>())
              each->addAttr(clang::AsmLabelAttr::CreateImplicit(context, symbol, /*IsLiteralLabel=*/true));
  }

  bool VisitCallExpr(clang::CallExpr *call) {
    if (auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) return visitMethod(method);
    if (auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) return visitHeld(op);
    if (call->getDirectCallee() || call->isTypeDependent()) return true;
    const clang::Expr *called = call->getCallee()->IgnoreParenImpCasts();
    if (const auto *star = llvm::dyn_cast<clang::UnaryOperator>(called); star && star->getOpcode() == clang::UO_Deref)
      called = star->getSubExpr()->IgnoreParenImpCasts();
    const clang::MemberExpr *member = functionMember(called);
    if (!member) return true;
    const auto *field = llvm::cast<clang::FieldDecl>(member->getMemberDecl());
    auto known = targets.fields.find({recordKeyOf(field->getParent(), context), field->getNameAsString()});
    if (known == targets.fields.end()) return true;
    std::vector<clang::FunctionDecl *> functions;
    for (const std::string &symbol : known->second) {
      clang::FunctionDecl *function = find(symbol);
      if (!function) function = declare(symbol, field->getType()->getPointeeType());
      if (!function || !context.hasSameType(field->getType()->getPointeeType(), function->getType())) return true;
      functions.push_back(function);
    }
    if (functions.size() == 1) {
      call->setCallee(calleeFor(functions[0], call));
      made.direct.insert(call);
      return true;
    }
    if (!canBeAnyOf(call)) return true;
    const std::vector<clang::Expr *> arguments(call->arg_begin(), call->arg_end());
    for (clang::FunctionDecl *function : functions)
      addOneOf(call, clang::CallExpr::Create(context, calleeFor(function, call), arguments, call->getType(),
                                             call->getValueKind(), call->getRParenLoc(), call->getFPFeatures()));
    return true;
  }

private:
  clang::ASTContext &context;
  const KnownTargets &targets;
  Declared declared;

  /// Of what several functions return only numbers and pointers are followed.
  static bool canBeAnyOf(const clang::CallExpr *call) {
    const clang::QualType type = call->getType();
    return !call->isGLValue() && (type->isVoidType() || type->isArithmeticType() ||
                                  (type->isPointerType() && !type->isFunctionPointerType()));
  }

  void addOneOf(const clang::CallExpr *call, const clang::CallExpr *one) {
    made.several[call].push_back(one);
    made.alternatives.insert(one);
  }

  clang::Expr *calleeFor(clang::FunctionDecl *function, const clang::CallExpr *call) const {
    const clang::ExprValueKind kind = context.getLangOpts().CPlusPlus ? clang::VK_LValue : clang::VK_PRValue;
    auto *name = clang::DeclRefExpr::Create(context, clang::NestedNameSpecifierLoc(), clang::SourceLocation(), function,
                                            false, call->getBeginLoc(), function->getType(), kind);
    return clang::ImplicitCastExpr::Create(context, context.getPointerType(function->getType()),
                                           clang::CK_FunctionToPointerDecay, name, nullptr, clang::VK_PRValue,
                                           clang::FPOptionsOverride());
  }

  clang::FunctionDecl *find(const std::string &symbol) const {
    auto known = declared.functions.find(symbol);
    return known == declared.functions.end() ? nullptr : known->second;
  }

  /// A function of another unit, as this one would have declared it.
  clang::FunctionDecl *declare(const std::string &symbol, clang::QualType type) {
    const auto *prototype = type->getAs<clang::FunctionProtoType>();
    if (!prototype) return nullptr;
    clang::DeclContext *unit = context.getTranslationUnitDecl();
    auto *function = clang::FunctionDecl::Create(context, unit, clang::SourceLocation(), clang::SourceLocation(),
                                                 clang::DeclarationName(&context.Idents.get(symbol)), type, nullptr,
                                                 clang::SC_Extern);
    std::vector<clang::ParmVarDecl *> formals;
    for (clang::QualType formal : prototype->param_types()) {
      formals.push_back(clang::ParmVarDecl::Create(context, function, clang::SourceLocation(), clang::SourceLocation(),
                                                   nullptr, formal, nullptr, clang::SC_None, nullptr));
      formals.back()->setScopeInfo(0, unsigned(formals.size() - 1));
    }
    function->setParams(formals);
    function->addAttr(clang::AsmLabelAttr::CreateImplicit(context, symbol, /*IsLiteralLabel=*/true));
    declared.functions[symbol] = function;
    return function;
  }

  /// A call of a std::function.
  bool visitHeld(clang::CXXOperatorCallExpr *call) {
    if (call->isTypeDependent() || call->getOperator() != clang::OO_Call || call->getNumArgs() == 0) return true;
    const clang::ValueDecl *holder = holderOf(call->getArg(0));
    auto known = holder ? targets.fields.find(keyOf(holder, context)) : targets.fields.end();
    if (known == targets.fields.end() || !canBeAnyOf(call)) return true;
    const clang::FunctionProtoType *signature = signatureOf(holder->getType());
    std::vector<PutIn> all;
    for (const std::string &symbol : known->second) {
      auto object = declared.objects.find(symbol);
      if (object != declared.objects.end()) all.push_back(object->second);
      else if (!llvm::StringRef(symbol).starts_with("object "))
        all.push_back({find(symbol) ? find(symbol) : declare(symbol, clang::QualType(signature, 0))});
      if (all.empty() || !all.back().function || !isCalledAsIs(all.back().function, *signature, context)) return true;
    }
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(holder);
    if (all.size() != known->second.size() ||
        (variable && variable->hasLocalStorage() && all.size() == 1 && all[0].object))
      return true; // HeldFunctions.cpp
    const std::vector<clang::Expr *> arguments(call->arg_begin() + 1, call->arg_end());
    for (const PutIn &one : all) {
      clang::Expr *callee = calleeFor(const_cast<clang::FunctionDecl *>(one.function), call);
      if (!one.object) {
        addOneOf(call, clang::CallExpr::Create(context, callee, arguments, call->getType(), call->getValueKind(),
                                               call->getRParenLoc(), call->getFPFeatures()));
        continue;
      }
      // The object was made elsewhere; this call of it stands here.
      auto *object = new (context)
          clang::ParenExpr(call->getBeginLoc(), call->getBeginLoc(), const_cast<clang::Expr *>(one.object));
      std::vector<clang::Expr *> withObject = {object};
      withObject.insert(withObject.end(), arguments.begin(), arguments.end());
      addOneOf(call,
               clang::CXXOperatorCallExpr::Create(context, clang::OO_Call, callee, withObject, call->getType(),
                                                  call->getValueKind(), call->getRParenLoc(), call->getFPFeatures()));
    }
    return true;
  }

  bool visitMethod(clang::CXXMemberCallExpr *call) {
    auto *member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
    const auto *method = member ? llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()) : nullptr;
    if (!method || !method->isVirtual() || member->hasQualifier() || call->isTypeDependent()) return true;
    auto known = targets.methods.find(nameAmongUnits(method, context));
    if (known == targets.methods.end()) return true;
    std::vector<std::pair<clang::CXXMethodDecl *, clang::Expr *>> overrides; // and the object as one of its class
    for (const std::string &symbol : known->second) {
      auto *override = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(find(symbol));
      if (!override) return true;
      clang::Expr *object = override->getParent()->getCanonicalDecl() == method->getParent()->getCanonicalDecl()
                                ? member->getBase()
                                : castTo(override, member->getBase());
      if (!object) return true;
      overrides.push_back({override, object});
    }
    if (overrides.size() == 1) {
      member->setMemberDecl(overrides[0].first);
      member->setBase(overrides[0].second);
      made.direct.insert(call);
      return true;
    }
    if (!canBeAnyOf(call)) return true;
    const std::vector<clang::Expr *> arguments(call->arg_begin(), call->arg_end());
    for (auto &[override, object] : overrides) {
      auto *one = clang::MemberExpr::CreateImplicit(context, object, member->isArrow(), override, member->getType(),
                                                    member->getValueKind(), member->getObjectKind());
      addOneOf(call, clang::CXXMemberCallExpr::Create(context, one, arguments, call->getType(), call->getValueKind(),
                                                      call->getRParenLoc(), call->getFPFeatures()));
    }
    return true;
  }

  /// The object as one of the class that overrides; null where it lies elsewhere in that (several bases, a virtual
  /// one).
  clang::Expr *castTo(const clang::CXXMethodDecl *override, clang::Expr *base) const {
    const clang::QualType type = base->getType();
    const bool isPointer = type->isPointerType();
    const clang::QualType from = isPointer ? type->getPointeeType() : type;
    for (const auto *record = override->getParent();
         record && record->getCanonicalDecl() != from->getAsCXXRecordDecl()->getCanonicalDecl();) {
      if (record->getNumBases() != 1 || record->bases_begin()->isVirtual()) return nullptr;
      record = record->bases_begin()->getType()->getAsCXXRecordDecl();
      if (record) record = record->getDefinition();
    }
    clang::QualType to = context.getQualifiedType(context.getRecordType(override->getParent()), from.getQualifiers());
    if (isPointer) to = context.getPointerType(to);
    return clang::ImplicitCastExpr::Create(context, to, clang::CK_BaseToDerived, base, nullptr, base->getValueKind(),
                                           clang::FPOptionsOverride());
  }
};

} // namespace

void addTargetUses(clang::ASTContext &context, RecordUses &uses) {
  Scan scan(context, uses);
  scan.TraverseDecl(context.getTranslationUnitDecl());
  scan.finish();
}

TargetCalls callKnownTargets(clang::ASTContext &context, const KnownTargets &targets) {
  if (targets.fields.empty() && targets.methods.empty()) return {};
  Rewriting rewriting(context, targets);
  rewriting.shareStatics();
  rewriting.TraverseDecl(context.getTranslationUnitDecl());
  return std::move(rewriting.made);
}

} // namespace busfare::frontend
