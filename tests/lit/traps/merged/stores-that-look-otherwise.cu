// Something stands between the element and the `=`.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void half(const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  y[i] = x[i] / 2;
}
__global__ void commented(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  x[i] /* back */ = t + 1;
  y[i] = t;
}
__global__ void bracketed(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  (x[i]) = t + 2;
  y[i] = t;
}
__global__ void continued(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  x[i] \
      = t + 3;
  y[i] = t;
}
__global__ void noted(int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int t = x[i];
  x[i] // back
      = t + 4;
  y[i] = t;
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  static int h[4096], zeros[4096];
  for (int k = 0; k < n; ++k)
    h[k] = k * 7 % 31;
  int *a, *b, *c, *d;
  cudaMalloc(&a, n * sizeof(*h));
  cudaMalloc(&b, n * sizeof(*h));
  cudaMalloc(&c, n * sizeof(*h));
  cudaMalloc(&d, n * sizeof(*h));
  cudaMemcpy(a, h, n * sizeof(*h), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, n * sizeof(*h), cudaMemcpyHostToDevice);
  cudaMemcpy(c, zeros, n * sizeof(*h), cudaMemcpyHostToDevice);
  half<<<blocks, 128>>>(c, b, n);
  commented<<<blocks, 128>>>(d, c, n);
  cudaMemcpy(h, d, n * sizeof(*h), cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  half<<<blocks, 128>>>(c, b, n);
  bracketed<<<blocks, 128>>>(d, c, n);
  cudaMemcpy(h, d, n * sizeof(*h), cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  half<<<blocks, 128>>>(c, b, n);
  continued<<<blocks, 128>>>(d, c, n);
  cudaMemcpy(h, d, n * sizeof(*h), cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  half<<<blocks, 128>>>(c, b, n);
  noted<<<blocks, 128>>>(d, c, n);
  cudaMemcpy(h, d, n * sizeof(*h), cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  cudaMemcpy(h, c, n * sizeof(*h), cudaMemcpyDeviceToHost);
  unsigned long sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 31 + h[k];
  printf("%lu\n", sum);
}
