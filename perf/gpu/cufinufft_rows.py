#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of cuFINUFFT beside those of bench_particle_grid, in the form of Google Benchmark; perf/gpu.sh runs this program.

  cufinufft_rows.py RESULTS.json

It only spreads or interpolates, with its kernel of width 4 and the fastest of its methods, complex values at points in random order:

  <spread|interpolate|update>/cufinufft/<double|float>/<uniform|clustered>/<cells per side>/<points>[/complex]

update is setpts of the plan that spreads. Rows are written as they are measured. SPOROS_BENCH_TINY makes them tiny.
"""

import importlib.metadata
import json
import math
import os
import statistics
import sys
import time

TINY = "SPOROS_BENCH_TINY" in os.environ
METHODS = (1, 2, 3)  # one thread a point, shared memory, output driven; not all versions have all of them
CASES = [
    ("double", "uniform", 128, 1000000),
    ("double", "uniform", 64, 1000000),
    ("double", "uniform", 256, 1000000),
    ("double", "uniform", 128, 100000),
    ("double", "uniform", 128, 4000000),
    ("double", "clustered", 64, 1000000),
    ("double", "clustered", 128, 1000000),
    ("double", "clustered", 256, 1000000),
    ("float", "uniform", 128, 1000000),
]


def make_points(cupy, distribution, count, kind):
    """Three coordinates in [-pi, pi), as ParticleGrid_Points.hpp distributes them."""
    random = cupy.random.RandomState(2023)
    if distribution == "uniform":
        unit = random.uniform(0, 1, (3, count))
    else:
        centers, sigmas = random.uniform(0, 1, (3, 16)), random.uniform(0.02, 0.05, 16)
        blob = random.randint(0, 16, count)
        unit = (centers[:, blob] + sigmas[blob] * random.standard_normal((3, count))) % 1.0
    return [cupy.ascontiguousarray((2 * math.pi * x - math.pi).astype(kind)) for x in unit]


def measure(cupy, run):
    """Milliseconds of each run, of as many as Bench_Measure.hpp takes."""
    wait = cupy.cuda.Device().synchronize
    run()
    wait()
    times = []
    while not (len(times) >= 2 if TINY else len(times) >= 7 and sum(times) > 250 or len(times) >= 200):
        start = time.perf_counter()
        run()
        wait()
        times.append(1e3 * (time.perf_counter() - start))
    return times


def measure_case(cupy, plan_type, precision, distribution, cells, count):
    """(operation, method, milliseconds) of the fastest methods."""
    if TINY:
        cells, count = 8, count // 1000
    real, kind = ("float64", "complex128") if precision == "double" else ("float32", "complex64")
    points, shape = make_points(cupy, distribution, count, real), (cells,) * 3
    values, field = cupy.ones(count, kind), cupy.ones(shape, kind)
    best, errors = {}, []
    for method in METHODS:
        options = dict(eps=1e-3, dtype=kind, gpu_method=method, gpu_spreadinterponly=1, upsampfac=2.0)
        try:
            spread, interpolate = plan_type(1, shape, **options), plan_type(2, shape, **options)
            spread.setpts(*points)
            interpolate.setpts(*points)
            found = {
                "spread": measure(cupy, lambda: spread.execute(values, out=field)),
                "interpolate": measure(cupy, lambda: interpolate.execute(field, out=values)),
            }
            update = measure(cupy, lambda: spread.setpts(*points))
        except Exception as error:  # a method that this version lacks
            errors.append(f"method {method}: {error!r}")
            continue
        for operation, times in found.items():
            if operation not in best or statistics.median(times) < statistics.median(best[operation][1]):
                best[operation] = (method, times)
                if operation == "spread":
                    best["update"] = (method, update)
    if not best:
        raise RuntimeError("; ".join(errors))
    return [(operation, *found) for operation, found in best.items()]


def main():
    import cufinufft
    import cupy

    rows, failed = [], 0
    context = {"cufinufft": importlib.metadata.version("cufinufft"), "cupy": cupy.__version__}
    for precision, distribution, cells, count in CASES:
        name = f"cufinufft/{precision}/{distribution}/{cells}/{count}"
        try:
            found = measure_case(cupy, cufinufft.Plan, precision, distribution, cells, count)
        except Exception as error:  # the others may work
            print(f"{name}: {error!r}", file=sys.stderr)
            failed = 1
            continue
        for operation, method, times in found:
            low, median, high = statistics.quantiles(times, n=4, method="inclusive")
            rows.append(dict(name=f"{operation}/{name}", run_type="iteration", real_time=median, time_unit="ms", min_ms=min(times),
                             low_ms=low, high_ms=high, runs=len(times), method=method))
            print(f"{operation}/{name}: {median:.4g} ms, method {method}", flush=True)
        text = json.dumps({"context": context, "benchmarks": rows}, indent=1) + "\n"
        with open(sys.argv[1] + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(sys.argv[1] + ".new", sys.argv[1])
    return failed


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main())
