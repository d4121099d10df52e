//===- clang-plugin/walk/PrivateGlobals.cpp - Statics that unseen code cannot reach -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PrivateGlobals.h"
#include "Interface.h"
#include "clang-plugin/library/BlasTable.h"
#include "clang-plugin/library/MessageTable.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/Types.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <deque>
#include <functional>
#include <map>

namespace busfare::frontend {

namespace {

using Variable = const clang::VarDecl *;

bool isOfUnit(Variable global) {
  return global->getFormalLinkage() == clang::Linkage::Internal ||
         (global->isStaticLocal() && !global->isExternallyVisible());
}

/// What an expression refers to, of one variable.
struct Use {
  enum class Kind {
    Itself,        ///< The variable, or a part of it.
    ItsAddress,    ///< A pointer to that.
    Target,        ///< What the pointer that the variable holds (or one of its elements) points to.
    TargetAddress, ///< A pointer to that: the variable's value, usually.
  } kind;
  Variable variable;
};
using Uses = std::vector<Use>;

class Search {
public:
  explicit Search(clang::ASTContext &context) : context(context) {}

  void addFunction(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *definition = nullptr;
    if (!function->hasBody(definition) || !definition->getBody()) return;
    if (context.getSourceManager().isInSystemHeader(definition->getLocation())) return;
    if (!known.insert(definition->getCanonicalDecl()).second) return;
    pending.push_back(definition);
  }

  void run(llvm::ArrayRef<Variable> globals) {
    for (Variable global : globals)
      for (Variable one : global->redecls())
        if (one->hasInit()) initialize(global, one->getInit());
    while (!pending.empty()) {
      current = pending.front();
      pending.pop_front();
      bool isMember = llvm::isa<clang::CXXMethodDecl>(current); // may be called where no call is written
      if ((isCalledByOthers(current) && !current->isMain()) || isMember) entered.insert(current->getCanonicalDecl());
      if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(current))
        for (const clang::CXXCtorInitializer *init : constructor->inits())
          if (init->getInit()) getsOut(uses(init->getInit()));
      visit(current->getBody());
    }
    current = nullptr;
    spread();
  }

  PrivateGlobals sum(llvm::ArrayRef<Variable> globals) const {
    PrivateGlobals result;
    for (Variable one : globals) {
      if (!isOfUnit(one) || one->getType().isVolatileQualified()) continue;
      bool isNamedInside = false, isChangedInside = false;
      for (const clang::FunctionDecl *function : entered) {
        isNamedInside |= named.count({function, one}) != 0;
        isChangedInside |= changed.count({function, one}) != 0;
      }
      if (one->getType()->isReferenceType()) continue;
      bool isOut = ownOut.count(one) != 0, isDirect = !isOut && !pointers.count({one, false});
      if (isDirect) result.direct.insert(one);
      if (isDirect && !isChangedInside) result.values.insert(one);
      if (!isOut && !isNamedInside) result.contents.insert(one);
      if (!targetOut.count(one) && !isOut && !isNamedInside && !foreign.count(one)) result.behind.insert(one);
    }
    return result;
  }

private:
  using Kind = Use::Kind;

  /// Pointers among these may be held by anybody.
  void getsOut(const Uses &uses) {
    for (const Use &use : uses) {
      if (use.kind == Kind::ItsAddress || use.kind == Kind::Itself) ownOut.insert(use.variable);
      targetOut.insert(use.variable);
    }
  }

  /// Pointers among these are from here on in `holder` too.
  void flow(const Uses &uses, Variable holder) {
    holder = holder->getCanonicalDecl();
    if (holder->getType()->isReferenceType() || (holder->hasGlobalStorage() && !uses.empty())) {
      Uses others;
      for (const Use &use : uses)
        if (use.variable != holder) others.push_back(use);
      return getsOut(others);
    }
    for (const Use &use : uses)
      if (use.kind == Kind::ItsAddress || use.kind == Kind::TargetAddress) {
        pointers.insert({use.variable, use.kind == Kind::TargetAddress});
        flows[holder].push_back({use.variable, use.kind == Kind::TargetAddress});
      }
  }

