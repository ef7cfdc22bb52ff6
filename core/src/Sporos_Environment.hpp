// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ENVIRONMENT_HPP
#define SPOROS_ENVIRONMENT_HPP

/// \file Sporos_Environment.hpp
/// Environment variables that override `automatic`.

#include <Sporos_Error.hpp>

#include <cstdlib>
#include <string>

namespace Sporos {
namespace Impl {

template <class Choice>
struct NamedChoice {
  const char* name;
  Choice value;
};

/// The choice that the variable names, or `otherwise` if it is unset or empty.
/// Throws std::invalid_argument with all names for an unknown name.
template <class Choice, int N>
[[gnu::cold]] Choice environment_choice(const char* variable,
                                        const NamedChoice<Choice> (&choices)[N],
                                        Choice otherwise) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return otherwise;
  std::string names;
  for (const NamedChoice<Choice>& c : choices) {
    if (std::string(value) == c.name) return c.value;
    names += (names.empty() ? "" : ", ") + std::string(c.name);
  }
  throw_invalid("Sporos: environment", variable, names, value);
}

}  // namespace Impl
}  // namespace Sporos

#endif
