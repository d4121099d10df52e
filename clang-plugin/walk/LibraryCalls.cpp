//===- clang-plugin/walk/LibraryCalls.cpp - Calls of BLAS ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A BLAS call touches its operands and nothing else: a matrix from its first element to
// its last, whatever lies between its rows; of an array with two dimensions the rows and
// columns, if they are the matrix's own.
//
//   cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, k, b, n, 0, c, n)
//     host library "cblas_dgemm" blas dgemm(m = m, n = n, k = k) on (A = a, B = b, C = c) overwrites {
//       may read a[? in 0 .. k*m - 1]   may read b[? in 0 .. k*n - 1]   may write c[? in 0 .. m*n - 1] }
//
// Writes are never certain: that a triangle or a padded row stays as it is cannot be told
// from a box. The flags' meaning is taken from constants; where one is no constant, the
// whole array is taken.
//
//===----------------------------------------------------------------------===//
#include "Walk.h"
#include "clang-plugin/library/BlasTable.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend {

/// The letter a flag begins with: of `"N"`, 'N', CblasTrans (112), CblasRowMajor (101) N, T, R; 0 if it is not known.
static char flagOf(const clang::Expr *expr, const clang::ASTContext &context) {
  const clang::Expr *plain = expr->IgnoreParenCasts();
  if (const auto *text = llvm::dyn_cast<clang::StringLiteral>(plain))
    return text->getLength() > 0 ? llvm::toUpper(char(text->getCodeUnit(0))) : '\0';
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(plain);
      address && address->getOpcode() == clang::UO_AddrOf)
    plain = address->getSubExpr()->IgnoreParenCasts();
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(plain))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl())) {
      const clang::Expr *init = variable->getAnyInitializer();
      bool isFixed = init && (variable->getType().isConstQualified() ||
                              (variable->getType()->isPointerType() &&
                               variable->getType()->getPointeeType().isConstQualified() && variable->isLocalVarDecl()));
      return isFixed ? flagOf(init, context) : '\0';
    }
  clang::Expr::EvalResult value;
  if (plain->isValueDependent() || !plain->getType()->isIntegralOrEnumerationType() ||
      !plain->EvaluateAsInt(value, context))
    return '\0';
  switch (value.Val.getInt().getExtValue()) {
  case 101: return 'R';
  case 102: return 'C';
  case 111: return 'N';
  case 112: return 'T';
  case 113: return 'C';
  case 141: return 'L'; // CblasLeft
  case 142: return 'R';
  default: {
    int64_t number = value.Val.getInt().getExtValue();
    return number > 0 && number < 128 ? llvm::toUpper(char(number)) : '\0';
  }
  }
}

/// The integer that an address leads to; nothing if it is not followed.
std::optional<Symbolic> Walker::integerBehind(const clang::Expr *expr) {
  if (!isPointerLike(expr->getType())) {
    Symbolic value = integer(expr).expr;
    return value.isPoisoned() ? std::nullopt : std::optional(value);
  }
  const clang::Expr *plain = expr->IgnoreParenCasts();
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(plain);
      address && address->getOpcode() == clang::UO_AddrOf &&
      classOf(address->getSubExpr()->getType()) == TypeClass::Integer) {
    std::optional<Value> value = load(address->getSubExpr(), false);
    return !value || value->expr.isPoisoned() ? std::nullopt : std::optional(value->expr);
  }
  Pointer at = pointer(expr);
  if (at.object.empty() || !st.isDeclared(at.object)) return std::nullopt;
  Place place = dereference(at, pointeeOf(expr->getType()), expr);
  read(place, locate(expr));
  if (place.variable.empty() || classOf(place.type) != TypeClass::Integer) return std::nullopt;
  Symbolic value = readInteger(place.variable, place.type, locate(expr)).expr;
  return value.isPoisoned() ? std::nullopt : std::optional(value);
}

