// RUN: not %kfuse verify %s 2>&1 | FileCheck %s
//
// Arguments that aren't of the parameter's type and change before the fused
// launch: the conversion must happen where the launch stood. And an argument in
// managed memory that the fused kernel changes: a launch reads it once. The
// tests at run time find the changed values, so that two fused kernels never
// run.
// CHECK: error: 'kfuse_first_second' of 'first' and 'second' never ran
// CHECK: error: 'kfuse_first_second' of 'first' and 'second' never ran
// CHECK-NOT: error:
// CHECK: not verified: what ran leaves equal traces and output

#include <atomic>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

struct Count {
  int n;
  operator int() { return n; }
};
struct Lone {
  int n;
  explicit Lone(int n) : n(n) {}
  Lone(const Lone &) = delete;
  operator int() const { return n; }
};

__global__ void first(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void chosen(const float *A, float *B, int n, bool isLarge) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + (isLarge ? 10 : 1);
}

__global__ void second(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

__global__ void shorten(int *n) { *n = 500; }

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  for (float *device : {A, B, C})
    cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice);
  auto show = [&] {
    double sum = 0;
    for (const float *device : {A, B, C}) {
      cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
      for (int i = 0; i < n; ++i)
        sum += host[i] * (i % 7);
    }
    printf("%.3f\n", sum);
  };
  std::vector<bool> flags(2, true);
  chosen<<<8, 128>>>(A, B, n, flags[0]);
  flags[0] = false;
  second<<<8, 128>>>(B, C, n);
  show();
  std::atomic<int> shared{1000};
  first<<<8, 128>>>(A, B, shared);
  shared = 500;
  second<<<8, 128>>>(B, C, n);
  show();
  Count count{900};
  first<<<8, 128>>>(A, B, count);
  count.n = 400;
  second<<<8, 128>>>(B, C, count);
  show();
  Lone lone(800);
  first<<<8, 128>>>(A, B, lone);
  lone.n = 300;
  second<<<8, 128>>>(B, C, lone);
  show();
  int *length;
  cudaMallocManaged(&length, sizeof(int));
  *length = 1000;
  first<<<8, 128>>>(A, B, *length);
  shorten<<<1, 1>>>(length);
  cudaDeviceSynchronize();
  second<<<8, 128>>>(B, C, *length);
  show();
  cudaFree(length);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}
