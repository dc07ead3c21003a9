// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFY
//
// Wrappers that launch another kernel than they are given, or where its name
// would mean another one. In the last calls nobody knows the kernel before it
// runs.
//
// CHECK: no kernel launch that kfuse can follow
// VERIFY: verified: nothing was fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] += 3;
}
__global__ void twice(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] *= 2;
}
__global__ void twice(int *d, long n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] *= 4;
}
typedef void (*Kernel)(int *, int);

// It launches another kernel than it is given.
void changes(Kernel kernel, int *d, int n) {
  if (n > 500)
    kernel = add;
  kernel<<<(n + 127) / 128, 128>>>(d, n);
}
// The argument's name alone would be another kernel.
void overloaded(void (*kernel)(int *, long), int *d, int n) {
  kernel<<<(n + 127) / 128, 128>>>(d, n);
}
// A variable in it has the kernel's name.
void shadowed(Kernel kernel, int *d, int n) {
  for (int add = 0; add < 2; ++add)
    kernel<<<(n + 127) / 128, 128>>>(d, n - add);
}

int main() {
  const int n = 1000;
  int h[n];
  for (int i = 0; i < n; ++i)
    h[i] = i % 9;
  int *d;
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  changes(twice, d, n);
  changes(twice, d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  overloaded(twice, d, n);
  overloaded(twice, d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  shadowed(add, d, n);
  shadowed(add, d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  Kernel chosen = h[7] > 5 ? add : static_cast<Kernel>(twice);
  changes(chosen, d, n);
  shadowed(chosen, d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
}
