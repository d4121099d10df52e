//===- clang-plugin/port/KernelClauses.cpp - What a kernel mentions, in clauses -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/lower/Types.h"
#include "clang-plugin/port/AtomicUpdates.h"
#include "clang-plugin/port/DeviceCalls.h"
#include "clang-plugin/port/DevicePart.h"
#include "clang-plugin/port/KernelWriter.h"
#include "clang-plugin/port/StructSums.h"
#include "skeleton/Visit.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace clang;

const brs::Need *KernelWriter::needOf(const std::string &flat) const {
  for (size_t k = 0; k < std::min(space.size(), q.kernel.parallelLoops.size()); ++k)
    if (const brs::LoopVerdict *verdict = q.root.dependence.find(*q.kernel.parallelLoops[k]))
      for (const brs::Need &need : verdict->needs)
        if (need.name == flat) return &need;
  return nullptr;
}

void KernelWriter::placeScalar(const ValueDecl *variable) {
  std::string name = variable->getNameAsString(), flat = q.names.flatName(variable, q.place);
  if (llvm::any_of(space, [&](const CanonicalLoop &one) { return one.variable == variable; })) return;
  const brs::Need *need = needOf(flat);
  bool isWritten = written.count(variable);
  if (q.deviceScalars && q.deviceScalars->count(llvm::cast<ValueDecl>(variable->getCanonicalDecl()))) {
    maps.push_back(name);
    return;
  }
  if (!loop) { // the host's value goes there, and what becomes of it comes back
    const bool isIndex =
        innerIndices.count(variable) && !isUsedElsewhere(llvm::cast<VarDecl>(variable), nullptr, source.function);
    const bool isSet = isWritten || otherUses[variable] > 0;
    (isIndex ? privates : isSet ? scalarMaps : firstprivates).push_back(name);
    return;
  }
  using Kind = brs::Need::Kind;
  if (need && need->kind == Kind::Reduction) {
    if (variable->getType()->isAnyComplexType() && need->op != "+")
      return fail(name + " is complex, and threads cannot multiply it at once");
    if (variable->getType()->isAnyComplexType()) return placeSum(variable, "omp_out += omp_in");
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
    if (llvm::all_of(value, [](char c) { return llvm::isDigit(c); })) return value;
    std::string variable = ownName("bound");
    text.before.push_back("const long " + variable + " = " + value + ";");
    firstprivates.push_back(variable);
    return variable;
  };
  return item.name + "[" + own(item.first) + ":" + own(item.count) + "]";
}

/// A name of its own for what stands before the loop: two kernels may share a block.
std::string KernelWriter::unique(const std::string &base) {
  std::string made = base;
  for (unsigned k = 2; !q.ownNames.insert(made).second; ++k) made = base + "_" + std::to_string(k);
  return made;
}

/// A pointer stands for the array in the whole loop.
void KernelWriter::replaceGlobal(const ValueDecl *array, ArrayName &name) {
  std::string pointer = ownNameOf(array->getNameAsString());
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
      for (const Stmt *child : partsOf(stmt)) walk(child);
  };
  for (const Stmt *stmt : body) walk(stmt);
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

/// clang's device code goes through a pointer to what it reduces into, and for an array with static storage names the
/// array itself, which the device does not have. It maps a pointer with static storage as well as what that points to,
/// though it never was mapped. And gcc has no instances of templates in its clauses.
static bool needsLocalName(const ValueDecl *variable, const ArrayName &name, bool isReducedInto) {
  const auto *declared = llvm::dyn_cast<VarDecl>(variable);
  if (!declared || !declared->hasGlobalStorage()) return false;
  return variable->getType()->isPointerType() || (isReducedInto && name.row.empty()) ||
         llvm::StringRef(name.text).contains('<');
}

