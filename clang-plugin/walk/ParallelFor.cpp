//===- clang-plugin/walk/ParallelFor.cpp - parallel_for and its like, by shape -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kokkos, RAJA, TBB and SYCL each have a function that runs a callable over a range of
// indices. They are recognised by shape: the library's namespace, the name, something that
// states a range, and a callable that takes indices. Anything else among the arguments, and
// the call is one of code that is not seen.
//
//   Kokkos::parallel_for(n, KOKKOS_LAMBDA(int i) { ... });
//   RAJA::forall<policy>(RAJA::RangeSegment(1, n - 1), [=](int i) { ... });
//   tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const tbb::blocked_range<int> &r) {
//     for (int i = r.begin(); i != r.end(); ++i) ... });
//   queue.parallel_for(sycl::range<2>(n, m), [=](sycl::id<2> i) { ... a[i[0]] ... });
//
// Each is a loop over the range whose iterations are said to be independent: a claim to
// check. A range that the callable walks itself is given to it whole.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend {

namespace {

/// What states a range of indices in these libraries.
enum class RangeClass {
  None,
  Interval, ///< (a, b), perhaps with a chunk size behind: from a up to, not including b.
  Intervals, ///< ({a, c}, {b, d}): one for each dimension.
  Blocks,   ///< (a, b[, grain], c, d[, grain]).
  Extents,  ///< (n, m): how many in each dimension.
};

RangeClass rangeClassOf(clang::QualType type) {
  const auto *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier() || !isOfModelledLibrary(record)) return RangeClass::None;
  return llvm::StringSwitch<RangeClass>(record->getName())
      .Cases("RangePolicy", "RangeSegment", "TypedRangeSegment", "blocked_range", RangeClass::Interval)
      .Case("MDRangePolicy", RangeClass::Intervals)
      .Case("blocked_range2d", RangeClass::Blocks)
      .Case("range", RangeClass::Extents)
      .Default(RangeClass::None);
}

/// The argument that is called: the last one of a class with a call operator.
int callableArgument(const clang::CallExpr *expr) {
  for (int k = int(expr->getNumArgs()) - 1; k >= 0; --k)
    if (callableClassOf(expr->getArg(k)->getType())) return k;
  return -1;
}

/// Does the body ask where the range begins and ends only to run a loop from there to there? Else what it does with one
/// piece of the range says nothing of the whole.
bool onlyLoopsOver(const clang::ParmVarDecl *range, const clang::Stmt *body) {
  std::function<bool(const clang::Stmt *)> isUsed = [&](const clang::Stmt *stmt) -> bool {
    if (!stmt) return false;
    if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) return ref->getDecl() == range;
    if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(stmt))
      return isUsed(loop->getInc()) || isUsed(loop->getBody());
    return llvm::any_of(partsOf(stmt), isUsed);
  };
  return !isUsed(body);
}

} // namespace

bool isParallelFor(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee || !callee->getIdentifier() || !isOfModelledLibrary(callee)) return false;
  bool isNamed = llvm::StringSwitch<bool>(callee->getName())
                     .Cases("parallel_for", "parallel_reduce", "forall", true)
                     .Default(false);
  return isNamed && callableArgument(expr) >= 1;
}

/// A bound, as a variable's name or as a value.
Symbolic Walker::indexNumber(const clang::Expr *expr) {
  if (!expr->isGLValue()) return integer(expr).expr;
  std::optional<Value> value = load(expr, false);
  return value ? value->expr : Symbolic::poisoned();
}

