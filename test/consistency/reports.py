# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one report contradicts in itself: sums, verdicts, and its text against its JSON."""
import math
import re

# Numbers as projection/report/Figures.cpp writes them.

def significant(value, digits):
    if value == 0:
        return "%.*f" % (digits - 1, 0)
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(abs(value))))
    value = math.copysign(math.floor(abs(value) * scale + 0.5) / scale, value)
    before = math.floor(math.log10(abs(value)) + 1e-9) + 1
    return "%.*f" % (max(0, digits - before), value)


def factor_text(value):
    if 0.9 < value < 1.1 and value != 1:
        return significant(value, 3) + "x"
    return significant(value, 3 if value >= 100 else 2) + "x"


def time_text(seconds):
    if seconds == 0:
        return "0 s"
    rounded = abs(float(significant_value(seconds, 3)))
    sign = "-" if seconds < 0 else ""
    for size, name in ((3600, " h"), (1, " s"), (1e-3, " ms"), (1e-6, " us"), (1e-9, " ns")):
        if rounded >= size * (1 - 1e-9) or name == " ns":
            return sign + significant(rounded / size, 3) + name


def significant_value(value, digits):
    scale = 10.0 ** (digits - 1 - math.floor(math.log10(abs(value))))
    return math.copysign(math.floor(abs(value) * scale + 0.5) / scale, value)


def size_text(number):
    return str(number) if number < 1000000 else re.sub(r"e\+0*", "e", "%.2g" % number)


# The parts of a report.

def near(a, b, tolerance=1e-9):
    return abs(a - b) <= tolerance * max(abs(a), abs(b), 1e-12)


def sum_violations(answer):
    """The parts of a time, of a speedup and of a gain."""
    found = []

    def equal(what, said, computed):
        if not near(said, computed):
            found.append(f"{what} is {said:.9g}, its parts give {computed:.9g}")
    time, plan, speedup, gain = (answer[key] for key in ("time_s", "plan", "speedup", "gain_s"))
    apart = time["kernel"] + time["h2d"] + time["d2h"]
    baseline = min(time["cpu"], time["cpu_all_cores"])
    equal("time_s.total", time["total"], plan["time_s"] + time["host"])
    if plan["strategy"] == "explicit":
        equal("time_s.total of explicit copies", time["total"], apart + time["host"])
    elif time["total"] > (apart + time["host"]) * (1 + 1e-9):
        found.append(f"with overlap the total is {time['total']:.9g}, without {apart + time['host']:.9g}")
    if plan["bounds"]["full_overlap_s"] > plan["time_s"] * (1 + 1e-9) or plan["time_s"] > plan["bounds"]["zero_overlap_s"] * (1 + 1e-9):
        found.append(f"plan.time_s {plan['time_s']:.9g} lies outside its bounds {plan['bounds']}")
    if time["total"] <= 0:
        return found
    equal("speedup.value", speedup["value"], baseline / time["total"])
    equal("speedup.as_written", speedup["as_written"], time["cpu"] / time["total"])
    if time["kernel"] + time["host"] > 0:
        equal("speedup.kernel_only", speedup["kernel_only"], baseline / (time["kernel"] + time["host"]))
    runs = answer["runs"] if answer["runs"] is not None else 1
    for key in ("value", "low", "high"):
        computed = runs * (speedup[key] - 1) * time["total"] - gain["startup_added"]
        # A difference of two large sums has their digits.
        if abs(gain[key] - computed) > 1e-9 * runs * max(1, speedup[key]) * time["total"]:
            equal(f"gain_s.{key}", gain[key], computed)
    if answer["runs"] is None and gain["startup_added"] != 0:
        found.append(f"start-up of {gain['startup_added']} counts although the number of calls is open")
    if gain["startup_added"] > time["startup"] * (1 + 1e-9):
        found.append(f"gain_s.startup_added {gain['startup_added']} is more than all start-up, {time['startup']}")
    return found


