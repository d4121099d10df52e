//===- clang-plugin/Extract.cpp - One translation unit --------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs Clang over a file, finds the functions it defines, walks each of them
// (callees first, on demand) and gathers the Program.
//
//===----------------------------------------------------------------------===//
#include "Extract.h"
#include "Walk.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Lexer.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace busfare::frontend {

Location Walker::locate(clang::SourceLocation where) const {
  Location location;
  const clang::SourceManager &sources = context.getSourceManager();
  where = sources.getExpansionLoc(where);
  if (where.isInvalid()) return location;
  location.file = sources.getFilename(where).str();
  location.line = sources.getExpansionLineNumber(where);
  location.column = sources.getExpansionColumnNumber(where);
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
  return squeezed;
}

void Walker::find(Rule rule, Location location, std::string message) {
  skeleton::Finding finding;
  finding.rule = rule;
  finding.location = std::move(location);
  finding.message = std::move(message);
  if (!llvm::is_contained(st.findings, finding)) st.findings.push_back(std::move(finding));
}

Walker::Walker(Unit &unit, const clang::FunctionDecl *function, Summary &summary)
    : unit(unit), context(unit.context), function(function), summary(summary) {
  isMain = function->isMain();
}

void Walker::bindParameters() {
  out = &prologue;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function); method && method->isInstance()) {
    clang::QualType type = method->getThisType()->getPointeeType();
    Object &self = declareObject("this", type, Storage::Parameter, locate(function->getLocation()));
    self.prefix = "this->";
    self.origin = -1;
    Pointer at;
    at.object = "this";
    st.env.pointers["this"] = at;
  }
  summary.writesFormal.assign(function->getNumParams(), false);
  // Integer parameters first: extents of the others are made of them.
  for (const clang::ParmVarDecl *formal : function->parameters()) {
    std::string name = nameOf(formal);
    clang::QualType type = formal->getType();
    if (classOf(type) != TypeClass::Integer || type->isReferenceType()) continue;
    freshName(name);
    if (type->isUnsignedIntegerOrEnumerationType()) st.ranges.assumeSymbolNonNegative(name);
    st.env.integers[name] = Value{Symbolic::symbol(name)};
  }
  std::vector<skeleton::Parameter> &parameters = summary.function.parameters;
  for (unsigned k = 0; k < function->getNumParams(); ++k) {
    const clang::ParmVarDecl *formal = function->getParamDecl(k);
    std::string name = nameOf(formal);
    clang::QualType type = formal->getType(), written = formal->getOriginalType();
    Location location = locate(formal->getLocation());
    TypeClass kind = classOf(type);
    using Kind = skeleton::Parameter::Kind;
    if (kind == TypeClass::Integer && !type->isReferenceType()) {
      parameters.push_back({Kind::Value, name});
      continue;
    }
    if (kind == TypeClass::Record) {
      Object &made = declareObject(name, type, Storage::Parameter, location);
      made.prefix = name + ".";
      made.origin = k;
      parameters.push_back({Kind::Other, name});
      continue;
    }
    bool isPointer = kind == TypeClass::Pointer && !type->isReferenceType();
    if (isPointer && classOf(type->getPointeeType()) == TypeClass::Record) {
      // One struct, or an array of them? By what the body does with it.
      bool isArray = false;
      std::function<void(const clang::Stmt *, const clang::Stmt *)> search = [&](const clang::Stmt *stmt, const clang::Stmt *parent) {
        if (!stmt || isArray) return;
        if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(stmt); cast && cast->getCastKind() == clang::CK_LValueToRValue) {
          const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
          if (ref && ref->getDecl() == formal && parent &&
              llvm::isa<clang::ArraySubscriptExpr, clang::BinaryOperator>(parent)) {
            const auto *op = llvm::dyn_cast<clang::BinaryOperator>(parent);
            isArray = !op || op->isAdditiveOp() || op->isAssignmentOp();
            return;
          }
        }
        if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->isIncrementDecrementOp())
          if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(op->getSubExpr()->IgnoreParens()); ref && ref->getDecl() == formal) isArray = true;
        for (const clang::Stmt *child : stmt->children()) search(child, stmt);
      };
      search(function->getBody(), nullptr);
      if (!isArray) {
        Object &made = declareObject(name, type->getPointeeType(), Storage::Parameter, location);
        made.prefix = name + "->";
        made.origin = k;
        Pointer at;
        at.object = name;
        st.env.pointers[name] = at;
        parameters.push_back({Kind::Other, name});
        continue;
      }
    }
    if (isPointer) {
      clang::QualType pointee = type->getPointeeType();
      bool isVoid = pointee->isVoidType() || bytesOf(innermost(pointee, context), context) == 0;
      Object &made = declareObject(name, isVoid ? clang::QualType() : pointee, Storage::Parameter, location);
      if (isVoid) made.array.type = {skeleton::ElementType::Kind::Unsigned, 1};
      std::optional<Symbolic> first;
      std::vector<std::optional<Symbolic>> declared = dimensionsOf(written);
      if (!declared.empty()) first = declared[0];
      Object &again = object(name); // dimensionsOf may have added objects
      again.array.extents.insert(again.array.extents.begin(), first);
      again.array.isRestrict = type.isRestrictQualified();
      again.isConstPointee = pointee.isConstQualified() || innermost(pointee, context).isConstQualified() ||
                             context.getBaseElementType(pointee).isConstQualified();
      Pointer at;
      at.object = name;
      at.index.assign(again.array.extents.size(), Symbolic(0));
      st.env.pointers[name] = at;
      parameters.push_back({Kind::Array, name});
      continue;
    }
    if (kind == TypeClass::Other || kind == TypeClass::Pointer) {
      parameters.push_back({Kind::Other, name});
      continue;
    }
    Object &made = declareObject(name, type.getNonReferenceType(), type->isReferenceType() || kind == TypeClass::Data ? Storage::Parameter : Storage::Local, location);
    made.isConstPointee = type.getNonReferenceType().isConstQualified();
    made.array.isRestrict = !type->isReferenceType(); // a copy of its own
    parameters.push_back({Kind::Array, name});
    if (kind == TypeClass::Integer) // a reference: what it holds on entry
      st.env.integers[name] = Value{freshSymbol(name, name, location, true)};
  }
  flush();
}

