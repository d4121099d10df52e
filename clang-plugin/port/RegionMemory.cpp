//===- clang-plugin/port/RegionMemory.cpp - When a region's arrays have device memory -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Containers.h"
#include "clang-plugin/port/Pages.h"
#include "clang-plugin/port/RegionWriter.h"
#include "skeleton/Rotation.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

/// The first of the places where a name reaches the array.
std::optional<Place> RegionWriter::reaching(llvm::ArrayRef<Place> places, const std::string &array) {
  for (const Place &place : places)
    if (!names.namesOf(array, place).empty()) return place;
  return std::nullopt;
}

/// Is the array's memory allocated in the call that leads from there to where the region begins? The same name is other
/// memory then.
bool RegionWriter::isMadeBehind(const Place &place, const std::string &array) const {
  unsigned below = entries.back().path;
  while (below != place.path && below != 0 && q.root.paths[below].caller != place.path)
    below = q.root.paths[below].caller;
  if (below == place.path) return false;
  bool isMade = false;
  forEachNode(q.root.function.body, [&](const Node &node) {
    const auto *one = std::get_if<Allocate>(&node.kind);
    isMade |= one && one->array == array && isBelow(node.path, below);
  });
  return isMade;
}

std::optional<Place> RegionWriter::entryFor(const std::string &array) {
  std::vector<Place> places(entries.begin() + ptrdiff_t(firstEntry), entries.end());
  llvm::erase_if(places, [&](const Place &place) { return isMadeBehind(place, array); });
  return reaching(places, array);
}

llvm::ArrayRef<Node> RegionWriter::statements() const {
  return llvm::ArrayRef(*q.region.block).slice(q.region.first, q.region.last - q.region.first + 1);
}

RegionWriter::MemoryInside RegionWriter::memoryOf(const std::string &array) const {
  MemoryInside memory;
  forEachNode(statements(), [&](const Node &node) {
    if (auto *one = std::get_if<Allocate>(&node.kind); one && one->array == array)
      memory.allocated = &node, ++memory.allocations;
    if (auto *one = std::get_if<Free>(&node.kind); one && one->array == array) memory.freed = &node, ++memory.frees;
  });
  return memory;
}

/// push_back and the like may give a container other memory, and the device would go on with what it has of the old.
/// (What resize and realloc do is an allocation beside that.)
const Node *RegionWriter::moveOf(const std::string &array) const {
  std::set<Location> allocations;
  const Node *found = nullptr;
  forEachNode(statements(), [&](const Node &node) {
    if (auto *one = std::get_if<Allocate>(&node.kind); one && one->array == array) allocations.insert(one->location);
  });
  forEachNode(statements(), [&](const Node &node) {
    const auto *host = std::get_if<HostStatement>(&node.kind);
    if (found || !host || host->reason != HostReason::Allocation || allocations.count(host->location)) return;
    forEachNode(host->body, [&](const Node &inner) {
      if (auto *access = std::get_if<Access>(&inner.kind);
          access && access->array == array && access->kind != AccessKind::Read)
        found = &node;
    });
  });
  return found;
}

/// Those that the array cannot have device memory for: behind the place where it may get other memory, if that is in no
/// loop with the others.
std::vector<const Loop *> RegionWriter::kernelsBehind(const Node &move, const std::string &array) const {
  const std::vector<const Loop *> touching = kernelsThatTouch(array);
  std::vector<const Loop *> behind;
  bool isPassed = false;
  forEachNode(statements(), [&](const Node &node) {
    isPassed |= &node == &move;
    if (const auto *loop = std::get_if<Loop>(&node.kind); loop && isPassed && llvm::is_contained(touching, loop))
      behind.push_back(loop);
  });
  bool isTogether = false;
  for (const Node &node : statements()) {
    bool holdsMove = false, holdsKernel = false;
    forEachNode(llvm::ArrayRef<Node>(node), [&](const Node &inner) {
      holdsMove |= &inner == &move;
      const auto *loop = std::get_if<Loop>(&inner.kind);
      holdsKernel |= loop && llvm::is_contained(touching, loop);
    });
    isTogether |= holdsMove && holdsKernel;
  }
  return isTogether || behind.empty() ? touching : behind;
}

/// The region begins behind the declaration, in its block or in what that calls.
bool RegionWriter::isDeclaredBefore(const Place &declaration) const {
  const Spot &spot = *declaration.spot;
  return llvm::any_of(entries, [&](const Place &one) {
    return one.path == declaration.path && spot.end <= one.spot->begin && one.spot->end <= spot.blockEnd;
  });
}

