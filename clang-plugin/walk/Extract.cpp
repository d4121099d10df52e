//===- clang-plugin/walk/Extract.cpp - One translation unit --------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs Clang over a file, finds the functions it defines, walks each of them
// (callees first, on demand) and gathers the Program.
//
//===----------------------------------------------------------------------===//
#include "Extract.h"
#include "Interface.h"
#include "Walk.h"
#include "clang-plugin/hints/HintTable.h"
#include "clang-plugin/lower/Located.h"
#include "clang-plugin/lower/ResourceFolder.h"
#include "clang-plugin/lower/Settings.h"
#include "clang-plugin/lower/TypeMixing.h"
#include "clang-plugin/records/RecordScan.h"
#include "clang-plugin/records/Targets.h"
#include "clang-plugin/rehearsal/Rehearsal.h"
#include "skeleton/Visit.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace busfare::frontend {

Location Walker::locate(clang::SourceLocation where) const {
  if (standsFor) return *standsFor;
  const clang::SourceManager &sources = context.getSourceManager();
  where = sources.getExpansionLoc(where);
  Location location = locationOf(where, sources);
  if (llvm::StringRef(location.file).contains("/../") &&
      sources.isInSystemHeader(where)) // found by way of where the compiler is
    if (auto entry = sources.getFileEntryRefForID(sources.getFileID(where));
        entry && !entry->getFileEntry().tryGetRealPathName().empty())
      location.file = entry->getFileEntry().tryGetRealPathName().str();
  return location;
}

/// The source of an expression, blanks squeezed.
std::string Walker::textOf(const clang::Stmt *stmt) const {
  const clang::SourceManager &sources = context.getSourceManager();
  clang::CharSourceRange range = clang::CharSourceRange::getTokenRange(stmt->getSourceRange());
  llvm::StringRef text = clang::Lexer::getSourceText(sources.getExpansionRange(range), sources, context.getLangOpts());
  std::string squeezed;
  for (char c : text) {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
    if (!blank) squeezed += c == '"' || c == '`' ? '\'' : c;
    else if (!squeezed.empty() && squeezed.back() != ' ') squeezed += ' ';
  }
  return squeezed == ":" ? "element" : squeezed; // what a range-for does unwritten stands at its colon
}

void Walker::find(Rule rule, Location location, std::string message) {
  skeleton::Finding finding;
  finding.rule = rule;
  finding.location = std::move(location);
  finding.message = std::move(message);
  if (!llvm::is_contained(st.findings, finding)) st.findings.push_back(std::move(finding));
}

/// Its own name if nothing else is called so, else with that of its function: it is one object, wherever it is met.
std::string Unit::nameOfStaticLocal(const clang::VarDecl *variable) {
  std::string &name = staticNames[variable->getCanonicalDecl()];
  if (!name.empty()) return name;
  const std::string base = variable->getNameAsString();
  bool isAlone = staticLocals[base].size() <= 1 && !globalNames.count(base) && !localNames.count(base);
  const auto *owner = llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
  std::string wanted = isAlone || !owner ? base : owner->getQualifiedNameAsString() + "::" + base;
  std::string made = wanted;
  for (unsigned k = 2; !staticsByName.try_emplace(made, variable).second; ++k) made = wanted + "#" + std::to_string(k);
  return name = made;
}

/// The program's own, whatever it is called: `max`, `memalign`.
bool Unit::isOwnFunction(const clang::FunctionDecl *callee) {
  bool isSeen = (callee->getDefinition() && callee->getDefinition()->getBody()) || foreignSummaryOf(callee);
  return isSeen && !context.getSourceManager().isInSystemHeader(callee->getLocation());
}

Summary *Unit::summaryOf(const clang::FunctionDecl *callee) {
  if (!callee) return nullptr;
  const clang::FunctionDecl *definition = bodyThatRuns(callee);
  if (!definition) return foreignSummaryOf(callee);
  if (definition->isDependentContext() || mustWalkInPlace(definition) || isOfModelledLibrary(definition) ||
      context.getSourceManager().isInSystemHeader(definition->getLocation()))
    return nullptr;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  bool isCopy = method && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
  if (isCopy && method->isTrivial()) return nullptr; // followed where it stands
  Summary &summary = summaries[definition->getCanonicalDecl()];
  if (summary.state == Summary::State::Untouched) extract(definition);
  return &summary;
}

Summary *Unit::foreignSummaryOf(const clang::FunctionDecl *callee) {
  if (foreign.empty() || callee->getBuiltinID() || callee->isVariadic() || callee->isDependentContext() ||
      !callee->isExternallyVisible())
    return nullptr;
  auto [entry, isNew] = foreignOf.try_emplace(callee->getCanonicalDecl(), nullptr);
  if (isNew)
    if (auto known = foreign.find(symbolOf(callee)); known != foreign.end()) {
      // What is declared here otherwise than it is defined there is not followed.
      std::vector<TypeClass> formals;
      for (const clang::ParmVarDecl *formal : callee->parameters()) formals.push_back(classOf(formal->getType()));
      formals.push_back(classOf(callee->getReturnType()));
      if (formals == known->second.formals && callee->hasPrototype()) entry->second = &known->second;
    }
  if (!entry->second) return nullptr;
  Foreign &found = *entry->second;
  if (!found.isNamed) {
    found.isNamed = true;
    unsigned copies = ++functionNames[found.summary.name];
    if (copies > 1) found.summary.name += "." + std::to_string(copies);
    if (found.summary.name != found.symbol) result.program.imports.push_back({found.summary.name, found.symbol});
  }
  return &found.summary;
}

