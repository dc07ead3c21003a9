// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: not grep "^ *kfuseSwap" %t.cu
// RUN: %kfuse verify %s
//
// Kernels and copies that a swap of pointers almost replaces, each with what
// forbids it.

// CHECK-DAG: remark: CopyNotSwappable: 'toReadSource' stays: B1 may be read before all of it is overwritten
// CHECK-DAG: remark: CopyNotSwappable: 'inBranch' stays: B2 may be read before all of it is overwritten
// CHECK-DAG: remark: CopyNotSwappable: 'beforeContinue' stays: B3 may be read before all of it is overwritten
// CHECK-DAG: remark: CopyNotSwappable: 'beforeCase' stays: B4 may be read before all of it is overwritten
// CHECK-DAG: remark: CopyNotSwappable: 'inPart' stays: B5 may be read before all of it is overwritten
// CHECK-DAG: remark: CopyNotSwappable: 'afterLoop' stays: B6 may be read before all of it is overwritten
// CHECK-DAG: remark: CopyNotSwappable: 'shortGrid' stays: it may leave out elements of A
// CHECK-DAG: remark: CopyNotSwappable: 'fewer' stays: it may leave out elements of A
// CHECK-DAG: remark: CopyNotSwappable: 'inside' stays: it may leave out elements of A
// CHECK-DAG: remark: CopyNotSwappable: 'some' stays: it may leave out elements of A
// CHECK-DAG: remark: CopyNotSwappable: 'otherSize' stays: A and large aren't known to have one size and type
// CHECK-DAG: remark: CopyNotSwappable: 'otherType' stays: A and words aren't known to have one size and type
// CHECK-DAG: remark: CopyNotSwappable: 'named' stays: first isn't known by one local variable alone
// CHECK-DAG: remark: CopyNotSwappable: 'inHeader' stays: watched isn't known by one local variable alone
// CHECK-DAG: remark: CopyNotSwappable: 'twice' stays: it copies an array twice
// CHECK-DAG: remark: CopyNotSwappable: 'tooLate' stays: it overwrites B2 before it copies it
// CHECK-DAG: remark: CopyNotSwappable: 'memcpy_float' stays: it may leave out elements of A
// CHECK-DAG: remark: CopyNotSwappable: 'cudaMemcpy(A, B0 + 1, {{.*}} stays: it may leave out elements of A
// CHECK-NOT: becomes a swap
// CHECK-NOT: CopyNotSwappable: '{{doubled|chosen|truncated|reversed}}'
#include <cstdio>
#include <cuda_runtime.h>

#define COPY(name)                                                             \
  __global__ void name(float *to, const float *from, int n) {                  \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                             \
    if (i < n)                                                                 \
      to[i] = from[i];                                                         \
  }
COPY(toReadSource)
COPY(inBranch)
COPY(beforeContinue)
COPY(beforeCase)
COPY(inPart)
COPY(afterLoop)
COPY(shortGrid)
COPY(fewer)
COPY(otherSize)
COPY(otherType)
COPY(named)
COPY(inHeader)

__global__ void inside(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    to[i] = from[i];
}

__global__ void some(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && from[i] > 3)
    to[i] = from[i];
}

// No copy either.
__global__ void reversed(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[n - 1 - i];
}

__global__ void twice(float *to, float *too, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    to[i] = from[i];
    too[i] = from[i];
  }
}

__global__ void tooLate(float *one, float *two, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    one[i] = two[i];
    two[i] = one[i];
  }
}

// No copy: the value changes on its way, or is another one.
__global__ void doubled(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float value = from[i];
    value += 1;
    to[i] = value;
  }
}
__global__ void chosen(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float value = from[i];
    if (i % 2)
      value = 1;
    to[i] = value;
  }
}
__global__ void truncated(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = (int)from[i];
}

__global__ void set(float *to, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = value + i;
}

const int n = 1000;
static float host[n];
static double sum;

void look(const float *array) {
  cudaMemcpy(host, array, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7 + 1);
}

bool lookAt(const float *array, int step) {
  look(array);
  return step < 3;
}

