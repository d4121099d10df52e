//===- clang-plugin/walk/Algorithms.cpp - Algorithms of the standard library -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// An algorithm is the loop that it stands for, with its callable's body inside:
//
//   std::transform(a.begin(), a.end(), b.begin(), [](double x) { return x * x; });
//
//   for it = 0 .. a.size() - 1 { read a[it]; ops ...; write b[it] }
//
// An execution policy is a claim that the iterations are independent, checked like a
// directive. Sorting and searching stay on the host.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

namespace {

enum class Algorithm {
  None,
  ForEach,
  ForEachN,
  Transform,
  Reduce,
  TransformReduce,
  Fill,
  FillN,
  Copy,
  CopyN,
  Iota,
  Generate
};

Algorithm algorithmOf(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier() || llvm::isa<clang::CXXMethodDecl>(callee))
    return Algorithm::None;
  return llvm::StringSwitch<Algorithm>(callee->getName())
      .Case("for_each", Algorithm::ForEach)
      .Case("for_each_n", Algorithm::ForEachN)
      .Case("transform", Algorithm::Transform)
      .Cases("reduce", "accumulate", Algorithm::Reduce)
      .Cases("transform_reduce", "inner_product", Algorithm::TransformReduce)
      .Case("fill", Algorithm::Fill)
      .Case("fill_n", Algorithm::FillN)
      .Case("copy", Algorithm::Copy)
      .Case("copy_n", Algorithm::CopyN)
      .Case("iota", Algorithm::Iota)
      .Case("generate", Algorithm::Generate)
      .Default(Algorithm::None);
}

/// std::execution::par and its like; "" for anything else.
std::string policyOf(const clang::Expr *expr) {
  const auto *record = expr->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier() || !record->getName().ends_with("_policy")) return "";
  return llvm::StringSwitch<std::string>(record->getName())
      .Case("sequenced_policy", "seq")
      .Case("parallel_policy", "par")
      .Case("parallel_unsequenced_policy", "par_unseq")
      .Case("unsequenced_policy", "unseq")
      .Default("");
}

/// The operator of std::plus<> and its like, or of a lambda that returns `a + b`.
ReductionOp reductionBy(const clang::Expr *expr) {
  const auto *record = expr->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (record && record->isInStdNamespace() && record->getIdentifier())
    return llvm::StringSwitch<ReductionOp>(record->getName())
        .Case("plus", ReductionOp::Add)
        .Case("multiplies", ReductionOp::Multiply)
        .Case("bit_and", ReductionOp::BitAnd)
        .Case("bit_or", ReductionOp::BitOr)
        .Case("bit_xor", ReductionOp::BitXor)
        .Case("logical_and", ReductionOp::And)
        .Case("logical_or", ReductionOp::Or)
        .Default(ReductionOp::None);
  const clang::CXXRecordDecl *callable = callableClassOf(expr->getType());
  if (!callable) return ReductionOp::None;
  std::vector<const clang::CXXMethodDecl *> all = callOperatorsOf(callable);
  if (all.empty() || all.front()->getNumParams() != 2) return ReductionOp::None;
  const clang::Expr *result = singleReturn(all.front());
  if (!result) return ReductionOp::None;
  auto isBoth = [&](const clang::Expr *a, const clang::Expr *b) {
    const clang::VarDecl *x = variableOf(a->IgnoreParenImpCasts()), *y = variableOf(b->IgnoreParenImpCasts());
    const clang::VarDecl *p = all.front()->getParamDecl(0), *q = all.front()->getParamDecl(1);
    return (x == p && y == q) || (x == q && y == p);
  };
  result = result->IgnoreParenImpCasts();
  if (const auto *op = llvm::dyn_cast<clang::BinaryOperator>(result); op && isBoth(op->getLHS(), op->getRHS())) {
    if (op->getOpcode() == clang::BO_Add) return ReductionOp::Add;
    if (op->getOpcode() == clang::BO_Mul) return ReductionOp::Multiply;
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(result);
      call && calleeOf(call) && call->getNumArgs() == 2 && isBoth(call->getArg(0), call->getArg(1))) {
    llvm::StringRef name = calleeOf(call)->getIdentifier() ? calleeOf(call)->getName() : "";
    if (name == "max" || name == "fmax" || name == "fmaxf") return ReductionOp::Max;
    if (name == "min" || name == "fmin" || name == "fminf") return ReductionOp::Min;
  }
  return ReductionOp::None;
}

