// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --max-statements=11 -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: %kfuse verify %s
//
// What a macro makes counts as one statement, as a reader sees it: the three
// kernels have 4 each, and would have 382 if all were written out.
#include <cstdio>

#define ONCE x = x * 3 + 1; x ^= x >> 5;
#define TEN ONCE ONCE ONCE ONCE ONCE ONCE ONCE ONCE ONCE ONCE
#define SIXTY TEN TEN TEN TEN TEN TEN

__global__ void first(unsigned *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = a[i];
  SIXTY
  a[i] = x;
}

__global__ void second(unsigned *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = a[i] + 7;
  SIXTY
  a[i] = x;
}

__global__ void third(unsigned *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = a[i] ^ 5;
  SIXTY
  a[i] = x;
}

// CHECK: fused 'memset_unsigned_int', 'first', 'second' and 'third' into
// LONG: TooLong: {{.*}} one kernel would have 12 statements
int main() {
  const int n = 2048;
  static unsigned host[n];
  unsigned *a;
  cudaMalloc(&a, sizeof(host));
  cudaMemset(a, 0, sizeof(host));
  first<<<n / 128, 128>>>(a);
  second<<<n / 128, 128>>>(a);
  third<<<n / 128, 128>>>(a);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%u %u\n", host[0], host[77]);
  cudaFree(a);
}
