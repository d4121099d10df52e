//===- clang-plugin/port/Instances.cpp - Functions on their call paths ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Instances.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/Located.h"
#include "clang-plugin/lower/Settings.h"
#include "clang-plugin/port/OwnTargets.h"
#include "clang-plugin/port/Pages.h"
#include "clang-plugin/port/Refuse.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace busfare::frontend::port {
using namespace clang;

Instances::FunctionKey Instances::keyOf(const FunctionDecl *function) {
  if (!function->isExternallyVisible()) return {function->getCanonicalDecl(), ""};
  bool isCxx = function->getASTContext().getLangOpts().CPlusPlus && !function->isExternC();
  return {nullptr, function->getQualifiedNameAsString() +
                       (isCxx ? " " + function->getType().getCanonicalType().getAsString() : "")};
}

std::optional<size_t> Instances::unitOf(const std::string &function) const {
  for (size_t unit = 0; unit < units.size(); ++unit)
    if (units[unit].points.count(function)) return unit;
  return std::nullopt;
}

llvm::Expected<const FunctionSource *> Instances::sourceOf(const std::string &function) {
  std::optional<size_t> unit = unitOf(function);
  if (!unit || !pointsOf(function).function) return refuse(function + " is not defined in these units");
  if (units[*unit].isShared) return refuse(function + " is also part of another program");
  std::unique_ptr<FunctionSource> &source = sources[function];
  if (!source) {
    source = std::make_unique<FunctionSource>(pointsOf(function).function, *units[*unit].context);
    source->settings = units[*unit].settings;
    source->symbols = units[*unit].symbols;
  }
  if (!source->whyFixed.empty()) return refuse(function + " cannot be changed: " + source->whyFixed);
  return source.get();
}

/// `f`, `o.f`, `f` inside a method of the same class, or the constructor of an object; null if it names no function.
static const FunctionDecl *functionNamedBy(const Stmt *stmt) {
  if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(stmt)) return llvm::dyn_cast<FunctionDecl>(ref->getDecl());
  if (const auto *member = llvm::dyn_cast<MemberExpr>(stmt))
    return llvm::dyn_cast<FunctionDecl>(member->getMemberDecl());
  if (const auto *made = llvm::dyn_cast<CXXConstructExpr>(stmt)) return made->getConstructor();
  return nullptr;
}

/// What runs without being called by name: initializers of globals and static members, and what classes give their
/// members.
static void forEachInitializer(const DeclContext *scope, llvm::function_ref<void(const Stmt *)> look) {
  for (const Decl *decl : scope->decls()) {
    if (const auto *variable = llvm::dyn_cast<VarDecl>(decl)) look(variable->getInit());
    if (const auto *field = llvm::dyn_cast<FieldDecl>(decl); field && field->hasInClassInitializer())
      look(field->getInClassInitializer());
    if (llvm::isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl>(decl))
      forEachInitializer(llvm::cast<DeclContext>(decl), look);
  }
}

namespace {
/// Objects are also made by what the compiler writes (a class's own constructor makes its bases and fields) and by
/// templates of the library (the elements of a vector).
struct Constructions : RecursiveASTVisitor<Constructions> {
  explicit Constructions(std::function<void(const CXXConstructorDecl *)> note) : note(std::move(note)) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) {
    note(made->getConstructor());
    return true;
  }
  bool VisitCXXInheritedCtorInitExpr(CXXInheritedCtorInitExpr *made) {
    note(made->getConstructor());
    return true;
  }
  std::function<void(const CXXConstructorDecl *)> note;
};
} // namespace

/// More than one if there is any doubt.
unsigned Instances::constructionsBy(const CXXConstructorDecl *constructor) {
  if (constructions.empty()) {
    constructions[{}] = 0;
    for (const ProgramUnit &unit : units)
      Constructions([&](const CXXConstructorDecl *one) { ++constructions[keyOf(one)]; }).TraverseAST(*unit.context);
  }
  return constructions[keyOf(constructor)];
}

