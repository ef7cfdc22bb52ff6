#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""read_meshes.py PROGRAM FOLDER: does meshio read what MeshVtk writes?

PROGRAM (write_meshes.cpp) writes a mesh of each shape of cells to FOLDER. Points, cells and data must be those of its formulas.
"""

import pathlib
import subprocess
import sys

import meshio
import numpy

NODES, CELLS = 12, 5
SHAPES = {"line": (2, 2), "triangle": (2, 3), "quad": (2, 4), "tetra": (3, 4), "hexahedron": (3, 8)}  # dimension, corners


def expected(dimension, corners):
    """What a file must hold: points, corners of cells, data of points, data of cells."""
    n, k = numpy.arange(NODES), numpy.arange(CELLS)
    points = numpy.zeros((NODES, 3))
    for d in range(dimension):
        points[:, d] = 0.5 * n + 0.125 * n * d - d
    cells = (2 * k[:, None] + numpy.arange(corners)) % NODES
    of_points = {"wind": (n[:, None] - 10 * numpy.arange(3) + 0.25).astype("f4"), "kind": (250 - n).astype("u1")}
    of_cells = {"mass": 1 / (k + 3), "number": 2**40 + k}
    return points, cells, of_points, of_cells


def differs(what, found, right):
    """Where values or their type are others, a text that says so."""
    found = numpy.asarray(found)
    if found.dtype != right.dtype:
        return f"{what}: expected {right.dtype}, got {found.dtype}"
    found = found.reshape(right.shape) if found.size == right.size else found
    return "" if numpy.array_equal(found, right) else f"{what}: expected {right.tolist()}, got {found.tolist()}"


def errors_of(path, shape):
    mesh = meshio.read(path)
    points, cells, of_points, of_cells = expected(*SHAPES[shape])
    yield differs("points", mesh.points, points)
    if [block.type for block in mesh.cells] != [shape]:
        yield f"cells: expected one block of {shape}, got {mesh.cells}"
        return
    yield differs("cells", numpy.asarray(mesh.cells[0].data, dtype=cells.dtype), cells)
    for where, all_found, all_right in (("point", mesh.point_data, of_points), ("cell", mesh.cell_data, of_cells)):
        if sorted(all_found) != sorted(all_right):
            yield f"{where} data: expected {sorted(all_right)}, got {sorted(all_found)}"
            continue
        for name, right in all_right.items():
            found = all_found[name] if where == "point" else all_found[name][0]
            yield differs(f"{where} data {name}", found, right)


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([program, str(folder)], check=True)
    errors = [f"{shape}: {error}" for shape in SHAPES for error in errors_of(folder / f"{shape}.vtu", shape) if error]
    print("\n".join(errors) if errors else f"meshio {meshio.__version__} reads {len(SHAPES)} files as they were written")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
