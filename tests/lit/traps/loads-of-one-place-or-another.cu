// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Where `p` is `__restrict__` and nobody writes there, nvcc 13 makes one load of `c ? q[i] : p[i]`, one that may be
// served before the thread's own store to `q`. So no pointer that is only read is `__restrict__` in a kernel that loads
// what it has stored.

// CHECK: 4 launches -> 2
// OUT: void kfuse_chooseOld_twice(
// OUT-NEXT: const float *p, float *q, int n, float *__restrict__ s) {
// OUT: void kfuse_add_addTwice(
// OUT-NEXT: const float *__restrict__ p, int n, float *__restrict__ r) {
#include <cstdio>
#include <cuda_runtime.h>

__global__ void chooseOld(const float *p, float *q, float *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    q[i] = p[i] + 1;
    r[i] = i % 2 == 1 ? q[i] : p[i];
  }
}

__global__ void twice(const float *r, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = r[i] * 2;
}

__global__ void add(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    q[i] = p[i] + 1;
}

__global__ void addTwice(const float *p, const float *q, float *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    r[i] = i % 2 == 1 ? q[i] : p[i];
}

int main() {
  const int n = 4000;
  float *a, *b, *c, *d, *e, *f, *g;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMalloc(&e, n * sizeof(float));
  cudaMalloc(&f, n * sizeof(float));
  cudaMalloc(&g, n * sizeof(float));
  float *host = new float[n];
  for (int i = 0; i < n; ++i)
    host[i] = i * 0.25f;
  cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(e, host, n * sizeof(float), cudaMemcpyHostToDevice);
  chooseOld<<<(n + 127) / 128, 128>>>(a, b, c, n);
  twice<<<(n + 127) / 128, 128>>>(c, d, n);
  cudaDeviceSynchronize();
  add<<<(n + 127) / 128, 128>>>(e, f, n);
  addTwice<<<(n + 127) / 128, 128>>>(e, f, g, n);
  double sum = 0;
  cudaMemcpy(host, b, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, d, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, g, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  std::printf("%.1f\n", sum);
  delete[] host;
}
