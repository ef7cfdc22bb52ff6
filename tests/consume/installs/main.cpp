// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Are header and library of install EXPECTED?
#include HEADER

#include <cstdio>

#if defined(EXPECT_CONFIG_PACKAGE) && !defined(FROM_CONFIG_PACKAGE)
#error "the config package of this install is not used"
#endif

int main() {
  std::printf("header %d, library %d, expected %d\n", HEADER_NUMBER,
              library_number(), EXPECTED);
  return HEADER_NUMBER == EXPECTED && library_number() == EXPECTED ? 0 : 1;
}
