#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs busfare into a folder, moves that, and uses it from there as clang-plugin/install/README.md says.

The recipes are taken out of that page: its CMakeLists.txt with Ninja and with make (a gate that passes and one that
fails), the hook for CMake, the databases without further tools, the commands of the pages for CI. Then pkg-config,
manual pages, completions, and what measure and verify find. What is not installed here is skipped, with a word.
"""
import glob
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

CLEAN = """#include <stdio.h>
int main(void) {
  static double u[4096], v[4096];
#pragma omp parallel for
  for (int i = 1; i < 4095; i++)
    v[i] = u[i - 1] + u[i + 1];
  double sum = 0;
  for (int i = 0; i < 4096; i++)
    sum += v[i];
  printf("%f\\n", sum);
  return 0;
}
"""
FALSE = CLEAN.replace("v[i] = u[i - 1]", "v[i] = v[i - 1]")
CALLER = """#include <busfare-blas.h>
#include <stdio.h>
int main(void) { return printf("%p\\n", (void *)FUNCTION) < 0; }
"""
MAKEFILE = "heat: heat.o\n\t$(CC) -o $@ $^\nheat.o: heat.c\n\t$(CC) $(CFLAGS) -DWIDTH=3 -c -o $@ heat.c\n"
INSTALLED = ["bin/busfare", "bin/busfare-bench", "lib*/**/libbusfare-blas.so", "include/busfare-blas.h", "lib*/**/pkgconfig/busfare-blas.pc",
             "lib*/**/cmake/busfare/busfareConfig.cmake", "lib*/**/cmake/busfare/busfareReport.cmake",
             "lib*/**/cmake/busfare/busfarePlugin.cmake", "lib/busfare/libbusfare.so", "lib/busfare/libbusfare-reader.so", "lib/busfare/libbusfare-digits.a",
             "lib/busfare/libbusfare-measure.a", "lib/busfare/libbusfare-timing.so", "share/man/man1/busfare.1", "share/man/man1/busfare-analyze.1",
             "share/bash-completion/completions/busfare", "share/zsh/site-functions/_busfare", "share/fish/vendor_completions.d/busfare.fish",
             "share/doc/busfare/README.md", "share/doc/busfare/LICENSE", "share/doc/busfare/brs/rules/BF014.md",
             "share/doc/busfare/docs/models/gain.md", "share/doc/busfare/projection/report/first-screen.png"]


def blocks_of(page, language):
    """The code blocks of a language, in order."""
    return re.findall(rf"```{language}\n(.*?)```", page, re.S)


def run(words, where, environment, code=0):
    """(output of both, what is wrong)"""
    done = subprocess.run(words, cwd=where, env=environment, capture_output=True, text=True, shell=isinstance(words, str), timeout=280)
    said = done.stdout + done.stderr
    name = words if isinstance(words, str) else " ".join(words)
    right = done.returncode == code if code is not None else done.returncode != 0
    return said, [] if right else [f"{name}: exit code {done.returncode}, expected {'a failure' if code is None else code}:\n{said[-2000:]}"]


def missing(said, *texts):
    return [f"'{text}' is not in:\n{said[-2000:]}" for text in texts if text not in said]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def have(name, said):
    if shutil.which(name):
        return True
    said.append(f"install_test: {name} is not installed: skipped what needs it")
    return False


def check_tree(prefix):
    return [f"{pattern} is not installed" for pattern in INSTALLED if not glob.glob(os.path.join(prefix, pattern), recursive=True)]


def names_a_folder(prefix, folders):
    """Files of the tree that name one of the folders, where nothing is looked for any more."""
    found = []
    for folder, _, names in os.walk(prefix):
        for name in names:
            path = os.path.join(folder, name)
            if "/doc/" in path or os.path.islink(path) or path.endswith(".a"):
                continue # the archives are not linked with debug information of a build that moves
            with open(path, "rb") as file:
                text = file.read()
            found += [f"{path} names {one}" for one in folders if one.encode() in text]
    return found


def check_cmake(page, top, prefix, environment, said):
    found = []
    recipe = next(block for block in blocks_of(page, "cmake") if "find_package(busfare" in block)
    for generator, tool in (("Ninja", "ninja"), ("Unix Makefiles", "make")):
        if not have(tool, said):
            continue
        project = os.path.join(top, "project " + tool) # a blank, as there are in people's folders
        build = os.path.join(project, "build")
        write(os.path.join(project, "CMakeLists.txt"), recipe)
        write(os.path.join(project, "heat.c"), CLEAN)
        words = ["cmake", "-S", project, "-B", build, "-G", generator, f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_C_COMPILER_WORKS=1",
                 "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
        if tool == "ninja":
            words.append('-DCMAKE_C_CLANG_TIDY=' + re.search(r'CMAKE_C_CLANG_TIDY="([^"]+)"', page).group(1))
        output, wrong = run(words, project, environment)
        found += wrong
        if wrong:
            continue
        output, wrong = run(["cmake", "--build", build], project, environment)
        found += wrong
        if tool == "ninja":
            found += missing(output, "heat.c:", "remark: main:")
        try:
            with open(os.path.join(build, "heat.busfare.json"), encoding="utf-8") as file:
                found += [] if json.load(file)["regions"] else ["the gate's report has no region"]
        except (OSError, ValueError) as error:
            found.append(f"the gate's report: {error}")
        if os.path.exists(os.path.join(build, "heat.busfare.txt")):
            found.append("the report was made although nobody asked")
        # Nothing has changed: nothing is analysed again.
        output, wrong = run(["cmake", "--build", build], project, environment)
        found += wrong + (["the report was made again"] if "analysing" in output else [])
        write(os.path.join(project, "heat.c"), FALSE)
        output, wrong = run(["cmake", "--build", build], project, environment, None)
        found += wrong + missing(output, "--fail-on BF014")
        if not os.path.exists(os.path.join(build, "heat.busfare.json")):
            found.append("the report of the gate that failed is gone")
        output, wrong = run(["cmake", "--build", build, "--target", "busfare-report-heat"], project, environment)
        found += wrong
        if not os.path.exists(os.path.join(build, "heat.busfare.txt")):
            found.append("busfare-report-heat wrote no heat.busfare.txt")
    return found


def check_plugin(page, top, prefix, environment, said):
    if not have("ninja", said) or not have("clang-19", said):
        return []
    project, found = os.path.join(top, "plugin"), []
    write(os.path.join(project, "CMakeLists.txt"), next(block for block in blocks_of(page, "cmake") if "busfare_plugin(" in block))
    write(os.path.join(project, "wave.c"), CLEAN)
    for compiler, line in (("clang-19", "1 of 1 units are as the build left them"), ("gcc", "")):
        if not have(compiler, said):
            continue
        build = os.path.join(project, "build " + compiler)
        output, wrong = run(["cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_C_COMPILER={compiler}",
                             "-DCMAKE_C_COMPILER_WORKS=1", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", "-DCMAKE_C_FLAGS=-fopenmp"], project, environment)
        found += wrong + ([] if line else missing(output, "nothing is left of C sources"))
        output, wrong = run(["cmake", "--build", build], project, environment)
        found += wrong
        left, wrong = run(["busfare", "project", "-p", build, "--no-progress"], project, environment)
        read, more = run(["busfare", "analyze", "-p", build, "--no-progress"], project, environment)
        found += wrong + more + missing(left, line, "Region ")
        left = "".join(row for row in left.splitlines(True) if "as the build left them" not in row)
        if left.replace("busfare project", "busfare analyze") != read:
            found.append(f"{compiler}: what the plugin left gives another report:\n{left}\n{read}")
        for source, code in ((CLEAN, 0), (FALSE, 1)):
            write(os.path.join(project, "wave.c"), source)
            output, wrong = run(["cmake", "--build", build], project, environment)
            output, more = run(["busfare", "project", "-p", build, "--no-progress", "--fail-on", "BF014"], project, environment, code)
            found += wrong + more
        write(os.path.join(project, "wave.c"), CLEAN)
    return found + check_plugin_with_make(page, top, prefix, environment, said)


def check_plugin_with_make(page, top, prefix, environment, said):
    recipe = next(block for block in blocks_of(page, "sh") if "make" in block and "-fplugin=" in block)
    if not have("make", said):
        return []
    project = os.path.join(top, "plugin-make")
    library = os.path.join(top, "libbusfare")  # CC is split into words: its folder has no blank
    if not os.path.exists(library):
        os.symlink(os.path.join(prefix, "lib", "busfare"), library)
    write(os.path.join(project, "wave.c"), CLEAN.replace("#pragma omp parallel for\n", ""))  # else it is read again with -fopenmp
    write(os.path.join(project, "Makefile"), MAKEFILE.replace("heat", "wave"))
    output, wrong = run("set -e; " + recipe.replace("/opt/busfare/lib/busfare", library), project, environment)
    return wrong + missing(output, "1 of 1 units are as the build left them", "Region wave.c")


def check_databases(page, top, environment, said):
    found = []
    recipes = [block for block in blocks_of(page, "sh") if "compile_commands.json" in block]
    project = os.path.join(top, "database")
    write(os.path.join(project, "heat.c"), CLEAN)
    write(os.path.join(project, "Makefile"), MAKEFILE)
    write(os.path.join(project, "build", "build.ninja"), "rule cc\n  command = cc -DWIDTH=3 -c $in -o $out\nbuild heat.o: cc ../heat.c\n")
    for recipe in recipes:
        tool = recipe.split()[0]
        if not have(tool, said) or ("clang-19" in recipe and not have("clang-19", said)):
            continue
        output, wrong = run("set -e; " + recipe, project, environment)
        found += wrong + missing(output, "Region heat.c")
        database = os.path.join(project, "compile_commands.json")
        if os.path.exists(database):
            with open(database, encoding="utf-8") as file:
                found += missing(file.read(), "WIDTH=3")
            os.remove(database)
        else:
            found.append(f"{tool}: no compile_commands.json")
    return found + ([] if len(recipes) >= 2 else ["README: the recipes for databases are gone"])


def check_ci(page, top, environment):
    """The lines of the pages for CI that start busfare, on a tree that passes and on one that does not."""
    found = []
    commands = [re.sub(r"^(- )?(run: |entry: )?", "", line.strip()) for block in blocks_of(page, "yaml") for line in block.splitlines()
                if re.search(r"(- |run: |entry: )busfare (analyze|loops) ", line)]
    project = os.path.join(top, "ci")
    write(os.path.join(project, "build", "compile_commands.json"),
          json.dumps([{"directory": project, "file": "heat.c", "arguments": ["cc", "-c", "heat.c"]}]))
    for source, code in ((CLEAN, 0), (FALSE, 1)):
        write(os.path.join(project, "heat.c"), source)
        for command in commands:
            # pre-commit puts the changed files behind.
            output, wrong = run(shlex.split(command) + (["heat.c"] if "loops" in command else []), project, environment, code)
            found += wrong
    return found + ([] if len(commands) == 3 else [f"README: three pages for CI, {len(commands)} commands of busfare"])


def check_blas(top, prefix, environment, said):
    if not have("pkg-config", said) or not have("cc", said):
        return []
    found = []
    with open(os.path.join(prefix, "include", "busfare-blas.h"), encoding="utf-8") as file:
        function = re.search(r"\b(busfare_blas_\w+)\(", file.read()).group(1)
    write(os.path.join(top, "caller.c"), CALLER.replace("FUNCTION", function))
    folder = os.path.dirname(glob.glob(os.path.join(prefix, "lib*", "**", "pkgconfig", "busfare-blas.pc"), recursive=True)[0])
    environment = dict(environment, PKG_CONFIG_PATH=folder, LD_LIBRARY_PATH=os.path.dirname(folder))
    output, wrong = run("eval cc -o caller caller.c $(pkg-config --cflags --libs busfare-blas) && ./caller", top, environment)
    return found + wrong


def check_pages(prefix, environment, said):
    pages = sorted(glob.glob(os.path.join(prefix, "share", "man", "man1", "*.1")))
    found = [] if len(pages) > 15 else [f"only {len(pages)} manual pages"]
    if have("groff", said):
        output, wrong = run(["groff", "-man", "-ww", "-z", "-Tutf8", *pages], prefix, environment)
        found += wrong + ([f"groff: {output}"] if output.strip() else [])
        output, wrong = run(["groff", "-man", "-Tascii", "-P-c", os.path.join(prefix, "share/man/man1/busfare-analyze.1")], prefix, environment)
        found += wrong + missing(output, "busfare analyze jacobi.c --function simulate", "--fail-on COND", "BUSFARE-ANALYZE(1)")
    if shutil.which("mandoc"):
        output, wrong = run(["mandoc", "-T", "lint", "-W", "warning", *pages], prefix, environment)
        found += wrong
    return found


def completed(shell, script, *words):
    """What the shell would offer for the last of the words."""
    if shell == "fish":
        asked = f"source {shlex.quote(script)}; complete -C {shlex.quote(' '.join(words))}"
        done = subprocess.run(["fish", "--no-config", "-c", asked], capture_output=True, text=True, cwd=os.path.dirname(script))
        return [line.split("\t")[0] for line in done.stdout.splitlines()] if not done.stderr else [done.stderr]
    asked = f"source {shlex.quote(script)}; COMP_WORDS=({' '.join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}; _busfare; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "--norc", "-c", asked], capture_output=True, text=True, cwd=os.path.dirname(script))
    return done.stdout.split() if not done.stderr else [done.stderr]


def check_completions(prefix, environment, said):
    scripts = {"bash": "share/bash-completion/completions/busfare", "zsh": "share/zsh/site-functions/_busfare",
               "fish": "share/fish/vendor_completions.d/busfare.fish"}
    found = []

    def offers(words, expected, refused=(), shells=("bash", "fish")):
        for shell in shells:
            if shell == "fish" and not shutil.which("fish"):
                continue
            offered = completed(shell, os.path.join(prefix, scripts[shell]), *words)
            wrong = [word for word in expected if word not in offered] + [word for word in refused if word in offered]
            if wrong:
                found.append(f"{shell}: {' '.join(words)} offers {offered}")
    offers(["busfare", "an"], ["analyze"], ["blas"])
    offers(["busfare", "analyze", "--mach"], ["--machine"])
    offers(["busfare", "analyze", "--machine", "v1"], ["v100-pcie3"], ["a100-pcie4"])
    offers(["busfare", "analyze", "--machine", "=", "v1"], ["v100-pcie3"], shells=("bash",)) # bash alone cuts words at =
    offers(["busfare", "blas", "--t"], ["--tile"], ["--time-zone"])
    offers(["busfare", "analyze", "--"], ["--fail-on"], ["--tile", "--mutants"])
    offers(["busfare", "verify", "--m"], ["--mutants", "--machine"])
    offers(["busfare", "port", "--format", ""], ["patch"], ["text"])
    offers(["busfare", "analyze", "--format", "j"], ["json"], ["source"])
    offers(["busfare", "schema", "r"], ["report"])
    offers(["busfare", "help", "sw"], ["sweep"])
    offers(["busfare", "analyze", "bus"], ["busfare"], shells=("bash",)) # a file: the script itself
    offers(["busfare", "analyze", "heat.c", "--", "--mach"], [], ["--machine"])
    for shell in ("zsh", "fish"):
        if have(shell, said):
            output, wrong = run([shell, "-n", os.path.join(prefix, scripts[shell])], prefix, environment)
            found += wrong + ([f"{shell}: {output}"] if output.strip() else [])
    return found


def check_libraries(top, prefix, environment, said):
    """measure links a library that lies in the tree, and calibrate starts the probe there."""
    project = os.path.join(top, "run")
    write(os.path.join(project, "heat.c"), CLEAN)
    busfare = os.path.join(prefix, "bin", "busfare")
    found = []
    if have("clang-19", said):
        output, wrong = run([busfare, "measure", "heat.c", "--no-progress", "--format", "json"], project, environment)
        found += wrong + missing(output, '"tool"')
    os.rename(os.path.join(prefix, "lib", "busfare"), os.path.join(prefix, "lib", "elsewhere"))
    output, wrong = run([busfare, "measure", "heat.c", "--no-progress"], project, environment, 2)
    found += wrong + missing(output, os.path.join(prefix, "lib"))
    os.rename(os.path.join(prefix, "lib", "elsewhere"), os.path.join(prefix, "lib", "busfare"))
    output, wrong = run([os.path.join(prefix, "bin", "busfare-bench"), "--help"], project, environment)
    return found + wrong


def check(source, build):
    said = []
    with open(os.path.join(source, "clang-plugin", "install", "README.md"), encoding="utf-8") as file:
        page = file.read()
    with tempfile.TemporaryDirectory() as top:
        first, prefix = os.path.join(top, "first"), os.path.join(top, "moved", "to here")
        environment = {key: value for key, value in os.environ.items() if key not in ("CFLAGS", "MAKEFLAGS", "DESTDIR", "LD_LIBRARY_PATH")}
        output, wrong = run(["cmake", "--install", build, "--prefix", first], top, environment)
        if wrong:
            return wrong, said
        os.makedirs(os.path.dirname(prefix))
        os.rename(first, prefix)
        environment["PATH"] = os.path.join(prefix, "bin") + os.pathsep + environment["PATH"]
        found = check_tree(prefix)
        if found:
            return found, said
        found += names_a_folder(prefix, [first])
        found += check_cmake(page, top, prefix, environment, said)
        found += check_plugin(page, top, prefix, environment, said)
        found += check_databases(page, top, environment, said)
        found += check_ci(page, top, environment)
        found += check_blas(top, prefix, environment, said)
        found += check_pages(prefix, environment, said)
        found += check_completions(prefix, environment, said)
        found += check_libraries(top, prefix, environment, said)
    return found, said


def self_test():
    page = "```sh\nls\n```\n```yaml\nrun: x\n```\n```sh\npwd\n```\n"
    assert blocks_of(page, "sh") == ["ls\n", "pwd\n"] and blocks_of(page, "cmake") == []
    assert missing("one two", "two") == [] and len(missing("one", "two", "one")) == 1
    assert run("exit 3", "/", None, 3)[1] == [] and run("exit 3", "/", None, None)[1] == [] and run("exit 3", "/", None)[1]
    assert run("true", "/", None, None)[1]
    with tempfile.TemporaryDirectory() as top:
        assert len(check_tree(top)) == len(INSTALLED)
        write(os.path.join(top, "bin", "x"), "/gone/first/lib")
        assert len(names_a_folder(top, ["/gone/first"])) == 1 and names_a_folder(top, ["/other"]) == []
        script = os.path.join(top, "script")
        write(script, "_busfare() { COMPREPLY=(\"${COMP_WORDS[COMP_CWORD]}x\"); }\n")
        assert completed("bash", script, "busfare", "a") == ["ax"]
    print("install_test: the checker refuses what it must")


def main():
    if sys.argv[1:2] == ["--self-test"]:
        self_test()
        return 0
    found, said = check(sys.argv[1], sys.argv[2])
    for line in [*dict.fromkeys(said), *found]:
        print(line)
    print(f"install_test: {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
