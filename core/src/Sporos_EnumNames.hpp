// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ENUMNAMES_HPP
#define SPOROS_ENUMNAMES_HPP

/// \file Sporos_EnumNames.hpp
/// The names of enumerators, from one table for each enum.

#include <Sporos_Error.hpp>

#include <ostream>
#include <string_view>

namespace Sporos {
namespace Impl {

/// An enumerator without its type, and its name.
struct NamedValue {
  const char* name;
  int value;

  template <class Enum>
  constexpr NamedValue(const char* name_, Enum value_)
      : name(name_), value(int(value_)) {}
};

/// The table of an enum is specialised next to it:
/// `static constexpr NamedValue all[]`.
template <class Enum>
struct EnumNames;

/// A table without its type. Its text is "a, b or c".
struct NameTable {
  const NamedValue *first, *last;

  template <int N>
  explicit constexpr NameTable(const NamedValue (&all)[N])
      : first(all), last(all + N) {}
  constexpr const NamedValue* find(int value) const {
    for (const NamedValue* named = first; named != last; ++named)
      if (named->value == value) return named;
    return nullptr;
  }
  constexpr const NamedValue* find(std::string_view name) const {
    for (const NamedValue* named = first; named != last; ++named)
      if (named->name == name) return named;
    return nullptr;
  }
};

[[gnu::cold]] inline std::ostream& operator<<(std::ostream& out,
                                              const NameTable& table) {
  for (const NamedValue* named = table.first; named != table.last; ++named)
    out << (named == table.first      ? ""
            : named == table.last - 1 ? " or "
                                      : ", ")
        << named->name;
  return out;
}

template <class Enum>
constexpr NameTable names_v{EnumNames<Enum>::all};

/// The name of a value; "?" for a number that is no enumerator.
template <class Enum>
constexpr const char* name_of(Enum value) {
  const NamedValue* const named = names_v<Enum>.find(int(value));
  return named != nullptr ? named->name : "?";
}

/// Throws std::invalid_argument with all names for a number that is no
/// enumerator, from who made it of an int.
template <class Enum>
void check_enum(const char* function, const char* argument, Enum value) {
  check(names_v<Enum>.find(int(value)) != nullptr, function, argument,
        names_v<Enum>, int(value));
}

}  // namespace Impl
}  // namespace Sporos

#endif
