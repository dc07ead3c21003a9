// RUN: %kfuse %s -o %t.cu -- -DREAL=int 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -- -DREAL=double 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -- "-DREAL=unsigned long" 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed -- -DREAL=float -Dreturn=return 2>&1 | FileCheck %s --check-prefix=WORD
//
// Types that a macro of the flags names. One that gives a word of the language
// another meaning would change the fused kernel.

// CHECK: 2 launches -> 1
// WORD: the macro 'return' would change what is written
// WORD: 2 launches -> 2

#include <cuda_runtime.h>

typedef REAL real;

__global__ void twice(const real *a, real *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * 2;
}

__global__ void less(const real *b, real *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] - 1;
}

void run(const real *__restrict__ a, real *__restrict__ b,
         real *__restrict__ c, int n) {
  twice<<<(n + 255) / 256, 256>>>(a, b, n);
  less<<<(n + 255) / 256, 256>>>(b, c, n);
}
