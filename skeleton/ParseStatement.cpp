//===- skeleton/ParseStatement.cpp - Reading statements -------------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One function per node kind; each begins at its keyword.
//
//===----------------------------------------------------------------------===//
#include "skeleton/Parser.h"
#include "skeleton/SharedBodies.h"
#include "skeleton/Words.h"

using namespace busfare::skeleton;

Block Parser::block() {
  Block result;
  if (!enter()) return result;
  expect("{", "before the statements");
  while (!atEnd() && !token.is("}")) result.push_back(statement());
  expect("}", "after the statements");
  leave();
  return result;
}

Node Parser::statement() {
  if (token.is("for")) return loop();
  if (token.is("if")) return branch();
  if (token.is("may") || token.is("read") || token.is("write") || token.is("update")) return access();
  if (token.is("ops")) return operations();
  if (token.is("define")) return define();
  if (token.is("call")) return call();
  if (token.is("alloc")) return allocate();
  if (token.is("free")) return freeStatement();
  if (token.is("host")) return hostStatement();
  if (token.is("rotate")) return rotate();
  if (token.is("end")) return end();
  if (token.is("array")) fail("arrays are declared in the function's body itself, not in a block");
  unexpected("a statement (for, if, read, write, update, ops, define, call, alloc, free, host, rotate, end) or '}'");
  return Operations();
}

Loop Parser::loop() {
  Loop result;
  result.location = here();
  advance();
  result.index = name("the loop's index");
  expect("=", "after the loop's index");
  result.lower = expression();
  expect("..", "between the loop's bounds");
  result.upper = expression();
  while (!atEnd() && !token.is("{")) {
    if (accept("step")) {
      result.step = integer("the step");
    } else if (std::optional<LoopForm> form = valueOf(formWords, token.text); form && token.kind == Token::Kind::Name) {
      result.form = *form;
      advance();
    } else if (acceptHyphenated("early-exit")) {
      result.mayExitEarly = true;
      result.endsInside = accept("inside");
    } else if (accept("time")) {
      result.isTimeLoop = true;
    } else if (accept("trusted")) {
      result.isTrusted = true;
    } else if (token.is("omp")) {
      result.directive = directive();
    } else if (token.is("hints")) {
      if (Hints said = hints(); !said.empty()) result.hints = std::move(said);
    } else if (token.is("steady")) {
      result.steady = steady();
    } else if (accept("believing")) {
      result.believing = names();
    } else if (accept("via")) {
      expect("(", "after 'via'");
      do result.context.push_back(string("a call in quotes"));
      while (accept(","));
      expect(")", "after the calls");
    } else if (!acceptPlace(result.location)) {
      unexpected("'{' before the loop's body");
    }
  }
  result.body = block();
  return result;
}

/// steady(m[0], g)
std::vector<SteadyElement> Parser::steady() {
  std::vector<SteadyElement> result;
  advance();
  expect("(", "after 'steady'");
  do {
    SteadyElement &one = result.emplace_back();
    one.array = name("the array's name");
    while (accept("[")) {
      one.subscripts.push_back(expressionOrUnknown());
      expect("]", "after subscript");
    }
  } while (accept(","));
  expect(")", "after the elements");
  return result;
}

Branch Parser::branch() {
  Branch result;
  Location start = here();
  advance();
  result.condition = condition();
  if (accept("probability")) {
    size_t place = token.offset;
    result.condition.probability = real("a number from 0 to 1");
    if (complaint.empty() && result.condition.probability > 1) failAt(place, "a probability is at most 1");
    result.condition.isMeasured = accept("measured");
  }
  result.isRest = accept("rest");
  result.location = place(start);
  result.then = block();
  if (accept("else")) result.otherwise = block();
  return result;
}

Subscript Parser::subscript() {
  Subscript result;
  result.value = expressionOrUnknown();
  if (accept("in")) bounds(result.atLeast, result.atMost);
  if (token.is("from")) result.from = loadedFrom();
  expect("]", "after subscript");
  return result;
}

/// from ARRAY {[ELEMENT]} [times SCALE] [plus OFFSET]
Loaded Parser::loadedFrom() {
  Loaded result;
  advance();
  result.array = name("the array that holds the value");
  while (accept("[")) {
    result.element.push_back(expression());
    expect("]", "after subscript");
  }
  if (accept("times")) {
    size_t start = token.offset;
    result.scale = integer("a number after 'times'");
    if (complaint.empty() && result.scale == 0) failAt(start, "0 times a value is 0");
  }
  if (accept("plus")) result.offset = expression();
  return result;
}

