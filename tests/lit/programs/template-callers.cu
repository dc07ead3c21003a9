// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
// RUN: %kfuse %s -o - --quiet -DTWICE -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=TWICE
//
// A template of which there is one instance is as good as a function: the
// statements of a wrapper can stand in it. With another instance, which nobody
// need call, they can't: their types are those of the one.

// CHECK: 2 launches -> 1
// OUT-LABEL: double run(int n)
// OUT: // From launchShift():
// OUT-NEXT: const float *launchShift_in = A;
// OUT: kfuse_shift_scale<<<
// TWICE: calls of 'launchShift' beside other launches stay calls: its caller 'run' is a template with other instances
#include <cstdio>
#include <cuda_runtime.h>

template <typename T>
__global__ void shift(const T *A, T *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + T(1);
}

template <typename T>
__global__ void scale(const T *B, T *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 3;
}

template <typename T> void launchShift(const T *in, T *out, int n) {
  const T *from = in;
  shift<T><<<(n + 127) / 128, 128>>>(from, out, n);
}

template <typename T> double run(int n) {
  static T host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = T(i % 37);
  const std::size_t bytes = n * sizeof(T);
  T *A, *B, *C;
  cudaMalloc(&A, bytes);
  cudaMalloc(&B, bytes);
  cudaMalloc(&C, bytes);
  cudaMemcpy(A, host, bytes, cudaMemcpyHostToDevice);
  launchShift(A, B, n);
  scale<<<(n + 127) / 128, 128>>>(B, C, n);
  cudaMemcpy(host, C, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return sum;
}

int main() { printf("%.3f\n", run<float>(1000)); }

#ifdef TWICE
template double run<double>(int);
#endif
