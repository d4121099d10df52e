//===- clang-plugin/walk/SourceHints.cpp - What the names in hints mean --===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A hint names things as the source does where it stands, and there a name means
// what it means to the compiler: the innermost declaration in sight, a field of
// `this`, a global. From there to the skeleton is the walk's own way:
//
//   int n = 2 * m;
//   double *p = g->u;
//   // busfare: temporary(p) size(n=100)      temporary(`g->u`) size(m = 50)
//   for (...) p[i] = 0;
//
// Sizes that are no variables (`v.size()`), and locals named on the function, keep
// their spelling: they are compared with the skeleton's own names at the end.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/hints/HintTable.h"

namespace busfare::frontend {

using skeleton::Hints;

/// The statement under an OpenMP directive, without what the compiler adds to it.
static const clang::Stmt *withoutDirective(const clang::Stmt *stmt) {
  if (const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(stmt)) return bodyOf(*directive);
  if (const auto *captured = llvm::dyn_cast<clang::CapturedStmt>(stmt)) return captured->getCapturedStmt();
  if (const auto *canonical = llvm::dyn_cast<clang::OMPCanonicalLoop>(stmt)) return canonical->getLoopStmt();
  return stmt;
}

/// How many variables of this name are declared in here.
static unsigned countLocals(const clang::Stmt *stmt, llvm::StringRef name) {
  if (!stmt) return 0;
  if (const clang::Stmt *inner = withoutDirective(stmt); inner != stmt) return countLocals(inner, name);
  unsigned count = 0;
  if (const auto *declared = llvm::dyn_cast<clang::DeclStmt>(stmt))
    for (const clang::Decl *decl : declared->decls())
      if (const auto *value = llvm::dyn_cast<clang::VarDecl>(decl))
        count += value->getIdentifier() && value->getName() == name;
  for (const clang::Stmt *child : partsOf(stmt)) count += countLocals(child, name);
  return count;
}

/// Declared before `place`, or in the head of a loop around it, innermost last. False: place is not in here.
static bool declaredBefore(const clang::Stmt *stmt, const clang::Stmt *place,
                           std::vector<const clang::ValueDecl *> &decls) {
  if (!stmt) return false;
  if (const clang::Stmt *inner = withoutDirective(stmt); inner != stmt) return declaredBefore(inner, place, decls);
  auto add = [&](const clang::Stmt *one) {
    if (const auto *declared = llvm::dyn_cast_or_null<clang::DeclStmt>(one))
      for (const clang::Decl *decl : declared->decls())
        if (const auto *value = llvm::dyn_cast<clang::ValueDecl>(decl)) decls.push_back(value);
  };
  size_t before = decls.size();
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(stmt)) add(loop->getInit());
  if (const auto *range = llvm::dyn_cast<clang::CXXForRangeStmt>(stmt)) decls.push_back(range->getLoopVariable());
  if (stmt == place) return true;
  for (const clang::Stmt *child : partsOf(stmt)) {
    if (declaredBefore(child, place, decls)) return true;
    add(child);
  }
  decls.resize(before);
  return false;
}

/// The declaration that a name means at a loop of this function; without a loop, at the function itself.
const clang::ValueDecl *Walker::declarationOf(llvm::StringRef name, const clang::Stmt *place) {
  std::vector<const clang::ValueDecl *> visible;
  for (const clang::ParmVarDecl *formal : function->parameters()) visible.push_back(formal);
  if (place) declaredBefore(function->getBody(), place, visible);
  for (const clang::ValueDecl *decl : llvm::reverse(visible))
    if (decl && decl->getIdentifier() && decl->getName() == name) return decl;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function))
    for (const clang::FieldDecl *field : method->getParent()->fields())
      if (field->getName() == name) return field;
  std::string scope = function->getQualifiedNameAsString();
  for (size_t at = scope.rfind("::"); at != std::string::npos; at = scope.rfind("::")) {
    scope.resize(at);
    if (auto found = unit.globalNames.find(scope + "::" + name.str()); found != unit.globalNames.end())
      return found->second;
  }
  auto found = unit.globalNames.find(name.str());
  return found == unit.globalNames.end() ? nullptr : found->second;
}

