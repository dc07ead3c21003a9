// RUN: %kfuse verify %s -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
//
// Wrappers that are templates: the statements of an instance stand for its
// call, with its arguments in the place of the template's parameters; where
// these could mean something else there, as a name.

// CHECK: calls of 'launchLast' beside other launches stay calls: the program doesn't compile with its statements there
// CHECK: 7 launches -> 4

// OUT-LABEL: int main()
// OUT: // From launchShift():
// OUT-NEXT: const float *launchShift_in = A;
// OUT-NEXT: static_assert(sizeof(float) >= 4, "a number");
// OUT-NEXT: // From launchScale():
// OUT-NEXT: const float *launchScale_in = B;
// OUT-NEXT: kfuse_shift_scale<<<(n + 128u - 1) / 128u, 128u>>>(
// OUT: const double *launchScale_in_2 = E;
// OUT: // From launchFirst():
// OUT-NEXT: using launchFirst_T = float *;
// OUT-NEXT: const launchFirst_T launchFirst_from = A;
#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>

template <typename T> __global__ void shift(const T *A, T *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + T(1);
}

template <typename T, int Factor, bool IsNegative>
__global__ void scale(const T *B, T *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * (IsNegative ? -Factor : Factor);
}

template <typename T> void launchShift(const T *in, T *out, int n) {
  static_assert(sizeof(T) >= 4, "a number");
  shift<T><<<(n + 127) / 128, 128>>>(in, out, n);
}

template <typename T, int Factor, bool IsNegative, unsigned Block = 128>
void launchScale(const T *in, T *out, int n) {
  scale<T, Factor, IsNegative>
      <<<(n + Block - 1) / Block, Block>>>(in, out, n);
}

// `const T` isn't `const float *`.
template <class T, int Offset> void launchFirst(T in, T out, int n) {
  const T from = in;
  shift<<<(n + 127) / 128, 128>>>(from + Offset, out + Offset, n - Offset);
}

// A member has the parameter's name: the others aren't kept from being put in
// place of their calls.
struct Sizes {
  char first, Factor;
};
template <int Factor> void launchLast(const float *in, float *out, int n) {
  static_assert(offsetof(Sizes, Factor) == 1, "behind one byte");
  scale<float, Factor, false><<<(n + 127) / 128, 128>>>(in, out, n);
}

template <typename T> void show(const T *device, int n) {
  static T host[1000];
  cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}

int main() {
  const int n = 1000;
  static float host[n];
  static double wide[n];
  for (int i = 0; i < n; ++i)
    host[i] = wide[i] = i % 37;
  float *A, *B, *C;
  double *D, *E, *F;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(wide));
  cudaMalloc(&E, sizeof(wide));
  cudaMalloc(&F, sizeof(wide));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(D, wide, sizeof(wide), cudaMemcpyHostToDevice);
  launchShift<float>(A, B, n);
  launchScale<float, 3, true>(B, C, n);
  show(C, n);
  launchShift(D, E, n);
  launchScale<double, 3, false, 256>(E, F, n);
  show(F, n);
  launchFirst<float *, 0>(A, B, n);
  launchScale<float, 5, false>(B, C, n);
  launchLast<2>(C, B, n);
  show(B, n);
}
