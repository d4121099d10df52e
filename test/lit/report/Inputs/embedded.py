# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""embedded.py PAGE ID[,KEY,...]...: the JSON inside a page of --format html reads back; prints what stands at each path."""
import json
import re
import sys

html = open(sys.argv[1], encoding="utf-8").read()
for path in sys.argv[2:]:
    name, *keys = path.split(",")
    found = re.findall(rf'<script type="application/json" id="{name}">(.*?)</script>', html, re.S)
    assert len(found) == 1, f"{len(found)} elements {name}"
    value = json.loads(found[0])
    for key in keys:
        value = value[int(key) if key.isdigit() else key]
    print(f"{path}: {json.dumps(value)}")
