#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every C++ file of the tree looks as .clang-format says.

    brs/Section.h:12:3: code should be clang-formatted

`clang-format-19 -i FILE` mends it. Inputs of tests are data (test/lit/.clang-format and its like).
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import layering_test

FORMATTERS = ("clang-format-19", "/usr/lib/llvm-19/bin/clang-format")
WRONG = re.compile(r"^(\S+:\d+:\d+): error: (code should be clang-formatted)", re.M)


def formatter():
    return next((path for name in FORMATTERS if (path := shutil.which(name))), None)


def violations(program, top, paths):
    """One line a place; the formatter is given forty files at a time, two at once."""
    batches = [paths[k:k + 40] for k in range(0, len(paths), 40)]
    found, running = [], []

    def collect(process):
        said = process.communicate()[1]
        found.extend(": ".join(match) for match in WRONG.findall(said))
        if process.returncode and not WRONG.search(said):
            found.append(said.strip() or f"{program} failed")

    for batch in batches:
        running.append(subprocess.Popen([program, "--dry-run", "-Werror", *batch], cwd=top, stderr=subprocess.PIPE, text=True))
        if len(running) == 2:
            collect(running.pop(0))
    for process in running:
        collect(process)
    return found


def self_test(program):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("Wrong.cpp", "int  a;\n"), ("Right.cpp", "int a;\n"), (".clang-format", "BasedOnStyle: LLVM\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        found = violations(program, folder, ["Right.cpp", "Wrong.cpp"])
    if [line.split(":")[0] for line in found] != ["Wrong.cpp"]:
        print(f"self-test: {found}")
        return 1
    return 0


def main():
    program = formatter()
    if not program:
        print("clang-format-19 is not there")
        return 1
    if sys.argv[1:] == ["--self-test"]:
        return self_test(program)
    top = sys.argv[1]
    paths = [path for path in layering_test.paths_of(top) if path.endswith((".h", ".cpp", ".cu", ".cuh"))]
    found = violations(program, top, paths)
    print("\n".join(found) if found else f"format_test: {len(paths)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