void Walker::run() {
  using State = Summary::State;
  summary.state = State::InProgress;
  summary.function.name = summary.name;
  summary.function.location = locate(function->getLocation());
  // Variables whose address leaves the function's sight.
  std::function<void(const clang::Stmt *)> search = [&](const clang::Stmt *stmt) {
    if (!stmt) return;
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt); op && op->getOpcode() == clang::UO_AddrOf)
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(op->getSubExpr()->IgnoreParens()))
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl()); variable && classOf(variable->getType()) == TypeClass::Integer)
          st.addressTaken.insert(nameOf(variable));
    if (const auto *made = llvm::dyn_cast<clang::CallExpr>(stmt); made && calleeOf(made) && calleeOf(made)->getIdentifier()) {
      // These forget the address when they return.
      llvm::StringRef name = calleeOf(made)->getName();
      bool forgets = name.ends_with("scanf") || name.starts_with("MPI_") || name == "gettimeofday" || name == "clock_gettime" || name == "posix_memalign";
      if (forgets) {
        for (const clang::Expr *argument : made->arguments())
          if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParenCasts()); !op || op->getOpcode() != clang::UO_AddrOf) search(argument);
        return;
      }
    }
    if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(stmt))
      for (const clang::LambdaCapture &capture : lambda->captures())
        if (capture.capturesVariable())
          if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar())) st.addressTaken.insert(nameOf(variable));
    for (const clang::Stmt *child : stmt->children()) search(child);
  };
  search(function->getBody());
  st.objects.clear(); // the names reserved so far come again, in order of declaration
  st.names.clear();
  std::set<std::string> taken = std::move(st.addressTaken);
  st.addressTaken = std::move(taken);
  bindParameters();
  out = &summary.function.body;
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
    for (const clang::CXXCtorInitializer *init : constructor->inits()) {
      if (!init->isMemberInitializer() || !init->getInit()) continue;
      Place self;
      self.at = st.env.pointers["this"];
      self.type = constructor->getThisType()->getPointeeType();
      initialize(member(self, init->getMember()), init->getInit());
    }
  Flow flow = execute(function->getBody());
  flush();
  if (!flow.always) returns.push_back(st.env);
  summarizeExit();
  finish();
  summary.state = State::Done;
}

