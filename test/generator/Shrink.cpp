//===- test/generator/Shrink.cpp - The smallest program that still fails ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/Shrink.h"
#include <algorithm>

namespace busfare::generator {
namespace {

using Statements = std::vector<Statement>;

/// Calls visit(block) for every block, outer before inner, until it says true.
bool anyBlock(Statements &block, const std::function<bool(Statements &)> &visit) {
  if (visit(block)) return true;
  for (Statement &s : block)
    if (anyBlock(s.body, visit) || anyBlock(s.otherwise, visit)) return true;
  return false;
}

bool anyBlock(Program &program, const std::function<bool(Statements &)> &visit) {
  return std::any_of(program.functions.begin(), program.functions.end(),
                     [&](Function &f) { return anyBlock(f.body, visit); });
}

using Rewrite = std::function<Ex(const Ex &)>;

/// Bottom up; a null result keeps the expression.
Ex rewritten(const Ex &e, const Rewrite &rewrite) {
  if (!e) return e;
  bool changed = false;
  std::vector<Ex> operands;
  for (const Ex &o : e->operands) {
    operands.push_back(rewritten(o, rewrite));
    changed |= operands.back() != o;
  }
  Ex result = e;
  if (changed) {
    Expression copy = *e;
    copy.operands = std::move(operands);
    result = std::make_shared<const Expression>(std::move(copy));
  }
  Ex next = rewrite(result);
  return next ? next : result;
}

void rewriteAll(Statement &s, const Rewrite &rewrite) {
  // What is assigned to stays a variable or an element.
  s.target = rewritten(s.target, [&](const Ex &e) {
    return e->kind == s.target->kind && e->variable == s.target->variable ? nullptr : rewrite(e);
  });
  for (Ex *e : {&s.value, &s.condition, &s.pointer.offset, &s.pointer.lengthText}) *e = rewritten(*e, rewrite);
  for (Ex &e : s.pointer.subscripts) e = rewritten(e, rewrite);
  for (Argument &a : s.arguments) {
    a.value = rewritten(a.value, rewrite);
    a.pointer.offset = rewritten(a.pointer.offset, rewrite);
    for (Ex &e : a.pointer.subscripts) e = rewritten(e, rewrite);
  }
  for (Statements *block : {&s.body, &s.otherwise})
    for (Statement &inner : *block) rewriteAll(inner, rewrite);
}

void rewriteAll(Program &program, const Rewrite &rewrite) {
  for (Variable &v : program.variables)
    for (Ex &e : v.extentTexts) e = rewritten(e, rewrite);
  for (Function &f : program.functions)
    for (Statement &s : f.body) rewriteAll(s, rewrite);
}

class Shrinker {
public:
  Shrinker(Program program, const Fails &fails, unsigned effort)
      : best(std::move(program)), fails(fails), left(effort) {}

  Program best;

  void run() {
    for (bool changed = true; changed && left > 0;) {
      changed = false;
      changed |= dropStatements();
      changed |= unwrap();
      changed |= spellPlainly();
      changed |= simplifyExpressions();
      changed |= shrinkNumbers();
    }
  }

private:
  const Fails &fails;
  unsigned left;

  bool accept(Program candidate) {
    if (left == 0) return false;
    --left;
    if (!fails(candidate)) return false;
    best = std::move(candidate);
    return true;
  }

  unsigned blocks() {
    unsigned n = 0;
    anyBlock(best, [&](Statements &) { return ++n, false; });
    return n;
  }

  /// The k-th block of the candidate.
  static Statements *blockOf(Program &program, unsigned k) {
    Statements *found = nullptr;
    anyBlock(program, [&](Statements &block) {
      if (k-- > 0) return false;
      found = &block;
      return true;
    });
    return found;
  }

  bool dropStatements() {
    bool changed = false;
    for (unsigned k = 0; k < blocks(); ++k) {
      size_t length = blockOf(best, k)->size();
      for (size_t chunk = std::max<size_t>(1, length / 2); chunk > 0; chunk /= 2)
        for (size_t begin = 0; left > 0 && blockOf(best, k) && begin < blockOf(best, k)->size();) {
          Program candidate = best;
          Statements &block = *blockOf(candidate, k);
          size_t end = std::min(begin + chunk, block.size());
          block.erase(block.begin() + long(begin), block.begin() + long(end));
          if (accept(std::move(candidate))) changed = true;
          else begin += chunk;
        }
    }
    return changed;
  }

  static bool isCompound(const Statement &s) { return !s.body.empty() || !s.otherwise.empty(); }

