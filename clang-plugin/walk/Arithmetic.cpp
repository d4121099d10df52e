//===- clang-plugin/walk/Arithmetic.cpp - Rvalues and operation counts ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Evaluates an expression once: its reads and writes go to the block in order,
// integers come back as Exprs, and what a processor has to compute is counted.
// `data` tells whether integer arithmetic counts: in a subscript or a loop bound
// it does not. `a*b + c` in one expression is one fused multiply-add, as
// compilers contract it by default.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/lower/Settings.h"

namespace busfare::frontend {

using clang::BinaryOperatorKind;

void Walker::count(Operation operation, double times) { st.pending[operation] += times; }

void Walker::flush() {
  if (st.pending.empty()) return;
  skeleton::Operations operations;
  for (auto &[operation, times] : st.pending)
    if (times > 0) operations.counts.push_back({operation, times});
  st.pending.clear();
  if (operations.counts.empty()) return;
  put(std::move(operations));
}

/// The arithmetic of one operator on values of this type.
void Walker::countArithmetic(BinaryOperatorKind kind, clang::QualType type) {
  type = type.getCanonicalType();
  bool isComplex = type->isAnyComplexType() || isStdComplex(type);
  uint64_t bytes = bytesOf(type, context) / (isComplex ? 2 : 1);
  bool isFloating = isComplex || type->isRealFloatingType() || type->isVectorType();
  if (!isFloating) {
    count(kind == clang::BO_Div || kind == clang::BO_Rem ? Operation::Integer : Operation::Integer,
          kind == clang::BO_Div || kind == clang::BO_Rem ? 20 : 1);
    return;
  }
  bool single = bytes <= 4;
  Operation add = single ? Operation::Fp32Add : Operation::Fp64Add;
  Operation multiply = single ? Operation::Fp32Multiply : Operation::Fp64Multiply;
  Operation fma = single ? Operation::Fp32Fma : Operation::Fp64Fma;
  Operation divide = single ? Operation::Fp32Divide : Operation::Fp64Divide;
  switch (kind) {
  case clang::BO_Add:
  case clang::BO_Sub: count(add, isComplex ? 2 : 1); break;
  case clang::BO_Mul:
    count(multiply, isComplex ? 2 : 1);
    if (isComplex) count(fma, 2);
    break;
  case clang::BO_Div:
    count(divide, isComplex ? 2 : 1);
    if (isComplex) count(fma, 6);
    break;
  default: count(add);
  }
}

Value Walker::integer(const clang::Expr *expr, bool data) {
  if (auto value = rvalue(expr, data)) return *value;
  return Value{freshSymbol(nameHint, textOf(expr), locate(expr), true)};
}

/// The function's callers are told, and so is the reader: what divides it rounds down.
void Walker::takeAsSize(const Symbolic &expr, Location location) {
  std::vector<Symbolic> &taken = summary.function.nonNegative;
  if (llvm::is_contained(taken, expr) || trialDepth > 0) return;
  bool isOfFormals = llvm::all_of(expr.symbols(), [&](const std::string &name) {
    return llvm::any_of(summary.function.parameters,
                        [&](const skeleton::Parameter &formal) {
                          return formal.kind == skeleton::Parameter::Kind::Value && formal.name == name;
                        }) ||
           llvm::any_of(st.extras, [&](const ExtraFormal &extra) { return extra.parameter.name == name; });
  });
  if (!isOfFormals) return;
  taken.push_back(expr);
  report(Rule::AssumedNonNegative, skeleton::Level::Note, location,
         "`" + toString(expr) + "` is divided here, and taken not to be negative");
}

/// Is the value bounded by numbers, and not proved to stay within the most? What sizes bound is taken to fit.
bool Walker::mayExceed(const Symbolic &expr, int64_t most) const {
  return !st.ranges.isNonNegative(Symbolic(most) - expr) && st.ranges.isNonNegative(Symbolic(int64_t(1) << 58) - expr);
}

Value Walker::integerArithmetic(BinaryOperatorKind kind, const Value &a, const Value &b, clang::QualType type,
                                const clang::Expr *text) {
  bool isUnsigned = type->isUnsignedIntegerOrEnumerationType();
  bool wraps = a.mayWrap || b.mayWrap;
  auto unknown = [&](std::optional<Symbolic> least = {}, std::optional<Symbolic> most = {}) {
    bool memory = dependsOnMemory(a.expr) || dependsOnMemory(b.expr);
    if (isUnsigned && !least) least = Symbolic(0);
    return Value{freshSymbol("", textOf(text), locate(text), memory, true, least, most)};
  };
  // Multiplied by so much, `i * 2654435769u` is a hash: it is meant to wrap. Sizes and strides are smaller.
  auto isHash = [&](const Symbolic &expr) {
    unsigned bits = context.getIntWidth(type);
    return isUnsigned && bits >= 32 && llvm::any_of(expr.sum(), [&](const skeleton::Term &term) {
             return !term.factors.empty() && term.coefficient >> (bits * 5 / 8) > 0;
           });
  };
  // Whoever shifts it to the top of the word, or adds this much again and again, means it to wrap.
  auto leavesTheWord = [&](const Symbolic &expr) {
    unsigned bits = context.getIntWidth(type);
    if (!isUnsigned || bits < 32 || bits > 62) return false;
    if (st.ranges.isNonNegative(Symbolic((int64_t(1) << bits) - 1) - expr)) return false;
    return llvm::any_of(expr.sum(), [&](const skeleton::Term &term) {
      int64_t most = term.factors.empty() ? int64_t(1) << (bits - 5) : 1 << 12;
      return term.coefficient >= most;
    });
  };
  auto isFarOut = [&](const Symbolic &expr) {
    return llvm::any_of(expr.sum(), [&](const skeleton::Term &term) {
      return term.factors.empty() && term.coefficient >= int64_t(1) << (context.getIntWidth(type) - 5);
    });
  };
  auto result = [&](Symbolic expr) {
    if (expr.isPoisoned() || isHash(expr)) return unknown();
    if (kind == clang::BO_Add && !expr.constant() && isFarOut(expr) && leavesTheWord(expr)) return unknown();
    if (unsigned bits = context.getIntWidth(type); isUnsigned && bits <= 32) {
      const int64_t most = (int64_t(1) << bits) - 1;
      if (expr.constant()) return Value{Symbolic(*expr.constant() & most)};
      if (mayExceed(expr, most)) return unknown();
    }
    bool mayWrap = wraps || (isUnsigned && kind == clang::BO_Sub);
    if (mayWrap && isUnsigned && st.ranges.isNonNegative(expr)) mayWrap = false;
    return Value{expr, mayWrap};
  };
  auto isSize = [&](const Symbolic &expr) {
    if (st.ranges.isNonNegative(expr)) return true;
    // Integer parameters that are divided are taken to be sizes: at least 0, and n - 1 as well.
    for (const skeleton::Term &term : expr.sum()) {
      if (term.coefficient < (term.factors.empty() ? -1 : 0)) return false;
      for (const skeleton::Atom &atom : term.factors) {
        auto facts = st.symbols.find(atom.name);
        bool isParameter =
            facts == st.symbols.end() || (facts->second.isFresh && !facts->second.memory && facts->second.loop == 0);
        if (atom.kind != skeleton::Atom::Kind::Symbol || !isParameter) return false;
      }
    }
    takeAsSize(expr, locate(text));
    return true;
  };
  // Rounded towards 0, as C has it.
  auto isNegated = [&] { return !isUnsigned && st.ranges.isNonNegative(-a.expr); };
  auto divisor = b.expr.constant();
  if (isUnsigned && (a.expr.constant().value_or(0) < 0 || divisor.value_or(0) < 0))
    divisor = std::nullopt; // of 64 bits: a number beyond ours
  switch (kind) {
  case clang::BO_Add: return result(a.expr + b.expr);
  case clang::BO_Sub: return result(a.expr - b.expr);
  case clang::BO_Mul: return result(a.expr * b.expr);
  case clang::BO_Div:
    if (a.expr.constant() && divisor && *divisor != 0) return result(Symbolic(*a.expr.constant() / *divisor));
    if (divisor && *divisor > 0 && !wraps && !leavesTheWord(a.expr)) {
      if (isSize(a.expr)) return result(floorDiv(a.expr, *divisor));
      if (isNegated()) return result(-floorDiv(-a.expr, *divisor));
    }
    return unknown();
  case clang::BO_Rem:
    if (a.expr.constant() && divisor && *divisor != 0) return result(Symbolic(*a.expr.constant() % *divisor));
    if (divisor && *divisor > 0 && !wraps && !leavesTheWord(a.expr)) {
      if (isSize(a.expr)) return result(mod(a.expr, *divisor));
      if (isNegated()) return result(-mod(-a.expr, *divisor));
    }
    if (!wraps && st.ranges.isNonNegative(a.expr) && st.ranges.isNonNegative(b.expr - 1))
      return unknown(Symbolic(0), b.expr - 1);
    if (divisor && *divisor > 0) return unknown(Symbolic(isUnsigned ? 0 : 1 - *divisor), Symbolic(*divisor - 1));
    return unknown();
  case clang::BO_Shl:
    if (divisor && *divisor >= 0 && *divisor < 62) return result(a.expr * Symbolic(int64_t(1) << *divisor));
    return unknown();
  case clang::BO_Shr:
    if (divisor && *divisor >= 0 && *divisor < 62 && !wraps && !leavesTheWord(a.expr))
      return result(floorDiv(a.expr, int64_t(1) << *divisor));
    return unknown();
  case clang::BO_And: {
    if (a.expr.constant() && divisor) return result(Symbolic(*a.expr.constant() & *divisor));
    if (divisor && *divisor > 0 && ((*divisor + 1) & *divisor) == 0) return result(mod(a.expr, *divisor + 1));
    if (divisor && *divisor < 0 && ((-*divisor) & (-*divisor - 1)) == 0) return result(a.expr - mod(a.expr, -*divisor));
    if (divisor && *divisor > 0) return unknown(Symbolic(0), b.expr);
    return unknown();
  }
  case clang::BO_Or:
    if (a.expr.constant() && divisor) return result(Symbolic(*a.expr.constant() | *divisor));
    return unknown();
  case clang::BO_Xor:
    if (a.expr.constant() && divisor) return result(Symbolic(*a.expr.constant() ^ *divisor));
    if (divisor == 1 && !wraps && isFlag(a.expr)) return result(Symbolic(1) - a.expr);
    return unknown();
  default: return unknown();
  }
}

/// `s.n`, `w->k`; but not `i.2`, the second variable of its name.
static bool isFieldName(llvm::StringRef variable) {
  if (variable.contains("->")) return true;
  for (size_t dot = variable.find('.'); dot != llvm::StringRef::npos; dot = variable.find('.', dot + 1))
    if (dot + 1 == variable.size() || !clang::isDigit(variable[dot + 1])) return true;
  return false;
}

/// The value of a variable, array element or field.
std::optional<Value> Walker::load(const clang::Expr *expr, bool data) {
  if (const clang::Expr *value = scalarTemporary(expr)) return rvalue(value, data);
  if (const auto *chosen =
          llvm::dyn_cast<clang::CallExpr>(expr->IgnoreParens())) { // std::min and max: a reference to one of two
    const clang::FunctionDecl *callee = calleeOf(chosen);
    bool isChoice = callee && callee->isInStdNamespace() && callee->getIdentifier() &&
                    (callee->getName() == "min" || callee->getName() == "max");
    if (isChoice && chosen->getNumArgs() == 2) return call(chosen, data);
  }
  // C++: `d[--n]` loads what the step leaves, which is no access of its own.
  if (const auto *step = llvm::dyn_cast<clang::UnaryOperator>(expr->IgnoreParens());
      step && step->isIncrementDecrementOp())
    return unary(step, data);
  if (const auto *set = llvm::dyn_cast<clang::BinaryOperator>(expr->IgnoreParens()); set && set->isAssignmentOp())
    return binary(set, data);
  if (const auto *choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr->IgnoreParens()))
    return conditional(choice, data);
  Place place = lvalue(expr);
  Location location = locate(expr);
  if (classOf(place.type) == TypeClass::Integer && !place.variable.empty() && !st.addressTaken.count(place.variable)) {
    bool isCallee = !inlining.empty() || inPlace; // its own variables have other names
    bool isShared = isCallee && (globalOf(place.variable) || isFieldName(place.variable));
    return isShared ? shareInteger(place, location) : loadInteger(place, location);
  }
  read(place, location);
  if (classOf(place.type) != TypeClass::Integer) return std::nullopt;
  return place.variable.empty() ? elementValue(place, textOf(expr), location)
                                : readInteger(place.variable, place.type, location);
}

