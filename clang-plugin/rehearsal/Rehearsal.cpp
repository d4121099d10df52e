//===- clang-plugin/rehearsal/Rehearsal.cpp - What main does with its arguments -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Variables are keyed by their declaration and the call they belong to, fields behind it:
// `17@2.nx`. What is not known is in no map. A branch that nothing decides is not taken, and
// what it would set is forgotten; a side that ends the program (a wrong argument) is passed by.
//
//===----------------------------------------------------------------------===//

#include "Rehearsal.h"
#include "RehearsalParts.h"
#include "clang-plugin/lower/Located.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend {

using Kind = Rehearsed::Kind;

namespace {

constexpr size_t mostSteps = 60000, mostTurns = 4000, deepest = 24;

} // namespace

//===--- Where values are -------------------------------------------------===//

std::string RehearsedRun::keyOf(const clang::VarDecl *variable) const {
  if (auto alias = frame().aliases.find(variable->getCanonicalDecl()); alias != frame().aliases.end())
    return alias->second;
  const auto [id, isNew] = ids.try_emplace(variable->getCanonicalDecl(), ids.size());
  return std::to_string(id->second) + (variable->hasGlobalStorage() ? "" : "@" + std::to_string(frame().number));
}

void RehearsedRun::forget(const std::string &key) {
  for (auto at = values.lower_bound(key); at != values.end() && llvm::StringRef(at->first).starts_with(key);)
    at = at->first.size() == key.size() || at->first[key.size()] == '.' || at->first[key.size()] == '['
             ? values.erase(at)
             : std::next(at);
}

Rehearsed RehearsedRun::load(const std::string &key) const {
  if (auto known = values.find(key); known != values.end()) return known->second;
  Rehearsed record;
  for (auto at = values.lower_bound(key + "."); at != values.end() && llvm::StringRef(at->first).starts_with(key + ".");
       ++at)
    record.fields[at->first.substr(key.size())] = at->second;
  record.kind = record.fields.empty() ? Kind::Unknown : Kind::Record;
  return record;
}

void RehearsedRun::store(const std::string &key, const Rehearsed &value) {
  forget(key);
  if (value.kind == Kind::Record)
    for (const auto &[field, one] : value.fields) values[key + field] = one;
  else if (value.isKnown()) values[key] = value;
}

std::optional<std::string> RehearsedRun::placeOf(const clang::Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable ? std::optional(keyOf(variable)) : std::nullopt;
  }
  if (llvm::isa<clang::CXXThisExpr>(expr)) return frame().self;
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
    std::optional<std::string> base = member->isArrow() ? pointedBy(member->getBase()) : placeOf(member->getBase());
    if (!base || !llvm::isa<clang::FieldDecl>(member->getMemberDecl())) return std::nullopt;
    return *base + "." + member->getMemberDecl()->getNameAsString();
  }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr); unary && unary->getOpcode() == clang::UO_Deref)
    return pointedBy(unary->getSubExpr());
  if (const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
    const Rehearsed index = evaluate(element->getIdx());
    std::optional<std::string> base = element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()
                                          ? placeOf(element->getBase())
                                          : pointedBy(element->getBase());
    if (!base || index.kind != Kind::Integer) return std::nullopt;
    return *base + "[" + std::to_string(index.integer) + "]";
  }
  return std::nullopt;
}

std::optional<std::string> RehearsedRun::pointedBy(const clang::Expr *pointer) {
  if (llvm::isa<clang::CXXThisExpr>(pointer->IgnoreParenImpCasts())) return frame().self;
  const Rehearsed value = evaluate(pointer);
  return value.kind == Kind::Place ? std::optional(*value.text) : std::nullopt;
}

//===--- Functions --------------------------------------------------------===//

