//===- clang-plugin/port/Kernel.cpp - A loop as a target region -----------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Kernel.h"
#include "clang-plugin/AstQueries.h"
#include "clang-plugin/HostOnly.h"
#include "clang-plugin/Types.h"
#include "clang-plugin/port/Containers.h"
#include "clang-plugin/port/DeviceCalls.h"
#include "clang-plugin/port/DevicePart.h"
#include "clang-plugin/port/Ends.h"
#include "clang-plugin/port/LoopForm.h"
#include "clang-plugin/port/MapItem.h"
#include "clang-plugin/port/OwnTargets.h"
#include "clang-plugin/port/StructSums.h"
#include "clang/Basic/SourceManager.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace busfare::frontend::port {
using namespace clang;

static llvm::Error refuse(const llvm::Twine &why) { return llvm::createStringError(llvm::inconvertibleErrorCode(), why.str()); }

namespace {

/// Sorts what the loop's text mentions into clauses.
class KernelWriter {
public:
  explicit KernelWriter(const KernelQuestion &q) : q(q), source(*q.place.source) {}
  llvm::Expected<KernelText> write();

private:
  const KernelQuestion &q;
  const FunctionSource &source;
  KernelText text;
  std::vector<const Stmt *> body; ///< What becomes the target region: the loop, or statements that one thread runs.
  const ForStmt *loop = nullptr;  ///< Null: one thread.
  std::vector<CanonicalLoop> space; ///< The loops that are collapsed, outermost first.
  std::set<const ValueDecl *> mentioned, inside, written, innerIndices;
  std::map<const ValueDecl *, int> otherUses; ///< Mentions, less those that only read the value.
  std::vector<const MemberExpr *> fields;
  std::vector<ContainerUse> containers;
  std::set<const FunctionDecl *> called;
  std::vector<EndingCall> endings; ///< Calls in the loop that end the program.
  std::vector<std::string> maps, untouched, privates, lastprivates, firstprivates, scalarMaps;
  std::map<std::string, std::vector<std::string>> reductions; ///< By operator.
  std::map<std::string, std::string> hoisted;                 ///< Field text -> variable.
  std::string why;

  void fail(const llvm::Twine &reason) {
    if (why.empty())
      why = reason.str();
  }
  void findSpace();
  void collect(const Stmt *stmt);
  bool isComputedBefore(const Stmt *stmt) const;
  void noteWrite(const Expr *target);
  bool noteField(const MemberExpr *member);
  bool noteContainer(const Stmt *stmt);
  void removeDirective(const OMPExecutableDirective *directive);
  void removeDirectives(const Stmt *stmt);
  const brs::Need *needOf(const std::string &flat) const;
  void place(const ValueDecl *variable);
  void placeScalar(const ValueDecl *variable);
  void placeArray(const ValueDecl *variable);
  std::string withOwnBounds(const MapItem &item);
  std::string ownName(const std::string &name);
  void replaceGlobal(const ValueDecl *array, ArrayName &name);
  bool mapArray(const std::string &flat, const ArrayName &name, const brs::Need *need);
  void placeSum(const ValueDecl *variable, const std::string &combine);
  void placeStructSums();
  void placeFields();
  void placeContainers();
  std::string keyOf(const Expr *path) const;
  void finalIndices();
  void placeEnds();
  void computeBefore(const Expr *bound, const std::string &name);
  llvm::Error sortClauses();
  llvm::Expected<KernelText> writeLoop(const ForStmt *stmt);
  llvm::Expected<KernelText> writeStatements();
  std::string pragma() const;
};

void KernelWriter::findSpace() {
  const Stmt *at = loop;
  std::set<const ValueDecl *> indices;
  for (size_t k = 0; k < std::max<size_t>(1, q.kernel.parallelLoops.size()); ++k) {
    const auto *candidate = llvm::dyn_cast<ForStmt>(at);
    std::optional<CanonicalLoop> form = candidate ? canonicalForm(candidate, source.context) : std::nullopt;
    if (!form) {
      if (k == 0)
        fail("it is no loop of the form OpenMP asks for (`for (i = a; i < b; i += c)`)");
      return;
    }
    if (k == 0 && isLeftByJump(candidate)) {
      fail("a jump leads out of it, though none is ever taken");
      return;
    }
    // Only rectangles are collapsed, with bounds that need nothing computed.
    if (k > 0 && (isLeftByJump(candidate) || !form->isSimple || llvm::any_of(indices, [&](const ValueDecl *i) { return mentions(form->from, i) || mentions(form->to, i); })))
      return;
    indices.insert(form->variable);
    space.push_back(*form);
    for (auto [from, to] : source.loopHintsAbove(source.offsetOf(candidate->getForLoc()))) // they are for one core
      text.edits.push_back({from, to - from, ""});
    at = candidate->getBody();
    while (const auto *block = llvm::dyn_cast<CompoundStmt>(at)) {
      if (block->size() != 1)
        return;
      at = block->body_front();
    }
  }
}

void KernelWriter::noteWrite(const Expr *target) {
  if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(target->IgnoreParenCasts()))
    written.insert(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl()));
}

