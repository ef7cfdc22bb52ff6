#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of the benchmark of matrices that loops assemble.

  bench_matrix --benchmark_out=results.json
  plot_matrix.py results.json [--output FOLDER] [--best]

Writes matrix.md.
"""

from plot_common import digits, milliseconds, parse_arguments, read, setting, table, write_tables

WAYS = {
    "automatic": "`par_loop`",
    "gather": "`par_loop`, `gather`",
    "global_coloring": "`par_loop`, `global_coloring`",
    "hand_serial": "hand-written, 1 thread",
    "hand_atomic": "hand-written, atomics",
    "scatterview": "ScatterView, duplicated",
    "petsc_setvalues": "PETSc, `MatSetValuesBlocked`, 1 thread",
    "petsc_coo": "PETSc, `MatSetValuesCOO`, 1 thread",
}
MATRICES = {"poisson_p1": "Poisson", "elasticity_p1": "elasticity"}


def cases(rows):
    """(matrix, numbering, tetrahedra) of all rows, in their order."""
    found = {tuple(name.split("/")[i] for i in (1, 3, 4)): 0 for name in rows if name.count("/") == 4}
    return sorted(found, key=lambda case: (list(MATRICES).index(case[0]), int(case[2]), case[1]))


def time(rows, step, way, case):
    """Milliseconds, or None."""
    row = rows.get("/".join((step, case[0], way) + case[1:]))
    return row and milliseconds(row)


def words(case):
    return f"{MATRICES[case[0]]}, {case[1]}, {case[2]}"


def assembly_table(rows):
    """A further assembly, by way."""
    lines = [[text] + [digits(time(rows, "assembly", way, case)) for case in cases(rows)] for way, text in WAYS.items()]
    return table(["assembly, ms"] + [words(case) for case in cases(rows)], [line for line in lines if any(line[1:])])


def step_table(rows):
    """What comes before."""
    steps = [("sparsity", "automatic", "`Sparsity`"), ("sparsity", "petsc_coo", "PETSc, `MatSetPreallocationCOO`, 1 thread"),
             ("plan", "automatic", "plan and positions"), ("first", "automatic", "plan and first assembly")]
    lines = [[text] + [digits(time(rows, step, way, case)) for case in cases(rows)] for step, way, text in steps]
    return table(["before a further assembly, ms"] + [words(case) for case in cases(rows)], [line for line in lines if any(line[1:])])


def limit_table(rows):
    """The time of the bytes that an assembly must move at the triad's bandwidth, and how many times that it takes."""
    triad = rows.get("triad", {}).get("bytes_per_second")
    lines = []
    for case in cases(rows):
        row = rows.get("/".join(("assembly", case[0], "automatic") + case[1:]), {})
        if triad and row.get("bytes_per_second"):
            limit = milliseconds(row) * row["bytes_per_second"] / triad
            lines.append([words(case), digits(limit), f"{milliseconds(row) / limit:.2f}"])
    return table(["bytes of an assembly", "ms at triad's bandwidth", "`par_loop` over that"], lines)


def main():
    arguments = parse_arguments(__doc__, ())
    rows, context = read(arguments.results, arguments.best)
    triad = rows.get("triad", {}).get("bytes_per_second", 0) * 1e-9
    tables = [f"{setting(context, arguments.best)}; triad {triad:.1f} GB/s\n", assembly_table(rows), step_table(rows),
              limit_table(rows)]
    write_tables(arguments.output, "matrix.md", tables)


if __name__ == "__main__":
    main()
