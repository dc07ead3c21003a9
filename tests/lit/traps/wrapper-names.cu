// RUN: %kfuse verify %s -Rkfuse-missed -- -std=c++20 2>&1 | FileCheck %s
//
// Names in wrappers that mean something else where they are called, and leave
// no trace in the syntax of what they were: a type that a using declaration
// brought, an alias of a namespace, a template whose arguments are deduced, a
// word that a macro has, the enumerators of a whole type. Overloads of the wrapper are none of that.

// CHECK-DAG: calls of 'deduced' beside other launches stay calls: 'Pair' is something else in 'main'
// CHECK-DAG: calls of 'worded' beside other launches stay calls: 'Count' is something else in 'main'
// CHECK-DAG: calls of 'listed' beside other launches stay calls: its caller 'enumerated' has a using directive
// CHECK: 10 launches -> 7
// CHECK: kfuse_step_last = 'step', 'last'
// CHECK: verified: original and fused
#include <cstdio>
#include <cuda_runtime.h>

__global__ void step(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void last(const float *B, float *C, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = 2 * B[i];
}

namespace types {
using real = float;
template <typename T> struct Kind {
  static const int size = 1000;
};
} // namespace types
using types::real;
template <typename T> struct Pair {
  T first, second;
};
template <typename T> Pair(T, T) -> Pair<T>;
namespace small {
static const int most = 500;
}
namespace large {
static const int most = 1000;
}
namespace sizes = large;
using Count = types::Kind<int>;
#define MOST Count::size
const int rows = 1000;
enum class Kinds { rows = 500 };

void brought(const float *in, float *out) {
  step<<<8, 128>>>(in, out, 250 * sizeof(real));
}
void aliased(const float *in, float *out) {
  step<<<8, 128>>>(in, out, sizes::most);
}
void deduced(const float *in, float *out) {
  Pair pair{1000, 1};
  step<<<8, 128>>>(in, out, pair.first);
}
void worded(const float *in, float *out) { step<<<8, 128>>>(in, out, MOST); }
void listed(const float *in, float *out) {
  step<<<8, 128>>>(in, out, (int)rows);
}
void loaded(const float *in, float *out) { step<<<8, 128>>>(in, out, 900); }
void loaded(const float *in, float *out, int n) {
  last<<<8, 128>>>(in, out, n);
}

void enumerated(const float *A, float *B, float *C) {
  using enum Kinds;
  listed(A, B);
  last<<<8, 128>>>(B, C, (int)rows);
}

int main() {
  static float host[1000];
  float *A, *B, *C;
  for (float **each : {&A, &B, &C}) {
    cudaMalloc(each, sizeof(host));
    cudaMemset(*each, 1, sizeof(host));
  }
  {
    typedef char real;
    brought(A, B);
    brought(B, A);
    printf("%zu\n", sizeof(real));
  }
  {
    namespace sizes = small;
    aliased(A, B);
    aliased(B, A);
    printf("%d\n", sizes::most);
  }
  {
    struct Pair {
      int second, first;
    };
    deduced(A, B);
    deduced(B, A);
    printf("%zu\n", sizeof(Pair));
  }
  {
    struct Count : types::Kind<char> {
      enum { size = 500 };
    };
    worded(A, B);
    worded(B, A);
    printf("%d\n", Count::size);
  }
  enumerated(A, B, C);
  loaded(A, B);
  loaded(B, C, 900);
  for (float *each : {A, B, C}) {
    cudaMemcpy(host, each, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%g %g\n", host[0], host[999]);
  }
}