/// `g->nx`, `s.grid.n`, `nx` of this object: a path from a variable by fields alone.
bool KernelWriter::noteField(const MemberExpr *member) {
  const Expr *base = member;
  while (const auto *inner = llvm::dyn_cast<MemberExpr>(base))
    base = inner->getBase()->IgnoreParenImpCasts();
  const auto *ref = llvm::dyn_cast<DeclRefExpr>(base);
  const bool isOuter = ref && llvm::isa<VarDecl>(ref->getDecl()) && !inside.count(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl()));
  if (!isOuter && !llvm::isa<CXXThisExpr>(base))
    return false;
  if (llvm::isa<CXXMethodDecl>(member->getMemberDecl()))
    fail("it calls " + member->getMemberDecl()->getNameAsString() + " of an object that the device does not have");
  fields.push_back(member);
  return true;
}

/// The ends of the outermost loop, where they take more than a sum: the host has what they are made of.
bool KernelWriter::isComputedBefore(const Stmt *stmt) const {
  if (!loop || space.empty() || space.front().isSimple)
    return false;
  return stmt == space.front().to || (stmt == space.front().from && !space.front().beginsSimply);
}

/// A container of its own does not end at the loop's bounds.
bool KernelWriter::noteContainer(const Stmt *stmt) {
  std::optional<ContainerUse> use = containerUse(stmt);
  if (!use)
    return false;
  const Expr *base = use->container;
  while (const auto *inner = llvm::dyn_cast<MemberExpr>(base))
    base = inner->getBase()->IgnoreParenImpCasts();
  if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(base); ref && inside.count(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())))
    return false;
  containers.push_back(*use);
  collect(use->subscript);
  return true;
}

void KernelWriter::removeDirective(const OMPExecutableDirective *directive) {
  const Stmt *under = withoutDirective(directive);
  // What threads would do one at a time the plan has as sums of their own, or else the loop is not parallel.
  bool isExclusive = llvm::isa<OMPAtomicDirective, OMPCriticalDirective>(directive);
  if ((!llvm::isa<OMPLoopDirective>(directive) && !isTargetConstruct(directive) && !isExclusive) || under == directive)
    return fail("an OpenMP directive stands in it that is no loop's");
  if (staysAsTeams(directive))
    return fail("each of several teams runs it");
  auto [begin, end] = source.rangeOf(directive);
  text.edits.push_back({begin, end - begin, ""});
}

/// All that stand directly above the statement.
void KernelWriter::removeDirectives(const Stmt *stmt) {
  while (const auto *directive = llvm::dyn_cast_or_null<OMPExecutableDirective>(stmt)) {
    removeDirective(directive);
    stmt = directive->hasAssociatedStmt() ? directive->getRawStmt() : nullptr;
    while (const auto *captured = llvm::dyn_cast_or_null<CapturedStmt>(stmt))
      stmt = captured->getCapturedStmt();
  }
}

