//===- clang-plugin/walk/FoundChanges.cpp - What a loop changes, found by walking it -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A body changes more than its text names: `advance(&grid)` the fields of grid, `*p = *q`
// all of a struct, `q->n = 0` what another pointer leads to. A trial walk shows it: whatever
// has another value after an iteration than before it is carried.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"

namespace busfare::frontend {

/// A call of the standard library that is modelled: of a container, an iterator or a complex number, or mathematics.
static bool isKnownOperation(const clang::CallExpr *expr, const clang::ASTContext &context) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee->isInStdNamespace()) return false;
  const clang::Expr *object = objectOf(expr)                                ? objectOf(expr)
                              : llvm::isa<clang::CXXOperatorCallExpr>(expr) ? expr->getArg(0)
                                                                            : nullptr;
  if (object)
    return handleOf(object->getType()) != Handle::None || isStdComplex(object->getType()) ||
           arrayLayerOf(object->getType(), context);
  return callee->getReturnType().getNonReferenceType()->isArithmeticType() &&
         llvm::all_of(expr->arguments(), [](const clang::Expr *one) { return one->getType()->isArithmeticType(); });
}

/// Can the statement change variables that collectChanged does not see? Then only a trial walk tells.
bool Walker::changesUnnamed(const clang::Stmt *stmt) {
  if (!stmt) return false;
  const clang::Expr *target = nullptr;
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) target = op->getLHS();
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->isIncrementDecrementOp())
    target = op->getSubExpr();
  if (target) {
    target = target->IgnoreParens();
    if (classOf(target->getType()) == TypeClass::Record) return true;
    bool isTracked = isTrackedType(target->getType()) && !llvm::isa<clang::DeclRefExpr>(target);
    // A store through a pointer may turn out to change fields, and variables whose address is out.
    bool hasFields = llvm::any_of(st.objects, [](const auto &named) { return !named.second.prefix.empty(); });
    if (isTracked &&
        (llvm::isa<clang::MemberExpr>(target) || hasFields || !st.fieldOrigins.empty() || !st.addressTaken.empty()))
      return true;
  }
  if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    const clang::FunctionDecl *callee = calleeOf(made);
    if (!callee || walksInPlace(made) || isLoopingCall(made)) return true;
    if (const Summary *known = unit.summaryOf(callee)) {
      bool isQuiet = known->state == Summary::State::Done && known->writtenFields.empty() &&
                     known->writtenGlobals.empty() && !known->doesOpaqueThings && !known->storesAnywhere &&
                     !(known->writesMemory && !st.addressTaken.empty()); // a pointer in a struct may lead to a variable
      if (!isQuiet) return true;
    } else if (llvm::any_of(made->arguments(), [&](const clang::Expr *argument) { // memset(&s, 0, sizeof s)
                 clang::QualType type = argument->IgnoreParenCasts()->getType();
                 return type->isPointerType() && classOf(type->getPointeeType()) == TypeClass::Record;
               })) {
      return true;
    } else if (!isKnownOperation(made, context) &&
               (unit.isOwnFunction(callee) || !(callee->getIdentifier() && isModelledFunction(callee->getName()))))
      return true;
  }
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt);
      made && !made->getConstructor()->isTrivial() && handleOf(made->getType()) == Handle::None)
    return true;
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt))
    for (const clang::Decl *decl : declaration->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl); variable && changesUnnamed(variable->getInit()))
        return true;
  if (endsObject(stmt)) return true;
  return llvm::any_of(partsOf(stmt), [&](const clang::Stmt *child) { return changesUnnamed(child); });
}

