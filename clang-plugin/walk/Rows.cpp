//===- clang-plugin/walk/Rows.cpp - Tables of pointers, flattened --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A pointer that is loaded from an element of an object points into one more array,
// the object's rows:
//
//   double **a;      a[i][j]         read `a[]`[i][j]
//   struct P *p;     p[i].coord[d]   read `p[].coord`[i][d]
//   double ***u;     u[i][j][k]      read `u[][]`[i][j][k]
//
// `a[]`[i] is the memory that a[i] points to, as long as the pointers stay what they
// are: Tables.cpp watches the stores, and what may have been changed is followed no
// further. That rows do not overlap, nor any other array, is an assumption (BF041)
// unless each was seen to be allocated by itself:
//
//   for (i = 0; i < n; i++) a[i] = malloc(m * sizeof(double));     `a[]` : f64[n][m]
//
// Not followed: pointers to structs (linked ones come back to where they were),
// pointers in arrays of an element, and in unions.
//
//===----------------------------------------------------------------------===//
#include "MadeBefore.h"
#include "Walk.h"
#include "clang-plugin/library/PlainContainers.h"
#include "skeleton/Visit.h"

namespace busfare::frontend {

using Kind = RowState::Kind;

/// May pointers lie in it?
bool Walker::holdsPointers(const std::string &name) const {
  auto found = st.objects.find(name);
  return found != st.objects.end() && holdsPointers(found->second);
}

bool Walker::holdsPointers(const Object &object) const {
  using Type = skeleton::ElementType::Kind;
  const Type kind = object.array.type.kind; // asked first: it is the cheapest
  if ((kind != Type::Pointer && kind != Type::Struct) || object.element.isNull()) return false;
  auto [known, isNew] = holdersByType.try_emplace(object.element.getAsOpaquePtr(), false);
  if (isNew)
    known->second = !isStdStream(object.element) && !isPlainValue(object.element) &&
                    !isFile(object.element, context); // none of the program's
  return known->second;
}

/// Is it main's argv? Its texts are the system's: nothing of the program lies there, as long as nobody sets another
/// pointer.
bool Walker::isOfArguments(const std::string &name) const {
  if (!isMain || function->getNumParams() < 2) return false;
  auto named = st.names.find(llvm::cast<clang::ValueDecl>(function->getParamDecl(1)->getCanonicalDecl()));
  return named != st.names.end() && named->second == name;
}

/// What the flattened rows are called that the pointer in this place is one of; empty if they are not followed.
std::string Walker::rowsName(const Place &place) const {
  const std::string &name = place.at.object;
  if (!place.variable.empty() || name.empty() || !st.isDeclared(name) || !holdsPointers(name)) return "";
  const Object &table = st.objects.at(name);
  if (table.array.storage == Storage::Alias || !table.prefix.empty()) return "";
  const bool isContainer = handleOf(place.type) == Handle::Owner;
  if ((!place.type->isPointerType() && !isContainer) || place.type.isVolatileQualified()) return "";
  if (isMain && table.array.storage == Storage::Parameter && st.env.tables.fresh.count(name) == 0 &&
      !isOfArguments(name))
    return "";
  bool isElement = !place.partial && !place.at.inside && table.array.type.kind == skeleton::ElementType::Kind::Pointer;
  bool isField = !isContainer && place.partial && !place.path.empty() && table.element->isRecordType();
  if (!isElement && !isField) return "";
  clang::QualType row = pointeeOf(place.type);
  clang::QualType element = innermost(row, context);
  const bool isOfContainers = isContainer && handleOf(element) == Handle::Owner;
  TypeClass kind = classOf(element);
  if (kind == TypeClass::Record || kind == TypeClass::Other || bytesOf(element, context) == 0 ||
      element->isVoidType() || (handleOf(element) != Handle::None && !isOfContainers))
    return "";
  return name + "[]" + (isField ? place.path : "");
}

/// Of rows, and of their rows: the object that is none.
std::string Walker::rootOf(const std::string &name) const {
  std::string root = name;
  for (auto found = st.objects.find(root); found != st.objects.end() && !found->second.rowsOf.empty();
       found = st.objects.find(root))
    root = found->second.rowsOf;
  return root;
}

/// Is the object one of these, or can it be reached by pointers that lie in one?
bool Walker::isReached(const std::string &name, const std::set<std::string> &from) const {
  return isReachedBy(name, [&](const std::string &at) { return from.count(at) != 0; });
}

/// It itself, or a table that it is the rows of.
bool Walker::isReachedBy(const std::string &name, llvm::function_ref<bool(const std::string &name)> isIt) const {
  for (auto at = st.objects.find(name); at != st.objects.end(); at = st.objects.find(at->second.rowsOf)) {
    if (isIt(at->first)) return true;
    if (at->second.rowsOf.empty()) break;
  }
  return false;
}

RowState Walker::rowsState(const std::string &table, const std::string &rows) const {
  const Tables &tables = st.env.tables;
  if (tables.lost.count(table)) return {Kind::Lost};
  if (auto known = tables.rows.find(rows); known != tables.rows.end()) return known->second;
  if (tables.fresh.count(table)) return {Kind::Unset};
  if (tables.forgotten) return {Kind::Lost};
  Storage storage = st.objects.at(table).array.storage;
  if (storage == Storage::Local || storage == Storage::Heap) return {Kind::Unset};
  const std::string root = rootOf(table);
  const Object &owner = st.objects.at(root);
  bool isSeenElsewhere = owner.isGlobal || !owner.originPath.empty();
  if (const clang::VarDecl *global = globalOf(root);
      isSeenElsewhere && st.env.forgetsPointers && (st.env.forgetsStatics || !(global && isOutOfReach(global))))
    return {Kind::Lost};
  // A table with a value from the start may point to arrays that have names of their own.
  if (auto global = unit.globalNames.find(root.substr(0, root.find_first_of(".-[")));
      global != unit.globalNames.end() && owner.isGlobal)
    if (!global->second->getType()->isPointerType() && unit.mayPointElsewhere(root)) return {Kind::Lost};
  return {Kind::Entry};
}

/// The array of all rows; their memory is the table's owner's, unless each was allocated here.
Object &Walker::declareRows(const Place &place, const RowState &state, Location location) {
  std::string name = rowsName(place), table = place.at.object;
  if (st.isDeclared(name)) return object(name);
  const Object owner = object(table); // declareObject may move it
  clang::QualType row = pointeeOf(place.type);
  bool isOwn = owner.array.storage == Storage::Local || owner.array.storage == Storage::Heap;
  bool isDistinct =
      (state.kind == Kind::Filling || state.kind == Kind::Filled) && (isOwn || st.env.tables.fresh.count(table));
  isDistinct |= handleOf(place.type) == Handle::Owner;
  isOwn |= isMain && isDistinct; // nobody sees them when the program has ended
  Object &made = declareObject(name, row,
                               isOwn                                   ? Storage::Heap
                               : owner.array.storage == Storage::Given ? Storage::Given
                                                                       : Storage::Parameter,
                               location);
  std::vector<std::optional<Symbolic>> extents = owner.array.extents;
  extents.push_back(state.length);
  extents.insert(extents.end(), made.array.extents.begin(), made.array.extents.end());
  made.array.extents = extents;
  made.array.rows = isDistinct ? skeleton::Rows::Distinct : skeleton::Rows::Assumed;
  made.rowsOf = table;
  const clang::FieldDecl *field =
      place.path.empty() ? nullptr
                         : fieldAt(owner.element->getAsRecordDecl(), llvm::StringRef(place.path).drop_front());
  made.array.isSized = field && unit.countBehind(field);
  made.array.isSteady =
      st.doubtedTables.count(table) || (st.env.opaque && !isOwn && owner.array.storage != Storage::Given);
  made.isConstPointee = row.isConstQualified();
  if (isOwn) return made;
  if (auto key = tableKey(table)) {
    made.origin = key->first;
    made.originPath = key->second + name.substr(table.size());
  }
  return made;
}

/// Where the pointer in this place points to; nothing if it may be anywhere.
std::optional<Pointer> Walker::rowAt(const Place &place, Location location) {
  std::string name = rowsName(place);
  if (name.empty()) return std::nullopt;
  RowState state = rowsState(place.at.object, name);
  if (state.kind == Kind::Lost || state.kind == Kind::Unset) return std::nullopt;
  Pointer at = place.at;
  normalize(at);
  if (state.kind == Kind::First || state.kind == Kind::Strided) return stridedRow(at, state);
  const Object &rows = declareRows(place, state, location);
  Pointer result;
  result.object = name;
  result.index = at.index;
  result.index.resize(rows.array.extents.size(), Symbolic(0));
  return result;
}

/// Of `a[1]`: 1. Nothing if one of them is no number.
static std::optional<std::vector<int64_t>> constantsOf(llvm::ArrayRef<std::optional<Symbolic>> subscripts) {
  std::vector<int64_t> numbers;
  for (const std::optional<Symbolic> &subscript : subscripts) {
    const std::optional<int64_t> number = subscript ? subscript->constant() : std::nullopt;
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Are all pointers that the function stores into the table set by number to what calls give, and more than one? (After
/// `a[0] = malloc(n * m)` alone the others may lead into the same memory.)
static bool isSetByNumber(const clang::BinaryOperator *assign, const clang::FunctionDecl *function,
                          const clang::ASTContext &context) {
  auto tableOf = [](const clang::Expr *target) {
    const auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target->IgnoreParens());
    return element ? variableOf(element->getBase()) : nullptr;
  };
  const clang::VarDecl *table = tableOf(assign->getLHS());
  unsigned stores = 0;
  bool areNumbers = table != nullptr;
  std::function<void(const clang::Stmt *)> look = [&](const clang::Stmt *at) {
    if (!at || !areNumbers) return;
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(at);
        op && op->isAssignmentOp() && tableOf(op->getLHS()) == table) {
      clang::Expr::EvalResult number;
      areNumbers =
          llvm::isa<clang::CallExpr, clang::CXXNewExpr>(op->getRHS()->IgnoreParenCasts()) &&
          llvm::cast<clang::ArraySubscriptExpr>(op->getLHS()->IgnoreParens())->getIdx()->EvaluateAsInt(number, context);
      ++stores;
    }
    for (const clang::Stmt *part : partsOf(at)) look(part);
  };
  look(function->getBody());
  return areNumbers && stores > 1;
}

/// `a[i] = malloc(...)` in loops over all of i, or `a[0] = malloc(...); a[1] = ...` outside of any: each row is memory
/// of its own, and is set once.
std::optional<Pointer> Walker::allocateRow(const Place &place, const clang::BinaryOperator *assign) {
  std::string name = rowsName(place), table = place.at.object;
  if (name.empty()) return std::nullopt;
  const clang::Expr *value = assign->getRHS()->IgnoreParenCasts();
  const auto *call = llvm::dyn_cast<clang::CallExpr>(value);
  const clang::FunctionDecl *callee = call ? calleeOf(call) : nullptr;
  if (!llvm::isa<clang::CXXNewExpr>(value) && (!callee || !callee->getIdentifier() || callee->getName() == "realloc"))
    return std::nullopt;
  RowState state = rowsState(table, name);
  bool isKnown = st.isDeclared(name);
  bool isFirst = (state.kind == Kind::Unset || state.kind == Kind::Entry) && !isKnown;
  Pointer at = place.at;
  normalize(at);
  std::vector<const Frame *> loops;
  for (const Frame &frame : st.frames)
    if (!frame.isSwitch) loops.push_back(&frame);
  const bool isByNumber = loops.empty() && state.kind != Kind::Entry && !pointeeOf(place.type)->isPointerType() &&
                          isSetByNumber(assign, function, context);
  std::optional<std::vector<int64_t>> single = isByNumber ? constantsOf(at.index) : std::nullopt;
  const bool isNext = single && state.kind == Kind::Filled && !state.single.empty() && !state.single.count(*single);
  if (!isFirst && !isNext && !(state.kind == Kind::Filling && state.by == assign)) return std::nullopt;
  if (!single && (loops.empty() || loops.size() != at.index.size())) return std::nullopt;
  unsigned mark = single ? st.counter : loops.front()->mark;
  for (size_t d = 0; d < loops.size(); ++d) {
    if (!at.index[d]) return std::nullopt;
    if (loops[d]->symbol.empty()) continue; // on trial; for good it is asked again
    auto step = at.index[d]->coefficientOf(loops[d]->symbol);
    if (!step || !step->constant() || *step->constant() == 0) return std::nullopt;
    if (!isMadeBefore(st, *at.index[d] - *step * Symbolic::symbol(loops[d]->symbol), mark)) return std::nullopt;
  }
  // The allocation as it stands, but for the name it would give its memory.
  flush();
  Block scratch, *before = out;
  size_t known = st.objectOrder.size();
  out = &scratch;
  Pointer fresh = pointer(assign->getRHS());
  flush();
  out = before;
  bool isFresh = !fresh.object.empty() && st.objectOrder.size() > known &&
                 llvm::is_contained(llvm::drop_begin(st.objectOrder, known), fresh.object) &&
                 object(fresh.object).array.storage == Storage::Heap && object(fresh.object).bytes &&
                 object(fresh.object).prefix.empty() &&
                 llvm::all_of(fresh.index, [](auto &i) { return i && i->isZero(); });
  bool isZeroed = false;
  std::function<bool(const Node &)> isOfMemory = [&](const Node &node) {
    if (const auto *made = std::get_if<skeleton::Allocate>(&node.kind)) return made->array == fresh.object;
    if (const auto *one = std::get_if<Access>(&node.kind)) return one->array == fresh.object && (isZeroed = true);
    if (const auto *loop = std::get_if<skeleton::Loop>(&node.kind)) return llvm::any_of(loop->body, isOfMemory);
    return false;
  };
  // What else is done to it there, as a table of rows of its own is filled, knows it by its name.
  auto mentions = [&](const Node &node) {
    if (const auto *one = std::get_if<Access>(&node.kind)) return one->array == fresh.object;
    const auto *made = std::get_if<skeleton::Call>(&node.kind);
    return made && llvm::any_of(made->arguments, [&](const auto &argument) {
             const auto *given = std::get_if<skeleton::ArrayArgument>(&argument);
             return given && given->array == fresh.object;
           });
  };
  for (const Node &node : scratch)
    if (!isOfMemory(node))
      skeleton::forEachNode(llvm::ArrayRef(node), [&](const Node &inner) { isFresh &= !mentions(inner); });
  if (!isFresh) {
    for (Node &node : scratch) put(std::move(node));
    assignPointer(place, fresh, locate(assign->getLHS()));
    return fresh;
  }
  for (Node &node : scratch)
    if (!isOfMemory(node)) put(std::move(node));
  Symbolic bytes = *object(fresh.object).bytes;
  st.objects.erase(fresh.object);
  llvm::erase(st.objectOrder, fresh.object);

  Location location = locate(assign);
  clang::QualType row = place.type->getPointeeType();
  RowState made{single ? Kind::Filled : Kind::Filling};
  if (single) {
    made.single = state.single;
    made.single.insert(*single);
  } else {
    made.by = assign;
  }
  // Of a table that was not made here some rows may stay what they were.
  made.isWhole = object(table).array.storage == Storage::Local || object(table).array.storage == Storage::Heap ||
                 st.env.tables.fresh.count(table);
  if (auto size = elementsIn(row, 1); size && made.isWhole && isMadeBefore(st, bytes, mark))
    if (auto count = size->constant(); count && *count > 0) made.length = floorDiv(bytes, *count);
  if ((state.kind == Kind::Filling || isNext) && state.length != made.length) made.length = std::nullopt;
  Object &rows = declareRows(place, made, location);
  if (isKnown && rows.array.extents[at.index.size()] != made.length) rows.array.extents[at.index.size()] = std::nullopt;
  st.env.tables.rows[name] = made;
  noteFreshTable(name);
  host(HostReason::Allocation, "memory for each row", {}, location);
  fillsTable = true;
  write(place, location);
  fillsTable = false;
  Pointer result;
  result.object = name;
  result.index = at.index;
  result.index.resize(object(name).array.extents.size(), Symbolic(0));
  if (isZeroed) {
    Pointer all = result;
    for (size_t d = at.index.size(); d < all.index.size(); ++d) all.index[d] = std::nullopt;
    Place whole{all, object(name).element};
    std::vector<skeleton::Finding> quiet = st.findings;
    write(whole, location, true);
    st.findings = std::move(quiet);
  }
  return result;
}

/// What stands in the report of flattened rows: one sentence for each array of them.
void Walker::reportRows() {
  for (const std::string &name : st.objectOrder) {
    const Object &one = st.objects[name];
    if (one.rowsOf.empty() || !one.isUsed || isOfArguments(one.rowsOf)) continue;
    bool isAssumed = one.array.rows == skeleton::Rows::Assumed;
    find(
        Rule::FlattenedRows, one.array.location,
        "the rows of " + one.rowsOf + " are taken as one array " + name +
            (isAssumed
                 ? "; it is assumed that they overlap neither each other nor any other array, that each is used within itself, and that "
                   "nothing unseen changes the pointers"
                 : ", each of them memory of its own") +
            ". They cross one by one, and a kernel needs them flattened");
  }
}

} // namespace busfare::frontend