/// The path is that of a call below the other, or the same one.
bool RegionWriter::isBelow(unsigned path, unsigned caller) const {
  while (path != caller && path != 0) path = q.root.paths[path].caller;
  return path == caller;
}

/// The branch, in no loop, that allocates the array on either side, if nothing else does. None that lets memory of it
/// go: behind it the array would end before it begins.
const Node *RegionWriter::branchThatAllocates(const std::string &array) const {
  auto countIn = [&](llvm::ArrayRef<Node> block) {
    unsigned count = 0;
    forEachNode(block, [&](const Node &node) {
      const auto *one = std::get_if<Allocate>(&node.kind);
      count += one && one->array == array;
    });
    return count;
  };
  const unsigned all = countIn(statements());
  std::function<const Node *(llvm::ArrayRef<Node>)> search = [&](llvm::ArrayRef<Node> block) -> const Node * {
    for (const Node &node : block) {
      const auto *branch = std::get_if<Branch>(&node.kind);
      const unsigned then = branch ? countIn(branch->then) : 0, otherwise = branch ? countIn(branch->otherwise) : 0;
      if (!branch || then + otherwise != all) continue;
      if (then == 0 || otherwise == 0) return search(then == 0 ? branch->otherwise : branch->then);
      bool isFreed = false;
      forEachNode(llvm::ArrayRef<Node>(node), [&](const Node &inner) {
        const auto *one = std::get_if<Free>(&inner.kind);
        isFreed |= one && one->array == array;
      });
      return branch->isRest || isFreed ? nullptr : &node;
    }
    return nullptr;
  };
  return all > 1 ? search(statements()) : nullptr;
}

/// Device memory begins behind the allocation (or the branch that allocates on either side), or where that cannot be
/// written, behind the call that leads there: if nothing in that call's statement asks for it.
bool RegionWriter::placeAllocation(const Node &allocated, const brs::ArrayTransfers &array, Place &from) {
  const std::vector<const Loop *> kernels = kernelsThatTouch(array.name);
  unsigned path = allocated.path, below = path;
  Location location = locationOf(allocated);
  auto isWritable = [&](llvm::Expected<Place> place) {
    llvm::Error error = place ? instances.at(q.root, path).takeError() : place.takeError();
    if (error) return llvm::consumeError(std::move(error)), false;
    from = *place;
    return true;
  };
  while (path != 0 && !isWritable(instances.place(q.root, path, location, true))) {
    below = path;
    location = q.root.paths[path].call;
    path = q.root.paths[path].caller;
  }
  if (!isWritable(instances.place(q.root, path, location, true)))
    return fail("the memory of " + array.name + " begins in " + q.root.paths[allocated.path].function +
                    ", which cannot be changed",
                locationOf(allocated), kernels);
  if (!leaveThreads(from)) return false;
  auto asksInside = [&](unsigned where, const Location &at) {
    if (path != allocated.path && isBelow(where, below)) return true;
    Location here = at;
    for (; where != path && where != 0; where = q.root.paths[where].caller) here = q.root.paths[where].call;
    const Spot *spot = where == path ? from.source->spotAt(here) : nullptr;
    while (spot && spot != from.spot) spot = spot->parent;
    return spot != nullptr;
  };
  std::vector<const Loop *> inside;
  for (const Loop *kernel : kernels)
    if (asksInside(pathOfLoop.at(kernel), kernel->location)) inside.push_back(kernel);
  if (!inside.empty())
    return fail(array.name + " is needed on the device in the statement that allocates it", locationOf(allocated),
                inside);
  bool isAsked = false;
  for (const std::vector<brs::Crossing> *way : {&array.h2d, &array.d2h})
    for (const brs::Crossing &crossing : *way) {
      const Location at = locationOf(*crossing.node);
      const bool isBehind = crossing.after && crossing.node->path == path &&
                            from.source->spotAt(at) == from.spot; // and behind what begins there
      isAsked |= !isBehind && asksInside(crossing.node->path, at);
    }
  return !isAsked || fail(array.name + " is needed on the device in the statement that allocates it",
                          locationOf(allocated), kernels);
}