void KernelWriter::collect(const Stmt *stmt) {
  if (!stmt || isComputedBefore(stmt))
    return;
  if (llvm::isa<OMPExecutableDirective>(stmt)) {
    removeDirectives(stmt);
    return collect(withoutDirective(stmt) == stmt ? nullptr : withoutDirective(stmt));
  }
  if (const auto *declares = llvm::dyn_cast<DeclStmt>(stmt))
    for (const Decl *decl : declares->decls())
      if (const auto *variable = llvm::dyn_cast<VarDecl>(decl))
        inside.insert(llvm::cast<ValueDecl>(variable->getCanonicalDecl()));
  if (const auto *inner = llvm::dyn_cast<ForStmt>(stmt))
    if (std::optional<CanonicalLoop> form = canonicalForm(inner, source.context))
      innerIndices.insert(form->variable);
  if (const auto *op = llvm::dyn_cast<BinaryOperator>(stmt); op && op->isAssignmentOp())
    noteWrite(op->getLHS());
  if (const auto *op = llvm::dyn_cast<UnaryOperator>(stmt)) {
    if (op->isIncrementDecrementOp())
      noteWrite(op->getSubExpr());
    const auto *ref = llvm::dyn_cast<DeclRefExpr>(op->getSubExpr()->IgnoreParens());
    if (op->getOpcode() == UO_AddrOf && ref && !ref->getType()->isArrayType() &&
        !inside.count(llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())))
      return fail("it takes the address of " + ref->getDecl()->getName());
  }
  // What is said before the program ends stands behind the loop then.
  for (const EndingCall &ending : endings)
    if (llvm::is_contained(ending.messages, stmt))
      return;
  if (llvm::isa<CXXThisExpr, LambdaExpr, CXXNewExpr, CXXDeleteExpr, CXXThrowExpr>(stmt))
    return fail("it uses what cannot be moved to the device");
  if (const auto *member = llvm::dyn_cast<MemberExpr>(stmt); member && noteField(member))
    return;
  if (noteContainer(stmt))
    return;
  if (const auto *cast = llvm::dyn_cast<ImplicitCastExpr>(stmt); cast && cast->getCastKind() == CK_LValueToRValue)
    if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens()))
      --otherUses[llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())];
  if (const auto *ref = llvm::dyn_cast<DeclRefExpr>(stmt)) {
    ++otherUses[llvm::cast<ValueDecl>(ref->getDecl()->getCanonicalDecl())];
    if (const auto *function = llvm::dyn_cast<FunctionDecl>(ref->getDecl()))
      called.insert(function);
    else if (const auto *variable = llvm::dyn_cast<VarDecl>(ref->getDecl()))
      mentioned.insert(llvm::cast<ValueDecl>(variable->getCanonicalDecl()));
    return;
  }
  for (const Stmt *child : partsOf(stmt))
    collect(child);
}

const brs::Need *KernelWriter::needOf(const std::string &flat) const {
  for (size_t k = 0; k < std::min(space.size(), q.kernel.parallelLoops.size()); ++k)
    if (const brs::LoopVerdict *verdict = q.root.dependence.find(*q.kernel.parallelLoops[k]))
      for (const brs::Need &need : verdict->needs)
        if (need.name == flat)
          return &need;
  return nullptr;
}

void KernelWriter::placeScalar(const ValueDecl *variable) {
  std::string name = variable->getNameAsString(), flat = q.names.flatName(variable, q.place);
  if (llvm::any_of(space, [&](const CanonicalLoop &one) { return one.variable == variable; }))
    return;
  const brs::Need *need = needOf(flat);
  bool isWritten = written.count(variable);
  if (!loop) { // the host's value goes there, and what becomes of it comes back
    const bool isIndex = innerIndices.count(variable) && !isUsedElsewhere(llvm::cast<VarDecl>(variable), nullptr, source.function);
    const bool isSet = isWritten || otherUses[variable] > 0;
    (isIndex ? privates : isSet ? scalarMaps : firstprivates).push_back(name);
    return;
  }
  using Kind = brs::Need::Kind;
  if (need && need->kind == Kind::Reduction) {
    if (variable->getType()->isAnyComplexType() && need->op != "+")
      return fail(name + " is complex, and threads cannot multiply it at once");
    if (variable->getType()->isAnyComplexType())
      return placeSum(variable, "omp_out += omp_in");
    reductions[need->op].push_back(name);
    scalarMaps.push_back(name);
  } else if (need && need->op == "induction") {
    fail(name + " is stepped along with the index");
  } else if (need && need->kind == Kind::LastPrivate && !isPrivateByClause(q.place.spot->stmt, variable)) {
    lastprivates.push_back(name);
    scalarMaps.push_back(name);
  } else if (need && (need->kind == Kind::Private || need->kind == Kind::LastPrivate)) {
    privates.push_back(name);
  } else if (isWritten && innerIndices.count(variable)) {
    if (isUsedElsewhere(llvm::cast<VarDecl>(variable), loop, source.function))
      return fail(name + ", the index of a loop in it, is used afterwards");
    privates.push_back(name);
  } else if (isWritten) {
    fail("it writes " + name + ", and no clause is known for that");
  } else {
    firstprivates.push_back(name);
  }
}

