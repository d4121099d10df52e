//===- brs/PresburgerFacts.cpp - What is known of products ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// To isl a product `i*n` is a name of its own. Its order comes from facts times
// non-negative symbols, which are facts again, linear in products:
//
//   i >= 0, m - 1 - i >= 0, n >= 1     give     i*n >= 0,  m*n - n - i*n >= 0
//
// so that i*n + j with 0 <= j < n lies in 0 .. m*n - 1. (Products of constraints, as
// in McCormick's envelopes and Sherali and Adams' reformulation-linearization.)
//
//===----------------------------------------------------------------------===//

#include "brs/PresburgerMemo.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>
#include <map>

using namespace busfare::skeleton;

namespace busfare::brs {

namespace {

/// More derived facts make questions slower than they make them sharper.
constexpr size_t maxDerived = 48;
constexpr size_t maxDegree = 4;

bool isSymbolProduct(const Term &term) {
  return std::all_of(term.factors.begin(), term.factors.end(),
                     [](const Atom &a) { return a.kind == Atom::Kind::Symbol; });
}

Expr productOf(llvm::ArrayRef<Atom> factors) {
  Expr result = 1;
  for (const Atom &atom : factors) result = result * Expr::symbol(atom.name);
  return result;
}

/// The products of two or more symbols among the terms; nothing if some term is of another kind.
bool collectProducts(const Expr &expr, std::set<Expr> &products) {
  for (const Term &term : expr.sum()) {
    if (!isSymbolProduct(term) || term.factors.size() > maxDegree) return false;
    if (term.factors.size() > 1) products.insert(productOf(term.factors));
  }
  return true;
}

class Derivation {
public:
  Derivation(const std::vector<Expr> &facts, PresburgerSet affine) : base(facts), affine(std::move(affine)) {}

  std::vector<Expr> derive(std::set<Expr> products) {
    std::set<Expr> done;
    for (unsigned round = 0; round < 3; ++round) {
      std::set<Expr> found;
      for (const Expr &product : products)
        if (done.insert(product).second) factorsOf(product, found);
      products = std::move(found);
    }
    timesEachOther(done);
    return derived;
  }

private:
  const std::vector<Expr> &base;
  PresburgerSet affine;
  std::vector<Expr> derived;
  std::set<Expr> known;
  std::map<std::string, bool> signs;

  bool isNonNegativeSymbol(const std::string &symbol) {
    auto [place, fresh] = signs.try_emplace(symbol, false);
    if (fresh) place->second = intersect(affine, nonNegative(-Expr::symbol(symbol) - 1)).isEmpty() == Answer::Yes;
    return place->second;
  }

  void add(const Expr &fact, std::set<Expr> &found) {
    if (derived.size() >= maxDerived || fact.isPoisoned() || !collectProducts(fact, found) ||
        !known.insert(fact).second)
      return;
    derived.push_back(fact);
  }

  /// product = x * rest with rest >= 0: every fact about x, times rest.
  void factorsOf(const Expr &product, std::set<Expr> &found) {
    llvm::ArrayRef<Atom> factors = product.sum()[0].factors;
    for (size_t k = 0; k < factors.size(); ++k) {
      if (k && factors[k] == factors[k - 1]) continue;
      std::vector<Atom> rest(factors.begin(), factors.end());
      rest.erase(rest.begin() + long(k));
      if (!std::all_of(rest.begin(), rest.end(), [&](const Atom &a) { return isNonNegativeSymbol(a.name); })) continue;
      Expr times = productOf(rest);
      for (const Expr &fact : base) {
        std::optional<Expr> coefficient = fact.coefficientOf(factors[k].name);
        if (coefficient && !coefficient->isZero() && coefficient->constant()) add(fact * times, found);
      }
    }
    if (std::all_of(factors.begin(), factors.end(), [&](const Atom &a) { return isNonNegativeSymbol(a.name); }))
      add(product, found);
  }

