#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables and plots of the benchmark of cross-correlation.

  bench_correlation --benchmark_out=results.json
  plot_correlation.py results.json [--output FOLDER] [--type float|double] [--best]

Writes correlation.md and correlation_crossover.png: time per pair against size for each
pairing, all shifts and those up to +-8.
"""

import math

from plot_common import digits, parse_arguments, pyplot, save, setting, table, write_tables
from plot_common import read as read_rows

PAIRINGS = ["one_to_one", "one_to_many", "n_to_mn", "n_to_m"]
PEERS = ["plain_rows", "fftw", "fftw_padded", "fma_limit"]
WORDS = {
    "plain_rows": "plain loops",
    "fftw": "FFTW, measured",
    "fftw_padded": "FFTW, measured, padded for all shifts",
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
    named, context = read_rows(paths, best)
    rows = {}
    for name, row in named.items():
        parts = name.split("/")
        if len(parts) == 6:
            key = tuple(parts[:4]) + (int(parts[4]), int(parts[5]))
            rows[key] = {"us": 1e6 / row["items_per_second"], "flops": row["flops"]}
    return rows, context


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
    return table(["", "best by definition", "of the limit", "FFTW / it", "plain / it", "automatic / best of all"], lines)


def plots(rows, kind, folder):
    plt = pyplot()
    if not plt:
        return
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
    save(figure, folder / "correlation_crossover.png", dpi=130)


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
    arguments = parse_arguments(__doc__, ("float", "double"))
    rows, context = read(arguments.results, arguments.best)
    add_definition(rows)
    tables = [setting(context, arguments.best) + "\n"]
    tables += [time_table(rows, s, p, arguments.type) for s in ("full", "window8") for p in PAIRINGS]
    write_tables(arguments.output, "correlation.md", tables + [ratio_table(rows)])
    plots(rows, arguments.type, arguments.output)


if __name__ == "__main__":
    main()
