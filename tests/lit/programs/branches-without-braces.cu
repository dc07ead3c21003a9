// RUN: %kfuse %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %code %t.cu | FileCheck %s --check-prefix=OUT
// RUN: %kfuse verify %s -- 0 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 1 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: %kfuse verify %s -- 2 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}verified: original and fused leave equal traces and output
//
// Arms that are one launch get braces where a launch beside the branch fuses
// with them; other branches stay as they are.

// CHECK: 5 launches -> 3
// CHECK-NEXT: kfuse_scale_bias_twice = 'scale', 'bias', 'twice'
// CHECK-NEXT: kfuse_scale_relu_twice = 'scale', 'relu', 'twice'

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] * by;
}

__global__ void bias(float *x, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + b[i];
}

__global__ void relu(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = fmaxf(x[i], 0.0f);
}

__global__ void twice(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = x[i] + x[i];
}

int main(int, char **argv) {
  const int mode = atoi(argv[1]);
  const int n = 5000;
  static float h[n];
  float *x, *b;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  for (int i = 0; i < n; ++i)
    h[i] = i % 11 - 5;
  cudaMemcpy(x, h, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, n * sizeof(float), cudaMemcpyHostToDevice);

  // OUT: {{^}}  if (mode == 1) {
  // OUT-NEXT: {{^}}    kfuse_scale_bias_twice<<<20, 256>>>(x, 0.5f, n, b);
  // OUT-NEXT: {{^}}  } else {
  // OUT-NEXT: {{^}}    kfuse_scale_relu_twice<<<20, 256>>>(x, 0.5f, n);
  // OUT-NEXT: {{^}}  }
  // OUT-NEXT: {{^}}  cudaMemcpy(
  scale<<<20, 256>>>(x, 0.5f, n);
  if (mode == 1)
    bias<<<20, 256>>>(x, b, n);
  else
    relu<<<20, 256>>>(x, n);
  twice<<<20, 256>>>(x, n);
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[63]);

  // OUT: {{^}}  if (mode == 2)
  // OUT-NEXT: {{^}}    bias<<<20, 256>>>(x, b, n);
  // OUT-NEXT: {{^}}  else if (mode == 1)
  // OUT-NEXT: {{^}}    relu<<<20, 256>>>(x, n);
  // OUT-NEXT: {{^}}  else
  // OUT-NEXT: {{^}}    printf("none\n");
  // OUT-NEXT: {{^}}  cudaMemcpy(
  // OUT: {{^}}  twice<<<20, 256>>>(x, n);
  if (mode == 2)
    bias<<<20, 256>>>(x, b, n);
  else if (mode == 1)
    relu<<<20, 256>>>(x, n);
  else
    printf("none\n");
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[63]);
  twice<<<20, 256>>>(x, n);
  cudaMemcpy(h, x, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[63]);
}
