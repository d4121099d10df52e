//===- skeleton/InlineArrays.cpp - What array names stand for -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bindings of formals to actuals, subscripts in the actual's shape, and what to do
// when a name may stand for several objects. A formal p[i][j] of shape [?][m], bound
// to element 5 of a[n][n]:
//
//   m == n and 5 a multiple of n    a[i + 5/n][j]
//   otherwise                       a, from now on flat: a[i*m + j + 5]
//
// Pointers that a callee rotates can be expressed by rotating the actuals' names only
// if those are different whole arrays at equal offsets; otherwise all of them become
// aliases of the same set of objects.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Inliner.h"
#include "skeleton/Polynomial.h"
#include "skeleton/Rotation.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

namespace {

/// The product of all extents from `first` on; nothing if one is not known.
std::optional<Expr> product(const Extents &extents, size_t first) {
  Expr size = 1;
  for (size_t k = first; k < extents.size(); ++k) {
    if (!extents[k]) return std::nullopt;
    size = size * *extents[k];
  }
  return size.isPoisoned() ? std::nullopt : std::optional<Expr>(size);
}

/// The row-major position of the subscripts in the shape; nothing if one part is not known.
std::optional<Expr> linearise(const std::vector<Subscript> &subscripts, const Extents &extents) {
  Expr position = 0;
  for (size_t k = 0; k < subscripts.size(); ++k) {
    std::optional<Expr> stride = product(extents, k + 1);
    if (!subscripts[k].value || !stride) return std::nullopt;
    position = position + *subscripts[k].value * *stride;
  }
  return position.isPoisoned() ? std::nullopt : std::optional<Expr>(position);
}

/// Known to be the same in all dimensions but the outermost.
bool haveSameRows(const Extents &a, const Extents &b) {
  if (a.size() != b.size()) return false;
  for (size_t k = 1; k < a.size(); ++k)
    if (!a[k] || !b[k] || *a[k] != *b[k]) return false;
  return true;
}

/// As many dimensions, and nothing known to be different in all but the outermost.
bool haveRowsAlike(const Extents &a, const Extents &b) {
  if (a.size() != b.size()) return false;
  for (size_t k = 1; k < a.size(); ++k) {
    std::optional<int64_t> x = a[k] ? a[k]->constant() : std::nullopt, y = b[k] ? b[k]->constant() : std::nullopt;
    if (x && y && *x != *y) return false;
  }
  return true;
}

bool allocates(const Block &block, const std::string &name) {
  return llvm::any_of(block, [&](const Node &node) {
    if (const auto *allocate = std::get_if<Allocate>(&node.kind)) return allocate->array == name;
    if (const auto *loop = std::get_if<Loop>(&node.kind)) return allocates(loop->body, name);
    if (const auto *branch = std::get_if<Branch>(&node.kind))
      return allocates(branch->then, name) || allocates(branch->otherwise, name);
    return false;
  });
}

/// Joins the groups that share a name.
std::vector<Names> joined(const std::vector<Names> &groups) {
  std::vector<std::set<std::string>> sets;
  for (const Names &group : groups) {
    std::set<std::string> together(group.begin(), group.end());
    llvm::erase_if(sets, [&](const std::set<std::string> &other) {
      bool meets = llvm::any_of(other, [&](const std::string &name) { return together.count(name) != 0; });
      if (meets) together.insert(other.begin(), other.end());
      return meets;
    });
    sets.push_back(std::move(together));
  }
  std::vector<Names> result;
  for (const std::set<std::string> &group : sets) result.emplace_back(group.begin(), group.end());
  return result;
}

void collectCalls(const Block &block, std::vector<const Call *> &out) {
  for (const Node &node : block) {
    if (const auto *call = std::get_if<Call>(&node.kind)) {
      out.push_back(call);
    } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      collectCalls(loop->body, out);
    } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      collectCalls(branch->then, out);
      collectCalls(branch->otherwise, out);
    }
  }
}

