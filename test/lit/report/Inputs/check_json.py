#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a JSON output against its schema, and a report's parts against their sums.

    check_json.py SCHEMA OUTPUT     says "valid: N regions" (or loops, sections, ...), or what is wrong
    check_json.py --self-test SCHEMA OUTPUT     spoiled copies of OUTPUT must be refused
"""
import copy
import json
import os
import sys

try:
    import jsonschema
except ImportError:
    # Debian's python has it (python3-jsonschema); the first python on the PATH may be another one.
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3"):
        sys.exit("check_json.py: install python3-jsonschema")
    os.execv("/usr/bin/python3", ["/usr/bin/python3"] + sys.argv)


def sums(report):
    for region in report.get("regions", []):
        if "arrays" not in region:  # a profile's, a diff's
            continue
        for way in ("h2d", "d2h"):
            total = 0
            for array in region["arrays"]:
                direction = array[way]
                if direction is None:
                    continue
                parts = sum(c["bytes"] * c["count"] for c in direction["crossings"])
                moved = sum(c["moved_bytes"] * c["count"] for c in direction["crossings"])
                if direction["bytes"] * direction["count"] != parts:
                    yield f"{region['id']}: {array['name']} {way}: bytes*count is not the crossings' sum"
                if direction["moved_bytes"] * direction["count"] != moved:
                    yield f"{region['id']}: {array['name']} {way}: moved_bytes*count is not the crossings' sum"
                if moved < parts:
                    yield f"{region['id']}: {array['name']} {way}: fewer bytes are moved than the sections hold"
                total += parts
            if total != region[way + "_bytes"]:
                yield f"{region['id']}: {way}_bytes is {region[way + '_bytes']}, the arrays' sum is {total}"
        for array in region["arrays"]:
            if array["temporary"] and (array["h2d"] or array["d2h"]):
                yield f"{region['id']}: {array['name']} is temporary and crosses"
        if region["on"]:
            first = region["on"][report["machines"][0]["name"]]
            for key in ("time_s", "speedup", "plan", "iterations", "verdict"):
                if first[key] != region[key]:
                    yield f"{region['id']}: {key} is not the first machine's"
        speedup, time = region["speedup"], region["time_s"]
        if None not in speedup.values() and not speedup["low"] <= speedup["value"] <= speedup["high"]:
            yield f"{region['id']}: the speedup lies outside its interval"
        plan = region["plan"]
        bounds = plan["bounds"]
        if not bounds["full_overlap_s"] * (1 - 1e-9) <= plan["time_s"] <= bounds["zero_overlap_s"] * (1 + 1e-9):
            yield f"{region['id']}: the plan lies outside the bounds of overlap"
        if plan["time_s"] > plan["explicit_s"] * (1 + 1e-9):
            yield f"{region['id']}: the plan is slower than explicit copies"
        if abs(time["total"] - plan["time_s"] - time["host"]) > 1e-9 * time["total"]:
            yield f"{region['id']}: the total is not the plan and the host's part"
        # What is not explicit needs pinned memory, which costs once.
        pinning = plan["pinning"]["startup_s"] / region["runs"] if plan["memory"] == "pageable" and region["runs"] else 0
        if any(other["time_s"] is not None and other["time_s"] + pinning < plan["time_s"] for other in plan["alternatives"]):
            yield f"{region['id']}: an alternative is faster than the plan"
        # The gain follows from the times, and the verdict from the gain.
        gain, once = region["gain_s"], min(time["cpu"], time["cpu_all_cores"]) - time["total"]
        expected = (region["runs"] or 1) * once - gain["startup_added"]
        if None not in gain.values() and abs(gain["value"] - expected) > 1e-9 * (abs(expected) + gain["startup_added"] + time["cpu"]):
            yield f"{region['id']}: the gain is {gain['value']}, the times make {expected}"
        if region["runs"] is None and gain["startup_added"]:
            yield f"{region['id']}: start-up is counted for an unknown number of runs"
        if region["verdict"] == "port" and not gain["low"] > 0 or region["verdict"] == "keep" and region["fits"] and time["total"] and not gain["high"] < 0:
            yield f"{region['id']}: told to {region['verdict']}, and gains {gain['low']} to {gain['high']} s"
        if any(value < 0 for value in time.values() if type(value) in (int, float)):
            yield f"{region['id']}: a negative time"


def problems(schema, output):
    validator = jsonschema.Draft202012Validator(schema)
    found = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}" for e in validator.iter_errors(output)]
    return found or list(sums(output))


def spoiled(output):
    for key in list(output):
        one = copy.deepcopy(output)
        del one[key]
        yield f"without {key}", one
    one = copy.deepcopy(output)
    one["schema_version"] = 2
    yield "schema_version 2", one
    if output.get("regions") and "arrays" in output["regions"][0]:
        for key in ("h2d_bytes", "d2h_bytes"):
            one = copy.deepcopy(output)
            one["regions"][0][key] += 1
            yield f"{key} one more", one
        one = copy.deepcopy(output)
        one["regions"][0]["verdict"] = "perhaps"
        yield "an unknown verdict", one
        one = copy.deepcopy(output)
        one["regions"][0]["plan"]["time_s"] *= 2
        yield "a plan twice as slow", one
        one = copy.deepcopy(output)
        one["regions"][0]["gain_s"]["value"] += 1
        yield "a second more gained", one


def main(arguments):
    self_test = arguments[0] == "--self-test"
    schema_file, output_file = arguments[1:] if self_test else arguments
    with open(schema_file, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    with open(output_file, encoding="utf-8") as file:
        output = json.load(file)
    found = problems(schema, output)
    if self_test:
        found += [f"not refused: {how}" for how, bad in spoiled(output) if not problems(schema, bad)]
    for problem in found:
        print(problem)
    if not found:
        what = {"report": "regions", "port": "copies", "overlap": "equations", "blas": "tiles", "comm": "messages",
                "papers": "rows", "diff": "regions", "sweep": "rows", "trace": "by_size", "explain": "nests", "profile": "functions"}.get(output["output"], output["output"])
        print(f"valid: {len(output[what])} {'changes of ' if output['output'] == 'diff' else ''}{what}")
    return 1 if found else 0


sys.exit(main(sys.argv[1:]))