/// `a`, `s.x`, `g->u`, `this->n`.
std::optional<Place> Walker::placeOfName(llvm::StringRef name, const clang::Stmt *at, Location location) {
  size_t end = std::min(name.find("->"), name.find('.'));
  llvm::StringRef base = name.take_front(end), rest = name.drop_front(std::min(end, name.size()));
  Place place;
  const clang::FieldDecl *field = nullptr;
  if (base != "this") {
    const clang::ValueDecl *decl = declarationOf(base, at);
    field = llvm::dyn_cast_or_null<clang::FieldDecl>(decl);
    if (!decl) return std::nullopt;
    if (!field) place = placeOfVariable(decl, decl->getLocation());
  }
  if (base == "this" || field) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    auto self = st.env.pointers.find("this");
    if (!method || self == st.env.pointers.end()) return std::nullopt;
    place.at = self->second;
    place.type = method->getThisType()->getPointeeType();
    if (field) place = member(place, field);
    else if (!rest.consume_front("->")) return std::nullopt;
    else rest = name.drop_front(strlen("this"));
  }
  while (!rest.empty()) {
    if (rest.consume_front("->")) {
      if (base != "this" || !place.type->isRecordType()) { // else it is there already
        if (!place.type->isPointerType() || place.variable.empty()) return std::nullopt;
        clang::QualType pointee = place.type->getPointeeType();
        Pointer pointer = readPointer(place.variable, place.type, location);
        if (pointer.object.empty()) return std::nullopt;
        place = Place{pointer, pointee};
      }
    } else if (!rest.consume_front(".")) {
      return std::nullopt;
    }
    size_t length = std::min(rest.find("->"), rest.find('.'));
    llvm::StringRef wanted = rest.take_front(length);
    rest = rest.drop_front(std::min(length, rest.size()));
    const auto *record = place.type->getAsRecordDecl();
    const clang::FieldDecl *next = nullptr;
    if (record && record->getDefinition())
      for (const clang::FieldDecl *one : record->getDefinition()->fields())
        if (one->getIdentifier() && one->getName() == wanted) next = one;
    if (!next || place.at.object.empty()) return std::nullopt;
    place = member(place, next);
    base = "";
  }
  return place;
}

/// The object whose elements the name stands for, if it stands for its first one; else why not.
std::string Walker::objectOfName(llvm::StringRef name, const clang::Stmt *at, Location location, std::string &why) {
  std::optional<Place> place = placeOfName(name, at, location);
  // On the function: a local has no object yet, and will have this name if it is the only one.
  if (!place && !at && countLocals(function->getBody(), name) == 1) return name.str();
  if (!place) {
    why = "no `" + name.str() + "` is in sight there";
    return "";
  }
  Pointer pointer = place->at;
  if (classOf(place->type) == TypeClass::Pointer && !place->variable.empty())
    pointer = readPointer(place->variable, place->type, location);
  if (pointer.object.empty() || !st.isDeclared(pointer.object)) {
    why = "what `" + name.str() + "` points to there is not known";
    return "";
  }
  if (!llvm::all_of(pointer.index, [](const auto &index) { return index && index->isZero(); })) {
    why = "`" + name.str() + "` points into " + pointer.object + " there; name " + pointer.object + " itself";
    return "";
  }
  return pointer.object;
}

std::optional<Symbolic> Walker::valueOfName(llvm::StringRef name, const clang::Stmt *at, Location location) {
  std::optional<Place> place = placeOfName(name, at, location);
  if (!place || classOf(place->type) != TypeClass::Integer || place->variable.empty()) return std::nullopt;
  return readInteger(place->variable, place->type, location).expr;
}

