// RUN: %kfuse verify %s -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// What stands for a template's parameter means in the caller what it meant in
// the instance: a type of the same name is nearer there, a number is no name of
// anything, and a macro may make a text of what isn't the template's.

// CHECK: 5 launches -> 1
// OUT: using scaled_T = ::Step;
// OUT: CHECK(cudaGetLastError());
// OUT: chosen(((unsigned short)2)), scaled_T::size
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                            \
  if ((call) != cudaSuccess)                                                   \
  printf("%s failed\n", #call)

struct Step {
  enum { size = 3 };
};
namespace app {
struct Step {
  enum { size = 100 };
};

__global__ void add(const int *A, int *B, int n, int c, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + c - d;
}

int chosen(const unsigned short &) { return 100; }
int chosen(unsigned short &&) { return 7; }

template <typename T, unsigned short N>
void scaled(const int *in, int *out, int n) {
  add<<<8, 128>>>(in, out, n, chosen(N), T::size);
  CHECK(cudaGetLastError());
}

template <int N> void moved(const int *in, int *out, int n) {
  add<<<8, 128>>>(in, out, n, N, -N);
}

void run(const int *A, int *B, int *C, int *D, int *E, int *F, int n) {
  const int N = 50;
  using T = app::Step;
  scaled<::Step, 2>(A, B, n);
  scaled<::Step, 3>(B, C, n);
  moved<-4>(C, D, n);
  moved<5>(D, E, n);
  add<<<8, 128>>>(E, F, n, N, T::size);
}
} // namespace app

int main() {
  const int n = 1000;
  static int host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  int *A, *B, *C, *D, *E, *F;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  cudaMalloc(&E, sizeof(host));
  cudaMalloc(&F, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  app::run(A, B, C, D, E, F, n);
  cudaMemcpy(host, F, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}
