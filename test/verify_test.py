#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs `busfare verify --mutants` on every program of test/programs at a small size, and on what it must refuse.

A program passes if its port prints what the original does in every build, its bytes are the plan's and no mutant survives.
What it says about itself is held against its own schema. Each program must also be verified: kernels ran, copies were made.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

LLVM = "/usr/lib/llvm-19"
# The flags that make it small; every program of the folder is here.
PROGRAMS = {
    "buoydiff.c": ["-DX=7", "-DY=6", "-DLEVELS=5"],
    "cfd.c": ["-DELEMENTS=500", "-DITERATIONS=2"],
    "gemm.c": ["-DSIZE=24"],
    "histogram.c": ["-DPIXELS=3000"],
    "hotspot.c": ["-DGRID=24", "-DITERATIONS=3"],
    "jacobi2d.c": ["-DN=26", "-DSTEPS=5"],
    "jacobi2d.cpp": ["-DN=26", "-DSTEPS=5"],
    "reduce.c": ["-DLENGTH=3000"],
    "srad.c": ["-DROWS=20", "-DCOLS=30", "-DITERATIONS=2"],
    "stassuij.c": ["-DSTATES=20", "-DCOLUMNS=30"],
    "state.c": ["-DX=7", "-DY=6", "-DLEVELS=5"],
    "stencil3d.cpp": ["-DNX=9", "-DNY=10", "-DNZ=11", "-DSTEPS=3"],
    "triangular.c": ["-DN=20"],
    "vectoradd.c": ["-DLENGTH=1000"],
}


# Programs that port leaves as they are, with why; and automatic arrays that stay among others on the stack.
NOT_PORTED = {"jacobi2d.cpp": "it is a template"}
SHARED = {("histogram.c", "bins")}


def report_violations(report, name=""):
    """What is wrong with a verification that should have passed."""
    if name in NOT_PORTED:
        reasons = [finding["message"] for finding in report["findings"]]
        return [] if any(NOT_PORTED[name] in reason for reason in reasons) and not report["runs"] else [f"not as expected: {reasons}"]
    found = [] if report["passed"] else ["did not pass"]
    found += [f"{run['build']}, {run['run']}: {run['detail']}" for run in report["runs"] if not run["passed"]]
    found += [f"{row['array']} {row['direction']}: {row['planned_bytes']} planned, {row['measured_bytes']} measured"
              for row in report["bytes"] if not row["equal"] or row["planned_bytes"] is None]
    found += [f"{row['array']}: host pages are {row['protection'] or 'unknown'}" for row in report["bytes"]
              if row["measured_bytes"] and row["protection"] != "pages" and (name, row["array"]) not in SHARED]
    found += [f"copy {m['copy']} ({m['array']} {m['direction']}), {m['kind']}: {m['detail']}" for m in report["mutants"]
              if m["fate"] == "survived"]
    if not report["kernels"] or not report["bytes"] or not report["mutants"]:
        found.append(f"{report['kernels']} kernels, {len(report['bytes'])} rows of bytes, {len(report['mutants'])} mutants")
    if not any(m["fate"] == "caught" for m in report["mutants"]):
        found.append("no mutant was caught")
    return found


def run(program, *words, **environment):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=280, env=dict(os.environ, **environment))
    return done.returncode, done.stdout, done.stderr


def check_programs(busfare, programs):
    found = []
    try:
        import jsonschema
        schema = json.loads(run(busfare, "schema", "verify")[1])
    except ImportError:
        jsonschema = schema = None
        found.append("python3-jsonschema is missing")
    for name, flags in PROGRAMS.items():
        code, out, err = run(busfare, "verify", "--mutants", "--no-progress", "--format", "json", os.path.join(programs, name),
                             "--", "-O1", "-lm", *flags)
        if code not in (0, 1) or not out:
            found.append(f"{name}: exit code {code}: {err.strip()}")
            continue
        report = json.loads(out)
        found += [f"{name}: {what}" for what in report_violations(report, name)]
        if (code == 0) != report["passed"]:
            found.append(f"{name}: exit code {code}")
        if jsonschema:
            errors = list(jsonschema.Draft202012Validator(schema).iter_errors(report))
            found += [f"{name}: {error.message}" for error in errors]
    return found


def check_refusals(busfare, programs):
    found = []

    def refused(what, needle, *words, **environment):
        code, out, err = run(busfare, "verify", "--no-progress", *words, **environment)
        if code != 2 or out or needle not in err:
            found.append(f"{what}: exit code {code}, {out!r}, {err!r}")
    small = os.path.join(programs, "vectoradd.c")
    with tempfile.TemporaryDirectory() as folder:
        broken, endless = os.path.join(folder, "broken.c"), os.path.join(folder, "endless.c")
        with open(endless, "w", encoding="utf-8") as file:
            file.write("int main(void) { static double a[9]; for (int i = 0; i < 9; i++) a[i] = 1;\n"
                       "  for (volatile int i = 0; ; i++) ; return a[0] > 2; }\n")
        with open(broken, "w", encoding="utf-8") as file:
            file.write("int nowhere(void);\nint main(void) { static double a[9];\n"
                       "  for (int i = 0; i < 9; i++) a[i] = 1;\n  return nowhere() + (int)a[3]; }\n")
        refused("no gcc", "gcc (package gcc)", small, PATH=folder)
        refused("does not link", "undefined reference", broken)
        refused("does not end", "has not ended after 1 s", "--time-limit", "1", endless)
    refused("no file", "cannot open", "nowhere.c")
    refused("open quote", "is not closed", "--args", "'a b", small)
    refused("no number", "--tolerance wants", "--tolerance", "much", small)
    return found


def self_test():
    good = {"passed": True, "runs": [{"build": "watched", "run": "", "passed": True, "detail": ""}], "kernels": 1,
            "bytes": [{"array": "u", "direction": "h2d", "planned_bytes": 8, "measured_bytes": 8, "equal": True,
                       "protection": "pages"}],
            "mutants": [{"copy": 0, "array": "u", "direction": "h2d", "kind": "drop", "fate": "caught", "detail": ""}]}
    assert report_violations(good) == []

    def changed(key, **values):
        return dict(good, **{key: [dict(good[key][0], **values)]})
    wrong = [dict(good, passed=False), dict(good, kernels=0), dict(good, mutants=[]), changed("runs", passed=False),
             changed("bytes", equal=False), changed("bytes", planned_bytes=None), changed("bytes", protection="none"),
             changed("mutants", fate="survived"), changed("mutants", fate="excused")]
    for report in wrong:
        assert report_violations(report), report
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "programs")
    there = {name for name in os.listdir(folder) if name.endswith((".c", ".cpp"))}
    assert there == set(PROGRAMS), there ^ set(PROGRAMS)
    print("verify_test: the checker refuses what it must, and every program is run")


def main():
    if sys.argv[1:2] == ["--self-test"]:
        self_test()
        return 0
    top, build = sys.argv[1:3]
    busfare, programs = os.path.join(build, "bin", "busfare"), os.path.join(top, "test", "programs")
    for needed in (busfare, f"{build}/lib/libbusfare-watch.a", shutil.which("clang-19") or "clang-19",
                   f"{LLVM}/lib/libomptarget.so", f"{LLVM}/bin/clang-offload-packager"):
        if not os.path.exists(needed):
            print(f"verify_test: skipped, {needed} is missing (clang-19, clang-tools-19, libomp-19-dev)")
            return 77
    found = check_refusals(busfare, programs) + check_programs(busfare, programs)
    for line in found:
        print(line)
    print(f"verify_test: {len(PROGRAMS)} programs, {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