/// size(n = VALUE) as one of a symbol of the skeleton.
void Walker::translateSize(const std::string &name, int64_t value, const clang::Stmt *at, const Location &said,
                           Hints &to) {
  std::optional<Symbolic> known = valueOfName(name, at, said);
  std::string words = "size(" + name + " = " + std::to_string(value) + ")";
  if (!known) {
    to.sizes.emplace_back(name, value); // by its spelling
    return;
  }
  std::set<std::string> symbols = known->symbols();
  std::optional<Symbolic> slope = symbols.size() == 1 ? known->coefficientOf(*symbols.begin()) : std::nullopt;
  std::optional<int64_t> factor = slope ? slope->constant() : std::nullopt;
  std::optional<int64_t> rest = factor ? known->without(*symbols.begin()).constant() : std::nullopt;
  if (std::optional<int64_t> constant = known->constant()) {
    if (*constant != value)
      report(Rule::HintRefuted, skeleton::Level::Error, said,
             words + " is contradicted by the program, where it is " + std::to_string(*constant) +
                 "; the hint is not taken");
  } else if (std::optional<int64_t> difference = rest ? (Symbolic(value) - Symbolic(*rest)).constant() : std::nullopt;
             difference && *factor != 0 && *difference % *factor == 0) {
    to.sizes.emplace_back(*symbols.begin(), *difference / *factor);
  } else {
    report(Rule::HintUnused, skeleton::Level::Warning, said,
           words + " binds no single size: there it is " + toString(*known) + "; the hint changes nothing");
  }
}

void Walker::translateRange(const std::tuple<std::string, Symbolic, Symbolic> &range, const clang::Stmt *at,
                            const Location &said, Hints &to) {
  const auto &[name, low, high] = range;
  std::string why, array = objectOfName(name, at, said, why);
  skeleton::Substitution values;
  for (const Symbolic *bound : {&low, &high})
    for (const std::string &symbol : bound->symbols()) {
      if (std::optional<Symbolic> value = valueOfName(symbol, at, said)) values.insert({symbol, *value});
      else if (why.empty()) why = "no integer `" + symbol + "` is in sight there";
    }
  if (!array.empty() && st.objects.count(array) && classOf(object(array).element) != TypeClass::Integer)
    why = "`" + name + "` holds no integers";
  if (!why.empty())
    return report(Rule::HintUnused, skeleton::Level::Warning, said, "range: " + why + "; the hint changes nothing");
  to.ranges.emplace_back(array, low.substitute(values), high.substitute(values));
}

/// In the skeleton's names. What cannot be is said.
Hints Walker::translate(const Hints &words, const clang::Stmt *at) {
  Hints result;
  result.independent = words.independent;
  result.ignoredRules = words.ignoredRules;
  result.location = words.location;
  auto objects = [&](const std::vector<std::string> &names, const char *word) {
    std::vector<std::string> found;
    for (const std::string &name : names) {
      std::string why, made = objectOfName(name, at, words.location, why);
      if (made.empty())
        report(Rule::HintUnused, skeleton::Level::Warning, words.location,
               std::string(word) + ": " + why + "; the hint changes nothing");
      else if (llvm::is_contained(found, made))
        report(Rule::HintRefuted, skeleton::Level::Error, words.location,
               std::string(word) + " is contradicted: two of its names stand for " + made +
                   " there; the hint is not taken");
      else found.push_back(made);
    }
    return found;
  };
  result.temporaries = objects(words.temporaries, "temporary");
  for (const std::vector<std::string> &group : words.noalias)
    if (std::vector<std::string> found = objects(group, "noalias"); found.size() > 1)
      result.noalias.push_back(std::move(found));
  for (const auto &[name, value] : words.sizes) translateSize(name, value, at, words.location, result);
  for (const auto &range : words.ranges) translateRange(range, at, words.location, result);
  return result;
}

void Walker::report(Rule rule, skeleton::Level level, const Location &location, std::string message) {
  skeleton::Finding finding{rule, level, location, std::move(message)};
  if (!llvm::is_contained(st.findings, finding)) st.findings.push_back(std::move(finding));
}

Hints Walker::take(llvm::ArrayRef<SourceHint *> hints, const clang::Stmt *at, const std::string &what) {
  Hints all;
  for (SourceHint *hint : hints) {
    hint->isTaken = true;
    Hints one = translate(hint->words, at);
    if (!one.empty())
      report(Rule::HintTaken, skeleton::Level::Note, hint->words.location,
             "`" + toString(hint->words) + "` is taken as true for " + what + " where nothing contradicts it");
    if (!all.location.isKnown()) all.location = one.location;
    add(all, one);
  }
  return all;
}

