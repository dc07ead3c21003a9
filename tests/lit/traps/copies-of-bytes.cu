// RUN: %kfuse %s -o %t.cu --quiet -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
//
// What the runtime copies from the device is storage of the device, also if the
// pointer could be a text's or a record's, and it isn't known which array it is.

// CHECK-COUNT-2: 'copy' and 'twice' not fused: HostDependence: 'for (
#include <cstdio>
#include <cuda_runtime.h>

struct Cell {
  float value;
};

template <typename T> __global__ void copy(T *x, const T *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = y[i];
}

__global__ void twice(char *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * 2;
}

__global__ void twice(Cell *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i].value = x[i].value * 2;
}

int main() {
  const int n = 1000;
  char *x, *y, text[n];
  Cell *u, *v, cells[n];
  cudaMalloc(&x, n);
  cudaMalloc(&y, n);
  cudaMalloc(&u, sizeof(cells));
  cudaMalloc(&v, sizeof(cells));
  copy<<<(n + 127) / 128, 128>>>(x, y, n);
  for (const char *each : {x, y}) {
    cudaMemcpy(text, each, n, cudaMemcpyDeviceToHost);
    printf("%d\n", text[3]);
  }
  twice<<<(n + 127) / 128, 128>>>(x, n);
  cudaMemcpy(text, x, n, cudaMemcpyDeviceToHost);
  printf("%d\n", text[3]);
  copy<<<(n + 127) / 128, 128>>>(u, v, n);
  for (const Cell *each : {u, v}) {
    cudaMemcpy(cells, each, sizeof(cells), cudaMemcpyDeviceToHost);
    printf("%g\n", cells[3].value);
  }
  twice<<<(n + 127) / 128, 128>>>(u, n);
  cudaMemcpy(cells, u, sizeof(cells), cudaMemcpyDeviceToHost);
  printf("%g\n", cells[3].value);
}
