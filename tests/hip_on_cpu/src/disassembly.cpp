// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions of a code object, as llvm-objdump prints them.
#include "gcn.hpp"
#include <cstdlib>
#include <unistd.h>

namespace gcn {
namespace {

std::string output_of(const std::string &command) {
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe) die("cannot run %s", command.c_str());
  std::string text;
  char part[1 << 16];
  while (size_t n = fread(part, 1, sizeof part, pipe)) text.append(part, n);
  if (pclose(pipe) != 0) die("failed: %s", command.c_str());
  return text;
}

std::string write_to_file(std::string_view bytes) {
  const char *folder = getenv("TMPDIR");
  std::string name   = std::string(folder ? folder : "/tmp") + "/code-XXXXXX";
  const int file     = mkstemp(name.data());
  if (file < 0 || write(file, bytes.data(), bytes.size()) !=
                      static_cast<ssize_t>(bytes.size()))
    die("cannot write %s", name.c_str());
  close(file);
  return name;
}

// "	s_mov_b32 s0, s1   // 000000001600: C0020002 00000004 <target>"
void read_line(CodeObject &c, std::string_view line) {
  const size_t comment = line.find("// ");
  if (comment == line.npos || line[0] != '\t') return;
  Ins i;
  size_t start = line.find_first_not_of(" \t"), end = comment;
  while (end > start && (line[end - 1] == ' ' || line[end - 1] == '\t')) --end;
  i.text    = line.substr(start, end - start);
  i.address = strtoull(line.data() + comment + 3, nullptr, 16);
  for (size_t p = line.find(':', comment) + 1;
       p + 9 <= line.size() && line[p] == ' ' && isxdigit(line[p + 1]); p += 9)
    i.size += 4;
  if (c.code.empty()) c.text_at = i.address;
  c.code.push_back(i);
}

}  // namespace

void disassemble(CodeObject &c) {
  if (!c.code.empty()) return;
  const char *tool       = getenv("HIPRUN_OBJDUMP");
  const std::string name = write_to_file(c.file);
  c.disassembly =
      output_of(std::string(tool ? tool : "llvm-objdump-15") + " -d " + name);
  unlink(name.c_str());
  std::string_view rest = c.disassembly;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size() - 1);
    if (end > 0) read_line(c, rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  if (c.code.empty())
    die("%s found no instructions", tool ? tool : "llvm-objdump-15");
  const Ins &last = c.code.back();
  c.at.assign((last.address + last.size - c.text_at) / 4, 0);
  for (size_t k = 0; k < c.code.size(); ++k)
    c.at[(c.code[k].address - c.text_at) / 4] = k + 1;
}

const Ins &CodeObject::instruction(u64 address) const {
  const u64 k = (address - text_at) / 4;
  if (k >= at.size() || !at[k])
    throw Fault{strprintf("no instruction is at address 0x%llx",
                          static_cast<unsigned long long>(address)),
                718};
  Ins &i = code[at[k] - 1];
  if (!i.run) decode(i);
  return i;
}

}  // namespace gcn
