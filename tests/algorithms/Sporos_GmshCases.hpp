// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A small file of Gmsh in each of its formats.

#ifndef SPOROS_GMSHCASES_HPP
#define SPOROS_GMSHCASES_HPP

#include <cstdint>
#include <sstream>
#include <string>

namespace Sporos {
namespace Test {

/// Numbers as a file of Gmsh has them: as text, or as bytes.
class GmshWriter {
 public:
  GmshWriter(bool is_new, bool binary) : m_binary(binary) {
    *this << "$MeshFormat\n" << (is_new ? "4.1 " : "2.2 ");
    *this << (binary ? "1" : "0") << " 8\n";
    if (binary) number(1) << "\n";
    *this << "$EndMeshFormat\n";
  }
  GmshWriter& operator<<(const char* plain) {
    m_text << plain;
    return *this;
  }
  template <class T>
  GmshWriter& number(T value) {
    if (m_binary)
      m_text.write(reinterpret_cast<const char*>(&value), sizeof(T));
    else
      m_text << value << '\n';
    return *this;
  }
  template <class T, class... More>
  GmshWriter& numbers(T value, More... more) {
    number(value);
    (number(T(more)), ...);
    return *this;
  }
  template <class... V>
  GmshWriter& ints(V... v) {
    return numbers(int(v)...);
  }
  template <class... V>
  GmshWriter& sizes(V... v) {
    return numbers(std::int64_t(v)...);
  }
  template <class... V>
  GmshWriter& reals(V... v) {
    return numbers(double(v)...);
  }
  std::string contents() const { return m_text.str(); }

 private:
  bool m_binary;
  std::ostringstream m_text;
};

inline void old_square(GmshWriter& w, bool binary) {
  const double at[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0.5}};
  const int tags[]      = {1, 2, 5, 7};
  w << "$Nodes\n4\n";
  for (int k = 0; k < 4; ++k) w.ints(tags[k]).reals(at[k][0], at[k][1], -2);
  w << "\n$EndNodes\n$Elements\n5\n";
  const auto element = [&](int number, int type, int group, auto... nodes) {
    if (binary)
      w.ints(type, 1, 2, number);
    else
      w.ints(number, type, 2);
    w.ints(group, 1, nodes...);
  };
  element(1, 15, 9, 1);
  element(2, 1, -3, 1, 2);
  element(3, 1, 0, 2, 5);
  if (binary) {  // both in one block
    w.ints(2, 2, 2, 4, 1, 1, 1, 2, 5, 5, 1, 1, 1, 5, 7);
  } else {
    element(4, 2, 1, 1, 2, 5);
    element(5, 2, 1, 1, 5, 7);
  }
  w << "\n$EndElements\n";
}

inline void new_square(GmshWriter& w) {
  w << "$Entities\n";
  w.sizes(1, 2, 1, 0);
  w.ints(1).reals(0, 0, -2).sizes(1).ints(9);
  w.ints(1).reals(0, 0, -2, 1, 0, -2).sizes(1).ints(-3).sizes(1).ints(1);
  w.ints(2).reals(0, 0, -2, 1, 1, -2).sizes(0).sizes(0);
  w.ints(1).reals(0, 0, -2, 1, 1, -2).sizes(1).ints(1).sizes(2).ints(1, -2);
  w << "\n$EndEntities\n$Nodes\n";
  w.sizes(3, 4, 1, 7);
  w.ints(0, 1, 0).sizes(1, 1).reals(0, 0, -2);
  w.ints(1, 1, 1).sizes(2, 2, 5).reals(1, 0, -2, 0.5, 1, 1, -2, 0.75);
  w.ints(2, 1, 0).sizes(1, 7).reals(0, 0.5, -2);
  w << "\n$EndNodes\n$Elements\n";
  w.sizes(4, 5, 1, 5);
  w.ints(0, 1, 15).sizes(1, 1, 1);
  w.ints(1, 1, 1).sizes(1, 2, 1, 2);
  w.ints(1, 2, 1).sizes(1, 3, 2, 5);
  w.ints(2, 1, 2).sizes(2, 4, 1, 2, 5, 5, 1, 5, 7);
  w << "\n$EndElements\n";
}

/// Four nodes, a point, two lines, two triangles; groups "wall", "a plate" and
/// one without a name.
inline std::string gmsh_square(bool is_new, bool binary) {
  GmshWriter w(is_new, binary);
  w << "$PhysicalNames\n3\n1 3 \"wall\"\n2 1 \"a plate\"\n2 8 \"none\"\n"
       "$EndPhysicalNames\n$Notes\nwhatever $Nodes\n$EndNotes\n";
  if (is_new)
    new_square(w);
  else
    old_square(w, binary);
  return w.contents();
}

}  // namespace Test
}  // namespace Sporos

#endif