std::optional<Rehearsed> RehearsedRun::callOfOptions(llvm::StringRef name, const clang::CallExpr *call,
                                                     llvm::ArrayRef<Rehearsed> given) {
  if (name != "getopt" && name != "getopt_long" && name != "getopt_long_only") return std::nullopt;
  const std::optional<llvm::StringRef> shorts = given.size() > 2 ? given[2].characters() : std::nullopt;
  if (!shorts) return Rehearsed();
  // The table of long options: names, whether they take a value, and what they give.
  std::vector<std::pair<std::string, bool>> longs;
  std::map<std::string, Rehearsed> codes;
  if (std::optional<std::string> table = given.size() > 3 ? placeOf(call->getArg(3)) : std::nullopt)
    for (size_t i = 0; i < 256; ++i) {
      const std::string entry = *table + "[" + std::to_string(i) + "].";
      const Rehearsed word = load(entry + "name");
      if (!word.characters()) break;
      longs.emplace_back(word.characters()->str(), load(entry + "has_arg").integer != 0);
      codes[longs.back().first] = load(entry + "val");
    }
  std::string longName;
  const int found = options.next(words, *shorts, longs, longName);
  for (const auto &[variable, id] : ids) {
    if (variable->getName() == "optarg")
      store(std::to_string(id), options.argument ? rehearsedText(*options.argument) : rehearsedInteger(0));
    if (variable->getName() == "optind") store(std::to_string(id), rehearsedInteger(int64_t(options.index)));
  }
  return longName.empty() ? rehearsedInteger(found) : codes[longName];
}

Rehearsed RehearsedRun::call(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = expr->getDirectCallee();
  if (const auto *compare = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr); compare && compare->getNumArgs() == 2) {
    const std::optional<llvm::StringRef> a = evaluate(compare->getArg(0)).characters(),
                                         b = evaluate(compare->getArg(1)).characters();
    const bool isEqual = compare->getOperator() == clang::OO_EqualEqual;
    if (a && b && (isEqual || compare->getOperator() == clang::OO_ExclaimEqual))
      return rehearsedInteger((*a == *b) == isEqual);
    if (compare->isAssignmentOp())
      if (std::optional<std::string> place = placeOf(compare->getArg(0))) store(*place, evaluate(compare->getArg(1)));
    return {};
  }
  std::vector<Rehearsed> given;
  for (const clang::Expr *argument : expr->arguments()) given.push_back(evaluate(argument));
  if (!callee) return {};
  const std::string name = callee->getQualifiedNameAsString();
  if (const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr);
      method && callee->getIdentifier() && (callee->getName() == "c_str" || callee->getName() == "data"))
    return evaluate(method->getImplicitObjectArgument());
  if (callee->isNoReturn() || name == "exit" || name == "abort" || name == "_exit" || name == "std::exit") {
    flow = RehearsedFlow::Ends;
    return {};
  }
  if (std::optional<Rehearsed> option = callOfOptions(name, expr, given)) return *option;
  if (name == "sscanf" && given.size() > 2 && given[0].characters() && given[1].characters())
    if (auto found = scanned(*given[0].characters(), *given[1].characters());
        found && found->size() + 2 <= given.size()) {
      for (size_t i = 0; i < found->size(); ++i)
        if (given[i + 2].kind == Kind::Place) store(*given[i + 2].text, (*found)[i]);
      return rehearsedInteger(int64_t(found->size()));
    }
  const clang::FunctionDecl *definition = nullptr;
  if (callee->hasBody(definition) && !sources.isInSystemHeader(definition->getLocation()) && frames.size() < deepest &&
      !definition->isDependentContext())
    return enter(definition, expr, given);
  Rehearsed value = callOfLibrary(name, given);
  // What is not seen may change what it is given the address of; strtol's end stays unknown too.
  for (const Rehearsed &one : given)
    if (one.kind == Kind::Place) forget(*one.text);
  return value;
}

