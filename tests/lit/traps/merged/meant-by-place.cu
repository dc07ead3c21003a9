// RUN: %kfuse verify %s 2>&1 | FileCheck %s
//
// What a call means depends on where it stands and on the types of what it
// gets. An overload, or a namespace whose names are used, may come between two
// kernels; a parameter may be constant, or point to what is, in one of them.
//
// CHECK: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

struct Field {
  float *p;
  int n;
  __device__ int size() const { return n; }
  __device__ int size() { return n / 2; }
};

__device__ int first(int i, long) { return i; }
__global__ void fill(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[first(i, 0)] = a[i] + 1;
}
__device__ int first(int i, int) { return 1023 - i; }
__global__ void twice(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] * 2;
}

__device__ float scaled(double v) { return 2 * v; }
__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = scaled(a[i]);
}
namespace other {
__device__ float scaled(float v) { return 3 * v; }
} // namespace other
using namespace other;
__global__ void shift(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1;
}

__device__ int place(float *, int i) { return i; }
__device__ int place(const float *, int i) { return 1023 - i; }
__global__ void put(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[place(b, i)] = a[i] + 2;
}
__global__ void take(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[place(b, i)] = b[1023 - place(b, i)] * 3;
}

__global__ void half(Field a, Field b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < b.size())
    b.p[i] = a.p[i] + 3;
}
__global__ void whole(const Field b, Field c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < b.size())
    c.p[i] = b.p[i] * 4;
}

static float host[1024];
static void show(const float *device) {
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < 1024; ++i)
    sum += host[i] * (i % 31);
  printf("%g\n", sum);
}

int main() {
  const int n = 1024;
  float *a, *b, *c;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  for (int i = 0; i < n; ++i)
    host[i] = i % 13;
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(b, 0, sizeof host);
  fill<<<8, 128>>>(a, b, n);
  twice<<<8, 128>>>(b, c, n);
  show(b);
  show(c);
  scale<<<8, 128>>>(a, b, n);
  shift<<<8, 128>>>(b, c, n);
  show(b);
  show(c);
  put<<<8, 128>>>(a, b, n);
  take<<<8, 128>>>(b, c, n);
  show(b);
  show(c);
  Field from{a, n}, to{b, n}, last{c, n};
  half<<<8, 128>>>(from, to);
  whole<<<8, 128>>>(to, last);
  show(b);
  show(c);
}
