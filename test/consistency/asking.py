# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks busfare what it answers beside a report, and holds the report's thresholds against that."""
import json
import math
import os
import re
import subprocess

from consistency.reports import near

LOOKED_AT = 1024  # Sizes are looked at up to so many times today's.


class Refused(Exception):
    """busfare does not answer what was asked."""


class Asker:
    """Runs busfare; remembers answers."""

    def __init__(self, busfare, folder):
        self.busfare, self.folder, self.known, self.asked = busfare, folder, {}, 0

    def run(self, *words):
        if words not in self.known:
            self.asked += 1
            done = subprocess.run([self.busfare, *words], capture_output=True, text=True, timeout=120, env=dict(os.environ, BUSFARE_CACHE=""))
            if done.returncode != 0:
                raise Refused(f"busfare {' '.join(words)}: exit code {done.returncode}: {done.stderr.strip()[-300:]}")
            self.known[words] = done.stdout
        return self.known[words]

    def fixed_loop(self, skeleton, loop):
        """The head of the loop `t at line 12`, if it stands there once, and between numbers."""
        with open(skeleton, encoding="utf-8") as file:
            text = file.read()
        heads = re.findall(rf"for \S+ = \S.* \.\. \S.* at {loop.rsplit(' ', 1)[1]}:\d+", text)
        numbers = re.fullmatch(r"(for \S+ = )(-?\d+) \.\. (-?\d+)( at \S+)", heads[0]) if len(heads) == 1 else None
        return (text, heads[0], numbers) if numbers else None

    def with_steps(self, skeleton, loop, steps):
        text, head, numbers = self.fixed_loop(skeleton, loop)
        changed = f"{skeleton[:-5]}-{loop.split(' ')[0]}-{steps}.skel"
        with open(changed, "w", encoding="utf-8") as file:
            file.write(text.replace(head, f"{numbers.group(1)}{numbers.group(2)} .. {int(numbers.group(2)) + steps - 1}{numbers.group(4)}"))
        return changed

    def extract(self, source, macros):
        flags = [f"-D{name}={value}" for name, value in sorted(macros.items())]
        # Answers are kept by the command's words: sources of one name in two folders may not share a skeleton.
        name = "-".join(os.path.abspath(source).split(os.sep)[-2:])
        skeleton = os.path.join(self.folder, name + "".join(flags) + ".skel")
        self.run("extract", source, "--quiet", "-o", skeleton, "--", "-fopenmp", *flags)
        return skeleton


class Case:
    """A program or a function of it at one point: asks what is answered there, and beside it."""

    def __init__(self, asker, source, macros=None, function=None, parameters=None, steps=None, runs=None, machine=None, steps_macro=None):
        self.asker, self.source, self.function = asker, source, function
        self.macros, self.parameters, self.steps, self.runs = dict(macros or {}), dict(parameters or {}), steps, runs
        self.machine, self.steps_macro, self.fixed_steps = machine, steps_macro, False
        self.report = self.json()
        # A time loop of so many steps in the text of the program: another program is asked about others.
        self.fixed_steps = (not steps_macro and bool(self.report["regions"]) and self.count() is not None
                            and self.asker.fixed_loop(self.source, self.region()["iterations"]["loop"]) is not None)

    def words(self, parameters, steps, runs):
        macros = dict(self.macros)
        if self.steps_macro and steps is not None:
            macros[self.steps_macro] = steps
        source = self.source if self.source.endswith(".skel") else self.asker.extract(self.source, macros)
        if self.fixed_steps and steps is not None:
            source, steps = self.asker.with_steps(source, self.report["regions"][0]["iterations"]["loop"], steps), None
        words = ["project", source]
        if self.function:
            words += ["--function", self.function]
        for name, value in sorted(parameters.items()):
            words += ["--param", f"{name}={value}"]
        if steps is not None and not self.steps_macro:
            words += ["--iterations", str(steps)]
        if runs is not None:
            words += ["--runs", str(runs)]
        return words + (["--machine", self.machine] if self.machine else [])

    def json(self, parameters=None, steps=None, runs=None):
        words = self.words(self.parameters if parameters is None else parameters, self.steps if steps is None else steps,
                           self.runs if runs is None else runs)
        return json.loads(self.asker.run(*words, "--format", "json"))

    def text(self):
        return self.asker.run(*self.words(self.parameters, self.steps, self.runs), "--details")

    def bound(self):
        """All sizes that --param sets, as they are."""
        return {name: one["value"] for name, one in self.region()["parameters"].items() if one["source"] != "constant"}

    def region(self):
        return self.report["regions"][0]

    def same_parity(self, steps, up):
        """Programs whose buffers change places copy another one back after an odd number of steps: their reports are of this one's kind."""
        return steps + ((1 if up else -1) if (self.steps_macro or self.fixed_steps) and (steps - self.count()) % 2 else 0)

    def count(self):
        iterations = self.region()["iterations"]
        return iterations["count"] if iterations["loop"] else None

    def at(self, changed=None, factor=None, steps=None, runs=None, only_assumed=False):
        """The region with some sizes changed, all others given as they are."""
        sizes = self.bound()
        parameters = self.region()["parameters"]
        for name in sizes:
            if factor is not None and (not only_assumed or parameters[name]["source"] == "assumed"):
                sizes[name] = max(1, math.floor(sizes[name] * factor + 0.5))
        sizes.update(changed or {})
        if steps is None and self.region()["iterations"]["assumed"]:
            steps = self.count()
        return self.json(sizes, steps, runs)["regions"][0]


