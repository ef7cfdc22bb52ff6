// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nufft_Transform.hpp"

namespace NufftApp {

template std::unique_ptr<AnyTransform<double>> make_transform_of<double, 2>(
    const Exec&, int, const Sporos::NufftOptions&);

}  // namespace NufftApp
