//===- clang-plugin/port/Names.cpp - What a plan's names are called here -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Names.h"
#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/Settings.h"
#include "clang-plugin/port/Containers.h"
#include "clang-plugin/walk/Places.h"
#include "projection/Describe.h"
#include "clang/AST/Attr.h"
#include "clang/AST/CXXInheritance.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

PointFacts Names::factsAt(const Place &place) const {
  auto find = [](const auto &facts, const clang::Stmt *stmt) -> const PointFacts * {
    auto found = facts.find(stmt);
    return found == facts.end() ? nullptr : &found->second;
  };
  const PointFacts *facts = nullptr;
  for (const clang::Stmt *stmt : {place.spot->stmt, withoutDirective(place.spot->stmt)}) {
    if (!facts) facts = find(place.after ? place.points->after : place.points->before, stmt);
    if (!facts && place.after && place.spot->next) facts = find(place.points->before, place.spot->next->stmt);
  }
  return facts ? *facts : PointFacts();
}

/// How code outside its namespace or class has to call it: `sea::height`, `buffer<double>`.
static std::string nameOf(const clang::ValueDecl *variable) {
  std::string name;
  llvm::raw_string_ostream out(name);
  clang::PrintingPolicy policy = variable->getASTContext().getPrintingPolicy();
  policy.SuppressUnwrittenScope = true;
  const auto *declared = llvm::dyn_cast<clang::VarDecl>(variable);
  bool isLocal = !declared || !declared->hasGlobalStorage() || declared->isStaticLocal();
  variable->getNameForDiagnostic(out, policy, !isLocal);
  return name;
}

/// Behind a declaration what it declares is in scope as well.
static std::vector<const clang::VarDecl *> visibleAt(const Place &place) {
  std::vector<const clang::VarDecl *> visible = place.spot->visible;
  if (const auto *declares = place.after ? llvm::dyn_cast<clang::DeclStmt>(place.spot->stmt) : nullptr)
    for (const clang::Decl *decl : declares->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) visible.push_back(variable);
  return visible;
}

bool Names::isVisible(const clang::ValueDecl *variable, const Place &place) const {
  const auto *declared = llvm::dyn_cast<clang::VarDecl>(variable);
  if (!declared) return false;
  const std::vector<const clang::VarDecl *> visible = visibleAt(place);
  if (declared->isStaticDataMember() &&
      declared->getAccess() != clang::AS_public) { // only methods of its class may name it
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(place.source->function);
    if (!method || method->getParent()->getCanonicalDecl() !=
                       llvm::cast<clang::Decl>(declared->getDeclContext())->getCanonicalDecl())
      return false;
  }
  if (declared->hasGlobalStorage() && !declared->isStaticLocal())
    return nameOf(declared) != declared->getName() ||
           llvm::none_of(visible, [&](const clang::VarDecl *other) { return other->getName() == declared->getName(); });
  auto isSame = [&](const clang::VarDecl *other) { return other->getCanonicalDecl() == declared->getCanonicalDecl(); };
  auto found = llvm::find_if(visible, isSame);
  if (found == visible.end()) return false;
  // Another of the same name may hide it.
  return std::none_of(std::next(found), visible.end(),
                      [&](const clang::VarDecl *other) { return other->getName() == declared->getName(); });
}

/// A step of a path like `g->sizes.nx`: the field, and the class that it is named in, which may have it from a base.
struct FieldStep {
  const clang::FieldDecl *field;
  const clang::RecordDecl *in;
};

/// The fields that a key like `g->sizes.nx` goes through, as far as they are known.
static std::vector<FieldStep> fieldsOf(const std::string &key, const Place &place) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::SplitString(key, parts, "->.");
  std::vector<FieldStep> fields;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(place.source->function);
  auto owner = parts.empty() ? place.points->variables.end() : place.points->variables.find(parts.front().str());
  clang::QualType type;
  if (owner != place.points->variables.end()) type = owner->second->getType().getNonReferenceType();
  else if (method && method->isInstance() && !parts.empty() && parts.front() == "this") type = method->getThisType();
  for (size_t k = 1; k < parts.size() && !type.isNull(); ++k) {
    if (type->isPointerType()) type = type->getPointeeType();
    const clang::RecordDecl *record = type->getAsRecordDecl();
    type = {};
    const clang::FieldDecl *field =
        record && record->getDefinition() ? fieldNamed(record->getDefinition(), parts[k]) : nullptr;
    if (!field) break;
    fields.push_back({field, record->getDefinition()});
    type = field->getType().getNonReferenceType();
  }
  return fields;
}