unsigned Instances::usesOf(const FunctionDecl *function) {
  if (const auto *constructor = llvm::dyn_cast<CXXConstructorDecl>(function)) return constructionsBy(constructor);
  if (uses.empty()) {
    uses[{}] = 0;
    std::function<void(const Stmt *)> walk = [&](const Stmt *stmt) {
      if (!stmt) return;
      if (const FunctionDecl *named = functionNamedBy(stmt)) ++uses[keyOf(named)];
      for (const Stmt *child : partsOf(stmt)) walk(child);
    };
    for (const ProgramUnit &unit : units) {
      forEachInitializer(unit.context->getTranslationUnitDecl(), walk);
      for (const auto &[name, one] : unit.points) {
        if (one.function) walk(one.function->getBody());
        if (const auto *constructor = llvm::dyn_cast_or_null<CXXConstructorDecl>(one.function))
          for (const CXXCtorInitializer *initializer : constructor->inits()) walk(initializer->getInit());
      }
    }
  }
  return uses[keyOf(function)];
}

const Expr *Instances::callIn(const FunctionSource &caller, const FunctionDecl *callee,
                              const skeleton::Location &where) const {
  const SourceManager &sources = caller.context.getSourceManager();
  const Expr *found = nullptr;
  std::function<void(const Stmt *)> walk = [&](const Stmt *stmt) {
    if (!stmt) return;
    const auto *call = llvm::dyn_cast<CallExpr>(stmt);
    const auto *made = llvm::dyn_cast<CXXConstructExpr>(stmt);
    if (call || (made && !made->getType()->isArrayType())) { // of an array's elements it is called more than once
      const auto *ref = call ? call->getCallee()->IgnoreParenImpCasts() : made;
      const skeleton::Location at = locationOf(stmt->getBeginLoc(), sources);
      const FunctionDecl *named = functionNamedBy(ref);
      if (named && keyOf(named) == keyOf(callee) && at.line == where.line && at.column == where.column) found = ref;
    }
    for (const Stmt *child : partsOf(stmt)) walk(child);
  };
  walk(caller.function->getBody());
  return found;
}

std::string Instances::copyNameFor(const FunctionSource &source) const {
  std::string base = source.function->getNameAsString() + "_device";
  for (unsigned k = 1;; ++k) {
    std::string name = base + (k == 1 ? "" : std::to_string(k));
    bool isTaken = llvm::any_of(units, [&](const ProgramUnit &unit) { return textOf(unit).contains(name); });
    for (const auto &[key, instance] : instances) isTaken |= instance.copyName == name;
    if (!isTaken) return name;
  }
}

/// As `__typeof__(f) f_device;`: what its parameters' types are called where it is defined may mean nothing there.
static bool canBeDeclared(const FunctionDecl *function) {
  const DeclContext *scope = function->getDeclContext();
  if (llvm::any_of(function->parameters(),
                   [](const ParmVarDecl *formal) { return formal->hasDefaultArg(); })) // no part of its type
    return false;
  return scope->isTranslationUnit() && function->getLexicalDeclContext()->isTranslationUnit() &&
         !function->isInlined() &&
         !(function->getASTContext().getLangOpts().CPlusPlus &&
           (function->isExternC() || !scope->lookup(function->getDeclName()).isSingleResult()));
}

/// A copy would have statics of its own; an old definition's head is no prototype.
static std::string whyNotCopied(const FunctionSource &source) {
  if (!source.function->hasWrittenPrototype() && source.function->getNumParams() > 0)
    return "its parameters are declared behind its head (K&R)";
  std::string why;
  std::function<void(const Stmt *)> walk = [&](const Stmt *stmt) {
    if (const auto *declares = llvm::dyn_cast_or_null<DeclStmt>(stmt))
      for (const Decl *decl : declares->decls())
        if (const auto *variable = llvm::dyn_cast<VarDecl>(decl);
            variable && variable->isStaticLocal() && !variable->getType().isConstQualified())
          why = "it keeps " + variable->getNameAsString() + " from call to call";
    if (stmt)
      for (const Stmt *child : partsOf(stmt)) walk(child);
  };
  walk(source.function->getBody());
  return why;
}

