#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""piv_openpiv.py PIV FOLDER [IMAGE_A IMAGE_B]: do the application PIV and OpenPIV find the same vectors?

Both analyse a real pair, the one that comes with OpenPIV unless another is named, by the same windows in three passes with
deformation. Vectors that neither of them replaced must agree within 0.1 pixel RMS, and be most of them. Files of PIV go to
FOLDER, and what vectors.nc holds must be what vectors.csv does.
"""

import importlib.resources
import pathlib
import subprocess
import sys
import warnings

import numpy
from openpiv import tools, windef
from openpiv.settings import PIVSettings
from scipy.io import netcdf_file

WINDOWS = (64, 48, 32)
LIMIT = 0.1  # pixels RMS
PIXEL, STEP = 1e-4, 1e-2


def by_openpiv(images):
    """dx, dy (down) and which of them are good, row by row."""
    settings = PIVSettings()
    settings.windowsizes = WINDOWS
    settings.overlap = tuple(window // 2 for window in WINDOWS)
    settings.num_iterations = len(WINDOWS)
    settings.correlation_method = "linear"
    settings.normalized_correlation = True
    settings.sig2noise_method = "peak2peak"
    settings.sig2noise_threshold = 1.1
    settings.median_normalized = True
    settings.median_threshold = 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, _, u, v, flags = windef.simple_multipass(*[tools.imread(image) for image in images], settings)
    return u, -v, flags == 0


def by_piv(program, folder, images, shape):
    command = [program, *map(str, images), "--windows", ",".join(map(str, WINDOWS)), "--output", str(folder), "--quiet"]
    subprocess.run([*command, "--pixel-size", str(PIXEL), "--time-step", str(STEP)], check=True)
    table = numpy.genfromtxt(folder / "vectors.csv", delimiter=",", names=True)
    with netcdf_file(folder / "vectors.nc", mmap=False) as file:
        for name, column, units in [("u", "u_m_s", b"m s-1"), ("v", "v_m_s", b"m s-1"), ("snr", "snr", b"1")]:
            if file.variables[name].units != units or not numpy.allclose(
                file.variables[name].data.ravel(), table[column], rtol=1e-3, atol=1e-6
            ):
                sys.exit(f"{name} of vectors.nc is not {column} of vectors.csv")
        if not numpy.allclose(file.variables["x"].data, numpy.unique(table["x"]) * PIXEL):
            sys.exit("x of vectors.nc is not x of vectors.csv")
    return [table[name].reshape(shape) for name in ("dx", "dy")] + [table["replaced"].reshape(shape) == 0]


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    data = importlib.resources.files("openpiv") / "data" / "test1"
    images = sys.argv[3:] or [data / "exp1_001_a.bmp", data / "exp1_001_b.bmp"]
    u, v, good = by_openpiv(images)
    dx, dy, found = by_piv(program, folder, images, u.shape)
    both = good & found
    rms = float(numpy.sqrt(numpy.mean((dx - u)[both] ** 2 + (dy - v)[both] ** 2)))
    print(f"RMS of the difference {rms:.4f} pixels, of {both.sum()} of {both.size} vectors")
    if rms > LIMIT or both.mean() < 0.8:
        sys.exit(f"expected at most {LIMIT} pixels of at least 80 % of the vectors")


if __name__ == "__main__":
    main()