int main(int argc, char **argv) {
  const int blocks = (n + 127) / 128;
  float *A, *B0, *B1, *B2, *B3, *B4, *B5, *B6, *large, *first, *watched;
  int *words;
  cudaMalloc(&A, n * sizeof(float));
  cudaMalloc(&B0, n * sizeof(float));
  cudaMalloc(&B1, n * sizeof(float));
  cudaMalloc(&B2, n * sizeof(float));
  cudaMalloc(&B3, n * sizeof(float));
  cudaMalloc(&B4, n * sizeof(float));
  cudaMalloc(&B5, n * sizeof(float));
  cudaMalloc(&B6, n * sizeof(float));
  cudaMalloc(&large, 2 * n * sizeof(float));
  cudaMalloc(&first, n * sizeof(float));
  cudaMalloc(&watched, n * sizeof(float));
  cudaMalloc(&words, n * sizeof(int));
  set<<<blocks, 128>>>(A, 1, n);
  set<<<blocks, 128>>>(B0, 0.5f, n);

  set<<<blocks, 128>>>(B1, 2, n);
  toReadSource<<<blocks, 128>>>(A, B1, n);
  cudaMemcpy(host, B1, n * sizeof(float), cudaMemcpyDeviceToHost);
  sum += host[argc];
  cudaMemcpy(host, A, n * sizeof(float), cudaMemcpyDeviceToHost);
  sum += host[argc];

  set<<<blocks, 128>>>(B2, 3, n);
  inBranch<<<blocks, 128>>>(A, B2, n);
  if (argc > 1)
    set<<<blocks, 128>>>(B2, 4, n);
  cudaMemcpy(host, B2, n * sizeof(float), cudaMemcpyDeviceToHost);
  sum += host[argc];

  set<<<blocks, 128>>>(B3, 5, n);
  for (int step = 0; step < 3; ++step) {
    cudaMemcpy(host, B3, n * sizeof(float), cudaMemcpyDeviceToHost);
    sum += host[argc];
    beforeContinue<<<blocks, 128>>>(A, B3, n);
    set<<<blocks, 128>>>(A, step, n);
    if (step == 1)
      continue;
    set<<<blocks, 128>>>(B3, 6, n);
  }

  set<<<blocks, 128>>>(B4, 7, n);
  switch (argc) {
  case 1:
    sum += 1;
    beforeCase<<<blocks, 128>>>(A, B4, n);
    set<<<blocks, 128>>>(A, 1, n);
  case 2:
    cudaMemcpy(host, B4, n * sizeof(float), cudaMemcpyDeviceToHost);
    sum += host[argc];
    set<<<blocks, 128>>>(A, 2, n);
    break;
  default:
    break;
  }

  set<<<blocks, 128>>>(B5, 8, n);
  for (int step = 0; step < 3; ++step) {
    set<<<blocks, 128>>>(B5, 9, n - step);
    cudaMemcpy(host, A, n * sizeof(float), cudaMemcpyDeviceToHost);
    sum += host[n - 1];
    inPart<<<blocks, 128>>>(A, B5, n);
    set<<<blocks, 128>>>(A, step, n - 5);
  }

  for (int step = 0; step < 3; ++step) {
    set<<<blocks, 128>>>(B6, 10, n);
    afterLoop<<<blocks, 128>>>(A, B6, n);
    set<<<blocks, 128>>>(A, step, n);
  }
  cudaMemcpy(host, B6, n * sizeof(float), cudaMemcpyDeviceToHost);
  sum += host[argc];

  shortGrid<<<blocks - 1, 128>>>(A, B0, n);
  fewer<<<blocks, 128>>>(A, B0, n - argc);
  inside<<<blocks, 128>>>(A, B0, n);
  some<<<blocks, 128>>>(A, B0, n);
  reversed<<<blocks, 128>>>(A, B0, n);
  set<<<2 * blocks, 128>>>(large, 11, 2 * n);
  otherSize<<<blocks, 128>>>(A, large, n);
  cudaMemset(words, 0, n * sizeof(int));
  otherType<<<blocks, 128>>>(A, (float *)words, n);

  float *second = first;
  set<<<blocks, 128>>>(first, 12, n);
  named<<<blocks, 128>>>(A, first, n);
  set<<<blocks, 128>>>(second, 13, n);
  cudaMemcpy(host, second, n * sizeof(float), cudaMemcpyDeviceToHost);
  sum += host[argc];

  set<<<blocks, 128>>>(watched, 14, n);
  for (int step = 0; lookAt(watched, step); ++step) {
    set<<<blocks, 128>>>(watched, step, n);
    inHeader<<<blocks, 128>>>(A, watched, n);
  }

  twice<<<blocks, 128>>>(A, B1, B0, n);
  tooLate<<<blocks, 128>>>(B2, A, n);
  doubled<<<blocks, 128>>>(A, B0, n);
  chosen<<<blocks, 128>>>(B1, B0, n);
  truncated<<<blocks, 128>>>(B2, B0, n);
  cudaMemcpy(A, B0, n * sizeof(float) / 2, cudaMemcpyDeviceToDevice);
  cudaMemcpy(A, B0 + 1, (n - 1) * sizeof(float), cudaMemcpyDeviceToDevice);

  cudaMemcpy(host, A, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7 + 1);
  printf("%.3f\n", sum);
  cudaFree(A);
  cudaFree(B0);
  cudaFree(B1);
  cudaFree(B2);
  cudaFree(B3);
  cudaFree(B4);
  cudaFree(B5);
  cudaFree(B6);
  cudaFree(large);
  cudaFree(second);
  cudaFree(watched);
  cudaFree(words);
}