/// The device computes the bounds of what it reduces into: from values of its own, not from the host's globals.
std::string KernelWriter::withOwnBounds(const MapItem &item) {
  auto own = [&](const std::string &value) {
    if (llvm::all_of(value, [](char c) { return llvm::isDigit(c); }))
      return value;
    std::string variable = ownName("bound");
    text.before.push_back("const long " + variable + " = " + value + ";");
    firstprivates.push_back(variable);
    return variable;
  };
  return item.name + "[" + own(item.first) + ":" + own(item.count) + "]";
}

/// A name of its own for what stands before the loop: two kernels may share a block.
std::string KernelWriter::ownName(const std::string &name) {
  std::string base = "busfare_" + name, made = base;
  for (unsigned k = 2; !q.ownNames.insert(made).second; ++k)
    made = base + "_" + std::to_string(k);
  return made;
}

/// A pointer stands for the array in the whole loop.
void KernelWriter::replaceGlobal(const ValueDecl *array, ArrayName &name) {
  std::string pointer = ownName(array->getNameAsString());
  std::vector<Edit> edits;
  bool isByMacro = false;
  std::function<void(const Stmt *)> walk = [&](const Stmt *stmt) {
    const auto *ref = llvm::dyn_cast_or_null<DeclRefExpr>(stmt);
    if (ref && ref->getDecl()->getCanonicalDecl() == array) {
      isByMacro |= ref->getLocation().isMacroID();
      unsigned begin = source.offsetOf(ref->getBeginLoc());
      edits.push_back({begin, source.endOf(ref->getSourceRange()) - begin, pointer});
    }
    if (stmt)
      for (const Stmt *child : partsOf(stmt))
        walk(child);
  };
  for (const Stmt *stmt : body)
    walk(stmt);
  // No const: clang takes a constant's first value for it.
  std::string line = "__typeof__(" + name.text + "[0]) *" + pointer + " = " + name.text;
  if (!isByMacro) {
    text.before.push_back(line + ";");
    llvm::append_range(text.edits, edits);
    name.text = pointer;
    return;
  }
  if (name.text != array->getName() || array->getType()->isArrayType())
    return fail("a macro stands for " + array->getName() + ", which the device needs another name for");
  // A local of the same name hides it.
  text.before.push_back("{ " + line + ", *" + name.text + " = " + pointer + ";");
  text.after.insert(text.after.begin(), "}");
}

/// clang's device code goes through a pointer to what it reduces into, and for an array with static storage names the array
/// itself, which the device does not have. It maps a pointer with static storage as well as what that points to, though it never
/// was mapped. And gcc has no instances of templates in its clauses.
static bool needsLocalName(const ValueDecl *variable, const ArrayName &name, bool isReducedInto) {
  const auto *declared = llvm::dyn_cast<VarDecl>(variable);
  if (!declared || !declared->hasGlobalStorage())
    return false;
  return variable->getType()->isPointerType() || (isReducedInto && name.row.empty()) || llvm::StringRef(name.text).contains('<');
}