/// May code of this function name the field? What a class keeps for itself its own methods may; what it keeps for its
/// heirs, those too, of their own object; and what it has from a base, if it does not hide that.
static bool mayName(const FieldStep &step, const clang::FunctionDecl *function, bool isOfThis) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const clang::CXXRecordDecl *own = method ? method->getParent() : nullptr;
  const auto *holder = llvm::dyn_cast<clang::CXXRecordDecl>(step.field->getParent()),
             *in = llvm::dyn_cast<clang::CXXRecordDecl>(step.in);
  if (!holder || !in) return true; // C
  const bool isOwn = own && own->getCanonicalDecl() == holder->getCanonicalDecl();
  const clang::AccessSpecifier access = step.field->getAccess();
  const bool isOpen = access == clang::AS_public || access == clang::AS_none;
  const bool isHeirs = isOfThis && access == clang::AS_protected && own && own->isDerivedFrom(holder);
  if (!isOpen && !isOwn && !isHeirs) return false;
  if (isOwn || isHeirs || holder->getCanonicalDecl() == in->getCanonicalDecl() ||
      (own && own->getCanonicalDecl() == in->getCanonicalDecl()))
    return true;
  clang::CXXBasePaths paths;
  return in->isDerivedFrom(holder, paths) && llvm::all_of(paths.front(), [](const clang::CXXBasePathElement &element) {
           return element.Base->getAccessSpecifier() == clang::AS_public;
         });
}

static clang::QualType typeOf(const std::string &key, const Place &place) {
  auto found = place.points->variables.find(key);
  if (found != place.points->variables.end()) return found->second->getType().getNonReferenceType();
  std::vector<FieldStep> fields = fieldsOf(key, place);
  return fields.empty() ? clang::QualType() : fields.back().field->getType().getNonReferenceType();
}

static bool saysItsSize(clang::QualType type) {
  const auto *record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition()) return false;
  clang::ASTContext &context = record->getASTContext();
  return !record->lookup(&context.Idents.get("size")).empty();
}

/// A variable that is in scope, a field of one, or a container's size.
bool Names::isUsable(const std::string &key, const Place &place) const {
  if (llvm::StringRef container = key; container.consume_back(sizeSuffix))
    return saysItsSize(typeOf(container.str(), place)) && isUsable(container.str(), place);
  auto found = place.points->variables.find(key);
  if (found != place.points->variables.end())
    return isVisible(found->second, place) && !found->second->hasAttr<clang::OMPThreadPrivateDeclAttr>();
  // `g->nx`: the base must be a parameter or variable in scope.
  llvm::StringRef base = llvm::StringRef(key).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  llvm::StringRef rest = llvm::StringRef(key).substr(base.size());
  if (base.empty() || !(rest.starts_with("->") || rest.starts_with("."))) return false;
  if (llvm::any_of(rest, [](char c) { return !llvm::isAlnum(c) && c != '_' && c != '.' && c != '-' && c != '>'; }) ||
      (rest.size() > 1 && rest[0] == '.' && llvm::isDigit(rest[1])))
    return false;
  std::vector<FieldStep> fields = fieldsOf(key, place);
  for (size_t k = 0; k < fields.size(); ++k)
    if (!mayName(fields[k], place.source->function, base == "this" && k == 0)) return false;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(place.source->function);
  if (base == "this") return method && method->isInstance() && !method->getParent()->isLambda();
  auto owner = place.points->variables.find(base.str());
  return owner != place.points->variables.end() && isVisible(owner->second, place);
}