/// An array that begins inside the region, or ends there: from its allocation or declaration, or where the region
/// begins if that comes later (from), to its end.
bool RegionWriter::lifeInside(const brs::ArrayTransfers &array, const std::optional<Place> &from, Life &life) {
  std::vector<const Loop *> kernels = kernelsThatTouch(array.name);
  auto [allocated, freed, allocations, frees] = memoryOf(array.name);
  if (allocations > 1) allocated = branchThatAllocates(array.name);
  if (allocated && frees <= 1) {
    if (!placeAllocation(*allocated, array, life.from)) return false;
    if (!freed) {
      std::optional<Place> to = reaching(exits, array.name);
      if (to) life.to = *to;
      return to ||
             fail("the memory of " + array.name + " is not let go inside the region", locationOf(*allocated), kernels);
    }
    return placeAt(*freed, false, life.to, locationOf(*freed), kernels);
  }
  // A local array of a block.
  std::optional<Beginning> begin = beginningOf(array.name);
  if (!begin) return fail(array.name + " has no name where the region begins", q.region.location, kernels);
  llvm::Expected<Place> place = instances.place(q.root, begin->path, begin->location, true);
  if (!place) return fail(llvm::toString(place.takeError()), begin->location, kernels);
  if (!place->spot->inBlock || !(begin->isBranch || llvm::isa<clang::DeclStmt>(place->spot->stmt)) ||
      place->source->mayLeaveIn(place->spot->end, place->spot->blockEnd))
    return fail("its array " + array.name + " may end before its block does", begin->location, kernels);
  if (isDeclaredBefore(*place) && !from)
    return fail(array.name + " has no name where the region begins", q.region.location, kernels);
  life.from = isDeclaredBefore(*place) ? *from : *place;
  if (freed) return placeAt(*freed, false, life.to, locationOf(*freed), kernels);
  life.to = *place;
  life.toBlockEnd = true;
  return true;
}

/// Where a local array begins: at its declaration, or behind the branch in which a pointer may have got new memory.
std::optional<RegionWriter::Beginning> RegionWriter::beginningOf(const std::string &array) const {
  for (unsigned path = 0; path < q.root.paths.size(); ++path)
    for (const auto &[name, binding] : q.root.paths[path].arrays) {
      if (binding.array != array) continue;
      const Array *made = findArray(q.program, q.root.function, array);
      if (made && !made->insteadOf.empty()) return Beginning{path, made->location, true};
      const Function *function = findFunction(q.program, q.root.paths[path].function);
      const Array *declared = function ? findArray(q.program, *function, name) : nullptr;
      if (declared && declared->storage == Storage::Local) return Beginning{path, declared->location, false};
    }
  return std::nullopt;
}

/// A name for what a pointer leads to behind a branch means that only there.
bool RegionWriter::isNamedTooEarly(const std::string &array) {
  std::optional<Beginning> begin = beginningOf(array);
  if (!begin || !begin->isBranch) return false;
  llvm::Expected<Place> place = instances.place(q.root, begin->path, begin->location, true);
  if (place) return !isDeclaredBefore(*place);
  llvm::consumeError(place.takeError());
  return true;
}

/// The memory of the one may be the other's: both would be on the device by themselves, and the call may let it go
/// under the one name.
bool RegionWriter::areApart(const brs::ArrayTransfers &array) {
  const Array *made = findArray(q.program, q.root.function, array.name);
  auto other =
      made && !made->insteadOf.empty()
          ? llvm::find_if(q.region.arrays, [&](const brs::ArrayTransfers &one) { return one.name == made->insteadOf; })
          : q.region.arrays.end();
  if (other != q.region.arrays.end() && !other->onDevice.isSurelyEmpty())
    return fail(array.name + " may be the memory of " + made->insteadOf + ", which is on the device by itself",
                made->location, kernelsThatTouch(array.name));
  for (const Array &one : q.root.function.arrays)
    if (const Node *freed = one.insteadOf == array.name ? memoryOf(one.name).freed : nullptr)
      return fail(array.name + " may be let go at " + toString(locationOf(*freed)), locationOf(*freed),
                  kernelsThatTouch(array.name));
  return true;
}

/// Of an array that is there before: what comes later may get the same memory, and the device would hold it already.
void RegionWriter::endWhereFreed(const std::string &array, Life &life) {
  const MemoryInside memory = memoryOf(array);
  const bool isDirect = llvm::any_of(statements(), [&](const Node &node) { return &node == memory.freed; });
  if (memory.frees != 1 || !isDirect) return;
  llvm::Expected<Place> place = instances.place(q.root, memory.freed->path, locationOf(*memory.freed), false);
  if (!place) return llvm::consumeError(place.takeError());
  if (leaveThreads(*place) && staysTogether(*memory.freed, false, *place) && !names.namesOf(array, *place).empty())
    life.to = *place;
}

