#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Roofline plot of all three families.

  plot_roofline.py particle_grid.json mesh.json correlation.json [--output FOLDER] [--best]

Writes roofline.png: useful operations a second over useful operations a byte, below what the machine's memory (the
benchmarks' triad) and its multiply-adds (rows fma_limit) allow. What counts as useful is what no implementation can
leave out: operations of the formulas, and each array once in and once out.
"""

from plot_common import parse_arguments, pyplot, read, save

# Operations per element of the airfoil code's loops (Airfoil_Flow.hpp): +, -, *, /, sqrt and abs count 1 each.
MESH_FLOPS = {"adt_calc": 63, "res_calc": 75, "update": 17}
STENCIL = 4 ** 3  # grid points a point, cosine4 in 3D: a multiply-add each
FAMILIES = [("particle-grid transfer", "tab:blue"), ("mesh loops", "tab:green"), ("cross-correlation", "tab:red")]


def points(rows):
    """(family, label, operations a byte, operations a second, is a peer)"""
    for name, row in rows.items():
        part = name.split("/")
        rate = row.get("items_per_second", 0)
        if part[0] in ("spread", "interpolate") and part[1:5] in (
                [algorithm, "double", "uniform", "128"] for algorithm in ("tiled", "scatterview_duplicated", "spmv")):
            if part[5] == "1000000" and (part[1] == "tiled" or (part[1] == "spmv") == (part[0] == "interpolate")):
                grid = 128 ** 3 / 1e6 * (16 if part[0] == "spread" else 8)
                yield 0, part[0], 2 * STENCIL / (32 + grid), 2 * STENCIL * rate, part[1] != "tiled"
        elif part[0] in MESH_FLOPS and part[3:5] == ["natural", "aos"] and "bytes_per_second" in row:
            own = part[1:3] == ["automatic", "packs"]
            if part[5] in ("720000", "1438600") and (own or part[1] == "hand_block_colored"):
                flops = MESH_FLOPS[part[0]]
                yield 1, part[0], flops * rate / row["bytes_per_second"], flops * rate, not own
        elif part[:2] == ["full", "one_to_one"] and part[2] in ("tile", "plain_rows") and part[3] == "float":
            n, pairs = int(part[4]), int(part[5])
            if n in (16, 32, 64, 128) and pairs == 100:
                size = 4 * (2 * n * n + (2 * n - 1) ** 2)
                yield 2, f"{n} x {n}", row["flops"] / rate / size, row["flops"], part[2] != "tile"


def limit(rows, kind):
    return max((r["flops"] for n, r in rows.items() if "/fma_limit/" + kind in n), default=None)


def main():
    arguments = parse_arguments(__doc__, types=None)
    rows, context = read(arguments.results, arguments.best)
    bandwidth = max([r["bytes_per_second"] for n, r in rows.items() if n == "triad"] +
                    [1e9 * float(context.get("triad_GB_per_s", 0))])
    plt = pyplot()
    if not plt:
        return
    figure, axes = plt.subplots(figsize=(8, 5))
    low, high = 0.1, 2e4
    for kind, style in (("float", "-"), ("double", "--")):
        peak = limit(rows, kind)
        if peak:
            axes.plot([low, peak / bandwidth, high], [low * bandwidth / 1e9, peak / 1e9, peak / 1e9], color="0.4",
                      linestyle=style, linewidth=1.2, label=f"multiply-adds, {kind}: {peak / 1e9:.0f} GFLOP/s")
    axes.plot([], [], " ", label=f"memory: {bandwidth / 1e9:.0f} GB/s")
    for family, label, x, y, peer in points(rows):
        name, color = FAMILIES[family]
        axes.plot(x, y / 1e9, "x" if peer else "o", color=color)
        if not peer:
            axes.annotate(label, (x, y / 1e9), textcoords="offset points", xytext=(6, 3), fontsize=7)
    for name, color in FAMILIES:
        axes.plot([], [], "o", color=color, label=name)
    axes.plot([], [], "x", color="0.4", label="their peers")
    axes.set(xscale="log", yscale="log", xlabel="useful operations a byte", ylabel="GFLOP/s", xlim=(low, high))
    axes.grid(which="both", color="0.92", linewidth=0.6)
    axes.legend(fontsize=8, loc="center right")
    figure.tight_layout()
    arguments.output.mkdir(parents=True, exist_ok=True)
    save(figure, arguments.output / "roofline.png")


if __name__ == "__main__":
    main()
