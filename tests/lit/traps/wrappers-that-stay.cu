// RUN: %kfuse %s -o %t.cu -Rkfuse -Rkfuse-missed 2>&1 | FileCheck %s
// RUN: cmp %s %t.cu
// RUN: %kfuse verify %s 2>&1 | FileCheck %s --check-prefix=SAME
//
// Wrappers whose statements can't stand for a call of them. Each says why.

// CHECK-DAG: 'step' not fused: DifferentRegion: calls of 'counted' beside other launches stay calls: it has a static variable
// CHECK-DAG: calls of 'chosen' beside other launches stay calls: it is a template with 'if constexpr'
// CHECK-DAG: calls of 'packed' beside other launches stay calls: it is a template with any number of parameters
// CHECK-DAG: calls of 'typed' beside other launches stay calls: it is an instance for a type that has no plain name
// CHECK-DAG: calls of 'sized' beside other launches stay calls: a macro has the name of its template parameter 'Block'
// CHECK-DAG: calls of 'printed' beside other launches stay calls: the macro 'TEXT' makes text of 'T'
// CHECK-DAG: calls of 'nulled' beside other launches stay calls: it is a template that calls a function with its parameter 'Count', which is 0
// CHECK-DAG: calls of 'lacking' beside other launches stay calls: a default argument of it depends on its template
// CHECK-DAG: calls of 'ended' beside other launches stay calls: it is a template that calls the destructor of any type
// CHECK-DAG: calls of 'operator<<' beside other launches stay calls: it is an operator
// CHECK-DAG: calls of 'offset' beside other launches stay calls: the program doesn't compile with its statements there
// CHECK-DAG: calls of 'pointed' beside other launches stay calls: it is a template for more than types and numbers
// CHECK-DAG: calls of 'named' beside other launches stay calls: it mentions its own name
// CHECK-DAG: calls of 'macroed' beside other launches stay calls: a macro mentions its variable 'in'
// CHECK-DAG: calls of 'shown' beside other launches stay calls: a macro makes a string of its variable 'n'
// CHECK-DAG: calls of 'redefined' beside other launches stay calls: the macro 'BLOCK' is another one at a call of it
// CHECK-DAG: calls of 'overloaded' beside other launches stay calls: a declaration of 'blocksFor' stands between it and a call of it
// CHECK-DAG: calls of 'scoped' beside other launches stay calls: 'shape' has a destructor
// CHECK-DAG: calls of 'guarded' beside other launches stay calls: it ends the program where it throws
// CHECK-DAG: calls of 'conditional' beside other launches stay calls: it has a preprocessing directive other than a whole #if
// CHECK-DAG: calls of 'stacked' beside other launches stay calls: it allocates on the stack
// CHECK-DAG: calls of 'spacious' beside other launches stay calls: 'scratch' is large
// CHECK-DAG: calls of 'allocating' beside other launches stay calls: it allocates an array
// CHECK-DAG: calls of 'assembled' beside other launches stay calls: it has assembly
// CHECK-DAG: calls of 'recursive' beside other launches stay calls: it calls itself
// CHECK-DAG: calls of 'labelled' beside other launches stay calls: its caller 'jumps' has labels
// CHECK-DAG: calls of 'temporary' beside other launches stay calls: a call of it makes temporary objects

// SAME: nothing
#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

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

namespace {
int threads = 128;
}
const int blockSize = 128;
int blocksFor(long n) { return (n + 127) / 128; }
struct Shape {
  int blocks;
  ~Shape() { blocks = 0; }
};