/// What the expression says of a range of indices: `RangePolicy(a, b)`, `{n, m}`, `MDRangePolicy({0, 0}, {n, m})`; of
/// several dimensions one range each.
std::optional<std::vector<IndexRange>> Walker::indexRangesOf(const clang::Expr *expr) {
  expr = withoutWrappers(expr);
  RangeClass kind = rangeClassOf(expr->getType());
  if (kind == RangeClass::None) return std::nullopt;
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    auto known = st.indexObjects.find(llvm::cast<clang::ValueDecl>(ref->getDecl()->getCanonicalDecl()));
    if (known == st.indexObjects.end()) return std::nullopt;
    return known->second;
  }
  auto argumentsIn = [](const clang::Expr *from) {
    std::vector<const clang::Expr *> parts;
    if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(from))
      parts.assign(made->arg_begin(), made->arg_end());
    else if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(from))
      parts.assign(list->inits().begin(), list->inits().end());
    llvm::erase_if(parts, [](const clang::Expr *part) { return llvm::isa<clang::CXXDefaultArgExpr>(part); });
    return parts;
  };
  auto numbersIn = [&](llvm::ArrayRef<const clang::Expr *> parts) {
    std::vector<Symbolic> numbers;
    for (const clang::Expr *part : parts)
      if (classOf(part->getType()) == TypeClass::Integer) numbers.push_back(indexNumber(part));
    return numbers;
  };
  std::vector<const clang::Expr *> parts = argumentsIn(expr);
  std::vector<IndexRange> ranges;
  if (kind == RangeClass::Intervals) {
    std::vector<std::vector<Symbolic>> lists; // a tiling may follow the bounds
    for (const clang::Expr *part : parts)
      if (std::vector<Symbolic> list = numbersIn(argumentsIn(withoutWrappers(part))); !list.empty())
        lists.push_back(list);
    if (lists.size() < 2 || lists[0].size() != lists[1].size()) return std::nullopt;
    for (size_t k = 0; k < lists[0].size(); ++k) ranges.push_back({lists[0][k], lists[1][k] - 1});
    return ranges;
  }
  std::vector<Symbolic> numbers = numbersIn(parts);
  if (kind == RangeClass::Extents) {
    if (numbers.empty() || numbers.size() != parts.size()) return std::nullopt;
    for (const Symbolic &extent : numbers) ranges.push_back({Symbolic(0), extent - 1});
    return ranges;
  }
  if (kind == RangeClass::Blocks) {
    if (numbers.size() != 4 && numbers.size() != 6) return std::nullopt;
    size_t second = numbers.size() / 2;
    return std::vector<IndexRange>{{numbers[0], numbers[1] - 1}, {numbers[second], numbers[second + 1] - 1}};
  }
  if (numbers.size() < 2) return std::nullopt;
  return std::vector<IndexRange>{{numbers[0], numbers[1] - 1}};
}

/// `RangePolicy<> p(0, n);`: what it states now holds wherever it is used, if nothing can change it.
bool Walker::declareIndexRange(const clang::VarDecl *variable) {
  if (rangeClassOf(variable->getType()) == RangeClass::None || !variable->getInit() ||
      variable->getType()->isReferenceType())
    return false;
  bool isFixed = variable->getType().isConstQualified() || isOnlyRead(variable, function->getBody());
  std::optional<std::vector<IndexRange>> ranges = isFixed ? indexRangesOf(variable->getInit()) : std::nullopt;
  if (!ranges) return false;
  st.indexObjects[llvm::cast<clang::ValueDecl>(variable->getCanonicalDecl())] = *ranges;
  return true;
}

