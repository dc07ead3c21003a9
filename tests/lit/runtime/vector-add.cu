// The usual program, without an include: nvcc includes the run time itself.
// RUN: %kfuse-cpu %s -o %t
// RUN: %t | FileCheck %s
// RUN: env KFUSE_CPU_ORDER=reverse %t | FileCheck %s
// RUN: env KFUSE_CPU_ORDER=shuffle:3 %t | FileCheck %s
// RUN: env KFUSE_CPU_COUNT=%t.count %t && FileCheck --check-prefix=COUNT %s < %t.count
// RUN: not env KFUSE_CPU_ORDER=sideways %t 2>&1 | FileCheck --check-prefix=ORDER %s
#include <cstdio>
#include <vector>

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  std::vector<float> a(n), b(n), c(n);
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[i] = 2 * i;
  }
  float *dA, *dB, *dC;
  cudaMalloc((void **)&dA, n * sizeof(float));
  cudaMalloc(&dB, n * sizeof(float));
  cudaMalloc(&dC, n * sizeof(float));
  cudaMemcpy(dA, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dB, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int repeat = 0; repeat < 3; ++repeat)
    add<<<(n + 127) / 128, 128>>>(dA, dB, dC, n);
  cudaMemcpy(c.data(), dC, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += c[i] != 3 * i;
  // CHECK: wrong: 0
  printf("wrong: %d\n", wrong);
  cudaFree(dA);
  cudaFree(dB);
  cudaFree(dC);
}
// COUNT: {{^3$}}
// ORDER: KFUSE_CPU_ORDER is 'sideways'
