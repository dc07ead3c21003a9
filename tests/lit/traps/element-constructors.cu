// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// Values that pass in registers are variables, which some types can't have: no
// default constructor, or one for the host alone. Others have one that `= {}`
// can't call.

// CHECK: 6 launches -> 3
// CHECK: verified
// OUT-NOT: {{^ *}}{{Lacking|OfHost}} B_value
// OUT: {{^ *}}Explicit B_value{{.*}};
// OUT-NOT: {{^ *}}{{Lacking|OfHost}} B_value
#include <cstdio>
#include <cuda_runtime.h>

struct Explicit {
  float value;
  __host__ __device__ explicit Explicit(float from = 1) : value(from) {}
};
struct Lacking {
  float value;
  __host__ __device__ Lacking(float from) : value(from) {}
};
struct OfHost {
  float value;
  OfHost() : value(2) {}
  __host__ __device__ OfHost(float from) : value(from) {}
};

template <typename T> __global__ void write(const float *A, T *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = T(A[i] + 1);
}
template <typename T> __global__ void read(const T *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const T element = B[i];
    C[i] = element.value + 3;
  }
}

int main() {
  const int n = 1000;
  float *A, *C, host[n];
  Explicit *explicits;
  Lacking *lacking;
  OfHost *ofHost;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, n * sizeof(float));
  cudaMalloc(&C, n * sizeof(float));
  cudaMalloc(&explicits, n * sizeof(Explicit));
  cudaMalloc(&lacking, n * sizeof(Lacking));
  cudaMalloc(&ofHost, n * sizeof(OfHost));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  write<<<8, 128>>>(A, explicits, n);
  read<<<8, 128>>>(explicits, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[17]);
  write<<<8, 128>>>(A, lacking, n);
  read<<<8, 128>>>(lacking, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[17]);
  write<<<8, 128>>>(A, ofHost, n);
  read<<<8, 128>>>(ofHost, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g\n", host[17]);
  cudaFree(A);
  cudaFree(C);
  cudaFree(explicits);
  cudaFree(lacking);
  cudaFree(ofHost);
  return 0;
}
