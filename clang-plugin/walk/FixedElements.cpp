//===- clang-plugin/walk/FixedElements.cpp - Integers in memory that stay what they are -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A size that is kept in memory is one number as long as no loop around writes it:
//
//   for (k = 0; k < size[2]; k++)       define size[2], define size[1] before the outer loop
//     for (j = 0; j < size[1]; j++)
//       a[k][j] = 0;                    a double: not one of the ints in size
//
// So is a global that is met for the first time inside a loop, after code that may have changed it.
// What a loop may write is read off its source, and that of the functions it calls. The
// read stays where it is; only the name of the value moves.
//
//===----------------------------------------------------------------------===//
#include "MadeBefore.h"
#include "Walk.h"
#include "clang-plugin/library/BlasTable.h"
#include "clang-plugin/library/MessageTable.h"
#include "clang/AST/Attr.h"

namespace busfare::frontend {

namespace {

/// The variable whose own memory the lvalue is part of; null if a pointer lies in between.
const clang::VarDecl *ownerOf(const clang::Expr *lvalue) {
  lvalue = lvalue->IgnoreParenCasts();
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(lvalue)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    return variable && !variable->getType()->isReferenceType() ? variable : nullptr;
  }
  if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue)) {
    const clang::Expr *base = subscript->getBase()->IgnoreParens();
    const auto *decayed = llvm::dyn_cast<clang::ImplicitCastExpr>(base);
    bool isArray = decayed && decayed->getCastKind() == clang::CK_ArrayToPointerDecay;
    return isArray ? ownerOf(decayed->getSubExpr()) : nullptr;
  }
  if (const auto *access = llvm::dyn_cast<clang::MemberExpr>(lvalue))
    return access->isArrow() ? nullptr : ownerOf(access->getBase());
  return nullptr;
}

bool isOfUnion(const clang::Expr *lvalue) {
  const auto *access = llvm::dyn_cast<clang::MemberExpr>(lvalue->IgnoreParens());
  const auto *field = access ? llvm::dyn_cast<clang::FieldDecl>(access->getMemberDecl()) : nullptr;
  return field && (field->getParent()->isUnion() || (!access->isArrow() && isOfUnion(access->getBase())));
}

} // namespace

/// Vectors, and types that are said to alias all others.
static bool mayAliasAll(clang::QualType type) {
  if (type->isVectorType()) return true;
  for (const auto *named = type->getAs<clang::TypedefType>(); named;
       named = named->getDecl()->getUnderlyingType()->getAs<clang::TypedefType>())
    if (named->getDecl()->hasAttr<clang::MayAliasAttr>()) return true;
  return false;
}

/// A function of another unit: but for what it writes through its formals.
static bool writesNoIntegers(const Summary &known) {
  const bool isSeen = known.state == Summary::State::Done && !known.isRecursive && !known.doesOpaqueThings &&
                      !known.forgetsStatics && !known.storesAnywhere && !known.waits;
  return isSeen && known.writtenGlobals.empty() && known.writtenFields.empty() && known.writtenMemory.empty();
}

bool Walker::mayWriteInteger(const clang::Stmt *stmt, const std::string &object, uint64_t bytes,
                             std::set<const clang::FunctionDecl *> &seen, bool isAnyGlobal) {
  return mayWrite(stmt, object,
                  [&](clang::QualType type) {
                    if (mayAliasAll(type)) return true;
                    type = type.getCanonicalType();
                    if (!unit.typesTell || type->isRecordType() || type->isVoidType() || type->isDependentType())
                      return true;
                    uint64_t size = bytesOf(innermost(type, context), context);
                    return size == 1 || (innermost(type, context)->isIntegralOrEnumerationType() && size == bytes) ||
                           innermost(type, context)->isRecordType();
                  },
                  seen, {writesNoIntegers, true, isAnyGlobal});
}

