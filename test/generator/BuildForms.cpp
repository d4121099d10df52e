//===- test/generator/BuildForms.cpp - More of C in a random program -------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Takes a program that is there and puts in what the builder does not know of: switches,
// conversions and weak functions in subscripts, declared extents of parameters and
// elements behind them that data choose; then spells some statements otherwise, without
// braces or as expressions.
//
// Whatever changes what is computed is tried, run, and taken back if the program has no
// meaning any more, or if it prints what it printed before: then nobody could see that
// it was misread.
//
//===----------------------------------------------------------------------===//

#include "test/generator/Builder.h"
#include "test/generator/PrintForms.h"
#include <algorithm>
#include <functional>

namespace busfare::generator {

namespace {

/// Where statements may be put: before the at-th of the block.
struct Place {
  Statements *block = nullptr;
  size_t at = 0;
  size_t top = 0;         ///< Of the function's own block: the statement that it lies in, or stands before.
  std::vector<int> steps; ///< Indices of the time loops around.
};

/// An array with a name at some place.
struct Known {
  int variable = -1;
  int64_t size = 0;
};

using Rewrite = std::function<Ex(const Ex &)>;

/// Top down: what the rewriting replaces is not looked into.
Ex rewritten(const Ex &e, const Rewrite &rewrite) {
  if (!e) return e;
  if (Ex next = rewrite(e)) return next;
  Expression copy = *e;
  for (Ex &o : copy.operands) o = rewritten(o, rewrite);
  return std::make_shared<const Expression>(std::move(copy));
}

/// Only subscripts: `to` for the variable.
Ex inSubscripts(const Ex &e, int variable, const Ex &to) {
  return rewritten(e, [&](const Ex &part) -> Ex {
    if (part->kind != Expression::Kind::Element) return nullptr;
    Expression copy = *part;
    for (Ex &subscript : copy.operands)
      subscript = rewritten(subscript, [&](const Ex &o) {
        return o->kind == Expression::Kind::Scalar && o->variable == variable ? to : nullptr;
      });
    return std::make_shared<const Expression>(std::move(copy));
  });
}

/// As it would be without conversions and with the other body of a weak function.
void misread(Statements &block) {
  const Rewrite through = [&](const Ex &e) -> Ex {
    const bool isForm = e->kind == Expression::Kind::Narrow || e->kind == Expression::Kind::Weak;
    return isForm ? e->operands[0] : nullptr;
  };
  for (Statement &s : block) {
    for (Ex *e : {&s.target, &s.value, &s.condition}) *e = rewritten(*e, through);
    misread(s.body);
    misread(s.otherwise);
  }
}

class Forms {
public:
  Forms(Program &program, uint64_t seed) : program(program), random(seed ^ 0x666f726d73ULL) {}

  void apply() {
    if (chance(0.2)) attempt(6, [&](Program &p) { return putSwitch(p); }, false);
    for (int64_t times = chance(0.17) ? between(1, 2) : 0; times > 0; --times)
      attempt(8, [&](Program &p) { return chance(0.5) ? putLoop(p, true) : convertIndex(p, true); }, true);
    if (chance(0.15))
      attempt(8, [&](Program &p) { return chance(0.5) ? putLoop(p, false) : convertIndex(p, false); }, true);
    if (chance(0.6)) declareExtents();
    const bool choices = chance(0.3), commas = chance(0.2);
    if (choices && chance(0.7)) attempt(4, [&](Program &p) { return putBranch(p); }, false);
    if (commas && chance(0.7)) attempt(4, [&](Program &p) { return putPair(p); }, false);
    spell(choices, commas, chance(0.25), chance(0.2));
    if (chance(0.8)) // elements behind what is declared, which no subscript gives away
      attempt(8, [&](Program &p) { return putGather(p); }, false);
  }

private:
  Program &program;
  std::mt19937_64 random;
  unsigned names = 0;

  int64_t pick(int64_t n) { return n <= 1 ? 0 : int64_t(random() % uint64_t(n)); }
  int64_t between(int64_t low, int64_t high) { return low + pick(high - low + 1); }
  bool chance(double p) { return double(random() % 100000) < p * 100000; }
  template <class T> const T &oneOf(const std::vector<T> &list) { return list[size_t(pick(int64_t(list.size())))]; }