/// Of an integer in memory, which has been read: nothing is known of it but its type, and what else was read from
/// there.
Value Walker::elementValue(const Place &place, const std::string &text, Location location) {
  std::optional<Symbolic> least, most;
  unsigned bits = context.getIntWidth(place.type);
  bool isUnsigned = place.type->isUnsignedIntegerOrEnumerationType();
  if (isUnsigned) least = Symbolic(0);
  if (place.type->isBooleanType()) most = Symbolic(1);
  else if (bits <= 16) {
    most = Symbolic((int64_t(1) << (isUnsigned ? bits : bits - 1)) - 1);
    if (!isUnsigned) least = Symbolic(-(int64_t(1) << (bits - 1)));
  }
  if (auto known = knownElement(place)) return *known;
  if (auto entry = elementOnEntry(place, text)) return *entry;
  if (auto fixed = fixedElement(place, text, least, most, location)) {
    noteOrigin(fixed->expr, place);
    return *fixed;
  }
  std::pair<std::string, std::vector<Symbolic>> key{place.at.object, {}};
  bool isPlain = loadedByArguments && loadedByArguments->into == out && !place.partial && !place.at.inside &&
                 !place.at.object.empty() && object(place.at.object).array.type.bytes * 8 == bits &&
                 llvm::all_of(place.at.index, [](const auto &one) { return one && !one->isPoisoned(); });
  if (isPlain) {
    for (const auto &one : place.at.index) key.second.push_back(*one);
    if (auto known = loadedByArguments->values.find(key); known != loadedByArguments->values.end())
      return known->second;
  }
  Value value{usually(freshSymbol(nameHint, text, location, true, false, least, most), usualElement(place))};
  noteOrigin(value.expr, place);
  if (isPlain) loadedByArguments->values.insert({std::move(key), value});
  return value;
}

