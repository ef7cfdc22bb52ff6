# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Table of the warps that a multiprocessor can hold of each kernel of Sporos, of 64.

usage: occupancy.py COUNTS PTXAS80 PTXAS90

COUNTS is what PTXRUN_PROFILE=1 printed: it has the sizes of the blocks. The other files are what nvcc -Xptxas=-v printed for
compute capabilities 8.0 and 9.0, demangled: they have the registers and the spills.
"""
import re
import sys

from report import short

WARPS, BLOCKS, REGISTERS = 64, 32, 65536
SHARED = {"8.0": 164 << 10, "9.0": 228 << 10}  # of a multiprocessor
RESERVED = 1 << 10  # shared memory that each block takes besides its own


def blocks(lines):
    """(name, threads, bytes of shared memory) of each kernel that ran."""
    name = None
    for line in lines:
        if not line.startswith("  "):
            name = line.strip()
        found = re.search(r"largest block: (\d+) threads, (\d+) shared bytes", line)
        if found:
            yield name, int(found.group(1)), int(found.group(2))


def registers(lines):
    """For each kernel its registers, and its stack and spills if it has them."""
    found, name, memory = {}, None, ""
    for line in lines:
        entry = re.search(r"Compiling entry function '(.*)' for", line)
        if entry:
            name = entry.group(1)
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line)
        if frame:
            stack, stores, loads = map(int, frame.groups())
            memory = f", stack of {stack} B" * (stack > 0) + f", spills {stores + loads} B" * (stores + loads > 0)
        used = re.search(r"Used (\d+) registers", line)
        if used:
            found[name] = int(used.group(1)), memory
    return found


def occupancy(capability, threads, shared, used):
    """Active warps of a multiprocessor and what keeps them from being 64."""
    warps = -(-threads // 32)
    of_warp = -(-used * 32 // 256) * 256
    limits = {
        "": WARPS // warps,
        "blocks": BLOCKS,
        "registers": REGISTERS // 4 // of_warp * 4 // warps,
        "scratch": SHARED[capability] // (shared + RESERVED),
    }
    least = min(limits, key=limits.get)
    return limits[least] * warps, least


counts, *logs = sys.argv[1:]
with open(counts) as file:
    ran = [(name, *sizes) for name, *sizes in blocks(file) if "Sporos::" in name]
used = {}
for capability, log in zip(SHARED, logs):
    with open(log) as file:
        used[capability] = registers(file)

columns = "".join(f" registers, {c} | active warps | limited by |" for c in SHARED)
print(f"| kernel | threads a team | KiB of scratch |{columns}")
print("|---" * (3 + 3 * len(SHARED)) + "|")
for name, threads, shared in sorted(ran, key=lambda row: short(row[0])):
    row = f"| {short(name)} | {threads} | {shared / 1024:.3g} |"
    for capability in SHARED:
        number, memory = used[capability][name]
        warps, limit = occupancy(capability, threads, shared, number)
        row += f" {number}{memory} | {warps} | {limit} |"
    print(row)