/// The function's names that it, or a callee by reference, exchanges.
std::vector<Names> rotatedIn(const Program &program, const Function &function, std::set<const Function *> &path) {
  std::vector<Names> groups = rotatedTogether(function.body);
  std::vector<const Call *> calls;
  collectCalls(function.body, calls);
  path.insert(&function);
  for (const Call *call : calls) {
    const Function *callee = findFunction(program, call->callee);
    if (!callee || path.count(callee)) continue;
    for (const Names &group : rotatedIn(program, *callee, path)) {
      Names here;
      for (const std::string &name : group) {
        bool isOwn = llvm::any_of(callee->arrays, [&](const Array &a) { return a.name == name; });
        if (!isOwn) here.push_back(name); // a global
        for (size_t k = 0; k < callee->parameters.size() && k < call->arguments.size(); ++k)
          if (callee->parameters[k].byReference && callee->parameters[k].name == name)
            if (const auto *actual = std::get_if<ArrayArgument>(&call->arguments[k]); actual && !actual->array.empty())
              here.push_back(actual->array);
      }
      if (!here.empty()) groups.push_back(std::move(here));
    }
  }
  path.erase(&function);
  return joined(groups);
}

} // namespace

/// Globals whose extents speak of a constant that the root's parameters hide, and so mean something else in it.
void Inliner::declareGlobals() {
  for (const Array &global : program.globals) {
    bool isHidden = llvm::any_of(root.arrays, [&](const Array &a) { return a.name == global.name; });
    Extents extents = mapAll(global.extents, hidden);
    if (isHidden || extents == global.extents) continue;
    result.function.arrays.push_back(global);
    result.function.arrays.back().extents = extents;
  }
}

/// The name of a global in the result: another one if the root's own array hides it.
std::string Inliner::globalName(const std::string &name) {
  auto global = llvm::find_if(program.globals, [&](const Array &a) { return a.name == name; });
  bool isHidden = llvm::any_of(root.arrays, [&](const Array &a) { return a.name == name; });
  if (global == program.globals.end() || !isHidden) return name;
  Array copy = *global;
  copy.name = "::" + name;
  copy.extents = mapAll(copy.extents, hidden);
  if (!declared(copy.name)) result.function.arrays.push_back(copy);
  return copy.name;
}

std::optional<size_t> Inliner::placeOf(const std::string &name) const {
  const std::vector<Array> &arrays = result.function.arrays;
  for (; placed < arrays.size(); ++placed) places.try_emplace(arrays[placed].name, placed);
  auto found = places.find(name);
  return found == places.end() ? std::nullopt : std::optional<size_t>(found->second);
}

const Array *Inliner::declared(const std::string &name) const {
  if (std::optional<size_t> place = placeOf(name)) return &result.function.arrays[*place];
  auto global = llvm::find_if(program.globals, [&](const Array &array) { return array.name == name; });
  return global == program.globals.end() ? nullptr : &*global;
}

Binding Inliner::bindingOf(const std::string &name, Frame &frame) {
  auto found = frame.arrays.find(name);
  if (found != frame.arrays.end()) return found->second;
  std::string global = globalName(name);
  const Array *array = declared(global);
  return {global, Expr(0), array ? array->extents : Extents()};
}

bool Inliner::isAlias(const std::string &name) const {
  const Array *array = declared(name);
  return array && array->storage == Storage::Alias;
}

/// What the names may stand for as far as it is known, no aliases among it; isAny: one of them may be anything.
Names Inliner::knownObjectsOf(const Names &names, bool &isAny) const {
  std::set<std::string> objects, seen;
  Names open = names;
  while (!open.empty()) {
    std::string name = open.back();
    open.pop_back();
    if (!seen.insert(name).second) continue;
    if (!isAlias(name)) {
      objects.insert(name);
      continue;
    }
    const Array &alias = *declared(name);
    isAny |= alias.mayBe.empty();
    open.insert(open.end(), alias.mayBe.begin(), alias.mayBe.end());
    open.insert(open.end(), alias.likely.begin(), alias.likely.end());
  }
  return {objects.begin(), objects.end()};
}