/// As data, but what turns out to be symbolic is index arithmetic, which is not counted.
std::optional<Value> Walker::integerData(const clang::Expr *expr) {
  double before = st.pending[Operation::Integer];
  size_t nodes = out->size();
  std::optional<Value> value = rvalue(expr, true);
  if (value && !dependsOnMemory(value->expr) && out->size() == nodes) st.pending[Operation::Integer] = before;
  return value;
}

/// The same expression, written twice, with the same value both times if nothing is written in between.
bool Walker::isSame(const clang::Expr *a, const clang::Expr *b) const {
  a = a->IgnoreParenImpCasts(), b = b->IgnoreParenImpCasts();
  if (a->getStmtClass() != b->getStmtClass() || a->HasSideEffects(context) || b->HasSideEffects(context)) return false;
  llvm::FoldingSetNodeID first, second;
  a->Profile(first, context, true);
  b->Profile(second, context, true);
  return first == second;
}

/// What `c++` and `c += 2` compute in before they store: a narrow type is promoted, and what does not fit wraps. A
/// loop's own increment is left out: with its test it counts as far as it is meant to.
clang::QualType Walker::typeOfSteps(const clang::Expr *op, clang::QualType type) const {
  auto holds = [&](const clang::Stmt *stmt) {
    const auto *loop = llvm::dyn_cast_or_null<clang::ForStmt>(stmt);
    const auto *stepped = llvm::dyn_cast<clang::UnaryOperator>(op);
    const clang::VarDecl *variable =
        variableOf(stepped ? stepped->getSubExpr() : llvm::cast<clang::BinaryOperator>(op)->getLHS());
    std::function<bool(const clang::Stmt *)> names = [&](const clang::Stmt *part) {
      const auto *ref = llvm::dyn_cast_or_null<clang::DeclRefExpr>(part);
      return part && ((ref && ref->getDecl()->getCanonicalDecl() == variable->getCanonicalDecl()) ||
                      llvm::any_of(partsOf(part), names));
    };
    bool isTested = loop && variable && names(loop->getCond());
    const clang::Expr *step = isTested ? loop->getInc() : nullptr;
    while (const auto *both =
               llvm::dyn_cast_or_null<clang::BinaryOperator>(step ? step->IgnoreParenImpCasts() : nullptr)) {
      if (both->getOpcode() != clang::BO_Comma) break;
      if (both->getRHS()->IgnoreParenImpCasts() == op) return true;
      step = both->getLHS();
    }
    return step && step->IgnoreParenImpCasts() == op;
  };
  bool isNarrow = type->isIntegralOrEnumerationType() && context.getIntWidth(type) < context.getIntWidth(context.IntTy);
  return isNarrow && llvm::none_of(st.frames, [&](const Frame &frame) { return holds(frame.stmt); }) ? context.IntTy
                                                                                                     : type;
}

