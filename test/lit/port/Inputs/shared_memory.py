"""Of device code before any optimisation: the memory that a team is given for its threads to share, and whether it is ever set."""
import re, sys


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    given, unset = 0, []
    for function in re.findall(r"^define[^\n]*\n.*?^}", text, re.S | re.M):
        for memory in re.findall(r"(%\d+) = call align \d+ ptr @__kmpc_alloc_shared", function):
            given += 1
            used = re.findall(r"(load|store) [^\n]*ptr %s[, \n]" % re.escape(memory), function)
            if "load" in used and "store" not in used:
                unset.append(function.split("(")[0] + " " + memory)
    print("\n".join(unset + ["%d pieces of memory, %d never set" % (given, len(unset))]))


if __name__ == "__main__":
    main()