/// The arrays the names may stand for, no aliases among them; empty = any.
Names Inliner::objectsOf(const Names &names) const {
  bool isAny = false;
  Names objects = knownObjectsOf(names, isAny);
  return isAny ? Names() : objects;
}

Binding Inliner::aliasFor(const std::string &name, const Array &like, Names mayBe) {
  Extents unknown(like.extents.size());
  if (std::optional<size_t> place = placeOf(name)) {
    Array *known = &result.function.arrays[*place];
    // Seen before: it may be what it may be at either place.
    Names both = known->mayBe;
    both.insert(both.end(), mayBe.begin(), mayBe.end());
    known->mayBe = mayBe.empty() || known->mayBe.empty() ? Names() : objectsOf(both);
    known->isFixed = false;
    if (known->mayBe.empty()) known->likely.insert(known->likely.end(), both.begin(), both.end());
    return {name, Expr(0), unknown};
  }
  Array alias;
  alias.name = name;
  alias.type = like.type;
  alias.extents = unknown;
  alias.storage = Storage::Alias;
  bool isAny = false;
  Names objects = knownObjectsOf(mayBe, isAny);
  (isAny ? alias.likely : alias.mayBe) = std::move(objects);
  alias.location = like.location;
  result.function.arrays.push_back(std::move(alias));
  return {name, Expr(0), unknown};
}

Binding Inliner::resolve(const ArrayArgument &argument, const Array &formal, Frame &caller,
                         const std::string &aliasName) {
  if (argument.array.empty()) {
    unknownArguments.insert(aliasName);
    return aliasFor(aliasName, formal, {});
  }
  Binding actual = bindingOf(argument.array, caller);
  if (auto group = confused.find(actual.array); group != confused.end())
    return aliasFor(aliasName, formal, group->second);
  const Array *array = declared(actual.array);
  if (!array) return aliasFor(aliasName, formal, {});
  std::optional<Expr> offset = mapExpr(argument.offset, caller);
  if (offset && actual.offset) offset = *offset + *actual.offset;
  if (array->storage == Storage::Alias || !offset || !actual.offset || offset->isPoisoned() ||
      array->type.bytes != formal.type.bytes)
    return aliasFor(aliasName, formal, {actual.array});
  std::vector<Expr> row = actual.row;
  for (const Expr &subscript : argument.row) row.push_back(subscript.substitute(caller.symbols));
  // One row, which has one dimension: nothing says how deep the callee goes otherwise.
  bool isOneRow = (actual.row.empty() || argument.row.empty()) && formal.extents.size() == 1 &&
                  array->extents.size() == row.size() + 1;
  if (!row.empty() && (!isOneRow || llvm::any_of(row, [](const Expr &subscript) { return subscript.isPoisoned(); })))
    return aliasFor(aliasName, formal, {actual.array});
  return {actual.array, offset, {}, std::move(row)};
}

/// Whether rotating the arrays' names says what rotating the frame's names does: different whole arrays, alike, at
/// equal offsets, and none whose variable the frame also sees (a global, a reference) while its name is a copy of it.
bool Inliner::canRotateByName(const Names &group, Frame &frame) {
  Binding first = bindingOf(group.front(), frame);
  std::set<std::string> arrays;
  for (const std::string &name : group) {
    Binding binding = bindingOf(name, frame);
    const Array *array = declared(binding.array), *other = declared(first.array);
    if (!array || !other || !arrays.insert(binding.array).second) return false;
    if (array->storage == Storage::Alias || confused.count(binding.array) || binding.offset != first.offset ||
        !binding.row.empty())
      return false;
    if (array->type != other->type || !haveSameRows(array->extents, other->extents) ||
        !haveSameRows(binding.extents, first.extents))
      return false;
    bool isCopy = endOfRotation(name, frame) == frame.depth;
    bool isAlsoVariable =
        array->storage == Storage::Global || llvm::any_of(frame.references, [&](const auto &reference) {
          return bindingOf(reference.first, frame).array == binding.array;
        });
    if (isCopy && isAlsoVariable) return false;
  }
  return true;
}

