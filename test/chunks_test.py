#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels in chunks, proved by verify.

    test/chunks_test.py . build                    a few, as ctest has them
    test/chunks_test.py . build --plans 1000       as many chunked plans as asked, and what verify says of them
    test/chunks_test.py . build --seed 7 --emit DIR   the programs alone

Functions with one kernel each: one to three inputs, read at offsets (halos wider than a chunk, clamped at the ends, or
inside the range), arrays that all chunks read, one or two results, written at an offset, in pairs, in place, or where
data say so; loops up and down, in steps, inclusive or not, of signed and unsigned indices; rows of another size each.
Some run fewer iterations than there are chunks. `verify --plan streams:N` runs the tasks of each in every order that
their dependences allow, up to its bound, compares all memory behind them byte by byte and all elements with the
original's, and the bytes that crossed with the plan's.
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

FUNCTIONS = 20  # of one program


class Kernel:
    """One function, and the call of it."""

    def __init__(self, number, chance):
        self.name, self.chance = f"p{number}", chance
        self.type = chance.choice(["double", "double", "float", "int", "long"])
        self.rank = chance.choice([1, 1, 2, 2, 2])
        self.n, self.m = chance.choice([2, 3, 5, 8, 13, 16, 21, 24]), chance.choice([1, 2, 3, 5, 6])
        self.step = chance.choice([1, 1, 1, 1, 2, 3])
        self.reads, self.arrays = [], []
        self.make()

    def element(self, array, level):
        if self.rank == 1:
            return f"{array}[{level}]"
        return f"{array}[({level}) * m + {self.column}]"

    def level(self, offset):
        if offset == 0:
            return "i"
        return f"i + {offset}" if offset > 0 else f"i - {-offset}"

    def clamped(self, offset):
        if offset > 0:
            return f"(i + {offset} < n ? i + {offset} : n - 1)"
        return f"(i - {-offset} > 0 ? i - {-offset} : 0)" if offset < 0 else "i"

    def make(self):
        chance = self.chance
        self.index = chance.choice(["int", "int", "long"])
        widest = chance.choice([0, 1, 1, 2, 3, 6])
        clamps = chance.random() < 0.5
        below = above = 0  # how far the loop stays away from the ends
        terms = []
        self.column = "j"
        for k in range(chance.randint(1, 3)):
            array = f"a{k}"
            self.arrays.append((array, True))
            if k and chance.random() < 0.25:
                index = "j" if self.rank == 2 else "i % 2" if self.n > 1 else "0"
                terms.append(f"{array}[{index}]" if self.rank == 2 else f"{array}[0]")
                continue
            for offset in chance.sample(range(-widest, widest + 1), min(2 * widest + 1, chance.randint(1, 3))):
                if clamps:
                    terms.append(self.element(array, self.clamped(offset)))
                else:
                    terms.append(self.element(array, self.level(offset)))
                    below, above = max(below, -offset), max(above, offset)
        value = " + ".join(f"{k + 2} * {term}" for k, term in enumerate(terms))
        lines = []
        for k in range(chance.randint(1, 2)):
            array = f"b{k}"
            self.arrays.append((array, False))
            form = chance.choice(["plain", "plain", "shifted", "inside", "conditional", "in place", "pair"])
            if form == "shifted":
                offset = chance.choice([-2, -1, 1])
                below, above = max(below, -offset), max(above, offset)
                lines.append(f"{self.element(array, self.level(offset))} = {value};")
            elif form == "inside":
                lines.append(f"if (i >= 2) {self.element(array, 'i - 2')} = {value};")
            elif form == "conditional":
                lines.append(f"if ({terms[0]} > 3) {self.element(array, 'i')} = {value};")
            elif form == "in place":
                lines.append(f"{self.element(array, 'i')} = {value} - {self.element(array, 'i')};")
            elif form == "pair" and self.step == 2:
                above = max(above, 1)
                lines.append(f"{self.element(array, 'i')} = {value};")
                lines.append(f"{self.element(array, 'i + 1')} = {value} + 1;")
            else:
                lines.append(f"{self.element(array, 'i')} = {value};")
        self.n = max(self.n, below + above + 1)
        up, inclusive = chance.random() < 0.75, chance.random() < 0.3
        step = "i++" if self.step == 1 and up else "i--" if self.step == 1 else f"i {'+' if up else '-'}= {self.step}"
        first, last = str(below), f"n - {above + 1}"
        if up:
            end = f"i <= {last}" if inclusive else f"i < n - {above}" if above else "i < n"
            self.head = f"for ({self.index} i = {first}; {end}; {step})"
        else:
            end = f"i >= {first}" if inclusive or below == 0 else f"i > {below - 1}"
            self.head = f"for ({self.index} i = {last}; {end}; {step})"
        if self.rank == 2 and chance.random() < 0.2 and self.m > 2:
            self.inner = "for (int j = 1; j < m - 1; j++)"
        else:
            self.inner = "for (int j = 0; j < m; j++)"
        self.lines = lines

    def text(self):
        parameters = ["int n"] + (["int m"] if self.rank == 2 else [])
        parameters += [f"{'const ' if isInput else ''}{self.type} *restrict {name}" for name, isInput in self.arrays]
        body = [f"static __attribute__((noinline)) void {self.name}({', '.join(parameters)}) {{", f"  {self.head}"]
        if self.rank == 2:
            body[-1] += f"\n    {self.inner}"
        body[-1] += " {"
        body += [f"      {line}" for line in self.lines]
        return "\n".join(body + ["    }", "}"]) + "\n"

    def call(self):
        size = f"n{' * m' if self.rank == 2 else ''}"
        lines = ["  {", f"    const int n = {self.n} + argc - 1{f', m = {self.m} + argc - 1' if self.rank == 2 else ''};"]
        for name, _ in self.arrays:
            lines.append(f"    {self.type} *{name} = calloc({size}, sizeof *{name});")
            lines.append(f"    for (int k = 0; k < {size}; k++) {name}[k] = next(&seed);")
        sizes = "n, m" if self.rank == 2 else "n"
        lines.append(f"    {self.name}({sizes}, {', '.join(name for name, _ in self.arrays)});")
        for name, isInput in self.arrays:
            if not isInput:
                lines.append(f"    for (int k = 0; k < {size}; k++) printf(\"%s%.9g\", k % 8 ? \" \" : \"\\n{self.name} {name} \", (double){name}[k]);")
        lines += [f"    free({name});" for name, _ in self.arrays]
        return "\n".join(lines + ["  }"]) + "\n"