/// A factor that is 0 as written: what it would scale is not read.
bool Walker::isZeroScalar(const clang::Expr *expr) const {
  const clang::Expr *plain = expr->IgnoreParenCasts();
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(plain);
      address && address->getOpcode() == clang::UO_AddrOf)
    plain = address->getSubExpr()->IgnoreParenCasts();
  if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(plain))
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl())) {
      const clang::Expr *init = variable->getAnyInitializer();
      bool isFixed = init && (variable->getType().isConstQualified() ||
                              (plain == expr->IgnoreParenImpCasts() && variable->isLocalVarDecl() &&
                               function->getBody() && isOnlyRead(variable, function->getBody())));
      return isFixed && isZeroScalar(init);
    }
  clang::Expr::EvalResult value;
  if (plain->isValueDependent() || !plain->EvaluateAsRValue(value, context)) return false;
  return value.Val.isFloat() ? value.Val.getFloat().isZero() : value.Val.isInt() && value.Val.getInt().isZero();
}

/// The elements of an operand: `rows` pieces of `columns` elements, `stride` elements apart. Nothing: not known.
std::optional<ElementBox> Walker::blasBox(const Pointer &at, const std::optional<Symbolic> &rows,
                                          const std::optional<Symbolic> &columns, const std::optional<Symbolic> &stride,
                                          uint64_t elementBytes) {
  if (!rows || !columns || !stride || !st.isDeclared(at.object) || at.inside) return std::nullopt;
  const Object &target = object(at.object);
  size_t rank = target.array.extents.size();
  bool isKnown = target.array.storage != Storage::Alias && !target.element.isNull() &&
                 target.array.type.bytes == elementBytes && target.prefix.empty() &&
                 llvm::all_of(at.index, [](const auto &index) { return index.has_value(); });
  if (!isKnown || rank == 0 || at.index.size() != rank) return std::nullopt;
  Symbolic last = (*rows - 1) * *stride + *columns - 1;
  if (last.isPoisoned()) return std::nullopt;
  if (rank == 1) return ElementBox{{*at.index[0]}, {*at.index[0] + last}};
  bool isOwnShape = rank == 2 && target.array.extents[1] && *target.array.extents[1] == *stride;
  if (isOwnShape && st.ranges.isNonNegative(*stride - *at.index[1] - *columns))
    return ElementBox{{*at.index[0], *at.index[1]}, {*at.index[0] + *rows - 1, *at.index[1] + *columns - 1}};
  return boxBehind(at, (last + 1) * Symbolic(int64_t(elementBytes)));
}

void Walker::touchBlasOperand(AccessKind kind, const Pointer &at, const std::optional<ElementBox> &box,
                              Location location) {
  if (at.object.empty() || !st.isDeclared(at.object)) return;
  touchElement(kind, at, std::nullopt, location);
  if (box) setSubscripts(at.object, knownRange(*box));
}

