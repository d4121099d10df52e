#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints of each report's region the bytes, what its chunks wait for, and the strategy on each machine."""
import json
import sys

for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        report = json.load(file)
    (region,) = report["regions"]
    print(f"{region['location']['file'].rsplit('/')[-1].split('.')[0]}: h2d {region['h2d_bytes']} d2h {region['d2h_bytes']}")
    chunks = region["chunks"]
    print(f"chunks over {chunks['index']}: needs {chunks['needs']}, back waits {chunks['back_waits']}{chunks['why_not']}")
    for machine in report["machines"]:
        print(f"{machine['name']}: {region['on'][machine['name']]['plan']['strategy']}")
