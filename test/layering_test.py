#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds every #include of the tree against who may include whom.

    brs/Section.h:12: brs may not include projection/Machine.h

One direction: skeleton <- brs <- projection <- clang-plugin. Only clang-plugin includes clang/; llvm/ADT and
llvm/Support may be used anywhere (llvm/Config too, where versions are told); cl::opt nowhere. Debian keeps the headers
of LLVM and Clang in one directory, so a wrong include would compile. The folders at the top are fixed as well.
"""
import os
import re
import subprocess
import sys
import tempfile

MAY_INCLUDE = {
    "skeleton": {"skeleton"},
    "brs": {"brs", "skeleton"},
    "projection": {"projection", "brs", "skeleton"},
    "clang-plugin": {"clang-plugin", "projection", "brs", "skeleton"},
    # The probe is a second program: of the product it knows machine files and the models it measures for.
    "runtime-bench": {"runtime-bench", "projection"},
    "test": {"test", "clang-plugin", "projection", "brs", "skeleton", "runtime-bench"},
}
# The rooms of clang-plugin, from the top: each knows those below it.
ROOMS = ["cli", "port", "units", "verify", "walk", "rehearsal", "records", "library", "hints", "lower", "values"]
WITHOUT_CLANG = {"cli", "verify", "values"}
BENCH_MAY = {"projection/Machine.h", "projection/Blas.h", "projection/BlasTiles.h", "projection/BlasPipeline.h",
             "projection/BlasPanels.h", "projection/BlasRate.h",
             "projection/LibraryWork.h", "projection/Link.h", "projection/Units.h"}
TOP = set(MAY_INCLUDE) | {"CMakeLists.txt", "CMakePresets.json", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "docs"}
SOURCES = (".h", ".cpp", ".cu", ".cuh")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def wrong_room(path, name):
    """Why a file of one room of clang-plugin may not include a header of another; empty: it may."""
    own, other = (one.split("/")[1] if one.count("/") > 1 else "" for one in (path, name))
    for room in (own, other):
        if room not in ROOMS:
            return f"{room or name} is not a room of clang-plugin"
    return f"{own} may not include {name}" if ROOMS.index(other) < ROOMS.index(own) else ""


def violations_of(path, text, beside=frozenset()):
    """The wrong includes of one file; path is relative to the top, beside holds the headers a bare name may mean."""
    folder = path.split("/")[0]
    allowed = MAY_INCLUDE.get(folder)
    found = []
    if allowed is None:
        return [f"{path}: {folder}/ is not a folder of the tree"]
    # What programs to be analysed and lit inputs include is their own matter: they are data.
    if path.startswith(("test/programs/", "test/lit/", "test/corpus/")):
        return []
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\bcl::(opt|list|bits|alias)\b", line) and not line.lstrip().startswith(("//", "///")):
            found.append(f"{path}:{number}: cl::opt and its kin are used nowhere: options are parsed by Options")
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(2)
        head = name.split("/")[0]
        if head in ("clang", "clang-c"):
            if folder == "clang-plugin" and path.split("/")[1] in WITHOUT_CLANG:
                found.append(f"{path}:{number}: {path.split('/')[1]} knows nothing of Clang: {name}")
            if folder != "clang-plugin":
                found.append(f"{path}:{number}: only clang-plugin may include {name}")
        elif head in ("llvm", "llvm-c"):
            layer = name.split("/")[1]
            if layer not in ("ADT", "Support", "Config") and folder not in ("clang-plugin", "test"):
                found.append(f"{path}:{number}: of LLVM only ADT and Support may be used, not {name}")
            if layer == "Support" and name.endswith("CommandLine.h"):
                found.append(f"{path}:{number}: {name} is used nowhere: options are parsed by Options")
        elif head == "isl" and folder not in ("brs", "test"):
            found.append(f"{path}:{number}: only brs may include {name}")
        elif match.group(1) == '"':
            if name in beside or (folder == "test" and head in ("gtest", "gmock")):
                continue
            if "/" not in name or head not in MAY_INCLUDE:
                found.append(f'{path}:{number}: "{name}" does not start with a folder of the tree')
            elif head not in allowed:
                found.append(f"{path}:{number}: {folder} may not include {name}")
            elif folder == head == "clang-plugin" and (why := wrong_room(path, name)):
                found.append(f"{path}:{number}: {why}")
            elif folder == "runtime-bench" and head == "projection" and name not in BENCH_MAY:
                found.append(f"{path}:{number}: runtime-bench may not include {name}")
    return found


def paths_of(top):
    """Every file of the tree that git does not ignore; without git or its history, every file outside builds."""
    try:
        listed = subprocess.run(["git", "-C", top, "ls-files", "-co", "--exclude-standard"], capture_output=True,
                                text=True, check=True)
        return [p for p in listed.stdout.splitlines() if os.path.exists(os.path.join(top, p))]
    except (OSError, subprocess.CalledProcessError):
        paths = []
        for folder, below, names in os.walk(top):
            below[:] = [b for b in below if b not in ("__pycache__", "node_modules", ".git")
                        and not (folder == top and b.startswith("build"))]
            paths += [os.path.relpath(os.path.join(folder, name), top) for name in names]
        return paths


def check(top):
    """All violations, and how many files were read."""
    paths = paths_of(top)
    found, read = [], 0
    for name in sorted({p.split("/")[0] for p in paths}):
        if name not in TOP and not name.startswith("."):
            found.append(f"{name}: the top level is fixed; see the tour in CONTRIBUTING.md")
    headers = {}
    for path in paths:
        headers.setdefault(os.path.dirname(path), set()).add(os.path.basename(path))
    for path in sorted(paths):
        if path.split("/")[0] in MAY_INCLUDE and path.endswith(SOURCES):
            with open(os.path.join(top, path), encoding="utf-8") as file:
                # A header of the same folder may go by its bare name, and tests have test/support on their path.
                beside = headers[os.path.dirname(path)] | (headers.get("test/support", set())
                                                           if path.startswith("test/") else set())
                found += violations_of(path, file.read(), beside)
            read += 1
    return found, read


def self_test():
    wrong = [
        ("skeleton/A.h", '#include "brs/Section.h"'),
        ("brs/A.cpp", '#include "projection/Machine.h"'),
        ("brs/A.cpp", "#include <clang/AST/Decl.h>"),
        ("brs/A.cpp", '#include "clang/AST/Decl.h"'),
        ("clang-plugin/units/A.cpp", '#include "clang-plugin/cli/Options.h"'),
        ("clang-plugin/walk/A.cpp", '#include "clang-plugin/A.h"'),
        ("clang-plugin/cli/A.cpp", '#include "clang/AST/Decl.h"'),
        ("projection/A.cpp", '  #  include "clang-plugin/cli/Options.h"'),
        ("projection/A.cpp", '#include "llvm/IR/Module.h"'),
        ("projection/report/A.cpp", "#include <isl/set.h>"),
        ("runtime-bench/link.cu", '#include "brs/Section.h"'),
        ("runtime-bench/link.cu", '#include "projection/Plan.h"'),
        ("clang-plugin/cli/Main.cpp", '#include "llvm/Support/CommandLine.h"'),
        ("clang-plugin/cli/Main.cpp", "static llvm::cl::opt<bool> quiet;"),
        ("skeleton/A.h", '#include "Expr.h"'),
        ("util/A.h", "int x;"),
    ]
    right = [
        ("brs/A.cpp", '#include "skeleton/Expr.h"\n#include <isl/set.h>\n#include "llvm/ADT/StringRef.h"\n#include <vector>'),
        ("clang-plugin/walk/A.cpp", '#include "clang/AST/Decl.h"\n#include "projection/Project.h"'),
        ("clang-plugin/units/A.cpp", '#include "clang-plugin/lower/Types.h"\n#include "clang-plugin/units/Cache.h"'),
        ("test/brs/ATest.cpp", '#include "brs/Section.h"\n#include <gtest/gtest.h>'),
        ("test/programs/a.c", '#include "mine.h"'),
        ("skeleton/A.cpp", "// cl::opt is used nowhere"),
    ]
    for path, text in wrong:
        assert len(violations_of(path, text)) == 1, (path, text, violations_of(path, text))
    for path, text in right:
        assert violations_of(path, text) == [], (path, text, violations_of(path, text))
    with tempfile.TemporaryDirectory() as top:
        os.makedirs(os.path.join(top, "brs"))
        os.makedirs(os.path.join(top, "util"))
        open(os.path.join(top, "util", "x.h"), "w").close()
        with open(os.path.join(top, "brs", "A.h"), "w") as file:
            file.write('#include "projection/Machine.h"\n#include "A.h"\n#include "B.h"\n')
        found, read = check(top)
        assert read == 1 and len(found) == 3, (found, read)
    print("layering_test: the checker refuses what it must")


def main():
    if sys.argv[1:2] == ["--self-test"]:
        self_test()
        return 0
    found, read = check(sys.argv[1])
    for line in found:
        print(line)
    print(f"layering_test: {read} files, {len(found)} violations")
    return 1 if found or read < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
