// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// A memset in front of a launch is its first stage: of zeros, or of any bytes,
// with its check or without, for a shape of one axis or of two. What isn't
// whole elements, or fuses with nothing, stays as it was.

// CHECK: remark: fused 'memset_float', 'add':
// CHECK: remark: fused 'memset_float', 'vec':
// CHECK: remark: fused 'memset_unsigned_char', 'mark':
// SAME: verified: original and fused

// OUT:      // kfuse: cudaMemset of float as a kernel.
// OUT-NEXT: static __global__ void memset_float(float *to, long long count) {
// OUT:      static __global__ void kfuse_memset_float_add(
// OUT:      const long long i = row * nx + column;
// OUT-NEXT: if (column < nx &&
// OUT-NEXT: i < 1ull * memset_float_grid.x * memset_float_block.x) {
// OUT-NEXT: memset_float_stage(make_uint3(0, 0, 0), make_uint3(i, 0, 0),
// OUT:      /* What
// OUT-NEXT:    it does. */
// OUT-NEXT: int main(
// OUT:      CHECK(cudaMemset(b, 0x3f, bytes));
// OUT-NEXT: dim3 block(32, 8)
// OUT:        kfuse_memset_float_add<<<
// OUT-NEXT:     a, (bytes) / sizeof(float), b, nx, ny,
// OUT:      } else {
// OUT-NEXT:   memset_float<<<(bytes) / sizeof(float) / 256 + 1, 256>>>(a, (bytes) / sizeof(float));
// OUT-NEXT:   add<<<grid, block>>>(a, b, nx, ny);
// OUT-NEXT: }
// OUT-NEXT: CHECK(cudaSuccess);
// OUT:      kfuse_memset_float_vec<<<{{[^(]*}}(nx, c, b, nx);
// OUT:      kfuse_memset_unsigned_char_mark<<<{{[^(]*}}(f, nx, 0xff, b, nx);
// OUT:      cudaMemset(c, 0, nx * sizeof(float) - 2);
// OUT-NEXT: vec<<<
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
// Adds to the interior.
__global__ void add(float *a, const float *b, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < nx - 1 && y < ny - 1)
    a[y * nx + x] += b[y * nx + x] + b[y*nx + x + 1];
}
__global__ void vec(float *a, const float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) a[x] += 2.f * b[x];
}
__global__ void mark(unsigned char *a, const float *b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n && b[x] > 0.5f) a[x] = 1;
}
/* What
   it does. */
int main(int argc, char **argv) {
  int nx = argc > 1 ? atoi(argv[1]) : 100, ny = 77;
  float *a, *b, *c;
  unsigned char *f;
  size_t bytes = nx * ny * sizeof(float);
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMalloc((void**)&c, nx * sizeof(float)));
  CHECK(cudaMalloc((void**)&f, nx));
  CHECK(cudaMemset(b, 0x3f, bytes));
  CHECK(cudaMemset(a, 0, bytes));
  dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  add<<<grid, block>>>(a, b, nx, ny);
  float h[9];
  unsigned char g[9];
  cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[3]);
  cudaMemset(c, 0, nx * sizeof(float));
  vec<<<(nx + 255) / 256, 256>>>(c, b, nx);
  cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[3]);
  cudaMemsetAsync(f, 0xff, nx, 0);
  mark<<<(nx + 255) / 256, 256>>>(f, b, nx);
  cudaMemcpy(g, f, sizeof g, cudaMemcpyDeviceToHost);
  printf("%g %d\n", h[3], g[4]);
  cudaMemset(c, 0, nx * sizeof(float) - 2);
  vec<<<(nx + 255) / 256, 256>>>(c, b, nx);
  cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\n", h[3]);
}
