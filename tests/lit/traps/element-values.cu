// RUN: %kfuse verify %s --no-horizontal --cost-without=memory,L2,issue,flops,starts,L1 -Rkfuse 2>&1 | FileCheck %s
// CHECK-NOT: remark: fused
// CHECK: remark: fused 'scale', 'plain'
// CHECK-NOT: remark: fused
// CHECK: 14 launches ->
// CHECK-SAME: {{^ 13$}}
// CHECK: verified
//
// Readers that would be told an element from its value, or its type from a
// name for it, were the array computed where they read it: overloads and
// templates that take references, and what stands in no template as it is. Only
// the last one takes plain values.

#include <cstdio>
#include <cuda_runtime.h>

static const int n = 96;

__device__ float kind(const float &) { return 1; }
__device__ float kind(float &&) { return 2; }

template <typename T> struct Reference {
  static const int value = 1;
};
template <typename T> struct Reference<T &> {
  static const int value = 2;
};
template <typename T> __device__ float kindOf(T &&x) {
  return x + Reference<T>::value;
}

struct Kinds {
  __device__ float of(const float &x) { return x; }
  __device__ float of(float &&x) { return x + 5; }
};

template <typename T> __device__ float valueOf(T &x) { return x; }

template <typename T> struct Same {
  typedef T type;
};
template <typename T> struct Wrapped {
  T value;
  template <int N> __device__ T times() const { return value * N; }
};
template <typename T> __device__ Wrapped<T> wrap(T value) { return {value}; }

__global__ void scale(const float *a, float *s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    s[i] = a[i] * 3;
}

__global__ void overload(const float *s, const int *list, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = kind(s[list[i]]);
}
__global__ void forwarding(const float *s, const int *list, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = kindOf(s[list[i]]);
}
__global__ void method(const float *s, const int *list, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Kinds kinds;
  if (i < n)
    c[i] = kinds.of(s[list[i]]);
}
__global__ void reference(const float *s, const int *list, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = valueOf(s[list[i]]);
}
__global__ void named(const float *s, const int *list, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    auto value = s[list[i]];
    Same<decltype(value)>::type twice = value * 2;
    c[i] = twice;
  }
}
__global__ void member(const float *s, const int *list, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = wrap(s[list[i]] + 0).times<2>();
}
__global__ void plain(const float *s, const int *list, float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && s[list[i]] < 250)
    c[i] = fmaxf(s[list[i]], 30.0f);
}

void show(const float *c) {
  static float host[n];
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 5);
  std::printf("%g\n", sum);
}

int main() {
  static float host[n];
  static int numbers[n];
  for (int i = 0; i < n; ++i) {
    host[i] = i;
    numbers[i] = i * 7 % n;
  }
  float *a, *c;
  float *s0, *s1, *s2, *s3, *s4, *s5, *s6;
  int *list;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  cudaMalloc(&s0, sizeof(host));
  cudaMalloc(&s1, sizeof(host));
  cudaMalloc(&s2, sizeof(host));
  cudaMalloc(&s3, sizeof(host));
  cudaMalloc(&s4, sizeof(host));
  cudaMalloc(&s5, sizeof(host));
  cudaMalloc(&s6, sizeof(host));
  cudaMalloc(&list, sizeof(numbers));
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(c, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(list, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
  scale<<<3, 32>>>(a, s0);
  overload<<<3, 32>>>(s0, list, c);
  show(c);
  scale<<<3, 32>>>(a, s1);
  forwarding<<<3, 32>>>(s1, list, c);
  show(c);
  scale<<<3, 32>>>(a, s2);
  method<<<3, 32>>>(s2, list, c);
  show(c);
  scale<<<3, 32>>>(a, s3);
  reference<<<3, 32>>>(s3, list, c);
  show(c);
  scale<<<3, 32>>>(a, s4);
  named<<<3, 32>>>(s4, list, c);
  show(c);
  scale<<<3, 32>>>(a, s5);
  member<<<3, 32>>>(s5, list, c);
  show(c);
  scale<<<3, 32>>>(a, s6);
  plain<<<3, 32>>>(s6, list, c);
  show(c);
  cudaFree(a);
  cudaFree(c);
  cudaFree(list);
  cudaFree(s0);
  cudaFree(s1);
  cudaFree(s2);
  cudaFree(s3);
  cudaFree(s4);
  cudaFree(s5);
  cudaFree(s6);
}