  /// A loop or branch becomes what is in it; a loop's index its first value.
  bool unwrap() {
    bool changed = false;
    for (unsigned k = 0; k < blocks(); ++k)
      for (size_t i = 0; left > 0 && i < blockOf(best, k)->size(); ++i) {
        if (!isCompound((*blockOf(best, k))[i])) continue;
        for (bool otherwise : {false, true}) {
          if (!isCompound((*blockOf(best, k))[i]) || (otherwise && (*blockOf(best, k))[i].otherwise.empty())) continue;
          Program candidate = best;
          Statements &block = *blockOf(candidate, k);
          Statement s = block[i];
          Statements inner = otherwise ? s.otherwise : s.body;
          if (s.kind == Statement::Kind::Switch)
            std::erase_if(inner, [](const Statement &part) {
              return part.kind == Statement::Kind::Case || part.kind == Statement::Kind::Break;
            });
          if (s.kind == Statement::Kind::For && !s.declaredBefore)
            for (Statement &statement : inner)
              rewriteAll(statement, [&](const Ex &e) {
                return e->kind == Expression::Kind::Scalar && e->variable == s.variable ? s.value : nullptr;
              });
          block.erase(block.begin() + long(i));
          block.insert(block.begin() + long(i), inner.begin(), inner.end());
          changed |= accept(std::move(candidate));
        }
      }
    return changed;
  }

  /// The usual spelling in place of each other one, all at once or one by one.
  bool spellPlainly() {
    bool changed = false;
    auto isOdd = [](const Statement &s) { return s.form != Statement::Form::Plain || s.joinsNext; };
    auto make = [](Statement &s) { s.form = Statement::Form::Plain, s.joinsNext = false; };
    Program all = best;
    bool any = false;
    anyStatement(all, [&](Statement &s) { return any |= isOdd(s), make(s), false; });
    if (any && accept(std::move(all))) return true;
    for (unsigned k = 0; any && left > 0; ++k) {
      Program candidate = best;
      unsigned n = 0;
      if (!anyStatement(candidate, [&](Statement &s) { return isOdd(s) && n++ == k && (make(s), true); })) break;
      if (accept(std::move(candidate))) changed = true, --k;
    }
    for (size_t v = 0; v < best.variables.size(); ++v)
      if (best.variables[v].declared) {
        Program candidate = best;
        candidate.variables[v].declared = 0;
        changed |= accept(std::move(candidate));
      }
    return changed;
  }

  static bool anyStatement(Program &program, const std::function<bool(Statement &)> &visit) {
    return anyBlock(program, [&](Statements &block) { return std::any_of(block.begin(), block.end(), visit); });
  }

  static std::vector<Ex> simplerThan(const Ex &e) {
    using K = Expression::Kind;
    switch (e->kind) {
    case K::Binary:
    case K::Negate:
    case K::Convert:
    case K::Narrow:
    case K::Weak:
    case K::Call: return e->operands;
    case K::Select: return {e->operands[1], e->operands[2]};
    case K::Element: return {real(1), integer(1)};
    case K::Scalar: return {integer(1)};
    default: return {};
    }
  }

  bool simplifyExpressions() {
    bool changed = false;
    for (unsigned k = 0; left > 0; ++k) {
      // The k-th expression, in the order in which rewriting comes by.
      unsigned choices = 1;
      bool found = false;
      for (unsigned choice = 0; choice < choices && left > 0; ++choice) {
        unsigned n = 0;
        found = false;
        Program candidate = best;
        rewriteAll(candidate, [&](const Ex &e) -> Ex {
          if (n++ != k) return nullptr;
          found = true;
          std::vector<Ex> simpler = simplerThan(e);
          choices = unsigned(simpler.size());
          return choice < choices ? simpler[choice] : nullptr;
        });
        if (found && choice < choices && accept(std::move(candidate))) {
          changed = true;
          choice = unsigned(-1);
          choices = 1;
        }
      }
      if (!found && choices == 1) break;
    }
    return changed;
  }

  /// Every literal of one value, and the extents and sizes of that value, become smaller together.
  bool shrinkNumbers() {
    bool changed = false;
    for (int64_t value = 40; value > 1; --value)
      for (int64_t next : {value / 2, value - 1}) {
        Program candidate = best;
        bool any = false;
        rewriteAll(candidate, [&](const Ex &e) -> Ex {
          if (e->kind != Expression::Kind::Integer || e->number != value) return nullptr;
          any = true;
          return integer(next, e->type);
        });
        for (Variable &v : candidate.variables) {
          for (int64_t &e : v.extents)
            if (e == value) {
              e = next;
              any = true;
            }
          if (v.kind == Variable::Kind::GlobalScalar && v.initial == value) {
            v.initial = next;
            any = true;
          }
        }
        if (any && left > 0) changed |= accept(std::move(candidate));
      }
    return changed;
  }
};

} // namespace

Program shrink(Program program, const Fails &fails, unsigned effort) {
  Shrinker shrinker(std::move(program), fails, effort);
  shrinker.run();
  return std::move(shrinker.best);
}

} // namespace busfare::generator