bool KernelWriter::mapArray(const std::string &flat, const ArrayName &name, const brs::Need *need) {
  auto array = llvm::find_if(q.region.arrays, [&](const brs::ArrayTransfers &a) { return a.name == flat; });
  if (array == q.region.arrays.end())
    return false;
  if (array->onDevice.isSurelyEmpty()) {
    // The code mentions it, but no iteration comes there: it has no device memory.
    untouched.push_back(name.text + "[0:0]");
    if (q.variant == Variant::Watched && name.variable && source.context.getAsConstantArrayType(name.variable->getType())) {
      text.before.push_back("busfare_bystander(\"" + q.root.name + "\", \"" + flat + "\", &" + name.text + "[0], sizeof " + name.text + ");");
      text.untouched.push_back(name);
    }
    return true;
  }
  const bool isPointer = !name.variable || name.variable->getType()->isPointerType(); // of a field: one of the kernel's own
  std::optional<MapItem> item = mapItem(*array, name, q.names, q.place, q.root, q.facts, !isPointer);
  if (!item && isPointer && !(need && need->kind == brs::Need::Kind::Reduction) && !(need && need->kind == brs::Need::Kind::LastPrivate)) {
    // A part of the array that begins where nothing here says (&u[at[k]]), or rows that the device has a part of.
    if (leadsToDevice(*array, name, q)) {
      untouched.push_back(name.text + "[0:0]");
      return true;
    }
  }
  if (!item) {
    auto hull = linearHull(*array, q.root, q.facts);
    fail("the size of " + flat + " has no name at this place" + (hull ? q.names.lacking(hull->second - hull->first, q.place) : ""));
    return true;
  }
  maps.push_back(item->text());
  if (need && need->kind == brs::Need::Kind::Reduction) {
    if (!name.row.empty())
      fail("it reduces into " + flat + ", an array of several dimensions");
    reductions[need->op].push_back(withOwnBounds(*item));
  } else if (need && need->kind == brs::Need::Kind::LastPrivate) {
    fail("the last iteration's copy of " + flat + " would have to be kept");
  }
  return true;
}

void KernelWriter::placeArray(const ValueDecl *variable) {
  std::string name = variable->getNameAsString();
  const brs::Need *own = needOf(q.names.flatName(variable, q.place) + skeleton::pointerSuffix);
  bool isPointer = !variable->getType()->isArrayType();
  if (isPointer && written.count(variable)) {
    // A row pointer that every iteration sets anew.
    if (own && own->kind == brs::Need::Kind::Private && own->op.empty())
      return privates.push_back(name);
    return fail("the pointer " + name + " moves in it");
  }
  std::optional<std::pair<std::string, ArrayName>> found = q.names.arrayOf(variable, q.place);
  if (!found)
    return fail("what " + name + " points to has no name at this place, or elements of another size");
  const brs::Need *need = needOf(found->first);
  if (need && (need->kind == brs::Need::Kind::ArrayPrivate || need->kind == brs::Need::Kind::Private)) {
    if (isPointer)
      return fail(found->first + " would need a copy for each iteration, and its memory is a pointer's");
    return privates.push_back(name);
  }
  if (needsLocalName(variable, found->second, need && need->kind == brs::Need::Kind::Reduction))
    replaceGlobal(variable, found->second);
  if (!mapArray(found->first, found->second, need))
    fail(found->first + " is not part of the plan");
}

void KernelWriter::place(const ValueDecl *variable) {
  QualType type = variable->getType();
  if (type->isReferenceType())
    return fail(variable->getName() + " is a reference");
  if (variable->hasAttr<OMPThreadPrivateDeclAttr>())
    return fail(variable->getName() + " is threadprivate");
  if (type->isPointerType() || type->isArrayType())
    return placeArray(variable);
  if (type->isRecordType() && !loop)
    return fail("it uses the object " + variable->getName() + " as a whole");
  if (type->isRecordType()) {
    const brs::Need *need = isStdComplex(type) ? needOf(q.names.flatName(variable, q.place)) : nullptr;
    if (need && need->kind == brs::Need::Kind::Reduction && need->op == "+")
      return placeSum(variable, "omp_out += omp_in");
    if (written.count(variable))
      return fail("it writes " + variable->getName() + " as a whole");
    if (!type.isTriviallyCopyableType(source.context))
      return fail(variable->getName() + " is an object that cannot be copied byte by byte");
    return firstprivates.push_back(variable->getNameAsString());
  }
  placeScalar(variable);
}

