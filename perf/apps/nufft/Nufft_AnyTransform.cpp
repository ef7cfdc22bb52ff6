// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nufft_AnyTransform.hpp"

namespace NufftApp {

template <class T>
std::unique_ptr<AnyTransform<T>> make_transform(
    const Exec& exec, int dimension, int modes,
    const Sporos::NufftOptions& options) {
  return dimension == 2 ? make_transform_of<T, 2>(exec, modes, options)
                        : make_transform_of<T, 3>(exec, modes, options);
}

template std::unique_ptr<AnyTransform<float>> make_transform(
    const Exec&, int, int, const Sporos::NufftOptions&);
template std::unique_ptr<AnyTransform<double>> make_transform(
    const Exec&, int, int, const Sporos::NufftOptions&);

}  // namespace NufftApp