  /// Up to so many times, until a change is seen. canBeMisread: it must also be seen when conversions and weak bodies
  /// are not.
  void attempt(int times, const std::function<bool(Program &)> &change, bool canBeMisread) {
    const auto before = outputOf(program);
    for (; times > 0; --times) {
      Program candidate = program;
      if (!change(candidate)) continue;
      const auto after = outputOf(candidate);
      if (!after) continue;
      Program other = candidate;
      if (canBeMisread)
        for (Function &f : other.functions) misread(f.body);
      if (canBeMisread ? outputOf(other) == after : before == after) continue;
      program = std::move(candidate);
      return;
    }
  }

  // Places, arrays and values.

  static bool isTimeLoop(const Program &p, const Statement &s) {
    return s.kind == Statement::Kind::For && p.variables[size_t(s.variable)].name.starts_with("step");
  }

  /// On the host, between kernels: in the root's own block, in its time loops and in branches of those.
  static void collect(const Program &p, Statements &block, size_t top, bool isOutermost, std::vector<int> steps,
                      std::vector<Place> &places) {
    for (size_t k = 0; k <= block.size(); ++k) {
      places.push_back({&block, k, isOutermost ? k : top, steps});
      if (k == block.size()) break;
      Statement &s = block[k];
      std::vector<int> inside = steps;
      if (isTimeLoop(p, s)) inside.push_back(s.variable);
      else if (s.kind != Statement::Kind::If) continue;
      for (Statements *inner : {&s.body, &s.otherwise})
        if (!inner->empty()) collect(p, *inner, isOutermost ? k : top, false, inside, places);
    }
  }

  Place place(Program &p) {
    std::vector<Place> places, within;
    collect(p, p.functions.back().body, 0, true, {}, places);
    std::copy_if(places.begin(), places.end(), std::back_inserter(within),
                 [](const Place &one) { return !one.steps.empty(); });
    return !within.empty() && chance(0.6) ? oneOf(within) : oneOf(places);
  }

  /// Declared before, in the function's own block, of a size that the tree says, and with some value: compilers warn of
  /// what is read and was never written, even where that never runs.
  static std::vector<Known> arraysAt(const Program &p, const Place &place) {
    std::vector<Known> known;
    const Statements &body = p.functions.back().body;
    const Statements before(body.begin(), body.begin() + long(std::min(place.top, body.size())));
    for (size_t v = 0; v < p.variables.size(); ++v)
      if (const Variable &variable = p.variables[v]; variable.kind == Variable::Kind::GlobalArray)
        known.push_back({int(v), sizeOf(variable)});
    for (const Statement &s : before) {
      const bool isPointer = s.kind == Statement::Kind::DeclarePointer && s.pointer.length > 0;
      const bool isArray = s.kind == Statement::Kind::Declare && p.variables[size_t(s.variable)].isArray();
      if ((isPointer || isArray) && writes(before, s.variable))
        known.push_back({s.variable, isPointer ? s.pointer.length : sizeOf(p.variables[size_t(s.variable)])});
    }
    return known;
  }

  static bool writes(const Statements &block, int variable) {
    return std::any_of(block.begin(), block.end(), [&](const Statement &s) {
      const bool isMoved =
          (s.kind == Statement::Kind::Copy || s.kind == Statement::Kind::Clear) && s.variable == variable;
      return isMoved || (s.target && s.target->variable == variable) || writes(s.body, variable) ||
             writes(s.otherwise, variable);
    });
  }

  static int64_t sizeOf(const Variable &variable) {
    int64_t size = 1;
    for (int64_t e : variable.extents) size *= e;
    return size;
  }

  /// The element in row-major order; with an index in place of the first subscript.
  static Ex elementOf(const Program &p, const Known &array, int64_t offset, Ex first = nullptr) {
    const Variable &variable = p.variables[size_t(array.variable)];
    std::vector<int64_t> rows(variable.extents.begin() + (variable.isArray() ? 1 : 0), variable.extents.end());
    std::vector<Ex> subscripts(rows.size() + 1);
    for (size_t d = rows.size(); d > 0; --d) {
      subscripts[d] = integer(offset % rows[d - 1]);
      offset /= rows[d - 1];
    }
    subscripts[0] = first ? first : integer(offset);
    return element(array.variable, subscripts);
  }

  /// How many first subscripts the array has.
  static int64_t rowsOf(const Program &p, const Known &array) {
    const Variable &variable = p.variables[size_t(array.variable)];
    int64_t row = 1;
    for (size_t d = variable.isArray() ? 1 : 0; d < variable.extents.size(); ++d) row *= variable.extents[d];
    return array.size / row;
  }

