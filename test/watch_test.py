#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Proves each protection of the watch library on a planted fault, and its counts on known copies.

watch/faults.c is compiled for libomptarget's x86_64 device and run once a case: cases that are right must run through
with the bytes known beforehand, each planted fault must end the run with exit code 112 and name the array.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

LLVM = "/usr/lib/llvm-19"

# Case, environment, exit code, pattern of stdout or of the fault, {(array, key): value} of the record.
RIGHT = [
    ("right", {}, r"4.006e\+06\n", {("a", "h2d"): 8000, ("b", "d2h"): 8000, ("a", "d2h"): 0, ("a", "protection"): "pages"}),
    ("turns", {}, r"4.50554e\+06\n", {("a", "h2d"): 40000, ("a", "d2h"): 40000, ("a", "h2d_copies"): 5}),
    ("tile", {}, "", {("tile", "h2d"): 96, ("tile", "h2d_copies"): 4}),
    ("reduced", {}, "7994\n", {("a", "h2d"): 8000, ("a", "d2h"): 0}),
    ("pages", {}, r"4.006e\+06\n", {("a", "protection"): "pages", ("b", "protection"): "pages"}),
    ("static", {}, r"6.66666e\+08\n", {("a", "protection"): "pages"}),
    ("unplanned", {}, "", {("a", "h2d"): 8000, ("a", "unplanned_h2d"): 8000}),
    ("odd", {}, "110\n", {("a", "h2d"): 40, ("b", "d2h"): 40}),
    ("blocks", {}, r"abcdefghi a line that is longer than ten characters\n4.006e\+06\n", {("a", "h2d"): 8000}),
    ("fresh", {"MALLOC_PERTURB_": "129"}, r"(2\.0\d*e\+301 ){3}\n", {}),
    ("fresh", {"MALLOC_PERTURB_": "1"}, r"(-5\.\d*e\+303 ){3}\n", {}),
    ("bystander", {}, "1\n", {("table", "protection"): "pages"}),
    ("guards", {}, "111 000 \n", {}),
    ("guards", {"BUSFARE_GUARD": "on"}, "111 111 \n", {}),
    ("guards", {"BUSFARE_GUARD": "off"}, "000 000 \n", {}),
    ("guards", {"BUSFARE_GUARD": "off", "BUSFARE_MUTANT": "3:unguard"}, "001 000 \n", {}),
    ("chunks", {}, r"4.006e\+06\n", {("a", "h2d"): 8000, ("a", "h2d_copies"): 2, ("b", "d2h"): 8000, ("b", "unplanned_d2h"): 0}),
    ("orders", {"BUSFARE_ORDER": "forward"}, r"\.+\n", {}),
    ("orders", {"BUSFARE_ORDER": "reverse"}, "m+\n", {}),
    ("orders", {"BUSFARE_ORDER": "random:1"}, "m+\n", {}),
    ("orders", {"BUSFARE_ORDER": "random:77"}, "m+\n", {}),
]
FAULTS = [
    ("reads host", "a kernel read byte 80 of a host block of 8000 bytes that is not mapped"),
    ("writes host", "a kernel wrote byte 80 of a host block of 8000 bytes that is not mapped"),
    ("reads own host", "a kernel read byte 24 of host array a of r"),
    ("reads static", "a kernel read host array table of r"),
    ("reads little", "a kernel read host array little of r"),
    ("reads bystander", "a kernel read host array table of r"),
    ("past device", r"a kernel wrote 0 bytes past the end of the device block of a of r \(40 bytes\)"),
    ("before device", r"a kernel wrote 4800 bytes before the device block of a of r \(3200 bytes\)"),
    ("past host", "host code read 8 bytes past the end of a host block of 8000 bytes"),
    ("chunks that do not wait", r"byte \d+ of b of r depends on the order of the tasks; it is another one after( \d)+"),
    ("after free", "host code read byte 8 of a block of 8000 bytes that was freed"),
]
# Case and two environments that must not print the same: what is wrong shows as a difference.
DIFFER = [
    ("right", {}, {"BUSFARE_MUTANT": "0:drop"}),
    ("right", {}, {"BUSFARE_MUTANT": "0:short"}),
    ("right", {}, {"BUSFARE_MUTANT": "1:drop"}),
    ("right", {}, {"BUSFARE_MUTANT": "1:short"}),
    ("right", {}, {"BUSFARE_MUTANT": "0:spoil"}),
    ("right", {}, {"BUSFARE_MUTANT": "1:spoil-last"}),
    ("odd", {}, {"BUSFARE_MUTANT": "0:short"}),
    ("running", {}, {"BUSFARE_ORDER": "reverse"}),
    ("running", {}, {"BUSFARE_ORDER": "random:1"}),
    ("private", {"BUSFARE_POISON": "0"}, {"BUSFARE_POISON": "0x7e"}),
]


def record_violations(lines, wanted):
    """What of a record (JSON lines) is not as wanted."""
    arrays = {}
    for line in lines:
        entry = json.loads(line)
        if entry["kind"] == "array":
            arrays[entry["array"]] = entry
    return [f"{array}: {key} is {arrays.get(array, {}).get(key)}, expected {value}"
            for (array, key), value in wanted.items() if arrays.get(array, {}).get(key) != value]


def environment(extra, record):
    result = dict(os.environ, LD_LIBRARY_PATH=f"{LLVM}/lib", LIBOMPTARGET_MEMORY_MANAGER_THRESHOLD="0",
                  OMP_TARGET_OFFLOAD="MANDATORY", OMP_NUM_THREADS="2", BUSFARE_WATCH_REPORT=record)
    result.setdefault("MALLOC_PERTURB_", "129")
    result.update(extra)
    return result