/// Is that point in a lambda that a variable holds? What stands there does not run where it stands.
static bool isInStoredLambda(const FunctionSource &source, const Stmt *in, unsigned offset, bool isKept = false) {
  if (!in) return false;
  if (const auto *lambda = llvm::dyn_cast<LambdaExpr>(in)) {
    const Stmt *body = lambda->getBody();
    const bool isInside =
        source.offsetOf(body->getBeginLoc()) <= offset && offset < source.endOf(body->getSourceRange());
    return isInside && (isKept || isInStoredLambda(source, body, offset));
  }
  const auto *made = llvm::dyn_cast<CallExpr>(in);
  isKept = llvm::isa<DeclStmt>(in) ||
           (isKept && !(made && made->getType()->isArithmeticType())); // `double t = timed([&] { ... });`
  return llvm::any_of(partsOf(in), [&](const Stmt *part) { return isInStoredLambda(source, part, offset, isKept); });
}

/// Is there a call in a parallel region of this statement? isInside: it is in one.
static bool holdsCallInThreads(const Stmt *stmt, bool isInside = false) {
  if (!stmt) return false;
  if (isInside && llvm::isa<CallExpr, CXXConstructExpr>(stmt)) return true;
  const auto *directive = llvm::dyn_cast<OMPExecutableDirective>(stmt);
  isInside |= directive && isOpenMPParallelDirective(directive->getDirectiveKind()) && !isTargetConstruct(directive);
  return llvm::any_of(partsOf(stmt), [&](const Stmt *part) { return holdsCallInThreads(part, isInside); });
}

bool Instances::callsInThreads() {
  if (!threadsCall)
    threadsCall = llvm::any_of(units, [](const ProgramUnit &unit) {
      return llvm::any_of(unit.points, [](const auto &one) {
        return one.second.function && holdsCallInThreads(one.second.function->getBody());
      });
    });
  return *threadsCall;
}

llvm::Expected<Instance *> Instances::at(const projection::Root &root, unsigned path) {
  auto known = instances.find({root.name, path});
  if (known != instances.end()) return &known->second;
  const skeleton::CallPath &call = root.paths[path];
  llvm::Expected<const FunctionSource *> source = sourceOf(call.function);
  if (!source) return source.takeError();
  Instance made;
  made.unit = *unitOf(call.function);
  made.source = *source;
  made.points = &pointsOf(call.function);
  std::pair<std::string, unsigned> self{root.name, path};
  if (path == 0) {
    owners.try_emplace(call.function, self);
    if (owners.at(call.function) != self) return refuse(call.function + " is also part of another root's port");
    return &(instances[self] = std::move(made));
  }
  llvm::Expected<Instance *> caller = at(root, call.caller);
  if (!caller) return caller.takeError();
  const Expr *name = callIn(*(*caller)->source, (*source)->function, call.call);
  if (!name || name->getExprLoc().isMacroID())
    return refuse("the call of " + call.function + " is not found in the source");
  const auto isSameCall = [&](const skeleton::CallPath &other) {
    return other.caller == call.caller && other.call == call.call && other.function == call.function;
  };
  if (llvm::count_if(root.paths, isSameCall) > 1 &&
      isInStoredLambda(*(*caller)->source, (*caller)->source->function->getBody(),
                       (*caller)->source->offsetOf(name->getExprLoc())))
    return refuse("the call of " + call.function + " is in a lambda that is called from several places");
  bool isAlone =
      usesOf((*source)->function) == 1 && (*caller)->copyName.empty() && owners.try_emplace(call.function, self).second;
  if (!isAlone) {
    if (llvm::isa<CXXMethodDecl>((*source)->function))
      return refuse(call.function + " is a member function that other calls use as well");
    if (std::string why = whyNotCopied(**source); !why.empty())
      return refuse(call.function + " is called from several places, and " + why);
    made.isForOtherUnit = made.unit != (*caller)->unit;
    if (made.isForOtherUnit && !canBeDeclared(functionNamedBy(name)))
      return refuse(call.function +
                    " is called from several places, and cannot be declared by its type in another unit");
    made.copyName = copyNameFor(**source);
    (*caller)->edits.push_back({(*caller)->source->offsetOf(name->getExprLoc()),
                                unsigned((*source)->function->getName().size()), made.copyName});
    (*caller)->callees.push_back(root.name + '\0' + std::to_string(path));
    (*caller)->renamed.push_back(*source);
  }
  return &(instances[self] = std::move(made));
}

