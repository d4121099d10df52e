"""Writes a compile_commands.json as other compilers' builds leave it: make_vendor_database.py FOLDER

One file a compiler; each has a loop whose bound is a macro of the command line, and a directive of OpenMP."""
import json
import os
import sys

COMMANDS = {
    "intel.c": "/opt/intel/oneapi/compiler/2025.0/bin/icx -xHost -qopenmp -qopt-report=5 -fp-model precise -ipo -qmkl -O3 -DWIDTH=11",
    "classic.cpp": "icpc -xCORE-AVX512 -openmp -opt-report 5 -no-prec-div -diag-disable:10441 -std=c++17 -DWIDTH=12",
    "nvidia.c": "nvc -acc -gpu=cc80 -Minfo=all -mp=gpu -Mvect=simd -fast -tp haswell -stdpar=gpu -c99 -DWIDTH=13",
    "pgi.cpp": "pgc++ --c++14 -mp -ta=tesla -Mlarge_arrays -DWIDTH=14",
    "cross.cpp": "aarch64-linux-gnu-g++ -mcpu=a64fx -fopenmp -foffload=nvptx-none -DWIDTH=15",
    "windows.c": "x86_64-w64-mingw32-gcc -fopenmp -mwindows -Wa,-mbig-obj -DWIDTH=16",
    "mpi.c": "mpicc -fopenmp -fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target -march=sm_80 --offload-arch=gfx90a -DWIDTH=17",
    "mpi.cpp": "mpicxx -fopenmp -flto=8 -fsanitize=bounds-strict -fprofile-use=lost.gcda -march=znver9 -DWIDTH=18",
}
TEXT = """void of_%s(double *a) {
#pragma omp parallel for
  for (int i = 0; i < WIDTH; i++)
    a[i] += 1;
}
"""
folder = os.path.abspath(sys.argv[1])
os.makedirs(folder, exist_ok=True)
entries = []
for name, command in COMMANDS.items():
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(TEXT % name.replace(".", "_"))
    entries.append({"directory": folder, "file": name, "command": f"{command} -c -o {name}.o {name}"})
with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
    json.dump(entries, file)
