// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// A library's algorithm uses an array while it runs, and keeps no pointer. So
// the update in front of it may leave its array: the pointers are swapped, and
// the algorithm is given the one that holds the new values.

// CHECK-COUNT-4: remark: fused 'difference', 'update
// OUT-COUNT-4: kfuseSwap(u, d);
// SAME: verified: original and fused
#include "Inputs/thrust.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void difference(const float *u, float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d[i] = u[i + 1 < n ? i + 1 : 0] - u[i];
}
__global__ void update(float *u, const float *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    u[i] = u[i] + d[i];
}

struct Half {
  float by;
  __host__ __device__ float operator()(float x) const { return x * by; }
};

void byPointers(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    printf("%g\n", thrust::reduce(thrust::device, u, u + n, 0.0f));
    printf("%g\n", thrust::reduce(u, u + n, 0.0f, thrust::maximum()));
  }
  cudaFree(u);
  cudaFree(d);
}
void byVectors(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    if (k % 2) {
      thrust::device_vector<float> v(u, u + n);
      printf("%g\n", thrust::reduce(v.begin(), v.end(), 0.0f));
    }
  }
  cudaFree(u);
  cudaFree(d);
}
void byIterators(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    float sum = thrust::reduce(thrust::device_pointer_cast(u),
                               thrust::device_pointer_cast(u) + n, 0.0f);
    sum += thrust::reduce(thrust::device_ptr<float>(u),
                          thrust::device_ptr<float>(u) + n / 2, 0.0f);
    printf("%g\n", sum);
  }
  cudaFree(u);
  cudaFree(d);
}
void byResults(const float *host, int n) {
  float *u, *d;
  cudaMalloc(&u, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  cudaMemcpy(u, host, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int k = 0; k < 3; ++k) {
    difference<<<(n + 127) / 128, 128>>>(u, d, n);
    update<<<(n + 127) / 128, 128>>>(u, d, n);
    thrust::transform(thrust::device, u, u + n, u, Half{0.5f});
  }
  printf("%g\n", thrust::reduce(thrust::device, u, u + n, 0.0f));
  cudaFree(u);
  cudaFree(d);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  float *host = (float *)malloc(n * sizeof(float));
  for (int k = 0; k < n; ++k)
    host[k] = k % 17;
  byPointers(host, n);
  byVectors(host, n);
  byIterators(host, n);
  byResults(host, n);
  free(host);
}
