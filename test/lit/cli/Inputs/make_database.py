"""Writes a compile_commands.json: make_database.py FOLDER SOURCE..."""
import json
import os
import sys

folder = sys.argv[1]
entries = [{"directory": os.path.abspath(folder), "file": os.path.abspath(source),
            "arguments": ["/usr/bin/cc", "-DCOLUMNS=7", "-O2", "-o", "x.o", "-c", os.path.abspath(source)]}
           for source in sys.argv[2:]]
entries.append({"directory": os.path.abspath(folder), "file": "start.S", "arguments": ["/usr/bin/cc", "-c", "start.S"]})
with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
    json.dump(entries, file)
