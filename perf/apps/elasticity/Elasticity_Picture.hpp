// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_PICTURE_HPP
#define SPOROS_ELASTICITY_PICTURE_HPP

/// \file Elasticity_Picture.hpp
/// A picture of the deformed surface.

#include "Elasticity_Model.hpp"
#include "Elasticity_World.hpp"

#include <App_Image.hpp>

namespace ElasticityApp {

/// The surface of the mesh, seen from one side and a little from above, moved
/// by displacements of which the largest is shown as a fifth of the width.
/// Colours show their sizes. Of one process.
AppCommon::Image draw(const LocalMesh& mesh, const Model& model,
                      const Options& options);

}  // namespace ElasticityApp

#endif
