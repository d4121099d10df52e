# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The terms of an explanation against the times they explain: the one that decides and those that are added."""
import json
import math
import sys

explanation = json.load(open(sys.argv[1]))
terms = machines = 0
for nest in explanation["nests"]:
    for on in nest["on"]:
        machines += 1
        assert not on["launches_differ"], "each launch does the same here"
        for key, whole in [("kernel_terms", on["time_s"]), ("cpu_terms", on["cpu_s"] / on["launches"]),
                           ("cpu_all_cores_terms", on["cpu_all_cores_s"] / on["launches"])]:
            parts = on[key]
            assert sum(t["decides"] for t in parts) == 1, key
            longest = max(t["time_s"] for t in parts if not t["added"])
            assert longest == next(t["time_s"] for t in parts if t["decides"]), key
            total = longest + sum(t["time_s"] for t in parts if t["added"])
            assert math.isclose(total, whole, rel_tol=1e-9), (key, total, whole)
            terms += len(parts)
            for term in parts:
                assert all(i["source"] for i in term["inputs"] if i["kind"] != "counted"), term
        region = next(r for r in explanation["regions"] if r["id"] == nest["region"])
        copies = region["on"][on["machine"]]["time_s"]
        for way in ("h2d", "d2h"):
            mine = sum(c["time"]["time_s"] for c in on["copies"] if c["direction"] == way)
            assert math.isclose(mine, copies[way], rel_tol=1e-9), (way, mine, copies[way])
print(f"{machines} machines, {terms} terms")
