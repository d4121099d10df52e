//===- clang-plugin/lower/Settings.cpp - Numbers that a build may set ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/lower/Settings.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/Located.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/SaveAndRestore.h"

namespace busfare::frontend {
using skeleton::Expr;

class Settings::Listener : public clang::PPCallbacks {
public:
  struct Seen {
    const clang::MacroInfo *macro;
    bool isOpen; ///< It was asked before whether it is defined, or the command line defines it.
  };
  std::map<std::string, Seen> seen;
  std::set<std::string> unfit; ///< Defined again, taken back, or asked for its value by an `#if`.

  explicit Listener(clang::Preprocessor &preprocessor) : preprocessor(preprocessor) {}

  void MacroDefined(const clang::Token &name, const clang::MacroDirective *directive) override {
    const clang::SourceManager &sources = preprocessor.getSourceManager();
    const clang::SourceLocation at = name.getLocation();
    const std::string text = name.getIdentifierInfo()->getName().str();
    const bool isGiven = sources.isWrittenInCommandLineFile(at);
    auto known = seen.find(text);
    // Of two words -DN=1 -DN=2 the last one counts.
    const bool isAgain = known != seen.end() &&
                         !(isGiven && sources.isWrittenInCommandLineFile(known->second.macro->getDefinitionLoc()));
    if (isAgain) unfit.insert(text);
    if (sources.isWrittenInBuiltinFile(at) || sources.isInSystemHeader(at)) unfit.insert(text);
    seen[text] = {directive->getMacroInfo(), isGiven || asked.count(text) != 0};
  }
  void MacroUndefined(const clang::Token &name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    unfit.insert(name.getIdentifierInfo()->getName().str());
  }
  void Ifndef(clang::SourceLocation, const clang::Token &name, const clang::MacroDefinition &) override { ask(name); }
  void Defined(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange) override { ask(name); }
  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange,
                    const clang::MacroArgs *) override {
    if (preprocessor.isParsingIfOrElifDirective()) unfit.insert(name.getIdentifierInfo()->getName().str());
  }

private:
  clang::Preprocessor &preprocessor;
  std::set<std::string> asked;

  void ask(const clang::Token &name) {
    if (const clang::IdentifierInfo *identifier = name.getIdentifierInfo()) asked.insert(identifier->getName().str());
  }
};

Settings::Settings() = default;
Settings::~Settings() = default;

void Settings::listen(clang::Preprocessor &preprocessor) {
  auto made = std::make_unique<Listener>(preprocessor);
  listener = made.get();
  preprocessor.addPPCallbacks(std::move(made));
}

/// The tokens of the body without parentheses around all of it; empty: it is no number.
static llvm::ArrayRef<clang::Token> bodyOf(const clang::MacroInfo &macro) {
  llvm::ArrayRef<clang::Token> body = macro.tokens();
  auto isEnclosed = [&] {
    if (body.size() < 3 || body.front().isNot(clang::tok::l_paren) || body.back().isNot(clang::tok::r_paren))
      return false;
    int depth = 0;
    for (size_t k = 0; k + 1 < body.size(); ++k) {
      depth += body[k].is(clang::tok::l_paren) ? 1 : body[k].is(clang::tok::r_paren) ? -1 : 0;
      if (depth == 0) return false;
    }
    return true;
  };
  while (isEnclosed()) body = body.drop_front().drop_back();
  const bool isNumber = llvm::all_of(body, [](const clang::Token &token) {
    return token.isOneOf(clang::tok::numeric_constant, clang::tok::l_paren, clang::tok::r_paren, clang::tok::plus,
                         clang::tok::minus, clang::tok::star, clang::tok::slash, clang::tok::lessless);
  });
  return isNumber && !macro.isFunctionLike() ? body : llvm::ArrayRef<clang::Token>();
}

namespace {

/// The array types of a unit, as they are written.
class ArrayTypes : public clang::RecursiveASTVisitor<ArrayTypes> {
public:
  explicit ArrayTypes(llvm::function_ref<void(clang::ConstantArrayTypeLoc)> visit) : visit(visit) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitConstantArrayTypeLoc(clang::ConstantArrayTypeLoc type) {
    visit(type);
    return true;
  }

private:
  llvm::function_ref<void(clang::ConstantArrayTypeLoc)> visit;
};

} // namespace

