// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// A border is often tested for by equality. What isn't equal to the last index,
// and no greater, is less, so a neighbour is in the array.
//
// CHECK: 4 launches -> 2
// CHECK: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void gamma(const float *in, float *lit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    lit[i] = sqrtf(in[i]);
}

__global__ void blur(const float *lit, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i == 0 || i == n - 1) {
    out[i] = lit[i];
    return;
  }
  out[i] = (lit[i - 1] + lit[i] + lit[i + 1]) / 3;
}

__global__ void level(const float *in, float *levelled, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    levelled[y * w + x] = fmaxf(in[y * w + x], 2);
}

__global__ void edges(const float *levelled, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    if (x != 0 && x != w - 1 && y != 0 && y != h - 1)
      out[y * w + x] = levelled[y * w + x + 1] - levelled[y * w + x - 1] +
                       levelled[(y + 1) * w + x] - levelled[(y - 1) * w + x];
    else
      out[y * w + x] = 0;
  }
}

int main() {
  const int w = 100, h = 37, n = w * h;
  static float host[n];
  float *in, *lit, *blurred, *levelled, *edged;
  for (int i = 0; i < n; ++i)
    host[i] = i % 19;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&lit, sizeof(host));
  cudaMalloc(&blurred, sizeof(host));
  cudaMalloc(&levelled, sizeof(host));
  cudaMalloc(&edged, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  gamma<<<(n + 127) / 128, 128>>>(in, lit, n);
  blur<<<(n + 127) / 128, 128>>>(lit, blurred, n);
  cudaMemcpy(host, blurred, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", host[0], host[200], host[n - 1]);
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  level<<<grid, block>>>(in, levelled, w, h);
  edges<<<grid, block>>>(levelled, edged, w, h);
  cudaMemcpy(host, edged, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", host[0], host[350], host[n - 1]);
  cudaFree(in);
  cudaFree(lit);
  cudaFree(blurred);
  cudaFree(levelled);
  cudaFree(edged);
}
