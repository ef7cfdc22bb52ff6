#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts figures of a GPU into the pages; `perf/tables.sh --gpu FILE` runs this program.

  tables.py RESULTS.json [--dry-run] PAGE.md...

RESULTS.json is what perf/gpu.sh writes. Tables are found by the first cell of their head, and the line after each
<!-- machine: gpu FAMILY --> is replaced, for each FAMILY (transfer, mesh, correlation) that has figures. A figure that was not measured
is an empty cell. --dry-run takes results of the executor, which are none of a GPU and belong into copies of the pages.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from plot_common import milliseconds, table  # noqa: E402
from update_tables import key, put_tables  # noqa: E402

CASES = [("uniform", 64, 1000000), ("uniform", 128, 100000), ("uniform", 128, 1000000), ("uniform", 128, 4000000),
         ("uniform", 256, 1000000), ("clustered", 64, 1000000), ("clustered", 128, 1000000), ("clustered", 256, 1000000)]
VECTORS = {"": "1 component", "/c2": "2", "/c3": "3", "/c2_apart": "2 apart", "/c3_apart": "3 apart", "/mac": "faces", "/complex": "complex"}
SIDES = [16, 32, 64, 128]
LOOPS = [("res_calc", "natural/aos", 1438600), ("res_calc", "shuffled/aos", 1438600), ("res_calc", "natural/soa", 1438600),
         ("iteration", "natural/aos", 720000), ("iteration", "shuffled/aos", 720000), ("stress_forces", "natural/aos", 2097152),
         ("stress_forces", "natural/soa", 2097152), ("face_flux", "natural/aos", 6242304)]
STRATEGIES = {"automatic": "`automatic`", "owners": "`owners`", "hierarchical": "`hierarchical`",
              "hierarchical_increments": "... increments staged", "hierarchical_all": "... all staged", "gather": "`gather`",
              "global_coloring": "`global_coloring`", "atomic": "`atomic`"}
PAIRS = [("full", 16, 1), ("full", 32, 1), ("full", 64, 1), ("full", 128, 1), ("full", 16, 100), ("full", 32, 100), ("full", 48, 100),
         ("full", 64, 100), ("full", 128, 100), ("full", 256, 16), ("window8", 64, 100), ("window8", 128, 100), ("window8", 256, 16)]
CORRELATE = ["automatic", "tile", "shuffle", "shuffle_simple", "lane_group_per_shift", "team_per_shift", "fft"]


def digits(x):
    return "" if x is None else f"{x:.3g}"


def power(n):
    """1e6 for 1000000."""
    return f"{n:.0e}".replace("e+0", "e")


def case_text(case):
    return f"{case[0]} {case[1]}³, {power(case[2])}"


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def ms(self, name):
        return milliseconds(self.rows[name]) if name in self.rows else None

    def of_case(self, operation, algorithm, case, kind="double", suffix=""):
        return self.ms(f"{operation}/{algorithm}/{kind}/{case[0]}/{case[1]}/{case[2]}{suffix}")

    def loop(self, strategy, loop):
        kernel, mesh, elements = loop
        return self.ms(f"{kernel}/{strategy}/packs/{mesh}/{elements}")

    def pair(self, algorithm, pair):
        """Microseconds a pair."""
        ms = self.ms(f"{pair[0]}/one_to_one/{algorithm}/float/{pair[1]}/{pair[2]}")
        return None if ms is None else 1e3 * ms / pair[2]


def made(head, lines):
    """A table, or none without any figure."""
    lines = [[title] + [digits(v) for v in values] for title, values in lines if any(v is not None for v in values)]
    return table(head, lines)


def transfer_tables(r):
    columns = [("update", "plan"), ("spread", "automatic"), ("interpolate", "automatic"), ("spread", "scatterview_atomic"),
               ("spread", "cufinufft"), ("interpolate", "cufinufft")]
    yield made(["GPU: 3D, `Cosine4`, double, ms", "update", "spread", "interpolate", "spread: ScatterView, atomic",
                "spread: cuFINUFFT, complex", "interpolate: cuFINUFFT, complex"],
               [(case_text(c), [r.of_case(*column, c) for column in columns]) for c in CASES])
    cases = [CASES[k] for k in (0, 2, 4, 5, 6, 7, 1, 3)]
    heads = [case_text(c) for c in cases]
    lines = {"spread": {"automatic": "`automatic`", "atomic": "`atomic`", "sweep_buffered": "`sweep_buffered`", "sweep": "`sweep`",
                        "scatterview_atomic": "Kokkos ScatterView, atomic", "cufinufft": "cuFINUFFT, complex"},
             "interpolate": {"automatic": "`automatic`", "tiled": "`tiled`", "sorted": "`sorted`", "unsorted": "without a plan",
                             "cufinufft": "cuFINUFFT, complex"}}
    updates = [("update", "plan", "`update`"), ("update", "cufinufft", "setpts of cuFINUFFT")]
    for operation, words in lines.items():
        shown = [(operation, a, text) for a, text in words.items()] + (updates if operation == "interpolate" else [])
        yield made([f"{operation}, double, ms"] + heads, [(text, [r.of_case(o, a, c) for c in cases]) for o, a, text in shown])
    case, vectors = ("uniform", 128, 1000000), []
    for operation in ("spread", "interpolate"):
        vectors += [(f"`{operation}`, {k}", [r.of_case(operation, "automatic", case, k, v) for v in VECTORS]) for k in ("double", "float")]
        vectors += [(f"cuFINUFFT {operation}, {k}", [r.of_case(operation, "cufinufft", case, k) if v == "/complex" else None for v in VECTORS])
                    for k in ("double", "float")]
    yield made(["uniform 128³, 1e6, ms"] + list(VECTORS.values()), vectors)
    grids = []
    for operation, algorithms in (("spread", ["automatic", "sweep", "sweep_buffered", "sweep_buffered_on_the_fly", "atomic"]),
                                  ("interpolate", ["automatic"])):
        for a in algorithms:
            times = [r.of_case(operation + "_update", a, ("uniform", s, 65536)) for s in SIDES]
            ratio = times[-1] / times[0] if times[0] and times[-1] else None
            grids.append((f"{operation} `{a}`", times + [ratio]))
    yield made(["65536 points, double, with `update`, ms"] + [f"{s}³" for s in SIDES] + ["128³ / 16³"], grids)


