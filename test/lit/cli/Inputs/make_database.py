"""Writes a compile_commands.json: make_database.py FOLDER SOURCE[=FLAG,FLAG...]...

An entry's command is that of gcc behind ccache, with flags that Clang does not know or that must not have their effect."""
import json
import os
import sys

GCC_ONLY = ["-fipa-pta", "-fno-tree-loop-distribute-patterns", "-mno-such-feature", "-fdump-tree-all", "--param=max-inline-insns-single=9"]
folder = os.path.abspath(sys.argv[1])
entries = []
for argument in sys.argv[2:]:
    source, _, flags = argument.partition("=")
    source = os.path.abspath(source)
    own = flags.split(",") if flags else ["-DCOLUMNS=7"]
    command = ["ccache", "/usr/bin/cc"] + own + GCC_ONLY + [
        "-O2", "-MMD", "-MF", "x.d", "-Wp,-MD,y.d", "-save-temps", "-fplugin=nothing.so", "-o", "x.o", "-c", os.path.relpath(source, folder)]
    entries.append({"directory": folder, "file": source, "arguments": command})
entries.append({"directory": folder, "file": "start.S", "arguments": ["/usr/bin/cc", "-c", "start.S"]})
with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
    json.dump(entries, file)
