#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which sources the compiler may be given as one, which saves reading the same headers again.

    unity_groups.py FOLDER FILE...   ->   lines NUMBER FILE, for CMake's UNITY_GROUP

Files of one group have no name of their own in common, none that a header of their folder, or of the one above, declares otherwise, the same
using-lines, and know the same of the command line and of the other folders: the compiler's plugin takes from the library
what it needs, and is not to get the rest with it. A file that is like no other is in no line.
"""
import collections
import glob
import os
import re
import sys

import names_test

MOST = 8
USING = re.compile(r"^using (?:namespace )?[\w:]+;", re.M)
TEMPLATE = re.compile(r"^template <[^{]*> static (?:[\w:<>,*&.]+ )+[*&]?(\w+)\(", re.M)
ALIAS = re.compile(r"^(?:using|struct|class|enum class|enum) (\w+)\b(?: = |.*\{.*\};)", re.M)
VARIABLE = re.compile(r"^(?:static |inline |constexpr |const )+(?:[\w:<>,*&]+ )+[*&]?(\w+)(?:\[\w*\])?(?: = |\{|;)", re.M)


INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def reached(path, top, known):
    """Of a file, and all that it includes: the folders, and whether it knows the command line's options."""
    if path in known:
        return known[path]
    known[path] = found = set()
    with open(os.path.join(top, path), encoding="utf-8") as text:
        names = INCLUDE.findall(text.read())
    for name in names:
        for one in (name, os.path.join(os.path.dirname(path), name)):
            if os.path.exists(os.path.join(top, one)):
                found |= {one if one.endswith("/Options.h") else one.split("/")[0]} | reached(one, top, known)
                break
    return found


def groups_of(texts, declared, knows=lambda path: ()):
    """texts: path -> text, in order; declared: names of headers. Lists of paths."""
    groups = []
    for path, text in texts.items():
        own, shared = names_test.names_of(text)
        own |= set(TEMPLATE.findall(text)) | set(VARIABLE.findall(text)) | set(ALIAS.findall(text))
        if "#define" in text or own & (declared - shared):
            continue
        using = (tuple(sorted(set(USING.findall(text)))), tuple(sorted(knows(path))))
        # Functions that it defines for others are not to be mistaken for another's own.
        fit = next((one for one in groups if one["using"] == using and len(one["paths"]) < MOST and not own & one["all"] and not shared & one["own"]), None)
        if fit is None:
            fit = {"using": using, "paths": [], "own": set(), "all": set()}
            groups.append(fit)
        fit["paths"].append(path)
        fit["own"] |= own
        fit["all"] |= own | shared
    return [one["paths"] for one in groups if len(one["paths"]) > 1]


def self_test():
    one, other = "static int isPlain(int x) {\n", "namespace {\nstruct Part {\n};\n} // namespace\n"
    assert groups_of({"a": one, "b": other, "c": one}, set()) == [["a", "b"]]
    assert groups_of({"a": one, "b": other}, {"Part"}) == []
    assert groups_of({"a": "using llvm::StringRef;\n" + one, "b": other}, set()) == []
    assert groups_of({"a": "template <class T> static void wrong(T x) {\n", "b": "static bool wrong = false;\n"}, set()) == []
    assert groups_of({"a": "using Part = int;\n", "b": other}, set()) == []
    assert groups_of({"a": "const char *const wrong = 0;\n", "b": "constexpr int wrong = 1;\n"}, set()) == []
    assert groups_of({"a": "int isPlain(long x) {\n", "b": one}, set()) == []
    assert groups_of({"a": one, "b": other}, set(), lambda path: path) == []
    assert len(groups_of({str(k): "" for k in range(MOST + 2)}, set())) == 2
    print("unity_groups: files that do not go together are kept apart")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    folder, *files = sys.argv[1:]
    declared = set()
    for header in glob.glob(os.path.join(folder, "*.h")) + glob.glob(os.path.join(os.path.dirname(folder), "*.h")):
        with open(header, encoding="utf-8") as text:
            said = text.read()
            declared |= names_test.declared_in(said) | set(ALIAS.findall(said)) | set(VARIABLE.findall(said))
    texts = {}
    for path in files:
        with open(path, encoding="utf-8") as text:
            texts[path] = text.read()
    top, known = os.path.dirname(os.path.dirname(os.path.abspath(__file__))), {}
    knows = lambda path: reached(os.path.relpath(path, top), top, known)
    for number, group in enumerate(groups_of(texts, declared, knows)):
        for path in group:
            print(number, path)


if __name__ == "__main__":
    main()
