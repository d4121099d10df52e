//===- clang-plugin/rehearsal/RehearsedLibrary.cpp - Library functions on known texts -===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RehearsedLibrary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <cstdlib>
#include <strings.h>

using llvm::StringRef;

namespace busfare::frontend {

std::optional<bool> Rehearsed::truth() const {
  switch (kind) {
  case Kind::Integer: return integer != 0;
  case Kind::Real: return real != 0;
  case Kind::Text:
  case Kind::Arguments:
  case Kind::Place: return true;
  default: return std::nullopt;
  }
}

std::optional<StringRef> Rehearsed::characters() const {
  if (kind != Kind::Text || integer < 0 || size_t(integer) > text->size()) return std::nullopt;
  return StringRef(*text).drop_front(size_t(integer));
}

Rehearsed rehearsedInteger(int64_t value) {
  Rehearsed made;
  made.kind = Rehearsed::Kind::Integer;
  made.integer = value;
  return made;
}

Rehearsed rehearsedReal(double value) {
  Rehearsed made;
  made.kind = Rehearsed::Kind::Real;
  made.real = value;
  return made;
}

Rehearsed rehearsedText(std::string text) {
  Rehearsed made;
  made.kind = Rehearsed::Kind::Text;
  made.text = std::make_shared<const std::string>(std::move(text));
  return made;
}

/// As the library's compare, by sign.
static Rehearsed compared(StringRef a, StringRef b, bool foldsCase) {
  if (foldsCase) return rehearsedInteger(a.compare_insensitive(b));
  return rehearsedInteger(a.compare(b));
}

Rehearsed callOfLibrary(StringRef name, llvm::ArrayRef<Rehearsed> arguments) {
  name.consume_front("std::");
  const std::optional<StringRef> first = arguments.empty() ? std::nullopt : arguments[0].characters();
  const std::optional<StringRef> second = arguments.size() < 2 ? std::nullopt : arguments[1].characters();
  const bool isInteger = llvm::StringSwitch<bool>(name)
                             .Cases("atoi", "atol", "atoll", "stoi", "stol", "stoll", "stoul", "stoull", true)
                             .Default(false);
  const bool isBased = llvm::StringSwitch<bool>(name)
                           .Cases("strtol", "strtoul", "strtoll", "strtoull", "strtoumax", "strtoimax", true)
                           .Default(false);
  const bool isReal =
      llvm::StringSwitch<bool>(name).Cases("atof", "strtod", "strtof", "stod", "stof", true).Default(false);
  if (first && isInteger) return rehearsedInteger(std::strtoll(first->str().c_str(), nullptr, 10));
  if (first && isBased && arguments.size() == 3 && arguments[2].kind == Rehearsed::Kind::Integer)
    return rehearsedInteger(std::strtoll(first->str().c_str(), nullptr, int(arguments[2].integer)));
  if (first && isReal) return rehearsedReal(std::strtod(first->str().c_str(), nullptr));
  if (first && name == "strlen") return rehearsedInteger(int64_t(first->size()));
  if (first && second && (name == "strcmp" || name == "strcasecmp"))
    return compared(*first, *second, name == "strcasecmp");
  if (first && second && (name == "strncmp" || name == "strncasecmp") && arguments.size() == 3 &&
      arguments[2].kind == Rehearsed::Kind::Integer)
    return compared(first->take_front(size_t(arguments[2].integer)), second->take_front(size_t(arguments[2].integer)),
                    name == "strncasecmp");
  if (first && second && name == "strstr") {
    const size_t at = first->find(*second);
    Rehearsed found = at == StringRef::npos ? rehearsedInteger(0) : arguments[0];
    found.integer += at == StringRef::npos ? 0 : int64_t(at);
    return found;
  }
  if (first && name == "strchr" && arguments.size() == 2 && arguments[1].kind == Rehearsed::Kind::Integer) {
    const size_t at = first->find(char(arguments[1].integer));
    Rehearsed found = at == StringRef::npos ? rehearsedInteger(0) : arguments[0];
    found.integer += at == StringRef::npos ? 0 : int64_t(at);
    return found;
  }
  const bool areNumbers =
      !arguments.empty() && llvm::all_of(arguments, [](const Rehearsed &one) { return one.isNumber(); });
  if (areNumbers && (name == "isdigit" || name == "isalpha" || name == "isspace") &&
      arguments[0].kind == Rehearsed::Kind::Integer) {
    const char c = char(arguments[0].integer);
    return rehearsedInteger(name == "isdigit"   ? llvm::isDigit(c)
                            : name == "isalpha" ? llvm::isAlpha(c)
                                                : llvm::isSpace(c));
  }
  if (areNumbers && name == "abs" && arguments[0].kind == Rehearsed::Kind::Integer)
    return rehearsedInteger(std::llabs(arguments[0].integer));
  if (areNumbers && arguments.size() == 2 && (name == "max" || name == "min") &&
      arguments[0].kind == Rehearsed::Kind::Integer && arguments[1].kind == Rehearsed::Kind::Integer)
    return rehearsedInteger(name == "max" ? std::max(arguments[0].integer, arguments[1].integer)
                                          : std::min(arguments[0].integer, arguments[1].integer));
  using Function = double (*)(double);
  const Function function = llvm::StringSwitch<Function>(name)
                                .Case("sqrt", std::sqrt)
                                .Case("ceil", std::ceil)
                                .Case("floor", std::floor)
                                .Case("round", std::round)
                                .Case("log2", std::log2)
                                .Case("fabs", std::fabs)
                                .Default(nullptr);
  if (areNumbers && function) return rehearsedReal(function(arguments[0].number()));
  if (areNumbers && name == "pow" && arguments.size() == 2)
    return rehearsedReal(std::pow(arguments[0].number(), arguments[1].number()));
  return {};
}

std::optional<std::vector<Rehearsed>> scanned(StringRef text, StringRef format) {
  std::vector<Rehearsed> found;
  while (!format.empty()) {
    if (llvm::isSpace(format.front())) {
      format = format.ltrim(), text = text.ltrim();
      continue;
    }
    if (format.front() != '%') {
      if (!text.consume_front(format.take_front(1))) return found;
      format = format.drop_front();
      continue;
    }
    format = format.drop_front().ltrim("hlLzqj");
    const char kind = format.empty() ? 0 : format.front();
    format = format.drop_front(format.empty() ? 0 : 1);
    const std::string rest = text.ltrim().str();
    char *end = nullptr;
    if (kind == 'd' || kind == 'i' || kind == 'u')
      found.push_back(rehearsedInteger(std::strtoll(rest.c_str(), &end, kind == 'i' ? 0 : 10)));
    else if (kind == 'f' || kind == 'g' || kind == 'e') found.push_back(rehearsedReal(std::strtod(rest.c_str(), &end)));
    else return std::nullopt;
    if (end == rest.c_str()) {
      found.pop_back();
      return found;
    }
    text = text.ltrim().drop_front(size_t(end - rest.c_str()));
  }
  return found;
}

int OptionScan::next(llvm::ArrayRef<std::string> arguments, StringRef shortOptions,
                     llvm::ArrayRef<std::pair<std::string, bool>> longOptions, std::string &longName) {
  argument.reset();
  // Words that are no options are passed over, as GNU's getopt does.
  while (inside == 0 && index < arguments.size() && (arguments[index].size() < 2 || arguments[index][0] != '-'))
    ++index;
  if (index >= arguments.size()) return -1;
  const StringRef word = arguments[index];
  if (inside == 0 && word == "--") return ++index, -1;
  auto takeNext = [&] {
    if (index < arguments.size()) argument = arguments[index++];
  };
  if (inside == 0 && word.starts_with("--") && !longOptions.empty()) {
    ++index;
    auto [name, value] = word.drop_front(2).split('=');
    for (const auto &[known, wantsValue] : longOptions)
      if (StringRef(known).starts_with(name) && (known == name || name.size() > 1)) {
        longName = known;
        if (wantsValue && word.contains('=')) argument = value.str();
        else if (wantsValue) takeNext();
        return 0;
      }
    return '?';
  }
  const char option = word[inside == 0 ? inside = 1 : inside];
  ++inside;
  const size_t at = shortOptions.find(option);
  const bool isKnown = at != StringRef::npos && option != ':',
             wantsValue = isKnown && shortOptions.drop_front(at + 1).starts_with(":");
  if (wantsValue && inside < word.size()) argument = word.drop_front(inside).str();
  if (wantsValue || inside >= word.size()) ++index, inside = 0;
  if (wantsValue && !argument) takeNext();
  return isKnown ? option : '?';
}

} // namespace busfare::frontend