llvm::Expected<Place> Instances::place(const projection::Root &root, unsigned path, const skeleton::Location &location,
                                       bool after) {
  llvm::Expected<const FunctionSource *> source = sourceOf(root.paths[path].function);
  if (!source) return source.takeError();
  Place place{path, *source, &pointsOf(root.paths[path].function), (*source)->spotAt(location), after};
  if (!place.spot)
    return refuse(skeleton::toString(location) + " is in a function that is read where it is called, and " +
                  root.paths[path].function + " is what is written");
  if (std::optional<unsigned> offset = (*source)->offsetAt(location);
      offset && isInStoredLambda(**source, (*source)->function->getBody(), *offset))
    return refuse(skeleton::toString(location) + " is in a lambda that is called elsewhere");
  SourceLocation begin = place.spot->stmt->getBeginLoc();
  const SourceManager &sources = (*source)->context.getSourceManager();
  if (begin.isMacroID() && sources.isMacroBodyExpansion(begin) && !sources.isAtStartOfImmediateMacroExpansion(begin))
    return refuse("the statement at " + skeleton::toString(location) + " is a part of a macro");
  return place;
}

bool Instances::mayName(const std::set<std::string> &settings) const {
  return llvm::any_of(units, [&](const ProgramUnit &unit) {
    return unit.settings && !unit.isShared &&
           llvm::all_of(settings, [&](const std::string &name) { return unit.settings->numbers().count(name) != 0; });
  });
}

void Instances::declareBefore(const projection::Root &root, const std::string &line) {
  std::vector<std::string> &lines = declarations[root.paths.front().function];
  if (!llvm::is_contained(lines, line)) lines.push_back(line);
}

/// The first variable of a file that functions know by this name in the program, and for which it holds.
static const VarDecl *variableOfFile(llvm::ArrayRef<ProgramUnit> units, const std::string &name,
                                     llvm::function_ref<bool(const VarDecl &, const ProgramUnit &)> isIt) {
  for (const ProgramUnit &unit : units)
    for (const auto &[function, facts] : unit.points) {
      auto known = facts.variables.find(name);
      const auto *variable = known == facts.variables.end() ? nullptr : llvm::dyn_cast<VarDecl>(known->second);
      if (variable && variable->getTLSKind() == VarDecl::TLS_None && !variable->hasAttr<OMPThreadPrivateDeclAttr>() &&
          variable->getDeclContext()->getRedeclContext()->isTranslationUnit() && isIt(*variable, unit))
        return variable;
    }
  return nullptr;
}

const VarDecl *Instances::globalOf(const std::string &name) const {
  return variableOfFile(units, name, [&](const VarDecl &variable, const ProgramUnit &unit) {
    return unit.context->getAsConstantArrayType(variable.getType()) && variable.getName() == name &&
           variable.hasExternalFormalLinkage() &&
           unit.context->getBaseElementType(variable.getType())->isArithmeticType();
  });
}

const VarDecl *Instances::pointerOf(const std::string &name) const {
  return variableOfFile(
      units, name, [](const VarDecl &variable, const ProgramUnit &) { return variable.getType()->isPointerType(); });
}

/// The lines at one indentation; directives stand at the margin.
static std::string block(const std::vector<std::string> &lines, const std::string &indent) {
  std::string result;
  for (const std::string &text : lines) {
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(text).split(parts, '\n');
    bool continues = false;
    for (llvm::StringRef part : parts) {
      result += (part.starts_with("#") || continues ? "" : indent) + part.str() + "\n";
      continues = part.ends_with("\\");
    }
  }
  return result;
}

