// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATECHOICE_HPP
#define SPOROS_CORRELATECHOICE_HPP

/// \file Sporos_CorrelateChoice.hpp
/// From options to what is done.

#include <cross_correlation/Sporos_CorrelateShape.hpp>

#include <string>

namespace Sporos {
namespace Impl {

/// Nothing in here is automatic.
struct CorrelateChoice {
  CorrelateAlgorithm algorithm = CorrelateAlgorithm::basic;
  std::string reason;

  std::string text() const { return "basic" + reason; }
};

template <class Exec, class A>
CorrelateChoice choose_correlate(const Exec&, const CorrelateShape&,
                                 const CorrelateOptions&) {
  return {};
}

}  // namespace Impl
}  // namespace Sporos

#endif
