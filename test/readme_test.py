#!/usr/bin/env python3
# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every page of Markdown says only what is there.

- A local link leads to a file, and one with #anchor to a heading.
- A path in `backticks` that begins with a folder of the tree exists.
- The top README names the two commands and leads to every page of docs/, CONTRIBUTING.md names each folder at the top,
  docs/glossary.md has every word of the house, and docs/skeletons.md the words of skeletons (skeleton/Words.h).

Only where the program is built:

- Each line of a `sh` block that starts busfare names a command that `busfare help` lists, and the flags it uses are
  listed by `busfare help COMMAND`; docs/commands.md has a line for each command.
- Those lines of README.md, CONTRIBUTING.md and docs/ end well, in a folder of their own for each page. Left out are
  those that name files of the reader's, and what other tests run (LEFT_OUT).
- What stands below `$ COMMAND` in a `console` block is printed by that command, in this order; a line `...` stands for
  any number of lines that are left out.
- `busfare project` takes every `skel` block.
"""
import concurrent.futures
import functools
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

WORDS = ("skeleton", "loop nest", "region", "kernel", "access", "bounded regular section", "may", "must", "exact",
         "upward-exposed read", "live-out", "temporary", "h2d", "d2h", "pinned", "pageable", "mapped", "LogGP", "footprint",
         "occupancy", "coalesced", "wave", "roofline", "plan", "finding")
FOLDERS = ("clang-plugin", "skeleton", "brs", "projection", "runtime-bench", "test")
LEFT_OUT = re.compile(r"busfare (verify|calibrate|plot)\b|--format html| -p |\.\.\.|\|")
SUFFIXES = (".c", ".cpp", ".skel", ".json", ".sqlite", ".a", ".o")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PATH = re.compile(r"`((?:\./)?(?:clang-plugin|skeleton|brs|projection|runtime-bench|test|docs|\.ci)/[\w./*-]*)`")


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


def linked_pages(top, path):
    """The pages that a page of Markdown leads to, directly or by others."""
    found, open_pages = set(), [path]
    while open_pages:
        page = open_pages.pop()
        if page in found or not page.endswith(".md") or not os.path.exists(os.path.join(top, page)):
            continue
        found.add(page)
        with open(os.path.join(top, page), encoding="utf-8") as file:
            for target in LINK.findall(file.read()):
                name = target.partition("#")[0]
                if name and not re.match(r"[a-z]+:", name):
                    open_pages.append(os.path.normpath(os.path.join(os.path.dirname(page), name)))
    return found


def top_violations(text):
    return [f"README.md: does not name {name}" for name in ("test/demo", "test/all") if name not in text]


def tour_violations(text):
    return [f"CONTRIBUTING.md: the tour leaves out {folder}/" for folder in FOLDERS if f"{folder}/" not in text]


def glossary_violations(text):
    terms = "\n".join(re.findall(r"\*\*(.+?)\*\*", text))
    return [f"docs/glossary.md: lacks {word}" for word in WORDS if not re.search(rf"\b{word}\b", terms)]


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


def unshown_commands(overview, commands):
    """Commands of `busfare help` of which docs/commands.md has no example."""
    listed = re.search(r"^ +commands\n(.*?)(^\s*$|\Z)", overview, re.S | re.M)
    names = re.findall(r"^  ([a-z]+)\s", listed.group(1), re.M) if listed else []
    shown = {command for command, _ in commands}
    return [f"docs/commands.md: shows no {name}" for name in names if name not in shown] or \
        ([] if names else ["busfare help: lists no commands"])


def unsaid_words(source, page):
    """Words of skeletons, as skeleton/Words.h has them, that the page on the language leaves out."""
    tables = ("storageWords", "accessWords", "reasonWords", "operationWords")
    found = []
    for table in tables:
        words = re.search(rf"\b{table}\[\] = \{{(.*?)\}};", source, re.S)
        if not words:
            found.append(f"skeleton/Words.h: has no {table}")
            continue
        found += [f"docs/skeletons.md: lacks {word}" for word in re.findall(r'"([^"]+)"', words.group(1))
                  if not re.search(rf"`[^`]*(?<![\w.]){re.escape(word)}(?![\w.])[^`]*`", page)]
    return found


def blocks_of(text, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.S | re.M)


def sessions_of(text):
    """(command line, lines shown below it) of every `$` in console blocks."""
    out = []
    for block in blocks_of(text, "console"):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, *shown = part.replace("\\\n", " ").splitlines()
            out.append((line, shown))
    return out


def missing_lines(shown, printed):
    """The first run of shown lines that is not printed behind what stands before it, or nothing."""
    runs, run = [], []
    for line in [*shown, "..."]:
        if line.strip() == "...":
            runs, run = (runs + [run] if run else runs), []
        else:
            run.append(line.rstrip())
    printed, begin = [line.rstrip() for line in printed], 0
    for run in runs:
        places = [at for at in range(begin, len(printed) - len(run) + 1) if printed[at:at + len(run)] == run]
        if not places:
            return run
        begin = places[0] + len(run)
    return None


def session_violations(top, program, path, line, shown, cache):
    words = shlex.split(line)
    if words[0] not in ("build/bin/busfare", "busfare"):
        return [f"{path}: `{line}` starts another program"]
    done = subprocess.run([program, *words[1:]], capture_output=True, text=True, cwd=top, stdin=subprocess.DEVNULL,
                          env={**os.environ, "BUSFARE_CACHE": cache, "COLUMNS": "80"})
    missing = missing_lines(shown, done.stdout.splitlines())
    return [] if missing is None else [f"{path}: `{line}` does not print\n  " + "\n  ".join(missing)]


def files_of(line):
    """(files that a command line reads, files that it writes)"""
    reads, writes, before = [], [], ""
    for word in shlex.split(line):
        name = re.sub(r":\d+$", "", word)
        if word == "--":
            break
        if name.endswith(SUFFIXES):
            (writes if before in ("-o", ">") else reads).append(name)
        before = word
    return reads, writes


def lines_to_run(text):
    """The lines of a page that start busfare and read what is in the tree, or what a line before has written."""
    written = set()
    for block in blocks_of(text, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.split(r"\s+#", line)[0].strip()
            if not re.match(r"(build/bin/)?busfare ", line) or LEFT_OUT.search(line):
                continue
            reads, writes = files_of(line)
            if all(name in written or name.startswith(tuple(f"{folder}/" for folder in FOLDERS)) for name in reads):
                written.update(writes)
                yield line


def run_violations(top, program, path, lines, cache=""):
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in FOLDERS:
            os.symlink(os.path.join(os.path.abspath(top), name), os.path.join(folder, name))
        for line in lines:
            command = re.sub(r"^(build/bin/)?busfare", lambda _: shlex.quote(program), line)
            done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                  env={**os.environ, "BUSFARE_CACHE": cache})
            if done.returncode != 0:
                found.append(f"{path}: `{line}` ends with {done.returncode}: {done.stderr.strip()[-500:]}")
    return found


def skeleton_violations(program, path, text):
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "page.skel")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([program, "project", "--no-cache", "--quiet", name], capture_output=True, text=True)
    return [] if done.returncode == 0 else [f"{path}: a skeleton is not taken: {done.stderr.replace(folder + os.sep, '')}"]


def check(top, build):
    pages = [os.path.relpath(p, top) for p in glob.glob(os.path.join(top, "**", "*.md"), recursive=True)
             if not os.path.relpath(p, top).startswith(("build", "node_modules"))]
    found, of_page, sessions, skeletons, runs = [], {}, [], [], {}
    for path in sorted(pages):
        with open(os.path.join(top, path), encoding="utf-8") as file:
            text = file.read()
        found += link_violations(top, path, text)
        of_page[path] = commands_of(text)
        sessions += [(path, *session) for session in sessions_of(text)]
        if path in ("README.md", "CONTRIBUTING.md") or path.startswith("docs" + os.sep):
            runs[path] = list(lines_to_run(text))
        skeletons += [(path, skeleton) for skeleton in blocks_of(text, "skel")]
    for path, check_page in (("README.md", top_violations), ("CONTRIBUTING.md", tour_violations),
                             ("docs/glossary.md", glossary_violations)):
        if path not in pages:
            found.append(f"{path} is missing")
            continue
        with open(os.path.join(top, path), encoding="utf-8") as file:
            found += check_page(file.read())
    language = os.path.join("docs", "skeletons.md")
    if language in pages:
        with open(os.path.join(top, "skeleton", "Words.h"), encoding="utf-8") as words, \
                open(os.path.join(top, language), encoding="utf-8") as page:
            found += unsaid_words(words.read(), page.read())
    else:
        found.append(f"{language} is missing")
    reached = linked_pages(top, "README.md")
    found += [f"{path}: README.md does not lead there" for path in pages
              if path.startswith("docs" + os.sep) and path not in reached]
    for folder in FOLDERS:
        if not os.path.exists(os.path.join(top, folder, "README.md")):
            found.append(f"{folder}/README.md is missing")
    for command in ("test/demo", "test/all", ".ci/run"):
        if not os.access(os.path.join(top, command), os.X_OK):
            found.append(f"{command} cannot be executed")
    commands = [command for page in of_page.values() for command in page]
    program = os.path.abspath(os.path.join(build, "bin", "busfare"))
    if os.path.exists(program):
        @functools.cache
        def help_of(*words):
            done = subprocess.run([program, "help", *words], capture_output=True, text=True)
            return done.stdout + done.stderr
        found += command_violations(commands, help_of(), help_of)
        found += unshown_commands(help_of(), of_page.get(os.path.join("docs", "commands.md"), []))
        with tempfile.TemporaryDirectory() as cache, concurrent.futures.ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(run_violations, top, program, path, lines, cache) for path, lines in runs.items() if lines]
            asked += [pool.submit(session_violations, top, program, *session, cache) for session in sessions]
            asked += [pool.submit(skeleton_violations, program, *skeleton) for skeleton in skeletons]
            for answer in asked:
                found += answer.result()
    return found, len(pages), len(commands), sum(map(len, runs.values())), len(sessions), len(skeletons)


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
        os.makedirs(os.path.join(top, "docs"))
        for name, text in (("README.md", "[a](docs/a.md)"), ("docs/a.md", "[b](b.md#x)"), ("docs/b.md", ""), ("docs/c.md", "")):
            with open(os.path.join(top, name), "w") as file:
                file.write(text)
        assert linked_pages(top, "README.md") == {"README.md", "docs/a.md", "docs/b.md"}
    words = "".join(f"- **{word}**: x.\n" for word in WORDS)
    assert glossary_violations(words) == []
    assert len(glossary_violations(words.replace("**wave**", "**ripple**"))) == 1
    assert top_violations("test/demo test/all") == []
    assert len(top_violations("test/show test/all")) == 1
    assert tour_violations(" ".join(f"{f}/" for f in FOLDERS)) == []
    assert len(tour_violations(" ".join(f"{f}/" for f in FOLDERS[1:]))) == 1
    block = "```sh\nbuild/bin/busfare analyze --machine x a.c -- -DN=3 --std=c11  # why\nls\nbusfare fly\n```"
    commands = commands_of(block)
    assert commands == [("analyze", ["--machine"]), ("fly", [])], commands
    overview = "commands:\n  analyze   the main job\n"
    assert command_violations(commands[:1], overview, lambda name: "--machine NAME") == []
    assert len(command_violations(commands[:1], overview, lambda name: "")) == 1
    assert len(command_violations(commands[1:], overview, lambda name: "")) == 1
    source = "".join(f'Word<X> {name}[] = {{{{X::A, "{name}.add"}}}};\n'
                     for name in ("storageWords", "accessWords", "reasonWords", "operationWords"))
    page = "`storageWords.add`, `accessWords.add`; | `reasonWords.add 1` | `operationWords.add`"
    assert unsaid_words(source, page) == [], unsaid_words(source, page)
    other = page.replace("operationWords.add", "operationWords.adds")
    assert unsaid_words(source, other) == ["docs/skeletons.md: lacks operationWords.add"]
    assert len(unsaid_words("", page)) == 4
    overview = "usage\n\n  commands\n  analyze   the main job\n  fly       in the air\n            and on\n\n  options\n  --x\n"
    assert unshown_commands(overview, [("analyze", []), ("fly", [])]) == []
    assert unshown_commands(overview, [("analyze", [])]) == ["docs/commands.md: shows no fly"]
    assert unshown_commands("nothing", [])
    shown = ("```sh\nbusfare extract test/a.c -o a.skel -- -O2 b.c  # why\nbusfare project a.skel\nbusfare project mine.skel\n"
             "busfare analyze -p build\nls\n```\n")
    assert list(lines_to_run(shown)) == ["busfare extract test/a.c -o a.skel -- -O2 b.c", "busfare project a.skel"]
    with tempfile.TemporaryDirectory() as top:
        assert run_violations(top, "/bin/true", "p.md", ["busfare x"]) == []
        assert len(run_violations(top, "/bin/false", "p.md", ["busfare x", "build/bin/busfare y"])) == 2
    session = "```console\n$ busfare a \\\n  b\none\n...\nfour\nfive\n$ busfare c\n```\n"
    assert sessions_of(session) == [("busfare a    b", ["one", "...", "four", "five"]), ("busfare c", [])]
    printed = ["zero", "one", "two", "four", "five"]
    assert missing_lines(["one", "...", "four", "five"], printed) is None
    assert missing_lines(["one", "four"], printed) == ["one", "four"], "lines in between are left out in silence"
    assert missing_lines(["four", "...", "one"], printed) == ["one"], "another order"
    assert missing_lines(["on"], printed) == ["on"], "half a line"
    print("readme_test: the checker refuses what it must")


def main():
    if sys.argv[1:2] == ["--self-test"]:
        self_test()
        return 0
    found, pages, commands, runs, sessions, skeletons = check(sys.argv[1], sys.argv[2])
    for line in found:
        print(line)
    print(f"readme_test: {pages} pages, {commands} commands, {runs} of them run, {sessions} with their output, "
          f"{skeletons} skeletons, {len(found)} violations")
    return 1 if found or not commands else 0


if __name__ == "__main__":
    sys.exit(main())
