// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2 2>&1 | FileCheck %s --check-prefix=SAME
//
// Arrays that are allocated and freed in the arm of a branch, or in a loop:
// behind it nobody can name them, and a kernel that can't be followed finds
// none that it isn't given. What another variable keeps is seen by the host.

// CHECK:      7 launches -> 4
// CHECK-NEXT: = 'twice', 'more'; never stored: inArm
// CHECK-NEXT: = 'twice', 'more'; never stored: inLoop
// CHECK-NEXT: = 'twice', 'more'{{$}}
// CHECK-NEXT: = 'twice', 'more'{{$}}

// SAME: verified: original and fused leave equal traces
// SAME-SAME: (never stored: inArm, inLoop)
#include <cstdio>
#include <cuda_runtime.h>

__global__ void twice(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * A[i];
}

__global__ void more(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = C[i] + B[i];
}

// Nobody knows what it does but to the arrays that it is given.
__global__ void unknown(volatile float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = C[i] + 1;
}

static void show(const float *array, int n) {
  static float host[1 << 12];
  cudaMemcpy(host, array, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", host[n / 2]);
}

int main(int argc, char **) {
  const int n = 1000, bytes = n * sizeof(float);
  float *A, *C, *kept = nullptr;
  cudaMalloc(&A, bytes);
  cudaMalloc(&C, bytes);
  cudaMemset(A, 1, bytes);
  cudaMemset(C, 1, bytes);
  if (argc > 1) {
    unknown<<<8, 128>>>(C, n);
  } else {
    float *inArm;
    cudaMalloc(&inArm, bytes);
    twice<<<8, 128>>>(A, inArm, n);
    more<<<8, 128>>>(inArm, C, n);
    cudaFree(inArm);
  }
  for (int k = 0; k < 3 + argc; ++k) {
    float *inLoop;
    cudaMalloc(&inLoop, bytes);
    twice<<<8, 128>>>(A, inLoop, n);
    more<<<8, 128>>>(inLoop, C, n);
    cudaFree(inLoop);
  }
  if (argc > 2) {
    float *alsoKept;
    cudaMalloc(&alsoKept, bytes);
    kept = alsoKept;
    twice<<<8, 128>>>(A, alsoKept, n);
    more<<<8, 128>>>(alsoKept, C, n);
  } else {
    static float *ofAll;
    if (!ofAll)
      cudaMalloc(&ofAll, bytes);
    kept = ofAll;
    twice<<<8, 128>>>(A, ofAll, n);
    more<<<8, 128>>>(ofAll, C, n);
  }
  show(kept, n);
  show(C, n);
  unknown<<<8, 128>>>(C, n);
  show(C, n);
  cudaFree(kept);
  cudaFree(A);
  cudaFree(C);
}