/// One that another unit defines, and that this one never mentions; or what a pointer of a file leads to.
void RegionWriter::declareGlobal(const std::string &array) {
  const Array *global = findArray(q.program, q.root.function, array);
  const bool isMoved = llvm::any_of(rotatedTogether(*q.region.block),
                                    [&](const auto &group) { return llvm::is_contained(group, array); });
  if (const clang::VarDecl *pointer =
          global && global->storage == Storage::Global && !isMoved ? instances.pointerOf(array) : nullptr) {
    names.declaredGlobals[array] = pointer;
    return;
  }
  const clang::VarDecl *variable = instances.globalOf(array);
  if (!variable) return;
  std::string line = "extern ";
  llvm::raw_string_ostream out(line);
  variable->getType().getCanonicalType().getUnqualifiedType().print(out, variable->getASTContext().getPrintingPolicy(),
                                                                    array);
  names.declaredGlobals[array] = variable;
  instances.declareBefore(q.root, out.str() + ";");
}

bool RegionWriter::setUpLives() {
  for (const brs::ArrayTransfers &array : q.region.arrays) {
    if (array.onDevice.isSurelyEmpty()) continue;
    if (const Node *move = moveOf(array.name))
      return fail(array.name + " may get other memory at " + toString(locationOf(*move)), locationOf(*move),
                  kernelsBehind(*move, array.name));
    Life life;
    if (!entryFor(array.name)) declareGlobal(array.name);
    std::optional<Place> from = entryFor(array.name), to = reaching(exits, array.name);
    // A local array is gone where the region ends, if that is in a caller: its block ends the memory.
    const bool isOfBlock = from && !to && llvm::any_of(names.namesOf(array.name, *from), [](const ArrayName &name) {
                             const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(name.variable);
                             return variable && variable->hasLocalStorage() && variable->getType()->isArrayType();
                           });
    if (from && !to && !isOfBlock) to = exits.front(); // by a pointer that is kept where it begins
    if (!areApart(array)) return false;
    bool isThere = from && to && !isNamedTooEarly(array.name);
    if (isThere && memoryOf(array.name).allocated)
      return fail("the memory of " + array.name + " is another one behind an allocation inside the region",
                  q.region.location, kernelsThatTouch(array.name));
    if (isThere) {
      life = {*from, *to, false};
      endWhereFreed(array.name, life);
    }
    if (!isThere && !lifeInside(array, from, life)) return false;
    // A container without elements says so.
    const bool isAsked = llvm::any_of(names.namesOf(array.name, life.from), [](const ArrayName &name) {
      return name.isComputed && frontend::port::memoryOf(name.decl->getType().getNonReferenceType());
    });
    if (!isAsked && !hasMemory(array)) return false;
    lives[array.name] = life;
  }
  return true;
}

/// For the watch library: nothing else lies on the array's pages.
void RegionWriter::giveOwnPages(const ArrayName &name, const Place &place) {
  const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(name.variable);
  if (!variable || !variable->getType()->isArrayType()) return;
  if (variable->hasGlobalStorage()) {
    instances.moveGlobal(variable);
    return;
  }
  if (llvm::Expected<Instance *> instance = instances.at(q.root, place.path)) {
    std::vector<Edit> edits = moveLocal(variable, *place.source);
    (*instance)->edits.insert((*instance)->edits.end(), edits.begin(), edits.end());
  } else {
    llvm::consumeError(instance.takeError());
  }
}

