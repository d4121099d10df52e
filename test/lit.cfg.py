# The lit suites: test/lit/{extract,link,sections,report,cli,port,verify,constructs,hints,rules,measure}, one file a test.
#
#   // RUN: %busfare extract %s | %FileCheck %s
#   // CHECK: read a[i]
#
# A test runs in the folder it lies in. Substitutions: %s the test's name; %busfare the built command; %function_times what test/corpus/functions
# runs; %FileCheck, %not the tools of LLVM; %programs the way to test/programs; %machines the folder projection/machines; %clang the compiler of
# the same LLVM; %python; %watch and %digits the libraries that verify links; %plugin what a compiler loads; %llvmlib where libomptarget is. Features: page (of --format html), watch, plugin, gcc, patch, clang-apply-replacements,
# cmake, ninja, make, ccache, distcc, offload (to libomptarget's x86_64 device), if they are there.
import glob
import os
import shutil
import sys

sys.path.insert(0, os.path.join(config.busfare_source, "test", "support"))
from in_its_folder import InItsFolder

config.name = "busfare"
config.test_format = InItsFolder(os.path.join(config.busfare_source, "test", "programs"))
config.suffixes = [".c", ".cpp", ".skel", ".test"]
# What a test reads beside itself lies in an Inputs folder, or is split off by split-file.
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(config.busfare_source, "test", "lit")
config.test_exec_root = os.path.join(config.busfare_build, "test", "lit")

bin = os.path.join(config.llvm_prefix, "bin")
config.environment["PATH"] = bin + os.pathsep + config.environment["PATH"]
# A developer's own settings must not decide what a test sees.
config.environment["LC_ALL"] = "C"
config.environment["COLUMNS"] = "80"
config.environment["NO_COLOR"] = "1"
config.environment["BUSFARE_CACHE"] = ""  # what is tested is computed
for name, value in [
    ("%busfare", os.path.join(config.busfare_build, "bin", "busfare")),
    ("%function_times", os.path.join(config.busfare_build, "test", "function_times")),
    ("%FileCheck", os.path.join(bin, "FileCheck")),
    ("%not", os.path.join(bin, "not")),
    ("%clang", os.path.join(bin, "clang")),
    ("%machines", os.path.join(config.busfare_source, "projection", "machines")),
    ("%python", config.python),
    ("%watch", os.path.join(config.busfare_build, "lib", "libbusfare-watch.a")),
    ("%digits", os.path.join(config.busfare_build, "lib", "libbusfare-digits.a")),
    ("%plugin", os.path.join(config.busfare_build, "lib", "libbusfare.so")),
    ("%llvmlib", os.path.join(config.llvm_prefix, "lib")),
]:
    config.substitutions.append((name, value))

for feature, program in [("gcc", "gcc"), ("patch", "patch"), ("clang-apply-replacements", "clang-apply-replacements-19"), ("cmake", "cmake"),
                         ("ninja", "ninja"), ("make", "make"), ("ccache", "ccache"), ("distcc", "distccd")]:
    if shutil.which(program):
        config.available_features.add(feature)
if os.path.exists(os.path.join(config.busfare_build, "projection", "web", "page.js")):  # there was npm
    config.available_features.add("page")
if os.path.exists(os.path.join(config.busfare_build, "lib", "libbusfare-watch.a")):
    config.available_features.add("watch")
if os.path.exists(os.path.join(config.busfare_build, "lib", "libbusfare.so")):
    config.available_features.add("plugin")
if glob.glob(os.path.join(config.llvm_prefix, "lib", "libomptarget.so*")):
    config.available_features.add("offload")
