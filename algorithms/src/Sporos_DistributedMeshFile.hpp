// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDMESHFILE_HPP
#define SPOROS_DISTRIBUTEDMESHFILE_HPP

/// \file Sporos_DistributedMeshFile.hpp
/// Reads meshes (Sporos_MeshFile.hpp) on many MPI ranks, each of which holds a
/// block of the file only.

#include <Sporos_Communicator.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <distributed/Sporos_FileLines.hpp>
#include <mesh/Sporos_MeshReader.hpp>

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

}  // namespace Impl

/// Collective. Reads a text mesh: each rank reads and holds about the same
/// number of bytes of the file.
/// \param comm the ranks that share the mesh
/// \param path the same file on all ranks
/// \returns the rows of this rank's lines: consecutive elements of each set,
///   those of rank 0 first, for Sporos_GlobalMesh.hpp. Entries of maps are
///   global numbers.
/// \throws std::invalid_argument on all ranks, with what read_mesh says of the
///   file
inline QuadMesh read_mesh_block(const Communicator& comm,
                                const std::string& path) {
  constexpr const char* function = "Sporos::read_mesh_block";
  Impl::check_handle(comm.is_made(), function, "comm");
  const std::vector<int> counts = Impl::header_of_all(comm, path);
  const Impl::FileLines lines(comm, function, path);
  const std::int64_t all = Impl::number_of_records(counts);
  QuadMesh mesh;
  Impl::agree_on(comm, function, [&] {
    Impl::MeshReader file(path, lines.text(), lines.first_line());
    const std::int64_t first = lines.first_record();
    if (first == 0 && lines.records() > 0) Impl::read_counts(file);
    // the last rank finds out what is missing at the end
    const std::int64_t end =
        comm.rank() + 1 == comm.size() ? all : first - 1 + lines.records();
    mesh = Impl::read_records(
        file, counts, std::max<std::int64_t>(0, first - 1), std::min(all, end));
    file.end_file();
  });
  return mesh;
}

}  // namespace Sporos

#endif
