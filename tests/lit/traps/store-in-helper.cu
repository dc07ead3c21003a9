// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// The store happens in a device function that gets the pointer: there is no
// place in the kernel's own text where the value could be taken. It passes
// through memory, by a pointer that the compiler takes for another one: it must
// not contract the product in the one kernel with the sum in the other.

// CHECK: remark: {{.*}}'kfuse_produce_consume': B through memory
// OUT: produce_at(i, A, kfuseIsolate(B, kfuseZero.at[0]), n);
// OUT: consume_at(i, kfuseIsolate(B, kfuseZero.at[1]), C, n);
const int n = 1000;
static float host[n];
#include "Inputs/arrays.h"

__device__ void put(float *array, int i, float value) { array[i] = value; }

__global__ void produce(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    put(B, i, A[i] * 3);
}

__global__ void consume(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] - 1;
}

int main() {
  float *A = filled(), *B = filled(), *C = filled();

  produce<<<(n + 127) / 128, 128>>>(A, B, n);
  consume<<<(n + 127) / 128, 128>>>(B, C, n);

  printSum(A, B, C);
}
