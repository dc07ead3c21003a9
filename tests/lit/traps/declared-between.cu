// RUN: %kfuse verify %s -Rkfuse-missed 2>&1 | FileCheck %s
//
// Wrappers' statements would mean something else at a call of them, for a
// declaration that stands between: a default argument, the bases of a class, an
// enumerator of an inner namespace; or behind the declaration that has a default
// argument.

// CHECK-DAG: calls of 'defaulted' beside other launches stay calls: a declaration of 'pick' stands between it and a call of it
// CHECK-DAG: calls of 'converted' beside other launches stay calls: a declaration of 'Derived' stands between it and a call of it
// CHECK-DAG: calls of 'completed' beside other launches stay calls: a declaration of 'Kind' stands between it and a call of it
// CHECK-DAG: calls of 'inner::enumerated' beside other launches stay calls: a declaration of 'rows' stands between it and a call of it
// CHECK-DAG: calls of 'worded' beside other launches stay calls: a default argument of it stands in another declaration
// CHECK-DAG: calls of 'chosen' beside other launches stay calls: a default argument of it stands in another declaration
#include <cstdio>
#include <cuda_runtime.h>

__global__ void step(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

struct Base {};
struct Derived;
template <typename T> struct Kind;
const int rows = 1000;
int pick(long) { return 1000; }
int pick(int, int);
int size(const void *) { return 1000; }
int size(const Base *) { return 500; }

void defaulted(const float *in, float *out) {
  step<<<8, 128>>>(in, out, pick(1));
}
void converted(const float *in, float *out, Derived *object) {
  step<<<8, 128>>>(in, out, size(object));
}
int pick(int, int = 0) { return 500; }
struct Derived : Base {};

void completed(const float *in, float *out, Kind<int> *object) {
  step<<<8, 128>>>(in, out, size(object));
}
template <typename T> struct Kind : Base {};

#define COUNT 1000
int choose(long) { return 1000; }
void worded(const float *in, float *out, int n = COUNT);
void chosen(const float *in, float *out, int n = choose(1));
#undef COUNT
#define COUNT 500
int choose(int) { return 500; }
void worded(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
}
void chosen(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
}

namespace inner {
void enumerated(const float *in, float *out) {
  step<<<8, 128>>>(in, out, rows);
}
enum { rows = 500 };

void run(const float *A, float *B, float *C) {
  enumerated(A, B);
  step<<<8, 128>>>(B, C, 1000);
}
} // namespace inner

int main() {
  static float host[1000];
  float *A, *B, *C, *D, *E, *F, *G, *H;
  for (float **each : {&A, &B, &C, &D, &E, &F, &G, &H}) {
    cudaMalloc(each, sizeof(host));
    cudaMemset(*each, 1, sizeof(host));
  }
  inner::run(A, B, C);
  defaulted(C, D);
  converted(D, E, nullptr);
  completed(E, F, nullptr);
  worded(F, G);
  chosen(G, H);
  cudaMemcpy(host, H, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[999]);
}
