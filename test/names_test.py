#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the names that files of the walk have for themselves against each other.

    clang-plugin/walk/Copying.cpp: matters is a name of clang-plugin/walk/Destructors.cpp, too

Several files that include Walk.h are given to the compiler as one (clang-plugin/CMakeLists.txt). A static function, or
one of an unnamed namespace, is then seen by the files behind it, and could be called there in place of another one of
that name: no compiler would say so.
"""
import collections
import glob
import os
import re
import sys

import layering_test

WALKS = re.compile(r'^#include "(Walk|OpenLoop)\.h"', re.M)
FUNCTION = re.compile(r"^(?:static )?(?:[\w:<>,*&.]+ )+[*&]?(\w+)\(")
CONSTANT = re.compile(r"^static (?:constexpr |const )+(?:[\w:<>,*&]+ )+[*&]?(\w+)(?:\[\w*\])?(?: = |\{|;)")
TYPE = re.compile(r"^(?:struct|class|enum class|enum) (\w+)[^;]*$")


def names_of(text):
    """(names that the file has for itself, functions that it defines for others)"""
    own, shared = set(), set()
    unnamed = False
    for line in text.splitlines():
        if line == "namespace {":
            unnamed = True
        elif line == "} // namespace":
            unnamed = False
        isOwn = unnamed or line.startswith("static ")
        for pattern in (TYPE, CONSTANT, FUNCTION):
            match = pattern.match(line)
            if not match or (pattern is FUNCTION and "::" in line.split("(")[0].split(" ")[-1]):
                continue
            if isOwn or pattern is TYPE:
                own.add(match.group(1))
            elif pattern is FUNCTION:
                shared.add(match.group(1))
            break
    return own, shared


def declared_in(text):
    """Functions and types that a header declares."""
    return {match.group(1) for line in text.splitlines() for pattern in (FUNCTION, TYPE) if (match := pattern.match(line))}


def violations_of(sources, headers):
    """sources, headers: path -> text."""
    owners = collections.defaultdict(list)
    declared = collections.defaultdict(list)
    for path, text in headers.items():
        for name in declared_in(text):
            declared[name].append(path)
    shared = {}
    for path, text in sorted(sources.items()):
        if not WALKS.search(text):
            continue
        own, shared[path] = names_of(text)
        for name in own:
            owners[name].append(path)
    found = []
    for name, paths in sorted(owners.items()):
        for path in paths[1:]:
            found.append(f"{path}: {name} is a name of {paths[0]}, too")
        for path in paths:
            if name in declared and name not in shared[path]: # else an overload of a function of its own
                found.append(f"{path}: {name} is declared in {declared[name][0]}, too")
    return found


def self_test():
    walk = '#include "Walk.h"\n'
    one = walk + "static bool isPlain(int x) { return x; }\nbool holds(int x) { return x; }\nstatic bool holds(char x) { return x; }\n"
    other = walk + "namespace {\nconst char *isPlain(long x) {\n}\n} // namespace\n"
    header = "bool holds(int x);\nstruct Part {\n};\n"
    cases = [
        ({"a.cpp": one}, {"h.h": header}, 0),
        ({"a.cpp": one, "b.cpp": other}, {}, 1),
        ({"a.cpp": one, "b.cpp": other.replace(walk, "")}, {}, 0),
        ({"a.cpp": walk + "static bool holds(char x) { return x; }\n"}, {"h.h": header}, 1),
        ({"a.cpp": walk + "namespace {\nstruct Part {\n};\n} // namespace\n"}, {"h.h": header}, 1),
        ({"a.cpp": walk + "static constexpr size_t most = 3;\n", "b.cpp": walk + "static const char *const most = 0;\n"}, {}, 1),
    ]
    failed = [k for k, (sources, headers, count) in enumerate(cases) if len(violations_of(sources, headers)) != count]
    for k in failed:
        print(f"self-test: case {k} gives {violations_of(*cases[k][:2])}")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    top = sys.argv[1]
    read = lambda pattern: {os.path.relpath(path, top): open(path, encoding="utf-8").read() for path in glob.glob(os.path.join(top, pattern))}
    found = violations_of(read("clang-plugin/walk/*.cpp"), {path: text for room in layering_test.ROOMS[layering_test.ROOMS.index("walk"):]
                                                             for path, text in read(f"clang-plugin/{room}/*.h").items()})
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
