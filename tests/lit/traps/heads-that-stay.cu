// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// What the condition of a branch asks may change between it and the launch
// before, by another name: the launch can't go into the arms.

// CHECK: launches ->
// CHECK-NOT: kfuse_
// SAME: nothing
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <functional>

__global__ void plus(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void twice(float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = 2 * B[i];
}

float *A, *B;
const int n = 1000;
int doubled;

void show() {
  static float host[n];
  cudaMemcpy(host, B, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%f\n", sum);
}

void bump(const int &known) { const_cast<int &>(known) += 1; }

void byReference(int k) {
  int &other = k;
  plus<<<8, 128>>>(A, B, n);
  other += 1;
  if (k > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
}

void ofAComma(int k) {
  int count = 0;
  int &other = (++count, k);
  plus<<<8, 128>>>(A, B, n);
  other += 1;
  if (k > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
}

void ofAnIncrement(int k) {
  int &other = --k;
  plus<<<8, 128>>>(A, B, n);
  other += 2;
  if (k > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
}

void assignedInAComma(int k) {
  int count = 0;
  plus<<<8, 128>>>(A, B, n);
  (++count, k) += 1;
  if (k > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
}

void throughWhatACallReturns(int k) {
  int same = k;
  int *other = (int *)memcpy(&k, &same, sizeof(int));
  plus<<<8, 128>>>(A, B, n);
  *other += 1;
  if (k > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
}

void throughAConstant(int k) {
  plus<<<8, 128>>>(A, B, n);
  bump(k);
  if (k > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
}

void inALambda(int k) {
  const auto more = [&] { k += 1; };
  plus<<<8, 128>>>(A, B, n);
  more();
  if (k > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
}

void ofALambda(int k) {
  int *other = &k;
  const auto run = [&] {
    plus<<<8, 128>>>(A, B, n);
    *other += 1;
    if (k > 1) {
      twice<<<8, 128>>>(B, n);
      ++doubled;
    }
  };
  run();
}

#define NUMBER __COUNTER__
void counted(int k) {
  int number = 0;
  plus<<<8, 128>>>(A, B, n);
  number += NUMBER;
  if (k > 0) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
  printf("%d %d\n", number, NUMBER);
}

int main() {
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  const std::function<void(int)> all[] = {
      byReference,      ofAComma,  ofAnIncrement, assignedInAComma,
      throughWhatACallReturns, throughAConstant, inALambda, ofALambda, counted};
  for (const auto &each : all) {
    each(1);
    show();
  }
}
