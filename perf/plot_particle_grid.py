#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables and plots of the benchmark of particle-grid transfer.

  bench_particle_grid --benchmark_out=results.json
  plot_particle_grid.py results.json [--output FOLDER] [--type double|float] [--best]

Writes particle_grid.md, particle_grid_speed.png and particle_grid_grid_dependence.png.
"""

from plot_common import digits, milliseconds, parse_arguments, pyplot, read, save, setting, table, write_tables

SPREAD = ["serial", "sweep", "sweep_buffered", "sweep_buffered_on_the_fly", "tiled", "replicated", "atomic", "automatic"]
INTERPOLATE = ["serial", "sorted", "tiled", "automatic", "unsorted"]
UPDATE = ["plan", "moved_1_percent", "moved_10_percent", "all"]
PEERS = ["plain_loop", "scatterview_atomic", "scatterview_duplicated", "spmv", "spmv_transpose"]
WORDS = {
    "plain_loop": "plain loop, 1 thread",
    "scatterview_atomic": "ScatterView, atomic",
    "scatterview_duplicated": "ScatterView, duplicated",
    "spmv": "Kokkos Kernels SpMV",
    "spmv_transpose": "SpMV, explicit transpose",
    "unsorted": "unsorted (no plan)",
    "plan": "plan.update",
    "moved_1_percent": "1 % left their cells",
    "moved_10_percent": "10 % left their cells",
    "all": "all left their cells",
}
VECTORS = {
    "c2": "2 components, interleaved",
    "c2_apart": "2 components, one field after the other",
    "c3": "3 components, interleaved",
    "c3_apart": "3 components, one field after the other",
    "mac": "3 components on faces",
    "complex": "complex numbers",
}
# distribution, cells per side, points
CONFIGS = [
    ("uniform", 128, 1000000),
    ("sphere", 256, 1000000),
    ("clustered", 128, 1000000),
    ("clustered", 256, 1000000),
    ("uniform", 256, 1000000),
    ("uniform", 256, 4000000),
]

# Kassen, Shankar, Fogelson: seconds a call with 2^16 random points, 3D, cosine4, double, on grids of 16^3 to
# 128^3 cells; 16 cores of a Xeon E5-2697 v2 node and one GPU of a Tesla K80.
SIDES = [16, 32, 64, 128]
PAPER = {
    "16 CPU cores": {
        "interpolate": [0.09890, 0.09928, 0.09974, 0.10624],
        "sweep": [0.23282, 0.26431, 0.25783, 0.26590],
        "sweep_buffered": [0.12803, 0.14213, 0.15215, 0.20107],
        "sweep_buffered_on_the_fly": [0.12965, 0.14242, 0.14766, 0.21874],
    },
    "1 GPU": {
        "interpolate": [0.01253, 0.01317, 0.01722, 0.01816],
        "sweep": [0.03930, 0.04020, 0.04215, 0.04755],
        "sweep_buffered": [0.01715, 0.02049, 0.02370, 0.03656],
        "sweep_buffered_on_the_fly": [0.01804, 0.02198, 0.02873, 0.07288],
    },
}

# Ratios that say whether the library is worth using: a row over another one (spread, interpolate).
RATIOS = [
    ("spread/tiled", "spread/scatterview_duplicated", ("uniform", 128, 1000000)),
    ("spread/tiled", "spread/spmv_transpose", ("uniform", 128, 1000000)),
    ("spread/sweep_buffered", "spread/scatterview_duplicated", ("uniform", 128, 1000000)),
    ("interpolate/tiled", "interpolate/spmv", ("uniform", 128, 1000000)),
    ("update/plan", "spread/tiled", ("uniform", 128, 1000000)),
    ("update/moved_1_percent", "update/all", ("uniform", 128, 1000000)),
    ("update/moved_10_percent", "update/all", ("uniform", 128, 1000000)),
    ("spread/tiled", "spread/scatterview_duplicated", ("uniform", 256, 4000000)),
    ("spread/tiled", "spread/scatterview_duplicated", ("sphere", 256, 1000000)),
    ("spread/tiled", "spread/scatterview_duplicated", ("clustered", 256, 1000000)),
]


def name(row, kind, config):
    return "/".join([row, kind, config[0], str(config[1]), str(config[2])])


def points_text(n):
    return f"{n // 1000000}e6" if n % 1000000 == 0 else f"{n:.0e}".replace("e+0", "e")


def config_text(config):
    return f"{config[0]} {config[1]}³, {points_text(config[2])}"


def rate(rows, row, kind, config):
    """Million points a second, or None."""
    found = rows.get(name(row, kind, config))
    return found["items_per_second"] * 1e-6 if found else None


def configs_with(rows, operation, kind):
    return [c for c in CONFIGS if any(r.startswith(operation + "/") and r.endswith(name("", kind, c)) for r in rows)]


def algorithms_of(operation):
    if operation == "update":
        return UPDATE
    return (SPREAD if operation == "spread" else INTERPOLATE) + PEERS


def speed_table(rows, operation, kind):
    configs = configs_with(rows, operation, kind)
    if not configs:
        return ""
    rates = {a: [rate(rows, f"{operation}/{a}", kind, c) for c in configs] for a in algorithms_of(operation)}
    compared = [] if operation == "update" else rates.values()
    best = [max((r[k] for r in compared if r[k]), default=None) for k in range(len(configs))]
    lines = []
    for algorithm, values in rates.items():
        if not any(values):
            continue
        cells = [f"**{digits(v)}**" if v and v == b else digits(v) for v, b in zip(values, best)]
        lines.append([WORDS.get(algorithm, f"`{algorithm}`")] + cells)
    title = f"{operation}, {kind}, million points/s"
    return table([title] + [config_text(c) for c in configs], lines)


def cost_table(rows, kind):
    """Set-up and memory where the plan and its peers differ most."""
    config = ("uniform", 128, 1000000)
    lines = []
    for operation in ("spread", "interpolate"):
        for algorithm in algorithms_of(operation):
            row = rows.get(name(f"{operation}/{algorithm}", kind, config))
            if not row:
                continue
            title = f"{operation}: {WORDS.get(algorithm, f'`{algorithm}`')}"
            setup = digits(row["setup_ms"]) if row["setup_ms"] >= 0.01 else "-"
            memory = digits(row["bytes"] / 2**20) if row["bytes"] else "-"
            lines.append([title, digits(milliseconds(row)), setup, memory])
    head = [f"{config_text(config)}, {kind}", "ms a call", "set-up, ms", "MiB at most"]
    return table(head, lines)


def vector_table(rows, kind):
    """Milliseconds of several components, and how many times as long as one."""
    columns = [(o, (d, 128, 1000000)) for d in ("uniform", "sphere", "clustered") for o in ("spread", "interpolate")]
    columns = [c for c in columns if name(f"{c[0]}/automatic", kind, c[1]) in rows]
    lines = []
    for suffix in ["", *VECTORS]:
        cells = []
        for operation, config in columns:
            one = name(f"{operation}/automatic", kind, config)
            row = rows.get(f"{one}/{suffix}" if suffix else one)
            ratio = f" ({milliseconds(row) / milliseconds(rows[one]):.2f})" if row and suffix else ""
            cells.append(digits(milliseconds(row)) + ratio if row else "-")
        if any(c != "-" for c in cells):
            lines.append([VECTORS.get(suffix, "1 component")] + cells)
    if len(lines) < 2:
        return ""
    head = [f"components, {kind}, ms a call (times one component)"]
    return table(head + [f"{o}, {c[0]} 128³" for o, c in columns], lines)


def ratio_table(rows, kind):
    lines = []
    for row, other, config in RATIOS:
        a, b = rate(rows, row, kind, config), rate(rows, other, kind, config)
        if a and b:
            lines.append([f"{row} over {other}", config_text(config), f"{a / b:.2f}"])
    for row in ("spread/tiled", "interpolate/tiled"):
        a, b = (rate(rows, row, k, CONFIGS[0]) for k in ("float", "double"))
        if a and b:
            lines.append([f"{row}, float over double", config_text(CONFIGS[0]), f"{a / b:.2f}"])
    return table(["ratio of points/s", "points", ""], lines)


def grid_rows(rows):
    """Milliseconds of update and transfer of 2^16 points on the paper's grids."""
    found = {}
    for operation, algorithms in (("interpolate_update", INTERPOLATE), ("spread_update", SPREAD)):
        for algorithm in algorithms:
            names = [name(f"{operation}/{algorithm}", "double", ("uniform", s, 65536)) for s in SIDES]
            if all(n in rows for n in names):
                found[operation.split("_")[0], algorithm] = [milliseconds(rows[n]) for n in names]
    return found


