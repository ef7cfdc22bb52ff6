// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_Version.hpp>

#include <cstring>

static_assert(SPOROS_VERSION == 10000 * SPOROS_VERSION_MAJOR +
                                    100 * SPOROS_VERSION_MINOR +
                                    SPOROS_VERSION_PATCH,
              "version");

int main() { return std::strlen(SPOROS_VERSION_STRING) >= 5 ? 0 : 1; }
