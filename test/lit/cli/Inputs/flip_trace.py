#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flip_trace.py BUSFARE TRACE SCRATCH: whatever bytes of a trace change, `busfare trace` ends with 0 or 2, and says why."""
import collections
import random
import subprocess
import sys

busfare, trace, scratch = sys.argv[1:]
with open(trace, "rb") as file:
    original = file.read()
codes = collections.Counter()
for seed in range(60):
    dice = random.Random(seed)
    data = bytearray(original)
    for _ in range(dice.choice((1, 3, 30, 300))):
        data[dice.randrange(len(data) if dice.random() < 0.6 else 4096)] = dice.randrange(256)
    if dice.random() < 0.2:
        del data[dice.randrange(len(data)):]
    with open(scratch, "wb") as file:
        file.write(data)
    result = subprocess.run([busfare, "trace", scratch, "--to", "a100-pcie4", "--format", dice.choice(("text", "json", "csv"))],
                            capture_output=True, timeout=60)
    codes[result.returncode] += 1
    said = result.stderr.startswith(b"busfare: ") if result.returncode else result.stdout
    if result.returncode not in (0, 2) or not said:
        sys.exit(f"seed {seed}: exit code {result.returncode}: {result.stderr[-300:]!r}")
print(f"read {codes[0]}, refused {codes[2]}")