/// Calls f(expr) for every Expr of a block.
static void forEachExpr(const Block &block, llvm::function_ref<void(const Symbolic &)> f) {
  auto one = [&](const std::optional<Symbolic> &expr) {
    if (expr) f(*expr);
  };
  for (const Node &node : block) {
    if (const auto *x = std::get_if<skeleton::Loop>(&node.kind)) {
      f(x->lower), f(x->upper);
      forEachExpr(x->body, f);
    } else if (const auto *x = std::get_if<skeleton::Branch>(&node.kind)) {
      for (const auto &facts : x->condition.anyOf)
        for (const Symbolic &fact : facts) f(fact);
      forEachExpr(x->then, f), forEachExpr(x->otherwise, f);
    } else if (const auto *x = std::get_if<Access>(&node.kind)) {
      for (const Subscript &subscript : x->subscripts) one(subscript.value), one(subscript.atLeast), one(subscript.atMost);
    } else if (const auto *x = std::get_if<skeleton::HostStatement>(&node.kind))
      forEachExpr(x->body, f);
    else if (const auto *x = std::get_if<skeleton::Allocate>(&node.kind)) {
      for (const auto &extent : x->extents) one(extent);
    } else if (const auto *x = std::get_if<skeleton::Call>(&node.kind))
      for (const auto &argument : x->arguments) {
        if (const auto *array = std::get_if<skeleton::ArrayArgument>(&argument)) one(array->offset);
        else one(std::get<skeleton::ValueArgument>(argument).value);
      }
  }
}

/// What callers find changed: integer fields, and pointers of fields and globals that were exchanged.
void Walker::summarizeExit() {
  for (const std::string &name : st.rotated)
    if (const Object &one = object(name); one.origin != -3 && !one.originPath.empty()) summary.rotated.insert({one.origin, one.originPath});
  bool isUnclear = returns.empty();
  std::map<std::string, Pointer> changed;
  for (auto &[name, origin] : st.fieldOrigins) {
    std::pair<int, std::string> key{origin.position, origin.suffix};
    if (classOf(origin.type) == TypeClass::Integer) {
      std::optional<Symbolic> end;
      bool same = !returns.empty();
      for (const Environment &env : returns) {
        auto found = env.integers.find(name);
        if (found == env.integers.end() || (end && *end != found->second.expr)) same = false;
        else end = found->second.expr;
      }
      if (same && end) summary.exitValues.insert({key, *end});
      continue;
    }
    if (classOf(origin.type) != TypeClass::Pointer) continue;
    std::optional<Pointer> end;
    bool same = !returns.empty(), any = false;
    for (const Environment &env : returns) {
      auto found = env.pointers.find(name);
      any |= found != env.pointers.end();
      if (found == env.pointers.end() || (end && !(*end == found->second))) same = false;
      else end = found->second;
    }
    if (!any) continue;
    if (!same) {
      if (returns.size() > 1 || !end) summary.lostPointers.insert(key);
      continue;
    }
    bool isStart = llvm::all_of(end->index, [](auto &i) { return i && i->isZero(); });
    if (end->object == name && isStart) continue; // its own memory, old or new
    if (isStart && st.entryPointers.count(end->object)) changed[name] = *end;
    else summary.lostPointers.insert(key);
  }
  (void)isUnclear;
  // Exchanged among themselves?
  std::set<std::string> ends;
  for (auto &[name, end] : changed) ends.insert(end.object);
  bool isPermutation = ends.size() == changed.size() && !changed.empty();
  for (auto &[name, end] : changed) isPermutation &= changed.count(end.object) != 0;
  if (!isPermutation) {
    for (auto &[name, end] : changed) summary.lostPointers.insert({st.fieldOrigins[name].position, st.fieldOrigins[name].suffix});
    return;
  }
  skeleton::Rotate moves;
  moves.location = locate(function->getBody()->getEndLoc());
  for (auto &[name, end] : changed) {
    moves.moves.push_back({name, end.object});
    object(name).isUsed = true;
    object(name).isWritten = true;
    summary.rotated.insert({st.fieldOrigins[name].position, st.fieldOrigins[name].suffix});
  }
  emit(moves);
}

/// Drops Defines of symbols that nothing mentions, and branches left empty. True if something went.
static bool prune(Block &block, const std::set<std::string> &mentioned) {
  bool changed = false;
  Block kept;
  for (Node &node : block) {
    if (auto *define = std::get_if<skeleton::Define>(&node.kind); define && !mentioned.count(define->symbol)) {
      changed = true;
      continue;
    }
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) changed |= prune(loop->body, mentioned);
    if (auto *branch = std::get_if<skeleton::Branch>(&node.kind)) {
      changed |= prune(branch->then, mentioned);
      changed |= prune(branch->otherwise, mentioned);
      if (branch->then.empty() && branch->otherwise.empty()) {
        changed = true;
        continue;
      }
    }
    kept.push_back(std::move(node));
  }
  block = std::move(kept);
  return changed;
}