/// The changes before the spot, and those behind it.
void Instances::addSpot(const FunctionSource &source, const Spot &spot, const SpotText &text, std::vector<Edit> &edits,
                        bool isEnd) {
  const std::string own = source.indentAt(spot.begin);
  // A directive that goes may have stood at the margin; what is written in its place goes with the statement.
  const bool isUnderGone = llvm::any_of(
      edits, [&](const Edit &edit) { return edit.offset == spot.begin && edit.length > 0 && edit.text.empty(); });
  const std::string indent =
      isUnderGone ? source.indentAt(source.offsetOf(withoutDirective(spot.stmt)->getBeginLoc())) : own;
  const std::vector<std::string> before = text.before(), after = text.after();
  bool isEmpty = before.empty() && after.empty();
  bool needsBraces = !spot.inBlock && !isEmpty, isFirst = source.isFirstOnLine(spot.begin);
  if (!isEnd) {
    if (before.empty() && !needsBraces) return;
    // What follows the inserted lines is the statement, at its own indentation.
    std::string lines = (needsBraces ? "{\n" : isFirst ? "" : "\n") + block(before, indent) + own;
    if (isFirst && !needsBraces)
      lines = llvm::StringRef(lines).substr(llvm::StringRef(lines).starts_with(own) ? own.size() : 0).str();
    // A directive must begin its line: the blanks before the statement end the line before.
    if (isFirst && !needsBraces && lines.starts_with("#"))
      edits.push_back({unsigned(spot.begin - own.size()), 0, block(before, indent)});
    else edits.push_back({spot.begin, 0, lines});
    return;
  }
  llvm::StringRef rest = llvm::StringRef(source.text).substr(spot.end);
  rest = rest.take_until([](char c) { return c == '\n'; }).ltrim();
  // A loop that has a line of its own now, with the next statement behind it, would look as if it held that, too.
  if (after.empty() && !needsBraces && !before.empty() && !isFirst && !rest.empty() && !rest.starts_with("//") &&
      !rest.starts_with("}"))
    edits.push_back({spot.end, 0, "\n" + indent});
  if (!after.empty() || needsBraces) {
    // What else stands on the line would become a part of a directive.
    std::string close = needsBraces ? "\n" + indent + "}" : rest.empty() || rest.starts_with("//") ? "" : "\n" + indent;
    edits.push_back({spot.end, 0, "\n" + llvm::StringRef(block(after, indent)).rtrim("\n").str() + close});
  }
  if (!text.atBlockEnd.empty()) {
    std::string lines = block(text.atBlockEnd, indent);
    bool isBraceFirst = source.isFirstOnLine(spot.blockEnd);
    unsigned at = isBraceFirst ? spot.blockEnd - source.indentAt(spot.blockEnd).size() : spot.blockEnd;
    edits.push_back({at, 0, (isBraceFirst ? "" : "\n") + lines});
  }
}

/// What a function's head stands before: a semicolon or its body.
enum class Head { Prototype, Definition };

/// `static void step(double *u, int n)`: the head of a definition, up to its body. Default arguments are said in
/// the prototype, and only there: also those that another declaration of the original says.
static std::string headOf(const FunctionSource &source, const std::string &name, bool isStatic, Head kind) {
  const FunctionDecl *function = source.function;
  unsigned body = source.offsetOf(function->getBody()->getBeginLoc()), at = source.offsetOf(function->getLocation());
  std::vector<Edit> edits = {{at, unsigned(function->getName().size()), name}};
  for (const ParmVarDecl *formal : function->parameters()) {
    if (!formal->hasDefaultArg() || formal->hasUnparsedDefaultArg() || formal->hasUninstantiatedDefaultArg()) continue;
    const SourceRange value = formal->getDefaultArgRange();
    if (kind == Head::Prototype && formal->hasInheritedDefaultArg()) {
      const SourceManager &sources = source.context.getSourceManager();
      const auto said = Lexer::getSourceText(sources.getExpansionRange(value), sources, source.context.getLangOpts());
      // Behind the name, or what of the type stands behind that: `double by[3]`.
      const unsigned behind = std::max(source.endOf(formal->getTypeSourceInfo()->getTypeLoc().getEndLoc()),
                                       source.endOf(formal->getLocation()));
      edits.push_back({behind, 0, " = " + said.str()});
    } else if (kind == Head::Definition && !formal->hasInheritedDefaultArg()) {
      const unsigned from = unsigned(source.text.take_front(source.offsetOf(value.getBegin())).rfind('='));
      edits.push_back({from, source.endOf(value) - from, ""});
    }
  }
  std::string head = apply(source.text, inOrder(edits), source.begin, body);
  if (isStatic && function->getStorageClass() != SC_Static)
    head = "static " + (llvm::StringRef(head).starts_with("extern ") ? head.substr(7) : head);
  return llvm::StringRef(head).rtrim().str();
}

