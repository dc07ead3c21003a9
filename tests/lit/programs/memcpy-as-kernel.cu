// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// A copy within the device is a stage of what stands beside it, in front or
// behind, with its check or without, of a part of an array too. A copy to the
// host, one whose direction isn't said, one of another type, and one that
// fuses with nothing stay as they were. A copy over what a stencil still reads
// goes to an array that nobody needs.

// CHECK: remark: fused 'memcpy_float', 'step':
// CHECK: remark: fused 'step', 'memcpy_float':
// CHECK: remark: fused 'laplace', 'add', 'memcpy_float':
// CHECK: remark: writing the new old into lap becomes a swap of old with lap
// SAME: verified: original and fused

// Nothing launches the kernel by itself: there are only its statements.
// OUT-NOT:  void memcpy_float(
// OUT:      void kfuse_memcpy_float_step(
// OUT:      long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
// OUT:      if (i < count) {
// OUT-NEXT: // memcpy_float
// OUT-NEXT: // kfuse: cudaMemcpy of float as a kernel.
// OUT-NEXT: to[i] = from[i];
// OUT-NOT:  void memcpy_float(
// OUT:      {{^}}int main() {
// OUT:      cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
// OUT:      kfuse_memcpy_float_step<<<{{.*}}(old, a, (bytes) / sizeof(float), n);
// OUT-NEXT: CHECK(cudaSuccess);
// OUT-NEXT: SHOW(a);
// OUT-NEXT: SHOW(old);
// OUT-NEXT: kfuse_step_memcpy_float<<<{{.*}}(a, n, old, (n - 10));
// OUT-NEXT: SHOW(a);
// OUT-NEXT: SHOW(old);
// OUT-NEXT: cudaMemcpy(old, h, bytes, cudaMemcpyHostToDevice);
// OUT-NEXT: kfuse_laplace_add_memcpy_float<<<
// OUT-NEXT: old, n, a, bytes / sizeof(float), lap);
// OUT-NEXT: kfuseSwap(old, lap);
// OUT-NEXT: SHOW(a);
// OUT-NEXT: SHOW(old);
// OUT-NEXT: cudaMemcpy(old, a, bytes, cudaMemcpyDefault);
// OUT-NEXT: step<<<
// OUT:      cudaMemcpy(old, marks, n, cudaMemcpyDeviceToDevice);
// OUT-NEXT: step<<<
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t status = call;                                                 \
    if (status != cudaSuccess) {                                               \
      printf("%s\n", cudaGetErrorString(status));                              \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

__global__ void step(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i] * 0.5f + 1;
}

__global__ void laplace(const float *u, float *lap, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    lap[i] = i > 0 && i < n - 1 ? u[i - 1] - 2 * u[i] + u[i + 1] : 0;
}

__global__ void add(float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += b[i];
}

void show(const float *h, int n) {
  float all = 0;
  for (int i = 0; i < n; ++i)
    all += h[i] * (i % 7);
  printf("%g\n", all);
}
#define SHOW(d)                                                                \
  cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);                             \
  show(h, n)

int main() {
  const int n = 1000, blocks = (n + 255) / 256;
  const size_t bytes = n * sizeof(float);
  static float h[n];
  for (int i = 0; i < n; ++i)
    h[i] = i % 23;
  float *a, *old, *lap;
  unsigned char *marks;
  cudaMalloc(&a, bytes);
  cudaMalloc(&old, bytes);
  cudaMalloc(&lap, bytes);
  cudaMalloc(&marks, bytes);
  cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
  cudaMemset(marks, 1, bytes);
  cudaDeviceSynchronize();
  CHECK(cudaMemcpy(old, a, bytes, cudaMemcpyDeviceToDevice));
  step<<<blocks, 256>>>(a, n);
  SHOW(a);
  SHOW(old);
  step<<<blocks, 256>>>(a, n);
  cudaMemcpyAsync(old, a, (n - 10) * sizeof(float), cudaMemcpyDeviceToDevice);
  SHOW(a);
  SHOW(old);
  cudaMemcpy(old, h, bytes, cudaMemcpyHostToDevice);
  laplace<<<blocks, 256>>>(old, lap, n);
  add<<<blocks, 256>>>(a, lap, n);
  cudaMemcpy(old, a, bytes, cudaMemcpyDeviceToDevice);
  SHOW(a);
  SHOW(old);
  cudaMemcpy(old, a, bytes, cudaMemcpyDefault);
  step<<<blocks, 256>>>(a, n);
  SHOW(a);
  SHOW(old);
  cudaMemcpy(old, marks, n, cudaMemcpyDeviceToDevice);
  step<<<blocks, 256>>>(a, n);
  SHOW(a);
  SHOW(old);
  cudaFree(a);
  cudaFree(old);
  cudaFree(lap);
  cudaFree(marks);
}