std::optional<Value> Walker::unary(const clang::UnaryOperator *op, bool data) {
  const clang::Expr *inner = op->getSubExpr();
  bool isInteger = classOf(op->getType()) == TypeClass::Integer;
  if (op->isIncrementDecrementOp() && isPointerLike(op->getType())) {
    pointer(op);
    return std::nullopt;
  }
  if (op->isIncrementDecrementOp()) {
    int64_t by = op->isIncrementOp() ? 1 : -1;
    Place place = lvalue(inner);
    Location location = locate(op);
    if (!isInteger || place.variable.empty()) {
      countArithmetic(clang::BO_Add, op->getType());
      update(place, ReductionOp::Add, location, op);
      if (!isInteger) return std::nullopt;
      if (isAnything(place)) clobberAddressTaken(location);
      return Value{freshSymbol("", textOf(op), location, true)};
    }
    Value before = readInteger(place.variable, place.type, location);
    Value after =
        convert(integerArithmetic(by > 0 ? clang::BO_Add : clang::BO_Sub, before, Value{Symbolic(1)}, place.type, op),
                typeOfSteps(op, place.type), place.type, op);
    if (dependsOnMemory(before.expr) && !isInductiveNow(place.variable)) {
      count(Operation::Integer);
      storeInteger(place, after);
      update(place, ReductionOp::Add, location, op);
    } else {
      readLeftByLoop(place.variable, location);
      assignInteger(place, after, location);
    }
    return op->isPrefix() ? after : before;
  }
  switch (op->getOpcode()) {
  case clang::UO_Deref: return load(op, data);
  case clang::UO_Plus:
  case clang::UO_Extension: return rvalue(inner, data);
  case clang::UO_Minus: {
    auto value = rvalue(inner, data);
    if (!value || !isInteger) return std::nullopt; // a sign change costs nothing
    Value negated{-value->expr, value->mayWrap || op->getType()->isUnsignedIntegerOrEnumerationType()};
    return negated;
  }
  case clang::UO_Not: {
    auto value = rvalue(inner, data);
    if (!value) return std::nullopt;
    return Value{-value->expr - 1, true};
  }
  case clang::UO_LNot: {
    if (isPointerLike(inner->getType())) pointer(inner);
    else {
      auto value = rvalue(inner, data);
      if (value)
        if (auto known = value->expr.constant()) return Value{Symbolic(*known == 0)};
      if (value && !value->mayWrap && isFlag(value->expr)) return Value{Symbolic(1) - value->expr};
    }
    return Value{freshSymbol("", textOf(op), locate(op), true, true, Symbolic(0), Symbolic(1))};
  }
  case clang::UO_AddrOf: pointer(op); return std::nullopt;
  case clang::UO_Real:
  case clang::UO_Imag:
    if (inner->isGLValue()) read(lvalue(inner), locate(op));
    else rvalue(inner, data);
    return std::nullopt;
  default: rvalue(inner, data); return std::nullopt;
  }
}

