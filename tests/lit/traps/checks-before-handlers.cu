// RUN: %kfuse %s -o %t.cu --sink-fatal-checks 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse %s -D OBJECT -o %t.cu --sink-fatal-checks 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse %s -D ATTRIBUTE -o %t.cu --sink-fatal-checks 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse %s -D TEMPLATE -o %t.cu --sink-fatal-checks 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
//
// What runs when the program ends looks at the device: a check stays in front
// of the launches that it would keep from running.

// CHECK: 3 launches -> 3
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

float *C;
void show() {
  float one;
  cudaMemcpy(&one, C, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%f\n", one);
}

#ifdef ATTRIBUTE
__attribute__((destructor)) void ending() { show(); }
#endif
#ifdef TEMPLATE
template <typename F> void whenDone(F *function) { atexit(function); }
#endif
#ifdef OBJECT
struct Showing {
  ~Showing() { show(); }
} showing;
#endif

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37 - 1;
  float *A, *B;
  int *flag, bad = 0;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&flag, sizeof(int));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(C, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(flag, 0, sizeof(int));
#ifdef TEMPLATE
  whenDone(show);
#elif !defined OBJECT && !defined ATTRIBUTE
  atexit(show);
#endif
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0)
    exit(1);
  second<<<8, 128>>>(B, C, n);
  show();
}
