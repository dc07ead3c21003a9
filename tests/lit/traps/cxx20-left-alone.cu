// RUN: %kfuse verify %s --std=c++20
// RUN: %kfuse %s --std=c++20 --no-runtime-checks --quiet -o %t.cu
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// What C++20 has in kernels and stages can't have, or kfuse doesn't follow.

#include <compare>
#include <cstdio>
#include <cuda_runtime.h>
#include <new>

static const int n = 1000;
static float host[n];

__global__ void twice(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}

__global__ void __maxnreg__(64) registers(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void __cluster_dims__(2, 1, 1) cluster(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

struct Pair { int n, m; };
__global__ void constantParameter(const float *x, float *y, const __grid_constant__ Pair p) {
  int n = p.n;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void abbreviated(const auto *x, auto *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

template <typename... T> __global__ void pack(const float *x, float *y, int n, T... t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + (t + ... + 0);
}

template <typename... T> __global__ void packOfOne(const float *x, float *y, T... t) {
  int n = (t + ... + 0);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

template <typename... T> __global__ void emptyPack(const float *x, float *y, int n, T... t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + sizeof...(t);
}

struct Shift { int by; };
template <Shift S> __global__ void classValue(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + S.by;
}

__global__ void byReference(const float *x, float *y, const int &n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + 1;
}

__global__ void staticCounter(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static int counter;
  if (i == 0)
    counter += 1;
  __syncthreads();
  if (i == 0)
    y[i] = x[i] + counter;
}

__global__ void jumps(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    goto end;
  y[i] = x[i] + 1;
end:;
}

__global__ void jumpsToo(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    goto write;
  return;
write:
  y[i] = x[i] + 2;
  goto end;
end:
  return;
}

__global__ void labelAddress(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  void *next = i < n ? &&write : &&end;
  goto *next;
write:
  y[i] = x[i] + 2;
end:;
}

__global__ void bindings(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  struct Two {
    float a, b;
  };
  if (i < n) {
    auto [a, b] = Two{x[i], 1};
    y[i] = a + b;
  }
}

__global__ void ranges(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  const float values[] = {1, 2, 3};
  for (float each : values)
    sum += each;
  for (int k = 2; float each : values)
    sum += k * each;
  if (i < n)
    y[i] = x[i] + sum;
}

__device__ int place(int line = __builtin_LINE()) { return line; }

__global__ void defaultPlace(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + place() % 7;
}

__global__ void functionName(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + sizeof(__func__);
}

__global__ void prettyName(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + sizeof(__PRETTY_FUNCTION__);
}

__global__ void lineNumber(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] + __builtin_LINE() % 7;
}

__global__ void parenthesised(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  struct Two {
    float a, b;
  };
  if (i < n) {
    Two two(x[i], 2);
    y[i] = two.a + two.b;
  }
}

__global__ void news(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    alignas(4) unsigned char raw[4];
    float *v = new (raw) float(x[i]);
    y[i] = *v;
  }
}

__global__ void whileLoop(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = 0;
  while (int left = 3 - k)
    k += left > 0;
  if (i < n)
    y[i] = x[i] + k;
}

static void show(const char *name, const float *array) {
  cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%s %g %g\n", name, host[1], host[700]);
}

int main() {
  float *x, *y, *z;
  cudaMalloc(&x, sizeof(host));
  cudaMalloc(&y, sizeof(host));
  cudaMalloc(&z, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(y, 0, sizeof(host));
  // OUT: {{^ *}}registers<<<8, 128>>>(x, y, n);
  registers<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("registers", z);
  // OUT: {{^ *}}cluster<<<8, 128>>>(x, y, n);
  cluster<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("cluster", z);
  // OUT: {{^ *}}constantParameter<<<8, 128>>>(x, y, Pair{n, 0});
  constantParameter<<<8, 128>>>(x, y, Pair{n, 0});
  twice<<<8, 128>>>(y, z, n);
  show("constantParameter", z);
  // OUT: {{^ *}}abbreviated<<<8, 128>>>(x, y, n);
  abbreviated<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("abbreviated", z);
  // OUT: {{^ *}}pack<<<8, 128>>>(x, y, n, 1, 2);
  pack<<<8, 128>>>(x, y, n, 1, 2);
  twice<<<8, 128>>>(y, z, n);
  show("pack", z);
  // OUT: {{^ *}}packOfOne<<<8, 128>>>(x, y, n);
  packOfOne<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("packOfOne", z);
  // OUT: {{^ *}}emptyPack<<<8, 128>>>(x, y, n);
  emptyPack<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("emptyPack", z);
  // OUT: {{^ *}}classValue<Shift{3}><<<8, 128>>>(x, y, n);
  classValue<Shift{3}><<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("classValue", z);
  // OUT: {{^ *}}byReference<<<8, 128>>>(x, y, n);
  byReference<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("byReference", z);
  // OUT: {{^ *}}staticCounter<<<8, 128>>>(x, y, n);
  staticCounter<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("staticCounter", z);
  // OUT: {{^ *}}jumps<<<8, 128>>>(x, y, n);
  jumps<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("jumps", z);
  // OUT: {{^ *}}jumpsToo<<<8, 128>>>(x, y, n);
  jumpsToo<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("jumpsToo", z);
  // OUT: {{^ *}}labelAddress<<<8, 128>>>(x, y, n);
  labelAddress<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("labelAddress", z);
  // OUT: {{^ *}}bindings<<<8, 128>>>(x, y, n);
  bindings<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("bindings", z);
  // OUT: {{^ *}}ranges<<<8, 128>>>(x, y, n);
  ranges<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("ranges", z);
  // OUT: {{^ *}}defaultPlace<<<8, 128>>>(x, y, n);
  defaultPlace<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("defaultPlace", z);
  // OUT: {{^ *}}functionName<<<8, 128>>>(x, y, n);
  functionName<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("functionName", z);
  // OUT: {{^ *}}prettyName<<<8, 128>>>(x, y, n);
  prettyName<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("prettyName", z);
  // OUT: {{^ *}}lineNumber<<<8, 128>>>(x, y, n);
  lineNumber<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("lineNumber", z);
  // OUT: {{^ *}}parenthesised<<<8, 128>>>(x, y, n);
  parenthesised<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("parenthesised", z);
  // OUT: {{^ *}}news<<<8, 128>>>(x, y, n);
  news<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("news", z);
  // OUT: {{^ *}}whileLoop<<<8, 128>>>(x, y, n);
  whileLoop<<<8, 128>>>(x, y, n);
  twice<<<8, 128>>>(y, z, n);
  show("whileLoop", z);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
