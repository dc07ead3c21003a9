// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %code %t.cu | FileCheck %s --check-prefix=TEXT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=VERIFY
// REMARK: 'sum' and 'last' not fused: KernelUnsupported: 'last' uses loads through the read-only path (__ldg) of arrays that the group writes
// REMARK: call it in the kernel's own text, or load plainly
// VERIFY: 8 launches -> 4
// VERIFY: verified: original and fused
//
// What `__ldg` loads may be a value that passes in a register. What stays in
// memory is loaded plainly if the fused kernel writes it.
//
// TEXT-LABEL: void kfuse_twice_more(
// TEXT:         int i = blockIdx.x * blockDim.x + threadIdx.x;
// TEXT-NEXT:    if (i < n) {
// TEXT-NEXT:      // twice
// TEXT-NEXT:      float b_value = __fmul_rn(2.0f, __ldg(&a[i]));
// TEXT-NEXT:      b[i] = b_value;
// TEXT:           c[i] = b_value + 1.0f + b_value;
// TEXT:       void pairs_at(
// TEXT:           d[i] = b[i] + (*(later + i - 1 + 1)) + table[i % 4];
// TEXT:       void kfuse_memset_float_around_sum(
// TEXT:           = d[i2 - 1] - (*(d + i2 + 1));

#include <cstdio>
#include <cuda_runtime.h>

#define AT(p, i) ((p) + (i))

struct Grid {
  const float *values;
  int count;
};

__global__ void twice(const float *__restrict__ a, float *__restrict__ b,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 2.0f * __ldg(&a[i]);
}

__global__ void more(const float *__restrict__ b, float *__restrict__ c,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = __ldg(b + i) + 1.0f + __ldcs(&b[i]);
}

// The other element of the thread comes from memory, as does the table's.
__global__ void pairs(const float *__restrict__ b, float *__restrict__ d,
                      const float *__restrict__ table, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float *later = b + n;
    d[i] = __ldg(&b[i]) + __ldg(later + i - 1 + 1) + __ldg(&table[i % 4]);
    d[i + n] = 1.0f;
  }
}
__global__ void both(float *__restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    b[i] = i;
    b[i + n] = i + 1;
  }
}

__global__ void around(const float *__restrict__ d, float *__restrict__ e,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    e[i] = __ldg(&d[i - 1]) - __ldg(d + i + 1);
}

__global__ void sum(Grid grid, float *__restrict__ f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < grid.count)
    f[i] = __ldg(&grid.values[i]) + __ldg(AT(grid.values, i));
}

__device__ float fetch(const float *p, int i) { return __ldg(p + i); }

__global__ void last(const float *__restrict__ f, float *__restrict__ g,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    g[i] = fetch(f, i);
}

int main() {
  const int n = 1 << 12;
  const std::size_t bytes = 2 * n * sizeof(float);
  float *a, *b, *c, *d, *e, *f, *table;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMalloc(&d, bytes);
  cudaMalloc(&e, bytes);
  cudaMalloc(&f, bytes);
  cudaMalloc(&table, 4 * sizeof(float));
  cudaMemset(a, 1, bytes);
  cudaMemset(e, 0, bytes);
  cudaMemset(table, 2, 4 * sizeof(float));
  twice<<<n / 256, 256>>>(a, b, n);
  more<<<n / 256, 256>>>(b, c, n);
  float before[8];
  cudaMemcpy(before, b, sizeof(before), cudaMemcpyDeviceToHost);
  both<<<n / 256, 256>>>(b, n);
  pairs<<<n / 256, 256>>>(b, d, table, n);
  around<<<n / 256, 256>>>(d, e, n);
  sum<<<n / 256, 256>>>(Grid{e, n}, f);
  last<<<n / 256, 256>>>(f, a, n);
  float results[3][8];
  cudaMemcpy(results[0], c, sizeof(results[0]), cudaMemcpyDeviceToHost);
  cudaMemcpy(results[1], d, sizeof(results[1]), cudaMemcpyDeviceToHost);
  cudaMemcpy(results[2], a, sizeof(results[2]), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i)
    std::printf("%g %g %g %g\n", before[i], results[0][i], results[1][i],
                results[2][i]);
  return 0;
}
