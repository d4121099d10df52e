//===- skeleton/Parse.cpp - Reading skeleton text: tokens, declarations ---===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The entry points, the use of tokens, and everything outside function bodies.
// Statements are in ParseStatement.cpp, formulas and conditions in ParseExpr.cpp.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Parse.h"
#include "skeleton/Directive.h"
#include "skeleton/Parser.h"
#include "skeleton/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace busfare::skeleton;

static constexpr unsigned maxDepth = 500;

llvm::Expected<Program> busfare::skeleton::parse(llvm::StringRef text, llvm::StringRef fileName) {
  Parser parser(text, fileName);
  Program program = parser.program();
  if (!parser.complaint.empty()) return llvm::createStringError(llvm::inconvertibleErrorCode(), parser.complaint);
  return program;
}

llvm::Expected<Expr> busfare::skeleton::parseExpr(llvm::StringRef text, llvm::StringRef fileName) {
  Parser parser(text, fileName);
  Expr expr = parser.expression();
  parser.expectEnd();
  if (!parser.complaint.empty()) return llvm::createStringError(llvm::inconvertibleErrorCode(), parser.complaint);
  return expr;
}

// Tokens.

void Parser::advance() {
  if (!complaint.empty()) return;
  token = lex(source, token.offset + token.text.size());
  if (token.kind == Token::Kind::Bad) fail(token.value);
}

void Parser::failAt(size_t offset, llvm::StringRef message) {
  if (complaint.empty()) {
    complaint = locatedMessage(source, fileName, offset, message);
    sentence = message.str();
    complaintAt = offset;
  }
  token = Token();
  token.offset = source.size();
}

void Parser::unexpected(llvm::StringRef what) {
  std::string found;
  for (char c : token.text.take_front(30)) found += llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80 ? c : '?';
  fail("expected " + what.str() + ", found " +
       (atEnd() ? isOfSource ? "the end of the hint" : "the end of the file" : "'" + found + "'"));
}

void Parser::expectEnd() {
  if (!atEnd()) unexpected("the end");
}

bool Parser::accept(llvm::StringRef word) {
  if (!token.is(word)) return false;
  advance();
  return true;
}

bool Parser::acceptHyphenated(llvm::StringRef word) {
  llvm::StringRef rest = source.substr(token.offset);
  if (atEnd() || !rest.starts_with(word) ||
      plainNameLength(rest.substr(word.rfind('-') + 1)) != word.size() - word.rfind('-') - 1)
    return false;
  token.text = rest.take_front(word.size());
  advance();
  return true;
}

void Parser::expect(llvm::StringRef word, llvm::StringRef where) {
  if (!accept(word)) unexpected("'" + word.str() + "' " + where.str());
}

std::string Parser::name(llvm::StringRef what) {
  if (!token.isName()) {
    unexpected(what);
    return "";
  }
  std::string result = token.value;
  advance();
  while (isOfSource && complaint.empty()) {
    if (Token next = lex(source, token.offset + token.text.size()); token.is("-") && next.is(">")) {
      advance();
      advance();
      result += "->" + (token.isName() ? token.value : "");
      if (!token.isName()) unexpected("the name of a field");
      else advance();
    } else if (isCalled(token)) {
      advance();
      advance();
      result += "()";
    } else {
      break;
    }
  }
  return result;
}

/// Do empty parentheses stand here?
bool Parser::isCalled(const Token &open) const { return open.is("(") && lex(source, open.offset + 1).is(")"); }

std::string Parser::string(llvm::StringRef what) {
  if (token.kind != Token::Kind::String) {
    unexpected(what);
    return "";
  }
  std::string result = token.value;
  advance();
  return result;
}

uint64_t Parser::natural(llvm::StringRef what, uint64_t most) {
  if (token.kind != Token::Kind::Integer) {
    unexpected(what);
    return 0;
  }
  uint64_t result = token.integer;
  if (result > most) {
    fail(what.str() + " is at most " + std::to_string(most));
    return 0;
  }
  advance();
  return result;
}