bool Walker::mayWrite(const clang::Stmt *stmt, const std::string &object,
                      llvm::function_ref<bool(clang::QualType)> isLike, std::set<const clang::FunctionDecl *> &seen,
                      const WriteOptions &options) {
  if (!stmt) return false;
  auto global = unit.globalNames.find(object);
  const clang::VarDecl *variable = global == unit.globalNames.end() ? nullptr : global->second;
  bool isDirect = variable && unit.privateGlobals.direct.count(variable);
  bool isUnreached = isDirect && unit.privateGlobals.contents.count(variable);
  auto stores = [&](const clang::Expr *target) {
    if (const clang::VarDecl *owner = object.empty() ? nullptr : ownerOf(target)) {
      std::string name = nameOf(owner);
      if (options.isAnyGlobal && !owner->hasLocalStorage() && isLike(target->getType())) return true;
      return object == name || llvm::StringRef(object).starts_with(name + ".");
    }
    if (isDirect) return false;
    return isLike(target->getType()) || isOfUnion(target);
  };
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp() && stores(op->getLHS()))
    return true;
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt);
      op && op->isIncrementDecrementOp() && stores(op->getSubExpr()))
    return true;
  if (const auto *expr = llvm::dyn_cast<clang::CXXOperatorCallExpr>(stmt);
      expr && copiedRecord(expr) && stores(expr->getArg(0)))
    return true;
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt))
    for (const clang::Decl *decl : declaration->decls()) { // what runs when the variable goes
      const auto *made = llvm::dyn_cast<clang::VarDecl>(decl);
      if (made && made->hasAttr<clang::CleanupAttr>()) return true;
      if (!made || made->getType()->isReferenceType()) continue;
      const clang::CXXRecordDecl *record = innermost(made->getType(), context)->getAsCXXRecordDecl();
      const clang::CXXDestructorDecl *last =
          record && record->hasDefinition() && record->hasNonTrivialDestructor() ? record->getDestructor() : nullptr;
      if (!last || !destructorMatters(made->getType())) continue;
      // What its fields and bases do in the end stands nowhere.
      const bool isAlone =
          llvm::none_of(record->fields(),
                        [](const clang::FieldDecl *field) { return destructorMatters(field->getType()); }) &&
          llvm::none_of(record->bases(),
                        [](const clang::CXXBaseSpecifier &base) { return destructorMatters(base.getType()); });
      const clang::FunctionDecl *definition = bodyThatRuns(last);
      if (!isAlone || !definition) return !isUnreached;
      if (seen.insert(definition->getCanonicalDecl()).second &&
          mayWrite(definition->getBody(), object, isLike, seen, options))
        return true;
    }
  if (const auto *gone = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(stmt); gone && destructorMatters(gone->getType()))
    return true;
  if (llvm::isa<clang::GCCAsmStmt, clang::MSAsmStmt, clang::AtomicExpr, clang::CXXDeleteExpr, clang::LambdaExpr,
                clang::CXXInheritedCtorInitExpr>(stmt))
    return true;
  const clang::FunctionDecl *callee = nullptr;
  const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt);
  if (made) callee = calleeOf(made);
  if (const auto *constructed = llvm::dyn_cast<clang::CXXConstructExpr>(stmt)) callee = constructed->getConstructor();
  bool isTrivial = callee && callee->isTrivial();
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  const auto *named = made ? llvm::dyn_cast<clang::MemberExpr>(made->getCallee()->IgnoreParens()) : nullptr;
  const bool isChosen = method && method->isVirtual() && !(named && named->hasQualifier()); // by the object's class
  if (isChosen && made && !isUnreached) return true;
  // Whatever it is cast to on the way.
  auto isLikeBehind = [&](const clang::Expr *argument) {
    while (true) {
      argument = argument->IgnoreParens();
      const clang::QualType type = argument->getType();
      if (type->isArrayType() || (type->isPointerType() && !type->getPointeeType()->isFunctionType()))
        if (isLike(type->isPointerType() ? type->getPointeeType() : type)) return true;
      const auto *cast = llvm::dyn_cast<clang::CastExpr>(argument);
      if (!cast) return false;
      argument = cast->getSubExpr();
    }
  };
  if ((made || callee) && !isTrivial) {
    const clang::FunctionDecl *definition = bodyThatRuns(callee);
    bool isLibrary =
        callee && (callee->getBuiltinID() || context.getSourceManager().isInSystemHeader(callee->getLocation()) ||
                   messageFormOf(callee) || blasFormOf(callee));
    if (isLibrary && made) {
      if (llvm::isa<clang::CXXMemberCallExpr>(made) && !isDirect && (!method || !method->isConst()))
        return true; // `v.resize(n)`
      for (const clang::Expr *argument : made->arguments()) {
        clang::QualType type = argument->IgnoreParenImpCasts()->getType();
        bool isPointer = type->isPointerType() || type->isArrayType();
        clang::QualType pointee = type->isPointerType() ? type->getPointeeType() : type;
        const clang::Expr *plain = argument->IgnoreParenCasts();
        const auto *address = llvm::dyn_cast<clang::UnaryOperator>(plain);
        if (address && address->getOpcode() == clang::UO_AddrOf) plain = address->getSubExpr();
        if ((address || plain->getType()->isArrayType()) && ownerOf(plain) && stores(plain))
          return true; // scanf("%d", &n)
        bool isNumber = type->isArithmeticType() || type->isEnumeralType();
        bool isCode = isPointer ? pointee->isFunctionType() : !isNumber; // a functor, or what may hold one
        if (isCode && !isUnreached) return true;
        if (isPointer && !isCode && !pointee.isConstQualified() && !isDirect && isLikeBehind(argument)) return true;
        if (argument->isGLValue() && !isDirect) return true;
      }
    } else if (definition && !definition->isDependentContext()) {
      if (seen.insert(definition->getCanonicalDecl()).second) {
        if (mayWrite(definition->getBody(), object, isLike, seen, options)) return true;
        if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
          for (const clang::CXXCtorInitializer *init : constructor->inits())
            if (mayWrite(init->getInit(), object, isLike, seen, options)) return true;
      }
    } else {
      const Summary *elsewhere = callee && made && options.leavesAlone ? unit.summaryOf(callee) : nullptr;
      auto isReadOnly = [&](unsigned k) {
        return options.asFormalsSay && !method && k < elsewhere->writesFormal.size() && !elsewhere->writesFormal[k];
      };
      bool isLeft = elsewhere && options.leavesAlone(*elsewhere);
      for (unsigned k = 0; isLeft && k < made->getNumArgs(); ++k) {
        const bool isReference = k >= callee->getNumParams() || callee->getParamDecl(k)->getType()->isReferenceType();
        const bool leadsToOne = made->getArg(k)->getType()->isPointerType() && isLikeBehind(made->getArg(k));
        isLeft = isReadOnly(k) || !(leadsToOne || (isReference && made->getArg(k)->isGLValue()));
      }
      if (!isLeft && !isUnreached) return true;
    }
  }
  return llvm::any_of(partsOf(stmt),
                      [&](const clang::Stmt *child) { return mayWrite(child, object, isLike, seen, options); });
}

