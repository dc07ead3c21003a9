// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %code %t.cu | FileCheck %s --check-prefix=APART
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Launches in wrappers, each with its shape and its check, as a library of
// layers has them. The calls that stand beside each other give way to the
// wrappers' statements; the call that stands alone stays, and so do the
// wrappers.

// CHECK: wrappers.cu:[[@LINE+57]]:3: remark: fused 'scale_kernel', 'shift_kernel'
// CHECK-NOT: 'gelu_kernel' {{.*}} DifferentRegion

// OUT:      {{^}}void scale_forward(float *out, const float *inp, float by, int N,
// OUT-NEXT:                    int block_size) {
// OUT-NEXT:   // The same shape for all.
// OUT-NEXT:   const int grid_size = CEIL_DIV(N, block_size);
// OUT-NEXT:   scale_kernel<<<grid_size, block_size>>>(out, inp, by, N);
// OUT-NEXT:   cudaCheck(cudaGetLastError());
// OUT:      {{^}}int main() {
// OUT:      {{^}}  // From scale_forward():
// OUT-NEXT: float scale_forward_by = 0.5f * N;
// OUT-NEXT: // The same shape for all.
// OUT-NEXT: const int scale_forward_grid_size = CEIL_DIV(N, 256);
// OUT-NEXT: // From shift_forward():
// OUT-NEXT: float shift_forward_by = 1;
// OUT-NEXT: int shift_forward_N = size;
// OUT-NEXT: int shift_forward_grid_size = CEIL_DIV(shift_forward_N, 256);
// OUT-NEXT: shift_forward_grid_size += 0;
// OUT:      kfuse_scale_kernel_shift_kernel<<<
// OUT:      cudaCheck(cudaGetLastError());
// OUT-NEXT: cudaCheck(cudaGetLastError());
// OUT-NEXT: cudaCheck(cudaMemcpy(
// APART:    {{^}}int main() {
// APART:    {{^}}  if (N > 10) {
// APART-NEXT: scale_forward(d_out, d_c, 3, N, 128); // in place
// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))

static void cudaCheck(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess) {
    printf("%s:%d: %s\n", file, line, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
  }
}
#define cudaCheck(error) (cudaCheck(error, __FILE__, __LINE__))

__global__ void scale_kernel(float *out, const float *inp, float by, int N) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < N)
    out[idx] = inp[idx] * by;
}

__global__ void shift_kernel(float *out, const float *inp, float by, int N) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < N)
    out[idx] = inp[idx] + by;
}

void scale_forward(float *out, const float *inp, float by, int N,
                   int block_size) {
  // The same shape for all.
  const int grid_size = CEIL_DIV(N, block_size);
  scale_kernel<<<grid_size, block_size>>>(out, inp, by, N);
  cudaCheck(cudaGetLastError());
}

void shift_forward(float *out, const float inp[], float by, int N,
                   int block_size) {
  int grid_size = CEIL_DIV(N, block_size);
  grid_size += 0;
  shift_kernel<<<grid_size, block_size>>>(out, inp, by, N);
  cudaCheck(cudaGetLastError());
}

int main() {
  const int N = 1000;
  const size_t size = N;
  static float host[N];
  for (int i = 0; i < N; ++i)
    host[i] = i % 37;
  float *d_a, *d_b, *d_c, *d_out;
  cudaCheck(cudaMalloc(&d_a, sizeof(host)));
  cudaCheck(cudaMalloc(&d_b, sizeof(host)));
  cudaCheck(cudaMalloc(&d_c, sizeof(host)));
  cudaCheck(cudaMalloc(&d_out, sizeof(host)));
  cudaCheck(cudaMemcpy(d_a, host, sizeof(host), cudaMemcpyHostToDevice));
  scale_forward(d_b, d_a, 0.5f * N, N, 256);
  shift_forward(d_c, d_b, 1, size, 256);
  cudaCheck(cudaMemcpy(host, d_c, sizeof(host), cudaMemcpyDeviceToHost));
  float sum = 0;
  for (int i = 0; i < N; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
  if (N > 10) {
    scale_forward(d_out, d_c, 3, N, 128); // in place
  }
  cudaCheck(cudaMemcpy(host, d_out, sizeof(host), cudaMemcpyDeviceToHost));
  printf("%.3f\n", host[17]);
  cudaCheck(cudaFree(d_a));
  cudaCheck(cudaFree(d_b));
  cudaCheck(cudaFree(d_c));
  cudaCheck(cudaFree(d_out));
}