  /// What a pointer out of a variable that got out reaches is out, too.
  void spread() {
    for (bool again = true; again;) {
      again = false;
      for (const auto &[holder, sources] : flows) {
        if (!targetOut.count(holder) && !ownOut.count(holder)) continue;
        for (const auto &[variable, isTarget] : sources) {
          if (!isTarget) again |= ownOut.insert(variable).second;
          again |= targetOut.insert(variable).second;
        }
      }
    }
    for (bool again = true; again;) { // what a function that may be entered calls is entered, too
      again = false;
      for (const auto &[caller, callee] : calls)
        if (entered.count(caller)) again |= entered.insert(callee).second;
    }
  }

  void isChanged(const Uses &uses) {
    for (const Use &use : uses)
      if (use.kind == Kind::Itself && current) changed.insert({current->getCanonicalDecl(), use.variable});
  }

  static bool isFresh(const clang::Expr *value) {
    value = value->IgnoreParenCasts();
    if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr, clang::IntegerLiteral,
                  clang::ImplicitValueInitExpr>(value))
      return true;
    if (const auto *made = llvm::dyn_cast<clang::CXXNewExpr>(value)) return made->getNumPlacementArgs() == 0;
    const auto *call = llvm::dyn_cast<clang::CallExpr>(value);
    const clang::FunctionDecl *callee = call ? calleeOf(call) : nullptr;
    if (!callee || !callee->getIdentifier()) return false;
    return llvm::StringSwitch<bool>(callee->getName())
        .Cases("malloc", "calloc", "aligned_alloc", "memalign", true)
        .Default(false);
  }

  void initialize(Variable variable, const clang::Expr *init) {
    variable = variable->getCanonicalDecl();
    Uses value = uses(init);
    flow(value, variable);
    if (variable->getType()->isPointerType() && !isFresh(init)) foreign.insert(variable);
  }

  /// Those of the statement's parts that are no expressions follow by themselves.
  void visit(const clang::Stmt *stmt) {
    if (!stmt) return;
    if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt)) {
      uses(expr);
      return;
    }
    if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
      for (const clang::Decl *decl : declaration->decls())
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
          if (variable->getInit()) initialize(variable, variable->getInit());
        } else if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(decl)) {
          for (const clang::CXXMethodDecl *method : record->methods()) addFunction(method);
        }
      return;
    }
    if (const auto *returned = llvm::dyn_cast<clang::ReturnStmt>(stmt)) {
      if (returned->getRetValue()) getsOut(uses(returned->getRetValue()));
      return;
    }
    if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt))
      for (const clang::OMPClause *clause : directive->clauses())
        for (const clang::Stmt *part : clause->children())
          if (const auto *expr = llvm::dyn_cast_or_null<clang::Expr>(part)) {
            Uses named = uses(expr);
            isChanged(named);
          }
    if (llvm::isa<clang::GCCAsmStmt, clang::MSAsmStmt>(stmt)) {
      for (const clang::Stmt *child : partsOf(stmt))
        if (const auto *expr = llvm::dyn_cast_or_null<clang::Expr>(child)) getsOut(uses(expr));
      return;
    }
    for (const clang::Stmt *child : partsOf(stmt)) visit(child);
  }

  /// What a value read from there carries: of numbers, nothing. A struct may hold pointers.
  Uses loaded(const Uses &from, clang::QualType type) {
    Uses result;
    if (type->isRecordType())
      for (Use use : from) result.push_back({Kind::TargetAddress, use.variable});
    if (type->isAnyPointerType())
      for (Use use : from)
        if (use.kind == Kind::Itself) result.push_back({Kind::TargetAddress, use.variable});
    return result;
  }

  Uses name(const clang::DeclRefExpr *ref) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(ref->getDecl())) {
      addFunction(function); // not called by its name here: its address is taken
      entered.insert(function->getCanonicalDecl());
      return {};
    }
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    if (!variable) return {};
    variable = variable->getCanonicalDecl();
    if (variable->hasGlobalStorage() && current) named.insert({current->getCanonicalDecl(), variable});
    return {{Kind::Itself, variable}};
  }

  /// Evaluates the expression for what its value refers to; notes what happens on the way.
  Uses uses(const clang::Expr *expr);
  Uses usesOfCast(const clang::CastExpr *cast);
  Uses usesOfBinary(const clang::BinaryOperator *op);
  Uses usesOfUnary(const clang::UnaryOperator *op);
  Uses usesOfCall(const clang::CallExpr *call);
  void pass(const clang::Expr *argument, const clang::FunctionDecl *callee, unsigned k);

  clang::ASTContext &context;
  const clang::FunctionDecl *current = nullptr; ///< Whose body is read; null: none, before the program starts.
  std::deque<const clang::FunctionDecl *> pending;
  std::set<const clang::FunctionDecl *> known, entered;
  std::set<std::pair<const clang::FunctionDecl *, const clang::FunctionDecl *>> calls;
  std::set<std::pair<const clang::FunctionDecl *, Variable>> named, changed;
  std::map<Variable, std::vector<std::pair<Variable, bool>>>
      flows; ///< Into the first: (variable, its target rather than itself).
  std::set<std::pair<Variable, bool>> pointers;                     ///< Some variable holds such a pointer.
  std::set<Variable> ownOut, targetOut;
  std::set<Variable> foreign;   ///< Pointers that were given something else than fresh memory.
};

