// The trace: labels that don't depend on other allocations, and contents.
// RUN: %kfuse-cpu %s -o %t
// RUN: env KFUSE_CPU_TRACE=%t.trace KFUSE_CPU_TRACE_LAUNCHES=1 %t
// RUN: FileCheck %s < %t.trace
// RUN: env KFUSE_CPU_TRACE=%t.again KFUSE_CPU_TRACE_LAUNCHES=1 %t
// RUN: diff %t.trace %t.again
#include <cuda_runtime.h>

#define CHECK(call)                                                            \
  do {                                                                         \
    if ((call) != cudaSuccess)                                                 \
      return 1;                                                                \
  } while (0)
#define ALLOCATE(pointer, count)                                               \
  CHECK(cudaMalloc((void **)&pointer, (count) * sizeof(float)))

__device__ float scale[2];
__global__ void fill(float *p, float v) { p[threadIdx.x] = v; }
template <class T> __global__ void link(T **list, T *p) { list[0] = p + 1; }

struct State {
  float *field;
};

int main() {
  float host[8], *d_A, *d_B, **d_list;
  State state;
  ALLOCATE(d_A, 8);
  CHECK(cudaMalloc(reinterpret_cast<void **>(&d_B), sizeof(host)));
  CHECK(cudaMalloc(&(state.field), sizeof(host)));
  CHECK(cudaMalloc((void **)(&d_list), sizeof(float *)));
  fill<<<1, 8>>>(d_A, 1);
  // CHECK: launch fill
  fill<<<1, 8>>>(d_B, 1);
  // CHECK-NEXT: launch fill
  link<float><<<1, 1>>>(d_list, d_B);
  // CHECK-NEXT: launch link<float>
  CHECK(cudaMemcpy(host, d_A + 4, 16, cudaMemcpyDeviceToHost));
  // CHECK-NEXT: copy main:d_A#0 16 [[HALF:[0-9a-f]+]]
  CHECK(cudaMemcpy(host, d_B, 16, cudaMemcpyDefault));
  // CHECK-NEXT: copy main:d_B#0 16 [[HALF]]
  CHECK(cudaMemcpy2D(host, 16, d_B, 16, 8, 2, cudaMemcpyDeviceToHost));
  // CHECK-NEXT: copy main:d_B#0 16
  CHECK(cudaMemcpyFromSymbol(host, scale, sizeof(float), sizeof(float)));
  // CHECK-NEXT: copy scale 4
  CHECK(cudaFree(d_A));
  // CHECK-NEXT: free main:d_A#0 32 [[WHOLE:[0-9a-f]+]]
  ALLOCATE(d_A, 4);
  CHECK(cudaFree(nullptr));
}
// CHECK-NEXT: exit main:d_B#0 32 [[WHOLE]]
// CHECK-NEXT: exit main:state.field#0 32
// CHECK-NEXT: exit main:d_list#0 8
// CHECK-NEXT: exit main:d_A#1 16 {{[0-9a-f]+$}}
// CHECK-NOT: {{^.}}