Rehearsed RehearsedRun::enter(const clang::FunctionDecl *function, const clang::CallExpr *expr,
                              llvm::ArrayRef<Rehearsed> given) {
  RehearsedFrame inner;
  inner.number = ++frameCount;
  const auto *method = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr);
  if (method)
    inner.self = method->getImplicitObjectArgument()->getType()->isPointerType()
                     ? pointedBy(method->getImplicitObjectArgument())
                     : placeOf(method->getImplicitObjectArgument());
  for (size_t i = 0; i < function->getNumParams() && i < given.size(); ++i)
    if (function->getParamDecl(i)->getType()->isReferenceType())
      if (std::optional<std::string> place = placeOf(expr->getArg(i)))
        inner.aliases[function->getParamDecl(i)->getCanonicalDecl()] = *place;
  frames.push_back(std::move(inner));
  for (size_t i = 0; i < function->getNumParams() && i < given.size(); ++i)
    if (!frame().aliases.count(function->getParamDecl(i)->getCanonicalDecl()))
      store(keyOf(function->getParamDecl(i)), given[i]);
  result = {};
  run(function->getBody());
  if (flow == RehearsedFlow::Returns) flow = RehearsedFlow::Goes;
  frames.pop_back();
  return std::exchange(result, {});
}

//===--- Statements -------------------------------------------------------===//

void RehearsedRun::note(const clang::Stmt *where, const std::string &spelled, const Rehearsed &value) {
  std::optional<int64_t> number = value.kind == Kind::Integer ? std::optional(value.integer) : std::nullopt;
  auto [known, isNew] = noted.try_emplace({locationOf(where->getBeginLoc(), sources), spelled}, number);
  if (!isNew && known->second != number) known->second.reset();
}

/// Behind a statement: what it has set.
void RehearsedRun::noteBehind(const clang::Stmt *statement) {
  for (const clang::Expr *target : targetsIn(statement)) {
    const clang::SourceRange range = target->IgnoreParenImpCasts()->getSourceRange();
    const std::string spelled =
        clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range), sources, context.getLangOpts()).str();
    if (std::optional<std::string> place = placeOf(target)) note(statement, spelled, load(*place));
  }
}

void RehearsedRun::forgetSetIn(const clang::Stmt *statement) {
  for (const clang::Expr *target : targetsIn(statement))
    if (std::optional<std::string> place = placeOf(target)) forget(*place);
}

void RehearsedRun::declare(const clang::VarDecl *variable) {
  if (!variable->hasInit() || (variable->isStaticLocal() && load(keyOf(variable)).isKnown())) return;
  const clang::Expr *init = variable->getInit();
  if (variable->getType()->isReferenceType()) {
    if (std::optional<std::string> place = placeOf(init)) frame().aliases[variable->getCanonicalDecl()] = *place;
    return;
  }
  const std::string key = keyOf(variable);
  if (variable->getType()->isRecordType() || variable->getType()->isArrayType()) initialise(key, init);
  else store(key, evaluate(init));
  const Rehearsed value = load(key);
  note(init, variable->getNameAsString(), value);
  for (const auto &[field, one] : value.fields) note(init, variable->getNameAsString() + field, one);
}

void RehearsedRun::initialise(const std::string &key, const clang::Expr *init) {
  const auto *list = llvm::dyn_cast<clang::InitListExpr>(init->IgnoreImplicit());
  if (!list) return store(key, evaluate(init));
  if (const clang::InitListExpr *semantic = list->getSemanticForm()) list = semantic;
  forget(key);
  const auto *record = list->getType()->getAsRecordDecl();
  std::vector<const clang::FieldDecl *> fields;
  if (record && !record->isUnion()) fields.assign(record->field_begin(), record->field_end());
  for (unsigned i = 0; i < list->getNumInits() && i < 256; ++i)
    if (!record) initialise(key + "[" + std::to_string(i) + "]", list->getInit(i));
    else if (i < fields.size()) initialise(key + "." + fields[i]->getNameAsString(), list->getInit(i));
}

void RehearsedRun::branch(const clang::IfStmt *statement) {
  const std::optional<bool> holds = evaluate(statement->getCond()).truth();
  if (holds) {
    if (const clang::Stmt *side = *holds ? statement->getThen() : statement->getElse()) run(side);
  } else {
    forgetSetIn(statement->getThen());
    if (statement->getElse()) forgetSetIn(statement->getElse());
  }
  noteBehind(statement);
}

