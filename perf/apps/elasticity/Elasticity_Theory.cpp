// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Theory.hpp"

namespace ElasticityApp {

Load make_load(const Options& o) {
  Load load;
  if (o.problem == Problem::poisson) return load;
  load.material.lambda =
      o.young * o.ratio / ((1 + o.ratio) * (1 - 2 * o.ratio));
  load.material.mu = o.young / (2 * (1 + o.ratio));
  if (o.problem == Problem::cantilever) {
    load.strength = 0;
    load.weight   = o.weight;
  }
  return load;
}

double beam_deflection(const Options& o) {
  const double l2     = o.length * o.length;
  const double moment = 1 / 12.;  // of a square with sides of 1
  const double shear  = 10 * (1 + o.ratio) / (12 + 11 * o.ratio);
  return o.weight * (l2 * l2 / (8 * o.young * moment) +
                     l2 / (2 * shear * make_load(o).material.mu));
}

}  // namespace ElasticityApp