def program(seed):
    kernels = [Kernel(k, random.Random(f"{seed} {k}")) for k in range(FUNCTIONS)]
    text = "#include <stdio.h>\n#include <stdlib.h>\n\n"
    text += "static int next(unsigned *seed) {\n  *seed = *seed * 1664525u + 1013904223u;\n  return *seed >> 16 & 7;\n}\n\n"
    text += "\n".join(kernel.text() for kernel in kernels)
    text += "\nint main(int argc, char **argv) {\n  unsigned seed = 1;\n  (void)argv;\n"
    return text + "".join(kernel.call() for kernel in kernels) + "  return 0;\n}\n", kernels


def verify(busfare, seed, folder, mutants):
    """What verify says of one program, as JSON, and how it ended."""
    text, kernels = program(seed)
    file = os.path.join(folder, f"chunks{seed}.c")
    with open(file, "w") as out:
        out.write(text)
    chunks = random.Random(f"{seed}").choice([2, 3, 3, 4, 5])
    words = [busfare, "verify", file, "--plan", f"streams:{chunks}", "--format", "json", "--no-progress", "--quiet"]
    words += ["--mutants"] if mutants else []
    for kernel in kernels:
        words += ["--function", kernel.name]
    done = subprocess.run(words, capture_output=True, text=True)
    if not done.stdout:
        return None, f"exit code {done.returncode}: {done.stderr.strip()}"
    return json.loads(done.stdout), ""


def complaints(report):
    found = [f"{run['build']}, {run['run']}: {run['detail']}" for run in report["runs"] if not run["passed"]]
    found += [f"bytes of {line['array']} of {line['region']}, {line['direction']}: {line['measured_bytes']}, planned {line['planned_bytes']}"
              for line in report["bytes"] if not line["equal"]]
    found += [f"copy of {one['array']} of {one['region']}, {one['direction']}, {one['kind']}: {one['detail']}"
              for one in report["mutants"] if one["fate"] == "survived"]
    found += [f"without: {one['dependence']}, of {one['root']}: {one['detail']}"
              for one in report["task_mutants"] if one["fate"] == "survived"]
    found += [f"{line['root']} did not run" for line in report["streams"] if line["orders"] == 0]
    return found or ([] if report["passed"] else ["it fails without saying why"])


