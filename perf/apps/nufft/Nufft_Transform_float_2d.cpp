// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nufft_Transform.hpp"

namespace NufftApp {

template std::unique_ptr<AnyTransform<float>> make_transform_of<float, 2>(
    const Exec&, int, const Sporos::NufftOptions&);

}  // namespace NufftApp
