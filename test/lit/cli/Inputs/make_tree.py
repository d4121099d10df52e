"""Makes a source tree with what a folder must bring in, and what not: make_tree.py FOLDER."""
import os
import sys

LOOP = "void %s(double *a, int n) {\n  for (int i = 0; i < n; i++)\n    a[i] *= 2;\n}\n"
FILES = {
    "src/b.c": LOOP % "of_b",
    "src/a.c": LOOP % "of_a",
    "src/sub/c.cpp": LOOP % "of_c",
    "src/sub/heat.h": "#define FACTOR 3\n",
    "src/needs.c": '#include "sub/heat.h"\n#include <deep/far.h>\n' + LOOP % "of_needs" + "int f(void) { return FACTOR + FAR; }\n",
    "include/deep/far.h": "#define FAR 4\n",
    "src/notes.txt": "no source\n",
    "src/binary.c": "int x;\0\1",
    "src/preprocessed.i": LOOP % "of_preprocessed",
    "src/.hidden.c": LOOP % "of_hidden_file",
    ".git/hook.c": LOOP % "of_hidden_folder",
    "CMakeFiles/probe.c": LOOP % "of_probe",
    "out/CMakeCache.txt": "",
    "out/generated.c": LOOP % "of_build",
}
for name, text in FILES.items():
    path = os.path.join(sys.argv[1], name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
os.symlink("..", os.path.join(sys.argv[1], "src", "up"))
