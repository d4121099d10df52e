#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proves that nothing which looks like a test is left out of the run, and that rules and their pages agree.

- Every test/*/...Test.cpp lies in a folder whose program ctest runs, and every TEST in it is a test ctest lists.
- Every file below test/lit lies in a suite that ctest runs, and lit lists it (a file with a suffix that lit does not
  know, or outside a suite, would never run); each has a RUN line, and one that pipes into FileCheck has a CHECK line.
- Every *_test.py of test/ is run, and its self-test too; every program of test/programs has its expected output.
- The enumerators of Rule in skeleton/Finding.h and the pages brs/rules/BF*.md are the same rules, and each has a test
  test/lit/rules/BF*.* that provokes its finding.
- The table in test/lit/constructs/README.md has a row for each program there, with the result that the program's CHECK
  lines expect.
"""
import glob
import json
import os
import re
import subprocess
import sys

SUFFIXES = (".c", ".cpp", ".skel", ".test")
GTEST = re.compile(r"^\s*(TEST|TEST_F|TEST_P)\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.M)
TYPED = re.compile(r"^\s*TYPED_TEST(_P)?\s*\(", re.M)


def unit_violations(path, text, listed):
    """What of one *Test.cpp ctest does not list; listed holds names as `folder.Suite.Name`."""
    folder = os.path.basename(os.path.dirname(path))
    tests = GTEST.findall(text)
    if TYPED.search(text):
        return [f"{path}: typed tests have no name ctest could be asked for; write them out"]
    if not tests:
        return [f"{path}: holds no TEST"]
    found = []
    for kind, suite, name in tests:
        if name.startswith("DISABLED_") or suite.startswith("DISABLED_"):
            found.append(f"{path}: {suite}.{name} is switched off")
        elif kind == "TEST_P":
            # Value-parameterised: prefix/Suite.Name/value
            shape = re.compile(rf"^{folder}\.(\w+/)?{suite}\.{name}/")
            if not any(shape.match(entry) for entry in listed):
                found.append(f"{path}: {suite}.{name} is instantiated nowhere that ctest runs")
        elif f"{folder}.{suite}.{name}" not in listed:
            found.append(f"{path}: {suite}.{name} is not run by ctest")
    return found


def lit_violations(path, text, listed):
    """path is relative to test/lit; listed holds what lit says it runs in the suites of ctest."""
    if "/Inputs/" in "/" + path or path == ".clang-format":
        return []
    found = []
    if not path.endswith(SUFFIXES):
        found.append(f"test/lit/{path}: lit runs files with {', '.join(SUFFIXES)} alone; what a test reads goes to Inputs/")
    elif path not in listed:
        found.append(f"test/lit/{path}: lit does not list it in a suite that ctest runs")
    runs = [line for line in text.splitlines() if re.search(r"\bRUN:", line)]
    if path.endswith(SUFFIXES) and not runs:
        found.append(f"test/lit/{path}: has no RUN line")
    prefixes = set()
    for run in runs:
        if "FileCheck" in run:
            given = re.findall(r"--?check-prefix(?:es)?[= ]([\w,-]+)", run)
            prefixes |= set(",".join(given).split(",")) if given else {"CHECK"}
            if re.search(r"FileCheck\s+\S*Inputs/", run):
                prefixes.discard("CHECK")
    for prefix in prefixes:
        if not re.search(rf"\b{prefix}(-[A-Z0-9-]+)?(\{{.*?\}})?:", text):
            found.append(f"test/lit/{path}: FileCheck is asked for {prefix}, which no line has")
    return found


def rule_violations(header, pages, tests):
    """header is the text of Finding.h, pages maps BF001 to the text of its page, tests to that of its test."""
    body = re.search(r"enum class Rule \{(.*?)\};", header, re.S)
    ids = re.findall(r"///<\s*(BF\d{3}):", body.group(1)) if body else []
    names = re.findall(r"^\s*(\w+),", body.group(1), re.M) if body else []
    found = [f"brs/rules/{rule}.md is missing" for rule in ids if rule not in pages]
    found += [f"brs/rules/{rule}.md speaks of no rule of Finding.h" for rule in pages if rule not in ids]
    found += [f"brs/rules/{rule}.md is nearly empty" for rule, text in pages.items() if len(text.split()) < 20]
    found += [f"brs/rules/{rule}.md does not name {rule} in its first line" for rule, text in pages.items()
              if rule not in text.split("\n")[0]]
    found += [f"test/lit/rules/{rule}.* is missing: a test that provokes the finding" for rule in ids if rule not in tests]
    found += [f"test/lit/rules/{rule}.* tests no rule of Finding.h" for rule in tests if rule not in ids]
    found += [f"test/lit/rules/{rule}.* expects no located finding" for rule, text in tests.items()
              if not re.search(rf"CHECK.*{rule}\.\w+:", text)]
    found += [f"brs/rules/{rule}.md has no section '{part}'" for rule, text in pages.items()
              for part in ("## What it costs", "## What to do") if part not in text]
    if not ids:
        found.append("skeleton/Finding.h: no rule was found in it")
    if len(ids) != len(names) or len(set(ids)) != len(ids):
        found.append(f"skeleton/Finding.h: {len(names)} rules, {len(set(ids))} different ids")
    return found


def construct_violations(readme, programs):
    """programs maps names to texts; what the table says of each is what its CHECK lines expect."""
    rows = dict(re.findall(r"^\|[^|]*\| (\S+) \| ([^|]*) \|", readme, re.M))
    found = [f"test/lit/constructs/{name}: README.md has no row for it" for name in programs if name not in rows]
    found += [f"test/lit/constructs/README.md: {name} is not there" for name in rows if "." in name and name not in programs]
    for name, text in programs.items():
        kernels = re.search(r"CHECK: .*?(\d+ kernels?);", text)
        mutants = re.search(r"CHECK: Mutants: (\d+) caught, (\d+) excused, 0 survived", text)
        if kernels and mutants:
            excused = f", {mutants[2]} excused" if mutants[2] != "0" else ""
            said = f"passed, {kernels[1]}, {mutants[1]} mutants caught{excused}"
        else:
            said = "nothing to run" if "CHECK: verify: nothing to run" in text else None
        if name in rows and rows[name] != said:
            found.append(f"test/lit/constructs/{name}: README.md says '{rows[name]}', the test expects '{said}'")
    return found


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def ctest_entries(build):
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True)
    return [test["name"] for test in json.loads(shown.stdout)["tests"]]


def lit_entries(build, suite):
    listing = [line for line in read(os.path.join(build, "test", "CTestTestfile.cmake")).splitlines()
               if f'add_test(lit.{suite} ' in line or f'add_test([=[lit.{suite}]=]' in line]
    command = re.findall(r'"([^"]+)"', listing[0])
    shown = subprocess.run(command + ["--show-tests"], capture_output=True, text=True, check=True)
    return [line.split("::", 1)[1].strip() for line in shown.stdout.splitlines() if "::" in line]


def check(top, build):
    found, seen = [], 0
    listed = set(ctest_entries(build))
    for path in sorted(glob.glob(os.path.join(top, "test", "**", "*Test.cpp"), recursive=True)):
        found += unit_violations(os.path.relpath(path, top), read(path), listed)
        seen += 1
    lit_top = os.path.join(top, "test", "lit")
    lit_listed = set()
    for entry in listed:
        if entry.startswith("lit."):
            lit_listed |= set(lit_entries(build, entry[len("lit."):]))
    for folder, _, names in os.walk(lit_top):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), lit_top)
            if not path.endswith(".md"):
                found += lit_violations(path, read(os.path.join(lit_top, path)), lit_listed)
                seen += 1
    for path in sorted(glob.glob(os.path.join(top, "test", "*_test.py"))):
        name = os.path.basename(path)[:-3]
        for entry in (f"tree.{name}", f"tree.{name}.selftest"):
            if entry not in listed:
                found.append(f"test/{name}.py: ctest does not run {entry}")
        seen += 1
    programs = os.path.join(top, "test", "programs")
    for path in sorted(glob.glob(os.path.join(programs, "*.c")) + glob.glob(os.path.join(programs, "*.cpp"))):
        name = os.path.basename(path)
        if not os.path.exists(os.path.join(programs, "expected", name + ".txt")):
            found.append(f"test/programs/{name}: expected/{name}.txt is missing; test/update_checks programs writes it")
        if name not in read(os.path.join(programs, "README.md")):
            found.append(f"test/programs/{name}: README.md does not speak of it")
        seen += 1
    constructs = {os.path.basename(p): read(p) for p in glob.glob(os.path.join(lit_top, "constructs", "*.c*"))}
    found += construct_violations(read(os.path.join(lit_top, "constructs", "README.md")), constructs)
    pages = {os.path.basename(p)[:-3]: read(p) for p in glob.glob(os.path.join(top, "brs", "rules", "BF*.md"))}
    tests = {os.path.basename(p).split(".")[0]: read(p) for p in glob.glob(os.path.join(lit_top, "rules", "BF*"))}
    found += rule_violations(read(os.path.join(top, "skeleton", "Finding.h")), pages, tests)
    return found, seen


def self_test():
    unit = "test/brs/SectionTest.cpp"
    good = "TEST(Section, Unites) {}\nTEST_P(Every, Pair) {}\n"
    listed = {"brs.Section.Unites", "brs.Small/Every.Pair/0"}
    assert unit_violations(unit, good, listed) == []
    assert unit_violations(unit, good, {"brs.Section.Unites"})
    assert unit_violations(unit, good, {"brs.Small/Every.Pair/0"})
    assert unit_violations(unit, "TEST(Section, DISABLED_Unites) {}", listed)
    assert unit_violations(unit, "int x;", listed)
    assert unit_violations("test/other/SectionTest.cpp", good, listed)

    run = "// RUN: %busfare extract %s | %FileCheck %s\n"
    assert lit_violations("extract/a.c", run + "// CHECK: read\n", {"extract/a.c"}) == []
    assert lit_violations("extract/Inputs/a.h", "", set()) == []
    assert lit_violations("extract/a.c", run + "// CHECK: read\n", set())
    assert lit_violations("extract/a.c", "// CHECK: read\n", {"extract/a.c"})
    assert lit_violations("extract/a.c", run, {"extract/a.c"})
    assert lit_violations("extract/a.cc", run + "// CHECK: read\n", {"extract/a.cc"})
    assert lit_violations("other/a.c", run + "// CHECK: read\n", {"extract/a.c"})
    prefixed = "// RUN: %busfare x %s | %FileCheck --check-prefix=JSON %s\n"
    assert lit_violations("cli/a.c", prefixed + "// CHECK: x\n", {"cli/a.c"})
    assert lit_violations("cli/a.c", prefixed + "// JSON-NEXT: x\n", {"cli/a.c"}) == []

    table = "| construct | program | verify | why |\n| --- | --- | --- | --- |\n| casts | a.c | passed, 1 kernel, 4 mutants caught, 2 excused | |\n"
    checks = "// CHECK: {{^ *}}1 kernel;\n// CHECK: Mutants: 4 caught, 2 excused, 0 survived\n"
    assert construct_violations(table, {"a.c": checks}) == []
    assert construct_violations(table, {"a.c": checks.replace("1 kernel", "2 kernels")})
    assert construct_violations(table, {"a.c": checks.replace("0 survived", "1 survived")})
    assert construct_violations(table, {"a.c": "// CHECK: verify: passed\n"})
    assert construct_violations(table, {"a.c": checks, "b.c": checks})
    assert construct_violations(table, {})
    host = "| casts | a.c | nothing to run | it is no loop |\n"
    assert construct_violations(host, {"a.c": "// CHECK: verify: nothing to run\n"}) == []

    header = "enum class Rule {\n  One, ///< BF001: x.\n  Two, ///< BF002: y.\n};\n"
    page = " word" * 30 + "\n## What it costs\nx\n## What to do\ny\n"
    pages = {"BF001": "# BF001" + page, "BF002": "# BF002" + page}
    tests = {"BF001": "// CHECK: BF001.c:3:1: note", "BF002": "// CHECK: BF002.cpp:[[#@LINE-1]]:3: note"}
    assert rule_violations(header, pages, tests) == []
    assert rule_violations(header, {"BF001": pages["BF001"]}, tests)
    assert rule_violations(header, dict(pages, BF003="# BF003" + page), tests)
    assert rule_violations(header, dict(pages, BF002="# BF002"), tests)
    assert rule_violations(header, dict(pages, BF002="# other" + page), tests)
    assert rule_violations(header, dict(pages, BF002=pages["BF002"].replace("## What to do", "")), tests)
    assert rule_violations(header, pages, {"BF001": tests["BF001"]})
    assert rule_violations(header, pages, dict(tests, BF003="// CHECK: BF003.c:1:1: note"))
    assert rule_violations(header, pages, dict(tests, BF002="// CHECK: something"))
    assert rule_violations("enum class Rule {\n  One,\n};\n", {}, {})
    print("registered_test: the checker refuses what it must")


def main():
    if sys.argv[1:2] == ["--self-test"]:
        self_test()
        return 0
    found, seen = check(sys.argv[1], sys.argv[2])
    for line in found:
        print(line)
    print(f"registered_test: {seen} files, {len(found)} violations")
    return 1 if found or seen < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