std::optional<Value> Walker::conditional(const clang::AbstractConditionalOperator *op, bool data) {
  bool isInteger = classOf(op->getType()) == TypeClass::Integer;
  if (isTooDeep()) {
    unsupported(op, "code nested so deep");
    return isInteger ? std::optional(unknownResult(op, true)) : std::nullopt;
  }
  if (data && !isInteger) count(Operation::Compare);
  std::string hint = nameHint;
  nameHint.clear();
  runCommon(op);
  Condition when = condition(op->getCond());
  std::optional<Value> a, b;
  auto only = [&](const clang::Expr *expr) {
    return expr->isGLValue() && !isPointerLike(expr->getType()) ? load(expr, data) : rvalue(expr, data);
  };
  if (when.exact && when.anyOf.size() == 1 && when.anyOf[0].empty()) return only(op->getTrueExpr());
  if (when.exact && when.anyOf.empty()) return only(op->getFalseExpr());
  unsigned mark = st.counter;
  auto side = [&](const clang::Expr *expr, std::optional<Value> &value) {
    return [this, expr, &value, data, isInteger] {
      if (isPointerLike(expr->getType())) pointer(expr);
      else if (expr->isGLValue()) value = load(expr, data); // C++ chooses one of two places, and loads from that
      else if (isInteger) value = data ? integerData(expr) : rvalue(expr, false);
      else rvalue(expr, data);
      return Flow();
    };
  };
  branch(when, locate(op), side(op->getTrueExpr(), a), side(op->getFalseExpr(), b));
  if (!isInteger || !a || !b) return std::nullopt;
  Environment then, otherwise;
  const std::string name = textOf(op);
  then.integers[name] = *a;
  otherwise.integers[name] = *b;
  if (a->expr == b->expr && !a->expr.isPoisoned()) return a;
  // A quotient rounded down for either sign: `x < 0 ? -((-x + 15) / 16) : x / 16`.
  if (Symbolic same = withRisingFloors(b->expr); !same.isPoisoned() && withRisingFloors(a->expr) == same)
    return Value{same, a->mayWrap || b->mayWrap};
  auto isInner = [&](const Symbolic &expr) {
    for (const std::string &name : expr.symbols()) {
      auto facts = st.symbols.find(name);
      if (facts != st.symbols.end() && facts->second.serial > mark) return true;
    }
    return expr.isPoisoned();
  };
  bool memory = dependsOnMemory(a->expr) || dependsOnMemory(b->expr) || !when.exact;
  if (isInner(a->expr) || isInner(b->expr)) {
    std::optional<Symbolic> usual = usualOfBoth(a->expr, b->expr, &when);
    return Value{usually(freshSymbol(hint, textOf(op), locate(op), memory), usual)};
  }
  Environment saved = st.env;
  st.env.integers.clear();
  st.env.pointers.clear();
  merge(then, otherwise, locate(op), &when);
  Value merged = st.env.integers[name];
  st.env = std::move(saved);
  return merged;
}

/// `x ?: y` runs x once, and has its value if that is not zero.
void Walker::runCommon(const clang::AbstractConditionalOperator *op) {
  const auto *both = llvm::dyn_cast<clang::BinaryConditionalOperator>(op);
  if (!both) return;
  const clang::Expr *common = both->getCommon();
  const clang::OpaqueValueExpr *name = both->getOpaqueValue();
  if (common->isGLValue()) st.evaluated[name] = lvalue(common);
  else if (isPointerLike(common->getType())) commonPointers[name] = pointer(common);
  else commonValues[name] = rvalue(common, true);
}