Access Parser::access() {
  Access result;
  Location start = here();
  result.may = accept("may");
  std::optional<AccessKind> kind = valueOf(accessWords, token.text);
  if (!kind || token.kind != Token::Kind::Name) {
    unexpected("'read', 'write' or 'update'");
    return result;
  }
  advance();
  result.kind = *kind;
  result.array = name("the array's name");
  while (accept("[")) result.subscripts.push_back(subscript());
  if (bool isExact = accept("part"); isExact || accept("inside")) {
    result.part.isExact = isExact;
    result.part.offset = uint32_t(natural("where the part begins", UINT32_MAX));
    if (!accept("+")) unexpected("'+' and the part's bytes");
    result.part.bytes = uint32_t(natural("the part's bytes", UINT32_MAX));
    if (result.part.bytes == 0) fail("a part has at least one byte");
  }
  if (std::optional<ReductionOp> op = valueOf(reductionWords, token.text);
      op && token.kind != Token::Kind::QuotedName) {
    if (result.kind != AccessKind::Update) fail("only an update has an operator");
    result.op = *op;
    advance();
  }
  if (token.is("value")) {
    if (result.kind != AccessKind::Write) fail("only a write has a value");
    advance();
    result.value = expression();
  }
  result.bytewise = accept("bytewise");
  result.induction = accept("induction");
  result.location = place(start);
  return result;
}

static bool isStatementWord(llvm::StringRef word) {
  static constexpr llvm::StringRef words[] = {"for",    "if",   "may",   "read", "write", "update", "ops",
                                              "define", "call", "alloc", "free", "host",  "rotate", "end"};
  return llvm::is_contained(words, word);
}

/// The names that there are, for one who has others from elsewhere (GROPHECY's, say).
static std::string operationNames() {
  std::string names;
  for (const auto &word : operationWords) names += (names.empty() ? "" : ", ") + std::string(word.text);
  return names;
}

Operations Parser::operations() {
  Operations result;
  advance();
  while (token.kind == Token::Kind::Name) {
    std::optional<Operation> operation = valueOf(operationWords, token.text);
    if (!operation && result.counts.empty() && !isStatementWord(token.text))
      fail("operation '" + token.text.str() + "' is not known; there are " + operationNames());
    if (!operation) break;
    advance();
    result.counts.emplace_back(*operation, real("how many operations"));
  }
  return result;
}

Define Parser::define() {
  Define result;
  Location start = here();
  advance();
  result.symbol = name("the symbol's name");
  if (accept("=")) result.value = expression();
  while (token.is("usually") || token.is("because") || token.is("in") || token.is("from") || token.is("quotient")) {
    if (accept("usually")) result.usually = expression();
    else if (accept("because")) result.reason = string("the reason in quotes");
    else if (accept("in")) bounds(result.atLeast, result.atMost);
    else if (accept("quotient")) {
      Quotient quotient{expression(), {}};
      expect("by", "between dividend and divisor");
      quotient.divisor = expression();
      result.quotient = std::move(quotient);
    } else result.from = loadedFrom();
  }
  result.location = place(start);
  return result;
}

std::variant<ArrayArgument, ValueArgument> Parser::argument() {
  if (!accept("&")) return ValueArgument{expressionOrUnknown()};
  ArrayArgument result;
  if (!accept("?")) result.array = name("an array's name or '?' after '&'");
  while (accept("[")) {
    result.row.push_back(expression());
    expect("]", "after the subscript");
  }
  if (accept("+")) result.offset = expressionOrUnknown();
  else if (token.is("-")) result.offset = expression();
  if (accept("counts")) {
    expect("(", "after 'counts'");
    do result.counts.push_back(expression());
    while (accept(","));
    expect(")", "after the numbers of elements");
  }
  return result;
}

Call Parser::call() {
  Call result;
  Location start = here();
  advance();
  result.callee = name("the name of the function called");
  expect("(", "after the function's name");
  while (!atEnd() && !token.is(")")) {
    result.arguments.push_back(argument());
    if (!token.is(")")) expect(",", "or ')' after an argument");
  }
  expect(")", "after the arguments");
  if (accept("exposing")) {
    expect("(", "after 'exposing'");
    while (!atEnd() && !token.is(")")) {
      bool isConst = accept("const");
      result.exposed.push_back({name("an array that unseen code may touch"), isConst});
      if (!token.is(")")) expect(",", "or ')' after an array");
    }
    expect(")", "after the arrays");
  }
  result.location = place(start);
  return result;
}

