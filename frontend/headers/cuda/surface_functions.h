// Covered by cuda_runtime.h.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
