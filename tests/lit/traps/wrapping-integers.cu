// RUN: %kfuse verify %s
//
// Each second kernel reads the cell before its own, or all of them, because an
// unsigned number wraps or a negative one goes by an unsigned parameter.

#include <cstdio>
#include <vector>

__global__ void twice(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = a[i] * 2;
}

__global__ void rows(float *b, const float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (unsigned char k = 254; k != 2; k++)
      if (k < 2)
        b[i + k * n] = a[i] * 3;
}

__global__ void before(float *c, const float *b, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    c[i] = b[i + 0xffffffffu];
}

__global__ void at(float *c, const float *b, unsigned offset, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n)
    c[i] += b[i + offset];
}

__global__ void after(float *c, const float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1)
    c[i] += b[i + 1 + n];
}

__global__ void where(float *b, const float *c, unsigned mark, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n && (int)mark < 0)
    b[i] = c[i - 1];
}

int main() {
  const int n = 1000;
  std::vector<float> h(2 * n);
  for (int i = 0; i < 2 * n; i++)
    h[i] = i * 37 % 101;
  float *a, *b, *c;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, 2 * n * sizeof(float));
  cudaMalloc(&c, n * sizeof(float));
  cudaMemcpy(a, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(b, h.data(), 2 * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(c, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  twice<<<8, 128>>>(b, a, n);
  before<<<8, 128>>>(c, b, n);
  rows<<<8, 128>>>(b, a, n);
  after<<<8, 128>>>(c, b, n);
  twice<<<8, 128>>>(b, a, n);
  at<<<8, 128>>>(c, b, -1, n);
  twice<<<8, 128>>>(b, c, n);
  at<<<8, 128>>>(c, b, 0xffffffffu, n);
  where<<<8, 128>>>(b, c, 0xffffffffu, n);
  cudaMemcpy(h.data(), b, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 0.999 + h[i];
  printf("%.9g\n", sum);
}