static void collectDefined(const Block &block, std::map<std::string, const skeleton::Define *> &defined) {
  for (const Node &node : block) {
    if (const auto *define = std::get_if<skeleton::Define>(&node.kind)) defined[define->symbol] = define;
    if (const auto *loop = std::get_if<skeleton::Loop>(&node.kind)) collectDefined(loop->body, defined);
    if (const auto *branch = std::get_if<skeleton::Branch>(&node.kind))
      collectDefined(branch->then, defined), collectDefined(branch->otherwise, defined);
  }
}

/// Replaces symbols everywhere in a block, those that loops and Defines introduce included.
static void substitute(Block &block, const skeleton::Substitution &to) {
  auto one = [&](std::optional<Symbolic> &expr) {
    if (expr) expr = expr->substitute(to);
  };
  auto name = [&](std::string &symbol) {
    if (auto found = to.find(symbol); found != to.end()) symbol = *found->second.asSymbol();
  };
  for (Node &node : block) {
    if (auto *x = std::get_if<skeleton::Loop>(&node.kind)) {
      name(x->index);
      x->lower = x->lower.substitute(to), x->upper = x->upper.substitute(to);
      substitute(x->body, to);
    } else if (auto *x = std::get_if<skeleton::Branch>(&node.kind)) {
      for (auto &facts : x->condition.anyOf)
        for (Symbolic &fact : facts) fact = fact.substitute(to);
      substitute(x->then, to), substitute(x->otherwise, to);
    } else if (auto *x = std::get_if<Access>(&node.kind)) {
      for (Subscript &subscript : x->subscripts) one(subscript.value), one(subscript.atLeast), one(subscript.atMost);
    } else if (auto *x = std::get_if<skeleton::HostStatement>(&node.kind))
      substitute(x->body, to);
    else if (auto *x = std::get_if<skeleton::Allocate>(&node.kind)) {
      for (auto &extent : x->extents) one(extent);
    } else if (auto *x = std::get_if<skeleton::Define>(&node.kind)) {
      name(x->symbol);
      one(x->atLeast), one(x->atMost), one(x->value);
    } else if (auto *x = std::get_if<skeleton::Call>(&node.kind))
      for (auto &argument : x->arguments) {
        if (auto *array = std::get_if<skeleton::ArrayArgument>(&argument)) one(array->offset);
        else one(std::get<skeleton::ValueArgument>(argument).value);
      }
  }
}

static void listSymbols(const Block &block, std::vector<std::string> &order) {
  for (const Node &node : block) {
    if (const auto *x = std::get_if<skeleton::Define>(&node.kind)) order.push_back(x->symbol);
    if (const auto *x = std::get_if<skeleton::Loop>(&node.kind)) order.push_back(x->index), listSymbols(x->body, order);
    if (const auto *x = std::get_if<skeleton::Branch>(&node.kind)) listSymbols(x->then, order), listSymbols(x->otherwise, order);
  }
}

/// Symbols that were dropped left gaps: i, i.7 become i, i.2.
void Walker::renumber(skeleton::Function &made) {
  std::set<std::string> taken;
  for (const skeleton::Parameter &parameter : made.parameters)
    if (parameter.kind == skeleton::Parameter::Kind::Value) taken.insert(parameter.name);
  std::vector<std::string> order;
  listSymbols(made.body, order);
  skeleton::Substitution to;
  for (const std::string &old : order) {
    std::string base = st.symbolBases.count(old) ? st.symbolBases[old] : old;
    size_t dot = base.rfind('.'); // a shadowing variable has a number of its own
    if (dot != std::string::npos && dot > 0 && base.find_first_not_of("0123456789", dot + 1) == std::string::npos) base.resize(dot);
    std::string name = base;
    for (unsigned k = 2; !taken.insert(name).second; ++k) name = base + "." + std::to_string(k);
    if (name != old) to.insert({old, Symbolic::symbol(name)});
  }
  if (unit.points) {
    std::set<std::string> known(order.begin(), order.end());
    for (const skeleton::Parameter &parameter : made.parameters)
      if (parameter.kind == skeleton::Parameter::Kind::Value) known.insert(parameter.name);
    for (const skeleton::Constant &constant : unit.result.program.constants) known.insert(constant.symbol);
    renamePoints(to, known);
  }
  if (to.empty()) return;
  substitute(made.body, to);
  for (Array &array : made.arrays)
    for (auto &extent : array.extents)
      if (extent) extent = extent->substitute(to);
  if (summary.freshBytes) summary.freshBytes = summary.freshBytes->substitute(to);
}