/// Makes the frame's name an alias of these arrays.
void Inliner::bindToAny(const std::string &name, Frame &frame, const Names &arrays) {
  const Array *like = findArray(program, *frame.function, name);
  if (!like) return;
  const Array *taken = declared(frame.prefix + name);
  bool isTaken = taken && taken->storage != Storage::Alias;
  frame.arrays[name] = aliasFor(frame.prefix + name + (isTaken ? ".any" : ""), *like, arrays);
}

bool Inliner::rotatesAnything(const Function &function) const {
  std::set<const Function *> path;
  return !rotatedIn(program, function, path).empty();
}

/// Formals whose rotation cannot be told by rotating the actuals become aliases of all they may be. So do those that
/// keep their object while its name is rotated, and those given new memory, which the caller's names do not follow (but
/// those of InlineRemade.cpp).
void Inliner::uniteRotated(Frame &frame) {
  for (const Parameter &parameter : frame.function->parameters)
    if (parameter.kind == Parameter::Kind::Array && !parameter.byReference && frame.arrays.count(parameter.name) &&
        !frame.remade.count(parameter.name) && allocates(frame.function->body, parameter.name))
      bindToAny(parameter.name, frame, {});
  std::set<const Function *> path;
  std::vector<Names> groups = rotatedIn(program, *frame.function, path);
  // Again, because a name that becomes an alias takes its group with it.
  for (size_t round = 0; round <= groups.size(); ++round)
    for (const Names &group : groups) uniteGroup(group, frame);
}

void Inliner::uniteGroup(const Names &group, Frame &frame) {
  Names arrays;
  bool isAny = false, isLasting = false;
  for (const std::string &name : group) {
    arrays.push_back(bindingOf(name, frame).array);
    isLasting |= endOfRotation(name, frame) != frame.depth;
    if (auto known = confused.find(arrays.back()); known != confused.end()) {
      arrays.insert(arrays.end(), known->second.begin(), known->second.end());
      isAny |= known->second.empty();
    }
  }
  Names objects = isAny ? Names() : objectsOf(arrays);
  if (!canRotateByName(group, frame)) {
    for (const std::string &name : group) bindToAny(name, frame, objects);
    // What the callee leaves behind cannot be told either.
    if (isLasting) confuse(arrays);
    return;
  }
  // Copies of the pointers that are rotated; a reference to one changes with it.
  Names copies;
  for (const auto &[name, binding] : frame.arrays)
    if (!llvm::is_contained(group, name) && !frame.references.count(name) && llvm::is_contained(arrays, binding.array))
      copies.push_back(name);
  for (const std::string &name : copies) bindToAny(name, frame, objects);
}

/// A recursive call may exchange globals as its function does.
void Inliner::confuseGlobals(const Function &callee) {
  std::set<const Function *> path;
  for (const Names &group : rotatedIn(program, callee, path)) {
    Names globals;
    for (const std::string &name : group)
      if (llvm::any_of(program.globals, [&](const Array &a) { return a.name == name; }))
        globals.push_back(globalName(name));
    if (globals.size() > 1) confuse(globals);
  }
}

/// The subscript so many elements further on; nothing is known of it if that is no formula.
static Subscript shifted(Subscript subscript, const Expr &by) {
  for (std::optional<Expr> *part : {&subscript.value, &subscript.atLeast, &subscript.atMost})
    if (*part) {
      *part = **part + by;
      if ((*part)->isPoisoned()) return {};
    }
  if (subscript.from) {
    subscript.from->offset = subscript.from->offset + by;
    if (subscript.from->offset.isPoisoned()) return {};
  }
  return subscript;
}

