"""Applies the fixes of a SARIF log to copies of the sources: apply_fixes.py LOG FOLDER. Prints how many results have one."""
import json, os, sys, urllib.parse

run = json.load(open(sys.argv[1], encoding="utf-8"))["runs"][0]
root = urllib.parse.unquote(run["originalUriBaseIds"]["SRCROOT"]["uri"][len("file://"):])
fixed = [result for result in run["results"] if "fixes" in result]
for result in fixed:
    assert result["ruleId"] == "verdict-port", result["ruleId"]
    for change in result["fixes"][0]["artifactChanges"]:
        place = change["artifactLocation"]
        name = urllib.parse.unquote(place["uri"].removeprefix("file://"))
        lines = open(os.path.join(root, name) if "uriBaseId" in place else name, encoding="utf-8", newline="").read().split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        text, out, at = "\n".join(lines), "", 0
        for one in change["replacements"]:
            where = one["deletedRegion"]
            begin = starts[where["startLine"] - 1] + where["startColumn"] - 1
            end = starts[where["endLine"] - 1] + where["endColumn"] - 1
            assert at <= begin <= end, where
            out += text[at:begin] + one.get("insertedContent", {"text": ""})["text"]
            at = end
        with open(os.path.join(sys.argv[2], os.path.basename(name)), "w", encoding="utf-8", newline="") as file:
            file.write(out + text[at:])
print(len(fixed), "fixed")
