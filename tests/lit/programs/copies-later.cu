// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Results that are copied to the host before launches which don't change them.
// The host looks at them later, so the copies can follow. They stay before what
// the host looks at, and before launches that overwrite what they read or are
// given what they copied.

// CHECK: 10 launches -> 8
// OUT:      void later(
// OUT:      kfuse_first_second<<<
// OUT:      cudaMemcpy(one, b, sizeof one, cudaMemcpyDeviceToHost);
// OUT-NEXT: cudaMemcpy(other, c, sizeof other, cudaMemcpyDeviceToHost);
// OUT:      void severalCopies(
// OUT:      kfuse_first_second{{.*}}<<<
// OUT:      cudaMemcpy(one, b, sizeof one, cudaMemcpyDeviceToHost);
// OUT-NEXT: cudaMemcpy(other, a, sizeof other, cudaMemcpyDeviceToHost);
// OUT-NEXT: printf(
// OUT:      void lookedAt(
// OUT:      first<<<
// OUT:      void overwritten(
// OUT:      first<<<
// OUT-NEXT: cudaMemcpy(
// OUT-NEXT: first<<<
// OUT:      void given(
// OUT:      first<<<
// OUT-NEXT: cudaMemcpy(
// OUT-NEXT: scale<<<
// SAME: verified: original and fused
#include <cstdio>

constexpr int n = 1000, blocks = (n + 127) / 128;

__global__ void first(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + 1;
}
__global__ void second(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = 2 * b[i];
}
__global__ void scale(const float *b, float *c, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = by * b[i];
}

float *filled() {
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  float *array;
  cudaMalloc(&array, sizeof host);
  cudaMemcpy(array, host, sizeof host, cudaMemcpyHostToDevice);
  return array;
}
void show(const float *array) {
  static float host[n];
  cudaMemcpy(host, array, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[7], host[n - 1]);
}

void later() {
  static float one[n], other[n];
  float *a = filled(), *b = filled(), *c = filled();
  first<<<blocks, 128>>>(a, b, n);
  cudaMemcpy(one, b, sizeof one, cudaMemcpyDeviceToHost);
  second<<<blocks, 128>>>(b, c, n);
  cudaMemcpy(other, c, sizeof other, cudaMemcpyDeviceToHost);
  printf("%g %g\n", one[7], other[7]);
}

void severalCopies() {
  static float one[n], other[n];
  float *a = filled(), *b = filled(), *c = filled();
  first<<<blocks, 128>>>(a, b, n);
  cudaMemcpy(one, b, sizeof one, cudaMemcpyDeviceToHost);
  cudaMemcpy(other, a, sizeof other, cudaMemcpyDeviceToHost);
  second<<<blocks, 128>>>(b, c, n);
  printf("%g %g\n", one[7], other[7]);
  show(c);
}

void lookedAt() {
  static float one[n];
  float *a = filled(), *b = filled(), *c = filled();
  first<<<blocks, 128>>>(a, b, n);
  cudaMemcpy(one, b, sizeof one, cudaMemcpyDeviceToHost);
  printf("%g\n", one[7]);
  second<<<blocks, 128>>>(b, c, n);
  show(c);
}

void overwritten() {
  static float one[n];
  float *a = filled(), *b = filled(), *c = filled();
  first<<<blocks, 128>>>(a, b, n);
  cudaMemcpy(one, b, sizeof one, cudaMemcpyDeviceToHost);
  first<<<blocks, 128>>>(c, b, n);
  printf("%g\n", one[7]);
  show(b);
}

void given() {
  static int calls;
  ++calls;
  float *a = filled(), *b = filled(), *c = filled();
  float by = 1;
  first<<<blocks, 128>>>(a, b, n);
  cudaMemcpy(&by, b, sizeof by, cudaMemcpyDeviceToHost);
  scale<<<blocks, 128>>>(b, c, by, n);
  show(c);
}

int main() {
  later();
  severalCopies();
  lookedAt();
  overwritten();
  given();
}
