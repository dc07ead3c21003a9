// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Templates whose instances can't have a text of their own: it wouldn't
// compile, or would do something else. Each says why.

// CHECK-DAG: the launch of 'shift' (line {{[0-9]+}}) belongs to a function that is instantiated more than once: it is a template with any number of parameters
// CHECK-DAG: the launch of 'shift' (line {{[0-9]+}}) belongs to a function that is instantiated more than once: its instances are named
// CHECK-DAG: the launch of 'shift' (line {{[0-9]+}}) belongs to a function that is instantiated more than once: with a text for each instance it may do something else
// CHECK-DAG: the launch of 'shift' (line {{[0-9]+}}) belongs to a function that is instantiated more than once: the program doesn't compile with a text for each instance
// CHECK-DAG: the launch of 'shift' (line {{[0-9]+}}) belongs to a function that is instantiated more than once: its template isn't plain text of the input
// CHECK-DAG: the launch of 'shift' (line {{[0-9]+}}) belongs to a function that is instantiated more than once: it is an instance for a type that has no plain name
// CHECK: {{[0-9]+}} launches -> [[COUNT:[0-9]+]]
// SAME: [[COUNT:[0-9]+]] launches -> [[COUNT]]
// SAME: verified
#include <cstdio>
#include <cuda_runtime.h>

__global__ void shift(const float *A, float *B, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + by;
}

__global__ void scale(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * 2;
}

// What comes later is a better choice for an instance alone.
namespace units {
template <typename T> struct Unit {};
template <typename T> float sizeOf(T) { return 1; }
} // namespace units
template <typename T>
void later(const float *A, float *B, float *C, int n) {
  const float by = sizeOf(units::Unit<T>());
  shift<<<(n + 127) / 128, 128>>>(A, B, n, by);
  scale<<<(n + 127) / 128, 128>>>(B, C, n);
}
namespace units {
float sizeOf(Unit<float>) { return 2; }
float sizeOf(Unit<double>) { return 3; }
} // namespace units

template <typename T, typename... More>
void packed(const float *A, float *B, float *C, int n, More... more) {
  shift<<<(n + 127) / 128, 128>>>(A, B, n, T(1));
  scale<<<(n + 127) / 128, 128>>>(B, C, n);
}

template <typename T>
inline void named(const float *A, float *B, float *C, int n) {
  shift<<<(n + 127) / 128, 128>>>(A, B, n, T(1));
  scale<<<(n + 127) / 128, 128>>>(B, C, n);
}
template void named<float>(const float *, float *, float *, int);
template void named<int>(const float *, float *, float *, int);

// Behind the template the type isn't complete yet.
struct Late;
struct Later;
template <typename T>
void early(const float *A, float *B, float *C, int n) {
  const float by = T::Factor;
  shift<<<(n + 127) / 128, 128>>>(A, B, n, by);
  scale<<<(n + 127) / 128, 128>>>(B, C, n);
}
struct Late {
  static constexpr int Factor = 3;
};
struct Later {
  static constexpr int Factor = 4;
};

#define ARRAYS const float *A, float *B, float *C
template <int Count> void counted(ARRAYS, int n)
#define BODY {
BODY
  shift<<<(n + 127) / 128, 128>>>(A, B, n, Count);
  scale<<<(n + 127) / 128, 128>>>(B, C, n);
}

#define MADE(name)                                                             \
  template <typename T>                                                        \
  void name(const float *A, float *B, float *C, int n) {                       \
    shift<<<(n + 127) / 128, 128>>>(A, B, n, T(1));                            \
    scale<<<(n + 127) / 128, 128>>>(B, C, n);                                  \
  }
MADE(made)

template <typename T>
void hidden(const float *A, float *B, float *C, int n) {
  shift<<<(n + 127) / 128, 128>>>(A, B, n, sizeof(T));
  scale<<<(n + 127) / 128, 128>>>(B, C, n);
}
namespace {
struct Hidden {};
struct Other {
  int value[3];
};
} // namespace

int main() {
  const int n = 1000;
  float *A, *B, *C;
  cudaMalloc(&A, n * sizeof(float));
  cudaMalloc(&B, n * sizeof(float));
  cudaMalloc(&C, n * sizeof(float));
  cudaMemset(A, 0, n * sizeof(float));
  float sum = 0, last;
  const auto add = [&] {
    cudaMemcpy(&last, C + n / 4, sizeof(float), cudaMemcpyDeviceToHost);
    sum = sum * 2 + last;
  };
  for (int i = 0; i < 2; ++i) {
    if (i == 0)
      later<float>(A, B, C, n);
    else
      later<double>(A, B, C, n);
    add();
    if (i == 0)
      packed<float>(A, B, C, n);
    else
      packed<float>(A, B, C, n, 2);
    add();
    if (i == 0)
      named<float>(A, B, C, n);
    else
      named<int>(A, B, C, n);
    add();
    if (i == 0)
      early<Late>(A, B, C, n);
    else
      early<Later>(A, B, C, n);
    add();
    if (i == 0)
      counted<1>(A, B, C, n);
    else
      counted<2>(A, B, C, n);
    add();
    if (i == 0)
      made<float>(A, B, C, n);
    else
      made<double>(A, B, C, n);
    add();
    if (i == 0)
      hidden<Hidden>(A, B, C, n);
    else
      hidden<Other>(A, B, C, n);
    add();
  }
  printf("%g\n", sum);
  cudaFree(A);
  cudaFree(B);
  cudaFree(C);
  return 0;
}
