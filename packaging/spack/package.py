# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

try:  # Spack 1 keeps its build systems with the packages
    from spack_repo.builtin.build_systems.cmake import CMakePackage
    from spack_repo.builtin.build_systems.cuda import CudaPackage
except ImportError:
    pass
from spack.package import *


class Sporos(CMakePackage, CudaPackage):
    """Reproducible kernels on Kokkos: particle-grid transfer, loops over unstructured meshes, cross-correlation.
    Headers, and an optional library of common instantiations."""

    license("Apache-2.0 WITH LLVM-exception")

    # There are no release archives: versions are those of a local checkout, `spack dev-build sporos@develop` in it.
    version("develop")
    version("0.1.0")

    # Back ends are those of Kokkos; CudaPackage brings the variants cuda and cuda_arch.
    variant("serial", default=True, description="Kokkos with Serial")
    variant("openmp", default=False, description="Kokkos with OpenMP")

    variant("fftw", default=False, description="Cross-correlation through FFTW")
    variant("mpi", default=False, description="Mesh loops and particle-grid transfer on many MPI ranks")
    variant("ptscotch", default=False, description="Partitions of meshes by PT-Scotch")
    variant("metis", default=False, description="Renumbering by METIS")
    variant("compiled", default=False, description="The library Sporos::compiled, with which programs compile faster")
    variant("tests", default=False, description="Build the tests")

    conflicts("~serial~openmp", msg="Sporos needs an execution space of the host")

    conflicts("+ptscotch~mpi", msg="PT-Scotch needs MPI")

    depends_on("cxx", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("kokkos@3.4:5")
    for _backend in ("serial", "openmp"):
        depends_on(f"kokkos+{_backend}", when=f"+{_backend}")
    depends_on("kokkos+cuda+cuda_lambda", when="+cuda")
    for _arch in CudaPackage.cuda_arch_values:
        depends_on(f"kokkos cuda_arch={_arch}", when=f"+cuda cuda_arch={_arch}")
    depends_on("fftw@3: precision=float,double", when="+fftw")
    depends_on("mpi@3:", when="+mpi")
    depends_on("scotch+mpi", when="+ptscotch")
    depends_on("metis@5:", when="+metis")
    depends_on("catch2@2.13:3", type=("build", "test"), when="+tests")

    def cmake_args(self):
        args = [
            self.define("Sporos_ENABLE_PERF", False),
            self.define("Sporos_ENABLE_FFTW_MPI", False),  # of applications
            self.define("Sporos_ENABLE_HDF5", False),  # of applications
            self.define_from_variant("Sporos_ENABLE_TESTS", "tests"),
            self.define_from_variant("BUILD_TESTING", "tests"),  # Spack switches it off without --test
            self.define_from_variant("Sporos_ENABLE_COMPILED", "compiled"),
            self.define_from_variant("Sporos_ENABLE_FFTW", "fftw"),
            self.define_from_variant("Sporos_ENABLE_MPI", "mpi"),
            self.define_from_variant("Sporos_ENABLE_PTSCOTCH", "ptscotch"),
            self.define_from_variant("Sporos_ENABLE_METIS", "metis"),
            self.define_from_variant("Sporos_ENABLE_CUFFT", "cuda"),
            self.define("Sporos_ENABLE_HIPFFT", False),  # no variant has HIP
        ]
        for backend in ("cuda", "openmp"):
            if f"+{backend}" in self.spec:
                args.append(self.define("Sporos_REQUIRE_DEVICE", backend.upper()))
                break
        if "+cuda" in self.spec:
            args.append(self.define("CMAKE_CXX_COMPILER", self.spec["kokkos"].kokkos_cxx))
        return args