/// Of `c ? p : q` one side runs: the effects of the other do not happen.
Condition Walker::choose(const clang::AbstractConditionalOperator *op,
                         llvm::function_ref<void(const clang::Expr *)> then,
                         llvm::function_ref<void(const clang::Expr *)> otherwise) {
  if (isTooDeep()) {
    unsupported(op, "code nested so deep");
    return Condition();
  }
  runCommon(op);
  Condition when = condition(op->getCond());
  branch(
      when, locate(op), [&] { return then(op->getTrueExpr()), Flow(); },
      [&] { return otherwise(op->getFalseExpr()), Flow(); });
  return when;
}

/// An expression that stands as a statement, and those whose value would be its own.
void Walker::dropValue(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  unusedValues.insert(expr);
  if (const auto *cleanups = llvm::dyn_cast<clang::FullExpr>(expr)) dropValue(cleanups->getSubExpr());
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) dropValue(cast->getSubExpr()); // (void)n++
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    dropValue(choice->getTrueExpr());
    dropValue(choice->getFalseExpr());
  }
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (op->getOpcode() == clang::BO_Comma) dropValue(op->getLHS());
    if (op->getOpcode() == clang::BO_Comma || op->isLogicalOp()) dropValue(op->getRHS());
  }
  if (const auto *block = llvm::dyn_cast<clang::StmtExpr>(expr))
    if (const auto *last =
            block->getSubStmt()->body_empty() ? nullptr : llvm::dyn_cast<clang::Expr>(block->getSubStmt()->body_back()))
      dropValue(last);
}

/// Runs `({ ...; x; })`. Its value is that of its last expression, if it ends with one, before what it declares goes.
void Walker::runBlock(const clang::StmtExpr *block, llvm::function_ref<void(const clang::Expr *)> value) {
  const clang::CompoundStmt *body = block->getSubStmt();
  if (mayJump(body)) {
    find(Rule::UnsupportedCode, locate(block),
         "a jump in a statement expression is not followed; it stays on the host");
    host(HostReason::NoReturn, "statement expression", {}, locate(block));
    for (Frame &frame : st.frames) frame.exitsEarly = frame.exitsUnguarded = true; // what follows may not run
  }
  std::vector<const clang::Stmt *> stmts(body->body_begin(), body->body_end());
  const auto *last = stmts.empty() ? nullptr : llvm::dyn_cast<clang::Expr>(stmts.back());
  if (last) stmts.pop_back();
  inScope(body, [&] {
    Flow flow = executeList(stmts);
    if (last) value(last);
    return flow;
  });
}

std::optional<Value> Walker::binary(const clang::BinaryOperator *op, bool data) {
  if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(op))
    return compoundAssignment(compound, data);
  if (op->getOpcode() == clang::BO_Assign) return assignment(op, data);
  if (op->getOpcode() == clang::BO_Comma) {
    dropValue(op->getLHS());
    rvalue(op->getLHS(), true);
    return rvalue(op->getRHS(), data);
  }
  if (op->isPtrMemOp()) { // whose member that is, its call asks
    rvalue(op->getRHS(), true);
    return std::nullopt;
  }
  if (op->isLogicalOp() || op->isComparisonOp()) {
    // The value of a condition, 0 or 1; its reads happen as in a branch.
    Condition when = condition(op);
    return Value{freshSymbol(nameHint, textOf(op), locate(op), !when.exact, true, Symbolic(0), Symbolic(1))};
  }
  if (isPointerLike(op->getType())) {
    pointerOperator(op);
    return std::nullopt;
  }
  if (op->getOpcode() == clang::BO_Sub && isPointerLike(op->getLHS()->getType())) {
    Pointer a = pointer(op->getLHS()), b = pointer(op->getRHS());
    normalize(a);
    normalize(b);
    if (!a.object.empty() && a.object == b.object && a.index.size() == 1 && a.index[0] && b.index[0] && !a.inside &&
        !b.inside) {
      Symbolic apart = (*a.index[0] - *b.index[0]) * Symbolic(int64_t(object(a.object).array.type.bytes));
      int64_t bytes = int64_t(
          bytesOf(pointeeOf(op->getLHS()->getType()), context)); // of what the pointers are declared to point to
      if (object(a.object).element.isNull()) bytes = 0;
      if (bytes > 0 &&
          llvm::all_of(apart.sum(), [&](const skeleton::Term &term) { return term.coefficient % bytes == 0; }))
        return Value{floorDiv(apart, bytes)};
    }
    return Value{freshSymbol("", textOf(op), locate(op), true)};
  }
  bool isInteger = classOf(op->getType()) == TypeClass::Integer;
  nameHint.clear();
  auto a = rvalue(op->getLHS(), data);
  auto b = rvalue(op->getRHS(), data);
  if (isInteger) {
    if (data) countArithmetic(op->getOpcode(), op->getType());
    if (!a) a = Value{freshSymbol("", textOf(op->getLHS()), locate(op->getLHS()), true)};
    if (!b) b = Value{freshSymbol("", textOf(op->getRHS()), locate(op->getRHS()), true)};
    return integerArithmetic(op->getOpcode(), *a, *b, op->getType(), op);
  }
  bool additive = op->getOpcode() == clang::BO_Add || op->getOpcode() == clang::BO_Sub;
  if (additive && op->getType()->isRealFloatingType() &&
      (isMultiplication(op->getLHS()) || isMultiplication(op->getRHS()))) {
    bool single = bytesOf(op->getType(), context) <= 4;
    count(single ? Operation::Fp32Multiply : Operation::Fp64Multiply, -1);
    count(single ? Operation::Fp32Fma : Operation::Fp64Fma);
  } else countArithmetic(op->getOpcode(), op->getType());
  return std::nullopt;
}

