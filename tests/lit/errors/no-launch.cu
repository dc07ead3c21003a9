// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
//
// Without a launch there is nothing to do, and that is no error.

// CHECK: no-launch.cu: no kernel launch

__global__ void unused(float *A) { A[threadIdx.x] = 0; }

int main() { return 0; }