  Type typeOfElement(const Program &p, const Known &array) const { return p.variables[size_t(array.variable)].type; }

  /// Of the type, and no larger than what it is made from.
  Ex bounded(Type type, Ex value) {
    if (isFloating(type)) return binary(Operator::Multiply, real(0.5, type), value);
    return type == Type::Unsigned ? value : binary(Operator::And, value, integer(1023));
  }

  Ex valueFor(const Program &p, Type type, const std::vector<Known> &arrays) {
    std::vector<Known> same;
    for (const Known &array : arrays)
      if (typeOfElement(p, array) == type) same.push_back(array);
    const Ex constant = isFloating(type) ? real(0.25 * double(between(1, 30)), type) : integer(between(1, 60), type);
    if (same.empty() || chance(0.3)) return constant;
    const Known &from = oneOf(same);
    return binary(Operator::Add, bounded(type, elementOf(p, from, pick(from.size))), constant);
  }

  /// `a[3] = 0.5 * b[2] + 1.25`, sometimes by the step.
  Statement hostWrite(const Program &p, const Place &where, const std::vector<Known> &arrays) {
    const Known &to = oneOf(arrays);
    const Type type = typeOfElement(p, to);
    const int64_t offset = pick(to.size);
    Ex step = !where.steps.empty() && chance(0.25) ? scalar(where.steps.back()) : nullptr;
    const bool adds = chance(0.2);
    return assign(elementOf(p, to, offset, step),
                  adds ? (isFloating(type) ? real(0.5, type) : integer(between(1, 5), type))
                       : valueFor(p, type, arrays),
                  adds ? AssignOp::Add : AssignOp::Set);
  }

  /// An integer that depends on data, or on how often the loop around has come by.
  Ex selector(const Program &p, const Place &where, const std::vector<Known> &arrays) {
    if (!where.steps.empty() && chance(0.5)) {
      const Ex step = scalar(oneOf(where.steps));
      return chance(0.5) ? step : binary(Operator::Remainder, step, integer(between(2, 3)));
    }
    const Known &from = oneOf(arrays);
    const Ex value = elementOf(p, from, pick(from.size));
    return binary(Operator::And, isFloating(typeOfElement(p, from)) ? convert(Type::Int, value) : value,
                  integer(chance(0.7) ? 3 : 1));
  }

  static Statement plain(Statement::Kind kind, Ex value = nullptr) {
    Statement s;
    s.kind = kind;
    s.value = std::move(value);
    return s;
  }

  // What is put in.

  using Make = std::function<Statements(const Place &where, const std::vector<Known> &arrays)>;
  /// Puts at some place what is made for it. Not where no array is known.
  bool putSomewhere(Program &p, const Make &make) {
    const Place where = place(p);
    const std::vector<Known> arrays = arraysAt(p, where);
    if (arrays.empty()) return false;
    const Statements made = make(where, arrays);
    where.block->insert(where.block->begin() + long(where.at), made.begin(), made.end());
    return true;
  }

  bool putSwitch(Program &p) {
    return putSomewhere(p, [&](const Place &where, const std::vector<Known> &arrays) -> Statements {
      Statement choice = plain(Statement::Kind::Switch, selector(p, where, arrays));
      std::vector<Ex> labels = {integer(0), integer(1), integer(2), integer(3)};
      std::shuffle(labels.begin(), labels.end(), random);
      labels.resize(size_t(between(2, 4)));
      if (chance(0.5)) labels.insert(labels.begin() + pick(int64_t(labels.size()) + 1), nullptr);
      for (size_t k = 0; k < labels.size(); ++k) {
        choice.body.push_back(plain(Statement::Kind::Case, labels[k]));
        if (k + 1 < labels.size() && chance(0.15)) continue; // two labels of one case
        for (int64_t writes = between(1, 2); writes > 0; --writes) choice.body.push_back(hostWrite(p, where, arrays));
        if (chance(k + 1 < labels.size() ? 0.5 : 0.7)) choice.body.push_back(plain(Statement::Kind::Break));
      }
      return {choice};
    });
  }

  bool putBranch(Program &p) {
    return putSomewhere(p, [&](const Place &where, const std::vector<Known> &arrays) -> Statements {
      Statement yes = hostWrite(p, where, arrays), no = hostWrite(p, where, arrays);
      const Ex condition =
          binary(chance(0.5) ? Operator::Equal : Operator::NotEqual, selector(p, where, arrays), integer(pick(2)));
      const bool hasOther = typeOf(p, yes.target) == typeOf(p, no.target) && chance(0.7);
      return {branch(condition, {yes}, hasOther ? Statements{no} : Statements())};
    });
  }