static std::string spelled(const std::string &key, const Place &place) {
  if (llvm::StringRef container = key; container.consume_back(sizeSuffix))
    return spelled(container.str(), place) + sizeSuffix.str();
  auto found = place.points->variables.find(key);
  return found == place.points->variables.end() ? key : nameOf(found->second);
}

/// As an operand of a formula, whose numbers may be negative.
static std::string signedText(const std::string &key, const Place &place) {
  clang::QualType type = typeOf(key, place);
  bool isUnsigned = llvm::StringRef(key).ends_with(sizeSuffix) ||
                    (!type.isNull() && type->isUnsignedIntegerOrEnumerationType() && !type->isBooleanType());
  return (isUnsigned ? "(long)" : "") + spelled(key, place);
}

bool Names::isKeptFor(const KeptSize &size, const Place &place) const {
  if (auto from = size.from.find(place.path);
      from != size.from.end() && (place.after ? place.spot->end : place.spot->begin) >= from->second)
    return true;
  unsigned path = place.path;
  while (path != 0 && !size.paths.count(path)) path = root.paths[path].caller;
  return size.paths.count(path) != 0;
}

/// The shortest that holds the value, or one so much away from it; the one of that name if there is one.
std::string Names::holding(const Expr &wanted, const Place &place, const PointFacts &facts) const {
  std::string best;
  const std::optional<std::string> symbol = wanted.asSymbol();
  for (const auto &[key, value] : facts.integers) {
    Expr flat = value.substitute(path(place).symbols);
    if (flat.isPoisoned() || (symbol && !flat.mentions(*symbol)) || !isUsable(key, place)) continue;
    std::optional<int64_t> distance = (flat - wanted).constant();
    if (!distance) continue;
    std::string name = signedText(key, place);
    std::string text = *distance == 0
                           ? name
                           : "(" + name + (*distance > 0 ? " - " : " + ") + std::to_string(std::abs(*distance)) + ")";
    if (key == symbol && *distance == 0) return text;
    if (best.empty() || text.size() < best.size()) best = text;
  }
  return best;
}

std::string Names::holding(const Expr &wanted, const Place &place) const {
  return holding(wanted, place, factsAt(place));
}

/// The parameters of the function that hold exactly this, in their order.
std::vector<std::string> Names::formalsThatHold(const Expr &wanted, const Place &place, const PointFacts &facts) const {
  std::vector<std::string> found;
  for (const clang::ParmVarDecl *formal : place.source->function->parameters()) {
    const std::string key = keyOf(formal, place);
    auto value = facts.integers.find(key);
    if (value != facts.integers.end() && isUsable(key, place) &&
        value->second.substitute(path(place).symbols) == wanted)
      found.push_back(signedText(key, place));
  }
  return found;
}

/// A macro that a build may set has been defined in front of the function.
static bool isDefinedAt(const std::string &setting, const Place &place) {
  const Settings *settings = place.source->settings;
  auto found = settings ? settings->numbers().find(setting) : std::map<std::string, NamedNumber>::const_iterator();
  return settings && found != settings->numbers().end() &&
         place.source->context.getSourceManager().isBeforeInTranslationUnit(found->second.defined,
                                                                            place.source->function->getBeginLoc());
}

/// Of a setting, whose parameter says more than the macro: `row * col`.
bool Names::spellSetting(const std::string &symbol, const Place &place, const PointFacts &facts,
                         SymbolTexts &texts) const {
  std::vector<std::string> formals = formalsThatHold(Expr::symbol(symbol), place, facts);
  if (formals.empty() && !isDefinedAt(symbol, place)) return false;
  texts[symbol] = formals.empty() ? symbol : formals.front();
  if (formals.size() > 1) texts.further[symbol] = {formals.begin() + 1, formals.end()};
  return true;
}