/// The outermost loop around, out from the innermost, up to which all leave the value alone, and the loop around that
/// one (0: none).
std::pair<Frame *, unsigned> Walker::outermostLeavingAlone(llvm::function_ref<bool(const Frame &)> leavesAlone) {
  Frame *outermost = nullptr;
  for (Frame &frame : llvm::reverse(st.frames)) {
    if (frame.isSwitch) continue;
    if (!frame.around || !frame.stmt || !leavesAlone(frame)) return {outermost, outermost ? frame.id : 0};
    outermost = &frame;
  }
  return {outermost, 0};
}

/// The value as one symbol, defined before the outermost loop around in which nothing may write it; nothing if there is
/// none.
std::optional<Value> Walker::fixedElement(const Place &place, llvm::StringRef text,
                                          const std::optional<Symbolic> &least, const std::optional<Symbolic> &most,
                                          Location location) {
  if (place.partial || place.at.inside || place.type.isVolatileQualified() || !st.isDeclared(place.at.object))
    return std::nullopt;
  Pointer at = place.at;
  normalize(at);
  const Array &array = object(at.object).array;
  if (array.storage == Storage::Alias || array.perIteration || array.type.kind == skeleton::ElementType::Kind::Struct)
    return std::nullopt;
  std::vector<Symbolic> subscripts;
  for (const auto &index : at.index) {
    if (!index || index->isPoisoned()) return std::nullopt;
    subscripts.push_back(*index);
  }
  std::pair key{at.object, subscripts};
  if (auto known = st.fixedElements.find(key); known != st.fixedElements.end()) return Value{known->second.second};
  bool isOfCaller =
      array.storage == Storage::Global || array.storage == Storage::Parameter || array.storage == Storage::Given;
  size_t position = llvm::find(st.objectOrder, at.object) - st.objectOrder.begin();
  auto [outermost, around] = outermostLeavingAlone([&](const Frame &frame) {
    bool isThereBefore =
        llvm::all_of(subscripts, [&](const Symbolic &one) { return isMadeBefore(st, one, frame.mark); });
    std::set<const clang::FunctionDecl *> seen;
    return isThereBefore && (isOfCaller || position < frame.objects) && !mayExchange(frame.stmt) &&
           !mayWriteInteger(frame.stmt, at.object, bytesOf(place.type, context), seen);
  });
  if (!outermost) return std::nullopt;
  std::string name = freshName(text.size() <= 28 ? text.str() : array.name);
  if (least && st.ranges.isNonNegative(*least)) st.ranges.assumeSymbolNonNegative(name);
  st.symbols[name] = {text.str(), around != 0, false, around, outermost->mark, least, most};
  skeleton::Define define{name, least, most, std::nullopt, text.str(), location};
  define.usually = st.symbols[name].usually = usualElement(place);
  outermost->around->push_back(std::move(define));
  Symbolic value = Symbolic::symbol(name);
  st.fixedElements.insert({key, {outermost->id, value}});
  return Value{value};
}