  bool putPair(Program &p) {
    return putSomewhere(p, [&](const Place &where, const std::vector<Known> &arrays) -> Statements {
      return {hostWrite(p, where, arrays), hostWrite(p, where, arrays)};
    });
  }

  /// `(unsigned char)(i * 64) / 64`, which is i % 4, and its kin.
  Ex narrowed(const Ex &index) {
    const std::string how = oneOf(spellingsOfNarrow(program.isCxx));
    if (chance(0.2)) return narrow(1, how, index);
    const int64_t bits = chance(0.65) ? 8 : 16, kept = chance(0.6) ? 4 : 2, factor = (int64_t(1) << bits) / kept;
    return binary(Operator::Divide, narrow(bits, how, binary(Operator::Multiply, index, integer(factor))),
                  integer(factor));
  }

  Ex halved(const Ex &index) {
    return weak(chance(0.3) ? binary(Operator::Multiply, integer(2), index) : chance(0.8) ? index : plus(index, 1));
  }

  /// In place of the index; `before` gets what must be declared in the body for it.
  Ex changed(Program &p, const Ex &index, bool isNarrow, Statements &before) {
    const Ex value = isNarrow ? narrowed(index) : halved(index);
    if (!isNarrow || !chance(0.25)) return value;
    const Ex conversion = value->kind == Expression::Kind::Narrow ? value : value->operands[0];
    Variable v;
    v.name = "low" + std::to_string(++names);
    p.variables.push_back(v);
    before.push_back(declareStatement(int(p.variables.size()) - 1, conversion));
    before.back().form = Statement::Form::Bound;
    const Ex low = scalar(int(p.variables.size()) - 1);
    return value == conversion ? low : binary(Operator::Divide, low, value->operands[1]);
  }

  /// A loop over an array that reads, writes or adds to the elements that the form leads to.
  bool putLoop(Program &p, bool isNarrow) {
    const Place where = place(p);
    const std::vector<Known> arrays = arraysAt(p, where);
    if (arrays.empty()) return false;
    const Known to = oneOf(arrays);
    std::vector<Known> same;
    for (const Known &array : arrays)
      if (typeOfElement(p, array) == typeOfElement(p, to)) same.push_back(array);
    const Known from = oneOf(same);
    const int64_t trips = std::min({rowsOf(p, to), rowsOf(p, from), int64_t(12)});
    Variable v;
    v.name = "h" + std::to_string(++names);
    p.variables.push_back(v);
    Statement loop;
    loop.kind = Statement::Kind::For;
    loop.variable = int(p.variables.size()) - 1;
    loop.value = integer(chance(0.8) ? 0 : 1);
    loop.condition = binary(Operator::Less, scalar(loop.variable), integer(trips));
    const Ex h = scalar(loop.variable), other = changed(p, h, isNarrow, loop.body);
    const bool writes = chance(0.5);
    const int64_t column = pick(to.size), row = pick(from.size);
    const Ex target = elementOf(p, to, column, writes ? other : h);
    const Ex source = elementOf(p, from, row, writes ? h : other);
    const Type type = typeOfElement(p, to);
    if (writes && chance(0.3))
      loop.body.push_back(assign(target, isFloating(type) ? real(0.5, type) : integer(1, type), AssignOp::Add));
    else loop.body.push_back(assign(target, bounded(type, source)));
    where.block->insert(where.block->begin() + long(where.at), loop);
    return true;
  }

  /// An assignment in loops, and the indices of those.
  struct Site {
    Statements *block = nullptr;
    size_t at = 0;
    std::vector<int> indices;
    bool isBehindLabel = false; ///< In a switch, where nothing can be declared that a label lies behind.
  };

  static void collectSites(Statements &block, std::vector<int> indices, std::vector<Site> &sites,
                           bool isSwitch = false) {
    for (size_t k = 0; k < block.size(); ++k) {
      Statement &s = block[k];
      if (s.kind == Statement::Kind::Assign && !indices.empty()) sites.push_back({&block, k, indices, isSwitch});
      std::vector<int> inside = indices;
      if (s.kind == Statement::Kind::For && !s.declaredBefore) inside.push_back(s.variable);
      for (Statements *inner : {&s.body, &s.otherwise})
        collectSites(*inner, inside, sites, s.kind == Statement::Kind::Switch);
    }
  }