def grid_table(rows, context):
    found = grid_rows(rows)
    if not found:
        return ""

    def line(title, values):
        return [title] + [digits(v) for v in values] + [f"{values[-1] / values[0]:.2f}"]

    threads = context.get("threads", "?")
    lines = [line(f"{operation}, `{algorithm}`", v) for (operation, algorithm), v in found.items()]
    for machine, algorithms in PAPER.items():
        for algorithm, seconds in algorithms.items():
            title = "interpolate" if algorithm == "interpolate" else f"spread, `{algorithm}`"
            lines.append(line(f"paper, {machine}: {title}", [1e3 * s for s in seconds]))
    head = [f"2^16 points, ms a call (ours: {threads} threads, update included)"]
    return table(head + [f"{s}³" for s in SIDES] + ["128³ / 16³"], lines)


def figure_of_speed(plt, rows, kind, path):
    operations = [o for o in ("spread", "interpolate") if configs_with(rows, o, kind)]
    configs = [c for c in CONFIGS if any(c in configs_with(rows, o, kind) for o in operations)]
    if not configs:
        return
    heights = [sum(any(rate(rows, f"{o}/{a}", kind, c) for c in configs) for a in algorithms_of(o)) for o in operations]
    figure, axes = plt.subplots(len(operations), len(configs), squeeze=False, layout="constrained",
                                figsize=(2.6 + 2.3 * len(configs), 1.2 + 0.3 * sum(heights)), sharey="row",
                                gridspec_kw={"height_ratios": heights})
    for panels, operation in zip(axes, operations):
        shown = [a for a in algorithms_of(operation) if any(rate(rows, f"{operation}/{a}", kind, c) for c in configs)]
        for panel, config in zip(panels, configs):
            values = [rate(rows, f"{operation}/{a}", kind, config) or 0 for a in shown]
            colors = ["#a0a0a0" if a in PEERS else "#2a7f62" for a in shown]
            bars = panel.barh([WORDS.get(a, a) for a in shown], values, color=colors)
            panel.bar_label(bars, [digits(v) if v else "not run" for v in values], padding=2, fontsize=7)
            panel.set_xlim(0, 1.28 * max(values + [1]))
            panel.set_title(f"{operation}\n{config_text(config)}", fontsize=9)
            panel.tick_params(labelsize=8)
            panel.spines[["top", "right"]].set_visible(False)
        panels[0].invert_yaxis()
    figure.supxlabel(f"million points/s, {kind} (grey: peers)", fontsize=9)
    save(figure, path)


