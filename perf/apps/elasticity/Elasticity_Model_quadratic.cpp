// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Model_impl.hpp"

namespace ElasticityApp {

template std::unique_ptr<Model> make_model_of<10, 1>(const LocalMesh&,
                                                     const Options&);
template std::unique_ptr<Model> make_model_of<10, 3>(const LocalMesh&,
                                                     const Options&);
template std::unique_ptr<Model> make_model_of<27, 1>(const LocalMesh&,
                                                     const Options&);
template std::unique_ptr<Model> make_model_of<27, 3>(const LocalMesh&,
                                                     const Options&);

}  // namespace ElasticityApp