/// Of a global integer whose value here is not known: one symbol for the outermost loop around that leaves it alone.
std::optional<Value> Walker::fixedGlobal(const std::string &variable, clang::QualType type, Location location) {
  if (!unit.globalNames.count(variable) || type.isVolatileQualified() || type->isReferenceType() ||
      type->isAtomicType())
    return std::nullopt;
  std::pair<std::string, std::vector<Symbolic>> key{variable + " (value)", {}};
  if (auto known = st.fixedElements.find(key); known != st.fixedElements.end()) return Value{known->second.second};
  auto [outermost, around] = outermostLeavingAlone([&](const Frame &frame) {
    std::set<const clang::FunctionDecl *> seen;
    return !frame.changed.count(variable) && !mayExchange(frame.stmt) &&
           !mayWriteInteger(frame.stmt, variable, bytesOf(type, context), seen);
  });
  if (!outermost) return std::nullopt;
  std::optional<Symbolic> least;
  if (type->isUnsignedIntegerOrEnumerationType()) least = Symbolic(0);
  std::string name = freshName(variable);
  if (least) st.ranges.assumeSymbolNonNegative(name);
  st.symbols[name] = {variable, around != 0, false, around, outermost->mark, least, std::nullopt};
  outermost->around->push_back(skeleton::Define{name, least, std::nullopt, std::nullopt, variable, location});
  Symbolic value = Symbolic::symbol(name);
  st.fixedElements.insert({key, {outermost->id, value}});
  return Value{value};
}

} // namespace busfare::frontend
