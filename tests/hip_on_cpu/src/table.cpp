// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ops.hpp"

namespace gcn {

Handler find_handler(std::string_view mnemonic) {
  static const Table *table = [] {
    auto *t = new Table;
    for (auto add : {add_scalar, add_control, add_integer, add_bits, add_float,
                     add_convert, add_compare, add_lanes, add_memory, add_lds,
                     add_atomics})
      add(*t);
    return t;
  }();
  auto f = table->find(mnemonic);
  return f == table->end() ? nullptr : f->second;
}

}  // namespace gcn
