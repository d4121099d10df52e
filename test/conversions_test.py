#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No value is asked of an expression that was stripped of its conversions.

`a[std::min<uint8_t>(i, 255)]` has the shape of a call that is given `i`, and the value of one that is given `(uint8_t)i`.
Clang's Ignore... functions, and ours that use them, give the shape. What the walk evaluates (lvalue, load, rvalue, integer,
pointer, handle, initialize) must be the expression itself, or what boundPlace says that a reference binds to.
"""
import os
import re
import sys

ROOMS = ("hints", "library", "lower", "records", "rehearsal", "walk")

STRIPS = r"(?:->Ignore(?:Implicit|ParenImpCasts|ParenCasts|ImpCasts|Casts|UnlessSpelledInSource)\(\)|\bwithoutWrappers\(|\bwithoutLiteral\(|\bstrip\()"
VALUES = r"(?<![\w>.:])(?:lvalue|load|rvalue|integer|integerData|pointer|handle|storeAway)"
ASSIGNED = re.compile(r"\b(\w+) = ([^;,]*?" + STRIPS + r"[^;]*)")
ASKED = re.compile(VALUES + r"\((?P<argument>[^;]*)")


def first_argument(text):
    """Up to the comma or parenthesis that ends it."""
    depth = 0
    for at, letter in enumerate(text):
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            if depth == 0:
                return text[:at]
            depth -= 1
        elif letter == "," and depth == 0:
            return text[:at]
    return text


def without_bound(text):
    """The text but for calls of boundPlace: what they give may be asked."""
    while (at := text.find("boundPlace(")) >= 0:
        inside = first_argument(text[at + len("boundPlace("):])
        text = text[:at] + text[at + len("boundPlace(") + len(inside) + 1:]
    return text


def statements(text):
    """(number of its first line, code on one line): lines are joined while a parenthesis is open or a statement goes on."""
    first, code = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.split("//")[0].rstrip()
        first = first if code else number
        code = code + " " + plain.strip() if code else plain
        if not plain or plain.lstrip().startswith("#") or plain.endswith((";", "{", "}", ":")):
            yield first, code
            code = ""
    if code:
        yield first, code


def violations(name, text):
    found = []
    stripped = set()
    for number, line in statements(text):
        code = line
        if line.startswith("}"):
            stripped = set()
        for variable, value in ASSIGNED.findall(code):
            if re.search(STRIPS, without_bound(value)):
                stripped.add(variable)
        # What stands behind `<` or `as` a certain kind of expression has conversions of its own.
        for asked in ASKED.finditer(code):
            argument = without_bound(first_argument(asked["argument"])).strip()
            if argument in stripped or re.search(STRIPS + r"\s*$", argument) or re.fullmatch(r"(?:strip|withoutWrappers|withoutLiteral)\(.*\)", argument):
                found.append(f"{name}:{number}: asks a value of what was stripped of its conversions: {line.strip()}")
    return found


def check(source):
    folder = os.path.join(source, "clang-plugin")
    found = []
    for room in ROOMS:
        for name in sorted(os.listdir(os.path.join(folder, room))):
            if name.endswith((".cpp", ".h")) and name != "AstQueries.cpp":
                with open(os.path.join(folder, room, name)) as file:
                    found += violations(f"{room}/{name}", file.read())
    return found


def self_test():
    wrong = [
        "  Value v = integer(argument->IgnoreImplicit());\n",
        "  const clang::Expr *plain = argument->IgnoreParenImpCasts();\n  Place place = lvalue(plain);\n",
        "  auto *made = withoutWrappers(argument);\n  return load(made, data);\n",
        "  read(lvalue(strip(target)), location);\n",
    ]
    right = [
        "  Value v = integer(argument);\n",
        "  const clang::Expr *bound = boundPlace(argument);\n  Place place = lvalue(bound);\n",
        "  const clang::Expr *bound = boundPlace(withoutWrappers(expr));\n  return load(bound, data);\n",
        "  const clang::Expr *plain = argument->IgnoreImplicit();\n}\n  load(plain, data);\n",
        "  if (llvm::isa<clang::CallExpr>(expr->IgnoreImplicit())) rvalue(expr, true);\n",
    ]
    found = [f"not refused: {text}" for text in wrong if not violations("x.cpp", text)]
    return found + [f"refused: {text}" for text in right if violations("x.cpp", text)]


def main():
    found = self_test() if sys.argv[1:] == ["--self-test"] else check(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
