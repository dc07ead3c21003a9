// The library's headers that nvcc's cuda_runtime.h brings along, whichever its
// version, and names of older toolkits. They are slow to read: only a program
// that doesn't parse without them gets them.
#pragma once
#pragma GCC system_header
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "kfuse_texture_references.h"
