//===- clang-plugin/port/CText.cpp - Formulas as C -----------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/CText.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace busfare::frontend::port {
using namespace skeleton;

namespace {

constexpr llvm::StringLiteral asLong = "(long)";

/// A name or number, maybe as a long.
bool isPlain(llvm::StringRef text) {
  text.consume_front(asLong);
  return !text.empty() && llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

std::string toC(const Atom &atom, const SymbolTexts &texts) {
  if (atom.kind == Atom::Kind::Symbol) return texts.at(atom.name);
  std::string first = toOperand(atom.args.front(), texts);
  std::string divisor = std::to_string(atom.divisor);
  // C rounds towards zero.
  if (atom.kind == Atom::Kind::FloorDiv)
    return "(" + first + " / " + divisor + " - (" + first + " % " + divisor + " < 0))";
  if (atom.kind == Atom::Kind::Mod) return "((" + first + " % " + divisor + " + " + divisor + ") % " + divisor + ")";
  const char *order = atom.kind == Atom::Kind::Min ? " < " : " > ";
  for (size_t k = 1; k < atom.args.size(); ++k) {
    std::string other = toOperand(atom.args[k], texts);
    first = "(" + first + order + other + " ? " + first + " : " + other + ")";
  }
  return first;
}

std::string toC(const Term &term, const SymbolTexts &texts, bool isFirst) {
  bool isNegative = term.coefficient < 0;
  uint64_t magnitude = isNegative ? 0 - uint64_t(term.coefficient) : uint64_t(term.coefficient);
  std::string text = isFirst ? (isNegative ? "-" : "") : (isNegative ? " - " : " + ");
  bool hasNumber = magnitude != 1 || term.factors.empty();
  if (hasNumber) text += std::to_string(magnitude) + (magnitude > 0x7fffffff ? "l" : "");
  bool isProduct = term.factors.size() + hasNumber > 1;
  for (size_t k = 0; k < term.factors.size(); ++k) {
    if (k || hasNumber) text += " * ";
    const Atom &atom = term.factors[k];
    size_t same = 0;
    while (same < k && term.factors[k - same - 1] == atom) ++same;
    auto others = texts.further.find(atom.name);
    const bool isOther = same > 0 && atom.kind == Atom::Kind::Symbol && others != texts.further.end();
    std::string factor = isOther ? others->second[std::min(same, others->second.size()) - 1] : toC(atom, texts);
    if (isProduct && k == 0 && !llvm::StringRef(factor).starts_with(asLong)) text += asLong;
    text += factor;
  }
  return text;
}

} // namespace

std::string toC(const Expr &expr, const SymbolTexts &texts) {
  assert(!expr.isPoisoned() && "a poisoned Expr has no value");
  llvm::ArrayRef<Term> sum = expr.sum();
  if (sum.empty()) return "0";
  const Term *first = llvm::find_if(sum, [](const Term &term) { return term.coefficient > 0; });
  if (first == sum.end()) first = sum.begin();
  std::string text = toC(*first, texts, true);
  // By itself it is what it is.
  if (sum.size() == 1 && first->coefficient == 1 && first->factors.size() == 1 && isPlain(text))
    return llvm::StringRef(text).starts_with(asLong) ? text.substr(asLong.size()) : text;
  for (const Term &term : sum)
    if (&term != first) text += toC(term, texts, false);
  return text;
}

std::string toOperand(const Expr &expr, const SymbolTexts &texts) {
  std::string text = toC(expr, texts);
  if (std::optional<std::string> symbol = expr.asSymbol(); symbol && isPlain(texts.at(*symbol)))
    return texts.at(*symbol);
  bool isEnclosed = text.front() == '(' && expr.sum().size() == 1 && expr.sum()[0].factors.size() == 1 &&
                    expr.sum()[0].coefficient == 1;
  return isPlain(text) || isEnclosed ? text : "(" + text + ")";
}

std::string identifier(llvm::StringRef name) {
  std::string result;
  for (char c : name)
    if (llvm::isAlnum(c) || c == '_') result += c;
    else if (!result.empty() && result.back() != '_') result += '_';
  while (!result.empty() && result.back() == '_') result.pop_back();
  return result;
}

std::string portName(llvm::StringRef what) {
  const std::string name = identifier(what);
  const llvm::StringRef word = llvm::StringRef(name).rtrim("0123456789");
  const bool isNumbered =
      word.size() < name.size() && llvm::StringSwitch<bool>(word).Cases("i", "n", "from", "was", true).Default(false);
  const bool isOurs =
      llvm::StringSwitch<bool>(word)
          .Cases("begin", "block", "bound", "bystander", "copy", "count", "counts", "end", "ends", true)
          .Cases("chunk", "chunks", "done", "in", "trips", true)
          .Cases("guard", "guarded", "pays", true)
          .Cases("first", "id", "is", "kept", "last", "left", "object", "order", "pages", true)
          .Cases("poison", "rounding", "runs", "size", "start", "state", "taken", "value", "verify", true)
          .Default(false);
  return "busfare_" + name + (isOurs || isNumbered ? "_" : "");
}

std::string typeText(clang::QualType type, const clang::ASTContext &context, llvm::StringRef madeOf) {
  const bool isWord = !type.isNull() && !type.isVolatileQualified() &&
                      llvm::isa<clang::BuiltinType>(type.getTypePtr()) && type->isArithmeticType();
  if (isWord) return type.getAsString(context.getPrintingPolicy());
  return "__typeof__(" + madeOf.str() + ")";
}

} // namespace busfare::frontend::port
