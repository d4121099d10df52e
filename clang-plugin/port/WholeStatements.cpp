//===- clang-plugin/port/WholeStatements.cpp - Which nodes are whole statements -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/WholeStatements.h"
#include "clang-plugin/lower/AstQueries.h"
#include "skeleton/Visit.h"
#include "clang/AST/Expr.h"
#include "clang/AST/StmtOpenMP.h"
#include "llvm/ADT/STLExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

WholeStatements::WholeStatements(const projection::Root &root, Instances &instances)
    : root(root), instances(instances) {
  // What several statements have in common stands nowhere by itself.
  forEachNode(root.function.body, [&](const Node &node) {
    if (auto *host = std::get_if<HostStatement>(&node.kind)) ++uses[host->body.identity()];
  });
  index(root.function.body, nullptr);
}

void WholeStatements::index(const Block &block, const Node *parent) {
  for (size_t k = 0; k < block.size(); ++k) {
    positions[&block[k]] = {&block, k, parent};
    if (auto *loop = std::get_if<Loop>(&block[k].kind)) {
      index(loop->body, &block[k]);
    } else if (auto *branch = std::get_if<Branch>(&block[k].kind)) {
      index(branch->then, &block[k]);
      index(branch->otherwise, &block[k]);
    } else if (auto *host = std::get_if<HostStatement>(&block[k].kind)) {
      if (uses.at(host->body.identity()) == 1) index(host->body, &block[k]);
    }
  }
}

const WholeStatements::PathNodes &WholeStatements::locatedIn(unsigned path) {
  auto [known, isNew] = located.try_emplace(path);
  if (!isNew) return known->second;
  for (const auto &[node, position] : positions) {
    Location location = locationOf(*node);
    unsigned at = node->path;
    for (; at > path; at = root.paths[at].caller) // a caller has the smaller number
      location = root.paths[at].call;
    if (at != path || !location.isKnown()) continue;
    llvm::Expected<Place> place = instances.place(root, path, location, false);
    if (!place) {
      llvm::consumeError(place.takeError());
      continue;
    }
    known->second.place = *place;
    known->second.nodes.push_back({node, place->spot});
  }
  return known->second;
}

/// The variable is mentioned in the function outside [from, to).
static bool isMentionedOutside(const clang::VarDecl *variable, unsigned from, unsigned to,
                               const FunctionSource &source) {
  std::function<bool(const clang::Stmt *)> walk = [&](const clang::Stmt *stmt) -> bool {
    if (!stmt) return false;
    const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt);
    if (ref && ref->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl()) {
      const unsigned at = source.offsetOf(ref->getBeginLoc());
      return at < from || at >= to;
    }
    return llvm::any_of(partsOf(stmt), walk);
  };
  return walk(source.function->getBody());
}

/// Nothing that is declared there is wanted outside.
static bool declaresForItself(const Spot &spot, unsigned from, unsigned to, const FunctionSource &source) {
  const auto *declares = llvm::dyn_cast<clang::DeclStmt>(spot.stmt);
  return !declares || llvm::all_of(declares->decls(), [&](const clang::Decl *decl) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    return variable && variable->hasLocalStorage() && variable->getType().isTrivialType(source.context) &&
           !isMentionedOutside(variable, from, to, source);
  });
}

/// It can be a statement of a block in a target region.
static bool canStand(const Spot &spot, const FunctionSource &source) {
  return !llvm::isa<clang::LabelStmt, clang::SwitchCase, clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
                    clang::GotoStmt>(spot.stmt) &&
         !source.mayLeaveIn(spot.begin, spot.end);
}

/// Local arrays of the statements, and of what they call: the device has its own.
std::vector<std::string> WholeStatements::arraysOf(const StatementRun &run) const {
  std::vector<std::string> own;
  const unsigned from = run.statements.front()->begin, to = run.statements.back()->end;
  auto isIn = [&](const Location &location) {
    std::optional<unsigned> at = run.place.source->offsetAt(location);
    return at && *at >= from && *at < to;
  };
  for (unsigned path = run.place.path; path < root.paths.size(); ++path) {
    unsigned at = path;
    Location call;
    for (; at > run.place.path; at = root.paths[at].caller) call = root.paths[at].call;
    if (at != run.place.path || (path != at && !isIn(call))) continue;
    for (const auto &[name, binding] : root.paths[path].arrays) {
      const Array *array = root.arrays.find(binding.array);
      if (array && array->storage == Storage::Local &&
          (path == at ? isIn(array->location) : llvm::StringRef(binding.array).starts_with(root.paths[path].prefix)))
        own.push_back(binding.array);
    }
  }
  return own;
}

