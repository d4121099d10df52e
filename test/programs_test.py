#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs every program of test/programs and holds what it prints against programs/expected.

Each compiles without a warning under clang-19 and under the gcc beside it, with OpenMP, and prints the same on one
thread and on three. `programs_test.py --update TOP` rewrites the expected output (test/update_checks calls it).
"""
import glob
import os
import subprocess
import sys
import tempfile

FLAGS = ["-O2", "-Wall", "-Wextra", "-Werror", "-fopenmp"]


def compilers_of(path):
    return (["clang++-19", "-std=c++17"], ["g++", "-std=c++17"]) if path.endswith(".cpp") else (
        ["clang-19", "-std=c11"], ["gcc", "-std=c11"])


def outputs_of(path, folder):
    """{what was run: what it printed}; a compiler's complaint counts as its output."""
    out = {}
    for compiler in compilers_of(path):
        program = os.path.join(folder, "program")
        built = subprocess.run(compiler + FLAGS + [path, "-lm", "-o", program], capture_output=True, text=True)
        if built.returncode:
            out[compiler[0]] = f"does not compile:\n{built.stderr}"
            continue
        for threads in ("1", "3"):
            done = subprocess.run([program], capture_output=True, text=True, timeout=300,
                                  env=dict(os.environ, OMP_NUM_THREADS=threads))
            status = f"exit code {done.returncode}\n{done.stderr}" if done.returncode else ""
            out[f"{compiler[0]}, {threads} threads"] = done.stdout + status
    return out


def violations_of(name, outputs, expected):
    return [f"{name}: {how}: printed\n  {text.strip()}\nbut expected\n  {expected.strip()}" for how, text in outputs.items()
            if text != expected]


def programs_in(top):
    folder = os.path.join(top, "test", "programs")
    return sorted(glob.glob(os.path.join(folder, "*.c")) + glob.glob(os.path.join(folder, "*.cpp")))


def expected_path(path):
    return os.path.join(os.path.dirname(path), "expected", os.path.basename(path) + ".txt")


def check(top, update=False):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for path in programs_in(top):
            name = os.path.basename(path)
            outputs = outputs_of(path, folder)
            if update and len(set(outputs.values())) == 1 and "does not compile" not in next(iter(outputs.values())):
                with open(expected_path(path), "w") as file:
                    file.write(next(iter(outputs.values())))
            if not os.path.exists(expected_path(path)):
                found.append(f"{name}: {expected_path(path)} is missing" + (f"; got {outputs}" if update else ""))
                continue
            with open(expected_path(path)) as file:
                found += violations_of(name, outputs, file.read())
    return found


def self_test():
    with tempfile.TemporaryDirectory() as top:
        programs = os.path.join(top, "test", "programs")
        os.makedirs(os.path.join(programs, "expected"))
        def write(name, text):
            with open(os.path.join(programs, name), "w") as file:
                file.write(text)
        good = '#include <stdio.h>\nint main(void) { puts("7"); return 0; }\n'
        write("a.c", good)
        assert len(check(top)) == 1  # nothing expected yet
        assert check(top, update=True) == [] and check(top) == []
        write("expected/a.c.txt", "8\n")
        assert len(check(top)) == 4
        write("a.c", good.replace("return 0", "int unused; return 0"))
        assert any("does not compile" in line for line in check(top, update=True))
        write("a.c", good.replace("return 0", "return 3"))
        assert len(check(top)) == 4
    print("programs_test: the checker refuses what it must")


def main():
    if sys.argv[1:2] == ["--self-test"]:
        self_test()
        return 0
    update = sys.argv[1:2] == ["--update"]
    top = sys.argv[2] if update else sys.argv[1]
    found = check(top, update)
    for line in found:
        print(line)
    count = len(programs_in(top))
    print(f"programs_test: {count} programs, {len(found)} violations")
    return 1 if found or count < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
