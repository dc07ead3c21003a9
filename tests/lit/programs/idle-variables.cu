// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet && %code %t.cu | FileCheck %s --check-prefix=TEXT
// CHECK: 3 launches -> 1
// CHECK: verified: original and fused
//
// Variables that only replaced statements used go with them, one after the
// other. They stay if making them does something, or something else uses them:
// in a macro that pastes the name, in an inactive branch, in a lambda.
//
// TEXT:      int main() {
// TEXT-NEXT:   const int n = 1000;
// TEXT-NEXT:   int counted = COUNTED;
// TEXT-NEXT:   auto noisy = Noisy{n};
// TEXT-NEXT:   int converted = noisy;
// TEXT-NEXT:   int added = noisy + 1;
// TEXT-NEXT:   int d_pasted = n;
// TEXT-NEXT:   int logged = n;
// TEXT-NEXT:   int captured = n;
// TEXT-NEXT:   // Kept for later.
// TEXT-NEXT:   int unused = 3;
// TEXT-NEXT:   float *c;
// TEXT-NEXT:   cudaMalloc(&c, PASTED(pasted) * sizeof(float));
// TEXT:        dim3 other(2);
// TEXT-NEXT:   kfuse_memset_float_scale_shift<<<

#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * 2;
}

__global__ void shift(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1;
}

int calls = 0;
int count() { return ++calls * 1000; }
#define COUNTED count()
#define PASTED(name) d_##name

struct Noisy {
  int n;
  ~Noisy() { printf("%d calls\n", calls); }
  operator int() const { return count() / 1000 * n; }
  int operator+(int more) const { return count() / 1000 + n + more; }
};

int main() {
  const int n = 1000;
  const int first = n, second = first + 1, third = second - 1;
  const int fourth = third + 1, fifth = fourth - 1, sixth = fifth;
  size_t bytes = sixth * sizeof(float);
  int counted = COUNTED;
  auto noisy = Noisy{n};
  int converted = noisy;
  int added = noisy + 1;
  int d_pasted = n;
  int logged = n;
  int captured = n;
  // Kept for later.
  int unused = 3;
  float *a, *b, *c;
  cudaMalloc(&a, counted * sizeof(float));
  cudaMalloc(&b, bytes + 0 * (converted + added + d_pasted + logged + captured));
  cudaMalloc(&c, PASTED(pasted) * sizeof(float));
  cudaMemset(a, 0, n * sizeof(float));
  auto report = [captured] { printf("%d\n", captured); };
#ifdef VERBOSE
  printf("%d\n", logged);
#endif
  dim3 threads(128), other(2);
  scale<<<(n + 127) / 128, threads>>>(a, b, n);
  shift<<<(n + 127) / 128, 128>>>(b, c, n);
  cudaFree(b);
  report();
  float last;
  cudaMemcpy(&last, c + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %d\n", last, other.x);
}
