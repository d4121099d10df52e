//===- skeleton/Directive.cpp - Reading the text of an OpenMP directive ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Words are directive names until the first with parentheses; from then on they
// are clauses.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Directive.h"
#include "skeleton/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace busfare::skeleton;

namespace {

struct Clause {
  llvm::StringRef name, arguments;
};

/// Splits `parallel for private(x, y)` into words, each with what stands in its parentheses.
std::vector<Clause> splitClauses(llvm::StringRef text) {
  std::vector<Clause> result;
  while (!(text = text.ltrim(" ,\t\n")).empty()) {
    size_t length = text.find_first_of(" ,\t\n(");
    llvm::StringRef name = text.substr(0, length);
    text = text.substr(name.size()).ltrim();
    llvm::StringRef arguments;
    if (text.starts_with("(")) {
      size_t end = 0;
      int depth = 0;
      for (; end < text.size(); ++end) {
        depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
        if (depth == 0) break;
      }
      arguments = text.slice(1, end);
      text = text.substr(std::min(end + 1, text.size()));
    }
    result.push_back({name, arguments});
  }
  return result;
}

/// The names of a list; of an array section `a[0:n]` the array.
void appendNames(llvm::StringRef list, std::vector<std::string> &out) {
  while (!list.empty()) {
    size_t end = 0;
    for (int depth = 0; end < list.size() && (depth > 0 || list[end] != ','); ++end)
      depth += list[end] == '[' || list[end] == '(' ? 1 : list[end] == ']' || list[end] == ')' ? -1 : 0;
    llvm::StringRef name = list.substr(0, end).split('[').first.trim();
    if (!name.empty()) out.push_back(name.str());
    list = list.substr(std::min(end + 1, list.size()));
  }
}

std::string normaliseBlanks(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words, " \t\r\n\v\f");
  return llvm::join(words, " ");
}

} // namespace

Directive busfare::skeleton::directiveFromText(llvm::StringRef text) {
  Directive result;
  result.text = normaliseBlanks(text);
  bool isLoop = false, isSimd = false, hasSafelen = false, hasOrdered = false;
  for (const Clause &clause : splitClauses(result.text)) {
    llvm::StringRef name = clause.name;
    isLoop |= name == "for" || name == "distribute" || name == "taskloop" || name == "loop";
    isSimd |= name == "simd";
    hasSafelen |= name == "safelen";
    hasOrdered |= name == "ordered";
    unsigned depth = 0;
    if (name == "collapse" && !clause.arguments.trim().getAsInteger(10, depth) && depth > 0) result.collapse = depth;
    if (name == "private") appendNames(clause.arguments, result.privates);
    if (name == "firstprivate") appendNames(clause.arguments, result.firstprivates);
    if (name == "lastprivate") {
      llvm::StringRef list = clause.arguments;
      list.consume_front("conditional:");
      appendNames(list, result.lastprivates);
    }
    if (name == "reduction" || name == "in_reduction") {
      auto [head, list] = clause.arguments.split(':');
      llvm::StringRef op = head.contains(',') ? head.rsplit(',').second.trim() : head.trim();
      std::vector<std::string> names;
      appendNames(list, names);
      ReductionOp known = op == "-" ? ReductionOp::Add : valueOf(reductionWords, op).value_or(ReductionOp::None);
      for (std::string &reduced : names) result.reductions.emplace_back(known, std::move(reduced));
    }
  }
  result.takesTurns = hasOrdered;
  result.isParallel = (isLoop || (isSimd && !hasSafelen)) && !hasOrdered;
  return result;
}

/// The loop, and as many below it as the directive speaks of.
static void trust(Loop &loop, unsigned depth) {
  loop.isTrusted = true;
  auto inner = llvm::find_if(loop.body, [](const Node &node) { return std::holds_alternative<Loop>(node.kind); });
  if (depth > 1 && inner != loop.body.end()) trust(std::get<Loop>(inner->kind), depth - 1);
}

static void trustBelow(Block &block) {
  for (Node &node : block) {
    if (auto *loop = std::get_if<Loop>(&node.kind)) {
      if (loop->directive && loop->directive->isParallel && !loop->directive->takesTurns) {
        // The clauses stand at the outer loop: of the inner ones' memory they are not looked at.
        const Directive &said = *loop->directive;
        bool hasCopies = !said.privates.empty() || !said.firstprivates.empty() || !said.lastprivates.empty() ||
                         !said.reductions.empty();
        trust(*loop, hasCopies ? 1 : said.collapse);
      }
      trustBelow(loop->body);
    } else if (auto *branch = std::get_if<Branch>(&node.kind)) {
      trustBelow(branch->then);
      trustBelow(branch->otherwise);
    }
  }
}

void busfare::skeleton::trustDirectives(Program &program) {
  for (Function &function : program.functions) trustBelow(function.body);
}
