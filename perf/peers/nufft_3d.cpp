// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Peer_Nufft.hpp"

Peer::StepsOfCase Peer::make_nufft_3d(const Case& c) {
  return make_nufft<3>(c);
}
