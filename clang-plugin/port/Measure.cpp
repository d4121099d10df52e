//===- clang-plugin/port/Measure.cpp - Timers and counters into the source -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/Measure.h"
#include "clang-plugin/lower/Located.h"
#include "clang-plugin/port/Edits.h"
#include "clang-plugin/port/Names.h"
#include "projection/Describe.h"
#include "projection/Profile.h"
#include "projection/Sizes.h"
#include "skeleton/Visit.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <set>

namespace busfare::frontend::port {
using namespace clang;
using skeleton::Location;

namespace {

/// A function whose text can be changed.
struct Measurable {
  size_t unit = 0;
  const FunctionPoints *points = nullptr;
  std::unique_ptr<FunctionSource> source;
  std::map<Location, unsigned> loops, branches; ///< Numbers.
};

class Measurer {
public:
  Measurer(const skeleton::Program &program, llvm::ArrayRef<ProgramUnit> units)
      : program(program), units(units), edits(units.size()) {}

  MeasuredProgram run(llvm::ArrayRef<const projection::Root *> roots);

private:
  const skeleton::Program &program;
  llvm::ArrayRef<ProgramUnit> units;
  std::vector<std::vector<Edit>> edits;
  MeasuredProgram result;
  unsigned counters = 0, timers = 0;
  std::map<std::string, Measurable> functions;
  std::set<std::pair<std::string, std::string>> sizesSeen;
  std::set<Location> nestsSeen;

  void findFunctions();
  void addSizes(const projection::Root &root, const projection::Sizes &sizes);
  bool tellSize(const projection::Root &root, const std::string &symbol, const std::string &name,
                const Measurable &function);
  void addLoops(const projection::Root &root, const projection::Sizes &sizes);
  void countLoop(const std::string &name, Measurable &function, const Location &location);
  void addBranches();
  void addTimers(const projection::Root &root);
  void timeRegion(const projection::Root &root, const brs::Region &region);
  void timeNest(const projection::Root &root, unsigned path, const skeleton::Loop &loop);