std::optional<uint64_t> Unit::freshBytesOf(const std::string &global) const {
  auto known = globalNames.find(global);
  if (known == globalNames.end() || known->second->isExternallyVisible() || writtenGlobals.count(known->second))
    return std::nullopt;
  const clang::Expr *init = known->second->getAnyInitializer();
  auto constant = [&](const clang::Expr *expr) -> std::optional<uint64_t> {
    clang::Expr::EvalResult result;
    if (!expr->EvaluateAsInt(result, context) || result.Val.getInt().isNegative() ||
        !result.Val.getInt().isRepresentableByInt64())
      return std::nullopt;
    return uint64_t(result.Val.getInt().getExtValue());
  };
  if (!init) return std::nullopt;
  init = init->IgnoreImplicit()->IgnoreParenCasts();
  if (const auto *made = llvm::dyn_cast<clang::CXXNewExpr>(init)) {
    std::optional<uint64_t> count =
        made->isArray() && made->getArraySize() ? constant(*made->getArraySize()) : std::optional<uint64_t>(1);
    return count && made->getNumPlacementArgs() == 0
               ? std::optional(*count * bytesOf(made->getAllocatedType(), context))
               : std::nullopt;
  }
  const auto *made = llvm::dyn_cast<clang::CallExpr>(init);
  const clang::FunctionDecl *callee = made ? calleeOf(made) : nullptr;
  if (!callee || !callee->getIdentifier()) return std::nullopt;
  if (callee->getName() == "malloc" && made->getNumArgs() == 1) return constant(made->getArg(0));
  if (callee->getName() != "calloc" || made->getNumArgs() != 2) return std::nullopt;
  std::optional<uint64_t> count = constant(made->getArg(0)), size = constant(made->getArg(1));
  return count && size ? std::optional(*count * *size) : std::nullopt;
}

/// May a global pointer, or one that is a field of a global, name memory from the start that has another name, too?
bool Unit::mayPointElsewhere(const std::string &global) const {
  llvm::StringRef path = global;
  auto known = globalNames.find(global);
  if (known != globalNames.end()) path = "";
  else {
    known = globalNames.find(path.split('.').first.str());
    path = path.split('.').second;
  }
  if (known == globalNames.end()) return false;
  if (known->second->isWeak()) return true; // another unit's initial value may be the one
  if (!isDefinedHere(known->second)) {
    auto foreign = foreignPointers.find(known->first);
    return foreign != foreignPointers.end() && llvm::any_of(foreign->second, [&](llvm::StringRef set) {
             return set.empty() || set.drop_front() == path ||
                    (path.starts_with(set.drop_front()) && path.drop_front(set.size() - 1).starts_with("."));
           });
  }
  const clang::Expr *init = known->second->getAnyInitializer();
  clang::QualType type = known->second->getType();
  while (init) {
    init = init->IgnoreImplicit()->IgnoreParenCasts();
    const auto *list = llvm::dyn_cast<clang::InitListExpr>(init);
    const clang::RecordDecl *record = type->getAsRecordDecl();
    if (!list || !record || path.empty()) break;
    if (list->isSemanticForm() == false && list->getSemanticForm()) list = list->getSemanticForm();
    auto [first, rest] = path.split('.');
    const clang::Expr *part = nullptr;
    unsigned position = 0; // its bases come first
    if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(record)) position = derived->getNumBases();
    for (const clang::FieldDecl *field : record->fields()) {
      if (field->getName() == first) {
        if (position >= list->getNumInits()) return false; // zero
        part = list->getInit(position);
        type = field->getType();
      }
      ++position;
    }
    if (!part) return true;
    init = part;
    path = rest;
  }
  if (!init) return false;
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::StringLiteral, clang::CXXNewExpr, clang::CXXScalarValueInitExpr>(
          init))
    return false;
  if (init->isNullPointerConstant(context, clang::Expr::NPC_ValueDependentIsNull)) return false;
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(init)) // what owns its memory, or holds none yet
    return handleOf(type) != Handle::Owner && !(made->getNumArgs() == 0 && made->getConstructor()->isTrivial());
  const auto *call = llvm::dyn_cast<clang::CallExpr>(init);
  const clang::FunctionDecl *callee = call ? calleeOf(call) : nullptr;
  return !(callee && callee->getIdentifier() && (callee->getName() == "malloc" || callee->getName() == "calloc"));
}

void Unit::nameFields(llvm::StringRef path) {
  auto isOfName = [](char one) { return llvm::isAlnum(one) || one == '_' || one == '$'; };
  while (!path.empty()) {
    path = path.drop_until(isOfName);
    const llvm::StringRef name = path.take_while(isOfName);
    if (!name.empty()) namedFields.insert(name.str());
    path = path.drop_front(name.size());
  }
}

bool Unit::isDefinedHere(const clang::VarDecl *variable) const {
  return variable->hasDefinition() != clang::VarDecl::DeclarationOnly || variable->getAnyInitializer();
}

