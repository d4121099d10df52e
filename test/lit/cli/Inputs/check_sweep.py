#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_sweep.py BUSFARE FILE.skel: a sweep over n and iterations says what `busfare project` says at each of them."""
import csv
import io
import json
import subprocess
import sys

busfare, skeleton = sys.argv[1:]
machines = ["--machine", "a100-pcie4", "--machine", "fx5600-pcie1"]


def run(*arguments):
    return subprocess.run([busfare, *arguments], capture_output=True, text=True, check=True).stdout


rows = list(csv.DictReader(io.StringIO(run("sweep", skeleton, "--range", "n=1000,30000", "--range", "iterations=1,7,100", *machines,
                                           "--format", "csv"))))
for row in rows:
    report = json.loads(run("project", skeleton, "--param", "n=" + row["n"], "--iterations", row["iterations"], *machines, "--format", "json"))
    answer = report["regions"][0]["on"][row["machine"]]
    time = answer["time_s"]
    for column, key in (("kernel_s", "kernel"), ("h2d_s", "h2d"), ("d2h_s", "d2h")):
        if abs(float(row[column]) / time[key] - 1) > 1e-7:
            sys.exit(f"{row}: {column} is {time[key]} in the report")
    if abs(float(row["speedup"]) / answer["speedup"]["value"] - 1) > 1e-7:
        sys.exit(f"{row}: the speedup is {answer['speedup']['value']} in the report")
print(f"same: {len(rows)} rows")
