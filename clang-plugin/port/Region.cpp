//===- clang-plugin/port/Region.cpp - One region of one root, ported -----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/lower/AstQueries.h"
#include "clang-plugin/port/DeviceScalars.h"
#include "clang-plugin/port/HostDirectives.h"
#include "clang-plugin/port/OwnTargets.h"
#include "clang-plugin/port/RegionWriter.h"
#include "skeleton/Visit.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

std::vector<const Loop *> RegionWriter::kernelsThatTouch(const std::string &array) const {
  std::vector<const Loop *> found;
  for (const brs::Kernel &kernel : q.region.kernels) {
    bool touches = false;
    forEachNode(kernel.loop->body, [&](const Node &node) {
      if (auto *access = std::get_if<Access>(&node.kind)) touches |= access->array == array;
    });
    if (touches) found.push_back(kernel.loop);
  }
  return found;
}

void RegionWriter::index(const Block &block) {
  for (size_t k = 0; k < block.size(); ++k) {
    positions[&block[k]] = {&block, k};
    if (auto *loop = std::get_if<Loop>(&block[k].kind)) {
      owners[&loop->body] = &block[k];
      const StatementRun *run = runOf(*loop); // of a call alone: where that stands
      pathOfLoop[loop] = run ? run->place.path : block[k].path;
      index(loop->body);
    } else if (auto *branch = std::get_if<Branch>(&block[k].kind)) {
      owners[&branch->then] = owners[&branch->otherwise] = &block[k];
      index(branch->then);
      index(branch->otherwise);
    }
  }
}

void RegionWriter::noteConditional() {
  forEachNode(*q.region.block, [&](const Node &node) {
    if (const auto *branch = std::get_if<Branch>(&node.kind))
      for (const Block *side : {&branch->then, &branch->otherwise})
        forEachNode(*side, [&](const Node &inner) { conditional.insert(&inner); });
  });
}

const StatementRun *RegionWriter::runOf(const Loop &loop) const {
  auto found = q.oneThread.find(&loop);
  return found == q.oneThread.end() ? nullptr : found->second;
}

/// The statement's other parts, before or behind the node, must not care: the copy (of the array, or of any) stands
/// before or behind all of it.
bool RegionWriter::staysTogether(const Node &node, bool after, const Place &place, const std::string &copied) {
  auto at = positions.find(&node);
  if (at == positions.end()) return false;
  const Block &block = *at->second.block;
  auto spotOf = [&](const Node &other) -> const Spot * {
    unsigned path = other.path;
    Location location = locationOf(other);
    while (path != place.path) {
      if (path == 0) return nullptr;
      location = q.root.paths[path].call;
      path = q.root.paths[path].caller;
    }
    return location.isKnown() ? place.source->spotAt(location) : nullptr;
  };
  auto isInSpot = [&](const Node &other) {
    const Spot *spot = spotOf(other);
    while (spot && spot != place.spot) spot = spot->parent;
    return spot == place.spot;
  };
  // A destructor is said to be where its object is declared, but runs behind what follows in the block.
  for (size_t k = 0; k < at->second.index; ++k)
    if (const Spot *other = spotOf(block[k]); other && other->begin >= place.spot->end) return false;
  auto matters = [&](const Node &other) {
    bool touches = false;
    forEachNode(llvm::ArrayRef<Node>(other), [&](const Node &inner) {
      if (auto *access = std::get_if<Access>(&inner.kind)) {
        const Array *array = findArray(q.program, q.root.function, access->array);
        const bool isOther = array && !copied.empty() && array->storage != Storage::Alias && array->name != copied;
        touches |= !array || (!isOther && !array->isScalar() && (after || access->kind != AccessKind::Read));
      }
      // What a host statement may touch of arrays stands in it.
      touches |= (copied.empty() && std::holds_alternative<HostStatement>(inner.kind)) ||
                 std::holds_alternative<Rotate>(inner.kind);
    });
    return touches;
  };
  if (after) {
    for (size_t k = at->second.index + 1; k < block.size(); ++k)
      if (isInSpot(block[k]) && matters(block[k])) return false;
    // What follows a conditional jump is below the node, but not inside the statement. A loop's body is.
    bool isInside = true;
    std::function<void(const Node &)> walk = [&](const Node &inner) {
      if (&inner != &node && !std::holds_alternative<Operations>(inner.kind) && locationOf(inner).isKnown())
        isInside &= isInSpot(inner);
      if (const auto *branch = std::get_if<Branch>(&inner.kind))
        llvm::for_each(branch->then, walk), llvm::for_each(branch->otherwise, walk);
    };
    walk(node);
    return isInside && !place.source->mayLeaveIn(place.spot->begin, place.spot->end);
  }
  for (size_t k = at->second.index; k-- > 0;)
    if (isInSpot(block[k]) && matters(block[k])) return false;
  return true;
}

