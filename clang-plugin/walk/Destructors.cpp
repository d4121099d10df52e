//===- clang-plugin/walk/Destructors.cpp - What happens when objects go --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Objects go at the end of their block, in reverse order, and wherever a jump leaves it;
// temporaries at the end of their statement. Destructors that only give memory back, and
// the standard library's own, touch no array and are left out.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang/AST/Attr.h"

namespace busfare::frontend {

static bool endMattersOf(clang::QualType type, std::set<const clang::CXXRecordDecl *> &seen);
static bool makingMatters(clang::QualType type, std::set<const clang::CXXRecordDecl *> &seen);

/// Anything but giving memory back and setting fields that are gone afterwards.
static bool doesSomething(const clang::Stmt *stmt, std::set<const clang::CXXRecordDecl *> &seen) {
  if (!stmt) return false;
  if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    const clang::FunctionDecl *callee = calleeOf(made);
    if (!callee || !callee->getIdentifier() || callee->getName() != "free") return true;
  }
  if (const auto *freed = llvm::dyn_cast<clang::CXXDeleteExpr>(stmt))
    if (freed->getDestroyedType().isNull() || endMattersOf(freed->getDestroyedType(), seen)) return true;
  const clang::Expr *target = nullptr;
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) target = op->getLHS();
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->isIncrementDecrementOp())
    target = op->getSubExpr();
  if (target) {
    target = target->IgnoreParens();
    while (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target)) { // of an array that is a field
      const clang::Expr *array = element->getBase()->IgnoreParenImpCasts();
      if (!array->getType()->isArrayType()) return true;
      target = array;
    }
    const auto *field = llvm::dyn_cast<clang::MemberExpr>(target->IgnoreParens());
    bool isOwn = field && llvm::isa<clang::FieldDecl>(field->getMemberDecl()) &&
                 llvm::isa<clang::CXXThisExpr>(field->getBase()->IgnoreParenImpCasts()) &&
                 !field->getMemberDecl()->getType()->isReferenceType();
    if (!isOwn && !llvm::isa<clang::DeclRefExpr>(target->IgnoreParens())) return true;
    if (const clang::VarDecl *variable = variableOf(target); variable && !variable->isLocalVarDeclOrParm()) return true;
  }
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt); made && makingMatters(made->getType(), seen))
    return true;
  if (llvm::isa<clang::AsmStmt, clang::CXXThrowExpr, clang::LambdaExpr, clang::AtomicExpr>(stmt)) return true;
  return llvm::any_of(partsOf(stmt), [&](const clang::Stmt *child) { return doesSomething(child, seen); });
}

static bool endMattersOf(clang::QualType type, std::set<const clang::CXXRecordDecl *> &seen) {
  if (type.isNull() || type->isReferenceType()) return false;
  while (const clang::ArrayType *array = type->getAsArrayTypeUnsafe()) type = array->getElementType();
  const auto *record = type->getAsCXXRecordDecl();
  if (!record || !record->getDefinition()) return false;
  record = record->getDefinition();
  if (record->isDependentContext() || record->hasTrivialDestructor() || !seen.insert(record).second) return false;
  const clang::SourceManager &sources = record->getASTContext().getSourceManager();
  if (record->isInStdNamespace() || isOfModelledLibrary(record) || sources.isInSystemHeader(record->getLocation())) {
    // What they hold goes with them.
    const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    bool isUnique = instance && instance->getIdentifier() && instance->getName() == "unique_ptr" &&
                    instance->getTemplateArgs().size() > 1;
    if (isUnique && callMatters(instance->getTemplateArgs()[1].getAsType())) return true;
    return instance &&
           llvm::any_of(instance->getTemplateArgs().asArray(), [&](const clang::TemplateArgument &argument) {
             if (argument.getKind() == clang::TemplateArgument::Pack)
               return llvm::any_of(argument.pack_elements(), [&](const clang::TemplateArgument &one) {
                 return one.getKind() == clang::TemplateArgument::Type && endMattersOf(one.getAsType(), seen);
               });
             return argument.getKind() == clang::TemplateArgument::Type && endMattersOf(argument.getAsType(), seen);
           });
  }
  const clang::CXXDestructorDecl *destructor = record->getDestructor();
  if (destructor && destructor->isUserProvided()) {
    const clang::FunctionDecl *definition = bodyThatRuns(destructor);
    if (!definition || doesSomething(definition->getBody(), seen)) return true;
  }
  return llvm::any_of(record->fields(),
                      [&](const clang::FieldDecl *field) { return endMattersOf(field->getType(), seen); }) ||
         llvm::any_of(record->bases(),
                      [&](const clang::CXXBaseSpecifier &base) { return endMattersOf(base.getType(), seen); });
}

