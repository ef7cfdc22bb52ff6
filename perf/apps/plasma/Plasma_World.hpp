// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_WORLD_HPP
#define SPOROS_PLASMA_WORLD_HPP

/// \file Plasma_World.hpp
/// What one process and many do differently. The grid is cut into slabs along
/// x, as FFTW cuts it; one process has one slab without ghost layers.

#include "Plasma_Particles.hpp"

#include <Sporos_ExactSum.hpp>
#include <Sporos_GridWindow.hpp>
#include <Sporos_ParticleGrid.hpp>

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace PlasmaApp {

using Field   = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;
using FftPlan = std::shared_ptr<std::remove_pointer_t<fftw_plan>>;

/// Transforms of a slab in place: rows of cells(1) real numbers, or of
/// cells(1) / 2 + 1 complex ones.
struct Transforms {
  std::shared_ptr<double> data;
  FftPlan forward, backward;  ///< not scaled
};

class World {
 public:
  virtual ~World() = default;

  int rank   = 0;
  int size   = 1;
  int first  = 0;  ///< row of the slab
  int rows   = 0;  ///< of the slab
  int ghosts = 0;  ///< layers around it, in both directions
  /// what fields with ghost layers hold; none: the whole grid
  std::optional<Sporos::GridWindow<2>> window;

  virtual Transforms transforms() const = 0;
  /// Adds what ghost layers got to the grid points that they stand for.
  virtual void add_ghosts(const Exec&, const Field&) const {}
  /// Copies values of grid points to the ghost layers.
  virtual void fill_ghosts(const Exec&, const Field&, const Field&) const {}
  /// Sends particles to the ranks that own their places.
  virtual void migrate(const Exec&, Particles&) const {}

  // Over all ranks.
  virtual void sum(std::vector<Sporos::ExactSum<double>>&) const {}
  virtual void sum(std::vector<double>&) const {}
  virtual double largest(double x) const { return x; }
  /// How many of the numbers 0 to count - 1 are missing or there twice.
  virtual std::int64_t lost(const Particles& p, std::int64_t count) const;
};

std::unique_ptr<World> make_world_of_one(const Setup& setup);

/// count[i - first] is how often number i of [first, first + count) came.
std::int64_t not_once(const std::vector<int>& count);

}  // namespace PlasmaApp

#endif
