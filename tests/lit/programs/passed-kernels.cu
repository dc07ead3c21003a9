// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFY
//
// Wrappers that are given the kernel: by a pointer or a reference to it, as a
// template's argument, with its arguments as a pack. Its launch is one like
// another once the wrapper's statements stand for the call.
//
// CHECK: 10 launches -> 5
// OUT: kfuse_add_twice<<<
// OUT: kfuse_add_twice{{[^<]*}}<<<
// OUT: kfuse_scale_less<<<
// OUT: kfuse_add_less<<<
// OUT: kfuse_twice_scale<<<
// VERIFY: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>
#include <utility>

__global__ void add(int *d, int v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] += v;
}
__global__ void twice(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] *= 2;
}
template <typename T, int By> __global__ void scale(T *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] *= By;
}
namespace app {
__global__ void less(int *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] -= 3;
}
} // namespace app

template <typename K, typename... A>
void forwarded(K kernel, int n, A &&...args) {
  kernel<<<(n + 127) / 128, 128>>>(std::forward<A>(args)...);
}
template <typename... P, typename... A>
void converted(void (*kernel)(P...), dim3 grid, dim3 block, A... args) {
  kernel<<<grid, block>>>(static_cast<P>(args)...);
}
template <typename K, typename... A> void outer(K kernel, int n, A... args) {
  forwarded(kernel, n, args...);
}
template <auto Kernel, typename... A> void given(int n, const A &...args) {
  Kernel<<<(n + 127) / 128, 128>>>(args...);
}
template <typename K> void referred(K &&kernel, int *d, int n) {
  kernel<<<(n + 127) / 128, 128>>>(d, n);
}

int main() {
  const int n = 1000;
  int h[n];
  for (int i = 0; i < n; ++i)
    h[i] = i % 9;
  int *d;
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  forwarded(add, n, d, 3, n);
  forwarded(twice, n, d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  converted(add, (n + 127) / 128, 128, d, short(5), n);
  converted(&twice, (n + 127) / 128, 128, d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  outer(scale<int, 3>, n, d, n);
  outer(app::less, n, d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  given<add>(n, d, 3, n);
  given<app::less>(n, d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  referred(twice, d, n);
  referred(scale<int, 7>, d, n);
  cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[7]);
  cudaFree(d);
}