/// A function that a parallel region calls is run by every thread, and so is what is put into it: one thread runs the
/// region then. False: the region cannot be run so.
bool RegionWriter::leaveThreadsOfCallers(unsigned path, const Location &at, Kernels kernels) {
  for (; path != 0; path = q.root.paths[path].caller) {
    const CallPath &call = q.root.paths[path];
    llvm::Expected<Place> place = instances.place(q.root, call.caller, call.call, false);
    if (!place) { // it is not written where it runs
      std::string why = llvm::toString(place.takeError());
      if (instances.callsInThreads()) return fail(why, at, kernels);
      continue;
    }
    for (const Spot *around = place->spot; around; around = around->parent) {
      const auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(around->stmt);
      if (!directive || !clang::isOpenMPParallelDirective(directive->getDirectiveKind()) ||
          isTargetConstruct(directive))
        continue;
      std::optional<Edit> edit = onOneThread(directive, *place->source);
      if (!edit) return fail("threads of a parallel region call " + call.function, at, kernels);
      llvm::Expected<Instance *> caller = instances.at(q.root, call.caller);
      if (!caller) return fail(llvm::toString(caller.takeError()), at, kernels);
      (*caller)->edits.push_back(std::move(*edit));
    }
  }
  return true;
}

/// What is put below an OpenMP construct every thread would do. So one thread runs it, or the place is that of the
/// whole construct.
bool RegionWriter::leaveThreads(Place &place) {
  const Spot *outermost = place.spot;
  std::vector<Edit> serial;
  for (const Spot *around = place.spot->parent; around; around = around->parent) {
    if (!llvm::isa<clang::OMPExecutableDirective>(around->stmt) ||
        (isTargetConstruct(around->stmt) && !staysAsTeams(around->stmt)))
      continue;
    if (std::optional<Edit> edit = onOneThread(around->stmt, *place.source)) {
      serial.push_back(std::move(*edit));
    } else {
      outermost = around;
      serial.clear();
    }
  }
  place.spot = outermost;
  if (!leaveThreadsOfCallers(place.path, q.region.location)) return false;
  if (serial.empty()) return true;
  llvm::Expected<Instance *> instance = instances.at(q.root, place.path);
  if (!instance) return fail(llvm::toString(instance.takeError()), q.region.location);
  llvm::append_range((*instance)->edits, serial);
  return true;
}

/// Jumps to the condition of the loop whose body this is part of.
static bool continues(const clang::Stmt *stmt) {
  if (!stmt || llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(stmt)) return false;
  return llvm::isa<clang::ContinueStmt>(stmt) || llvm::any_of(partsOf(stmt), continues);
}

/// In front of the condition of a `do` nothing can stand, but behind the last statement of its body, if no jump passes
/// that by.
bool RegionWriter::moveBeforeCondition(const Node &node, Place &place) {
  const auto *loop = llvm::dyn_cast<clang::DoStmt>(place.spot->stmt);
  const auto *body = loop ? llvm::dyn_cast<clang::CompoundStmt>(loop->getBody()) : nullptr;
  const Spot *last = body && !body->body_empty() ? place.source->spotOf(body->body_back()) : nullptr;
  auto at = positions.find(&node);
  if (!last || at == positions.end() || llvm::any_of(partsOf(body), continues) ||
      llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::GotoStmt, clang::LabelStmt>(last->stmt))
    return false;
  const unsigned condition = place.source->offsetOf(loop->getCond()->getBeginLoc());
  auto isAsked = [&](const Node &one) {
    return one.path == place.path && place.source->offsetAt(locationOf(one)).value_or(0) >= condition;
  };
  // What is asked before it only reads.
  const Block &block = *at->second.block;
  for (size_t k = at->second.index; k-- > 0 && isAsked(block[k]);) {
    const auto *access = std::get_if<Access>(&block[k].kind);
    if (!(access && access->kind == AccessKind::Read) && !std::holds_alternative<Operations>(block[k].kind) &&
        !std::holds_alternative<Define>(block[k].kind))
      return false;
  }
  if (!isAsked(node)) return false;
  place.spot = last;
  place.after = true;
  return true;
}

