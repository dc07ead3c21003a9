// What is stored has no type of its own.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void one(const float2 *x, float2 *y, float v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = {x[i].x * v, x[i].y * v};
}
__global__ void two(const float2 *x, float2 *y, float v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 t = x[i];
  y[i] = make_float2(t.x + v, t.y + v);
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  static float2 h[4096], zeros[4096];
  for (int k = 0; k < n; ++k)
    h[k] = make_float2(k % 31, k % 7);
  float2 *a, *b, *c, *d;
  cudaMalloc(&a, n * sizeof(*h));
  cudaMalloc(&b, n * sizeof(*h));
  cudaMalloc(&c, n * sizeof(*h));
  cudaMalloc(&d, n * sizeof(*h));
  cudaMemcpy(a, h, n * sizeof(*h), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, n * sizeof(*h), cudaMemcpyHostToDevice);
  cudaMemcpy(c, zeros, n * sizeof(*h), cudaMemcpyHostToDevice);
  one<<<blocks, 128>>>(a, b, 0.3f, n);
  two<<<blocks, 128>>>(b, c, 0.7f, n);
  cudaMemcpy(h, c, n * sizeof(*h), cudaMemcpyDeviceToHost);
  unsigned long sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 31 + h[k].x;
  printf("%lu\n", sum);
}
