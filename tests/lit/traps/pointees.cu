// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// CHECK: 6 launches -> 5
// CHECK: verified: original and fused
//
// What a pointer or a reference leads to changes with the variable that it
// leads to. Nothing is fused across that; what stays one pointer is.

#include <cstdio>
#include <cuda_runtime.h>
#include <memory>
#include <vector>

struct Pair {
  float *from, *to;
};

__global__ void twice(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * 2;
}

__global__ void less(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] - 1;
}

// Through a pointer, and by a reference to one of two.
void changes(float *a, float *b, float *c, float *d, bool first, int n) {
  Pair pair{a, b}, other{b, a};
  Pair *pointer = &pair;
  twice<<<8, 128>>>(pointer->from, pointer->to, n);
  pair.to = c;
  less<<<8, 128>>>(pointer->to, d, n);
  const Pair &chosen = first ? pair : other;
  twice<<<8, 128>>>(chosen.from, chosen.to, n);
  pair.to = b;
  less<<<8, 128>>>(chosen.to, d, n);
}

// No statement changes these.
void stays(const std::vector<std::unique_ptr<Pair>> &all, float *d, int n) {
  for (const auto &each : all) {
    const Pair &pair = *each;
    twice<<<8, 128>>>(pair.from, pair.to, n);
    less<<<8, 128>>>(pair.to, d, n);
  }
}

int main() {
  const int n = 1000;
  static float h[n];
  float *a, *b, *c, *d;
  for (int i = 0; i < n; ++i)
    h[i] = i;
  for (float **each : {&a, &b, &c, &d}) {
    cudaMalloc(each, sizeof(h));
    cudaMemcpy(*each, h, sizeof(h), cudaMemcpyHostToDevice);
  }
  changes(a, b, c, d, true, n);
  std::vector<std::unique_ptr<Pair>> all;
  all.push_back(std::make_unique<Pair>(Pair{c, b}));
  all.push_back(std::make_unique<Pair>(Pair{b, a}));
  stays(all, d, n);
  for (float *each : {a, b, c, d}) {
    cudaMemcpy(h, each, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%g %g\n", h[3], h[999]);
    cudaFree(each);
  }
}
