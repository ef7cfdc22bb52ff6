// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words, numbers and statements of a PTX text.
#pragma once
#include "ptxrun.hpp"

namespace ptxrun::text {

size_t skip(std::string_view s, size_t p);  // white space and comments from p
std::string_view word(std::string_view s, size_t &p);
u64 number(std::string_view s, size_t &p);
// The end of what starts at p: the ';' or the body in braces. brace: where the
// body starts, or npos.
size_t statement_end(std::string_view s, size_t p, size_t &brace,
                     bool may_have_body);
void parse_params(std::string_view s, size_t &p, std::vector<Param> &out);

}  // namespace ptxrun::text
