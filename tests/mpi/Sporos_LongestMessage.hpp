// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Long messages without much memory.

#ifndef SPOROS_LONGESTMESSAGE_HPP
#define SPOROS_LONGESTMESSAGE_HPP

#include <Sporos_Communicator.hpp>

#include <cstddef>

namespace Sporos {
namespace Test {

/// Messages of more than n bytes are cut as long as this object lives.
class LongestMessage {
 public:
  explicit LongestMessage(std::size_t n)
      : m_before(Sporos::Impl::longest_message()) {
    Sporos::Impl::longest_message() = n;
  }
  LongestMessage(const LongestMessage&)            = delete;
  LongestMessage& operator=(const LongestMessage&) = delete;
  ~LongestMessage() { Sporos::Impl::longest_message() = m_before; }

 private:
  std::size_t m_before;
};

}  // namespace Test
}  // namespace Sporos

#endif