/// Replaces the stand-ins in host statements by accesses to the arrays the function turned out to use.
void Walker::expandReach(Block &block) {
  for (Node &node : block) {
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) expandReach(loop->body);
    if (auto *branch = std::get_if<skeleton::Branch>(&node.kind)) expandReach(branch->then), expandReach(branch->otherwise);
    if (auto *call = std::get_if<skeleton::Call>(&node.kind)) expandExposed(*call);
    auto *host = std::get_if<skeleton::HostStatement>(&node.kind);
    if (!host) continue;
    Block body;
    std::set<std::string> named, wanted, lent;
    for (Node &inner : host->body) {
      auto *access = std::get_if<Access>(&inner.kind);
      bool isMarker = access && llvm::StringRef(access->array).starts_with("?");
      if (!isMarker) {
        if (access && access->kind == AccessKind::Write) named.insert(access->array);
        body.push_back(std::move(inner));
        continue;
      }
      if (access->array == everyEscaped) lent = st.lent;
      for (const std::string &name : st.objectOrder) {
        const Object &one = st.objects[name];
        bool isField = !one.prefix.empty() && one.array.extents.empty();
        if (!one.isUsed || isField) continue;
        if (one.array.storage == Storage::Alias && one.array.mayBe.empty()) wanted.insert(name); // may be what it reaches
        if (access->array == everyGlobal) {
          const clang::VarDecl *variable = unit.globalNames.count(name) ? unit.globalNames.at(name) : nullptr;
          bool isPrivate = variable && variable->getFormalLinkage() == clang::Linkage::Internal && !unit.writtenGlobals.count(variable);
          bool isPointer = variable && classOf(variable->getType()) == TypeClass::Pointer;
          if (one.isGlobal && !(variable && variable->getType().isConstQualified() && !isPointer) && !(isPrivate && !isPointer)) wanted.insert(name);
        } else if (access->array == everyEscaped) {
          if (st.escaped.count(name)) wanted.insert(name);
        } else if (llvm::StringRef(name).starts_with(access->array.substr(strlen(behind))))
          wanted.insert(name);
      }
    }
    wanted.insert(lent.begin(), lent.end());
    for (const std::string &name : wanted) {
      if (named.count(name) || !st.objects[name].isUsed) continue;
      bool isLent = lent.count(name) && !st.escaped.count(name);
      for (AccessKind kind : {AccessKind::Read, AccessKind::Write}) {
        if (isLent && kind == AccessKind::Write) continue;
        Access made;
        made.kind = kind;
        made.array = name;
        made.may = true;
        made.subscripts.resize(st.objects[name].array.extents.size());
        made.location = host->location;
        body.push_back(made);
      }
      st.objects[name].isWritten |= !isLent;
    }
    host->body = std::move(body);
  }
}

/// Of a struct, what its fields name; and only what the function uses.
void Walker::expandExposed(skeleton::Call &call) {
  std::map<std::string, bool> all; // -> read only
  auto add = [&](const std::string &name, bool isConst) {
    for (const std::string &other : st.objectOrder) {
      const std::string &prefix = st.objects[name].prefix;
      if (other != name && (prefix.empty() || !llvm::StringRef(other).starts_with(prefix))) continue;
      if (!st.objects[other].isUsed || !st.objects[other].prefix.empty()) continue;
      auto [known, isNew] = all.try_emplace(other, isConst);
      known->second &= isConst;
      st.objects[other].isWritten |= !isConst;
    }
  };
  for (const skeleton::Exposure &one : call.exposed) {
    if (one.array != everyEscaped) {
      add(one.array, one.isConst);
      continue;
    }
    for (const std::string &name : st.lent) add(name, true);
    for (const std::string &name : st.escaped) add(name, false);
  }
  call.exposed.clear();
  for (const auto &[name, isConst] : all) call.exposed.push_back({name, isConst});
}

/// For callers: which of what they gave this function unseen code may have kept.
void Walker::noteExposed() {
  auto note = [&](const std::string &name, bool isConst) {
    for (unsigned k = 0; k < function->getNumParams(); ++k)
      if (nameOf(function->getParamDecl(k)) == name) summary.exposed.insert({{int(k), ""}, isConst});
    if (const Object &one = st.objects[name]; one.origin != -3 && !one.originPath.empty())
      summary.exposed.insert({{one.origin, one.originPath}, isConst});
  };
  for (const std::string &name : st.escaped) note(name, false);
  for (const std::string &name : st.lent) note(name, true);
}