def division_of(region):
    """Which plan is priced: the kernels on the host, and the statements on the device."""
    return [(mix["kind"], json.dumps(mix["places"])) for mix in region["alternatives"] if mix["is_plan"]]


def is_impossible(refused):
    """No run can turn a loop more often than the program lets it: nothing is said of that."""
    return "the program runs this loop at most" in str(refused)


class Thresholds:
    """Holds each threshold of a report against the answers on either side of it."""

    def __init__(self, case):
        self.case, self.found, self.held = case, [], 0

    def gains(self, what, expected, open_end=False, **where):
        """Does the division of the report gain there, as was said?"""
        try:
            region = self.case.at(**where)
        except Refused as refused:
            if not is_impossible(refused):
                self.found.append(f"{what}: {refused}")
            return
        if division_of(region) != division_of(self.case.region()):
            return # thresholds are of the plan that is written, and elsewhere another one is
        if not region["fits"] and expected and open_end:
            return # an interval without an end goes as far as the device's memory
        self.held += 1
        gain = region["gain_s"]["value"] if region["fits"] else -float("inf")
        if (gain > 0) != expected:
            self.found.append(f"{what} says {'a' if expected else 'no'} gain at {where}; asked there it is {gain:.6g} s")

    def inside(self, intervals, value):
        return any((low is None or value >= low) and (high is None or value <= high) for low, high in intervals)

    def sizes(self):
        region = self.case.region()
        bound = self.case.bound()
        for pays in region["pays_off"]:
            name, intervals = pays["size"], pays["intervals"]
            said = f"pays_off of {name} {intervals}"
            if name in ("iterations", "calls"):
                where = lambda value, key={"iterations": "steps", "calls": "runs"}[name]: {key: value}
                points = {1, 2, 10, 1000}
            elif name == "sizes":
                where = lambda value: {"factor": value}
                points = set()
            else:
                where = lambda value, name=name: {"changed": {name: value}}
                points = {1, bound[name], bound[name] * LOOKED_AT}
            for low, high in intervals:
                # All sizes together are whole numbers near today's times a factor: an end lies between two of them.
                beyond = (lambda end, by: end * (1 + by * 1e-4)) if name == "sizes" else (lambda end, by: end + by)
                points |= {low, beyond(low, -1)} if low is not None and (name == "sizes" or low > 1) else set()
                points |= {high, beyond(high, 1)} if high is not None else set()
            if name == "sizes":
                points |= {1, 4, 1 / 4}
            if pays.get("about"):
                ends = [end for interval in intervals for end in interval if end is not None]
                points = {value for value in points if not (self.inside(intervals, value)
                                                            and any(1 < max(end / value, value / end) < 1.05 for end in ends))}
            for value in sorted(points):
                if name == "iterations":
                    value = self.case.same_parity(value, self.inside(intervals, value))
                open_end = not any(high is not None and (low or 0) <= value <= high for low, high in intervals)
                self.gains(said, self.inside(intervals, value), open_end, **where(value))

    def steps(self):
        iterations = self.case.region()["iterations"]
        if not iterations["loop"]:
            return
        first = iterations["break_even"]
        if first is not None:
            self.gains(f"iterations.break_even {first}", True, steps=self.case.same_parity(first, True))
            if self.case.same_parity(first - 1, False) > 0:
                self.gains(f"iterations.break_even {first}", False, steps=self.case.same_parity(first - 1, False))
        else:
            for steps in (2, 100, 10 ** 6):
                self.gains("iterations.break_even null", False, steps=self.case.same_parity(steps, True))
        limit = iterations["limit_speedup"]
        many = self.case.at(steps=10 ** 9)
        self.held += 1
        if division_of(many) == division_of(self.case.region()) and not near(many["speedup"]["value"], limit, 0.01):
            self.found.append(f"iterations.limit_speedup is {limit:.6g}; with 10^9 steps speedup.value is {many['speedup']['value']:.6g}")

    def flips(self):
        region = self.case.region()
        for mix in region["alternatives"]:
            flip = mix["flips_at"]
            if not flip:
                continue
            differences = []
            for sign in (-1, 1):
                if flip["parameter"] and flip["value"] is not None:
                    where = {"changed": {flip["parameter"]: max(1, flip["value"] + sign * max(1, flip["value"] // 200))}}
                else:
                    where = {"factor": flip["factor"] * (1 + sign * 0.01)}
                there = self.case.at(**where)
                time = [other["time_s"] for other in there["alternatives"] if (other["kind"], other["places"]) == (mix["kind"], mix["places"])]
                if time:
                    differences.append(there["as_described_s"] - time[0])
            if len(differences) == 2:
                self.held += 1
                if (differences[0] > 0) == (differences[1] > 0):
                    self.found.append(f"alternative {mix['places'][:1]} flips_at {flip}: saves {differences[0]:.4g} s below and {differences[1]:.4g} s above")

    def pinning(self):
        """Host memory is pinned from so many runs on as the text says that it pays."""
        plan = self.case.region()["plan"]
        pinning = plan["pinning"]
        if plan["strategy"] != "explicit" or pinning["startup_s"] <= 0 or pinning["saved_s"] <= 0:
            return
        first = math.ceil(pinning["startup_s"] / pinning["saved_s"])
        for runs, memory in ((first, "pinned"), (first - 1, "pageable")):
            there = self.case.at(runs=runs) if runs > 0 else None
            if not there or there["plan"]["strategy"] != "explicit" or division_of(there) != division_of(self.case.region()):
                continue
            self.held += 1
            if there["plan"]["memory"] != memory:
                self.found.append(f"pinning {pinning} pays from {first} runs on; with {runs} the memory is {there['plan']['memory']}")

    def flip_text(self):
        region = self.case.region()
        said = re.match(r"the time loop's count: (\w+) at 1, (\w+) at 1000", region["flip"])
        if said:
            for verdict, steps in zip(said.groups(), (1, 1000)):
                self.verdict(f"flip {region['flip']!r}", verdict, steps=steps)
        said = re.match(r"assumed sizes .*: (\w+) here, (\w+) at (?:1/(\d+)|(\d+) times) of them", region["flip"])
        if said:
            factor = 1 / int(said.group(3)) if said.group(3) else int(said.group(4))
            self.verdict(f"flip {region['flip']!r}", said.group(1), factor=1)
            self.verdict(f"flip {region['flip']!r}", said.group(2), factor=factor, only_assumed=True)

    def verdict(self, what, expected, **where):
        there = self.case.at(**where)
        self.held += 1
        if there["verdict"] != expected:
            self.found.append(f"{what}: asked at {where} it is {there['verdict']} ({there['gain_s']})")

    def replay(self):
        """With what was assumed given, the figures are the same."""
        there, here = self.case.at(), self.case.region()
        self.held += 1
        for key in ("cpu", "cpu_all_cores", "total", "startup"):
            if not near(there["time_s"][key], here["time_s"][key]):
                self.found.append(f"time_s.{key} is {here['time_s'][key]:.9g}; with its sizes given it is {there['time_s'][key]:.9g}")

    def all(self):
        for check in (self.replay, self.sizes, self.steps, self.flips, self.pinning, self.flip_text):
            try:
                check()
            except Refused as refused:
                if not is_impossible(refused):
                    self.found.append(str(refused))
        return self.found