void RehearsedRun::choose(const clang::SwitchStmt *statement) {
  const Rehearsed value = evaluate(statement->getCond());
  const auto *body = llvm::dyn_cast<clang::CompoundStmt>(statement->getBody());
  if (value.kind != Kind::Integer || !body) {
    forgetSetIn(statement->getBody());
    return noteBehind(statement);
  }
  const clang::SwitchCase *entry = nullptr;
  for (const clang::SwitchCase *one = statement->getSwitchCaseList(); one; one = one->getNextSwitchCase()) {
    const auto *label = llvm::dyn_cast<clang::CaseStmt>(one);
    const std::optional<llvm::APSInt> number = label ? label->getLHS()->getIntegerConstantExpr(context) : std::nullopt;
    if (number ? number->getExtValue() == value.integer : !label && !entry) entry = one;
    if (number && number->getExtValue() == value.integer) break;
  }
  bool isEntered = false;
  for (const clang::Stmt *one : body->body()) {
    // `case 'a': case 'b': n = 1;` is a chain of labels.
    for (const clang::Stmt *label = one; !isEntered && llvm::isa<clang::SwitchCase>(label);
         label = llvm::cast<clang::SwitchCase>(label)->getSubStmt())
      isEntered = label == entry;
    if (isEntered && flow == RehearsedFlow::Goes) run(one);
  }
  if (flow == RehearsedFlow::Breaks) flow = RehearsedFlow::Goes;
  noteBehind(statement);
}

void RehearsedRun::loop(const clang::Stmt *statement, const clang::Stmt *init, const clang::Expr *condition,
                        const clang::Expr *step, const clang::Stmt *body, bool testsFirst) {
  if (init) run(init);
  if (!mentionsArguments(statement)) return loopOnce(statement, condition, step, body);
  size_t turns = 0;
  for (; turns < mostTurns && flow == RehearsedFlow::Goes && steps < mostSteps; ++turns) {
    const std::optional<bool> goesOn = condition && (testsFirst || turns > 0) ? evaluate(condition).truth() : true;
    if (goesOn == false) break;
    if (!goesOn) return forgetSetIn(statement), noteBehind(statement);
    run(body);
    if (flow == RehearsedFlow::Breaks || flow == RehearsedFlow::Continues) {
      const bool isLeft = flow == RehearsedFlow::Breaks;
      flow = RehearsedFlow::Goes;
      if (isLeft) break;
    }
    if (step && flow == RehearsedFlow::Goes) evaluate(step);
  }
  note(statement, "trips", rehearsedInteger(int64_t(turns)));
  noteBehind(statement);
}

/// Of `i < n`, alone or beside what data decide: how often it turns at most. Only of ++.
std::optional<int64_t> RehearsedRun::turnsAtMost(const clang::Expr *condition, const clang::Stmt *loop) {
  const auto *test = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParenImpCasts());
  if (!test) return std::nullopt;
  if (test->getOpcode() == clang::BO_LAnd) {
    std::optional<int64_t> a = turnsAtMost(test->getLHS(), loop), b = turnsAtMost(test->getRHS(), loop);
    return a && b ? std::min(*a, *b) : a ? a : b;
  }
  if (test->getOpcode() != clang::BO_LT && test->getOpcode() != clang::BO_LE) return std::nullopt;
  const std::optional<std::string> place = placeOf(test->getLHS());
  const Rehearsed from = evaluate(test->getLHS()), to = evaluate(test->getRHS());
  if (!place || from.kind != Kind::Integer || to.kind != Kind::Integer || !countsUp(*place, loop)) return std::nullopt;
  return std::max<int64_t>(0, to.integer - from.integer + (test->getOpcode() == clang::BO_LE));
}

void RehearsedRun::loopOnce(const clang::Stmt *statement, const clang::Expr *condition, const clang::Expr *step,
                            const clang::Stmt *body) {
  if (condition)
    if (std::optional<int64_t> turns = turnsAtMost(condition, statement))
      note(statement, "trips", rehearsedInteger(*turns));
  forgetSetIn(statement);
  if (condition) evaluate(condition);
  run(body);
  // Whether data end it early is not known.
  flow = RehearsedFlow::Goes;
  forgetSetIn(statement);
  noteBehind(statement);
}

