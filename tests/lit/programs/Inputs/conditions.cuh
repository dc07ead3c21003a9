#pragma once

/// Takes what is above the limit off.
__global__ void clip(float *x, float most, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (x[i] > most)
    x[i] = most;
}

namespace shades {
__global__ void tint(float *x, float by, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + by;
}
} // namespace shades
