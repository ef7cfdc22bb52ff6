#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_spack_recipe.py ROOT CACHE: runs the recipe of ROOT/packaging/spack with a stand-in for Spack. Do its
options exist in CACHE (a CMakeCache.txt), and does each variant switch what it names?"""

import pathlib
import re
import sys
import types

root, cache = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
variants, versions, conditions = {"cuda"}, [], []


class CMakePackage:
    def define(self, name, value):
        return name, value

    def define_from_variant(self, name, variant):
        assert variant in variants, f"there is no variant {variant}"
        return name, f"+{variant}" in self.spec


class CudaPackage:
    cuda_arch_values = ("70", "90")


class Spec(set):
    """The variants that are on; spec["kokkos"] stands for the package."""

    def __getitem__(self, name):
        return types.SimpleNamespace(kokkos_cxx=f"the compiler of {name}")


def stand_in():
    module = types.ModuleType("spack.package")
    module.CMakePackage, module.CudaPackage = CMakePackage, CudaPackage
    module.variant = lambda name, **_: variants.add(name)
    module.version = lambda number, **_: versions.append(number)
    module.depends_on = lambda spec, when="", **_: conditions.append(when)
    module.conflicts = lambda spec, **_: conditions.append(spec)
    module.license = lambda name: None
    return module


def main():
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), stand_in()
    recipe = root / "packaging/spack/package.py"
    names = {}
    exec(compile(recipe.read_text(encoding="utf-8"), recipe, "exec"), names)

    def arguments(*on):
        package = names["Sporos"]()
        package.spec = Spec(f"+{variant}" for variant in on)
        return dict(package.cmake_args())

    known = set(re.findall(r"^(\w+):", cache.read_text(encoding="utf-8"), flags=re.MULTILINE)) | {"BUILD_TESTING"}
    unknown = set(arguments(*variants)) - known
    assert not unknown, f"CMakeLists.txt has no options {unknown}"
    for variant in variants - {"serial", "openmp", "cuda"}:
        changed = {name for name, value in arguments(variant).items() if value != arguments()[name]}
        expected = {f"Sporos_ENABLE_{variant.upper()}"} | ({"BUILD_TESTING"} if variant == "tests" else set())
        assert changed == expected, f"{variant} changes {changed}"
    assert arguments("serial", "openmp")["Sporos_REQUIRE_DEVICE"] == "OPENMP"
    assert arguments("openmp", "cuda")["Sporos_REQUIRE_DEVICE"] == "CUDA"
    used = {name for condition in conditions for name in re.findall(r"[+~](\w+)", condition)}
    assert used <= variants, f"conditions name {used - variants}, which are no variants"
    version = re.search(r"^\s*VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert version.group(1) in versions, f"there is no version {version.group(1)}"
    print(f"{len(variants)} variants, versions {', '.join(versions)}")


if __name__ == "__main__":
    main()
