// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nufft_AnyTransform.hpp"

namespace NufftApp {

template <class T>
std::unique_ptr<AnyTransform<T>> make_transform(const Exec& exec, int dimension,
                                                int modes, double tolerance,
                                                double upsampling) {
  const int support = support_for(tolerance);
  if (upsampling == 0) upsampling = upsampling_for(tolerance, dimension);
  return dimension == 2
             ? make_transform_of<T, 2>(exec, modes, support, upsampling)
             : make_transform_of<T, 3>(exec, modes, support, upsampling);
}

template std::unique_ptr<AnyTransform<float>> make_transform(const Exec&, int,
                                                             int, double,
                                                             double);
template std::unique_ptr<AnyTransform<double>> make_transform(const Exec&, int,
                                                              int, double,
                                                              double);

}  // namespace NufftApp
