//===- projection/Terms.cpp - What a modelled time is made of -------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "projection/Terms.h"
#include "projection/MachineTable.h"
#include "projection/report/Figures.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstdio>
#include <functional>

using llvm::StringRef;

namespace busfare::projection {

/// By how a key ends.
static std::string unitOf(StringRef key) {
  static const std::pair<StringRef, StringRef> endings[] = {{"_bytes_per_s", "B/s"}, {"_s_per_byte", "s/B"},
                                                            {"_hz", "Hz"},           {"_bytes", "B"},
                                                            {"_cycles", "cycles"},   {"_s", "s"}};
  for (const auto &[ending, unit] : endings)
    if (key.ends_with(ending)) return unit.str();
  return "";
}

template <class Part, class Fields>
static TermInput inputIn(StringRef part, const Fields &fields, const Part &of, const Quantity &number) {
  for (const auto &field : fields)
    if (&(of.*field.member) == &number) {
      std::string key = (part + "." + field.key).str();
      return {key, number.value, unitOf(key), toString(number.kind).str(), number.source};
    }
  assert(false && "the number is one of the part's table");
  return {part.str(), number.value, "", toString(number.kind).str(), number.source};
}

TermInput inputOf(const Host &host, const Quantity &number) { return inputIn("host", hostFields, host, number); }
TermInput inputOf(const Link &link, const Quantity &number) { return inputIn("link", linkFields, link, number); }
TermInput inputOf(const Gpu &gpu, const Quantity &number) { return inputIn("gpu", gpuFields, gpu, number); }

/// Four digits: "1.4e12".
static std::string shortNumber(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.4g", value);
  std::string text = digits;
  // 1.4e+12 -> 1.4e12, 3e-06 -> 3e-6
  for (const auto &[sign, plain] : {std::pair("e+0", "e"), std::pair("e+", "e"), std::pair("e-0", "e-")})
    if (size_t at = text.find(sign); at != std::string::npos) text.replace(at, StringRef(sign).size(), plain);
  return text;
}

std::string formatCount(double value) {
  bool isWhole = value == std::floor(value) && value >= 0 && value < 1e9;
  return isWhole ? formatExact(uint64_t(value)) : shortNumber(value);
}

std::string formatInput(const TermInput &input) {
  if (input.unit == "s") return formatTime(input.value);
  return formatCount(input.value) + (input.unit.empty() ? "" : " " + input.unit);
}

/// The formula with text(i) for {i}.
static std::string substituted(StringRef formula, const std::function<std::string(size_t)> &text) {
  std::string result;
  while (!formula.empty()) {
    size_t open = formula.find('{');
    result += formula.take_front(open).str();
    if (open == StringRef::npos) break;
    formula = formula.drop_front(open + 1);
    unsigned long long number = 0;
    bool failed = llvm::consumeUnsignedInteger(formula, 10, number);
    assert(!failed && "braces hold the number of an input");
    (void)failed;
    formula.consume_front("}");
    result += text(number);
  }
  return result;
}

std::string spelledFormula(const TimeTerm &term) {
  return substituted(term.formula, [&](size_t i) { return term.inputs[i].name; });
}

std::string formulaInNumbers(const TimeTerm &term) {
  return substituted(term.formula, [&](size_t i) { return formatInput(term.inputs[i]); });
}

} // namespace busfare::projection