std::optional<std::set<std::string>> Unit::pathsSet(const clang::VarDecl *variable) const {
  std::set<std::string> found;
  bool holdsAny = false;
  const std::string name = globalNameOf(variable);
  std::function<void(clang::QualType, const std::string &)> search = [&](clang::QualType type,
                                                                         const std::string &path) {
    const clang::RecordDecl *record = type->getAsRecordDecl();
    if (record && record->isCompleteDefinition() && !record->isUnion() && handleOf(type) == Handle::None) {
      std::function<void(const clang::RecordDecl *)> fieldsOf = [&](const clang::RecordDecl *part) {
        for (const clang::FieldDecl *field : part->fields())
          search(field->getType(), path + "." + fieldNameIn(record, field));
        if (const auto *derived = llvm::dyn_cast<clang::CXXRecordDecl>(part))
          for (const clang::CXXBaseSpecifier &base : derived->bases())
            fieldsOf(base.getType()->getAsRecordDecl()->getDefinition());
      };
      fieldsOf(record);
      return;
    }
    clang::QualType element = innermost(type, context);
    bool isPlain = classOf(element) == TypeClass::Integer || classOf(element) == TypeClass::Data;
    if (isPlain) return;
    holdsAny = true;
    if (mayPointElsewhere(name + path)) found.insert(path);
  };
  search(variable->getType(), "");
  return holdsAny ? std::optional(found) : std::nullopt;
}

std::optional<int64_t> Unit::initialValueOf(const std::string &global) const {
  if (context.getLangOpts().CPlusPlus || runsBeforeMain) return std::nullopt;
  auto known = globalNames.find(global);
  if (known == globalNames.end()) {
    auto foreign = foreignInitials.find(global);
    return foreign == foreignInitials.end() ? std::nullopt : std::optional<int64_t>(foreign->second);
  }
  if (known->second->isWeak()) return std::nullopt; // another unit's may be the one
  const clang::Expr *init = known->second->getAnyInitializer();
  if (!init) {
    bool isZero = known->second->getDefinition() || known->second->getActingDefinition();
    auto foreign = known->second->isExternallyVisible() ? foreignInitials.find(global)
                                                        : foreignInitials.end(); // if this one is tentative
    return foreign != foreignInitials.end() ? std::optional<int64_t>(foreign->second)
           : isZero                         ? std::optional<int64_t>(0)
                                            : std::nullopt;
  }
  auto value = init->getIntegerConstantExpr(context);
  if (!value || !value->isRepresentableByInt64()) return std::nullopt;
  return value->getExtValue();
}

void Unit::stateSettings(const Symbolic &formula) {
  for (const std::string &symbol : formula.symbols()) {
    auto number = settings->numbers().find(symbol);
    const bool isStated = llvm::any_of(result.program.constants, [&](const auto &one) { return one.symbol == symbol; });
    if (number == settings->numbers().end() || !number->second.value || isStated) continue;
    result.program.constants.push_back({symbol, *number->second.value, number->second.location, true});
  }
}

void Unit::extract(const clang::FunctionDecl *definition) {
  Summary &summary = summaries[definition->getCanonicalDecl()];
  if (summary.state != Summary::State::Untouched) return;
  std::string name = definition->getQualifiedNameAsString();
  for (size_t at; (at = name.find("(anonymous namespace)::")) != std::string::npos;)
    name.erase(at, strlen("(anonymous namespace)::"));
  unsigned copies = ++functionNames[name];
  summary.name = copies == 1 ? name : name + "." + std::to_string(copies);
  Walker walker(*this, definition, summary);
  walker.run();
  summary.function.linkage = linkageOf(definition);
  if (std::string symbol = symbolOf(definition);
      summary.function.linkage != skeleton::Linkage::Static && symbol != summary.name)
    summary.function.symbol = symbol;
  result.program.functions.push_back(summary.function);
}

namespace {

/// Finds the functions with bodies, and the globals that are written, in the user's own code.
class Collector {
public:
  explicit Collector(Unit &unit) : unit(unit) {}

  void collect(const clang::Decl *decl) {
    if (!decl || decl->isInvalidDecl()) return;
    if (unit.context.getSourceManager().isInSystemHeader(decl->getLocation()) || isOfModelledLibrary(decl)) return;
    if (const auto *shared = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) {
      for (const clang::FunctionDecl *instance : shared->specializations()) collect(instance);
      return;
    }
    if (const auto *shared = llvm::dyn_cast<clang::ClassTemplateDecl>(decl)) {
      for (const clang::ClassTemplateSpecializationDecl *instance : shared->specializations()) collectMembers(instance);
      return;
    }
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      if (function->isDependentContext() || !function->doesThisDeclarationHaveABody() || function->isImplicit() ||
          function->isDefaulted() || function->isDeleted())
        return;
      if (function->getDescribedFunctionTemplate()) return;
      if (!function->getBody() || !met.insert(function).second)
        return; // an explicit specialisation is its template's, and stands alone
      unit.usualElements.scan(function->getBody(), unit.context);
      if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
        for (const clang::CXXCtorInitializer *init : constructor->inits()) noteAllFields(init->getInit());
      if (mustWalkInPlace(function)) { // where it is called
        scan(function->getBody());
        return;
      }
      unit.order.push_back(function);
      unit.hasMain |= function->isMain();
      unit.runsAfterMain |= function->hasAttr<clang::DestructorAttr>();
      unit.runsBeforeMain |= function->hasAttr<clang::ConstructorAttr>();
      scan(function->getBody());
      return;
    }
    if (const auto *shared = llvm::dyn_cast<clang::VarTemplateDecl>(decl)) {
      for (const clang::VarTemplateSpecializationDecl *instance : shared->specializations()) declareGlobal(instance);
      return;
    }
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      if (variable->hasGlobalStorage() && !variable->getDescribedVarTemplate()) declareGlobal(variable);
      return;
    }
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExternCContextDecl>(decl)) {
      for (const clang::Decl *inner : llvm::cast<clang::DeclContext>(decl)->decls()) collect(inner);
      return;
    }
    if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(decl)) collectMembers(record);
  }