bool RegionWriter::placeAt(const Node &node, bool after, Place &place, const Location &blame,
                           const std::vector<const Loop *> &kernels, const std::string &copied) {
  const auto *loop = std::get_if<Loop>(&node.kind);
  if (const StatementRun *run = loop ? runOf(*loop) : nullptr) { // they are alone with their nodes
    place = run->place;
    place.after = after;
    place.spot = after ? run->statements.back() : run->statements.front();
    return leaveThreads(place);
  }
  llvm::Expected<Place> found = instances.place(q.root, node.path, locationOf(node), after);
  if (!found) return fail(llvm::toString(found.takeError()), blame, kernels);
  place = *found;
  if (!after && moveBeforeCondition(node, place)) return leaveThreads(place);
  if (!leaveThreads(place)) return false;
  if (const auto *branch = std::get_if<Branch>(&node.kind); after && branch && branch->isRest)
    return fail("a copy would have to stand where control may not come, behind a jump (return, break or continue)",
                blame, kernels);
  if (!staysTogether(node, after, place, copied))
    return fail("a copy would have to stand inside the statement at " + toString(locationOf(node)), blame, kernels);
  if (!runsWith(node, place))
    return fail("a copy would have to stand where a part of the statement at " + toString(locationOf(node)) +
                    " runs, and only then",
                blame, kernels);
  if (copied.empty() && !isOneWay(node, place))
    return fail("the statement at " + toString(locationOf(node)) +
                    " is reached in several ways (a loop's condition, a switch that falls through)",
                blame, kernels);
  return true;
}

SpotText *RegionWriter::textAt(const Place &place, const std::vector<const Loop *> &kernels) {
  llvm::Expected<Instance *> instance = instances.at(q.root, place.path);
  if (!instance) {
    fail(llvm::toString(instance.takeError()), q.region.location, kernels);
    return nullptr;
  }
  return &(*instance)->spots[place.spot];
}

/// The region's own ends, and the calls through which they are reached.
bool RegionWriter::findEnds(const Node &first, const Node &last) {
  for (bool after : {false, true}) {
    const Node &node = after ? last : first;
    std::vector<Place> &places = after ? exits : entries;
    Place own;
    // Only the end needs its statement whole: memory may begin earlier than needed.
    if (after ? !placeAt(node, true, own, q.region.location, {}) : false) return false;
    Location location = locationOf(node);
    for (unsigned path = node.path;; path = q.root.paths[path].caller) {
      llvm::Expected<Place> place = instances.place(q.root, path, location, after);
      if (!place) return fail(llvm::toString(place.takeError()), q.region.location);
      places.insert(places.begin(), *place);
      if (path == 0) break;
      location = q.root.paths[path].call;
    }
  }
  // Whoever jumps out of the region misses what stands at its end.
  for (size_t k = 0; k < std::min(entries.size(), exits.size()); ++k) {
    const Place &begin = entries[k], &end = exits[k];
    if (begin.path != end.path) break;
    if (begin.source->mayLeaveIn(begin.spot->begin, end.spot->end))
      return fail("a jump (return or goto) may leave it before its end", q.region.location);
  }
  return true;
}

/// The variables of the function on this path that only statements on one thread of the device use get memory there.
std::set<const clang::ValueDecl *> RegionWriter::keepScalars(unsigned path, Instance &instance) {
  std::set<const Spot *> onDevice;
  for (const auto &[loop, run] : q.oneThread)
    if (run->place.path == path) onDevice.insert(run->statements.begin(), run->statements.end());
  std::set<const clang::ValueDecl *> kept;
  for (const auto &[variable, spot] : deviceScalars(*instance.source, onDevice)) {
    // Whether the region runs on the device is known behind its entry, and in what it calls.
    const bool isKnown = path == entry.path ? spot->begin >= entry.spot->begin : isBelow(path, entry.path);
    if (!runs.empty() && !isKnown) continue;
    const std::string name = variable->getNameAsString();
    instance.spots[spot].beginsAfter.push_back("#pragma omp target enter data map(alloc: " + name + ")" +
                                               ifClause("target enter data", q.region.location));
    instance.spots[spot].atBlockEnd.push_back("#pragma omp target exit data map(delete: " + name + ")" +
                                              ifClause("target exit data", q.region.location));
    kept.insert(variable);
  }
  return kept;
}

