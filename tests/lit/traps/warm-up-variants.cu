// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// A benchmark runs two variants into one output and times each: joining them,
// or dropping the first because its result is overwritten, would destroy what
// is measured.

// CHECK: remark: 'plain' and 'tuned' not fused: TimingCode: {{.+}} [-Rkfuse-missed]
// OUT: plain<<<
// OUT: tuned<<<
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__global__ void plain(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 3 * A[i];
}

__global__ void tuned(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + A[i] + A[i];
}

int main() {
  float *A = filled(), *B = filled();

  cudaEvent_t start, middle, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&middle);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  plain<<<(n + 127) / 128, 128>>>(A, B, n);
  cudaEventRecord(middle);
  tuned<<<(n + 127) / 128, 128>>>(A, B, n);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float first, second;
  cudaEventElapsedTime(&first, start, middle);
  cudaEventElapsedTime(&second, middle, stop);
  fprintf(stderr, "%f %f\n", first, second);

  printSum(A, B);
}
