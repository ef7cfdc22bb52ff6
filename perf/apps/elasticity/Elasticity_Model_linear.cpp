// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Model_impl.hpp"

namespace ElasticityApp {

template std::unique_ptr<Model> make_model_of<4, 1>(const LocalMesh&,
                                                    const Options&);
template std::unique_ptr<Model> make_model_of<4, 3>(const LocalMesh&,
                                                    const Options&);
template std::unique_ptr<Model> make_model_of<8, 1>(const LocalMesh&,
                                                    const Options&);
template std::unique_ptr<Model> make_model_of<8, 3>(const LocalMesh&,
                                                    const Options&);

}  // namespace ElasticityApp
