//===- clang-plugin/walk/Tables.cpp - Whether the pointers in a table stay -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rows have one name (Rows.cpp) only while the pointers to them stay what they are.
// Every store is looked at, and every call of code that could store:
//
//   a[i] = a[k];            the rows of a are lost from here on
//   *unknown = p;           so are those of all tables
//   opaque(a);              and those that unseen code can reach
//   for (...) {a[0][0] = 1; a[0] = b;}   already in front of the loop: its trial walk saw it
//
// A lost row is what a pointer from memory always was: it may be in any array.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/library/PlainContainers.h"

namespace busfare::frontend {

using Kind = RowState::Kind;

static bool isOwn(const Object &object) {
  return object.array.storage == Storage::Local || object.array.storage == Storage::Heap;
}

/// What callers know the object by, as an ExtraFormal; nothing if they do not. A formal itself has no suffix.
std::optional<std::pair<int, std::string>> Walker::tableKey(const std::string &name) const {
  auto found = st.objects.find(name);
  if (found == st.objects.end()) return std::nullopt;
  if (found->second.origin != -3) return std::pair<int, std::string>{found->second.origin, found->second.originPath};
  for (unsigned k = 0; k < function->getNumParams(); ++k)
    if (auto named = st.names.find(llvm::cast<clang::ValueDecl>(function->getParamDecl(k)->getCanonicalDecl()));
        named != st.names.end() && named->second == name)
      return std::pair<int, std::string>{int(k), ""};
  return std::nullopt;
}

void Walker::loseTable(const std::string &name) {
  st.env.tables.lost.insert(name);
  st.env.tables.fresh.erase(name);
}

/// Those for which it holds, and tables that are reached through their pointers.
void Walker::loseTables(llvm::function_ref<bool(const std::string &name)> isLost) {
  const Tables &tables = st.env.tables;
  for (const auto &[name, one] : st.objects) {
    if (!one.isDeclared || !holdsPointers(one)) continue;
    const bool isLostAlready = tables.lost.count(name) && !tables.fresh.count(name);
    if (!isLostAlready && isReachedBy(name, isLost)) loseTable(name);
  }
}

void Walker::loseRows(llvm::function_ref<bool(const RowState &state)> isLost) {
  for (auto &[name, state] : st.env.tables.rows)
    if (isLost(state)) state = {Kind::Lost};
}

/// These have changed places, and their names with them. Only the rows of `tables` follow; the names of others would be
/// of other memory.
void Walker::loseRotated(const std::set<std::string> &objects, const std::set<std::string> &tables) {
  loseTables([&](const std::string &name) { return objects.count(name) != 0 && !tables.count(name); });
  for (auto &[rows, state] : st.env.tables.rows) {
    bool isMoved =
        (state.first && objects.count(state.first->object)) || (state.origin && objects.count(state.origin->object));
    bool follows = llvm::any_of(tables, [&rows = rows](const std::string &table) { return rows == table + "[]"; });
    if (isMoved && !follows) state = {Kind::Lost};
  }
}

/// A pointer was stored nobody knows where.
void Walker::forgetTables() {
  loseTables([](const std::string &) { return true; });
  st.env.tables.forgotten = true;
  st.env.tables.fresh.clear();
}

/// New memory, in which no pointer is set.
void Walker::noteFreshTable(const std::string &name) {
  Tables &tables = st.env.tables;
  tables.lost.erase(name);
  tables.fresh.insert(name);
  for (auto known = tables.rows.begin(); known != tables.rows.end();)
    known = llvm::StringRef(known->first).starts_with(name + "[]") ? tables.rows.erase(known) : std::next(known);
}

/// One of those that callers know by a name of their own was written, and may be any of them.
void Walker::loseTablesOfCallers() {
  loseTables([&](const std::string &name) {
    const Object &other = st.objects.at(name);
    return !isOwn(other) && other.rowsOf.empty() && !other.array.isRestrict && other.array.storage != Storage::Alias &&
           holdsPointers(name);
  });
}

/// Something is written. Pointers among it, or bytes of some?
void Walker::noteTableStore(const Place &place) {
  if (fillsTable || place.at.object.empty() || !st.objects.count(place.at.object)) return;
  const Object &target = object(place.at.object);
  TypeClass kind = classOf(place.type);
  bool isNumber = (kind == TypeClass::Integer || kind == TypeClass::Data) && !place.type.isNull();
  bool isByte = isNumber && bytesOf(place.type, context) == 1;
  if (target.array.storage == Storage::Alias) {
    if (isNumber && !isByte && unit.typesTell) return;
    if (target.array.mayBe.empty()) return lateLosses ? void(lateLosses->all = true) : forgetTables();
    std::set<std::string> any(target.array.mayBe.begin(), target.array.mayBe.end());
    loseTables([&](const std::string &name) { return any.count(name) != 0; });
    return;
  }
  if (!holdsPointers(place.at.object)) return;
  bool isPlainField = place.partial && !place.path.empty();
  if (isNumber && isPlainField) return;
  loseTable(place.at.object);
  // Two pointers that a caller passes may lead to one table. Of fields and rows it is assumed that they do not.
  if (isOwn(target) || target.isLoaded || !target.rowsOf.empty()) return;
  if (lateLosses) lateLosses->ofCallers = true;
  else loseTablesOfCallers();
}

/// What is known after two ways have met; `atStart`: of an iteration, from what is so before the loop and after an
/// iteration. Rows that some iterations have set and others will set are not set.
Tables Walker::mergeTables(const Tables &a, const Tables &b, bool atStart) const {
  Tables merged;
  merged.forgotten = a.forgotten || b.forgotten;
  merged.lost = a.lost;
  merged.lost.insert(b.lost.begin(), b.lost.end());
  auto ownMemory = [&](const std::string &name) {
    auto found = st.objects.find(name);
    return found == st.objects.end() || isOwn(found->second);
  };
  for (const auto &[one, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const std::string &name : one->fresh)
      if (other->fresh.count(name)) merged.fresh.insert(name);
      else if (!ownMemory(name) && st.objects.at(name).rowsOf.empty()) merged.lost.insert(name);
      else if (!merged.forgotten) merged.fresh.insert(name);
      else merged.lost.insert(name);
  // Containers are something, and have some size, whether they were given one or not.
  auto isOfContainers = [&](const std::string &name) {
    auto table = st.objects.find(name.substr(0, name.rfind("[]")));
    return table != st.objects.end() && handleOf(table->second.element) == Handle::Owner;
  };
  auto isMade = [](const RowState &state) { return state.kind == Kind::Filled || state.kind == Kind::Filling; };
  RowState jagged{Kind::Filled};
  jagged.isWhole = true;
  std::set<std::string> names;
  for (const auto &[name, state] : a.rows) names.insert(name);
  for (const auto &[name, state] : b.rows) names.insert(name);
  for (const std::string &name : names) {
    auto x = a.rows.find(name), y = b.rows.find(name);
    if (x != a.rows.end() && y != b.rows.end()) {
      const RowState &one = x->second, &other = y->second;
      auto isContinued = [](const RowState &first, const RowState &strided) {
        return first.kind == Kind::First && strided.kind == Kind::Strided && first.first == strided.first &&
               first.row == strided.row;
      };
      if (one == other) merged.rows[name] = one;
      else if (isOfContainers(name) && isMade(one) && isMade(other)) merged.rows[name] = jagged;
      else if (isContinued(one, other)) merged.rows[name] = atStart ? one : other;
      else if (isContinued(other, one) && !atStart) merged.rows[name] = one;
      else merged.rows[name] = {Kind::Lost};
      continue;
    }
    // Set on one way only: on the other there is no row, or one that nobody has used.
    const RowState &set = x != a.rows.end() ? x->second : y->second;
    bool isSet = set.kind != Kind::Lost && set.kind != Kind::Unset && set.kind != Kind::Entry;
    if (isOfContainers(name) && set.kind == Kind::Filled) merged.rows[name] = jagged; // empty on the other way
    else if (!isSet) merged.rows[name] = set;
    else if (!atStart || x != a.rows.end()) merged.rows[name] = set;
  }
  for (const std::string &name : merged.lost) merged.fresh.erase(name);
  return merged;
}

/// Outside of all loops: what they were setting is set.
void Walker::endFilling() {
  if (isInLoop()) return;
  for (auto &[name, state] : st.env.tables.rows)
    if (state.kind == Kind::Filling) state.kind = Kind::Filled;
}

/// Could anything in it store a pointer into memory? Only asked of code that also loads some.
bool Walker::mayChangeTables(llvm::ArrayRef<const clang::Stmt *> stmts) {
  bool loads = false, stores = false;
  auto isInMemory = [](const clang::Expr *expr) { // a reference and a structured binding may be names of an element
    const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParens());
    return !ref || ref->getDecl()->getType()->isReferenceType() || llvm::isa<clang::BindingDecl>(ref->getDecl());
  };
  auto mayHoldPointers = [&](clang::QualType type) {
    TypeClass kind = classOf(type);
    if (isStdStream(type) || type->isFunctionType() || isPlainValue(type.getNonReferenceType()))
      return false; // the library's own
    return kind != TypeClass::Integer && kind != TypeClass::Data;
  };
  auto isOfHandle = [&](const clang::FunctionDecl *callee) { // `v[i]`, `v.size()`
    const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    return method && method->isInstance() && handleOf(context.getRecordType(method->getParent())) != Handle::None;
  };
  // The field of what it is given, which may be an element of a table here.
  auto isPointerIn = [&](const clang::FunctionDecl *callee) {
    return [&, callee](const std::pair<int, std::string> &key) {
      const auto &[position, path] = key;
      if (position > int(callee->getNumParams())) return true;
      const clang::QualType type = recordAt(callee, position);
      const clang::RecordDecl *record = type.isNull() ? nullptr : type->getAsRecordDecl();
      const clang::FieldDecl *field = fieldAt(record, path);
      return position != -2 && (!field || mayHoldPointers(field->getType()));
    };
  };
  std::set<const clang::FunctionDecl *> seen; // lambdas, and what is given some
  std::function<void(const clang::Stmt *)> search = [&](const clang::Stmt *at) {
    if (!at || (loads && stores)) return;
    if (const auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at);
        cast && cast->getCastKind() == clang::CK_LValueToRValue && cast->getType()->isPointerType() &&
        isInMemory(cast->getSubExpr()))
      loads = true;
    const clang::Expr *target = nullptr;
    if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(at); op && op->isAssignmentOp()) target = op->getLHS();
    if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(at); op && op->isIncrementDecrementOp())
      target = op->getSubExpr();
    if (target && (mayHoldPointers(target->getType()) || bytesOf(target->getType(), context) == 1 || !unit.typesTell) &&
        isInMemory(target))
      stores = true;
    if (const auto *call = llvm::dyn_cast<clang::CallExpr>(at)) {
      const clang::FunctionDecl *callee = calleeOf(call);
      const Summary *known = callee ? unit.summaryOf(callee) : nullptr;
      bool isSystem =
          callee && (callee->getBuiltinID() || context.getSourceManager().isInSystemHeader(callee->getLocation()));
      if (known) {
        stores |= known->state != Summary::State::Done || known->doesOpaqueThings || known->forgetsTables ||
                  !known->lostTables.empty() || !known->filledRows.empty() ||
                  llvm::any_of(known->writtenFields, isPointerIn(callee)) ||
                  llvm::any_of(known->rotated, isPointerIn(callee));
        // It may load what this code does not.
        loads |= !known->extras.empty();
      } else if (isOfHandle(callee)) {
        stores |= changesHandle(call);
      } else if (!isSystem) {
        const clang::FunctionDecl *definition = bodyThatRuns(callee);
        const bool isInPlace = definition && mustWalkInPlace(callee);
        if (!isInPlace) stores = true;
        else if (seen.insert(definition).second) search(definition->getBody());
      } else {
        for (unsigned k = 0; k < call->getNumArgs(); ++k) {
          const clang::Expr *argument = call->getArg(k);
          clang::QualType type = argument->IgnoreParenImpCasts()->getType();
          // Bytes are anything's, where they may be written (not: `printf("%s", name)`).
          const bool isGiven = callee && k < callee->getNumParams();
          const clang::QualType formal = isGiven ? callee->getParamDecl(k)->getType() : clang::QualType();
          const bool mayWrite = isGiven && formal->isPointerType() && !formal->getPointeeType().isConstQualified();
          if (type->isPointerType() || type->isArrayType()) {
            const clang::QualType element = innermost(type->isPointerType() ? type->getPointeeType() : type, context);
            stores |= mayHoldPointers(element) || (mayWrite && bytesOf(element, context) == 1);
          } else stores |= argument->isGLValue() && mayHoldPointers(type);
        }
      }
    }
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(at)) {
      const bool isLibrarys = isPlainValue(made->getType()) || isStdStream(made->getType()) ||
                              (handleOf(made->getType()) == Handle::Owner && isPlainValue(pointeeOf(made->getType())));
      stores |= !made->getConstructor()->isTrivial() && !isLibrarys;
    }
    stores |= endsObject(at);
    for (const clang::Stmt *child : partsOf(at)) search(child);
  };
  for (const clang::Stmt *stmt : stmts) search(stmt);
  return loads && stores;
}

/// For callers: in which of their tables pointers are others at the function's end.
void Walker::summarizeTables() {
  if (returns.empty()) return;
  Tables end = returns.front().tables;
  for (const Environment &env : returns) end = mergeTables(end, env.tables, false);
  summary.forgetsTables = end.forgotten;
  for (const std::string &name : end.lost)
    if (auto key = tableKey(name)) summary.lostTables.insert(*key);
  for (const auto &[name, state] : end.rows) {
    auto rows = st.objects.find(name);
    std::string table = rows != st.objects.end() && !rows->second.rowsOf.empty() ? rows->second.rowsOf
                                                                                 : name.substr(0, name.rfind("[]"));
    auto key = tableKey(table);
    if (!key) continue;
    if (state.kind == Kind::Filled) summary.filledRows[{key->first, key->second + name.substr(table.size())}] = state;
    else if (state.kind != Kind::Entry) summary.lostTables.insert(*key);
  }
}

} // namespace busfare::frontend