/// `r.begin()`, `i[0]`, `item.get_id(1)`, or the conversion of `id` to a number, of a parameter that stands for
/// indices.
std::optional<Value> Walker::indexValue(const clang::CallExpr *expr) {
  const clang::Expr *object = objectOf(expr);
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!object || !callee) return std::nullopt;
  unsigned dimension = 0;
  // r.rows().begin()
  if (const auto *inner = llvm::dyn_cast<clang::CXXMemberCallExpr>(object->IgnoreParenImpCasts());
      inner && calleeOf(inner) && calleeOf(inner)->getIdentifier()) {
    llvm::StringRef which = calleeOf(inner)->getName();
    if (which != "rows" && which != "cols" && which != "pages") return std::nullopt;
    dimension = which == "cols" ? 1 : 0;
    object = inner->getImplicitObjectArgument();
  }
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(object->IgnoreParenImpCasts());
  auto known = ref ? st.indexObjects.find(llvm::cast<clang::ValueDecl>(ref->getDecl()->getCanonicalDecl()))
                   : st.indexObjects.end();
  if (known == st.indexObjects.end()) return std::nullopt;
  const std::vector<IndexRange> &ranges = known->second;
  auto at = [&](unsigned k) -> std::optional<Value> {
    if (k >= ranges.size() || ranges[k].lower != ranges[k].upper) return std::nullopt;
    return Value{ranges[k].lower};
  };
  auto constant = [&](const clang::Expr *which) -> std::optional<unsigned> {
    auto value = which->getIntegerConstantExpr(context);
    return value ? std::optional<unsigned>(value->getZExtValue()) : std::nullopt;
  };
  if (llvm::isa<clang::CXXConversionDecl>(callee)) return at(0);
  if (const auto *op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expr)) {
    if (op->getOperator() != clang::OO_Subscript || expr->getNumArgs() != 2) return std::nullopt;
    auto k = constant(expr->getArg(1));
    return k ? at(*k) : std::nullopt;
  }
  llvm::StringRef name = callee->getIdentifier() ? callee->getName() : "";
  if (dimension >= ranges.size()) return std::nullopt;
  if (name == "begin") return Value{ranges[dimension].lower};
  if (name == "end") return Value{ranges[dimension].upper + 1};
  if (name == "size") return Value{ranges[dimension].upper - ranges[dimension].lower + 1};
  if (name == "get" || name == "get_id" || name == "get_global_id" || name == "get_global_linear_id" ||
      name == "get_linear_id") {
    if (expr->getNumArgs() == 0) return ranges.size() == 1 ? at(0) : std::nullopt;
    auto k = constant(expr->getArg(0));
    return k ? at(*k) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::optional<Value>> Walker::parallelFor(const clang::CallExpr *expr) {
  int at = callableArgument(expr);
  const clang::Expr *body = expr->getArg(at);
  Location location = locate(expr);
  nameHint.clear();
  // The range: the numbers before the callable, or the one object that states it. Labels are passed over. Whatever else
  // is there may change what the call does.
  std::vector<Symbolic> numbers;
  std::optional<std::vector<IndexRange>> ranges;
  for (int k = 0; k < at; ++k) {
    const clang::Expr *argument = expr->getArg(k);
    if (classOf(argument->getType()) == TypeClass::Integer) {
      numbers.push_back(indexNumber(argument));
      continue;
    }
    if (isText(argument->getType())) continue;
    std::optional<std::vector<IndexRange>> stated = ranges ? std::nullopt : indexRangesOf(argument);
    if (!stated) return std::nullopt;
    ranges = stated;
  }
  if (ranges.has_value() == !numbers.empty() || numbers.size() > 2) return std::nullopt;
  if (numbers.size() == 1) ranges = {{Symbolic(0), numbers[0] - 1}};
  if (numbers.size() == 2) ranges = {{numbers[0], numbers[1] - 1}};
  // Kokkos alone has the result behind the callable; the others combine with callables of their own.
  bool isReduction = calleeOf(expr)->getName() == "parallel_reduce";
  int given = int(expr->getNumArgs()) - at - 1;
  if (isReduction) {
    bool isPlain =
        given == 1 && expr->getArg(at + 1)->isLValue() && classOf(expr->getArg(at + 1)->getType()) == TypeClass::Data;
    if (!isPlain || isOfLibrary(calleeOf(expr), {"tbb", "oneapi", "sycl", "RAJA"})) return std::nullopt;
  } else if (given > 0 && !isOfLibrary(calleeOf(expr), {"tbb", "oneapi"}))
    return std::nullopt; // TBB's partitioner and context say how, not what
  const clang::CXXRecordDecl *record = callableClassOf(body->getType());
  std::vector<const clang::CXXMethodDecl *> methods = callOperatorsOf(record);
  if (methods.size() != 1) return std::nullopt;
  const clang::CXXMethodDecl *method = methods.front();
  const clang::ParmVarDecl *first = method->getNumParams() ? method->getParamDecl(0) : nullptr;
  bool takesIndices = first && classOf(first->getType()) == TypeClass::Integer;
  bool takesObject = first && classOf(first->getType().getNonReferenceType()) == TypeClass::Record;
  // A range object is walked by the callable's own loops; an id is one index of ours.
  bool isRange = takesObject && rangeClassOf(first->getType()) != RangeClass::None;
  if (isRange && !onlyLoopsOver(first, method->getBody())) return std::nullopt;
  size_t formals = method->getNumParams() - (isReduction ? 1 : 0);
  if ((!takesIndices && !takesObject) || (takesIndices ? ranges->size() : 1) != formals) return std::nullopt;
  std::optional<Callable> callable = callableOf(body, method->getNumParams());
  if (!callable) return std::nullopt;
  skeleton::Directive claim;
  claim.text = textOf(expr->getCallee());
  if (claim.text.size() > 60) claim.text = calleeOf(expr)->getNameAsString();
  claim.isParallel = true;
  skeleton::Rare<skeleton::Directive> directive;
  directive = claim;
  // What a reduction adds to.
  std::optional<Place> result;
  if (isReduction) {
    result = lvalue(expr->getArg(at + 1));
    write(*result, location);
  }
  auto run = [&](llvm::ArrayRef<Symbolic> indices) {
    std::vector<Actual> actuals(method->getNumParams());
    for (size_t k = 0; k < actuals.size(); ++k)
      if (takesIndices && k < indices.size())
        actuals[k].value = convert(Value{indices[k]}, context.LongTy, method->getParamDecl(k)->getType(), nullptr);
      else if (result) actuals[k].place = *result;
    if (takesObject) {
      std::vector<IndexRange> object;
      for (const Symbolic &index : indices) object.push_back({index, index});
      if (indices.empty()) object = *ranges;
      st.indexObjects[llvm::cast<clang::ValueDecl>(first->getCanonicalDecl())] = object;
    }
    walkInPlace(method, actuals, callable->self, location);
  };
  if (isRange) run({});
  else loopOver(expr, *ranges, method->getBody(), directive, run);
  return std::optional<Value>();
}

} // namespace busfare::frontend