bool destructorMatters(clang::QualType type) {
  std::set<const clang::CXXRecordDecl *> seen;
  return endMattersOf(type, seen);
}

bool callMatters(clang::QualType type) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->getDefinition()) return true; // a function, whichever it is
  if (record->isInStdNamespace()) return record->getName() != "default_delete";
  std::vector<const clang::CXXMethodDecl *> all = callOperatorsOf(record->getDefinition());
  std::set<const clang::CXXRecordDecl *> seen;
  return all.empty() ||
         llvm::any_of(all, [&](const clang::CXXMethodDecl *one) { return doesSomething(one->getBody(), seen); });
}

static bool holdsShared(clang::QualType type, std::set<const clang::CXXRecordDecl *> &seen) {
  const auto *record =
      type.isNull() || type->isReferenceType() ? nullptr : type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->getDefinition() || !seen.insert(record->getDefinition()).second) return false;
  record = record->getDefinition();
  if (record->isInStdNamespace() && record->getIdentifier() && record->getName() == "shared_ptr") return true;
  const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (instance && record->isInStdNamespace())
    return llvm::any_of(instance->getTemplateArgs().asArray(), [&](const clang::TemplateArgument &argument) {
      return argument.getKind() == clang::TemplateArgument::Type && holdsShared(argument.getAsType(), seen);
    });
  return llvm::any_of(record->fields(),
                      [&](const clang::FieldDecl *field) { return holdsShared(field->getType(), seen); }) ||
         llvm::any_of(record->bases(),
                      [&](const clang::CXXBaseSpecifier &base) { return holdsShared(base.getType(), seen); });
}

bool holdsShared(clang::QualType type) {
  std::set<const clang::CXXRecordDecl *> seen;
  return holdsShared(type, seen);
}

/// As destructorMatters; what a shared_ptr was told to do in the end its type does not say.
bool Walker::endMatters(clang::QualType type) const {
  return destructorMatters(type) || (unit.hasDeleters && holdsShared(type));
}

/// Of any of the class's constructors: which one a container calls is not looked at.
static bool makingMatters(clang::QualType type, std::set<const clang::CXXRecordDecl *> &seen) {
  const auto *record = type.isNull() ? nullptr : type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->getDefinition()) return false;
  record = record->getDefinition();
  if (record->isDependentContext() || record->isLambda() || !seen.insert(record).second) return false;
  const clang::SourceManager &sources = record->getASTContext().getSourceManager();
  if (record->isInStdNamespace() || isOfModelledLibrary(record) || sources.isInSystemHeader(record->getLocation())) {
    const auto *instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    return instance &&
           llvm::any_of(instance->getTemplateArgs().asArray(), [&](const clang::TemplateArgument &argument) {
             return argument.getKind() == clang::TemplateArgument::Type && makingMatters(argument.getAsType(), seen);
           });
  }
  for (const clang::CXXConstructorDecl *constructor : record->ctors()) {
    if (!constructor->isUserProvided() || constructor->isDeleted()) continue;
    const clang::FunctionDecl *definition = bodyThatRuns(constructor);
    if (!definition || doesSomething(definition->getBody(), seen)) return true;
    for (const clang::CXXCtorInitializer *init : llvm::cast<clang::CXXConstructorDecl>(definition)->inits())
      if (doesSomething(init->getInit(), seen)) return true;
  }
  return llvm::any_of(record->fields(),
                      [&](const clang::FieldDecl *field) {
                        return makingMatters(field->getType(), seen) ||
                               (field->hasInClassInitializer() && doesSomething(field->getInClassInitializer(), seen));
                      }) ||
         llvm::any_of(record->bases(),
                      [&](const clang::CXXBaseSpecifier &base) { return makingMatters(base.getType(), seen); });
}

bool constructorMatters(clang::QualType type) {
  std::set<const clang::CXXRecordDecl *> seen;
  return makingMatters(type, seen);
}

bool endsObject(const clang::Stmt *stmt) {
  if (const auto *freed = llvm::dyn_cast<clang::CXXDeleteExpr>(stmt))
    return freed->getDestroyedType().isNull() || destructorMatters(freed->getDestroyedType());
  if (const auto *temporary = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(stmt))
    return destructorMatters(temporary->getType());
  const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt);
  return declaration && llvm::any_of(declaration->decls(), [](const clang::Decl *decl) {
           const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
           return variable && (destructorMatters(variable->getType()) || holdsShared(variable->getType()) ||
                               variable->hasAttr<clang::CleanupAttr>());
         });
}