  /// Facts times facts, where nothing but products already in play comes out.
  void timesEachOther(const std::set<Expr> &products) {
    if (base.size() > 24) return;
    for (size_t a = 0; a < base.size(); ++a) {
      for (size_t b = a; b < base.size(); ++b) {
        Expr fact = base[a] * base[b];
        std::set<Expr> needed;
        if (!fact.isPoisoned() && collectProducts(fact, needed) && !needed.empty() &&
            std::includes(products.begin(), products.end(), needed.begin(), needed.end()))
          add(fact, needed);
      }
    }
  }
};

} // namespace

namespace {

/// All of the Exprs are non-negative. Those that cannot be expressed are left out: less is known; `kept` gets the
/// others.
PresburgerSet allNonNegative(llvm::ArrayRef<Expr> exprs, std::vector<Expr> &kept) {
  std::vector<form::LinearConstraint> plain;
  PresburgerSet result = PresburgerSet::universe(0);
  for (const Expr &expr : exprs) {
    if (std::optional<form::Linear> linear = form::linearForm(expr)) {
      plain.push_back({std::move(*linear), 0, 0, false});
      kept.push_back(expr);
      continue;
    }
    PresburgerSet both = intersect(result, nonNegative(expr));
    if (!both.isKnown()) continue;
    result = both;
    kept.push_back(expr);
  }
  if (plain.empty()) return result;
  form::beginQuestion();
  isl_set *set = form::conjunctionOf(0, plain);
  form::noteIfGivenUp(!set);
  PresburgerSet both = intersect(PresburgerSet::take(set), result);
  return both.isKnown() ? both : PresburgerSet::universe(0);
}

} // namespace

namespace {

/// What the facts say, with what follows for the products among `names` and in the facts.
PresburgerSet conditionOfAll(llvm::ArrayRef<Expr> facts, std::set<Expr> products) {
  std::vector<Expr> base;
  PresburgerSet result = allNonNegative(facts, base);
  std::vector<Expr> withoutProducts;
  for (const Expr &fact : base) {
    std::set<Expr> inFact;
    if (collectProducts(fact, inFact)) products.insert(inFact.begin(), inFact.end());
    if (inFact.empty()) withoutProducts.push_back(fact);
  }
  if (products.empty()) return result;
  std::vector<Expr> expressed;
  PresburgerSet affine = allNonNegative(withoutProducts, expressed);
  PresburgerSet more = intersect(result, allNonNegative(Derivation(base, affine).derive(products), expressed));
  return more.isKnown() ? more : result;
}

/// The facts of one context, in groups: those of two groups share no symbol, directly or through others, so one group
/// says nothing of the other's symbols. A question then needs few of a long function's many facts.
class GroupedFacts {
public:
  explicit GroupedFacts(std::vector<Expr> given) : facts(std::move(given)), groupOfFact(facts.size()) {
    for (size_t k = 0; k < facts.size(); ++k) {
      groupOfFact[k] = unsigned(parent.size());
      parent.push_back(groupOfFact[k]);
      if (!facts[k].isPoisoned())
        for (const std::string &symbol : facts[k].symbols())
          if (auto [entry, isNew] = groupOfSymbol.try_emplace(symbol, groupOfFact[k]); !isNew)
            parent[root(entry->second)] = root(groupOfFact[k]);
    }
  }

  const std::vector<Expr> facts;

  PresburgerSet condition(const std::set<Expr> &names, bool all) {
    std::set<Expr> products;
    std::set<unsigned> groups;
    for (const Expr &name : names) {
      if (!all)
        for (const std::string &symbol : name.symbols())
          if (auto entry = groupOfSymbol.find(symbol); entry != groupOfSymbol.end()) groups.insert(root(entry->second));
      if (name.sum().size() == 1) collectProducts(name, products);
    }
    Asked asked{all, groups, products};
    if (auto known = conditions.find(asked); known != conditions.end()) return known->second;
    std::vector<Expr> related;
    for (size_t k = 0; k < facts.size(); ++k)
      if (all || groups.count(root(groupOfFact[k]))) related.push_back(facts[k]);
    PresburgerSet result = conditionOfAll(related, std::move(products));
    if (!effortIsSpent()) // else it may say less than it could
      conditions.emplace(std::move(asked), result);
    return result;
  }

private:
  std::vector<unsigned> groupOfFact, parent;
  llvm::StringMap<unsigned> groupOfSymbol;
  using Asked = std::tuple<bool, std::set<unsigned>, std::set<Expr>>; ///< Everything? Else groups; products.
  std::map<Asked, PresburgerSet> conditions;

  unsigned root(unsigned group) const {
    while (parent[group] != group) group = parent[group];
    return group;
  }
};

/// The contexts asked about lately. An analysis asks of the same few places again and again.
class FactsMemo {
public:
  FactsMemo() { form::context(); } // Made before the memo, isl's context outlives the sets in it.
  GroupedFacts &of(const Context &context) {
    constexpr size_t maxContexts = 256;
    auto known = byHash.find(hashOf(context));
    if (known != byHash.end() && known->second.facts == context.facts) return known->second;
    if (known != byHash.end()) byHash.erase(known);
    if (byHash.size() >= maxContexts) byHash.clear();
    return byHash.try_emplace(hashOf(context), context.facts).first->second;
  }
  void clear() { byHash.clear(); }

private:
  std::map<size_t, GroupedFacts> byHash;

  /// Contexts grow at their end, so that is where they differ.
  static size_t hashOf(const Context &context) {
    llvm::hash_code hash = llvm::hash_value(context.facts.size());
    for (size_t k = context.facts.size(); k-- > 0 && context.facts.size() - k <= 6;)
      for (const Term &term : context.facts[k].sum()) {
        hash = llvm::hash_combine(hash, term.coefficient, term.factors.size());
        for (const Atom &atom : term.factors) hash = llvm::hash_combine(hash, unsigned(atom.kind), atom.name);
      }
    return hash;
  }
};

FactsMemo &factsMemo() {
  thread_local FactsMemo theMemo;
  return theMemo;
}

} // namespace

void form::endAnalysis() {
  factsMemo().clear();
  memo().endAnalysis();
}

PresburgerSet conditionOf(const Context &context, const std::set<Expr> &names) {
  return context.facts.empty() && names.empty() ? PresburgerSet::universe(0)
                                                : factsMemo().of(context).condition(names, true);
}

PresburgerSet conditionOn(const std::set<Expr> &names, const Context &context) {
  return names.empty() ? PresburgerSet::universe(0) : factsMemo().of(context).condition(names, false);
}

} // namespace busfare::brs