std::optional<SymbolTexts> Names::sizes(const Expr &expr, const Place &place) const {
  if (expr.isPoisoned()) return std::nullopt;
  SymbolTexts texts;
  PointFacts facts = factsAt(place);
  for (const std::string &symbol : expr.symbols()) {
    auto constant = llvm::find_if(program.constants, [&](const Constant &c) { return c.symbol == symbol; });
    if (constant != program.constants.end() && constant->isSetting) {
      if (spellSetting(symbol, place, facts, texts)) continue;
    } else if (constant != program.constants.end()) {
      texts[symbol] = std::to_string(constant->value);
      continue;
    }
    std::string best = holding(Expr::symbol(symbol), place, facts);
    if (best.empty()) {
      auto found = kept.find(symbol);
      if (found == kept.end() || !isKeptFor(found->second, place)) return std::nullopt;
      best = found->second.name;
    }
    texts[symbol] = best;
  }
  return texts;
}

std::string Names::lacking(const Expr &expr, const Place &place) const {
  if (!expr.isPoisoned())
    for (const std::string &symbol : expr.symbols())
      if (!sizes(Expr::symbol(symbol), place)) return " (it depends on " + projection::withoutPaths(symbol) + ")";
  return {};
}

const Array *Names::declared(const std::string &object, const Place &place) const {
  const Function *function = findFunction(program, path(place).function);
  return function ? findArray(program, *function, object) : nullptr;
}

static Expr extentOf(const clang::ConstantArrayType *type, const FunctionSource &source) {
  const std::optional<Expr> named =
      source.settings ? source.settings->extentOf(clang::QualType(type, 0)) : std::nullopt;
  const bool isOverSymbols =
      named && llvm::all_of(named->symbols(), [&](const std::string &name) { return source.symbols.count(name) != 0; });
  return isOverSymbols ? *named : Expr(type->getSize().getSExtValue());
}

/// `double (*u)[20][30]` points to all of an array of that shape.
static bool isAllOf(clang::QualType type, llvm::ArrayRef<std::optional<Expr>> extents, const FunctionSource &source) {
  for (const std::optional<Expr> &extent : extents) {
    const auto *own = source.context.getAsConstantArrayType(type);
    if (!own || extent != extentOf(own, source)) return false;
    type = own->getElementType();
  }
  return true;
}

/// `double (*u)[n][m]` points to all of an array too, but what n and m are the type does not say: the address of its
/// first element is its name then.
static std::string firstElementOf(const ArrayName &name) {
  std::string text = "(&(*" + name.text + ")";
  for (const auto *own = name.type->getPointeeType()->getAsArrayTypeUnsafe(); own;
       own = own->getElementType()->getAsArrayTypeUnsafe())
    text += "[0]";
  return text + ")";
}

/// The shape of what the pointer leads to, if that has exactly as many elements as an array that the skeleton has flat
/// (`double (*u)[20][30] = malloc(20 * 30 * 8)`); empty: it has not.
static std::vector<Expr> shapeOfAll(clang::QualType type, llvm::ArrayRef<std::optional<Expr>> extents,
                                    const FunctionSource &source) {
  if (extents.size() != 1 || !extents.front()) return {};
  std::vector<Expr> shape;
  Expr elements = 1;
  for (const auto *own = source.context.getAsConstantArrayType(type); own;
       own = source.context.getAsConstantArrayType(own->getElementType())) {
    shape.push_back(extentOf(own, source));
    elements = elements * shape.back();
    type = own->getElementType();
  }
  return type->isArrayType() || elements != *extents.front() ? std::vector<Expr>() : shape;
}