std::vector<Subscript> Inliner::mapSubscripts(const Access &access, const Binding &binding, Frame &frame) {
  std::vector<Subscript> formal;
  for (const Subscript &s : access.subscripts) {
    formal.push_back({mapExpr(s.value, frame), mapExpr(s.atLeast, frame), mapExpr(s.atMost, frame), s.from});
    mapLoaded(formal.back().from, frame);
  }
  const Array *actual = declared(binding.array);
  size_t rank = actual ? actual->extents.size() : formal.size();
  if (rank == 0) return {};
  std::vector<Subscript> unknown(rank);
  if (!binding.offset) return unknown;
  if (!binding.row.empty()) {
    if (formal.size() != 1 || rank != binding.row.size() + 1) return unknown;
    Subscript inRow = shifted(formal[0], *binding.offset);
    std::vector<Subscript> all;
    for (const Expr &subscript : binding.row) all.push_back({subscript, {}, {}});
    all.push_back(std::move(inRow));
    return all;
  }
  // Row i, element j of it: however long the rows are.
  if (actual && actual->rows != Rows::None && binding.offset->isZero() &&
      haveRowsAlike(binding.extents, actual->extents) && formal.size() == rank)
    return formal;
  if (actual && haveSameRows(binding.extents, actual->extents) && formal.size() == rank) {
    std::optional<Expr> row = product(actual->extents, 1);
    if (binding.offset->isZero()) return formal;
    if (std::optional<Expr> rows = row ? divideExactly(*binding.offset, *row) : std::nullopt) {
      bool wasKnown = formal[0].value || formal[0].atLeast || formal[0].atMost || formal[0].from;
      formal[0] = shifted(formal[0], *rows);
      return wasKnown && formal[0] == Subscript() ? unknown : formal;
    }
  }
  std::optional<Expr> position = linearise(formal, binding.extents);
  if (position) position = *position + *binding.offset;
  if (position && position->isPoisoned()) position.reset();
  if (rank > 1) {
    if (!product(actual->extents, 1)) return unknown;
    flattened.insert(binding.array);
  }
  return {Subscript{position, std::nullopt, std::nullopt}};
}

Access Inliner::mapAccess(const Access &access, Frame &frame) {
  Binding binding = bindingOf(access.array, frame);
  Access mapped = access;
  mapped.array = binding.array;
  mapped.may |= sharedDepth > 0 && mapped.kind != AccessKind::Read;
  if (mapped.value) {
    std::optional<Expr> value = mapExpr(*mapped.value, frame);
    mapped.value = value ? Rare<Expr>(*value) : Rare<Expr>();
  }
  // The same bytes of the elements that the caller sees only if those are as large, and begin where the callee's do.
  const Array *seen = skeleton::findArray(program, *frame.function, access.array), *meant = declared(binding.array);
  if (mapped.part.bytes && (!seen || !meant || seen->type != meant->type || !binding.offset)) {
    mapped.part = {};
    mapped.may |= mapped.kind != AccessKind::Read;
  }
  auto group = confused.find(binding.array);
  if (group == confused.end()) {
    mapped.subscripts = mapSubscripts(access, binding, frame);
    noteWritten(access, mapped, frame);
    return mapped;
  }
  const Array one = *declared(binding.array);
  std::string name;
  for (const std::string &other : group->second) name += (name.empty() ? "" : "|") + other;
  if (group->second.size() < 2) // any array, or elsewhere in the same one
    name = binding.array + (name.empty() ? "|?" : "|");
  // Arrays of different rank may have been mixed up.
  if (const Array *taken = declared(name); taken && taken->extents.size() != one.extents.size())
    name += "." + std::to_string(one.extents.size());
  mapped.array = aliasFor(name, one, group->second).array;
  mapped.subscripts.assign(one.extents.size(), Subscript());
  mapped.may = true;
  noteWritten(access, mapped, frame);
  return mapped;
}

