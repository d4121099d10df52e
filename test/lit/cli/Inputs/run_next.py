"""Runs each `busfare ...` line that a report ends with, as a shell would: exit code 0, or 1 of what holds something against the code.

run_next.py BUSFARE REPORT...
"""
import os
import subprocess
import sys

environment = dict(os.environ, PATH=os.path.dirname(os.path.abspath(sys.argv[1])) + os.pathsep + os.environ["PATH"])
for name in sys.argv[2:]:
    with open(name, encoding="utf-8") as file:
        lines = file.read().split("\nNext\n", 1)[1].split("\n\n", 1)[0].splitlines()
    script = ""
    commands = 0
    for line in lines:
        script += line.strip().removesuffix("\\") + (" " if line.endswith("\\") else "\n")
    for line in script.splitlines():
        if line.startswith("set --"):
            preamble = line + "\n"
            continue
        commands += 1
        run = subprocess.run(["bash", "-c", (preamble if '"$@"' in line else "") + line], env=environment, capture_output=True, text=True)
        if run.returncode != 0 or not run.stdout:
            sys.exit(f"{name}: {line}\nexit code {run.returncode}\n{run.stderr[-2000:]}")
        print("ran:", line)
    if commands == 0:
        sys.exit(name + ": no command")
