//===- skeleton/Rotation.cpp - What pointer swaps do to names -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "skeleton/Rotation.h"
#include "skeleton/Visit.h"
#include <map>
#include <set>

namespace busfare::skeleton {

namespace {

using Renaming = std::map<std::string, std::string>;

std::string denoted(const Renaming &names, const std::string &name) {
  auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

/// First `first`, then `second`.
Renaming compose(const Renaming &first, const Renaming &second) {
  Renaming result = first;
  for (const auto &[name, source] : second) result[name] = denoted(first, source);
  for (auto it = result.begin(); it != result.end();) it = it->first == it->second ? result.erase(it) : std::next(it);
  return result;
}

std::optional<int64_t> tripCount(const Loop &loop) {
  std::optional<int64_t> lower = loop.lower.constant(), upper = loop.upper.constant();
  if (!lower || !upper || loop.mayExitEarly) return std::nullopt;
  int64_t distance = 0;
  if (loop.step > 0 ? __builtin_sub_overflow(*upper, *lower, &distance)
                    : __builtin_sub_overflow(*lower, *upper, &distance))
    return std::nullopt;
  return distance < 0 ? 0 : distance / std::abs(loop.step) + 1;
}

std::optional<Renaming> power(const Renaming &once, std::optional<int64_t> times) {
  if (once.empty()) return once;
  if (!times) return std::nullopt;
  // A permutation of k names has an order of at most Landau's g(k): small for the few that code swaps.
  int64_t order = 1;
  for (Renaming all = once; !all.empty(); all = compose(all, once))
    if (++order > 100000) return std::nullopt;
  Renaming result;
  for (int64_t i = 0; i < *times % order; ++i) result = compose(result, once);
  return result;
}

std::optional<Renaming> namesAfter(const Block &block) {
  Renaming names;
  for (const Node &node : block) {
    std::optional<Renaming> step = Renaming();
    if (auto *rotation = std::get_if<Rotate>(&node.kind)) {
      for (const auto &[first, second] : rotation->moves) (*step)[first] = second;
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      step = namesAfter(loop->body);
      if (step) step = power(*step, loop->mayExitEarly ? std::nullopt : tripCount(*loop));
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      step = namesAfter(branch->then);
      std::optional<Renaming> otherwise = namesAfter(branch->otherwise);
      if (!step || !otherwise || *step != *otherwise) return std::nullopt;
    }
    if (!step) return std::nullopt;
    names = compose(names, *step);
  }
  return names;
}

/// A factor of a formula of which only odd or even is asked for: n mod 4 is n, max(n, 0) is n if n is not negative.
Expr modulo2(const Atom &factor, llvm::ArrayRef<Expr> nonNegative) {
  if (factor.kind == Atom::Kind::Mod && factor.divisor % 2 == 0) return factor.args.front();
  if (factor.kind == Atom::Kind::Max && factor.args.size() == 2)
    for (size_t k : {0, 1})
      if (factor.args[1 - k].isZero() && llvm::is_contained(nonNegative, factor.args[k])) return factor.args[k];
  return exprOf(factor);
}

/// As good as the formula where only odd or even is asked for: 3*n + 2*m is n, n mod 4 is n.
Expr modulo2(const Expr &expr, llvm::ArrayRef<Expr> nonNegative) {
  Expr result;
  for (const Term &term : expr.sum()) {
    if (term.coefficient % 2 == 0) continue;
    Expr one = 1;
    for (const Atom &factor : term.factors) one = one * modulo2(factor, nonNegative);
    result = result + one;
  }
  return result;
}

/// Does the formula speak of what the block defines?
bool isMadeIn(const Block &block, const Expr &expr) {
  for (const Node &node : block) {
    const auto *define = std::get_if<Define>(&node.kind);
    const auto *loop = std::get_if<Loop>(&node.kind);
    const auto *branch = std::get_if<Branch>(&node.kind);
    if ((define && expr.mentions(define->symbol)) || (loop && isMadeIn(loop->body, expr)) ||
        (branch && (isMadeIn(branch->then, expr) || isMadeIn(branch->otherwise, expr))))
      return true;
  }
  return false;
}

/// Is it 0 or 1?
bool isFlag(const Expr &expr, const Exchanges &of) {
  llvm::ArrayRef<Term> sum = expr.sum();
  if (sum.size() != 1 || sum.front().coefficient != 1 || sum.front().factors.size() != 1) return false;
  const Atom &atom = sum.front().factors.front();
  return (atom.kind == Atom::Kind::Mod && atom.divisor == 2) ||
         (atom.kind == Atom::Kind::Symbol && of.flags.count(atom.name));
}

/// 1 where the branch goes, 0 where it does not, if its condition is one of a formula x that is 0 or 1: `x - 1 >= 0`,
/// `-x >= 0`.
std::optional<Expr> takenBy(const Branch &branch, const Exchanges &of) {
  const Condition &condition = branch.condition;
  if (!condition.exact || condition.anyOf.size() != 1 || condition.anyOf.front().size() != 1) return std::nullopt;
  const Expr &fact = condition.anyOf.front().front();
  return isFlag(fact + 1, of) || isFlag(-fact, of) ? std::optional(fact + 1) : std::nullopt;
}

/// How often they are exchanged, or another number that is odd if that is.
std::optional<Expr> exchangesIn(llvm::ArrayRef<Node> block, const Exchanges &of) {
  Expr all;
  for (const Node &node : block) {
    std::optional<Expr> step = Expr(0);
    if (const auto *rotation = std::get_if<Rotate>(&node.kind)) {
      const bool isOurs =
          llvm::any_of(rotation->moves, [&](const auto &move) { return of.isOf(move.first) || of.isOf(move.second); });
      if (isOurs &&
          !llvm::all_of(rotation->moves, [&](const auto &move) { return of.isOf(move.first) && of.isOf(move.second); }))
        return std::nullopt;
      step = isOurs ? 1 : 0;
    } else if (const auto *loop = std::get_if<Loop>(&node.kind)) {
      step = exchangesIn(loop->body, of);
      if (step && step->isZero()) continue;
      if (!step || step->mentions(loop->index) || isMadeIn(loop->body, *step) || loop->mayExitEarly ||
          std::abs(loop->step) != 1)
        return std::nullopt;
      Expr turns = spanOf(*loop) + 1;
      step = *step * max(turns, 0);
    } else if (const auto *branch = std::get_if<Branch>(&node.kind)) {
      std::optional<Expr> then = exchangesIn(branch->then, of), otherwise = exchangesIn(branch->otherwise, of);
      if (!then || !otherwise || isMadeIn(branch->then, *then) || isMadeIn(branch->otherwise, *otherwise))
        return std::nullopt;
      if (*then == *otherwise) {
        step = then;
      } else {
        std::optional<Expr> taken = takenBy(*branch, of);
        if (!taken) return std::nullopt;
        step = *otherwise + (*then - *otherwise) * *taken;
      }
    }
    if (!step || step->isPoisoned()) return std::nullopt;
    all = modulo2(all + *step, of.nonNegative);
  }
  return all.isPoisoned() ? std::nullopt : std::optional(all);
}

void findFlags(const Block &block, std::set<std::string> &flags) {
  forEachNode(block, [&](const Node &node) {
    const auto *define = std::get_if<Define>(&node.kind);
    if (define && define->atLeast && define->atMost && define->atLeast->isZero() && define->atMost->constant() == 1)
      flags.insert(define->symbol);
  });
}

void connect(llvm::ArrayRef<Node> block, std::vector<std::set<std::string>> &groups) {
  for (const Node &node : block) {
    if (auto *rotation = std::get_if<Rotate>(&node.kind)) {
      std::set<std::string> joined;
      for (const auto &[first, second] : rotation->moves) joined.insert({first, second});
      for (auto it = groups.begin(); it != groups.end();) {
        bool meets = false;
        for (const std::string &name : *it) meets |= joined.count(name) != 0;
        if (meets) {
          joined.insert(it->begin(), it->end());
          it = groups.erase(it);
        } else {
          ++it;
        }
      }
      groups.push_back(std::move(joined));
    } else if (auto *loop = std::get_if<Loop>(&node.kind)) {
      connect(loop->body, groups);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      connect(branch->then, groups);
      connect(branch->otherwise, groups);
    }
  }
}

} // namespace

std::optional<Permutation> permutationOf(const Block &block) {
  std::optional<Renaming> names = namesAfter(block);
  if (!names) return std::nullopt;
  return Permutation(names->begin(), names->end());
}

Exchanges::Exchanges(std::string one, std::string other, const Block &function, llvm::ArrayRef<Expr> nonNegative)
    : one(std::move(one)), other(std::move(other)), nonNegative(nonNegative) {
  findFlags(function, flags);
}

std::optional<Expr> parityOf(llvm::ArrayRef<llvm::ArrayRef<Node>> parts, const Exchanges &of) {
  Expr all;
  for (llvm::ArrayRef<Node> part : parts) {
    std::optional<Expr> exchanges = exchangesIn(part, of);
    if (!exchanges) return std::nullopt;
    all = modulo2(all + *exchanges, of.nonNegative);
  }
  Expr parity = mod(all, 2);
  return parity.isPoisoned() ? std::nullopt : std::optional(parity);
}

Node exchangedIf(const Expr &isOdd, const Rotate &exchange) {
  if (isOdd.constant() == 1) return exchange;
  Branch branch;
  branch.condition.anyOf = {{isOdd - 1}};
  branch.condition.exact = true;
  branch.then.emplace_back(exchange);
  branch.location = exchange.location;
  return branch;
}

Permutation inverse(const Permutation &permutation) {
  Renaming names;
  for (const auto &[name, source] : permutation) names[source] = name;
  return {names.begin(), names.end()};
}

std::vector<std::vector<std::string>> rotatedTogether(llvm::ArrayRef<Node> block) {
  return rotatedTogether(llvm::ArrayRef<llvm::ArrayRef<Node>>(block));
}

std::vector<std::vector<std::string>> rotatedTogether(llvm::ArrayRef<llvm::ArrayRef<Node>> parts) {
  std::vector<std::set<std::string>> groups;
  for (llvm::ArrayRef<Node> part : parts) connect(part, groups);
  std::vector<std::vector<std::string>> result;
  for (const std::set<std::string> &group : groups) result.emplace_back(group.begin(), group.end());
  return result;
}

} // namespace busfare::skeleton
