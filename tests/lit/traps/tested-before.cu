// What the host has tested on its way to the launches decides what kfuse would
// test: it never holds, or needs no test. An assertion isn't there in every
// build: it may tell that a test never holds, and spares none.
// RUN: sed "s/^  ON_THE_WAY/if (n == m)/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=CERTAIN
// RUN: sed "s/^  ON_THE_WAY/if (n != m) return; if (n > 7)/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=CERTAIN
// RUN: sed "s/^  ON_THE_WAY/if (n < m) {} else if (n <= m)/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=CERTAIN
// RUN: sed "s/^  ON_THE_WAY/while (n == m \&\& turns > 0)/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=CERTAIN
// RUN: sed "s/^  ON_THE_WAY/if (n < m)/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: sed "s/^  ON_THE_WAY/if (m >= n || turns < 0) return; if (n > 7)/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: sed "s/^  ON_THE_WAY/for (m = n + 1; m < n + turns; ++turns) if (m > n)/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: sed "s/^  ON_THE_WAY/assert(n > m);/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: sed "s/^  ON_THE_WAY/assert(n == m);/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: sed "s/^  ON_THE_WAY/if (n == m) --turns;/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: sed "s/^  ON_THE_WAY/if (n < m) turns = 2; else n = m + turns;/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: sed "s/^  ON_THE_WAY/if (n == m) n = turns;/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: sed "s/^  ON_THE_WAY/while (n < m) ++turns;/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=TESTED
// RUN: sed "s/^  ON_THE_WAY/switch (turns) { case 1: if (n < m) break; ++n; break; case 2: ++m; }/" %s > %t.in.cu && %kfuse %t.in.cu --assume=no-wrap,no-overlap -o %t.cu 2>&1 | FileCheck %s --check-prefix=TESTED
// CERTAIN: 2 launches -> 1
// CERTAIN-NOT: tested at run time
// NEVER: 2 launches -> 2
// NEVER: left: 1 NeverHolds
// TESTED: 2 launches -> 1
// TESTED: under 1 condition tested at run time
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void turn(const int *A, int *B) {
  __shared__ int block[64];
  block[threadIdx.x] = A[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  B[blockIdx.x * 64 + threadIdx.x] = block[63 - threadIdx.x] + gridDim.x;
}

__global__ void add(const int *B, int *C) {
  __shared__ int block[64];
  block[threadIdx.x] = B[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  C[blockIdx.x * 64 + threadIdx.x] = block[threadIdx.x ^ 1] + gridDim.x;
}

static void run(int n, int m, int turns, const int *A, int *B, int *C) {
  ON_THE_WAY {
    turn<<<n, 64>>>(A, B);
    add<<<m, 64>>>(B, C);
  }
}

int main(int argc, char **argv) {
  static int host[64 * 64];
  int *A, *B, *C;
  cudaMalloc(&A, sizeof host);
  cudaMalloc(&B, sizeof host);
  cudaMalloc(&C, sizeof host);
  cudaMemset(A, 1, sizeof host);
  if (argc > 3)
    run(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), A, B, C);
  cudaMemcpy(host, C, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d\n", host[3]);
}
