// RUN: %kfuse %s -o %t.cu --no-horizontal -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Arrays are computed where they are read only where that takes less: not where
// it would load several arrays at places that data tell, or each element of
// them in a sector of its own, or where each is computed many times.

// CHECK-DAG: remark: fused 'one', 'listed'
// CHECK-DAG: remark: 'two' and 'listed' not fused: NoGain
// CHECK-DAG: remark: fused 'one', 'turned'
// CHECK-DAG: remark: 'three' and 'turned' not fused: NoGain
// CHECK-DAG: remark: fused 'three', 'backwards'
// CHECK-DAG: remark: fused 'one', 'torus'
// CHECK-DAG: remark: 'one' and 'window' not fused: NoGain
// CHECK: 14 launches -> 10

// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void one(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = fmaxf(a[i], 0.0f);
}

__global__ void two(const float *a, const float *b, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = fmaxf(a[i], b[i]);
}

__global__ void three(const float *a, const float *b, const float *c, float *s,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = fmaxf(fmaxf(a[i], b[i]), c[i]);
}

__global__ void listed(const float *s, const int *list, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = s[list[i]];
}

__global__ void turned(const float *s, float *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w)
    out[y * w + x] = s[x * w + y];
}

__global__ void backwards(const float *s, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = s[n - 1 - i];
}

__global__ void torus(const float *s, float *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < w)
    out[y * w + x] = s[y * w + (x + 1) % w] + s[y * w + (x + w - 1) % w] +
                     s[(y + 1) % w * w + x] + s[(y + w - 1) % w * w + x];
}

__global__ void window(const float *s, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += s[(i + k) % n];
  out[i] = sum;
}

double sumOf(const float *out, float *host, int n) {
  cudaMemcpy(host, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  return sum;
}

int main(int argc, char **) {
  const int w = argc * 64, n = w * w;
  const size_t bytes = n * sizeof(float);
  float *a, *b, *c, *out, *host = (float *)std::malloc(bytes);
  int *list;
  float *s0, *s1, *s2, *s3, *s4, *s5, *s6;
  cudaMalloc(&s0, bytes);
  cudaMalloc(&s1, bytes);
  cudaMalloc(&s2, bytes);
  cudaMalloc(&s3, bytes);
  cudaMalloc(&s4, bytes);
  cudaMalloc(&s5, bytes);
  cudaMalloc(&s6, bytes);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMalloc(&out, bytes);
  cudaMalloc(&list, n * sizeof(int));
  for (int i = 0; i < n; ++i)
    host[i] = i % 37 - 5.5f;
  cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(c, host, bytes, cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i)
    ((int *)host)[i] = i * 101 % n;
  cudaMemcpy(list, host, n * sizeof(int), cudaMemcpyHostToDevice);
  const int grid = (n + 255) / 256;
  const dim3 block(32, 8), area((w + 31) / 32, (w + 7) / 8);
  double total = 0;
  one<<<grid, 256>>>(a, s0, n);
  listed<<<grid, 256>>>(s0, list, out, n);
  total += sumOf(out, host, n);
  two<<<grid, 256>>>(a, b, s1, n);
  listed<<<grid, 256>>>(s1, list, out, n);
  total += sumOf(out, host, n);
  one<<<grid, 256>>>(a, s2, n);
  turned<<<area, block>>>(s2, out, w);
  total += sumOf(out, host, n);
  three<<<grid, 256>>>(a, b, c, s3, n);
  turned<<<area, block>>>(s3, out, w);
  total += sumOf(out, host, n);
  three<<<grid, 256>>>(a, b, c, s4, n);
  backwards<<<grid, 256>>>(s4, out, n);
  total += sumOf(out, host, n);
  one<<<grid, 256>>>(a, s5, n);
  torus<<<area, block>>>(s5, out, w);
  total += sumOf(out, host, n);
  one<<<grid, 256>>>(a, s6, n);
  window<<<grid, 256>>>(s6, out, n);
  total += sumOf(out, host, n);
  std::printf("%g\n", total);
  std::free(host);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cudaFree(out);
  cudaFree(list);
  cudaFree(s0);
  cudaFree(s1);
  cudaFree(s2);
  cudaFree(s3);
  cudaFree(s4);
  cudaFree(s5);
  cudaFree(s6);
}
