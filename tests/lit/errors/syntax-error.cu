// RUN: rm -f %t.cu
// RUN: not %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: not test -e %t.cu
//
// A program that doesn't compile is answered in Clang's own words, and nothing
// is written.

__global__ void add(const float *A, float *B) {
  B[threadIdx.x] = A[threadIdx.x] + undeclared;
}
// CHECK: syntax-error.cu:[[@LINE-2]]:37: error: use of undeclared identifier 'undeclared'
// CHECK-NEXT: B[threadIdx.x] = A[threadIdx.x] + undeclared;
// CHECK-NOT: Error while processing

int main() { add<<<1, 32>>>(nullptr, nullptr); }
