#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_directions.py ROOT: do the headers of core and algorithms include only what stands below them?

  - core includes core alone, a family the families in BELOW, and only `distributed` includes mpi.h.
  - The folders of a family include each other in one direction. The public headers at its top are the types below the
    folders and the calls above them: of these only files may not include each other in a circle.
  - cmake/public_headers.txt names all headers at the top of the families. Headers are included by that name alone, details
    by family, folder and name.
"""

import collections
import graphlib
import pathlib
import re
import sys

BELOW = {
    "core": [],
    "particle_grid": ["core"],
    "mesh": ["core"],
    "mesh_loop": ["core", "mesh"],
    "cross_correlation": ["core"],
    "nufft": ["core", "particle_grid"],
    "distributed": ["core", "particle_grid", "mesh", "mesh_loop", "nufft"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


def places_of(root):
    """How a header is included -> (family, folder or "")."""
    places = {}
    for path in (root / "core/src").glob("*.hpp"):
        places[path.name] = ("core", "")
    top = root / "algorithms/src"
    for path in top.rglob("*.hpp"):
        parts = path.relative_to(top).parts
        name = parts[-1] if len(parts) == 2 else "/".join(parts)
        places[name] = (parts[0], parts[1] if len(parts) == 3 else "")
    return places


def file_of(root, name, place):
    if place[0] == "core":
        return root / "core/src" / name
    return root / "algorithms/src" / (name if place[1] else f"{place[0]}/{name}")


def circle_in(graph):
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return " -> ".join(map(str, reversed(error.args[1])))
    return None


def errors_of(root):
    places = places_of(root)
    files, folders = collections.defaultdict(set), collections.defaultdict(set)
    for name, (family, folder) in sorted(places.items()):
        for included in INCLUDE.findall(file_of(root, name, (family, folder)).read_text(encoding="utf-8")):
            if included in ("mpi.h", "mpi-ext.h") and family != "distributed":
                yield f"{name} includes {included}"
            if "Sporos_" not in included or included in ("Sporos_Version.hpp", "Sporos_CompiledTransfers.hpp"):
                continue
            if included not in places:
                yield f"{name} includes {included}: not the name of a header"
                continue
            other, below = places[included]
            files[name].add(included)
            if other != family and other not in BELOW[family]:
                yield f"{name} includes {included}: {other} is not below {family}"
            if other == family and folder and below and folder != below:
                folders[f"{family}/{folder}"].add(f"{family}/{below}")
    for graph in (files, folders):
        circle = circle_in(graph)
        if circle:
            yield f"a circle of includes: {circle}"
    listed = {line for line in (root / "cmake/public_headers.txt").read_text().splitlines() if not line.startswith("#")}
    tops = {str(file_of(root, n, p).relative_to(root)) for n, p in places.items() if p[0] != "core" and not p[1]}
    yield from (f"cmake/public_headers.txt does not name {name}" for name in sorted(tops - listed))
    yield from (f"cmake/public_headers.txt: there is no {name}" for name in sorted(listed) if not (root / name).exists())


def main():
    errors = list(errors_of(pathlib.Path(sys.argv[1])))
    print("\n".join(errors) if errors else "all includes go down")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
