// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// Templates with several instances: each whose kernels are fused gets a text of
// its own, with the template's names for what they stand for, in which the
// statements of others stand for their calls. 'mirror' has nothing to fuse: it
// stays a template, and so does 'step', which nothing calls any more.

// CHECK: 20 launches -> 12
// CHECK: verified

// OUT: {{^}}template <typename T, int Block, bool Checks, typename>
// OUT-NEXT: static void step(const T *in, T *out, T *between, int n, int steps = 2);
// OUT-NOT: {{^}}// kfuse: '{{[a-z]+}}' of
// OUT: {{^}}template <typename T> void pair(
// OUT-NOT: {{^}}// kfuse: '{{[a-z]+}}' of
// OUT: {{^}}template <typename T> void mirror(int n) {
// OUT-NOT: {{^}}// kfuse: '{{[a-z]+}}' of
// OUT: {{^}}template <typename T, int Block> void run(int n) {
// OUT: step<T, Block, sizeof(T) == 4, int>(A, B, C, n);
// OUT: {{^}}// kfuse: 'run' of float, 128, with kernels of its own.
// OUT-NEXT: template <> void run<float, 128>(int n) {
// OUT-NEXT: using T = float;
// OUT-NEXT: T *A, *B, *D, *E;
// OUT: // From step():
// OUT: kfuse_shift_scale<<<kfuseBlocks, 128>>>(
// OUT: CHECK(cudaGetLastError());
// OUT: // From pair():
// OUT: kfuse_shift_scale<<<kfuseBlocks, 128>>>(
// OUT: {{^}}// kfuse: 'run' of double, 64, with kernels of its own.
// OUT-NEXT: template <> void run<double, 64>(int n) {
// OUT: {{^}}template <bool IsLarge> void chosen(int n) {
// OUT: kfuse_shift_scale{{.*}}<<<
// OUT: {{^}}template <> void chosen<true>(int n) {
// OUT: kfuse_shift_scale{{.*}}<<<
// OUT: {{^}}template <typename T, int> static void twice(int n = 300);
// OUT-NEXT: template <> void twice<unsigned int, 1>(int n);
// OUT-NEXT: template <> void twice<::app::Small, 2>(int n);
// OUT: {{^}}template <typename Number, int Unused> static void twice(int n) {
// OUT: {{^}}// kfuse: 'twice' of unsigned int, 1, with kernels of its own.
// OUT-NEXT: template <> void twice<unsigned int, 1>(int n) {
// OUT-NEXT: using Number = unsigned int;
// OUT-NEXT: Number *A, *C;
// OUT: {{^}}template <> void twice<::app::Small, 2>(int n) {
// OUT-NEXT: using Number = ::app::Small;
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) check((call), __FILE__, __LINE__)
void check(cudaError_t error, const char *file, int line) {
  if (error != cudaSuccess)
    printf("%s:%d\n", file, line);
}

