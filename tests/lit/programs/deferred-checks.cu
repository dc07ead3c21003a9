// RUN: %kfuse %s -o %t.cu -Rkfuse --sink-fatal-checks 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s --sink-fatal-checks 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not %kfuse verify %s --sink-fatal-checks -- 1 2>&1 | FileCheck %s --check-prefix=FIRES
// RUN: %kfuse %s -o - 2>&1 | FileCheck %s --check-prefix=NOT
//
// A check that fetches a flag and ends the program stands between two launches.
// Where the user lets it come later they are fused, and so is a third launch,
// in the arm of a branch behind the check. A check that fires ends the program
// as before; all that differs is what nobody sees any more.

// CHECK-DAG: remark: fused 'first', 'second'
// CHECK-DAG: remark: fused 'first', 'third'
// CHECK: 8 launches -> 4
// NOT: 8 launches -> 8

// OUT:      {{^}}int main(
// OUT:      {{^}}  // What second needs.
// OUT-NEXT: kfuse_first_second<<<
// OUT-NEXT: cudaMemcpy(&bad, flag,
// OUT-NEXT: {{^}}  if (bad != 0) {
// OUT-NEXT: printf("negative\n");
// OUT-NEXT: exit(2);
// OUT-NEXT: {{^}}  }
// The whole array is looked at.
// OUT:      kfuse_first_second_2<<<
// OUT-NEXT: cudaMemcpy(host, B,
// OUT-NEXT: {{^}}  for (int i = 0; i < n; ++i)
// OUT-NEXT: {{^}}    if (host[i] < 0)
// OUT-NEXT: abort();
// OUT:      {{^}}  if (argc > 0) {
// OUT-NEXT: kfuse_first_third<<<
// OUT-NEXT: cudaMemcpy(&bad, flag,
// OUT-NEXT: {{^}}    if (bad != 0)
// OUT-NEXT: exit(3);
// OUT-NEXT: printf("third\n");
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: first<<<8, 128>>>(A, B, flag, n);
// OUT-NEXT: cudaMemcpy(&bad, flag,

// SAME: verified: original and fused
// FIRES: mismatch {{.*}} the traces differ
// FIRES-NEXT: original: main:C#0 at exit
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void first(const float *A, float *B, int *flag, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    B[i] = A[i] + 1;
    if (A[i] < 0)
      *flag = 1;
  }
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

__global__ void third(float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 3 * B[i];
}

void show(const float *C, int n) {
  static float host[1000];
  cudaMemcpy(host, C, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%f\n", sum);
}

int main(int argc, char **) {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  float *A, *B, *C;
  int *flag, bad = 0;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&flag, sizeof(int));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(flag, &bad, sizeof(int), cudaMemcpyHostToDevice);

  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0) {
    printf("negative\n");
    exit(2);
  }
  // What second needs.
  second<<<8, 128>>>(B, C, n);
  show(C, n);

  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (host[i] < 0)
      abort();
  second<<<8, 128>>>(B, C, n);
  show(C, n);

  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0)
    exit(3);
  if (argc > 0) {
    third<<<8, 128>>>(B, n);
    printf("third\n");
  }
  show(B, n);

  if (argc > 1)
    host[7] = -1;
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0) {
    printf("negative\n");
    exit(4);
  }
  second<<<8, 128>>>(B, C, n);
  show(C, n);
  return 0;
}
