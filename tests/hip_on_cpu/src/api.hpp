// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#define __HIP_PLATFORM_AMD__
#include <hip/hip_runtime_api.h>
#define API(name) hip##name
#define API_NAME "hip"
