#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what reports say against what the same program answers when it is asked again.

    python3 test/consistency_test.py . build                                  # what ctest runs
    python3 test/consistency_test.py . build --sizes 20 --generated 200       # by hand
    python3 test/consistency_test.py . build --only hotspot.c

A report names thresholds: where a size pays off, from how many time steps or calls on, where another division of the work
becomes the plan, what a verdict is at other sizes. Each is held against busfare itself, asked once more with --param,
--iterations or --runs on either side of it. The figures must add up, text and JSON must say the same, and who is told
to port must gain, start-up included.

    analyze hotspot.c: iterations.break_even 17520
      -> with 17520 steps gain_s must be above 0, with 17519 it must not

Programs are those of test/programs, whole and by the functions that leave their sizes open, and generated ones. What is
looked at, at random sizes, step counts, numbers of calls and machines, is the same each time unless --seed says otherwise.
"""
import argparse
import copy
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from consistency.asking import Asker, Case, Refused, Thresholds
from consistency.reports import sum_violations, text_violations, verdict_violations

# Of each program: macros of its sizes, that of its time steps, and functions whose sizes are parameters.
PROGRAMS = {
    "buoydiff.c": (["X", "Y", "LEVELS"], None, ["buoydiff"]),
    "cfd.c": (["ELEMENTS"], "ITERATIONS", ["euler3d"]),
    "gemm.c": (["SIZE"], None, ["gemm"]),
    "histogram.c": (["PIXELS"], None, ["locate", "equalise"]),
    "hotspot.c": (["GRID"], "ITERATIONS", ["compute_tran_temp", "single_iteration"]),
    "jacobi2d.c": (["N"], "STEPS", ["sweep"]),
    "jacobi2d.cpp": (["N"], "STEPS", ["relax"]),
    "reduce.c": (["LENGTH"], None, ["dot", "largest_of"]),
    "srad.c": (["ROWS", "COLS"], "ITERATIONS", ["srad"]),
    "stassuij.c": (["STATES", "COLUMNS"], None, ["multiply"]),
    "state.c": (["X", "Y", "LEVELS"], None, ["state"]),
    "stencil3d.cpp": (["NX", "NY", "NZ"], "STEPS", ["step"]),
    "triangular.c": (["N"], None, ["factorise"]),
    "vectoradd.c": (["LENGTH"], None, ["add"]),
}


MACHINES = [None, None, None, "h100-sxm5", "gh200-c2c", "v100-pcie3", "fx5600-pcie1"]


def check_case(case):
    """What is contradicted, and how many thresholds were held against an answer."""
    report = case.report
    if not report["regions"]:
        return [], 0
    region = report["regions"][0]
    found = sum_violations(region) + verdict_violations(region, report["program"]) + text_violations(case.text(), report)
    thresholds = Thresholds(case)
    return found + thresholds.all(), thresholds.held


def at_sizes(start, chance, most):
    """A function's open sizes, its steps and calls, at random."""
    names = start.bound()
    sizes = {name: 2 ** chance.randint(2, max(3, most // max(1, len(names)))) + chance.randint(0, 5) for name in names}
    settable = start.count() is not None and not start.fixed_steps
    return dict(parameters=sizes, runs=chance.choice([None, None, 1, 10, 10 ** 4]), machine=chance.choice(MACHINES),
                steps=10 ** chance.randint(0, 5) if settable and chance.random() < 0.5 else None)


def cases_of(name, asker, programs, how_many, chance):
    source = os.path.join(programs, name)
    macros, steps_macro, functions = PROGRAMS[name]
    for _ in range(how_many):
        sizes = {macro: 2 ** chance.randint(4, 24 // len(macros)) + chance.randint(0, 5) for macro in macros}
        steps = 10 ** chance.randint(0, 5) if steps_macro else None
        yield name, dict(source=source, macros=sizes, steps=steps, steps_macro=steps_macro, machine=chance.choice(MACHINES))
    skeleton = asker.extract(source, {})
    for function in functions[:how_many]: # of one point, as ctest asks, the first is enough
        yield f"{name}: {function}", dict(source=skeleton, function=function)
        start = Case(asker, skeleton, function=function)
        for _ in range(how_many if start.report["regions"] else 0):
            yield f"{name}: {function}", dict(source=skeleton, function=function, **at_sizes(start, chance, 26))


def generated_cases(asker, generator, how_many, seed, chance):
    """Functions of generated programs, at the sizes that they leave open."""
    done = 0
    while done < how_many:
        folder = os.path.join(asker.folder, f"generated{seed}")
        os.makedirs(folder, exist_ok=True)
        subprocess.run([generator, "--seed", str(seed), "--programs", "40", "--emit", folder], check=True, capture_output=True, timeout=120)
        skeleton = asker.extract(os.path.join(folder, "unit0.c"), {})
        with open(skeleton, encoding="utf-8") as file:
            names = re.findall(r"^function (p\d+)\(", file.read(), re.M)
        for name in names:
            start = Case(asker, skeleton, function=name)
            if done < how_many and start.report["regions"]:
                done += 1
                yield f"generated, seed {seed}: {name}", dict(source=skeleton, function=name, **at_sizes(start, chance, 24))
        seed += 1


class Planted:
    """A program that gains from n = 100 on, and from 7 steps on, and a report on it."""

    def __init__(self, report):
        self.report, self.fixed_steps = report, False

    def region(self):
        return self.report["regions"][0]

    def bound(self):
        return {"f::n": 64}

    def count(self):
        return 5

    def same_parity(self, steps, up):
        return steps

    def at(self, changed=None, factor=None, steps=None, runs=None, only_assumed=False):
        n = round((changed or {}).get("f::n", 64) * (factor or 1))
        gain = (n - 99.5) * 1e-3 + (0 if steps is None else (steps - 6.5) * 1e-3 - (64 - 99.5) * 1e-3)
        there = copy.deepcopy(GOOD["regions"][0])
        there["gain_s"]["value"] = gain
        there["speedup"]["value"] = 3.0 if steps == 10 ** 9 else there["speedup"]["value"]
        there["verdict"] = "port" if n >= 1000 else "keep"
        there["plan"]["memory"] = "pinned" if (runs or 1) >= 3 else "pageable"
        there["as_described_s"] = 1.0
        there["alternatives"][0]["time_s"] = 1.0 + (n - 150.5) * 1e-3
        return there


GOOD = {"program": {"speedup": {"value": 1.0, "low": 1.0, "high": 1.0}, "offloaded_share": 0, "mostly_unpriced": False},
        "regions": [{
            "fits": True, "verdict": "keep", "flip": "assumed sizes (f::n = 64): keep here, port at 16 times of them", "runs": 2,
            "parameters": {"f::n": {"value": 64, "source": "assumed"}},
            "time_s": {"cpu": 0.4, "cpu_all_cores": 0.3, "kernel": 0.1, "h2d": 0.2, "d2h": 0.1, "host": 0.1, "startup": 0.25, "total": 0.5},
            "plan": {"strategy": "explicit", "memory": "pageable", "pinning": {"startup_s": 0.05, "saved_s": 0.02}, "time_s": 0.4, "bounds": {"full_overlap_s": 0.2, "zero_overlap_s": 0.4}},
            "speedup": {"value": 0.6, "low": 0.4, "high": 0.9, "kernel_only": 1.5, "as_written": 0.8},
            "gain_s": {"value": -0.65, "low": -0.85, "high": -0.35, "startup_added": 0.25},
            "iterations": {"count": 5, "assumed": False, "break_even": 7, "limit_speedup": 3.0, "loop": "t at line 3"},
            "pays_off": [{"size": "f::n", "intervals": [[100, None]]}, {"size": "iterations", "intervals": [[7, None]]}],
            "as_described_s": 1.0,
            "alternatives": [{"kind": "kernels-on-host", "places": [], "time_s": 1.0, "is_plan": False,
                              "flips_at": {"parameter": "f::n", "factor": 2.35, "value": 151}}]}]}
TEXT = """KEEP f.c:3: would lose 650 ms (350 ms to 850 ms).
    Port if n > 99 at 5 time steps; n = 64 is assumed: give --param n=N. As assumed: 0.60x.
KEEP ON THE HOST: 0.60x on a machine, transfers included (0.40x to 0.90x, 10th to 90th percentile).
Against the code as written: 0.80x.
GPU, kernels 100 ms GPU, h2d 200 ms GPU, d2h 100 ms GPU, total 500 ms GPU, start-up, once 250 ms
Pinning the arrays would cost 50.0 ms once and save explicit copies 20.0 ms each time: it pays from 3 runs of the region on.
Assumed sizes (f::n = 64): keep here, port at 16 times of them."""


def self_test():
    def violations(report, text=TEXT):
        region = report["regions"][0]
        return (sum_violations(region) + verdict_violations(region, report["program"]) + text_violations(text, report)
                + Thresholds(Planted(report)).all())
    assert violations(GOOD) == [], violations(GOOD)
    lies = [(("time_s", "total"), 0.51), (("time_s", "h2d"), 0.3), (("speedup", "value"), 0.7), (("speedup", "as_written"), 0.7),
            (("speedup", "kernel_only"), 1.4), (("gain_s", "value"), -0.6), (("gain_s", "low"), -0.8), (("gain_s", "startup_added"), 0.3),
            (("plan", "time_s"), 0.1), (("plan", "pinning", "saved_s"), 0.03), (("verdict",), "port"), (("verdict",), "measure"), (("flip",), "something else"),
            (("runs",), None), (("iterations", "break_even"), 6), (("iterations", "break_even"), 8), (("iterations", "break_even"), None),
            (("iterations", "limit_speedup"), 3.5), (("iterations", "count"), 6), (("pays_off", 0, "intervals"), [[101, None]]),
            (("pays_off", 0, "intervals"), [[99, None]]), (("pays_off", 0, "intervals"), [[100, 4000]]), (("pays_off", 0, "intervals"), []),
            (("pays_off", 1, "intervals"), [[8, None]]), (("alternatives", 0, "flips_at", "value"), 180),
            (("flip",), "assumed sizes (f::n = 64): keep here, port at 4 times of them")]
    for path, lie in lies:
        report = copy.deepcopy(GOOD)
        place = report["regions"][0]
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = lie
        assert violations(report), f"nobody noticed that {path} is {lie}"
    for truth, lie in (("0.60x on", "0.61x on"), ("n > 99", "n > 98"), ("5 time steps", "6 time steps"), ("650 ms", "651 ms"), ("h2d 200 ms", "h2d 20 ms"),
                       ("As assumed: 0.60x", "As assumed: 0.62x"), ("KEEP ON THE HOST", "MEASURE FIRST"), ("Port if", "If"), ("16 times", "4 times")):
        assert violations(GOOD, TEXT.replace(truth, lie)), f"nobody noticed that the text says {lie}"
    poor = copy.deepcopy(GOOD)
    poor["program"]["speedup"]["value"] = 0.9
    assert verdict_violations({**poor["regions"][0], "verdict": "port", "gain_s": {"low": 1}}, poor["program"])
    print("self-test passed")
    return 0


def missing_programs(folder):
    """Programs of the folder that no row of PROGRAMS has."""
    there = {name for name in os.listdir(folder) if name.endswith((".c", ".cpp"))}
    return [f"{name} is in no row of PROGRAMS" for name in sorted(there - set(PROGRAMS))]


def main(arguments):
    options = argparse.ArgumentParser()
    options.add_argument("tree")
    options.add_argument("build")
    options.add_argument("--sizes", type=int, default=1, help="points at which each program and function is asked")
    options.add_argument("--generated", type=int, default=4, help="generated programs")
    options.add_argument("--only", help="one program of test/programs, or `generated`")
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args(arguments)
    programs = os.path.join(options.tree, "test", "programs")
    found, cases, held = missing_programs(programs), 0, 0
    for violation in found:
        print(violation)
    with tempfile.TemporaryDirectory() as folder:
        asker = Asker(os.path.join(options.build, "bin", "busfare"), folder)
        for name in [*PROGRAMS, "generated"]:
            if options.only and options.only != name:
                continue
            chance = random.Random(f"{options.seed} {name}")
            generator = os.path.join(options.build, "bin", "busfare-generate")
            source = (generated_cases(asker, generator, options.generated, options.seed, chance) if name == "generated"
                      else cases_of(name, asker, programs, options.sizes, chance))
            for label, how in source:
                try:
                    violations, count = check_case(Case(asker, **how))
                except Refused as refused:
                    violations, count = [str(refused)], 0
                cases, held = cases + 1, held + count
                shown = {key: value for key, value in how.items() if value is not None and key not in ("source", "function", "steps_macro")}
                for violation in violations:
                    found.append(violation)
                    print(f"{label} {shown}: {violation}", flush=True)
        print(f"{cases} reports, {held} thresholds held against {asker.asked} answers: {len(found)} contradictions")
    return 1 if found or not held else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main(sys.argv[1:]))