std::optional<std::pair<std::string, ArrayName>>
Names::resolve(const std::string &key, const PointedAt &at, const Place &place, const clang::ValueDecl *global) const {
  const Array *array = declared(at.object, place);
  if (!array || array->storage == Storage::Alias || array->extents.size() != at.index.size()) return std::nullopt;
  Binding binding{at.object, Expr(0), array->extents};
  auto bound = path(place).arrays.find(at.object);
  if (bound != path(place).arrays.end()) binding = bound->second;
  else if (place.path != 0 || !findArray(program, root.function, at.object))
    if (array->storage != Storage::Global) return std::nullopt;
  const Array *flat = findArray(program, root.function, binding.array);
  if (!binding.offset || !binding.row.empty() || !flat || flat->storage == Storage::Alias) return std::nullopt;
  // The front end's own shape, in the root's symbols.
  std::vector<std::optional<Expr>> extents;
  for (const std::optional<Expr> &extent : array->extents)
    extents.push_back(extent ? std::optional<Expr>(extent->substitute(path(place).symbols)) : std::nullopt);
  Expr linear = *binding.offset, pitch = 1;
  for (size_t d = at.index.size(); d-- > 0;) {
    if (!at.index[d]) return std::nullopt;
    linear = linear + at.index[d]->substitute(path(place).symbols) * pitch;
    if (d > 0) {
      if (!extents[d]) return std::nullopt;
      pitch = pitch * *extents[d];
    }
  }
  if (linear.isPoisoned()) return std::nullopt;
  ArrayName name;
  name.text = spelled(key, place);
  name.offset = linear;
  auto variable = place.points->variables.find(key);
  name.variable = variable != place.points->variables.end() ? variable->second : global;
  const std::vector<FieldStep> fields = name.variable ? std::vector<FieldStep>() : fieldsOf(key, place);
  name.decl = name.variable ? name.variable : fields.empty() ? nullptr : fields.back().field;
  if (name.decl) {
    name.type = name.decl->getType().getNonReferenceType();
    if (std::optional<ContainerMemory> memory = memoryOf(name.type)) {
      name.text += "." + memory->call;
      name.type = memory->pointer;
      name.variable = nullptr;
      name.isComputed = true;
    }
    // Dimensions of what it points to.
    clang::QualType pointee = name.type->isPointerType() ? name.type->getPointeeType() : name.type;
    if (const auto *own = pointee->getAsArrayTypeUnsafe(); own && !name.type->isPointerType())
      pointee = own->getElementType();
    size_t dimensions = 0;
    for (const auto *inner = pointee->getAsArrayTypeUnsafe(); inner;
         inner = inner->getElementType()->getAsArrayTypeUnsafe())
      ++dimensions;
    if (dimensions > extents.size() ||
        (dimensions == extents.size() && dimensions > 0 && !isAllOf(pointee, extents, *place.source))) {
      if (!name.type->isPointerType()) return std::nullopt;
      clang::ASTContext &context = name.decl->getASTContext();
      name.row = shapeOfAll(pointee, extents, *place.source);
      if (name.row.empty() &&
          !(dimensions == extents.size() && name.variable && context.getAsVariableArrayType(pointee)))
        return std::nullopt;
      if (name.row.empty()) {
        name.text = firstElementOf(name);
        name.type = context.getPointerType(context.getBaseElementType(pointee));
        name.variable = nullptr;
        name.isComputed = name.hasWholeRows = true;
      }
      return std::make_pair(binding.array, name);
    }
    for (size_t d = extents.size() - dimensions; d < extents.size(); ++d) {
      if (!extents[d]) return std::nullopt;
      name.row.push_back(*extents[d]);
    }
  }
  return std::make_pair(binding.array, name);
}

/// Can memory be mapped and copied through the variable, element by element? Not through a container, a pointer to
/// elements of another size, nor elements that only their class can copy.
static bool reachesElements(const ArrayName &name, const Array &array) {
  if (!name.decl) return true;
  clang::QualType type = name.type;
  if (!type->isPointerType() && !type->isArrayType()) return false;
  if (type->isPointerType()) type = type->getPointeeType();
  while (const auto *own = type->getAsArrayTypeUnsafe()) type = own->getElementType();
  return !type->isIncompleteType() && !type->isDependentType() &&
         type.isTriviallyCopyableType(name.decl->getASTContext()) &&
         uint64_t(name.decl->getASTContext().getTypeSizeInChars(type).getQuantity()) == array.type.bytes;
}

std::optional<std::pair<std::string, ArrayName>> Names::arrayOf(const clang::ValueDecl *variable,
                                                                const Place &place) const {
  PointFacts facts = factsAt(place);
  std::optional<std::pair<std::string, ArrayName>> found;
  for (const auto &[key, decl] : place.points->variables) {
    if (decl->getCanonicalDecl() != variable->getCanonicalDecl()) continue;
    auto pointer = facts.pointers.find(key);
    const Array *array = decl->getType()->isArrayType() ? declared(key, place) : nullptr;
    if (pointer != facts.pointers.end()) found = resolve(key, pointer->second, place);
    else if (array)
      found = resolve(key, {key, std::vector<std::optional<Expr>>(array->extents.size(), Expr(0))}, place);
    else continue;
    break;
  }
  const Array *own = found ? findArray(program, root.function, found->first) : nullptr;
  if (!own || !reachesElements(found->second, *own)) return std::nullopt;
  return found;
}