def verdict_violations(region, program):
    """Who is told to port gains, the process too; who is told to keep does not."""
    found = []
    gain, verdict = region["gain_s"], region["verdict"]
    if verdict == "port" and gain["low"] <= 0:
        found.append(f"port, and the 10th percentile of the gain is {gain['low']:.6g} s")
    if verdict == "port" and not region["fits"]:
        found.append("port, and it does not fit")
    if verdict == "keep" and region["fits"] and region["time_s"]["total"] > 0 and gain["high"] >= 0:
        found.append(f"keep, and the 90th percentile of the gain is {gain['high']:.6g} s")
    if verdict == "measure" and not region["flip"]:
        found.append("measure, and nothing is said of what would change it")
    if verdict == "port" and program["speedup"]["value"] <= 1:
        found.append(f"port, and the whole program gets {program['speedup']['value']:.6g} times as fast, start-up included")
    if verdict == "port" and program["offloaded_share"] <= 0:
        found.append("port, and no time of the program is in regions told to port")
    return found


def flat(text):
    return re.sub(r"\s+", " ", text)


SAID = {"port": "PORT", "keep": "KEEP ON THE HOST", "measure": "MEASURE FIRST"}


def text_violations(text, report):
    """Figures of the text that the JSON has otherwise."""
    found = []
    region = report["regions"][0]
    text = flat(text)

    def holds(needle):
        if flat(needle) not in text:
            found.append(f"the text does not say: {needle}")
    speedup, time, gain = region["speedup"], region["time_s"], region["gain_s"]
    holds(f"{SAID[region['verdict']]}: {factor_text(speedup['value'])} on")
    holds(f"transfers included ({factor_text(speedup['low'])} to {factor_text(speedup['high'])},")
    holds(f"Against the code as written: {factor_text(speedup['as_written'])}.")
    for label, key in (("GPU, kernels", "kernel"), ("GPU, h2d", "h2d"), ("GPU, d2h", "d2h")):
        holds(f"{label} {time_text(time[key])}")
    holds(f"GPU, total{'' if region['plan']['strategy'] == 'explicit' else ', overlapped'} {time_text(time['total'])}")
    if time["startup"] > 0:
        holds(f"GPU, start-up, once {time_text(time['startup'])}")
    if region["fits"] and time["total"] > 0:
        value, low, high = gain["value"], gain["low"], gain["high"]
        is_loss = value < 0 or (value == 0 and high <= 0)
        if low < 0 < high:
            within = f"(between a loss of {time_text(-low)} and a gain of {time_text(high)})"
        elif high <= 0:
            within = f"({time_text(-high)} to {time_text(-low)})"
        else:
            within = f"({time_text(low)} to {time_text(high)})"
        holds(f"{'would lose' if is_loss else 'gains'} {time_text(-value if is_loss else value)} {within}")
    if region["flip"]:
        holds(region["flip"][1:])
    pinning = region["plan"]["pinning"]
    if pinning["startup_s"] > 0 and pinning["saved_s"] > 0:
        first = math.ceil(pinning["startup_s"] / pinning["saved_s"])
        holds(f"{time_text(pinning['saved_s'])} each time: it pays from {first} run{'s' if first > 1 else ''} of the region on.")
    program = report["program"]
    if program["offloaded_share"] > 0 and not program["mostly_unpriced"]:
        said = program["speedup"]
        holds(f"{factor_text(said['value'])} ({factor_text(said['low'])} to {factor_text(said['high'])}), with")
    return found + statement_violations(text, region)


def conditions_of(pays):
    """The conditions that a sentence may name for the intervals of one size."""
    said = set()
    about = "about " if pays.get("about") else ""
    for low, high in pays["intervals"]:
        name = pays["size"]
        if name == "sizes":
            if low is not None and high is not None:
                said.add(f"sizes between {about}{factor_text(low)} and {factor_text(high)} ")
            elif low is not None or high is not None:
                said.add(f"sizes {'above' if low is not None else 'below'} {about}{factor_text(low if low is not None else high)} ")
        elif low is None and high is not None:
            said.add(f"{name} < {size_text(high + 1)}")
        elif low is not None:
            said.add((f"{size_text(low - 1)} < {name} < {size_text(high + 1)}" if high is not None else f"{name} > {size_text(low - 1)}"))
    return said