std::string Instances::prototypeOf(const Instance &caller, const Instance &copy) const {
  if (caller.unit == copy.unit) return headOf(*copy.source, copy.copyName, true, Head::Prototype) + ";\n";
  return "__typeof__(" + copy.source->function->getNameAsString() + ") " + copy.copyName + ";\n";
}

/// The variables of the ports, where the changes mention them.
std::vector<std::vector<Edit>> Instances::declarationsFor(llvm::ArrayRef<std::vector<Edit>> changes) const {
  std::vector<std::vector<Edit>> result(units.size());
  for (const auto &[root, lines] : declarations) {
    // Functions that the root calls use them too, and may stand before it. In a class they would be its members; what
    // several files use is in no file's namespace.
    std::vector<unsigned> begins(units.size(), ~0u), shared(units.size(), ~0u);
    for (const auto &[key, instance] : instances)
      if (key.first == root) {
        begins[instance.unit] = std::min(begins[instance.unit], instance.source->beginOutsideClasses);
        shared[instance.unit] = std::min(shared[instance.unit], instance.source->beginOutsideNamespaces);
      }
    std::vector<std::string> texts(units.size()), sharedTexts(units.size());
    for (llvm::StringRef line : lines) {
      bool isExtern = line.starts_with("extern ");
      llvm::StringRef name = line.drop_back(1).split('[').first;
      name = name.drop_front(name.find_last_of(" *") + 1);
      auto mentions = [&](size_t unit) {
        return llvm::any_of(units[unit].points,
                            [&](const auto &facts) { return facts.second.variables.count(name.str()) != 0; });
      };
      std::vector<size_t> users;
      for (size_t unit = 0; unit < units.size(); ++unit)
        if (begins[unit] != ~0u && !(isExtern && mentions(unit)) &&
            llvm::any_of(changes[unit], [&](const Edit &edit) { return llvm::StringRef(edit.text).contains(name); }))
          users.push_back(unit);
      for (size_t unit : users) {
        line.consume_front("static ");
        // A class that the program makes may be known only further down.
        const bool isPlain =
            llvm::is_contained({"int", "long", "double", "float", "char", "unsigned", "signed", "short", "bool"},
                               line.take_until([](char c) { return c == ' '; }));
        (users.size() > 1 || isExtern || isPlain ? sharedTexts : texts)[unit] += (isExtern                ? ""
                                                                                  : users.size() == 1     ? "static "
                                                                                  : unit == users.front() ? ""
                                                                                                          : "extern ") +
                                                                                 line.str() + "\n";
      }
    }
    for (size_t unit = 0; unit < units.size(); ++unit) {
      if (!sharedTexts[unit].empty()) result[unit].push_back({shared[unit], 0, sharedTexts[unit] + "\n"});
      if (!texts[unit].empty()) result[unit].push_back({begins[unit], 0, texts[unit] + "\n"});
    }
  }
  return result;
}