/// What `reduction(+:)` does not know how to add up: a reduction of its own says that.
void KernelWriter::placeSum(const ValueDecl *variable, const std::string &combine) {
  std::string name = variable->getNameAsString(), reduction = ownName("add_" + name);
  llvm::StringRef zero = !variable->getType()->isRecordType() ? "0" : source.context.getLangOpts().CPlusPlus ? "{}" : "{0}";
  text.before.push_back("#pragma omp declare reduction(" + reduction + " : __typeof__(" + name + ") : " + combine + ") initializer(omp_priv = " + zero.str() + ")");
  reductions[reduction].push_back(name);
  scalarMaps.push_back(name);
}

void KernelWriter::placeStructSums() {
  auto isSum = [&](const ValueDecl *owner, const FieldDecl *field) {
    const brs::Need *need = needOf(q.names.flatName(owner, field, q.place));
    return need && need->kind == brs::Need::Kind::Reduction && need->op == "+";
  };
  for (const auto &[owner, combine] : structSums(mentioned, fields, inside, isSum, source.context)) {
    placeSum(owner, combine);
    std::erase_if(fields, [owner = owner](const MemberExpr *member) { return isFieldOf(member, owner); });
    mentioned.erase(owner);
  }
}

/// What the skeleton calls a path of fields.
std::string KernelWriter::keyOf(const Expr *path) const {
  std::string key;
  for (char c : source.textOf(path->getSourceRange()))
    if (!isspace(static_cast<unsigned char>(c)))
      key += c;
  const Expr *object = path;
  while (const auto *inner = llvm::dyn_cast<MemberExpr>(object))
    object = inner->getBase()->IgnoreParenImpCasts();
  const auto *self = llvm::dyn_cast<CXXThisExpr>(object);
  return self && self->isImplicit() ? "this->" + key : key;
}

/// Of containers the device gets the elements, through a pointer, and their number as a value.
void KernelWriter::placeContainers() {
  for (const ContainerUse &use : containers) {
    if (use.whole->getBeginLoc().isMacroID() || use.whole->getEndLoc().isMacroID())
      return fail("a macro stands for a container it uses");
    const bool isSize = use.kind == ContainerUse::Kind::Size;
    const std::string key = keyOf(use.container), value = key + "." + (isSize ? "size()" : memoryOf(use.container->getType())->call);
    auto [known, isNew] = hoisted.try_emplace(value);
    if (isNew)
      known->second = ownName(identifier(isSize ? value : key));
    const SourceRange replaced = (use.kind == ContainerUse::Kind::Element ? use.container : use.whole)->getSourceRange();
    const unsigned begin = source.offsetOf(replaced.getBegin());
    text.edits.push_back({begin, source.endOf(replaced) - begin, known->second});
    if (!isNew)
      continue;
    if (isSize) {
      text.before.push_back("const __typeof__(" + value + ") " + known->second + " = " + value + ";");
      firstprivates.push_back(known->second);
      continue;
    }
    const auto *ref = llvm::dyn_cast<DeclRefExpr>(use.container);
    std::optional<std::pair<std::string, ArrayName>> array =
        ref ? q.names.arrayOf(ref->getDecl(), q.place) : q.names.arrayOfField(key, q.place);
    if (!array)
      return fail("what " + key + " holds has no name at this place");
    const brs::Need *need = needOf(array->first);
    if (need && need->kind != brs::Need::Kind::Reduction)
      return fail(array->first + " would need a copy for each iteration, and its memory is a container's");
    text.before.push_back("auto *const " + known->second + " = " + value + ";");
    array->second.text = known->second;
    if (!mapArray(array->first, array->second, need))
      return fail(key + " is not part of the plan");
  }
}

void KernelWriter::placeFields() {
  for (const MemberExpr *member : fields) {
    if (member->getBeginLoc().isMacroID() || member->getEndLoc().isMacroID())
      return fail("a macro stands for a field it uses");
    const std::string spelled = source.textOf(member->getSourceRange()), key = keyOf(member);
    QualType type = member->getType();
    bool isArray = type->isPointerType() || type->isArrayType();
    auto [known, isNew] = hoisted.try_emplace(key);
    if (isNew)
      known->second = ownName(identifier(key));
    text.edits.push_back({source.offsetOf(member->getBeginLoc()), unsigned(spelled.size()), known->second});
    if (!isNew)
      continue;
    if (!isArray && !type->isArithmeticType() && !type->isEnumeralType())
      return fail("the field " + key + " is neither a number nor an array");
    if (needOf(key) || llvm::any_of(body, [&](const Stmt *stmt) { return isFieldWritten(member, stmt); }))
      return fail("it writes the field " + key);
    if (!isArray) {
      text.before.push_back("const __typeof__(" + key + ") " + known->second + " = " + key + ";");
      firstprivates.push_back(known->second);
      continue;
    }
    std::optional<std::pair<std::string, ArrayName>> array = q.names.arrayOfField(key, q.place);
    if (!array || !array->second.row.empty())
      return fail("what " + key + " points to has no name at this place");
    text.before.push_back("__typeof__(" + key + "[0]) *const " + known->second + " = " + key + ";");
    array->second.text = known->second;
    if (!mapArray(array->first, array->second, needOf(array->first)))
      return fail(key + " is not part of the plan");
  }
}

