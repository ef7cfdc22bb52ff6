#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts the tables of perf/scaling/scaling into docs/scaling.md and plots the efficiencies.

  plot_scaling.py TABLES.md PAGE.md [--output FOLDER]

Writes scaling.png. The line after <!-- scaling --> in PAGE.md becomes the first line of TABLES.md, and each table
replaces the one whose first cell is the same.
"""

import argparse
import pathlib
import re

from plot_common import pyplot, save
from update_tables import cells, put_tables, tables_of


def curves(name, table):
    """(label, ranks, efficiencies) for each column of efficiencies."""
    lines = [cells(line) for line in table.splitlines()]
    ranks = [float(line[0]) for line in lines[2:]]
    for place, head in enumerate(lines[0]):
        if head != "efficiency":
            continue
        before = lines[0][place - 1].split(":")[0]
        label = name.rsplit(":", 1)[0] + (f": {before}" if "ghost" in before else "")
        yield label, ranks, [float(line[place]) for line in lines[2:]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."))
    arguments = parser.parse_args()
    text = arguments.tables.read_text(encoding="utf-8")
    tables = tables_of(text)
    page, _ = put_tables(arguments.page.read_text(encoding="utf-8"), "scaling", tables, "")
    assumed = text.splitlines()[0]
    page = re.sub(r"(?<=<!-- scaling -->\n).*", lambda _: assumed, page)
    arguments.page.write_text(page, encoding="utf-8")
    plt = pyplot()
    if not plt:
        return
    figure, axes = plt.subplots(figsize=(8, 4.5))
    for name, table in tables.items():
        for label, ranks, efficiency in curves(name, table):
            axes.plot(ranks, efficiency, marker="o", markersize=4, label=label)
    axes.set_xscale("log", base=2)
    axes.set_ylim(0, 1.05)
    axes.set_xlabel("ranks (one core each)")
    axes.set_ylabel("predicted parallel efficiency")
    axes.grid(True, color="0.9")
    axes.legend(fontsize=8)
    figure.tight_layout()
    save(figure, arguments.output / "scaling.png")


if __name__ == "__main__":
    main()
