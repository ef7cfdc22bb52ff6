// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_MESH_HPP
#define SPOROS_AIRFOIL_MESH_HPP

/// \file Airfoil_Mesh.hpp
/// The mesh around a NACA0012 profile that OP2's airfoil code is run on.

#include <Sporos_MeshGenerators.hpp>

namespace AirfoilApp {

/// Flags of boundary edges.
constexpr int wall      = 1;  ///< the profile: nothing flows through
constexpr int far_field = 2;  ///< the undisturbed flow

/// A C-shaped mesh of 3 along x layers cells around a NACA0012 profile of chord
/// 1: the square of a grid over the upper half of the complex plane, so that
/// its lower side folds to the profile and the cut behind it. Numbering, order
/// and orientation of edges are those of OP2's generator; coordinates are
/// rounded to 6 decimals, as in its files.
/// \param along cells along the profile, and along each side of the cut;
///        at least 4; 400 for the published mesh of 720000 cells
/// \param layers cells from the profile to the far field, at least 2; 600
/// \param part, parts makes block `part` of `parts` only: consecutive elements
///   of each set, with the entries that they have in the whole mesh
/// \throws std::invalid_argument for smaller numbers
Sporos::QuadMesh naca0012_mesh(int along, int layers, int part = 0,
                               int parts = 1);

/// Rounds to the decimal with 6 places that is closest to the exact value (to
/// the even one of two), as printing with "%f" does, and to the closest double.
double rounded_to_6_decimals(double value);

}  // namespace AirfoilApp

#endif
