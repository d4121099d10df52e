#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what `busfare port --guard` writes against what `busfare analyze` says of the same sizes, and runs both sides.

    python3 test/guards_test.py . build

A guard of one size is the report's pays_off, number by number; one of several sizes is as many times today's as the report
says. Where a guard holds the report must see a gain, and one below a bound of one size it must not. Then `verify --guard
--mutants` runs a program whose sizes come from its command line.
"""
import json
import math
import os
import shutil
import subprocess
import sys

# Program, function, how often it runs, and its sizes.
CASES = [
    ("vectoradd.c", "add", "many", {"n": 1024}),
    ("reduce.c", "dot", "many", {"n": 100000000}),
    ("jacobi2d.c", "sweep", "many", {"n": 4000}),
    ("gemm.c", "gemm", "many", {"m": 3000, "n": 3000, "k": 3000}),
    ("gemm.c", "gemm", "1", {"m": 3000, "n": 3000, "k": 3000}),
    ("hotspot.c", "compute_tran_temp", "many", {"row": 2000, "col": 2000}),
    ("srad.c", "srad", "many", {"rows": 4000, "cols": 4000}),
]


def asked(busfare, command, source, function, runs, sizes, *more):
    words = [busfare, command, source, "--format", "json", "--function", function, "--runs", runs, "--no-cache", *more]
    for name, value in sizes.items():
        words += ["--param", f"{name}={value}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=280)
    if done.returncode not in (0, 3):
        raise RuntimeError(f"{' '.join(words[1:])}: {done.stderr.strip()}")
    return json.loads(done.stdout), done.stderr


def holds(guard, sizes):
    """Does the guard hold at these sizes, as C would have it? Sizes by the name that JSON gives them."""
    return any(all((term["from"] is None or sizes[term["size"]] >= math.ceil(term["from"])) and
                   (term["to"] is None or sizes[term["size"]] <= math.floor(term["to"])) for term in row)
               for row in guard["any_of"])


def against_report(guard, region):
    """Where a guard is not what the report says."""
    names = {term["size"] for row in guard["any_of"] for term in row} - {"iterations"}
    pays = {one["size"]: one["intervals"] for one in region["pays_off"]}
    steps = [row for row in guard["any_of"] if any(term["size"] == "iterations" for term in row)]
    wanted = pays.get(next(iter(names)) if len(names) == 1 else "sizes")
    if steps and not wanted:
        wanted = pays["iterations"]
        names = {"iterations"}
    if not wanted:
        return [f"{guard['condition']}, of which the report says nothing: {pays}"]
    if len(guard["any_of"]) != len(wanted):
        return [f"{guard['condition']} against {wanted}"]
    found = []
    for row, (low, high) in zip(guard["any_of"], wanted):
        for term in (one for one in row if one["size"] in names):
            times = region["parameters"][term["size"]]["value"] if len(names) > 1 else 1
            expected = (None if low is None else math.ceil(low * times), None if high is None else math.floor(high * times))
            if (term["from"], term["to"]) != expected:
                found.append(f"{term} against {expected}")
    return found


def gain_at(busfare, case, sizes):
    program, function, runs, _ = case
    own = {name.split("::")[-1]: int(value) for name, value in sizes.items() if name != "iterations"}
    more = ["--iterations", str(int(sizes["iterations"]))] if "iterations" in sizes else []
    report, _ = asked(busfare, "analyze", program, function, runs, own, *more)
    return report["regions"][0]["gain_s"]["value"]


def check_sides(busfare, case, guard):
    """The report has a gain inside, and none just outside of a sharp bound."""
    found, looked = [], 0
    for row in guard["any_of"]:
        inside = {term["size"]: math.ceil((term["from"] or 1) * 1.05) for term in row}
        for term in row:
            if term["to"] is not None:
                inside[term["size"]] = max(1, min(inside[term["size"]], math.floor(term["to"] / 1.05)))
        if not holds(guard, inside):
            continue
        looked += 1
        if gain_at(busfare, case, inside) <= 0:
            found.append(f"{guard['condition']} holds at {inside}, where the report sees no gain")
        if len(row) > 1 or guard["about"]:
            continue
        for bound, step in ((row[0]["from"], -1), (row[0]["to"], 1)):
            if bound is None or bound + step < 1:
                continue
            looked += 1
            if gain_at(busfare, case, {row[0]["size"]: bound + step}) > 0:
                found.append(f"{guard['condition']} does not hold at {bound + step}, where the report sees a gain")
    return found, looked


def check_cases(busfare, programs):
    found, guards, looked = [], 0, 0
    for program, function, runs, sizes in CASES:
        case = (os.path.join(programs, program), function, runs, sizes)
        report, _ = asked(busfare, "analyze", *case)
        port, why = asked(busfare, "port", *case, "--guard", "--kernels", "planned")
        for guard in port["guards"]:
            what = f"{program}, {function}, {runs} runs: "
            guards += 1
            if not guard["as_reported"]:
                found.append(f"{what}the guard is not the report's: {guard['condition']}")
                continue
            region = next(one for one in report["regions"] if one["location"]["line"] == guard["location"]["line"])
            found += [what + one for one in against_report(guard, region)]
            wrong, count = check_sides(busfare, case, guard)
            found += [what + one for one in wrong]
            looked += count
        if not port["guards"] and not any(word in why for word in ("ported without a guard", "not ported: it pays at no")):
            found.append(f"{program}, {function}: neither a guard nor why there is none: {why.strip()}")
    if guards < 5 or looked < 8:
        found.append(f"only {guards} guards, and {looked} sizes at which one was held against the report")
    return found


def check_verify(busfare, programs):
    """Sizes that come from the command line; the run is small, so no guard holds by itself."""
    words = [busfare, "verify", "--guard", "--mutants", "--kernels", "all", "--no-progress", "--format", "json",
             os.path.join(programs, "gemm.c"), "--param", "m=4096", "--param", "n=4096", "--param", "k=4096",
             "--args", "24 20 16", "--", "-O1", "-lm"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=280)
    if not done.stdout:
        return [f"verify --guard: exit code {done.returncode}: {done.stderr.strip()}"]
    report = json.loads(done.stdout)
    found = []
    if not report["passed"] or done.returncode:
        found.append(f"verify --guard gemm.c: failed: {[run for run in report['runs'] if not run['passed']]}")
    if not report["guards"] or any(guard["held"] or not guard["asked"] for guard in report["guards"]):
        found.append(f"verify --guard gemm.c: at 24 x 20 x 16 no guard holds: {report['guards']}")
    caught = {one["construct"] for one in report["guard_mutants"] if one["fate"] == "caught"}
    if caught != {"target", "target update", "target enter data", "target exit data"}:
        found.append(f"verify --guard gemm.c: only these are noticed without their guards: {sorted(caught)}")
    return found


def self_test():
    guard = {"condition": "n > 9 && n < 20", "about": False,
             "any_of": [[{"size": "f::n", "from": 10, "to": 19}]]}
    region = {"pays_off": [{"size": "f::n", "intervals": [[10, 19]]}], "parameters": {}}
    assert not against_report(guard, region)
    region["pays_off"][0]["intervals"] = [[11, 19]]
    assert len(against_report(guard, region)) == 1
    assert holds(guard, {"f::n": 10}) and holds(guard, {"f::n": 19})
    assert not holds(guard, {"f::n": 9}) and not holds(guard, {"f::n": 20})
    two = {"condition": "", "about": False, "any_of": [[{"size": "f::n", "from": 50, "to": None}, {"size": "f::m", "from": 5, "to": None}]]}
    region = {"pays_off": [{"size": "sizes", "intervals": [[0.5, None]]}],
              "parameters": {"f::n": {"value": 100}, "f::m": {"value": 10}}}
    assert not against_report(two, region)
    region["parameters"]["f::m"]["value"] = 12
    assert len(against_report(two, region)) == 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    top, build = sys.argv[1:3]
    self_test()
    busfare, programs = os.path.join(build, "bin", "busfare"), os.path.join(top, "test", "programs")
    for needed in (busfare, f"{build}/lib/libbusfare-watch.a", shutil.which("clang-19") or "clang-19"):
        if not os.path.exists(needed):
            print(f"skipped: {needed} is missing")
            return 77
    found = check_cases(busfare, programs) + check_verify(busfare, programs)
    print("\n".join(found) if found else "guards: as reported, on both sides")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
