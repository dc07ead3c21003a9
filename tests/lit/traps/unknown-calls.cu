// A function of another file can't find an array whose address it never got.
// Once the address is anywhere that such a function may look, it may.
//
// RUN: rm -rf %t && mkdir %t
// RUN: echo 'int other() { return 1; } int keep(void *) { return 1; }' > %t/other.cu
// RUN: sed 's|// IN|other();|' %s > %t/other-in.cu
// RUN: %kfuse %t/other-in.cu -o %t/out.cu 2>&1 | FileCheck %s
// RUN: %kfuse verify %t/other-in.cu --link=%t/other.cu 2>&1 | FileCheck %s --check-prefix=SAME
// CHECK: kfuse_first_second = 'first', 'second'; never stored: t
// SAME: verified: original and fused
//
// DEFINE: %{in} = other();
// DEFINE: %{after} =
// DEFINE: %{stays} = sed 's|// IN|%{in}|; s|// AFTER|%{after}|' %s > %t/in.cu && %kfuse %t/in.cu -o %t/out.cu 2>&1 | FileCheck %s --check-prefix=STAYS
// STAYS: kfuse_first_second = 'first', 'second'{{$}}
//
// REDEFINE: %{in} = keep(t);
// RUN: %{stays}
// REDEFINE: %{in} = asm volatile("" : : "r"(t) : "memory");
// RUN: %{stays}
// REDEFINE: %{in} = int z = ({ cudaMemcpy(h, t, 4, cudaMemcpyDeviceToHost); 3; });
// RUN: %{stays}
// REDEFINE: %{in} = try { other(); } catch (...) { cudaMemcpy(h, t, 4, cudaMemcpyDeviceToHost); }
// RUN: %{stays}
// REDEFINE: %{in} = other();
// REDEFINE: %{after} = keep(t);
// RUN: %{stays}
// REDEFINE: %{after} = int **p = \&t; keep(p);
// RUN: %{stays}
// REDEFINE: %{after} = Box box{t, 3}; keep(\&box);
// RUN: %{stays}
// REDEFINE: %{after} = Box box; keep(\&box); box.p = t;
// RUN: %{stays}
// REDEFINE: %{after} = size_t place = (size_t)t; keep(\&place);
// RUN: %{stays}
// REDEFINE: %{after} = shown = t; keep((void *)show);
// RUN: %{stays}
#include <cstdio>
#include <cuda_runtime.h>
int other();
int keep(void *);
struct Box {
  int *p;
  int n;
};
__global__ void first(const int *a, int *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    t[i] = a[i] + 1;
}
__global__ void second(const int *t, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2 * t[i];
}
static int *shown;
static void show() {
  int h;
  cudaMemcpy(&h, shown, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h);
}
int main() {
  const int n = 4096;
  static int h[n];
  int *a, *b, *t;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&t, n * sizeof(int));
  cudaMalloc(&b, n * sizeof(int));
  // AFTER
  for (int k = 0; k < 3; ++k) {
    h[k] += k;
    cudaMemcpy(a, h, n * sizeof(int), cudaMemcpyHostToDevice);
    first<<<n / 256, 256>>>(a, t, n);
    second<<<n / 256, 256>>>(t, b, n);
    // IN
  }
  cudaMemcpy(h, b, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[2]);
  cudaFree(a);
  cudaFree(t);
  cudaFree(b);
}