def mesh_tables(r):
    short = [(LOOPS[0], "res_calc, 1438600"), (LOOPS[2], "the same, SoA"), (LOOPS[1], "the same, shuffled"), (LOOPS[3], "iteration, 720000"),
             (LOOPS[5], "stress_forces, 2097152"), (LOOPS[7], "face_flux, 6242304")]
    yield made(["GPU: mesh loops, double, ms"] + [text for _, text in short],
               [(text, [r.loop(s, loop) for loop, _ in short])
                for s, text in (("automatic", "`automatic`"), ("atomic", "`atomic` (not repeatable)"))])
    heads = []
    for kernel, mesh, elements in LOOPS:
        numbering, layout = mesh.split("/")
        heads.append(f"{kernel}, {elements} {'SoA' if layout == 'soa' else 'AoS'}, {numbering}")
    yield made(["double, ms"] + heads, [(text, [r.loop(s, loop) for loop in LOOPS]) for s, text in STRATEGIES.items()])


def correlation_tables(r):
    lines = []
    for n in (16, 32, 64, 128, 256):
        pairs = 16 if n == 256 else 100
        lines.append((f"{n}²", [r.pair("automatic", p) for p in (("full", n, 1), ("full", n, pairs), ("window8", n, pairs))]))
    yield made(["GPU: correlation, float, µs a pair", "all, 1 pair", "all, 100 pairs (256²: 16)", "±8, 100 pairs (256²: 16)"], lines)
    heads = [f"{'all' if shifts == 'full' else '±8'} {n}² ({pairs})" for shifts, n, pairs in PAIRS]
    yield made(["`one_to_one`, float, µs a pair"] + heads, [(f"`{a}`", [r.pair(a, p) for p in PAIRS]) for a in CORRELATE])


FAMILIES = {"transfer": transfer_tables, "mesh": mesh_tables, "correlation": correlation_tables}


def read(path):
    """The whole file, and its rows and contexts."""
    try:
        content = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        outputs = content["results"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"cannot read {path} as results of perf/gpu.sh: {error!r}")
    rows = {}
    for output in outputs.values():
        for row in output["benchmarks"]:
            if row.get("run_type", "iteration") == "iteration" and not row.get("error_occurred"):
                rows.setdefault(row["name"], row)
    return content, rows, {name: output.get("context", {}) for name, output in outputs.items()}


def machine_line(content, family, contexts):
    context = contexts.get(family) or contexts.get(family + "_all") or {}
    machine, words = content["machine"], []
    if content.get("dry_run"):
        words.append("a dry run, no figures")
    words.append(machine["gpu"] + (f", driver {machine['driver']}" if machine.get("driver") else ""))
    words.append(f"CUDA {content.get('built', {}).get('cuda', '?')}")
    version = int(context.get("kokkos_version", 0))
    words.append(f"Kokkos {version // 10000}.{version // 100 % 100}.{version % 100}")
    line = ", ".join(words) + "; medians"
    if float(context.get("triad_GB_per_s", 0)) > 0:
        line += f"; triad {float(context['triad_GB_per_s']) * 1e-3:.2g} TB/s"
    if family == "transfer" and "cufinufft" in contexts:
        line += f"; cuFINUFFT {contexts['cufinufft'].get('cufinufft', '?')}"
    return line


def main():
    arguments = sys.argv[1:]
    dry_run = "--dry-run" in arguments
    results, *pages = [a for a in arguments if a != "--dry-run"] or [""]
    if not results or not pages:
        sys.exit(__doc__)
    content, rows, contexts = read(results)
    if not dry_run and (content.get("dry_run") or any("tiny" in c for c in contexts.values())):
        sys.exit(f"{results} is of a dry run: its figures are none of a GPU")
    for step in content.get("steps", []):
        if step["status"] != "passed":
            print(f"{step['step']}: {step['status']}", file=sys.stderr)
    texts, unplaced = {page: pathlib.Path(page).read_text(encoding="utf-8") for page in pages}, []
    for family, make in FAMILIES.items():
        tables = {key(t): t for t in make(Rows(rows)) if t}
        if not tables:
            print(f"{family}: no figures, the tables stay as they are", file=sys.stderr)
            continue
        placed = set()
        for page, text in texts.items():
            texts[page], names = put_tables(text, "gpu " + family, tables, machine_line(content, family, contexts))
            placed.update(names)
            print(f"{page}: {', '.join(names) or 'no table'}", file=sys.stderr)
        unplaced += sorted(set(tables) - placed)
    if unplaced:
        sys.exit("no page has these tables: " + "; ".join(unplaced))
    for page, text in texts.items():
        pathlib.Path(page).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