std::vector<std::vector<Edit>> Instances::edits() const {
  std::vector<std::vector<Edit>> all(units.size());
  const Clones clones = fewestClones();
  auto isChangedInPlace = [&](const Instance &instance) {
    return instance.copyName.empty() || clones.inPlace.count(&instance);
  };
  // In the order of the text: a copy is declared once in a namespace, in front of its first caller.
  std::vector<const Instance *> inText;
  for (const auto &[key, instance] : instances)
    if (!clones.sameAs.count(&instance)) inText.push_back(&instance);
  auto placeOf = [&](const Instance *one) {
    return std::pair(one->unit, isChangedInPlace(*one) ? one->source->beginOutsideClasses : one->source->end);
  };
  llvm::stable_sort(inText, [&](const Instance *a, const Instance *b) { return placeOf(a) < placeOf(b); });
  std::set<std::tuple<const Instance *, size_t, const DeclContext *>> isDeclared;
  for (const Instance *each : inText) {
    const Instance &instance = *each;
    const bool isInPlace = isChangedInPlace(instance);
    std::vector<Edit> own = changesOf(instance, clones);
    if (!isInPlace) {
      llvm::append_range(own, withoutTargets(*instance.source));
      auto inUnit = ends.find(instance.unit);
      if (inUnit != ends.end())
        for (const auto &[offset, edit] : inUnit->second)
          if (instance.source->begin <= offset && offset < instance.source->end) own.push_back(edit);
    }
    std::set<std::string> prototypes;
    for (const std::string &callee : instance.callees) {
      const Instance *copy = &clones.shown(calleeOf(callee));
      // It stands behind its original, which is in front of the caller; default arguments are said in a prototype.
      const bool isInFront = copy->unit == instance.unit && copy->source->end <= instance.source->begin &&
                             llvm::none_of(copy->source->function->parameters(),
                                           [](const ParmVarDecl *one) { return one->hasDefaultArg(); });
      const DeclContext *scope = instance.source->function->getEnclosingNamespaceContext()->getPrimaryContext();
      if (!clones.inPlace.count(copy) && !isInFront && isDeclared.insert({copy, instance.unit, scope}).second)
        prototypes.insert(prototypeOf(instance, *copy));
    }
    const std::string declared = llvm::join(prototypes, "");
    if (isInPlace) {
      if (!declared.empty()) all[instance.unit].push_back({instance.source->beginOutsideClasses, 0, declared + "\n"});
      all[instance.unit].insert(all[instance.unit].end(), own.begin(), own.end());
      continue;
    }
    const FunctionSource &source = *instance.source;
    unsigned body = source.offsetOf(source.function->getBody()->getBeginLoc());
    std::string text = "\n\n" + declared + source.indentAt(source.begin) +
                       headOf(source, instance.copyName, !instance.isForOtherUnit, Head::Definition) + " " +
                       apply(source.text, inOrder(own), body, source.end);
    all[instance.unit].push_back({source.end, 0, text});
  }
  std::vector<std::vector<Edit>> result = declarationsFor(all);
  for (size_t unit = 0; unit < units.size(); ++unit) {
    result[unit].insert(result[unit].end(), all[unit].begin(), all[unit].end());
    for (const auto &[name, facts] : units[unit].points)
      if (facts.function && !instances.empty() && !units[unit].isShared)
        llvm::append_range(result[unit], withoutTargets(FunctionSource(facts.function, *units[unit].context)));
    auto inUnit = ends.find(unit);
    if (inUnit != ends.end() && !instances.empty())
      for (const auto &[offset, edit] : inUnit->second) result[unit].push_back(edit);
    for (Edit &mark : markUnused(unit, clones)) result[unit].push_back(std::move(mark));
    for (const VarDecl *array : movedGlobals)
      if (&array->getASTContext() == units[unit].context)
        for (Edit &edit : port::moveGlobal(array, *units[unit].context)) result[unit].push_back(std::move(edit));
    result[unit] = inOrder(std::move(result[unit]));
  }
  return result;
}

void Instances::endAt(size_t unit, Edit edit) { ends[unit].try_emplace(edit.offset, std::move(edit)); }

void Instances::moveGlobal(const VarDecl *array) { movedGlobals.insert(array->getCanonicalDecl()); }

} // namespace busfare::frontend::port
