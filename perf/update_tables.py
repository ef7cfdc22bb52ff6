#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts new figures into the pages, and the summaries and ratios that follow from them into docs/performance.md and README.md.

  update_tables.py FAMILY TABLES.md MACHINE README.md PAGE.md...
  update_tables.py --check README.md PAGE.md...

Each table of TABLES.md, as the plot scripts write it, replaces the tables of the pages whose first cell is the same up to a
bracket. The line after each <!-- machine: FAMILY --> becomes MACHINE and the first line of TABLES.md. Summaries are tables of a
page that follow from tables of any page. --check fails if summaries, or the ratios of README.md, do not follow from the tables.
"""

import pathlib
import re
import sys

from plot_common import digits, table

TABLE = re.compile(r"^\|.*\n\|(?:---\|)+\n(?:\|.*\n)*", re.MULTILINE)

# Rows of the README's table: family, table, our row, peer's row, column; figures are speeds or times. Without a column, the
# smallest and the largest ratio of all columns that have both.
AUTOMATIC = "`automatic`"
HEADLINES = [
    ("particle_grid", "spread, double, million points/s", AUTOMATIC, "SpMV, explicit transpose", None, "speed"),
    ("particle_grid", "interpolate, double, million points/s", AUTOMATIC, "Kokkos Kernels SpMV", None, "speed"),
    ("mesh", "airfoil, double, ms", "`par_loop`, packs", "hand-written OpenMP, block colours", "iteration, 720000", "time"),
    ("correlation", "`one_to_one`, all shifts, float, µs a pair", AUTOMATIC, "FFTW, measured", None, "time"),
    ("correlation", "`n_to_mn`, shifts up to ±8, float, µs a pair", AUTOMATIC, "FFTW, measured", None, "time"),
]
HEADLINE_TABLE = "case"


def key(text):
    return text[1:].split("|")[0].split("(")[0].strip()


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables_of(text):
    return {key(found): found for found in TABLE.findall(text)}


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


def figures(text, row):
    """Those of a row, by column; cells without one are left out."""
    lines = [cells(line) for line in text.splitlines()]
    values = next((line for line in lines[2:] if line[0] == row), [row])
    return {c: float(v.strip("*")) for c, v in zip(lines[0][1:], values[1:]) if v}


def ratio(text, ours, peer, column, kind):
    a, b = figures(text, ours), figures(text, peer)
    columns = [c for c in a if c in b and column in (None, c)]
    if not columns:
        sys.exit(f"no figures of both {ours} and {peer} in the table {key(text)}")
    ratios = [b[c] / a[c] if kind == "time" else a[c] / b[c] for c in columns]
    words = list(dict.fromkeys(f"{r:.1f}" for r in (min(ratios), max(ratios))))
    return " to ".join(words)


def put_ratios(readme, pages, tables):
    """The README with the ratios and processors that the pages show."""
    old = tables_of(readme)[HEADLINE_TABLE]
    lines = old.splitlines()
    for place, (family, name, ours, peer, column, kind) in enumerate(HEADLINES, start=2):
        machine = re.search(rf"<!-- machine: {family} -->\n(.*)", pages)[1].split(",")[0]
        case, instead = cells(lines[place])[:2]
        lines[place] = f"| {case} | {instead} | {ratio(tables[name], ours, peer, column, kind)} | {machine} |"
    return readme.replace(old, "\n".join(lines) + "\n")


def transfer_summary(tables):
    """Milliseconds of a step of particle-grid transfer, and of its peers, out of millions of points a second."""
    def of(operation, rows):
        """By column, of the first of these rows that has it."""
        found = {}
        for row in reversed(rows):
            found.update(figures(tables[f"{operation}, double, million points/s"], row))
        return found

    ours = [of("update", ["plan.update"]), of("spread", [AUTOMATIC, "`tiled`"]), of("interpolate", [AUTOMATIC, "`tiled`"])]
    peers = [of("spread", ["ScatterView, duplicated"]), of("spread", ["SpMV, explicit transpose"]),
             of("interpolate", ["Kokkos Kernels SpMV"])]
    lines = []
    for case in ours[1]:
        points = float(case.split(", ")[1])
        times = [1e-3 * points / f[case] if case in f else None for f in ours + peers]
        lines.append([case] + [digits(t) for t in times[:3] + [sum(times[:3])] + times[3:]])
    return table(["3D, `Cosine4`, double, ms", "update", "spread", "interpolate", "all three", "spread: ScatterView, duplicated",
                  "spread: SpMV, explicit transpose", "interpolate: SpMV"], lines)


def correlation_summary(tables):
    """Microseconds a pair, all shifts beside few."""
    words = {AUTOMATIC: AUTOMATIC, "FFTW, measured": "FFTW", "plain loops": "plain loops"}
    shifts = {"all": "`one_to_one`, all shifts, float, µs a pair", "±8": "`n_to_mn`, shifts up to ±8, float, µs a pair"}
    head, lines = ["float, µs a pair"], {}
    for shift, name in shifts.items():
        for row, word in words.items():
            head.append(f"{shift}: {word}")
            for column, value in figures(tables[name], row).items():
                lines.setdefault(column.split(" ")[0], {})[head[-1]] = digits(value)
    return table(head, [[size] + [line.get(h, "") for h in head[1:]] for size, line in lines.items()])


def put_summaries(page, tables):
    made = [transfer_summary(tables), correlation_summary(tables)]
    return put_tables(page, "none", {key(m): m for m in made}, "")[0]


def main():
    check = sys.argv[1:2] == ["--check"]
    if len(sys.argv) < (4 if check else 6):
        sys.exit(__doc__)
    readme, *pages = (pathlib.Path(name) for name in sys.argv[2 if check else 4:])
    texts = [page.read_text(encoding="utf-8") for page in pages]
    if not check:
        family, source, machine = sys.argv[1:4]
        new = pathlib.Path(source).read_text(encoding="utf-8")
        for place, page in enumerate(pages):
            texts[place], names = put_tables(texts[place], family, tables_of(new), machine + "; " + new.split("\n", 1)[0])
            print(f"{page}: {len(names)} tables" + "".join(f"\n  {n}" for n in names), file=sys.stderr)
    tables = tables_of("\n".join(texts))
    texts = [put_summaries(text, tables) for text in texts]
    texts.insert(0, put_ratios(readme.read_text(encoding="utf-8"), "\n".join(texts), tables))
    for page, text in zip([readme, *pages], texts):
        if not check:
            page.write_text(text, encoding="utf-8")
        elif page.read_text(encoding="utf-8") != text:
            sys.exit(f"{page}: the summaries and ratios do not follow from the tables")


if __name__ == "__main__":
    main()