namespace app {

template <typename T> __global__ void shift(const T *A, T *B, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + by;
}

template <typename T> __global__ void scale(const T *B, T *C, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * by;
}

template <typename T> T factor() { return 3; }
template <> double factor<double>() { return 0.1; }

template <typename T, int Block, bool Checks, typename>
static void step(const T *in, T *out, T *between, int n, int steps = 2);

// Statements of these stand for their calls, once the caller has a text.
template <typename T> void launchShift(const T *in, T *out, int n) {
  shift<T><<<(n + 127) / 128, 128>>>(in, out, T(1), n);
}
template <typename T> void launchScale(const T *in, T *out, int n) {
  scale<T><<<(n + 127) / 128, 128>>>(in, out, factor<T>(), n);
}

template <typename Number, int Block, bool Checks, typename>
static void step(const Number *in, Number *out, Number *between, int n,
                 int steps) {
  const auto blocks = (n + Block - 1) / Block;
  assert(n > 0);
  for (int i = 0; i < steps; ++i) {
    shift<<<blocks, Block>>>(in, between, Number(i), n);
    scale<<<blocks, Block>>>(between, out, factor<Number>(), n);
    if (Checks)
      CHECK(cudaGetLastError());
  }
}

template <typename T> void pair(const T *in, T *out, T *between, int n) {
  launchShift(in, between, n);
  launchScale(between, out, n);
}

template <typename T> __global__ void reverse(const T *A, T *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[n - 1 - i];
}

template <typename T> void mirror(int n) {
  T *A, *B;
  cudaMalloc(&A, n * sizeof(T));
  cudaMalloc(&B, n * sizeof(T));
  cudaMemset(A, 1, n * sizeof(T));
  reverse<<<(n + 127) / 128, 128>>>(A, B, n);
  reverse<<<(n + 127) / 128, 128>>>(B, A, n);
  T last;
  cudaMemcpy(&last, A + n - 1, sizeof(T), cudaMemcpyDeviceToHost);
  printf("%g\n", double(last));
  cudaFree(A);
  cudaFree(B);
}

template <typename T, int Block> void run(int n) {
  T *A, *B, *C, *D, *E;
  cudaMalloc(&A, n * sizeof(T));
  cudaMalloc(&B, n * sizeof(T));
  cudaMalloc(&C, n * sizeof(T));
  cudaMalloc(&D, n * sizeof(T));
  cudaMalloc(&E, n * sizeof(T));
  T *host = new T[n];
  for (int i = 0; i < n; ++i)
    host[i] = T(i % 17) / 8;
  CHECK(cudaMemcpy(A, host, n * sizeof(T), cudaMemcpyHostToDevice));
  cudaMemset(C, 0, n * sizeof(T));
  step<T, Block, sizeof(T) == 4, int>(A, B, C, n);
  cudaDeviceSynchronize();
  pair(B, E, D, n);
  double sum = 0;
  for (const T *each : {B, E}) {
    CHECK(cudaMemcpy(host, each, n * sizeof(T), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
      sum += host[i] * (i % 5);
  }
  printf("%s %.17g\n", __func__, sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  cudaFree(D);
  cudaFree(E);
  delete[] host;
}

// The other instance does without the branch, and the template is its own.
template <bool IsLarge> void chosen(int n) {
  float *A, *B, *C;
  cudaMalloc(&A, n * sizeof(float));
  cudaMalloc(&B, n * sizeof(float));
  cudaMalloc(&C, n * sizeof(float));
  cudaMemset(A, 1, n * sizeof(float));
  if constexpr (IsLarge)
    n /= 2;
  shift<<<(n + 127) / 128, 128>>>(A, B, 4.f, n);
  scale<<<(n + 127) / 128, 128>>>(B, C, 3.f, n);
  float last;
  cudaMemcpy(&last, C + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", last);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}

// Used before it is defined.
struct Small {
  short value;
  __host__ __device__ explicit Small(int from = 0) : value(from) {}
};
__host__ __device__ Small operator+(Small one, Small other) {
  return Small(one.value + other.value);
}
__host__ __device__ Small operator*(Small one, Small other) {
  return Small(one.value * other.value);
}

template <typename T, int> static void twice(int n = 300);

} // namespace app

int main() {
  app::run<float, 128>(1000);
  app::run<double, 64>(777);
  app::mirror<float>(500);
  app::mirror<int>(500);
  app::chosen<false>(200);
  app::chosen<true>(300);
  app::twice<unsigned, 1>();
  app::twice<app::Small, 2>(200);
  return 0;
}

namespace app {

template <typename Number, int Unused> static void twice(int n) {
  Number *A, *B, *C;
  cudaMalloc(&A, n * sizeof(Number));
  cudaMalloc(&B, n * sizeof(Number));
  cudaMalloc(&C, n * sizeof(Number));
  cudaMemset(A, 1, n * sizeof(Number));
  shift<<<(n + 127) / 128, 128>>>(A, B, Number(4), n);
  scale<<<(n + 127) / 128, 128>>>(B, C, Number(2), n);
  Number last;
  cudaMemcpy(&last, C + n - 1, sizeof(Number), cudaMemcpyDeviceToHost);
  printf("%u\n", *reinterpret_cast<unsigned char *>(&last));
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
}

} // namespace app
