# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two reports have the same sections, formulas and verdicts of loops."""
import json
import sys


def proven(file):
    report = json.load(open(file))
    sections = [(r["id"], a["name"], way, c["section"], c["formula"], c["exact"]) for r in report["regions"] for a in r["arrays"]
                for way in ("h2d", "d2h") if a[way] for c in a[way]["crossings"]]
    return sections, report["loops"]


assert proven(sys.argv[1]) == proven(sys.argv[2])