static Uses addressOf(Uses uses) {
  for (Use &use : uses) use.kind = use.kind == Use::Kind::Itself ? Use::Kind::ItsAddress : Use::Kind::TargetAddress;
  return uses;
}

/// What the pointer points to; a vector's element is part of the vector.
static Uses behindPointer(Uses uses) {
  for (Use &use : uses)
    use.kind =
        use.kind == Use::Kind::ItsAddress || use.kind == Use::Kind::Itself ? Use::Kind::Itself : Use::Kind::Target;
  return uses;
}

Uses Search::usesOfCast(const clang::CastExpr *cast) {
  Uses inner = uses(cast->getSubExpr());
  switch (cast->getCastKind()) {
  case clang::CK_LValueToRValue: return loaded(inner, cast->getType());
  case clang::CK_ArrayToPointerDecay: return addressOf(inner);
  case clang::CK_PointerToBoolean:
  case clang::CK_ToVoid: return {};
  case clang::CK_PointerToIntegral: getsOut(inner); return {};
  default: return inner;
  }
}

Uses Search::usesOfUnary(const clang::UnaryOperator *op) {
  Uses inner = uses(op->getSubExpr());
  switch (op->getOpcode()) {
  case clang::UO_AddrOf: return addressOf(inner);
  case clang::UO_Deref: return behindPointer(inner);
  case clang::UO_LNot: return {};
  default: break;
  }
  if (!op->isIncrementDecrementOp())
    return op->getOpcode() == clang::UO_Extension || op->getOpcode() == clang::UO_Real ||
                   op->getOpcode() == clang::UO_Imag
               ? inner
               : Uses();
  isChanged(inner);
  return op->isGLValue() ? inner : loaded(inner, op->getType());
}

Uses Search::usesOfBinary(const clang::BinaryOperator *op) {
  Uses left = uses(op->getLHS()), right = uses(op->getRHS());
  if (op->getOpcode() == clang::BO_Comma) return right;
  if (op->isAssignmentOp()) {
    isChanged(left);
    clang::QualType type = op->getType();
    if (type->isAnyPointerType() || type->isRecordType()) {
      const clang::VarDecl *holder = variableOf(op->getLHS());
      if (holder) flow(right, holder);
      else getsOut(right);
      for (const Use &use : left)
        if (use.kind == Kind::Itself && (!op->isCompoundAssignmentOp() && !isFresh(op->getRHS())))
          foreign.insert(use.variable);
      if (!op->isGLValue()) return right;
      left.insert(left.end(), right.begin(), right.end());
    }
    return left;
  }
  if (op->isAdditiveOp() && op->getType()->isAnyPointerType()) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
  }
  return {}; // a number, or a truth value
}

/// An argument that is passed on.
void Search::pass(const clang::Expr *argument, const clang::FunctionDecl *callee, unsigned k) {
  Uses value = uses(argument);
  if (value.empty()) return;
  const clang::FunctionDecl *definition = bodyThatRuns(callee);
  bool isSeen = definition && known.count(callee->getCanonicalDecl()) && k < callee->getNumParams();
  if (!isSeen || llvm::isa<clang::CXXMethodDecl>(callee)) return getsOut(value);
  flow(value, definition->getParamDecl(k));
}

