// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_MASK_HPP
#define SPOROS_PIV_MASK_HPP

/// \file Piv_Mask.hpp
/// Parts of the images that are no flow: inside of polygons.

#include "Piv_Field.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace PivApp {

/// A vertex, in pixels from the centre of the first one: x right, y down.
struct Corner {
  double x, y;
};
using Polygon = std::vector<Corner>;

/// Reads polygons from a text file: a vertex in each line, x and y, separated
/// by blanks or a comma; an empty line between polygons; what follows # is a
/// comment.
/// \throws std::runtime_error that names the file, the line and what is wrong
std::vector<Polygon> read_polygons(const std::string& path);

/// 1 where a pixel is left out. Without memory: none is.
using MaskPixels = Kokkos::View<std::uint8_t**, Kokkos::LayoutRight, Exec>;

/// The pixels whose centre lies in one of the polygons (even-odd rule); without
/// memory if there are no polygons. Waits for exec.
MaskPixels mask_of(const Exec& exec, const std::vector<Polygon>& polygons,
                   int width, int height);

/// Gives masked pixels the mean of those others that are at most `reach` away
/// in x and in y, so that they carry no pattern; 0 if there are none.
void fill_masked(const Exec& exec, const MaskPixels& mask, int reach,
                 const Pixels& image);

/// Marks windows of which a mask covers more than this share as masked, others
/// as found.
void mark_masked(const Exec& exec, const MaskPixels& mask,
                 const WindowGrid& grid, double share, const Marks& marks);

}  // namespace PivApp

#endif