/// From here on each of the names may stand for what any of them stands for.
void Inliner::confuse(const Names &names) {
  Names group = objectsOf(names);
  bool isAny = group.empty();
  std::set<std::string> together(names.begin(), names.end());
  together.insert(group.begin(), group.end());
  for (const std::string &name : Names(together.begin(), together.end()))
    if (auto known = confused.find(name); known != confused.end()) {
      together.insert(known->second.begin(), known->second.end());
      isAny |= known->second.empty();
    }
  Names members;
  for (const std::string &name : together)
    if (!isAlias(name)) members.push_back(name);
  for (const std::string &name : members) {
    confused[name] = isAny ? Names() : members;
    if (loopDepth > 0) confusedInLoops[name] = confused[name];
  }
}

/// The depth of the frame at whose end a rotation of the frame's name ceases to hold; 0 = never.
unsigned Inliner::endOfRotation(const std::string &name, const Frame &frame) const {
  if (!frame.caller) return 0;
  auto reference = frame.references.find(name);
  if (reference != frame.references.end()) return endOfRotation(reference->second, *frame.caller);
  auto own = llvm::find_if(frame.function->arrays, [&](const Array &a) { return a.name == name; });
  bool isGlobal = own == frame.function->arrays.end() || own->storage == Storage::Global;
  return isGlobal ? 0 : frame.depth;
}

void Inliner::flatten(Block &block) {
  for (Node &node : block) {
    if (auto *access = std::get_if<Access>(&node.kind)) {
      const Array *array = flattened.count(access->array) ? declared(access->array) : nullptr;
      if (array && array->extents.size() > 1 && access->subscripts.size() == array->extents.size())
        access->subscripts = {Subscript{linearise(access->subscripts, array->extents), std::nullopt, std::nullopt}};
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      flatten(loop->body);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      flatten(branch->then);
      flatten(branch->otherwise);
    } else if (auto *host = std::get_if<HostStatement>(&node.kind)) {
      if (llvm::any_of(host->body, [&](const Node &inner) { // or it stays what others have, too
            return flattened.count(std::get<Access>(inner.kind).array) != 0;
          }))
        flatten(host->body.edit());
    } else if (auto *allocate = std::get_if<Allocate>(&node.kind)) {
      if (flattened.count(allocate->array) && allocate->extents.size() > 1)
        allocate->extents = {product(allocate->extents, 0)};
    }
  }
}

/// Gives the arrays in `flattened`, and those they are rotated with, one dimension.
void Inliner::flattenArrays(Block &body) {
  for (const Names &group : rotatedTogether(body))
    if (llvm::any_of(group, [&](const std::string &name) { return flattened.count(name) != 0; }))
      for (const std::string &name : group)
        if (const Array *array = declared(name); array && array->extents.size() > 1) flattened.insert(name);
  flatten(body);
  for (const std::string &name : flattened) {
    // A global of another shape in this root is declared again, flat.
    if (!llvm::any_of(result.function.arrays, [&](const Array &a) { return a.name == name; }))
      if (const Array *global = declared(name)) result.function.arrays.push_back(Array(*global));
    for (Array &array : result.function.arrays)
      if (array.name == name) array.extents = {product(array.extents, 0)};
  }
}

/// An alias keeps to its objects while names rotate: it may be what any name of their rotations denotes.
void Inliner::closeAliases(const Block &body) {
  std::vector<Names> groups = rotatedTogether(body);
  for (const auto &[name, group] : confused) groups.push_back(group);
  groups = joined(groups);
  for (Array &array : result.function.arrays) {
    if (array.storage != Storage::Alias || array.mayBe.empty()) continue;
    Names all = array.mayBe;
    for (const Names &group : groups)
      if (llvm::any_of(group, [&](const std::string &name) { return llvm::is_contained(array.mayBe, name); }))
        all.insert(all.end(), group.begin(), group.end());
    bool isAny = llvm::any_of(all, [&](const std::string &name) {
      auto known = confused.find(name);
      return known != confused.end() && known->second.empty();
    });
    array.mayBe = isAny ? Names() : objectsOf(all);
  }
}
