// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Checks between launches that can't follow the launch that these become: what
// stands behind them uses what they found, or waits for what they wait for.

// CHECK: remark: fused 'first', 'second'
// CHECK: note: 'seen = cudaGetLastError();' stays before the fused launch, whose errors the next check sees: 'printf("launched: %d\n", (int)seen);' must follow it
// CHECK: remark: fused 'second', 'first'
// CHECK: note: 'failed = cudaGetLastError();' stays before the fused launch, {{.*}}: 'blocks += failed;' must follow it
// CHECK: remark: fused 'first', 'second'
// CHECK: note: 'cudaDeviceSynchronize();' stays before the fused launch, {{.*}}: 'float before = fetched[3];' must follow it
// CHECK: remark: fused 'second', 'first'
// CHECK: note: 'CHECK;' stays before the fused launch, {{.*}}: it isn't a statement of its own
// CHECK: remark: fused 'first', 'second'
// CHECK: note: 'cudaGetLastError();' stays before the fused launch, {{.*}}: a preprocessing directive stands behind it

// OUT:      {{^}}int main() {
// OUT:      {{^}}  seen = cudaGetLastError();
// OUT-NEXT: printf("launched
// OUT-NEXT: kfuse_first_second<<<
// OUT:      {{^}}  failed = cudaGetLastError();
// OUT-NEXT: blocks += failed;
// OUT:      {{^}}  cudaDeviceSynchronize();
// OUT-NEXT: float before = fetched[3];
// OUT:      {{^}}  CHECK;
// OUT:      {{^}}  cudaGetLastError();
// OUT-NEXT: #endif
// SAME: verified: original and fused
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK                                                                  \
  found = cudaGetLastError();                                                  \
  if (found != cudaSuccess)                                                    \
  exit(1)

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

int main() {
  const int n = 1000;
  static float host[1000], fetched[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C, *D, *E;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMalloc(&E, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  int blocks = (n + 127) / 128;

  cudaError_t seen;
  first<<<blocks, 128>>>(A, B, n);
  seen = cudaGetLastError();
  printf("launched: %d\n", (int)seen);
  second<<<blocks, 128>>>(B, C, n);
  cudaGetLastError();
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);

  int failed;
  second<<<blocks, 128>>>(C, D, n);
  failed = cudaGetLastError();
  blocks += failed;
  first<<<blocks, 128>>>(D, E, n);
  cudaMemcpyAsync(fetched, E, sizeof(fetched), cudaMemcpyDeviceToHost);

  first<<<blocks, 128>>>(A, B, n);
  cudaDeviceSynchronize();
  float before = fetched[3];
  second<<<blocks, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);

  cudaError_t found;
  second<<<blocks, 128>>>(C, D, n);
  CHECK;
  first<<<blocks, 128>>>(D, E, n);
  cudaMemcpy(fetched, E, sizeof(host), cudaMemcpyDeviceToHost);

  first<<<blocks, 128>>>(A, B, n);
#ifndef NO_CHECKS
  cudaGetLastError();
#endif
  second<<<blocks, 128>>>(B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);

  double sum = before;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7) + fetched[i];
  printf("%.3f\n", sum);
}
