// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
//
// Calls of wrappers before a branch and in its arms: their statements stand in
// copies that stand in copies. Where no fusion makes use of them the calls are
// as they were.

// CHECK-DAG: remark: fused 'plus', 'plus', 'last'
// CHECK-DAG: remark: fused 'plus', 'last'
// CHECK: 7 launches -> 4

// OUT:      {{^}}int main(
// OUT:      {{^}}  if (factor > 1) {
// OUT-NEXT: // From step():
// OUT-NEXT: // One more.
// OUT-NEXT: // From step():
// OUT-NEXT: // One more.
// OUT-NEXT: kfuse_plus_plus_last<<<
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: // From step():
// OUT-NEXT: // One more.
// OUT-NEXT: kfuse_plus_last_2<<<
// OUT-NEXT: {{^}}  }{{$}}
// OUT-NEXT: show(C, n);
// OUT:      {{^}}  step(A, B, n);
// OUT-NEXT: show(B, n);
// OUT-NEXT: {{^}}  if (factor > 1) {
// OUT-NEXT: step(B, B, n);
// OUT-NEXT: {{^}}  }{{$}}
// OUT-NEXT: show(B, n);
// OUT:      {{^}}  // From stepOrNot():
// OUT-NEXT: kfuse_plus_plus_last_2<<<8, 128>>>(A, n, factor > 1, C);
// OUT-NEXT: show(C, n);

// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void plus(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void last(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 3;
}

void step(const float *in, float *out, int n) {
  // One more.
  plus<<<8, 128>>>(in, out, n);
}

// Its branch is the first of the statements that stand for its call.
void stepOrNot(float *B, float *C, int n, int times) {
  if (times > 1) {
    plus<<<8, 128>>>(B, B, n);
  }
  last<<<8, 128>>>(B, C, n);
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
  const int n = 1000, factor = argc;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);

  step(A, B, n);
  if (factor > 1) {
    step(B, B, n);
  }
  last<<<8, 128>>>(B, C, n);
  show(C, n);

  step(A, B, n);
  show(B, n);
  if (factor > 1) {
    step(B, B, n);
  }
  show(B, n);

  plus<<<8, 128>>>(A, B, n);
  stepOrNot(B, C, n, factor);
  show(C, n);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
