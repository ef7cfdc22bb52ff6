// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ENVIRONMENT_HPP
#define SPOROS_ENVIRONMENT_HPP

/// \file Sporos_Environment.hpp
/// Environment variables that override `automatic`.

#include <Sporos_EnumNames.hpp>
#include <Sporos_Error.hpp>

#include <cstdlib>

namespace Sporos {
namespace Impl {

/// The choice that the variable names, or `otherwise` if it is unset or empty.
/// Throws std::invalid_argument with all names for an unknown name.
template <class Choice>
[[gnu::cold]] Choice environment_choice(const char* variable,
                                        Choice otherwise) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return otherwise;
  const NamedValue* const named = names_v<Choice>.find(value);
  check(named != nullptr, "Sporos: environment", variable, names_v<Choice>,
        value);
  return Choice(named->value);
}

}  // namespace Impl
}  // namespace Sporos

#endif
