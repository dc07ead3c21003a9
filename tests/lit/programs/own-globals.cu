// RUN: %kfuse %s -o %t.cu -Rkfuse 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Variables that no other file can name change only where functions of this
// file assign them. A call of one that assigns others leaves them as they are,
// also if they are the ones that main alone knows.

// CHECK-DAG: remark: fused 'twice', 'addOne'
// CHECK-DAG: remark: fused 'twice', 'negate'
// CHECK: left: 2 PointerMayChange
// OUT: {{^ *}}kfuse_twice_addOne<<<
// OUT: {{^ *}}count();
// OUT: {{^ *}}kfuse_twice_negate<<<
// OUT: {{^ *}}exchange();
// OUT: {{^ *}}addOne<<<
// SAME: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

static const int n = 1000;
static float *a, *b, *c; // main's alone
namespace {
float *from, *to, *last;
int steps;
} // namespace
int prints;

__global__ void twice(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] * 2;
}
__global__ void addOne(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i] + 1;
}
__global__ void negate(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = -from[i];
}

static void allocate() {
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaMalloc(&last, n * sizeof(float));
}
static void exchange() {
  float *held = from;
  from = last;
  last = held;
}
void count() {
  ++prints;
  ++steps;
}
void show(const float *array) {
  static float host[n];
  cudaMemcpy(host, array, n * sizeof(float), cudaMemcpyDeviceToHost);
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%g\n", sum);
}

int main() {
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 23;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<4, 256>>>(a, b, n);
  count();
  addOne<<<4, 256>>>(b, c, n);
  show(c);

  allocate();
  cudaMemcpy(from, host, n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<4, 256>>>(from, to, n);
  count();
  negate<<<4, 256>>>(to, last, n);
  exchange();
  addOne<<<4, 256>>>(from, last, n);
  show(from);
  show(last);
  printf("%d %d\n", steps, prints);
}
