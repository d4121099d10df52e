//===- clang-plugin/walk/SteadyIntegers.cpp - Integers taken as fixed ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The value of a caller's integer is followed by the name of its variable. A store of an
// integer through a pointer might change it all the same:
//
//   int k;  void f(int *a) { for (i = 0; i < n; i++) a[i] = k; }       steady(k): a is taken not to point to k
//   void g(int *a, int *m) { for (i = 0; i < *m; i++) a[i] = 0; }      steady(m[0])
//   void h(double *x)      { for (i = 0; i < n; i++) x[i] = k; }       nothing: no double is an int
//   void l(int *a)         { const int n = k; for (i = 0; i < n; i++) a[i] = 0; }    nothing: read before
//
// What is said here becomes an assumption of the loop, or, where a call breaks it, the
// end of what is known about the callee (skeleton/InlineSteady.cpp).
//
//===----------------------------------------------------------------------===//
#include "StandIns.h"
#include "Walk.h"

namespace busfare::frontend {

/// The loops around use the value that the variable of a caller has before them.
void Walker::hold(const std::string &variable) {
  if (!st.fieldOrigins.count(variable)) return;
  if (st.mayHaveWrittenBehind) st.held.insert(variable);
  for (Frame &frame : st.frames)
    if (!frame.isSwitch && !frame.changed.count(variable)) frame.held.insert(variable);
}

/// May other names than its own stand for it?
bool Walker::isReachable(const Object &object) const {
  if (object.array.storage == Storage::Local || object.array.storage == Storage::Heap || object.array.isConst)
    return false;
  auto global = object.isGlobal ? unit.globalNames.find(object.array.name) : unit.globalNames.end();
  return global == unit.globalNames.end() || !unit.privateGlobals.direct.count(global->second);
}

/// May a write of the array's elements, by whoever is given it if so, be one of the integer?
bool Walker::mayBeWrittenBehind(const std::string &array, const Object &held, bool isGiven) const {
  using Kind = skeleton::ElementType::Kind;
  auto found = st.objects.find(array);
  if (array == held.array.name || found == st.objects.end() || !isReachable(found->second)) return false;
  auto isInteger = [](const skeleton::ElementType &type) {
    return type.kind == Kind::Signed || type.kind == Kind::Unsigned || type.kind == Kind::Bool;
  };
  auto isBehind = [](const Object &object) {
    const Array &array = object.array;
    return array.storage == Storage::Alias || array.storage == Storage::Given ||
           (array.storage == Storage::Parameter && !array.isScalar()) || object.isLoaded;
  };
  const skeleton::ElementType &type = found->second.array.type;
  bool isLike = !unit.typesTell || type.bytes == 1 || held.array.type.bytes == 1 ||
                (isInteger(type) && type.bytes == held.array.type.bytes);
  return isLike && (isGiven || isBehind(found->second) || isBehind(held));
}

/// May the block write the integer through a name that is not its own?
bool Walker::mayWriteBehind(const Block &block, const Object &held) const {
  return llvm::any_of(block, [&](const Node &node) {
    if (const auto *loop = std::get_if<skeleton::Loop>(&node.kind)) return mayWriteBehind(loop->body, held);
    if (const auto *branch = std::get_if<skeleton::Branch>(&node.kind))
      return mayWriteBehind(branch->then, held) || mayWriteBehind(branch->otherwise, held);
    if (const auto *host = std::get_if<skeleton::HostStatement>(&node.kind)) return mayWriteBehind(host->body, held);
    if (const auto *call = std::get_if<skeleton::Call>(&node.kind)) {
      auto isWritten = [&](const auto &argument) {
        const auto *given = std::get_if<skeleton::ArrayArgument>(&argument);
        return given && (given->array.empty() || mayBeWrittenBehind(given->array, held, true));
      };
      auto isGivenAway = [&](const skeleton::Exposure &one) {
        auto found = st.objects.find(one.array);
        return !one.isConst && found != st.objects.end() && isReachable(found->second);
      };
      return llvm::any_of(call->arguments, isWritten) || llvm::any_of(call->exposed, isGivenAway);
    }
    const auto *access = std::get_if<Access>(&node.kind);
    if (std::optional<size_t> given = access ? placeOfGiven(access->array) : std::nullopt)
      return llvm::any_of(st.objects, [&](const auto &known) {
        return isPartOfAny(known.first, givenAway[*given].written) && mayBeWrittenBehind(known.first, held, false);
      });
    return access && access->kind != skeleton::AccessKind::Read && mayBeWrittenBehind(access->array, held, false);
  });
}

/// Has an integer of a caller been written by another name, for all that is known of the function by now? Calls and
/// what unseen code does may be such writes.
void Walker::noteWrittenBehind(const Node &node) {
  auto isWrite = [&](const Access &access) {
    if (access.kind == skeleton::AccessKind::Read) return false;
    auto found = st.objects.find(access.array);
    if (found == st.objects.end()) return true;
    const skeleton::ElementType::Kind kind = found->second.array.type.kind;
    const bool isFloating = unit.typesTell && kind == skeleton::ElementType::Kind::Float;
    return !isFloating && isReachable(found->second);
  };
  if (const auto *access = std::get_if<Access>(&node.kind)) st.mayHaveWrittenBehind = isWrite(*access);
  else if (std::get_if<skeleton::Call>(&node.kind)) st.mayHaveWrittenBehind = true;
  else if (const auto *host = std::get_if<skeleton::HostStatement>(&node.kind))
    for (const Node &inside : host->body) {
      const auto *one = std::get_if<Access>(&inside.kind);
      st.mayHaveWrittenBehind |= !one || isWrite(*one);
    }
}

/// Anything but variables that nobody else can set, literals, and what is computed of them.
bool Walker::readsMemory(const clang::Stmt *stmt) const {
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    return (!variable && !llvm::isa<clang::EnumConstantDecl>(named->getDecl())) ||
           (variable && (variable->getType()->isReferenceType() || unit.addressed.isAddressed(variable)));
  }
  const bool isPlain =
      llvm::isa<clang::IntegerLiteral, clang::CharacterLiteral, clang::ParenExpr, clang::ImplicitCastExpr,
                clang::CStyleCastExpr, clang::BinaryOperator, clang::UnaryExprOrTypeTraitExpr>(stmt);
  const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(stmt);
  if (!isPlain && !(unary && unary->getOpcode() != clang::UO_Deref && unary->getOpcode() != clang::UO_AddrOf))
    return true;
  return llvm::any_of(stmt->children(), [&](const clang::Stmt *part) { return part && readsMemory(part); });
}

