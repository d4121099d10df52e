#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs busfare-bench: help, usage and the host's table everywhere; the link's where there is a GPU, its refusal elsewhere."""
import csv
import glob
import os
import subprocess
import sys

COLUMNS = ["test", "direction", "memory", "bytes", "pieces", "repeats", "min_s", "mean_s", "median_s", "stddev_s",
           "bandwidth_GBps"]
HOST_TESTS = {"clock", "fma", "divide", "special", "read", "triad", "copy", "fork"}
HOST_FACTS = ("processor:", "cores:", "threads:", "vector_bytes:", "fused:", "l1_bytes:", "l2_bytes:", "last_level_bytes:")
TESTS = {"empty_sync", "launch_sync", "launch_async", "launch_chain", "copy", "copy_alone", "copy_busy", "split", "kernel", "device_copy",
         "device_triad", "device_chase"}
OTHER_PROBES = {"overlap": {"overlap_kernel", "overlap_streams", "overlap_hybrid", "overlap_mapped"},
                "start": {"driver", "context", "device_alloc", "host_alloc", "host_register"},
                "tiles": {"dgemm", "sgemm", "daxpy"}}


def refusal_violations(code, out, err):
    """What is wrong with an answer that should be: exit code 2, nothing on stdout, one line on stderr."""
    found = [] if code == 2 else [f"exit code {code}, expected 2"]
    found += [f"standard output should be empty: {out!r}"] if out else []
    lines = err.splitlines()
    if len(lines) != 1 or not lines[0].startswith("busfare-bench: "):
        found.append(f"one line of message expected, got {err!r}")
    return found


def table_violations(text, tests=TESTS, facts=("device:", "driver:", "link:")):
    lines = text.splitlines()
    comments = [line for line in lines if line.startswith("#")]
    found = [f"no comment line says {word}" for word in facts
             if not any(word in line for line in comments)]
    rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    if not rows or rows[0] != COLUMNS:
        return found + [f"columns are {rows[:1]}"]
    missing = tests - {row[0] for row in rows[1:]}
    found += [f"no row of {name}" for name in sorted(missing)]
    for row in rows[1:]:
        low, mean, middle = float(row[6]), float(row[7]), float(row[8])
        # Four digits are printed, so equal times may differ in the last.
        if len(row) != len(COLUMNS) or not 0 < low <= middle * 1.001 or not low <= mean * 1.001 or int(row[5]) < 1:
            found.append(f"row is off: {row}")
    return found


def check(program):
    def run(*words):
        done = subprocess.run([program, *words], capture_output=True, text=True, timeout=280)
        return done.returncode, done.stdout, done.stderr
    found = []
    code, out, err = run("--help")
    if code or err or "usage: busfare-bench" not in out:
        found.append(f"--help: exit code {code}, {err}")
    code, out, err = run("compare", "--help")
    if code or err or "usage: busfare-bench compare" not in out:
        found.append(f"compare --help: exit code {code}, {err}")
    for words in ([], ["compare"], ["compare", "--runs", "x"], ["compare", "--report", "/nowhere.json", "--host", "a=b"], ["fly"], ["link", "--fast"], ["link", "--csv"], ["link", "--device", "x"], ["link", "--device", "-1"],
                  ["link", "--max-bytes", "0"], ["link", "--max-bytes", "1048576x"], ["link", "fly"]):
        found += [f"{' '.join(words)}: {what}" for what in refusal_violations(*run(*words))]
    code, out, err = run("host", "--quick")
    found += table_violations(out, HOST_TESTS, HOST_FACTS) if code == 0 else [f"host: exit code {code}: {err}"]
    if glob.glob("/dev/nvidia[0-9]*"):
        code, out, err = run("link", "--quick", "--max-bytes", str(64 << 20))
        found += table_violations(out) if code == 0 else [f"link: exit code {code}: {err}"]
        for probe, tests in OTHER_PROBES.items():
            code, out, err = run(probe, "--quick", "--max-bytes", str(64 << 20))
            if "cuBLAS" in err and not refusal_violations(code, out, err):
                continue  # not every GPU's machine has it
            found += table_violations(out, tests) if code == 0 else [f"{probe}: exit code {code}: {err}"]
        print("bench_test: with a GPU")
    else:
        for probe in ("link", *OTHER_PROBES):
            found += [f"{probe} without a GPU: {what}" for what in refusal_violations(*run(probe, "--quick"))]
        print("bench_test: without a GPU")
    return found


def self_test():
    assert refusal_violations(2, "", "busfare-bench: no GPU can be used here\n") == []
    assert refusal_violations(0, "", "busfare-bench: no GPU\n")
    assert refusal_violations(2, "x", "busfare-bench: no GPU\n")
    assert refusal_violations(2, "", "")
    assert refusal_violations(2, "", "busfare-bench: a\nbusfare-bench: b\n")
    good = "# device: x\n# driver: y\n# link: z\n" + ",".join(COLUMNS) + "\n"
    good += "".join(f"{name},h2d,pinned,8,1,5,1e-6,2e-6,2e-6,1e-7,0.004\n" for name in TESTS)
    assert table_violations(good) == []
    assert table_violations(good.replace("# link: z\n", ""))
    assert table_violations(good.replace("split,", "copy,"))
    assert table_violations(good.replace("median_s", "middle_s"))
    assert table_violations(good.replace("copy,h2d,pinned,8,1,5,1e-6", "copy,h2d,pinned,8,1,5,3e-6"))
    assert table_violations(good.replace(",1e-6,", ",0,"))
    print("bench_test: the checker refuses what it must")


def main():
    if sys.argv[1:2] == ["--self-test"]:
        self_test()
        return 0
    program = os.path.join(sys.argv[2], "bin", "busfare-bench")
    found = check(program)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