void Walker::finish() {
  skeleton::Function &made = summary.function;
  Block body = std::move(prologue);
  for (Node &node : made.body) body.push_back(std::move(node));
  made.body = std::move(body);
  expandReach(made.body);
  noteExposed();
  // What an Alias may be has to be declared too.
  for (const std::string &name : st.objectOrder)
    if (st.objects[name].isUsed)
      for (const std::string &target : st.objects[name].array.mayBe)
        if (st.objects.count(target)) st.objects[target].isUsed = true;
  for (unsigned k = 0; k < function->getNumParams(); ++k) {
    auto found = st.objects.find(nameOf(function->getParamDecl(k)));
    if (found == st.objects.end()) continue;
    summary.writesFormal[k] = found->second.isWritten;
    for (const skeleton::Parameter &parameter : made.parameters)
      if (parameter.kind == skeleton::Parameter::Kind::Array && parameter.name == found->first) found->second.isUsed = true;
  }
  // Arrays behind fields and globals' pointers come in as extra formals.
  summary.extras = std::move(st.extras);
  for (const std::string &name : st.objectOrder) {
    const Object &one = st.objects[name];
    if (!one.isUsed || one.origin < -1 || !one.prefix.empty()) continue;
    if (one.originPath.empty()) continue; // a formal of the source
    ExtraFormal extra;
    // The caller's own field or pointer, unless the struct was passed by value.
    bool isCopy = one.origin >= 0 && classOf(function->getParamDecl(one.origin)->getType()) == TypeClass::Record &&
                  !function->getParamDecl(one.origin)->getType()->isReferenceType();
    extra.parameter = {skeleton::Parameter::Kind::Array, name, !isCopy};
    extra.position = one.origin;
    extra.suffix = one.originPath;
    extra.type = one.element;
    if (one.bytes) summary.freshExtents[name] = one.array.extents;
    summary.extras.push_back(extra);
  }
  // A field that is read as a value and also written is two formals: its memory, and its value on entry.
  skeleton::Substitution entry;
  for (ExtraFormal &extra : summary.extras) {
    using Kind = skeleton::Parameter::Kind;
    if (extra.parameter.kind != Kind::Value) continue;
    bool isMemory = llvm::any_of(summary.extras, [&](const ExtraFormal &other) {
      return other.parameter.kind == Kind::Array && other.parameter.name == extra.parameter.name;
    });
    if (!isMemory) continue;
    std::string name = freshName(extra.parameter.name + ".in");
    entry.insert({extra.parameter.name, Symbolic::symbol(name)});
    extra.parameter.name = name;
  }
  if (!entry.empty()) {
    substitute(made.body, entry);
    for (auto &[name, one] : st.objects)
      for (auto &extent : one.array.extents)
        if (extent) extent = extent->substitute(entry);
  }
  for (const ExtraFormal &extra : summary.extras) made.parameters.push_back(extra.parameter);
  unsigned loaded = 0;
  for (const std::string &name : st.objectOrder) loaded += st.objects[name].isUsed && st.objects[name].isLoaded;
  for (const std::string &name : st.objectOrder) {
    Object &one = st.objects[name];
    if (!one.isUsed) continue;
    if (one.isLoaded && loaded > 1)
      find(Rule::AssumedNoAlias, one.array.location, "the array behind " + name + " is assumed to overlap no other");
    one.array.isConst = !one.isWritten && (one.isConstPointee || one.array.isConst);
    if (one.isGlobal) {
      bool known = llvm::any_of(unit.result.program.globals, [&, wanted = name](const Array &array) { return array.name == wanted; });
      Array global = one.array;
      if (!known) {
        for (auto &extent : global.extents)
          if (extent && !extent->constant()) extent = std::nullopt;
        global.isConst = false;
        unit.result.program.globals.push_back(global);
      }
      continue;
    }
    if (!one.prefix.empty() && one.array.extents.empty() && one.array.storage != Storage::Alias) continue; // its fields are declared
    made.arrays.push_back(one.array);
  }
  for (bool again = true; again;) {
    std::set<std::string> mentioned;
    auto mention = [&](const Symbolic &expr) {
      for (const std::string &symbol : expr.symbols()) mentioned.insert(symbol);
    };
    forEachExpr(made.body, mention);
    for (const Array &array : made.arrays)
      for (const auto &extent : array.extents)
        if (extent) mention(*extent);
    std::map<std::string, const skeleton::Define *> defined;
    collectDefined(made.body, defined);
    for (bool grows = true; grows;) { // bounds of a symbol that stays keep theirs
      size_t before = mentioned.size();
      for (const std::string &symbol : std::set<std::string>(mentioned))
        if (auto define = defined.find(symbol); define != defined.end()) {
          if (define->second->atLeast) mention(*define->second->atLeast);
          if (define->second->atMost) mention(*define->second->atMost);
        }
      grows = mentioned.size() != before;
    }
    again = prune(made.body, mentioned);
  }
  renumber(made);
  summary.neverReturns = false;
  for (skeleton::Finding &finding : st.findings) unit.result.program.findings.push_back(std::move(finding));
}

