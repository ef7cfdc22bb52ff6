// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_PICTURE_HPP
#define SPOROS_MEMBRANE_PICTURE_HPP

/// \file Membrane_Picture.hpp
/// Pictures of frames: vorticity in colours, the flow as a texture along its
/// streamlines, the membrane, and its start shape dashed.

#include "App_Image.hpp"
#include "Membrane_Frame.hpp"

#include <string>
#include <vector>

namespace MembraneApp {

using namespace AppCommon;

/// What all pictures of a run have in common.
struct PictureScale {
  double vorticity = 1;  ///< gets the strongest colour
  double speed     = 1;  ///< gets the strongest texture
};

/// A scale for all frames: nearly the largest values that occur in them.
PictureScale picture_scale(const std::vector<Frame>& frames);

/// Draws a frame.
/// \param start membrane to show dashed
/// \param pixels width and height of the picture
Image draw(const Frame& frame, const HostPoints& start,
           const PictureScale& scale, int pixels);

/// Writes frame_0000.png and so on, and membrane.png with four of the frames
/// side by side, into an existing folder; nothing in a build without cairo.
/// \throws std::runtime_error that names the file that cannot be written
void write_pictures(const std::string& folder, const std::vector<Frame>& frames,
                    int pixels);

}  // namespace MembraneApp

#endif