std::optional<std::pair<std::string, ArrayName>> Names::arrayOfField(const std::string &key, const Place &place) const {
  PointFacts facts = factsAt(place);
  auto pointer = facts.pointers.find(key);
  const Array *array = declared(key, place);
  std::optional<std::pair<std::string, ArrayName>> found;
  if (pointer != facts.pointers.end()) found = resolve(key, pointer->second, place);
  else if (array && array->extents.size() == 1) found = resolve(key, {key, {Expr(0)}}, place);
  const Array *own = found ? findArray(program, root.function, found->first) : nullptr;
  return own && reachesElements(found->second, *own) ? found : std::nullopt;
}

/// Is the pointer declared in front of the place, in its file?
static bool isAhead(const clang::VarDecl *pointer, const Place &place) {
  clang::ASTContext &context = place.source->function->getASTContext();
  return &pointer->getASTContext() == &context &&
         context.getSourceManager().isBeforeInTranslationUnit(pointer->getFirstDecl()->getLocation(),
                                                              place.source->function->getBeginLoc());
}

std::vector<ArrayName> Names::namesOf(const std::string &array, const Place &place) const {
  std::vector<ArrayName> names;
  auto consider = [&](const std::string &key, const PointedAt &at) {
    if (!isUsable(key, place)) return;
    auto found = resolve(key, at, place);
    const Array *own = found && found->first == array ? findArray(program, root.function, array) : nullptr;
    if (own && reachesElements(found->second, *own)) names.push_back(found->second);
  };
  PointFacts facts = factsAt(place);
  for (const auto &[key, at] : facts.pointers) consider(key, at);
  for (const auto &[key, decl] : place.points->variables)
    if (decl->getType()->isArrayType())
      if (const Array *own = declared(key, place))
        consider(key, {key, std::vector<std::optional<Expr>>(own->extents.size(), Expr(0))});
  auto global = declaredGlobals.find(array);
  const bool isNamed = names.empty() && global != declaredGlobals.end() &&
                       (!global->second->getType()->isPointerType() || isAhead(global->second, place));
  const Array *own = isNamed ? declared(array, place) : nullptr;
  if (own && llvm::none_of(visibleAt(place), [&](const clang::VarDecl *one) { return one->getName() == array; }))
    if (auto found = resolve(array, {array, std::vector<std::optional<Expr>>(own->extents.size(), Expr(0))}, place,
                             global->second);
        found && found->first == array)
      names.push_back(found->second);
  auto rank = [](const ArrayName &name) {
    return std::make_tuple(!name.offset.isZero(), !name.variable, name.text.size());
  };
  llvm::stable_sort(names, [&](const ArrayName &a, const ArrayName &b) { return rank(a) < rank(b); });
  return names;
}

/// What the function's skeleton calls it; empty if it has no name there.
std::string Names::keyOf(const clang::ValueDecl *variable, const Place &place) const {
  for (const auto &[key, decl] : place.points->variables)
    if (decl->getCanonicalDecl() == variable->getCanonicalDecl()) return key;
  return {};
}

std::string Names::flatName(const std::string &key, const Place &place) const {
  auto bound = path(place).arrays.find(key);
  return bound == path(place).arrays.end() ? key : bound->second.array;
}

std::string Names::flatName(const clang::ValueDecl *variable, const Place &place) const {
  return flatName(keyOf(variable, place), place);
}

std::string Names::flatName(const clang::ValueDecl *owner, const clang::FieldDecl *field, const Place &place) const {
  std::string key = keyOf(owner, place);
  return key.empty() ? key : flatName(key + "." + field->getNameAsString(), place);
}

} // namespace busfare::frontend::port
