// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDMESHFILE_HPP
#define SPOROS_DISTRIBUTEDMESHFILE_HPP

/// \file Sporos_DistributedMeshFile.hpp
/// Reads meshes (Sporos_MeshFile.hpp, and in programs that link Sporos::hdf5
/// Sporos_MeshFileHdf5.hpp) on many MPI ranks, each of which holds a block of
/// the file only.

#include <Sporos_Communicator.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <distributed/meshes/Sporos_FileLines.hpp>
#include <mesh/files/Sporos_MeshReader.hpp>
#ifdef SPOROS_HAVE_HDF5
#include <Sporos_MeshFileHdf5.hpp>
#endif

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace Sporos {

namespace Impl {

/// Collective. The header of a text mesh, read by rank 0.
inline std::vector<int> header_of_all(const Communicator& comm,
                                      const std::string& path) {
  constexpr const char* function = "Sporos::read_mesh_block";
  std::vector<int> counts(4);
  agree_on(comm, function, [&] {
    if (comm.rank() != 0) return;
    const std::string line = first_line(function, path);
    MeshReader file(path, line);
    counts = read_counts(file);
  });
  check_mpi(MPI_Bcast(counts.data(), 4, MPI_INT, 0, comm.mpi()), function,
            "MPI_Bcast");
  return counts;
}

/// Collective. This rank's lines of a text mesh.
inline QuadMesh read_text_block(const Communicator& comm,
                                const std::string& path) {
  constexpr const char* function = "Sporos::read_mesh_block";
  const std::vector<int> counts  = header_of_all(comm, path);
  const FileLines lines(comm, function, path);
  const std::int64_t all = number_of_records(counts);
  QuadMesh mesh;
  agree_on(comm, function, [&] {
    MeshReader file(path, lines.text(), lines.first_line());
    const std::int64_t first = lines.first_record();
    if (first == 0 && lines.records() > 0) read_counts(file);
    // the last rank finds out what is missing at the end
    const std::int64_t end =
        comm.rank() + 1 == comm.size() ? all : first - 1 + lines.records();
    mesh = read_records(file, counts, std::max<std::int64_t>(0, first - 1),
                        std::min(all, end));
    file.end_file();
  });
  return mesh;
}

#ifdef SPOROS_HAVE_HDF5

/// Collective. This rank's rows of all data sets, read by MPI's input where
/// HDF5 was built for that.
inline QuadMesh read_hdf5_rows(const Communicator& comm,
                               const std::string& path) {
  constexpr const char* function = "Sporos::read_mesh_block";
  QuadMesh mesh;
  agree_on(comm, function, [&] {
    const QuietHdf5 quiet;
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
#ifdef H5_HAVE_PARALLEL
    H5Pset_fapl_mpio(access, comm.mpi(), MPI_INFO_NULL);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
#endif
    mesh = read_hdf5_block(Hdf5Reader(function, path, access, transfer),
                           comm.rank(), comm.size());
  });
  return mesh;
}

#endif

/// Does a name end like that of an HDF5 file?
inline bool is_hdf5_name(const std::string& path) {
  return path.size() >= 3 && path.compare(path.size() - 3, 3, ".h5") == 0;
}

}  // namespace Impl

/// Collective. Reads a mesh: an HDF5 file if its name ends with ".h5", else a
/// text file. Each rank reads and holds a part only: about the same number of
/// elements of each set, or of bytes of the text.
/// \param comm the ranks that share the mesh
/// \param path the same file on all ranks
/// \returns the rows of this rank: consecutive elements of each set, those of
///   rank 0 first, for Sporos_GlobalMesh.hpp. Entries of maps are global
///   numbers.
/// \throws std::invalid_argument on all ranks, with what read_mesh or
///   read_mesh_hdf5 says of the file, for an HDF5 file in a program without
///   Sporos::hdf5, and for names that differ. A rank whose own part of a text
///   file is wrong, too, says so instead.
inline QuadMesh read_mesh_block(const Communicator& comm,
                                const std::string& path) {
  constexpr const char* function = "Sporos::read_mesh_block";
  Impl::check_handle(comm.is_made(), function, "comm");
  Impl::agree(comm, function, "", "the file " + path);
  if (!Impl::is_hdf5_name(path)) return Impl::read_text_block(comm, path);
#ifdef SPOROS_HAVE_HDF5
  return Impl::read_hdf5_rows(comm, path);
#else
  Impl::throw_invalid(function, "path",
                      "a text file, as this program does not link Sporos::hdf5",
                      path);
#endif
}

}  // namespace Sporos

#endif