/// From here to the end of the block.
void Walker::live(const Place &place, const clang::Expr *made) {
  if (!st.scopes.empty() && endMatters(place.type)) st.scopes.back().push_back({place, made});
}

/// Runs the destructor of what is here, then those of its fields and bases.
void Walker::destroy(const Place &place, const clang::Expr *made) {
  if (!endMatters(place.type)) return;
  Location location = locate(made);
  const auto *record = place.type->getAsCXXRecordDecl();
  const clang::CXXDestructorDecl *destructor = record ? record->getDestructor() : nullptr;
  bool isNamed = record && isNamedRecord(place);
  const auto *freed = llvm::dyn_cast<clang::CXXDeleteExpr>(made);
  bool isKnownClass = !freed || (!freed->isArrayForm() && destructor && !destructor->isVirtual());
  bool isFollowed = isNamed && destructor && isKnownClass && !record->isInStdNamespace();
  Summary *known = isFollowed && destructor->isUserProvided() ? unit.summaryOf(destructor) : nullptr;
  if (known && known->state != Summary::State::Done) known = nullptr;
  if (!isFollowed || (destructor->isUserProvided() && !known)) {
    std::string name = "~" + (record ? record->getNameAsString() : textOf(made));
    find(Rule::OpaqueCall, location, "what " + name + "() does here is not followed; it stays on the host");
    Handover given;
    reachVariable(place, false, given, location);
    touchReachable(given.reachable, HostReason::OpaqueCall, name, location, true);
    for (const std::string &variable : given.changed) clobber(variable, location);
    return;
  }
  if (known) callDefined(made, destructor, *known, {}, place.at);
  std::vector<const clang::FieldDecl *> fields(record->field_begin(), record->field_end());
  for (const clang::FieldDecl *field : llvm::reverse(fields))
    if (endMatters(field->getType())) destroy(member(place, field), made);
  std::vector<clang::QualType> bases;
  for (const clang::CXXBaseSpecifier &base : record->bases()) bases.push_back(base.getType());
  for (clang::QualType base : llvm::reverse(bases)) {
    Place part = place;
    part.type = base;
    destroy(part, made);
  }
}

/// The function that the attribute names gets the variable's address.
void Walker::cleanUp(const Living &one) {
  Location location = locate(one.cleanedUp->getLocation());
  const std::string name = one.cleanedUp->getAttr<clang::CleanupAttr>()->getFunctionDecl()->getNameAsString();
  find(Rule::OpaqueCall, location,
       name + ", which cleans up `" + one.cleanedUp->getNameAsString() + "`, is not followed; it stays on the host");
  Handover given;
  reachVariable(one.place, false, given, location);
  if (!one.place.variable.empty())
    if (auto known = st.env.pointers.find(one.place.variable); known != st.env.pointers.end())
      given.reachable.push_back({known->second});
  touchReachable(given.reachable, HostReason::OpaqueCall, name, location, true);
  for (const std::string &variable : given.changed) clobber(variable, location);
}

/// main returns, or somebody calls exit: what is registered for that runs, and may read any global.
void Walker::endProgram(Location location) {
  if (!unit.runsAfterMain) return;
  find(Rule::OpaqueCall, location, "what runs after main (atexit, destructors) is not followed; it stays on the host");
  touchReachable({}, HostReason::OpaqueCall, "what runs after main", location, true);
}

/// Functions with the attribute constructor have run when main begins.
void Walker::beginProgram() {
  if (!unit.runsBeforeMain) return;
  Location location = locate(function->getBeginLoc());
  find(Rule::OpaqueCall, location,
       "what runs before main (attribute constructor) is not followed; it stays on the host");
  touchReachable({}, HostReason::OpaqueCall, "what runs before main", location, true);
}

/// Of every block inside the first so many, innermost first.
void Walker::destroyScopes(size_t from) {
  std::vector<Living> going;
  for (size_t k = st.scopes.size(); k-- > from;)
    for (const Living &one : llvm::reverse(st.scopes[k])) going.push_back(one);
  for (const Living &one : going) one.cleanedUp ? cleanUp(one) : destroy(one.place, one.made);
}

/// The construction or call that makes a value, behind what only passes it on.
static const clang::Expr *makerOf(const clang::Expr *value) {
  for (const clang::Expr *made = value->IgnoreParens()->IgnoreImplicit();;) {
    if (const auto *cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(made))
      made = cast->getSubExpr()->IgnoreImplicit();
    else if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(made);
             copy && copy->isElidable() && copy->getNumArgs() > 0)
      made = copy->getArg(0)->IgnoreImplicit();
    else return made;
  }
}