/// OpenMP leaves the value of an index that was declared outside open; the program may look at it.
void KernelWriter::finalIndices() {
  for (const CanonicalLoop &one : space) {
    const auto *variable = llvm::cast<VarDecl>(one.variable);
    if (inside.count(one.variable) || !isUsedElsewhere(variable, loop, source.function))
      continue;
    if (space.size() > 1 && &one != &space.front())
      return fail(variable->getName() + ", the index of a loop in it, is used afterwards");
    text.after.push_back(variable->getNameAsString() + " = " + finalValue(one, source) + ";");
  }
}

/// The flag stands before everything else, which may have a block of its own.
void KernelWriter::placeEnds() {
  if (endings.empty())
    return;
  // Directly in the body the walk meets no loop.
  for (EndingCall &ending : endings)
    ending.loop = ending.loop ? ending.loop : loop;
  std::string flag = ownName(llvm::StringRef(brs::endFlag).drop_front(llvm::StringRef("busfare_").size()).str());
  llvm::Expected<EndsText> ends = endBehind(endings, space.back(), source, flag, ownName("left"));
  if (!ends)
    return fail(llvm::toString(ends.takeError()));
  std::erase_if(called, [](const FunctionDecl *function) { return function->getIdentifier() && endsProgram(function->getName()); });
  if (ends->isFirst && space.size() > 1)
    return fail("it may end the program in several ways, and its loops count as one");
  text.before.insert(text.before.begin(), ends->before);
  llvm::append_range(text.edits, ends->edits);
  if (q.variant == Variant::Watched) // then copies behind it are not missed
    text.after.push_back("if (" + ends->came + ") busfare_value(\"" + q.root.name + "\", \"" + brs::endFlag + "\", 1);");
  llvm::append_range(text.after, ends->behind);
  reductions[ends->isFirst ? "min" : "max"].push_back(flag);
  scalarMaps.push_back(flag);
}

std::string KernelWriter::pragma() const {
  bool isStrict = q.variant == Variant::Present || q.variant == Variant::Watched;
  std::vector<std::string> clauses;
  if (space.size() > 1)
    clauses.push_back("collapse(" + std::to_string(space.size()) + ")");
  if (isStrict)
    clauses.push_back("defaultmap(none)");
  auto list = [&](const std::string &head, const std::vector<std::string> &items) {
    if (!items.empty())
      clauses.push_back(head + llvm::join(items, ", ") + ")");
  };
  list(isStrict ? "map(present, alloc: " : "map(alloc: ", maps);
  list("map(alloc: ", untouched);
  if (isStrict)
    list("firstprivate(", firstprivates);
  list("private(", privates);
  list("lastprivate(", lastprivates);
  for (const auto &[op, items] : reductions)
    list("reduction(" + op + ": ", items);
  list("map(tofrom: ", scalarMaps);
  if (!q.runs.empty())
    clauses.push_back("if(" + q.runs + ")");
  std::string line = loop ? "#pragma omp target teams distribute parallel for" : "#pragma omp target", result;
  for (const std::string &clause : clauses) {
    if (line.size() + 1 + clause.size() > 100) {
      result += line + " \\\n";
      line = "   ";
    }
    line += " " + clause;
  }
  return result + line;
}

