// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o - --quiet | FileCheck %s --check-prefix=OUT
// RUN: sed 's/$/\r/' %s > %t.cu && %kfuse verify %t.cu 2>&1 | FileCheck %s
//
// Wrappers that return a value at their end: behind their statements the value
// stands where the call did, with the conversions that the call had.

// CHECK: 20 launches -> 11
// CHECK: verified: original and fused

// OUT-LABEL: int main()
// OUT:      {{^}}  // From shift():
// OUT-NEXT: // The same shape for all.
// OUT-NEXT: // What became of it.
// OUT-NEXT: // From scale():
// OUT-NEXT: kfuse_shift_kernel_scale_kernel<<<
// OUT:      {{^}}  error = cudaGetLastError();
// OUT-NEXT: cudaError_t other = cudaPeekAtLastError();
// OUT-NEXT: printf(
// OUT:      kfuse_shift_kernel_scale_kernel<<<
// OUT:      {{^}}  cudaGetLastError();
// OUT-NEXT: show("triple", C, n);
// OUT:      kfuse_shift_kernel_scale_kernel<<<
// OUT:      {{^}}  cudaGetLastError();
// OUT-NEXT: (void)count_elements;
// OUT-NEXT: show("count", C, n);
// OUT:      kfuse_shift_kernel_scale_kernel<<<
// OUT:      float narrow = static_cast<unsigned char>(narrowed_by * 100 + 1);
// OUT:      kfuse_shift_kernel_scale_kernel<<<
// OUT:      by = ((listed_by++, listed_by + 1)); // its own argument
// OUT:      kfuse_shift_kernel_scale_kernel<<<
// OUT:      const float *end = C + n;
// OUT:      kfuse_shift_kernel_scale_kernel<<<
// OUT:      bool isNone = static_cast<const float *>(0);
// OUT:      // From passedOn():
// OUT:      // From triple():
// OUT:      kfuse_shift_kernel_scale_kernel<<<
// OUT:      int code = 0;
// OUT:      // From passedNothing():
// OUT:      // From ended():
// OUT:      kfuse_shift_kernel_scale_kernel<<<
// OUT:      {{^}}  cudaGetLastError();
// OUT-NEXT: show("passedNothing", C, n);
#include <cstdio>
#include <cuda_runtime.h>

__global__ void shift_kernel(const float *A, float *B, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    B[i] = A[i] + 1;
}

__global__ void scale_kernel(const float *B, float *C, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    C[i] = B[i] * by;
}

static void show(const char *what, const float *device, int n) {
  static float host[1000];
  cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += host[i] * (i % 7);
  printf("%s %.3f\n", what, sum);
}

cudaError_t shift(const float *in, float *out, int n) {
  // The same shape for all.
  const int blocks = (n + 127) / 128;
  shift_kernel<<<blocks, 128>>>(in, out, n);
  // What became of it.
  return cudaGetLastError();
}

[[nodiscard]] cudaError_t scale(const float *in, float *out, int n, int by) {
  scale_kernel<<<(n + 127) / 128, 128>>>(in, out, n, by);
  return cudaPeekAtLastError();
}

// Nothing to tell.
int triple(const float *in, float *out, int n) {
  scale_kernel<<<(n + 127) / 128, 128>>>(in, out, n, 3);
  return 0;
}

size_t count(const float *in, float *out, int n) {
  size_t elements = n;
  scale_kernel<<<(n + 127) / 128, 128>>>(in, out, n, 2);
  return elements;
}

unsigned char narrowed(const float *in, float *out, int n, int by) {
  scale_kernel<<<(n + 127) / 128, 128>>>(in, out, n, by);
  by += 2;
  return by * 100 + 1;
}

long listed(const float *in, float *out, int n, long by) {
  scale_kernel<<<(n + 127) / 128, 128>>>(in, out, n, by);
  return by++, by + 1;
}

template <typename T> T *placed(const T *in, T *out, int n) {
  scale_kernel<<<(n + 127) / 128, 128>>>(in, out, n, 5);
  return out + n;
}

const float *none(const float *in, float *out, int n) {
  scale_kernel<<<(n + 127) / 128, 128>>>(in, out, n, 7);
  return 0;
}

void ended(const float *in, float *out, int n) {
  scale_kernel<<<(n + 127) / 128, 128>>>(in, out, n, 9);
  return; // by habit
}

// Of a function that is such a wrapper itself.
auto passedOn(const float *in, float *out, int n) {
  int most = n;
  return triple(in, out, most);
}

void passedNothing(const float *in, float *out, int n) {
  return ended(in, out, n);
}

int main() {
  const int n = 1000;
  static float host[n];
  for (int i = 0; i < n; ++i)
    host[i] = i % 37;
  float *A, *B, *C;
  cudaMalloc(&A, sizeof(host));
  cudaMalloc(&B, sizeof(host));
  cudaMalloc(&C, sizeof(host));
  cudaMemcpy(A, host, sizeof(host), cudaMemcpyHostToDevice);

  cudaError_t error;
  error = shift(A, B, n);
  cudaError_t other = scale(B, C, n, 2);
  printf("%d %d\n", error, other);
  show("errors", C, n);

  shift(A, B, n);
  (void)triple(B, C, n);
  show("triple", C, n);

  shift(A, B, n);
  count(B, C, n);
  show("count", C, n);

  int by = 7;
  shift(A, B, n);
  float narrow = narrowed(B, C, n, by);
  printf("%g\n", narrow);
  show("narrowed", C, n);

  shift(A, B, n);
  by = (listed(B, C, n, by * by)); // its own argument
  printf("%d\n", by);
  show("listed", C, n);

  shift(A, B, n);
  const float *end = placed(B, C, n);
  printf("%d\n", end == C + n);
  show("placed", C, n);

  shift(A, B, n);
  bool isNone = none(B, C, n);
  printf("%d\n", isNone);
  show("none", C, n);

  shift(A, B, n);
  int code = passedOn(B, C, n);
  printf("%d\n", code);
  show("passedOn", C, n);

  shift(A, B, n);
  passedNothing(B, C, n);
  show("passedNothing", C, n);
}
