# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A profile, a line a row."""
import json
import sys

profile = json.load(open(sys.argv[1]))
print("exit", profile["exit_code"])
for region in profile["regions"]:
    print("region of", region["root"], "entered", region["entries"])
for function in profile["functions"]:
    name = function["name"]
    for loop in function["loops"]:
        print(f"loop of {name} executed {loop['executions']}, iterations {loop['iterations']}")
    for branch in function["branches"]:
        print(f"branch of {name} executed {branch['executions']}, taken {branch['taken']}")
    for nest in function["nests"]:
        print(f"nest of {name} executed {nest['executions']}")
    for size in function["sizes"]:
        print(f"size {name}::{size['name']} = {size['value']}")
for note in profile["notes"]:
    print("note:", note)
