// Included before every input that is parsed without a toolkit. The quoted name
// is searched beside this file first, so no folder of the user comes between.
#pragma once
#pragma GCC system_header
#include "cuda_runtime.h"
