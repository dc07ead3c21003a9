// RUN: %kfuse verify %s
// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: %code %t.cu | FileCheck %s
//
// Wrappers whose heads have attributes and linkage of their own.
#include <cstdio>

// SUMMARY: wrapper-heads.cu: 4 launches -> 2

__global__ void twice(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * 2;
}

__global__ void addOne(float *c, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1;
}

extern "C" void scale(float *b, const float *a, int n) {
  twice<<<(n + 255) / 256, 256>>>(b, a, n);
}

extern "C" {
void shift(float *c, const float *b, int n) {
  addOne<<<(n + 255) / 256, 256>>>(c, b, n);
}
}

__host__ void scaleAgain(float *b, const float *a, int n) {
  twice<<<(n + 255) / 256, 256>>>(b, a, n);
}

static __host__ __forceinline__ void shiftAgain(float *c, const float *b,
                                                int n) {
  addOne<<<(n + 255) / 256, 256>>>(c, b, n);
}

// CHECK-LABEL: int main()
int main() {
  const int n = 1000;
  float *a, *b, *c, host[n];
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  cudaMemset(a, 1, sizeof(host));
  // CHECK: // From scale():
  // CHECK: // From shift():
  scale(b, a, n);
  shift(c, b, n);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[n - 1]);
  // CHECK: // From scaleAgain():
  // CHECK: // From shiftAgain():
  scaleAgain(b, c, n);
  shiftAgain(a, b, n);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[n - 1]);
}
