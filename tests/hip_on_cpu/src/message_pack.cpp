// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "message_pack.hpp"

namespace gcn {
namespace {

using namespace on_cpu;

struct Reader {
  std::string_view bytes;
  size_t at = 0;

  u64 number(int size) {  // the most significant byte comes first
    u64 value = 0;
    for (int k = 0; k < size; ++k) value = value << 8 | byte();
    return value;
  }
  u8 byte() {
    if (at >= bytes.size()) die("the notes of a code object end too early");
    return static_cast<u8>(bytes[at++]);
  }
  MessagePack text(u64 size) {
    MessagePack m;
    if (at + size > bytes.size())
      die("the notes of a code object end too early");
    m.text = bytes.substr(at, size);
    at += size;
    return m;
  }
  MessagePack value(u64 v) {
    MessagePack m;
    m.value = v;
    return m;
  }
  MessagePack list(u64 size) {
    MessagePack m;
    while (size--) m.items.push_back(item());
    return m;
  }
  MessagePack map(u64 size) {
    MessagePack m;
    while (size--) {
      std::string key = item().text;
      m.keys.push_back(key[0] == '.' ? key.substr(1) : key);
      m.items.push_back(item());
    }
    return m;
  }
  MessagePack item() {
    const u8 b = byte();
    if (b < 0x80) return value(b);
    if (b < 0x90) return map(b & 15);
    if (b < 0xa0) return list(b & 15);
    if (b < 0xc0) return text(b & 31);
    if (b >= 0xe0) return value(static_cast<u64>(static_cast<i8>(b)));
    switch (b) {
      case 0xc0:
      case 0xc2: return value(0);
      case 0xc3: return value(1);
      case 0xc4:
      case 0xc5:
      case 0xc6: return text(number(1 << (b - 0xc4)));
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf: return value(number(1 << (b - 0xcc)));
      case 0xd0: return value(static_cast<u64>(static_cast<i8>(number(1))));
      case 0xd1: return value(static_cast<u64>(static_cast<i16>(number(2))));
      case 0xd2: return value(static_cast<u64>(static_cast<i32>(number(4))));
      case 0xd3: return value(number(8));
      case 0xd9:
      case 0xda:
      case 0xdb: return text(number(1 << (b - 0xd9)));
      case 0xdc: return list(number(2));
      case 0xdd: return list(number(4));
      case 0xde: return map(number(2));
      case 0xdf: return map(number(4));
      default: die("byte 0x%x in the notes of a code object", b);
    }
  }
};

}  // namespace

MessagePack MessagePack::parse(std::string_view bytes) {
  Reader r{bytes};
  return r.item();
}

}  // namespace gcn
