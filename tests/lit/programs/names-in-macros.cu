// RUN: %kfuse verify %s 2>&1 | FileCheck %s
// RUN: %kfuse %s -o %t.cu --quiet
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
//
// Macros that mention a kernel's own names: one body if these keep their names.
//
// CHECK: verified: original and fused
//
// The width is a parameter that both kernels' macro mentions, and no other text.
// OUT:      void kfuse_raise_lower(
// OUT-NEXT:   int nx, int ny
// OUT:        float b = a[IX(x, y)] + 1.0f;
// OUT:        c[IX(x, y)] = b - 2.0f;
//
// A macro that no kernel of the group has.
// OUT:      void kfuse_tripled_halved(
// OUT-NEXT:   const float *{{.*}}a, int count, float *{{.*}}c) {
// OUT-NEXT: int k = blockIdx.x
//
// Two values of one name in a macro.
// OUT-NOT:  // widened
// OUT:      void kfuse_narrowed_widened(
// OUT:        narrowed_at(

#include <cstdio>
#include <vector>

#define IX(i, j) ((i) + (nx + 2) * (j))
#define INSIDE (k < count)
#define SCALED(v) ((v) * gain)

__global__ void raise(float *b, const float *a, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < ny)
    b[IX(x, y)] = a[IX(x, y)] + 1.0f;
}

__global__ void lower(float *c, const float *b, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < ny)
    c[IX(x, y)] = b[IX(x, y)] - 2.0f;
}

__global__ void tripled(float *b, const float *a, int count) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count)
    b[k] = 3.0f * a[k];
}

__global__ void halved(float *c, const float *b, int count) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k < count)
    c[k] = 0.5f * b[k];
}

__global__ void narrowed(float *b, const float *a, float gain, int count) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (INSIDE)
    b[k] = SCALED(a[k]);
}

__global__ void widened(float *c, const float *b, float gain, int count) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (INSIDE)
    c[k] = SCALED(b[k]);
}

int main() {
  const int nx = 30, ny = 32, all = (nx + 2) * ny;
  const int blocks = (all + 255) / 256;
  float *a, *b, *c;
  cudaMalloc(&a, all * sizeof(float));
  cudaMalloc(&b, all * sizeof(float));
  cudaMalloc(&c, all * sizeof(float));
  std::vector<float> host(all);
  for (int i = 0; i < all; ++i)
    host[i] = 0.3f * (i % 71);
  cudaMemcpy(a, host.data(), all * sizeof(float), cudaMemcpyHostToDevice);
  const auto show = [&] {
    cudaMemcpy(host.data(), c, all * sizeof(float), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < all; ++i)
      sum += host[i] * (i % 19);
    printf("%.9g\n", sum);
  };
  const dim3 block(16, 8), grid(2, 4);
  raise<<<grid, block>>>(b, a, nx, ny);
  lower<<<grid, block>>>(c, b, nx, ny);
  show();
  tripled<<<blocks, 256>>>(b, a, all);
  halved<<<blocks, 256>>>(c, b, all);
  show();
  narrowed<<<blocks, 256>>>(b, a, 0.7f, all);
  widened<<<blocks, 256>>>(c, b, 1.3f, all);
  show();
}
