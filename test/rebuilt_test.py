#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ports programs of test/programs for the sizes that their source names, and builds the ports for others.

    python3 test/rebuilt_test.py . build                 # what ctest runs
    python3 test/rebuilt_test.py . build --all           # every program

A port may name sizes, or have numbers for them. Built for another size it does the same as the original there, in every
build, with the planned bytes (`busfare verify --rebuild`), or it does not compile and says at which sizes it would: nothing
in between. Those of SIZED have to name their sizes.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from verify_test import NOT_PORTED, PROGRAMS

IN_CTEST = ["hotspot.c", "jacobi2d.c", "triangular.c"]
# Their ports name every size that a build may set.
SIZED = ["buoydiff.c", "cfd.c", "gemm.c", "histogram.c", "hotspot.c", "jacobi2d.c", "reduce.c", "srad.c",
         "stassuij.c", "state.c", "stencil3d.cpp", "triangular.c", "vectoradd.c"]
# Of how many steps there are its plan makes use: which of two arrays that change places is the last.
FLAGS = {**PROGRAMS, "jacobi2d.c": ["-DN=26"]}
REFUSED = {"jacobi2d.c": ["-DSTEPS=5"]}
SAID = "busfare has planned the transfers for such sizes"


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=280, **more)


def compiled(source, text, flags, folder):
    """What a compiler says of the ported source at other sizes; empty: nothing."""
    isCxx = source.endswith(".cpp")
    with open(os.path.join(folder, "ported" + (".cpp" if isCxx else ".c")), "w", encoding="utf-8") as file:
        file.write(text)
    compiler = ["clang++-19", "-std=c++17"] if isCxx else ["clang-19", "-std=c11"]
    done = run([*compiler, "-fopenmp", "-fsyntax-only", *flags, file.name])
    return done.stderr if done.returncode else ""


def outcome(busfare, source, flags):
    """`same`, `refused`, or what is wrong."""
    ported = run([busfare, "port", source, "--kernels", "all", "--quiet"])
    if ported.returncode:
        return f"port ends with {ported.returncode}: {ported.stderr.strip()}"
    with tempfile.TemporaryDirectory() as folder:
        complaint = compiled(source, ported.stdout, flags, folder)
    if complaint:
        return "refused" if SAID in complaint else f"does not compile with {' '.join(flags)}: {complaint}"
    done = run([busfare, "verify", source, "--rebuild", " ".join(flags), "--format", "json", "--quiet"])
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return f"verify ends with {done.returncode}: {done.stderr.strip()}"
    wrong = [f"{one['build']}, {one['run']}: {one['detail']}" for one in report["runs"] if not one["passed"]]
    wrong += [f"{row['array']} {row['direction']}: {row['planned_bytes']} planned, {row['measured_bytes']} measured"
              for row in report["bytes"] if not row["equal"]]
    if wrong or not report["passed"] or not report["kernels"]:
        return "; ".join(wrong) or f"did not pass, with {report['kernels']} kernels"
    return "same"


def violation(name, found):
    if name in NOT_PORTED:
        return ""
    allowed = ["same"] if name in SIZED else ["same", "refused"]
    return "" if found in allowed else f"{name}: {found}"


def main(arguments):
    options = argparse.ArgumentParser()
    options.add_argument("tree")
    options.add_argument("build")
    options.add_argument("--all", action="store_true")
    options = options.parse_args(arguments)
    busfare = os.path.join(options.build, "bin", "busfare")
    found = []
    for name in PROGRAMS if options.all else IN_CTEST:
        result = outcome(busfare, os.path.join(options.tree, "test", "programs", name), FLAGS[name])
        print(f"{name} {' '.join(FLAGS[name])}: {result}", flush=True)
        found += filter(None, [violation(name, result)])
        if name in REFUSED:
            result = outcome(busfare, os.path.join(options.tree, "test", "programs", name), REFUSED[name])
            print(f"{name} {' '.join(REFUSED[name])}: {result}", flush=True)
            found += [] if result == "refused" else [f"{name} {REFUSED[name]}: {result}"]
    for one in found:
        print(one)
    return 1 if found else 0


def self_test():
    assert violation("hotspot.c", "same") == "" and violation("other.c", "refused") == ""
    assert violation("hotspot.c", "refused"), "a port that has to name its sizes may not have numbers"
    assert violation("other.c", "did not pass, with 3 kernels")
    with tempfile.TemporaryDirectory() as folder:
        good = f'#ifndef N\n#define N 8\n#endif\n_Static_assert(N == 8, "{SAID}");\nint main(void) {{ return 0; }}\n'
        assert compiled("a.c", good, [], folder) == ""
        assert SAID in compiled("a.c", good, ["-DN=9"], folder)
        assert SAID not in compiled("a.c", "int main(void) { return x; }\n", [], folder) != ""
    print("self-test passed")
    return 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main(sys.argv[1:]))
