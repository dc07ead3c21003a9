// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2 3 2>&1 | FileCheck %s --check-prefix=SAME
//
// Both arms of a branch launch, and another launch follows: it is fused into
// both. Where its argument means something else in an arm, or an object of the
// arm goes before it, it stays where it is, and so it does where nothing is
// fused.

// CHECK-DAG: remark: fused 'twice', 'last'
// CHECK-DAG: remark: fused 'plus', 'last'

// OUT:      {{^}}int main(
// OUT:      {{^}}  if (argc > 1) {
// OUT-NEXT: kfuse_twice_last<<<
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: kfuse_plus_last<<<
// OUT-NEXT: {{^}}  }{{$}}
// OUT-NEXT: cudaMemcpy(
// OUT:      {{^}}  if (argc > 2) {
// OUT-NEXT: const int size = n / 2;
// OUT-NEXT: twice<<<8, 128>>>(A, B, size);
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: plus<<<8, 128>>>(A, B, n);
// OUT-NEXT: {{^}}  }{{$}}
// OUT-NEXT: last<<<8, 128>>>(B, C, size);
// OUT:      {{^}}  if (argc > 3) {
// OUT-NEXT: Noise noise;
// OUT-NEXT: twice<<<8, 128>>>(A, B, n);
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: plus<<<8, 128>>>(A, B, n);
// OUT-NEXT: {{^}}  }{{$}}
// OUT-NEXT: last<<<8, 128>>>(B, C, n);
// OUT:      {{^}}  if (argc < 2) {
// OUT-NEXT: twice<<<8, 128>>>(A, B, n);
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: plus<<<8, 128>>>(A, B, n);
// OUT-NEXT: {{^}}  }{{$}}
// OUT-NEXT: backwards<<<8, 128>>>(B, C, n);
// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void twice(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void plus(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 5;
}

__global__ void last(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] - 3;
}

__global__ void backwards(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[n - 1 - i];
}

struct Noise {
  ~Noise() { printf("noise\n"); }
};

static float host[1000];

static void show() {
  float sum = 0;
  for (int i = 0; i < 1000; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}

int main(int argc, char **) {
  const int n = 1000, size = n;
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  if (argc > 1) {
    twice<<<8, 128>>>(A, B, n);
  } else {
    plus<<<8, 128>>>(A, B, n);
  }
  last<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  show();
  if (argc > 2) {
    const int size = n / 2;
    twice<<<8, 128>>>(A, B, size);
  } else {
    plus<<<8, 128>>>(A, B, n);
  }
  last<<<8, 128>>>(B, C, size);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  show();
  if (argc > 3) {
    Noise noise;
    twice<<<8, 128>>>(A, B, n);
  } else {
    plus<<<8, 128>>>(A, B, n);
  }
  last<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  show();
  if (argc < 2) {
    twice<<<8, 128>>>(A, B, n);
  } else {
    plus<<<8, 128>>>(A, B, n);
  }
  backwards<<<8, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  show();
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  show();
}
