// Storage that a function allocates and returns is as private as what the caller allocates: through templates, other
// functions, casts, with content that the function gives it, and with its size in the caller's values.
// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s --emit=program | FileCheck %s --check-prefix=PROGRAM
// CHECK: 7 launches -> 1
// CHECK: never stored: dTwice, dMost, dRoot, dShifted, dOne, dOther{{$}}
// CHECK-NOT: condition
// CHECK: verified: {{.*}}(never stored: dTwice, dMost, dRoot, dShifted, dOne, dOther)
// CHECK: not compared: {{.*}} (allocateBytes:storage, allocateUnlessEmpty:storage)
// PROGRAM: array dInput: allocation of float, 4*select({{.*}}, 1000) bytes{{$}}
// PROGRAM: array dTwice: allocation of float, 4*select({{.*}}, 1000) bytes{{$}}
// PROGRAM: array dShifted: allocation of float, 4*select({{.*}}, 1000) + 64 bytes{{$}}
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECKED(call)                                                          \
  do {                                                                         \
    const cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                                \
      fprintf(stderr, "%s\n", cudaGetErrorString(error));                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static void *allocateBytes(size_t bytes) {
  void *storage = nullptr;
  CHECKED(cudaMalloc(&storage, bytes));
  return storage;
}

template <typename T> T *allocate(size_t count) {
  T *const storage = static_cast<T *>(allocateBytes(count * sizeof(T)));
  return storage;
}

static float *copyOf(const float *host, int count) {
  float *storage = allocate<float>(count);
  CHECKED(cudaMemcpy(storage, host, count * sizeof(float),
                     cudaMemcpyHostToDevice));
  return storage;
}

static float *allocateUnlessEmpty(int count, int more = 16) {
  if (count == 0)
    return nullptr;
  float *storage;
  if (cudaMalloc((void **)&storage, (count + more) * sizeof(float)) !=
      cudaSuccess)
    exit(1);
  return storage;
}

__global__ void twice(const float *A, float *B, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] * 2.0f;
}

__global__ void most(const float *A, float *B, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = fmaxf(A[i], 3.0f);
}

__global__ void root(const float *A, float *B, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = sqrtf(A[i]);
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 1000;
  float *host = static_cast<float *>(malloc(n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    host[i] = i % 11;
  float *dInput = copyOf(host, n), *dTwice = allocate<float>(n);
  // Where the program goes on both were called.
  float *dOne, *dOther;
  if (cudaMalloc(&dOne, n * sizeof(float)) != cudaSuccess ||
      cudaMalloc(&dOther, n * sizeof(float)) != cudaSuccess) {
    fprintf(stderr, "no memory\n");
    return 1;
  }
  float *dMost;
  dMost = (float *)allocateBytes(n * sizeof(float));
  float *dRoot = allocateUnlessEmpty(n);
  float *dShifted = allocateUnlessEmpty(n);
  float *dOutput = allocateUnlessEmpty(n, 0);

  const int blocks = (n + 127) / 128;
  twice<<<blocks, 128>>>(dInput, dTwice, n);
  most<<<blocks, 128>>>(dTwice, dMost, n);
  root<<<blocks, 128>>>(dMost, dRoot, n);
  most<<<blocks, 128>>>(dRoot, dShifted, n);
  root<<<blocks, 128>>>(dShifted, dOne, n);
  twice<<<blocks, 128>>>(dOne, dOther, n);
  root<<<blocks, 128>>>(dOther, dOutput, n);

  CHECKED(cudaMemcpy(host, dOutput, n * sizeof(float), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.6f\n", sum);
  cudaFree(dOne);
  cudaFree(dOther);
  cudaFree(dInput);
  cudaFree(dTwice);
  cudaFree(dMost);
  cudaFree(dRoot);
  cudaFree(dShifted);
  cudaFree(dOutput);
  free(host);
  return 0;
}
