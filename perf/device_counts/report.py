# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Table of the counts that PTXRUN_PROFILE=1 printed (standard input): one line for each kernel of Sporos, counts of all
launches together, for each element (argument: how many there are).

Instructions are those of threads. A sector has 32 bytes. A wavefront is one round of an access to shared memory.
"""
import re
import sys

NUMBER = r"([0-9.e+]+)"


def short(name):
    """The functor of a kernel, with its tag and the type of its keys."""
    functor = next(f for f in re.findall(r"Sporos::Impl::(\w+)", name) if f != "JoinSmallest")
    tags = re.findall(r">::(\w+)[,>].*Kokkos::Cuda>", name)
    key = re.search(r"SortTuning<Kokkos::Cuda, ([\w ]+?)>", name)
    bits = {"unsigned int": ", 32 bits", "unsigned long": ", 64 bits"}.get(key.group(1), "") if key else ""
    staging = re.search(r"RunTeams<\(Sporos::Staging\)(\d)", name)
    staged = {"2": ", increments staged", "3": ", all staged"}.get(staging.group(1), "") if staging else ""
    kept = ", increments kept" if functor == "RunElements" and "BoundTemporary" in name else ""
    apart = ", components apart" if functor == "RunOwners" and "DatRows<double, 4, Kokkos::LayoutLeft" in name else ""
    searched = ", positions searched for" if "SearchedTarget" in name else ""
    sweep = ", sweep" if "ShiftValue" in name else ", buffered sweep" if "BoxValues" in name else ""
    return f"`{functor}" + (f"::{tags[0]}`" if tags else "`") + bits + staged + kept + apart + searched + sweep


def kernels(lines):
    """(name, counts) of each kernel."""
    name, counts = None, {}
    for line in lines:
        if not line.startswith("  "):
            if name is not None:
                yield name, counts
            name, counts = line.strip(), {}
        elif "launches" in line:
            counts["launches"] = re.search(f"launches {NUMBER}", line).group(1)
            counts["instructions"] = float(re.search(f"instructions {NUMBER}", line).group(1))
            counts["lanes"] = re.search(f"per instruction {NUMBER}", line).group(1)
        else:
            for kind in ("loads", "stores"):
                if f"global {kind}" in line:
                    each = re.search(f": {NUMBER} requests, {NUMBER} sectors each, {NUMBER}%", line).groups()
                    counts[kind] = float(each[0]) * float(each[1])
                    counts[kind + " used"] = each[2] + " %"
            if "shared memory" in line:
                each = re.search(f": {NUMBER} requests, {NUMBER} wavefronts", line).groups()
                counts["wavefronts"] = float(each[0]) * float(each[1])
                counts["an access"] = each[1]
    if name is not None:
        yield name, counts


COLUMNS = {"launches": "launches", "instructions": "instructions", "lanes": "of 32 lanes at work", "loads": "sectors loaded",
           "loads used": "bytes used", "stores": "sectors stored", "stores used": "bytes used", "wavefronts": "wavefronts",
           "an access": "for each access"}
PER_ELEMENT = ("instructions", "loads", "stores", "wavefronts")


def main():
    elements = float(sys.argv[1])
    rows = [(short(name), counts) for name, counts in kernels(sys.stdin) if "Sporos::" in name]
    print("| kernel | " + " | ".join(COLUMNS.values()) + " |")
    print("|---" * (len(COLUMNS) + 1) + "|")
    for name, counts in sorted(rows, key=lambda row: row[0]):
        if counts["instructions"] < 0.1 * elements:
            continue
        cells = [counts.get(column, "") for column in COLUMNS]
        cells = [f"{cell / elements:.3g}" if column in PER_ELEMENT and cell != "" else str(cell)
                 for column, cell in zip(COLUMNS, cells)]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
