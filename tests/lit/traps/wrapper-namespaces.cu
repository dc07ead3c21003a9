// RUN: %kfuse verify %s -Rkfuse-missed 2>&1 | FileCheck %s
//
// Wrappers of other namespaces than their callers': those around the caller's,
// and those without a name in it, as far as no name of the wrapper is one of
// another there.

// CHECK-DAG: calls of 'overloaded' beside other launches stay calls: 'first' is in another namespace, which has another 'blocksFor'
// CHECK-DAG: calls of '(anonymous namespace)::merged' beside other launches stay calls: 'main' is in another namespace, which has another 'count'
// CHECK-DAG: calls of 'directed' beside other launches stay calls: 'second' is in another namespace, which has a using directive
// CHECK-DAG: calls of 'directing::second' beside other launches stay calls: 'main' is in another namespace, without the using directive of its own
// CHECK-DAG: calls of 'added' beside other launches stay calls: 'third' is in another namespace, which has operators
// CHECK: 13 launches -> 10
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

struct Size {
  int size;
};
Size operator+(Size size, int by) { return {size.size + by}; }
int blocksFor(long) { return 8; }
int rows = 1000, width = 1000;

void overloaded(const float *in, float *out) {
  step<<<blocksFor(1000), 128>>>(in, out, 1000);
}
void directed(const float *in, float *out) {
  step<<<8, 128>>>(in, out, rows);
}
void added(const float *in, float *out, Size size) {
  step<<<8, 128>>>(in, out, (size + 500).size);
}
void plain(const float *in, float *out) { step<<<8, 128>>>(in, out, width); }

namespace other {
void beside(const float *in, float *out) { step<<<8, 128>>>(in, out, 1000); }
} // namespace other

namespace outer {
namespace deep {
struct Runner {
  int blocks = 8;
  void run(const float *A, float *B, float *C) {
    plain(A, B);
    last<<<8, 128>>>(B, C, width);
    other::beside(A, B);
  }
};
} // namespace deep
} // namespace outer

namespace inner {
int blocksFor(int) { return 4; }
void first(const float *A, float *B, float *C) {
  overloaded(A, B);
  last<<<8, 128>>>(B, C, 1000);
}
} // namespace inner

namespace small {
int rows = 500;
}
namespace directing {
using namespace small;
void second(const float *A, float *B, float *C) {
  directed(A, B);
  last<<<8, 128>>>(B, C, 1000);
}
} // namespace directing

namespace adding {
struct Other {};
Size operator+(Size size, short) { return {size.size}; }
void third(const float *A, float *B, float *C) {
  added(A, B, {500});
  last<<<8, 128>>>(B, C, 1000);
}
} // namespace adding

int count(int) { return 500; }
namespace {
int count(long) { return 1000; }
int limit = 1000;
void merged(const float *in, float *out) {
  step<<<8, 128>>>(in, out, count(1));
}
void nameless(const float *in, float *out, int n) {
  const int most = n < limit ? n : limit;
  step<<<8, 128>>>(in, out, most);
}
} // namespace

int main() {
  static float host[1000];
  float *A, *B, *C, *D;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMalloc(&D, sizeof(host));
  for (float *each : {A, B, C, D})
    cudaMemset(each, 1, sizeof(host));
  const auto show = [&](const float *from) {
    cudaMemcpy(host, from, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%g %g\n", host[0], host[999]);
  };
  inner::first(A, B, C);
  show(C);
  directing::second(A, B, C);
  show(C);
  adding::third(A, B, C);
  show(C);
  outer::deep::Runner().run(A, B, C);
  show(C);
  merged(A, B);
  last<<<8, 128>>>(B, C, 1000);
  show(C);
  nameless(A, D, 900);
  last<<<8, 128>>>(D, C, 900);
  show(C);
}