/// Of what the body mentions; behind collect.
llvm::Error KernelWriter::sortClauses() {
  std::set<const FunctionDecl *> seen;
  for (const FunctionDecl *function : called)
    if (std::string reason = whyNotOnDevice(function, seen); !reason.empty())
      fail(reason);
  if (why.empty())
    placeStructSums();
  for (const ValueDecl *variable : mentioned)
    if (why.empty() && !inside.count(variable))
      place(variable);
  if (why.empty())
    placeFields();
  if (why.empty())
    placeContainers();
  if (why.empty())
    finalIndices();
  if (why.empty() && loop && !space.front().isSimple)
    computeBefore(space.front().to, "end");
  if (why.empty() && loop && !space.front().beginsSimply)
    computeBefore(space.front().from, "begin");
  if (!why.empty())
    return refuse(why);
  for (std::vector<std::string> *items : {&maps, &untouched}) {
    llvm::sort(*items);
    items->erase(std::unique(items->begin(), items->end()), items->end());
  }
  for (auto *names : {&privates, &lastprivates, &firstprivates, &scalarMaps})
    llvm::sort(*names);
  text.before.push_back(pragma());
  return llvm::Error::success();
}

/// Once, on the host.
void KernelWriter::computeBefore(const Expr *bound, const std::string &name) {
  SourceRange range = bound->getSourceRange();
  if (range.getBegin().isMacroID() || range.getEnd().isMacroID())
    return fail("a macro stands for a bound that must be computed before it");
  const std::string own = ownName(name + "_" + identifier(space.front().variable->getName()));
  text.before.push_back("const __typeof__(" + source.textOf(range) + ") " + own + " = " + source.textOf(range) + ";");
  unsigned begin = source.offsetOf(range.getBegin());
  text.edits.push_back({begin, source.endOf(range) - begin, own});
  firstprivates.push_back(own);
}

llvm::Expected<KernelText> KernelWriter::writeLoop(const ForStmt *stmt) {
  loop = stmt;
  if (!loop)
    return refuse("it is no `for` loop");
  if (loop->getForLoc().isMacroID())
    return refuse("a macro stands for it");
  if (source.isPartlyElsewhere(loop))
    return refuse("a part of it is in a file of its own");
  body = {loop};
  findSpace();
  removeDirectives(q.place.spot->stmt);
  endings = endingCallsIn(loop->getBody());
  if (why.empty())
    collect(loop);
  if (why.empty())
    placeEnds();
  if (llvm::Error error = sortClauses())
    return error;
  text.collapse = unsigned(space.size());
  return std::move(text);
}

llvm::Expected<KernelText> KernelWriter::writeStatements() {
  for (const Spot *spot : q.oneThread->statements)
    body.push_back(spot->stmt);
  for (const Stmt *stmt : body) {
    if (stmt->getBeginLoc().isMacroID() || stmt->getEndLoc().isMacroID())
      return refuse("a macro stands for a part of it");
    if (source.isPartlyElsewhere(stmt))
      return refuse("a part of it is in a file of its own");
    if (why.empty() && !endingCallsIn(stmt).empty())
      fail("it may end the program");
    if (why.empty())
      collect(stmt);
  }
  // Arrays of its own the device makes when it comes there.
  for (const ValueDecl *variable : inside)
    if (!llvm::cast<VarDecl>(variable)->hasLocalStorage())
      fail(variable->getName() + " is static");
  if (llvm::Error error = sortClauses())
    return error;
  if (body.size() > 1 || llvm::isa<DeclStmt>(body.front())) {
    text.before.push_back("{");
    text.after.insert(text.after.begin(), "}");
  }
  return std::move(text);
}

llvm::Expected<KernelText> KernelWriter::write() {
  for (const Spot *around = q.place.spot->parent; around; around = around->parent)
    if (std::optional<Edit> serial = onOneThread(around->stmt, source))
      text.edits.push_back(std::move(*serial));
    else if (llvm::isa<OMPExecutableDirective>(around->stmt) && (!isTargetConstruct(around->stmt) || staysAsTeams(around->stmt)))
      return refuse("it stands inside another OpenMP construct");
  return q.oneThread ? writeStatements() : writeLoop(llvm::dyn_cast<ForStmt>(withoutDirective(q.place.spot->stmt)));
}

} // namespace

llvm::Expected<KernelText> kernelText(const KernelQuestion &question) { return KernelWriter(question).write(); }

} // namespace busfare::frontend::port