def figure_of_grids(plt, rows, path):
    found = grid_rows(rows)
    if not found:
        return
    figure, panels = plt.subplots(1, 3, figsize=(13, 6), layout="constrained")
    colors = {a: f"C{k}" for k, a in enumerate(dict.fromkeys(SPREAD + INTERPOLATE))}

    def lines(panel, title, series):
        for operation, algorithm, values in series:
            style = {"spread": "-", "interpolate": "--"}[operation]
            panel.plot(SIDES, values, style, marker="o", markersize=4, color=colors.get(algorithm, "black"),
                       label=f"{operation} {algorithm}")
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        low, high = panel.get_ylim()
        panel.set_ylim(low / 1.5, max(high * 1.5, 15 * low))
        panel.yaxis.set_major_formatter("{x:g}")
        panel.set_xticks(SIDES, [f"{s}³" for s in SIDES])
        panel.set_title(title, fontsize=10)
        panel.set_ylabel("ms a call")
        panel.grid(alpha=0.3, which="both")
        panel.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.08), ncol=2, frameon=False)

    lines(panels[0], "Sporos, update included", [(o, a, v) for (o, a), v in found.items()])
    for panel, (machine, algorithms) in zip(panels[1:], PAPER.items()):
        lines(panel, f"Kassen, Shankar, Fogelson: {machine}",
              [("interpolate" if a == "interpolate" else "spread", "" if a == "interpolate" else a, [1e3 * s for s in v])
               for a, v in algorithms.items()])
    figure.suptitle("2^16 points: cost and size of the grid", fontsize=11)
    save(figure, path)


def main():
    arguments = parse_arguments(__doc__)
    rows, context = read(arguments.results, arguments.best)
    triad = rows.get("triad", {}).get("bytes_per_second", 0) * 1e-9 or float(context.get("triad_GB_per_s", 0))
    tables = [f"{setting(context, arguments.best)}; triad {triad:.1f} GB/s\n"]
    tables += [speed_table(rows, o, arguments.type) for o in ("spread", "interpolate", "update")]
    tables += [cost_table(rows, arguments.type), vector_table(rows, arguments.type)]
    tables += [ratio_table(rows, arguments.type), grid_table(rows, context)]
    write_tables(arguments.output, "particle_grid.md", tables)
    plt = pyplot()
    if plt:
        figure_of_speed(plt, rows, arguments.type, arguments.output / "particle_grid_speed.png")
        figure_of_grids(plt, rows, arguments.output / "particle_grid_grid_dependence.png")


if __name__ == "__main__":
    main()