Summary *Unit::summaryOf(const clang::FunctionDecl *callee) {
  const clang::FunctionDecl *definition = nullptr;
  if (!callee || !callee->hasBody(definition) || !definition || !definition->getBody()) return nullptr;
  if (definition->isDependentContext() || context.getSourceManager().isInSystemHeader(definition->getLocation())) return nullptr;
  Summary &summary = summaries[definition->getCanonicalDecl()];
  if (summary.state == Summary::State::Untouched) extract(definition);
  return &summary;
}

void Unit::extract(const clang::FunctionDecl *definition) {
  Summary &summary = summaries[definition->getCanonicalDecl()];
  if (summary.state != Summary::State::Untouched) return;
  std::string name = definition->getQualifiedNameAsString();
  for (size_t at; (at = name.find("(anonymous namespace)::")) != std::string::npos;) name.erase(at, strlen("(anonymous namespace)::"));
  unsigned copies = ++functionNames[name];
  summary.name = copies == 1 ? name : name + "." + std::to_string(copies);
  Walker walker(*this, definition, summary);
  walker.run();
  result.program.functions.push_back(summary.function);
}

namespace {

/// Finds the functions with bodies, and the globals that are written, in the user's own code.
class Collector {
public:
  explicit Collector(Unit &unit) : unit(unit) {}

  void collect(const clang::Decl *decl) {
    if (!decl || decl->isInvalidDecl()) return;
    if (unit.context.getSourceManager().isInSystemHeader(decl->getLocation())) return;
    if (const auto *shared = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl)) {
      for (const clang::FunctionDecl *instance : shared->specializations()) collect(instance);
      return;
    }
    if (const auto *shared = llvm::dyn_cast<clang::ClassTemplateDecl>(decl)) {
      for (const clang::ClassTemplateSpecializationDecl *instance : shared->specializations()) collectMembers(instance);
      return;
    }
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl)) {
      if (function->isDependentContext() || !function->doesThisDeclarationHaveABody() || function->isImplicit() || function->isDefaulted() || function->isDeleted()) return;
      if (function->getDescribedFunctionTemplate()) return;
      if (!function->getBody()) return;
      unit.order.push_back(function);
      scan(function->getBody());
      return;
    }
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
      if (variable->hasGlobalStorage()) declareGlobal(variable);
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
    for (const clang::Decl *inner : record->decls())
      if (llvm::isa<clang::FunctionDecl, clang::CXXRecordDecl, clang::FunctionTemplateDecl>(inner) && !inner->isImplicit()) collect(inner);
  }

  void declareGlobal(const clang::VarDecl *variable) {
    variable = variable->getCanonicalDecl();
    Object object;
    unit.globals[variable] = object;
    std::string name = variable->getDeclContext()->isNamespace() ? variable->getQualifiedNameAsString() : variable->getNameAsString();
    unit.globalNames[name] = variable;
  }

  void scan(const clang::Stmt *stmt) {
    if (!stmt) return;
    auto writes = [&](const clang::Expr *target) {
      target = target->IgnoreParenCasts();
      while (const auto *access = llvm::dyn_cast<clang::MemberExpr>(target)) target = access->getBase()->IgnoreParenCasts();
      while (const auto *access = llvm::dyn_cast<clang::ArraySubscriptExpr>(target)) target = access->getBase()->IgnoreParenCasts();
      if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(target))
        if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl()); variable && variable->hasGlobalStorage())
          unit.writtenGlobals.insert(variable->getCanonicalDecl());
    };
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(stmt); op && op->isAssignmentOp()) writes(op->getLHS());
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(stmt);
        op && (op->isIncrementDecrementOp() || op->getOpcode() == clang::UO_AddrOf))
      writes(op->getSubExpr());
    for (const clang::Stmt *child : stmt->children()) scan(child);
  }

  Unit &unit;
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
      const clang::SourceManager &sources = message.getSourceManager();
      clang::SourceLocation where = sources.getExpansionLoc(message.getLocation());
      made.location.file = sources.getFilename(where).str();
      made.location.line = sources.getExpansionLineNumber(where);
      made.location.column = sources.getExpansionColumnNumber(where);
    }
    result.diagnostics.push_back(std::move(made));
  }