class Runs:
    def __init__(self, top, build, folder):
        self.program, self.record = os.path.join(folder, "faults"), os.path.join(folder, "record")
        subprocess.run(["clang-19", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-fopenmp",
                        "-fopenmp-targets=x86_64-pc-linux-gnu", f"-I{top}", f"{top}/test/watch/faults.c",
                        "-Wl,-u,ompt_start_tool", f"{build}/lib/libbusfare-watch.a", "-o", self.program], check=True)

    def __call__(self, case, extra):
        if os.path.exists(self.record):
            os.remove(self.record)
        done = subprocess.run([self.program, case], env=environment(extra, self.record), capture_output=True, text=True,
                              timeout=60)
        lines = []
        if os.path.exists(self.record):
            with open(self.record, encoding="utf-8") as file:
                lines = file.read().splitlines()
        return done, lines


def check(top, build):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        run = Runs(top, build, folder)
        for case, extra, out, wanted in RIGHT:
            done, lines = run(case, extra)
            if done.returncode or not re.fullmatch(out, done.stdout):
                found.append(f"{case}: exit code {done.returncode}, printed {done.stdout!r} {done.stderr!r}")
            found += [f"{case}: {what}" for what in record_violations(lines, wanted)]
        for case, why in FAULTS:
            done, lines = run(case, {})
            faults = [json.loads(line)["why"] for line in lines if json.loads(line)["kind"] == "fault"]
            if done.returncode != 112 or len(faults) != 1 or not re.fullmatch(why, faults[0]):
                found.append(f"{case}: exit code {done.returncode}, fault {faults}, expected {why!r}")
        done, lines = run("not mapped", {})
        if done.returncode == 0 or "'present' map type modifier does not exist" not in done.stderr:
            found.append(f"not mapped: exit code {done.returncode}, {done.stderr!r}")
        for case, first, second in DIFFER:
            one, other = run(case, first)[0], run(case, second)[0]
            if one.returncode or other.returncode or one.stdout == other.stdout:
                found.append(f"{case}: {first} and {second} both print {one.stdout!r}")
        _, lines = run("again", {})
        changes = {entry["id"]: (entry["changed"], entry["last_changed"])
                   for entry in map(json.loads, lines) if entry["kind"] == "copy"}
        if changes != {2: (True, True), 3: (False, False), 4: (True, False), 5: (True, True)}:
            found.append(f"again: {changes}")
        _, lines = run("value", {})
        values = {entry["symbol"]: entry for entry in map(json.loads, lines) if entry["kind"] == "value"}
        if (values.get("n", {}).get("least"), values.get("n", {}).get("most")) != (7, 9) or 'v.size("x")' not in values:
            found.append(f"value: {values}")
        _, lines = run("guards", {"BUSFARE_GUARD": "off"})
        entries = [json.loads(line) for line in lines]
        guards = [(e["region"], e["asked"], e["held"]) for e in entries if e["kind"] == "guard"]
        guarded = [(e["id"], e["calls"]) for e in entries if e["kind"] == "guarded"]
        if guards != [(1, 1, 1), (2, 1, 0)] or guarded != [(k, 1) for k in (2, 3, 4, 5)]:
            found.append(f"guards: {guards}, {guarded}")
        for extra, wanted in (({}, (6, 20, True)), ({"BUSFARE_TASK_ORDERS": "5"}, (6, 5, False))):
            _, lines = run("chunks", extra)
            tasks = [json.loads(line) for line in lines if json.loads(line)["kind"] == "tasks"]
            if [(e["tasks"], e["orders"], e["all"]) for e in tasks] != [wanted]:
                found.append(f"chunks, {extra}: {tasks}")
        for dependence in (0, 1):
            done, _ = run("chunks", {"BUSFARE_MUTANT": f"{dependence}:undepend"})
            if done.returncode != 112 or "depends on the order of the tasks" not in done.stderr:
                found.append(f"chunks without dependence {dependence}: exit code {done.returncode}, {done.stderr!r}")
        _, lines = run("reduced", {})
        run_line = [json.loads(line) for line in lines if json.loads(line)["kind"] == "run"]
        if [(r["other_h2d"], r["other_d2h"], r["kernels"], r["protected"]) for r in run_line] != [(40, 8, 1, True)]:
            found.append(f"reduced: {run_line}")
    return found


def self_test():
    line = '{"kind": "array", "array": "a", "h2d": 8, "protection": "pages"}'
    assert record_violations([line], {("a", "h2d"): 8, ("a", "protection"): "pages"}) == []
    assert len(record_violations([line], {("a", "h2d"): 9})) == 1
    assert len(record_violations([line], {("b", "h2d"): 0})) == 1
    assert len(record_violations([], {("a", "h2d"): 8})) == 1
    cases = {case for case, *_ in RIGHT} | {case for case, _ in FAULTS} | {case for case, *_ in DIFFER}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "watch", "faults.c"), encoding="utf-8") as file:
        written = set(re.findall(r'CASE\("([^"]+)"\)', file.read()))
    assert written == cases | {"not mapped", "value", "again"}, written ^ cases
    print("watch_test: the checker refuses what it must, and every case is run")


def main():
    if sys.argv[1:2] == ["--self-test"]:
        self_test()
        return 0
    top, build = sys.argv[1:3]
    for needed in (f"{build}/lib/libbusfare-watch.a", shutil.which("clang-19") or "clang-19",
                   f"{LLVM}/lib/libomptarget.so", f"{LLVM}/bin/clang-offload-packager"):
        if not os.path.exists(needed):
            print(f"watch_test: skipped, {needed} is missing (clang-19, clang-tools-19, libomp-19-dev)")
            return 77
    found = check(top, build)
    for line in found:
        print(line)
    print(f"watch_test: {len(RIGHT) + len(FAULTS) + len(DIFFER) + 4} cases, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
