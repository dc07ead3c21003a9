// RUN: %kfuse %s -o %t.cu --elements-per-thread=1 --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// What the user says of coordinates and guards stays: behind a coordinate where
// it stood there, else above the kernel's statements.
//
// CHECK: verified: original and fused
//
// OUT:        int column = blockIdx.x * blockDim.x + threadIdx.x; // from the left
// OUT-NEXT:   int row = blockIdx.y * blockDim.y + threadIdx.y; // from above
// OUT-NEXT:   if (column >= w || row >= h)
// OUT-NEXT:     return;
// OUT-NEXT:   int at = row * w + column; // in rows
// OUT-EMPTY:
// OUT-NEXT:   // brighten
// OUT-NEXT:   // Adds light.
// OUT-NEXT:   // One thread a pixel.
// OUT-NEXT:   // nothing beyond the image
// OUT-NEXT:   // the sum
// OUT-NEXT:   float lit = in[at] + 1; // a little
// OUT-EMPTY:
// OUT-NEXT:   // darken
// OUT-NEXT:   // As before.
// OUT-NEXT:   out[row * w + column] = lit - 3;
#include <cstdio>
#include <cuda_runtime.h>

// Adds light.
__global__ void brighten(const float *in, float *lit, int w, int h) {
  // One thread a pixel.
  int column = blockIdx.x * blockDim.x + threadIdx.x; // from the left
  int row = blockIdx.y * blockDim.y + threadIdx.y;    // from above
  if (column >= w || row >= h)
    return; // nothing beyond the image
  int at = row * w + column; // in rows
  // the sum
  lit[at] = in[at] + 1; // a little
}

__global__ void darken(const float *lit, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  // As before.
  if (x >= w || y >= h)
    return;
  out[y * w + x] = lit[y * w + x] - 3;
}

int main() {
  const int w = 40, h = 30;
  float *in, *lit, *out, host[w * h];
  for (int i = 0; i < w * h; ++i)
    host[i] = i % 9;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&lit, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
  brighten<<<grid, block>>>(in, lit, w, h);
  darken<<<grid, block>>>(lit, out, w, h);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%f\n", host[5]);
}
