// expects: Sporos::Map: a map of run-time arity needs the arity
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_Mesh.hpp>

const Sporos::Map<> refused("refused", Sporos::Set("a", 1), Sporos::Set("b", 1),
                            std::vector<int>{0});
