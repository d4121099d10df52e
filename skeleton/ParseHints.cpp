//===- skeleton/ParseHints.cpp - Reading what the user says ---------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The same words wherever they stand: in skeleton text, in a comment or pragma of
// the source, in a .busfare file. In the source names are those of C and C++, and
// words that cannot mean anything are refused at once.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Hints.h"
#include "skeleton/Parser.h"
#include "llvm/ADT/STLExtras.h"

using namespace busfare::skeleton;

/// '(' names ')'; in the source at least so many, all different.
std::vector<std::string> Parser::hintNames(size_t least) {
  size_t start = token.offset;
  std::vector<std::string> result = names();
  if (!isOfSource || !complaint.empty()) return result;
  if (result.size() < least)
    failAt(start, least == 1 ? "a name must stand here" : "it takes two names to say that they do not overlap");
  for (size_t k = 0; k < result.size(); ++k)
    if (llvm::is_contained(llvm::ArrayRef(result).take_front(k), result[k]))
      failAt(start, "'" + result[k] + "' stands here twice");
  return result;
}

void Parser::checkRules(const std::vector<std::string> &ids, size_t start) {
  for (const std::string &id : ids)
    if (isOfSource && complaint.empty() && !findRule(id)) failAt(start, "there is no rule '" + id + "'");
}

/// One word with what belongs to it; false: it is none.
bool Parser::hint(Hints &result) {
  if (accept("independent")) {
    result.independent = true;
  } else if (accept("temporary")) {
    llvm::append_range(result.temporaries, hintNames(1));
  } else if (accept("noalias")) {
    result.noalias.push_back(hintNames(2));
  } else if (accept("size")) {
    expect("(", "after 'size'");
    std::string symbol = name("the size's name");
    expect("=", "after the size's name");
    size_t start = token.offset;
    result.sizes.emplace_back(symbol, integer("the size"));
    if (isOfSource && complaint.empty() && result.sizes.back().second < 0) failAt(start, "a size is not negative");
    expect(")", "after the size");
  } else if (accept("range")) {
    expect("(", "after 'range'");
    std::string array = name("the array's name");
    expect(":", "after the array's name");
    Expr low = expression();
    expect(",", "between the ends of the range");
    result.ranges.emplace_back(array, low, expression());
    expect(")", "after the range");
  } else if (token.is("ignore")) {
    advance();
    size_t start = token.offset;
    std::vector<std::string> ids = hintNames(1);
    checkRules(ids, start);
    llvm::append_range(result.ignoredRules, ids);
  } else {
    return false;
  }
  return true;
}

Hints Parser::hints() {
  Hints result;
  advance();
  expect("(", "after 'hints'");
  while (!atEnd() && !token.is(")") && !token.is("at") && !token.is("to"))
    if (!hint(result)) unexpected("'independent', 'temporary', 'noalias', 'size', 'range' or 'ignore'");
  acceptPlace(result.location);
  if (accept("to")) result.lastLine = unsigned(natural("the last line", UINT32_MAX));
  expect(")", "after the hints");
  return result;
}

Hints Parser::hintWords() {
  Hints result;
  do
    if (!hint(result)) unexpected("'independent', 'temporary', 'noalias', 'size', 'range' or 'ignore'");
  while (!atEnd());
  return result;
}

HintsRead busfare::skeleton::parseHints(llvm::StringRef text, llvm::StringRef fileName, size_t begin, size_t end) {
  Parser parser(text.take_front(end), fileName, begin);
  HintsRead result;
  result.hints = parser.hintWords();
  auto [line, column] = lineAndColumn(text, begin);
  result.hints.location = {fileName.str(), line, column};
  if (parser.complaint.empty()) return result;
  auto [badLine, badColumn] = lineAndColumn(text, std::min(parser.complaintAt, end));
  result.complaint = {fileName.str(), badLine, badColumn};
  result.why = parser.sentence;
  return result;
}
