// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Model.hpp"

namespace ElasticityApp {
namespace {

template <int Nodes>
std::unique_ptr<Model> with_nodes(const LocalMesh& m, const Options& o) {
  return o.problem == Problem::poisson ? make_model_of<Nodes, 1>(m, o)
                                       : make_model_of<Nodes, 3>(m, o);
}

}  // namespace

std::unique_ptr<Model> make_model(const LocalMesh& m, const Options& o) {
  switch (node_count(m.shape, m.order)) {
    case 4: return with_nodes<4>(m, o);
    case 8: return with_nodes<8>(m, o);
    case 10: return with_nodes<10>(m, o);
    default: return with_nodes<27>(m, o);
  }
}

}  // namespace ElasticityApp
