// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Compiles: what the files beside it are refused for is not a missing header.

#include <Sporos_CrossCorrelate.hpp>
#include <Sporos_MeshVtk.hpp>
#include <Sporos_NufftType3.hpp>
#include <Sporos_ParLoop.hpp>
#include <Sporos_ParticleGrid.hpp>
#include <Sporos_SegmentedReduce.hpp>
#include <Sporos_SortByKey.hpp>
