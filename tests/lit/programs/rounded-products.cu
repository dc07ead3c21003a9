// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s
//
// A product that a later kernel may add is written as a rounded one, also where
// it passes through memory, may be missing, or updates what is in memory. None
// of these kernels contracts a sum, so that nothing is isolated.
//
// CHECK-DAG: kfuse_scale_sumOfRows =
// CHECK-DAG: kfuse_inside_all =
// OUT-NOT: kfuseIsolate
// OUT: void scale_at(
// OUT: x[i] = __fmul_rn(x[i], by);
// OUT: void kfuse_scale_sumOfRows(
// OUT: scale_at(i, x, by, n);
// OUT: __syncthreads();
// OUT-NEXT: sumOfRows_stage(x, sums, width);
// OUT: void inside_at(
// OUT: b[i] = (b_written = true, b_value) = __fmul_rn(2.0f, a[i]);
// OUT-NOT: kfuseIsolate
#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= by;
}

__global__ void sumOfRows(const float *x, float *sums, int width) {
  __shared__ float parts[64];
  float sum = 0;
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    sum += x[blockIdx.x * width + i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = parts[0];
}

__global__ void inside(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    b[i] = 2.0f * a[i];
}

__global__ void all(const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = b[i] + 1.0f;
}

static float host[4096];
int main() {
  const int n = 4096, rows = 16, width = 256;
  float *x, *sums, *a, *b, *c;
  cudaMalloc(&x, sizeof(host));
  cudaMalloc(&sums, rows * sizeof(float));
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMalloc(&c, sizeof(host));
  for (int i = 0; i < n; ++i)
    host[i] = 1.0f / (i % 61 + 1);
  cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, sizeof(host), cudaMemcpyHostToDevice);
  scale<<<n / 128, 128>>>(x, 0.3f, n);
  sumOfRows<<<rows, 64>>>(x, sums, width);
  cudaMemcpy(host, sums, rows * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%a\n", host[7]);
  inside<<<n / 128, 128>>>(a, b, n);
  all<<<n / 128, 128>>>(b, c, n);
  cudaMemcpy(host, c, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%a %a\n", host[0], host[77]);
  cudaMemcpy(host, b, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%a\n", host[78]);
}