/// Says of the loop which integers it takes to be fixed although it may write them.
void Walker::takeSteady(skeleton::Loop &loop, const clang::Expr *condition, std::set<std::string> held,
                        std::vector<skeleton::SteadyElement> bounds) {
  const bool isAskedAgain = !condition || readsMemory(condition);
  for (const Symbolic *bound : {&loop.lower, &loop.upper})
    for (const std::string &symbol : isAskedAgain ? bound->symbols() : std::set<std::string>())
      if (auto base = st.taken.find(symbol); base != st.taken.end() && st.fieldOrigins.count(base->second))
        held.insert(base->second);
  for (const std::string &variable : held) bounds.push_back({variable, {}});
  std::vector<skeleton::SteadyElement> steady;
  for (skeleton::SteadyElement &one : bounds) {
    auto found = st.objects.find(one.array);
    if (found == st.objects.end() || !isReachable(found->second) || !mayWriteBehind(loop.body, found->second)) continue;
    found->second.isUsed = true;
    one.subscripts.resize(found->second.array.extents.size());
    if (!llvm::is_contained(steady, one)) steady.push_back(std::move(one));
  }
  if (!steady.empty()) loop.steady = std::move(steady);
}

/// The loops around run this function's body, or so it is taken.
void Walker::believe(const clang::FunctionDecl *callee, const Summary *known) {
  std::set<std::string> names;
  if (known) names = known->believed;
  if (isInterposable(callee) && !unit.hasMain) names.insert(callee->getQualifiedNameAsString());
  if (names.empty()) return;
  summary.believed.insert(names.begin(), names.end());
  for (Frame &frame : st.frames) frame.believed.insert(names.begin(), names.end());
}

/// The same of the whole function.
void Walker::noteSteady() {
  skeleton::Function &made = summary.function;
  for (const std::string &variable : st.held) {
    auto found = st.objects.find(variable);
    if (found == st.objects.end() || !isReachable(found->second) || !mayWriteBehind(made.body, found->second)) continue;
    found->second.isUsed = true;
    made.steady.push_back({variable, std::vector<std::optional<Symbolic>>(found->second.array.extents.size())});
  }
}

} // namespace busfare::frontend
