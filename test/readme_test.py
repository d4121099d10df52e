#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every README.md says only what is there.

- A local link leads to a file, and one with #anchor to a heading.
- A path in `backticks` that begins with a folder of the tree exists.
- The top README names the two commands, each folder at the top, and has a glossary with every word of the house.
- Each line of a `sh` block that starts busfare names a command that `busfare help` lists, and the flags it uses are
  listed by `busfare help COMMAND` (only where the program is built).
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

WORDS = ("skeleton", "loop nest", "region", "kernel", "access", "bounded regular section", "may", "must", "exact",
         "upward-exposed read", "live-out", "temporary", "h2d", "d2h", "pinned", "pageable", "mapped", "LogGP", "footprint",
         "occupancy", "coalesced", "wave", "roofline", "plan", "finding")
FOLDERS = ("clang-plugin", "skeleton", "brs", "projection", "runtime-bench", "test")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:\./)?(?:clang-plugin|skeleton|brs|projection|runtime-bench|test|\.ci)/[\w./*-]*)`")


def anchor_of(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def link_violations(top, path, text):
    """Links and paths of one page that lead nowhere; path is relative to top."""
    found = []
    here = os.path.dirname(os.path.join(top, path))
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(here, name)) if name else os.path.join(top, path)
        if not os.path.exists(file):
            found.append(f"{path}: {target} leads nowhere")
        elif anchor and os.path.isfile(file):
            with open(file, encoding="utf-8") as page:
                headings = re.findall(r"^#+\s+(.*)$", page.read(), re.M)
            if anchor not in map(anchor_of, headings):
                found.append(f"{path}: {target}: no such heading")
    for name in PATH.findall(text):
        if not glob.glob(os.path.join(top, name)) and not glob.glob(os.path.join(here, name)):
            found.append(f"{path}: `{name}` does not exist")
    return found


def top_violations(text):
    found = [f"README.md: does not name {name}" for name in ("test/demo", "test/all") if name not in text]
    found += [f"README.md: the tour leaves out {folder}/" for folder in FOLDERS if f"{folder}/" not in text]
    glossary = re.search(r"^## Glossary$(.*?)(^## |\Z)", text, re.M | re.S)
    if not glossary:
        return found + ["README.md: has no ## Glossary"]
    terms = "\n".join(re.findall(r"\*\*(.+?)\*\*", glossary.group(1)))
    found += [f"README.md: the glossary lacks {word}" for word in WORDS if not re.search(rf"\b{word}\b", terms)]
    return found


def commands_of(text):
    """(command, flags) of every busfare line in sh blocks; continued lines are joined."""
    out = []
    for block in re.findall(r"```sh\n(.*?)```", text, re.S):
        for line in block.replace("\\\n", " ").splitlines():
            match = re.match(r"\s*(?:\$ )?(?:\S*/)?busfare\s+([a-z]+)(.*)", line.split(" #")[0])
            if match:
                ours = re.split(r"\s--(?:\s|$)", match.group(2))[0].split("|")[0]
                out.append((match.group(1), re.findall(r"(?<!\S)(--[a-z][\w-]*)", ours)))
    return out


def command_violations(commands, overview, help_of):
    found = []
    for command, flags in commands:
        if not re.search(rf"^\s*{command}\b", overview, re.M):
            found.append(f"README: busfare has no command {command}")
            continue
        found += [f"README: busfare help {command} does not speak of {flag}" for flag in flags
                  if flag not in help_of(command) and flag not in overview]
    return found


def check(top, build):
    pages = [os.path.relpath(p, top) for p in glob.glob(os.path.join(top, "**", "*.md"), recursive=True)
             if not os.path.relpath(p, top).startswith(("build", "node_modules"))]
    found, commands = [], []
    for path in sorted(pages):
        with open(os.path.join(top, path), encoding="utf-8") as file:
            text = file.read()
        found += link_violations(top, path, text)
        commands += commands_of(text)
        if path == "README.md":
            found += top_violations(text)
    if "README.md" not in pages:
        found.append("README.md is missing")
    for folder in FOLDERS:
        if not os.path.exists(os.path.join(top, folder, "README.md")):
            found.append(f"{folder}/README.md is missing")
    for command in ("test/demo", "test/all", ".ci/run"):
        if not os.access(os.path.join(top, command), os.X_OK):
            found.append(f"{command} cannot be executed")
    program = os.path.join(build, "bin", "busfare")
    if os.path.exists(program):
        def run(*words):
            done = subprocess.run([program, *words], capture_output=True, text=True)
            return done.stdout + done.stderr
        found += command_violations(commands, run("help"), lambda name: run("help", name))
    return found, len(pages), len(commands)


def self_test():
    with tempfile.TemporaryDirectory() as top:
        os.makedirs(os.path.join(top, "brs"))
        with open(os.path.join(top, "brs", "README.md"), "w") as file:
            file.write("# The heart\n")
        def links(text):
            return link_violations(top, "README.md", text)
        assert links("[x](brs/README.md) [y](brs/README.md#the-heart) [z](https://example.org/q) `brs/README.md`") == []
        assert len(links("[x](brs/NONE.md)")) == 1
        assert len(links("[x](brs/README.md#lungs)")) == 1
        assert len(links("`brs/Nothing.h`")) == 1
    words = "".join(f"- **{word}**: x.\n" for word in WORDS)
    good = "test/demo test/all " + " ".join(f"{f}/" for f in FOLDERS) + "\n## Glossary\n" + words + "## Next\n"
    assert top_violations(good) == []
    assert len(top_violations(good.replace("**wave**", "**ripple**"))) == 1
    assert len(top_violations(good.replace("test/demo", "test/show"))) == 1
    assert len(top_violations(good.replace("runtime-bench/", "bench/"))) == 1
    assert top_violations(good.replace("## Glossary", "## Words"))
    block = "```sh\nbuild/bin/busfare analyze --machine x a.c -- -DN=3 --std=c11  # why\nls\nbusfare fly\n```"
    commands = commands_of(block)
    assert commands == [("analyze", ["--machine"]), ("fly", [])], commands
    overview = "commands:\n  analyze   the main job\n"
    assert command_violations(commands[:1], overview, lambda name: "--machine NAME") == []
    assert len(command_violations(commands[:1], overview, lambda name: "")) == 1
    assert len(command_violations(commands[1:], overview, lambda name: "")) == 1
    print("readme_test: the checker refuses what it must")


def main():
    if sys.argv[1:2] == ["--self-test"]:
        self_test()
        return 0
    found, pages, commands = check(sys.argv[1], sys.argv[2])
    for line in found:
        print(line)
    print(f"readme_test: {pages} pages, {commands} commands, {len(found)} violations")
    return 1 if found or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
