// RUN: %kfuse %s -o %t.cu
// RUN: %code %t.cu | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Data tell which elements of the tables are read, so no range of them can be
// tested against what is written. The driver tells whether they are of other
// allocations. Here they are at times; at others they share one with what is
// written, or are the same array. A null pointer leads into none.
//
// SAME: verified: original and fused
// SAME: its test held 6 of 9 times
// SAME: its test held 6 of 12 times
//
// CHECK:      static inline bool kfuseSeparate(
// CHECK:      void shade(
// CHECK-NEXT:   if (kfuseSeparate(x, table) &&
// CHECK-NEXT:       kfuseDisjoint(x, 0, 4 * (long long)n, out, 0, 4 * (long long)n)) {
// CHECK:      void mix(
// CHECK:        if (kfuseSeparate({z}, {y, sum}) &&
// CHECK-NEXT:       kfuseDisjoint(
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

__global__ void fill(float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = (i % 7) * a;
}

__global__ void look(float *out, const float *x, const float *table, int size,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = table[min(max(int(x[i]), 0), size - 1)];
}

__global__ void tint(float *x, const float *table, const int *where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = table ? x[i] + table[where[i] % 16] : 2 * x[i];
}

__global__ void gather(float *y, const float *x, const int *where, float *sum,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = x[i] + 1;
    sum[i] = where[i] / 2;
  }
}

__global__ void add(float *y, const float *z, const int *where, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = y[i] + z[where[i]];
}

void shade(float *out, float *x, const float *table, int size, int n) {
  fill<<<(n + 127) / 128, 128>>>(x, 2, n);
  look<<<(n + 127) / 128, 128>>>(out, x, table, size, n);
}

void colour(float *x, const float *table, const int *where, int n) {
  fill<<<(n + 127) / 128, 128>>>(x, 3, n);
  tint<<<(n + 127) / 128, 128>>>(x, table, where, n);
}

void mix(float *y, const float *x, const float *z, const int *where, float *sum,
         int n) {
  gather<<<(n + 127) / 128, 128>>>(y, x, where, sum, n);
  add<<<(n + 127) / 128, 128>>>(y, z, where, n);
}

int main() {
  const int n = 1000, size = 16;
  std::vector<float> host(2 * n);
  std::vector<int> places(n);
  for (int i = 0; i < n; ++i) {
    host[i] = host[n + i] = (float)(i % 37);
    places[i] = i * 7 % n;
  }
  float *x, *y, *z, *table, *sum;
  int *where;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, 2 * n * sizeof(float));
  cudaMalloc(&z, n * sizeof(float));
  cudaMalloc(&table, size * sizeof(float));
  cudaMalloc(&sum, n * sizeof(float));
  cudaMalloc(&where, n * sizeof(int));
  cudaMemcpy(where, places.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const auto show = [&](const float *from, int count) {
    cudaMemcpy(host.data(), from, count * sizeof(float),
               cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i)
      printf("%g ", host[i]);
    printf("\n");
  };
  for (float *each : {x, z, sum})
    cudaMemcpy(each, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(y, host.data(), 2 * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(table, host.data(), size * sizeof(float), cudaMemcpyHostToDevice);
  const float *const tables[] = {table, x, table};
  for (const float *each : tables) {
    shade(y, x, each, size, n);
    show(y, n);
  }
  const float *const tints[] = {table, nullptr};
  for (const float *each : tints) {
    colour(x, each, where, n);
    show(x, n);
  }
  const float *const others[] = {z, y + n, z, y};
  for (const float *each : others) {
    mix(y, x, each, where, sum, each == y ? 1 : n);
    show(y, 2 * n);
    show(sum, n);
  }
  for (float *each : {x, y, z, table, sum})
    cudaFree(each);
  cudaFree(where);
}