/// The variable that a field of an argument is (`step(s)`, `s.step()`: `s->u`), so that it has a value before the loop;
/// empty if the argument is not plainly one struct.
std::string Walker::fieldOfArgument(const clang::CallExpr *expr, int position, llvm::StringRef suffix,
                                    const std::set<const clang::Decl *> &local) {
  std::vector<const clang::Expr *> arguments = argumentsOf(expr);
  const clang::Expr *given = position == -1                                      ? objectOf(expr)
                             : position >= 0 && position < int(arguments.size()) ? arguments[position]
                                                                                 : nullptr;
  if (!given) return "";
  given = given->IgnoreParenCasts();
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(given);
      address && address->getOpcode() == clang::UO_AddrOf)
    given = address->getSubExpr()->IgnoreParens();
  Place base;
  if (llvm::isa<clang::CXXThisExpr>(given)) {
    auto self = st.env.pointers.find("this");
    if (self == st.env.pointers.end()) return "";
    base = {self->second, given->getType()->getPointeeType()};
  } else if (const clang::VarDecl *variable = variableOf(given);
             variable && !local.count(variable->getCanonicalDecl())) {
    base = placeOfVariable(variable, variable->getLocation());
    if (classOf(base.type) == TypeClass::Pointer) {
      auto known = st.env.pointers.find(base.variable);
      if (base.variable.empty() || handleOf(base.type) != Handle::None || known == st.env.pointers.end()) return "";
      base = {known->second, pointeeOf(base.type)};
    }
  }
  bool isSize = suffix.consume_back(sizeSuffix);
  const clang::RecordDecl *record = base.type.isNull() ? nullptr : base.type->getAsRecordDecl();
  const clang::FieldDecl *field = record && isNamedRecord(base) ? fieldNamed(record, suffix) : nullptr;
  if (!field) return "";
  Place place = member(base, field);
  return isSize && !place.variable.empty() ? sizeOf(place.variable).variable : place.variable;
}

/// Does the variable outlive an iteration of the loop that was entered in this state? (It may be a field: `v.n`.)
bool Walker::outlivesIteration(const std::string &name, const State &entry, const clang::Stmt *loop) const {
  if (st.fieldOrigins.count(name)) return true;
  const clang::ValueDecl *root = nullptr;
  size_t length = 0; // `i.2` is a variable's name, too: the longest that fits
  for (const auto &[decl, known] : entry.names) {
    llvm::StringRef rest = name;
    if (known.size() < length || !rest.consume_front(known) ||
        !(rest.empty() || rest.starts_with(".") || rest.starts_with("->")))
      continue;
    if (rest.size() > 1 && clang::isDigit(rest[1])) continue; // `i.2` is no field of `i`
    root = decl;
    length = known.size();
  }
  if (!root) return false;
  const clang::SourceManager &sources = context.getSourceManager();
  clang::SourceLocation declared = sources.getExpansionLoc(root->getLocation());
  bool isInside = !sources.isBeforeInTranslationUnit(declared, sources.getExpansionLoc(loop->getBeginLoc())) &&
                  sources.isBeforeInTranslationUnit(declared, sources.getExpansionLoc(loop->getEndLoc()));
  if (isInside) return false;
  // What belongs to a function that is walked in place begins anew with each call.
  const auto *owner = llvm::dyn_cast<clang::FunctionDecl>(root->getDeclContext());
  return !owner || owner->getCanonicalDecl() == function->getCanonicalDecl();
}

/// After a trial: the variables that have other values than before it, at its end or on another way out, and are not
/// among those known to change.
std::set<std::string> Walker::foundChanges(const State &entry, const std::set<std::string> &changed,
                                           const clang::Stmt *loop) const {
  std::set<std::string> found;
  auto look = [&](const auto &now, const auto &before, const auto &atEntry) {
    for (const auto &[name, value] : now) {
      if (changed.count(name) || name == "this") continue;
      auto old = before.find(name);
      auto first = atEntry.find(name);
      bool isSame = old != before.end() ? old->second == value : first != atEntry.end() && first->second == value;
      if (!isSame && outlivesIteration(name, entry, loop)) found.insert(name);
    }
    for (const auto &[name, value] : before) // not known any more
      if (!now.count(name) && !changed.count(name) && name != "this" && outlivesIteration(name, entry, loop))
        found.insert(name);
  };
  auto lookAt = [&](const Environment &end) {
    look(end.integers, entry.env.integers, st.entryIntegers);
    look(end.pointers, entry.env.pointers, st.entryPointers);
  };
  lookAt(st.env);
  for (const Environment &way : st.frames.back().breaks) lookAt(way);
  for (const auto &[label, ways] : st.gotos) {
    auto known = entry.gotos.find(label);
    for (size_t k = known == entry.gotos.end() ? 0 : known->second.size(); k < ways.size(); ++k) lookAt(ways[k]);
  }
  return found;
}

} // namespace busfare::frontend
