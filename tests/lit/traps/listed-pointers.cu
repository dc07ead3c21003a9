// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %kfuse verify %s
//
// Arrays are copied back through lists that have no name: a loop over a list,
// a vector made of one, and an array made by `new`. All of them are seen.

// CHECK: remark: fused 'memset_float', 'add', 'twice', 'minus', 'square': {{.*}}B, C and D in registers and stored
#include <cstdio>
#include <vector>

__global__ void add(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1.5f;
}

__global__ void twice(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 2;
}

__global__ void minus(const float *C, float *D, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    D[i] = C[i] - 3;
}

__global__ void square(const float *D, float *E, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    E[i] = D[i] * D[i];
}

struct Named {
  float *values;
};

int main() {
  const int n = 1000;
  static float host[n];
  float *A, *B, *C, *D, *E;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMalloc(&E, sizeof(host));
  cudaMemset(A, 0, sizeof(host));
  add<<<8, 128>>>(A, B, n);
  twice<<<8, 128>>>(B, C, n);
  minus<<<8, 128>>>(C, D, n);
  square<<<8, 128>>>(D, E, n);
  const auto print = [&](const float *array) {
    cudaMemcpy(host, array, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%g\n", host[7]);
  };
  for (const float *array : {B})
    print(array);
  const std::vector<float *> arrays = {C};
  print(arrays[0]);
  float **made = new float *[1]{D};
  print(made[0]);
  for (const Named &named : {Named{E}})
    print(named.values);
}