int64_t Parser::integer(llvm::StringRef what) {
  bool isNegative = accept("-");
  uint64_t magnitude = natural(what, uint64_t(INT64_MAX) + isNegative);
  return int64_t(isNegative ? 0 - magnitude : magnitude);
}

double Parser::real(llvm::StringRef what) {
  if (token.kind != Token::Kind::Integer && token.kind != Token::Kind::Real) {
    unexpected(what);
    return 0;
  }
  double result = token.real;
  advance();
  return result;
}

/// '(' names ')'; none is allowed.
std::vector<std::string> Parser::names() {
  std::vector<std::string> result;
  expect("(", "before the names");
  while (!atEnd() && !token.is(")")) {
    result.push_back(name("a name"));
    if (!token.is(")")) expect(",", "or ')' after a name");
  }
  expect(")", "after the names");
  return result;
}

bool Parser::enter() {
  if (++depth > maxDepth) fail("nested more than " + std::to_string(maxDepth) + " levels deep");
  return complaint.empty();
}

Location Parser::here() {
  // Counted on from the last time: counting from the start would be quadratic in the text.
  for (size_t end; (end = source.find('\n', lineStart)) < token.offset; ++line) lineStart = end + 1;
  return {fileName.str(), line, unsigned(token.offset - lineStart + 1)};
}

// Places.

bool Parser::acceptPlace(Location &location) {
  if (!accept("at")) return false;
  location = Location();
  if (accept("?")) return true;
  location.file = file;
  if (token.kind == Token::Kind::String) {
    location.file = string("a file");
    if (!accept(":")) return true;
  }
  location.line = unsigned(natural("a line", UINT32_MAX));
  if (accept(":")) location.column = unsigned(natural("a column", UINT32_MAX));
  return true;
}

Location Parser::place(const Location &otherwise) {
  Location location;
  return acceptPlace(location) || isInReach ? location : otherwise;
}

// Items.

Program Parser::program() {
  Program result;
  if (!token.is("skeleton")) {
    fail("this is no skeleton: it must begin with 'skeleton 1'");
    return result;
  }
  advance();
  if (token.kind == Token::Kind::Integer && token.integer != 1) {
    fail("version " + token.text.str() + " of the skeleton language is not known; this program reads version 1");
    return result;
  }
  natural("the version of the skeleton language, 1,", 1);
  while (!atEnd()) {
    file = result.units.empty() ? "" : result.units.front();
    if (accept("unit")) result.units.push_back(string("the name of a source file in quotes"));
    else if (accept("types")) result.typesMix = (expect("mix", "after 'types'"), true);
    else if (token.is("constant")) result.constants.push_back(constantDeclaration());
    else if (token.is("import")) result.imports.push_back(import());
    else if (accept("global")) result.globals.push_back(array(Storage::Global, {}));
    else if (token.is("finding")) result.findings.push_back(finding());
    else if (token.is("function")) result.functions.push_back(function());
    else unexpected("'function', 'global array', 'constant', 'import', 'unit' or 'finding'");
  }
  return result;
}

Constant Parser::constantDeclaration() {
  Constant result;
  Location start = here();
  advance();
  result.symbol = name("the constant's name");
  expect("=", "after the constant's name");
  result.value = integer("the constant's value");
  if (accept("or")) result.isSetting = (expect("set", "after 'or'"), true);
  result.location = place(start);
  return result;
}

Import Parser::import() {
  Import result;
  advance();
  result.name = name("the function's name in this unit");
  expect("symbol", "after the function's name");
  result.symbol = string("the symbol in quotes");
  return result;
}

Finding Parser::finding() {
  Finding result{};
  Location start = here();
  advance();
  if (const Rule *rule = token.isName() ? findRule(token.value) : nullptr) {
    result.rule = *rule;
    advance();
  } else {
    unexpected("the id of a rule (BF001, ...)");
  }
  if (std::optional<Level> level = valueOf(levelWords, token.text)) {
    result.level = *level;
    advance();
  } else {
    unexpected("'note', 'remark', 'warning' or 'error'");
  }
  result.location = place(start);
  result.message = string("the message in quotes");
  return result;
}

