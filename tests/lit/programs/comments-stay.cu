// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// Error checks and comments between the launches; every comment of the user,
// in the kernels and between the launches, is still there.

// CHECK: remark: fused 'celsius', 'kelvin'
#include <cstdio>
#include <cstdlib>

#define CHECK_LAST()                                                           \
  do {                                                                         \
    cudaError_t error = cudaGetLastError();                                    \
    if (error != cudaSuccess) {                                                \
      fprintf(stderr, "%s\n", cudaGetErrorString(error));                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/// From Fahrenheit, as the sensors deliver it.
__global__ void celsius(const float *fahrenheit, float *degrees, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return; // beyond the last sensor
  // OUT-DAG: /* exact by definition */
  degrees[i] = (fahrenheit[i] - 32) /* exact by definition */ * 5 / 9;
}

__global__ void kelvin(const float *degrees, float *absolute, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  absolute[i] = degrees[i] + 273.15f;
}

int main() {
  const int n = 300;
  float host[n], *fahrenheit, *degrees, *absolute;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaMalloc(&fahrenheit, sizeof(host));
  cudaMalloc(&degrees, sizeof(host));
  cudaMalloc(&absolute, sizeof(host));
  cudaMemcpy(fahrenheit, host, sizeof(host), cudaMemcpyHostToDevice);

  // OUT-DAG: // First the unit everybody knows,
  // First the unit everybody knows,
  celsius<<<3, 100>>>(fahrenheit, degrees, n);
  CHECK_LAST();
  // OUT-DAG: // then the one that physics needs.
  // then the one that physics needs.
  kelvin<<<3, 100>>>(degrees, absolute, n);
  CHECK_LAST();
  // OUT-DAG: kfuse_celsius_kelvin<<<

  cudaMemcpy(host, absolute, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%f\n", host[299]);
  cudaFree(fahrenheit);
  cudaFree(degrees);
  cudaFree(absolute);
}
