// Every call passes two pointers into one array: a test that they don't overlap
// would never hold. Where one call passes others it may.
// RUN: %kfuse %s -o %t.cu "-DCALL=run(p, p, n)" 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %kfuse %s -o %t.cu "-DCALL=run(p, p + 1, n)" -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: %kfuse %s -o %t.cu "-DCALL=run(q, &q[2], n); run(p + 1, p + 3, n)" 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %kfuse %s -o %t.cu "-DCALL=run(p, p, n); run(p, q, n)" 2>&1 | FileCheck %s --check-prefix=MAYBE
// RUN: %kfuse %s -o %t.cu "-DCALL=run(p, p + n, n)" 2>&1 | FileCheck %s --check-prefix=MAYBE
// RUN: %kfuse %s -o %t.cu "-DCALL=run(p, q, n)" 2>&1 | FileCheck %s --check-prefix=MAYBE
// NEVER: left: {{.*}}1 NeverHolds
// BEHIND: NeverHolds: {{.*}}doesn't overlap{{.*}}, which is never so: to is always 4 bytes behind from
// MAYBE: 2 launches -> 1
#include <cstdio>
#include <cuda_runtime.h>

__global__ void twice(const int *A, int *B, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void next(const int *B, int *C, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] + 1;
}

// Its calls stay calls, for its static variable.
static void run(int *from, int *to, int n) {
  static int calls;
  ++calls;
  twice<<<(n + 255) / 256, 256>>>(from, to, n);
  next<<<(n + 255) / 256, 256>>>(to, from, n);
}

int main() {
  const int n = 500;
  static int host[1024];
  int *p, *q;
  cudaMalloc(&p, sizeof host);
  cudaMalloc(&q, sizeof host);
  cudaMemset(p, 1, sizeof host);
  cudaMemset(q, 2, sizeof host);
  CALL;
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 1024; ++i)
    printf("%d ", host[i]);
}