/// What std::minus<> and its like compute, from nothing but their arguments.
std::optional<clang::BinaryOperatorKind> arithmeticOf(const clang::Expr *expr) {
  const auto *record = expr->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->isInStdNamespace() || !record->getIdentifier()) return std::nullopt;
  using Kind = std::optional<clang::BinaryOperatorKind>;
  return llvm::StringSwitch<Kind>(record->getName())
      .Cases("plus", "minus", "negate", "identity", Kind(clang::BO_Add))
      .Case("multiplies", Kind(clang::BO_Mul))
      .Cases("divides", "modulus", Kind(clang::BO_Div))
      .Cases("bit_and", "bit_or", "bit_xor", "bit_not", Kind(clang::BO_And))
      .Cases("logical_and", "logical_or", "logical_not", Kind(clang::BO_And))
      .Cases("equal_to", "not_equal_to", "less", "less_equal", "greater", "greater_equal", Kind(clang::BO_Sub))
      .Default(std::nullopt);
}

} // namespace

bool isLoopingCall(const clang::CallExpr *expr) { return algorithmOf(expr) != Algorithm::None || isParallelFor(expr); }

/// A nest with an index for each range, outermost first.
void Walker::loopOver(const clang::Expr *text, const std::vector<IndexRange> &ranges, const clang::Stmt *body,
                      const skeleton::Rare<skeleton::Directive> &directive,
                      llvm::function_ref<void(llvm::ArrayRef<Symbolic>)> run) {
  std::vector<Symbolic> values(ranges.size());
  std::function<Flow(size_t)> level = [&](size_t k) -> Flow {
    if (k == ranges.size()) {
      run(values);
      return Flow();
    }
    LoopParts parts;
    parts.form = skeleton::LoopForm::Algorithm;
    parts.stmt = text, parts.body = body;
    if (k == 0) parts.directive = directive;
    GivenRange range;
    range.index = "it";
    range.lower = ranges[k].lower, range.upper = ranges[k].upper;
    range.bind = [&values, k](const Symbolic &index) { values[k] = index; };
    parts.given = range;
    parts.run = [&, k] { return level(k + 1); };
    return executeLoop(parts);
  };
  level(0);
}

/// `std::lower_bound(p, p + n, x)` reads some elements of the range and points to one of them, or behind them; data
/// decide to which.
std::optional<Pointer> Walker::foundElement(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee || !callee->isInStdNamespace() || !callee->getIdentifier() || llvm::isa<clang::CXXMethodDecl>(callee))
    return std::nullopt;
  bool isOrdered = llvm::StringSwitch<bool>(callee->getName()).Cases("min_element", "max_element", true).Default(false);
  bool isSought =
      llvm::StringSwitch<bool>(callee->getName()).Cases("lower_bound", "upper_bound", "find", true).Default(false);
  if ((!isOrdered && !isSought) || expr->getNumArgs() != (isSought ? 3 : 2)) return std::nullopt;
  clang::QualType type = expr->getArg(0)->getType(), element = pointeeOf(type);
  bool isRange = type->isPointerType() || handleOf(type) == Handle::Iterator;
  if (!isRange || element.isNull() || !element->isArithmeticType() ||
      (isSought && !expr->getArg(2)->getType()->isArithmeticType()))
    return std::nullopt;
  Pointer found = pointer(expr->getArg(0));
  pointer(expr->getArg(1));
  if (isSought) rvalue(expr->getArg(2), true);
  if (found.object.empty()) return std::nullopt;
  normalize(found);
  found.index.assign(found.index.size(), std::nullopt);
  read(dereference(found, element, expr), locate(expr));
  return found;
}