bool Settings::settle(const clang::ASTContext &ofUnit, llvm::ArrayRef<const clang::Decl *> ofIts) {
  context = &ofUnit;
  decls = ofIts;
  if (!listener) return false;
  for (const auto &[name, seen] : listener->seen) {
    llvm::ArrayRef<clang::Token> body = bodyOf(*seen.macro);
    if (body.empty() || listener->unfit.count(name)) continue;
    NamedNumber &number = byName[name];
    number.name = name;
    number.isSetting = seen.isOpen;
    number.defined = seen.macro->getDefinitionLoc();
    number.location = locationOf(number.defined, context->getSourceManager());
    byFirstToken[body.front().getLocation()] = {&number, body.back().getLocation()};
  }
  if (byName.empty()) return false;
  noteTypes();
  return true;
}

void Settings::takeAsNumbers(std::set<std::string> names) {
  asNumbers = std::move(names);
  extents.clear();
  noteTypes();
}

void Settings::noteTypes() {
  auto note = [&](clang::ConstantArrayTypeLoc type) {
    const clang::Expr *size = type.getSizeExpr();
    if (!size || size->isValueDependent()) return;
    const std::optional<Expr> value = formula(size);
    auto [known, isNew] = extents.try_emplace(keyOf(type.getType()), Extent{value, {}});
    if (!isNew && known->second.value != value) known->second.value.reset();
    known->second.names.merge(met[nullptr]);
    met[nullptr].clear();
  };
  ArrayTypes types(note);
  for (const clang::Decl *decl : decls)
    if (!context->getSourceManager().isInSystemHeader(decl->getLocation()))
      types.TraverseDecl(const_cast<clang::Decl *>(decl));
}

const clang::Type *Settings::keyOf(clang::QualType array) const {
  return context->getCanonicalType(context->getUnqualifiedArrayType(array)).getTypePtr();
}

/// Is the expression all that a macro stands for?
NamedNumber *Settings::numberOf(const clang::Expr *expr) const {
  const clang::SourceManager &sources = context->getSourceManager();
  const clang::SourceLocation begin = expr->getBeginLoc(), end = expr->getEndLoc();
  if (!begin.isMacroID() || sources.getFileID(begin) != sources.getFileID(end)) return nullptr;
  auto found = byFirstToken.find(sources.getSpellingLoc(begin));
  const bool isAll = found != byFirstToken.end() && found->second.last == sources.getSpellingLoc(end);
  return isAll ? found->second.number : nullptr;
}

bool Settings::mentions(const clang::Stmt *part) const {
  if (!part) return false;
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(part))
    if (const NamedNumber *number = numberOf(expr); number && number->isSetting && !asNumbers.count(number->name))
      return true;
  return llvm::any_of(partsOf(part), [&](const clang::Stmt *one) { return mentions(one); });
}

std::optional<Expr> Settings::extentOf(clang::QualType array) const {
  auto found = extents.find(keyOf(array.getNonReferenceType()));
  if (found == extents.end()) return std::nullopt;
  const std::optional<Expr> &value = found->second.value;
  return !value || value->constant() || value->isPoisoned() ? std::nullopt : value;
}

std::optional<Expr> Settings::extentOf(clang::QualType array, const clang::FunctionDecl *function) {
  if (auto found = extents.find(keyOf(array.getNonReferenceType())); found != extents.end())
    met[function].insert(found->second.names.begin(), found->second.names.end());
  return extentOf(array);
}

std::optional<Expr> Settings::bytesOf(clang::QualType type) {
  Expr count = 1;
  type = type.getNonReferenceType();
  while (const auto *array = context->getAsConstantArrayType(type)) {
    const std::optional<Expr> named = extentOf(type, asking);
    count = count * (named ? *named : Expr(int64_t(array->getSize().getLimitedValue(INT64_MAX))));
    type = array->getElementType();
  }
  if (type->isIncompleteType() || type->isFunctionType() || type->isDependentType() || type->isVariableArrayType())
    return std::nullopt;
  return count * context->getTypeSizeInChars(type).getQuantity();
}

