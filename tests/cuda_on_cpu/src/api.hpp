// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cuda_runtime_api.h>
#define API(name) cuda##name
#define API_NAME "cuda"