Parameter Parser::formal() {
  Parameter result;
  std::optional<Parameter::Kind> kind = valueOf(parameterWords, token.text);
  if (!kind || token.kind != Token::Kind::Name) {
    unexpected("'param', 'array' or 'other'");
    return result;
  }
  advance();
  result.kind = *kind;
  result.name = name("the parameter's name");
  result.byReference = acceptHyphenated("by-reference");
  return result;
}

Function Parser::function() {
  Function result;
  Location start = here();
  advance();
  result.name = name("the function's name");
  expect("(", "after the function's name");
  while (!atEnd() && !token.is(")")) {
    result.parameters.push_back(formal());
    if (!token.is(")")) expect(",", "or ')' after a parameter");
  }
  expect(")", "after the parameters");
  if (std::optional<Linkage> linkage = valueOf(linkageWords, token.text)) {
    result.linkage = *linkage;
    advance();
  }
  if (accept("symbol")) result.symbol = string("the symbol in quotes");
  result.location = start;
  if (acceptPlace(result.location) && !result.location.file.empty()) file = result.location.file;
  if (token.is("hints")) result.hints = hints();
  if (token.is("steady")) result.steady = steady();
  if (accept("nonnegative")) {
    expect("(", "after 'nonnegative'");
    do result.nonNegative.push_back(expression());
    while (accept(","));
    expect(")", "after the values");
  }
  reaches.clear();
  expect("{", "before the function's body");
  while (!atEnd() && !token.is("}")) {
    if (token.is("array")) result.arrays.push_back(array(std::nullopt, result.parameters));
    else if (token.is("reach")) reach();
    else result.body.push_back(statement());
  }
  expect("}", "after the function's body");
  return result;
}

ElementType Parser::elementType() {
  using Kind = ElementType::Kind;
  static constexpr Word<Kind> kinds[] = {{Kind::Float, "float"},  {Kind::Signed, "int"},      {Kind::Unsigned, "uint"},
                                         {Kind::Bool, "bool"},    {Kind::Complex, "complex"}, {Kind::Pointer, "ptr"},
                                         {Kind::Struct, "struct"}};
  std::string word = token.kind == Token::Kind::Name ? token.value : "";
  bool hasBytes = lex(source, token.offset + token.text.size()).is("<");
  for (Kind kind : {Kind::Float, Kind::Signed, Kind::Unsigned, Kind::Bool, Kind::Complex, Kind::Pointer})
    for (uint64_t bytes : {1, 2, 4, 8, 16})
      if (ElementType type{kind, bytes}; toString(type) == word && !hasBytes) {
        advance();
        return type;
      }
  std::optional<Kind> kind = valueOf(kinds, word);
  if (!kind) {
    unexpected("an element type (f64, i32, struct<24>, ...)");
    return {};
  }
  advance();
  expect("<", "before the number of bytes");
  uint64_t bytes = natural("the number of bytes", INT64_MAX);
  expect(">", "after the number of bytes");
  return {*kind, bytes};
}

std::vector<std::optional<Expr>> Parser::extents() {
  std::vector<std::optional<Expr>> result;
  while (accept("[")) {
    result.push_back(expressionOrUnknown());
    expect("]", "after the extent");
  }
  return result;
}