std::optional<std::optional<Value>> Walker::blasCall(const clang::CallExpr *expr) {
  const clang::FunctionDecl *callee = calleeOf(expr);
  std::optional<BlasForm> form = blasFormOf(callee);
  if (!form || expr->getNumArgs() != callee->getNumParams() || unit.foreignSummaryOf(callee)) return std::nullopt;
  Location location = locate(expr);
  llvm::StringRef roles = form->routine->roles;
  std::map<char, std::optional<Symbolic>> sizes, strides; // strides by operand
  std::map<char, char> flags;
  std::map<char, Pointer> operands;
  bool overwrites = false;
  std::string hint;
  std::swap(hint, nameHint);
  skeleton::LibraryCall call;
  call.routine = form->name;
  Block scalars = accessesOf([&] {
    char last = 0;
    for (unsigned k = 0; k < roles.size(); ++k) {
      const clang::Expr *argument = expr->getArg(k + form->first);
      switch (roles[k]) {
      case 't':
      case 'u': flags[roles[k]] = flagOf(argument, context); break;
      case 'f': break;
      case 'm':
      case 'n':
      case 'k':
        sizes[roles[k]] = integerBehind(argument);
        call.dimensions.emplace_back(std::string(1, roles[k]), sizes[roles[k]]);
        break;
      case 'l':
      case 'i': strides[last] = integerBehind(argument); break;
      case 'a':
      case 'b':
        if (roles[k] == 'b') overwrites = isZeroScalar(argument);
        if (isPointerLike(argument->getType()))
          touchBlock(AccessKind::Read, pointer(argument), std::nullopt, true, location);
        else rvalue(argument, true);
        break;
      default:
        last = roles[k] == 'X' || roles[k] == 'Y' ? llvm::toLower(roles[k]) : roles[k];
        operands[last] = pointer(argument);
        if (operands[last].object.empty()) operands[last] = unknownPointer(textOf(argument), context.CharTy, location);
        if (st.isDeclared(operands[last].object)) normalize(operands[last]);
      }
    }
  });
  bool isByRows = !form->isFortran && form->first && flagOf(expr->getArg(0), context) == 'R';
  bool isByColumns = form->isFortran || (form->first && flagOf(expr->getArg(0), context) == 'C');
  auto boxOf = [&](const BlasOperandForm &operand) -> std::optional<ElementBox> {
    char flag = operand.transposedBy ? flags[operand.transposedBy] : 'N';
    if (!flag || operand.rows == '?') return std::nullopt;
    bool isTransposed = flag != 'N';
    auto sizeOf = [&](char letter) { return sizes.count(letter) ? sizes[letter] : std::nullopt; };
    const Pointer &at = operands[operand.name];
    if (!operand.columns) {
      char length = !isTransposed ? operand.rows : operand.rows == 'm' ? 'n' : 'm';
      std::optional<Symbolic> step = strides[operand.name];
      if (step && step->constant() && *step->constant() < 0) step = -*step;
      if (!step || !step->constant()) return std::nullopt;
      return blasBox(at, sizeOf(length), Symbolic(1), step, form->elementBytes);
    }
    std::optional<Symbolic> rows = sizeOf(isTransposed ? operand.columns : operand.rows),
                            columns = sizeOf(isTransposed ? operand.rows : operand.columns);
    if (!isByRows && !isByColumns) return std::nullopt;
    return isByRows ? blasBox(at, rows, columns, strides[operand.name], form->elementBytes)
                    : blasBox(at, columns, rows, strides[operand.name], form->elementBytes);
  };
  skeleton::HostStatement made;
  made.reason = HostReason::Library;
  made.what = callee->getNameAsString();
  made.location = location;
  bool isAnywhere = false;
  made.body = accessesOf([&] {
    for (const BlasOperandForm &operand : form->routine->operands) {
      const Pointer &at = operands[operand.name];
      std::optional<ElementBox> box = boxOf(operand);
      bool isResult = operand.use == BlasOperandForm::Update;
      if (operand.use != BlasOperandForm::Write && !(isResult && overwrites && roles.contains('b')))
        touchBlasOperand(AccessKind::Read, at, box, location);
      if (operand.use != BlasOperandForm::Read) touchBlasOperand(AccessKind::Write, at, box, location);
      isAnywhere |= operand.use != BlasOperandForm::Read && isAnything(Place{at});
      bool isNamed = st.isDeclared(at.object) && object(at.object).array.storage != Storage::Alias;
      if (isNamed) call.operands.emplace_back(std::string(1, operand.name), at.object);
    }
  });
  Block &accesses = made.body.edit();
  accesses.insert(accesses.begin(), scalars.begin(), scalars.end());
  call.overwrites = overwrites;
  made.library = std::move(call);
  find(Rule::LibraryCall, location,
       made.what +
           " is a call of BLAS; it stays on the host here, and so do the loops around it. A library on the device "
           "could run it");
  hostStatement(std::move(made));
  if (isAnywhere) clobberAddressTaken(location);
  std::swap(hint, nameHint);
  return std::optional<Value>();
}

} // namespace busfare::frontend