/// Device memory begins before everything else at its place, and ends behind it.
bool RegionWriter::writeLives() {
  struct Lines {
    Place place;
    std::vector<std::string> items, open;
    std::set<std::string> names; ///< Of the pointers that are opened.
  };
  std::map<std::tuple<unsigned, const Spot *, bool>, Lines> begins, ends;
  std::map<std::tuple<unsigned, const Spot *, bool>, std::vector<std::string>> objects;
  for (const brs::ArrayTransfers &array : q.region.arrays) {
    auto life = lives.find(array.name);
    if (life == lives.end()) continue;
    std::vector<const Loop *> kernels = kernelsThatTouch(array.name);
    for (bool isEnd : {false, true}) {
      const Place &place = isEnd ? life->second.to : life->second.from;
      std::optional<ArrayName> name = arrayAt(array.name, place);
      auto hull = linearHull(array, q.root, inside);
      if (!name || !hull) return fail("how large " + array.name + " is, is not known", q.region.location, kernels);
      for (const Expr &end : {hull->first - name->offset, hull->second - name->offset})
        if (!haveSizes(end, place))
          return fail("the size of " + array.name + " has no name where its device memory begins" +
                          names.lacking(end, place),
                      q.region.location, kernels);
      std::optional<MapItem> item = mapItem(array, *name, names, place, q.root, inside);
      if (!item)
        return fail("what the device holds of " + array.name + " is no range of it", q.region.location, kernels);
      bool atBlockEnd = isEnd && life->second.toBlockEnd;
      auto &lines = (isEnd ? ends : begins)[{place.path, place.spot, atBlockEnd}];
      lines.place = place;
      if (!isEnd && isWatched()) {
        giveOwnPages(*name, place);
        objects[{place.path, place.spot, false}].push_back("busfare_object(\"" + q.root.name + "\", \"" + array.name +
                                                           "\", &" + item->name + "[" + item->first + "], (" +
                                                           item->count + ") * sizeof(" + item->name + "[0]));");
      }
      ClauseName called = inClause(*name, false);
      // `s.a.b` and `s.a_b`
      for (unsigned k = 2; !called.open.empty() && !lines.names.insert(called.text).second; ++k)
        called = inClause(*name, false, k);
      item->name = called.text;
      lines.items.push_back(item->text());
      if (!called.open.empty()) lines.open.push_back(called.open);
    }
  }
  // Where a guard does not hold nothing is there, and who lets it go all the same is found out.
  const std::string deletes = q.guard && isWatched() ? "present, delete: " : "delete: ";
  auto directive = [&](const char *head, const Lines &lines) {
    std::string line = head, result;
    for (const std::string &item : lines.items) {
      std::string clause =
          std::string(" map(") + (llvm::StringRef(head).contains("enter") ? "alloc: " : deletes) + item + ")";
      if (line.size() + clause.size() > 100) {
        result += line + " \\\n";
        line = "   ";
      }
      line += clause;
    }
    result += line + ifClause(llvm::StringRef(head).substr(llvm::StringRef("#pragma omp ").size()), q.region.location);
    return lines.open.empty() ? result : inBlock(llvm::join(lines.open, "\n") + "\n" + result);
  };
  for (auto &[key, lines] : begins) {
    SpotText *spot = textAt(lines.place);
    if (!spot) return false;
    std::vector<std::string> made;
    for (const std::string &object : objects[{lines.place.path, lines.place.spot, false}])
      made.push_back(runs.empty() ? object : "if (" + runs + ")\n  " + object);
    made.push_back(directive("#pragma omp target enter data", lines));
    (lines.place.after ? spot->beginsAfter : spot->begins) = made;
  }
  for (auto &[key, lines] : ends) {
    SpotText *spot = textAt(lines.place);
    if (!spot) return false;
    std::string line = directive("#pragma omp target exit data", lines);
    if (std::get<2>(key)) spot->atBlockEnd.push_back(line);
    else (lines.place.after ? spot->endsAfter : spot->ends).push_back(line);
  }
  return true;
}

/// Where the watch library may be told what the sizes are: at the region's entry, or else where the device memory of
/// some array begins.
std::vector<Place> RegionWriter::placesOfValues() const {
  std::vector<Place> places = entries;
  for (const auto &[array, life] : lives) places.push_back(life.from);
  return places;
}

/// Tells the watch library what the sizes are, where some variable holds them. And that the region begins: where it
/// does itself, since a condition may lie between that and where its memory begins.
void RegionWriter::writeValues() {
  if (SpotText *text = textAt(entries.back()))
    text->setUp.push_back((runs.empty() ? "" : "if (" + runs + ")\n  ") + "busfare_value(\"" + q.root.name + "\", \"" +
                          entriesName() + "\", 1);");
  for (const auto &[symbol, value] : q.values)
    for (const Place &place : placesOfValues()) {
      std::optional<SymbolTexts> texts = names.sizes(Expr::symbol(symbol), place);
      SpotText *text = texts ? textAt(place) : nullptr;
      if (!text) continue;
      (place.after ? text->beginsAfter : text->setUp)
          .push_back("busfare_value(\"" + q.root.name + "\", \"" + symbol + "\", (long)(" + texts->at(symbol) + "));");
      break;
    }
}

} // namespace busfare::frontend::port
