// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Where tests choose smaller sizes.

#ifndef SPOROS_SLOWRUN_HPP
#define SPOROS_SLOWRUN_HPP

namespace Sporos {
namespace Test {

/// Does code take ten times as long or more, because sanitizers watch or a
/// processor executes what was compiled for a device? Tests then choose
/// smaller sizes and fewer cases.
#ifdef __has_feature  // clang
#if __has_feature(address_sanitizer)
#define SPOROS_TEST_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(SPOROS_TEST_SANITIZED) || \
    defined(SPOROS_TEST_EMULATED)
constexpr bool slow_run = true;
#else
constexpr bool slow_run = false;
#endif

}  // namespace Test
}  // namespace Sporos

#endif
