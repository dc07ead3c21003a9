#pragma once
#include <cuda_runtime.h>

namespace audio {
namespace detail {
__device__ float limited(float v) { return v / (1.0f + fabsf(v)); }
} // namespace detail

namespace mix {
struct Pan {
  float left, right;
};

__global__ void drive(const float *in, float *driven, float amount, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    driven[i] = detail::limited(in[i] * amount);
}

__global__ void pan(const float *driven, float *left, float *right, Pan by,
                    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    left[i] = driven[i] * by.left;
    right[i] = driven[i] * by.right;
  }
}
} // namespace mix
} // namespace audio
