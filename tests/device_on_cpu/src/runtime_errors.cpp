// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the calls and of kernels.
#include "runtime_common.hpp"

namespace on_cpu::runtime {

thread_local int current_device      = 0;
thread_local API(Error_t) last_error = API(Success);
API(Error_t) sticky                  = API(Success);

std::recursive_mutex &calls() {
  static auto *m = new std::recursive_mutex;
  return *m;
}

void report(const Fault &e) {
  fflush(stdout);
  fprintf(stderr, "ptxrun: ERROR: %s\n", e.text.c_str());
  fflush(stderr);
  if (!settings.keep_going) {
    fprintf(stderr,
            "ptxrun: abort (PTXRUN_ERRORS=continue gives the error to the "
            "program instead)\n");
    abort();
  }
}

}  // namespace on_cpu::runtime

extern "C" {

API(Error_t) API(GetLastError)() {
  API(Error_t) e = sticky != API(Success) ? sticky : last_error;
  last_error     = API(Success);
  return e;
}
API(Error_t) API(PeekAtLastError)() {
  return sticky != API(Success) ? sticky : last_error;
}
}
