// What an expression may leave out, and what a loop does behind its body, is not what a variable holds in any case; nor
// is a pointer gone that became a number or a text, or went through a volatile variable or an atomic operation. Each way
// ends with two names of one array, and its content is read by the other.
// RUN: %kfuse verify %s -D AND 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D ANSWER 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D OR 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D CHOICE 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D BREAK 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D CONTINUE 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D INCREMENT 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D CONDITION 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D VIEWED 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D PRINTED 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D DISTANT 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D VOLATILE 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D NUMBER 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D ATOMIC 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D SYNCHRONISED 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -D NAMED 2>&1 | FileCheck %s
// CHECK: 2 launches
// CHECK-NOT: never stored
// CHECK: verified
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

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

[[maybe_unused]] static float *shared;

/// An error as any other answer.
[[maybe_unused]] static cudaError_t answer(int argc) {
  return argc > 5 ? cudaSuccess : cudaErrorInvalidValue;
}

int main(int argc, char **) {
  const int n = 1000, blocks = (n + 127) / 128;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 11;
  float *A, *C, *known;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&known, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  int m = n;

  float *other = known;
#if defined AND
  if (argc > 5 && cudaMalloc(&other, sizeof(host)) != cudaSuccess)
    exit(1);
#elif defined ANSWER
  if (answer(argc) == cudaSuccess && cudaMalloc(&other, sizeof(host)) != cudaSuccess)
    exit(1);
#elif defined OR
  if (argc < 5 || cudaMalloc(&other, sizeof(host)) != cudaSuccess)
    m = n;
#elif defined CHOICE
  const cudaError_t error =
      argc > 5 ? cudaMalloc(&other, sizeof(host)) : cudaSuccess;
  if (error != cudaSuccess)
    exit(1);
#elif defined BREAK
  do {
    if (argc < 5)
      break;
    cudaMalloc(&other, sizeof(host));
  } while (0);
#elif defined CONTINUE
  float *spare;
  cudaMalloc(&spare, sizeof(host));
  other = spare;
  do {
    if (argc < 5) {
      other = known;
      continue;
    }
    cudaMemset(spare, 0, sizeof(host));
  } while (false);
#elif defined INCREMENT
  float *spare;
  cudaMalloc(&spare, sizeof(host));
  for (int i = 0; i < 2 && m == n; ++i, other = spare, m = 100) {
#elif defined CONDITION
  int rounds = 0;
  do {
#elif defined VIEWED
  float *made;
  cudaMalloc(&made, sizeof(host));
  const uintptr_t number = reinterpret_cast<uintptr_t &>(made);
  known = reinterpret_cast<float *>(number);
  other = made;
#elif defined PRINTED
  float *made;
  cudaMalloc(&made, sizeof(host));
  char text[40];
  void *found = nullptr;
  snprintf(text, sizeof(text), "%p", (void *)made);
  sscanf(text, "%p", &found);
  known = static_cast<float *>(found);
  other = made;
#elif defined DISTANT
  float *made;
  cudaMalloc(&made, sizeof(host));
  const intptr_t way = reinterpret_cast<char *>(made) - reinterpret_cast<char *>(A);
  known = reinterpret_cast<float *>(reinterpret_cast<char *>(A) + way);
  other = made;
#elif defined VOLATILE
  float *made;
  cudaMalloc(&made, sizeof(host));
  float *volatile through = made;
  known = through;
  other = made;
#elif defined NUMBER
  float *made;
  cudaMalloc(&made, sizeof(host));
  known = (float *)(uintptr_t)made;
  other = made;
#elif defined ATOMIC
  float *made;
  cudaMalloc(&made, sizeof(host));
  __atomic_store_n(&shared, made, __ATOMIC_SEQ_CST);
  known = shared;
  other = made;
#elif defined SYNCHRONISED
  float *made;
  cudaMalloc(&made, sizeof(host));
  (void)__sync_lock_test_and_set(&shared, made);
  known = shared;
  other = made;
#elif defined NAMED
  float *made;
  intptr_t &number = reinterpret_cast<intptr_t &>(made);
  cudaMalloc(&made, sizeof(host));
  known = reinterpret_cast<float *>(number);
  other = made;
#endif
  twice<<<blocks, 128>>>(A, other, m);
  most<<<blocks, 128>>>(other, C, m);
#if defined INCREMENT
  }
#elif defined CONDITION
  } while (other = C, ++rounds < 1);
#endif

  double sum = 0;
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  cudaMemcpy(host, known, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 5);
  printf("%.3f\n", sum);
}