/// The value of a constant expression over the settings that it mentions; nothing if they are numbers.
std::optional<Symbolic> Walker::overSettings(const clang::Expr *expr) {
  if (!unit.settings) return std::nullopt;
  std::optional<Symbolic> named = unit.settings->valueOf(expr, function);
  if (named) unit.stateSettings(*named);
  return named;
}

std::optional<Value> Walker::rvalue(const clang::Expr *expr, bool data) {
  expr = expr->IgnoreParens();
  if (const auto *name = llvm::dyn_cast<clang::OpaqueValueExpr>(expr))
    if (auto known = commonValues.find(name); known != commonValues.end()) return known->second;
  if (expr->isValueDependent() || expr->containsErrors()) return std::nullopt;
  if (isLongDouble(expr->getType()) && !llvm::isa<clang::CastExpr>(expr))
    find(Rule::LongDouble, locate(expr), "long double arithmetic cannot run on a GPU; it is priced as double there");
  // Constants of every kind, enumerators and constexpr variables included.
  if (classOf(expr->getType()) == TypeClass::Integer && !expr->getType()->isReferenceType()) {
    clang::Expr::EvalResult known;
    if (expr->isPRValue() && !expr->HasSideEffects(context) && expr->EvaluateAsInt(known, context)) {
      if (std::optional<Symbolic> named = overSettings(expr)) return Value{*named};
      llvm::APSInt number = known.Val.getInt();
      if (number.isSigned() ? number.getSignificantBits() <= 64 : number.getActiveBits() <= 63)
        return Value{Symbolic(number.getExtValue())};
    }
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    const clang::Expr *inner = cast->getSubExpr();
    switch (cast->getCastKind()) {
    case clang::CK_LValueToRValue: {
      if (isPointerLike(cast->getType())) {
        pointer(cast);
        return std::nullopt;
      }
      clang::Expr::EvalResult known; // a const double with a known value is no memory
      if (cast->getType()->isRealFloatingType() && inner->getType().isConstQualified() &&
          cast->EvaluateAsRValue(known, context) && known.Val.isFloat())
        return std::nullopt;
      return load(inner, data);
    }
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToBoolean: {
      auto value = rvalue(inner, data);
      if (!value) return std::nullopt;
      return convert(*value, inner->getType(), cast->getType(), cast);
    }
    case clang::CK_FloatingToIntegral:
      rvalue(inner, true);
      count(Operation::Conversion);
      return Value{freshSymbol(nameHint, textOf(cast), locate(cast), true)};
    case clang::CK_IntegralToFloating:
      if (!inner->isEvaluatable(context)) count(Operation::Conversion);
      rvalue(inner, data);
      return std::nullopt;
    case clang::CK_FloatingCast:
      if (!inner->isEvaluatable(context)) count(Operation::Conversion);
      rvalue(inner, data);
      return std::nullopt;
    case clang::CK_PointerToBoolean: pointer(inner); return Value{freshSymbol("", textOf(cast), locate(cast), true)};
    case clang::CK_PointerToIntegral:
      if (Pointer at = pointer(inner); !at.object.empty()) { // as a number it may go anywhere
        st.escaped.insert(at.object);
        escapeBehind(at.object);
      }
      return Value{freshSymbol("", textOf(cast), locate(cast), true)};
    case clang::CK_FloatingToBoolean:
      rvalue(inner, data);
      count(Operation::Compare);
      return Value{freshSymbol("", textOf(cast), locate(cast), true, true, Symbolic(0), Symbolic(1))};
    case clang::CK_ToVoid:
    case clang::CK_NoOp:
    case clang::CK_UserDefinedConversion:
    case clang::CK_ConstructorConversion:
      if (isPointerLike(inner->getType())) {
        pointer(inner);
        return std::nullopt;
      }
      return rvalue(inner, data);
    case clang::CK_FunctionToPointerDecay:
    case clang::CK_BuiltinFnToFnPtr: return std::nullopt;
    default: break;
    }
    if (isPointerLike(cast->getType())) {
      pointer(cast);
      return std::nullopt;
    }
    return rvalue(inner, data);
  }
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(expr)) return binary(op, data);
  if (const auto *op = llvm::dyn_cast<clang::UnaryOperator>(expr)) return unary(op, data);
  if (const auto *op = llvm::dyn_cast<clang::AbstractConditionalOperator>(expr)) return conditional(op, data);
  if (const auto *made = llvm::dyn_cast<clang::CallExpr>(expr)) return call(made, data);
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) return construct(made, data);
  if (const auto *wrapped = llvm::dyn_cast<clang::ExprWithCleanups>(expr)) return rvalue(wrapped->getSubExpr(), data);
  if (const auto *wrapped = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
    return rvalue(wrapped->getSubExpr(), data);
  if (const auto *wrapped = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr)) {
    std::optional<Value> value = rvalue(wrapped->getSubExpr(), data);
    if (llvm::isa<clang::CallExpr>(wrapped->getSubExpr()->IgnoreImplicit()) &&
        destructorMatters(expr->getType())) { // what a call returns
      Place result;
      result.type = expr->getType();
      st.temporaries.push_back({result, expr});
    }
    return value;
  }
  if (const auto *wrapped = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expr)) return rvalue(wrapped->getExpr(), data);
  if (const auto *wrapped = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expr)) return rvalue(wrapped->getExpr(), data);
  if (const auto *wrapped = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(expr))
    return rvalue(wrapped->getReplacement(), data);
  if (const auto *wrapped = llvm::dyn_cast<clang::ConstantExpr>(expr)) return rvalue(wrapped->getSubExpr(), data);
  if (const auto *choice = llvm::dyn_cast<clang::GenericSelectionExpr>(expr))
    return rvalue(choice->getResultExpr(), data);
  if (const auto *size = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(expr)) {
    if (size->getKind() == clang::UETT_SizeOf) {
      clang::QualType type = size->getTypeOfArgument();
      // Where the run decides on the length, the operand is evaluated.
      if (!size->isArgumentType() && type->isVariablyModifiedType() && size->getArgumentExpr()->HasSideEffects(context))
        lvalue(size->getArgumentExpr());
      if (auto bytes = elementsIn(type, 1)) return Value{*bytes};
    }
    return Value{freshSymbol("", textOf(expr), locate(expr), false)};
  }
  if (const auto *block = llvm::dyn_cast<clang::StmtExpr>(expr)) {
    std::optional<Value> value;
    runBlock(block, [&](const clang::Expr *last) { value = rvalue(last, data); });
    return value;
  }
  if (const auto *thrown = llvm::dyn_cast<clang::CXXThrowExpr>(expr)) {
    throwAway(thrown);
    return std::nullopt;
  }
  if (llvm::isa<clang::GCCAsmStmt, clang::LambdaExpr, clang::VAArgExpr, clang::AtomicExpr>(expr)) {
    std::vector<const clang::Expr *> parts;
    for (const clang::Stmt *child : partsOf(expr))
      if (const auto *part = llvm::dyn_cast_or_null<clang::Expr>(child)) parts.push_back(part);
    if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(expr)) {
      noteLambda(lambda);
      return std::nullopt;
    }
    if (llvm::isa<clang::AtomicExpr>(expr))
      find(Rule::AtomicOperation, locate(expr),
           "an atomic operation, whose order is kept, stays on the host, and so do the loops around it");
    if (llvm::isa<clang::VAArgExpr>(expr))
      find(Rule::UnsupportedCode, locate(expr), "va_arg is not read; it stays on the host");
    return opaqueCall(expr, parts, nullptr, expr->getStmtClassName(), HostReason::Unsupported);
  }
  if (const auto *freed = llvm::dyn_cast<clang::CXXDeleteExpr>(expr)) {
    Pointer at = pointer(freed->getArgument());
    clang::QualType pointee = freed->getDestroyedType();
    if (!pointee.isNull() && destructorMatters(pointee)) destroy(dereference(at, pointee, freed->getArgument()), expr);
    releaseMemory(at, locate(expr));
    return std::nullopt;
  }
  if (llvm::isa<clang::CXXNewExpr>(expr)) {
    pointer(expr);
    return std::nullopt;
  }
  if (expr->isGLValue() && classOf(expr->getType()) == TypeClass::Integer) return load(expr, data);
  if (expr->isGLValue()) {
    Place place = lvalue(expr);
    if (classOf(place.type) == TypeClass::Data || classOf(place.type) == TypeClass::Record) read(place, locate(expr));
    return std::nullopt;
  }
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expr)) {
    for (const clang::Expr *init : list->inits()) storeAway(init);
    return std::nullopt;
  }
  for (const clang::Stmt *child : partsOf(expr))
    if (const auto *part = llvm::dyn_cast_or_null<clang::Expr>(child)) rvalue(part, data);
  return std::nullopt;
}

} // namespace busfare::frontend
