// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse verify %s -- mask 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --elements-per-thread=1 --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// A condition that asks for the thread's index, and only then for data: the
// index is the common guard, and the rest stays where it was.
//
// CHECK: verified: original and fused
//
// OUT:      void kfuse_scale_clear_shift(
// OUT:        if (i < n) {
// OUT:          // clear
// OUT-NEXT:     if (mask[i] > 128)
// OUT-NEXT:       b = 0.0f;
//
// A flag is no part of the common guard. What it may change has a value
// without it, so that no constant is multiplied.
//
// OUT:      void kfuse_scale_clear_collect_halve(
// OUT:          float b_value = __fmul_rn(f, a[i]);
// OUT:          if (runs) {
// OUT-NEXT:       // clear
// OUT:          // collect
// OUT-NEXT:     float sum_value = (sum[i] += f_collect * b_value);
//
// Not the last statement, a comment and a macro: as it is written.
//
// OUT:      void kfuse_scale_several(
// OUT:          if (i < n && mask[i] > 128)
// OUT-NEXT:       b = 1.0f;
// OUT:        if (i < n && /* hidden */ mask[i] > 128)
// OUT:      void inMacro_at(
// OUT:        if (INSIDE && mask[k] > 128)

#include <cstdio>
#include <vector>

#define INSIDE (k < n)

__global__ void scale(float *b, const float *a, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = f * a[i];
}

__global__ void clear(float *b, const unsigned char *mask, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && mask[i] > 128)
    b[i] = 0.0f;
}

__global__ void shift(float *c, const float *b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = f + b[i];
}

__global__ void collect(float *sum, const float *b, float f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] += f * b[i];
}

__global__ void halve(float *c, const float *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = sum[i] * 0.5f;
}

__global__ void several(float *b, float *c, const unsigned char *mask, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && mask[i] > 128)
    b[i] = 1.0f;
  if (i < n)
    c[i] = b[i];
}

__global__ void noted(float *b, float *c, const unsigned char *mask, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && /* hidden */ mask[i] > 128)
    c[i] = b[i] - 1.0f;
}

__global__ void inMacro(float *b, float *c, const unsigned char *mask, int n) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (INSIDE && mask[k] > 128)
    c[k] = b[k] - 2.0f;
}

int main(int argc, char **) {
  const int n = 5000;
  const int blocks = (n + 255) / 256;
  float *a, *b, *c, *sum;
  unsigned char *mask;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMalloc(&sum, n * sizeof(float));
  cudaMalloc(&mask, n);
  std::vector<float> in(n), out(n);
  std::vector<unsigned char> covered(n);
  for (int i = 0; i < n; ++i) {
    in[i] = 0.37f * (i % 91);
    covered[i] = static_cast<unsigned char>(i * 7);
  }
  cudaMemcpy(a, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(sum, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(mask, covered.data(), n, cudaMemcpyHostToDevice);

  const auto show = [&] {
    cudaMemcpy(out.data(), c, n * sizeof(float), cudaMemcpyDeviceToHost);
    double all = 0;
    for (int i = 0; i < n; ++i)
      all += out[i] * (i % 13);
    printf("%.9g\n", all);
  };

  scale<<<blocks, 256>>>(b, a, 2.0f, n);
  clear<<<blocks, 256>>>(b, mask, n);
  shift<<<blocks, 256>>>(c, b, 2.0f, n);
  show();

  scale<<<blocks, 256>>>(b, a, 1.7f, n);
  if (argc > 1)
    clear<<<blocks, 256>>>(b, mask, n);
  collect<<<blocks, 256>>>(sum, b, 1.3f, n);
  halve<<<blocks, 256>>>(c, sum, n);
  show();
  cudaMemcpy(out.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.9g\n", out[77]);

  scale<<<blocks, 256>>>(b, a, 1.5f, n);
  several<<<blocks, 256>>>(b, c, mask, n);
  show();

  scale<<<blocks, 256>>>(b, a, 3.5f, n);
  noted<<<blocks, 256>>>(b, c, mask, n);
  show();

  scale<<<blocks, 256>>>(b, a, 4.5f, n);
  inMacro<<<blocks, 256>>>(b, c, mask, n);
  show();
}
