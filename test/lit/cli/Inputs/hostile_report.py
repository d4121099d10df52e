#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile_report.py REPORT OUT: the report with one more finding, in a file that no one should have named so."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    report = json.load(file)
report["findings"].append({"rule": "BF001", "level": "remark", "message": "<b>",
                           "location": {"file": "</failure><script>\n\x1b[2J\u202e\"&.c", "line": 1, "column": 0}})
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(report, file)