private:
  ExtractResult &result;
};

ExtractResult extractDecls(clang::ASTContext &context, llvm::ArrayRef<const clang::Decl *> decls, UnitPoints *points) {
  Unit unit(context);
  unit.points = points;
  Collector collector(unit);
  for (const clang::Decl *decl : decls) collector.collect(decl);
  const clang::SourceManager &sources = context.getSourceManager();
  if (auto file = sources.getFileEntryRefForID(sources.getMainFileID())) unit.result.program.units.push_back(file->getName().str());
  for (const clang::FunctionDecl *function : unit.order) unit.extract(function);
  unit.result.parsed = !context.getDiagnostics().hasErrorOccurred();
  return std::move(unit.result);
}

class Consumer : public clang::ASTConsumer {
public:
  Consumer(ExtractResult &result, const Inspect &inspect) : result(result), inspect(inspect) {}

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
    UnitPoints points;
    ExtractResult made = extractDecls(context, decls, inspect ? &points : nullptr);
    result.program = std::move(made.program);
    if (inspect && made.parsed) inspect(context, result.program, points);
  }

private:
  ExtractResult &result;
  const Inspect &inspect;
  std::vector<const clang::Decl *> decls;
};

class Action : public clang::ASTFrontendAction {
public:
  Action(ExtractResult &result, const Inspect &inspect) : result(result), inspect(inspect) {}
  bool BeginInvocation(clang::CompilerInstance &compiler) override {
    compiler.getFrontendOpts().SkipFunctionBodies = true; // those the consumer names
    compiler.getDiagnosticOpts().ShowCarets = false; // else it prints "1 error generated."
    return true;
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &, llvm::StringRef) override {
    return std::make_unique<Consumer>(result, inspect);
  }

private:
  ExtractResult &result;
  const Inspect &inspect;
};

class ActionFactory : public clang::tooling::FrontendActionFactory {
public:
  ActionFactory(ExtractResult &result, const Inspect &inspect) : result(result), inspect(inspect) {}
  std::unique_ptr<clang::FrontendAction> create() override { return std::make_unique<Action>(result, inspect); }

private:
  ExtractResult &result;
  const Inspect &inspect;
};

} // namespace

ExtractResult extractAst(clang::ASTContext &context) {
  std::vector<const clang::Decl *> decls;
  for (const clang::Decl *decl : context.getTranslationUnitDecl()->decls()) decls.push_back(decl);
  return extractDecls(context, decls, nullptr);
}

ExtractResult extractUnit(llvm::StringRef file, llvm::ArrayRef<std::string> compilerArguments, llvm::StringRef directory,
                          const Inspect &inspect) {
  ExtractResult result;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::createPhysicalFileSystem();
  if (!directory.empty()) (void)files->setCurrentWorkingDirectory(directory);
  auto contents = files->getBufferForFile(file);
  if (!contents) {
    result.diagnostics.push_back({skeleton::Level::Error, {file.str(), 0, 0}, "cannot open file: " + contents.getError().message()});
    return result;
  }
  llvm::StringRef text = (*contents)->getBuffer();
  if (text.contains('\0')) {
    result.diagnostics.push_back({skeleton::Level::Error, {file.str(), 0, 0}, "this is a binary file, not source"});
    return result;
  }
  std::vector<std::string> command = {"clang-19"};
  auto has = [&](llvm::StringRef prefix) {
    return llvm::any_of(compilerArguments, [&](const std::string &one) { return llvm::StringRef(one).starts_with(prefix); });
  };
  command.insert(command.end(), compilerArguments.begin(), compilerArguments.end());
  if (!has("-resource-dir")) command.push_back("-resource-dir=" BUSFARE_RESOURCE_DIR);
  if (text.contains("pragma omp") && !has("-fopenmp")) command.push_back("-fopenmp");
  for (const char *flag : {"-fsyntax-only", "-Wno-everything", "-Wno-unknown-warning-option", "-Qunused-arguments"}) command.push_back(flag);
  command.push_back(file.str());
  Listener listener(result);
  ActionFactory factory(result, inspect);
  llvm::IntrusiveRefCntPtr<clang::FileManager> manager(new clang::FileManager(clang::FileSystemOptions(), files));
  clang::tooling::ToolInvocation invocation(command, factory.create(), manager.get());
  invocation.setDiagnosticConsumer(&listener);
  bool ran = invocation.run();
  result.parsed = ran && listener.getNumErrors() == 0;
  return result;
}

} // namespace busfare::frontend
