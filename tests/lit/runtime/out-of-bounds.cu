// The sanitizer names the user's file and line, for global memory, dynamic and
// static shared memory.
// RUN: %kfuse-cpu --sanitize %s -o %t
// RUN: not %t global 2>&1 | FileCheck --check-prefix=GLOBAL %s
// RUN: not %t dynamic 2>&1 | FileCheck --check-prefix=DYNAMIC %s
// RUN: not %t static 2>&1 | FileCheck --check-prefix=STATIC %s
// RUN: %t fine
#include <cstring>

__global__ void global(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    p[i] = i; // GLOBAL: heap-buffer-overflow
              // GLOBAL: out-of-bounds.cu:[[@LINE-1]]
}
__global__ void dynamic(int n) {
  extern __shared__ int tile[];
  __syncthreads();
  tile[threadIdx.x + n] = 1; // DYNAMIC: heap-buffer-overflow
                             // DYNAMIC: out-of-bounds.cu:[[@LINE-1]]
}
__global__ void fixed(int n) {
  __shared__ int tile[32];
  int *p = tile;
  __syncthreads();
  p[threadIdx.x + n] = 1; // STATIC: global-buffer-overflow
                          // STATIC: out-of-bounds.cu:[[@LINE-1]]
}

int main(int, char **arguments) {
  int *p, n = 100;
  cudaMalloc(&p, n * sizeof(int));
  if (!strcmp(arguments[1], "global"))
    global<<<4, 32>>>(p, n);
  if (!strcmp(arguments[1], "dynamic"))
    dynamic<<<1, 32, 32 * sizeof(int)>>>(1);
  if (!strcmp(arguments[1], "static"))
    fixed<<<1, 32>>>(1);
  global<<<4, 32>>>(p, n - 1);
  dynamic<<<2, 32, 32 * sizeof(int)>>>(0);
  fixed<<<2, 32>>>(0);
}