private:
  void collectMembers(const clang::CXXRecordDecl *record) {
    if (!record->isThisDeclarationADefinition() || record->isDependentContext()) return;
    for (const clang::FieldDecl *field : record->fields()) noteAllFields(field->getInClassInitializer());
    for (const clang::Decl *inner : record->decls())
      if (llvm::isa<clang::FunctionDecl, clang::VarDecl, clang::CXXRecordDecl, clang::FunctionTemplateDecl,
                    clang::VarTemplateDecl>(inner) &&
          !inner->isImplicit())
        collect(inner);
  }

  void declareGlobal(const clang::VarDecl *variable) {
    variable = variable->getCanonicalDecl();
    Object object;
    unit.globals[variable] = object;
    for (const clang::VarDecl *one : variable->redecls())
      if (one->hasInit() && !one->getInit()->isValueDependent()) {
        scan(one->getInit()); // `double **at = &p;`
        unit.usualElements.scan(one->getInit(), unit.context);
      }
    std::string name = globalNameOf(variable);
    unit.globalNames[name] = variable;
    unit.runsAfterMain |= destructorMatters(variable->getType());
  }

  /// `malloc(n)`, `new T[n]`, a null pointer: how large that is stands there.
  bool statesSize(const clang::Expr *value) const {
    value = value->IgnoreParenCasts();
    if (const auto *made = llvm::dyn_cast<clang::CXXNewExpr>(value)) return made->getNumPlacementArgs() == 0;
    if (value->isNullPointerConstant(unit.context, clang::Expr::NPC_ValueDependentIsNotNull)) return true;
    const auto *made = llvm::dyn_cast<clang::CallExpr>(value);
    const clang::FunctionDecl *callee = made ? calleeOf(made) : nullptr;
    if (!callee || !callee->getIdentifier() || !callee->isExternC()) return false;
    return llvm::StringSwitch<bool>(callee->getName())
        .Cases("malloc", "calloc", "realloc", "aligned_alloc", "memalign", true)
        .Default(false);
  }

  /// Uses of a global pointer that read it, or set it to new memory, leave it as it is said to be; all others make it
  /// loose.
  void noteUse(const clang::Stmt *stmt) {
    auto named = [](const clang::Expr *expr) { return llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParens()); };
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(stmt);
        cast && cast->getCastKind() == clang::CK_LValueToRValue)
      tidyUses.insert(named(cast->getSubExpr()));
    const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt);
    if (op && op->getOpcode() == clang::BO_Assign && statesSize(op->getRHS())) tidyUses.insert(named(op->getLHS()));
    const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt);
    const auto *variable = ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
    if (variable && variable->hasGlobalStorage() && !tidyUses.count(ref))
      unit.looseGlobals.insert(variable->getCanonicalDecl());
  }

  /// Fields by their names: `s.n`, `&S::n`, `offsetof(S, n)`, `auto [n, p] = s`.
  void noteFields(const clang::Stmt *stmt) {
    auto named = [&](const clang::ValueDecl *field) { unit.namedFields.insert(field->getNameAsString()); };
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(stmt)) named(member->getMemberDecl());
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt); ref && llvm::isa<clang::FieldDecl>(ref->getDecl()))
      named(ref->getDecl());
    if (const auto *offset = llvm::dyn_cast<clang::OffsetOfExpr>(stmt))
      for (unsigned k = 0; k < offset->getNumComponents(); ++k)
        if (offset->getComponent(k).getKind() == clang::OffsetOfNode::Field) named(offset->getComponent(k).getField());
    if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(stmt))
      for (const clang::Decl *decl : declared->decls())
        if (const auto *several = llvm::dyn_cast<clang::DecompositionDecl>(decl))
          for (const clang::BindingDecl *one : several->bindings())
            if (const auto *member = llvm::dyn_cast_or_null<clang::MemberExpr>(one->getBinding()))
              named(member->getMemberDecl());
  }

  void noteAllFields(const clang::Stmt *stmt) {
    if (!stmt) return;
    noteFields(stmt);
    for (const clang::Stmt *child : partsOf(stmt)) noteAllFields(child);
  }

  std::set<const clang::DeclRefExpr *> tidyUses;

  void scan(const clang::Stmt *stmt) {
    if (!stmt) return;
    noteUse(stmt);
    auto writes = [&](const clang::Expr *target) {
      target = target->IgnoreParenCasts();
      while (true) {
        if (const auto *field = llvm::dyn_cast<clang::MemberExpr>(target))
          target = field->getBase()->IgnoreParenCasts();
        else if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target))
          target = element->getBase()->IgnoreParenCasts();
        else break;
        if (target->getType()->isPointerType()) return; // what it points to, not the variable
      }
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(target))
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
            variable && variable->hasGlobalStorage())
          unit.writtenGlobals.insert(variable->getCanonicalDecl());
    };
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) writes(op->getLHS());
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt);
        op && (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf))
      writes(op->getSubExpr());
    // `g->p[i]`, `g->p + i`
    auto steps = [&](const clang::Expr *pointer) {
      const auto *member = llvm::dyn_cast<clang::MemberExpr>(pointer->IgnoreParenImpCasts());
      const auto *field = member ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
      if (field && field->getType()->isPointerType() &&
          classOf(field->getType()->getPointeeType()) == TypeClass::Record)
        unit.arrayFields.insert(
            {field->getNameAsString(), field->getType()->getPointeeType()->getCanonicalTypeUnqualified().getTypePtr()});
    };
    noteFields(stmt);
    if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(stmt)) steps(element->getBase());
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt);
        op && (op->isAdditiveOp() || op->isCompoundAssignmentOp()))
      for (const clang::Expr *side : {op->getLHS(), op->getRHS()}) steps(side);
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->isIncrementDecrementOp())
      steps(op->getSubExpr());
    // `q = g->p` where q is subscripted, `f(g->p)` where f subscripts it
    auto becomes = [&](const clang::VarDecl *variable, const clang::Expr *value) {
      const clang::DeclContext *around = variable ? variable->getDeclContext() : nullptr;
      while (around && llvm::isa<clang::CapturedDecl>(around)) around = around->getParent(); // of a directive
      const auto *owner = llvm::dyn_cast_or_null<clang::FunctionDecl>(around);
      const auto *member = value ? llvm::dyn_cast<clang::MemberExpr>(value->IgnoreParenImpCasts()) : nullptr;
      const clang::FunctionDecl *definition = nullptr;
      if (owner && owner->hasBody(definition) && member && variable->getType()->isPointerType() &&
          (unit.arrayUses.isArrayIn(variable, owner) || isGivenAsArray(variable, definition->getBody())))
        steps(value);
    };
    if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(stmt))
      for (const clang::Decl *decl : declared->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) becomes(variable, variable->getInit());
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->getOpcode() == clang::BO_Assign)
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(op->getLHS()->IgnoreParens()))
        becomes(llvm::dyn_cast<clang::VarDecl>(ref->getDecl()), op->getRHS());
    const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt);
    const clang::FunctionDecl *called =
        call && !llvm::isa<clang::CXXOperatorCallExpr>(call) ? call->getDirectCallee() : nullptr;
    if (const clang::FunctionDecl *definition = nullptr; called && called->hasBody(definition))
      for (unsigned k = 0; k < std::min(call->getNumArgs(), definition->getNumParams()); ++k)
        becomes(definition->getParamDecl(k), call->getArg(k));
    for (unsigned k = 0; called && k < call->getNumArgs(); ++k)
      if (takesArray(called, k)) steps(call->getArg(k));
    // Who gives back what a shared_ptr points to its type does not say.
    auto isDeleter = [](const clang::Expr *value) {
      const clang::Expr *plain = value->IgnoreParenImpCasts();
      if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(plain)) plain = address->getSubExpr();
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(plain);
          ref && llvm::isa<clang::FunctionDecl>(ref->getDecl()))
        return ref->getDecl()->getNameAsString() != "free";
      return callMatters(value->getType());
    };
    auto isShared = [](clang::QualType type) {
      return handleOf(type) == Handle::Unique && type->getAsCXXRecordDecl()->getName() == "shared_ptr";
    };
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt);
        made && made->getNumArgs() >= 2 && isShared(made->getType()))
      if (handleOf(made->getArg(0)->getType()) == Handle::None && !llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(1)))
        unit.hasDeleters |= isDeleter(made->getArg(1));
    if (const auto *made = llvm::dyn_cast<clang::CXXMemberCallExpr>(stmt);
        made && made->getNumArgs() >= 2 && calleeOf(made) && calleeOf(made)->getNameAsString() == "reset")
      unit.hasDeleters |= isDeleter(made->getArg(1));
    // A reference to it may be kept, and written through.
    auto binds = [&](const clang::Expr *value, clang::QualType type) {
      if (value && value->isGLValue() && type->isReferenceType() && !type->getPointeeType().isConstQualified())
        writes(value);
    };
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt)) {
      const clang::FunctionDecl *callee = calleeOf(made);
      if (callee && callee->getIdentifier() &&
          (callee->getName() == "atexit" || callee->getName() == "at_quick_exit" || callee->getName() == "on_exit"))
        unit.runsAfterMain = true;
      std::vector<const clang::Expr *> arguments = argumentsOf(made);
      for (unsigned k = 0; k < arguments.size(); ++k)
        if (callee && k < callee->getNumParams()) binds(arguments[k], callee->getParamDecl(k)->getType());
        else if (arguments[k]->isGLValue()) writes(arguments[k]);
    }
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt))
      for (unsigned k = 0; k < made->getNumArgs() && k < made->getConstructor()->getNumParams(); ++k)
        binds(made->getArg(k), made->getConstructor()->getParamDecl(k)->getType());
    unit.endsLocals |= endsObject(stmt);
    if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt))
      for (const clang::Decl *decl : declaration->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
          binds(variable->getInit(), variable->getType());
          unit.runsAfterMain |= variable->isStaticLocal() && destructorMatters(variable->getType());
          if (variable->isStaticLocal())
            unit.staticLocals[variable->getNameAsString()].insert(variable->getCanonicalDecl());
          else unit.localNames.insert(variable->getNameAsString());
        }
    for (const clang::Stmt *child : partsOf(stmt)) scan(child);
  }

  /// Is the function of another unit, which takes an array of structs there?
  bool takesArray(const clang::FunctionDecl *callee, unsigned argument) {
    if (argument >= callee->getNumParams() || callee->hasBody() || callee->isDependentContext() ||
        !callee->isExternallyVisible())
      return false;
    const clang::QualType type = callee->getParamDecl(argument)->getType();
    if (!type->isPointerType() || classOf(type->getPointeeType()) != TypeClass::Record) return false;
    auto known = unit.foreign.find(symbolOf(callee));
    if (known == unit.foreign.end()) return false;
    const std::vector<skeleton::Parameter> &formals = known->second.summary.function.parameters;
    return argument < formals.size() && formals[argument].kind == skeleton::Parameter::Kind::Array;
  }
  bool isGivenAsArray(const clang::VarDecl *pointer, const clang::Stmt *in) {
    if (!in) return false;
    const auto *call = llvm::dyn_cast<clang::CallExpr>(in);
    const clang::FunctionDecl *callee =
        call && !llvm::isa<clang::CXXOperatorCallExpr>(call) ? call->getDirectCallee() : nullptr;
    for (unsigned k = 0; callee && k < call->getNumArgs(); ++k)
      if (variableOf(call->getArg(k)->IgnoreParenImpCasts()) == pointer && takesArray(callee, k)) return true;
    return llvm::any_of(partsOf(in), [&](const clang::Stmt *part) { return isGivenAsArray(pointer, part); });
  }

  Unit &unit;
  std::set<const clang::FunctionDecl *> met; ///< Definitions.
};