  void insert(const Measurable &function, unsigned at, std::string text) {
    edits[function.unit].push_back({at, 0, std::move(text)});
  }
  /// Behind a statement. Of several at one place those added later stand further inside, so they come first.
  void close(const Measurable &function, unsigned at, std::string text) {
    std::vector<Edit> &own = edits[function.unit];
    own.insert(own.begin(), {at, 0, std::move(text)});
  }
  void before(const Measurable &function, const Spot &spot, const std::string &call);
  void around(const Measurable &function, const Spot &first, const Spot &last, const std::string &begin,
              const std::string &end);
  void note(const Location &location, const std::string &what) {
    result.notes.push_back(toString(Location{location.file, location.line, 0}) + ": " + what);
  }
  std::string prologue(bool isCxx) const;
};

Location locate(SourceLocation where, const ASTContext &context) {
  return locationOf(where, context.getSourceManager());
}

/// A directive or an attribute stands before it: nothing may come between the two.
bool hasDirective(const Spot &spot) { return withoutDirective(spot.stmt) != spot.stmt; }

/// It runs on several threads at a time.
bool isInDirective(const Spot &spot) {
  for (const Spot *at = spot.parent; at; at = at->parent)
    if (hasDirective(*at)) return true;
  return false;
}

/// A function, and what its skeleton calls a size.
using ScopedSize = std::pair<std::string, std::string>;
ScopedSize scopedSize(const projection::Root &root, const std::string &symbol) {
  std::string scoped = projection::scopedName(root.name, symbol);
  auto [function, name] = llvm::StringRef(scoped).rsplit("::");
  return {function.str(), name.str()};
}

bool isOfMacro(const Stmt *stmt) { return stmt->getBeginLoc().isMacroID() || stmt->getEndLoc().isMacroID(); }

} // namespace

void Measurer::findFunctions() {
  for (size_t k = 0; k < units.size(); ++k)
    for (const auto &[name, facts] : units[k].points) {
      const skeleton::Function *function = skeleton::findFunction(program, name);
      if (!function || !facts.function || !facts.function->hasBody() || functions.count(name)) continue;
      auto source = std::make_unique<FunctionSource>(facts.function, *units[k].context);
      if (!source->whyFixed.empty() || units[k].isShared) continue;
      functions[name] = {k, &facts, std::move(source), projection::loopNumbers(*function),
                         projection::branchNumbers(*function)};
    }
}

//===--- Text ---------------------------------------------------------------===//

/// A statement before the spot's, in braces with it where only one may stand.
void Measurer::before(const Measurable &function, const Spot &spot, const std::string &call) {
  around(function, spot, spot, call, "");
}

void Measurer::around(const Measurable &function, const Spot &first, const Spot &last, const std::string &begin,
                      const std::string &end) {
  bool isDirective = function.source->text.substr(first.begin).starts_with("#");
  bool needsBraces = !first.inBlock;
  insert(function, first.begin, (needsBraces ? "{ " : "") + begin + (isDirective ? "\n" : " "));
  if (!end.empty() || needsBraces)
    close(function, last.end, (end.empty() ? "" : " " + end) + (needsBraces ? " }" : ""));
}

std::string Measurer::prologue(bool isCxx) const {
  std::string lines =
      "extern __thread long *busfare_counts;\nlong *busfare_block(void);\nvoid busfare_begin(unsigned);\n"
      "void busfare_end(unsigned);\nvoid busfare_size(unsigned, long);\n"
      "static __inline__ __attribute__((unused)) void busfare_count(unsigned busfare_id) {\n"
      "  long *counts = busfare_counts;\n  if (!counts)\n    counts = busfare_block();\n  ++counts[busfare_id];\n}\n"
      "static __inline__ __attribute__((unused)) int busfare_taken(unsigned busfare_id, int busfare_is) {\n"
      "  long *counts = busfare_counts;\n  if (!counts)\n    counts = busfare_block();\n  ++counts[busfare_id];\n"
      "  counts[busfare_id + 1] += busfare_is;\n  return busfare_is;\n}\n";
  if (isCxx) lines = "extern \"C\" {\n" + lines + "}\n";
  return lines + "#line 1\n";
}

//===--- Sizes ----------------------------------------------------------------===//

/// Where a variable holds the symbol first, outside loops.
bool Measurer::tellSize(const projection::Root &root, const std::string &symbol, const std::string &name,
                        const Measurable &function) {
  Names names(program, root);
  for (unsigned path = 0; path < root.paths.size(); ++path) {
    if (root.paths[path].function != name) continue;
    for (const Spot &spot : function.source->spots)
      for (bool after : {false, true}) {
        if (!spot.inBlock || !spot.loops.empty() || (after && hasDirective(spot))) continue;
        if (after && function.source->mayLeaveIn(spot.begin, spot.end)) continue;
        std::optional<SymbolTexts> texts =
            names.sizes(skeleton::Expr::symbol(symbol), {path, function.source.get(), function.points, &spot, after});
        if (!texts) continue;
        std::string call =
            "busfare_size(" + std::to_string(result.sizes.size()) + "u, (long)(" + texts->at(symbol) + "));";
        if (after) insert(function, spot.end, " " + call);
        else before(function, spot, call);
        return true;
      }
  }
  return false;
}

void Measurer::addSizes(const projection::Root &root, const projection::Sizes &sizes) {
  for (const auto &[symbol, parameter] : sizes.bySymbol) {
    bool isOpen = parameter.source == projection::ParameterSource::Assumed ||
                  parameter.source == projection::ParameterSource::Declared;
    if (!isOpen) continue;
    ScopedSize size = scopedSize(root, symbol);
    auto found = functions.find(size.first);
    if (found == functions.end() || sizesSeen.count(size)) continue;
    if (tellSize(root, symbol, size.first, found->second)) {
      sizesSeen.insert(size);
      result.sizes.push_back({size.first, size.second, unsigned(result.sizes.size())});
    }
  }
}

//===--- Loops and branches ---------------------------------------------------===//

void Measurer::countLoop(const std::string &name, Measurable &function, const Location &location) {
  const FunctionSource &source = *function.source;
  const Spot *spot = nullptr;
  for (const Spot &one : source.spots)
    if (loopBodyOf(withoutDirective(one.stmt)) &&
        locate(withoutDirective(one.stmt)->getBeginLoc(), source.context) == location)
      spot = &one;
  if (!spot || hasDirective(*spot) || isOfMacro(spot->stmt))
    return note(location, spot && hasDirective(*spot)
                              ? "its iterations are not counted: a directive stands before the loop"
                              : "its iterations are not counted: a macro writes the loop");
  const Stmt *body = loopBodyOf(spot->stmt);
  unsigned id = counters;
  std::string turn = "busfare_count(" + std::to_string(id + 1) + "u);";
  if (llvm::isa<CompoundStmt>(body)) {
    insert(function, source.offsetOf(body->getBeginLoc()) + 1, " " + turn);
  } else if (const Spot *inner = source.spotOf(body)) {
    insert(function, inner->begin, "{ " + turn + " ");
    close(function, inner->end, " }");
  } else {
    return note(location, "its iterations are not counted: its body cannot be changed");
  }
  before(function, *spot, "busfare_count(" + std::to_string(id) + "u);");
  counters += 2;
  result.counts.push_back({name, function.loops.at(location), location.line, true, id});
}

/// Loops whose bounds hold a size that only a default binds and no variable tells.
void Measurer::addLoops(const projection::Root &root, const projection::Sizes &sizes) {
  std::set<Location> seen;
  for (const MeasuredCounts &known : result.counts)
    for (const auto &[location, number] : functions.at(known.function).loops)
      if (number == known.number) seen.insert(location);
  skeleton::forEachNode(root.function.body, [&](const skeleton::Node &node) {
    auto *loop = std::get_if<skeleton::Loop>(&node.kind);
    if (!loop) return;
    bool isOpen = false;
    for (const skeleton::Expr &bound : {loop->lower, loop->upper})
      for (const std::string &symbol : bound.symbols()) {
        auto known = sizes.bySymbol.find(symbol);
        isOpen |= known != sizes.bySymbol.end() && known->second.source == projection::ParameterSource::Assumed &&
                  !sizesSeen.count(scopedSize(root, symbol));
      }
    auto function = functions.find(root.paths[node.path].function);
    if (!isOpen || function == functions.end() || !function->second.loops.count(loop->location) ||
        !seen.insert(loop->location).second)
      return;
    countLoop(function->first, function->second, loop->location);
  });
}

/// Every `if` that nothing decides.
void Measurer::addBranches() {
  for (auto &[name, function] : functions)
    for (const Spot &spot : function.source->spots) {
      const auto *choice = llvm::dyn_cast<IfStmt>(spot.stmt);
      if (!choice || choice->isConsteval() || choice->isConstexpr() || choice->getConditionVariable()) continue;
      auto number = function.branches.find(locate(choice->getBeginLoc(), function.source->context));
      const clang::Expr *condition = choice->getCond();
      if (number == function.branches.end() || isOfMacro(condition) || choice->getBeginLoc().isMacroID()) continue;
      unsigned begin = function.source->offsetOf(condition->getBeginLoc()),
               end = function.source->endOf(condition->getSourceRange());
      insert(function, begin, "busfare_taken(" + std::to_string(counters) + "u, !!(");
      insert(function, end, "))");
      result.counts.push_back({name, number->second, number->first.line, false, counters});
      counters += 2;
    }
}

//===--- Timers -----------------------------------------------------------------===//

void Measurer::timeNest(const projection::Root &root, unsigned path, const skeleton::Loop &loop) {
  const std::string &name = root.paths[path].function;
  auto found = functions.find(name);
  if (!nestsSeen.insert(loop.location).second) return;
  if (found == functions.end())
    return note(loop.location,
                "the kernel's time is not measured: its function is a header's, a macro's or a template's");
  Measurable &function = found->second;
  const Spot *spot = function.source->spotAt(loop.location);
  while (spot && !loopBodyOf(withoutDirective(spot->stmt))) spot = spot->parent;
  auto number = function.loops.find(loop.location);
  if (!spot || number == function.loops.end() || isOfMacro(withoutDirective(spot->stmt)) || isInDirective(*spot) ||
      function.source->mayLeaveIn(spot->begin, spot->end))
    return note(loop.location,
                spot && isInDirective(*spot)
                    ? "the kernel's time is not measured: several threads run it at a time"
                    : "the kernel's time is not measured: it stands in a macro, or control may leave it");
  unsigned id = timers++;
  around(function, *spot, *spot, "busfare_begin(" + std::to_string(id) + "u);",
         "busfare_end(" + std::to_string(id) + "u);");
  result.times.push_back({name, number->second, loop.location.line, "", "", id});
}

/// The statement of `path` that the node came through.
static Location locationIn(const projection::Root &root, const skeleton::Node &node, unsigned path) {
  Location location = locationOf(node);
  for (unsigned at = node.path; at != path; at = root.paths[at].caller) {
    if (at == 0) return {};
    location = root.paths[at].call;
  }
  return location;
}

/// The innermost path that both nodes came through.
static unsigned commonPath(const projection::Root &root, unsigned a, unsigned b) {
  std::set<unsigned> above;
  for (unsigned at = a;; at = root.paths[at].caller) {
    above.insert(at);
    if (at == 0) break;
  }
  while (!above.count(b)) b = root.paths[b].caller;
  return b;
}

/// From its first statement to its last one in the function where both stand.
void Measurer::timeRegion(const projection::Root &root, const brs::Region &region) {
  llvm::ArrayRef<skeleton::Node> nodes =
      llvm::ArrayRef(*region.block).slice(region.first, region.last - region.first + 1);
  std::string id = llvm::sys::path::filename(region.location.file).str() + ":" + std::to_string(region.location.line) +
                   ":" + root.name;
  auto fail = [&](const std::string &why) {
    result.notes.push_back("the time of the region " + id + " is not measured: " + why);
  };
  unsigned path = commonPath(root, nodes.front().path, nodes.back().path);
  auto found = functions.find(root.paths[path].function);
  if (found == functions.end()) return fail("its function is a header's, a macro's or a template's");
  const FunctionSource &source = *found->second.source;
  const Spot *first = source.spotAt(locationIn(root, nodes.front(), path)),
             *last = source.spotAt(locationIn(root, nodes.back(), path));
  // Up to where both stand in one block.
  while (first && (!first->inBlock || !last || first->begin > last->begin)) first = first->parent;
  std::set<unsigned> blocks;
  for (const Spot *at = first; at; at = at->parent)
    if (at->inBlock) blocks.insert(at->blockEnd);
  while (last && (!last->inBlock || !blocks.count(last->blockEnd))) last = last->parent;
  while (first && last && (!first->inBlock || first->blockEnd != last->blockEnd)) first = first->parent;
  if (!first || !last || isOfMacro(withoutDirective(first->stmt)) || isOfMacro(withoutDirective(last->stmt)))
    return fail("its statements do not stand in one block of the source");
  if (source.mayLeaveIn(first->begin, last->end) || isInDirective(*first))
    return fail("control may leave it, or several threads run it");
  for (const Spot *at = first; at != last; at = at->next)
    if (!at->next) return fail("its statements do not stand in one block of the source");
  unsigned timer = timers++;
  around(found->second, *first, *last, "busfare_begin(" + std::to_string(timer) + "u);",
         "busfare_end(" + std::to_string(timer) + "u);");
  result.times.push_back({root.name, 0, region.location.line, id, projection::fingerprintOf(nodes), timer});
}

void Measurer::addTimers(const projection::Root &root) {
  std::map<const skeleton::Loop *, unsigned> paths;
  skeleton::forEachNode(root.function.body, [&](const skeleton::Node &node) {
    if (auto *loop = std::get_if<skeleton::Loop>(&node.kind)) paths[loop] = node.path;
  });
  for (const brs::Region &region : root.transfers.regions) {
    timeRegion(root, region);
    for (const brs::Kernel &kernel : region.kernels) timeNest(root, paths[kernel.loop], *kernel.loop);
  }
}

MeasuredProgram Measurer::run(llvm::ArrayRef<const projection::Root *> roots) {
  findFunctions();
  // Timers first: what else is added at one place stands inside them.
  for (const projection::Root *root : roots) addTimers(*root);
  for (const projection::Root *root : roots) {
    llvm::Expected<projection::Sizes> sizes = projection::bindSizes(program, *root, {});
    if (!sizes) {
      llvm::consumeError(sizes.takeError()); // nothing was given that could contradict the program
      continue;
    }
    addSizes(*root, *sizes);
    addLoops(*root, *sizes);
  }
  addBranches();
  for (size_t k = 0; k < units.size(); ++k) {
    if (edits[k].empty()) {
      result.texts.push_back("");
      continue;
    }
    llvm::StringRef text = textOf(units[k]);
    edits[k].insert(edits[k].begin(), {text.starts_with("\xef\xbb\xbf") ? 3u : 0u, 0,
                                       prologue(units[k].context->getLangOpts().CPlusPlus)});
    result.texts.push_back(port::apply(text, edits[k]));
  }
  return std::move(result);
}

MeasuredProgram measured(const skeleton::Program &program, llvm::ArrayRef<ProgramUnit> units,
                         llvm::ArrayRef<const projection::Root *> roots) {
  return Measurer(program, units).run(roots);
}

} // namespace busfare::frontend::port