Allocate Parser::allocate() {
  Allocate result;
  Location start = here();
  advance();
  result.array = name("the array's name");
  result.extents = extents();
  result.location = place(start);
  return result;
}

Free Parser::freeStatement() {
  Free result;
  Location start = here();
  advance();
  result.array = name("the array's name");
  result.location = place(start);
  return result;
}

/// KIND [bytes EXPR] [type STRING] [nonblocking]
Message Parser::message() {
  Message result;
  result.kind = *valueOf(messageWords, token.text);
  advance();
  if (accept("bytes")) result.bytes = expressionOrUnknown();
  if (accept("type")) result.type = string("the type of the message's elements");
  result.isNonblocking = accept("nonblocking");
  return result;
}

/// blas ROUTINE(m = EXPR, ...) [on (A = array, ...)] [overwrites]
LibraryCall Parser::libraryCall() {
  LibraryCall result;
  advance();
  result.routine = name("the name of a BLAS routine");
  expect("(", "before the routine's dimensions");
  while (!atEnd() && !token.is(")")) {
    std::string dimension = name("the name of a dimension");
    expect("=", "after the dimension's name");
    result.dimensions.emplace_back(std::move(dimension), expressionOrUnknown());
    if (!token.is(")")) expect(",", "or ')' after a dimension");
  }
  expect(")", "after the dimensions");
  if (accept("on")) {
    expect("(", "after 'on'");
    do {
      std::string operand = name("the name of an operand");
      expect("=", "after the operand's name");
      result.operands.emplace_back(std::move(operand), name("the operand's array"));
    } while (accept(","));
    expect(")", "after the operands");
  }
  result.overwrites = accept("overwrites");
  return result;
}

HostStatement Parser::hostStatement() {
  HostStatement result;
  Location start = here();
  advance();
  std::optional<HostReason> reason = valueOf(reasonWords, token.text);
  if (!reason) {
    unexpected(
        "io, opaque, recursion, allocation, timing, unsupported, noreturn, message, library, threads or handler");
    return result;
  }
  advance();
  result.reason = *reason;
  if (token.kind == Token::Kind::String) result.what = string("a text");
  if (result.reason == HostReason::Message && token.kind == Token::Kind::Name && !token.is("at") &&
      valueOf(messageWords, token.text))
    result.message = message();
  if (result.reason == HostReason::Library && token.is("blas")) result.library = libraryCall();
  if (accept("reaching")) result.body = reached();
  result.location = place(start);
  if (token.is("{") && result.body.empty()) result.body = block();
  return result;
}

/// reach 2 from 1 { may read a[?] }
void Parser::reach() {
  advance();
  const size_t place = token.offset;
  const uint64_t number = natural("the number of a reach", UINT32_MAX);
  if (reaches.count(number)) failAt(place, "the function has a reach of this number already");
  const bool isMore = accept("from");
  const SharedBlock base = isMore ? reached() : SharedBlock();
  isInReach = true;
  const size_t begin = token.offset;
  Block own = block();
  isInReach = false;
  if (isMore && (!isOfAnyElements(own) || !isOfAnyElements(base)))
    failAt(begin, "what is added to another reach may touch any elements, as all that is in that one, and stands in "
                  "the order of names");
  reaches[number] = isMore ? merged(base, own) : std::move(own);
}

SharedBlock Parser::reached() {
  const size_t begin = token.offset;
  const uint64_t number = natural("the number of a reach", UINT32_MAX);
  auto found = reaches.find(number);
  if (found != reaches.end()) return found->second;
  failAt(begin, "the function has no reach of this number before");
  return {};
}

Rotate Parser::rotate() {
  Rotate result;
  Location start = here();
  advance();
  do {
    std::string name = this->name("an array's name");
    expect("<-", "after the name");
    result.moves.emplace_back(name, this->name("an array's name"));
  } while (accept(","));
  result.location = place(start);
  return result;
}

End Parser::end() {
  End result;
  Location start = here();
  advance();
  result.what = string("a text: how the program ends");
  result.saysWhere = accept("where");
  result.location = place(start);
  return result;
}