/// Collects what the compiler says.
class Listener : public clang::DiagnosticConsumer {
public:
  explicit Listener(ExtractResult &result) : result(result) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &message) override {
    DiagnosticConsumer::HandleDiagnostic(level, message);
    if (level < clang::DiagnosticsEngine::Warning) return;
    Diagnostic made;
    made.level = level == clang::DiagnosticsEngine::Warning ? skeleton::Level::Warning : skeleton::Level::Error;
    llvm::SmallString<128> text;
    message.FormatDiagnostic(text);
    made.message = text.str().str();
    if (message.hasSourceManager() && message.getLocation().isValid()) {
      made.location = locationOf(message.getLocation(), message.getSourceManager());
    }
    result.diagnostics.push_back(std::move(made));
  }

private:
  ExtractResult &result;
};

/// Other units may use an array that no function of this one does, and have only its name.
void declareUnused(Unit &unit) {
  std::set<std::string> known;
  for (const Array &global : unit.result.program.globals) known.insert(global.name);
  for (const auto &[name, variable] : unit.globalNames) {
    const clang::VarDecl *definition =
        variable->getDefinition() ? variable->getDefinition() : variable->getActingDefinition();
    if (!definition || !variable->isExternallyVisible() || variable->isTemplated() || known.count(name)) continue;
    const auto *type = unit.context.getAsConstantArrayType(definition->getType());
    if (!type || definition->getType().isConstQualified() ||
        unit.context.getSourceManager().isInSystemHeader(definition->getLocation()))
      continue;
    Array array;
    array.name = name;
    array.type = elementTypeOf(definition->getType(), unit.context);
    array.storage = Storage::Global;
    const clang::SourceManager &sources = unit.context.getSourceManager();
    array.location = locationOf(definition->getLocation(), sources);
    clang::QualType element = definition->getType();
    for (std::optional<ArrayLayer> layer; (layer = arrayLayerOf(element, unit.context)); element = layer->element) {
      const std::optional<Symbolic> named = unit.settings ? unit.settings->extentOf(element, nullptr) : std::nullopt;
      if (named) unit.stateSettings(*named);
      array.extents.push_back(named || !layer->extent ? named : std::optional<Symbolic>(int64_t(*layer->extent)));
    }
    if (classOf(element) == TypeClass::Integer || classOf(element) == TypeClass::Data)
      unit.result.program.globals.push_back(std::move(array));
  }
}

