//===- clang-plugin/port/Region.cpp - One region of one root, ported ------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Region.h"
#include "clang-plugin/port/Copies.h"
#include "clang-plugin/port/Kernel.h"
#include "clang-plugin/port/Pages.h"
#include "projection/Copies.h"
#include "skeleton/Rotation.h"
#include "skeleton/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace busfare::frontend::port {
using namespace skeleton;

namespace {

class RegionWriter {
public:
  RegionWriter(const RegionQuestion &question, Instances &instances, PortedProgram &unit)
      : q(question), instances(instances), unit(unit), names(q.program, q.root) {}

  std::optional<Refusal> write();

private:
  const RegionQuestion &q;
  Instances &instances;
  PortedProgram &unit;
  Names names;
  std::optional<Refusal> refusal;
  std::map<const Loop *, unsigned> pathOfLoop;
  struct Position {
    const Block *block = nullptr;
    size_t index = 0;
  };
  std::map<const Node *, Position> positions;
  std::set<const Node *> conditional; ///< Below a branch.
  /// Before the region's first statement and behind its last: in the function itself, and at the calls that lead to it,
  /// the root's first.
  std::vector<Place> entries, exits;
  Place entry; ///< Where the condition is computed.
  size_t firstEntry = 0; ///< Of the entries, the first at which the condition is known: device memory begins no earlier.
  std::vector<Expr> tested; ///< Of the region's conditions: all but those without which it does no harm.
  brs::Context inside; ///< What holds where the region runs on the device.
  std::string runs; ///< C condition under which the region runs on the device; empty: always.
  std::set<std::string> staticNames;
  struct Life {
    Place from, to;
    bool toBlockEnd = false;
  };
  std::map<std::string, Life> lives;