/// In pieces without declarations of what is wanted behind, each from a statement with nodes to one with nodes.
void WholeStatements::cut(Statements statements, const FunctionSource &source, HasNodes hasNodes,
                          std::vector<Statements> &parts) const {
  while (!statements.empty() && !hasNodes(statements.back())) statements.pop_back();
  statements.erase(statements.begin(), llvm::find_if(statements, hasNodes));
  if (statements.empty()) return;
  const unsigned from = statements.front()->begin, to = statements.back()->end;
  auto other = llvm::find_if(statements, [&](const Spot *spot) { return !declaresForItself(*spot, from, to, source); });
  if (other != statements.end()) {
    cut(Statements(statements.begin(), other), source, hasNodes, parts);
    return cut(Statements(std::next(other), statements.end()), source, hasNodes, parts);
  }
  if (!refused.count({statements.front(), statements.back()})) parts.push_back(statements);
  else if (statements.size() > 1)
    for (const Spot *spot : statements) cut({spot}, source, hasNodes, parts);
}

/// False if their nodes are not given, one behind the other.
bool WholeStatements::take(const Statements &statements, unsigned path, const Nodes &given, Nodes &taken,
                           projection::Runs &runs) {
  const PathNodes &here = locatedIn(path);
  const unsigned from = statements.front()->begin, to = statements.back()->end;
  Nodes inside;
  for (const Located &one : here.nodes)
    if (one.spot->begin >= from && one.spot->end <= to) inside.insert(one.node);
  const Block *block = nullptr;
  size_t first = 0, last = 0;
  for (const Node *node : inside) {
    const Position &at = positions.at(node);
    if (inside.count(at.parent)) continue;
    if (block && block != at.block) return false;
    first = block ? std::min(first, at.index) : at.index;
    last = block ? std::max(last, at.index) : at.index;
    block = at.block;
  }
  if (!block) return false;
  for (size_t k = first; k <= last; ++k)
    if (const Node &node = (*block)[k];
        !given.count(&node) || (!inside.count(&node) && !std::holds_alternative<Operations>(node.kind)))
      return false;
  const Node *key = &(*block)[first];
  StatementRun run{*here.place, statements, {}};
  run.place.spot = statements.front();
  run.ownArrays = arraysOf(run);
  found[key] = std::move(run);
  runs[key] = last - first + 1;
  taken.insert(inside.begin(), inside.end());
  return true;
}

/// The largest statements of the function on this path whose nodes are all given, those behind each other together.
void WholeStatements::findIn(unsigned path, const Nodes &given, Nodes &taken, projection::Runs &runs) {
  const PathNodes &here = locatedIn(path);
  if (!here.place) return;
  const FunctionSource &source = *here.place->source;
  struct Count {
    unsigned all = 0, given = 0;
  };
  std::map<const Spot *, Count> counts;
  for (const Located &one : here.nodes)
    for (const Spot *spot = one.spot; spot; spot = spot->parent) {
      ++counts[spot].all;
      counts[spot].given += given.count(one.node) && !taken.count(one.node);
    }
  auto isWhole = [&](const Spot *spot) {
    const Count &count = counts.at(spot);
    return count.all == count.given && !refused.count({spot, spot}) && canStand(*spot, source);
  };
  Statements whole;
  for (const auto &[spot, count] : counts) {
    bool isLargest = isWhole(spot);
    for (const Spot *around = spot->parent; around && isLargest; around = around->parent) isLargest = !isWhole(around);
    if (isLargest) whole.push_back(spot);
  }
  llvm::sort(whole, [](const Spot *a, const Spot *b) { return a->begin < b->begin; });
  for (size_t k = 0; k < whole.size();) {
    Statements group{whole[k++]};
    // What lies between may have no nodes at all.
    for (; k < whole.size(); ++k) {
      Statements between;
      const Spot *next = group.back()->next;
      for (; next && next != whole[k] && !counts.count(next) && canStand(*next, source); next = next->next)
        between.push_back(next);
      if (next != whole[k]) break;
      llvm::append_range(group, between);
      group.push_back(whole[k]);
    }
    std::vector<Statements> parts;
    cut(std::move(group), source, [&](const Spot *spot) { return counts.count(spot) != 0; }, parts);
    for (const Statements &part : parts) take(part, path, given, taken, runs);
  }
}

projection::Runs WholeStatements::in(const Block &block, size_t first, size_t end) {
  Nodes given, taken;
  std::set<unsigned> paths;
  forEachNode(llvm::ArrayRef(block).slice(first, end - first), [&](const Node &node) {
    given.insert(&node);
    paths.insert(node.path);
  });
  const unsigned top = projection::commonPath(root, llvm::ArrayRef(block).slice(first, end - first));
  for (unsigned path : std::set<unsigned>(paths))
    for (unsigned at = path; at > top; at = root.paths[at].caller) paths.insert(at);
  paths.insert(top);
  projection::Runs runs;
  for (unsigned path : paths) // callers first
    findIn(path, given, taken, runs);
  return runs;
}

void WholeStatements::refuse(const Node *first) {
  const StatementRun &run = found.at(first);
  refused.insert({run.statements.front(), run.statements.back()});
}

} // namespace busfare::frontend::port
