//===- clang-plugin/ParallelFor.cpp - parallel_for and its like, by shape ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kokkos, RAJA, TBB and SYCL each have a function that runs a callable over a range of
// indices. They are recognised by shape, not by header: the name, something that states a
// range, and a callable that takes indices.
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

/// The argument that is called: the last one of a class with a call operator.
static int callableArgument(const clang::CallExpr *expr) {
  for (int k = int(expr->getNumArgs()) - 1; k >= 0; --k)
    if (callableClassOf(expr->getArg(k)->getType())) return k;
  return -1;
}

bool isParallelFor(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!callee || !callee->getIdentifier() || callee->isInStdNamespace()) return false;
  bool isNamed = llvm::StringSwitch<bool>(callee->getName())
                     .Cases("parallel_for", "parallel_reduce", "forall", "for_each_index", "parallelFor", true)
                     .Default(false);
  if (!isNamed || callableArgument(expr) < 1) return false;
  // One that is seen is followed instead: it says itself what it does.
  return !mustWalkInPlace(callee);
}

/// A bound, as a variable's name or as a value.
Symbolic Walker::indexNumber(const clang::Expr *expr) {
  if (!expr->isGLValue()) return integer(expr).expr;
  std::optional<Value> value = load(expr, false);
  return value ? value->expr : Symbolic::poisoned();
}

/// What the expression says of a range of indices: `n`, `Range(a, b)`, `{n, m}`, `MDRange({0, 0}, {n, m})`; of several
/// dimensions one range each.
std::optional<std::vector<IndexRange>> Walker::indexRangesOf(const clang::Expr *expr) {
  expr = withoutWrappers(expr);
  if (classOf(expr->getType()) == TypeClass::Integer) return std::vector<IndexRange>{{Symbolic(0), indexNumber(expr) - 1}};
  if (const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    if (auto known = st.indexObjects.find(llvm::cast<clang::ValueDecl>(ref->getDecl()->getCanonicalDecl())); known != st.indexObjects.end()) return known->second;
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(ref->getDecl());
    return variable && variable->getInit() && !variable->hasGlobalStorage() ? indexRangesOf(variable->getInit()) : std::nullopt;
  }
  std::vector<const clang::Expr *> parts;
  if (const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expr)) parts.assign(made->arg_begin(), made->arg_end());
  else if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expr)) parts.assign(list->inits().begin(), list->inits().end());
  else return std::nullopt;
  llvm::erase_if(parts, [](const clang::Expr *part) { return llvm::isa<clang::CXXDefaultArgExpr>(part); });
  std::string name = expr->getType()->getAsCXXRecordDecl() && expr->getType()->getAsCXXRecordDecl()->getIdentifier()
                         ? expr->getType()->getAsCXXRecordDecl()->getName().lower() : "";
  std::vector<Symbolic> numbers;
  std::vector<std::vector<Symbolic>> lists;
  for (const clang::Expr *part : parts) {
    const clang::Expr *plain = withoutWrappers(part);
    if (classOf(plain->getType()) == TypeClass::Integer) {
      numbers.push_back(indexNumber(plain));
      continue;
    }
    const auto *list = llvm::dyn_cast<clang::InitListExpr>(plain);
    const auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(plain);
    std::vector<Symbolic> values;
    auto take = [&](const clang::Expr *one) {
      if (classOf(withoutWrappers(one)->getType()) == TypeClass::Integer) values.push_back(indexNumber(withoutWrappers(one)));
    };
    if (list) for (const clang::Expr *one : list->inits()) take(one);
    else if (made) for (const clang::Expr *one : made->arguments()) take(one);
    if (!values.empty()) lists.push_back(values);
  }
  std::vector<IndexRange> ranges;
  bool isExtent = name == "range" || name == "nd_range" || name.empty(); // sycl::range<2>(n, m): how many in each dimension
  if (lists.size() >= 2 && lists[0].size() == lists[1].size() && !isExtent) {
    for (size_t k = 0; k < lists[0].size(); ++k) ranges.push_back({lists[0][k], lists[1][k] - 1});
    return ranges;
  }
  if (lists.empty() && !numbers.empty() && isExtent && !llvm::StringRef(name).contains("segment")) {
    for (const Symbolic &extent : numbers) ranges.push_back({Symbolic(0), extent - 1});
    return ranges;
  }
  if (name == "blocked_range2d" && numbers.size() == 4) return std::vector<IndexRange>{{numbers[0], numbers[1] - 1}, {numbers[2], numbers[3] - 1}};
  if (name == "blocked_range2d" && numbers.size() == 6) return std::vector<IndexRange>{{numbers[0], numbers[1] - 1}, {numbers[3], numbers[4] - 1}};
  if (lists.empty() && numbers.size() == 1) return std::vector<IndexRange>{{Symbolic(0), numbers[0] - 1}};
  if (lists.empty() && numbers.size() >= 2) return std::vector<IndexRange>{{numbers[0], numbers[1] - 1}}; // a grain may follow
  return std::nullopt;
}