bool Parser::arrayAttribute(Array &array, std::optional<Storage> &storage) {
  if (std::optional<Storage> word = valueOf(storageWords, token.text); word && token.kind == Token::Kind::Name) {
    // `global array` begins the next declaration.
    if (*word == Storage::Global && lex(source, token.offset + token.text.size()).is("array")) return false;
    advance();
    storage = word;
    return true;
  }
  if (accept("const")) return array.isConst = true;
  if (accept("restrict")) return array.isRestrict = true;
  if (accept("static")) return array.isStatic = true;
  if (accept("pointee")) return array.isPointee = true;
  if (accept("steady")) return array.isSteady = true;
  if (accept("sized")) return array.isSized = true;
  if (accept("fixed")) return array.isFixed = true;
  if (acceptHyphenated("per-iteration")) return array.perIteration = true;
  if (acceptHyphenated("distinct-rows")) return array.rows = Rows::Distinct, true;
  if (accept("rows")) return array.rows = Rows::Assumed, true;
  if (acceptHyphenated("may-be")) {
    array.mayBe = names();
    return true;
  }
  if (accept("likely")) {
    array.likely = names();
    return true;
  }
  if (accept("remade")) {
    expect("(", "after 'remade'");
    Expr then = expression();
    expect("if", "between the number of elements and that on entry");
    array.remade = Remade{std::move(then), expression()};
    expect(")", "after the number of elements on entry");
    return true;
  }
  if (acceptHyphenated("instead-of")) {
    expect("(", "after 'instead-of'");
    array.insteadOf = name("an array's name");
    expect(")", "after the array's name");
    return true;
  }
  return false;
}

Array Parser::array(std::optional<Storage> otherwise, llvm::ArrayRef<Parameter> parameters) {
  Array result;
  result.location = here();
  expect("array", "here");
  result.name = name("the array's name");
  expect(":", "after the array's name");
  result.type = elementType();
  result.extents = extents();
  std::optional<Storage> storage;
  while (complaint.empty() && (arrayAttribute(result, storage) || acceptPlace(result.location))) continue;
  bool isParameter = llvm::any_of(parameters, [&](const Parameter &p) { return p.name == result.name; });
  result.storage = storage ? *storage : otherwise.value_or(isParameter ? Storage::Parameter : Storage::Local);
  return result;
}

ReductionOp Parser::reductionOp() {
  if (accept("?")) return ReductionOp::None;
  std::optional<ReductionOp> op = valueOf(reductionWords, token.text);
  if (!op) {
    unexpected("one of + * min max & | ^ && ||");
    return ReductionOp::None;
  }
  advance();
  return *op;
}

Directive Parser::directive() {
  advance();
  if (!token.is("(")) {
    unexpected("'(' after 'omp'");
    return {};
  }
  size_t begin = token.offset + 1;
  if (lex(source, begin).kind == Token::Kind::String) {
    advance();
    Directive result;
    result.text = string("the text of the directive");
    directiveClauses(result);
    expect(")", "after the directive");
    return result;
  }
  // The directive's own text up to the parenthesis that closes it.
  size_t end = begin;
  for (int open = 1; end < source.size(); ++end) {
    open += source[end] == '(' ? 1 : source[end] == ')' ? -1 : 0;
    if (open == 0) break;
  }
  if (end >= source.size()) {
    fail("the parenthesis after 'omp' is not closed");
    return {};
  }
  token.text = source.slice(token.offset, end + 1);
  advance();
  return directiveFromText(source.slice(begin, end));
}

void Parser::directiveClauses(Directive &directive) {
  while (!atEnd() && !token.is(")")) {
    if (accept("parallel")) {
      directive.isParallel = true;
    } else if (accept("turns")) {
      directive.takesTurns = true;
    } else if (accept("collapse")) {
      directive.collapse = unsigned(natural("the number of loops", UINT32_MAX));
    } else if (accept("private")) {
      directive.privates = names();
    } else if (accept("firstprivate")) {
      directive.firstprivates = names();
    } else if (accept("lastprivate")) {
      directive.lastprivates = names();
    } else if (accept("reduction")) {
      expect("(", "after 'reduction'");
      ReductionOp op = reductionOp();
      expect(":", "after the operator");
      do directive.reductions.emplace_back(op, name("a name"));
      while (accept(","));
      expect(")", "after the names");
    } else {
      unexpected("'parallel', 'turns', 'collapse', 'private', 'firstprivate', 'lastprivate' or 'reduction'");
    }
  }
}
