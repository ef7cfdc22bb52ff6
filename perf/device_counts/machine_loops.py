# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Table of the machine instructions of the inner loops that multiply and add.

usage: machine_loops.py COUNTS CODE

COUNTS is what PTXRUN_PROFILE=1 printed: it names the kernels that ran. CODE is what cuobjdump -sass printed, demangled.
"""
import collections
import re
import sys

from report import kernels, short

FEWEST = 8  # multiply-adds of a loop that counts


def functions(lines):
    """(name, [(address, instruction)]) of each kernel."""
    name, code = None, []
    for line in lines:
        start = re.search(r"Function : (.*)", line)
        if start:
            if name is not None:
                yield name, code
            name, code = start.group(1).strip(), []
        found = re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line)
        if found:
            code.append((int(found.group(1), 16), re.sub(r"^@\S+\s+", "", found.group(2))))
    if name is not None:
        yield name, code


def loops(code):
    """The operations of each loop that has no loop in it, without those for warps whose lanes have parted."""
    jumps = [(at, re.match(r"BRA\b.*\b(0x[0-9a-f]+)", text)) for at, text in code]
    ranges = [(int(jump.group(1), 16), at) for at, jump in jumps if jump and int(jump.group(1), 16) <= at]
    for begin, end in ranges:
        body = [text.split()[0].split(".")[0] for at, text in code if begin <= at <= end]
        inner = not any(begin <= b and e <= end for b, e in ranges if (b, e) != (begin, end))
        if inner and "WARPSYNC" not in body:
            yield body


def main():
    counts, code = sys.argv[1:]
    with open(counts) as file:
        ran = {name for name, _ in kernels(file) if "Sporos::" in name}
    rows = []
    with open(code) as file:
        for name, text in functions(file):
            for body in loops(text) if name in ran else ():
                mix = collections.Counter(body)
                adds = mix.pop("FFMA", 0) + mix.pop("DFMA", 0)
                if adds >= FEWEST:
                    others = ", ".join(f"{n} {operation}" for operation, n in mix.most_common(4))
                    rows.append(f"| {short(name)} | {len(body)} | {adds} | {len(body) / adds:.2f} | {others} |")
    if rows:
        print("| kernel | machine instructions of a loop | multiply-adds | instructions for each | most of the others |")
        print("|---|---|---|---|---|", *rows, sep="\n")


main()
