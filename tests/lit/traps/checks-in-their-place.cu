// RUN: %kfuse %s -o %t.cu --sink-fatal-checks 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s --sink-fatal-checks 2>&1 | FileCheck %s --check-prefix=SAME
//
// Checks that can't come behind the launch that follows, even if they may: the
// launch writes what they fetch, or is given it; they go elsewhere than to the
// program's end, do more, or are no check at all.

// CHECK: {{[0-9]+}} launches -> {{[0-9]+$}}
// CHECK-NOT: kfuse_
// SAME: nothing
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <stdexcept>
#include <vector>

__global__ void first(const float *A, float *B, int *flag, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    B[i] = A[i] + 1;
    if (A[i] < 0)
      *flag = 1;
  }
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

__global__ void again(float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * B[i];
}

void show(const float *C, int n) {
  static float host[1000];
  cudaMemcpy(host, C, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%f\n", sum);
}

float *A, *B, *C;
int *flag;
float host[1000];
const int n = 1000;

[[noreturn]] void stop() {
  show(C, n);
  exit(1);
}

[[noreturn]] void fail() { throw std::runtime_error("bad"); }

// What is fetched is what the launch writes.
void overwritten() {
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(host, B, sizeof(host), cudaMemcpyDeviceToHost);
  if (host[3] < 0)
    exit(1);
  again<<<8, 128>>>(B, n);
}

// It is an argument of the launch.
void given() {
  int size = n;
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&size, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (size < 0)
    exit(1);
  second<<<8, 128>>>(B, C, size);
}

void givenInMemory() {
  int *sizes = (int *)malloc(sizeof(int));
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(sizes, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (sizes[0] < 0)
    exit(1);
  second<<<8, 128>>>(B, C, sizes[0]);
  free(sizes);
}

// The caller goes on.
int returned() {
  int bad = 0;
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0)
    return 1;
  second<<<8, 128>>>(B, C, n);
  return 0;
}

void thrown() {
  int bad = 0;
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0)
    fail();
  second<<<8, 128>>>(B, C, n);
}

void left() {
  int bad = 0;
  for (int i = 0; i < 2; ++i) {
    first<<<8, 128>>>(A, B, flag, n);
    cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
    if (bad != 0) {
      if (bad > 1)
        exit(1);
      break;
    }
    second<<<8, 128>>>(B, C, n);
  }
}

// What the launch would write is seen before the end.
void shown() {
  int bad = 0;
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0)
    stop();
  second<<<8, 128>>>(B, C, n);
}

void shownThere() {
  int bad = 0;
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0) {
    show(C, n);
    exit(1);
  }
  second<<<8, 128>>>(B, C, n);
}

// It changes what the launch is given.
void changed() {
  int bad = 0, size = n;
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad == 0)
    size = n / 2;
  else
    exit(1);
  second<<<8, 128>>>(B, C, size);
}

// It is in a directive's branch.
void conditional() {
  int bad = 0;
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
#ifndef UNCHECKED
  if (bad != 0)
    exit(1);
#endif
  second<<<8, 128>>>(B, C, n);
}

// An exception leaves it.
void found() {
  int bad = 0;
  std::vector<int> all(3);
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (all.at(bad) != 0)
    exit(1);
  second<<<8, 128>>>(B, C, n);
}

// More stands on the line.
void beside() {
  int bad = 0;
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0)
    exit(1);
  second<<<8, 128>>>(B, C, n); show(C, n);
}

// No check.
void fetched() {
  int bad = 0;
  first<<<8, 128>>>(A, B, flag, n);
  cudaMemcpy(&bad, flag, sizeof(int), cudaMemcpyDeviceToHost);
  if (bad != 0)
    printf("bad\n");
  second<<<8, 128>>>(B, C, n);
}

int main() {
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&flag, sizeof(int));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(flag, 0, sizeof(int));
  overwritten();
  show(B, n);
  given();
  show(C, n);
  givenInMemory();
  show(C, n);
  printf("%d\n", returned());
  show(C, n);
  thrown();
  show(C, n);
  left();
  show(C, n);
  shown();
  show(C, n);
  shownThere();
  show(C, n);
  changed();
  show(C, n);
  conditional();
  show(C, n);
  found();
  show(C, n);
  beside();
  fetched();
  show(C, n);
}
