//===- test/generator/PrintForms.cpp - Conversions, spelled ----------------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/generator/PrintForms.h"

namespace busfare::generator {

namespace {

struct NarrowType {
  std::string spelled, tag, most; ///< `unsigned char`, `u8`, its greatest value.
};

NarrowType typeOf(const Expression &narrow, bool isCxx) {
  if (narrow.number == 1) return {isCxx ? "bool" : "_Bool", "bool", "true"};
  return narrow.number == 8 ? NarrowType{"unsigned char", "u8", "255"} : NarrowType{"unsigned short", "u16", "65535"};
}

} // namespace

const std::vector<std::string> &spellingsOfNarrow(bool isCxx) {
  static const std::vector<std::string> c = {"cast", "as", "to", "field"},
                                        cxx = {"cast", "as", "to", "field", "min", "pair", "lambda", "ref"};
  return isCxx ? cxx : c;
}

Spelled spellNarrow(const Expression &narrow, const std::string &inner, const std::string &tight, bool isCxx) {
  const auto [type, tag, most] = typeOf(narrow, isCxx);
  const std::string &how = narrow.name;
  if (how == "as")
    return {"as_" + tag + "(" + inner + ")", {"static int as_" + tag + "(" + type + " k) { return k; }"}};
  if (how == "to")
    return {"to_" + tag + "(" + inner + ")", {"static " + type + " to_" + tag + "(int k) { return (" + type + ")k; }"}};
  if (how == "field" && isCxx) // braces would not let an int in
    return {"low_" + tag + "(" + inner + ").k",
            {"struct low_" + tag + " { low_" + tag + "(" + type + " k) : k(k) {} " + type + " k; };"}};
  if (how == "field")
    return {"((struct low_" + tag + "){" + inner + "}).k", {"struct low_" + tag + " { " + type + " k; };"}};
  if (how == "min" && isCxx) return {"std::min<" + type + ">(" + inner + ", " + most + ")", {"#include <algorithm>"}};
  if (how == "pair" && isCxx) // in parentheses: a macro would end its argument at the comma
    return {"(std::pair<" + type + ", int>(" + inner + ", 0)).first", {"#include <utility>"}};
  if (how == "lambda" && isCxx)
    return {"([](const " + type + " &k) { return int(k); }(" + inner + "))", {}}; // `[[` would begin an attribute
  if (how == "ref" && isCxx)
    return {"ref_" + tag + "(" + inner + ")", {"static int ref_" + tag + "(const " + type + " &k) { return k; }"}};
  return {"(" + type + ")" + tight, {}};
}

Spelled spellBound(const Expression &narrow, const std::string &name, const std::string &inner, bool isCxx) {
  const std::string type = typeOf(narrow, isCxx).spelled;
  if (isCxx)
    return {"auto [" + name + ", " + name + "_rest] = std::pair<" + type + ", int>(" + inner + ", 0);",
            {"#include <utility>"}};
  return {type + " " + name + " = " + inner + ";", {}};
}

} // namespace busfare::generator
