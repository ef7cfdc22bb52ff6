#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts new figures into docs/performance.md and the ratios that follow from them into README.md.

  update_tables.py FAMILY TABLES.md MACHINE README.md PERFORMANCE.md
  update_tables.py --check README.md PERFORMANCE.md

Each table of TABLES.md, as the plot scripts write it, replaces the table of PERFORMANCE.md whose first cell is the same
up to a bracket. The line after each <!-- machine: FAMILY --> becomes MACHINE and the first line of TABLES.md.
--check fails if the ratios of README.md do not follow from PERFORMANCE.md.
"""

import pathlib
import re
import sys

TABLE = re.compile(r"^\|.*\n\|(?:---\|)+\n(?:\|.*\n)*", re.MULTILINE)

# Rows of the README's table: family, table, our row, peer's row, column; figures are speeds or times.
AUTOMATIC = "`automatic`"
HEADLINES = [
    ("particle_grid", "spread, double, million points/s", AUTOMATIC, "SpMV, explicit transpose", "uniform 128³, 1e6", "speed"),
    ("particle_grid", "interpolate, double, million points/s", AUTOMATIC, "Kokkos Kernels SpMV", "uniform 128³, 1e6", "speed"),
    ("mesh", "airfoil, double, ms", "`par_loop`, packs", "hand-written OpenMP, block colours", "iteration, 720000", "time"),
    ("correlation", "`one_to_one`, all shifts, float, µs a pair", AUTOMATIC, "FFTW, measured", "64² (100)", "time"),
    ("correlation", "`n_to_mn`, shifts up to ±8, float, µs a pair", AUTOMATIC, "FFTW, measured", "64² (1000)", "time"),
]
HEADLINE_TABLE = "case"


def key(table):
    return table[1:].split("|")[0].split("(")[0].strip()


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables_of(text):
    return {key(table): table for table in TABLE.findall(text)}


def put_tables(text, family, tables, machine):
    """The text with new tables and machine lines, and the names of the tables."""
    names = []

    def replace(match):
        name = key(match[0])
        if not name or name not in tables:
            return match[0]
        names.append(name)
        return tables[name]

    text = TABLE.sub(replace, text)
    line = re.compile(rf"(?<=<!-- machine: {family} -->\n).*")
    return line.sub(lambda _: machine, text), names


def figure(table, row, column):
    lines = [cells(line) for line in table.splitlines()]
    place = lines[0].index(column)
    return float(next(line[place] for line in lines[2:] if line[0] == row).strip("*"))


def put_ratios(readme, performance):
    """The README with the ratios and processors that PERFORMANCE.md shows."""
    tables = tables_of(performance)
    table = tables_of(readme)[HEADLINE_TABLE]
    lines = table.splitlines()
    for place, (family, name, ours, peer, column, kind) in enumerate(HEADLINES, start=2):
        ratio = figure(tables[name], ours, column) / figure(tables[name], peer, column)
        if kind == "time":
            ratio = 1 / ratio
        machine = re.search(rf"<!-- machine: {family} -->\n(.*)", performance)[1].split(",")[0]
        case, instead = cells(lines[place])[:2]
        lines[place] = f"| {case} | {instead} | {ratio:.1f} | {machine} |"
    return readme.replace(table, "\n".join(lines) + "\n")


def main():
    if len(sys.argv) not in (4, 6) or (len(sys.argv) == 4 and sys.argv[1] != "--check"):
        sys.exit(__doc__)
    *arguments, readme, performance = sys.argv[1:]
    readme, performance = pathlib.Path(readme), pathlib.Path(performance)
    text = readme.read_text(encoding="utf-8")
    if arguments == ["--check"]:
        if put_ratios(text, performance.read_text(encoding="utf-8")) != text:
            sys.exit(f"{readme}: the ratios do not follow from {performance}")
        return
    family, source, machine = arguments
    new = pathlib.Path(source).read_text(encoding="utf-8")
    machine += "; " + new.split("\n", 1)[0]
    tables, names = put_tables(performance.read_text(encoding="utf-8"), family, tables_of(new), machine)
    performance.write_text(tables, encoding="utf-8")
    readme.write_text(put_ratios(text, tables), encoding="utf-8")
    print(f"{performance}: {len(names)} tables" + "".join(f"\n  {n}" for n in names), file=sys.stderr)


if __name__ == "__main__":
    main()
