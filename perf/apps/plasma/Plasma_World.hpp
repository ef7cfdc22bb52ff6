// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_WORLD_HPP
#define SPOROS_PLASMA_WORLD_HPP

/// \file Plasma_World.hpp
/// What one process and many do differently. The grid is cut into slabs along
/// x, as FFTW cuts it; one process has one slab without ghost layers.

#include "Plasma_Particles.hpp"

#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_ExactSum.hpp>

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

namespace PlasmaApp {

/// One cubic spline for charges and forces: particles exert no force on
/// themselves, and those of pairs cancel.
using Delta = Sporos::BSpline<4>;

/// Grid points of a slab with ghost layers.
using Field   = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;
using Vectors = Kokkos::View<double** [2], Kokkos::LayoutRight, Exec>;
using Values  = Kokkos::View<double*, Exec>;
using FftPlan = std::shared_ptr<std::remove_pointer_t<fftw_plan>>;

/// The Fourier coefficients of a slab of grid points, waves(1) = cells(1) / 2 +
/// 1 for each row, and how they change places: all of a row are together on the
/// rank that has the row, then all of a column on the rank that has the column.
struct Transposes {
  std::shared_ptr<std::complex<double>> rows;     ///< (rows, waves(1))
  std::shared_ptr<std::complex<double>> columns;  ///< (columns, cells(0))
  FftPlan to_columns, to_rows;                    ///< from one to the other
  int first_column = 0, column_count = 0;         ///< of this rank
};

/// Memory for complex numbers, from FFTW.
std::shared_ptr<std::complex<double>> wave_memory(std::size_t count);
fftw_complex* as_fftw(const std::shared_ptr<std::complex<double>>& memory);

/// The ranks, their slabs, and what travels. All functions but those that ask
/// are collective.
class World {
 public:
  virtual ~World() = default;

  int rank   = 0;
  int size   = 1;
  int first  = 0;  ///< row of the slab
  int rows   = 0;  ///< of the slab
  int ghosts = 0;  ///< layers around it, in both directions

  virtual Transposes transposes() const = 0;

  /// Sends particles to the ranks that own their places, which spread and
  /// interpolate then use.
  virtual void sort(const Exec& exec, Particles& p) = 0;
  /// Adds charges of particles to the density.
  virtual void spread(const Exec& exec, const Values& charges,
                      const Field& density) const = 0;
  /// Reads the field at the particles.
  virtual void interpolate(const Exec& exec, const Vectors& field,
                           const Pairs& at_particles) const = 0;

  /// Sums and the largest number over all ranks.
  virtual void sum(std::vector<Sporos::ExactSum<double>>&) const {}
  virtual void sum(std::vector<double>&) const {}
  virtual double largest(double x) const { return x; }
  /// Sends each number, 0 to count - 1, to a rank that depends on it alone, so
  /// that equal ones meet.
  virtual void meet(const Exec&, Numbers&, std::int64_t /*count*/) const {}
  /// Calls f, and throws on all ranks if f does on one.
  virtual void together(const std::function<void()>& f) const { f(); }
};

std::unique_ptr<World> make_world_of_one(const Setup& setup);

/// Particles 0 to count - 1 that are missing or there several times, and those
/// with other numbers, on all ranks.
std::int64_t lost(const Exec& exec, const World& world, const Particles& p,
                  std::int64_t count);

}  // namespace PlasmaApp

#endif