def self_test():
    good = {"passed": True, "runs": [{"build": "watched", "run": "", "passed": True, "detail": ""}], "findings": [],
            "bytes": [{"array": "a", "region": "p0", "direction": "h2d", "planned_bytes": 8, "measured_bytes": 8, "equal": True}],
            "mutants": [{"copy": 0, "array": "a", "region": "p0", "direction": "h2d", "kind": "shift", "fate": "caught", "detail": ""}],
            "task_mutants": [{"dependence": "", "root": "p0", "fate": "excused", "detail": ""}],
            "streams": [{"root": "p0", "chunks": 3, "tasks": 9, "orders": 280, "all_orders": True}]}
    assert complaints(good) == []

    def changed(key, **how):
        return {**good, "passed": False, key: [{**good[key][0], **how}]}

    for bad in (changed("runs", passed=False), changed("bytes", equal=False), changed("mutants", fate="survived"),
                changed("task_mutants", fate="survived"), changed("streams", orders=0), {**good, "passed": False}):
        assert len(complaints(bad)) == 1, bad
    assert program(7)[0] == program(7)[0] != program(8)[0]
    print("chunks_test: the checker refuses what it must")
    return 0


def main():
    if sys.argv[1:2] == ["--self-test"]:
        return self_test()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("top")
    parser.add_argument("build")
    parser.add_argument("--plans", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mutants", type=int, default=0, metavar="N", help="mutants of the first N programs")
    parser.add_argument("--emit", metavar="DIR", help="keep the programs there")
    options = parser.parse_args()
    os.environ.setdefault("BUSFARE_TASK_ORDERS", "60")
    busfare = os.path.join(options.build, "bin", "busfare")
    for needed in (busfare, f"{options.build}/lib/libbusfare-watch.a", shutil.which("clang-19") or "clang-19"):
        if not os.path.exists(needed):
            print(f"skipped: {needed} is missing")
            return 77
    sums = dict.fromkeys(["programs", "plans", "tasks", "orders", "complete", "caught", "excused", "failed"], 0)
    whole = {}
    with tempfile.TemporaryDirectory() as made:
        folder = options.emit or made
        os.makedirs(folder, exist_ok=True)
        while sums["plans"] < options.plans and sums["programs"] < options.plans:
            seed = options.seed * 100000 + sums["programs"]
            report, failure = verify(busfare, seed, folder, sums["programs"] < options.mutants)
            sums["programs"] += 1
            found = [failure] if failure else complaints(report)
            if found:
                sums["failed"] += 1
                print(f"program {seed}:", *found[:8], sep="\n  ", flush=True)
            for line in report["streams"] if report else []:
                sums["plans"] += 1
                sums["tasks"] += line["tasks"]
                sums["orders"] += line["orders"]
                sums["complete"] += line["all_orders"]
            for one in (report["mutants"] + report["task_mutants"]) if report else []:
                if one["fate"] in sums:
                    sums[one["fate"]] += 1
            for one in report["findings"] if report else []:
                why = one["message"].split(": ", 1)[-1] if "chunks of the kernel" in one["message"] else ""
                if why:
                    words = why.split(" (")[0] if "(" in why else why
                    whole[words] = whole.get(words, 0) + 1
            if sums["programs"] % 10 == 0:
                print(f"{sums['plans']} plans, {sums['failed']} programs failed", file=sys.stderr, flush=True)
    print("{programs} programs with {plans} chunked plans: {tasks} tasks in {orders} orders, all there are of {complete} plans; "
          "mutants caught {caught}, excused {excused}; programs that failed {failed}".format(**sums))
    for why, count in sorted(whole.items(), key=lambda one: -one[1]):
        print(f"  explicit copies, {count}: {why}")
    if sums["plans"] < options.plans:
        print(f"only {sums['plans']} chunked plans")
        return 1
    return 1 if sums["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
