# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes of a report with their sources, whether its host time was measured, its iterations."""
import json
import sys

report = json.load(open(sys.argv[1]))
for region in report["regions"]:
    for name, value in sorted(region["parameters"].items()):
        print(f"{name} = {value['value']} ({value['source']})")
    print("iterations:", region["iterations"]["count"])
    print("measured host time:", region["time_s"]["cpu_measured"])