/// `r.begin()`, `i[0]`, `item.get_id(1)`, or the conversion of `id` to a number, of a parameter that stands for indices.
std::optional<Value> Walker::indexValue(const clang::CallExpr *expr) {
  const clang::Expr *object = objectOf(expr);
  const clang::FunctionDecl *callee = calleeOf(expr);
  if (!object || !callee) return std::nullopt;
  unsigned dimension = 0;
  // r.rows().begin()
  if (const auto *inner = llvm::dyn_cast<clang::CXXMemberCallExpr>(object->IgnoreParenImpCasts()); inner && calleeOf(inner) && calleeOf(inner)->getIdentifier()) {
    llvm::StringRef which = calleeOf(inner)->getName();
    if (which != "rows" && which != "cols" && which != "pages") return std::nullopt;
    dimension = which == "cols" ? 1 : 0;
    object = inner->getImplicitObjectArgument();
  }
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(object->IgnoreParenImpCasts());
  auto known = ref ? st.indexObjects.find(llvm::cast<clang::ValueDecl>(ref->getDecl()->getCanonicalDecl())) : st.indexObjects.end();
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
  if (name == "get" || name == "get_id" || name == "get_global_id" || name == "get_global_linear_id" || name == "get_linear_id") {
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
  // The range: the numbers before the callable, or the one object that states it. Labels are passed over.
  std::vector<Symbolic> numbers;
  std::optional<std::vector<IndexRange>> ranges;
  for (int k = 0; k < at; ++k) {
    const clang::Expr *argument = withoutWrappers(expr->getArg(k));
    if (classOf(argument->getType()) == TypeClass::Integer) {
      numbers.push_back(indexNumber(argument));
      continue;
    }
    if (argument->getType()->isPointerType() || argument->getType()->isArrayType()) continue;
    if (auto stated = indexRangesOf(argument)) ranges = stated;
  }
  std::optional<int64_t> stride = 1;
  if (!ranges && numbers.size() == 1) ranges = {{Symbolic(0), numbers[0] - 1}};
  if (!ranges && numbers.size() >= 2) {
    ranges = {{numbers[0], numbers[1] - 1}};
    if (numbers.size() == 3) stride = numbers[2].constant();
  }
  bool isReduction = calleeOf(expr)->getName() == "parallel_reduce" && at + 1 < int(expr->getNumArgs());
  const clang::CXXRecordDecl *record = callableClassOf(body->getType());
  std::vector<const clang::CXXMethodDecl *> methods = callOperatorsOf(record);
  if (!ranges || stride != 1 || methods.size() != 1) return std::nullopt;
  const clang::CXXMethodDecl *method = methods.front();
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
  if (isReduction && classOf(expr->getArg(at + 1)->getType()) == TypeClass::Data && expr->getArg(at + 1)->isLValue()) {
    result = lvalue(expr->getArg(at + 1));
    write(*result, location);
  }
  const clang::ParmVarDecl *first = method->getNumParams() ? method->getParamDecl(0) : nullptr;
  bool takesIndices = first && classOf(first->getType()) == TypeClass::Integer;
  bool takesObject = first && classOf(first->getType().getNonReferenceType()) == TypeClass::Record;
  auto run = [&](llvm::ArrayRef<Symbolic> indices) {
    std::vector<Actual> actuals(method->getNumParams());
    for (size_t k = 0; k < actuals.size(); ++k)
      if (takesIndices && k < indices.size()) actuals[k].value = Value{indices[k]};
      else if (result) actuals[k].place = *result;
    if (takesObject) {
      std::vector<IndexRange> object;
      for (const Symbolic &index : indices) object.push_back({index, index});
      if (indices.empty()) object = *ranges;
      st.indexObjects[llvm::cast<clang::ValueDecl>(first->getCanonicalDecl())] = object;
    }
    walkInPlace(method, actuals, callable->self, location);
  };
  size_t taken = takesIndices ? std::min<size_t>(ranges->size(), method->getNumParams() - (result ? 1 : 0)) : ranges->size();
  if (takesIndices && taken != ranges->size()) return std::nullopt;
  // A range object is walked by the callable's own loops; an id is one index of ours.
  bool isRange = takesObject && first->getType().getNonReferenceType()->getAsCXXRecordDecl()->getIdentifier() &&
                 first->getType().getNonReferenceType()->getAsCXXRecordDecl()->getName().contains("range");
  if (isRange) run({});
  else loopOver(expr, *ranges, method->getBody(), directive, run);
  return std::optional<Value>();
}

} // namespace busfare::frontend