/// All that cannot be said in OpenMP, at once: each time the plan is made again costs as much as the first.
bool RegionWriter::writeKernels() {
  std::map<const Loop *, std::string> refused;
  std::map<unsigned, std::optional<std::set<const clang::ValueDecl *>>> scalarsThere;
  for (const brs::Kernel &kernel : q.region.kernels) {
    const Location &at = kernel.loop->location;
    unsigned path = pathOfLoop.at(kernel.loop);
    const StatementRun *run = runOf(*kernel.loop);
    llvm::Expected<Place> place = run ? run->place : instances.place(q.root, path, at, false);
    if (!place) return fail(llvm::toString(place.takeError()), at, {kernel.loop});
    for (const brs::ArrayTransfers &array : q.region.arrays)
      if (array.hasRows && llvm::is_contained(kernelsThatTouch(array.name), kernel.loop))
        refused[kernel.loop] =
            "each row of " + array.name + " is memory of its own; the rows have to be put into one array first";
    // Sizes the kernel's map clauses would like to have.
    for (const brs::ArrayTransfers &array : q.region.arrays)
      if (auto hull = linearHull(array, q.root, inside);
          hull && llvm::is_contained(kernelsThatTouch(array.name), kernel.loop)) {
        haveSizes(hull->first, *place);
        haveSizes(hull->second, *place);
      }
    auto node = owners.find(&kernel.loop->body);
    auto isAlone = [&](const Spot *spot) {
      return isOneWay(*node->second, Place{place->path, place->source, place->points, spot, false});
    };
    if (node != owners.end() && !(run ? llvm::all_of(run->statements, isAlone) : isAlone(place->spot)))
      refused[kernel.loop] =
          "it is reached in several ways (a loop's condition, a switch that falls through), of which each is another kernel";
    if (refused.count(kernel.loop)) continue;
    llvm::Expected<Instance *> instance = instances.at(q.root, path);
    if (!instance) return fail(llvm::toString(instance.takeError()), at, {kernel.loop});
    const std::string condition = runs.empty() ? "" : conditionFor("target", at);
    KernelQuestion question{q.program,
                            q.root,
                            q.region,
                            inside,
                            kernel,
                            names,
                            *place,
                            q.options.variant,
                            (*instance)->kernelNames,
                            condition,
                            nullptr,
                            run,
                            q.chunked ? &chunkNames : nullptr,
                            q.guard ? runs : ""};
    if (run) {
      std::optional<std::set<const clang::ValueDecl *>> &scalars = scalarsThere[path];
      if (!scalars) scalars = keepScalars(path, *(*instance));
      question.deviceScalars = &*scalars;
    }
    llvm::Expected<KernelText> text = kernelText(question);
    if (!text) {
      refused[kernel.loop] = llvm::toString(text.takeError());
      continue;
    }
    if (q.chunked) {
      chunkKernel = *text;
      chunkPlace = *place;
    }
    if (!leaveThreadsOfCallers(path, at, {kernel.loop})) return false;
    (*instance)->spots[place->spot].kernel = text->before;
    (*instance)->spots[run ? run->statements.back() : place->spot].behindKernel = text->after;
    for (const ArrayName &array : text->untouched) giveOwnPages(array, *place);
    (*instance)->edits.insert((*instance)->edits.end(), text->edits.begin(), text->edits.end());
    unit.kernels.push_back({q.root.name, at, text->collapse, reordersSums(kernel), run != nullptr});
  }
  if (refused.empty()) return true;
  std::vector<const Loop *> loops;
  for (const brs::Kernel &kernel : q.region.kernels)
    if (refused.count(kernel.loop)) loops.push_back(kernel.loop);
  fail(refused[loops.front()], loops.front()->location, loops);
  refusal->reasons = std::move(refused);
  refusal->isTheirOwn = true;
  return false;
}

bool RegionWriter::reordersSums(const brs::Kernel &kernel) const {
  const brs::LoopVerdict *verdict = q.root.dependence.find(*kernel.loop);
  return verdict && llvm::any_of(verdict->needs, [&](const brs::Need &need) {
           const Array *array =
               need.kind == brs::Need::Kind::Reduction ? findArray(q.program, q.root.function, need.name) : nullptr;
           return array && array->type.kind == ElementType::Kind::Float &&
                  (need.op == "+" || need.op == "*" || need.op == "-");
         });
}

/// Kernels in functions that cannot be changed stay on the host; the others may still go.
bool RegionWriter::canStand() {
  std::vector<const Loop *> loops;
  std::string reason;
  for (const brs::Kernel &kernel : q.region.kernels) {
    unsigned path = pathOfLoop.at(kernel.loop);
    const StatementRun *run = runOf(*kernel.loop);
    llvm::Expected<Place> place = run ? run->place : instances.place(q.root, path, kernel.loop->location, false);
    llvm::Error error = place ? instances.at(q.root, path).takeError() : place.takeError();
    if (!error) continue;
    loops.push_back(kernel.loop);
    reason = llvm::toString(std::move(error));
  }
  if (loops.empty()) return true;
  fail(reason, loops.front()->location, loops);
  refusal->isTheirOwn = true;
  return false;
}

std::optional<Refusal> RegionWriter::write() {
  llvm::ArrayRef<Node> nodes =
      llvm::ArrayRef(*q.region.block).slice(q.region.first, q.region.last - q.region.first + 1);
  index(q.root.function.body);
  noteConditional();
  if (q.chunked && !setUpChunks()) return refusal;
  if (!canStand() || !findEnds(nodes.front(), nodes.back())) return refusal;
  if (setUpCondition() && writeKernels() && setUpLives() && writeCopies() && writeLives() && writeChunks() &&
      isWatched())
    writeValues();
  return refusal;
}

std::optional<Refusal> portRegion(const RegionQuestion &question, Instances &instances, PortedProgram &unit) {
  return RegionWriter(question, instances, unit).write();
}

} // namespace busfare::frontend::port