  /// In the subscripts of what an assignment reads, or writes, the form in place of an index.
  bool convertIndex(Program &p, bool isNarrow) {
    std::vector<Site> sites;
    for (Function &f : p.functions) collectSites(f.body, {}, sites);
    if (sites.empty()) return false;
    const Site site = oneOf(sites);
    const int index = oneOf(site.indices);
    Statements before;
    const Ex other = changed(p, scalar(index), isNarrow, before);
    if (site.isBehindLabel && !before.empty()) return false;
    Statement &s = (*site.block)[site.at];
    if (chance(0.5)) s.target = inSubscripts(s.target, index, other);
    else s.value = inSubscripts(s.value, index, other);
    site.block->insert(site.block->begin() + long(site.at), before.begin(), before.end());
    return true;
  }

  void declareExtents() {
    for (Variable &v : program.variables)
      if (v.kind == Variable::Kind::Formal && v.extents.empty() && v.name.find("->") == std::string::npos &&
          chance(0.8))
        v.declared = between(1, 3); // no array here has fewer elements
  }

  /// Of helpers: assignments, with an element that they read.
  void collectReads(Program &p, Statements &block, std::vector<std::pair<Statement *, Ex>> &reads) {
    for (Statement &s : block) {
      if (s.kind == Statement::Kind::Assign)
        rewritten(s.value, [&](const Ex &part) -> Ex {
          if (part->kind == Expression::Kind::Element && p.variables[size_t(part->variable)].declared > 0)
            reads.push_back({&s, part});
          return nullptr;
        });
      collectReads(p, s.body, reads);
      collectReads(p, s.otherwise, reads);
    }
  }

  /// `in[in[i] / 4]` for `in[i]`, where data decide which element it is; or what is written is chosen so.
  bool putGather(Program &p) {
    std::vector<std::pair<Statement *, Ex>> reads;
    for (size_t f = 0; f + 1 < p.functions.size(); ++f) collectReads(p, p.functions[f].body, reads);
    if (reads.empty()) return false;
    const auto [statement, read] = oneOf(reads);
    const Ex number = typeOf(p, read) == Type::Int ? read : convert(Type::Int, read);
    const int64_t divisor = oneOf<int64_t>({1, 2, 3, 4, 8, 16, 64});
    const Ex place = divisor == 1 ? number : binary(Operator::Divide, number, integer(divisor));
    const Ex &target = statement->target;
    if (target->kind == Expression::Kind::Element && p.variables[size_t(target->variable)].declared > 0 && chance(0.3))
      statement->target = element(target->variable, {place});
    else
      statement->value = rewritten(statement->value, [&, from = read](const Ex &part) {
        return part == from ? element(from->variable, {place}) : nullptr;
      });
    return true;
  }

  // How it is spelled.

  void spell(bool choices, bool commas, bool bare, bool macros) {
    for (Function &f : program.functions) spell(f.body, choices, commas, bare, macros);
  }

  void spell(Statements &block, bool choices, bool commas, bool bare, bool macros) {
    using K = Statement::Kind;
    using F = Statement::Form;
    for (size_t k = 0; k < block.size(); ++k) {
      Statement &s = block[k];
      if (s.kind == K::Assign) {
        if (macros && chance(0.5)) s.form = F::Macro;
        s.joinsNext = commas && k + 1 < block.size() && block[k + 1].kind == K::Assign && chance(0.7);
      } else if (s.kind == K::If && choices && isWriting(s) && chance(0.7)) {
        s.form = !s.otherwise.empty() ? F::Choice : chance(0.6) ? F::And : F::Or;
      } else if ((s.kind == K::If || s.kind == K::For || s.kind == K::While) && bare && chance(0.7)) {
        s.form = F::Bare;
      }
      spell(s.body, choices, commas, bare, macros);
      spell(s.otherwise, choices, commas, bare, macros);
    }
  }

  /// One assignment on each side, of one type: compilers warn where `?:` would change the sign of one.
  bool isWriting(const Statement &s) const {
    auto isOne = [](const Statements &side) { return side.size() == 1 && side[0].kind == Statement::Kind::Assign; };
    return isOne(s.body) && (s.otherwise.empty() || (isOne(s.otherwise) && typeOf(program, s.body[0].target) ==
                                                                               typeOf(program, s.otherwise[0].target)));
  }
};

} // namespace

void applyForms(Program &program, uint64_t seed) { Forms(program, seed).apply(); }

} // namespace busfare::generator