void RehearsedRun::run(const clang::Stmt *statement) {
  if (!statement || flow != RehearsedFlow::Goes || ++steps > mostSteps) return;
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    for (const clang::Stmt *one : block->body()) run(one);
  } else if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl *one : declaration->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(one)) declare(variable);
  } else if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(statement)) {
    if (choice->getInit()) run(choice->getInit());
    if (choice->getCond()) branch(choice);
  } else if (const auto *cases = llvm::dyn_cast<clang::SwitchStmt>(statement)) {
    choose(cases);
  } else if (const auto *label = llvm::dyn_cast<clang::SwitchCase>(statement)) {
    run(label->getSubStmt());
  } else if (const auto *name = llvm::dyn_cast<clang::LabelStmt>(statement)) {
    run(name->getSubStmt());
  } else if (const auto *loopFor = llvm::dyn_cast<clang::ForStmt>(statement)) {
    loop(loopFor, loopFor->getInit(), loopFor->getCond(), loopFor->getInc(), loopFor->getBody(), true);
  } else if (const auto *loopWhile = llvm::dyn_cast<clang::WhileStmt>(statement)) {
    loop(loopWhile, nullptr, loopWhile->getCond(), nullptr, loopWhile->getBody(), true);
  } else if (const auto *loopDo = llvm::dyn_cast<clang::DoStmt>(statement)) {
    loop(loopDo, nullptr, loopDo->getCond(), nullptr, loopDo->getBody(), false);
  } else if (const auto *back = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    result = back->getRetValue() ? evaluate(back->getRetValue()) : Rehearsed();
    flow = flow == RehearsedFlow::Goes ? RehearsedFlow::Returns : flow;
  } else if (llvm::isa<clang::BreakStmt>(statement)) {
    flow = RehearsedFlow::Breaks;
  } else if (llvm::isa<clang::ContinueStmt>(statement)) {
    flow = RehearsedFlow::Continues;
  } else if (const auto *expr = llvm::dyn_cast<clang::Expr>(statement)) {
    evaluate(expr);
    noteBehind(statement);
  } else if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(statement)) {
    if (directive->hasAssociatedStmt()) run(directive->getRawStmt()); // of a section nothing is captured
  } else {
    forgetSetIn(statement);
  }
}

//===--- All of it --------------------------------------------------------===//

RehearsedValues rehearse(clang::ASTContext &context, const std::vector<std::string> &arguments) {
  for (const clang::Decl *decl : context.getTranslationUnitDecl()->decls()) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (!function || !function->isMain() || !function->doesThisDeclarationHaveABody()) continue;
    RehearsedRun run(context, arguments);
    run.runMain(function);
    return std::move(run.noted);
  }
  return {};
}

/// `c.nx.2` is the second symbol called c.nx.
static std::string spelledOf(llvm::StringRef symbol) {
  auto [front, number] = symbol.rsplit('.');
  const bool isNumbered = !number.empty() && llvm::all_of(number, llvm::isDigit) && number.size() < symbol.size();
  return (isNumbered ? front : symbol).str();
}

static void takeInto(const RehearsedValues &values, bool isGiven, skeleton::Block &block) {
  for (skeleton::Node &node : block) {
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) {
      takeInto(values, isGiven, loop->body);
    } else if (auto *branch = std::get_if<skeleton::Branch>(&node.kind)) {
      takeInto(values, isGiven, branch->then);
      takeInto(values, isGiven, branch->otherwise);
    } else if (auto *define = std::get_if<skeleton::Define>(&node.kind);
               define && !define->value && (isGiven || !define->usually)) {
      auto known = values.find({define->location, spelledOf(define->symbol)});
      if (known != values.end() && known->second) define->usually = skeleton::Expr(*known->second);
    }
  }
}

void takeRehearsed(const RehearsedValues &values, bool isGiven, skeleton::Program &program) {
  if (!values.empty())
    for (skeleton::Function &function : program.functions) takeInto(values, isGiven, function.body);
}

} // namespace busfare::frontend