  bool isWatched() const { return q.options.variant == Variant::Watched; }
  bool fail(const llvm::Twine &reason, const Location &at, std::vector<const Loop *> kernels = {}) {
    if (!refusal)
      refusal = Refusal{reason.str(), at, std::move(kernels), {}};
    return false;
  }
  std::vector<const Loop *> kernelsThatTouch(const std::string &array) const;
  void index(const Block &block);
  bool placeAt(const Node &node, bool after, Place &place, const Location &blame, const std::vector<const Loop *> &kernels);
  bool staysTogether(const Node &node, bool after, const Place &place);
  SpotText *textAt(const Place &place, const std::vector<const Loop *> &kernels = {});
  bool haveSizes(const Expr &expr, const Place &place);
  void writeValues();
  std::string entriesName() const { return "region " + std::to_string(q.number); }
  std::string text(const Expr &expr, const Place &place) { return toC(expr, *names.sizes(expr, place)); }
  bool keep(const std::string &symbol, const Place &place);
  bool canStand();
  bool findEnds(const Node &first, const Node &last);
  std::optional<Place> reaching(llvm::ArrayRef<Place> places, const std::string &array);
  std::optional<Expr> elementsOf(const std::string &name) const;
  bool isSafeIdle() const;
  bool chooseFacts();
  bool setUpCondition();
  bool setUpLives();
  bool lifeInside(const brs::ArrayTransfers &array, Life &life);
  bool writeKernels();
  bool writeCopies();
  brs::Context factsAt(const brs::Crossing &crossing) const;
  bool reordersSums(const brs::Kernel &kernel) const;
  bool writeCopy(const brs::ArrayTransfers &array, const brs::Crossing &crossing, bool toDevice);
  bool writeLives();
  void giveOwnPages(const ArrayName &name, const Place &place);
  std::optional<ArrayName> arrayAt(const std::string &array, const Place &place);
  std::optional<ArrayName> keepPointer(const std::string &array);
  std::optional<std::string> noOverlap(llvm::StringRef assumption);
};

std::vector<const Loop *> RegionWriter::kernelsThatTouch(const std::string &array) const {
  std::vector<const Loop *> found;
  for (const brs::Kernel &kernel : q.region.kernels) {
    bool touches = false;
    forEachNode(kernel.loop->body, [&](const Node &node) {
      if (auto *access = std::get_if<Access>(&node.kind))
        touches |= access->array == array;
    });
    if (touches)
      found.push_back(kernel.loop);
  }
  return found;
}

void RegionWriter::index(const Block &block) {
  for (size_t k = 0; k < block.size(); ++k) {
    positions[&block[k]] = {&block, k};
    if (auto *loop = std::get_if<Loop>(&block[k].kind)) {
      pathOfLoop[loop] = block[k].path;
      index(loop->body);
    } else if (auto *branch = std::get_if<Branch>(&block[k].kind)) {
      index(branch->then);
      index(branch->otherwise);
      for (const Block *side : {&branch->then, &branch->otherwise})
        forEachNode(*side, [&](const Node &inner) { conditional.insert(&inner); });
    }
  }
}

/// The statement's other parts, before or behind the node, must not care: the copy stands before or behind all of it.
bool RegionWriter::staysTogether(const Node &node, bool after, const Place &place) {
  auto at = positions.find(&node);
  if (at == positions.end())
    return false;
  const Block &block = *at->second.block;
  auto spotOf = [&](const Node &other) -> const Spot * {
    unsigned path = other.path;
    Location location = locationOf(other);
    while (path != place.path) {
      if (path == 0)
        return nullptr;
      location = q.root.paths[path].call;
      path = q.root.paths[path].caller;
    }
    return location.isKnown() ? place.source->spotAt(location) : nullptr;
  };
  auto isInSpot = [&](const Node &other) {
    const Spot *spot = spotOf(other);
    while (spot && spot != place.spot)
      spot = spot->parent;
    return spot == place.spot;
  };
  // A destructor is said to be where its object is declared, but runs behind what follows in the block.
  for (size_t k = 0; k < at->second.index; ++k)
    if (const Spot *other = spotOf(block[k]); other && other->begin >= place.spot->end)
      return false;
  auto matters = [&](const Node &other) {
    bool touches = false;
    forEachNode(llvm::ArrayRef<Node>(other), [&](const Node &inner) {
      if (auto *access = std::get_if<Access>(&inner.kind)) {
        const Array *array = findArray(q.program, q.root.function, access->array);
        touches |= !array || (!array->isScalar() && (after || access->kind != AccessKind::Read));
      }
      touches |= std::holds_alternative<HostStatement>(inner.kind) || std::holds_alternative<Rotate>(inner.kind);
    });
    return touches;
  };
  if (after) {
    for (size_t k = at->second.index + 1; k < block.size(); ++k)
      if (isInSpot(block[k]) && matters(block[k]))
        return false;
    // Everything below the node must be inside the statement too: what follows a conditional jump is not.
    bool isInside = true;
    forEachNode(llvm::ArrayRef<Node>(node), [&](const Node &inner) {
      if (&inner != &node && !std::holds_alternative<Operations>(inner.kind) && locationOf(inner).isKnown())
        isInside &= isInSpot(inner);
    });
    return isInside && !place.source->mayLeaveIn(place.spot->begin, place.spot->end);
  }
  for (size_t k = at->second.index; k-- > 0;)
    if (isInSpot(block[k]) && matters(block[k]))
      return false;
  return true;
}

bool RegionWriter::placeAt(const Node &node, bool after, Place &place, const Location &blame,
                           const std::vector<const Loop *> &kernels) {
  llvm::Expected<Place> found = instances.place(q.root, node.path, locationOf(node), after);
  if (!found)
    return fail(llvm::toString(found.takeError()), blame, kernels);
  place = *found;
  if (!staysTogether(node, after, place))
    return fail("a copy would have to stand inside the statement at " + toString(locationOf(node)), blame, kernels);
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

/// A size that no variable holds at the place is kept in a static variable from where one does.
bool RegionWriter::keep(const std::string &symbol, const Place &place) {
  // Where it could be set, and for what that would hold.
  std::vector<std::pair<Place, unsigned>> sources;
  for (unsigned path = place.path; path != 0; path = q.root.paths[path].caller) {
    llvm::Expected<Place> call = instances.place(q.root, q.root.paths[path].caller, q.root.paths[path].call, false);
    if (!call) {
      llvm::consumeError(call.takeError());
      return false;
    }
    sources.emplace_back(*call, path);
  }
  for (const Place &begin : entries)
    sources.emplace_back(begin, 0);
  for (const auto &[source, path] : sources) {
    std::optional<SymbolTexts> texts = names.sizes(Expr::symbol(symbol), source);
    if (!texts)
      continue;
    KeptSize &size = names.kept[symbol];
    if (size.name.empty()) {
      size.name = "busfare_" + identifier(symbol) + (q.number > 1 ? "_" + std::to_string(q.number) : "");
      instances.declareBefore(q.root, "static long " + size.name + ";");
    }
    SpotText *text = textAt(source);
    if (!text)
      return false;
    if (texts->at(symbol) != size.name)
      text->setUp.insert(text->setUp.begin(), size.name + " = " + texts->at(symbol) + ";");
    size.paths.insert(path);
    return true;
  }
  return false;
}

bool RegionWriter::haveSizes(const Expr &expr, const Place &place) {
  if (expr.isPoisoned())
    return false;
  for (const std::string &symbol : expr.symbols())
    if (!names.sizes(Expr::symbol(symbol), place) && !keep(symbol, place))
      return false;
  return true;
}

/// A pointer to the array's first element that holds for the whole region: for places where no name reaches it.
std::optional<ArrayName> RegionWriter::keepPointer(const std::string &array) {
  for (const std::vector<std::string> &group : rotatedTogether(*q.region.block))
    if (llvm::is_contained(group, array))
      return std::nullopt;
  auto life = lives.find(array);
  if (life == lives.end() || life->second.from.after)
    return std::nullopt;
  const Place &from = life->second.from;
  std::vector<ArrayName> known = names.namesOf(array, from);
  if (known.empty() || !known.front().variable)
    return std::nullopt;
  const ArrayName &name = known.front();
  clang::QualType element = name.type;
  std::string first = name.text;
  while (element->isPointerType() || element->isArrayType()) {
    bool isLast = element->isPointerType() ? !element->getPointeeType()->isArrayType() : !element->getAsArrayTypeUnsafe()->getElementType()->isArrayType();
    element = element->isPointerType() ? element->getPointeeType() : element->getAsArrayTypeUnsafe()->getElementType();
    if (isLast)
      break;
    first += "[0]";
  }
  ArrayName kept;
  kept.text = "busfare_" + identifier(array) + (q.number > 1 ? "_" + std::to_string(q.number) : "");
  kept.offset = name.offset;
  if (staticNames.insert(kept.text).second) {
    SpotText *text = textAt(from);
    if (!text)
      return std::nullopt;
    instances.declareBefore(q.root, "static " + element.getUnqualifiedType().getAsString() + " *" + kept.text + ";");
    std::string cast = element.isConstQualified() ? "(" + element.getUnqualifiedType().getAsString() + " *)" : "";
    text->setUp.insert(text->setUp.begin(), kept.text + " = " + cast + first + ";");
  }
  return kept;
}

std::optional<ArrayName> RegionWriter::arrayAt(const std::string &array, const Place &place) {
  std::vector<ArrayName> known = names.namesOf(array, place);
  for (const ArrayName &name : known)
    if (haveSizes(name.offset, place))
      return name;
  return keepPointer(array);
}

/// "noalias(a,b)" as a comparison of addresses at the entry; nothing if it cannot be said there.
std::optional<std::string> RegionWriter::noOverlap(llvm::StringRef assumption) {
  if (!assumption.consume_front("noalias(") || !assumption.consume_back(")"))
    return std::nullopt;
  auto [first, second] = assumption.split(',');
  std::string bounds[2][2];
  for (int k = 0; k < 2; ++k) {
    std::string array = (k ? second : first).trim().str();
    auto found = llvm::find_if(q.region.arrays, [&](const brs::ArrayTransfers &a) { return a.name == array; });
    if (found == q.region.arrays.end())
      return std::nullopt;
    std::vector<ArrayName> known = names.namesOf(array, entry);
    auto hull = linearHull(*found, q.root, inside);
    if (known.empty() || !hull || !known.front().row.empty() || !haveSizes(hull->first, entry) || !haveSizes(hull->second, entry) ||
        !haveSizes(known.front().offset, entry))
      return std::nullopt;
    bounds[k][0] = known.front().text + " + (" + text(hull->first - known.front().offset, entry) + ")";
    bounds[k][1] = known.front().text + " + (" + text(hull->second - known.front().offset + 1, entry) + ")";
  }
  auto address = [](const std::string &pointer) { return "(const char *)(" + pointer + ")"; };
  return "(" + address(bounds[0][1]) + " <= " + address(bounds[1][0]) + " || " + address(bounds[1][1]) + " <= " + address(bounds[0][0]) + ")";
}

/// The region's own ends, and the calls through which they are reached.
bool RegionWriter::findEnds(const Node &first, const Node &last) {
  for (bool after : {false, true}) {
    const Node &node = after ? last : first;
    std::vector<Place> &places = after ? exits : entries;
    Place own;
    // Only the end needs its statement whole: memory may begin earlier than needed.
    if (after ? !placeAt(node, true, own, q.region.location, {}) : false)
      return false;
    Location location = locationOf(node);
    for (unsigned path = node.path;; path = q.root.paths[path].caller) {
      llvm::Expected<Place> place = instances.place(q.root, path, location, after);
      if (!place)
        return fail(llvm::toString(place.takeError()), q.region.location);
      places.insert(places.begin(), *place);
      if (path == 0)
        break;
      location = q.root.paths[path].call;
    }
  }
  // Whoever jumps out of the region misses what stands at its end.
  for (size_t k = 0; k < std::min(entries.size(), exits.size()); ++k) {
    const Place &begin = entries[k], &end = exits[k];
    if (begin.path != end.path)
      break;
    if (begin.source->mayLeaveIn(begin.spot->begin, end.spot->end))
      return fail("a jump (return or goto) may leave it before its end", q.region.location);
  }
  return true;
}

/// The first of the places where a name reaches the array.
std::optional<Place> RegionWriter::reaching(llvm::ArrayRef<Place> places, const std::string &array) {
  for (const Place &place : places)
    if (!names.namesOf(array, place).empty())
      return place;
  return std::nullopt;
}

/// All elements of an array, as it was made; nothing of memory that others made.
std::optional<Expr> RegionWriter::elementsOf(const std::string &name) const {
  if (auto known = q.root.elements.find(name); known != q.root.elements.end())
    return known->second;
  const Array *array = findArray(q.program, q.root.function, name);
  // The rows of what was allocated may be those that the accesses name.
  bool isMade = array && (array->storage == Storage::Local || array->storage == Storage::Global ||
                          (array->storage == Storage::Heap && array->extents.size() == 1));
  Expr all = 1;
  for (size_t d = 0; isMade && d < array->extents.size(); ++d)
    all = array->extents[d] ? all * *array->extents[d] : Expr::poisoned();
  return isMade && !all.isPoisoned() ? std::optional<Expr>(all) : std::nullopt;
}

/// Whatever the kernels touch is there before them and only they change it: then it does no harm if some of them never run.
bool RegionWriter::isSafeIdle() const {
  llvm::ArrayRef<Node> nodes = llvm::ArrayRef(*q.region.block).slice(q.region.first, q.region.last - q.region.first + 1);
  brs::KernelLoops loops;
  for (const brs::Kernel &kernel : q.region.kernels)
    loops.insert(kernel.loop);
  std::set<std::string> changedByHost;
  bool isSafe = true;
  std::function<void(llvm::ArrayRef<Node>)> walk = [&](llvm::ArrayRef<Node> block) {
    for (const Node &node : block) {
      if (const auto *access = std::get_if<Access>(&node.kind); access && access->kind != AccessKind::Read)
        changedByHost.insert(access->array);
      isSafe &= !std::holds_alternative<Rotate>(node.kind) && !std::holds_alternative<Allocate>(node.kind);
      if (const auto *loop = std::get_if<Loop>(&node.kind); loop && !loops.count(loop))
        walk(loop->body);
      if (const auto *branch = std::get_if<Branch>(&node.kind))
        walk(branch->then), walk(branch->otherwise);
      if (const auto *statement = std::get_if<HostStatement>(&node.kind))
        walk(statement->body);
    }
  };
  walk(nodes);
  return isSafe && llvm::all_of(q.region.arrays, [&](const brs::ArrayTransfers &array) {
    if (array.onDevice.isSurelyEmpty())
      return true;
    std::optional<Expr> all = elementsOf(array.name);
    auto hull = linearHull(array, q.root, inside);
    return array.h2d.size() == 1 && array.h2d[0].loops.empty() && !changedByHost.count(array.name) && hull &&
           brs::contains(array.h2d[0].section, array.onDevice, inside) == brs::Answer::Yes && all &&
           brs::isNonNegative(hull->first, inside) == brs::Answer::Yes &&
           brs::isNonNegative(*all - 1 - hull->second, inside) == brs::Answer::Yes;
  });
}

/// Where its conditions can be tested, and which of them.
bool RegionWriter::chooseFacts() {
  auto isKnownAt = [&](const Expr &fact) {
    return llvm::any_of(entries, [&](const Place &place) { return names.sizes(fact, place).has_value(); });
  };
  inside = q.root.context;
  const Expr *unknown = nullptr;
  for (const Expr &fact : q.region.runs)
    if (llvm::all_of(fact.symbols(), [&](const std::string &symbol) { return isKnownAt(Expr::symbol(symbol)); })) {
      tested.push_back(fact);
      inside.assume(fact);
    } else {
      unknown = &fact;
    }
  if (unknown && !isSafeIdle())
    return fail("whether its loops run cannot be told where it begins (" + toString(*unknown) + " >= 0)", q.region.location);
  // All of it must be known at one place, or at those before it.
  for (firstEntry = 0; firstEntry + 1 < entries.size(); ++firstEntry)
    if (llvm::all_of(tested, [&](const Expr &fact) { return names.sizes(fact, entries[firstEntry]).has_value(); }))
      break;
  entry = entries[firstEntry];
  return true;
}

bool RegionWriter::setUpCondition() {
  std::vector<std::string> conditions;
  if (!chooseFacts())
    return false;
  for (const Expr &fact : tested) {
    if (!haveSizes(fact, entry))
      return fail("whether its loops run cannot be told where it begins (" + toString(fact) + " >= 0)", q.region.location);
    conditions.push_back(text(fact, entry) + " >= 0");
  }
  for (const std::string &assumption : q.region.assumptions) {
    if (std::optional<std::string> condition = noOverlap(assumption))
      conditions.push_back(*condition);
    else
      unit.findings.push_back({Rule::AssumedNoAlias, Level::Warning, q.region.location,
                               "the port relies on " + assumption + " and cannot check it where the region begins"});
  }
  if (conditions.empty())
    return true;
  bool isLocal = entry.spot->inBlock;
  std::set<unsigned> paths{entry.path};
  for (const auto &[node, position] : positions)
    paths.insert(node->path);
  isLocal &= paths.size() == 1;
  runs = "busfare_runs" + (q.number > 1 ? std::to_string(q.number) : std::string());
  SpotText *before = textAt(entry);
  if (!before)
    return false;
  if (!isLocal)
    instances.declareBefore(q.root, "static int " + runs + ";");
  before->setUp.push_back((isLocal ? "const int " : "") + runs + " = " + llvm::join(conditions, " &&\n    ") + ";");
  return true;
}

/// An array that begins inside the region: from its allocation or declaration to its end.
bool RegionWriter::lifeInside(const brs::ArrayTransfers &array, Life &life) {
  std::vector<const Loop *> kernels = kernelsThatTouch(array.name);
  const Node *allocated = nullptr, *freed = nullptr;
  unsigned allocations = 0, frees = 0;
  llvm::ArrayRef<Node> inside = llvm::ArrayRef(*q.region.block).slice(q.region.first, q.region.last - q.region.first + 1);
  forEachNode(inside, [&](const Node &node) {
    if (auto *one = std::get_if<Allocate>(&node.kind); one && one->array == array.name)
      allocated = &node, ++allocations;
    if (auto *one = std::get_if<Free>(&node.kind); one && one->array == array.name)
      freed = &node, ++frees;
  });
  if (allocations == 1 && frees <= 1) {
    if (!placeAt(*allocated, true, life.from, array.type.bytes ? locationOf(*allocated) : Location(), kernels))
      return false;
    if (!freed) {
      std::optional<Place> to = reaching(exits, array.name);
      if (to)
        life.to = *to;
      return to || fail("the memory of " + array.name + " is not let go inside the region", locationOf(*allocated), kernels);
    }
    return placeAt(*freed, false, life.to, locationOf(*freed), kernels);
  }
  // A local array of a block.
  for (unsigned path = 0; path < q.root.paths.size(); ++path)
    for (const auto &[name, binding] : q.root.paths[path].arrays) {
      if (binding.array != array.name)
        continue;
      const Function *function = findFunction(q.program, q.root.paths[path].function);
      const Array *declared = function ? findArray(q.program, *function, name) : nullptr;
      if (!declared || declared->storage != Storage::Local)
        continue;
      llvm::Expected<Place> place = instances.place(q.root, path, declared->location, true);
      if (!place)
        return fail(llvm::toString(place.takeError()), declared->location, kernels);
      if (!place->spot->inBlock || !llvm::isa<clang::DeclStmt>(place->spot->stmt) || place->source->mayLeaveIn(place->spot->end, place->spot->blockEnd))
        return fail("its array " + array.name + " may end before its block does", declared->location, kernels);
      life.from = *place;
      life.to = *place;
      life.toBlockEnd = true;
      return true;
    }
  return fail(array.name + " has no name where the region begins", q.region.location, kernels);
}

bool RegionWriter::setUpLives() {
  for (const brs::ArrayTransfers &array : q.region.arrays) {
    if (array.onDevice.isSurelyEmpty())
      continue;
    Life life;
    std::optional<Place> from = reaching(llvm::ArrayRef(entries).drop_front(firstEntry), array.name), to = reaching(exits, array.name);
    bool isThere = from && to;
    if (isThere)
      life = {*from, *to, false};
    if (!isThere && !lifeInside(array, life))
      return false;
    lives[array.name] = life;
  }
  return true;
}

/// All that cannot be said in OpenMP, at once: each time the plan is made again costs as much as the first.
bool RegionWriter::writeKernels() {
  std::map<const Loop *, std::string> refused;
  for (const brs::Kernel &kernel : q.region.kernels) {
    const Location &at = kernel.loop->location;
    unsigned path = pathOfLoop.at(kernel.loop);
    llvm::Expected<Place> place = instances.place(q.root, path, at, false);
    if (!place)
      return fail(llvm::toString(place.takeError()), at, {kernel.loop});
    for (const brs::ArrayTransfers &array : q.region.arrays)
      if (array.hasRows && llvm::is_contained(kernelsThatTouch(array.name), kernel.loop))
        refused[kernel.loop] = "each row of " + array.name + " is memory of its own; the rows have to be put into one array first";
    // Sizes the kernel's map clauses need.
    for (const brs::ArrayTransfers &array : q.region.arrays)
      if (auto hull = linearHull(array, q.root, inside); hull && llvm::is_contained(kernelsThatTouch(array.name), kernel.loop))
        if (!haveSizes(hull->first, *place) || !haveSizes(hull->second, *place))
          refused[kernel.loop] = "the size of " + array.name + " has no name at this place";
    if (refused.count(kernel.loop))
      continue;
    llvm::Expected<Instance *> instance = instances.at(q.root, path);
    if (!instance)
      return fail(llvm::toString(instance.takeError()), at, {kernel.loop});
    KernelQuestion question{q.program, q.root, q.region, inside, kernel, names, *place, q.options.variant, (*instance)->kernelNames, runs};
    llvm::Expected<KernelText> text = kernelText(question);
    if (!text) {
      refused[kernel.loop] = llvm::toString(text.takeError());
      continue;
    }
    SpotText &spot = (*instance)->spots[place->spot];
    spot.kernel = text->before;
    spot.behindKernel = text->after;
    (*instance)->edits.insert((*instance)->edits.end(), text->edits.begin(), text->edits.end());
    unit.kernels.push_back({q.root.name, at, text->collapse, reordersSums(kernel)});
  }
  if (refused.empty())
    return true;
  std::vector<const Loop *> loops;
  for (const brs::Kernel &kernel : q.region.kernels)
    if (refused.count(kernel.loop))
      loops.push_back(kernel.loop);
  fail(refused[loops.front()], loops.front()->location, loops);
  refusal->reasons = std::move(refused);
  return false;
}

bool RegionWriter::reordersSums(const brs::Kernel &kernel) const {
  const brs::LoopVerdict *verdict = q.root.dependence.find(*kernel.loop);
  return verdict && llvm::any_of(verdict->needs, [&](const brs::Need &need) {
    const Array *array = need.kind == brs::Need::Kind::Reduction ? findArray(q.program, q.root.function, need.name) : nullptr;
    return array && array->type.kind == ElementType::Kind::Float && (need.op == "+" || need.op == "*" || need.op == "-");
  });
}

/// What holds in the loops around a copy of a region that runs.
brs::Context RegionWriter::factsAt(const brs::Crossing &crossing) const {
  brs::Context facts = inside;
  for (const Loop *loop : crossing.loops) {
    Expr index = Expr::symbol(loop->index);
    facts.assume(loop->step > 0 ? index - loop->lower : loop->lower - index);
    facts.assume(loop->step > 0 ? loop->upper - index : index - loop->upper);
  }
  return facts;
}

bool RegionWriter::writeCopy(const brs::ArrayTransfers &array, const brs::Crossing &crossing, bool toDevice) {
  std::vector<const Loop *> kernels = kernelsThatTouch(array.name);
  Place place;
  if (!placeAt(*crossing.node, crossing.after, place, crossing.at, kernels))
    return false;
  // The loops the plan thinks are around the copy are those that are.
  size_t around = llvm::count_if(crossing.loops, [&](const Loop *loop) { return pathOfLoop.at(loop) == place.path; });
  if (around != place.spot->loops.size())
    return fail("a copy stands in a loop that the plan does not know", crossing.at, kernels);
  projection::Direction direction = toDevice ? projection::Direction::ToDevice : projection::Direction::ToHost;
  projection::CrossingForm form = projection::formOf(array, crossing, direction, q.root.context);
  projection::CrossingCost cost = projection::costOf(array, crossing, direction, form, q.values, q.overrides, q.options.machine);
  llvm::Expected<Pieces> pieces = piecesOf(array, crossing, cost.method, q.root.context);
  if (!pieces)
    return fail(llvm::toString(pieces.takeError()), crossing.at, kernels);
  std::optional<ArrayName> name = arrayAt(array.name, place);
  if (!name)
    return fail(array.name + " has no name where it is to be copied", crossing.at, kernels);
  PlannedCopy planned{unsigned(unit.copies.size()), q.root.name, array.name, toDevice, crossing.section.exact && cost.movedBytes <= cost.bytes, crossing.at,
                      brs::toString(crossing.section), cost.movedBytes, cost.count, &q.region, &crossing, cost.method, {}, {}, false, false, 1, ""};
  planned.timesAt = [&crossing, overrides = q.overrides](const RealValues &sizes) {
    double times = 0;
    projection::sampleIterations(crossing.loops, sizes, overrides, [&](const RealValues &, double weight) { times += weight; });
    return times;
  };
  planned.isConditional = conditional.count(crossing.node) != 0 ||
                          llvm::any_of(crossing.loops, [](const Loop *loop) { return loop->mayExitEarly; });
  planned.varies = form.varies;
  planned.pieces = pieces->boxes.size() + pieces->ranges.size();
  planned.entries = entriesName();
  planned.bytesAt = [&array, &crossing, conditions = tested, form, method = cost.method, overrides = q.overrides](const RealValues &sizes) {
    // The port tests these where the region begins.
    for (const Expr &fact : conditions)
      if (fact.evaluateReal(sizes).value_or(0) < 0)
        return 0.0;
    return projection::bytesMovedBy(method, array, crossing, form, sizes, overrides);
  };
  std::string pointer = name->text, open;
  if (!name->row.empty()) {
    std::string first = name->text + "[0]";
    for (size_t k = 0; k < name->row.size(); ++k)
      first += "[0]";
    pointer = "busfare_" + identifier(name->text);
    open = "__typeof__(" + first + ") *const " + pointer + " = &" + first + ";\n(void)" + pointer + ";";
  }
  bool hasAll = true;
  auto toText = [&](const Expr &expr) {
    if (!haveSizes(expr, place)) {
      hasAll = false;
      return std::string("0");
    }
    return text(expr, place);
  };
  brs::Context facts = factsAt(crossing);
  CopyQuestion question{array, toDevice, pointer, name->offset, "sizeof *" + pointer, toText, runs, facts, isWatched() ? int(planned.id) : -1};
  std::vector<std::string> lines = copyStatements(*pieces, question);
  if (!hasAll)
    return fail("a size of the copy of " + array.name + " has no name where it is to stand", crossing.at, kernels);
  if (!open.empty())
    lines = {"{\n" + open + "\n" + llvm::join(lines, "\n") + "\n}"};
  if (isWatched() && !runs.empty())
    lines = {"if (" + runs + ") {\n" + llvm::join(lines, "\n") + "\n}"};
  SpotText *spot = textAt(place, kernels);
  if (!spot)
    return false;
  std::vector<std::string> &side = crossing.after ? spot->copiesAfter : spot->copies;
  side.insert(side.end(), lines.begin(), lines.end());
  double bytes = planned.bytesAt(q.values);
  unit.copies.push_back(std::move(planned));
  auto sum = llvm::find_if(unit.arrays, [&](const PortedArray &a) { return a.root == q.root.name && a.name == array.name; });
  (toDevice ? sum->h2dBytes : sum->d2hBytes) += bytes;
  return true;
}

bool RegionWriter::writeCopies() {
  for (const brs::ArrayTransfers &array : q.region.arrays) {
    unit.arrays.push_back({q.root.function.location.file.str(), q.root.name, array.name, 0, 0});
    std::vector<std::pair<const brs::Crossing *, bool>> inOrder;
    for (bool toDevice : {true, false})
      for (const brs::Crossing &crossing : toDevice ? array.h2d : array.d2h)
        inOrder.emplace_back(&crossing, toDevice);
    llvm::stable_sort(inOrder, [](const auto &a, const auto &b) { return a.first->order < b.first->order; });
    for (const auto &[crossing, toDevice] : inOrder)
      if (!writeCopy(array, *crossing, toDevice))
        return false;
  }
  return true;
}

/// For the watch library: nothing else lies on the array's pages.
void RegionWriter::giveOwnPages(const ArrayName &name, const Place &place) {
  const auto *variable = llvm::dyn_cast_or_null<clang::VarDecl>(name.variable);
  if (!variable || !variable->getType()->isArrayType())
    return;
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
  std::map<std::tuple<unsigned, const Spot *, bool>, std::pair<Place, std::vector<std::string>>> begins, ends;
  std::map<std::tuple<unsigned, const Spot *, bool>, std::vector<std::string>> objects;
  for (const brs::ArrayTransfers &array : q.region.arrays) {
    auto life = lives.find(array.name);
    if (life == lives.end())
      continue;
    std::vector<const Loop *> kernels = kernelsThatTouch(array.name);
    for (bool isEnd : {false, true}) {
      const Place &place = isEnd ? life->second.to : life->second.from;
      std::optional<ArrayName> name = arrayAt(array.name, place);
      auto hull = linearHull(array, q.root, inside);
      if (!name || !hull)
        return fail("how large " + array.name + " is, is not known", q.region.location, kernels);
      if (!haveSizes(hull->first - name->offset, place) || !haveSizes(hull->second - name->offset, place))
        return fail("the size of " + array.name + " has no name where its device memory begins", q.region.location, kernels);
      std::optional<MapItem> item = mapItem(array, *name, names, place, q.root, inside);
      if (!item)
        return fail("what the device holds of " + array.name + " is no range of it", q.region.location, kernels);
      bool atBlockEnd = isEnd && life->second.toBlockEnd;
      auto &lines = (isEnd ? ends : begins)[{place.path, place.spot, atBlockEnd}];
      lines.first = place;
      lines.second.push_back(item->text());
      if (!isEnd && isWatched()) {
        giveOwnPages(*name, place);
        objects[{place.path, place.spot, false}].push_back("busfare_object(\"" + q.root.name + "\", \"" + array.name + "\", &" + item->name + "[" +
                                                          item->first + "], (" + item->count + ") * sizeof(" + item->name + "[0]));");
      }
    }
  }
  std::string condition = runs.empty() ? "" : " if(" + runs + ")";
  auto directive = [&](const char *head, const std::vector<std::string> &items) {
    std::string line = head, result;
    for (const std::string &item : items) {
      std::string clause = std::string(" map(") + (llvm::StringRef(head).contains("enter") ? "alloc: " : "delete: ") + item + ")";
      if (line.size() + clause.size() > 100) {
        result += line + " \\\n";
        line = "   ";
      }
      line += clause;
    }
    return result + line + condition;
  };
  for (auto &[key, lines] : begins) {
    SpotText *spot = textAt(lines.first);
    if (!spot)
      return false;
    std::vector<std::string> made;
    for (const std::string &object : objects[{lines.first.path, lines.first.spot, false}])
      made.push_back(runs.empty() ? object : "if (" + runs + ")\n  " + object);
    made.push_back(directive("#pragma omp target enter data", lines.second));
    (lines.first.after ? spot->beginsAfter : spot->begins) = made;
  }
  for (auto &[key, lines] : ends) {
    SpotText *spot = textAt(lines.first);
    if (!spot)
      return false;
    std::string line = directive("#pragma omp target exit data", lines.second);
    if (std::get<2>(key))
      spot->atBlockEnd.push_back(line);
    else
      (lines.first.after ? spot->endsAfter : spot->ends).push_back(line);
  }
  return true;
}

/// Tells the watch library what the sizes are, where some variable holds them: at the region's entry, or else where the
/// device memory of some array begins. And that the region begins: where it does itself, since a condition may lie between
/// that and where its memory begins.
void RegionWriter::writeValues() {
  if (SpotText *text = textAt(entries.back()))
    text->setUp.push_back((runs.empty() ? "" : "if (" + runs + ")\n  ") + "busfare_value(\"" + q.root.name + "\", \"" + entriesName() + "\", 1);");
  std::vector<Place> places = entries;
  for (const auto &[array, life] : lives)
    places.push_back(life.from);
  for (const auto &[symbol, value] : q.values)
    for (const Place &place : places) {
      std::optional<SymbolTexts> texts = names.sizes(Expr::symbol(symbol), place);
      SpotText *text = texts ? textAt(place) : nullptr;
      if (!text)
        continue;
      text->setUp.push_back("busfare_value(\"" + q.root.name + "\", \"" + symbol + "\", (long)(" + texts->at(symbol) + "));");
      break;
    }
}

/// Kernels in functions that cannot be changed stay on the host; the others may still go.
bool RegionWriter::canStand() {
  std::vector<const Loop *> loops;
  std::string reason;
  for (const brs::Kernel &kernel : q.region.kernels) {
    unsigned path = pathOfLoop.at(kernel.loop);
    llvm::Expected<Place> place = instances.place(q.root, path, kernel.loop->location, false);
    llvm::Error error = place ? instances.at(q.root, path).takeError() : place.takeError();
    if (!error)
      continue;
    loops.push_back(kernel.loop);
    reason = llvm::toString(std::move(error));
  }
  return loops.empty() || fail(reason, loops.front()->location, loops);
}

std::optional<Refusal> RegionWriter::write() {
  llvm::ArrayRef<Node> nodes = llvm::ArrayRef(*q.region.block).slice(q.region.first, q.region.last - q.region.first + 1);
  index(*q.region.block);
  if (!canStand() || !findEnds(nodes.front(), nodes.back()))
    return refusal;
  if (setUpCondition() && writeKernels() && setUpLives() && writeCopies() && writeLives() && isWatched())
    writeValues();
  return refusal;
}

} // namespace

std::optional<Refusal> portRegion(const RegionQuestion &question, Instances &instances, PortedProgram &unit) {
  return RegionWriter(question, instances, unit).write();
}

} // namespace busfare::frontend::port
