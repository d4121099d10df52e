"""Prints a machine file with one number changed, or left out: spoil_machine.py FILE PART KEY [VALUE]"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    machine = json.load(file)
if len(sys.argv) > 4:
    machine[sys.argv[2]][sys.argv[3]]["value"] = float(sys.argv[4])
else:
    del machine[sys.argv[2]][sys.argv[3]]
print(json.dumps(machine))
