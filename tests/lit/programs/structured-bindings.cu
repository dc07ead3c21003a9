// RUN: %kfuse verify %s -- 3 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse %s -o %t.cu -Rkfuse-missed 2>&1 | FileCheck %s --check-prefix=MISSED
//
// The names of a structured binding are parts of one object.
//
// CHECK: verified: original and fused
//
// What names refer to is exchanged, so that `to` is the first array.
// OUT:     void kfuse_twice_more_3(
// OUT:       b[i] = a[i] + a[i];
// OUT:       b[i] = a[i] + 1.0f;
//
// A helper's grid and block, by value and by reference. A copy of the method
// has names of its own.
// OUT:     void byValue(
// OUT:       const auto [grid, block] = cover(n);
// OUT-NOT:   kfuseSame
// OUT:       kfuse_twice_more<<<
// OUT:     void byReference(
// OUT:       kfuse_twice_more<<<
// OUT:     // From prepare():
// OUT:     const auto [prepare_grid, prepare_block] = cover(prepare_n);
// OUT:     kfuse_half_twice_more<<<
//
// A name that is assigned between the launches.
// MISSED: 'twice' and 'more' not fused: DifferentShape
// MISSED-NOT: 'twice' and 'more' not fused

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

struct Shape {
  dim3 grid, block;
};

inline Shape cover(unsigned n, unsigned block = 128) {
  return {dim3((n + block - 1) / block), dim3(block)};
}

struct Pair {
  float *from, *to;
};

__global__ void half(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * 0.5f;
}

__global__ void twice(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] + a[i];
}

__global__ void more(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1.0f;
}

void byValue(float *a, float *b, float *c, int n) {
  const auto [grid, block] = cover(n);
  twice<<<grid, block>>>(a, b, n);
  more<<<grid, block>>>(b, c, n);
}

void byReference(float *a, float *b, float *c, int n, const Shape &shape) {
  const auto &[grid, block] = shape;
  twice<<<grid, block>>>(a, b, n);
  more<<<grid, block>>>(b, c, n);
}

void prepare(float *a, float *b, int n) {
  const auto [grid, block] = cover(n);
  half<<<grid, block>>>(a, b, n);
}

void changed(float *a, float *b, float *c, int n) {
  auto [grid, block] = cover(n);
  twice<<<grid, block>>>(a, b, n);
  grid = dim3(1);
  more<<<grid, block>>>(b, c, n);
}

void exchanged(float *a, float *b, int n) {
  Pair pair = {a, b};
  auto &[from, to] = pair;
  const auto [grid, block] = cover(n);
  twice<<<grid, block>>>(from, to, n);
  std::swap(pair.from, pair.to);
  more<<<grid, block>>>(to, from, n);
}

int main(int argc, char **argv) {
  const int n = 1000 * (argc > 1 ? std::atoi(argv[1]) : 1);
  float *a, *b, *c, *d;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(float));
  std::vector<float> out(n);
  const auto fill = [&] {
    for (int i = 0; i < n; ++i)
      out[i] = 0.25f * (i % 113);
    cudaMemcpy(a, out.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(c, 0, n * sizeof(float));
  };
  const auto show = [&](const float *array) {
    cudaMemcpy(out.data(), array, n * sizeof(float), cudaMemcpyDeviceToHost);
    double all = 0;
    for (int i = 0; i < n; ++i)
      all += out[i] * (i % 17);
    std::printf("%.9g\n", all);
  };
  fill();
  byValue(a, b, c, n);
  show(c);
  fill();
  byReference(a, b, c, n, cover(n));
  show(c);
  fill();
  prepare(a, d, n);
  const auto [grid, block] = cover(n);
  twice<<<grid, block>>>(d, b, n);
  more<<<grid, block>>>(b, c, n);
  show(c);
  fill();
  changed(a, b, c, n);
  show(c);
  fill();
  exchanged(a, b, n);
  show(a);
  show(b);
}
