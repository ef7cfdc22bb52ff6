#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the benchmark of unstructured-mesh loops.

  bench_mesh --benchmark_out=results.json
  plot_mesh.py results.json [--output FOLDER] [--best]

Writes mesh.md.
"""

from plot_common import digits, milliseconds, parse_arguments, read, setting, table, write_tables

HAND = {
    "hand_serial": "hand-written, 1 thread",
    "hand_block_colored": "hand-written OpenMP, block colours",
    "hand_atomic": "hand-written OpenMP, atomics",
}
STRATEGIES = ["automatic", "serial", "hierarchical", "hierarchical_increments", "hierarchical_all", "hierarchical_by_color",
              "global_coloring", "gather", "atomic"]
NUMBERINGS = ["natural", "rcm", "gps", "metis", "shuffled", "shuffled_rcm", "shuffled_gps", "shuffled_metis"]
LOOPS = [("save_soln", "720000"), ("adt_calc", "720000"), ("res_calc", "1438600"), ("update", "720000"),
         ("iteration", "720000"), ("save_soln", "2880000"), ("update", "2880000")]


def time(rows, loop, strategy, kernel="packs", numbering="natural", layout="aos", size=None):
    """Milliseconds, or None."""
    for name, row in rows.items():
        parts = name.split("/")
        if parts[:5] == [loop, strategy, kernel, numbering, layout] and size in (None, parts[5]):
            return milliseconds(row)
    return None


def loop_table(rows):
    """The loops of the airfoil code, by hand and by the library."""
    def cells(strategy, kernel, layout="aos"):
        return [time(rows, loop, strategy, kernel, "natural", layout, size) for loop, size in LOOPS]

    shown = [(words, cells(a, "scalar")) for a, words in HAND.items()]
    shown += [("`par_loop`", cells("automatic", "scalar")), ("`par_loop`, packs", cells("automatic", "packs")),
              ("`par_loop`, packs, SoA", cells("automatic", "packs", "soa"))]
    head = ["airfoil, double, ms"] + [f"{loop}, {size}" for loop, size in LOOPS]
    return table(head, [[words] + [digits(v) for v in values] for words, values in shown if any(values)])


def strategy_table(rows):
    """res_calc by strategy and numbering."""
    numberings = [n for n in NUMBERINGS if time(rows, "res_calc", "automatic", numbering=n)]
    lines = [[words] + [digits(time(rows, "res_calc", a, "scalar", n)) for n in numberings] for a, words in HAND.items()]
    lines += [[f"`{s}`, packs"] + [digits(time(rows, "res_calc", s, numbering=n)) for n in numberings] for s in STRATEGIES]
    head = ["res_calc, ms, numbering"] + [n.replace("_", ", then ") for n in numberings]
    return table(head, [line for line in lines if any(line[1:])])


def plan_table(rows):
    sweep = time(rows, "res_calc", "automatic")
    lines = []
    for s in STRATEGIES:
        cost = time(rows, "plan_res_calc", s)
        if cost and cost >= 0.01 and sweep:
            lines.append([f"`{s}`", digits(cost), f"{cost / sweep:.1f}"])
    return table(["plan of res_calc", "ms", "over a res_calc with packs"], lines)


def ratio_table(rows):
    lines = []

    def add(words, a, b):
        if a and b:
            lines.append([words, f"{a / b:.2f}"])

    hand = time(rows, "res_calc", "hand_block_colored", "scalar")
    packs, scalar = time(rows, "res_calc", "automatic"), time(rows, "res_calc", "automatic", "scalar")
    add("res_calc: hand-written with block colours over packs", hand, packs)
    add("res_calc: without packs over hand-written with block colours", scalar, hand)
    add("res_calc: hand-written with atomics over packs", time(rows, "res_calc", "hand_atomic", "scalar"), packs)
    for loop in ("adt_calc", "iteration"):
        add(f"{loop}: hand-written OpenMP over packs", time(rows, loop, "hand_block_colored", "scalar", size="720000"),
            time(rows, loop, "automatic", size="720000"))
    best = min((t for t in (time(rows, "res_calc", "automatic", numbering=n) for n in NUMBERINGS[1:4]) if t), default=None)
    add("res_calc: the file's numbering over the best renumbering", packs, best)
    shuffled = [time(rows, "res_calc", "automatic", numbering=n) for n in NUMBERINGS[5:]]
    add("res_calc: the best renumbering over the best after a shuffle", best, min((t for t in shuffled if t), default=None))
    triad = rows.get("triad", {}).get("bytes_per_second")
    for loop in ("save_soln", "update"):
        row = rows.get(f"{loop}/automatic/packs/natural/aos/2880000", {})
        add(f"{loop}, 2880000 cells: bandwidth over triad's", row.get("bytes_per_second"), triad)
    return table(["ratio", ""], lines)


def main():
    arguments = parse_arguments(__doc__, ())
    rows, context = read(arguments.results, arguments.best)
    triad = rows.get("triad", {}).get("bytes_per_second", 0) * 1e-9
    tables = [f"{setting(context, arguments.best)}; triad {triad:.1f} GB/s\n", loop_table(rows), strategy_table(rows),
              plan_table(rows), ratio_table(rows)]
    write_tables(arguments.output, "mesh.md", tables)


if __name__ == "__main__":
    main()