/// Of a constant expression; a number if no setting has a part in it.
std::optional<Expr> Settings::formula(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  auto asNumber = [&]() -> std::optional<Expr> {
    clang::Expr::EvalResult known;
    if (!expr->isPRValue() || expr->isValueDependent() || !expr->getType()->isIntegralOrEnumerationType() ||
        expr->HasSideEffects(*context) || !expr->EvaluateAsInt(known, *context) ||
        !known.Val.getInt().isRepresentableByInt64())
      return std::nullopt;
    return Expr(known.Val.getInt().getExtValue());
  };
  if (NamedNumber *number = numberOf(expr)) {
    const std::optional<Expr> value = asNumber();
    if (!value) return std::nullopt;
    number->value = value->constant();
    met[asking].insert(number->name);
    const bool isSymbol = number->isSetting && *number->value > 0 && !asNumbers.count(number->name);
    return isSymbol ? Expr::symbol(number->name) : *value;
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    const clang::Expr *inner = cast->getSubExpr();
    const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(inner->IgnoreParens());
    const auto *variable = ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
    if (cast->getCastKind() == clang::CK_LValueToRValue && variable && variable->getType().isConstQualified() &&
        variable->getAnyInitializer() && !variable->getAnyInitializer()->isValueDependent() && asNumber())
      return formula(variable->getAnyInitializer());
    const bool isWide = expr->getType()->isIntegralOrEnumerationType() && !expr->getType()->isBooleanType() &&
                        context->getIntWidth(expr->getType()) >= context->getIntWidth(context->IntTy);
    if ((cast->getCastKind() == clang::CK_IntegralCast && isWide) || cast->getCastKind() == clang::CK_NoOp)
      return formula(inner);
  }
  if (const auto *wrapped = llvm::dyn_cast<clang::ConstantExpr>(expr)) return formula(wrapped->getSubExpr());
  if (const auto *replaced = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr))
    return formula(replaced->getReplacement());
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr))
    if (const auto *enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(ref->getDecl());
        enumerator && enumerator->getInitExpr() && !enumerator->getInitExpr()->isValueDependent())
      return formula(enumerator->getInitExpr());
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr);
      op && (op->getOpcode() == clang::UO_Plus || op->getOpcode() == clang::UO_Minus)) {
    const std::optional<Expr> inner = formula(op->getSubExpr());
    return !inner ? inner : op->getOpcode() == clang::UO_Plus ? *inner : -*inner;
  }
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr); op && op->getType()->isIntegerType()) {
    const std::optional<Expr> a = formula(op->getLHS()), b = formula(op->getRHS());
    const std::optional<int64_t> by = b ? b->constant() : std::nullopt;
    // C rounds towards zero.
    const bool isPositive = a && llvm::all_of(a->sum(), [](const auto &term) { return term.coefficient > 0; });
    if (a && b && op->getOpcode() == clang::BO_Add) return *a + *b;
    if (a && b && op->getOpcode() == clang::BO_Sub) return *a - *b;
    if (a && b && op->getOpcode() == clang::BO_Mul) return *a * *b;
    if (isPositive && by && *by > 0 && op->getOpcode() == clang::BO_Div) return floorDiv(*a, *by);
    if (a && by && *by >= 0 && *by < 31 && op->getOpcode() == clang::BO_Shl) return *a * (int64_t(1) << *by);
  }
  if (const auto *size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(expr);
      size && size->getKind() == clang::UETT_SizeOf)
    if (const std::optional<Expr> bytes = bytesOf(size->getTypeOfArgument())) return bytes;
  return mentions(expr) ? std::nullopt : asNumber();
}

std::optional<Expr> Settings::valueOf(const clang::Expr *expr, const clang::FunctionDecl *function) {
  llvm::SaveAndRestore in(asking, function);
  const std::optional<Expr> value = formula(expr);
  return !value || value->isPoisoned() || value->symbols().empty() ? std::nullopt : value;
}

} // namespace busfare::frontend