/// Each update of the array becomes atomic, if that can be said and there are elements enough.
bool KernelWriter::updatesOneByOne(const std::string &flat, const ArrayName &name, const MapItem &item) {
  constexpr uint64_t handful = 16;
  uint64_t count = 0;
  if (!loop || !name.variable || (name.row.empty() && llvm::to_integer(item.count, count, 10) && count <= handful))
    return false;
  // By another name its elements would be added up in copies: what those give in the end is not atomic.
  auto isSame = [&](const auto &other) { return other && other->first == flat; };
  for (const ValueDecl *other : mentioned)
    if (other != name.variable->getCanonicalDecl() && !inside.count(other) &&
        (other->getType()->isPointerType() || other->getType()->isArrayType()) &&
        isSame(q.names.arrayOf(other, q.place)))
      return false;
  for (const MemberExpr *member : fields)
    if (isSame(q.names.arrayOfField(keyOf(member), q.place))) return false;
  if (!containers.empty()) return false;
  std::optional<std::vector<const Stmt *>> updates =
      atomicUpdates(llvm::cast<ValueDecl>(name.variable->getCanonicalDecl()), space.back().stmt->getBody());
  if (!updates || llvm::any_of(*updates, [](const Stmt *stmt) { return stmt->getBeginLoc().isMacroID(); }))
    return false;
  for (const Stmt *stmt : *updates) {
    const unsigned begin = source.offsetOf(stmt->getBeginLoc());
    text.edits.push_back(
        {begin, 0,
         (source.isFirstOnLine(begin) ? "" : "\n") + ("#pragma omp atomic update\n" + source.indentAt(begin))});
  }
  return true;
}

/// A thread's copy of what it reduces into holds no elements but the sums: whatever else is read there would be zeros.
static bool isOnlyReduced(const std::string &array, const brs::Kernel &kernel) {
  bool isOnly = true;
  skeleton::forEachNode(kernel.loop->body, [&](const skeleton::Node &node) {
    const auto *access = std::get_if<skeleton::Access>(&node.kind);
    isOnly &= !access || access->array != array || access->kind == skeleton::AccessKind::Update;
  });
  return isOnly;
}

bool KernelWriter::mapArray(const std::string &flat, const ArrayName &name, const brs::Need *need) {
  auto array = llvm::find_if(q.region.arrays, [&](const brs::ArrayTransfers &a) { return a.name == flat; });
  if (array == q.region.arrays.end()) return false;
  if (array->onDevice.isSurelyEmpty()) {
    // The code mentions it, but no iteration comes there: it has no device memory.
    untouched.push_back(name.text + "[0:0]");
    if (q.variant == Variant::Watched && name.variable &&
        source.context.getAsConstantArrayType(name.variable->getType())) {
      const std::string onDevice = q.guard.empty() ? "" : "if (" + q.guard + ")\n  ";
      text.before.push_back(onDevice + "busfare_bystander(\"" + q.root.name + "\", \"" + flat + "\", &" + name.text +
                            "[0], sizeof " + name.text + ");");
      text.untouched.push_back(name);
    }
    return true;
  }
  const bool isPointer =
      !name.variable || name.variable->getType()->isPointerType(); // of a field: one of the kernel's own
  std::optional<MapItem> item = mapItem(*array, name, q.names, q.place, q.root, q.facts, !isPointer);
  if (!item && isPointer && !(need && need->kind == brs::Need::Kind::Reduction) &&
      !(need && need->kind == brs::Need::Kind::LastPrivate)) {
    // A part of the array that begins where nothing here says (&u[at[k]]), or rows that the device has a part of.
    if (leadsToDevice(*array, name, q)) {
      untouched.push_back(name.text + "[0:0]");
      return true;
    }
  }
  if (!item) {
    auto hull = linearHull(*array, q.root, q.facts);
    fail("the size of " + flat + " has no name at this place" +
         (hull ? q.names.lacking(hull->second - hull->first, q.place) : ""));
    return true;
  }
  maps.push_back(item->text());
  if (need && need->kind == brs::Need::Kind::Reduction) {
    QualType element = name.type;
    while (!element.isNull() && (element->isPointerType() || element->isArrayType()))
      element =
          element->isPointerType() ? element->getPointeeType() : element->getAsArrayTypeUnsafe()->getElementType();
    if (!element.isNull() && element->isBooleanType() && (need->op == "+" || need->op == "*"))
      fail(flat + " holds truth values, of which OpenMP makes no sums");
    if (updatesOneByOne(flat, name, *item)) return true;
    if (!isOnlyReduced(flat, q.kernel))
      fail("it reads or writes elements of " + flat + " beside those it reduces into");
    if (!name.row.empty()) fail("it reduces into " + flat + ", an array of several dimensions");
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
    if (own && own->kind == brs::Need::Kind::Private && own->op.empty()) return privates.push_back(name);
    return fail("the pointer " + name + " moves in it");
  }
  std::optional<std::pair<std::string, ArrayName>> found = q.names.arrayOf(variable, q.place);
  if (!found) return fail("what " + name + " points to has no name at this place, or elements of another size");
  const brs::Need *need = needOf(found->first);
  if (need && (need->kind == brs::Need::Kind::ArrayPrivate || need->kind == brs::Need::Kind::Private)) {
    if (isPointer) return fail(found->first + " would need a copy for each iteration, and its memory is a pointer's");
    return privates.push_back(name);
  }
  if (needsLocalName(variable, found->second, need && need->kind == brs::Need::Kind::Reduction))
    replaceGlobal(variable, found->second);
  if (!mapArray(found->first, found->second, need)) fail(found->first + " is not part of the plan");
}

