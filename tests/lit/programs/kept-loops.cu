// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet --save-plan=%t.json
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse %s -o %t.planned.cu --quiet --plan=%t.json
// RUN: diff %t.cu %t.planned.cu
// RUN: FileCheck %s --check-prefix=PLAN --input-file=%t.json
//
// A loop whose passes could stand one by one, so that they fuse with each
// other, stays a loop if they don't.
//
// CHECK: verified: original and fused
//
// OUT:      int main(
// OUT:        for (int t = 0; t < 4; ++t)
// OUT-NEXT:     step(a, b, sum, t, n);
//
// PLAN: "keptLoops": [
// PLAN-NEXT: "for (int t = 0; t < 4; ++t)\n    step(a, b, sum, t, n);"
// PLAN-NEXT: ]

#include <cstdio>
#include <vector>

__global__ void scale(float *b, const float *a, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * f;
}

__global__ void smooth(float *a, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    a[i] = b[i - 1] + b[i + 1];
}

__global__ void add(float *sum, const float *a, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] += a[i] - f;
}

void step(float *a, float *b, float *sum, int t, int n) {
  scale<<<(n + 127) / 128, 128>>>(b, a, 0.25f + 0.125f * t, n);
  add<<<(n + 127) / 128, 128>>>(sum, b, 1.0f, n);
  smooth<<<(n + 127) / 128, 128>>>(a, b, n);
  float first[2];
  cudaMemcpy(first, a, sizeof first, cudaMemcpyDeviceToHost);
  printf("%.9g\n", first[1]);
}

int main() {
  const int n = 3000;
  float *a, *b, *sum;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&sum, n * sizeof(float));
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = 0.01f * (i % 101);
  cudaMemcpy(a, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(sum, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int t = 0; t < 4; ++t)
    step(a, b, sum, t, n);
  cudaMemcpy(host.data(), sum, n * sizeof(float), cudaMemcpyDeviceToHost);
  double all = 0;
  for (int i = 0; i < n; ++i)
    all += host[i] * (i % 23);
  printf("%.9g\n", all);
}