/// A static pointer of a function that is only set to new memory is no other than one that the unit declares outside.
void declareStaticPointers(Unit &unit) {
  for (const auto &[base, variables] : unit.staticLocals) {
    if (variables.size() != 1) continue;
    const clang::VarDecl *variable = *variables.begin();
    if (!variable->getType()->isPointerType() || variable->isExternallyVisible() || variable->isTemplated() ||
        unit.looseGlobals.count(variable))
      continue;
    const std::string name = unit.nameOfStaticLocal(variable);
    if (!unit.globalNames.try_emplace(name, variable).second) continue;
    if (unit.mayPointElsewhere(name)) unit.globalNames.erase(name);
    else unit.globals[variable];
  }
}

/// Other units call it without a body of their own.
static bool mayOthersLackIt(const clang::FunctionDecl *function) {
  const skeleton::Linkage linkage = linkageOf(function);
  return linkage == skeleton::Linkage::External ||
         (linkage == skeleton::Linkage::Inline &&
          function->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDefinition);
}

/// Does it call or use what another unit may define?
static bool usesOthers(const skeleton::UnitSymbols &symbols) {
  std::set<llvm::StringRef> own;
  for (const skeleton::UnitSymbols::Function &function : symbols.functions) own.insert(function.symbol);
  return !symbols.undefinedVariables.empty() ||
         llvm::any_of(symbols.functions, [&](const skeleton::UnitSymbols::Function &function) {
           return llvm::any_of(function.calls, [&](const std::string &callee) { return !own.count(callee); });
         });
}

/// What is made of the unit's syntax before it is walked, which can be done once.
struct Prepared {
  RecordUses recordUses;
  TargetCalls targetCalls;
};

