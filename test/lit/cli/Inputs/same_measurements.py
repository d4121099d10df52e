"""Compares the measured quantities, sweeps and tiles of two machine files: they agree to the digits that the second has."""
import json, sys


def differs(a, b):
    return abs(a - b) > 2e-5 * max(abs(a), abs(b))


def main():
    made, built = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:3])
    same, wrong = 0, []
    for part in ("host", "link", "gpu"):
        for key, quantity in built[part].items():
            if isinstance(quantity, dict) and "measured/h100-sxm5" in quantity.get("source", "") and quantity["kind"] != "derived":
                other = made[part][key].get("value")
                if other is None or differs(other, quantity["value"]):
                    wrong.append("%s.%s: %s, the tables say %s" % (part, key, quantity["value"], other))
                same += 1
    sweeps = [[(each["direction"], each["memory"]) for each in machine["link"]["measured"]] for machine in (made, built)]
    tables = [{each["routine"]: each["points"] for each in machine["blas_tiles"]} for machine in (made, built)]
    if sorted(sweeps[0]) != sorted(sweeps[1]) or sorted(tables[0]) != sorted(tables[1]):
        wrong.append("other sweeps or routines")
    for one in made["link"]["measured"]:
        other = next(each for each in built["link"]["measured"] if (each["direction"], each["memory"]) == (one["direction"], one["memory"]))
        wrong += ["sweep: %s, %s" % pair for pair in zip(one["points"], other["points"]) if differs(pair[0][1], pair[1][1])]
    for name, points in tables[0].items():
        wrong += ["%s: %s, %s" % (name, *pair) for pair in zip(points, tables[1][name]) if differs(pair[0][1], pair[1][1])]
    for line in wrong:
        print(line)
    print("%d numbers are the same" % same if not wrong else "the two differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
