#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables and plots of the benchmark of cross-correlation.

  bench_correlation --benchmark_out=results.json
  plot_correlation.py results.json [--output FOLDER] [--type float|double] [--best]

Several JSON files may be given; a row of a later file replaces the same row of
an earlier one. Figures are medians, with --best those of the fastest runs (for
machines that others use at the same time). Prints the tables as Markdown and writes them to
FOLDER/correlation.md; with matplotlib also FOLDER/correlation_crossover.png: time per pair
against size for each pairing, all shifts and those up to +-8. Rows that were not
run are left out.
"""

import argparse
import json
import pathlib
import sys

PAIRINGS = ["one_to_one", "one_to_many", "n_to_mn", "n_to_m"]
PEERS = ["plain_rows", "fftw", "fma_limit"]
WORDS = {
    "plain_rows": "plain loops",
    "fftw": "FFTW, measured",
    "fma_limit": "limit of multiply-adds",
}
# What the plots show: label, colour, line, width. `definition` is the fastest algorithm that is not an FFT.
LINES = {
    "plain_rows": ("plain loops", "0.6", "-", 1.2),
    "fma_limit": ("limit of multiply-adds", "0.6", ":", 1.2),
    "fftw": ("FFTW, measured plans", "tab:orange", "-", 1.6),
    "definition": ("Sporos, by definition", "tab:blue", "-", 2),
    "fft": ("Sporos, fft", "tab:red", "--", 1.4),
    "automatic": ("Sporos, automatic", "black", ":", 2.2),
}


def read(paths, best):
    """Rows of all files by (shifts, pairing, algorithm, type, n, pairs), and the context of the last file."""
    rows, context = {}, {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        context = content.get("context", {})
        for row in content["benchmarks"]:
            if row.get("run_type", "iteration") != "iteration" or row.get("error_occurred"):
                continue
            parts = row["name"].split("/")
            if len(parts) != 6:
                continue
            factor = milliseconds(row) / row["min_ms"] if best else 1
            key = tuple(parts[:4]) + (int(parts[4]), int(parts[5]))
            rows[key] = {"us": 1e6 / row["items_per_second"] / factor, "flops": row["flops"] * factor}
    return rows, context


def milliseconds(row):
    return row["real_time"] * {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}[row["time_unit"]]


def add_definition(rows):
    """The fastest algorithm of the library that sums by the definition, as an algorithm of its own."""
    best = {}
    for (shifts, pairing, algorithm, kind, n, pairs), value in rows.items():
        if algorithm in PEERS or algorithm in ("fft", "automatic"):
            continue
        key = (shifts, pairing, "definition", kind, n, pairs)
        if key not in best or value["us"] < best[key]["us"]:
            best[key] = dict(value, algorithm=algorithm)
    rows.update(best)


def batches(rows, shifts, pairing, kind):
    """(n, pairs) with the most pairs for each n."""
    most = {}
    for s, p, _, k, n, pairs in rows:
        if (s, p, k) == (shifts, pairing, kind):
            most[n] = max(pairs, most.get(n, 0))
    return sorted(most.items())


def digits(x):
    return "" if x is None else f"{x:.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def table(head, lines):
    out = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    out += ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join(out) + "\n"


def algorithms_in(rows, shifts, pairing, kind):
    found = []
    for s, p, algorithm, k, _, _ in rows:
        if (s, p, k) == (shifts, pairing, kind) and algorithm not in found and algorithm != "definition":
            found.append(algorithm)
    return found


def time_table(rows, shifts, pairing, kind):
    columns = batches(rows, shifts, pairing, kind)
    if not columns:
        return ""
    lines = []
    for algorithm in algorithms_in(rows, shifts, pairing, kind):
        cells = []
        for n, pairs in columns:
            value = rows.get((shifts, pairing, algorithm, kind, n, pairs))
            others = [v["us"] for k, v in rows.items()
                      if k[:2] == (shifts, pairing) and k[3:] == (kind, n, pairs) and k[2] not in PEERS]
            best = value and others and algorithm not in PEERS and value["us"] == min(others)
            text = digits(value["us"]) if value else ""
            cells.append(f"**{text}**" if best else text)
        lines.append([WORDS.get(algorithm, f"`{algorithm}`")] + cells)
    words = "all shifts" if shifts == "full" else "shifts up to ±" + shifts[len("window"):]
    return table([f"`{pairing}`, {words}, {kind}, µs a pair"] + [f"{n}² ({pairs})" for n, pairs in columns], lines)


def ratio_table(rows):
    """What says whether the library is worth using."""
    lines = []
    for shifts in ("full", "window8"):
        for pairing in PAIRINGS:
            for kind in ("float", "double"):
                for n, pairs in batches(rows, shifts, pairing, kind):
                    def us(algorithm):
                        return rows.get((shifts, pairing, algorithm, kind, n, pairs), {}).get("us")
                    own, limit, automatic = us("definition"), us("fma_limit"), us("automatic")
                    if not own:
                        continue
                    best = min(x for x in (own, us("fft"), automatic) if x)
                    lines.append([
                        f"{shifts}/{pairing}/{kind}/{n}/{pairs}",
                        rows[(shifts, pairing, "definition", kind, n, pairs)]["algorithm"],
                        f"{100 * limit / own:.0f} %" if limit else "",
                        f"{us('fftw') / own:.2f}" if us("fftw") else "",
                        f"{us('plain_rows') / own:.1f}" if us("plain_rows") else "",
                        f"{automatic / best:.2f}" if automatic else ""])
    if not lines:
        return ""
    return table(["", "best by definition", "of the limit", "FFTW / it", "plain / it", "automatic / best of all"], lines)


def plots(rows, kind, folder):
    try:
        import matplotlib
    except ImportError:
        print("no plots: matplotlib was not found (Debian: python3-matplotlib)", file=sys.stderr)
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    windows = [s for s in ("full", "window8") if any(k[0] == s and k[3] == kind for k in rows)]
    pairings = [p for p in PAIRINGS if any(k[1] == p and k[3] == kind for k in rows)]
    if not windows:
        return
    figure, panels = plt.subplots(len(windows), len(pairings), figsize=(3.6 * len(pairings) + 0.6, 3.6 * len(windows) + 0.9),
                                  squeeze=False)
    for line, shifts in zip(panels, windows):
        for panel, pairing in zip(line, pairings):
            figure_of(panel, rows, shifts, pairing, kind)
    for line in panels:
        line[0].set_ylabel("µs a pair")
    handles = {}
    for panel in panels.flat:
        for handle, label in zip(*panel.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    lines = 1 if len(pairings) > 2 else 3
    figure.tight_layout(rect=(0, 0.035 * (1 + lines) / len(windows), 1, 1))
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncol=-(-len(handles) // lines), frameon=False, fontsize=9)
    path = folder / "correlation_crossover.png"
    figure.savefig(path, dpi=130)
    print(f"wrote {path}", file=sys.stderr)


def figure_of(panel, rows, shifts, pairing, kind):
    columns = batches(rows, shifts, pairing, kind)
    for algorithm, (label, colour, style, width) in LINES.items():
        points = [(n, rows[(shifts, pairing, algorithm, kind, n, pairs)]["us"]) for n, pairs in columns
                  if (shifts, pairing, algorithm, kind, n, pairs) in rows]
        if points:
            panel.plot(*zip(*points), style, color=colour, linewidth=width, label=label, marker="o", markersize=3)
    where = crossover(rows, shifts, pairing, kind, columns)
    if where:
        panel.axvline(where, color="0.8", linewidth=1, zorder=0)
        panel.annotate(f"FFTW from {where:.0f}", (where, 0.02), xycoords=("data", "axes fraction"), fontsize=8, color="0.4",
                       xytext=(3, 2), textcoords="offset points")
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.set_xticks([n for n, _ in columns], [str(n) for n, _ in columns], fontsize=7)
    panel.minorticks_off()
    panel.grid(alpha=0.25)
    panel.set_title(f"{pairing}, " + ("all shifts" if shifts == "full" else "shifts up to ±" + shifts[len("window"):]),
                    fontsize=10)


def crossover(rows, shifts, pairing, kind, columns):
    """The size at which FFTW becomes faster than the definition, between two sizes that were run; or None."""
    import math
    last = None
    for n, pairs in columns:
        own = rows.get((shifts, pairing, "definition", kind, n, pairs))
        fftw = rows.get((shifts, pairing, "fftw", kind, n, pairs))
        if not own or not fftw:
            continue
        ratio = math.log(own["us"] / fftw["us"])
        if last and last[1] <= 0 < ratio:
            part = -last[1] / (ratio - last[1])
            return math.exp(math.log(last[0]) + part * (math.log(n) - math.log(last[0])))
        last = (n, ratio)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", help="JSON files of bench_correlation")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."), help="folder for tables and plots")
    parser.add_argument("--type", choices=["float", "double"], default="float", help="rows of tables and plots")
    parser.add_argument("--best", action="store_true", help="the fastest run of each row instead of the median")
    arguments = parser.parse_args()
    rows, context = read(arguments.results, arguments.best)
    if not rows:
        sys.exit("no rows in " + ", ".join(arguments.results))
    add_definition(rows)
    setting = (f"{context.get('execution_space', '?')}, {context.get('threads', '?')} threads, "
               f"{context.get('instruction_set', '?')}; {'fastest' if arguments.best else 'median'} runs; in brackets the "
               "number of pairs in a call\n")
    tables = [setting] + [time_table(rows, s, p, arguments.type) for s in ("full", "window8") for p in PAIRINGS]
    tables.append(ratio_table(rows))
    text = "\n".join(t for t in tables if t)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "correlation.md").write_text(text, encoding="utf-8")
    plots(rows, arguments.type, arguments.output)
    print(text)


if __name__ == "__main__":
    main()