ExtractResult extractDecls(clang::ASTContext &context, llvm::ArrayRef<const clang::Decl *> decls, bool typesTell,
                           UnitPoints *points, HintTable *hints, const OtherUnits &others, Settings *settings,
                           std::optional<Prepared> &prepared) {
  Unit unit(context);
  unit.settings = settings;
  unit.tag = others.tag;
  takeInterfaces(unit, others.interfaces);
  unit.typesTell = typesTell;
  unit.result.program.typesMix = !typesTell || mixTypes(decls, context);
  unit.hints = hints;
  unit.points = points;
  if (!prepared) {
    if (hints) hints->settle(context.getSourceManager(), context.getLangOpts());
    prepared.emplace();
    prepared->recordUses = findRecordUses(context, decls); // of the calls as they are written
    prepared->targetCalls = callKnownTargets(context, unit.knownTargets);
  }
  unit.targetCalls = prepared->targetCalls;
  Collector collector(unit);
  for (const clang::Decl *decl : decls) collector.collect(decl);
  const clang::SourceManager &sources = context.getSourceManager();
  if (auto file = sources.getFileEntryRefForID(sources.getMainFileID()))
    unit.result.program.units.push_back(file->getName().str());
  declareStaticPointers(unit);
  std::vector<const clang::VarDecl *> globals;
  for (const auto &[name, variable] : unit.globalNames) globals.push_back(variable);
  unit.privateGlobals = findPrivateGlobals(std::vector(unit.order.begin(), unit.order.end()), globals, context);
  unit.result.symbols = symbolsOf(unit);
  unit.result.isSurvey = others.surveys && usesOthers(unit.result.symbols);
  if (!unit.result.isSurvey) {
    unit.calledBack = calledBackIn(context);
    for (const clang::FunctionDecl *function : unit.order) unit.extract(function);
  }
  completeWaits(unit);
  if (hints)
    llvm::append_range(unit.result.program.findings, hints->complaints({unit.order.begin(), unit.order.end()}));
  unit.result.parsed = !context.getDiagnostics().hasErrorOccurred();
  declareUnused(unit);
  if (unit.result.parsed && unit.hasMain && !unit.result.isSurvey)
    takeRehearsed(rehearse(context, {}), false, unit.result.program);
  for (const clang::FunctionDecl *function : unit.order)
    if (auto known = unit.summaries.find(function->getCanonicalDecl());
        known != unit.summaries.end() && known->second.state == Summary::State::Done && mayOthersLackIt(function))
      if (llvm::json::Value one = interfaceOf(unit, function, known->second); one.kind() != llvm::json::Value::Null)
        unit.result.interfaces.push_back(std::move(one));
  for (const auto &[name, variable] : unit.globalNames)
    if (llvm::json::Value one = interfaceOf(unit, variable); one.kind() != llvm::json::Value::Null)
      unit.result.variables.push_back(std::move(one));
  unit.result.variables.push_back(toJson(prepared->recordUses));
  if (llvm::json::Value one = outsideMain(unit); one.kind() != llvm::json::Value::Null)
    unit.result.variables.push_back(std::move(one));
  return std::move(unit.result);
}

/// Settings of the program that are in no array's size.
static std::set<std::string> settingsBesideSizes(const skeleton::Program &program) {
  std::set<std::string> beside, inSizes;
  for (const skeleton::Constant &constant : program.constants)
    if (constant.isSetting) beside.insert(constant.symbol);
  auto take = [&](llvm::ArrayRef<std::optional<Symbolic>> extents) {
    for (const std::optional<Symbolic> &extent : extents)
      if (extent) inSizes.merge(extent->symbols());
  };
  for (const Array &array : program.globals) take(array.extents);
  for (const skeleton::Function &function : program.functions) {
    for (const Array &array : function.arrays) take(array.extents);
    skeleton::forEachNode(function.body, [&](const Node &node) {
      if (const auto *allocate = std::get_if<skeleton::Allocate>(&node.kind)) take(allocate->extents);
    });
  }
  for (const std::string &name : inSizes) beside.erase(name);
  return beside;
}

class Consumer : public clang::ASTConsumer {
public:
  /// What is read of hints is in `hints`, if it is the caller's.
  Consumer(clang::CompilerInstance &compiler, const OtherUnits &others, std::shared_ptr<HintTable> hints,
           std::function<void(clang::ASTContext &, ExtractResult, const UnitReadings &)> done)
      : typesTell(!compiler.getCodeGenOpts().RelaxedAliasing), others(others), hints(std::move(hints)),
        done(std::move(done)) {
    this->hints->listen(compiler.getPreprocessor());
    if (others.wantsPoints) settings.listen(compiler.getPreprocessor());
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl *decl : group) decls.push_back(decl);
    return true;
  }
  bool shouldSkipFunctionBody(clang::Decl *decl) override {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (!function || function->isTemplated() || function->isConstexpr()) return false;
    return decl->getASTContext().getSourceManager().isInSystemHeader(decl->getLocation());
  }
  void HandleTranslationUnit(clang::ASTContext &context) override {
    UnitReadings readings;
    std::optional<Prepared> prepared;
    ExtractResult made = extractDecls(context, decls, typesTell, others.wantsPoints ? &readings.points : nullptr,
                                      hints.get(), others, nullptr, prepared);
    // Names become known as they are met. Where directives are skipped with what is around them, so are these.
    made.asksForOpenMP =
        !context.getLangOpts().OpenMP && llvm::any_of(std::array{"_OPENMP", "omp"}, [&](const char *name) {
          return context.Idents.find(name) != context.Idents.end();
        });
    if (others.wantsPoints && made.parsed && settings.settle(context, decls)) {
      readings.settings = &settings;
      auto read = [&] {
        UnitReadings::OverSettings &one = readings.overSettings.emplace_back();
        one.program =
            extractDecls(context, decls, typesTell, &one.points, hints.get(), others, &settings, prepared).program;
      };
      read();
      const std::set<std::string> others = settingsBesideSizes(readings.overSettings.front().program);
      if (!others.empty()) settings.takeAsNumbers(others);
      read();
    }
    done(context, std::move(made), readings);
  }

