#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times Sporos and its peers in turn; perf/peers.sh runs this program.

Each library lives in a process of its own, which is asked for one run at a time: `case key=value...` prepares data, `run STEP` gives
milliseconds. Threads of the others sleep meanwhile.
"""

import argparse
import importlib.metadata
import os
import statistics
import subprocess
import sys
import time

# ---- what is run: name of the row, the case, its steps, and the peers ------------------------------------


def spread_rows():
    for values in ("complex", "real"):
        for cells in (128, 256):
            for width in (2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16):
                case = dict(family="spread", width=width, cells=cells, points=1000000, values=values)
                yield f"{values} {cells}^3 width {width}", case, ("update", "spread", "interpolate"), ("finufft",)


def nufft_rows():
    for precision, tolerances in (("double", ("1e-3", "1e-6", "1e-9", "1e-12")), ("single", ("1e-3", "1e-5"))):
        for modes in ("1000000", "512x512", "1024x1024", "64x64x64", "128x128x128"):
            for tolerance in tolerances:
                case = dict(family="nufft", modes=modes, points=1000000, tolerance=tolerance, precision=precision, batch=1)
                yield f"{precision} {modes} {tolerance}", case, ("type1", "type2"), ("finufft", "ducc0")
    for modes in ("512x512", "64x64x64"):
        case = dict(family="nufft", modes=modes, points=1000000, tolerance="1e-6", precision="double", batch=8)
        yield f"double {modes} 1e-6, 8 vectors", case, ("type1", "type2"), ("finufft", "ducc0")


def template_rows():
    for template, image in ((16, 512), (64, 1024), (64, 2048)):
        case = dict(family="template", template=template, image=image)
        yield f"{template}^2 in {image}^2", case, ("match",), ("opencv", "skimage")


def windows_rows():
    for side, stored in ((100, "yes"), (317, "yes")):
        peers = ("openpiv",) if side == 100 else ()  # its arrays for more take more than 10 GB
        case = dict(family="windows", windows=side, stored=stored)
        yield f"{side * side} windows", case, ("peaks", "stored"), peers


FAMILIES = dict(spread=spread_rows, nufft=nufft_rows, template=template_rows, windows=windows_rows)

# ---- the peers ---------------------------------------------------------------------------------------------


def random_points(dim, count, dtype):
    import numpy

    random = numpy.random.default_rng(1)
    return [random.uniform(-numpy.pi, numpy.pi, count).astype(dtype) for _ in range(dim)], random


def finufft_steps(case, threads):
    import finufft
    import numpy

    points = int(case["points"])
    if case["family"] == "spread":
        modes = (int(case["cells"]),) * 3
        x, random = random_points(3, points, "float64")
        values = random.uniform(-1, 1, points) + 1j * random.uniform(-1, 1, points)
        options = dict(eps=10.0 ** (1 - int(case["width"])), dtype="complex128", nthreads=threads, spreadinterponly=1, upsampfac=2.0)
        spread, interpolate = finufft.Plan(1, modes, **options), finufft.Plan(2, modes, **options)
        field = numpy.zeros(modes, "complex128")
        spread.setpts(*x)
        interpolate.setpts(*x)
        return dict(
            update=lambda: spread.setpts(*x),
            spread=lambda: spread.execute(values, out=field),
            interpolate=lambda: interpolate.execute(field, out=values),
        )
    modes, batch = tuple(map(int, case["modes"].split("x"))), int(case["batch"])
    real, kind = ("float64", "complex128") if case["precision"] == "double" else ("float32", "complex64")
    x, random = random_points(len(modes), points, real)
    values = (random.uniform(-1, 1, (batch, points)) + 1j).astype(kind)
    field = numpy.zeros((batch,) + modes, kind)
    if batch == 1:
        values, field = values[0], field[0]
    options = dict(n_trans=batch, eps=float(case["tolerance"]), dtype=kind, nthreads=threads)
    forth, back = finufft.Plan(1, modes, **options), finufft.Plan(2, modes, **options)

    def type1():
        forth.setpts(*x)
        forth.execute(values, out=field)

    def type2():
        back.setpts(*x)
        back.execute(field, out=values)

    return dict(type1=type1, type2=type2)


def ducc0_steps(case, threads):
    import ducc0
    import numpy

    modes, batch, points = tuple(map(int, case["modes"].split("x"))), int(case["batch"]), int(case["points"])
    real, kind = ("float64", "complex128") if case["precision"] == "double" else ("float32", "complex64")
    x, random = random_points(len(modes), points, real)
    coordinates = numpy.stack(x, axis=-1)
    values = (random.uniform(-1, 1, (batch, points)) + 1j).astype(kind)
    field = numpy.zeros((batch,) + modes, kind)
    options = dict(coord=coordinates, epsilon=float(case["tolerance"]), nthreads=threads, periodicity=2 * numpy.pi, fft_order=False)

    def type1():
        for vector, out in zip(values, field):
            ducc0.nufft.nu2u(points=vector, out=out, forward=False, **options)

    def type2():
        for vector, grid in zip(values, field):
            ducc0.nufft.u2nu(grid=grid, out=vector, forward=True, **options)

    return dict(type1=type1, type2=type2)


def grey(height, width, dy=0, dx=0):
    """The pixels of correlation.cpp."""
    import numpy

    y = (numpy.arange(height, dtype="uint32") + numpy.uint32(dy))[:, None] * numpy.uint32(2654435761)
    bits = y + (numpy.arange(width, dtype="uint32") + numpy.uint32(dx))[None, :] * numpy.uint32(2246822519)
    return (((bits ^ (bits >> numpy.uint32(15))) * numpy.uint32(2654435761)) >> numpy.uint32(24)).astype("uint8")


def template_data(case):
    image, template = int(case["image"]), int(case["template"])
    return grey(image, image).astype("float32"), grey(template, template, 100, 200).astype("float32")


def opencv_steps(case, threads):
    import cv2

    cv2.setNumThreads(threads)
    image, template = template_data(case)
    return dict(match=lambda: cv2.matchTemplate(image, template, cv2.TM_CCOEFF_NORMED))


def skimage_steps(case, _threads):
    from skimage.feature import match_template

    image, template = template_data(case)
    return dict(match=lambda: match_template(image, template))


def openpiv_steps(case, _threads):
    from openpiv.pyprocess import extended_search_area_piv

    side = 32 + 16 * (int(case["windows"]) - 1)
    before, after = grey(side, side, 8, 8), grey(side, side, 6, 11)
    options = dict(window_size=32, overlap=16, search_area_size=32, correlation_method="circular", use_vectorized=True)
    return dict(peaks=lambda: extended_search_area_piv(before, after, **options))


STEPS = dict(finufft=finufft_steps, ducc0=ducc0_steps, opencv=opencv_steps, skimage=skimage_steps, openpiv=openpiv_steps)


def serve(peer, threads):
    """The process of a peer."""
    answers, sys.stdout = sys.stdout, sys.stderr  # libraries print, too

    def answer(text):
        print(text, file=answers, flush=True)

    answer(importlib.metadata.version(dict(opencv="opencv-python-headless", skimage="scikit-image").get(peer, peer)))
    steps = {}
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        try:
            if word == "case":
                steps = {}  # before the next needs memory
                steps = STEPS[peer](dict(pair.split("=") for pair in rest.split()), threads)
                answer("ready")
            else:
                start = time.perf_counter()
                steps[rest]()
                answer(1e3 * (time.perf_counter() - start))
        except Exception as error:  # is told to the other side
            answer("error " + repr(error).replace("\n", " "))


# ---- in turn -----------------------------------------------------------------------------------------------


class Library:
    def __init__(self, name, command, threads):
        environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
        if name == "sporos":
            environment.update(OMP_PROC_BIND="spread", OMP_PLACES="threads")
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
        )
        self.version = "" if name == "sporos" else self.process.stdout.readline().strip()

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("error"):
            raise RuntimeError(f"{self.name}: {line}: {answer or 'ended'}")
        return answer


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive")


def measure(libraries, steps, rounds):
    """Milliseconds {(name, step): of each round}, after one round that warms up."""
    times = {}
    for number in range(rounds + 1):
        for library in libraries:
            for step in steps:
                if step == "stored" and library.name != "sporos":
                    continue
                ms = float(library.ask("run " + step))
                if number > 0:
                    times.setdefault((library.name, step), []).append(ms)
    return times


def cell(times, name, step):
    if (name, step) not in times:
        return ""
    own, theirs = times["sporos", step], times[name, step]
    low, _, high = quartiles([b / a for a, b in zip(own, theirs)])
    return f"{statistics.median(theirs):.4g}, {statistics.median(theirs) / statistics.median(own):.2f} ({low:.2f} to {high:.2f})"


def show(rows, libraries, arguments):
    peers = []
    for row in rows:
        peers += [peer for peer in row[3] if peer not in peers]
    versions = [f"{peer} {libraries[peer].version}" for peer in peers]
    print(f"\nThreads: {arguments.threads}, rounds: {arguments.rounds}; " + "; ".join(versions))
    print("\n| case | step | Sporos, ms | " + "".join(f"{v}: ms, ratio (quartiles) | " for v in versions))
    print("|---" * (3 + len(peers)) + "|")
    for name, case, steps, with_peers in rows:
        line = "case " + " ".join(f"{key}={value}" for key, value in case.items())
        asked = [libraries["sporos"]] + [libraries[peer] for peer in with_peers]
        about = [library.ask(line) for library in asked][0].removeprefix("ready").strip()
        times = measure(asked, steps, arguments.rounds)
        for step in steps:
            cells = "".join(cell(times, peer, step) + " | " for peer in peers)
            print(f"| {name}{': ' + about if about else ''} | {step} | {statistics.median(times['sporos', step]):.4g} | {cells}", flush=True)
        for library in asked:
            try:
                library.ask("case family=none")  # gives the memory back
            except RuntimeError:
                pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--program", help="the program of perf/peers")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--filter", default="")
    parser.add_argument("--serve", choices=STEPS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        return serve(arguments.serve, arguments.threads)
    unknown = [family for family in arguments.families if family not in FAMILIES]
    if unknown:
        parser.error(f"no family {unknown[0]}; there are {', '.join(FAMILIES)}")
    libraries = {"sporos": Library("sporos", [arguments.program], arguments.threads)}
    for family in arguments.families or FAMILIES:
        rows = [row for row in FAMILIES[family]() if arguments.filter in row[0]]
        for peer in {peer for row in rows for peer in row[3]} - set(libraries):
            command = [sys.executable, __file__, "--serve", peer, "--threads", str(arguments.threads)]
            libraries[peer] = Library(peer, command, arguments.threads)
        if rows:
            show(rows, libraries, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
