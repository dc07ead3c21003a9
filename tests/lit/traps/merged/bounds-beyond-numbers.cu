// Bounds that no index reaches.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void unlimited(const unsigned char *x, unsigned char *y, size_t n) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] / 3;
}
__global__ void narrow(const unsigned char *x, unsigned char *y, unsigned short n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    y[i] = x[i] / 3;
}
__global__ void constant(const unsigned char *x, unsigned char *y) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < -1)
    y[i] = x[i] / 3;
}

int main(int argc, char **) {
  const int n = 1000 + argc, blocks = (n + 127) / 128;
  static unsigned char h[4096], zeros[4096];
  for (int k = 0; k < n; ++k)
    h[k] = k * 7 % 31;
  unsigned char *a, *b, *c, *d;
  cudaMalloc(&a, n * sizeof(*h));
  cudaMalloc(&b, n * sizeof(*h));
  cudaMalloc(&c, n * sizeof(*h));
  cudaMalloc(&d, n * sizeof(*h));
  cudaMemcpy(a, h, n * sizeof(*h), cudaMemcpyHostToDevice);
  cudaMemcpy(d, h, n * sizeof(*h), cudaMemcpyHostToDevice);
  cudaMemcpy(c, zeros, n * sizeof(*h), cudaMemcpyHostToDevice);
  unlimited<<<n / 128, 128>>>(a, b, size_t(-1));
  unlimited<<<n / 128, 128>>>(b, c, size_t(-1));
  cudaMemcpy(h, c, n * sizeof(*h), cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  cudaMemcpy(c, zeros, n * sizeof(*h), cudaMemcpyHostToDevice);
  narrow<<<n / 128, 128>>>(a, b, argc - 1);
  narrow<<<n / 128, 128>>>(b, c, argc - 1);
  cudaMemcpy(h, c, n * sizeof(*h), cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  cudaMemcpy(c, zeros, n * sizeof(*h), cudaMemcpyHostToDevice);
  constant<<<n / 128, 128>>>(a, b);
  constant<<<n / 128, 128>>>(b, c);
  cudaMemcpy(h, c, n * sizeof(*h), cudaMemcpyDeviceToHost);
  printf("%d\n", h[5]);
  cudaMemcpy(c, zeros, n * sizeof(*h), cudaMemcpyHostToDevice);
  cudaMemcpy(h, c, n * sizeof(*h), cudaMemcpyDeviceToHost);
  unsigned long sum = 0;
  for (int k = 0; k < n; ++k)
    sum = sum * 31 + h[k];
  printf("%lu\n", sum);
}