void Walker::takeFunctionHints() {
  if (!unit.hints) return;
  std::vector<SourceHint *> found = unit.hints->ofFunction(function);
  Hints &hints = summary.function.hints;
  hints = take(found, nullptr, "the function " + summary.name);
  if (hints.empty()) hints = Hints();
  else hints.lastLine = context.getSourceManager().getExpansionLineNumber(function->getEndLoc());
  for (const auto &range : hints.ranges) rangedArrays.push_back(std::get<0>(range));
}

void Walker::takeLoopHints(const clang::Stmt *stmt, const clang::Stmt *body, skeleton::LoopHead &loop) {
  if (!unit.hints || !inlining.empty()) return;
  llvm::StringRef index = loop.index;
  if (size_t dot = index.rfind('.'); dot != llvm::StringRef::npos &&
                                     index.drop_front(dot + 1).find_first_not_of("0123456789") == llvm::StringRef::npos)
    index = index.take_front(dot);
  std::vector<SourceHint *> found = unit.hints->ofLoop(stmt, body, index, function);
  if (found.empty()) return;
  Hints hints = take(found, stmt, "the loop at " + toString(loop.location));
  if (hints.empty()) return;
  hints.lastLine = context.getSourceManager().getExpansionLineNumber(stmt->getEndLoc());
  for (const auto &range : hints.ranges) rangedArrays.push_back(std::get<0>(range));
  loop.hints = std::move(hints);
}

/// Does the value come from an array of whose values a hint speaks here?
bool Walker::isRanged(const std::string &array) const { return llvm::is_contained(rangedArrays, array); }

/// Where the unknown part of a subscript comes from: scale * (an element) + something known here.
skeleton::Rare<skeleton::Loaded> Walker::loadedFrom(const Symbolic &index) const {
  const SymbolFacts *source = nullptr;
  std::string symbol;
  for (const std::string &name : index.symbols()) {
    std::string reason;
    bool memory = false;
    if (isKnownHere(Symbolic::symbol(name), reason, memory)) continue;
    auto facts = st.symbols.find(name);
    if (source || facts == st.symbols.end() || facts->second.from.empty()) return {};
    source = &facts->second;
    symbol = name;
  }
  std::optional<Symbolic> slope = source ? index.coefficientOf(symbol) : std::nullopt;
  std::optional<int64_t> scale = slope ? slope->constant() : std::nullopt;
  if (!scale || *scale == 0) return {};
  return skeleton::Loaded{source->from, *scale, index.without(symbol)};
}

/// The symbol just made is an element of this array.
void Walker::noteOrigin(const Symbolic &value, const Place &place) {
  std::optional<std::string> symbol = value.asSymbol();
  if (!symbol || place.partial || place.at.object.empty() || !st.isDeclared(place.at.object)) return;
  const Object &source = object(place.at.object);
  auto *made = out->empty() ? nullptr : std::get_if<skeleton::Define>(&out->back().kind);
  if (source.array.extents.empty() || source.array.storage == Storage::Alias || !made || made->symbol != *symbol)
    return;
  st.symbols[*symbol].from = source.array.name;
  if (llvm::all_of(place.at.index, [](const auto &one) { return one && !one->isPoisoned(); }))
    for (const auto &one : place.at.index) st.symbols[*symbol].element.push_back(*one);
  made->from = skeleton::Loaded{source.array.name};
}

/// What the write just made puts into an array of integers, where a hint of this unit may ask.
void Walker::noteWritten(const Symbolic &value) {
  if (!unit.hints || !unit.hints->asksForValues() || out->empty() || dependsOnMemory(value)) return;
  auto *made = std::get_if<Access>(&out->back().kind);
  if (made && made->kind == AccessKind::Write && !made->subscripts.empty() && !made->may) made->value = value;
}

} // namespace busfare::frontend
