# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common parts of the scripts that make tables and plots of benchmarks."""

import argparse
import json
import pathlib
import sys

UNITS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
HELP = """
Of several JSON files the run with the smallest median of each row counts; use this on
shared machines. --best shows the fastest runs instead of medians. Tables are printed as
Markdown and written to FOLDER; plots need matplotlib. Rows that were not run are left out.
"""


def parse_arguments(description, types=("double", "float")):
    parser = argparse.ArgumentParser(description=description + HELP, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="JSON files of the benchmark")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), help="folder for tables and plots")
    if types:
        parser.add_argument("--type", choices=sorted(types), default=types[0], help="value type of the rows in tables and plots")
    parser.add_argument("--best", action="store_true", help="show the fastest run of each row instead of the median")
    return parser.parse_args()


def milliseconds(row):
    return row["real_time"] * UNITS[row["time_unit"]]


def read(paths, best):
    """The rows of all files by name, and the context of the last file."""
    rows, context = {}, {}
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                content = json.load(file)
        except (OSError, ValueError) as error:
            sys.exit(f"cannot read {path}: {error}")
        if "benchmarks" not in content:
            sys.exit(f"{path}: expected the JSON output of Google Benchmark")
        context = content.get("context", {})
        for row in content["benchmarks"]:
            if row.get("run_type", "iteration") != "iteration" or row.get("error_occurred"):
                continue
            if best:
                use_best(row)
            known = rows.get(row["name"])
            if not known or milliseconds(row) < milliseconds(known):
                rows[row["name"]] = row
    if not rows:
        sys.exit("no rows in " + ", ".join(paths))
    return rows, context


def use_best(row):
    factor = milliseconds(row) / row["min_ms"]
    row["real_time"] /= factor
    for counter in ("items_per_second", "bytes_per_second", "flops"):
        if counter in row:
            row[counter] *= factor


def setting(context, best):
    """The line above the tables."""
    return (f"{context.get('execution_space', '?')}, {context.get('threads', '?')} threads, "
            f"{context.get('instruction_set', '?')}; {'fastest' if best else 'median'} runs")


def digits(x):
    return "" if x is None else f"{x:.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def table(head, lines):
    if not lines:
        return ""
    out = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    out += ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join(out) + "\n"


def write_tables(folder, name, tables):
    text = "\n".join(t for t in tables if t)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    print(text)


def pyplot():
    """matplotlib's, or None with a word about it."""
    try:
        import matplotlib
    except ImportError:
        print(f"no plots: {sys.executable} has no matplotlib (Debian: python3-matplotlib, for /usr/bin/python3)", file=sys.stderr)
        return None
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    return plt


def save(figure, path, dpi=150):
    figure.savefig(path, dpi=dpi)
    print(f"wrote {path}", file=sys.stderr)
