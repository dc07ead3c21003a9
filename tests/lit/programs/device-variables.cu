// RUN: %kfuse verify %s
//
// Arrays that are variables: constant coefficients, a device buffer, and a
// counter that atomics of both kernels add to.
#include <cstdio>

__constant__ float weights[4];
__device__ float buffer[700];
__device__ int seen;

__global__ void weigh(const float *A, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    buffer[i] = A[i] * weights[i % 4];
    atomicAdd(&seen, 1);
  }
}

__global__ void take(float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    B[i] = buffer[i] + weights[0];
    atomicAdd(&seen, 2);
  }
}

int main() {
  const int n = 700;
  float host[n], *A, *B, w[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, w, sizeof(w));
  weigh<<<6, 128>>>(A, n);
  take<<<6, 128>>>(B, n);
  int count = 0;
  cudaMemcpyFromSymbol(&count, seen, sizeof(count));
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f %d\n", host[699], count);
  cudaMemcpyFromSymbol(host, buffer, sizeof(host));
  printf("%f\n", host[699]);
  cudaFree(A);
  cudaFree(B);
}