SIZE = r"(?:[\w:.>()@+-]|\[[^\[\]]*\])+" # a[i + 1], too
NUMBER = r"[\d.e+]+"
CONDITION = re.compile(rf"sizes (?:between (?:about )?\S+x and \S+x|(?:above|below) (?:about )?\S+x) |"
                       rf"(?:{NUMBER} < )?{SIZE} < {NUMBER}|{SIZE} > {NUMBER}")
BEGINNINGS = ["Port (?:if|for|at)", "Pays off", "Pays for its copies", "A call pays for its copies (?:if|at|for)", "Never pays", "Does not pay",
              "Keep at every size", "No call pays", "Of the loops in this", "Nothing runs", "Does not fit"]


def statement_of(text):
    """The sentence on when it pays off, and those that go on with it."""
    found = re.search(rf"(?:{'|'.join(BEGINNINGS)}).*?(?=\.(?:$| (?!As assumed|A call )[A-Z]))", text)
    return found.group(0) if found else ""


def statement_violations(text, region):
    statement = statement_of(text)
    found = [] if statement else ["the text has no sentence on when it pays off"]
    iterations = region["iterations"]
    said = re.search(r"from (?:about )?(\S+) (?:to \S+ time steps|time steps on)", text)
    if said and (iterations["break_even"] is None or said.group(1) != size_text(iterations["break_even"])):
        found.append(f"the text says from {said.group(1)} time steps on, JSON {iterations['break_even']}")
    calls = [pays["intervals"] for pays in region["pays_off"] if pays["size"] == "calls"]
    said = re.search(r"from (\S+) calls on", text)
    if said and (not calls or not calls[0] or said.group(1) != size_text(calls[0][0][0])):
        found.append(f"the text says from {said.group(1)} calls on, JSON {calls}")
    said = re.search(r"\bat (?:today's |the assumed )?(?:[^.;,]*? and )?(\d+) time steps?\b", statement)
    if said and int(said.group(1)) != iterations["count"]:
        found.append(f"the text says {said.group(1)} time steps, JSON {iterations['count']}")
    known = set()
    for pays in region["pays_off"]:
        function, _, own = pays["size"].partition("::")
        known |= conditions_of(pays) | conditions_of({**pays, "size": own or function})
    for condition in CONDITION.findall(statement):
        if condition not in known:
            found.append(f"the text says {condition!r}, JSON {[(p['size'], p['intervals']) for p in region['pays_off']]}")
    found += figure_violations(statement, region)
    never = "Never pays" in statement or "Does not pay" in statement or "Keep at every size" in statement or "No call pays" in statement
    if never and any(pays["intervals"] for pays in region["pays_off"] if pays["size"] == "sizes"):
        if "at these sizes" not in statement and "at today's sizes" not in statement:
            found.append(f"the text says {statement!r}, JSON {region['pays_off']}")
    return found


def figure_violations(statement, region):
    """The figures at the end of the sentence."""
    found = []
    gain, time = region["gain_s"], region["time_s"]
    saved = (region["runs"] or 1) * (min(time["cpu"], time["cpu_all_cores"]) - time["total"])
    for pattern, said in ((r": ([\d.]+x)(?=[,.]|$)", factor_text(region["speedup"]["value"])),
                          (r", (\S+ \S+) gained", time_text(gain["value"])),
                          (r"but the (\S+ \S+) that it saves", time_text(saved)),
                          (r"less than the start-up of (\S+ \S+)$", time_text(gain["startup_added"])),
                          (r"which pay the start-up of (\S+ \S+);", time_text(time["startup"]))):
        for figure in re.findall(pattern, statement):
            if figure != said:
                found.append(f"the text says {figure} in {statement!r}, JSON {said}")
    return found