void KernelWriter::place(const ValueDecl *variable) {
  QualType type = variable->getType();
  if (type->isReferenceType()) return fail(variable->getName() + " is a reference");
  if (variable->hasAttr<OMPThreadPrivateDeclAttr>()) return fail(variable->getName() + " is threadprivate");
  if (type->isPointerType() || type->isArrayType()) return placeArray(variable);
  if (type->isRecordType() && !loop) return fail("it uses the object " + variable->getName() + " as a whole");
  if (type->isRecordType()) {
    const brs::Need *need = isStdComplex(type) ? needOf(q.names.flatName(variable, q.place)) : nullptr;
    if (need && need->kind == brs::Need::Kind::Reduction && need->op == "+")
      return placeSum(variable, "omp_out += omp_in");
    if (written.count(variable)) return fail("it writes " + variable->getName() + " as a whole");
    if (!type.isTriviallyCopyableType(source.context))
      return fail(variable->getName() + " is an object that cannot be copied byte by byte");
    return firstprivates.push_back(variable->getNameAsString());
  }
  placeScalar(variable);
}

/// What `reduction(+:)` does not know how to add up: a reduction of its own says that.
void KernelWriter::placeSum(const ValueDecl *variable, const std::string &combine) {
  std::string name = variable->getNameAsString(), reduction = ownName("add_" + name);
  llvm::StringRef zero = !variable->getType()->isRecordType()     ? "0"
                         : source.context.getLangOpts().CPlusPlus ? "{}"
                                                                  : "{0}";
  text.before.push_back("#pragma omp declare reduction(" + reduction + " : __typeof__(" + name + ") : " + combine +
                        ") initializer(omp_priv = " + zero.str() + ")");
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
    if (!isspace(static_cast<unsigned char>(c))) key += c;
  const auto *self = llvm::dyn_cast<CXXThisExpr>(baseOfPath(path));
  return self && self->isImplicit() ? "this->" + key : key;
}

