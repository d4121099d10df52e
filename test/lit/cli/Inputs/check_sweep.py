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


def answers(row, *options):
    at = ["--param", "n=" + row["n"], "--iterations", row["iterations"], *options, "--format", "json"]
    return json.loads(run("project", skeleton, *at))["regions"][0]["on"]


compared = 0
for runs in ([], ["--runs", "1"], ["--runs", "5000", "--host", "gh200-c2c"]):
    rows = list(csv.DictReader(io.StringIO(run("sweep", skeleton, "--range", "n=1000,30000", "--range", "iterations=1,7,100", *machines, *runs,
                                               "--format", "csv"))))
    for row in rows:
        answer = answers(row, *machines, *runs)[row["machine"]]
        common = "gh200-c2c" if "gh200-c2c" in runs else "a100-pcie4"
        host = answers(row, "--machine", common)[common]["time_s"]
        time = answer["time_s"]
        for column, said in (("kernel_s", time["kernel"]), ("h2d_s", time["h2d"]), ("d2h_s", time["d2h"]), ("total_s", time["total"]),
                             ("speedup", answer["speedup"]["value"]), ("gain_s", answer["gain_s"]["value"]),
                             ("speedup_common", min(host["cpu"], host["cpu_all_cores"]) / time["total"])):
            if abs(float(row[column]) - said) > 1e-7 * abs(said):
                sys.exit(f"{runs}, {row}: {column} is {said} in the report")
        compared += 1
print(f"same: {compared} rows")