/// The object that this value is lives on elsewhere: in the variable it initialises, or with a caller.
void Walker::keepMade(const clang::Expr *value) {
  const clang::Expr *maker = makerOf(value);
  st.accounted.insert(maker);
  llvm::erase_if(st.temporaries, [&](const Living &one) { return one.made && makerOf(one.made) == maker; });
}

/// What is returned by value is made in the caller's object: `return Grid(n)`. So is, in most compilers, a variable
/// that every return names, and then its destructor does not run here.
void Walker::keepReturned(const clang::ReturnStmt *stmt) {
  if (!stmt->getRetValue()) return;
  keepMade(stmt->getRetValue());
  const clang::VarDecl *variable = stmt->getNRVOCandidate();
  if (!variable) return;
  const Place place = placeOfVariable(variable, variable->getLocation());
  for (std::vector<Living> &scope : st.scopes) {
    auto found = llvm::find_if(
        scope, [&](const Living &one) { return one.place.at.object == place.at.object && !one.cleanedUp; });
    if (found == scope.end()) continue;
    Living kept = *found;
    scope.erase(found);
    branch(Condition(), locate(stmt), [&] { return destroy(kept.place, kept.made), Flow(); }, [] { return Flow(); });
    return;
  }
}

/// Objects that the source names somewhere in it, and of which the walk knows nothing.
std::vector<const clang::Expr *> Walker::temporariesLeft(const clang::Stmt *of) const {
  std::vector<const clang::Expr *> left;
  std::function<void(const clang::Stmt *)> search = [&](const clang::Stmt *at) {
    if (!at || llvm::isa<clang::LambdaExpr, clang::StmtExpr>(at)) return;
    if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(at);
        bound && destructorMatters(bound->getType()) && !st.accounted.count(makerOf(bound)))
      left.push_back(bound);
    for (const clang::Stmt *part : partsOf(at)) search(part);
  };
  search(of);
  return left;
}

void Walker::noteAccounted() {
  for (const Living &one : st.temporaries)
    if (one.made) st.accounted.insert(makerOf(one.made));
}

/// The end of a full expression: also those go that it makes and of which the walk knows nothing.
void Walker::destroyTemporaries(const clang::Stmt *of) {
  noteAccounted();
  std::vector<Living> going = std::move(st.temporaries);
  st.temporaries.clear();
  for (const clang::Expr *one : temporariesLeft(of)) going.push_back({Place{{}, one->getType()}, one});
  st.accounted.clear();
  for (const Living &one : llvm::reverse(going)) destroy(one.place, one.made);
}

/// An expression of its own inside a statement, at whose end its temporaries go.
void Walker::asOwnExpression(const clang::Expr *expr, llvm::function_ref<void()> walk) {
  std::vector<Living> temporaries = std::exchange(st.temporaries, {});
  std::set<const clang::Expr *> accounted = std::exchange(st.accounted, {});
  walk();
  keepMade(expr);
  destroyTemporaries(expr);
  st.temporaries = std::move(temporaries);
  st.accounted = std::move(accounted);
}

/// What the counters of a loop held, which nobody can name any more: a function of thousands of loops would carry those
/// of all of them from loop to loop. One that something may point to stays.
void Walker::forgetCounters(const clang::ForStmt *loop) {
  const auto *declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  if (!declared) return;
  for (const clang::Decl *decl : declared->decls()) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    auto named = variable ? st.names.find(llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl())) : st.names.end();
    if (named == st.names.end() || !variable->hasLocalStorage() || !variable->getType()->isIntegerType()) continue;
    const std::string name = named->second;
    if (st.addressTaken.count(name) || st.escaped.count(name) || st.lent.count(name)) continue;
    st.env.integers.erase(name);
    st.env.leftByLoop.erase(name);
    if (st.isDeclared(name)) continue;
    st.ended[name] = true;
    st.objects.erase(name);
    st.names.erase(named);
  }
}

/// A block: what is declared in it goes at its end.
Flow Walker::inScope(const clang::Stmt *stmt, llvm::function_ref<Flow()> walk) {
  size_t depth = st.scopes.size();
  st.scopes.emplace_back();
  Flow flow = walk();
  bool isEmpty = st.scopes.size() <= depth || st.scopes[depth].empty();
  if (!flow.always && !isEmpty) {
    auto end = [&] {
      destroyScopes(depth);
      return Flow();
    };
    // A jump may have left already, and run them there.
    if (flow.may == NoJump) end();
    else
      branch(
          Condition(), locate(stmt->getEndLoc()), end,
          [] {
            Flow gone;
            gone.always = true;
            return gone;
          },
          true);
  }
  st.scopes.resize(depth);
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(stmt)) forgetCounters(loop);
  return flow;
}

} // namespace busfare::frontend
