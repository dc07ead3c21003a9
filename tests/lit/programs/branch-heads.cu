// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2 2>&1 | FileCheck %s --check-prefix=SAME
//
// A branch that does more than to launch: each way through it is written out and
// fused. The launch before it stays where the statements between may
// change what the branch asks, and where a copy of them would not be the same.

// CHECK-DAG: remark: fused 'plus', 'twice', 'last'
// CHECK-DAG: remark: fused 'plus', 'last'
// CHECK-DAG: remark: fused 'plus', 'last', 'twice'
// CHECK: 18 launches -> 13
// CHECK-NEXT: kfuse_plus_twice_last = 'plus', 'twice', 'last'
// CHECK-NEXT: kfuse_plus_last = 'plus', 'last'
// CHECK-NEXT: kfuse_plus_last_twice = 'plus', 'last', 'twice'
// CHECK-NEXT: kfuse_plus_last_2 = 'plus', 'last'
// CHECK-NEXT: kfuse_plus_twice = 'plus', 'twice'

// OUT:      {{^}}int main(
// The whole chain.
// OUT:      {{^}}  // Twice, if wanted.
// OUT-NEXT: {{^}}  if (factor > 1) {
// OUT-NEXT: {{^}}#ifdef TRACE
// OUT-NEXT: printf("between\n");
// OUT-NEXT: {{^}}#endif
// OUT-NEXT: {{^}}    count += 1;
// OUT-NEXT: // doubled
// OUT-NEXT: ++doubled;
// OUT-NEXT: kfuse_plus_twice_last<<<
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: {{^}}#ifdef TRACE
// OUT-NEXT: printf
// OUT-NEXT: {{^}}#endif
// OUT-NEXT: {{^}}    count += 1;
// OUT-NEXT: kfuse_plus_last<<<
// OUT-NEXT: {{^}}  }{{$}}
// The branch asks what stands between.
// OUT:      plus<<<8, 128>>>(A, B, n);
// OUT-NEXT: factor = count;
// OUT-NEXT: {{^}}  if (factor > 1) {
// OUT-NEXT: twice<<<
// The branch asks for an element.
// OUT:      plus<<<8, 128>>>(A, B, n);
// OUT-NEXT: {{^}}  if (host[0] > 1) {
// OUT-NEXT: twice<<<
// The branch may fail.
// OUT:      plus<<<8, 128>>>(A, B, n);
// OUT-NEXT: {{^}}  if (count != 0)
// OUT-NEXT: check(count);
// OUT-NEXT: {{^}}  if (n / count > 1) {
// OUT-NEXT: twice<<<
// Others know what the branch asks.
// OUT:      plus<<<8, 128>>>(A, B, n);
// OUT-NEXT: check(n);
// OUT-NEXT: {{^}}  if (known > 1) {
// OUT-NEXT: twice<<<
// A variable of the statement's own.
// OUT:      plus<<<8, 128>>>(A, B, n);
// OUT-NEXT: {{^}}  for (int i = 0; i < 1; ++i) {
// OUT-NEXT: static int calls;
// Two launches before the branch.
// OUT:      calls;
// OUT:      {{^}}  if (factor > 1) {
// OUT:      {{^}}  if (factor > 1) {
// OUT-NEXT: kfuse_plus_last_twice<<<
// OUT-NEXT: ++doubled;
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: kfuse_plus_last_2<<<
// OUT-NEXT: {{^}}  }{{$}}
// OUT:      {{^}}  // On one line
// OUT-NEXT: {{^}}  if (factor > 2) {
// OUT-NEXT: {{^}}    plus<<<8, 128>>>(A, B, n);
// OUT-NEXT: {{^}}  } else {
// OUT-NEXT: {{^}}    kfuse_plus_twice<<<
// OUT-NEXT: {{^}}  }{{$}}
// OUT-NEXT: show(B, n);

// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

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

__global__ void last(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 3;
}

int *seen;
void check(int value) {
  if (seen)
    *seen += value;
}

void show(const float *C, int n) {
  static float host[1000];
  cudaMemcpy(host, C, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i];
  printf("%f\n", sum);
}

int main(int argc, char **) {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  float *A, *B, *C, *D;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  int count = 0, doubled = 0, factor = argc, known = argc;
  seen = &known;

  plus<<<8, 128>>>(A, B, n);
#ifdef TRACE
  printf("between\n");
#endif
  count += 1;

  // Twice, if wanted.
  if (factor > 1) {
    // doubled
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
  last<<<8, 128>>>(B, C, n);
  show(C, n);

  plus<<<8, 128>>>(A, B, n);
  factor = count;
  if (factor > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
  show(B, n);

  plus<<<8, 128>>>(A, B, n);
  if (host[0] > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
  show(B, n);

  plus<<<8, 128>>>(A, B, n);
  if (count != 0)
    check(count);
  if (n / count > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
  show(B, n);

  plus<<<8, 128>>>(A, B, n);
  check(n);
  if (known > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
  show(B, n);

  plus<<<8, 128>>>(A, B, n);
  for (int i = 0; i < 1; ++i) {
    static int calls;
    count += ++calls;
  }
  if (factor > 1) {
    twice<<<8, 128>>>(B, n);
    ++doubled;
  }
  show(B, n);

  plus<<<8, 128>>>(A, B, n);
  last<<<8, 128>>>(B, C, n);
  if (factor > 1) {
    twice<<<8, 128>>>(C, n);
    ++doubled;
  }
  show(C, n);

  // On one line, and with an arm that is empty.
  plus<<<8, 128>>>(A, B, n);
  if (factor > 2) {} else { twice<<<8, 128>>>(B, n); ++doubled; }
  show(B, n);
  printf("%d %d %d\n", count, doubled, known);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
}