Uses Search::usesOfCall(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = calleeOf(call);
  if (!callee) {
    getsOut(uses(call->getCallee()));
    for (const clang::Expr *argument : call->arguments()) getsOut(uses(argument));
    return {};
  }
  addFunction(callee);
  if (bodyThatRuns(callee) && current) calls.insert({current->getCanonicalDecl(), callee->getCanonicalDecl()});
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
    getsOut(uses(member->getImplicitObjectArgument()));
  // Those of the library that neither keep nor pass on what they are given.
  bool forgets = false, returnsFirst = false;
  bool isLibrary = context.getSourceManager().isInSystemHeader(callee->getLocation()) || callee->getBuiltinID();
  if (isLibrary && callee->getIdentifier()) {
    llvm::StringRef name = callee->getName();
    returnsFirst = name == "memcpy" || name == "memset" || name == "memmove";
    forgets = returnsFirst || name == "free" || name == "memcmp" || name.ends_with("printf") || name == "fread" ||
              name == "fwrite" || name == "puts" || name == "strlen";
    // `fscanf(f, "%d", &n)` changes n and forgets it.
    if (name.ends_with("scanf")) {
      for (const clang::Expr *argument : call->arguments()) {
        isChanged(behindPointer(uses(argument)));
      }
      return {};
    }
  }
  // A message that is over when its call returns, and BLAS.
  if (std::optional<MessageForm> form = messageFormOf(callee))
    forgets = !form->isNonblocking && llvm::StringRef(form->roles).find_first_of("dgx") == llvm::StringRef::npos;
  forgets |= blasFormOf(callee).has_value();
  Uses first;
  for (unsigned k = 0; k < call->getNumArgs(); ++k) {
    if (forgets) {
      Uses given = uses(call->getArg(k));
      if (k == 0) first = given;
      isChanged(behindPointer(given));
    } else pass(call->getArg(k), callee, k);
  }
  return returnsFirst ? first : Uses();
}

Uses Search::uses(const clang::Expr *expr) {
  if (!expr) return {};
  if (const auto *paren = llvm::dyn_cast<clang::ParenExpr>(expr)) return uses(paren->getSubExpr());
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr)) return name(ref);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) return usesOfCast(cast);
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) return usesOfUnary(op);
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr)) return usesOfBinary(op);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr)) return usesOfCall(call);
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    uses(subscript->getIdx());
    return behindPointer(uses(subscript->getBase()));
  }
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    return access->isArrow() ? behindPointer(uses(access->getBase())) : uses(access->getBase());
  }
  if (const auto *choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr)) {
    uses(choice->getCond());
    Uses both = uses(choice->getTrueExpr()), other = uses(choice->getFalseExpr());
    both.insert(both.end(), other.begin(), other.end());
    return both;
  }
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr>(expr)) return {};
  if (const auto *wrapped = llvm::dyn_cast<clang::FullExpr>(expr)) return uses(wrapped->getSubExpr());
  if (const auto *wrapped = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr)) return uses(wrapped->getSubExpr());
  if (const auto *wrapped = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr)) return uses(wrapped->getExpr());
  if (const auto *wrapped = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expr)) return uses(wrapped->getExpr());
  if (const auto *block = llvm::dyn_cast<clang::StmtExpr>(expr)) {
    visit(block->getSubStmt());
    if (!block->getSubStmt()->body_empty())
      if (const auto *last = llvm::dyn_cast<clang::Expr>(block->getSubStmt()->body_back())) return uses(last);
    return {};
  }
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(expr)) {
    for (const clang::Expr *init : lambda->capture_inits()) getsOut(uses(init));
    if (lambda->getCallOperator()) addFunction(lambda->getCallOperator()); // a member: entered
    return {};
  }
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) addFunction(made->getConstructor());
  // Anything else: what it is made of may be kept by whatever it does.
  for (const clang::Stmt *child : partsOf(expr)) {
    if (const auto *part = llvm::dyn_cast_or_null<clang::Expr>(child)) {
      Uses inner = uses(part);
      isChanged(inner);
      getsOut(inner);
    } else visit(child);
  }
  return {};
}

} // namespace

PrivateGlobals findPrivateGlobals(llvm::ArrayRef<const clang::FunctionDecl *> functions,
                                  llvm::ArrayRef<Variable> globals, clang::ASTContext &context) {
  if (llvm::none_of(globals, isOfUnit)) return {};
  Search search(context);
  for (const clang::FunctionDecl *function : functions) search.addFunction(function);
  search.run(globals);
  return search.sum(globals);
}

} // namespace busfare::frontend
