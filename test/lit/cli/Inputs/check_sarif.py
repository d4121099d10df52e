#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a SARIF log against what the standard asks for where busfare writes anything, and its parts against each other.

    check_sarif.py OUTPUT [ROOT]     one line a result, and "valid: N results, M rules", or what is wrong
    check_sarif.py --self-test OUTPUT     spoiled copies of OUTPUT must be refused

With ROOT, files below it must be there, as the addresses say. The schema below was written by hand from the text of
SARIF 2.1.0; it is narrower than the standard's own: no other key may appear.
"""
import copy
import json
import os
import sys
import urllib.parse

try:
    import jsonschema
except ImportError:
    # Debian's python has it (python3-jsonschema); the first python on the PATH may be another one.
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3"):
        sys.exit("check_sarif.py: install python3-jsonschema")
    os.execv("/usr/bin/python3", ["/usr/bin/python3"] + sys.argv)


def record(required, **optional):
    """An object: keys that must be there and keys that may, and no other."""
    return {"type": "object", "required": sorted(required), "properties": {**required, **optional}, "additionalProperties": False}


def listing(items, least=0):
    return {"type": "array", "items": items, "minItems": least}


TEXT = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 0}
ONE = {"type": "integer", "minimum": 1}
FOLDER = record({"uri": {"type": "string", "pattern": "^file:///([A-Za-z0-9._~/-]|%[0-9A-F]{2})*$", "format": "uri"}})
FILE = record({"uri": {"type": "string", "pattern": "^(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$"}}, uriBaseId={"const": "SRCROOT"})
PLACE = record({"artifactLocation": FILE}, region=record({"startLine": ONE}, startColumn=ONE))
MESSAGE = record({"text": TEXT})
LEVEL = {"enum": ["error", "warning", "note"]}
SPAN = record({"startLine": ONE, "startColumn": ONE, "endLine": ONE, "endColumn": ONE})
CHANGE = record({"artifactLocation": FILE, "replacements": listing(record({"deletedRegion": SPAN}, insertedContent=record({"text": TEXT})), 1)})
FIX = record({"description": MESSAGE, "artifactChanges": listing(CHANGE, 1)})
RESULT = record(
    {"ruleId": TEXT, "ruleIndex": COUNT, "level": LEVEL, "message": MESSAGE, "partialFingerprints": record({"busfare/v1": {"pattern": "^[0-9a-f]{16}$"}})},
    locations=listing(record({}, physicalLocation=PLACE, logicalLocations=listing(record({"name": TEXT, "kind": {"const": "function"}}), 1)), 1),
    relatedLocations=listing(record({"id": COUNT, "message": MESSAGE}, physicalLocation=PLACE), 1),
    suppressions=listing(record({"kind": {"enum": ["inSource", "external"]}, "justification": TEXT}), 1),
    fixes=listing(FIX, 1), properties={"type": "object"})
RULE = record({"id": TEXT, "name": {"type": "string", "pattern": "^[A-Z][A-Za-z0-9]+$"}, "shortDescription": MESSAGE, "fullDescription": MESSAGE,
               "help": record({"text": TEXT, "markdown": TEXT}), "properties": record({"tags": listing(TEXT, 1)})},
              helpUri={"type": "string", "format": "uri"})
INVOCATION = record({"executionSuccessful": {"type": "boolean"}, "workingDirectory": FOLDER,
                     "toolExecutionNotifications": listing(record({"descriptor": record({"id": TEXT}), "level": LEVEL, "message": MESSAGE}))})
RUN = record({"tool": record({"driver": record({"name": {"const": "busfare"}, "version": TEXT,
                                                "semanticVersion": {"type": "string", "pattern": r"^\d+\.\d+\.\d+"}, "rules": listing(RULE, 1)})}),
              "automationDetails": record({"id": TEXT}), "invocations": listing(INVOCATION, 1),
              "originalUriBaseIds": record({"SRCROOT": FOLDER}), "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
              "results": dict(listing(RESULT), maxItems=5000)})
LOG = record({"$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"}, "runs": dict(listing(RUN, 1), maxItems=1)})


def violations(log, root):
    for error in jsonschema.Draft7Validator(LOG).iter_errors(log):
        yield "/".join(map(str, error.absolute_path)) + ": " + error.message[:200]
        return
    run = log["runs"][0]
    rules, seen = run["tool"]["driver"]["rules"], set()
    if len({rule["id"] for rule in rules}) != len(rules):
        yield "two rules have one id"
    for number, result in enumerate(run["results"]):
        where = f"results/{number}"
        if result["ruleIndex"] >= len(rules) or rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            yield f"{where}: ruleIndex leads to another rule"
        if result["partialFingerprints"]["busfare/v1"] in seen:
            yield f"{where}: its fingerprint is that of another result"
        seen.add(result["partialFingerprints"]["busfare/v1"])
        for location in result.get("locations", []) + result.get("relatedLocations", []):
            file = location.get("physicalLocation", {}).get("artifactLocation", {"uri": "file:///"})
            if file["uri"].startswith("file:") == ("uriBaseId" in file):
                yield f"{where}: an address is relative to SRCROOT, or absolute"
            if root and "uriBaseId" in file:
                base = urllib.parse.unquote(run["originalUriBaseIds"]["SRCROOT"]["uri"])[len("file://"):]
                if os.path.realpath(base) != os.path.realpath(root) or not os.path.isfile(os.path.join(base, urllib.parse.unquote(file["uri"]))):
                    yield f"{where}: {file['uri']} is not below {root}"


def shown(result):
    place = result.get("locations", [{}])[0].get("physicalLocation", {"artifactLocation": {"uri": ""}})
    region = place.get("region", {})
    suppressed = " (suppressed)" if "suppressions" in result else ""
    return f"{place['artifactLocation']['uri']}:{region.get('startLine', '')}:{region.get('startColumn', '')}: {result['level']}: {result['ruleId']}{suppressed}: {result['message']['text']}"


def self_test(log):
    def spoil(change):
        spoiled = copy.deepcopy(log)
        change(spoiled["runs"][0])
        assert list(violations(spoiled, None)), "a spoiled log passes"
    assert not list(violations(log, None))
    first = [i for i, result in enumerate(log["runs"][0]["results"]) if "locations" in result][0]
    spoil(lambda run: run["results"][first].update(level="remark"))
    spoil(lambda run: run["results"][first].update(ruleIndex=run["results"][first]["ruleIndex"] + 1))
    spoil(lambda run: run["results"].append(run["results"][first]))
    spoil(lambda run: run["results"][first].pop("message"))
    spoil(lambda run: run["results"][first].update(invented=1))
    spoil(lambda run: run["results"][first]["locations"][0]["physicalLocation"]["region"].update(startLine=0))
    spoil(lambda run: run["results"][first]["locations"][0]["physicalLocation"]["artifactLocation"].update(uri="a b.c"))
    spoil(lambda run: run["results"][first]["locations"][0]["physicalLocation"]["artifactLocation"].pop("uriBaseId"))
    spoil(lambda run: run["tool"]["driver"]["rules"].append(run["tool"]["driver"]["rules"][0]))
    spoil(lambda run: run["originalUriBaseIds"]["SRCROOT"].update(uri="src"))
    spoil(lambda run: run.pop("results"))
    print("check_sarif: spoiled logs are refused")


def main():
    arguments = [word for word in sys.argv[1:] if word != "--self-test"]
    with open(arguments[0], encoding="utf-8") as file:
        log = json.load(file)
    if "--self-test" in sys.argv:
        self_test(log)
        return 0
    found = list(violations(log, arguments[1] if len(arguments) > 1 else None))
    if found:
        print("\n".join(found))
        return 1
    run = log["runs"][0]
    for result in run["results"]:
        print(shown(result))
    print(f"valid: {len(run['results'])} results, {len(run['tool']['driver']['rules'])} rules")
    return 0


if __name__ == "__main__":
    sys.exit(main())
