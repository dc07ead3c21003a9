// A template with two instances whose body ends the file.
// RUN: %kfuse %s -o %t.cu --relaxed-rounding 2>&1 | FileCheck %s
// RUN: %kfuse verify --relaxed-rounding %s
// CHECK: kfuse_scale_shift = 'scale', 'shift'

#include <cstdio>

template <typename T> __global__ void scale(T *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= 2;
}

template <typename T> __global__ void shift(T *a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] += 3;
}

template <typename T> void run(int n);

int main() {
  run<float>(1000);
  run<int>(2000);
}

template <typename T> void run(int n) {
  T *a, last;
  cudaMalloc(&a, n * sizeof(T));
  cudaMemset(a, 0, n * sizeof(T));
  scale<<<n / 256 + 1, 256>>>(a, n);
  shift<<<n / 256 + 1, 256>>>(a, n);
  cudaMemcpy(&last, a + n - 1, sizeof(T), cudaMemcpyDeviceToHost);
  printf("%g\n", double(last));
  cudaFree(a);
}