private:
  bool typesTell;
  const OtherUnits others;
  std::shared_ptr<HintTable> hints;
  std::function<void(clang::ASTContext &, ExtractResult, const UnitReadings &)> done;
  Settings settings;
  std::vector<const clang::Decl *> decls;
};

class Action : public clang::ASTFrontendAction {
public:
  Action(ExtractResult &result, const Inspect &inspect, std::shared_ptr<HintTable> hints, const OtherUnits &others)
      : result(result), inspect(inspect), hints(std::move(hints)), others(others) {}
  bool BeginInvocation(clang::CompilerInstance &compiler) override {
    compiler.getFrontendOpts().SkipFunctionBodies = true; // those the consumer names
    compiler.getDiagnosticOpts().ShowCarets = false; // else it prints "1 error generated."
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    return std::make_unique<Consumer>(
        compiler, others, hints, [this](clang::ASTContext &context, ExtractResult made, const UnitReadings &readings) {
          result.program = std::move(made.program);
          result.symbols = std::move(made.symbols);
          result.interfaces = std::move(made.interfaces);
          result.variables = std::move(made.variables);
          result.isSurvey = made.isSurvey;
          result.asksForOpenMP = made.asksForOpenMP;
          if (inspect && made.parsed && !made.isSurvey) inspect(context, result.program, readings);
        });
  }

private:
  ExtractResult &result;
  const Inspect &inspect;
  std::shared_ptr<HintTable> hints;
  const OtherUnits &others;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> unitConsumer(clang::CompilerInstance &compiler, const OtherUnits &others,
                                                 UnitDone done) {
  auto hints = std::make_shared<HintTable>();
  if (!compiler.getFrontendOpts().Inputs.empty() && compiler.getFrontendOpts().Inputs.front().isFile())
    hints->readFile(compiler.getFrontendOpts().Inputs.front().getFile(),
                    compiler.getFileManager().getVirtualFileSystem());
  return std::make_unique<Consumer>(
      compiler, others, hints,
      [done](clang::ASTContext &context, ExtractResult made, const UnitReadings &) { done(context, std::move(made)); });
}

ExtractResult extractUnit(llvm::StringRef file, llvm::ArrayRef<std::string> compilerArguments,
                          llvm::StringRef directory, const Inspect &inspect, const OtherUnits &others,
                          llvm::vfs::FileSystem *given) {
  ExtractResult result;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = given;
  if (!files) files = llvm::vfs::createPhysicalFileSystem();
  if (!directory.empty()) (void)files->setCurrentWorkingDirectory(directory);
  auto contents = files->getBufferForFile(file);
  if (!contents) {
    result.diagnostics.push_back(
        {skeleton::Level::Error, {file.str(), 0, 0}, "cannot open file: " + contents.getError().message()});
    return result;
  }
  llvm::StringRef text = (*contents)->getBuffer();
  if (text.contains('\0')) {
    result.diagnostics.push_back({skeleton::Level::Error, {file.str(), 0, 0}, "this is a binary file, not source"});
    return result;
  }
  std::vector<std::string> command = {"clang-19"};
  auto has = [&](llvm::StringRef prefix) {
    return llvm::any_of(compilerArguments,
                        [&](const std::string &one) { return llvm::StringRef(one).starts_with(prefix); });
  };
  command.insert(command.end(), compilerArguments.begin(), compilerArguments.end());
  if (!has("-resource-dir")) command.push_back("-resource-dir=" + resourceFolder());
  bool addsOpenMP = text.contains("pragma omp") && !has("-fopenmp") && !has("-fno-openmp");
  if (addsOpenMP) command.push_back("-fopenmp");
  for (const char *flag : {"-fsyntax-only", "-Wno-everything", "-Wno-unknown-warning-option", "-Qunused-arguments"})
    command.push_back(flag);
  command.push_back(file.str());
  Listener listener(result);
  auto hints = std::make_shared<HintTable>();
  hints->readFile(file, *files);
  llvm::IntrusiveRefCntPtr<clang::FileManager> manager(new clang::FileManager(clang::FileSystemOptions(), files));
  clang::tooling::ToolInvocation invocation(command, std::make_unique<Action>(result, inspect, hints, others),
                                            manager.get());
  invocation.setDiagnosticConsumer(&listener);
  bool ran = invocation.run();
  result.parsed = ran && listener.getNumErrors() == 0;
  if (result.parsed || !addsOpenMP) return result;
  // Its directives are wrong, and nobody has asked for them.
  std::vector<std::string> plain = compilerArguments.vec();
  plain.push_back("-fno-openmp");
  ExtractResult again = extractUnit(file, plain, directory, inspect, others, given);
  return again.parsed ? std::move(again) : std::move(result);
}

} // namespace busfare::frontend
