// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The notes of a code object: maps, lists, texts and numbers.
#pragma once
#include "common.hpp"
#include <vector>

namespace gcn {

struct MessagePack {
  std::string text;
  on_cpu::u64 value = 0;
  std::vector<MessagePack> items;
  std::vector<std::string>
      keys;  // of a map: one for each item, without the dot

  const MessagePack *member(std::string_view key) const {
    for (size_t k = 0; k < keys.size(); ++k)
      if (keys[k] == key) return &items[k];
    return nullptr;
  }
  on_cpu::u64 number(std::string_view key, on_cpu::u64 otherwise) const {
    const MessagePack *m = member(key);
    return m ? m->value : otherwise;
  }
  static MessagePack parse(std::string_view bytes);
};

}  // namespace gcn