std::optional<std::optional<Value>> Walker::algorithm(const clang::CallExpr *expr, bool data) {
  Algorithm kind = algorithmOf(expr);
  if (kind == Algorithm::None) return std::nullopt;
  Location location = locate(expr);
  nameHint.clear();
  std::vector<const clang::Expr *> arguments(expr->arg_begin(), expr->arg_end());
  skeleton::Rare<skeleton::Directive> directive;
  if (!arguments.empty() && arguments[0]->getType().getNonReferenceType()->getAsCXXRecordDecl()) {
    std::string policy = policyOf(arguments[0]);
    if (!policy.empty()) {
      arguments.erase(arguments.begin());
      if (policy != "seq") {
        skeleton::Directive claim;
        claim.text = "std::execution::" + policy;
        claim.isParallel = true;
        directive = claim;
      }
    }
  }
  auto isPointer = [&](size_t k) {
    return k < arguments.size() && classOf(arguments[k]->getType()) == TypeClass::Pointer;
  };
  if (!isPointer(0)) return std::nullopt;
  // The ranges, and what follows them.
  Pointer first = pointer(arguments[0]);
  clang::QualType element = pointeeOf(arguments[0]->getType());
  bool isCounted = kind == Algorithm::ForEachN || kind == Algorithm::FillN || kind == Algorithm::CopyN;
  if (arguments.size() < 2 || (!isCounted && !isPointer(1))) return std::nullopt;
  Symbolic count = isCounted ? integer(arguments[1]).expr
                             : distance(first, pointer(arguments[1]), arguments[0]->getType(), location)->expr;
  size_t next = 2;
  std::vector<std::pair<Pointer, clang::QualType>> others;
  for (; isPointer(next); ++next) others.push_back({pointer(arguments[next]), pointeeOf(arguments[next]->getType())});
  std::vector<const clang::Expr *> rest(arguments.begin() + next, arguments.end());
  auto elementAt = [&](const Pointer &start, clang::QualType type, const Symbolic &index) {
    return dereference(step(start, index, type), type, expr);
  };
  bool writesAnywhere = false;
  auto noteWrite = [&](const Place &place) {
    writesAnywhere |= classOf(place.type) != TypeClass::Data && isAnything(place);
  };
  auto loop = [&](llvm::function_ref<void(const Symbolic &)> run) {
    loopOver(expr, {{Symbolic(0), count - 1}}, expr, directive, [&](llvm::ArrayRef<Symbolic> index) { run(index[0]); });
    clobberBehind(first.object, location); // a range of one variable
    for (const auto &other : others) clobberBehind(other.first.object, location);
    if (writesAnywhere) clobberSomewhere(location);
  };
  // An element gets a value, as an operator of its class may have it.
  auto put = [&](const Pointer &start, clang::QualType type, const Symbolic &index) {
    Place place = elementAt(start, type, index);
    write(place, location);
    noteWrite(place);
    std::vector<Reach> reachable = {Reach{place.at, false}, Reach{first, false}};
    assignUnseen(type, location, reachable);
  };
  // Calls f on these places; false if its body is not seen, but then what it does is unknown only as far as it can
  // reach.
  auto apply = [&](const clang::Expr *f, llvm::ArrayRef<Place> places) {
    std::vector<Actual> actuals;
    for (const Place &place : places) actuals.push_back({place, {}, {}});
    if (std::optional<Callable> callable = callableOf(f, places.size())) {
      std::optional<Value> result;
      walkInPlace(callable->method, actuals, callable->self, location, &result);
      return;
    }
    if (std::optional<clang::BinaryOperatorKind> operation = arithmeticOf(f)) {
      for (const Place &place : places) read(place, location);
      countArithmetic(*operation, element);
      return;
    }
    Handover given;
    for (const Place &place : places) reachVariable(place, false, given, location);
    reachThrough(f, f->getType(), given);
    std::string name =
        callableClassOf(f->getType()) && callableClassOf(f->getType())->isLambda() ? "lambda" : textOf(f);
    find(Rule::OpaqueCall, location, "which body " + name + " runs is not seen; the call stays on the host");
    touchReachable(given.reachable, HostReason::OpaqueCall, name, location, true);
    for (const std::string &variable : given.changed) clobber(variable, location);
  };
  switch (kind) {
  case Algorithm::ForEach:
  case Algorithm::ForEachN:
    if (rest.size() != 1) return std::nullopt;
    loop([&](const Symbolic &i) { apply(rest[0], {elementAt(first, element, i)}); });
    return std::optional<Value>();
  case Algorithm::Transform:
    if (rest.size() != 1 || others.empty() || others.size() > 2) return std::nullopt;
    loop([&](const Symbolic &i) {
      std::vector<Place> from = {elementAt(first, element, i)};
      if (others.size() == 2) from.push_back(elementAt(others[0].first, others[0].second, i));
      apply(rest[0], from);
      put(others.back().first, others.back().second, i);
    });
    return std::optional<Value>();
  case Algorithm::Fill:
  case Algorithm::FillN:
    if (rest.size() != 1) return std::nullopt;
    storeAway(rest[0]);
    loop([&](const Symbolic &i) { put(first, element, i); });
    return std::optional<Value>();
  case Algorithm::Iota:
    if (rest.size() != 1) return std::nullopt;
    rvalue(rest[0], true);
    loop([&](const Symbolic &i) {
      countArithmetic(clang::BO_Add, element);
      const Place place = elementAt(first, element, i);
      write(place, location);
      noteWrite(place);
    });
    return std::optional<Value>();
  case Algorithm::Generate:
    if (rest.size() != 1) return std::nullopt;
    loop([&](const Symbolic &i) {
      apply(rest[0], {});
      put(first, element, i);
    });
    return std::optional<Value>();
  case Algorithm::Copy:
  case Algorithm::CopyN:
    if (others.size() != 1) return std::nullopt;
    loop([&](const Symbolic &i) {
      read(elementAt(first, element, i), location);
      put(others[0].first, others[0].second, i);
    });
    return std::optional<Value>();
  case Algorithm::Reduce:
  case Algorithm::TransformReduce: {
    bool isTransformed = kind == Algorithm::TransformReduce;
    if (others.size() > (isTransformed ? 1u : 0u)) return std::nullopt;
    const clang::Expr *initial = !rest.empty() ? rest[0] : nullptr;
    const clang::Expr *combine = rest.size() >= 2 ? rest[1] : nullptr;
    const clang::Expr *change = rest.size() >= 3 ? rest[2] : nullptr;
    clang::QualType type = expr->getType().getNonReferenceType();
    TypeClass result = classOf(type);
    if (result != TypeClass::Data && result != TypeClass::Integer) return std::nullopt;
    if (initial) rvalue(initial, true);
    Place sum;
    sum.type = type;
    sum.at.object = freshName(calleeOf(expr)->getName().str() + " (reduced)");
    declareObject(sum.at.object, type, Storage::Local, location).array.perIteration = isInLoop();
    write(sum, location);
    ReductionOp op = combine ? reductionBy(combine) : ReductionOp::Add;
    // Each step's result is cut to the sum's type: then the order counts.
    bool isCut = result == TypeClass::Integer && (classOf(element) != TypeClass::Integer || type->isBooleanType());
    loop([&](const Symbolic &i) {
      std::vector<Place> from = {elementAt(first, element, i)};
      if (others.size() == 1) from.push_back(elementAt(others[0].first, others[0].second, i));
      if (change) apply(change, from);
      else if (op != ReductionOp::None || from.size() == 2) {
        for (const Place &place : from) read(place, location);
        if (from.size() == 2) countArithmetic(clang::BO_Mul, type);
      }
      if (op == ReductionOp::None) {
        apply(combine, {sum, from.back()});
        write(sum, location);
        return;
      }
      countArithmetic(op == ReductionOp::Multiply ? clang::BO_Mul : clang::BO_Add, type);
      if (!isCut) return update(sum, op, location, nullptr);
      read(sum, location);
      write(sum, location);
    });
    read(sum, location);
    if (result == TypeClass::Integer) return std::optional<Value>(unknownResult(expr, true));
    return std::optional<Value>();
  }
  case Algorithm::None: break;
  }
  return std::nullopt;
}

std::optional<std::optional<Value>> Walker::loopingCall(const clang::CallExpr *expr, bool data) {
  if (auto done = algorithm(expr, data)) return done;
  if (auto index = indexValue(expr)) return std::optional<Value>(*index);
  if (isParallelFor(expr)) return parallelFor(expr);
  return std::nullopt;
}

} // namespace busfare::frontend