struct View {
  float *data;
  int size;
};
void operator<<(View out, View in) {
  step<<<8, 128>>>(in.data, out.data, in.size);
}
void counted(const float *in, float *out, int n) {
  static int calls = 0;
  step<<<8, 128>>>(in, out, n + 0 * calls++);
}
template <int Size> void chosen(const float *in, float *out, int n) {
  if constexpr (Size == 128)
    step<<<8, Size>>>(in, out, n);
  else
    step<<<Size - 120, 128>>>(in, out, n);
}
template <int... Sizes> void packed(const float *in, float *out, int n) {
  step<<<8, (Sizes + ...)>>>(in, out, n);
}
template <typename T> void typed(const float *in, float *out, int n) {
  step<<<8, T::block>>>(in, out, n);
}
#define THREADS (Block + 0)
template <int Block> void sized(const float *in, float *out, int n) {
  step<<<8, THREADS>>>(in, out, n);
}
#define TEXT(x) #x
template <typename T> void printed(const T *in, T *out, int n) {
  printf("%s\n", TEXT(T));
  step<<<8, 128>>>(in, out, n);
}
int chosenBlock(long) { return 128; }
int chosenBlock(const float *) { return 64; }
template <int Count> void nulled(const float *in, float *out, int n) {
  step<<<8, chosenBlock(Count)>>>(in, out, n);
}
template <int Count>
void lacking(const float *in, float *out, int n, int block = Count * 64) {
  step<<<8, block>>>(in, out, n);
}
template <typename T> void ended(const T *in, T *out, int n) {
  T last = 0;
  last.~T();
  step<<<8, 128>>>(in, out, n);
}
// The template's parameter has the name of a member.
struct Header {
  int blocks, Skip;
};
template <int Skip> void offset(const float *in, float *out, int n) {
  step<<<8, 128>>>(in + Skip, out, n - offsetof(Header, Skip));
}
template <const int *Size> void pointed(const float *in, float *out, int n) {
  step<<<8, *Size>>>(in, out, n);
}
void named(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  printf("%s\n", __func__);
}
#define BLOCKS (in == out ? 1 : 8)
void macroed(const float *in, float *out, int n) {
  step<<<BLOCKS, 128>>>(in, out, n);
}
#define SHOW(what) printf("%s = %d\n", #what, what)
void shown(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  SHOW(n);
}
void shadowed(const float *in, float *out, int n) {
  step<<<8, threads>>>(in, out, n);
}
#define BLOCK 128
void redefined(const float *in, float *out, int n) {
  step<<<8, BLOCK>>>(in, out, n);
}
#undef BLOCK
#define BLOCK 1000
void overloaded(const float *in, float *out, int n) {
  step<<<blocksFor(n), 128>>>(in, out, n);
}
int blocksFor(int n) { return 1 + 0 * n; }
void scoped(const float *in, float *out, int n) {
  Shape shape = {8};
  step<<<shape.blocks, 128>>>(in, out, n);
}
void guarded(const float *in, float *out, int n) noexcept {
  step<<<8, 128>>>(in, out, n);
}
void conditional(const float *in, float *out, int n) {
#pragma GCC diagnostic ignored "-Wunused"
  step<<<8, 128>>>(in, out, n);
}
void stacked(const float *in, float *out, int n) {
  int *count = (int *)__builtin_alloca(sizeof(int));
  *count = n;
  step<<<8, 128>>>(in, out, *count);
}
void assembled(const float *in, float *out, int n) {
  asm volatile("");
  step<<<8, 128>>>(in, out, n);
}
void recursive(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
  if (n < 0)
    recursive(in, out, n + 1);
}
void spacious(const float *in, float *out, int n) {
  char scratch[1 << 20];
  scratch[0] = 0;
  step<<<8, 128>>>(in, out, n + scratch[0]);
}
void allocating(const float *in, float *out, int n) {
  float *own;
  cudaMalloc(&own, n * sizeof(float));
  step<<<8, 128>>>(in, own, n);
  cudaMemcpy(out, own, sizeof(float), cudaMemcpyDefault);
  cudaFree(own);
}
void labelled(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
}
void temporary(const float *in, float *out, int n) {
  step<<<8, 128>>>(in, out, n);
}

void jumps(const float *A, float *B, float *C, int n) {
  if (n == 0)
    goto end;
  labelled(A, B, n);
  last<<<8, 128>>>(B, C, n);
end:;
}

int main() {
  const int n = 1000, threads = 1;
  static float host[1000];
  for (int i = 0; i < n; ++i)
    host[i] = (float)(i % 37);
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);
  last<<<8, 128>>>(A, C, n * threads);
  counted(A, B, n);
  struct Wide {
    enum { block = 128 };
  };
  chosen<128>(A, B, n);
  packed<64, 64>(A, B, n);
  typed<Wide>(A, B, n);
  sized<128>(A, B, n);
  printed<float>(A, B, n);
  nulled<0>(A, B, n);
  lacking<2>(A, B, n);
  ended(A, B, n);
  offset<1>(A, B, n);
  pointed<&blockSize>(A, B, n);
  View from = {A, n}, to = {B, n};
  to << from;
  named(A, B, n);
  macroed(A, B, n);
  shown(A, B, n);
  shadowed(A, B, n);
  redefined(A, B, n);
  overloaded(A, B, n);
  scoped(A, B, n);
  guarded(A, B, n);
  conditional(A, B, n);
  stacked(A, B, n);
  spacious(A, B, n);
  allocating(A, B, n);
  assembled(A, B, n);
  recursive(A, B, n);
  temporary(A, B, std::vector<int>(n).size());
  jumps(A, B, C, n);
  cudaMemcpy(host, C, sizeof(host), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%.3f\n", sum);
}
