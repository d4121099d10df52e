//===- clang-plugin/port/SizeChecks.cpp - At which sizes a port holds ----===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "clang-plugin/port/SizeChecks.h"
#include "brs/RowAssumptions.h"
#include "clang-plugin/lower/Settings.h"
#include "clang-plugin/port/CText.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace busfare::frontend::port {
using namespace skeleton;

SizeChecks checksFor(llvm::ArrayRef<ProgramUnit> units, const std::set<std::string> &functions) {
  SizeChecks checks;
  for (const ProgramUnit &unit : units) {
    std::map<std::string, int64_t> &numbers = checks.numbers.emplace_back();
    if (!unit.settings) continue;
    for (const auto &[name, points] : unit.points) {
      auto met = unit.settings->metIn().find(points.function);
      if (!functions.count(name) || met == unit.settings->metIn().end()) continue;
      for (const std::string &macro : met->second)
        if (unit.symbols.count(macro)) checks.facts.insert(Expr::symbol(macro) - 1);
        else if (const NamedNumber &number = unit.settings->numbers().at(macro); number.value)
          numbers[macro] = *number.value;
    }
  }
  return checks;
}

/// Of `n - 1 >= 0` and `n - 3 >= 0` the second says all.
static std::set<Expr> strongest(const std::set<Expr> &facts) {
  std::set<Expr> kept;
  for (const Expr &fact : facts) {
    const bool isSaid = llvm::any_of(facts, [&](const Expr &other) {
      const std::optional<int64_t> more = distance(fact, other);
      return more && *more > 0;
    });
    if (!isSaid) kept.insert(fact);
  }
  return kept;
}

static std::string textOf(const Expr &fact) {
  SymbolTexts texts;
  for (const std::string &symbol : fact.symbols()) texts[symbol] = symbol;
  const auto [left, right] = brs::sidesOf(fact);
  if (right.constant()) return toC(left, texts) + " <= " + toC(right, texts);
  if (const std::optional<int64_t> least = left.constant(); least && *least == 1) return toC(right, texts) + " > 0";
  return toC(right, texts) + " >= " + toC(left, texts);
}

/// Behind the directive that defines the last of the macros, or includes who does, and outside of what an #if may leave
/// out; 0: behind the first #include. The file's end if there is no such place.
static unsigned placeBehind(llvm::StringRef text, unsigned defined) {
  unsigned depth = 0;
  for (size_t line = 0; line < text.size();) {
    const size_t end = std::min(text.find('\n', line), text.size() - 1) + 1;
    llvm::StringRef words = text.slice(line, end).trim();
    const bool goesOn = words.ends_with("\\") || words.rfind("/*") + 1 > words.rfind("*/") + 1;
    const bool isDirective = words.consume_front("#");
    words = words.ltrim();
    if (isDirective && words.starts_with("if")) ++depth;
    if (isDirective && words.starts_with("endif") && depth > 0) --depth;
    const bool isBehind = defined > 0 ? end > defined : words.starts_with("include");
    if (isDirective && isBehind && depth == 0 && !goesOn) return end;
    line = end;
  }
  return text.size();
}

/// The last offset in the main file by which one of them is defined; 0: all are on the command line.
static unsigned definedBefore(const std::set<std::string> &names, const ProgramUnit &unit) {
  const clang::SourceManager &sources = unit.context->getSourceManager();
  unsigned last = 0;
  for (const std::string &name : names) {
    clang::SourceLocation at = unit.settings->numbers().at(name).defined;
    while (at.isValid() && sources.getFileID(at) != sources.getMainFileID()) // of a header: the #include
      at = sources.getIncludeLoc(sources.getFileID(at));
    if (at.isValid()) last = std::max(last, sources.getFileOffset(at) + 1);
  }
  return last;
}

static std::string assertion(llvm::ArrayRef<std::string> terms, const clang::LangOptions &language) {
  const std::string condition = llvm::join(terms, " && ");
  const std::string said = "busfare has planned the transfers for such sizes";
  if (language.CPlusPlus && !language.CPlusPlus11)
    return "/* " + said + " */\ntypedef char busfare_sizes[(" + condition + ") ? 1 : -1];\n";
  return (language.CPlusPlus ? "static_assert(" : "_Static_assert(") + condition + ", \"" + said + "\");\n";
}

static std::string textOf(const std::string &name, int64_t value) {
  return name + " == " + (value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value));
}

std::vector<std::string> addSizeChecks(const SizeChecks &checks, llvm::ArrayRef<ProgramUnit> units,
                                       std::vector<PortedFile> &files) {
  std::set<Expr> open = strongest(checks.facts);
  // What a unit says that is not changed is tested in another that has the macro, from a header.
  std::vector<std::map<std::string, int64_t>> numbers = checks.numbers;
  std::vector<std::string> untested;
  for (size_t k = 0; k < units.size(); ++k)
    for (const auto &[name, value] : units[k].isShared ? checks.numbers[k] : std::map<std::string, int64_t>()) {
      size_t other = 0;
      while (other < units.size() &&
             (units[other].isShared || !units[other].settings || !units[other].settings->numbers().count(name)))
        ++other;
      if (other < units.size()) numbers[other][name] = value;
      else untested.push_back(textOf(name, value));
    }
  for (bool isChanged : {true, false})
    for (size_t k = 0; k < units.size(); ++k) {
      const ProgramUnit &unit = units[k];
      if (!unit.settings || unit.isShared || files[k].edits.empty() == isChanged) continue;
      std::set<std::string> names;
      std::vector<std::string> terms;
      for (const Expr &fact : std::set<Expr>(open)) {
        const std::set<std::string> own = fact.symbols();
        if (!llvm::all_of(own, [&](const std::string &name) { return unit.settings->numbers().count(name) != 0; }))
          continue;
        terms.push_back(textOf(fact));
        names.insert(own.begin(), own.end());
        open.erase(fact);
      }
      for (const auto &[name, value] : numbers[k]) {
        terms.push_back(textOf(name, value));
        names.insert(name);
      }
      if (terms.empty()) continue;
      const unsigned place = placeBehind(files[k].original, definedBefore(names, unit));
      files[k].edits.push_back({place, 0, assertion(terms, unit.context->getLangOpts())});
      files[k].edits = inOrder(std::move(files[k].edits));
    }
  for (const Expr &fact : open) untested.push_back(textOf(fact));
  return untested;
}

} // namespace busfare::frontend::port