/// Of containers the device gets the elements, through a pointer, and their number as a value.
void KernelWriter::placeContainers() {
  for (const ContainerUse &use : containers) {
    if (use.whole->getBeginLoc().isMacroID() || use.whole->getEndLoc().isMacroID())
      return fail("a macro stands for a container it uses");
    const bool isSize = use.kind == ContainerUse::Kind::Size;
    const std::string key = keyOf(use.container),
                      value = key + "." + (isSize ? "size()" : memoryOf(use.container->getType())->call);
    auto [known, isNew] = hoisted.try_emplace(value);
    if (isNew) known->second = ownNameOf(isSize ? value : key);
    const SourceRange replaced =
        (use.kind == ContainerUse::Kind::Element ? use.container : use.whole)->getSourceRange();
    const unsigned begin = source.offsetOf(replaced.getBegin());
    text.edits.push_back({begin, source.endOf(replaced) - begin, known->second});
    if (!isNew) continue;
    if (isSize) {
      text.before.push_back("const __typeof__(" + value + ") " + known->second + " = " + value + ";");
      firstprivates.push_back(known->second);
      continue;
    }
    const auto *ref = llvm::dyn_cast<DeclRefExpr>(use.container);
    std::optional<std::pair<std::string, ArrayName>> array =
        ref ? q.names.arrayOf(ref->getDecl(), q.place) : q.names.arrayOfField(key, q.place);
    if (!array) return fail("what " + key + " holds has no name at this place");
    const brs::Need *need = needOf(array->first);
    if (need && need->kind != brs::Need::Kind::Reduction)
      return fail(array->first + " would need a copy for each iteration, and its memory is a container's");
    text.before.push_back("auto *const " + known->second + " = " + value + ";");
    array->second.text = known->second;
    if (!mapArray(array->first, array->second, need)) return fail(key + " is not part of the plan");
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
    if (isNew) known->second = ownNameOf(key);
    text.edits.push_back({source.offsetOf(member->getBeginLoc()), unsigned(spelled.size()), known->second});
    if (!isNew) continue;
    if (!isArray && !type->isArithmeticType() && !type->isEnumeralType())
      return fail("the field " + key + " is neither a number nor an array");
    if (needOf(key) || llvm::any_of(body, [&](const Stmt *stmt) { return isFieldWritten(member, stmt); }))
      return fail("it writes the field " + key);
    if (!isArray) {
      text.before.push_back("const " + typeText(type.getUnqualifiedType(), source.context, key) + " " + known->second +
                            " = " + key + ";");
      firstprivates.push_back(known->second);
      continue;
    }
    std::optional<std::pair<std::string, ArrayName>> array = q.names.arrayOfField(key, q.place);
    if (!array || !array->second.row.empty()) return fail("what " + key + " points to has no name at this place");
    text.before.push_back(typeText(type->getPointeeType(), source.context, key + "[0]") + " *const " + known->second +
                          " = " + key + ";");
    array->second.text = known->second;
    if (!mapArray(array->first, array->second, needOf(array->first))) return fail(key + " is not part of the plan");
  }
}

/// Of what the body mentions; behind collect.
llvm::Error KernelWriter::sortClauses() {
  std::set<const FunctionDecl *> seen;
  for (const FunctionDecl *function : called)
    if (std::string reason = whyNotOnDevice(function, seen); !reason.empty()) fail(reason);
  if (why.empty()) placeStructSums();
  for (const ValueDecl *variable : mentioned)
    if (why.empty() && !inside.count(variable)) place(variable);
  if (why.empty()) placeFields();
  if (why.empty()) placeContainers();
  if (why.empty()) finalIndices();
  const bool isWhole = loop && !q.chunk;
  if (why.empty() && isWhole && !space.front().isSimple) computeBefore(space.front().to, "end");
  if (why.empty() && isWhole && !space.front().beginsSimply) computeBefore(space.front().from, "begin");
  if (why.empty() && q.chunk) checkChunk();
  if (!why.empty()) return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
  for (std::vector<std::string> *items : {&maps, &untouched}) {
    llvm::sort(*items);
    items->erase(std::unique(items->begin(), items->end()), items->end());
  }
  for (auto *names : {&privates, &lastprivates, &firstprivates, &scalarMaps}) llvm::sort(*names);
  if (loop && endings.empty()) shareLoops();
  if (!why.empty()) return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
  text.before.push_back(pragma());
  return llvm::Error::success();
}

} // namespace busfare::frontend::port
