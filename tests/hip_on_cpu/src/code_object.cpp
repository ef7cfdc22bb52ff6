// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the code object in a program, and loads it: segments, relocations,
// kernels with their descriptors.
#include "gcn.hpp"
#include "message_pack.hpp"
#include <cxxabi.h>
#include <elf.h>

namespace gcn {
namespace {

template <class T>
T read(std::string_view file, u64 at) {
  if (at + sizeof(T) > file.size()) die("a code object ends too early");
  T value;
  memcpy(&value, file.data() + at, sizeof value);
  return value;
}

const char *text_at(std::string_view file, u64 at) {
  if (at >= file.size()) die("a code object ends too early");
  return file.data() + at;
}

void read_symbols(CodeObject &c, const Elf64_Shdr &table,
                  const Elf64_Shdr &names) {
  for (u64 k = 0; k < table.sh_size / sizeof(Elf64_Sym); ++k) {
    const auto s =
        read<Elf64_Sym>(c.file, table.sh_offset + k * sizeof(Elf64_Sym));
    const char *name = text_at(c.file, names.sh_offset + s.st_name);
    if (!*name || s.st_shndx == SHN_UNDEF) continue;
    c.symbols[name] = {s.st_value, s.st_size};
    if (ELF64_ST_TYPE(s.st_info) == STT_FUNC) c.functions[s.st_value] = name;
  }
}

enum : u32 { ABS32_LO = 1, ABS32_HI = 2, ABS64 = 3, RELATIVE64 = 13 };

void relocate(CodeObject &c, const Elf64_Shdr &table,
              const Elf64_Shdr &symbols) {
  for (u64 k = 0; k < table.sh_size / sizeof(Elf64_Rela); ++k) {
    const auto r =
        read<Elf64_Rela>(c.file, table.sh_offset + k * sizeof(Elf64_Rela));
    const auto s = read<Elf64_Sym>(
        c.file, symbols.sh_offset + ELF64_R_SYM(r.r_info) * sizeof(Elf64_Sym));
    const u64 base = reinterpret_cast<u64>(c.memory);
    u64 value      = base + r.r_addend;
    const u32 type = ELF64_R_TYPE(r.r_info);
    if (type != RELATIVE64) value += s.st_value;
    if (type == ABS32_HI) value >>= 32;
    switch (type) {
      case ABS32_LO:
      case ABS32_HI: memcpy(c.memory + r.r_offset, &value, 4); break;
      case ABS64:
      case RELATIVE64: memcpy(c.memory + r.r_offset, &value, 8); break;
      default: die("relocation of type %u in a code object", type);
    }
  }
}

void load_segments(CodeObject &c, const Elf64_Ehdr &header) {
  std::vector<Elf64_Phdr> segments;
  for (u32 k = 0; k < header.e_phnum; ++k) {
    const auto p =
        read<Elf64_Phdr>(c.file, header.e_phoff + k * sizeof(Elf64_Phdr));
    if (p.p_type != PT_LOAD) continue;
    segments.push_back(p);
    c.bytes = std::max(c.bytes, p.p_vaddr + p.p_memsz);
  }
  c.memory =
      static_cast<u8 *>(aligned_alloc(4096, (c.bytes + 4095) / 4096 * 4096));
  memset(c.memory, 0, c.bytes);
  for (const Elf64_Phdr &p : segments) {
    memcpy(c.memory + p.p_vaddr, text_at(c.file, p.p_offset), p.p_filesz);
    const bool writes = p.p_flags & PF_W;
    Allocation *a     = adopt(
            c.memory + p.p_vaddr, p.p_memsz,
        writes ? MemoryKind::variable : MemoryKind::constant,
        writes ? "(variables of the program)" : "(constants of the program)");
    a->device = c.device;
  }
}

void read_descriptor(CodeObject &c, Kernel &k, const std::string &symbol) {
  auto found = c.symbols.find(symbol);
  if (found == c.symbols.end())
    die("kernel %s has no descriptor", k.name.c_str());
  const u64 at = found->second.first;
  const u8 *d  = c.memory + at;
  i64 entry;
  memcpy(&k.static_lds, d, 4);
  memcpy(&k.private_bytes, d + 4, 4);
  memcpy(&k.kernarg_size, d + 8, 4);
  memcpy(&entry, d + 16, 8);
  memcpy(&k.resources3, d + 44, 4);
  memcpy(&k.resources1, d + 48, 4);
  memcpy(&k.resources2, d + 52, 4);
  memcpy(&k.properties, d + 56, 2);
  k.entry = at + entry;
}

void read_kernels(CodeObject &c, const MessagePack &notes) {
  const MessagePack *all = notes.member("amdhsa.kernels");
  if (!all) die("a code object without a list of its kernels");
  for (const MessagePack &m : all->items) {
    auto k           = std::make_unique<Kernel>();
    k->code          = &c;
    k->name          = m.member("name")->text;
    k->most_threads  = m.number("max_flat_workgroup_size", 1024);
    k->vgprs         = m.number("vgpr_count", 0);
    k->sgprs         = m.number("sgpr_count", 0);
    k->dynamic_stack = m.number("uses_dynamic_stack", 0);
    if (const MessagePack *list = m.member("args"))
      for (const MessagePack &a : list->items)
        k->arguments.push_back(
            {static_cast<u32>(a.number("offset", 0)),
             static_cast<u32>(a.number("size", 0)),
             a.member("value_kind")->text.substr(0, 7) == "hidden_"});
    read_descriptor(c, *k, m.member("symbol")->text);
    c.kernels[k->name] = std::move(k);
  }
}

}  // namespace

std::string_view find_code_object(const u8 *bundle) {
  const std::string_view magic = "__CLANG_OFFLOAD_BUNDLE__";
  if (memcmp(bundle, magic.data(), magic.size()) != 0)
    die("the program's device code is not a bundle");
  u64 count;
  memcpy(&count, bundle + magic.size(), 8);
  const u8 *p = bundle + magic.size() + 8;
  std::string others;
  for (u64 k = 0; k < count; ++k) {
    u64 entry[3];  // offset, size, length of the name
    memcpy(entry, p, sizeof entry);
    const std::string_view name(
        reinterpret_cast<const char *>(p + sizeof entry), entry[2]);
    p += sizeof entry + entry[2];
    if (name.find("gfx908") != name.npos)
      return {reinterpret_cast<const char *>(bundle + entry[0]), entry[1]};
    others += ' ';
    others += name;
  }
  die("the program has no code for gfx908, but for%s", others.c_str());
}

void CodeObject::load() {
  if (memory) return;
  const auto header = read<Elf64_Ehdr>(file, 0);
  load_segments(*this, header);
  std::vector<Elf64_Shdr> sections;
  for (u32 k = 0; k < header.e_shnum; ++k)
    sections.push_back(
        read<Elf64_Shdr>(file, header.e_shoff + k * sizeof(Elf64_Shdr)));
  for (const Elf64_Shdr &s : sections)
    if (s.sh_type == SHT_SYMTAB || s.sh_type == SHT_DYNSYM)
      read_symbols(*this, s, sections.at(s.sh_link));
  for (const Elf64_Shdr &s : sections)
    if (s.sh_type == SHT_RELA && s.sh_flags & SHF_ALLOC)
      relocate(*this, s, sections.at(s.sh_link));
  for (const Elf64_Shdr &s : sections)
    if (s.sh_type == SHT_NOTE) {
      const auto note = read<Elf64_Nhdr>(file, s.sh_offset);
      if (note.n_type != 32) continue;  // NT_AMDGPU_METADATA
      const u64 at = s.sh_offset + sizeof note + (note.n_namesz + 3) / 4 * 4;
      read_kernels(*this, MessagePack::parse(file.substr(at, note.n_descsz)));
    }
}

std::string CodeObject::function_at(u64 address) const {
  auto f = functions.upper_bound(address);
  if (f == functions.begin()) return "?";
  --f;
  int status;
  char *c = abi::__cxa_demangle(f->second.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && c ? c : f->second;
  free(c);
  return name.size() > 400 ? name.substr(0, 400) + "..." : name;
}

const std::string &pretty_name(Kernel &k) {
  if (k.pretty.empty()) k.pretty = k.code->function_at(k.entry);
  return k.pretty;
}

}  // namespace gcn
